"""Statements as MathML: every registered one converts, letters keep their style, nothing comes through unescaped."""

import re
from xml.etree import ElementTree

import pytest

from banditproof.claims import REGISTER, catalogue, load
from banditproof.claims.report.mathml import FORMULA, change, formula, marked, raised, statement
from banditproof.theory.errors import InvalidInput
from tests.cases import lines, rows, texts

TEXTS = texts(__file__)


def parsed(html: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<p>{html.replace('<wbr>', '')}</p>")


def words(html: str) -> str:
    return "".join(parsed(html).itertext())


def assert_converts(text: str) -> None:
    html = statement(text)
    root = parsed(html)
    left_over = re.findall(r"\\.\w*|\$", words(html))
    assert left_over == [], text
    assert {e.tag for e in root.iter()}.isdisjoint({"merror", "code"}), text
    assert len(root.findall(".//math")) >= len(FORMULA.findall(text))


def test_every_registered_statement_converts(every_point):
    load()
    assert REGISTER
    for claim in list(REGISTER.values())[:: 1 if every_point else 4]:
        assert_converts(claim.shown())
        assert_converts(claim.place)


def test_every_title_of_the_catalogue_converts():
    for item in catalogue().values():
        assert_converts(item.title)


def test_the_styles_of_a_letter_stay_apart():
    letters = [words(formula(latex)) for latex in ("P", r"\mathbb P", r"\mathcal P", r"\mathbf P", r"\mathfrak P")]
    assert letters == ["P", "ℙ", "𝒫", "𝐏", "𝔓"]
    assert words(formula(r"\mathcal M, \mathbb 1, \boldsymbol\mu")) == "ℳ,𝟙,𝝁"


@pytest.mark.parametrize(("latex", "text"), rows(TEXTS["undone"]))
def test_what_latex2mathml_leaves_undone_is_done(latex, text):
    assert words(formula(latex)) == text


def test_a_name_is_one_piece_and_a_function_is_spaced_as_tex_does():
    row = parsed(formula(r"\epsilon\log T+\mathrm{Reg}(T)"))[0]
    shown = [e.text or e.tag for e in row]
    assert shown[:5] == ["ϵ", "mspace", "log", "mspace", "T"]
    assert "Reg" in "|".join(row.itertext())
    assert [e.tag for e in parsed(formula(r"\log(x)"))[0]] == ["mi", "mo", "mi", "mo"]


def test_a_long_formula_may_be_broken_before_relations_and_says_the_same():
    latex = r"d_\epsilon(x,y) = \inf_{z\in[x\wedge y,x\vee y]}\{\epsilon|x-z|+\mathrm{kl}(z,y)\} \le \min\{a=b,c\}"
    pieces = formula(latex).split("<wbr>")
    assert len(pieces) == 3
    assert [words(piece)[0] for piece in pieces[1:]] == ["=", "≤"]
    assert words("".join(pieces)) == words(formula(latex, display=True))
    assert len(formula("x = y").split("<wbr>")) == 1
    nested = r"\min(\min(\min(\min(T-2\tau-1,p-2\tau),\gamma(T-\tau)-p),f(T,s,\gamma T)-1),f(g(p,\gamma),s,p+1))\ge0"
    pieces = formula(nested).split("<wbr>")  # no comma stands outside of its parentheses
    assert max(len("".join(words(piece))) for piece in pieces) <= 50
    assert words("".join(pieces)) == words(formula(nested, display=True))


@pytest.mark.parametrize("latex", [r"\unknowncommand{x}", r"x_a_b", r"\left( x"])
def test_a_formula_that_cannot_be_converted_is_refused_and_shown_as_its_source(latex):
    with pytest.raises(InvalidInput, match="formula"):
        formula(latex)
    assert words(statement(f"before ${latex}$ after")) == f"before ${latex}$ after"
    assert "<code" in statement(f"${latex}$")


@pytest.mark.parametrize("text", lines(TEXTS["markup"]))
def test_nothing_a_statement_contains_becomes_markup(text):
    root = parsed(statement(text))
    tags = {e.tag for e in root.iter()}
    names = {name for e in root.iter() for name in e.attrib}
    assert "script" not in tags and "b" not in tags and "a" not in tags
    assert names.isdisjoint({"href", "style", "mathcolor"}) and not any(n.startswith("on") for n in names)
    assert all(e.get("class") in (None, "tex") for e in root.iter())


def marks(html: str) -> list[str]:
    changed = (e for e in parsed(html).iter() if e.tag in ("del", "ins") or e.get("class"))
    return ["".join(e.itertext()) for e in changed]


def test_what_a_repair_changes_is_marked_in_both_formulas():
    printed, repaired = r"At most $2x^2\log T$ for all $x > 0$.", r"At most $4x_2\log T+1$ for every $x > 0$."
    old, new = marked(printed, repaired)
    assert marks(old) == ["2", "2", "all"] and marks(new) == ["4", "2", "+", "1", "every"]
    assert words(old) == words(statement(printed)) and words(new) == words(statement(repaired))


def test_what_is_new_is_marked_where_the_printed_statement_says_more():
    printed = (
        r"$g(\pi)=\max_a\|a\|_{V^{-1}}=d$, on the standard basis of $\mathbb R^d$, where $V$ is a multiple of $I$."
    )
    old, new = marked(printed, r"$\max_a\|a\|^2_{V^{-1}}=d$.")
    assert marks(old) == [] and marks(new) == ["2"]
    assert marks(marked("a mechanism with a leak", "If $x < 1$ then $y < 3$.", "If $x < 1$ then $y < 2$.")[1]) == ["3"]


def test_statements_with_little_in_common_are_not_marked_and_nothing_becomes_markup():
    old, new = marked("$x \\le 2$ <b>", "for every prior there is a policy & <script>")
    assert marks(old) == marks(new) == [] and "<b>" not in old and "<script>" not in new
    assert new == "for every prior there is a policy &amp; &lt;script&gt;"


def test_a_change_is_told_in_a_line_with_what_is_common_cut_short():
    printed = (
        "The policy of the third section is private for every budget, whatever $\\epsilon>0$ the reader may choose"
    )
    told = change(
        printed, printed.replace(r"\epsilon>0", r"\epsilon\le3") + ", as one would expect from it, on finite sets"
    )
    text = re.sub(r"<[^>]*>", "", told)
    assert text.startswith(" … ") and "ϵ≤3 the reader" in text and text.endswith("on finite sets")
    assert "policy" not in text and told.count('class="new"') == 2 and "<ins>finite</ins>" in told
    assert "del" not in told and change("nothing of it", "$a$ is $b$") == statement("$a$ is $b$")


def test_typed_scripts_stand_where_they_belong_and_names_stay():
    assert raised("decay^((k - s)^2), lead^2") == "decay<sup>(k - s)<sup>2</sup></sup>, lead<sup>2</sup>"
    text = "V_t^-1, 10^{-7}, e^(εk) and |x|^2 of kl_of_risk in <a href='2_1.html#A_b'>A_b</a>"
    assert raised(text) == (
        "V<sub>t</sub><sup>-1</sup>, 10<sup>-7</sup>, e<sup>εk</sup> and |x|<sup>2</sup> of kl_of_risk in "
        "<a href='2_1.html#A_b'>A<sub>b</sub></a>"
    )
