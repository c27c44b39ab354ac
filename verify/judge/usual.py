"""Prose of plain sentences: what is said of a sign that is used as everybody does, and words in place of signs.

`where Phi is the standard normal cdf` is left out; "the function x -> f is convex on I" and "inf over t > 0 of (f)" are
written as the grammar has them.
"""

from __future__ import annotations

import re

from banditproof.verify.judge.sentence import Unread

_NORMAL = r"(?:standard )?(?:normal|Gaussian)"
_CDF, _DENSITY = r"(?:(?:cumulative )?distribution function|cdf)", r"(?:density|pdf)(?: function)?"
_KL = (
    r"kl\((?P<p>\w), ?(?P<q>\w)\) = (?P=p) log\((?P=p)/(?P=q)\) \+ \(1 - (?P=p)\) log\(\(1 - (?P=p)\)/\(1 - (?P=q)\)\)"
    r"(?P<convention>,? with (?:the convention )?0 log\s*\(?0\)? = 0)?"
)
_USUAL = re.compile(
    (
        rf",?\s*\bwhere (?:Phi and phi ARE {_NORMAL} {_CDF} and {_DENSITY}"
        rf"|Phi(?:\(\w\))? IS {_NORMAL} {_CDF}|phi(?:\(\w\))? IS {_NORMAL} {_DENSITY}"
        r"|(?:log|ln) IS natural log(?:arithm)?"
        rf"|(?P<euler>gamma) IS Euler(?:['’]s|[-–]Mascheroni) constant|{_KL})\s*\.?\s*$"
    )
    .replace("ARE", "(?:are|denote)(?: the)?")
    .replace("IS", "(?:is|denotes)(?: the)?")
    .replace(" ", r"\s+")
)
_CLOSED = re.compile(r"\[\s*0\b|\b1\s*\]|(?:[<>]=|[≤≥])\s*[01]\b|\b[01]\s*(?:[<>]=|[≤≥])")

_ANOTHER = re.compile(r"\bwhere\s+(?P<sign>kl|Phi|phi)\((?P<of>\w(?:,\s*\w)?)\)\s*=(?P<said>.*)$")
MEANT = {
    "kl": "the relative entropy of two Bernoulli laws, where 0 log 0 is 0,",
    "Phi": "the normal distribution function",
    "phi": "the normal density",
}


def _speaks_of(other: re.Match[str]) -> bool:
    """Whether a definition uses all arguments of its sign, as a condition hardly does."""
    return all(re.search(rf"(?<![A-Za-z]){x}(?![A-Za-z])", other["said"]) for x in re.findall(r"\w", other["of"]))


def without_usual(text: str) -> tuple[str, tuple[str, ...]]:
    """The sentence without such an end, and a sentence that says so.

    Raises Unread for another meaning of such a sign: it would be taken for a condition on its arguments. Where a range
    may hold 0 or 1, kl as it is defined there has another meaning, unless 0 log 0 = 0 is printed.
    """
    m = _USUAL.search(text) if isinstance(text, str) else None
    if m is None or m["p"] and not m["convention"] and _CLOSED.search(text[: m.start()]):
        if (other := _ANOTHER.search(text) if isinstance(text, str) else None) and _speaks_of(other):
            raise Unread(f"{other['sign']} is {MEANT[other['sign']]} here: give what you define another name")
        return text, ()
    rest = text[: m.start()]
    if m["euler"]:
        rest = re.sub(r"\bgamma\b(?!\s*\()", "euler", rest)
    return rest, (f"'{' '.join(m[0].split()).strip(' ,.')}' is left out: it is what the sign means here",)


_FUNCTION = re.compile(
    r"^\s*(?:the\s+)?function\s+(?P<x>\w+)\s*->\s*(?P<body>.+?)\s+is\s+(?P<how>(?:strictly\s+)?(?:increasing|decreasing"
    r"|convex|concave))\s+on\s+(?:(?P<line>the\s+real\s+line|R\b)|(?P<over>[(\[][^()\[\]]*[)\]]))",
    re.IGNORECASE,
)
_EXTREMUM = re.compile(r"\b(?P<head>inf|sup|min|max)\s+over\s+(?P<over>\w+\s*(?:[<>]=?|in\b)[^()]*?)\s+of\s+(?=\()")


def in_signs(text: str) -> str:
    """The sentence with the signs of the grammar in place of words."""
    text = _FUNCTION.sub(lambda m: f"{m['body']} is {m['how']} in {m['x']} for {m['x']} in {m['over'] or 'R'}", text)
    while m := _EXTREMUM.search(text):
        end = _closing(text, m.end())
        text = f"{text[: m.start()]}{m['head']}({text[m.end() : end]}, {m['over']}){text[end:]}"
    return text


def _closing(text: str, start: int) -> int:
    """Where the parenthesis that opens at a place has closed; the end of the text if it never does."""
    depth = 0
    for k in range(start, len(text)):
        depth += (text[k] == "(") - (text[k] == ")")
        if not depth:
            return k + 1
    return len(text)
