"""Receipts: their code against mpmath, altered ones, and points of true statements."""

import json
import random
import time
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path

import mpmath
import pytest

from banditproof import judge
from banditproof.theory.errors import InvalidInput
from banditproof.verify.judge.formulas.lists import compare_as_list, range_as_list
from banditproof.verify.judge.formulas.sentence import Compare, Unread
from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.receipts import certifying_ways, checker
from banditproof.verify.judge.receipts.receipt import _of_proofs, receipt
from banditproof.verify.judge.ways.points import Asked, corners
from tests.cases import leaves, rows, texts

TEXTS = texts(__file__)

HERE = Path(__file__).parent


def entropy(p, q):
    return mpmath.mpf(0) if p == 0 else p * mpmath.log(p / q)


REFERENCES = {
    "exp": mpmath.exp,
    "log": mpmath.log,
    "sqrt": mpmath.sqrt,
    "erf": mpmath.erf,
    "erfc": mpmath.erfc,
    "Phi": mpmath.ncdf,
    "gamma": mpmath.gamma,
    "W": mpmath.lambertw,
    "tanh": mpmath.tanh,
    "sinh": mpmath.sinh,
    "cosh": mpmath.cosh,
    "atan": mpmath.atan,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "factorial": lambda n: mpmath.gamma(n + 1),
    "kl": lambda p, q: entropy(p, q) + entropy(1 - p, 1 - q),
    "pow": lambda a, b: a**b,
}
RANGES = {
    "exp": (-60, 60),
    "log": (0, 10**6),
    "sqrt": (0, 10**6),
    "erf": (-6, 6),
    "erfc": (-3, 6),
    "Phi": (-8, 8),
    "gamma": (0, 60),
    "W": (0, 10**4),
    "tanh": (-20, 20),
    "sinh": (-20, 20),
    "cosh": (-20, 20),
    "atan": (-20, 20),
    "sin": (-70, 70),
    "cos": (-70, 70),
    "factorial": (0, 30),
    "kl": (0, 1),
    "pow": (0, 40),
}


def drawn(low, high, generator):
    """A rational of any scale between two numbers."""
    kind = generator.randrange(4)
    if kind == 0:
        return Fraction(generator.randint(low * 8 + 1, high * 8 - 1), 8)
    share = generator.random() if kind == 1 else 10.0 ** -generator.uniform(0, 12)
    value = Fraction(share).limit_denominator(10**9) or Fraction(1, 10**9)
    return low + (high - low) * (value if kind < 3 else 1 - value) or Fraction(1, 10**9)


@pytest.mark.parametrize("function", REFERENCES)
def test_an_interval_holds_the_value(function, every_point):
    """Against mpmath at 70 digits; every interval is narrow too."""
    generator, (low, high) = random.Random(function), RANGES[function]
    with mpmath.workdps(70):
        for _ in range(7000 if every_point else 25):
            count = 2 if function in ("kl", "pow") else 1
            given = [drawn(low, high, generator) for _ in range(count)]
            if function == "kl":
                given = [min(max(x, Fraction(1, 10**9)), 1 - Fraction(1, 10**9)) for x in given]
            call = checker.OPERATORS.get(function) or checker.CALLS[function]
            lower, upper = call(*(checker.exactly(x) for x in given))
            right = mpmath.mpf(REFERENCES[function](*(mpmath.mpf(x.numerator) / x.denominator for x in given)).real)
            slack = abs(right) * mpmath.mpf(10) ** -60
            a, b = (mpmath.mpf(e.numerator) / e.denominator for e in (lower, upper))
            assert a - slack <= right <= b + slack, (function, given)
            assert b - a <= mpmath.mpf(10) ** -20 * (1 + abs(right)), (function, given)


