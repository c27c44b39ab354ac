"""Section 2.3.7, page 45: privacy audits, as intervals and as tests, and what an auditor may see.

Their error probabilities are exact sums over binomial counts.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from math import inf
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.verify import binomial_interval, random_channel
from banditproof.verify.kernel import audits
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.meanings import private, symmetric_neighbours, when
from banditproof.verify.kernel.rules import le
from banditproof.verify.kernel.terms import Formula

LEVELS = ("1/20", "1/4")
PAIRS = (("1/2", "1/2"), ("3/4", "1/4"), ("1/20", "1/60"), ("1", "9/10"), ("0", "0"))
"""Probabilities of the event on the two data sets."""


def chance(k: Any, trials: Any, p: Any) -> Any:
    """The probability of a binomial count."""
    return comb(trials, k) * p**k * (1 - p) ** (trials - k)


def fair_chance(k: Any, trials: Any) -> Any:
    """The probability of a count of heads of a fair coin."""
    return ratio(comb(trials, k), 2**trials)


def radius(T: Any, gamma: Any, share: Any, scale: Any) -> Any:
    """Hoeffding's radius scale * sqrt(log(share/gamma)/2)/sqrt(T)."""
    return scale * sqrt(log(share / gamma) / (2 * T))


def needed(a: Any, b: Any, delta: Any) -> Any:
    """The smallest ratio >= 1 with a <= ratio b + delta, or a number below 1."""
    return where(b, "==", 0, lambda: where(a, ">", delta, inf, 1), lambda: (a - delta) / b)


def tight_ratio(p: Any, q: Any, delta: Any = 0) -> Any:
    """e^epsilon of the tightest epsilon at delta of a mechanism whose event probabilities are p and q."""
    return most([1, *(needed(a, b, delta) for a, b in ((p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p)))])


def chance_above(truth: Any, T: Any, p_0: Any, p_1: Any, estimate: Callable[[Any, Any], Any]) -> Any:
    """The probability that an estimate from both counts exceeds the truth."""

    def given(k: Any) -> Any:
        return total(lambda j: where(estimate(k, j), ">", truth, lambda: chance(j, T, p_1), 0), 0, T)

    return total(lambda k: chance(k, T, p_0) * given(k), 0, T)


def chance_to_miss(trials: Any, p: Any, width: Any) -> Any:
    """The probability that the proportion of successes, 0 without trials, is further than the width >= 0 from p."""
    share = lambda k: ratio(k, maximum(trials, 1))  # noqa: E731
    above = lambda k: where(share(k) - p, ">", width, lambda: chance(k, trials, p), 0)  # noqa: E731
    below = lambda k: where(p - share(k), ">", width, lambda: chance(k, trials, p), 0)  # noqa: E731
    return total(above, 0, trials) + total(below, 0, trials)


def recorded(rounds: Sequence[int], levels: Sequence[str] = LEVELS) -> list[dict[str, Any]]:
    return [{"T": T, "p_0": p, "p_1": q, "gamma": g} for T in rounds for p, q in PAIRS for g in levels]


@cache
def ends(successes: int, trials: int, error: float) -> tuple[Fraction, Fraction]:
    low, high = binomial_interval(successes, trials, error)
    return Fraction(low), Fraction(high)


@quantity
def clopper_pearson_low(successes: int, trials: int, error: Any) -> Fraction:
    """The lower end of the two-sided Clopper-Pearson interval with coverage 1 - error, rounded outward."""
    return ends(successes, trials, float(error))[0]


@quantity
def clopper_pearson_high(successes: int, trials: int, error: Any) -> Fraction:
    """The upper end, which is positive."""
    return ends(successes, trials, float(error))[1]


@word
def correct_audit_of(M: Any, T: Any, epsilon: Any, delta: Any, gamma: Any, radii: tuple[Any, Any]) -> Formula:
    """epsilon_low is larger than epsilon with probability gamma at most, where the radii hold jointly."""

    def says(runs: audits.Runs) -> Formula:
        holds = le(1 - gamma, runs.both_within(radii))
        return when(holds, then=(runs.estimate_above(epsilon, delta, radii), "<=", gamma))

    return when(symmetric_neighbours(), private(M, epsilon, delta), then=audits.of_every_audit(M, T, says))


