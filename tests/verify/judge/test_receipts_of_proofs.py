"""Receipts of proofs: the checker's formulas against mpmath and flint, altered and forged proofs, and whole files."""

import json
import random
from fractions import Fraction
from functools import cache
from pathlib import Path

import mpmath
import pytest
from flint import arb, ctx, fmpq

from banditproof import judge
from banditproof.verify.judge.formulas.lists import as_list, compare_as_list, range_as_list
from banditproof.verify.judge.formulas.sentence import Compare, Unread
from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.receipts import certifying_ways, checker_of_ways
from banditproof.verify.judge.receipts import checker_of_proofs as checker
from banditproof.verify.judge.receipts.checker import CURVED, NoValue, Unsure
from banditproof.verify.judge.receipts.checker_of_claims import check_claim
from banditproof.verify.judge.receipts.checker_of_ways import WAYS
from banditproof.verify.judge.receipts.leading import check_expansion
from banditproof.verify.judge.receipts.receipt import receipt
from tests.cases import leaves, lines, rows, texts

TEXTS = texts(__file__)

HERE = Path(__file__).parent
REFUSED = (checker.Refused, Unsure, NoValue)
ROWS = [json.loads(row) for row in (HERE / "statements.jsonl").read_text().splitlines()]

# ------------------------------------------------------------------------------------- formulas, by two other routes


class Huge(ArithmeticError):
    """More than mpmath holds."""


def power_of_e(x):
    if abs(x) > 10**5:
        raise Huge
    return mpmath.exp(x)


def power(a, b):
    if a and abs(b * mpmath.log(abs(a))) > 10**5:
        raise Huge
    return a**b


def by_mpmath(f, point):
    """The value of a formula at 60 digits; raises where it has none."""
    head, *parts = f
    if head == "num":
        return mpmath.mpf(Fraction(parts[0]).numerator) / Fraction(parts[0]).denominator
    if head == "var":
        return point[parts[0]]
    if head == "const":
        return {"e": mpmath.e, "pi": mpmath.pi, "inf": mpmath.inf}[parts[0]] + mpmath.mpf(0)
    if head in ("sum", "prod"):
        index, low, high, body = parts
        ends = range(int(by_mpmath(low, point)), int(by_mpmath(high, point)) + 1)
        values = [by_mpmath(body, {**point, index: mpmath.mpf(k)}) for k in ends]
        return mpmath.fsum(values) if head == "sum" else mpmath.fprod(values)
    values = [by_mpmath(part, point) for part in parts if not isinstance(part, str)]
    if head == "call":
        name = parts[0]
        if name == "kl":
            p, q = values
            return sum((a * mpmath.log(a / b) if a else mpmath.mpf(0)) for a, b in ((p, q), (1 - p, 1 - q)))
        value = {
            "exp": power_of_e,
            "log": mpmath.log,
            "sqrt": mpmath.sqrt,
            "abs": abs,
            "min": min,
            "max": max,
            "Phi": mpmath.ncdf,
            "erfc": mpmath.erfc,
            "W": lambda x: mpmath.lambertw(x).real,
            "factorial": mpmath.factorial,
            "ceil": mpmath.ceil,
        }[name](*values)
    else:
        value = {
            "neg": lambda a: -a,
            "add": lambda a, b: a + b,
            "sub": lambda a, b: a - b,
            "mul": lambda a, b: a * b,
            "div": lambda a, b: a / b,
            "pow": power,
        }[head](*values)
    if mpmath.im(value) or not mpmath.isfinite(value):
        raise ZeroDivisionError("no value")
    return mpmath.mpf(mpmath.re(value))


def by_flint(f, point):
    """The value of a formula as a ball."""
    head, *parts = f
    if head == "num":
        return arb(fmpq(Fraction(parts[0]).numerator, Fraction(parts[0]).denominator))
    if head == "var":
        return point[parts[0]]
    if head == "const":
        return arb(1).exp() if parts[0] == "e" else arb.pi()
    values = [by_flint(part, point) for part in parts if not isinstance(part, str)]
    return {
        "neg": lambda a: -a,
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "div": lambda a, b: a / b,
        "pow": lambda a, b: a**b,
        "call": lambda a, *b: {
            "exp": arb.exp,
            "log": arb.log,
            "sqrt": arb.sqrt,
            "abs": abs,
            "max": arb.max,
            "min": arb.min,
        }[parts[0]](a, *b),
    }[head](*values)


def of_polynomial(p, value):
    """The value of a polynomial, where `value` is that of a symbol."""

    def atom(a):
        inside = (lambda q: of_polynomial(dict(q), value)) if len(a) > 1 and isinstance(a[1], frozenset) else None
        return {
            "symbol": lambda: value(a[1]),
            "e": lambda: +mpmath.e,
            "pi": lambda: +mpmath.pi,
            "prime": lambda: mpmath.mpf(a[1]),
            "sum": lambda: inside(a[1]),
            "log": lambda: mpmath.log(inside(a[1])),
            "exp": lambda: power_of_e(of_polynomial({a[1]: Fraction(1)}, value)),
        }[a[0]]()

    def of(fraction):
        return mpmath.mpf(fraction.numerator) / fraction.denominator

    return mpmath.fsum(mpmath.fprod([of(n), *(power(atom(a), of(k)) for a, k in key)]) for key, n in p.items())


def drawn(generator, deep=3):
    """A formula in the symbols x and y, of all heads that the checker knows but sums."""
    if deep == 0 or generator.random() < 0.15:
        number = Fraction(generator.randint(-6, 6), generator.choice((1, 1, 2, 3)))
        return generator.choice([("var", "x"), ("var", "y"), ("const", "e"), ("num", str(number))])
    parts = [drawn(generator, deep - 1) for _ in range(2)]
    head = generator.choice(
        ["add", "add", "sub", "mul", "mul", "div", "pow", "sqrt", "log", "exp", "neg", "abs", "max", "min"]
    )
    if head == "pow":
        exponent = generator.choice(["2", "3", "-1", "-2", "1/2", "3/2", "-1/3", "0"])
        return ("pow", parts[0], generator.choice([("num", exponent), ("num", exponent), parts[1]]))
    if head == "neg":
        return ("neg", parts[0])
    if head in ("sqrt", "log", "exp", "abs"):
        return ("call", head, parts[0])
    return ("call", head, *parts) if head in ("max", "min") else (head, *parts)


def known_formulas(count, seed):
    """Formulas that the checker sees to have a value everywhere, with what is known of their symbols."""
    generator = random.Random(seed)
    while count:
        facts = generator.choice([[], [], [(("sub", ("var", "x"), ("var", "y")), checker.ABOVE)]])
        known, f = checker.Known(facts), drawn(generator)
        try:
            signs = known.signs(f)
            p = known.normal(f)
        except REFUSED:
            continue
        count -= 1
        yield known, f, signs, p, generator


def points(known, generator, count=3):
    for _ in range(count):
        x, y = (Fraction(generator.randint(1, 400), generator.choice((1, 7, 100))) for _ in range(2))
        yield (
            {"x": max(x, y) + known.impossible + bool(known.facts), "y": min(x, y)} if known.facts else {"x": x, "y": y}
        )


