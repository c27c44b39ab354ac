"""The interval prover: branch and bound on boxes in ball arithmetic.

``prove`` returns a proof object (complete, or with what is left undecided) or a counterexample. Open ends are proved on
the closed box, which is more than asked; infinite ends, and ends where a formula has no limit, need a substitution.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Annotated, Any

from banditproof.theory import InvalidInput, working_precision
from banditproof.theory.arguments import Size, checked
from banditproof.theory.numbers.term import variables
from banditproof.verify.proof.box import Box, BoxTest, excluded
from banditproof.verify.proof.compare import as_ball, holds
from banditproof.verify.proof.domain import Domain, Interval, Points, counted
from banditproof.verify.proof.evaluation import value_at
from banditproof.verify.proof.evidence import RULE, Counterexample, IntervalProof
from banditproof.verify.proof.parsing import parsed
from banditproof.verify.proof.statement import Program, Statement
from banditproof.verify.proof.substitution import Substitution, gap_in_image, in_parameters
from banditproof.verify.proof.values import UNKNOWN, no_value_at, sides_at

MOST_VARIABLES = 10  # a digit of the bisection tree names a variable


class NoBox(InvalidInput):
    """A domain that no box holds: bisection has nothing to start from."""


@dataclass(frozen=True)
class Bisection:
    """What a proof by bisection starts from, before its tree is found: a statement, and the box of its parameters.

    Attributes:
        statement: what is proved on its domain.
        root: the ranges of the variables, and of the parameters of those that are substituted.
        substitutions: variable -> (formula in its parameter, interval of the parameter).
        precision: of the balls, in bits.
    """

    statement: Statement
    root: Box
    substitutions: Mapping[str, tuple[str, str]]
    precision: int

    @cached_property
    def counts(self) -> list[str]:
        """The variables of the box that count something."""
        return [n for n, values in self.statement.domain.variables if n in self.root and counted(values)]

    @cached_property
    def test(self) -> BoxTest:
        """The test of a box. Raises NoTerm where it would mean something else for a box than for its points."""
        return BoxTest(in_parameters(self.statement, self.substitutions), self.counts, self.substitutions)

    def certified(self, tree: str, routes: tuple[str, str] | None = None) -> IntervalProof | str:
        """The proof that a proposed tree is, walked box by box; or a sentence that says where it is none."""
        with working_precision(self.precision):
            return self._wrong(tree) or self._proof(tree, routes)

    def searched(
        self, boxes: int, refute: Refute | None, routes: tuple[str, str] | None
    ) -> IntervalProof | Counterexample:
        """The proof whose tree a search finds, every box of it certified, or a counterexample that it meets."""
        with working_precision(self.precision):
            tree, counterexample = _search(self, boxes, refute)
        return self._proof(tree, routes) if counterexample is None else counterexample

    def _proof(self, tree: str, routes: tuple[str, str] | None) -> IntervalProof:
        return IntervalProof(
            covers=self.statement.domain, routes=routes or ("left side in balls", "right side in balls"),
            relation=self.statement.name, constants={}, box=self.root, tree=tree, precision=self.precision,
            substitutions=dict(self.substitutions), rule=RULE,
        )  # fmt: skip

    def _wrong(self, tree: str) -> str | None:
        axes, stack, position = list(self.root), [self.root], 0
        while stack:
            if position >= len(tree):
                return "the bisection tree ends early: it does not tile the domain"
            code, current = tree[position], stack.pop()
            position += 1
            if code in "0123456789"[: len(axes)]:
                low, high = halves(current, axes[int(code)])
                stack += [high, low]
            elif code == "P":
                if not self.test.certified(current):
                    return f"the relation is not certified on {_box_text(current)}"
            elif code == "V":
                if not excluded(current, self.counts, self.statement.domain.where):
                    return f"no constraint excludes {_box_text(current)}"
            elif code != "U":
                return f"the bisection tree has the unknown code {code!r}"
        return None if position == len(tree) else "the bisection tree has boxes outside the domain"


Refute = Callable[[dict[str, Fraction]], Counterexample | None]


@checked
def prove(
    statement: Statement,
    *,
    substitutions: Mapping[str, Substitution] | None = None,
    boxes: Size = 20_000,
    precision: Annotated[int, "[2, 10000]"] = 64,
    routes: tuple[str, str] | None = None,
    searches: bool = True,
) -> IntervalProof | Counterexample:
    """Prove a statement on its whole domain, or find a point where it certainly fails.

    Args:
        statement: what is proved (``stating`` makes it of a relation), over bounded real intervals, single counts, and
            constraints. The proof covers its domain when it is complete.
        substitutions: variable -> (parameter, interval of the parameter, formula). A part of the statement that is
            the parameter, such as ``1/x`` for ``x = 1/u``, is taken as it: so a limit at an infinite end is reached.
        boxes: how many boxes may be examined before the rest is left undecided.
        precision: working precision in bits.
        routes: the two things compared, in words.
        searches: look for a counterexample in every box that is not certified; without, such a box is divided only.

    Raises:
        NoBox: for an unbounded variable without a substitution.
        NoTerm: for a quantity that is made for numbers and not for balls.
        InvalidInput: for a substitution that misses part of a range.
    """
    start = bisection(statement, substitutions=substitutions, precision=precision)

    def refute(suspect: dict[str, Fraction]) -> Counterexample | None:
        return refute_at(statement, _original(suspect, start.substitutions, statement.domain))

    return start.searched(boxes, refute if searches else None, routes)


def bisection(
    statement: Statement,
    *,
    substitutions: Mapping[str, Substitution] | None = None,
    precision: Annotated[int, "[2, 10000]"] = 64,
) -> Bisection:
    """What a proof by bisection starts from; arguments and errors as of ``prove``."""
    domain, substitutions = statement.domain, dict(substitutions or {})
    if len({parameter for parameter, _, _ in substitutions.values()}) < len(substitutions):
        raise InvalidInput(
            "substitutions", ", ".join(substitutions), "formulas that use a different parameter for every variable"
        )
    for variable, (parameter, interval, text) in substitutions.items():
        if variables(parsed(text)) != {parameter}:
            raise InvalidInput("substitutions", text, f"a formula in {parameter} alone")
        if variable not in domain.sets:
            raise InvalidInput("substitutions", variable, f"a variable of the domain: {', '.join(domain.sets)}")
        if gap := gap_in_image(variable, domain.sets[variable], text, interval):
            raise InvalidInput("substitutions", text, f"a formula that reaches the whole range ({gap})")
    root = _root_box(domain, substitutions)
    if len(root) > MOST_VARIABLES:
        raise InvalidInput("domain", str(domain), f"at most {MOST_VARIABLES} variables for a proof by bisection")
    formulas = {v: (text, interval) for v, (_, interval, text) in substitutions.items()}
    return Bisection(statement, root, formulas, precision)


def refute_at(problem: Statement | Program, point: Mapping[str, Any], rational: bool = False) -> Counterexample | None:
    """A counterexample if a statement or program certainly fails at the point and the point lies in its domain."""
    if not problem.domain.contains(point):
        return None
    try:
        left, operator, right = problem.sides(point, rational)
    except ZeroDivisionError:  # of what has no value there is nothing to show
        return None
    if holds(left, operator, right) is not False:
        return None
    return Counterexample(
        covers=problem.domain, routes=("left side", "right side"), relation=problem.name,
        constants=dict(problem.constants), point=dict(point), rational=rational, left=left, operator=operator,
        right=right, rule=RULE,
    )  # fmt: skip


def without_value_at(problem: Statement | Program, point: Mapping[str, Any]) -> Counterexample | None:
    """The counterexample that a point of the domain is where a side certainly has no value; None for a program."""
    if not isinstance(problem, Statement) or problem.described or not problem.domain.contains(point):
        return None
    if (why := no_value_at(problem, point)) in ("", UNKNOWN):
        return None
    left, right = sides_at(problem, point)
    return Counterexample(
        covers=problem.domain, routes=("left side", "right side"), relation=problem.name, constants={},
        point=dict(point), rational=True, left=left, operator=problem.operator, right=right, no_value=why, rule=RULE,
    )  # fmt: skip


def simplest(
    counterexample: Counterexample, problem: Statement | Program, at: Callable[..., Counterexample | None] | None = None
) -> Counterexample:
    """The same refutation at a point of small denominators, where one is near; `at` is another rule than a failure."""
    best, at = counterexample, at or partial(refute_at, rational=counterexample.rational)
    for name, value in counterexample.point.items():
        if not isinstance(value, Fraction):
            continue
        for denominator in (1, 2, 3, 4, 5, 8, 10, 20, 50, 100, 1000):
            simpler = at(problem, best.point | {name: value.limit_denominator(denominator)})
            if simpler is not None:
                best = simpler
                break
    return best


def _root_box(domain: Domain, substitutions: Mapping[str, Substitution]) -> Box:
    box: Box = {}
    for name, values in domain.variables:
        if name in substitutions:
            parameter, text, _ = substitutions[name]
            if parameter in domain.sets:
                raise InvalidInput("parameter of a substitution", parameter, "a name that is no variable of the domain")
            inner = Domain.of(**{parameter: text}).sets[parameter]
            name, values = parameter, inner
        if isinstance(values, Points) and len(values.values) == 1 and math.isfinite(values.values[0]):
            box[name] = (Fraction(values.values[0]), Fraction(values.values[0]))
        elif isinstance(values, Interval) and not values.integer and math.isfinite(values.upper - values.lower):
            box[name] = (Fraction(values.lower), Fraction(values.upper))
        else:
            raise NoBox(f"range of {name}", str(values), _boxed(name, values))
    return box


def _boxed(name: str, values: Any) -> str:
    """What holds instead of a range that no box holds, in words of a claim."""
    others = (
        f"take deduced(), and 'banditproof prove' looks for a proof, or narrow it: interval(covers={{'{name}': ...}})"
    )
    if isinstance(values, Interval) and not values.integer:
        whole = f"interval(substitutions={{'{name}': ('u', '(0, 1]', '1 / u')}}) for [1, inf), say"
        return f"bounded for interval(): write {whole}; or {others}"
    return f"real numbers or one number for interval(): try enumerated({name}=[...]) where it is finite; or {others}"


def _search(start: Bisection, boxes: int, refute: Refute | None) -> tuple[str, Counterexample | None]:
    """Breadth-first bisection; the tree in preorder, or a counterexample met in a box."""
    test, root, codes = start.test, start.root, dict[str, str]()
    queue: list[tuple[int, str, Box]] = [(0, "", root)]
    examined = 0
    while queue:
        depth, path, box = heapq.heappop(queue) if examined < boxes else queue.pop()
        if examined >= boxes:
            codes[path] = "U"
            continue
        examined += 1
        if excluded(box, start.counts, start.statement.domain.where):
            codes[path] = "V"
            continue
        if test.certified(box):
            codes[path] = "P"
            continue
        for point in (test.worst, {n: (a + b) / 2 for n, (a, b) in box.items()}) if refute else ():
            if refute and test.fails_at(point) and (counterexample := refute(point)) is not None:
                return "U", counterexample
        axis = _widest(box, root)
        if axis is None:
            codes[path] = "U"
            continue
        codes[path] = str(list(root).index(axis))
        for side, half in enumerate(halves(box, axis)):
            heapq.heappush(queue, (depth + 1, path + str(side), half))
    return _preorder(codes), None


def halves(box: Box, axis: str) -> tuple[Box, Box]:
    low, high = box[axis]
    middle = (low + high) / 2
    return box | {axis: (low, middle)}, box | {axis: (middle, high)}


def _widest(box: Box, root: Box) -> str | None:
    """The variable whose range has shrunk least so far."""
    widths = {n: (b - a) / (root[n][1] - root[n][0]) for n, (a, b) in box.items() if a != b}
    return max(widths, key=lambda n: widths[n]) if widths else None


def open_boxes(proof: IntervalProof) -> Iterator[Box]:
    """The boxes that a proof by bisection leaves undecided."""
    axes, stack = list(proof.box), [dict(proof.box)]
    for code in proof.tree:
        box = stack.pop()
        if code in "PVU":
            if code == "U":
                yield box
            continue
        low, high = halves(box, axes[int(code)])
        stack += [high, low]


def _preorder(codes: Mapping[str, str]) -> str:
    output, stack = [], [""]
    while stack:
        path = stack.pop()
        output.append(codes[path])
        if codes[path] not in "PVU":
            stack += [path + "1", path + "0"]
    return "".join(output)


def _original(point: dict[str, Fraction], formulas: Mapping[str, Sequence[str]], domain: Domain) -> dict[str, Any]:
    """The point in the domain's own variables; a substituted one is rounded to a nearby rational."""
    values: dict[str, Any] = dict(point)
    for variable, (text, _) in formulas.items():
        ball = value_at(parsed(text), {n: as_ball(v) for n, v in point.items()})
        values[variable] = Fraction(float(ball)).limit_denominator(10**6) if ball.is_finite() else math.inf
    kept = {n: values[n] for n in domain.sets if n in values}
    return {n: int(v) if counted(domain.sets[n]) else v for n, v in kept.items()}


def _box_text(box: Box) -> str:
    return ", ".join(f"{n} in [{float(a):.6g}, {float(b):.6g}]" for n, (a, b) in box.items())
