"""What the commands of LaTeX stand for: the token and its value; what is not listed is refused by its name."""

from __future__ import annotations

from collections.abc import Mapping

from banditproof.verify.judge.reading.words import GREEK

# Commands that are one token each.
DEFINES = ("coloneqq", "triangleq", "coloneq", "eqdef")
TOKENS: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(DEFINES, ("SIGN", "==")),
    **dict.fromkeys(("le", "leq", "leqslant", "leqq"), ("SIGN", "<=")),
    **dict.fromkeys(("ge", "geq", "geqslant", "geqq"), ("SIGN", ">=")),
    **dict.fromkeys(("ne", "neq"), ("SIGN", "!=")),
    **dict.fromkeys(("sim",), ("SIGN", "~")),
    **dict.fromkeys(("lt",), ("SIGN", "<")),
    **dict.fromkeys(("gt",), ("SIGN", ">")),
    **dict.fromkeys(("iff", "Leftrightarrow", "Longleftrightarrow"), ("IFF", "iff")),
    **dict.fromkeys(("implies", "Rightarrow", "Longrightarrow"), ("IMPLIES", "implies")),
    **dict.fromkeys(("to", "rightarrow", "longrightarrow"), ("ARROW", "->")),
    **dict.fromkeys(("mapsto", "longmapsto"), ("MAPS", "maps to")),
    **dict.fromkeys(("cdot", "times", "ast"), ("TIMES", "*")),
    **dict.fromkeys(("div",), ("SLASH", "/")),
    **dict.fromkeys(("ldots", "dots", "cdots", "dotsc", "dotsb"), ("DOTS", "...")),
    **dict.fromkeys(("lvert",), ("LBAR", "|")),
    **dict.fromkeys(("rvert",), ("RBAR", "|")),
    **dict.fromkeys(("vert",), ("BAR", "|")),
    **dict.fromkeys(("{", "lbrace"), ("LCURLY", "{")),
    **dict.fromkeys(("}", "rbrace"), ("RCURLY", "}")),
    "lbrack": ("LSQB", "["),
    "rbrack": ("RSQB", "]"),
    "lparen": ("LPAR", "("),
    "rparen": ("RPAR", ")"),
    "lfloor": ("LFLOOR", "⌊"),
    "rfloor": ("RFLOOR", "⌋"),
    "lceil": ("LCEIL", "⌈"),
    "rceil": ("RCEIL", "⌉"),
    "in": ("IN", "in"),
    "forall": ("ASSUME", "for"),
    "exists": ("EXISTS", ""),
    "land": ("AND", "and"),
    "infty": ("NAME", "inf"),
    "setminus": ("WITHOUT", "\\setminus"),
    "propto": ("KEY", "proportional"),
    **{name: ("SIGN", f"\\{name}") for name in ("asymp", "lesssim", "gtrsim", "succeq", "preceq", "succ", "prec")},
    "vee": ("MEET", "\\vee"),
    "wedge": ("MEET", "\\wedge"),
}
# Signs that are one token each, besides letters and digits.
SINGLE: Mapping[str, tuple[str, str]] = {
    "+": ("PLUS", "+"),
    "-": ("MINUS", "-"),
    "−": ("MINUS", "-"),
    "*": ("TIMES", "*"),
    "·": ("TIMES", "*"),
    "×": ("TIMES", "*"),
    "/": ("SLASH", "/"),
    "(": ("LPAR", "("),
    ")": ("RPAR", ")"),
    "[": ("LSQB", "["),
    "]": ("RSQB", "]"),
    ",": ("COMMA", ","),
    ";": ("COMMA", ";"),
    ":": ("COMMA", ":"),
    "|": ("BAR", "|"),
    "!": ("BANG", "!"),
    "=": ("SIGN", "=="),
    "<": ("SIGN", "<"),
    ">": ("SIGN", ">"),
    "≤": ("SIGN", "<="),
    "≥": ("SIGN", ">="),
    "≠": ("SIGN", "!="),
    "∈": ("IN", "in"),
    "∞": ("NAME", "inf"),
    "→": ("ARROW", "->"),
    "∀": ("ASSUME", "for"),
    "∃": ("EXISTS", ""),
    "⌊": ("LFLOOR", "⌊"),
    "⌋": ("RFLOOR", "⌋"),
    "⌈": ("LCEIL", "⌈"),
    "⌉": ("RCEIL", "⌉"),
}
LETTERS: Mapping[str, str] = {
    **{name: name for name in GREEK if name != "omicron"},
    **{name.capitalize(): name.capitalize() for name in GREEK},
    **{f"var{name}": f"var{name}" for name in ("theta", "phi", "rho", "kappa", "sigma", "pi")},
    "varepsilon": "eps",
    "ell": "ell",
    "hbar": "hbar",
}
# Two shapes of one letter: a range that is given for the one is that of the other, unless both are given.
ALIKE = (
    ("eps", "epsilon", "varepsilon"),
    ("lambda", "lam"),
    ("ell", "l"),
    *((name, f"var{name}") for name in ("theta", "phi", "rho", "kappa", "sigma")),
)
# Functions that are commands; those of the second list only before a bracket, and where they are no variable.
FUNCTIONS: Mapping[str, str] = {
    **{name: name for name in ("log", "exp", "min", "max", "sinh", "cosh", "tanh", "coth", "sin", "cos", "tan")},
    **{name: name for name in ("cot", "sec", "csc")},
    "ln": "ln",
    "arctan": "atan",
    **dict.fromkeys(("sgn", "sign"), "sgn"),
    "kl": "kl",
    "KL": "kl",
    "TV": "tv",
    "erf": "erf",
    "erfc": "erfc",
    "det": "det",
    **dict.fromkeys(("tr", "Tr"), "trace"),
}
LETTER_FUNCTIONS: Mapping[str, str] = {"Phi": "Phi", "Gamma": "gamma"}
# Letters that are functions before a bracket, unless they have a range.
BEFORE_BRACKETS: Mapping[str, str] = {"W": "W", "zeta": "zeta"}
ORDERS = ("O", "o", "Omega", "Theta")
BIGS = ("sum", "prod", "inf", "sup", "lim", "min", "max", "int")
# Names in upright letters that are functions.
UPRIGHT: Mapping[str, str] = {
    **{name: name for name in "exp log min max inf sup erf erfc kl sinh cosh tanh digamma trigamma".split()},
    **dict.fromkeys(("KL", "kl", "Kl"), "kl"),
    **dict.fromkeys(("JS", "JSD"), "JS"),
    "renyi": "renyi",
    **{name: name for name in ("floor", "ceil")},
    "chi2": "chi2",
    **dict.fromkeys(("TV", "tv"), "tv"),
    **dict.fromkeys(("atan", "arctan"), "atan"),
    **{name: name for name in ("ln", "log2", "log10")},
    **dict.fromkeys(("sgn", "sign"), "sgn"),
    "W": "W",
    "det": "det",
    **dict.fromkeys(("tr", "Tr", "trace"), "trace"),
}
BERNOULLI = ("Ber", "Bern", "Bernoulli")  # laws, whose divergence is kl of their means
FONTS = frozenset("mathrm operatorname mathsf mathtt mathit mathbf boldsymbol bm mathcal mathscr mathfrak".split())
TEXTS = frozenset("text textrm textit textnormal mbox textsf textup textbf emph".split())
ACCENTS = frozenset("hat bar tilde widehat widetilde overline dot underline".split())
THIN = frozenset((",", "!", "thinspace", "negthinspace", "/"))  # spaces that stand within a formula
WIDE = frozenset((":", ";", " ", ">", "medspace", "thickspace", "enspace", "enskip", "hfill"))
QUADS = frozenset(("quad", "qquad"))
NOTHING = frozenset(
    "displaystyle textstyle scriptstyle limits nolimits nonumber notag bigl bigr Bigl Bigr biggl biggr Biggl Biggr"
    " big Big bigg Bigg middle mathop mathopen mathclose allowbreak nobreak left right ensuremath xspace".split()
)
SAME: Mapping[str, str] = {"mleft": "left", "mright": "right", "eps": "varepsilon"}
# What authors name so with no other meaning.
BLACKBOARD: Mapping[str, str] = {
    **dict.fromkeys(("R", "RR", "reals", "Reals"), "R"),
    **dict.fromkeys(("N", "NN"), "N"),
    **dict.fromkeys(("Z", "ZZ"), "Z"),
    **dict.fromkeys(("E", "EE"), "E"),
    "PP": "P",
}
# Commands that papers use in two ways, and what to write.
ASKED: Mapping[str, str] = {
    "ll": "= o(...) or = O(...)",
    "gg": "the smaller side first, = o(...) or = O(...)",
    "lg": "\\log_2 or \\log_{10}",
    "limsup": "\\lim where the limit exists, or a bound for all n >= n_0",
    "liminf": "\\lim where the limit exists, or a bound for all n >= n_0",
}
ENVIRONMENTS = frozenset("equation align gather multline aligned split gathered eqnarray displaymath math".split())
