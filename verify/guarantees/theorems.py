"""Which theorem, on which instances? A policy against every regret theorem of its algorithm, and against the roster.

A theorem is tested where it can fail: on every instance at the first horizon whose bound is a quarter of the largest
regret. Where there is none (the theorem is asymptotic, or far above what policies do), and beside it, the policy is
compared with the roster's policy of the same name: by its regret; by the regret of the second half of a long run, where
what was paid for exploration hides less; and by the share of runs that are lost, those that hardly pull a best arm
after a quarter of their time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.algorithms.roster import ALGORITHMS, Setting, algorithm
from banditproof.algorithms.run.compiled import has_loop
from banditproof.theory.arguments import Error, Positive, Seconds, Seed, checked
from banditproof.theory.bounds.upper_bounds import RECIPES, has_upper_bound, regret_upper_bound
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.guarantees.regret import (
    REFERENCE_RUNS,
    MakePolicies,
    Part,
    largest_regret,
    lasting,
    late,
    lost,
    price_of_losing,
    reference_limit,
    regret_of_runs,
    whole,
)
from banditproof.verify.guarantees.report import INCONCLUSIVE, VIOLATION, StatisticalReport, combined
from banditproof.verify.guarantees.sequential import FIRST, check_mean
from banditproof.verify.proof.statistics import REPORT_ERROR
from banditproof.verify.stopwatch import CUT, Meter, Stopwatch

MakePolicyFor = Callable[[int, Any, int, NoiseSource, np.random.Generator, int], Policy]
"""Builds a policy for (arms, budget, horizon, noise, generator, replications); the budget is None without privacy."""

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

HORIZONS = (200, 2000, 20_000, 200_000, 1_000_000)
_LONGEST_BY_PULL = {True: 20_000, False: 2000}  # for a policy that decides at every pull: with a compiled loop, without
WHOLE, SECOND_HALF, LOST = "expected regret", "expected regret of the second half", "share of lost runs"
_SHARES = {"theorem": Fraction(1, 4), WHOLE: Fraction(1, 2), SECOND_HALF: Fraction(1, 12), LOST: Fraction(1, 2)}
"""Of the largest value: below, a bound can fail."""
_LEAST_SHARE = Fraction(1, 3000)  # smaller ones need more runs than there is time for
_LONG = 3  # instances with the longest horizons before lost runs are looked for
_SUPPORT = 6.0  # as many times the largest regret by the bound are the runs that support a bound
_HARD = ("two middling arms", "two good arms", "one good arm among ten")  # where runs are lost easily
_FEW_LOST = 0.01  # of the runs: a sound policy may lose so many
_LATE_ROUND = 256  # runs of the first round of a test that is not of the whole regret
_OTHER_BUDGETS = (0.1, 10.0)  # times the one that is given
_MANY_RUNS = 3000  # of the reference, where they are cheap: few leave room for rare runs of linear regret


@dataclass(frozen=True)
class _Case:
    """One instance with one budget."""

    name: str
    means: tuple[str, ...]
    budget: Budget | None

    @property
    def environment(self) -> BernoulliBandit:
        return BernoulliBandit([float(Fraction(mean)) for mean in self.means])

    def __str__(self) -> str:
        spent = "" if self.budget is None else f", {self.budget}"
        return f"{self.name} ({', '.join(self.means)}){spent}"


@dataclass(frozen=True)
class _Test:
    """One bound to be tested."""

    bound: float
    horizon: int
    what: str
    roster: float | None = None  # what the roster's regret is at most, where that is the bound's reason
    of: str = WHOLE


class _Notes:
    """What is said beside the tests, and the attributes of the policy that the theorems' hypotheses are about."""

    def __init__(self) -> None:
        self.said: dict[str, list[_Case]] = {}
        self.stated: dict[str, str] = {}
        self.trusted: dict[str, None] = {}

    def add(self, line: str, *cases: _Case) -> None:
        self.said.setdefault(line, []).extend(cases)

    def lines(self) -> tuple[str, ...]:
        read = ", ".join(f"{name} = {value}" for name, value in self.stated.items())
        lines = [f"hypotheses read off the policy: {read}"] if read else []
        if self.trusted:
            lines.append(f"hypotheses taken on trust, not stated by the policy: {', '.join(self.trusted)}")
        for line, cases in self.said.items():
            on = f" on {len(cases)} instances: " + "; ".join(map(str, cases[:3])) if cases else ""
            lines.append(line + on + (" ..." if len(cases) > 3 else ""))
        return tuple(lines)


