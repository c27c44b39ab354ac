"""``banditproof review``: a paper becomes a file of sentences with readings, and the readings get verdicts."""

import json
import subprocess
import sys

import pytest

from banditproof.claims.reviewing import begun, misnamed, renewed, reviewed
from banditproof.theory.errors import InvalidInput
from tests.cases import texts
from tests.cli.calling import status

TEXTS = texts(__file__)

PAPER = TEXTS["paper"]
LINE, PINSKER, EXPONENTIAL, SQUARE, MEAN = "line-7-1", "L1-1", "L1-2", "L1-3", "L1-4"


@pytest.fixture
def paper(tmp_path):
    (tmp_path / "draft.tex").write_text(PAPER)
    return tmp_path / "draft.tex"


def test_a_sentence_is_read_with_the_macros_of_its_paper_or_is_a_draft_that_says_what_is_guessed(paper, tmp_path):
    rows = {row.id: row for row in begun(paper, tmp_path / "statements.md")}
    assert {name: row.block for name, row in rows.items()} == {
        LINE: "log(1 + x) <= x for x in (-1, inf)",
        PINSKER: "kl(p, q) >= 2.1*(p - q)^2 for p in [0, 1], q in (0, 1)",
        EXPONENTIAL: "exp(eps) - 1 <= 2*eps for eps in (0, 1]",
        SQUARE: "? x^2 <= x for x in (1, inf)",
        MEAN: "?",
    }
    assert [name for name, row in rows.items() if row.is_draft] == [SQUARE, MEAN]
    assert "the words around" in rows[EXPONENTIAL].notes.lower() and "printed before" in rows[SQUARE].notes
    assert rows[PINSKER].printed.startswith("Lemma 1, line 9: For all") and r"\wombat" in rows[MEAN].notes
    assert list(rows.values()) == reviewed(tmp_path / "statements.md")


WHOLE = (
    r"\documentclass{article}\newtheorem{fact}{Fact}\newcommand{\R}{\ensuremath{\mathbb{R}}\xspace}"
    r"\begin{document}%s\end{document}"
)
FACT = r"\begin{fact}[A name]%s\end{fact}"


