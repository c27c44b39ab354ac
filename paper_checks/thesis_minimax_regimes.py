r"""Where the minimax bounds change regime, Tables 4.1 and 4.2, and the remarks around them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_two_environments import SIZES, Sides
from banditproof.paper_checks.two_environments import positive, ratio, root
from banditproof.theory.minimax import privacy_regime_change
from banditproof.theory.numeric import sqrt
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

# ------------------------------------------------------------------------------------------ regimes of Theorem 4.15


def terms(horizon: Any, arms: Any, relative: Any) -> tuple[Any, Any]:
    """(K - 1)/(22 epsilon) and sqrt(T (K - 1))/27 at epsilon = relative sqrt((K - 1)/T)."""
    epsilon = relative * sqrt(ratio(arms - 1, horizon))
    return (arms - 1) / (22 * epsilon), root(horizon * (arms - 1)) / 27


def private_term_leads(horizon: Any, arms: Any, below: Any, threshold: Any) -> Sides:
    """At relative = threshold/below with below > 1."""
    private, free = terms(horizon, arms, threshold / below)
    return private, ">", free


def private_term_trails(horizon: Any, arms: Any, above: Any, threshold: Any) -> Sides:
    """At relative = threshold times above >= 1 the maximum is the non-private bound."""
    private, free = terms(horizon, arms, threshold * above)
    return private, "<=", free


def _sizes() -> tuple[Any, Any]:
    import sympy

    return sympy.symbols("T k", integer=True, positive=True)


def lead(threshold: Any) -> SymbolicArgument:
    import sympy

    y, (T, others) = positive("y"), _sizes()
    margin = (sympy.S(1) / (22 * threshold) - sympy.Rational(1, 27)) + y / (22 * threshold)
    variables = {"horizon": T, "arms": 1 + others, "below": 1 + y}
    return SymbolicArgument(variables, sympy.sqrt(T) * sympy.sqrt(others) * margin, "positive")


def trail(threshold: Any) -> SymbolicArgument:
    import sympy

    y, (T, others) = sympy.Symbol("y", nonnegative=True), _sizes()
    margin = sympy.Rational(1, 27) - sympy.S(1) / (22 * threshold) + y / ((1 + y) * 22 * threshold)
    variables = {"horizon": T, "arms": 1 + others, "above": 1 + y}
    return SymbolicArgument(variables, sympy.sqrt(T) * sympy.sqrt(others) * margin, "nonnegative")


BELOW, ABOVE = Domain.of(below="(1, inf)", **SIZES), Domain.of(above="[1, inf)", **SIZES)
SMALL: dict[str, Any] = {"horizon": 1, "arms": 2}
HIGH = r"For $\varepsilon<<threshold>\sqrt{\frac{K-1}T}$ the private term is the larger one."
LOW = r"For $\varepsilon\ge<threshold>\sqrt{\frac{K-1}T}$ the bound coincides with the non-private one."

parts_decide(
    "TH-S4.5c",
    r"High privacy is $\varepsilon<\frac{22}{27}\sqrt{\frac{K-1}T}$, low privacy the rest; for $T=10^6$, $K=100$ "
    r"bandits with and without View DP are equally hard for any $\varepsilon\ge0.01$.",
)


@claim(
    "TH-S4.5c/high-privacy", HIGH, domain=BELOW, constants={"threshold": "22/27"},
    mutations=[mutation("1.3", threshold="1.3")], strongest="symbolic",
)  # fmt: skip
def high_privacy(check: Check) -> None:
    if not check.search(private_term_leads, [{**SMALL, "below": 1 + Fraction(1, 2**n)} for n in (4, 8, 12)]):
        check.symbolic(private_term_leads, lead)


@claim("TH-S4.5c/low-privacy", LOW, domain=ABOVE, constants={"threshold": "22/27"})
def low_privacy(check: Check) -> None:
    """(K - 1)/(22 epsilon) = sqrt(T (K - 1))/27 at epsilon = (27/22) sqrt((K - 1)/T): the fraction is inverted."""
    check.counterexample(private_term_trails, {**SMALL, "above": Fraction(1)})


@claim(
    "TH-S4.5c/low-privacy-from-the-crossing", LOW, domain=ABOVE, role="repair", repairs="TH-S4.5c/low-privacy",
    constants={"threshold": "27/22"}, mutations=[mutation("1.2", threshold="1.2")], strongest="symbolic",
)  # fmt: skip
def low_privacy_from_the_crossing(check: Check) -> None:
    if not check.search(private_term_trails, [{**SMALL, "above": Fraction(1)}]):
        check.symbolic(private_term_trails, trail)


def illustrated(epsilon: Any, horizon: Any, arms: Any) -> Sides:
    """(K - 1)/(22 epsilon) <= sqrt(T (K - 1))/27 with both sides cleared of denominators and squared."""
    return (27 * (arms - 1)) ** 2, "<=", (22 * epsilon) ** 2 * (horizon * (arms - 1))


def from_one_part_in_81(horizon: Any, arms: Any) -> SymbolicArgument:
    import sympy

    y = sympy.Symbol("y", nonnegative=True)
    scale = 22**2 * horizon * (arms - 1)
    left = scale * (y**2 + 2 * y / 81) + sympy.Rational(scale, 81**2) - (27 * (arms - 1)) ** 2
    return SymbolicArgument({"epsilon": sympy.Rational(1, 81) + y}, sympy.expand(left), "nonnegative")


MILLION = {"horizon": 10**6, "arms": 100}
ILLUSTRATION = r"$T=<horizon>$, $K=<arms>$: the bound with View DP is the one without"


@claim(
    "TH-S4.5c/illustration", ILLUSTRATION + r" for any $\varepsilon\ge0.01$.", domain=Domain.of(epsilon="[1/100, inf)"),
    constants=MILLION,
)  # fmt: skip
def illustration(check: Check) -> None:
    """At epsilon = 0.01 the private term is 450, the other one 368.5."""
    check.counterexample(illustrated, {"epsilon": Fraction(1, 100)})


@claim(
    "TH-S4.5c/illustration-from-the-crossing", ILLUSTRATION + r" for any $\varepsilon\ge\frac1{81}=0.0123...$",
    domain=Domain.of(epsilon="[1/81, inf)"), role="repair", repairs="TH-S4.5c/illustration", constants=MILLION,
    mutations=[mutation("T = 900 000", horizon=900_000)], strongest="symbolic",
)  # fmt: skip
def illustration_from_the_crossing(check: Check) -> None:
    if not check.search(illustrated, [{"epsilon": Fraction(1, 81)}]):
        check.symbolic(illustrated, from_one_part_in_81)


# ------------------------------------------------------------------------------------------ regimes of Theorem 4.17


def linear_terms(dimension: Any, root_horizon: Any, relative: Any, two: Any) -> tuple[Any, Any]:
    """The terms of Theorem 4.17 at epsilon = relative 2 e/sqrt(T), both divided by e^-2."""
    epsilon = relative * two / root_horizon  # without the factor e
    return dimension / (4 * epsilon), dimension * root_horizon / 8


def linear_private_term_leads(dimension: Any, root_horizon: Any, below: Any, two: Any) -> Sides:
    private, free = linear_terms(dimension, root_horizon, 1 / below, two)
    return private, ">", free


def linear_private_term_trails(dimension: Any, root_horizon: Any, above: Any, two: Any) -> Sides:
    private, free = linear_terms(dimension, root_horizon, above, two)
    return private, "<=", free


def linear_lead(two: Any) -> SymbolicArgument:
    import sympy

    d = sympy.Symbol("d", integer=True, positive=True)
    r, y = positive("r y")
    return SymbolicArgument({"dimension": d, "root_horizon": r, "below": 1 + y}, d * r * y / 8, "positive")


def linear_trail(two: Any) -> SymbolicArgument:
    import sympy

    d = sympy.Symbol("d", integer=True, positive=True)
    r, y = positive("r"), sympy.Symbol("y", nonnegative=True)
    certificate = d * r * y / (8 * (1 + y))
    return SymbolicArgument({"dimension": d, "root_horizon": r, "above": 1 + y}, certificate, "nonnegative")


LINEAR = Domain.of(dimension="integer [1, inf)", root_horizon="(0, inf)")
UNIT = {"dimension": 1, "root_horizon": Fraction(1)}

parts_decide(
    "TH-S4.18r", r"The minimax bound of Theorem 4.17 changes regime at $\varepsilon=2e/\sqrt T$: the private term is "
    "larger below and not larger from there on.",
)  # fmt: skip


@claim(
    "TH-S4.18r/high-privacy", r"For $\varepsilon<<two>e/\sqrt T$ the private term of Theorem 4.17 is the larger one.",
    domain=LINEAR.restrict(below="(1, inf)"), constants={"two": 2}, mutations=[mutation("2.1", two="2.1")],
    strongest="symbolic",
)  # fmt: skip
def linear_high_privacy(check: Check) -> None:
    if not check.search(linear_private_term_leads, [{**UNIT, "below": 1 + Fraction(1, 2**n)} for n in (4, 8, 12)]):
        check.symbolic(linear_private_term_leads, linear_lead)


@claim(
    "TH-S4.18r/low-privacy", r"For $\varepsilon\ge<two>e/\sqrt T$ the bound of Theorem 4.17 is the non-private one.",
    domain=LINEAR.restrict(above="[1, inf)"), constants={"two": 2}, mutations=[mutation("1.9", two="1.9")],
    strongest="symbolic",
)  # fmt: skip
def linear_low_privacy(check: Check) -> None:
    if not check.search(linear_private_term_trails, [{**UNIT, "above": Fraction(1)}]):
        check.symbolic(linear_private_term_trails, linear_trail)


# --------------------------------------------------------------------------------------------- regimes under zCDP

parts_decide(
    "TH-S4.20r",
    r"Under zCDP the regime changes at $\rho\approx\frac1T$, that is at a constant over $T$ whatever $K$ or $d$, and "
    r"in line with $\varepsilon$-DP implying $\frac12\varepsilon^2$-zCDP.",
)


def zcdp_terms_meet(horizon: Any, arms: Any, root_rho_horizon: Any) -> Sides:
    """sqrt((K - 1)/rho)/124 and sqrt(T (K - 1))/27 at sqrt(rho T) = the constant."""
    others = root(arms - 1)
    return others * root(horizon) / (124 * root_rho_horizon), "==", root(horizon) * others / 27


def they_meet(root_rho_horizon: Any) -> SymbolicArgument:
    import sympy

    T, others = _sizes()
    return SymbolicArgument({"horizon": T, "arms": 1 + others}, sympy.S.Zero, "zero")


@claim(
    "TH-S4.20r/arms", r"The terms of Theorem 4.20 are equal at $\sqrt{\rho T}=<root_rho_horizon>$, whatever $K$.",
    domain=Domain.of(**SIZES), constants={"root_rho_horizon": "27/124"},
    mutations=[mutation("0.2", root_rho_horizon="0.2")], strongest="symbolic",
)  # fmt: skip
def zcdp_crossing(check: Check) -> None:
    if not check.search(zcdp_terms_meet, [SMALL]):
        check.symbolic(zcdp_terms_meet, they_meet)


def crossing_over_horizon(horizon: Any, size: Any, model: Any, least: Any, most: Any) -> Sides:
    """rho T at the computed crossing, as whether it lies within the constants."""
    at = privacy_regime_change(**{model: size}, horizon=horizon, budget="rho")
    return least <= at.lower * horizon <= at.upper * horizon <= most, "==", True


@claim(
    "TH-S4.20r/order", r"$<least>\le\rho T\le<most>$ at the change of regime of Theorems 4.20 and 4.21.",
    domain=Domain.of(horizon="integer [1, inf)", size="integer [1, inf)", model="all: arms or dimension"),
    constants={"least": "1/25", "most": "2.5"}, mutations=[mutation("at least 1/20", least="1/20"),
                                                           mutation("at most 2", most="2")],
    strongest="enumeration",
)  # fmt: skip
def order_of_the_crossing(check: Check) -> None:
    """27^2/124^2 = 0.047 for arms and 4 e^-1/2 = 2.43 for the linear model, whatever T, K and d."""
    over = [
        {"horizon": T, "size": size, "model": model}
        for T in (1, 10**3, 10**9) for size in (2, 50) for model in ("arms", "dimension")
    ]  # fmt: skip
    check.enumerate(crossing_over_horizon, over, rational=True, routes=("quotient of the terms", "constants"))


def consistent_with_pure(epsilon: Any, root_others: Any, quotient: Any) -> Sides:
    """Interactive epsilon-DP is epsilon^2/2-zCDP: the zCDP bound at that rho against the pure one."""
    return root_others / (quotient * sqrt(epsilon * epsilon / 2)), "<=", root_others * root_others / (22 * epsilon)


def pure_minus_zcdp(quotient: Any) -> SymbolicArgument:
    import sympy

    e, y = positive("e"), sympy.Symbol("y", nonnegative=True)
    room = sympy.sqrt(2) * (sympy.sqrt(2) / 44 - sympy.S(1) / quotient)
    certificate = (1 + y) / e * room + (1 + y) * y / (22 * e)
    return SymbolicArgument({"epsilon": e, "root_others": 1 + y}, certificate, "nonnegative")


@claim(
    "TH-S4.20r/consistency",
    r"$\frac1{<quotient>}\sqrt{\frac{K-1}{\varepsilon^2/2}}\le\frac1{22}\frac{K-1}\varepsilon$: Theorem 4.20 at "
    r"$\rho=\frac12\varepsilon^2$ never says more of pure DP policies than Theorem 4.15 (variable $\sqrt{K-1}$).",
    role="remark",
    domain=Domain.of(epsilon="(0, inf)", root_others="[1, inf)"), constants={"quotient": 124},
    mutations=[mutation("1/30", quotient="30")], strongest="symbolic",
)  # fmt: skip
def consistency_with_pure_budgets(check: Check) -> None:
    if not check.search(consistent_with_pure, [{"root_others": Fraction(1), "epsilon": Fraction(1)}]):
        check.symbolic(consistent_with_pure, pure_minus_zcdp)
