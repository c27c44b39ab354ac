r"""Checks of the background of the Bernoulli paper: what Section 1 says of earlier work and of the contributions, the
bandit protocol, the regret identity, and the Lai-Robbins constant for Bernoulli arms.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.privacy_regimes import (
    factored,
    mean,
    settled,
    slope,
)
from banditproof.paper_checks.register import claim, mutation, not_checkable, parts_decide
from banditproof.theory.bernoulli import kl_bernoulli, tv_inf
from banditproof.theory.laplace_sums import laplace_sum_tail
from banditproof.theory.numeric import SYMBOL, exp, log, minimum, sqrt, system, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument


def symbols(names: str, **assumptions: Any) -> Any:
    """SymPy symbols, positive unless something else is said."""
    import sympy

    return sympy.symbols(names, **(assumptions or {"positive": True}))


# ---------------------------------------------------------------------------------------------- Section 1, earlier work


def tree_noise(levels: int, constant: Any) -> tuple[Any, str, Any]:
    """P(|noise| > c (log2 T)^2.5 / epsilon), T = 2^levels: levels + 1 Laplace variables, scale (levels + 1)/epsilon."""
    nodes, depth = levels + 1, to_ball(levels)
    reach = constant * depth * depth * sqrt(depth) / nodes
    return 2 * laplace_sum_tail(nodes, reach), "<=", to_ball(Fraction(1, 2**levels))


@claim(
    "BDP-S1.1/noise",
    r"The tree mechanism adds noise of scale $O(\log^{2.5}(T)/\epsilon)$ to a sum of rewards: with $T=2^d$, it exceeds "
    r"$<constant>(\log_2T)^{2.5}/\epsilon$ with probability at most $1/T$.",
    domain=Domain.of(levels="integer [1, inf)"), constants={"constant": 3},
    mutations=[mutation("constant 1", constant=1)],
    strongest="enumeration",
)  # fmt: skip
def noise_of_the_tree(check: Check) -> None:
    check.enumerate(
        tree_noise, {"levels": range(1, check.pick(25, 61))}, routes=("exact tail of a sum of Laplace variables", "1/T")
    )


def noise_above_the_bound(horizon: Any, epsilon: Any, power: Any) -> tuple[Any, str, Any]:
    length = log(horizon)
    return length * length * sqrt(length) / epsilon, "==", exp(power * log(length)) * length / epsilon


def horizon_and_budget() -> SymbolicArgument:
    w, epsilon = symbols("w epsilon")
    return SymbolicArgument({"horizon": exp(w), "epsilon": epsilon}, 0, "zero")


@claim(
    "BDP-S1.1/gap", r"$\log^{2.5}(T)/\epsilon$ is $\log^{<power>}(T)$ times $\log(T)/\epsilon$.",
    domain=Domain.of(horizon="(1, inf)", epsilon="(0, inf)"), constants={"power": "3/2"},
    mutations=[mutation("log^2", power=2)], strongest="symbolic",
)  # fmt: skip
def gap_to_the_lower_bound(check: Check) -> None:
    if not check.search(noise_above_the_bound, [{"horizon": Fraction(100), "epsilon": Fraction(1)}]):
        check.symbolic(noise_above_the_bound, horizon_and_budget, points=8)


not_checkable(
    "BDP-S1.1/regret", r"DP-UCB has regret $O(\sum_a\log(T)/\Delta_a+K\log^{2.5}(T)/\epsilon)$.", "cited result",
    "the algorithm and the constants of the bound, which the cited work states",
)  # fmt: skip
parts_decide(
    "BDP-S1.1",
    r"DP-UCB: tree noise of scale $O(\log^{2.5}(T)/\epsilon)$, hence a regret that exceeds the lower "
    r"bound by $\log^{1.5}T$.",
)
not_checkable(
    "BDP-S1.2", r"DP-SE: independent episodes with forgetting and one Laplace variable each give an extra regret "
                r"$O(K\log(T)/\epsilon)$.",
    "cited result", "the algorithm and the constants of the bound, which the cited work states",
)  # fmt: skip
not_checkable(
    "BDP-S1.3", r"The regret upper bound known before is $O(\sum_a\log(T)/\min\{\Delta_a,\epsilon\})$.", "cited result",
    "explicit constants in the bounds of the cited algorithms",
)  # fmt: skip
not_checkable(
    "BDP-S1.4",
    r"AdaP-KLUCB: regret "
    r"$O(\sum_a\frac{C_1(\tau)\Delta_a}{\min\{\mathrm{kl}(\mu_a,\mu^\star),C_2\epsilon\Delta_a\}}\log T)$ "
    r"for $\tau>3$.", "unspecified constant",
    r"values of $C_1(\tau)$ and $C_2$, which may depend on the instance; see BDP-EQ49",
)  # fmt: skip


def sum_or_minimum(gap: Any, epsilon: Any, factor: Any) -> tuple[Any, str, Any]:
    return 1 / gap + 1 / epsilon, "<=", factor / (gap if system(gap) == SYMBOL else minimum(gap, epsilon))


def gap_is_smaller() -> SymbolicArgument:
    delta, more = symbols("delta"), symbols("m", nonnegative=True)
    return SymbolicArgument({"gap": delta, "epsilon": delta + more}, more / (delta * (delta + more)), "nonnegative")


@claim(
    "BDP-S1.3/thus",
    r"'Thus': $\sum_a\log(T)/\Delta_a+K\log(T)/\epsilon$ is of the order $\sum_a\log(T)/\min\{\Delta_a,\epsilon\}$, as "
    r"$\frac1\Delta+\frac1\epsilon\le\frac{<factor>}{\min\{\Delta,\epsilon\}}$ (for $\Delta\le\epsilon$; the other "
    r"case is its mirror).",
    domain=Domain.of(gap="(0, inf)", epsilon="(0, inf)", where=["gap <= epsilon"]), role="implication",
    constants={"factor": 2},
    mutations=[mutation("factor 1.9", factor="19/10")], strongest="symbolic",
)  # fmt: skip
def sum_is_minimum(check: Check) -> None:
    if not check.search(sum_or_minimum, [{"gap": Fraction(1), "epsilon": Fraction(1)}]):
        check.symbolic(sum_or_minimum, gap_is_smaller)


def better_alternative_tv(mu_a: Any, mu_star: Any, m: Any, share: Any) -> tuple[Any, str, Any]:
    return share * (mu_star - mu_a), "<=", m - mu_a


def three_means() -> SymbolicArgument:
    w, s, v = symbols("w", nonnegative=True), symbols("s"), symbols("v")
    x, y, m = mean(w), mean(w + s), mean(w + s + v)
    return SymbolicArgument({"mu_a": x, "mu_star": y, "m": m}, factored(m - y), "nonnegative")


ALTERNATIVES = Domain.of(mu_a="[0, 1)", mu_star="(0, 1)", m="(0, 1)", where=["mu_a < mu_star", "mu_star < m"])


BELOW_ONE = {
    "statement": r"$t_a=\mathrm{TV}_{\inf}=\Delta_a$ for $\mu^\star<1$: every mean $m>\mu^\star$ has "
    r"$m-\mu_a\ge <share>\Delta_a$, and $m\downarrow\mu^\star$ attains the infimum.",
    "domain": ALTERNATIVES,
    "constants": {"share": 1},
    "mutations": [mutation("1.01 Delta", share="101/100")],
    "strongest": "symbolic",
}


@claim("BDP-S1.5/tv-inf-below-one", role="repair", repairs="BDP-S1.5/tv-inf-at-one", **BELOW_ONE)
@claim("BDP-S1.5/tv-inf", **BELOW_ONE)
def total_variation_gap(check: Check) -> None:
    hints = [
        {"mu_a": Fraction(1, 4), "mu_star": Fraction(1, 2), "m": Fraction(1, 2) + Fraction(1, 10**n)} for n in (3, 5, 7)
    ]
    if not check.search(better_alternative_tv, hints):
        check.symbolic(better_alternative_tv, three_means, points=8)


def tv_inf_is_the_gap(mu_a: Any, mu_star: Any) -> tuple[Any, str, Any]:
    return tv_inf(mu_a, mu_star), "==", mu_star - mu_a


@claim(
    "BDP-S1.5/tv-inf-at-one",
    r"$t_a=\Delta_a$ also where $\mu^\star=1$, with $t_a$ read as the infimum over means strictly above "
    r"$\mu^\star$, as in (3).",
    domain=Domain.of(mu_a="[0, 1)", mu_star="(0, 1]", where=["mu_a < mu_star"]), role="reading",
)  # fmt: skip
def no_mean_above_one(check: Check) -> None:
    # the infimum runs over the empty set: it is infinite, and so is d_a; the bound's term is 0 instead of 1/(6 epsilon)
    check.counterexample(tv_inf_is_the_gap, {"mu_a": Fraction(1, 2), "mu_star": Fraction(1)})


def kl_far_above_the_square(u: Any, factor: Any) -> tuple[Any, str, Any]:
    """At mu_a = 1/2 and mu* = 1 - e^-u / 4."""
    import sympy

    half = sympy.Rational(1, 2) if system(u) == SYMBOL else to_ball(Fraction(1, 2))
    mu_star = 1 - exp(-u) / 4
    return settled(kl_bernoulli(half, mu_star)), ">=", factor * u * (mu_star - half) * (mu_star - half)


def close_to_one() -> SymbolicArgument:
    from sympy import log as sym_log

    s = symbols("s")
    certificate = sym_log(1 + 1 / (3 + 4 * s)) / 2 + sym_log(1 + s) * (3 + 4 * s) / (8 * (1 + s) ** 2)
    return SymbolicArgument({"u": sym_log(1 + s)}, certificate, "nonnegative")


@claim(
    "BDP-S1.5/arbitrarily-bad",
    r"The approximation $d_a\approx\Delta_a^2$ can be arbitrarily bad: at $\mu_a=\frac12$, "
    r"$\mu^\star=1-\frac14e^{-u}$, "
    r"$\mathrm{kl}(\mu_a,\mu^\star)\ge <factor>u\,\Delta_a^2$ for every $u>0$.",
    domain=Domain.of(u="(0, inf)"), constants={"factor": 2}, mutations=[mutation("3u", factor=3)], strongest="symbolic",
)  # fmt: skip
def squares_are_far_from_kl(check: Check) -> None:
    if not check.search(kl_far_above_the_square, ({"u": Fraction(n)} for n in (1, 10, 100))):
        check.symbolic(kl_far_above_the_square, close_to_one)


not_checkable(
    "BDP-S1.5/lower-bound", r"Regret lower bound $\Omega(\sum_a\log(T)\frac{\Delta_a}{\min(d_a,6\epsilon t_a)})$.",
    "cited result", "its proof; (7) is its form for Bernoulli arms, see BDP-EQ7",
)  # fmt: skip
parts_decide(
    "BDP-S1.5",
    r"Earlier lower bound $\Omega(\sum_a\log(T)\frac{\Delta_a}{\min(d_a,6\epsilon t_a)})$ (cited); for Bernoulli "
    r"arms $t_a=\Delta_a$, and "
    r"$d_a\approx\Delta_a^2$ may be arbitrarily bad.",
)


# --------------------------------------------------------------------------------------------- the contributions, S1.6


def high_privacy_branch(mu_a: Any, mu_star: Any, epsilon: Any) -> Any:
    """The second case of (8) in its stable form (BDP-DF2)."""
    return -epsilon * mu_a - log(1 - mu_star * (1 - exp(-epsilon)))


def one_sided(mu_a: Any, mu_star: Any, order: int) -> Any:
    """The left derivative of this order of d_epsilon in epsilon at epsilon_0; the right ones are 0: kl is constant."""
    threshold = log(mu_star / mu_a) + log((1 - mu_a) / (1 - mu_star))
    if system(mu_a, mu_star) == SYMBOL:
        if order == 1:
            return factored(slope(high_privacy_branch, (mu_a, mu_star, settled(threshold)), 2, of_a_mean=False))
        import sympy

        epsilon = symbols("epsilon_")
        second = sympy.diff(high_privacy_branch(mu_a, mu_star, epsilon), epsilon, order)
        return factored(second.subs(epsilon, settled(threshold)))
    from flint import arb_series

    budget = arb_series([threshold, 1], prec=order + 1)
    logarithm = (1 - mu_star * (1 - (-budget).exp())).log()
    return (-budget * mu_a - logarithm)[order] * order


def slopes_meet(mu_a: Any, mu_star: Any, jump: Any) -> tuple[Any, str, Any]:
    return one_sided(mu_a, mu_star, 1), "==", jump + 0 * mu_a


def bends_meet(mu_a: Any, mu_star: Any) -> tuple[Any, str, Any]:
    return one_sided(mu_a, mu_star, 2), "==", 0 * mu_a


def bend_is_the_variance(mu_a: Any, mu_star: Any, factor: Any) -> tuple[Any, str, Any]:
    return one_sided(mu_a, mu_star, 2), "==", -factor * mu_a * (1 - mu_a)


def two_means() -> SymbolicArgument:
    a, s = symbols("a s")
    return SymbolicArgument({"mu_a": mean(a), "mu_star": mean(a * (1 + s))}, 0, "zero")


TWO_MEANS = Domain.of(mu_a="(0, 1)", mu_star="(0, 1)", where=["mu_a < mu_star"])


def _at_two_means(check: Check, relation: Any) -> None:
    if not check.search(relation, [{"mu_a": Fraction(1, 4), "mu_star": Fraction(1, 2)}]):
        check.symbolic(
            relation, two_means, points=8, routes=("derivative of the second case of (8)", "derivative of the first")
        )


@claim(
    "BDP-S1.6/continuously-differentiable",
    r"(b) $d_\epsilon$ passes smoothly from the high to the low privacy regime, in the sense that the slopes in "
    r"$\epsilon$ of both cases "
    r"of (8) agree at $\epsilon_0$ (jump <jump>); it is $\mathrm{kl}$ from there on and $\sim\epsilon\,\mathrm{TV}$ "
    r"at 0 (BDP-EQ8).",
    domain=TWO_MEANS, constants={"jump": 0}, mutations=[mutation("jump 0.001", jump="1/1000")], strongest="symbolic",
)  # fmt: skip
def once_differentiable(check: Check) -> None:
    _at_two_means(check, slopes_meet)


@claim(
    "BDP-S1.6/twice-differentiable", r"(b) read as: $d_\epsilon$ is twice differentiable in $\epsilon$ at "
                                     r"$\epsilon_0$.",
    domain=TWO_MEANS, role="reading", strongest="symbolic",
)  # fmt: skip
def twice_differentiable(check: Check) -> None:
    _at_two_means(check, bends_meet)


@claim(
    "BDP-S1.6/jump-of-the-second-derivative",
    r"The second derivative in $\epsilon$ jumps at $\epsilon_0$, from $-<factor>\mu_a(1-\mu_a)$ to 0.",
    domain=TWO_MEANS, role="repair", repairs="BDP-S1.6/twice-differentiable", constants={"factor": 1},
    mutations=[mutation("1 % less", factor="99/100")], strongest="symbolic",
)  # fmt: skip
def jump_of_the_bend(check: Check) -> None:
    _at_two_means(check, bend_is_the_variance)


parts_decide(
    "BDP-S1.6",
    r"Contributions: (a) a strict improvement of the lower bound for all $\epsilon$; (b) $d_\epsilon$ interpolates "
    r"smoothly between KL and TV. "
    r"The others are claims of their own: (c) BDP-P4.1, (d) and (e) BDP-T4.3, (f) BDP-E5.1, (g) BDP-PB.5.",
)
