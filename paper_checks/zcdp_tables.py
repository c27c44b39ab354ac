r"""Tables I and II of the zCDP paper, rows of finite arms: rates, how far apart they are, and the converted bounds.

The rows of linear and contextual bandits are open parts. Logarithms of the horizon are variables, so that
products and roots of counts can be compared symbolically; inequalities between positive numbers are squared.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.open_parts import open_part
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.two_environments import positive
from banditproof.theory.numeric import log, maximum, minimum, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]

# -------------------------------------------------------------------------------------------------- Table I, first row

parts_decide(
    "ZCDP-TB1",
    r"Table I: finite arms $O(\sqrt{KT\log T})+O(\frac K{\sqrt\rho}\sqrt{\log T})$ above and $\Omega(\max(\sqrt{KT},"
    r"\sqrt{K/\rho}))$ below; linear and contextual bandits (parts of their own).",
)
NOT_YET = "rests on Theorems 4, 5 and 9, on linear and contextual bandits, which have no claims yet"
open_part("ZCDP-TB1/other-settings", "Table I: the rows of linear and of contextual bandits.", NOT_YET)
RATES = Domain.of(arms="(0, inf)", horizon="(0, inf)", log_horizon="(0, inf)",
                  where=["horizon >= arms", "2*log_horizon >= 1"])  # fmt: skip


def constant_term(arms: Any, horizon: Any, log_horizon: Any, factor: Any) -> Sides:
    """3 K, which bounds 3 sum of the gaps, against factor sqrt(K T log T), both squared (beta/(beta - 3) left out)."""
    return (3 * arms) ** 2, "<=", factor**2 * arms * horizon * log_horizon


def constant_term_argument(factor: Any) -> SymbolicArgument:
    import sympy

    K, more, extra = positive("K"), sympy.Symbol("m", nonnegative=True), sympy.Symbol("l", nonnegative=True)
    T, L = K + more, sympy.Rational(1, 2) + extra
    certificate = factor**2 * K * (more * L + K * extra) + (factor**2 / sympy.S(2) - 9) * K**2
    return SymbolicArgument({"arms": K, "horizon": T, "log_horizon": L}, certificate, "nonnegative")


@claim(
    "ZCDP-TB1/finite-arms-above",
    r"The explicit bound in the proof of Theorem 11 has the rate of the table: for $T\ge\max(K,2)$ its last term is at "
    r"most $\frac\beta{\beta-3}<factor>\sqrt{KT\log T}$, the others are the two printed rates.",
    domain=RATES, constants={"factor": 5}, mutations=[mutation("factor 4", factor=4)], strongest="symbolic",
)  # fmt: skip
def finite_arms_above(check: Check) -> None:
    """log T >= log 2 > 1/2. For T < K nothing is to be shown: Reg_T <= T <= sqrt(KT)."""
    tight = {"arms": Fraction(1), "horizon": Fraction(1), "log_horizon": Fraction(1, 2)}
    if not check.search(constant_term, [tight], rational=True):
        check.symbolic(constant_term, constant_term_argument, routes=("last term", "rate of the table"))


def arms_less_one(arms: Any, quotient: Any) -> Sides:
    """sqrt(K - 1)/124 >= sqrt(K)/quotient, squared; the non-private term has 27 for 124."""
    return quotient**2 * (arms - 1), ">=", 124**2 * arms


def arms_less_one_argument(quotient: Any) -> SymbolicArgument:
    import sympy

    k = sympy.Symbol("k", integer=True, nonnegative=True)
    certificate = (quotient**2 - 124**2) * k + quotient**2 - 2 * 124**2
    return SymbolicArgument({"arms": k + 2}, certificate, "nonnegative")


@claim(
    "ZCDP-TB1/finite-arms-below",
    r"Theorem 17 gives $\mathrm{Reg}\ge\frac1{<quotient>}\max(\sqrt{KT},\sqrt{K/\rho})$ for $K\ge2$.",
    domain=Domain.of(arms="integer [2, inf)"), constants={"quotient": 176}, mutations=[mutation("175", quotient=175)],
    strongest="symbolic",
)  # fmt: skip
def finite_arms_below(check: Check) -> None:
    if not check.search(arms_less_one, [{"arms": 2}], rational=True):
        check.symbolic(arms_less_one, arms_less_one_argument, routes=("K - 1 arms", "K arms"))


# ---------------------------------------------------------------------------------------------- how far apart they are

parts_decide(
    "ZCDP-S3",
    "The regret lower bounds show the algorithms to be optimal up to poly-logarithmic factors: for a given number of "
    "arms, the ratio of the bounds of the first row of Table I (the other rows are parts of their own).",
)
open_part("ZCDP-S3/other-settings", "The same for the other rows of Table I that have a lower bound.", NOT_YET)
FIXED_ARMS = Domain.of(arms="integer [2, inf)", log_horizon="(0, inf)")


def free_terms(arms: Any, log_horizon: Any, factor: Any) -> Sides:
    """(4 sqrt(2 beta K T L))^2 against (factor sqrt(beta L) sqrt(T (K - 1))/27)^2, both over beta T."""
    return 32 * arms * log_horizon, "<=", factor**2 * log_horizon * (arms - 1) / 27**2


def free_terms_argument(factor: Any) -> SymbolicArgument:
    import sympy

    k, L = sympy.Symbol("k", integer=True, nonnegative=True), positive("L")
    certificate = L * ((factor**2 / sympy.S(729) - 32) * k + factor**2 / sympy.S(729) - 64)
    return SymbolicArgument({"arms": k + 2, "log_horizon": L}, certificate, "nonnegative")


@claim(
    "ZCDP-S3/finite-arms-free-term",
    r"$4\sqrt{2\beta KT\log T}\le<factor>\sqrt{\beta\log T}\cdot\frac1{27}\sqrt{T(K-1)}$.",
    domain=FIXED_ARMS, constants={"factor": 216}, mutations=[mutation("215", factor=215)], strongest="symbolic",
)  # fmt: skip
def gap_of_the_free_terms(check: Check) -> None:
    if not check.search(free_terms, [{"arms": 2, "log_horizon": Fraction(1)}]):
        check.symbolic(free_terms, free_terms_argument, routes=("upper bound", "lower bound"))


def private_terms(arms: Any, log_horizon: Any, factor: Any) -> Sides:
    """(8 K sqrt(beta L/rho))^2 against (factor sqrt(beta K L) sqrt((K - 1)/rho)/124)^2, both times rho/(beta K)."""
    return 64 * arms * log_horizon, "<=", factor**2 * log_horizon * (arms - 1) / 124**2


def private_terms_argument(factor: Any) -> SymbolicArgument:
    import sympy

    k, L = sympy.Symbol("k", integer=True, nonnegative=True), positive("L")
    ratio = factor**2 / sympy.S(124**2)
    return SymbolicArgument({"arms": k + 2, "log_horizon": L}, L * ((ratio - 64) * k + ratio - 128), "nonnegative")


PRIVATE_GAP: dict[str, Any] = {
    "domain": FIXED_ARMS,
    "constants": {"factor": 1403},
    "mutations": [mutation("1402", factor=1402)],
    "strongest": "symbolic",
}


@claim(
    "ZCDP-S3/up-to-the-root-of-the-arms",
    r"$8K\sqrt{\beta\log(T)/\rho}\le<factor>\sqrt{\beta K\log T}\cdot\frac1{124}\sqrt{\frac{K-1}\rho}$: uniformly in "
    r"$K$, up to a factor $\sqrt{K\log T}$.",
    role="repair", repairs="ZCDP-S3/uniformly-in-the-arms", **PRIVATE_GAP,
)  # fmt: skip
@claim(
    "ZCDP-S3/finite-arms-private-term",
    r"For a given $K$: $8K\sqrt{\beta\log(T)/\rho}\le<factor>\sqrt{\beta K\log T}\cdot\frac1{124}\sqrt{\frac{K-1}"
    r"\rho}$.",
    **PRIVATE_GAP,
)  # fmt: skip
def gap_of_the_private_terms(check: Check) -> None:
    if not check.search(private_terms, [{"arms": 2, "log_horizon": Fraction(1)}]):
        check.symbolic(private_terms, private_terms_argument, routes=("upper bound", "lower bound"))


def poly_logarithmic(horizon: int, arms: int, rho: Any, constant: Any, power: int) -> Sides:
    """The better of T and the explicit upper bound at beta = 4, against the lower bound times constant log^power."""
    T, K, L = to_ball(horizon), to_ball(arms), log(to_ball(horizon))
    upper = minimum(T, 4 * sqrt(8 * K * T * L) + 8 * K * sqrt(4 * L / rho) + 12 * K)
    lower = maximum(sqrt(T * (K - 1)) / 27, sqrt((K - 1) / rho) / 124)
    return upper, "<=", to_ball(constant) * L**power * lower


@claim(
    "ZCDP-S3/uniformly-in-the-arms",
    r"Uniformly in $K$, $T$ and $\rho$ the upper bound (or $T$, if smaller) is at most $<constant>(\log T)^{<power>}$ "
    "times the lower bound.",
    role="reading",
    domain=Domain.of(horizon="integer [2, inf)", arms="integer [2, inf)", rho="(0, 1]", where=["horizon >= arms"]),
    constants={"constant": 1000, "power": 2}, strongest="enumeration",
)  # fmt: skip
def uniformly_in_the_arms(check: Check) -> None:
    """The private terms differ by sqrt(K log T), and K may be a power of T: no constant and no power will do."""
    K, T = 10**15, 10**45
    check.counterexample(poly_logarithmic, {"horizon": T, "arms": K, "rho": Fraction(10**7 * K**2, T**2)})


# ------------------------------------------------------------------------------------------------------------ Table II

parts_decide(
    "ZCDP-TB2",
    r"Table II, finite arms: the private part with $\sqrt{\log T}$ against $\log T$ in the bounds converted from pure "
    r"DP "
    r"by $\epsilon=\sqrt{2\rho}$ (the other rows are parts of their own).",
)
open_part("ZCDP-TB2/other-settings", "Table II: the rows of linear and of contextual bandits.", NOT_YET)
LONG = Domain.of(log_horizon="[1, inf)")


def root_of_a_logarithm(log_horizon: Any, factor: Any) -> Sides:
    """factor sqrt(L) <= L, squared."""
    return factor**2 * log_horizon, "<=", log_horizon**2


def root_of_a_logarithm_argument(factor: Any) -> SymbolicArgument:
    import sympy

    more = sympy.Symbol("m", nonnegative=True)
    return SymbolicArgument({"log_horizon": 1 + more}, (1 + more) * (1 - factor**2 + more), "nonnegative")


@claim(
    "ZCDP-TB2/finite-arms",
    r"$8\sqrt{\beta/\rho}\sqrt{\log T}\le8\sqrt{\beta/\rho}\log T$ and $\frac K{\sqrt\rho}\sqrt{\log T}\le\frac K{\sqrt"
    r"\rho}\log T$ ($<factor>\sqrt{\log T}\le\log T$): the paper's bounds are the smaller ones for $T\ge3$, so "
    r"$\log T\ge1$.",
    domain=LONG, constants={"factor": 1}, mutations=[mutation("factor 1.1", factor="1.1")], strongest="symbolic",
)  # fmt: skip
def smaller_than_converted(check: Check) -> None:
    """(At T = 2, log T < 1 and the order is reversed.)"""
    if not check.search(root_of_a_logarithm, [{"log_horizon": Fraction(1)}]):
        check.symbolic(root_of_a_logarithm, root_of_a_logarithm_argument, routes=("this paper", "converted"))


BUDGETS = Domain.of(gap="(0, 1]", rho="(0, inf)", beta="(3, inf)")


def converted(gap: Any, rho: Any, beta: Any, power: Any, factor: Any) -> Sides:
    """16 beta/min(gap, sqrt(2 rho)), Theorem 5.3 of the thesis over log T, against the converted bound over log T."""
    pure = 16 * beta / minimum(to_ball(gap), sqrt(2 * to_ball(rho)))
    printed = 8 * beta / to_ball(gap) + to_ball(factor) * 8 * to_ball(beta) ** to_ball(power) / sqrt(to_ball(rho))
    return pure, "<=", printed


@claim(
    "ZCDP-TB2/converted-constants",
    r"The converted bound $\sum_a(\frac{8\beta}{\Delta_a}\log T+<factor>\cdot8\beta^{<power>}\rho^{-1/2}\log T)$ is "
    r"what the bound of AdaP-UCB, $\sum_a\frac{16\beta}{\min\{\Delta_a,\epsilon\}}\log T+\dots$ (in the constants of "
    r"the thesis, ALG-T5.3), gives at $\epsilon=\sqrt{2\rho}$.",
    role="reading", domain=BUDGETS, constants={"power": "1/2", "factor": 1}, twins=["ALG-T5.3"],
)  # fmt: skip
def converted_constants(check: Check) -> None:
    """For sqrt(2 rho) < gap the pure bound has 16 beta/sqrt(2 rho) = 8 sqrt(2) beta/sqrt(rho): beta, not its root."""
    check.counterexample(converted, {"gap": Fraction(1), "rho": Fraction(1, 200), "beta": Fraction(4)})


def gap_is_smaller(gap: Any, more: Any, lead: Any, factor: Any) -> Sides:
    """sqrt(2 rho) = gap + more: 16/gap against lead/gap + factor sqrt(2)/sqrt(2 rho)."""
    return 16 / gap, "<=", lead / gap + factor / (gap + more)


def budget_is_smaller(budget: Any, more: Any, lead: Any, factor: Any) -> Sides:
    """gap = budget + more, budget = sqrt(2 rho): 16/budget against lead/gap + factor/budget."""
    return 16 / budget, "<=", lead / (budget + more) + factor / budget


def gap_argument(lead: Any, factor: Any) -> SymbolicArgument:
    import sympy

    g, m = positive("g"), sympy.Symbol("m", nonnegative=True)
    return SymbolicArgument({"gap": g, "more": m}, (lead - 16) / g + factor / (g + m), "nonnegative")


def budget_argument(lead: Any, factor: Any) -> SymbolicArgument:
    import sympy

    b, m = positive("b"), sympy.Symbol("m", nonnegative=True)
    return SymbolicArgument({"budget": b, "more": m}, lead / (b + m) + (factor - 16) / b, "nonnegative")


@claim(
    "ZCDP-TB2/converted-where-the-budget-is-smaller",
    r"Where $\epsilon=\sqrt{2\rho}\le\Delta_a$ the pure bound is at most $\frac{<lead>\beta}{\Delta_a}\log T+\frac{"
    r"<factor>\beta}{\sqrt{2\rho}}\log T$; the second summand is $8\sqrt2\,\beta\rho^{-1/2}\log T$.",
    role="repair", repairs="ZCDP-TB2/converted-constants", domain=Domain.of(budget="(0, inf)", more="[0, inf)"),
    constants={"lead": 0, "factor": 16}, mutations=[mutation("15", factor=15)], strongest="symbolic",
)  # fmt: skip
def converted_for_small_budgets(check: Check) -> None:
    if not check.search(budget_is_smaller, [{"budget": Fraction(1), "more": Fraction(0)}]):
        check.symbolic(budget_is_smaller, budget_argument, routes=("pure bound", "converted bound"))


@claim(
    "ZCDP-TB2/converted-where-the-gap-is-smaller",
    r"Where $\Delta_a\le\epsilon=\sqrt{2\rho}$ the pure bound is at most $\frac{<lead>\beta}{\Delta_a}\log T$, twice "
    r"the "
    "printed first summand.",
    role="repair", repairs="ZCDP-TB2/converted-constants", domain=Domain.of(gap="(0, inf)", more="[0, inf)"),
    constants={"lead": 16, "factor": 0}, mutations=[mutation("15", lead=15)], strongest="symbolic",
)  # fmt: skip
def converted_for_large_budgets(check: Check) -> None:
    if not check.search(gap_is_smaller, [{"gap": Fraction(1), "more": Fraction(0)}]):
        check.symbolic(gap_is_smaller, gap_argument, routes=("pure bound", "converted bound"))
