"""Prose about mechanisms, told in the words of the grammar of mechanisms."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from banditproof.verify.judge.formulas.sentence import Unread, which
from banditproof.verify.judge.reading.clauses import light
from banditproof.verify.judge.reading.tables import pattern, rewritings
from banditproof.verify.judge.reading.words import CATEGORY, PROMISE

_X = r"(?:\$[^$]*\$|\([^()]*(?:\([^()]*\)[^()]*)*\)|[^\s$,.()]+)"  # a number


def _of_a_sum(m: re.Match[str], before: str, noise: str) -> str:
    """ "x_1 + ... + x_n + Lap(b), x_i in [0, 1]" in words."""
    d = "$" if "$" in m[0] else ""
    count = m["n"] or m["m"] or m.groupdict().get("count")
    summed = f"{before} the sum of {f'{d}{count}{d} ' if count else ''}numbers in {d}{m['set']}{d}"
    return f"{summed} {'with' if d else 'plus'} {d}{noise}{d * bool(noise)} "


def _of_values(m: re.Match[str], blind: bool) -> str:
    """Randomised response over values of which one is told truly; `blind`: else any is, also the true one."""
    d, p, k = m["d"], m["p"].strip("$"), m["k"]
    if m.groupdict().get("n", k) != k:
        return m[0]
    share = rf"\frac{{1-({p})}}{{{k}}}" if d else f"(1 - ({p}))/{k}"
    truth = f"{d}({p})+{share}{d}" if blind else m["p"]
    return f"randomised response over {d}{k}{d} categories that tells the truth with probability {truth}"


# What is put in place of words where a pattern alone does not say it.
_DONE: Mapping[str, Callable[[re.Match[str]], str]] = {
    "of_all_values": lambda m: _of_values(m, blind=True),
    "of_other_values": lambda m: _of_values(m, blind=False),
    "without_frame": lambda m: "" if light(m[0]) else m[0],
    "under_neighbours": lambda m: (
        f" under {'replacement' if m['how'][:3].lower() not in ('add', 'ins', 'rem') else 'add or remove'}"
    ),
    "chosen_exponentially": lambda m: "exponential mechanism" if m["keep"].lower().startswith("exp") else "choosing",
    "of_noisy_numbers": lambda m: _of_a_sum(m, m["keep"], ""),
}
OF_MECHANISMS = rewritings("rewording.txt", "mechanisms", {"CATEGORY": CATEGORY, "X": _X}, _DONE)


# How much the statistic of n numbers in [low, high] moves when one of them is replaced, in parts of high - low.
_STATISTICS = (
    ("(?:(?:empirical|sample) )?(?:mean|average)", "{d}/{n}"),
    ("(?:sum|total)", "{d}"),
    ("(?:max(?:imum)?|min(?:imum)?|largest|smallest)", "{d}"),
    ("(?:(?:empirical|sample) )?median", "{d}", "{d}*(1 + {n} - 2*\\mathrm{{floor}}({n}/2))/2"),
    ("(?:(?:empirical|sample) )?variance", "({d})^2*({n} - 1)/{n}^2", "({d})^2/{n}"),
)
_NUMBERS = (
    r"(?:(?P<n>\$ ?\\?\w+ ?\$) (?:real )?(?:numbers|values|points|samples|observations|rewards|data points|records)"
    r"(?: lying)? (?:in|from) \$|\$ ?\w ?\\in ?|\$ ?\w_1, ?\\?[lc]?(?:dots|\.\.\.), ?\w_\{?(?P<m>\w)\}?"
    r" ?(?:\\in|\$ in \$) ?)"
    r" ?\[(?P<low>[^$,\]]+),(?P<high>[^$,\]]+)\](?:\^\{?(?P<k>\w)\}?)? ?\$"
)
_SENSITIVITY = r"(?:global )?(?:(?:\$?\\?(?:ell|l)_?1\$?|L1)[- ])?sensitivity"
_SENSITIVE = pattern(
    rf"\b(?:the {_SENSITIVITY} of )?(?:the )?(?P<stat>{'|'.join(of for of, *_ in _STATISTICS)})"
    rf"(?: (?P<formula>[^.]{{1,80}}?))? of {_NUMBERS} (?:(?:has|have) (?:an? )?{_SENSITIVITY}|(?:changes|moves"
    rf"|varies) by|(?=is\b|equals\b))"
    r" ?(?P<how>(?:is )?(?:equal to|exactly|at most|bounded by|of|is|equals)?(?: at most| exactly| equal to)?) ?"
    r"\$(?P<value>[^$]*)\$(?P<under>,? (?:under|for|with respect to) (?:the )?(?P<replaced>replacement"
    r"|substitution|swaps?)"
    r"(?: of (?:one|a single) \w+)?|,? (?:if|when) (?P<moved>one (?:\w+ )?(?:is (?:replaced|changed)|changes))"
    r"|,? (?:under|when|if) (?:one \w+ is )?(?P<added>add[\w/]*(?: or |/|-)remov\w*)(?: of \w+ \w+)?)?"
)


_OVER_LESS = re.compile(r"(?:1\s*/\s*\(|frac\s*\{?\s*1\s*\}?\s*\{)\s*\w\s*-\s*1")


def of_sensitivity(text: str, found: list[str]) -> str:
    """A statement with the formula of the sensitivity in place of "the mean of n numbers in [a, b] has sensitivity"."""
    if not (m := _SENSITIVE.search(text)) or not re.search(r"\bsensitivity\b|s by\b", m[0]) or PROMISE.search(text):
        return text
    if alone := re.match(r",? (?:under|for) (?:the )?(removal|deletion|addition|insertion)\b", text[m.end() :]):
        raise Unread(
            f"{alone[1]} alone is not read: write 'under replacement', or of a sum 'under addition or removal'"
        )
    low, high = m["low"].strip(), m["high"].strip()
    stat, n = m["stat"].lower(), (m["n"] or m["m"] or m["k"] or "").strip("$ ")
    if (
        not n
        or m["formula"]
        and not (stat.endswith("variance") and re.search(r"1 ?/ ?\(?n|frac ?\{? ?1", m["formula"]))
    ):
        return text
    d = f"({high} - ({low}))"
    _, *values = next(s for s in _STATISTICS if re.fullmatch(s[0], stat))
    values = [value.format(d=d, n=n) for value in values]
    if not (m["replaced"] or m["moved"]) and stat in ("sum", "total"):
        most, k = rf"\mathrm{{max}}(|{low}|, |{high}|)", 0
        if not m["added"]:
            k = which("is one number replaced, or added or removed? Write 'under replacement'", stat, 0, 2)
        values = [[most, d][k]]
    elif m["added"]:
        return text
    if m["formula"]:
        values = values[1:] if _OVER_LESS.search(m["formula"]) else values[:1]
    if len(values) > 1:
        asked = {
            "n": "is the median of an even count the lower one of the two in the middle, or their mean?",
            "e": "is the variance the sum of squares over n, or over n - 1?",
        }
        values = [values[which(asked[stat[-1]], stat, 0, 2)]]
    bound = re.search("most|bounded", m["how"]) is not None
    if not bound and not re.search("exact|equal|is", m["how"]):
        bound = which("is this the sensitivity, or a bound of it? Write 'exactly' or 'at most'", stat, 0, 2) == 0
    found.append(f"= the sensitivity of the {stat} is {values[0]}")
    told = text[: m.start()] + text[m.end() :]
    counted = "" if re.search(rf"{re.escape(n)}(?: ?\$)? ?(?:\\[lg]e|[<>]|\\in)", told) else f"integer ${n} >= 1$"
    ends = f"real ${low}$, real ${high}$" if re.search("[a-z]", low + high) else ""
    behind = f" for {', '.join(filter(None, (ends, counted)))}" if ends or counted else ""
    behind += f" when ${low}<{high}$" if ends else ""
    sign = "at most" if bound else "equal to"
    return f"{text[: m.start()]}${values[0]}$ is {sign} ${m['value']}${behind}{text[m.end() :]}"


COUNTED = "two three four five six seven eight nine ten".split()
_OF_EACH = pattern(
    rf"\b(?P<law>laplac(?:e|ian)|gaussian|normal|geometric)\b(?P<rest>[^.]*?) (?:on|to|in) (?:each|every one|all) of"
    rf" (?:the |these )?(?P<k>{_X}) (?:(?:adaptive(?:ly chosen)?|different|counting|numeric|real-valued) )*"
    rf"(?:queries|counts|statistics),? (?:each )?(?:of|with|having)(?: an?)? (?:global )?sensitivity (?P<s>{_X})"
)


def of_many_queries(text: str, found: list[str]) -> str:
    """Noise on each of k queries of sensitivity s as noise on one, whose parts move by k s or sqrt(k) s together."""
    m = _OF_EACH.search(text)
    if (
        not m
        or "\\text" in text
        or not PROMISE.search(text)
        or re.search(r"histogram|disjoint|\b(?:bins|cells|max)", text, re.IGNORECASE)
    ):
        return text
    k, s = m["k"].strip("$ "), m["s"].strip("$ ")
    k = str(COUNTED.index(k) + 2) if k in COUNTED else k
    normal = m["law"].lower() in ("gaussian", "normal")
    d = "$" if "$" in text else ""
    times = (
        rf"\sqrt{{{k}}}({s})" if d and normal else f"sqrt({k})*({s})" if normal else f"{k} ({s})" if d else f"{k}*({s})"
    )
    found.append(f"= all {k} queries move together by {'the root of ' * normal}{k} times their sensitivity")
    counted = re.fullmatch(r"\\?[A-Za-z]+", k) and not re.search(
        rf"(?<!\w){re.escape(k)}(?: ?\$)? ?(?:\\[lg]e|[<>]|\\?in\b)", text
    )
    behind = f", for integer {d}{k}>=1{d}" if counted else ""
    return (
        f"{text[: m.start()]}{m['law']}{m['rest']} on sensitivity {d}{times}{d}{text[m.end() :].rstrip(' .')}{behind}"
    )
