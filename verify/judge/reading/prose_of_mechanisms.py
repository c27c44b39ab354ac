"""Prose about mechanisms, told in the words of the grammar of mechanisms."""

from __future__ import annotations

import re

from banditproof.verify.judge.formulas.sentence import Unread, which
from banditproof.verify.judge.reading.clauses import light, pattern
from banditproof.verify.judge.reading.words import CATEGORY, PROMISE

_QUERY = r"(?:query|function|statistic|utility(?: function)?|score(?: function)?|map(?:ping)?)"
_F = r"\$?[fgqus](?:\(\w(?:, ?\w)?\))?(?: ?: ?[^$]*)?\$?"
_R = r"\$?r(?: ?\\in ?\\mathcal ?\{?\w\}?)?\$?"
_REPORTS = r"(?:reports?|outputs?|releases?|returns?|sends?|answers?|publish(?:es)?)"
_BIT = (
    r"(?:(?:an?|the|its|your) (?:(?:private|true|secret|real|sensitive) )?(?:bit|answer)"
    r"(?: \$?b(?: ?\\in ?\\\{0, ?1\\\})?\$?)?|\$?b\$?)"
)
_COIN = r"an? (?:(?:uniformly|independent) )*(?:random|uniform) (?:bit|answer)"
_NUMBER = r"[^\s$,]+"
_PR = r"\\(?:Pr|mathbb ?\{? ?P ?\}?|operatorname\{Pr\})"
_IN_S = r"[\[(] ?(?:\\mathcal ?\{?)?M\}? ?\( ?D'* ?\) ?\\in ?S ?[\])]"
_INDEX = r"(?:_\{?\w\}?|\d)?"
_M = rf"(?:\\math(?:cal|sf|bf|rm)\s*)?\{{?\s*[A-Z]\s*\}}?{_INDEX}"
_PROMISED = r"(?:DP|GDP|RDP|differentially private|z?CDP)\$?"
_X = r"(?:\$[^$]*\$|\([^()]*(?:\([^()]*\)[^()]*)*\)|[^\s$,.()]+)"  # a number
_A = rf"{_X}-?(?: ?-?{_PROMISED})"  # a promise
_EACH = r"(?:each|every|one|any|a single|changing one|replacing one)"
_RECORD = r"(?:record|row|entry|user|person|individual|element|data point)"
_FOLD = r"(?: \$?\w+\$?-fold)?(?: adaptive| sequential)?"
_SUM = (
    r"(?:\w_1 ?\+ ?(?:\.\.\.|\\[lc]?dots) ?\+ ?\w_\{?(?P<n>\w)\}?"
    r"|\\?sum_(?:\{?i ?= ?1\}? ?\^ ?\{?(?P<m>\w)\}?|i|\{i\}) ?\w_\{?i\}?)"
)
_NOISE = r"(?:\\(?:math|text|operatorname)|\$?(?:N|Lap|Laplace)\()"


def _of_a_sum(m: re.Match[str], before: str, noise: str) -> str:
    """ "x_1 + ... + x_n + Lap(b), x_i in [0, 1]" in words."""
    d = "$" if "$" in m[0] else ""
    count = m["n"] or m["m"] or m.groupdict().get("count")
    summed = f"{before} the sum of {f'{d}{count}{d} ' if count else ''}numbers in {d}{m['set']}{d}"
    return f"{summed} {'with' if d else 'plus'} {d}{noise}{d * bool(noise)} "


_TRUTH = r"the (?:true )?(?:value|truth|answer) with probability (?P<p>\$[^$]+\$|[^\s$,]+)"
_LEFT = r",? (?:and )?(?:else|otherwise)(?: reporting| reports)?"
_VALUES = r"(?:values|categories|answers|symbols)"


def _of_values(m: re.Match[str], blind: bool) -> str:
    """Randomised response over values of which one is told truly; `blind`: else any is, also the true one."""
    d, p, k = m["d"], m["p"].strip("$"), m["k"]
    if m.groupdict().get("n", k) != k:
        return m[0]
    share = rf"\frac{{1-({p})}}{{{k}}}" if d else f"(1 - ({p}))/{k}"
    truth = f"{d}({p})+{share}{d}" if blind else m["p"]
    return f"randomised response over {d}{k}{d} categories that tells the truth with probability {truth}"


