"""Wrong arms that are named too rarely to be waited for: rewards drawn so that it happens, runs weighted by likelihood.

If runs are drawn from Q instead of P, P(wrong arm) is the mean under Q of 1{wrong arm} dP/dQ. Here P has two arms that
are nearly tied, and under Q the lower one pays more and the better one less, by a shift and from a pull of each arm on
that are drawn anew for every run. So errors of any rarity are seen in some hundred runs. Weights are cut at `HEAVIEST`
times the risk, which makes their mean smaller: what is found is an error, and silence proves nothing.

A rule that looks again and again without paying for it (an interval of fixed level after every pull) errs a little at
every scale of time, and what it errs adds up. So in `peeking_errors` Q is a mixture of shifts that suit all scales,
and a run is weighted by P against the mixture as a whole: weights of wrong runs are then nearly alike, whenever they
stop, and some dozens of runs show twice the risk.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit, Environment
from banditproof.algorithms.policy import Replicated, Strategy, in_full
from banditproof.algorithms.run.identification import identify
from banditproof.theory.errors import InvalidInput
from banditproof.verify.announcing import Between
from banditproof.verify.guarantees.failing import Pulls
from banditproof.verify.guarantees.sequential import Draw
from banditproof.verify.stopwatch import Meter

Rewards = Callable[[int, int], float]
"""The sum of the rewards of so many pulls of an arm."""

MakeStrategy = Annotated[Callable[[int, np.random.Generator, int], Strategy], "(arms, generator, replications)"]
"""Builds a fresh strategy for (arms, generator, replications); its noise and coin flips come from the generator."""

HEAVIEST, FAINT = 10**6, 1e-6  # weights below the second, in units of the risk, count as none
GAP, LOW = 1e-9, 0.1
SHIFTS = (0.03, 0.45)
PEEKS = 0.45 / 2 ** (np.arange(13) / 2)  # shifts of a mixture: n pulls tell one, for n = 5 to 20,000
PILOTS, FEW = 8, 4  # shifts of which some may be left out, and the runs of each that say which
PLAIN, LONG = 1 / 8, 8  # share of runs without a tilt; pulls of a run, in those that the smallest shift asks for
PER_STEP, PER_RUN, PER_POLICY = 100.0, 0.4, 8.0  # units of work: of a step, of each run in it, if it is a policy too
PER_PULL, PER_BATCH = 1.2, 4.2  # of a player by itself, and of a policy by itself
AT_ONCE = 256  # rewards of a run by itself that are drawn together
PRICE = 12.0  # what stopping rules ask for beside log(1/delta): a guess that costs runs where it is wrong


def nearly_tied(arms: int, gap: float = GAP, level: float = 0.5) -> np.ndarray:
    """Means of which the second is the best by a hair, and all but two are bad: [K]."""
    return np.array([level - gap / 2, level + gap / 2, *[LOW] * (arms - 2)])


class OfRows(BernoulliBandit):
    """Bernoulli arms that differ between replications: `rows` are those that go on."""

    rows: np.ndarray

    def keep(self, rows: np.ndarray) -> None:
        """Go on with these replications only."""
        self.rows = self.rows[rows]

    def alone(self, run: int, generator: np.random.Generator) -> Rewards:
        """The rewards of one replication by itself."""
        raise NotImplementedError


class TiltedBandit(OfRows):
    """Bernoulli arms 0 and 1, nearly tied, whose means move towards each other's and beyond; further arms are bad.

    `shift`, `start` [R]: from its pull `start` on (counted from 0), arm 0 pays more by the shift and arm 1 less.
    `log_weight` [R]: log dP/dQ of the rewards so far, P the bandit without shifts (whose best arm is 1).
    """

    def __init__(self, arms: int, shift: np.ndarray, start: np.ndarray) -> None:
        super().__init__(nearly_tied(arms))
        self.tilted = self.means + shift[:, np.newaxis] * np.array([1.0, -1.0, *[0.0] * (arms - 2)])
        self.start, self.rows = start, np.arange(shift.size)
        self.pulled, self.log_weight = np.zeros((shift.size, arms), dtype=np.int64), np.zeros(shift.size)

    def sum_of_rewards(
        self, arm: np.ndarray, count: np.ndarray, generator: np.random.Generator, *, time: np.ndarray | int = 0
    ) -> np.ndarray:
        at = self.rows, arm
        before = np.clip(self.start[self.rows] - self.pulled[at], 0, count)
        after, self.pulled[at] = count - before, self.pulled[at] + count
        own, other = self.means[arm], self.tilted[at]
        ones = generator.binomial(after, other)
        self.log_weight[self.rows] += ones * np.log(own / other) + (after - ones) * np.log((1 - own) / (1 - other))
        return (generator.binomial(before, own) + ones).astype(float)

    def alone(self, run: int, generator: np.random.Generator) -> Rewards:
        """The sums of rewards of one replication, by itself."""
        start, pulled = int(self.start[run]), [0] * self.arms
        plain, tilted = _Sums(self.means, generator), _Sums(self.tilted[run], generator)
        zero, one = np.log((1 - self.means) / (1 - self.tilted[run])), np.log(self.means / self.tilted[run])
        if_zero, if_one = zero.tolist(), one.tolist()

        def sums(arm: int, count: int) -> float:
            before = min(max(start - pulled[arm], 0), count)
            after, pulled[arm] = count - before, pulled[arm] + count
            total = plain(arm, before) if before else 0.0
            if after:
                ones = tilted(arm, after)
                self.log_weight[run] += ones * if_one[arm] + (after - ones) * if_zero[arm]
                total += ones
            return total

        return sums


class ShiftedBandit(OfRows):
    """Bernoulli arms 0 and 1, nearly tied at a `level`, of which arm 0 pays more by a `shift` and arm 1 less.

    Shifts are such that as many pulls tell one at every level; at 1/2 they are those of the means, to first order.
    Further arms are bad. `pulled`, `ones` [R, K]: the pulls so far, and how many of them paid.
    """

    def __init__(self, arms: int, level: float, shift: float, runs: int) -> None:
        self.level = level
        super().__init__(self._shifted(arms, shift))
        self.rows = np.arange(runs)
        self.pulled, self.ones = np.zeros((runs, arms)), np.zeros((runs, arms))

    def _shifted(self, arms: int, shift: float) -> np.ndarray:
        means = nearly_tied(arms, level=self.level)
        odds = means[:2] / (1 - means[:2]) * np.exp(np.array([2.0, -2.0]) * shift / sqrt(self.level * (1 - self.level)))
        return np.array([*(odds / (1 + odds)), *means[2:]])

    def sum_of_rewards(
        self, arm: np.ndarray, count: np.ndarray, generator: np.random.Generator, *, time: np.ndarray | int = 0
    ) -> np.ndarray:
        paid = super().sum_of_rewards(arm, count, generator, time=time)
        self.pulled[self.rows, arm] += count
        self.ones[self.rows, arm] += paid
        return paid

    def alone(self, run: int, generator: np.random.Generator) -> Rewards:
        """The sums of rewards of one replication, by itself."""
        draw = _Sums(self.means, generator)
        pulled, ones = self.pulled[run], self.ones[run]

        def sums(arm: int, count: int) -> float:
            paid = draw(arm, count)
            pulled[arm] += count
            ones[arm] += paid
            return paid

        return sums

    def log_ratio(self, shift: float) -> np.ndarray:
        """log dQ/dP of the rewards of every run [R], Q the bandit with this shift and P the one without any."""
        own, other = self._shifted(self.arms, 0.0), self._shifted(self.arms, shift)
        return self.ones @ np.log(other / own) + (self.pulled - self.ones) @ np.log((1 - other) / (1 - own))


class PartlySteady(BernoulliBandit):
    """Bernoulli arms, of which some pay their mean at every pull: `steady` has their numbers."""

    def __init__(self, means: np.ndarray, steady: tuple[int, ...]) -> None:
        super().__init__(means)
        self.steady = np.isin(np.arange(self.arms), steady)

    def sum_of_rewards(
        self, arm: np.ndarray, count: np.ndarray, generator: np.random.Generator, *, time: np.ndarray | int = 0
    ) -> np.ndarray:
        drawn = super().sum_of_rewards(arm, count, generator, time=time)
        return np.where(self.steady[arm], count * self.means[arm], drawn)


class Turning(BernoulliBandit):
    """Two arms: one pays at every pull, the other one at half of them, and from pull `turn` on the first one never."""

    GAP = 0.5

    def __init__(self, best: int, turn: int) -> None:
        self.turn, self.later = turn, np.full(2, 1 - self.GAP)
        super().__init__(np.where(np.arange(2) == best, 1.0, self.later))
        self.later[best] = 0.0

    def sum_of_rewards(
        self, arm: np.ndarray, count: np.ndarray, generator: np.random.Generator, *, time: np.ndarray | int = 0
    ) -> np.ndarray:
        before = np.clip(self.turn - time, 0, count)
        paid = super().sum_of_rewards(arm, before, generator, time=time)
        return paid + generator.binomial(count - before, self.later[arm])

    def alone(self, run: int, generator: np.random.Generator) -> Rewards:
        """The sums of rewards of one replication, by itself."""
        before, after, pulled = _Sums(self.means, generator), _Sums(self.later, generator), [0]

        def sums(arm: int, count: int) -> float:
            first, pulled[0] = min(max(self.turn - pulled[0], 0), count), pulled[0] + count
            paid = before(arm, first) if first else 0.0
            return paid + (after(arm, count - first) if count > first else 0.0)

        return sums


class Permuted(OfRows):
    """Bernoulli arms whose order is drawn anew for every replication: arm a of a run is arm `order[run, a]`."""

    def __init__(self, means: np.ndarray, order: np.ndarray) -> None:
        super().__init__(means)
        self.order, self.rows = order, np.arange(len(order))

    def sum_of_rewards(
        self, arm: np.ndarray, count: np.ndarray, generator: np.random.Generator, *, time: np.ndarray | int = 0
    ) -> np.ndarray:
        return super().sum_of_rewards(self.order[self.rows, arm], count, generator, time=time)

    def alone(self, run: int, generator: np.random.Generator) -> Rewards:
        """The sums of rewards of one replication, by itself."""
        return _Sums(self.means[self.order[run]], generator)


class _Sums:
    """Sums of rewards of Bernoulli arms, drawn by themselves: a reward costs no array."""

    def __init__(self, means: np.ndarray, generator: np.random.Generator) -> None:
        self.means, self.generator, self.uniform = means.tolist(), generator, iter(())

    def __call__(self, arm: int, count: int) -> float:
        if count > 1:
            return float(self.generator.binomial(count, self.means[arm]))
        u = next(self.uniform, None)
        if u is None:
            self.uniform = iter(self.generator.random(AT_ONCE).tolist())
            u = next(self.uniform)
        return 1.0 if u < self.means[arm] else 0.0


class Followed(Between):
    """Tells the bandit which replications go on."""

    def __init__(self, strategy: Any, bandit: OfRows) -> None:
        super().__init__(strategy)
        self.bandit = bandit

    def keep(self, rows: np.ndarray) -> None:
        self.bandit.keep(rows)
        super().keep(rows)


def fresh(make_strategy: MakeStrategy, arms: int, generator: np.random.Generator, replications: int) -> Strategy:
    """A strategy with as many replications as asked for, made of single ones if need be. Raises InvalidInput."""
    strategy = make_strategy(arms, generator, replications)
    return in_full(strategy, replications, lambda k: make_strategy(arms, generator, 1), "make_strategy")


def named(
    strategy: Strategy,
    environment: Environment,
    cap: int,
    generator: np.random.Generator,
    meter: Meter,
    over: Callable[[], bool] | None,
) -> np.ndarray:
    """What `identify` recommends [R], with the work counted; the environment hears which replications go on.

    Replications that are objects of their own are run one after the other: together, each pull of each of them would
    cost arrays. Those that were not run when it is `over` name no arm. What a strategy raises is a `PolicyFailed`.
    """
    pulls = Pulls()
    alone = rewards_alone(environment)
    by_itself = getattr(type(strategy), "named_alone", None)  # not what a wrapper passes on
    if alone is not None and by_itself is not None and isinstance(strategy, Strategy):
        each, price = range(strategy.replications), PER_BATCH if isinstance(strategy, Replicated) else PER_PULL

        def going(times: int) -> bool:
            meter.count(price * times)
            return over is None or not over()

        with pulls.playing():
            runs = (by_itself(strategy, k, pulls.alone(alone(k, generator)), cap, going) for k in each)
            arms = np.array(list(runs))
        if arms.max() >= environment.arms:
            raise InvalidInput("recommendation", arms.tolist(), f"between 0 and {environment.arms - 1}")
        return arms
    heard = meter.heard(environment, PER_STEP, PER_POLICY if getattr(strategy, "separate", False) else PER_RUN)
    followed: Any = Followed(strategy, heard) if isinstance(heard, OfRows) else strategy
    with pulls.playing():
        return identify(followed, pulls.heard(heard), cap, generator, over=over).recommendation


def rewards_alone(environment: Environment) -> Callable[[int, np.random.Generator], Rewards] | None:
    """The rewards of one replication by itself; None for an environment that does not tell them."""
    if isinstance(environment, OfRows | Turning):
        return environment.alone
    if type(environment) is BernoulliBandit:
        return lambda run, generator: _Sums(environment.means, generator)
    return None


def rare_errors(
    make_strategy: MakeStrategy,
    arms: int,
    delta: float,
    cap: int,
    root: np.random.SeedSequence,
    meter: Meter,
    over: Callable[[], bool] | None = None,
) -> Draw:
    """Draws values in [0, HEAVIEST delta] whose mean is at most P(arm 0 is named) where arm 1 is better by a hair."""

    def draw(runs: int) -> np.ndarray:
        for_strategy, for_rewards, for_tilt = (np.random.default_rng(s) for s in root.spawn(3))
        bandit = TiltedBandit(arms, *_tilts(delta, runs, for_tilt))
        strategy = fresh(make_strategy, arms, for_strategy, runs)
        longest = min(cap, int(LONG * arms * _pulls(delta, SHIFTS[0])))
        wrong = named(strategy, bandit, longest, for_rewards, meter, over) == 0
        weight = np.exp(np.minimum(bandit.log_weight, np.log(HEAVIEST * delta)))
        return np.where(wrong & (weight > FAINT * delta), weight, 0.0)

    return draw


def peeking_errors(
    make_strategy: MakeStrategy,
    arms: int,
    delta: float,
    cap: int,
    root: np.random.SeedSequence,
    meter: Meter,
    over: Callable[[], bool] | None = None,
    *,
    level: float = 0.5,
) -> Draw:
    """Draws values in [0, 1] whose mean is at most P(arm 0 is named) where arm 1 is better by a hair.

    A run of a shift ends after the pulls that the shift asks for. So of the mixture those shifts count, in a run that
    stops, whose runs could have been as long. Large shifts, which say nothing where a rule looks late, are left out
    after a few runs that count for nothing else.
    """
    longest = np.minimum(cap, np.ceil(arms * _pulls(delta, PEEKS))).astype(np.int64)
    first: list[int] = []

    def weights(which: np.ndarray, kept: slice) -> np.ndarray:
        """Runs of these shifts [R], weighted by P against the mixture of those that are kept."""
        for_strategy, for_rewards = (np.random.default_rng(s) for s in root.spawn(2))
        values = np.zeros(which.size)
        for j in np.unique(which):
            of = np.flatnonzero(which == j)
            bandit = ShiftedBandit(arms, level, float(PEEKS[j]), of.size)
            strategy = fresh(make_strategy, arms, for_strategy, of.size)
            wrong = named(strategy, bandit, int(longest[j]), for_rewards, meter, over) == 0
            possible = longest[kept] >= bandit.pulled.sum(axis=1, keepdims=True)  # [R, J]
            ratios = np.stack([bandit.log_ratio(float(shift)) for shift in PEEKS[kept]], axis=1)
            mixture = (np.exp(np.minimum(ratios, 700.0)) * possible).mean(axis=1)
            values[of] = np.where(wrong, np.minimum(1.0, 1 / np.maximum(mixture, 1e-300)), 0.0)
        return values

    def draw(runs: int) -> np.ndarray:
        if not first:
            tried = np.repeat(np.arange(PILOTS), FEW)
            means = weights(tried, slice(0, None)).reshape(PILOTS, FEW).mean(axis=1)
            first.append(int(np.argmax(means >= means.max() / 3)))
        drawn = np.random.default_rng(root.spawn(1)[0]).integers(first[0], PEEKS.size, size=runs)
        return weights(drawn, slice(first[0], None))

    return draw


def _pulls(delta: float, shift: Any) -> Any:
    """Pulls of either arm after which a mean that is off by the shift should stop a run: 4 n shift^2 is their price."""
    return (PRICE - np.log(delta)) / (4 * shift**2)


def _tilts(delta: float, runs: int, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Shifts, and pulls [R] from which on they hold: the first one, or a power of two that suits the shift.

    Phases that forget what came before begin at powers of two; a tilt of what is forgotten costs weight only. Some runs
    have no shift: what stops them is no deviation.
    """
    shift = np.exp(generator.uniform(np.log(SHIFTS[0]), np.log(SHIFTS[1]), runs))
    late = 2 ** np.maximum(np.rint(np.log2(_pulls(delta, shift))) + generator.integers(-2, 3, runs), 0)
    start = np.where(generator.random(runs) < 0.5, 0, late).astype(np.int64)
    return shift * (generator.random(runs) >= PLAIN), start
