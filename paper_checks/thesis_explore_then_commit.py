"""Explore then commit: TH-A2.ETC, its exact regret and what becomes of it for too little and too much exploration."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_bandit_algorithms import exact_regret
from banditproof.theory.numeric import sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]

# ------------------------------------------------------------------------------- TH-A2.ETC: explore, then commit


def normal_cdf(x: Any) -> Any:
    """Phi(x), a ball."""
    return (-x / sqrt(to_ball(2))).erfc() / 2


def etc_by_hand(means: tuple[Fraction, ...], m: int, horizon: int) -> Fraction:
    """m sum of gaps + (T - 2m) Delta P(the worse of two arms is committed to); ties go to arm 0."""
    worse = means.index(min(means))

    def wins(mean: Fraction, k: int) -> Fraction:
        return comb(m, k) * mean**k * (1 - mean) ** (m - k)

    pairs = itertools.product(range(m + 1), repeat=2)
    wrong = sum(
        wins(means[0], k) * wins(means[1], j) for k, j in pairs if (k >= j) == (worse == 0)
    )  # fmt: skip
    gap = max(means) - min(means)
    return m * gap + (horizon - 2 * m) * gap * wrong


def etc_regret(best: Fraction, other: Fraction, m: int, horizon: int, rounds: int) -> Sides:
    orders = ((best, other), (other, best))
    enumerated = sum(exact_regret(f"ETC, m = {m}", means, horizon) for means in orders)
    return enumerated, "==", sum(etc_by_hand(means, rounds * m, horizon) for means in orders)


parts_decide(
    "TH-A2.ETC",
    r"explore then commit pulls each arm $m>1$ times and then the empirically best one for ever; the regret depends "
    r"heavily on $m$: it is linear in $T$ for $m$ too small and for $m$ too large",
)


@claim(
    "TH-A2.ETC/exact-regret",
    r"two Bernoulli arms: $\mathrm{Reg}_T=m\Delta+(T-2m)\,\Delta\,\mathbb P(\text{the worse arm wins $<rounds>m$ "
    r"rounds})$, exactly",
    domain=Domain.of(
        best="[0, 1]", other="[0, 1]", m="integer [2, inf)", horizon="integer [1, inf)",
        where=["other < best", "horizon >= 2 * m"],
    ),
    constants={"rounds": 1}, mutations=[mutation("twice as many rounds", rounds=2)], strongest="enumeration",
)  # fmt: skip
def regret_of_explore_then_commit(check: Check) -> None:
    points = [
        {"best": best, "other": other, "m": m, "horizon": horizon}
        for best, other in (("1/2", "1/4"), ("1", "0"), ("9/10", "4/5")) for m, horizon in ((2, 4), (2, 9), (3, 8))
    ]  # fmt: skip
    check.enumerate(etc_regret, points, rational=True, routes=("sum over all lists of rewards", "binomial tails"))


def commits_wrongly(gap: Any, m: int, spread: Any) -> Sides:
    """P(mean of m rewards of the worse arm >= that of the better one), by quadrature, against Phi(-gap sqrt(m/2))."""
    import mpmath

    mpmath.mp.dps = 30
    shift, rate = mpmath.mpf(str(gap.mid().str(25, radius=False))), mpmath.sqrt(m)
    density = mpmath.quad(lambda x: mpmath.npdf(x) * mpmath.ncdf(x - shift * rate), [-mpmath.inf, -3, 0, 3, mpmath.inf])
    closed = normal_cdf(-gap * sqrt(to_ball(m) / spread))
    return abs(to_ball(mpmath.nstr(density, 25)) - closed), "<=", to_ball("1e-15")


@claim(
    "TH-A2.ETC/gaussian-arms",
    r"two normal arms of unit variance: $\mathrm{Reg}_T=m\Delta+(T-2m)\,\Delta\,\Phi(-\Delta\sqrt{m/<spread>})$",
    domain=Domain.of(gap="(0, inf)", m="integer [2, inf)"), constants={"spread": 2},
    mutations=[mutation("variance 1 instead of 2", spread=1)], strongest="quadrature", role="remark",
)  # fmt: skip
def commits_wrongly_with_normal_rewards(check: Check) -> None:
    """The difference of two means of m rewards is normal with variance 2/m."""
    over = {"gap": ["1/10", "1/2", "2"], "m": [2, 7, 50]}
    if not check.quadrature(commits_wrongly, over, "1e-15 (mpmath, 30 digits)"):
        check.search(commits_wrongly, [{"gap": Fraction(1, 2), "m": 7}])


def fixed_exploration(best: Any, other: Any, m: int, factor: Any) -> Sides:
    """Share of T that is lost in the end, Delta P(wrong), against a positive number: every best reward fails."""
    lost = (best - other) * etc_wrong(best, other, m)
    return lost, ">=", factor * (best - other) * ((1 - best) * other) ** m


def etc_wrong(best: Any, other: Any, m: int) -> Any:
    """P(the worse arm has more successes), strictly: no rule on ties avoids that."""
    pairs = ((k, j) for k in range(m + 1) for j in range(k))  # k of the worse arm, j < k of the better one
    return sum(comb(m, k) * other**k * (1 - other) ** (m - k) * comb(m, j) * best**j * (1 - best) ** (m - j)
               for k, j in pairs)  # fmt: skip


@claim(
    "TH-A2.ETC/too-small",
    r"$m$ fixed: the share of $T$ that is lost is at least $<factor>\,\Delta\,((1-p)q)^m>0$ for Bernoulli arms "
    r"$0<q<p<1$: linear regret",
    domain=Domain.of(best="(0, 1)", other="(0, 1)", m="integer [2, inf)", where=["other < best"]),
    constants={"factor": 1}, mutations=[mutation("1000 times as much", factor=1000)], strongest="enumeration",
)  # fmt: skip
def too_little_exploration(check: Check) -> None:
    """Among the events counted: every reward of the better arm is 0, every one of the worse arm is 1."""
    points = [
        {"best": best, "other": other, "m": m}
        for best, other in (("1/2", "1/4"), ("9/10", "1/10"), ("3/4", "7/10"), ("99/100", "1/2")) for m in (2, 3, 10)
    ]  # fmt: skip
    check.enumerate(fixed_exploration, points, rational=True, routes=("binomial tails", "one term of them"))


def etc_at_least(gap: Any, m: Any, horizon: Any, wrong: Any, factor: Any) -> Sides:
    """`wrong` is the probability to commit to the worse arm."""
    return factor * m * gap, "<=", m * gap + (horizon - 2 * m) * gap * wrong


def at_least_argument(factor: Any) -> SymbolicArgument:
    import sympy

    odds = sympy.Symbol("odds", nonnegative=True)
    return _at_least(odds / (1 + odds), factor)


def certainly_wrong(factor: Any) -> SymbolicArgument:
    import sympy

    return _at_least(sympy.S.One, factor)


def _at_least(wrong: Any, factor: Any) -> SymbolicArgument:
    import sympy

    gap = sympy.Symbol("gap", positive=True)
    m, later = (sympy.Symbol(name, integer=True, nonnegative=True) for name in ("m", "later"))
    variables = {"gap": gap, "m": m + 2, "horizon": 2 * (m + 2) + later, "wrong": wrong}
    return SymbolicArgument(variables, (1 - factor) * (m + 2) * gap + later * gap * wrong, "nonnegative")


@claim(
    "TH-A2.ETC/too-large",
    r"whatever is committed to, $\mathrm{Reg}_T\ge<factor>\,m\Delta$: exploring for a fixed share of $T$ gives linear "
    r"regret",
    domain=Domain.of(
        gap="(0, inf)", m="integer [2, inf)", horizon="integer [4, inf)", wrong="[0, 1]", where=["horizon >= 2 * m"]
    ),
    constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")], strongest="symbolic",
)  # fmt: skip
def too_much_exploration(check: Check) -> None:
    """The other summand is not negative; with m = T/2 there is nothing but exploration."""
    nothing_else = {"gap": Fraction(1), "m": 2, "horizon": 4, "wrong": Fraction(0)}
    if not check.search(etc_at_least, [nothing_else]):
        routes = ("exploration alone", "the whole regret")
        check.symbolic(etc_at_least, at_least_argument, check.domain.restrict(wrong="[0, 1)"), routes)
        check.symbolic(etc_at_least, certainly_wrong, check.domain.restrict(wrong=[1]), routes)


# ------------------------------------------------------------------- is sub-linear regret possible without the gaps


def largest_regret(m: int, horizon: int) -> Any:
    """At least the regret of normal arms with any gap in (0, 1]: x Phi(-x) <= x exp(-x^2/2) / 2 <= exp(-1/2) / 2."""
    return m + horizon * to_ball("31/100") * sqrt(to_ball(2) / m)


def no_choice_is_sub_linear(m: int, horizon: int, share: Any) -> Sides:
    return largest_regret(m, horizon), ">=", share * horizon


@claim(
    "TH-A2.ETC/gaps-needed",
    r"'optimising for $m$ to get sub-linear regret depends on the knowledge of the gaps', read literally: for every "
    r"$m$ the largest regret over $\Delta\in(0,1]$ is at least $<share>\,T$, at $T=10^6$",
    domain=Domain.of(m="integer [2, 500000]", horizon=["1000000"]), constants={"share": "1/10"}, role="reading",
)  # fmt: skip
def sub_linear_regret_needs_the_gaps(check: Check) -> None:
    """m = T^(2/3) knows no gap and keeps the regret of every instance below 2 T^(2/3)."""
    check.counterexample(no_choice_is_sub_linear, {"m": 10_000, "horizon": Fraction(10**6)})


def worst_of_two_gaps(root: Any, shrink: Any, factor: Any) -> Sides:
    """With m = root^2 T^(2/3), shrink = T^(-1/3): regret at gap 1 plus regret at gap sqrt(2/m), times root T^(-2/3)."""
    return root**3 + (1 - 2 * root**2 * shrink) * sqrt(to_ball(2)) * normal_cdf(to_ball(-1)), ">=", factor * root


@claim(
    "TH-A2.ETC/gaps-needed-repaired",
    r"without the gaps no $m$ does better than the order $T^{2/3}$, whereas with them $\sqrt T$ is possible: for "
    r"$m=x^2T^{2/3}$ with $x\le\frac12$ the regrets of the gaps 1 and $\sqrt{2/m}$ add up to at least "
    r"$<factor>\,T^{2/3}$",
    domain=Domain.of(root="(0, 1/2]", shrink="(0, 1]"), constants={"factor": "2/5"},
    mutations=[mutation("twice that", factor="4/5")], role="repair", repairs="TH-A2.ETC/gaps-needed",
    strongest="interval",
)  # fmt: skip
def gaps_improve_the_rate(check: Check) -> None:
    """For larger m exploration alone costs T^(2/3) / 4 at gap 1."""
    check.interval(worst_of_two_gaps, routes=("exact regret of two gaps, in balls", "the order of the rate"))
