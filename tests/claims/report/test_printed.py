"""Printed sentences in copies of made-up papers: words, fingerprints, places, passages."""

import re

import pytest

from banditproof.claims.documents import Document, catalogue, documents
from banditproof.claims.report.printed import locating
from banditproof.claims.report.printed.copies import read_copy
from banditproof.claims.report.printed.fingerprints import (
    MOST,
    fingerprints_of,
    printed_runs,
    read_fingerprints,
    read_spans,
    written,
)
from banditproof.claims.report.printed.locating import Index, locate, recognised
from banditproof.claims.report.printed.passages import LONGEST, Passage, passage, readable, undumped
from banditproof.claims.report.printed.words import words
from banditproof.theory import InvalidInput

LEMMA = (
    "Lemma 4. Every sailor who leaves the harbour before sunrise returns with the tide, unless a storm from the north "
    "keeps him at sea for a whole night."
)
THEOREM = (
    "Theorem 7. A lighthouse that burns twice as bright is seen at most half again as far, and no keeper can do better "
    "with oil alone."
)
FILLING = "Gulls circle above the pier while old men mend their nets and tell each other what the weather will bring. "
PAPER = (
    f"1 Introduction\n\n{FILLING * 3}\n\n2 Tides\n\n{LEMMA}\n\n{FILLING * 4}\n\n3 Lights\n\n{THEOREM}\n\nProof. "
    f"Look at the shadow of a mast. {FILLING * 2}\n\nThe boats lie high in spring\n\nb = a + 1\n\n"
    "and low in the autumn.\n"
)


def forms(text):
    return [word.form for word in words(text)]


@pytest.mark.parametrize(
    "text",
    [
        "the differential privacy of Rényi's efficient estimator is suboptimal for every arm",
        "the differential pri-\nvacy of Rényi's eﬃcient esti-\nmator is sub-\noptimal for every arm",
        "the diﬀerential privacy of R´enyi’s efficient estimator is sub-optimal for every $a$-arm [3, 4]",
        r"\emph{the} $\epsilon$-differential privacy \cite{x} of Rényi's efficient~estimator is sub-optimal"
        "\n" + r"for every \label{here} arm \cref{thm:one}",
        "the **differential** privacy (Dwork et al., 2006) of Rényi's efficient estimator is suboptimal for every arm "
        "12 of Theorem 3",
        "the ϵitalic-ϵ\\epsilonitalic_ϵ-differential privacy of Rényi's efficient estimator is suboptimal for every "
        "a𝑎aitalic_a start_POSTSUBSCRIPT 1 end_POSTSUBSCRIPT arm",
        "the (α, ϵ)-differential privacy of Rényi's AdaP-UCB efficient estimator is suboptimal for log(T) every T-arm",
    ],
)
def test_every_form_of_a_text_has_the_same_words(text):
    expected = "the differential privacy renyis efficient estimator suboptimal for every arm".split()
    assert forms(text) == expected


def test_words_of_formulas_stay_only_where_they_are_said():
    said = forms(r"where $$f(x) = \begin{cases} 1 & \text{whenever small} \\ \mathrm{diam}(x) \end{cases}$$ holds")
    assert said == ["where", "whenever", "small", "holds"]
    assert forms(r"$d_{\text{ham}}(x) = \text{Cost}_n + \text{cost}(y)$ counts") == ["counts"]
    assert forms(r"as \begin{align*} \operatorname{regret} &= \max x \end{align*} shows") == ["shows"]
    text = "a word, another"
    assert [text[w.start : w.end] for w in words(text)] == ["word", "another"]


def spans_of(text, **items):
    return {item: [(text.index(part), text.index(part) + len(part)) for part in parts] for item, parts in items.items()}


