r"""Notes on signs, in plain text and LaTeX: what a sentence says of a sign that it uses as everybody does.

`where Phi is the standard normal cdf`, `with $\gamma$ Euler's constant` and their kind are left out, wherever they
stand; that 0 log 0 is 0 moves to the end.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from banditproof.verify.judge.formulas.sentence import chosen, which
from banditproof.verify.judge.reading.clauses import MATH
from banditproof.verify.judge.reading.words import COUNTS, PROMISE

_OF = r"(?:\s*\((?:\\cdot|\\?\w+)(?:\s*(?:,|\\?\|\|?)\s*(?:\\cdot|\\?\w+))?\))?"
_NORMAL = r"(?:standard )?(?:normal|Gaussian)"
_LAW = (
    r"(?:(?:an?|the)? ?standard (?:normal|Gaussian)(?: (?:distribution|law|(?:random )?variable))?"
    r"|\$?(?:\\mathcal ?\{? ?)?N\}? ?\(0, ?1\)\$?)"
)
_CDF = r"(?:(?:cumulative )?distribution function|cdf|c\.d\.f\.)"
_PDF = r"(?:density(?: function)?|pdf|p\.d\.f\.)"
_IS = (
    r"(?:,? as usual,?)?(?: (?:is|are|be|being|denot(?:es?|ing)|refers? to|means?|stands? for|for"
    r"|=))?(?:,? as usual,?)?"
    r"(?: the| an?| its)?"
)
_UPRIGHT = r"(?:\\(?:mathrm|operatorname|mathsf)\{ ?)?"
_NATURAL = r"(?:in nats|(?:with |in |using )?(?:the |all )?natural log(?:arithm)?s?)"
_BITS = r"(?:in bits|(?:to|with|in|of) (?:the )?(?:base(?:-| ?)\$?2\$?(?: log(?:arithm)?s?)?|binary log(?:arithm)?s?))"
_UNITS = (
    rf"(?: on \$?\[0, ?1\]\$?)?(?:,? \(base(?:-| )?\$?2\$?\)?|,? \(?"
    rf"(?:(?:measured |expressed )?(?:{_BITS}|{_NATURAL}))(?:[\s,;]*\))?)"
)
_KL = r"(?:relative entropy|(?:KL|Kullback[-–]+Leibler)(?: \(KL\))? divergence)"
_COIN = r"\$?(?:\\math[a-z]+ ?)?\{?(?:Ber|Bern|Bernoulli)\}?\([^()]*\)\$?"
_ENTROPY = r"(?:(?:binary|Bernoulli|Shannon) )?entropy(?: function)?"


def _sign(words: str) -> str:
    return rf"\$?(?-i:{words}){_OF}\$?"


_PHI, _DENSITY = _sign(r"\\?Phi"), _sign(r"(?:\\(?:var)?)?phi(?: ?= ?\\?Phi')?")
_EULER = r"Euler(?:['’]s|[-–]{1,2}Mascheroni)? constant"
_APPROXIMATELY = r"(?: ?(?:\\approx|=) ?0?\.57(?:7(?:2(?:1(?:56*)?)?)?)?(?:\\l?dots|\.\.\.)?)?"
_H, _B = r"(?:\\(?:mathrm|operatorname|mathsf)\{ ?)?[hH]\}?(?:_?\{?2\}?|_\{?[bB]\}?)?", r"(?:\\mathrm ?\{? ?)?B\}?"
# Each sign with what it means, which has one of the words of _SAID.
_MEANT = (
    (_PHI, rf"(?:(?:{_NORMAL}|{_LAW}) {_CDF}|{_CDF} of {_LAW})"),
    (_DENSITY, rf"(?:{_NORMAL} {_PDF}|{_PDF} of {_LAW})"),
    (_sign(r"\\?(?:log|ln)"), r"natural log(?:arithm)?"),
    (
        _sign(rf"{_UPRIGHT}(?:kl|KL)\}}?"),
        rf"(?:(?:binary|Bernoulli) {_KL}|{_KL} (?:of|between) (?:the |two )?coins"
        rf"|{_KL} (?:between|of) (?:the |two )?Bernoulli (?:distributions|laws"
        rf"|(?:random )?"
        r"variables)(?: (?:with|of) (?:means?|parameters?|success probabilities) \$?\\?[a-z]+\$? and"
        rf" \$?\\?[a-z]+\$?)?|{_KL} (?:between|of|from) {_COIN} (?:and|to|from|with respect to|relative to) {_COIN})"
        rf"(?:,? {_NATURAL}|,? \({_NATURAL}\))?",
    ),
    (_sign(r"\\\|\\cdot\\\|(?:_2)?"), r"(?:Euclidean|\$?\\ell_2\$?-?) ?norm"),
    (_sign(r"W(?:_0)?"), r"(?:principal branch of (?:the )?)?Lambert(?:['’]s)? (?:\$?W\$?(?:-| ))?function"),
    (_sign(r"\\?Gamma"), r"(?:Euler )?gamma function"),
    (_sign(r"\\?psi"), r"(?:digamma|trigamma) function"),
    (_sign(r"(?:\\operatorname\{)?erf\}?"), r"(?:Gauss(?:ian)? )?error function"),
    (_sign(r"(?:\\operatorname\{)?erfc\}?"), r"complementary error function"),
    (
        _sign(r"\\(?:sigma|lambda)_ ?\{? ?\\m(?:ax|in) ?\}?"),
        r"(?:largest|smallest) (?:singular |eigen)value(?: of (?:an? |the )?(?:symmetric )?(?:matrix|\$[A-Z]\$))?",
    ),
    (_sign("H_n"), r"(?:\$n\$-?th|n-?th|\$n\^\{?\\(?:text|mathrm|textrm)\{th\}\}?\$) harmonic number"),
    (_sign(rf"\\?gamma{_APPROXIMATELY}"), rf"{_EULER}(?: \(\$?0?\.57\d*(?:\\l?dots|\.\.\.)?\$?\))?"),
    (_sign(_H), rf"{_ENTROPY}{_UNITS}(?:,? \(?(?:with |where )?\$?{_H}\(0\) ?= ?{_H}\(1\) ?= ?0\$?\)?)?"),
    (r"\$?(?-i:C)(?:\(2 ?n, ?n\)|\(n, ?k\))?\$?", r"(?:central )?binomial coefficient"),
    (_sign(_B), r"(?:Euler(?:['’]s)? )?beta function"),
)
# "Phi and phi are the standard normal distribution function and density", in either order
_BOTH = "|".join(
    rf"\$\\(?:var)?phi ?= ?\\Phi'\$(?:,|,? and) {_PHI}{_IS} {_NORMAL} {_CDF}"
    rf"|{one}{_IS} {_NORMAL} {of_one}(?:,|,? and) {other}{_IS} (?:its |the (?:corresponding )?)?{of_other}"
    rf"|{one}(?:, ?|,? and ){other}{_IS} (?:{_NORMAL} {of_one} and (?:the |its )?{of_other}"
    rf"|{of_one} and (?:the |its )?{of_other} of {_LAW})|{one}(?:,|,? and) {other} refer to {_LAW}"
    for one, other, of_one, of_other in ((_PHI, _DENSITY, _CDF, _PDF), (_DENSITY, _PHI, _PDF, _CDF))
)
_LOG = (
    rf"{_NATURAL}|nats|log natural|(?:the |all )?log(?:arithm)?s?(?: (?:is|are|being))? natural"
    r"|\$?\\?log\$? ?(?:=|is|denotes|means) ?\$?\\?ln\$?|(?:Bernoulli|two-point) laws"
)
_NOTE = "\ue000+"  # what stands for a note while its surroundings are read
_NOTES = rf"{_NOTE}(?:(?:[,;]|,? and|,? and let) {_NOTE})*"
_LEAD = r"(?:(?:where|with|writing|using|for|here|recall that),?(?: we (?:write|use))?)"
_FIRST = (
    r"(?:let|in what follows,?|here,?|throughout,?|with|writing|for|(?:we )?(?:denote by|write)"
    r"|denoting(?: by)?|recall that)"
)
_PSI = re.compile(r"\\?psi\s*(?P<slope>')?(?=\s*(?:\\(?:left|[bB]igg?l?))?\s*\()")
_OF_GAMMA = re.compile(
    r"(?P<named>\b(?:write|let|denote\s+by|with)\s+\$?\\?psi(?:\s*\(\w\))?\$?\s+(?:for\s+|be\s+|denote\s+)?the\s+"
    r"(?:logarithmic\s+derivative\s+of\s+(?:the\s+)?(?:gamma\s+function|\$?\\?Gamma(?:\(\w\))?\$?)|derivative\s+of\s+"
    r"\$?\\?(?:log|ln)\s*\(?\s*\\?gamma\s*\(\w\)\s*\)?\$?)(?:\.\s+then\b|[.,]))"
    r"|\b(?:di|tri)gamma\b|(?P<note>,?\s*where\s+\$?\\?psi(?:\s*\((?P<x>\w)\))?\s*=\s*(?:\\?Gamma\s*'(?:\s*\((?P=x)\))?\s*/"
    r"\s*\\?Gamma(?:\s*\((?P=x)\))?|\\frac\s*\{\s*\\Gamma\s*'(?:\s*\((?P=x)\))?\s*\}\s*\{\s*\\Gamma(?:\s*\((?P=x)\))?\s*\}"
    r"|(?:\\frac\s*\{d\}\s*\{d\s*(?P=x)\})\s*\\(?:log|ln)\s*\\Gamma\s*\((?P=x)\))\$?"
    r"(?:,?\s+(?:is|denotes|being)\s+the\s+digamma\s+function)?)",
    re.IGNORECASE,
)


def _with_digamma(text: str) -> str:
    """The text with names for psi and its slope, where it says that psi is the digamma function."""
    if _OF_GAMMA.search(text) is None:
        return text
    text = _OF_GAMMA.sub(lambda m: "" if m["note"] or m["named"] else m[0], text)
    name = "{}" if _is_plain(text) else r"\operatorname{{{}}}"
    return _PSI.sub(lambda m: name.format("trigamma" if m["slope"] else "digamma"), text)


_END = r"(?=[\s.,;]*\}?[\s.,;]*$)"


@cache
def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(words.replace(" ", r"[\s~]+").replace(r"[\s~]+?", r"[\s~]*+"), re.IGNORECASE)


# A note ends a sentence, stands in brackets or between commas, or begins a sentence.
_ANYWHERE = (
    rf"[,;.]? ?(?<![\w$])(?:\({_LEAD}|{_LEAD}|\() {_NOTES} ?\)?{_END}",
    rf"^\s*(?:{_FIRST} )?{_NOTES}[.,:;](?=\s)",
    rf"(?:[,;]|(?<=\$)|,? and(?: let)?) {_NOTES}(?:{_END}|(?=[.,]\s))",
    rf"\((?:{_LEAD} )?{_NOTES} ?\)",
    rf"(?<=\(){_NOTES}[,;]",
    rf", {_LEAD} {_NOTES}(?= ?,)",
    rf"(?<=[$\d)\]]) {_NOTE}(?:{_END}|(?=,? for\b))",  # "A in nats"
)
_SATISFIES = "(?:satisfies|obeys|fulfils)"
# "The gamma function satisfies A", "the binary entropy $h(p)$ in nats is A"
_SUBJECTS = (
    *(rf"\b(?:the )?{meaning}(?:,? \$\\?[A-Za-z]+\$)? {_SATISFIES}(?= \$?\\?\w)" for _, meaning in _MEANT),
    *(
        rf"(?P<keep>{sign} ?:?= ?(?:(?!\bwhere\b)[^;:])*?[^;:\s]) (?:is|be|being|denotes?)(?: the)? {meaning}"
        for sign, meaning in (*_MEANT, (_sign(_H), _ENTROPY))
        if meaning != _EULER
    ),
    r"\b(?:the )?(?:\$?n\$?-?th )?harmonic number (?P<keep>\$?H_n\$?)(?! ?=)(?=[\s,])",
    rf"\bthe {_ENTROPY} (?P<keep>\$?{_H}\([^()]*\)\$?){_UNITS},?(?= (?:is|are|{_SATISFIES})\b)",
)
_BINARY = _pattern(
    rf"[,;.]? ?(?<![\w$])\(?(?:where|with|here,?|throughout,?|using|let)? ?(?:the |all )?(?:\$?\\?log\$?|logarithms)? ?"
    rf"(?:(?:is|are|being|be|denotes?|taken) )*(?:{_BITS}|(?:the )?(?:base(?:-| )?\$?2\$?|binary) logarithms?"
    r"|(?:the )?logarithms? (?:to|in) (?:the )?base \$?2\$?)\)?(?=[\s.,;]*\}?[\s.,;]*$|[.:]\s)"
)
_LOGS = re.compile(r"(?<![A-Za-z])log(?!ari|[\w_]|\s*_)|(?<=\\)log(?![A-Za-z]|\s*_)")
_SAID = re.compile(
    r"cdf|c\.d\.f|distribution\s+function|density|pdf|p\.d\.f|log(?:arithm)?s?\b[^$]*\bnatural|natural\s+log|\bnats\b|\\?ln\b"
    r"|entropy|divergence|binomial\s+coefficient|norm\b|Lambert|(?:gamma|error|beta)[\s~]+function|value|harmonic|Euler|laws|refer",
    re.IGNORECASE,
)
_GAP = r"(?:\s|\\[,;:!]|\\(?=\s)|\\q?quad\b)"
_ZERO_LOG = _pattern(
    rf"(?:[,;]?{_GAP}*(?P<open>\()?(?:(?:where|and|with|using|under|by|here)\b,? ?(?:we (?:use|adopt) )?)?"
    r"(?:(?:the |our )?(?:usual |standard )?convention(?: that)? )?)\$?0 ?\\?(?:log|ln)(?:_?\{?2\}?)? ?\(?0\)?"
    r"(?: ?:?= ?| (?:is )?(?:interpreted|understood|taken) (?:as|to be) \$?)0\$?(?(open)\.?\)?)(?![\w^$(]|\.\d)"
)
# "h(p) = -p log p - ..., with h(0) = h(1) = 0"
_AT_THE_ENDS = _pattern(
    rf"(?:,|,? (?:and|with|where)){_GAP}+\$?(?P<h>{_H})\((?:0\) ?= ?(?P=h)\(1|0|1)\) ?= ?0\$?(?![\w^])"
)


# "= \sqrt{2/\pi} \approx 0.7979": a rounded value beside what is claimed
_ROUGHLY = re.compile(
    r"(?P<keep>(?:[=<>≤≥]|\\[lg]e(?:q|qslant)?(?![a-z]))(?!\s*\\?[A-Za-z]+\s*(?:\\approx|\\simeq|≈))[^$<>=≤≥,;]*?)(?:\\approx|\\simeq|≈)\s*-?\d+(?:\.\d+)?"
    r"(?:\s*(?:\\times|\\cdot|\*|×)\s*10\s*\^\s*\{?-?\d+\}?)?(?:\s*\\[lc]?dots|\.\.\.)?"
    r"(?=\s*(?:[$,;)\]<=]|\.(?!\d)|\\\]|\\q?quad|\\[lg]e|$))"
)


def without_usual(text: str) -> tuple[str, tuple[str, ...], bool]:
    """The sentence without such notes, a sentence that says so for each, and whether gamma is Euler's constant."""
    found: list[str] = []
    if not isinstance(text, str):
        return text, (), False
    behind: list[str] = []
    rounded: list[str] = []
    text = _ROUGHLY.sub(lambda m: _blank(m, rounded), text)
    if (bare := _ZERO_LOG.sub(lambda m: " " * len(m[0]), text)) != text:
        text, behind = re.sub(r"^(\s*),", r"\1 ", bare), [_ZERO[_is_plain(text)]]
    elif (bare := _AT_THE_ENDS.sub(lambda m: " " * len(m[0]), text)) != text:
        text, behind = bare, [_ZERO[_is_plain(text)]]
    if any(chosen(f"what {h} is") == 1 for h in ("h", "H", "h_2", "H_2", "h_b", "H_b")):  # in bits, as all logarithms
        text = _LOGS.sub(lambda m: m[0] + ("2" if _is_plain(text) else "_2"), text)
    if (
        not _found(rf"\bkl\b|entropy|divergence|{_NATURAL}", text)
        and (bare := _BINARY.sub(lambda m: _blank(m, found), text)) != text
    ):
        text = _LOGS.sub(lambda m: m[0] + ("2" if _is_plain(text) else "_2"), bare)
    if _SAID.search(text):
        for form in _SUBJECTS:
            text = _pattern(form).sub(lambda m: _blank(m, found), text)
        text = _without_notes(text, found)
    for note in found:
        behind += _definition(note, text)
    for formula in behind:
        text = re.sub(rf"(?:(?<!\.)\.|[,;]|{_GAP})+$", "", text.rstrip()) + _where(formula, text)
    euler = any(re.search(_pattern(_EULER), note) for note in found)
    told = (
        *(f"'{note}' is left out: it is what the sign means here" for note in found),
        *(f"'{value}' is left out: a rounded value is not judged" for value in rounded),
    )
    return text, told, euler


