r"""A user's copy of a document as one text: from a PDF, from LaTeX with what it inputs, or from plain text.

Lines at the head and foot of pages that repeat are left out, columns that `pdftotext -layout` prints side by side are
read one after the other, and LaTeX is read without comments, with its short macros in place.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from banditproof.claims.report.printed.latex_source import opened
from banditproof.theory.errors import InvalidInput

KINDS = (".pdf", ".tex", ".txt", ".md")
DEEPEST = 20  # files that input each other


@dataclass(frozen=True)
class Copy:
    """The text of a copy; `starts` are offsets of its pages or lines, `places` what these are called.

    `missing` are files that the LaTeX source inputs and that are not there, `preamble` is what stands before its text.
    """

    path: Path
    text: str
    starts: tuple[int, ...]
    places: tuple[str, ...]
    paged: bool = False
    missing: tuple[str, ...] = ()
    preamble: str = ""

    def place(self, offset: int) -> str:
        """'page 9' or 'line 120', where this character stands."""
        return self.places[max(0, bisect_right(self.starts, offset) - 1)]

    def crosses_a_page(self, start: int, end: int) -> bool:
        """Whether a page ends between two characters."""
        return self.paged and self.place(start) != self.place(end)


def read_copy(path: Path, named: str = "text") -> Copy:
    """The copy in this file, by its ending. Raises InvalidInput by what `named` it where it cannot be read."""
    if path.suffix.lower() not in KINDS:
        raise InvalidInput(
            named, str(path), f"a file {', '.join(KINDS[:-1])} or {KINDS[-1]} (save the text of another one as .txt)"
        )
    if not path.is_file():
        raise InvalidInput(named, str(path), "a file that exists")
    if path.suffix.lower() == ".pdf":
        return _of_pages(path, _pages_of_pdf(path))
    if path.suffix.lower() == ".tex":
        return _of_latex(path)
    text = read_text(path)
    return _of_pages(path, text.split("\f")) if "\f" in text.strip() else _of_lines(path, text)


def read_text(path: Path) -> str:
    """A file of text in UTF-8, or in Latin-1 where it is not."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InvalidInput("text", str(path), f"a file that can be read ({error.strerror})") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _of_lines(path: Path, text: str) -> Copy:
    text = _ESCAPED.sub(r" \1", text) if path.suffix.lower() == ".md" else text
    starts = [0, *(m.end() for m in re.finditer("\n", text))]
    return Copy(path, text, tuple(starts), tuple(f"line {k}" for k in range(1, len(starts) + 1)))


# ---------------------------------------------------------------------------------------------------------------- pages


def _pages_of_pdf(path: Path) -> list[str]:
    try:
        from pypdf import PdfReader
    except ImportError as error:
        allowed = "a .tex or .txt file, or a .pdf after: pip install 'banditproof[pdf]'"
        raise InvalidInput("text", str(path), allowed) from error
    import logging

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what it says of fonts helps nobody here
    try:
        reader = PdfReader(path)
        pages = [page.extract_text() for page in reader.pages]
    except Exception as error:  # a library that reads what anybody wrote; what it raises is not listed
        raise InvalidInput("text", str(path), f"a PDF that can be read ({type(error).__name__}: {error})") from error
    if not any(page.strip() for page in pages):
        raise InvalidInput("text", str(path), "a PDF that contains text, not only pictures of pages")
    return pages


def _of_pages(path: Path, pages: Sequence[str]) -> Copy:
    repeated = _repeated_lines(pages)
    text, starts = "", []
    for page in pages:
        starts.append(len(text))
        text += "\n".join(_in_order(_body(page.splitlines(), repeated))) + "\n"
    return Copy(path, text, tuple(starts), tuple(f"page {k}" for k in range(1, len(starts) + 1)), paged=True)


MARGIN = 2  # lines at the head and at the foot of a page that may belong to no text