@pytest.mark.parametrize(
    ("printed", "blocks"),
    [
        # what was printed before: ranges of letters, an upper end alone, a remark in brackets, another statement
        (r"Let $a>1$. It is so that $a^2\ge a$.", ["? a^2 >= a for a in (1, inf)"]),
        (r"Fix $d\in(0,2]$. Suppose that $d<1$. Clearly $d^2\le d$.", ["? d^2 <= d for d in (0, 1)"]),
        (r"Let $a\in\R$ (e.g., $a\le1$). So $a^2\ge0$.", ["? a^2 >= 0 for a in (-inf, inf)"]),
        (FACT % r"For all $a\ge0$ (e.g. $a>1$) we have $a^2\ge0$.", ["a^2 >= 0 for a in [0, inf)"]),
        # functions: defined, by \mapsto, by another one, with its slope; f(x) is no product where nothing defines f
        (r"Let $h(u)\stackrel{\rm def}{=}u^2$. Clearly $h\mleft(a\mright)\ge0$.", ["? a^2 >= 0 for a in (0, inf)"]),
        (r"The map $h:u\mapsto u^2$ and $g(u)=2h(u)$ are so. Clearly $g(0)=0$.", ["? 2*0^2 = 0"]),
        (r"Let $f(x)=x^2$ be so. Clearly $f'(x)=x$.", ["? diff(x^2, x) = x for x in (0, inf)"]),
        (r"Let $f:\R\to\R$. Clearly $f(x)\le f(y)$ and $x^2\ge0$.", ["? x^2 >= 0 for x in (0, inf)"]),
        (r"Let $f(x)=x^2$." + FACT % r"For a function $f$ we have $f(1)\ge0$.", ["?"]),
        (r"Let $\hh\colon\R\to\R$ be the function with $\hh\mleft(u\mright)\eqdef u^2$. So $\hh\mleft(a\mright)\ge0$.",
         ["? a^2 >= 0 for a in (0, inf)"]),
        (r"Let $h(u)=u^2$. In particular, $h\ge0$. Clearly $h(2a)\ge a$.", ["? (2*a)^2 >= a for a in (0, inf)"]),
        # letters: what they are, until they are limited again; how they compare, where that is fixed and not claimed
        (r"Put $c=a^2$ and $b=2c$. Clearly $b+1\ge c$ where $d:=b$.", [
            "? 2*a^2 + 1 >= a^2 for a in (0, inf)", "? b + 1 >= c for b in (0, inf), c in (0, inf)"]),
        (r"Put $c=a^2$ with $i=0$. Fix $c>0$. Clearly $c+i\ge c$.", ["? c + i >= c for c in (0, inf), i in (0, inf)"]),
        (r"Fix $0<x<\lambda$. Clearly $x^2\le\lambda x$. Then $\lambda<x^2$.",
         ["? x^2 <= lambda*x when x < lambda for x in (0, inf), lambda in (0, inf)",
          "? lambda < x^2 when x < lambda for lambda in (0, inf), x in (0, inf)"]),
        (r"If $0<x<y$ it is so. Let $x>1$. Clearly $x^2\le yx$.", ["? x^2 <= y*x for x in (1, inf), y in (0, inf)"]),
        (r"Let $b>1$ and $0<a<b$. Clearly $a^2\le b^2$.",
         ["? a^2 <= b^2 when a < b for a in (0, inf), b in (1, inf)"]),
        (r"Let $U=\frac{\mathbf{q}(X)}{\mathbf{p}(X)}$. Clearly $U^2\ge U-1$.", ["? U^2 >= U - 1 for U in (0, inf)"]),
        (r"Put $c=a^2$. It is so." "\n\n" r"Clearly $c^2\ge c$.", ["? c^2 >= c for c in (0, inf)"]),
        # what is about something else is left to a person, and macros of a preamble that is missing are the usual ones
        (r"So $a\approx2a$ for $a\in\N$ (\eg, $a\le1$).", ["?"]),
        # laws, with the ranges that their formulas need
        (r"Let $X\sim\poisson{\lambda}$ with $\lambda>0$. Fix $x>0$. Then $\probaOf{X\ge x}\le\abs{x}$ is so.",
         ["? 1 - sum(exp(-lambda)*lambda^i/factorial(i), i=0..ceil(x) - 1) <= abs(x)"
          " for x in (0, inf), lambda in (0, inf)"]),
        # a letter with an index or arguments of its own is one number, unless a sum binds them
        (r"So $V_{t-1}+N_a(T)\le V_{t-1}+N_a(T)^2$.",
         ["? V_1 + N_1 <= V_1 + N_1^2 for V_1 in (0, inf), N_1 in (0, inf)"]),
        (r"So $\hat\mu_{a,2^\ell}\le2\hat\mu_{a,2^\ell}+c_1$.",
         ["? mu_hat_1 <= 2*mu_hat_1 + c_1 for mu_hat_1 in (0, inf), c_1 in (0, inf)"]),
        (r"So $\sum_{t=1}^nX_{t-1}\le X_{n-1}^2$ and $a^2\ge0$.", ["? a^2 >= 0 for a in (0, inf)"]),
        (r"So $T^*(\bm{\nu})^2+C'_0(\pi^*)\ge T^*(\bm{\nu})-C'_0(\pi^*)$.",
         ["? T_1^2 + C_1 >= T_1 - C_1 for T_1 in (0, inf), C_1 in (0, inf)"]),
        (r"So $c_{t}^{j}\le2c_{t}^{j}$ and $a^i\le b$.", [
            "? c_1 <= 2*c_1 for c_1 in (0, inf)", "? a^i <= b for a in (0, inf), i in (0, inf), b in (0, inf)"]),
        (r"So $\min\{N_a(T),x\}\le N_a(T)$.", ["? min(N_1, x) <= N_1 for N_1 in (0, inf), x in (0, inf)"]),
        # means, chances, sums and the like that both sides have are one number each; on one side alone nobody can judge
        (r"So $2\mathbb{E}_{P}[X_t]+x\le\mathbb{E}_{P}[X_t]+2x$ and $a^2\ge0$.",
         ["? 2*Q_1 + x <= Q_1 + 2*x for Q_1 in (0, inf), x in (0, inf)", "? a^2 >= 0 for a in (0, inf)"]),
        (r"So $\Pr[\{X>1\}]\le x+\Pr[\{X>1\}]$ and $\sum_ta_tb_t\le x$.",
         ["? Q_1 <= x + Q_1 for Q_1 in (0, inf), x in (0, inf)"]),
        (r"So $\inf_{j\in[N]}\sum_{t=1}^T\ell_t\cdot\mu_t^j+y\le(\inf_{j\in[N]}\sum_{t=1}^T\ell_t\cdot\mu_t^j)+x$.",
         ["? Q_1 + y <= Q_1 + x for Q_1 in (0, inf), y in (0, inf), x in (0, inf)"]),
        (r"So $\max_{a}-X_a+b=\max_{a}-X_a+b$ and $a^2\ge0$.", ["? a^2 >= 0 for a in (0, inf)"]),
        (r"So $2\Pr(A^c)+x\le\Pr(A^c)+2x$.", ["? 2*Q_1 + x <= Q_1 + 2*x for Q_1 in (0, inf), x in (0, inf)"]),
        (r"So $\|a_t\|_{V}^2+\langle a,b\rangle\le2\|a_t\|_{V}^2+\langle a,b\rangle$ and $\|a\|\le2c+1$.",
         ["? Q_1^2 + Q_2 <= 2*Q_1^2 + Q_2 for Q_1 in (0, inf), Q_2 in (0, inf)"]),
        # functions by cases behind a brace; of two arguments a later equation is a claim; slopes as one fraction
        (r"Let $d_n(x,y)=\left\{\begin{aligned}&x-y&&\text{if }x\geq y\\&n(y-x)&&\text{if }x\leq y\end{aligned}\right.$"
         r" is so. Clearly $d_n(x,1)=n$.",
         ["? cases(x >= 1, x - 1, n*(1 - x)) = n for x in (0, inf), n in (0, inf)"]),
        (r"So $\frac{\mathrm{d}\{a^2\}}{\mathrm{d}a}\le2a$.", ["? diff(a^2, a) <= 2*a for a in (0, inf)"]),
        # a function of several arguments that is said once, anywhere; a product of a letter with itself
        (r"So $g(a,1)\ge a$. Let $g(x)=x$ and $g(x,y)=x^2+y$ be so.", ["? a^2 + 1 >= a for a in (0, inf)"]),
        (r"So $\ell(\ell+1)\ge\ell-.$ It is.", ["? ell*(ell + 1) >= ell for ell in (0, inf)"]),
        (r"So $|c_{t'}(i_{j'})-b|\le b+c_{t'}(i_{j'})\>$.",
         ["? abs(c_1 - b) <= b + c_1 for c_1 in (0, inf), b in (0, inf)"]),
        # a letter is no function where it also stands alone; entries of vectors and laws are no numbers
        (r"Let $\rho(B)=B^2$. So $\rho(\rho+1)\ge\rho$.", ["? rho*(rho + 1) >= rho for rho in (0, inf)"]),
        (r"So $a^\top b=0$ and $\mathrm{TV}(P\|Q)\le a$ and $a^2\ge0$.", ["? a^2 >= 0 for a in (0, inf)"]),
        (r"So $\mathrm{TV}(P,Q)\le b$ and $D_a(f(P)\|Q)\le b^2$ and $b\le A^c+b$ and $a^2\ge0$.",
         ["? a^2 >= 0 for a in (0, inf)"]),
        (r"So $b\le a^Tx+b$ and $bI_d\le(b+1)I_d$ and $|\hat{p}_0^T|\le2b+1$ and $a^2\ge0$. We took $a^2>b$.",
         ["? a^2 >= 0 for a in (0, inf)"]),
        (r"So $\det(A)\ge\det(B)$ and $A^{-1}\le B^{-1}$. So $r^{j-1}=q^{j-1}$ and $a^2\ge0$.",
         ["? a^2 >= 0 for a in (0, inf)"]),
        (r"Let $\rho(x)=x^2$ be so. Let $\rho>0$. So $\rho(a^2+1)\ge\rho(a^2)$.",
         ["? rho*(a^2 + 1) >= rho*a^2 for rho in (0, inf), a in (0, inf)"]),
        # what is supposed is not claimed
        (r"We assume that $A$ is so but $a^2\ge b$. If $b\le a^2$ and $a^2\le2b$, then $a^2\ge b$.",
         ["? a^2 >= b for a in (0, inf), b in (0, inf)"]),
        (r"If $b\le a^2$, then $a^2\ge b$, such that $b\ge a-1$.", ["? a^2 >= b for a in (0, inf), b in (0, inf)"]),
        # chains: whole, or their comparisons where a side is none of numbers, or says what a letter is
        (r"It is so that $\log a\le a-1\le a$.", ["? log(a) <= a - 1 <= a for a in (0, inf)"]),
        (r"So\begin{align}R&\le\int g\\&=a+a\\&\le 3a\\S&=a\end{align} holds.", ["? a + a <= 3*a for a in (0, inf)"]),
        (r"So\begin{align}R&\le\int g\\&+a\\&\le\int h\\&=a+a\\&\quad+a\\&=3a\end{align} holds.",
         ["? a + a + a = 3*a for a in (0, inf)"]),
        (r"It is so that $n\ge 2a\ge a$.", ["? 2*a >= a for a in (0, inf)"]),
        # what limits letters, and what says what one is, claims nothing
        (r"Clearly $0<a<b$. Put $c=a^2$. Clearly $b^2\ge0$.", ["? b^2 >= 0 for b in (0, inf)"]),
    ],
)  # fmt: skip
def test_a_formula_is_drafted_with_what_the_paper_said_before(printed, blocks, tmp_path):
    (tmp_path / "draft.tex").write_text(WHOLE % printed)
    assert [row.block for row in begun(tmp_path / "draft.tex", tmp_path / "statements.md")] == blocks