def _without_notes(text: str, found: list[str]) -> str:
    """The text without the notes that stand alone in it."""
    marked = text
    for note in (_BOTH, *(f"{sign}{_IS} {meaning}|(?:the )?{meaning},? {sign}" for sign, meaning in _MEANT), _LOG):
        marked = _pattern(note).sub(lambda m: "\ue000" * len(m[0]), marked)
    for form in _ANYWHERE:
        for m in _pattern(form).finditer(marked):
            if not _in_order(text[m.start() : m.end()]):
                continue
            found.append(_words(text[m.start() : m.end()]))
            blank = " " * len(m[0])
            text, marked = text[: m.start()] + blank + text[m.end() :], marked[: m.start()] + blank + marked[m.end() :]
    return text


_PAIR = re.compile(r"\(\s*(\\?[a-z]+)\s*(?:,|\\?\|\|?)\s*(\\?[a-z]+)\s*\)")
_COINS = re.compile(r"Ber\w*\}?\s*\((\\?\w+)\)|(?<=[\s$])\$?(\\?\w+)\$?\s+and\s+\$?(\\?\w+)\$?")


def _in_order(note: str) -> bool:
    """Whether "kl(p, q) is the relative entropy of Ber(p) and Ber(q)" names the laws in the order of the sign."""
    pair = _PAIR.search(note)
    told = [n for m in _COINS.finditer(note) for n in m.groups() if n and re.fullmatch(r"\\?[a-z]|\\[a-z]+", n)]
    return pair is None or not told or told == [*pair.groups()]


