r"""Checks of the slopes of $d_\epsilon$: Lemma F.3 (in the first argument) and Lemma F.5 (in the second)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_divergence import OPEN, TARGET, odds_and_budget, saturation
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.privacy_regimes import (
    OPEN_BELOW,
    SQUARE,
    Regime,
    by_regime,
    factored,
    factored_if_symbolic,
    prove,
    slope,
)
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.bernoulli import d_epsilon, d_epsilon_dx, d_epsilon_dy
from banditproof.theory.numeric import SYMBOL, absolute, exp, system
from banditproof.verify.domain import Domain


def slope_in_the_first(mu: Any, mu_prime: Any, epsilon: Any) -> Any:
    if system(mu, mu_prime, epsilon) == SYMBOL:
        return slope(d_epsilon, (mu, mu_prime, epsilon), 0)
    return d_epsilon_dx(mu, mu_prime, epsilon)


def slope_in_the_second(mu: Any, mu_prime: Any, epsilon: Any) -> Any:
    if system(mu, mu_prime, epsilon) == SYMBOL:
        return slope(d_epsilon, (mu, mu_prime, epsilon), 1)
    return d_epsilon_dy(mu, mu_prime, epsilon)


SLOPES = ("derivative of the closed form in SymPy; its formula in balls", "bound")


def steepness(mu: Any, mu_prime: Any, epsilon: Any, factor: Any) -> tuple[Any, str, Any]:
    return absolute(factored_if_symbolic(slope_in_the_first(mu, mu_prime, epsilon))), "<=", factor * epsilon


@by_regime(SQUARE)
def budget_above_the_threshold(here: Regime) -> Any:
    return here.slack if here.x not in (0, 1) or here.x != here.y else 0


@claim(
    "BDP-LF.3",
    r"$|\partial_\mu d_\epsilon(\mu,\mu')|\le <factor>\epsilon$ on the closed square, where a derivative at "
    r"$\mu\in\{0,1\}$ is "
    r"one-sided, from within $[0,1]$ (elsewhere $d_\epsilon$ is continuously differentiable in $\mu$).",
    domain=Domain.of(mu="[0, 1]", mu_prime="[0, 1]", epsilon="(0, inf)"), constants={"factor": 1},
    mutations=[mutation("0.99 epsilon", factor="99/100")], strongest="symbolic",
)  # fmt: skip
def lipschitz_in_the_first_argument(check: Check) -> None:
    prove(check, steepness, budget_above_the_threshold, routes=SLOPES)


def falls_towards_the_second(mu: Any, mu_prime: Any, epsilon: Any, tilt: Any) -> tuple[Any, str, Any]:
    return factored_if_symbolic(slope_in_the_first(mu, mu_prime, epsilon)) + tilt * epsilon, "<=", 0 * epsilon


def rises_beyond_the_second(mu: Any, mu_prime: Any, epsilon: Any, tilt: Any) -> tuple[Any, str, Any]:
    return factored_if_symbolic(slope_in_the_first(mu, mu_prime, epsilon)) - tilt * epsilon, ">=", 0 * epsilon


@by_regime(OPEN_BELOW)
def downhill(here: Regime) -> Any:
    return here.epsilon - here.slack


@by_regime(("low_mirrored", "high_mirrored", "tie"))
def uphill(here: Regime) -> Any:
    return here.epsilon - here.slack


TILT = {"constants": {"tilt": 0}, "mutations": [mutation("strictly, by 0.01 epsilon", tilt="1/100")],
        "strongest": "symbolic"}  # fmt: skip
SIGN_BELOW = TILT | {
    "statement": r"$\partial_\mu d_\epsilon(\mu,\mu')\le-<tilt>\epsilon$ for $\mu\le\mu'$ inside the square, "
    "where (31) holds.",
    "domain": Domain.of(**OPEN, where=["mu <= mu_prime"]),
}


@claim("BDP-LF.3/sign-inside", role="repair", repairs="BDP-LF.3/sign-on-the-closed-square", **SIGN_BELOW)
@claim("BDP-LF.3/sign-below", place="proof F.4", role="step", **SIGN_BELOW)
def sign_below(check: Check) -> None:
    hints = [{"mu": Fraction(1, 2), "mu_prime": Fraction(1, 2), "epsilon": Fraction(1)}]
    prove(check, falls_towards_the_second, downhill, hints=hints, routes=SLOPES)


@claim(
    "BDP-LF.3/sign-above",
    r"(proof F.4) $\partial_\mu d_\epsilon(\mu,\mu')\ge <tilt>\epsilon$ for $\mu\ge\mu'$, where (32) holds.",
    domain=Domain.of(**OPEN, where=["mu >= mu_prime"]), role="step", **TILT,
)  # fmt: skip
def sign_above(check: Check) -> None:
    hints = [{"mu": Fraction(1, 2), "mu_prime": Fraction(1, 2), "epsilon": Fraction(1)}]
    prove(check, rises_beyond_the_second, uphill, hints=hints, routes=SLOPES)


@claim(
    "BDP-LF.3/sign-on-the-closed-square",
    r"The sign $\partial_\mu d_\epsilon(\mu,\mu')\le-<tilt>\epsilon$ for $\mu\le\mu'$ read on all of $[0,1]^2$ with "
    r"one-sided "
    r"derivatives, corners included.",
    domain=Domain.of(mu="[0, 1]", mu_prime="[0, 1]", epsilon="(0, inf)", where=["mu <= mu_prime"]), role="reading",
    constants={"tilt": 0}, strongest="symbolic",
)  # fmt: skip
def sign_at_the_corner(check: Check) -> None:
    # d_epsilon(mu, 0) = epsilon mu rises from the corner (0, 0): the right derivative there is epsilon, not <= 0
    point = {"mu": Fraction(0), "mu_prime": Fraction(0), "epsilon": Fraction(1)}
    check.counterexample(falls_towards_the_second, point)


def growth_in_the_second(mu: Any, mu_prime: Any, epsilon: Any, factor: Any) -> tuple[Any, str, Any]:
    rise = factored_if_symbolic(slope_in_the_second(mu, mu_prime, epsilon))
    return rise, "<=", factor / (1 - mu_prime)


@by_regime(("low", "high", "first_is_0", "tie"))
def minimiser_over_variance(here: Regime) -> Any:
    return factored(here.minimiser / (here.y * (1 - here.y)))


@by_regime(("both_are_1_mirrored",))
def what_the_budget_keeps(here: Regime) -> Any:
    return exp(-here.epsilon)


@claim(
    "BDP-LF.5/inside", r"$\partial_{\mu'}d_\epsilon(\mu,\mu')\le\frac{<factor>}{1-\mu'}$ for $0\le\mu\le\mu'<1$, "
                       r"$\mu'>0$.",
    domain=Domain.of(mu="[0, 1)", mu_prime="(0, 1)", epsilon="(0, inf)", where=["mu <= mu_prime"]),
    constants={"factor": 1}, mutations=[mutation("0.95", factor="19/20")], strongest="symbolic",
)  # fmt: skip
def slope_in_the_second_argument(check: Check) -> None:
    hints = [{"mu": Fraction(0), "mu_prime": Fraction(1, 2), "epsilon": Fraction(n)} for n in (3, 5, 10)]
    prove(check, growth_in_the_second, minimiser_over_variance, hints=hints, routes=SLOPES)


@claim(
    "BDP-LF.5/edge-both-means-zero",
    r"At $\mu=\mu'=0$ the right derivative $1-e^{-\epsilon}$ is at most $<factor>$.",
    domain=Domain.of(mu="[0, 0]", mu_prime="[0, 0]", epsilon="(0, inf)"), role="edge",
    constants={"factor": 1}, mutations=[mutation("0.95", factor="19/20")], strongest="symbolic",
)  # fmt: skip
def slope_at_the_corner(check: Check) -> None:
    prove(check, growth_in_the_second, what_the_budget_keeps, routes=SLOPES)


parts_decide(
    "BDP-LF.5", r"For $0\le\mu\le\mu'<1$, $\partial_{\mu'}d_\epsilon(\mu,\mu')\le\frac1{1-\mu'}$.",
    domain=Domain.of(mu="[0, 1)", mu_prime="[0, 1)", epsilon="(0, inf)", where=["mu <= mu_prime"]),
)  # fmt: skip


def slower_than_kl(mu: Any, mu_prime: Any, epsilon: Any, factor: Any) -> tuple[Any, str, Any]:
    rise = factored_if_symbolic(slope_in_the_second(mu, mu_prime, epsilon))
    return rise, "<=", factor * ((1 - mu) / (1 - mu_prime) - mu / mu_prime)


@by_regime(("low", "high", "first_is_0", "tie"))
def minimiser_beyond_the_mean(here: Regime) -> Any:
    return factored(here.paid / (here.y * (1 - here.y)))


@claim(
    "BDP-LF.5/slower-than-kl",
    r"(33) $\partial_{\mu'}d_\epsilon(\mu,\mu')\le <factor>\,\partial_{\mu'}\mathrm{kl}(\mu,\mu')"
    r"=<factor>(\frac{1-\mu}{1-\mu'}-\frac\mu{\mu'})$.",
    domain=Domain.of(mu="[0, 1)", mu_prime="(0, 1)", epsilon="(0, inf)", where=["mu <= mu_prime"]), role="step",
    constants={"factor": 1}, mutations=[mutation("0.95", factor="19/20")], strongest="symbolic",
)  # fmt: skip
def kl_grows_faster(check: Check) -> None:
    prove(check, slower_than_kl, minimiser_beyond_the_mean, routes=SLOPES)


def saturation_slope(mu_prime: Any, epsilon: Any, power: Any) -> tuple[Any, str, Any]:
    weight = mu_prime + (1 - mu_prime) * exp(epsilon)
    if system(mu_prime, epsilon) == SYMBOL:
        return slope(saturation, (mu_prime, epsilon), 0), "==", exp(power * epsilon) / (weight * weight)
    from flint import arb_series

    expansion = saturation(arb_series([mu_prime, 1], prec=2), epsilon)
    return expansion[1], "==", exp(power * epsilon) / (weight * weight)


@claim(
    "BDP-LF.5/auxiliary-slope",
    r"(proof F.6) $f(\mu')=\frac{\mu'}{\mu'+(1-\mu')e^\epsilon}$ has "
    r"$f'=\frac{e^{<power>\epsilon}}{(\mu'+(1-\mu')e^\epsilon)^2}$.",
    domain=TARGET, role="step", constants={"power": 1}, mutations=[mutation("e^(0.9 epsilon)", power="9/10")],
    strongest="symbolic",
)  # fmt: skip
def auxiliary_slope(check: Check) -> None:
    check.symbolic(saturation_slope, odds_and_budget)
