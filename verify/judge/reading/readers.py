"""The readers: a statement in plain text, in LaTeX or as JSON becomes a `Reading`, or is refused with its place.

The grammars stand in sentence.lark (what both forms share), plain.lark and latex.lark; words.py makes the tokens,
building.py the meaning. Nothing of a text is run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from typing import Any

from banditproof.verify.judge.formulas.sentence import Ambiguous, Reading, Unread, which
from banditproof.verify.judge.reading.dressing import dressed, in_dollars, spaced, undressed, unescaped
from banditproof.verify.judge.reading.fields import LATEX, field_tokens, fields_of, in_field, names_of
from banditproof.verify.judge.reading.slips import cured, in_capitals, refuse_control
from banditproof.verify.judge.reading.superlatives import of_a_best
from banditproof.verify.judge.reading.usual import in_signs, without_usual
from banditproof.verify.judge.reading.words import PROMISE, checked_length

FORMS = ("plain", "latex", "formula")
UNSAID = "ranges that are not printed"  # what is asked where no range is printed


@cache
def _parser(form: str) -> Any:
    from lark import Lark
    from lark.lexer import Lexer

    class Given(Lexer):
        """Tokens that are made already."""

        def __init__(self, conf: Any) -> None:
            pass

        def lex(self, data: Any) -> Any:  # type: ignore[override]
            return iter(data)

    here = files("banditproof.verify.judge.reading")
    grammar = "\n".join((here / f"{name}.lark").read_text(encoding="utf-8") for name in ("sentence", form))
    return Lark(
        grammar,
        parser="lalr",
        lexer=Given,
        start=["statement", "mechanism", "items"],
        maybe_placeholders=False,
        keep_all_tokens=True,
        propagate_positions=False,
    )


def tree(tokens: Any, form: str, start: str, text: str) -> Any:
    """The tree of a text, whose tokens are given."""
    from lark.exceptions import UnexpectedInput

    try:
        return _parser(form).parse(tokens, start=start)
    except UnexpectedInput as e:
        raise _refused(e, text) from None


def _refused(e: Any, text: str) -> Unread:
    token = getattr(e, "token", None)
    if token is None or token.type == "$END":
        return Unread("the text ends too early: a formula is missing", "", len(text.rstrip()))
    at = token.start_pos if token.start_pos is not None else -1
    cure = next((f": {cure}" for before, cure in _CURES if at > 0 and before.search(text[: at + 1])), "")
    return Unread(f"{str(token)!r} cannot stand here{cure}", str(token), at)


_CURES = (
    (re.compile(r"\n\s*\w$"), "one formula stands in a paragraph, and the next below a heading of its own"),
    (re.compile(r"[\[(]\s*[-+\w./]+\s+[-+\w./]+\s*[\])]$"), "a comma stands between the ends of a range"),
    (re.compile(r"^for\b[^:]*[\])]\s+\w$"), "a colon stands after the ranges that come first"),
    (re.compile(r"\bin\s+[-+\w.]$"), "write x in [a, b], or a <= x <= b without a word before it"),
)


_NUMBERED = re.compile(r"(?<=[\d)]) \(\d+\)\s*\.?\s*$")  # "x <= 1 (12)"
_GAMMA = re.compile(r"\bgamma\b(?!\s*\()")


def read_plain(text: str, ranges: Mapping[str, str] | str | None = None) -> Reading:
    """The reading of a statement in plain text.

    Args:
        text: the statement, such as `kl(x, y) >= 2 (x - y)^2 for x, y in (0, 1)`.
        ranges: what may stand after `for`, by the names it speaks of: `[0, 1)`, `integer >= 2`, `(0, 1), q <= p`.

    Raises:
        Unread: the text is none that can be read, or it has two readings.
    """
    from banditproof.verify.judge.reading.asides import without_asides
    from banditproof.verify.judge.reading.words import in_our_letters, plain_tokens

    ranges = {in_our_letters(k): v for k, v in fields_of(ranges).items()}
    if (best := of_a_best(text, read_plain, ranges)) is not None:
        return best
    text, usual, euler = without_usual(in_signs(text))
    text, known = _GAMMA.sub("euler", text) if euler else text, names_of(*ranges)
    if m := _NUMBERED.search(text):
        raise Unread(
            f"is {m[0].strip(' .')} a factor, or the number of a display? Leave it out, or write *", m[0], m.start()
        )
    text, products = spaced(text, known)
    usual = (*usual, *(f"{' '.join(word)} is what {word} stands for" for word in products))
    bare, left_out = without_asides(text)
    try:
        return _read(bare, plain_tokens(bare, known), "plain", ranges, (*usual, *left_out))
    except Unread as why:
        return _read_prose(text, known, ranges, usual, why)


def _read_prose(text: str, known: Any, ranges: Mapping[str, str], usual: tuple[str, ...], why: Unread) -> Reading:
    """The reading of a text with the words around its formulas as those of a paper; what was refused before counts."""
    from banditproof.verify.judge.reading.asides import without_asides
    from banditproof.verify.judge.reading.words import plain_tokens

    prose, left_out = without_asides(dressed(text, known))

    def parsed(prose: str, left_out: tuple[str, ...]) -> Reading:
        if (bare := undressed(prose)).split() == text.split() or "\\" in bare:
            raise why
        return _read(bare, plain_tokens(bare, known), "plain", ranges, left_out)

    try:
        return _or_sorted(prose, (*usual, *left_out), parsed)
    except Ambiguous:
        if cured(why, text) is why:
            raise
        raise why from None
    except Unread:
        raise why from None


def read_latex(text: str, ranges: Mapping[str, str] | str | None = None) -> Reading:
    r"""The reading of a statement in LaTeX, as papers print it.

    Args:
        text: the statement, such as `\mathrm{kl}(x,y)\ge2(x-y)^2,\ x,y\in(0,1)`.
        ranges: as in plain text, which it may be, by names such as `eps` or `\varepsilon`.

    Raises:
        Unread: the text is none that can be read, or it has two readings.
    """
    from banditproof.verify.judge.reading.latex_names import name_of
    from banditproof.verify.judge.reading.latex_words import without_comments

    if (best := of_a_best(in_dollars(text), read_latex, ranges)) is not None:
        return best
    named = {", ".join(map(name_of, names_of(k))): v for k, v in fields_of(ranges).items()}
    text = without_comments(text)
    try:
        return _read_latex(text, named)
    except Ambiguous:
        raise
    except Unread as why:
        if (prose := in_dollars(text)) == text:
            raise
        try:
            return _read_latex(prose, named)
        except Ambiguous:
            raise
        except Unread:
            raise why from None


def _read_latex(text: str, ranges: Mapping[str, str]) -> Reading:
    """The reading of LaTeX as it stands, or without a heading and with names for quantities that have no value."""
    from banditproof.verify.judge.reading.quantities import with_names, without_heading

    try:
        return _read_clauses(text, ranges)
    except Unread as why:
        bare, heading = without_heading(text, names_of(*ranges))
        named, printed = with_names(bare, names_of(*ranges))
        if named == text:
            raise
        try:
            reading = _read_clauses(named, ranges)
        except Ambiguous:
            raise
        except Unread:
            raise why from None
    told = tuple(re.sub(r"\w+", lambda m: printed.get(m[0], m[0]), said) for said in reading.assumed)
    return replace(reading, assumed=(*(f"the heading {said} is not judged" for said in [heading] if said), *told))


def _read_clauses(text: str, ranges: Mapping[str, str]) -> Reading:
    """The reading of LaTeX as it stands, or of its clauses."""
    from banditproof.verify.judge.reading.asides import without_asides
    from banditproof.verify.judge.reading.latex_words import latex_tokens

    text, usual, euler = without_usual(in_signs(text))
    bare, left_out = without_asides(text)

    def parsed(text: str, left_out: tuple[str, ...]) -> Reading:
        return _read(text, latex_tokens(text, names_of(*ranges), euler), "latex", ranges, left_out)

    return _or_sorted(bare, (*usual, *left_out), parsed)


def _or_sorted(text: str, left_out: tuple[str, ...], parsed: Callable[[str, tuple[str, ...]], Reading]) -> Reading:
    """The reading of a text, or of its clauses without the words that only accompany them."""
    from banditproof.verify.judge.reading.sorted_clauses import sorted_by_clauses

    try:
        return parsed(text, left_out)
    except Unread as why:
        if any("entropy" in said and "what the sign means" in said for said in left_out):  # "the cross entropy in nats"
            raise
        try:
            bare, names = sorted_by_clauses(text)
            if not names and not left_out:
                raise why
            return parsed(bare, (*left_out, *(f"'{words}' is left out as a remark" for words in names if words)))
        except Unread as e:
            if isinstance(e, Ambiguous) and e.asked[0] != UNSAID:
                raise
            raise why from None


def _read(text: str, tokens: Any, form: str, ranges: Mapping[str, str], left_out: tuple[str, ...] = ()) -> Reading:
    from banditproof.verify.judge.formulas.printing import latex
    from banditproof.verify.judge.reading.sentences import build

    tokens = list(tokens)
    start = "mechanism" if any(token.type == "PROMISE" for token in tokens) else "statement"
    fields = {name: _field(name, given) for name, given in ranges.items()}
    reading = build(tree(tokens, form, start, text), form, " ".join((text, *left_out)), fields)
    tex = latex(reading.sentence, reading.ranges, reading.conditions)
    return replace(reading, tex=tex, assumed=(*left_out, *reading.assumed))


def _field(name: str, text: str) -> Any:
    """The tree of a field of ranges."""
    try:
        tokens, form = field_tokens(names_of(name), text)
        return tree(iter(tokens), form, "items", text)
    except Unread as e:
        raise in_field(name, cured(e, text)) from None


def read(statement: str, where: Mapping[str, str] | str | None = None, form: str | None = None) -> Reading:
    """The reading of a statement in either form; a backslash or a dollar tells LaTeX."""
    try:
        return _read_as(form, statement, where)
    except Ambiguous as e:
        raise cured(e, statement) from None
    except Unread as e:
        try:
            return _read_narrated(statement, where, form)
        except Ambiguous:
            raise
        except Unread:
            refuse_control(str(statement))
            if (promised := in_capitals(statement)) != statement:
                return read(promised, where, form)
            raise cured(e, statement) from None


def _read_narrated(statement: str, where: Mapping[str, str] | str | None, form: str | None) -> Reading:
    """The reading of a mechanism that is narrated in several clauses."""
    from banditproof.verify.judge.reading.latex_words import without_comments
    from banditproof.verify.judge.reading.narrated import narrated

    if form == "formula" or not PROMISE.search(statement):
        raise Unread("no mechanism is narrated here")
    if LATEX.search(statement):
        told, reader = narrated(in_dollars(without_comments(unescaped(statement)))), read_latex
    else:
        told, reader = undressed(narrated(dressed(statement))), read_plain
    reading = reader(told, where)
    return replace(reading, assumed=(f"told together: {' '.join(told.split())}", *reading.assumed))


def _read_as(form: str | None, statement: str, where: Mapping[str, str] | str | None) -> Reading:
    checked_length(statement)
    statement = unescaped(statement)
    if form is None:
        form = "latex" if isinstance(statement, str) and LATEX.search(statement) else "plain"
    if form not in FORMS:
        raise Unread(f"form is 'plain', 'latex' or 'formula', not {form!r}")
    if form == "formula":
        reading = _read_alone(statement, where)
        told = "the words around the formula are not read: whoever asks says that they change nothing"
        return replace(reading, assumed=(told, *reading.assumed))
    _refuse_ranges(str(statement))
    reading = (read_latex if form == "latex" else read_plain)(statement, where)  # type: ignore[arg-type]
    _refuse_more(str(statement), reading)
    return reading


_INTERVAL = r"[\[(\]][^()\[\]]*,[^()\[\]]*[\])\[]"
_BOUND = rf"\$?\s*(?:(?:in|\\in|∈)\b\s*{_INTERVAL}|(?:[<>=≤≥]=?|\\[lg]eq?\b)\s*[-+\w./]+)"
_UNION = re.compile(
    rf"\b(?:for|if|when|where|on)\b[^;]*?(?<![\\\w])(?P<name>\\?[a-zA-Z]\w*){_BOUND}\$?\s*[,;]?\s*"
    r"(?:(?:or|resp\.?|respectively)\s+(?:also\s+)?(?:(?:for|if|when|on)\s+)?"
    r"|(?:and\s+)?(?:(?:it\s+)?(?:holds|is\s+true)\s+)?(?:also|likewise|similarly|the\s+same(?:\s+(?:holds|is\s+true))?)\s+(?:for|if|when|on)\s+"
    rf"|(?:and\s+(?:also\s+)?|as\s+well\s+as\s+)for\s+)(?:(?:all|every|any|each)\s+)?\$?(?P<second>(?P=name){_BOUND})"
)


def _refuse_ranges(statement: str) -> None:
    """Refuses "for x in [1, 2], also for x in [0, 1]": that claims more than what both have."""
    if two := _UNION.search(statement):
        name = two["name"]
        raise Unread(
            f"{name} has two ranges: write a statement for each, or '{name} in A and {name} in B' for both",
            two["second"],
            two.start("second"),
        )


# What is claimed of a formula behind it, in words: nothing of it is left out.
_MORE = re.compile(
    r"\b(?:attain|achiev|reach(?:ed|es|ing)\b|tight(?!en)|sharp(?!en)|optimal|best possible|unimprov|unique"
    r"|(?:maxim|minim|extrem)(?:um|a|al)\b|peak|convers|strict(?!ly\s+(?:con[cv]|increas|decreas|monoton)))\w*"
    r"|\bby\s+(?:(?:an?|about|exactly|at|least|most|up|to|some|more|less|than)\s+)*(?:factor|order|amount|constant|margin"
    r"|unit|half|one(?!\s+of\b)|two|three|four|five|ten)\b",
    re.IGNORECASE,
)
_OF_IT = re.compile(r"\s+(?:for|at|when|if|where|whenever|as)\s+\$?\s*\\?\w+\s*(?:[<>=≤≥]|\\[lg]e|->)")
_HOLDS = re.compile(
    r"(?:\W*\b(?:which|and|this|it|that|is|are|also|indeed|valid|holds?|true|applies|known|works?))+", re.IGNORECASE
)
_RELATION = re.compile(r"[=<>≤≥]|\b(?:is|equals)\b|\\(?:[lg]e(?:q|qslant)?|to|sim)(?![a-z])")


def _refuse_more(statement: str, reading: Reading) -> None:
    """Refuses a statement of which words behind the formula are left out that claim more than the formula."""
    if (first := _RELATION.search(statement)) is None:
        return
    for remark in reading.assumed:
        words = remark.removesuffix("' is left out as a remark").removeprefix("'")
        at = re.search(r"\W+".join(map(re.escape, re.findall(r"\w+", words))), statement)
        if words == remark or at is not None and at.start() < first.start():
            continue
        place = at.start() if at else -1
        if more := _MORE.search(words):
            raise Unread(f"{words!r} claims more than the formula: write it as one, or leave it out", more[0], place)
        if at is not None and not _HOLDS.fullmatch(words) and (where := _OF_IT.match(statement, at.end())):
            raise Unread(f"does {where[0].strip()!r} belong to {words!r}? Write ranges before it", words, place)


def _read_alone(statement: str, where: Mapping[str, str] | str | None) -> Reading:
    """The reading of the formula that a text claims; of several, the one that is asked for."""
    found = [one for _, one in read_alone(statement, where)]
    one = found[which("which of its formulas is meant?", "", -1, len(found)) if len(found) > 1 else 0]
    if isinstance(one, Unread):
        raise one
    return one


def read_alone(
    statement: str, where: Mapping[str, str] | str | None
) -> Iterator[tuple[Callable[[], Reading], Reading | Unread]]:
    """All formulas that a text claims: how each is read with its ranges, and its reading or why there is none."""
    from banditproof.verify.judge.reading.alone import formulas_alone

    _refuse_ranges(statement)
    refuse_control(statement)
    plain = isinstance(statement, str) and LATEX.search(statement) is None
    for one in formulas_alone(dressed(statement) if plain else unescaped(statement)):
        read_as = partial(read_plain, undressed(one), where) if plain else partial(read_latex, one, where)
        try:
            yield read_as, read_as()
        except Unread as why:
            yield read_as, why
