r"""Checks of the divergence $d_\epsilon$ itself: its definition (6), its closed form (8), and Lemmas F.1, F.3 and F.5.

All proofs here are symbolic, regime by regime: see `privacy_regimes`. The one tool is the identity

    epsilon |x - z| + kl(z, y) - d_epsilon(x, y) = kl(z, z*) + (epsilon - epsilon_0)^+ |z - x|,    z between x and y,

and its derivatives.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.privacy_regimes import (
    BELOW,
    OPEN_BELOW,
    SHARES,
    SQUARE,
    STRICTLY_BELOW,
    Regime,
    by_regime,
    comparable,
    entropy_class,
    factored,
    factored_if_symbolic,
    prove,
    relative_entropy,
    settled,
)
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.bernoulli import (
    d_epsilon,
    kl_bernoulli,
    privacy_threshold,
    tv_bernoulli,
)
from banditproof.theory.numeric import SYMBOL, exp, log, maximum, minimum, system, where
from banditproof.verify.domain import Domain

XY = ("x", "y", "epsilon")
ARM = ("mu_a", "mu_star", "epsilon")
SUBOPTIMAL = Domain.of(mu_a="[0, 1)", mu_star="(0, 1]", epsilon="(0, inf)", where=["mu_a < mu_star"])
PROOF = ("closed form", "definition, through the Bregman identity of kl")


# ------------------------------------------------------------------------------------------------ (6), the definition


def no_intermediate_mean_is_cheaper(x: Any, y: Any, epsilon: Any, share: Any, price: Any) -> tuple[Any, str, Any]:
    z = factored(x + share * (y - x)) if system(x, y) == SYMBOL else x + share * (y - x)
    cost = price * epsilon * tv_bernoulli(x, z) + kl_bernoulli(z, y)
    return comparable(settled(d_epsilon(x, y, epsilon)), "<=", settled(cost))


@by_regime(BELOW, variables=XY, cases=SHARES)
def cost_above_the_minimum(here: Regime, share: Any) -> Any:
    z = factored(here.x + share * (here.y - here.x))
    if here.y in (0, 1) and z != here.y:  # infinite cost, compared through exp
        return exp(-here.epsilon * here.gap)
    return relative_entropy(z, here.minimiser) + here.slack * factored(z - here.x)


@claim(
    "BDP-EQ6/lower-bound",
    r"No $z$ between $x\le y$ costs less: for $z=x+s(y-x)$, "
    r"$d_\epsilon(x,y)\le <price>\cdot\epsilon|x-z|+\mathrm{kl}(z,y)$ (at $y=1$, $\mathrm{kl}(z,1)=\infty$ for $z<1$).",
    domain=Domain.of(x="[0, 1)", y="(0, 1]", epsilon="(0, inf)", share="[0, 1]", where=["x <= y"]),
    constants={"price": 1}, mutations=[mutation("privacy a tenth cheaper", price="9/10")], strongest="symbolic",
)  # fmt: skip
def no_less_than_the_value(check: Check) -> None:
    near_the_minimum = {"x": Fraction(0), "y": Fraction(1, 2), "epsilon": Fraction(1), "share": Fraction("0.5379")}
    prove(check, no_intermediate_mean_is_cheaper, cost_above_the_minimum, hints=[near_the_minimum], routes=PROOF)


def value_at_the_minimiser(x: Any, y: Any, epsilon: Any, price: Any) -> tuple[Any, str, Any]:
    z = settled(printed_minimiser(x, y, epsilon))
    return settled(d_epsilon(x, y, epsilon)), "==", settled(price * epsilon * tv_bernoulli(x, z) + kl_bernoulli(z, y))


@by_regime(SQUARE, "zero", XY)
def equal_in_the_square(here: Regime) -> Any:
    return 0


@claim(
    "BDP-EQ6/attained",
    r"The infimum is attained: $d_\epsilon(x,y)=<price>\cdot\epsilon|x-z^*|+\mathrm{kl}(z^*,y)$ for "
    r"$z^*=\max(x,\frac y{y+(1-y)e^\epsilon})$ where $x\le y$, $z^*=\min(x,\frac{ye^\epsilon}{ye^\epsilon+1-y})$ "
    r"where $x\ge y$.",
    domain=Domain.of(x="[0, 1]", y="[0, 1]", epsilon="(0, inf)"),
    constants={"price": 1}, mutations=[mutation("privacy a tenth cheaper", price="9/10")], strongest="symbolic",
)  # fmt: skip
def attained(check: Check) -> None:
    prove(check, value_at_the_minimiser, equal_in_the_square, routes=("stable form", "objective at the printed z*"))


def mirrored_cost(x: Any, y: Any, epsilon: Any, share: Any, flip: Any) -> tuple[Any, str, Any]:
    """The cost at the mirror image; `flip` = 1 mirrors both arguments of d, 0 neither."""
    z = x + share * (y - x)
    x_m, y_m, z_m = (flip * (1 - v) + (1 - flip) * v for v in (x, y, 1 - z if flip == 0 else z))
    cost = epsilon * tv_bernoulli(x, z) + kl_bernoulli(z, y)
    mirrored = epsilon * tv_bernoulli(x_m, z_m) + kl_bernoulli(z_m, y_m)
    return settled(cost, apart=True), "==", settled(mirrored, apart=True)


@by_regime(("low", "high"), "zero", XY, cases={"between": SHARES["between"]})
def equal_between(here: Regime, share: Any) -> Any:
    return 0


@claim(
    "BDP-EQ6/mirror",
    r"Replacing $x,y,z$ by $1-x,1-y,1-z$ changes no cost, so that $x\ge y$ reduces to $x\le y$.",
    domain=Domain.of(x="(0, 1)", y="(0, 1)", epsilon="(0, inf)", share="(0, 1)", where=["x < y"]), role="step",
    constants={"flip": 1}, mutations=[mutation("only z mirrored", flip=0)], strongest="symbolic",
)  # fmt: skip
def mirror(check: Check) -> None:
    prove(check, mirrored_cost, equal_between, routes=("cost", "cost at the mirror image"))


parts_decide(
    "BDP-EQ6",
    r"$d_\epsilon(x,y)=\inf_{z\in[x\wedge y,\,x\vee y]}\{\epsilon|x-z|+\mathrm{kl}(z,y)\}$ is a minimum with a "
    r"closed form.",
    domain=Domain.of(x="[0, 1]", y="[0, 1]", epsilon="(0, inf)"),
)


# ---------------------------------------------------------------------------------- Lemma F.1 and (8), the closed form


def saturation(y: Any, epsilon: Any, rate: Any = 1) -> Any:
    """y / (y + (1-y) e^epsilon), where the objective is stationary for x <= y."""
    return y / (y + (1 - y) * exp(rate * epsilon))


def saturation_above(y: Any, epsilon: Any, rate: Any = 1) -> Any:
    """y e^epsilon / (y e^epsilon + 1 - y), where the objective is stationary for x >= y."""
    return y * exp(rate * epsilon) / (y * exp(rate * epsilon) + 1 - y)


def printed_minimiser(x: Any, y: Any, epsilon: Any, rate: Any = 1) -> Any:
    below = lambda: maximum(x, saturation(y, epsilon, rate))  # noqa: E731
    return where(x, "<=", y, below, lambda: minimum(x, saturation_above(y, epsilon, rate)))


def formula_31(mu: Any, mu_prime: Any, epsilon: Any, rate: Any) -> tuple[Any, str, Any]:
    z = saturation(mu_prime, epsilon, rate)
    split = lambda: kl_bernoulli(z, mu_prime) + epsilon * (z - mu)  # noqa: E731
    printed = where(mu, ">=", z, lambda: kl_bernoulli(mu, mu_prime), split)
    return settled(d_epsilon(mu, mu_prime, epsilon)), "==", settled(printed)


def formula_32(mu: Any, mu_prime: Any, epsilon: Any, rate: Any) -> tuple[Any, str, Any]:
    z = saturation_above(mu_prime, epsilon, rate)
    split = lambda: kl_bernoulli(z, mu_prime) + epsilon * (mu - z)  # noqa: E731
    printed = where(mu, "<=", z, lambda: kl_bernoulli(mu, mu_prime), split)
    return settled(d_epsilon(mu, mu_prime, epsilon)), "==", settled(printed)


@by_regime(OPEN_BELOW, "zero")
def equal_below(here: Regime) -> Any:
    return 0


@by_regime(("low_mirrored", "high_mirrored", "tie"), "zero")
def equal_above(here: Regime) -> Any:
    return 0


OPEN = {"mu": "(0, 1)", "mu_prime": "(0, 1)", "epsilon": "(0, inf)"}
RATE = {"constants": {"rate": 1}, "mutations": [mutation("e^(1.1 epsilon)", rate="11/10")], "strongest": "symbolic"}


@claim(
    "BDP-LF.1/below",
    r"(31): for $\mu\le\mu'$, $d_\epsilon(\mu,\mu')=\mathrm{kl}(\mu,\mu')$ if "
    r"$\mu\ge z=\frac{\mu'}{\mu'+(1-\mu')e^{<rate>\epsilon}}$, else $\mathrm{kl}(z,\mu')+\epsilon(z-\mu)$.",
    domain=Domain.of(**OPEN, where=["mu <= mu_prime"]), **RATE,
)  # fmt: skip
def closed_form_below(check: Check) -> None:
    prove(check, formula_31, equal_below, routes=("minimum (BDP-EQ6)", "printed formula"))


@claim(
    "BDP-LF.1/above",
    r"(32): for $\mu\ge\mu'$, $d_\epsilon(\mu,\mu')=\mathrm{kl}(\mu,\mu')$ if "
    r"$\mu\le z=\frac{\mu'e^{<rate>\epsilon}}{\mu'e^{<rate>\epsilon}+1-\mu'}$, else "
    r"$\mathrm{kl}(z,\mu')+\epsilon(\mu-z)$.",
    domain=Domain.of(**OPEN, where=["mu >= mu_prime"]), **RATE,
)  # fmt: skip
def closed_form_above(check: Check) -> None:
    prove(check, formula_32, equal_above, routes=("minimum (BDP-EQ6)", "printed formula"))


def printed_point_is_best(mu: Any, mu_prime: Any, epsilon: Any, share: Any, rate: Any) -> tuple[Any, str, Any]:
    point = mu + share * (mu_prime - mu)
    best = settled(printed_minimiser(mu, mu_prime, epsilon, rate))
    costs = [epsilon * tv_bernoulli(mu, z) + kl_bernoulli(z, mu_prime) for z in (best, factored_if_symbolic(point))]
    return settled(costs[0]), "<=", settled(costs[1])


@by_regime(("low", "high"), cases={"between": SHARES["between"]})
def cost_above_the_printed_point(here: Regime, share: Any) -> Any:
    z = factored(here.x + share * (here.y - here.x))
    return relative_entropy(z, here.minimiser) + here.slack * factored(z - here.x)


@claim(
    "BDP-LF.1/minimiser",
    r"$z^*=\max(\mu,\frac{\mu'}{\mu'+(1-\mu')e^{<rate>\epsilon}})$ solves the problem for $\mu<\mu'$: no $z$ strictly "
    r"between costs less (the ends are BDP-S3.2).",
    domain=Domain.of(**OPEN, share="(0, 1)", where=["mu < mu_prime"]), **RATE,
)  # fmt: skip
def minimiser(check: Check) -> None:
    near_the_minimum = {
        "mu": Fraction(1, 10),
        "mu_prime": Fraction(1, 2),
        "epsilon": Fraction(1),
        "share": Fraction("0.4223"),
    }
    prove(
        check,
        printed_point_is_best,
        cost_above_the_printed_point,
        hints=[near_the_minimum],
        routes=("cost at the printed z*", "cost at any z"),
    )


def stationary_below(mu_prime: Any, epsilon: Any, sign: Any) -> tuple[Any, str, Any]:
    z = saturation(mu_prime, epsilon)
    return settled(log(z * (1 - mu_prime) / (mu_prime * (1 - z))) + sign * epsilon), "==", 0 * epsilon


def stationary_above(mu_prime: Any, epsilon: Any, sign: Any) -> tuple[Any, str, Any]:
    z = saturation_above(mu_prime, epsilon)
    return settled(log(z / mu_prime) - log((1 - z) / (1 - mu_prime)) - sign * epsilon), "==", 0 * epsilon


def odds_and_budget() -> Any:
    import sympy

    from banditproof.verify.symbolic import SymbolicArgument

    b, e = sympy.symbols("b e", positive=True)
    return SymbolicArgument({"mu_prime": b / (1 + b), "epsilon": sympy.log(1 + e)}, 0, "zero")


TARGET = Domain.of(mu_prime="(0, 1)", epsilon="(0, inf)")
SIGN = {"constants": {"sign": 1}, "mutations": [mutation("0.9 epsilon", sign="9/10")], "strongest": "symbolic"}


@claim(
    "BDP-LF.1/stationary-below", domain=TARGET, role="step", **SIGN,
    statement=r"(proof F.2) $\log\frac{z(1-\mu')}{\mu'(1-z)}+<sign>\epsilon=0$ at "
              r"$z=\frac{\mu'}{\mu'+(1-\mu')e^\epsilon}$.",
)  # fmt: skip
def stationarity_below(check: Check) -> None:
    check.symbolic(stationary_below, odds_and_budget)


@claim(
    "BDP-LF.1/stationary-above", domain=TARGET, role="step", **SIGN,
    statement=r"(proof F.2) $\log\frac z{\mu'}-\log\frac{1-z}{1-\mu'}-<sign>\epsilon=0$ at "
    r"$z=\frac{\mu'e^\epsilon}{\mu'e^\epsilon+1-\mu'}$.",
)  # fmt: skip
def stationarity_above(check: Check) -> None:
    check.symbolic(stationary_above, odds_and_budget)


parts_decide(
    "BDP-LF.1",
    r"Explicit solution: $z^*=\max(\mu,\frac{\mu'}{\mu'+(1-\mu')e^\epsilon})$ for $\mu\le\mu'$ and "
    r"$z^*=\min(\mu,\frac{\mu'e^\epsilon}{\mu'e^\epsilon+1-\mu'})$ for $\mu\ge\mu'$ solve (30), which gives (31) "
    r"and (32).",
    domain=Domain.of(**OPEN),
)


def formula_8(mu_a: Any, mu_star: Any, epsilon: Any, rate: Any, threshold: Any) -> tuple[Any, str, Any]:
    """The printed case distinction; a mean at 0 or 1 makes the threshold infinite, so the second case applies."""
    z = saturation(mu_star, epsilon, rate)
    second = lambda: kl_bernoulli(z, mu_star) + epsilon * (z - mu_a)  # noqa: E731
    printed_threshold = lambda: log(mu_star / mu_a) + log((1 - mu_a) / (1 - mu_star))  # noqa: E731
    inside = lambda: where(  # noqa: E731
        epsilon, ">=", threshold * printed_threshold(), lambda: kl_bernoulli(mu_a, mu_star), second
    )
    printed = where(mu_a, "==", 0, second, lambda: where(mu_star, "==", 1, second, inside))
    return settled(d_epsilon(mu_a, mu_star, epsilon)), "==", settled(printed)


@by_regime(STRICTLY_BELOW, "zero", ARM)
def equal_for_suboptimal_arms(here: Regime) -> Any:
    return 0


@claim(
    "BDP-EQ8",
    r"$d_\epsilon(\mu_a,\mu^\star)=\mathrm{kl}(\mu_a,\mu^\star)$ if "
    r"$\epsilon\ge <threshold>\cdot(\log\frac{\mu^\star}{\mu_a}+\log\frac{1-\mu_a}{1-\mu^\star})$, else "
    r"$\mathrm{kl}(z_\epsilon,\mu^\star)+\epsilon(z_\epsilon-\mu_a)$, "
    r"$z_\epsilon=\frac{\mu^\star}{\mu^\star+(1-\mu^\star)e^{<rate>\epsilon}}$.",
    domain=SUBOPTIMAL, constants={"rate": 1, "threshold": 1}, strongest="symbolic",
    mutations=[mutation("e^(1.1 epsilon)", rate="11/10"), mutation("threshold 0.9 epsilon_0", threshold="9/10")],
)  # fmt: skip
def closed_form_of_a_suboptimal_arm(check: Check) -> None:
    hints = [
        {"mu_a": Fraction(1, 4), "mu_star": Fraction(1, 2), "epsilon": Fraction(n, 100)} for n in (109, 108, 105, 100)
    ]
    prove(check, formula_8, equal_for_suboptimal_arms, hints=hints, routes=("minimum (BDP-EQ6)", "printed formula"))


def regimes_agree(mu_a: Any, mu_star: Any, epsilon: Any, shift: Any) -> tuple[Any, str, Any]:
    beyond = epsilon - shift * settled(privacy_threshold(mu_a, mu_star))
    return settled((saturation(mu_star, epsilon) - mu_a) * beyond), "<=", 0 * epsilon


@by_regime(("low", "high"), variables=ARM)
def opposite_signs(here: Regime) -> Any:
    import sympy

    beyond = here.slack or -sympy.log(factored(here.y * (1 - here.x) / (here.x * (1 - here.y) * exp(here.epsilon))))
    return factored(here.x - saturation(here.y, here.epsilon)) * beyond


@claim(
    "BDP-EQ8/threshold",
    r"$\epsilon\ge <shift>\,\epsilon_0\iff z_\epsilon\le\mu_a$: the case distinctions of (8) and (31) are the same.",
    domain=Domain.of(mu_a="(0, 1)", mu_star="(0, 1)", epsilon="(0, inf)", where=["mu_a < mu_star"]), role="step",
    constants={"shift": 1}, mutations=[mutation("0.9 epsilon_0", shift="9/10")], strongest="symbolic",
)  # fmt: skip
def threshold(check: Check) -> None:
    hints = [
        {"mu_a": Fraction(1, 4), "mu_star": Fraction(1, 2), "epsilon": Fraction(n, 100)} for n in (109, 108, 105, 100)
    ]
    prove(check, regimes_agree, opposite_signs, hints=hints)


def nearly_total_variation(mu_a: Any, mu_star: Any, epsilon: Any, constant: Any) -> tuple[Any, str, Any]:
    loss = epsilon * (mu_star - mu_a) - settled(d_epsilon(mu_a, mu_star, epsilon))
    return loss, "<=", constant * (exp(epsilon) - 1) * (1 - exp(-epsilon))


@by_regime(("high", "first_is_0", "second_is_1"), variables=ARM)
def chi_square_room(here: Regime) -> Any:
    """kl(y, z*) <= chi^2(y, z*) <= sinh^2(epsilon / 2), with what is left over in each step."""
    E, y, z = entropy_class(), here.y, here.minimiser
    sinh_square = (exp(here.epsilon) - 1) * (1 - exp(-here.epsilon)) / 4
    if y == 1:
        return factored(sinh_square)
    below_chi = y * E(1, factored(y / z)) + (1 - y) * E(1, factored((1 - y) / (1 - z)))
    return factored(sinh_square - (y - z) * (y - z) / (z * (1 - z))) + below_chi


@claim(
    "BDP-EQ8/limit",
    r"$d_\epsilon(\mu_a,\mu^\star)\sim\epsilon\Delta_a$ as $\epsilon\to0$, since in the high privacy regime, which "
    r"small budgets "
    r"are in, $\epsilon\Delta_a-<constant>(e^\epsilon-1)(1-e^{-\epsilon})\le "
    r"d_\epsilon(\mu_a,\mu^\star)\le\epsilon\Delta_a$ "
    r"(left side; the right one is BDP-S3.2).",
    domain=SUBOPTIMAL.restrict(where=["epsilon < privacy_threshold(mu_a, mu_star)"]),
    constants={"constant": "1/4"}, mutations=[mutation("1/9", constant="1/9")], strongest="symbolic",
)  # fmt: skip
def small_budgets(check: Check) -> None:
    hints = [{"mu_a": Fraction(0), "mu_star": Fraction(1, 2), "epsilon": Fraction(1, n)} for n in (1, 2, 4, 10, 100)]
    prove(check, nearly_total_variation, chi_square_room, hints=hints, routes=("linear in epsilon", "closed form"))


def kl_term_and_tv_term(mu_a: Any, mu_star: Any, epsilon: Any, weight: Any) -> tuple[Any, str, Any]:
    z = saturation(mu_star, epsilon)
    price = epsilon if weight == "epsilon" else weight
    two_terms = kl_bernoulli(z, mu_star) + price * tv_bernoulli(z, mu_a)
    return settled(d_epsilon(mu_a, mu_star, epsilon)), "==", settled(two_terms)


@by_regime(("high", "first_is_0", "second_is_1"), "zero", ARM)
def equal_in_high_privacy(here: Regime) -> Any:
    return 0


HIGH_PRIVACY = SUBOPTIMAL.restrict(where=["epsilon < privacy_threshold(mu_a, mu_star)"])


@claim(
    "BDP-EQ8/kl-plus-tv",
    r"(text under (8)) In the high privacy regime $d_\epsilon(\mu_a,\mu^\star)=\mathrm{kl}(z_\epsilon,\mu^\star)"
    r"+<weight>\cdot\mathrm{TV}(z_\epsilon,\mu_a)$, 'the sum of two terms, a KL term and TV distance', read literally.",
    domain=HIGH_PRIVACY, role="remark", constants={"weight": 1}, strongest="symbolic",
)  # fmt: skip
def kl_plus_tv(check: Check) -> None:
    point = {"mu_a": Fraction(0), "mu_star": Fraction(1, 2), "epsilon": Fraction(2)}
    check.counterexample(kl_term_and_tv_term, point)


@claim(
    "BDP-EQ8/kl-plus-epsilon-tv",
    r"In the high privacy regime $d_\epsilon(\mu_a,\mu^\star)=\mathrm{kl}(z_\epsilon,\mu^\star)"
    r"+<weight>\cdot\mathrm{TV}(z_\epsilon,\mu_a)$: the TV term is weighted by the budget.",
    domain=HIGH_PRIVACY, role="repair", repairs="BDP-EQ8/kl-plus-tv", constants={"weight": "epsilon"},
    mutations=[mutation("TV without weight", weight=1)], strongest="symbolic",
)  # fmt: skip
def kl_plus_epsilon_tv(check: Check) -> None:
    prove(check, kl_term_and_tv_term, equal_in_high_privacy)
