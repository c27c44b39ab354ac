"""The rules: theorems are made by them and by nothing else. Each theorem knows what it assumes and how it was made.

A theorem ``hypotheses |- conclusion`` says: in every model (``terms``), for all values of the names that occur free,
the conclusion holds where the hypotheses do. A rule that is not sound in this sense is a bug of the gravest kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from types import MappingProxyType
from typing import Any

from banditproof.verify.kernel.terms import (
    LAWS,
    ONE,
    All,
    Fn,
    Formula,
    Refused,
    Rel,
    Term,
    bounded,
    build,
    check,
    free,
    free_in,
    key,
    plus,
    poly,
    replace,
    substitute,
    term,
    times,
    var,
)

_TOKEN = object()
RULES: dict[str, Callable[..., Theorem]] = {}
BOUNDED = "functions are bounded by natural numbers"
NORMAL_FORM = "the normal form of terms"  # a field, exp(a) exp(b) = exp(a + b), means are linear, of mixtures iterated


class Theorem:
    """What a rule has made. `axioms` names the facts about numbers and means that it rests on."""

    __slots__ = ("hypotheses", "conclusion", "axioms", "rule", "arguments")

    def __init__(self, token: object, hypotheses: Mapping[str, Formula], conclusion: Formula, axioms: frozenset[str]):
        kinds, formulas = dict[str, Any](), (conclusion, *hypotheses.values())
        if token is not _TOKEN or any(type(f) not in (Rel, All) for f in formulas):
            raise Refused("theorems are made by rules, of formulas")
        for formula in formulas:
            check(formula, kinds)
        self.hypotheses, self.conclusion, self.axioms = MappingProxyType(dict(hypotheses)), conclusion, axioms
        self.rule, self.arguments = "", ()


def rule(function: Callable[..., Theorem]) -> Callable[..., Theorem]:
    @wraps(function)
    def made(*arguments: Any) -> Theorem:
        theorem = function(*arguments)
        theorem.rule, theorem.arguments = function.__name__, arguments
        return theorem

    RULES[function.__name__] = made
    return made


def _from(conclusion: Formula, *premises: Theorem, axiom: str = "", without: Iterable[Formula] = ()) -> Theorem:
    """The theorem with the hypotheses of its premises, some of which are discharged."""
    hypotheses = {k: f for p in premises for k, f in p.hypotheses.items()}
    for f in without:
        hypotheses.pop(key(f), None)
    axioms = frozenset([axiom] if axiom else []).union(*(p.axioms for p in premises))
    return Theorem(_TOKEN, hypotheses, conclusion, axioms)


def _need(premise: Theorem, f: Formula) -> None:
    if key(premise.conclusion) != key(f):
        raise Refused(f"needed: {f}; given: {premise.conclusion}")


def _not_free(name: str, theorem: Theorem) -> None:
    for f in theorem.hypotheses.values():
        if name in free_in(f):
            raise Refused(f"{name} is free in the hypothesis {f}")


def _relation(theorem: Theorem, *signs: str) -> tuple[Term, Term]:
    f = theorem.conclusion
    if not isinstance(f, Rel) or f.op not in signs:
        raise Refused(f"not a relation with {' or '.join(signs)}: {f}")
    return f.args[0], f.args[-1]


def _sign(theorem: Theorem) -> str:
    return theorem.conclusion.op if isinstance(theorem.conclusion, Rel) else ""


def le(a: Any, b: Any) -> Rel:
    return Rel("<=", (term(a), term(b)))


def lt(a: Any, b: Any) -> Rel:
    return Rel("<", (term(a), term(b)))


def eq(a: Any, b: Any) -> Rel:
    return Rel("=", (term(a), term(b)))


def nat(a: Any) -> Rel:
    return Rel("nat", (term(a),))


def mean(x: str, law: Term, body: Any) -> Term:
    return Term("mean", ((x,), law, term(body)))


# ------------------------------------------------------------------------------------------------------------- logic


@rule
def assume(f: Formula) -> Theorem:
    """f |- f."""
    return Theorem(_TOKEN, {key(f): f}, f, frozenset())


@rule
def gen(theorem: Theorem, params: Sequence[str], given: Sequence[Formula]) -> Theorem:
    """From `then`: for all `params` with `given`: then. What stays assumed does not speak of the params."""
    params, given = tuple(params), tuple(given)
    out = _from(All(params, given, theorem.conclusion), theorem, without=given)
    for name in params:
        _not_free(name, out)
    return out


@rule
def use(theorem: Theorem, values: Sequence[tuple[str, Term | Fn]], proofs: Sequence[Theorem]) -> Theorem:
    """An instance of a theorem about all params: points get numbers, functions bounded functions, laws laws."""
    f, to = theorem.conclusion, dict(values)
    if not isinstance(f, All) or len(values) != len(f.params) or set(to) != set(f.params):
        raise Refused(f"no instance of {f}")
    for value in to.values():
        if isinstance(value, Term) and value.op in LAWS:
            raise Refused("only a law with its points can take the place of a law: Fn")
        if isinstance(value, Fn) and value.body.op not in LAWS and not bounded(value.body, frozenset(value.params)):
            raise Refused(f"functions are bounded: {value.body}")
        if not isinstance(value, Term | Fn):
            raise Refused("a value must be a number, a function or a law")
        check(value if isinstance(value, Term) else value.body, {})
    if len(proofs) != len(f.given):
        raise Refused(f"{len(f.given)} conditions must be shown")
    for proof, condition in zip(proofs, f.given, strict=True):
        _need(proof, replace(condition, to))
    return _from(replace(f.then, to), theorem, *proofs)


@rule
def induct(n: str, base: Theorem, step: Theorem, claim: Formula) -> Theorem:
    """claim(0), and claim(n + 1) from claim(n) and nat(n): claim(n) for all natural n."""
    _need(base, replace(claim, {n: term(0)}))
    _need(step, replace(claim, {n: var(n) + 1}))
    after = _from(step.conclusion, step, without=(claim, nat(var(n))))  # of the step only
    out = _from(All((n,), (nat(var(n)),), claim), base, after, axiom="induction")
    _not_free(n, out)
    return out


@rule
def cases(low: Theorem, high: Theorem, a: Term, b: Term) -> Theorem:
    """The same conclusion where a <= b and where b <= a; or, of the second, where b < a."""
    _need(high, low.conclusion)
    check(le(a, b), {})  # they need not occur in the conclusion, and a name could look like another formula
    first = _from(low.conclusion, low, without=[le(a, b)])
    return _from(
        low.conclusion, first, _from(low.conclusion, high, without=[le(b, a), lt(b, a)]), axiom="order of the reals"
    )


# ---------------------------------------------------------------------------------------------- numbers and their order


@rule
def calc(goal: Rel, pairs: Sequence[tuple[Any, Any, Theorem]]) -> Theorem:
    """right - left of the goal is the sum of c m (right - left) of known relations, and of a number of the right sign.

    c is a number, m a term (of an equation), a theorem 0 <= m or 0 < m, or None for 1; of inequalities c >= 0.
    """
    if not isinstance(goal, Rel) or goal.op not in ("<=", "<", "="):
        raise Refused(f"cannot be computed: {goal}")
    slack, strict, used = poly(goal.args[1] - goal.args[0]), False, []
    for number, m, theorem in pairs:
        left, right = _relation(theorem, "=" if goal.op == "=" else "<=", "<", "=")
        if type(number) not in (int, Fraction):
            raise Refused("a coefficient is an exact number")
        sign, c, factor = _sign(theorem), Fraction(number), term(1)
        if goal.op == "=" != sign or (sign != "=" and c < 0):
            raise Refused("an inequality may not be multiplied by a negative number, and no equation follows from one")
        if isinstance(m, Theorem):
            zero, factor = _relation(m, "<=", "<")
            used.append(m)
            if poly(zero):
                raise Refused(f"the multiplier must be shown to be nonnegative: {m.conclusion}")
        elif m is not None:
            check(factor := term(m), {})
            if sign != "=":
                raise Refused("the multiplier of an inequality must be proved to be nonnegative")
        strict |= sign == "<" and c > 0 and (m is None or (isinstance(m, Theorem) and _sign(m) == "<"))
        slack = plus(slack, times(poly(term(-c) * factor), poly(right - left)))
        used.append(theorem)
    rest = slack.pop(ONE, Fraction(0))
    if slack or rest < 0 or (goal.op == "=" and rest) or (goal.op == "<" and not rest and not strict):
        left = str(build({**slack, ONE: rest} if rest else slack))[:400]
        raise Refused(f"does not add up: {goal}; left over: {left}")
    return _from(goal, *used, axiom=NORMAL_FORM)


@rule
def antisymmetric(low: Theorem, high: Theorem) -> Theorem:
    """From a <= b and b <= a: a = b."""
    a, b = _relation(low, "<=")
    _need(high, le(b, a))
    return _from(eq(a, b), low, high, axiom="order of the reals")


@rule
def square(t: Term) -> Theorem:
    """0 <= t t."""
    return _from(le(0, t * t), axiom="order of the reals")


@rule
def reciprocal(p: Theorem) -> Theorem:
    """t/t = 1 for t > 0."""
    zero, t = _relation(p, "<")
    _need(p, lt(0, t))
    return _from(eq(t / t, 1), p, axiom="field")


@rule
def indicator(a: Term, b: Term, which: int) -> Theorem:
    """What 1[a <= b] is: a square root of itself; 0 where b < a; 1 where a <= b; at least 0; at most 1."""
    i = Term("ind", (term(a), term(b)))
    facts = (eq(i * i, i), le(0, i * (b - a)), le(0, (1 - i) * (a - b)), le(0, i), le(i, 1))
    if type(which) is not int or not 0 <= which < len(facts):
        raise Refused(f"an indicator has {len(facts)} facts")
    return _from(facts[which], axiom="indicators")


@rule
def same(theorem: Theorem, x: str, context: Term) -> Theorem:
    """From a = b: context(a) = context(b)."""
    a, b = _relation(theorem, "=")
    return _from(eq(substitute(context, {x: a}), substitute(context, {x: b})), theorem)


@rule
def exp_tangent(t: Term) -> Theorem:
    return _from(le(1 + term(t), Term("exp", (term(t),))), axiom="exp(t) >= 1 + t")


@rule
def exp_positive(t: Term) -> Theorem:
    return _from(lt(0, Term("exp", (term(t),))), axiom="exp(t) > 0")


@rule
def exp_log(p: Theorem) -> Theorem:
    """exp(log t) = t for t > 0."""
    zero, t = _relation(p, "<")
    _need(p, lt(0, t))
    return _from(eq(Term("exp", (Term("log", (t,)),)), t), p, axiom="exp(log t) = t")


# --------------------------------------------------------------------------------------------------- natural numbers


@rule
def nat_zero() -> Theorem:
    return _from(nat(0), axiom="natural numbers")


@rule
def nat_next(p: Theorem) -> Theorem:
    """nat(n + 1) for natural n."""
    n, _ = _relation(p, "nat")
    return _from(nat(n + 1), p, axiom="natural numbers")


@rule
def nat_minus(p: Theorem, q: Theorem, below: Theorem) -> Theorem:
    """nat(m - n - 1) for natural n < m."""
    (n, _), (m, _) = _relation(p, "nat"), _relation(q, "nat")
    _need(below, lt(n, m))
    return _from(nat(m - n - 1), p, q, below, axiom="natural numbers")


@rule
def nat_equal(p: Theorem, q: Theorem) -> Theorem:
    """nat(b) for natural a = b."""
    a, b = _relation(q, "=")
    _need(p, nat(a))
    return _from(nat(b), p, q, axiom="natural numbers")


# ------------------------------------------------------------------------------------------------------------- means


@rule
def mono(theorem: Theorem, x: str, law: Term) -> Theorem:
    """From f <= g (f = g) for all x: the mean of f is at most (is) that of g."""
    f, g = _relation(theorem, "<=", "=")
    _not_free(x, theorem)
    return _from(Rel(_sign(theorem), (mean(x, law, f), mean(x, law, g))), theorem, axiom="means are monotone")


@rule
def fubini(x: str, p: Term, y: str, q: Term, body: Term) -> Theorem:
    """Two laws of which none depends on the other's point change places."""
    if x in free(q) or y in free(p) or x == y:
        raise Refused("the laws depend on each other")
    return _from(eq(mean(x, p, mean(y, q, body)), mean(y, q, mean(x, p, body))), axiom="means: Fubini")


