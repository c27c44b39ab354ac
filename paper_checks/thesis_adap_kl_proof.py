r"""The proof of Theorem 5.4, how its constants come about: ALG-EQC.14-15, LC.6.

L = log T, n = 2^l is the length of an episode, Delta the gap of an arm with mean a below the best mean y, d = kl.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_regret_comparison import (
    deviation_reachable,
    deviation_within,
    share_of_divergence,
    share_of_divergence_argument,
    target_in_range,
)
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_adap_regret import (
    symbols,
)
from banditproof.paper_checks.thesis_adaptive_episodes import COMPOSED
from banditproof.theory.adap_klucb import adap_klucb_term, deviation_share
from banditproof.theory.bernoulli import kl_bernoulli
from banditproof.theory.episodic_upper_bounds import leaving_point
from banditproof.theory.numeric import SYMBOL, exp, log, system, to_ball, working_precision
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]

# -------------------------------------------------------------------------------------------------------- ALG-EQC.14-15

PAIR = {"mu_i": "(0, 1)", "mu_star": "(0, 1)"}
parts_decide(
    "ALG-EQC.14-15",
    r"$d(\mu_a+c(v)\Delta_a,\mu_1)=\frac{d(\mu_a,\mu_1)}{1+v}$ and (C.14), $d(\mu_a+\gamma\Delta_a,\mu_a)=\frac L"
    r"{2^\ell}$ and (C.15) give $\mathbb P(G^c)\le\frac3{2T}$; with the smallest such $\ell$, $2^{\ell+1}$ is at most "
    r"four times the infimum over $v$ that defines $C_1(\beta)$ and $C_2$",
)
SEPARATION = derivation(
    [fact(share_of_divergence, Domain.of(divergence="(0, inf)", beta="(0, inf)"), share_of_divergence_argument)],
    "kl(., mu*) decreases continuously from kl(mu_a, mu*) to 0 on [mu_a, mu*]: intermediate value theorem",
)


@claim(
    "ALG-EQC.14-15/separation",
    r"for $v>0$ there is one $c(v)\in[0,1]$ with $d(\mu_a+c(v)\Delta_a,\mu_1)=\frac{d(\mu_a,\mu_1)}{<shift>+v}$",
    domain=Domain.of(**PAIR, beta="(0, inf)", where=["mu_i < mu_star"]), constants={"shift": 1},
    mutations=[mutation("1/2 + v", shift="1/2")], strongest="certificate", twins=["BDP-EQ49"],
)  # fmt: skip
def separation_exists(check: Check) -> None:
    means, values = (("1/10", "1/2"), ("1/2", "999/1000")), ("1/100", "1", "100")
    over = [{"mu_i": a, "mu_star": y, "beta": v} for (a, y), v in itertools.product(means, values)]
    if check.enumerate(target_in_range, over, routes=("the target", "the divergence at c = 0")):
        check.certificate(facts_hold, SEPARATION, routes=COMPOSED)


def both_conditions(reach: Any, epsilon: Any, level: Any, beta: Any, more: Any, one: Any) -> Sides:
    """theta at n = (one + beta) L/((c - gamma) epsilon Delta) (1 + more), reach = (c - gamma) Delta."""
    n = (one + beta) * level / (reach * epsilon) * (1 + more)
    return 0, "<=", reach - (1 + beta) * level / (epsilon * n)


def any_reach(one: Any) -> SymbolicArgument:
    r, e, level, b = symbols("r e L b", positive=True)
    m = symbols("m", nonnegative=True)
    variables = {"reach": r, "epsilon": e, "level": level, "beta": 3 + b, "more": m}
    return SymbolicArgument(variables, r * m / (1 + m), "nonnegative")


@claim(
    "ALG-EQC.14-15/theta",
    r"(C.15), $2^\ell\ge\frac{(<one>+\beta)L}{(c(v)-\gamma)\varepsilon\Delta_a}$, ensures "
    r"$\theta=(c(v)-\gamma)\Delta_a-\frac{(1+\beta)L}{\varepsilon2^\ell}\ge0$",
    domain=Domain.of(reach="(0, inf)", epsilon="(0, inf)", level="(0, inf)", beta="(3, inf)", more="[0, inf)"),
    constants={"one": 1}, mutations=[mutation("0.9 + beta", one="0.9")], strongest="symbolic",
)  # fmt: skip
def theta_is_nonnegative(check: Check) -> None:
    point = {"reach": Fraction(1), "epsilon": Fraction(1), "level": Fraction(1), "beta": Fraction(4), "more": 0}
    if not check.search(both_conditions, [point], rational=True):
        check.symbolic(both_conditions, any_reach)


def misleading(level: Any, top: Any) -> Sides:
    """e^-L for the rewards (Chernoff), e^-L/2 for the noise, against (top/2) e^-L = top/(2T), over e^-L."""
    return exp(-level) + exp(-level) / 2, "<=", top * exp(-level) / 2


def any_level(top: Any) -> SymbolicArgument:
    level = symbols("L", positive=True)
    import sympy

    return SymbolicArgument({"level": level}, (top - 3) * sympy.exp(-level) / 2, "nonnegative")


@claim(
    "ALG-EQC.14-15/probability", r"$e^{-2^\ell d(\mu_a+\gamma\Delta_a,\mu_a)}+\frac1{2T}\le\frac{<top>}{2T}$",
    domain=Domain.of(level="(0, inf)"), constants={"top": 3}, mutations=[mutation("2.9", top="2.9")],
    strongest="symbolic",
)  # fmt: skip
def probability_to_mislead(check: Check) -> None:
    if not check.search(misleading, [{"level": Fraction(1)}]):
        check.symbolic(misleading, any_level)


@claim(
    "ALG-EQC.14-15/step-deviation",
    r"$\gamma_{\ell,T}$ with $d(\mu_a+\gamma_{\ell,T}\Delta_a,\mu_a)=\frac{\log T}{2^\ell}$ exists for all $\ell$, $T$",
    domain=Domain.of(mu_i="(0, 1)", horizon="integer [2, inf)", phase="integer [0, inf)"), role="step",
    twins=["BDP-EQ49"],
)  # fmt: skip
def deviation_exists(check: Check) -> None:
    """Not in early episodes, where log T/2^l exceeds the divergence of every mean; at mu_a = 0 never."""
    check.counterexample(deviation_reachable, {"mu_i": Fraction(1, 2), "horizon": 3, "phase": 0})


@claim(
    "ALG-EQC.14-15/deviation-in-late-episodes",
    r"for $0<\mu_a\le\frac12$, $\gamma_{\ell,T}$ exists once $T\le2^{2^\ell}$: $\frac{\log T}{2^\ell}\le<factor>"
    r"d(1,\mu_a)$",
    domain=Domain.of(
        mu_i="(0, 1/2]", horizon="integer [2, inf)", phase="integer [0, inf)", where=["horizon <= 2**2**phase"]
    ),
    role="repair", repairs="ALG-EQC.14-15/step-deviation", constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
)  # fmt: skip
def deviation_in_late_episodes(check: Check) -> None:
    means = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 1000)]
    phases = [(ell, T) for ell in range(7) for T in {2, 2**2**ell}]
    points = [{"mu_i": mean, "horizon": T, "phase": ell} for ell, T in phases for mean in means]
    check.enumerate(deviation_within, points, routes=("level of the deviation", "largest divergence"))


def infimum_over_v(mu_i: Any, mu_star: Any, epsilon: Any, beta: Any, level: Any) -> Any:
    """inf over v of the printed maximum, with gamma at this level = L/2^l: a ball, inf if no v is admissible."""
    gamma = deviation_share(level, mu_i, mu_star)
    return adap_klucb_term(mu_i, mu_star, epsilon, beta, gamma).coefficient.ball()


def last_inequality(mu_i: Any, mu_star: Any, epsilon: Any, beta: Any, horizon: int) -> Sides:
    """2^(l+1) + 3/2 + beta/(beta-3) against 4 inf L + 3 beta/(beta-3), l the smallest with 2^l >= inf L."""
    with working_precision(128):
        level, block = log(to_ball(horizon)), 1
        while True:
            infimum = infimum_over_v(mu_i, mu_star, epsilon, beta, level / block)
            if block >= infimum * level:
                break
            if not block < infimum * level:
                raise ArithmeticError("balls do not decide between two blocks")
            block *= 2
        left = 2 * block + to_ball(3) / 2 + beta / (beta - 3)
        return left, "<=", 4 * infimum * level + 3 * beta / (beta - 3)


ARM = Domain.of(**PAIR, epsilon="(0, inf)", beta="(3, inf)", horizon="integer [2, inf)", where=["mu_i < mu_star"])


@claim(
    "ALG-EQC.14-15/last-inequality",
    r"for the smallest $\ell$ with $2^\ell\ge\inf_v\max\{\dots\}L$, the maximum of (C.14) and (C.15) with "
    r"$\gamma_{\ell,T}$: $2^{\ell+1}+\frac32+\frac\beta{\beta-3}\le4\inf_v\max\{\dots\}L+\frac{3\beta}{\beta-3}$",
    domain=ARM,
)  # fmt: skip
def four_times_the_infimum(check: Check) -> None:
    """The infimum falls in l through gamma: at l - 1, where it was not reached, it was larger than at l."""
    point = {"mu_i": "1/4", "mu_star": "1/2", "epsilon": "100", "beta": "4"}
    exact: dict[str, Any] = {name: Fraction(value) for name, value in point.items()}
    check.counterexample(last_inequality, {**exact, "horizon": 10**7})


def separated(mu_i: Any, mu_star: Any, epsilon: Any, beta: Any, level: Any, n: Any) -> bool:
    """Whether (C.14) and (C.15) hold for some v at a real n: gamma(n) <= c - (1 + beta) L/(n epsilon Delta)."""
    x = leaving_point(mu_i, mu_star, beta * level / n)
    lowest = None if x is None else x - (1 + beta) * level / (epsilon * n)
    return lowest is not None and bool(lowest > mu_i) and bool(n * kl_bernoulli(lowest, mu_i) >= level)


def pulls_of_the_first_block(mu_i: Any, mu_star: Any, epsilon: Any, beta: Any, horizon: int, factor: Any) -> Sides:
    """2^(l+1) for the first separated power of two against a real number that is separated, close to the least one."""
    with working_precision(128):
        level, block = log(to_ball(horizon)), 1
        while not separated(mu_i, mu_star, epsilon, beta, level, to_ball(block)):
            block *= 2
        low, high = Fraction(block, 2), Fraction(block)
        for _ in range(20):
            middle = (low + high) / 2
            found = separated(mu_i, mu_star, epsilon, beta, level, to_ball(middle))
            low, high = (low, middle) if found else (middle, high)
        return Fraction(2 * block), "<=", factor * to_ball(high)


@claim(
    "ALG-EQC.14-15/last-inequality-repaired",
    r"if $n$ is the smallest real number with (C.14), (C.15) and $\gamma$ at $\frac Ln$, then $2^{\ell+1}\le<factor>n$ "
    r"for the smallest such $2^\ell$",
    domain=ARM, constants={"factor": 4}, mutations=[mutation("3", factor=3)], role="repair",
    repairs="ALG-EQC.14-15/last-inequality",
)  # fmt: skip
def four_times_the_real_block(check: Check) -> None:
    means, budgets = (("1/4", "1/2"), ("1/10", "9/10")), ("1/10", "100")
    points = [
        {"mu_i": Fraction(a), "mu_star": Fraction(y), "epsilon": Fraction(e), "beta": Fraction(4), "horizon": T}
        for (a, y), e, T in itertools.product(means, budgets, (100, 10**5, 10**7))
    ]  # fmt: skip
    check.enumerate(pulls_of_the_first_block, points, routes=("powers of two", "the real solution"))


# ------------------------------------------------------------------------------------------------------------- ALG-LC.6


def _kl(p: Any, q: Any) -> Any:
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q)) if system(p, q) == SYMBOL else kl_bernoulli(p, q)


def affine_difference(x: Any, mu_i: Any, mu_star: Any, sign: Any) -> Sides:
    """d(x, a) - d(x, y) as a line in x."""
    slope = log(mu_star / (1 - mu_star)) - log(mu_i / (1 - mu_i))
    return _kl(x, mu_i) - _kl(x, mu_star), "==", sign * slope * x + log((1 - mu_star) / (1 - mu_i))


def any_point(sign: Any) -> SymbolicArgument:
    a, b, c = symbols("a b c", positive=True)
    return SymbolicArgument({"x": a / (1 + a), "mu_i": b / (1 + b), "mu_star": (b + c) / (1 + b + c)}, 0, "zero")


@claim(
    "ALG-LC.6/affine",
    r"$g(x)=d(x,\mu_a)-d(x,\mu_1)=<sign>\Big(\log\frac{\mu_1}{1-\mu_1}-\log\frac{\mu_a}{1-\mu_a}\Big)x+"
    r"\log\frac{1-\mu_1}{1-\mu_a}$",
    domain=Domain.of(x="(0, 1)", **PAIR, where=["mu_i < mu_star"]), constants={"sign": 1},
    mutations=[mutation("0.9 of the slope", sign="0.9")], strongest="symbolic", role="step",
)  # fmt: skip
def difference_is_affine(check: Check) -> None:
    if not check.search(affine_difference, [{"x": Fraction(1, 2), "mu_i": Fraction(1, 4), "mu_star": Fraction(1, 2)}]):
        check.symbolic(affine_difference, any_point, points=10)


def odds_rise(mu_i: Any, mu_star: Any, factor: Any) -> Sides:
    return log(mu_i / (1 - mu_i)), "<", log(factor * mu_star / (1 - mu_star))


def any_odds(factor: Any) -> SymbolicArgument:
    import sympy

    b, c = symbols("b c", positive=True)
    return SymbolicArgument(
        {"mu_i": b / (1 + b), "mu_star": (b + c) / (1 + b + c)}, sympy.log(1 + c / b), "positive"
    )  # fmt: skip


@claim(
    "ALG-LC.6/increasing",
    r"its slope is positive, $\log\frac{\mu_a}{1-\mu_a}<\log\frac{<factor>\mu_1}{1-\mu_1}$; with $g(\mu_a)=-d(\mu_a,"
    r"\mu_1)<0<g(\mu_1)=d(\mu_1,\mu_a)$ it has one root, between the means",
    domain=Domain.of(**PAIR, where=["mu_i < mu_star"]), constants={"factor": 1},
    mutations=[mutation("0.9", factor="0.9")], strongest="symbolic", role="step",
)  # fmt: skip
def difference_increases(check: Check) -> None:
    if not check.search(odds_rise, [{"mu_i": Fraction(49, 100), "mu_star": Fraction(1, 2)}]):
        check.symbolic(odds_rise, any_odds)


def deviation_is_smaller(divergence: Any, v: Any, excess: Any, power: Any) -> Sides:
    """(C.16): L/2^l <= d/(beta (1 + v)) by (C.14) against d(z, a) = d/(1 + v); beta = 3 + excess."""
    return divergence / ((3 + excess) ** power * (1 + v)), "<", divergence / (1 + v)


def any_divergence(power: Any) -> SymbolicArgument:
    d, v, b = symbols("d v b", positive=True)
    return SymbolicArgument({"divergence": d, "v": v, "excess": b}, d / (1 + v) * (2 + b) / (3 + b), "positive")


@claim(
    "ALG-LC.6/smaller-deviation",
    r"(C.16): $\frac L{2^\ell}\le\frac{d(\mu_a,\mu_1)}{\beta^{<power>}(1+v)}<\frac{d(\mu_a,\mu_1)}{1+v}=d(z,\mu_a)$, "
    r"hence $\gamma_{\ell,T}<c(v)$, $d(\cdot,\mu_a)$ increasing from $\mu_a$ on",
    domain=Domain.of(divergence="(0, inf)", v="(0, inf)", excess="(0, inf)"), constants={"power": 1},
    mutations=[mutation("without beta", power=0)], strongest="symbolic", role="step",
)  # fmt: skip
def gamma_below_c(check: Check) -> None:
    if not check.search(deviation_is_smaller, [{"divergence": Fraction(1), "v": Fraction(1), "excess": Fraction(1)}]):
        check.symbolic(deviation_is_smaller, any_divergence)


def member_of_b(mu_i: Any, mu_star: Any, beta: Any, room: Any) -> Sides:
    """gamma at the largest level that (C.14) allows for the v of the root z, over c(v) = (z - a)/(y - a)."""
    slope = log(mu_star / (1 - mu_star)) - log(mu_i / (1 - mu_i))
    z = (log(1 - mu_i) - log(1 - mu_star)) / slope
    gamma = deviation_share(kl_bernoulli(z, mu_star) / beta, mu_i, mu_star)
    return gamma, "<", room * (z - mu_i) / (mu_star - mu_i)


MEMBER = derivation(
    [
        fact(affine_difference, Domain.of(x="(0, 1)", **PAIR, where=["mu_i < mu_star"]), any_point),
        fact(odds_rise, Domain.of(**PAIR, where=["mu_i < mu_star"]), any_odds),
        fact(deviation_is_smaller, Domain.of(divergence="(0, inf)", v="(0, inf)", excess="(0, inf)"), any_divergence),
    ],
    "an increasing line that is negative at mu_a and positive at mu_1 has one root z between them; d(., mu_1) falls "
    "there and d(., mu_a) rises, so v = d(mu_a, mu_1)/d(z, mu_1) - 1 > 0 has mu_a + c(v) Delta = z and gamma < c(v)",
)


def lemma_holds(data: Any, room: Any) -> Any:
    return facts_hold(data, sign=1, factor=1, power=1)


@claim(
    "ALG-LC.6",
    r"$\mathbf B=\{v>0:c(v)>\gamma_{\ell,T}\}\ne\emptyset$ for $0<\mu_a<\mu_1<1$, $\beta>3$ and (C.14): the $v$ with "
    r"$\mu_a+c(v)\Delta_a=z$, $d(z,\mu_a)=d(z,\mu_1)$, has $\gamma_{\ell,T}<<room>c(v)$",
    domain=Domain.of(**PAIR, beta="(3, inf)", where=["mu_i < mu_star"]), constants={"room": 1},
    mutations=[mutation("half of c", room="1/2")], strongest="certificate",
)  # fmt: skip
def some_v_is_admissible(check: Check) -> None:
    pairs = (("1/4", "1/2"), ("1/100", "9/10"), ("1/2", "999/1000"), ("49/100", "1/2"))
    over = [{"mu_i": a, "mu_star": y, "beta": beta} for (a, y), beta in itertools.product(pairs, ("301/100", "10"))]
    if check.enumerate(member_of_b, over, routes=("gamma by certified bisection", "c from the root of the line")):
        check.certificate(lemma_holds, MEMBER, routes=COMPOSED)


def deviation_at_zero(share: Any, mu_star: Any, level: Any) -> Sides:
    """kl(share y, 0), which is 0 or infinite, against a finite positive level."""
    return kl_bernoulli(share * mu_star, to_ball(0)), "!=", level


@claim(
    "ALG-LC.6/edge-mean-zero",
    r"at $\mu_a=0$, which Theorem 5.4 does not exclude, no $\gamma$ has $d(\gamma\Delta_a,0)=\frac{\log T}{2^\ell}$: "
    r"the divergence is 0 or infinite; any $\gamma>0$ serves, as a mean of rewards that are 0 never exceeds it",
    domain=Domain.of(share="[0, 1]", mu_star="(0, 1)", level="(0, inf)"), role="remark",
    mutations=[mutation("a level of zero", Domain.of(share="[0, 1]", mu_star="(0, 1)", level="[0, inf)"))],
)  # fmt: skip
def no_deviation_at_mean_zero(check: Check) -> None:
    levels = ["1/100", "1", "50", *(["0"] if check.domain.contains(ZERO_LEVEL) else [])]
    over = {"share": ["0", "1/1000", "1/2", "1"], "mu_star": ["1/2", "9/10"], "level": levels}
    check.enumerate(deviation_at_zero, over, routes=("divergence from a mean of zero", "the level"))


ZERO_LEVEL = {"share": Fraction(0), "mu_star": Fraction(1, 2), "level": Fraction(0)}
