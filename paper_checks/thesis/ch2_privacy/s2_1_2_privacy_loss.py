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

from banditproof.claims.register import claim
from banditproof.claims.sets import AboveOne, AboveZero, AtLeastOne, EveryMechanism, Nonnegative, Positive, Probability
from banditproof.claims.steps import enumerated, fails_at, in_kernel, interval
from banditproof.paper_checks.shared.composition import RATIOS, numbered
from banditproof.paper_checks.thesis.ch2_privacy.facts import largest_excess_over_events, probability
from banditproof.paper_checks.thesis.facts.privacy import Mechanism, on_mechanisms
from banditproof.theory import sharp_zcdp_of_pure
from banditproof.theory.numbers.numeric import log, maximum
from banditproof.theory.numbers.term import quantity
from banditproof.theory.privacy.wide_balls import randomised_response_slack
from banditproof.verify import FiniteChannel, randomised_response, zcdp_rho
from banditproof.verify.finite.channels import Law, channel_delta
from banditproof.verify.kernel import meanings as said
from banditproof.verify.kernel.divergences import (
    densities,
    each_moment_at_most,
    kl_of_neighbours_at_most,
    loss_is_above,
    loss_is_at_most,
    loss_is_below,
    loss_is_larger,
    moments_of_the_loss_at_most,
    of_all_neighbours,
    zcdp,
)
from banditproof.verify.kernel.meanings import formula, private, symmetric_neighbours, when
from banditproof.verify.theorems import divergences as divergence_proofs
from banditproof.verify.theorems import privacy_loss as loss_proofs


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


@claim("TH-S2.1a/if", in_kernel(loss_proofs.from_a_tail))
def a_bounded_loss_gives_pure_privacy(M: EveryMechanism, epsilon: Nonnegative):
    r"""If $|Z_{D,D'}|\le\varepsilon$ almost surely for all $D\sim D'$ then $\mathcal M$ is $\varepsilon$-DP."""
    surely = of_all_neighbours(lambda: (loss_is_at_most(M, epsilon), ">=", 1))
    return when(*densities(M), surely, then=private(M, epsilon))


@claim("TH-S2.1a/only-if", in_kernel(loss_proofs.to_a_bounded_loss))
def pure_privacy_gives_a_bounded_loss(M: EveryMechanism, epsilon: Nonnegative):
    r"""If $\mathcal M$ is $\varepsilon$-DP then $|Z_{D,D'}|\le\varepsilon$ almost surely for all $D\sim D'$."""
    surely = of_all_neighbours(lambda: (loss_is_at_most(M, epsilon), ">=", 1))
    return when(*densities(M), symmetric_neighbours(), private(M, epsilon), then=surely)


def chance_of_loss_above(channel: Any, ratio: Any) -> Fraction:
    """The largest Pr(|Z| > log ratio) over ordered neighbours."""
    worst = Fraction(0)
    for a, b in channel.pairs():
        left = channel.laws[a]
        outputs = ratios_of_outputs(left, channel.laws[b]).items()
        worst = max(worst, probability(left, [o for o, r in outputs if r > ratio or r * ratio < 1]))
    return worst


@claim("TH-S2.1b/tail", in_kernel(loss_proofs.from_a_tail))
def a_rare_loss_gives_approximate_privacy(M: EveryMechanism, epsilon: Nonnegative, delta: Probability):
    r"""If $\Pr(|Z_{D,D'}|>\varepsilon)<\delta$ for all $D\sim D'$ then $\mathcal M$ is $(\varepsilon,\delta)$-DP; and
    also if it is $\delta$."""
    rare = of_all_neighbours(lambda: (loss_is_larger(M, epsilon), "<=", delta))
    return when(*densities(M), rare, then=private(M, epsilon, delta))


@claim("TH-S2.1b/converse", in_kernel(loss_proofs.to_a_tail))
def approximate_privacy_makes_losses_rare(
    M: EveryMechanism, epsilon: Nonnegative, delta: Probability, margin: Positive
):
    r"""The converse up to a loss in the parameters: an $(\varepsilon,\delta)$-DP mechanism has
    $\Pr(|Z|>\varepsilon+\lambda)\,(1-e^{-\lambda})\le\delta\,(1+e^{-\varepsilon-\lambda})$ for every $\lambda>0$."""
    level = epsilon + margin
    allowed = delta * (1 + said.exp(-level))
    rare = of_all_neighbours(lambda: (loss_is_larger(M, level) * (1 - said.exp(-margin)), "<=", allowed))
    return when(*densities(M), symmetric_neighbours(), private(M, epsilon, delta), then=rare)


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