@rule
def unit(t: Term, u: str, low: Theorem, high: Theorem) -> Theorem:
    """Uniform on [0, 1]: u <= t has probability t, for 0 <= t <= 1."""
    if u in free(t):
        raise Refused(f"{u} is in {t}")
    _need(low, le(0, t))
    _need(high, le(t, 1))
    body = Term("ind", (var(u), t))
    return _from(eq(mean(u, Term("law", ("Unit",)), body), t), low, high, axiom="the uniform law on [0, 1]")


STEEPNESS: dict[str, Callable[[Term, Term], Term]] = {  # minus the logarithm of a density, up to a number
    "Lap": lambda x, b: x * (2 * Term("ind", (term(0), x)) - 1) / b,
    "Normal": lambda x, v: x * x / (2 * v),
}


@rule
def moved(below: Theorem, positive: Theorem, x: str, law: Term, s: int, c: Term, g: Term) -> Theorem:
    """From f(x) p(x) <= g(x) p(s (x - c)) for all x: E f(x) <= E g(s x + c); p is the law's density, s is 1 or -1."""
    if law.op != "law" or law.args[0] not in STEEPNESS or type(s) is not int or s * s != 1:
        raise Refused(f"the law is neither Lap nor Normal, or s is not 1 or -1: {law}")
    (name, scale), f, at = law.args, _relation(below, "<=")[0], var(x)
    _not_free(x, below)
    check(term(c), {})
    if x in free(scale) | free(c):
        raise Refused(f"{x} must not occur in {scale} or in {c}")
    _need(positive, lt(0, scale))
    _need(below, le(f, g * Term("exp", (STEEPNESS[name](at, scale) - STEEPNESS[name](s * (at - c), scale),))))
    there = substitute(g, {x: s * at + c})
    return _from(le(mean(x, law, f), mean(x, law, there)), below, positive, axiom="densities of Lap(b) and N(0, v)")


