r"""A sentence sorted by its clauses: what it claims, what it assumes, what it defines, and words that only accompany.

No list holds the words of English, so words are told apart by what stands beside them. A formula that compares is
claimed, unless "for", "if", "with" or their kind stand before it, or it can only be the range of a number; the equation
of a letter that has no range says what the letter is. All other words are set aside, and told, if none of them may
change what a formula says, if nothing is done to a formula in them ("the square of $x$"), and if the words behind a
claim are a reason or a remark. What is left is told anew in the words of the grammar, which reads it or refuses it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from banditproof.verify.judge.formulas.sentence import Unread, which
from banditproof.verify.judge.reading.clauses import IN_MATH, light, pattern
from banditproof.verify.judge.reading.rewording import CHANGES
from banditproof.verify.judge.reading.words import GREEK, NO_NAME, PROMISE, word_at

_SKIPPED = (
    r"\b(?:e\.g|i\.e|cf|etc|et\s+al|vs|w\.r\.t|[Tt]hm|[Ll]em|[Pp]rop|[Cc]or|[Ee]q|[Ss]ec|[Ff]ig|[Cc]h|pp?)\.,?"
    r"|\\cite[a-z]*\s*(?:\[[^\]]*\]\s*)*\{[^{}]*\}|\\(?:eq|auto|[cC])?ref\s*\{[^{}]*\}|\[\d+(?:,\s*\d+)*\]|~"
    r"|\\[ ,;:!/]|\\q?quad(?![a-z])|(?<=\$)-(?=[a-zA-Z])|(?<=[A-Za-z]\s)\(?\d+(?:\.\d+)*\)?(?=[\s.,;:)])"
    r"|,?\s*\(?\$(?:19|20)\d\d\$\)?(?=[\s.,;:)])|\b(?:Theorem|Lemma|Proposition|Corollary|Section|Chapter|Step|Claim|Fact"
    r"|Remark|Equation|Appendix)\s+\$[\d.]+\$"
)
_PIECE = re.compile(
    rf"(?:{_SKIPPED})|(?P<called>\$[^$]{{1,9}}\$-[a-z][\w-]*)|(?P<formula>{IN_MATH}|\\begin\{{(?P<kind>\w+\*?)\}}.*?\\end\{{(?P=kind)\}})"
    r"|(?P<stop>[.?!](?=\s|$))|(?P<comma>,\s{5,}|,?\s*\b(?:that\s+is(?:\s+to\s+say)?|in\s+(?:other\s+words|symbols|formulas))\b,?|[,;:])|(?P<open>[(\[])|(?P<close>[)\]])|(?P<quote>[\"“”‘’'`.]+)"
    r"|(?P<word>[^\W\d_]+\d*(?:(?:[-–]+|['’])[^\W\d_]+)*['’]?)|(?P<other>\S)",
    re.DOTALL,
)
_REL = re.compile(
    r"[<>=≤≥≠∈~≈∼]|\\(?:[lg]eq?|[lg]eqslant|neq?|in|to|sim|approx|asymp|succeq|preceq|coloneqq)(?![A-Za-z])"
)
_LETTER = (
    r"(?:\\(?!frac|tfrac|dfrac|sqrt|log|exp|ln)[a-zA-Z]+|[^\W\d_]|(?:eps|lam|Delta|" + "|".join(GREEK) + r")(?![a-z]))"
    r"(?:_?\d|_(?:\w|\{\w+\}|\\[a-z]+))?'*"
)
_NAMES = re.compile(rf"\s*\|?{_LETTER}(?:\s*,\s*{_LETTER})*\|?\s*")
_CALLED = re.compile(
    rf"\s*(?P<name>{_LETTER})\s*(?P<args>\(\s*{_LETTER}(?:\s*(?:,|\\?\|+)\s*{_LETTER})*\s*\))?\s*(?::=|\\coloneqq|=)(?![=<>])(?P<is>.*)",
    re.DOTALL,
)
_OPEN = re.compile(r"^\W*?(?:[+*/^<>=≤≥)]|-\s)|(?:[-+*/^<>=≤≥(]|\\cdot|\\times)\W*$")  # a part of a formula
_FUNCTION = re.compile(
    r"\\(?:log|ln|exp|[dt]?frac|sqrt|sum|prod|max|min|sup|Pr|Phi|sinh?|cosh?|tanh?)(?![a-z])|\^|[a-z]\("
    r"|[a-zA-Z] ?/|[+*]"
)
# What is done to a number, and prepositions: no formula stands right behind such a noun phrase.
_DONE = re.compile(
    r"(?:of|to|than|by|from|at|in|on|into|over|per|times|plus|minus|or|without|among|against|towards?|squared?|squares|roots?"
    r"|logs?|logarithms?|exponentials?|derivatives?|powers?|cubes?|reciprocals?|inverses?|negatives?|absolute|negation"
    r"|complement|conjugate|integrals?|primitive|sums?|series|products?|ratios?|quotients?|differences?|averages?|means?"
    r"|median|maxim(?:um|a|al)|minim(?:um|a|al)|suprem\w+|infim\w+|expect\w+|variances?|norms?|hull|limits?|floor|ceiling|factorials?"
    r"|transforms?|moments?|probabilit\w+|digits?|parts?|signs?)",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(r"of|to|than|by|from|at|in|on|into|over|per|with|without|among|against|towards?")
# Words behind which it is said that a formula holds.
_SAYS = re.compile(
    r"that|ha(?:ve|s|d)|gets?|got|obtain\w*|finds?|found|sees?|gives?|yields?|reads?|satisf\w+|obeys?|says?|states?"
    r"|shows?|tells?|claims?|conclude\w*|deduce\w*|arrives?|becomes|namely|asserts?|ensures?|guarantees?|knows?|notes?"
    r"|observe|recall|follows|prov\w+|verify|checks?",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"(?:by|from|us\w+|since|because|via|due|thanks|noting|recalling|as|invok\w+|apply\w*|combin\w+)", re.IGNORECASE
)
_ENDS = re.compile(
    r"(?:which|so|hence|thus|therefore|by|since|because|as|via|due|thanks|see|cf|proving|showing|giving|yielding|where|[Tt]his"
    r"|known|called|then|yields?|gives?|completes?|concludes?|finish(?:es)?|proves?|shows?|the proof (?:is|being))\b"
)
# What says where, when or for which numbers something holds: no clause of words begins with it.
_WHERE = re.compile(
    r"(?:in|on|at|under|around|after|before|during|beyond|near|past|away|close|beneath|above|below|off|until|till"
    r"|throughout|upon|along|across|outside|inside|within|amid|save|up|[Aa]mong|once|if|when|whenever|for|on|with|over)\b",
    re.IGNORECASE,
)
# What a lead of a definition may be.
_DEFINES = re.compile(
    r"\b(?:defin\w*|denot\w*|tak(?:e|ing)|choos\w+|choice|pick\w*|sett?(?:ing)?|put(?:ting)?|plug(?:ging)?|insert\w*"
    r"|substitut\w*|introduc\w+|abbreviat\w+|writ(?:e|ing)|letting|using|function|constant|here)\b",
    re.IGNORECASE,
)
_STAYS = re.compile(r"lies?|stays?|remains?|itself|indeed|always|also|thus|here|clearly|being|then|both", re.IGNORECASE)
_HYPOTHESES = frozenset({"when", "let"})
_SUPPOSED = re.compile(r"\b(?:we|one)\s+(?:have|has|let|know)|satisf", re.IGNORECASE)
# Behind a claim: what follows is claimed too
_ALSO = pattern(
    r"(?:(?:and|or) )?(?:which|this|that is|that means|hence|thus|so|therefore|consequently|equivalently|similarly)\b"
    r"(?: (?:also|then|in turn|that|we|it|one|gives?|yields?|implies|shows?|means|gets?|obtain|have|follows"
    r"|is equivalent to))*|to (?:get|obtain|show|see|conclude)(?: that)?|\w+ing (?:[\w-]+ ){0,6}?(?:(?:we|one) (?:gets?"
    r"|obtains?|has|have|finds?|sees?|deduces?|concludes?)|gives?|yields?|shows?|implies)(?: that)?"
)
_CLAIMED = "is this part claimed or assumed? Write 'and' or 'when' before it"
_OF_ONE = (
    r"[Ff]or (?:the\b|(?!an?\b)(?:\S*[^s ]\b ?)*$)"  # what is spoken of; "for sorted arms" may say for which numbers
)
_QUIET = frozenset({"", "IS", "AND", "THEN", "IN", "ON", "AS", "WITH", "ARROW", "ASSUME", "IMPLIES"})
_GIVEN = frozenset({"given", "reason", "on", "as"})
_DETERMINERS = r"(?i:the|our|this|that|its|an?|another)"
_SUBJECTS = frozenset("we one it this they i".split())
_LINKS = frozenset({"SIGN", "IN", "ARROW", "IS", "SHAPE", "STRICTLY", "BOTH", "AND", "MARK", "DOTS"})


_THAN = r"(?:smaller|larger|less|lower|more|greater|bigger|worse|better|weaker|stronger|sharper|tighter)"
_PART = r"(?:\s*(?:half|twice|thrice|one half|a half|a third|a quarter|three quarters|two thirds)\b(?: of)?)?"
# How words compare, before a formula says it: "is never more than half of".
_COMPARES = pattern(
    r"\b(?:(?:never )?(?:is|are|stays?|remains?|lies|costs?|pays?|has|have|gives?|needs?) )?(?:at (?:most|least)"
    r"|never exceeds?|does not exceed|exceeds?"
    rf"|(?:never|no|always|strictly)? ?{_THAN}(?: (?!or\b|and\b)[\w-]+)?? than|dominates?|beats?"
    rf"|(?:is |are )?(?:bounded|dominated|controlled) by){_PART}"
)
_SHAPED = pattern(
    rf"\b(?:has|have) (?:the|an?) {_THAN}\b|\bis (?:(?:\$?\d\$?|\$\\?\w+\$)(?:-| ))?(?:strongly |strictly )?"
    r"(?:convex|concave|subadditive|superadditive|smooth|Lipschitz)\b"
)
# "(this is the tail of a law)", "(strong convexity of $f$)": a remark in brackets on what stands before them
_ON_IT = pattern(
    r"(?:(?:this|it|which|that) (?:is|says|means|shows|gives|follows|was|bounds|equals)|(?:i\.e\. )?(?:the|an?) "
    r"|[A-Z][\w-]*['’]s? |(?!multiples|squares|powers|cubes|roots|members|elements|divisors|because)[\w-]+ of the "
    r"|(?:[\w-]+ )?\w+(?:ity|ness|tion|ance|ence) (?:of|for|in)\b)"
)
# What says of a quantity how large it is, in words that a formula behind them says again.
_SIZE = (
    r"(?:small|large|big|tiny|huge|high|low|cheap|quadratic|linear|cubic|logarithmic|exponential|bounded|finite|positive"
    r"|negative|worse|better|larger|smaller|less|more|greater|lower|higher)"
)
_SIZES = (
    pattern(
        rf"^no (?=[\w' -]* (?:(?:exceeds?|above|below|over|under)\b|(?:is|are) {_SIZE}\b))"
        r"|^the (?:[\w-]+ )?constants?\b(?= (?:is|are))"
    ),
    pattern(
        r"\b(?:is|are|stays?|remains?|grows?|lies?) (?:(?:at|most|least|very|quite|always|never|not|no|strictly) )*"
        rf"(?:(?:half|twice|{_SIZE})\b(?: than)?|(?:above|below)\b)"
    ),
    pattern(
        r"\b(?:costs?|loses?|pays?|adds?) (?:only|just|at most) an? (?:constant|logarithmic|small)"
        r" (?:factor|overhead|price|term)\b"
        rf"|\b(?:much|far|slightly|exponentially) {_SIZE}$"
    ),
    pattern(r"\bon the (?:(?:unit|whole|real|positive) )?(?:interval|line|half-line|axis)\b|\brandom\b"),
    pattern(r"\b(?:never|does not|cannot) (?:falls?|drops?|goes?|rises?|gets?) (?:below|above|under|over)\b"),
    pattern(r"\bat (?:most|least)\b|\b(?:negative|positive) (?=(?:entropy|part|drift|gap|term|correlation)\b)"),
)
_NEEDED = pattern(
    r"\bis (?:enough|sufficient)$|\bis (?:all|what|exactly what|just what) (?:that )?(?:[\w'-]+ )*"
    r"(?:need|want|use|require|ask)\w*"
)
_HOLDS = pattern(r"\b(?:holds?|valid|true|applies|apply|works?|hold)\b")
# "so UCB is never worse": another claim, in words, which may say that the formula before it does not hold
_CONSEQUENCE = pattern(
    r"(?:and )?(?:so|hence|thus|therefore)(?: that)? (?!far\b|long\b)"
    r"(?!(?:it|this|that|they|these|the (?:claim|bound|inequality|estimate)s?)\b)"
)
_TRUTH = pattern(
    r"\b(?:false|fail\w*|wrong|untrue|invalid|contra\w*|absurd|impossib\w*|disprov\w*|impossible|refut\w*|violat\w*|unless|provided|except"
    r"|only|if|when\w*|approx\w*|rough\w*|assum\w*|cannot|not|never|no|nor|neither|hold\w*|true)\b|n['’]t\b"
)
_BOUND = re.compile(r"(?:inequalit(?:y|ies)|bounds?|estimates?|identit(?:y|ies)|relations?)$")
_LAW = re.compile(r"gauss|laplac|poisson|bernoulli|r[eé]nyi|exponential|geometric|normal|binomial|rademacher", re.I)
# What a noun says of the form of its formula: "the ratio $a/b$".
_OPERATION = {
    **dict.fromkeys(("sum", "sums", "series"), r"\+|\\?sum\b|\\sum_"),
    **dict.fromkeys(("ratio", "quotient"), r"/|\\[dt]?frac"),
    "difference": r"-",
    "product": r"\*|\\cdot|\\?prod",
}


@cache
def vocabulary() -> dict[str, str]:
    """What each word is that only names, in any place."""
    kind, found = "", dict[str, str]()
    for line in (files("banditproof.verify.judge.reading") / "vocabulary.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            kind = line.strip("[]")
        elif not line.startswith("#"):
            found |= dict.fromkeys(line.split(), kind)
    return found


def is_name(word: str, kinds: Sequence[str] = ("name", "glue", "said")) -> bool:
    """Whether a word within a sentence only names, or says that something is said."""
    if known := vocabulary().get("-".join(word.lower().split())):
        return known in kinds
    parts = re.split(r"[-–]+", word)
    proper = all(p[:1].isupper() and not _LAW.match(p) and not NO_NAME.fullmatch(p) for p in parts)
    known = len(parts) > 1 and all(vocabulary().get(p.lower()) == "name" for p in parts)
    return "name" in kinds and (known or proper and not word.endswith("ly"))


class Piece(NamedTuple):
    """A part of a sentence: a formula, a sign between clauses, a phrase of the grammar ("key") or any other word."""

    kind: str
    begin: int
    text: str
    key: str = ""
    value: str = ""


def _pieces(text: str) -> Iterator[Piece]:
    at = 0
    while m := _PIECE.search(text, at):
        at = m.end()
        kinds = ("called", "formula", "stop", "comma", "open", "close", "quote", "word", "other")
        kind = next((k for k in kinds if m[k]), "skip")
        try:
            phrase = None if kind != "word" or _SAYS.fullmatch(m[0]) else word_at(text, m.start())
        except Unread as refused:
            phrase = "!", str(refused), m.start() + len(refused.token or m[0])
        if phrase:
            at = phrase[2]
            yield Piece("key", m.start(), text[m.start() : at], *phrase[:2])
        elif kind == "other":
            raise Unread(f"{m[0]!r} is not read here", m[0], m.start())
        elif kind not in ("skip", "quote"):
            yield Piece("word" if kind == "called" else kind, m.start(), m[0])


def _inside(formula: str) -> str:
    return re.sub(r"^(?:\$\$?|\\[\[(]|\\begin\{\w+\*?\})|(?:\$\$?|\\[\])]|\\end\{\w+\*?\})$", "", formula).strip()


def _outermost(formula: str) -> str:
    """A formula without what stands in brackets."""
    while (bare := re.sub(r"\\?[({\[][^(){}\[\]]*\\?[)}\]]", " ", formula)) != formula:
        formula = bare
    return formula


def _compares(formula: str) -> bool:
    return _REL.search(_outermost(_inside(formula))) is not None


def _says_what(formula: str) -> re.Match[str] | None:
    """ "f(x) = ...": what a letter or a function is."""
    m = _CALLED.match(_inside(formula))
    return None if m and re.search(r"\\[lc]?dots|\.\.", m["is"]) and not m["args"] else m


def _is_range(formula: str) -> bool:
    """x > 0, 0 < x <= 1, x, y in [0, 1]"""
    parts = _REL.split(_inside(formula)) if _compares(formula) else []
    names = [bool(_NAMES.fullmatch(p)) for p in parts]
    return any(names) and not _says_what(formula) and not any(map(_FUNCTION.search, parts))


@dataclass
class _Part:
    """What is claimed or assumed together: its role ("claim", "given", "let" or ""), its words and formulas."""

    role: str = ""
    words: list[str] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)
    joined: bool = False  # whether "and", "so" or their kind stand before it
    shaped: bool = False
    follows: bool = False  # whether it is claimed to follow from what is claimed before

    def put(self, piece: Piece) -> None:
        self.words.append(piece.text)
        if piece.kind == "formula":
            self.formulas.append(piece.text)


class _Sorter:
    """Puts each formula of a text into a part, and each word that is no word of the grammar aside."""

    def __init__(self) -> None:
        self.aside: list[str] = []
        self.parts: list[_Part] = []
        self.repeated: list[str] = []  # what words before a claim say of it
        self.last: _Part | None = None  # of the sentence
        self.again = False  # whether "that is" stands before the clause
        self.compared = False  # whether a formula that compares stands before, and is no range

    def sentence(self, pieces: Sequence[Piece]) -> None:
        clause: list[Piece] = []
        self.last = None
        for p in (*pieces, Piece("stop", 0, ".")):
            if p.kind not in ("comma", "open", "close", "stop"):
                clause.append(p)
            elif clause:
                told = len(self.parts), len(self.aside), self.last, self.compared
                try:
                    self.clause(clause, p)
                except Unread:
                    if p.kind != "comma" or told[-1] or p.text == "," and told[2] or _REASON.fullmatch(clause[0].text):
                        raise
                    del self.parts[told[0] :], self.aside[told[1] :]
                    self.last, self.compared = told[2:]
                    self.restated(clause, p if p.text == "," else Piece("comma", p.begin, ":"))
                clause = []
            if p.kind in ("comma", "stop"):
                self.again = re.search(r"\b(?:that|other)\b", p.text) is not None

    def restated(self, clause: Sequence[Piece], end: Piece) -> None:
        """Words that say first what a formula says behind them: "the cost at rate $q$ is at most $q$: $A$"."""
        loose: list[Piece] = []  # formulas that are not compared
        for i, p in enumerate(clause):
            if p.kind != "formula" or _NAMES.fullmatch(_inside(p.text)):
                continue
            if end.text == ":" and (_is_range(p.text) or _says_what(p.text)):
                self.begin("given", [], p)
                continue
            if re.search(rf"{_COMPARES.pattern}\s*$", words(clause[:i]), re.IGNORECASE):
                self.repeated.append(p.text)
            else:
                loose.append(p)
        if not (_COMPARES.search(words(clause)) or _SHAPED.search(words(clause))):
            if len(loose) > 1 or end.text == ",":
                raise _refused((loose or clause)[-1])
            self.repeated += [p.text for p in loose]
        bare = re.sub(r"\$[^$]*\$", " ", re.sub(r"\border(?=\s*\$)", " ", _without_sizes(words(clause)))).strip()
        if limits := [p for p in clause if p.key in ("EXISTS", "EQUALITY", "ATTAINED") or p.value in _HYPOTHESES]:
            raise _refused(limits[0])
        where = _WHERE.match(bare) and not re.match(r"(?:For|With|Among)\b", bare)
        if where or not light(re.sub(r"\b[Ff]or\b", "of", bare)):
            raise Unread(f"{bare!r} may matter", clause[0].text, clause[0].begin)
        self.aside.append(words(clause))

    def clause(self, clause: Sequence[Piece], end: Piece) -> None:
        if not any(p.kind == "formula" for p in clause):
            if self.compared and end.kind == "close" and re.match(r"[\w-]+ of the\b", words(clause)):
                self.on_it(clause)
            elif self.compared and end.kind != "close":
                self.behind(clause)
            elif (
                self.last is None or end.kind == "stop" and self.last.role in _GIVEN and self.parts[0].role == "reason"
            ):
                self.lead(clause, ("SIGN", "SHAPE", "STRICTLY", "FUNC"))
            else:
                self.names([p for p in clause if end.kind != "close" or not is_name(p.text, ("math",))])
            return
        formulas = [_inside(p.text) for p in clause if p.kind == "formula"]
        remark = clause[0].kind != "formula" and not (clause[0].key or _REASON.fullmatch(clause[0].text))
        if end.kind == "close" and self.compared and remark:
            return self.on_it(clause)
        if _REASON.fullmatch(clause[0].text) and not any(map(_compares, formulas)) and end.text[:1] == ",":
            return self.put_aside(
                [p for p in clause if p.kind != "formula" and p.key not in ("SHAPE", "STRICTLY")]
            )  # "since $W$ grows like the logarithm,"
        since = any(p.role == "reason" for p in self.parts) and not any(p.role in ("", "claim") for p in self.parts)
        if since and end.kind == "stop" and not any(map(_compares, formulas)):
            return self.put_aside(clause)  # "since $A$, the dimension $n$ is enough"
        part: _Part | None = None
        run: list[Piece] = []
        if self.last and clause[0].text in ("which", "this") and not self.last.role and not self.compared:
            part, clause = self.last, clause[1:]  # "the affinity is $A$, which is at most $B$"
        for p in clause:
            if p.kind == "formula":
                part, run = self.formula(part, run, p), []
            else:
                run.append(p)
        if part is not None:
            self.tail(part, run, end.text in ":,")
            self.last = part

    # Words that are set aside

    def put_aside(self, run: Sequence[Piece], more: Collection[str] = ()) -> None:
        for p in run:
            if p.kind == "key" and p.key not in {*_QUIET, *more} or p.value in _HYPOTHESES:
                raise _refused(p)
        listed = all(p.text.lower() in vocabulary() if p.kind == "word" else p.key != "AS" for p in run)
        said = _NEEDED.sub(" ", _without_sizes(words(run)) if more else words(run))
        said = re.sub(r"\b(?i:for|all|every|each|any)\b", "of", said)
        if not listed and not light(said):
            raise _refused(run[0])
        if any(p.kind == "word" for p in run):
            self.aside.append(words(run))

    def lead(self, run: Sequence[Piece], more: Collection[str] = ()) -> None:
        """Any words before a claim: "Hoeffding's lemma for a coin reads"; none that may say where it holds."""
        if run and run[0].key != "THEN" and _WHERE.match(run[0].text) and not re.match(_OF_ONE, words(run)):
            raise _refused(run[0])
        self.put_aside(run, more)

    def behind(self, run: Sequence[Piece]) -> None:
        """A reason or a consequence behind a claim: ", which is convexity of the square"."""
        said = words(run)
        if _CONSEQUENCE.match(said) and not _TRUTH.search(_without_sizes(said)):
            self.aside.append(said)
            return
        limits = [p for p in run[1:] if p.key in ("ASSUME", "WITH", "ON", "IN", "AS")]
        if not _HOLDS.search(said) and (not any(p.key == "ASSUME" for p in limits) or _NEEDED.search(said)):
            limits = []
        if run and (limits or not (_ENDS.match(words(run)) or all(p.kind == "key" or is_name(p.text) for p in run))):
            raise _refused((limits or run)[0])
        self.put_aside(run, ("SHAPE", "STRICTLY", "FUNC"))

    def on_it(self, clause: Sequence[Piece]) -> None:
        """A remark in brackets behind a claim, in words that may hold formulas which compare nothing."""
        compared = [p for p in clause if p.kind == "formula" and _compares(p.text)]
        if compared or not (on_it := _ON_IT.match(words(clause))):
            raise _refused((compared or clause)[0])
        said = re.sub(r"\$[^$]*\$", " ", words(clause)[on_it.end() :]).strip()
        limits = any(
            p.key in ("MARK", "ASSUME", "EXISTS", "EQUALITY", "ATTAINED") or p.value in _HYPOTHESES for p in clause
        )
        if re.match(r"[\w-]+ of the\b", words(clause)) and not light(words(clause)):
            raise _refused(clause[0])
        if limits or _TRUTH.search(said) or re.search(rf"\b{_SIZE}\b", said) or not light(said):
            raise _refused(clause[0])
        self.aside.append(words(clause))

    def names(self, run: Sequence[Piece]) -> None:
        """Words that only name, of which each is known: any other could say for which numbers something holds."""
        if unknown := [
            p for p in run if p.kind == "word" and not is_name(p.text) and p.text.lower() not in {*_SUBJECTS, "a"}
        ]:
            raise _refused(unknown[0])
        self.put_aside(run)

    def noun(self, run: Sequence[Piece], p: Piece) -> None:
        """What a formula is called, right before it, where nothing is done to it: "the hinge $A$"."""
        while run and is_name(run[0].text, ("glue", "said")):
            self.put_aside(run[:1])
            run = run[1:]
        if not run or _says_what(p.text):
            return self.lead(run)
        if run[-1].key == "IS" and not _compares(p.text) and re.search(r"[-+*/^({\\]", _inside(p.text)):
            if done := [q for q in run if _DONE.fullmatch(q.text) and not _PREPOSITION.fullmatch(q.text)]:
                raise _refused(done[0])
            return self.lead(run[:-1])  # "the affinity of two coins is $A$"
        lone = not _compares(p.text) and _NAMES.fullmatch(_inside(p.text))
        called = re.match(rf"{_DETERMINERS}\b|.*['’]s?$", run[0].text) or run[0].key == "THEN"
        begin = max((i for i, q in enumerate(run) if re.match(rf"{_DETERMINERS}\b", q.text)), default=0)
        if begin and _compares(p.text) and _BOUND.search(run[-1].text):  # "we dispose of the bound $A$"
            if wrong := [q for q in run[:begin] if _DONE.fullmatch(q.text) and not _PREPOSITION.fullmatch(q.text)]:
                raise _refused(wrong[0])
            self.lead(run[:begin])
            run = run[begin:]
        wrong = [q for q in run if _DONE.fullmatch(q.text) and not re.search(_OPERATION.get(q.text, "(?!)"), p.text)]
        if (
            lone
            or wrong
            or not called
            or re.search(CHANGES, words([q for q in run if not is_name(q.text)]))
            or _OPEN.search(_inside(p.text))
        ):
            raise _refused((wrong or run)[0])
        self.put_aside(run)

    # Formulas

    def begin(self, role: str, marks: Sequence[Piece], p: Piece) -> _Part:
        part = _Part(role)
        for q in (*marks, p):
            part.put(q)
        says = _compares(p.text) and not _is_range(p.text)
        # of another sentence: "We have $A$. Dividing by $x$ gives $B$."
        claimed = _compares(p.text) if role == "claim" else says and not role
        part.follows = self.compared and self.last is None and claimed
        part.joined = part.follows or self.again and self.compared and says
        self.aside += [""] * part.joined  # told in other words
        self.parts.append(part)
        self.compared = self.compared or role not in _GIVEN and says
        self.last = part
        return part

    def formula(self, part: _Part | None, run: list[Piece], p: Piece) -> _Part:
        """The part that a formula belongs to, behind a run of words; `part`: the one before it in its clause."""
        given = _last_given(run)
        says = max((i for i, q in enumerate(run) if _says(q)), default=-1)
        if given >= 0 and run[given].value in _HYPOTHESES and says > given:  # "if we have $x > 1$"
            if run[says].key != "THEN" and not _SUPPOSED.search(words(run[given:])):
                raise _refused(run[says])
            says = -1
        if run and part is None and _REASON.fullmatch(run[0].text) and not _SUBJECTS & {q.text.lower() for q in run}:
            says = given = -1  # "by the fact that $x > 1$"
        defines = _says_what(p.text) is not None
        if defines and not any(q.kind == "key" and q.key not in _QUIET for q in run[given + 1 :]) and says <= given:
            run = [q for q in run if not _DEFINES.fullmatch(q.text)]
            given = _last_given(run)
        if self.compared and _compares(p.text) and _ALSO.fullmatch(words(run)):
            self.put_aside(run)
            self.aside.append("")  # told in other words
            found = self.begin("claim", [], p)
            found.joined = found.follows = True
            return found
        why = max((i for i, q in enumerate(run) if q.text in ("because", "since")), default=-1)
        if part is not None and self.compared and why == len(run) - 1 >= 0 and _compares(p.text):
            self.tail(part, run[:why])
            self.aside.append("")  # told in other words
            return self.begin("why", [], p)  # "$A$ because $B$"
        if part is not None and max(given, says) < 0:
            return self.joined(part, run, p)
        if part is not None and given >= 0:
            self.tail(part, run[:given])
        if says > given:
            if part is None:
                self.lead(run[: says + 1])
            else:
                self.names(run[max(given, 0) : says + 1])
            self.noun(run[says + 1 :], p)
            return self.begin("claim" if run[says].key == "THEN" else "", [], p)
        if given >= 0:
            if part is None:
                self.lead(run[:given])
            marks = [q for q in run[given + 1 :] if q.key in ("MARK", "AND")]
            called = [q for q in run[given + 1 :] if q not in marks]
            self.lead(called) if defines else self.names(
                [q for q in called if run[given].key != "WITH" or not is_name(q.text, ("math",))]
            )
            if called and not (defines or marks or _is_range(p.text) or not _compares(p.text)):
                raise _refused(called[0])
            goes = re.search(r"->|\\(?:to|rightarrow)\b", p.text)
            role = {"ON": "on", "AS": "as" if goes else "reason"}.get(run[given].key, "given")
            return self.begin(role, marks, p)
        if run and (_REASON.fullmatch(run[0].text) or re.fullmatch(r"[A-Z][a-z]+ing", run[0].text)):
            self.put_aside(run)
            return self.begin("reason", [], p)
        joined = run[0] if run and (run[0].key == "AND" or run[0].text in ("so", "hence")) else None
        marks = [q for q in run if q.key == "MARK"]
        self.noun([q for q in run if q not in marks and q is not joined], p)
        found = self.begin("", marks, p)
        found.joined = found.joined or joined is not None
        return found

    def joined(self, part: _Part, run: Sequence[Piece], p: Piece) -> _Part:
        """A formula behind another one of its clause: "$A$ is at most the rate $B$", "for $x > 0$ the bound $A$"."""
        links = [i for i, q in enumerate(run) if q.key in _LINKS]
        named = part.role in _GIVEN and bool(run) and re.match(rf"{_DETERMINERS}\b", run[0].text) is not None
        if links and not (named and run[-1].key == "IS"):
            if wrong := [q for q in run[: links[0]] if q.key or not _STAYS.fullmatch(q.text)]:
                raise _refused(wrong[0])
            self.aside += [q.text for q in run[: links[0]]]
            called = [q for q in run[links[0] :] if q.key not in _LINKS]
            self.names(called) if _is_range(p.text) else self.noun(called, p)
            for q in (*(run[i] for i in links), p):
                part.put(q)
            self.compared = self.compared or part.role not in _GIVEN and "SIGN" in [run[i].key for i in links]
            return part
        if not named:
            raise _refused(run[0] if run else p)
        self.noun(run, p)
        return self.begin("claim" if _compares(p.text) else "", [], p)

    def tail(self, part: _Part, run: Sequence[Piece], ends: bool = False) -> None:
        """The words behind the last formula of a part: a property, a kind of number, a reason, or "balances both:"."""
        kept = [q for q in run if q.key in ("IS", "SHAPE", "STRICTLY", "MARK", "BOTH", "AND")]
        if any(q.key in ("SHAPE", "MARK") for q in kept):
            part.shaped = any(q.key == "SHAPE" for q in kept)
            self.compared = self.compared or part.shaped and part.role not in _GIVEN
            marks = [q.text for q in kept if q.key == "MARK"]
            if not part.shaped and all(_NAMES.fullmatch(_inside(f)) for f in part.formulas):  # "$n$ is an integer"
                part.role = "given"
                part.words = [*marks, " and ".join(part.formulas)]
            elif part.role in _GIVEN and _NAMES.fullmatch(_inside(part.words[-1])):  # "$x > 1$ and $c, d$ positive"
                part.words[-1:] = [*marks, part.words[-1]]
                self.aside.append("")  # told in another order
            else:
                for q in kept:
                    part.put(q)
            self.aside += [q.text for q in run if q.kind == "word"]
            run = [
                q for q in run if q not in kept and not (_STAYS.fullmatch(q.text) or q.text in ("numbers", "number"))
            ]
        run = [q for q in run if (q.kind == "word" or q.key) and (part.role != "reason" or q.text != "there")]
        if all(map(_says_what, part.formulas)) and (ends or run and run[0].key == "IS"):
            self.lead(run)
        elif part.words[0] == part.formulas[0] and run and run[0].key == "IS" and run[0].text in ("be", "denote"):
            part.role = "named"  # "let $p$ be the error probability": its range has to be printed
            if any(q.text == "of" for q in run):
                raise _refused(run[0])
            self.names([q for q in run if q.text.lower() != "probability"])
        elif part.role in _GIVEN:
            self.names([q for q in run if q.text not in ("counts", "measures", "denotes")])
        else:
            self.behind(run)


def _last_given(run: Sequence[Piece]) -> int:
    """Where the last word stands behind which something is assumed."""
    given = (i for i, q in enumerate(run) if q.key in ("ASSUME", "WITH", "ON", "AS") and q.text != "so that")
    return max(given, default=-1)


def _says(p: Piece) -> bool:
    """Whether it is said behind this word that something holds."""
    return (
        p.key == "THEN"
        or p.text == "so that"
        or _SAYS.fullmatch(p.text) is not None
        or p.kind == "word"
        and is_name(p.text, ("said",))
    )


def words(run: Sequence[Piece]) -> str:
    return " ".join(p.text for p in run)


def _refused(p: Piece) -> Unread:
    return Unread(f"the word {p.text!r} is not read here", p.text, p.begin)


def sorted_by_clauses(text: str) -> tuple[str, list[str]]:
    """The sentence in words of the grammar, and the words that are set aside.

    Raises:
        Unread: a word may matter where it stands, or what is claimed is not clear.
    """
    if PROMISE.search(text):
        raise Unread("what is said of a mechanism is read as it stands")
    sorter = _Sorter()
    sentence: list[Piece] = []
    for p in _pieces(text):
        if p.kind == "stop":
            sorter.sentence(sentence)
            sentence = []
        else:
            sentence.append(p)
    sorter.sentence(sentence)
    return _told(sorter.parts, sorter.repeated, text), sorter.aside


def _without_sizes(words: str) -> str:
    for size in (_SIZES[0], _COMPARES, _SHAPED, *_SIZES[1:]):
        words = size.sub(" ", words).strip()
    return words


def _uses(formula: str, name: str) -> bool:
    return re.search(rf"(?<![A-Za-z\\]){re.escape(name.strip())}(?![a-z])", formula) is not None


def _ranged(parts: Sequence[_Part]) -> set[str]:
    """What the sides of ranges are, among them the names that have one."""
    ranges = [_inside(f) for p in parts for f in p.formulas if _is_range(f)]
    return {n.strip() for f in ranges for side in _REL.split(f) for n in side.split(",")}


def _ranged_again(parts: Sequence[_Part], claim: _Part) -> bool:
    """Whether a name has a range before a claim of several formulas, and another one behind it."""
    at = next(i for i, p in enumerate(parts) if p is claim)
    names = [_ranged(of) for of in (parts[:at], parts[at + 1 :])]
    return any(_NAMES.fullmatch(n) for n in names[0] & names[1])


def _told(parts: Sequence[_Part], repeated: list[str], text: str) -> str:
    ranged = _ranged([p for p in parts if p.role != "claim"])
    lets, claims, given, when, ends = [], list[_Part](), [], [], []
    for p in parts:
        told, first = " ".join(p.words), p.formulas[0]
        called = _says_what(first) if all(map(_says_what, p.formulas)) and not p.shaped else None
        if p.role == "named":
            if first.strip("$ ") not in ranged:
                raise Unread(f"{first} has no range", first, text.find(first))
        elif called and p.role not in ("claim", "why") and (called["args"] or called["name"] not in ranged):
            others = [f for q in parts if q is not p and q.role != "reason" for f in q.formulas]
            if any(_uses(f, called["name"]) for f in others):
                lets += [f"Let {f}." for f in p.formulas]
            elif re.search(r"[a-zA-Z]", called["is"]):
                raise Unread(f"{called['name']} is used nowhere", called["name"], text.find(first))
        elif p.role in ("on", "as"):
            ends.append(f"{p.role} {told}")
        elif p.role in ("given", "reason") or not p.role and all(map(_is_range, p.formulas)) and len(parts) > 1:
            (given if _is_range(first) or not _compares(first) else when).append(told)
        elif len(p.words) > 1 or _compares(first):
            claims.append(p)
            p.joined = p.joined or p.role == "why"
        else:
            repeated.append(first)
    reasons = [p for p in parts if p.role == "reason" and _compares(p.formulas[0]) and not _is_range(p.formulas[0])]
    if not claims and len(reasons) == 1 and all(p.role in _GIVEN or p.role == "named" for p in parts):
        claims, when = reasons, [w for w in when if w != " ".join(reasons[0].words)]  # "by Pinsker's inequality $A$"
    if not claims or any(not p.joined for p in claims[1:]):
        raise Unread("no formula is claimed alone in this sentence")
    places = {sum(c is q for q in parts[:i] for c in claims) for i, p in enumerate(parts) if p.role in _GIVEN}
    twice = any("and" in c.words for c in claims) and _ranged_again(parts, claims[0])
    if twice or len(claims) > 1 and len(places) > 1:  # "$A$ for $x > 0$, hence $B$ for $x > 1$"
        raise Unread("each claim has ranges of its own: settle them one at a time")
    if reasons and claims is not reasons and not which(_CLAIMED, reasons[0].formulas[0], 0, 2):
        told_of = [" ".join(p.words) for p in reasons]
        when, claims = [w for w in when if w not in told_of], [*reasons, *claims]
    last = [p for p in claims if p.follows] or [p for p in claims if p.role != "why"]
    if (
        len(last) < len(claims)
        and any(p.follows or p.role == "why" for p in claims)
        and which(_CLAIMED, claims[0].formulas[0], 0, 2)
    ):
        when += [" ".join(p.words) for p in claims if all(p is not q for q in last)]
        claims = last
    told = " and ".join(" ".join(p.words) for p in claims)
    if other := [f for f in repeated if re.sub(r"[$\s]", "", f) not in re.sub(r"[$\s]", "", told)]:
        raise Unread(f"{other[0]} is spoken of, and not claimed", other[0], text.find(other[0]))
    rest = [*ends, *(f"when {' and '.join(when)}" for _ in when[:1]), *(f"for {', '.join(given)}" for _ in given[:1])]
    return " ".join((*lets, *(["Then"] if lets else []), told, *rest))