def test_a_formula_is_its_polynomial_and_has_one_of_its_signs(every_point):
    """At random points with 60 digits, and in balls: values, signs and derivatives."""
    compared = decided = 0
    with mpmath.workdps(60):
        for known, f, signs, p, generator in known_formulas(20_000 if every_point else 400, 1):
            for point in points(known, generator):
                given = {n: mpmath.mpf(v.numerator) / v.denominator for n, v in point.items()}
                try:
                    value, again = by_mpmath(f, given), of_polynomial(p, given.__getitem__)
                    scale = 1 + sum(abs(of_polynomial({key: n}, given.__getitem__)) for key, n in p.items())
                except Huge:
                    continue
                if scale > mpmath.mpf(10) ** 30:
                    continue
                assert abs(value - again) <= scale * mpmath.mpf(10) ** -25, (f, point)
                compared += 1
                if abs(value) > scale * mpmath.mpf(10) ** -25:
                    assert (1 if value > 0 else -1) in signs, (f, point, signs)
                    decided += 1
    assert compared > 500 and decided > 400


def test_a_sign_is_that_of_the_ball(every_point):
    seen = 0
    ctx.prec = 200
    for known, f, signs, _, generator in known_formulas(20_000 if every_point else 400, 2):
        for point in points(known, generator, 2):
            ball = by_flint(f, {n: arb(fmpq(v.numerator, v.denominator)) for n, v in point.items()})
            if ball > 0 or ball < 0:
                seen += 1
                assert (1 if ball > 0 else -1) in signs, (f, point, signs, ball)
    assert seen > 300


def test_a_derivative_is_the_slope(every_point):
    seen = 0
    with mpmath.workdps(60):
        for known, f, _, _, generator in known_formulas(3000 if every_point else 200, 3):
            try:
                slope = checker.slope(f, "x")
                known.signs(slope)
            except REFUSED:
                continue
            for point in points(known, generator, 1):
                given = {n: mpmath.mpf(v.numerator) / v.denominator for n, v in point.items()}
                h = mpmath.mpf(10) ** -18
                try:
                    value = by_mpmath(slope, given)
                    ends = [by_mpmath(f, {**given, "x": given["x"] + turn * h}) for turn in (1, -1)]
                except Huge:
                    continue
                if max(map(abs, (*ends, value))) < mpmath.mpf(10) ** 12:
                    seen += 1
                    assert abs((ends[0] - ends[1]) / (2 * h) - value) < mpmath.mpf(10) ** -9 * (1 + abs(value)) ** 3, f
    assert seen > 100


def test_a_limit_is_approached(every_point):
    """What is a limit for x -> 0 is near the value at a tiny x; x^a log(x)^n is among it."""
    seen, generator = 0, random.Random(4)
    x, log_x = ("var", "x"), ("call", "log", ("var", "x"))
    with mpmath.workdps(60):
        while seen < (5000 if every_point else 200):
            f = drawn(generator, 2)
            if generator.random() < 0.5:
                factor = generator.choice([log_x, ("pow", log_x, ("num", "2"))])
                f = ("mul", ("mul", f, factor), generator.choice([x, ("pow", x, ("num", "1/2")), ("num", "3")]))
            known = checker.Known()
            try:
                known.signs(f)
                limit = checker.limit_at_zero(f, "x", known)
            except REFUSED:
                continue
            if "x" not in checker.symbols(f):
                continue
            seen += 1
            given = {"x": mpmath.mpf(10) ** -4000, "y": mpmath.mpf(generator.randint(1, 9)) / 3}
            assert "x" not in checker.symbols(limit)
            try:
                near, at = by_mpmath(f, given), by_mpmath(limit, given)
            except Huge:
                continue
            assert abs(near - at) < mpmath.mpf(10) ** -15 * (1 + abs(at)), (f, limit)


@pytest.mark.parametrize(
    "place",
    [
        ("split", "x", ("num", "5/3"), "w"),
        ("split", "x", ("var", "y"), "w"),
        ("order", "x", "y", "w"),
        *(("replaced", "x", how, ("num", "3/2"), "w") for how in ("power", "times", "inverse", "log", "exp", "shift")),
    ],
)
def test_cases_leave_out_no_point(place):
    """Every point of positive numbers has one case, in which the new symbol is positive."""
    rule, *data = place
    goal = ("sub", ("var", "x"), ("var", "y"))
    cases = checker.PLACES[rule](goal, checker.Known(), *data)
    generator = random.Random(5)
    for _ in range(30):
        point = {n: Fraction(generator.randint(1, 60), 20) for n in "xy"}
        point["y"] = generator.choice([point["y"], point["x"]])
        with mpmath.workdps(40):
            here = [case for case in cases if _is_reached(case, point)]
        assert len(here) == 1, (place, point)


def _is_reached(case, point):
    """Whether some positive value of the new symbol gives the point, found by bisection along it."""
    ((old, f),) = case.items()
    given = {n: mpmath.mpf(v.numerator) / v.denominator for n, v in point.items()}
    if "w" not in checker.symbols(f):
        return abs(by_mpmath(f, given) - given[old]) < mpmath.mpf(10) ** -30

    def gap(log_w):
        return by_mpmath(f, {**given, "w": mpmath.exp(log_w)}) - given[old]

    low, high = mpmath.mpf(-60), mpmath.mpf(6)
    return gap(low) * gap(high) < 0


# ------------------------------------------------------------------------------------------------------- whole files

PROVED = lines(TEXTS["proved"])
SLOWLY_PROVED = {PROVED[-1], "log(x)^2 <= sqrt(x) for x >= 5600"}  # half a minute, for 13 alterations


@cache
def written(statement):
    answer = judge(statement)
    assert answer.verdict == "proved"
    return receipt(answer)


def data_of(text):
    scope: dict = {"__name__": "receipt"}
    exec(compile(text, "receipt", "exec"), scope)  # the text that was just made
    return scope["DATA"]


@pytest.mark.one_in(6)
@pytest.mark.parametrize("statement", PROVED)
def test_a_proof_is_confirmed_by_the_standard_library_alone(statement, alone):
    text = written(statement)
    assert "import banditproof" not in text and "from banditproof" not in text and "# Not checked" not in text
    done = alone(text)
    assert done.returncode == 0 and done.stdout.startswith("confirmed: "), done.stdout + done.stderr
    assert "not checked" not in done.stdout
    checker, mark, data = text.rpartition("DATA = ")
    other = checker + mark + data.replace('"<="', '"<"').replace('">="', '">"')
    assert mark and (other == text or alone(other).returncode == 1)


X = ["var", "x"]


@pytest.mark.parametrize(
    "claim, change",
    [
        ("x (1 - x) <= 1/4 for x in [0, 1]", {}),
        ("exp(x) is increasing on R", {}),
        ("log(1 + x) <= x for x > -1", {}),
        ("log(1 + x) <= x for x > -1", {"high": ["const", "absurd"]}),
        ("log(1 + x) <= x for x > -1", {"high": ["neg", "inf"]}),
        ("log(1 + x) <= x for x > -1", {"high": ["var", "y"]}),
        ("log(1 + x) <= x for x > -1", {"high_open": "yes"}),
        ("x (1 - x) <= 1/4 for x in [0, 1]", {"comparison": ["<=", ["neg", X, X], ["num", "1/4"]]}),
        ("x (1 - x) <= 1/4 for x in [0, 1]", {"comparison": ["<=", ["call", "log", X, X], ["num", "1/4"]]}),
        ("x (1 - x) <= 1/4 for x in [0, 1]", {"conditions": [["<=", ["form"], X]]}),
        ("exp(x) is increasing on R", {"comparison": ["rises", ["call", "exp", X], ["low", "x"]]}),
        ("exp(x) is increasing on R", {"comparison": ["grows", ["call", "exp", X], X]}),
    ],
)
def test_data_that_say_nothing_are_not_confirmed(claim, change):
    """Nor where no step of the proof would look at that part of them."""
    (data,) = data_of(written(claim))["claims"]
    for key, value in change.items():
        (data["ranges"]["x"] if key in data["ranges"]["x"] else data)[key] = value
    assert check_claim(data).startswith("no statement" if change else "") and bool(check_claim(data)) == bool(change)


