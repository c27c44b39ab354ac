"""What a terminal shows of work that takes long: how far it is, what runs now, and how much is left."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from banditproof.claims.report.terminal import printable
from banditproof.cli.statuses import Status

PREFIX = {"study": "simulation ", "mutations": "false variants of "}
UNKNOWN = 0.05  # of the work: before so much is done nobody can say how long the rest takes


class Progress:
    """Progress as a live bar, or as a line every twentieth of the work; counts what an earlier run had done."""

    def __init__(self, bar: Any, total: int, live: bool, quiet: bool) -> None:
        self.bar, self.total, self.live, self.quiet = bar, total, live, quiet
        self.line = bar.add_task("", total=total, left="")
        self.done = self.reused = self.fresh = 0  # fresh: since what says nothing of how long the rest takes
        self.at_work: dict[tuple[str, str], None] = {}  # kinds and names in the order in which they began
        self.since = time.monotonic()

    def begun(self, kind: str, name: str) -> None:
        """A 'study', which nobody counted before, or a piece of another kind starts to run."""
        self.total += kind == "study"
        self.at_work[kind, name] = None
        self._show()

    def __call__(self, kind: str, record: dict[str, Any]) -> None:
        self.at_work.pop((kind, record["id"]), None)
        self.done += 1
        self.reused += kind == "reused"
        self.fresh += 1
        if kind in ("reused", "study"):  # what was there, and simulations, which come first and take much longer
            self.since, self.fresh = time.monotonic(), 0
        self._show()
        if not (self.live or self.quiet) and kind != "reused" and self.done % -(-self.total // 20) == 0:
            label = printable(f"{PREFIX.get(kind, '')}{record['id']} {_so_far(record)}", 100)
            left = f", {self._left()}" if self._left() else ""
            print(f"[{self.done}/{self.total}{left}] {label}", file=sys.stderr, flush=True)

    def _show(self) -> None:
        from rich.markup import escape

        names = ", ".join(f"{PREFIX.get(kind, '')}{name}" for kind, name in self.at_work)
        shown = {"description": escape(printable(names, 60)), "left": self._left()}
        self.bar.update(self.line, total=self.total, completed=self.done, **shown)

    def _left(self) -> str:
        """How long the rest takes if it goes on as it went; nothing while too little is done to tell."""
        rest = self.total - self.done
        if not rest or self.fresh < UNKNOWN * (self.fresh + rest):
            return ""
        seconds = (time.monotonic() - self.since) * rest / self.fresh
        return f"about {seconds / 60:.0f} min left" if seconds >= 90 else f"about {max(seconds, 1):.0f} s left"


def _so_far(record: Mapping[str, Any]) -> str:
    """The verdict of a record where nothing may hold it down any more: its parts, or what it rests on."""
    verdict = record.get("verdict")
    final = verdict == "refuted" or record.get("role") != "item" and not record.get("rests_on")
    return verdict if verdict and final else "done"


@contextmanager
def reading() -> Iterator[None]:
    """Says on a terminal that the claims are being read, which takes a second or two, while they are."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status("reading the claims"):
        yield


@contextmanager
def progress_bar(total: int, quiet: bool = False, doing: str = "checking") -> Iterator[Progress]:
    """A live bar on a terminal; on a pipe, a line every twentieth of the work; nothing where it is to be `quiet`."""
    from rich import progress
    from rich.console import Console

    console = Console(stderr=True)
    columns = (
        progress.TextColumn(doing),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
        progress.TextColumn("{task.fields[left]}"),
        progress.TextColumn("{task.description}"),
    )
    live = console.is_terminal and not quiet
    shared = sys.stdout.isatty()  # else what a command prints would go to the terminal and not where it is sent
    with progress.Progress(*columns, console=console, transient=True, disable=not live, redirect_stdout=shared) as bar:
        try:
            yield Progress(bar, total, live, quiet)
        except KeyboardInterrupt:
            bar.stop()
            print("banditproof: interrupted; the same command continues where it stopped", file=sys.stderr)
            raise SystemExit(Status.INTERRUPTED) from None
