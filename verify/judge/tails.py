"""Tails of counts by Chernoff's bound: Markov's inequality for exp(t X), with the best t.

For a Poisson law of this mean, P(X >= x) <= e^(x - mean) (mean/x)^x where x >= mean, and the same of P(X <= x) where
0 < x <= mean. For a binomial law, P(X >= x) <= e^(-n kl(x/n, p)) where n p <= x <= n, and the same of P(X <= x) where
0 <= x <= n p.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from banditproof.verify.judge.formula import binary, call, names, num
from banditproof.verify.judge.from_far import turned
from banditproof.verify.judge.points import Asked, failing
from banditproof.verify.judge.sentence import Compare, Expression

FACT = "Chernoff's bound: the tail of a {} law is at most the least mean of e^(t (X - x))"
ONE, DRAWS = num(1), 500


def by_chernoff(asked: Asked) -> Iterator[tuple[tuple[Asked, ...], str, tuple[str, ...]]]:
    """A comparison whose smaller side is a tail of counts, or a sum of positive multiples of such, by their bounds."""
    if asked.comparison.sign not in ("<", "<=", ">", ">="):
        return
    larger, smaller, sign = turned(asked)
    needed: list[Compare] = []
    facts: list[str] = []
    bound = _bound(smaller, needed, facts)
    if bound is None or not facts:
        return
    claims = [Compare(larger, sign, bound), *needed]
    asks = tuple(replace(asked, comparison=c, printed=False) for c in claims)
    if all(failing(claim, draws=DRAWS)[0] is None for claim in asks):
        yield asks, "tails are at most their exponential bounds", tuple(dict.fromkeys(facts))


def _bound(e: Expression, needed: list[Compare], facts: list[str]) -> Expression | None:
    """What is at least this formula; None where no tail stands in it alone."""
    if e.head == "add":
        both = [_bound(part, needed, facts) for part in e.args]
        return None if None in both else binary("add", *both)  # type: ignore[arg-type]
    if e.head == "mul" and e.args[0].head == "num" and e.args[0].args[0] > 0:
        inner = _bound(e.args[1], needed, facts)
        return None if inner is None else binary("mul", e.args[0], inner)
    upper = e.head == "sub" and e.args[0] == ONE
    total = e.args[1] if upper else e
    if total.head != "sum" or total.args[1] != num(0):
        return None
    i, _, last, term = total.args
    if (mean := _of_poisson(term, i)) is not None:
        x = _threshold(last)
        facts.append(FACT.format("Poisson"))
        needed += [Compare(x, ">=", mean)] if upper else [Compare(x, "<=", mean), Compare(x, ">", num(0))]
        needed.append(Compare(mean, ">", num(0)))
        power = binary("mul", x, call("log", binary("div", mean, x)))
        above = next((x.args[1 - k] for k in (0, 1) if x.head == "add" and x.args[k] == mean), binary("sub", x, mean))
        return call("exp", binary("add", above, power))
    if (of := _of_binomial(term, i)) is not None:
        n, p = of
        x = _threshold(last.args[1] if last == call("min", *last.args[1:2], n) else last)
        facts.append(FACT.format("binomial"))
        share = next(
            (e.args[1 - k] for e in (x,) if e.head == "mul" for k in (0, 1) if e.args[k] == n), binary("div", x, n)
        )
        needed += (
            [Compare(share, ">=", p), Compare(share, "<=", ONE)]
            if upper
            else [Compare(share, "<=", p), Compare(share, ">=", num(0))]
        )
        needed += [Compare(n, ">", num(0)), Compare(p, ">", num(0)), Compare(p, "<", ONE)]
        return call("exp", binary("mul", Expression("neg", (n,)), call("kl", share, p)))
    return None


def _threshold(last: Expression) -> Expression:
    """x of P(X >= x), of P(X <= x), or of the same without equality, from the last count below."""
    if last.head == "sub" and last.args[1] == ONE:
        last = last.args[0]
    return last.args[1] if last.head == "call" and last.args[0] in ("ceil", "floor") else last


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
