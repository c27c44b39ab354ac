"""The price of RDP with finite arms, in the places of the RDP paper that state it: RDP-S1, TB1, S3, S4, S9.

The linear and contextual rows are in `rdp_linear_prices`. L stands for log T, price for alpha/epsilon. Orders of
logarithms are compared as squares.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.rdp_regret import positive
from banditproof.paper_checks.recorded_privacy import Sides
from banditproof.paper_checks.register import claim, mutation, not_checkable, parts_decide
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument


def nonnegative(name: str) -> Any:
    import sympy

    return sympy.Symbol(name, nonnegative=True)


PRIVATE = Domain.of(arms="(0, inf)", price="(0, inf)", L="(0, inf)")


def private_terms(arms: Any, price: Any, L: Any, halves: Any, factor: Any) -> Sides:
    """(K sqrt(price L))^2 against (factor K sqrt(price) L^(halves/2))^2; price = alpha/epsilon."""
    return arms**2 * price * L, "<=", factor**2 * arms**2 * price * L**halves


def weaker_argument(halves: Any, factor: Any) -> SymbolicArgument:
    K, price = positive("K p")
    more = nonnegative("m")
    slack = K**2 * price * (1 + more) * (factor**2 * (1 + more) ** (halves - 1) - 1)
    import sympy

    return SymbolicArgument({"arms": K, "price": price, "L": 1 + more}, sympy.expand(slack), "nonnegative")


def table_terms(arms: Any, price: Any, L: Any, halves: Any, factor: Any) -> Sides:
    """The other way round: (K sqrt(price) L^(halves/2))^2 against (factor K sqrt(price L))^2."""
    return arms**2 * price * L**halves, "<=", factor**2 * arms**2 * price * L


def table_argument(halves: Any, factor: Any) -> SymbolicArgument:
    K, price, L = positive("K p L")
    slack = K**2 * price * (factor**2 * L - L**halves)
    return SymbolicArgument({"arms": K, "price": price, "L": L}, slack, "nonnegative")


WEAKER: dict[str, Any] = {
    "domain": PRIVATE.restrict(L="[1, inf)"),
    "constants": {"halves": 2, "factor": 1},
    "mutations": [mutation("9/10", factor="9/10")],
    "strongest": "symbolic",
}


def weaker(check: Check) -> None:
    if not check.search(private_terms, [{"arms": Fraction(1), "price": Fraction(1), "L": Fraction(1)}], rational=True):
        check.symbolic(private_terms, weaker_argument, routes=("Corollary 6", "the stated order"))


def same_order(check: Check) -> None:
    """Their ratio is sqrt(log T), which no constant bounds."""
    point = {"arms": Fraction(1), "price": Fraction(1), "L": Fraction(10**5)}
    check.counterexample(table_terms, point, rational=True)


def same_order_with_the_root(check: Check) -> None:
    point = {"arms": Fraction(1), "price": Fraction(1), "L": Fraction(10**5)}
    if not check.search(table_terms, [point], rational=True):
        check.symbolic(table_terms, table_argument, routes=("one place", "the other"))


SAME: dict[str, Any] = {"domain": PRIVATE, "constants": {"halves": 2, "factor": 100}}
ROOT: dict[str, Any] = {
    "domain": PRIVATE,
    "constants": {"halves": 1, "factor": 1},
    "mutations": [mutation("log T", halves=2, factor=100)],
    "strongest": "symbolic",
}

parts_decide(
    "RDP-S1",
    r"The cost of RDP is $\tilde O(\sqrt{\alpha/\epsilon}\log T)$, the part without privacy $\tilde O(\sqrt T)$ "
    r"(finite "
    "arms; the other settings are parts of their own).",
)


@claim(
    "RDP-S1/finite-arms-cost",
    r"Corollary 6's $K\sqrt{\frac\alpha\epsilon\log T}$ is at most "
    r"$<factor>K\sqrt{\frac\alpha\epsilon}\log^{<halves>/2}T$ "
    r"for $\log T\ge1$.",
    **WEAKER,
)  # fmt: skip
def cost_in_the_abstract(check: Check) -> None:
    weaker(check)


def free_part(horizon: Any, arms: Any, L: Any, beta: Any, root: Any) -> Sides:
    """(4 sqrt(2 beta K T L))^2 against root^2 (sqrt(beta K L) sqrt T)^2."""
    return 32 * beta * arms * horizon * L, "<=", root**2 * beta * arms * L * horizon


def free_argument(root: Any) -> SymbolicArgument:
    T, K, L, beta = positive("T K L b")
    slack = (root**2 - 32) * T * K * L * beta
    return SymbolicArgument({"horizon": T, "arms": K, "L": L, "beta": beta}, slack, "nonnegative")


@claim(
    "RDP-S1/finite-arms-free-part",
    r"The other term of Corollary 6, explicitly $4\sqrt{2\beta KT\log T}$, is at most $<root>\sqrt{\beta K\log "
    r"T}\sqrt T$.",
    domain=Domain.of(horizon="(0, inf)", arms="(0, inf)", L="(0, inf)", beta="(0, inf)"), constants={"root": 6},
    mutations=[mutation("5", root=5)], strongest="symbolic",
)  # fmt: skip
def part_without_privacy(check: Check) -> None:
    one = {name: Fraction(1) for name in ("horizon", "arms", "L", "beta")}
    if not check.search(free_part, [one], rational=True):
        check.symbolic(free_part, free_argument)


parts_decide(
    "RDP-TB1",
    r"Table 1: finite arms $O(\sqrt{KT\log T})+O(K\sqrt{\frac\alpha\epsilon}\log T)$ by Corollary 6; linear and "
    r"contextual "
    "bandits (parts of their own).",
    twins=["ZCDP-TB1"],
)


@claim(
    "RDP-TB1/finite-arms",
    r"The private term of the cell follows from Corollary 6: $K\sqrt{\frac\alpha\epsilon\log T}\le<factor>K\sqrt{\frac"
    r"\alpha\epsilon}\log^{<halves>/2}T$ for $\log T\ge1$; the other term is the same.",
    **WEAKER,
)  # fmt: skip
def cell_of_finite_arms(check: Check) -> None:
    weaker(check)


@claim(
    "RDP-TB1/same-as-corollary-6",
    r"Table 1 states Corollary 6: its $K\sqrt{\frac\alpha\epsilon}\log^{<halves>/2}T$ is at most $<factor>$ times the "
    r"$K\sqrt{\frac\alpha\epsilon\log T}$ there.",
    role="reading", **SAME,
)  # fmt: skip
def table_and_corollary(check: Check) -> None:
    same_order(check)


@claim(
    "RDP-TB1/root-of-the-logarithm",
    r"With $\log^{<halves>/2}T$ in the cell, it does ($<factor>$ times).",
    role="repair", repairs="RDP-TB1/same-as-corollary-6", **ROOT,
)  # fmt: skip
def table_with_the_root(check: Check) -> None:
    same_order_with_the_root(check)


@claim(
    "RDP-TB1/same-as-zcdp-table",
    r"Table 1 of this paper and Table I of the zCDP paper agree on finite arms, $\frac\alpha\epsilon=\frac1\rho$: "
    r"$K\sqrt{\frac\alpha\epsilon}\log^{<halves>/2}T$ here is at most $<factor>$ times $\frac "
    r"K{\sqrt\rho}\sqrt{\log T}$ there.",
    role="reading", twins=["ZCDP-TB1"], **SAME,
)  # fmt: skip
def tables_of_both_papers(check: Check) -> None:
    same_order(check)


@claim(
    "RDP-TB1/same-as-zcdp-table-with-the-root",
    r"With $\log^{<halves>/2}T$, as Corollary 6 has it, the papers agree ($<factor>$ times).",
    role="repair", repairs="RDP-TB1/same-as-zcdp-table", twins=["ZCDP-TB1"], **ROOT,
)  # fmt: skip
def tables_with_the_root(check: Check) -> None:
    same_order_with_the_root(check)


parts_decide(
    "RDP-S3",
    r"The gap-dependent regret of AdaR-UCB has an additive $O(\sqrt{\frac\alpha\epsilon}\log T)$ due to RDP, in "
    r"contrast to "
    r"$\Omega(\frac{\log T}\epsilon)$ for $\epsilon$-global DP.",
)


@claim(
    "RDP-S3/additive-term",
    r"The term of Theorem 5 is of that order: $\sqrt{\frac\alpha\epsilon\log T}\le<factor>\sqrt{\frac\alpha\epsilon}"
    r"\log^{<halves>/2}T$ for $\log T\ge1$ (per arm, $8\sqrt\beta$ left out).",
    **WEAKER,
)  # fmt: skip
def additive_term(check: Check) -> None:
    weaker(check)


@claim(
    "RDP-S3/same-as-after-theorem-5",
    r"The introduction and the discussion of Theorem 5 state the same term: "
    r"$\sqrt{\frac\alpha\epsilon}\log^{<halves>/2}T$ is "
    r"at most $<factor>$ times $\sqrt{\frac\alpha\epsilon\log T}$.",
    role="reading", **SAME,
)  # fmt: skip
def two_places_of_one_paper(check: Check) -> None:
    same_order(check)


@claim(
    "RDP-S3/term-after-theorem-5", r"With $\log^{<halves>/2}T$ they do ($<factor>$ times).",
    role="repair", repairs="RDP-S3/same-as-after-theorem-5", **ROOT,
)  # fmt: skip
def two_places_with_the_root(check: Check) -> None:
    same_order_with_the_root(check)


def price_against_pure(price: Any, epsilon: Any, more: Any, share: Any, scale: Any) -> Sides:
    """price L against (share L/epsilon)^2 for L = scale price epsilon^2/share^2 + more: squares of the two prices."""
    L = scale * price * epsilon**2 / share**2 + more
    return price * L, "<=", share**2 * L**2 / epsilon**2


def pure_argument(scale: Any) -> SymbolicArgument:
    price, epsilon, share = positive("p e s")
    more = nonnegative("m")
    L = scale * price * epsilon**2 / share**2 + more
    slack = L * ((scale - 1) * price + share**2 * more / epsilon**2)
    return SymbolicArgument({"price": price, "epsilon": epsilon, "share": share, "more": more}, slack, "nonnegative")


PRICES = Domain.of(price="(0, inf)", epsilon="(0, inf)", share="(0, inf)", more="[0, inf)")


@claim(
    "RDP-S3/contrast",
    r"The contrast needs the root: $\sqrt{\frac\alpha\epsilon\log T}\le\eta\frac{\log T}\epsilon$ as soon as "
    r"$\log T\ge<scale>\frac{\alpha\epsilon}{\eta^2}$, for every $\eta>0$.",
    domain=PRICES, constants={"scale": 1}, mutations=[mutation("nine tenths", scale="0.9")], strongest="symbolic",
)  # fmt: skip
def contrast_with_pure_privacy(check: Check) -> None:
    one = {"price": Fraction(1), "epsilon": Fraction(1), "share": Fraction(1), "more": Fraction(0)}
    if not check.search(price_against_pure, [one], rational=True):
        check.symbolic(price_against_pure, pure_argument, routes=("price of RDP", "price of pure privacy"))


def price_against_gap(price: Any, epsilon: Any, share: Any, more: Any, scale: Any) -> Sides:
    """As above with the gap in the place of epsilon: (share L/gap)^2."""
    return price_against_pure(price, epsilon, more, share, scale)


@claim(
    "RDP-S4",
    r"The price is negligible: $\sqrt{\frac\alpha\epsilon\log T}\le\eta\frac{\log T}\Delta$ as soon as $\log "
    r"T\ge<scale>"
    r"\frac{\alpha\Delta^2}{\epsilon\eta^2}$, for every $\eta>0$ (the variable epsilon is $\Delta$).",
    domain=PRICES, constants={"scale": 1}, mutations=[mutation("nine tenths", scale="0.9")], strongest="symbolic",
)  # fmt: skip
def price_is_negligible(check: Check) -> None:
    one = {"price": Fraction(1), "epsilon": Fraction(1), "share": Fraction(1), "more": Fraction(0)}
    if not check.search(price_against_gap, [one], rational=True):
        check.symbolic(price_against_gap, pure_argument, routes=("price of RDP", "part without privacy"))


# ----------------------------------------------------------------------------------------------------------- RDP-S9

not_checkable(
    "RDP-S9",
    r"Lower bounds are left open; Theorem 5 suggests $\Omega(\sqrt{\frac\alpha\epsilon\log T})$ for the "
    "problem-dependent price.",
    "unspecified constant", "a constant, and the class of policies and instances that the conjecture speaks of",
)  # fmt: skip


def suggested(price: Any, L: Any, beta: Any, factor: Any) -> Sides:
    """(8 sqrt(beta alpha/epsilon) sqrt L)^2 against (factor sqrt beta sqrt(alpha/epsilon log T))^2."""
    return 64 * beta * price * L, "==", factor**2 * beta * price * L


def suggested_argument(factor: Any) -> SymbolicArgument:
    price, L, beta = positive("p L b")
    return SymbolicArgument({"price": price, "L": L, "beta": beta}, 0 * L, "zero")


@claim(
    "RDP-S9/suggested",
    r"The price in Theorem 5 is $<factor>\sqrt\beta$ times $\sqrt{\frac\alpha\epsilon\log T}$ per arm: the "
    r"conjecture is "
    r"its order.",
    role="remark", domain=Domain.of(price="(0, inf)", L="(0, inf)", beta="(0, inf)"), constants={"factor": 8},
    mutations=[mutation("7", factor=7)], strongest="symbolic",
)  # fmt: skip
def order_of_the_conjecture(check: Check) -> None:
    one = {"price": Fraction(1), "L": Fraction(1), "beta": Fraction(1)}
    if not check.search(suggested, [one], rational=True):
        check.symbolic(suggested, suggested_argument)
