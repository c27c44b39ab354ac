"""Statements as paragraphs: what a file of statements registers, and what an error says."""

import shlex
from unittest.mock import patch

import pytest

from banditproof.claims import Real, deduced, examine, load, load_module
from banditproof.claims.fingerprint import MACHINERY, reached
from banditproof.claims.register import REGISTER, LateClaim, claim
from banditproof.claims.report.working import working
from banditproof.claims.run.record import Settings, key, modules_told
from banditproof.claims.run.selftest import try_mutations
from banditproof.claims.stating import stated, stated_in_general
from banditproof.cli.proving import prove_claims
from banditproof.cli.statuses import Status
from banditproof.theory.errors import InvalidInput
from banditproof.verify.judge.door import judge
from banditproof.verify.proof.domain import Domain
from tests.cases import texts

TEXTS = texts(__file__)

load()

FILE = TEXTS["file"]


@pytest.fixture
def read(tmp_path):
    """A function that writes a file of statements and registers its claims; in the end the register is as before."""

    def write(text, name="parts"):
        path = tmp_path / f"{name}.md"
        path.write_text(text, encoding="utf-8")
        load_module(path)
        return path

    with patch.dict(REGISTER):
        yield write


def test_a_paragraph_is_a_claim(read):
    path = read(FILE)
    first, never, bounded = (REGISTER[i] for i in ("PAR-1", "PAR-1/never", "PAR-1/bounded"))
    assert first.statement == r"A product is small: $x(1-x)\le\frac14$ for $x\in[0,1]$."
    assert first.notes == "It is largest in the middle.\n\nNothing else is said."
    assert (first.file, first.written.line, first.role) == (str(path), 3, "item")
    assert (str(stated(first)), str(first.domain)) == ("x (1 - x) <= 1/4", "x in [0, 1]")
    assert never.domain == Domain.of(x="[0, 1]", n="integer [1, inf)", where=["x <= n"])
    assert (str(stated(never)), never.role, never.cause) == ("n x (1 - x) < 1/4", "reading", "PAR-1/bounded")
    assert never.called == {"$x$": "x", "the number of factors": "n", "the product": "left"}
    assert list(never.definitions) == ["p"]
    assert (bounded.role, bounded.repairs, bounded.assuming) == ("repair", "PAR-1/never", "that both are numbers")
    assert bounded.restricted == "to factors of at most 1"
    assert str(stated(bounded)).startswith("min(kl_bernoulli(x, y), x (1 - x)) <= (1/4 if x <= y")


@pytest.mark.parametrize(
    ("places", "order"),
    [((), ["code", "more", "never", "bounded"]), (("code", "more"), ["never", "code", "more", "bounded"])],
)
def test_claims_stand_where_a_file_has_their_headings_also_those_of_python(read, places, order):
    """What a file does not name stands before what it names, and whether a claim is code makes no difference."""

    def square(x: Real):
        r"""A square is at least 0: $x^2\ge0$."""
        return x * x, ">=", 0

    for name in ("more", "code")[:: -1 if not places else 1]:
        claim(f"PAR-1/{name}", deduced())(square)
    headings = "".join(f"## PAR-1/{name}\n" for name in places)
    read(FILE.replace("## PAR-1/bounded", f"{headings}\n## PAR-1/bounded"))
    assert [c.id for c in REGISTER.values() if c.item == "PAR-1"] == ["PAR-1", *(f"PAR-1/{name}" for name in order)]


def test_an_item_is_repaired_by_its_id(read):
    read(
        "# Section 4: products\n\n## PAR-1\nToo small.\n\n    x (1 - x) <= 1/5 for x in [0, 1]\n\n"
        "## PAR-1/repair · repairs PAR-1\nLarge enough.\n\n    x (1 - x) <= 1/4 for x in [0, 1]\n"
    )
    assert REGISTER["PAR-1/repair"].repairs == "PAR-1"


def test_it_is_judged_or_refuted_at_its_point_and_its_variants_are_caught(read):
    read(FILE)
    record = examine(REGISTER["PAR-1"], Settings())
    assert record["verdict"] in ("proved", "supported")
    assert [m["caught"] for m in try_mutations(REGISTER["PAR-1"], Settings())] == [True]
    record = examine(REGISTER["PAR-1/never"], Settings())
    assert (record["verdict"], record["counterexample"]["point"]) == ("refuted", {"x": "1/2", "n": 1})


