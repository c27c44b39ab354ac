"""Statements from statements: cases, parts that a lemma bounds, definitions, sums, tails by Markov, infima, slopes.

Sums are bounded summand by summand, or by their steps. What holds on a domain holds on its parts. Where any number
takes the place of a part, the part has to be finite: no number stands for an infinite value.

A rule takes a statement and data and gives statements that imply it, or raises Refused. What has a value where is asked
by the statements that it gives: a part that is taken out is a side of one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from inspect import unwrap
from math import ceil, floor, inf, isinf
from typing import Any

from banditproof.theory import d_epsilon, d_epsilon_objective, kl_bernoulli, laplace_sum_tail, normal_cdf
from banditproof.theory.best_arm.thresholds import peeling_rate
from banditproof.theory.numbers.numeric import TERM, exactly, exp, maximum, minimum, where
from banditproof.theory.numbers.term import NAME, Term, children, number, parts, substituted, total, var, variables
from banditproof.verify.proof.cases import bound_again, is_whole, read
from banditproof.verify.proof.definitions import DEFINED, asked_by, definition_of
from banditproof.verify.proof.domain import Constraint, Domain, Interval, Set, as_set, uncovered
from banditproof.verify.proof.formulas import Refused
from banditproof.verify.proof.slopes import PARTIAL, around, slope_in
from banditproof.verify.proof.statement import Statement

Condition = tuple[Any, str, Any]  # a comparison of two terms or numbers

REAL, NATURAL = as_set("(-inf, inf)"), as_set("integer [0, inf)")
UNIT, SHARE = as_set("[0, 1]"), as_set("[0, 1)")
MOST_VALUES = 64  # of a count that are put in one by one
_WEAKER = {"<": ("<", "<="), "<=": ("<", "<="), "==": (), ">=": (">", ">="), ">": (">", ">=")}
_OPPOSITE = {"<": ">=", "<=": ">", "==": "!=", "!=": "==", ">=": "<", ">": "<="}
_ELSE = {"<": -1, "<=": 0, "==": 0, ">=": 0, ">": 1}  # a difference of sides for which a relation holds


def with_variable(domain: Domain, stem: str, values: Set) -> tuple[str, Domain]:
    """A name that the domain does not have, and the domain with it."""
    name = next(n for k in range(1, 10_000) if (n := f"{stem}{k}") not in domain.sets)
    return name, Domain((*domain.variables, (name, values)), domain.where)


def wider(statement: Statement, data: Any) -> list[Statement]:
    """The same on a domain that holds this one, under the same constraints.

    data: pairs of a variable and its set there.
    """
    domain = statement.domain.restrict(**dict(data))
    if outside := uncovered(statement.domain, [domain]):
        raise Refused(f"it does not hold {outside[:200]}")
    return [statement.over(domain)]


def either(statement: Statement, data: str) -> list[Statement]:
    """The same where a comparison holds, and where it does not: both of its sides have finite values everywhere.

    data: the comparison, as a constraint is written.
    """
    holds = Constraint(data)
    opposite = _OPPOSITE[holds.operator]
    fails = Constraint(data.replace(holds.operator, opposite))
    if fails.left is not holds.left or fails.operator != opposite or fails.right is not holds.right:
        raise Refused("a comparison whose opposite is not read off")
    domain, gap = statement.domain, holds.left - holds.right
    branches = [statement.over(domain.restrict([constraint.text])) for constraint in (holds, fails)]
    return [Statement(domain, gap - gap, "==", number(0)), *branches]


def instance(statement: Statement, data: Any) -> list[Statement]:
    """What is said of all numbers of a domain, at terms that lie in it.

    data: the variables of that domain and their sets, its constraints, the nodes of both sides, and those of the terms.
    """
    sets, conditions, sides, terms = data
    general, domain = Domain.of(tuple(conditions), **dict(sets)), statement.domain
    if not all(NAME.fullmatch(name) for name in general.sets):
        raise Refused("a name of no variable")
    at: dict[Any, Any] = {var(name): read(nodes, domain) for (name, _), nodes in zip(sets, terms, strict=True)}
    left, right = (read(nodes, general) for nodes in sides)
    if substituted(left, at) is not statement.left or substituted(right, at) is not statement.right:
        raise Refused("not the statement at these terms")
    held = ((substituted(c.left, at), c.operator, substituted(c.right, at)) for c in general.where)
    return [
        *(shown for name, values in general.variables for shown in _inside(domain, at[var(name)], values)),
        *(Statement(domain, *condition) for condition in held),
        Statement(general, left, statement.operator, right),
    ]


def _inside(domain: Domain, term: Term, values: Set) -> list[Statement]:
    """That a term has a finite value in an interval."""
    if not isinstance(values, Interval) or values.integer and not is_whole(term, domain):
        raise Refused("not an interval, or a term that need not be an integer")
    ends = [(">" if values.lower_open else ">=", values.lower), ("<" if values.upper_open else "<=", values.upper)]
    finite = Statement(domain, term - term, "==", number(0))
    return [finite, *(Statement(domain, term, sign, number(end)) for sign, end in ends if not isinf(end))]


def lemma(statement: Statement, data: Any) -> list[Statement]:
    """A part S has S <= M (or other relations); and what is said holds for every s with s <= M in its place.

    Where S is the left side, and M is no better for it, what is said holds for M.

    data: the nodes of S, and pairs of a relation and the nodes of an M.
    """
    part_data, bounds_data = data
    part = read(part_data, statement.domain)
    bounds = [(sign, read(nodes, statement.domain)) for sign, nodes in bounds_data]
    if not bounds or not {statement.operator, *(sign for sign, _ in bounds)} <= set(_ELSE):
        raise Refused("no order")  # without a bound nothing would ask where the part has a value
    shown = [Statement(statement.domain, part, sign, bound) for sign, bound in bounds]
    if part is statement.left and len(bounds) == 1 and bounds[0][0] in ("==", *_WEAKER[statement.operator]):
        return [*shown, Statement(statement.domain, bounds[0][1], statement.operator, statement.right)]
    shown += _finite(statement.domain, part)
    name, domain = with_variable(statement.domain, "bounded", REAL)
    left, right = (substituted(side, {part: var(name)}) for side in (statement.left, statement.right))
    if left is statement.left and right is statement.right:
        raise Refused("the part does not occur")
    conditions = [(var(name), sign, bound) for sign, bound in bounds]
    return [*shown, _under(domain, conditions, left, statement.operator, right)]


def apart(statement: Statement, data: Any) -> list[Statement]:
    """A part S has S <= M (or another order); and what is said holds for M - u with every u >= 0 in its place.

    Where S == M, what is said holds for M in its place.

    data: the nodes of S, the relation, and the nodes of M.
    """
    part_data, sign, bound_data = data
    part, bound = read(part_data, statement.domain), read(bound_data, statement.domain)
    if sign not in ("<", "<=", "==", ">=", ">"):
        raise Refused("no order")
    domain, moved = statement.domain, bound
    if sign != "==":
        away = Interval(Fraction(0), inf, len(sign) == 1, True)
        name, domain = with_variable(domain, "away", away)
        moved = bound + var(name) if sign[0] == ">" else bound - var(name)
    left, right = (substituted(side, {part: moved}) for side in (statement.left, statement.right))
    if left is statement.left and right is statement.right:
        raise Refused("the part does not occur")
    shown = [Statement(statement.domain, part, sign, bound), *_finite(statement.domain, part, bound)]
    return [*shown, Statement(domain, left, statement.operator, right)]


def within(statement: Statement, data: Any) -> list[Statement]:
    """A part has a value in [0, 1]; and what is said holds for every number in [0, 1] in its place.

    data: the nodes of the part.
    """
    part = read(data, statement.domain)
    name, domain = with_variable(statement.domain, "within", UNIT)
    left, right = (substituted(side, {part: var(name)}) for side in (statement.left, statement.right))
    if left is statement.left and right is statement.right:
        raise Refused("the part does not occur")
    shown = [Statement(statement.domain, part, sign, number(end)) for sign, end in ((">=", 0), ("<=", 1))]
    return [*shown, *_finite(statement.domain, part), Statement(domain, left, statement.operator, right)]


def _finite(domain: Domain, *terms: Term) -> list[Statement]:
    """That terms have finite values: for those that may be infinite by their form. No variable stands for infinity."""
    return [Statement(domain, t - t, "==", number(0)) for t in terms if _may_be_infinite(t)]


def _may_be_infinite(t: Term) -> bool:
    if t.op == "num":
        return isinstance(t.args[0], float)
    if t.op == "quantity" and t.args[0] == "d_epsilon":  # at most epsilon |x - y|
        return _may_be_infinite(t.args[3])
    known = t.op == "quantity" and t.args[0] in DEFINED and t.args[0] not in TAILS  # a chance is finite
    if known and _may_be_infinite(definition_of(t)):
        return True
    return any(map(_may_be_infinite, children(t)))


def counted(statement: Statement, data: Any) -> list[Statement]:
    """A part is a whole number from c on; and what is said holds for every such number in its place.

    data: the nodes of the part, and c.
    """
    part_data, first = data
    part = read(part_data, statement.domain)
    if type(first) is not int or not is_whole(part, statement.domain):
        raise Refused("not an integer")
    from_there = Interval(Fraction(first), inf, False, True, True)
    name, domain = with_variable(statement.domain, "count", from_there)
    left, right = (substituted(side, {part: var(name)}) for side in (statement.left, statement.right))
    if left is statement.left and right is statement.right:
        raise Refused("the part does not occur")
    shown = [Statement(statement.domain, part, ">=", number(first)), *_finite(statement.domain, part)]
    return [*shown, Statement(domain, left, statement.operator, right)]


def integral(statement: Statement, data: None) -> list[Statement]:
    """An order of whole numbers: L <= R where L < R + 1, and L < R where L + 1 <= R."""
    domain, left, right, operator = statement.domain, statement.left, statement.right, statement.operator
    if operator not in ("<", "<=", ">=", ">") or not (is_whole(left, domain) and is_whole(right, domain)):
        raise Refused("no order of whole numbers")
    turned = {"<=": "<", ">=": ">", "<": "<=", ">": ">="}[operator]
    nearer = right + 1 if operator in ("<=", ">") else right - 1
    return [Statement(domain, left, turned, nearer)]


def _under(domain: Domain, conditions: list[Condition], left: Term, operator: str, right: Term) -> Statement:
    """Where the conditions hold, the sides compare so: their difference with 0, unless infinity is a part of one."""
    if number(inf) not in {*parts(left), *parts(right)}:
        left, right = left - right, number(0)
    for a, sign, b in reversed(conditions):
        left = Term("where", sign, number(a), number(b), left, number(_ELSE[operator]))
        if right is not number(0):
            right = Term("where", sign, number(a), number(b), right, number(0))
    return Statement(domain, left, operator, right)


def defined(statement: Statement, data: Any) -> list[Statement]:
    """A quantity by its definition, where it has a value.

    data: its name.
    """
    change = {}
    for p in {*parts(statement.left), *parts(statement.right)}:
        if p.op == "quantity" and p.args[0] == data and data in DEFINED:
            if not variables(p) <= statement.domain.sets.keys():
                raise Refused("a quantity under a sum")
            asked = asked_by(p)
            change[p] = definition_of(p) + (asked - asked)
    if not change:
        raise Refused("no quantity of that name that is defined")
    sides = [substituted(side, change) for side in (statement.left, statement.right)]
    return [Statement(statement.domain, sides[0], statement.operator, sides[1])]


def termwise(statement: Statement, data: None) -> list[Statement]:
    """sum f(k) over k = a, ..., b - 1 is at most sum g(k) over k = c, ..., d - 1: f <= g, and where c < a or b < d

    may be, c <= a, b <= d and 0 <= g as well.
    """
    if statement.operator not in ("<=", ">="):
        raise Refused("not an order between sums")
    less, more = (statement.left, statement.right)[:: 1 if statement.operator == "<=" else -1]
    if less.op != "total" or more.op != "total":
        raise Refused("no two sums")
    domain = statement.domain
    if not all(is_whole(end, domain) for side in (less, more) for end in side.args[1:3]):
        raise Refused("an end of a sum that need not be an integer")
    if bound_again(less) or bound_again(more):
        raise Refused("an index that means two things")
    (low, high), (first, last) = less.args[1:3], more.args[1:3]
    name, extended = with_variable(domain, "step", NATURAL)
    at, from_first = low + var(name), first + var(name)
    f, g = (substituted(side.args[3], {var(side.args[0]): at}) for side in (less, more))
    statements = [_under(extended, [(at, "<=", high - 1)], f, "<=", g)]
    if low is not first or high is not last:
        beyond = substituted(more.args[3], {var(more.args[0]): from_first})
        statements.append(Statement(domain, first, "<=", low))
        statements.append(Statement(domain, high, "<=", last))
        statements.append(_under(extended, [(from_first, "<=", last - 1)], beyond, ">=", number(0)))
    return statements


def telescope(statement: Statement, data: Any) -> list[Statement]:
    """sum f(k) over k = a, ..., b - 1 is at most G(b - a) - G(0): f(a + j) <= G(j + 1) - G(j). It is 0 where b < a.

    In the same way it is equal to it, or at least that.

    data: the nodes of G, of the variables and of j, which is called step1.
    """
    side, operator, domain = statement.left, statement.operator, statement.domain
    if side.op != "total" or operator not in ("<", "<=", "==", ">=", ">"):
        raise Refused("no sum on the left")
    bound, low, high, body = side.args
    if not (is_whole(low, domain) and is_whole(high, domain)):
        raise Refused("an end of a sum that need not be an integer")
    if bound_again(side):
        raise Refused("an index that means two things")
    name, extended = with_variable(domain, "step", NATURAL)
    j, grown = var(name), read(data, extended)

    def at(steps: Term) -> Term:
        return substituted(grown, {j: steps})

    summand = substituted(body, {var(bound): low + j})
    whole = Term("where", "<=", low, high, at(high - low) - at(number(0)), number(0))
    return [
        _under(extended, [(low + j, "<=", high - 1)], summand, operator[0] + "=", at(j + 1) - grown),
        Statement(domain, whole, operator, statement.right),
    ]


def tail(statement: Statement, data: Any) -> list[Statement]:
    """P(X >= x) <= E exp(t X) exp(-t x), Markov's inequality, at a t >= 0 where the mean is finite.

    data: the nodes of t.
    """
    chance, operator = statement.left, statement.operator
    if chance.op != "quantity" or chance.args[0] not in TAILS or operator not in ("<", "<="):
        raise Refused("no tail on the left")
    t = read(data, statement.domain)
    counts, bound_of = TAILS[chance.args[0]]
    if not all(is_whole(n, statement.domain) for n in chance.args[1 : 1 + counts]):
        raise Refused("a count that need not be an integer")
    with exactly(TERM):
        conditions, bound = bound_of(t, *chance.args[1:])
    asked = [(t, ">=", 0), *((n, ">=", 1) for n in chance.args[1 : 1 + counts]), *conditions]
    return [
        *(Statement(statement.domain, number(left), sign, number(right)) for left, sign, right in asked),
        *_finite(statement.domain, *chance.args[1:]),
        Statement(statement.domain, number(bound), operator, statement.right),
    ]


def union(statement: Statement, data: Any) -> list[Statement]:
    """P(S + N >= x) <= E exp(t S) exp(-t a) + P(N >= x - a) for a binomial S and Laplace noise N, at a t >= 0.

    For S >= a or N >= x - a, and the first is Markov's inequality.

    data: the nodes of t, null for the limit of large t, and those of a.
    """
    chance, operator, domain = statement.left, statement.operator, statement.domain
    if chance.op != "quantity" or chance.args[0] != "noisy_sum_tail" or operator not in ("<", "<="):
        raise Refused("no noisy tail on the left")
    if len(chance.args) != 6 or not all(is_whole(count, domain) for count in chance.args[1:3]):
        raise Refused("a count that need not be an integer, or another number of arguments")
    t, a = (nodes if nodes is None else read(nodes, domain) for nodes in data)
    n, m, mu, epsilon, x = chance.args[1:]
    asked = [(n, ">=", 1), (m, ">=", 1), (epsilon, ">", 0), (mu, ">=", 0), (mu, "<=", 1)]
    asked = asked if t is None else [(t, ">=", 0), *asked]
    with exactly(TERM):
        bound = number(union_bound(t, a, n, m, mu, epsilon, x))
    return [
        *(Statement(domain, number(left), sign, number(right)) for left, sign, right in asked),
        *_finite(domain, *chance.args[1:]),
        Statement(domain, bound, operator, statement.right),
    ]


def union_bound(t: Any, a: Any, n: Any, m: Any, mu: Any, epsilon: Any, x: Any) -> Any:
    """What `union` bounds a noisy tail by. A test compares both at points."""
    rewards = _all_rewards(a, n, mu) if t is None else (1 - mu + mu * exp(t)) ** n * exp(-t * a)
    return rewards + laplace_sum_tail(m, epsilon * (x - a))


def _all_rewards(a: Any, n: Any, mu: Any) -> Any:
    """At least P(S >= a): from n on that all rewards are 1, and nothing above 0 where none is."""
    none = where(mu, "==", 0, where(a, ">", 0, 0, 1), 1)
    return where(a, ">=", n, lambda: mu**n, none)


Bound = tuple[list[tuple[Any, str, Any]], Any]


def _laplace_sum(t: Any, m: Any, u: Any) -> Bound:
    return [(t, "<", 1)], (1 - t * t) ** (-m) * exp(-t * u)


def _noisy_sum(t: Any, n: Any, m: Any, mu: Any, epsilon: Any, x: Any) -> Bound:
    inside = [(t, "<", epsilon), (mu, ">=", 0), (mu, "<=", 1)]
    return inside, (1 - mu + mu * exp(t)) ** n * (1 - (t / epsilon) ** 2) ** (-m) * exp(-t * x)


def _chi_squared(t: Any, d: Any, x: Any) -> Bound:
    return [(2 * t, "<", 1), (x, ">=", 0)], (1 - 2 * t) ** (-d / 2) * exp(-t * x)


TAILS: dict[str, tuple[int, Callable[..., Bound]]] = {
    "laplace_sum_tail": (1, _laplace_sum),
    "noisy_sum_tail": (2, _noisy_sum),
    "chi_squared_tail": (1, _chi_squared),
}
"""For quantities P(X >= x): how many of their first arguments are counts, and what is asked of t and of the others,

