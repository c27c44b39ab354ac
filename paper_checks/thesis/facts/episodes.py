"""The episodic family of Chapter 5: the facts behind its bounds, its episodes, and the runs held against its bounds.

Chapter 5 states the bounds, Appendix C proves them. L = log T; a level is log(1/delta), or beta L.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.studies import Case, study
from banditproof.theory.numbers.numeric import promote
from banditproof.verify.forms.calculus import exponential_tail

Bandit = Annotated[Any, "all: every bandit with rewards in [0, 1]"]
BernoulliBandit = Annotated[Any, "all: every Bernoulli bandit"]
AboveThree = Annotated[Any, "(3, inf)"]
Episode = tuple[int, int, int]  # arm, first and last step


def gaps_of(means: Sequence[Any]) -> list[Any]:
    """The gaps of the suboptimal arms."""
    return [max(means) - mean for mean in means if mean < max(means)]


def literal_episodes(arms: int, script: Sequence[int], steps: int, factor: Any) -> list[Episode]:
    """The pseudo code: each arm once, then a_l until N(t) = factor N(t_l - 1)."""
    count, episodes, t = [1] * arms, [(a, a + 1, a + 1) for a in range(arms)], arms
    for arm in (*script, *(0,) * steps):
        if t >= steps:
            break
        start = t + 1
        aim = factor * count[arm]
        while count[arm] < aim:
            t += 1
            count[arm] += 1
        episodes.append((arm, start, t))
    return episodes


def scripts(arms: int, length: int) -> list[list[int]]:
    return [list(script) for script in product(range(arms), repeat=length)]


def kl(p: Any, q: Any) -> Any:
    """The relative entropy of Bernoulli laws inside (0, 1), as printed."""
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))


# Deviations of a private mean.


def tail_of_laplace(scale: Positive, level: Positive, noise=1, half=Fraction(1, 2)) -> Sides:
    """The mass beyond scale * noise * level of the density e^(-|x|/scale) / (2 scale), integrated."""
    _, half = promote(level, half)
    return exponential_tail(1 / scale, scale * noise * level) / (2 * scale), "==", half * exp(-level)


def rewards_or_noise(delta: Nonnegative, factor=Fraction(3, 2)) -> Sides:
    """The union bound: the probability of the rewards' deviation and that of the noise."""
    return delta + delta / 2, "<=", factor * delta


def hoeffding_tilt(n: Positive, deviation: Positive, square=2) -> Sides:
    """n times the exponent t^2/8 - t d of Markov's inequality at t = 4 d, with Hoeffding's lemma."""
    tilt = 4 * deviation
    return n * (tilt**2 / 8 - tilt * deviation), "==", -square * n * deviation**2


def hoeffding_exponent(n: Positive, level: Positive, spread=1) -> Sides:
    """-2 n width^2 at the printed width."""
    return -2 * n * (spread * level / (2 * n)), "==", -level


WITH_LAPLACE = [fact(tail_of_laplace), fact(hoeffding_tilt), fact(hoeffding_exponent), fact(rewards_or_noise)]
UNION = (
    "the sum exceeds both widths only if the rewards exceed theirs (Hoeffding's inequality: Markov's with Hoeffding's "
    "lemma) or the noise exceeds its own (Laplace tail at a level >= 0): delta + delta/2; for delta > 1 nothing is said"
)


# The episodes in which the index of the best arm is low: Term 2.


def falls_in_the_exponent(excess: Nonnegative, ratio: AtLeastOne) -> Sides:
    """(t/(2 phi))^(beta - 2) <= t/(2 phi) for 2 phi = ratio t >= t and beta = 3 + excess, in logarithms."""
    return 0, "<=", excess * log(ratio)


def telescoping(phi: TwoOrMore) -> Sides:
    return 1 / phi**2, "<=", 1 / (phi - 1) - 1 / phi


def even_time(m: TwoOrMore, power=1) -> Sides:
    """t = 2m: the sum of phi^-2 from m to 2m, telescoped after its first term, against power 2/t."""
    return 1 / m**2 + 1 / m - 1 / (2 * m), "<=", power / m


def odd_time(m: Count, power=1) -> Sides:
    """t = 2m + 1: the sum from m + 1 on, telescoped, against power 2/t."""
    return 1 / m - 1 / (2 * m + 1), "<=", power * 2 / (2 * m + 1)


