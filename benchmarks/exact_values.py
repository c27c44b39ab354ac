"""The table of exact private lower bounds of `docs/exact.md`: computed, certified and timed.

    python benchmarks/exact_values.py [--rounds 6] [--output docs/exact-values.csv]

A row is one program: K arms, one of mean 3/4 and the others 1/4, each arm the best one in one instance; T rounds;
e^epsilon. Rows that the file has are kept, so that a run that was stopped goes on. Then ``exact-table.csv`` beside it,
which the page shows, has a row for each budget, and ``exact-printed.csv`` one for each printed bound: how loose it is
at these programs of at most ``--beside`` rounds, for the regret and for the error of identification, and at those of
zCDP with at most three actions where there are two arms, two where there are three. ``exact-items.csv`` has every item
of the documents that bounds a loss, read off the register: the printed bounds that are it, or why there is none.
"""

from __future__ import annotations

import argparse
import csv
from fractions import Fraction
from pathlib import Path
from time import process_time

from banditproof.claims import load
from banditproof.paper_checks.shared.finite_time import loss_bounds
from banditproof.theory import exact_identification_error, exact_minimax_regret, printed_bounds_beside

RATIOS = ["1", "21/20", "11/10", "6/5", "5/4", "4/3", "3/2", "5/3", "2", "5/2", "3", "4", "5", "7", "10", "15", "20"]
RATIOS += ["50", "100", "inf"]
LONGEST = {2: 8, 3: 5}  # rounds
RHOS, LONGEST_RHO = ["1/1000", "1/100", "1/10", "1"], {2: 3, 3: 2}  # LONGEST_RHO counts actions
HEAD = ["arms", "rounds", "ratio", "lower", "upper", "probabilities", "seconds", "seconds of the check"]


def mirrored(arms: int) -> list[list[str]]:
    """Each arm the best one in one instance."""
    return [["3/4" if arm == best else "1/4" for arm in range(arms)] for best in range(arms)]


def measured(arms: int, rounds: int, ratio: str) -> list[object]:
    """One row: the exact ends, how many probabilities the policy has, and what solving and checking took."""
    instances = mirrored(arms)
    start = process_time()
    optimum = exact_minimax_regret(instances, rounds, ratio=ratio)
    solved = process_time()
    if not optimum.recheck():
        raise ArithmeticError(f"the certificate of {arms} arms, {rounds} rounds at {ratio} does not hold")
    times = [f"{end - begin:.2f}" for begin, end in ((start, solved), (solved, process_time()))]
    return [arms, rounds, ratio, optimum.lower, optimum.upper, arms**rounds * 2 ** (rounds - 1), *times]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=6, help="at most so many rounds (8 take minutes each)")
    parser.add_argument("--output", type=Path, default=Path("docs/exact-values.csv"), help="file of the rows")
    parser.add_argument("--beside", type=int, default=4, help="at most so many rounds beside the printed bounds")
    asked = parser.parse_args()
    known: list[list[str]] = []
    if asked.output.exists():
        with asked.output.open(encoding="utf-8", newline="") as file:
            known = list(csv.reader(file))[1:]
    else:
        asked.output.write_text(",".join(HEAD) + "\n", encoding="utf-8")
    done = {tuple(row[:3]) for row in known}
    wanted = [
        (arms, t, q) for arms, most in LONGEST.items() for t in range(1, min(most, asked.rounds) + 1) for q in RATIOS
    ]
    for arms, rounds, ratio in sorted(wanted, key=lambda one: one[0] ** one[1] * 2 ** one[1]):
        if (str(arms), str(rounds), ratio) not in done:
            row = [str(entry) for entry in measured(arms, rounds, ratio)]
            known.append(row)
            with asked.output.open("a", encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator="\n").writerow(row)
    write_table(known, asked.output.with_name("exact-table.csv"))
    write_beside(asked.beside, asked.output.with_name("exact-printed.csv"))
    write_items(asked.output.with_name("exact-items.csv"))


def write_table(rows: list[list[str]], path: Path) -> None:
    """A line for each budget, with the value of every number of arms and rounds, rounded down to four decimals."""
    columns = sorted({(int(row[0]), int(row[1])) for row in rows})
    values = {(int(arms), int(rounds), ratio): low for arms, rounds, ratio, low, *_ in rows}
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["e^epsilon", *(f"K = {arms}, T = {rounds}" for arms, rounds in columns)])
        for ratio in RATIOS:
            found = [values.get((*column, ratio)) for column in columns]
            table.writerow([ratio, *("" if low is None else floored(Fraction(low)) for low in found)])


def write_beside(rounds: int, path: Path) -> None:
    """A line for each printed bound that applies: programs, refutations, the least and the largest looseness."""
    found: dict[tuple[str, str, str, str], list[tuple[Fraction, str, bool]]] = {}
    for criterion, solve in (("regret", exact_minimax_regret), ("error", exact_identification_error)):
        for arms, most in LONGEST.items():
            for t in range(1, min(most, rounds) + 1):
                budgets = [{"ratio": ratio} for ratio in RATIOS]
                budgets += [{"rho": rho} for rho in RHOS if t + (criterion == "error") <= LONGEST_RHO[arms]]
                for budget in budgets:
                    beside = printed_bounds_beside(solve(mirrored(arms), t, **budget))
                    for bound in beside.bounds.values():
                        if bound.applies and bound.ratio.lower > 0:
                            key = criterion, bound.name, bound.kind, bound.source
                            said = budget["ratio"] if "ratio" in budget else f"rho = {budget['rho']}"
                            at = f"K = {arms}; T = {t}; {said}"
                            found.setdefault(key, []).append((Fraction(bound.ratio.lower), at, bound.refuted))
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["of", "bound", "kind", "source", "programs", "refuted", "least factor", "at", "largest factor"])
        for key, rows in found.items():
            (least, at, _), (largest, *_) = min(rows), max(rows)
            ends = f"{float(least):.4g}", at, f"{float(largest):.4g}"
            table.writerow([*key, len(rows), sum(refuted for *_, refuted in rows), *ends])


def write_items(path: Path) -> None:
    """A line for each item that bounds a loss: what stands beside the exact values for it, or why nothing does."""
    load()
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["item", "kind", "beside the exact values as", "or not, as"])
        table.writerows([one.id, one.kind, "; ".join(one.beside), one.why] for one in loss_bounds())


def floored(value: Fraction) -> str:
    return f"{value * 10**4 // 1 / 10**4:.4f}"


if __name__ == "__main__":
    main()
