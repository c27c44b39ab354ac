"""Plain prose with dollars around its formulas, so that words around them are read as those of a paper are."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from banditproof.verify.judge.formulas.sentence import Unread
from banditproof.verify.judge.reading.words import ALONE, CALLED, GREEK, word_at

_CHUNK = re.compile(
    r"(?P<space>\s+)|(?P<row>\w\s*=\s*\w(?:\s*,\s*\w)*\s*,\s*\.\.\.(?:\s*,\s*\w\b)?)|(?P<word>[A-Za-zÀ-ÿ]+(?:['’-][A-Za-zÀ-ÿ]+)*['’]?(?![\w(^]|_|\s*[_^]))|(?P<other>\.\.\.|\S)"
)
_LAWS = re.compile(
    r"\s+(?:standard|Poisson|binomial|Bernoulli|exponential|chi-?square|Rademacher|random|Gaussian|normal)"
)
_OF_A_LAW = re.compile(r"\s+(?:distribution|distributed|law|random|variable)\b")
_PROMISED = re.compile(r"\s+(?:\([^()]*\)|\S+)-(?:DP|zCDP|differentially)\b")
_NAMES = frozenset((*GREEK, *(g.capitalize() for g in GREEK), *ALONE, "eps", "lam", "inf", "infinity", "euler"))
_OPENS, _CLOSES = "([{", ")]}"
# What a formula of LaTeX has in place of words of plain text.
_IN = (("in", r"\in"), ("infinity", r"\infty"))
_BACK = (
    (re.compile(r"\\leq?\b"), "<="),
    (re.compile(r"\\geq?\b"), ">="),
    (re.compile(r"\\ne\b"), "!="),
    (re.compile(r"\s*\\in\b"), " in"),
    (re.compile(r"\\to\s*(\d)\^\+"), r"->\1+"),
    (re.compile(r"\\to\b"), "->"),
    (re.compile(r"\\infty\b"), "inf"),
    (re.compile(r"\\sim\b"), "~"),
    (re.compile(r"\\Pr\b"), "P"),
    (re.compile(r"\\mathbb ?E\b"), "E"),
    (re.compile(r"\\(?:mathrm|operatorname)\{(\w+)\}"), r"\1"),
    (re.compile(r"\\sqrt\{([^{}]*)\}"), r"sqrt(\1)"),
    (re.compile(r"\\(?=(?:sup|inf|max|min|sum|prod)_|det\b)"), ""),
    (re.compile(r"\\(lambda|sigma)_\{\\(max|min)\}"), r"\1_\2"),
    (re.compile(r"\$"), " "),
)


def dressed(text: str, known: Iterable[str] = ()) -> str:
    """The text with every run of signs that are no words in dollars; `known` are names that look like words."""
    text = re.sub('["“”]', " ", text)
    known = {*known, *re.findall(r"\b([A-Z]{2,4})\s*:?=(?!=)", text)}  # "where BC = ..."
    parts: list[str] = []
    formula, depth, words = "", 0, 0  # `words`: brackets around words that are open

    def close() -> None:
        nonlocal formula
        body = formula.rstrip()
        ends = re.search(r"(?:(?<!\.)\.(?!\.)|[,;:]|(?<=[\w)])-)*$", body)
        assert ends is not None
        inside, tail = body[: ends.start()], ends[0] + formula[len(body) :]
        parts.append((f"${inside}$" if inside.strip() else inside) + tail)
        formula = ""

    for m in _CHUNK.finditer(text):
        if m["word"] and not depth and m[0] not in known and _is_word(m, text, bool(formula)):
            if m[0] == "in" and formula and re.match(r"\s*(?:[(\[{]|[RNZ]\b)", text[m.end() :]):
                formula += r"\in"
                continue
            close()
            parts.append(m[0])
        elif m["other"] in ("(", ")") and not depth and (words > 0 if m[0] == ")" else _is_prose(text, m, formula)):
            close()
            parts.append(m[0])
            words += 1 if m[0] == "(" else -1
        else:
            if m["space"] and not formula:
                parts.append(m[0])
                continue
            formula += m[0]
            depth += (m[0] in _OPENS) - (m[0] in _CLOSES)
            listed = m[0] == "," and re.fullmatch(r"\s*[^\W\d]\w*(?:\s*,\s*[^\W\d]\w*)*,", formula)  # "x, y > 0"
            after = re.match(r"\s*(\w+)", text[m.end() :])
            listed = listed and not (after and after[1] in re.findall(r"\w+", formula))  # "with mean n, n an integer"
            listed = listed and not re.match(r"\s*(?:E|P|Pr)\s*[\[(]", text[m.end() :])  # "S, E[S] = 0"
            if (
                m[0] in ",;:"
                and not depth
                and not listed
                or m[0] == "."
                and not depth
                and re.match(r"\s|$", text[m.end() :])
            ):
                close()
    close()
    return "".join(parts)


_TEXT = re.compile(r"\\(?:text|textrm|mbox|textnormal)\s*\{((?:[^{}]|\{[^{}]*\})*)\}")


def in_dollars(text: str) -> str:
    r"""A formula with words in `\text{...}` between its parts, as words with formulas in dollars."""
    if "$" in text or re.search(r"\\[\[(]|\\begin", text):
        return text
    parts: list[str] = []
    end = depth = 0
    for m in re.finditer(rf"{_TEXT.pattern}|\\[{{}}]|[{{}}]", text):
        if m[0] in "{}":
            depth += 1 if m[0] == "{" else -1
        elif (
            m[1] is not None and not depth and m.start() >= end and not text[: m.start()].rstrip().endswith(("_", "^"))
        ):
            parts += [text[end : m.start()], m[1]]
            end = m.end()
    if not parts:
        return text
    parts.append(text[end:])
    return "".join(_between_words(part) if i % 2 == 0 else part for i, part in enumerate(parts))


_BLANK = r"(?:\\[ ,;:!]|\\q?quad\b|\s)"
_COMMA = re.compile(rf",{_BLANK}+(?=\\?[A-Za-z(])")
_COMPARED = re.compile(r"[<>=]|\\(?:[lg]e(?:q|qslant)?|in|sim|to)(?![a-z])")


_RANGED = re.compile(r"\\?\w+\s*(?:[<>=]|\\(?:[lg]e(?:q|qslant)?|in)(?![a-z]))")


def _cut(formula: str) -> list[str]:
    """A formula between words in its parts: behind what compares, and at brackets of which one half is not there."""
    opened, cuts, within = list[int](), list[tuple[int, int]](), set[int]()
    for m in re.finditer(r"[(\[{}\])]", formula):
        if m[0] in "([{":
            opened.append(m.start())
        elif opened:
            within |= {*range(opened.pop(), m.start())}
        else:
            cuts.append(m.span())
    cuts += [(at, at + 1) for at in opened]
    cuts += [m.span() for m in _COMMA.finditer(formula) if m.start() not in within]
    parts, at = [""], 0
    for begin, end in sorted(cuts):
        before = formula[at:begin].strip()
        ranged = re.search(r"[(^/+*]", before) and _RANGED.match(formula, end)
        if formula[begin] == "," and before and not (ranged or _COMPARED.search(before)):
            continue
        parts += [formula[at:begin], formula[begin]]
        at = end
    return [*parts[1:], formula[at:]]


def _between_words(formula: str) -> str:
    """A formula between words, of one sentence or of two."""
    sentences = re.split(rf"\.(?={_BLANK}*(?:\\?[A-Za-z(]|$))", formula)
    told = ". ".join("".join(map(_dressed_part, _cut(s))) for s in sentences)
    return f" {told}" if re.match(r"\s|\\[ ,;:]", formula) else told


def _dressed_part(part: str) -> str:
    """A part of a formula in dollars, with the signs that end it behind them."""
    bare = re.sub(rf"^{_BLANK}+|{_BLANK}+$", "", part)
    if bare in ("(", ")", ","):
        return {"(": " (", ")": ") ", ",": ", "}[bare]
    return re.sub(r"(?s)^(.+?)(\s*=|[.,;]*)$", r"$\1$\2", bare).replace("$=", "$ = ") if part.strip(".,; ") else bare


def _is_word(m: re.Match[str], text: str, within: bool) -> bool:
    """Whether letters are a word of a sentence: "a" is one before another that is no part of a formula."""
    word = m[0]
    if word in ("Var", "Pr") and re.match(r"\s[A-Z]\b", text[m.end() :]):
        return False
    if word in ("gamma", "beta") and _OF_A_LAW.match(text, m.end()):
        return True
    if word in ("a", "A") and _LAWS.match(text, m.end()):
        return True
    if word in ("a", "A", "I"):
        after = re.match(r"\s+([A-Za-z]{2,})(?![\w(^])", text[m.end() :])
        try:
            phrase = after and word_at(text, m.end() + after.start(1))
        except Unread:  # a word that is refused in its place is a word
            phrase = None
        if within and phrase and phrase[0] == "MARK" and re.search(r"\w\s*$", text[: m.start()]):
            return True  # "T a positive integer"
        known = after is None or after[1] in _NAMES or (phrase and phrase[0] not in ("", "MARK", "STRICTLY", "SHAPE"))
        return not within and (not known or bool(_PROMISED.match(text, m.end())))
    return len(word) > 1 and (word not in _NAMES or word == "inf" and bool(re.match(r"\s+over\b", text[m.end() :])))


def _is_prose(text: str, m: re.Match[str], before: str) -> bool:
    """Whether words stand behind a bracket that opens: "(Pinsker's inequality)", "(for x > 0)"."""
    if before.strip() and not before.endswith(" "):
        return False
    first = re.match(r"\s*([A-Za-z]{2,})(?![\w(^])", text[m.end() :])
    return first is not None and first[1] not in _NAMES


def undressed(text: str) -> str:
    """The text without dollars, and with the signs of plain text."""
    for sign, plain in _BACK:
        text = sign.sub(plain, text)
    return text


_JOINED = re.compile(r"(?<![A-Za-z_^\\'’])(?<![A-Za-z]{3}-)[a-z]{2,3}(?![\w(_'’]|-[A-Za-z]{4})")
_BESIDE = re.compile(r"[-+*/({=<>\d]\s*$"), re.compile(r"\s*[-+*/^)}=<>]")


def spaced(text: str, known: Container[str]) -> tuple[str, list[str]]:
    """The text with "a b" for "ab" where a and b are letters of it, ab is no word or name, and stands in a formula."""
    letters = set(re.findall(r"(?<![\w'’])[a-z](?![\w'’])", text))
    given = set(re.findall(r"\b([a-z]{2,3})\b\s*(?:in\b|∈|[<>]=?\s*-?\d)", text)) | _NAMES | {*CALLED}
    equal = re.findall(r"\b([a-z]{2,3})\b\s*:?=(?!=)", text)  # "with xyz = 1" says what a product is, unless it is used
    given |= {name for name in equal if len(re.findall(rf"\b{name}\b", text)) > 1}
    found: list[str] = []

    def product(m: re.Match[str]) -> str:
        beside = _BESIDE[0].search(text[: m.start()]) or _BESIDE[1].match(text, m.end())
        if not beside or not letters.issuperset(m[0]) or m[0] in given or m[0] in known or word_at(text, m.start()):
            return m[0]
        found.append(m[0])
        return " ".join(m[0])

    return _JOINED.sub(product, text), sorted({*found})


_ESCAPED = re.compile(r"\\\\\\[()\[\]]|\\\\(?=[a-zA-Z{}|,;!])|\\[_()\[\]<>*]")


def unescaped(text: str) -> str:
    """A text of Markdown, which wants two strokes before a command and one before a bracket, as TeX, of one length."""
    if not isinstance(text, str) or not re.search(r"\\\\[a-zA-Z]{2}", text) or re.search(r"(?<!\\)\\[a-zA-Z]{2}", text):
        return text
    return _ESCAPED.sub(lambda m: m[0][len(m[0]) // 2 :].rjust(len(m[0])), text)
