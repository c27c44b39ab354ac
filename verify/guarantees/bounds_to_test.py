"""What a policy is to keep below on an instance: the theorems of its algorithm, and the reference beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import inf, log2
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.algorithms.registration import Setting
from banditproof.algorithms.roster import algorithm
from banditproof.algorithms.run.compiled import has_loop
from banditproof.theory.bounds.upper_bounds import (
    RECIPES,
    UNSTATED_BETA,
    bernoulli_arms,
    has_upper_bound,
    regret_upper_bound,
)
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.guarantees.failing import PolicyFailed, Pulls
from banditproof.verify.guarantees.players import as_policies, stated_by
from banditproof.verify.guarantees.rare_errors import PartlySteady
from banditproof.verify.guarantees.regret import (
    NEARLY,
    PER_PULL,
    PER_RUN,
    PER_STEP,
    REFERENCE_RUNS,
    MakePolicies,
    Part,
    capped,
    largest_regret,
    lasting,
    late,
    lost,
    price_of_losing,
    reference_limit,
    regret_of_runs,
    whole,
)
from banditproof.verify.guarantees.stalling import EARLIER, REFERENCE, REFERENCE_STALLS, stalled_pairs
from banditproof.verify.stopwatch import PACE, Meter

MakePolicyFor = Annotated[
    Callable[[int, Any, int, NoiseSource, np.random.Generator, int], Policy],
    "(arms, budget, horizon, noise, generator, replications)",
]
"""Builds a policy for (arms, budget, horizon, noise, generator, replications); the budget is None without privacy."""

HORIZONS = (200, 2000, 20_000, 200_000, 1_000_000)
_LONGEST_BY_PULL = {True: 20_000, False: 2000}  # for a policy that decides at every pull: with a compiled loop, without
WHOLE, SECOND_HALF, LOST = "expected regret", "expected regret of the second half", "share of lost runs"
COUNTED = "mean regret"  # as much of a run as counts
GROWTH = "growth of the regret in the second half"
STEEP = "steep growth of the regret in the second half"  # more of a run counts: few are enough
GROWING = (SECOND_HALF, GROWTH, STEEP)
LOCKED = "share of runs that stay with a worse arm"
FOR_GOOD = "share of runs that are lost early on, and still at the end"
_HALF = Fraction(1, 2)
_SHARES = {
    "theorem": Fraction(1, 4),
    WHOLE: _HALF,
    COUNTED: _HALF,
    SECOND_HALF: Fraction(1, 12),
    LOST: _HALF,
    LOCKED: _HALF,
    FOR_GOOD: _HALF,
    GROWTH: _HALF,
    STEEP: _HALF,
}
"""Of the largest value: below, a bound can fail."""
_LEAST_SHARE = Fraction(1, 3000)  # smaller ones need more runs than there is time for
_FEW = {
    LOST: 0.01,
    LOCKED: 0.03,
    FOR_GOOD: 0.0025,
}  # of the runs: a sound policy may lose so many, and stay so often for a while
_STAYING, _CLOSE = 0.995, 0.05  # of the pulls after a quarter of them, where arms are no further apart than this
PER_ARM = 50  # pulls, in which a policy has gone through all arms
_PER_DOUBLING = 4  # batches of an arm in which the pulls double, at most
_OTHER_BUDGETS = (0.1, 10.0)  # times the one that is given
MANY_RUNS = 3000  # of the reference, where they are cheap: few leave room for rare runs of linear regret
_CAPPED = {COUNTED: 6.0, GROWTH: 6.0, STEEP: 20.0}  # times the reference's mean: as much of a run counts
_PILOT = 64  # runs by which that is set
_LONG_RUNS = {
    COUNTED: 1200,
    GROWTH: 600,
    STEEP: 6000,
    LOCKED: 1200,
    FOR_GOOD: 12_000,
}  # of the reference, over many pulls
_EVEN = 16  # times as many pulls, in which batches are counted that may grow
AGAIN = 16  # times as many pulls after which a lost run is looked at again


@dataclass(frozen=True)
class Case:
    """One instance with one budget."""

    name: str
    means: tuple[str, ...]
    budget: Budget | None
    steady: tuple[int, ...] = ()  # arms that pay their mean at every pull

    @property
    def environment(self) -> BernoulliBandit:
        means = np.array([float(Fraction(mean)) for mean in self.means])
        return PartlySteady(means, self.steady) if self.steady else BernoulliBandit(means)

    def __str__(self) -> str:
        spent = "" if self.budget is None else f", {self.budget}"
        return f"{self.name} ({', '.join(self.means)}){spent}"


@dataclass(frozen=True)
class BoundTest:
    """One bound to be tested."""

    bound: float
    horizon: int
    what: str
    known: Known | None = None  # of the reference, where that is the bound's reason
    of: str = WHOLE


@dataclass(frozen=True)
class Known:
    """The reference's expectation is at most `limit`, and `mean` over so many `runs`; as much as `cap` of a run counts.

    `work` are the units that it took to see it.
    """

    limit: float
    mean: float
    runs: int
    cap: float
    work: float

    def __str__(self) -> str:
        return f"the reference's is {self.mean:.4g} on average over {self.runs} runs, and at most {self.limit:.4g}"


class Notes:
    """What is said beside the tests, and the attributes of the policy that the theorems' hypotheses are about."""

    def __init__(self) -> None:
        self.said: dict[str, list[Case]] = {}
        self.stated: dict[str, str] = {}
        self.trusted: dict[str, None] = {}

    def add(self, line: str, *cases: Case) -> None:
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

    def __init__(self, policy: Policy, notes: Notes) -> None:
        self.policy, self.notes = policy, notes

    def __getattr__(self, name: str) -> Any:
        if name != "budget":
            value = stated_by(self.policy, name)
            if value is not None or hasattr(self.policy, name):
                self.notes.stated[name] = f"{value:.4g}" if isinstance(value, float) else str(value)
                return value
            self.notes.trusted[name] = None
        return getattr(self.policy, name)


