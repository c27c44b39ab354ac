r"""Signs that are spoken: "the sum over $k$ from $1$ to $n$ of $f$", "with probability at least $p$, $A$", ...

Each is told in signs, which LaTeX and plain text have in common but for a backslash.
"""

from __future__ import annotations

from banditproof.verify.judge.clauses import pattern

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
_OVER = rf"over (?:all )?{_VALUE.format('over')}"
_FROM_TO = (
    rf"(?:over (?:all )?\$(?P<k>\\?\w+)\$ from {_VALUE.format('low')} to {_VALUE.format('high')}"
    rf"|from \$(?P<j>\\?\w+) ?= ?(?P<least>[^$=]*)\$ to {_VALUE.format('most')})"
)
_SUM = r"$\\{}_{{\g<k>\g<j>=\g<low>\g<least>}}^{{\g<high>\g<most>}} (\g<body>) "
_NOUN = (
    r"(?:difference|ratio|quotient|quantity|expression|product|sum|number|term|function|entropy|polynomial"
    r"|quadratic form)"
)
SPOKEN = (
    *(
        rule
        for sign, words in _EXTREMA
        for rule in (
            (pattern(rf"\b(?:the )?{words} {_OVER},? of {_BODY}"), rf"$\\{sign}_{{\g<over>}} \g<body> "),
            (pattern(rf"\b(?:the )?{words} of {_BODY}\$ {_OVER}"), rf"$\\{sign}_{{\g<over>}} \g<body>$"),
        )
    ),
    *(
        rule
        for sign, words in (("sum", "sum"), ("prod", "product"))
        for rule in (
            (pattern(rf"\b(?:the )?{words} {_FROM_TO},? of {_SUMMAND}"), _SUM.format(sign)),
            (pattern(rf"\b(?:the )?{words} of {_SUMMAND}\$ {_FROM_TO}"), _SUM.format(sign).rstrip() + "$"),
        )
    ),
    (
        pattern(
            rf"\bwith probability (?P<how>at least|at most|exactly) {_VALUE.format('p')},?"
            rf"(?: (?:we have|it holds that))? {_VALUE.format('event')}"
        ),
        r"$\\Pr[\g<event>]$ is \g<how> $\g<p>$",
    ),
    (pattern(r"\bthe \$n\$-?th harmonic number\b"), "$H_n$"),
    (pattern(r"\bthe n-?th harmonic number\b"), "$harmonic(n)$"),
    (
        pattern(
            rf"\bthe limit of {_VALUE.format('body')} as {_VALUE.format('as')} (?:is|equals) {_VALUE.format('to')}"
        ),
        r"$\g<body>$ tends to $\g<to>$ as $\g<as>$",
    ),
    (
        pattern(
            r"\b(?P<keep>let|for|if) \$(?P<X>[A-Z])\$ (?:be|is)? ?an? Bernoulli(?: random)?(?: variable)?,? (?:with|of)"
            r" (?:mean|parameter|success probability) \$(?P<p>\w+)"
        ),
        r"\g<keep> $\g<X>\\sim\\mathrm{Ber}(\g<p>)$, $\g<p>",
    ),
    *(
        (pattern(rf"{behind}the {_NOUN}(?= \$(?!\\?\w+ ?\())"), words)
        for behind, words in ((r"(?<=\$) ", ", "), (r"\b", ""))
    ),
    (
        pattern(
            rf"\b{OF_A_MATRIX[:-1]}(?P<keep>\$[^$]*\$|\[\[[^$]*\]\]) with (?P<for>\$[^$]*\$(?:(?:,|,? and) \$[^$]*\$)*)"
            r" is (?P<is>positive[- ](?:semi-?)?definite)"
        ),
        r"\g<keep> is \g<is> for \g<for>",
    ),
    (pattern(r"(?<=\$) denotes(?= an? (?:standard|probability) )"), " is "),
    (pattern(r"(?<=\$) denote(?= an? (?:standard|probability) )"), " be "),
    (
        pattern(r"\\mathbb ?\{? ?E ?\}?(?:\\,)? ?(?P<body>e\^\{[^{}]*\})(?= ?(?:[=<>$]|\\[lg]eq?(?![a-z])))"),
        r"\\mathbb E[\g<body>]",
    ),
    (pattern(r"(?<=\$) (?:lies?|is contained|are contained|is|are) in(?= \$)"), r"$\\in "),
)
