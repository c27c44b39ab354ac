"""Mistakes in a draft: each is named with the file, the line and what would be right, and none passes in silence."""

import pytest

from banditproof.claims import REGISTER, examine, mutation
from banditproof.claims.report.terminal import print_report, print_selftest
from banditproof.claims.run import selftest
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import assemble, missed_variants
from banditproof.claims.run.selftest import try_mutations
from banditproof.cli.checking import exit_status
from banditproof.theory.errors import InvalidInput

HEAD = """\
from banditproof.claims import Policy, Probability, certified, claim, enumerated, fails_at, interval, tried_at
from banditproof.theory import d_epsilon

def fine(data):
    return data, "==", data

"""
BODY = """
def f(x: Probability, y: Probability, factor=2):
    "$x y$ is small."
    return x * y, "<=", factor
"""


def body(new, old="x * y"):
    """The body with a mistake in it."""
    return BODY.replace(old, new)


def step(text, more=""):
    return f"{more}@claim('WRONG-1', {text})"


INTERVAL, CERTIFIED = step("interval()"), step("certified(fine, 1)")
IN_WHERE = step("enumerated(x=[0], y=[0])", "from banditproof.theory.numbers.numeric import where\n")
SERIES = "from banditproof.claims import trend\n\ndef series(check):\n    return [(n, 1) for n in range(9)]\n\n"
NO_VARIABLE = "name at a point must be a variable of the domain: x, y, got 'm'"
NO_VALUE = "point must be a value for each of x, y (y has none), got "
ERRORS = [  # what stands above the body, the body, and what is said; of what raises with its line
    (INTERVAL, body("d_epsilonn(x, y, 1)"), "NameError: name 'd_epsilonn' is not defined"),
    (INTERVAL, body("x + 'a'"), "TypeError: unsupported operand type(s) for +: 'Fraction' and 'str'"),
    (INTERVAL, body("return x >= y", 'return x * y, "<=", factor'), "its body ends with return left, '>=', right)"),
    (INTERVAL, body("x.lenght"), "AttributeError: 'Fraction' object has no attribute 'lenght'"),
    (INTERVAL, body("(x, y)[2]"), "IndexError: tuple index out of range"),
    (INTERVAL, body("d_epsilon(x, y)"), "TypeError: d_epsilon(x, y, epsilon): missing a required argument: 'epsilon'"),
    (CERTIFIED, body("x * z"), "NameError: name 'z' is not defined"),
    (step("enumerated(x=[0], y=[0], of=other)", body("def other", "def f")), body("x * z"), "name 'z' is not defined"),
    (CERTIFIED, body("x: Policy", "x: Probability").replace("x * y", "leak(x)"), "name 'leak' is not defined"),
    (INTERVAL, body('"=<"', '"<="'), "operator of a relation must be one of < <= == >= > !=, got \"'=<'\""),
    *(
        (IN_WHERE, body(f"where(x {sign} y, 1, 2)"), 'where(a, "==", b, then, otherwise), not where(a == b, ...), got ')
        for sign in ("==", "<")
    ),
    *((step(points), BODY, NO_VARIABLE) for points in ("enumerated(m=[1, 2])", "tried_at(m=[1, 2])", "fails_at(m=1)")),
    (step("fails_at(x=1)"), BODY, NO_VALUE + "'x = 1'"),
    (step("tried_at(x=[0, 1])"), BODY, NO_VALUE + "'x = 0'"),
    (step("enumerated(x=[0, 1])"), BODY, "also have a value of y, which the relation uses, got 'x'"),
    (step("interval(covers={'z': '[0, 1/2]'})"), BODY, "variable of covers must be one of x, y, got 'z'"),
    (step("trend('bounded', series, 's', bound=2)", SERIES), BODY, "vanishes, tends_to, grows, stays_below, got "),
    (step("trend('stays_below', series, 's')", SERIES), BODY, "of the trend 'stays_below' must be bound, got 'none'"),
    (step("trend('tends_to', series, 's', limit=2)", SERIES), BODY, "must be limit and tolerance, got 'limit'"),
]


