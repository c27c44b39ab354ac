"""The reader of LaTeX: it says what the plain text beside it says, or it refuses in one line."""

import json
import random
import re
from fractions import Fraction
from pathlib import Path

import pytest

from banditproof.verify.judge.door import judge
from banditproof.verify.judge.formulas.certain import NoValue, Unknown, value_at
from banditproof.verify.judge.formulas.formula import name as variable
from banditproof.verify.judge.formulas.formula import names_in, put
from banditproof.verify.judge.formulas.sentence import Expression, Private, Range, Sentence, Unread
from banditproof.verify.judge.reading.readers import read
from tests.cases import rows, texts

TEXTS = texts(__file__)

HERE = Path(__file__).parent
STYLES = [json.loads(line) for line in (HERE / "latex_statements.jsonl").read_text().splitlines()]
ROWS = [json.loads(line) for line in (HERE / "statements.jsonl").read_text().splitlines()]


def same(a, b):
    """The same sentence, where e^x and exp(x), and the orders of a product, are one."""
    if isinstance(a, Expression):
        return a == b or agree(a, b)
    if isinstance(a, Sentence | Range):
        return type(a) is type(b) and all(same(x, y) for x, y in zip(vars(a).values(), vars(b).values(), strict=True))
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return a == b


def agree(a, b):
    """Whether two formulas have the same values, or none, at numbers of several kinds."""
    names = sorted({*names_in(a), *names_in(b)})
    generator = random.Random(11)
    for k in range(50):
        point = {n: Fraction(NUMBERS[(k * (i + 3) + i) % len(NUMBERS)]) for i, n in enumerate(names)}
        if k % 2:
            point = {n: Fraction(generator.randint(-60, 120), generator.randint(1, 40)) for n in names}
        left, right = value(a, point), value(b, point)
        if left != right and not (isinstance(left, float) and isinstance(right, float) and isclose(left, right)):
            return False
    return True


NUMBERS = ("0", "1", "2", "3/10", "71/100", "4", "19/10")


def isclose(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1e-6)


def value(e, point):
    try:
        v = value_at(e, point)
    except NoValue:
        return "none"
    except (Unknown, OverflowError):
        return "unknown"
    return float(v) if isinstance(v, Fraction | float) else float(v.mid())


@pytest.mark.parametrize("row", STYLES, ids=lambda row: row["latex"])
def test_a_statement_in_latex_says_what_its_plain_text_says(row):
    given, meant = read(row["latex"], None, "latex"), read(row["plain"], None, "plain")
    assert same(given.sentence, meant.sentence) and same(given.conditions, meant.conditions), (given.said, meant.said)
    assert same(dict(given.ranges), dict(meant.ranges)), (given.said, meant.said)
    back = read(given.said, None, "plain")
    assert (back.sentence, back.conditions, back.ranges) == (given.sentence, given.conditions, given.ranges)


# Letters that the plain text of a row has in place of those that its paper prints.
PRINTED = {"g": "gamma", "s": "sigma", "t": "tau", "l": "lambda", "d": "delta", "D": "Delta", "m": "mu", "a": "alpha"}
PRINTED_ELSEWHERE = {
    "G085": {"m": "m"},
    "G245": {"d": "delta'", "e1": "eps'"},
    "G246": {"d": "delta'", "e1": "eps'"},
    "G210": {"x": "v_1", "y": "v_2", "z": "v_3"},
}
UNREAD = {"G075", "G077", "G078", "G201"}  # h without a definition, a family, a matrix without entries
OTHER = {"G050"}  # its plain text is the same claim in another form


def renamed(row):
    """The ranges of a row by the letters of its LaTeX."""
    text, own = row["latex"], PRINTED_ELSEWHERE.get(row["id"], {})
    names = {n: own.get(n) or (PRINTED.get(n, n) if f"\\{PRINTED.get(n, n)}" in text else n) for n in row["domain"]}
    names = {n: m if m != "tau" or n == "t" and "\\tau" in text else n for n, m in names.items()}
    return names


def test_the_rows_of_papers_are_read_as_their_plain_text():
    unread = set()
    for row in ROWS:
        names = renamed(row)
        try:
            given = read(row["latex"], {names[n]: r for n, r in row["domain"].items()}, "latex")
        except Unread as why:
            assert "\n" not in str(why)
            unread.add(row["id"])
            continue
        if row["id"] in OTHER:
            continue
        meant = read(row["plain"], row["domain"], "plain")
        change = {n: variable(m) for n, m in names.items() if n != m}
        assert same(given.sentence, put(meant.sentence, change)), (row["id"], given.said, meant.said)
    assert unread == UNREAD


