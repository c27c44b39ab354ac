r"""Proposition 2.6 of the thesis: pure privacy implies zCDP, and zCDP implies approximate privacy.

The pair of laws with likelihood ratio in [e^-epsilon, e^epsilon] and the largest Rényi divergences is randomised
response, for which

    (alpha - 1) D_alpha = g(x) - g(y),  g = log cosh,  x = (alpha - 1/2) epsilon,  y = epsilon/2,

and alpha (alpha - 1) epsilon^2 = x^2 - y^2. So the first part says that x^2/2 - g(x) does not fall from y to x.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_composition import renyi_moment
from banditproof.paper_checks.bernoulli_dp_tools import EVERY_MECHANISM, finitely_many
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_privacy_definitions import Sides
from banditproof.theory.noise_calibration import gaussian_delta
from banditproof.theory.numeric import exp, expm1, log, log1p, sqrt, to_ball
from banditproof.theory.privacy_conversions import sharp_zcdp_of_pure
from banditproof.verify.channels import likelihood_ratio, random_channel, randomised_response, zcdp_rho
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

# ------------------------------------------------------------------------------------------------------ pure DP to zCDP

KNOTS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


def log_cosh(x: Any) -> Any:
    """log cosh x for x >= 0, without overflow."""
    return x + log1p(expm1(-2 * x) / 2)


def tanh_ratio(x: Any) -> Any:
    """tanh(x)/x for an exact x > 0, which falls from 1 to 0."""
    return to_ball(0) if not x.is_finite() else x.tanh() / x


def normalised_slope(low: Any, high: Any, gap: Any) -> Any:
    """The range over [low, high] of (gap + 1 - tanh(x)/x) (1 + 1/x^2), of the sign of d(c x^2 - log cosh x)/d(x^2).

    gap = 2 c - 1, so 0 for the printed c = 1/2. Near zero (1 - tanh(x)/x)/x^2 lies between sech(x)^4/3 and 1/3, since
    1 - tanh(x)/x is the mean of tanh^2 over [0, x] and tanh(u)/u >= sech(u)^2; elsewhere the first factor rises and
    the second falls.
    """
    inner = [to_ball(k) for k in KNOTS if to_ball(k) > low and to_ball(k) < high]
    ends, result = [low, *inner, high], None
    for a, b in zip(ends, ends[1:], strict=False):
        if b <= KNOTS[0]:
            rise = to_ball(1) / 3 / b.cosh() ** 4
            piece = (rise.union(to_ball(1) / 3)) * (1 + a.union(b) ** 2)
        else:
            at_a, at_b = 1 + 1 / (a * a), to_ball(1) if not b.is_finite() else 1 + 1 / (b * b)
            piece = ((1 - tanh_ratio(a)) * at_b).union((1 - tanh_ratio(b)) * at_a)
        if not gap.is_zero():
            piece += gap * (1 + 1 / a.union(b) ** 2)
        result = piece if result is None else result.union(piece)
    return result


def pure_to_zcdp(epsilon: Any, alpha: Any, share: Any) -> Sides:
    """(alpha - 1) D_alpha of randomised response against (alpha - 1) share alpha epsilon^2.

    At a point both sides; on a box, by the mean value theorem in x^2, the normalised slope between y and x against 0.
    """
    epsilon, alpha, share = to_ball(epsilon), to_ball(alpha), to_ball(share)
    y, x = epsilon / 2, (2 * alpha - 1) * epsilon / 2
    if x.is_finite() and x.rad() < 2.0**-40:
        return (log_cosh(x) - log_cosh(y)), "<=", (alpha - 1) * share * alpha * epsilon * epsilon
    low = y.lower() if y.lower() > 0 else to_ball(0)
    high = x.upper() if x.is_finite() else x.pos_inf()
    return 0, "<=", normalised_slope(low, high, 2 * share - 1)


@claim(
    "TH-P2.6/randomised-response",
    r"$D_\alpha\le<share>\alpha\varepsilon^2$ for the two laws of randomised response of budget $\varepsilon$, in both "
    r"orders.",
    domain=Domain.of(epsilon="(0, inf)", alpha="(1, inf)"), constants={"share": "1/2"},
    mutations=[mutation("share 0.49", share="0.49"), mutation("share 0.4", share="2/5")], strongest="interval",
)  # fmt: skip
def zcdp_of_randomised_response(check: Check) -> None:
    """One box for all budgets and orders in mean value form; at points where a mutation breaks it, both sides."""
    grid = [{"epsilon": Fraction(e), "alpha": Fraction(a)} for e in ("1/100", "1/4", 1, 5) for a in ("1.01", 2, 30)]
    if check.search(pure_to_zcdp, grid):
        return
    substitutions = {"epsilon": ("s", "[0, 1]", "s/(1 - s)"), "alpha": ("r", "[0, 1]", "1/r")}
    check.interval(
        pure_to_zcdp, substitutions=substitutions, boxes=50, routes=("log-cosh form of the divergence", "mean values")
    )


def chord_of_a_power(mechanism: int, order: int, factor: Any) -> Sides:
    """The Rényi moment of a random pair against the one of randomised response with the same largest ratio.

    t^order is convex, so below its chord over [1/r, r], and the likelihood ratio has mean one under the second law.
    """
    channel = random_channel(mechanism, 1)
    left, right = channel.laws[(0,)], channel.laws[(1,)]
    ratio = max(Fraction(likelihood_ratio(left, right)[0]), Fraction(likelihood_ratio(right, left)[0]))
    worst = randomised_response(ratio)
    return renyi_moment(left, right, order), "<=", factor * renyi_moment(worst.laws[(0,)], worst.laws[(1,)], order)


@claim(
    "TH-P2.6/worst-pair",
    r"Among $\varepsilon$-DP mechanisms randomised response has the largest Rényi divergences: "
    r"$\mathbb E_Q[(dP/dQ)^\alpha]$ is at most $<factor>$ times its value.",
    domain=EVERY_MECHANISM.restrict(order="integer [2, inf)"), constants={"factor": 1},
    mutations=[mutation("half", factor="1/2")], strongest="enumeration",
)  # fmt: skip
def randomised_response_is_worst(check: Check) -> None:
    points = [{"mechanism": s, "order": a} for s in range(check.pick(40, 400)) for a in (2, 3, 9)]
    check.enumerate(
        chord_of_a_power, points, rational=True,
        covers=finitely_many(check, "random pairs of laws").restrict(order=[2, 3, 9]),
        routes=("moment of a random pair", "moment of randomised response"),
    )  # fmt: skip


def sharp_rho(epsilon: Any, factor: Any) -> Sides:
    """Branch and bound over the orders against epsilon tanh(epsilon/2), for rational e^epsilon."""
    ratio = Fraction(epsilon)
    law = randomised_response(ratio).laws
    rho = zcdp_rho(law[(0,)], law[(1,)], splits=60)
    sharp = to_ball(factor) * sharp_zcdp_of_pure(log(to_ball(ratio)))
    return abs(rho.ball() - sharp) / sharp, "<=", Fraction(1, 20)


@claim(
    "TH-P2.6/sharp",
    r"The smallest $\rho$ of $\varepsilon$-DP mechanisms is $<factor>\varepsilon\tanh(\varepsilon/2)$, up to five per "
    r"cent of enclosure (the variable is $e^\varepsilon$).",
    role="remark", domain=Domain.of(epsilon="(1, inf)"), constants={"factor": 1},
    mutations=[mutation("factor 1.2", factor="1.2")], strongest="enumeration",
)  # fmt: skip
def sharp_conversion(check: Check) -> None:
    check.enumerate(
        sharp_rho, {"epsilon": ["11/10", "3/2", "4", "50"]}, rational=True,
        routes=("branch and bound over the orders", "closed form"),
    )  # fmt: skip


# ----------------------------------------------------------------------------------------------- zCDP to approximate DP

CONVERSION = EVERY_MECHANISM.restrict(delta="(0, 1]")  # rho is the mechanism's own


def converted_delta(mechanism: int, delta: Any, factor: Any) -> Sides:
    """The exact delta of a random pair at the epsilon of its smallest rho (the upper end of an enclosure)."""
    channel = random_channel(mechanism, 1)
    left, right = channel.laws[(0,)], channel.laws[(1,)]
    rho = to_ball(zcdp_rho(left, right, splits=20).upper)
    steepness = exp(rho + to_ball(factor) * sqrt(rho * log(1 / to_ball(delta))))
    excess = (to_ball(p) - steepness * to_ball(right[o]) for o, p in left.items())
    return sum((value.max(to_ball(0)) for value in excess), to_ball(0)), "<=", delta


def order_exponent(root: Any, depth: Any, factor: Any = 2) -> Sides:
    """With rho = root^2, log(1/delta) = depth^2, alpha - 1 = depth/root: Markov's exponent is at most log(delta)."""
    alpha = 1 + depth / root
    epsilon = root * root + factor * root * depth
    return (alpha - 1) * (alpha * root * root - epsilon), "<=", -depth * depth


