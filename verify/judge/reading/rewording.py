"""Other words for what the grammar knows, before a statement is read."""

from __future__ import annotations

import re
from collections.abc import Callable

from banditproof.verify.judge.reading.clauses import ONE, TERM, light, without_nouns
from banditproof.verify.judge.reading.prose_of_mechanisms import OF_MECHANISMS, of_many_queries, of_sensitivity
from banditproof.verify.judge.reading.spoken import OF_A_MATRIX, SPOKEN
from banditproof.verify.judge.reading.tables import pattern, rewritings
from banditproof.verify.judge.reading.words import GREEK, NAMED, PROMISE, word_at

_ROLES = (
    r"gaps?|levels?|parameters?|budgets?|rates?|horizons?|sizes?|thresholds?|tolerances?|accurac(?:y|ies)|temperatures?"
    r"|orders?|scales?|points?|times?|radi(?:us|i)|factors?|widths?|weights?|costs?|errors?|strengths?"
    r"|condition numbers?"
)
OF_ROLES = (
    r"(?!increas|decreas|vanish|vary|remain|exist|diverg|shrink|grow)\w+ing|suboptimality|sub-optimality|privacy"
    r"|confidence|learning|step|sample|batch|noise|time|failure|error|accuracy"
    r"|regularisation|regularization|discount|approximation|sensitivity|R[ée]nyi|exploration|mixing|target|given|fixed"
)
NAME = rf"(?:[A-Za-z]\d?|\\[A-Za-z]+|eps|lam|{'|'.join(GREEK)})(?:_(?:\w|\{{\w+\}}|\\[a-z]+))?"
ROLE = (
    rf"(?:(?:(?:{OF_ROLES})[\s-]+)*(?:{_ROLES})|(?:suboptimal\s+)?(?:arm|action|user)s?\s+with\s+(?:{_ROLES})"
    r"|(?:two\s+)?Bernoulli\s+(?:distributions|variables|laws)\s+(?:with|of)\s+(?:means|parameters))"
)
# A named law, and what two laws have between them: "the total variation distance between Ber(p) and Ber(q)".
_LAW = r"(?:\\math[a-z]+\s*|\\operatorname|\\text)?\{?(?:Ber|Bern|Bernoulli|N)\}?\s*\([^()$]*\)"
_RENYI = (
    r"(?:the )?R[ée]nyi(?:['’]s)? divergence of order <d>(?P<a>[^$\s]+)<d> (?:between|of|from)"
    rf" <d>(?P<p>{_LAW})<d> (?:and|to|from) <d>(?P<q>{_LAW})<d>"
)
_BETWEEN = (
    (r"total variation", "tv", "and"),
    (r"(?:relative entropy|(?:KL|Kullback-Leibler) divergence)", "kl", "(?:and|with respect to|relative to)"),
)
_LETTER = rf"(?:\\[a-z]+|(?:eps|{'|'.join(GREEK)})\b|[A-Za-z])(?:_(?:\w|\{{\w+\}}))?'*"
RANGE = (
    rf"\$\s*(?:{_LETTER}\s*(?:,\s*{_LETTER}\s*)*(?:\\in\b|\\[lg]e(?:q|qslant)?(?![a-z])|[<>]=?)|0\s*<=?\s*{_LETTER}\s*<=?)"
    r"[^$=]*\$"
)
# What a formula is not, but what is made of it: "the absolute difference $x - y$"
CHANGES = (
    r"(?:absolute|relative(?! entropy)|squared?|inverse|inverted|reciprocal|derivative|derived|primitive"
    r"|antiderivative|logarithm(?!ic mean)|integral|root|modul|norm|complement|conjugate|dual|empirical|conditional"
    r"|posterior|weighted|truncated|clipped|rescaled|scaled|shifted|centred|centered|signed|sign|neg|opposite"
    r"|discrete|fractional|part|gradient|slope|power|cub|exponent|moment|expected|average|floor|ceiling"
    r"|factorial|(?:co)?sine|tangent|transform|remainder|excess|reduced|increased|double|halved|half|triple"
    r"|difference of|ratio of|sums? of|products? of)"
)
DONE = (
    r"(?:squares?|logarithms?|roots?|powers?|sums?|products?|ratios?"
    r"|reciprocals?|exponentials?|derivatives?|means?|averages?)"
)
_IN_BRACKETS = r"(?:\\[bB]igg?l?|\\left)?\s*(?:\[[^$\[\]]*\]|\([^$()]*\))"
# What something of something may be called, where its formula follows: "the variance of a coin $p(1-p)$".
_HEADS = (
    r"(?:value|variance|mean|expectation|probability|risk|regret|cost|error|number|length|size|radius|width|bias|loss"
    r"|rate)"
)
_CALLED = rf"(?:the|our|this|an?|its|[A-Z][\w-]*['’]s?)\s(?:(?!\b{CHANGES}|\b(?!{_HEADS}\b)[\w-]+\sof\b)[^$,;:.\\])*?"
_FREE = (ONE, pattern(_CALLED).pattern)  # what may be any words
OF_MATRICES = (
    (r"(?:larger|largest|maximal|maximum|top) eigenvalue", r"\\lambda_{\\max}", "lambda_max"),
    (r"(?:smaller|smallest|minimal|minimum|least) eigenvalue", r"\\lambda_{\\min}", "lambda_min"),
    (r"(?:largest|maximal|top) singular value|(?:operator|spectral) norm", r"\\sigma_{\\max}", "sigma_max"),
    (r"(?:smallest|minimal|least) singular value", r"\\sigma_{\\min}", "sigma_min"),
    (r"determinant", r"\\det", "det"),
    (r"trace", r"\\operatorname{tr}", "trace"),
)
# Other words for what the grammar knows: "let x > 0 satisfy A", "as soon as A", "for fixed a > 0"
_KNOWN = {"NAME": NAME, "ROLE": ROLE, "RANGE": RANGE, "CHANGES": CHANGES, "ONE": ONE, "TERM": TERM, "LAW": _LAW}
_OF_FORMULAS = {"CALLED": _CALLED, "HEADS": _HEADS, "IN_BRACKETS": _IN_BRACKETS, "OF_A_MATRIX": OF_A_MATRIX}
_PUT = rewritings("rewording.txt", "statements", _KNOWN | _OF_FORMULAS)