@pytest.mark.parametrize(
    ("name", "text", "blocks"),
    [
        ("part.tex", r"We use that $\log(1+x)\le x$ for all $x>-1$.", ["log(1 + x) <= x for x in (-1, inf)"]),
        ("post.md", "So\n$$\nx^2\\ge2x-1\n$$\nfor $x>0$.", ["x^2 >= 2*x - 1 for x in (0, inf)"]),
        ("post.md", "A pair with\n\\begin{equation}\n\\varepsilon\\le\\log(2)\n\\end{equation} is so.", ["?"]),
        ("paper.txt", "2 Tools\nWe use log(1 + x) ≤ x for x > −1.\n\nLemma 1. For x > 0, x^2 ≥ 2. So a[1] ≥ 1.",
         ["log(1 + x) <= x for x in (-1, inf)", "x^2 >= 2 for x in (0, inf)", "?"]),
        ("paper.txt", "Nothing of a[1] ≥ 1 is numbered.", ["?"]),
    ],
)  # fmt: skip
def test_texts_of_every_kind_have_sentences(name, text, blocks, tmp_path):
    (tmp_path / name).write_text(text)
    assert [row.block for row in begun(tmp_path / name, tmp_path / "statements.md")] == blocks


def test_markdown_may_escape_the_backslashes_of_its_formulas(tmp_path):
    (tmp_path / "post.md").write_text("For \\\\(a>1\\\\) we have\n\\\\[a^2\\ge a\\\\]")
    (row,) = begun(tmp_path / "post.md", tmp_path / "statements.md")
    assert row.block == "a^2 >= a for a in (1, inf)"


