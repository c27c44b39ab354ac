"""Words around a formula that say nothing about its mathematics: who says it, why, where it is used.

They are left out, and the reader of the verdict is told which. A word that is not listed here is never left out: what
has a quantifier, an assumption, a negation or "about" in it stays, and is read by the grammar or refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from banditproof.verify.judge.reading.clauses import MATH, clause_before, pattern
from banditproof.verify.judge.reading.rewording import DONE, NAME, OF_ROLES, ROLE, of_mechanisms, reworded
from banditproof.verify.judge.reading.words import NO_NAME, PROMISE, word_at

_HEAD = (
    r"by|using|via|in|for|to|as|from|with|integrating|differentiating|summing|rearranging|expanding|combining|dividing"
    r"|multiplying|plugging|inserting|substituting|iterating|telescoping|(?:maxim|minim|optim)i[sz]ing"
)
_CAN = (
    r"may\s+(?:also\s+)?(?:use|apply|invoke)"
    r"|can\s+(?:also\s+|easily\s+|readily\s+|now\s+)*(?:be|check|show|verify|see|prove|use|apply)"
)
_REFERENCE = (
    rf"{_CAN}|follows\s+(?:since|because|as)|in\s+order\s+to|"
    r"\\(?:eq|auto|[cC])?ref\s*\{[^{}]*\}|\\cite[a-z]*\s*(?:\[[^\]]*\]\s*)*\{[^{}]*\}|\[\d+\]"
    r"|(?:section|lemma|theorem|proposition|corollary|claim|chapter|appendix|equation|eq\.|fact|step|part|remark)[\s~]+"
    r"(?:\(?\d+(?:\.\d+)*\)?|\(?\\(?:eq)?ref\s*\{[^{}]*\}\)?|[A-Z]\b)"
)
_ASIDE = rf"\((?:see|cf\.?|also|e\.g\.?|for\s+(?:example|instance)|[,\s])*(?:{_REFERENCE})(?:[,\s]|and|{_REFERENCE})*\)"
_PLAIN = (
    "equivalently analogously specifically accordingly we one i it this that these the a an our its us here now "
    "then also again still true valid indeed conversely finally similarly likewise will be been is are was and or of "
    "in to at as on from for with by via so-called well very easily readily directly simply clearly obviously "
    "trivially "
    "immediately easy known well-known standard classical elementary simple basic useful famous following usual "
    "straightforward direct short routine quick crude handy first second third fourth last previous next final "
    "same other remaining lower upper group above below earlier later bound inequality inequalities bounds"
    " estimate identity "
    "formula fact facts result observation lemma theorem proposition corollary claim step steps term terms part "
    "proof argument arguments calculation computation algebra calculus definition section chapter appendix "
    "paper relation expansion use series induction inspection symmetry monotonicity convexity concavity "
    "continuity positivity boundedness integration differentiation comparison rearrangement rearranging "
    "substitution optimisation optimization strict triangle union reverse mean-value mean value arithmetic "
    "geometric arithmetic-geometric taylor's exponential function functions logarithm relative entropy "
    "divergence square root variables inversion processing data chain rule post-processing application "
    "reasoning display claims statement literature folklore sequel sandwich rest remainder reader derivative "
    "integral side sides left-hand right-hand hand both between two-sided one-sided phase once more shall "
    "repeatedly frequently throughout purpose preceding intermediate key main technical integrating "
    "differentiating summing expanding combining dividing multiplying plugging inserting substituting iterating "
    "telescoping maximising minimising optimising maximizing minimizing optimizing over logarithms exponentials "
    "regret analysis trick doubling algorithm policy rewards reward sum sums product ratio two three start "
    "starts refined improved explicit chain begin rounds phases epochs exploration exploitation tail tails proofs"
).split()
_SAYING = (
    "use used uses using apply applied applying invoke invoking note notes noted noting recall recalls recalled "
    "observe observed observing notice remark know knows see seen sees saw check checks checked verify verifies "
    "verified show shows shown prove proves proved proven establish establishes established obtain obtains "
    "obtained get gets have has had deduce deduced conclude concluded derive derived infer infers writes "
    "reads recover rewrite exploit rely follow follows followed remains says states stated asserts gives yields "
    "say state"
).split()
_WORD = re.compile(rf"(?:{_ASIDE}|{_REFERENCE})(?![A-Za-z])|[^\W\d_]+(?:(?:[-–]+|['’])[^\W\d_]+)*['’]?", re.IGNORECASE)
_HARMLESS = frozenset((*_PLAIN, *_SAYING))
_ADVERBS = (
    r"(?:indeed|equivalently|analogously|specifically|accordingly|conversely|finally|similarly|likewise|first|second|next|now|also|further|furthermore|moreover"
    r"|additionally|hence|thus|therefore|consequently|clearly|obviously|here|that is|in particular|in fact|in addition"
    r"|in turn|on the other hand|in other words|thereby|whence|namely|of course|as usual|as before|then)"
)
_OF_LAWS = re.compile(r"gauss|laplac|poisson|bernoulli|r[eé]nyi|exponential|geometric|normal|binomial", re.IGNORECASE)
# Where an aside may begin: a sentence, or what stands between commas.
_BEGINS = pattern(
    rf"(?:^|\.\s+(?=[A-Z])|,\s+|\b{_ADVERBS},\s+|\bthen\s+|(?<=\$)\s+(?=(?:(?:it|we|the|an?)|[A-Z][\w-]*['’]s?)\s))\s*"
)
_REASON = re.compile(rf"(?:{_HEAD})\b", re.IGNORECASE)
# "then by convexity A": a reason without a comma, which ends in what gives it
_BARE_REASON = re.compile(
    r"(?:by|via)\s(?:.*\s)?(?:symmetry|monotonicity|convexity|concavity|continuity|induction|(?:lemma|theorem|proposition"
    r"|corollary)[\s~]+\S+|\S*ref\s*\{[^{}]*\}|\\cite\S*\{[^{}]*\}|[A-Z][^\W\d_]+(?:[-–]+[A-Z][^\W\d_]+)*)$"
)
_VERBS = re.compile(rf"\b(?:{'|'.join(_SAYING)}|is|are|well-known|known)\b", re.IGNORECASE)
# "We use that A", "we obtain A", "a standard bound is A", "we use the inequality A": a formula is said, and no reason.
_TO_A_FORMULA = re.compile(
    rf"\b(?:(?:inequality|bound|estimate|identity|fact|result|observation)(?: (?:here|then))? is|{'|'.join(_SAYING)}"
    r"|inequality|bound|estimate|identity|fact|formula|relation|sandwich|follows? from|since|because)$",
    re.IGNORECASE,
)
_QUANTIFIED = pattern(
    r"(?P<keep>\b(?:(?:for\s+)?(?:all|every|each|any)|for|(?:^|(?<=\.\s))with|let|fix|given|,\s*(?:and\s+)?|and)\s+)"
    rf"(?P<words>(?:an?\s+|the\s+)?(?:{ROLE}(?=\s+\$\s*{NAME}\s*(?:,|\\in\b|\\[lg]e|[<>=]|\$(?!-)))"
    rf"|{ROLE}(?=\s+\$\s*0\s*(?:<=?|\\leq?)\s*{NAME}\s*(?:<|\\l))"
    rf"|(?:(?:{OF_ROLES})\s+)*probabilit(?:y|ies)(?=\s+\$\\?[A-Za-z]+\s*(?:(?:,\s*|\$\s+and\s+\$)\\?[A-Za-z]+\s*)*\\in\s*[(\[]\s*0\s*,\s*1\s*[)\]])))"
)
_COUNTED = pattern(
    r"(?P<keep>\b(?:for\s+)?(?:every|each|any|for\s+an?)\s+)(?:fixed\s+|given\s+)?number of"
    r" (?:rounds|arms|actions|steps|samples|users|records|players|phases|queries|pulls|trials)(?=\s+\$)"
)
_REGIME = pattern(r"\bin the (?:(?:high|low)-privacy )?(?:regime|case|range)(?: where| that)?(?=\s+\$)")
_IS_ROLE = pattern(
    r"(?P<keep>\b(?:where|let)\s+\$[^$]*(?:\\in\b|\\[lg]e(?:q|qslant)?(?![a-z])|[<>])[^$]*(?P<unit>[(\[]\s*0\s*,\s*1\s*[)\]])?\$)"
    rf"\s+(?:is|denotes?|be) (?:the|an?) (?:{ROLE}|(?(unit)(?:(?:{OF_ROLES})\s+)*probability|(?!)))"
    r"(?: of (?:(?:an?|the|each|every) )?(?:(?:sub)?optimal |best )?(?:arm|action|policy|algorithm"
    r"|mechanism|query|test)(?: \$\\?\w+\$)?)?"
    r"(?=\s*(?:[.,;]|$|and (?:let\b|\$)))"
)
_BEHIND = pattern(
    r"(?<=[$\])])(?:,\s*|\s+)(?P<words>(?:by|see|cf\.?)\s+(?!one\b)[^$.;()]*?|\((?:by|see|cf\.?|e\.g\.,?)"
    r"\s+[^$()]*\)|\([A-Z][^\W\d_]+(?:['’]s)?(?:[-–]+[A-Z][^\W\d_]+)*(?:\s+(?:inequality|bound|lemma|theorem))?\)|\\cite[a-z]*\s*\{[^{}]*\})"
    r"(?=\s*\.?\s*$)"
)


def without_asides(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with spaces for what says nothing about its mathematics, and a sentence for each part left out."""
    if not isinstance(text, str):
        return text, ()
    text, found = reworded(text)
    for begin, end in _spans(text):
        found.append(" ".join(text[begin:end].split()).strip(" ,:~"))
        # "If A, we see that B": what is claimed begins here
        then = re.search(r"[,$.]\s+$", text[:begin]) and not re.search(r"[,:]\s*$", text[begin:end]) and end - begin > 5
        blank = re.sub(r"\S", " ", text[begin:end])
        if re.search(r"\$\s+$", text[:begin]):  # "For $x > 0$ the bound A holds": a range, and what is claimed
            blank = "," + blank[1:]
        text = text[:begin] + (" then".ljust(len(blank)) if then and _says(text[begin:end]) else blank) + text[end:]
    text = _COUNTED.sub(lambda m: m["keep"] + "integer".ljust(len(m[0]) - len(m["keep"])), text)
    text = _REGIME.sub(lambda m: "for".ljust(len(m[0])), text)
    return text, tuple(w[2:] if w[:2] == "= " else f"'{w}' is left out as a remark" for w in found if w)


