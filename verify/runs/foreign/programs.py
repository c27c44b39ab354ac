"""Programs in any language that speak JSON over standard input and output, a line each way in turn.

What a program reads and writes is in `program.schema.json`. Where it asks for its draws instead of making them, they
come from a stream of ours, and can be recorded and replayed like those of Python.
"""

from __future__ import annotations

import json
import os
import re
import select
import shlex
import signal
import subprocess
import tempfile
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, lru_cache, partial
from importlib.resources import files
from itertools import pairwise
from math import isfinite
from operator import eq
from time import monotonic
from types import FunctionType
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput, close_to
from banditproof.verify.runs.foreign.draws import only_arms_count

PATIENCE = 10.0  # seconds for one line
BATCH = 256  # runs whose lines are written before they are answered
AT_REST = 0.05  # seconds in which a program that has answered everything writes nothing
RECENT, TURNS = 8, 6  # runs whose lines may come again, and lines of a run that may be other ones than were told ahead
SPOILT = 8, 32  # processes that may be lost to lines told ahead, and besides them one in so many runs
KEPT_AGAIN = 1.25  # times as many runs from one that is kept to the next
LONGEST = 1_000_000  # bytes of a line
TELLING = re.compile(r"^(?!\s+at )(\w[\w.]*)?(Error|Exception)\b|cannot|not found|panic", re.IGNORECASE)
QUOTED = 120  # characters of a line in a message
SAMPLES = {"arm": '{"arm": 0}', "number": '{"number": 1.5}', "draw": '{"draw": "laplace", "scale": 1}'}
TYPES = {"integer": (int, float), "number": (int, float), "object": (dict,), "array": (list,)}
MARKS = {"minimum": ">=", "exclusiveMinimum": ">", "exclusiveMaximum": "<"}
AROUND = "laplace", "normal", "gumbel", "logistic"
LAWS: dict[str, Callable[[Any, dict[str, Any]], Any]] = {
    **dict.fromkeys(AROUND, lambda draw, asked: draw(asked.get("location", 0.0), asked["scale"])),
    "exponential": lambda draw, asked: draw(asked["scale"]),
    "uniform": lambda draw, asked: draw(),
    "geometric": lambda draw, asked: draw(asked["success"]),
    "integer": lambda draw, asked: draw(asked["of"]),
}
"""How what a program asks for is drawn by the method of a generator; `integer` is its `choice`."""


NOT_ANEW = (
    "what the program answers depends on earlier runs: after a line with 'reset' it has to begin anew, and the "
    "same lines have to have the same answers"
)


class ProgramStopped(Exception):
    """A program that hangs or ends: nothing can be said of it."""


# ------------------------------------------------------------------------------------------------------------- protocol


@cache
def schema() -> dict[str, Any]:
    """The JSON schema of what a program writes; `$defs` has that of what it reads."""
    return json.loads((files("banditproof.verify.runs.foreign") / "program.schema.json").read_text())


@lru_cache(4096)  # most lines occur again and again
def _read(line: str) -> dict[str, Any]:
    return json.loads(line)


@lru_cache(4096)
def wrong_with(line: str) -> str:
    """What the line of a program has to be, if it does not agree with the schema; "" if it does."""
    try:
        told = json.loads(line)
    except ValueError:
        return "one JSON object in a line"
    if not isinstance(told, dict):
        return f"one JSON object, such as {SAMPLES['arm']}"
    kinds = [kind for kind in schema()["oneOf"] if set(told) & {*SAMPLES} & {*kind["properties"]}]
    if "draw" in told:
        laws = [law for kind in kinds for law in kind["properties"].get("draw", {}).get("enum", ())]
        if told["draw"] not in laws:
            meant = close_to(told["draw"], laws) if isinstance(told["draw"], str) else ""
            return f"a draw that is one of {', '.join(laws)}{f' (did you mean {meant}?)' if meant else ''}"
        kinds = [kind for kind in kinds if told["draw"] in kind["properties"].get("draw", {}).get("enum", ())]
    if len(kinds) != 1:
        return f"an object with one of {', '.join(SAMPLES)}, such as {SAMPLES['arm']}"
    known = kinds[0]["properties"]
    if missing := [name for name in kinds[0]["required"] if name not in told]:
        return f"an object with {missing[0]!r} beside {next(iter(told))!r}"
    if unknown := [name for name in told if name not in known]:
        return f"an object without {unknown[0]!r}: what is known here is {', '.join(known)}"
    return next((f"an object whose {name!r} is {bad}" for name in told if (bad := _bad(told[name], known[name]))), "")


