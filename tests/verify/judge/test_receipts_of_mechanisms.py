"""Receipts about mechanisms: whole files, and altered ones against the laws of answers on a grid."""

import itertools
import json
import random
import re
from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import norm

from banditproof import judge
from banditproof.verify.judge.receipts import checker
from banditproof.verify.judge.receipts.checker_of_claims import check_claim
from banditproof.verify.judge.receipts.receipt import NEEDED_FOR, code, receipt
from tests.cases import leaves, lines, rows, texts

TEXTS = texts(__file__)

KEPT = lines(TEXTS["kept"])
BROKEN = lines(TEXTS["broken"])
CHECKERS = ("checker", *NEEDED_FOR, "checker_of_claims")

# ------------------------------------------------------------------- the laws of answers, as numbers on a grid

GRID, STEP = np.linspace(-60, 60, 240_001), 120 / 240_000
ORDERS = 1.05, 1.1, 1.5, 2.0, 4.0, 12.0


def around(shift, density):
    if shift > 4:  # moments are far out
        return np.full((2, 1), np.nan)
    return density(GRID - shift) * STEP, density(GRID) * STEP


def responses(*truths):
    p, q = np.ones(1), np.ones(1)
    for truth in truths:
        p, q = np.outer(p, [truth, 1 - truth]).ravel(), np.outer(q, [1 - truth, truth]).ravel()
    return p, q


def kept_by(kind, budget, size=1):
    """The laws of mechanisms that keep a promise, on inputs that are so many records apart."""
    if kind == "zcdp":
        return around(size * np.sqrt(2 * budget["rho"]), norm.pdf)
    if size > 1:
        return around(size * budget["epsilon"], lambda z: np.exp(-abs(z)) / 2)
    return responses(1 / (1 + np.exp(-budget["epsilon"])))


def laws(law, v):
    """Two laws of a mechanism, which are as far apart as they can be or nearly so."""
    if law == "laplace":
        return around(v["sensitivity"] / v["scale"], lambda z: np.exp(-abs(z)) / 2)
    if law == "gaussian":
        return around(v["sensitivity"] / (v.get("deviation") or np.sqrt(v["variance"])), norm.pdf)
    if law == "geometric":
        k = np.arange(-4000, 4001)
        weights = [np.exp(-v["rate"] * abs(k - shift)) for shift in (np.floor(v["sensitivity"]), 0)]
        return tuple(w * np.tanh(v["rate"] / 2) for w in weights)
    if law == "response":
        return responses(v["truth"])
    if law == "exponential":
        up, others = v["factor"] * v["sensitivity"], (v.get("candidates") or 2) - 1
        far = np.exp(-14 - up)
        p, q = far * np.exp(up), far
        return np.array([p, others]) / (p + others), np.array([q, others * np.exp(up)]) / (q + others * np.exp(up))
    if law == "group":
        return kept_by(*v["of"], v["size"])
    if law == "composition":
        parts = v["parts"] if "parts" in v else [v["of"]] * int(v["count"])
        if parts[0][0] == "dp":
            return responses(*(1 / (1 + np.exp(-b["epsilon"])) for _, b in parts))
        return kept_by("zcdp", {"rho": sum(b["rho"] for _, b in parts)})
    p, q = kept_by(*v["of"])
    return (p, q) if law == "conversion" else (v["rate"] * p + (1 - v["rate"]) * q, q)


def excess(p, q, kind, b, orders=ORDERS):
    """By how much the laws break a promise; below 0 where they keep it."""
    if kind == "dp":
        both = [np.maximum(x - np.exp(b["epsilon"]) * y, 0).sum() for x, y in ((p, q), (q, p))]
        return max(both) - b.get("delta", 0)
    seen = [(x[~(x < 1e-250)], y[~(x < 1e-250)]) for x, y in ((p, q), (q, p))]
    logs = [logsumexp(a * np.log(x) + (1 - a) * np.log(y)) / (a - 1) / a for a in orders for x, y in seen]
    return max(logs) - b["rho"]


def numbers(v, point):
    """Parameters as floats."""
    if isinstance(v, dict):
        return {name: numbers(part, point) for name, part in v.items()}
    if isinstance(v, str):
        return v
    if isinstance(v[0], str) and v[0] not in ("dp", "zcdp"):
        return float(sum(checker.value(v, point)) / 2)
    return [numbers(part, point) for part in v]


def excess_at(sentence, point, orders=ORDERS):
    """By how much a promise is broken at a point; None where no such mechanism is there, nan off the grid."""
    _, (law, parameters), (kind, budget) = sentence
    try:
        v, b = (numbers(of, {n: checker.exactly(x) for n, x in point.items()}) for of in (parameters, budget))
        positive = [v[n] for n in ("scale", "deviation", "variance", "rate", "factor") if n in v]
        possible = min([1.0, *positive]) > 0 and v.get("sensitivity", 1) >= 0 and 0 <= v.get("truth", 0) <= 1
        with np.errstate(all="ignore"):
            return excess(*laws(law, v), kind, b, orders) if possible else None
    except (checker.Unsure, checker.NoValue, OverflowError, ZeroDivisionError):
        return None


