"""Findings as errata to send: Markdown, LaTeX that compiles as it stands, and JSON."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from banditproof.claims.documents import documents
from banditproof.claims.report.cards import printed_in
from banditproof.claims.report.findings import SEVERITIES, Finding, how_sure
from banditproof.claims.report.mathml import FORMULA, SCRIPTED, scripts_of
from banditproof.claims.report.plain import OPERATORS, RELATIONS, SIGNS
from banditproof.claims.report.printed.passages import Passage
from banditproof.claims.report.telling import Told, heading, lines_around, lines_of, to_json
from banditproof.claims.run.results import CERTAINTIES


def as_markdown(
    findings: Sequence[Finding], words: Mapping[str, Told], passages: Mapping[str, Passage] | None = None
) -> str:
    """A section per document and finding, for an erratum or an issue; with the passages that a user's copy prints."""
    lines: list[str] = []
    for paper in dict.fromkeys(f.paper for f in findings):
        own = [f for f in findings if f.paper == paper]
        lines += [f"# {_title(paper)}", "", *(f"{line}  " for line in _identity(paper)), ""]
        lines += [*(f"- {line}" for line in _legend(own)), ""]
        for f in own:
            lines += [f"## {f.severity} ({f.certainty}): {', '.join(f.items)}{_kind(f)} {'; '.join(f.titles[:1])}", ""]
            for name, text in _quoted(f, passages or {}):
                lines += [f"{name}:", "", f"> {_marked_down(text)}", ""]
            lines += [place, ""] if (place := _place(f)) else []
            for w in f.told:
                lines.append(f"- **{_plain(heading(w))}** {w.fails}: {_plain(w.statement)}")
                lines += [f"  - {name}: {_plain(text)}" for name, text in lines_of(w, words.get(w.claim))]
            for name, text in lines_around(f):
                lines.append(f"- {name}: {f'`{text}`' if text == f.command else _plain(text)}")
            lines.append("")
    return "\n".join(lines) + "\n"


def as_latex(
    findings: Sequence[Finding], words: Mapping[str, Told], passages: Mapping[str, Passage] | None = None
) -> str:
    """A document of errata in LaTeX, in ASCII: what is outside of formulas is escaped, its signs are commands."""
    lines = [PREAMBLE]
    for paper in dict.fromkeys(f.paper for f in findings):
        own = [f for f in findings if f.paper == paper]
        lines += [rf"\section*{{Errata: {_tex(_title(paper))}}}", ""]
        lines += [rf"{_tex(line)}\par" for line in (*_identity(paper), *_legend(own))]
        for f in own:
            title = f"{f.severity} ({f.certainty}): {', '.join(f.items)}{_kind(f)} {'; '.join(f.titles[:1])}"
            lines += ["", rf"\subsection*{{{_tex(title)}}}"]
            for name, text in _quoted(f, passages or {}):
                lines += [rf"\textit{{{_escaped(name)}:}}", rf"\begin{{quote}}{_words(text)}\end{{quote}}"]
            lines += [rf"{_escaped(place)}\par"] if (place := _place(f)) else []
            for w in f.told:
                lines.append(rf"\textbf{{{_tex(heading(w))}. {w.fails}:}} {_tex(_row(w.statement))}")
                lines += _items(lines_of(w, words.get(w.claim)))
            lines += _items((name, text) for name, text in lines_around(f) if text != f.command)
            lines.append(rf"{{\small Check again: \texttt{{{_escaped(f.command)}}}}}")
    return "\n".join([*lines, r"\end{document}", ""])


def as_json(
    findings: Sequence[Finding], words: Mapping[str, Told], passages: Mapping[str, Passage] | None = None
) -> str:
    """A list of the findings; with copies of the papers, each with what is printed for its items."""
    shown = {item: passage.to_json() for item, passage in (passages or {}).items()}
    printed = [{} if passages is None else {"printed": {i: shown[i] for i in f.items if i in shown}} for f in findings]
    listed = [to_json(f, words) | own for f, own in zip(findings, printed, strict=True)]
    return json.dumps(listed, indent=1, ensure_ascii=False) + "\n"


def _items(lines: Iterable[tuple[str, str]]) -> list[str]:
    """A list in LaTeX; nothing where there is nothing to list."""
    listed = [rf"\item {_tex(name)}: {_tex(_row(text))}" for name, text in lines]
    return [r"\begin{itemize}", *listed, r"\end{itemize}"] if listed else []


def _title(paper: str) -> str:
    return documents()[paper].title if paper in documents() else paper


def _identity(paper: str) -> list[str]:
    """Authors, version and address of a document, as far as they are known."""
    known = documents().get(paper)
    return [line for line in (known.identity, known.link) if line] if known else []


def _legend(listed: Sequence[Finding]) -> list[str]:
    """How many findings there are of each severity and certainty, and what the words mean."""
    counted = Counter(f.severity for f in listed)
    lines = [f"{s} ({counted[s]}): {SEVERITIES[s]}." for s in SEVERITIES if counted[s]]
    told = {c for f in listed for c in f.certainties}
    return [*lines, f"How sure: {how_sure(listed)}.", *(f"{c}: {CERTAINTIES[c]}." for c in CERTAINTIES if c in told)]


def _kind(finding: Finding) -> str:
    return f" ({finding.what})" if finding.what else ""


def _place(finding: Finding) -> str:
    """'Theorem 8, Section V, page 9.', where that is known."""
    place = printed_in(finding.items[0])
    return f"{place}." if place else ""


