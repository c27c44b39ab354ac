r"""What the thesis makes of Theorem 4.16 for Bernoulli arms, and where its two privacy regimes meet (Section 4.3.1)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_background import BELOW_ONE, tv_inf_is_the_gap
from banditproof.paper_checks.bernoulli_dp_background import total_variation_gap as variation_gap
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.curvature import square_over_kl
from banditproof.paper_checks.privacy_regimes import (
    Regime,
    by_regime,
    entropy_class,
    factored,
    mean,
    prove,
    settled,
)
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_minimax import variation_over_gap
from banditproof.paper_checks.thesis_subgaussian import positive
from banditproof.theory.bernoulli import d_epsilon, kl_bernoulli
from banditproof.theory.lower_bounds import regret_lower_bound
from banditproof.theory.numeric import minimum, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
SUBOPTIMAL = Domain.of(mu_a="[0, 1)", mu_star="(0, 1)", where=["mu_a < mu_star"])

# ------------------------------------------------------------------------------------------ Bernoulli arms, S4.16b

parts_decide(
    "TH-S4.16b",
    r"Bernoulli arms away from 0 and 1: $\mathrm{TV}_{\inf}=\Delta_a$, $\mathrm{KL}_{\inf}\approx2\Delta_a^2$, so the "
    r"bound is of the order $\sum\frac{\log T}{\min\{\Delta_a,\varepsilon\}}$, and $\frac{K\log T}\varepsilon$.",
)


@claim("TH-S4.16b/tv-inf-below-one", role="repair", repairs="TH-S4.16b/tv-inf-at-one", **BELOW_ONE)
@claim("TH-S4.16b/tv-inf", twins=["BDP-S1.5"], **BELOW_ONE)
def variation_is_the_gap(check: Check) -> None:
    variation_gap(check)


@claim(
    "TH-S4.16b/tv-inf-at-one", r"$\mathrm{TV}_{\inf}=\Delta_a$ also for $\mu^*=1$.",
    domain=Domain.of(mu_a="[0, 1)", mu_star="(0, 1]", where=["mu_a < mu_star"]), role="reading",
    twins=["BDP-S1.5"],
)  # fmt: skip
def variation_at_best_mean_one(check: Check) -> None:
    # no Bernoulli mean exceeds 1: the infimum over nothing is infinite
    check.counterexample(tv_inf_is_the_gap, {"mu_a": Fraction(1, 2), "mu_star": Fraction(1)})


def square_below_entropy(mu_a: Any, mu_star: Any, factor: Any) -> Sides:
    return square_over_kl(mu_a, mu_star), "<=", 1 / to_ball(factor)


def square_above_entropy(mu_a: Any, mu_star: Any, factor: Any) -> Sides:
    return square_over_kl(mu_a, mu_star), ">=", to_ball(factor) / 8


QUOTIENT = ("Taylor's formula for kl over the square", "the constant")
NEAR_HALF = [{"mu_a": Fraction(1, 2), "mu_star": Fraction(1, 2) + Fraction(1, n)} for n in (4, 100, 10_000)]
PINSKER: dict[str, Any] = {
    "statement": r"$\mathrm{kl}(\mu_a,\mu^*)\ge<factor>\Delta_a^2$ (Pinsker).",
    "domain": Domain.of(mu_a="[0, 1]", mu_star="[0, 1]", where=["mu_a < mu_star"]),
    "constants": {"factor": 2},
    "mutations": [mutation("2.01", factor="2.01")],
    "strongest": "interval",
}


@claim("TH-S4.16b/kl-at-least", **PINSKER)
def entropy_at_least(check: Check) -> None:
    if not check.search(square_below_entropy, NEAR_HALF):
        check.interval(square_below_entropy, routes=QUOTIENT)


IN_THE_MIDDLE: dict[str, Any] = {
    "statement": r"$\mathrm{kl}(\mu_a,\mu^*)\le\frac8{<factor>}\Delta_a^2$, that is $\frac43$ of $2\Delta_a^2$, for "
    r"means in $[\frac14,\frac34]$.",
    "domain": Domain.of(mu_a="[1/4, 3/4]", mu_star="[1/4, 3/4]", where=["mu_a < mu_star"]),
    "constants": {"factor": 3},
    "mutations": [mutation("8/3.1", factor="3.1")],
    "strongest": "interval",
}


@claim("TH-S4.16b/kl-in-the-middle", role="repair", repairs="TH-S4.16b/kl-everywhere", **IN_THE_MIDDLE)
@claim("TH-S4.16b/kl-at-most", **IN_THE_MIDDLE)
def entropy_at_most(check: Check) -> None:
    hints = [{"mu_a": Fraction(1, 4), "mu_star": Fraction(1, 4) + Fraction(1, n)} for n in (100, 1000, 100_000)]
    if not check.search(square_above_entropy, hints):
        check.interval(square_above_entropy, routes=QUOTIENT)


def entropy_over_square(mu_a: Any, mu_star: Any) -> Sides:
    """kl <= (4/3) 2 Delta^2, for all means."""
    return kl_bernoulli(mu_a, mu_star), "<=", 8 * (mu_star - mu_a) ** 2 / 3


@claim(
    "TH-S4.16b/kl-everywhere",
    r"$\mathrm{KL}_{\inf}\approx2\Delta_a^2$ read for all means, with the quality it has on $[\frac14,\frac34]$: "
    r"$\mathrm{kl}\le\frac43\cdot2\Delta_a^2$.",
    domain=SUBOPTIMAL, role="reading",
)  # fmt: skip
def entropy_everywhere(check: Check) -> None:
    # towards mu* = 1 the divergence grows beyond all bounds while Delta stays
    check.counterexample(entropy_over_square, {"mu_a": Fraction(1, 2), "mu_star": Fraction(99, 100)})


def below_chi_square(mu_a: Any, mu_star: Any, factor: Any) -> Sides:
    return mu_star * (1 - mu_star) * settled(kl_bernoulli(mu_a, mu_star)), "<=", factor * (mu_star - mu_a) ** 2


def _chi_square(first_is_zero: bool) -> SymbolicArgument:
    """chi^2 - kl = x (u - 1 - log u) + (1-x) (v - 1 - log v) with u = x/y, v = (1-x)/(1-y)."""
    import sympy

    a, s = positive("a s")
    x, y, E = sympy.S(0) if first_is_zero else mean(a), mean(a * (1 + s)), entropy_class()
    rest = factored(1 - x) * E(1, factored((1 - x) / (1 - y)))
    excess = rest if first_is_zero else x * E(1, factored(x / y)) + rest
    return SymbolicArgument({"mu_a": x, "mu_star": y}, factored(y * (1 - y)) * excess, "nonnegative")


def chi_square() -> SymbolicArgument:
    return _chi_square(False)


def chi_square_from_zero() -> SymbolicArgument:
    return _chi_square(True)


CHI_SQUARE: dict[str, Any] = {
    "domain": SUBOPTIMAL,
    "constants": {"factor": 1},
    "mutations": [mutation("0.99", factor="0.99")],
    "strongest": "symbolic",
}


def prove_chi_square(check: Check) -> None:
    if not check.search(below_chi_square, [{"mu_a": Fraction(0), "mu_star": Fraction(1, 1000)}]):
        check.symbolic(below_chi_square, chi_square, check.domain.restrict(mu_a="(0, 1)"), points=8)
        check.symbolic(below_chi_square, chi_square_from_zero, check.domain.restrict(mu_a="[0, 0]"), points=8)


def order_in_the_budget(mu_a: Any, mu_star: Any, epsilon: Any, least: Any, factor: Any) -> Sides:
    """`least` is min(kl, epsilon Delta), or anything smaller."""
    gap = mu_star - mu_a
    return mu_star * (1 - mu_star) * least, "<=", factor * gap * settled(minimum(gap, epsilon))


def _budget_above_the_gap(chi: SymbolicArgument) -> SymbolicArgument:
    """least <= kl alone gives mu* (1 - mu*) least <= Delta^2."""
    import sympy

    x, y = chi.variables["mu_a"], chi.variables["mu_star"]
    u, v = sympy.symbols("u v", nonnegative=True)
    variables = chi.variables | {"epsilon": factored(y - x) + v, "least": settled(kl_bernoulli(x, y)) - u}
    return SymbolicArgument(variables, chi.certificate + factored(y * (1 - y)) * u, "nonnegative")


def budget_above_the_gap() -> SymbolicArgument:
    return _budget_above_the_gap(chi_square())


def budget_above_the_gap_from_zero() -> SymbolicArgument:
    return _budget_above_the_gap(chi_square_from_zero())


def budget_below_the_gap() -> SymbolicArgument:
    """least <= epsilon Delta alone gives mu* (1 - mu*) least <= epsilon Delta."""
    import sympy

    a, u, v = sympy.symbols("a u v", nonnegative=True)
    d = positive("d")
    x, y = mean(a), mean(a + d)
    gap = factored(y - x)
    epsilon = gap / (1 + v)
    certificate = factored(1 - y * (1 - y)) * epsilon * gap + factored(y * (1 - y)) * u
    return SymbolicArgument({"mu_a": x, "mu_star": y, "epsilon": epsilon, "least": epsilon * gap - u}, certificate,
                            "nonnegative")  # fmt: skip


BELOW_KL, BELOW_PRICE = "least <= kl_bernoulli(mu_a, mu_star)", "least <= epsilon * (mu_star - mu_a)"
ORDER: dict[str, Any] = {
    "statement": r"$\frac{\Delta_a}{\min(\mathrm{kl},\varepsilon\Delta_a)}\ge\frac{\mu^*(1-\mu^*)}"
    r"{\min\{\Delta_a,\varepsilon\}}$, that is $\mu^*(1-\mu^*)\,m\le<factor>\Delta_a\min\{\Delta_a,\varepsilon\}$ for "
    r"$m=\min(\mathrm{kl},\varepsilon\Delta_a)$ and all smaller $m$: the order in $T$ and $\varepsilon$ is right for "
    r"every instance with $\mu^*<1$.",
    "domain": Domain.of(mu_a="[0, 1)", mu_star="(0, 1)", epsilon="(0, inf)", least="(-inf, inf)",
                        where=["mu_a < mu_star", BELOW_KL, BELOW_PRICE]),
    "constants": {"factor": 1},
    "mutations": [mutation("0.99", factor="0.99")],
    "strongest": "symbolic",
}  # fmt: skip


@claim("TH-S4.16b/order-per-instance", role="repair", repairs="TH-S4.16b/order-uniformly", **ORDER)
@claim("TH-S4.16b/order", **ORDER)
def order_of_the_bound(check: Check) -> None:
    """Each side of the minimum gives one case: epsilon >= Delta by the chi-square divergence, epsilon <= Delta by
    mu* (1 - mu*) <= 1."""
    near_zero = {"mu_a": "0", "mu_star": "1/1000", "epsilon": "2", "least": "0.0010005"}
    if check.search(order_in_the_budget, [{name: Fraction(value) for name, value in near_zero.items()}]):
        return
    routes = ("relative entropy and price", "gap and budget")
    sets = Domain(check.domain.variables)
    above = sets.restrict(where=["mu_a < mu_star", BELOW_KL, "epsilon >= mu_star - mu_a"])
    below = sets.restrict(where=["mu_a < mu_star", BELOW_PRICE, "epsilon <= mu_star - mu_a"])
    check.symbolic(order_in_the_budget, budget_above_the_gap, above.restrict(mu_a="(0, 1)"), routes, points=8)
    check.symbolic(order_in_the_budget, budget_above_the_gap_from_zero, above.restrict(mu_a="[0, 0]"), routes, points=8)
    check.symbolic(order_in_the_budget, budget_below_the_gap, below, routes, points=8)


def uniform_order(mu_a: Any, mu_star: Any, epsilon: Any) -> Sides:
    gap = mu_star - mu_a
    least = minimum(kl_bernoulli(mu_a, mu_star), epsilon * gap)
    return least, "<=", 10 * gap * minimum(gap, epsilon)


@claim(
    "TH-S4.16b/order-uniformly",
    r"$\Omega(\sum\frac{\log T}{\min\{\Delta_a,\varepsilon\}})$ with one constant for all instances, such as "
    r"$\frac1{10}$: $\frac{\Delta_a}{\min(\mathrm{kl},\varepsilon\Delta_a)}\ge\frac1{10\min\{\Delta_a,\varepsilon\}}$.",
    domain=Domain.of(mu_a="[0, 1)", mu_star="(0, 1)", epsilon="(0, inf)", where=["mu_a < mu_star"]), role="reading",
)  # fmt: skip
def order_uniformly(check: Check) -> None:
    # kl(1/2, mu*) >= log(1/(1-mu*))/2 - log 2 outgrows every multiple of Delta^2 <= 1/4: any other constant fails too
    check.counterexample(
        uniform_order, {"mu_a": Fraction(1, 2), "mu_star": Fraction(999, 1000), "epsilon": Fraction(6)}
    )


def price_per_arm(means: Any, epsilon: Any, spared: Any) -> Sides:
    bound = regret_lower_bound(means, epsilon)["kl-tv"].constant
    return Fraction(len(means) - spared) / epsilon, "<=", bound.upper


@claim(
    "TH-S4.16b/private-term",
    r"With a unique best arm, $\mu^*<1$: $\sum\Delta_a/\min(\mathrm{KL}_{\inf},\varepsilon\mathrm{TV}_{\inf})\ge"
    r"\frac{K-<spared>}\varepsilon$, with the explicit constant 1.",
    domain=Domain.of(means="all: every list of Bernoulli means, the first larger than the others and below 1",
                     epsilon="(0, inf)"),
    constants={"spared": 1}, mutations=[mutation("K instead of K - 1", spared=0)], strongest="enumeration",
)  # fmt: skip
def private_term(check: Check) -> None:
    lists = [["1/2", "1/4"], ["3/4", "7/10", "0"], ["99/100", "98/100", "1/2", "1/10"], ["1/2", *(["1/4"] * 9)]]
    over = {"means": lists, "epsilon": ["1/1000", "1/10", "1", "10"]}
    covers = check.domain.restrict(means="all: 4 lists of means", epsilon=over["epsilon"])
    check.enumerate(price_per_arm, over, covers=covers, rational=True, routes=("(K - 1)/epsilon", "the bound"))


# --------------------------------------------------------------------------------------------------- regimes, S4.16c


def regime_of_the_bound(means: Any, epsilon: Any, shift: Any) -> Sides:
    """The regime that the bound reports, against epsilon compared with KL_inf / TV_inf from the closed forms."""
    best, other = (to_ball(Fraction(m)) for m in means)
    threshold = kl_bernoulli(other, best) / (best - other)
    low = regret_lower_bound(means, epsilon)["kl-tv"].regimes[1] == "low"
    return low, "==", bool(to_ball(epsilon) >= to_ball(shift) * threshold)


parts_decide(
    "TH-S4.16c",
    r"The bound is in its low-privacy regime, where it does not depend on $\varepsilon$, for "
    r"$\varepsilon\ge\mathrm{KL}_{\inf}/\mathrm{TV}_{\inf}$, arm by arm; it changes at $\varepsilon\approx\Delta_a$.",
)


@claim(
    "TH-S4.16c/threshold", r"The minimum is $\mathrm{KL}_{\inf}$ if and only if "
                           r"$\varepsilon\ge<shift>\,\mathrm{KL}_{\inf}/\mathrm{TV}_{\inf}$.",
    domain=Domain.of(means="all: every pair of Bernoulli means, the first larger and below 1", epsilon="(0, inf)"),
    constants={"shift": 1}, mutations=[mutation("half of it", shift="1/2")], strongest="enumeration",
)  # fmt: skip
def threshold_of_the_bound(check: Check) -> None:
    over = {"means": [["1/2", "1/4"], ["3/4", "1/2"], ["9/10", "0"], ["51/100", "1/2"]],
            "epsilon": ["1/100", "1/50", "1/4", "1/2", "3/5", "1", "3"]}  # fmt: skip
    covers = check.domain.restrict(means="all: 4 pairs of means", epsilon=over["epsilon"])
    check.enumerate(regime_of_the_bound, over, covers=covers, rational=True, routes=("enclosures", "closed forms"))


@claim(
    "TH-S4.16c/bernoulli-from-below", r"Bernoulli: the change is not below $2\Delta_a$, as "
    + PINSKER["statement"], **{n: v for n, v in PINSKER.items() if n != "statement"},
)  # fmt: skip
def bernoulli_threshold_from_below(check: Check) -> None:
    entropy_at_least(check)


@claim(
    "TH-S4.16c/bernoulli-from-above",
    r"Bernoulli: the change is not above $\frac{\Delta_a}{\mu^*(1-\mu^*)}$, as "
    r"$\mu^*(1-\mu^*)\,\mathrm{kl}(\mu_a,\mu^*)\le<factor>\Delta_a^2$.",
    **CHI_SQUARE,
)  # fmt: skip
def bernoulli_threshold_from_above(check: Check) -> None:
    prove_chi_square(check)


def gaussian_threshold(gap: Any, slope: Any) -> Sides:
    """TV_inf / Delta for unit variance, at most the slope: the change KL_inf / TV_inf is at least Delta / (2 slope)."""
    value, operator, right = variation_over_gap(gap / 2, slope)
    return value / 2, operator, right


@claim(
    "TH-S4.16c/gaussian",
    r"Unit-variance Gaussian arms: $\mathrm{TV}_{\inf}\le<slope>\Delta_a$ for $\Delta_a\le4$, so the change is at "
    r"$\frac{\mathrm{KL}_{\inf}}{\mathrm{TV}_{\inf}}\ge\frac54\Delta_a$ (towards 0 it is $\sqrt{\pi/2}\,\Delta_a$).",
    domain=Domain.of(gap="[0, 4]"), constants={"slope": "2/5"}, mutations=[mutation("0.39", slope="0.39")],
    strongest="interval",
)  # fmt: skip
def gaussian_change(check: Check) -> None:
    if not check.search(gaussian_threshold, [{"gap": Fraction(1, 10)}]):
        check.interval(gaussian_threshold, routes=("Kummer's function", "the slope"))


def nothing_gained(mu_a: Any, mu_star: Any, epsilon: Any) -> Sides:
    return kl_bernoulli(mu_a, mu_star), "<=", d_epsilon(mu_a, mu_star, epsilon)


def entropy_is_reached(mu_a: Any, mu_star: Any, epsilon: Any, factor: Any) -> Sides:
    return factor * settled(kl_bernoulli(mu_a, mu_star)), "<=", settled(d_epsilon(mu_a, mu_star, epsilon))


@claim(
    "TH-S4.16c/same-achievable-regret",
    r"'For $\varepsilon\ge\mathrm{KL}_{\inf}/\mathrm{TV}_{\inf}$ the regret achievable with View DP and without are "
    r"the same': then no lower bound under View DP exceeds $\Delta_a/\mathrm{kl}$; that of the Bernoulli paper, "
    r"$\Delta_a/d_\varepsilon$, would need $d_\varepsilon\ge\mathrm{kl}$.",
    domain=Domain.of(mu_a="[0, 1)", mu_star="(0, 1)", epsilon="(0, inf)",
                     where=["mu_a < mu_star", "epsilon * (mu_star - mu_a) >= kl_bernoulli(mu_a, mu_star)"]),
    role="reading",
)  # fmt: skip
def same_achievable_regret(check: Check) -> None:
    # kl/Delta = 0.58 < 3/5 < log 3 = epsilon_0: a change in two steps is cheaper than either of the single ones
    point = {"mu_a": Fraction(1, 2), "mu_star": Fraction(3, 4), "epsilon": Fraction(3, 5)}
    check.counterexample(nothing_gained, point)


@by_regime(("low",), variables=("mu_a", "mu_star", "epsilon"))
def no_price(here: Regime) -> Any:
    return 0 * here.x


@claim(
    "TH-S4.16c/same-lower-bound",
    r"For $\varepsilon\ge\varepsilon_0=|\mathrm{logit}\,\mu^*-\mathrm{logit}\,\mu_a|$, $<factor>\,\mathrm{kl}\le "
    r"d_\varepsilon$: from there on no lower bound known separates the two.",
    domain=Domain.of(mu_a="(0, 1)", mu_star="(0, 1)", epsilon="(0, inf)",
                     where=["mu_a < mu_star", "epsilon >= privacy_threshold(mu_a, mu_star)"]),
    role="repair", repairs="TH-S4.16c/same-achievable-regret", constants={"factor": 1},
    mutations=[mutation("1.01", factor="1.01")], strongest="symbolic",
)  # fmt: skip
def same_lower_bound(check: Check) -> None:
    hint = {"mu_a": Fraction(1, 4), "mu_star": Fraction(1, 2), "epsilon": Fraction(2)}
    prove(check, entropy_is_reached, no_price, hints=[hint], routes=("kl", "d_epsilon from its definition"))