def _bad(value: Any, rule: dict[str, Any]) -> str:
    """What a value has to be by a rule of the schema, if it is not."""
    if "anyOf" in rule:
        return "" if any(not _bad(value, one) for one in rule["anyOf"]) else "a number or a list of numbers"
    if "enum" in rule:
        return "" if value in rule["enum"] else f"one of {', '.join(map(str, rule['enum']))}"
    kind = rule["type"]
    if isinstance(value, bool) or not isinstance(value, TYPES[kind]):
        return f"of type {kind}"
    if kind == "array" and len(value) < rule.get("minItems", 0):
        return "a list that is not empty"
    if kind in ("array", "object"):
        inner = value.values() if kind == "object" else value
        rule = rule["additionalProperties" if kind == "object" else "items"]
        return next((f"full of what is {bad}" for one in inner if (bad := _bad(one, rule))), "")
    inside = all(_within(value, name, rule[name]) for name in MARKS if name in rule)
    if isfinite(value) and inside and (kind == "number" or value % 1 == 0):
        return ""
    limits = [f" {mark} {rule[name]}" for name, mark in MARKS.items() if name in rule]
    return f"{'a finite number' if kind == 'number' else 'an integer'}{' and'.join(limits)}"


def _within(value: float, name: str, limit: float) -> bool:
    return value >= limit if name == "minimum" else value > limit if name == "exclusiveMinimum" else value < limit


# ------------------------------------------------------------------------------------------------------------ processes


SHELL = {"|", "||", "&&", ";", ">", ">>", "<"}  # signs of a shell; in quotes they are words for the program


