"""Episodes that double per arm and the pulls they cost: ALG-EQ5.3, S5.2c, EQC.8, EQC.10, TC.4, PC.2.2, RC.5."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from banditproof.algorithms.batches import DoublingBatches
from banditproof.paper_checks.bernoulli_dp_regret_comparison import LEVELS, pulls_of_the_phase
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.synthetic_indices import expected_pulls, misleading_blocks
from banditproof.paper_checks.thesis_interaction import REGRET, enumerate_bandits, regret_by_pulls
from banditproof.theory.numeric import SYMBOL, log, system, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
COMPOSED = ("formulas proved symbolically, joined by the named textbook facts", "the stated bound")


def symbols(names: str, **assumptions: Any) -> Any:
    import sympy

    return sympy.symbols(names, **assumptions)


@claim(
    "ALG-EQ5.3", r"$T\mu^\star-\mathbb E[\sum_tr_t]=<factor>\sum_a\Delta_a\mathbb E[N_a(T)]$",
    twins=["TH-EQ2.8", "BDP-EQ2"], **REGRET,
)  # fmt: skip
def regret_decomposition(check: Check) -> None:
    enumerate_bandits(check, regret_by_pulls, ("rewards", "gaps times pulls"))


# ----------------------------------------------------------------------------------------------- ALG-EQC.8, ALG-EQC.10


def share_of_the_last_episode(before: Any, share: Any) -> Sides:
    """An episode of an arm with `before` pulls lasts `before`; the initial pull, before = 0, lasts 1."""
    length = before if system(before) == SYMBOL else max(before, 1)
    return length, "==", share * (before + length)


def any_episode(share: Any) -> SymbolicArgument:
    before = symbols("before", integer=True, positive=True)
    return SymbolicArgument({"before": before}, 0 * before * share, "zero")


parts_decide(
    "ALG-EQC.8",
    r"$I_a(t-1,\beta)=I_a(t-1,\beta,\frac12N_a(t-1))$: the last episode is 'exactly half the number of times arm $a$ "
    r"was pulled since the beginning'",
    domain=Domain.of(before="integer [0, inf)"),
)


@claim(
    "ALG-EQC.8/later-episodes",
    r"an episode that starts with $N\ge1$ pulls of its arm is $<share>$ of the $2N$ pulls after it",
    domain=Domain.of(before="integer [1, inf)"), constants={"share": "1/2"}, mutations=[mutation("0.49", share="0.49")],
    strongest="symbolic",
)  # fmt: skip
def half_of_the_pulls(check: Check) -> None:
    sizes = DoublingBatches().sizes_until(1000)
    policy = [{"before": sum(sizes[:m])} for m in range(1, len(sizes))]
    if check.enumerate(share_of_the_last_episode, policy, rational=True, routes=("schedule of the policy", "half")):
        check.symbolic(share_of_the_last_episode, any_episode)


@claim(
    "ALG-EQC.8/initial-pull",
    r"after the initial pull $N_a=1$ the arm has $<share>N_a$ samples",
    domain=Domain.of(before=[0]), constants={"share": "1/2"}, role="reading",
)  # fmt: skip
def one_sample(check: Check) -> None:
    """There is one sample, and the printed formulas say one half: a width of sqrt(beta log t), noise of scale 2/eps."""
    check.counterexample(share_of_the_last_episode, {"before": 0}, rational=True)


def samples_at_episode_starts(before: int, least: int) -> Sides:
    length, _, _ = share_of_the_last_episode(before, 1)
    return length, "==", max(Fraction(least), Fraction(before + length, 2))


@claim(
    "ALG-EQC.8/with-a-maximum",
    r"$I_a(t-1,\beta)=I_a(t-1,\beta,\max\{<least>,\frac12N_a(t-1)\})$ at every episode start",
    domain=Domain.of(before="integer [0, inf)"), constants={"least": 1}, mutations=[mutation("at least 2", least=2)],
    role="repair", repairs="ALG-EQC.8/initial-pull",
)  # fmt: skip
def samples_of_an_index(check: Check) -> None:
    check.enumerate(samples_at_episode_starts, {"before": range(200)}, rational=True,
                    routes=("length of the last episode", "the maximum"))  # fmt: skip


def end_of_an_episode(start: Any, pulls: Any, arms: Any, step: Any, factor: Any) -> Sides:
    """t = start + step with step <= pulls - 1, where start - 1 >= pulls + arms - 1 pulls were made before."""
    return start + step + 0 * (pulls + arms), "<=", factor * start


def room_in_an_episode(factor: Any) -> SymbolicArgument:
    left, rest, others, more = symbols("l r k e", integer=True, nonnegative=True)
    pulls, arms = 1 + left + rest, 1 + others
    start = pulls + arms + more
    certificate = (factor - 1) * start - left
    return SymbolicArgument({"start": start, "pulls": pulls, "arms": arms, "step": left}, certificate, "nonnegative")


@claim(
    "ALG-EQC.10",
    r"$\phi(t)\le t\le<factor>\,\phi(t)$, $\phi(t)\ge K+1$ the start of the episode that contains $t$",
    domain=Domain.of(
        start="integer [2, inf)", pulls="integer [1, inf)", arms="integer [1, inf)", step="integer [0, inf)",
        where=["step <= pulls - 1", "pulls + arms <= start"],
    ),
    constants={"factor": 2}, mutations=[mutation("1.9", factor="1.9")], strongest="symbolic",
)  # fmt: skip
def start_of_the_episode(check: Check) -> None:
    """An episode is as long as its arm was pulled before, and every other arm was pulled at least once as well."""
    if not check.search(end_of_an_episode, [{"start": 102, "pulls": 100, "arms": 2, "step": 99}]):
        check.symbolic(end_of_an_episode, room_in_an_episode, routes=("last time of the episode", "twice its start"))


# ------------------------------------------------------------------------------------------------- ALG-S5.2c, ALG-RC.5


def doubled_pulls(samples: int, forgetting: int, factor: Any) -> Sides:
    """Pulls of an arm that is chosen until its index rests on `samples` rewards: of the last episode, or of all."""
    pulls, heard = 1, 1
    while heard < samples:
        heard = pulls if forgetting else 2 * pulls
        pulls *= 2
    return pulls, "<=", factor * samples


parts_decide(
    "ALG-S5.2c",
    r"doubling and forgetting each cost a factor 2 in the pulls of a suboptimal arm: a factor 4 together",
)
SAMPLES = {"samples": [*range(1, 66), 127, 128, 129, 1025, 2**20 + 1]}


@claim(
    "ALG-S5.2c/doubling",
    r"an arm that is left once its index rests on $n$ rewards is pulled at most $<factor>n$ times if all are kept",
    domain=Domain.of(samples="integer [1, inf)"), constants={"forgetting": 0, "factor": 2},
    mutations=[mutation("1.9", factor="1.9")], strongest="enumeration",
)  # fmt: skip
def price_of_doubling(check: Check) -> None:
    check.enumerate(doubled_pulls, SAMPLES, rational=True, routes=("schedule", "twice the samples"))


@claim(
    "ALG-S5.2c/and-forgetting",
    r"and at most $<factor>n$ times if the index rests on the last episode, whose length doubles",
    domain=Domain.of(samples="integer [1, inf)"), constants={"forgetting": 1, "factor": 4},
    mutations=[mutation("3.9", factor="3.9")], strongest="enumeration",
)  # fmt: skip
def price_of_both(check: Check) -> None:
    check.enumerate(doubled_pulls, SAMPLES, rational=True, routes=("schedule", "four times the samples"))


@claim(
    "ALG-RC.5",
    r"the leading term of (C.13) is four times the right side $x$ of (C.12), a factor 2 for doubling and one for "
    r"forgetting: $2^{\ell+1}\le<factor>\,x$ for the smallest $\ell\ge0$ with $2^\ell\ge x$, $x\ge\frac12$",
    domain=Domain.of(level="[1/2, inf)"), constants={"factor": 4}, mutations=[mutation("factor 3.9", factor="3.9")],
    twins=["BDP-EQ49"],
)  # fmt: skip
def four_times_the_block(check: Check) -> None:
    """One factor is the episode of 2^l samples at 2^(l+1) pulls, the other the rounding to a power of two."""
    check.enumerate(pulls_of_the_phase, {"level": LEVELS}, rational=True, routes=("powers of two", "four times x"))


# ----------------------------------------------------------------------------------------------------------- ALG-PC.2.2


def misled_starts(t: int, beta: Any) -> Any:
    return sum((to_ball(phi) ** (1 - beta) for phi in range(-(-t // 2), t + 1)), to_ball(0))


def starts_of_an_episode(t: int, beta: Any, power: Any) -> Sides:
    """Both sides times (t/2)^(beta - 2)."""
    scale = (to_ball(t) / 2) ** (beta - 2)
    return misled_starts(t, beta) * scale, "<=", power * to_ball(1)


def falls_in_the_exponent(excess: Any, ratio: Any) -> Sides:
    """(t/(2 phi))^(beta - 2) <= t/(2 phi) for 2 phi = ratio t >= t and beta = 3 + excess, in logarithms."""
    return 0, "<=", excess * log(ratio)


def any_exponent() -> SymbolicArgument:
    import sympy

    excess, w = symbols("b w", nonnegative=True)
    return SymbolicArgument({"excess": excess, "ratio": 1 + w}, excess * sympy.log(1 + w), "nonnegative")


def telescoping(phi: Any) -> Sides:
    return 1 / phi**2, "<=", 1 / (phi - 1) - 1 / phi


def any_start() -> SymbolicArgument:
    k = symbols("k", integer=True, nonnegative=True)
    return SymbolicArgument({"phi": k + 2}, 1 / ((k + 1) * (k + 2) ** 2), "nonnegative")


def even_time(m: Any) -> Sides:
    """t = 2m: the sum of phi^-2 from m to 2m, telescoped after its first term, against 2/t."""
    return 1 / m**2 + 1 / m - 1 / (2 * m), "<=", 1 / m


def any_even_time() -> SymbolicArgument:
    k = symbols("k", integer=True, nonnegative=True)
    return SymbolicArgument({"m": k + 2}, k / (2 * (k + 2) ** 2), "nonnegative")


def odd_time(m: Any) -> Sides:
    """t = 2m + 1: the sum from m + 1 on, telescoped, against 2/t."""
    return 1 / m - 1 / (2 * m + 1), "<=", 2 / (2 * m + 1)


def any_odd_time() -> SymbolicArgument:
    k = symbols("k", integer=True, nonnegative=True)
    return SymbolicArgument({"m": k + 1}, k / ((k + 1) * (2 * k + 3)), "nonnegative")


SUM_OF_STARTS = [
    fact(falls_in_the_exponent, Domain.of(excess="[0, inf)", ratio="[1, inf)"), any_exponent),
    fact(telescoping, Domain.of(phi="integer [2, inf)"), any_start),
    fact(even_time, Domain.of(m="integer [2, inf)"), any_even_time),
    fact(odd_time, Domain.of(m="integer [1, inf)"), any_odd_time),
]
SUM_JOINT = (
    "each term phi^(1-beta) (t/2)^(beta-2) is largest at beta = 3, where it is t/(2 phi^2); the sum of phi^-2 "
    "telescopes"
)
GRID = {"t": [*range(3, 40), 100, 101, 1000], "beta": ["3", "301/100", "31/10", "4", "10", "60"]}


@claim(
    "ALG-PC.2.2/starts",
    r"$\sum_{\phi=\lceil t/2\rceil}^t\phi^{1-\beta}\le<power>\,(\frac2t)^{\beta-2}$ for $t\ge3$ (so $K\ge2$) and "
    r"$\beta>3$",
    domain=Domain.of(t="integer [3, inf)", beta="(3, inf)"), constants={"power": 1},
    mutations=[mutation("0.8", power="0.8")], strongest="certificate",
)  # fmt: skip
def sum_over_starts(check: Check) -> None:
    """The number of terms times the largest one would not do: see the reading below."""
    over = {"t": GRID["t"], "beta": GRID["beta"][1:]}
    if check.enumerate(starts_of_an_episode, over, routes=("the sum, in balls", "the printed bound")):
        check.certificate(facts_hold, derivation(SUM_OF_STARTS, SUM_JOINT), routes=COMPOSED)


def number_times_the_largest(t: int, beta: Any) -> Sides:
    first = -(-t // 2)
    return (t - first + 1) * to_ball(first) ** (1 - beta), "<=", (to_ball(2) / t) ** (beta - 2)


@claim(
    "ALG-PC.2.2/because",
    r"'because $\phi\ge\frac t2$', read as: the number of $\phi$ in $[\frac t2,t]$ times the largest term is at most "
    r"$(\frac2t)^{\beta-2}$",
    domain=Domain.of(t="integer [3, inf)", beta="(3, inf)"), role="reading",
)  # fmt: skip
def crude_sum(check: Check) -> None:
    """For even t there are t/2 + 1 of them."""
    check.counterexample(number_times_the_largest, {"t": 4, "beta": Fraction(4)})


@claim(
    "ALG-PC.2.2/edge-one-arm",
    r"$\sum_{\phi=\lceil t/2\rceil}^t\phi^{1-\beta}\le<power>\,(\frac2t)^{\beta-2}$ at $t=2$, which $K=1$ would need",
    domain=Domain.of(t=[2], beta="(3, inf)"), constants={"power": 1}, role="reading",
)  # fmt: skip
def two_starts(check: Check) -> None:
    """1 + 2^(1 - beta) > 1; with one arm there is no suboptimal one."""
    check.counterexample(starts_of_an_episode, {"t": 2, "beta": Fraction(4)})


def misled_pulls(arms: int, horizon: int, beta: Any, top: Any) -> Sides:
    total = sum((misled_starts(t, beta) for t in range(arms + 1, horizon + 1)), to_ball(0))
    return 3 * total / 2 * (beta - 3), "<=", top * to_ball(1)


def at_most_two_arms_matter(excess: Any, half: Any) -> Sides:
    """(2/K)^(beta - 3) <= 1 in logarithms, K = 2 half, beta = 3 + excess."""
    return 0, "<=", excess * log(half)


def any_number_of_arms() -> SymbolicArgument:
    import sympy

    excess, w = symbols("b w", nonnegative=True)
    return SymbolicArgument({"excess": excess, "half": 1 + w}, excess * sympy.log(1 + w), "nonnegative")


TERM_2_FACTS = [
    *SUM_OF_STARTS, fact(at_most_two_arms_matter, Domain.of(excess="[0, inf)", half="[1, inf)"), any_number_of_arms)
]  # fmt: skip
TERM_2_JOINT = (
    f"{SUM_JOINT}; the sum of t^(2-beta) over t > K is below its integral, K^(3-beta)/(beta-3); what remains is "
    "3/(beta-3) times (2/K)^(beta-3)"
)
TERM_2 = derivation(TERM_2_FACTS, TERM_2_JOINT)


@claim(
    "ALG-PC.2.2",
    r"$\sum_{t=K+1}^T\sum_{\phi=t/2}^t\sum_{s\le\phi}\frac32\phi^{-\beta}\le\frac{<top>}{\beta-3}$ for $\beta>3$ and "
    r"$K\ge2$",
    domain=Domain.of(arms="integer [2, inf)", horizon="integer [1, inf)", beta="(3, inf)"), constants={"top": 3},
    mutations=[mutation("2/3", top="2/3", gradual=False)], strongest="certificate",
)  # fmt: skip
def term_two(check: Check) -> None:
    over = {"arms": [2, 3, 7], "horizon": [2, 3, 20, check.pick(400, 3000)], "beta": GRID["beta"][1:]}
    if check.enumerate(misled_pulls, over, routes=("triple sum, in balls", "the printed bound")):
        check.certificate(facts_hold, TERM_2, routes=COMPOSED)


# ------------------------------------------------------------------------------------------------------------- ALG-TC.4

FAMILY = Domain.of(
    low="all: every index with (C.8), (C.9) that never falls in t", beta="(3, inf)", ell="integer [0, inf)",
    horizon="integer [2, inf)", where=["2**ell < horizon"],
)  # fmt: skip


def _generic(low: Sequence[int], beta: Any, ell: int, horizon: int, paid: Fraction) -> Sides:
    exponent = int(beta) if beta == int(beta) else 0
    return expected_pulls(low, exponent, horizon), "<=", 2 ** (ell + 1) + paid + Fraction(beta) / (Fraction(beta) - 3)


def pulls_as_printed(low: Sequence[int], beta: Any, ell: int, horizon: int) -> Sides:
    """P(G^c_{a,l,T}) is 0 if the index is low after episodes of 2^l, else 1."""
    misleads = 2**ell not in low
    return _generic(low, beta, ell, horizon, Fraction(horizon if misleads else 0))


def pulls_of_every_block(low: Sequence[int], beta: Any, ell: int, horizon: int, weight: Any) -> Sides:
    blocks = [m for m in misleading_blocks(low, ell, horizon) if 2 ** (m + 1) < horizon]
    return _generic(low, beta, ell, horizon, weight * Fraction(sum(2 ** (m + 1) for m in blocks)))


@claim(
    "ALG-TC.4",
    r"for $a$ suboptimal, $2^\ell<T$, $\beta>3$ and an index with (C.8), (C.9) (and, as the proof uses, never falling "
    r"in $t$): $\mathbb E[N_a(T)]\le2^{\ell+1}+T\,\mathbb P(G^c_{a,\ell,T})+\frac\beta{\beta-3}$",
    domain=FAMILY,
)  # fmt: skip
def generic_bound(check: Check) -> None:
    """The index of arm a is low after episodes of one reward and infinite after longer ones.

    G_{a,0,T} is certain. With probability (3/2)/4^4 the best arm's first index is low at t = 3 and t = 4; arm a is then
    played in two episodes that Term 2 pays for, and ever after, which nothing pays for.
    """
    check.counterexample(pulls_as_printed, {"low": [1], "beta": 4, "ell": 0, "horizon": 4096}, rational=True)


POINTS = [
    {"low": list(low), "beta": Fraction(beta), "ell": ell, "horizon": horizon}
    for low in ((1,), (2,), (1, 2), (4,), (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048), ())
    for beta in (4, 7) for ell in (0, 1, 2, 5) for horizon in (3, 50, 1000, 4096) if 2**ell < horizon
]  # fmt: skip
EVERY_BLOCK = (
    "the episodes of arm a with at most 2^l pulls before them make 2^(l+1) - 1 pulls with the first; one that starts "
    "with 2^(m+1) pulls, m >= l, while the best index exceeds mu*, needs the index after 2^m rewards to do so at its "
    "start, hence at T, where it is no smaller; the initial pull and Term 2 make up beta/(beta-3)"
)


def first_episodes(last: int) -> Sides:
    return sum(2**m for m in range(last + 1)), "==", 2 ** (last + 1) - 1


@claim(
    "ALG-TC.4/every-block",
    r"for such an index $\mathbb E[N_a(T)]\le2^{\ell+1}+<weight>\sum_{m\ge\ell,\,2^{m+1}<T}2^{m+1}"
    r"\mathbb P(G^c_{a,m,T})+\frac\beta{\beta-3}$",
    domain=FAMILY, constants={"weight": 1}, mutations=[mutation("only the first block", weight="0")],
    role="repair", repairs="ALG-TC.4", strongest="certificate",
)  # fmt: skip
def bound_with_every_block(check: Check) -> None:
    covers = check.domain.restrict(low="all: synthetic indices", beta=[4, 7], ell=range(6), horizon=[3, 50, 1000, 4096])
    routes = ("expected pulls, exactly", "the bound")
    if check.enumerate(pulls_of_every_block, POINTS, covers=covers, rational=True, routes=routes):
        check.certificate(facts_hold, derivation(TERM_2_FACTS, f"{EVERY_BLOCK}: {TERM_2_JOINT}"), routes=COMPOSED)


def an_episode_to_contradict(good: Sequence[int], ell: int, longer: int) -> Sides:
    """good[m] says whether arm a was played at 2^m pulls while the best arm's index exceeded mu*."""
    played = sum(2**m for m, flag in enumerate(good) if flag)
    starts = range(ell + 1, len(good) if longer else min(ell + 2, len(good)))
    return bool(played <= 2 ** (ell + 1) or any(good[m] for m in starts)), "==", True


