"""Clauses of any words around a formula: what they say is left out where no word in them can change the formula.

No list holds all words of English. So a clause is left out by its place and its form (a reason before a comma, what a
formula is called before a colon, a consequence at the end) and only if all words that say how, where or whether
something holds are missing. The reader of the verdict is told what is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from banditproof.verify.judge.reading.tables import pattern
from banditproof.verify.judge.reading.words import NO_NAME

MATH = r"(?:\$|\\\(|\\\[|\\begin\b)"
IN_MATH = r"\$\$.*?\$\$|\$[^$]*\$|\\\[.*?\\\]|\\\(.*?\\\)"  # over lines, where a dot is any sign
# What a quantifier or an assumption begins with: the words before it end there.
NEXT = rf"(?=\s*(?:{MATH}|(?:for|if|when|whenever|there|the\s+(?:function|map|sequence)|let|provided)\b))"
# A formula that compares nothing, such as a name: it may stand in a clause that is left out.
TERM = (
    r"\$(?:_\{[^{}$]*\}|(?!\\(?:[lg]eq?|[lg]eqslant|in|to|sim|approx|n?eq?|ll|gg|subset\w*|mid)(?![a-z]))[^$<>=~])*\$"
)
_ANY = rf"(?:[^$,;:.\\]|,(?=\s)|{TERM})*?"
ONE = r"[^$,;:.\\]*?"  # of one clause, without formulas
_NOUN = r"(?:inequality|bound|estimate|identity|relation|fact|refinement|variant|version|comparison|expansion|sandwich)"
_PLAIN = r"(?:(?!(?:of|to|than|in|by|from|at|between|behind|against)\b)[\w'’-]+\s+)"
_OBTAIN = r"(?:(?:we|one)\s+(?:then\s+|also\s+)?(?:obtain|get|find|see|have|conclude|deduce)s?\s+(?:that\s+)?)?"
_DOING = (
    r"(?:Us|Apply|Invok|Summ|Integrat|Differentiat|Combin|Expand|Multiply|Divid|Rearrang|Invert|Iterat|Telescop"
    r"|Exponentiat|Optimi[sz]|Maximi[sz]|Minimi[sz]|Compar|Insert|Plugg|Substitut|Recall|Not|Observ|Unroll|Bound|Collect"
    r"|Add|Subtract|Squar|Tun|Follow|Unfold|Simplify|Evaluat|Factor|Complet)ing"
)
_REF = (
    r"(?<=\d)\.(?=\d)|\\(?:eq|auto|[cC])?ref\s*\{[^{}]*\}|\\cite[a-z]*\s*(?:\[[^\]]*\]\s*)*\{[^{}]*\}|~|\bet\s+al\."
    r"|\be\.g\.|[,;]"
)
_LONG = rf"(?:[^$,;:.\\~]|{_REF}|{TERM})*?"  # several clauses
_SAID = (
    r"\b(?:show(?:s|n|ed)?|see[ns]?|saw|find[s]?|found|get|gets|obtain(?:s|ed)?|have|has|follows?|hold[s]?|recall(?:s|ed)?"
    r"|not(?:e|es|ed|ing|ice)|observ(?:e|es|ed|ing)|kn(?:ow|own|ew)|us(?:e[sd]?|ing)|check(?:s|ed)?|verif(?:y|ies|ied)"
    r"|prov(?:e[sdn]?|ing)|impl(?:y|ies)|entails?|conclude[sd]?|deduce[sd]?|reveals?|states?|says?|tells(?:\s+us)?|yields?"
    r"|gives?|ensures?|guarantees?|means?|mention(?:s|ed)?|pointing\s+out|remark(?:s|ed)?|exploit[s]?|establish(?:es|ed)?"
    r"|facts?|observation|exercise|clear|obvious|true|known|elementary|classical)"
)
_FINDS = (
    r"\b(?:expect|guess|suggest|find|get|obtain|see|use|have|exploit|invoke|via|establish|deduce|conclude|yields?|gives?|implies|entails|states?"
    r"|satisf(?:y|ies)|obeys?|(?:sharpened|improved|strengthened|refined|written|rewritten|restated)\s+(?:to|as|in\s+the\s+form))"
)
# Each ends in what says that a formula follows.
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{_LONG}(?:{_SAID}(?:\s+\w+){{0,3}}(?:,[^,$]*,)?\s+that|{_FINDS}"
        rf"|,?\s+(?:since|because)|\b(?:hinges?|rests?|rel(?:y|ies)|builds?)\s+on|boils?\s+down\s+to|in\s+the\s+form"
        rf"|\bis\s+(?:the|an?)\s+{_PLAIN}{{0,3}}{_NOUN})\s+{NEXT}",
        rf"{_ANY}(?::|,\s+(?:that\s+is|namely|i\.e\.|in\s+symbols|in\s+other\s+words),?)\s+{NEXT}",
        rf"(?:[Bb]y|[Vv]ia|[Uu]sing|[Ff]rom|[Aa]s|[Ss]ince|[Bb]ecause|{_DOING})\s+{ONE},\s+{_OBTAIN}{NEXT}",
        rf"(?:[Tt]he|[Oo]ur|[Tt]his|[Ii]ts|[A-Z]\w+ing)\s+{_ANY}\b(?:satisf(?:y|ies)|obeys?|fulfils?|gives?|yields?|reads?"
        rf"|(?:is|are)\s+(?:bounded|controlled|dominated)(?:\s+from\s+\w+)?\s+by"
        rf"|admits)(?:\s+(?:the|an?)\s+{_PLAIN}{{0,4}}{_NOUN})?\s+(?={MATH})",
        rf"(?:[Tt]he|[Aa]n?|[Oo]ur|[Tt]his)\s+{_PLAIN}{{0,4}}{_NOUN}\s+(?={MATH})",
    )
)
# What may change what a formula says, besides what is no name: no clause with such a word is left out.
_WEIGHTY = re.compile(
    r"(?:n[’']t|cannot|untrue|violat|contra|oppos|revers|disprov|refut|erron|bogus|naiv|counter|provided|subject|exist"
    r"|there|given|fix|denot|defin|such|until|once|soon|long|enough|infinit|constants?|leading|modul|worst|best"
    r"|convention|event|distinct|rational|natural|real(?!i)|prime|even|odd|whole|positive|negative|least|ask|whether"
    r"|need|require|ignor|neglect|suppress|discard|disregard|forg[eo]t|lack|miss|drop|omit|condition|necess|were$|had$|chance"
    r"|odds|likel|unlikel|round(?:ed|ing|s? ?(?:up|down|off))|nearest"
    r"|regime|cases?$|settings?$|scenario|percent|units?$|imagin"
    r"|(?!like)\w+wise|fallac|impossib|misconcep|pitfall|absurd|tempt|retract|remaining$|others?$|rest$|sorted|ordered"
    r"|myth|wish|fear|deni|deny|exclud|rule[sd]? out|prevent|taking|setting|choos|chosen|pick|hope|hoping|guess|doubt"
    r"|suspect|believ|alleg|hypoth|attempt|try|tri(?:es|ed)|pretend|formal|truncated|sometimes|seldom|strict|hardly|barely"
    r"|scarcely|twice|thrice|negation|negated|complement|both$|dual"
    r"|essential|instead|within|factor of|complex|matri|vector|opera)[\w'’-]*",
    re.IGNORECASE,
)
# "As the horizon grows, ...": for large numbers only
_GROWING = pattern(r"as\b.*\b(?:grow|increas|decreas|shrink|vanish|diverge[sd]?\b|tend|approach|go(?:es)?\b|becom|get)")
# "By the fact that A, B": A is assumed
_GIVEN = pattern(r"(?:by|under|from|given|with|using|because of|due to)\b[^,]*\bthat\s*$")
# Where a word that may matter says nothing.
_AS_NOUN = pattern(
    r"\$[^$]*\$|\b(?:one|we) (?:can|may)(?= (?:use|apply|invoke|see|show|check|verify))"
    r"|\blet us (?=\w)|\bfor (?:the reader['’]s |the )?"
    r"(?:convenience|completeness"
    r"|later use|future reference|example|instance|readability|brevity|clarity|pointing out|accounting|proof"
    r"|analysis)\b|(?<=ing) twice\b"
    r"|^the (?:[\w-]+ )?constant (?=satisf)"
    r"|\bbut (?=[\w-]+ (?:(?:lower|upper) )?(?:bound|inequality|estimate)\b)|\b(?:lower|upper) (?=bounds?\b)"
    r"|^taking (?:natural )?(?:logarithms|logs|square roots|roots|reciprocals)\b"
    r"|^(?:the )?probability (?:that|of)\b"
    r"|\breverse (?=(?-i:[A-Z]))"
    # What a referee says of a formula: "I would guess", "the line should read", "for the lower tail", "in (12)".
    r"|\bI (?:(?:would|should|might|could|can|do|really|only) )?(?:add|argue|believe|claim|expect|guess|propose|say"
    r"|suggest|suspect|think|write)\b|\bone (?:could|should|might|may) (?:add|say|write)\b"
    r"|\bshould (?:read|say|state|be (?:read|stated|written))\b(?: as\b)?|(?<!\$\s)\bshould be (?=\$)"
    r"|\bfor the (?:(?:lower|upper|left|right) tail|(?:(?-i:[A-Z])[\w-]+ )?(?:bound|inequality|lemma|mechanism))\b"
    r"|\b(?:the|an?|no) (?:condition|restriction|assumption|hypothesis) on \$[A-Za-z]\$ is (?:not )?"
    r"(?:needed|missing|necessary|superfluous)\b|\bthe constant (?:\$[\d./]+\$ )?is (?:correct|fine|right)\b"
    r"|\b(?:first|second|third|higher)-?order\b|\border\$?-?\d\$?"
    r"|\b(?:the|[A-Z][a-z]+['’]s) constants? (?:under|in|before) the \w+\b|\b[A-Z][a-z]+['’]s constants? is\b"
    r"|\(\d+[a-z]?\)"
    r"|\brandomi[sz]ed response\b|\bfor an? (?:(?:fair|biased|single) )?(?:coin|bit)\b(?=\W*$)"
    r"|\bneed the following|\be\.g\.|\b(?:tail|failure|error|success|sampling|Poisson|binomial) probabilit(?:y"
    r"|ies)|\bprobability\s*$"
)
_BASED = pattern(
    r".*\b(?:base\b|(?:max|sup|infinity|one|two|spectral|operator|[a-z]+_?\d)[- ]norms?\b"
    r"|bits\b|nats?\b|(?!the |of |natural )\w+ log(?:arithm)?s?\b)"
)
_CONNECTING = frozenset(
    "and or with over under binary high low lower one two conversion ordering orderings counter counters"
    " encounter".split()
)


# Adverbs that say nothing about what holds; any other may ("morally", "nominally").
_ADVERBS = frozenset(
    "directly easily immediately clearly obviously readily simply trivially repeatedly namely family apply supply imply"
    " reply rely multiply considerably recently surprisingly separately finally similarly consequently accordingly"
    " additionally importantly fortunately unfortunately remarkably interestingly notably evidently early".split()
)


def is_weighty(word: str) -> bool:
    """Whether a word may change what a formula says."""
    no_name = NO_NAME.fullmatch(word) is not None and word.lower() not in _CONNECTING
    adverb = word.lower().endswith("ly") and word.lower() not in _ADVERBS
    return no_name or adverb or _WEIGHTY.fullmatch(word) is not None


# What no clause of words has: a formula of plain text stands in it.
_SIGNS = re.compile(r"(?<![\w'’.-])[b-z](?![\w'’.-])|[=<>+*^|≤≥]|\s/\s|\d\s*/\s*\d")


def without_nouns(words: str) -> str:
    """The words without those that say nothing where they stand."""
    return _AS_NOUN.sub(
        lambda m: m[0] if m[0].startswith("$") and re.match(r"\$\s*\(?\d", m[0]) is None else " ", words
    )


def light(words: str) -> bool:
    """Whether no word of a clause, outside of its formulas, may change what a formula beside it says."""
    if sum(
        re.fullmatch(r"\$\s*(?:\\?\w+|\(\d+[a-z]?\)|-\d)\s*\$", t) is None for t in re.findall(TERM, words)
    ) > 1 or _GIVEN.match(words):
        return False
    if _SIGNS.search(re.sub(TERM, " ", words)) or re.search(r"\$\s*(?:[\[(][^$]*,|\\mathbb)", words):
        return False
    words = _AS_NOUN.sub(" ", words)
    return not (
        any(map(is_weighty, re.findall(r"[^\W\d_][\w'’]*", words))) or _GROWING.match(words) or _BASED.match(words)
    )


def clause_before(text: str, at: int, fits: Callable[[str], bool]) -> int:
    """Where a clause that begins here ends, which names what follows, or its reason; 0 without one that fits."""
    before = re.split(r"\.\s+(?=[A-Z]|$)", text[:at])[-1]
    forms = _FORMS if not before.strip() else _FORMS[2:]
    for form in forms:
        if (m := form.match(text, at)) and m.end() > at:
            if re.search(r"[^\W\d_]{2}", re.sub(TERM, " ", m[0])) and light(m[0]) and fits(m[0]):
                return m.end()
    return 0
