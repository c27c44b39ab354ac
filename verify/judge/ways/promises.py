"""Sentences about mechanisms as comparisons: what a law costs exactly, and the fact that says so.

Where the cost is sharp the sentence says no more and no less than the comparison, so that a point refutes it; where
only a sufficient condition is known, nothing refutes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import inf as INFINITE
from typing import Any

from banditproof.verify.judge.formulas.formula import INFINITY, binary, call, name, names, num, rational
from banditproof.verify.judge.formulas.sentence import POSSIBLE, Compare, Expression, Private, Promise, Range, Reading
from banditproof.verify.judge.ways.goals import Plan, Way
from banditproof.verify.judge.ways.points import Asked, has_value, speaks_of

Budget = Mapping[str, Expression]


def _neg(a: Expression) -> Expression:
    return Expression("neg", (a,))


def _add(a: Expression, b: Expression) -> Expression:
    return binary("add", a, b)


def _sub(a: Expression, b: Expression) -> Expression:
    return binary("sub", a, b)


def _mul(a: Expression, b: Expression) -> Expression:
    return binary("mul", a, b)


def _div(a: Expression, b: Expression) -> Expression:
    return binary("div", a, b)


def _square(a: Expression) -> Expression:
    return binary("pow", a, num(2))


def promise(sentence: Private, reading: Reading) -> Plan:
    """The plan of a sentence about a mechanism."""
    costs = _COSTS[sentence.mechanism](sentence.parameters, sentence)
    if isinstance(costs, str):
        return Plan(why_not=costs)
    fact, needed, *enough = costs
    given = _possible(sentence, reading.ranges)
    of_none = _of_delta(sentence, reading.ranges)  # no event has a probability below 0

    def asked(comparison: Compare | Limited, *where: Compare) -> Asked:
        where += comparison.where if isinstance(comparison, Limited) else ()
        stated = comparison.then if isinstance(comparison, Limited) else comparison
        return Asked(stated, dict(reading.ranges), (*reading.conditions, *where), printed=False)

    implied = () if _may_mean_every_order(sentence, reading) else tuple(asked(c, *given) for c in (*needed, *of_none))
    ways = []
    for comparisons in enough:
        bounds = [c for c in of_none if not any(c.right == d.right and _at_least_0(d.left) for d in comparisons)]
        ways.append(Way(tuple(map(asked, dict.fromkeys((*comparisons, *given, *bounds)))), "", (fact,)))
    return Plan((*implied, *_valued(sentence, reading)), tuple(ways), facts=(fact,) if needed else ())


def _may_mean_every_order(sentence: Private, reading: Reading) -> bool:
    """Whether a premise speaks of an order of which nothing else does: it may stand for all of them together."""
    premises = (sentence.parameters.get("of"), *sentence.parameters.get("parts", ()))
    orders = {n for of in premises if of is not None and "alpha" in of.budget for n in names(of.budget["alpha"])}
    beside = [*sentence.budget.values(), *(e for r in reading.ranges.values() for e in (r.low, r.high))]
    known = any(orders & names(e) for e in beside) or any(speaks_of(c, n) for c in reading.conditions for n in orders)
    return bool(orders) and not known


def _valued(sentence: Private, reading: Reading) -> tuple[Asked, ...]:
    """That the printed numbers of a mechanism and of its promise have values."""
    numbers = [e for e in (*sentence.parameters.values(), *sentence.budget.values()) if isinstance(e, Expression)]
    formulas = [e for e in numbers if e.head != "var" and names(e)]
    return tuple(has_value(e, dict(reading.ranges), reading.conditions) for e in formulas)


def _possible(sentence: Private, ranges: Mapping[str, Range]) -> tuple[Compare, ...]:
    """That a printed formula is a number which a mechanism can have, where that is not seen: a scale above 0."""
    p = sentence.parameters
    premises = (*p.get("parts", ()), *([p["of"]] if "of" in p else []))
    numbers = [*p.items(), *(number for of in premises for number in of.budget.items())]
    kept = ("alpha", *(("epsilon",) if "delta" in sentence.budget else ()))  # what a pure promise costs is 0 or more
    numbers += [(word, e) for word, e in sentence.budget.items() if word in kept]
    of_law = {"geometric": {"rate": (0, ">", INFINITE)}, "exponential": {"factor": (0, ">=", INFINITE)}}
    possible = {**POSSIBLE, **of_law.get(sentence.mechanism, {})}
    found = []
    for word, e in numbers:
        if word not in possible or not isinstance(e, Expression):
            continue
        if word in POSSIBLE and (e.head == "var" or not names(e)):  # the reader has looked at these
            continue
        least, sign, most = possible[word]
        if not (least == 0 and _is_positive(e, ranges, strictly=sign == ">")):
            found.append(Compare(e, sign, num(least)))
        if most < INFINITE:
            found.append(Compare(e, "<=", num(int(most))))
    return tuple(dict.fromkeys(found))


def _of_delta(sentence: Private, ranges: Mapping[str, Range]) -> tuple[Compare, ...]:
    """That a printed delta is 0 or more, where that is not seen."""
    delta = sentence.budget.get("delta")
    seen = delta is None or delta.head == "var" or not names(delta) or _is_positive(delta, ranges, strictly=False)
    return () if seen or delta is None else (Compare(num(0), "<=", delta),)


def _at_least_0(e: Expression) -> bool:
    """Whether a cost is seen to be 0 or more: the exact curve of normal noise, or a sum of what is."""
    if e.head == "sum":
        return True
    return e.head == "sub" and e.args[0].head == "call" and e.args[0].args[0] == "Phi"


def _is_positive(e: Expression, ranges: Mapping[str, Range], strictly: bool) -> bool:
    """Whether a formula is seen to be positive, or 0 or more, from its signs and the ranges that are printed."""
    match e:
        case Expression("num", (value,)):
            return bool(value > 0 if strictly else value >= 0)
        case Expression("const", _):
            return True
        case Expression("var", (word,)):
            r = ranges.get(word)
            low = rational(r.low) if r is not None else None
            return r is not None and low is not None and (low > 0 or low == 0 and (r.low_open or not strictly))
        case Expression("call", ("exp", _)):
            return True
        case Expression("call", ("sqrt", inner)):
            return not strictly or _is_positive(inner, ranges, strictly)
        case Expression("pow", (base, _)):
            return _is_positive(base, ranges, strictly)
        case Expression("add" | "mul" | "div", (a, b)):
            both = [_is_positive(part, ranges, strictly and e.head != "add") for part in (a, b)]
            return all(both) and (e.head != "add" or not strictly or any(_is_positive(x, ranges, True) for x in (a, b)))
    return False


Costs = tuple[Any, ...] | str
"""The fact, comparisons that the sentence implies, and one or more tuples of comparisons that together imply it; or why
there are none."""


@dataclass(frozen=True)
class Limited:
    """A comparison that the sentence implies where its budgets are ones that a mechanism can have."""

    where: tuple[Compare, ...]
    then: Compare


def _sharp(cost: Expression, budget: Expression, fact: str) -> Costs:
    comparison = Compare(cost, "<=", budget)
    return fact, (comparison,), (comparison,)


def _without_rule(sentence: Private) -> str:
    return f"no exact cost of {sentence.mechanism} under {sentence.kind} is known here"


def _unbounded(shift: Expression, epsilon: Expression) -> Costs:
    """Of normal noise: no epsilon is enough, unless nothing moves."""
    moved, bounded = Compare(shift, ">", num(0)), Compare(INFINITY, "<=", epsilon)
    still = (Compare(shift, "==", num(0)), Compare(epsilon, ">=", num(0)))
    return "the privacy loss of normal noise has no bound", (Limited((moved,), bounded),), still


def gaussian_curve(mu: Expression, epsilon: Expression) -> Expression:
    """The exact delta of Gaussian noise whose value moves by mu deviations."""
    half, shift = _div(mu, num(2)), _div(epsilon, mu)
    return _sub(call("Phi", _sub(half, shift)), _mul(call("exp", epsilon), call("Phi", _sub(_neg(half), shift))))


def _laplace(p: Mapping[str, Any], s: Private) -> Costs:
    shift, b = _div(p["sensitivity"], p["scale"]), s.budget
    if s.kind == "dp" and "delta" not in b:
        return _sharp(
            shift,
            b["epsilon"],
            "the privacy loss of the Laplace law is at most its shift over its scale, which is attained",
        )
    if s.kind == "dp":
        spent = _sub(num(1), call("exp", _div(_sub(b["epsilon"], shift), num(2))))
        return _sharp(
            spent, b["delta"], "the least delta of Laplace noise at epsilon is 1 - exp((epsilon - shift/scale)/2), or 0"
        )
    if s.kind == "zcdp":
        spent = _sub(_add(shift, call("exp", _neg(shift))), num(1))
        return _sharp(
            spent, b["rho"], "the Renyi divergence of Laplace laws over its order is largest as the order tends to 1"
        )
    if s.kind == "rdp":
        above = _sub(b["alpha"], num(1))
        odd = _sub(_mul(num(2), b["alpha"]), num(1))
        first = _mul(_div(b["alpha"], odd), call("exp", _mul(above, shift)))
        second = _mul(_div(above, odd), call("exp", _neg(_mul(b["alpha"], shift))))
        return _sharp(
            _div(call("log", _add(first, second)), above), b["epsilon"], "the Renyi divergence of Laplace laws"
        )
    return _without_rule(s)


def _gaussian(p: Mapping[str, Any], s: Private) -> Costs:
    deviation = p["deviation"] if "deviation" in p else call("sqrt", p["variance"])
    mu, b = _div(p["sensitivity"], deviation), s.budget
    squared = _square(mu) if "deviation" in p else _div(_square(p["sensitivity"]), p["variance"])
    if s.kind == "dp" and "delta" not in b:
        return _unbounded(p["sensitivity"], b["epsilon"])
    if s.kind == "dp":
        exact = Compare(gaussian_curve(mu, b["epsilon"]), "<=", b["delta"])
        tail = _mul(num(2), call("log", _div(num(Fraction(5, 4)), b["delta"])))
        shift, e = p["sensitivity"], b["epsilon"]
        enough = Compare(_mul(shift, call("sqrt", tail)), "<=", _mul(e, deviation))
        if "variance" in p:
            enough = Compare(_mul(_square(shift), tail), "<=", _mul(_square(e), p["variance"]))
        usual = tuple(Compare(x, s, num(e)) for x in b.values() for s, e in ((">", 0), ("<=", 1)))
        spread = Compare(deviation, ">", num(0))
        fact = "the exact curve of the Gaussian mechanism, whose delta grows with the shift"
        # With c = epsilon/shift fixed, delta grows in epsilon: its slope is phi(a) (1/c - Mills' ratio at b), b > c. So
        # epsilon = 1 is the worst, where it is less than a third of 1.25 exp(-c^2/2) for all c >= sqrt(2 log 1.25).
        classical = f"{fact}, and for epsilon <= 1 the classical bound 2 log(1.25/delta) <= (epsilon/shift)^2"
        return classical, (exact,), (enough, *usual, spread, Compare(shift, ">=", num(0))), (exact,)
    if s.kind == "zcdp":
        return _sharp(_div(squared, num(2)), b["rho"], "the Renyi divergence of normal laws of one variance")
    if s.kind == "rdp":
        return _sharp(
            _mul(b["alpha"], _div(squared, num(2))), b["epsilon"], "the Renyi divergence of normal laws of one variance"
        )
    return _sharp(mu, b["mu"], "the trade-off curve of normal laws defines Gaussian privacy")


def _geometric(p: Mapping[str, Any], s: Private) -> Costs:
    if s.kind == "dp" and "delta" not in s.budget:
        return _sharp(
            _mul(p["rate"], p["sensitivity"]),
            s.budget["epsilon"],
            "the privacy loss of the two-sided geometric law is at most its rate times the shift, which is attained",
        )
    return _without_rule(s)


def _response(p: Mapping[str, Any], s: Private) -> Costs:
    truth = p["truth"]
    others = _sub(p["candidates"], num(1)) if "candidates" in p else num(1)
    odds, b = call("log", _div(_mul(others, truth), _sub(num(1), truth))), s.budget
    if s.kind == "dp" and "delta" not in b:
        return _sharp(
            call("abs", odds), b["epsilon"], "the privacy loss of randomised response is the logarithm of its odds"
        )
    if s.kind == "zcdp" and "candidates" not in p:
        spent = _mul(_sub(_mul(num(2), truth), num(1)), odds)
        return _sharp(
            spent,
            b["rho"],
            "the Renyi divergence of randomised response over its order is largest as the order tends to 1",
        )
    return _without_rule(s)


def _exponential(p: Mapping[str, Any], s: Private) -> Costs:
    span, b = _mul(_mul(num(2), p["factor"]), p["sensitivity"]), s.budget
    if s.kind == "dp" and "delta" not in b:
        return _sharp(
            span,
            b["epsilon"],
            "the privacy loss of the exponential mechanism comes near twice its factor times the sensitivity",
        )
    if s.kind == "zcdp":
        fact, count = "the losses of the exponential mechanism lie in an interval of this length", p.get("candidates")
        return _of_range(span, b["rho"], fact, count or num(2))
    return _without_rule(s)


def _of_range(span: Expression, rho: Expression, bounded: str, count: Expression) -> Costs:
    """The price of losses in an interval; two candidates of which each in turn is ahead by half of it cost less."""
    pair = Compare(_mul(_div(span, num(2)), call("tanh", _div(span, num(4)))), "<=", rho)
    turned = "two candidates that change places have a relative entropy of t/2 tanh(t/4), where t is that length"
    several = Limited((Compare(count, ">=", num(2)),), pair)
    return f"{bounded} (bounded range); {turned}", (several,), (Compare(_div(_square(span), num(8)), "<=", rho),)


def _composition(p: Mapping[str, Any], s: Private) -> Costs:
    parts: tuple[Any, ...] = p.get("parts", ())
    of, b = parts[0] if parts else p["of"], s.budget
    if len({part.kind for part in parts}) > 1:
        return _of_several_kinds(parts, s)

    def total(what: str) -> Expression:
        if not parts:
            return _mul(p["count"], of.budget[what])
        return reduce(_add, (part.budget.get(what, num(0)) for part in parts))

    if (of.kind, s.kind) == ("zcdp", "zcdp"):
        return _sharp(total("rho"), b["rho"], "zCDP adds up in composition, and normal noise attains the sum")
    if (of.kind, s.kind) == ("gdp", "gdp"):
        squares = [_square(part.budget["mu"]) for part in parts]
        spent = call("sqrt", reduce(_add, squares)) if parts else _mul(call("sqrt", p["count"]), of.budget["mu"])
        return _sharp(spent, b["mu"], "Gaussian privacy adds up in squares, and normal noise attains it")
    approximate = any("delta" in part.budget for part in (*parts, of))
    if of.kind == s.kind == "dp" and not approximate and "delta" not in b:
        fact = "pure privacy adds up in composition, and Laplace noise attains the sum"
        return _sharp(total("epsilon"), b["epsilon"], fact)
    if of.kind == s.kind == "dp" and not approximate and not parts:
        return _composed_responses(of.budget["epsilon"], p["count"], b)
    if of.kind == s.kind == "dp" and "delta" in b:
        basic = (Compare(total("epsilon"), "<=", b["epsilon"]), Compare(total("delta"), "<=", b["delta"]))
        if parts:
            return "basic composition", (), basic
        return _composed_approximately(of.budget, p["count"], b, basic)
    if of.kind == "dp" and not approximate and not parts and s.kind in ("zcdp", "rdp", "gdp"):
        return _pure_composed(of.budget["epsilon"], p["count"], s)
    one_order = all(part.budget.get("alpha") == b.get("alpha") for part in (*parts, of))
    if of.kind == s.kind == "rdp" and one_order:
        fact = "Renyi privacy of one order adds up in composition, and normal noise attains the sum"
        return _sharp(total("epsilon"), b["epsilon"], fact)
    return f"composition of {of.kind} into {s.kind} has no rule here"


def _of_several_kinds(parts: Sequence[Promise], s: Private) -> Costs:
    """Under zCDP each part adds its largest Renyi divergence over the order, reached as the order tends to 1."""
    spent = [_spent_of_zcdp(part) for part in parts]
    if s.kind != "zcdp" or None in spent:
        return "a composition of promises of several kinds has a rule for zCDP alone"
    fact = "Renyi divergences add up; normal noise attains zCDP, and randomised response is the worst pure mechanism"
    return _sharp(reduce(_add, (e for e in spent if e is not None)), s.budget["rho"], fact)


def _spent_of_zcdp(of: Promise) -> Expression | None:
    """The smallest rho of zCDP that a promise gives; None of one that gives none."""
    if of.kind == "zcdp":
        return of.budget["rho"]
    if of.kind == "gdp":
        return _div(_square(of.budget["mu"]), num(2))
    if of.kind == "dp" and "delta" not in of.budget:
        e, odds = of.budget["epsilon"], call("exp", of.budget["epsilon"])
        return _div(_mul(e, _sub(odds, num(1))), _add(odds, num(1)))
    return None


def _composed_approximately(of: Budget, k: Expression, b: Budget, basic: tuple[Compare, ...]) -> Costs:
    """The worst mechanism of (e, d) tells everything with probability d, and is randomised response of e otherwise."""
    e, d = of["epsilon"], of["delta"]
    rest = _sub(b["delta"], _mul(k, d))
    exact, likely = _responses(e, k, b["epsilon"], rest)
    told = _sub(num(1), binary("pow", _sub(num(1), d), k))
    whole = _add(told, _mul(binary("pow", _sub(num(1), d), k), exact))
    fact = (
        "of all compositions that of randomised responses, which tell everything with probability delta, is the worst"
    )
    sane = (Compare(e, ">=", num(0)), Compare(d, ">=", num(0)), Compare(d, "<=", num(1)))
    advanced = (Compare(likely, "<=", b["epsilon"]), Compare(rest, ">", num(0)), *sane)
    return fact, (Limited(sane, Compare(whole, "<=", b["delta"])),), basic, advanced


def _responses(e: Expression, k: Expression, epsilon: Expression, tail: Expression) -> tuple[Expression, Expression]:
    """The delta of k randomised responses at epsilon, and what their loss exceeds with probability `tail` at most.

    The loss lies in [-k e, k e] and has the mean k e tanh(e/2): Hoeffding's inequality bounds its tail.
    """
    index = name("times_untrue")
    odds = call("exp", e)
    untrue = _mul(call("exp", epsilon), call("exp", _mul(index, e)))
    excess = call("max", num(0), _sub(call("exp", _mul(_sub(k, index), e)), untrue))
    chance = _div(_mul(call("binom", k, index), excess), binary("pow", _add(num(1), odds), k))
    exact = Expression("sum", (index.args[0], num(0), k, chance))
    mean = _mul(_mul(k, e), _div(_sub(odds, num(1)), _add(odds, num(1))))
    spread = _mul(e, call("sqrt", _mul(_mul(num(2), k), call("log", _div(num(1), tail)))))
    return exact, _add(mean, spread)


def _composed_responses(e: Expression, k: Expression, b: Budget) -> Costs:
    exact, likely = _responses(e, k, b["epsilon"], b["delta"])
    return (
        "of all compositions of pure mechanisms that of randomised responses has the largest delta",
        (Compare(exact, "<=", b["delta"]),),
        (Compare(likely, "<=", b["epsilon"]), Compare(e, ">=", num(0))),
        (Compare(_mul(k, e), "<=", b["epsilon"]),),
    )


def _group(p: Mapping[str, Any], s: Private) -> Costs:
    of, k, b = p["of"], p["size"], s.budget
    if (of.kind, s.kind) == ("zcdp", "zcdp"):
        return _sharp(
            _mul(_square(k), of.budget["rho"]),
            b["rho"],
            "group privacy of zCDP grows with the square, which normal noise attains",
        )
    if of.kind == s.kind == "dp" and "delta" not in of.budget and "delta" not in b:
        return _sharp(
            _mul(k, of.budget["epsilon"]),
            b["epsilon"],
            "group privacy of pure privacy grows with the size, which Laplace noise attains",
        )
    if of.kind == s.kind == "dp" and "delta" in of.budget and "delta" in b:
        return _group_approximately(of.budget, k, b)
    if (of.kind, s.kind) == ("gdp", "gdp"):
        return _sharp(
            _mul(k, of.budget["mu"]),
            b["mu"],
            "group privacy of Gaussian privacy grows with the size, which normal noise attains",
        )
    return f"groups under {of.kind} and {s.kind} have no rule here"


def _group_approximately(of: Budget, k: Expression, b: Budget) -> Costs:
    """Of neighbours p_0, ..., p_k each is at most e^epsilon times the next one and delta: a geometric sum.

    One bit with the probabilities p_k = 0 and p_i = e^epsilon p_(i+1) + delta attains it, as long as that is private:
    up to p_1 <= (1 - delta)/(1 + e^epsilon). What the group gets then exceeds delta whatever its epsilon is.
    """
    e, d = of["epsilon"], of["delta"]
    odds, index, one = call("exp", e), name("member"), num(1)

    def spent(size: Expression) -> Expression:
        power = call("exp", _mul(index, e))
        return _mul(d, Expression("sum", (index.args[0], num(0), _sub(size, one), power)))

    most = Compare(_mul(k, e), "<=", b["epsilon"])
    sane = (Compare(e, ">=", num(0)), Compare(d, ">=", num(0)), Compare(d, "<=", one), Compare(k, ">=", one))
    closed = _div(_mul(d, _sub(call("exp", _mul(k, e)), one)), _sub(odds, one))
    coarse = _mul(_mul(k, call("exp", _mul(_sub(k, one), e))), d)
    ways = ((Compare(closed, "<=", b["delta"]), Compare(e, ">", num(0))), (Compare(coarse, "<=", b["delta"]),))
    attained = (*sane, Compare(_mul(spent(_sub(k, one)), _add(one, odds)), "<=", _sub(one, d)))
    fact = "group privacy: delta grows with 1 + e^epsilon + ... + e^((k - 1) epsilon), which one bit attains"
    needed = Limited(attained, Compare(spent(k), "<=", b["delta"]))
    return fact, (needed,), *((*way, most, *sane) for way in ways)


def _noisiest(p: Mapping[str, Any], s: Private) -> Costs:
    """Given the other noises, a candidate wins above a threshold; its tail falls by e^-span where that moves."""
    span = _div(_mul(num(1 if "monotone" in p else 2), p["sensitivity"]), p["scale"])
    if s.kind == "dp" and "delta" not in s.budget:
        fact = (
            "a tail of the noise falls by at most e^(-t/scale), t higher up; with many candidates the loss comes near"
            f" {'the' if 'monotone' in p else 'twice the'} sensitivity over the scale"
        )
        return _sharp(span, s.budget["epsilon"], fact)
    if s.kind == "zcdp" and p["noise"] == "gumbel":
        fact = (
            "noisy max with Gumbel noise is the exponential mechanism, whose losses lie in an interval of this length"
        )
        return _of_range(span, s.budget["rho"], fact, num(2))
    return _without_rule(s)


def _sparse(p: Mapping[str, Any], s: Private) -> Costs:
    """The threshold pays for all answers below; each answer above pays for its query and for the threshold's move."""
    if s.kind != "dp" or "delta" in s.budget:
        return _without_rule(s)
    each = _mul(num(1 if "monotone" in p else 2), _mul(p["above"], p["sensitivity"]))
    spent = _add(_div(p["sensitivity"], p["threshold"]), _div(each, p["query"]))
    positive = tuple(Compare(p[k], ">", num(0)) for k in ("threshold", "query", "sensitivity"))
    fact = "sparse vector spends sensitivity/threshold noise, and for each answer above 2 sensitivity/query noise"
    return fact, (), (Compare(spent, "<=", s.budget["epsilon"]), *positive)


