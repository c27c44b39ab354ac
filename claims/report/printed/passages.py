r"""The printed passage of an item, cut from a user's copy at the ends of sentences, in plain text.

It goes into the files that the user makes from his copy, and nowhere else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from banditproof.claims.report.plain import plain
from banditproof.claims.report.printed.copies import Copy, read_copy
from banditproof.claims.report.printed.locating import Index, Located, locate, recognised
from banditproof.claims.report.printed.words import DUMPED, FORMULA, MATHS
from banditproof.theory.errors import InvalidInput

LONGEST = 1200  # characters of a passage
BEFORE, BEHIND = 700, 900  # characters of prose in which a sentence begins or ends; a dump has five times as many
DUMP = 5


@dataclass(frozen=True)
class Passage:
    """What a copy prints for an item, its place there, and whether it reads as the one that was catalogued."""

    text: str
    place: str
    as_catalogued: bool

    def to_json(self) -> dict[str, object]:
        """Plain data."""
        return {"text": self.text, "place": self.place, "as catalogued": self.as_catalogued}


def passages(papers: Sequence[Path]) -> dict[str, Passage]:
    """The passages of every item that is found in these copies, each of a document that is recognised, by item.

    Raises InvalidInput for a copy that cannot be read or is of no known document.
    """
    by_item: dict[str, Passage] = {}
    read: dict[str, Path] = {}
    for path in papers:
        index = Index(read_copy(path))
        document = recognised(index)
        if document.name in read:
            raise InvalidInput(
                "text",
                str(path),
                f"a copy of a document other than {document.name}, of which {read[document.name]} is a copy",
            )
        read[document.name] = path
        for item in locate(document, index):
            if item.places:
                by_item[item.item] = passage(index.copy, item)
    return by_item


def passage(copy: Copy, located: Located) -> Passage:
    """The sentences of an item in a copy."""
    pieces: list[tuple[int, int]] = []
    bare = masked(copy.text)
    for place in sorted(located.places, key=lambda p: p.start):
        start, end = _begin(bare, place.start), _end(bare, place.end)
        if pieces and start <= pieces[-1][1]:
            pieces[-1] = (pieces[-1][0], max(end, pieces[-1][1]))
        else:
            pieces.append((start, end))
    text = " [...] ".join(filter(None, (readable(copy.text[a:b], copy.text) for a, b in pieces)))
    return Passage(_shortened(text), located.place, located.state == "found")


# ------------------------------------------------------------------------------------------------------------ sentences

_STATEMENTS = "theorem|lemma|proposition|corollary|definition|claim|remark|assumption|restatable|algorithm|fact"
_SENTENCE = re.compile(r"[.!?][)”\"'*]*(?=\s|$)")
_STOP = re.compile(
    rf"\\end\{{(?:{_STATEMENTS})\w*\*?\}}|\\begin\{{proof\}}|\n\s*(?:#|\\(?:sub)*section|\*?\*?Proof\b)", re.IGNORECASE
)
_FIRST = re.compile(
    rf"\\begin\{{(?:{_STATEMENTS})\w*\*?\}}(?:\{{\w*\}})?|\n\s*\n(?=\s*(?:[A-Z#*]|\\[a-z]))|\n#+ "
    rf"|\n(?=\W{{0,4}}(?:{_STATEMENTS}) [\dIVXA-Z][\w.]*)",
    re.IGNORECASE,
)
_SHORT = re.compile(
    r"(?:\b(?:i\.e|e\.g|cf|resp|al|Eq|Eqs|Fig|Figs|Sec|Thm|Prop|Lem|Cor|Def|Alg|App|w\.r\.t|i\.i\.d|vs)|(?<![\^=<>≤≥/*+−-]\s)(?<![\^=<>≤≥/*+−-])\b[A-Z\d])\.$"
)


@lru_cache(maxsize=8)
def masked(text: str) -> str:
    """The text with its formulas in LaTeX as one word each, with the full stop at the end of it if there is one."""

    def word(match: re.Match[str]) -> str:
        ended = re.search(r"[.](?:\s|\$|\\[\])]|\\end\{\w+\*?\}|\\label\{[^{}]*\}|\})*$", match[0])
        return "x" * (len(match[0]) - 1) + ("." if ended else "x")

    return FORMULA.sub(word, text) if "$" in text or "\\" in text else text


def _ends(text: str, start: int, end: int) -> Iterator[int]:
    """Where sentences end between two places."""
    for stop in _SENTENCE.finditer(text, start, end):
        if not _SHORT.search(text, max(0, stop.start() - 8), stop.start() + 1):
            yield stop.end()


def edges(text: str) -> Iterator[int]:
    """Where sentences begin or end in a text whose formulas are masked."""
    yield from _ends(text, 0, len(text))
    yield from (m.end() for m in _FIRST.finditer(text))
    yield from (m.start() for m in _STOP.finditer(text))


def _begin(text: str, start: int) -> int:
    """Where the sentence begins that holds this place."""
    low = max(0, start - _reach(text, BEFORE))
    ends = [*_ends(text, low, start), *(m.end() for m in _FIRST.finditer(text, low, start))]
    return max(ends, default=text.rfind(" ", 0, low) + 1 if low else 0)


def _end(text: str, end: int) -> int:
    """Where the sentence ends that holds the character before this place."""
    high = min(len(text), end + _reach(text, BEHIND))
    stop = _STOP.search(text, end, high)
    high = stop.start() if stop else high
    return next(_ends(text, max(0, end), high), high)


def _reach(text: str, characters: int) -> int:
    return characters * (DUMP if DUMPED[1] in text else 1)


def _shortened(text: str) -> str:
    """The text up to the last sentence, or word, that leaves it short enough."""
    if len(text) <= LONGEST:
        return text
    cut = max(
        [end for end in _ends(text, 0, LONGEST - 6) if end > LONGEST // 2], default=text.rfind(" ", 0, LONGEST - 6)
    )
    return text[:cut] + " [...]"


# ----------------------------------------------------------------------------------------------------------- plain text

# Ligatures, and signs of which there are several, as one that every form of the report knows.
_SIGNS = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_SIGNS |= dict(zip("ϵϑϕµ∆Ω∑∏⋆∗∼∣⋅⋯⟶−•‘’⊤∥", "εθφμΔΩΣΠ**~|·…→--''ᵀ‖", strict=True))
_SIGNS |= {"‖": "||", "∥": "||", "¬": "not ", "⨂": "⊗"} | dict.fromkeys("▷□∎⏟⋮\u00ad\u200b", "")
_MATHEMATICS = re.compile("[\U0001d400-\U0001d7ff]")
_DISPLAYED = re.compile(
    rf"\\begin\{{(?P<name>(?:{MATHS})\*?)\}}(.*?)\\end\{{(?P=name)\}}|\\\[(.*?)\\\]|\\\((.*?)\\\)|\$\$(.+?)\$\$",
    re.DOTALL,
)
_NAMELESS = re.compile(r"\\(?:label|tag|vspace|hspace)\*?\{[^{}]*\}|\\(?:begin|end)\{[^{}]*\}(?:\[[^\]]*\])?")
_CITED = re.compile(r"\\(?:[a-zA-Z]*cite[a-z]*|[a-zA-Z]*ref)\*?(?:\[[^\]]*\])*\{([^{}]*)\}")
_STYLED = re.compile(r"\\[A-Za-z]+\*?\s*\{([^{}]*)\}")


def readable(text: str, whole: str = "") -> str:
    """A piece of a copy in one line: formulas in signs, words whole, no commands; `whole` tells what copy it is."""
    if DUMPED[1] in (whole or text):
        text = undumped(text)
    text = re.sub(r"(?<=[^\W\d_])(?:[-\u2010]|\u00ad)[ \t]*\n\s*(?=[a-z])", "", text)
    if "$" in text or "\\" in text:
        text = _DISPLAYED.sub(lambda m: f"${_one_line(m[2] or m[3] or m[4] or m[5] or '')}$", text)
        text = re.sub(r"(?<!\\)\$([^$]+)\$", lambda m: f"${_one_line(m[1])}$", text)
        text = plain(re.sub(r"(?<!\\)~", " ", text))
        text = _CITED.sub(r"[\1]", _NAMELESS.sub(" ", text))
        for _ in range(3):
            text = _STYLED.sub(r"\1", text)
        text = re.sub(r"\\([%&$#_{}])", r"\1", re.sub(r"\\[A-Za-z]+\*?|(?<!\\)[{}]|\\\\", " ", text))
    text = re.sub(r"(?<!\w)\*{1,2}(?=\S)|(?<=\S)\*{1,2}(?!\w)|^\s*#+ ", "", text)
    text = _MATHEMATICS.sub(lambda m: unicodedata.normalize("NFKD", m[0]), text).translate(str.maketrans(_SIGNS))
    return re.sub(r" +([,.;:])(?=\s|$)", r"\1", " ".join(text.split()))


_LAYOUT = re.compile(
    r"\\(?:label|tag)\{[^{}]*\}|\\(?:begin|end)\{\w+\*?\}(?:\{[lcr|@{}\s]*\})?|\\(?:nonumber|notag|q?quad)\b|(?<!\\)&"
)


def _one_line(formula: str) -> str:
    return " ".join(_LAYOUT.sub(" ", formula).split())


_GLUE = re.compile(
    r"(?:bold_italic|italic|roman|bold|caligraphic|blackboard|sansserif|typewriter|fraktur|script)_|(?:start|end)_[A-Z]+"
)
_CONTENT = re.compile("[\\\\_{}^\U0001d400-\U0001d7ff]")
_ACCENTS = {"~": "\u0303", "^": "\u0302", "¯": "\u0304", "ˇ": "\u030c", "˙": "\u0307"}
_SPELLED = ("divide", "square-root")
MOST_TOKENS = 120  # of a formula in LaTeX before the spelled form of it begins


def undumped(text: str) -> str:
    """A dump of HTML with each formula once, in signs, where it stands as letters, as LaTeX and spelled out.

    >>> undumped("where rtsubscript𝑟𝑡r_{t}italic_r start_POSTSUBSCRIPT italic_t end_POSTSUBSCRIPT is a reward")
    'where r_t is a reward'
    """
    tokens, out, k = text.split(), [], 0
    while k < len(tokens):
        if not _CONTENT.search(tokens[k]):
            out.append(tokens[k])
            k += 1
            continue
        if re.fullmatch(r"\\[A-Za-z]+", tokens[k]):  # a command alone
            out.append(plain(f"${tokens[k].replace('Leftrightarrow', 'iff')}$"))
            k += 1
            continue
        last = tokens[k][-1]
        if not _GLUE.search(tokens[k]) and not last.isascii() and not last.isalnum() and tokens[k].count(last) > 1:
            out.append(last)  # a sign alone, as ⇔
            k += 1
            continue
        begin = next((j for j in range(k, min(len(tokens), k + MOST_TOKENS)) if _GLUE.search(tokens[j])), None)
        if begin is None:
            k += 1
            continue
        first = _GLUE.search(tokens[begin])
        assert first is not None
        head = tokens[begin][: first.start()]
        before = tokens[begin - 1] if begin > k and not head else head
        spelled = [
            *([before[-1]] if before[-1:] in ("(", "[", "{", "|") and not head else []),
            tokens[begin][first.start() :],
        ]
        k = begin + 1
        while k < len(tokens) and _continues(tokens[k]):
            spelled.append(tokens[k])
            k += 1
        out.append(_sign(spelled))
    return " ".join(filter(None, out))


def _continues(token: str) -> bool:
    """Whether a token belongs to a formula that is spelled out."""
    glue = _GLUE.match(token)
    if glue:
        return True
    return not _CONTENT.search(token) and (
        token in _SPELLED or token.startswith("over") and len(token) == 5 or not re.search(r"[^\W\d_]{2}", token)
    )


def _sign(spelled: Sequence[str]) -> str:
    """A formula that is spelled out, in signs."""
    tokens = []
    for token in spelled[::-1]:
        parts = re.fullmatch(r"((?:start|end)_[A-Z]+)([^A-Z].*)", token)
        tokens += [parts[2], parts[1]] if parts else [token]
    text = _until("", tokens)
    text = re.sub(r"\s+([,.;:)\]}])", r"\1", re.sub(r"([(\[{])\s+", r"\1", text))
    return re.sub(r"\s*([_^])\s*", r"\1", " ".join(text.split()))


def _until(closing: str, tokens: list[str]) -> str:
    """Everything up to a closing token, in signs."""
    out: list[str] = []
    while tokens:
        token = tokens.pop()
        if token == closing:
            break
        if token in ("start_POSTSUBSCRIPT", "start_POSTSUPERSCRIPT"):
            inner = _until(token.replace("start", "end"), tokens)
            sign = "_" if "SUB" in token else "^"
            out.append(f"{sign}{inner if len(inner) == 1 else f'({inner})'}")
        elif token == "divide":
            above, below = _argument(tokens), _argument(tokens)
            out.append(f"{_whole(above)}/{_whole(below)}")
        elif token == "square-root":
            out.append(f"√{_whole(_argument(tokens))}")
        elif token.startswith("over") and token[4:] in _ACCENTS:
            out.append(_argument(tokens) + _ACCENTS[token[4:]])
        elif not re.fullmatch(r"(?:start|end)_[A-Z]+", token):
            out.append(_GLUE.sub("", token, count=1))
    return " ".join(filter(None, out))


def _argument(tokens: list[str]) -> str:
    if tokens and tokens[-1] == "start_ARG":
        tokens.pop()
        return _until("end_ARG", tokens)
    return ""


def _whole(text: str) -> str:
    return text if re.fullmatch(r"[\w√]+|\(.*\)", text) else f"({text})"