class Program:
    """A command that is run once and begins anew with every reset; or run anew for each, if `alone`.

    After a failure every further use raises it again. `sent` and `heard` are the lines since the last reset, `kept` the
    lines of some runs, ever fewer of them, and `lines` is the number of all lines. Where it reads `ahead`, many may be
    written before they are answered: with a line go those that followed in an earlier run. What it answers counts up to
    the first of them that is not sent then; from there on it is told anew, after a reset.
    """

    def __init__(self, command: str, arms: int = 2) -> None:
        try:
            self.words = shlex.split(command)
        except ValueError as error:
            raise InvalidInput("program", command, f"a command ({error})") from None
        if SHELL & {*shlex.split(command, posix=False)}:
            raise InvalidInput("program", command, "a command without a shell", f"sh -c {shlex.quote(command)}")
        if not self.words:
            raise InvalidInput("program", command, "a command, such as 'node policy.js'")
        self.command, self.arms, self.patience = command, arms, PATIENCE
        self.alone, self.asks, self.ahead = False, False, False
        self.failure: ProgramStopped | InvalidInput | None = None
        self.sent: list[str] = []
        self.heard: list[str] = []
        self.kept: list[tuple[list[str], list[str]]] = []
        self._told: list[str] = []  # what the process was told since the last reset, and what it answered
        self._answered: list[str] = []
        self._recent: deque[tuple[list[str], list[str]]] = deque(maxlen=RECENT)
        self._turns, self._spoilt, self._strays = 0, 0, False  # strays: lines that do not count were told
        self.lines, self._runs, self._next_kept = 0, 0, 1
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = b""
        self._errors = tempfile.TemporaryFile()
        named = [word for word in self.words if os.path.isfile(word)]
        self.source = named[-1] if named else self.words[0]

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        self._errors.close()

    def end(self) -> None:
        """Stop the process, with what it has started."""
        self._rest = b""
        if self._process is not None:
            process, self._process = self._process, None
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # the group that it was made the first of
            with suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=self.patience)

    def number(self) -> int:
        """That of its process; 0 while there is none."""
        return 0 if self._process is None else self._process.pid

    def reset(self, seed: int, world: int, draw: Callable[[dict[str, Any]], float]) -> dict[str, Any]:
        """Begin anew. What comes back is an arm or a number; what is asked until then, `draw` answers."""
        if self.failure is not None:
            raise self.failure
        if self.alone:
            self.end()
        self._keep(self.sent, self.heard)
        self._recent.append((self.sent, self.heard))
        self._begin(TURNS * self.ahead)
        return self.tell(self.opening(seed, world), draw)

    def opening(self, seed: int, world: int) -> dict[str, Any]:
        """What it reads before a run."""
        return {"reset": seed, "arms": self.arms, "neighbour": world}

    def at_once(self, runs: Sequence[Sequence[str]], patience: float | None = None) -> list[list[str]] | None:
        """The answers to the lines of these runs, all of which are written before they are answered.

        None where it does not answer each with an arm or a number; then it does not read ahead from now on.
        """
        lines = [line for run in runs for line in run]
        try:
            told = iter(self._answers("\n".join([*lines, ""]).encode(), len(lines), lines[0], patience))
            heard = [[next(told) for _ in run] for run in runs]
            plain = not self._rest and not any(
                self._wrong(line) or _asks(line) > self.asks for run in heard for line in run
            )
        except (ProgramStopped, InvalidInput):
            plain = False
        if not plain:
            self.ahead = False
            self.end()
            return None
        for sent, answered in zip(runs, heard, strict=True):
            self._keep(self.sent, self.heard)
            self.sent, self.heard = list(sent), answered
        return heard

    @contextmanager
    def line_by_line(self) -> Iterator[None]:
        """Tell it a line once it has answered the one before, whether it reads ahead or not."""
        ahead, self.ahead = self.ahead, False
        try:
            yield
        finally:
            self.ahead = ahead

    def speaks(self) -> bool:
        """Whether it writes without being told anything: then lines that were told at once have answers of others."""
        ready, _, _ = select.select([self._pipes()[1]], [], [], AT_REST)
        return bool(ready or self._rest)

    def _keep(self, sent: list[str], heard: list[str]) -> None:
        """Keep the lines of a run that has ended, if none was kept for long."""
        self._runs += 1
        if self._runs > self._next_kept and not self.alone:
            self.kept.append((sent, heard))
            self._next_kept = int(KEPT_AGAIN * self._runs)

    def tell(self, what: dict[str, Any], draw: Callable[[dict[str, Any]], float]) -> dict[str, Any]:
        """Write a line, and answer what is asked until an arm or a number comes."""
        answer = self._exchange(json.dumps(what), draw)
        while "draw" in answer:
            self.asks = True
            answer = self._exchange(json.dumps({"value": draw(answer)}), draw)
        return answer

    def drawn(self, source: Any, asked: dict[str, Any]) -> float:
        """What a program asks for, by the method of a generator or a function of `numpy.random`."""
        law = asked["draw"]
        method = getattr(source, "choice" if law == "integer" else law)
        value = _on_line(self.source, int(asked.get("line", 0)))(LAWS[law], method, asked)
        return int(value) if law in ("integer", "geometric") else float(value)

    def again(self, sent: list[str]) -> list[str]:
        """What a process of its own answers to these lines."""
        self.end()
        self._begin(0)
        for line in sent:
            self._exchange(line)
        self.end()
        return self.heard

    def _exchange(self, line: str, draw: Callable[[dict[str, Any]], float] | None = None) -> dict[str, Any]:
        if self.failure is not None:
            raise self.failure
        try:
            self.sent.append(line)
            self.heard.append(self._answer(draw))
            if wrong := self._wrong(self.heard[-1]):
                place = f"line {len(self.heard)} of the program after a reset, in answer to {line},"
                raise InvalidInput(place, _quoted(self.heard[-1]), wrong)
        except (ProgramStopped, InvalidInput) as error:
            self.failure = error
            self.end()
            raise
        return _read(self.heard[-1])

    def _wrong(self, line: str) -> str:
        if wrong := wrong_with(line):
            return wrong
        arm = _read(line).get("arm", 0)
        return f"an arm below {self.arms} (give --arms if there are more)" if arm >= self.arms else ""

    def _begin(self, turns: int) -> None:
        self.sent, self.heard, self._turns = [], [], turns
        self._forget()

    def _forget(self) -> None:
        """Forget what it was told, before a reset; a process that waits for a draw would take this for one: it ends."""
        if self._answered and not self._strays and _asks(self._answered[-1]):
            self.end()
        self._told, self._answered, self._strays = [], [], False

    def _answer(self, draw: Callable[[dict[str, Any]], float] | None) -> str:
        """What it answers to the latest line."""
        at = len(self.sent) - 1
        if self._told[at : at + 1] != self.sent[at:]:
            if at < len(self._told) or self._strays or self._process is None:
                self._turns -= 1
                self._forget()
            self._tell(self.sent[len(self._told) :], self._likely(draw) if self._turns > 0 else [])
        return self._answered[at]

    def _likely(self, draw: Callable[[dict[str, Any]], float] | None) -> list[str]:
        """What followed in the one of the latest runs that had most lines of this one."""
        at, same = len(self.sent), lambda run: sum(map(eq, run[0], self.sent))
        sent, heard = max(reversed(self._recent), key=same, default=([], []))
        return draw.ahead(sent[at:], heard[at - 1 :]) if isinstance(draw, Ahead) else sent[at:]

    def _tell(self, lines: list[str], likely: list[str]) -> None:
        """Tell it these lines and what is likely to follow; its answers count while they ask for the next line."""
        told, before = [*lines, *likely], len(lines) - 1
        try:
            answered = self._answers("\n".join([*told, ""]).encode(), len(told), lines[0])
        except (ProgramStopped, InvalidInput):
            if not likely:
                raise
            return self._by_itself(self._process is not None and self._process.poll() is None)
        if answered[:before] != self.heard[len(self._told) :]:
            if not self._spoilt:
                raise ProgramStopped(NOT_ANEW)
            return self._by_itself(True)
        pairs = enumerate(pairwise(told[before:]), before)
        wrong = (k for k, (_, then) in pairs if self._wrong(answered[k]) or _asks(answered[k]) != _gives(then))
        right = next(wrong, len(told) - 1)
        self._told += told[: right + 1]
        self._answered += answered[: right + 1]
        if right < len(told) - 1:
            self._spoil('"arm"' not in answered[-1])

    def _by_itself(self, for_good: bool) -> None:
        """Tell the lines of this run to a new process, after one that could not be told ahead."""
        self._spoil(True)
        self.ahead &= not for_good
        self._forget()
        self._tell(self.sent, [])

    def _spoil(self, ends: bool) -> None:
        """Count a process that was told what nobody would have told it, and end it if a reset would not do."""
        self._turns, self._spoilt, self._strays = 0, self._spoilt + ends, True
        self.ahead = self._spoilt < SPOILT[0] + self._runs // SPOILT[1]
        if ends:
            self.end()

    def _answers(self, text: bytes, number: int, line: str, patience: float | None = None) -> list[str]:
        """So many lines of the program, in answer to a text that begins with this line."""
        if self._rest:
            extra = _quoted(self._rest.decode(errors="replace").splitlines()[0])
            raise InvalidInput("program", extra, f"silent until it has read the next line, here {line}")
        (given, heard), wait = self._pipes(), self.patience if patience is None else patience
        parts, size, missing = list[bytes](), 0, number
        text, ends = self._write(text, line), monotonic() + wait
        self.lines += number
        while missing > 0:
            ready, room, _ = select.select([heard], [given] * bool(text), [], max(0.0, ends - monotonic()))
            if room:
                text = self._write(text, line)
            if ready:
                parts.append(self._more(line))
                lines, ends = parts[-1].count(b"\n"), monotonic() + wait
                missing, size = missing - lines, len(parts[-1]) + (0 if lines else size)
            elif not room:
                cure = "does it write a line for every line that it reads, and flush its output?"
                raise ProgramStopped(f"the program did not answer {line} within {wait:g} seconds: {cure}")
            if size > LONGEST:
                raise InvalidInput("program", _quoted(parts[-1].decode(errors="replace")), "brief in a line")
        *answers, self._rest = b"".join(parts).split(b"\n", number)
        return [answer.decode(errors="replace").strip() for answer in answers]

    def _write(self, text: bytes, line: str) -> bytes:
        """Write as much of it as there is room for; the rest comes back."""
        try:
            return text[os.write(self._pipes()[0], text) :]
        except BlockingIOError:
            return text
        except BrokenPipeError:
            raise self._stopped(line) from None

    def _pipes(self) -> tuple[int, int]:
        """Where it reads, and where it writes."""
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        return process.stdin.fileno(), process.stdout.fileno()

    def _more(self, line: str) -> bytes:
        more = os.read(self._pipes()[1], 65536)
        if not more:
            raise self._stopped(line)
        return more

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._errors.truncate(0)
            pipe = subprocess.PIPE
            try:
                self._process = subprocess.Popen(
                    self.words, 0, stdin=pipe, stdout=pipe, stderr=self._errors, start_new_session=True
                )
            except OSError as error:
                raise InvalidInput("program", self.command, f"a command that can be run ({error.strerror})") from None
            assert self._process.stdin is not None
            os.set_blocking(self._process.stdin.fileno(), False)
        return self._process

    def _stopped(self, line: str) -> ProgramStopped:
        assert self._process is not None
        try:
            status = self._process.wait(self.patience)
        except subprocess.TimeoutExpired:
            return ProgramStopped(f"the program closed its output instead of answering {line}")
        ended = f"with status {status}" if status >= 0 else f"by signal {-status}"
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").strip().splitlines()
        named = (line for line in reversed(said) if TELLING.search(line))  # before a trace of calls, or a version
        why = f"; it said: {_quoted(next(named, said[-1]))}" if said else ""
        return ProgramStopped(f"the program ended {ended} instead of answering {line}{why}")