def test_a_receipt_says_what_it_leaves_to_words(alone):
    """Where several statements imply the printed one, and where a textbook fact is named."""
    text = receipt(judge("exp(x) >= 1 + x for x in R, with equality iff x = 1"))
    head = text.splitlines()
    assert head[0].startswith("# false, and checked here only in part: exp(x) >= 1 + x")
    assert head[1].startswith("# python3 -I -S")
    assert head[2] == "# Not checked here: that it implies exp(x) > 1 + x"
    done = alone(text)
    assert done.returncode == 3 and done.stdout.startswith("confirmed in part: ")
    assert done.stdout.endswith("\nnot checked here: that it implies exp(x) > 1 + x\n")
    classical = "Gaussian noise with deviation sqrt(2 log(1.25/delta))/eps on sensitivity 1 is (eps, delta)-DP"
    head = receipt(judge(f"{classical} for eps in (0, 1), delta in (0, 1)")).splitlines()
    assert "in part" in head[0] and "textbook fact" in head[2]


# -------------------------------------------------------------------------------------------------- altered proofs


OTHERS = [
    ["<=", ">=", "<", ">", "==", "!="],
    ["add", "sub", "mul", "div", "pow"],
    ["exp", "log", "sqrt", "abs"],
    ["form", "absurd"],
    ["on", "off"],
    ["0", "oo"],
    ["++", "+-", "-+"],
    ["max", "min"],
    ["power", "times", "inverse", "log", "exp", "shift"],
    ["split", "order"],
]


def altered(claim, generator):
    """A claim with its proof, one leaf of them changed, or a step in place of another one, or two of them exchanged."""
    changed = json.loads(json.dumps(claim))
    steps = [node for node in nodes(changed["proof"]) if node and isinstance(node[0], str) and node[0] in RULES]
    if len(steps) > 1 and generator.random() < 0.2:
        first, second = generator.sample(steps, 2)
        first[:] = json.loads(json.dumps(generator.choice([second, ["form"], ["absurd"]])))
        return changed
    where = [way for way in leaves(changed) if way[0] != "said"]
    part = generator.choice(["comparison", "ranges", "conditions", "proof"])
    where = [way for way in where if way[0] == part] or where
    *way, last = generator.choice(where)
    node = changed
    for key in way:
        node = node[key]
    old = node[last]
    names = [group for group in OTHERS if old in group]
    if isinstance(old, bool):
        node[last] = not old
    elif old is None or isinstance(old, int):
        node[last] = generator.choice([0, 1, 2, None, ["form"]])
    elif last == "boxes":
        at = generator.randrange(len(old))
        node[last] = old[:at] + generator.choice(["", "P", "V", "0", "1", "0PP"]) + old[at + 1 :]
    elif names:
        node[last] = generator.choice(generator.choice(names))
    elif any(c.isdigit() for c in old) and generator.random() < 0.8:
        at = generator.choice([i for i, c in enumerate(old) if c.isdigit()])
        node[last] = old[:at] + generator.choice("0123456789") + old[at + 1 :]
    else:
        node[last] = generator.choice([old + "_", "x_", "w1", "p_", "-" + old, old[1:]])
    return changed


RULES = {*checker.STEPS, *checker.PLACES, "fact", "cut", "absurd"}


def nodes(node):
    if isinstance(node, list):
        yield node
    for part in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from nodes(part)


def fails_somewhere(claim, generator, draws=60):
    """A point of the ranges where the conditions hold and the comparison certainly does not, by mpmath; or None."""
    with mpmath.workdps(60):
        for _ in range(draws):
            point = {}
            try:
                for x, given in claim["ranges"].items():
                    low, high = (by_mpmath(checker.read(given[end]), point) for end in ("low", "high"))
                    point[x] = _inside(low, high, given, generator)
                if not all(_holds(c, point) for c in claim["conditions"]) or any(v is None for v in point.values()):
                    continue
            except (ArithmeticError, ValueError, KeyError, TypeError):
                continue
            try:
                if not _holds(claim["comparison"], point):
                    return point
            except Huge:
                continue
            except ZeroDivisionError:
                return point
    return None


def _inside(low, high, given, generator):
    infinite = (mpmath.isinf(low), mpmath.isinf(high))
    share = mpmath.mpf(
        generator.choice(
            [0, 1, generator.random(), 10.0 ** -generator.uniform(0, 9), 1 - 10.0 ** -generator.uniform(0, 9)]
        )
    )
    scale = mpmath.mpf(10) ** generator.uniform(-6, 4)
    if infinite == (True, True):
        value = generator.choice([-1, 0, 1]) * scale
    elif infinite[1]:
        value = low + (0 if share == 0 else scale)
    elif infinite[0]:
        value = high - (0 if share == 0 else scale)
    else:
        value = low + (high - low) * share
    if given["integer"]:
        value = mpmath.floor(value)
    ends = (
        value > low or value == low and not given["low_open"],
        value < high or value == high and not given["high_open"],
    )
    return value if all(ends) and not mpmath.isinf(value) else None


def _holds(comparison, point):
    sign, left, right = comparison
    a, b = (by_mpmath(checker.read(side), point) for side in (left, right))
    slack = (abs(a) + abs(b) + 1) * mpmath.mpf(10) ** -40
    return {
        "<": a < b + slack and (a != b),
        "<=": a <= b + slack,
        ">": a > b - slack and a != b,
        ">=": a >= b - slack,
        "==": abs(a - b) <= slack,
        "!=": a != b,
    }[sign]


def confirmed(claim):
    return not checker.check_proof(claim)


