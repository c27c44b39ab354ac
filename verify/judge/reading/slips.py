"""What is often written by habit and is not read, with what to write instead.

Looked for only in a text that is refused, and where it is refused: no statement gets a meaning here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from banditproof.verify.judge.formulas.sentence import Unread
from banditproof.verify.judge.reading import latex_signs


def _reads(file: str) -> str:
    """What reads a file that stands in place of a statement."""
    paper = file.strip().endswith((".tex", ".pdf"))
    return "banditproof review reads a paper" if paper else "--file reads a file of JSON lines"


LAWS = "Laplace Gaussian normal exponential Gumbel".split()
MEANT = (
    "increasing decreasing nonincreasing nondecreasing convex concave positive negative nonnegative nonpositive"
    " integer natural"
).split()
"""Words that say something of a number or a function, which a misspelt one is compared with."""


def _meant(word: str, known: Sequence[str]) -> str:
    """A cure for a word that is close to a known one; nothing for another, and for a known one."""
    from difflib import get_close_matches

    near = {one.lower(): one for one in known}
    found = [] if word.lower() in near else get_close_matches(word.lower(), near, 1, 0.82)
    return "".join(f"{word} is no word that is read: did you mean {near[one]}?" for one in found)


_CONTROL = {
    "\a": ("a bell", "a"),
    "\b": ("a backspace", "b"),
    "\t": ("a tab", "t"),
    "\n": ("the end of a line", "n"),
    "\v": ("a vertical tab", "v"),
    "\f": ("a form feed", "f"),
    "\r": ("a carriage return", "r"),
}
_COMMANDS = {"approx", "begin", "binom", "frac", "nabla", "notin", "rangle", "tfrac"}.union(
    latex_signs.TOKENS, latex_signs.LETTERS, latex_signs.FUNCTIONS, latex_signs.TEXTS, latex_signs.ACCENTS
)


def refuse_control(text: str) -> None:
    """Refuses a text with a sign that Python's own text has in place of the first letter of a command of LaTeX.

    A tab and the end of a line stand before words as well, so that a command of few letters counts at the start alone.
    """
    for m in re.finditer(r"([\a\b\t\n\v\f\r])([A-Za-z]+)", text):
        named, letter = _CONTROL[m[1]]
        if letter + m[2] in _COMMANDS and (m[1] in "\a\b\v\f" or len(m[2]) > 2 or not m.start()):
            command = f"\\{letter}{m[2]}"
            raise Unread(f"the text has {named} where \\{letter} of {command} was meant: in Python write r'{command}'")


def _latin(word: str) -> str:
    """A cure for a word with a letter of another alphabet, such as that of phonetics, which looks like a usual one."""
    odd = next((letter for letter in word if not letter.isascii()), "")
    *_, usual = unicodedata.name(odd, "").split() or [""]
    meant = word.replace(odd, usual.lower())
    return f"{word} has the character {unicodedata.name(odd)}: did you mean {meant}?" if len(usual) == 1 else ""


_OR = "'or' between statements is not read: judge each of them by itself"
_ALONE = r"(?<![A-Za-z\\{])"
# What stands in the text, a part of the reason for which it is refused, and what to say.
_SLIPS: tuple[tuple[re.Pattern[str], str, Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(slip), reason, words)
    for slip, reason, words in (
        (
            r"\A\s*[\w.:/\\~ -]*\w\.(?:txt|jsonl?|md|tex|csv|pdf|py|ya?ml)\s*\Z",
            "",
            lambda m: f"{m[0].strip()} is the name of a file, not a statement: {_reads(m[0])}",
        ),
        (
            r"\A\s*--?[A-Za-z][\w-]*\s*\Z",
            "",
            lambda m: f"{m[0].strip()} is no statement, and no option either: judge --help lists the options",
        ),
        (
            r"\A\s*(?:[A-Z]{2,5}-[A-Z]+[\w./-]*|(?:[Tt]heorem|[Ll]emma|[Pp]roposition|[Cc]orollary)\s+[A-Z]?[\d.]+)\s*\Z",
            "",
            lambda m: f"{m[0].strip()} names a claim: banditproof explain '{m[0].strip()}' shows it",
        ),
        (
            r"(?is)\A.*?(?<![^\W_])(für|fuer|alle|gilt|wenn|sei(?:en)?|und|ist|höchstens|mindestens|pour|tout|tous|soit|où|para|"
            r"todos?|donde)(?![^\W_]).*\Z",
            "",
            lambda m: f"the words around a formula are read in English, and {m[1]!r} is none: write 'for x in [0, 1]'",
        ),
        (r"([<>])\s+=(?!=)", "", lambda m: f"write {m[1]}= without a space in it"),
        (r"(?<![\w\\$])or(?![\w$])", "or has no range", lambda m: _OR),
        (r"(?s)\A.*[<>=].*(?<![\w\\$])or(?![\w$]).*[<>=].*\Z", "or*", lambda m: _OR),
        (r"(?is)\b([a-z]{4,}) (?:noise|mechanism)\b.*\Z", "for this law", lambda m: _meant(m[1], LAWS)),
        (
            r"\bmonoton(?:e|ic)\b",
            "is a word",
            lambda m: f"{m[0]} is read with a direction: write increasing, or decreasing",
        ),
        (r"\b[^\W\d_]+", " no ", lambda m: "" if m[0].isascii() else _latin(m[0])),
        (r"\b[A-Za-z][a-z]{4,}\b", "", lambda m: _meant(m[0], MEANT)),
        (r"\bhas (?:an? )?([a-z]{8,14})\b", "cannot stand", lambda m: _meant(m[1], ["sensitivity"])),
        (
            r"(?i)\b(randomi[sz]ed response) with probability (?P<p>[\d./]+).*\Z",
            "rate has no meaning",
            lambda m: f"say what has this probability: {m[1]} that tells the truth with probability {m['p']}",
        ),
        (r"\bPr?\s*\[([^\[\]]*)\]", "cannot stand", lambda m: f"a probability has round brackets: P({m[1]})"),
        (
            r"(?is)\A(?=.*\bsensitivity\b).*\b(numbers|values|records|rewards)\b(?! (?:in|from|of|between|lie)\b).*\Z",
            "has no range",
            lambda m: f"say in which interval the {m[1]} lie: n {m[1]} in [0, 1]",
        ),
        (
            r"(?<![\w\\])(E|Var|var)\s*[\[(]\s*([A-Z])\b(?![^,;]*(?:~|\\sim\b))",
            " no ",
            lambda m: f"of {m[1]} the law has to be named: {m[1]}[{m[2]}] for {m[2]} ~ N(0, 1)",
        ),
        (
            r"(?s)\A[\s$]*\\?[A-Z]\w*\s*(?:~|\\sim\b)\s*(?:\\math\w+\W*)?[A-Z][^<>=]*\Z",
            "is no function",
            lambda m: "nothing is claimed: this says no more than a law; a claim is E[X] <= 1 for X ~ N(0, 1)",
        ),
        (
            r"(?i)\b(?:(?:with|in|using) (?:base[- ]2|binary) logarithms?|in bits)\b",
            "",
            lambda m: "a divergence is read in nats: write kl(p, q)/log(2) for bits",
        ),
        (
            r"\bfor (\w+) in range\((?:(\w+), *)?(\w+)\)|, *(\w+) in range\((?:(\w+), *)?(\w+)\)",
            "cannot stand",
            lambda m: (
                f"a sum is written sum(f, {m[1] or m[4]}={m[2] or m[5] or 0}..{m[3] or m[6]} - 1): Python's range"
                " leaves its end out"
            ),
        ),
        (
            r"(?is)\A\s*(?:is|are|does|do)\b.*\?\s*\Z",
            "cannot stand",
            lambda m: "a question is read where it compares: Is x^2 >= 0 for x in R? Write what is asked as a formula",
        ),
        (
            r"(?s)\A(?=.*\\[A-Za-z])(?=.*(?<![\\{A-Za-z])(?:for|in|implies|is|when|where|noise)(?![A-Za-z]))[^$]*\Z",
            "an assumption is",
            lambda m: r"in LaTeX formulas stand between dollars beside words: $x^2\ge0$ for $x\in[0,1]$",
        ),
        (r"\A[^<>=]*=>\s*", "comparison", lambda m: "=> says 'implies': write >= for 'at least'"),
        (
            r"(?s)\A\s*[_^<>=].*\$.*\Z",
            "",
            lambda m: "the statement begins with a sign: a shell reads $x in double quotes, so put it in single quotes",
        ),
        (r"([\])])\s+(\w+)\s+in\b", "cannot stand", lambda m: f"a comma is missing: write {m[1]}, {m[2]} in"),
        (r"([\d.]+)\s*%", "no meaning", lambda m: f"a percentage is written as a fraction: {m[1]}/100 for {m[0]}"),
        (
            r"(?<![\d.,\[({])(\d+)(?:,|\{,\})(\d+)(?!\.?\d|,\s?\d)",
            "",
            lambda m: (
                f"a decimal is written with a point: {m[1]}.{m[2]} in place of {m[0]}"
                + f", or {m[1]}{m[2]} if it is a whole number" * (len(m[2]) == 3)
            ),
        ),
        (
            rf"{_ALONE}\\?(?:(log2|log|ln|exp|sqrt)([A-Za-z])|(ln|exp|sqrt)(\d+))(?![A-Za-z])",
            "",
            lambda m: f"{m[0]} is no function: write {m[1] or m[3]}({m[2] or m[4]}), or \\{m[1] or m[3]} in LaTeX",
        ),
        (
            rf"{_ALONE}([A-Za-z])(log2|log|ln|exp|sqrt)(?=\s*\()",
            "",
            lambda m: f"{m[0]} is one word here: write {m[1]} {m[2]}(...) for the product",
        ),
        (
            r"\(?\$?\\?log\$?\s*(?:=|is|denotes)\s*(?:the\s+)?\$?(?:\\?log_?\{?\d+|\\?l[bg]\b|binary|logarithm\s+to\s+base)",
            "",
            lambda m: "the base is written at each logarithm: log2(x), or log(x)/log(b) for the base b",
        ),
    )
)


PROMISES = {name.lower(): name for name in ("DP", "LDP", "zCDP", "RDP", "GDP")}
_PROMISED = re.compile(r"(?<=[\w)}\]$])-([A-Za-z]{2,5})\b")
_PROMISING = re.compile(r"\b(?:is|are|implies|imply|satisf(?:y|ies)|keeps?|gives?|guarantees?)\b")


def in_capitals(text: str) -> str:
    """A sentence that promises privacy with the usual capitals, eps-DP for eps-dp.

    Raises:
        Unread: a promise is none that is read, such as eps-PD.
    """
    from difflib import get_close_matches

    if not isinstance(text, str) or not _PROMISING.search(text):
        return text
    for m in _PROMISED.finditer(text):
        if m[1].lower() not in PROMISES and m[1] == m[1].upper():
            near = get_close_matches(m[1].lower(), PROMISES, 1, 0.5)
            told = (
                "".join(f": did you mean {PROMISES[one]}?" for one in near) or f": {', '.join(PROMISES.values())} are"
            )
            raise Unread(f"{m[1]} is no promise that is read{told}", m[1], m.start(1))
    return _PROMISED.sub(lambda m: f"-{PROMISES.get(m[1].lower(), m[1])}", text)


def cured(error: Unread, text: str) -> Unread:
    """The error, or what to write instead where a slip stands at its place."""
    for slip, reason, words in _SLIPS if isinstance(text, str) else ():
        for m in slip.finditer(text):
            here = m.start() <= error.place <= m.end() if error.place >= 0 else error.token in m[0]
            if here and reason in str(error) and (said := words(m)):
                return Unread(said, m[0], m.start())
    return error