# What somebody says of the sentence that follows, and no step of a mechanism ("Flip a fair coin: ...").
_BEFORE_COLON = re.compile(
    r"\s*((?:I|The|Our|This|In)\b[^$:]{3,80}\b(?:correct|fine|follows|improved|reads?|right|says?|sharpened|states?|true)):\s+(?=\S)"
)
_PR = rf"\\Pr ?{_IN_BRACKETS}"
# "P(A), P(B) <= c"
_BOTH_AT_MOST = pattern(rf"(?P<a>{_PR}) ?, ?(?P<b>{_PR}) ?(?=\\leq?(?![a-z])|<)")


def reworded(text: str) -> tuple[str, list[str]]:
    """The text in words that the grammar knows, and the clauses that are left out."""
    text, found = unframed(text)
    text = _BOTH_AT_MOST.sub(r"\\max(\g<a>, \g<b>) ", text)
    text = of_sensitivity(_with_laws(_with_plain_name(_with_kl(_with_comma(text)))), found)
    text = of_many_queries(text, found)
    if PROMISE.search(text):
        if (m := _BEFORE_COLON.match(text)) and light(m[1]) and not of_mechanisms(m[1]):
            found.append(m[1].strip())
            text = " " * m.end() + text[m.end() :]
        for other, words in OF_MECHANISMS:
            text = other.sub(words, text)
        text = ranges_behind(_named(text, found))
    for other, words in (*SPOKEN, *_PUT):
        text = other.sub(lambda m, words=words: _put(m, words, found), text)
    return text, found


_NAME_OF = [(name, pattern(rf"\b(?:{words})\b")) for name, words in NAMED.items()]
# Where the name is no subject, or what is said is no claim.
_AGAINST = pattern(
    r"\b(?:not|no|never|nobody|neither|false|untrue|wrong|fails?|contrary|unless|except|hardly|almost|roughly)\b"
    r"|\b(?:by|via|unlike|without|like|than|from|through|using|except|for) (?:the )?$"
)
_KEEPS = pattern(r"\b(?:is|are|satisf(?:y|ies)|gives?|guarantees?|provides?|ensures?|yields?|achieves?|preserves?)\b")


def _named(text: str, found: list[str]) -> str:
    """A sentence about a mechanism that has a name and no rule: the name keeps the last promise."""
    *_, promised = PROMISE.finditer(text)
    *_, keeps = (0, *(m.start() for m in _KEEPS.finditer(text, 0, promised.start())))
    found_names = [(name, m.start()) for name, words in _NAME_OF if (m := words.search(text, 0, keeps))]
    if not found_names or _AGAINST.search(text[: found_names[0][1]]) or _AGAINST.search(text[:keeps]):
        return text
    name = found_names[0][0]
    found.append(" ".join(text[:keeps].split()))
    return f"{name} ".ljust(keeps) + text[keeps:]


