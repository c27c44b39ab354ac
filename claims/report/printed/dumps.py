r"""A dump of HTML, in which every formula stands three times: in signs, in LaTeX and spelled out.

Of ``rtsubscript𝑟𝑡r_{t}italic_r start_POSTSUBSCRIPT italic_t end_POSTSUBSCRIPT`` the LaTeX is kept. It begins and ends
where its letters, digits and signs are those of the spelled form; a formula without such a place is left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from banditproof.claims.report.printed.copies import Copy
from banditproof.claims.report.printed.words import DUMPED

GLUE = re.compile(
    r"(?:bold_italic|italic|roman|bold|caligraphic|blackboard|sansserif|typewriter|fraktur|script)_|(?:start|end)_[A-Z]+"
)
_LATEX = re.compile("[\\\\_{}^\U0001d400-\U0001d7ff]")
_LETTER = re.compile(r"[^\w]*\w?[^\w]*|[\d.,()]+|over.|divide|square-root|if|not|otherwise|lim|inf")
_GLUED = re.compile(rf"(?:(?:{GLUE.pattern})(?:\w+|.)?|[)\]}}|]+?)(?P<behind>[-.,:;’)\]!?]\S*)")
_LAYOUT = re.compile(
    r"\\(?:color|definecolor)(?:\[\w+\])?(?:\{[^{}]*\})+|\\(?:leavevmode|mathrel|nolimits)|\\nobreak\s*\\ "
    r"|\\mathop(?=\{)"
)
_BOXED = re.compile(r"\\mbox\{\$([^$]*)\$\}")
_SPOKEN = re.compile(r"\\(log|exp|ln|min|max|sup|inf|lim|liminf|limsup|arg|argmax|argmin|det|Pr|dim|mod)(?![A-Za-z])")
_SILENT = re.compile(
    rf"\\(?:begin|end)\{{\w+\*?\}}(?:\[\w*\])?(?:\{{[lcr|]+\}})?|\\[A-Za-z]+|\\.|{GLUE.pattern}"
    r"|\b(?:divide|square-root)\b|over.(?=\s|$)"
)
_SAME = re.compile(r"[A-Za-z0-9()\[\]|=<>+/]")
LONGEST, BEHIND = 24, 6  # characters of the spelled form before its first mark; tokens behind it that look like its own


def undumped(copy: Copy) -> Copy:
    """A copy that is a dump with each formula once, as LaTeX between dollars; other copies as they are."""
    if copy.paged or not all(sign in copy.text for sign in DUMPED):
        return copy
    text = _BOXED.sub(r"\1", _LAYOUT.sub("", copy.text.replace("% ", "")))
    text = re.sub(r"(?<=\S)\$\$ \$\$(?=\S)", " ", "\n".join(map(_line, text.split("\n"))))
    text = re.sub(r"(?<=\S)\$\$(\n\s*)\$\$(?=\S)", r" \\\\\1", text)  # the rows of a display
    starts = (0, *(m.end() for m in re.finditer("\n", text)))
    return replace(copy, text=text, starts=starts)


def _line(line: str) -> str:
    """A line of a dump with each formula once."""
    tokens, out, k = line.split(), list[str](), 0
    while (glued := next((j for j in range(k, len(tokens)) if GLUE.search(tokens[j])), None)) is not None:
        begin = glued
        while begin > k and (_LATEX.search(tokens[begin - 1]) or _belongs(tokens[begin - 1], "")):
            begin -= 1
        begin = next(j for j in range(begin, glued + 1) if _LATEX.search(tokens[j]))
        latex, behind, end = _latex(tokens, begin, glued)
        dollars = "$$" if latex.startswith("\\displaystyle") else "$"
        out += [*tokens[k:begin], f"{dollars}{latex}{dollars}{behind}" if latex else behind]
        k = end
    return " ".join([*out, *tokens[k:]])


def _latex(tokens: Sequence[str], begin: int, glued: int) -> tuple[str, str, int]:
    """The LaTeX of a formula, what is glued to its end, and where the text goes on."""
    first = GLUE.search(tokens[glued])
    assert first is not None
    head = " ".join([*tokens[begin:glued], tokens[glued][: first.start()]])
    spelled, end, behind = [tokens[glued][first.start() :]], glued + 1, ""
    while not (last := _GLUED.fullmatch(spelled[-1])) and end < len(tokens):
        if not _belongs(tokens[end], head):
            break
        spelled.append(tokens[end])
        end += 1
    if last:
        behind, spelled[-1] = last["behind"], spelled[-1][: last.start("behind")]
    for fewer in range(1 if behind else min(BEHIND, len(spelled))):
        said = _signs(" ".join(spelled[: len(spelled) - fewer]))
        for cut in range(len(head), max(0, len(head) - LONGEST), -1):
            wanted = _signs(head[cut:]) + said
            if latex := _ending(head[:cut], wanted):
                return latex, behind, end - fewer
    return "", behind, end


def _belongs(token: str, head: str) -> bool:
    """Whether a token looks like one of a formula that is spelled out, some words of which its LaTeX has in braces."""
    return bool(GLUE.match(token) or _LETTER.fullmatch(token) or _GLUED.fullmatch(token)) or f"{{{token}" in head


def _ending(head: str, wanted: str) -> str:
    """The longest end of a text, after its last sign that no LaTeX has, with these signs."""
    start = max((m.end() for m in re.finditer(r"[^\x00-\x7f]", head)), default=0)
    for begin in range(start, len(head)):
        if _signs(head[begin:]) == wanted:
            return re.sub(r"(?:divide|square-root|over.)?\s*$", "", head[begin:]).replace("$", "").lstrip(" }.,;")
    return ""


def _signs(formula: str) -> str:
    """The letters, digits and signs that LaTeX and the spelled form share."""
    return "".join(_SAME.findall(_SILENT.sub(" ", _SPOKEN.sub(r" \1 ", formula))))
