"""What the checks make of policies with one bug each, and of sound ones: found, called ok, inconclusive, seconds.

The policies are those of `benchmarks/policies` (`collection.py`), written by engineers who had not seen the checks. The
docstring of a policy begins with `BUG:` or `HARMLESS:`, and says what is `DECLARED:` of privacy; `# BUG` marks the line
to blame. All checks run with the defaults of the docs; `--folder` takes collections or files of one's own.

    python benchmarks/engineer.py [privacy] [regret] [identification] [plain/privacy] ... [--seeds N] [--only NAME ...]
                                  [--json FILE]
    python benchmarks/engineer.py --page docs/power.md --json FILE ...

The second one runs nothing: it writes the tables of the runs that are filed into the page, between the marks of their
kind.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any

import numpy as np
from collection import POLICIES, folder_of
from measuring import write_between

from banditproof.theory import Budget
from banditproof.theory.privacy.budget import KINDS
from banditproof.verify import (
    against_rivals,
    audit_private,
    check_delta_correct,
    check_privacy,
    check_stopping,
    check_theorem,
    replayed,
)
from banditproof.verify.testing.adapters import Adapted

HORIZONS = {32: 32, 1000: None}  # that a policy without the library is made for, and that its check is asked for
OUTCOMES = ("violation", "ok", "inconclusive")
BEGIN, END = "<!-- {} runs, by benchmarks/engineer.py -->", "<!-- end of {} runs -->"
NUMBER = re.compile(r"(\w+) ?= ?([0-9.e+-]*[0-9])")


def declared(module: ModuleType) -> Budget:
    """The budget that the docstring declares."""
    text = next(line for line in (module.__doc__ or "").splitlines() if line.startswith("DECLARED:"))
    given = {name: float(value) for name, value in NUMBER.findall(text)}
    stated = {kind: known.ranges.keys() for kind, known in KINDS.items() if known.ranges.keys() <= given.keys()}
    kind = max(stated, key=lambda kind: len(stated[kind]))  # epsilon with delta is no pure budget
    return Budget.of(kind, **{name: given[name] for name in stated[kind]})


def privacy(module: Any, seed: int) -> Any:
    if getattr(module, "BLACK_BOX", False):
        return audit_private(module.make, declared(module), seed=seed)
    return check_privacy(module.make, declared(module), seed=seed, horizon=getattr(module, "MADE_FOR", None))


def regret(module: Any, seed: int) -> Any:
    return check_theorem(module.make_policy_for, module.NAME, budgets=module.BUDGETS, seed=seed, progress=False)


def identification(module: Any, seed: int) -> Any:
    if hasattr(module, "STOPPING"):  # its claim is a stopping rule
        return check_stopping(module.make_one, module.STOPPING, against_rivals(module.asked), seed=seed)
    return check_delta_correct(module.make_strategy, module.WHERE, module.DELTA, seed=seed, progress=False)


def plain_privacy(module: Any, seed: int) -> Any:
    """What `replayed` says of a short and of a long horizon; where that is open, an audit of the arms may refute it.

    Of the long one, the check plays as much as the time allows.
    """

    def hear(player: Any, arm: int, reward: float) -> None:
        player.update(arm, reward)

    def make(generator: np.random.Generator, horizon: int) -> Any:
        return module.Policy(3, 1.0, horizon, generator)

    report = None
    for made_for, horizon in HORIZONS.items():
        foreign = replayed(lambda T=made_for: make(np.random.default_rng(), T), choose=lambda p: p.select(), hear=hear)
        report = check_privacy(foreign, Budget.pure(1.0), seed=seed, horizon=horizon)
        if report.verdict == "violation":
            return report
    assert report is not None
    if report.ok:
        return report
    short = min(HORIZONS)
    adapted = lambda noise, generator: Adapted(make(generator, short), 3, lambda p: p.select(), hear)  # noqa: E731
    audit = audit_private(adapted, Budget.pure(1.0), seed=seed, horizon=short)
    return audit if audit.verdict == "violation" else report


def plain_regret(module: Any, seed: int) -> Any:
    first = (module.__doc__ or "").splitlines()[0]
    name, private = next(pair for word, pair in PRETENDED.items() if word in first)

    def make(arms: int, budget: Any, horizon: int, noise: Any, generator: Any, replications: int) -> Any:
        epsilon = math.inf if budget is None else budget.epsilon
        players = [module.Policy(arms, epsilon, horizon, child) for child in generator.spawn(replications)]
        return Adapted(players, arms, lambda p: p.select(), lambda p, arm, reward: p.update(arm, reward))

    return check_theorem(make, name, budgets=[Budget.pure(1.0) if private else None], seed=seed, progress=False)


def plain_identification(module: Any, seed: int) -> Any:
    def make(arms: int, generator: Any, replications: int) -> Any:
        players = [module.Strategy(arms, 0.05, child) for child in generator.spawn(replications)]
        hear = lambda player, arm, reward: player.update(arm, reward)  # noqa: E731
        return Adapted(players, arms, lambda p: p.sample(), hear, stopped="stop", recommend="answer")

    return check_delta_correct(make, 3, 0.05, seed=seed, progress=False)


CHECKS: dict[str, Callable[[Any, int], Any]] = {
    "privacy": privacy,
    "regret": regret,
    "identification": identification,
    "plain/privacy": plain_privacy,
    "plain/regret": plain_regret,
    "plain/identification": plain_identification,
    "second/privacy": privacy,
    "second/regret": regret,
    "second/identification": identification,
}
PRETENDED = {  # what a docstring says: the algorithm of the roster, and whether it is private
    "AdaP-UCB": ("adap-ucb", True),
    "DP-SE": ("dp-se", True),
    "KL-UCB": ("kl-ucb", False),
    "IMED": ("imed", False),
    "Thompson": ("thompson-sampling", False),
    "MOSS": ("ucb", False),
    "UCB1": ("anytime-ucb", False),
}
BUG, SOUND = (re.compile(rf'r?"""\s*{word}:') for word in ("BUG", "HARMLESS"))


