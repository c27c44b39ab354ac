"""The search for deductions. Nothing here is trusted: it proposes trees, which `deduction.replay` checks.

It is bounded by steps, never by time, so that what it finds does not depend on the machine. Values of an expression at
points tell which goals are not worth trying.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from math import inf
from typing import Any

import numpy as np

from banditproof.theory.laws.bernoulli import kl_bernoulli
from banditproof.theory.numbers.numeric import TERM, exactly, exp, log, where
from banditproof.theory.numbers.term import NoTerm, Term, number, parts, to_nodes, var
from banditproof.verify.proof import cases, far, goals, lemmas, touching
from banditproof.verify.proof.cases import Case, Open, Rounded, goals_of, linear, starts, step_of
from banditproof.verify.proof.deduction import replay, unfit
from banditproof.verify.proof.domain import Domain, Interval
from banditproof.verify.proof.factoring import factors_of
from banditproof.verify.proof.form_signs import ball, in_order, sign_of, sign_of_power, tidy
from banditproof.verify.proof.formulas import Refused, choices, expanded, normal_law, symbol, symbols_of, waves
from banditproof.verify.proof.goals import Goal
from banditproof.verify.proof.lemmas import with_variable
from banditproof.verify.proof.slopes import PARTIAL
from banditproof.verify.proof.statement import Statement

STEPS = 600  # rules tried for one goal
SOON = 2  # the share of them on a simpler domain that is tried first
MOST_CASES = 800
MOST_RULES_ON_A_WAY = 40
DEEPEST = 6
OTHER_WAYS = 3  # in which the first two conditions are solved before one gives up
LONGEST = 6000  # letters of an expression that is still worked on
POINTS = 60
STEP, FLAT = 1e-4, 1e-10  # how far a symbol moves, and what counts as no move, relative to the parts
CONFIRMED = 3  # points with a sign that are looked at in balls


class Stuck(Exception):
    """Where the search ends without a tree, in words."""


def search(statement: Statement, steps: int = STEPS, *, blind: bool = False) -> Any:
    """A tree that proves a statement. Raises Stuck.

    Args:
        statement: what is proved.
        steps: how many rules are tried for one goal.
        blind: look at no goal's values at points, so that a rule is tried on false goals too.
    """
    why = ""
    for propose in _roots(statement, steps, blind):
        try:
            tree = propose()
            replay(statement, tree)
            return tree
        except (Stuck, Refused, NoTerm, Open, Rounded) as reason:
            why = why or str(reason)
        except unfit() as reason:
            why = why or f"{type(reason).__name__}: {reason}"
    raise Stuck(why)


def _roots(statement: Statement, steps: int, blind: bool) -> Iterator[Callable[[], Any]]:
    """Ways to begin: as it stands, on a simpler domain that holds its own, and without a number that it gives away."""
    yield from _by_quantities(statement, steps, blind)
    simpler, wider = _without_slack(statement), _natural(statement.domain)
    if wider != statement.domain:  # where that will do, it is soon seen
        yield next(_on_wider(statement, wider, steps // SOON, blind))
    yield from _plain_roots(statement, steps, blind)
    if wider != statement.domain:
        yield from _on_wider(statement, wider, steps, blind)
    if simpler is not None:
        data = [*_nodes(statement.left), [[simpler.operator, *_nodes(simpler.right)]]]
        rest = Statement(statement.domain, simpler.right, statement.operator, statement.right)
        yield lambda: ["lemma", data, [search(s, steps, blind=blind) for s in (simpler, rest)]]


def _on_wider(statement: Statement, wider: Domain, steps: int, blind: bool) -> Iterator[Callable[[], Any]]:
    data = [[n, str(wider.sets[n])] for n, values in statement.domain.variables if wider.sets[n] != values]
    for propose in _plain_roots(statement.over(wider), steps, blind):
        yield lambda propose=propose: ["wider", data, [propose()]]


def _plain_roots(statement: Statement, steps: int, blind: bool) -> Iterator[Callable[[], Any]]:
    """The faces of the domain, then with one count more put in, then steps of each count."""
    counts = [n for n, s in statement.domain.variables if isinstance(s, Interval) and s.integer]
    yield lambda: _faces(statement, 0, steps, blind)
    if counts:
        yield lambda: _faces(statement, 1, steps, blind)
    for name in counts:
        yield lambda name=name: ["steps", name, [_faces(s, 0, steps, blind) for s in step_of(statement, name)]]


def _faces(statement: Statement, counts: int, steps: int, blind: bool) -> Any:
    search = _Cases(steps, blind)
    return ["faces", counts, [search.case(case) for case in starts(statement, counts)]]


def _by_quantities(statement: Statement, steps: int, blind: bool) -> Iterator[Callable[[], Any]]:
    """Slopes by closed forms, and d_epsilon on the left by the points whose relative entropy is on the right."""
    for part in dict.fromkeys([*parts(statement.left), *parts(statement.right)]):
        if part.op == "quantity" and part.args[0] in _CLOSED_FORMS:
            _, place, values = PARTIAL[part.args[0]]
            given: list[Any] = list(part.args[1:])
            given[place] = var(with_variable(statement.domain, "moved", values)[0])
            with exactly(TERM):
                formula = number(_CLOSED_FORMS[part.args[0]](*given))
            data = [*_nodes(part), str(values), *_nodes(formula)]
            yield lambda data=data: _below("slope", data, statement, steps, blind)
    left = statement.left
    if left.op == "quantity" and left.args[0] == "d_epsilon" and statement.operator in ("<", "<="):
        for part in parts(statement.right):
            if part.op == "quantity" and part.args[0] == "kl_bernoulli" and part.args[2] is left.args[2]:
                yield lambda w=part.args[1]: _below("infimum", _nodes(w)[0], statement, steps, blind)


def _below(rule: str, data: Any, statement: Statement, steps: int, blind: bool) -> Any:
    return [rule, data, [search(s, steps, blind=blind) for s in lemmas.RULES[rule](statement, data)]]


def _kl(p: Any, q: Any) -> Any:
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))


def _saturated(x: Any, y: Any, epsilon: Any) -> Any:
    """d_epsilon for x below y where privacy costs something; where x is above, the same at 1 - x and 1 - y."""
    return -epsilon * x - log(1 - y + y * exp(-epsilon))


def _in_first(x: Any, y: Any, epsilon: Any) -> Any:
    def below(x: Any, y: Any) -> Any:
        return where(x, "<=", y / (y + (1 - y) * exp(epsilon)), _saturated(x, y, epsilon), _kl(x, y))

    inside = where(x, "<=", y, below(x, y), below(1 - x, 1 - y))
    return where(y, "==", 0, epsilon * x, where(y, "==", 1, epsilon * (1 - x), inside))


def _in_second(x: Any, y: Any, epsilon: Any) -> Any:
    def below(x: Any, y: Any) -> Any:
        end = x * exp(epsilon) / (x * exp(epsilon) + 1 - x)
        return where(y, "<=", end, _kl(x, y), _saturated(x, y, epsilon))

    edges = _saturated(x, y, epsilon), _saturated(1 - x, 1 - y, epsilon)
    inside = where(x, "<=", y, below(x, y), below(1 - x, 1 - y))
    return where(x, "==", 0, edges[0], where(x, "==", 1, edges[1], inside))


def _in_budget(x: Any, y: Any, epsilon: Any) -> Any:
    def below(x: Any, y: Any) -> Any:
        enough = x * (1 - y) * exp(epsilon)
        return where(enough, ">=", y * (1 - x), kl_bernoulli(x, y), _saturated(x, y, epsilon))

    inside = where(x, "<=", y, below(x, y), below(1 - x, 1 - y))
    return where(y, "==", 0, epsilon * x, where(y, "==", 1, epsilon * (1 - x), inside))


_CLOSED_FORMS = {"d_epsilon_dx": _in_first, "d_epsilon_dy": _in_second, "d_epsilon_depsilon": _in_budget}
"""Formulas of d_epsilon without a branch that changes where it is not smooth, for the slope in each argument."""


def _nodes(t: Term) -> list[Any]:
    return [to_nodes([t])[0]]


def _natural(domain: Domain) -> Domain:
    """A domain with fewer faces around this one: its real intervals between 0, 1 and infinity.

    What holds on an interval mostly holds on all numbers of its kind, of which formulas are shorter.
    """
    sets = ((n, _around(s) if isinstance(s, Interval) and not s.integer else s) for n, s in domain.variables)
    return Domain(tuple(sets), domain.where)


def _around(values: Interval) -> Interval:
    zero, one = Fraction(0), Fraction(1)
    low, high = values.lower, values.upper
    if values.contains(inf) or values.contains(-inf):
        return values
    if low >= 0 and high <= 1:
        from_0, to_1 = (low, values.lower_open) == (0, False), (high, values.upper_open) == (1, False)
        return Interval(zero, one, not from_0, not to_1)
    if low >= 0:
        return Interval(zero, inf, low > 0 or values.lower_open, True)
    return Interval(-inf, inf, True, True)


def _without_slack(statement: Statement) -> Statement | None:
    """The statement with its larger side less a number, where both sides say that it may go: x <= y + 1 for x <= y."""
    turn = {"<": 1, "<=": 1, ">=": -1, ">": -1}.get(statement.operator)
    if turn is None:
        return None
    slack = turn * (_number_in(statement.right) - _number_in(statement.left))
    if slack <= 0:
        return None
    return Statement(statement.domain, statement.left, statement.operator, statement.right - number(turn * slack))


def _number_in(t: Term) -> Fraction:
    """The sum of the numbers among the summands of a term."""
    if t.op == "num" and isinstance(t.args[0], int | Fraction):
        return Fraction(t.args[0])
    if t.op in ("add", "sub"):
        first, second = map(_number_in, t.args)
        return first + second if t.op == "add" else first - second
    return -_number_in(t.args[0]) if t.op == "neg" else Fraction(0)


class _Cases:
    def __init__(self, steps: int, blind: bool) -> None:
        self.left, self.steps, self.blind = MOST_CASES, steps, blind

    def case(self, case: Case, depth: int = 0) -> Any:
        self.left -= 1
        if depth > MOST_RULES_ON_A_WAY:
            raise Stuck(f"a case that {MOST_RULES_ON_A_WAY} rules do not settle: {case.known}")
        if self.left < 0:
            raise Stuck(f"more than {MOST_CASES} cases")
        if _is_known(case):
            return ["goals", None, []]
        tried = 0
        for name, data in self._moves(case):
            try:
                below = cases.RULES[name](case, data)
            except (Refused, *unfit()):
                continue
            if case in below:  # nothing was learned
                continue
            tried += 1
            try:
                return [name, data, [self.case(one, depth + 1) for one in below]]
            except Stuck:
                if name != "solve" or tried == OTHER_WAYS or depth > 1:
                    raise
        trees = []
        for goal in goals_of(case):
            tree = Search(self.steps, self.blind).prove(goal)
            if tree is None:
                raise Stuck(f"open: {str(goal)[:300]}")
            trees.append(tree)
        return ["goals", None, trees]

    def _moves(self, case: Case) -> Iterator[tuple[str, Any]]:
        """What to do with a case, first the conditions that can be solved."""
        import sympy

        ways: list[tuple[Any, str, Any]] = []
        for place, (e, operator) in enumerate(case.known):
            if e.has(sympy.log):
                ways.append(((0, 0, place, ""), "exponentiated", place))
            for u in symbols_of(e):
                try:
                    slope, rest = linear(case, place, u.name)
                except Refused:
                    degrees = _only_power(e, u)
                    if degrees is not None and degrees != 1:
                        ways.append(((3, place, 0, str(u)), "power", [u.name, str(1 / degrees)]))
                    if e.has(sympy.exp) and all((x.args[0] / u).is_Rational for x in e.atoms(sympy.exp) if x.has(u)):
                        ways.append(((5, place, 0, str(u)), "logarithm", u.name))
                    continue
                bound = -rest / slope
                of_slope, of_bound = case.signs(slope), case.signs(bound)
                sign = min(of_slope) if len(of_slope) == 1 else 0
                if not sign:
                    if slope.free_symbols:
                        ways.append(((4, len(str(slope)), place, str(u)), "cut", ["slope", place, u.name]))
                elif operator != "==" and sign == 1 and -1 in of_bound and len(of_bound) > 1:
                    ways.append(((2, len(str(bound)), place, str(u)), "cut", ["bound", place, u.name]))
                else:
                    product = sign_of(bound) == 1 and bound.free_symbols and (bound.is_Mul or bound.is_Pow)
                    how = "*" if product and operator != "==" else "+"
                    ways.append(
                        ((0 if operator == "==" else 1, len(str(bound)), place, str(u)), "solve", [place, u.name, how])
                    )
        for _, name, data in sorted(ways, key=lambda way: way[0]):
            yield name, data
        try:
            cases.in_value(case)
        except Open:
            yield "cut", None
        except Rounded as rounded:
            base = _base(rounded.argument)
            if base:
                yield "ceiling", base
            yield "ceiling", None


def _is_known(case: Case) -> bool:
    """Whether what is known of a case says all that it asks."""
    try:
        return not goals_of(case)
    except (Refused, *unfit()):
        return False


def _base(e: Any) -> str:
    """b where an expression is a logarithm over log b."""
    import sympy

    below = sympy.fraction(sympy.together(e))[1]
    logs = [x.args[0] for x in below.atoms(sympy.log) if x.args[0].is_Integer]
    return str(logs[0]) if len(logs) == 1 and e.has(sympy.log) else ""


def _only_power(e: Any, u: Any) -> Any:
    """k where an expression is a u^k + b."""
    import sympy

    powers = set()
    for t in sympy.Add.make_args(expanded(e)):
        if t.has(u):
            k = t.as_independent(u)[1].as_base_exp()
            if k[0] != u or not k[1].is_Rational or k[1] <= 0:
                return None
            powers.add(k[1])
    return powers.pop() if len(powers) == 1 else None


# ------------------------------------------------------------------------------------------------------------- goals


@lru_cache(20_000)
def _signs(e: Any) -> tuple[frozenset[int], float]:
    """The signs of an expression at some points, and how far it stays from 0, relative to its parts."""
    import sympy

    at = _points(e)
    known_values = dict(at)
    try:
        with np.errstate(all="ignore"):
            each = (_float_values(t, known_values) for t in sympy.Add.make_args(e))
            values = [np.broadcast_to(v, (POINTS,)) for v in each]
            total, scale = np.sum(values, axis=0), np.sum(np.abs(values), axis=0)
            known = np.isfinite(total) & np.isfinite(scale) & (scale > 0)
            ratio = total[known] / scale[known]
    except (Refused, OverflowError, *unfit()):
        return frozenset(), 0.0
    places = np.flatnonzero(known)
    signs = set()
    for sign in (-1, 1):
        for k in [k for k, r in zip(places, ratio, strict=True) if r * sign > 1e-9][:CONFIRMED]:
            if _sign_at(e, {u: float(p[k]) for u, p in at.items()}) == sign:
                signs.add(sign)
                break
    return frozenset(signs), float(min(ratio, default=0.0))


def _points(e: Any) -> dict[Any, Any]:
    """Values of all scales for the symbols of an expression."""
    free = symbols_of(e)
    generator = np.random.default_rng(len(free))
    spread = np.resize([0.5, 1.5, 3.0, 6.0], POINTS)
    return {u: 10 ** (generator.uniform(-1, 1, POINTS) * spread) for u in free}


@lru_cache(20_000)
def _moves_wrongly(e: Any, name: str, place: int, end: str) -> bool:
    """Whether floats see F/m fall away from an end, so that the rule `slope`, which computes a limit, shows nothing."""
    import sympy

    u, at = symbol(name), _points(e)
    unit = next(islice(goals.units(e, u), place, None), None)
    if unit is None or u not in at:
        return False
    ratios, scale = [], 0.0
    try:
        with np.errstate(all="ignore"):
            for further in (1.0, 1 + STEP):
                known = {**at, u: at[u] * further}
                terms = [_float_values(t, known) for t in sympy.Add.make_args(e)]
                ratios.append(sum(terms) / _float_values(unit, known))
                scale = scale + sum(map(np.abs, terms)) / _float_values(unit, known)
            moved = (ratios[1] - ratios[0]) / scale * (1 if end == "0" else -1)
    except (Refused, OverflowError, *unfit()):
        return False
    return int(np.sum(moved < -FLAT)) > 1


def _float_values(e: Any, known: dict[Any, Any]) -> Any:
    """The values of an expression at many points, as floats; `known` has those of its symbols, and keeps the others.

    Raises Refused.
    """
    import sympy

    if e not in known:
        if e.is_Rational or e in (sympy.E, sympy.pi):
            known[e] = np.float64(e)
        elif e.is_Add or e.is_Mul:
            total, *others = (_float_values(a, known) for a in e.args)
            for other in others:
                total = total + other if e.is_Add else total * other
            known[e] = total
        elif e.is_Pow:
            known[e] = _float_values(e.base, known) ** _float_values(e.exp, known)
        elif isinstance(e, normal_law()):
            from scipy.special import erf

            known[e] = erf(_float_values(e.args[0], known) / 2**0.5) / 2
        elif isinstance(e, sympy.exp | sympy.log | waves()):
            known[e] = getattr(np, e.func.__name__)(_float_values(e.args[0], known))
        else:
            raise Refused(f"no floats for {e.func}")
    return known[e]


def _sign_at(e: Any, point: dict[Any, float]) -> int:
    """The sign at a point in balls, 0 where they do not say: floats cancel inside of logarithms."""
    from flint import arb, ctx

    before, ctx.prec = ctx.prec, 300
    try:
        value = ball(e, {u: arb(x) for u, x in point.items()})
        return 1 if value > 0 else -1 if value < 0 else 0
    except (Refused, *unfit()):
        return 0
    finally:
        ctx.prec = before


def _hopeless(goal: Goal) -> bool:
    signs, _ = _signs(goal.expression)
    if goal.operator == "!=":
        return {1, -1} <= signs
    return -1 in signs or (goal.operator == "==" and 1 in signs)


class Search:
    """Looks for a tree of one goal: short proofs first, each rule that is tried is a step."""

    def __init__(self, steps: int = STEPS, blind: bool = False) -> None:
        self.steps, self.blind = steps, blind
        self.failed: dict[Goal, int] = {}

    def prove(self, goal: Goal) -> Any:
        """A tree, or None."""
        if self._hopeless(goal):
            return None
        for depth in range(1, DEEPEST + 1):
            tree = self._prove(goal, depth, ())
            if tree is not None or self.steps <= 0:
                return tree
        return None

    def _prove(self, goal: Goal, depth: int, path: tuple[Goal, ...]) -> Any:
        if depth < 0 or goal in path or len(str(goal.expression)) > LONGEST:
            return None
        if self.failed.get(goal, -1) >= depth:
            return None
        for name, data, cost in self._moves(goal):
            if self.steps <= 0:
                return None
            if depth - cost < 0:
                continue
            if name == "slope" and not self.blind and _moves_wrongly(goal.expression, *data):
                continue
            self.steps -= 1
            try:
                below = goals.applied(name, goal, data)
            except (Refused, *unfit()):
                continue
            if any(self._hopeless(g) or g in path or g == goal for g in below):
                continue
            trees = []
            for g in sorted(range(len(below)), key=lambda i: len(str(below[i].expression))):
                tree = self._prove(below[g], depth - cost, (*path, goal))
                if tree is None:
                    break
                trees.append((g, tree))
            else:
                return [name, data, [tree for _, tree in sorted(trees, key=lambda pair: pair[0])]]
        self.failed[goal] = depth
        return None

    def _hopeless(self, goal: Goal) -> bool:
        return not self.blind and _hopeless(goal)

    def _moves(self, goal: Goal) -> Iterator[tuple[str, Any, int]]:
        """Rules with data and what they cost of the depth."""
        import sympy

        e = goal.expression
        if goal.operator == "==":
            yield "factors", "", 0
            return
        yield from touching.pools(goal)
        if e.has(normal_law()):
            yield from far.moves(goal)
        pairs = [(b, k) for b, k in in_order(factors_of(tidy(e))) if b.free_symbols]
        open_ = [b for b, k in pairs if sign_of_power(sign_of(b), k) is None and k % 2]
        marks = [_mark(b) for b in open_]
        if len(pairs) > 1 or any(k != 1 for _, k in pairs):
            if e.has(sympy.log) and e.is_Add:
                yield "tangents", None, 1
            if None not in marks:
                yield "factors", "".join(marks), 0  # type: ignore[arg-type]
            if len(open_) != len(pairs):
                return
        if goal.operator == "!=":
            signs, _ = _signs(e)
            yield "side", "+" if 1 in signs else "-", 0
            return
        if not e.free_symbols:
            return
        free = symbols_of(e)
        broken = [p for p in e.atoms(sympy.Pow) if p.free_symbols and not p.exp.is_Rational]
        plain = not e.has(sympy.log, sympy.exp, normal_law()) and not goals.roots_in(e) and not broken
        margin = _signs(e)[1]
        if len(free) == 1 and plain:
            yield "sturm", None, 0
        if e.has(sympy.log):
            yield "tangents", None, 1
        if expanded(tidy(e)) != e:
            yield "opened", None, 0
        if len(free) <= 2 and margin > 1e-3:
            yield "boxes", None, 0
        for u in free:  # broken powers of symbols
            powers = [p.exp for p in e.atoms(sympy.Pow) if p.base == u and p.exp.is_Rational and not p.exp.is_Integer]
            if powers:
                yield "replace", [u.name, f"power {sympy.ilcm(1, *(p.q for p in powers))}"], 0
                return
        for place, r in enumerate(goals.roots_in(e)):
            for u in symbols_of(r):
                c = sympy.sqrt(r - u) if (r - u).is_Rational and r > u else None
                if c is not None and c.is_Rational:
                    yield "replace", [u.name, f"shift {c}"], 0
            for signs in ("+-", "-+", "++"):
                yield "root", [place, signs], 1
        for place in range(len(e.atoms(choices()))):
            yield "chosen", place, 1
        if e.has(normal_law()):
            yield "normal", "tail", 0
            yield "normal", "half", 1
            yield "normal", "line", 1
        if e.has(sympy.exp):
            for u in free:
                inside = [x.args[0] for x in e.atoms(sympy.exp) if x.has(u)]
                if inside and all((a / u).is_Rational for a in inside):
                    unit = sympy.ilcm(1, *((a / u).q for a in inside))
                    yield "replace", [u.name, f"log {sympy.Rational(1, unit)}"], 1
        if e.has(sympy.exp) or broken:
            yield "logs", "expanded", 1
            yield "logs", "", 1
        if e.has(sympy.log):
            yield "unlog", None, 1
            yield "joined", None, 1
        if not plain or len(free) > 1:
            for u in sorted(free, key=lambda s: (e.count(s), str(s))):
                if not plain or e.is_polynomial(u):
                    for place in range(len(goals.units(e, u)) if not plain else 1):
                        for end in ("0", "oo"):
                            yield "slope", [u.name, place, end], 1
        if margin < 1e-3:
            yield from touching.places(goal)
        for u in free:
            inside = sympy.log(1 + u)
            if e.has(inside) and not e.xreplace({inside: sympy.Dummy()}).has(u):
                yield "replace", [u.name, "exp 1"], 0
        for i, u in enumerate(free):
            for v in free[i + 1 :]:
                if plain or len(free) <= 3:
                    yield "ordered", [u.name, v.name], 1
        if len(free) <= 2:
            for u in free:
                yield "ordered", [u.name, "1"], 1
        for u in free:
            if e.is_polynomial(u) and sympy.degree(e, u) == 2:
                yield "quadratic", u.name, 1


def _mark(factor: Any) -> str | None:
    signs = _signs(factor)[0] - {0}
    return None if len(signs) != 1 else "+" if signs == {1} else "-"