class Candidate:
    """The policy that is tested, and the theorems of its algorithm: all of them, or those of one `source`.

    `title` names the algorithm. What a theorem asked of the policy, and what cannot be tested, enters the `notes`.
    """

    def __init__(self, make_policy_for: MakePolicyFor, title: str, source: str | None, notes: Notes) -> None:
        self.make_policy_for, self.title, self.source, self.notes = make_policy_for, title, source, notes

    def policies(self, case: Case, horizon: int) -> MakePolicies:
        """What makes the policies of some replications, for an instance and a horizon."""
        return _policies(self.make_policy_for, case, horizon)

    def takes_any_rewards(self) -> bool:
        """Whether all theorems of its algorithm hold for rewards in [0, 1], not for 0 and 1 alone."""
        of = [recipe for recipe in RECIPES if recipe.algorithm.lower().replace(" ", "-") == self.title]
        return bool(of) and not any(bernoulli_arms in recipe.conditions for recipe in of)

    def one(self, case: Case, horizon: int) -> Policy:
        """One of them, alone."""
        return self.policies(case, horizon)(slice(0, 1), np.random.default_rng(0))

    def theorems(self, case: Case, horizons: Sequence[int]) -> Iterator[BoundTest]:
        """The theorem at the horizons where it can fail."""
        for T in horizons if has_upper_bound(self.title) else ():
            test = self._theorem(case, T)
            if test is not None and test.bound <= _SHARES["theorem"] * largest_regret(case.environment, T):
                yield test

    def _theorem(self, case: Case, horizon: int) -> BoundTest | None:
        """The smallest bound that applies to the policy at this horizon."""
        seen = Notes()
        policy = _Stated(self.one(case, horizon), seen)
        upper = regret_upper_bound(self.title, case.means, horizon, case.budget, policy=policy)
        bounds = {name: b for name, b in upper.bounds.items() if self.source is None or self.source in b.source}
        if not any("beta" in bound.formula for bound in bounds.values()):  # asked for, and not used
            seen.stated.pop("beta", None)
            seen.trusted.pop("beta", None)
        self.notes.stated |= seen.stated
        self.notes.trusted |= seen.trusted
        for name, bound in bounds.items():
            if bound.asymptotic:
                self.notes.add(f"{bound.source} '{name}' is asymptotic: it guarantees nothing at a finite horizon")
            elif not bound.applies:
                self.notes.add(f"{bound.source} '{name}' does not apply: {bound.why}")
        held = [pair for pair in bounds.items() if pair[1].applies and not pair[1].asymptotic]
        if not held:
            return None
        name, bound = min(held, key=lambda pair: pair[1].value.upper)
        what = f"expected regret <= {float(bound.value.upper):.4g}, {bound.source} '{name}'"
        return BoundTest(float(bound.value.upper), horizon, what)

    def promised(self, case: Case, horizon: int) -> str:
        """What the theorem promises of a run of this length, in words; nothing where none applies."""
        test = self._theorem(case, horizon) if has_upper_bound(self.title) else None
        return "" if test is None else f"; the theorem, over all {horizon:,} pulls: {test.what}"

    def bound(self, case: Case, horizon: int) -> float:
        """What the theorem grants; minus infinity where none applies."""
        test = self._theorem(case, horizon) if has_upper_bound(self.title) else None
        return -inf if test is None else test.bound

    def options(self, case: Case, horizon: int) -> tuple[tuple[str, Any], ...]:
        """The roster's options with the values that the policy states; for beta, that of the theorems otherwise."""
        policy = self.one(case, horizon)
        batches = getattr(policy, "batches", None)
        assumed = {"beta": float(UNSTATED_BETA)} if has_upper_bound(self.title) else {}
        options = {}
        for name in algorithm(self.title).options:
            stated = stated_by(policy, name)
            options[name] = getattr(batches, name, assumed.get(name)) if stated is None else stated
        return tuple(
            (name, value) for name, value in options.items() if isinstance(value, int | float | str | Fraction)
        )

    def horizons(self, case: Case, every_pull: bool) -> tuple[int, ...]:
        """Those that the policy can play in good time, if it decides as often as its algorithm does."""
        if not every_pull:
            return HORIZONS
        longest = _LONGEST_BY_PULL[has_loop(self.one(case, HORIZONS[0]), case.environment)]
        return tuple(T for T in HORIZONS if T <= longest)

    def decides_often(self, case: Case) -> bool:
        """Whether it plays batches of less than four pulls at the first horizon, whatever its algorithm does."""
        return self._batches(case, HORIZONS[0]) > HORIZONS[0] / 4

    def plays_evenly(self, case: Case) -> bool:
        """Whether its batches stay as long as they are: those of a policy that doubles them are few in long runs."""
        return self._batches(case, _EVEN * HORIZONS[0]) > _EVEN / 4 * self._batches(case, HORIZONS[0])

    def _batches(self, case: Case, horizon: int) -> int:
        """The batches of one run; one for each pull where it fails, which the runs of the check will meet, and say."""
        policy, generator = self.one(case, horizon), np.random.default_rng(0)
        clock, batches, pulls = 0, 0, Pulls()
        environment = pulls.heard(case.environment)
        try:
            with pulls.playing():
                while clock < horizon:
                    arm, count = policy.next_batch()
                    count = np.minimum(count, horizon - clock)
                    policy.observe(environment.sum_of_rewards(arm, count, generator, time=clock), count)
                    clock, batches = clock + int(count.min()), batches + 1
        except PolicyFailed:
            return horizon
        return batches

    def other_budgets(self, case: Case) -> Iterator[Budget]:
        """A tenth and ten times of the budget of an instance, if the policy states the one that it is built for."""
        own = case.budget
        if own is None:
            return
        name = next(name for name in ("rho", "mu", "epsilon") if name in own.parameters)
        for factor in _OTHER_BUDGETS:
            budget = replace(own, **{name: own.parameters[name] * factor})
            stated = getattr(self.one(replace(case, budget=budget), HORIZONS[0]), "budget", None)
            if (
                isinstance(stated, Budget)
                and stated.kind == own.kind
                and np.all(stated.parameters[name] == budget.parameters[name])
            ):
                yield budget


