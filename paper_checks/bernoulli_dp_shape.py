"""Checks of facts about d_epsilon that are not printed but follow: its shape, and the DP-KLUCB index in closed form."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_divergence import XY, equal_in_the_square, printed_minimiser, saturation
from banditproof.paper_checks.bernoulli_dp_dual import CLOSED_SQUARE, INSIDE_BELOW
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.privacy_regimes import (
    STRICTLY_BELOW_INSIDE,
    Regime,
    by_regime,
    entropy_class,
    factored,
    factored_if_symbolic,
    mean,
    prove,
    relative_entropy,
    settled,
    slope,
)
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.bernoulli import (
    d_epsilon,
    d_epsilon_depsilon,
    d_epsilon_dual_objective,
    dp_klucb_index,
)
from banditproof.theory.numeric import SYMBOL, absolute, exp, log, system, to_ball, where
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument, by_logarithms

# ----------------------------------------------------------------------------------------------------------- DF4, shape


def mirror_image(x: Any, y: Any, epsilon: Any, flip: Any) -> tuple[Any, str, Any]:
    x_m, y_m = (factored_if_symbolic(flip * (1 - v) + (1 - flip) * v) for v in ((x, y) if flip == 1 else (y, x)))
    return settled(d_epsilon(x, y, epsilon)), "==", settled(d_epsilon(x_m, y_m, epsilon))


@claim(
    "BDP-DF4/symmetry", r"$d_\epsilon(x,y)=d_\epsilon(1-x,1-y)$.", domain=CLOSED_SQUARE, constants={"flip": 1},
    mutations=[mutation("swapped arguments instead", flip=0)], strongest="symbolic",
)  # fmt: skip
def symmetry(check: Check) -> None:
    prove(check, mirror_image, equal_in_the_square, routes=("closed form", "closed form at the mirror image"))


def dual_along_a_segment(x: Any, y: Any, u: Any, v: Any, lam: Any, t: Any, room: Any) -> tuple[Any, str, Any]:
    ends = t * d_epsilon_dual_objective(lam, x, y) + (1 - t) * d_epsilon_dual_objective(lam, u, v)
    inside = d_epsilon_dual_objective(lam, t * x + (1 - t) * u, t * y + (1 - t) * v)
    return settled(inside) + room * t * (1 - t), "<=", settled(ends)


def _weights() -> tuple[Any, Any, Any, Any, Any, Any]:
    import sympy

    w, p, q, m, n, g = sympy.symbols("w p q m n g", positive=True)
    return mean(p), mean(m), mean(q), mean(n), sympy.log(g), mean(w)


def segment() -> SymbolicArgument:
    """-log is convex: t E(1, A/M) + (1-t) E(1, B/M) with M = t A + (1-t) B."""
    E = entropy_class()
    x, y, u, v, lam, t = _weights()
    at = [factored(1 - m + m * exp(lam)) for m in (y, v, t * y + (1 - t) * v)]
    certificate = t * E(1, factored(at[0] / at[2])) + factored(1 - t) * E(1, factored(at[1] / at[2]))
    return SymbolicArgument({"x": x, "y": y, "u": u, "v": v, "lam": lam, "t": t}, certificate, "nonnegative")


@claim(
    "BDP-DF4/convex",
    r"$d_\epsilon$ is jointly convex: a maximum (BDP-DF1) of the functions $\lambda x-\log(1-y+ye^\lambda)$, each "
    r"convex along every "
    r"segment (with room $<room>\,t(1-t)$ to spare).",
    domain=Domain.of(x="(0, 1)", y="(0, 1)", u="(0, 1)", v="(0, 1)", lam="(-inf, inf)", t="(0, 1)"),
    constants={"room": 0}, mutations=[mutation("strongly convex", room="1/100")], strongest="symbolic",
)  # fmt: skip
def jointly_convex(check: Check) -> None:
    half = Fraction(1, 2)
    hints = [{"x": half, "y": half, "u": half, "v": half, "lam": Fraction(1), "t": half}]
    if not check.search(dual_along_a_segment, hints):
        check.symbolic(
            dual_along_a_segment, segment, routes=("dual objective inside", "dual objective at the ends"), points=8
        )


def slope_in_the_budget(x: Any, y: Any, epsilon: Any, scale: Any) -> tuple[Any, str, Any]:
    paid = absolute(settled(printed_minimiser(x, y, epsilon)) - x)
    if system(x, y, epsilon) == SYMBOL:
        return slope(d_epsilon, (x, y, epsilon), 2, of_a_mean=False), "==", scale * settled(paid)
    return d_epsilon_depsilon(x, y, epsilon), "==", scale * paid


@claim(
    "BDP-DF4/slope-in-the-budget", r"$\partial_\epsilon d_\epsilon(x,y)=<scale>\,|z^*-x|\ge0$.",
    domain=CLOSED_SQUARE, constants={"scale": 1}, mutations=[mutation("1 % less", scale="99/100")],
    strongest="symbolic",
)  # fmt: skip
def nondecreasing_in_the_budget(check: Check) -> None:
    prove(check, slope_in_the_budget, equal_in_the_square, routes=("derivative of the closed form", "|z* - x|"))


def stationary_or_first(x: Any, y: Any, epsilon: Any) -> Any:
    """The minimiser as a case distinction, which can be differentiated."""
    below, above = saturation(y, epsilon), 1 - saturation(1 - y, epsilon)
    rising = lambda: where(x, "<", below, below, x)  # noqa: E731
    return where(x, "<=", y, rising, lambda: where(above, "<", x, above, x))


def bend_in_the_budget(x: Any, y: Any, epsilon: Any, room: Any) -> tuple[Any, str, Any]:
    """The derivative of |z* - x| in the budget, by differentiating the printed minimiser."""
    if system(x, y, epsilon) == SYMBOL:
        bend = factored(slope(stationary_or_first, (x, y, epsilon), 2, of_a_mean=False))
        return settled(where(x, "<", y, bend, -bend)), "<=", -room * epsilon
    below, above = saturation(y, epsilon), 1 - saturation(1 - y, epsilon)
    rising = lambda: where(x, "<", below, -below * (1 - below), 0 * x)  # noqa: E731
    free = where(x, "<=", y, rising, lambda: where(above, "<", x, -above * (1 - above), 0 * x))
    return free, "<=", -room * epsilon


@by_regime(("low", "high", "low_mirrored", "high_mirrored"), variables=XY)
def variance_where_privacy_costs(here: Regime) -> Any:
    return factored(here.minimiser * (1 - here.minimiser)) if here.paid != 0 else 0


@claim(
    "BDP-DF4/concave-in-the-budget",
    r"$\partial_\epsilon d_\epsilon=|z^*-x|$ is continuous and $\partial^2_\epsilon d_\epsilon\le-<room>\epsilon$ "
    r"on both sides of "
    r"$\epsilon_0$: $d_\epsilon$ is concave in $\epsilon$.",
    domain=Domain.of(x="(0, 1)", y="(0, 1)", epsilon="(0, inf)", where=["x != y"]), constants={"room": 0},
    mutations=[mutation("strictly", room="1/100")], strongest="symbolic",
)  # fmt: skip
def concave_in_the_budget(check: Check) -> None:
    hints = [{"x": Fraction(1, 4), "y": Fraction(1, 2), "epsilon": Fraction(2)}]
    prove(
        check,
        bend_in_the_budget,
        variance_where_privacy_costs,
        hints=hints,
        routes=("derivative of z*", "-z*(1-z*) or 0"),
    )


parts_decide(
    "BDP-DF4",
    r"$d_\epsilon$ is symmetric, jointly convex in $(x,y)$, and concave and nondecreasing in $\epsilon$.",
    domain=CLOSED_SQUARE,
)


# --------------------------------------------------------------------------------------------- DF5, the DP-KLUCB index


def index_formula(x: Any, y: Any, epsilon: Any, rate: Any) -> tuple[Any, str, Any]:
    level = settled(d_epsilon(x, y, epsilon))
    grown = exp(-rate * (level + epsilon * x))
    if system(x, y, epsilon) == SYMBOL:
        grown = factored(exp(by_logarithms(-rate * (level + epsilon * x))))
    return factored_if_symbolic((1 - grown) / (1 - exp(-epsilon))), "==", y


@by_regime(("high", "first_is_0"), "zero", XY)
def equal_in_high_privacy(here: Regime) -> Any:
    return 0


@claim(
    "BDP-DF5/closed-form",
    r"In the high privacy regime the level $c=d_\epsilon(x,y)$ is reached at $y=\frac{1-e^{-<rate>(c+\epsilon "
    r"x)}}{1-e^{-\epsilon}}$.",
    domain=INSIDE_BELOW.restrict(where=["epsilon < privacy_threshold(x, y)"]), constants={"rate": 1},
    mutations=[mutation("1.1 c", rate="11/10")], strongest="symbolic",
)  # fmt: skip
def index_in_closed_form(check: Check) -> None:
    prove(
        check,
        index_formula,
        equal_in_high_privacy,
        routes=("closed form of the index", "mean whose divergence is the level"),
    )


def index_reaches_one(x: Any, y: Any, epsilon: Any, factor: Any) -> tuple[Any, str, Any]:
    return settled(d_epsilon(x, y, epsilon)), "<", factor * epsilon * (1 - x)


@by_regime((*STRICTLY_BELOW_INSIDE, "tie"), "positive", XY)
def room_below_one(here: Regime) -> Any:
    return here.epsilon * factored(1 - here.y) + relative_entropy(here.y, here.minimiser) + here.slack * here.gap


@claim(
    "BDP-DF5/one-from-the-saturation-level",
    r"$d_\epsilon(x,y)<<factor>\epsilon(1-x)=d_\epsilon(x,1)$ for $x\le y<1$: the index is 1 iff the level is at least "
    r"$\epsilon(1-x)$.",
    domain=Domain.of(x="[0, 1)", y="(0, 1)", epsilon="(0, inf)", where=["x <= y"]), constants={"factor": 1},
    mutations=[mutation("5 % less", factor="19/20")], strongest="symbolic",
)  # fmt: skip
def index_is_one(check: Check) -> None:
    hints = [{"x": Fraction(0), "y": Fraction(99, 100), "epsilon": Fraction(1)}]
    prove(check, index_reaches_one, room_below_one, hints=hints, routes=("closed form", "value at y = 1"))


def index_solves_its_equation(x: Any, level: Any, epsilon: Any, shift: Any) -> tuple[Any, str, Any]:
    top = where(level + shift, ">=", epsilon * (1 - x), epsilon * (1 - x), level + shift)
    return absolute(d_epsilon(x, dp_klucb_index(x, level, epsilon), epsilon) - top), "<=", to_ball("1e-25")


@claim(
    "BDP-DF5/index",
    r"The index $U$ solves $d_\epsilon(x,U)=\min\{c+<shift>,\epsilon(1-x)\}$ to $10^{-25}$.",
    domain=Domain.of(x="[0, 1]", level="[0, inf)", epsilon="(0, inf)"), constants={"shift": 0},
    mutations=[mutation("level 0.001 higher", shift="1/1000")], strongest="enumeration",
)  # fmt: skip
def index_on_a_grid(check: Check) -> None:
    grid = {
        "x": ["0", "0.1", "1/2", "0.9", "1"],
        "level": ["0.001", "0.05", "0.3", "2"],
        "epsilon": ["0.1", "1/2", "1", "4"],
    }
    check.enumerate(
        index_solves_its_equation, grid, routes=("index by closed form and Newton steps", "divergence at the index")
    )


def tied_pulls(epsilon: Fraction, x: Fraction, horizon: int, pulls: int) -> tuple[Any, str, Any]:
    """The largest N with log T / N >= epsilon (1 - x), from a ball, and the stated number."""
    largest = log(to_ball(horizon)) / (epsilon * (1 - x))
    return int(largest.floor().unique_fmpz()), "==", pulls


@claim(
    "BDP-DF5/ties", r"For $\epsilon=0.25$, $x=0.5$, $T=10^6$ all arms with at most <pulls> pulls tie at index 1, "
                    r"and no more.",
    domain=Domain.of(epsilon=["1/4"], x=["1/2"], horizon=[10**6]), constants={"pulls": 110},
    mutations=[mutation("109", pulls=109)], strongest="enumeration",
)  # fmt: skip
def ties(check: Check) -> None:
    check.enumerate(
        tied_pulls, {"epsilon": ["1/4"], "x": ["1/2"], "horizon": [10**6]}, routes=("log T / (epsilon (1-x))", "110")
    )


parts_decide(
    "BDP-DF5", r"The DP-KLUCB index in closed form: 1 from level $\epsilon(1-x)$ on, explicit above "
               r"$\mathrm{kl}(x,g)$, else KL-UCB.",
    domain=Domain.of(x="[0, 1]", level="[0, inf)", epsilon="(0, inf)"),
)  # fmt: skip
