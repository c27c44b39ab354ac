r"""Table I of the zCDP paper, rows of linear and contextual bandits: the cells against the printed theorems.

Only what follows from the printed bounds is judged here; Theorems 4, 5 and 9 have claims of their own. L is log T, k is
log K, and universal constants are divided out. Inequalities between positive numbers are squared.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.privacy_regimes import entropy_class
from banditproof.paper_checks.register import claim, mutation
from banditproof.paper_checks.two_environments import number, positive
from banditproof.paper_checks.zcdp_tables import ONE, beside, nonnegative
from banditproof.theory.numeric import exp, log
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]

# ------------------------------------------------------------------------------- Theorem 4 at delta = 1/T, and its cell

LOGARITHMS = Domain.of(k="[0, inf)", L="(0, inf)")
NEAR_E = Fraction(2718, 1000)  # log(L)/L is largest at e


def free_rate(k: Any, L: Any, square: Any) -> Sides:
    """log(K log(T)/delta) at delta = 1/T against square log(KT): the first terms squared, over d T."""
    return k + L + log(number(L)), "<=", square * (k + L)


def free_rate_argument(square: Any) -> SymbolicArgument:
    """log L = L/e - E(1, L/e)."""
    import sympy

    k, L = nonnegative("k"), positive("L")
    slack = (square - 1) * k + (square - 1 - sympy.exp(-1)) * L + entropy_class()(sympy.Integer(1), L / sympy.E)
    return SymbolicArgument({"k": k, "L": L}, slack, "nonnegative")


def private_rate(k: Any, L: Any, square: Any) -> Sides:
    """log(K log(T)/delta) log^2 T at delta = 1/T against square log^3(KT): the second terms squared, rho/d^2 times."""
    return (k + L + log(number(L))) * L**2, "<=", square * (k + L) ** 3


def private_rate_argument(square: Any) -> SymbolicArgument:
    import sympy

    k, L = nonnegative("k"), positive("L")
    powers = square * k**3 + 3 * square * k**2 * L + (3 * square - 1) * k * L**2 + (square - 1 - sympy.exp(-1)) * L**3
    entropy = L**2 * entropy_class()(sympy.Integer(1), L / sympy.E)
    return SymbolicArgument({"k": k, "L": L}, powers + entropy, "nonnegative")


NEAR: dict[str, Any] = {
    "domain": LOGARITHMS,
    "constants": {"square": "1.3679"},
    "mutations": [mutation("1.3678", square="1.3678")],
    "strongest": "symbolic",
}
FOUR = ("Theorem 4", "the cell")


@claim(
    "ZCDP-TB1/linear-free-term",
    r"The first term of the printed Theorem 4 at $\delta=\frac1T$, $T\ge2$, has the rate of the cell: "
    r"$\sqrt{dT\log(KT\log T)}\le\sqrt{<square>}\sqrt{dT\log(KT)}$.",
    **NEAR,
)  # fmt: skip
def linear_free_term(check: Check) -> None:
    if not check.search(free_rate, [{"k": Fraction(0), "L": NEAR_E}]):
        check.symbolic(free_rate, free_rate_argument, routes=FOUR)


@claim(
    "ZCDP-TB1/linear-private-term",
    r"So has the second: $\frac d{\sqrt\rho}\sqrt{\log(KT\log T)}\log T\le\sqrt{<square>}\frac d{\sqrt\rho}\log^{3/2}"
    r"(KT)$.",
    **NEAR,
)  # fmt: skip
def linear_private_term(check: Check) -> None:
    if not check.search(private_rate, [{"k": Fraction(0), "L": NEAR_E}]):
        check.symbolic(private_rate, private_rate_argument, routes=FOUR)


def failure(d: Any, T: Any, k: Any, L: Any, factor: Any) -> Sides:
    """The 1 = delta T that the step to expectations adds, squared."""
    return 1, "<=", factor * d * T * (k + L)


def failure_argument(factor: Any) -> SymbolicArgument:
    import sympy

    d, T, k, L = nonnegative("d T k l")
    whole = sympy.expand((1 + d) * (2 + T) * (k + L + sympy.Rational(1, 2)))
    variables = {"d": 1 + d, "T": 2 + T, "k": k, "L": L + sympy.Rational(1, 2)}
    return SymbolicArgument(variables, factor - 1 + factor * (whole - 1), "nonnegative")


EXPECTED: dict[str, Any] = {
    "domain": Domain.of(d="[1, inf)", T="[2, inf)", k="[0, inf)", L="[1/2, inf)"),
    "constants": {"factor": 1},
    "mutations": [mutation("1 % less", factor="0.99")],
    "strongest": "symbolic",
}


def expected_check(check: Check) -> None:
    tight = {"d": ONE, "T": Fraction(2), "k": Fraction(0), "L": Fraction(1, 2)}
    if not check.search(failure, [tight], rational=True):
        check.symbolic(failure, failure_argument, routes=("the summand", "the cell"))


@claim(
    "ZCDP-TB1/linear-expected-regret",
    r"The summand 1 in $\mathbb E R_T\le R_T(\delta)+1$ is within the cell: $1\le<factor>\,dT\log(KT)$ for $T\ge2$, so "
    r"$\log T\ge\frac12$.",
    **EXPECTED,
)  # fmt: skip
def linear_expected_regret(check: Check) -> None:
    expected_check(check)


def attained(k: Any, L: Any, square: Any) -> Sides:
    """The cell's private term against Theorem 4's, as above."""
    return (k + L) ** 3, "<=", square * (k + L + log(number(L))) * L**2


def attained_argument(square: Any) -> SymbolicArgument:
    import sympy

    k, more = nonnegative("k m")
    L = 1 + k + more
    slack = (square - 4) * (k + L + sympy.log(L)) * L**2 + (k + L) * (1 + more) * (3 * L + k) + 4 * L**2 * sympy.log(L)
    return SymbolicArgument({"k": k, "L": L}, slack, "nonnegative")


@claim(
    "ZCDP-TB1/linear-cell-attained",
    r"The cell is the theorem, up to a constant and uniformly in $K$: $\log^{3/2}(KT)\le\sqrt{<square>}\sqrt{\log(KT"
    r"\log T)}\log T$.",
    role="reading", domain=Domain.of(k="[0, inf)", L="[1, inf)"), constants={"square": 10**6},
)  # fmt: skip
def linear_cell_attained(check: Check) -> None:
    """The theorem has log K under the root only: for K beyond every power of T the cell is larger."""
    check.counterexample(attained, {"k": Fraction(10**4), "L": ONE})


@claim(
    "ZCDP-TB1/linear-cell-attained-for-few-arms", r"It is for $T\ge eK$, with $\sqrt{<square>}$.",
    role="repair", repairs="ZCDP-TB1/linear-cell-attained",
    domain=Domain.of(k="[0, inf)", L="[1, inf)", where=["L >= k + 1"]), constants={"square": 4},
    mutations=[mutation("3.99", square="3.99")], strongest="symbolic",
)  # fmt: skip
def linear_cell_attained_for_few_arms(check: Check) -> None:
    if not check.search(attained, [{"k": Fraction(10**6), "L": Fraction(10**6 + 1)}]):
        check.symbolic(attained, attained_argument, routes=("the cell", "Theorem 4"))


# ---------------------------------------------------------------------------------------------- Theorem 9, and its cell


def free_constant(d: Any, T: Any, quotient: Any) -> Sides:
    """(e^-2/8 d sqrt T)^2 against (d sqrt T/quotient)^2."""
    return exp(beside(d, -4)) / 64 * d**2 * T, ">=", d**2 * T / quotient**2


def free_constant_argument(quotient: Any) -> SymbolicArgument:
    import sympy

    d, T = positive("d T")
    certificate = (sympy.exp(-4) / 64 - sympy.S(1) / quotient**2) * d**2 * T
    return SymbolicArgument({"d": d, "T": T}, certificate, "nonnegative")


def private_constant(d: Any, rho: Any, quotient: Any) -> Sides:
    """(e^-2.25/4 d/sqrt rho)^2 against (d/(quotient sqrt rho))^2."""
    return exp(beside(d, -9) / 2) / 16 * d**2 / rho, ">=", d**2 / rho / quotient**2


def private_constant_argument(quotient: Any) -> SymbolicArgument:
    import sympy

    d, rho = positive("d rho")
    certificate = (sympy.exp(-sympy.Rational(9, 2)) / 16 - sympy.S(1) / quotient**2) * d**2 / rho
    return SymbolicArgument({"d": d, "rho": rho}, certificate, "nonnegative")


@claim(
    "ZCDP-TB1/linear-below-free-term", r"The printed Theorem 9 has the rate of the cell: $\frac{e^{-2}}8d\sqrt T\ge"
    r"\frac1{<quotient>}d\sqrt T$.",
    domain=Domain.of(d="(0, inf)", T="(0, inf)"), constants={"quotient": 60}, mutations=[mutation("59", quotient=59)],
    strongest="symbolic",
)  # fmt: skip
def linear_below_free(check: Check) -> None:
    if not check.search(free_constant, [{"d": ONE, "T": ONE}]):
        check.symbolic(free_constant, free_constant_argument, routes=("Theorem 9", "the cell"))


@claim(
    "ZCDP-TB1/linear-below-private-term",
    r"So has its other term: $\frac{e^{-2.25}}4\frac d{\sqrt\rho}\ge\frac1{<quotient>}\frac d{\sqrt\rho}$.",
    domain=Domain.of(d="(0, inf)", rho="(0, inf)"), constants={"quotient": 38}, mutations=[mutation("37", quotient=37)],
    strongest="symbolic",
)  # fmt: skip
def linear_below_private(check: Check) -> None:
    if not check.search(private_constant, [{"d": ONE, "rho": ONE}]):
        check.symbolic(private_constant, private_constant_argument, routes=("Theorem 9", "the cell"))


CORNERS = Domain.of(d="[1, inf)", L="(0, inf)")


def no_contradiction(d: Any, L: Any, square: Any) -> Sides:
    """(d sqrt T)^2 against (sqrt(d T log(KT)))^2 at K = 2^d, over d T."""
    return d, "<=", square * (d * log(beside(d, 2)) + L)


def no_contradiction_argument(square: Any) -> SymbolicArgument:
    import sympy

    more, L = nonnegative("m"), positive("L")
    certificate = (square * sympy.log(2) - 1) * (1 + more) + square * L
    return SymbolicArgument({"d": 1 + more, "L": L}, certificate, "nonnegative")


@claim(
    "ZCDP-TB1/footnote-no-contradiction",
    r"With $K=2^d$ arms the lower rate is not above the upper one: $d\sqrt T\le\sqrt{<square>}\sqrt{dT\log(2^dT)}$.",
    domain=CORNERS, constants={"square": "1.4427"}, mutations=[mutation("1.442", square="1.442")], strongest="symbolic",
)  # fmt: skip
def no_contradiction_at_the_corners(check: Check) -> None:
    if not check.search(no_contradiction, [{"d": Fraction(10**4), "L": ONE}]):
        check.symbolic(no_contradiction, no_contradiction_argument, routes=("lower rate", "upper rate"))


def tight_in_d(d: Any, L: Any, square: Any) -> Sides:
    """The other way round, with a factor log T."""
    return d * log(beside(d, 2)) + L, "<=", square * L * d


def tight_in_d_argument(square: Any) -> SymbolicArgument:
    import sympy

    d, more = nonnegative("d l")
    ln = sympy.log(2)
    slack = (square - 1 - ln) * (1 + d) * (1 + more) + d + d * more + ln * (1 + d) * more
    return SymbolicArgument({"d": 1 + d, "L": 1 + more}, slack, "nonnegative")


@claim(
    "ZCDP-TB1/footnote-tight-in-d",
    r"The dependence on $d$ is tight: $\sqrt{dT\log(2^dT)}\le\sqrt{<square>\log T}\,d\sqrt T$ for $\log T\ge1$, all "
    r"$d\ge1$.",
    domain=Domain.of(d="[1, inf)", L="[1, inf)"), constants={"square": "1.6932"},
    mutations=[mutation("1.693", square="1.693")], strongest="symbolic",
)  # fmt: skip
def tight_in_the_dimension(check: Check) -> None:
    if not check.search(tight_in_d, [{"d": ONE, "L": ONE}]):
        check.symbolic(tight_in_d, tight_in_d_argument, routes=("upper rate", "lower rate"))


# ------------------------------------------------------------------------------ the last step of the proof of Theorem 5

RATES = Domain.of(d="[1, inf)", L="(0, inf)", T="(0, inf)", price="(0, inf)", C="(0, inf)", ridge="(0, inf)",
                  b="(0, inf)", c="(0, inf)")  # fmt: skip


def contextual_free(d: Any, L: Any, T: Any, C: Any, b: Any, power: Any, factor: Any) -> Sides:
    """(2 sqrt(1 + C) sqrt(2 d L) b sqrt(d L) sqrt T)^2 against factor (1 + C) (b d^power L sqrt T)^2."""
    return 8 * (1 + C) * d * L * b**2 * d * L * T, "<=", factor * (1 + C) * b**2 * d ** (2 * power) * L**2 * T


def contextual_private(
    d: Any, L: Any, price: Any, C: Any, ridge: Any, b: Any, c: Any, power: Any, factor: Any
) -> Sides:
    """The other term: gamma_T = b sqrt(price) d L, and c d L episodes; price is 1/rho (alpha/epsilon under RDP)."""
    left = 8 * (1 + C) * d * L * (b**2 * price * d**2 * L**2) * (1 + C) * (1 + ridge) * c * d * L
    return left, "<=", factor * (1 + C) ** 2 * (1 + ridge) * c * b**2 * price * d ** (2 * power) * L**4


def contextual_symbols() -> dict[str, Any]:
    return {"d": 1 + nonnegative("m")} | {n: positive(n) for n in ("L", "T", "price", "C", "ridge", "b", "c")}


def contextual_free_argument(power: Any, factor: Any) -> SymbolicArgument:
    v = contextual_symbols()
    slack = (factor * v["d"] ** (2 * power - 2) - 8) * (1 + v["C"]) * v["d"] ** 2 * v["L"] ** 2 * v["b"] ** 2 * v["T"]
    return SymbolicArgument(v, slack, "nonnegative")


def contextual_private_argument(power: Any, factor: Any) -> SymbolicArgument:
    v = contextual_symbols()
    shared = (1 + v["C"]) ** 2 * (1 + v["ridge"]) * v["c"] * v["b"] ** 2 * v["price"] * v["d"] ** 4 * v["L"] ** 4
    return SymbolicArgument(v, (factor * v["d"] ** (2 * power - 4) - 8) * shared, "nonnegative")


LAST_STEP = (r"of the last step of its proof, $2\sqrt{1+C}\sqrt{2d\log T}(\beta_T\sqrt T+\gamma_T\sqrt{(1+C)(1+\lambda)"
             r"\ell(T)})$ with $\log T$ for $\log(1+\frac T{\lambda d})$,")  # fmt: skip
CONTEXTUAL_FREE: dict[str, Any] = {
    "domain": RATES,
    "constants": {"power": 1, "factor": 8},
    "mutations": [mutation("d to the power 1/2", power="1/2"), mutation("7", factor=7)],
    "strongest": "symbolic",
}
CONTEXTUAL_PRIVATE: dict[str, Any] = {
    "domain": RATES,
    "constants": {"power": 2, "factor": 8},
    "mutations": [mutation("d to the power 3/2", power="3/2"), mutation("7", factor=7)],
    "strongest": "symbolic",
}
ONES = dict.fromkeys(("L", "T", "price", "C", "ridge", "b", "c"), ONE)
DIMENSIONS = [ONES | {"d": ONE}, ONES | {"d": Fraction(100)}]


def contextual_free_check(check: Check) -> None:
    if not check.search(contextual_free, DIMENSIONS, rational=True):
        check.symbolic(contextual_free, contextual_free_argument, routes=("last step of the proof", "the cell"))


def contextual_private_check(check: Check) -> None:
    if not check.search(contextual_private, DIMENSIONS, rational=True):
        check.symbolic(contextual_private, contextual_private_argument, routes=("last step of the proof", "the cell"))


@claim(
    "ZCDP-TB1/contextual-free-term",
    rf"The cell has the letters of the printed Theorem 5; {LAST_STEP} the first term is at most $\sqrt{{<factor>(1+C)}}"
    r"\,b\,d^{<power>}\log(T)\sqrt T$ if $\beta_T=b\sqrt{d\log T}$.",
    **CONTEXTUAL_FREE,
)  # fmt: skip
def contextual_free_term(check: Check) -> None:
    contextual_free_check(check)


@claim(
    "ZCDP-TB1/contextual-private-term",
    rf"And {LAST_STEP} the second is at most $\sqrt{{<factor>(1+\lambda)c}}(1+C)b\frac{{d^{{<power>}}}}{{\sqrt\rho}}"
    r"\log^2T$ if $\gamma_T=\frac b{\sqrt\rho}d\log T$ and $\ell(T)=c\,d\log T$ (price is $\frac1\rho$). A lower bound "
    "is not printed.",
    **CONTEXTUAL_PRIVATE,
)  # fmt: skip
def contextual_private_term(check: Check) -> None:
    contextual_private_check(check)