def _disjoint(p: Mapping[str, Any], s: Private) -> Costs:
    """A record is in one part alone: the largest budget is spent, and by a part that no other part hides."""
    if any(part.kind != s.kind for part in p["parts"]) or s.kind == "rdp":
        return "promises of different kinds on disjoint data have no rule here"
    names = [n for n in ("epsilon", "delta", "rho", "mu") if n in s.budget or any(n in q.budget for q in p["parts"])]
    spent = tuple(Compare(q.budget.get(n, num(0)), "<=", s.budget.get(n, num(0))) for n in names for q in p["parts"])
    fact = "a record is in one part of disjoint data"
    return fact, () if "delta" in names else spent, spent


def _subsampling(p: Mapping[str, Any], s: Private) -> Costs:
    """A record that is kept with probability q. Of (e, d) the worst mechanism tells everything with probability d."""
    of, b, q = p["of"], s.budget, p["rate"]
    if of.kind != "dp" or s.kind != "dp":
        return f"subsampling under {of.kind} and {s.kind} has no rule here"
    e, odds = of.budget["epsilon"], call("exp", of.budget["epsilon"])
    reached = _add(num(1), _mul(q, _sub(odds, num(1))))
    cost = Compare(call("log", reached), "<=", b["epsilon"])
    if "delta" not in of.budget and "delta" not in b:
        fact = (
            "a record that is kept with probability q changes odds by 1 + q (e^epsilon - 1) at most, which is attained"
        )
        return fact, (cost,), (cost,)
    d, spent = of.budget.get("delta", num(0)), b.get("delta", num(0))
    more = call("max", num(0), _sub(reached, call("exp", b["epsilon"])))
    told = _add(_mul(q, d), _div(_mul(_sub(num(1), d), more), _add(num(1), odds)))
    sane = (Compare(e, ">=", num(0)), Compare(d, ">=", num(0)), Compare(d, "<=", num(1)))
    fact = "a record that is kept with probability q changes odds by 1 + q (e^epsilon - 1) at most, and delta by q"
    return fact, (Limited(sane, Compare(told, "<=", spent)),), (cost, Compare(_mul(q, d), "<=", spent), *sane)


