r"""Tables I and II of the zCDP paper: rates of finite arms, how far apart the bounds are, and the converted ones.

The cells of Table I for linear and contextual bandits are in `zcdp_linear_tables`. Logarithms are variables, so that
products and roots of counts can be compared symbolically; inequalities between positive numbers are squared. Where the
printed bounds have universal constants A, B, they are divided out.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, not_checkable, parts_decide
from banditproof.paper_checks.two_environments import positive
from banditproof.theory.numeric import SYMBOL, exp, log, maximum, minimum, sqrt, system, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
ONE = Fraction(1)


def nonnegative(names: str) -> Any:
    import sympy

    return sympy.symbols(names, nonnegative=True)


def beside(variable: Any, value: int) -> Any:
    """An integer in the number system of a variable: SymPy expressions and balls do not mix."""
    import sympy

    return sympy.Integer(value) if system(variable) == SYMBOL else to_ball(value)


# -------------------------------------------------------------------------------------------------- Table I, first row

parts_decide(
    "ZCDP-TB1",
    r"Table I: finite arms $O(\sqrt{KT\log T})+O(\frac K{\sqrt\rho}\sqrt{\log T})$ above and $\Omega(\max(\sqrt{KT},"
    r"\sqrt{K/\rho}))$ below; linear and contextual bandits (parts of their own).",
)
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
    "arms, the ratio of the printed bounds of the first two rows of Table I; the third has no lower bound.",
)
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


def linear_free_gap(d: Any, T: Any, M: Any, factor: Any) -> Sides:
    """(sqrt(d T M))^2 against (factor sqrt M e^-2/8 d sqrt T)^2, M = log(KT)."""
    return d * T * M, "<=", factor**2 * M * exp(beside(d, -4)) / 64 * d**2 * T


def linear_free_gap_argument(factor: Any) -> SymbolicArgument:
    import sympy

    more, (T, M) = nonnegative("m"), positive("T M")
    ratio = factor**2 * sympy.exp(-4) / 64
    return SymbolicArgument(
        {"d": 1 + more, "T": T, "M": M}, (1 + more) * T * M * (ratio - 1 + ratio * more), "nonnegative"
    )


def linear_private_gap(d: Any, rho: Any, M: Any, factor: Any) -> Sides:
    """(d M^(3/2)/sqrt rho)^2 against (factor M^(3/2) e^-2.25/4 d/sqrt rho)^2."""
    return d**2 * M**3 / rho, "<=", factor**2 * M**3 * exp(beside(d, -9) / 2) / 16 * d**2 / rho


def linear_private_gap_argument(factor: Any) -> SymbolicArgument:
    import sympy

    more, (rho, M) = nonnegative("m"), positive("rho M")
    certificate = (factor**2 * sympy.exp(-sympy.Rational(9, 2)) / 16 - 1) * (1 + more) ** 2 * M**3 / rho
    return SymbolicArgument({"d": 1 + more, "rho": rho, "M": M}, certificate, "nonnegative")


@claim(
    "ZCDP-S3/linear-free-term",
    r"Second row, printed bounds (their sets of arms differ): $A\sqrt{dT\log(KT)}\le<factor>A\sqrt{\log(KT)}\cdot\frac{"
    r"e^{-2}}8d\sqrt T$.",
    domain=Domain.of(d="[1, inf)", T="(0, inf)", M="(0, inf)"), constants={"factor": 60},
    mutations=[mutation("59", factor=59)], strongest="symbolic",
)  # fmt: skip
def gap_of_the_linear_free_terms(check: Check) -> None:
    if not check.search(linear_free_gap, [{"d": ONE, "T": ONE, "M": ONE}]):
        check.symbolic(linear_free_gap, linear_free_gap_argument, routes=("upper bound", "lower bound"))


LINEAR_GAP: dict[str, Any] = {
    "domain": Domain.of(d="[1, inf)", rho="(0, inf)", M="(0, inf)"),
    "constants": {"factor": 38},
    "mutations": [mutation("37", factor=37)],
    "strongest": "symbolic",
}


@claim(
    "ZCDP-S3/linear-up-to-logarithms-of-the-arms",
    r"Up to $\log^{3/2}(KT)$, which has $\log K$: $B\frac d{\sqrt\rho}\log^{3/2}(KT)\le<factor>B\log^{3/2}(KT)\cdot"
    r"\frac{e^{-2.25}}4\frac d{\sqrt\rho}$.",
    role="repair", repairs="ZCDP-S3/linear-uniformly-in-the-dimension", **LINEAR_GAP,
)  # fmt: skip
@claim(
    "ZCDP-S3/linear-private-term",
    r"Second row, printed bounds: $B\frac d{\sqrt\rho}\log^{3/2}(KT)\le<factor>B\log^{3/2}(KT)\cdot\frac{e^{-2.25}}4"
    r"\frac d{\sqrt\rho}$.",
    **LINEAR_GAP,
)  # fmt: skip
def gap_of_the_linear_private_terms(check: Check) -> None:
    if not check.search(linear_private_gap, [{"d": ONE, "rho": ONE, "M": ONE}]):
        check.symbolic(linear_private_gap, linear_private_gap_argument, routes=("upper bound", "lower bound"))


def poly_logarithmic_linear(d: int, T: int, rho: Any, A: Any, B: Any, constant: Any, power: int) -> Sides:
    """The better of T and the upper bound with 2^d arms, against the lower bound times constant log^power T."""
    size, horizon = to_ball(d), to_ball(T)
    L = log(horizon)
    M = size * log(to_ball(2)) + L
    upper = minimum(horizon, to_ball(A) * sqrt(size * horizon * M) + to_ball(B) * size * M * sqrt(M / to_ball(rho)))
    lower = size * maximum(exp(to_ball(-2)) / 8 * sqrt(horizon), exp(to_ball("-9/4")) / 4 / sqrt(to_ball(rho)))
    return upper, "<=", to_ball(constant) * L**power * lower


@claim(
    "ZCDP-S3/linear-uniformly-in-the-dimension",
    r"With the $K=2^d$ arms of the footnote: up to $<constant>(\log T)^{<power>}$, uniformly in $d$, $T$ and $\rho$ "
    r"($A=<A>$, $B=<B>$; the upper bound or $T$, if smaller). (The discussion of Theorem 4 notes the mismatch in $d$.)",
    role="reading", domain=Domain.of(d="integer [1, inf)", T="integer [2, inf)", rho="(0, 1]"),
    constants={"constant": 1000, "power": 2, "A": 1, "B": 1}, strongest="enumeration",
)  # fmt: skip
def linear_uniformly_in_the_dimension(check: Check) -> None:
    """log^(3/2) of 2^d is d^(3/2), and d may be a power of T."""
    point = {"d": 10**10, "T": 10**100, "rho": Fraction(1, 10**100)}
    check.counterexample(poly_logarithmic_linear, point)


not_checkable(
    "ZCDP-S3/contextual", "AdaC-OFUL, the third row, is optimal as well.", "no statement",
    "a lower bound for linear contextual bandits to compare its upper bound with",
)  # fmt: skip


def contextual_gap(d: int, T: int, rho: Any, A: Any, B: Any, constant: Any, power: int) -> Sides:
    """The better of T and the third row's upper bound against the second row's lower bound times constant log^power."""
    size, horizon = to_ball(d), to_ball(T)
    L = log(horizon)
    upper = minimum(horizon, to_ball(A) * size * L * sqrt(horizon) + to_ball(B) * size**2 * L**2 / sqrt(to_ball(rho)))
    lower = size * maximum(exp(to_ball(-2)) / 8 * sqrt(horizon), exp(to_ball("-9/4")) / 4 / sqrt(to_ball(rho)))
    return upper, "<=", to_ball(constant) * L**power * lower


@claim(
    "ZCDP-S3/contextual-against-linear",
    r"If the lower bound of the second row held in the third: up to $<constant>(\log T)^{<power>}$, uniformly in $d$, "
    r"$T$ and $\rho$ ($A=<A>$, $B=<B>$; the upper bound or $T$, if smaller).",
    role="reading", domain=Domain.of(d="integer [1, inf)", T="integer [2, inf)", rho="(0, 1]"),
    constants={"constant": 1000, "power": 2, "A": 1, "B": 1}, strongest="enumeration",
)  # fmt: skip
def contextual_against_linear(check: Check) -> None:
    """The private terms have d^2 and d."""
    check.counterexample(contextual_gap, {"d": 10**10, "T": 10**100, "rho": Fraction(1, 10**100)})


def contextual_private_gap(d: Any, rho: Any, L: Any, factor: Any) -> Sides:
    """(d^2 L^2/sqrt rho)^2 against (factor d L^2 e^-2.25/4 d/sqrt rho)^2."""
    return d**4 * L**4 / rho, "<=", factor**2 * d**2 * L**4 * exp(beside(d, -9) / 2) / 16 * d**2 / rho


def contextual_private_gap_argument(factor: Any) -> SymbolicArgument:
    import sympy

    more, (rho, L) = nonnegative("m"), positive("rho L")
    certificate = (factor**2 * sympy.exp(-sympy.Rational(9, 2)) / 16 - 1) * (1 + more) ** 4 * L**4 / rho
    return SymbolicArgument({"d": 1 + more, "rho": rho, "L": L}, certificate, "nonnegative")


@claim(
    "ZCDP-S3/contextual-up-to-the-dimension",
    r"Then up to $d\log^2T$: $\frac{d^2}{\sqrt\rho}\log^2T\le<factor>\,d\log^2T\cdot\frac{e^{-2.25}}4\frac d{\sqrt"
    r"\rho}$.",
    role="repair", repairs="ZCDP-S3/contextual-against-linear",
    domain=Domain.of(d="[1, inf)", rho="(0, inf)", L="(0, inf)"), constants={"factor": 38},
    mutations=[mutation("37", factor=37)], strongest="symbolic",
)  # fmt: skip
def contextual_up_to_the_dimension(check: Check) -> None:
    if not check.search(contextual_private_gap, [{"d": ONE, "rho": ONE, "L": ONE}]):
        check.symbolic(contextual_private_gap, contextual_private_gap_argument, routes=("upper bound", "lower bound"))


# ------------------------------------------------------------------------------------------------------------ Table II

parts_decide(
    "ZCDP-TB2",
    r"Table II, finite arms: the private part with $\sqrt{\log T}$ against $\log T$ in the bounds converted from pure "
    r"DP "
    r"by $\epsilon=\sqrt{2\rho}$ (the other rows are parts of their own).",
)
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


def linear_converted(d: Any, rho: Any, M: Any, factor: Any) -> Sides:
    """(factor d M^(3/2)/sqrt rho)^2 against (d^2 M^2/sqrt rho)^2, M = log(KT)."""
    return factor**2 * d**2 * M**3 / rho, "<=", d**4 * M**4 / rho


def linear_converted_argument(factor: Any) -> SymbolicArgument:
    import sympy

    more, large, rho = *nonnegative("m l"), positive("rho")
    d, M = 1 + more, 1 + large
    slack = d**2 * M**3 / rho * (1 - factor**2 + sympy.expand(d**2 * M - 1))
    return SymbolicArgument({"d": d, "rho": rho, "M": M}, slack, "nonnegative")


@claim(
    "ZCDP-TB2/linear",
    r"Printed rates of the second row: $<factor>\frac d{\sqrt\rho}\log^{3/2}(KT)\le\frac{d^2}{\sqrt\rho}\log^2(KT)$ "
    r"for $\log(KT)\ge1$, the other terms being the same; ours is the cell of Table I. (The third row, also that of "
    "Table I, has nothing to be compared with.)",
    domain=Domain.of(d="[1, inf)", rho="(0, inf)", M="[1, inf)"), constants={"factor": 1},
    mutations=[mutation("1.1", factor="1.1")], strongest="symbolic",
)  # fmt: skip
def linear_smaller_than_converted(check: Check) -> None:
    """The source of the converted bound is not at hand: how it was converted is not judged."""
    if not check.search(linear_converted, [{"d": ONE, "rho": ONE, "M": ONE}], rational=True):
        check.symbolic(linear_converted, linear_converted_argument, routes=("this paper", "converted"))