def test_a_sentence_that_is_not_read_says_which_function_nothing_defines(tmp_path):
    (tmp_path / "draft.tex").write_text(WHOLE % FACT % r"So $2g(a)\le u(a,b)+g(b)$ and $a(b+1)\ge\wombat$.")
    (row,) = begun(tmp_path / "draft.tex", tmp_path / "statements.md")
    assert row.block == "?" and row.notes.endswith("Nothing says what $g(.)$ is.")


DUMP = (
    "For α1𝛼1\\alpha\\geq 1italic_α ≥ 1 we have\n\n\\displaystyle\\frac{1}{2}\\alpha_{1}divide start_ARG 1 end_ARG "
    "start_ARG 2 end_ARG italic_α start_POSTSUBSCRIPT 1 end_POSTSUBSCRIPT α12absentsubscript𝛼12\\displaystyle\\leq"
    "\\alpha_{1}^{2}≤ italic_α start_POSTSUBSCRIPT 1 end_POSTSUBSCRIPT start_POSTSUPERSCRIPT 2 end_POSTSUPERSCRIPT\n"
    "2α13absent2superscriptsubscript𝛼13\\displaystyle\\leq 2\\alpha_{1}^{3}.≤ 2 italic_α start_POSTSUBSCRIPT 1 "
    "end_POSTSUBSCRIPT start_POSTSUPERSCRIPT 3 end_POSTSUPERSCRIPT ."
)


