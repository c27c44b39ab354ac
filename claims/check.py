"""What a check function is given: the claim's domain and constants, and the methods that produce evidence."""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from banditproof.claims.derivations import facts_asked, untied, with_keys
from banditproof.claims.resolution import Resolution, Sight
from banditproof.claims.seeds import ROOT_SEED, seed_sequence
from banditproof.claims.trees import stored, tree_of
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.term import NoTerm, parts
from banditproof.verify.judge.ways.of_terms import place_of_failure
from banditproof.verify.kernel.terms import Refused
from banditproof.verify.kernel.writing import to_data
from banditproof.verify.proof.compare import (
    Relation,
    chosen_by_hand,
    fits,
    holds,
    numbers_by_default,
    only_variables,
    relation_name,
)
from banditproof.verify.proof.domain import Domain, Everything, Interval, constant, shown, uncovered, unseen_points
from banditproof.verify.proof.enumeration import Unconfirmed, decimal, enumerated, point_list, unread
from banditproof.verify.proof.evaluation import call, formula_of
from banditproof.verify.proof.evidence import (
    Certificate,
    Counterexample,
    Enumeration,
    Evidence,
    IntervalProof,
    NotEvaluated,
    Quadrature,
    RefusedCertificate,
    Statistics,
    Trend,
)
from banditproof.verify.proof.general import General, general, proved_in_kernel
from banditproof.verify.proof.prover import NoBox, open_boxes, prove, refute_at, simplest, without_value_at
from banditproof.verify.proof.special_points import special_points
from banditproof.verify.proof.statement import Program, Statement, spoken_otherwise, trace
from banditproof.verify.proof.substitution import Substitution, bounded
from banditproof.verify.proof.values import UNKNOWN, is_read, no_value_at
from banditproof.verify.proof.watching import rounding_at, rounding_on_the_way

UNSEEN = 100  # points that nobody chose
PROVED = 25, 100  # of them at which what has a proof is tried, by profile: a second look at the prover
UNPROVED = 1000  # and what has no tree, as false variants have none
MOST_VISITED = 1000  # points of a list on which an enumeration failed, where a value is looked for again
VALUED, LONGEST_SUM = 24, 200  # points drawn and open boxes where a value is looked for; largest count of a sum there
SIZES, FEWER_SIZES = 6, 2  # powers of ten that reach up and down; a sum takes steps in proportion to its ends

MOST_ON_BOXES, BOXES = 3, 4000  # variables, and boxes, of what is shown without a step


