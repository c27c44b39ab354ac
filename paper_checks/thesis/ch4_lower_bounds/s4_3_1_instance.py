r"""Section 4.3.1, page 93: the lower bound of Theorem 4.16 on the regret of one instance, and what it says.

For Bernoulli arms its order and the change of its regimes are worked out, and TV_inf has a closed form for several
families.
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.lists import entry_of, length_of, sum_over
from banditproof.paper_checks.thesis.facts.environments import variation_over_gap
from banditproof.theory import Bernoulli, Bounded, Exponential, Gaussian, Poisson, d_epsilon
from banditproof.theory.laws.bernoulli_quotients import square_over_kl
from banditproof.theory.laws.point_masses import least_tv, mean_of, tv_dual, tv_of
from banditproof.theory.numbers.numeric import promote
from banditproof.verify.forms.calculus import pi_beside, slope_of_erf


@claim("TH-D4.TV/gaussian", deduced(), false={"scale": "0.99"})
def slope_of_the_normal_law(x: Positive, scale=1):
    r"""Gaussian laws: $2\Phi(x/2)-1$, $x=\Delta/\sigma$, has the slope $\phi(x/2)>0$; so TV grows with the
    alternative's mean and $\mathrm{TV}_{\inf}=2\Phi(\frac{\Delta}{2\sigma})-1$.

    2 Phi(x/2) - 1 = erf(x / sqrt 8).
    """
    eight = promote(x, 8)[1]
    return slope_of_erf(x / sqrt(eight)) / sqrt(eight), "==", scale * exp(-(x**2) / 8) / sqrt(2 * pi_beside(x))


LAWS = [
    [["0", "1/2", "1"], ["1/2", "1/4", "1/4"]],
    [["0", "1"], ["9/10", "1/10"]],
    [["1/2"], ["1"]],
    [["1/10", "1/5", "9/10"], ["1/3", "1/3", "1/3"]],
]


def atoms_of(law: Any) -> dict[Fraction, Fraction]:
    return {Fraction(x): Fraction(p) for x, p in zip(*law, strict=True)}


@quantity
def lowest_atom(law: Any) -> Fraction:
    """The smallest value of a law, given by its atoms and their probabilities."""
    return min(atoms_of(law))


@quantity
def variation_from_both_sides(law: Any, gap: Fraction) -> Fraction:
    """TV_inf over the laws on [0, 1] with a mean larger by the gap: attained by a law, and by a dual multiplier.

    Raises InvalidInput where the lowest atom has not enough mass, ArithmeticError where the two are not equal.
    """
    atoms, top = atoms_of(law), Fraction(1)
    target, lowest = mean_of(atoms) + gap, min(atoms)
    if target >= 1 or atoms[lowest] * (1 - lowest) < gap:
        raise InvalidInput("gap", gap, "at most what the lowest atom gains by moving to 1")
    nearest, multiplier = least_tv(atoms, top, target)
    attained = tv_of(atoms, nearest)
    if attained != tv_dual(atoms, top, target, multiplier):
        raise ArithmeticError("the law and the multiplier give different values")
    return attained


@claim(
    "TH-D4.TV/unit-interval",
    enumerated(
        law=LAWS,
        gap=["1/1000", "1/10", "1/5"],
        covers={"law": f"all: {len(LAWS)} laws"},
        rational=True,
        routes=("laws moved and dual multiplier, exactly", "closed form"),
    ),
)
def lowest_mass(law: Annotated[Any, "all: every law on [0, 1] with finitely many atoms"], gap: Inside):
    r"""All laws on $[0,1]$: the lowest mass moves to 1. If the lowest atom $x$ has enough of it,
    $\mathrm{TV}_{\inf}=\frac{\Delta}{1-x}$: $\Delta$ for $P(\{0\})\ge\Delta$, $\frac\Delta{1-m}$ for a point mass at
    $m$."""
    return variation_from_both_sides(law, gap), "==", gap / (1 - lowest_atom(law))


FAMILIES = {
    "Bernoulli": (Bernoulli("1/4"), "1/2"),
    "Gaussian": (Gaussian(0), "1"),
    "Poisson": (Poisson(1), "2"),
    "exponential": (Exponential(1), "2"),
    "bounded": (Bounded(["1/4", "1/2"], ["1/2", "1/2"]), "3/4"),
}


@quantity
def kl_inf_of_family(family: str) -> Fraction:
    """KL_inf of its arm, the upper end of the enclosure: where both prices agree, a smaller one is as good."""
    arm, target = FAMILIES[family]
    return arm.kl_inf(target).value.upper


@quantity
def tv_inf_of_family(family: str) -> Fraction:
    """TV_inf of its arm, the upper end."""
    arm, target = FAMILIES[family]
    return arm.tv_inf(target).value.upper


@quantity
def double_change_of_family(family: str, epsilon: Fraction) -> Fraction:
    """d_inf of its arm, the lower end."""
    arm, target = FAMILIES[family]
    return arm.d_inf(target, epsilon).value.lower


@claim(
    "TH-T4.16/double-change",
    enumerated(
        family=list(FAMILIES),
        epsilon=["1/100", "1/4", "1", "10"],
        covers={"family": f"all: {', '.join(FAMILIES)}"},
        rational=True,
        routes=("program over two laws", "the two one-step infima"),
    ),
    role="remark",
    twins=["BDP-EQ7"],
)
def double_change_improves(family: Annotated[Any, "all: every family of laws"], epsilon: Positive):
    r"""Both prices change $P_a$ to $P'_a$ at once. A change in two steps costs no more:
    $d_{\inf}\le\min(\mathrm{KL}_{\inf},\varepsilon\mathrm{TV}_{\inf})$ in every family, so the bound with $d_{\inf}$ is
    at least as large."""
    return (
        double_change_of_family(family, epsilon),
        "<=",
        minimum(kl_inf_of_family(family), epsilon * tv_inf_of_family(family)),
    )


BY_TAYLOR = (tried_at(mu_a="1/2", mu_star=["3/4", "51/100", "5001/10000"]), interval())


@claim("TH-S4.16b/kl-at-least", *BY_TAYLOR, false={"factor": "2.01"}, where=["mu_a < mu_star"])
def entropy_at_least(mu_a: Probability, mu_star: Probability, factor=2):
    r"""$\mathrm{kl}(\mu_a,\mu^*)\ge2\Delta_a^2$ (Pinsker)."""
    return square_over_kl(mu_a, mu_star), "<=", 1 / to_ball(factor)


@claim(
    "TH-S4.16b/private-term",
    enumerated(
        means=[["1/2", "1/4"], ["3/4", "7/10", "0"], ["99/100", "98/100", "1/2", "1/10"], ["1/2", *["1/4"] * 9]],
        epsilon=["1/1000", "1/10", "1", "10"],
        covers={"means": "all: 4 lists of means"},
        rational=True,
    ),
)
def private_term(
    means: Annotated[Any, "all: every list of Bernoulli means, the first larger than the others and below 1"],
    epsilon: Positive,
):
    r"""With a unique best arm, $\mu^*<1$:
    $\sum\Delta_a/\min(\mathrm{KL}_{\inf},\varepsilon\mathrm{TV}_{\inf})\ge\frac{K-1}\varepsilon$, with the explicit
    constant 1."""
    best = entry_of(means, 0)

    def term(_: Any, mean: Any) -> Any:
        entropy, gap = kl_bernoulli(mean, best), best - mean
        return where(entropy, "<", epsilon * gap, gap / entropy, gap / (epsilon * gap))  # over the minimum of both

    return sum_over(means, term, first=1), ">=", (length_of(means) - 1) / epsilon


@claim("TH-S4.16c/gaussian", interval(), false={"slope": "0.39"})
def gaussian_change(gap: Annotated[Any, "[0, 4]"], slope=Fraction(2, 5)):
    r"""Unit-variance Gaussian arms: $\mathrm{TV}_{\inf}\le\frac25\Delta_a$ for $\Delta_a\le4$, so the change is at
    $\frac{\mathrm{KL}_{\inf}}{\mathrm{TV}_{\inf}}\ge\frac54\Delta_a$ (towards 0 it is $\sqrt{\pi/2}\,\Delta_a$)."""
    value, operator, right = variation_over_gap(gap / 2, slope)
    return value / 2, operator, right


@claim(
    "TH-S4.16c/same-achievable-regret",
    fails_at(mu_a="1/2", mu_star="3/4", epsilon="3/5"),
    where=["mu_a < mu_star", "epsilon * (mu_star - mu_a) >= kl_bernoulli(mu_a, mu_star)"],
    role="reading",
)
def same_achievable_regret(mu_a: BelowOne, mu_star: Inside, epsilon: Positive):
    r"""'For $\varepsilon\ge\mathrm{KL}_{\inf}/\mathrm{TV}_{\inf}$ the regret achievable with View DP and without are
    the same': then no lower bound under View DP exceeds $\Delta_a/\mathrm{kl}$; that of the Bernoulli paper,
    $\Delta_a/d_\varepsilon$, would need $d_\varepsilon\ge\mathrm{kl}$.

    kl/Delta = 0.58 < 3/5 < log 3 = epsilon_0: a change in two steps is cheaper than either single change.
    """
    return kl_bernoulli(mu_a, mu_star), "<=", d_epsilon(mu_a, mu_star, epsilon)
