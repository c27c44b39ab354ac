"""Leading terms: against mpmath far out, with receipts that the standard library confirms, and forged ones refused."""

import ast
import json
import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from banditproof import judge
from banditproof.verify.judge.receipts import leading
from banditproof.verify.judge.receipts.checker import NoValue, Unsure
from banditproof.verify.judge.receipts.leading import Expanding, Expansion, check_expansion, exact, level
from banditproof.verify.judge.receipts.receipt import code, receipt
from tests.cases import lines, rows, texts

TEXTS = texts(__file__)

N = "as n -> inf for integer n >= 1"
PAIRS = rows(TEXTS["pairs"])  # fmt: skip


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("true", "false"), PAIRS)
def test_a_statement_is_proved_and_its_neighbour_refuted_with_receipts(true, false, alone):
    for statement, verdict in ((true, "proved"), (false, "refuted")):
        answer = judge(statement, seconds=60)
        assert answer.verdict == verdict, (statement, answer)
        done = alone(receipt(answer))
        status = 3 if done.stdout.startswith("confirmed in part: ") else 0
        assert done.returncode == status and done.stdout.startswith("confirmed"), done.stdout + done.stderr


# ----------------------------------------------------------------------------------------- expansions, far from zero

LEAVES = [
    (["var", "x"], lambda x: x),
    (["call", "log", ["var", "x"]], mpmath.log),
    (["call", "sqrt", ["var", "x"]], mpmath.sqrt),
    (["const", "pi"], lambda x: mpmath.pi),
    *((["num", q], lambda x, q=Fraction(q): mpmath.mpf(q.numerator) / q.denominator) for q in ("2", "1/3", "-3/2")),
]
CALLS = [
    ("log", mpmath.log),
    ("sqrt", mpmath.sqrt),
    ("exp", mpmath.exp),
    ("atan", mpmath.atan),
    ("sin", mpmath.sin),
    ("cos", mpmath.cos),
    ("Phi", mpmath.ncdf),
    ("W", mpmath.lambertw),
]
BINARY = [
    ("add", lambda a, b: a + b),
    ("sub", lambda a, b: a - b),
    ("mul", lambda a, b: a * b),
    ("div", lambda a, b: a / b),
]


def formula(rng, depth):
    """A random formula, and the same in mpmath."""
    if not depth or rng.random() < 0.15:
        return rng.choice(LEAVES)
    if rng.random() < 0.35:
        (word, function), (listed, inner) = rng.choice(CALLS), formula(rng, depth - 1)
        return ["call", word, listed], lambda x: function(inner(x))
    head, operation = rng.choice(BINARY)
    (a, f), (b, g) = formula(rng, depth - 1), formula(rng, depth - 1)
    return [head, a, b], lambda x: operation(f(x), g(x))


def value(c):
    """A constant by mpmath."""
    total = mpmath.mpf(0)
    for key, q in c.key:
        part = mpmath.mpf(q.numerator) / q.denominator
        for a, exponent in key:
            part *= value_of_atom(a) ** (mpmath.mpf(exponent.numerator) / exponent.denominator)
        total += part
    return total


def value_of_atom(a):
    kind, *rest = a
    if kind == "prime":
        return mpmath.mpf(rest[0])
    if kind == "log":
        return mpmath.log(rest[0])
    if kind == "of":
        inside = value(leading.Constant(dict(rest[1])))
        return {"sum": mpmath.mpf, "log": mpmath.log, "exp": mpmath.exp, "Phi": mpmath.ncdf}[rest[0]](inside)
    return {"e": mpmath.e, "pi": mpmath.pi}[kind] + mpmath.mpf(0)


def monomial(m, x):
    total = mpmath.mpf(1)
    for unit, c in m:
        if isinstance(unit, int):
            at = x
            for _ in range(unit):
                at = mpmath.log(at)
            total *= at ** value(c)
        else:
            total *= mpmath.exp(value(c) * monomial(unit[1], x))
    return total


def error(f, by_mpmath, x):
    """What the terms leave, in units of the rest."""
    left = abs(by_mpmath(x) - mpmath.fsum(value(c) * monomial(m, x) for m, c in f.terms))
    if f.rest is None:
        return left / max(abs(by_mpmath(x)), mpmath.mpf(10) ** -100)
    return left / monomial(f.rest, x)


def bounded(f, by_mpmath):
    """Whether the error stays bounded: from each place to one whose logarithm is twice as large it hardly grows."""
    near, far = (error(f, by_mpmath, mpmath.mpf(10) ** k) for k in (40, 80))
    return far < 10**-50 if f.rest is None else far <= mpmath.mpf("1.4") * near + 5