@claim("TH-S2.1c/moments", in_kernel(loss_proofs.moments_of_the_loss))
def moments_of_the_loss(M: EveryMechanism, rho: Nonnegative):
    r"""Under $\rho$-zCDP $\mathbb E[e^{(\alpha-1)Z}]\le e^{(\alpha-1)\alpha\rho}$ for all $\alpha>1$."""
    most = moments_of_the_loss_at_most(M, lambda order: said.exp((order - 1) * order * rho))
    return when(*densities(M), zcdp(M, rho), then=most)


@claim("TH-S2.1c/tail", in_kernel(loss_proofs.tail_of_the_loss))
def subgaussian_loss(M: EveryMechanism, rho: Positive, excess: Nonnegative):
    r"""Large values of the loss are as rare as of a Gaussian: $\Pr(Z>\rho+t)\le e^{-t^2/(4\rho)}$ for all $t\ge0$."""
    rare = of_all_neighbours(lambda: (loss_is_above(M, rho + excess), "<=", said.exp(-excess * excess / (4 * rho))))
    return when(*densities(M), zcdp(M, rho), then=rare)


@claim("TH-S2.1c/lower-tail", in_kernel(loss_proofs.lower_tail_of_the_loss))
def subgaussian_loss_below(M: EveryMechanism, rho: Positive, excess: Nonnegative):
    r"""Values of the loss far below zero are as rare as large ones: $\Pr(Z<\rho-t)\le e^{-t^2/(4\rho)}$ for all
    $t\ge2\rho$ (the excess is $t-2\rho$)."""
    away = excess + 2 * rho
    rare = of_all_neighbours(lambda: (loss_is_below(M, rho + excess), "<=", said.exp(-away * away / (4 * rho))))
    return when(*densities(M), symmetric_neighbours(), zcdp(M, rho), then=rare)


@claim("TH-S2.1c/mean", in_kernel(loss_proofs.mean_of_the_loss))
def small_mean_of_the_loss(M: EveryMechanism, rho: Nonnegative):
    r"""The mean of the loss, which is $D_{\rm KL}(\mathcal M_D\|\mathcal M_{D'})$, is at most $\rho$."""
    return when(zcdp(M, rho), then=kl_of_neighbours_at_most(M, rho))


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


@claim("TH-P2.6/worst-pair", in_kernel(divergence_proofs.randomised_response_is_worst))
def randomised_response_is_worst_of_all(M: EveryMechanism, epsilon: Nonnegative):
    r"""For no $\varepsilon$-DP mechanism does $\mathbb E_Q[(dP/dQ)^\alpha]$ exceed
    $\frac{e^{\alpha\varepsilon}+e^{(1-\alpha)\varepsilon}}{1+e^\varepsilon}$, its value for the two laws of randomised
    response."""

    def of_randomised_response(alpha):
        return (said.exp(alpha * epsilon) + said.exp((1 - alpha) * epsilon)) / (1 + said.exp(epsilon))

    worst = each_moment_at_most(M, of_randomised_response)
    return when(symmetric_neighbours(), private(M, epsilon), then=worst)


@claim("TH-P2.6/edge-no-budget", in_kernel(divergence_proofs.moments_of_pure))
def moments_of_every_pure_mechanism(M: EveryMechanism, epsilon: Nonnegative):
    r"""For no $\varepsilon$-DP mechanism does $\mathbb E_Q[(dP/dQ)^\alpha]$ exceed $e^{\alpha\varepsilon}$: for
    $\varepsilon=0$ every $D_\alpha$ is $0$."""
    return when(private(M, epsilon), then=each_moment_at_most(M, lambda alpha: said.exp(alpha * epsilon)))


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


@claim("TH-P2.6/zcdp-to-approximate", in_kernel(divergence_proofs.approximate_of_zcdp))
def every_zcdp_is_approximate(M: EveryMechanism, rho: Nonnegative, delta: AboveZero, root: Nonnegative):
    r"""If $\mathcal M$ is $\rho$-zCDP then it is $(\rho+2\sqrt{\rho\log(1/\delta)},\delta)$-DP for every
    $\delta\in(0,1]$.

    The root is the nonnegative number whose square is rho log(1/delta).
    """
    square = formula((root * root, "==", rho * said.log(1 / delta)))
    return when(square, zcdp(M, rho), then=private(M, rho + 2 * root, delta))
