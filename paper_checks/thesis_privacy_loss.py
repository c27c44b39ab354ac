"""Section 2.1.2 of the thesis: the privacy loss variable, its tail, and its moment generating function."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import inf
from typing import Any

from banditproof.paper_checks.bernoulli_dp_tools import EVERY_MECHANISM, RATIOS, finitely_many, numbered
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.privacy_regimes import settled
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_privacy_definitions import WITH_RATIO, Sides, events, probability, with_ratios
from banditproof.theory.enclosure import Enclosure
from banditproof.theory.numeric import absolute, exp, log, maximum, minimum, to_ball
from banditproof.verify.channels import Law, channel_delta, random_channel, zcdp_rho
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

# ----------------------------------------------------------------------------------------------------- Definition 2.5


def loss_of_normal_output(mu: Any, g: Any, factor: Any) -> Sides:
    """log of N(mu, 1) over N(0, 1) at the output mu + g of the first, g standard normal."""
    output = mu + g
    return output * output / 2 - (output - mu) ** 2 / 2, "==", factor * mu * mu / 2 + mu * g


def normal_output() -> SymbolicArgument:
    import sympy

    mu, g = sympy.symbols("mu g", real=True)
    return SymbolicArgument({"mu": mu, "g": g}, 0, "zero")


@claim(
    "TH-D2.5",
    r"The privacy loss of the Gaussian mechanism with $\mu=s_2/\sigma$ is $<factor>\frac{\mu^2}2+\mu g$ with $g$ "
    r"standard normal, so $Z\sim\mathcal N(\mu^2/2,\mu^2)$.",
    domain=Domain.of(mu="(-inf, inf)", g="(-inf, inf)"), constants={"factor": 1},
    mutations=[mutation("twice the mean", factor=2)], strongest="symbolic",
)  # fmt: skip
def loss_of_gaussian_noise(check: Check) -> None:
    check.symbolic(loss_of_normal_output, normal_output, routes=("log-ratio of densities", "normal variable"))


def loss_of_laplace_output(noise: Any, shift: Any, factor: Any) -> Sides:
    """log of Lap(0, 1) over Lap(shift, 1) at an output, in units of the scale, against s - 2 min(max(g, 0), s)."""
    return settled(absolute(noise - shift) - absolute(noise)), "==", (
        factor * shift - 2 * settled(minimum(maximum(noise, 0), shift))
    )  # fmt: skip


def far_below() -> SymbolicArgument:
    return _laplace_output(lambda u, v: (-u, v))


def in_between() -> SymbolicArgument:
    return _laplace_output(lambda u, v: (u, u + v))


def far_above() -> SymbolicArgument:
    return _laplace_output(lambda u, v: (u + v, v))


def _laplace_output(place: Any) -> SymbolicArgument:
    import sympy

    noise, shift = place(*sympy.symbols("u v", nonnegative=True))
    return SymbolicArgument({"noise": noise, "shift": shift}, 0, "zero")


@claim(
    "TH-D2.5/laplace",
    r"The privacy loss of Laplace noise of scale $b$ whose centre moves by $sb$ is $<factor>s-2\min\{\max\{g,0\},s\}$ "
    r"at the output $gb$, so that $|Z|\le s$.",
    domain=Domain.of(noise="(-inf, inf)", shift="[0, inf)"), role="part", constants={"factor": 1},
    mutations=[mutation("1 % more", factor="1.01")], strongest="symbolic",
)  # fmt: skip
def loss_of_laplace_noise(check: Check) -> None:
    routes = ("log-ratio of densities", "three pieces")
    above = check.domain.restrict(noise="[0, inf)")
    check.symbolic(loss_of_laplace_output, far_below, check.domain.restrict(noise="(-inf, 0]"), routes)
    check.symbolic(loss_of_laplace_output, in_between, above.restrict(where=["noise <= shift"]), routes)
    check.symbolic(loss_of_laplace_output, far_above, above.restrict(where=["noise >= shift"]), routes)


def mean_over_the_loss(mechanism: int, ratio: Fraction, factor: Any) -> Sides:
    """The largest M_D(A) - e^epsilon M_D'(A) over all events, against E[(1 - e^(epsilon - Z))^+] from the law of Z.

    The law of Z is that of f(o) with o drawn from M_D; it is infinite where M_D' vanishes.
    """
    channel, over_events, over_losses = numbered(mechanism), Fraction(0), Fraction(0)
    for a, b in channel.pairs():
        left, right = channel.laws[a], channel.laws[b]
        gains = (probability(left, event) - ratio * probability(right, event) for event in events(left))
        over_events = max(over_events, *gains)
        law: dict[Any, Fraction] = defaultdict(Fraction)
        for output, loss in ratios_of_outputs(left, right).items():
            law[loss] += left[output]
        excess = (p * max(Fraction(0), 1 - ratio / loss) if loss < inf else p for loss, p in law.items() if loss)
        over_losses = max(over_losses, sum(excess, Fraction(0)))
    return over_events, "==", factor * over_losses


@claim(
    "TH-D2.5/finite",
    r"For finite mechanisms, with $Z=+\infty$ where $\mathcal M_{D'}(o)=0$: the largest $\mathcal M_D(A)-e^\varepsilon"
    r"\mathcal M_{D'}(A)$ over events is $<factor>\,\mathbb E[(1-e^{\varepsilon-Z})^+]$.",
    domain=WITH_RATIO, role="part", constants={"factor": 1}, mutations=[mutation("factor 1.01", factor="1.01")],
    strongest="enumeration",
)  # fmt: skip
def loss_of_finite_mechanisms(check: Check) -> None:
    covers = finitely_many(check, "random channels").restrict(ratio=RATIOS)
    check.enumerate(
        mean_over_the_loss, with_ratios(check, 40), rational=True, covers=covers,
        routes=("all events", "law of the privacy loss"),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ the loss and pure DP


def ratios_of_outputs(left: Law, right: Law) -> dict[Any, Any]:
    """e^Z with Z the privacy loss, on the outputs that the first law can give."""
    return {o: p / right[o] if right[o] else inf for o, p in left.items() if p}


def loss_and_events(mechanism: int, factor: Any) -> Sides:
    """The largest e^|Z| over outputs of positive probability, against M_D(A)/M_D'(A) over all events."""
    channel = numbered(mechanism)
    of_outputs, of_events = Fraction(1), Fraction(1)
    for a, b in channel.pairs():
        left, right = channel.laws[a], channel.laws[b]
        for ratio in ratios_of_outputs(left, right).values():
            of_outputs = max(of_outputs, ratio, 1 / ratio)
        for event in events(left):
            p, q = probability(left, event), probability(right, event)
            of_events = max(of_events, p / q if q else inf if p else 1)
    return of_events, "==", of_outputs * factor