def _asks(line: str) -> bool:
    """Whether a line of the program asks for a draw."""
    return not wrong_with(line) and "draw" in _read(line)


def _gives(line: str) -> bool:
    """Whether a line for the program gives the draw that it has asked for."""
    return line.startswith('{"value"')


def _quoted(text: str) -> str:
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}..."


_ASKED = (lambda find, method, asked: find(method, asked)).__code__


@cache
def _on_line(source: str, line: int) -> Callable[..., Any]:
    """Draws, as if on a line of the program's source: by its file and number a draw is named, and told."""
    told = "the program" if line else "the program, which does not say on which line it draws"
    code = _ASKED.replace(co_filename=source, co_firstlineno=line, co_name=told)
    return FunctionType(code, {})


# ----------------------------------------------------------------------------------------------------------------- runs


class Ahead:
    """Independent draws, some of them made before they are asked for; the same words get them in order."""

    def __init__(self, draw: Callable[[dict[str, Any]], float]) -> None:
        self._draw, self._waiting = draw, defaultdict[str, list[float]](list)

    def __call__(self, asked: dict[str, Any]) -> float:
        waiting = self._waiting[json.dumps(asked)]
        return waiting.pop(0) if waiting else self._draw(asked)

    def ahead(self, lines: Sequence[str], answers: Sequence[str]) -> list[str]:
        """These lines with draws that wait: those for which the answers before them ask."""
        given, told = Counter[str](), []
        for line, answer in zip(lines, answers, strict=False):
            if _gives(line):
                asked = _read(answer)
                words = json.dumps(asked)
                if given[words] == len(self._waiting[words]):
                    self._waiting[words].append(self._draw(asked))
                line = json.dumps({"value": self._waiting[words][given[words]]})
                given[words] += 1
            told.append(line)
        return told