@pytest.fixture
def harbour(tmp_path, monkeypatch):
    """A made-up document with fingerprints, announced as the only one."""
    spans = spans_of(PAPER, L4=[LEMMA], T7=[THEOREM], E1=["b = a + 1"])
    (tmp_path / "fingerprints.tsv").write_text(written(fingerprints_of(PAPER, spans)))
    rows = ["id\taliases\tkind\ttitle\tsection\tnumber"]
    rows += ["L4\t\tlemma\tSailors\t2\tLemma 4", "T7\t\ttheorem\tLights\t3\tTheorem 7", "E1\t\tequation\tBoats\t3\t"]
    (tmp_path / "catalogue.tsv").write_text("\n".join(rows) + "\n")
    document = Document("harbour", "Tides", "", tmp_path / "catalogue.tsv", fingerprints=tmp_path / "fingerprints.tsv")
    monkeypatch.setattr(locating, "documents", lambda: {"harbour": document})
    return document


@pytest.fixture
def located(harbour, tmp_path):
    """The items of the document in a text, by id."""

    def found(text, name="copy.txt"):
        (tmp_path / name).write_text(text)
        return {one.item: one for one in locate(harbour, Index(read_copy(tmp_path / name)))}

    return found


def states(places):
    return {item: one.state for item, one in places.items()}


ALL_FOUND = dict.fromkeys(("L4", "T7", "E1"), "found")


def test_a_fingerprint_holds_hashes_only_and_not_too_many(harbour):
    text = harbour.fingerprints.read_text()
    assert not {word.form for word in words(LEMMA + THEOREM)} & set(re.findall(r"[a-z]{4,}", text))
    long = fingerprints_of(FILLING * 30, {"X": [(0, len(FILLING) * 30)]})["X"]
    assert [len(span.hashes) for span in long] == [MOST] and long[0].places[-1] == long[0].length - 4
    assert read_fingerprints(harbour.fingerprints) == fingerprints_of(
        PAPER, spans_of(PAPER, L4=[LEMMA], T7=[THEOREM], E1=["b = a + 1"])
    )
    (formula,) = read_fingerprints(harbour.fingerprints)["E1"]
    assert formula.inside == 0 and formula.before and formula.behind


def test_the_text_itself_has_every_item_at_its_line(located):
    places = located(PAPER)
    assert states(places) == ALL_FOUND
    assert places["L4"].place == f"line {PAPER[: PAPER.index(LEMMA)].count(chr(10)) + 1}"


def wrapped(text, width):
    """Lines of a PDF: words are cut at their ends, letters are joined."""
    lines = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split():
            room = width - len(line) - 2
            if len(line) + len(word) + 1 > width:
                cut = room if word.isalpha() and 2 < room < len(word) - 2 else 0
                lines.append(f"{line} {word[:cut]}-" if cut else line)
                line = word[cut:]
            else:
                line = f"{line} {word}".strip()
        lines.append(line)
    return [line.replace("fi", "ﬁ").replace("ff", "ﬀ") for line in lines]


def with_pages(lines, height, width=60):
    """Pages with a head line and a number."""
    pages = [lines[k : k + height] for k in range(0, len(lines), height)]
    return "\f".join(
        "\n".join([f"Tides and Lights {k}", *page, str(k).center(width)]) for k, page in enumerate(pages, 1)
    )


def test_pages_of_a_pdf_with_heads_numbers_cut_words_and_joined_letters(located):
    places = located(with_pages(wrapped(PAPER, 60), 7))
    assert states(places) == ALL_FOUND and places["T7"].place.startswith("page ")


def test_columns_side_by_side_are_read_one_after_the_other(located):
    lines = wrapped(PAPER, 44)
    pages = []
    for k in range(0, len(lines), 24):
        left, right = lines[k : k + 12], lines[k + 12 : k + 24]
        right += [""] * (len(left) - len(right))
        pages.append("\n".join(f"{a:<48}{b}" for a, b in zip(left, right, strict=True)))
    assert states(located("\f".join(pages))) == ALL_FOUND


