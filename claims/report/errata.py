"""Findings as errata to send: Markdown, and LaTeX that compiles as it stands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from banditproof.claims.documents import documents
from banditproof.claims.register import Claim
from banditproof.claims.report.cards import first_sentence, printed_in, said_beside
from banditproof.claims.report.evidence import readable
from banditproof.claims.report.findings import NO_FACTOR, SEVERITIES, Failure, Finding, Record, how_sure, in_short
from banditproof.claims.report.mathml import FORMULA, SCRIPTED, scripts_of
from banditproof.claims.report.plain import OPERATORS, RELATIONS, SIGNS
from banditproof.claims.report.printed.passages import Passage
from banditproof.claims.report.working import Working, in_a_sentence, working
from banditproof.claims.run.results import CERTAINTIES
from banditproof.claims.steps import fails_at


@dataclass(frozen=True)
class Told:
    """What is said of a failing claim besides its statement.

    `why` it fails is a sentence, `notes` all else that is said of it, `corrected` what is said of its correction,
    `counterexample` a sentence with both sides, and `working` how these come about.
    """

    why: str
    notes: tuple[str, ...] = ()
    corrected: str = ""
    counterexample: str = ""
    working: Working | None = None


def told(found: Sequence[Finding], records: Sequence[Record], claims: Mapping[str, Claim]) -> dict[str, Told]:
    """For every failure, in the words of the claim where it is among `claims`; `records` hold the counterexamples."""
    evidence = {r["id"]: r["counterexample"] for r in records}
    return {w.claim: _told(w, evidence[w.claim], claims) for f in found for w in f.failures}


def _told(failure: Failure, evidence: Record | None, claims: Mapping[str, Claim]) -> Told:
    claim = claims.get(failure.claim)
    why, *notes = said_beside(claim) or [""]
    expected = failure.repair or any(isinstance(step, fails_at) for step in (claim.steps if claim else ()))
    first, rest = first_sentence(why) if expected else ("", why)  # who did not expect it did not say why
    corrected = " ".join(said_beside(claims.get(failure.repaired_by))[:1])
    said = Told(first, (rest, *notes) if rest else tuple(notes), corrected)
    if evidence is None:
        return said
    found = working(evidence)
    sentence = in_a_sentence(evidence, claim.called if claim else {}, found)
    factor = f", a factor of {in_short(failure.ratio)}" if failure.ratio and failure.ratio > NO_FACTOR else ""
    return replace(said, counterexample=f"{sentence}{factor}.", working=found)


def as_markdown(
    found: Sequence[Finding], words: Mapping[str, Told], passages: Mapping[str, Passage] | None = None
) -> str:
    """A section per document and finding, for an erratum or an issue; with the passages that a user's copy prints."""
    lines: list[str] = []
    for paper in dict.fromkeys(f.paper for f in found):
        own = [f for f in found if f.paper == paper]
        lines += [f"# {_title(paper)}", "", *(f"{line}  " for line in _identity(paper)), "", *_legend(own), ""]
        for f in own:
            lines += [f"## {f.severity}: {', '.join(f.items)}{_kind(f)} {'; '.join(f.titles[:1])}", ""]
            for name, text in _quoted(f, passages or {}):
                lines += [f"{name}:", "", f"> {_marked_down(text)}", ""]
            lines += [place, ""] if (place := _place(f)) else []
            for w in f.told:
                lines.append(f"- **{w.claim}** {w.fails}: {_plain(w.statement)}")
                lines += [f"  - {name}: {_plain(text)}" for name, text in _said(w, words.get(w.claim))]
            if f.stands:
                lines.append(f"- {f.stands}")
            if f.holds:
                lines.append(f"- What holds: {', '.join(f.holds)}")
            if f.besides:
                lines.append(f"- Fails only under a reading, or is a remark: {', '.join(f.besides)}")
            if f.elsewhere:
                lines.append(f"- Fails for the same reason: {', '.join(f.elsewhere)}")
            if f.dependants:
                lines.append(f"- Rests on it: {some(f.dependants)}")
            lines += [f"- Check again: `{f.command}`", ""]
    return "\n".join(lines) + "\n"


