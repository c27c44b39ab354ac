r"""$\mathrm{TV}_{\inf}$ in closed form: Bernoulli, Gaussian, laws on [0, 1], and all laws with finite mean."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_background import ALTERNATIVES, better_alternative_tv, three_means
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_families import NEAR_HALF
from banditproof.paper_checks.thesis_subgaussian import positive, real
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numeric import SYMBOL, exp, sqrt, system, to_ball
from banditproof.theory.point_masses import least_tv, mean_of, tv_dual, tv_of
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]

parts_decide(
    "TH-D4.TV",
    r"$\mathrm{TV}_{\inf}(P,\mu^*,\mathcal M)=\inf_{P'\in\mathcal M}\{\mathrm{TV}(P,P'):\mu(P')>\mu^*\}$.",
)


@claim(
    "TH-D4.TV/bernoulli", r"Bernoulli laws, $\mu^*<1$: every $m>\mu^*$ has $\mathrm{TV}\ge<share>\Delta$, attained as "
                          r"$m\downarrow\mu^*$.",
    domain=ALTERNATIVES, constants={"share": 1}, mutations=[mutation("1.01", share="101/100")], strongest="symbolic",
    twins=["BDP-S1.5"],
)  # fmt: skip
def bernoulli_variation_gap(check: Check) -> None:
    if not check.search(better_alternative_tv, NEAR_HALF):
        check.symbolic(better_alternative_tv, three_means, points=8)


def slope_of_the_normal_law(x: Any, scale: Any) -> Sides:
    """d/dx (2 Phi(x/2) - 1), differentiated as erf, against the density; it is positive, so TV grows with the gap."""
    if system(x) == SYMBOL:
        import sympy

        free = sympy.Symbol("x_", positive=True)
        slope = sympy.diff(sympy.erf(free / sympy.sqrt(8)), free).subs(free, x)
        return slope, "==", scale * sympy.exp(-(x**2) / 8) / sympy.sqrt(2 * sympy.pi)
    from flint import arb_series

    slope = (arb_series([x, 1], prec=2) / sqrt(to_ball(8))).erf()[1]
    return slope, "==", scale * exp(-(x**2) / 8) / sqrt(2 * to_ball(0).pi())


def any_distance() -> SymbolicArgument:
    return SymbolicArgument({"x": positive("x")}, 0, "zero")


@claim(
    "TH-D4.TV/gaussian",
    r"Gaussian laws: $2\Phi(x/2)-1$, $x=\Delta/\sigma$, has the slope $<scale>\phi(x/2)>0$; so TV grows with the "
    r"alternative's mean and $\mathrm{TV}_{\inf}=2\Phi(\frac{\Delta}{2\sigma})-1$.",
    domain=Domain.of(x="(0, inf)"), constants={"scale": 1}, mutations=[mutation("1 % less", scale="99/100")],
    strongest="symbolic",
)  # fmt: skip
def gaussian_variation_gap(check: Check) -> None:
    if not check.search(slope_of_the_normal_law, [{"x": Fraction(1)}]):
        check.symbolic(slope_of_the_normal_law, any_distance, points=8)


def lowest_mass(law: Any, gap: Any, price: Any) -> Sides:
    """The exact ends of TV_inf on [0, 1], where the lowest atom has enough mass to reach the target by moving to 1."""
    atoms = {Fraction(x): Fraction(p) for x, p in zip(*law, strict=True)}
    target, lowest, top = mean_of(atoms) + gap, min(atoms), Fraction(1)
    if target >= 1 or atoms[lowest] * (1 - lowest) < gap:
        raise InvalidInput("gap", gap, "at most what the lowest atom gains by moving to 1")
    nearest, multiplier = least_tv(atoms, top, target)
    ends = tv_of(atoms, nearest), tv_dual(atoms, top, target, multiplier)
    return ends, "==", (price * gap / (1 - lowest),) * 2


LAWS = [
    [["0", "1/2", "1"], ["1/2", "1/4", "1/4"]], [["0", "1"], ["9/10", "1/10"]], [["1/2"], ["1"]],
    [["1/10", "1/5", "9/10"], ["1/3", "1/3", "1/3"]],
]  # fmt: skip
GAPS = ["1/1000", "1/10", "1/5"]


@claim(
    "TH-D4.TV/unit-interval",
    r"All laws on $[0,1]$: the lowest mass moves to 1. If the lowest atom $x$ has enough of it, "
    r"$\mathrm{TV}_{\inf}=<price>\frac{\Delta}{1-x}$: $\Delta$ for $P(\{0\})\ge\Delta$, $\frac\Delta{1-m}$ for a point "
    r"mass at $m$.",
    domain=Domain.of(law="all: every law on [0, 1] with finitely many atoms", gap="(0, 1)"), constants={"price": 1},
    mutations=[mutation("1.01", price="1.01")], strongest="certificate",
)  # fmt: skip
def variation_gap_on_the_unit_interval(check: Check) -> None:
    over = [{"law": law, "gap": Fraction(gap)} for law in LAWS for gap in GAPS]
    covers = check.domain.restrict(law=f"all: {len(LAWS)} laws", gap=GAPS)
    routes = ("laws moved and dual multiplier, exactly", "closed form")
    check.enumerate(lowest_mass, over, covers=covers, rational=True, routes=routes)


def far_mass(eta: Any, mean: Any, target: Any, excess: Any) -> Sides:
    """The mean after a share eta of the law has been moved to a point far enough to the right; TV is at most eta."""
    far = (target + excess - (1 - eta) * mean) / eta
    return target, "<", (1 - eta) * mean + eta * far


def far_mass_argument() -> SymbolicArgument:
    w, mean, gap = positive("w"), real("m"), positive("g")
    return SymbolicArgument({"eta": w / (1 + w), "mean": mean, "target": mean + gap}, 1 + 0 * w, "positive")


FAR_MASS: dict[str, Any] = {
    "domain": Domain.of(eta="(0, 1)", mean="(-inf, inf)", target="(-inf, inf)", where=["mean < target"]),
    "constants": {"excess": 1},
    "mutations": [mutation("no excess", excess=0)],
    "strongest": "symbolic",
}


def far_mass_reaches_the_target(check: Check) -> None:
    if not check.search(far_mass, [{"eta": Fraction(1, 2), "mean": Fraction(0), "target": Fraction(1)}]):
        check.symbolic(far_mass, far_mass_argument)


@claim(
    "TH-D4.TV/finite-means",
    r"All laws with finite mean: $\mathrm{TV}_{\inf}=0$, as any share $\eta>0$ of the mass, moved far enough, "
    r"lifts the mean to $\mu^*+<excess>$.",
    **FAR_MASS,
)  # fmt: skip
def no_variation_gap_without_bounds(check: Check) -> None:
    far_mass_reaches_the_target(check)