def _is_plain(text: str) -> bool:
    return "\\" not in text and "$" not in text


def _where(formula: str, text: str) -> str:
    """A definition or a convention as a text of this form would end with it."""
    if _is_plain(text):
        return f" where {formula}"
    return f" where ${formula}$" if re.search(MATH, text) else rf"\text{{ where }}{formula}"


def _definition(note: str, text: str) -> list[str]:
    """What an entropy or the beta function of a note is, and that 0 log 0 is 0; nothing for another note."""
    plain, of_beta = _is_plain(text), _found(r"\bbeta function", note)
    if plain and _found(r"\bharmonic number", note):
        return ["H_n = harmonic(n)"]
    if not of_beta and (not _found(rf"{_ENTROPY}{_UNITS}", note) or _found(_KL, note)):
        return []
    calls = list(re.finditer(_CALL.format(_B if of_beta else _H), text))
    names, counts = {m["name"] for m in calls}, {m["inside"].count(",") for m in calls}
    if len(names) != 1 or len(counts) != 1 or any(m["defined"] and not re.search(r"\d", m["inside"]) for m in calls):
        return []
    name, letters = names.pop(), "uvwxyz"[: counts.pop() + 1]
    if of_beta:
        return [f"{name}(u, v) = gamma(u) gamma(v)/gamma(u + v)" if plain else rf"{name}(u,v)={_BETA}"]
    if len(letters) > 1 and _found("binary|Bernoulli", note):
        return []
    log = (r"\log_2" if _found(rf"{_BITS}|base(?:-| )?\$?2", note) else r"\ln")[plain:].replace(
        "log_2", "log2" if plain else "log_2"
    )
    parts = [f"{p} {log}({p})" for p in (letters if len(letters) > 1 else ("u", "(1 - u)"))]
    return [f"{name}({', '.join(letters)}) = -{' - '.join(parts)}", _ZERO[plain]]


