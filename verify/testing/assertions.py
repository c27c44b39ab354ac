"""Assertions for a test suite: pass on what was checked, fail with the report on a violation and on what stays open.

A check that runs out of time has shown nothing, so "inconclusive" fails as well, unless `allow_inconclusive` says
otherwise. Errors of statistical assertions add up over a suite: in a pytest session they share one error budget (see
`session`), outside of pytest each has 1e-6 unless `error` is given.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import takewhile
from math import isinf
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from banditproof.theory.arguments import checked
from banditproof.theory.errors import InvalidInput
from banditproof.theory.tables import Preformatted
from banditproof.verify.testing.session import note, share_of_error, with_kept

if TYPE_CHECKING:
    from banditproof.algorithms.environment import Environment
    from banditproof.theory.privacy.budget import Budget
    from banditproof.verify.guarantees.bounds_to_test import MakePolicyFor
    from banditproof.verify.guarantees.rare_errors import MakeStrategy
    from banditproof.verify.guarantees.regret import MakePolicies
    from banditproof.verify.guarantees.report import StatisticalReport
    from banditproof.verify.privacy.black_box import BlackBoxReport
    from banditproof.verify.privacy.reward_race import OneOrMany
    from banditproof.verify.runs.foreign.policies import Replayed
    from banditproof.verify.runs.possible_rewards import RewardsIn
    from banditproof.verify.runs.report import PrivacyReport
else:  # the checks read what is handed on to them
    Environment = Budget = MakeStrategy = MakePolicies = MakePolicyFor = OneOrMany = Replayed = RewardsIn = Any

Report = TypeVar("Report", bound=Any)


@checked
def assert_private(
    make_policy: OneOrMany | Replayed,
    budget: Budget,
    *,
    seconds: float | None = None,
    seed: int = 0,
    horizon: int | None = None,
    rewards_in: RewardsIn = "[0, 1]",
    black_box: bool = False,
    error: Fraction | float | str | None = None,
    allow_inconclusive: bool = False,
) -> PrivacyReport | BlackBoxReport:
    """Assert that the policies of `make_policy(noise, generator)`, with one replication each, keep the `budget`.

    By default recorded releases are checked (`check_privacy`): that needs a policy that draws its noise through
    `noise`, or one that is replayed (`replayed(make)`). Any other is audited from its actions with `black_box=True`
    (`audit_private`), which can refute privacy but cannot show it: the assertion then passes on "not refuted". Only the
    audit uses `error`; the check of recorded releases errs with probability below 1e-8.

    `rewards_in` says which rewards there are: a set of numbers such as {0, 1}, or an interval as text such as
    "[0, 100]". The audit knows no other rewards than those in [0, 1].

    A violation is mostly found within a second. Where there is none, the search goes on for `seconds` by the clock, if
    they are given, or until one run of 1,000 pulls was seen; otherwise for 4.5 seconds of computing, 13.5 of
    `replayed` and twice as many where its arms have prices, which take up to three times as long where a policy waits,
    and up to ten times where others use the cores.

    In a pytest session, the reward lists that show a violation are kept in `.banditproof/` and tried first next time.

    Returns the report; raises AssertionError with it.
    """
    __tracebackhide__ = True
    from banditproof import verify
    from banditproof.verify.proof.statistics import RECORDED_ERROR

    if not black_box:
        if error is not None:
            raise InvalidInput("error", error, "None unless black_box: recorded releases are checked with 1e-8")
        make: Any = make_policy  # of one replication, or `check_privacy` refuses it
        how: Any = {"seconds": seconds, "seed": seed, "horizon": horizon, "rewards_in": rewards_in}
        check = with_kept(make, budget, rewards_in, partial(verify.check_privacy, make, budget, **how))
        return _settle("assert_private", check, RECORDED_ERROR, allow_inconclusive)
    if hasattr(make_policy, "rewards_at"):
        recorded = (
            "left out with replayed(...), whose own draws are recorded; a black box is select_update(policy, arms)"
        )
        raise InvalidInput("black_box", black_box, recorded)
    if rewards_in != "[0, 1]":
        raise InvalidInput("rewards_in", rewards_in, "'[0, 1]' for black_box, whose lists are multiples of 1/4")
    share = share_of_error(error)
    drawing: Any = make_policy
    audit = partial(verify.audit_private, drawing, budget, seconds=seconds, seed=seed, horizon=horizon, error=share)
    return _settle("assert_private (black box)", audit, share, allow_inconclusive, passes="not refuted")


@checked
def assert_regret(
    make_policies: MakePolicies | MakePolicyFor,
    *,
    theorem: str | None = None,
    environment: Environment | None = None,
    horizon: int | None = None,
    bound: float | None = None,
    seconds: float | None = None,
    error: Fraction | float | str | None = None,
    allow_inconclusive: bool = False,
    **options: Any,
) -> StatisticalReport:
    """Assert that the expected regret keeps a `theorem` (`check_theorem`), or a `bound` after `horizon` pulls in an
    `environment` (`check_regret`); `options` go to that check.

    `make_policies` is what the check wants: for a bound (rows, generator), for a theorem (arms, budget, horizon, noise,
    generator, replications). Returns the report; raises AssertionError with it, and InvalidInput unless either a
    theorem or all three are given.
    """
    __tracebackhide__ = True
    from banditproof import verify

    given = {"environment": environment, "horizon": horizon, "bound": bound}
    missing = [name for name, value in given.items() if value is None]
    if theorem is None and missing:
        together = "given; a bound needs environment, horizon and bound, and a theorem is given as theorem= alone"
        raise InvalidInput(", ".join(missing), None, together)
    if theorem is not None and len(missing) < 3:
        others = ", ".join(name for name in given if name not in missing)
        raise InvalidInput("theorem", theorem, f"given alone, without {others}")
    share = share_of_error(error)
    check: Callable[..., StatisticalReport]  # whose arguments are read when it is called
    if theorem is None:
        check, arguments = verify.check_regret, (make_policies, environment, horizon, bound)
    else:
        check, arguments = verify.check_theorem, (make_policies, theorem)
    check = partial(check, *arguments, seconds=seconds, error=share, **options)
    return _settle("assert_regret", check, share, allow_inconclusive)


@checked
def assert_delta_correct(
    make_strategy: MakeStrategy,
    environment: Environment | Sequence[Environment] | int,
    delta: float,
    *,
    seconds: float | None = None,
    error: Fraction | float | str | None = None,
    allow_inconclusive: bool = False,
    **options: Any,
) -> StatisticalReport:
    """Assert that a strategy recommends a wrong arm with probability at most `delta` (`check_delta_correct`).

    `options` go to that check. Returns the report; raises AssertionError with it.
    """
    __tracebackhide__ = True
    from banditproof import verify

    share = share_of_error(error)
    arguments = make_strategy, environment, delta
    check = partial(verify.check_delta_correct, *arguments, seconds=seconds, error=share, **options)
    return _settle("assert_delta_correct", check, share, allow_inconclusive)


@dataclass(frozen=True)
class CertificateReport(Preformatted):
    """What re-verifying a certified result gave, in a sentence."""

    verdict: str
    reason: str

    def __str__(self) -> str:
        return f"{self.verdict}: {self.reason}"


@checked
def assert_certified(
    result: Any, *, within: tuple[Any, Any] | None = None, width: Any = None, allow_inconclusive: bool = False
) -> CertificateReport:
    """Assert that the certificate of a `result` holds: a design, a characteristic time, whatever has `recheck()`.

    Its `value` has to lie in the closed interval `within`, and be known to `width`, where they are given: numbers read
    exactly, text included. An enclosure that is too wide to tell is inconclusive.

    Returns the report; raises AssertionError with it, and InvalidInput for a result without certificate.
    """
    __tracebackhide__ = True
    if not callable(getattr(result, "recheck", None)):
        raise InvalidInput("result", result, "a result with a certificate, which has recheck()")
    if within is not None and _end(within[0]) > _end(within[1]):
        raise InvalidInput("within", within, "two numbers, the smaller one first")
    return _settle("assert_certified", partial(_certificate_report, result, within, width), None, allow_inconclusive)


def _certificate_report(result: Any, within: tuple[Any, Any] | None, width: Any) -> CertificateReport:
    from banditproof.theory import Enclosure
    from banditproof.theory.numbers.exact_numbers import exact

    if result.recheck() is not True:
        return CertificateReport("violation", f"the certificate of this {type(result).__name__} does not hold")
    if within is None and width is None:
        return CertificateReport("ok", "the certificate holds")
    value = Enclosure.outward(result.value)
    if within is not None:
        low, high = map(_end, within)
        if value.upper < low or value.lower > high:
            return CertificateReport("violation", f"{value} lies outside of [{low}, {high}]")
        if value.lower < low or value.upper > high:
            return CertificateReport(
                "inconclusive",
                f"{value} is too wide to tell whether the value lies in [{low}, {high}]: compute it more precisely",
            )
    if width is not None and value.width > exact("width", width, lambda number: number >= 0, "a number, not negative"):
        return CertificateReport("inconclusive", f"{value} is wider than {width}: compute it more precisely")
    return CertificateReport("ok", f"the certificate holds, the value lies in {value}")


def _end(given: Any) -> Fraction | float:
    """An end of an interval: exactly, or an infinity."""
    from banditproof.theory.numbers.exact_numbers import exact

    infinite = isinstance(given, float) and isinf(given)
    return given if infinite else exact("within", given, lambda _: True, "two numbers")


def _settle(
    assertion: str, check: Callable[[], Report], error: Fraction | None, allow_inconclusive: bool, passes: str = "ok"
) -> Report:
    """Run a check, note its verdict, and raise unless it is one that passes."""
    __tracebackhide__ = True
    start = perf_counter()
    report = _asserted(assertion, check)
    failed = report.verdict != passes and not (allow_inconclusive and report.verdict == "inconclusive")
    shown = _shown(report) if failed else ()
    note(assertion, report.verdict, error, _power(report), perf_counter() - start, shown)
    if failed:
        raise AssertionError(str(report))
    return report


def _asserted(assertion: str, check: Callable[[], Report]) -> Report:
    """What the check says. Where it names the right call of itself, which alone lets a test pass, the assertion is
    meant."""
    __tracebackhide__ = True
    try:
        return check()
    except InvalidInput as refused:
        checking, bracket, arguments = refused.meant.partition("(")
        if not (bracket and checking.startswith(("check_", "audit_"))):
            raise
        meant = f"{assertion.partition(' ')[0]}({arguments}"
        raise InvalidInput(refused.parameter, refused.value, refused.allowed, meant) from None


def _shown(report: Any) -> list[tuple[str, str, int]]:
    """The report at the line that asserts, the nearest one outside of this library, and at the line that it names."""
    from banditproof.verify.source_lines import PLACES

    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("banditproof."):
        frame = frame.f_back
    places = [(frame.f_code.co_filename, frame.f_lineno)]
    named = [violation.line.partition("\n")[0] for violation in getattr(report, "violations", ())[:1]]
    places += [PLACES[line] for line in named if line in PLACES]
    return [(str(report), file, line) for file, line in places]


def _power(report: Any) -> str:
    """What the runs of a report would have seen, in a few words; nothing of other checks.

    Of a violation: what it is. Where nothing is decided: why, and what would settle it.
    """
    first, *rest = str(report).splitlines()
    notes: tuple[str, ...] = getattr(report, "notes", ())
    told = " ".join([first, *map(str.strip, takewhile(lambda line: line.startswith("    "), rest))])  # as it is wrapped
    if report.verdict == "violation":
        return told.removeprefix("violation: ")
    if report.verdict == "inconclusive":
        told = told.removeprefix("inconclusive: ")
        return "; ".join([told, *(note for note in notes if "seconds" in note or "linearly" in note)])
    if not hasattr(report, "seen"):
        return getattr(report, "power", "")
    part = report.closest
    noticed = "no mean" if isinf(part.seen) else f"a mean of {part.seen:.4g}"
    linear = [note for note in notes if "linearly" in note]
    return "; ".join([f"{noticed} would have been noticed (bound {part.bound:.4g})", *linear])
