r"""Notes on signs, in plain text and LaTeX: what a sentence says of a sign that it uses as everybody does.

`where Phi is the standard normal cdf`, `with $\gamma$ Euler's constant` and their kind are left out, wherever they
stand; that 0 log 0 is 0 moves to the end.
"""

from __future__ import annotations

import re

from banditproof.verify.judge.clauses import MATH

_OF = r"(?:\s*\((?:\\cdot|\\?\w+)(?:\s*(?:,|\\?\|\|?)\s*(?:\\cdot|\\?\w+))?\))?"
_NORMAL = r"(?:standard )?(?:normal|Gaussian)"
_LAW = (
    r"(?:(?:an?|the)? ?standard (?:normal|Gaussian)(?: (?:distribution|law|(?:random )?variable))?"
    r"|\$?(?:\\mathcal ?\{? ?)?N\}? ?\(0, ?1\)\$?)"
)
_CDF = r"(?:(?:cumulative )?distribution function|cdf|c\.d\.f\.)"
_PDF = r"(?:density(?: function)?|pdf|p\.d\.f\.)"
_IS = (
    r"(?:,? as usual,?)?(?: (?:is|are|be|being|denot(?:es?|ing)|refers? to|means?|stands? for|for))?(?:,? as usual,?)?"
    r"(?: the| an?)?"
)
_UPRIGHT = r"(?:\\(?:mathrm|operatorname|mathsf)\{ ?)?"
_KL = r"(?:relative entropy|(?:KL|Kullback-Leibler) divergence)"


def _sign(words: str) -> str:
    return rf"\$?{words}{_OF}\$?"


_PHI, _DENSITY = _sign(r"\\?Phi"), _sign(r"(?:\\(?:var)?)?phi(?: ?= ?\\?Phi')?")
_EULER = r"Euler(?:['’]s|[-–]{1,2}Mascheroni) constant"
_APPROXIMATELY = r"(?: ?(?:\\approx|=) ?0?\.57(?:7(?:2(?:1(?:56*)?)?)?)?(?:\\l?dots)?)?"
# Each sign with what it means.
_MEANT = (
    (_PHI, rf"(?:{_NORMAL} {_CDF}|{_CDF} of {_LAW})"),
    (_DENSITY, rf"(?:{_NORMAL} {_PDF}|{_PDF} of {_LAW})"),
    (_sign(r"\\?(?:log|ln)"), r"natural log(?:arithm)?"),
    (
        _sign(rf"{_UPRIGHT}(?:kl|KL)\}}?"),
        rf"(?:(?:binary|Bernoulli) {_KL}|{_KL} (?:between|of) (?:two )?Bernoulli (?:distributions|laws|(?:random )?"
        r"variables)(?: (?:with|of) (?:means?|parameters?|success probabilities) \$?\\?[a-z]+\$? and"
        r" \$?\\?[a-z]+\$?)?)",
    ),
    (_sign(r"\\\|\\cdot\\\|(?:_2)?"), r"(?:Euclidean|\$?\\ell_2\$?[- ]?) ?norm"),
    (_sign(r"W(?:_0)?"), r"(?:principal branch of (?:the )?)?Lambert(?:['’]s)? (?:\$?W\$?[- ])?function"),
    (_sign(r"\\?Gamma"), r"(?:Euler )?gamma function"),
    (_sign(r"(?:\\operatorname\{)?erf\}?"), r"(?:Gauss(?:ian)? )?error function"),
    (_sign(r"(?:\\operatorname\{)?erfc\}?"), r"complementary error function"),
    (
        _sign(r"\\(?:sigma|lambda)_ ?\{? ?\\m(?:ax|in) ?\}?"),
        r"(?:largest|smallest) (?:singular |eigen)value(?: of (?:an? |the )?(?:symmetric )?(?:matrix|\$[A-Z]\$))?",
    ),
    (_sign("H_n"), r"(?:\$n\$-?th|nth|\$n\^\{?\\(?:text|mathrm|textrm)\{th\}\}?\$) harmonic number"),
    (_sign(rf"\\?gamma{_APPROXIMATELY}"), _EULER),
)
_BOTH = (
    rf"{_PHI}(?:,|,? and) {_DENSITY}{_IS} (?:{_NORMAL} {_CDF} and (?:the |its )?{_PDF}"
    rf"|{_CDF} and (?:the |its )?{_PDF} of {_LAW})|{_PHI}(?:,|,? and) {_DENSITY} refer to {_LAW}"
)
_NOTE = f"(?:{'|'.join([_BOTH, *(f'{s}{_IS} {m}|(?:the )?{m},? {s}' for s, m in _MEANT)])})"
_NOTES = rf"{_NOTE}(?:(?:[,;]|,? and) {_NOTE})*"
_LEAD = r"(?:(?:where|with|writing|using|for|here|recall that),?(?: we (?:write|use))?)"
_FIRST = r"(?:let|here,?|throughout,?|with|writing|for|denote by|recall that)"


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(words.replace(" ", r"[\s~]+").replace(r"[\s~]+?", r"[\s~]*"), re.IGNORECASE)


