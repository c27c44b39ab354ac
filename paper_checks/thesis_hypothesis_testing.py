"""Section 2.1.2 and Remark 2.33 of the thesis: privacy as a constraint on the errors of a hypothesis test."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_tools import RATIOS, finitely_many, numbered
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation
from banditproof.paper_checks.thesis_privacy_definitions import WITH_RATIO, Sides, events, probability, with_ratios
from banditproof.theory.numeric import exp
from banditproof.theory.trade_off import TestingRegion, trade_off_curve
from banditproof.verify.channels import channel_delta
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

# --------------------------------------------------------------------------------------------------------- Theorem 2.4

TESTS = Domain.of(kept="[0, 1]", kept_other="[0, 1]", epsilon="(0, inf)", delta="[0, 1]")


def slack_of_the_test(kept: Any, kept_other: Any, epsilon: Any, delta: Any, factor: Any) -> Sides:
    """P_FA + e^epsilon P_MD - (1 - delta) against delta + e^epsilon M_D'(A) - M_D(A), A the complement of S.

    kept = M_D(A) and kept_other = M_D'(A); all ordered pairs and all regions are meant.
    """
    false_alarm, missed = 1 - kept, kept_other
    return false_alarm + exp(epsilon) * missed - (1 - factor * delta), "==", (
        delta + exp(epsilon) * kept_other - kept
    )  # fmt: skip


def slack_of_the_second_test(kept: Any, kept_other: Any, epsilon: Any, delta: Any, factor: Any) -> Sides:
    """(2.4): e^epsilon P_FA + P_MD - (1 - delta) against delta + e^epsilon M_D(S) - M_D'(S), A the complement of S.

    The right side is that of the definition for the swapped pair at the rejection region itself.
    """
    false_alarm, missed = 1 - kept, kept_other
    return exp(epsilon) * false_alarm + missed - (1 - factor * delta), "==", (
        delta + exp(epsilon) * (1 - kept) - (1 - kept_other)
    )  # fmt: skip


def share(name: str) -> Any:
    """An expression that reaches all of [0, 1], both ends included."""
    import sympy

    part, rest = sympy.symbols(f"{name}_part {name}_rest", nonnegative=True)
    return part / (part + rest)


def test_argument() -> SymbolicArgument:
    import sympy

    epsilon = sympy.Symbol("epsilon", positive=True)
    shares = {name: share(name) for name in ("kept", "kept_other", "delta")}
    return SymbolicArgument({**shares, "epsilon": epsilon}, 0, "zero")


@claim(
    "TH-T2.4",
    r"$\mathcal M$ is $(\varepsilon,\delta)$-DP iff $P_{FA}+e^\varepsilon P_{MD}\ge1-<factor>\delta$ and "
    r"$e^\varepsilon P_{FA}+P_{MD}\ge1-<factor>\delta$ for all regions $S$: the first inequality, (2.3), has the slack "
    r"$\delta+e^\varepsilon\mathcal M_{D'}(A)-\mathcal M_D(A)$ of the definition at $A=\bar S$.",
    domain=TESTS, constants={"factor": 1}, mutations=[mutation("factor 0.99", factor="0.99")], strongest="symbolic",
)  # fmt: skip
def testing_form(check: Check) -> None:
    """Region by region the two forms are one inequality; the ends delta = 0 and delta = 1 are no exceptions."""
    check.symbolic(slack_of_the_test, test_argument, routes=("inequality on errors", "inequality on events"))


@claim(
    "TH-T2.4/second-inequality",
    r"(2.4), $e^\varepsilon P_{FA}+P_{MD}\ge1-<factor>\delta$, has the slack $\delta+e^\varepsilon\mathcal M_D(S)-"
    r"\mathcal M_{D'}(S)$ of the definition for the swapped pair at the event $S$.",
    domain=TESTS, constants={"factor": 1}, mutations=[mutation("factor 0.99", factor="0.99")], strongest="symbolic",
)  # fmt: skip
def second_inequality(check: Check) -> None:
    check.symbolic(slack_of_the_second_test, test_argument, routes=("inequality on errors", "inequality on events"))


@claim(
    "TH-T2.4/budget-zero",
    r"The equivalence holds at $\varepsilon=0$ as well, where (2.3) and (2.4) are one; Definition 2.3 permits it, the "
    r"theorem leaves it out.",
    role="remark", domain=TESTS.restrict(epsilon=[0]), constants={"factor": 1},
    mutations=[mutation("factor 0.99", factor="0.99")], strongest="symbolic",
)  # fmt: skip
def testing_form_without_budget(check: Check) -> None:
    check.symbolic(slack_of_the_test, test_argument_at_zero)


def test_argument_at_zero() -> SymbolicArgument:
    import sympy

    shares = {name: share(name) for name in ("kept", "kept_other", "delta")}
    return SymbolicArgument({**shares, "epsilon": sympy.Integer(0)}, 0, "zero")


def least_delta_of_tests(mechanism: int, ratio: Fraction, factor: Any) -> Sides:
    """The least delta with which every region satisfies both inequalities, against the tight delta."""
    channel, needed = numbered(mechanism), Fraction(0)
    for a, b in channel.pairs():
        for region in events(channel.laws[a]):
            false_alarm, missed = probability(channel.laws[a], region), 1 - probability(channel.laws[b], region)
            needed = max(needed, 1 - false_alarm - ratio * missed, 1 - ratio * false_alarm - missed)
    return needed, "==", factor * channel_delta(channel, ratio).value


@claim(
    "TH-T2.4/all-regions",
    r"The least $\delta$ with which all $2^{|\mathcal O|}$ rejection regions satisfy (2.3) and (2.4) is $<factor>$ "
    r"times the least $\delta$ of $(\varepsilon,\delta)$-DP.",
    role="step", domain=WITH_RATIO, constants={"factor": 1}, mutations=[mutation("factor 0.99", factor="0.99")],
    strongest="enumeration",
)  # fmt: skip
def regions_of_random_mechanisms(check: Check) -> None:
    covers = finitely_many(check, "random channels").restrict(ratio=RATIOS)
    check.enumerate(
        least_delta_of_tests, with_ratios(check), rational=True, covers=covers,
        routes=("all rejection regions", "hockey-stick divergence"),
    )  # fmt: skip


def both_lines_at_the_corner(epsilon: Any, delta: Any, factor: Any) -> Sides:
    corner = TestingRegion(exp(epsilon), delta).corner
    return corner + exp(epsilon) * corner, "==", 1 - factor * delta


def corner_argument() -> SymbolicArgument:
    import sympy

    return SymbolicArgument({"epsilon": sympy.Symbol("epsilon", positive=True), "delta": share("delta")}, 0, "zero")


@claim(
    "TH-T2.4/figure-2.1",
    r"In Figure 2.1 the two lines, of slopes $-e^\varepsilon$ and $-e^{-\varepsilon}$, cross at "
    r"$P_{FA}=P_{MD}=\frac{1-<factor>\delta}{1+e^\varepsilon}$.",
    role="figure", domain=Domain.of(epsilon="(0, inf)", delta="[0, 1]"), constants={"factor": 1},
    mutations=[mutation("factor 1/2", factor="1/2")], strongest="symbolic",
)  # fmt: skip
def corner_of_the_region(check: Check) -> None:
    check.symbolic(both_lines_at_the_corner, corner_argument, routes=("a line at the corner", "right side of (2.3)"))


# ------------------------------------------------------------------------------------------------------- Remark 2.33


def trade_off_of_every_pair(mechanism: int, ratio: Fraction, factor: Any) -> Sides:
    """The least delta such that T(M_D, M_D') lies above f_{epsilon,delta} for all pairs, against the tight delta."""
    channel = numbered(mechanism)
    curves = (trade_off_curve(channel.laws[a], channel.laws[b]) for a, b in channel.pairs())
    return max(curve.least_delta(ratio) for curve in curves), "==", factor * channel_delta(channel, ratio).value


@claim(
    "TH-R2.33",
    r"$(\varepsilon,\delta)$-DP is $f_{\varepsilon,\delta}$-DP: the least $\delta$ with "
    r"$T(\mathcal M_D,\mathcal M_{D'})\ge f_{\varepsilon,\delta}$ for all neighbours is $<factor>$ times the least "
    r"$\delta$ of $(\varepsilon,\delta)$-DP.",
    domain=WITH_RATIO, constants={"factor": 1}, mutations=[mutation("factor 0.99", factor="0.99")],
    strongest="enumeration",
)  # fmt: skip
def privacy_as_a_trade_off(check: Check) -> None:
    """Exact piecewise linear curves, randomised tests included; a curve meets a line first at one of its vertices."""
    covers = finitely_many(check, "random channels").restrict(ratio=RATIOS)
    check.enumerate(
        trade_off_of_every_pair, with_ratios(check), rational=True, covers=covers,
        routes=("exact trade-off curves", "hockey-stick divergence"),
    )  # fmt: skip


def curve_of_the_canonical_pair(alpha: Any, delta: Any, ratio: Any, factor: Any) -> Sides:
    """The pair that reveals its bit with probability delta and else answers by randomised response: T equals f."""
    truth = (1 - delta) * ratio / (1 + ratio)
    first = {"0!": delta, "0": truth, "1": 1 - delta - truth}
    second = {"1!": delta, "0": 1 - delta - truth, "1": truth}
    steep, flat = 1 - delta - ratio * alpha, (1 - delta - alpha) / ratio
    return trade_off_curve(first, second).value(alpha) * factor, "==", max(Fraction(0), steep, flat)


@claim(
    "TH-R2.33/attained",
    r"$f_{\varepsilon,\delta}=<factor>\,T(P,Q)$ for the laws $P,Q$ of a bit that is revealed with probability $\delta$ "
    r"and else passed through randomised response.",
    role="remark", domain=Domain.of(alpha="[0, 1]", ratio="[1, inf)", delta="[0, 1)"), constants={"factor": 1},
    mutations=[mutation("factor 1.01", factor="1.01")], strongest="enumeration",
)  # fmt: skip
def trade_off_is_attained(check: Check) -> None:
    grid = {
        "alpha": [Fraction(k, 12) for k in range(13)],
        "ratio": RATIOS,
        "delta": ["0", "1/100", "1/3", "9/10"],
    }
    check.enumerate(
        curve_of_the_canonical_pair, grid, rational=True, routes=("exact trade-off curve", "formula (2.30)")
    )
