"""From the statements that together imply an answer to a chain of ways that `checker_of_ways` confirms.

The chain is looked for backwards, from what is printed: a claim is shown by a proof that the engine has found already,
by one of the checker's ways, each part of which is looked for in the same manner, or by a proof that is found now.
Nothing here is trusted, as in `certifying`.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import isinf
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.verify.judge.formulas.formula import binary, name, names, num, rational
from banditproof.verify.judge.formulas.lists import (
    as_list,
    compare_as_list,
    expression_of,
    private_as_list,
    range_as_list,
    range_of,
)
from banditproof.verify.judge.formulas.sentence import Compare, Curved, Exists, Monotone, Private, Reading
from banditproof.verify.judge.found import Failure, Proved
from banditproof.verify.judge.receipts import checker_of_proofs, checker_of_ways
from banditproof.verify.judge.receipts.certifying import NOT_CONFIRMED, NoReceipt, _proof_of
from banditproof.verify.judge.receipts.checker_of_proofs import (
    ONE,
    TWO,
    ZERO,
    exchanged,
    margin,
    put,
    read,
    subformulas,
    symbols,
)
from banditproof.verify.judge.receipts.checker_of_ways import ENDLESS, WAYS
from banditproof.verify.judge.receipts.leading import check_expansion
from banditproof.verify.judge.ways.combined import sums_of_conditions
from banditproof.verify.judge.ways.from_conditions import lower_bounds
from banditproof.verify.judge.ways.goals import defined
from banditproof.verify.judge.ways.of_terms import NoWord, reading_of
from banditproof.verify.judge.ways.points import Asked, seems_equal, seems_true
from banditproof.verify.proof.deduction import unfit

Claim = dict[str, Any]
Given = tuple[str, list[Any]]
DEEPEST, MOST_CLAIMS, SHARE, SECONDS, DRAWS, SPOILED = 5, 80, 0.05, 60.0, 400, 0.2
ROUNDING = 1e-9
TERMS = 1, 10, 100, 200, 1000  # of a series
WORDS = {(True, False): "rises", (True, True): "increases", (False, False): "falls", (False, True): "decreases"}
NOT_SHOWN = (NoReceipt, NoWord, InvalidInput, *NOT_CONFIRMED)


def argued(reading: Reading, evidence: Sequence[Any]) -> Claim:
    """The claim of a reading with a chain of ways that shows it. Raises NoReceipt."""
    claim = json.loads(json.dumps(claim_of(reading)))
    proof = _Search([p for p in evidence if isinstance(p, Proved)]).proof(claim, DEEPEST)
    found = json.loads(json.dumps({"said": reading.said, **claim, "proof": proof}))
    if why := checker_of_ways.check_way(found):
        raise NoReceipt(why)
    return found


def argued_against(reading: Reading, failure: Failure, evidence: Sequence[Any]) -> Claim:
    """The claim that a reading is false at a point, where both sides are equal or an infimum is another one.

    Raises NoReceipt.
    """
    search = _Search([p for p in evidence if isinstance(p, Proved)])
    claim = json.loads(json.dumps(claim_of(reading)))
    sign, *sides = claim["comparison"]
    claim["comparison"] = ["fails", sign, sides]
    point = {x: str(v) for x, v in failure.point.items()}
    bounds = [e for known, _ in search.known for e in (known.comparison.left, known.comparison.right)]
    summed = [("partial", [point, last]) for last in TERMS]
    for way, given in [("tied", [point]), *(("missed", [point, as_list(e)]) for e in bounds), *summed]:
        with suppress(*NOT_SHOWN, LookupError, ValueError, TypeError):
            parts = [search.proof(part, 1) for part in json.loads(json.dumps(WAYS[way](claim, *given)))]
            return {"said": f"that {reading.said} is false", **claim, "proof": _way(way, given, parts)}
    raise NoReceipt("neither equal sides nor an infimum")


def _way(name: str, given: Sequence[Any], parts: Sequence[Any]) -> dict[str, Any]:
    return {"way": name, "given": given, "parts": parts}


def claim_of(reading: Reading) -> Claim:
    sentence = reading.sentence
    if isinstance(sentence, Compare):
        sides = (sentence.left, sentence.right)
        left, right = (defined(e, reading.ranges, other) for e, other in (sides, sides[::-1]))
        sentence = Compare(left, sentence.sign, right)
        if sentence.sign != "==" and any(e.head in ("inf", "sup") and e.args[1].reached for e in sides):
            raise NoReceipt("that there is a minimum")
        compared: list[Any] = compare_as_list(sentence)
    elif isinstance(sentence, Monotone):
        word = WORDS[sentence.increasing, sentence.strict]
        compared = [word, as_list(sentence.body), ["var", sentence.name]]
    elif isinstance(sentence, Curved):
        compared = [sentence.shape, as_list(sentence.body), ["var", sentence.name]]
    elif isinstance(sentence, Private):
        compared = private_as_list(sentence)
    elif isinstance(sentence, Exists) and isinstance(sentence.sentence, Compare) and sentence.wanted == "any":
        compared = ["there is", ["var", sentence.name], compare_as_list(sentence.sentence)]
        reading = replace(reading, ranges={**reading.ranges, sentence.name: sentence.range})
    else:
        raise NoReceipt("no comparison")
    if not all(isinstance(c, Compare) for c in reading.conditions):
        raise NoReceipt("a condition that is no comparison")
    ranges = {n: range_as_list(r) for n, r in reading.ranges.items()}
    conditions = [compare_as_list(c) for c in reading.conditions if isinstance(c, Compare)]
    return {"comparison": compared, "ranges": ranges, "conditions": conditions}


def _asked(claim: Claim) -> Asked:
    def compared(c: Any) -> Compare:
        return Compare(expression_of(c[1]), c[0], expression_of(c[2]))

    ranges = {n: range_of(r) for n, r in claim["ranges"].items()}
    return Asked(compared(claim["comparison"]), ranges, tuple(map(compared, claim["conditions"])), printed=False)


def _is_compared(claim: Claim) -> bool:
    """Whether a claim compares formulas of numbers."""
    sign, *sides = claim["comparison"]
    return sign in checker_of_ways.FLIPPED and not any(side[0] in ("inf", "sup") for side in sides)


def _seems_true(claim: Claim) -> bool:
    if "expansion" in claim or not _is_compared(claim):
        return True
    asked = _asked(claim)
    if not names(asked.comparison.left) | names(asked.comparison.right) <= asked.ranges.keys():
        return False  # of the index of a sum, outside of it
    with suppress(ValueError, KeyError, TypeError):  # what floats do not know
        if asked.comparison.sign != "==":
            return seems_true(asked, DRAWS, SPOILED)
        left, right = (binary("add", num(1), e) for e in (asked.comparison.left, asked.comparison.right))
        return seems_equal(replace(asked, comparison=Compare(left, "==", right)))  # small against 1, where it is 0
    return True


class _Search:
    """A search for a chain, which knows proofs of some statements."""

    def __init__(self, evidence: Sequence[Proved]) -> None:
        self.known: list[tuple[Asked, Proved]] = []
        self.failed: dict[str, int] = {}
        self.claims = 0
        for proved in evidence:
            with suppress(NoWord, AssertionError):
                reading = reading_of(proved.statement)
                assert isinstance(reading.sentence, Compare)
                self.known.append((Asked(reading.sentence, reading.ranges, reading.conditions), proved))

    def proof(self, claim: Claim, deep: int) -> dict[str, Any]:
        """A proof of a claim, by parts that are at most so deep. Raises NoReceipt."""
        if "expansion" in claim:
            if why := check_expansion(claim["expansion"]):
                raise NoReceipt(why)
            return {"expansion": "of both sides"}
        key = json.dumps(claim)
        if self.failed.get(key, -1) >= deep:
            raise NoReceipt("looked for before")
        self.claims += 1
        if self.claims > MOST_CLAIMS:
            raise NoReceipt("too many claims")
        ways = [self._by_engine, partial(self._by_ways, deep=deep)]
        if deep == DEEPEST and len(self.known) > 1 and claim["conditions"]:  # which the engine did not show as a whole
            ways.reverse()
        for found in (self._by_evidence, *ways):
            if (proof := found(claim)) is not None:
                return proof
        self.failed[key] = deep
        raise NoReceipt(f"no way to show {key}")

    def _shows(self, claim: Claim, proved: Proved) -> dict[str, Any] | None:
        with suppress(*NOT_SHOWN, *unfit()):
            proof = _proof_of(claim, proved)
            checker_of_proofs.show(claim, proof)
            return proof
        return None

    def _by_evidence(self, claim: Claim) -> dict[str, Any] | None:
        if not _is_compared(claim):
            return None
        for made in (_by_form, _on_one_box):
            with suppress(*NOT_SHOWN):
                checker_of_proofs.show(claim, proof := made(claim))
                return proof
        asked = _asked(claim)
        for known, proved in self.known:
            if known.ranges.keys() == asked.ranges.keys() and _alike(known, asked):
                if (proof := self._shows(claim, proved)) is not None:
                    return proof
        return None

    def _by_engine(self, claim: Claim) -> dict[str, Any] | None:
        from banditproof.verify.judge.ways.proofs import proved

        if not _is_compared(claim):
            return None
        found = proved(_asked(claim), SHARE, SECONDS)
        return self._shows(claim, found) if isinstance(found, Proved) else None

    def _by_ways(self, claim: Claim, deep: int) -> dict[str, Any] | None:
        sign, left, right = claim["comparison"]
        only_valued = sign == "<=" and list(right) == ["add", left, list(ONE)]
        proposed = _of_values if only_valued else _proposed
        for way, given in proposed(claim, self.known) if deep else ():
            given = json.loads(json.dumps(given))
            try:
                parts = json.loads(json.dumps(WAYS[way](claim, *given)))
            except (*NOT_CONFIRMED, LookupError, ValueError, TypeError):
                continue
            if not all(map(_seems_true, parts)):
                continue
            with suppress(NoReceipt):
                parts = [self.proof(part, deep - 1 if way not in ("kept", "wider") else 0) for part in parts]
                return _way(way, given, parts)
        return None


def _by_form(claim: Claim) -> dict[str, Any]:
    """The proof of what the form of its sides shows."""
    lows = {x: read(r["low"]) for x, r in claim["ranges"].items()}
    places = {x: [low[1] if low[0] == "num" else "0", 0] for x, low in lows.items()}
    faces = (checker_of_proofs.start(claim, values)[0] for values in checker_of_proofs.faces(claim["ranges"], places))
    return {"places": places, "faces": [["absurd"] if known.impossible else ["form"] for known in faces]}


def _on_one_box(claim: Claim) -> dict[str, Any]:
    return {"boxes": "P"}


def _alike(a: Asked, b: Asked) -> bool:
    """Whether two comparisons have the same gap, as far as floats see."""
    (less, more), (least, most) = _turned(a), _turned(b)
    with suppress(ValueError, KeyError, TypeError):
        return seems_equal(replace(b, comparison=Compare(binary("add", more, least), "==", binary("add", most, less))))
    return True


def _turned(asked: Asked) -> tuple[Any, Any]:
    c = asked.comparison
    return (c.left, c.right) if c.sign[0] == "<" else (c.right, c.left)


# --------------------------------------------------------------------------------------------------- what is tried


def _proposed(claim: Claim, known: list[tuple[Asked, Proved]]) -> Iterator[Given]:
    sign, left, right = claim["comparison"]
    if sign == "there is":
        yield from _witnessed(claim, known)
        return
    if sign not in checker_of_ways.FLIPPED:
        yield "kept" if sign == "keeps" else "derivative", []
        yield from (("places", [x]) for k, _ in known for x in k.ranges.keys() - claim["ranges"].keys())
        return
    less, more = (left, right) if sign[0] == "<" else (right, left)
    if list(more[:2]) == ["call", "min"] or list(less[:2]) == ["call", "max"]:
        yield "each", []
    if any(side[0] in ("inf", "sup") for side in (left, right)):
        yield from _infima(claim, known)
        return
    left, right = read(left), read(right)
    yield from _with_numbers(claim, known)
    for found in sums_of_conditions(_asked(claim)):
        yield "together", [[[as_list(f), k.place] for f, k in found.multiples], as_list(found.rest)]
    yield from _of_ranges(claim, known)
    less, more = (left, right) if sign[0] == "<" else (right, left)
    inside = subformulas(left) | subformulas(right)
    if any(not k.ranges for k, _ in known):
        yield from _touching(claim)
    if more[:2] == ("call", "sqrt"):
        yield "squares", []
    if less[:2] == ("call", "min"):
        yield "least", []
    if any(side[:2] == ("call", "Phi") for side in (left, right)):
        yield "tail", []
    for f in inside:
        if f[:2] == ("call", "Phi"):
            half = ("div", ("call", "exp", ("neg", ("div", ("pow", f[2], TWO), TWO))), TWO)
            bounds = (">=", ZERO), ("<=", half), (">=", ("sub", ONE, half))
            yield from (("bounded", [f, *bound]) for bound in bounds)
    if any(side[:2] == ("call", "W") for side in (left, right)):
        yield from (("inverse", []), ("branch", []))
    yield from _parts_below(claim, known, less, more)
    yield from _summed(claim, left, right)
    if more[0] == "sub" and more[2][:2] == ("call", "exp"):
        sides = more[2], ("sub", more[1], less)
        yield "instead", list(sides if sign[0] == "<" else sides[::-1])
    if any(k.comparison.sign == "==" for k, _ in known):
        yield from _scaled(claim, known)
    yield from _closest(claim, known)
    yield from _turns(claim)
    yield from _by_equations(claim, known, left, right)
    if any(f[:2] in (("call", "exp"), ("call", "factorial")) or f[0] == "pow" and f[2][0] != "num" for f in inside):
        logged = {f[2][:2] for f in inside if f[:2] == ("call", "log")}
        if not any(side[:2] == ("call", "log") for side in (left, right)) and ("call", "factorial") not in logged:
            yield "logs", []
    if any(f[0] in ("sum", "prod") or f[:2] == ("call", "factorial") for f in inside):
        yield from _counted(claim)
    if any(f[:2] == ("call", "gamma") for f in inside):
        yield from (("stepped", [x]) for x, r in claim["ranges"].items() if not r["integer"])
    yield from _rounded(claim, inside)
    yield from _of_numbers(claim)
    yield from _bounded(claim, known, inside)
    for x, r in claim["ranges"].items() if len(claim["ranges"]) == 1 else ():
        if not r["integer"] and not (r["low_open"] and r["high_open"]):
            yield "ends", [x]


def _witnessed(claim: Claim, known: list[tuple[Asked, Proved]]) -> Iterator[Given]:
    """The numbers of which a known statement speaks."""
    from banditproof.verify.judge.ways.kinds import CONSTANTS

    for c in CONSTANTS:
        given = ["num", str(c)]
        asked = _asked(checker_of_ways.witness(claim, given)[-1])
        if any(k.ranges.keys() == asked.ranges.keys() and _alike(k, asked) for k, _ in known):
            yield "witness", [given]


def _infima(claim: Claim, known: list[tuple[Asked, Proved]]) -> Iterator[Given]:
    """Beside a place, or toward an end, where the known statements speak of a small number; else at a place."""
    from banditproof.verify.judge.ways.extrema import near_places
    from banditproof.verify.judge.ways.goals import _witnesses

    _, left, right = claim["comparison"]
    (head, x, over, body), other = (left, right) if left[0] in ("inf", "sup") else (right, left)
    ranges = {n: range_of(r) for n, r in claim["ranges"].items()}
    body, over = expression_of(body), range_of(over)
    for k, _ in known:
        eased, small = read(as_list(_turned(k)[head == "inf"])), [*k.ranges.keys() - ranges.keys()]
        if len(small) == 1 and eased[:2] == ("add" if head == "inf" else "sub", read(other)):
            for place in near_places(body, x, over, ranges, name(small[0])):
                yield "infimum", [as_list(place), small[0], eased[2][1]]
    for place in _witnesses(body, x, over, ranges):
        yield "infimum", [as_list(place)]


def _of_values(claim: Claim, known: list[tuple[Asked, Proved]]) -> Iterator[Given]:
    """Where a claim says that a formula has a value."""
    yield from _with_numbers(claim, known, valued=True)
    yield from _of_ranges(claim, known)


def _of_ranges(claim: Claim, known: list[tuple[Asked, Proved]]) -> Iterator[Given]:
    """Cuts, ends and orders of variables, as the known statements have them."""
    asked = _asked(claim)
    yield from _named(claim, known)
    for x, r in asked.ranges.items():
        others = [k.ranges[x] for k, _ in known if x in k.ranges]
        low, high = asked.ends[x]
        ends = {Fraction(e.args[0]) for o in others for e in (o.low, o.high) if e.head == "num"}
        ends |= {Fraction(0)} if isinf(low) and ends else set()
        if places := sorted(e for e in ends if low + ROUNDING < e < high - ROUNDING):
            yield "cut", [x, list(map(str, places))]
        opened = [o for o in others if o.low_open and o.high_open and _same(o.low, r.low) and _same(o.high, r.high)]
        if not r.integer and not (r.low_open and r.high_open) and opened:
            yield "ends", [x]
        if isinf(low) and high <= 0:
            yield "mirrored", [x]
        if 0 <= low and high <= 1 and high - low < 1 and r.low_open and r.high_open and not r.integer:
            yield "wider", [x, list(ZERO), list(ONE)]
    for k in range(len(asked.conditions)):
        if all(len(other.conditions) < len(asked.conditions) for other, _ in known):
            yield "fewer", [k]
        if asked.ranges.keys() & {n for n, *_ in lower_bounds(asked.conditions[k])}:
            yield from (("above", [k, sign]) for sign in (">", ">="))
    reals = [x for x, r in asked.ranges.items() if not r.integer]
    for p, q in itertools.permutations(reals, 2):
        if asked.ranges[p] == asked.ranges[q]:
            if not asked.conditions and any(k.conditions for k, _ in known):
                yield "orders", [p, q]
            if asked.ranges[p].low_open and asked.ranges[p].high_open:
                yield "apart", [p, q]


def _same(end: Any, other: Any) -> bool:
    return end == other or rational(end) == rational(other) is not None


def _named(claim: Claim, known: list[tuple[Asked, Proved]]) -> Iterator[Given]:
    """Numbers as powers, exponentials and multiples of numbers, as the known statements have them."""
    inside = subformulas(read(claim["comparison"][1])) | subformulas(read(claim["comparison"][2]))
    for x, r in claim["ranges"].items():
        if r["integer"]:
            continue
        here, root = ("var", x), ("var", f"root_{x}")
        degrees = {_degree(f[2]) for f in inside if f[0] == "pow" and f[1] == here} - {1}
        degrees |= {2} if ("call", "sqrt", here) in inside else set()
        for n in sorted(degrees) if read(r["low"]) == ZERO and read(r["high"]) in ENDLESS else ():
            yield "named", [x, ("pow", root, ("num", str(n))), root[1], ("pow", here, ("num", f"1/{n}")), r]
        others = claim["ranges"].keys() - {x}
        for y, given in {
            y: r for k, _ in known for y, r in k.ranges.items() if k.ranges.keys() == others | {y}
        }.items():
            if y not in claim["ranges"]:
                there, r = ("var", y), range_as_list(given)
                yield "named", [x, ("call", "exp", there), y, ("call", "log", here), r]
                yield "named", [x, ("call", "exp", ("neg", there)), y, ("neg", ("call", "log", here)), r]
                if {f[1] for f in inside if f[0] == "call"} & {"erf", "erfc"}:
                    half = ("call", "sqrt", TWO)
                    yield "named", [x, ("div", there, half), y, ("mul", here, half), r]
                for z in sorted(others):
                    yield "named", [x, ("mul", ("var", z), there), y, ("div", here, ("var", z)), r]


def _degree(exponent: Any) -> int:
    """The degree of the root that a power takes."""
    parts = exponent[1:] if exponent[0] == "div" else (exponent,)
    if any(part[0] != "num" for part in parts):
        return 1
    numbers = [Fraction(part[1]) for part in parts]
    return (numbers[0] / numbers[1] if numbers[1:] else numbers[0]).denominator


def _scaled(claim: Claim, known: list[tuple[Asked, Proved]]) -> Iterator[Given]:
    """By a known product of the gap."""
    gap = margin(claim["comparison"])[0]
    for k, _ in known:
        product, other = (read(as_list(side)) for side in (k.comparison.left, k.comparison.right))
        if k.comparison.sign == "==" and product[0] == "mul" and product[2] == gap:
            yield "scaled", [product[1], other]


def _by_equations(claim: Claim, known: list[tuple[Asked, Proved]], left: Any, right: Any) -> Iterator[Given]:
    """Equations among the known statements: of a part, or of the gap."""
    sign = claim["comparison"][0]
    for k, _ in known:
        if k.comparison.sign == "==" and k.ranges.keys() <= claim["ranges"].keys():
            part, other = read(as_list(k.comparison.left)), read(as_list(k.comparison.right))
            inside = subformulas(left) | subformulas(right)
            like = [f for f in inside if f == part or f[0] == part[0] == "sum" and f[2] == part[2]]  # of any index
            if like:
                yield from (("bounded", [f, "==", other]) for f in like)
            elif sign != "==" and other not in (left, right):
                yield "instead", [("num", "0"), other] if sign[0] == "<" else [other, ("num", "0")]


def _counted(claim: Claim) -> Iterator[Given]:
    for n, r in claim["ranges"].items():
        if r["integer"] and read(r["high"]) in ENDLESS:
            yield "onwards", [n]
            yield "counted", [n]


def _parts_below(claim: Claim, known: list[tuple[Asked, Proved]], less: Any, more: Any) -> Iterator[Given]:
    """Binomial coefficients by factorials; sums and powers by what is known to be at most the other side."""
    if less[0] == "pow" and more[:2] == ("call", "exp"):
        yield "powers", []
    if claim["comparison"][0] == "==":
        yield from [("binomial", [])] * (less[:2] == ("call", "binom") or more[:2] == ("call", "binom"))
        return
    for f in subformulas(less) | subformulas(more):
        if f[:2] == ("call", "binom"):
            n, k = f[2:]
            over = ("mul", ("call", "factorial", k), ("call", "factorial", ("sub", n, k)))
            yield "bounded", [f, "==", ("div", ("call", "factorial", n), over)]
    for f in (f for f in subformulas(less) if f[0] == "sum" or f[0] == "pow" and symbols(f[2])):
        for least, most in (map(read, map(as_list, _turned(k))) for k, _ in known):
            yield from [("bounded", [f, "<=", least])] * (most == more and f != least)


def _summed(claim: Claim, left: Any, right: Any) -> Iterator[Given]:
    """Sums by their closed forms, where a summand depends on their end."""
    for f in (f for f in subformulas(left) | subformulas(right) if f[0] == "sum"):
        for m, given, form in _closed(claim, f) if f[3][0] == "var" and f[3][1] in symbols(f[4]) else ():
            equal = put(form, {m: f[3]})
            if claim["comparison"][0] == "==" and (left, right) == (f, equal):
                yield "special", [m, given, f[3], (*f[:3], ("var", m), f[4]), form]
            else:
                yield "bounded", [f, "==", equal]


def _closed(claim: Claim, total: Any) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """The closed forms of a sum up to a count of its own, and the name and the range of that."""
    from banditproof.verify.judge.ways.closed_forms import closed

    head, index, low, (_, last), body = total
    m, given = f"{last}_", {**claim["ranges"][last], "low": low}
    ranges = {n: range_of(r) for n, r in {**claim["ranges"], m: given}.items()}
    for geometric in (False, True):
        if (form := closed(expression_of((head, index, low, ("var", m), body)), ranges, geometric)) is not None:
            yield m, given, read(as_list(form))


def _rounded(claim: Claim, inside: set[Any]) -> Iterator[Given]:
    from banditproof.verify.judge.ways.residues import period

    rounded = [expression_of(f[2]) for f in inside if f[:2] in (("call", "floor"), ("call", "ceil"))]
    for n, r in claim["ranges"].items() if rounded else ():
        if r["integer"] and (m := period(rounded, n)) is not None:
            yield "residues", [n, m]


def _bounded(claim: Claim, known: list[tuple[Asked, Proved]], inside: set[Any]) -> Iterator[Given]:
    """Parts with a known bound: a largest of two, tangents of roots, logarithms and exponentials, powers."""
    from banditproof.verify.judge.ways.bounded_parts import _of_power

    places = [read(as_list(k.comparison.left)) for k, _ in known if k.comparison.sign == ">"]
    sides = (side for k, _ in known for side in (k.comparison.left, k.comparison.right))
    tangents = {
        f[1][1][1]: f
        for s in sides
        for f in subformulas(read(as_list(s)))
        if f[0] == f[1][0] == "div" and f[1][1][0] == "add"
    }
    for f in sorted(inside, key=str):
        if f[:2] in (("call", "max"), ("call", "min")):
            yield from (("bounded", [f, "==", g]) for g in f[2:])
        if f[:2] == ("call", "sqrt") and f[2] in tangents:
            yield "bounded", [f, "<=", tangents[f[2]]]
        if f[:2] == ("call", "log") and symbols(f):
            yield "bounded", [f, "<=", ("sub", f[2], ONE)]
            for c in (c for c in places if c != f[2]):
                tangent = ("sub", ("add", ("div", f[2], c), ("call", "log", c)), ONE)
                yield "bounded", [f, "<=", tangent]
        if f[:2] == ("call", "exp") and symbols(f):
            yield "bounded", [f, ">=", ("add", ONE, f[2])]
        if f[0] == "pow" and symbols(f[1]) and symbols(f[2]):
            for bound in _of_power(expression_of(f[1]), expression_of(f[2])):
                yield "bounded", [f, "<=" if bound.upper else ">=", as_list(bound.formula)]


def _turns(claim: Claim) -> Iterator[Given]:
    """By the signs of a chain of derivatives in one variable."""
    from banditproof.verify.judge.ways.turning import links_of

    asked = _asked(claim)
    larger, smaller = _turned(asked)[::-1]
    for x, r in asked.ranges.items() if len(asked.ranges) == 1 and claim["comparison"][0] != "==" else ():
        if r.low_open and r.high_open and not r.integer:
            links = links_of(binary("sub", larger, smaller), x, r) or []
            yield "turns", [x, [[as_list(h), as_list(then), *signs] for h, then, signs in links]]


def _with_numbers(claim: Claim, known: list[tuple[Asked, Proved]], valued: bool = False) -> Iterator[Given]:
    """With a number for a factorial, as the known statements have it, where that is one of them or only has a value."""
    sign, *sides = claim["comparison"]
    left, right = map(read, sides)
    factorials = [f for f in subformulas(left) | subformulas(right) if f[:2] == ("call", "factorial")]
    for k, f in itertools.product((k for k, _ in known), factorials):
        for x in k.ranges.keys() - claim["ranges"].keys():
            given, sides = range_as_list(k.ranges[x]), [exchanged(side, f, ("var", x)) for side in (left, right)]
            there = {**claim, "comparison": [sign, *sides], "ranges": {**claim["ranges"], x: given}}
            if valued or (there["ranges"].keys() == k.ranges.keys() and _alike(k, _asked(there))):
                yield "special", [x, given, f, *sides]


def _closest(claim: Claim, known: list[tuple[Asked, Proved]]) -> Iterator[Given]:
    """At the place of a number where the sides come closest, if the known statements tell of what moves from there."""
    reals = [name(x) for x, r in claim["ranges"].items() if not r["integer"] and claim["comparison"][0] != "=="]
    factors = [k.comparison.left.args[0] for k, _ in known if k.comparison.left.head == "mul"]
    for x, p in dict.fromkeys(f.args for f in factors if f.head == "sub"):
        if x in reals and p not in reals:  # else it is a matter of two numbers in order
            yield "closest", [x.args[0], as_list(p)]


def _touching(claim: Claim) -> Iterator[Given]:
    """At a number where the sides may touch."""
    asked = _asked(claim)
    for x, (low, high) in asked.ends.items():
        for c in (c for c in (0, 1, Fraction(1, 2)) if low < c < high and not asked.ranges[x].integer):
            yield from (("touching", [x, ["num", str(c)], k]) for k in (2, 4))


def _of_numbers(claim: Claim) -> Iterator[Given]:
    """By derivatives in one variable."""
    yield from _touching(claim)
    asked = _asked(claim)
    for x, r in asked.ranges.items():
        if r.integer:
            continue
        if len(asked.ranges) == 1:
            yield from (("falls", [x, end]) for end in ("high", "low"))
        else:
            ends = [end for end in ("low", "high") if getattr(r, end).head == "num"]
            yield from (("rising", [x, end, k]) for end in ends for k in (2, 3))
