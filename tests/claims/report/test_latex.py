"""The errata of every document as LaTeX: read by rules that need no LaTeX, and compiled where one is installed."""

import re
import shutil
import subprocess

import pytest

from banditproof.claims import examine, fails_at, load
from banditproof.claims.documents import documents
from banditproof.claims.register import CORRECTIONS, REGISTER
from banditproof.claims.report.errata import ACCENTS, ALLOWED, as_latex
from banditproof.claims.report.errata import COMMANDS as SIGNS_AS_COMMANDS
from banditproof.claims.report.findings import findings
from banditproof.claims.report.telling import told
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import combined
from tests.claims.report.test_findings import record as failure

LONG = {"TH-T4.14/small-budgets"}  # minutes
SECONDS = {  # left to make nightly
    *("ALG-EQC.14-15/last-inequality", "TH-A2.BT/privacy", "BDP-CD.5/argument", "BDP-EQ17/21-beyond-n"),
    *("TH-T4.15/argument", "RDP-PF1/same-law-of-the-starts", "TH-EQ2.27/records", "ALG-R5.24/adap-tt"),
}
LATEX = next((name for name in ("pdflatex", "xelatex", "lualatex", "tectonic") if shutil.which(name)), None)
PAPERS = ["bernoulli-dp", "thesis", "zcdp", "rdp", "adversarial"]

GROUP = re.compile(r"\{((?:[^{}\\]|\\.)*)\}", re.DOTALL)
TWICE = re.compile(r"([_^]) *(?:\\[A-Za-z]+|\\?\S) *'* *\1|\^ *(?:\\[A-Za-z]+|\\?\S) *'")


COMMANDS = ALLOWED | set(
    "begin end section subsection textbf textit texttt item par small textbackslash textasciitilde textasciicircum "
    "dots S surd varepsilon document sloppy raggedright".split()
)
WORDS = "alpha beta gamma delta epsilon zeta theta kappa lambda sigma sqrt infty".split()


def complaints(source):
    """What LaTeX would refuse or print otherwise than it is meant, as far as this is seen without it."""
    body = source.partition(r"\begin{document}")[2]
    known = COMMANDS | {name.strip("$\\ ") for name in SIGNS_AS_COMMANDS.values()}
    found = [name for name in re.findall(r"\\([A-Za-z]+)", body) if name not in known and name not in ACCENTS.values()]
    prose = re.sub(r"(?<!\\)\$(?:[^$\\]|\\.)+\$|\\texttt\{(?:[^{}\\]|\\.)*\}|\([^()\s]*[A-Z]+-[^()]*\)", "F", body)
    # signs that lost their backslash, and quotes that close where they should open
    found += re.findall(rf"(?<![\w/-])(?:{'|'.join(WORDS)})(?:[_^]|\b(?![-\w]))", prose)
    found += re.findall(rf"\$(?:{'|'.join(WORDS)})[^a-z]", body)
    found += re.findall(r"(?:(?<=[\s(])|^)'(?=\S)[^\n]{0,30}", prose, re.MULTILINE)
    found += [line for line in body.splitlines() if "$$" in line]
    found += [line for line in body.splitlines() if len(re.findall(r"(?<!\\)\$", line)) % 2]
    for formula in re.findall(r"(?<!\\)\$((?:[^$\\]|\\.)+)\$", body):
        text, inner = formula, formula.replace(r"\{", "(").replace(r"\}", ")")
        while GROUP.search(inner):  # a group is one sign for what stands around it
            found += [text for group in GROUP.findall(inner) if TWICE.search(group)]
            inner = GROUP.sub("o", inner)
        if TWICE.search(inner) or re.search(r"[{}]", inner):
            found.append(text)
        if len(re.findall(r"\\left(?![a-z])", text)) != len(re.findall(r"\\right(?![a-z])", text)):
            found.append(text)
    names = [re.findall(rf"\\{end}\{{(\w+)\}}", body) for end in ("begin", "end")]
    return found + ([] if sorted([*names[0], "document"]) == sorted(names[1]) else names)


def failing(folder, every_point):
    """The records of what fails at a point, and of what is said instead; without `every_point` of every third claim."""
    load()
    left_out = LONG if every_point else LONG | SECONDS
    claims = [c for c in REGISTER.values() if c.id not in left_out and not c.same_check_as]
    claims = [c for c in claims if any(isinstance(s, fails_at) for s in c.steps) and c.role not in CORRECTIONS]
    claims = claims if every_point else claims[::3]
    records = [examine(c, Settings(studies=folder)) | {"mutations": []} for c in claims]
    known = {c.id for c in claims}
    mended = {c.repairs: c for c in REGISTER.values() if c.repairs in known}
    for record in records:  # what holds instead is not what is tested here
        if record["id"] in mended:
            by = mended[record["id"]]
            record["repair"] = {"id": by.id, "role": by.role, "verdict": "supported"}
            records = [
                *records,
                record | {"id": by.id, "role": by.role, "statement": by.shown(), "verdict": "supported"},
            ]
    return combined(records)