@dataclass(frozen=True)
class Standard:
    """What a candidate is compared with: `factor` times the `reference`, by default the roster's policy of its name.

    The limit of the reference's values errs with probability `error` over all horizons; its work is counted by `meter`.
    """

    candidate: Candidate
    reference: MakePolicyFor | None
    factor: float
    error: float
    meter: Meter

    def comparison(self, case: Case, T: int, of: str = WHOLE) -> BoundTest | None:
        """The comparison with the reference, where it can fail.

        A policy that plays batches may go through the arms in another order than the reference, so the larger limit of
        both orders counts. Where every pull is decided anew, the order hardly matters.
        """
        title, cases = self.candidate.title, [case]
        if not algorithm(title).every_pull:
            cases.append(replace(case, means=case.means[::-1]))
        at = T // AGAIN if of == FOR_GOOD else T  # fewer runs of the reference are lost after more pulls
        known = max((self._known(one, at, of) for one in dict.fromkeys(cases)), key=lambda one: one.limit)
        few = _FEW.get(of, 0.0)
        bound = max(few, self.factor * known.limit)
        if bound > _SHARES[of] * parts_compared(of, case, T, known.cap)[2]:
            return None
        whose = f"the library's own {title}" if self.reference is None else "the reference"
        times = f"{bound:.4g}, {self.factor:g} times what {whose} has at most ({known.mean:.4g} on average)"
        counted = f", up to {known.cap:.4g} a run," if of in _CAPPED else ""
        return BoundTest(bound, T, f"{of}{counted} <= {times if bound > few else format(few, 'g')}", known, of)

    def granted(self, test: BoundTest, case: Case) -> bool:
        """Whether the theorem grants more regret than a comparison, or all there is, so that it may grow evenly; of
        runs so short that nothing has begun to grow, more than the comparison."""
        if self.reference is not None or test.known is None:
            return False
        bound, most = self.candidate.bound(case, test.horizon), largest_regret(case.environment, test.horizon)
        whole = test.of in (WHOLE, COUNTED) or test.of in GROWING and test.horizon <= HORIZONS[0]
        return bound > test.bound if whole else test.of in GROWING and bound >= most

    def growth(self, test: BoundTest, case: Case) -> float:
        """What the theorem grants more over the whole of a run than over its first half, where growth is compared;
        minus infinity where nothing is granted."""
        if self.reference is not None or test.known is None or test.of not in GROWING:
            return -inf
        return self.candidate.bound(case, test.horizon) - max(0.0, self.candidate.bound(case, test.horizon // 2))

    def price(self, case: Case, T: int, of: str) -> float:
        """The seconds that it takes at most to see what the reference does over so many pulls."""
        make = _roster(self.candidate.title, case, self.candidate.options(case, T), T)
        one, runs = make(slice(0, 1), np.random.default_rng(0)), _LONG_RUNS[of]
        if self.reference is None and has_loop(one, case.environment):
            return PER_PULL[False] * runs * T / PACE * self.meter.slowness()
        batches = self.reference is None and not algorithm(self.candidate.title).every_pull
        steps = min(T, _PER_DOUBLING * len(case.means) * log2(T)) if batches else T
        return (PER_STEP + PER_RUN * runs) * steps / PACE * self.meter.slowness()

    def _known(self, case: Case, T: int, of: str) -> Known:
        options, error = self.candidate.options(case, T), self.error / (2 * len(HORIZONS))
        if self.reference is not None:
            return known_of(_policies(self.reference, case, T), case, T, error, of, REFERENCE_RUNS, self.meter)
        known = _roster_known(self.candidate.title, case, T, options, error, of, self.meter)
        self.meter.count(known.work)  # as much where it is known already
        return known

    def keeps_trying(self, case: Case, T: int) -> bool:
        """Whether the reference goes on pulling an arm that pays nothing, between T / EARLIER pulls and T."""
        if self.reference is not None:
            make = partial(_policies, self.reference, case)
            draw = stalled_pairs(make(T), make(T // EARLIER), T, 0, self.meter, case.means)
            return bool(draw(REFERENCE).mean() <= REFERENCE_STALLS)
        held, work = _roster_keeps_trying(self.candidate.title, case, T, self.candidate.options(case, T), self.meter)
        self.meter.count(work)
        return held

    def first_tests(self, case: Case, horizons: Sequence[int], of: str = WHOLE) -> Iterator[BoundTest]:
        """The first tests on one instance, with a comparison `of` this; what cannot be tested is noted."""
        title, notes = self.candidate.title, self.candidate.notes
        theorems = list(self.candidate.theorems(case, horizons))
        yield from theorems[:1]
        if not has_upper_bound(title):
            notes.add(f"no regret theorem is registered for {title}, so it is compared with the reference")
        elif not theorems:
            notes.add(f"no theorem can fail up to T = {max(horizons)}", case)
        for T in horizons:
            test = self.comparison(case, T, of)
            if test is not None:
                yield test
                return
        notes.add(f"no comparison can fail up to T = {max(horizons)}", case)

    def long_tests(self, case: Case, horizons: Sequence[int]) -> Iterator[BoundTest]:
        """The tests at the longest horizons: the theorem where its bound is not too small beside the largest regret."""
        for T in horizons[:0:-1]:
            test = self.comparison(case, T)
            if test is not None:
                yield test
                break
        theorems = list(self.candidate.theorems(case, horizons[1:]))
        affordable = [t for t in theorems if t.bound >= _LEAST_SHARE * largest_regret(case.environment, t.horizon)]
        yield from affordable[-1:]


def _policies(make_policy_for: MakePolicyFor, case: Case, horizon: int) -> MakePolicies:
    made = as_policies(make_policy_for)

    def make(rows: slice, generator: np.random.Generator) -> Policy:
        noise, size = NoiseSource(generator), rows.stop - rows.start
        return made(len(case.means), case.budget, horizon, noise, generator, size)

    return make


def parts_compared(of: str, case: Case, horizon: int, cap: float = inf) -> tuple[Part, Part, float]:
    """What is taken of the regrets of runs, what of the reference's, and the largest value: no more than the `cap`."""
    environment = case.environment
    if of in _CAPPED:
        lasts, grows, most = parts_compared(WHOLE if of == COUNTED else SECOND_HALF, case, horizon)
        return partial(capped, of=lasts, cap=cap), partial(capped, of=grows, cap=cap), min(cap, most)
    if of == FOR_GOOD:
        return whole, parts_compared(LOST, case, horizon)[1], 1.0
    if of in (LOST, LOCKED):
        price = price_of_losing(environment, horizon)
        staying = of == LOCKED and np.ptp(environment.means) < _CLOSE
        nearly = _STAYING if staying else max(NEARLY, 1 - 1 / (4 * len(case.means)))  # arms in turn lose 1 - 1/K
        gap, quarter = price / (horizon - horizon // 4), horizon // 4
        untried = inf if quarter >= PER_ARM * len(case.means) else gap * (quarter - 0.5)
        part = partial(lost, price=price, nearly=nearly, untried=untried)
        return part, part, 1.0
    if of == SECOND_HALF:
        return lasting, partial(late, horizon=horizon), largest_regret(environment, horizon - horizon // 2)
    return whole, whole, largest_regret(environment, horizon)


def _roster(title: str, case: Case, options: tuple[Any, ...], T: int) -> MakePolicies:
    def make(rows: slice, generator: np.random.Generator) -> Policy:
        setting = Setting(len(case.means), T, case.budget, generator, rows.stop - rows.start)
        return algorithm(title).build(setting, **dict(options))

    return make


_KEEPS_TRYING: dict[tuple[Any, ...], tuple[bool, float]] = {}
_KNOWN: dict[tuple[Any, ...], Known] = {}
"""What is known of the roster's policies, whichever check has seen it."""


def _roster_keeps_trying(title: str, case: Case, T: int, options: tuple[Any, ...], of: Meter) -> tuple[bool, float]:
    """Whether it does, and the units of work that it took to see it."""
    key = title, case, T, options, of.by_the_clock
    if key not in _KEEPS_TRYING:
        make, meter = partial(_roster, title, case, options), Meter(within=of)
        draw = stalled_pairs(make(T), make(T // EARLIER), T, 0, meter, case.means)
        _KEEPS_TRYING[key] = bool(draw(REFERENCE).mean() <= REFERENCE_STALLS), meter.work
    return _KEEPS_TRYING[key]


def _roster_known(
    title: str, case: Case, T: int, options: tuple[Any, ...], error: float, of: str, meter: Meter
) -> Known:
    key = title, case, T, options, error, of, meter.by_the_clock
    if key in _KNOWN:
        return _KNOWN[key]
    make = _roster(title, case, options, T)
    cheap = not algorithm(title).every_pull or has_loop(make(slice(0, 1), np.random.default_rng(0)), case.environment)
    runs = MANY_RUNS if cheap else REFERENCE_RUNS
    _KNOWN[key] = known_of(make, case, T, error, of, _LONG_RUNS.get(of, runs), Meter(within=meter))
    return _KNOWN[key]


def known_of(make: MakePolicies, case: Case, T: int, error: float, of: str, runs: int, meter: Meter) -> Known:
    """What these runs of a reference say of its expectation; how much of a run counts is set by others before."""
    environment, began, cap = case.environment, meter.work, inf
    if of in _CAPPED:
        _, part, _ = parts_compared(of, case, T)
        cap = _CAPPED[of] * float(regret_of_runs(make, environment, T, 2, None, part, meter)(_PILOT).mean())
    _, part, most = parts_compared(of, case, T, cap)
    mean, limit = reference_limit(make, environment, T, error, runs=runs, of=part, most=most, meter=meter)
    return Known(limit, mean, runs, cap, meter.work - began)
