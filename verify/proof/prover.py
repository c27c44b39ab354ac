"""The interval prover: branch and bound on boxes in ball arithmetic.

``prove`` returns a proof object (complete, or with what is left undecided) or a counterexample. Open ends are proved on
the closed box, which is more than asked; infinite ends, and ends where a formula has no limit, need a substitution.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Any

from banditproof.theory.arguments import Size, checked
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.numeric import working_precision
from banditproof.theory.numbers.term import NoTerm, variables
from banditproof.verify.proof.box import Box, BoxTest, excluded
from banditproof.verify.proof.compare import (
    Relation,
    as_ball,
    evaluate,
    fits,
    holds,
    only_variables,
    relation_name,
    relation_named,
)
from banditproof.verify.proof.domain import Domain, Interval, Points, counted
from banditproof.verify.proof.evaluation import value_at
from banditproof.verify.proof.evidence import Counterexample, IntervalProof
from banditproof.verify.proof.parsing import parsed
from banditproof.verify.proof.statement import stating
from banditproof.verify.proof.substitution import Substitution, gap_in_image, in_parameters

MOST_VARIABLES = 10  # a digit of the bisection tree names a variable


class NoBox(InvalidInput):
    """A domain that no box holds: bisection has nothing to start from."""


Refute = Callable[[dict[str, Fraction]], Counterexample | None]


@checked
def prove(
    relation: Relation,
    domain: Domain,
    constants: Mapping[str, Any],
    *,
    substitutions: Mapping[str, Substitution] | None = None,
    boxes: Size = 20_000,
    precision: Annotated[int, "[2, 10000]"] = 64,
    routes: tuple[str, str] | None = None,
    searches: bool = True,
) -> IntervalProof | Counterexample:
    """Prove a relation on a whole domain, or find a point where it certainly fails.

    Args:
        relation: function returning ``(left, operator, right)``, called once, on symbols: it must be a formula.
        domain: bounded real intervals, single counts, and constraints. The proof covers it when it is complete.
        constants: values of the claim's constants, by name.
        substitutions: variable -> (parameter, interval of the parameter, formula). A part of the relation that is
            the parameter, such as ``1/x`` for ``x = 1/u``, is taken as it: so a limit at an infinite end is reached.
        boxes: how many boxes may be examined before the rest is left undecided.
        precision: working precision in bits.
        routes: the two things compared, in words.
        searches: look for a counterexample in every box that is not certified; without, such a box is divided only.

    Raises:
        NoBox: for an unbounded variable without a substitution.
        InvalidInput: for a substitution that misses part of a range, and for what is no formula.
    """
    proof = without_tree(relation, domain, constants, substitutions=substitutions, precision=precision, routes=routes)
    relation, counts = relation_named(proof.relation), counts_of(proof)
    with working_precision(precision):
        test = box_test(proof)

        def refute(suspect: dict[str, Fraction]) -> Counterexample | None:
            return refute_at(relation, domain, constants, _original(suspect, proof.substitutions, domain))

        tree, found = _search(test, proof.box, counts, domain, boxes, refute if searches else None)
    return replace(proof, tree=tree) if found is None else found


def without_tree(
    relation: Relation,
    domain: Domain,
    constants: Mapping[str, Any],
    *,
    substitutions: Mapping[str, Substitution] | None = None,
    precision: Annotated[int, "[2, 10000]"] = 64,
    routes: tuple[str, str] | None = None,
) -> IntervalProof:
    """What a proof by bisection starts from, before its tree is found; arguments and errors as of ``prove``."""
    substitutions = dict(substitutions or {})
    if len({parameter for parameter, _, _ in substitutions.values()}) < len(substitutions):
        raise InvalidInput("substitutions", ", ".join(substitutions), "a parameter of its own for every variable")
    for variable, (parameter, interval, text) in substitutions.items():
        if variables(parsed(text)) != {parameter}:
            raise InvalidInput("substitutions", text, f"a formula in {parameter} alone")
        if gap := gap_in_image(variable, domain.sets[variable], text, interval):
            raise InvalidInput("substitutions", text, f"a formula that reaches the whole range ({gap})")
    root = _root_box(domain, substitutions)
    fits(relation, domain, constants)
    try:
        statement = stating(relation, domain, constants)
    except NoTerm as why:
        raise InvalidInput("relation", relation_name(relation), f"a formula ({why})") from None
    if len(root) > MOST_VARIABLES:
        raise InvalidInput("domain", str(domain), f"at most {MOST_VARIABLES} variables for a proof by bisection")
    formulas = {v: (text, interval) for v, (_, interval, text) in substitutions.items()}
    return IntervalProof(
        covers=domain, routes=routes or ("left side in balls", "right side in balls"),
        relation=relation_name(statement.relation), constants=dict(constants), box=root, tree="", precision=precision,
        substitutions=formulas,
    )  # fmt: skip


def counts_of(proof: IntervalProof) -> list[str]:
    """The variables of a proof's box that count something."""
    return [n for n, values in proof.covers.variables if n in proof.box and counted(values)]


