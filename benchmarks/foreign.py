"""How many policies of strangers, taken as they are, are found out, on which line, and in what time.

The policies are those of `benchmarks/policies/foreign.txt`, written before the check that reads them and without a line
of this library. Lines that are at fault bear the comment `# BUG`; in sound ones there are none.

A plain script: python benchmarks/foreign.py [--page docs/power.md] [part of a name ...]

With a page, the table is written into it, between its marks.
"""

import argparse
import importlib.util
import re
import sys
from pathlib import Path
from time import process_time

import numpy as np
from collection import POLICIES as COLLECTIONS
from collection import folder_of
from measuring import write_between

from banditproof.theory import Budget
from banditproof.verify import check_privacy, replayed
from banditproof.verify.runs.report import PrivacyReport

FOLDER = folder_of(COLLECTIONS / "foreign")
BEGIN, END = "<!-- benchmarks/foreign.py writes from here -->", "<!-- to this line -->"
ONE, HALF = Budget.pure(1.0), Budget.pure(0.5)
POLICIES = {
    "broken_shared_draw": (lambda code: code.PrivateUCB(2, 1.0), ONE, {}),
    "broken_seed_again": (lambda code: code.BlockElimination(2, 1.0), ONE, {}),
    "broken_noise_kept": (lambda code: code.Agent(2, 1.0), ONE, {}),
    "broken_no_noise": (lambda code: code.Phased(2, 1.0), ONE, {}),
    "broken_raw_decision": (lambda code: code.EarlyLeaver(2, 1.0), ONE, {}),
    "broken_scale": (lambda code: code.DPUCB(2, 0.5, 100), HALF, {}),
    "broken_every_round": (lambda code: code.PrivateGreedy(2, 1.0), ONE, {}),
    "broken_own_rewards": (
        lambda code: code.simulate([0.4, 0.6], 40, 1.0, np.random.default_rng()),
        ONE,
        {"rewards_at": "binomial"},
    ),
    "broken_reseeded": (lambda code: code.PerturbedLeader(2, 5.0), Budget.zcdp(0.02), {}),
    "broken_reports_noise_only": (lambda code: code.PrivateArms(3, 1.0), ONE, {"arms": 3}),
    "sound_phases": (lambda code: code.PhasedUCB(2, 1.0), ONE, {}),
    "sound_elimination": (lambda code: code.BlockElimination(2, 1.0), ONE, {}),
    "sound_randomised_response": (lambda code: code.LocalUCB(2, 1.0), ONE, {}),
    "sound_tree": (lambda code: code.TreeUCB(2, 1.0, 64, np.random.default_rng()), ONE, {}),
    "sound_gumbel": (lambda code: code.GumbelCommit(2, 1.0), ONE, {}),
    "sound_own_rewards": (lambda code: code.simulate([0.4, 0.6], 40, 1.0), ONE, {"rewards_at": "np.random.rand()"}),
    "sound_gaussian": (lambda code: code.PerturbedLeader(2, 0.1), Budget.zcdp(0.1), {}),
    "sound_estimator": (lambda code: code.PrivateArms(3, 1.0), ONE, {"arms": 3}),
    "sound_epsilon_greedy": (lambda code: code.EpsilonGreedy(2, 1.0), ONE, {}),
    "sound_inverse_cdf": (lambda code: code.LazyThompson(2, 1.0), ONE, {}),
}
"""How a fresh policy of each file is made, the budget that it declares, and the options of `replayed`."""


def checked_file(name: str, seconds: float | None = None) -> PrivacyReport:
    """What the check says of a file of the folder."""
    make, budget, options = POLICIES[name]
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    code = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(code)
    return check_privacy(replayed(lambda: make(code), **options), budget, seconds=seconds)


def line_is_right(name: str, report: PrivacyReport) -> bool:
    """Whether one of the lines of the first cause is marked in the file."""
    marked = [k for k, line in enumerate((FOLDER / f"{name}.py").read_text().splitlines(), 1) if "# BUG" in line]
    told = re.findall(rf"{name}\.py:(\d+)", report.violations[0].line)
    return any(int(line) in marked for line in told)


def row(name: str) -> str:
    """A line of the table: the verdict, whether the line is right, and the seconds of computing."""
    began = process_time()
    report = checked_file(name)
    right = ("right" if line_is_right(name, report) else "wrong") if report.violations else ""
    return f"| `{name}` | {report.verdict} | {right} | {process_time() - began:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help="parts of names; all by default")
    parser.add_argument("--page", type=Path, help="a page for the table")
    given = parser.parse_args()
    lines = ["| policy | verdict | line | seconds |", "|---|---|---|---|"]
    for policy in POLICIES:
        if not given.parts or any(part in policy for part in given.parts):
            lines.append(row(policy))
            print(lines[-1], flush=True)
    if given.page is not None:
        write_between(given.page, BEGIN, END, "\n".join(lines))


if __name__ == "__main__":
    main()
