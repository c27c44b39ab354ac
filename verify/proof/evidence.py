"""Evidence: what a check found, as data that goes to JSON and can be checked again without the search that found it.

Each kind says which region it covers, which two routes were compared, and how it is re-checked. Positive evidence of
the six proving kinds can prove a claim; the other kinds can only support it. A counterexample refutes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, ClassVar, Self

from banditproof.theory.errors import InvalidInput
from banditproof.verify.proof.domain import Domain

BITS = 128  # of the balls in which a check compares both sides


def to_data(value: Any) -> Any:
    """Exact numbers as JSON: integers as they are, rationals as 'p/q', infinities as 'inf', balls as enclosures."""
    if type(value) in (str, int):
        return value
    if type(value) is list:
        return [to_data(v) for v in value]
    if isinstance(value, Fraction):
        return str(value) if value.denominator != 1 else f"{value.numerator}/1"
    if isinstance(value, float):
        return repr(value) if value in (float("inf"), float("-inf")) else to_data(Fraction(value))
    if isinstance(value, Domain):
        return value.to_json()
    if isinstance(value, Mapping):
        return {str(k): to_data(v) for k, v in value.items()}
    if isinstance(value, tuple | list):
        return [to_data(v) for v in value]
    if type(value).__name__ == "arb":
        from banditproof.theory.numbers.enclosure import Enclosure

        return Enclosure.from_ball(value).to_json()
    if type(value).__module__ == "numpy":
        return to_data(value.tolist())
    if hasattr(value, "to_json"):
        return value.to_json()
    return value


def from_data(value: Any) -> Any:
    """The exact numbers back: 'p/q' and 'inf' strings become Fractions and infinities."""
    if isinstance(value, str):
        if value in ("inf", "-inf"):
            return float(value)
        head, slash, tail = value.partition("/")
        return Fraction(value) if slash and head.lstrip("-").isdigit() and tail.isdigit() else value
    if isinstance(value, dict):
        return {k: from_data(v) for k, v in value.items()}
    if isinstance(value, list):
        return [from_data(v) for v in value]
    return value


@dataclass(frozen=True)
class Evidence:
    """What all kinds share: the region covered and the two routes that were compared."""

    covers: Domain
    routes: tuple[str, str]

    kind: ClassVar[str] = "evidence"
    proves: ClassVar[bool] = False
    how_rechecked: ClassVar[str] = ""

    def to_json(self) -> dict[str, Any]:
        data = {f.name: to_data(getattr(self, f.name)) for f in fields(self)}
        return {"kind": self.kind, **data}

    @property
    def complete(self) -> bool:
        """Whether nothing that it rests on is left to words."""
        return not getattr(self, "assumes", "")

    @property
    def supports(self) -> bool:
        """Whether this evidence, taken by itself, speaks for the claim on its region."""
        return True

    @property
    def refutes(self) -> bool:
        return False


RULE = object()


@dataclass(frozen=True)
class Shown(Evidence):
    """Evidence that can prove or refute. Only a rule makes it: the function of this package that checks what it says.

    Rules hold ``RULE``, and nobody else does (a test sees to it): a step, a document or a file proposes a tree, an
    argument or a point, and cannot assert what it shows. ``assumes`` is empty, or what no program has checked.
    """

    rule: InitVar[object] = field(default=None, kw_only=True)

    def __post_init__(self, rule: object) -> None:
        if rule is not RULE:
            raise InvalidInput(f"{self.kind} evidence", self.routes, "made by the rule that checks it")

    def labelled(self, assumes: str = "", **names: Any) -> Self:
        """The same with what else is taken on trust, and with names for its readers: ``constants``, ``relation``."""
        trusted = "; ".join(filter(None, (getattr(self, "assumes", ""), assumes)))
        assert names.keys() <= {"constants", "relation"}
        return replace(self, rule=RULE, assumes=trusted, **names)  # type: ignore[call-arg]


@dataclass(frozen=True)
class IntervalProof(Shown):
    """A relation certified in ball arithmetic on every leaf of a bisection tree.

    ``tree`` is the tree in preorder: a digit splits the box across that variable, 'P' is a proved leaf, 'V' a leaf
    where a constraint fails everywhere, 'U' one left undecided.
    """

    relation: str
    constants: dict[str, Any]
    box: dict[str, tuple[Fraction, Fraction]]
    tree: str
    precision: int
    substitutions: dict[str, tuple[str, str]] = field(default_factory=dict)
    assumes: str = ""

    kind: ClassVar[str] = "interval"
    proves: ClassVar[bool] = True
    how_rechecked: ClassVar[str] = "the relation is evaluated in ball arithmetic on every leaf of the tree"

    @property
    def complete(self) -> bool:
        return "U" not in self.tree and not self.assumes

    @property
    def leaves(self) -> int:
        return sum(c in "PVU" for c in self.tree)

    @property
    def supports(self) -> bool:
        return "P" in self.tree

    def to_json(self) -> dict[str, Any]:
        return super().to_json() | {"leaves": self.leaves, "undecided": self.tree.count("U")}


@dataclass(frozen=True)
class Deduction(Shown):
    """A relation shown by a tree of rules: cases of its domain, and signs of formulas of symbols above 0."""

    relation: str
    constants: dict[str, Any]
    tree: Any
    rules: int
    assumes: str = ""

    kind: ClassVar[str] = "deduction"
    proves: ClassVar[bool] = True
    how_rechecked: ClassVar[str] = "every rule of the tree is applied again, without any search"


@dataclass(frozen=True)
class Certificate(Evidence):
    """Data (a dual solution, the facts of an argument) that a small verifier accepts without the solver.

    It supports the claim and does not prove it: that what the verifier accepts implies the claim is somebody's word.
    ``assumes`` names the textbook steps (Markov's inequality, say) that join the verified facts to the claim.
    """

    verifier: str
    constants: dict[str, Any]
    data: Any
    assumes: str = ""

    kind: ClassVar[str] = "certificate"
    how_rechecked: ClassVar[str] = "the verifier evaluates the stored data in rational or ball arithmetic"


@dataclass(frozen=True)
class RefusedCertificate(Evidence):
    """An argument for the claim that its verifier did not accept, and why: it stands open against the claim.

    Points and runs beside it may look alike for a statement with another constant, which only the argument tells apart.
    """

    verifier: str
    why: str

    kind: ClassVar[str] = "refused certificate"
    how_rechecked: ClassVar[str] = "the step that produced it runs again"

    @property
    def supports(self) -> bool:
        return False


@dataclass(frozen=True)
class NotEvaluated(Evidence):
    """Points of the domain at most of which no value of a side was found, though nothing shows that it has none.

    It stands open against the claim: what holds at the few points that are left says nothing about the others.
    """

    relation: str
    points: list[dict[str, Any]]
    tried: int

    kind: ClassVar[str] = "not evaluated"
    how_rechecked: ClassVar[str] = "the points are looked at again when the check runs"

    @property
    def supports(self) -> bool:
        return False


@dataclass(frozen=True)
class Enumeration(Shown):
    """A relation verified, exactly or in balls, at every point of a finite set.

    ``noticed`` is the factor by which the bounding side could be tighter until a point fails, as a decimal rounded up;
    empty where the sides have no ratio.
    """

    relation: str
    constants: dict[str, Any]
    points: Any
    count: int
    rational: bool
    tightest: str = ""
    noticed: str = ""
    assumes: str = ""

    kind: ClassVar[str] = "enumeration"
    proves: ClassVar[bool] = True
    how_rechecked: ClassVar[str] = "with --redo, or where it is a proof, the relation is evaluated again at every point"


@dataclass(frozen=True)
class KernelProof(Shown):
    """A theorem of the kernel (``verify.kernel``) that is the statement: about every mechanism, law or policy.

    ``formula`` is the statement as a table of nodes, ``proof`` the steps by which the rules make it again from nothing;
    ``axioms`` are the facts about numbers and means that they rest on.
    """

    statement: str
    formula: list[Any]
    axioms: tuple[str, ...]
    proof: dict[str, Any]
    assumes: str = ""

    kind: ClassVar[str] = "kernel"
    proves: ClassVar[bool] = True
    how_rechecked: ClassVar[str] = "the proof is repeated step by step, and its theorem is compared with the statement"


@dataclass(frozen=True)
class Quadrature(Evidence):
    """A relation found to hold at points where one side is a numerical value with an error bound that is not proved."""

    relation: str
    constants: dict[str, Any]
    points: Any
    count: int
    error: str

    kind: ClassVar[str] = "quadrature"
    how_rechecked: ClassVar[str] = "the relation is evaluated again at every point"


@dataclass(frozen=True)
class Statistics(Evidence):
    """Exact binomial intervals on event counts of independent runs, compared with what the claim says of each event.

    Each test is ``{"event", "successes", "trials", "operator", "probability"}``; the claim says that the probability
    of the event stands in that relation to the stated one. ``fresh`` are the same tests on a second seed stream, run
    only where the first contradicts the claim. ``noticed`` is the smallest factor between a stated probability and one
    that would be seen to violate it, as a decimal rounded up.
    """

    tests: list[dict[str, Any]]
    error: Fraction
    seeds: str
    detectable: str
    fresh: list[dict[str, Any]] = field(default_factory=list)
    noticed: str = ""

    kind: ClassVar[str] = "statistics"
    how_rechecked: ClassVar[str] = "the intervals are computed again from the counts; --redo repeats the runs"

    @property
    def outcomes(self) -> list[str]:
        from banditproof.verify.proof.statistics import outcome

        return [outcome(test, self.error, len(self.tests)) for test in self.tests]

    @property
    def supports(self) -> bool:
        return bool(self.tests) and all(o == "consistent" for o in self.outcomes)

    @property
    def refutes(self) -> bool:
        from banditproof.verify.proof.statistics import outcome

        again = {t["event"]: outcome(t, self.error, len(self.tests)) for t in self.fresh}
        pairs = zip(self.tests, self.outcomes, strict=True)
        return any(o == "violated" and again.get(t["event"]) == "violated" for t, o in pairs)

    def to_json(self) -> dict[str, Any]:
        return super().to_json() | {"outcomes": self.outcomes}


@dataclass(frozen=True)
class Trend(Evidence):
    """Values along a growing index judged by a decision rule that was fixed beforehand."""

    rule: str
    parameters: dict[str, Any]
    series: list[tuple[Any, Any]]
    source: str

    kind: ClassVar[str] = "trend"
    how_rechecked: ClassVar[str] = "the rule is applied again to the stored series"

    @property
    def verdict(self) -> str:
        from banditproof.verify.proof.trend import judge

        return judge(self.rule, self.series, self.parameters)

    @property
    def supports(self) -> bool:
        return self.verdict == "follows"

    def to_json(self) -> dict[str, Any]:
        return super().to_json() | {"outcome": self.verdict}


@dataclass(frozen=True)
class Counterexample(Shown):
    """A point of the domain at which the relation certainly fails, or at which a side certainly has no value.

    It is certified where nothing is assumed; else ``assumes`` says what no program has checked, such as that a policy
    is private, or a limit that the relation states. ``no_value`` says why a side has none ('a division by 0'); that
    side is the text 'no value' then.
    """

    relation: str
    constants: dict[str, Any]
    point: dict[str, Any]
    rational: bool
    left: Any
    operator: str
    right: Any
    assumes: str = ""
    no_value: str = ""

    kind: ClassVar[str] = "counterexample"
    how_rechecked: ClassVar[str] = "both sides are evaluated again at the point"

    @property
    def supports(self) -> bool:
        return False

    @property
    def refutes(self) -> bool:
        return True


KINDS: dict[str, type[Evidence]] = {
    c.kind: c
    for c in (
        Deduction,
        IntervalProof,
        Certificate,
        RefusedCertificate,
        NotEvaluated,
        Enumeration,
        KernelProof,
        Quadrature,
        Statistics,
        Trend,
        Counterexample,
    )
}


def said_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """What a file says of a piece of evidence: its fields, as a proposal (what derives from them is dropped)."""
    values = {f.name: from_data(data[f.name]) for f in fields(KINDS[data["kind"]]) if f.name in data}
    return values | {"covers": Domain.from_json(data["covers"]), "routes": tuple(data["routes"])}