@pytest.mark.parametrize("name", ["pi", "e", "euler"])
def test_a_constant_is_enclosed(name):
    with mpmath.workdps(60):
        right = {"pi": mpmath.pi, "e": mpmath.e, "euler": mpmath.euler}[name]
        low, high = checker.CONSTANTS[name]()
        assert mpmath.mpf(low.numerator) / low.denominator <= right <= mpmath.mpf(high.numerator) / high.denominator
        assert high - low < Fraction(1, 10**19)


FALSE = dict(rows(TEXTS["false"]))


FALSE_AT_PLACES = dict(rows(TEXTS["false at places"], data=(1,)))  # and a change that refutes nothing


@pytest.mark.one_in(2)
@pytest.mark.parametrize("statement", FALSE_AT_PLACES)
def test_what_is_said_of_more_places_is_refuted_at_these(statement, alone):
    text = receipt(judge(statement))
    data, *_ = data_of(text)
    assert alone(text).returncode == 0 and "Not checked" not in text
    assert checker.check(data | FALSE_AT_PLACES[statement]) and checker.check(data | {"kind": "no value"})


@pytest.mark.one_in(2)
@pytest.mark.parametrize("statement", FALSE)
def test_a_refutation_is_confirmed_by_the_standard_library_alone(statement, alone):
    text = receipt(judge(statement))
    assert "banditproof" not in text
    done = alone(text)
    assert done.returncode == 0 and FALSE[statement] in done.stdout, done.stdout + done.stderr


def data_of(text):
    scope: dict = {"__name__": "receipt"}
    exec(compile(text, "receipt", "exec"), scope)  # the text that was just made
    return scope["DATA"], scope["SAID"], scope["DIGEST"]


def test_an_altered_receipt_is_not_confirmed(alone):
    """The hash notices every other formula, range or point; a whole new receipt would have to be true."""
    text = receipt(judge("kl(p, q) >= 2.1 (p - q)^2 for p in [0, 1], q in (0, 1)"))
    data, said, digest = data_of(text)
    assert sha256(json.dumps([data, said], sort_keys=True).encode()).hexdigest() == digest
    assert alone(text.replace('"21/10"', '"20/10"')).returncode == 1
    assert alone(text.replace("SAID = 'kl", "SAID = '1 - kl")).returncode == 1


def test_a_forged_refutation_is_not_confirmed():
    """Data with a hash of its own: the point must refute for sure, and lie in the printed ranges."""
    data, *_ = data_of(receipt(judge("log(1 + x) >= x for x > -1")))
    assert checker.check(data) == ""
    for change in ({"point": {"x": "0"}}, {"point": {"x": "-2"}}, {"point": {}}, {"kind": "no value"}):
        assert checker.check(data | change)
    sign, left, right = data["comparison"]
    assert checker.check(data | {"comparison": ["<=", left, right]})


def altered(data, generator):
    """The data with one leaf changed: a digit, a sign, an end, the name of an operation."""
    changed = json.loads(json.dumps(data))
    *way, last = generator.choice(list(leaves(changed)))
    node = changed
    for key in way:
        node = node[key]
    old = node[last]
    if isinstance(old, bool):
        node[last] = not old
    elif any(c.isdigit() for c in old):
        at = generator.choice([i for i, c in enumerate(old) if c.isdigit()])
        node[last] = old[:at] + generator.choice("0123456789") + old[at + 1 :]
    elif old in checker.OPERATORS:
        node[last] = generator.choice([*checker.OPERATORS])
    elif old in ("<=", ">=", "<", ">"):
        node[last] = generator.choice(["<=", ">=", "<", ">"])
    else:
        node[last] = old + "_"
    return changed


