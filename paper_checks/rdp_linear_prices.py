r"""RDP-TB1 and RDP-S1 for linear and contextual bandits: cells and prices against the printed Theorems 8 and 10.

Only what follows from the printed bounds is judged. L is log T, k is log K, price is alpha/epsilon; universal constants
are divided out and inequalities squared. The relations are those of Table I of the zCDP paper, alpha/epsilon for 1/rho.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.privacy_regimes import entropy_class
from banditproof.paper_checks.recorded_privacy import Sides
from banditproof.paper_checks.register import claim, mutation
from banditproof.paper_checks.two_environments import number, positive
from banditproof.paper_checks.zcdp_linear_tables import (
    CONTEXTUAL_FREE,
    CONTEXTUAL_PRIVATE,
    EXPECTED,
    LAST_STEP,
    NEAR,
    NEAR_E,
    attained,
    attained_argument,
    contextual_free_check,
    contextual_private_check,
    expected_check,
    free_rate,
    free_rate_argument,
    private_rate,
    private_rate_argument,
)
from banditproof.paper_checks.zcdp_tables import ONE, nonnegative
from banditproof.theory.numeric import log
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

EIGHT = ("Theorem 8", "the cell")

# ------------------------------------------------------------------------------------------------- Table 1, second row


@claim(
    "RDP-TB1/linear-free-term",
    r"The first term of the printed Theorem 8 at $\delta=\frac1T$, $T\ge2$, has the rate of the cell: "
    r"$\sqrt{dT\log(KT\log T)}\le\sqrt{<square>}\sqrt{dT\log(KT)}$.",
    twins=["ZCDP-TB1"], **NEAR,
)  # fmt: skip
def linear_free_term(check: Check) -> None:
    if not check.search(free_rate, [{"k": Fraction(0), "L": NEAR_E}]):
        check.symbolic(free_rate, free_rate_argument, routes=EIGHT)


@claim(
    "RDP-TB1/linear-private-term",
    r"So has the second, as the appendix prints it: $d^2\sqrt{\frac\alpha\epsilon\log(KT\log T)}\log T\le"
    r"\sqrt{<square>}\,d^2\sqrt{\frac\alpha\epsilon}\log^{3/2}(KT)$.",
    **NEAR,
)  # fmt: skip
def linear_private_term(check: Check) -> None:
    if not check.search(private_rate, [{"k": Fraction(0), "L": NEAR_E}]):
        check.symbolic(private_rate, private_rate_argument, routes=EIGHT)


@claim(
    "RDP-TB1/linear-expected-regret",
    r"The summand 1 in $\mathbb E R_T\le R_T(\delta)+1$ is within the cell: $1\le<factor>\,dT\log(KT)$ for $T\ge2$, so "
    r"$\log T\ge\frac12$.",
    twins=["ZCDP-TB1"], **EXPECTED,
)  # fmt: skip
def linear_expected_regret(check: Check) -> None:
    expected_check(check)


def main_text(k: Any, L: Any, square: Any) -> Sides:
    """log(KT log T) log T, both under the root, against square log^3(KT); T >= 3."""
    return (k + L + log(number(L))) * L, "<=", square * (k + L) ** 3


def main_text_argument(square: Any) -> SymbolicArgument:
    """log L = L - 1 - (L - 1 - log L), and L >= 1."""
    import sympy

    k, more = nonnegative("k m")
    L = 1 + more
    rest = sympy.expand((k + L) ** 3 - (k + 2 * L - 1) * L)
    slack = (square - 1) * (k + L) ** 3 + rest + L * entropy_class()(sympy.Integer(1), L)
    return SymbolicArgument({"k": k, "L": L}, slack, "nonnegative")


LONG = Domain.of(k="[0, inf)", L="[1, inf)")


@claim(
    "RDP-TB1/linear-main-text",
    r"As the main text prints it, with $\log T$ under the root, it is within the cell too: $\sqrt{\log(KT\log T)\log T}"
    r"\le\sqrt{<square>}\log^{3/2}(KT)$ for $\log T\ge1$.",
    domain=LONG, constants={"square": 1}, mutations=[mutation("1 % less", square="0.99")], strongest="symbolic",
)  # fmt: skip
def linear_main_text(check: Check) -> None:
    if not check.search(main_text, [{"k": Fraction(0), "L": ONE}]):
        check.symbolic(main_text, main_text_argument, routes=EIGHT)


def main_text_attained(k: Any, L: Any, square: Any) -> Sides:
    """The cell against the main text's private term, squared."""
    return (k + L) ** 3, "<=", square * (k + L + log(number(L))) * L