with E exp(t X) exp(-t x). A test compares both at points.
"""


def infimum(statement: Statement, data: Any) -> list[Statement]:
    """inf f(w) over w in I, on the left: it is at least what every f(w) is at least, and at most every f(w).

    data: for an order from above the nodes of w.
    """
    least, operator, domain = statement.left, statement.operator, statement.domain
    if least.op != "quantity" or least.args[0] not in INFIMA or operator not in ("<", "<=", ">="):
        raise Refused("no infimum on the left")
    over, values = INFIMA[least.args[0]]
    name, extended = with_variable(domain, "point", over)
    w = var(name) if operator == ">=" else read(data, domain)
    with exactly(TERM):
        asked, inside, value = values(w, *least.args[1:])
    if operator != ">=":
        ends = [(w, ">" if over.lower_open else ">=", over.lower), (w, "<" if over.upper_open else "<=", over.upper)]
        asked, last = [*asked, *ends, *inside], Statement(domain, number(value), operator, statement.right)
    elif inside:
        last = _under(extended, inside, number(value), operator, statement.right)
    else:
        last = Statement(extended, number(value), operator, statement.right)
    shown = [Statement(domain, number(left), sign, number(right)) for left, sign, right in asked]
    return [*shown, *_finite(domain, *least.args[1:]), last]


def _gaussian_deviation(w: Any, x: Any) -> tuple[list[Condition], list[Condition], Any]:
    return [(x, ">=", 0)], [], (peeling_rate(w) + x) / w


def _d_epsilon(w: Any, x: Any, y: Any, epsilon: Any) -> tuple[list[Condition], list[Condition], Any]:
    asked = [(x, ">=", 0), (x, "<=", 1), (y, ">=", 0), (y, "<=", 1), (epsilon, ">=", 0)]
    inside = [(minimum(x, y), "<=", w), (w, "<=", maximum(x, y))]
    return asked, inside, unwrap(d_epsilon_objective)(w, x, y, epsilon)


INFIMA: dict[str, tuple[Interval, Callable[..., tuple[list[Condition], list[Condition], Any]]]] = {
    "gaussian_deviation": (Interval(Fraction(1, 2), Fraction(1), True, True), _gaussian_deviation),
    "d_epsilon": (Interval(Fraction(0), Fraction(1)), _d_epsilon),
}
"""For quantities that are an infimum: over which numbers w, what is asked of the arguments, what is known of w