def by_mpmath(formula, point):
    """The value of a formula at 60 digits, by other means than the checker's; None where mpmath has none."""
    head, *rest = formula
    if head == "num":
        return mpmath.mpf(Fraction(rest[0]).numerator) / Fraction(rest[0]).denominator
    if head == "var":
        return point[rest[0]]
    if head == "const":
        return {"pi": mpmath.pi, "e": mpmath.e, "inf": mpmath.inf}[rest[0]] + mpmath.mpf(0)
    if head == "sum":
        index, low, high, body = rest
        ends = (int(by_mpmath(end, point)) for end in (low, high))
        first, last = ends
        return mpmath.fsum(by_mpmath(body, {**point, index: mpmath.mpf(k)}) for k in range(first, last + 1))
    values = [by_mpmath(part, point) for part in (rest if head != "call" else rest[1:])]
    if head == "neg":
        return -values[0]
    if head == "mul" and 0 in values:  # 0 log 0 is 0
        return mpmath.mpf(0)
    operators = {"add": "__add__", "sub": "__sub__", "mul": "__mul__", "div": "__truediv__", "pow": "__pow__"}
    return getattr(values[0], operators[head])(values[1]) if head in operators else REFERENCES[rest[0]](*values)


def truly_fails(data):
    """Whether a comparison of a receipt is false at its point by mpmath, beyond all rounding."""
    sign, left, right = data["comparison"]
    point = {n: mpmath.mpf(Fraction(v).numerator) / Fraction(v).denominator for n, v in data["point"].items()}
    with mpmath.workdps(60):
        a, b = by_mpmath(left, point), by_mpmath(right, point)
        return {"<=": a > b, ">=": a < b, "<": a >= b, ">": a <= b}[sign]


