r"""The claim register: what is claimed, where it is printed, on which domain, and how it is checked.

A claim is a relation. Its signature is the domain (variables with their printed sets, constants with their printed
values), the first paragraph of its docstring is the printed statement, its body returns both sides, and the decorator
says in steps how it is shown::

    @claim("TH-D2.20/gaussian", deduced(), false={"half": "0.49"})
    def gaussian_attains_it(lam: Real, sigma: Positive, half=Fraction(1, 2)):
        r"A centred Gaussian attains the bound: $\log E e^{\lambda X} = \frac12\lambda^2\sigma^2$."
        ...
        return left, "==", half * lam**2 * sigma**2
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

from banditproof.claims.documents import CatalogueItem, catalogue, catalogued, documents, installed
from banditproof.claims.sets import constants_of, domain_of, parameters_of
from banditproof.claims.steps import in_kernel, judged
from banditproof.claims.verdict import DECIDING, REASONS
from banditproof.theory.arguments import checked
from banditproof.theory.errors import InvalidInput, close_to, one_of
from banditproof.theory.numbers.term import NoTerm, Term, parts, quantity_named
from banditproof.verify.proof.domain import Domain, Everything, constant
from banditproof.verify.proof.enumeration import unread
from banditproof.verify.proof.evaluation import formula_of
from banditproof.verify.proof.statement import stating

if TYPE_CHECKING:
    from banditproof.claims.check import Check
    from banditproof.claims.kernel_blocks import Spoken
    from banditproof.claims.steps import Step
    from banditproof.claims.study import Study

# What a claim is to the item it stands under; the printed sentence decides. 'part' and 'edge' belong to it, the others
# do not: a 'reading' takes one of two meanings that both fit its words, and some part or edge takes the other.
# 'hypotheses' says that some instance meets all that the item assumes: refuted, the item is about nothing. A 'repair'
# holds where the refuted claim was to hold, with another constant, term or hypothesis; a 'special case' for less.
ROLES = (
    "item",
    "part",
    "edge",
    "step",
    "implication",
    "reading",
    "figure",
    "remark",
    "model",
    "hypotheses",
    "repair",
    "special case",
)
CORRECTIONS = ("repair", "special case")

# What an item is restricted to unless somebody says that what decides it is all of the printed statement.
UNCOVERED = "to {}, and it is not established that this is the whole statement"

# An item of these kinds is a passage: what a formula says of it need not be all that is printed there. The same goes
# for an item that restates the check of another one in words of its own.
PASSAGES = ("definition", "statement", "remark", "algorithm")
OWN_FORMULA = UNCOVERED.format("its formula")

PROVING = {"kernel", "deduction", "interval"}  # on all of a domain
METHODS = tuple("kernel deduction interval certificate enumeration quadrature statistics trend".split())


@dataclass(frozen=True)
class Mutation:
    """A false variant of a claim: other constants, another domain or another relation. The check must refute it."""

    name: str
    constants: Mapping[str, Any] = field(default_factory=dict)
    domain: Domain | None = None
    relation: Relation | None = None


@dataclass(frozen=True)
class Written:
    """Where a claim that is no code is written (``claims.paragraphs``), and its paragraph."""

    file: str
    line: int
    text: str


def mutation(name: str = "", domain: Domain | None = None, **constants: Any) -> Mutation:
    """``mutation(factor='9/10')``; without a name it is called after what it changes: ``factor = 9/10``."""
    changed = {n: constant(c) for n, c in constants.items()}
    said = [f"{n} = {c}" for n, c in changed.items()] + ([] if domain is None else [f"on {domain}"])
    return Mutation(name or ", ".join(said), changed, domain)


@dataclass(frozen=True)
class Claim:
    """One registered claim. See ``claim`` for the fields."""

    id: str
    paper: str
    place: str
    kind: str
    statement: str
    module: str
    domain: Domain = field(default_factory=Domain.of)
    check: Callable[[Check], None] | None = None
    function: Callable[..., Any] | None = None
    constants: Mapping[str, Any] = field(default_factory=dict)
    mutations: tuple[Mutation, ...] = ()
    role: str = "item"
    parent: str | None = None
    aliases: tuple[str, ...] = ()
    twins: tuple[str, ...] = ()
    same_check_as: str | None = None
    repairs: str | None = None
    not_checkable: tuple[str, str] | None = None
    studies: tuple[Study, ...] = ()
    notes: str = ""
    steps: tuple[Step, ...] = ()
    assuming: str = ""
    restricted: str | None = None
    cases: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    slip: str = ""
    unused: str = ""
    displayed: bool = False
    cause: str | None = None
    called: Mapping[str, str] = field(default_factory=dict)
    written: Written | None = None
    definitions: Mapping[str, Term] = field(default_factory=dict)  # of parts of a formula that is written down

    @property
    def relation(self) -> Relation | None:
        """The relation that the claim states; None where a function of the check gathers the evidence itself.

        What speaks of every mechanism or law has none: it is a formula, which no point has a value of.
        """
        if self.is_general or self.function is None or _takes_a_check(self.function):
            return None
        return self.function

    @property
    def is_general(self) -> bool:
        """Whether it is about every mechanism, law or policy, and shown in the kernel."""
        return "kernel" in self.methods

    @property
    def spoken(self) -> Spoken | None:
        """What is about every mechanism, law or policy, in words of the kernel; None for another claim."""
        from banditproof.claims.kernel_blocks import spoken

        return spoken(self.function) if self.is_general and self.function else None

    @cached_property
    def methods(self) -> tuple[str | None, ...]:
        """The kinds of evidence that its steps give."""
        return tuple(step.method for step in self.steps)

    @cached_property
    def is_varied(self) -> bool:
        """Whether there are false variants of it to try."""
        return bool(self.mutations)

    @property
    def counted(self) -> bool:
        """Whether it counts as a checked claim: items other than definitions and reference facts."""
        return self.role == "item" and self.kind not in ("oracle", "definition")

    @property
    def checked_as(self) -> str:
        """The id under which the check runs and draws its seeds: that of the claim which this one restates."""
        return self.same_check_as or self.id

    @property
    def item(self) -> str:
        """The id of the item that it is or stands under."""
        return self.parent or self.id

    @property
    def file(self) -> str:
        """Where it is registered: a module, or the table or a file of statements of its document."""
        if self.written is not None:
            return self.written.file
        for document in documents().values():
            if self.module == document.package and not document.table().keys().isdisjoint((self.id, self.item)):
                return str(document.statements)
        return sys.modules[self.module].__file__ or self.module

    @property
    def place_of_check(self) -> tuple[str, int | None]:
        """The file and the line where what it states is written; a claim that restates another one has its check."""
        if self.same_check_as is not None:
            return REGISTER[self.same_check_as].place_of_check
        if self.written is not None or self.function is None:
            return self.file, self.written and self.written.line
        return sys.modules[self.function.__module__].__file__ or self.file, self.function.__code__.co_firstlineno

    @property
    def modules(self) -> frozenset[str]:
        """The modules with its code: its own, and those of its relation, or of the quantities of its formula."""
        if self.same_check_as is not None:
            return REGISTER[self.same_check_as].modules | {self.module}
        if self.function is None:
            return frozenset({self.module})
        if self.written is not None and self.is_general:
            from banditproof.claims.kernel_blocks import modules_of

            theorems = {s.proof.__module__ for s in self.steps if isinstance(s, in_kernel)}
            return modules_of(self.function) | theorems | {self.module}
        if (formula := formula_of(self.function)) is None:
            return frozenset({self.module, self.function.__module__})
        named = {p.args[0] for side in (formula[0], formula[2]) for p in parts(side) if p.op == "quantity"}
        return frozenset({self.module, *(quantity_named(name).__module__ for name in named)})

    def varied(self, variant: Mutation) -> Claim:
        """The claim that a false variant is, with the same steps."""
        domain, constants = variant.domain or self.domain, {**self.constants, **variant.constants}
        if variant.relation is None:
            return replace(self, domain=domain, constants=constants)
        check = _in_steps(variant.relation, self.steps)
        return replace(self, domain=domain, constants=constants, function=variant.relation, check=check)

    @property
    def experiment(self) -> bool:
        """Whether it says what a figure or an experiment shows, whose code and data the document does not give."""
        entry = catalogue().get(self.item)
        described = entry is not None and entry.kind in ("experiment", "figure") and self.role not in CORRECTIONS
        return self.role == "figure" or described

    def shown(self) -> str:
        """The statement: text with LaTeX formulas in dollars."""
        return self.statement


@dataclass(frozen=True)
class Content:
    """What a claim takes from its formula, and from the text of its block."""

    domain: Domain
    function: Callable[..., Any]
    steps: tuple[Step, ...]
    mutations: tuple[Mutation, ...] = ()
    constants: Mapping[str, Any] = field(default_factory=dict)
    definitions: Mapping[str, Term] = field(default_factory=dict)


def _late(name: str) -> Any:
    return cached_property(lambda one: getattr(one.content, name))


CONTENT = tuple(f.name for f in fields(Content))


class LateClaim(Claim):
    """A claim whose formula is read when something asks for it: reading all of them takes seconds, and few are used."""

    domain, function, steps = map(_late, ("domain", "function", "steps"))
    mutations, constants, definitions = map(_late, ("mutations", "constants", "definitions"))

    @cached_property
    def content(self) -> Content:
        return self.__dict__["read"]()  # type: ignore[no-any-return]

    @classmethod
    def of(
        cls, read: Callable[[], Content], methods: Sequence[str | None], is_varied: bool, *named: Any, **fields: Any
    ) -> LateClaim:
        """A claim with the content that `read` gives; the `methods` of its steps, and whether false variants are among
        it, are known before.
        """
        one = cls(*named, check=lambda check: _in_steps(one.function, one.steps)(check), **fields)  # type: ignore[arg-type]
        for name in CONTENT:
            one.__dict__.pop(name, None)
        one.__dict__.update(read=read, methods=tuple(methods), is_varied=is_varied)
        return one


REGISTER: dict[str, Claim] = {}

Relation = Callable[..., Any]
Decorated = TypeVar("Decorated", bound=Relation)


def claim(
    claim_id: str,
    *steps: Any,
    false: Mapping[str, Any] | Mutation | Iterable[Mapping[str, Any] | Mutation] = (),
    of: str | None = None,
    where: Sequence[str] | None = None,
    role: str | None = None,
    repairs: str | None = None,
    twins: Iterable[str] = (),
    studies: Iterable[Study] = (),
    assuming: str = "",
    place: str = "",
    domain: Domain | None = None,
    constants: Mapping[str, Any] | None = None,
    mutations: Iterable[Mutation] = (),
    statement: str = "",
    restricted: str | None = None,
    rests_on: Iterable[str] = (),
    slip: str = "",
    displayed: bool = False,
    cause: str | None = None,
    called: Mapping[str, str] | None = None,
    covered: str = "",
) -> Callable[[Decorated], Decorated]:
    """Register the decorated relation under an id of a catalogue, or under ``ITEM/name``. Returns the relation.

    The relation's parameters without default are the variables, annotated with the printed sets (``claims.sets``);
    those with a default are constants. The first paragraph of its docstring is the statement, text with LaTeX formulas
    in dollars, where ``<name>`` is the value of a constant; what follows is for readers of the code. Where the claim
    fails, a finding shows its first sentence, which says why, and the rest folded.

    A claim that no steps express is a function whose one parameter is ``check``; it calls the methods of ``Check``
    itself and names its ``domain`` and ``constants`` here.

    Args:
        claim_id: an id of a catalogue, or ``<item id>/<name>`` for a claim under an item.
        steps: how it is shown (``claims.steps``), in order; they run until one refutes or fails. A formula of numbers
            needs none: the proof that ``banditproof prove`` stored is replayed, else boxes and points are tried.
        false: false variants, each a mapping of constants (or a ``mutation``): the check must refute every one.
        of: the id of a claim, registered before, that has this relation with another constant or on another domain.
            The decorated function has no body then: its signature is the change (what has a value there is a constant,
            what has a set a variable). All else is said anew.
        where: constraints on the variables, as text; those of the claim that this one is `of`, unless they are given.
        role: what a claim under an item is to it, one of ``ROLES``; unless it is said, a repair where it `repairs`
            something, an edge where its name begins so (``ITEM/edge-at-one``), and otherwise a part.
        repairs: for a repair or a special case, the id of the refuted claim that it corrects.
        twins: ids of the same statement in other documents.
        studies: simulations the check reads.
        assuming: what the relation takes from prose to be about the statement (a derivation, a limit, that a policy is
            private): nothing is proved with it, and a counterexample is not certified.
        place: where it is printed; items default to the catalogue's title.
        restricted: what the printed statement is narrowed to here ('to one coordinate'): no proof of the item then.
        rests_on: ids of claims that this one takes for granted; it is no stronger than they are.
        slip: why a failure weighs little: a misprint that the text has right elsewhere (where), or a bound that fails
            only outside of the range in which it is used (which). A sentence; the finding is of severity C at most.
        displayed: whether this claim of a statement in running text, an example or a remark is a displayed formula or
            something that the text says it proves; its failure is of severity D, and otherwise a remark's, E.
        cause: the id of another claim that fails for the same reason; both are told as one finding.
        called: what enters a counterexample in the words or formulas of the printed statement, each with what it is in
            the relation: a variable; variables with a comma, which are described and not shown; ``left`` or ``right``;
            or a formula of its names. ``{"the policy below": "policy,", "$k$": "size", "the printed bound": "right"}``
        covered: for an item that is a passage (a definition, a statement in running text, a remark, an algorithm), why
            the formula is all that is printed; it is supported at most without that.
    """

    if not isinstance(claim_id, str):
        raise InvalidInput("claim_id", claim_id, "text, such as 'DRAFT-1' in @claim('DRAFT-1')")

    def register(function: Decorated) -> Decorated:
        said, notes, shown = *_statement_and_notes(function), steps
        if statement or (steps and isinstance(steps[0], str)):
            said, notes = statement or steps[0], inspect.getdoc(function) or ""
            shown = steps if statement else steps[1:]
        if _names_a_step(said):
            raise InvalidInput(f"step of {claim_id}", said, "a step without quotes, as in interval(), or a statement")
        if not said:
            raise InvalidInput(
                f"statement of {claim_id}", said, "the first paragraph of the docstring, which python -OO leaves out"
            )
        made = _variants(false) + tuple(mutations)
        own = of is None and _takes_a_check(function)
        twice = [n for n, g in (("domain", domain), ("constants", constants)) if g is not None and not own]
        if twice or (where and domain is not None):
            allowed = "said once: in the signature, or beside a function of the check"
            raise InvalidInput(f"domain of {claim_id}", f"{(*twice, 'where')[0]}=", allowed)
        relation: Any = function
        if own:
            check, sets, fixed = function, domain or Domain.of(where=where or ()), constants or {}
        else:
            for given in shown:
                if isinstance(given, type) or not callable(given) or not hasattr(given, "method"):
                    name = given.__name__ if isinstance(given, type) else repr(given)[:60]
                    raise InvalidInput(f"step of {claim_id}", name, "a step with parentheses, as in interval()")
            if of is None:
                sets, fixed = domain_of(function, where or ()), constants_of(function)
            else:
                relation, sets, fixed = _changed(claim_id, _original(claim_id, of), function, where)
            shown = shown or _by_default(claim_id, relation, sets, fixed)
            check = _in_steps(relation, shown)
        _add(
            claim_id, _filled(said, fixed), place=place, role=role, module=function.__module__, domain=sets,
            check=check, function=relation, constants={n: constant(c) for n, c in fixed.items()}, mutations=made,
            twins=tuple(twins), repairs=repairs, studies=tuple(studies), notes=notes, steps=tuple(shown),
            assuming=prose(assuming),
            restricted=restricted, rests_on=tuple(rests_on), slip=prose(slip), displayed=displayed, cause=cause,
            called=called or {}, covered=covered,
        )  # fmt: skip
        return function

    return register


def _names_a_step(said: str) -> bool:
    """Whether a statement is the name of a step in quotes."""
    from banditproof.claims import steps

    return hasattr(getattr(steps, said.strip().removesuffix("()"), None), "method")


def state(
    claim_id: str,
    read: Callable[[], Content],
    methods: Sequence[str | None],
    said: str,
    written: Written,
    *,
    module: str,
    is_varied: bool = False,
    role: str | None = None,
    assuming: str = "",
    slip: str = "",
    place: str = "",
    **words: Any,
) -> None:
    """Register a statement that is written down and no code (``claims.paragraphs``); the words are those of ``claim``.

    `read` gives its formula and steps, whose `methods` are known before, as is whether it has false variants.
    """
    late = {"read": read, "methods": methods, "is_varied": is_varied, "written": written, "module": module}
    _add(claim_id, prose(said), place=place, role=role, assuming=prose(assuming), slip=prose(slip), **late, **words)


def repaired(
    claim_id: str,
    of: str,
    *steps: Any,
    false: Mapping[str, Any] | Mutation | Iterable[Mapping[str, Any] | Mutation] | None = None,
    where: Sequence[str] | None = None,
    studies: Iterable[Study] = (),
    assuming: str | None = None,
) -> Callable[[Decorated], Decorated]:
    """Register the repair of the claim `of` that has its relation with another constant or on another domain.

    A claim that is `of` another one; what that takes on trust, what it rests on and what it is restricted to it takes
    over. What was printed, the changed constants as they were, is the false variant unless others are given.

    Raises InvalidInput for an original that is not registered before, and for a change of nothing.
    """

    def register(change: Decorated) -> Decorated:
        original, constants = _original(claim_id, of), constants_of(change)
        printed = {n: c for n, c in original.constants.items() if n in constants}
        return claim(
            claim_id, *steps, of=of, repairs=of, false=false if false is not None else printed or (), where=where,
            studies=studies, assuming=_or_original(assuming, original.assuming), rests_on=original.rests_on,
            restricted=original.restricted,
        )(change)  # fmt: skip

    return register


def _original(claim_id: str, of: str) -> Claim:
    """The claim whose relation another one has."""
    original = REGISTER.get(of)
    if original is None or original.relation is None:
        raise InvalidInput(f"what {claim_id} is of", of, "a claim with a relation, registered before")
    return original


def _changed(
    claim_id: str, original: Claim, change: Relation, where: Sequence[str] | None
) -> tuple[Relation, Domain, dict[str, Any]]:
    """The relation of a claim, its domain and its constants after what the signature of `change` says anew."""
    sets, constants = domain_of(change).sets, {n: constant(c) for n, c in constants_of(change).items()}
    for name in (*sets, *constants):
        one_of(f"what {claim_id} changes", name, (*original.domain.sets, *original.constants))
    constraints = [c.text for c in original.domain.where] if where is None else where
    variables = {n: s for n, s in {**original.domain.sets, **sets}.items() if n not in constants}
    domain = Domain.of(where=constraints, **variables)
    fixed = {n: c for n, c in {**original.constants, **constants}.items() if n not in sets}
    if (domain, fixed) == (original.domain, original.constants):
        said = "a constant, set or constraint that differs from the original"
        raise InvalidInput(f"what {claim_id} changes", change.__name__, said)
    assert original.relation is not None
    return original.relation, domain, fixed


def _variants(false: Any) -> tuple[Mutation, ...]:
    variants = [false] if isinstance(false, Mapping | Mutation) else false
    return tuple(v if isinstance(v, Mutation) else mutation(**v) for v in variants)


def _takes_a_check(function: Relation) -> bool:
    return list(parameters_of(function)) == ["check"]


def _by_default(claim_id: str, relation: Relation, domain: Domain, constants: Mapping[str, Any]) -> tuple[Any, ...]:
    """The step of a claim that names none. Raises InvalidInput for what is no formula of numbers."""
    described = [f"{n} is {s}, which is no number" for n, s in domain.variables if isinstance(s, Everything)]
    try:
        unknown = unread(stating(relation, domain, {n: constant(c) for n, c in constants.items()}))
        why = "; ".join(filter(None, [*described, unknown]))
    except NoTerm as asked:
        why = str(asked)
    if why:
        cure = "at least one, such as enumerated(...) at points of your choice or statistics(...) of runs, because only"
        raise InvalidInput(f"steps of {claim_id}", (), f"{cure} a formula of numbers is judged without any ({why})")
    return (judged(),)


def _in_steps(relation: Relation, steps: Sequence[Step]) -> Callable[[Check], None]:
    def check(check: Check) -> None:
        for step in steps:
            if not step(check, relation):
                return

    return check


def prose(text: str) -> str:
    """Text that was wrapped for the eye as one line."""
    return " ".join(text.split())


def _filled(statement: str, constants: Mapping[str, Any]) -> str:
    """A statement with the values of the constants that it names: 'at most 2' for 'at most <factor>'."""
    return re.sub(r"<(\w+)>", lambda match: str(constants.get(match[1], match[0])), statement)


def _statement_and_notes(function: Relation) -> tuple[str, str]:
    """The statement, which is the first paragraph of the docstring, and what follows it."""
    statement, _, notes = (inspect.getdoc(function) or "").partition("\n\n")
    return prose(statement), notes.strip()


def item(
    claim_id: str,
    statement: str,
    *,
    domain: Domain | None = None,
    place: str = "",
    twins: Iterable[str] = (),
    restricted: str | None = None,
    rests_on: Iterable[str] = (),
    covered: str = "",
    cases: Iterable[str] = (),
    displayed: bool = False,
    module: str | None = None,
) -> None:
    """Register an item that has no check of its own: its parts and edges decide it.

    `covered` says why they are the whole statement. Without it the item is supported at most. Each part is a conjunct
    and holds on the whole `domain`, but for `cases`, the names of parts that say the statement on a region each.
    `module` is said by a table of statements only, here and below; otherwise it is that of the caller.
    """
    _add(
        claim_id, prose(statement), place=place, module=_caller() if module is None else module,
        domain=domain or Domain.of(), twins=tuple(twins), restricted=_narrowed(restricted, covered, "its parts"),
        rests_on=tuple(rests_on), notes=prose(covered), displayed=displayed,
        cases=tuple(f"{claim_id}/{name}" for name in cases),
    )  # fmt: skip


def _narrowed(restricted: str | None, covered: str, to: str) -> str | None:
    """What an item is restricted to that others decide."""
    return restricted or (None if covered.strip() else UNCOVERED.format(to))


def not_checkable(
    claim_id: str,
    statement: str,
    reason: str,
    would_need: str,
    *,
    place: str = "",
    role: str | None = None,
    twins: Iterable[str] = (),
    module: str | None = None,
) -> None:
    """Register a claim that cannot be checked, with a reason of the closed list and what would make it checkable."""
    if reason not in REASONS:
        raise InvalidInput("reason", reason, f"one of {', '.join(REASONS)}")
    _add(
        claim_id,
        prose(statement),
        place=place,
        role=role,
        module=_caller() if module is None else module,
        twins=tuple(twins),
        not_checkable=(reason, would_need),
    )


def _caller() -> str:
    """The module that registers: the nearest one that is not this."""
    frame = sys._getframe(1)
    while frame.f_back and frame.f_globals["__name__"] == __name__:
        frame = frame.f_back
    return frame.f_globals["__name__"]


def _add(
    claim_id: str,
    statement: str,
    *,
    place: str,
    role: str | None = None,
    covered: str = "",
    reworded: bool = False,
    read: Callable[[], Content] | None = None,
    methods: Sequence[str | None] | None = None,
    is_varied: bool = False,
    **fields: Any,
) -> None:
    """`reworded` says that an item restates another one in words of its own; `read` gives what is read late."""
    if claim_id in REGISTER:
        raise InvalidInput("claim id", claim_id, "an id that is not registered yet")
    item_id, _, below = claim_id.partition("/")
    entry = catalogue().get(item_id) or CatalogueItem(item_id, (), "claim", "outside", item_id)
    under = "edge" if re.match(r"edge\b", below) else "part"
    role = role or ("repair" if fields.get("repairs") else under if below else "item")
    if role not in ROLES or (role == "item") == bool(below):
        raise InvalidInput("role", role, f"one of {', '.join(ROLES)}; and 'item' if and only if the id has no '/'")
    own = fields.get("constants", {})
    for variant in fields.get("mutations", ()):
        for name in variant.constants:
            _of_a_constant(claim_id, name, own)
        same = variant.domain is None and variant.relation is None
        if same and all(own[n] == value for n, value in variant.constants.items()):
            raise InvalidInput(f"false variant of {claim_id}", variant.name, "different from the claim")
    methods = [step.method for step in fields.get("steps", ())] if methods is None else methods
    if role == "item" and (reworded or entry.kind in PASSAGES) and not PROVING.isdisjoint(methods):
        fields["restricted"] = fields.get("restricted") or (None if covered.strip() else OWN_FORMULA)
        fields["notes"] = _each_once(prose(covered), fields.get("notes", ""))
    made = Claim if read is None else partial(LateClaim.of, read, methods, is_varied)
    REGISTER[claim_id] = made(
        claim_id, entry.paper, place or entry.title, entry.kind if not below else role, statement, role=role,
        parent=item_id if below else None, aliases=entry.aliases if not below else (), **fields,
    )  # fmt: skip


def _of_a_constant(claim_id: str, name: str, constants: Mapping[str, Any]) -> None:
    """Raise InvalidInput for a false variant that changes what the claim does not have."""
    if not constants:
        raise InvalidInput(
            f"false variant of {claim_id}",
            name,
            "left out, since no parameter has a default and so there is no constant",
        )
    one_of(f"constant in a false variant of {claim_id}", name, constants)


# ------------------------------------------------------------------------------------------- the same in two documents


@dataclass(frozen=True)
class Restatement:
    """That one document states under `claim_id` what is registered as `of`; resolved when all documents are known."""

    claim_id: str
    of: str
    statement: str | None
    place: str
    role: str | None
    repairs: str | None
    twins: tuple[str, ...]
    module: str
    restricted: str | None = None
    rests_on: tuple[str, ...] | None = None
    covered: str = ""
    slip: str | None = None
    displayed: bool | None = None
    cause: str | None = None
    notes: str | None = None
    called: Mapping[str, str] | None = None


PENDING: list[Restatement] = []


def restate(
    claim_id: str,
    of: str,
    statement: str | None = None,
    *,
    place: str = "",
    role: str | None = None,
    repairs: str | None = None,
    twins: Iterable[str] = (),
    restricted: str | None = None,
    rests_on: Iterable[str] | None = None,
    covered: str = "",
    slip: str | None = None,
    displayed: bool | None = None,
    cause: str | None = None,
    notes: str | None = None,
    called: Mapping[str, str] | None = None,
    module: str | None = None,
) -> None:
    """Record that a document states under `claim_id` what another claim states: its domain, constants, steps.

    `statement` puts it into the words of this document, `notes` what is said beside it. A role, what it is restricted
    to, what it rests on, its slip, whether it is displayed and what its numbers are called (``claim``) are those of the
    original unless given. Twins
    are named by their items. An item that restates a claim under another item is supported at most, unless `covered`
    says why that is all of it.
    """
    stated = prose(statement) if statement else None
    taken = None if rests_on is None else tuple(rests_on)
    PENDING.append(
        Restatement(
            claim_id,
            of,
            stated,
            place,
            role,
            repairs,
            tuple(twins),
            _caller() if module is None else module,
            restricted,
            taken,
            covered,
            slip,
            displayed,
            cause,
            notes,
            called,
        )
    )


def restate_parts(
    claim_id: str,
    statement: str,
    parts: Mapping[str, str],
    *,
    place: str = "",
    covered: str = "",
    module: str | None = None,
) -> None:
    """Register an item that its parts decide (as ``item``); `parts` maps the name of each to the claim it restates."""
    twins = tuple(dict.fromkeys(of.partition("/")[0] for of in parts.values()))
    item(claim_id, statement, place=place, twins=twins, covered=covered, module=module)
    for name, of in parts.items():
        restate(f"{claim_id}/{name}", of, role="part", module=module)


def settle() -> None:
    """Resolve the recorded restatements, and bring the register into the order of the catalogues.

    Raises InvalidInput where a restated claim does not exist or has no check, and for a claim under an unknown item.
    """
    while ready := [r for r in PENDING if r.of in REGISTER]:
        for restated in ready:
            PENDING.remove(restated)
            _resolve(restated)
    if PENDING:
        raise InvalidInput("original", PENDING[0].of, f"a registered claim, because {PENDING[0].claim_id} restates it")
    _follow_what_claims_rest_on()
    for one in REGISTER.values():
        if unknown := [name for name in one.cases if name not in REGISTER or REGISTER[name].role != "part"]:
            raise InvalidInput(f"cases of {one.id}", unknown[0], "the id of one of its parts")
        if one.repairs is not None and one.repairs not in REGISTER:
            meant = close_to(one.repairs, REGISTER)
            at = f"{one.written.file}, line {one.written.line}: " if one.written else ""
            raise InvalidInput(f"{at}what {one.id} repairs", one.repairs, "a registered claim", meant)
        if one.cause is not None and one.cause not in REGISTER:
            raise InvalidInput(f"cause of {one.id}", one.cause, "a registered claim that fails for the same reason")
    for one in REGISTER.values():
        if one.parent is not None and one.parent not in REGISTER and one.parent not in catalogue():
            meant = close_to(one.parent, [c.id for c in REGISTER.values() if c.parent is None] + [*catalogue()])
            raise InvalidInput(f"item of {one.id}", one.parent, "a registered or catalogued item", meant)
    places = {item_id: place for place, item_id in enumerate(catalogue())}
    ordered = sorted(REGISTER.values(), key=lambda c: (places.get(c.item, len(places)), c.parent is not None))
    REGISTER.clear()
    REGISTER.update({c.id: c for c in ordered})


def _follow_what_claims_rest_on() -> None:
    """Raises InvalidInput where a claim rests on an unknown one, or in the end on itself (an item rests on parts)."""
    below: dict[str, list[str]] = {}
    for one in REGISTER.values():
        if one.parent and one.role in DECIDING:
            below.setdefault(one.parent, []).append(one.id)
    sound: set[str] = set()

    def follow(claim_id: str, way: tuple[str, ...]) -> None:
        if claim_id in way or claim_id not in REGISTER:
            raise InvalidInput(f"what {way[-1]} rests on", claim_id, "a registered claim that does not rest on it")
        if claim_id not in sound:
            for basis in (*REGISTER[claim_id].rests_on, *below.get(claim_id, ())):
                follow(basis, (*way, claim_id))
            sound.add(claim_id)

    for claim_id in REGISTER:
        follow(claim_id, ())


def _resolve(restated: Restatement) -> None:
    source = REGISTER[restated.of]
    late = isinstance(source, LateClaim)
    named = () if late else (*CONTENT, "check")
    if source.check is None:
        raise InvalidInput(
            "original", source.id, f"a claim with a check of its own, because {restated.claim_id} restates it"
        )
    role = restated.role
    if role is None and not restated.repairs and "/" in restated.claim_id and source.role != "item":
        role = source.role
    restricted = source.restricted if restated.restricted is None else restated.restricted or None
    in_full = restricted != OWN_FORMULA
    restricted = restricted if in_full else None
    if "/" not in restated.claim_id and "/" in source.id:
        restricted = _narrowed(restricted, restated.covered, f"what {source.id} says")
    in_other_words = restated.statement not in (None, source.statement)
    entry = catalogue().get(restated.claim_id)
    same_passage = in_full and not in_other_words and entry is not None and entry.kind == source.kind
    covered = restated.covered or (f"The statement is that of {source.id}, in the same words." if same_passage else "")
    _add(
        restated.claim_id, restated.statement or source.statement, place=restated.place, role=role,
        covered=covered, reworded=in_other_words and source.role == "item",
        read=(lambda: Content(*(getattr(source, name) for name in CONTENT))) if late else None,
        methods=source.methods, is_varied=source.is_varied,
        module=restated.module, repairs=restated.repairs,
        twins=tuple(dict.fromkeys((*_other(restated, source), *restated.twins))),
        same_check_as=source.same_check_as or source.id,
        studies=source.studies,
        notes=_each_once(prose(restated.covered), _or_original(restated.notes, source.notes)),
        assuming=source.assuming, restricted=restricted,
        unused=source.unused,
        rests_on=_or_original(restated.rests_on, source.rests_on), slip=prose(_or_original(restated.slip, source.slip)),
        displayed=_or_original(restated.displayed, source.displayed), cause=restated.cause,
        called=_or_original(restated.called, source.called),
        **{name: getattr(source, name) for name in named},
    )  # fmt: skip


def _each_once(*texts: str) -> str:
    """Their paragraphs, each of them once."""
    return "\n\n".join(dict.fromkeys(part for text in texts for part in text.split("\n\n") if part))


def _or_original(own: Any, original: Any) -> Any:
    return original if own is None else own


def _other(restated: Restatement, source: Claim) -> tuple[str, ...]:
    """The item restated, where it is another one."""
    return () if restated.claim_id.partition("/")[0] == source.item else (source.item,)


def from_a_file(paper: str, claim: Claim | None = None) -> bool:
    """Whether a claim is of a document that no package announces, or its check is not ours: ``--module`` brings it."""
    return paper not in installed() or bool(
        claim and claim.check and not claim.check.__module__.startswith("banditproof.")
    )


@checked
def resolve(claim_id: str, paper: str = "") -> Claim:
    """The claim with this id or alias, or the one item that is printed under this number, in any case.

    A number may be one of several documents: `paper` says which, or its name before the number ('rdp Theorem 8').
    """
    claim_id = in_full(claim_id)
    first, _, rest = claim_id.partition(" ")
    if rest and first.casefold() in documents():
        return resolve(rest.strip(), first.casefold())
    if claim_id in REGISTER:
        return REGISTER[claim_id]
    for known in REGISTER.values():
        if claim_id.casefold() in (name.casefold() for name in (known.id, *known.aliases)):
            return known
    item = catalogued(claim_id)
    if item is not None:
        raise InvalidInput(
            "claim", claim_id, f"the id of a registered claim (no claim checks this item of {item.printed} yet)"
        )
    items = [i for i in catalogue().values() if i.paper == (paper or i.paper)]
    printed = _printed_under(claim_id.casefold(), items)
    if len(printed) == 1 and printed[0] in REGISTER:
        return REGISTER[printed[0]]
    if printed and claim_id:
        named = f"{catalogue()[printed[0]].paper} {claim_id}"
        which = f"one of {', '.join(printed)}, because all of them fit ('{named}' names the document as well)"
        raise InvalidInput("claim", claim_id, which)
    if paper and claim_id and (elsewhere := _printed_under(claim_id.casefold(), list(catalogue().values()))):
        prints = dict.fromkeys(catalogue()[name].paper for name in elsewhere)
        raise InvalidInput("paper", paper, f"a document that prints {claim_id}", " or ".join(prints))
    names = [name for c in REGISTER.values() for name in (c.id, *c.aliases)]
    names += [*catalogue(), *(number for item in items for number in _numbers(item))]
    hint = _printed_so(claim_id.casefold(), items) or close_to(claim_id, names)
    raise InvalidInput(
        "claim", claim_id, "a registered id (banditproof list shows them; claims of a file need --module)", hint
    )


def in_full(name: str) -> str:
    """A printed name without abbreviations.

    >>> in_full("Thm. 3.1"), in_full("prop3.13"), in_full("ALG-T5.3")
    ('theorem 3.1', 'proposition 3.13', 'ALG-T5.3')
    """
    full = {"thm": "theorem", "lem": "lemma", "prop": "proposition", "cor": "corollary", "def": "definition"}
    spelt = rf"\b({'|'.join(full)})\.? *(?=\d|[A-H]\.\d)"
    return re.sub(spelt, lambda found: f"{full[found[1].casefold()]} ", name, flags=re.IGNORECASE)


def _printed_under(number: str, items: Sequence[CatalogueItem]) -> list[str]:
    """The items of each document that are printed under a number: alone, or else among others."""
    found: list[str] = []
    for paper in dict.fromkeys(item.paper for item in items):
        own = [item for item in items if item.paper == paper]
        alone = [i.id for i in own if number in (i.number.casefold(), _numeral(i.id))]
        found += alone or [i.id for i in own if number in map(str.casefold, _numbers(i))]
    return found


def _printed_so(typed: str, items: Sequence[CatalogueItem]) -> str:
    """Items with the number of a name or an id, which call it something else: 'MIA-LD.4 (thesis, Lemma D.4)'."""
    word, _, number = typed.rpartition(" ")
    number = f"({number.strip('()')})" if word.startswith("eq") else number
    alike = [i for i in items for n in map(str.casefold, _numbers(i)) if word and n.rpartition(" ")[2] == number]
    alike = alike or [item for item in items if "-" in typed and _numeral(item.id) == _numeral(typed)]
    return " or ".join(f"{item.id} ({item.paper}, {item.number})" for item in alike[:3])


def _numbers(item: CatalogueItem) -> list[str]:
    """'Theorem 4.15' and '(4.10)' of an item that is printed under both."""
    return [number.strip() for number in item.number.split(",") if number.strip()]


def _numeral(item_id: str) -> str:
    """An id without the name of its document: 't3.1' of BDP-T3.1."""
    return item_id.partition("-")[2].casefold()


def without_claim(paper: str) -> list[CatalogueItem]:
    """The catalogued items of a document of which no claim checks anything yet, in their order."""
    checked = {name.partition("/")[0] for name in REGISTER}
    return [item for item in catalogue().values() if item.paper == paper and item.id not in checked]
