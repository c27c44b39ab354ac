"""The readers: a statement in plain text, in LaTeX or as JSON becomes a `Reading`, or is refused with its place.

The grammars stand in sentence.lark (what both forms share), plain.lark and latex.lark; words.py makes the tokens,
building.py the meaning. Nothing of a text is run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from banditproof.verify.judge.asides import without_asides
from banditproof.verify.judge.sentence import Reading, Unread
from banditproof.verify.judge.slips import cured

FORMS = ("plain", "latex", "formula")
BEST = re.compile(r"\s*(?:the\s+)?(?:largest|greatest|smallest|least|best|optimal|sharpest)\b", re.IGNORECASE)


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

    here = files("banditproof.verify.judge")
    grammar = "\n".join((here / f"{name}.lark").read_text(encoding="utf-8") for name in ("sentence", form))
    return Lark(
        grammar,
        parser="lalr",
        lexer=Given,
        start=["statement", "mechanism", "range"],
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
    return Unread(
        f"{str(token)!r} cannot stand here", str(token), token.start_pos if token.start_pos is not None else -1
    )


# "lim_{n -> inf} f(n) = c for ..."
_LIMIT = re.compile(
    r"^\s*lim_?[{(]?\s*(?P<name>\w+)\s*->\s*(?P<end>[^{}()]+?)\s*[})]\s*(?P<body>[^=]*?[^=<>!:\s])\s*=\s*"
    r"(?P<to>(?:(?!\b(?:for|when|if|with|and)\b)[^=<>])+?)(?=\s*$|\s+(?:for|when|if|with)\b)"
)


def read_plain(text: str, ranges: Mapping[str, str] | None = None) -> Reading:
    """The reading of a statement in plain text.

    Args:
        text: the statement, such as `kl(x, y) >= 2 (x - y)^2 for x, y in (0, 1)`.
        ranges: the range of a variable by its name, such as `[0, 1)` or `integer >= 2`, in plain text.

    Raises:
        Unread: the text is none that can be read, or it has two readings.
    """
    from banditproof.verify.judge.words import in_our_letters, plain_tokens

    ranges = {in_our_letters(k) if isinstance(k, str) else k: v for k, v in (ranges or {}).items()}
    if (best := _of_a_best(text, read_plain, ranges)) is not None:
        return best
    text = _LIMIT.sub(r"\g<body> -> \g<to> as \g<name> -> \g<end>", text) if isinstance(text, str) else text
    bare, left_out = without_asides(text)
    return _read(bare, plain_tokens(bare, ranges), "plain", ranges, left_out)


def read_latex(text: str, ranges: Mapping[str, str] | None = None) -> Reading:
    r"""The reading of a statement in LaTeX, as papers print it.

    Args:
        text: the statement, such as `\mathrm{kl}(x,y)\ge2(x-y)^2,\ x,y\in(0,1)`.
        ranges: the range of a variable by its name (`eps` or `\varepsilon`), in plain text.

    Raises:
        Unread: the text is none that can be read, or it has two readings.
    """
    from banditproof.verify.judge.latex_names import name_of
    from banditproof.verify.judge.latex_words import latex_tokens, without_comments

    if (best := _of_a_best(text, read_latex, ranges)) is not None:
        return best
    named = {name_of(k) if isinstance(k, str) else k: v for k, v in (ranges or {}).items()}
    bare, left_out = without_asides(without_comments(text))
    return _read(bare, latex_tokens(bare, named), "latex", named, left_out)


def _of_a_best(text: str, reader: Callable[..., Reading], ranges: Mapping[str, str] | None) -> Reading | None:
    """The reading of "the largest c with A is 2"; None of another statement."""
    if not isinstance(text, str) or not BEST.match(text):
        return None
    from banditproof.verify.judge.best import PRINTED, read_best
    from banditproof.verify.judge.printing import said

    found = PRINTED.fullmatch(text)
    if found is None:
        return None
    reading = read_best(found, reader, ranges)
    return replace(reading, said=said(reading.sentence, reading.ranges, reading.conditions), tex="")


def _read(
    text: str, tokens: Any, form: str, ranges: Mapping[str, str] | None, left_out: tuple[str, ...] = ()
) -> Reading:
    from banditproof.verify.judge.printing import latex
    from banditproof.verify.judge.sentences import build

    tokens = list(tokens)
    start = "mechanism" if any(token.type == "PROMISE" for token in tokens) else "statement"
    reading = build(tree(tokens, form, start, text), form, text, {k: _range(k, v) for k, v in (ranges or {}).items()})
    tex = latex(reading.sentence, reading.ranges, reading.conditions)
    return replace(reading, tex=tex, assumed=(*left_out, *reading.assumed))


def _range(name: str, text: str) -> Any:
    """The tree of a range that stands in a field of its own."""
    from banditproof.verify.judge.words import plain_tokens

    if not isinstance(name, str) or not isinstance(text, str):
        raise Unread(f"the range of {name!r} is text such as '[0, 1)'")
    try:
        return tree(plain_tokens(text), "plain", "range", text)
    except Unread as e:
        raise Unread(f"the range of {name}: {cured(e, text)}", e.token, -1) from None


def read(statement: str, where: Mapping[str, str] | str | None = None, form: str | None = None) -> Reading:
    """The reading of a statement in either form; a backslash or a dollar tells LaTeX."""
    try:
        return _read_as(form, statement, where)
    except Unread as e:
        raise cured(e, statement) from None


def _read_as(form: str | None, statement: str, where: Mapping[str, str] | str | None) -> Reading:
    if form is None:
        form = "latex" if isinstance(statement, str) and re.search(r"[$]|\\(?!\s*\{\S*\})", statement) else "plain"
    if form not in FORMS:
        raise Unread(f"form is 'plain', 'latex' or 'formula', not {form!r}")
    if form == "formula":
        from banditproof.verify.judge.alone import formula_alone

        told = "the words around the formula are not read: whoever asks says that they change nothing"
        reading = read_latex(formula_alone(statement), where)  # type: ignore[arg-type]
        return replace(reading, assumed=(told, *reading.assumed))
    if form == "latex":
        return read_latex(statement, where)  # type: ignore[arg-type]
    return read_plain(statement, where)  # type: ignore[arg-type]
