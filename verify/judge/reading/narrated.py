r"""A mechanism that is narrated: records, a query, what is added to it and what that keeps, in any number of sentences.

The text is tiled by the phrases of narrated.txt. Each says a fact ("one record changes the sum by at most $3$": the
sensitivity), a range, or what is spoken of; a word that belongs to no phrase is refused. What the facts say together
is told in the words of the grammar of mechanisms, which reads it, or refuses what has no meaning there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from banditproof.verify.judge.formulas.sentence import Unread
from banditproof.verify.judge.reading.dressing import dressed
from banditproof.verify.judge.reading.words import PROMISE

_COUNTS: Sequence[str] = "one two three four five six seven eight nine ten".split()
_REL = r"(?:[<>=≤≥]|\\(?:in|[lg]eq?)(?![a-z]))"
_KEPT = re.sub(r"\(\?P<\w+>", "(?:", PROMISE.pattern)
# What a slot holds: V a number or a formula, R a range or a definition, S an interval, N x_1, ..., x_n, P a promise.
_SLOTS = {
    "V": rf"(?P<KEY>\$[^$]+\$|\d+(?:[./]\d+)?(?!\w)|(?:{'|'.join(_COUNTS)})(?![\w-]))",
    "R": rf"(?P<KEY>\$(?![^$]*(?:\\Pr|sum_|\b[fqPu]\())[^$]*{_REL}[^$]*\$)",
    "S": r"(?P<KEY>\$ ?(?:\\in ?)?\[[^$]*\] ?\$)",
    "N": r"(?P<KEY>\$? ?\w_\{?[1i]\}?"
    r"(?:, ?\\?[lc]?(?:dots|\.\.\.)(?:\$ ?, ?\$|, ?)\w_\{?\w\}?)?(?: ?(?:\\in) ?\[[^$]*\])? ?\$)",
    "P": rf"(?:an? )?(?P<KEY>(?:\$[^$]+\$|[\w.'/]+?|\([^()]*\)){_KEPT})",
}
_TOKEN = re.compile(
    r"/(?P<raw>(?:[^/\\]|\\.|(?<=\[)/)*)/|(?P<slot>[VRSNP]):(?P<key>\w+)|(?P<name>[A-Z]{2,})|(?P<sign>[\[\]()|])|(?P<word>[^\s\[\]()|/]+)"
)


class _Phrases:
    """The phrases of narrated.txt as patterns, each with what it says."""

    def __init__(self) -> None:
        self.named: dict[str, str] = {}
        self.found: list[tuple[dict[str, str], re.Pattern[str]]] = []
        for line in files("banditproof.verify.judge.reading").joinpath("narrated.txt").read_text("utf-8").splitlines():
            if name := re.match(r"([A-Z]{2,}) = ", line):
                self.named[name[1]] = self.pattern(line[name.end() :])
            elif line and line[0] != "#":
                effect, _, words = line.partition(": ")
                pairs = (e.strip().partition("=") for e in effect.split(";") if e.strip())
                says = {key: value or "1" for key, _, value in pairs}
                self.found.append((says, re.compile(self.pattern(words), re.IGNORECASE)))

    def pattern(self, words: str) -> str:
        """A phrase as a regular expression, in which every part takes the space behind it."""
        return "".join(map(self._part, _TOKEN.finditer(words)))

    def _part(self, m: re.Match[str]) -> str:
        if m["sign"]:
            return {"[": "(?:(?:", "]": "))?", "(": "(?:(?:", ")": "))", "|": ")|(?:"}[m["sign"]]
        if m["name"]:
            return f"(?:(?:{self.named[m['name']]}))"
        if m["slot"]:
            return f"{_SLOTS[m['slot']].replace('KEY', m['key'])} ?"
        ends = r"(?!\w)" if re.search(r"\w$", m[0]) else ""
        return f"(?:{m['raw']}) ?" if m["raw"] else f"{re.escape(m['word'])}{ends} ?"


@cache
def _phrases() -> _Phrases:
    return _Phrases()


_SHORT = (
    (r"\bw\.\s?p\.(?=\s)|\$w\.p\$\.", "with probability"),
    (r"\bprob\.", "probability"),
    (r"\$?\bi\.i\.d\b\$?\.?", "independent"),
    (r"\b(add\w*|insert\w*|remov\w*|delet\w*)\s?\$?/\$?\s?(?=remov|delet|add|insert)", r"\1 or "),
    (r"\b[Ii]t['’]s\b", "it is"),
    (r"\b([a-z])-(?=fold|ary)", r"$\1$-"),
    (r"\$([^$]*[-+*/] ?)\$(\w+)(?=-)", r"$\1\2$"),  # $k*$eps-DP
    (r"(?<=\.\.\.)\$ ?, ?\$(?=\w)", ", "),
    (r"(\w+') \$ ?=", r"$\1 ="),
    (r" ?\+ ?(?=(?:\\[a-z]+ ?)?\{?(?:Lap|N)(?:lace)?\}? ?(?:\\\w+ ?)?\()", "$ plus $"),
    (r"\b(max|min)\$(\{[^$]*\})(-?)\$-?", r"$\1\2$-"),
    (r"\$(\w+) a\$ (?=[a-z])", r"$\1$ a "),
    (r"\$(\w+)\$, ?\$(?=\w+ ?[<>])", r"$\1, "),
    (r"\s+", " "),
)
_AGAIN = re.compile(r"\$(\([^$()]*\b(?:any|all|every|fixed|integer|neighbours)\b[^$]*\))\$")  # words in a bracket


@dataclass
class _Account:
    """What a text says of a mechanism: facts, each once, ranges, the promises it begins with and the one it claims."""

    facts: dict[str, str] = field(default_factory=dict)
    ranges: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)
    early: str = ""  # what is done to an answer before noise is spoken of

    def put(self, key: str, value: str, at: int) -> None:
        """Takes a fact, which may be said again; a number may stand with its range."""
        value = value.strip() if key in ("part", "of") else value.strip(" $")
        if key in ("range", "whole", "letter"):
            value = value[1:-1] if re.fullmatch(r"\([^()]*\)", value) else value
            if re.match(r"M\b", value):
                raise Unread("M is a mechanism here, and no number", "M", at)
            self.ranges.append(f"{'integer ' * (key != 'range')}${value}{' >= 1' * (key == 'letter')}$")
        elif key == "part":
            self.parts.append(value)
        elif key == "named" and (listed := re.search(r"(?:dots|\.\.\.), ?\w_\{?(\w+)", value)):
            self.put("up", listed[1], at)
            self.facts[key] = value
        else:
            value = str(_COUNTS.index(value.lower()) + 1) if value.lower() in _COUNTS else value
            if key in _NUMBERS and (m := re.match(rf"(\\?\w+) ?{_REL}", value)):
                self.ranges.append(f"${value}$")
                value = m[1]
            if self.facts.setdefault(key, value) != value:
                raise Unread(f"the {key} is said twice: {self.facts[key]} and {value}", value, at)


_NUMBERS = frozenset(
    "count ball sensitivity shift many scale variance deviation bins categories truth number rate size".split()
)
_COUNTING = ("count", "many", "number", "size", "upto", "up", "categories")
_CLAIM = re.compile(
    r"(?:(?:always|also|then|thus|hence|and|to) )*(?:is|are|be|satisf(?:y|ies|ying)|gives?|guarantees?|provides?"
    r"|ensures?"
    r"|yields?"
    r"|achieves?|keeps?|enjoys?|compose to|have|leaves it|stays|remains)"
    r"(?: (?:always|then|together|jointly|also|therefore|thus|still|hence|even))*"
    rf" {_SLOTS['P'].replace('KEY', 'claim')} ?",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(r"\W*(?:if|let|suppose|assume|given|provided|when|where|consider|take)\b", re.IGNORECASE)


_CLAUSE_ENDS = (
    r"(?=[.,;:]|$|\b(?:is|are|keeps?|satisf\w+|gives?|guarantees?|provides?|ensures?|achieves?|yields?"
    r"|together|jointly)\b)"
)
_ALSO = re.compile(
    r"\b(?:and|plus|as well as|together with|along with) (?:also )?"
    r"(?:(?:releas|publish|report|return|output|reveal|send)\w* )?(?:(?:the|an?|its|all|both|each|every|their|of) )*"
    r"(?:(?:exact|true|raw|original|clipped|rounded) )?"
    r"(?:data ?(?:sets?|bases?)?|databases?|inputs?|tables?|records?|rows?|quer(?:y|ies)|functions?|sums?|totals?"
    r"|means?|averages?|counts?|medians?|histograms?|scores?|numbers|values|maximum|minimum"
    rf"|\$?[fghqusMDARrx]\$?(?:\([a-zA-Z]\)\$?)?) ?{_CLAUSE_ENDS}"
)
_BESIDE = re.compile(
    r"(?:^|[.;:] )[A-Z]?[a-z]+ing\b[^.,;:]*"
    r"(?P<also>\band (?:the|its|an?) (?:answer|estimate|vector|response)s?) ?(?=is\b)"
)
_OVER_SEVERAL = re.compile(
    r"\b(?:mean|average|total|sum|median|maximum|minimum|largest|smallest) (?:(?:l1|l2|global) )?-?"
    r"(?:sensitivity|scale|variance|standard|deviation|noise)\b",
    re.IGNORECASE,
)
_QUERIES = re.compile(r"(?<![\w\\])[fgh](?![\w'’])")
_NOISED = re.compile(r"\b(?:noisy|perturbed|released|published|private|resulting)\b", re.IGNORECASE)


def _guarded(text: str) -> None:
    """Refuses what words that are known one by one say together: of several queries, and of what else is released."""
    for also in (*_ALSO.finditer(text), *_BESIDE.finditer(text)):
        why = f"is what stands behind {also[0].split()[0]!r} released as well, without noise?"
        raise Unread(why, also[0], also.start())
    if several := _OVER_SEVERAL.search(text):
        raise Unread(f"over what is the {several[0]} taken?", several[0], several.start())
    if len(named := {m[0] for m in _QUERIES.finditer(text)}) > 1:
        raise Unread(f"one query is read, and {' and '.join(sorted(named))} are named", max(named))


def _tiled(text: str) -> _Account:
    """What the phrases say that the text is tiled by; the longest one counts."""
    _guarded(text)
    account, at, supposed = _Account(), 0, False
    while at < len(text):
        claim = _CLAIM.match(text, at)
        found = [(m.end(), says, m) for says, words in _phrases().found if (m := words.match(text, at))]
        end, says, m = max(found, key=lambda one: one[0], default=(at, {}, None))
        supposed = bool(_SUPPOSED.match(text, at)) or supposed and not re.match(r"[.,:;]|then\b", text[at:])
        if claim and claim.end() >= end:
            (account.parts if supposed else account.claims).append(claim["claim"])
            at = claim.end()
            continue
        if m is None or end == at:
            word = re.match(r"\$[^$]*\$|\S+", text[at:])
            raise Unread(f"the word {word[0] if word else text[at:]!r} is not read here", word[0] if word else "", at)
        if "processed" in says and "law" not in account.facts and not _NOISED.search(m[0]):
            account.early = m[0]
        for key, value in (*says.items(), *((k, v) for k, v in m.groupdict().items() if v)):
            account.put(key, value, at)
        at = end
    if account.early and "law" in account.facts:
        raise Unread(f"is the noise added before {account.early.strip()!r}, or to what it makes?", account.early)
    return account


_SPACES = re.compile(r"^(?:\\[ ,;:!]|\\q?quad|\s)+")


def _split(m: re.Match[str]) -> str:
    """A formula whose parts behind commas compare, as several: "$n \\ge 1, x > 0$"."""
    parts, depth, last = [""], 0, m[1]
    for sign in re.findall(r"\\.|.", last):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    again = len(parts) > 1 and re.search(rf"\d ?{_REL}=? ?{re.escape(parts[0].strip())} ?{_REL}", parts[1])
    if len(parts) < 2 or not all(re.search(_REL, p) for p in parts[bool(again) :]):
        return m[0]
    return ", ".join(f"${_SPACES.sub('', p)}$" for p in parts)


class _Teller:
    """Tells an account in the words of the grammar of mechanisms; every fact has to be used."""

    def __init__(self, account: _Account) -> None:
        self.left = dict(account.facts)
        self.parts, self.ranges = account.parts, account.ranges

    def take(self, *keys: str) -> str:
        """The first of these facts that is given; nothing without one."""
        return next((self.left.pop(k) for k in keys if k in self.left), "")

    def need(self, *keys: str) -> str:
        if not (value := self.take(*keys)):
            raise Unread(f"the {keys[0]} is not said")
        return value

    def told(self) -> str:
        """What keeps the promise."""
        law, several = self.take("law"), {"many", "number", "each"} & {*self.left} or len(self.parts) > 1
        if self.take("jointly") and not several:
            raise Unread("how many answers are released together? Write their number", "together")
        if law and law != "response":
            self.take("query")
        if law and self.parts:
            raise Unread("a law of noise and a promise that is given do not go together")
        return getattr(self, f"_{law.lower()}")() if law else self._of_promises()

    def _laplace(self) -> str:
        noise = f"Laplace noise of scale ${self.need('scale')}$"
        if self.take("choice"):
            return f"noisy max with {noise} on {self._scores()}"
        return f"{noise} on {self._moved(gaussian=False)}"

    def _gaussian(self) -> str:
        for sigma in ("sigma", "\\sigma"):  # "with sigma = ..."
            if not {"deviation", "variance"} & {*self.left} and any(
                re.match(rf"\$ ?{re.escape(sigma)} ?(?:>?=|\\geq?\b)", r) for r in self.ranges
            ):
                self.left["deviation"] = sigma
        key = "deviation" if "deviation" in self.left else "variance"
        return f"Gaussian noise of {key} ${self.need(key)}$ on {self._moved(gaussian=True)}"

    def _geometric(self) -> str:
        k, mass = self.need("k"), self.need("mass")
        a = r"(?P<a>\\?\w+)"
        over = rf"\(1 ?- ?{a}\) ?/ ?\(1 ?\+ ?(?P=a)\)"
        over += rf"|\\[dt]?frac\{{1 ?- ?{a.replace('<a>', '<b>')}\}}\{{1 ?\+ ?(?P=b)\}}"
        law = re.fullmatch(rf"(?:{over})(?:\*|\\[,;]|\\cdot|\s)*(?P<c>\\?\w+) ?\^ ?\{{?\|{k}\|\}}?", mass)
        if not law or law["c"] not in (law["a"], law["b"]):
            raise Unread("the law of geometric noise is (1 - a)/(1 + a) a^|k|", mass)
        power = "a^{|k|}" if "\\" in mass else "a^|k|"
        return (
            f"geometric noise with probability proportional to ${law['c']}{power[1:]}$ on {self._moved(gaussian=False)}"
        )

    def _scores(self) -> str:
        """Counts rise together where a record is added; scores may move in either way."""
        self.take("each", "many")
        self.take("many")
        if self.take("scores") or "sensitivity" in self.left:
            self.take("statistic")
            return f"scores of sensitivity ${self.need('sensitivity')}$"
        if self.need("statistic") != "count" or "neighbours" not in self.left:
            raise Unread("how much does a record move the scores? Write 'of sensitivity s'")
        return f"{'monotone ' * (self.left['neighbours'] != 'replacement')}scores of sensitivity $1$"

    def _moved(self, gaussian: bool) -> str:
        """What the noise is added to."""
        each, many, norm = self.take("each"), self.take("many"), self.take("norm")
        statistic, moved = self.take("statistic"), self.take("sensitivity", "shift")
        if statistic == "count" and each == "queries" and not moved:
            raise Unread("is a record in one of the counts, or in several? Write 'of sensitivity 1'", "count")
        if statistic == "histogram" and not moved and each in ("", "bins"):
            self.take("bins")
            return "a histogram"
        if "ball" in self.left and statistic in ("sum", "mean") and gaussian and not each:
            return f"sensitivity ${self._of_a_ball(statistic)}$"
        if statistic in ("sum", "mean", "max", "median", "variance") and not (moved or each):
            return self._of_numbers(statistic)
        if (
            statistic == "histogram"
            or statistic not in ("", "count")
            and not moved
            or not (moved or statistic)
            or each == "bins"
        ):
            raise Unread("what the noise is added to is not clear")
        moved = moved or "1"
        if each == "queries" and many:
            return f"sensitivity $\\sqrt{{{many}}} ({moved})$" if gaussian else f"sensitivity ${many} ({moved})$"
        if each == "coordinates" and (gaussian, norm) == (False, "euclidean"):
            return f"sensitivity $\\sqrt{{{many}}} ({moved})$"
        if each == "coordinates" and not norm or each == "queries" or many or norm == "euclidean" and not gaussian:
            raise Unread("in which norm is the sensitivity? Write 'l1 sensitivity' or 'l2 sensitivity'")
        return f"sensitivity ${moved}$"

    def _interval(self) -> tuple[str, str]:
        """The range of the numbers, and how many there are."""
        named, count = self.take("named"), self.take("count", "upto", "up")
        m = re.fullmatch(r"(?P<names>.*?)(?:\\in ?)?(?P<set>\[.*\])?", named)
        for more in (self.take("upto"), self.take("up")):
            if more and (count := count or more) != more:
                raise Unread(f"are there {count} numbers, or {more}?", more)
        return self.take("set").removeprefix("\\in").strip() or (m and m["set"]) or "", count

    def _of_numbers(self, statistic: str) -> str:
        where, count = self._interval()
        if not where:
            raise Unread("the range of the numbers is missing: write 'n numbers in [0, 1]'", statistic)
        if statistic in ("median", "variance"):
            return f"sensitivity ${self._of_order(statistic, where, count)}$"
        noun = {"sum": "sum", "mean": "mean", "max": "maximum"}[statistic]
        return f"the {noun} of {f'${count}$ ' if count else ''}numbers in ${where}$"

    def _of_order(self, statistic: str, where: str, n: str) -> str:
        """How much the median of an odd count, or the variance over n, moves when a number is replaced."""
        low, high = where.strip("[] ").split(",")
        if self.left.get("neighbours") != "replacement" or not n or statistic == "median" and not self.take("odd"):
            raise Unread(f"the sensitivity of this {statistic} is not known here", statistic)
        spread = f"({high} - ({low}))"
        return spread if statistic == "median" else f"{spread}^2 ({n} - 1)/{n}^2"

    def _of_a_ball(self, statistic: str) -> str:
        """How much the sum or mean of vectors of a bounded norm moves when one of them is replaced."""
        ball, count = self.take("ball"), self.take("count")
        if self.left.get("neighbours") != "replacement" or statistic == "mean" and not count:
            raise Unread("is one vector replaced? Write 'under replacement'")
        return f"2 ({ball})/({count})" if statistic == "mean" else f"2 ({ball})"

    def _response(self) -> str:
        truth, flipped, rest = self.take("truth"), self.take("flipped"), self.take("otherwise")
        classic, told = self.take("classic"), bool(self.take("rest")) | bool(rest or flipped)
        known, blind = bool(classic) | told, self.take("blind")
        categories, apiece = self.take("categories"), self.take("apiece")
        others = self.take("others")
        if others and re.sub(r"[\s{}]", "", others) != re.sub(r"[\s{}]", "", f"{categories}-1"):
            raise Unread(f"the others are one less than the categories, and {others} is not seen to be that")
        if blind and (told or apiece or not truth or blind == "coin" and categories):
            raise Unread("what is reported otherwise, the opposite or any at random? Say one of the two")
        if blind:
            truth, known = f"({truth}) + (1 - ({truth}))/({categories or 2})", True
        if categories:
            each = f" and each other with probability ${apiece}$" if apiece else ""
            return f"randomised response over ${categories}$ categories with truth probability ${truth}${each}"
        if not known or apiece or bool(truth) == bool(flipped):
            raise Unread("what is reported otherwise? Write 'and the opposite otherwise'")
        if flipped:
            return f"randomised response with flip probability ${flipped}$"
        told = f"randomised response that tells the truth with probability ${truth}$"
        return f"{told} and the flipped bit with probability ${rest}$" if rest else told

    def _exponential(self) -> str:
        weight = re.sub(
            r"(?:\\mathrm\{score\}|\bscore|(?<![a-zA-Z\\])[uqs])\( ?\w(?: ?, ?\w)? ?\)", " u", self.need("weight")
        )
        return f"choosing with probability proportional to ${weight}$ on sensitivity ${self.need('sensitivity')}$"

    def _of_promises(self) -> str:
        number, of, composed = self.take("number"), self.take("of"), self.take("composed")
        parts = self.parts + [of] * bool(of)
        if self.take("disjoint"):
            if len(parts) != 2 or number not in ("", "2"):
                raise Unread("which promises are kept on disjoint data?")
            return f"the composition on disjoint data of {parts[0]}, {parts[1]} mechanisms is"
        if sampled := self.take("sampled"):
            (only,) = parts if len(parts) == 1 else ("",)
            return f"{sampled} with rate ${self.need('rate')}$ of {only} is"
        if number and of and not self.parts:
            return f"the composition of ${number}$, {of} mechanisms is"
        if len(parts) > 1 and not number:
            return f"the composition of {', '.join(parts)} mechanisms is"
        if len(parts) != 1 or number or composed:
            raise Unread("what keeps this promise? Name the noise, or the promise that it follows from")
        return f"{parts[0]} implies"


def narrated(text: str) -> str:
    """A text with formulas in dollars that narrates a mechanism, in words of the grammar of mechanisms.

    Raises:
        Unread: a word belongs to no phrase, or what is said does not go together.
    """
    text = _AGAIN.sub(lambda m: "(" + dressed(m[1].strip("()")) + ")", text)
    for words, other in _SHORT:
        text = re.sub(words, other, text)
    account = _tiled(re.sub(r"\$([^$]*)\$", _split, text).strip())
    if len(account.claims) != 1:
        raise Unread("one promise of privacy is claimed in a sentence about a mechanism")
    teller = _Teller(account)
    told = teller.told()
    under, size = teller.take("neighbours"), teller.take("size")
    for key in ("processed", "groups", "odd"):
        teller.take(key)
    if teller.left:
        raise Unread(f"what does the {min(teller.left)} say here: {teller.left[min(teller.left)]}?")
    verb = "" if told.endswith((" is", " implies")) else " is"
    told += f"{verb} {account.claims[0].removeprefix('an ').removeprefix('a ')}"
    told += f" for groups of ${size}$" * bool(size) + f" under {under}" * bool(under)
    ranges = _counted(account)
    return told + (f" for {', '.join(ranges)}" if ranges else "")


def _counted(account: _Account) -> list[str]:
    """The ranges, in which what counts is a whole number."""
    found = list(dict.fromkeys(account.ranges))
    for letter in {account.facts.get(key, "") for key in _COUNTING}:
        if not re.fullmatch(r"\\?[a-zA-Z]+", letter):
            continue
        of_it = [i for i, r in enumerate(found) if re.search(rf"(?<![a-zA-Z\\]){re.escape(letter)}(?![a-zA-Z])", r)]
        if not any("integer" in found[i] for i in of_it):
            found += [f"integer ${letter} >= 1$"]
    return found