def _found(words: str, note: str) -> bool:
    return re.search(_pattern(words), note) is not None


_CALL = (
    r"(?<!\\)(?<![A-Za-z]{{2}})(?P<name>{})\s*(?:\\[bB]igg?l?|\\left)?\s*\((?P<inside>(?:[^()]|\([^()]*\))*)\)"
    r"(?P<defined>\s*:?=)?"
)
_BETA = r"\frac{\Gamma(u)\Gamma(v)}{\Gamma(u+v)}"
_ZERO = (r"0\log 0=0", "0 log(0) = 0")  # in LaTeX, in plain text


def _words(text: str) -> str:
    return " ".join(text.split()).strip(" ,.;:()")


def _blank(m: re.Match[str], found: list[str]) -> str:
    kept = m.groupdict().get("keep") or ""
    found.append(_words(m[0].replace(kept, " ", 1)))
    # "For all $x > 0$ the gamma function satisfies A": a range, and what is claimed
    comma = found[-1].endswith(("satisfies", "obeys", "fulfils")) and re.search(r"[$\d)\]]\s+$", m.string[: m.start()])
    return "," * bool(comma) + kept.rjust(len(m[0]) - bool(comma))


_ENTRIES = re.compile(r"\(\s*([a-z])_?1\s*,(?:[^()]*,)?\s*\1_?(\d)\s*\)")