@claim(
    "TH-S2.1a",
    r"$\mathcal M$ is $\varepsilon$-DP iff $|Z_{D,D'}|\le\varepsilon$ almost surely for all $D\sim D'$: the largest "
    r"$\mathcal M_D(A)/\mathcal M_{D'}(A)$ over events is $<factor>$ times the largest $e^{|Z|}$.",
    domain=EVERY_MECHANISM, constants={"factor": 1}, mutations=[mutation("factor 1.01", factor="1.01")],
    strongest="enumeration",
)  # fmt: skip
def pure_privacy_as_a_bounded_loss(check: Check) -> None:
    """Outputs of probability zero under one data set only make both sides infinite."""
    points = [{"mechanism": s} for s in range(check.pick(40, 400))]
    check.enumerate(
        loss_and_events, points, rational=True, covers=finitely_many(check, "random channels"),
        routes=("all events", "single outputs"),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------ the loss and approximate DP


def chance_of_loss_above(channel: Any, ratio: Any) -> Fraction:
    """The largest Pr(|Z| > log ratio) over ordered neighbours."""
    worst = Fraction(0)
    for a, b in channel.pairs():
        left = channel.laws[a]
        outputs = ratios_of_outputs(left, channel.laws[b]).items()
        worst = max(worst, probability(left, [o for o, r in outputs if r > ratio or r * ratio < 1]))
    return worst


def delta_below_chance(mechanism: int, ratio: Fraction, factor: Any) -> Sides:
    channel = numbered(mechanism)
    return channel_delta(channel, ratio).value, "<=", factor * chance_of_loss_above(channel, ratio)


@claim(
    "TH-S2.1b/tail",
    r"If $\Pr(|Z_{D,D'}|>\varepsilon)<\delta$ for all $D\sim D'$ then $\mathcal M$ is "
    r"$(\varepsilon,<factor>\delta)$-DP.",
    domain=WITH_RATIO, constants={"factor": 1}, mutations=[mutation("half of delta", factor="1/2")],
    strongest="enumeration",
)  # fmt: skip
def tail_gives_approximate_privacy(check: Check) -> None:
    """The tight delta against the largest probability of a loss beyond epsilon; for no output is the loss undefined."""
    covers = finitely_many(check, "random channels").restrict(ratio=RATIOS)
    check.enumerate(
        delta_below_chance, with_ratios(check, 60), rational=True, covers=covers,
        routes=("hockey-stick divergence", "tail of the loss"),
    )  # fmt: skip


def chance_below_delta(mechanism: int, ratio: Fraction, more: Fraction, factor: Any) -> Sides:
    """Pr(|Z| > epsilon + lambda) <= delta (1 + e^-(epsilon + lambda))/(1 - e^-lambda), with more = e^lambda.

    On {Z > epsilon + lambda}: delta >= M_D - e^epsilon M_D' >= (1 - e^-lambda) M_D; the other tail has the mass of
    this one under the swapped pair, times at most e^-(epsilon + lambda).
    """
    channel = numbered(mechanism)
    allowed = (1 + 1 / (ratio * more)) / (1 - 1 / more) * channel_delta(channel, ratio).value
    return chance_of_loss_above(channel, ratio * more), "<=", factor * allowed


@claim(
    "TH-S2.1b/converse",
    r"The converse up to a loss in the parameters: an $(\varepsilon,\delta)$-DP mechanism has "
    r"$\Pr(|Z|>\varepsilon+\lambda)\le<factor>\delta\,\frac{1+e^{-\varepsilon-\lambda}}{1-e^{-\lambda}}$ for every "
    r"$\lambda>0$.",
    domain=WITH_RATIO.restrict(more="(1, inf)"), constants={"factor": 1},
    mutations=[mutation("a third", factor="1/3")], strongest="enumeration",
)  # fmt: skip
def converse_with_a_loss(check: Check) -> None:
    mores = [Fraction(11, 10), Fraction(2), Fraction(10)]
    points = [{**p, "more": m} for p in with_ratios(check) for m in mores]
    covers = finitely_many(check, "random channels").restrict(ratio=RATIOS, more=mores)
    check.enumerate(
        chance_below_delta, points, rational=True, covers=covers, routes=("tail of the loss", "hockey-stick divergence")
    )


@claim(
    "TH-S2.1b/converse-without-loss",
    r"The converse with the same parameters: an $(\varepsilon,\delta)$-DP mechanism has "
    r"$\Pr(|Z_{D,D'}|>\varepsilon)\le<factor>\delta$.",
    role="reading", domain=WITH_RATIO, constants={"factor": 1}, strongest="enumeration",
)  # fmt: skip
def converse_without_loss(check: Check) -> None:
    """Randomised response with a slightly larger budget exceeds the loss with its full probability of the truth."""
    check.counterexample(
        chance_below_delta_of_response, {"mechanism": "randomised response, e^budget 4", "ratio": Fraction(3)}, True
    )


def chance_below_delta_of_response(mechanism: str, ratio: Fraction, factor: Any) -> Sides:
    from banditproof.verify.channels import randomised_response

    channel = randomised_response(Fraction(mechanism.rpartition(" ")[2]))
    return chance_of_loss_above(channel, ratio), "<=", factor * channel_delta(channel, ratio).value


@claim(
    "TH-S2.1b/converse-of-randomised-response",
    r"For randomised response of budget $e^{\varepsilon_1}=<budget>$, $(\varepsilon,\delta)$-DP gives "
    r"$\Pr(|Z|>\varepsilon+\lambda)\le<factor>\delta\,\frac{1+e^{-\varepsilon-\lambda}}{1-e^{-\lambda}}$.",
    role="repair", repairs="TH-S2.1b/converse-without-loss", domain=Domain.of(ratio="[1, inf)", more="(1, inf)"),
    constants={"budget": 4, "factor": 1}, mutations=[mutation("a third", factor="1/3")], strongest="enumeration",
)  # fmt: skip
def converse_of_randomised_response(check: Check) -> None:
    grid = {"ratio": [Fraction(k, 4) for k in range(4, 20)], "more": [Fraction(k, 8) for k in range(9, 40)]}
    check.enumerate(response_tail, grid, rational=True, routes=("tail of the loss", "hockey-stick divergence"))


def response_tail(ratio: Fraction, more: Fraction, budget: Any, factor: Any) -> Sides:
    from banditproof.verify.channels import randomised_response

    channel = randomised_response(Fraction(budget))
    allowed = (1 + 1 / (ratio * more)) / (1 - 1 / more) * channel_delta(channel, ratio).value
    return chance_of_loss_above(channel, ratio * more), "<=", factor * allowed


parts_decide("TH-S2.1b", r"A small tail of $|Z|$ beyond $\varepsilon$ gives $(\varepsilon,\delta)$-DP, and conversely "
                         r"up to a small loss in the parameters.")  # fmt: skip

# -------------------------------------------------------------------------------------------------- the loss and zCDP

ORDERS = EVERY_MECHANISM.restrict(order="integer [2, inf)")


def moment_of_the_loss(mechanism: int, order: int, shift: int) -> Sides:
    """E_P e^((order - 1) Z) against E_Q (dP/dQ)^order, exactly."""
    channel = random_channel(mechanism, 1)
    left, right = channel.laws[(0,)], channel.laws[(1,)]
    losses = ratios_of_outputs(left, right)
    of_loss = sum((p * losses[o] ** (order - shift) for o, p in left.items()), Fraction(0))
    return of_loss, "==", sum((q * (left[o] / q) ** order for o, q in right.items()), Fraction(0))


@claim(
    "TH-S2.1c/moments",
    r"$\mathbb E[e^{(\alpha-<shift>)Z}]=\mathbb E_Q[(dP/dQ)^\alpha]$, so that $\rho$-zCDP reads "
    r"$\mathbb E[e^{(\alpha-1)Z}]\le e^{(\alpha-1)\alpha\rho}$.",
    domain=ORDERS, constants={"shift": 1}, mutations=[mutation("exponent alpha", shift=0)], strongest="enumeration",
)  # fmt: skip
def moments_of_the_loss(check: Check) -> None:
    points = [{"mechanism": s, "order": a} for s in range(check.pick(30, 300)) for a in (2, 3, 7)]
    check.enumerate(
        moment_of_the_loss, points, rational=True,
        covers=finitely_many(check, "random channels").restrict(order=[2, 3, 7]),
        routes=("moments of the loss", "Rényi moments"),
    )  # fmt: skip


def tail_of_the_loss(mechanism: int, excess: Any, factor: Any) -> Sides:
    """Pr(Z > rho + t) with t = excess sqrt(rho), against exp(-t^2/(4 rho)), rho the smallest of this pair."""
    channel = random_channel(mechanism, 1)
    left, right = channel.laws[(0,)], channel.laws[(1,)]
    rho = zcdp_rho(left, right, splits=20)
    threshold = Enclosure.from_ball(rho.ball() + to_ball(excess) * rho.ball().sqrt()).upper
    losses = {o: log(to_ball(r)) for o, r in ratios_of_outputs(left, right).items()}
    beyond = probability(left, [o for o, loss in losses.items() if not loss <= to_ball(threshold)])
    return to_ball(beyond), "<=", exp(-to_ball(factor) * to_ball(excess) ** 2 / 4)


@claim(
    "TH-S2.1c/tail",
    r"The loss is subgaussian with a small mean: $\Pr(Z>\rho+t)\le e^{-<factor>t^2/(4\rho)}$.",
    domain=EVERY_MECHANISM.restrict(excess="[0, inf)"), constants={"factor": 1},
    mutations=[mutation("ten times the exponent", factor=10)], strongest="enumeration",
)  # fmt: skip
def subgaussian_loss(check: Check) -> None:
    """Exact tails of random pairs, with t in units of the square root of an enclosed rho."""
    excesses = [Fraction(k, 8) for k in (0, 2, 4, 8, 12)]
    points = [{"mechanism": s, "excess": t} for s in range(check.pick(15, 200)) for t in excesses]
    check.enumerate(
        tail_of_the_loss, points, covers=finitely_many(check, "random channels").restrict(excess=excesses),
        routes=("tail of the loss", "Chernoff bound"),
    )  # fmt: skip


def chernoff_exponent(root: Any, deviation: Any, factor: Any) -> Sides:
    """With rho = root^2, t = 2 root deviation and alpha - 1 = deviation/root: (alpha - 1)(alpha rho - rho - t)."""
    alpha = 1 + deviation / root
    rho, t = root * root, 2 * root * deviation
    return (alpha - 1) * (alpha * rho - rho - t), "<=", -factor * t * t / (4 * rho)


def chernoff_argument(factor: Any) -> SymbolicArgument:
    import sympy

    root, deviation = sympy.Symbol("root", positive=True), sympy.Symbol("deviation", nonnegative=True)
    return SymbolicArgument({"root": root, "deviation": deviation}, (1 - factor) * deviation**2, "nonnegative")


@claim(
    "TH-S2.1c/exponent",
    r"Markov's inequality for $e^{(\alpha-1)Z}$ at $\alpha-1=t/(2\rho)$ has the exponent $-<factor>t^2/(4\rho)$.",
    role="step", domain=Domain.of(root="(0, inf)", deviation="[0, inf)"), constants={"factor": 1},
    mutations=[mutation("1 % more", factor="1.01")], strongest="symbolic",
)  # fmt: skip
def exponent_of_the_tail(check: Check) -> None:
    check.symbolic(chernoff_exponent, chernoff_argument, routes=("exponent at one order", "square over 4 rho"))


parts_decide("TH-S2.1c", r"$\rho$-zCDP bounds the moment generating function of the privacy loss, which is therefore "
                         r"subgaussian with a small mean.")  # fmt: skip
