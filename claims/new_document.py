"""A folder for a document of one's own: with a claim of every kind that runs as it stands, or drafted from its paper.

A draft has all that the paper numbers, each beside a stub, and no claim: nothing is checked before somebody wrote it.
"""

from __future__ import annotations

import re
import shutil
import textwrap
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from banditproof.algorithms.run.checkpoints import write_atomically
from banditproof.claims.documents import documents
from banditproof.theory.errors import InvalidInput

if TYPE_CHECKING:
    from banditproof.claims.report.printed.copies import Copy
    from banditproof.claims.report.printed.drafting import Printed

SENTENCE = 700  # characters of what is printed that stand beside a stub

PYPROJECT = """\
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "@package@"
version = "0.1"
dependencies = ["banditproof"]

[project.entry-points."banditproof.documents"]
@name@ = "@package@:DOCUMENT"

[tool.setuptools]
packages = ["@package@"]

[tool.setuptools.package-data]
@package@ = [@data@]
"""

PACKAGE = '''\
"""@title@: its claims."""

from importlib.resources import files

from banditproof.claims import Document

CATALOGUE, STATEMENTS, PROOFS = (
    files(__name__) / name for name in ("catalogue.tsv", "statements.toml", "proofs.json")
)
DOCUMENT = Document("@name@", "@title@", __name__, CATALOGUE, statements=STATEMENTS, proofs=PROOFS)
'''

CATALOGUE = """\
id\taliases\tkind\ttitle\tsection\tpage
@ID@-T1\t\ttheorem\t(Theorem 1) Squares of small numbers\t1\t1
@ID@-L2\t\tlemma\t(Lemma 2) The exponential lies above its tangent\t1\t1
@ID@-L3\t\tlemma\t(Lemma 3) Sums of the first numbers\t1\t2
@ID@-P4\t\tproposition\t(Proposition 4) How often a fair coin shows heads\t1\t2
@ID@-C5\t\tcorollary\t(Corollary 5) Again the squares\t1\t2
@ID@-S6\t\tstatement\t(Section 1) A result of others\t1\t3
@ID@-L7\t\tlemma\t(Lemma 7) Logarithms grow more slowly than roots\t1\t3
@ID@-S8\t\tstatement\t(Section 1) Many small steps\t1\t3
@ID@-L9\t\tlemma\t(Lemma 9) What epsilon-DP says of zCDP\t1\t4
"""

STATEMENTS = """\
# What needs no code: items that their parts decide, what another claim states, what nobody can check.

["@ID@-T1"]
statement = '$x^2<x$ for $x\\in[0,1]$, and $x(1-x)\\le\\frac14$.'

["@ID@-C5"]
of = "@ID@-T1/quarter"
covered = "the corollary states the quarter and nothing else"

["@ID@-S6"]
statement = "As others have shown, it holds."
reason = "cited result"
would_need = "the cited document"
"""

PROOFS = """\
{
"@ID@-L7": {"616549be68f1f51aba90ee75":["faces",0,[["goals",null,[]],["goals",null,[["replace",["n_","shift 1"],\
[["opened",null,[["ordered",["w1","1"],[["slope",["w2",0,"0"],[]],["tangents",null,[]]]]]]]]]]]]},
"@ID@-T1/quarter": {"86cb56c095420e1a9d8bac17":["faces",0,[["goals",null,[]],["goals",null,[]],\
["goals",null,[["factors","",[]]]]]]},
"@ID@-T1/repaired": {"bce8dc5006860e29123e55ab":["faces",0,[["goals",null,[]],["goals",null,[]],["goals",null,[]]]]}
}
"""