def test_a_dump_of_html_has_its_formulas_once_and_a_display_in_one(tmp_path):
    (tmp_path / "paper.txt").write_text(DUMP)
    (row,) = begun(tmp_path / "paper.txt", tmp_path / "statements.md")
    assert row.block == "? 1/2*alpha_1 <= alpha_1^2 <= 2*alpha_1^3 for alpha_1 in (0, inf)" and "line 3" in row.printed


def test_a_page_shows_what_is_open(tmp_path):
    (tmp_path / "statements.md").write_text("# Review\n\n## A\nThis is open.\n\n    shuffling is (1/2, 1/100)-DP\n")
    assert status(["review", "--folder", str(tmp_path), "--seconds", "0.1"]) == 3
    assert '"verdict open"' in (tmp_path / "index.html").read_text()


def test_a_verdict_counts_once_its_reading_was_compared_and_only_what_changed_is_judged_again(paper, tmp_path, capsys):
    def review():
        code = status(["review", str(paper), "--folder", str(tmp_path / "r"), "--workers", "1"])
        told = capsys.readouterr()
        assert "L1-" in told.err and "refuted" not in told.err and "proved" not in told.err
        return told.out, code

    first, code = review()
    assert code == 3 and "5 sentences, 2 to be written, 3 settled, 0 compared" in first
    statements, answers = tmp_path / "r/statements.md", tmp_path / "r/answers.jsonl"
    before = [json.loads(line) for line in answers.read_text().splitlines()]
    assert {row["id"]: row["verdict"] for row in before} == {LINE: "proved", PINSKER: "refuted", EXPONENTIAL: "proved"}
    page = (tmp_path / "r/index.html").read_text()
    assert page.count("<details>") == 3 and "<details open>" not in page and "receipts/L1-1.py" in page

    text = statements.read_text().replace(f"## {PINSKER}\n", f"## {PINSKER} · compared\n")
    statements.write_text(text.replace("? x^2 <= x for x in (1, inf)", "x^2 <= x for x in (0, 1)"))
    second, code = review()
    assert code == 1 and "1 to be written, 4 settled, 1 compared (1 refuted)" in second
    after = [json.loads(line) for line in answers.read_text().splitlines()]
    assert after[:3] == before and [(row["id"], row["verdict"]) for row in after[3:]] == [(SQUARE, "proved")]
    assert (tmp_path / "r/index.html").read_text().count("<details open>") == 1
    receipt = subprocess.run([sys.executable, "-I", "-S", tmp_path / "r/receipts/L1-1.py"], capture_output=True)
    assert receipt.returncode == 0