def test_what_is_printed_as_latex_reads_back(every_point):
    """Over all statements here; sentences about mechanisms are words, and have none."""
    printed, share = 0, 1 if every_point else 12
    for statement, where, form in [
        *((row["plain"], row["domain"], "plain") for row in ROWS[::share]),
        *((row[form], None, form) for row in STYLES[::share] for form in ("plain", "latex")),
    ]:
        reading = read(statement, where, form)
        if isinstance(reading.sentence, Private):
            assert not reading.tex
            continue
        back = read(reading.tex, None, "latex")
        assert (back.sentence, back.conditions, back.ranges) == (
            reading.sentence,
            reading.conditions,
            reading.ranges,
        ), (reading.said, reading.tex)
        printed += 1
    assert printed > 400 / share


# What is not read, and a word of the reason.
REFUSED = [
    *rows(TEXTS["refused"]),
    ("x\\le1,\\ x\\ge0" + "\\,x" * 3333, "characters"),
    ("{" * 3000 + "x", "deep"),
    ("\\sqrt" * 600 + "x", "deep"),
    ("\\frac" * 600 + "x", "deep"),
    ("x^{" * 1000, "deep"),
    ("\\left(" * 600, "no \\right"),
    ("\\hat" * 900, "single letter"),
]


@pytest.mark.parametrize("text, words", REFUSED, ids=[text[:40] for text, _ in REFUSED])
def test_what_is_no_statement_or_has_two_readings_is_refused_in_one_line(text, words):
    with pytest.raises(Unread) as refused:
        read(text, None, "latex")
    assert words in str(refused.value) and "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200 and refused.value.place <= len(text)


# Words that change what is said; beside each stand words that are left out elsewhere.
MATTERS = (HERE / "latex_refused.txt").read_text().splitlines()


@pytest.mark.parametrize("text", MATTERS)
def test_a_word_that_matters_is_never_left_out(text):
    with pytest.raises(Unread):
        read(text, None, "latex")


def test_no_word_that_matters_can_be_put_anywhere_without_a_change(every_point):
    """Into each gap between the words of sentences that are read: what is read differs, or nothing is."""
    words = (
        "not nearly roughly almost only without large fails false except may half either rarely most sometimes".split()
    )
    around = [
        row["latex"] for row in STYLES if re.match(r"[A-Z]\w* (?!\$)", row["latex"]) and "ref{" not in row["latex"]
    ]
    tried = 0
    for text in around if every_point else around[::3]:
        meant = read(text, None, "latex")
        outside = [
            i
            for i, c in enumerate(text)
            if c == " " and not text[:i].count("$") % 2 and "\\" not in text[:i].split("$")[-1]
        ]
        for at in [0, *outside]:
            word = words[tried % len(words)]
            tried += 1
            changed = f"{text[:at]} {word} {text[at:]}" if at else f"{word.capitalize()} {text[:1].lower()}{text[1:]}"
            try:
                given = read(changed, None, "latex")
            except Unread:
                continue
            assert (given.sentence, given.ranges, given.conditions) != (
                meant.sentence,
                meant.ranges,
                meant.conditions,
            ), changed
    assert tried > (400 if every_point else 130)


PROSE = [json.loads(line) for line in (HERE / "prose.jsonl").read_text().splitlines()]


def meant_by(row, given):
    """Whether a reading is the one that a row means."""
    meant = read(row["plain"], None, "plain")
    said, ranges = (given.sentence, dict(given.ranges)), dict(meant.ranges)
    return same(said[0], meant.sentence) and said[1] == ranges and len(given.conditions) == len(meant.conditions)


@pytest.mark.parametrize("form, at_least", [("latex", 45), ("formula", 80)])
def test_prose_is_read_as_it_is_meant_or_not_at_all(form, at_least):
    """280 sentences by people who had not seen the reader; in the first 100, words change what the formula says."""
    right = 0
    for row in PROSE[100 if form == "formula" else 0 :]:
        try:
            given = read(row["latex"], None, form)
        except Unread:
            continue
        assert row["plain"] and meant_by(row, given), (row["latex"], given.said)
        right += 1
    assert right >= at_least


