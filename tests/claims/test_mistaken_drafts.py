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


def line_of(text, part):
    return text[: text.index(part)].count("\n") + 1


RAISING = {
    "d_epsilonn(x, y, 1)": "NameError: name 'd_epsilonn' is not defined",
    "x + 'a'": "TypeError: unsupported operand",
    "x.lenght": "AttributeError",
    "(x, y)[2]": "IndexError: tuple index out of range",
    "d_epsilon(x, y)": "TypeError: d_epsilon(x, y, epsilon): missing a required argument: 'epsilon'",
}


@pytest.mark.parametrize("side", RAISING)
def test_a_body_that_raises_is_an_error_of_its_claim_with_the_line(side, load_draft):
    text = HEAD + f"@claim('WRONG-1', interval()){BODY}".replace("x * y", side)
    load_draft(text, "draft_raising")
    record = examine(REGISTER["WRONG-1"], Settings())
    *_, last = record["reach"].splitlines()
    assert record["status"] == "error" and record["verdict"] is None
    assert last.startswith(f"draft_raising.py, line {line_of(text, side)}: ") and RAISING[side] in last


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


@pytest.mark.parametrize("steps", ["certified(fine, 1)", "enumerated(x=[0], y=[0], of=other)"])
def test_evidence_about_something_else_does_not_hide_a_name_that_is_not_there(steps, load_draft):
    other = BODY.replace("def f", "def other")
    load_draft(HEAD + other + f"@claim('WRONG-1', {steps}){BODY}".replace("x * y", "x * z"), "draft_beside")
    assert "name 'z' is not defined" in examine(REGISTER["WRONG-1"], Settings())["reach"]


def test_a_name_that_is_not_there_is_an_error_of_a_claim_about_policies(load_draft):
    text = HEAD + f"@claim('WRONG-1', certified(fine, 1)){BODY}".replace("x: Probability", "x: Policy")
    load_draft(text.replace("x * y", "leak(x)"), "draft_of_policies")
    assert "NameError: name 'leak' is not defined" in examine(REGISTER["WRONG-1"], Settings())["reach"]


@pytest.mark.parametrize(
    ("body", "verdict"), [("1 / (x - x)", "refuted"), ("float(x)", "undecided"), ("round(float(x) ** 2)", "undecided")]
)
def test_a_program_that_computes_or_a_formula_without_a_value_is_no_error(body, verdict, load_draft):
    load_draft(HEAD + f"@claim('RIGHT-1', interval(boxes=50)){BODY}".replace("x * y", body), "draft_program")
    record = examine(REGISTER["RIGHT-1"], Settings())
    assert (record["status"], record["verdict"]) == ("done", verdict)


@pytest.mark.parametrize("values", ["a == b, 1, 2", "a < b, 1, 2"])
def test_a_comparison_by_python_in_where_is_said_with_what_to_write(values, load_draft):
    text = HEAD + "from banditproof.theory.numbers.numeric import where\n"
    body = BODY.replace("x * y", f"where({values})".replace("a", "x").replace("b", "y"))
    load_draft(text + f"@claim('WRONG-1', enumerated(x=[0], y=[0])){body}", "draft_where")
    record = examine(REGISTER["WRONG-1"], Settings())
    assert record["status"] == "error" and 'where(a, "==", b, then, otherwise)' in record["reach"]


AT_REGISTRATION = {
    "interval(), false={'facotr': '2'}": "did you mean factor? constant in a false variant of WRONG-1 must be one of "
    "factor, got 'facotr'",
    "interval(), false={'x': 2}": "must be one of factor, got 'x'",
    "interval(), where=['y <= z']": "a comparison of variables of the domain: x, y (z is not one), got 'y <= z'",
}


@pytest.mark.parametrize("options", AT_REGISTRATION)
def test_a_name_that_the_signature_does_not_have_is_refused_where_it_is_registered(options, load_draft):
    text = HEAD + f"@claim('WRONG-1', {options}){BODY}"
    with pytest.raises(InvalidInput) as refused:
        load_draft(text, "draft_names")
    said = str(refused.value)
    assert AT_REGISTRATION[options] in said and f"draft_names.py, line {line_of(text, '@claim')}: " in said
    assert "\n" not in said


def test_a_false_variant_of_a_claim_without_constants_says_why(load_draft):
    with pytest.raises(InvalidInput, match="no parameter has a default"):
        load_draft(
            HEAD + "@claim('WRONG-1', interval(), false={'c': 1})" + BODY.replace(", factor=2", ""), "draft_none"
        )


