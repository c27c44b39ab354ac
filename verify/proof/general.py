"""Statements about every mechanism, law or policy: a formula of the kernel, and what its theorem shows.

The body of such a claim is called once, on symbols (``verify.kernel.meanings``); its signature gives the hypotheses. A
theorem proves the claim only if it has the key of this formula: nobody types the conclusion a second time.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from math import isinf
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.verify.kernel.meanings import AMBIENT, BOUND, WORDS, formula, sort_of
from banditproof.verify.kernel.printing import shown, tex
from banditproof.verify.kernel.replay import formula_from_data, replay
from banditproof.verify.kernel.rules import le, lt, nat
from banditproof.verify.kernel.terms import READING, RESERVED, All, Formula, Refused, check, free_in, key, var
from banditproof.verify.kernel.wording import decisions, sound
from banditproof.verify.kernel.writing import formula_to_data
from banditproof.verify.proof.domain import Domain, Everything, Interval
from banditproof.verify.proof.evidence import RULE, KernelProof

ROUTES = ("the statement, as a formula of the kernel", "a theorem of the kernel, made again from its proof")


@dataclass(frozen=True)
class General:
    """A closed formula: for all variables of the domain, and all that `AMBIENT` names."""

    domain: Domain
    formula: All

    def __str__(self) -> str:
        return shown(self.formula)

    @property
    def tex(self) -> str:
        return tex(self.formula)

    @cached_property
    def key(self) -> str:
        return hashed(self.formula)


def hashed(f: Formula) -> str:
    """A hash of the key of a formula."""
    return sha256(key(f).encode()).hexdigest()[:24]


def general(relation: Callable[..., Any], domain: Domain, constants: Mapping[str, Any]) -> General:
    """The statement of a body that speaks of every mechanism, law or policy. Raises InvalidInput for no statement.

    The body is called once: what is printed and what is proved is one formula.
    """
    try:
        return _general(relation, domain, tuple(constants.items()))
    except Refused as why:
        words = "a formula in the words of verify.kernel.meanings"
        raise InvalidInput(f"statement of {getattr(relation, '__name__', 'the body')}", str(why), words) from why


@cache
def _general(relation: Callable[..., Any], domain: Domain, constants: tuple[tuple[str, Any], ...]) -> General:
    if domain.where:
        raise Refused("no where=: put its constraints into the body, as premises of when(...)")
    if taken := sorted({n for n, _ in domain.variables} & {*BOUND, *AMBIENT, *WORDS}):
        raise Refused(f"{taken[0]} has a meaning in verify.kernel.meanings: give the parameter another name")
    if deciding := decisions(relation.__code__):
        raise Refused(f"the body has a branch ({deciding}), but a statement is one formula")
    symbols = {n: sort_of(v.name).symbol(n) if isinstance(v, Everything) else var(n) for n, v in domain.variables}
    wanted = inspect.signature(relation).parameters
    READING.append(getattr(relation, "__name__", ""))
    try:
        body = formula(relation(**{n: v for n, v in {**symbols, **dict(constants)}.items() if n in wanted}))
    finally:
        READING.pop()
    premises, then = (body.given, body.then) if isinstance(body, All) and not body.params else ((), body)
    given = (*of_sets(domain), *premises)
    around = sorted(free_in(All((), given, then)) - symbols.keys() - RESERVED.keys())
    if strange := [n for n in around if n not in AMBIENT]:
        raise Refused(f"{strange[0]} is not a variable of the statement")
    whole = All((*symbols, *around), given, then)
    check(whole, {})
    _sound(whole, domain)
    return General(domain, whole)


def _sound(f: All, domain: Domain) -> None:
    """Raise Refused where a formula says something else than it seems to say, or nothing."""
    numbers = {n: v for n, v in domain.variables if isinstance(v, Interval)}
    sequences = [n for n, v in domain.variables if isinstance(v, Everything) and sort_of(v.name).is_sequence]
    sound(f, f.given[len(of_sets(domain)) :], numbers, sequences)


def of_sets(domain: Domain) -> list[Formula]:
    """What the sets of the variables say."""
    return [f for name, values in domain.variables for f in _conditions_of(name, values)]


def _conditions_of(name: str, values: Any) -> list[Formula]:
    """What the set of a number says. Raises Refused where that is no interval, or one of integers below 0."""
    if isinstance(values, Everything):
        return sort_of(values.name).given(name)
    if not isinstance(values, Interval):
        raise Refused(f"{name} is in {values}, which is not an interval")
    if values.integer and not values.lower >= 0:
        raise Refused(f"{name} is in {values}: integers are natural numbers here")
    if (isinf(values.lower) and not values.lower_open) or (isinf(values.upper) and not values.upper_open):
        raise Refused(f"{name} is in {values}: an infinite end is not a number")
    conditions: list[Formula] = [nat(var(name))] if values.integer else []
    if not isinf(values.lower) and not (values.integer and values.lower == 0 and not values.lower_open):
        conditions.append((lt if values.lower_open else le)(values.lower, var(name)))
    if not isinf(values.upper):
        conditions.append((lt if values.upper_open else le)(var(name), values.upper))
    return conditions


def proved_in_kernel(statement: General, proof: Any) -> KernelProof | str:
    """What a proof, as data, shows of a statement; or why it does not."""
    return made_again(statement.domain, formula_to_data(statement.formula), proof)


def made_again(covers: Domain, nodes: Any, proof: Any) -> KernelProof | str:
    """As ``proved_in_kernel``, for a formula that a file holds: nothing but the file is asked."""
    try:
        f, sets = formula_from_data(nodes), of_sets(covers)
        check(f, {})
        if not isinstance(f, All) or set(f.params) - set(AMBIENT) != set(covers.sets):
            return "its formula is not about the variables of its region"
        if list(map(key, f.given[: len(sets)])) != list(map(key, sets)):
            return "its formula does not say what the sets of its region say"
        _sound(f, covers)
        theorem = replay(proof)
        if theorem.hypotheses:
            return f"it assumes something that the statement does not assume: {next(iter(theorem.hypotheses.values()))}"
        if key(theorem.conclusion) != key(f):
            return f"the theorem is another one: {theorem.conclusion}"
    except (Refused, RecursionError) as why:
        return f"the kernel refuses it: {why}"
    axioms = tuple(sorted(theorem.axioms))
    return KernelProof(covers, ROUTES, hashed(f), formula_to_data(f), axioms, proof, rule=RULE)