def test_altered_receipts_are_noticed_and_what_is_confirmed_is_false(every_point):
    """With the old hash every alteration is noticed; with a hash of its own only another true refutation is left."""
    tried, confirmed, wanted = 0, 0, 10_000 if every_point else 30
    generator = random.Random(11)
    failing = [statement for statement, how in FALSE.items() if how == "fails" and "inf" not in statement]
    failing = failing if every_point else failing[::2]
    for statement in failing:
        data, said, digest = data_of(receipt(judge(statement)))
        for _ in range(wanted // len(failing) + 1):
            other = altered(data, generator)
            if other == data:
                continue
            tried += 1
            assert sha256(json.dumps([other, said], sort_keys=True).encode()).hexdigest() != digest
            if checker.check(other) == "" and other["kind"] == "false":
                confirmed += 1
                assert truly_fails(other), other
    assert tried > wanted * 2 / 3 and confirmed > wanted / 15


TRUE = [row for row in map(json.loads, (HERE / "statements.jsonl").read_text().splitlines()) if row["truth"] == "true"]


PAIRS = map(json.loads, (HERE / "pairs.jsonl").read_text().splitlines())
TRUE += [{"plain": row["true"], "domain": None} for row in PAIRS if "true" in row]
EVERY = range_as_list(read("x > 0 for x in R").ranges["x"])
SLOW = ("sum", "prod", "W(", "Phi", "erf", "gamma", "zeta")  # a hundredth of a second and more at each point


@cache
def true_comparisons():
    """Those that are read, with what points are asked of them."""
    return [*read_comparisons()]


def read_comparisons():
    """What the points of true comparisons are asked of: the comparison as data, and what admits a point."""
    for row in TRUE:
        try:
            reading = read(row["plain"], row["domain"], "plain")
        except Unread:
            continue
        if not isinstance(reading.sentence, Compare) or not all(isinstance(c, Compare) for c in reading.conditions):
            continue
        try:
            data = {
                "comparison": compare_as_list(reading.sentence),
                "ranges": {name: range_as_list(r) for name, r in reading.ranges.items()},
                "conditions": [compare_as_list(c) for c in reading.conditions],
            }
        except InvalidInput:
            continue
        yield row, data, Asked(reading.sentence, reading.ranges, reading.conditions)


def test_no_point_of_a_true_statement_is_confirmed(every_point):
    """Corners of the ranges, where both sides are often equal, and nearly so."""
    asked_at, most = 0, 200 if every_point else 10
    for row, data, asked in true_comparisons()[:: 1 if every_point else 9]:
        for place, point in enumerate(corners(asked)):
            slow = any(word in row["plain"] for word in SLOW) and max(map(abs, point.values()), default=0) > most
            if place > (400 if every_point else 12) or slow:
                break
            if not asked.admits(point):
                continue
            asked_at += 1
            given = {n: checker.exactly(v) for n, v in point.items()}
            try:
                assert checker.holds(data["comparison"], given) is not False, (row["plain"], point)
            except checker.Unsure:
                continue
    assert asked_at > 60


def test_no_random_point_of_a_true_statement_is_confirmed_as_either_kind(every_point):
    """Whole receipts of both kinds, at points of every scale inside of the ranges and outside."""
    asked_at, wanted, generator = 0, 100_000 if every_point else 300, random.Random(13)
    listed = [one for one in true_comparisons() if not any(word in one[0]["plain"] for word in SLOW)]
    while asked_at < wanted:
        for row, data, asked in listed:
            point = {}
            for name, r in asked.ranges.items():
                value = generator.choice([drawn(0, 1, generator), drawn(0, 40, generator), -drawn(0, 9, generator)])
                point[name] = str(Fraction(round(value)) if r.integer else value)
            for kind in ("false", "no value"):
                asked_at += 1
                assert checker.check({**data, "kind": kind, "point": point}), (row["plain"], point, kind)
    assert len(listed) > 20


with mpmath.workdps(60):  # where x log(x), x exp(-x), sqrt(x) - log(x) and their kind turn or touch
    TURNS = [Fraction(str(n)) for n in (mpmath.e, 1 / mpmath.e, mpmath.sqrt(2), mpmath.log(2), mpmath.pi)]
SIMPLE = [Fraction(n) for n in ("0", "1", "1/2", "1/3", "2", "4")]


def awkward(known, generator):
    """A number where checkers err: that of another variable, a simple one or a place where formulas turn, hardly moved
    or cut after 15 to 40 digits; of a huge or tiny size; a decimal that a float prints, or the float itself.
    """
    kind = generator.randrange(5)
    if kind == 0:
        near = generator.choice([*known, *SIMPLE, *TURNS])
        return near + generator.choice([0, 1, -1]) * Fraction(1, 10 ** generator.randint(1, 60))
    if kind == 4:
        digits = 10 ** generator.choice([15, 16, 17, 28, 29, 40])
        return generator.choice([1, -1]) * Fraction(int(generator.choice([*known, *TURNS]) * digits), digits)
    if kind == 1:
        return Fraction(generator.randint(1, 99), 7) * Fraction(10) ** generator.randint(-40, 40)
    value = generator.choice([0.1 + 0.2, 1 - 1e-16, generator.random(), 10 ** generator.uniform(-8, 8)])
    return Fraction(repr(value) if kind == 2 else value)


def written(number, generator):
    """A number as somebody may write it into a receipt: -0, with an exponent, or as a quotient."""
    if not number:
        return generator.choice(["0", "-0", "0/7", "-0.0", "0e5"])
    digits = number.denominator
    ten = digits == 10 ** (len(str(digits)) - 1)
    return f"{number.numerator}e-{len(str(digits)) - 1}" if ten and generator.random() < 0.5 else str(number)


def test_no_awkward_point_of_a_true_statement_is_confirmed(every_point):
    """Touching, hardly apart, huge, tiny, decimals: sums, W and tails at a fifth of the points."""
    asked_at, inner, wanted, generator = 0, 0, 100_000 if every_point else 200, random.Random(17)
    listed = true_comparisons()
    while asked_at < wanted:
        for row, data, asked in listed:
            if any(word in row["plain"] for word in SLOW) and generator.random() < 0.8:
                continue
            numbers: dict[str, Fraction] = {}
            for name, r in asked.ranges.items():
                value = awkward(numbers.values(), generator)
                numbers[name] = Fraction(min(round(abs(value)), 300)) if r.integer else value
            inner += asked.admits(numbers)
            point = {name: written(value, generator) for name, value in numbers.items()}
            for kind in ("false", "no value"):
                asked_at += 1
                assert checker.check({**data, "kind": kind, "point": point}), (row["plain"], point, kind)
    assert inner > wanted / 12


def test_powers_of_0_and_of_negative_numbers_have_their_values():
    """High powers go by the logarithm; an exponent that is only nearly known may be whole."""
    exactly, power = checker.exactly, checker.power
    assert power(exactly(0), exactly(10**4)) == exactly(0)
    assert power(exactly(-1), exactly(10**4))[0] > 0 > power(exactly(-1), exactly(10**4 + 1))[1]
    two = checker.div(checker.log(exactly(4)), checker.log(exactly(2)))
    with pytest.raises(checker.Unsure):
        power(exactly(-3), two)
    for base, exponent in [(-3, Fraction(1, 2)), (0, -(10**4))]:
        with pytest.raises(checker.NoValue):
            power(exactly(base), exactly(exponent))
    assert judge("x^(log2(4)) >= 0 for x in [-1, 1]", seconds=2).verdict != "refuted"
    assert judge("x^(log2(3)) >= 0 for x in [-1, 1]", seconds=2).verdict == "refuted"


def test_numbers_of_a_million_bits_are_checked_in_a_moment():
    """exp(10^7), and the sum of two that are as large: what is longer than a receipt needs is rounded outwards."""
    begun = time.process_time()
    x, n = ["var", "x"], {"x": checker.exactly(Fraction(10**6))}
    assert checker.value(["call", "log", ["add", ["call", "exp", x], ["call", "exp", ["neg", x]]]], n)[0] <= 10**6
    assert "huge" in checker.check(
        {
            "kind": "false",
            "point": {"x": "1e12"},
            "ranges": {"x": EVERY},
            "conditions": [],
            "comparison": ["<", ["call", "exp", x], x],
        }
    )
    low, high = checker.interval(Fraction(-(3**99999)), Fraction(3**99999))
    assert low < -(3**99999) and high > 3**99999 and high - low < 2 * 3**99999 * (1 + Fraction(1, 2**150))
    assert time.process_time() - begun < 5


def test_a_proof_is_replayed_and_an_altered_one_is_not(tmp_path, python):
    """As it names a textbook fact, it is confirmed in part."""
    text = _of_proofs(judge("sum(binom(n, i), i=0..d) <= (e n/d)^d for integer n >= 1, integer d in [1, n]"))
    assert "This receipt needs banditproof" in text.splitlines()[0] and "in part" in text.splitlines()[0]
    path = tmp_path / "receipt.py"
    for altered, code in (
        (text, 3),
        (text.replace("<=", ">="), 1),
        (text.replace('[\\\\"num\\\\", \\\\"1\\\\"]', '[\\\\"num\\\\", \\\\"2\\\\"]'), None),
    ):
        path.write_text(altered, encoding="utf-8")
        done = python(path)
        assert done.returncode == (code or (1 if altered != text else 3)), done.stdout + done.stderr


def test_the_search_for_a_receipt_keeps_to_the_seconds_of_the_answer(monkeypatch):
    answer = judge("x log(x) is convex on (0, inf)")
    monkeypatch.setattr(certifying_ways, "argued", lambda *_: time.sleep(60))
    begun = time.perf_counter()
    text = receipt(answer, answer.seconds + 1)
    assert time.perf_counter() - begun < 10
    assert "checked here only in part" in text.splitlines()[0]


def test_a_proof_that_speaks_of_the_constant_of_euler_is_confirmed(tmp_path, python):
    text = receipt(judge("sum(1/k, k=1..n) - log(n) - euler -> 0 as n -> inf for integer n >= 1"))
    path = tmp_path / "receipt.py"
    path.write_text(text, encoding="utf-8")
    done = python(path)
    assert done.returncode == 0 and "confirmed" in done.stdout, done.stdout + done.stderr


def test_an_exponential_far_below_0_is_all_but_0():
    for digits in (7, 30, 90):
        low, high = checker.exp(checker.exactly(-(10**digits)))
        assert low == 0 < high < Fraction(1, 10**100)
