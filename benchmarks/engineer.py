"""What the checks make of policies with one bug each, and of sound ones: found, called ok, inconclusive, seconds.

The policies are files of `benchmarks/policies`, written by engineers who had not seen the checks. The docstring of a
file begins with `BUG:` or `HARMLESS:`, and says which `LINE:` is to blame and what is `DECLARED:` (privacy) or claimed
(`CLAIMS:`). All checks run with the defaults of the docs; `--folder` takes files of one's own.

    python benchmarks/engineer.py [privacy] [regret] [identification] [--seeds N] [--only NAME ...] [--json FILE]
    python benchmarks/engineer.py --page docs/power.md --json FILE ...

The second one runs nothing: it writes the tables of the runs that are filed into the page.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any

from banditproof.theory import Budget
from banditproof.verify import (
    against_rivals,
    audit_private,
    check_delta_correct,
    check_privacy,
    check_stopping,
    check_theorem,
)

POLICIES = Path(__file__).parent / "policies"
OUTCOMES = ("violation", "ok", "inconclusive")
BEGIN, END = "<!-- benchmarks/engineer.py writes from here -->", "<!-- to here -->"
NUMBER = re.compile(r"(\w+) ?= ?([0-9.e+-]*[0-9])")


def declared(module: ModuleType) -> Budget:
    """The budget that the docstring declares."""
    text = next(line for line in (module.__doc__ or "").splitlines() if line.startswith("DECLARED:"))
    given = {name: float(value) for name, value in NUMBER.findall(text)}
    for kind, names in {"approximate": ("epsilon", "delta"), "rdp": ("order", "epsilon")}.items():
        if set(names) <= given.keys():
            return getattr(Budget, kind)(*(given[name] for name in names))
    kind, name = next((k, n) for k, n in {"pure": "epsilon", "zcdp": "rho", "gdp": "mu"}.items() if n in given)
    return getattr(Budget, kind)(given[name])


def privacy(module: Any, seed: int) -> Any:
    if getattr(module, "BLACK_BOX", False):
        return audit_private(module.make, declared(module), seed=seed)
    return check_privacy(module.make, declared(module), seed=seed)


def regret(module: Any, seed: int) -> Any:
    return check_theorem(module.make_policy_for, module.NAME, budgets=module.BUDGETS, seed=seed, progress=False)


def identification(module: Any, seed: int) -> Any:
    if hasattr(module, "STOPPING"):  # its claim is a stopping rule
        return check_stopping(module.make_one, module.STOPPING, against_rivals(module.asked), seed=seed)
    return check_delta_correct(module.make_strategy, module.WHERE, module.DELTA, seed=seed, progress=False)


CHECKS: dict[str, Callable[[Any, int], Any]] = {"privacy": privacy, "regret": regret, "identification": identification}


def modules(folder: Path, only: list[str]) -> Iterator[ModuleType]:
    """The files of a folder that have a policy, loaded."""
    sys.path.insert(0, str(folder))  # some share a helper
    for file in sorted(folder.glob("*.py")):
        if only and file.stem not in only or not re.match(r'r?"""\s*(BUG|HARMLESS):', file.read_text()):
            continue
        spec = importlib.util.spec_from_file_location(f"{folder.name}_{file.stem}", file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[module.__name__] = module
        spec.loader.exec_module(module)
        yield module


def runs(kind: str, folder: Path, seeds: int, only: list[str]) -> Iterator[dict[str, Any]]:
    for module in modules(folder, only):
        for seed in range(seeds):
            start = process_time()
            report = CHECKS[kind](module, seed)
            verdict = {"not refuted": "ok"}.get(report.verdict, report.verdict)
            yield {
                "kind": kind,
                "name": Path(module.__file__ or "").stem,
                "broken": (module.__doc__ or "").strip().startswith("BUG"),
                "seed": seed,
                "verdict": verdict,
                "seconds": process_time() - start,
                "report": str(report),
            }


def table(rows: list[dict[str, Any]]) -> str:
    """A line for the broken ones of each kind, and one for the sound ones."""
    lines = [f"{'':30}{'runs':>6}{'violation':>11}{'ok':>6}{'inconclusive':>14}{'seconds':>9}"]
    for kind, broken in sorted({(row["kind"], row["broken"]) for row in rows}, key=lambda x: (x[0], not x[1])):
        those = [row for row in rows if (row["kind"], row["broken"]) == (kind, broken)]
        count = Counter(row["verdict"] for row in those)
        middle = sorted(row["seconds"] for row in those)[len(those) // 2]
        shown = [count[outcome] for outcome in OUTCOMES]
        name = f"{kind}, {'broken' if broken else 'sound'}"
        lines.append(f"{name:30}{len(those):6}{shown[0]:11}{shown[1]:6}{shown[2]:14}{middle:9.1f}")
    return "\n".join(lines)


def files_of(folder: Path, broken: bool) -> list[Path]:
    """The files of a folder with a bug, or the sound ones."""
    word = "BUG" if broken else "HARMLESS"
    return [file for file in folder.glob("*.py") if re.match(rf'r?"""\s*{word}:', file.read_text())]


def named_lines(row: dict[str, Any]) -> tuple[int, list[int]] | None:
    """The number of the line that the header of a privacy bug blames, and those that its report names; None if it is
    not in the file."""
    text = (POLICIES / row["kind"] / f"{row['name']}.py").read_text().splitlines()
    blamed = next(line.removeprefix("LINE:").strip() for line in text if line.startswith("LINE:"))
    at = [k for k, line in enumerate(text, 1) if blamed in line and not line.startswith("LINE:")]
    named = [int(k) for k in re.findall(rf"(?m)^  (?:at|from) {row['name']}\.py:(\d+) in", row["report"])]
    return (at[0], named) if at else None


def messages(rows: list[dict[str, Any]]) -> list[str]:
    """How often a violation names the line that the header of the file blames, and how long the messages are."""
    found = [row for row in rows if row["kind"] == "privacy" and row["broken"] and row["verdict"] == "violation"]
    lines = [pair for row in found if not row["report"].startswith("violation: ") if (pair := named_lines(row))]
    said = [("the very line", 0), ("at most two lines away", 2), ("at most five lines away", 5)]
    shares = [
        f"| {name} | {sum(any(abs(k - at) <= far for k in named) for at, named in lines) / len(lines):.0%} |"
        for name, far in said
    ]
    longest = max(row["report"].count("\n") + 1 for row in found)
    said_below = f"{len(lines)} messages name lines; the longest of all has {longest} lines."
    return ["| named among the lines of a message | share of violations |", "|---|---|", *shares, "", said_below]


def page(rows: list[dict[str, Any]]) -> str:
    """The tables as Markdown, and the policies that were not found, by outcome."""
    lines = ["| | policies | runs | violation | ok | inconclusive | seconds, median |", "|---|---|---|---|---|---|---|"]
    for kind, broken in sorted({(row["kind"], row["broken"]) for row in rows}, key=lambda x: (x[0], not x[1])):
        those = [row for row in rows if (row["kind"], row["broken"]) == (kind, broken)]
        count = Counter(row["verdict"] for row in those)
        middle = sorted(row["seconds"] for row in those)[len(those) // 2]
        outcomes = " | ".join(str(count[outcome]) for outcome in OUTCOMES)
        files = f"{len({row['name'] for row in those})} of {len(files_of(POLICIES / kind, broken))}"
        lines.append(
            f"| {kind}, {'broken' if broken else 'sound'} | {files} | {len(those)} | {outcomes} | {middle:.1f} |"
        )
    seeds = sorted(Counter(row["seed"] for row in rows).items())
    lines += ["", "Runs by seed: " + ", ".join(f"{count} with seed {seed}" for seed, count in seeds) + "."]
    wrong = [row for row in rows if row["verdict"] != ("violation" if row["broken"] else "ok")]
    lines += ["", "Not found, or not settled:" if wrong else "All were found or settled.", *[""][: len(wrong)]]
    for kind, name in sorted({(row["kind"], row["name"]) for row in wrong}):
        of = [row for row in wrong if (row["kind"], row["name"]) == (kind, name)]
        said = ", ".join(f"{row['verdict']} with seed {row['seed']}" for row in of)
        lines.append(f"- `{name}` ({kind}): {said}")
    return "\n".join([*lines, "", *messages(rows)])


def write_page(file: Path, text: str) -> None:
    """Put the text between the two marks of a page."""
    before, rest = file.read_text().split(BEGIN)
    file.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.split(END)[1]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", choices=[*CHECKS, []], help="all of them by default")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=POLICIES, help="with a folder for each kind")
    parser.add_argument("--only", nargs="*", default=[], help="names of files")
    parser.add_argument("--json", type=Path, nargs="+", default=[], help="a file for every run, one in a line")
    parser.add_argument("--page", type=Path, help="a page for the tables of the runs that are filed")
    given = parser.parse_args()
    if given.page is not None:
        filed = [json.loads(line) for file in given.json for line in file.read_text().splitlines()]
        write_page(given.page, page(filed))
        return
    rows = []
    for kind in given.kinds or CHECKS:
        for row in runs(kind, given.folder / kind, given.seeds, given.only):
            rows.append(row)
            wanted = "violation" if row["broken"] else "ok"
            if row["verdict"] != wanted or given.only:
                print(f"{row['verdict']}: {kind}/{row['name']}, seed {row['seed']}, {row['seconds']:.1f} s", flush=True)
            for file in given.json:
                with file.open("a") as lines:
                    lines.write(json.dumps(row) + "\n")
    print(table(rows))


if __name__ == "__main__":
    main()