def _says(words: str) -> bool:
    """Whether a formula is said behind these words, which are no remark on a variable or behind a formula."""
    return bool(_VERBS.search(words)) and not _BEHIND.match(words)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    about = PROMISE.search(text) is not None
    for m in (*_QUANTIFIED.finditer(text), *_IS_ROLE.finditer(text)):
        yield m.end("keep"), m.end()
    if (m := _BEHIND.search(text)) and re.search(MATH, text) and _harmless(m["words"].strip("()"), about):
        yield m.start(), m.end()
    end = -1
    for m in _BEGINS.finditer(text):
        if m.end() >= end and (stop := _lead_in(text, m.end(), about)):
            yield m.end(), (end := stop)


_NOT_STRICT = re.compile(r"\s*(?:\$+|\\\[|\\\()[^$]*(?:\\[lg]e(?:q|qslant)?(?![a-z])|[<>]=|[≤≥])")


def _lead_in(text: str, at: int, about: bool) -> int:
    """Where the words that say nothing end that begin at this place; 0 where there are none."""
    if end := clause_before(text, at, lambda words: not (about and of_mechanisms(words))):
        return end
    ends, i, begin = 0, at, at  # `begin`: of the clause
    while True:
        if m := re.compile(r"\$\s*\\?[A-Za-z]+\s*\$(?:-?th\b)?").match(text, i):
            if not re.search(r"\b(?:of|in|the)\s+$", text[begin:i]):
                break
        elif not (m := _WORD.match(text, i)) or not _harmless(m[0], about, i > at):
            break
        i = m.end()
        said, rest = " ".join(text[begin:i].split()), text[i:]
        if (m := re.match(r"\s*[,:](?=\s)\s*", rest)) and _may_end(said):
            i = ends = begin = i + m.end()
            continue
        if re.search(r"\bthat$", said) and _states(said) and re.match(r"\s", rest):
            ends = i + 1
        elif re.match(rf"\s*{MATH}", rest) and _before_formula(said, about):
            ends = 0 if re.search(r"\bstrict\b", said) and _NOT_STRICT.match(rest) else i
        if not (m := re.match(r"[\s~]+", rest)):
            break
        i += m.end()
    return ends