_KINDS = (
    r"(?:lem(?:ma)?|thm|theorem|prop(?:osition)?|cor(?:ollary)?|claim|fact|remark|observation|step|footnote|property)"
)
# What a journal prints around a statement; a title in brackets may not matter.
_FRAME = (
    pattern(
        rf"\\begin\{{{_KINDS}\*?\}}(?:\[(?P<title>[^\]$]*)\])?(?:\s*\\label\{{[^{{}}]*\}})?|\\end\{{{_KINDS}\*?\}}"
    ),
    pattern(r"^\s*\((?:[ivx]+|[a-e]|\d)\)(?=\s+(?:\$|[A-Z][a-z]+\s))"),
    pattern(r"\\noindent\b|\\(?:square|qed|qedhere|hfill|Box|blacksquare)\b|\$\\(?:square|Box|blacksquare)\$"),
    pattern(
        r"\\(?:textbf|textit|emph|paragraph|textsc)\{(?P<title>[^{}$\\]*[.:])\}|(?<=[.\w])\\footnote\{(?P<note>[^{}$\\]*)\}"
    ),
    pattern(
        rf"^\s*\\textbf\{{\s*{_KINDS}\s*[A-Z]?[\d.]*\s*\}}\s*\((?P<title>[^()$]*)\)\s*(?:[.:]|\\textbf\{{[.:]\}})?(?=\s+[A-Z$\\])"
    ),
    pattern(rf"^\s*(?:\(?\s*{_KINDS}\b\s*(?:[A-Z]?[\d.]*\b)?(?:\s*\((?P<title>[^()$]*)\))?\s*\)?[.:])(?=\s+[A-Z$\\])"),
    pattern(r"(?<=\$)[\s~]*\(\d{1,3}[a-z]?\)(?=\s*(?:[.,;]|$|for\b|when\b|if\b))"),
    pattern(r"^\s*(?:typo|(?:quick |sanity )?(?:question|check)|query|doubt)\s*[?:](?=\s+\S)"),
    pattern(r"(?:(?<=[$\])])|(?<=DP))[\s~]*\\cite[a-z]*\s*(?:\[[^\]]*\]\s*)*\{[^{}]*\}(?=\s*(?:[.,;]|$))"),
)


# A question claims what an answer could confirm, unless it asks for something else.
_QUESTION = pattern(
    r"(?P<asked>^(?!.*\b(?:(?:for|in|at|of|on|under) (?:which|what|whom?)|what|how|why|whose|or)\b"
    r"|\s*(?:which|when|where|who)\b)\s*(?:(?:so |and |but )?(?:do|can|may) (?:we|you|I) (?:really |also )?"
    r"(?:have|say|claim|write|conclude|use)(?: that)?\b(?! for\b))?)(?P<claim>.*?)"
    r"(?:(?<=\S)[,.;:]?\s*\b(?:(?:is that |is this )?(?:ok|okay|right|correct|agreed|true)))?\s*\?\s*$"
)
_SAYS_MORE = re.compile(r"[=<>≤≥∈~]|\$\s*[A-Za-z]")


def unframed(text: str) -> tuple[str, list[str]]:
    """A text without its environment, title, number and references, and the sentences that are left out before it."""
    text = _QUESTION.sub(lambda m: " " * m.end("asked") + m["claim"], text).ljust(len(text))
    for frame in _FRAME:
        text = frame.sub(lambda m: m[0] if any(t and not light(t) for t in m.groups()) else " " * len(m[0]), text)
    left_out = []
    sentence = re.compile(r"\s*((?:[^$\\.]|\$\(?[\w-]{1,3}\)?\$)*)\.(?=\s+[A-Z$\\])")  # one without a formula
    at = 0
    about = PROMISE.search(text) is not None
    while (first := sentence.match(text, at)) and light(first[1]) and not _SAYS_MORE.search(without_nouns(first[1])):
        if about and of_mechanisms(first[1]):
            break
        left_out.append(first[1])
        at = first.end()
    return " " * at + text[at:], left_out


