"""``banditproof membership`` and ``banditproof audit``: what adversaries find out of what is published."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.cli.arguments import as_float, integer, left_out, number, typed_budget
from banditproof.cli.documents import print_document
from banditproof.cli.statuses import of_verdict
from banditproof.theory.errors import InvalidInput, close_to, one_of

if TYPE_CHECKING:
    from banditproof.algorithms.membership import BernoulliColumns, Mechanism, Played
    from banditproof.algorithms.training import Epoch
    from banditproof.cli.settings import AuditOptions, MembershipOptions, TraceOptions

ERROR = Fraction(1, 100)  # of the intervals of one row, jointly
MOST_RECORDS, MOST_NUMBERS, MOST_GAMES = 10**9, 10**7, 10**7
MOST_CELLS = 10**9  # of a matrix that is held in memory
LEVELS = (0.001, 0.01, 0.1)
TARGETS = ("easy", "hard", "random")
MORE = """\
This audit looks at nothing but the arms of the first {pulls} pulls. A policy that draws its noise from `noise` can be
checked in far more detail, with the line of a defect, in a test:
    from banditproof.verify import assert_private
    assert_private({name}, Budget.{budget})"""


@dataclass(frozen=True)
class Attack:
    """A mechanism, what the adversary takes for the target and for the data's law, and where this is from."""

    name: str
    mechanism: Mechanism
    assumed: Any
    references: Any = None
    origin: str = ""