besides, and of what it is one. A test compares both at points.
"""


def largest(statement: Statement, data: Any) -> list[Statement]:
    """A part is the largest u in [x, 1] with d(x, u) <= c: what is said holds for every u = x + (1 - x) w, 0 <= w < 1,

    with d(x, u) = c, and for 1 where d(x, 1) <= c. For d(x, u) is 0 at x and continuous in u < 1. It is in the same way
    the largest x whose index is at most u < 1: x = u (1 - w) with d(x, u) = c, and 0 where d(0, u) <= c.

    data: the nodes of the part.
    """
    part, domain = read(data, statement.domain), statement.domain
    if part.op != "quantity" or part.args[0] not in LARGEST:
        raise Refused("not a largest mean")
    name, extended = with_variable(domain, "share", SHARE)
    with exactly(TERM):
        asked, values = LARGEST[part.args[0]](var(name), *part.args[1:])
    shown = [Statement(domain, number(left), sign, number(right)) for left, sign, right in asked]
    shown += _finite(domain, *part.args[1:])
    for over, (value, condition) in zip((extended, domain), values, strict=True):
        left, right = (substituted(side, {part: number(value)}) for side in (statement.left, statement.right))
        shown.append(_under(over, [condition], left, statement.operator, right))
    return shown


Values = tuple[list[Condition], list[tuple[Any, Condition]]]


def _index(w: Any, x: Any, divergence: Callable[..., Any], level: Any, *epsilon: Any, saturated: Condition) -> Values:
    u = x + (1 - x) * w
    asked = [(x, ">=", 0), (x, "<=", 1), *((positive, ">=", 0) for positive in (level, *epsilon))]
    return asked, [(u, (divergence(x, u, *epsilon), "==", level)), (1, saturated)]


def _kl_ucb(w: Any, x: Any, level: Any) -> Values:
    return _index(w, x, kl_bernoulli, level, saturated=(x, "==", 1))


def _dp_klucb(w: Any, x: Any, level: Any, epsilon: Any) -> Values:
    return _index(w, x, d_epsilon, level, epsilon, saturated=(epsilon * (1 - x), "<=", level))


def _mean_below(w: Any, u: Any, level: Any) -> Values:
    x = u * (1 - w)
    asked = [(u, ">=", 0), (u, "<", 1), (level, ">=", 0)]
    return asked, [(x, (kl_bernoulli(x, u), "==", level)), (0, (kl_bernoulli(0, u), "<=", level))]


LARGEST: dict[str, Callable[..., Values]] = {
    "kl_ucb_index": _kl_ucb,
    "dp_klucb_index": _dp_klucb,
    "largest_mean_with_index_below": _mean_below,
}
"""For quantities that are a largest mean: what is asked of the arguments, and the values that it may have with what