class _Stated:
    """A policy that writes down which of its attributes a theorem's conditions asked for, and whether it has them."""

    def __init__(self, policy: Policy, notes: _Notes) -> None:
        self.policy, self.notes = policy, notes

    def __getattr__(self, name: str) -> Any:
        if name != "budget":
            if hasattr(self.policy, name):
                value = getattr(self.policy, name)
                self.notes.stated[name] = f"{value:.4g}" if isinstance(value, float) else str(value)
            else:
                self.notes.trusted[name] = None
        return getattr(self.policy, name)


@checked
def check_theorem(
    make_policy_for: MakePolicyFor,
    name: str,
    *,
    budgets: Sequence[Budget | None] = (None,),
    instances: dict[str, tuple[str, ...]] | None = None,
    horizons: Sequence[int] | None = None,
    reference: MakePolicyFor | None = None,
    factor: Positive = 2.0,
    seconds: Seconds = 20,
    error: Error = REPORT_ERROR,
    seed: Seed = 0,
    progress: bool | None = None,
) -> StatisticalReport:
    """Test a policy against the regret theorems of an algorithm, on many instances, horizons and `budgets`.

    `name` is an algorithm of the roster ("adap-ucb" or "AdaP-UCB"), or the source of one of its theorems ("ALG-T5.3"),
    which then is the only one. Only a theorem whose hypotheses hold is tested: they are asked of the policy's
    attributes (`beta`, `level`, `batches`, ...), and `notes` say what failed and what the policy does not state, which
    is taken on trust. On every instance it is also compared with `factor` times the `reference`, by default the
    roster's policy with the options that the policy states. `instances` maps names to exact means; `horizons` are those
    tried, in this order.

    What fails in rare runs grows with the horizon. So theorem and reference are tried at the longest horizons as well,
    on the first instances early on, on the others until half of the time is over. Of long runs on hard instances the
    second half is compared alone: at most `factor` times the reference's, or the part of the second half in a regret
    that grows as log T, if that is more. And lost runs are counted, which hardly pull a best arm after a quarter of
    their time: at most one of a hundred, or `factor` times the share of the reference's runs.

    A policy that states its `budget` is also tried with a tenth and with ten times of it, if one is given.

    Work is counted, and `seconds` says how much of it there is: `seed` decides the report. Only where the policy is
    slow the clock cuts the work short, and a note says so.

    `error` is shared by all tests. The search ends at the first violation. The verdict is "ok" if all tests are ok, but
    for open ones of long runs whose mean is below the bound, more than half of the instances had one, and a theorem
    that was named was tested. The notes list the instances for which there was no time. Raises InvalidInput.
    """
    title, source = _named(name)
    entry = algorithm(title)
    if not budgets:
        raise InvalidInput("budgets", budgets, "at least one, (None,) for an algorithm without privacy")
    cases = [_Case(n, tuple(means), budget) for budget in budgets for n, means in (instances or INSTANCES).items()]
    enough, everywhere = len(cases) // 2 + 1, list(enumerate(cases))
    hard = [pair for pair in everywhere if pair[1].name in _HARD] or everywhere[:_LONG]
    others = [replace(case, budget=b) for _, case in hard[:1] for b in _other_budgets(make_policy_for, case, budgets)]
    cases += others
    share = float(error) / (
        6 * len(cases)
    )  # of every test: theorem and comparison, first and longest, second half, lost runs
    clock, watch, notes = Stopwatch(), Meter(), _Notes()
    parts: list[StatisticalReport] = []
    tried: dict[int, tuple[int, float, tuple[int, ...]]] = {}  # by instance: horizon, seconds per run, all horizons
    pace = 0.0  # seconds per run of the last test
    compared = partial(_compared, make_policy_for, title, reference=reference, factor=factor, error=share, meter=watch)

    def violated() -> bool:
        return any(part.verdict == VIOLATION for part in parts)

    def run(test: _Test, position: int, case: _Case) -> None:
        nonlocal pace
        began = watch.seconds()
        left = seconds - began
        part, _, most = _taken(test.of, case, test.horizon)
        found = check_mean(
            regret_of_runs(
                _policies(make_policy_for, case, test.horizon),
                case.environment,
                test.horizon,
                seed + position,
                None,
                part,
                watch,
            ),
            test.bound,
            most,
            tested=f"{test.what}, T = {test.horizon}, {case}",
            cause="too many runs are lost" if test.of == LOST else "the expected regret exceeds the bound",
            error=share / 2,
            seconds=max(left / 3, seconds / 8),
            longer=max(left / 2, seconds / 8),
            first=FIRST if test.of == WHOLE else _LATE_ROUND,
            progress=progress,
            watch=watch,
        )
        pace = (watch.seconds() - began) / found.runs
        if found.verdict == VIOLATION and test.roster:
            found = replace(found, cause=f"{found.cause}; {found.mean / test.roster:.3g} times the roster's")
        parts.append(found)

    often = entry.every_pull or _decides_often(make_policy_for, cases[0])

    def first(position: int, case: _Case) -> None:
        lengths = tuple(() if horizons is None else horizons) or _horizons(make_policy_for, case, often)
        for test in _tests(make_policy_for, title, source, case, lengths, compared, notes):
            run(test, position, case)
            tried[position] = test.horizon, pace, lengths
            if position >= len(everywhere) and _idle(parts[-1]):
                parts.pop()
            if violated():
                return

    def at_length(position: int, case: _Case) -> None:
        if position not in tried:
            return
        horizon, per_run, lengths = tried[position]
        for test in _long_tests(make_policy_for, title, source, case, lengths, compared, notes):
            if test.horizon <= horizon:
                continue
            before, ratio = len(parts), test.horizon / horizon if often else 2
            needed = _SUPPORT * largest_regret(case.environment, test.horizon) / test.bound * per_run * ratio
            if needed <= seconds - watch.seconds():
                run(test, position, case)
            if len(parts) == before or _idle(parts[-1]):
                del parts[before:]
                notes.add(f"not settled at T = {test.horizon}, for want of time", case)
            if violated():
                return

    def late_in(of: str, runs: int, given: float, position: int, case: _Case) -> None:
        T = _longest(make_policy_for, case, horizons, often, watch, runs, given)
        test = compared(case, T, of=of)
        if test is not None:
            run(test, position, case)
            if _idle(parts[-1]):
                parts.pop()
                notes.add(f"{of} not settled at T = {T}, for want of time", case)

    lost_runs = partial(late_in, LOST, _MANY_RUNS, seconds / 8)
    second_half = partial(late_in, SECOND_HALF, 2 * _LATE_ROUND, seconds / 4)
    plan = [(first, pair) for pair in everywhere[:enough]] + [(at_length, pair) for pair in everywhere[:_LONG]]
    plan += [(how, pair) for how in (lost_runs, second_half) for pair in hard]
    plan += [(first, pair) for pair in everywhere[enough:]]
    plan += [(first, pair) for pair in enumerate(others, len(everywhere))]
    plan += [(at_length, pair) for pair in everywhere[_LONG:]]
    for how, pair in plan:
        if violated():
            break
        if watch.seconds() < (seconds / 2 if how is at_length else seconds):
            how(*pair)
        elif how is first:
            notes.add("no time for a test", pair[1])
    begun = sum(position < len(everywhere) for position in tried)
    missing = None if begun >= enough else f"{begun} of {len(everywhere)} instances had a test, {enough} are needed"
    if source and not any(source in part.tested for part in parts):
        missing = f"{source} could not be tested itself"
    what = f"{title} ({source})" if source else title
    if watch.cut:
        notes.add(CUT)
    return combined(what, parts, float(error), clock.seconds(), missing, notes.lines())