SECTION = '''\
"""Section 1: claims that are checked; change them one by one and run `banditproof check --paper @name@`.

The signature is the domain, the first paragraph of the docstring the printed statement, the body the relation, and the
decorator says how it is shown. `false` holds variants that the check must refute, as `selftest --paper @name@` tries.
"""

import math
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims import Count, Natural, Probability, Real, claim
from banditproof.claims import deduced, enumerated, fails_at, interval, statistics, trend, tried_at
from banditproof.theory import exp, log, ratio, sharp_zcdp_of_pure, sqrt


@claim("@ID@-T1/quarter", deduced(), false={"most": "0.24"})
def product_is_small(x: Probability, most=Fraction(1, 4)):
    r"""$x(1-x)\\le<most>$."""
    return x * (1 - x), "<=", most


@claim("@ID@-T1/strict", fails_at(x=1, rational=True))
def square_is_smaller(x: Probability):
    r"""$x^2<x$."""
    return x * x, "<", x


@claim("@ID@-T1/repaired", deduced(), false={"power": 0}, repairs="@ID@-T1/strict")
def square_is_no_larger(x: Probability, power=2):
    r"""$x^{<power>}\\le x$."""
    return x**power, "<=", x


@claim("@ID@-L2", interval(covers={"x": "[-1, 1]"}), false={"slope": "1.1"})
def tangent(x: Real, slope=1):
    r"""$1+x\\le e^x$."""
    return 1 + slope * x, "<=", exp(x)


@claim("@ID@-L3", enumerated(n=range(1, 200), rational=True), false={"half": "0.49"})
def sum_of_numbers(n: Count, half=Fraction(1, 2)):
    r"""$1+\\dots+n=\\frac12n(n+1)$."""
    return Fraction(sum(range(n + 1))), "==", half * n * (n + 1)


def tosses(check, stream):
    """How often heads came up in many tosses, for an exact binomial interval."""
    heads = int(check.rng(stream).binomial(100_000, 0.5))
    test = {"event": "heads", "successes": heads, "trials": 100_000, "operator": ">="}
    return [{**test, "probability": check.constants["chance"]}]


@claim("@ID@-P4", statistics(tosses), false={"chance": "0.6"})
def coin(n: Natural, chance=Fraction(12, 25)):
    r"""A fair coin shows heads with probability at least $<chance>$."""
    return chance, "<=", Fraction(1, 2)


@claim("@ID@-L7", deduced(), false={"factor": "0.7"})  # `banditproof prove @ID@-L7` found the proof in proofs.json
def logarithm(n: Count, factor=1):
    r"""$\\log n\\le\\sqrt n$."""
    return log(n), "<=", factor * sqrt(n)


def products(check):
    """What n log(1 + 1/n) comes to as n grows."""
    return [(n, n * math.log1p(1 / n)) for n in (10, 100, 1000, 10_000)]


LIMIT = trend("tends_to", products, "n log(1 + 1/n)", limit=1, tolerance=1e-3)


@claim("@ID@-S8", tried_at(n=[1, 10, 10**6]), LIMIT, false={"most": "0.9"})
def many_small_steps(n: Count, most=1):
    r"""$n\\log(1+\\frac1n)$ tends to 1, and is at most <most>."""
    return n * log(1 + ratio(1, n)), "<=", most


Budget = Annotated[Any, "[1/10, 5]"]


@claim("@ID@-L9", interval(), false={"half": "0.4"})
def concentrated(epsilon: Budget, half=Fraction(1, 2)):
    r"""$\\varepsilon$-DP implies $\\rho$-zCDP with $\\rho\\le<half>\\varepsilon^2$."""
    return sharp_zcdp_of_pure(epsilon), "<=", half * epsilon**2
'''


DRAFTED = '''\
"""@title@: its claims."""

from importlib.resources import files

from banditproof.claims import Document

CATALOGUE, FINGERPRINTS, STATEMENTS, PROOFS = (
    files(__name__) / name for name in ("catalogue.tsv", "fingerprints.tsv", "statements.toml", "proofs.json")
)
DOCUMENT = Document(
    "@name@", "@title@", __name__, CATALOGUE, fingerprints=FINGERPRINTS, statements=STATEMENTS, proofs=PROOFS
)
'''

SECTION_DRAFT = '''\
"""@heading@: what it states, each with the sentence that is printed. Take the signs of comment away and write the rest.

The signature is the domain, the first paragraph of the docstring the printed statement, the body the relation, and the
decorator says how it is shown. `false` holds variants that the check must refute.
"""

# from banditproof.claims import Count, Positive, Real, claim, deduced, enumerated, fails_at, interval
# from banditproof.theory import exp, log, sqrt
'''

STUB = '''
# @id@, @called@@named@, @place@:
@quoted@
#
# @claim("@id@", deduced(), false={"factor": "0.9"})
# def @function@(x: Real, factor=1):
#     r"""$...$."""
#     return ..., "<=", factor * ...
'''


def write_document(folder: Path, name: str, title: str) -> list[Path]:
    """Write a package for the document `name` into a new folder; returns the files.

    Raises InvalidInput for a name that is not of small letters, digits and hyphens or is taken, and for a folder that
    exists.
    """
    files = {
        "__init__.py": PACKAGE,
        "catalogue.tsv": CATALOGUE,
        "statements.toml": STATEMENTS,
        "proofs.json": PROOFS,
        "s1_first_claims.py": SECTION,
    }
    return _written(folder, name, title, files)