def _over_entries(text: str) -> str:
    """The text with the ends of "sum_i p_i log p_i" where the entries of one vector p are printed."""
    vectors = {m.groups() for m in _ENTRIES.finditer(text)}
    if len(vectors) != 1:
        return text
    name, last = vectors.pop()
    entries = [f"{name}{'_' * (f'{name}_1' in text)}{i}" for i in range(1, int(last) + 1)]
    text = re.sub(r"\\sum_(?:i|\{i\})(?!\s*\^)", rf"\\sum_{{i=1}}^{last}", text)
    if re.search(r"\bentropy\b", text):
        text = re.sub(rf"(?<![A-Za-z\\])([hH])\(\s*{name}\s*\)", rf"\1({','.join(entries)})", text)
    if _is_plain(text) and "probability" in text:
        own = "".join(f" - {entry} log({entry})" for entry in entries)
        text = re.sub(r"\bthe (?:Shannon )?entropy(?: \(?in nats\)?)?(?= (?:is|exceeds)\b)", own[1:], text)
    return re.sub(rf"(?<![A-Za-z])sum(?:_i(?![\w^])| (?={name}_i\b))", f"sum_{{i=1}}^{{{last}}}", text)


_LAWS_OR_NUMBERS = r"(?:[^()|$]|\([^()|$]*\))+?"
_SIZED = r"(?:\\(?:left|right|middle|[bB]igg?[lrm]?)(?![A-Za-z]))?\s*"  # how large a bracket, or a bar, is
_BARS = rf"(?:\\[,;!]|\s)*{_SIZED}(?:\\\||\|\||\\parallel\b)(?:\\[,;!]|\s)*"
_RENYI = re.compile(
    r"(?<![A-Za-z\\])D_(?P<order>\\alpha|\{\s*\\alpha\s*\}|alpha\b|[a2](?![A-Za-z])|\{[a2]\})\s*"
    rf"{_SIZED}\((?P<p>{_LAWS_OR_NUMBERS}){_BARS}(?P<q>{_LAWS_OR_NUMBERS}){_SIZED}\)"
)
_CHI_SQUARE = re.compile(
    rf"(?:\\chi\^\{{?2\}}?|\bchi\^?2|χ²)\s*{_SIZED}\((?P<p>{_LAWS_OR_NUMBERS})(?:{_BARS}|,)(?P<q>{_LAWS_OR_NUMBERS}){_SIZED}\)"
)


def _upright(beside: str, name: str) -> str:
    """A name as this form prints it."""
    return rf"\mathrm{{{name}}}" if "\\" in beside else name


def _as_chi_square(m: re.Match[str]) -> str:
    return f"{_upright(m.string, 'chi2')}({m['p']}, {m['q']})"


def _as_renyi(m: re.Match[str]) -> str:
    order = m["order"].strip("{} ")
    return f"{_upright(m.string, 'renyi')}({order}, {m['p']}, {m['q']})"


_SAYS_ENTROPY = re.compile(r"entropy|\b[hH](?:_2)?\(\w+\)\s*:?=")
_BINARY_ENTROPY = re.compile(r"(?<![A-Za-z])[hH](?:_2)?\([a-z]\)")
_IN_BITS = re.compile(
    r"(?<=[\w)}$])\s*(?:\\[ ,;])*(?:\\text\{\s*)?\(?(?:in )?(?P<unit>bits|nats)\)?\}?(?=\s*(?:[.,;]|$| for\b))"
)


def _with_entropy(m: re.Match[str], text: str) -> str:
    """ "h(p) <= 1 bits" says that h is the binary entropy."""
    h = _BINARY_ENTROPY.search(text)
    name = h[0].partition("(")[0] if h else "h"
    bare = (text[: m.start()] + text[m.end() :]).rstrip(" .")
    if _is_plain(text) or "$" in text:
        return f"{bare}, where {name} is the binary entropy in {m['unit']}"
    return rf"{bare}\text{{ where ${name}$ is the binary entropy in {m['unit']}}}"


_INTEGRALS = (
    re.compile(
        r"\b(?:the )?integral from (?P<low>\S+) to (?P<high>\S+) of (?P<f>[^=<>]+?) d(?P<x>[a-z])\b", re.IGNORECASE
    ),
    re.compile(
        r"\b(?:the )?integral of (?P<f>[^=<>]+?) d(?P<x>[a-z]) from (?P<low>\S+) to (?P<high>\S+)"
        r"(?= (?:is|equals)\b|\s*[<>=])",
        re.IGNORECASE,
    ),
)
_LIM = re.compile(r"\blim(?:it)?\s+(?:as\s+)?\(?(?P<goes>[a-z]\s*(?:->|→)\s*[+-]?\w+)\)?\s+(?:of\s+)?(?=\S)")
_OF_TWO = re.compile(r"(?P<keep>\(\s*[A-Za-z]\w*\s*,\s*[A-Za-z]\w*\s*\)\s*)->(?=.*\bcon(?:vex|cave)\b)")
_FUNCTION = re.compile(r"\b(?P<keep>(?:function|map(?:ping)?)\s+\w+\s*)->", re.IGNORECASE)