@pytest.mark.parametrize(("above", "below", "said"), ERRORS, ids=range(len(ERRORS)))
def test_a_mistake_is_an_error_of_its_claim_in_one_line(above, below, said, load_draft):
    text = HEAD + above + below
    load_draft(text, "draft_mistaken")
    record = examine(REGISTER["WRONG-1"], Settings())
    *before, last = record["reach"].splitlines()
    assert record["status"] == "error" and record["verdict"] is None and said in last
    line = text.count("\n", 0, text.rindex("return")) + 1
    assert last.startswith(f"draft_mistaken.py, line {line}: ") if "Error: " in last else not before


@pytest.mark.parametrize(
    "said", ["[(2 * x, '<=', x), (x, '<=', 2 * x)][min(next(CALLS), 1)]", "(x, '<=', (1 + min(next(CALLS), 1)) * x)"]
)
def test_what_is_checked_is_what_is_printed_however_often_a_body_is_called(said, load_draft):
    body = f"def f(x: Probability):\n    'x'\n    return {said}\n"
    load_draft(
        f"{HEAD}from itertools import count\nCALLS = count()\n@claim('WRONG-1', interval())\n{body}", "draft_twice"
    )
    record = examine(REGISTER["WRONG-1"], Settings())
    assert record["status"] == "error" and record["verdict"] is None
    assert "body must be the same statement at every call; the next call says x <= 2 x" in record["reach"]


@pytest.mark.parametrize("name", ["k1", "k_2"])
def test_no_variable_is_called_as_the_index_of_a_sum_is_shown(name, load_draft):
    body = f"def f({name}: Probability):\n    'x'\n    return {name}, '<=', 1\n"
    load_draft(f"{HEAD}@claim('WRONG-1', interval())\n{body}", "draft_index")
    record = examine(REGISTER["WRONG-1"], Settings())
    assert record["verdict"] is None or record["verdict"] == "undecided"
    assert f"the variable {name}: sums use this name for their index" in record["reach"]


@pytest.mark.parametrize(
    ("body", "verdict"), [("1 / (x - x)", "refuted"), ("float(x)", "undecided"), ("round(float(x) ** 2)", "undecided")]
)
def test_a_program_that_computes_or_a_formula_without_a_value_is_no_error(body, verdict, load_draft):
    load_draft(HEAD + f"@claim('RIGHT-1', interval(boxes=50)){BODY}".replace("x * y", body), "draft_program")
    record = examine(REGISTER["RIGHT-1"], Settings())
    assert (record["status"], record["verdict"]) == ("done", verdict)


REFUSED = [  # the decorator, the body, and what is said beside the line of the decorator
    (
        "interval(), false={'facotr': '2'}",
        BODY,
        "did you mean factor? constant in a false variant of WRONG-1 must be one of factor, got 'facotr'",
    ),
    ("interval(), false={'x': 2}", BODY, "must be one of factor, got 'x'"),
    ("interval(), where=['y <= z']", BODY, "comparison of variables of the domain: x, y (z is not one), got 'y <= z'"),
    ("interval(), false={'c': 1}", body("", ", factor=2"), "no parameter has a default"),
    ("interval(), false={'factor': 2}", BODY, "false variant of WRONG-1 must be different from the claim"),
    ("interval", BODY, "step of WRONG-1 must be a step with parentheses, as in interval(), got 'interval'"),
    ('"interval"', BODY, "step of WRONG-1 must be a step without quotes, as in interval(), or a statement"),
    ("interval()", body("", '    "$x y$ is small."\n'), "must be the first paragraph of the docstring"),
    (
        "interval()",
        f"{BODY}\n@claim('WRONG-11/part', interval()){BODY}",
        "did you mean WRONG-1? item of WRONG-11/part must be a registered",
    ),
]


@pytest.mark.parametrize(("options", "below", "said"), REFUSED, ids=[options for options, *_ in REFUSED])
def test_what_no_claim_can_mean_is_refused_where_it_is_registered(options, below, said, load_draft):
    with pytest.raises(InvalidInput) as refused:
        load_draft(HEAD + step(options) + below, "draft_refused")
    assert said in str(refused.value) and "\n" not in str(refused.value)
    assert ("draft_refused.py, line " in str(refused.value)) == ("WRONG-11" not in below)


@pytest.mark.parametrize(
    ("point", "why"), [("x=2, y=1", "it lies outside of the domain"), ("x=1, y=1", "does not certainly fail there")]
)
def test_a_point_that_is_no_counterexample_says_why(point, why, load_draft):
    load_draft(HEAD + f"@claim('WRONG-1', fails_at({point})){BODY}", "draft_points")
    record = examine(REGISTER["WRONG-1"], Settings())
    assert record["verdict"] == "undecided" and why in record["reach"]


