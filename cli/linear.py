"""Linear bandits: ``bounds linear`` and ``design``, and what ``simulate`` plays on actions and on contexts."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.cli.arguments import as_float, integer, number, numbers, optional
from banditproof.cli.bounds import OF_A_SOURCE, SOON, say_verdicts
from banditproof.cli.certificates import write_certificates
from banditproof.cli.documents import FOOTNOTE, print_document, write_rows
from banditproof.cli.tables import table
from banditproof.theory.errors import InvalidInput, close_to, one_of
from banditproof.theory.numbers.exact_numbers import shown
from banditproof.theory.tables import columns, label
from banditproof.theory.verdicts import known_of

if TYPE_CHECKING:
    from banditproof.algorithms.contextual.environment import ContextSets
    from banditproof.algorithms.registration import Algorithm, Setting
    from banditproof.theory.linear.linear_alternatives import LinearAlternatives
    from banditproof.theory.linear.linear_lower_bound import LinearRegretConstant
    from banditproof.theory.privacy.budget import Budget


def print_linear_bounds(
    actions: Path,
    theta: str,
    epsilon: str | None,
    as_json: bool,
    csv: Path | None,
    plot: Path | None,
    certificate: Path | None,
) -> int:
    """Print c(A, theta) without privacy; with a budget both readings of the ratio, and what d_epsilon forces."""
    rows, parameter = table("actions", actions), numbers("theta", theta)
    budget = optional("epsilon", epsilon)
    constants = _constants(rows, parameter, budget)
    write_certificates(certificate, constants)
    if as_json:
        names = ("epsilon", "best", "gaps", "ratios", "thresholds", "regimes", "value", "allocation", "applies", "why")
        listed = {label: {n: getattr(c, n) for n in names if hasattr(c, n)} for label, c in constants.items()}
        print_document({label: one | _source(label) for label, one in listed.items()})
    else:
        _print_tables(constants)
    said = {
        name: {**c.value.to_dict(), "applies": c.applies, "why": c.why} | _source(name) for name, c in constants.items()
    }
    asked = {"theta": label(parameter), **columns("epsilon", budget)}
    write_rows(csv, [{"constant": name, **row, **asked} for name, row in said.items()])
    if plot is not None:
        _plot(plot, rows, parameter, constants, budget)
    return 0


def _source(name: str) -> dict[str, str]:
    """The theorem behind a constant, the verdict on it and what corrects it."""
    source = "SHARP-3" if name == "d-epsilon" else "TH-T4.18"
    return dict(zip(OF_A_SOURCE, (source, known_of(source).verdict, known_of(source).corrected), strict=True))


def _constants(rows: Any, theta: Any, epsilon: Any) -> dict[str, LinearRegretConstant | LinearAlternatives]:
    from banditproof.theory.linear.linear_alternatives import linear_regret_alternatives
    from banditproof.theory.linear.linear_lower_bound import RATIOS, linear_regret_constant

    constants: dict[str, LinearRegretConstant | LinearAlternatives]
    constants = {"non-private": linear_regret_constant(rows, theta)}
    if epsilon is not None:
        constants |= {
            f"private, {ratio}": linear_regret_constant(rows, theta, epsilon, ratio=ratio) for ratio in RATIOS
        }
        constants["d-epsilon"] = linear_regret_alternatives(rows, theta, epsilon)
    return constants


def _print_tables(constants: dict[str, LinearRegretConstant | LinearAlternatives]) -> None:
    from rich.console import Console

    from banditproof.cli.folding import Table

    table = Table("constant", "source", "verdict", "liminf regret / log T >=", title="Structured lower bounds")
    for name, constant in constants.items():
        value, (source, verdict, _) = constant.value.decimal(8), _source(name).values()
        table.add_row(name, source, verdict, value if constant.applies else f"({value})")
    found = {name: getattr(c, "allocation", None) for name, c in constants.items()}
    pulls = {name: allocation for name, allocation in found.items() if allocation is not None}
    arms = Table("row", "gap", *pulls, title="Pulls of each action per log T")
    for row, gap in enumerate(constants["non-private"].gaps):
        arms.add_row(str(row + 1), shown(gap), *(f"{allocation[row]:.5g}" for allocation in pulls.values()))
    console = Console()
    console.print(table)
    console.print(arms)
    for name, constant in constants.items():
        if constant.why:
            console.print(f"{name}: {constant.why}", markup=False)
    say_verdicts(console, [_source(name)["source"] for name in constants])
    console.print(FOOTNOTE)


def _plot(
    path: Path, rows: Any, theta: Any, constants: dict[str, LinearRegretConstant | LinearAlternatives], marked: Any
) -> None:
    from banditproof.cli.plotting import draw
    from banditproof.theory.drawing import against_budget
    from banditproof.theory.linear.linear_alternatives import linear_regret_alternatives
    from banditproof.theory.linear.linear_lower_bound import RATIOS, linear_regret_constant

    ratios = linear_regret_constant(rows, theta, 1, ratio="bases").ratios or ()
    gaps = constants["non-private"].gaps
    changes = [float(gap / ratio) for gap, ratio in zip(gaps, ratios, strict=True) if gap and ratio]

    def bounds_at(epsilon: float) -> dict[str, Any]:
        private = {ratio: linear_regret_constant(rows, theta, epsilon, ratio=ratio) for ratio in RATIOS}
        values = {f"private, {ratio}": c.value if c.applies else None for ratio, c in private.items()}
        sharp = linear_regret_alternatives(rows, theta, epsilon).value
        return {"non-private": constants["non-private"].value, **values, "d-epsilon": sharp}

    def picture() -> Any:
        return against_budget(
            bounds_at,
            changes,
            title="Structured regret lower bound",
            ylabel="liminf regret / log T is at least",
            marked=None if marked is None else as_float("epsilon", marked),
        )

    draw(path, picture)


LAWS = ("normal", "signs")
UNBOUNDED = (
    "Normal rewards are unbounded: an algorithm that is private for rewards in [-1, 1] is not private here (use "
    "--law signs)."
)


class LinearArms:
    """A fixed set of actions with a parameter: its algorithms, what plays it, and what bounds its regret.

    With the law "normal" rewards are <theta, a> + N(0, 1), as in the experiments of the papers: they have no bound, so
    what is private on [-1, 1] is not on them. With "signs" they are -1 or 1.
    """

    chunk = 10

    def __init__(self, actions: Path, theta: str, law: str) -> None:
        import numpy as np

        one_of("law", law, LAWS)
        self.rows, self.theta, self.law = table("actions", actions), numbers("theta", theta), law
        self.actions = np.array([[as_float("actions", x) for x in row] for row in self.rows])
        self.played = self._played()
        self.means = self.played.means.tolist()
        self.largest_gap = max(self.means) - min(self.means)
        self.facts: dict[str, Any] = {"actions": self.rows, "theta": self.theta, "law": law}
        self.title = f"{len(self.rows)} actions, theta {theta}"
        self.note = UNBOUNDED if law == "normal" else ""

    def algorithm(self, name: str) -> Algorithm:
        from banditproof.algorithms.registration import LinearSetting
        from banditproof.algorithms.roster import algorithm

        return algorithm(name, LinearSetting)

    def environment(self) -> Any:
        return self.played

    def engine(self, algorithm: Algorithm) -> Any:
        from banditproof.algorithms.run.simulator import simulate

        return simulate

    def _played(self) -> Any:
        from banditproof.algorithms.linear.environment import LinearBandit, SignBandit

        parameter = [as_float("theta", x) for x in self.theta]
        return (LinearBandit if self.law == "normal" else SignBandit)(self.actions, parameter)

    def setting(self, horizon: int, budget: Budget | None, generator: Any, runs: int) -> Setting:
        from banditproof.algorithms.registration import LinearSetting

        return LinearSetting(len(self.rows), horizon, budget, generator, runs, self.actions)

    def bounds(self, policy: Any, budget: Budget | None, horizon: int) -> list[tuple[str, Any, bool]]:
        """The structured lower bounds, which are those of normal rewards: (side, bound, whether it is asymptotic)."""
        if self.law != "normal":
            return []

        pure = None if budget is None else budget.largest_loss
        return [
            ("lower", _AtHorizon(label, constant, horizon), True)
            for label, constant in _constants(self.rows, self.theta, pure).items()
        ]


class _AtHorizon:
    """c(A, theta) log T as a named bound."""

    source = "TH-T4.18"

    def __init__(self, name: str, constant: LinearRegretConstant | LinearAlternatives, horizon: int) -> None:
        from banditproof.theory.numbers.enclosure import Enclosure
        from banditproof.theory.numbers.numeric import to_ball, working_precision

        with working_precision(128):
            value = Enclosure.from_ball(to_ball(constant.value) * to_ball(horizon).log())
        self.name, self.applies, self.value = name, constant.applies, value


def print_design(
    path: Path, tolerance: str, prune: bool, as_json: bool, csv: Path | None, certificate: Path | None
) -> int:
    """Print the support and weights of the design of a CSV file's rows, and what certifies it."""
    from banditproof.theory.linear.optimal_design import SECONDS_OF_A_DESIGN, g_optimal_design

    actions = [[as_float("actions", x) for x in row] for row in table("actions", path)]
    if (seconds := SECONDS_OF_A_DESIGN * (dimension := len(actions[0])) ** 3) > SOON:
        print(f"a design in {dimension} dimensions takes about {seconds:.0f} s", file=sys.stderr)
    design = g_optimal_design(actions, tol=as_float("tol", number("tol", tolerance)), prune=prune)
    write_certificates(certificate, {"G-optimal design": design})
    of_all = {"design": "G-optimal", "dimension": design.dimension, **design.value.to_dict()}
    write_rows(csv, [{**of_all, "row": row + 1, "weight": float(design.weights[row])} for row in design.support])
    if as_json:
        support = {int(row): float(design.weights[row]) for row in design.support}
        facts = {name: getattr(design, name) for name in ("dimension", "value", "gap", "log_det", "note")}
        return print_document({"actions": len(actions), **facts, "weights": support})
    from rich.console import Console

    from banditproof.cli.folding import Table

    shown = Table("row", "action", "weight", title=f"G-optimal design of {len(actions)} actions")
    for row in design.support:
        action = ", ".join(f"{x:g}" for x in actions[row][:6]) + (", ..." if len(actions[row]) > 6 else "")
        shown.add_row(str(row + 1), action, f"{design.weights[row]:.6g}")
    console = Console()
    console.print(shown)
    gap = float(design.gap.upper)
    console.print(f"max |a|^2 in the norm of V^-1: {design.value.decimal(10)}, dimension {design.dimension}")
    console.print(f"Kiefer-Wolfowitz gap at most {gap:.3g}; log det V in {design.log_det.decimal(10)}", markup=False)
    if design.note:
        console.print(design.note, markup=False)
    return 0


