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
_RELATION = re.compile(r"\\(?:[lg]eq?|[lg]eqslant|neq?|lesssim|gtrsim)(?![a-zA-Z])|(?<!\\)[<>=≤≥]")
_GOES_ON = re.compile(r"(?:\\(?:q?quad|[,;:! ])|\s)*(?:\+|-|\\(?:cdot|times)(?![a-z]))")
"""The begin of a row in the middle of a side."""
_ABOUT = re.compile(r"\\(?:approx|simeq)(?![a-z])|≈")
_SIGN = re.compile(r"[<>=≤≥≈]")
_ABOVE = re.compile(r"\\(?:stackrel|overset)\s*\{([^{}]*)\}\s*\{\s*(=|\\[lg]eq?(?:slant)?)\s*\}")
_BRACED = r"\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}"
_SEVERAL = re.compile(
    rf"\\(?:begin|end)\{{(?:align|gather|multline|eqnarray|split)(?:ed)?\*?\}}|\\intertext\s*{_BRACED}"
)
_MARKS = re.compile(rf"\\xspace(?![a-zA-Z])|\\ensuremath\s*{_BRACED}")
_ROWS = r"aligned|array|split|matrix"
_NESTED = r"(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*"
_SLOPE = re.compile(
    rf"\\frac\{{\\mathrm\{{d\}}\s*\\?\{{({_NESTED})\}}\}}\{{\\mathrm\{{d\}}\s*(\\?[a-z]+(?:\^\{{\\prime\}}|')?)\}}"
)
"""The derivative of what stands in braces, printed as one fraction."""
_BY_CASES = re.compile(
    rf"\\left\s*\\\{{\s*\\begin\{{({_ROWS})\}}(?:\s*\{{[lcr@{{}}\s|]*\}})?(.*?)\\end\{{\1\}}\s*\\right\s*\.", re.DOTALL
)
_CASE = re.compile(
    r"[\s,;.]*(?:&|\\q?quad|\\[,;! ]|\s)*\\(?:text|textrm|textnormal|mathrm|mbox)\s*"
    r"\{\s*(if not|if|for|when|otherwise|else)[^{}]*\}(?:\\q?quad|\s)*([^&]*?)[\s,;.&]*$",
    re.DOTALL,
)
_CASES = re.compile(r"\\begin\{cases\}.*?\\end\{cases\}", re.DOTALL)
_HELD = re.compile("\ue000(\\d+)\ue001")
AROUND = re.compile(r"^\$\$?|\$\$?$|^\\[\[(]|\\[\])]$|\\(?:begin|end)\{(?:equation|displaymath|math)\*?\}")
_USUAL = {"R": r"\mathbb{R}", "N": r"\mathbb{N}", "Z": r"\mathbb{Z}", "eps": r"\varepsilon", "eg": "e.g.", "ie": "i.e."}
_USUAL |= dict.fromkeys(("prob", "Prob", "proba", "probaOf"), r"\Pr[#1]")
_USUAL |= dict.fromkeys(("expect", "Expect", "expectation"), r"\mathbb{E}[#1]")
_USUAL |= {"abs": "|#1|", "ceil": r"\lceil #1\rceil", "floor": r"\lfloor #1\rfloor", "eqdef": r"\coloneqq"}
_USUAL |= {"poisson": r"\mathrm{Poisson}(#1)", "bernoulli": r"\mathrm{Ber}(#1)"}
"""What macros mean that a paper uses and does not define, as a part of one without its preamble does."""
_OPERATOR = re.compile(r"\\DeclareMathOperator\*?\s*\{?\s*\\([A-Za-z]+)\s*\}?\s*\{([^{}]*)\}")
_SUPPOSED = re.compile(
    r"\b(?:if|when|whenever|where|such that|with|until|let|fix|define|consider(?:ing)?|tak(?:e|ing)|took"
    r"|cho(?:o?se|osing)|setting|requir(?:e|es|ing)|for(?: (?:all|any|every|some|each))?"
    r"|(?:provided|suppose|assume)(?: that)?)[\s,~]*$|\b(?:suppose|assume)\b(?:[^.,;:$]|\$[^$]*\$)*$",
    re.IGNORECASE,
)
_AND = re.compile(r"\s*(?:and|or)\s*")
_HEADING = re.compile(r"^#+ .*$", re.MULTILINE)
_NUMBERED = re.compile(r"^[ \t]*\d+(?:\.\d+)*\.?[ \t]+[A-Z][^.<>=≤≥\n]{,60}$", re.MULTILINE)  # in a text without LaTeX
_PARAGRAPH = re.compile(r"\n\s*\n")
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
        plain: whether it stands in a text without LaTeX, as a PDF gives it.
        begins: whether a new paragraph has begun since the sentence before.
    """

    id: str
    place: str
    text: str
    before: str | None
    skipped: str = ""
    plain: bool = False
    begins: bool = False

    @property
    def is_about(self) -> bool:
        """Whether it says that something is about something else, which nobody can judge."""
        return bool(_ABOUT.search(self.text))


def sentences(copy: Copy) -> Iterator[Sentence]:
    """The sentences of a copy with a relation in a formula, in their order; without LaTeX those with a sign of one."""
    numbered = [s for s in printed_statements(copy) if s.kind != "equation"]
    plain = not FORMULA.search(copy.text)
    text = _NUMBERED.sub(lambda m: " " * len(m[0]), copy.text) if plain else copy.text
    bare, known = masked(text), _macros(copy)
    cuts = sorted({0, *edges(bare), *(s.start for s in numbered), *(s.end for s in numbered), len(text)})
    counted: Counter[str] = Counter()
    last = 0
    for start, end in zip(cuts, cuts[1:], strict=False):
        formulas = list((_SIGN if plain else FORMULA).finditer(text, start, end))
        if end - start > LONGEST or not any(_RELATION.search(m[0]) or _ABOUT.search(m[0]) for m in formulas):
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
            plain,
            bool(_PARAGRAPH.search(text[last:end].rstrip())),
        )
        last = end


def links_of(formula: str) -> list[str]:
    """The comparisons of neighbours in the chains of a formula: a = b and b <= c of 'a = b <= c'."""
    held: list[str] = []
    formula = _CASES.sub(lambda m: f"\ue000{held.append(m[0]) or len(held) - 1}\ue001", formula)
    rows = [row.replace("&", " ").strip() for row in re.split(r"\\\\(?:\[[\d.]+\w+\])?", _SEVERAL.sub(" ", formula))]
    chains: list[str] = []
    for row in filter(None, rows):
        if chains and (_RELATION.match(row) or _GOES_ON.match(row)):
            chains[-1] += f" {row}"
        else:
            chains.append(row)
    links = [_HELD.sub(lambda m: held[int(m[1])], link) for chain in chains for link in _links(chain)]
    return links if len(links) > 1 else []


def sides_of(formula: str) -> list[str]:
    """The sides of a formula that compares two, [] of another one."""
    cuts = _cuts(formula)
    return [formula[: cuts[0]], formula[cuts[1] :]] if len(cuts) == 2 else []


def _links(chain: str) -> Iterator[str]:
    """The comparisons of neighbours in one chain."""
    cuts = [0, *_cuts(chain), len(chain)]
    yield from (chain[a:b].strip(" ,.;") for a, b in zip(cuts[::2], cuts[3::2], strict=False))


def _cuts(chain: str) -> list[int]:
    """Where the signs of a chain begin and end; signs within brackets belong to a side."""
    depth, cuts = 0, list[int]()
    for sign in re.finditer(rf"\\(?:left|right)\s*\.|\\[{{}}]|[{{(\[]|[}})\]]|{_RELATION.pattern}", chain):
        if sign[0].endswith("."):
            depth += 1 if "left" in sign[0] else -1
        elif sign[0][-1] in "{([})]":
            depth += 1 if sign[0][-1] in "{([" else -1
        elif not depth:
            cuts += sign.span()
    return cuts


def formulas_of(text: str) -> list[tuple[str, bool]]:
    """The formulas with a relation in a sentence, without the signs around them, and whether each is claimed there."""
    found, end, claimed = list[tuple[str, bool]](), 0, True
    for m in FORMULA.finditer(text):
        claimed = not _SUPPOSED.search(text[: m.start()]) and (claimed or not _AND.fullmatch(text[end : m.start()]))
        end = m.end()
        found.append((AROUND.sub("", m[0]).strip(), claimed))
    return [(formula, claimed) for formula, claimed in found if _RELATION.search(formula)]


def _macros(copy: Copy) -> str:
    """The definitions of a LaTeX source, with its operators as macros like others."""
    whole = f"{copy.preamble}\n{copy.text}"
    named = (rf"\newcommand{{\{name}}}{{\operatorname{{{body}}}}}" for name, body in _OPERATOR.findall(whole))
    own = "\n".join([*named, *(whole[a:b] for a, b in definitions(Source(whole)).places)])
    usual = (
        rf"\newcommand{{\{name}}}{'[1]' * ('#1' in body)}{{{body}}}"
        for name, body in _USUAL.items()
        if not re.search(rf"\\{name}(?![A-Za-z])", own)
    )
    return "\n".join([*usual, own])


def _as_slope(fraction: re.Match[str]) -> str:
    r"""$\frac{\mathrm d\{f(x)\}}{\mathrm dx}$ with the function behind the fraction."""
    return f"\\frac{{\\mathrm{{d}}}}{{\\mathrm{{d}}{fraction[2]}}}\\left({fraction[1].removesuffix(chr(92))}\\right)"


def _condition(case: re.Match[str]) -> str:
    """The condition of a case, '' for the rest."""
    return case[2].strip() if case[1] in ("if", "for", "when") else ""


def _opposite(one: str, other: str) -> bool:
    """Whether two conditions compare the same sides in opposite directions."""
    first, second = (_RELATION.split(c) for c in (one, other))
    signs = {sign[0].lstrip("\\")[0] for c in (one, other) for sign in _RELATION.finditer(c)}
    return (
        len(first) == 2
        and [s.split() for s in first] == [s.split() for s in second]
        and signs in ({"g", "l"}, {"<", ">"})
    )


def _as_cases(braced: re.Match[str]) -> str:
    r"""A brace before rows that end with a condition as the environment `cases`; another one as it stands."""
    rows = [row for row in re.split(r"\\\\(?:\[[\d.]+\w+\])?", braced[2]) if row.strip()]
    found = [(row, _CASE.search(row)) for row in rows]
    if len(found) < 2 or not all(case for _, case in found):
        return braced[0]
    values, conditions = zip(*((row[: c.start()].strip(" &"), _condition(c)) for row, c in found if c), strict=True)
    if len(found) == 2 and _opposite(*conditions):
        conditions = (conditions[0], "")
    parts = [
        f"{v},&\\text{{if }}{c}" if c else f"{v},&\\text{{otherwise}}" for v, c in zip(values, conditions, strict=True)
    ]
    return "\\begin{cases}" + "\\\\ ".join(parts) + "\\end{cases}"


def _line(text: str, macros: str) -> str:
    """A piece of a copy in one line, its macros opened, without labels, citations and the like."""
    text = opened_in(_HEADING.sub("", text), macros) if macros and "\\" in text else _HEADING.sub("", text)
    text = _ABOVE.sub(lambda m: ":=" if "def" in m[1] or "triangle" in m[1] else m[2], _TITLE.sub("", text, count=1))
    text = _SLOPE.sub(_as_slope, text)
    text = _BY_CASES.sub(_as_cases, _MARKS.sub(lambda m: m[1] or "", text))
    return " ".join(_LAYOUT.sub(" ", text).split())