# A note ends a sentence, stands in brackets or between commas, or begins a sentence.
_ANYWHERE = tuple(
    map(
        _pattern,
        (
            rf"[,;.]? ?(?<![\w$])(?:\({_LEAD}|{_LEAD}|\() {_NOTES} ?\)?(?=[\s.,;]*\}}?[\s.,;]*$)",
            rf",? and {_NOTES}(?=[\s.,;]*\}}?[\s.,;]*$)",
            rf"\((?:{_LEAD} )?{_NOTES}\)",
            rf", {_LEAD} {_NOTES}(?=,)",
            rf"^\s*{_FIRST} {_NOTES}[.,:](?=\s)",
        ),
    )
)
_ZERO_LOG = _pattern(
    r"(?:[,;]? ?\(?(?:(?:where|and|with|using|under|by)\b,? ?(?:we (?:use|adopt) )?)?"
    r"(?:(?:the |our )?(?:usual |standard )?convention(?: that)? )?)\$?0 ?\\?(?:log|ln)(?:_?\{?2\}?)? ?\(?0\)?"
    r"(?: ?:?= ?| (?:is )?(?:interpreted|understood|taken) (?:as|to be) \$?)0\$?\)?(?![\w^$(]|\.\d)"
)


def without_usual(text: str) -> tuple[str, tuple[str, ...], bool]:
    """The sentence without such notes, a sentence that says so for each, and whether gamma is Euler's constant."""
    found: list[str] = []
    if not isinstance(text, str):
        return text, (), False
    for form in _ANYWHERE:
        text = form.sub(lambda m: _blank(m, found), text)
    if (bare := _ZERO_LOG.sub(lambda m: " " * len(m[0]), text)) != text:
        text = bare.rstrip(" .,;") + _zero_log_is_zero(bare)
    euler = any(re.search(_pattern(_EULER), note) for note in found)
    return text, tuple(f"'{note}' is left out: it is what the sign means here" for note in found), euler


def _zero_log_is_zero(text: str) -> str:
    """The convention as a text of this form would end with it."""
    if "\\" not in text and "$" not in text:
        return " where 0 log(0) = 0"
    return " where $0\\log 0=0$" if re.search(MATH, text) else r"\text{ where }0\log 0=0"


def _blank(m: re.Match[str], found: list[str]) -> str:
    found.append(" ".join(m[0].split()).strip(" ,.;:()"))
    return " " * len(m[0])


_FUNCTION = re.compile(r"\b(?P<keep>(?:function|map(?:ping)?)\s+\w+\s*)->", re.IGNORECASE)


def in_signs(text: str) -> str:
    """The sentence with the sign of a function in place of an arrow, which is that of a limit."""
    return _FUNCTION.sub(r"\g<keep>|->", text)