CONTEXT_LAWS = ("normal", "clipped")
DRAWN = ("gaussian", "unit")
CLIPPED = "Rewards are clipped to [-1, 1]. The privacy guarantee holds, but their means are not exactly <theta, a>."
BOUNDLESS = (
    "Normal rewards and gaussian contexts have no bound: what is private for rewards in [-1, 1] and vectors of norm at "
    "most 1 is not private on these (--law clipped --contexts unit)."
)


class ContextualArms:
    """Sets of vectors with a parameter: its algorithms, what plays it, and what bounds its regret.

    Contexts are "gaussian", as drawn in Section 5.5.2 (they have no bound, and neither has the regret), "unit", the
    same scaled to norm 1, or a CSV file with a vector per row, `arms` for each round; after the last round they repeat.
    """

    chunk = 25  # a round of a policy that is new in every round costs as much for these as for one, without numba

    def __init__(self, contexts: str, theta: str, arms: str | None, law: str) -> None:
        one_of("law", law, CONTEXT_LAWS)
        self.theta, self.law = numbers("theta", theta), law
        self.arms = 10 if arms is None else integer("arms", arms)
        if not 1 <= self.arms <= 10**4:
            raise InvalidInput("arms", self.arms, "a whole number from 1 to 10000")
        self.played = self._played(contexts)
        self.facts: dict[str, Any] = {"contexts": contexts, "arms": self.arms, "theta": self.theta, "law": law}
        self.title = f"{self.arms} {contexts} contexts, theta {theta}"
        self.largest_gap, self.longest = (math.inf, math.inf) if contexts == "gaussian" else self._largest()
        self.bounded = law == "clipped" and contexts != "gaussian"
        self.note = CLIPPED if self.bounded else BOUNDLESS

    def algorithm(self, name: str) -> Algorithm:
        from banditproof.algorithms.registration import ContextualSetting
        from banditproof.algorithms.roster import algorithm

        return algorithm(name, ContextualSetting)

    def environment(self) -> Any:
        return self.played

    def engine(self, algorithm: Algorithm) -> Any:
        from banditproof.algorithms.contextual.simulation import simulate_one

        return simulate_one

    def _played(self, contexts: str) -> Any:
        from banditproof.algorithms.contextual.environment import ContextualBandit

        parameter = [as_float("theta", x) for x in self.theta]
        return ContextualBandit(parameter, self._sets(contexts, len(parameter)), clipped=self.law == "clipped")

    def _sets(self, contexts: str, dimension: int) -> ContextSets:
        from banditproof.algorithms.contextual.environment import GaussianContexts, GivenContexts

        if contexts in DRAWN:
            return GaussianContexts(self.arms, dimension, unit=contexts == "unit")
        if not Path(contexts).is_file():
            allowed = f"{', '.join(DRAWN)} or a CSV file that exists"
            raise InvalidInput("contexts", contexts, allowed, close_to(contexts, DRAWN))
        rows = [[as_float("contexts", x) for x in row] for row in table("contexts", Path(contexts))]
        if len(rows) % self.arms or len(rows[0]) != dimension:
            allowed = f"{self.arms} rows (--arms) for each round, of {dimension} numbers each (--theta)"
            raise InvalidInput("contexts", f"{len(rows)} rows of {len(rows[0])}", allowed)
        return GivenContexts([rows[i : i + self.arms] for i in range(0, len(rows), self.arms)])

    def _largest(self) -> tuple[float, float]:
        """The largest gap, at most 2 |theta| on unit vectors, and the largest norm; of sets that are given, theirs."""
        import numpy as np

        from banditproof.algorithms.contextual.environment import GivenContexts

        sets = self.played.contexts
        if not isinstance(sets, GivenContexts):
            return 2 * math.hypot(*self.played.theta), 1.0
        means = sets.sets @ self.played.theta
        return float((means.max(axis=1) - means.min(axis=1)).max()), float(np.linalg.norm(sets.sets, axis=2).max())

    def setting(self, horizon: int, budget: Budget | None, generator: Any, runs: int) -> Setting:
        from banditproof.algorithms.registration import ContextualSetting

        return ContextualSetting(self.arms, horizon, budget, generator, runs, len(self.theta), self.bounded)

    def bounds(self, policy: Any, budget: Budget | None, horizon: int) -> list[tuple[str, Any, bool]]:
        """Upper bounds for normal rewards, vectors of norm at most 1 and a parameter within the policy's radius."""
        from banditproof.algorithms.contextual.bounds import contextual_regret_bounds
        from banditproof.algorithms.contextual.policy import TOLERANCE

        short = self.longest <= 1 + TOLERANCE and math.hypot(*self.played.theta) <= policy.radius * (1 + TOLERANCE)
        upper = contextual_regret_bounds(policy, horizon, assumed=short and self.law == "normal")
        return [("upper", bound, False) for bound in upper]