OF_MECHANISMS = (
    # "Keeping the value with probability p and else reporting a uniform one of all m values"
    *(
        (
            pattern(rf"{subject} {_TRUTH}{_LEFT} {other}{behind}(?=,? (?:is|satisfies)\b)"),
            lambda m, blind=blind: _of_values(m, blind),
        )
        for subject, behind in (
            (r"\b(?:keeping|reporting|telling|answering)", rf" {_VALUES}(?: uniformly)?"),
            (
                rf"\brandomi[sz]ed response on \$?\b(?P<n>\w)\$? {_VALUES} that (?:keeps|reports|tells|answers)",
                rf"(?: {_VALUES})?(?: uniformly)?",
            ),
        )
        for other, blind in (
            (r"a uniform(?:ly random)? one of all (?P<d>\$?)(?P<k>\b\w)(?P=d)", True),
            (r"one of the (?P<d>\$?)(?P<k>\b\w) ?- ?1(?P=d) other(?=[^.]* uniformly)", False),
        )
    ),
    # "The report claims that ..."
    (
        pattern(
            r"^(?:[A-Za-z]+ ){1,4}(?:claims?|claimed|states?|says?|asserts?|writes?|argues?|suggests?|notes?|observes?"
            r"|concludes?|shows?|proves?|recalls?) that (?=\S)"
        ),
        lambda m: "" if light(m[0]) else m[0],
    ),
    (
        pattern(r"\b(?:each|every) coordinate of an? (?:query|function)(?P<of>[^.]*?),? in dimension (?P<d>\$?\w+\$?)"),
        r"each of the \g<d> coordinates of a query\g<of>",
    ),
    (
        pattern(
            r"\b(?:each|every) coordinate of an? (?:query|function) \$ ?[fgq] ?:[^$]*\\mathbb ?\{?R\}?"
            r" ?\^ ?\{?(?P<d>\w)\}? ?\$"
        ),
        r"each of the $\g<d>$ coordinates of a query",
    ),
    (
        pattern(rf"(?P<keep>\$ ?{_M}) ?(?::|\\colon(?![a-z])) ?[^$:=<>]*\\(?:to|rightarrow)(?![a-z])[^$=<>]*\$"),
        r"\g<keep>$",
    ),
    (
        pattern(
            rf",? where (?P<s>\$[^$]*\$) (?:is|denotes) the (?P<of>(?:\$?\\?(?:ell|l)_?[12]\$?[- ])?(?:global"
            rf" )?sensitivity)"
            rf"(?: of (?:the (?:query|function) )?(?:{_F})?)?(?P<end>\.(?: then)?|,)?"
        ),
        r" on \g<of> \g<s>\g<end>",
    ),
    (
        pattern(
            rf"^let \$?{_M}\$? be the (?P<m>(?:laplace|gaussian|geometric|exponential) (?:mechanism|noise) [^.]*)\."
            rf"(?: then)? \$?{_M}\$? (?=is|satisfies)"
        ),
        r"the \g<m> ",
    ),
    (pattern(r"^under (?:\$?\w+\$?-fold )?(?:adaptive |sequential )*composition,(?= )"), ""),
    (pattern(r"(?P<keep>geometric (?:noise|mechanism) (?:of|with) (?:parameter|ratio) \$) ?\\?\w+ ?= ?"), r"\g<keep>"),
    (
        pattern(
            r",? (?:when|where|if) (?:two )?neighbou?r(?:ing|s)?(?: data ?sets| databases| inputs)? (?:differ"
            r"|are related)"
            r" (?:by|in|through) (?:the )?(?P<how>replac|substitut|chang|swap|add|insert|remov)[a-z]*[^.,$]*"
        ),
        lambda m: f" under {'replacement' if m['how'][:3].lower() not in ('add', 'ins', 'rem') else 'add or remove'}",
    ),
    (
        pattern(rf"(?P<a>{_A}) and (?P<b>{_A})(?: mechanisms)? compose to (?:an? )?"),
        r"the composition of \g<a> and \g<b> mechanisms is ",
    ),
    (
        pattern(
            r"\b(?P<keep>(?:exponential mechanism)?,? ?(?:(?:which|that) )?)(?:choosing|chooses|picking|picks"
            r"|selecting|selects"
            r"|sampling|samples) (?:an? (?:output|candidate|answer) )?\$?[a-z]\$?(?= with probability)"
        ),
        lambda m: "exponential mechanism" if m["keep"].lower().startswith("exp") else "choosing",
    ),
    (pattern(r"\\Pr ?[\[(] ?\w(?:\( ?\w ?\))? ?= ?[a-z] ?[\])] ?(?=\\propto)"), ""),
    (pattern(r",? for an? (?:utility|score|quality)(?: function)? \$?[uqs]\$? of (?=sensitivity)"), " on "),
    # A query, and how much a record moves it
    (pattern(rf"\bsensitivity[- ](?P<s>\$?\\?\w+\$?)[- ](?={_QUERY})"), r"sensitivity \g<s> of "),
    (
        pattern(
            rf"\b(?:if|when|since|suppose|let) {_EACH} {_RECORD} (?:changes?|moves?|affects?|alters?|influences?)"
            rf" (?:{_F}|the (?:query|sum|answer|output|result)) by at most (?P<s>{_X})[,.](?: then)?"
        ),
        r"with sensitivity \g<s>, ",
    ),
    (pattern(rf"(?P<keep>\$)? ?\b{_F[3:-3]} ?\+ ?(?={_NOISE})"), r"\g<keep>"),
    (
        pattern(
            r"(?:let |for )?\$?(?:\w_1 ?, ?(?:\.\.\.|\\[lc]?dots) ?, ?\w_\{?(?P<count>\w)\}?|\w_i)(?: be| lie)?"
            rf"(?: ?\\in ?|\$? (?:be )?in \$?)(?P<set>\[[^\]]*\])\$?[.,](?: then)?"
            rf" (?P<keep>[^.]*?)\$? ?{_SUM} ?\+ ?(?:\$ ?)?(?={_NOISE})"
        ),
        lambda m: _of_a_sum(m, m["keep"], ""),
    ),
    (
        pattern(
            r"\bgeometric (?P<what>noise|mechanism) (?:of|with) (?:parameter|ratio)"
            r" (?P<d>\$?)(?P<a>(?:\\?exp\(|e ?\^)[^$\s,]+)\$?"
        ),
        r"geometric \g<what> with probability proportional to \g<d>(\g<a>)^{|k|}\g<d>",
    ),
    # Compositions, samples and what promises survive
    (
        pattern(
            rf"\b(?:two|2) (?:mechanisms|algorithms),? (?:that|which) are (?P<a>{_A}),? and"
            rf" (?P<b>{_A})(?: respectively)?"
        ),
        r"\g<a> and \g<b> mechanisms",
    ),
    (
        pattern(
            r"(?P<keep>\b(?:composing|composition of|running) \$?\w+\$?) (?:gaussian|laplace|exponential)"
            r" (?=mechanisms,? each)"
        ),
        r"\g<keep> ",
    ),
    (pattern(rf"(?P<keep>mechanisms|algorithms), each of them (?=(?:being )?{_A})"), r"\g<keep>, each "),
    (pattern(r",? each of (?:them|which) (?:is )?(?:adaptive|adaptively chosen),?"), ""),
    (pattern(r"\b(?:running|applying) (?:M|it|the (?:same )?mechanism) (?:on|to) (?=groups\b)"), ""),
    (
        pattern(
            rf"\b(?:sampling|including|keeping|selecting) {_EACH} {_RECORD}(?: independently)? with probability"
            rf" (?P<q>{_X}),?(?: and)?(?: then| before)?(?: running| applying)? an? (?P<a>{_A}) (?:mechanism|algorithm)"
            r"(?: (?:on|to) the (?:(?:sub)?sample|sampled data|result))?"
        ),
        r"Poisson subsampling with rate \g<q> of \g<a>",
    ),
    (
        pattern(
            rf"\bPoisson (?:sub-?)?sampling (?:with|at|of) (?:rate|probability) (?P<q>{_X}) before an? (?P<a>{_A})"
            r" (?:mechanism|algorithm)"
        ),
        r"Poisson subsampling with rate \g<q> of \g<a>",
    ),
    (pattern(rf"\bamplifies (?P<a>{_A}) to (?P<b>{_A})"), r"of \g<a> is \g<b>"),
    (
        pattern(
            rf"(?P<a>{_A})(?: mechanisms?)? (?:is|are) (?:closed under|preserved (?:under|by)|immune to|robust to"
            r"|invariant under) (?:arbitrary )?post-?processing"
        ),
        r"post-processing of \g<a> is \g<a>",
    ),
    (
        pattern(rf"\bpost-?processing an? (?P<a>{_A}) (?:mechanism|algorithm) keeps (?:it )?(?={_X})"),
        r"post-processing of \g<a> is ",
    ),
    # Choices
    (
        pattern(r"(?P<keep>\bexponential mechanism) with weights? (?:proportional to )?"),
        r"\g<keep> with probability proportional to ",
    ),
    (
        pattern(
            r"\b(?:choosing|selecting|picking|sampling|drawing|outputting) an?"
            r" (?:candidate|output|outcome|option|item|element|answer)(?= with probability proportional)"
        ),
        "choosing",
    ),
    (pattern(r"\breport-noisy-max\b"), "report noisy max"),
    (
        pattern(r"(?P<keep>noisy max),? (?:that|which) adds (?P<n>\$?(?:\\mathrm\{)?(?:Lap|Laplace)\b)"),
        r"\g<keep> with \g<n>",
    ),
    (
        pattern(
            r" (?:over|on|from|in) (?:an?|the) (?:finite )?(?:range|set|domain)"
            r"(?: of (?:possible )?(?:outputs|candidates|outcomes|options))?(?: \$\\mathcal ?\{?\w\}?\$)?"
        ),
        "",
    ),
    (pattern(r"R\\'\{?e\}?nyi"), "Renyi"),
    (
        pattern(r"\beach of the \$?\w+\$? (?:(?:cell|bin) )?(?:counts|cells|bins) of(?= (?:a|the) histogram)"),
        "every count of",
    ),
    (pattern(r"\b(?P<keep>histogram) (?:with|of|over) \$[^$]*\$ (?:cells|bins)(?: after)?"), r"\g<keep>"),
    (pattern(rf"^(?:suppose|assume)(?: that)? (?P<keep>[^.]*{_PROMISED}[^.]*)\.(?: then)?"), r"if \g<keep>, then"),
    (pattern(r"\bthe (?:composed|combined|joint) mechanism(?= \$ ?\()"), ""),
    (pattern(r"^consider (?:an?|the) mechanism (?:that|which)"), ""),
    (pattern(r"\$ ?(?P<keep>\w) ?\\mapsto ?(?P=keep) ?\+ ?(?=\\(?:math|text|operatorname))"), "$"),
    (pattern(r"^exponential mechanism:(?= (?:sampling|choosing|selecting|picking|outputting))"), ""),
    (
        pattern(
            r"\bturns an? (?P<a>\$[^$]*\$\S+|\S+) (?:mechanism|algorithm) into an? (?P<b>\$[^$]*\$[^\s,.]+|[^\s,.]+)"
            r"(?: one| mechanism)?"
        ),
        r"of \g<a> is \g<b>",
    ),
    # What a noise is added to, or a choice is made by: "let f be a query with sensitivity s. Then"
    (pattern(rf"\breal-valued (?={_QUERY})"), "numeric "),
    *(
        (
            pattern(
                rf"{begin}let {_F}(?: be an? (?:numeric )?{_QUERY}(?: (?:of|with))?| have)"
                rf" (?P<keep>[^.]*sensitivity[^.]*)\."
                r"(?: then)?"
            ),
            words,
        )
        for begin, words in ((r",? and ", r". \g<keep>,"), (r"(?:^|(?<=\.\s))", r"\g<keep>,"))
    ),
    (pattern(rf",? where {_F} is(?= an? (?:numeric )?{_QUERY})"), " to"),
    (pattern(rf"\bwhere(?= {_F} has (?:global )?sensitivity)"), ""),
    (pattern(r"\b(?:utility|score|quality)(?: function)?(?= (?:of|with|\$?[uqs]\b))"), ""),
    (
        pattern(
            r"^let \$?(?P<keep>\\?\w+)\$?(?P<range>(?: ?[<>][^$.]*)?)\$? (?:be|denote) the"
            r" (?P<s>(?:global |\$?\\?(?:ell|l)_?[12]\$?[- ])?sensitivity)"
            r"(?: of (?:the (?:query|function) )?\$?\w\$?)?\.(?: then)?"
        ),
        r"\g<s> $\g<keep>$, with $\g<keep>\g<range>$, ",
    ),
    (
        pattern(
            rf"\b(?:sampling|choosing|drawing|outputting|returning|selecting|picking) {_R}(?= with probability"
            rf" proportional)"
        ),
        "choosing",
    ),
    # "each of the d coordinates"
    (
        pattern(
            r"\$ ?[fq] ?\( ?\w ?\) ?\+ ?\( ?Z_1 ?,(?: ?\\[lc]?dots ?,)? ?Z_(?P<keep>\w) ?\) ?\$,?(?: with| where)?"
            r"(?: i\.i\.d\.\\?| independent)? \$ ?Z_i ?\\sim"
        ),
        r"each of the \g<keep> coordinates, $",
    ),
    # Randomised response: "reports a private bit truthfully with probability p and flipped with probability q"
    (
        pattern(
            rf"\b(?:the )?(?:mechanism|algorithm)(?:,? which| that) {_REPORTS} {_BIT}"
            rf" (?:truthfully|correctly|unchanged) with"
            r" probability"
        ),
        "randomised response that tells the truth with probability",
    ),
    (
        pattern(
            rf"\band (?:{_REPORTS} )?(?:\$?1 ?- ?b\$?|its (?:complement|negation|opposite)|flipped)(?="
            rf" (?:with|otherwise))"
        ),
        "and the flipped bit",
    ),
    (
        pattern(
            rf"\b(?:flip|toss)(?:ing)? a fair coin[:,]? (?:on|if|when) heads,? {_REPORTS} {_BIT}[,;:]?(?: and)?"
            rf" (?:on|if|when) tails,?"
            rf" {_REPORTS} {_COIN}\.(?: the resulting| this| the)? mechanism"
        ),
        "randomised response that tells the truth with probability 3/4",
    ),
    (
        pattern(
            rf"\b(?:with|on|over|among) (?P<k>\$[^$]*\$) (?:categories|outcomes|values|options)(?:,? which| that)"
            rf" {_REPORTS} the true (?:category|outcome|value|option) with probability (?P<p>\$[^$]*\$),? and"
            r" each (?:of the )?others?(?: category| outcome| value| option)? with equal probability"
        ),
        r"on \g<k> categories with truth probability \g<p>",
    ),
    (
        pattern(
            r"\b(?:the )?(?:mechanism|algorithm|randomi[sz]er) on \$ ?\[ ?(?P<k>\w) ?\] ?\$(?:,? which| that)"
            rf" {_REPORTS} the true (?:one|{CATEGORY}) with probability"
        ),
        r"randomised response over $\g<k>$ categories with truth probability",
    ),
    (
        pattern(
            r"(?P<keep>\b(?:tells the truth|reports the true bit) with probability \$[^$]*\$)"
            r" \((?P<rest>and the flipped bit [^()]*)\)"
        ),
        r"\g<keep>, \g<rest>",
    ),
    (pattern(r"(?P<keep>-|\b)\(locally\)(?= differentially private)"), r"\g<keep>locally"),
    (
        pattern(
            r"\brunning an? (?P<m>\$[^$]*\$\S+|\S+) (?:mechanism|algorithm) on an? (?:random )?(?:sub-?)?sample,?"
            r" (?:where|in which) each (?:record|row|user|entry) is (?:included|kept|sampled) independently with"
            r" probability (?P<q>\$[^$]*\$)"
        ),
        r"Poisson subsampling with rate \g<q> of \g<m>",
    ),
    # Compositions: "two mechanisms, one a-DP and the other b-DP"
    (
        pattern(
            rf"\btwo mechanisms,? (?:of which )?one (?:is |being |of which is )?(?P<a>\S+{_PROMISED}),? and (?:the"
            r" other|one)(?: is| being)?"
            rf" (?P<b>\S+{_PROMISED}),?"
        ),
        r"\g<a> and \g<b> mechanisms",
    ),
    (
        pattern(
            rf"\bif (?P<k>\$[^$]*\$|\S+) mechanisms are each (?P<a>[^.]*?{_PROMISED}),? (?:then )?(?=their composition)"
        ),
        r"if each of \g<k> mechanisms is \g<a>, then ",
    ),
    (
        pattern(
            rf"\b(?:let|if) \${_M} ?, ?\\[lc]?dots ?, ?{_M[: -len(_INDEX)]}_\{{?(?P<k>\w)\}}?\$ (?:each )?(?:be|are)"
            rf"(?: each)? (?P<a>[^.]*?{_PROMISED})(?: each)?(?:\. then|,(?: then)?(?= their{_FOLD} composition))"
        ),
        r"if each of $\g<k>$ mechanisms is \g<a>, then",
    ),
    (  # "Suppose that M is (a, b)-RDP for some a > 1. Then": behind "then" there would be one
        pattern(
            rf"(?P<a>\b(?:if|suppose|assume|let)\b(?:(?!\bthen\b)[^.])*?{_A}) for some (?P<r>\$[^$]*\$)"
            r"(?P<end>[.,])(?= then\b)"
        ),
        r"\g<a>, with \g<r>\g<end>",
    ),
    (pattern(rf"\btheir{_FOLD}(?= composition)"), "their"),
    (
        pattern(
            rf"\b(?:let|if) \$?{_M}\$? (?:be|is) (?P<a>{_A})(?: and|,) (?:let )?(?P<s>\$[^$]*\$) (?:be|is)"
            r" (?:a )?Poisson (?:sub-?)?sampl(?:ing|er) (?:with|at|of) (?:rate|probability) (?P<q>\$[^$]*\$)"
            rf"[.,](?: then)+ \$ ?{_M} ?\\circ[^$]*\$"
        ),
        r"Poisson subsampling with rate \g<q> of \g<a>",
    ),
    # Groups: "for pairs of data sets at distance two", "then for data sets at distance two P(M(D) in S) <= ..."
    (
        pattern(
            rf"\bfor (?:all |any )?(?:pairs of )?(?:data ?sets|databases|inputs|\$[^$]*\$) (?:at (?:Hamming"
            rf" )?distance|(?:that differ|differing) in(?: at most)?)"
            rf" (?P<keep>two|three|\$[^$]*\$|{_NUMBER})(?: (?:records|rows|entries|users))?"
        ),
        r"for groups of size \g<keep>",
    ),
    *(
        (
            pattern(
                rf"\$ ?{_PR} ?{_IN_S} ?\\leq? ?e\^(?:\{{(?P<a>[^{{}}]*)\}}|(?P<b>\\?\w+)) ?{_PR} ?{_IN_S} ?{more}\$"
                r"(?: for (?:all|every|any) (?:events? |measurable |sets? |outputs? )*\$S\$)?"
            ),
            words,
        )
        for more, words in (("", r"it is $\g<a>\g<b>$-DP"), (r"\+ ?(?P<c>[^$<>=]*)", r"it is $(\g<a>\g<b>,\g<c>)$-DP"))
    ),
    (pattern(rf"\$\s*\(\s*{_M}\s*,\s*{_M}\s*\)\s*\$(?= (?:is|satisf))"), "the composition"),
    (pattern(rf"(?P<keep>composition) of \$?{_M}\$? and \$?{_M}\$?(?= (?:is|satisf))"), r"\g<keep>"),
    # "M run on a sample", and ranges in brackets at the end
    (pattern(rf"(?P<keep>then )\$?{_M}\$? run (?=on )"), r"\g<keep>running the mechanism "),
    (
        pattern(
            r",? (?:and|where)(?: let)? \$\w\$ (?:is|be) (?:an? )?(?:arbitrary|any)"
            r"(?: \(?(?:possibly )?randomi[sz]ed\)?)? (?:function|map|mapping|algorithm)"
        ),
        "",
    ),
    (pattern(rf"\$\s*[fgh]\s*(?:\\circ\s*{_M}|\(\s*{_M}\s*\))\s*\$"), "post-processing"),
    (pattern(r"(?P<keep>\$?\w\$?)-ary randomi[sz]ed response(?= (?:on|over|among)\b)"), "randomised response"),
    (pattern(r"(?P<keep>\$?\w\$?)-ary randomi[sz]ed response"), r"randomised response over \g<keep> categories"),
    (
        pattern(
            r"(?P<keep>\brandomi[sz]ed response over (?P<d>\$?)(?P<k>\w+)(?P=d) categories\b[^.]*?),? (?:and )?"
            r"(?:else|otherwise)(?: reports| returns| outputs)? (?:(?:another|a different)"
            r" (?:value|answer|category|one)"
            r" uniformly(?: at random)?|(?:one of )?the (?:(?:other|remaining)"
            r" )?(?:\$? ?(?P=k) ?-"
            r" ?1 ?\$? )?(?:(?:other|remaining) )?(?:others?|values|categories|answers|symbols)? ?uniformly(?:"
            r" at random)?"
            r"|uniform(?:ly)? (?:on|among|over|from) the (?:others?|rest|remaining)(?: ones| values| categories)?)"
        ),
        r"\g<keep>",
    ),
    (
        pattern(
            r"(?P<keep>(?:exponential mechanism|proportional to)[^.]*(?<![a-zA-Z\\])[uqs])\s*\(\s*(?:\w\s*,\s*)?\w\s*\)"
        ),
        r"\g<keep>",
    ),
    (pattern(rf"\$\s*{_M}\s*\(\s*\w\s*\)\s*=\s*(?=[fq]\s*\()"), "$"),
    (pattern(r"\$\s*[fq]\s*\(\s*\w\s*\)\s*\+\s*(?=\\(?:math|text|operatorname))"), "$"),
)


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