IN_STEPS = {
    "enumerated(m=[1, 2])": "name at a point must be a variable of the domain: x, y, got 'm'",
    "tried_at(m=[1, 2])": "name at a point must be a variable of the domain: x, y, got 'm'",
    "fails_at(m=1)": "name at a point must be a variable of the domain: x, y, got 'm'",
    "fails_at(x=1)": "point must be a value for each of x, y (y has none), got 'x = 1'",
    "tried_at(x=[0, 1])": "point must be a value for each of x, y (y has none), got 'x = 0'",
    "enumerated(x=[0, 1])": "points must be points that also have a value of y, which the relation uses, got 'x'",
    "interval(covers={'z': '[0, 1/2]'})": "variable of covers must be one of x, y, got 'z'",
}


@pytest.mark.parametrize("step", IN_STEPS)
def test_a_step_that_names_other_variables_is_an_error_in_one_line(step, load_draft):
    load_draft(HEAD + f"@claim('WRONG-1', {step}){BODY}", "draft_steps")
    record = examine(REGISTER["WRONG-1"], Settings())
    assert (record["status"], record["reach"]) == ("error", IN_STEPS[step])


@pytest.mark.parametrize(
    ("point", "why"), [("x=2, y=1", "it lies outside of the domain"), ("x=1, y=1", "does not certainly fail there")]
)
def test_a_point_that_is_no_counterexample_says_why(point, why, load_draft):
    load_draft(HEAD + f"@claim('WRONG-1', fails_at({point})){BODY}", "draft_points")
    record = examine(REGISTER["WRONG-1"], Settings())
    assert record["verdict"] == "undecided" and why in record["reach"]


def test_a_claim_under_an_item_that_is_not_there_is_refused(load_draft):
    with pytest.raises(InvalidInput, match="did you mean WRONG-1[?] item of WRONG-11/part must be a registered"):
        text = f"@claim('WRONG-1', interval()){BODY}\n@claim('WRONG-11/part', interval()){BODY}"
        load_draft(HEAD + text, "draft_parents")


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


MISTAKEN = {  # what is written -> what is said
    "@claim('WRONG-1', interval)": "step of WRONG-1 must be a step with parentheses, as in interval(), got 'interval'",
    "@claim('WRONG-1', interval(), false={'factor': 2})": "false variant of WRONG-1 must be different from the claim",
}


@pytest.mark.parametrize("decorator", MISTAKEN)
def test_what_no_claim_can_mean_is_refused_where_it_is_written(decorator, load_draft):
    with pytest.raises(InvalidInput) as refused:
        load_draft(HEAD + decorator + BODY, "draft_refused")
    assert MISTAKEN[decorator] in str(refused.value)


def test_a_claim_without_its_printed_sentence_is_refused(load_draft):
    with pytest.raises(InvalidInput, match="statement of WRONG-1 must be the first paragraph of the docstring"):
        load_draft(HEAD + "@claim('WRONG-1', interval())" + BODY.replace('    "$x y$ is small."\n', ""), "draft_silent")


def test_an_operator_that_there_is_not_is_an_error(load_draft):
    load_draft(HEAD + "@claim('WRONG-1', interval())" + BODY.replace('"<="', '"=<"'), "draft_operator")
    record = examine(REGISTER["WRONG-1"], Settings())
    assert record["status"] == "error" and "operator of a relation must be one of < <= == >= > !=" in record["reach"]


@pytest.mark.parametrize(
    ("trend", "said"),
    [
        (
            "trend('bounded', series, 's', bound=2)",
            "rule of a trend must be one of vanishes, tends_to, grows, stays_below",
        ),
        ("trend('stays_below', series, 's')", "parameters of the trend 'stays_below' must be bound, got 'none'"),
        ("trend('tends_to', series, 's', limit=2)", "must be limit and tolerance, got 'limit'"),
    ],
)
def test_what_a_trend_lacks_is_named(trend, said, load_draft):
    head = HEAD.replace("claim,", "claim, trend,") + "def series(check):\n    return [(n, 1) for n in range(9)]\n\n"
    load_draft(head + f"@claim('WRONG-1', {trend})" + BODY, "draft_trend")
    record = examine(REGISTER["WRONG-1"], Settings())
    assert record["status"] == "error" and said in record["reach"]


def test_a_variant_that_is_true_is_called_so(load_draft):
    load_draft(HEAD + "@claim('WRONG-1', interval(), false={'factor': 3})" + BODY, "draft_true_variant")
    tried = try_mutations(REGISTER["WRONG-1"], Settings())
    record = examine(REGISTER["WRONG-1"], Settings()) | {"mutations": tried}
    assert missed_variants(record) == ["factor = 3 (it is true: proved)"]