def test_a_changed_paper_is_said_and_what_changed_is_read_again(paper, tmp_path, capsys):
    def review(source=paper):
        code = status(["review", str(source), "--folder", str(tmp_path / "r"), "--quiet"])
        told = capsys.readouterr()
        return told.out + told.err, code

    review()
    statements = tmp_path / "r/statements.md"
    mine = (
        statements.read_text()
        .replace(f"## {LINE}\n", f"## {LINE} · compared\n")
        .replace("? x^2 <= x for x in (1, inf)", "x^2 <= x for x in (0, 1)")
    )
    statements.write_text(f"{mine}\n## mine\nMy own.\n\n    1 < 2\n")
    told, _ = review()
    assert "has changed" not in told and statements.read_text().startswith(mine)
    assert (
        f"{LINE:<20} proved" in told and f"{PINSKER:<20} judged; to be compared" in told and f"{MEAN:<20} to be" in told
    )
    paper.write_text(
        PAPER.replace(r"We use", "\n\n" + r"We use")
        .replace(r"\ge 2.1(", r"\ge 2(")
        .replace(r"It is $\wombat[X]\ge1$.", "")
    )
    told, _ = review()
    assert f"draft.tex has changed; read again: {PINSKER}; no longer printed: 2" in told
    after = {row.id: row for row in reviewed(statements)}
    assert [*after] == ["line-9-1", PINSKER, EXPONENTIAL, SQUARE, "mine"]
    assert after["line-9-1"].compared and after["line-9-1"].printed.startswith("line 9: ")
    assert after[PINSKER].block.startswith("kl(p, q) >= 2*") and after[SQUARE].block == "x^2 <= x for x in (0, 1)"
    assert (tmp_path / "r/statements-before.md").read_text().startswith(mine)
    assert "has changed" not in review()[0]
    (tmp_path / "other.tex").write_text(PAPER)
    assert review(tmp_path / "other.tex") == (
        "banditproof: paper must be that of this review: Review of draft.tex, got '%s'\n" % (tmp_path / "other.tex"),
        2,
    )


def test_what_a_person_says_of_letters_holds_in_all_drafts_and_nothing_that_was_written_is_lost(tmp_path):
    (tmp_path / "draft.tex").write_text(
        WHOLE % r"Let $a>0$. So $a^2\ge a$. So $g(a)\le a$ and $b^2\ge b$. So $c^2\ge c$."
    )
    begun(source := tmp_path / "draft.tex", statements := tmp_path / "statements.md")
    text = statements.read_text()
    assert [row.block for row in reviewed(statements)] == [
        "? a^2 >= a for a in (0, inf)", "? b^2 >= b for b in (0, inf)", "? c^2 >= c for c in (0, inf)"]  # fmt: skip
    head, first = text.split("\n## ", 1)
    said = "    $a\\ge1$\n    $g(x)=x^2$, $b\\in[2,3]$\n    $c\\ge1$\n"
    written = first.replace("? c^2 >= c for c in (0, inf)", "c^2 >= c for c in [2, 3]")
    statements.write_text(f"{head}\n{said}\n## {written}")
    assert "what is said of letters has changed; read again: line-1-2, line-1-3, line-1-3.2; no" in renewed(
        source, statements
    )
    assert [row.block for row in reviewed(statements)] == [
        "? a^2 >= a for a in [1, inf)", "? a^2 <= a for a in [1, inf)", "? b^2 >= b for b in [2, 3]",
        "c^2 >= c for c in [2, 3]"]  # fmt: skip
    assert said in statements.read_text() and renewed(source, statements) == ""
    statements.write_text(f"{head}\n    $a$ is a number\n\n## {written}")
    with pytest.raises(InvalidInput, match="line 8: letter must be a formula that says what a letter is"):
        renewed(source, statements)