def _filter(p: Mapping[str, Any], s: Private) -> Costs:
    """What passes keeps the budget (see `theory.privacy.filters`), and one release may spend it all.

    Squares of pure budgets add up to S: many small ones come near normal noise of zCDP S/2, which bounds them all.
    """
    costs = _conversion(p, s)
    return costs if isinstance(costs, str) else (f"a filter keeps its budget, whoever chooses; {costs[0]}", *costs[1:])


def _conversion(p: Mapping[str, Any], s: Private) -> Costs:
    of, b = p["of"], s.budget
    if of.kind == s.kind == "rdp" and of.budget["alpha"] != b["alpha"]:
        return _of_another_order(of.budget, b)
    if of.kind == s.kind != "dp":
        return _composition({"of": of, "count": num(1)}, s)
    if of.kind == "rdp" and (s.kind in ("zcdp", "gdp") or s.kind == "dp" and "delta" not in b):
        return _sharp(of.budget["epsilon"], num(0), NO_LARGER_ORDER)
    if "delta" in of.budget and s.kind in ("zcdp", "rdp", "gdp"):
        told = "a mechanism that tells everything with probability delta has no finite Renyi divergence"
        return told, (Compare(of.budget["delta"], "<=", num(0)),)
    if (of.kind, s.kind) == ("zcdp", "gdp"):
        pure = call("exp", call("sqrt", _mul(num(2), of.budget["rho"])))
        told = Compare(_div(pure, _add(num(1), pure)), "<=", call("Phi", _div(b["mu"], num(2))))
        return "randomised response of epsilon keeps epsilon^2/2-zCDP, and is told better than normal noise", (told,)
    if of.kind == "dp" and "delta" not in of.budget and s.kind in ("zcdp", "rdp", "gdp"):
        return _pure_composed(of.budget["epsilon"], num(1), s)
    if of.kind == "zcdp" and s.kind == "dp" and "delta" in b:
        rho, e = of.budget["rho"], b["epsilon"]
        tail = _mul(_mul(num(4), rho), call("log", _div(num(1), b["delta"])))
        enough = (Compare(_square(_sub(e, rho)), ">=", tail), Compare(e, ">=", rho))
        second = _div(call("exp", _sub(_mul(num(2), rho), e)), num(4))  # the moment of order 2, Canonne et al. (2020)
        needed = (Compare(gaussian_curve(call("sqrt", _mul(num(2), rho)), e), "<=", b["delta"]),)
        return (
            "the tail of the privacy loss under zCDP, and the exact curve of the Gaussian mechanism",
            needed,
            enough,
            (Compare(second, "<=", b["delta"]), Compare(rho, ">=", num(0))),
        )
    if of.kind == "gdp" and s.kind == "dp" and "delta" in b:
        return _sharp(gaussian_curve(of.budget["mu"], b["epsilon"]), b["delta"], "the exact curve of Gaussian privacy")
    if (of.kind, s.kind) == ("gdp", "zcdp"):
        return _sharp(
            _div(_square(of.budget["mu"]), num(2)),
            b["rho"],
            "normal noise has the largest Renyi divergences under Gaussian privacy",
        )
    if (of.kind, s.kind) == ("zcdp", "rdp"):
        return _sharp(
            _mul(b["alpha"], of.budget["rho"]),
            b["epsilon"],
            "zCDP bounds the divergence of every order, and normal noise attains it",
        )
    if of.kind in ("gdp", "zcdp") and s.kind == "dp":
        return _unbounded(next(iter(of.budget.values())), b["epsilon"])
    if of.kind == "rdp" and s.kind == "dp" and "delta" in b:
        spent = _add(
            of.budget["epsilon"], _div(call("log", _div(num(1), b["delta"])), _sub(of.budget["alpha"], num(1)))
        )
        mu = call("sqrt", _div(_mul(num(2), of.budget["epsilon"]), of.budget["alpha"]))
        needed = (Compare(gaussian_curve(mu, b["epsilon"]), "<=", b["delta"]),)
        fact = "Markov's inequality for the moment of the privacy loss, and the exact curve of the Gaussian mechanism"
        return fact, needed, (Compare(spent, "<=", b["epsilon"]),)
    if of.kind == "dp" == s.kind and "delta" in of.budget:
        return _from_approximate(of.budget, b)
    if of.kind == "dp" == s.kind and "delta" not in of.budget:
        e = of.budget["epsilon"]
        if "delta" not in b:
            return _sharp(e, b["epsilon"], "a pure promise")
        spent = _div(_sub(call("exp", e), call("exp", b["epsilon"])), _add(num(1), call("exp", e)))
        return _sharp(spent, b["delta"], "randomised response has the largest delta of all pure mechanisms")
    return f"a conversion from {of.kind} to {s.kind} has no rule here"