class Run:
    """One run of a policy: `select_arm` and `update`, as a policy of Python has them.

    Draws are made by `source`, a generator, or by the functions of `numpy.random`, which a tape may answer. `noisy` are
    the draws around a location since the last pull, and `keeps` the numbers, or lists of them, that the program says it
    keeps.
    """

    def __init__(self, program: Program, seed: int, source: Any = None) -> None:
        self._program, self._source = program, source
        self.noisy: dict[str, float] = {}
        self.keeps: dict[str, float | list[float]] = {}
        self._draw = Ahead(partial(program.drawn, np.random)) if only_arms_count() else self._drawn
        self._heard(program.reset(seed, 0, self._draw))

    def select_arm(self) -> int:
        """The arm that it pulls next."""
        return self._arm

    def update(self, arm: int, reward: float) -> None:
        """Tell what the arm has paid."""
        self.noisy = {}
        self._heard(self._program.tell({"reward": reward}, self._draw))

    def _drawn(self, asked: dict[str, Any]) -> float:
        value = self._program.drawn(np.random if self._source is None else self._source, asked)
        if "location" in asked:
            where = f" of line {asked['line']}" if "line" in asked else ""
            self.noisy[f"draw {len(self.noisy) + 1}{where}"] = value
        return value

    def _heard(self, answer: dict[str, Any]) -> None:
        if "arm" not in answer:
            raise InvalidInput("answer of the program", answer, f"an arm, such as {SAMPLES['arm']}, as before")
        self._arm, self.keeps = int(answer["arm"]), answer.get("keeps", {})


