"""Section 2.1.5 of the thesis: counting under continual observation, two simple mechanisms and the binary tree."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.continual_counting import COUNTERS
from banditproof.algorithms.noise import NoiseSource
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_privacy_definitions import Sides
from banditproof.theory.continual_counting import ErrorLaw, counting_error, tree_levels, usefulness
from banditproof.theory.numeric import log, sqrt, to_ball
from banditproof.verify.domain import Domain

STEPS = Domain.of(T="integer [1, inf)", t="integer [1, inf)", epsilon="(0, inf)", where=["t <= T"])


def steps(horizons: Any, epsilons: Any = ("1/10", "1")) -> Iterator[dict[str, Any]]:
    """All steps of the horizons, for each budget."""
    return ({"T": T, "t": t, "epsilon": Fraction(e)} for T in horizons for t in range(1, T + 1) for e in epsilons)


# ----------------------------------------------------------------------------------------------------------- usefulness


def tail_at_alpha(T: int, epsilon: Any, beta: Any, counter: str, share: Any) -> Sides:
    """The largest exact tail over all steps at share times the computed alpha."""
    alpha = to_ball(share) * to_ball(usefulness(counter, T, epsilon, beta).upper)
    tails = [counting_error(counter, t, T, epsilon).tail(alpha) for t in range(1, T + 1)]
    worst = tails[0]
    for tail in tails[1:]:
        worst = worst.max(tail)
    return worst, "<=", to_ball(beta)


@claim(
    "TH-D2.1co",
    r"A counter is $(\alpha,\beta)$-useful if at every step its error exceeds $\alpha$ with probability at most "
    r"$\beta$: the "
    r"three counters are, at $<share>$ times the $\beta$-quantile of their worst step.",
    domain=Domain.of(T="integer [1, inf)", epsilon="(0, inf)", beta="(0, 1)", counter="all: the three counters"),
    constants={"share": 1}, mutations=[mutation("99 % of alpha", share="0.99")], strongest="enumeration",
)  # fmt: skip
def useful_counters(check: Check) -> None:
    points = [
        {"T": T, "epsilon": Fraction(1, 2), "beta": Fraction(b), "counter": c}
        for c in COUNTERS for T in (1, 8, 13) for b in ("1/2", "1/1000")
    ]  # fmt: skip
    check.enumerate(tail_at_alpha, points, rational=True, routes=("exact tails of all steps", "quantile"))


# ---------------------------------------------------------------------------------------------- what an algorithm adds


class UnitNoise(NoiseSource):
    """Noise that is nothing but one chosen draw, of `size` scales; it notes every scale."""

    def __init__(self, chosen: int, size: float = 1.0) -> None:
        super().__init__()
        self.chosen, self.size, self.drawn, self.scales = chosen, size, 0, []

    def draw(self, distribution: str, scale: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        noise = np.zeros(int(np.prod(shape)))
        position = self.chosen - self.drawn
        if 0 <= position < len(noise):
            noise[position] = self.size
        self.drawn += len(noise)
        self.scales.append(float(scale))
        return float(scale) * noise.reshape(shape)


def noise_matrix(counter: str, T: int, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """Row i: what a draw i of one scale adds to the T answers for the stream of ones; and the answers without noise."""
    stream, silent = np.ones((1, T)), UnitNoise(-1)
    exact = COUNTERS[counter](stream, epsilon, silent)[0]
    rows = [COUNTERS[counter](stream, epsilon, UnitNoise(i))[0] - exact for i in range(silent.drawn)]
    return np.array(rows), exact


def answers_and_law(T: int, epsilon: Any, counter: str, factor: Any) -> Sides:
    """How many steps of the algorithm differ from the exact count, or in the number or scale of noise terms."""
    rows, exact = noise_matrix(counter, T, float(epsilon))
    wrong = 0
    for t in range(1, T + 1):
        law, column = counting_error(counter, t, T, epsilon), rows[:, t - 1]
        used = column[column != 0]
        wrong += exact[t - 1] != t or len(used) != factor * law.terms or not np.allclose(used, float(law.scale))
    return wrong, "==", 0


def follows_its_law(check: Check, counter: str) -> None:
    """The answers are linear in the noise: the exact count plus `terms` draws of the law's scale."""
    points = [{"T": T, "epsilon": Fraction(e), "counter": counter} for T in (1, 2, 7, 8, 13) for e in ("1/4", "2")]
    check.enumerate(answers_and_law, points, rational=True, routes=("algorithm with single draws", "error law"))