def test_an_altered_proof_is_refused_or_still_true(every_point):
    """Digits, signs, ranges, names and steps: what is still confirmed fails at no point that is drawn."""
    generator, tried, kept, wanted = random.Random(7), 0, 0, 10_000 if every_point else 60
    listed = PROVED if every_point else [s for s in PROVED if s not in SLOWLY_PROVED][::3]
    quick = [s for s in listed if "eps" not in s and "when" not in s]
    claims = [(statement, claim) for statement in quick for claim in data_of(written(statement))["claims"]]
    claims = [(statement, claim) for statement, claim in claims if "way" not in claim["proof"]]
    for statement, claim in claims:
        assert confirmed(claim)
        for _ in range(wanted // len(claims) + 1):
            other = altered(claim, generator)
            if other == claim:
                continue
            tried += 1
            if confirmed(other):
                kept += 1
                assert (point := fails_somewhere(other, generator)) is None, (statement, point, other)
    assert tried > wanted * 0.69 and kept > wanted / 18


# ----------------------------------------------------------------------------------------------------------- forged

REAL = {"low": ["num", "0"], "high": ["num", "1"], "low_open": False, "high_open": False, "integer": False}
X, HALF = ["var", "x"], ["num", "1/2"]


def claim_of(statement, proof):
    reading = read(statement, {}, "plain")
    assert isinstance(reading.sentence, Compare)
    ranges = {n: range_as_list(r) for n, r in reading.ranges.items()}
    conditions = [compare_as_list(c) for c in reading.conditions]
    return {"comparison": compare_as_list(reading.sentence), "ranges": ranges, "conditions": conditions, "proof": proof}


ON_FACES = {"places": {"x": ["0", 0]}, "faces": [["form"], ["form"], ["absurd"]]}
SPLIT = ["split", "x_", ["num", "1"], "w", [["form"], ["form"], ["absurd"]]]
FORGED = [
    # boxes: a gap, an end, an overlap, nothing, a pole, another code, more than all
    ("x > 1/4 for x in [0, 1]", {"boxes": "0VP"}),
    ("x > 1/4 for x in [0, 1]", {"boxes": "P"}),
    ("x > 1/4 for x in [0, 1]", {"boxes": ""}),
    ("x + 1 > 1/2 for x in [0, 1]", {"boxes": "0P"}),
    ("x + 1 > 1/2 for x in [0, 1]", {"boxes": "PP"}),
    ("x + 1 > 1/2 for x in [0, 1]", {"boxes": "0PPP"}),
    ("x + 1 > 1/2 for x in [0, 1]", {"boxes": "7PP"}),
    ("x + 1 > 1/2 for x in [0, 1]", {"boxes": "-1"}),
    ("1/x > 1/2 for x in [0, 1]", {"boxes": "0PP"}),
    ("1/(x - 1/3) < 4 for x in [0, 1]", {"boxes": "0PP"}),
    ("x log(x) > -1/2 for x in [0, 1]", {"boxes": "0PP"}),
    ("x + 1 > 1/2 for x in [0, inf)", {"boxes": "P"}),
    ("x + 1 > 1/2 for x in (-inf, inf)", {"boxes": "V"}),
    # faces: too few, none, an end left out, integers in between, infinity
    ("x >= 0 for x in [0, 1]", {"places": {"x": ["0", 0]}, "faces": [["form"], ["form"]]}),
    ("x >= 0 for x in [0, 1]", {"places": {"x": ["0", 0]}, "faces": []}),
    ("x >= 0 for x in [0, 1]", {"places": {}, "faces": [["form"]]}),
    ("x > 0 for x in [0, 1]", ON_FACES),
    ("x > 0 for x in [0, 1]", {"places": {"x": ["0", 0]}, "faces": [["absurd"], ["form"], ["absurd"]]}),
    ("x < 1 for x in [0, 1]", {"places": {"x": ["0", 0]}, "faces": [["form"], SPLIT, ["absurd"]]}),
    ("(x - 1/2)^2 >= 1/4 for integer x in [0, 1]", ON_FACES),
    ("(x - 1) (x - 2) >= 0 for x in [1, 2]", {"places": {"x": ["1", 1]}, "faces": [["form"]] * 3 + [["absurd"]]}),
    ("(x-1) (x-2) (x-3) >= 0 for integer x >= 0", {"places": {"x": ["1", 2]}, "faces": [["form"]] * 4 + [["absurd"]]}),
    ("1/x > 0 for x in [0, inf)", ON_FACES),
    ("x log(x) <= 1 for x in [0, 1]", ON_FACES),
    ("sqrt(x^2) <= x for x in (-inf, inf)", {"places": {"x": ["0", 0]}, "faces": [["form"], ["form"], ["form"]]}),
    ("sqrt(x^2)^1 <= x for x in (-inf, inf)", {"places": {"x": ["0", 0]}, "faces": [["form"], ["form"], ["form"]]}),
    ("1/sqrt(x^2) <= 1/x for x in (-inf, 0)", {"places": {"x": ["0", 0]}, "faces": [["absurd"], ["absurd"], ["form"]]}),
    ("(x^2)^(3/2) <= x^3 for x in (-inf, 0)", {"places": {"x": ["0", 0]}, "faces": [["absurd"], ["absurd"], ["form"]]}),
    ("log(x^2) <= 2 log(x) for x < 0", {"places": {"x": ["0", 0]}, "faces": [["absurd"], ["absurd"], ["form"]]}),
    ("x/x >= 1 for x in [0, 1]", ON_FACES),
    ("inf > x for x in [0, 1]", ON_FACES),
    ("x! <= 1 for integer x in [0, 9]", ON_FACES),
    ("binom(x, 1) <= 0 for integer x in [0, 9]", ON_FACES),
    ("y >= 0 for x in [0, 1], y in (-inf, inf)", {"places": {"x": ["0", 0], "y": ["0", 0]}, "faces": [["form"]] * 9}),
    (
        "sum(1/k, k=1..n) <= 1 for integer n >= 1",
        {
            "count": "n",
            "parts": [
                {"places": {}, "faces": [["form"]]},
                {"places": {"n": ["1", 0]}, "faces": [["form"], ["form"], ["absurd"]]},
            ],
        },
    ),
    (
        "n^2 <= 4 n for integer n >= 1",
        {
            "count": "n",
            "parts": [
                {"places": {}, "faces": [["form"]]},
                {"places": {"n": ["1", 0]}, "faces": [["form"], ["form"], ["absurd"]]},
            ],
        },
    ),
]


@pytest.mark.parametrize(("statement", "proof"), FORGED)
def test_a_forged_proof_is_refused(statement, proof):
    assert not confirmed(claim_of(statement, proof))


def test_the_same_proofs_are_confirmed_where_they_prove():
    """So that what is refused above is refused for what is wrong with it."""
    assert confirmed(claim_of("x > -1/4 for x in [0, 1]", {"boxes": "0PP"}))
    assert confirmed(claim_of("x > 1/4 when x^2 > 9/16 for x in [0, 1]", {"boxes": "0VP"}))
    assert confirmed(claim_of("x >= 0 for x in [0, 1]", ON_FACES))
    assert confirmed(
        claim_of(
            "(x - 1) (x - 2) >= 0 for integer x >= 1",
            {"places": {"x": ["1", 1]}, "faces": [["form"]] * 3 + [["absurd"]]},
        )
    )
    three = {"places": {"x": ["0", 0]}, "faces": [["form"], ["form"], ["form"]]}
    assert confirmed(claim_of("sqrt(x^2) >= x for x in (-inf, inf)", three))


STEP = [
    # what is assumed does not hold all the way to the end from which a formula rises
    [
        "cut",
        ["sub", ["var", "x_"], ["num", "5"]],
        ["rises", "x_", ["sub", ["var", "x_"], ["num", "5"]], ["form"], ["form"]],
        ["form"],
    ],
    ["cut", ["sub", ["var", "x_"], ["num", "5"]], ["form"], ["absurd"]],
    ["fact", ["sub", ["var", "x_"], ["num", "5"]], ">=", ["form"], ["form"]],
    ["fact", ["sub", ["var", "x_"], ["num", "5"]], ">=", ["absurd"], ["form"]],
    ["fact", ["num", "-1"], ">", ["form"], ["absurd"]],
    ["same", ["num", "0"], ["num", "1"], ["form"]],
    ["same", ["num", "-1"], ["sub", ["num", "5"], ["var", "x_"]], ["form"]],
    ["same", ["sub", ["var", "x_"], ["num", "5"]], ["num", "1"], ["form"]],
    ["rewritten", ["var", "x_"], ["num", "6"], ["form"]],
    ["rises", "x_", ["sub", ["var", "x_"], ["num", "5"]], ["absurd"], ["form"]],
    ["descends", "x_", [], ["sub", ["div", ["num", "1"], ["var", "x_"]], ["num", "5"]], ["form"], ["form"]],
    ["split", "x_", ["num", "5"], "w", [["absurd"], ["form"], ["form"]]],
    ["split", "x_", ["var", "x_"], "w", [["form"], ["form"], ["form"]]],
    ["split", "x_", ["num", "-1"], "w", [["form"], ["form"], ["form"]]],
    ["split", "x_", ["num", "5"], "w", [["form"], ["form"]]],
    ["replaced", "x_", "shift", ["num", "5"], "x_", [["form"]]],
    ["replaced", "x_", "times", ["num", "0"], "w", [["form"]]],
    ["replaced", "x_", "add", ["num", "5"], "w", [["form"]]],
    ["order", "x_", "x_", "w", [["form"], ["form"], ["form"]]],
    ["logs", "on", ["num", "1"], ["var", "x_"], ["num", "5"], ["form"]],
    ["root", ["num", "-5"], ["num", "1"], ["pow", ["var", "x_"], ["num", "2"]], "++", ["form"], ["form"]],
    ["tangents", [], ["sub", ["var", "x_"], ["num", "5"]], None, ["form"]],
    ["form", "more"],
    ["import", "os"],
    [],
    None,
    ["same", ["num", "nan"], ["num", "1"], ["form"]],
    ["same", ["num", "9" * 5000], ["num", "1"], ["form"]],
    ["same", ["num", "1"], ["const", "inf"], ["form"]],
]


@pytest.mark.parametrize("step", STEP, ids=range(len(STEP)))
def test_a_step_proves_nothing_false(step):
    """Of x > 5 for x > 0."""
    proof = {"places": {"x": ["0", 0]}, "faces": [["absurd"], step, ["absurd"]]}
    assert not confirmed(claim_of("x > 5 for x in (0, inf)", proof))


INFINITE = {
    "kl(x, 1) >= 5 for x in [0, 1]": [True, False, False],  # it is 0 at 1
    "5 >= kl(x, 1) for x in (0, 1)": [False] * 3,
    "kl(x, 1/2) >= 5 for x in (0, 1)": [False] * 3,
    "kl(x, 0) >= kl(x, 1) for x in (0, 1)": [False] * 3,  # both are infinite
    "kl(x, 0) - kl(x, 1) >= 5 for x in (0, 1)": [False] * 3,
    "-kl(x, 0) >= 5 for x in (0, 1)": [False] * 3,
    "(x - 1) kl(x, 0) >= 5 for x in (0, 1)": [False] * 3,
    "kl(x, 0)^2 >= log(x - 2) for x in (0, 1)": [False] * 3,
    "kl(x, 0) + log(x - 2) >= 5 for x in (0, 1)": [False] * 3,
    "kl(2 x, 0) >= 5 for x in (0, 1)": [False] * 3,  # no probability
    "x kl(x, 0) >= 5 for x in (0, 1)": [False, True, False],
}


@pytest.mark.parametrize("statement", INFINITE)
def test_what_is_infinite_is_above_numbers_and_nothing_else_is(statement):
    claim = claim_of(statement, {})
    faces = checker.faces(claim["ranges"], {"x": ["0", 0]})
    for values, fine in zip(faces, INFINITE[statement], strict=True):
        known, goal = checker.start(claim, values)
        if fine:
            checker.prove(goal, claim["comparison"][0], ["infinite"], known)
        elif not known.impossible:
            with pytest.raises(REFUSED):
                checker.prove(goal, claim["comparison"][0], ["infinite"], known)


def formula(text):
    return as_list(read(f"{text} > 0", {"x": "(0, inf)", "y": "(0, inf)"}, "plain").sentence.left)


@pytest.mark.parametrize("c, law, power, h", rows(TEXTS["vanishing"]))
def test_what_an_exponential_or_a_normal_tail_outweighs_vanishes(c, law, power, h):
    term = checker.vanishing(checker.Known(), "x", formula(c), law, power, formula(h))
    near, far = (abs(by_mpmath(term, {"x": mpmath.mpf(x)})) for x in (200, 400))
    assert far < near / 2


@pytest.mark.parametrize("c, law, power, h", rows(TEXTS["not vanishing"]))
def test_nothing_else_vanishes(c, law, power, h):
    with pytest.raises(REFUSED):
        checker.vanishing(checker.Known(), "x", formula(c), law, power, formula(h))


@pytest.mark.parametrize("statement, shown, tree, fine", rows(TEXTS["bisected"], {3}))
def test_a_bisection_of_shares_shows_what_holds_at_both_ends_too(statement, shown, tree, fine):
    """Of x_ by t = x_/(1 + x_)."""
    step = ["bisected", {"t": "x_"}, formula(shown.replace("t", "x")), tree]
    step = json.loads(json.dumps(step).replace('["var", "x"]', '["var", "t"]').replace('["var", "y"]', '["var", "x_"]'))
    proof = {"places": {"x": ["0", 0]}, "faces": [["absurd"], step, ["absurd"]]}
    assert confirmed(claim_of(f"{statement} for x in (0, inf)", proof)) == fine


@pytest.mark.parametrize("goal, near_0, at_end, factor, inner", rows(TEXTS["hills"]))
def test_what_is_below_0_somewhere_is_no_hill_and_does_not_fall_to_0(goal, near_0, at_end, factor, inner):
    """exp(-x) is what vanishes."""
    small = [[["num", "1"], "exp", "1", ["num", "1"]]]
    level = [formula(near_0), ["form"], formula(factor), formula(inner)]
    for step in (["descends", "x_", small], ["hill", "x_", small]):
        step += [formula(at_end), ["form"], *([[level]] if step[0] == "hill" else []), ["form"]]
        text = json.dumps(step).replace('["var", "x"]', '["var", "x_"]')
        proof = {"places": {"x": ["0", 0]}, "faces": [["absurd"], json.loads(text), ["absurd"]]}
        assert not confirmed(claim_of(f"{goal} >= 0 for x in (0, inf)", proof)), step


def test_no_proof_of_another_statement_proves_a_false_one(every_point):
    """The proofs of true statements under all false ones in as many variables of the same names."""
    under = [s for s in PROVED if "5600" not in s][: None if every_point else 3]
    proofs = [claim["proof"] for s in under for claim in data_of(written(s))["claims"]]
    seen = 0
    for row in ROWS:
        if row["truth"] != "false":
            continue
        try:
            reading = read(row["plain"], row["domain"], "plain")
            claim = claim_of_reading(reading)
        except (Unread, AssertionError, ValueError):
            continue
        for proof in proofs:
            words = list(proof.get("places") or [proof.get("count")])
            if len(words) != len(claim["ranges"]):
                continue
            seen += 1
            text = json.dumps(proof)
            for old, new in zip(words, claim["ranges"], strict=True):
                text = text.replace(f'"{old}_', f'"{new}_').replace(f'"{old}"', f'"{new}"')
            assert not confirmed({**claim, "proof": json.loads(text)}), (row["plain"], proof)
            assert not confirmed({**claim, "proof": {"boxes": "0PP"}})
    assert seen > 20


def claim_of_reading(reading):
    assert isinstance(reading.sentence, Compare) and all(isinstance(c, Compare) for c in reading.conditions)
    return {
        "comparison": compare_as_list(reading.sentence),
        "ranges": {n: range_as_list(r) for n, r in reading.ranges.items()},
        "conditions": [compare_as_list(c) for c in reading.conditions],
    }


# ------------------------------------------------------------------------------------------------------------ ways

BY_WAYS = {statement: set(ways.split()) for statement, ways in rows(TEXTS["ways"])}


def ways_in(proof):
    return {proof["way"]}.union(*map(ways_in, proof["parts"])) if "way" in proof else set()


@pytest.mark.one_in(6)
@pytest.mark.parametrize("statement", BY_WAYS)
def test_an_argument_is_confirmed_by_the_standard_library_alone(statement, alone):
    text = written(statement)
    (claim,) = data_of(text)["claims"]
    assert ways_in(claim["proof"]) == BY_WAYS[statement] and "# Not checked" not in text
    done = alone(text)
    assert done.returncode == 0 and done.stdout == f"confirmed: {claim['said']}\n", done.stdout + done.stderr


X_TO_0, HALVES = ["num", "0"], ["num", "1/2"]
Y, Z, M, ETA = ["var", "y"], ["var", "z"], ["var", "m"], ["var", "eta"]
EXP_Y, LOG_X, LESS = ["call", "exp", Y], ["call", "log", X], ["sub", X, ["num", "1"]]
REALS = {
    "low": ["neg", ["const", "inf"]],
    "high": ["const", "inf"],
    "low_open": True,
    "high_open": True,
    "integer": False,
}
COUNTS = {**REALS, "low": ["num", "0"], "low_open": False, "integer": True}
FROM_1 = {**REALS, "low": ["num", "1"], "low_open": False}
MISUSED = [
    ("x >= 1/4 for x in [0, 1]", "cut", ["x", ["1/2"]]),
    ("x > 0 for x in [0, 1]", "ends", ["x"]),
    ("abs(p - q) > 0 for p, q in (0, 1)", "orders", ["p", "q"]),
    ("p <= q for p in (0, 1), q in (0, 2)", "orders", ["p", "q"]),
    ("-x >= -1 for x in (1, 2)", "logs", []),
    ("x <= sqrt(1 - x) for x in (0, 1)", "squares", []),
    ("sqrt(x^2) <= x for x in (-1, 1)", "squares", []),
    ("min(x, 1) <= -1 for x in (0, 2)", "least", []),
    ("1/2 < min(1, x) for x in [1/2, 1]", "each", []),
    ("x <= min(1, x/2) for x in (0, 1)", "each", []),
    ("max(x, 1/2) <= x for x in (0, 1)", "each", []),
    ("min(x, 1/2) <= 0 for x in (0, 1)", "each", []),
    ("min(x, 2 x) = x/2 for x in (0, 1)", "each", []),
    ("x <= 1/2 for x in (0, 1)", "instead", [X_TO_0, HALVES]),
    ("1 - log(1 + x) <= 1 - x for x > 0", "bounded", [["call", "log", ["add", ["num", "1"], X]], "<=", X]),
    ("x^2 - 2 x >= 0 for x in (0, 1)", "bounded", [X, ">=", ["num", "0"]]),
    ("x >= 1/2 for x in (0, 1)", "bounded", [X, "==", HALVES]),
    ("log(x) <= x/2 for x in (0, 9)", "touching", ["x", ["num", "1"], 2]),
    ("x^3 >= 0 for x in (-1, 1)", "touching", ["x", ["num", "0"], 3]),
    ("(x - 1)^2 >= 1/9 for x in (0, 3/4)", "touching", ["x", ["num", "1"], 2]),
    ("x - log(1 + x) <= x^2/3 for x > 0", "rising", ["x", "low", 2]),
    ("x^2 - x >= 0 for x > 0", "rising", ["x", "low", 2]),
    ("1 - x >= 0 for x in [0, 2]", "rising", ["x", "low", 1]),
    ("x >= 1/2 for x in (0, 1)", "rising", ["x", "high", 1]),
    ("sqrt(x) - x >= 0 for x > 0", "rising", ["x", "low", 2]),
    ("x^2 > 0 for x in [0, 1]", "rising", ["x", "low", 2]),
    ("x + 1/x - 3 >= 0 for x > 0", "rising", ["x", "low", 2]),
    ("x - y >= 0 for x in (0, 1), y in (0, 1)", "rising", ["x", "low", 1]),
    ("gamma(x + 1/2)/gamma(x) <= sqrt(x - 1/8) for x > 1/8", "stepped", ["x"]),
    ("gamma(x + 1/2)/gamma(x) >= sqrt(x - 1/5) for x > 1/5", "stepped", ["x"]),
    ("gamma(x + 1)/gamma(x) <= x - 1/10 for x > 1", "stepped", ["x"]),
    ("gamma(x) <= gamma(x + 1) for x > 0", "stepped", ["x"]),
    ("gamma(x)/gamma(x + 1) <= 1/2 for x > 0", "stepped", ["x"]),
    ("exp(-x)/2 >= exp(-2 x) for x > 0", "stepped", ["x"]),
    ("x >= 1 for x in [0, 1]", "falls", ["x", "high"]),
    ("x >= 1 for x in [0, 1)", "falls", ["x", "low"]),
    ("1/x >= 1 for x in [1, inf)", "falls", ["x", "high"]),
    ("p >= q for p, q in (0, 1)", "apart", ["p", "q"]),
    ("(p - q)^2 >= 1/9 for p, q in (0, 1)", "apart", ["p", "q"]),
    ("sum(1/k, k=1..n) <= 3 for integer n >= 1", "counted", ["n"]),
    ("n <= 4 for integer n >= 1", "counted", ["n"]),
    ("2^n >= n^2 for integer n >= 1", "onwards", ["n"]),
    ("n - 2 >= 0 for integer n >= 1", "onwards", ["n"]),
    ("n^3 >= n for integer n <= 0", "mirrored", ["n"]),
    ("x >= -1/2 for x in [-1, 0)", "mirrored", ["x"]),
    ("x > 0 for x in [0, inf)", "named", ["x", EXP_Y, "y", LOG_X, REALS]),
    ("log(x) <= 1 for x in [1, inf)", "named", ["x", EXP_Y, "y", LOG_X, REAL]),
    ("log(n) <= 1/2 for integer n >= 1", "named", ["n", EXP_Y, "y", ["call", "log", ["var", "n"]], REAL]),
    ("log(x) <= y for x in (0, 1), y in [-1, 0]", "named", ["x", EXP_Y, "y", LOG_X, REALS]),
    ("x >= 1/2 for x in (0, 1)", "named", ["x", Y, "y", X, {**REAL, "low": HALVES}]),
    ("x >= 1/2 for x in (0, 1)", "named", ["x", ["add", Y, HALVES], "y", X, REAL]),
    ("x >= y for x, y in (0, 1)", "named", ["x", Y, "y", X, REAL]),
    ("x (1 - x) <= 0 for x in [0, 1]", "named", ["x", Y, "y", X, {**REAL, "integer": True}]),
    ("x z is increasing in z for x in (-1, 1), z in (1, 2)", "named", ["x", ["div", Y, Z], "y", ["mul", X, Z], REALS]),
    ("x >= 1 for x in (0, 1)", "scaled", [LESS, ["mul", LESS, LESS]]),
    ("x >= 1 for x in (0, 1)", "scaled", [["num", "1"], X]),
    ("x >= 1 for x in (0, 1)", "scaled", [["num", "1"], LESS]),
    ("x > 0 for x in [0, 1)", "scaled", [X, ["mul", X, X]]),
    ("x^2 >= 1 for x in (0, 1)", "special", ["m", FROM_1, X, ["pow", M, ["num", "2"]], ["num", "1"]]),
    ("x >= 1/2 for x in (0, 1)", "special", ["m", REAL, X, ["add", M, HALVES], HALVES]),
    ("z >= 1 when x >= 1 + z for x, z in (0, 2)", "special", ["x", {**REAL, "high": ["num", "2"]}, Z, X, ["num", "1"]]),
    ("x (1 - x) <= 0 for x in [0, 1]", "special", ["m", COUNTS, X, ["mul", M, ["sub", ["num", "1"], M]], ["num", "0"]]),
    ("(x - 2)^2 <= exp(2 (x - 3)) for x in (0, 1)", "powers", []),
    ("x^(-1) <= exp(1 - x) for x in (0, 1)", "powers", []),
    ("(1 - x)^2 <= exp(-3 x) for x in (0, 1)", "powers", []),
    ("(1 + x)^2 <= 2 x for x in (0, 1)", "powers", []),
    ("exp(x) <= (1 + x)^1 for x in (0, 1)", "powers", []),
    ("binom(n, k) = n!/(k! (n - k)!) for integer n >= 0, integer k >= 0", "binomial", []),
    ("binom(n, k) = n!/(k! (n - k)!) for integer n >= 0, integer k in [-2, 0]", "binomial", []),
    ("binom(n, k) = n!/(k! (n + k)!) for integer n >= k, integer k >= 1", "binomial", []),
    ("binom(x, 1) = x!/(1! (x - 1)!) for x in [1, 2]", "binomial", []),
    ("binom(n, n/2) = n!/((n/2)! (n - n/2)!) for integer n >= 1", "binomial", []),
    ("log((2 n)!) <= log(n!) + n log(4) for integer n >= 1", "onwards", ["n"]),
    ("log((n/2)!) <= n for integer n >= 0", "onwards", ["n"]),
    ("x <= 1/2 when x <= 3/4 for x in [0, 1]", "fewer", [0]),
    ("ceil(n/3) <= (n + 1)/3 for integer n >= 1", "residues", ["n", 3]),
    ("ceil(n/3) <= n/3 for integer n >= 0", "residues", ["n", 2]),
    ("sqrt(x^2) is concave for x in [-1, 1]", "cut", ["x", ["0"]]),
    ("(n - 3)^2 is increasing in n for integer n >= 1", "cut", ["n", ["5/2"]]),
    ("x^3 is convex for x in (-1, 1)", "derivative", []),
    ("max(x, 0)^2 is strictly convex for x in (-1, 1)", "derivative", []),
    ("2 x is strictly concave for x in (0, 1)", "derivative", []),
    ("n is strictly convex in n for integer n >= 1", "derivative", []),
    ("W(x) <= x/2 for x in (0, 1)", "inverse", []),
    ("W(x) >= x for x in (-1/4, 0)", "inverse", []),
    ("W(x exp(x)) = x for x in [-2, 0]", "branch", []),
    ("W(x exp(x)) <= x for x in [-2, 0]", "branch", []),
    ("W(x) >= x/2 for x in [-1/e, 0)", "branch", []),
    ("W(x) > 2 x for x in [-1, 0]", "branch", []),
    ("x^2 is increasing for x in (-1, 1)", "derivative", []),
    ("(n - 3)^3 is convex in n for integer n >= 1", "derivative", []),
    ("Phi(x) <= exp(-x^2/2)/2 for x in (-1, 1)", "tail", []),
    ("Phi(x) <= exp(-x^2/2)/3 for x in [-2, 0]", "tail", []),
    ("Phi(x) >= 1 - exp(-x^2/2)/2 for x in (-1, 1)", "tail", []),
    ("(n - 3)^2 is increasing in n for integer n >= 1", "derivative", []),
    ("x^2 is increasing for x in (-1, 1)", "places", ["y"]),
    ("x y is increasing in x when x y <= 1 for x in (0, 1), y in (-1, 1)", "places", ["z"]),
    ("x y is decreasing in x for x in (0, 1), y in (0, 1)", "places", ["y"]),
    ("n (n - 5) is increasing in n when n + k >= 3 for integer n >= 1, integer k in [1, 2]", "places", ["m"]),
    ("there is c > 0 with c <= 0 x for x in (0, 1)", "witness", [["num", "0"]]),
    ("there is c > 0 with x >= c for x in (0, 1)", "witness", [HALVES]),
    ("there is c > 0 with x >= c for x in (0, 1)", "witness", [X]),
    ("there is c in (0, 1/2) with c + 0 x >= 1 for x in (0, 1)", "witness", [["num", "1"]]),
    ("there is integer c >= 1 with 3 c + 0 x = 4 for x in (0, 1)", "witness", [["num", "4/3"]]),
    ("inf(x^2 + 1, x in [1, 2]) = 1", "infimum", [X_TO_0]),
    ("inf(x^2, x in [-1, 1]) = 1", "infimum", [["num", "1"]]),
    ("(x - 1)^2 + 0 y >= 1/4 for x in (0, 3), y in (0, 2)", "closest", ["x", Y]),
    ("x (1 - x) + 0 y >= 1/5 for x in (0, 1), y in (1/3, 1/2)", "closest", ["x", Y]),
    ("x + 0 y >= 1/2 for x in (0, 1), y in (0, 1)", "closest", ["x", ["add", Y, ["num", "1"]]]),
    ("x + 0 y >= 1/2 for x in (0, 1), y in (1/2, 1)", "closest", ["x", Y]),
    ("x >= y for x in (0, 1), y in (0, 1)", "closest", ["x", Y]),
    ("x + 0 y <= 0 for x in (0, 1), y in (0, 1)", "closest", ["x", X]),
    ("1/x + 0 y >= 2 for x in [-1, 1], y in (1/4, 1/2)", "closest", ["x", Y]),
    ("floor(x) + 0 y >= 1 for x in (0, 1], y in (1/4, 1/2)", "closest", ["x", Y]),
    ("(k - y)^2 > 0 for integer k >= 0, y in (0, 2)", "closest", ["k", Y]),
    ("(x - y)^2 > 0 for x in (0, 1), y in (0, 1)", "closest", ["x", Y]),
    ("inf(x + 1, x > 0) = 1/2", "infimum", [ETA, "eta", ["num", "1"]]),
    ("inf(x + 1, x > 0) <= 0", "infimum", [ETA, "eta", ["div", ["num", "2"], ETA]]),
    ("inf(x + y, x > 0) <= 0 for y in (0, 1)", "infimum", [Y, "y", ["num", "2"]]),
    ("inf(x + 1, x in [1, 2]) <= 1", "infimum", [ETA, "eta", ["num", "1"]]),
    ("inf(k/3, integer k >= 1) <= 0", "infimum", [ETA, "eta", ["num", "1"]]),
    ("sup(1 - x, x > 0) >= 2", "infimum", [ETA, "eta", ["num", "1"]]),
    ("sup(1 - x, x > 0) = 2", "infimum", [ETA, "eta", ["neg", ["num", "2"]]]),
    ("inf(2/k + k, integer k >= 1) = 2 sqrt(2)", "infimum", [["call", "sqrt", ["num", "2"]]]),
]


@pytest.mark.parametrize(("statement", "way", "given"), MISUSED)
def test_a_way_to_a_false_claim_is_refused_or_asks_for_what_is_false(statement, way, given):
    generator, claim = random.Random(3), certifying_ways.claim_of(read(statement, {}, "plain"))
    try:
        parts = json.loads(json.dumps(WAYS[way](claim, *given)))
    except REFUSED:
        return
    of_leading = [part for part in parts if "expansion" in part]
    others = [part for part in parts if part not in of_leading]
    false = [part for part in others if fails_somewhere(part, generator, 200) is not None]
    assert false or any(check_expansion(part["expansion"]) for part in of_leading), parts


@pytest.mark.parametrize(
    "statement, point, last",
    [
        ("sum(1/k^2, k=1..inf) <= 2", {}, 300),
        ("sum((2 - k)/2^k, k=1..inf) <= 1/4", {}, 1),
        ("sum(1/k^2, k=n..inf) <= 2/n for integer n >= 1", {"n": "1"}, 300),
        ("sum(1/2^k, k=1..inf) >= 1/2", {}, 3),
        ("sum(1/2^k, k=1..9) <= 1", {}, 20),
        ("1 >= sum(1/2^k, k=1..inf)", {}, 20),
        ("sum(1/2^k, k=n..inf) <= 1 for integer n >= 1", {"n": "0"}, 20),
    ],
)
def test_the_first_terms_refute_no_series_that_is_as_small(statement, point, last):
    generator, claim = random.Random(3), certifying_ways.claim_of(read(statement, {}, "plain"))
    sign, *sides = claim["comparison"]
    try:
        parts = WAYS["partial"]({**claim, "comparison": ["fails", sign, sides]}, point, last)
    except REFUSED:
        return
    assert any(fails_somewhere(part, generator, 200) is not None for part in json.loads(json.dumps(parts))), parts


ON_X = {"places": {"x": ["0", 0]}, "faces": [["form"], SPLIT, ["absurd"]]}
AS_Y = {
    "way": "named",
    "given": ["x", Y, "y", X, REAL],
    "parts": [ON_X, ON_X, ON_X, {"places": {"y": ["0", 0]}, "faces": [["form"], ["form"], ["absurd"]]}],
}
FROM_HALF = {
    "way": "named",
    "given": [
        "x",
        ["sub", ["mul", ["num", "2"], Y], ["num", "1"]],
        "y",
        ["div", ["add", X, ["num", "1"]], ["num", "2"]],
        {**REAL, "low": HALVES},
    ],
    "parts": [ON_X, ON_X, ON_X, {"places": {"y": ["1/2", 0]}, "faces": [["form"], ["form"], ["absurd"]]}],
}


def test_the_order_of_ranges_is_that_of_the_claim_in_every_run():
    """Proofs go by it: a receipt of a sum of conditions had been confirmed in every other run only."""
    names = [f"x_{k * 7 % 12}" for k in range(12)]
    total = ["var", names[0]]
    for x in names[1:]:
        total = ["add", total, ["var", x]]
    claim = {"comparison": [">=", total, ["num", "0"]], "ranges": dict.fromkeys(names, REAL), "conditions": []}
    assert [*checker_of_ways.speaking(claim)["ranges"]] == names
    assert checker_of_ways.unused(*(("var", x) for x in names)) == "x_11_"


def test_a_name_without_a_range_is_refused():
    """Else x would be y, of which no range speaks, and y would be given the range from 1/2 on."""
    claim = json.loads(json.dumps(claim_of("x >= 1/2 for x in [0, 1]", {})))
    there = {**claim, "comparison": [">=", Y, HALVES]}
    assert not checker_of_ways.check_way({**claim, "comparison": ["<=", X, ["num", "1"]], "proof": ON_X})
    argument = {"way": "bounded", "given": [X, "==", Y], "parts": [AS_Y, FROM_HALF]}
    assert "y" in checker_of_ways.check_way({**claim, "proof": argument})
    assert "y" in checker_of_ways.check_way({**there, "proof": FROM_HALF})


def test_a_factorial_of_no_count_is_no_number():
    root = ["call", "factorial", ["num", "1/2"]]
    low, _ = checker.value(root, {})
    claim = {"comparison": ["<=", root, ["num", str(low)]], "ranges": {}, "conditions": []}
    assert not confirmed({**claim, "proof": {"places": {}, "faces": [["form"]]}})


ROUNDED = ["call", "ceil", ["add", ["num", "0"], ["var", "x_"]]]


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        ("ceil(x) <= x for x > 0", [ROUNDED, "w", [["form"], ["form"]]]),
        ("ceil(x) <= x + 1/2 for x > 0", [ROUNDED, "w", [["form"], ["form"]]]),
        ("floor(x) >= x for x > 0", [["call", "floor", *ROUNDED[2:]], "w", [["form"], ["form"]]]),
        ("x >= ceil(x) for x > 0", [ROUNDED, "w", [["form"], ["form"]]]),
        ("ceil(x) <= 2 x for x > 0", [ROUNDED, "x_", [["form"], ["form"]]]),
        ("ceil(x) <= x for x > 0", [ROUNDED, "w", [["form"]]]),
        ("abs(-x) <= 0 for x > 0", [["call", "abs", ["neg", ROUNDED[2]]], "w", [["form"], ["form"]]]),
    ],
)
def test_what_is_rounded_is_no_farther_away_than_it_may_be(statement, given):
    steps = ["rounding", *given]
    assert not confirmed(claim_of(statement, {"places": {"x": ["0", 0]}, "faces": [["absurd"], steps, ["absurd"]]}))


def test_an_altered_argument_is_refused_or_still_true(every_point):
    """As of proofs: digits, signs, names, places and ways."""
    generator, tried, kept, wanted = random.Random(8), 0, 0, 3000 if every_point else 60
    listed = [*BY_WAYS][2:8] if every_point else [*BY_WAYS][3:4]
    for statement in listed:
        (claim,) = data_of(written(statement))["claims"]
        assert not check_claim(claim)
        for _ in range(wanted // len(listed)):
            other = altered(claim, generator)
            if other == claim or check_claim(other):
                tried += other != claim
                continue
            kept += 1
            sign, *sides = other["comparison"]
            if sign not in CURVED and not any(word in json.dumps(sides) for word in ('"inf"', '"W"', '"factorial"')):
                assert fails_somewhere(other, generator) is None, (statement, other)
    assert tried > wanted * 0.6 and kept > 0