@claim(
    "RDP-TB1/linear-same-as-main-text",
    r"For $T\ge eK$ the cell is the bound of Theorem 8 in the main text: $\log^{3/2}(KT)\le\sqrt{<square>}\sqrt{"
    r"\log(KT\log T)\log T}$.",
    role="reading", domain=LONG.restrict(where=["L >= k + 1"]), constants={"square": 10**4},
)  # fmt: skip
def same_as_main_text(check: Check) -> None:
    """Their ratio is of the order of sqrt(log T)."""
    check.counterexample(main_text_attained, {"k": Fraction(0), "L": Fraction(10**5)})


@claim(
    "RDP-TB1/linear-same-as-appendix",
    r"It is that of the appendix, $\log T$ outside the root: $\log^{3/2}(KT)\le\sqrt{<square>}\sqrt{\log(KT\log T)}"
    r"\log T$ for $T\ge eK$.",
    role="repair", repairs="RDP-TB1/linear-same-as-main-text", domain=LONG.restrict(where=["L >= k + 1"]),
    constants={"square": 4}, mutations=[mutation("3.99", square="3.99")], strongest="symbolic",
)  # fmt: skip
def same_as_appendix(check: Check) -> None:
    if not check.search(attained, [{"k": Fraction(10**6), "L": Fraction(10**6 + 1)}]):
        check.symbolic(attained, attained_argument, routes=("the cell", "Theorem 8"))


def both_tables(d: Any, price: Any, M: Any, factor: Any) -> Sides:
    """(d^2 sqrt(price) M^(3/2))^2 here against (factor d sqrt(price) M^(3/2))^2 there, M = log(KT)."""
    return d**4 * price * M**3, "<=", factor**2 * d**2 * price * M**3


def times_the_dimension(d: Any, price: Any, M: Any, factor: Any) -> Sides:
    return d**4 * price * M**3, "<=", factor**2 * d**2 * (d**2 * price * M**3)


def times_the_dimension_argument(factor: Any) -> SymbolicArgument:
    more, (price, M) = nonnegative("m"), positive("p M")
    certificate = (factor**2 - 1) * (1 + more) ** 4 * price * M**3
    return SymbolicArgument({"d": 1 + more, "price": price, "M": M}, certificate, "nonnegative")


DIMENSIONS = Domain.of(d="[1, inf)", price="(0, inf)", M="(0, inf)")


@claim(
    "RDP-TB1/linear-same-as-zcdp-table",
    r"The linear rows of this paper and of the zCDP paper agree for $\frac\alpha\epsilon=\frac1\rho$: $d^2\sqrt{\frac"
    r"\alpha\epsilon}\log^{3/2}(KT)$ is at most $<factor>$ times $\frac d{\sqrt\rho}\log^{3/2}(KT)$.",
    role="reading", twins=["ZCDP-TB1"], domain=DIMENSIONS, constants={"factor": 1000},
)  # fmt: skip
def linear_tables(check: Check) -> None:
    """Their algorithms add the noise in different places: to the sum of every arm here, to phi there."""
    check.counterexample(both_tables, {"d": Fraction(1001), "price": ONE, "M": ONE}, rational=True)


@claim(
    "RDP-TB1/linear-zcdp-table-times-dimension", r"It is at most $<factor>\,d$ times that.",
    role="repair", repairs="RDP-TB1/linear-same-as-zcdp-table", twins=["ZCDP-TB1"], domain=DIMENSIONS,
    constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")], strongest="symbolic",
)  # fmt: skip
def linear_tables_times_dimension(check: Check) -> None:
    if not check.search(times_the_dimension, [{"d": ONE, "price": ONE, "M": ONE}], rational=True):
        check.symbolic(times_the_dimension, times_the_dimension_argument, routes=("this table", "the other"))


# -------------------------------------------------------------------------------------------------- Table 1, third row