def as_latex(found: Sequence[Finding], words: Mapping[str, Told], passages: Mapping[str, Passage] | None = None) -> str:
    """A document of errata in LaTeX, in ASCII: what is outside of formulas is escaped, its signs are commands."""
    lines = [PREAMBLE]
    for paper in dict.fromkeys(f.paper for f in found):
        own = [f for f in found if f.paper == paper]
        lines += [rf"\section*{{Errata: {_tex(_title(paper))}}}", ""]
        lines += [rf"{_tex(line)}\par" for line in (*_identity(paper), *_legend(own))]
        for f in own:
            lines += ["", rf"\subsection*{{{f.severity}: {_tex('; '.join(f.titles[:1]))}{_tex(_kind(f))}}}"]
            for name, text in _quoted(f, passages or {}):
                lines += [rf"\textit{{{_escaped(name)}:}}", rf"\begin{{quote}}{_words(text)}\end{{quote}}"]
            lines += [rf"{_escaped(place)}\par"] if (place := _place(f)) else []
            for w in f.told:
                lines += [rf"\textbf{{{w.fails}:}} {_tex(_row(w.statement))}", r"\begin{itemize}"]
                lines += [rf"\item {_tex(name)}: {_tex(text)}" for name, text in _said(w, words.get(w.claim))]
                lines.append(r"\end{itemize}")
            lines += [rf"{_tex(f.stands)}\par"] if f.stands else []
            lines.append(rf"{{\small Check again: \texttt{{{_escaped(f.command)}}}}}")
    return "\n".join([*lines, r"\end{document}", ""])


def some(names: Sequence[str], most: int = 12) -> str:
    """The first of a list of names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _title(paper: str) -> str:
    return documents()[paper].title if paper in documents() else paper


def _identity(paper: str) -> list[str]:
    """Authors, version and address of a document, as far as they are known."""
    known = documents().get(paper)
    return [line for line in (known.identity, known.link) if line] if known else []


def _legend(found: Sequence[Finding]) -> list[str]:
    """How many findings there are of each severity and certainty, and what the words mean."""
    counted = Counter(f.severity for f in found)
    lines = [f"{s} ({counted[s]}): {SEVERITIES[s]}." for s in SEVERITIES if counted[s]]
    told = {w.certainty for f in found for w in f.told}
    return [*lines, f"How sure: {how_sure(found)}.", *(f"{c}: {CERTAINTIES[c]}." for c in CERTAINTIES if c in told)]


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


def _said(failure: Failure, told: Told | None) -> Iterator[tuple[str, str]]:
    """Why it fails, where and by how much, and the change, each as far as it is known."""
    if told and told.why:
        yield "Why", told.why
    yield "Counterexample", told.counterexample if told and told.counterexample else f"{_row(failure.reach)}."
    yield "How sure", f"{failure.certainty}{': ' * bool(failure.caveat)}{_row(failure.caveat)}."
    if failure.slip:
        yield "Weight", readable(failure.slip)
    if failure.repair:
        holds = "Instead" if failure.correction == "repair" else "What is known to hold"
        narrow = f", checked only {failure.checked}" if failure.checked else ""
        yield f"{holds} ({failure.repaired}{narrow})", _row(failure.repair)
    if told and told.notes:
        yield "Notes", _row(" ".join(told.notes))
    if told and told.corrected:
        yield "On the correction", _row(told.corrected)


def _row(text: str) -> str:
    """Text as one line, without signs that steer a terminal."""
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())


def _plain(text: str) -> str:
    """One line in Markdown: formulas of mathematics as they are, and no HTML."""
    out, end = "", 0
    text = _row(text)
    for formula in filter(lambda found: safe(found[0]), FORMULA.finditer(text)):
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
    out, end = "", 0
    for formula in filter(lambda found: safe(found[0]), FORMULA.finditer(text)):
        out, end = out + _words(text[end : formula.start()]) + formula[0], formula.end()
    return out + _words(text[end:])


def _words(text: str) -> str:
    text, out, end = re.sub(r"(?<!\w)'(?=\w)", "`", text), "", 0  # opening quotes
    for found in SCRIPTED.finditer(text):
        script = "".join(f"{sign}{{{_in_formula(part)}}}" for sign, part in scripts_of(found["scripts"]))
        out += f"{_escaped(text[end : found.start()])}${_in_formula(found['base'])}{script}$"
        end = found.end()
    return (out + _escaped(text[end:])).replace("$$", "")


def _in_formula(text: str) -> str:
    return _words(text).replace("$", "").replace(r"\dots{}", r"\dots ")


def _escaped(text: str) -> str:
    return re.sub(r"[^ -~]|[\\~^&%$#_{}<>|]", lambda c: ESCAPED.get(c[0]) or COMMANDS.get(c[0]) or _named(c[0]), text)


def _named(sign: str) -> str:
    """A sign without a command: its letter without accents, or question marks."""
    import unicodedata

    plain = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return plain or ("" if unicodedata.combining(sign) else r"\textbf{??}")
