"""Does a policy's regret break a theorem, or exceed that of a reference? Tested without assumptions on tails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import inf, log2
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.environment import Environment, means_of, misfit
from banditproof.algorithms.finite.index import UCB, AnytimeUCB, FollowTheLeader
from banditproof.algorithms.policy import Policy
from banditproof.algorithms.run.batched import has_batched_loop
from banditproof.algorithms.run.compiled import has_loop, simulate_fastest
from banditproof.algorithms.run.simulator import SimulationResult, begin
from banditproof.algorithms.run.sweep import simulate_chunks
from banditproof.theory.arguments import Error, Horizon, Nonnegative, Positive, Seconds, Seed, Workers, checked
from banditproof.theory.errors import InvalidInput
from banditproof.verify.guarantees.failing import PolicyFailed, Pulls
from banditproof.verify.guarantees.players import Adapted, as_policies, counted_as_one, playing_alone
from banditproof.verify.guarantees.rare_errors import Rewards, rewards_alone
from banditproof.verify.guarantees.report import INCONCLUSIVE, StatisticalReport, call_of, seconds_enough, written
from banditproof.verify.guarantees.sequential import FEWEST, FIRST, MISSED, Draw, check_mean
from banditproof.verify.proof.statistics import REPORT_ERROR, mean_interval
from banditproof.verify.stopwatch import CUT, Meter
from banditproof.verify.thresholds import beyond

MakePolicies = Annotated[Callable[[slice, np.random.Generator], Policy], "(rows, generator)"]
"""Builds a fresh policy for the replications of a slice; its noise and coin flips come from the generator."""

Part = Callable[[np.ndarray], np.ndarray]
"""What is taken of the regrets [R, 3] of runs after a quarter, a half and all of their pulls: [R]."""

SECONDS, LONGER = 20.0, 3  # of work, where none are given, and so many times as much where that will settle it
REFERENCE_RUNS = 300
_CHUNK = 1000  # runs that move together
NEARLY, _ERRORS = 0.9, 3
PER_STEP, PER_RUN = 50.0, 0.2  # units of work: of a step, and of each run in it
_PER_POLICY = 8.0  # of each run in a step, where every run has an object of its own
_PER_PLAYED = 4.0  # of a pull of a player that is an object of its own and plays by itself
PER_PULL, _PER_BATCH = {True: 0.03, False: 0.1}, 1.0  # of a compiled pull with a simple index or another, of a batch


def whole(regret: np.ndarray) -> np.ndarray:
    """The regret of a run [R] from that after a quarter, a half and all of its pulls, [R, 3]."""
    return regret[:, 2]


def lasting(regret: np.ndarray) -> np.ndarray:
    """At most the regret of the second half [R]: no more than twice that of the quarter before, as if it were linear.

    A single long batch of a bad arm is no linear regret; a run that is lost has as much in both parts.
    """
    return np.maximum(np.minimum(regret[:, 2] - regret[:, 1], 2 * (regret[:, 1] - regret[:, 0])), 0)  # but for rounding


def straight(regret: np.ndarray) -> list[str]:
    """A note where the regrets [R, 3] grow faster than the root of time, for which the second half loses the root of 2
    times as much as the quarter before; as little as `lasting` says counts of it, beyond three standard errors."""
    before, after = regret[:, 1] - regret[:, 0], regret[:, 2] - regret[:, 1]
    beyond_root = lasting(regret) - 2**0.5 * before
    if not beyond_root.mean() > _ERRORS * beyond_root.std() / len(regret) ** 0.5:
        return []
    lost = f"runs lose {after.mean():.4g} in their second half and {before.mean():.4g} in the quarter before"
    return [f"{lost}: their regret grows linearly so far"]


def late(regret: np.ndarray, horizon: int) -> np.ndarray:
    """The regret of the second half [R], and at least its part of a regret that grows with the logarithm of time."""
    return np.maximum(regret[:, 2] - regret[:, 1], regret[:, 2] * np.log(2) / np.log(horizon))


def capped(regret: np.ndarray, of: Part, cap: float) -> np.ndarray:
    """What is taken `of` the regrets, and no more than the `cap` [R]: then a few dozen runs tell means apart."""
    return np.minimum(of(regret), cap)


def lost(regret: np.ndarray, price: float, nearly: float = NEARLY, untried: float = inf) -> np.ndarray:
    """Whether a run is lost [R]: after a quarter of its pulls its regret grows as if no best arm were pulled any more.

    `price` is what that costs at least, the smallest gap in each of those pulls; nine tenths of it are enough, or as
    much as `nearly` says. A run that had never pulled a best arm, and so had the regret `untried` in the first quarter
    at least, may still come to it.
    """
    tried = regret[:, 0] < untried
    return (tried & (regret[:, 2] - regret[:, 0] >= nearly * price)).astype(float)


def price_of_losing(environment: Environment, horizon: int) -> float:
    """What a run loses at least that pulls no best arm after a quarter of its pulls."""
    means = means_of(environment)
    gaps = means.max() - means
    return float(gaps[gaps > 0].min() * (horizon - max(1, horizon // 4)))


@checked
def check_regret(
    make_policies: MakePolicies,
    environment: Environment,
    horizon: Horizon,
    bound: Nonnegative,
    *,
    error: Error = REPORT_ERROR,
    missed: Error = MISSED,
    seconds: Seconds | None = None,
    seed: Seed = 0,
    workers: Workers | None = None,
    progress: bool | None = None,
    tested: str | None = None,
) -> StatisticalReport:
    """Test by simulation that the expected regret after `horizon` pulls is at most `bound`.

    `make_policies(rows, generator)` gets a slice, and makes one policy with as many replications as it is long.

    Runs are added until the evidence settles or the time is over, as `check_mean` says: a correct policy is called a
    violation with probability at most `error`, and one whose expected regret is at least the bound is called ok with
    probability at most `missed`. Compiled loops are used where there are any (`simulate_fastest`). `workers` processes
    share a round, None for this one alone. Work is counted, and `seconds` says how much, by default 20, or 60 where
    these seem to settle it: then `seed` decides the report, unless the policy is slow or several processes work.
    `seconds` that are given end by the clock.

    An "ok" says nothing of longer runs: its first line has the horizon, and the pulls beyond it that the policy's own
    code names. A note says where the regret grows linearly so far.

    A policy that raises while it plays is a violation, with the pull and the line. Raises InvalidInput, also for a
    bound that no policy can exceed: `horizon` times the largest gap, or more.
    """
    most = largest_regret(environment, horizon)
    if bound >= most:
        allowed = f"below {most:g}, the horizon times the largest gap: no policy can exceed such a bound"
        raise InvalidInput("bound", bound, allowed)
    make_policies = as_policies(make_policies, environment.arms)
    most_seconds = float(seconds or SECONDS)
    longer = None if seconds else LONGER * most_seconds
    meter = Meter(longer or most_seconds, progress, seconds is not None) if workers in (None, 1) else None
    alone = playing_alone(_made(make_policies, slice(0, 1), np.random.default_rng(seed)))
    seen: list[np.ndarray] = []

    def watched(regret: np.ndarray) -> np.ndarray:
        seen.append(regret)
        return whole(regret)

    report = check_mean(
        regret_of_runs(make_policies, environment, horizon, seed, workers, watched, meter),
        bound,
        most,
        tested=tested or f"expected regret <= {bound:.6g} at T = {horizon}, {_environment_text(environment)}",
        cause="the expected regret exceeds the bound",
        error=error,
        missed=missed,
        seconds=most_seconds,
        longer=longer,
        first=FEWEST if alone else FIRST,
        progress=progress,
        watch=meter,
    )
    options = ({} if seconds is None else {"seconds": most_seconds}) | {"seed": seed, "error": float(error)}
    again = call_of("check_regret", "make_policies", written(environment), f"{horizon}", f"{float(bound)!r}", **options)
    cut = (CUT,) if meter is not None and meter.cut else ()
    notes = [*seconds_enough(0.0, [report]), *cut]
    notes += straight(np.concatenate(seen)) if seen else []
    if report.ok:
        named = beyond(make_policies(slice(0, 1), np.random.default_rng(seed)), horizon)
        report = replace(report, cause=f"{report.cause}; no run was longer than {horizon:,} pulls{named}")
    if report.ok and (one_run := counted_as_one(make_policies, environment, horizon)):
        report = replace(report, verdict=INCONCLUSIVE, cause=one_run)
    if report.ok and (unfit := misfit(environment, horizon, sure=True)):
        report = replace(report, verdict=INCONCLUSIVE, cause=unfit)
    return replace(report, again=again, notes=tuple(notes), horizon=horizon)


@checked
def compare_regret(
    make_policies: MakePolicies,
    make_reference: MakePolicies,
    environment: Environment,
    horizon: Horizon,
    factor: Positive = 2.0,
    *,
    error: Error = REPORT_ERROR,
    seed: Seed = 0,
    **options: Any,
) -> StatisticalReport:
    """Test that the expected regret is at most `factor` times that of a reference policy, for want of a theorem.

    Half of the error is that of `reference_limit`, the other half that of `check_regret` with `factor` times the limit
    as its bound; `options` are those of `check_regret`. Evidence against a bound falls, and evidence for it rises, as
    the bound does, so it does no harm that this one is random. Raises InvalidInput, also for a bound that no policy can
    exceed.
    """
    _, limit = reference_limit(make_reference, environment, horizon, float(error) / 2, seed=seed)
    return check_regret(
        make_policies, environment, horizon, factor * limit, error=float(error) / 2, seed=seed, **options
    )


def reference_limit(
    make_reference: MakePolicies,
    environment: Environment,
    horizon: int,
    error: float,
    *,
    runs: int = REFERENCE_RUNS,
    seed: int = 0,
    of: Part = whole,
    most: float | None = None,
    meter: Meter | None = None,
) -> tuple[float, float]:
    """The mean regret of `runs` runs of a policy, and a number that its expectation exceeds with probability at most
    `error`.

    `of` may take something else of the regret, which is `most` at most.
    """
    most = largest_regret(environment, horizon) if most is None else most
    try:
        sample = regret_of_runs(make_reference, environment, horizon, seed + 1, None, of, meter)(runs)
    except PolicyFailed as failed:  # nobody has asked whether the reference keeps a promise
        raise (failed.__cause__ or failed) from None
    values = np.minimum(sample, most)
    return float(values.mean()), mean_interval(values, most, error)[1]


def largest_regret(environment: Environment, horizon: int) -> float:
    """The horizon times the largest gap. Raises InvalidInput for an environment where there is nothing to lose."""
    most = float(horizon * np.ptp(means_of(environment)))
    if not most > 0:
        raise InvalidInput("environment", list(environment.means), "an environment with two different means")
    return most


def _made(make_policies: MakePolicies, rows: slice, generator: np.random.Generator) -> Policy:
    """The policies of some runs. Raises InvalidInput for a function that takes the rows for something else."""
    try:
        return make_policies(rows, generator)
    except (InvalidInput, TypeError) as wrong:
        taken = f"{wrong.parameter}=rows" if isinstance(wrong, InvalidInput) and wrong.value is rows else f"{wrong}"
        if "=rows" not in taken and not (isinstance(wrong, TypeError) and "slice" in taken):
            raise
        allowed = "a function of (rows, generator): rows is a slice of runs, rows.stop - rows.start of them"
        raise InvalidInput("make_policies", taken, allowed) from wrong


def regret_of_runs(
    make_policies: MakePolicies,
    environment: Environment,
    horizon: int,
    seed: int,
    workers: int | None,
    of: Part = whole,
    meter: Meter | None = None,
) -> Draw:
    """Draws regrets after `horizon` pulls, or what is taken `of` them; the `meter` counts the work.

    Every call starts new runs, seeded by its number.
    """
    done: list[int] = []
    times = sorted({max(1, horizon // 4), max(1, horizon // 2), horizon})

    def draw(count: int) -> np.ndarray:
        first, child = sum(done), np.random.SeedSequence(seed, spawn_key=(len(done),))
        done.append(count)
        result = simulate_chunks(
            lambda rows, generator: _made(make_policies, slice(first + rows.start, first + rows.stop), generator),
            environment,
            horizon,
            replications=count,
            seed=child,
            record_times=times,
            chunk_size=_CHUNK if meter is None or not meter.by_the_clock else _CHUNK // 10,
            workers=workers or 1,
            engine=partial(simulated, meter),
        )
        return of(np.pad(result.regret, ((0, 0), (3 - len(times), 0)), mode="edge"))

    return draw


def lost_for_good(
    early: Callable[[int], Draw], late: Callable[[int], Draw], lost_by: tuple[Part, Part], size: int
) -> Draw:
    """Draws whether runs are lost early on, and lost as well where they are much longer: 1 or 0.

    `early(j)` and `late(j)` draw the regrets of the same runs, `size` at a time: only those with a lost one among them
    are played at length. Whatever they were chosen by, the longer runs of a policy that plays them anew are runs like
    any others, so that the mean is at most the share of lost runs of either length.
    """
    played: list[int] = []

    def draw(count: int) -> np.ndarray:
        values = []
        for start in range(0, count, size):
            number, together = len(played), min(size, count - start)
            played.append(together)
            lost_early = lost_by[0](early(number)(together))
            values.append(lost_early * lost_by[1](late(number)(together)) if lost_early.any() else lost_early)
        return np.concatenate(values)

    return draw


def simulated(
    meter: Meter | None,
    policy: Policy,
    environment: Environment,
    horizon: int,
    generator: np.random.Generator,
    record_times: Sequence[int],
) -> SimulationResult:
    """`simulate_fastest`, with its work counted: compiled loops by their pulls or batches, others by their steps.

    What the policy raises is a `PolicyFailed`.
    """
    pulls, alone, players = Pulls(), rewards_alone(environment), playing_alone(policy)
    if alone is not None and players and policy.arms == environment.arms:
        with pulls.playing():
            return _played_alone(meter or Meter(), players, environment, generator, record_times, alone, pulls)
    environment = pulls.heard(environment)
    with pulls.playing():
        if meter is None:
            return simulate_fastest(policy, environment, horizon, generator, record_times)
        if meter.by_the_clock:  # a compiled loop is not left in the middle
            meter.in_time()
        heard = meter.heard(environment, PER_STEP, _PER_POLICY if policy.separate else PER_RUN)
        if has_loop(policy, environment):
            simple = isinstance(policy, FollowTheLeader | UCB | AnytimeUCB)
            meter.count(PER_PULL[simple] * policy.replications * horizon)
        elif has_batched_loop(policy, environment, horizon):
            meter.count(_PER_BATCH * policy.replications * policy.arms * log2(1 + horizon))
        with meter.working():
            return simulate_fastest(policy, heard, horizon, generator, record_times)


def _played_alone(
    meter: Meter,
    players: list[tuple[Adapted, int]],
    environment: Environment,
    generator: np.random.Generator,
    times: Sequence[int],
    alone: Callable[[int, np.random.Generator], Rewards],
    pulls: Pulls,
) -> SimulationResult:
    """Players that are objects of their own, one after the other: together, each pull of each would cost arrays."""
    for policy in dict.fromkeys(policy for policy, _ in players):
        begin(policy)

    def going(together: int) -> None:
        meter.count(_PER_PLAYED * together)
        meter.in_time()

    rewards = [alone(run, generator) for run in range(len(players))]
    with meter.working():
        seen = [
            policy.played_alone(k, pulls.alone(paid), times, going)
            for (policy, k), paid in zip(players, rewards, strict=True)
        ]
    counts, means = np.array(seen), means_of(environment)
    regret = counts @ (means.max() - means)
    return SimulationResult(np.asarray(times), regret, np.full(regret.shape, -1), counts[:, -1])


def _environment_text(environment: Environment) -> str:
    means = ", ".join(f"{mean:g}" for mean in environment.means)
    return f"{type(environment).__name__} with means {means}"