def test_a_sentence_that_is_not_read_shows_its_formula_and_how_to_ask_for_it():
    text = "Whatever the merits, the cost is governed by $(e^x-1)^2\\le4x^2$ for $x\\in[0,1]$."
    answer = judge(text)
    assert answer.verdict == "not read"
    assert "the formula alone: (exp(x) - 1)^2 <= 4*x^2 for x in [0, 1]" in str(answer.why)
    assert "--form formula" in str(answer.why)
    alone = judge(text, form="formula", seconds=60)
    assert alone.verdict == "proved" and "not read" in alone.reading.assumed[0]
    plain = judge(
        "Whatever the merits, one is glad to see that 1 - e^(-x) <= x for x >= 0 in the regime of interest here"
    )
    assert plain.verdict == "not read" and "the formula alone: 1 - exp(-x) <= x for x in [0, inf): proved" in plain.why
    assert "formula alone" not in judge("It is not true that x^2 <= x for x in [0, 1]").why
    assert "formula alone" not in str(judge("The base is 2, and $\\log x\\le x$ for $x\\ge1$.").why)


OFFERED = rows(TEXTS["formulas alone"], data=(1,))


SAME_AS = rows(TEXTS["what authors write"])


@pytest.mark.parametrize(("text", "other"), SAME_AS)
def test_what_authors_write_is_read_as_what_it_stands_for(text, other):
    given, meant = read(text), read(other)
    assert given.said == meant.said


@pytest.mark.parametrize(("text", "rest", "said"), rows(TEXTS["quantities without a value"]))
def test_what_has_no_value_is_named_and_the_rest_is_read(text, rest, said):
    given = read(text)
    assert given.said == read(rest).said
    assert any(said in told for told in given.assumed), given.assumed


@pytest.mark.parametrize(
    ("text", "ranges", "plain"), [(*row, "")[:3] for row in rows(TEXTS["among ranges beside the text"], data=(1,))]
)
def test_ranges_beside_the_text_tell_conditions_and_real_letters(text, ranges, plain):
    if plain:
        given, meant = read(text, ranges), read(plain)
        assert given.sentence == meant.sentence and given.conditions == meant.conditions, given.said
        assert dict(given.ranges) == dict(meant.ranges)
    else:
        with pytest.raises(Unread):
            read(text, ranges)


@pytest.mark.parametrize(("text", "alone"), OFFERED)
def test_a_text_shows_each_of_its_formulas_with_the_ranges_that_are_its_own(text, alone):
    answer = judge(text, seconds=8)
    shown = re.findall(r"the formula alone: (.*)", answer.why)
    assert answer.verdict == "not read" and len(shown) == len(alone), answer.why
    assert all(said.startswith(part) for said, part in zip(shown, alone, strict=True)), shown
    settled = [said.rpartition(": ")[0] for said in shown if "no range" not in said]
    assert all(read(said).said == said for said in settled)


def test_of_several_formulas_none_is_chosen():
    text = "Whatever the merits, $x^2\\le x$ and $x\\le x^2$ are compared for $x\\in[0,1]$."
    answer = judge(text, form="formula", seconds=8)
    assert answer.verdict == "not read" and "which of its formulas" in answer.why
    assert "x^2 <= x for x in [0, 1]: proved" in answer.why and "x <= x^2 for x in [0, 1]: refuted" in answer.why
    unread = text.replace("x\\le x^2", "x\\le\\wombat")
    assert judge(unread, form="formula", seconds=8).verdict == "not read"


def test_what_is_left_out_is_said():
    given = read("By Jensen's inequality, for every gap $x>0$, $\\log x\\le x-1$.")
    assert [a for a in given.assumed if "left out" in a] == [
        "'gap' is left out as a remark",
        "'By Jensen's inequality' is left out as a remark",
    ]
    assert given.said == read("log(x) <= x - 1 for x > 0").said


# Two texts in plain words that say the same; they differ from their neighbours.
PLAIN = rows(TEXTS["plain words"])


@pytest.mark.parametrize("words, plain", PLAIN, ids=[words for words, _ in PLAIN])
def test_words_around_a_formula_say_what_the_plain_ranges_say(words, plain):
    given, meant = read(words, None, "plain"), read(plain, None, "plain")
    assert same(given.sentence, meant.sentence) and given.conditions == meant.conditions
    assert dict(given.ranges) == dict(meant.ranges), given.said


def test_a_range_in_a_field_of_its_own_may_be_spelled_as_it_is_printed():
    for name in ("eps", "epsilon", "\\varepsilon", "ε"):
        assert len(read(r"1+\varepsilon\le e^\varepsilon", {name: "[0, 1]"}).ranges) == 1
    assert list(read(r"\mu_1^2\ge0", {r"\mu_{1}": "[0, 1]"}).ranges) == ["mu_1"]


# "P" or "L" (plain text or LaTeX), a form, and plain text that says the same, or "refuse".
FORMS = [line.split(" | ", 1) for line in (HERE / "printed_forms.txt").read_text().splitlines()]