def _idle(found: StatisticalReport) -> bool:
    """A further test that is open takes nothing from the others, unless its mean is above the bound."""
    return found.verdict == INCONCLUSIVE and found.mean <= found.bound


def _named(name: str) -> tuple[str, str | None]:
    """The algorithm of the roster, and the source of the theorem if one was named."""
    for title in ALGORITHMS:
        if _is(title, name):
            return title, None
    for recipe in RECIPES:
        if name in recipe.source.split(", "):
            found = [title for title in ALGORITHMS if has_upper_bound(title) and _is(title, recipe.algorithm)]
            if found:
                return found[0], name
    names = [*ALGORITHMS, *dict.fromkeys(s for recipe in RECIPES for s in recipe.source.split(", "))]
    near = {known.lower(): known for known in names}
    meant = get_close_matches(name.lower(), near, 1)
    hint = f" (did you mean {near[meant[0]]}?)" if meant else ""
    raise InvalidInput("name", name, f"the name of an algorithm or theorem{hint}: {', '.join(names)}")


def _is(title: str, written: str) -> bool:
    return title == written.lower().replace(" ", "-")


def _policies(make_policy_for: MakePolicyFor, case: _Case, horizon: int) -> MakePolicies:
    def make(rows: slice, generator: np.random.Generator) -> Policy:
        noise, size = NoiseSource(generator), rows.stop - rows.start
        return make_policy_for(len(case.means), case.budget, horizon, noise, generator, size)

    return make


def _one(make_policy_for: MakePolicyFor, case: _Case, horizon: int) -> Policy:
    return _policies(make_policy_for, case, horizon)(slice(0, 1), np.random.default_rng(0))