def play(program: Program, rewards: Sequence[float], seeds: Sequence[int], source: Any) -> np.ndarray:
    """The arms of runs with these seeds [n, T + 1], the last one after all rewards."""
    return np.array(_answers(program, "arm", 0, rewards, seeds, source))


def outputs(program: Program, world: int, seeds: Sequence[int], source: Any) -> list[Any]:
    """The outputs of runs, with these seeds, of a program that is a mechanism."""
    return [run[0] for run in _answers(program, "number", world, (), seeds, source)]


def _answers(
    program: Program, kind: str, world: int, rewards: Sequence[float], seeds: Sequence[int], source: Any
) -> list[list[Any]]:
    """What is answered in runs with these seeds: many are told at once where the program reads ahead."""
    tail, answers = [{"reward": reward} for reward in rewards], []
    lines, draw = [json.dumps(line) for line in tail], Ahead(partial(program.drawn, source))
    for some in (seeds[start : start + BATCH] for start in range(0, len(seeds), BATCH)):
        openings = [json.dumps(program.opening(seed, world)) for seed in some]
        many = program.ahead and not program.asks
        runs = program.at_once([[opening, *lines] for opening in openings]) if many else None
        answers += [[_read(line) for line in run] for run in runs or ()] or [
            [program.reset(seed, world, draw), *(program.tell(line, draw) for line in tail)] for seed in some
        ]
    if wrong := next((one for run in answers for one in run if kind not in one), None):
        raise InvalidInput("answer of the program", wrong, f"as before, such as {SAMPLES[kind]}")
    return [[answer[kind] for answer in run] for run in answers]
