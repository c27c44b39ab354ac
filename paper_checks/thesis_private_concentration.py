"""Concentration of private means and what it says of an index: ALG-LC.2, LC.3, LC.9, EQC.9.

Probabilities are exact: a finite sum over the values of a sum of Bernoulli rewards, with the tail of the noise in
closed form, in balls. For delta > 1 the printed widths are not real numbers (or the printed set is empty); whatever is
meant, a probability is at most 1 and the stated bounds are larger, so 1 stands for the probability there.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_subgaussian import positive
from banditproof.theory.bernoulli import kl_bernoulli, kl_ucb_index
from banditproof.theory.laplace_sums import noisy_sum_tail
from banditproof.theory.numeric import SYMBOL, exp, log, sqrt, system, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
COMPOSED = ("formulas proved symbolically, joined by the named textbook facts", "the stated bound")
EXACT = ("exact tail of rewards plus noise", "the bound")
SIZES: dict[str, Any] = {"n": "integer [1, inf)", "mu": "[0, 1]", "epsilon": "(0, inf)"}
ROWS = [(1, "0"), (1, "1/2"), (1, "9/10"), (2, "2/5"), (3, "1"), (10, "1/10"), (40, "3/4")]
BUDGETS, LEVELS = ("1/100", "1", "100"), ("0", "1/1000000", "1/100", "1/2", "1", "3")


def rows(**more: Sequence[str]) -> Iterator[dict[str, Any]]:
    """n, mu and what else varies."""
    for n, mu in ROWS:
        for values in itertools.product(*more.values()):
            yield {"n": n, "mu": Fraction(mu), **dict(zip(more, map(Fraction, values), strict=True))}


# ------------------------------------------------------------------------------------------------------------- facts


def tail_of_laplace(scale: Any, level: Any) -> Sides:
    """The mass beyond scale * level of the density e^(-|x|/scale) / (2 scale), integrated."""
    if system(scale, level) != SYMBOL:
        return exp(-level) / 2, "==", exp(-level) / 2
    import sympy

    x: Any = sympy.Symbol("x", positive=True)
    mass = sympy.integrate(sympy.exp(-x / scale) / (2 * scale), (x, scale * level, sympy.oo))
    return mass, "==", sympy.exp(-level) / 2


def any_scale_and_level() -> SymbolicArgument:
    scale, level = positive("scale level")
    return SymbolicArgument({"scale": scale, "level": level}, 0, "zero")


def hoeffding_exponent(n: Any, level: Any, spread: Any = 1) -> Sides:
    """-2 n width^2 at the printed width."""
    return -2 * n * (spread * level / (2 * n)), "==", -level


def any_size_and_level(spread: Any = 1) -> SymbolicArgument:
    n, level = positive("n level")
    return SymbolicArgument({"n": n, "level": level}, 0 * level * spread, "zero")


def hoeffding_tilt(n: Any, deviation: Any, square: Any = 2) -> Sides:
    """n times the exponent t^2/8 - t d of Markov's inequality at t = 4 d, with Hoeffding's lemma."""
    tilt = 4 * deviation
    return n * (tilt**2 / 8 - tilt * deviation), "==", -square * n * deviation**2


def any_deviation(square: Any = 2) -> SymbolicArgument:
    n, deviation = positive("n d")
    return SymbolicArgument({"n": n, "deviation": deviation}, 0 * n * square, "zero")


LAPLACE = fact(tail_of_laplace, Domain.of(scale="(0, inf)", level="(0, inf)"), any_scale_and_level)
HOEFFDING = fact(hoeffding_tilt, Domain.of(n="(0, inf)", deviation="(0, inf)"), any_deviation)
HOEFFDING_WIDTH = fact(hoeffding_exponent, Domain.of(n="(0, inf)", level="(0, inf)"), any_size_and_level)
UNION = (
    "the sum exceeds both widths only if the rewards exceed theirs (Hoeffding's inequality: Markov's with Hoeffding's "
    "lemma) or the noise exceeds its own (Laplace tail at a level >= 0): delta + delta/2; for delta > 1 nothing is said"
)
WITH_LAPLACE = derivation([LAPLACE, HOEFFDING, HOEFFDING_WIDTH], UNION)

# ------------------------------------------------------------------------------------------------------------- ALG-LC.2


def beyond_both_widths(n: int, mu: Any, epsilon: Any, level: Any, side: str, noise: Any = 1, spread: Any = 1) -> Any:
    """P(noisy mean -+ noise level / (n epsilon) -+ sqrt(spread level / (2n)) beyond mu), level = log(1/delta) >= 0."""
    width = noise * level / epsilon + sqrt(spread * n * level / 2)
    at = n * mu + width if side == "upper" else n * mu - width
    return noisy_sum_tail(n, 1, mu, epsilon, at, side)


def _two_widths(n: int, mu: Any, epsilon: Any, delta: Any, side: str, noise: Any, spread: Any, factor: Any) -> Sides:
    delta = to_ball(delta)
    if delta == 0:
        return to_ball(0), "<=", to_ball(0)  # infinite widths
    exact = 1 if delta > 1 else beyond_both_widths(n, mu, epsilon, -log(delta), side, noise, spread)
    return exact, "<=", factor * delta


def upper_deviation(n: int, mu: Any, epsilon: Any, delta: Any, noise: Any, spread: Any, factor: Any) -> Sides:
    return _two_widths(n, mu, epsilon, delta, "upper", noise, spread, factor)


def lower_deviation(n: int, mu: Any, epsilon: Any, delta: Any, noise: Any, spread: Any, factor: Any) -> Sides:
    return _two_widths(n, mu, epsilon, delta, "lower", noise, spread, factor)


parts_decide(
    "ALG-LC.2",
    r"$\mathbb P(\hat\mu_n+\mathrm{Lap}(\frac1{n\varepsilon})\mp\frac{\log(1/\delta)}{n\varepsilon}\mp"
    r"\sqrt{\frac{\log(1/\delta)}{2n}}\gtrless\mu)\le\frac32\delta$ for rewards in $[0,1]$ and any $\delta\ge0$",
)
DEVIATION: dict[str, Any] = {
    "domain": Domain.of(law="all: every law on [0, 1]", **SIZES, delta="[0, inf)"),
    "constants": {"noise": 1, "spread": 1, "factor": "3/2"},
    "mutations": [
        mutation("0.45 delta", factor="9/20"), mutation("half the noise width", noise="1/2"),
        mutation("a quarter of the square", spread="1/4"),
    ],
    "strongest": "certificate",
}  # fmt: skip
WIDTHS = r"<noise>\frac{\log(1/\delta)}{n\varepsilon}"


def on_bernoulli_rewards(check: Check, relation: Any) -> None:
    over = [{"law": "Bernoulli", **point} for point in rows(epsilon=BUDGETS, delta=LEVELS)]
    if check.enumerate(relation, over, routes=EXACT):
        check.certificate(facts_hold, WITH_LAPLACE, routes=COMPOSED)


@claim(
    "ALG-LC.2/upper",
    r"$\mathbb P(\hat\mu_n+\mathrm{Lap}(\frac1{n\varepsilon})-" + WIDTHS
    + r"-\sqrt{<spread>\frac{\log(1/\delta)}{2n}}\ge\mu)\le<factor>\,\delta$ (C.2)",
    **DEVIATION,
)  # fmt: skip
def private_mean_too_large(check: Check) -> None:
    on_bernoulli_rewards(check, upper_deviation)


@claim(
    "ALG-LC.2/lower",
    r"$\mathbb P(\hat\mu_n+\mathrm{Lap}(\frac1{n\varepsilon})+" + WIDTHS
    + r"+\sqrt{<spread>\frac{\log(1/\delta)}{2n}}\le\mu)\le<factor>\,\delta$ (C.3)",
    **DEVIATION,
)  # fmt: skip
def private_mean_too_small(check: Check) -> None:
    on_bernoulli_rewards(check, lower_deviation)


# ------------------------------------------------------------------------------------------------------------- ALG-LC.9


def gaussian_noise_tail(n: int, mu: Any, rho: Any, at: Any) -> Any:
    """P(Bin(n, mu) + N(0, 1/(2 rho)) >= at)."""
    from math import comb

    root = sqrt(rho)  # of 1 / (2 variance)
    weights = (comb(n, s) * to_ball(mu) ** s * (1 - to_ball(mu)) ** (n - s) for s in range(n + 1))
    return sum((w * ((at - s) * root).erfc() / 2 for s, w in enumerate(weights)), to_ball(0))


def _one_width(n: int, mu: Any, rho: Any, delta: Any, side: str, share: Any) -> Sides:
    delta = to_ball(delta)
    if delta == 0:
        return to_ball(0), "<=", to_ball(0)
    if delta > 1:
        return to_ball(1), "<=", delta
    level = -log(delta)
    width = sqrt((to_ball(n) / 2 + share / rho) * level)
    p = to_ball(mu) if side == "upper" else 1 - to_ball(mu)  # the lower tail is the upper one of n - S
    return gaussian_noise_tail(n, p, rho, n * p + width), "<=", delta


def gaussian_upper(n: int, mu: Any, rho: Any, delta: Any, share: Any) -> Sides:
    return _one_width(n, mu, rho, delta, "upper", share)


def gaussian_lower(n: int, mu: Any, rho: Any, delta: Any, share: Any) -> Sides:
    return _one_width(n, mu, rho, delta, "lower", share)


def variance_proxies_add_up(n: Any, rho: Any, level: Any, share: Any = 1) -> Sides:
    """width^2 / (2 (1/(4n) + 1/(2 rho n^2))), the exponent of the subgaussian tail at the printed width."""
    width_squared = (1 / (2 * n) + share / (rho * n**2)) * level
    return width_squared / (2 * (1 / (4 * n) + 1 / (2 * rho * n**2))), "==", level


def any_proxies(share: Any = 1) -> SymbolicArgument:
    n, rho, level = positive("n rho level")
    return SymbolicArgument({"n": n, "rho": rho, "level": level}, 0 * level * share, "zero")


WITH_GAUSS = derivation(
    [fact(variance_proxies_add_up, Domain.of(n="(0, inf)", rho="(0, inf)", level="(0, inf)"), any_proxies)],
    "the mean is 1/(2 sqrt n)-subgaussian (TH-L2.22), independent Gaussian noise adds its variance, and the tail of a "
    "subgaussian variable is that of TH-L2.21; for delta > 1 nothing is said",
)
parts_decide(
    "ALG-LC.9",
    r"$\mathbb P(\hat\mu_n+Z_n\mp\sqrt{(\frac1{2n}+\frac1{\rho n^2})\log\frac1\delta}\gtrless\mu)\le\delta$ with "
    r"$Z_n\sim\mathcal N(0,\frac1{2\rho n^2})$, for rewards in $[0,1]$ and any $\delta\ge0$",
)
GAUSSIAN: dict[str, Any] = {
    "domain": Domain.of(law="all: every law on [0, 1]", n=SIZES["n"], mu="[0, 1]", rho="(0, inf)", delta="[0, inf)"),
    "constants": {"share": 1}, "mutations": [mutation("half the noise", share="1/2")], "strongest": "certificate",
}  # fmt: skip


def on_gaussian_noise(check: Check, relation: Any) -> None:
    over = [{"law": "Bernoulli", **point} for point in rows(rho=BUDGETS, delta=LEVELS)]
    if check.enumerate(relation, over, routes=EXACT):
        check.certificate(facts_hold, WITH_GAUSS, routes=COMPOSED)


@claim("ALG-LC.9/upper", r"$\mathbb P(\hat\mu_n+Z_n-\sqrt{(\frac1{2n}+\frac{<share>}{\rho n^2})\log\frac1\delta}"
       r"\ge\mu)\le\delta$ (C.17)", **GAUSSIAN)  # fmt: skip
def gaussian_mean_too_large(check: Check) -> None:
    on_gaussian_noise(check, gaussian_upper)


@claim("ALG-LC.9/lower", r"$\mathbb P(\hat\mu_n+Z_n+\sqrt{(\frac1{2n}+\frac{<share>}{\rho n^2})\log\frac1\delta}"
       r"\le\mu)\le\delta$ (C.18)", **GAUSSIAN)  # fmt: skip
def gaussian_mean_too_small(check: Check) -> None:
    on_gaussian_noise(check, gaussian_lower)


# ------------------------------------------------------------------------------------------------------------- ALG-LC.3


def clipped_mean_below(n: int, mu: Any, epsilon: Any, level: Any, point: Any) -> Any:
    """P(clipped private mean <= point), 0 <= point; level = log(1/delta) moves the mean by level / (n epsilon)."""
    if point >= 1:
        return to_ball(1)
    return noisy_sum_tail(n, 1, mu, epsilon, n * point - level / epsilon, "lower")


def far_below_the_mean(n: int, mu: Any, epsilon: Any, delta: Any, share: Any, half: Any) -> Sides:
    """Claim 1 with alpha = share mu, whose divergence is evaluated at the same ball."""
    level, point = -log(to_ball(delta)), to_ball(mu) * (1 - to_ball(share))
    bound = exp(-n * kl_bernoulli(point, to_ball(mu))) + half * to_ball(delta)
    return clipped_mean_below(n, mu, epsilon, level, point), "<=", bound


def largest_mean_with_index_below(target: Any, level: Any, strictly: bool) -> Any:
    """sup of the x with U(x) <= target, U(x) the largest q with kl(x, q) <= level: a ball, or None if there is none.

    By bisection on the index itself, which rises in x. `strictly` asks for U(x) < target: never at target 0.
    """
    if strictly and target <= 0:
        return None
    return _by_bisection(*(end.man_exp() for ball in (target, level) for end in (ball.mid(), ball.rad())))


@cache
def _by_bisection(*balls: tuple[Any, Any]) -> Any:
    from flint import arb

    (target, level), low = (arb(arb(m), arb(r)) for m, r in (balls[:2], balls[2:])), to_ball(0)
    if kl_ucb_index(low, level) > target:
        return None
    high = target
    for _ in range(60):
        middle = ((low + high) / 2).mid()
        index = kl_ucb_index(middle, level)
        if index <= target:
            low = middle
        elif index > target:
            high = middle
        else:
            break
    return low.union(high)


def index_at_most(n: int, mu: Any, epsilon: Any, level: Any, strict: int) -> Any:
    """P(U_n <= mu), or P(U_n < mu) if `strict`, with level = log(1/delta)."""
    mu = to_ball(mu)
    if level < 0 or (mu >= 1 and not strict):
        return to_ball(1)  # the index is at most 1
    if mu >= 1:  # U < 1 exactly if the clipped mean is below 1
        return noisy_sum_tail(n, 1, mu, epsilon, n - level / epsilon, "lower")
    x = largest_mean_with_index_below(mu, level / n, bool(strict))
    return to_ball(0) if x is None else clipped_mean_below(n, mu, epsilon, level, x)


def index_below_the_mean(n: int, mu: Any, epsilon: Any, delta: Any, factor: Any, strict: int) -> Sides:
    delta = to_ball(delta)
    if delta == 0:
        return to_ball(int(mu >= 1 and not strict)), "<=", delta  # the level is infinite and the index 1
    return index_at_most(n, mu, epsilon, -log(delta), strict), "<=", factor * delta


parts_decide(
    "ALG-LC.3",
    r"Bernoulli rewards, $\check\mu_n(\delta)$ the private mean plus $\frac{\log(1/\delta)}{n\varepsilon}$, clipped to "
    r"$[0,1]$: $\mathbb P(\mu\ge\check\mu_n+\alpha)\le e^{-nd(\mu-\alpha,\mu)}+\frac\delta2$ for $\alpha\in[0,\mu]$, "
    r"and $\mathbb P(\mu\ge U_n(\delta))\le\frac32\delta$",
    domain=Domain.of(**SIZES, delta="(0, inf)"),
)
CHERNOFF_AND_NOISE = derivation(
    [LAPLACE],
    "the clipped mean is at most mu - alpha < 1 only if the mean of the rewards is (Chernoff's bound, ALG-LC.26) or "
    "the noise is at most -log(1/delta)/(n epsilon), which for delta > 1 has probability 1 - 1/(2 delta) <= delta/2; "
    "at mu - alpha = 1 the bound exceeds 1",
)
NOISY = list(rows(epsilon=("1/100", "1", "1000000"), delta=("1/1000000", "101/1000", "1/2", "1", "3")))
OR_NEVER = NOISY + list(rows(epsilon=("1",), delta=("0",)))


@claim(
    "ALG-LC.3/claim-1",
    r"$\mathbb P(\mu\ge\check\mu_n(\delta)+\alpha)\le e^{-nd(\mu-\alpha,\mu)}+<half>\delta$ for "
    r"$\alpha=\mathrm{share}\cdot\mu\in[0,\mu]$ and $\delta>0$ (C.5)",
    domain=Domain.of(**SIZES, delta="(0, inf)", share="[0, 1]"), constants={"half": "1/2"},
    mutations=[mutation("0.49", half="0.49")], strongest="certificate",
)  # fmt: skip
def clipped_mean_is_large(check: Check) -> None:
    over = [{**point, "share": Fraction(share)} for point in NOISY for share in ("0", "1/3", "1")]
    if check.enumerate(far_below_the_mean, over, routes=EXACT):
        check.certificate(facts_hold, CHERNOFF_AND_NOISE, routes=COMPOSED)


INDEX: dict[str, Any] = {"constants": {"factor": "3/2", "strict": 0}, "strongest": "certificate"}
BY_CLAIM_1 = derivation(
    [LAPLACE],
    "U_n <= mu < 1 means kl(clipped mean, mu) >= log(1/delta)/n and clipped mean <= mu, so that claim 1 applies at the "
    "alpha with kl(mu - alpha, mu) = log(1/delta)/n; if there is none, as for delta = 0, U_n > mu always",
)


@claim(
    "ALG-LC.3/claim-2",
    r"$\mathbb P(\mu\ge U_n(\delta))\le<factor>\,\delta$ for $\mu<1$ and $\delta\ge0$ (C.7)",
    domain=Domain.of(n=SIZES["n"], mu="[0, 1)", epsilon="(0, inf)", delta="[0, inf)"),
    mutations=[mutation("0.9 delta", factor="9/10")], **INDEX,
)  # fmt: skip
def private_index_is_optimistic(check: Check) -> None:
    over = [point for point in OR_NEVER if point["mu"] < 1]
    if check.enumerate(index_below_the_mean, over, routes=("exact law, index by certified bisection", "the bound")):
        check.certificate(facts_hold, BY_CLAIM_1, routes=COMPOSED)


@claim(
    "ALG-LC.3/edge-mean-one",
    r"$\mathbb P(\mu\ge U_n(\delta))\le<factor>\,\delta$ at $\mu=1$",
    domain=Domain.of(n=SIZES["n"], mu=[1], epsilon="(0, inf)", delta="(0, inf)"), role="edge", **INDEX,
)  # fmt: skip
def index_of_a_certain_arm(check: Check) -> None:
    """U_n is at most 1 = mu always: step (c) of the proof, d(clipped mean, U_n) = log(1/delta)/n, fails at mean 1."""
    check.counterexample(index_below_the_mean, {"n": 1, "mu": 1, "epsilon": Fraction(1), "delta": Fraction(1, 2)})


@claim(
    "ALG-LC.3/claim-2-strict",
    r"$\mathbb P(\mu>U_n(\delta))\le<factor>\,\delta$ for every $\mu\in[0,1]$",
    domain=Domain.of(**SIZES, delta="[0, inf)"), constants={"factor": "3/2", "strict": 1}, strongest="certificate",
    mutations=[mutation("0.9 delta", factor="9/10"), mutation("not strictly", strict=0)],
    role="repair", repairs="ALG-LC.3/edge-mean-one",
)  # fmt: skip
def private_index_is_strictly_optimistic(check: Check) -> None:
    """At mu = 1 the index is below 1 only if the clipped mean is, hence if the noise is below -log(1/delta)/(n eps)."""
    if check.enumerate(index_below_the_mean, OR_NEVER, routes=("exact law, index by certified bisection", "the bound")):
        check.certificate(facts_hold, BY_CLAIM_1, routes=COMPOSED)


# ------------------------------------------------------------------------------------------------------------ ALG-EQC.9


def level_at(t: int, beta: Any) -> Any:
    return to_ball(beta) * log(to_ball(t))


def ucb_is_optimistic(samples: int, mu: Any, epsilon: Any, t: int, beta: Any, factor: Any) -> Sides:
    level = level_at(t, beta)
    return beyond_both_widths(samples, mu, epsilon, level, "lower"), "<=", factor * exp(-level)


def klucb_is_optimistic(samples: int, mu: Any, epsilon: Any, t: int, beta: Any, factor: Any, strict: int) -> Sides:
    level = level_at(t, beta)
    return index_at_most(samples, mu, epsilon, level, strict), "<=", factor * exp(-level)


def index_of_half_a_sample(mu: Any, epsilon: Any, t: int, beta: Any, factor: Any) -> Sides:
    """One reward with noise of scale 2/epsilon, and the widths that the formula has for n = 1/2."""
    level = level_at(t, beta)
    at = mu - sqrt(level) - 2 * level / epsilon
    return noisy_sum_tail(1, 1, mu, epsilon / 2, at, "lower"), "<=", factor * exp(-level)


OPTIMISM: dict[str, Any] = {
    "samples": "integer [1, inf)", "mu": "[0, 1]", "epsilon": "(0, inf)", "t": "integer [1, inf)", "beta": "(0, inf)",
}  # fmt: skip
parts_decide(
    "ALG-EQC.9",
    r"$\mathbb P(I_a(t-1,\beta,s)\le\mu_a)\le\frac32t^{-\beta}$ for every arm, sample size $s$ and time $t$, for "
    r"AdaP-UCB and for AdaP-KLUCB",
    domain=Domain.of(**OPTIMISM),
)


def times(points: Sequence[tuple[int, str]], **more: Sequence[str]) -> list[Mapping[str, Any]]:
    found = []
    for (s, mu), epsilon, (t, beta) in itertools.product(points, more["epsilon"], TIMES):
        found.append({"samples": s, "mu": Fraction(mu), "epsilon": Fraction(epsilon), "t": t, "beta": Fraction(beta)})
    return found


TIMES = [(1, "31/10"), (2, "1/5"), (3, "31/10"), (30, "31/10"), (5, "1"), (10**4, "1/10")]


@claim(
    "ALG-EQC.9/adap-ucb",
    r"AdaP-UCB: $\mathbb P(I_a(t-1,\beta,s)\le\mu_a)\le<factor>\,t^{-\beta}$",
    domain=Domain.of(**OPTIMISM), constants={"factor": "3/2"}, mutations=[mutation("0.45", factor="9/20")],
    strongest="certificate",
)  # fmt: skip
def ucb_index(check: Check) -> None:
    if check.enumerate(ucb_is_optimistic, times(ROWS, epsilon=BUDGETS), routes=EXACT):
        check.certificate(facts_hold, WITH_LAPLACE, routes=COMPOSED)  # (C.3) at delta = t^-beta <= 1


@claim(
    "ALG-EQC.9/adap-klucb",
    r"AdaP-KLUCB, $\mu_a<1$: $\mathbb P(I_a(t-1,\beta,s)\le\mu_a)\le<factor>\,t^{-\beta}$; this is (C.7) at "
    r"$\delta=t^{-\beta}$, not (C.3) as printed",
    domain=Domain.of(**{**OPTIMISM, "mu": "[0, 1)"}), constants={"factor": "3/2", "strict": 0},
    mutations=[mutation("0.45", factor="9/20")], strongest="certificate",
)  # fmt: skip
def klucb_index(check: Check) -> None:
    points = times([row for row in ROWS if row[1] != "1"], epsilon=("1/100", "1", "1000000"))
    if check.enumerate(klucb_is_optimistic, points, routes=EXACT):
        check.certificate(facts_hold, BY_CLAIM_1, routes=COMPOSED)


@claim(
    "ALG-EQC.9/edge-adap-klucb-mean-one",
    r"AdaP-KLUCB at $\mu_a=1$: $\mathbb P(I_a(t-1,\beta,s)\le\mu_a)\le<factor>\,t^{-\beta}$",
    domain=Domain.of(**{**OPTIMISM, "mu": [1]}), constants={"factor": "3/2", "strict": 0}, role="edge",
)  # fmt: skip
def klucb_index_of_a_certain_arm(check: Check) -> None:
    """The index is at most 1 by definition."""
    point = {"samples": 1, "mu": 1, "epsilon": Fraction(1), "t": 3, "beta": Fraction(4)}
    check.counterexample(klucb_is_optimistic, point)


@claim(
    "ALG-EQC.9/adap-klucb-strict",
    r"AdaP-KLUCB, every $\mu_a\in[0,1]$: $\mathbb P(I_a(t-1,\beta,s)<\mu_a)\le<factor>\,t^{-\beta}$, which serves the "
    r"proof as well: an arm is played only if its index is at least that of the best arm",
    domain=Domain.of(**OPTIMISM), constants={"factor": "3/2", "strict": 1},
    mutations=[mutation("not strictly", strict=0)], role="repair", repairs="ALG-EQC.9/edge-adap-klucb-mean-one",
    strongest="certificate",
)  # fmt: skip
def klucb_index_strictly(check: Check) -> None:
    points = times([*ROWS, (7, "1")], epsilon=("1/100", "1", "1000000"))
    if check.enumerate(klucb_is_optimistic, points, routes=EXACT):
        check.certificate(facts_hold, BY_CLAIM_1, routes=COMPOSED)


@claim(
    "ALG-EQC.9/one-sample-as-half",
    r"after the initial pull, $N_a=1$, the printed index has $s=\frac12$: with noise of scale $\frac2\varepsilon$ on "
    r"the one reward and the widths of $\frac12$, $\mathbb P(I_a\le\mu_a)\le<factor>\,t^{-\beta}$ all the same",
    domain=Domain.of(**{n: v for n, v in OPTIMISM.items() if n != "samples"}), constants={"factor": "3/2"},
    mutations=[mutation("1/3", factor="1/3")], role="remark", strongest="certificate",
)  # fmt: skip
def index_after_the_initial_pull(check: Check) -> None:
    points = [{n: v for n, v in point.items() if n != "samples"} for point in times(ROWS[:3], epsilon=BUDGETS)]
    if check.enumerate(index_of_half_a_sample, points, routes=EXACT):
        check.certificate(facts_hold, WITH_LAPLACE, routes=COMPOSED)
