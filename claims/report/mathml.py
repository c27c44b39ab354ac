"""Statements as HTML: text with LaTeX formulas in dollars becomes escaped text with MathML.

``latex2mathml`` does the work. What it leaves undone is done on its tree: Unicode letters for the styles that browsers
ignore, names of functions in one piece with the spacing of TeX, and places where a long formula may be broken.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from banditproof.theory.errors import InvalidInput

FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)

# A letter, number or bracket with scripts as they are typed, `x_t^2` or `10^{-7}`, and each of these.
_SCRIPT = r"[_^](?:\{[^{}]*\}|\((?:[^()]|\([^()]*\))*\)|-?[^\W_]+|[*+])"
_NAME = r"[^\W\d_]+(?=\^|_[^\W_]{1,3}(?!\w))"  # of several letters, with short scripts
_BASE = rf"(?<![^\W\d_])(?:[^\W\d_][*']?|{_NAME})|[)\]|]|(?<![\w.])\d+"
SCRIPTED = re.compile(rf"(?P<base>{_BASE})(?P<scripts>(?:{_SCRIPT})+)")

TAGS = frozenset(
    "math mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd mstyle "
    "mpadded mphantom".split()
)
ATTRIBUTES = frozenset(
    "display displaystyle scriptlevel stretchy fence form separator minsize maxsize movablelimits accent linethickness "
    "width height depth lspace rspace voffset columnalign columnspacing rowspacing".split()
)

# What comes out of \big\{ and of \arg; any other command that is left in a tree is unknown.
LEFT_OVER = {
    r"\arg": "arg", r"\{": "{", r"\}": "}", r"\|": "‖", r"\lceil": "⌈", r"\rceil": "⌉", r"\lfloor": "⌊",
    r"\rfloor": "⌋", r"\langle": "⟨", r"\rangle": "⟩",
}  # fmt: skip

STYLES = {name: name.upper() for name in "script double-struck bold fraktur sans-serif monospace".split()}
STYLES |= {"bold-italic": "BOLD ITALIC", "bold-script": "BOLD SCRIPT"}

RELATIONS = frozenset("=≔≤≥<>≠∈⇒⇔⟹⟺→≈∼⊂⊆≪≫≡:")
SYMBOLS = frozenset("∞∅⊤⊥")
PRIMES = frozenset("′″‴")
OPENING, CLOSING = frozenset("([{⟨⌈⌊"), frozenset(")]}⟩⌉⌋")
SHORT = 34  # a formula of fewer signs is never broken
PAGE, DEEPEST = 50, 4  # one of more signs may be wider than a column; so far down inside parentheses it is broken
SPACE = "0.1667em"  # TeX's thin space
PARTS = {  # of what is laid out, by place; a base stands where it would without its scripts
    "mfrac": ("above", "below"), "mroot": ("root", "index"), "msub": ("", "sub"), "msup": ("", "sup"),
    "msubsup": ("", "sub", "sup"), "munder": ("", "sub"), "mover": ("", "sup"), "munderover": ("", "sub", "sup"),
}  # fmt: skip
AROUND = 6  # words and formulas shown before and after what is new
KEPT = 0.75  # the share of a repair's signs that stand in the printed statement as well for what is new to be marked
ALIKE = 0.6  # the share of signs that two statements must have in common for their differences to be marked


def statement(text: str) -> str:
    """Text with formulas in dollars as HTML; a formula that cannot be converted is shown as its source."""
    return "".join(_pieces(text))


def scripts_of(typed: str) -> list[tuple[str, str]]:
    """The scripts of a match of ``SCRIPTED`` as sign and text: '_t^{-1}' as [('_', 't'), ('^', '-1')].

    Several of one kind are one: '_2_t' as [('_', '2,t')].
    """
    merged: dict[str, str] = {}
    for script in re.findall(_SCRIPT, typed):
        text = script[2:-1] if script[1] in "{(" else script[1:]
        merged[script[0]] = f"{merged[script[0]]},{text}" if script[0] in merged else text
    return list(merged.items())


def raised(markup: str) -> str:
    """HTML in whose text typed scripts stand where they belong: 'x_t^2' as x<sub>t</sub><sup>2</sup>."""

    def set_scripts(match: re.Match[str]) -> str:
        tags = (("sub" if sign == "_" else "sup", text) for sign, text in scripts_of(match["scripts"]))
        return match["base"] + "".join(f"<{tag}>{SCRIPTED.sub(set_scripts, text)}</{tag}>" for tag, text in tags)

    parts = re.split(r"(<[^>]*>)", markup)
    return "".join(part if k % 2 else SCRIPTED.sub(set_scripts, part) for k, part in enumerate(parts))


def marked(printed: str, repaired: str, item: str = "") -> tuple[str, str]:
    """Both statements as HTML, with what only the first has as ``<del>`` or 'gone' and the second's as ``<ins>``.

    Signs of formulas are compared with their place (base, exponent, denominator), words as they are. Where the two have
    little in common nothing is marked; where the first says more, only what is new in the second.
    Where nothing is, the second is compared with the statement of the whole `item`.
    """
    first, second = _compared(printed, repaired)
    if item and not any(_is_marked(e) for e in (*first.iter(), *second.iter())):
        second = _compared(item, repaired)[1]
    return _inside(first), _inside(second)


def _is_marked(sign: Element) -> bool:
    return sign.tag in ("del", "ins") or sign.get("class") in ("gone", "new")


def _compared(printed: str, repaired: str) -> tuple[Element, Element]:
    trees = _tree(printed), _tree(repaired)
    old, new = (list(_signs(tree)) for tree in trees)
    matched = SequenceMatcher(None, [k for k, _ in old], [k for k, _ in new], autojunk=False)
    alike = matched.ratio() >= ALIKE
    kept = sum(block.size for block in matched.get_matching_blocks())
    if alike or kept >= KEPT * len(new):
        for kind, a, b, c, d in matched.get_opcodes():
            for signs, tag, name in ((old[a:b] if alike else [], "del", "gone"), (new[c:d], "ins", "new")):
                for _, sign in signs if kind != "equal" else ():
                    if sign.tag == "span":
                        sign.tag = tag
                    else:
                        sign.set("class", name)
    return trees


def change(printed: str, repaired: str) -> str:
    """The repaired statement in a line as HTML, what is new in it marked; what both have in common is cut short."""
    new = _compared(printed, repaired)[1]
    pieces = list(new)
    fresh = [any(e.tag == "ins" or e.get("class") == "new" for e in piece.iter()) for piece in pieces]
    near = [any(fresh[max(0, k - AROUND) : k + AROUND + 1]) for k in range(len(pieces))]
    cut = Element("p")
    for shown, run in groupby(pieces, lambda piece: near[pieces.index(piece)] or not any(fresh)):
        told = list(run)
        if shown or sum(len("".join(piece.itertext())) for piece in told) <= SHORT:
            cut.extend(told)
        else:
            SubElement(cut, "span").text = " … "
    return _inside(cut)


def _tree(text: str) -> Element:
    """A statement as an element, each of its words outside formulas in a ``<span>``."""
    source, tree = fromstring(f"<p>{statement(text).replace('<wbr>', '<wbr/>')}</p>"), Element("p")
    for element in (source, *source):
        words = (element.text if element is source else element.tail) or ""
        if element is not source:
            tree.append(element)
            element.tail = None
        for word in re.findall(r"\s+|\w+|[^\w\s]", words):
            SubElement(tree, "span").text = word
    return tree


def _signs(element: Element, place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str | None, ...], Element]]:
    """What is seen of a statement, sign by sign, with its place in the formula as the key to compare."""
    if not len(element):
        if (element.text or "").strip():
            yield (element.text, *place), element
        return
    parts = PARTS.get(element.tag, ("root" if element.tag == "msqrt" else "",) * len(element))
    for part, child in zip(parts, element, strict=True):
        yield from _signs(child, (*place, part) if part else place)


def _inside(tree: Element) -> str:
    html_text = tostring(tree, encoding="unicode", short_empty_elements=False)[3:-4]
    return re.sub(r"<span>(.*?)</span>", r"\1", html_text, flags=re.DOTALL).replace("<wbr></wbr>", "<wbr>")


@lru_cache(maxsize=10_000)
def formula(latex: str, display: bool = False) -> str:
    """A formula as MathML; a long one as several ``<math>`` elements between which a line may end.

    Raises:
        InvalidInput: for a formula that latex2mathml rejects or of which it leaves a command unconverted.
    """
    from latex2mathml.converter import convert_to_element

    try:
        root = convert_to_element(_prepared(latex), display="block" if display else "inline")
    except Exception as error:  # latex2mathml raises a dozen exceptions that have no common class
        raise InvalidInput("formula", latex, f"LaTeX that latex2mathml reads ({type(error).__name__})") from error
    _tidy(root)
    unknown = [e.text for e in root.iter() if e.text and "\\" in e.text]
    if unknown:
        raise InvalidInput("formula", latex, f"made of known commands, not {', '.join(unknown)}")
    rows = [list(root[0])] if display else _broken(list(root[0]))
    return "<wbr>".join(_math(row, display) for row in rows)


def _prepared(latex: str) -> str:
    """Without the distances of line ends, and with x_2'' as x''_2, whose primes stay together."""
    latex = re.sub(r"\\\\\[[\d.]+\w\w\]", r"\\\\", latex)
    return re.sub(r"(_(?:\w|\\[A-Za-z]+|\{[^{}]*\}))('{2,})", r"\2\1", latex)


def _pieces(text: str) -> Iterator[str]:
    end = 0
    for match in FORMULA.finditer(text):
        yield html.escape(text[end : match.start()])
        end = match.end()
        try:
            yield formula(match[1] or match[2], display=match[1] is not None)
        except InvalidInput:
            yield f'<code class="tex">{html.escape(match[0])}</code>'
    yield html.escape(text[end:])


def _math(row: list[Element], display: bool) -> str:
    math = Element("math", {"display": "block"} if display else {})
    math.extend(row)
    return tostring(math, encoding="unicode", short_empty_elements=False)


def _tidy(element: Element) -> None:
    """Unicode letters, known tags and attributes only, functions spaced and their names in one piece."""
    style = element.get("mathvariant", "")
    text = html.unescape(element.text or "").strip(" ")
    text = LEFT_OVER.get(text, text)
    element.text = "".join(_styled(c, STYLES[style]) for c in text) if style in STYLES else text
    element.attrib = {n: v for n, v in element.attrib.items() if n in ATTRIBUTES}
    if style == "normal" and element.tag == "mi" and len(text) == 1:
        element.set("mathvariant", style)
    if element.tag not in TAGS:
        element.tag = "mrow"
    if element.tag in ("mi", "mo"):
        _set_as_tex_does(element)
    for child in element:
        _tidy(child)
    _set_primes_beside(element)
    if element.tag in ("mrow", "mtd", "mstyle", "math"):
        element[:] = _joined(_spaced(list(element)))


def _set_primes_beside(element: Element) -> None:
    """Primes are high in most fonts, and as an exponent they would float: they stand behind their letter."""
    if element.tag not in ("msup", "msubsup") or not set("".join(element[-1].itertext())) <= PRIMES:
        return
    primes = Element("mo", {"lspace": "0", "rspace": "0"})
    primes.text = "".join(element[-1].itertext())
    base = element[0]
    if element.tag == "msubsup":
        base = Element("msub")
        base.extend(element[:2])
    element.tag, element[:] = "mrow", [base, primes]


def _set_as_tex_does(sign: Element) -> None:
    """Symbols that latex2mathml takes for operators get the spacing of letters; \\sim is a relation."""
    if sign.text in SYMBOLS:
        sign.tag = "mi"
    elif sign.text in ("|", "‖", "/"):
        sign.attrib |= {"lspace": "0", "rspace": "0"}
    elif sign.text == "~" and sign.tag == "mi":
        sign.tag, sign.text = "mo", "∼"


def _styled(letter: str, style: str) -> str:
    """The letter of a mathematical alphabet: 'M' in 'SCRIPT' is 'ℳ'; itself where there is none."""
    name = unicodedata.name(letter, "").replace("LATIN ", "").replace("GREEK ", "").replace("LETTER ", "")
    for full in (f"MATHEMATICAL {style} {name}", f"{style} {name}"):
        try:
            return unicodedata.lookup(full)
        except KeyError:
            continue
    return letter


def _is_function(element: Element) -> bool:
    base = element[0] if element.tag in ("msub", "msup", "msubsup", "munder", "mover", "munderover") else element
    name = (base.text or "").replace("\u2009", "").replace("\u2006", "")
    return base.tag in ("mi", "mo") and len(name) > 1 and name.isalpha()


def _spaced(row: list[Element]) -> list[Element]:
    """Thin space around the names of functions, as TeX sets them: before after a letter, after unless '(' follows."""
    spaced: list[Element] = []
    for element, following in zip(row, [*row, None][1:], strict=True):
        if not _is_function(element):
            spaced.append(element)
            continue
        (element if element.tag in ("mi", "mo") else element[0]).tag = "mi"
        if spaced and (spaced[-1].tag not in ("mo", "mspace") or spaced[-1].text in CLOSING):
            spaced.append(Element("mspace", {"width": SPACE}))
        spaced.append(element)
        if following is not None and following.tag != "mo" and not _is_function(following):
            spaced.append(Element("mspace", {"width": SPACE}))
    return spaced


def _joined(row: list[Element]) -> list[Element]:
    """Upright letters that follow each other are one name; ':' and '=' are one sign."""
    joined: list[Element] = []
    for element in row:
        upright = element.tag == "mi" and element.get("mathvariant") == "normal"
        if upright and joined and joined[-1].get("mathvariant") == "normal":
            joined[-1].text = f"{joined[-1].text}{element.text}"
        elif element.text == "=" and joined and joined[-1].text == ":":
            joined[-1].tag, joined[-1].text = "mo", "≔"
        else:
            joined.append(element)
    for element in joined:
        if len(element.text or "") > 1:
            element.attrib.pop("mathvariant", None)
    return joined


def _broken(row: list[Element], within: int = 0) -> list[list[Element]]:
    """A long row, cut before relations and after commas outside parentheses; what is wider than a page, after commas
    `within` more and more of them.
    """
    if _length(row) < SHORT:
        return [row]
    rows: list[list[Element]] = [[]]
    depth = 0
    for element in row:
        text = (element.text or "") if element.tag == "mo" else ""
        depth += (text in OPENING) - (text in CLOSING)
        if text in RELATIONS and depth == within == 0 and rows[-1]:
            rows.append([])
        rows[-1].append(element)
        if text in (",", ";") and depth <= within:
            rows.append([])
    wide = within < DEEPEST
    return [cut for r in rows if r for cut in (_broken(r, within + 1) if wide and _length(r) > PAGE else [r])]


def _length(row: list[Element]) -> int:
    """How many signs it has."""
    return sum(len("".join(e.itertext())) for e in row)