class Check:
    """Collects the evidence of one run of one check.

    Attributes:
        claim_id: the claim's id; seeds derive from it.
        domain: the claim's domain (or the mutation's).
        profile: 'quick' or 'full'.
        printed: whether these are the printed constants and domain.
        relation: the claim's own relation, or None where a function of the check speaks of several.
        assuming: what that relation takes from prose.
        searches: whether counterexamples are looked for and recorded. Without, a proof has to see by itself that a
            statement is false: nothing is refuted, and no value at a point outside of an enumeration stops a proof.
        evidence: what the methods have found so far; they alone add to it.
        attempts: stronger methods that were tried and failed: ``(method, why)``.
    """

    def __init__(
        self,
        claim_id: str,
        domain: Domain,
        constants: Mapping[str, Any],
        *,
        profile: str = "quick",
        root_seed: int = ROOT_SEED,
        studies: Path | None = None,
        error: Fraction | None = None,
        box_limit: int | None = None,
        printed: bool = True,
        relation: Relation | None = None,
        assuming: str = "",
        searches: bool = True,
    ) -> None:
        self.claim_id, self.domain, self._constants, self.profile = claim_id, domain, dict(constants), profile
        self.root_seed, self.studies_folder = root_seed, studies
        self.box_limit, self.printed, self.relation, self.assuming = box_limit, printed, relation, assuming
        self._searches = searches
        self._statements: dict[Relation, Statement | str] = {}
        self.error = error or Fraction(1, 10**9)
        self._evidence: list[Evidence] = []
        self.attempts: list[tuple[str, str]] = []
        self._visited: list[Mapping[str, Any]] = []  # by steps that gave nothing there

    def run(self, gather: Callable[[Check], None]) -> None:
        """Gather the evidence."""
        gather(self)

    # -- context ----------------------------------------------------------------------------------------------

    def pick(self, quick: Any, full: Any) -> Any:
        """One value under the quick profile, another under the full one."""
        return full if self.profile == "full" else quick

    def rng(self, *labels: Any) -> np.random.Generator:
        """A generator that depends on the root seed, the claim and the labels only."""
        return np.random.default_rng(seed_sequence(self.root_seed, "/".join(map(str, (self.claim_id, *labels)))))

    def study(self, study: Any, stream: str = "") -> dict[str, np.ndarray]:
        """The arrays of a declared study; ``stream='fresh'`` for the independent repetition."""
        return study.result(self.profile, self.root_seed, self.studies_folder, stream)

    def could_not(self, method: str, why: str) -> None:
        """Record that a stronger method was tried and why it failed."""
        self.attempts.append((method, why))

    @property
    def searches(self) -> bool:
        return self._searches

    @property
    def constants(self) -> dict[str, Any]:
        """The claim's constants (or the mutation's); what a step does to them is not done to the claim."""
        return dict(self._constants)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return tuple(self._evidence)

    @property
    def refuted(self) -> bool:
        return any(e.refutes for e in self._evidence)

    def problem_of(self, relation: Relation, covers: Domain | None = None) -> Statement | Program:
        """What is proved, or evaluated at points: the statement of a relation with its constants, or the program it is.

        A program is a body that asks what only a number can answer, rounds, or knows that it is traced.
        """
        region = covers or self.domain
        read = self.read(relation)
        return Program(region, relation, self.constants) if isinstance(read, str) else read.over(region)

    def statement_of(self, relation: Relation, covers: Domain | None = None) -> Statement:
        """What provers prove: the statement of a relation on a region.

        Raises NoTerm for a program, and for a statement about what is no number, of which no prover knows anything.
        """
        fits(relation, covers or self.domain, self.constants)
        read = self.read(relation)
        if isinstance(read, str):
            raise NoTerm(read)
        if read.described:
            raise NoTerm(f"{read.described[0]} is {self.domain.sets[read.described[0]]}, which is not a number")
        return read.over(covers or self.domain)

    def read(self, relation: Relation) -> Statement | str:
        """What a relation says, in the words of a term; a sentence where it is none."""
        if relation not in self._statements:
            self._statements[relation] = self._traced(relation)
        return self._statements[relation]

    def _traced(self, relation: Relation) -> Statement | str:
        if (formula := formula_of(relation)) is not None:
            return Statement(self.domain, *formula)
        try:
            statement = trace(relation, self.domain, self.constants)
        except NoTerm as why:
            return str(why)
        if not self.printed:
            return statement
        why_not = rounding_on_the_way(relation, self.domain, self.constants)
        return why_not or spoken_otherwise(statement, relation, self.constants) or statement

    # -- proving methods --------------------------------------------------------------------------------------

    def kernel(self, relation: Relation, proof: Callable[[Any], Any]) -> bool:
        """Prove a statement about every mechanism, law or policy by a theorem of the kernel, which is made again."""
        statement = general(relation, self.domain, self.constants)
        theorem = proved_in_kernel(statement, self.kernel_proof_of(statement, proof))
        if isinstance(theorem, str):
            self.could_not("kernel", theorem)
        else:
            self._evidence.append(theorem.labelled(self.assuming))
        return True

    def kernel_proof_of(self, statement: General, proof: Callable[[Any], Any]) -> Any:
        """The proof as data; None where the kernel refuses one of its steps."""
        try:
            return to_data(proof(statement.formula))
        except (Refused, StopIteration) as why:
            self.could_not("kernel", f"a step is refused: {why}")
            return None

    def deduction(self, relation: Relation, steps: int = 0) -> bool:
        """Prove a relation by a tree of rules, unless it fails at a point.

        The tree is the one that is stored for it. Where none is, one is looked for if `steps` says how many rules may
        be tried for a goal; without searches for counterexamples, goals are not looked at at points either.
        """
        from banditproof.verify.proof.deduce import Stuck
        from banditproof.verify.proof.deduction import deduced

        try:
            statement = self.statement_of(relation)
        except NoTerm as why:
            self.could_not("deduction", str(why))
            return True
        tree = tree_of(self.claim_id, statement)
        why = f"no proof is stored; 'banditproof prove {self.claim_id}' searches for one"
        if tree is None and steps:
            try:
                tree = self.found_tree(statement, steps)
            except Stuck as stuck:
                why = f"no proof was found ({stuck})"
        summed = any(p.op == "total" for side in (statement.left, statement.right) for p in parts(side))
        count, sizes = 0 if tree or steps else UNPROVED, FEWER_SIZES if summed else SIZES
        if self.fails_elsewhere(relation, statement.domain, count, sizes):
            return False
        if tree is None:
            self.could_not("deduction", why)
            return True
        proof = deduced(statement, tree, searches=self.searches)
        if isinstance(proof, str):
            self.could_not("deduction", proof)
            return True
        self._evidence.append(proof.labelled(self._of_all_values(relation), constants=self.constants))
        return True

    def found_tree(self, statement: Statement, steps: int) -> Any:
        """A tree that is found by a search. Raises Stuck."""
        from banditproof.verify.proof.deduce import search

        return search(statement, steps, blind=not self.searches)

    def judged(self, relation: Relation) -> bool:
        """Show a formula of numbers where nobody says how: by its stored tree, else on boxes, else at points.

        A counterexample is looked for at the points at which `judge` looks for one as well.
        """
        if not self.deduction(relation) or self._is_proved():
            return not self.refuted
        if isinstance(self.read(relation), str):  # a program, of which points of its author's choice are needed
            return True
        from banditproof.verify.proof.deduction import unfit

        statement = self.statement_of(relation)
        if self.search(relation, filter(None, [place_of_failure(statement)] if self.searches else [])):
            return False
        if len(statement.domain.variables) <= MOST_ON_BOXES:
            try:
                self.interval(relation, boxes=BOXES, substitutions=bounded(statement.domain))
            except unfit() as why:  # at an infinite end, which nobody chose a substitution for
                self.could_not("interval", str(why))
        if self.refuted or self._is_proved():
            return not self.refuted
        drawn = unseen_points(self.domain, UNSEEN, self.claim_id, largest_count=LONGEST_SUM, extremes=FEWER_SIZES)
        asked = [*special_points(self.domain), *drawn]
        points = self.told(statement, asked)
        if 2 * len(points) < len(asked):  # an evaluation that fails at most points is no evidence
            self.could_not("enumeration", f"only {len(points)} of {len(asked)} points tell which side is larger")
            return True
        return self.enumerate(relation, points)

    def told(self, statement: Statement, points: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """The points at which both sides have values, and differ or are equal beyond rounding."""
        return [point for point in points if _is_told(statement, point)]

    def resolved(self, sight: Sight) -> tuple[Resolution, Sequence[Mapping[str, Any]]]:
        """How fine the check is, and the points at which the claim has to be tried for that."""
        return sight.resolution(), sight.demands

    def interval(
        self,
        relation: Relation,
        covers: Domain | None = None,
        *,
        boxes: int | None = None,
        substitutions: Mapping[str, Substitution] | None = None,
        precision: int = 64,
        routes: tuple[str, str] | None = None,
    ) -> bool:
        """Prove a relation by branch and bound; a counterexample or a partial proof is recorded as such."""
        try:
            evidence = self.bisected(
                self.statement_of(relation, covers),
                substitutions=substitutions,
                precision=precision,
                boxes=min(boxes or self.pick(20_000, 400_000), self.box_limit or 400_000),
                routes=routes,
            )
        except (NoBox, NoTerm) as error:
            self.could_not("interval", str(error))
            return True
        if isinstance(evidence, IntervalProof) and not evidence.complete:
            self.could_not("interval", f"{evidence.tree.count('U')} of {evidence.leaves} boxes left undecided")
        if isinstance(evidence, Counterexample):
            self._counts(evidence, relation)
            return False
        if evidence.complete and self.fails_elsewhere(relation, evidence.covers):
            return False
        trusted = self._of_all_values(relation) if self.printed else ""
        self._evidence.append(evidence.labelled(trusted, constants=self.constants))
        return "U" not in evidence.tree

    def bisected(self, statement: Statement, **options: Any) -> IntervalProof | Counterexample:
        """What branch and bound finds on the domain of a statement."""
        evidence = prove(statement, searches=self.searches, **options)
        if isinstance(evidence, Counterexample):
            return simplest(
                evidence, statement.over(self.domain) if self.domain.contains(evidence.point) else statement
            )
        return evidence

    def certificate(
        self,
        verifier: Relation,
        data: Any,
        covers: Domain | None = None,
        routes: tuple[str, str] = ("certificate", "exact verifier"),
    ) -> bool:
        """Record data that the verifier (a relation of ``data`` and the constants) accepts: that supports the claim.

        The entry 'because' of the data names the steps that lead from there to the claim, which no program checks. What
        does not depend on a constant of the claim would support the claim with any other number in its place. Data that
        is refused leaves the claim undecided, unless it is proved or refuted otherwise.
        """
        why, derived = "", isinstance(data, Mapping) and "facts" in data
        given = {**data, "trees": stored(self.claim_id)} if derived else data
        with facts_asked() as asked:
            accepted = holds(*call(verifier, {"data": given, **self.constants})) is True
        if loose := untied(verifier, data, self.constants):
            why = f"no proved fact depends on the claim's constant {', '.join(loose)}"
        elif not accepted:
            why = f"{relation_name(verifier)} does not accept the data"
        if why:
            self.could_not("certificate", why)
            self._evidence.append(RefusedCertificate(covers or self.domain, routes, relation_name(verifier), why))
            return False
        assumes = data.get("because", "") if isinstance(data, dict) else ""
        data = with_keys(given, asked) if derived else data
        verified = Certificate(covers or self.domain, routes, relation_name(verifier), self.constants, data, assumes)
        self._evidence.append(verified)
        if assumes:
            self.could_not("certificate", f"not a complete proof: its steps are only connected in words ({assumes})")
        return True

    def enumerate(
        self,
        relation: Relation,
        over: Mapping[str, Iterable[Any]] | Iterable[Mapping[str, Any]],
        *,
        covers: Domain | None = None,
        rational: bool = False,
        routes: tuple[str, str] = ("left side", "right side"),
    ) -> bool:
        """Verify a relation at every point of a grid (or list); stops at the first counterexample.

        ``covers`` defaults to exactly the enumerated values. Points where balls cannot decide are recorded as a
        failed attempt and leave the claim without this evidence.
        """
        points, region = self._finite(relation, over, covers)
        problem = self.problem_of(relation)
        evidence = self.enumerated(problem, points, region, rational=rational, routes=routes)
        if isinstance(evidence, Enumeration):
            trusted = "" if evidence.assumes else self._of_all_values(relation)
            self._evidence.append(evidence.labelled(trusted, constants=self.constants))
            return True
        if isinstance(evidence, str):
            self.could_not("enumeration", evidence)
            self._visited += itertools.islice(point_list(points), MOST_VISITED)
            return False
        point, verdict = evidence
        self._visited.append(point)
        if verdict is False and self._refute(relation, point, rational):
            return False
        where = "outside the domain" if verdict is False else "within rounding"
        self.could_not("enumeration", f"not confirmed at {shown(point)} ({where})")
        return False

    def enumerated(
        self, problem: Statement | Program, points: Any, region: Domain, **options: Any
    ) -> Enumeration | Unconfirmed | str:
        """What evaluation at the points shows."""
        return enumerated(problem, points, region, **options)

    # -- supporting methods -----------------------------------------------------------------------------------

    def quadrature(
        self,
        relation: Relation,
        over: Mapping[str, Iterable[Any]] | Iterable[Mapping[str, Any]],
        error: str,
        *,
        covers: Domain | None = None,
        routes: tuple[str, str] = ("quadrature", "formula"),
    ) -> bool:
        """As ``enumerate``, for values whose error bound is estimated, not proved: never a proof or a refutation."""
        points, region = self._finite(relation, over, covers)
        problem, count = self.problem_of(relation), 0
        for point in point_list(points):
            count += 1
            if holds(*problem.sides(point)) is not True:
                self.could_not("quadrature", f"not confirmed at {shown(point)}")
                return False
        self._evidence.append(Quadrature(region, routes, problem.name, self.constants, points, count, error))
        return True

    def search(
        self,
        relation: Relation,
        points: Iterable[Mapping[str, Any]],
        covers: Domain | None = None,
        rational: bool = False,
    ) -> bool:
        """Look for a counterexample among points; it is moved to simpler numbers where one is found."""
        problem = self.problem_of(relation, covers)
        for point in points:  # also where none is looked for: `tried` says which points lie outside of the domain
            if self.searches:
                self._visited.append(point)
                counterexample = refute_at(problem, point, rational)
                if counterexample is not None:
                    return self._counts(simplest(counterexample, problem), relation)
        return False

    def counterexample(self, relation: Relation, point: Mapping[str, Any], rational: bool = False) -> bool:
        """Record a counterexample if the relation certainly fails at this point of the domain, or why there is none."""
        told = len(self.attempts)
        self._visited.append(point)
        if self._refute(relation, dict(point), rational):
            return True
        if len(self.attempts) == told:
            inside = self.domain.contains(point)
            why = "the relation does not certainly fail there" if inside else "it lies outside of the domain"
            self.could_not("counterexample", f"{shown(point)}: {why}")
        return False

    def statistics(
        self,
        tests: Callable[[str], list[dict[str, Any]]],
        *,
        covers: Domain | None = None,
        routes: tuple[str, str] = ("event counts", "claimed probability"),
        seeds: str = "",
    ) -> bool:
        """Compare event counts with what the claim says; on a violation of what is printed repeat on a fresh stream.

        Args:
            tests: function of the stream name ('' or 'fresh') returning event tests (``verify.statistics.event_test``).
        """
        from banditproof.verify.proof.statistics import detectable

        first = tests("")
        seen = {
            t["event"]: detectable(t["trials"], Fraction(t["probability"]), t["operator"], self.error) for t in first
        }
        weakest = max(first, key=lambda t: abs(seen[t["event"]] - Fraction(t["probability"])))
        worst, stated = seen[weakest["event"]], weakest["probability"]
        power = f"a true probability of {worst:.4g} instead of {stated} would have been detected (power 0.99)"
        if worst in (0, 1):
            power = "no violation can be detected with power 0.99: there are too few trials"
        pairs = [(float(Fraction(t["probability"])), seen[t["event"]]) for t in first]
        noticed = decimal(min((max(pair) / min(pair) for pair in pairs if min(pair) > 0), default=math.inf))
        seeds = seeds or f"study seeds, root {self.root_seed}"
        record = Statistics(covers or self.domain, routes, first, self.error, seeds, power, noticed=noticed)
        if self.printed and "violated" in record.outcomes:
            record = replace(record, fresh=tests("fresh"))
        self._evidence.append(record)
        return record.supports

    def trend(
        self,
        rule: str,
        series: Iterable[tuple[Any, Any]],
        source: str,
        covers: Domain | None = None,
        routes: tuple[str, str] = ("values along the index", "decision rule"),
        **parameters: Any,
    ) -> bool:
        """Judge a series by a rule of ``verify.proof.trend``; the parameters are fixed before the values are seen."""
        record = Trend(covers or self.domain, routes, rule, parameters, list(series), source)
        self._evidence.append(record)
        return record.supports

    def _of_all_values(self, relation: Relation) -> str:
        """As below, and which numbers a proof takes that are no variables."""
        return "; ".join(
            filter(None, (chosen_by_hand(numbers_by_default(relation), self.domain), self._on_trust(relation)))
        )

    def _on_trust(self, relation: Relation) -> str:
        """What evidence about a relation takes on trust: prose, or that another than its own implies the claim."""
        own = self.relation is None or relation is self.relation
        return "; ".join(filter(None, (self.assuming, "" if own else f"{relation.__name__} implies the claim")))

    def fails_elsewhere(self, relation: Relation, region: Domain, count: int = 0, sizes: int = SIZES) -> bool:
        """Whether what is proved fails at a point: a second look at the prover itself."""
        count = count or self.pick(*PROVED)
        problem = self.problem_of(relation, region)
        if isinstance(problem, Statement) and problem.described:  # no point is drawn of them
            return False
        for point in unseen_points(region, count, self.claim_id, extremes=sizes) if self.searches else ():
            try:
                counterexample = refute_at(problem, point)
            except ArithmeticError:  # a branch is within rounding
                continue
            if counterexample is not None:
                return self._counts(simplest(counterexample, problem), relation)
        return False

    def look_for_values(self) -> None:
        """Refute the claim where its relation certainly has no value at a point of the domain, as it is printed.

        Where no value is found at most of the points, and nothing shows that there is none, that stands against it. The
        points are those that formulas like to divide by, those at which steps found nothing, the middles of boxes that
        a bisection left open, and others, whichever step shows the claim. What is proved has values.
        """
        if self.relation is None or not self.searches or self.refuted or self._is_proved():
            return
        statement = self.read(self.relation)
        if isinstance(statement, str) or statement.described:
            return
        statement = statement.over(self.domain)
        counts = [n for n, s in statement.domain.variables if isinstance(s, Interval) and s.integer]
        long = any(p.op in ("total", "quantity") for side in (statement.left, statement.right) for p in parts(side))
        most = LONGEST_SUM if long else math.inf
        drawn = unseen_points(self.domain, VALUED, "values", largest_count=LONGEST_SUM, extremes=FEWER_SIZES)
        sampled = [*self._middles_left_open(statement), *drawn]
        unknown: list[Mapping[str, Any]] = []
        for point in (*self._visited[:MOST_VISITED], *special_points(self.domain), *sampled):
            if any(point.get(n, 0) > most for n in counts):
                continue
            why = no_value_at(statement, point)
            if why == UNKNOWN and any(point is one for one in sampled):
                unknown.append(point)
            elif why not in ("", UNKNOWN) and (found := without_value_at(statement, point)) is not None:
                self._counts(simplest(found, statement, without_value_at), self.relation)
                return
        if is_read(statement) and 2 * len(unknown) > len(sampled):
            self.could_not("evaluation", f"no value is found at {shown(unknown[0])}, nor at most of the points tried")
            self._evidence.append(
                NotEvaluated(
                    self.domain, ("left side", "right side"), statement.name, list(map(dict, unknown)), len(sampled)
                )
            )

    def _is_proved(self) -> bool:
        proving = [e.covers for e in self._evidence if getattr(e, "proves", False) and e.complete]
        return bool(proving) and uncovered(self.domain, proving) is None

    def _middles_left_open(self, statement: Statement) -> Iterator[dict[str, Any]]:
        """The middles of some boxes that a bisection of the relation itself left open."""
        for proof in self._evidence:
            if isinstance(proof, IntervalProof) and proof.relation == statement.name and not proof.substitutions:
                boxes = list(open_boxes(proof))
                for box in boxes[:: -(-len(boxes) // VALUED) or 1]:
                    middle = {n: (a + b) / 2 for n, (a, b) in box.items()}
                    point = {n: self._exact(n, v) for n, v in middle.items()}
                    if self.domain.contains(point):
                        yield point

    # -- plumbing ---------------------------------------------------------------------------------------------

    def _refute(self, relation: Relation, point: Mapping[str, Any], rational: bool) -> bool:
        if not self.searches:
            return False
        counterexample = refute_at(self.problem_of(relation), point, rational)
        return counterexample is not None and self._counts(counterexample, relation)

    def _counts(self, counterexample: Counterexample, relation: Relation) -> bool:
        """Record a counterexample, unless its formula may round; a variant is caught by what a formula computes."""
        problem, rounded = self.problem_of(relation), None
        if self.printed and unread(problem) and not counterexample.no_value:
            rounded = rounding_at(relation, counterexample.point, self.constants, counterexample.rational)
        if self.relation is not None and relation is not self.relation:
            why = f"{relation.__name__}, which is stronger than the claim, fails at {shown(counterexample.point)}"
            self.could_not("counterexample", why)
            return False
        if rounded:
            why = f"its computed sides fail at {shown(counterexample.point)}, but they may be rounded ({rounded})"
            self.could_not("counterexample", why)
        else:
            assumes = self._on_trust(relation) if self.printed else ""
            name = relation_name(relation)  # as its author wrote it, for whoever reads how it fails
            self._evidence.append(counterexample.labelled(assumes, relation=name, constants=self.constants))
        return not rounded

    def _exact(self, name: str, value: Any) -> Any:
        """Real variables as Fractions, counts as ints; objects as they are."""
        values = self.domain.sets.get(name)
        if isinstance(values, Interval) and not values.integer:
            return Fraction(value) if not isinstance(value, float) or np.isfinite(value) else value
        if isinstance(value, np.integer):
            return int(value)
        return Fraction(value) if isinstance(value, float) and np.isfinite(value) else constant(value)

    def points(self, over: Mapping[str, Iterable[Any]] | Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """The points of a grid or list, with exact values."""
        if isinstance(over, Mapping):
            over = point_list({"grid": {str(n): _several(str(n), values) for n, values in over.items()}})
        return ({n: self._exact(n, v) for n, v in point.items()} for point in over)

    def tried(
        self, relation: Relation, over: Mapping[str, Iterable[Any]] | Iterable[Mapping[str, Any]]
    ) -> Iterator[Any]:
        """The points of a grid or list at which a counterexample is looked for.

        Raises InvalidInput for a point that names what a relation does not take, or leaves out a number of the domain.
        """
        outside, within = None, False  # where no point lies in the domain, one is named
        for point in self.points(over):
            only_variables(point, self.domain, relation)
            if missing := [n for n, s in self.domain.variables if n not in point and not isinstance(s, Everything)]:
                named = ", ".join(self.domain.sets)
                raise InvalidInput("point", shown(point), f"a value for each of {named} ({missing[0]} has none)")
            inside = self.domain.contains(point)
            outside, within = outside if inside else point, within or inside
            yield point
        if outside is not None and not within:
            self.could_not("points", f"{shown(outside)}: it lies outside of the domain")

    def region_of(self, relation: Relation, over: Any, covers: Domain | None) -> Domain:
        """The region that an enumeration of these points covers."""
        return self._finite(relation, over, covers)[1]

    def _finite(self, relation: Relation, over: Any, covers: Domain | None) -> tuple[Any, Domain]:
        """The points as they are stored, and the region they speak of."""
        fits(relation, self.domain, self.constants, every=False)
        if isinstance(over, Mapping):
            only_variables(over, self.domain, relation)
            grid = {n: [self._exact(n, v) for v in _several(n, values)] for n, values in over.items()}
            if not all(grid.values()):
                raise InvalidInput("over", over, "at least one value for every variable")
            region = self._region(relation, grid, None, covers)
            points = list(self._without_what_is_excluded(grid))
            if len(points) == math.prod(map(len, grid.values())) or uncovered(self.domain, [region]) is None:
                return {"grid": grid}, region
            over = points
        points = [{n: self._exact(n, v) for n, v in p.items()} for p in over]
        if not points:
            raise InvalidInput("over", over, "at least one point")
        given = [n for n in self.domain.sets if n in points[0]]
        for point in points:
            only_variables(point, self.domain, relation)
            if [n for n in self.domain.sets if n in point] != given:
                raise InvalidInput("point", shown(point), f"values of {', '.join(given)}, like the first point")
        values = {n: list({_hashable(p[n]): p[n] for p in points}.values()) for n in given}
        combinations = {tuple(_hashable(p[n]) for n in given) for p in points}
        return points, self._region(relation, values, len(combinations), covers)

    def _without_what_is_excluded(self, grid: Mapping[str, list[Any]]) -> Iterator[dict[str, Any]]:
        """The points of a grid, without those at which a constraint between the variables certainly fails."""
        constraints = [c for c in self.domain.where if c.names <= grid.keys()]
        for point in point_list({"grid": grid}):
            if not any(c.holds({n: point[n] for n in c.names}) is False for c in constraints):
                yield point

    def _region(
        self, relation: Relation, values: Mapping[str, list[Any]], count: int | None, covers: Domain | None
    ) -> Domain:
        """Exactly the enumerated values of the variables that the points fix.

        Points that are not all combinations of their values are named, and cover nothing but themselves. A variable
        that no point fixes keeps its set, provided that the relation does not depend on it.
        """
        region = covers or self.domain
        combinations = math.prod(map(len, values.values()))
        count = combinations if count is None else count
        listed = f"all: {count} listed cases"
        sets: dict[str, Any] = {}
        for name, printed in self.domain.variables:
            if name not in values:
                if name in inspect.signature(relation).parameters:  # by its default
                    described = isinstance(printed, Everything)
                    if not described and name not in self.constants:
                        raise InvalidInput(
                            "points",
                            ", ".join(values),
                            f"points that also have a value of {name}, which the relation uses",
                        )
                    sets[name] = "all: the one that is chosen" if described else [self.constants[name]]
            elif isinstance(printed, Everything):
                for value in values[name]:
                    if not printed.contains(value):
                        raise InvalidInput(name, value, f"the name of one of '{printed}', not a number")
                given = region.sets.get(name, printed)
                sets[name] = f"all: {given}" if given != printed else listed
            else:
                sets[name] = values[name] if count == combinations else listed
        return region.restrict(**sets)


def _is_told(statement: Statement, point: Mapping[str, Any]) -> bool:
    """Whether both sides have values at a point, and differ or are equal beyond rounding."""
    try:
        return holds(*statement.sides(point)) is not None
    except (ArithmeticError, ValueError):
        return False


def _hashable(value: Any) -> Any:
    if isinstance(value, Mapping):
        return tuple(sorted((n, _hashable(v)) for n, v in value.items()))
    return tuple(map(_hashable, value)) if isinstance(value, list | tuple) else value


def _several(name: str, values: Any) -> list[Any]:
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InvalidInput(f"values of {name}", values, "a list, even for a single value")
    return list(values)