def _horizons(make_policy_for: MakePolicyFor, case: _Case, every_pull: bool) -> tuple[int, ...]:
    """Those that the policy can play in good time, if it decides as often as its algorithm does."""
    if not every_pull:
        return HORIZONS
    policy = _one(make_policy_for, case, HORIZONS[0])
    longest = _LONGEST_BY_PULL[has_loop(policy, case.environment)]
    return tuple(T for T in HORIZONS if T <= longest)


def _other_budgets(make_policy_for: MakePolicyFor, case: _Case, given: Sequence[Budget | None]) -> Iterator[Budget]:
    """A tenth and ten times of the only budget, if the policy states the one that it is built for."""
    own = case.budget
    if own is None or len(given) > 1:
        return
    name = next(name for name in ("rho", "mu", "epsilon") if name in own.parameters)
    for factor in _OTHER_BUDGETS:
        budget = replace(own, **{name: own.parameters[name] * factor})
        stated = getattr(_one(make_policy_for, replace(case, budget=budget), HORIZONS[0]), "budget", None)
        if (
            isinstance(stated, Budget)
            and stated.kind == own.kind
            and np.all(stated.parameters[name] == budget.parameters[name])
        ):
            yield budget


def _longest(
    make_policy_for: MakePolicyFor,
    case: _Case,
    given: Sequence[int] | None,
    often: bool,
    meter: Meter,
    runs: int,
    seconds: float,
) -> int:
    """The longest horizon that so many runs together reach in this time, judged by short runs; else the shortest."""
    short, few, began = HORIZONS[0], 2 * _LATE_ROUND, meter.seconds()
    regret_of_runs(_policies(make_policy_for, case, short), case.environment, short, 0, None, meter=meter)(few)
    took, lengths = (meter.seconds() - began) * runs / few, sorted(given or HORIZONS)
    times = {T: took * (T / short if often else 1 + np.log2(max(T / short, 1))) for T in lengths}
    return max((T for T in lengths if times[T] <= seconds), default=lengths[0])


def _decides_often(make_policy_for: MakePolicyFor, case: _Case) -> bool:
    """Whether a policy plays batches of less than four pulls at the first horizon, whatever its algorithm does."""
    policy, generator = _one(make_policy_for, case, HORIZONS[0]), np.random.default_rng(0)
    clock, batches = 0, 0
    while clock < HORIZONS[0]:
        arm, count = policy.next_batch()
        count = np.minimum(count, HORIZONS[0] - clock)
        policy.observe(case.environment.sum_of_rewards(arm, count, generator, time=clock), count)
        clock, batches = clock + int(count.min()), batches + 1
    return batches > HORIZONS[0] / 4


def _tests(
    make_policy_for: MakePolicyFor,
    title: str,
    source: str | None,
    case: _Case,
    horizons: tuple[int, ...],
    compared: Callable[[_Case, int], _Test | None],
    notes: _Notes,
) -> Iterator[_Test]:
    """The first tests on one instance; what cannot be tested is noted."""
    testable = list(_testable(make_policy_for, title, source, case, horizons, notes))
    yield from testable[:1]
    if not has_upper_bound(title):
        notes.add(f"no regret theorem is registered for {title}: it is compared with the roster's")
    elif not testable:
        notes.add(f"no theorem that can fail up to T = {max(horizons)}", case)
    for T in horizons:
        test = compared(case, T)
        if test is not None:
            yield test
            return
    notes.add(f"no comparison that can fail up to T = {max(horizons)}", case)


def _long_tests(
    make_policy_for: MakePolicyFor,
    title: str,
    source: str | None,
    case: _Case,
    horizons: tuple[int, ...],
    compared: Callable[[_Case, int], _Test | None],
    notes: _Notes,
) -> Iterator[_Test]:
    """The tests at the longest horizons: the theorem where its bound is not too small beside the largest regret."""
    for T in horizons[:0:-1]:
        test = compared(case, T)
        if test is not None:
            yield test
            break
    testable = list(_testable(make_policy_for, title, source, case, horizons[1:], notes))
    affordable = [t for t in testable if t.bound >= _LEAST_SHARE * largest_regret(case.environment, t.horizon)]
    yield from affordable[-1:]


def _testable(
    make_policy_for: MakePolicyFor,
    title: str,
    source: str | None,
    case: _Case,
    horizons: tuple[int, ...],
    notes: _Notes,
) -> Iterator[_Test]:
    """The theorem at the horizons where it can fail."""
    for T in horizons if has_upper_bound(title) else ():
        found = _theorem(make_policy_for, title, source, case, T, notes)
        if found is not None and found.bound <= _SHARES["theorem"] * largest_regret(case.environment, T):
            yield found