EPISODES = Domain.of(good="all: every list of flags", ell="integer [0, inf)")
STEP_2 = (
    r"Step 2: if more than $2^{\ell+1}$ pulls of arm $a$ fall into episodes with $I_1>\mu_1$, then one of them starts "
    "with "
)


@claim(
    "ALG-TC.4/step-which-episode", STEP_2 + r"$N_a=2^{\ell+1}$ pulls exactly",
    domain=EPISODES, constants={"longer": 0}, role="step",
)  # fmt: skip
def episode_as_printed(check: Check) -> None:
    """At 2^(l+1) pulls the arm may be played because I_1 <= mu_1; the next episode alone is longer than 2^(l+1)."""
    check.counterexample(an_episode_to_contradict, {"good": [1, 0, 1], "ell": 0}, rational=True)


@claim(
    "ALG-TC.4/step-some-episode", STEP_2 + r"$N_a=2^m$ pulls for some $m\ge\ell+1$",
    domain=EPISODES, constants={"longer": 1}, mutations=[mutation("m = l + 1", longer=0)],
    role="repair", repairs="ALG-TC.4/step-which-episode",
)  # fmt: skip
def some_longer_episode(check: Check) -> None:
    points = [
        {"good": list(good), "ell": ell} for size in range(1, 8) for good in itertools.product((0, 1), repeat=size)
        for ell in range(4)
    ]  # fmt: skip
    covers = check.domain.restrict(good="all: lists of at most 7 flags", ell=range(4))
    check.enumerate(an_episode_to_contradict, points, covers=covers, rational=True, routes=("all lists", "the step"))