def _edges(lines: Sequence[str]) -> list[int]:
    """The places of the first and the last lines that are not empty."""
    full = [k for k, line in enumerate(lines) if line.strip()]
    return sorted({*full[:MARGIN], *full[-MARGIN:]})


def _bare(line: str) -> str:
    return re.sub(r"[\W\d_]+", "", line).lower()


def _repeated_lines(pages: Sequence[str]) -> set[str]:
    """What stands at the edges of three pages and of every tenth one, page numbers apart."""
    counted: Counter[str] = Counter()
    for page in pages:
        lines = page.splitlines()
        counted.update({_bare(lines[k]) for k in _edges(lines)})
    return {line for line, count in counted.items() if count >= max(3, len(pages) / 10)}


def _body(lines: Sequence[str], repeated: set[str]) -> list[str]:
    margin = set(_edges(lines))
    return [line for k, line in enumerate(lines) if k not in margin or _bare(line) and _bare(line) not in repeated]


GUTTER = 2  # columns of blanks between two columns of text
SIDE_BY_SIDE = 0.75  # the share of the long lines that have to be blank there


def _in_order(lines: list[str]) -> list[str]:
    """The lines of a page, those of a right column behind those of the left one."""
    width = max(map(len, lines), default=0)
    long = [line for line in lines if len(line) > 0.6 * width]
    if width < 60 or len(long) < 8:
        return lines
    blank = {k: sum(not line[k : k + GUTTER].strip() for line in long) for k in range(width // 3, 2 * width // 3)}
    gutter = max(blank, key=lambda k: (blank[k], -abs(k - width / 2)))
    if blank[gutter] < SIDE_BY_SIDE * len(long):
        return lines
    left, right, ordered = [], [], []
    for line in lines:
        if line[gutter : gutter + GUTTER].strip():
            cut = _cut_near(line, gutter)
            if cut is None:  # a line across both columns
                ordered += [*left, *right, line]
                left, right = [], []
                continue
        else:
            cut = gutter
        left.append(line[:cut].rstrip())
        right.append(line[cut:].strip())
    return [*ordered, *left, *right]


def _cut_near(line: str, gutter: int) -> int | None:
    """Where blanks stand in a line near the gutter, which formulas shift by a few columns."""
    cuts = [
        m.start() for m in re.finditer(r" {3,}", line) if abs(m.start() - gutter) < 20 or m.start() <= gutter < m.end()
    ]
    return min(cuts, key=lambda k: abs(k - gutter)) if cuts else None


# ---------------------------------------------------------------------------------------------------------------- LaTeX

_INPUT = re.compile(
    r"\\(?:(?:input|include|subfile)(?:\s*\{\s*([^{}#\\]+?)\s*\}|\s+([\w./-]+))"
    r"|(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\])?\s*\{([^{}#]+)\}|(endinput)(?![A-Za-z]))"
)
_SPOKEN = re.compile(r"[a-z]{3}")
_ESCAPED = re.compile(r"\\(\\[()\[\]])")  # Markdown that escapes the backslash of \(x\)
_DOCUMENT = re.compile(r"(\\(?:begin|end)\s*\{document\})")
_UNREAD = re.compile(
    r"\\begin\s*\{(?P<shown>verbatim\*?|Verbatim|lstlisting|minted)\}(?P<code>.*?)\\end\s*\{(?P=shown)\}"
    r"|\\begin\s*\{(?P<left>comment|filecontents\*?)\}.*?\\end\s*\{(?P=left)\}"
    r"|\\iffalse(?![A-Za-z]).*?\\fi(?![A-Za-z])|\\verb\*?(?P<mark>[^A-Za-z\s*{])(?P<said>.*?)(?P=mark)"
    r"|\\(?:url|href|path|nolinkurl)\s*\{[^{}]*\}|\\.|%[^\n]*",
    re.DOTALL,
)
_ACCENT = re.compile(r"\\([`'^\"~=.]|[uvHckr](?![A-Za-z]))\s*(?:\{\\?([A-Za-z])\}|\\?([A-Za-z])(?![A-Za-z]*\{))")
_MARKS = "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0306\u030c\u030b\u0327\u0328\u030a"
_COMBINING = dict(zip("`'^\"~=.uvHckr", _MARKS, strict=True))
_LETTERS = {"ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "oe": "œ", "aa": "å", "i": "i"}
_LETTER = re.compile(rf"\\({'|'.join(sorted(_LETTERS, key=len, reverse=True))})(?:\{{\}}|(?![A-Za-z])\s?)")


def _of_latex(path: Path) -> Copy:
    missing: list[str] = []
    whole = opened(list(_lines_of(path, path.parent, (), missing)), _SPOKEN)
    lines = [(place, part) for place, line in whole for part in _DOCUMENT.split(line)]
    edges = [k for k, (_, line) in enumerate(lines) if _DOCUMENT.fullmatch(line)]
    begin, end = edges[0] + 1 if edges else 0, edges[1] if len(edges) > 1 else len(lines)
    text, starts, places = "", [], []
    for place, line in lines[begin:end]:
        starts.append(len(text))
        places.append(place)
        text += _composed(line) + "\n"
    preamble = "\n".join(line for _, line in lines[:begin])
    return Copy(path, text, tuple(starts or [0]), tuple(places or ["line 1"]), False, tuple(missing), preamble)


def _lines_of(path: Path, folder: Path, within: tuple[Path, ...], missing: list[str]) -> Iterator[tuple[str, str]]:
    """Every line with its place, those of a file that is input where that is asked for; of packages those beside it."""
    name = f"{path.relative_to(folder).as_posix()}, " if within and path.is_relative_to(folder) else ""
    text, at = _UNREAD.sub(_inert, read_text(path)), 0
    edges = [m.span() for m in _DOCUMENT.finditer(text)] if within else []
    if len(edges) == 2:  # a file that is a document of its own, too
        text, at = text[: edges[1][0]], edges[0][1]

    def lines(start: int, end: int) -> Iterator[tuple[str, str]]:
        first = text.count("\n", 0, start) + 1
        yield from ((f"{name}line {number}", line) for number, line in enumerate(text[start:end].split("\n"), first))

    for asked in _INPUT.finditer(text):
        if asked[4]:
            return (yield from lines(at, asked.start()))
        package = asked[3] is not None
        yield from lines(at, asked.end() if package else asked.start())
        for given in (asked[3] or asked[1] or asked[2]).split(","):
            wanted, ending = folder / given.strip(), ".sty" if package else ".tex"
            inner = next((p for p in (wanted, wanted.with_name(wanted.name + ending)) if p.is_file()), None)
            if inner is not None and inner not in (*within, path) and len(within) < DEEPEST:
                yield from _lines_of(inner, folder, (*within, path), missing)
            elif inner is None and not package:
                missing.append(given.strip())
        at = asked.end()
    yield from lines(at, len(text))


def _inert(match: re.Match[str]) -> str:
    """What LaTeX does not read, with as many lines as it has; what it shows as it stands, without signs of its own."""
    if match["shown"] or match["mark"]:
        return re.sub(r"[\\{}%]", " ", match["said"] if match["mark"] else match["code"])
    comment = match[0].startswith("%") or match["left"] or match[0].startswith(r"\iffalse")
    return "\n" * match[0].count("\n") if comment else match[0]


def _composed(line: str) -> str:
    r"""A line with letters for commands of accents: 'Rényi' for ``R\'enyi``."""
    if "\\" not in line:
        return line
    line = _ACCENT.sub(lambda m: unicodedata.normalize("NFC", (m[2] or m[3]) + _COMBINING[m[1]]), line)
    return _LETTER.sub(lambda m: _LETTERS[m[1]], line)
