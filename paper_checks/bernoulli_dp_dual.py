"""Checks of facts about d_epsilon that are not printed but follow: its dual, its stable forms, its values at edges."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_divergence import XY, equal_in_the_square, saturation
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.privacy_regimes import (
    BELOW,
    OPEN_SQUARE,
    Case,
    Regime,
    by_regime,
    factored,
    log_growth,
    mean,
    prove,
    relative_entropy,
    settled,
)
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.bernoulli import (
    d_epsilon,
    d_epsilon_dual_objective,
    kl_bernoulli,
)
from banditproof.theory.numeric import absolute, exp, log, maximum, minimum, to_ball, where
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

CLOSED_SQUARE = Domain.of(x="[0, 1]", y="[0, 1]", epsilon="(0, inf)")
INSIDE_BELOW = Domain.of(x="[0, 1)", y="(0, 1)", epsilon="(0, inf)", where=["x < y"])

# -------------------------------------------------------------------------------------------------------- DF1, the dual


def dual_feasible(x: Any, y: Any, epsilon: Any, share: Any, reach: Any) -> tuple[Any, str, Any]:
    dual = d_epsilon_dual_objective(reach * share * epsilon, x, y)
    return settled(dual), "<=", settled(d_epsilon(x, y, epsilon))


def _multiplier(here: Regime) -> dict[str, Any]:
    """lam with e^lam between e^-epsilon and e^epsilon, as its share of epsilon."""
    import sympy

    w, E = sympy.Symbol("w_", nonnegative=True), exp(here.epsilon)
    return {"share": sympy.log(factored((1 + w * E * E) / (E * (1 + w)))) / here.epsilon}


MULTIPLIERS = {
    "inside": Case(_multiplier, {"share": "[-1, 1)"}),
    "largest": Case(lambda here: {"share": 1}, {"share": "[1, 1]"}),
}


@by_regime(BELOW, variables=XY, cases=MULTIPLIERS)
def value_above_the_dual(here: Regime, share: Any) -> Any:
    """d_epsilon - dual(lam) = kl(z*, tilted y) + (lam - lam*)(z* - x), with lam* = -epsilon wherever z* > x."""
    grown = factored(exp(share * here.epsilon))
    tilted = factored(here.y * grown / (1 - here.y + here.y * grown))
    beyond = log_growth(grown * exp(here.epsilon) - 1)
    return relative_entropy(here.minimiser, tilted) + beyond * here.paid


@claim(
    "BDP-DF1/bound",
    r"$\lambda x-\log(1-y+ye^\lambda)\le d_\epsilon(x,y)$ for $|\lambda|\le <reach>\epsilon$ and $x\le y$.",
    domain=Domain.of(x="[0, 1)", y="(0, 1]", epsilon="(0, inf)", share="[-1, 1]", where=["x <= y"]),
    constants={"reach": 1}, mutations=[mutation("a tenth beyond epsilon", reach="11/10")], strongest="symbolic",
)  # fmt: skip
def dual_bound(check: Check) -> None:
    hints = [{"x": Fraction(0), "y": Fraction(1, 2), "epsilon": Fraction(1), "share": Fraction(-1)}]
    prove(check, dual_feasible, value_above_the_dual, hints=hints, routes=("dual objective", "closed form"))


def dual_value(x: Any, y: Any, epsilon: Any, reach: Any) -> tuple[Any, str, Any]:
    unclipped = log(x * (1 - y) / (y * (1 - x)))
    multiplier = maximum(-reach * epsilon, minimum(reach * epsilon, unclipped))
    return settled(d_epsilon_dual_objective(settled(multiplier), x, y)), "==", settled(d_epsilon(x, y, epsilon))


@by_regime(OPEN_SQUARE, "zero", XY)
def equal_inside(here: Regime) -> Any:
    return 0


@claim(
    "BDP-DF1/attained",
    r"The dual is attained at $\lambda^*=\mathrm{logit}\,x-\mathrm{logit}\,y$ clipped to "
    r"$[-<reach>\epsilon,<reach>\epsilon]$.",
    domain=Domain.of(x="(0, 1)", y="(0, 1)", epsilon="(0, inf)"), constants={"reach": 1},
    mutations=[mutation("a tenth beyond epsilon", reach="11/10")], strongest="symbolic",
)  # fmt: skip
def dual_attained(check: Check) -> None:
    hints = [{"x": Fraction(1, 10), "y": Fraction(1, 2), "epsilon": Fraction(1)}]
    prove(
        check, dual_value, equal_inside, hints=hints, routes=("dual objective at the clipped multiplier", "closed form")
    )


parts_decide(
    "BDP-DF1", r"$d_\epsilon(x,y)=\max_{|\lambda|\le\epsilon}\{\lambda x-\log(1-y+ye^\lambda)\}$.", domain=CLOSED_SQUARE
)


# --------------------------------------------------------------------------------- DF2 and DF3, stable forms and edges


def stable_form(x: Any, y: Any, epsilon: Any, rate: Any) -> tuple[Any, str, Any]:
    kl = lambda: kl_bernoulli(x, y)  # noqa: E731
    below = lambda: -rate * epsilon * x - log(1 - y * (1 - exp(-rate * epsilon)))  # noqa: E731
    above = lambda: -rate * epsilon * (1 - x) - log(1 - (1 - y) * (1 - exp(-rate * epsilon)))  # noqa: E731
    when_below = lambda: where(x, "<", saturation(y, epsilon), below, kl)  # noqa: E731
    when_above = lambda: where(1 - x, "<", saturation(1 - y, epsilon), above, kl)  # noqa: E731
    form = where(x, "==", y, 0 * epsilon, lambda: where(x, "<", y, when_below, when_above))
    return settled(form), "==", settled(d_epsilon(x, y, epsilon))


@claim(
    "BDP-DF2",
    r"In the high privacy regime $d_\epsilon(x,y)=-<rate>\epsilon x-\log(1-y(1-e^{-<rate>\epsilon}))$ for $x\le y$, "
    r"its mirror image "
    r"for $x\ge y$; else it is $\mathrm{kl}(x,y)$.",
    domain=CLOSED_SQUARE, constants={"rate": 1}, mutations=[mutation("1.1 epsilon", rate="11/10")],
    strongest="symbolic",
)  # fmt: skip
def stable_closed_form(check: Check) -> None:
    prove(check, stable_form, equal_in_the_square, routes=("stable form", "closed form"))


def edge_value(x: Any, y: Any, epsilon: Any, scale: Any) -> tuple[Any, str, Any]:
    """d_epsilon at an edge of the square, or on its diagonal, and what it is there."""
    kept = exp(-epsilon)
    corner = lambda: -log(y + (1 - y) * kept)  # noqa: E731
    first_zero = lambda: where(x, "==", 0, lambda: -log(1 - y + y * kept), corner)  # noqa: E731
    second_one = lambda: where(y, "==", 1, lambda: epsilon * (1 - x), first_zero)  # noqa: E731
    stated = where(x, "==", y, 0 * epsilon, lambda: where(y, "==", 0, lambda: epsilon * x, second_one))
    return settled(d_epsilon(x, y, epsilon)), "==", scale * settled(stated)


EDGES = {
    "second-is-0": (("second_is_1_mirrored",), r"d_\epsilon(x,0)=\epsilon x", {"x": "(0, 1]", "y": "[0, 0]"}),
    "second-is-1": (("second_is_1",), r"d_\epsilon(x,1)=\epsilon(1-x)", {"x": "[0, 1)", "y": "[1, 1]"}),
    "first-is-0": (("first_is_0",), r"d_\epsilon(0,y)=-\log(1-y+ye^{-\epsilon})", {"x": "[0, 0]", "y": "(0, 1)"}),
    "first-is-1": (
        ("first_is_0_mirrored",),
        r"d_\epsilon(1,y)=-\log(y+(1-y)e^{-\epsilon})",
        {"x": "[1, 1]", "y": "(0, 1)"},
    ),
}


@by_regime(("first_is_0", "second_is_1", "first_is_0_mirrored", "second_is_1_mirrored"), "zero", XY)
def equal_at_the_edges(here: Regime) -> Any:
    return 0


def _edge(check: Check) -> None:
    arguments = {name: argument for argument, name, _ in equal_at_the_edges.pieces}  # type: ignore[attr-defined]
    (name,) = EDGES[check.claim_id.partition("/")[2]][0]
    points = [{"x": Fraction(i), "y": Fraction(j), "epsilon": Fraction(1)} for i in (0, 1) for j in (0, 1)]
    middle = [{"x": Fraction(i, 2), "y": Fraction(j, 2), "epsilon": Fraction(1)} for i in range(3) for j in range(3)]
    if not check.search(edge_value, (p for p in (*middle, *points) if check.domain.contains(p))):
        check.symbolic(edge_value, arguments[name], routes=("closed form", "value at the edge"), points=8)


for _name, (_, _formula, _sets) in EDGES.items():
    claim(
        f"BDP-DF3/{_name}", f"${_formula}$ (times <scale>).", domain=Domain.of(**_sets, epsilon="(0, inf)"),
        constants={"scale": 1}, mutations=[mutation("1 % less", scale="99/100")], strongest="symbolic",
    )(_edge)  # fmt: skip


def on_the_diagonal(x: Any, epsilon: Any, shift: Any) -> tuple[Any, str, Any]:
    return settled(d_epsilon(x, x, epsilon)), "==", shift * epsilon


def diagonal() -> SymbolicArgument:
    import sympy

    w, e = sympy.Symbol("w", nonnegative=True), sympy.Symbol("e", positive=True)
    return SymbolicArgument({"x": mean(w), "epsilon": sympy.log(1 + e)}, 0, "zero")


def corner() -> SymbolicArgument:
    import sympy

    return SymbolicArgument({"x": sympy.S(1), "epsilon": sympy.log(1 + sympy.Symbol("e", positive=True))}, 0, "zero")


@claim(
    "BDP-DF3/diagonal", r"$d_\epsilon(x,x)=<shift>\epsilon$.", domain=Domain.of(x="[0, 1]", epsilon="(0, inf)"),
    constants={"shift": 0}, mutations=[mutation("0.01 epsilon", shift="1/100")], strongest="symbolic",
)  # fmt: skip
def zero_on_the_diagonal(check: Check) -> None:
    if not check.search(on_the_diagonal, [{"x": Fraction(1, 2), "epsilon": Fraction(1)}]):
        check.symbolic(on_the_diagonal, diagonal, check.domain.restrict(x="[0, 1)"), points=8)
        check.symbolic(on_the_diagonal, corner, check.domain.restrict(x="[1, 1]"), points=8)


def without_budget(x: Any, y: Any, epsilon: Any, shift: Any) -> tuple[Any, str, Any]:
    return settled(d_epsilon(x, y, 0 * epsilon)), "==", shift * epsilon


@claim(
    "BDP-DF3/zero-budget", r"$d_0(x,y)=0$ (plus <shift> times any $\epsilon$).", domain=CLOSED_SQUARE,
    constants={"shift": 0},
    mutations=[mutation("0.01 epsilon", shift="1/100")], strongest="symbolic",
)  # fmt: skip
def zero_without_budget(check: Check) -> None:
    prove(check, without_budget, equal_in_the_square, routes=("closed form at budget 0", "0"))


def unlimited_budget(x: Any, y: Any, scale: Any) -> tuple[Any, str, Any]:
    return absolute(d_epsilon(x, y, float("inf")) - scale * kl_bernoulli(x, y)), "<=", to_ball("1e-25")


@claim(
    "BDP-DF3/infinite-budget", r"$d_\infty(x,y)=<scale>\,\mathrm{kl}(x,y)$ (to $10^{-25}$; for finite budgets see "
                               r"BDP-EQ8).",
    domain=Domain.of(x="[0, 1]", y="(0, 1)"), constants={"scale": 1}, mutations=[mutation("1 % less", scale="99/100")],
    strongest="enumeration",
)  # fmt: skip
def kl_with_unlimited_budget(check: Check) -> None:
    grid = {"x": ["0", "0.001", "1/4", "1/2", "1"], "y": ["1e-9", "0.1", "1/2", "3/4", "0.999"]}
    check.enumerate(unlimited_budget, grid, routes=("closed form at budget infinity", "kl"))


parts_decide("BDP-DF3", r"Values of $d_\epsilon$ on the edges of the square, on its diagonal, and at the extreme "
                        r"budgets.",
             domain=CLOSED_SQUARE)  # fmt: skip