def test_latex_with_macros_comments_and_files_that_it_inputs(located, tmp_path):
    (tmp_path / "parts").mkdir()
    lemma = LEMMA.removeprefix("Lemma 4. ").replace("sailor", r"\sailor{}").replace("storm", "storm % or worse")
    (tmp_path / "parts" / "tides.tex").write_text(
        "\\begin{lemma}[Sailors] \\label{lem:s}\n" + lemma.replace("% or worse", "% or worse\n") + "\n\\end{lemma}\n"
    )
    source = (
        "\\documentclass{article}\n\\newcommand{\\sailor}{sailor}\n\\title{Every sailor}\n\\begin{document}\n"
        f"{FILLING * 3}\n\\section{{Tides}} \\input{{parts/tides}}\n{FILLING * 4}\\begin{{theorem}}\n"
        f"{THEOREM.removeprefix('Theorem 7. ').replace('burns', 'burns~$x^2$')}\n\\end{{theorem}}\n\\begin{{proof}} "
        "Look at the shadow of a mast.\\end{proof}\n"
        f"{FILLING * 2}\n\nThe boats lie high in spring\n\\[ b = a + 1 \\]\nand low in the autumn.\n\\input{{lost}}\n"
        "\\end{document}\n"
    )
    places = located(source, "paper.tex")
    assert states(places) == ALL_FOUND and places["L4"].place == "parts/tides.tex, line 2"
    assert read_copy(tmp_path / "paper.tex").missing == ("lost",)


def test_a_word_that_was_changed_put_in_or_dropped_is_told(located):
    changed = located(PAPER.replace("before sunrise", "after sunrise"))
    assert states(changed) == ALL_FOUND | {"L4": "differs"}
    assert "“after”" in changed["L4"].altered[0] and re.match(r"words 7 of 2\d: here", changed["L4"].altered[0])
    put_in = located(PAPER.replace("keeper can", "keeper ever can"))
    assert put_in["T7"].state == "differs" and "here “ever”" in put_in["T7"].altered[0] and put_in["T7"].share == 1
    dropped = located(PAPER.replace(", unless a storm from the north keeps him at sea for a whole night", ""))
    assert dropped["L4"].state == "differs" and dropped["L4"].share < 0.7
    assert states(located(PAPER.replace(LEMMA, "")))["L4"] == "not found"


def test_a_figure_between_two_pages_is_no_difference(located):
    cut = PAPER.replace(
        "unless a storm", "unless\fFigure 3: a fleet of small boats in the harbour of the old town\na storm"
    )
    assert states(located(cut + "\f" + FILLING)) == ALL_FOUND


def test_a_statement_that_is_restated_is_where_its_number_is(located):
    twice = PAPER.replace("1 Introduction", f"1 Introduction\n\n{LEMMA.replace('Lemma 4', 'Recall')}")
    assert located(twice)["L4"].place == f"line {twice[: twice.index(LEMMA)].count(chr(10)) + 1}"