def test_a_finding_is_told_in_the_names_of_its_block(read):
    read(FILE)
    never = REGISTER["PAR-1/never"]
    found = working(examine(never, Settings())["counterexample"], never.definitions)
    assert found is not None
    assert list(found.lines) == [
        ("p = x * (1 - x)", "1/4"),
        ("left side = n * p", "1/4"),
        ("right side = 1 / 4", "1/4"),
    ]


def test_what_is_kept_of_a_check_depends_on_the_paragraph(read, tmp_path):
    path = read(FILE)
    first = key(REGISTER["PAR-1"], Settings())
    for claim_id in ("PAR-1", "PAR-1/never", "PAR-1/bounded"):
        del REGISTER[claim_id]
    path.write_text(FILE.replace("in the middle", "at 1/2"), encoding="utf-8")
    load_module(path)
    assert key(REGISTER["PAR-1"], Settings()) != first


def test_the_words_of_a_text_name_all_modules_that_its_reading_reaches(every_point):
    written = [c for c in REGISTER.values() if isinstance(c, LateClaim)]
    assert len(written) > 1000
    for one in written[:: 1 if every_point else 25]:
        told, read = (reached([*modules, *MACHINERY]) for modules in (modules_told(one), one.modules))
        assert read - told <= {"functools"}, one.id  # where Python says that a word stands that is made by `partial`


def test_its_file_is_proved_as_a_whole(read, capsys):
    path = read(FILE, "proved")
    assert prove_claims(str(path), (), 200, again=False) == Status.OPEN
    assert "1 of 2 claims have all their proofs" in capsys.readouterr().out
    assert path.with_suffix(".proofs.json").is_file()
    assert examine(REGISTER["PAR-1"], Settings())["verdict"] == "proved"


FACTORIALS = """# Section 5: factorials

## PAR-2
$n!\\ge2^{n-1}$.

    factorial(n) >= 2^(n - 1) for integer n >= 1
"""


def test_what_judge_proves_from_several_statements_is_said_with_the_command_that_writes_a_receipt(read, capsys):
    assert prove_claims(str(read(FACTORIALS, "factorials")), (), 200, again=False) == Status.OPEN
    printed = capsys.readouterr().out
    command = shlex.split(printed.partition("a receipt is written by: ")[2].splitlines()[0])
    assert command[:2] == ["banditproof", "judge"] and command[3:] == ["--receipt", "receipt.py"]
    assert judge(command[2]).verdict == "proved"
    assert examine(REGISTER["PAR-2"], Settings())["verdict"] == "supported"


def change(old, new):
    assert FILE.count(old) == 1
    return FILE.replace(old, new)


FAULTS = {  # the text, words of the line at fault, and what is said of it
    "no title": (FILE.removeprefix("# Section 4: products\n"), "", "a title"),
    "a heading of another size": (change("## PAR-1\n", "### PAR-1\n"), "### PAR-1", "with two signs"),
    "no sentence": (change("It is at most that, and $\\mathrm{kl}\\ge0$.\n", ""), "repairs never", "printed sentence"),
    "no block": (
        change("    x (1 - x) <= 1/4 for x in [0, 1]\n    false: 1/4 -> 1/5\n", ""),
        "## PAR-1",
        "an indented block",
    ),
    "the place of no claim": (
        change("## PAR-1/bounded", "## PAR-1/code\n## PAR-1/bounded"),
        "/code",
        "an indented block",
    ),
    "two blocks": (change("It is largest", "    x <= y\n\nIt is largest"), "x <= y", "with one block"),
    "an unknown mark": (change("· repairs never", "· repares never"), "repares", "did you mean repairs"),
    "a hyphen for the dot": (change("· repairs never", "- repairs never"), "repairs never", "marks behind dots"),
    "a mark in the block": (
        change("    assuming:", "    repairs: never\n    assuming:"),
        "    repairs",
        "a mark of the heading",
    ),
    "an unknown role": (change("· reading", "· readin"), "readin", "did you mean reading"),
    "an unknown word": (change("    assuming:", "    asuming:"), "asuming", "did you mean assuming"),
    "a word twice": (change("    cause:", "    cause: PAR-1\n    cause:"), "cause: PAR-1/bounded", "said once"),
    "an unknown step": (change("    assuming: that both are numbers", "    by: box"), "by: box", "did you mean boxes"),
    "an unknown function": (change("kl(x, y)", "kl_bernouli(x, y)"), "bernouli", "did you mean kl_bernoulli"),
    "a function of nobody": (change("kl(x, y)", "hell(x, y)"), "hell", "functions of judge and of banditproof.theory"),
    "an unknown name": (change("min(kl(x, y), x (1 - x))", "min(kl(x, y), z (1 - x))"), "min(kl", "z has no range"),
    "an unused range": (
        change("for x, y in [0, 1]\n    assuming", "for x, y, z in [0, 1]\n    assuming"),
        "z in",
        "got 'z'",
    ),
    "an unused definition": (change("    n p <", "    n x <"), "where p", "got 'p'"),
    "a range twice": (change("integer n >= 1\n", "integer n >= 1, x in [0, 1]\n"), "n >= 1, x", "has a range already"),
    "no comparison": (change("    x (1 - x) <= 1/4 for", "    x (1 - x) for"), "x (1 - x) for", "comparison"),
    "a point of another name": (change("x = 1/2, n = 1\n", "y = 1/2, n = 1\n"), "y = 1/2", "a value for each of x, n"),
    "a point that is none": (change("x = 1/2, n = 1\n", "x > 1/2, n = 1\n"), "x > 1/2", "a point"),
    "a variant of nothing": (change("1/4 -> 1/5", "1/3 -> 1/5"), "false", "stands there 0 times"),
    "a variant without an arrow": (change("1/4 -> 1/5", "1/5"), "false", "an arrow"),
    "a name for nothing": (change("the product is left", "the product"), "called", "got 'the product'"),
    "an id twice": (change("## PAR-1/never", "## PAR-1"), "· reading", "not registered yet"),
    "the id of another section": (change("## PAR-1\n", "## TH-P2.7\n"), "TH-P2.7", "the section of the title"),
    "a repair of nothing": (change("repairs never", "repairs nevr"), "repairs nevr", "did you mean PAR-1/never"),
}