@claim(
    "RDP-TB1/contextual-free-term",
    rf"The cell has the letters of the printed Theorem 10; {LAST_STEP} the first term is at most $"
    r"\sqrt{<factor>(1+C)}\,b\,d^{<power>}\log(T)\sqrt T$ if $\beta_T=b\sqrt{d\log T}$.",
    twins=["ZCDP-TB1"], **CONTEXTUAL_FREE,
)  # fmt: skip
def contextual_free_term(check: Check) -> None:
    contextual_free_check(check)


@claim(
    "RDP-TB1/contextual-private-term",
    rf"And {LAST_STEP} the second is at most $\sqrt{{<factor>(1+\lambda)c}}(1+C)b\sqrt{{\frac\alpha\epsilon}}"
    r"d^{<power>}\log^2T$ if $\gamma_T=b\sqrt{\frac\alpha\epsilon}d\log T$ and $\ell(T)=c\,d\log T$ (as in the zCDP "
    "table).",
    twins=["ZCDP-TB1"], **CONTEXTUAL_PRIVATE,
)  # fmt: skip
def contextual_private_term(check: Check) -> None:
    contextual_private_check(check)


# --------------------------------------------------------------------------------------------------------------- RDP-S1


def linear_cost(d: Any, price: Any, k: Any, L: Any, factor: Any) -> Sides:
    """(d^2 sqrt(price) log^(3/2)(KT))^2 against (factor d^2 (1 + log K)^(3/2) sqrt(L) sqrt(price) L)^2."""
    return d**4 * price * (k + L) ** 3, "<=", factor**2 * d**4 * (1 + k) ** 3 * L * (price * L**2)


def linear_cost_argument(factor: Any) -> SymbolicArgument:
    import sympy

    (d, price), (k, more) = positive("d p"), nonnegative("k m")
    L = 1 + more
    whole = sympy.expand((1 + k) ** 3 * L**3)
    slack = (factor**2 - 1) * whole + sympy.expand(whole - (k + L) ** 3)
    return SymbolicArgument({"d": d, "price": price, "k": k, "L": L}, d**4 * price * slack, "nonnegative")


def linear_free(d: Any, T: Any, k: Any, L: Any, factor: Any) -> Sides:
    """(sqrt(d T log(KT)))^2 against (factor sqrt(d (1 + log K)) sqrt(L) sqrt(T))^2."""
    return d * T * (k + L), "<=", factor**2 * d * (1 + k) * L * T


def linear_free_argument(factor: Any) -> SymbolicArgument:
    (d, T), (k, more) = positive("d T"), nonnegative("k m")
    slack = (factor**2 - 1) * (1 + k) * (1 + more) + k * more
    return SymbolicArgument({"d": d, "T": T, "k": k, "L": 1 + more}, d * T * slack, "nonnegative")


@claim(
    "RDP-S1/linear-cost",
    r"Linear bandits, given $d$ and $K$: the cell is $\sqrt{\frac\alpha\epsilon}\log T$ up to a power of $\log T$, $d^2"
    r"\sqrt{\frac\alpha\epsilon}\log^{3/2}(KT)\le<factor>\,d^2(1+\log K)^{3/2}\sqrt{\log T}\cdot\sqrt{\frac\alpha"
    r"\epsilon}\log T$ for $\log T\ge1$.",
    domain=Domain.of(d="(0, inf)", price="(0, inf)", k="[0, inf)", L="[1, inf)"), constants={"factor": 1},
    mutations=[mutation("9/10", factor="9/10")], strongest="symbolic",
)  # fmt: skip
def cost_of_linear_bandits(check: Check) -> None:
    if not check.search(linear_cost, [{"d": ONE, "price": ONE, "k": Fraction(0), "L": ONE}], rational=True):
        check.symbolic(linear_cost, linear_cost_argument, routes=("the cell", "the stated order"))


@claim(
    "RDP-S1/linear-free-part",
    r"The other term is $\sqrt T$ up to a power of $\log T$: $\sqrt{dT\log(KT)}\le<factor>\sqrt{d(1+\log K)\log T}"
    r"\sqrt T$.",
    domain=Domain.of(d="(0, inf)", T="(0, inf)", k="[0, inf)", L="[1, inf)"), constants={"factor": 1},
    mutations=[mutation("9/10", factor="9/10")], strongest="symbolic",
)  # fmt: skip
def free_part_of_linear_bandits(check: Check) -> None:
    if not check.search(linear_free, [{"d": ONE, "T": ONE, "k": Fraction(0), "L": ONE}], rational=True):
        check.symbolic(linear_free, linear_free_argument, routes=("the cell", "the stated order"))


