"""Every benchmark in one run: ratios to named baselines, growth with the size, peak memory, as table, JSON and picture.

    make benchmarks
    python benchmarks/run.py [--only NAME ...] [--list] [--longer 20] [--output report]
    python benchmarks/run.py --page docs/growth.md     # its curves alone, and the page with them

Each benchmark has a process of its own, one after the other. The whole takes about a quarter of an hour; ``--longer``
multiplies the seeds of those that count errors.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module, metadata
from pathlib import Path
from time import perf_counter
from typing import Any

import curves
import measuring

ROOMS = ("programs", "simulations", "growth", "errors")


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure speed, growth, memory and error rates.")
    parser.add_argument("--only", action="append", metavar="NAME", help="this benchmark alone (repeatable)")
    parser.add_argument("--list", action="store_true", help="name the benchmarks and their baselines")
    parser.add_argument("--longer", type=int, default=1, help="times as many seeds where errors are counted")
    parser.add_argument("--output", type=Path, default=Path("report"), help="folder of benchmarks.json and .svg")
    parser.add_argument("--page", type=Path, help="measure the curves of this page alone, and write them there")
    parser.add_argument("--rows-of", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.rows_of:  # a process of its own, whose memory is that benchmark's
        room, name = asked.rows_of
        import_module(room)
        for row in measuring.measure(measuring.KNOWN[name], asked.longer):
            print(json.dumps(row.to_json()), flush=True)
        return 0
    for room in ROOMS:
        import_module(room)
    asked.only = [*curves.CURVES] if asked.page else asked.only
    unknown = [name for name in asked.only or () if name not in measuring.KNOWN]
    if unknown or asked.longer < 1:
        parser.error(f"no benchmark is called {', '.join(unknown)}" if unknown else "--longer must be at least 1")
    chosen = [one for name, one in measuring.KNOWN.items() if not asked.only or name in asked.only]
    if asked.list:
        for one in chosen:
            print(f"{one.name:28} against {one.baseline}")
        return 0
    asked.output.mkdir(parents=True, exist_ok=True)
    return run(chosen, asked.longer, asked.output, asked.page)


def run(chosen: Sequence[Any], longer: int, output: Path, page: Path | None = None) -> int:
    """Measure the chosen benchmarks and write what was found, on a page of curves too; 1 where one of them failed."""
    start, measured, failed = perf_counter(), [], []
    for number, one in enumerate(chosen, start=1):
        print(f"\n[{number} of {len(chosen)}, {perf_counter() - start:.0f} s] {one.name}, against {one.baseline}")
        rows, status = rows_of(one, longer)
        power = measuring.growth(rows) if isinstance(one, measuring.Benchmark) else None
        if power is not None:
            print(f"  grows like {one.unit}^{power:.2f}")
        failed += [one.name] * bool(status)
        facts = {"name": one.name, "baseline": one.baseline, "growth": power}
        measured.append(facts | {"rows": [row.to_json() for row in rows]})
    facts = {
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": perf_counter() - start,
        "machine": {"processor": platform.machine(), "python": platform.python_version()},
        "versions": {name: metadata.version(name) for name in ("banditproof", "numpy", "scipy", "python-flint")},
    }
    (output / "benchmarks.json").write_text(json.dumps(facts | {"benchmarks": measured}, indent=1), encoding="utf-8")
    draw(measured, output / "benchmarks.svg")
    if page is not None and not failed:
        curves.write(measured, page)
    print(f"\n{perf_counter() - start:.0f} s; written to {output}: benchmarks.json, benchmarks.svg")
    for name in failed:
        print(f"{name} failed", file=sys.stderr)
    return bool(failed)


def rows_of(one: measuring.Benchmark | measuring.Alarms, longer: int) -> tuple[list[measuring.Row], int]:
    """The rows that a process of its own measures, printed as they come, and its exit status."""
    rows = []
    command = [sys.executable, __file__, "--rows-of", one.measured.__module__, one.name, "--longer", str(longer)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            found = json.loads(line)
            found.pop("ratio")
            rows.append(measuring.Row(**found))
            print(f"  {shown(rows[-1])}", flush=True)
    return rows, process.returncode


def shown(row: measuring.Row) -> str:
    """A row as a line of the terminal."""
    if row.wrong is not None:
        return f"{row.case:44} {row.wrong:4} of {row.size:<6} wrong {row.seconds:10.1f} s {row.peak:8.0f} MiB"
    other = "" if row.baseline is None else f"   baseline {row.baseline:11.4g} s   ratio {row.ratio:9.3g}"
    return f"{row.case:32} {row.seconds:11.4g} s {row.peak:8.0f} MiB{other}"


def draw(measured: Sequence[dict[str, Any]], path: Path) -> None:
    """For each, the ratio to the baseline at the largest size that has one, and how the seconds grow with the size."""
    from matplotlib.figure import Figure

    shown = [one for one in measured if one["growth"] is not None]
    names = [one["name"] for one in shown]
    ratios = [[row["ratio"] for row in one["rows"] if row["ratio"] is not None] for one in shown]
    drawing = Figure(figsize=(10, 1.5 + 0.22 * len(names)), layout="constrained")
    left, right = drawing.subplots(1, 2, sharey=True)
    left.barh(names, [found[-1] if found else float("nan") for found in ratios], color="#0072b2")
    left.set(xscale="log", xlim=(0.1, None), xlabel="times as fast as the named baseline")
    right.plot([one["growth"] for one in shown], names, "o", color="#d55e00")
    right.set(xlabel="power of the size that the seconds grow with")
    for axes in (left, right):
        axes.axvline(1, color="black", linewidth=0.8)
        axes.grid(axis="x", alpha=0.3)
    left.invert_yaxis()
    drawing.savefig(path)


if __name__ == "__main__":
    sys.exit(main())
