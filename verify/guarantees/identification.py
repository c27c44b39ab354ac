"""Does a strategy name a wrong arm more often than it promises?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, inf, log
from typing import Annotated

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit, Environment, means_of
from banditproof.theory.arguments import Error, Horizon, Seconds, Seed, Share, checked
from banditproof.theory.errors import InvalidInput
from banditproof.theory.hints import hint_of_risk
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.verify.guarantees.players import counted_as_one
from banditproof.verify.guarantees.rare_errors import (
    GAP,
    HEAVIEST,
    PRICE,
    MakeStrategy,
    Permuted,
    fresh,
    named,
    nearly_tied,
    peeking_errors,
    rare_errors,
)
from banditproof.verify.guarantees.report import (
    INCONCLUSIVE,
    OK,
    VIOLATION,
    StatisticalReport,
    call_of,
    combined,
    written,
)
from banditproof.verify.guarantees.sequential import FEWEST, FIRST, MISSED, Draw, check_mean
from banditproof.verify.proof.statistics import REPORT_ERROR
from banditproof.verify.stopwatch import CUT, Meter, Stopwatch

Arms = Annotated[int, "[2, 1000]"]
SECONDS, LONGER = 30.0, 3  # of work, where none are given, and so many times as much where that will settle it
SUPPORTING, MOST_TOGETHER = 6, 600  # times 1 / delta: right runs that support it; runs of a first round
CLOSE = 0.02  # a gap at which strategies stop, in many pulls
PEEKING, LEVELS = 5, (0.5, 0.95)  # the search for rules that peek has such a part of the time at each of two levels
LATE = 2 / 3  # of the seconds: later than that, nothing is attacked that needs not be settled
SHORT = 16.0  # pulls of an arm per unit of log(1/delta) and what rules add to it, where only early stops are looked for


@checked
def check_delta_correct(
    make_strategy: MakeStrategy,
    environments: Environment | Sequence[Environment] | Arms,
    delta: Share,
    *,
    cap: Horizon = 1_000_000,
    error: Error = REPORT_ERROR,
    missed: Error = MISSED,
    tolerated: Share | None = None,
    seconds: Seconds | None = None,
    seed: Seed = 0,
    progress: bool | None = None,
) -> StatisticalReport:
    """Test that P(a wrong arm is named) <= `delta` in every one of the `environments`.

    `make_strategy(arms, generator, replications)` builds a fresh strategy, which draws coins and noise from the
    generator: a private one makes its `NoiseSource(generator)`.

    With a number of arms instead the check chooses: `identification_instances`, and two arms that are nearly tied. On
    these, half of what stops early is wrong, so short runs show it; rewards are tilted towards the lower arm
    (`rare_errors`), so that errors are seen which no number of plain runs would show; and they are shifted at every
    scale (`peeking_errors`), so that the errors of a rule add up that looks after every pull at an interval of fixed
    level. Nearly tied arms can refute and support nothing; plain runs that support a risk are about 5 / delta.

    On the instances of the check the order of the arms is drawn anew in every run.

    An arm is wrong if its mean is not the largest. A run that has not stopped after `cap` pulls is undecided: it is no
    wrong arm where delta is attacked, it is left out where delta is supported, and the report counts it; a strategy
    that never stops is therefore never ok. An instance is open where the time is over before its runs stop. The search
    ends at the first violation. For a slow strategy `tolerated`, a larger risk than `delta`, asks for less: "ok" then
    says that no risk of that size is left and that no more than `delta` was seen, "violation" still that `delta` is
    exceeded. A strategy that raises while it plays is a violation. The error is shared by the environments; `missed` is
    as in `check_regret`, and so is the time: work is counted, and `seconds` says how much, by default 30, or up to 90
    where what supports delta seems to settle by then; those that are given end by the clock. Raises InvalidInput.
    """
    chosen = identification_instances(environments) if isinstance(environments, int | np.integer) else environments
    instances = list(chosen) if isinstance(chosen, Sequence) else [chosen]
    if not instances:
        raise InvalidInput("environments", environments, "a list of at least one environment")
    if alike := [one for one in instances if not np.ptp(means_of(one)) > 0]:
        raise InvalidInput("environments", alike[0].means, "environments with a wrong arm: two different means")
    hint_of_risk(delta)
    clock, watch = Stopwatch(), Meter(given=seconds is not None)
    roots = np.random.SeedSequence(seed).spawn(len(instances) + 6)
    arms = instances[0].arms
    probe = fresh(make_strategy, arms, np.random.default_rng(seed), 2)
    many = max(FIRST, ceil(min(SUPPORTING / delta, MOST_TOGETHER)))  # at once they take about as long as few
    first = FEWEST if getattr(probe, "separate", False) else many  # what costs as much for every run begins with few
    most = float(seconds or SECONDS)
    longest = 0.0 if seconds else LONGER * most
    tests = _Tests(delta, tolerated, float(error) / len(roots), missed, most, longest, first, progress, watch)

    def tilted(place: int, waiting: int) -> None:
        draw = rare_errors(make_strategy, arms, delta, cap, roots[place], watch, tests.over)
        tests.attack(draw, HEAVIEST * delta, nearly_tied(arms), ", rewards tilted", waiting)

    def tied(place: int, gap: float, longest: int, waiting: int) -> None:
        means = nearly_tied(arms, gap)
        draw = _wrong(make_strategy, BernoulliBandit(means), longest, roots[place], True, watch, tests.over)
        ended = f", ended after {longest} pulls" if longest < cap else ""
        tests.attack(draw, 1.0, means, f" in any order{ended}", waiting)

    own = chosen is not environments
    if own:
        tied(-4, GAP, min(cap, ceil(SHORT * arms * (PRICE - log(delta)))), len(roots))
    for place, level in zip((-5, -6), LEVELS, strict=True):
        if own and not tests.violated:
            draw = peeking_errors(make_strategy, arms, delta, cap, roots[place], watch, tests.over, level=level)
            tests.attack(draw, 1.0, nearly_tied(arms, level=level), ", rewards shifted", PEEKING)
    if own and not tests.violated:
        tilted(-1, len(roots))
    for i, environment in enumerate(instances):
        if tests.violated:
            break
        draw = _wrong(make_strategy, environment, cap, roots[i], own, watch, tests.over)
        tests.support(draw, means_of(environment), " in any order" if own else "", len(instances) - i)
    tests.seconds *= LATE
    if own and not tests.violated and watch.seconds() < tests.seconds:  # what is left goes where errors are likeliest
        tied(-2, CLOSE, cap, 2)
        if not tests.violated and watch.seconds() < tests.seconds:
            tilted(-3, 1)
    what, notes = f"delta-correctness, delta = {delta:g}", tests.notes
    undecided, runs = sum(part.undecided for part in tests.parts), sum(part.runs for part in tests.parts)
    notes += [f"{undecided} of {runs} runs had not stopped after {cap} pulls"] if undecided else []
    if any(part.verdict == INCONCLUSIVE for part in tests.parts) and tests.enough < inf:
        notes.append(f"about seconds={ceil(tests.enough)} would be enough")
    excluded = max((part.excluded for part in tests.parts), default=inf)
    if any(part.verdict == INCONCLUSIVE for part in tests.parts) and not tests.violated and excluded < 1:
        shown = ceil(100 * excluded) / 100
        notes.append(f"a risk of {shown:g} or more is excluded (error {float(missed):g}): tolerated={shown:g} is ok")
    notes += [CUT] if watch.cut else []
    listed = f"[{', '.join(map(written, instances))}]"
    asked = listed if isinstance(environments, Sequence) else f"{arms}" if own else written(instances[0])
    options = {} if tolerated is None else {"tolerated": tolerated}
    options |= {"cap": cap} | ({} if seconds is None else {"seconds": most}) | {"seed": seed, "error": float(error)}
    again = call_of("check_delta_correct", "make_strategy", asked, f"{float(delta)!r}", **options)
    report = combined(what, tests.parts, float(error), clock.seconds(), notes=tuple(notes))
    if report.verdict == INCONCLUSIVE and undecided == runs:
        report = replace(report, cause=f"no run of the strategy had stopped after {cap} pulls")
    made = lambda rows, generator: fresh(make_strategy, arms, generator, rows.stop - rows.start)  # noqa: E731
    if report.ok and (one_run := counted_as_one(made, instances[0], cap)):
        report = replace(report, verdict=INCONCLUSIVE, cause=one_run.replace("make_policies", "make_strategy"))
    return replace(report, again=again)


@dataclass
class _Tests:
    """Tests that P(a wrong arm is named) <= delta, one after the other, which share the time.

    `waiting` says how many tests, this one included, the time that is left is for.
    """

    delta: float
    tolerated: float | None
    error: float  # of each test
    missed: Error
    seconds: float
    longest: float  # seconds, where a test that supports delta seems to settle by then
    first: int  # runs of the first round
    progress: bool | None
    watch: Meter
    parts: list[StatisticalReport] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    enough: float = 0.0  # seconds, for the tests that were not settled
    latest: float = inf  # when the draw has to end
    stopped: int = 0  # how often it was ended

    @property
    def violated(self) -> bool:
        """Whether a test has shown a violation."""
        return any(part.verdict == VIOLATION for part in self.parts)

    def over(self) -> bool:
        """Whether the draw has to end now."""
        late = self.watch.seconds() > self.latest
        self.stopped += late
        return late

    def support(self, draw: Draw, means: np.ndarray, how: str, waiting: int) -> None:
        """A test that may support delta."""
        before = self.watch.seconds()
        report = self._test(draw, 1.0, means, how, waiting, self.longest, self.tolerated)
        if report.verdict == VIOLATION and report.mean == 1:
            report = replace(report, cause=f"{report.cause} (in every run: are its arms counted from 0?)")
        self.parts.append(report)
        self.enough = max(self.enough, before + waiting * self.parts[-1].would_take)

    def attack(self, draw: Draw, most: float, means: np.ndarray, how: str, waiting: int) -> None:
        """A test that supports nothing: it counts as a violation, and open where its mean is above delta.

        A run without an outcome counts as one that is right: many of them end the attack as well.
        """
        report = self._test(lambda count: np.nan_to_num(draw(count)), most, means, how, waiting, 0.0)
        self.parts += [report] if report.verdict == VIOLATION or report.mean > self.delta and not report.ok else []
        if not report.runs:  # it failed
            return
        self.notes.append(f"two nearly tied arms, {report.runs} runs{how}: P(wrong arm) is about {report.mean:.2g}")

    def _test(
        self,
        draw: Draw,
        most: float,
        means: np.ndarray,
        how: str,
        waiting: int,
        until: float,
        tolerated: float | None = None,
    ) -> StatisticalReport:
        before = self.watch.seconds()
        left = max(self.seconds - before, self.seconds / 10)
        self.latest, self.stopped = before + max(2 * left / waiting, left / 2), 0
        if self.watch.by_the_clock:
            self.latest = min(self.latest, self.seconds)

        def timed(count: int) -> np.ndarray:
            with self.watch.working():
                values = draw(count)
            self.latest = max(self.latest, until)  # later rounds are those of a strategy that seems right
            return values

        report = check_mean(
            timed,
            self.delta,
            most,
            tested=f"P(wrong arm) <= {self.delta:g} with means {', '.join(f'{mean:.12g}' for mean in means)}{how}",
            cause="a wrong arm is named too often",
            error=self.error,
            missed=self.missed,
            seconds=left / waiting,
            longer=max(left / 2, until - before),
            first=self.first,
            tolerated=tolerated,
            progress=self.progress,
            watch=self.watch,
        )
        if self.stopped and report.verdict == OK:
            cause = f"{report.undecided} of {report.runs} runs had not stopped when the time ran out"
            return replace(report, verdict=INCONCLUSIVE, cause=cause)
        return report


@checked
def identification_instances(arms: Arms) -> list[BernoulliBandit]:
    """Bandits on which wrong stopping rules show: large and small gaps, a second best among bad arms, means 0 and 1.

    Two arms have one gap of a tenth in the middle: a second one, and a second best among bad arms, would be alike.
    """
    rest = check_count("arms", arms, 2) - 2
    return [
        BernoulliBandit(means)
        for means in (
            [0.3] * (arms - 1) + [0.7],
            [0.0] * (arms - 1) + [1.0],
            [0.5, 0.6] + [0.1] * rest,
            [0.9, 0.99] + [0.5] * rest,
            [0.1, 0.01] + [0.0] * rest,
            *([[0.45] * (arms - 1) + [0.55]] if rest else []),
        )
    ]


def _wrong(
    make_strategy: MakeStrategy,
    environment: Environment,
    cap: int,
    root: np.random.SeedSequence,
    permuted: bool,
    meter: Meter,
    over: Callable[[], bool],
) -> Draw:
    """Draws whether a wrong arm was named: 1, 0, or nan in a run that did not stop."""
    means, arms = means_of(environment), environment.arms
    right = means == means.max()

    def draw(count: int) -> np.ndarray:
        for_strategy, for_rewards, for_order = (np.random.default_rng(s) for s in root.spawn(3))
        strategy = fresh(make_strategy, arms, for_strategy, count)
        if not permuted:
            arm = named(strategy, environment, cap, for_rewards, meter, over)
            return np.where(arm < 0, np.nan, ~right[arm])
        order = for_order.permuted(np.tile(np.arange(arms), (count, 1)), axis=1)
        bandit = Permuted(means_of(environment), order)
        arm = named(strategy, bandit, cap, for_rewards, meter, over)
        return np.where(arm < 0, np.nan, ~right[order[np.arange(count), arm]])

    return draw
