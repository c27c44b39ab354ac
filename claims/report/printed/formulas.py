r"""The sentences of a copy that claim something in a formula: what a review of a paper begins with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from banditproof.claims.report.printed.copies import Copy
from banditproof.claims.report.printed.drafting import printed_statements
from banditproof.claims.report.printed.latex_source import Source, definitions, opened_in
from banditproof.claims.report.printed.passages import edges, masked
from banditproof.claims.report.printed.words import FORMULA

LONGEST = 1500  # characters of a sentence; what is longer is a table or a proof whose stops nobody finds
_RELATION = re.compile(r"\\(?:[lg]eq?|[lg]eqslant|neq?|lesssim|gtrsim)(?![a-zA-Z])|[<>=≤≥]")
_ABOVE = re.compile(r"\\(?:stackrel|overset)\s*\{([^{}]*)\}\s*\{\s*(=|\\[lg]eq?(?:slant)?)\s*\}")
_BRACED = r"\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}"
_SEVERAL = re.compile(
    rf"\\(?:begin|end)\{{(?:align|gather|multline|eqnarray|split)(?:ed)?\*?\}}|\\intertext\s*{_BRACED}"
)
_MARKS = re.compile(rf"\\xspace(?![a-zA-Z])|\\ensuremath\s*{_BRACED}")
AROUND = re.compile(r"^\$\$?|\$\$?$|^\\[\[(]|\\[\])]$|\\(?:begin|end)\{(?:equation|displaymath|math)\*?\}")
_OPERATOR = re.compile(r"\\DeclareMathOperator\*?\s*\{?\s*\\([A-Za-z]+)\s*\}?\s*\{([^{}]*)\}")
_SUPPOSED = re.compile(
    r"\b(?:if|when|whenever|where|such that|with|until|let|fix|define|for(?: (?:all|any|every|some|each))?"
    r"|(?:provided|suppose|assume)(?: that)?)[\s,~]*$",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^#+ .*$", re.MULTILINE)
_TITLE = re.compile(r"^\s*(?:\\begin\s*\{\w+\*?\}\s*)?\[(?:[^\[\]]|\[[^\[\]]*\])*\]")
_LAYOUT = re.compile(
    r"\\(?:part|chapter|(?:sub){0,2}(?:section|paragraph))\*?\s*\{[^{}]*\}"
    r"|\\(?:label|vspace|hspace|[a-zA-Z]*cite[a-z]*)\*?\s*(?:\[[^\]]*\])*\s*\{[^{}]*\}|\\(?:nonumber|notag|item|noindent|(?:display|text)style)\b"
    r"|\\tag\*?\{[^{}]*\}|\\(?:begin|end)\s*\{(?!(?:aligned|cases|array|[pb]matrix|split|align|gather|equation|multline)\b)"
    r"[^{}]*\}(?:\s*\[[^\]]*\])?"
)


@dataclass(frozen=True)
class Sentence:
    """A sentence with a relation in a formula.

    Attributes:
        id: of its statement and its number there, 'T3.2-1'; outside of statements of its place, 'line-120'.
        place: 'Theorem 3.2, line 120', or 'line 120'.
        text: the sentence in one line.
        before: what its statement prints before it, where letters get their ranges; None outside of statements.
        skipped: the text between the sentence before and this one.
    """

    id: str
    place: str
    text: str
    before: str | None
    skipped: str = ""


def sentences(copy: Copy) -> Iterator[Sentence]:
    """The sentences of a copy with a relation in a formula, in their order."""
    numbered = [s for s in printed_statements(copy) if s.kind != "equation"]
    bare, text, known = masked(copy.text), copy.text, _macros(copy)
    cuts = sorted({0, *edges(bare), *(s.start for s in numbered), *(s.end for s in numbered), len(text)})
    counted: Counter[str] = Counter()
    last = 0
    for start, end in zip(cuts, cuts[1:], strict=False):
        formulas = list(FORMULA.finditer(text, start, end))
        if end - start > LONGEST or not any(_RELATION.search(m[0]) for m in formulas):
            continue
        of = next((s for s in numbered if s.start <= start < s.end), None)
        place = copy.place(formulas[0].start())
        name = of.id if of else place.replace(", ", "-").replace(" ", "-").replace("/", "-")
        counted[name] += 1
        yield Sentence(
            f"{name}-{counted[name]}",
            f"{of.called}, {place}" if of else place,
            _line(text[start:end], known),
            _line(text[of.start : start], known) if of else None,
            _line(text[last:start], known),
        )
        last = end


def links_of(formula: str) -> list[str]:
    """The comparisons of neighbours in the chains of a formula: a = b and b <= c of 'a = b <= c'."""
    rows = [row.replace("&", " ").strip() for row in re.split(r"\\\\(?:\[[\d.]+\w+\])?", _SEVERAL.sub(" ", formula))]
    chains: list[str] = []
    for row in filter(None, rows):
        if chains and _RELATION.match(row):
            chains[-1] += f" {row}"
        else:
            chains.append(row)
    links = [link for chain in chains for link in _links(chain)]
    return links if len(links) > 1 else []


def _links(chain: str) -> Iterator[str]:
    """The comparisons of neighbours in one chain; signs within brackets belong to a side."""
    depth, cuts = 0, [0]
    for sign in re.finditer(rf"\\[{{}}]|[{{(\[]|[}})\]]|{_RELATION.pattern}", chain):
        depth += (sign[0] in "{([") - (sign[0] in "})]")
        if not depth and _RELATION.fullmatch(sign[0]):
            cuts += sign.span()
    cuts.append(len(chain))
    yield from (chain[a:b].strip(" ,.;") for a, b in zip(cuts[::2], cuts[3::2], strict=False))


def formulas_of(text: str) -> list[tuple[str, bool]]:
    """The formulas with a relation in a sentence, without the signs around them, and whether each is claimed there."""
    found = [(AROUND.sub("", m[0]).strip(), not _SUPPOSED.search(text[: m.start()])) for m in FORMULA.finditer(text)]
    return [(formula, claimed) for formula, claimed in found if _RELATION.search(formula)]


def all_formulas(text: str) -> list[str]:
    """The formulas of a text, without the signs around them."""
    return [AROUND.sub("", m[0]).strip() for m in FORMULA.finditer(text)]


def _macros(copy: Copy) -> str:
    """The definitions of a LaTeX source, with its operators as macros like others."""
    whole = f"{copy.preamble}\n{copy.text}"
    named = (rf"\newcommand{{\{name}}}{{\operatorname{{{body}}}}}" for name, body in _OPERATOR.findall(whole))
    return "\n".join([*named, *(whole[a:b] for a, b in definitions(Source(whole)).places)])


def _line(text: str, macros: str) -> str:
    """A piece of a copy in one line, its macros opened, without labels, citations and the like."""
    text = opened_in(_HEADING.sub("", text), macros) if macros and "\\" in text else _HEADING.sub("", text)
    text = _ABOVE.sub(lambda m: ":=" if "def" in m[1] or "triangle" in m[1] else m[2], _TITLE.sub("", text, count=1))
    text = _MARKS.sub(lambda m: m[1] or "", text)
    return " ".join(_LAYOUT.sub(" ", text).split())