def test_an_expansion_leaves_what_it_says(every_point):
    rng, looked, noticed = random.Random(1), 0, 0
    while looked < (2000 if every_point else 25):
        listed, by_mpmath = formula(rng, 4)
        try:
            f = Expanding({}, 4).of(listed, {"x": Expansion([(level(0), exact(1))])})
        except (Unsure, NoValue):
            continue
        if "exp" in repr(f.terms) + repr(f.rest) and listed != ["call", "exp", ["var", "x"]]:
            continue  # too large or too small for the places of mpmath
        with mpmath.workdps(700):
            try:
                assert bounded(f, by_mpmath), (listed, f.terms, f.rest)
                if f.rest is not None and len(f.terms) > 1:
                    noticed += not bounded(Expansion(f.terms[:-2] + f.terms[-1:], f.rest), by_mpmath)
            except (OverflowError, TypeError):  # mpmath knows no number of this size, or a complex one
                continue
        looked += 1
    assert noticed > looked / 10, "a term that is left out is not noticed"


@pytest.mark.parametrize("s", [-2, -1, Fraction(-1, 2), 0, 1])
@pytest.mark.parametrize("r", [-2, -1, Fraction(-1, 2), Fraction(1, 2), 1, 2])
def test_a_sum_of_powers_and_logarithms_leaves_what_it_says(s, r):
    ends, k = (10**4, 10**6), ["var", "k"]
    term = ["mul", ["pow", k, ["num", str(s)]], ["pow", ["call", "log", k], ["num", str(r)]]]
    f = Expanding({}, 2, (["var", "n"],)).of(
        ["sum", "k", ["num", "2"], ["var", "n"], term], {"n": Expansion([(level(0), exact(1))])}
    )
    counts = np.arange(2, ends[1] + 1, dtype=float)
    sums = np.cumsum(counts ** float(s) * np.log(counts) ** float(r))
    sum_to = lambda n: mpmath.mpf(sums[int(n) - 2])  # noqa: E731
    near, far = (error(f, sum_to, mpmath.mpf(n)) for n in ends)
    assert far <= 1.3 * near + 0.5  # bounded: a term that is left out grows by more, as the next lines see
    for j in range(len(f.terms)):
        less = Expansion(f.terms[:j] + f.terms[j + 1 :], f.rest)
        assert error(less, sum_to, mpmath.mpf(ends[1])) > 1.3 * far + 0.5


@pytest.mark.parametrize("body", ["1/log(k)", "(k - 2) log(k)^(-1/2)", "log(k)/log(k)"])
def test_a_logarithm_that_may_be_0_is_not_divided_by(body):
    assert judge(f"sum({body}, k=1..n) = O(n^2) as n -> inf for n >= 2", seconds=5).verdict not in ("proved", "refuted")


# ---------------------------------------------------------------------------------------------------------- forgeries


def data_of(statement):
    scope: dict = {"__name__": "receipt"}
    exec(compile(receipt(judge(statement, seconds=60)), "receipt", "exec"), scope)  # the text that was just made
    (data,) = (claim["expansion"] for claim in scope["DATA"]["claims"])
    return data


@pytest.mark.parametrize(("true", "false"), PAIRS[:8:2])
def test_the_opposite_is_refused_and_so_is_another_statement(true, false):
    right, wrong = data_of(true), data_of(false)
    assert not check_expansion(right) and not check_expansion(wrong)
    for data, other in ((right, wrong), (wrong, right)):
        assert check_expansion({**data, "holds": not data["holds"]})
        assert check_expansion({**other, "holds": data["holds"]})


@pytest.mark.parametrize(
    "changed",
    [
        {"ranges": {}, "left": ["mul", ["var", "a"], ["var", "n"]]},
        {"kind": "nothing"},
        {"left": ["call", "nothing", ["var", "n"]]},
        {"left": ["var"]},
        {"to": ["num", "x"]},
    ],
)
def test_what_cannot_be_read_is_refused(changed):
    assert check_expansion({**data_of(PAIRS[0][0]), **changed})


def altered(data, rng):
    """The data with one number, sign, name or answer changed."""
    changed = json.loads(json.dumps(data))
    listed = [(key,) for key in ("kind", "holds", "infinite")]
    listed += [(key, *way) for key in ("left", "right", "to") for way in leaves(changed[key])]
    *way, last = rng.choice(listed)
    node = changed
    for key in way:
        node = node[key]
    old = node[last]
    others = [group for group in OTHERS if old in group]
    if isinstance(old, bool):
        node[last] = not old
    elif last == "infinite":
        node[last] = rng.choice([1, -1, 0])
    elif others:
        node[last] = rng.choice(others[0])
    elif any(c.isdigit() for c in old):
        node[last] = old.replace(rng.choice([c for c in old if c.isdigit()]), rng.choice("0123456789"), 1)
    return changed