NO_LARGER_ORDER = "a promise of one order bounds no larger one, whose divergence may be infinite"


def _of_another_order(of: Budget, b: Budget) -> Costs:
    """Divergences rise with their order; those of normal noise in proportion to it."""
    rises = Compare(b["alpha"], "<=", of["alpha"])
    spends, positive = Compare(of["epsilon"], "<=", b["epsilon"]), Compare(of["epsilon"], ">", num(0))
    of_normal = Compare(_mul(b["alpha"], of["epsilon"]), "<=", _mul(of["alpha"], b["epsilon"]))
    fact = f"Renyi divergences rise with their order, for normal noise in proportion to it, and {NO_LARGER_ORDER}"
    return fact, (Limited((positive,), rises), of_normal), (rises, spends)


def _pure_composed(e: Expression, k: Expression, s: Private) -> Costs:
    """Of all pure mechanisms randomised response is the easiest to tell: at equal errors, as by its divergences."""
    b, odds = s.budget, call("exp", e)
    fact = "of all pure mechanisms randomised response has the largest Renyi divergences"
    if s.kind == "zcdp":
        spent = _spent_of_zcdp(Promise("dp", {"epsilon": e}))
        assert spent is not None
        return _sharp(_mul(k, spent) if k != num(1) else spent, b["rho"], fact)
    if s.kind == "rdp":
        alpha = b["alpha"]
        moment = _div(_add(call("exp", _mul(alpha, e)), call("exp", _mul(_sub(num(1), alpha), e))), _add(num(1), odds))
        spent, least = _div(call("log", moment), _sub(alpha, num(1))), _div(_mul(alpha, _square(e)), num(2))
        if k != num(1):
            spent, least = _mul(k, spent), _mul(k, least)
        exact = Compare(spent, "<=", b["epsilon"])
        return f"{fact}, at most alpha epsilon^2/2", (exact,), (Compare(least, "<=", b["epsilon"]),), (exact,)
    half, told = _div(b["mu"], num(2)), _div(odds, _add(num(1), odds))
    alone = Compare(told, "<=", call("Phi", half))
    fact = "randomised response, the worst pure mechanism, is told as well as normal noise at equal errors"
    each = alone if k == num(1) else Compare(told, "<=", call("Phi", _div(half, call("sqrt", k))))
    needed = Limited((Compare(k, ">=", num(1)),), alone)
    return f"{fact}, and Gaussian privacy adds up in squares", (needed,), (each,)