RUNS = Domain.of(T="integer [1, inf)", epsilon="(0, inf)", counter="all: this counter")


def change_of_releases(T: int, counter: str) -> Fraction:
    """The largest l1 change, in scales at epsilon = 1, of all noisy values when one bit of a stream is flipped.

    A release is the algorithm without noise at the level of its noisy values: the noise matrix applied backwards. Here
    it is counted from the definition: prefix sums (I), bits (II), dyadic sums (tree).
    """
    worst = Fraction(0)
    for stream in product((0, 1), repeat=T):
        for s in range(T):
            flipped = (*stream[:s], 1 - stream[s], *stream[s + 1 :])
            pairs = zip(releases(counter, stream), releases(counter, flipped), strict=True)
            worst = max(worst, Fraction(sum(abs(a - b) for a, b in pairs)))
    return worst


def releases(counter: str, stream: tuple[int, ...]) -> list[int]:
    """All values that get noise of their own."""
    T = len(stream)
    if counter == "fresh noise per sum":
        return [sum(stream[:t]) for t in range(1, T + 1)]
    if counter == "noise per bit":
        return list(stream)
    return [sum(stream[i:j]) for i, j in tree_nodes(T)]


def tree_nodes(T: int) -> list[tuple[int, int]]:
    """The ranges of the complete binary tree over the next power of two, from the leaves to the root."""
    size = 1 << (tree_levels(T) - 1)
    return [(i, i + w) for w in (1 << level for level in range(tree_levels(T))) for i in range(0, size, w)]


def spent_budget(T: int, epsilon: Any, counter: str, factor: Any) -> Sides:
    """l1 change over scale, exactly: the largest log-ratio of the densities of all noisy values."""
    change, scale = change_of_releases(T, counter), counting_error(counter, 1, T, epsilon).scale
    return change / scale, "==", factor * epsilon


def spends_its_budget(check: Check, counter: str) -> None:
    points = [{"T": T, "epsilon": Fraction(e), "counter": counter} for T in (1, 2, 3, 4, 5, 8) for e in ("1/4", "2")]
    check.enumerate(spent_budget, points, rational=True, routes=("all streams and flips", "budget"))


@cache
def _noise_matrix(counter: str, T: int, epsilon: Fraction) -> np.ndarray:
    return noise_matrix(counter, T, float(epsilon))[0]


def mean_square(T: int, t: int, epsilon: Any, counter: str, factor: Any) -> Sides:
    """The mean squared error of an answer of the algorithm, against factor T^2/epsilon^2 (I) or factor t/epsilon^2.

    The answer is linear in the draws, which are independent with variance 2 in units of their scale: twice the sum of
    squares of what each adds when the algorithm is run with it alone. Powers of two as budgets make that exact.
    """
    size = T * T if counter == "fresh noise per sum" else t
    added = [Fraction(x) for x in _noise_matrix(counter, T, epsilon)[:, t - 1]]
    return 2 * sum(x * x for x in added), "==", factor * size / (epsilon * epsilon)


DYADIC = ("1/8", "1")
RUN_BY_DRAWS = ("algorithm run with single draws", "order of the noise")


# ------------------------------------------------------------------------------------------------- simple mechanism I


parts_decide(
    "TH-A2.SM1",
    r"Simple mechanism I: every sum with fresh $\mathrm{Lap}(T/\varepsilon)$ is $\varepsilon$-DP with error "
    r"$O(T/\varepsilon)$ per step (with $\mathrm{Lap}(1/\varepsilon)$ the sums together are $T\varepsilon$-DP).",
)


@claim(
    "TH-A2.SM1/law", r"Every answer is the exact sum plus $<factor>$ Laplace variable of scale $T/\varepsilon$.",
    domain=RUNS, constants={"factor": 1}, mutations=[mutation("two", factor=2)], strongest="enumeration",
)  # fmt: skip
def law_of_mechanism_one(check: Check) -> None:
    follows_its_law(check, "fresh noise per sum")


@claim(
    "TH-A2.SM1/privacy",
    r"One bit moves the $T$ sums by up to $T$ in the $\ell_1$ norm, so that scale $T/\varepsilon$ spends "
    r"$<factor>\varepsilon$ "
    r"(and scale $1/\varepsilon$ spends $T\varepsilon$).",
    domain=RUNS, constants={"factor": 1}, mutations=[mutation("half", factor="1/2")], strongest="enumeration",
)  # fmt: skip
def privacy_of_mechanism_one(check: Check) -> None:
    spends_its_budget(check, "fresh noise per sum")