BROKEN = {
    "import math\nfoo(\n": r"draft_broken.py, line 2: SyntaxError: '\(' was never closed",
    "import math\n\nimport mathh\n": "draft_broken.py, line 3: ModuleNotFoundError: No module named 'mathh'",
    "def f():\n    return 1 / 0\n\nf()\n": "draft_broken.py, line 2: ZeroDivisionError",
    "from banditproof.theory import d_epsilonn\n": "line 1: ImportError: .*did you mean d_epsilon",
}


@pytest.mark.parametrize("text", BROKEN)
def test_a_file_that_does_not_run_is_named_with_the_line(text, load_draft):
    with pytest.raises(InvalidInput, match=BROKEN[text]):
        load_draft(text, "draft_broken")


def status_of(record, **run):
    shown = assemble([record], Settings(), "banditproof check", 0.0)
    return exit_status(shown["claims"], shown, [])


@pytest.mark.parametrize("form", ["terminal", "summary", "counts"])
def test_the_terminal_names_the_claim_that_raises_and_the_false_variant_that_is_missed(form, load_draft, capsys):
    weak = f"@claim('WRONG-1', tried_at(x=0, y=0), false={{'factor': '1/2'}}){BODY}"
    load_draft(
        HEAD + weak + f"@claim('WRONG-2', interval(), false={{'factor': 1}}){BODY}".replace("x * y", "x * z"), "d"
    )
    chosen = [REGISTER[name] for name in ("WRONG-1", "WRONG-2")]
    records = [examine(c, Settings()) | {"mutations": try_mutations(c, Settings())} for c in chosen]
    print_report(assemble(records, Settings(), "banditproof check", 0.0), form)
    said = capsys.readouterr().out.splitlines()
    assert any(line.startswith("error in WRONG-2: d.py, line ") and "'z' is not defined" in line for line in said)
    assert "false variant not refuted: WRONG-1: factor = 1/2" in said
    assert not any("variant not refuted: WRONG-2" in line for line in said)
    print_selftest(records, quiet=True)
    assert "error in WRONG-2: d.py, line " in capsys.readouterr().out


def test_the_exit_status_tells_a_check_that_raises_and_one_that_misses_a_false_variant(load_draft):
    text = HEAD
    for number, side in ((1, "x * y"), (2, "x * z")):
        text += f"@claim('WRONG-{number}', tried_at(x=0, y=0), false={{'factor': '1/2'}}){BODY}".replace("x * y", side)
    text += f"@claim('RIGHT-1', interval(), false={{'factor': '1/2'}}){BODY}"
    load_draft(text, "draft_statuses")
    records = {}
    for name in ("WRONG-1", "WRONG-2", "RIGHT-1"):
        claim = REGISTER[name]
        records[name] = examine(claim, Settings()) | {"mutations": try_mutations(claim, Settings())}
    assert [status_of(records[name]) for name in records] == [1, 3, 0]
    assert [missed_variants(records[name]) for name in records] == [["factor = 1/2"], [], []]


def test_an_exception_while_a_refutation_is_checked_again_is_a_miss_that_is_shown(load_draft, monkeypatch):
    def breaks(data):
        raise RuntimeError("on purpose")

    load_draft(HEAD + f"@claim('RIGHT-1', interval(), false={{'factor': '1/2'}}){BODY}", "draft_recheck")
    monkeypatch.setattr(selftest, "recheck", breaks)
    (tried,) = try_mutations(REGISTER["RIGHT-1"], Settings())
    assert not tried["caught"] and tried["name"] == mutation(factor="1/2").name
    assert tried["how"].splitlines()[-1] == "draft_recheck.py: RuntimeError: on purpose"


def test_a_variant_that_is_true_is_called_so(load_draft):
    load_draft(HEAD + "@claim('WRONG-1', interval(), false={'factor': 3})" + BODY, "draft_true_variant")
    tried = try_mutations(REGISTER["WRONG-1"], Settings())
    record = examine(REGISTER["WRONG-1"], Settings()) | {"mutations": tried}
    assert missed_variants(record) == ["factor = 3 (it is true: proved)"]