@pytest.mark.one_in(12)
@pytest.mark.parametrize("form, row", FORMS, ids=[row for _, row in FORMS])
def test_a_form_is_read_as_the_plain_text_beside_it_or_refused(form, row):
    text, plain = row.rsplit(" | ", 1)
    form = {"P": "plain", "L": "latex"}[form]
    if plain == "refuse":
        with pytest.raises(Unread) as refused:
            read(text, None, form)
        why = str(refused.value)
        assert "\n" not in why and 10 < len(why) < 200 and refused.value.place <= len(text)
        return
    given, meant = read(text, None, form), read(plain, None, "plain")
    assert same(given.sentence, meant.sentence) and same(given.conditions, meant.conditions), (given.said, meant.said)
    assert dict(given.ranges) == dict(meant.ranges), (given.said, meant.said)
    back = read(given.said, None, "plain")
    assert (back.sentence, back.conditions, back.ranges) == (given.sentence, given.conditions, given.ranges)


def test_what_a_form_leaves_open_is_said():
    for text, word in [
        ("norm([x, y]) >= x for x, y in R", "Euclidean"),
        ("inf(a/t + t, t, 0, inf) = 2 sqrt(a) for a > 0", "without 0"),
        ("sup(x, x, 0, 1) = 1", "ends included"),
        ("P(Z >= t) <= 1 for Z ~ N(0, 1), t >= 0", "normal law"),
        ("norm(x) >= 0 for x in R^2", "(x_1, x_2)"),
    ]:
        assert any(word in told for told in read(text, None, "plain").assumed), text


# How another paper prints the same.
WRITTEN = {
    "relations": lambda s: re.sub(r"\\le(?![a-z])", r"\\leqslant", re.sub(r"\\ge(?![a-z])", r"\\geq", s)),
    "fractions": lambda s: re.sub(r"\\t?frac(?![a-z])", r"\\dfrac", s),
    "braces": lambda s: re.sub(r"\^(\w)(?!\w*\\)", r"^{\1}", s),
    "lines": lambda s: s.replace(" ", "\n    "),
    "comments": lambda s: s.replace(" ", " % {$\n", 1),
    "dollars": lambda s: s if re.search(r"\$|\\\[|\\begin", s) else f"${s}$",
    "displayed": lambda s: (
        s if re.search(r"\$|\\\[|\\begin", s) else f"\\begin{{align}}\n  & \\displaystyle {s}.\n\\end{{align}}"
    ),
    "spaces": lambda s: s.replace(",\\ ", ",\\qquad "),
}


@pytest.mark.parametrize("place, style", [*enumerate(WRITTEN)], ids=WRITTEN)
def test_the_same_in_another_style_says_the_same(place, style, every_point):
    for row in STYLES if every_point else STYLES[place :: len(WRITTEN)]:
        given, other = read(row["latex"], None, "latex"), read(WRITTEN[style](row["latex"]), None, "latex")
        assert (given.sentence, given.ranges) == (other.sentence, other.ranges), row["latex"]


def test_no_change_of_a_letter_or_a_brace_ends_in_anything_but_one_line(every_point):
    generator = random.Random(5)
    signs = (
        "\\ { } ^ _ $ | \\left \\right ( ) [ ] \\text{ \\frac x 2 ' \\\\ \\quad & % \\sum \\int \\choose ! :".split()
    )
    for _ in range(1500 if every_point else 40):
        text = generator.choice(STYLES)["latex"]
        for _ in range(generator.randint(1, 4)):
            place = generator.randrange(len(text) + 1)
            cut = place + generator.randint(0, 3)
            text = text[:place] + generator.choice(["", *signs]) + text[cut:]
        try:
            read(text, None, "latex")
        except Unread as why:
            assert "\n" not in str(why)


def test_a_sign_of_definition_says_which_equation_is_no_claim():
    ranges = {"p": "[0, 1]", "q": "(0, 1)", "varepsilon": "(0, inf)"}
    name, claim = (
        r"\mathrm d_\varepsilon(p,q)",
        r"\inf_{z\in[0,1]}\{\mathrm{kl}(z,q)+\varepsilon|p-z|\}\le\mathrm{kl}(p,q)",
    )
    assert read(f"{name}:={claim}", ranges, "latex").said == read(claim, ranges, "latex").said
    for said, other in (
        ("[0,1]", "[0,1/2]"),
        ("(z,q)", "(z,p)"),
        (r"\varepsilon|", r"2\varepsilon|"),
        (r"\inf", r"\sup"),
    ):
        with pytest.raises(Unread, match="is the first equation claimed"):
            read(f"{name}={claim.replace(said, other)}", ranges, "latex")