# "Is it true that A?", "does A hold for all x?", "why is A?"
_CHECKED = _pattern(
    r"(?<=[.?]) (?:is|are) (?:this|that|it) (?:right|true|correct)\? ?$|(?<=[.?]) true or false\? ?$"
    r"|(?:,|(?<=[.?])) (?:agreed|correct|o\.?k\.?|okay|right|yes)\? ?$"
)
_ASKED = _pattern(
    r"^\s*(?:(?:(?:an?|the|our|my) )?[A-Za-z]+(?: \d+)?(?: asks?| wonders?| wrote| writes)?: )?"
    r"(?:(?:is it (?:really )?(?:true|correct|known)|am I right(?: to say)?|(?:why|how) is it (?:true )?"
    r"|(?:how )?can (?:I|we|one|you|someone)"
    r" (?:show|prove|see)|how (?:do|does|to) (?:(?:I|we|one|you) )?(?:show|prove|see)|do we have|does it hold) that"
    r"|(?:why )?do(?:es)?(?= .*\bholds?\b)"
    r"|(?:why )?(?:is|are)(?= (?:\$|\\\[|[^?]*(?:[<>=≤≥]|\bmost\b|\bleast\b))))\b(?P<rest>.*?)\?(?P<end>[\s$]*)$"
)
# What stands behind a formula and says what is meant here anyway; and that the numbers of exponential laws are rates.
_LOG2 = r"\$?\\?log_?2\$? (?:=|is|denotes|means) (?:the )?(?:binary )?log(?:arithm)? (?:to|in|of) base 2"
_LOCATION = r"(?:Laplace )?(?:laws?|distributions?)?:? ?(?:by |with |of )?location,? (?:and )?scale"
_SAID_ANYWAY = _pattern(rf",? (?:[\[(]?(?:(?:here|where) )?{_LOG2}[\])]?|[\[(]{_LOCATION}[\])])\.? ?$")
_LETTER = r"\$?\\?\w+\$?"
_RATES = _pattern(
    rf",? [\[(]?(?:(?:here|where) )?(?:{_LETTER}(?:,| and) )*{_LETTER} (?:is the rate|are (?:the )?rates)[\])]?\.? ?$"
)
# "noisy max on m queries of sensitivity 1": how many there are plays no part. Counts are no such scores: where a record
# is added they move the same way, and half the noise is enough.
_SCORES = _pattern(
    r"\bon (?:\$?\b\w\$?(?:\\text\{)? )?\b(?:candidates|queries|scores|utilities)"
    r"(?= (?:each )?(?:of|with) (?:\w+ )?sensitivity)"
)
_ACCENTS = {"'": "\u0301", "`": "\u0300", '"': "\u0308", "H": "\u030b"}
_ACCENT = re.compile(r"([^\W\d_]*)\\(['`\"]|H(?={))\{?([A-Za-z])\}?([^\W\d_–-]*(?:[-–]+[^\W\d_]+)*)")
# ]a, b[ and [a, b[
_OUTWARD = re.compile(
    r"(?P<before>(?:\\in|∈|\bin|\bon)(?:\\[,;!]|[\s$])*)"
    r"(?P<open>[\[\]])(?P<ends>[^][()$=<>]*,[^][()$=<>]*)(?P<close>[\[\]])"
)


_MODULE = re.compile(r"\b(?:np|numpy|math|cmath|sp|sympy|scipy(?:\.special)?|mpmath)\.(?=[a-z]\w*\()")  # np.exp(x)


_END = r"\$[^$]+\$|-?(?:\d+(?:[./]\d+)?|[A-Za-z](?:_?\d)?|pi(?:/\d+)?)"
_RANGED = (
    r"for|every|each|any|all|when(?:ever)?|if|with|where|let|and|reals?|(?:real )?numbers?|integers?"
    r"|probabilit(?:y|ies)"
)
_ENDS = re.compile(
    rf"(?P<before>(?:^|\b(?i:{_RANGED}) |, ?))(?P<name>[A-Za-z](?:_?\w)?|\$\\?\w+\$) (?:(?:is|lies|lying|be) )?between"
    rf" (?P<low>(?=\$?-?\d){_END}) and"
    rf" (?P<high>{_END})(?=[,;)]|\.?(?:\s|$))(?! (?:inclusive|exclusive|included|excluded)|,? (?:both|with|in|ex)clu)"
)


_FROM = re.compile(
    rf"(?P<before>(?:^|\b(?i:{_RANGED}) |, ?))(?P<name>[A-Za-z](?:_?\w)?|\$\\?\w+\$)"
    rf" (?:(?:runs|ranges|goes|running|going) )?from (?P<low>{_END}) to"
    rf" (?P<high>{_END}(?: ?[-+*] ?(?:\d+|[A-Za-z]))?)(?=[,;)]|\.?(?:\s|$))"
)


def _from_to(m: re.Match[str]) -> str:
    """ "k from 0 to n": of whole numbers with both ends, of others as between them."""
    before = m.string[: m.start()]
    if before.count("(") > before.count(")"):  # "sum(1/k, k from 1 to n)"
        return m[0]
    marked = re.search(r"(?i:integers?|whole numbers?) $", m["before"])
    if not marked and m["name"].strip("$") not in COUNTS:
        return _between_ends(m)
    low, high = (m[end].strip("$") for end in ("low", "high"))
    listed = f"[{low}, {high}]"
    mark = "" if marked else "integer "
    return f"{m['before']}{mark}{m['name']} in {f'${listed}$' if '$' in m[0] else listed}"


def _between_ends(m: re.Match[str]) -> str:
    """ "p between 0 and 1", with its ends or without."""
    low, high = (m[end].strip("$") for end in ("low", "high"))
    k = which("are both ends included? Write in [a, b], or in (a, b)", "between", m.start("low") - len("between "), 2)
    listed = f"{'[('[k]}{low}, {high}{'])'[k]}"
    return f"{m['before']}{m['name']} in {f'${listed}$' if '$' in m[0] else listed}"