def _quoted(finding: Finding, passages: Mapping[str, Passage]) -> Iterator[tuple[str, str]]:
    """What a user's copy prints for the items of a finding, and where."""
    for item in finding.items:
        if item in passages:
            name = f" of {item}" if len(finding.items) > 1 else ""
            differs = "" if passages[item].as_catalogued else ", which reads differently from the copy that was checked"
            yield f"Printed{name} ({passages[item].place} of your copy{differs})", passages[item].text


def _marked_down(text: str) -> str:
    """Text in Markdown without meaning for any of its signs."""
    return re.sub(r"[\\`*_<>|$#~\[\]]", r"\\\g<0>", text)


def _row(text: str) -> str:
    """Text as one line, without signs that steer a terminal."""
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())


def _plain(text: str) -> str:
    """One line in Markdown: formulas of mathematics as they are, and no HTML."""
    out, end = "", 0
    text = _row(text)
    for formula in filter(lambda match: safe(match[0]), FORMULA.finditer(text)):
        out, end = out + text[end : formula.start()].replace("<", "&lt;") + formula[0], formula.end()
    return out + text[end:].replace("<", "&lt;")


# --------------------------------------------------------------------------------------------------------------- LaTeX

PREAMBLE = r"""\documentclass{article}
\usepackage{amsmath,amssymb}
\providecommand{\lt}{<}
\providecommand{\gt}{>}
\begin{document}
\sloppy\raggedright"""

ESCAPED = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
ESCAPED |= {c: f"\\{c}" for c in "&%$#_{}"} | {"<": "$<$", ">": "$>$", "|": "$|$"}
COMMANDS = {
    sign: f"$\\{name} $"
    for name, sign in [*OPERATORS.items(), *(SIGNS | RELATIONS).items()]
    if not sign.isascii() and name.isalpha()
}
COMMANDS |= {"√": r"$\surd $", "…": r"\dots{}", "“": "``", "”": "''", "–": "--", "—": "---", "§": r"\S{}", "′": "$'$"}


# What a formula may say: a results file comes from anybody, and \input, \write18 or \def are commands too.
ALLOWED = {*OPERATORS, *SIGNS, *RELATIONS} | set(
    "Big Bigg Pr arg bar big bigg bigl bigr binom check cos dbinom det dfrac exp frac gcd hat inf ker left lim liminf "
    "limsup lim ln log mathbb mathbf mathcal mathfrak mathrm max min mod neg operatorname over overline right rm sin "
    "sinh sqrt sup tan tanh tbinom text textbf textit tfrac tilde vec widehat widetilde cosh quad qquad".split()
)


def safe(formula: str) -> bool:
    """Whether a formula has letters, signs and commands of mathematics only."""
    return formula.isprintable() and set(re.findall(r"\\([A-Za-z@]+)", formula)) <= ALLOWED and "^^" not in formula


def _tex(text: str) -> str:
    """Text with formulas in dollars, its scripts (``x_t``) and signs as formulas too, all else escaped."""
    text, formulas = _row(text), []

    def kept(match: re.Match[str]) -> str:
        if not safe(match[0]):
            return match[0]
        formulas.append(match[0])
        return FORMULA_HERE

    first, *others = map(_escaped_words, _quotes(FORMULA.sub(kept, text)).split(FORMULA_HERE))
    out = first
    for formula, words in zip(formulas, others, strict=True):
        out += "{}" * out.endswith("$") + formula + "{}" * words.startswith("$") + words  # $$ would begin a display
    return out


FORMULA_HERE = "\ue000"  # stands for a formula; a line has no such sign, since it cannot be printed


def _words(text: str) -> str:
    """Text without formulas: its quotes, scripts and signs in LaTeX, all else escaped."""
    return _escaped_words(_quotes(text))


def _quotes(text: str) -> str:
    return re.sub(r"(?:(?<=[\s(\[])|^)'(?=\S)", "`", text)


def _escaped_words(text: str) -> str:
    out, end = "", 0
    for typed in TYPED.finditer(text):
        base, scripts = typed["base"] or typed["starred"], scripts_of(typed["scripts"] or "^*")
        script = "".join(f"{sign}{{{_in_formula(part)}}}" for sign, part in scripts)
        before = base if base in ")]" else ""  # a script behind a bracket belongs to all that is in it
        out += f"{_escaped(text[end : typed.start()] + before)}${'' if before else _in_formula(base)}{script}$"
        end = typed.end()
    return (out + _escaped(text[end:])).replace("$$", "")


TYPED = re.compile(rf"{SCRIPTED.pattern}|(?<![^\W\d_])(?P<starred>[^\W\d_])\*(?!\w)")


def _in_formula(text: str) -> str:
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    return _escaped_words(bare).replace("$", "").replace(r"\dots{}", r"\dots ")


def _escaped(text: str) -> str:
    return re.sub(
        r"[^ -~]|[\\~^&%$#_{}<>|]", lambda c: ESCAPED.get(c[0]) or COMMANDS.get(c[0]) or _as_letter(c[0]), text
    )


def _as_letter(sign: str) -> str:
    """A sign without a command: a letter with its accent, or without an unknown one; else question marks."""
    letter, *marks = unicodedata.normalize("NFKD", sign)
    if letter.isascii() and letter.isalpha() and len(marks) == 1 and marks[0] in ACCENTS:
        return rf"\{ACCENTS[marks[0]]}{{{letter}}}"
    plain = "".join((letter, *marks)).encode("ascii", "ignore").decode()
    return plain or ("" if unicodedata.combining(sign) else r"\textbf{??}")


ACCENTS = dict(zip("\u0300\u0301\u0302\u0303\u0304\u0307\u0308\u030a\u030b\u030c\u0327", "`'^~=.\"rHvc", strict=True))
