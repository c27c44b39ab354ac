"""A comparison with bounds of its logarithms, each of which is a formula with powers alone.

Where a side has c log(u), and nothing else of that logarithm, a lower bound of log(u) may stand there where the larger
side has it with c >= 0, and an upper bound where c <= 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.ways.points import Asked, seems_equal, seems_true

ZERO, ONE, TWO = num(0), num(1), num(2)
MOST = 3  # logarithms


def _less_one(u: Expression) -> Expression:
    return binary("sub", u, ONE)


def _root(u: Expression) -> Expression:
    return call("sqrt", u)


def _inverse(u: Expression) -> Expression:
    return binary("div", ONE, u)


def _between(u: Expression) -> Expression:
    return binary("sub", _root(u), _inverse(_root(u)))


def _quotient(u: Expression) -> Expression:
    return binary("div", binary("mul", TWO, _less_one(u)), binary("add", u, ONE))


@dataclass(frozen=True)
class Bounds:
    """An upper and a lower bound of log(u), and for which u: of all u > 0, or `above` 1, where they change below 1."""

    upper: Callable[[Expression], Expression]
    lower: Callable[[Expression], Expression]
    above: bool | None = None


FAMILIES = (
    Bounds(_less_one, lambda u: binary("sub", ONE, _inverse(u))),
    Bounds(
        lambda u: binary("mul", TWO, _less_one(_root(u))),
        lambda u: binary("mul", TWO, binary("sub", ONE, _inverse(_root(u)))),
    ),
    Bounds(_between, _quotient, above=True),
    Bounds(_quotient, _between, above=False),
)


def by_bounds_of_logarithms(asked: Asked) -> Iterator[tuple[tuple[Asked, ...], str]]:
    """Claims that imply a comparison with logarithms, relative entropies being written out inside of their ranges."""
    c = asked.comparison
    if c.sign[0] not in "<>" or not any(has(side, "log", "kl") for side in (c.left, c.right)):
        return
    entropies = {p for side in (c.left, c.right) for p in parts(side) if p.head == "call" and p.args[0] == "kl"}
    if entropies and (_is_tied(asked) or not entropies <= {*outside(c.left), *outside(c.right)}):
        return
    inner, edges = _opened(asked, entropies) if entropies else (asked, ())
    less, more = (_written(side) for side in ((c.left, c.right) if c.sign[0] == "<" else (c.right, c.left)))
    gap = binary("sub", more, less)
    logs = list(dict.fromkeys(p for p in outside(gap) if p.head == "call" and p.args[0] == "log"))
    if not 1 <= len(logs) <= MOST or any(p in set(outside(q.args[1])) for p in logs for q in logs):
        return
    stems = [f"log_{k}" for k in range(len(logs))]
    linear = gap
    for stem, log in zip(stems, logs, strict=True):
        linear = replaced(linear, log, name(stem))
    try:
        weights = [slope(linear, stem) for stem in stems]
    except NoSlope:
        return
    if any(set(stems) & names(weight) or stem in asked.ranges for weight in weights for stem in stems):
        return
    signed: list[tuple[bool, Asked]] = []
    for weight in weights:
        claims = [replace(inner, comparison=Compare(weight, sign, ZERO), printed=False) for sign in (">=", "<=")]
        seen = [(k == 0, claim) for k, claim in enumerate(claims) if seems_true(claim)]
        if not seen:
            return
        signed.append(seen[0])
    for family in FAMILIES:
        there = {
            stem: (family.lower if low else family.upper)(log.args[1])
            for stem, log, (low, _) in zip(stems, logs, signed, strict=True)
        }
        edge = {None: ZERO, True: ONE, False: ZERO}[family.above]
        bounded = put(linear, there)
        claim = replace(inner, comparison=Compare(bounded, ">" + c.sign[1:], ZERO), printed=False)
        same = replace(inner, comparison=Compare(binary("add", ONE, bounded), "==", ONE), printed=False)
        if c.sign[1:] and seems_equal(same):  # what rules show at once, as they do not show that it is at least 0
            claim = replace(claim, comparison=replace(claim.comparison, sign="=="))
        inside = [Compare(g.args[1], ">=" if family.above else ">", edge) for g in logs]
        inside += [Compare(g.args[1], "<=", ONE) for g in logs if family.above is False]
        needed = [replace(inner, comparison=part, printed=False) for part in inside]
        if all(map(seems_true, needed if claim.comparison.sign == "==" else (claim, *needed))):
            lemmas = [_lemma(family, low) for low in dict.fromkeys(low for low, _ in signed)]
            signs = [of for _, of in signed]
            yield (claim, *needed, *signs, *lemmas, *edges), "with bounds of its logarithms"


def _lemma(family: Bounds, low: bool) -> Asked:
    u = name("u")
    over = {None: Range(ZERO, INFINITY, True, True), True: Range(ONE, INFINITY, high_open=True)}
    over[False] = Range(ZERO, ONE, low_open=True)
    bound = Compare(call("log", u), ">=", family.lower(u)) if low else Compare(call("log", u), "<=", family.upper(u))
    return Asked(bound, {"u": over[family.above]}, printed=False)


def _is_tied(asked: Asked) -> bool:
    return any(names(r.low) | names(r.high) for r in asked.ranges.values())


def _opened(asked: Asked, entropies: set[Expression]) -> tuple[Asked, tuple[Asked, ...]]:
    """The comparison inside of its real ranges, and at ends that belong to them; and that all means lie in (0, 1)."""
    inner, edges = dict(asked.ranges), []
    for word, r in asked.ranges.items():
        if r.integer:
            continue
        inner[word] = replace(r, low_open=True, high_open=True)
        others = {n: s for n, s in asked.ranges.items() if n != word}
        closed = [end for end, open_ in ((r.low, r.low_open), (r.high, r.high_open)) if not open_]
        for end in closed:
            comparison, conditions = put((asked.comparison, asked.conditions), {word: end})
            at_end = Compare(_folded(comparison.left), comparison.sign, _folded(comparison.right))
            edge = Asked(at_end, others, conditions, printed=False)
            claims, _ = next(by_bounds_of_logarithms(edge), ((edge,), ""))
            edges += claims
    opened = replace(asked, ranges=inner, printed=False)
    means = dict.fromkeys(mean for kl in sorted(entropies, key=str) for mean in kl.args[1:])
    inside = [Compare(mean, sign, end) for mean in means for sign, end in ((">", ZERO), ("<", ONE))]
    return opened, (*(replace(opened, comparison=part) for part in inside), *edges)


def _folded(e: Expression) -> Expression:
    """A formula with numbers at an end worked out: kl(0, q) is -log(1 - q), and kl(1, q) is -log(q).

    Parts that go, or change, are polynomials: these have a value everywhere, and q in [0, 1] where it is inside before.
    """
    e = mapped(e, _folded)
    inside = [a for a in e.args if isinstance(a, Expression)]
    polynomial = all(p.head in ("num", "var", "neg", "add", "sub", "mul") for part in inside for p in parts(part))
    if e.head == "call" and e.args[0] == "kl" and e.args[1] in (ZERO, ONE) and polynomial:
        q = e.args[2]
        return Expression("neg", (call("log", binary("sub", ONE, q) if e.args[1] == ZERO else q),))
    if e.head == "call" and e.args[0] == "sqrt" and e.args[1] in (ZERO, ONE):
        return e.args[1]
    return binary(e.head, *e.args) if e.head in ("add", "sub") or (e.head == "mul" and polynomial) else e


def _written(e: Expression) -> Expression:
    """With p log(p/q) + (1 - p) log((1 - p)/(1 - q)) for kl(p, q)."""
    if e.head == "call" and e.args[0] == "kl":
        p, q = (_written(part) for part in e.args[1:])
        rest = [binary("sub", ONE, part) for part in (p, q)]
        terms = [binary("mul", a, call("log", binary("div", a, b))) for a, b in ((p, q), rest)]
        return binary("add", *terms)
    return mapped(e, _written)