# ----------------------------------------------------------------------------------------------------- receipts


@cache
def written(statement):
    return receipt(judge(statement))


def claim_of(statement):
    scope = {"__name__": "receipt"}
    exec(compile(written(statement), "receipt", "exec"), scope)  # the text that was just made
    (claim,) = scope["DATA"]["claims"]
    return claim


@pytest.mark.one_in(4)
@pytest.mark.parametrize("statement", KEPT + BROKEN)
def test_a_sentence_about_a_mechanism_is_confirmed_by_the_standard_library_alone(statement, alone):
    done = alone(written(statement))
    assert done.returncode == 0 and ("is broken" in done.stdout) == (statement in BROKEN), done.stdout + done.stderr


OTHERS = (
    ["<=", ">=", "<", ">"],
    ["add", "sub", "mul", "div", "pow"],
    ["exp", "log", "sqrt"],
    ["dp", "zcdp"],
    ["laplace", "gaussian", "geometric"],
    ["scale", "deviation", "variance", "rate", "factor"],
)


def altered(claim, generator):
    """A claim with one leaf changed: a digit, a sign, an end, an operation, a kind or a law."""
    changed = json.loads(json.dumps(claim))
    *way, last = generator.choice([w for w in leaves(changed) if w[0] != "said"])
    node = changed
    for key in way:
        node = node[key]
    old = str(node[last])
    group = next((g for g in OTHERS if old in g), None)
    if isinstance(node[last], bool):
        node[last] = not node[last]
    elif group:
        node[last] = generator.choice(group)
    elif digits := [i for i, c in enumerate(old) if c.isdigit()]:
        at = generator.choice(digits)
        node[last] = type(node[last])(old[:at] + generator.choice("0123456789") + old[at + 1 :])
    else:
        node[last] = generator.choice(["x", "eps", "rho", "k", "delta", old + "_"])
    return changed


def drawn(claim, generator):
    """A point of a claim's ranges, or None."""
    point = {}
    try:
        for name, r in claim["ranges"].items():
            low, high = (float(checker.value(r[end], {})[0]) for end in ("low", "high"))
            low = max(low, -4)
            high = max(low, min(high, low + 4))
            x = Fraction(generator.uniform(low, high)).limit_denominator(50)
            point[name] = Fraction(generator.randint(int(low), int(high))) if r["integer"] else x
        checker.placed({**claim, "point": {n: str(x) for n, x in point.items()}})
    except (checker.Unsure, checker.NoValue, LookupError):
        return None
    return point


def refutes(claim, generator):
    """Whether the laws on the grid are against what is confirmed."""
    if "broken" in claim:
        data = claim["broken"]
        point = {n: Fraction(x) for n, x in data["point"].items()}
        orders = [float(data["shown"]["order"])] if "order" in data["shown"] else ORDERS
        found = excess_at(data["sentence"], point, orders)
        return found is None or found < -1e-4
    points = filter(None, (drawn(claim, generator) for _ in range(20)))
    return any((excess_at(claim["comparison"], point) or 0) > 1e-4 for point in points)


def test_an_altered_promise_is_refused_or_as_its_laws_say(every_point):
    generator, tried, kept = random.Random(5), 0, 0
    for statement in KEPT + BROKEN if every_point else (KEPT[4], BROKEN[6]):
        claim = claim_of(statement)
        assert not check_claim(claim) and not refutes(claim, generator), statement
        for _ in range(300 if every_point else 6):
            other = altered(claim, generator)
            tried += other != claim
            if other != claim and not check_claim(other):
                kept += 1
                assert not refutes(other, generator), (statement, other)
    assert tried > (50 if every_point else 9) and kept > 0


def test_no_checker_hides_a_name_of_another_one():
    """They stand in one file. Of steps and ways with one name, tables that are made before hold the first."""
    names = [re.findall(r"^(?:def |class )?(\w+)(?:\(| = |: )", code(name), re.MULTILINE) for name in CHECKERS]
    counts = Counter(itertools.chain.from_iterable(map(set, names)))
    assert {name for name, count in counts.items() if count > 1} == {"order", "logs"}


OF_ORDERS = dict(rows(TEXTS["of orders"]))


@pytest.mark.parametrize("statement, verdict", OF_ORDERS.items())
def test_promises_of_an_order_are_confirmed_by_the_standard_library_alone(statement, verdict, alone):
    done = alone(receipt(answer := judge(statement)))
    assert answer.verdict == verdict and done.returncode == 0, done.stdout + done.stderr