def test_another_paper_is_recognised_as_none(harbour, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("Bread rises when it is left alone, and sinks when somebody looks at it for too long. " * 9)
    index = Index(read_copy(other))
    with pytest.raises(InvalidInput, match=r"text must be a copy of one of harbour .*use --paper to look for one"):
        recognised(index)
    assert recognised(index, "harbour") is harbour
    assert {one.state for one in locate(harbour, index)} == {"not found"}
    with pytest.raises(InvalidInput, match="paper must be one with fingerprints: harbour"):
        recognised(index, "port")


def test_copies_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(InvalidInput, match=r"text must be a file \.pdf, \.tex, \.txt or \.md"):
        read_copy(tmp_path / "paper.docx")
    with pytest.raises(InvalidInput, match="text must be a file that exists"):
        read_copy(tmp_path / "paper.txt")
    (tmp_path / "paper.pdf").write_text("no PDF at all")
    with pytest.raises(InvalidInput, match=r"text must be a (PDF that can be read|\.tex or \.txt file without)"):
        read_copy(tmp_path / "paper.pdf")


def test_spans_are_read_and_refused_by_line():
    assert read_spans(["id\tspans", "# none", "", "A\t0-3,5-9\tnote", "B\t-"], 10) == {"A": [(0, 3), (5, 9)]}
    for bad in ("A\t3-3", "A\t5-11", "A\tx"):
        with pytest.raises(InvalidInput, match=r"spans must be start-end with 0 <= start < end <= 10, got 'A: "):
            read_spans([bad], 10)


def test_files_that_are_no_fingerprints_are_refused(tmp_path):
    (tmp_path / "f.tsv").write_text("id\twords\nA\t3\n")
    with pytest.raises(InvalidInput, match="fingerprints must be a table with the columns id, spans"):
        read_fingerprints(tmp_path / "f.tsv")
    (tmp_path / "g.tsv").write_text("id\tspans\nA\t3:xyz\n")
    with pytest.raises(InvalidInput, match="fingerprints must be words:hashes"):
        read_fingerprints(tmp_path / "g.tsv")


# ------------------------------------------------------------------------------------------------------------- passages


def test_a_passage_begins_and_ends_with_sentences(located, tmp_path):
    one = located(PAPER.replace("unless a storm", "un-\nless a storm"))["L4"]
    shown = passage(read_copy(tmp_path / "copy.txt"), one)
    assert shown == Passage(LEMMA, one.place, True)
    formula = passage(read_copy(tmp_path / "copy.txt"), located(PAPER)["E1"])
    assert formula.text == "The boats lie high in spring b = a + 1 and low in the autumn."


def test_a_passage_is_never_longer_than_allowed(harbour, tmp_path):
    text = "Preface.\n\n" + FILLING * 40
    (tmp_path / "fingerprints.tsv").write_text(written(fingerprints_of(text, {"L4": [(10, len(text) - 1)]})))
    read_fingerprints.cache_clear()
    (tmp_path / "copy.txt").write_text(text)
    copy = read_copy(tmp_path / "copy.txt")
    shown = passage(copy, locate(harbour, Index(copy))[0]).text
    assert LONGEST / 2 < len(shown) <= LONGEST and shown.endswith("will bring. [...]")


def test_formulas_stand_once_and_in_signs():
    dump = (
        "the bound O(1n)𝑂1𝑛O\\left(\\frac{1}{n}\\right)italic_O ( divide start_ARG 1 end_ARG "
        "start_ARG italic_n end_ARG ) and xt2superscriptsubscript𝑥𝑡2x_{t}^{2}italic_x start_POSTSUBSCRIPT italic_t "
        "end_POSTSUBSCRIPT start_POSTSUPERSCRIPT 2 end_POSTSUPERSCRIPT is ε𝜀\\varepsilonitalic_ε-small"
    )
    assert undumped(dump) == "the bound O (1/n) and x_t^2 is ε-small"
    assert undumped("it is \\Leftrightarrow 𝒱πsuperscript𝒱𝜋\\mathcal{V}caligraphic_V holds") == "it is ⇔ V holds"
    assert readable(r"**Lemma 2** *is* $\frac{1}{n}\le\epsilon$ by \cref{one} \emph{now} 50\%") == (
        "Lemma 2 is 1/n ≤ ε by [one] now 50%"
    )


# ------------------------------------------------------------------------------------------------------- the documents


DOCUMENTS = ("bernoulli-dp", "thesis", "zcdp", "rdp", "adversarial")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_nearly_every_item_of_a_document_has_fingerprints(name):
    rows = printed_runs(documents()[name])
    items = [item.id for item in documents()[name].items() if item.kind != "oracle"]  # which no sentence states
    assert sum(item in rows for item in items) >= 0.95 * len(items)
    assert all(1 <= sum(len(span.hashes) for span in spans) <= MOST for spans in rows.values())


def test_the_file_of_fingerprints_is_short_and_holds_no_prose():
    file = documents()["rdp"].fingerprints
    assert file is not None
    text = file.read_text(encoding="utf-8")
    header, *lines = text.splitlines()
    assert header == "id\tspans" and len(text) < 150_000
    assert {line.split("\t")[0] for line in lines} <= set(catalogue())
    assert [line for line in lines if not re.fullmatch(r"\S+\t(?:(?:\d+|\d+\+\d+\+\d+):(?:[\w-]{6})+ ?)+", line)] == []