def at_most_two_arms_matter(excess: Nonnegative, half: AtLeastOne) -> Sides:
    """(2/K)^(beta - 3) <= 1 in logarithms, K = 2 half, beta = 3 + excess."""
    return 0, "<=", excess * log(half)


SUM_OF_STARTS = [fact(falls_in_the_exponent), fact(telescoping), fact(even_time), fact(odd_time)]
TERM_2_FACTS = [*SUM_OF_STARTS, fact(at_most_two_arms_matter)]
SUM_JOINT = (
    "each term phi^(1-beta) (t/2)^(beta-2) is largest at beta = 3, where it is t/(2 phi^2); the sum of phi^-2 "
    "telescopes"
)
TERM_2_JOINT = (
    f"{SUM_JOINT}; the sum of t^(2-beta) over t > K is below its integral, K^(3-beta)/(beta-3); what remains is "
    "3/(beta-3) times (2/K)^(beta-3)"
)
EVERY_BLOCK = (
    "the episodes of arm a with at most 2^l pulls before them make 2^(l+1) - 1 pulls with the first; one that starts "
    "with 2^(m+1) pulls, m >= l, while the best index exceeds mu*, needs the index after 2^m rewards to do so at its "
    "start, hence at T, where it is no smaller; the initial pull and Term 2 make up beta/(beta-3)"
)


# AdaP-UCB.


def told_apart(q: Annotated[Any, "[0, 3/5]"], first=16) -> Sides:
    """Both widths and both deviations at n = (first/4) beta L / (Delta m), m = min{Delta, epsilon}, over Delta.

    q = 1/sqrt(beta) < 1/sqrt(3) < 3/5; sqrt(Delta m) <= Delta and m <= epsilon give the largest value.
    """
    return (1 + q) * sqrt(ratio(2, first)) + (1 + q * q) * 4 / first, "<=", 1 + 0 * q


def last_summand(beta: Any, top: Any) -> Any:
    """top beta/(beta - 3), in the claims and in the fact that ends their proofs."""
    return top * beta / (beta - 3)


def all_of_it(excess: Positive, top=3) -> Sides:
    """3 + 3/(beta - 3), for misleading indices and for Term 2, against the last summand; beta = 3 + excess."""
    return 3 + 3 / excess, "<=", last_summand(3 + excess, top)


def split_at_a_gap(horizon: Positive, arms: Positive, level: Positive, four=4, root=8) -> Sides:
    """(T Delta + 16 K beta L / Delta)^2 at Delta = four sqrt(beta K L / T) against (root sqrt(beta K T L))^2."""
    square = four**2 * arms * level / horizon  # of Delta
    return (horizon * square + 16 * arms * level) ** 2, "<=", root**2 * arms * horizon * level * square


FACTS = [fact(told_apart), fact(all_of_it), *WITH_LAPLACE, *TERM_2_FACTS]
BLOCKS = (
    f"the sum of 2^(m+1) below T is at most 2T, and each index misleads with probability at most 3/(2T): {UNION}; l is "
    "the smallest with 2^l >= 4 beta L / (Delta min), which exceeds 1/2, so 2^(l+1) is at most four times that; gaps "
    "are at most 1; for T = 1 there is one pull"
)
SPLIT_JOINT = (
    "arms with gaps up to Delta cost at most T Delta, each other arm at most its gap times the bound on its pulls from "
    "the proof of Theorem 5.3, where 1/min is at most 1/Delta_a + 1/epsilon"
)

# AdaP-KLUCB.

CERTAIN = [
    Case("AdaP-KLUCB", ("1/2", "1"), "1000", 500, "10", share=0.5),
    Case("AdaP-KLUCB", ("99/100", "1"), "1000", 20_000, "10", share=0.5),
    Case("AdaP-KLUCB", ("1/2", "1"), "1", 20_000, share=0.5),
]
CORNER = [
    Case("AdaP-KLUCB", ("1/2", "999/1000"), "10", 20_000, "10", share=0.3),
    Case("AdaP-KLUCB", ("9/10", "9999/10000"), "100", 20_000, "10", share=0.3),
    Case("AdaP-KLUCB", ("1/1000", "1/20"), "100", 20_000, "10", share=0.02),
]
ADAP_KL_RUNS = study("thesis-adap-klucb-regret", [*CERTAIN, *CORNER], 40_000, 400_000)