def modules(folder: Path, only: list[str]) -> Iterator[ModuleType]:
    """The files of a folder that have a policy, loaded."""
    written = folder_of(folder)
    sys.path.insert(0, str(written))  # some share a helper
    for file in sorted(written.glob("*.py")):
        text = file.read_text()
        if only and file.stem not in only or not (BUG.match(text) or SOUND.match(text)):
            continue
        spec = importlib.util.spec_from_file_location(f"{folder.name}_{file.stem}", file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[module.__name__] = module
        spec.loader.exec_module(module)
        yield module


def runs(
    kind: str, folder: Path, seeds: int, only: list[str], done: Collection[tuple[str, str, int]] = ()
) -> Iterator[dict[str, Any]]:
    """The runs of a kind that are not done, the first seed of every policy before the second one of any."""
    found = list(modules(folder, only))
    for seed in range(seeds):
        for module in found:
            if (kind, Path(module.__file__ or "").stem, seed) in done:
                continue
            broken = BUG.match(Path(module.__file__ or "").read_text()) is not None
            start = process_time()
            report = CHECKS[kind](module, seed)
            verdict = {"not refuted": "ok"}.get(report.verdict, report.verdict)
            yield {
                "kind": kind,
                "name": Path(module.__file__ or "").stem,
                "broken": broken,
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
    return [file for file in folder_of(folder).glob("*.py") if (BUG if broken else SOUND).match(file.read_text())]


def named_lines(row: dict[str, Any]) -> tuple[range, list[int], list[int]] | None:
    """The lines of the statement that a file blames, the lines of the conditions that it stands under, and those that
    its report names; None if it blames none."""
    source = (folder_of(POLICIES / row["kind"]) / f"{row['name']}.py").read_text()
    at = next((k for k, line in enumerate(source.splitlines(), 1) if "# BUG" in line), None)
    if at is None:
        return None
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
    around = [node for node in nodes if node.lineno <= at <= (node.end_lineno or at)]
    inner = max(around, key=lambda node: node.lineno, default=None)
    simple = inner is not None and not hasattr(inner, "body")
    statement = range(inner.lineno, (inner.end_lineno or at) + 1) if inner is not None and simple else range(at, at + 1)
    conditions = [node.lineno for node in around if isinstance(node, ast.If | ast.While)]
    named = [int(k) for k in re.findall(rf"(?m)^  (?:at|from) {row['name']}\.py:(\d+) in", row["report"])]
    return statement, conditions, named


def messages(rows: list[dict[str, Any]]) -> list[str]:
    """How often a violation names the statement that the file blames, and how long the messages are."""
    found = [row for row in rows if row["broken"] and row["verdict"] == "violation" and row["seed"] == 0]
    pairs = [pair for row in found if not row["report"].startswith("violation: ") if (pair := named_lines(row))]
    nearest = [min((min(abs(k - a) for a in at) for k in named), default=math.inf) for at, _, named in pairs]
    guarded = [bool({*conditions} & {*named}) for _, conditions, named in pairs]
    said = [
        ("the very statement", [far == 0 for far in nearest]),
        ("it, or a condition that it stands under", [far == 0 or g for far, g in zip(nearest, guarded, strict=True)]),
        ("at most two lines away", [far <= 2 for far in nearest]),
        ("at most five lines away", [far <= 5 for far in nearest]),
    ]
    shares = [f"| {name} | {sum(right) / len(right):.0%} |" for name, right in said]
    longest = max(row["report"].count("\n") + 1 for row in found)
    several = sum(len({*named}) for *_, named in pairs) / len(pairs)
    said_below = f"{len(pairs)} name lines, {several:.1f} on average; the longest of all has {longest} lines."
    return ["| named among the lines of a message | share of violations |", "|---|---|", *shares, "", said_below]


def page(rows: list[dict[str, Any]]) -> str:
    """The tables of one kind as Markdown, and the policies that were not found, by outcome."""
    lines = [
        "| checks | policies | runs | violation | ok | inconclusive | seconds, median |",
        "|---|---|---|---|---|---|---|",
    ]
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
    said = kind.endswith("privacy") and any(row["broken"] and row["verdict"] == "violation" for row in rows)
    return "\n".join([*lines, *(["", *messages(rows)] if said else [])])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", choices=[*CHECKS, []], help="all of them by default")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=POLICIES, help="with a folder for each kind")
    parser.add_argument("--only", nargs="*", default=[], help="names of files")
    parser.add_argument("--json", type=Path, nargs="+", default=[], help="a line for every run; what is filed is done")
    parser.add_argument("--page", type=Path, help="a page for the tables of the runs that are filed")
    given = parser.parse_args()
    filed = [json.loads(line) for file in given.json if file.exists() for line in file.read_text().splitlines()]
    if given.page is not None:
        for kind in sorted({row["kind"] for row in filed}):
            found = page([row for row in filed if row["kind"] == kind])
            write_between(given.page, BEGIN.format(kind), END.format(kind), found)
        return
    done = {(row["kind"], row["name"], row["seed"]) for row in filed}
    rows = []
    there = [kind for kind in CHECKS if any(given.folder.glob(f"{kind}*"))]
    for kind in given.kinds or there:
        for row in runs(kind, given.folder / kind, given.seeds, given.only, done):
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