@pytest.fixture(scope="module")
def errata(every_point, tmp_path_factory):
    """The errata of each document, with everything that may stand in them."""
    records = failing(tmp_path_factory.mktemp("studies"), every_point)
    found = {paper: findings(records, paper) for paper in PAPERS}
    return {paper: as_latex(f, told(f, records, REGISTER)) for paper, f in found.items()}


@pytest.mark.parametrize("paper", PAPERS)
def test_the_errata_have_nothing_that_latex_refuses(errata, paper):
    assert set(PAPERS) <= set(documents()) and errata[paper].count(r"\subsection*") > 5
    assert "Counterexample: For" in errata[paper] and errata[paper].isascii()
    assert complaints(errata[paper]) == []


MADE_OF = [
    ("the number lambda_0 and the norm of theta*", r"the number $\lambda _{0}$ and the norm of $\theta ^{*}$"),
    ("the moment of (zA)^2", "the moment of (zA)$^{2}$"),
    ("'$\\gamma_t$ [is] increasing' and '(a)'", r"`$\gamma_t$ [is] increasing' and `(a)'"),
    ("Rényi and Čech, François, at ε$x$", r"R\'{e}nyi and \v{C}ech, Fran\c{c}ois, at $\varepsilon ${}$x$"),
    ("Fréchet's bound", r"Fr\'{e}chet's bound"),
]


@pytest.mark.parametrize(("text", "source"), MADE_OF)
def test_text_becomes_latex_that_prints_the_same(text, source):
    errata = as_latex(findings([failure("D-1", slip=text)]), {})
    assert f"Why it is less serious: {source}\n" in errata and complaints(errata) == []


@pytest.mark.parametrize("text", [r"$lambda_{0}$", r"the number lambda_0", "\n'$x$' is", r"\unknown{x}", "$x$$y$"])
def test_what_latex_would_print_otherwise_is_seen(text):
    assert complaints(rf"\begin{{document}}{text}\end{{document}}") != []


INTERNAL = re.compile(r"planted bug|<\w+>|[(,;] ?(?:horizon|gap|early|level|ridge|eigenvalue|root|price|norm) is \$")


def test_no_statement_that_is_sent_names_what_only_the_check_has():
    load()
    mended = {c.repairs for c in REGISTER.values() if c.repairs}
    sent = [c for c in REGISTER.values() if c.repairs or c.id in mended]
    assert len(sent) > 400 and [c.id for c in sent if INTERNAL.search(c.shown())] == []
    code = [
        (c.id, f) for c in sent for f in re.findall(r"\$[^$]+\$", c.shown()) if re.search(r"[+,]more\b|\\,first", f)
    ]
    assert code == []


def test_errata_say_whose_document_they_are_about(errata):
    assert all(documents()[paper].authors.split(", ")[-1] in errata[paper] for paper in PAPERS)
    assert all(documents()[paper].link in errata[paper] for paper in PAPERS)
    assert "arXiv:2309.00557, 2023" in errata["zcdp"]


@pytest.mark.skipif(LATEX is None, reason="no LaTeX here: pdflatex, xelatex, lualatex or tectonic compiles the errata")
@pytest.mark.parametrize("paper", PAPERS)
def test_the_errata_compile(errata, paper, tmp_path):
    (tmp_path / "errata.tex").write_text(errata[paper])
    options = [] if LATEX == "tectonic" else ["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape"]
    done = subprocess.run([LATEX, *options, "errata.tex"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, [line for line in done.stdout.splitlines() if line.startswith("!")]
    assert (tmp_path / "errata.pdf").is_file()


@pytest.mark.parametrize(
    "formula", [r"\mu _{2}_{prime}", "x^2^3", "x^{2}'", r"x_{a_{b}_{c}}", "{x", r"\left(x", r"x_\alpha_\beta"]
)
def test_what_latex_refuses_is_seen(formula):
    assert complaints(rf"\begin{{document}}${formula}$\end{{document}}") != []


@pytest.mark.parametrize(
    "formula", [r"\mu '_{2}", "x_2^3", "x'^2", r"x_{a_b}^{c_d}", r"\{x_a\}_b", r"\left(x\right)_a^b"]
)
def test_what_latex_reads_is_let_pass(formula):
    assert complaints(rf"\begin{{document}}${formula}$\end{{document}}") == []
