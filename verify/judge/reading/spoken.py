r"""Signs that are spoken: "the sum over $k$ from $1$ to $n$ of $f$", "with probability at least $p$, $A$", ...

Each is told in signs, which LaTeX and plain text have in common but for a backslash.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from banditproof.verify.judge.formulas.sentence import which
from banditproof.verify.judge.reading.clauses import pattern
from banditproof.verify.judge.reading.words import LAWS

OF_A_MATRIX = r"(?:(?:the|an?) (?:(?:real|square|symmetric|tridiagonal|Toeplitz|covariance|correlation) )*matrix )?"
# A formula up to its end, or to a sign of comparison.
_BODY = r"\$(?P<body>(?:[^$<>=\\]|\\(?!(?:[lg]e|ne|in|to|sim)(?![A-Za-z])))*)"
# The same without a sum outside of brackets, of which only the first summand may be meant.
_GROUP = r"\((?:[^()$]|\((?:[^()$]|\([^()$]*\))*\))*\)|\{(?:[^{}$]|\{[^{}$]*\})*\}"
_REL = r"[<>=]|\\(?:[lg]e|ne|in|to|sim)(?![A-Za-z])"
_SUMMAND = rf"\$(?P<body>(?:{_GROUP}|(?!{_REL})[^$+(){{}}-])*)(?=\$|{_REL})"
_VALUE = r"\$(?P<{}>[^$]*)\$"
_EXTREMA = (
    ("sup", r"(?:supremum|sup)"),
    ("inf", r"(?:infimum|inf)"),
    ("max", r"(?:maximum|max)"),
    ("min", r"(?:minimum|min)"),
)
_INTERVAL = r"\$(?P<over>[(\[][^$<>]*,[^$<>]*[)\]])\$"
_OVER = rf"over (?:all )?{_VALUE.format('over')}"
_FROM_TO = (
    rf"(?:(?:over|for) (?:all )?\$(?P<k>\\?\w+)\$ from {_VALUE.format('low')} to {_VALUE.format('high')}"
    rf"|from \$(?P<j>\\?\w+) ?= ?(?P<least>[^$=]*)\$ to {_VALUE.format('most')}"
    r"|(?:over|for) \$(?P<i>\w) ?= ?(?P<first>\w+)(?:(?: ?, ?\w+)*, ?(?:\.\.\.|\\l?dots),? ?|\.\.)(?P<last>\w+)\$)"
)
_SUM = r"$\\{}_{{\g<k>\g<j>\g<i>=\g<low>\g<least>\g<first>}}^{{\g<high>\g<most>\g<last>}} (\g<body>) "
_NOUN = (
    r"(?:(?:infinite )?series|difference|ratio|quotient|quantity|expression|product|sum|number|term|function"
    r"|entropy|polynomial"
    r"|quadratic form)"
)
_VARIABLE = r"(?:[- ](?:random )?(?:variable|distribution|law)|[- ]distributed)?"
_HAS = r"(?:(?:be|is|has|have|follows|denotes?)(?: distributed(?: as)?| (?:the )?(?:law|distribution))?)"
_GIVEN = r",? (?:with|of|having) (?:an? |the )?(?:(?P<integer>integer) )?"
_RANGE = r"(?: ?(?:[<>=]|\\(?:in|[lg]eq?)\b)[^$]*)?"
_P = rf"\$(?P<p>\d+/\d+|\\?\w+)(?P<range>{_RANGE})\$"
_Q = rf"\$(?P<n>\d+/\d+|\\?\w+)(?P<other>{_RANGE})\$"
_LETTER = r"(?:[A-Z]|\\(?:varepsilon|epsilon|xi|eta|zeta|sigma|omega)|[u-z])(?:_(?:\w|\{\w\}))?"  # of a law
_SUCCESS = r"(?:success )?(?:probability|parameter)(?: of success)?"
# Laws: the word, the words for its parameters, its name, and the parameters.
_LAWS = (
    ("Bernoulli", rf"{_GIVEN}(?:mean|bias|{_SUCCESS}) {_P}", "Ber", "{p}"),
    ("Poisson", rf"{_GIVEN}(?:mean|parameter|rate|intensity) {_P}", "Poisson", "{p}"),
    ("exponential(?:ly)?", rf"{_GIVEN}rate {_P}", "Rate", "{p}"),
    ("exponential(?:ly)?", rf"{_GIVEN}mean {_P}", "Rate", "1/{p}"),
    ("standard exponential", "", "Rate", "1"),
    ("chi-?squared?", rf"{_GIVEN}{_P} degrees? of freedom", "ChiSquare", "{p}"),
    ("chi-?squared?", rf"{_GIVEN}one degree of freedom", "ChiSquare", "1"),
    ("geometric(?:ally)?", rf"{_GIVEN}{_SUCCESS} {_P}", "Geom", "{p}"),
    ("gamma", rf"{_GIVEN}shape(?: parameter)? {_Q} and rate(?: parameter)? {_P}", "GammaLaw", "{n},{p}"),
    ("gamma", rf"{_GIVEN}shape(?: parameter)? {_Q} and scale(?: parameter)? {_P}", "GammaLaw", "{n},1/({p})"),
    (
        "(?:continuous )?uniform(?:ly)?",
        r" (?:on|over|in)(?: the (?:unit )?interval)? \$ ?[\[(] ?(?P<n>[^$,\[\]()]+), ?(?P<p>[^$,\[\]()]+)[\])] ?\$",
        "U",
        "{n},{p}",
    ),
    (
        "binomial(?:ly)?",
        rf"{_GIVEN}parameters (?:integer )?\$(?P<n>\\?\w+)(?P<count>{_RANGE})\$ and {_P}",
        "Bin",
        "{n},{p}",
    ),
    (
        "binomial(?:ly)?",
        rf"{_GIVEN}\$(?P<n>\\?\w+)(?P<count>{_RANGE})\$ (?:independent )?trials and {_SUCCESS} {_P}",
        "Bin",
        "{n},{p}",
    ),
    (r"(?:normal|Gaussian)", rf"{_GIVEN}mean {_Q} and variance {_P}", "N", "{n},{p}"),
    (r"(?:normal|Gaussian)", rf"{_GIVEN}mean {_Q} and standard deviation {_P}", "N", "{n},{p}^2"),
    (r"(?:normal|Gaussian)(?:ly)?", rf"{_GIVEN}(?:zero mean|mean (?:zero|\$0\$)) and variance {_P}", "N", "0,{p}"),
    (r"(?:(?:centred|centered|zero-mean|mean-zero) )(?:normal|Gaussian)", rf"{_GIVEN}variance {_P}", "N", "0,{p}"),
    ("Laplace", rf"{_GIVEN}(?:scale|parameter) {_P}", "Lap", "{p}"),
    (r"(?:standard )?(?:Rademacher|random sign)", "", "Rad", "1"),
    (r"standard (?:normal|Gaussian)", "", "N", "0,1"),
)


def _law(name: str, keep: str, parameters: str, last: str) -> Callable[[re.Match[str]], str]:
    """What tells the law of X, and the range of its parameter, in signs."""

    def told(m: re.Match[str]) -> str:
        groups = {k: v or "" for k, v in m.groupdict().items()}
        for letter, told_of in (("n", "count"), ("n", "other"), ("p", "range")):
            if groups.get(told_of, "").lstrip().startswith("="):  # "with parameters n = 10 and p = 1/2"
                groups[letter], groups[told_of] = groups[told_of].strip(" ="), ""
        law = f"${groups['X']}\\sim\\mathrm{{{name}}}({parameters.format(**groups)})$"
        ranged = groups.get("range") or groups.get("integer")
        integer = "integer " if groups.get("integer") or name == "ChiSquare" else ""
        behind = f", {integer}${groups['p']}{groups['range']}$" if ranged else ""
        if groups.get("count"):
            behind = f", integer ${groups['n']}{groups['count']}$" + behind
        if groups.get("other"):
            behind = f", ${groups['n']}{groups['other']}$" + behind
        return keep.format(groups.get("keep", "")) + law + behind + last

    return told


# Operations, each on formulas that are no sums: "the square of x + y" has two readings.
_F, _G = (rf"\$(?P<{name}>(?:{_GROUP}|(?!{_REL})[^$+(){{}}-])+)\$" for name in "fg")
_OPERATIONS = (
    *(
        (pattern(rf"\b{words} {_F}"), rf"${signs}$")
        for words, signs in (
            (r"(?:the )?square root of", r"\\sqrt{\g<f>}"),
            (r"(?:the )?square of", r"(\g<f>)^2"),
            (r"(?:the )?cube of", r"(\g<f>)^3"),
            (r"(?:the )?(?:natural )?logarithm of", r"\\mathrm{log}(\g<f>)"),
            (r"(?:the )?exponential of", r"\\mathrm{exp}(\g<f>)"),
            (r"(?:the )?absolute value of", r"|\g<f>|"),
            (r"(?:the )?reciprocal of", r"1/(\g<f>)"),
            (r"(?:one )?half(?: of)?", r"(\g<f>)/2"),
            (r"(?:one|a) third of", r"(\g<f>)/3"),
            (r"two thirds of", r"2*(\g<f>)/3"),
            (r"(?:one|a) quarter of", r"(\g<f>)/4"),
            (r"three quarters of", r"3*(\g<f>)/4"),
            (r"three halves of", r"3*(\g<f>)/2"),
            (r"twice", r"2*(\g<f>)"),
            (r"one minus", r"(1 - (\g<f>))"),
        )
    ),
    *(
        (pattern(rf"\b(?:the )?{words} {_F} {between} {_G}"), rf"${signs}$")
        for words, between, signs in (
            (r"(?:larger|greater|maximum|max)(?: one)? of", "and", r"\\mathrm{max}(\g<f>, \g<g>)"),
            (r"(?:smaller|lesser|minimum|min)(?: one)? of", "and", r"\\mathrm{min}(\g<f>, \g<g>)"),
            (r"product of", "and", r"(\g<f>)*(\g<g>)"),
            (r"sum of", "and", r"(\g<f> + \g<g>)"),
            (r"(?:ratio|quotient) of", "(?:to|and)", r"(\g<f>)/(\g<g>)"),
            (r"(?:arithmetic mean|average) of", "and", r"(\g<f> + \g<g>)/2"),
            (r"geometric mean of", "and", r"\\sqrt{(\g<f>)*(\g<g>)}"),
        )
    ),
    (pattern(rf"{_F} raised to the power(?: of)? {_G}"), r"$(\g<f>)^{\g<g>}$"),
    (pattern(rf"{_F} divided by {_G}"), r"$(\g<f>)/(\g<g>)$"),
    (pattern(rf"{_F} times {_G}"), r"$(\g<f>)*(\g<g>)$"),
)
_AS_NUMBERS = (
    ("zero", "0"),
    ("one", "1"),
    ("two", "2"),
    ("one half", "1/2"),
    ("one third", "1/3"),
    ("(?:one|a) quarter", "1/4"),
)
_COMPARES = r"is|equals|exceeds|does"
# What follows a comparison that ends.
_ENDS = r"(?= ?(?:[.,;]|$|\b(?:for|when|whenever|if|provided)\b))"


def _of_one_letter(m: re.Match[str]) -> str:
    """ "the maximum of $x(1-x)$ on $[0,1]$", with the only letter that stands in the formula."""
    letters = {*re.findall(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])|\\(?:lambda|eta|theta|alpha)\b", m["body"])} - {"e"}
    if len(letters) != 1:
        return m[0]
    sign = {"sup": "sup", "inf": "inf", "max": "max", "min": "min"}[m["sign"][:3].lower()]
    return rf"$\{sign}_{{{letters.pop()}\in {m['over']}}} {m['body']}$"


_SIGNS_OF = {"exceed": ">", "great": ">", "larg": ">", "more": ">", "above": ">", "at least": ">=", "less": "<"}
_SIGNS_OF |= {"small": "<", "below": "<", "at most": "<=", "equal": "=", "is": "="}
_HOW = (
    r"(?P<how>exceeds|is (?:strictly )?(?:greater|larger|more|less|smaller) than|is (?:above|below|at least|at most)"
    r"|equals|is(?: equal to)?)"
)


def _event(name: str, parameters: str) -> Callable[[re.Match[str]], str]:
    """The probability of an event of a law that is named where no letter is."""

    def told(m: re.Match[str]) -> str:
        if (m.groupdict().get("range") or "").strip():
            return m[0]
        sign = next(sign for word, sign in _SIGNS_OF.items() if word in m["how"].lower())
        return rf"$\Pr(\mathrm{{{name}}}({parameters.format(**m.groupdict())}) {sign} {m['f']})$"

    return told


def _enclosed(m: re.Match[str]) -> str:
    """ "lies between a and b", with both ends or without."""
    k = which("are both ends included? Write in [a, b], or in (a, b)", "between", m.start(), 2)
    return rf"$\in {'[('[k]}{m['low']}, {m['high']}{'])'[k]}$"


def _of_a_law(m: re.Match[str]) -> str:
    """ "E X^2" and "Var X" with the brackets that nobody prints, where the text has the law of X."""
    given = {*re.findall(r"([A-Z]|\\[a-z]+)\$?\s*(?:~|\\sim)", m.string)}
    if not given or not (given & {*re.findall(r"[A-Z]|\\[a-z]+", m["body"])}):
        return m[0]
    return f"{m['of']}[{m['body']}]"


_NAMES = (
    r"\$(?P<names>[A-Za-z](?:_?\d)?(?:\$?(?:, ?|,? and )\$?[A-Za-z](?:_?\d)?)+)"
    r"(?P<range> ?(?:[<>]=?|\\[lg]eq?(?![a-z])) ?0)?\$"
)


def _adding_up(m: re.Match[str]) -> str:
    """ "x, y >= 0 with sum 1", with the letters that add up."""
    names = re.findall(r"[A-Za-z](?:_?\d)?", re.sub(r"\band\b", ",", m["names"]))
    sign = "*" if "product" in m["how"] else "+"
    return f"${', '.join(names)}{m['range'] or ''}${m['are']} with ${sign.join(names)} = {m['to']}$"


SPOKEN = (
    (
        pattern(
            rf"{_NAMES}(?P<are>(?: [a-z-]+){{0,4}}?),? (?P<how>summing to|adding up to|(?:that|which) (?:sum|add up) to"
            r"|(?:with|having|of) (?:sum|product)|whose (?:sum|product)"
            r"(?: [a-z]{2,4}| \$[^$]*\$)? (?:is|equals))(?: equal to)? \$?(?P<to>\w+)\$?"
        ),
        _adding_up,
    ),
    (
        pattern(
            r"(?:\b(?P<for>for) )?(?:(?:all|any|each|every) )?\$(?P<p>[a-z] ?= ?\([^()$]*\))"
            r"(?:\$ (?:on|in) the (?:(?:probability|unit|standard) )*simplex(?: \$\\?Delta[_^]\{?\w+\}?\$)?"
            r"| ?\\in ?\\?Delta(?:[_^]\{?[\w-]+\}?)?\$)"
        ),
        r"\g<for> a probability vector $\g<p>$",
    ),
    (
        pattern(r"\bjointly (?P<keep>con(?:vex|cave)) in (?:the )?\$(?P<x>\\?\w+)\$ and \$(?P<y>\\?\w+)\$"),
        r"jointly \g<keep> in $(\g<x>, \g<y>)$",
    ),
    (pattern(r"\bvectors? (?=\$[a-z](?:, ?[a-z])* ?\\in ?R ?\^)"), ""),
    *(
        (pattern(rf"\b(?:the )?sum of the {words}first \$(?P<n>\w+)\$ {of}"), rf"$\\sum_{{k=1}}^{{\g<n>}} {term}$")
        for words, of, term in (
            ("", r"(?:positive )?(?:integers|natural numbers|whole numbers)", "k"),
            ("", r"odd (?:positive )?(?:numbers|integers)", "(2*k - 1)"),
            *(
                (rf"{w} of the ", r"(?:positive )?(?:integers|natural numbers)", t)
                for w, t in (("squares", "k^2"), ("cubes", "k^3"), ("reciprocals", "1/k"))
            ),
        )
    ),
    *(
        (pattern(form), r"$\\sum_{\g<k>=\g<a>}^{\\infty} (\g<body>) ")
        for form in (
            rf"\b(?:the )?sum over (?:all )?(?:integers? )?\$(?P<k>\w) ?(?:>=|\\geq?) ?(?P<a>\d+)\$ of {_SUMMAND}",
            rf"\b(?:the )?(?:infinite )?sum of {_SUMMAND}\$ over (?:all )?(?:integers? )?"
            r"\$(?P<k>\w) ?(?:>=|\\geq?) ?(?P<a>\d+)(?=\$)",
        )
    ),
    *(
        (
            pattern(
                rf"\b(?:the )?(?:{words})(?: value)? over (?:all )?\$(?P<over>\w+ ?[<>]=? ?[^$<>=]*)\$,? of {_BODY}"
            ),
            rf"$\\{sign}_{{\g<over>}} \g<body> ",
        )
        for sign, words in _EXTREMA
    ),
    *(
        (
            pattern(
                rf"\bthe (?:{words}) of(?: (?:a|the)(?: random)?(?: variable)?)? \$(?P<X>[A-Z])\$(?= (?:{_COMPARES}))"
            ),
            rf"${sign}[\g<X>]$",
        )
        for words, sign in (("mean|expectation|expected value", r"\\mathbb E"), ("variance", r"\\operatorname{Var}"))
    ),
    (pattern(r"\$(?P<keep>\\?\w+)\s*\$ (?:tends|goes) to \$?(?:\+ ?)?infinity\s*\$?"), r"$\g<keep>\\to\\infty$"),
    (
        pattern(r"\$(?P<keep>\\?\w+)\s*\$ (?:tends|goes) to (?:zero|\$0\$) from (?:the right|above)"),
        r"$\g<keep>\\to0^+$",
    ),
    (pattern(r"\bthe (?:numerical )?value of (?:the (?:expression|quantity) )?(?=\$)"), ""),
    (
        pattern(
            rf"(?:\b(?:lies|is|lie|are) )?\bbetween {_VALUE.format('f')} and {_VALUE.format('g')},?"
            rf" \(?(?:inclusive|inclusively|(?:both )?(?:ends )?included)\)?"
        ),
        r"$\\in [\g<f>, \g<g>]$",
    ),
    (
        pattern(
            rf"(?:\$ )?(?:\b(?:lies|is|lie|are) )?\bstrictly between {_VALUE.format('f')} and {_VALUE.format('g')}"
        ),
        r" \\in (\g<f>, \g<g>)$",
    ),
    (
        pattern(
            r"(?<=\$) (?P<keep>strictly )?(?:monotonically )?(?P<way>de|in)creases"
            r"(?= (?:on|over|for|when|if|whenever|and|(?:in|with) \$)|\s*[.,]|\s*$)"
        ),
        r" is \g<keep>\g<way>creasing",
    ),
    (pattern(r"(?P<keep>creasing) with (?=\$)"), r"\g<keep> in "),
    (
        pattern(r"\bsum of the (?:terms|reciprocals(?= \$1/)|squares(?= \$\w+\^2\$)) (?=\$[^$]*\$ (?:for|over)\b)"),
        "sum of ",
    ),
    (
        pattern(
            r"(?P<keep>\b(?:of|twice|half|to|and)) the (?:sum|difference)(?: of (?:the )?squares)? \$(?P<f>[^$<>=]*)\$"
        ),
        r"\g<keep> $(\g<f>)$",
    ),
    *(3 * _OPERATIONS),  # up to three within each other
    *(
        (pattern(rf"(?P<keep>\b(?:than|most|least|equals|exceed|to) ){words}{_ENDS}"), rf"\g<keep>${sign}$")
        for words, sign in _AS_NUMBERS
    ),
    (
        pattern(
            rf"\b(?:the )?(?P<sign>supremum|infimum|maximum|minimum)(?: value)? of {_BODY}\$ (?:on"
            rf"|over)(?: the (?:unit )?interval)? {_INTERVAL}"
        ),
        _of_one_letter,
    ),
    *(
        rule
        for sign, words in _EXTREMA
        for rule in (
            (pattern(rf"\b(?:the )?{words}(?: value)? {_OVER},? of {_BODY}"), rf"$\\{sign}_{{\g<over>}} \g<body> "),
            (pattern(rf"\b(?:the )?{words}(?: value)? of {_BODY}\$ {_OVER}"), rf"$\\{sign}_{{\g<over>}} \g<body>$"),
        )
    ),
    *(
        rule
        for sign, words, body in (("sum", "sum", _SUMMAND), ("prod", "product", _BODY))
        for rule in (
            (pattern(rf"\b(?:the )?{words} {_FROM_TO},? of {_SUMMAND}"), _SUM.format(sign)),
            (pattern(rf"\b(?:the )?{words} of {body}\$ {_FROM_TO}"), _SUM.format(sign).rstrip() + "$"),
        )
    ),
    (
        pattern(
            rf"\bwith probability (?P<how>at least|at most|exactly) {_VALUE.format('p')},?"
            rf"(?: (?:we have|it holds that))? {_VALUE.format('event')}"
        ),
        r"$\\Pr[\g<event>]$ is \g<how> $\g<p>$",
    ),
    (
        pattern(r"\bthe (?:probability|chance) that \$(?P<keep>[^$]*[<>][^$]*)\$(?= (?:is|equals|exceeds|does)\b)"),
        r"$\\Pr[\g<keep>]$",
    ),
    (pattern(r"\$(?P<x>\\?\w+)\$ (?:satisfies|obeys|is such that) (?=\$(?P=x) ?(?:[<>=]|\\(?:[lg]eq?|in)\b))"), ""),
    (pattern(r"\bthe \$(?P<n>[a-zN])\$-?th harmonic number\b"), r"$H_\g<n>$"),
    (pattern(r"\bthe (?P<n>[a-zN])-?th harmonic number\b"), r"$harmonic(\g<n>)$"),
    (
        pattern(r"\$\s*\\?\w+\s*\\mapsto (?P<keep>[^$]*\$ is (?:non-?negative|non-?positive|positive|negative)\b)"),
        r"$\g<keep>",
    ),
    (
        pattern(
            rf"\bthe limit of {_VALUE.format('body')} as {_VALUE.format('as')} (?:is|equals) {_VALUE.format('to')}"
        ),
        r"$\g<body>$ tends to $\g<to>$ as $\g<as>$",
    ),
    (
        pattern(
            rf"\bthe limit of {_VALUE.format('body')} as {_VALUE.format('x')} (?:goes|tends) to {_VALUE.format('end')}"
            rf" (?:is|equals) {_VALUE.format('to')}"
        ),
        r"$\g<body>$ tends to $\g<to>$ as $\g<x>\\to \g<end>$",
    ),
    (pattern(rf"\b(?:lies|is|stays|remains) between {_VALUE.format('low')} and {_VALUE.format('high')}"), _enclosed),
    *(
        (
            pattern(rf"\b(?:the )?(?:probability|chance) that an? {law}{_VARIABLE}{given} {_HOW} {_F}"),
            _event(name, parameters),
        )
        for law, given, name, parameters in _LAWS
    ),
    (
        pattern(r"(?<=\\sim) ?\\chi(?:\^\{?2\}?_(?P<k>\w|\{\w+\})|_(?P<l>\w|\{\w+\})\^\{?2\}?|\^\{?2\}?(?=\())"),
        r"\\mathrm{ChiSquare}(\g<k>\g<l>)",
    ),
    (pattern(r"(?<=\\sim) ?\\(?:mathrm|operatorname|text)\{Rad(?:emacher)?\}(?! ?\()"), r"\\mathrm{Rad}(1)"),
    *(
        (pattern(rf"{begins} {law}{_VARIABLE}{between}{given}{ends}"), _law(name, keep, parameters, last))
        for law, given, name, parameters in _LAWS
        for begins, between, ends, keep, last in (
            (
                rf"\b(?P<keep>let|for|if|when|whenever|where|with|and|suppose"
                rf"|assume) \$(?P<X>{_LETTER})(?: ?\\sim ?\\math\w+\{{Exp\}}[^$]*)?\$(?: {_HAS})?(?: the| an?)?",
                "",
                "",
                "{} ",
                "",
            ),
            (r"\b(?P<keep>for|let|if) an?", rf" \$(?P<X>{_LETTER})\$", "", "{} ", ""),
            (r"(?<=\$) an?", rf" \$(?P<X>{_LETTER})\$", r" (?:satisfies|obeys|has)", ", ", ","),
            (
                r"(?:^|(?<=\.\s))(?:an?|any|every|the)",
                rf" \$(?P<X>{_LETTER})\$",
                r" (?:satisfies|obeys|has)",
                "For ",
                ",",
            ),
        )
    ),
    *(
        (
            pattern(rf"\b(?:the )?(?:probability|chance) that {of} (?:is )?{words} {_F}"),
            rf"$\\Pr({event} {sign} \g<f>)$",
        )
        for of, event in (
            (r"an? standard (?:normal|Gaussian)(?: random)?(?: variable)?", "N(0,1)"),
            (r"\$(?P<X>[A-Z]|\|[A-Z]\|)\$", r"\g<X>"),
        )
        for words, sign in (
            (r"(?:exceeds|greater than|larger than|more than|above)", ">"),
            (r"at least", ">="),
            (r"(?:less than|smaller than|below)", "<"),
            (r"at most", "<="),
        )
    ),
    (pattern(rf"(?:^|(?<=\.\s))(?=\$ ?{_LETTER} ?(?:~|\\sim)[^$<>]*\$[^.]*\. (?:then|we|for)\b)"), "Let "),
    (
        pattern(
            rf"(?:^|(?<=\.\s))\$(?P<X>{_LETTER})\$ (?:is )?(?:an? )?(?P<law>standard (?:normal|Gaussian))[;,:.]"
            rf" (?=\$|then|we)"
        ),
        r"Let $\g<X>$ be \g<law>. ",
    ),
    (pattern(rf"(?P<X>\$[A-Z]) ?\$ {_HAS} \$ ?(?=(?:\\math\w+ ?\{{?)?{LAWS}\}}?\()"), r"\g<X>\\sim "),
    *(
        (pattern(rf"{behind}the {_NOUN}(?= \$(?!\\?\w+ ?\([^()$]*\) ?:?=))"), words)
        for behind, words in ((r"(?<=\$) ", ", "), (r"\b", ""))
    ),
    (
        pattern(
            rf"\b{OF_A_MATRIX[:-1]}(?P<keep>\$[^$]*\$|\[\[[^$]*\]\]) with (?P<for>\$[^$]*\$(?:(?:,|,? and) \$[^$]*\$)*)"
            r" is (?P<is>positive[- ](?:semi-?)?definite)"
        ),
        r"\g<keep> is \g<is> for \g<for>",
    ),
    (pattern(r"(?P<x>\$\w+)\$ and \$(?P<y>\w+)\$ (?:are|lie|be)(?: both)? in \$(?=[\[(])"), r"\g<x>, \g<y> \\in "),
    (pattern(r"(?<=\$) denotes(?= an? (?:standard|probability|number|real|integer|positive) )"), " is "),
    (pattern(r"(?<=\$) denote(?= an? (?:standard|probability|number|real|integer|positive) )"), " be "),
    (
        pattern(r"\\mathbb ?\{? ?E ?\}?(?:\\,)? ?(?P<body>e\^\{[^{}]*\})(?= ?(?:[=<>$]|\\[lg]eq?(?![a-z])))"),
        r"\\mathbb E[\g<body>]",
    ),
    (
        pattern(
            r"(?<![A-Za-z\\_])(?P<of>E|Var|\\mathbb ?\{? ?[EV] ?\}?"
            r"|\\(?:operatorname|mathrm|text)\{ ?(?:E|Var) ?\})"
            r"(?:\\[,;!]| )?(?P<body>(?:(?P<X>[A-Z])|\|(?P<Y>[A-Z])\|)(?![A-Za-z_(\[])(?: ?\^ ?(?:\d|\{\d\}))?"
            r"|(?:e ?\^ ?(?:\{[^{}]*\}|\([^()]*\))|\\?exp\([^()]*\)))"
        ),
        _of_a_law,
    ),
    (pattern(r" ?\$ (?:lies?|is contained|are contained|is|are|be) in \$"), r" \\in "),
)