def draft_document(folder: Path, name: str, title: str, paper: Path) -> tuple[list[Path], Counter[str]]:
    """Write a package for a paper, with all that it prints under a number; returns the files and how many of each kind.

    The catalogue has these statements with section and page, the files of the sections a stub for each beside its
    printed sentence, and fingerprints let ``banditproof locate`` find them in any copy.

    Args:
        folder: a new one.
        name: of the document.
        title: of the document.
        paper: a copy, .pdf, .tex with what it inputs, .txt or .md.

    Raises:
        InvalidInput: as ``write_document``, and for a copy that cannot be read or has nothing under a number.
    """
    from banditproof.claims.report.printed.copies import read_copy
    from banditproof.claims.report.printed.drafting import printed_statements
    from banditproof.claims.report.printed.fingerprints import fingerprints_of, written

    copy = read_copy(paper, "from")
    statements = printed_statements(copy)
    if not statements:
        raise InvalidInput("paper", str(paper), "a text with headings such as 'Theorem 3.' at the beginnings of lines")
    ids: dict[str, Printed] = {}
    for one in statements:  # a lemma and a claim are of one kind, and may have one number
        item = f"{name.upper()}-{one.id}"
        ids[item if item not in ids else f"{item}-{one.word.upper().replace(' ', '-')}-{len(ids) + 1}"] = one
    rows = ["\t".join(("id", "aliases", "kind", "title", "section", "page", "number"))]
    for item, one in ids.items():
        page = copy.place(one.start).removeprefix("page ") if copy.paged else ""
        kept = " ".join(one.name.split()) or one.called
        rows.append("\t".join((item, "", one.kind, kept, one.section, page, one.called)))
    spans = {item: [(one.start, one.end)] for item, one in ids.items()}
    prints = {item: own for item, own in fingerprints_of(copy.text, spans).items() if own}
    files = {
        "__init__.py": DRAFTED,
        "catalogue.tsv": "\n".join(rows) + "\n",
        "fingerprints.tsv": written(prints),
        "statements.toml": "# What needs no code: items that their parts decide, or that nobody can check.\n",
        "proofs.json": "{}\n",
    }
    for item, one in ids.items():
        top = one.section.partition(".")[0]
        top = re.sub(r"\W+", "_", top)
        file = f"s{top}.py" if top.isdigit() else f"app_{top.lower()}.py" if top else "s0.py"
        heading = f"Section {top}" if top.isdigit() else f"Appendix {top}" if top else "Before the first section"
        files[file] = files.get(file, SECTION_DRAFT.replace("@heading@", heading)) + _stub(item, one, copy)
    return _written(folder, name, title, files), Counter(one.kind for one in statements)


def _stub(item: str, one: Printed, copy: Copy) -> str:
    """What a section's file says of a statement."""
    from banditproof.claims.report.printed.passages import readable

    sentence = readable(copy.text[one.start : one.end], copy.text)
    quoted = textwrap.wrap(textwrap.shorten(sentence, SENTENCE, placeholder=" [...]"), 110) or ["(formulas only)"]
    function = re.sub(r"\W+", "_", f"{one.word} {one.number}".lower())
    values = {
        "@id@": item,
        "@called@": one.called,
        "@named@": f" ({readable(one.name, copy.text)})" if one.name else "",
        "@place@": copy.place(one.start),
        "@quoted@": "\n".join(f"#     {line}" for line in quoted),
        "@function@": function,
    }
    return _filled(STUB, values)


def _filled(text: str, values: Mapping[str, str]) -> str:
    return re.sub("@\\w+@", lambda match: values.get(match[0], match[0]), text)


def _written(folder: Path, name: str, title: str, files: Mapping[str, str]) -> list[Path]:
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise InvalidInput("name", name, "lower-case letters, digits and hyphens, beginning with a letter")
    if name in documents():
        raise InvalidInput("name", name, "a name that no document has yet")
    if not title.strip():
        raise InvalidInput("title", title, "words that name the document")
    if folder.exists():
        raise InvalidInput("folder", str(folder), "a folder that does not exist yet")
    package = f"{name.replace('-', '_')}_checks"
    data = ", ".join(f'"{file}"' for file in files if not file.endswith(".py"))
    values = {"@package@": package, "@name@": name, "@title@": title, "@ID@": name.upper(), "@data@": data}
    texts = {folder / "pyproject.toml": PYPROJECT} | {folder / package / file: text for file, text in files.items()}
    try:
        (folder / package).mkdir(parents=True)
        for path, text in texts.items():
            write_atomically(path, _filled(text, values).encode())
    except OSError as error:  # half a document would be in the way of the next try
        shutil.rmtree(folder, ignore_errors=True)
        raise InvalidInput("folder", str(folder), f"a folder that can be created ({error.strerror})") from error
    return list(texts)