def _put(m: re.Match[str], words: str | Callable[[re.Match[str]], str], found: list[str]) -> str:
    """Other words for a match, as long as it is; clauses of any words in it are told, and may not matter."""
    if any(words in m.re.pattern for words in _FREE):
        kept = m.groupdict().get("keep") or "\n"
        if not light(m[0].replace(kept, " ")) or (PROMISE.search(m.string) and of_mechanisms(m[0])):
            return m[0]
        found.append(" ".join(m[0].replace(kept, " ... ").split()).strip(" ,."))
    elif m.groupdict().get("told"):
        found.append(" ".join(m["told"].split()))
    return (words(m) if callable(words) else m.expand(words)).ljust(len(m[0]))


def of_mechanisms(words: str) -> bool:
    """Whether a clause names a promise, a law, a number or a neighbour, which may say what is meant."""
    if "parallel" in words or (PROMISE.search(words) and ":" not in words):
        return True
    found = [word_at(words, m.start(), True) for m in re.finditer(r"\b[A-Za-z]", words)]
    return any(f and f[0] in ("KEY", "NUMBER", "MARK") and f[1] not in ("composition", "conversion") for f in found)


_KL = pattern(
    r",?\s*\b(?:where|let|here,?) \$(?P<name>[A-Za-z])\s*\([^()$]*\)\$ (?:denotes?|is|be) the"
    r" (?:(?:binary|Bernoulli) (?:relative entropy|(?:KL|Kullback-Leibler) divergence)"
    r"|(?:relative entropy|(?:KL|Kullback-Leibler) divergence) (?:between|of) (?:the |two )?Bernoulli"
    r" (?:distributions|laws|(?:random )?variables)(?: (?:with|of) (?:means?|parameters?) \$[^$]+\$"
    r"(?: and \$[^$]+\$)?)?)"
    r"(?:\.(?= [A-Z])|(?=[,;]|\.?\s*$))"
)


_BAR = r"(?:\\[,;!]|\s)*(?:\\\||\|\||\\(?:parallel|Vert)(?![a-z]))(?:\\[,;!]|\s)*"
_DIVIDED = re.compile(
    rf"(?<![A-Za-z\\{{])(?P<name>[A-Za-z]|(?!kl|KL|TV)[A-Z]{{2,3}}|\\(?:mathrm|operatorname|text)\{{(?!kl|KL|TV)\w+\}})\s*\(\s*{NAME}{_BAR}{NAME}\s*\)\s*:?="
)


def _with_comma(text: str) -> str:
    """A statement that says what d(p || q) is, with d(p, q) for it."""
    if not (m := _DIVIDED.search(text)):
        return text
    return re.sub(rf"(?<![A-Za-z\\])({re.escape(m['name'])}\s*\([^|]*?){_BAR}", r"\1,", text)


def _with_kl(text: str) -> str:
    """A statement in which a letter is said to be the relative entropy of Bernoulli laws, with kl for it."""
    if not (m := _KL.search(text)):
        return text
    rest = text[: m.start()] + text[m.end() :]
    return re.sub(rf"(?<![A-Za-z\\]){m['name']}(?=\s*(?:\\[bB]igg?l?\s*)?\()", r"\\mathrm{kl}", rest)


_IS_LAW = rf"(?P<name>[PQR](?:_\d)?|\\(?:mu|nu))\s*:?=\s*(?P<law>{_LAW})"
_ONE_LAW = re.sub(r"\?P<\w+>", "?:", _IS_LAW)
_LAWS_NAMED = pattern(
    r"(?:\b(?:let|for|with|given|set|put|where)|,) (?:(?:the|any|two|Bernoulli|normal|Gaussian|probability"
    r"|distributions?|laws?|measures) )*"
    rf"(?P<all>\$\s*{_ONE_LAW}(?:(?:\s*\$)?(?:\s*,\s*|,? and )(?:\$\s*)?{_ONE_LAW})*\s*\$)"
    r"(?:[.,] then\b| (?=(?:with|for|and)\b)|[.,]|(?=\s*$))"
)


