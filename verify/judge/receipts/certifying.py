"""From a tree of rules to the steps that `checker_of_proofs` confirms with the standard library alone.

Nothing here is trusted: every step is proposed, and what the checker refuses is no receipt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from math import ceil, floor, isinf
from typing import Any

from banditproof.theory.numbers.term import NoTerm
from banditproof.verify.judge.formulas.lists import compare_as_list, range_as_list
from banditproof.verify.judge.formulas.sentence import Compare, Reading
from banditproof.verify.judge.found import Expanded, Proved
from banditproof.verify.judge.receipts import checker_of_proofs as checker
from banditproof.verify.judge.receipts.checker import NoValue, Unsure
from banditproof.verify.judge.receipts.checker_of_proofs import HOLDS, Known
from banditproof.verify.judge.ways.of_terms import NoWord, reading_of
from banditproof.verify.proof.cases import RULES as OF_CASES
from banditproof.verify.proof.cases import Case, Open, _Walk, idle, in_value, linear, starts, step_of
from banditproof.verify.proof.deduction import unfit
from banditproof.verify.proof.domain import Interval, Points
from banditproof.verify.proof.factoring import as_product, factors_of
from banditproof.verify.proof.far import divided, of_open_sign, rate
from banditproof.verify.proof.form_signs import in_order, sign_of, tidy
from banditproof.verify.proof.formulas import Refused, derivative, expanded, fresh, normal_law, symbol, symbols_of
from banditproof.verify.proof.goals import (
    RULES,
    Goal,
    _logs_with_one_coefficient,
    applied,
    between_0_and_1,
    left_open,
    roots_in,
    units,
)
from banditproof.verify.proof.statement import Statement
from banditproof.verify.proof.touching import _by_coefficient, from_data

Formula = tuple[Any, ...]
Step = list[Any]
ZERO, ONE = checker.ZERO, checker.ONE
DEEPEST = 6
MOST_BOXES = 4000
THINNEST = 2.0**-80  # box of a bisection, as a share of the range: the sides meet in it
NOT_CONFIRMED = (checker.Refused, Unsure, NoValue, RecursionError, ArithmeticError)


class NoReceipt(Exception):
    """A proof for which no steps were found."""


# ------------------------------------------------------------------------------------------------------- formulas


def written(e: Any) -> Formula:
    """A formula of SymPy as the checker reads it."""
    import sympy

    if e.is_Rational:
        return ("num", str(Fraction(int(e.p), int(e.q))))
    if e.is_Symbol:
        return ("var", e.name)
    if e in (sympy.E, sympy.pi):
        return ("const", "e" if e == sympy.E else "pi")
    if e.is_Add:
        return _folded("add", [written(a) for a in e.args])
    if e.is_Mul:
        above = [a for a in e.args if not _is_below(a)]
        below = [1 / a for a in e.args if _is_below(a)]
        top = _folded("mul", [written(a) for a in above]) if above else ONE
        return ("div", top, _folded("mul", [written(a) for a in below])) if below else top
    if isinstance(e, sympy.exp | sympy.log):
        return ("call", type(e).__name__, written(e.args[0]))
    if isinstance(e, normal_law()):
        return ("sub", ("call", "Phi", written(e.args[0])), ("num", "1/2"))
    if e.is_Pow:
        if _is_below(e):
            return ("div", ONE, written(1 / e))
        return ("pow", written(e.base), written(e.exp))
    raise NoReceipt(f"{e.func} is not known to the checker")


def _is_below(e: Any) -> bool:
    return bool(e.is_Pow and e.exp.is_Rational and e.exp < 0)


def _folded(head: str, parts: Sequence[Formula]) -> Formula:
    first, *others = parts
    for other in others:
        first = (head, first, other)
    return first


def sympified(f: Formula) -> Any:
    """The other way round."""
    import sympy

    head, *parts = f
    if head == "num":
        return sympy.Rational(parts[0])
    if head == "var":
        return symbol(parts[0])
    if head == "const":
        return {"e": sympy.E, "pi": sympy.pi}[parts[0]]
    if head == "call":
        law = {"exp": sympy.exp, "log": sympy.log, "sqrt": sympy.sqrt, "Phi": _normal_cdf}[parts[0]]
        return law(sympified(parts[1]))
    given = [sympified(p) for p in parts]
    return {
        "neg": lambda a: -a,
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "div": lambda a, b: a / b,
        "pow": lambda a, b: a**b,
    }[head](*given)


def _normal_cdf(x: Any) -> Any:
    import sympy

    return normal_law()(x) + sympy.Rational(1, 2)


def holds(check: Any, *given: Any) -> bool:
    """Whether the checker accepts."""
    try:
        return check(*given) is not False
    except NOT_CONFIRMED:
        return False


def seen(formula: Formula, op: str, known: Known) -> bool:
    return holds(checker.prove, formula, op, ["form"], known)


def bridged(formula: Formula, e: Formula, step: Step, known: Known) -> Step:
    """The step for a formula, from one for the same in another form."""
    if formula == e:
        return step
    if holds(known.same, formula, e) and holds(known.signs, e):
        return ["same", ONE, e, step]
    current, before = _apart(formula, known)
    other, after = _apart(e, known)
    if not holds(known.same, current, other):
        raise NoReceipt(f"two formulas are not seen to be the same: {formula} and {e}")
    back = other
    for part, instead in reversed(after):
        back = _changed(back, instead, part)
    steps = [["rewritten", instead, part] for part, instead in reversed(after)]
    if back != e:
        if not holds(known.same, back, e):
            raise NoReceipt(f"a formula is not found again: {back} and {e}")
        step = ["same", ONE, e, step]
    for made in reversed(steps):
        step = [*made, step]
    step = ["same", ONE, other, step]
    for part, instead in reversed(before):
        step = ["rewritten", part, instead, step]
    return step


def _apart(formula: Formula, known: Known) -> tuple[Formula, list[tuple[Formula, Formula]]]:
    """Factored arguments of logarithms, of exponentials and of roots."""
    done = []
    for _ in range(12):
        for part in _inner(formula):
            try:
                instead = written(as_product(sympified(part)))
            except (KeyError, Refused, NoReceipt, TypeError):
                continue
            if instead != part and holds(known.same, part, instead) and holds(known.signs, instead):
                formula = _changed(formula, part, instead)
                done.append((part, instead))
                break
        else:
            return formula, done
    return formula, done


def _inner(f: Formula) -> Iterator[Formula]:
    for part in f:
        if isinstance(part, tuple):
            yield from _inner(part)
    if f[:2] in (("call", "log"), ("call", "exp"), ("call", "sqrt")):
        yield f[2]
    if f[0] == "pow" and f[2][0] == "num" and Fraction(f[2][1]).denominator != 1:
        yield f[1]


def _changed(f: Formula, part: Formula, other: Formula) -> Formula:
    return other if f == part else tuple(_changed(p, part, other) if isinstance(p, tuple) else p for p in f)


# -------------------------------------------------------------------------------------------------------- by form


def settled(e: Any, op: str, known: Known, deep: int = 0) -> Step:
    """A step for `e op 0`, which the form of e shows in the eyes of SymPy: as it stands, factored or multiplied out."""
    formula = written(e)
    if seen(formula, op, known):
        return ["form"]
    if deep > DEEPEST:
        raise NoReceipt(f"the sign of {e} is not seen")
    for other in _other_forms(e):
        f = written(other)
        if seen(f, op, known):
            try:
                return bridged(formula, f, ["form"], known)
            except NoReceipt:
                continue
    if (step := _by_monotone(e, op, known, deep)) is not None:
        return step
    pairs = factors_of(tidy(e))
    if len(pairs) > 1 or (pairs and pairs[0][1] != 1):
        return _by_factors(formula, pairs, op, known, lambda b, o, k: settled(b, o, k, deep + 1), [])
    raise NoReceipt(f"the sign of {e} is not seen")


def _other_forms(e: Any) -> Iterator[Any]:
    import sympy

    yield as_product(e)
    yield tidy(e)
    yield sympy.powsimp(e)
    with suppress(Refused):  # too long to be multiplied out
        yield expanded(tidy(e))
        yield as_product(tidy(e))
        yield sympy.Add(*(as_product(c) * f for f, c in _by_logs(expanded(tidy(e))).items()))


def _by_monotone(e: Any, op: str, known: Known, deep: int) -> Step | None:
    """c (f(A) - f(B)) for an increasing f; and c exp(A) + rest, where exp(A) is above 1, or below it."""
    import sympy

    for form in dict.fromkeys((e, *_other_forms(e))):
        if not form.is_Add or not form.has(sympy.exp, sympy.log):
            continue
        if len(form.args) == 2:
            apart: list[Any] = [t.as_independent(sympy.exp, sympy.log) for t in form.args]
            (c, f), (d, g) = apart
            balanced, turn = c + d == 0, sign_of(c)
            if balanced:
                f, g = (sympy.exp(0, evaluate=False) if x == 1 else x for x in (f, g))
            c, f, g = (-c, g, f) if turn == -1 else (c, f, g)
            if balanced and turn in (1, -1) and f.func == g.func and isinstance(f, sympy.exp | sympy.log):
                a: Any = f.args[0]
                b: Any = g.args[0]
                on = "on" if isinstance(f, sympy.exp) else "off"
                p, q = (written(f), written(g)) if on == "on" else (written(a), written(b))
                gap = ("sub", ("call", "log", p), ("call", "log", q)) if on == "on" else ("sub", p, q)
                try:
                    inner = bridged(gap, written(a - b), settled(a - b, op, known, deep + 1), known)
                    return bridged(written(e), written(form), ["logs", on, written(c), p, q, inner], known)
                except NoReceipt:
                    continue
        for big in sorted(form.atoms(sympy.exp), key=str):
            turn = sign_of(big.args[0])
            if turn not in (1, -1) or not big.free_symbols:
                continue
            more = turn * (big - 1)
            fact = written(more)
            if seen(fact, ">", known):
                continue
            try:
                shown = settled(more, ">", known, deep + 1)
                c = form.coeff(big)
                rest = as_product(expanded(form - c * big + c))
                here, left = known.shown(fact, ">"), written(rest)
                whole = ("add", ("mul", written(turn * c), fact), left)
                if seen(whole, op, here):
                    return ["fact", fact, ">", shown, bridged(written(e), whole, ["form"], here)]
                of_rest, then = settled(rest, ">=", here, deep + 1), here.shown(left, ">=")
                if seen(whole, op, then):
                    last = ["fact", left, ">=", of_rest, bridged(written(e), whole, ["form"], then)]
                    return ["fact", fact, ">", shown, last]
            except NoReceipt:
                continue
    return None


def _by_factors(formula: Formula, pairs: Any, op: str, known: Known, settle: Any, given: Any) -> Step:
    """A product, once the signs of its factors are facts."""
    facts: list[tuple[Formula, str, Step]] = []
    for goal, shown_by in given:
        f = written(goal.expression)
        facts.append((f, goal.operator, shown_by(f, known)))
        known = known.shown(f, goal.operator)
    product = None
    for base, power in pairs:
        f = written(base)
        sign = sign_of(base)
        if sign in (1, -1) and not seen(f, ">" if sign == 1 else "!=", known) and not seen(("neg", f), ">", known):
            signed = base if sign == 1 else -base
            fact = written(signed)
            facts.append((fact, ">", settle(signed, ">", known)))
            known = known.shown(fact, ">")
        part = written(base**power) if base.is_number else _power(f, power)
        product = part if product is None else ("mul", product, part)
    product = product or ONE
    if not seen(product, op, known):
        raise NoReceipt(f"the sign of the product {product} is not seen")
    step = bridged(formula, product, ["form"], known)
    for f, operator, shown in reversed(facts):
        step = ["fact", f, operator, shown, step]
    return step


def _power(f: Formula, k: Any) -> Formula:
    if k == 1:
        return f
    if k < 0:
        return ("div", ONE, _power(f, -k))
    return ("pow", f, ("num", str(k)))


# ------------------------------------------------------------------------------------------------------- of goals


def goal_step(goal: Goal, tree: Any, formula: Formula, known: Known) -> Step:
    """The steps of a goal's tree, for a formula that is the same as the goal's expression."""
    return bridged(formula, written(goal.expression), _by_rule(goal, tree, known), known)


def _by_rule(goal: Goal, tree: Any, known: Known) -> Step:
    name, data, below = tree
    if name not in TRANSCRIBED:
        raise NoReceipt(f"the rule {name} has no step")
    goals = list(dict.fromkeys(RULES[name](goal, data)))
    trees = dict(zip(applied(name, goal, data, len(below)), below, strict=True))

    def sub(place: int, formula: Formula, known: Known) -> Step:
        return _sub(goals_before[place], formula, known, trees)

    goals_before = RULES[name](goal, data)
    del goals
    return TRANSCRIBED[name](goal, data, known, goals_before, sub)


def _sub(goal: Goal, formula: Formula, known: Known, trees: dict[Goal, Any]) -> Step:
    if seen(formula, goal.operator, known):
        return ["form"]
    if goal in trees:
        return goal_step(goal, trees[goal], formula, known)
    return bridged(formula, written(goal.expression), settled(goal.expression, goal.operator, known), known)


def _factors(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    formula = written(goal.expression)
    if goal.operator == "==" or holds(known.same, formula, ZERO):
        return bridged(formula, ZERO, ["form"], known)
    pairs = in_order(factors_of(tidy(goal.expression)))
    given = [(g, lambda f, k, i=i: sub(i, f, k)) for i, g in enumerate(goals)]
    return _by_factors(formula, pairs, goal.operator, known, lambda b, o, k: settled(b, o, k), given)


def _opened(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    return bridged(written(goal.expression), other := written(goals[0].expression), sub(0, other, known), known)


def _slope(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    import sympy

    name, place, end = data
    u = symbol(name)
    unit = list(units(goal.expression, u))[place]
    quotient = tidy(goal.expression)
    if unit != 1:
        logs: dict[Any, list[Any]] = {}
        for t in sympy.Add.make_args(expanded(quotient / unit)):
            rest, log = t.as_independent(sympy.log)
            logs.setdefault(log, []).append(rest)
        quotient = sympy.Add(*(as_product(sympy.Add(*c)) * log for log, c in logs.items()))
    q = written(quotient)
    if name in known.bound:
        known = Known()
    fall = checker.slope(q, name)
    if end == "0":
        at_end, limit = _near(q, quotient, name, known, known.free_of(name))
        step = ["rises", name, at_end, sub(0, limit, known.free_of(name)), sub(1, fall, known)]
    else:
        at_end, limit = _near_infinity(q, quotient, u, known)
        step = ["descends", name, [], at_end, sub(0, limit, known.free_of(name)), sub(1, ("neg", fall), known)]
    return _of_quotient(goal, unit, q, step, known)


def _falls(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    name, unit_data = data
    quotient = divided(goal, name, unit_data)
    q, known = written(quotient), known if name not in known.bound else Known()
    ending = _ending(quotient, symbol(name), known, sub)
    then = sub(1, ("neg", checker.slope(q, name)), known)
    return _of_quotient(goal, _unit(goal, unit_data), q, ["descends", name, *ending, then], known)


def _unit(goal: Goal, data: Any) -> Any:
    return from_data(data, {s.name for s in goal.expression.free_symbols}, [0])


def _ending(quotient: Any, u: Any, known: Known, sub: Any) -> Step:
    """What vanishes as a symbol grows, the rest in which the limit is seen, and that this is at least 0."""
    import sympy

    small, rest = [], sympy.S.Zero
    for t in sympy.Add.make_args(quotient):
        term, left = _vanishing(t, u, known)
        small, rest = [*small, *term], rest + left
    at_end, limit = _near_infinity(written(rest), rest, u, known)
    return [small, at_end, sub(0, limit, known.free_of(u.name))]


def _near_infinity(f: Formula, e: Any, u: Any, known: Known) -> tuple[Formula, Formula]:
    there = {u.name: ("div", ONE, ("var", u.name))}
    return _near(checker.put(f, there), e.xreplace({u: 1 / u}), u.name, known.put(there), known.free_of(u.name))


def _hill(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    name, units_data = data
    u, quotient = symbol(name), divided(goal, name, units_data[0])
    q, known = written(quotient), known if name not in known.bound else Known()
    of_others, ending = known.free_of(name), _ending(quotient, symbol(name), known, sub)
    f, levels = q, []
    for i, unit_data in enumerate(units_data[1:]):
        near, limit = _near(f, quotient, name, known, of_others)
        slope = derivative(quotient, u)
        quotient = divided(Goal(of_open_sign(slope), goal.operator), name, unit_data)
        f, factor = written(quotient), written(as_product(tidy(slope / quotient)))
        levels.append([near, sub(i + 1, limit, of_others), factor, f])
    then = sub(len(levels) + 1, ("neg", checker.slope(f, name)), known)
    return _of_quotient(goal, _unit(goal, units_data[0]), q, ["hill", name, *ending, levels, then], known)


def _of_quotient(goal: Goal, unit: Any, q: Formula, step: Step, known: Known) -> Step:
    """The step for a goal that is a unit above 0 times q."""
    formula = written(goal.expression)
    if unit == 1:
        return bridged(formula, q, step, known)
    return bridged(formula, ("mul", written(unit), q), ["same", written(unit), q, step], known)


def _bisected(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    import sympy

    ts, expression = between_0_and_1(goal, data)
    joined: Any = sympy.powsimp(expression)
    expression = joined.replace(sympy.exp, lambda x: sympy.exp(sympy.factor(x)))
    symbol_of = {t.name: u.name for t, u in zip(ts, symbols_of(goal.expression), strict=True)}
    shown, unit = written(expression), {"low": ZERO, "high": ONE, "low_open": False, "high_open": False}
    claim = {"comparison": [goal.operator, shown, ZERO], "ranges": dict.fromkeys(symbol_of, unit), "conditions": []}
    back = checker.put(shown, {t: ("div", ("var", u), ("add", ONE, ("var", u))) for t, u in symbol_of.items()})
    return bridged(written(goal.expression), back, ["bisected", symbol_of, shown, _boxes(claim)], known)


def _vanishing(t: Any, u: Any, known: Known) -> tuple[list[Any], Any]:
    """The part of a term that vanishes as a symbol grows, as `checker.vanishing` takes it, and what is left."""
    import sympy

    law = normal_law()
    parts = [f for f in sympy.Mul.make_args(t) if isinstance(f, law | sympy.exp) and f.has(u)]
    if len(parts) != 1:
        return [], t
    (f,) = parts
    inside: Any = f.args[0]
    inside = inside if isinstance(f, law) else -inside
    if not (power := rate(inside, u)):
        return [], t
    c, h = t / f, inside / u ** sympy.Rational(power)
    form, _ = _near_infinity(written(h), h, u, known)
    if isinstance(f, law):
        return [[written(-c), "Phi", power, form]], c / 2
    return [[written(c), "exp", power, form]], sympy.S.Zero


def _near(formula: Formula, e: Any, x: str, known: Known, of_others: Known) -> tuple[Formula, Formula]:
    """A form of a formula in which its limit at 0 is seen, and the limit."""
    import sympy

    terms = sympy.Add.make_args(expanded(tidy(e)))
    forms = [e, tidy(e), expanded(tidy(e)), sympy.Add(*map(as_product, terms)), as_product(e), as_product(tidy(e))]
    forms += [sympy.Add(*(as_product(c) * f for f, c in _by_logs(expanded(tidy(e))).items()))]
    why = "no form"
    for f in [formula, *map(written, forms)]:
        try:
            limit = checker.limit_at_zero(f, x, of_others)
            known.signs(f)
            if known.same(formula, f):
                of_others.signs(limit)
                return f, limit
            why = f"not the same {f}"
        except NOT_CONFIRMED as error:
            why = str(error)
            continue
    raise NoReceipt(f"the limit of {e} for {x} -> 0 is not seen: {why}")


def _by_logs(e: Any) -> dict[Any, Any]:
    import sympy

    found: dict[Any, Any] = {}
    for t in sympy.Add.make_args(e):
        c, log = t.as_independent(sympy.log)
        found[log] = found.get(log, sympy.S.Zero) + c
    return found


def _unlog(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    import sympy

    unit, pairs, _ = _logs_with_one_coefficient(goal.expression)
    sign = sign_of(unit)
    up = written(sympy.Mul(*(b ** (k * sign) for k, b in pairs if k * sign > 0)))
    down = written(sympy.Mul(*(b ** (-k * sign) for k, b in pairs if k * sign < 0)))
    return ["logs", "off", written(unit * sign), up, down, sub(0, ("sub", up, down), known)]


def _bounded(c: Any, x: Any) -> Formula:
    x = written(x)
    bound = ("sub", ONE, ("div", ONE, x)) if sign_of(c) == 1 else ("sub", x, ONE)
    return ("mul", written(c), bound)


def _by_tangents(pairs: Any, rest: Any, op: str, known: Known, sub: Any, apart: bool) -> Step:
    below = written(rest)
    for c, x in pairs:
        below = ("add", below, _bounded(c, x))
    gap = sub(1, ("sub", written(pairs[0][1]), ONE), known) if apart else None
    listed = [[written(c), written(x)] for c, x in pairs]
    return ["tangents", listed, written(rest), gap, sub(0, below, known)]


def _joined(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    import sympy

    unit, pairs, rest = _logs_with_one_coefficient(goal.expression)
    return _by_tangents([(unit, sympy.Mul(*(b**k for k, b in pairs)))], rest, goal.operator, known, sub, False)


def _tangents(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    import sympy

    pairs, rest = [], sympy.S.Zero
    for t in sympy.Add.make_args(goal.expression):
        c, log = t.as_independent(sympy.log)
        if not t.free_symbols or log == 1:
            rest += t
        else:
            pairs.append((c, log.args[0]))
    return _by_tangents(pairs, rest, goal.operator, known, sub, goal.operator == ">")


def _pooled(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    how, place = data
    groups, rest = _by_coefficient(goal.expression, how)
    _, y = groups.pop(place)
    return _by_tangents([(c, x * y) for c, x in groups], rest, goal.operator, known, sub, goal.operator == ">")


def _replace(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    name, how = data
    kind, _, number = how.partition(" ")
    w, formula = fresh(goal.expression).name, written(goal.expression)
    c = ("var", number) if kind == "times" else ("num", str(Fraction(number)))
    (values,) = checker.replaced(formula, known, name, kind, c, w)
    return ["replaced", name, kind, c, w, [sub(0, checker.put(formula, values), known.put(values))]]


def _ordered(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    first, second = data
    w, formula = fresh(goal.expression).name, written(goal.expression)
    if isinstance(second, str) and second[:1].isalpha():
        rule, given, places = "order", [first, second, w], [0, 1, 2]
    else:
        rule, given, places = "split", [first, ("num", str(Fraction(str(second)))), w], [2, 0, 1]
    cases = checker.PLACES[rule](formula, known, *given)
    shown = [sub(i, checker.put(formula, v), known.put(v)) for i, v in zip(places, cases, strict=True)]
    return [rule, *given, shown]


def _around(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    name, place = data
    formula, w = written(goal.expression), fresh(goal.expression).name
    c = written(from_data(place, {s.name for s in goal.expression.free_symbols} - {name}, [0]))
    below, at, above = checker.split(formula, known, name, c, w)
    far = _scaled(w, "times", c, checker.put(formula, above), known.put(above), lambda f, k: sub(1, f, k))
    return [
        "split",
        name,
        c,
        w,
        [sub(2, checker.put(formula, below), known.put(below)), sub(0, checker.put(formula, at), known.put(at)), far],
    ]


def _scaled(w: str, kind: str, c: Formula, formula: Formula, known: Known, then: Any) -> Step:
    """A symbol as a multiple of itself, or of its inverse: by another symbol, which is renamed."""
    v = w + "_"
    (values,) = checker.replaced(formula, known, w, kind, c, v)
    formula, known = checker.put(formula, values), known.put(values)
    (values,) = checker.replaced(formula, known, v, "times", ONE, w)
    inner = then(checker.put(formula, values), known.put(values))
    return ["replaced", w, kind, c, v, [["replaced", v, "times", ONE, w, [inner]]]]


def _root(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    import sympy

    place, signs = data
    radicand = roots_in(goal.expression)[place]
    dummy = sympy.Dummy()
    whole = goal.expression.replace(
        lambda x: x.is_Pow and x.base == radicand and x.exp.is_Rational and x.exp.q == 2,
        lambda x: radicand ** (x.exp - sympy.Rational(1, 2)) * dummy,
    )
    a = b = sympy.S.Zero
    for (k,), c in sympy.Poly(expanded(whole), dummy).terms():
        if k % 2:
            b += c * radicand ** ((k - 1) // 2)
        else:
            a += c * radicand ** (k // 2)
    a, b, r = written(a), written(b), written(radicand)
    squares = ("sub", ("mul", a, a), ("mul", r, ("mul", b, b)))
    formulas = {"++": (a, b), "+-": (a, squares), "-+": (b, ("neg", squares))}[signs]
    return ["root", a, b, r, signs, *(sub(i, f, known) for i, f in enumerate(formulas))]


def _logs(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    import sympy

    terms = sympy.Add.make_args(expanded(goal.expression) if data == "expanded" else goal.expression)
    above = written(as_product(sympy.Add(*(t for t in terms if sign_of(t) == 1))))
    below = written(as_product(sympy.Add(*(-t for t in terms if sign_of(t) == -1))))
    gap = ("sub", ("call", "log", above), ("call", "log", below))
    return ["logs", "on", ONE, above, below, sub(0, gap, known)]


def _side(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    f = written(goals[0].expression)
    return [
        "fact",
        f,
        ">",
        sub(0, f, known),
        bridged(written(goal.expression), f if data == "+" else ("neg", f), ["form"], known),
    ]


def _quadratic(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    """4 a (a u^2 + b u + c) is (2 a u + b)^2 + (4 a c - b^2)."""
    a, gap = (written(g.expression) for g in goals)
    leading = sub(0, a, known)
    known = known.shown(a, ">")
    turning = checker.slope(written(expanded(goal.expression)), data)  # 2 a u + b
    whole = ("add", ("pow", turning, ("num", "2")), gap)
    step = ["same", ("div", ONE, ("mul", ("num", "4"), a)), whole, ["form"]]
    return ["fact", a, ">", leading, ["fact", gap, goal.operator, sub(1, gap, known), step]]


def _sturm(goal: Goal, data: Any, known: Known, goals: Any, sub: Any) -> Step:
    import sympy

    numerator, denominator = sympy.fraction(sympy.together(goal.expression))
    (u,) = goal.expression.free_symbols
    top, below = written(expanded(numerator)), written(denominator)
    fact = _without_roots(sympy.Poly(numerator, u), u.name, goal.operator, 0)
    whole = ("div", top, below)
    step: Step = ["fact", top, goal.operator, bridged(top, written(expanded(numerator)), fact, known), ["form"]]
    return bridged(written(goal.expression), whole, step, known)


def _without_roots(p: Any, name: str, op: str, deep: int) -> Step:
    """A polynomial of one symbol: its coefficients are above 0, or those of its pieces are (Vincent)."""
    import sympy

    u = symbol(name)
    formula = written(p.as_expr())
    if seen(formula, op, Known()):
        return ["form"]
    if deep > 12:
        raise NoReceipt("a polynomial that comes near 0")
    at = sympy.Integer(1)
    w = name + "_"
    v = symbol(w)
    steps = []
    top = sympy.Poly(expanded(sympy.cancel(p.as_expr().subs(u, at / (1 + v)) * (1 + v) ** p.degree())), v)
    for case, poly in (
        ({name: ("div", ONE, ("add", ONE, ("var", w)))}, top),
        ({name: ONE}, None),
        ({name: ("add", ONE, ("var", w))}, sympy.Poly(p.as_expr().subs(u, 1 + v), v)),
    ):
        f = checker.put(formula, case)
        if poly is None:
            steps.append(["form"])
            continue
        inner = _without_roots(poly, w, op, deep + 1)
        g = written(poly.as_expr())
        if poly is top:
            whole = ("div", g, _power(("add", ONE, ("var", w)), p.degree()))
            steps.append(["fact", g, op, inner, ["same", ONE, whole, ["form"]]])
        else:
            steps.append(bridged(f, g, inner, Known()))
    return ["split", name, ONE, w, steps]


TRANSCRIBED = {
    "factors": _factors,
    "opened": _opened,
    "slope": _slope,
    "unlog": _unlog,
    "joined": _joined,
    "tangents": _tangents,
    "pooled": _pooled,
    "replace": _replace,
    "ordered": _ordered,
    "around": _around,
    "root": _root,
    "logs": _logs,
    "side": _side,
    "quadratic": _quadratic,
    "sturm": _sturm,
    "boxes": _bisected,
    "falls": _falls,
    "hill": _hill,
}


# ------------------------------------------------------------------------------------------------------- of cases


def case_step(pair: Any, formula: Formula, known: Known) -> Step:
    """The steps of a case and its tree, for the formula of the case."""
    case, tree = pair
    name, below = tree[0], tree[2]
    data: Any = tree[1]
    if name == "goals":
        return _goals(case, below, formula, known)
    cases = OF_CASES[name](case, data)
    if name == "cut" and data:
        what, place, word = data
        slope, rest = linear(case, place, word)
        e = slope if what == "slope" else -rest / slope
        return _cut(case, ((e, ">"), (e, "=="), (-e, ">")), list(zip(cases, below, strict=True)), formula, known)
    paired: list[Any] = list(zip(cases, below, strict=True))
    if name == "cut":
        try:
            in_value(case, _Walk.further(case))
        except Open as branch:
            return _cut(case, branch.alternatives, paired, formula, known)
        raise NoReceipt("no branch")
    if name == "drop":
        return case_step(paired[0], formula, known)
    if name == "solve":
        return _solve(case, data, paired, formula, known)
    if name == "ceiling" and not data:
        return _ceiling(case, paired, formula, known)
    if name in ("power", "logarithm"):
        word, number = data if name == "power" else (data, 1)
        kind, w = "power" if name == "power" else "log", case.fresh.name
        given = [word, kind, ("num", str(Fraction(str(number)))), w]
        (values,) = checker.replaced(formula, known, *given)
        return ["replaced", *given, [case_step(paired[0], checker.put(formula, values), known.put(values))]]
    if name in ("places", "order"):
        given = [*data, case.fresh.name]
        if name == "places":
            given[1] = ("num", str(Fraction(str(data[1]))))
        rule = "split" if name == "places" else "order"
        cases_here = checker.PLACES[rule](formula, known, *given)
        if len(paired) != len(cases_here):
            raise NoReceipt("a case that cannot be")
        shown = [case_step(p, checker.put(formula, v), known.put(v)) for p, v in zip(paired, cases_here, strict=True)]
        return [rule, *given, shown]
    raise NoReceipt(f"the rule {name} of cases has no step")


def _ceiling(case: Case, paired: Any, formula: Formula, known: Known) -> Step:
    argument = paired[0][0].ceilings[-1][0]
    for part in checker.subformulas(formula):
        if part[:2] == ("call", "ceil") and _is(argument, part[2]):
            given = [part, case.fresh.name]
            cases = checker.rounding(formula, known, *given)
            return ["rounding", *given, [case_step(p, f, known) for p, f in zip(paired, cases, strict=True)]]
    raise NoReceipt("no such ceiling")


def _goals(case: Case, below: Any, formula: Formula, known: Known) -> Step:
    if known.impossible:
        return ["absurd"]
    if holds(checker.prove, formula, case.statement.operator.replace("<", ">"), ["infinite"], known):
        return ["infinite"]
    every = in_value(case)
    goals = list(dict.fromkeys(every))
    trees = dict(
        zip(
            left_open(
                goals[:],
                len(below),
                lambda g: g.holds_at_sight,
                lambda g: g.holds_by_form or case.signs(g.expression) <= HOLDS[g.operator],
            ),
            below,
            strict=True,
        )
    )
    relation = every[-1]
    facts = []
    for asked in every[:-1]:
        if holds(known.signs, formula):
            break
        f = written(asked.expression)
        if seen(f, asked.operator, known):
            continue
        facts.append((f, asked.operator, _sub(asked, f, known, trees)))
        known = known.shown(f, asked.operator)
    step = _sub(relation, formula, known, trees)
    for f, op, shown in reversed(facts):
        step = ["fact", f, op, shown, step]
    return step


def _cut(case: Case, alternatives: Any, paired: Any, formula: Formula, known: Known) -> Step:
    left = list(paired)

    def shown(place: int, here: Known) -> Step:
        e, op = alternatives[place]
        if case.with_known(e, op) is None:
            return ["absurd"]
        for i, (narrower, tree) in enumerate(left):
            if narrower == case.with_known(e, op):
                one, _ = left.pop(i)
                if here.impossible:
                    return ["absurd"]
                return case_step((one, tree), formula, here)
        raise NoReceipt("no such case")

    first, op = alternatives[0]
    if len(alternatives) == 2:
        e = written(first if op == ">" else -first)
        turned = ("neg", e)
        above, under = known.assumed(e, ">"), known.assumed(turned, ">=")
        places = (0, 1) if op == ">" else (1, 0)
        done: dict[int, Step] = {}
        for place, here in zip(places, (above, under), strict=True):
            done[place] = shown(place, here)
        return ["cut", e, done[places[0]], done[places[1]]]
    by_op = {op: i for i, (_, op) in enumerate(alternatives)}
    equal = by_op["=="]
    above, under = [i for i in range(3) if i != equal]
    e = written(alternatives[above][0])
    up = known.assumed(e, ">")
    down = known.assumed(("neg", e), ">=")
    lower, zero = down.assumed(("neg", e), ">"), down.assumed(("neg", ("neg", e)), ">=")
    return ["cut", e, shown(above, up), ["cut", ("neg", e), shown(under, lower), shown(equal, zero)]]


def _solve(case: Case, data: Any, paired: Any, formula: Formula, known: Known) -> Step:
    place, name, how = data
    expression, operator = case.known[place]
    slope, rest = linear(case, place, name)
    bound = as_product(-rest / slope) if (rest / slope).is_rational_function() else -rest / slope
    (sign,) = case.signs(slope)
    at, w = written(bound), case.fresh.name
    facts: list[tuple[Formula, str, Step]] = []
    if sign == 1 and case.signs(bound) <= {-1, 0}:
        return case_step(paired[0], formula, known)
    if not seen(at, ">", known):
        k, s = written(expression), written(slope)
        whole = ("div", ("add", k, ("mul", ("neg", s), ("var", name))), ("neg", s))
        if sign == 1 or not seen(whole, ">", known):
            raise NoReceipt("the sign of a bound is not seen")
        facts.append((at, ">", bridged(at, whole, ["form"], known)))
        known = known.shown(at, ">")
    steps = []
    cases = checker.split(formula, known, name, at, w)
    left: list[Any] = list(paired)
    wanted = {0: sign == -1, 1: operator in (">=", "=="), 2: sign == 1}
    if operator == "==":
        wanted = {0: False, 1: True, 2: False}
    order = [0, 2, 1] if operator == ">=" else [0, 1, 2]
    done: dict[int, Step] = {}
    for i in order:
        f, here = checker.put(formula, cases[i]), known.put(cases[i])
        if not wanted[i] or not left:
            done[i] = ["absurd"]
            if not here.impossible:
                raise NoReceipt(f"an impossible case is not seen to be one: {here.facts}")
            continue
        if i == 1:
            done[i] = case_step(left.pop(0), f, here)
            continue
        if how == "*":
            kind, c = ("times", at) if i == 2 else ("inverse", ONE)
            done[i] = _scaled(w, kind, c, f, here, lambda g, k: case_step(left.pop(0), g, k))
        else:
            done[i] = case_step(left.pop(0), f, here)
    steps = [done[i] for i in range(3)]
    step: Step = ["split", name, at, w, steps]
    for f, op, shown in reversed(facts):
        step = ["fact", f, op, shown, step]
    return step


# -------------------------------------------------------------------------------------------------- of statements


def certified(proved: Proved | Expanded, printed: Reading | None) -> dict[str, Any]:
    """A claim with its proof, as data: what is printed, if it is the proved statement. Raises NoReceipt."""
    if isinstance(proved, Expanded):
        return {"said": proved.said, "expansion": proved.data}
    why = "no sentence says the statement"
    for reading in _readings(proved.statement, printed):
        try:
            claim = _claim(reading)
            proof = _proof_of(claim, proved)
            checker.show(claim, proof)
        except (NoReceipt, Refused, NoTerm, NoWord, *NOT_CONFIRMED, *unfit()) as refused:
            why = f"{type(refused).__name__}: {refused}"
            continue
        return {"said": reading.said, **claim, "proof": proof}
    raise NoReceipt(why)


def _readings(statement: Statement, printed: Reading | None) -> Iterator[Reading]:
    if printed is not None and isinstance(printed.sentence, Compare):
        yield printed
    with suppress(NoWord):
        yield reading_of(statement)


def _claim(reading: Reading) -> dict[str, Any]:
    sentence = reading.sentence
    if not isinstance(sentence, Compare) or not all(isinstance(c, Compare) for c in reading.conditions):
        raise NoReceipt("not a comparison")
    return {
        "comparison": compare_as_list(sentence),
        "ranges": {n: range_as_list(r) for n, r in reading.ranges.items()},
        "conditions": [compare_as_list(c) for c in reading.conditions if isinstance(c, Compare)],
    }


def _proof_of(claim: dict[str, Any], proved: Proved) -> dict[str, Any]:
    if proved.tree is not None:
        return _proof(claim, proved.statement, proved.tree)
    if not claim["ranges"]:
        return {"places": {}, "faces": [["form"]]}
    return {"boxes": _boxes(claim)}


def _boxes(claim: dict[str, Any]) -> str:
    """The bisection of the ranges, along the variable that is widest, on whose boxes intervals decide."""
    ends = {x: [checker.value(given[end], {})[0] for end in ("low", "high")] for x, given in claim["ranges"].items()}
    if any(isinf(end) for pair in ends.values() for end in pair):
        raise NoReceipt("a range that is no box")
    tree, boxes = [], [ends]
    while boxes:
        if len(tree) > MOST_BOXES:
            raise NoReceipt("too many boxes")
        box = boxes.pop()
        tree.append(_code(claim, box))
        if not tree[-1]:
            widths = [(b - a) / ((ends[x][1] - ends[x][0]) or 1) for x, (a, b) in box.items()]
            place = max(range(len(widths)), key=lambda i: widths[i])
            if widths[place] < THINNEST:
                raise NoReceipt("both sides are too close")
            tree[-1], x = str(place), list(box)[place]
            low, high = box[x]
            boxes += [{**box, x: [(low + high) / 2, high]}, {**box, x: [low, (low + high) / 2]}]
    return "".join(tree)


def _code(claim: dict[str, Any], box: dict[str, Any]) -> str:
    given = {x: tuple(ends) for x, ends in box.items()}
    with suppress(Unsure, NoValue):
        if checker.holds(claim["comparison"], given) is True:
            return "P"
    with suppress(Unsure, NoValue):
        if any(checker.holds(c, given) is False for c in claim["conditions"]):
            return "V"
    return ""


def _proof(claim: dict[str, Any], statement: Statement, tree: Any) -> dict[str, Any]:
    name, data, below = tree
    if name == "steps":
        first, step = step_of(statement, data)
        on_first, on_step = checker.induced(claim, data)
        return {"count": data, "parts": [_proof(on_first, first, below[0]), _proof(on_step, step, below[1])]}
    while name == "wider":
        statement = statement.over(statement.domain.restrict(**dict(data)))
        name, data, below = below[0]
    if name != "faces":
        raise NoReceipt(f"the rule {name} of statements has no step")
    cases = list(zip(starts(statement, data), below, strict=True))
    places = {n: _place(values, data) for n, values in statement.domain.variables}
    faces = []
    for values in checker.faces(claim["ranges"], places):
        known, formula = checker.start(claim, values)
        faces.append(_face(statement, values, cases, formula, known, list(values)))
    return {"places": places, "faces": faces}


def _place(values: Any, counts: int) -> list[Any]:
    """From where a variable is followed: an end of its range, or 0; and how many more counts are taken one by one."""
    if isinstance(values, Points):
        if any(v != int(v) for v in values.values) and len(values.values) > 1:
            raise NoReceipt("a variable that is one of several numbers")
        return [str(min(values.values)), 0]
    low, high = values.lower, values.upper
    if values.integer:
        first = floor(low) + 1 if values.lower_open else ceil(low)
        last = None if isinf(high) else ceil(high) - 1 if values.upper_open else floor(high)
        return [str(first), counts if last is None else last - first if last - first < 8 else 0]
    if isinf(low) and isinf(high) or low < 0 < high and not isinf(low) and not isinf(high):
        return ["0", 0]
    return [str(low if not isinf(low) else high), 0]


def _face(statement: Statement, values: Any, cases: Any, formula: Formula, known: Known, left: list[str]) -> Step:
    """The step of a face: a symbol with an upper end is split there, which the tree takes as done."""
    if known.impossible:
        return ["absurd"]
    for place, name in enumerate(left):
        u, s = f"{name}_", statement.domain.sets[name]
        if not isinstance(s, Interval) or ("var", u) not in checker.put(values[name], {}):
            continue
        up = values[name][0] == "add"
        low = Fraction(values[name][1][1])
        end = s.upper if up else s.lower
        if isinf(end):
            continue
        rest = ("num", str(abs(Fraction(end) - low)))
        w = u + "_"
        steps = []
        for case in checker.split(formula, known, u, rest, w):
            here = known.put(case)
            f = checker.put(formula, case)
            if here.impossible:
                steps.append(["absurd"])
                continue
            (back,) = [{}] if w not in checker.symbols(case[u]) else checker.replaced(f, here, w, "times", ONE, u)
            there = {n: checker.put(checker.put(v, case), back) for n, v in values.items()}
            inner = _face(statement, there, cases, checker.put(f, back), here.put(back), left[place + 1 :])
            steps.append(["replaced", w, "times", ONE, u, [inner]] if back else inner)
        return ["split", u, rest, w, steps]
    used = [n for n in values if n not in idle(statement)]
    found = [pair for pair in cases if all(_is(dict(pair[0].values)[n], values[n]) for n in used)]
    if len(found) != 1:
        raise NoReceipt(f"{len(found)} cases of the face {values}")
    return case_step(found[0], formula, known)


def _is(e: Any, formula: Formula) -> bool:
    return bool(as_product(e - sympified(formula)) == 0)