@rule
def uniform_next(p: Theorem, j: str, body: Term) -> Theorem:
    """n + 1 means over j < n + 1 are n means over j < n and the value at n, for natural n: finite sums."""
    n, _ = _relation(p, "nat")

    def total(m: Term) -> Term:
        return m * mean(j, Term("law", ("Unif", m)), body)

    return _from(eq(total(n + 1), total(n) + substitute(body, {j: n})), p, axiom="finite sums")


def _steps(i: str, h: str, n: Term, start: Term, law: Term) -> Term:
    return Term("steps", ((i, h), n, start, law))


@rule
def steps_zero(z: str, body: Term, i: str, h: str, start: Term, law: Term) -> Theorem:
    """After no step one is at the start."""
    return _from(eq(mean(z, _steps(i, h, term(0), start, law), body), substitute(body, {z: start})), axiom="rounds")


@rule
def steps_next(p: Theorem, z: str, body: Term, i: str, h: str, start: Term, law: Term) -> Theorem:
    """After n + 1 steps one is where step n leads from where one is after n, for natural n."""
    n, _ = _relation(p, "nat")
    if h in free(body) - {z} or h in free(n):
        raise Refused(f"{h} has another meaning")
    last = substitute(law, {i: n})
    before = mean(h, _steps(i, h, n, start, law), mean(z, last, body))
    return _from(eq(mean(z, _steps(i, h, n + 1, start, law), body), before), p, axiom="rounds")


@rule
def some_bound(theorem: Theorem, n: str, points: Sequence[str], body: Term) -> Theorem:
    """What follows from nat(n) and body <= n for all points, n being a new name.

    That is: some natural number is at least a number, or all values of what is bounded while points move.
    """
    points = tuple(points)
    most = All(points, (), le(body, var(n))) if points else le(body, var(n))
    kinds: dict[str, Any] = {}
    check(most, kinds)
    if any(kinds.get(name, "point") != "point" for name in points):
        raise Refused("a bound for every point need not be a bound for every function")
    out = _from(theorem.conclusion, theorem, axiom=BOUNDED, without=[nat(var(n)), most])
    _not_free(n, out)
    if n in free(body) | free_in(out.conclusion) | {*points} or not bounded(body, frozenset(points)):
        raise Refused(f"{n} must be a new name, and {body} must be bounded")
    return out