def _with_laws(text: str) -> str:
    """The text with Ber(p) for P where it says "let P = Ber(p)"; p is a probability then."""
    if not (m := _LAWS_NAMED.search(text)):
        return text
    laws = {n["name"]: n["law"] for n in re.finditer(_IS_LAW, m["all"])}
    rest, ranges = text[m.end() :].lstrip(), ""
    lead = "Let" if re.match(r"(?:with|for|and)\b[^.]*\.", rest) and not text[: m.start()].strip() else ""
    text = f"{text[: m.start()]}{lead} {re.sub(r'^(?:with|for|and)', '', rest) if lead else rest}"
    for name, law in laws.items():
        beside = r"(?=\s*(?:\\(?:right|middle|[,;!]))*\s*(?:\\?\||,|\)|-|\\parallel))"
        text = re.sub(rf"(?<![A-Za-z\\]){re.escape(name)}{beside}", lambda _, law=law: law, text)
        p = re.search(r"(?<=\()\s*(\\?[a-z]+)\s*(?=\)$)", law)
        if (
            p
            and "N" not in law
            and not re.search(rf"{re.escape(p[1])}(?:\s*,\s*\\?\w+)*\s*(?:\\in|[<>]|\\[lg]e)", text)
        ):
            ranges += f", ${p[1].strip()}\\in[0,1]$"
    return re.sub(r"\s*\.?\s*$", "", text) + (f" for {ranges[2:]}" if ranges else "")


_SQUARED = re.compile(r"(?<![A-Za-z\\])(?P<name>[A-Z])\^\{?2\}?(?=\s*\((?:[a-z],\s*)*[a-z]\)\s*:?=)")


def _with_plain_name(text: str) -> str:
    """ "H^2(p, q) = ...": a name of a function with 2 in it, unless H(p, q) stands somewhere as well."""
    if not (m := _SQUARED.search(text)) or re.search(rf"(?<![A-Za-z\\]){m['name']}\s*(?:_[^^()]*)?\(", text):
        return text
    return re.sub(
        rf"(?<![A-Za-z\\]){m['name']}\^(?:2|\{{2\}})(?=\s*\()", lambda n: f"{m['name']}'".ljust(len(n[0])), text
    )


_RANGES = rf"{RANGE}(?:(?:,|,?\s+and)\s+{RANGE})*"
_IN_BETWEEN = re.compile(
    rf"(?P<before>,\s+|\b)(?P<for>(?:for|with|where)\s+)(?:(?:all|any|every|each|fixed)\s+)?(?P<said>{_RANGES})(?P<after>,?)"
    rf"|,\s+(?P<beside>{_RANGES})(?P<ends>,|(?=\s*\.))|(?P<word>[a-z])\s+(?P<inline>(?=\$\s*(?P<name>{_LETTER})\s*[^,]){RANGE})(?=\s+[a-z(]|[,.])"
)
_LED = pattern(
    rf"\s*(?:let|for(?: all| any| every| each)?|fix|given|suppose|assume)\s+{_RANGES}(?:\s+be\b[^.,$]*)?[.,]?"
)
_LED_ON = pattern(
    rf"\s*(?:for(?: all| any| every| each)?|given|if|when|whenever)\s+(?P<said>{_RANGES})"
    rf",?(?: then)? (?!and\b|be\b)(?=[a-z])"
)


def ranges_behind(text: str) -> str:
    """A sentence about mechanisms with the ranges that stand in its middle told at its end."""
    text = re.sub(r"\$\s*(?:\\math(?:cal|sf|bf|rm)\s*)?\{?\s*[MA]\s*\}?\s*\$", "M", text)
    text = re.sub(
        r"^\s*Let\s+M\s+(?:be|satisfy)\s+(?:an?\s+)?([^.]*?)\.\s+([A-Z])",
        lambda m: f"If M is {m[1]}, then {m[2].lower()}",
        text,
    )
    lead = _LED.match(text)
    moved: list[str] = []
    if not (lead and lead[0][-1] in ".,") and (led := _LED_ON.match(text)):
        moved, text, lead = [led["said"]], text[led.end() :], None

    def rest(m: re.Match[str]) -> str:
        numbered = m["inline"] and re.search(
            r"\b(?:integers?|reals?|for|all|any|every|each|and|with)$", m.string[: m.end("word")]
        )
        if m.start() == 0 or numbered or (m["for"] and not PROMISE.search(m.string, m.end())):
            return m[0]
        moved.append(m["said"] or m["beside"] or m["inline"])
        if m["inline"]:
            return f"{m['word']} ${m['name']}$"
        return " " if m["said"] and not m["after"] else ", " if m["ends"] or m["after"] else ""

    begin = lead.end() if lead else 0
    bare = text[:begin] + _IN_BETWEEN.sub(rest, text[begin:])
    if not moved:
        return text
    bare = re.sub(r"([:.])\s*,", r"\1", bare.rstrip(" .,"))
    told = re.search(rf"\bfor\s+(?:(?:all|any|every|each)\s+)?{_RANGES}$", bare)
    return f"{bare}{',' if told else ' for'} {', '.join(moved)}"