@pytest.mark.parametrize(("text", "words", "said"), FAULTS.values(), ids=FAULTS)
def test_an_error_names_the_file_the_line_the_word_and_the_cure(read, text, words, said):
    line = next(number for number, line in enumerate(text.splitlines(), 1) if words in line)
    with pytest.raises(InvalidInput) as raised:
        read(text)
    assert said in str(raised.value)
    assert f"parts.md, line {line}:" in str(raised.value)


SENTENCE = TEXTS["sentence"]


def test_a_sentence_in_words_of_the_kernel_is_proved_by_its_theorem(read):
    """It has the key of the sentence that a document states, and is proved as that one is; another bound is not."""
    read(SENTENCE)
    claimed = REGISTER["PAR-1"]
    assert stated_in_general(claimed).key == stated_in_general(REGISTER["ADV-L17"]).key
    assert claimed.domain == Domain.of(
        M="all: every mechanism, a law of outputs for each data set", m="integer [1, inf)", epsilon="[0, inf)"
    )
    assert examine(claimed, Settings())["verdict"] == "proved"
    used = {"banditproof.verify.kernel.meanings", "banditproof.verify.theorems.mechanisms"}
    assert used <= claimed.modules
    read(SENTENCE.replace("m * epsilon", "m * epsilon / 2").replace("PAR-1", "PAR-2"), "halved")
    assert examine(REGISTER["PAR-2"], Settings())["verdict"] != "proved"


@pytest.mark.parametrize(
    ("old", "new", "line", "word"),
    [
        ("private(M", "privat(M", 6, "privat"),
        ("every mechanism M", "every mechanizm M", 7, "mechanizm"),
        ("epsilon >= 0", "epsilon >= 0, delta >= 0", 7, "delta"),
        ("mechanisms.group", "mechanism.group", 8, "mechanism"),
        ("m * epsilon, 0)", "m * epsilon, 0.5)", 6, "0.5"),
        ("covered: The word", "fails: m = 1\n    covered: The word", 9, "fails"),
        ("private(M, epsilon) then", "private(M.__class__, epsilon) then", 6, "__class__"),
        ("close_at_distance(M", "[close_at_distance for M in M](M", 6, "listcomp"),
    ],
)
def test_an_error_in_a_sentence_has_its_line_and_word(read, old, new, line, word):
    with pytest.raises(InvalidInput, match=rf"line {line}: .*") as error:
        read(SENTENCE.replace(old, new))
    assert word in str(error.value)


def test_what_is_read_late_can_be_read_and_shows_as_much_as_its_words_say():
    late = [c for c in REGISTER.values() if isinstance(c, LateClaim)]
    assert len(late) > 1000
    for one in late:
        assert one.methods == tuple(step.method for step in one.steps), one.id
        assert one.is_varied == bool(one.mutations), one.id