def order_argument(factor: Any = 2) -> SymbolicArgument:
    import sympy

    root, depth = sympy.Symbol("root", positive=True), sympy.Symbol("depth", nonnegative=True)
    return SymbolicArgument({"root": root, "depth": depth}, (factor - 2) * depth**2, "nonnegative")


EXPONENT = derivation(
    [fact(order_exponent, Domain.of(root="(0, inf)", depth="[0, inf)"), order_argument)],
    "the hockey-stick divergence is at most Pr(Z > epsilon) (TH-S2.1b), which Markov's inequality for e^((alpha-1) Z) "
    "bounds by the exponential of this exponent (TH-S2.1c); for rho = 0 the laws are equal",
)


@claim(
    "TH-P2.6/zcdp-to-approximate",
    r"If $\mathcal M$ is $\rho$-zCDP then it is $(\rho+<factor>\sqrt{\rho\log(1/\delta)},\delta)$-DP for every "
    r"$\delta\in(0,1]$.",
    domain=CONVERSION, constants={"factor": 2}, mutations=[mutation("factor 1/2", factor="1/2")],
    strongest="certificate",
)  # fmt: skip
def zcdp_implies_approximate(check: Check) -> None:
    deltas = [Fraction(1), Fraction(1, 2), Fraction(1, 10), Fraction(1, 10**6)]
    points = [{"mechanism": s, "delta": d} for s in range(check.pick(25, 300)) for d in deltas]
    covers = finitely_many(check, "random channels").restrict(delta=deltas)
    if check.enumerate(converted_delta, points, covers=covers, routes=("exact delta", "printed delta")):
        check.certificate(facts_hold, EXPONENT, routes=("exponent of Markov's inequality", "log delta"))