def box_test(proof: IntervalProof) -> BoxTest:
    """The test of a box that a proof's tree consists of; raises NoTerm where its relation is no formula."""
    statement = stating(relation_named(proof.relation), proof.covers, proof.constants)
    return BoxTest(in_parameters(statement, proof.substitutions), counts_of(proof), proof.substitutions)


def refute_at(
    relation: Relation, domain: Domain, constants: Mapping[str, Any], point: Mapping[str, Any], rational: bool = False
) -> Counterexample | None:
    """A counterexample if the relation certainly fails at the point and the point lies in the domain."""
    only_variables(point, domain, relation)
    if not domain.contains(point):
        return None
    left, operator, right = evaluate(relation, point, constants, rational)
    if holds(left, operator, right) is not False:
        return None
    return Counterexample(
        covers=domain, routes=("left side", "right side"), relation=relation_name(relation), constants=dict(constants),
        point=dict(point), rational=rational, left=left, operator=operator, right=right,
    )  # fmt: skip


def simplest(counterexample: Counterexample, relation: Relation, domain: Domain) -> Counterexample:
    """The same refutation at a point of small denominators, where one is near."""
    best = counterexample
    for name, value in counterexample.point.items():
        if not isinstance(value, Fraction):
            continue
        for denominator in (1, 2, 3, 4, 5, 8, 10, 20, 50, 100, 1000):
            trial = best.point | {name: value.limit_denominator(denominator)}
            simpler = refute_at(relation, domain, best.constants, trial, best.rational)
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
        if isinstance(values, Points) and len(values.values) == 1:
            box[name] = (Fraction(values.values[0]), Fraction(values.values[0]))
        elif isinstance(values, Interval) and not values.integer and math.isfinite(values.upper - values.lower):
            box[name] = (Fraction(values.lower), Fraction(values.upper))
        else:
            raise NoBox(f"range of {name}", str(values), "a bounded real interval or one count (substitute otherwise)")
    return box


def _search(
    test: BoxTest, root: Box, counts: Sequence[str], domain: Domain, boxes: int, refute: Refute | None
) -> tuple[str, Counterexample | None]:
    """Breadth-first bisection; the tree in preorder, or a counterexample met in a box."""
    codes: dict[str, str] = {}
    queue: list[tuple[int, str, Box]] = [(0, "", root)]
    examined = 0
    while queue:
        depth, path, box = heapq.heappop(queue) if examined < boxes else queue.pop()
        if examined >= boxes:
            codes[path] = "U"
            continue
        examined += 1
        if excluded(box, counts, domain.where):
            codes[path] = "V"
            continue
        if test.certified(box):
            codes[path] = "P"
            continue
        for point in (test.worst, {n: (a + b) / 2 for n, (a, b) in box.items()}) if refute else ():
            if refute and test.fails_at(point) and (found := refute(point)) is not None:
                return "U", found
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
