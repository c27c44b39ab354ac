"""Which theorem, on which instances? A policy against every regret theorem of its algorithm, and against the roster.

A theorem is tested where it can fail: on every instance at the first horizon whose bound is a quarter of the largest
regret. Where there is none (the theorem is asymptotic, or far above what policies do), and beside it, the policy is
compared with the roster's policy of the same name: by its regret; by the regret of the second half of a long run, where
what was paid for exploration hides less; and by the share of runs that are lost, those that hardly pull a best arm
after a quarter of their time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from math import inf
from typing import Annotated

import numpy as np

from banditproof.algorithms.roster import algorithm, algorithms
from banditproof.algorithms.run.compiled import has_loop
from banditproof.theory.arguments import Error, Positive, Seconds, Seed, checked
from banditproof.theory.bounds.upper_bounds import RECIPES, has_upper_bound
from banditproof.theory.errors import InvalidInput, close_to
from banditproof.theory.numbers.exact_numbers import exact
from banditproof.theory.privacy.budget import KINDS, Budget
from banditproof.verify.guarantees.bounds_to_test import (
    AGAIN,
    COUNTED,
    FOR_GOOD,
    GROWING,
    GROWTH,
    HORIZONS,
    LOCKED,
    LOST,
    MANY_RUNS,
    PER_ARM,
    SECOND_HALF,
    STEEP,
    WHOLE,
    BoundTest,
    Candidate,
    Case,
    MakePolicyFor,
    Notes,
    Standard,
    parts_compared,
)
from banditproof.verify.guarantees.failing import PolicyFailed
from banditproof.verify.guarantees.forgetting import LONGEST, PASTS, PULLS, RUNS, SCALES, forgets_after
from banditproof.verify.guarantees.players import counted_as_one, playing_alone
from banditproof.verify.guarantees.regret import (
    LONGER,
    SECONDS,
    largest_regret,
    lost_for_good,
    price_of_losing,
    regret_of_runs,
)
from banditproof.verify.guarantees.report import (
    INCONCLUSIVE,
    OK,
    VIOLATION,
    StatisticalReport,
    call_of,
    combined,
    seconds_enough,
)
from banditproof.verify.guarantees.sequential import FEWEST, FIRST, MISSED, Draw, check_mean
from banditproof.verify.guarantees.stalling import (
    AT_MOST,
    EARLIER,
    EXCLUDED,
    FEW,
    MANY,
    MEANS,
    MEANS_HALF,
    stalled_pairs,
)
from banditproof.verify.guarantees.stalling import HORIZONS as GROWN
from banditproof.verify.proof.statistics import REPORT_ERROR
from banditproof.verify.stopwatch import CUT, Meter, OutOfTime, Stopwatch
from banditproof.verify.thresholds import beyond, named_by

INSTANCES: dict[str, tuple[str, ...]] = {
    "two arms, the best last": ("0.1", "0.9"),
    "two arms, the best first": ("0.9", "0.1"),
    "three arms, the best in the middle": ("0.2", "0.8", "0.5"),
    "means 0 and 1": ("0", "1"),
    "means 1, 0 and 0": ("1", "0", "0"),
    "two best arms": ("0.7", "0.1", "0.7"),
    "five arms in no order": ("0.25", "0.75", "0.5", "0.375", "0.1"),
    "a near-tie beside a bad arm": ("0.6", "0.58", "0.05"),
    "means near 0": ("0.01", "0.3"),
    "means near 1": ("0.99", "0.7"),
    "two middling arms": ("0.4", "0.6"),
    "two good arms": ("0.9", "0.7"),
    "one good arm among ten": (*["0.1"] * 9, "0.9"),
}
"""Means of the arms: permuted, with large and small gaps, near-ties, and at the ends of [0, 1]."""

FURTHER: dict[str, tuple[str, ...]] = {
    "two bad arms, the best first": ("0.4", "0.1"),
    "good arms, the best last": ("0.65", "0.65", "0.95"),
    "one good arm among ten, first": ("0.8", *["0.3"] * 9),
    "three equal second arms": ("0.3", "0.3", "0.7", "0.3"),
    "one arm that always pays": ("0.5", "1"),
    "one arm that never pays": ("0", "0.3"),
}
"""Means on which a few runs are looked at, beside those of INSTANCES."""

STEADY: dict[str, tuple[tuple[str, ...], tuple[int, ...]]] = {
    "a coin beside the better arm, which pays 1/2 each time": (("0.2", "0.5"), (1,)),
    "a better coin beside an arm that pays 1/2 each time": (("0.5", "0.8"), (0,)),
}
"""Rewards that are not 0 and 1 alone: means, and the arms that pay theirs at every pull."""

FACTOR = 2.0
_LONG = 3  # instances with the longest horizons before lost runs are looked for
_SUPPORT = 6.0  # as many times the largest regret by the bound are the runs that support a bound
_HARD = ("two middling arms", "two good arms", "one good arm among ten")  # where runs are lost easily
_CAUSES = {
    LOST: "too many runs are lost",
    LOCKED: "too many runs stay with a worse arm for good",
    FOR_GOOD: "too many runs are lost for good",
    GROWTH: "the regret goes on growing too fast",
    STEEP: "the regret goes on growing too fast",
}
GRANTED = "not seen to be below `factor` times the library's own, which the theorem does not ask for"
UNTESTED = "; no theorem was tested, and the notes say why"
FORGETS = (
    "it forgets: an arm that stops paying is pulled about {:.0f} times more after {:,} pulls, hardly more often than "
    "after {:,}; so what it knows of an arm stops growing, and two close arms are taken for each other again and again"
)
STALLED = "an arm that pays nothing is hardly tried any more: if that stays so, rare runs have linear regret"
_LATE_ROUND, _GROWTH_ROUND, _LOCKED_ROUND, _LOST_ROUND = 256, 16, 28, 64  # runs of the first round of such a test
_MORE = 3  # times as many of them follow where one stays with a worse arm
_MUCH = 3.0  # times the bound: a mean of a few runs of 0 and 1 that is less leaves nothing open
_AT_ONCE = 1e-6  # seconds after a first round, which can only refute: close arms tell apart what goes wrong
CLOSE = ("0.51", "0.5")  # arms that a policy still compares after thousands of pulls
# arms whose order a few pulls often tell wrongly, and thousands hardly ever, unless means are rounded to fifths
APART = ("0.54", "0.64")
NEARER, OFFSETS = (0.06, 0.1), 16  # gaps of pairs that are drawn, and how many: one lies in a step of any coarser grid
CONFUSED = 0.3  # of the pulls of a second half: a run that gives as many to the worse arm hardly tells two arms apart
_SCOUTING = 1 << 31  # beyond the seeds of the runs that are judged
CROWD = ("0.9", *["0.8"] * 4)  # as good ones beside the best, which pay at once where it may not
_EARLY = 1000  # pulls after which a run that is lost is played on
_GLIMPSE, _TOGETHER = 4, 256  # runs of a first look at an instance, and runs that are played on together
_AS_LONG = 2.0  # times as many seconds, where none are given, for the instances that an "ok" needs
_WHOLE_ROUNDS = 4  # first rounds that a comparison of the whole regret often takes: a single run may have a lot of it
_FEW_RUNS, _ALONE = 8, 2  # by which it is judged whether a policy is slow, one of players that play by themselves
_LENGTHS = (2000, 5000, 20_000)  # pulls over which growth is looked at; more where the policy's own code names more
_LONGER = (40_000, 80_000)  # where there is time: 5 % of exploration cost little beside a private policy's own regret
_DOUBLINGS = 5  # of the pulls over which the regret was seen to grow
_BRIEF = 40  # the part of the seconds for one long run of which the whole regret is looked at
_SHARP, _SHARPEST = 10, 2  # the part on instances with the largest gaps, and how many of them
_BEYOND = 4  # times the pulls that a policy's own code names are enough
_REFERENCE = 6  # the part of all seconds that the reference may take at most for a test of long runs
_BY_TURNS = ("two arms, the best last", "two middling arms", "three arms, the best in the middle", "two good arms")


Instances = Annotated[dict[str, Sequence[str | float]], 'such as {"two arms": (0.7, 0.5)}']
"""Means by the names of instances; text is exact, and a float is the decimal that Python writes for it."""


@checked
def check_theorem(
    make_policies: MakePolicyFor,
    theorem: str,
    *,
    budgets: Sequence[Budget | None] = (None,),
    instances: Instances | None = None,
    horizons: Sequence[int] | None = None,
    reference: MakePolicyFor | None = None,
    factor: Positive = FACTOR,
    seconds: Seconds | None = None,
    error: Error = REPORT_ERROR,
    seed: Seed = 0,
    progress: bool | None = None,
) -> StatisticalReport:
    """Test a policy against the regret theorems of an algorithm, on many instances, horizons and `budgets`.

    `make_policies(arms, budget, horizon, noise, generator, replications)` builds a fresh policy.

    `theorem` is an algorithm of the roster ("adap-ucb" or "AdaP-UCB"), or the source of one of its theorems
    ("ALG-T5.3"), which then is the only one. Only a theorem whose hypotheses hold is tested: they are asked of the
    policy's attributes (`beta`, `level`, `batches`, ...), and `notes` say what failed and what the policy does not
    state, which is taken on trust. On every instance it is also compared with `factor` times the `reference`, by
    default the roster's policy with the options that the policy states: more than that, where the theorem grants it, is
    no violation. `instances` maps names to means, text is exact; `horizons` are those tried, in this order.

    What fails in rare runs grows with the horizon. So theorem and reference are tried at the longest horizons as well,
    on the first instances early on, on the others until half of the time is over. Of long runs on hard instances the
    second half is compared alone: at most `factor` times the reference's, or the part of the second half in a regret
    that grows as log T, if that is more. And lost runs are counted, which hardly pull a best arm after a quarter of
    their time: at most one of a hundred, or `factor` times the share of the reference's runs.

    The whole regret of long runs counts as well: what is lost once in a burn-in, or forced by a part of the horizon,
    does not go on growing. Of the longest runs that there are, or of a single one, more are played where it is above
    what the theorem grants, or `factor` times the reference's where no theorem can fail; longer ones on the two
    instances with the largest gaps, whose bound is the sharpest.

    Of a policy that decides at every pull, the second half of runs of 20,000 pulls is looked at early on, on instances
    with large and small gaps by turns, and of more pulls where its own code compares with more, if there is time. As
    much of a run counts as 6 times the reference's mean: some twenty runs are enough. As much as 20 times counts where
    thousands of runs of the reference are cheap: ten refute a regret that goes on. Where runs take long, no more
    counts in the comparison of the regret either, and the theorem is tested on fewer instances. And few runs may stay
    with the worse of two close arms. Where two arms are a tenth apart, a few pulls often tell their order wrongly, and
    thousands hardly ever: there lost runs are counted in many runs of 2,000 pulls too. The first line says how long the
    longest runs were, and what the code names beyond.

    Where few runs are enough, instances of more kinds are looked at: all means on one side of 1/2, the best arm first
    or last of many, rewards that are certain, and, if the theorems hold for them, rewards of 1/2. Of five good arms,
    and of two a tenth apart, runs of 1,000 pulls that are lost are played for 16,000, where a sound run finds back: at
    most one of 400, or `factor` times the reference's share after 1,000, may still be lost then. Of pairs of arms that
    the `seed` draws, 0.06 to 0.1 apart, those on which one run hardly tells the arms apart have a test of growth.

    An arm that pays nothing has to be tried again and again (`verify/guarantees/stalling.py`): a policy that stops for
    good has linear regret in runs too rare to be waited for. Where it is not seen to go on, the verdict is
    "inconclusive". So it is where the policy forgets (`verify/guarantees/forgetting.py`): what it knows of an arm stops
    growing, and close arms are confused for ever; what that costs is looked at in longer runs of such arms. With
    `instances` or `horizons` this, more kinds and the close arms are not looked at.

    A policy that raises while it plays is a violation, with the pulls until then and the line.

    A policy that states its `budget` is also tried with a tenth and with ten times of it, if one is given.

    Work is counted, and `seconds` says how much of it there is, by default 20, or up to 60 where that seems to settle a
    test that is open, or the theorem grants a regret beyond the reference's: then `seed` decides the report, unless the
    policy is slow. `seconds` that are given end by the clock on the wall, and one more is for loading: on a busy
    machine the report says that the clock cut the work short.

    `error` is shared by all tests. The search ends at the first violation. The verdict is "ok" if all tests are ok, but
    for open ones of long runs whose mean is below the bound, more than half of the instances had one, and a theorem
    that was named was tested; but not where tests of growth are open and none of them holds, or none had time. The
    notes list the instances for which there was no time. Raises InvalidInput.
    """
    title, source = _title_and_source(theorem)
    if not budgets:
        raise InvalidInput(
            "budgets", budgets, "a list with at least one budget; (None,) for an algorithm without privacy"
        )
    kinds = algorithm(title).kinds
    if kinds and any(budget is None or budget.kind not in kinds for budget in budgets):
        given = " or ".join(f"[Budget.{kind}({', '.join(KINDS[kind].ranges)})]" for kind in kinds)
        raise InvalidInput("budgets", list(budgets), f"budgets of {title}, for example {given}")
    means_of_name = {name: tuple(map(str, means)) for name, means in (instances or INSTANCES).items()}
    for name, means in means_of_name.items():
        numbers = {exact("instances", mean, lambda mean: 0 <= mean <= 1, "means in [0, 1]") for mean in means}
        if len(numbers) < 2:
            raise InvalidInput("instances", {name: means}, "means of which two differ, such as (0.7, 0.5)")
    cases = [Case(name, means, budget) for budget in budgets for name, means in means_of_name.items()]
    spoken, seconds = seconds is not None, SECONDS if seconds is None else seconds
    clock, notes = Stopwatch(), Notes()
    longest = float(seconds) * (1 if spoken else LONGER)
    watch = Meter(longest, progress, spoken)
    candidate = Candidate(make_policies, title, source, notes)
    enough, everywhere = len(cases) // 2 + 1, list(enumerate(cases))
    hard = [pair for pair in everywhere if pair[1].name in _HARD] or everywhere[:_LONG]
    other_budgets = candidate.other_budgets(hard[0][1]) if len(budgets) == 1 else ()
    others = [replace(hard[0][1], budget=budget) for budget in other_budgets]
    turns = [pair for name in _BY_TURNS for pair in everywhere if pair[1].name == name] or everywhere[:_LONG]
    sharp = sorted(everywhere, key=lambda pair: -price_of_losing(pair[1].environment, HORIZONS[0]))[:_SHARPEST]
    own = instances is not None or horizons is not None
    named = [] if own else [(means, budget) for budget in budgets for means in (MEANS, MEANS_HALF)]
    worthless = [Case("arms that pay nothing", means, budget) for means, budget in named]
    tests = 9 * (
        len(cases) + len(others)
    )  # theorem and comparison, first and longest, growth (2), second half, lost runs, whole regret
    pairs = {} if own else {"two arms a tenth apart": APART, "two close arms": CLOSE}
    near = [Case(name, means, budget) for name, means in pairs.items() for budget in budgets]
    crowds = [] if own else [Case("the best of five good arms first", CROWD, budget) for budget in budgets]
    rewards = STEADY if candidate.takes_any_rewards() else {}
    drawn = [] if own else [Case("two arms drawn near each other", means, budgets[0]) for means in pairs_drawn(seed)]
    further = [
        *((name, *arms) for name, arms in rewards.items()),
        *((name, means, ()) for name, means in FURTHER.items()),
    ]
    seldom = [] if own else [Case(name, means, b, steady) for name, means, steady in further for b in budgets]
    beside = list(enumerate([*worthless, *near, *crowds, *drawn, *seldom], len(everywhere) + len(others)))
    rest = iter(beside[len(worthless) :])
    apart, close, crowd = ([*islice(rest, len(budgets))] for _ in range(3)) if near else ([], [], [])
    alike = [*islice(rest, len(drawn))]
    glimpses = [*rest, *(everywhere if near else ())]
    tests += 1 + 2 * len(worthless) + 6 * len(near) + 2 * len(crowds) + 2 * len(drawn) + len(glimpses)
    standard = Standard(candidate, reference, factor, float(error) / tests, watch)
    often = algorithm(title).every_pull or candidate.decides_often(cases[0])
    given = tuple(() if horizons is None else horizons)
    even = often or candidate.plays_evenly(cases[0])
    trial = _Trial(
        candidate, standard, given, often, even, len(everywhere) + len(others), float(seconds), seed, progress, enough
    )
    plan = [  # what is tried, up to which share of the time, on which instances
        (trial.first, 1.0, everywhere[:1]),
        (trial.growth, 0.5, turns[:1] if often else []),
        (partial(trial.whole, part=_SHARP), 0.6, sharp),
        (trial.forgets, 0.6, apart[:1]),
        (trial.if_it_forgets, 0.8, apart[:1]),
        (trial.lost_early, 0.8, [*apart, *crowd] if often else []),
        (trial.first, 1.0, everywhere[1:enough]),
        (trial.locked, 0.8, apart if often else []),
        (trial.growth, 0.8, apart if often else []),
        (trial.glimpse, 0.6, [pair for pair in glimpses if not pair[1].steady] if often else []),
        (trial.told_apart, 0.8, alike if often else []),
        (trial.for_good, 0.8, [*crowd, *apart] if often else []),
        (trial.glimpse, 0.8, [pair for pair in glimpses if pair[1].steady] if often else []),
        (trial.locked, 0.8, close if often else []),
        (trial.stalls, 1.0 if often else 0.5, beside[: len(worthless)][::2]),
        (trial.stalls, 0.8 if often else 0.5, beside[: len(worthless)][1::2]),
        (trial.growth, 0.8, turns[1:] if often else []),
        (trial.whole, 0.8, everywhere),
        (trial.at_length, 0.5, everywhere[:_LONG]),
        (trial.growth, 0.8, [] if often else apart),
        (trial.lost_runs, 1.0, hard),
        (trial.second_half, 1.0, hard),
        (trial.first, 1.0, everywhere[enough:]),
        (trial.further, 1.0, enumerate(others, len(everywhere))),
        (trial.at_length, 0.5, everywhere[_LONG:]),
        (trial.lost_runs, _AS_LONG, [] if spoken else hard),
        (trial.long_growth, _AS_LONG, turns if often and not own and not spoken else []),
        (trial.closer, _AS_LONG, apart if often and not spoken else []),
        (trial.needed, _AS_LONG, everywhere[1:]),
    ]
    try:
        for how, share, pairs in plan:
            for position, case in pairs:
                if trial.violated:
                    break
                if watch.seconds() < share * seconds:
                    how(position, case)
                elif how in (trial.first, trial.further, trial.stalls):
                    notes.add("there was no time for a test", case)
        trial.settle(longest)
        trial.to_the_theorem(longest)
    except OutOfTime:
        notes.add("it ended when its seconds were over")
    except PolicyFailed as failed:  # while its pace was measured
        trial.parts.append(StatisticalReport(VIOLATION, title, failed.told, float(error), float(MISSED)))
    begun = sum(position < len(everywhere) for position in trial.tried)
    missing = None
    if begun < enough:
        count = f"only {begun} of {len(everywhere)} instances were tested; {enough} are needed"
        missing = f"{count}: give more seconds, or fewer `instances`"
    if often and near:
        numbers, names = {n for n, _ in apart}, named_by(candidate.one(cases[0], HORIZONS[0]))
        reached = max((T for (n, T), runs in trial.runs.items() if n in numbers and len(runs)), default=0)
        unpassed = next((N for N in names if reached <= N < trial.longest), None)
        if reached < _LENGTHS[0]:
            missing = missing or "there was no time for runs with close arms, where early mistakes show"
        elif unpassed:
            missing = missing or f"no run with close arms was longer than {unpassed:,}, which the policy's code names"
    if trial.unsettled and not own:
        missing = missing or f"whether the regret goes on growing is not settled: {trial.unsettled}"
    if source and not any(source in part.tested for part in trial.parts):
        missing = f"no test of {source} itself was possible"
    trial.without_granted()
    what = f"{title} ({source})" if source else title
    for note in seconds_enough(float(seconds), trial.parts) if not trial.violated else ():
        notes.add(note)
    if watch.cut:
        notes.add(CUT)
    listed = ", ".join("None" if budget is None else f"theory.Budget.{budget}" for budget in budgets)
    given_by_user = {"instances": instances, "horizons": horizons, "reference": reference}
    asked = [f"{name}={name}" for name, value in given_by_user.items() if value is not None]
    options = {"factor": factor} if factor != FACTOR else {}
    options |= ({"seconds": float(seconds)} if spoken else {}) | {"seed": seed, "error": float(error)}
    again = call_of("check_theorem", "make_policies", repr(theorem), f"budgets=[{listed}]", *asked, **options)
    report = combined(what, trial.parts, float(error), clock.seconds(), missing, notes.lines(), trial.longest)
    if report.parts and not trial.violated:
        cut_short = "; the clock cut the check short" if watch.cut and report.ok else ""
        named = beyond(candidate.one(cases[0], HORIZONS[0]), report.horizon)
        untested = UNTESTED if report.ok and not any(_is_of_a_theorem(part, title) for part in report.parts) else ""
        report = replace(report, cause=report.cause + untested + named + cut_short)
    if trial.memory < inf and not trial.violated:
        told = (
            f"{FORGETS.format(trial.memory, *reversed(trial.pasts))}; no run was longer than {report.horizon:,} pulls"
        )
        report = replace(report, verdict=INCONCLUSIVE, cause=told)
    first = candidate.policies(cases[0], HORIZONS[0])
    if report.ok and (one_run := counted_as_one(first, cases[0].environment, HORIZONS[0])):
        report = replace(report, verdict=INCONCLUSIVE, cause=one_run)
    return replace(report, again=again)


class _Runs:
    """Regrets of runs on one instance with one horizon, [R, 3]: every test there looks at the same ones."""

    def __init__(self, draw: Draw) -> None:
        self.draw, self.drawn = draw, np.empty((0, 3))

    def __len__(self) -> int:
        return len(self.drawn)

    def more(self, start: int, count: int) -> np.ndarray:
        """So many runs from this one on; new ones are drawn where there are no more."""
        missing = start + count - len(self.drawn)
        if missing > 0:
            self.drawn = np.concatenate([self.drawn, self.draw(missing)])
        return self.drawn[start : start + count]


@dataclass
class _Trial:
    """The tests of a candidate, one after the other; each kind of test takes the number of an instance, and this."""

    candidate: Candidate
    standard: Standard
    horizons: tuple[int, ...]  # that were given, if any
    often: bool  # whether the policy decides at every pull, or nearly
    even: bool  # or plays batches that do not grow: so many times the pulls take as many times as long
    refuting: int  # the first number of an instance on which no more than a first round is played of what goes well
    seconds: float
    seed: int
    progress: bool | None
    enough: int  # instances on which a test has to be made
    parts: list[StatisticalReport] = field(default_factory=list)
    tried: dict[int, tuple[int, float, tuple[int, ...]]] = field(default_factory=dict)
    """By instance: the horizon of its first test, seconds per run, all horizons."""
    counted: set[int] = field(default_factory=set)  # instances of which lost runs were looked for
    weighed: set[tuple[int, int]] = field(default_factory=set)  # instances and horizons whose whole regret was tested
    scouted: float = 0.0  # seconds for single runs on pairs of arms that are drawn
    longest: int = 0  # pulls of a run
    memory: float = inf  # pulls after which the past is forgotten, however long it was
    pasts: tuple[int, ...] = PASTS  # the lengths of the past that were compared
    open_growth: list[str] = field(default_factory=list)  # tests of growth that were not settled
    paces: dict[tuple[int, str, int], float] = field(default_factory=dict)
    runs: dict[tuple[int, int], _Runs] = field(default_factory=dict)  # by the number of the instance, and horizon
    played_on: dict[tuple[int, int], _Runs] = field(default_factory=dict)  # where lost, otherwise a part of them
    granted: list[tuple[int, Case, int, float]] = field(default_factory=list)
    """Instances, pulls, and the regret of those, where a comparison is refuted and the theorem allows more."""
    further_runs: list[tuple[StatisticalReport, float, Callable[..., StatisticalReport]]] = field(default_factory=list)
    """Parts, seconds per run, and what goes on with the test: so many runs at first, for so many seconds, or longer."""

    def without_granted(self) -> None:
        """A regret that is larger than that of the roster, and not than the theorem's, is told and decides nothing.

        One that grows evenly does: nothing tells what is still explored from what is lost for ever.
        """
        for part in [one for one in self.parts if one.cause == GRANTED and not one.tested.startswith(GROWING)]:
            self.parts.remove(part)
            self.candidate.notes.add(f"{GRANTED}: mean {part.mean:.4g}, {part.tested}")

    @property
    def violated(self) -> bool:
        """Whether a test has shown a violation."""
        return any(part.verdict == VIOLATION for part in self.parts)

    @property
    def grown(self) -> bool:
        """Whether a test of growth has shown that it is small."""
        return any(part.ok and part.tested.startswith((GROWTH, SECOND_HALF)) for part in self.parts)

    @property
    def growing(self) -> bool:
        """Whether a test of growth is open."""
        return any(part.verdict == INCONCLUSIVE and part.tested.startswith(GROWING) for part in self.parts)

    @property
    def unsettled(self) -> str:
        """A test of growth that there was no time for, if no other one was settled."""
        return "" if self.grown else next(iter(self.open_growth), "")

    def forgets(self, position: int, case: Case) -> None:
        """Whether the past is forgotten, however long it was; of policies of the library with loops that is known."""
        if has_loop(self.candidate.one(case, LONGEST), case.environment):
            return
        takes = self.takes(case, RUNS // 2, PULLS)
        scale = next((scale for scale in SCALES if takes / scale <= self.seconds / 5), None)
        if scale is None:
            self.candidate.notes.add("there was no time to see whether it forgets what it has heard")
            return
        try:
            self.pasts = PASTS[0], PASTS[-1] // scale
            self.memory = forgets_after(self.candidate.policies(case, LONGEST), self.seed, self.standard.meter, scale)
        except PolicyFailed as failed:  # no theorem promises anything where means change
            self.candidate.notes.add(f"whether it forgets was not seen; where an arm stops paying, {failed.told}")

    def if_it_forgets(self, position: int, case: Case) -> None:
        """What it costs a policy that forgets to tell the order of two arms a tenth apart again and again."""
        if self.memory < inf:
            lengths: dict[int, float] = dict.fromkeys((_LENGTHS[-1], *_LONGER, *HORIZONS[3:]), self.seconds / 3)
            T = self._reached(case, lengths, GROWTH, _GROWTH_ROUND)
            self._late(GROWTH, T, position, case, _GROWTH_ROUND)

    def needed(self, position: int, case: Case) -> None:
        """The first tests of an instance for which there was no time beside others, until an "ok" has enough, or all
        of them where growth is open."""
        few = sum(place < self.refuting for place in self.tried) < self.enough
        if position not in self.tried and (few or self.growing):
            self.first(position, case, later=False)

    def first(self, position: int, case: Case, *, further: bool = False, later: bool = True) -> None:
        """Theorem and comparison at the first horizons where they can fail."""
        lengths = self.horizons or self.candidate.horizons(case, self.often)
        dear = self.often and self.takes(case, FIRST, lengths[0]) * _WHOLE_ROUNDS > self.seconds / 24
        for test in self.standard.first_tests(case, lengths, COUNTED if dear else WHOLE):
            if later and self._later(test, case):
                self.candidate.notes.add("there was no time for a test", case)
                continue
            first = FIRST // 2 if test.of == COUNTED else FIRST
            tried = test.horizon, self._run(test, position, case, first), lengths
            if self.parts[-1].verdict == INCONCLUSIVE and not self.parts[-1].runs:  # the time was over
                self.parts.pop()
                self.candidate.notes.add("there was no time for a test", case)
                return
            self.tried[position] = tried
            if further and _idle(self.parts[-1]):
                self.parts.pop()
            if self.violated:
                return

    def _later(self, test: BoundTest, case: Case) -> bool:
        """Whether a theorem, or a slow policy's longer comparison, takes too long beside tests of other instances."""
        runs, part = (2 * FIRST, 24) if test.known is None else (FIRST, 10)
        dear = self.often and test.of == (WHOLE if test.known is None else COUNTED)
        return dear and bool(self.tried) and self.takes(case, runs, test.horizon) > self.seconds / part

    def further(self, position: int, case: Case) -> None:
        """The same on an instance that need not be settled."""
        self.first(position, case, further=True)

    def at_length(self, position: int, case: Case) -> None:
        """Theorem and comparison at the longest horizons for which there is time."""
        if position not in self.tried:
            return
        horizon, per_run, lengths = self.tried[position]
        for test in self.standard.long_tests(case, lengths):
            if test.horizon <= horizon:
                continue
            before, ratio = len(self.parts), test.horizon / horizon if self.even else 2
            needed = _SUPPORT * largest_regret(case.environment, test.horizon) / test.bound * per_run * ratio
            if needed <= self.seconds - self.standard.meter.seconds():
                self._run(test, position, case)
            if len(self.parts) == before or _idle(self.parts[-1]):
                del self.parts[before:]
                self.candidate.notes.add(f"not settled at T = {test.horizon} for lack of time", case)
            if self.violated:
                return

    def whole(self, position: int, case: Case, part: int = _BRIEF) -> None:
        """The whole regret of the longest runs that there are, or of one that takes this part of the seconds, and of
        more where it is above what the theorem grants, or the reference where none can fail."""
        played = [T for n, T in self.runs if n == position]
        lengths = [T for T in self.horizons or HORIZONS if self.takes(case, 1, T) <= self.seconds / part]
        T = max(*played, *lengths, 0, 0)
        if (position, T) in self.weighed or T <= self.tried.get(position, (HORIZONS[1],))[0]:
            return
        self.weighed.add((position, T))
        test = next(self.candidate.theorems(case, [T]), None) or self._compared_whole(case, T)
        if test is not None:
            self._run(test, position, case, max(1, len(self.runs.get((position, T), ()))), brief=True)
            if _idle(self.parts[-1]):
                self.parts.pop()

    def _compared_whole(self, case: Case, T: int) -> BoundTest | None:
        """The comparison of the regret of so many pulls, if it takes little time."""
        dear = self.standard.price(case, T, COUNTED) > self.seconds / (4 * _REFERENCE)
        return None if dear else self.standard.comparison(case, T, COUNTED)

    def stalls(self, position: int, case: Case) -> None:
        """Whether an arm that pays nothing is tried again and again, at the longest horizon for which there is time.

        Where that remains open, more pairs of shorter runs may show that it is not.
        """
        watch = self.standard.meter
        left = self.seconds - watch.seconds()
        shares = {T: 2 if T == GROWN[-1] else 6 for T in GROWN}
        lengths = [T for T, share in shares.items() if self.takes(case, FEW, T) <= left / share]
        if not lengths or not self.standard.keeps_trying(case, lengths[0]):
            why = "the reference does not either" if lengths else "there was no time"
            self.candidate.notes.add(f"whether it goes on trying arms that pay nothing was not tested: {why}", case)
            return
        for T, pairs in zip(lengths, (FEW, MANY), strict=False):
            if self._stalls(T, pairs, position, case) is not None:
                return

    def _stalls(self, T: int, pairs: int, position: int, case: Case) -> bool | None:
        """Whether the pairs stall; None if that is open."""
        make, watch = self.candidate.policies, self.standard.meter
        draw = stalled_pairs(make(case, T), make(case, T // EARLIER), T, self.seed + position, watch, case.means)
        left = self.seconds - watch.seconds()
        tested = f"share of pairs of runs in which arms that pay nothing are pulled hardly more in {T} than in"
        report = check_mean(
            draw,
            AT_MOST,
            1.0,
            tested=f"{tested} {T // EARLIER} pulls <= {AT_MOST:g}, {case}",
            error=self.standard.error,
            seconds=max(left / 2, self.seconds / 8),
            first=pairs,
            tolerated=EXCLUDED,
            progress=self.progress,
            watch=watch,
        )
        stalls = {OK: False, VIOLATION: True}.get(report.verdict)
        if stalls:
            report = replace(report, verdict=INCONCLUSIVE, cause=STALLED, would_take=inf)
        self.parts.append(report)
        return stalls

    def growth(self, position: int, case: Case) -> None:
        """The regret of the second half of a few runs, as long as there is time for: linear regret shows there."""
        played = [T for n, T in self.runs if n == position and T > _LENGTHS[0]]  # runs that there are already
        T = max(played) if played and position >= self.refuting else self._grown(case)
        self._steep(T, position, case)
        self._late(GROWTH, T, position, case, _GROWTH_ROUND)
        if T is None or T < _LENGTHS[-1] and not self.horizons:
            late = f"there was no time for runs of {(T and _LENGTHS[-1]) or _LENGTHS[0]:,} pulls"
            self.candidate.notes.add(late, case)
            self.open_growth += [] if T else [late]

    def long_growth(self, position: int, case: Case) -> None:
        """The same over as many pulls as show what is explored for ever, if no other test had them."""
        T = _LENGTHS[-1]
        if self.longest < T and self.takes(case, FEWEST, T) <= self.seconds / 2:
            self._late(GROWTH, T, position, case, FEWEST)

    def told_apart(self, position: int, case: Case) -> None:
        """Growth where one run hardly tells two arms apart: means that are rounded may be the same for ever."""
        T, watch = _LENGTHS[-1], self.standard.meter
        if self.scouted > self.seconds / 4 or self.takes(case, 1, T) > self.seconds / 8:
            return
        part, _, most = parts_compared(SECOND_HALF, case, T)
        began, seed, make = watch.seconds(), self.seed + position + _SCOUTING, self.candidate.policies(case, T)
        regret = float(regret_of_runs(make, case.environment, T, seed, None, part, watch)(1)[0])
        self.scouted += watch.seconds() - began
        if regret > CONFUSED * most:
            self._steep(T, position, case)
            if not self.violated:
                self._late(GROWTH, T, position, case, _GROWTH_ROUND)

    def _steep(self, T: int | None, position: int, case: Case) -> None:
        """What few runs show that go on losing; of others it says nothing."""
        if T is None or self.standard.price(case, T, STEEP) > self.seconds / (4 * _REFERENCE):
            return
        test = self.standard.comparison(case, T, STEEP)
        if test is not None:
            self._run(test, position, case, _GROWTH_ROUND)
            if not self.violated:
                self.parts.pop()

    def _grown(self, case: Case) -> int | None:
        """The longest horizon that a few runs reach in good time; not longer than what the policy's own code names."""
        named = self.lengths(case)
        again = any(T > _LENGTHS[0] for _, T in self.runs)  # the other tests need time as well
        more = HORIZONS[3:] if not self.even else () if again else _LONGER
        lengths = [T for T in self.horizons or (*named, *more) if T >= HORIZONS[0]]
        least = 5 if self.grown else 3  # parts of the seconds
        share = {T: self.seconds / (least if T <= _LENGTHS[-1] else 5 if T in more else 2) for T in lengths}
        return self._reached(case, share, GROWTH, _GROWTH_ROUND)

    def lengths(self, case: Case) -> list[int]:
        """The pulls of a run that show what goes on growing, also after those that the policy's own code names."""
        named = named_by(self.candidate.one(case, HORIZONS[0]))
        return [*_LENGTHS, *(_BEYOND * N for N in named if _BEYOND * N > _LENGTHS[0])]

    def _reached(self, case: Case, shares: dict[int, float], of: str, runs: int) -> int | None:
        """The longest horizon at which so many runs take no more than its share of seconds, and the reference's
        little beside all of them."""
        dear = self.seconds / _REFERENCE
        lengths = (T for T, share in shares.items() if self.takes(case, runs, T) <= share)
        return max((T for T in lengths if self.standard.price(case, T, of) <= dear), default=None)

    def locked(self, position: int, case: Case) -> None:
        """Whether runs stay with the worse of two close arms: a policy that ever stops comparing stops with either."""
        T = self._reached(case, dict.fromkeys(self.lengths(case), self.seconds / 6), LOCKED, _LOCKED_ROUND)
        self._late(LOCKED, T, position, case, _LOCKED_ROUND)

    def glimpse(self, position: int, case: Case) -> None:
        """Very few runs, and more where they look bad: what every run shows takes no more."""
        T = _LENGTHS[0]
        if self.standard.price(case, T, GROWTH) > self.seconds / _REFERENCE:
            return
        test = self.standard.comparison(case, T, GROWTH)
        if test is not None:
            self._run(test, position, case, _GLIMPSE)
            refused = case.steady and self.parts[-1].verdict == VIOLATION and not self.parts[-1].runs
            if refused or _idle(self.parts[-1], _MUCH):
                self.parts.pop()
            if refused:
                self.candidate.notes.add("it refuses rewards between 0 and 1", case)

    def for_good(self, position: int, case: Case) -> None:
        """Whether runs that are lost early on stay lost: where one does, more runs show how many do."""
        takes, price = self.takes(case, _LOST_ROUND, _EARLY), self.standard.price(case, _EARLY, FOR_GOOD)
        if price <= self.seconds / (2 * _REFERENCE):
            runs = int(_LOST_ROUND * min(2.0, self.seconds / 16 / max(takes, _AT_ONCE)))
            self._late(FOR_GOOD, AGAIN * _EARLY, position, case, max(FEWEST, runs))

    def _drawn(self, test: BoundTest, position: int, case: Case) -> Draw:
        """The regrets of runs [R, 3]; of those that are lost for good, 1 or 0 in all columns."""
        make, seed, watch, T = self.candidate.policies, self.seed + position, self.standard.meter, test.horizon
        if test.of != FOR_GOOD:
            return regret_of_runs(make(case, T), case.environment, T, seed, None, np.asarray, watch)

        def runs(length: int) -> Callable[[int], Draw]:
            made = make(case, length)
            return lambda j: regret_of_runs(made, case.environment, length, seed + (j << 32), None, np.asarray, watch)

        short = T // AGAIN
        lost_by = parts_compared(LOST, case, short)[0], parts_compared(LOST, case, T)[0]
        alone = playing_alone(self.candidate.one(case, short))
        draw = lost_for_good(runs(short), runs(T), lost_by, 1 if alone else _TOGETHER)
        return lambda count: np.repeat(draw(count)[:, np.newaxis], 3, axis=1)

    def lost_early(self, position: int, case: Case) -> None:
        """How many of many shorter runs are lost: what the first pulls decide for good."""
        takes = self.takes(case, _LOST_ROUND, _LENGTHS[0])
        runs = int(_LOST_ROUND * min(1.0, self.seconds / 8 / max(takes, _AT_ONCE)))
        self._late(LOST, _LENGTHS[0], position, case, max(FEWEST, runs))

    def lost_runs(self, position: int, case: Case) -> None:
        """How many of the longest runs are lost, if those are long for so many arms; once for each instance."""
        if position in self.counted:
            return
        self.counted.add(position)
        T = self._longest(case, MANY_RUNS, self.seconds / 8)
        self._late(LOST, T if T and T >= PER_ARM * len(case.means) else None, position, case)

    def second_half(self, position: int, case: Case) -> None:
        """The regret of the second half of the longest runs."""
        self._late(SECOND_HALF, self._longest(case, 2 * _LATE_ROUND, self.seconds / 4), position, case)

    def _late(self, of: str, T: int | None, position: int, case: Case, first: int = _LATE_ROUND) -> None:
        test = None if T is None else self.standard.comparison(case, T, of)
        if test is not None:
            self._run(test, position, case, first)
            growing = of in (GROWTH, SECOND_HALF)
            report, _, go_on = self.further_runs[-1]
            if of == LOCKED and test.known and report.mean > test.known.mean * self.standard.factor:
                if report.verdict == INCONCLUSIVE:  # one of a few runs stays: more of them tell how many do
                    self.parts[-1] = go_on(_MORE * report.runs, self.seconds / 4)
            if _idle(self.parts[-1], _MUCH if position >= self.refuting and not growing else 1.0):
                self.parts.pop()
                said = f"{of} not settled at T = {T} for lack of time"
                self.candidate.notes.add(said, case)
                self.open_growth += [f"{said} on {case.name}"] if growing else []

    def _longest(self, case: Case, runs: int, seconds: float) -> int | None:
        """The longest horizon that so many runs together reach in this time, judged by short runs; else the shortest.

        None where all are shorter than those: nothing lasts in so few pulls.
        """
        short = HORIZONS[0]
        took = self._pace(case, 2 * _LATE_ROUND) * runs / (2 * _LATE_ROUND)
        lengths = sorted(T for T in self.horizons or HORIZONS if T >= short)
        times = {T: took * (T / short if self.even else 1 + np.log2(max(T / short, 1))) for T in lengths}
        return max((T for T in lengths if times[T] <= seconds), default=min(lengths, default=None))

    def _pace(self, case: Case, runs: int) -> float:
        """The seconds that so many of the shortest runs take; it is looked at once for so many arms."""
        key = len(case.means), str(case.budget), runs
        if key not in self.paces:
            self.paces[key] = self._paced(case, runs)
        return self.paces[key]

    def _paced(self, case: Case, runs: int) -> float:
        if runs != _ALONE and playing_alone(self.candidate.one(case, HORIZONS[0])):
            return self._pace(case, _ALONE) * runs / _ALONE
        meter, short = self.standard.meter, HORIZONS[0]
        draw = regret_of_runs(self.candidate.policies(case, short), case.environment, short, 0, None, meter=meter)
        took = 0.0
        for part in (min(runs, _FEW_RUNS), runs):  # where a few take long already, no more are played
            began, watch = meter.seconds(), Stopwatch()
            draw(part)
            took = max(meter.seconds() - began, watch.seconds()) * runs / part
            if took * part / runs > self.seconds / 40:
                break
        return took

    def takes(self, case: Case, runs: int, T: int) -> float:
        """The seconds that so many runs of T pulls take together, judged by the shortest ones."""
        short = HORIZONS[0]
        return self._pace(case, runs) * (T / short if self.even else 1 + np.log2(T / short))

    def _run(self, test: BoundTest, position: int, case: Case, first: int = FIRST, brief: bool = False) -> float:
        """Make a test, which joins the parts; the seconds that a run took. One that is brief can only refute."""
        watch = self.standard.meter
        began = watch.seconds()
        left = self.seconds - began
        cap = test.known.cap if test.known else inf
        part, _, most = parts_compared(test.of, case, test.horizon, cap)
        granted, growth = self.standard.granted(test, case), self.standard.growth(test, case)
        key, drawn = (position, test.horizon), [np.empty(0)]
        kept_runs = self.played_on if test.of == FOR_GOOD else self.runs
        if key not in kept_runs:
            kept_runs[key] = _Runs(self._drawn(test, position, case))
        runs = kept_runs[key]

        def kept(count: int) -> np.ndarray:
            drawn.append(part(runs.more(sum(map(len, drawn)), count)))
            return drawn[-1]

        def beyond_the_theorem(report: StatisticalReport, seconds: float) -> StatisticalReport:
            """Growth beyond the reference is a violation where it is beyond the theorem too, of the same runs."""
            part, _, most = parts_compared(test.of, case, test.horizon, max(cap, 2 * growth))
            played = sum(map(len, drawn))
            if growth < most:
                again = check_mean(
                    lambda count: part(runs.more(len(runs), count)),
                    growth,
                    most,
                    tested=f"{test.of} <= {growth:.4g}, what the theorem grants there, T = {test.horizon}, {case}",
                    error=self.standard.error / 2,
                    seconds=seconds,
                    first=FEWEST,
                    before=part(runs.more(0, played)),
                    progress=self.progress,
                    watch=watch,
                )
                if again.verdict == VIOLATION:
                    return replace(report, cause=f"{report.cause}; the theorem's own growth there is {growth:.4g}")
            self.granted.append((position, case, test.horizon, 2 * report.mean))
            return replace(report, verdict=INCONCLUSIVE, cause=GRANTED, would_take=inf)

        def go_on(first: int, seconds: float, longer: float | None = None) -> StatisticalReport:
            report = check_mean(
                kept,
                test.bound,
                most,
                tested=f"{test.what}, T = {test.horizon}, {case}",
                cause=_CAUSES.get(test.of, "the expected regret exceeds the bound"),
                error=self.standard.error / 2,
                seconds=seconds,
                longer=longer,
                first=first,
                before=np.concatenate(drawn),
                progress=self.progress,
                watch=watch,
            )
            if report.verdict == VIOLATION and report.runs and not granted and growth > test.bound:
                report = beyond_the_theorem(report, seconds)
            if report.verdict == VIOLATION and report.runs and test.known:
                promised = self.candidate.promised(case, test.horizon) if test.of in (GROWTH, STEEP) else ""
                report = replace(report, cause=f"{report.cause}; {test.known}{promised}")
            if granted and report.verdict == VIOLATION and report.runs:
                lost = report.mean * (2 if test.of in GROWING else 1)
                self.granted.append((position, case, test.horizon, lost))
            if not report.ok and granted and (report.verdict == VIOLATION or test.of not in GROWING):
                report = replace(report, verdict=INCONCLUSIVE, cause=GRANTED, would_take=inf)
            return replace(report, horizon=test.horizon)

        report = go_on(
            first,
            _AT_ONCE
            if position >= self.refuting
            or brief
            or test.of == STEEP
            or (self.grown and test.of == GROWTH)
            or (granted and test.of not in GROWING)
            else max(left / 3, self.seconds / 8),
            max(left / 2, self.seconds / 8),
        )
        self.longest = max(self.longest, test.horizon if report.runs and not brief else 0)
        per_run = (watch.seconds() - began) / max(1, report.runs)
        self.parts.append(report)
        self.further_runs.append((report, per_run, go_on))
        return per_run

    def closer(self, position: int, case: Case) -> None:
        """Growth where arms are closer, if another test of it is open: what confuses arms shows more."""
        T = _LENGTHS[-1]
        if self.growing and (position, T) not in self.runs and self.takes(case, FEWEST, T) <= self.seconds / 2:
            self._late(GROWTH, T, position, case, FEWEST)

    def to_the_theorem(self, longest: float) -> None:
        """A regret beyond the reference's that the theorem grants so far is played on, on one instance, to where the
        theorem does not if it goes on so. That can only refute; its runs are none that it was chosen by."""
        ahead = list[tuple[float, int, BoundTest, Case]]()
        for position, case, done, lost in self.granted:
            for T in (done << doublings for doublings in range(1, _DOUBLINGS + 1)):
                for test in self.candidate.theorems(case, [T]):
                    above = float(np.log(lost / done * T / test.bound))
                    runs = -np.log(self.standard.error / 2) / above if above > 0 else inf
                    ahead.append((self.takes(case, 1, T) * runs, position, test, case))
        takes, position, test, case = min(ahead, key=lambda each: each[0], default=(inf, 0, None, None))
        if test and case and takes <= longest - self.standard.meter.seconds() and not self.violated:
            self._run(test, position + 2 * _SCOUTING, case, FEWEST)
            self.settle(longest)
            self.parts = self.parts if self.violated else self.parts[:-1]

    def settle(self, longest: float) -> None:
        """Tests that are open go on with the seconds that are left, the one that asks for the least time first; until
        the `longest` where that seems to settle them."""
        left_open = [part for part in self.parts if part.verdict == INCONCLUSIVE and part.cause != GRANTED]
        open_ = [each for each in self.further_runs if each[0] in left_open]
        for part, per_run, go_on in sorted(open_, key=lambda each: each[0].would_take):
            now = self.standard.meter.seconds()
            left = (longest if part.would_take <= longest else self.seconds) - now
            runs = max(FEWEST, min(part.runs, int(left / max(per_run, _AT_ONCE))))
            if runs * per_run <= left and not self.violated:
                self.parts[self.parts.index(part)] = go_on(runs, max(self.seconds - now, _AT_ONCE), left)


def _is_of_a_theorem(part: StatisticalReport, title: str) -> bool:
    """Whether a test is one of a bound that a theorem on the algorithm states, where there is one."""
    sources = [recipe.source for recipe in RECIPES if _is(title, recipe.algorithm)]
    return not sources or any(f", {source} '" in part.tested for source in sources)


def _idle(report: StatisticalReport, times: float = 1.0) -> bool:
    """A further test that is open takes nothing from the others, unless its mean is above so many times the bound."""
    return report.verdict == INCONCLUSIVE and not report.mean > times * report.bound


def pairs_drawn(seed: int) -> list[tuple[str, str]]:
    """Means of two arms near each other, spread over [0, 1] and over the gaps, from the seed: whatever grid of steps
    coarser than the gaps means are rounded to, some pair is likely to lie within one step."""
    generator = np.random.default_rng([seed, _SCOUTING])
    low, high = NEARER
    shares = (np.arange(OFFSETS) + generator.random((2, OFFSETS))) / OFFSETS
    gaps = low + (high - low) * shares[0]
    worse = generator.permutation(shares[1]) * (1 - gaps)
    return [(f"{mean:.4f}", f"{mean + gap:.4f}") for mean, gap in zip(worse.tolist(), gaps.tolist(), strict=True)]


def _title_and_source(theorem: str) -> tuple[str, str | None]:
    """The algorithm of the roster, and the source of the theorem if one was named."""
    for title in algorithms():
        if _is(title, theorem):
            return title, None
    for recipe in RECIPES:
        if theorem in recipe.source.split(", "):
            titles = [title for title in algorithms() if has_upper_bound(title) and _is(title, recipe.algorithm)]
            if titles:
                return titles[0], theorem
    names = [*algorithms(), *dict.fromkeys(s for recipe in RECIPES for s in recipe.source.split(", "))]
    allowed = f"the name of an algorithm or of a theorem: {', '.join(names)}"
    raise InvalidInput("theorem", theorem, allowed, close_to(theorem, names))


def _is(title: str, written: str) -> bool:
    return title == written.lower().replace(" ", "-")