def play_membership(asked: MembershipOptions) -> int:
    """Play every mechanism, and the mean against adversaries who know less; print and draw what was won."""
    import numpy as np

    from banditproof.algorithms.membership import BernoulliColumns, Mean, NoisyMean, OwnMechanism, SubSampledMean
    from banditproof.cli.plotting import can_draw

    target, plot = asked.target, asked.plot
    one_of("target", target, TARGETS)
    n, d = integer("records", asked.records, 1, MOST_RECORDS), integer("columns", asked.columns, 1, MOST_NUMBERS)
    rounds = integer("games", asked.games, 1, MOST_GAMES)
    width = as_float("spread", number("spread", asked.spread))
    if not 0 <= width < 0.5:
        raise InvalidInput(
            "spread", asked.spread, "in [0, 1/2): parameters are drawn from 1/2 - spread to 1/2 + spread"
        )
    draw = plot if plot is not None and can_draw(plot) else None
    generator = np.random.default_rng(asked.seed)
    data = BernoulliColumns(generator.uniform(0.5 - width, 0.5 + width, d))
    chosen: Any = {"easy": data.easiest(), "hard": data.hardest()}.get(target, data.records(1, generator)[0])
    attacks = [Attack("mean", Mean(), chosen)]
    noisy, sampled = ("gamma", "noisy", NoisyMean, asked.gamma), ("ratio", "sampled", SubSampledMean, asked.ratio)
    for name, kind, made, typed in (noisy, sampled):
        for text in typed or []:
            attacks.append(Attack(f"{kind}, {name} {text}", made(as_float(name, number(name, text))), chosen))
    for share in asked.misspecified or []:
        part = as_float("misspecified", number("misspecified", share))
        if not 0 <= part < 1:
            raise InvalidInput("misspecified", share, "a share of the columns, in [0, 1)")
        flipped = generator.permutation(d) < part * d
        attacks.append(Attack(f"mean, {share} of the target wrong", Mean(), np.where(flipped, 1 - chosen, chosen)))
    for text in asked.references or []:
        number_of = integer("references", text, 2, max(2, MOST_CELLS // d))
        known = data.records(number_of, generator)
        attacks.append(Attack(f"mean, {number_of} reference points", Mean(), chosen, known))
    attacks += [Attack(name, OwnMechanism(_own_mechanism(name)), chosen, origin=name) for name in asked.mechanism or []]
    rows = []
    for attack in attacks:
        print(f"playing {rounds} games: {attack.name}", file=sys.stderr)
        rows.append(_row(attack, data, chosen, n, rounds, generator))
    told = [{name: value for name, value in row.items() if name not in ("played", "theory")} for row in rows]
    if asked.json:
        print_document({"records": n, "columns": d, "games": rounds, "target": target, "rows": told})
    else:
        _print(told, target, n, d, rounds)
    if draw is not None:
        _plot(draw, rows, f"{target} target, n = {n}, d = {d}, {rounds} games")
    return 0


def _own_mechanism(name: str) -> Callable[..., Any]:
    from banditproof.theory.arguments import takes

    if not takes(function := imported("mechanism", name), 2):
        raise InvalidInput("mechanism", name, "a function that is called as mechanism(records, generator)")
    return function


def _row(attack: Attack, data: BernoulliColumns, target: Any, n: int, games: int, generator: Any) -> dict[str, Any]:
    """One attack: its leakage score, the leakage and power of theory, and what was counted with intervals."""
    import numpy as np

    from banditproof.algorithms.membership import adversary, play
    from banditproof.theory.privacy.leakage import gaussian_leakage

    opponent = adversary(attack.mechanism, data, target, attack.assumed, n, attack.references)
    if opponent.drift <= 0:
        raise InvalidInput("misspecified", attack.name, "a target that still correlates with the real one")

    def score(outputs: Any, targets: Any) -> Any:
        if outputs.shape != targets.shape:
            raise InvalidInput("output of the mechanism", outputs.shape[1:], f"one number for each column, {data.d}")
        return opponent.score(outputs, np.broadcast_to(attack.assumed, targets.shape))

    with blaming("mechanism", attack.origin) if attack.origin else nullcontext():
        played = play(attack.mechanism, data, score, n, games, generator, target)
    if not len(played.out) or not len(played.inside):
        raise InvalidInput("games", games, "large enough that the target is in the data in some games, but not in all")
    known = not attack.origin
    told = {
        "mechanism": attack.name,
        "score": opponent.squared if known else None,
        "leakage": opponent.leakage if known else None,
        "advantage": _advantage(played, opponent.threshold),
    }
    if opponent.ratio < 1:
        told["leakage as printed"] = float(gaussian_leakage(opponent.ratio * opponent.squared))
    theory = opponent.power if known else None
    return told | {"power": _powers(played, theory), "played": played, "theory": theory}


def _powers(played: Played, theory: Callable[[Any], Any] | None) -> dict[str, dict[str, float | None]]:
    """The powers at the levels, as counted and of theory (None where there is none)."""
    import numpy as np

    thresholds = {alpha: np.quantile(played.out, 1 - alpha, method="higher") for alpha in LEVELS}
    return {
        str(alpha): {
            "theory": None if theory is None else float(theory(alpha)),
            "counted": played.errors(threshold)[1] / len(played.inside),
        }
        for alpha, threshold in thresholds.items()
    }


def _advantage(played: Played, threshold: float) -> list[float]:
    """An interval for 1 - alpha - beta at the threshold that is wrong with probability at most ERROR."""
    from banditproof.verify.proof.statistics import binomial_interval

    above_out, above_in = played.errors(threshold)
    size = binomial_interval(above_out, len(played.out), ERROR / 2)
    power = binomial_interval(above_in, len(played.inside), ERROR / 2)
    return [power[0] - size[1], power[1] - size[0]]


def _print(rows: list[dict[str, Any]], target: str, n: int, d: int, games: int) -> None:
    from rich.console import Console

    from banditproof.cli.folding import Table

    table = Table(
        "mechanism",
        "leakage score",
        "leakage",
        "advantage, counted",
        *(f"power at {alpha:g}" for alpha in LEVELS),
        title=f"{games} games, {target} target, n = {n}, d = {d}",
    )
    for row in rows:
        low, high = row["advantage"]
        powers = (f"{p['counted']:.3f} ({_number_text(p['theory'], '.3f')})" for p in row["power"].values())
        counted = f"[{low:.3f}, {high:.3f}]"
        table.add_row(
            row["mechanism"], _number_text(row["score"], ".4g"), _number_text(row["leakage"], ".4f"), counted, *powers
        )
    console = Console()
    console.print(table)
    console.print(
        "leakage: the largest advantage of an adversary who knows the distribution of the data, in the limit; "
        "advantage: measured at the threshold that is best in the limit, with an interval whose error is at most "
        f"{float(ERROR):g} per row; power: as measured, with the limit in brackets",
        markup=False,
    )
    for row in rows:
        if "leakage as printed" in row:
            console.print(
                f"{row['mechanism']}: Theorem 6.6 of the thesis prints {row['leakage as printed']:.4f} (MIA-T6.6)",
                markup=False,
            )


def _number_text(value: float | None, digits: str) -> str:
    return "-" if value is None else f"{value:{digits}}"


def _plot(path: Path, rows: list[dict[str, Any]], title: str) -> None:
    """Trade-off curves: counted (solid) over those of theory (dotted)."""
    import numpy as np

    from banditproof.cli.plotting import plot_trade_offs

    levels = np.geomspace(1e-4, 1, 200)
    curves = {
        row["mechanism"]: (row["played"].roc(), None if row["theory"] is None else (levels, row["theory"](levels)))
        for row in rows
    }
    plot_trade_offs(path, curves, title=title)


# ------------------------------------------------------------------------------------------------------------- training


COUNTS = {
    "hidden": (0, 10_000),
    "steps": (1, 10_000),
    "size": (1, 10_000),
    "games": (2, MOST_GAMES),
    "references": (2, MOST_NUMBERS),
}


def trace_descent(asked: TraceOptions) -> int:
    """Play epochs of gradient descent against the easiest and the hardest record; print and draw what was won."""
    import numpy as np

    from banditproof.algorithms.training import attack_extremes
    from banditproof.cli.plotting import can_draw
    from banditproof.cli.simulating import watched
    from banditproof.theory.privacy.leakage import gaussian_power

    typed = {name: getattr(asked, name) for name in (*COUNTS, "rate", "ridge", "clip", "gamma")}
    given, plot = {name: text for name, text in typed.items() if text is not None}, asked.plot
    if ("clip" in given) != ("gamma" in given):
        raise InvalidInput("clip, gamma", (asked.clip, asked.gamma), "both given (for DP-SGD) or both left out")
    counts = {name: integer(name, text, *COUNTS[name]) for name, text in given.items() if name in COUNTS}
    reals = {name: as_float(name, number(name, text)) for name, text in given.items() if name not in COUNTS}
    if not 0 < reals["rate"] < np.inf:
        raise InvalidInput("rate", given["rate"], "a positive number")
    draw = plot if plot is not None and can_draw(plot) else None
    generator = np.random.default_rng(asked.seed)
    epoch = _epoch(_images(asked.data), counts, reals, generator)
    print(f"playing {counts['games']} epochs for each of two targets", file=sys.stderr)
    with watched("trace", "epochs"):
        attacked = attack_extremes(
            epoch, counts["games"], generator, ridge=reals["ridge"], references=counts.get("references")
        )
    rows = []
    for a in attacked:
        if not len(a.played.out) or not len(a.played.inside):
            raise InvalidInput(
                "games", given["games"], "large enough that the target is in the data in some games, but not in all"
            )
        theory = None if a.separation is None else partial(gaussian_power, score=a.separation)
        told = {"mechanism": f"{a.target}, {a.attack}", "distance": a.distance, "score": a.separation}
        rows.append(told | {"power": _powers(a.played, theory), "played": a.played, "theory": theory})
    mu = None if epoch.private is None else epoch.private.cost(epoch.size)
    title = f"{counts['games']} epochs of {counts['steps']} steps, |B| = {epoch.size}, d = {epoch.network.d}"
    title += "" if mu is None else f", mu = {mu:.3g}"
    told = [{name: value for name, value in row.items() if name not in ("played", "theory")} for row in rows]
    if asked.json:
        facts = {"records": epoch.n, "parameters": epoch.network.d, "games": counts["games"], "mu": mu}
        print_document(facts | {"rows": told})
    else:
        _print_traced(told, title)
        if mu is not None:
            print("mu: the cost of the epoch in Gaussian DP, if one record is replaced by another")
    if draw is not None:
        _plot(draw, rows, title)
    return 0


def _epoch(images: tuple[Any, Any], counts: dict[str, int], reals: dict[str, float], generator: Any) -> Epoch:
    from banditproof.algorithms.noise import NoiseSource
    from banditproof.algorithms.training import Epoch, Network, Private

    hidden = (counts["hidden"],) if counts["hidden"] else ()
    network, size = Network((images[0].shape[1], *hidden, 10)), counts["size"]
    private = Private(reals["clip"], reals["gamma"], NoiseSource(generator)) if "clip" in reals else None
    theta, n = network.initial(generator), counts["steps"] * size
    return Epoch(network, theta, *images, n, size, reals["rate"], network.parts[-1], private)


def _print_traced(rows: list[dict[str, Any]], title: str) -> None:
    from rich.console import Console

    from banditproof.cli.folding import Table

    levels = (f"power at {alpha:g}" for alpha in LEVELS)
    table = Table("target, attack", "Mahalanobis score", "leakage score", *levels, title=title)
    for row in rows:
        powers = (
            f"{p['counted']:.3f}" + ("" if p["theory"] is None else f" ({p['theory']:.3f})")
            for p in row["power"].values()
        )
        score = "" if row["score"] is None else f"{row['score']:.4g}"
        table.add_row(row["mechanism"], f"{row['distance']:.4g}", score, *powers)
    Console().print(table)
    print(
        "leakage score: squared separation of scores that are linear in the gradients; power: as measured, with "
        "the limit in brackets"
    )


def _images(data: str) -> tuple[Any, Any]:
    from banditproof.algorithms.training import cifar10, digits, fmnist

    name, _, folder = data.partition("=")
    if name == "digits" and not folder:
        try:
            return digits()
        except ImportError as error:
            raise InvalidInput("data", data, f"fmnist=FOLDER or cifar10=FOLDER ({error})") from None
    if name not in ("fmnist", "cifar10") or not folder:
        raise InvalidInput("data", data, "digits, fmnist=FOLDER or cifar10=FOLDER")
    return {"fmnist": fmnist, "cifar10": cifar10}[name](folder)


# --------------------------------------------------------------------------------------------------------------- audits


def audit_target(asked: AuditOptions) -> int:
    """Audit a policy or a mechanism named package.module:object; the status is that of the verdict."""
    from banditproof.theory.privacy.budget import KINDS
    from banditproof.verify.audits.mechanism_audit import audit_mechanism
    from banditproof.verify.privacy.black_box import audit_private

    target, seed = asked.target, asked.seed
    left_out("without --program", case=asked.case)
    if not target:
        raise InvalidInput("target", target, "package.module:object or file.py:object, unless --program is given")
    made: Any = imported("target", target)
    needed = _needed(made)
    _check_what(target, made, needed)
    as_it_is = not needed and _is_callable(made)
    if as_it_is:
        return _audit_as_it_is(asked, made)
    policy = len(needed) == 2 and "size" not in needed or needed[2:] == ["replications"]
    if not policy and len(needed) != 3:
        allowed = (
            "a function with the parameters (noise, generator) or (noise, generator, replications), which makes a "
            "policy; with (world, size, generator), which draws outputs; or with none, which makes any policy"
        )
        raise InvalidInput("target", target, allowed)
    if not policy:
        left_out("for a mechanism, whose runs --samples counts", seconds=asked.seconds)
    left_out("for a target with arguments", arms=asked.arms, rewards_at=asked.rewards_at or None)
    budget = typed_budget(asked.budgets, tuple(KINDS), "an audit")
    runs = None if asked.samples is None else integer("samples", asked.samples, 1, MOST_NUMBERS)
    with blaming("target", target):
        if policy:
            audit: Any = audit_private(made, budget, samples=runs, seconds=asked.time("10"), seed=seed)
        else:
            audit = audit_mechanism(made, budget, samples=runs, seed=seed)
    if asked.json:
        names = ("verdict", "parameter", "shown", "promised", "reach", "counts", "samples")
        print_document(
            {"target": target} | {name: getattr(audit, name) for name in names} | {"error": float(audit.error)}
        )
    else:
        print(audit)
        if policy and audit.verdict != "violation":
            print(MORE.format(pulls=len(audit.rewards), name=target.rpartition(":")[2], budget=budget))
    return of_verdict(audit.verdict)


SETTINGS = {"arms", "n_arms", "num_arms", "k", "budget", "epsilon", "eps", "delta", "rho", "horizon", "seed", "self"}


def _check_what(target: str, made: Any, needed: Sequence[str]) -> None:
    """Raise InvalidInput for a class, a policy, or a function of its settings: a function that makes one is needed."""
    what = f"the class {made.__name__}" if isinstance(made, type) else f"a function of {', '.join(needed)}"
    if not callable(made):
        what = f"an object of class {type(made).__name__}"
        if type(made).__module__ == "builtins":
            raise InvalidInput("target", target, f"a function without arguments that makes a policy (it is {what})")
    elif not needed or not isinstance(made, type) and SETTINGS.isdisjoint(name.lower() for name in needed):
        return
    elif list(needed) == ["noise", "generator"]:
        return
    kind = made.__name__ if callable(made) else type(made).__name__
    settings = ", ".join(f"{name}=..." for name in needed)
    make = f"def make(): return {kind}({settings}), and audit {target.rpartition(':')[0]}:make"
    raise InvalidInput(
        "target", target, f"a function without arguments that makes a policy (it is {what}): write {make}"
    )


def _is_callable(made: Any) -> bool:
    return callable(made)


def _audit_as_it_is(asked: AuditOptions, make: Any) -> int:
    """Check a policy that knows nothing of this library: its draws are recorded and replayed."""
    from banditproof.theory.privacy.budget import KINDS
    from banditproof.verify.runs.foreign.policies import replayed
    from banditproof.verify.runs.privacy_check import check_privacy

    left_out("for a target without arguments, whose runs --seconds limits", samples=asked.samples)
    budget = typed_budget(asked.budgets, tuple(KINDS), "an audit")
    with blaming("target", asked.target):
        policy = replayed(make, rewards_at=asked.rewards_at, arms=asked.arms)
        report = check_privacy(policy, budget, seconds=asked.time("30"), seed=asked.seed)
    if asked.json:
        defects = [{"cause": v.cause, "reason": v.reason, "line": v.line} for v in report.violations]
        print_document(
            {"target": asked.target, "verdict": report.verdict, "defects": defects, "missing": list(report.missing)}
        )
    else:
        print(report)
    return of_verdict(report.verdict)


def _needed(function: Any) -> list[str]:
    """The names of the arguments that a function cannot do without; none for what is no function."""
    import inspect

    asked = list(inspect.signature(function).parameters.values()) if callable(function) else []
    return [p.name for p in asked if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def imported(parameter: str, name: str) -> Any:
    """The object package.module:object, from the current folder too. Raises InvalidInput, whatever its import does."""
    import importlib
    import os

    module, colon, path = name.partition(":")
    file = Path(module if module.endswith(".py") else f"{module}.py")
    form, absent = "of the form package.module:object or file.py:object", f"in a file that exists ({file} does not)"
    if (module.endswith(".py") or "/" in module) and not file.is_file():
        raise InvalidInput(parameter, name, absent if colon else f"{form}, {absent}")
    if not (colon and module and path):
        package, _, last = module.rpartition(".")
        dotted = f"{package}:{last}" if package and last != "py" else ""
        raise InvalidInput(parameter, name, form, _in_file(file, "") if file.is_file() else dotted)
    sys.path.insert(0, os.path.abspath(file.parent) if module.endswith(".py") or "/" in module else os.getcwd())
    try:
        named: Any = importlib.import_module(_module_name(name))
        for part in path.split("."):
            named = getattr(named, part)
    except (Exception, SystemExit) as error:
        why, own = f"{type(error).__name__}: {error}", _in_file(file, path) if file.is_file() else ""
        meant = own if isinstance(error, AttributeError) else ""
        raise InvalidInput(parameter, name, f"an object that can be imported ({why})", meant) from None
    finally:
        sys.path.pop(0)
    return named


def _in_file(file: Path, path: str) -> str:
    """The functions and classes of a file that may be meant by this name, as they are written here; else all of it."""
    import ast

    try:
        tree = ast.parse(file.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError):
        return ""
    defined = [n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name[0] != "_"]
    near = found.split(" or ") if (found := close_to(path, defined)) else defined[:4]
    return " or ".join(f"{file}:{one}" for one in near)


def _module_name(name: str) -> str:
    """That of package.module:object, or of file.py:object, as it is imported."""
    module = name.partition(":")[0]
    return Path(module).stem if module.endswith(".py") or "/" in module else module


@contextmanager
def blaming(parameter: str, name: str) -> Iterator[None]:
    """InvalidInput with the place, instead of what the object's own code raises."""
    import traceback

    try:
        yield
    except InvalidInput:
        raise
    except Exception as error:
        module = sys.modules[_module_name(name)].__file__
        own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == module]
        if not own and name.rpartition(":")[2] not in str(error):  # else it was called with other arguments
            raise
        why = f"{type(error).__name__}{f' in line {own[-1].lineno}' if own else ''}: {error}"
        raise InvalidInput(parameter, name, f"code that runs ({why})") from error