_X = r"(?<![\w$\\])\$?(?P<x>\\?[A-Za-z]+(?:_\w)?)\$?"
_BOUNDS = tuple(  # words for an order, in signs
    (re.compile(words, re.IGNORECASE), signs)
    for words, signs in (
        (rf"(?P<before>){_X} from (?P<end>\$?\d+\$?) (?:on(?:wards?)?|upwards?)\b(?! the\b)", ">="),
        (
            rf"(?P<before>\b(?:real|all|every|each|any|integers?) ){_X} up to and including (?P<end>{_END})"
            r"(?![\w^(*/+-])",
            "<=",
        ),
    )
)
_BEGINNINGS = tuple(
    (re.compile(words.replace(" ", r"[\s~]+"), re.IGNORECASE | re.DOTALL), signs)
    for words, signs in (
        (r"^\s*(?:on|over|in) the (?:(?:whole|entire|full) )?(?:interval|range) (?=\$?[^,$]*[<>≤≥][^,]*,)", "For "),
        (r"^\s*(?=[a-z] \|?->.*\b(?:increas|decreas|convex|concave))", "The map "),
        (
            r"(?P<keep>\b(?:sup|inf)(?:remum|imum)?) over (?:all )?real (?:numbers )?\$?(?P<t>[A-Za-z])\$?(?= of\b)",
            r"\g<keep> over \g<t> in (-inf, inf)",
        ),
        (  # a title
            r"^\s*\\(?:emph|textit|textbf|textsc)\{\(?(?!.{0,40}\b(?:not|un\w+|false|wrong|incorrect|fails|counter|conject))"
            r"[A-Z][a-z'\s-]{2,40}[.:]?\)?[.:]?\}\s*(?=[A-Z$\\])",
            "",
        ),
        (
            r"\b(?P<x>(?<![\w^(*/+-]\s)[a-zA-Z]) (?P<sign>>=|>|≥) (?P<end>\d+),? an? (?:integer|whole number)\b",
            r"integer \g<x> \g<sign> \g<end>",
        ),
        (
            r"\b(?P<x>(?<![\w^(*/+-]\s)[a-zA-Z]),? an? (?:integer|whole number) (?P<sign>>=|>|≥) (?P<end>\d+)\b",
            r"integer \g<x> \g<sign> \g<end>",
        ),
        (
            r"\b(?:the )?limit,? as (?P<x>[a-zA-Z]) (?:->|→|tends to|goes to) (?P<to>infinity|inf|\d+),? of (?=[^$])",
            r"lim_{\g<x> -> \g<to>} ",
        ),
        (
            r"\bfor the (?:standard )?(?:normal|Gaussian|(?:di|tri)?gamma)"
            r" (?:cdf|distribution function|density|function) \$?\\?(?:Phi|phi|psi|Gamma)\$?,? and (?=any|every|all)",
            "for ",
        ),
        (r"\bthe (?:condition|inequality|assumption|hypothesis) (?=\$[^$]*\$ implies\b)", ""),
    )
)


def _as_bound(m: re.Match[str], sign: str) -> str:
    """ "n from 23 on", "x up to and including 2"."""
    said = f"{m['x']} {sign} {m['end'].strip('$')}"
    return m["before"] + (f"${said}$" if "$" in m[0] else said)


# 1{x >= t}, \mathbf 1_{\{x\ge t\}}, I(x >= t): before the bracket of an event
_INDICATOR = re.compile(
    r"(?<![\w.\\^_}])(?:\\(?:mathbb|mathbf|mathbbm|mathds|bm|boldsymbol)\s*(?:\{\s*[1I]\s*\}|[1I])(?:\\[!,]|\s)*"
    r"(?:_\s*(?=\{)|(?:\\left|\\[bB]igg?l?)?\s*(?=\\\{|[\[(]))|1_?(?=\{|\[|\\\{)|(?:I|indicator|𝟙)_?(?=\{|\[|\(|\\\{))"
)
_SIGN_OF_EVENT = re.compile(r"[<>=≤≥≠]|\\(?:[lg]e(?:q|qslant)?|neq?|[lg]t)(?![a-z])")
_OF_DIFFERENTIAL = re.compile(
    r"\\[dt]?frac\s*\{\s*(?P<d>\\mathrm\s*\{?\s*d\s*\}?|d)\s*(?P<x>\\?[a-zA-Z])\s*\}\s*\{(?!\s*(?:\\mathrm|d\s*[a-z]\s*\}))"
    r"(?P<below>(?:[^{}]|\{[^{}]*\})*)\}"
)


def _with_indicators(text: str) -> str:
    """The text with cases that are 1 where an event holds, and else 0, for its indicators."""
    for m in reversed([*_INDICATOR.finditer(text)]):
        depth, end = 0, -1
        for sign in re.finditer(r"\\?[{}]|[()\[\]]", text[m.end() :]):
            depth += 1 if sign[0][-1] in "{([" else -1
            if depth == 0:
                end = m.end() + sign.end()
                break
        inside = re.sub(
            r"^\s*(?:\\?\{|[\[(])\s*|(?:\s|\\right|\\[bB]igg?r?)*(?:\\?\}|[\])])\s*$", "", text[m.end() : end]
        )
        if re.fullmatch(r"\\\{.*\\\}|\[.*\]", inside):
            inside = inside.strip("\\{}[] ")
        if end > 0 and _SIGN_OF_EVENT.search(inside):
            cases = f"cases({inside}, 1, 0)" if _is_plain(text) else rf"\cases(1, {inside}, 0)"
            text = text[: m.start()] + cases + text[end:]
    return text


_BESIDE_GREEK = re.compile(
    r"(?<![^\W_].)(?<=[a-z])(?=[Α-Ωα-ω])|(?<![^\W_].)(?<=[α-γε-ω])(?=[a-z](?![^\W_]))"
)  # sΔ is a product
_ROW = r"\$?\(\s*([^(),$]+),\s*([^(),$]+)\)\$?"
_WITH_ROWS = re.compile(rf"\bmatrix\s+with\s+rows\s+{_ROW}\s+and\s+{_ROW}")
_DIAGONAL = re.compile(
    r"(?:\\(?:mathrm|operatorname|text)\s*\{diag\}|\\diag|\bdiag)\s*(?:\\left)?\(([^()]*)(?:\\right)?\)"
)
_ENTRIES_ARE = re.compile(r"(?P<before>[^.]*\bdiag\b[^.]*)\bwith\s+(?P<sign>non-?negative|positive|real)\s+entries\b")