def contextual_cost(d: Any, T: Any, price: Any, L: Any, extra: Any, factor: Any) -> Sides:
    """Both parts over sqrt(T) and sqrt(price) L, squared and added: d L and d^2 L against their logarithms hidden."""
    left = (d * L) ** 2 * T + (d**2 * L**2) ** 2 * price
    return left, "<=", factor**2 * ((d * L**extra) ** 2 * T + (d**2 * L**extra) ** 2 * (price * L**2))


def contextual_cost_argument(extra: Any, factor: Any) -> SymbolicArgument:
    d, T, price, L = positive("d T p L")
    free = d**2 * T * (factor**2 * L ** (2 * extra) - L**2)
    private = d**4 * price * L**2 * (factor**2 * L ** (2 * extra) - L**2)
    return SymbolicArgument({"d": d, "T": T, "price": price, "L": L}, free + private, "nonnegative")


CONTEXTUAL = Domain.of(d="(0, inf)", T="(0, inf)", price="(0, inf)", L="(0, inf)")


@claim(
    "RDP-S1/contextual",
    r"Contextual bandits, given $d$: the cells $d\log(T)\sqrt T$ and $d^2\sqrt{\frac\alpha\epsilon}\log^2T$ are "
    r"$<factor>\,d\log^{<extra>}T\cdot\sqrt T$ and $<factor>\,d^2\log^{<extra>}T\cdot\sqrt{\frac\alpha\epsilon}\log T$ "
    "(squares added).",
    domain=CONTEXTUAL, constants={"extra": 1, "factor": 1},
    mutations=[mutation("no hidden logarithm", extra=0, factor=100), mutation("9/10", factor="9/10")],
    strongest="symbolic",
)  # fmt: skip
def contextual_bandits(check: Check) -> None:
    points = [{"d": ONE, "T": ONE, "price": ONE, "L": L} for L in (ONE, Fraction(10**4))]
    if not check.search(contextual_cost, points, rational=True):
        check.symbolic(contextual_cost, contextual_cost_argument, routes=("the cell", "the stated order"))


def uniform_cost(d: Any, price: Any, L: Any, constant: Any, power: Any) -> Sides:
    """(d^2 sqrt(price) L^2)^2 against (constant L^power sqrt(price) L)^2."""
    return d**4 * price * L**4, "<=", constant**2 * L ** (2 * power) * price * L**2


@claim(
    "RDP-S1/uniformly-in-the-dimension",
    r"The cost is $\sqrt{\frac\alpha\epsilon}\log T$ up to $<constant>\log^{<power>}T$ uniformly in $d$ (contextual "
    "bandits).",
    role="reading", domain=Domain.of(d="[1, inf)", price="(0, inf)", L="[1, inf)"),
    constants={"constant": 1000, "power": 2},
)  # fmt: skip
def uniformly_in_the_dimension(check: Check) -> None:
    """Neither d nor K is in the headline, and the cells have d^2."""
    check.counterexample(uniform_cost, {"d": Fraction(100), "price": ONE, "L": ONE}, rational=True)


def cost_with_dimension(d: Any, price: Any, L: Any, factor: Any) -> Sides:
    return d**4 * price * L**4, "<=", factor**2 * d**4 * L**2 * (price * L**2)


def cost_with_dimension_argument(factor: Any) -> SymbolicArgument:
    (more, extra), price = nonnegative("m l"), positive("p")
    slack = (factor**2 - 1) * (1 + more) ** 4 * (1 + extra) ** 4 * price
    return SymbolicArgument({"d": 1 + more, "price": price, "L": 1 + extra}, slack, "nonnegative")


@claim(
    "RDP-S1/with-the-dimension", r"It is up to $<factor>\,d^2\log T$.",
    role="repair", repairs="RDP-S1/uniformly-in-the-dimension",
    domain=Domain.of(d="[1, inf)", price="(0, inf)", L="[1, inf)"), constants={"factor": 1},
    mutations=[mutation("9/10", factor="9/10")], strongest="symbolic",
)  # fmt: skip
def cost_with_the_dimension(check: Check) -> None:
    if not check.search(cost_with_dimension, [{"d": ONE, "price": ONE, "L": ONE}], rational=True):
        check.symbolic(cost_with_dimension, cost_with_dimension_argument, routes=("the cell", "the stated order"))
