"""Tails of counts by Chernoff's bound: Markov's inequality for exp(t X), with the best t.

For a Poisson law of this mean, P(X >= x) <= e^(x - mean) (mean/x)^x where x >= mean, and the same of P(X <= x) where
0 < x <= mean. For a binomial law, P(X >= x) <= e^(-n kl(x/n, p)) where n p <= x <= n, and the same of P(X <= x) where
0 <= x <= n p.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from banditproof.verify.judge.formulas.formula import binary, call, names, num
from banditproof.verify.judge.formulas.sentence import Compare, Expression, Range
from banditproof.verify.judge.ways.from_far import turned
from banditproof.verify.judge.ways.points import Asked, failing

FACT = "Chernoff's bound: the tail of a {} law is at most the least mean of e^(t (X - x))"
ZERO, ONE, DRAWS = num(0), num(1), 500


def by_chernoff(asked: Asked) -> Iterator[tuple[tuple[Asked, ...], str, tuple[str, ...]]]:
    """A comparison whose smaller side is a tail of counts, or a sum of positive multiples of such, by their bounds."""
    if asked.comparison.sign not in ("<", "<=", ">", ">="):
        return
    larger, smaller, sign = turned(asked)
    needed, inside, at_zero = list[Compare](), list[Compare](), list[tuple[Compare, Expression]]()
    facts: list[str] = []
    bound = _bound(smaller, asked.ranges, (needed, inside, at_zero), facts)
    if bound is None or not facts:
        return

    def claim(bound: Expression, *where: Compare) -> Asked:
        return replace(
            asked, comparison=Compare(larger, sign, bound), conditions=(*asked.conditions, *where), printed=False
        )

    if smaller.head in ("sum", "sub"):  # beyond all counts there is no tail
        claims = [claim(bound, *inside), claim(ZERO), *(claim(value, where) for where, value in at_zero)]
    else:
        needed, claims = [*needed, *inside], [claim(bound)]
    asks = (*claims, *(replace(asked, comparison=c, printed=False) for c in needed))
    if all(failing(claim, draws=DRAWS)[0] is None for claim in asks):
        yield asks, "tails are at most their exponential bounds", tuple(dict.fromkeys(facts))


Needed = tuple[list[Compare], list[Compare], list[tuple[Compare, Expression]]]
"""What has to hold, where the bound holds, and the probability at counts where it has no value."""


def _bound(e: Expression, ranges: Mapping[str, Range], needed: Needed, facts: list[str]) -> Expression | None:
    """What is at least this formula; None where no tail stands in it alone."""
    if e.head == "add":
        left, right = (_bound(part, ranges, needed, facts) for part in e.args)
        return None if left is None or right is None else binary("add", left, right)
    if e.head == "mul" and e.args[0].head == "num" and e.args[0].args[0] > 0:
        inner = _bound(e.args[1], ranges, needed, facts)
        return None if inner is None else binary("mul", e.args[0], inner)
    upper = e.head == "sub" and e.args[0] == ONE
    total = e.args[1] if upper else e
    if total.head != "sum" or total.args[1] != ZERO:
        return None
    i, _, last, term = total.args
    mean, of = _of_poisson(term, i), _of_binomial(term, i)
    if of is not None and last == call("min", *last.args[1:2], of[0]):
        last = last.args[1]
    if last == call("max", num(-1), *last.args[2:]):
        last = last.args[2]
    if (x := threshold(last, upper, ranges)) is None:
        return None
    if mean is not None:
        facts.append(FACT.format("Poisson"))
        needed[0].extend((Compare(mean, ">", ZERO), Compare(x, ">=" if upper else "<=", mean)))
        needed[1].extend([Compare(x, ">", ZERO)] * (not upper))
        needed[2].extend([(Compare(x, "==", ZERO), call("exp", Expression("neg", (mean,))))] * (not upper))
        above = next((x.args[1 - k] for k in (0, 1) if x.head == "add" and x.args[k] == mean), binary("sub", x, mean))
        return call("exp", binary("add", above, binary("mul", x, call("log", binary("div", mean, x)))))
    if of is None or not _whole(of[0], ranges):
        return None
    n, p = of
    facts.append(FACT.format("binomial"))
    share = _share(x, n)
    needed[0].extend((Compare(share, ">=" if upper else "<=", p), Compare(n, ">", ZERO)))
    needed[0].extend((Compare(p, ">", ZERO), Compare(p, "<", ONE)))
    needed[1].append(Compare(share, "<=", ONE) if upper else Compare(share, ">=", ZERO))
    return call("exp", binary("mul", Expression("neg", (n,)), call("kl", share, p)))


def _share(x: Expression, n: Expression) -> Expression:
    """x/n, where n is a factor of a part without it there."""
    if x == n:
        return ONE
    if x.head in ("add", "sub"):
        return binary(x.head, *(_share(part, n) for part in x.args))
    if x.head in ("mul", "div") and n == x.args[0]:
        return x.args[1] if x.head == "mul" else binary("div", ONE, x.args[1])
    return x.args[0] if x.head == "mul" and n == x.args[1] else binary("div", x, n)


def threshold(last: Expression, upper: bool, ranges: Mapping[str, Range]) -> Expression | None:
    """x such that what is above the last count, or up to it, is X >= x, or X <= x, or less than that; None of no count.

    X > floor(x), X >= ceil(x) and X > ceil(x) say that X >= x; but X >= floor(x) does not. So it is of X <= ceil(x).
    """
    before = last.head == "sub" and last.args[1] == ONE
    t = last.args[0] if before else last
    wider = {(True, True): "floor", (False, False): "ceil"}.get((upper, before))
    if t.head == "call" and t.args[0] in ("ceil", "floor"):
        return t if t.args[0] == wider else t.args[1]
    return t if _whole(t, ranges) else None


def _whole(e: Expression, ranges: Mapping[str, Range]) -> bool:
    """Whether a formula is a whole number by its form, of either sign."""
    if e.head == "var":
        return e.args[0] in ranges and ranges[e.args[0]].integer
    if e.head == "num":
        return e.args[0].denominator == 1
    return e.head in ("add", "sub", "mul", "neg") and all(_whole(part, ranges) for part in e.args)


def _of_poisson(term: Expression, i: str) -> Expression | None:
    """The mean, if this is the probability of i."""
    k = Expression("var", (i,))
    if term.head == "div" and term.args[1] == call("factorial", k) and term.args[0].head == "mul":
        decay, power = term.args[0].args
        if power.head == "pow" and power.args[1] == k and i not in names(mean := power.args[0]):
            less = num(-mean.args[0]) if mean.head == "num" else Expression("neg", (mean,))
            return mean if decay == call("exp", less) else None
    return None


def _of_binomial(term: Expression, i: str) -> tuple[Expression, Expression] | None:
    """n and p, if this is the probability of i."""
    k = Expression("var", (i,))
    if term.head != "mul" or term.args[0].head != "mul":
        return None
    (choices, power), failures = term.args[0].args, term.args[1]
    if choices.head != "call" or choices.args[0] != "binom" or choices.args[2] != k or power.head != "pow":
        return None
    n, p = choices.args[1], power.args[0]
    right = power.args[1] == k and failures == binary("pow", binary("sub", ONE, p), binary("sub", n, k))
    return (n, p) if right and i not in names(n) | names(p) else None
