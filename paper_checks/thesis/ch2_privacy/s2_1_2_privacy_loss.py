"""Section 2.1.2, page 15: the privacy loss, its tail and moments, and from pure privacy to zCDP to approximate privacy.

For Proposition 2.6 the pair of laws with likelihood ratio in [e^-epsilon, e^epsilon] and the largest Rényi divergences
is randomised response, for which

    (alpha - 1) D_alpha = g(x) - g(y),  g = log cosh,  x = (alpha - 1/2) epsilon,  y = epsilon/2,

and alpha (alpha - 1) epsilon^2 = x^2 - y^2. So the first part says that x^2/2 - g(x) does not fall from y to x.
"""

from collections import defaultdict
from fractions import Fraction
from math import inf
from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.composition import RATIOS, numbered
from banditproof.paper_checks.thesis.ch2_privacy.facts import largest_excess_over_events, probability
from banditproof.paper_checks.thesis.facts.privacy import Mechanism, on_mechanisms
from banditproof.theory import sharp_zcdp_of_pure
from banditproof.theory.privacy.wide_balls import randomised_response_slack
from banditproof.verify import FiniteChannel, randomised_response, zcdp_rho
from banditproof.verify.finite.channels import Law, channel_delta


def ratios_of_outputs(left: Law, right: Law) -> dict[Any, Any]:
    """e^Z with Z the privacy loss, on the outputs that the first law can give."""
    return {o: p / right[o] if right[o] else inf for o, p in left.items() if p}


@quantity
def largest_excess_of_losses(mechanism: Any, ratio: Any) -> Fraction:
    """The largest E[(1 - e^(epsilon - Z))^+] of a numbered mechanism over neighbours, e^epsilon = ratio."""
    channel, largest = numbered(mechanism), Fraction(0)
    for a, b in channel.pairs():
        left, right = channel.laws[a], channel.laws[b]
        law: dict[Any, Fraction] = defaultdict(Fraction)
        for output, loss in ratios_of_outputs(left, right).items():
            law[loss] += left[output]
        excess = (p * max(Fraction(0), 1 - ratio / loss) if loss < inf else p for loss, p in law.items() if loss)
        largest = max(largest, sum(excess, Fraction(0)))
    return largest


@claim("TH-D2.5/finite", on_mechanisms(40, 400, ratio=RATIOS, routes=("all events", "law of the privacy loss")))
def loss_of_finite_mechanisms(mechanism: Mechanism, ratio: AtLeastOne):
    r"""For finite mechanisms, with $Z=+\infty$ where $\mathcal M_{D'}(o)=0$: the largest $\mathcal
    M_D(A)-e^\varepsilon\mathcal M_{D'}(A)$ over events is $\mathbb E[(1-e^{\varepsilon-Z})^+]$.

    The law of Z is that of f(o) with o drawn from M_D; Z is infinite where M_D' vanishes.
    """
    return largest_excess_over_events(mechanism, ratio), "==", largest_excess_of_losses(mechanism, ratio)


def chance_of_loss_above(channel: Any, ratio: Any) -> Fraction:
    """The largest Pr(|Z| > log ratio) over ordered neighbours."""
    worst = Fraction(0)
    for a, b in channel.pairs():
        left = channel.laws[a]
        outputs = ratios_of_outputs(left, channel.laws[b]).items()
        worst = max(worst, probability(left, [o for o, r in outputs if r > ratio or r * ratio < 1]))
    return worst


def response_called(mechanism: str) -> FiniteChannel:
    """Randomised response by its name, which ends with e^budget."""
    return randomised_response(Fraction(mechanism.rpartition(" ")[2]))


@quantity
def chance_of_a_loss_of_a_response(mechanism: str, ratio: Any) -> Fraction:
    """The largest Pr(|Z| > epsilon) of randomised response over neighbours, e^epsilon = ratio."""
    return Fraction(chance_of_loss_above(response_called(mechanism), ratio))


@quantity
def least_delta_of_a_response(mechanism: str, ratio: Any) -> Fraction:
    """The least delta of randomised response at e^epsilon = ratio."""
    return Fraction(channel_delta(response_called(mechanism), ratio).value)


@claim(
    "TH-S2.1b/converse-without-loss",
    fails_at(mechanism="randomised response, e^budget 4", ratio=3, rational=True),
    role="remark",
)
def converse_without_loss(mechanism: Mechanism, ratio: AtLeastOne):
    r"""The converse with the same parameters: an $(\varepsilon,\delta)$-DP mechanism has
    $\Pr(|Z_{D,D'}|>\varepsilon)\le\delta$.

    For randomised response with a slightly larger budget, the loss exceeds epsilon whenever the answer is true.
    """
    return chance_of_a_loss_of_a_response(mechanism, ratio), "<=", least_delta_of_a_response(mechanism, ratio)


@claim(
    "TH-P2.6/randomised-response",
    interval(
        substitutions={"epsilon": ("s", "[0, 1]", "s/(1 - s)"), "alpha": ("r", "[0, 1]", "1/r")},
        boxes=50,
        routes=("log-cosh form of the divergence", "mean values"),
    ),
    false=[{"share": "0.49"}, {"share": "2/5"}],
)
def zcdp_of_randomised_response(epsilon: Nonnegative, alpha: AboveOne, share=Fraction(1, 2)):
    r"""$D_\alpha\le\frac12\alpha\varepsilon^2$ for the two laws of randomised response of budget $\varepsilon$, in both
    orders.

    ``randomised_response_slack`` describes the slack between both sides.
    """
    return 0, "<=", randomised_response_slack(epsilon, alpha, share)


@quantity
def smallest_rho_of_randomised_response(ratio: Any) -> Any:
    """The smallest rho of randomised response with these odds of the truth: an enclosure of sup D_alpha/alpha."""
    laws = randomised_response(Fraction(ratio)).laws
    return zcdp_rho(laws[(0,)], laws[(1,)], splits=60).ball()


@claim(
    "TH-P2.6/sharp",
    enumerated(
        epsilon=["11/10", "3/2", "4", "50"], rational=True, routes=("branch and bound over the orders", "closed form")
    ),
    role="remark",
)
def sharp_conversion(epsilon: AboveOne):
    r"""The smallest $\rho$ of $\varepsilon$-DP mechanisms is $\varepsilon\tanh(\varepsilon/2)$, up to five per cent of
    enclosure (the variable is $e^\varepsilon$)."""
    quotient = smallest_rho_of_randomised_response(epsilon) / sharp_zcdp_of_pure(log(epsilon))
    return maximum(quotient, 1 / quotient), "<=", Fraction(21, 20)