def _matrix(rows: list[list[str]], text: str) -> str:
    """A matrix as this form prints it."""
    if _is_plain(text):
        return "[" + ", ".join(f"[{', '.join(row)}]" for row in rows) + "]"
    return "\\begin{pmatrix}" + "\\\\".join("&".join(row) for row in rows) + "\\end{pmatrix}"


def _with_matrices(text: str) -> str:
    """The text with the entries of diag(a, b), and of matrices that are told by their rows."""

    def diagonal(m: re.Match[str]) -> str:
        entries = [e.strip() for e in m[1].split(",")]
        return _matrix([[e if i == j else "0" for j in range(len(entries))] for i, e in enumerate(entries)], text)

    def told(m: re.Match[str]) -> str:
        letters = {n for d in _DIAGONAL.findall(m["before"]) for n in re.findall(r"\\?[A-Za-z]\w*", d)}
        d = "$" * (not _is_plain(text))
        sign = {"n": ">= 0", "p": "> 0", "r": "in R"}[m["sign"][0]]
        return f"{m['before']}with {', '.join(f'{d}{n} {sign}{d}' for n in sorted(letters))}"

    text = _DIAGONAL.sub(diagonal, _ENTRIES_ARE.sub(told, text))
    d = "$" * (not _is_plain(text))
    return _WITH_ROWS.sub(lambda m: f"matrix {d}{_matrix([[m[1], m[2]], [m[3], m[4]]], text)}{d}", text)


# How people type what the grammar has other words for.
_TYPED = (
    (re.compile(r"(?<=->)( ?)\+?oo(?!\w)|(?<=\bto )()oo(?!\w)"), r"\g<1>inf"),
    (re.compile(r", (as \w+ (?:goes|tends) to \S+), (?=(?:is|equals)\b)"), r" \1 "),
    (re.compile(r"(?<=creasing in )(\w) over (?:all |the )*(?=(?:positive |nonnegative )?integers\b)"), r"\1 for "),
    (
        re.compile(
            r" \((\w) (?:is )?(?:a natural number|a positive integer|an integer), \1 ?(>=?) ?(\d+)\)(?=\.?\s*$)"
        ),
        r" for integer \1 \2 \3",
    ),
)


def in_signs(text: str) -> str:
    """The sentence with the signs of functions and intervals that the grammar knows; what is asked is stated."""
    if not isinstance(text, str):
        return text
    text = _CHECKED.sub(lambda m: " " * len(m[0]), text)
    if re.search(r"noisy[- ]max", text, re.IGNORECASE):
        text = _SCORES.sub("on scores", text)
    text = _SAID_ANYWAY.sub(lambda m: " " * len(m[0]), text)
    if _RATES.search(text) and (exponential := re.search(r"\bExp(?:onential)?(?=\s*\()", text)):
        text = re.sub(rf"\b{exponential[0]}(?=\s*\()", "Rate", _RATES.sub("", text))
    text = _ASKED.sub(lambda m: m["rest"].rjust(m.end("rest") - m.start()) + " " + m["end"], text)
    text = _OUTWARD.sub(lambda m: m["before"] + "(["[m["open"] == "["] + m["ends"] + ")]"[m["close"] == "]"], text)
    text = _MODULE.sub(lambda m: " " * len(m[0]), text)
    if _is_plain(text):
        for words, other in _TYPED:
            text = words.sub(other, text)
        text = re.sub(r"\bM(?=\d\b)", "M_", text) if PROMISE.search(text) else text
        text = re.sub(r"√(\w)(?=\s|$)", r" sqrt(\1)", text.replace(":=", " ="))
        text = _BESIDE_GREEK.sub(" ", text)
        for name in set(re.findall(r"\b([a-z])_[ijk]\b", text)):  # "p1" beside "p_i"
            text = re.sub(rf"\b{name}(?=\d\b)", f"{name}_", text)
        text = re.sub(r"\b(?:Sum|Prod|Max|Min)(?=_)", lambda m: m[0].lower(), text)
        text = re.sub(r"\b(\w+|\([^()]*\)) choose (\w+|\([^()]*\))", r"binom(\1, \2)", text)
    text = _ACCENT.sub(
        lambda m: (m[1] + unicodedata.normalize("NFC", m[3] + _ACCENTS[m[2]]) + m[4]).ljust(len(m[0])), text
    )
    text = _with_digamma(_with_indicators(_with_matrices(_over_entries(text))))
    if "\\int" in text:
        text = _OF_DIFFERENTIAL.sub(r"\\frac{1}{\g<below>}\\,\g<d> \g<x>", text)
    text = _FROM.sub(_from_to, _ENDS.sub(_between_ends, text))
    for words, sign in _BOUNDS:
        text = words.sub(lambda m, sign=sign: _as_bound(m, sign), text)
    for words, signs in _BEGINNINGS:
        text = words.sub(signs, text)
    text = re.sub(r",\s*i\.e\.,?(?=\s)", ", that is,", text)
    text = re.sub(r"\bi\.e\.,?(?=\s)", lambda m: " " * len(m[0]), text)
    text = _RENYI.sub(_as_renyi, _CHI_SQUARE.sub(_as_chi_square, text))
    if (unit := _IN_BITS.search(text)) and _BINARY_ENTROPY.search(text) and not _SAYS_ENTROPY.search(text):
        text = _with_entropy(unit, text)
    for words in _INTEGRALS if _is_plain(text) else ():
        text = words.sub(r"int(\g<f>, \g<x>, \g<low>, \g<high>)", text)
    text = _LIM.sub(r"lim_{\g<goes>} ", text)
    return _OF_TWO.sub(r"\g<keep>|->", _FUNCTION.sub(r"\g<keep>|->", text))
