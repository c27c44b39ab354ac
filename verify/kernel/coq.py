"""A theorem of the kernel as a file for Coq: a second program checks what ``replay`` checks, with axioms of its own.

``Kernel.v`` says what terms speak of and has a lemma for every rule. A file states the theorem that a claim asks for,
and then proves it step by step: one lemma for each rule that was used, one for each part of a sum or product that has
another normal form (``norm``), and one identity for the sum or product itself, both sides of which Coq computes as
polynomials with rational coefficients. Nothing here is trusted: Coq accepts the file or not. What has no translation
raises Untranslated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any

from banditproof.verify.kernel.rules import STEEPNESS, Theorem
from banditproof.verify.kernel.terms import (
    BINDERS,
    ONE,
    RESERVED,
    All,
    Fn,
    Formula,
    Monomial,
    Poly,
    Rel,
    Term,
    _apart,
    _bound,
    code,
    code_of_power,
    free,
    inside,
    key,
    plus,
    poly,
    replace,
    substitute,
    term,
    times,
    var,
)
from banditproof.verify.kernel.terms import build as build_with_ones
from banditproof.verify.kernel.terms import canon_law as canon_law_with_ones

LIBRARY = Path(__file__).with_name("Kernel.v")
MOST_POINTS = 4  # of a function or law: Kernel.v has a type for each number of points
TAKEN = frozenset(
    "as at cofix else end exists exists2 fix for forall fun if IF in let match mod return then using where with "
    "Prop Set SProp Type R S O exp ln ev".split()
) | frozenset(
    re.findall(
        r"(?:^(?:Axiom|Definition|Fixpoint|Lemma|Record|Inductive|Notation)|[{;|]) (\w+)",
        LIBRARY.read_text(encoding="utf-8"),
        re.M,
    )
)
"""What no name of the kernel is called in a file: words of Coq, and what Kernel.v defines."""
Env = Mapping[str, str]  # what stands for a name
Kind = Any  # "point", ("app", points) or ("law", points)


class Untranslated(ValueError):
    """Something that the file cannot say."""


# ------------------------------------------------------------------------------------------------------------ printing


def name_of(name: str) -> str:
    """A name of the kernel in Coq: names of normal forms begin with $."""
    if name.startswith("$"):
        return f"b{name[1:]}'"
    if name in RESERVED:
        return name
    return f"{name}'" if name in TAKEN or name.startswith(("some_", "Build_")) else name


def number(q: Fraction) -> str:
    text = str(q.numerator) if q.denominator == 1 else f"{q.numerator} / {q.denominator}"
    return text if q >= 0 and q.denominator == 1 else f"({text})"


@lru_cache(100_000)
def bare(t: Term) -> Term:
    """A normal form without the coefficients 1 before its atoms. Elsewhere a factor 1 stays: Coq keeps it too."""
    args = tuple(bare(a) if isinstance(a, Term) else a for a in t.args)
    return Term(t.op, args[1:] if t.op == "mul" and len(args) > 1 and args[0] == term(1) else args)


def build(p: Poly) -> Term:
    return bare(build_with_ones(p))


def canon(t: Term) -> Term:
    return build(poly(t))


def canon_law(law: Term) -> Term:
    return bare(canon_law_with_ones(law))


class Printer:
    """Terms and formulas as Coq reads them."""

    def __init__(self) -> None:
        self._texts: dict[Term, str] = {}

    def term(self, t: Term, env: Env | None = None, atoms: Mapping[Term, str] | None = None) -> str:
        if env or atoms:
            return self._term(t, env or {}, atoms or {})
        if t not in self._texts:
            self._texts[t] = self._term(t, {}, {})
        return self._texts[t]

    def _term(self, t: Term, env: Env, atoms: Mapping[Term, str]) -> str:
        if t in atoms:
            return atoms[t]

        def of(a: Term) -> str:
            return self.term(a, env, atoms)

        if t.op == "num":
            return number(t.args[0])
        if t.op == "var":
            return env.get(t.args[0], name_of(t.args[0]))
        if t.op in ("add", "mul"):
            shown = [of(a) for a in t.args]
            if len(shown) < 2:
                return shown[0] if shown else "0" if t.op == "add" else "1"
            return f"({(' + ' if t.op == 'add' else ' * ').join(shown)})"
        if t.op in ("inv", "exp", "log"):
            return f"({ {'inv': '/', 'exp': 'exp', 'log': 'ln'}[t.op] } {of(t.args[0])})"
        if t.op in BINDERS:
            names, *outside, body = t.args
            below = {n: v for n, v in env.items() if n not in names}
            function = f"(fun {' '.join(map(name_of, names))} => {self.term(body, below, atoms)})"
            return f"({t.op} {' '.join(map(of, outside))} {function})"
        if t.op in ("app", "law"):
            points = " ".join(of(a) for a in t.args[1:])
            return f"({name_of(t.args[0])} {points})" if points else name_of(t.args[0])
        return f"({t.op} {' '.join(of(a) for a in t.args)})"  # ind, dirac

    def formula(self, f: Formula) -> str:
        if isinstance(f, All):
            names = binders(f.params, kinds(f, bound=True))
            arrows = " -> ".join(self.formula(g) for g in (*f.given, f.then))
            return f"(forall {names}, {arrows})" if names else f"({arrows})"
        shown = [self.term(a) for a in f.args]
        return f"(nat_ {shown[0]})" if f.op == "nat" else f"({shown[0]} {f.op} {shown[1]})"


def kinds(value: Any, bound: bool = False) -> dict[str, Kind]:
    """What each free name is: a point, or a function or law of so many points; also the params, if asked."""
    by_name: dict[str, Kind] = {}

    def note(more: Mapping[str, Kind]) -> None:
        for name, kind in more.items():
            if by_name.setdefault(name, kind) != kind:
                raise Untranslated(f"{name} is {by_name[name]} and {kind}")

    if isinstance(value, Term):
        if value.op in ("var", "app", "law"):
            kind = "point" if value.op == "var" else (value.op, len(value.args) - 1)
            if value.args[0] not in RESERVED:
                note({value.args[0]: kind})
        for a in inside(value) if value.op not in BINDERS else value.args[1:-1]:
            note(kinds(a))
        if value.op in BINDERS:
            note({n: k for n, k in kinds(value.args[-1]).items() if n not in value.args[0]})
    elif isinstance(value, Fn):
        note({n: k for n, k in kinds(value.body).items() if n not in value.params})
    elif isinstance(value, Rel):
        for a in value.args:
            note(kinds(a))
    else:
        for part in (*value.given, value.then):
            note(kinds(part))
        params = {n: by_name.pop(n, "point") for n in value.params}
        by_name |= params if bound else {}
    return by_name


def type_of(kind: Kind) -> str:
    if kind == "point":
        return "R"
    op, count = kind
    if not (op == "law") <= count + (op == "law") or count > MOST_POINTS or (op == "app" and count == 0):
        raise Untranslated(f"a {'law' if op == 'law' else 'function'} of {count} points")
    return f"{'Fun' if op == 'app' else 'Ker'}{count}"


def binders(names: Iterable[str], of: Mapping[str, Kind]) -> str:
    return " ".join(f"({name_of(n)} : {type_of(of[n])})" for n in names)


def minus(a: Term, b: Term) -> Term:
    """a - b, as the lemmas of Kernel.v write it."""
    return Term("add", (a, Term("mul", (term(-1), b))))


def is_uniform(law: Term) -> bool:
    """Uniform on finitely many points, where every function has a mean."""
    return law.op == "law" and law.args[0] == "Unif"


# ------------------------------------------------------------------------------------------------------------- writing


@dataclass
class Scope:
    """Names and hypotheses at hand inside a lemma; `more` are names that its statement does not speak of."""

    names: dict[str, Kind]
    hypotheses: dict[str, tuple[str, Formula]]
    more: dict[str, Kind] = field(default_factory=dict)

    def need(self, wanted: Mapping[str, Kind]) -> None:
        for name, kind in wanted.items():
            if self.names.get(name, self.more.setdefault(name, kind) if name not in self.names else kind) != kind:
                raise Untranslated(f"{name} has two meanings in one step")

    def within(self, names: Mapping[str, Kind], hypotheses: Mapping[str, tuple[str, Formula]]) -> Scope:
        return Scope({**self.names, **names}, {**self.hypotheses, **hypotheses}, self.more)


class Writer:
    """The lemmas of one file, in order."""

    def __init__(self) -> None:
        self.lemmas: list[str] = []
        self.show = Printer()
        self._normal: dict[Term, str] = {}
        self._rings: dict[str, str] = {}
        self._steps: dict[int, str] = {}
        self._count = 0

    def fresh(self, letter: str) -> str:
        self._count += 1
        return f"{letter}{self._count}'"

    # ------------------------------------------------------------------------------------------------- normal forms

    def norm(self, t: Term) -> str:
        """A proof that a term is its normal form."""
        if t not in self._normal:
            c = canon(t)
            self._normal[t] = "eq_refl" if self.show.term(c) == self.show.term(t) else self._to_normal(t, c)
        return self._normal[t]

    def _to_normal(self, t: Term, c: Term) -> str:
        """The same of a term that is not: an identity, or a lemma where it is more."""
        if t.op in ("add", "mul") and not meets(t):
            return self._equation(t, c)
        proof, of = self._norm(t), kinds(t)
        name = self.fresh("normal")
        self.lemmas.append(
            f"Lemma {name} {binders(sorted(of), of)} :\n  {self.show.term(t)} = {self.show.term(c)}.\n"
            f"Proof. exact {proof}. Qed."
        )
        return f"({name} {' '.join(map(name_of, sorted(of)))})" if of else name

    def _norm(self, t: Term) -> str:
        if t.op == "mul":
            return self._product(t)
        if t.op == "inv":
            return self._reciprocal(t)
        if t.op == "exp":
            inner = self.norm(t.args[0])
            return f"(exp_zero {inner})" if not canon(t.args[0]).args else f"(f_equal exp {inner})"
        if t.op == "log":
            return f"(f_equal ln {self.norm(t.args[0])})"
        if t.op == "app":
            return self._congruent(f"f{len(t.args) - 1} {name_of(t.args[0])}", t.args[1:])
        if t.op == "ind":
            return self._indicator(t)
        if t.op == "mean":
            return self._mean(t)
        raise Untranslated(f"the normal form of {t}")

    def _congruent(self, function: str, points: tuple[Term, ...]) -> str:
        of = "" if len(points) == 1 else str(len(points))
        return f"(f_equal{of} ({function}) {' '.join(map(self.norm, points))})"

    def _equation(self, a: Term, b: Term) -> str:
        """A proof of a = b, which have one normal form: their parts are put into theirs, the rest is an identity."""
        parts = dict.fromkeys([*parts_of(a), *parts_of(b)])
        return self._identity(a, b, {t: canon(t) for t in parts if self.show.term(canon(t)) != self.show.term(t)})

    def _product(self, t: Term) -> str:
        """A product in which exponentials meet, factor by factor."""
        first, *rest = t.args
        proof, so_far = self.norm(first), canon(first)
        for a in rest:
            proof = f"(f_equal2 Rmult {proof} {self.norm(a)})"
            proof = self._after(proof, self._times(so_far, canon(a)))
            so_far = canon(Term("mul", (so_far, canon(a))))
        return proof

    @staticmethod
    def _after(first: str, second: str) -> str:
        if "eq_refl" in (first, second):
            return second if first == "eq_refl" else first
        return f"(eq_trans {first} {second})"

    def _identity(self, left: Term, right: Term, changed: Mapping[Term, Term] | None = None) -> str:
        """A proof of left = right, which are the same polynomial once some parts of them are what they are equal to."""
        changed = changed or {}
        atoms = self._named("a", (a for t in (left, right, *changed.values()) for a in parts_of(t) if a not in changed))
        names = atoms | self._named("b", changed)
        if self.show.term(left, atoms=names) == self.show.term(right, atoms=names):
            return "eq_refl"
        same = self._same(atoms, left, right, changed)
        facts = {names[a]: (a, b) for a, b in changed.items()}
        script = f"intros {' '.join(dict.fromkeys(names.values()))}{' ->' * len(facts)}. exact {same}."
        return self._ring(names, [*facts.values()], (left, right), script, [self.norm(a) for a, _ in facts.values()])

    def _merged(
        self,
        left: Term,
        right: Term,
        facts: Sequence[tuple[Term, Term]],
        factors: Sequence[Term],
        proofs: Sequence[str],
    ) -> str:
        """The same, where left is right and, of each fact a = b about exponentials, a factor times a - b."""
        sides = [side for fact in facts for side in fact]
        names = self._named("a", (a for t in (left, right, *factors, *sides) for a in atoms_of(t)))
        gaps = [Term("mul", (factor, minus(*fact))) for factor, fact in zip(factors, facts, strict=True)]
        whole = Term("add", (right, Term("add", tuple(gaps))))
        known = [f"H{k}" for k in range(len(facts))]
        none = [f"(no_gap {self.show.term(f, atoms=names)} {h})" for f, h in zip(factors, known, strict=True)]
        shown = f"by_gaps {self._same(names, left, whole)} {nested('no_gaps', none)}"
        script = f"intros {' '.join([*dict.fromkeys(names.values()), *known])}. exact ({shown})."
        return self._ring(names, facts, (left, right), script, proofs)

    def _named(self, letter: str, atoms: Iterable[Term]) -> dict[Term, str]:
        """A name for each atom, one for those that are printed alike."""
        names: dict[str, str] = {}
        return {a: names.setdefault(self.show.term(a), f"{letter}{len(names)}") for a in atoms}

    def _same(
        self, names: Mapping[Term, str], left: Term, right: Term, changed: Mapping[Term, Term] | None = None
    ) -> str:
        """left = right, by their normal forms as polynomials in the atoms that have names."""
        numbers = [*dict.fromkeys(names.values())]
        places = {a: f"(p_x {numbers.index(name) + 1})" for a, name in names.items()}
        places |= {a: polynomial(t, places) for a, t in (changed or {}).items()}
        listed = " :: ".join([*numbers, "@nil R"])
        return f"(by_value ({listed}) {polynomial(left, places)} {polynomial(right, places)})"

    def _ring(
        self,
        names: Mapping[Term, str],
        facts: Sequence[tuple[Term, Term]],
        sides: tuple[Term, Term],
        script: str,
        proofs: Sequence[str],
    ) -> str:
        """A lemma about numbers, stated once for all atoms, at these atoms and these proofs of its facts."""
        *given, stated = [" = ".join(self.show.term(t, atoms=names) for t in pair) for pair in (*facts, sides)]
        at = {name: self.show.term(a) for a, name in names.items()}
        statement = f"forall {' '.join(at)} : R, " if at else ""
        statement += " -> ".join([*given, stated])
        if statement not in self._rings:
            name = f"ring{len(self._rings)}"
            self.lemmas.append(f"Lemma {name} : {statement}.\nProof. {script} Qed.")
            self._rings[statement] = name
        return f"({self._rings[statement]} {' '.join([*at.values(), *proofs])})"

    def _times(self, p: Term, q: Term) -> str:
        """p q is its normal form; where two exponentials meet, they are merged."""
        both = Term("mul", (p, q))
        meetings: dict[tuple[Term, Term], Poly] = {}
        for m, c in poly(p).items():
            for n, d in poly(q).items():
                one, two = exponential(m), exponential(n)
                if one is not None and two is not None:
                    first, second = sorted((one, two), key=code)
                    rest = times({m - {(one, 1)}: c}, {n - {(two, 1)}: d})
                    meetings[first, second] = plus(meetings.get((first, second), {}), rest)
        if not meetings:
            return self._identity(both, canon(both))
        facts, proofs = [], []
        for first, second in (map(bare, pair) for pair in meetings):
            together = Term("add", (first.args[0], second.args[0]))
            merged = canon(together)
            facts.append((Term("mul", (first, second)), Term("exp", (merged,)) if merged.args else term(1)))
            proofs.append(f"({'exp_merge' if merged.args else 'exp_merge0'} {self.norm(together)})")
        return self._merged(both, canon(both), facts, [build(rest) for rest in meetings.values()], proofs)

    def _reciprocal(self, t: Term) -> str:
        inner, p = self.norm(t.args[0]), poly(t.args[0])
        first = "eq_refl" if inner == "eq_refl" else f"(f_equal Rinv {inner})"
        if not p:
            return self._after(first, "Rinv_0")
        if len(p) > 1:
            return first
        ((monomial, c),) = p.items()
        powers = {bare(a): k for a, k in sorted(monomial, key=code_of_power)}
        atoms = list(powers)
        values = [_inverted(a) for a in atoms]
        proofs = [
            "inv_exp" if a.op == "exp" else f"(Rinv_inv {self.show.term(a.args[0])})" if a.op == "inv" else "eq_refl"
            for a in atoms
        ]
        whole = Term("mul", tuple(v for a, v in zip(atoms, values, strict=True) for _ in range(powers[a])))
        if c != 1 or not atoms:
            whole = Term("mul", (term(1 / c), *whole.args))
        xs = {a: f"a{k}" for k, a in enumerate(atoms)}
        ys = [f"x{k}" for k in range(len(atoms))]
        factors = [y for a, y in zip(atoms, ys, strict=True) for _ in range(powers[a])]
        right = " * ".join(factors if c == 1 and factors else [number(1 / c), *factors])
        given = "".join(f"/ {x} = {y} -> " for x, y in zip(xs.values(), ys, strict=True))
        names = f"forall {' '.join([*xs.values(), *ys])} : R, " if atoms else ""
        statement = f"{names}{given}/ {self.show.term(build(p), atoms=xs)} = {right}"
        if statement not in self._rings:
            name = f"ring{len(self._rings)}"
            self.lemmas.append(
                f"Lemma {name} : {statement}.\nProof. intros; subst; rewrite ?Rinv_mult; "
                "repeat match goal with a : R |- _ => generalize (/ a); clear a end; intros; field. Qed."
            )
            self._rings[statement] = name
        given_terms = [self.show.term(a) for a in (*atoms, *values)]
        second = f"({self._rings[statement]} {' '.join([*given_terms, *proofs])})"
        return self._after(self._after(first, second), self.norm(whole))

    def _indicator(self, t: Term) -> str:
        a, b = t.args
        gap = minus(b, a)
        p = poly(gap)
        if p.keys() - {ONE}:
            return f"(ind_shift {self.norm(gap)})"
        holds = p.get(ONE, Fraction(0)) >= 0
        return f"({'ind_one' if holds else 'ind_zero'} {self.norm(gap)} ltac:(lra))"

    def _mean(self, t: Term) -> str:
        (x,), law, body = t.args
        if law.op == "dirac":
            return self.norm(substitute(body, {x: law.args[0]}))
        if law.op == "mix":
            (y,), first, second = law.args
            new = _apart([y], free(body) | free(second) - {y} | {x})
            second = substitute(second, dict(new))
            return self.norm(Term("mean", ((new.get(y, y),), first, Term("mean", ((x,), second, body)))))
        same_law, law = self.equal_law(law), canon_law(law)
        pieces = [self._piece(x, law, *split_at(x, monomial, c)) for monomial, c in poly(body).items()]
        if [self.show.term(out) for out, _, _ in pieces] == ["1"] and pieces[0][1] is not None:
            return f"(mean_cong {same_law} (fun {name_of(x)} => {self._equation(body, pieces[0][1])}))"
        whole = Term("add", tuple(out if moving is None else out * moving for out, moving, _ in pieces))
        after = Term("add", tuple(out if moving is None else out * atom for out, moving, atom in pieces))
        if poly(whole) != poly(body):
            raise Untranslated(f"the mean of {body}")
        changed = f"(mean_cong {same_law} (fun {name_of(x)} => {self._equation(body, whole)}))"
        return f"(eq_trans {changed} {self._after(self._linear(x, law, pieces), self.norm(after))})"

    def _piece(self, x: str, law: Term, outside: Poly, moving: Term | None) -> tuple[Term, Term | None, Term]:
        """A summand of what a mean is taken of: the factor without x, the one with x, and the mean of this."""
        if moving is None:
            return build(outside), None, term(1)
        atom = Term("mean", _bound((x,), (law,), moving, canon))
        return build(outside), substitute(atom.args[2], {atom.args[0][0]: var(x)}), atom

    def _linear(self, x: str, law: Term, pieces: Sequence[tuple[Term, Term | None, Term]]) -> str:
        """A proof that the mean of a sum is the sum of the means of its summands, which Coq reads off the goal."""
        which, known = ("hasU", "") if is_uniform(law) else ("has", " law'")
        proofs = [f"({which}_const _{known})" for _ in pieces or [None]]
        for k, (_, moving, _) in enumerate(pieces):
            if moving is not None:
                function = "_"
                if not is_uniform(law):  # Coq would look for it too late
                    function = f"(fun {name_of(x)} => {self.show.term(moving)}) {self.good(moving, {x: 0})}"
                proofs[k] = f"({which}_scal _{known} ({which}_atom {function}))"
        proof = f"({which}_eq {nested(f'{which}_add{known}', proofs)})"
        return proof if not known else f"((fun law' : IsLaw {self.show.term(law)} => {proof}) {self.is_law(law)})"

    def equal_law(self, law: Term) -> str:
        """A proof that a law is its normal form."""
        c = canon_law(law)
        if self.show.term(law) == self.show.term(c):
            return "eq_refl"
        if law.op == "law":
            count = len(law.args) - 1
            function = "Unif" if is_uniform(law) else f"k{count} {name_of(law.args[0])}"
            return self._congruent(function, law.args[1:])
        if law.op == "dirac":
            return self._congruent("dirac", law.args)
        names = c.args[0]
        inner = substitute(law.args[-1], {n: var(m) for n, m in zip(law.args[0], names, strict=True)})
        function = f"(fun {' '.join(map(name_of, names))} => {self.equal_law(inner)})"
        if law.op == "mix":
            return f"(mix_cong {self.equal_law(law.args[1])} {function})"
        return f"(steps_cong {self.norm(law.args[1])} {self.norm(law.args[2])} {function})"

    # -------------------------------------------------------------------------- functions and laws of what moves (env)

    def _env(self, at: Mapping[str, int]) -> Env:
        return {n: f"(ev {k}%nat)" for n, k in at.items()}

    def _below(self, at: Mapping[str, int], *names: str) -> dict[str, int]:
        """One more name is bound: it stands first."""
        depths = dict(at)
        for name in names:
            depths = {n: k + 1 for n, k in depths.items() if n != name} | {name: 0}
        return depths

    def _function(self, names: tuple[str, ...], body: Term, at: Mapping[str, int]) -> str:
        env = {n: v for n, v in self._env(at).items() if n not in names}
        return f"(fun ev {' '.join(map(name_of, names))} => {self.show.term(body, env)})"

    def _of_points(self, what: str, t: Term, at: Mapping[str, int]) -> str:
        return f"({what} {name_of(t.args[0])} {' '.join(self.meas(a, at) for a in t.args[1:])})"

    def _nested(self, lemma: str, args: tuple[Term, ...], of: Callable[[Term], str]) -> str:
        return nested(lemma, [of(a) for a in args])

    def meas(self, t: Term, at: Mapping[str, int]) -> str:
        """A proof that a number is measurable in the names `at`."""
        at = {n: k for n, k in at.items() if n in free(t)}
        if not at:
            return f"(Meas_const {self.show.term(t)})"
        if t.op == "var":
            return f"(Meas_proj {at[t.args[0]]})"
        if t.op in ("add", "mul"):
            return self._nested(f"Meas_{t.op}", t.args, lambda a: self.meas(a, at))
        if t.op in ("inv", "exp", "log"):
            return f"(Meas_{'ln' if t.op == 'log' else t.op} {self.meas(t.args[0], at)})"
        if t.op == "mean" and is_uniform(t.args[1]) and not free(t.args[1]) & at.keys():
            return self._over_uniform("Meas_unif", self.meas, t, at)
        if t.op == "mean":
            return self._over_law("Meas_mean", self.good, t, at)
        return f"(Good_meas {self.good(t, at)})"

    def good(self, t: Term, at: Mapping[str, int]) -> str:
        """A proof that a number is measurable and bounded in the names `at`."""
        at = {n: k for n, k in at.items() if n in free(t)}
        if not at:
            return f"(Good_const {self.show.term(t)})"
        if t.op in ("add", "mul"):
            return self._nested(f"Good_{t.op}", t.args, lambda a: self.good(a, at))
        if t.op == "exp":
            return f"(Good_exp {self.good(t.args[0], at)})"
        if t.op in ("inv", "log"):
            return f"(Good_{'ln' if t.op == 'log' else t.op} {self.away(t.args[0], at)})"
        if t.op == "ind":
            return f"(Good_ind {self.meas(t.args[0], at)} {self.meas(t.args[1], at)})"
        if t.op == "app":
            return self._of_points(f"Good_app{len(t.args) - 1}", t, at)
        if t.op == "mean" and is_uniform(t.args[1]) and not free(t.args[1]) & at.keys():
            return self._over_uniform("Good_unif", self.good, t, at)
        if t.op == "mean":
            return self._over_law("Good_mean", self.good, t, at)
        raise Untranslated(f"{t} need not be bounded")

    def away(self, t: Term, at: Mapping[str, int]) -> str:
        """A proof that a number stays between two positive ones."""
        if t.op == "num" and t.args[0] > 0:
            return f"(Away_const (ltac:(lra) : 0 < {number(t.args[0])}))"
        if t.op == "exp":
            return f"(Away_exp {self.good(t.args[0], at)})"
        if t.op in ("add", "mul") and t.args:
            return self._nested(f"Away_{t.op}", t.args, lambda a: self.away(a, at))
        if t.op == "mean" and is_uniform(t.args[1]) and not free(t.args[1]) & at.keys():
            return self._over_uniform("Away_unif", self.away, t, at)
        if t.op == "mean":
            return self._over_law("Away_mean", self.away, t, at)
        raise Untranslated(f"{t} need not stay away from 0")

    def _over_uniform(self, lemma: str, of: Callable[..., str], t: Term, at: Mapping[str, int]) -> str:
        (x,), law, body = t.args
        here = {n: k for n, k in at.items() if n != x}
        function, each = self._function((x,), body, at), f"(fun {name_of(x)} => {of(body, here)})"
        return f"({lemma} {self.show.term(law.args[1])} {function} {each})"

    def _over_law(self, lemma: str, of: Callable[..., str], t: Term, at: Mapping[str, int]) -> str:
        (x,), law, body = t.args
        return f"({lemma} {self._function((x,), body, at)} {self.ker(law, at)} {of(body, self._below(at, x))})"

    def ker(self, law: Term, at: Mapping[str, int]) -> str:
        """A proof that a law is a probability measure for each value of the names `at`, measurably."""
        if law.op == "dirac":
            return f"(Ker_dirac {self.meas(law.args[0], at)})"
        if law.op == "mix":
            (y,), first, second = law.args
            below = self.ker(second, self._below(at, y))
            return f"(Ker_mix {self._function((y,), second, at)} {self.ker(first, at)} {below})"
        if law.op == "law" and law.args[0] == "Unit":
            return "Ker_unit"
        if is_uniform(law) or law.op == "steps":
            if free(law.args[1]) & at.keys():
                raise Untranslated(f"a count that moves: {law.args[1]}")
            count = self.show.term(law.args[1])
            if law.op == "law":
                return f"(Ker_unif {count})"
            step, below = self._function(law.args[0], law.args[3], at), self._below(at, *law.args[0])
            return f"(Ker_steps {count} {step} {self.meas(law.args[2], at)} {self.ker(law.args[3], below)})"
        if len(law.args) == 1:
            return f"(k0_ok {name_of(law.args[0])})"
        return self._of_points(f"Ker_app{len(law.args) - 1}", law, at)

    def is_law(self, law: Term) -> str:
        return f"(proj1 {self.ker(law, {})} (fun _ => 0))"

    # --------------------------------------------------------------------------------------------------- formulas

    def converted(self, proof: str, f: Formula, g: Formula) -> str:
        """A proof of g from one of f, which has the same key."""
        if self.show.formula(f) == self.show.formula(g):
            return proof
        if isinstance(f, All) and isinstance(g, All):
            g = self._apart_from(proof, g)
            to = dict(zip(f.params, g.params, strict=True))
            given, then = [replace(h, to) for h in f.given], replace(f.then, to)  # type: ignore[arg-type]
            names = [self.fresh("c") for _ in g.given]
            shown = [self.converted(n, mine, its) for n, mine, its in zip(names, g.given, given, strict=True)]
            inner = f"({proof} {' '.join([*map(name_of, g.params), *shown])})" if [*g.params, *shown] else proof
            known = (f"({n} : {self.show.formula(h)})" for n, h in zip(names, g.given, strict=True))
            around = " ".join([binders(g.params, kinds(g, bound=True)), *known])
            body = self.converted(inner, then, g.then)
            return f"(fun {around} => {body})" if around.strip() else body
        if not isinstance(f, Rel) or not isinstance(g, Rel) or f.op != g.op:
            raise Untranslated(f"{f} is not {g}")
        if f.op == "nat":
            return f"(nat_equal {proof} {self._equation(f.args[0], g.args[0])})"
        lemma = {"<=": "conv_le", "<": "conv_lt", "=": "conv_eq"}[f.op]
        one, two = minus(f.args[1], f.args[0]), minus(g.args[1], g.args[0])
        if poly(one) != poly(two):
            lemma, two = "conv_eq'", minus(*g.args)
        if poly(one) != poly(two) or (lemma == "conv_eq'" and f.op != "="):
            raise Untranslated(f"{f} is not {g}")
        sides = " ".join(self.show.term(a) for a in (*f.args, *g.args))
        return f"(@{lemma} {sides} {self._equation(one, two)} {proof})"

    def _apart_from(self, proof: str, g: All) -> All:
        """The same formula, where no name that it binds stands in the proof."""
        taken = {*re.findall(r"[\w']+", proof)}
        new = {n: f"${self.fresh(n)[:-1]}" for n in g.params if name_of(n) in taken}
        if not new:
            return g
        params = tuple(new.get(n, n) for n in g.params)
        return All(params, tuple(replace(h, new) for h in g.given), replace(g.then, new))

    # ------------------------------------------------------------------------------------------------------- steps

    def step(self, p: Theorem) -> str:
        """The name of the lemma that a theorem is."""
        if id(p) not in self._steps:
            for premise in premises(p.arguments):
                self.step(premise)
            of = scope_of(p)
            hypotheses = {k: (f"h{n}'", f) for n, (k, f) in enumerate(p.hypotheses.items())}
            scope = Scope(of, hypotheses)
            body = self._by_rule(p, scope)
            for name, kind in scope.more.items():
                value = "0" if kind == "point" else f"some_{type_of(kind)}"
                body = f"((fun {name_of(name)} : {type_of(kind)} => {body}) {value})"
            known = "".join(f"\n  ({n} : {self.show.formula(f)})" for n, f in hypotheses.values())
            name = f"step{len(self._steps)}_{p.rule}"
            self.lemmas.append(
                f"Lemma {name} {binders(sorted(of), of)}{known} :\n  {self.show.formula(p.conclusion)}.\n"
                f"Proof. exact {body}. Qed."
            )
            self._steps[id(p)] = name
        return self._steps[id(p)]

    def ref(self, p: Theorem, scope: Scope) -> str:
        """The lemma of a premise, at the names and hypotheses of a scope."""
        of = scope_of(p)
        scope.need(of)
        applied = [self.step(p), *map(name_of, sorted(of))]
        for k, f in p.hypotheses.items():
            if k not in scope.hypotheses:
                raise Untranslated(f"{f} is assumed but not known")
            applied.append(self.converted(*scope.hypotheses[k], f))
        return f"({' '.join(applied)})" if len(applied) > 1 else applied[0]

    def _by_rule(self, p: Theorem, scope: Scope) -> str:
        writes = getattr(self, f"_rule_{p.rule}", None)
        if writes is None:
            raise Untranslated(f"the rule {p.rule}")
        return writes(scope, *p.arguments)

    def _lemma(self, scope: Scope, lemma: str, *terms: Term) -> str:
        for t in terms:
            scope.need(kinds(t))
        return f"({lemma} {' '.join(map(self.show.term, terms))})"

    def _rule_assume(self, scope: Scope, f: Formula) -> str:
        ((name, _),) = scope.hypotheses.values()
        return name

    def _rule_gen(self, scope: Scope, p: Theorem, params: Any, given: Any) -> str:
        of = {n: k for n, k in kinds(All(tuple(params), tuple(given), p.conclusion), bound=True).items() if n in params}
        names = {key(g): (f"g{k}'", g) for k, g in enumerate(given)}
        every = [f"g{k}'" for k in range(len(given))]
        inner = self.ref(p, scope.within(of, names))
        return f"(fun {binders(params, of)} {' '.join(every)} => {inner})" if [*params, *given] else inner

    def _rule_use(self, scope: Scope, p: Theorem, values: Any, proofs: Any) -> str:
        f, to = p.conclusion, dict(values)
        assert isinstance(f, All)
        of = kinds(f, bound=True)
        applied = [self.ref(p, scope), *(self._value(scope, to[n], of[n]) for n in f.params)]
        for proof, condition in zip(proofs, f.given, strict=True):
            applied.append(self.converted(self.ref(proof, scope), proof.conclusion, replace(condition, to)))
        return f"({' '.join(applied)})"

    def _value(self, scope: Scope, value: Term | Fn, kind: Kind) -> str:
        if kind == "point":
            if isinstance(value, Fn):
                return "0"  # of a name that does not occur
            return self._lemma(scope, "", value)
        if not isinstance(value, Fn):
            raise Untranslated("a number in the place of a function")
        scope.need(kinds(value))
        at = {n: k for k, n in enumerate(value.params)}
        proof = self.good(value.body, at) if kind[0] == "app" else self.ker(value.body, at)
        body = self.show.term(value.body)
        function = f"(fun {' '.join(map(name_of, value.params))} => {body})" if value.params else body
        return f"(Build_{type_of(kind)} {function} {proof})"

    def _rule_induct(self, scope: Scope, n: str, base: Theorem, step: Theorem, claim: Formula) -> str:
        of = {n: "point"}
        first = self.converted(self.ref(base, scope), base.conclusion, replace(claim, {n: term(0)}))
        known = {key(claim): ("before'", claim), key(Rel("nat", (var(n),))): ("natural'", Rel("nat", (var(n),)))}
        after = self.converted(
            self.ref(step, scope.within(of, known)), step.conclusion, replace(claim, {n: var(n) + 1})
        )
        at = name_of(n)
        return f"(induct (fun {at} => {self.show.formula(claim)}) {first} (fun {at} natural' before' => {after}))"

    def _rule_cases(self, scope: Scope, low: Theorem, high: Theorem, a: Term, b: Term) -> str:
        below, above, strictly = Rel("<=", (a, b)), Rel("<=", (b, a)), Rel("<", (b, a))
        first = self.ref(low, scope.within({}, {key(below): ("case'", below)}))
        other = {key(above): ("(Rlt_le _ _ case')", above), key(strictly): ("case'", strictly)}
        second = self.converted(self.ref(high, scope.within({}, other)), high.conclusion, low.conclusion)
        goal = self.show.formula(low.conclusion)
        return f"{self._lemma(scope, 'cases', a, b)[:-1]} {goal} (fun case' => {first}) (fun case' => {second}))"

    def _not_negative(self, scope: Scope, m: Theorem) -> tuple[Term, str, str]:
        """The multiplier of a theorem 0 <= m or 0 < m, its sign, and the proof."""
        f = m.conclusion
        assert isinstance(f, Rel)
        proof, (zero, t) = self.ref(m, scope), f.args
        if self.show.term(zero) != "0":
            proof = f"({'from_zero_lt' if f.op == '<' else 'from_zero_le'} {self.norm(zero)} {proof})"
        return t, f.op, proof

    def _rule_calc(self, scope: Scope, goal: Rel, pairs: Any) -> str:
        summands: list[tuple[Term, str, str]] = []
        for c, m, theorem in pairs:
            left, right = theorem.conclusion.args
            sign, whole = theorem.conclusion.op, minus(right, left)
            proof = f"({ {'<=': 'diff_le', '<': 'diff_lt', '=': 'diff_eq'}[sign] } {self.ref(theorem, scope)})"
            if isinstance(m, Theorem) and sign != "=":
                t, its, shown = self._not_negative(scope, m)
                whole = Term("mul", (t, whole))
                if sign == its == "<":
                    proof = f"(mul_lt {shown} {proof})"
                else:
                    weak = [f"(weak {text})" if of == "<" else text for of, text in ((its, shown), (sign, proof))]
                    sign, proof = "<=", f"(mul_le {weak[0]} {weak[1]})"
            elif m is not None:
                t = self._not_negative(scope, m)[0] if isinstance(m, Theorem) else term(m)
                scope.need(kinds(t))
                whole, proof = Term("mul", (t, whole)), f"(mul_zero {self.show.term(t)} {proof})"
            if c == 0:
                continue
            if c != 1:
                q = term(Fraction(c))
                whole = Term("mul", (q, whole))
                positive = f"(ltac:(lra) : 0 {sign} {self.show.term(q)})"
                of_number = {"<=": f"(mul_le {positive} {proof})", "<": f"(mul_lt {positive} {proof})"}
                proof = of_number.get(sign, f"(mul_zero {self.show.term(q)} {proof})")
            if goal.op != "=" == sign:
                sign, proof = "<=", f"(weak_eq {proof})"
            summands.append((whole, sign, proof))
        gap = minus(goal.args[1], goal.args[0])
        rest = poly(minus(gap, Term("add", tuple(t for t, _, _ in summands)))).get(ONE, Fraction(0))
        if rest or not summands:
            sign = "=" if goal.op == "=" else "<" if rest else "<="
            summands.append((term(rest), sign, f"(ltac:(lra) : 0 {sign} {number(rest)})"))
        whole, sign, proof = summands[0]
        for _, its, more in summands[1:]:
            lemma = {"==": "sum_eq", "<<=": "sum_lt_le", "<=<": "sum_le_lt", "<=<=": "sum_le"}.get(sign + its)
            if lemma is None:  # both are strict
                lemma, more = "sum_lt_le", f"(weak {more})"
            sign = "=" if lemma == "sum_eq" else "<=" if lemma == "sum_le" else "<"
            proof = f"({lemma} {proof} {more})"
        if goal.op == "<=" and sign == "<":
            proof = f"(weak {proof})"
        equation = self._equation(gap, Term("add", tuple(t for t, _, _ in summands)))
        return f"({ {'<=': 'calc_le', '<': 'calc_lt', '=': 'calc_eq'}[goal.op] } {equation} {proof})"

    def _rule_antisymmetric(self, scope: Scope, low: Theorem, high: Theorem) -> str:
        a, b = low.conclusion.args  # type: ignore[union-attr]
        other = self.converted(self.ref(high, scope), high.conclusion, Rel("<=", (b, a)))
        return f"(Rle_antisym _ _ {self.ref(low, scope)} {other})"

    def _rule_square(self, scope: Scope, t: Term) -> str:
        return self._lemma(scope, "square", t)

    def _rule_reciprocal(self, scope: Scope, p: Theorem) -> str:
        t, _, proof = self._not_negative(scope, p)
        return f"(reciprocal {self.show.term(t)} {proof})"

    def _rule_exp_log(self, scope: Scope, p: Theorem) -> str:
        t, _, proof = self._not_negative(scope, p)
        return f"(exp_ln {self.show.term(t)} {proof})"

    def _rule_indicator(self, scope: Scope, a: Any, b: Any, which: int) -> str:
        return self._lemma(scope, f"indicator{which}", term(a), term(b))

    def _rule_same(self, scope: Scope, p: Theorem, x: str, context: Term) -> str:
        scope.need({n: k for n, k in kinds(context).items() if n != x})
        return f"(f_equal (fun {name_of(x)} => {self.show.term(context)}) {self.ref(p, scope)})"

    def _rule_exp_tangent(self, scope: Scope, t: Any) -> str:
        return self._lemma(scope, "exp_tangent", term(t))

    def _rule_exp_positive(self, scope: Scope, t: Any) -> str:
        return self._lemma(scope, "exp_pos", term(t))

    def _rule_nat_zero(self, scope: Scope) -> str:
        return "nat_zero"

    def _rule_nat_next(self, scope: Scope, p: Theorem) -> str:
        return f"(nat_next _ {self.ref(p, scope)})"

    def _rule_nat_minus(self, scope: Scope, p: Theorem, q: Theorem, below: Theorem) -> str:
        (n,), (m,) = p.conclusion.args, q.conclusion.args  # type: ignore[union-attr]
        smaller = self.converted(self.ref(below, scope), below.conclusion, Rel("<", (n, m)))
        return f"(nat_minus _ _ {self.ref(p, scope)} {self.ref(q, scope)} {smaller})"

    def _rule_nat_equal(self, scope: Scope, p: Theorem, q: Theorem) -> str:
        a, _ = q.conclusion.args  # type: ignore[union-attr]
        natural = self.converted(self.ref(p, scope), p.conclusion, Rel("nat", (a,)))
        return f"(nat_equal {natural} {self.ref(q, scope)})"

    def _rule_mono(self, scope: Scope, p: Theorem, x: str, law: Term) -> str:
        f = p.conclusion
        assert isinstance(f, Rel)
        scope.need(kinds(law))
        inner = f"(fun {name_of(x)} => {self.ref(p, scope.within({x: 'point'}, {}))})"
        if f.op == "=":
            return f"(mean_cong (@eq_refl Law {self.show.term(law)}) {inner})"
        functions = [f"(fun {name_of(x)} => {self.show.term(a)})" for a in f.args]
        if is_uniform(law):
            return f"(unif_mono {self.show.term(law.args[1])} {' '.join(functions)} {inner})"
        good = " ".join(self.good(a, {x: 0}) for a in f.args)
        return f"(mono_le {self.show.term(law)} {' '.join(functions)} {self.is_law(law)} {good} {inner})"

    def _rule_fubini(self, scope: Scope, x: str, p: Term, y: str, q: Term, body: Term) -> str:
        if is_uniform(p) and not is_uniform(q):
            return f"(eq_sym {self._rule_fubini(scope, y, q, x, p, body)})"
        for law in (p, q):
            scope.need(kinds(law))
        scope.need({n: k for n, k in kinds(body).items() if n not in (x, y)})
        function = f"(fun {name_of(x)} {name_of(y)} => {self.show.term(body)})"
        if is_uniform(q):
            count = self.show.term(q.args[1])
            if is_uniform(p):
                return f"(unif_unif_Fubini {self.show.term(p.args[1])} {count} {function})"
            each = f"(fun {name_of(y)} => {self.good(body, {x: 0})})"
            return f"(unif_Fubini {self.show.term(p)} {count} {function} {self.is_law(p)} {each})"
        laws = f"{self.show.term(p)} {self.show.term(q)}"
        return f"(means_Fubini {laws} {function} {self.ker(p, {})} {self.ker(q, {})} {self.good(body, {x: 0, y: 1})})"

    def _rule_unit(self, scope: Scope, t: Term, u: str, low: Theorem, high: Theorem) -> str:
        bounds = [(low, Rel("<=", (term(0), t))), (high, Rel("<=", (t, term(1))))]
        shown = " ".join(self.converted(self.ref(p, scope), p.conclusion, wanted) for p, wanted in bounds)
        return f"(unit_rule {self.show.term(t)} {shown})"

    def _rule_moved(
        self, scope: Scope, below: Theorem, positive: Theorem, x: str, law: Term, s: int, c: Term, g: Term
    ) -> str:
        (name, scale), f = law.args, below.conclusion.args[0]  # type: ignore[union-attr]
        for t in (law, c):
            scope.need(kinds(t))
        at, steepness = var(x), STEEPNESS[name]
        scope.need({n: k for n, k in (kinds(f) | kinds(g)).items() if n != x})
        ratio = Term("exp", (steepness(at, scale) - steepness(s * (at - c), scale),))
        inner = self.ref(below, scope.within({x: "point"}, {}))
        shown = self.converted(inner, below.conclusion, Rel("<=", (f, g * ratio)))
        above_zero = self.converted(self.ref(positive, scope), positive.conclusion, Rel("<", (term(0), scale)))
        functions = " ".join(f"(fun {name_of(x)} => {self.show.term(a)})" for a in (f, g))
        numbers = " ".join(self.show.term(a) for a in (term(s), c))
        sign = f"({'or_introl' if s == 1 else 'or_intror'} eq_refl)"
        good = " ".join(self.good(a, {x: 0}) for a in (f, g))
        moved = f"moved_{name} {self.show.term(scale)} {above_zero} {functions} {numbers} {sign}"
        return f"({moved} {good} (fun {name_of(x)} => {shown}))"

    def _rule_uniform_next(self, scope: Scope, p: Theorem, j: str, body: Term) -> str:
        scope.need({n: k for n, k in kinds(body).items() if n != j})
        return f"(uniform_next _ (fun {name_of(j)} => {self.show.term(body)}) {self.ref(p, scope)})"

    def _steps_of(self, scope: Scope, z: str, body: Term, i: str, h: str, start: Term, law: Term) -> str:
        scope.need(kinds(start) | {n: k for n, k in kinds(law).items() if n not in (i, h)})
        scope.need({n: k for n, k in kinds(body).items() if n != z})
        step = f"(fun {name_of(i)} {name_of(h)} => {self.show.term(law)})"
        return f"{self.show.term(start)} {step} (fun {name_of(z)} => {self.show.term(body)})"

    def _rule_steps_zero(self, scope: Scope, *given: Any) -> str:
        return f"(steps_zero {self._steps_of(scope, *given)})"

    def _rule_steps_next(self, scope: Scope, p: Theorem, *given: Any) -> str:
        return f"(steps_next _ {self._steps_of(scope, *given)} {self.ref(p, scope)})"

    def _rule_some_bound(self, scope: Scope, p: Theorem, n: str, points: Any, body: Term) -> str:
        if len(points) > 3:
            raise Untranslated(f"a bound over {len(points)} points")
        below, natural = Rel("<=", (body, var(n))), Rel("nat", (var(n),))
        most = All(tuple(points), (), below) if points else below
        scope.need({name: k for name, k in kinds(body).items() if name not in points})
        known, shown, goal = "large'", self.show.term(body), self.show.formula(p.conclusion)
        if points:
            at = " ".join(map(name_of, points))
            known = f"(fun {at} => Rle_trans _ _ _ (low' {at}) large')"
        inner = self.ref(p, scope.within({n: "point"}, {key(most): (known, most), key(natural): ("natural'", natural)}))
        above = f"{goal} (fun {name_of(n)} natural' large' => {inner})"
        if not points:
            return f"(some_natural {shown} {above})"
        function = f"(fun {' '.join(map(name_of, points))} => {shown})"
        good = self.good(body, {name: k for k, name in enumerate(points)})
        return f"(some_bound{len(points)} {function} {goal} {good} (fun bound' low' => some_natural bound' {above}))"


def premises(arguments: Any) -> list[Theorem]:
    """The theorems among the arguments of a rule."""
    if isinstance(arguments, Theorem):
        return [arguments]
    return [p for a in arguments for p in premises(a)] if isinstance(arguments, list | tuple) else []


def scope_of(p: Theorem) -> dict[str, Kind]:
    """The names that a theorem speaks of."""
    return kinds(All((), tuple(p.hypotheses.values()), p.conclusion))


def _inverted(a: Term) -> Term:
    """What the normal form has for the reciprocal of an atom."""
    if a.op == "exp":
        return Term("exp", (Term("mul", (term(-1), a.args[0])),))
    return a.args[0] if a.op == "inv" else Term("inv", (a,))


def exponential(m: Monomial) -> Term | None:
    return next((a for a, _ in m if a.op == "exp"), None)


def atoms_of(t: Term) -> list[Term]:
    """What a polynomial is one of, in the order in which it stands there."""
    if t.op in ("add", "mul"):
        return [atom for a in t.args for atom in atoms_of(a)]
    return [] if t.op == "num" else [t]


@lru_cache(100_000)
def meets(t: Term) -> bool:
    """Whether exponentials meet in a product."""
    return t.op == "mul" and sum(any(exponential(m) is not None for m in poly(a)) for a in t.args) > 1


def parts_of(t: Term) -> list[Term]:
    """What a sum or product is made of that is none, or in which exponentials meet."""
    if t.op in ("add", "mul") and not meets(t):
        return [part for a in t.args for part in parts_of(a)]
    return [] if t.op == "num" else [t]


def nested(function: str, parts: Sequence[str]) -> str:
    """A function of two arguments over more of them, as sums and products are read: from the left."""
    return reduce(lambda first, second: f"({function} {first} {second})", parts)


def polynomial(t: Term, places: Mapping[Term, str]) -> str:
    """A sum or product as a polynomial in what has a place, of which Coq computes the normal form."""
    if t in places:
        return places[t]
    if t.op == "num":
        return f"(p_c ({t.args[0].numerator}) {t.args[0].denominator})"
    shown = [polynomial(a, places) for a in t.args]
    return nested(f"p_{t.op}", shown) if shown else f"(p_c {int(t.op == 'mul')} 1)"


def split_at(x: str, monomial: Monomial, c: Fraction) -> tuple[Poly, Term | None]:
    """What of a monomial does not depend on x, as a polynomial, and the product that does."""
    moving: list[Term] = []
    outside: Poly = {ONE: c}
    for a, k in monomial:
        if x not in free(a):
            outside = times(outside, {frozenset([(a, k)]): Fraction(1)})
        elif a.op == "exp":
            still = [s for s in a.args[0].args if x not in free(s)]
            moving.append(Term("exp", (Term("add", tuple(s for s in a.args[0].args if x in free(s))),)))
            outside = times(outside, poly(Term("exp", (Term("add", tuple(still)),))))
        else:
            moving.extend([a] * k)
    return outside, Term("mul", tuple(moving)) if moving else None


def to_coq(name: str, statement: All, theorem: Theorem, others: Iterable[Formula] = ()) -> str:
    """The file that states a formula and proves it as the theorem was made. Raises Untranslated.

    It ends with `others`, of which it says that they are not what was proved: Coq refuses the file if one of them is.
    """
    if theorem.hypotheses:
        raise Untranslated("a theorem that assumes something")
    writer = Writer()
    last = writer.ref(theorem, scope := Scope({}, {}))
    proof = writer.converted(last, theorem.conclusion, statement)
    if scope.more:
        raise Untranslated("a theorem that is about something free")
    stated = f"Definition statement : Prop :=\n  {writer.show.formula(statement)}."
    head = f"(* {name}: made from its proof in the kernel by banditproof. *)\n"
    head += "From Coq Require Import Reals Lra.\nRequire Import Kernel.\nOpen Scope R_scope."
    end = f"Theorem checked : statement.\nProof. exact {proof}. Qed.\nPrint Assumptions checked."
    refused = [f"Goal {writer.show.formula(f)}.\nFail exact checked. Abort." for f in others]
    return "\n\n".join([head, stated, *writer.lemmas, end, *refused]) + "\n"