holds then, the first one for some 0 <= w < 1.
"""


def zeta(statement: Statement, data: Any) -> list[Statement]:
    """zeta(s) for s > 1: above its first terms, and below s/(s - 1), the first one and the integral of x^-s over x > 1.

    data: for an order from below the nodes of how many terms.
    """
    whole, operator, domain = statement.left, statement.operator, statement.domain
    if whole.op != "quantity" or whole.args[0] != "zeta" or operator not in ("<", "<=", ">=", ">"):
        raise Refused("no zeta function on the left of an order")
    s = whole.args[1]
    if operator[0] == "<":
        bound = s / (s - 1)
    else:
        terms = read(data, domain)
        if not is_whole(terms, domain):
            raise Refused("a number of terms that need not be an integer")
        bound = total(lambda k: 1 / k**s, 1, terms)
    shown = [Statement(domain, s, ">", number(1)), *_finite(domain, s)]  # an empty sum does not ask for s
    return [*shown, Statement(domain, bound, operator[0] + "=", statement.right)]


def slope(statement: Statement, data: Any) -> list[Statement]:
    """A partial derivative is that of a formula g, if its quantity is g(v) for v around the argument.

    data: the nodes of the derivative, the values of v, and the nodes of g, of the variables and of v, called moved1.
    """
    part_data, values_data, formula_data = data
    domain = statement.domain
    part = read(part_data, domain)
    if part.op != "quantity" or part.args[0] not in PARTIAL:
        raise Refused("no partial derivative that is known")
    quantity, place, where = PARTIAL[part.args[0]]
    if len(part.args) != 4:
        raise Refused("another number of arguments")
    values, at = around(values_data, where), part.args[1 + place]
    name, extended = with_variable(domain, "moved", values)
    v, g = var(name), read(formula_data, extended)
    moved = Term("quantity", quantity, *(v if k == place else a for k, a in enumerate(part.args[1:])))
    derivative, seams = slope_in(g, v)
    at_point = {v: at}
    has_value = substituted(g - g, at_point)
    change = {part: substituted(derivative, at_point) + has_value}
    left, right = (substituted(side, change) for side in (statement.left, statement.right))
    if left is statement.left and right is statement.right:
        raise Refused("the part does not occur")
    inside = [(">" if values.lower_open else ">=", values.lower), ("<" if values.upper_open else "<=", values.upper)]
    return [
        Statement(extended, moved, "==", g),
        *(Statement(domain, at, sign, number(end)) for sign, end in inside if not isinf(end)),
        *_finite(domain, at),
        *(Statement(domain, substituted(seam, at_point), "==", number(0)) for seam in seams),
        Statement(domain, left, statement.operator, right),
    ]


def quantile(statement: Statement, data: str) -> list[Statement]:
    """A variable of (0, 1) as Phi(z), which maps the line onto it: its quantile is z, that of 1 - Phi(z) is -z.

    data: its name.
    """
    if statement.domain.sets.get(data) != as_set("(0, 1)") or any(data in c.names for c in statement.domain.where):
        raise Refused("not a variable of (0, 1) without a constraint")
    name, domain = with_variable(statement.domain, "quantile", REAL)
    others = tuple((n, values) for n, values in domain.variables if n != data)
    z: Any = var(name)
    change = {var(data): normal_cdf(z)}
    left, right = (_quantiles_gone(substituted(side, change)) for side in (statement.left, statement.right))
    return [Statement(Domain(others, domain.where), left, statement.operator, right)]


def _quantiles_gone(t: Term) -> Term:
    """A term with a for the quantile of Phi(a), and with -a for that of 1 - Phi(a)."""
    for p in [p for p in parts(t) if p.op == "quantity" and p.args[0] == "normal_quantile"]:
        of, turn = p.args[1], 1
        if of.op == "sub" and of.args[0] is number(1):
            of, turn = of.args[1], -1
        if of.op == "quantity" and of.args[0] == "normal_cdf":
            t = substituted(t, {p: turn * of.args[1]})
    return t


def forgotten(statement: Statement, data: list[int]) -> list[Statement]:
    """The same with some constraints only, and without the variables that nothing is left of.

    data: the places of the constraints that are kept.
    """
    kept = tuple(statement.domain.where[place] for place in data)
    used = variables(statement.left) | variables(statement.right) | {name for c in kept for name in c.names}
    listed = tuple((name, values) for name, values in statement.domain.variables if name in used)
    return [Statement(Domain(listed, kept), statement.left, statement.operator, statement.right)]


def first_values(statement: Statement, data: Any) -> list[Statement]:
    """What is said of a count: with each of its first values in its place, and from the next one on.

    data: its name, and how many values.
    """
    name, how_many = data
    domain = statement.domain
    values = domain.sets.get(name)
    if not (isinstance(values, Interval) and values.integer and isinf(values.upper) and not isinf(values.lower)):
        raise Refused("not a count without an upper end")
    if type(how_many) is not int or not 1 <= how_many <= MOST_VALUES or any(name in c.names for c in domain.where):
        raise Refused("not a number of values, or a constraint on the count")
    low = floor(values.lower) + 1 if values.lower_open else ceil(values.lower)
    others = Domain(tuple((n, s) for n, s in domain.variables if n != name), domain.where)
    at = [{var(name): number(low + k)} for k in range(how_many)]
    later: dict[str, Any] = {name: Interval(Fraction(low + how_many), inf, False, True, True)}
    return [
        *(
            Statement(others, substituted(statement.left, v), statement.operator, substituted(statement.right, v))
            for v in at
        ),
        statement.over(domain.restrict(**later)),
    ]


RULES: dict[str, Callable[[Statement, Any], list[Statement]]] = {
    f.__name__: f
    for f in (wider, either, instance, lemma, apart, within, counted, integral, first_values, forgotten)
    + (defined, termwise, telescope, tail, union, infimum, largest, zeta, quantile, slope)
}