def leaves(node, way=()):
    for place, part in enumerate(node):
        if isinstance(part, list):
            yield from leaves(part, (*way, place))
        elif part not in ("num", "var", "call", "const", "n", "k", "x", "sum"):
            yield (*way, place)


OTHERS = [["add", "sub", "mul", "div", "pow"], ["exp", "log", "sqrt"], ["e", "pi"], ["O", "o", "~", "Omega"]]
FAR_OUT = lines(TEXTS["far out"])


def far_out(data):
    """Whether a limit or an order seems to hold, from values at places whose logarithms double; None where unclear."""
    with mpmath.workdps(400):
        left, right = (
            [by_mpmath(data[side], mpmath.mpf(10) ** (20 * 2**k)) for k in range(4)] for side in ("left", "right")
        )
        if data["kind"] == "limit":
            if data["infinite"]:
                grows = [data["infinite"] * v for v in left]
                return grows == sorted(grows) and grows[-1] > 50
            gaps = [abs(a - b) for a, b in zip(left, right, strict=True)]
        else:
            if 0 in right or data["kind"] in ("Omega",) and 0 in left:
                return None
            pairs = list(zip(*((right, left) if data["kind"] == "Omega" else (left, right)), strict=True))
            ratios = [abs(a / b) for a, b in pairs]
            if data["kind"] in ("O", "Omega"):
                return ratios[-1] < 3 * ratios[0] + mpmath.mpf(10) ** -9
            gaps = [abs(a / b - 1) for a, b in pairs] if data["kind"] == "~" else ratios
        return gaps[-1] < mpmath.mpf(10) ** -9 or gaps[-1] < 0.2 * gaps[0]


def by_mpmath(f, n):
    head, *parts = f
    if head in ("num", "var", "const"):
        number = Fraction(parts[0]) if head == "num" else 0
        known = {"num": mpmath.mpf(number.numerator) / number.denominator, "var": n}
        return known.get(head) if head != "const" else {"e": mpmath.e, "pi": mpmath.pi}[parts[0]] + mpmath.mpf(0)
    values = [by_mpmath(part, n) for part in parts if not isinstance(part, str)]
    if head == "call":
        value = getattr(mpmath, parts[0])(*values) if parts[0] != "exp" or values[0] < 10**4 else mpmath.inf
    elif head == "pow" and values[0] > 0 and abs(values[1] * mpmath.log(values[0])) > 10**6:
        raise OverflowError
    else:
        value = {
            "neg": lambda a: -a,
            "add": lambda a, b: a + b,
            "sub": lambda a, b: a - b,
            "mul": lambda a, b: a * b,
            "div": lambda a, b: a / b,
            "pow": lambda a, b: a**b,
        }[head](*values)
    if mpmath.im(value) or not mpmath.isfinite(value):
        raise OverflowError
    return mpmath.re(value)


def test_an_altered_limit_is_refused_or_says_what_values_far_out_do(every_point):
    """Numbers, operations, kinds and the answer: what is still confirmed is what mpmath sees."""
    rng, tried, kept, compared = random.Random(21), 0, 0, 0
    receipts = [data_of(statement) for statement in FAR_OUT]
    for round_ in range(1500 if every_point else 30):
        data = receipts[round_ % len(receipts)]
        other = altered(data, rng)
        if other == data:
            continue
        tried += 1
        if check_expansion(other):
            continue
        kept += 1
        try:
            seen = far_out(other)
        except (ArithmeticError, ValueError):
            continue
        if seen is not None:
            compared += 1
            assert seen == other["holds"], (other, seen)
    assert tried > 20 and 3 < compared <= kept < tried


def test_an_end_that_is_no_rational_is_not_taken_for_a_nearby_one():
    """1/e from below makes (1/(e p))^n grow."""
    assert judge(f"(1/(e p))^n = O(1) {N}, p in [1/e, 1]", seconds=20).verdict != "refuted"


def test_texts_that_stand_in_one_receipt_have_names_of_their_own():
    texts = ("checker", "checker_of_polynomials", "checker_of_proofs", "leading", "checker_of_claims")
    defined = [name for text in texts for name in names_of(ast.parse(code(text)))]
    twice = {name for name in defined if defined.count(name) > 1} - {"__doc__"}
    assert len(defined) > 100 and not twice


def names_of(tree):
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        for target in getattr(node, "targets", []):
            yield from (n.id for n in ast.walk(target) if isinstance(n, ast.Name))


def test_a_digest_goes_with_the_statement(alone):
    text = receipt(judge(PAIRS[0][0]))
    assert json.dumps(str(Fraction(1)))[1:-1] in text
    assert alone(text.replace("SAID = '", "SAID = 'not ", 1)).returncode == 1