def gaussian_at_printed_epsilon(rho: Any, delta: Any, factor: Any) -> Sides:
    rho, delta = to_ball(rho), to_ball(delta)
    return gaussian_delta(sqrt(2 * rho), rho + to_ball(factor) * sqrt(rho * log(1 / delta))), "<=", delta


@claim(
    "TH-P2.6/gaussian-noise",
    r"The exact $\delta$ of Gaussian noise with $\mu=\sqrt{2\rho}$ at $\rho+<factor>\sqrt{\rho\log(1/\delta)}$ is at "
    r"most $\delta$.",
    role="remark", domain=Domain.of(rho="(0, inf)", delta="(0, 1]"), constants={"factor": 2},
    mutations=[mutation("factor 3/2", factor="3/2"), mutation("factor 1", factor=1)], strongest="enumeration",
)  # fmt: skip
def conversion_of_gaussian_noise(check: Check) -> None:
    grid = {
        "rho": ["1/1000000", "1/100", "1/2", "3", "100"],
        "delta": [Fraction(1, 10**k) for k in (300, 20, 5, 1)] + [Fraction(1, 2), Fraction(99, 100), Fraction(1)],
    }
    check.enumerate(gaussian_at_printed_epsilon, grid, routes=("exact curve of Gaussian noise", "printed delta"))


parts_decide(
    "TH-P2.6",
    r"$\varepsilon$-DP implies $\frac12\varepsilon^2$-zCDP, and $\rho$-zCDP implies "
    r"$(\rho+2\sqrt{\rho\log(1/\delta)},\delta)$-DP.",
)


def radicand(rho: Any, delta: Any, sign: Any) -> Sides:
    return 0, "<=", sign * rho * log(1 / delta)


@claim(
    "TH-P2.6/any-delta",
    r"'For any $\delta>0$': the number $<sign>\rho\log(1/\delta)$ under the root is not negative.",
    role="reading", domain=Domain.of(rho="[0, inf)", delta="(0, inf)"), constants={"sign": 1}, strongest="symbolic",
)  # fmt: skip
def root_for_any_delta(check: Check) -> None:
    """For delta > 1, which is no delta of Definition 2.3, the logarithm is negative."""
    check.counterexample(radicand, {"rho": Fraction(1), "delta": Fraction(2)})


def radicand_argument(sign: Any) -> SymbolicArgument:
    import sympy

    rho, depth = sympy.symbols("rho depth", nonnegative=True)
    return SymbolicArgument({"rho": rho, "delta": sympy.exp(-depth)}, sign * rho * depth, "nonnegative")


@claim(
    "TH-P2.6/delta-up-to-one",
    r"For $0<\delta\le1$ the number $<sign>\rho\log(1/\delta)$ under the root is not negative.",
    role="repair", repairs="TH-P2.6/any-delta", domain=Domain.of(rho="[0, inf)", delta="(0, 1]"), constants={"sign": 1},
    mutations=[mutation("log(delta)", sign=-1)], strongest="symbolic",
)  # fmt: skip
def root_for_probabilities(check: Check) -> None:
    check.symbolic(radicand, radicand_argument)
