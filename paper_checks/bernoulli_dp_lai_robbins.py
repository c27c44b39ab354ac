"""Checks of the Lai-Robbins bound (3): its constant for Bernoulli arms, its ingredient, and kl at the edges."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_background import ALTERNATIVES, symbols
from banditproof.paper_checks.bernoulli_dp_lower_bound import LAW_QUADRUPLES, double_change
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.privacy_regimes import (
    comparable,
    factored,
    mean,
    relative_entropy,
    settled,
)
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.bernoulli import kl_bernoulli, kl_inf
from banditproof.theory.numeric import SYMBOL, exp, log, system, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

# -------------------------------------------------------------------------------------------- (3) and kl, its constant


def better_alternative(mu_a: Any, mu_star: Any, m: Any, factor: Any) -> tuple[Any, str, Any]:
    return comparable(factor * settled(kl_bernoulli(mu_a, mu_star)), "<=", settled(kl_bernoulli(mu_a, m)))


def near_alternative(mu_a: Any, mu_star: Any, m: Any, factor: Any) -> tuple[Any, str, Any]:
    excess = settled(kl_bernoulli(mu_a, m)) - settled(kl_bernoulli(mu_a, mu_star))
    return excess, "<=", factor * settled(log((1 - mu_star) / (1 - m)))


def _means(first_is_zero: bool) -> tuple[Any, Any, Any, Any]:
    import sympy

    a, s, v = symbols("a s v")
    return sympy.S(0) if first_is_zero else mean(a), mean(a * (1 + s)), mean(a * (1 + s) * (1 + v)), sympy.log(1 + v)


def _farther(first_is_zero: bool) -> SymbolicArgument:
    """kl(x, m) - kl(x, y) = kl(y, m) + (y - x) log of the odds ratio of m and y."""
    x, y, m, odds_ratio = _means(first_is_zero)
    certificate = relative_entropy(y, m) + factored(y - x) * odds_ratio
    return SymbolicArgument({"mu_a": x, "mu_star": y, "m": m}, certificate, "nonnegative")


def farther() -> SymbolicArgument:
    return _farther(False)


def farther_from_zero() -> SymbolicArgument:
    return _farther(True)


def near() -> SymbolicArgument:
    x, y, m, odds_ratio = _means(False)
    return SymbolicArgument({"mu_a": x, "mu_star": y, "m": m}, x * odds_ratio, "nonnegative")


def near_from_zero() -> SymbolicArgument:
    x, y, m, _ = _means(True)
    return SymbolicArgument({"mu_a": x, "mu_star": y, "m": m}, 0, "zero")


NO_CLOSER = {
    "statement": r"For a suboptimal arm, every mean $m\in(\mu^\star,1)$ has "
    r"$\mathrm{kl}(\mu_a,m)\ge <factor>\,\mathrm{kl}(\mu_a,\mu^\star)$ ($m=1$: infinite).",
    "domain": ALTERNATIVES,
    "constants": {"factor": 1},
    "mutations": [mutation("1 % more", factor="101/100")],
    "strongest": "symbolic",
}


@claim("BDP-EQ3/of-a-suboptimal-arm", role="repair", repairs="BDP-EQ3/of-an-optimal-arm", **NO_CLOSER)
@claim("BDP-EQ3/no-closer-alternative", **NO_CLOSER)
def no_closer_alternative(check: Check) -> None:
    hints = [
        {"mu_a": Fraction(1, 4), "mu_star": Fraction(1, 2), "m": Fraction(1, 2) + Fraction(1, 10**n)} for n in (3, 5, 7)
    ]
    if not check.search(better_alternative, hints):
        check.symbolic(better_alternative, farther, check.domain.restrict(mu_a="(0, 1)"), points=8)
        check.symbolic(better_alternative, farther_from_zero, check.domain.restrict(mu_a="[0, 0]"), points=8)


@claim(
    "BDP-EQ3/alternatives-come-close",
    r"$\mathrm{kl}(\mu_a,m)-\mathrm{kl}(\mu_a,\mu^\star)\le <factor>\log\frac{1-\mu^\star}{1-m}\to0$ as "
    r"$m\downarrow\mu^\star$.",
    domain=ALTERNATIVES, constants={"factor": 1}, mutations=[mutation("0.99", factor="99/100")],
    strongest="symbolic",
)  # fmt: skip
def alternatives_come_close(check: Check) -> None:
    if not check.search(near_alternative, [{"mu_a": Fraction(0), "mu_star": Fraction(1, 2), "m": Fraction(3, 4)}]):
        check.symbolic(near_alternative, near, check.domain.restrict(mu_a="(0, 1)"), points=8)
        check.symbolic(near_alternative, near_from_zero, check.domain.restrict(mu_a="[0, 0]"), points=8)


def no_alternative(mu_a: Any, level: Any) -> tuple[Any, str, Any]:
    """exp(-KL_inf) = exp(-kl(mu_a, 1)) = 0."""
    one = 0 * mu_a + 1
    return exp(-kl_inf(mu_a, one)), "==", settled(exp(-settled(kl_bernoulli(mu_a, one)))) + level


def any_mean_below_one() -> SymbolicArgument:
    return SymbolicArgument({"mu_a": mean(symbols("w", nonnegative=True))}, 0, "zero")


@claim(
    "BDP-EQ3/best-mean-one",
    r"At $\mu^\star=1$ no alternative exists, and $\mathrm{KL}_{\inf}=\infty=\mathrm{kl}(\mu_a,1)$ for $\mu_a<1$, "
    r"compared as "
    r"$e^{-\mathrm{KL}_{\inf}}=e^{-\mathrm{kl}}+<level>$.",
    domain=Domain.of(mu_a="[0, 1)"), constants={"level": 0}, mutations=[mutation("0.01", level="1/100")],
    strongest="symbolic",
)  # fmt: skip
def no_alternative_above_one(check: Check) -> None:
    if not check.search(no_alternative, [{"mu_a": Fraction(1, 2)}]):
        check.symbolic(no_alternative, any_mean_below_one)


def kl_inf_is_kl(mu_a: Any, mu_star: Any) -> tuple[Any, str, Any]:
    return kl_inf(mu_a, mu_star), "==", kl_bernoulli(mu_a, mu_star)


@claim(
    "BDP-EQ3/of-an-optimal-arm",
    r"$\mathrm{KL}_{\inf}(P_a,\mu^\star,\mathcal M_a)=\mathrm{kl}(\mu_a,\mu^\star)$ read for every arm, optimal "
    r"ones included.",
    domain=Domain.of(mu_a="[0, 1]", mu_star="[0, 1]", where=["mu_a <= mu_star"]), role="reading",
)  # fmt: skip
def of_an_optimal_arm(check: Check) -> None:
    # both means 1: the infimum over the empty set is infinite, kl(1, 1) = 0; (3) sums over suboptimal arms only
    check.counterexample(kl_inf_is_kl, {"mu_a": Fraction(1), "mu_star": Fraction(1)})


def change_of_measure(policy: Any, laws: Any, n_2: int, ratio: Fraction, power: int) -> tuple[Any, str, Any]:
    """The double change with an unchanged second law: nothing is charged for privacy."""
    first, p, _, alternative = laws
    left, operator, right = double_change(policy, (first, p, p, alternative), n_2, 0, ratio, 0)
    return left, operator, right * Fraction(ratio) ** (power - 1)


@claim(
    "BDP-EQ3/change-of-measure",
    r"The ingredient of (3): $P_\nu(N_2\le n_2,\ \frac{dP_2}{dP_2'}\le\rho)\le\rho^{<power>}P_{\nu'}(N_2\le n_2)$ "
    r"for every policy.",
    domain=Domain.of(
        policy="all: every policy", laws="all: every class of reward laws", n_2="integer [0, inf)", ratio="(0, inf)"
    ),
    constants={"power": 1}, mutations=[mutation("without the ratio", power=0)], strongest="enumeration",
)  # fmt: skip
def lai_robbins_change_of_measure(check: Check) -> None:
    over = [
        {"policy": ["9", 3], "laws": laws, "n_2": n, "ratio": Fraction(rho)}
        for laws in LAW_QUADRUPLES for n in (0, 1, 2) for rho in ("1/2", 1, 4)
    ]  # fmt: skip
    covers = check.domain.restrict(
        policy="all: a randomised response",
        laws="all: 3 pairs of laws on 3 rewards",
        n_2=[0, 1, 2],
        ratio=["1/2", 1, 4],
    )
    routes = ("history under nu, enumerated", "history under nu', enumerated")
    check.enumerate(change_of_measure, over, covers=covers, rational=True, routes=routes)


parts_decide(
    "BDP-EQ3",
    r"$\liminf\mathrm{Reg}_T/\log T\ge\sum_{\Delta_a>0}\Delta_a/\mathrm{KL}_{\inf}(P_a,\mu^\star,\mathcal M_a)$ "
    r"(cited), where for Bernoulli "
    r"arms $\mathrm{KL}_{\inf}=\mathrm{kl}(\mu_a,\mu^\star)$.",
)


def printed_kl(p: Any, q: Any) -> Any:
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))


def limit_in_the_first(q: Any, scale: Any) -> tuple[Any, str, Any]:
    """The limit of the printed formula for p to 0, in SymPy, against the value given to kl(0, q)."""
    if system(q) == SYMBOL:
        import sympy

        p = sympy.Symbol("p", positive=True)
        return settled(kl_bernoulli(sympy.S(0), q)), "==", scale * settled(sympy.limit(printed_kl(p, q), p, 0, "+"))
    return kl_bernoulli(to_ball(0), q), "==", -scale * log(1 - q)


def any_mean() -> SymbolicArgument:
    return SymbolicArgument({"q": mean(symbols("b"))}, 0, "zero")


@claim(
    "BDP-D2.1c/first-is-zero", r"$\mathrm{kl}(0,q)=\lim_{p\to0}\mathrm{kl}(p,q)=-<scale>\log(1-q)$; "
                               r"$\mathrm{kl}(1,q)$ is its mirror image.",
    domain=Domain.of(q="(0, 1)"), constants={"scale": 1}, mutations=[mutation("1 % less", scale="99/100")],
    strongest="symbolic",
)  # fmt: skip
def kl_of_mean_zero(check: Check) -> None:
    if not check.search(limit_in_the_first, [{"q": Fraction(1, 2)}]):
        check.symbolic(limit_in_the_first, any_mean, points=8)


def zero_on_the_diagonal(p: Any, shift: Any) -> tuple[Any, str, Any]:
    return settled(kl_bernoulli(p, p)), "==", shift + 0 * p


def mean_below_one() -> SymbolicArgument:
    return SymbolicArgument({"p": mean(symbols("w", nonnegative=True))}, 0, "zero")


def mean_one() -> SymbolicArgument:
    import sympy

    return SymbolicArgument({"p": sympy.S(1)}, 0, "zero")


@claim(
    "BDP-D2.1c/diagonal", r"$\mathrm{kl}(p,p)=<shift>$, also at 0 and 1.", domain=Domain.of(p="[0, 1]"),
    constants={"shift": 0},
    mutations=[mutation("0.001", shift="1/1000")], strongest="symbolic",
)  # fmt: skip
def kl_on_the_diagonal(check: Check) -> None:
    if not check.search(zero_on_the_diagonal, [{"p": Fraction(1, 2)}]):
        check.symbolic(zero_on_the_diagonal, mean_below_one, check.domain.restrict(p="[0, 1)"))
        check.symbolic(zero_on_the_diagonal, mean_one, check.domain.restrict(p="[1, 1]"))


def infinite_at_an_impossible_mean(p: Any, level: Any) -> tuple[Any, str, Any]:
    return exp(-settled(kl_bernoulli(p, 0 * p))), "==", level + 0 * p


def odds_nonzero() -> SymbolicArgument:
    return SymbolicArgument({"p": 1 / (1 + symbols("w", nonnegative=True))}, 0, "zero")


@claim(
    "BDP-D2.1c/impossible-mean", r"$\mathrm{kl}(p,0)=\infty$ for $p>0$, compared as "
                                 r"$e^{-\mathrm{kl}(p,0)}=<level>$; $\mathrm{kl}(p,1)$ is its "
    "mirror image.", domain=Domain.of(p="(0, 1]"), constants={"level": 0},
    mutations=[mutation("0.001", level="1/1000")],
    strongest="symbolic",
)  # fmt: skip
def kl_to_an_impossible_mean(check: Check) -> None:
    if not check.search(infinite_at_an_impossible_mean, [{"p": Fraction(1, 2)}]):
        check.symbolic(infinite_at_an_impossible_mean, odds_nonzero)


parts_decide(
    "BDP-D2.1c", r"$\mathrm{kl}$ on $[0,1]^2$, its singular values by limits.", domain=Domain.of(p="[0, 1]", q="[0, 1]")
)