@claim(
    "TH-A2.SM1/error", r"The error per step is $O(T/\varepsilon)$: its mean square is $<factor>(T/\varepsilon)^2$.",
    domain=STEPS, constants={"factor": 2, "counter": "fresh noise per sum"}, mutations=[mutation("half", factor=1)],
    strongest="enumeration",
)  # fmt: skip
def error_of_mechanism_one(check: Check) -> None:
    check.enumerate(mean_square, steps((1, 5, 64), DYADIC), rational=True, routes=RUN_BY_DRAWS)


# ------------------------------------------------------------------------------------------------ simple mechanism II

parts_decide(
    "TH-A2.SM2",
    r"Simple mechanism II: sums of bits with $\mathrm{Lap}(1/\varepsilon)$ on each are $\varepsilon$-DP with noise "
    r"of order "
    r"$O(\sqrt t/\varepsilon)$ at step $t$.",
)


@claim(
    "TH-A2.SM2/law", r"The answer at step $t$ is the exact sum plus $<factor>t$ Laplace variables of scale "
    r"$1/\varepsilon$.",
    domain=RUNS, constants={"factor": 1}, mutations=[mutation("twice as many", factor=2)], strongest="enumeration",
)  # fmt: skip
def law_of_mechanism_two(check: Check) -> None:
    follows_its_law(check, "noise per bit")


@claim(
    "TH-A2.SM2/privacy", r"One bit moves one noisy value by 1, so that scale $1/\varepsilon$ spends "
    r"$<factor>\varepsilon$.",
    domain=RUNS, constants={"factor": 1}, mutations=[mutation("half", factor="1/2")], strongest="enumeration",
)  # fmt: skip
def privacy_of_mechanism_two(check: Check) -> None:
    spends_its_budget(check, "noise per bit")


@claim(
    "TH-A2.SM2/error", r"The mean squared error at step $t$ is $<factor>t/\varepsilon^2$.",
    domain=STEPS, constants={"factor": 2, "counter": "noise per bit"}, mutations=[mutation("t", factor=1)],
    strongest="enumeration",
)  # fmt: skip
def error_of_mechanism_two(check: Check) -> None:
    check.enumerate(mean_square, steps((1, 5, 64), DYADIC), rational=True, routes=RUN_BY_DRAWS)


def tail_of_root(t: int, beta: Any, factor: Any) -> Sides:
    """P(|Z_t| >= factor (sqrt(t log(2/beta)) + log(2/beta))) against beta, exactly."""
    depth = log(2 / to_ball(beta))
    return ErrorLaw(t, Fraction(1)).tail(to_ball(factor) * (sqrt(t * depth) + depth)), "<=", to_ball(beta)


@claim(
    "TH-A2.SM2/high-probability",
    r"With probability at least $1-\beta$ the noise at step $t$ is below "
    r"$\frac{<factor>}\varepsilon(\sqrt{t\log(2/\beta)}"
    r"+\log(2/\beta))$.",
    domain=Domain.of(t="integer [1, inf)", beta="(0, 1)"), constants={"factor": 2},
    mutations=[mutation("half of it", factor=1)], strongest="enumeration",
)  # fmt: skip
def concentration_of_mechanism_two(check: Check) -> None:
    grid = {"t": [1, 2, 5, 20, check.pick(60, 200)], "beta": ["1/2", "1/100", "1/1000000000"]}
    check.enumerate(tail_of_root, grid, rational=True, routes=("exact tail", "probability"))


def two_mechanisms(T: int, t: int, epsilon: Any, factor: Any) -> Sides:
    second = counting_error("noise per bit", t, T, epsilon).variance
    return second, "<=", factor * counting_error("fresh noise per sum", t, T, epsilon).variance


@claim(
    "TH-A2.SM2/improves-on-one", r"Its mean squared error is at most $<factor>$ times that of mechanism I, at every "
    "step.",
    domain=STEPS, constants={"factor": 1}, mutations=[mutation("99 %", factor="0.99")], strongest="enumeration",
)  # fmt: skip
def improvement_on_mechanism_one(check: Check) -> None:
    """2 t <= 2 T^2, with equality for T = 1 only."""
    check.enumerate(two_mechanisms, steps((1, 2, 9, 64)), rational=True, routes=("variance of II", "variance of I"))
