"""One sequential test for every statistical guarantee: "the expectation of a quantity in [0, M] is at most B".

Of independent runs with values x, the product of 1 + s (x / B - 1) has expectation at most 1 for every stake s in
[0, 1] if the statement is true, and so has the average over stakes (`log_evidence`). As runs are added it is a
nonnegative supermartingale, which ever exceeds 1 / error with probability at most `error` (Ville): runs may be added
until the evidence settles, and nothing is assumed of tails or of the number of runs. The same product of M - x and
M - B is evidence that the expectation is below the bound.

What as many runs would have seen is bounded by Chernoff: for a stake s and any t > 0, a law whose evidence stays below
1 / error has P(miss) <= (J / error)^t (E (1 + s (x / B - 1))^-t)^n, J the number of stakes. The expectation is of a
convex function of x, so among the laws on [0, M] with the same mean it is largest for the one on {0, M}.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil, inf, log

import numpy as np

from banditproof.theory.arguments import Error, Seconds, Size, checked
from banditproof.theory.errors import InvalidInput
from banditproof.verify.guarantees.failing import PolicyFailed
from banditproof.verify.guarantees.report import INCONCLUSIVE, OK, SEEN, VIOLATION, StatisticalReport
from banditproof.verify.proof.statistics import REPORT_ERROR, STAKES, log_evidence
from banditproof.verify.stopwatch import Meter, OutOfTime, Stopwatch

MISSED = Fraction(1, 100)
"""The probability with which a quantity whose expectation is at least the bound may be called ok."""

FOR_THE_BOUND = (*[0.5 / (len(STAKES) - 1)] * (len(STAKES) - 1), 0.5)
"""The weights of the stakes in evidence for a bound: half is staked in full, which is best while no run is bad."""

FIRST, FEWEST = 32, 8  # runs of the first round, and the least of a later one: a round is as long as all before
_QUIET = 2.0  # seconds before a progress line is shown
_ATOMS = 500  # order statistics that stand for a sample when its power is computed
_POWERS = np.geomspace(0.02, 50, 24)  # the values of t

Draw = Callable[[int], np.ndarray]
"""Draws so many further independent runs and returns their values [n]; nan for a run without an outcome."""


_TOP = 1e-9  # no bound is so close to the largest value, in units of it
_TINY = 1e-300  # smaller bounds have no inverse among floats


@checked
def check_mean(
    draw: Draw,
    bound: float,
    most: float,
    *,
    tested: str,
    cause: str = "the expectation is at least the bound",
    error: Error = REPORT_ERROR,
    missed: Error = MISSED,
    seconds: Seconds = 20,
    longer: Seconds | None = None,
    first: Size = FIRST,
    tolerated: float | None = None,
    before: np.ndarray | None = None,
    progress: bool | None = None,
    watch: Stopwatch | Meter | None = None,
) -> StatisticalReport:
    """Test that values in [0, `most`] have expectation at most `bound`, with runs added until it is settled.

    `tested` is the statement in words, `cause` what a violation is called. A run without an outcome counts as 0 where
    the statement is attacked, and not at all where it is supported. A test that was left open goes on where `before`
    has the values that the same `draw` returned then. The time, in seconds, is looked at between rounds:
    the `first` one, of so many runs, is always made. There are `longer` seconds, if that is more, while the mean is
    above the bound, or if the evidence that it is below seems to suffice by then. A line on stderr tells how far it is
    after two seconds, on a terminal or if `progress` says so. A policy that raises meets no promise: that is a
    violation. Raises InvalidInput, also for a bound that no law can exceed.
    """
    if not (bound == 0 or _TINY < bound < most):
        allowed = f"at least 0 and below {most:g}: no value is larger than that"
        raise InvalidInput("bound", bound, allowed)
    below = bound if tolerated is None else tolerated
    if not bound <= below < most:
        raise InvalidInput("tolerated", tolerated, f"at least the bound, {bound:g}, and below {most:g}")
    clock, verdict, begun = Stopwatch(), INCONCLUSIVE, np.empty(0) if before is None else before
    values = begun
    watch = watch or clock
    if isinstance(watch, Meter):
        watch.doing = tested
    began = watch.seconds()
    needed, enough, against, supporting = -log(error), -log(missed), 0.0, 0.0
    try:
        for values in _rounds(draw, begun, watch, seconds, float(longer or 0), first, bound, below, most, enough):
            against = log_evidence(np.nan_to_num(values), bound)
            supporting = _support(values, below, most)
            if against >= needed or supporting >= enough and np.nan_to_num(values).mean() <= bound:
                verdict = VIOLATION if against >= needed else OK
                break
            _tell(progress, clock.seconds(), f"{tested}: {values.size} runs, mean {np.nan_to_num(values).mean():.4g}")
    except OutOfTime:
        if not values.size:
            late = "the time was over before the first runs had ended (give more seconds)"
            open_ = StatisticalReport(INCONCLUSIVE, tested, late, float(error), float(missed), would_take=inf)
            return replace(open_, seconds=clock.seconds(), bound=float(bound), most=float(most))
    except PolicyFailed as failed:
        _tell(progress, clock.seconds(), "")
        return StatisticalReport(
            VIOLATION, tested, failed.told, float(error), float(missed), 0, clock.seconds(), float(bound), float(most)
        )
    _tell(progress, clock.seconds(), "")
    decided, each = np.nan_to_num(values), (watch.seconds() - began) / max(1, values.size - begun.size)
    took = each * values.size
    reasons = {
        VIOLATION: f"{cause}: mean {decided.mean():.4g} over {values.size} runs, bound {bound:.4g}",
        OK: f"the expectation is below the {'bound' if below == bound else 'tolerated'} {below:.4g}: "
        f"mean {decided.mean():.4g} over {values.size} runs",
        INCONCLUSIVE: f"{values.size} runs with mean {decided.mean():.4g} are too few to tell whether the bound "
        f"{bound:.4g} holds",
    }
    return StatisticalReport(
        verdict,
        tested,
        reasons[verdict],
        float(error),
        float(missed),
        values.size,
        clock.seconds(),
        float(bound),
        float(most),
        float(decided.mean()),
        float(decided.max()),
        *detectable(decided, bound, most, needed),
        int(np.isnan(values).sum()),
        excluded=excluded_from(values, most, float(missed)),
        would_take=0.0 if verdict != INCONCLUSIVE else took * _times(against / needed, supporting / enough),
    )


def _times(*settled: float) -> float:
    """How many times as long it takes to settle what was settled by these parts, in two ways: evidence grows evenly."""
    return 1.5 / max(settled) if max(settled) > 0 else inf


def _support(values: np.ndarray, bound: float, most: float) -> float:
    """The logarithm of the evidence that the expectation is below the bound, from the runs with an outcome."""
    return log_evidence(most - values[~np.isnan(values)], most - bound, FOR_THE_BOUND)


def excluded_from(values: np.ndarray, most: float, missed: float) -> float:
    """The least expectation that these runs exclude, with error `missed`; inf if they exclude none.

    A run without an outcome counts as the worst one.
    """
    worst = np.nan_to_num(values, nan=most)
    return most * _least(lambda share: _support(worst, most * share, most) >= -log(missed), 0.0, 1 - _TOP)


def _rounds(
    draw: Draw,
    values: np.ndarray,
    watch: Stopwatch | Meter,
    seconds: float,
    longer: float,
    size: int,
    bound: float,
    below: float,
    most: float,
    enough: float,
) -> Iterator[np.ndarray]:
    """All values so far, round by round, while the time lasts; the first ones are there already.

    A round that would not fit is made smaller, and so is one that has more runs than are missing until the evidence for
    the bound is `enough` if all of them are as good as can be.
    """
    began = watch.seconds()
    while True:
        before = watch.seconds()
        drawn = np.asarray(draw(size), dtype=float)
        outside = drawn[(drawn < 0) | (drawn > most * (1 + 1e-9))]
        if drawn.shape != (size,) or outside.size:
            shown = outside[0] if outside.size else drawn.tolist()
            raise InvalidInput("what is drawn", shown, f"{size} numbers in [0, {most:g}]")
        values = np.concatenate([values, np.minimum(drawn, most)])
        yield values
        now = watch.seconds()
        pace, mean, support = (now - before) / size, np.nan_to_num(values).mean(), _support(values, below, most)
        best = log(most / (most - below)) if below else 0.0
        missing = (enough - support) / best if best else inf
        soon = support > 0 and values.size * (enough / support - 1) * pace <= longer - (now - began)
        left = (max(seconds, longer) if mean > bound or soon else seconds) - (now - began)
        size = min(values.size, max(FEWEST, ceil(missing))) if missing < inf else values.size
        while size > FEWEST and size * pace > left:
            size //= 2
        if size * pace > left:
            return


def _tell(progress: bool | None, elapsed: float, line: str) -> None:
    if elapsed > _QUIET and (sys.stderr.isatty() if progress is None else progress):
        print(f"\r{line[:110]:110}{f' {elapsed:.0f} s' if line else ''}", end="" if line else "\r", file=sys.stderr)


# -------------------------------------------------------------------------------------------------------------- power


def detectable(values: np.ndarray, bound: float, most: float, needed: float) -> tuple[float, float]:
    """The expectations that as many runs reveal with probability at least `SEEN`; inf where there is none.

    The first for the law of `values` [n] in [0, `most`] scaled up (and cut at `most`), the second for every law on
    [0, `most`]. `needed` is log(1 / error).
    """
    if bound == 0:
        return inf, inf

    def revealed(law: np.ndarray, weights: np.ndarray) -> bool:
        return miss_probability(law, weights, values.size, bound, needed) <= 1 - SEEN

    def rare(share: float) -> tuple[np.ndarray, np.ndarray]:
        return np.array([0.0, most]), np.array([1 - share, share])

    ordered = np.sort(values)[:: max(1, -(-values.size // _ATOMS))]
    equal = np.full(ordered.size, 1 / ordered.size)

    def scaled(log_factor: float) -> tuple[np.ndarray, np.ndarray]:
        return np.minimum(ordered * np.exp(log_factor), most), equal

    positive = ordered[ordered > 0]
    alike = inf
    if positive.size:
        factor = _least(lambda x: revealed(*scaled(x)), log(bound / ordered.mean()), log(most / positive[0]))
        alike = inf if factor == inf else float(np.dot(*scaled(factor)))
    return alike, most * _least(lambda x: revealed(*rare(x)), bound / most, 1.0)


def _least(holds: Callable[[float], bool], low: float, high: float) -> float:
    """The least number of [low, high] from which on `holds` is true, rounded up; inf if it is never."""
    if low > high or not holds(high):
        return inf
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def miss_probability(values: np.ndarray, weights: np.ndarray, runs: int, bound: float, needed: float) -> float:
    """An upper bound on the probability that `runs` runs of this law leave the evidence below exp(`needed`)."""
    best = 0.0
    for stake in STAKES:
        if stake < 1:  # with a stake of 1 a single run without regret loses everything
            moments = (1 + stake * (values / bound - 1)) ** -_POWERS[:, np.newaxis] @ weights
            with np.errstate(divide="ignore"):  # values far above the bound: the law is seen for certain
                exponents = _POWERS * (needed + log(len(STAKES))) + runs * np.log(moments)
            best = min(best, float(exponents.min()))
    return float(np.exp(best))
