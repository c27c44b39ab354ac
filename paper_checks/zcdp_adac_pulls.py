r"""Lemma 2 of the zCDP paper and the steps of Theorem 10: the pulls of a suboptimal arm under AdaC-UCB.

L stands for beta log T. The argument behind Theorem 10, with every constant: after 2^(l+1) pulls of arm a each further
episode of it starts with a block of 2^m >= 2^l rewards, and at its start either the index of a exceeds mu_1, which has
probability at most T^-beta for each m, or that of arm 1 lies below mu_1. Episodes of the first kind have at most 2 T
pulls together; t is in an episode of the second kind only if for some episode start phi in (t/2, t] and one of at most
phi block lengths the index of arm 1 is too small, which has probability at most phi^-beta each.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.two_environments import positive
from banditproof.theory.normal_law import normal_cdf
from banditproof.theory.numeric import SYMBOL, log, sqrt, system, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]


def number(value: Any) -> Any:
    """A SymPy expression as it is, anything else as a ball."""
    return value if system(value) == SYMBOL else to_ball(value)


# ---------------------------------------------------------------------------------------------------------- Lemma 2

NOISY_MEAN = Domain.of(
    law="all: every law on [0, 1]", n="integer [1, inf)", rho="(0, inf)", delta="(0, 1]", side="all: upper or lower"
)  # fmt: skip


def width(n: Any, rho: Any, level: Any, hoeffding: Any, private: Any) -> Any:
    """sqrt((hoeffding/n + private/(rho n^2)) level)."""
    return sqrt((number(hoeffding) / n + number(private) / (rho * n**2)) * level)


def tail_of_coins(p: Fraction, n: int, rho: Any, threshold: Any) -> Any:
    """P(mean of n coins of mean p + N(0, 1/(2 rho n^2)) >= p + threshold), a ball."""
    count, root = to_ball(n), sqrt(2 * to_ball(rho))
    total = to_ball(0)
    for k in range(n + 1):
        weight = to_ball(comb(n, k) * p**k * (1 - p) ** (n - k))
        if weight:
            total += weight * normal_cdf((to_ball(Fraction(k, n) - p) - threshold) * root * count)
    return total


def noisy_mean_tail(law: Any, n: int, rho: Any, delta: Any, side: str, hoeffding: Any, private: Any) -> Sides:
    """`law` is the mean of the coins; the lower tail is the upper one of the coins turned over."""
    p = Fraction(law) if side == "upper" else 1 - Fraction(law)
    radius = width(n, to_ball(rho), log(1 / to_ball(delta)), hoeffding, private)
    return tail_of_coins(p, n, rho, radius), "<=", to_ball(delta)


def variances_add_up(n: Any, rho: Any, level: Any, hoeffding: Any, private: Any) -> Sides:
    """The Chernoff exponent w^2/(2 (1/(4n) + 1/(2 rho n^2))) at the printed width w against log(1/delta)."""
    squared = (number(hoeffding) / n + number(private) / (rho * n**2)) * level
    variance = 1 / (4 * number(n)) + 1 / (2 * rho * number(n) ** 2)
    return squared / (2 * variance), "==", level


def variances_argument(hoeffding: Any, private: Any) -> SymbolicArgument:
    import sympy

    n, rho = sympy.Symbol("n", integer=True, positive=True), positive("r")
    level = sympy.Symbol("l", nonnegative=True)
    return SymbolicArgument({"n": n, "rho": rho, "level": level}, sympy.Integer(0), "zero")


VARIANCES = Domain.of(n="integer [1, inf)", rho="(0, inf)", level="[0, inf)")
BY_LEMMAS_8_AND_9 = derivation(
    [fact(variances_add_up, VARIANCES, variances_argument)],
    "a reward in [0, 1] is 1/2-subgaussian about its mean, the noise 1/sqrt(2 rho n^2)-subgaussian, independent sums "
    "add their variances (Lemma 9), and Chernoff's bound (Lemma 8)",
)
WIDTH = {"hoeffding": "1/2", "private": 1}

parts_decide(
    "ZCDP-L2",
    r"For i.i.d. $X_i\in[0,1]$ of mean $\mu$ and $Z_n\sim\mathcal N(0,\frac1{2\rho n^2})$: $\mathbb "
    r"P(\hat\mu_n+Z_n-w\ge"
    r"\mu)\le\delta$ and $\mathbb P(\hat\mu_n+Z_n+w\le\mu)\le\delta$ with $w=\sqrt{(\frac1{2n}+\frac1{\rho n^2})\log"
    r"\frac1\delta}$.",
    twins=["ALG-LC.9"],
)


@claim(
    "ZCDP-L2/tails",
    r"Both tails are at most $\delta$ with $w=\sqrt{(\frac{<hoeffding>}n+\frac{<private>}{\rho "
    r"n^2})\log\frac1\delta}$, "
    r"$0<\delta\le1$.",
    domain=NOISY_MEAN, constants=WIDTH,
    mutations=[mutation("1/(8n)", hoeffding="1/8"), mutation("no term for the noise", private=0)],
    strongest="certificate",
)  # fmt: skip
def tails_of_the_noisy_mean(check: Check) -> None:
    """Exact tails of coins; for other rewards by their subgaussian bound."""
    over = {
        "law": ["0", "1/100", "1/2", "9/10"], "n": check.pick([1, 2, 16], [1, 2, 16, 128]),
        "rho": ["1/100", "1", "1000"], "delta": ["1", "1/2", "1/100", "1/1000000"], "side": ["upper", "lower"],
    }  # fmt: skip
    covers = check.domain.restrict(law="all: coins", n=over["n"], rho=over["rho"], delta=over["delta"])
    if check.enumerate(noisy_mean_tail, over, covers=covers, rational=True,
                       routes=("binomial and normal sums", "delta")):  # fmt: skip
        check.certificate(facts_hold, BY_LEMMAS_8_AND_9, routes=("sum of variances", "Chernoff's bound"))


def radicand(delta: Any, sign: Any) -> Sides:
    return 0, "<=", sign * log(1 / delta)


def radicand_argument(sign: Any) -> SymbolicArgument:
    import sympy

    depth = sympy.Symbol("d", nonnegative=True)
    return SymbolicArgument({"delta": sympy.exp(-depth)}, sign * depth, "nonnegative")


@claim(
    "ZCDP-L2/any-delta", r"'For any $\delta\ge0$': the number $<sign>\log\frac1\delta$ under the root is not negative.",
    role="reading", domain=Domain.of(delta="(0, inf)"), constants={"sign": 1}, strongest="symbolic",
)  # fmt: skip
def root_for_any_delta(check: Check) -> None:
    """Above 1 there is no width (and at 0 it is infinite)."""
    check.counterexample(radicand, {"delta": Fraction(2)})


@claim(
    "ZCDP-L2/delta-up-to-one", r"For $0<\delta\le1$ the number $<sign>\log\frac1\delta$ is not negative.",
    role="repair", repairs="ZCDP-L2/any-delta", domain=Domain.of(delta="(0, 1]"), constants={"sign": 1},
    mutations=[mutation("log(delta)", sign=-1)], strongest="symbolic",
)  # fmt: skip
def root_for_probabilities(check: Check) -> None:
    check.symbolic(radicand, radicand_argument)


# ------------------------------------------------------------------------------------------- the steps of Theorem 10


def long_enough_blocks(root_level: Any, gap: Any, root_rho: Any, more: Any, lead: Any, noise: Any) -> Sides:
    """gap^2 >= 4 b^2 for blocks of x = lead L/gap^2 + noise sqrt(L)/(gap sqrt(rho)) + more rewards, times x^2.

    L = root_level^2 and rho = root_rho^2.
    """
    x = lead * root_level**2 / gap**2 + noise * root_level / (root_rho * gap) + more
    return 4 * (x / 2 + 1 / root_rho**2) * root_level**2, "<=", gap**2 * x**2


def long_enough_argument(lead: Any, noise: Any) -> SymbolicArgument:
    import sympy

    m, d, r = positive("m d r")
    s = sympy.Symbol("s", nonnegative=True)
    certificate = 4 * m**3 / (d * r) + s * (2 * m**2 + 4 * m * d / r) + d**2 * s**2
    return SymbolicArgument({"root_level": m, "gap": d, "root_rho": r, "more": s}, certificate, "nonnegative")


LONG_BLOCKS = Domain.of(root_level="(0, inf)", gap="(0, inf)", root_rho="(0, inf)", more="[0, inf)")


@claim(
    "ZCDP-PF5",
    r"(EQ18) $\Delta_a<2b_{\ell,T}$ implies $2^\ell<\frac{<lead>\beta}{\Delta_a^2}\log T+<noise>\sqrt{\frac\beta{\rho"
    r"\Delta_a^2}}\sqrt{\log T}$: otherwise $\Delta_a\ge2b_{\ell,T}$ (variables $\sqrt{\beta\log T}$, $\sqrt\rho$, and "
    "by how much $2^\\ell$ exceeds the bound).",
    domain=LONG_BLOCKS, constants={"lead": 2, "noise": 2},
    mutations=[mutation("1.9", lead="1.9", gradual=False), mutation("noise 1", noise=1, gradual=False)],
    strongest="symbolic",
)  # fmt: skip
def blocks_that_separate(check: Check) -> None:
    """The root of gap^2 x^2 - 2 L x - 4 L/rho, with sqrt(u + v) <= sqrt(u) + sqrt(v)."""
    corners = [
        {"root_level": Fraction(a), "gap": Fraction(1), "root_rho": Fraction(r), "more": Fraction(0)}
        for a in (1, 100) for r in (Fraction(1, 1000), 1, 1000)
    ]  # fmt: skip
    if not check.search(long_enough_blocks, corners):
        check.symbolic(long_enough_blocks, long_enough_argument, routes=("exploration bonus", "gap"))


parts_decide(
    "ZCDP-PF6",
    r"With $\ell=\lceil\log_2x\rceil$, $x$ the bound of EQ18, $\mathbb P(G^c)\le T^{-\beta}$ and (EQ19) $\mathbb "
    r"E[N_a]\le"
    r"\frac{8\beta}{\Delta_a^2}\log T+8\sqrt{\frac\beta{\rho\Delta_a^2}}\sqrt{\log T}+\frac{2\beta}{\beta-3}$.",
)


def rounded_up(level: Any, share: Any, factor: Any) -> Sides:
    """2^(l+1) against factor x for 2^(l-1) < x <= 2^l, x = 2^(l-1) (1 + share), divided by 2^(l-1)."""
    return 4 + 0 * level, "<=", factor * (1 + share)


def rounded_up_argument(factor: Any) -> SymbolicArgument:
    import sympy

    level, y = sympy.Symbol("l", integer=True, nonnegative=True), sympy.Symbol("y", nonnegative=True)
    share = 1 / (1 + y)
    return SymbolicArgument({"level": level, "share": share}, (factor - 4) * (1 + share) + 4 * share, "positive")


@claim(
    "ZCDP-PF6/rounding", r"$2^{\ell+1}\le<factor>x$ for $\ell=\lceil\log_2x\rceil$.",
    domain=Domain.of(level="integer [0, inf)", share="(0, 1]"), constants={"factor": 4},
    mutations=[mutation("3.9", factor="3.9")], strongest="symbolic",
)  # fmt: skip
def rounding_to_a_power(check: Check) -> None:
    """l is not negative: x >= 2 beta log(2) > 1/2 for two arms, T >= 2 and gaps at most 1."""
    if not check.search(rounded_up, [{"level": 0, "share": Fraction(1, 2**n)} for n in (1, 5, 9)]):
        check.symbolic(rounded_up, rounded_up_argument, routes=("power of two", "four times x"))


def misled_pulls(horizon: Any, excess: Any, times: Any) -> Sides:
    """log of times T^(1 - beta) against log of beta/(beta - 3), beta = 3 + excess."""
    return log(times + 0 * horizon) - (2 + excess) * log(horizon), "<=", log((3 + excess) / excess)


def misled_argument(times: Any) -> SymbolicArgument:
    import sympy

    u, b = sympy.Symbol("u", nonnegative=True), positive("b")
    return SymbolicArgument({"horizon": sympy.exp(u), "excess": b}, (2 + b) * u + sympy.log(1 + 3 / b), "nonnegative")


def misled_twice(horizon: Any, excess: Any) -> Sides:
    """The same for 2 T^(1 - beta) and T >= 2."""
    return log(2 + 0 * horizon) - (2 + excess) * log(horizon), "<=", log((3 + excess) / excess)


def misled_twice_argument() -> SymbolicArgument:
    import sympy

    u, b = sympy.Symbol("u", nonnegative=True), positive("b")
    certificate = (2 + b) * u + (1 + b) * sympy.log(2) + sympy.log(1 + 3 / b)
    return SymbolicArgument({"horizon": 2 * sympy.exp(u), "excess": b}, certificate, "nonnegative")


@claim(
    "ZCDP-PF6/tail", r"$<times>T\cdot T^{-\beta}\le\frac\beta{\beta-3}$ for $T\ge1$ and $\beta>3$.",
    domain=Domain.of(horizon="[1, inf)", excess="(0, inf)"), constants={"times": 1},
    mutations=[mutation("a hundred times", times=100, gradual=False)], strongest="symbolic",
)  # fmt: skip
def tail_is_absorbed(check: Check) -> None:
    """(Also twice T^(1-beta), which the argument over all block lengths needs, for T >= 2.)"""
    if not check.search(misled_pulls, [{"horizon": Fraction(1), "excess": Fraction(10)}]):
        check.symbolic(misled_pulls, misled_argument, routes=("T^(1-beta)", "constant term"))


def pulls_into_regret(root_log: Any, root_beta: Any, gap: Any, root_rho: Any, lead: Any, noise: Any) -> Sides:
    """4 x gap for the x of EQ18 against the two leading terms of Theorem 10 (4 x: EQ19)."""
    beta, log_T = root_beta**2, root_log**2
    x = 2 * beta * log_T / gap**2 + 2 * root_beta * root_log / (root_rho * gap)
    return 4 * x * gap, "<=", lead * beta * log_T / gap + noise * root_beta * root_log / root_rho


def regret_argument(lead: Any, noise: Any) -> SymbolicArgument:
    g, c, d, r = positive("g c d r")
    certificate = (lead - 8) * g**2 * c**2 / d + (noise - 8) * g * c / r
    variables = {"root_log": g, "root_beta": c, "gap": d, "root_rho": r}
    return SymbolicArgument(variables, certificate, "nonnegative")


EIGHT = {"lead": 8, "noise": 8}
LEADING = Domain.of(root_log="(0, inf)", root_beta="(0, inf)", gap="(0, inf)", root_rho="(0, inf)")


@claim(
    "ZCDP-PF6/regret",
    r"$\Delta_a\cdot4x\le\frac{<lead>\beta}{\Delta_a}\log T+<noise>\sqrt{\frac\beta\rho}\sqrt{\log T}$.",
    domain=LEADING, constants=EIGHT, mutations=[mutation("7.9", lead="7.9"), mutation("noise 7.9", noise="7.9")],
    strongest="symbolic",
)  # fmt: skip
def regret_of_an_arm(check: Check) -> None:
    corners = [
        {"root_log": Fraction(3), "root_beta": Fraction(2), "gap": Fraction(1), "root_rho": Fraction(r)}
        for r in (Fraction(1, 10**6), 10**6)
    ]  # fmt: skip
    if not check.search(pulls_into_regret, corners):
        check.symbolic(pulls_into_regret, regret_argument, routes=("gap times EQ19", "Theorem 10"))


def start_of_an_episode(start: Any, pulls: Any, offset: Any, two: Any) -> Sides:
    """t = start - 1 + pulls in the episode so far, at most N_a(start - 1) <= start - 1, against two (start - 1)."""
    return start - 1 + pulls, "<=", two * (start - 1) + 0 * offset


def start_argument(two: Any) -> SymbolicArgument:
    import sympy

    pulls = sympy.Symbol("n", integer=True, nonnegative=True)
    rest = sympy.Symbol("r", integer=True, nonnegative=True)
    return SymbolicArgument({"start": 1 + pulls + rest, "pulls": pulls, "offset": rest}, rest, "nonnegative")


def constant_of_the_sum(excess: Any, three: Any) -> Sides:
    """sum over t >= 3 of (t/2)^(2-beta) <= integral from 2 = 2/(beta-3), against three/(beta-3) + 1 = beta/(beta-3)."""
    return 2 / excess, "<=", three / excess + 1


def constant_argument(three: Any) -> SymbolicArgument:
    b = positive("b")
    return SymbolicArgument({"excess": b}, 1 + (three - 2) / b, "positive")


STARTS = Domain.of(start="integer [1, inf)", pulls="integer [0, inf)", offset="integer [0, inf)",
                   where=["pulls + offset == start - 1"])  # fmt: skip

parts_decide(
    "ZCDP-PF4",
    r"(EQ17) $\mathbb E[N_a(T)]\le2^{\ell+1}+\mathbb P(G^c_{a,\ell,T})T+\frac\beta{\beta-3}$ (imported; $G$: the "
    r"index of "
    r"a block of $2^\ell$ rewards of $a$ with $\log T$ lies below $\mu_1$).",
    twins=["ALG-TC.4"],
)


@claim(
    "ZCDP-PF4/last-term",
    r"The pulls for which the index of arm 1 is too small: $\sum_{t\ge3}(t/2)^{2-\beta}\le\frac2{\beta-3}\le1+\frac{"
    r"<three>}{\beta-3}$, which is $\frac\beta{\beta-3}$.",
    role="step", domain=Domain.of(excess="(0, inf)"), constants={"three": 3}, mutations=[mutation("1", three=1)],
    strongest="symbolic",
)  # fmt: skip
def last_term(check: Check) -> None:
    """For each of at most t/2 starts in (t/2, t] at most phi lengths, each with probability phi^-beta."""
    if not check.search(constant_of_the_sum, [{"excess": Fraction(1, 100)}]):
        check.symbolic(constant_of_the_sum, constant_argument, routes=("integral", "printed constant"))