@claim(
    "TH-D2.34/clopper-pearson",
    enumerated(recorded((5, 20), ["1/20"]), rational=True),
    false={"share": 8},
    role="implication",
)
def correct_audit(T: Count, p_0: Probability, p_1: Probability, gamma: Inside, share=Fraction(1, 2)):
    r"""An audit is $\gamma$-correct when $\Pr(\varepsilon_{\rm low}>\varepsilon)\le\gamma$, $\varepsilon$ being the
    tightest: with Clopper-Pearson ends at level $\frac12\,\gamma$ for each count the recipe is.

    The mechanisms have a known epsilon.
    """

    def estimate(k: Any, j: Any) -> Any:
        (low, high), (other_low, other_high) = (
            (clopper_pearson_low(n, T, share * gamma), clopper_pearson_high(n, T, share * gamma)) for n in (k, j)
        )
        return maximum(low / other_high, other_low / high)

    return chance_above(tight_ratio(p_0, p_1), T, p_0, p_1, estimate), "<=", gamma


@claim("TH-A2.AUD/radii-by-counting", deduced(), false={"scale": "0.5"}, role="implication")
def radii_free_of_the_runs(T: Count, p_0: Probability, gamma: Inside, share=4, scale=1):
    r"""There are $C_0(\gamma)$, $C_1(\gamma)$ free of $T$: $\Pr(|\hat p-p|>C/\sqrt T)\le\gamma/2$ with
    $C=\sqrt{\log(4/\gamma)/2}$.

    The proof uses Hoeffding's inequality and the union bound.
    """
    width = radius(T, gamma, share, scale)
    return chance_to_miss(T, p_0, width), "<=", gamma / 2


@claim(
    "TH-A2.AUD/ideal",
    enumerated(mechanism=range(20), rational=True, routes=("best event", "tightest epsilon of the pair")),
    false={"factor": "0.99"},
    role="remark",
)
def ideal_audit(mechanism: Annotated[Any, "all: every mechanism"], factor=1):
    r"""$\max\{\log(p_0/p_1),\log(p_1/p_0)\}$ of the true probabilities is at most $\varepsilon$, and the best event
    reaches it (in $e^\varepsilon$).

    Every event of random mechanisms on two neighbouring datasets is compared with the exact ratio of the pair.
    """
    channel = random_channel(mechanism, 2, outputs=3, smallest_weight=1)
    left, right = channel.laws[0, 0], channel.laws[0, 1]
    events = [[o for o in left if code >> o & 1] for code in range(1, 8)]
    worst = max(max(p / q, q / p) for e in events for p, q in [(sum(left[o] for o in e), sum(right[o] for o in e))])
    singles = max(max(left[o] / right[o], right[o] / left[o]) for o in left)
    return worst, "==", factor * singles


RATE = Fraction(566, 1000)  # -log((1 + e^-2)/2) is 0.5662...


def game_radius(T: Any, gamma: Any, scale: Any) -> Any:
    """scale * sqrt(log(4/gamma)/RATE)/sqrt(T)."""
    return scale * sqrt(log(4 / gamma) / (RATE * T))


@claim(
    "TH-A2.AUDMI/radii",
    enumerated(T=[1, 3, 10, 40], alpha=["0", "1/10", "1/2"], gamma=LEVELS, rational=True),
    false={"scale": "0.25"},
    role="remark",
)
def radii_for_random_rounds(T: Count, alpha: Probability, gamma: Inside, scale=1):
    r"""There are $C'_0$, $C'_1$ free of $T$ for proportions among the rounds with the given $b$:
    $\Pr(|\hat\alpha_T-\alpha|>C'/\sqrt T)\le\gamma/2$ with $C'=\sqrt{\log(4/\gamma)/0.566}$.

    If there is no round with b = 0, the proportion is 0. For T <= C'^2 there is nothing to show; for larger T the check
    uses Hoeffding's inequality given the number N of rounds, and E e^(-2NC'^2/T).
    """
    width = game_radius(T, gamma, scale)
    missed = total(lambda n: fair_chance(n, T) * chance_to_miss(n, alpha, width), 0, T)
    return missed, "<=", gamma / 2
