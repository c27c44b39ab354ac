"""Audit of a program in any language: from outside by what it answers, and by replays where it asks for its draws.

Runs count as independent, so a program has to begin anew with every reset. That is looked at: the same lines are given
to processes of their own, before an audit and after it. A program with randomness that does not follow from the seed is
run in a process of its own each time, because there nobody can look.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

import numpy as np

from banditproof.theory import Budget, InvalidInput
from banditproof.theory.arguments import Seconds, Seed, Size, checked
from banditproof.theory.tables import Preformatted, Verdict
from banditproof.verify.audits.mechanism_audit import MechanismAudit, audit_mechanism
from banditproof.verify.audits.refutation import checked_promise, shown_parameter
from banditproof.verify.privacy.black_box import BlackBoxReport, audited
from banditproof.verify.proof.statistics import REPORT_ERROR
from banditproof.verify.runs.alignment import told_of
from banditproof.verify.runs.foreign.check import LENGTHS, ForeignCheck
from banditproof.verify.runs.foreign.draws import exchanged
from banditproof.verify.runs.foreign.numbers import parted_at
from banditproof.verify.runs.foreign.policies import PER_PULL, Replayed, Stage
from banditproof.verify.runs.foreign.programs import BATCH, NOT_ANEW, Program, Run, outputs, play
from banditproof.verify.runs.recorder import Rewards
from banditproof.verify.runs.report import PrivacyReport
from banditproof.verify.stopwatch import WallClock

LOOKED_AT = (40, 4, 12)  # rewards of runs of which is asked whether they follow from the seed, or from our draws
ALIKE = 3  # processes that have to answer the same lines in the same way
BETWEEN = 6  # runs before the same lines are given again
FED_AGAIN = 24  # runs that are given to a process of its own in the end
REPLAYS = 16  # of which the time is taken
AHEAD, AHEAD_RUNS = 1.0, 8  # seconds for a line, and runs, by which is seen whether a program reads ahead
SEEDS = 2**31
RUNS, SHORTEST, LONGEST = 20_000, 10.0, 60.0  # without `seconds` an audit takes as long as so many runs of 32 pulls
MEASURING, PART, LEAST = 0.05, 0.9, 0.1  # of the seconds: to take the time of runs, to make them, and in any case
ANEW = 0.2  # of the seconds, to see whether it begins anew: a process of its own may take a second to start
FEEDING = 0.1  # of the seconds, for runs that are given again
REPLAYED = 0.75  # of what is left, for replays by their work: the clock ends them, too
MOST_SAMPLES = 20_000  # of a mechanism
FEW_CASE_RUNS, CASE_RUNS = 20, 200  # of a counterexample that only shows in how often something occurs
TRIED = 200  # seeds with which arms may part
MOST_ARMS = 10_000
OUTSIDE = 0.5  # of the seconds, for a program that asks for its draws
SHOWN = 0.1  # of the runs: an answer that occurs as often on one input, and never on the other, has to show
FEW = "only {} runs on each input in the time that there was, too few to show what a tenth leak (give more seconds)"


@dataclass(frozen=True)
class ProgramReport(Preformatted):
    """What an audit of a program found: `outside` by its answers alone, `replays` where its draws were replayed.

    `failure` says why nothing can be said of it, `notes` what was not looked at. `cases` are two lists of lines for its
    standard input: a counterexample on rewards, or an input, and on the neighbour.
    """

    outside: BlackBoxReport | MechanismAudit | None
    replays: PrivacyReport | None = None
    failure: str = ""
    notes: tuple[str, ...] = ()
    cases: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    @property
    def verdict(self) -> Verdict:
        """ "violation", "inconclusive" or "not refuted"; nobody can see all branches of a program, so never "ok"."""
        if self.failure or self.outside is None:
            return Verdict("inconclusive")
        if self.outside.verdict == "violation" or (self.replays is not None and self.replays.violations):
            return Verdict("violation")
        if self.replays is not None:
            return Verdict("not refuted" if self.replays.ok else "inconclusive")
        return self.outside.verdict

    def __str__(self) -> str:
        if self.failure or self.outside is None:
            return f"inconclusive: {self.failure}"
        if self.outside.verdict == "violation" or self.replays is None:
            told = [str(self.outside)]
        elif self.replays.violations:
            told = ["\n".join(told_of(violation)) for violation in self.replays.violations]
            told[0] = f"{self.replays.verdict}: {told[0]}"
        else:
            told = [str(self.replays).removeprefix("ok: "), f"from outside: {self.outside}"]
            told = ["not refuted, which does not mean private"] * self.replays.ok + told
        return "\n".join([*told, *self.notes])


@checked
def audit_program(
    command: str,
    budget: Budget,
    *,
    seconds: Seconds | None = None,
    samples: Size | None = None,
    seed: Seed = 0,
    arms: int = 2,
) -> ProgramReport:
    """Try to refute that a program keeps the `budget`; it reads and writes JSON lines (`program.schema.json`).

    A program that answers a reset with an arm is a policy and is audited as by `audit_private`; where it asks for draws
    and has no other randomness, these are replayed as by `check_privacy`. One that answers with a number is a mechanism
    and is audited as by `audit_mechanism`, on the inputs 0 and 1. `samples` are fresh runs on either input.

    It takes `seconds` by the clock, if they are given. Otherwise it takes as long as 20,000 runs of 32 pulls do, ten
    seconds at least and a minute at most, without the time in which it could have run and others had the cores.

    A program that stops, hangs for ten seconds or does not begin anew is inconclusive. Raises InvalidInput for a
    command that cannot be run and for a line that is not in the protocol.
    """
    if not 2 <= arms <= MOST_ARMS:
        raise InvalidInput("arms", arms, f"between 2 and {MOST_ARMS}")
    with Program(command, int(arms)) as program:
        try:
            clock = type("_Clock", (WallClock,), {"watched": program.number if seconds is None else None})
            return _audited(program, budget, clock, seconds, samples, seed)
        except Exception:
            if program.failure is None:
                raise
            failure = program.failure  # what a check has made of it says less
        if isinstance(failure, InvalidInput):
            raise failure
        return ProgramReport(None, failure=str(failure))


def _audited(
    program: Program, budget: Budget, kind: type[WallClock], given: float | None, samples: int | None, seed: int
) -> ProgramReport:
    clock, seconds = kind(), SHORTEST if given is None else given
    first = program.reset(seed, 0, lambda asked: program.drawn(np.random.default_rng(seed), asked))
    policy = "arm" in first
    sides: tuple[Any, Any] = ((0.0, 1.0), (1.0, 0.0)) if policy else (0, 1)
    speak: Callable[..., Any] = play if policy else outputs
    if not _begins_anew(program, speak, sides, seed, lambda: clock.seconds() > ANEW * seconds):
        return ProgramReport(None, failure=NOT_ANEW)
    notes = [] if not program.alone else ["its answers do not follow from the seed: every run had a process of its own"]
    program.ahead = not program.alone and _reads_ahead(program)
    side = sides[0] * (LENGTHS[0] // 2) if policy else sides[0]
    per_run, per_pull = _pace(program, speak, side, seed, clock, MEASURING * seconds)
    seconds = min(LONGEST, max(SHORTEST, RUNS * per_run)) if given is None else given
    feeding = 0.0 if program.alone else FEEDING * seconds
    left = max(LEAST * seconds, seconds - clock.seconds() - feeding)  # for the audits
    until = clock.seconds() + left
    replays, cases = None, ((), ())
    if policy:
        follows = program.asks and not program.alone and _follows_draws(program, seed)
        share = OUTSIDE if follows else 1.0

        def player(rewards: Sequence[float], size: int, generator: np.random.Generator) -> np.ndarray:
            return play(program, rewards[:-1], generator.integers(SEEDS, size=size).tolist(), generator)

        outside: Any = audited(player, budget, share * PART * left, samples, seed, None, REPORT_ERROR, kind)
        sides = outside.rewards, outside.neighbour
        if follows and outside.verdict != "violation":
            seeds = count(seed)
            pace = _pace_of_replays(program, side, seed, clock) if program.ahead else per_pull
            fresh = Replayed(lambda: Run(program, next(seeds) % SEEDS), per_pull=pace)
            rest = max(until - clock.seconds(), LEAST * seconds) if samples is None else None
            work = seconds if rest is None else REPLAYED * rest
            check = ForeignCheck(fresh, budget, work, seed, LENGTHS[-1], until=rest)
            check.clock = kind()
            replays = check.report()
        elif program.asks and not follows:
            notes.append("it has randomness besides the draws that it asks for, so that these could not be replayed")
        elif not program.asks:
            notes.append("it asks for no draws: nothing was looked at but the arms of the first pulls")
    else:

        def mechanism(world: int, size: int, generator: np.random.Generator) -> np.ndarray:
            drawn = outputs(program, world, generator.integers(SEEDS, size=size).tolist(), generator)
            if len({np.shape(one) for one in drawn}) > 1:
                sizes = sorted({np.size(one) for one in drawn})
                raise InvalidInput("number", sizes, "as many numbers in all answers of the program")
            return np.array(drawn, dtype=float)

        affordable = min(MOST_SAMPLES, max(1, int(PART * left / per_run / 4)))
        outside = audit_mechanism(mechanism, budget, samples=samples or affordable, seed=seed)
    if program.failure is not None:
        raise program.failure
    if outside.verdict == "violation":
        cases = tuple(_many(program, speak, side, seed, clock, until) for side in sides)
    elif replays is not None and replays.violations:
        violation = replays.violations[0]
        cases = _parting(program, violation.rewards, violation.neighbour, seed, clock, until)
    few = ""
    if isinstance(outside, MechanismAudit) and samples is None and outside.verdict == "not refuted":
        runs, error = outside.samples, outside.error
        if shown_parameter(budget, int(SHOWN * runs), 0, samples=runs, error=error) <= checked_promise(budget, error):
            few = f"{FEW.format(runs)}: {outside}"
    if not _answers_again(program, lambda: samples is None and clock.seconds() > seconds):
        return ProgramReport(outside, replays, failure=NOT_ANEW)
    return ProgramReport(outside, replays, few, tuple(notes), cases=(cases[0], cases[1]))


def _answers_again(program: Program, late: Callable[[], bool]) -> bool:
    """Whether processes of their own answer the latest of the kept runs alike; some of them in any case, and more as
    time is left."""
    if program.ahead and program.speaks():
        return False
    latest = () if program.alone else enumerate(program.kept[: -FED_AGAIN - 1 : -1])
    return all(program.again(sent) == heard for k, (sent, heard) in latest if k < ALIKE or not late())


def _reads_ahead(program: Program) -> bool:
    """Whether it answers runs alike where all of their lines are written before one is answered."""
    sent, heard = zip(*program.kept[-AHEAD_RUNS:], strict=True)
    return program.at_once(sent, AHEAD) == list(heard)


def _begins_anew(
    program: Program, speak: Callable[..., Any], sides: tuple[Any, Any], seed: int, late: Callable[[], bool]
) -> bool:
    """Whether the same lines have the same answers after other runs as in a process of its own.

    A program that answers otherwise in every process is run `alone` from now on. Once it is `late`, one process of its
    own and one list are enough: some of all runs are told again to another process in the end.
    """
    generator = np.random.default_rng(seed)

    def spoken(side: Any, number: int) -> list[str]:
        speak(program, side, [number], np.random.default_rng(number))
        return program.heard

    def sides_of(length: int) -> Any:
        return tuple(generator.integers(0, 5, length) / 4) if speak is play else length % 2

    def by_itself() -> list[str]:
        program.end()
        return spoken(side, number)

    for length in LOOKED_AT:
        side, number = sides_of(length), int(generator.integers(SEEDS))
        expected = by_itself()
        program.alone = any(by_itself() != expected for k in range(ALIKE) if not k or not late())
        for k in range(BETWEEN):
            spoken(sides_of(1 + k), int(generator.integers(SEEDS)))
        if not program.alone and spoken(side, number) != expected:
            program.alone = any(by_itself() != expected for _ in range(FED_AGAIN))
            if not program.alone:
                return False
        if program.alone or late():
            break
    return True


def _pace(
    program: Program, speak: Callable[..., Any], side: Any, seed: int, clock: WallClock, seconds: float
) -> tuple[float, float]:
    """The seconds of a run, and microseconds for a line of ours, measured in so many seconds."""
    began, before, runs, size = clock.seconds(), program.lines, 0, 1
    while not runs or clock.seconds() - began < seconds:
        speak(program, side, range(seed + runs, seed + runs + size), np.random.default_rng(seed))
        runs, size = runs + size, min(2 * size, BATCH) if program.ahead else 1
    passed = clock.seconds() - began
    return passed / runs, 1e6 * passed / (program.lines - before)


def _pace_of_replays(program: Program, rewards: Rewards, seed: int, clock: WallClock) -> float:
    """The microseconds that a pull takes besides where runs with the same draws are told in turn, a reward changed."""
    stage = Stage(Replayed(partial(Run, program, seed)))
    with exchanged():
        stage.play(tuple(rewards), seed)
        began = clock.seconds()
        for t in range(REPLAYS):
            stage.play((*rewards[:t], 1 - rewards[t], *rewards[t + 1 :]), seed)
    return max(0.0, 1e6 * (clock.seconds() - began) / (REPLAYS * len(rewards)) - PER_PULL)


def _follows_draws(program: Program, seed: int) -> bool:
    """Whether its answers follow from the rewards and from the draws that it asks for, whatever the seed is."""
    generator = np.random.default_rng(seed)
    for length in LOOKED_AT:
        rewards, number = tuple(generator.integers(0, 2, length) / 1.0), int(generator.integers(SEEDS))
        heard = []
        for other in range(ALIKE):
            with program.line_by_line():
                play(program, rewards, [number + other], np.random.default_rng(number))
            heard.append(program.heard)
        if any(one != heard[0] for one in heard):
            return False
    return True


def _many(
    program: Program, speak: Callable[..., Any], side: Any, seed: int, clock: WallClock, until: float
) -> tuple[str, ...]:
    """The lines of many runs on one side; of fewer ones where the time is over."""
    generator, lines = np.random.default_rng(seed), []
    for k in range(CASE_RUNS):
        if k >= FEW_CASE_RUNS and clock.seconds() > until:
            break
        speak(program, side, [int(generator.integers(SEEDS))], generator)
        lines += program.sent
    return tuple(lines)


def _parting(
    program: Program, rewards: Sequence[float], neighbour: Sequence[float], seed: int, clock: WallClock, until: float
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines of two runs with the same draws whose arms part, if there are any, else of the last ones."""
    stage, lines = Stage(Replayed(partial(Run, program, seed % SEEDS))), ((), ())
    with exchanged():
        for number in range(seed, seed + TRIED):
            runs = []
            for side in (rewards, neighbour):
                runs.append((stage.play(tuple(side), number, bare=True), tuple(program.sent)))
            lines = runs[0][1], runs[1][1]
            if parted_at(runs[0][0], runs[1][0]) is not None or clock.seconds() > until:
                break
    return lines