def _before_formula(said: str, about: bool) -> bool:
    """Whether a formula that is said follows these words: "we obtain", "the elementary inequality", "by convexity"."""
    named = re.fullmatch(
        r"(?:the|an?|[A-Z][\w-]*['’]s?)\s(?:.*\s)?(?:inequality|bound|estimate|identity)", said, re.IGNORECASE
    )
    if re.search(rf"\b{DONE} of\b", said, re.IGNORECASE):
        return False
    if _BARE_REASON.fullmatch(said[:1].lower() + said[1:]):
        return True
    return not about and bool(named or (_TO_A_FORMULA.search(said) and _states(said)))


def _may_end(said: str) -> bool:
    """Whether a comma or colon ends a reason, or who says it: "By symmetry,", "we have:"."""
    last = re.search(r"[A-Za-z'’]+$", said)
    ends_well = last is None or last[0].lower() not in ("a", "an", "the", "of", "in", "to", "by", "and", "or", "that")
    alone = re.fullmatch(rf"\s*{_ADVERBS}\s*", said, re.IGNORECASE)
    return bool(alone) or (ends_well and bool(_REASON.match(said.lstrip()) or _states(said)) and " " in said.strip())


def _states(said: str) -> bool:
    """Whether words say that something holds, and do not give it as a reason for something else."""
    if not _VERBS.search(said) and not re.search(r"\b(?:fact|observation|remark|result|claim) that$", said):
        return False
    reason = re.match(
        r"\s*(?:by|using|via|from|with|as|since|because|given|noting|applying|invoking)\b", said, re.IGNORECASE
    )
    return not reason or bool(re.search(r"\b(?:we|one|it|this|us)(?:\s+\w+){1,5}$", said))


def _harmless(words: str, about: bool, within: bool = True) -> bool:
    """Whether every word is listed, or a name within a sentence, and none has a meaning in a sentence on mechanisms."""
    rest = _WORD.sub(lambda m: "" if _one_harmless(m, about, within or m.start() > 0) else m[0], words)
    return not re.search(r"[^\s~,:()\[\].'’–-]", rest)


def _one_harmless(m: re.Match[str], about: bool, within: bool) -> bool:
    word = m[0]
    if re.fullmatch(rf"{_ASIDE}|{_REFERENCE}", word, re.IGNORECASE):
        return True
    if about and (phrase := word_at(m.string, m.start(), True)) and phrase[0] in ("KEY", "NUMBER", "MARK"):
        return False
    name = word[0].isupper() and not NO_NAME.fullmatch(word) and not (about and _OF_LAWS.match(word))
    name = name and (within or re.fullmatch(r".*['’]s?|[^\W\d_]+[-–]+[A-Z].*", word) is not None)
    parts = re.split(r"[-–]+", word.lower())
    return name or word.lower() in _HARMLESS or all(part in _HARMLESS for part in parts)