def _compared(
    make_policy_for: MakePolicyFor,
    title: str,
    case: _Case,
    T: int,
    *,
    reference: MakePolicyFor | None,
    factor: float,
    error: float,
    meter: Meter,
    of: str = WHOLE,
) -> _Test | None:
    """The comparison with the reference, where it can fail."""
    options = _options(title, _one(make_policy_for, case, T))
    limit = _limit(reference, title, case, T, options, error / (2 * len(HORIZONS)), of, meter)
    few = _FEW_LOST if of == LOST else 0.0
    bound = max(few, factor * limit)
    if bound > _SHARES[of] * _taken(of, case, T)[2]:
        return None
    what = f"{of} <= {factor:g} times that of the roster's {title}, {bound:.4g}" if bound > few else f"{of} <= {few:g}"
    return _Test(bound, T, what, limit, of)


def _taken(of: str, case: _Case, horizon: int) -> tuple[Part, Part, float]:
    """What is taken of the regrets of runs, what of the reference's, and the largest value."""
    environment = case.environment
    if of == LOST:
        part = partial(lost, price=price_of_losing(environment, horizon))
        return part, part, 1.0
    if of == SECOND_HALF:
        return lasting, partial(late, horizon=horizon), largest_regret(environment, horizon - horizon // 2)
    return whole, whole, largest_regret(environment, horizon)


def _theorem(
    make_policy_for: MakePolicyFor, title: str, source: str | None, case: _Case, horizon: int, notes: _Notes
) -> _Test | None:
    """The smallest bound that applies to the policy at this horizon."""
    seen = _Notes()
    policy = _Stated(_one(make_policy_for, case, horizon), seen)
    found = regret_upper_bound(title, case.means, horizon, case.budget, policy=policy)
    bounds = {name: b for name, b in found.bounds.items() if source is None or source in b.source}
    if not any("beta" in bound.formula for bound in bounds.values()):  # asked for, and not used
        seen.stated.pop("beta", None)
        seen.trusted.pop("beta", None)
    notes.stated |= seen.stated
    notes.trusted |= seen.trusted
    for name, bound in bounds.items():
        if bound.asymptotic:
            notes.add(f"{bound.source} '{name}' is asymptotic: it guarantees nothing at a finite horizon")
        elif not bound.applies:
            notes.add(f"{bound.source} '{name}' does not apply: {bound.why}")
    held = [pair for pair in bounds.items() if pair[1].applies and not pair[1].asymptotic]
    if not held:
        return None
    name, bound = min(held, key=lambda pair: pair[1].value.upper)
    what = f"expected regret <= {float(bound.value.upper):.4g}, {bound.source} '{name}'"
    return _Test(float(bound.value.upper), horizon, what)


def _options(title: str, policy: Policy) -> tuple[tuple[str, Any], ...]:
    """The roster's options with the values that the policy states."""
    batches = getattr(policy, "batches", None)
    found = {name: getattr(policy, name, getattr(batches, name, None)) for name in algorithm(title).options}
    return tuple((name, value) for name, value in found.items() if isinstance(value, int | float | str | Fraction))


def _limit(
    reference: MakePolicyFor | None,
    title: str,
    case: _Case,
    T: int,
    options: tuple[Any, ...],
    error: float,
    of: str,
    meter: Meter,
) -> float:
    if reference is not None:
        _, part, most = _taken(of, case, T)
        make = _policies(reference, case, T)
        return reference_limit(make, case.environment, T, error, of=part, most=most, meter=meter)
    limit, work = _roster_limit(title, case, T, options, error, of)
    meter.count(work)  # as much where the limit is known already
    return limit


@lru_cache(maxsize=1024)
def _roster_limit(
    title: str, case: _Case, T: int, options: tuple[Any, ...], error: float, of: str
) -> tuple[float, float]:
    """The limit, and the units of work that it took."""

    def make(rows: slice, generator: np.random.Generator) -> Policy:
        setting = Setting(len(case.means), T, case.budget, generator, rows.stop - rows.start)
        return algorithm(title).build(setting, **dict(options))

    entry, meter = algorithm(title), Meter()
    cheap = not entry.every_pull or has_loop(make(slice(0, 1), np.random.default_rng(0)), case.environment)
    runs, (_, part, most) = _MANY_RUNS if cheap else REFERENCE_RUNS, _taken(of, case, T)
    return reference_limit(make, case.environment, T, error, runs=runs, of=part, most=most, meter=meter), meter.work