def _from_approximate(of: Budget, b: Budget) -> Costs:
    """The worst mechanism of (e, d) tells everything with probability d, and is randomised response of e otherwise."""
    e, d, spent = of["epsilon"], of["delta"], b.get("delta", num(0))
    odds, asked = call("exp", e), call("exp", b["epsilon"])
    share = _div(call("max", num(0), _sub(odds, asked)), _add(num(1), odds))
    sane = (Compare(e, ">=", num(0)), Compare(d, ">=", num(0)), Compare(d, "<=", num(1)))
    needed = Compare(_add(d, _mul(_sub(num(1), d), share)), "<=", spent)
    smaller = Compare(_add(d, _div(_mul(_sub(num(1), d), _sub(odds, asked)), _add(num(1), odds))), "<=", spent)
    valid = (Compare(b["epsilon"], ">=", num(0)), *sane)
    fact = "randomised response that tells everything with probability delta is the worst of all such mechanisms"
    weaker = (Compare(e, "<=", b["epsilon"]), Compare(d, "<=", spent))
    return fact, (Limited(sane, needed),), weaker, (smaller, Compare(d, "<=", spent), *valid)


def _named(p: Mapping[str, Any], s: Private) -> Costs:
    return f"{p['name']} has no rule here: its privacy is not settled by the numbers that are printed"


_COSTS: dict[str, Callable[[Mapping[str, Any], Private], Costs]] = {
    "named": _named,
    "laplace": _laplace,
    "gaussian": _gaussian,
    "geometric": _geometric,
    "response": _response,
    "exponential": _exponential,
    "noisiest": _noisiest,
    "sparse": _sparse,
    "composition": _composition,
    "disjoint": _disjoint,
    "filter": _filter,
    "group": _group,
    "subsampling": _subsampling,
    "fixed": _subsampling,
    "conversion": _conversion,
}