REMARKS = [
    {"quote": "kl is at least twice the square", "formula": "kl(p, q) >= 2 (p - q)^2", "remark": "2 is too large",
     "where": {"p": "[0, 1]", "q": "(0, 1)"}, "id": "referee 2"},
    {"quote": "by convexity", "remark": "why?"},
]  # fmt: skip


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ("[0, 1]", "n in [0, 1]"),
        (">= 1", "n >= 1"),
        ("integer >= 1", "integer n >= 1"),
        ("integer [1, 9]", "integer n in [1, 9]"),
        ("integer in [1, 9]", "integer n in [1, 9]"),
    ],
)
def test_ranges_of_a_remark_are_those_of_judge(values, said, tmp_path):
    remark = {"quote": "a", "formula": "n <= n^2", "remark": "b", "where": {"n": values}}
    (tmp_path / "remarks.json").write_text(json.dumps([remark]))
    (row,) = begun(tmp_path / "remarks.json", tmp_path / "statements.md")
    assert row.block == f"n <= n^2 for {said}"


@pytest.mark.parametrize("text", [json.dumps(REMARKS), "\n".join(map(json.dumps, REMARKS))])
def test_remarks_become_sentences_with_what_is_said_to_be_wrong(text, tmp_path):
    (tmp_path / "remarks.json").write_text(text)
    first, second = begun(tmp_path / "remarks.json", tmp_path / "statements.md")
    assert first.id == "referee-2" and first.block == "kl(p, q) >= 2 (p - q)^2 for p in [0, 1], q in (0, 1)"
    assert first.notes == "The remark: 2 is too large" and second.is_draft


@pytest.mark.parametrize(
    ("name", "text", "wrong"),
    [
        ("a.tex", "Nothing is claimed here.", "between dollars"),
        ("a.md", "Of $x$ nothing is claimed.", "a comparison such as"),
        ("a.json", "[]", "at least one remark"),
        ("a.json", '[{"quote": 1}]', "`quote` and `remark`"),
        ("a.json", "[{]", "remarks in JSON"),
        ("a.json", '{"quote": "a", "remark": "b",}', "without a comma before its end"),
        ("a.json", '{"remarks": [{"quote": "a", "remark": "b"}]}', "remarks must be a list of remarks, or a line for"),
        ("a.jsonl", '{"quote": "a"}\n{"quote": "a"', "a.jsonl, line 2 must be one JSON object, all of it in this line"),
        ("a.json", '[{"quote": "a", "remark": "b", "where": "x in [0, 1]"}]', "where of remark 1"),
        ("a.docx", "x", ".tex"),
    ],
)
def test_what_holds_no_sentence_is_refused(name, text, wrong, tmp_path):
    (tmp_path / name).write_text(text)
    with pytest.raises(InvalidInput, match=wrong):
        begun(tmp_path / name, tmp_path / "statements.md")
    assert not (tmp_path / "statements.md").exists()


HEADINGS = {
    "L1-1": "no other paragraph",
    "L1-2 compared": "did you mean L1-2 · compared?",
    "L1-2 · compard": "did you mean compared?",
    "L1-22": "L1-2 is gone: did you mean L1-2?",
    **dict.fromkeys(("L1-2 · compared", "my-remark"), ""),
}


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_heading_that_is_mistyped_is_told(heading, paper, tmp_path):
    begun(paper, statements := tmp_path / "statements.md")
    statements.write_text(statements.read_text().replace("## L1-2", f"## {heading}"))
    try:
        told = "".join(misnamed(statements))
    except InvalidInput as error:
        told = str(error)
    assert HEADINGS[heading] in told and bool(HEADINGS[heading]) == bool(told)


def test_a_review_is_never_written_over_and_needs_a_paper_or_one_that_was_begun(paper, tmp_path, capsys):
    begun(paper, tmp_path / "statements.md")
    with pytest.raises(InvalidInput, match="without statements"):
        begun(paper, tmp_path / "statements.md")
    for arguments, wrong in [([], "a paper such as draft.tex"), (["--folder", str(tmp_path / "no")], "name its paper")]:
        assert status(["review", *arguments]) == 2 and wrong in capsys.readouterr().err


def test_a_file_that_is_not_there_is_said(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "whole.tex").write_text(r"\begin{document} $x\le1$ for $x$ in $[0,1]$. \input{gone} \end{document}")
    status(["review", "whole.tex", "--workers", "1", "--minutes", "0.2"])
    assert "these files are missing, so they were not read: gone" in capsys.readouterr().err
