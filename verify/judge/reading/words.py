"""Words: the tokens of plain text and of LaTeX, in one alphabet, each with its place.

Both grammars are written over these tokens. Articles and other words that say nothing are left out here, words that say
the same become one token, and a word that is not known is refused with its place.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from lark import Token

from banditproof.verify.judge.formulas.sentence import Unread
from banditproof.verify.judge.reading.tables import of_any_space, phrases

LONGEST = 4000  # characters of a statement
MOST_BARS = 60
DEEPEST = 40  # brackets within brackets

SIGNS = {
    **dict.fromkeys(("<=", "=<", "≤", "⩽"), "<="),
    **dict.fromkeys((">=", "=>=", "≥", "⩾"), ">="),
    **dict.fromkeys(("==", "="), "=="),
    **dict.fromkeys(("!=", "<>", "≠", "/="), "!="),
    **{s: s for s in ("<", ">", "~")},
}
COUNTS = ("n", "N", "k", "K", "T", "i", "j")  # letters of whole numbers, by custom
GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho varsigma sigma tau "
    "upsilon phi chi psi omega"
).split()
LETTERS = {chr(0x3B1 + i): name for i, name in enumerate(GREEK)} | {
    chr(0x391 + i): name.capitalize() for i, name in enumerate(GREEK) if name != "varsigma"
}
LETTERS |= {"ϵ": "epsilon", "ϕ": "phi", "ϑ": "theta", "µ": "mu", "∞": "inf", "ℓ": "ell", "Δ": "Delta", "∆": "Delta"}
LETTERS |= {"ℝ": "R", "ℕ": "N", "ℤ": "Z"}
# Small signs above and below the line, and fractions that are one sign.
RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱᵏᵐᵗᵈᵖˣʸ", "0123456789+-nikmtdpxy", strict=True))
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉ₙₖₘₜₚᵢⱼ", "0123456789nkmtpij", strict=True))
FRACTIONS = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅛": "1/8"}

# The functions by the names that people write; log2 and its kind are made from log.
CALLED = {
    "log": "log",
    "ln": "log",
    "exp": "exp",
    "sqrt": "sqrt",
    "abs": "abs",
    "floor": "floor",
    "ceil": "ceil",
    "ceiling": "ceil",
    "Phi": "Phi",
    "erf": "erf",
    "erfc": "erfc",
    "gamma": "gamma",
    "Gamma": "gamma",
    "digamma": "digamma",
    "trigamma": "trigamma",
    **dict.fromkeys(("sgn", "sign"), "sgn"),
    "factorial": "factorial",
    "W": "W",
    "lambertw": "W",
    "LambertW": "W",
    "zeta": "zeta",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "coth": "coth",
    **{name: name for name in "sin cos tan cot sec csc sech csch asinh acosh atanh".split()},
    **{f"{ar}{name}h": f"a{name}h" for ar in ("ar", "arc") for name in ("sin", "cos", "tan")},
    "atan": "atan",
    "arctan": "atan",
    "kl": "kl",
    "KL": "kl",
    "renyi": "renyi",
    **dict.fromkeys(("JS", "JSD"), "JS"),
    "chi2": "chi2",
    "cases": "cases",
    "binom": "binom",
    "binomial": "binom",
    "choose": "binom",
    "tv": "tv",
    "TV": "tv",
    "d_eps": "d_eps",
    "d_epsilon": "d_eps",
    "min": "min",
    "max": "max",
    "log2": "log2",
    "log_2": "log2",
    "log10": "log10",
    "log_10": "log10",
    "log1p": "log1p",
    "expm1": "expm1",
    "sum": "sum",
    "prod": "prod",
    "product": "prod",
    "inf": "inf",
    "infimum": "inf",
    "sup": "sup",
    "supremum": "sup",
    "diff": "diff",
    "lim": "lim",
    **dict.fromkeys(("∑", "Σ"), "sum"),
    **dict.fromkeys(("∏", "Π"), "prod"),
    "harmonic": "harmonic",
    **dict.fromkeys(("int", "integral"), "int"),
    **{name: name for name in ("norm", "dot", "outer", "det")},
    **dict.fromkeys(("trace", "tr"), "trace"),
    "O": "O",
    "o": "o",
    "Omega": "Omega",
    "Theta": "Theta",
}
OF_ONE_NUMBER = frozenset("exp log sqrt abs Phi erf erfc gamma digamma trigamma W sinh cosh tanh atan sin cos".split())
ALONE = (
    "log",
    "ln",
    "exp",
    "sqrt",
    "log2",
    "log_2",
    "log10",
    "erf",
    "erfc",
    "sinh",
    "cosh",
    "tanh",
    "coth",
    "sin",
    "cos",
    "tan",
    "cot",
    "arctan",
    "atan",
)

# "Is never less than": what compares two numbers.
_IS, _NO = "(?:is|are|stays|remains|lies)", "(?:not|no|never)"
_MORE, _LESS = "(?:greater|larger|bigger|more|higher)", "(?:less|smaller|lower)"


# What stands behind the article "a", and not behind a factor of this name: "is a convex function", not "is a log(x)"
_NO_FACTOR = rf"(?!(?:{'|'.join((*CALLED, *GREEK, 'eps', 'inf'))})\b)[A-Za-z][A-Za-z-]"
STANDARD = "standard normal"  # what is said of a letter whose law is N(0, 1)
# Words and phrases, longest first within a kind; `{}` in a kind's value stands for the words themselves.
_COMPARING = {"IS": _IS, "NO": _NO, "MORE": _MORE, "LESS": _LESS, "NO_FACTOR": _NO_FACTOR}
PHRASES = phrases("words.txt", "statements", _COMPARING)
# Where a promise of privacy stands, these are words too; "" is left out.
_PRIVATE = r"differential(?:ly[-\s]+private|\s+privacy)"
PROMISE = re.compile(
    r"[-\s]*(?:(?P<dp>DP|differentially[-\s]+private|differential\s+privacy)"
    rf"|(?P<ldp>LDP|local(?:ly)?[-\s]+{_PRIVATE})|(?P<zcdp>zCDP|zero[-\s]+concentrated\s+{_PRIVATE})"
    rf"|(?P<rdp>RDP|R[eé]nyi\s+(?:DP\b|{_PRIVATE}))|(?P<gdp>GDP|Gaussian\s+{_PRIVATE}))\b"
)
CATEGORY = r"(?:category|outcome|value|option|symbol|answer|item|type)"
# What has a name, and no rule here: such a sentence is read, and stays open.
NAMED: Mapping[str, str] = {
    "the staircase mechanism": r"(?:the )?staircase mechanism",
    "discrete Gaussian noise": r"(?:the )?discrete gaussian(?: noise| mechanism)?",
    "tree aggregation": r"(?:the )?(?:binary )?tree(?:-based)?(?: aggregation| mechanism)",
    "DP-SGD": r"DP-SGD|noisy (?:stochastic )?gradient descent",
    "shuffling": r"shuffl(?:e|es|ed|ing)(?: model)?",
    "parallel composition": r"parallel composition",
    "propose-test-release": r"propose-test-release",
    "sample-and-aggregate": r"(?:subsample|sample)-and-aggregate",
    "objective perturbation": r"objective perturbation",
}
# What a privacy filter adds up: the numbers of the promises that it lets pass, each chosen by the answers before.
SUMMED: Mapping[str, str] = {
    "epsilons": r"epsilons",
    "rhos": r"rhos",
    "squares": r"(?:squares of the epsilons|squared epsilons)",
}
MECHANISM = phrases("words.txt", "mechanisms", {"CATEGORY": CATEGORY})


_LET = re.compile(r"\s*(?:for(?: all| every| each| any)?|let|given|fix|suppose|assume)\b(?! an? )", re.IGNORECASE)
_ABOUT = re.compile(
    r"[,.:]\s+(?:then\s+|(?:we have|it holds)(?: that)?\s+)?(?=(?:if|the|adding|running|releasing|choosing|subsampling"
    r"|all|laplac\w*|gaussian|poisson|randomi[sz]ed|composing|sensitivity|each)\b|(?:every|each|any|an?)\s+[a-z$(]|(?:\$[^$]+\$|\([^()]*\)|[^\s,.$]+)"
    + PROMISE.pattern
    + ")",
    re.IGNORECASE,
)


def _phrase(words: str) -> re.Pattern[str]:
    """Words with any space between them."""
    return re.compile(rf"(?:{of_any_space(words)})(?![\w'])", re.IGNORECASE)


_WORDS = [(kind, value, _phrase(words)) for kind, value, words in PHRASES]

_SMALL = "".join((*RAISED, *LOWERED, *FRACTIONS))
_PLAIN = re.compile(
    rf"""(?P<float>(?:\d+\.?\d*|\.\d+)[eE](?=[-+]?\d)) | (?P<number>\d+\.\d+|\.\d+|\d+(?:\.(?![.\d]|\s+[A-Z]))?)
      | (?P<name>[^\W\d_{_SMALL}][^\W{_SMALL}]*[{"".join(LOWERED)}]*'*|[∑∏](?=\s*\())
      | (?P<raised>[{"".join(RAISED)}]+) | (?P<fraction>[{"".join(FRACTIONS)}]) | (?P<norm>‖)
      | (?P<sub>_) | (?P<maps>\|->|↦) | (?P<iff><=>|<->|⇔|⟺|↔) | (?P<implies>=>(?!=)|==>|⇒|⟹) | (?P<arrow>->|→)
      | (?P<dots>\.\.\.?|…) | (?P<times>\*\*|\^|\*|·|×|⋅) | (?P<sign><=|=<|>=|==|!=|<>|/=|[<>=≤≥≠⩽⩾~])
      | (?P<quantifier>[∀∃∈√∞−–⌊⌋⌈⌉ϵ∖\\]) | (?P<other>[-+/(),;:\[\]{{}}|!.])""",
    re.VERBOSE,
)
_SINGLE = {
    "+": "PLUS",
    "-": "MINUS",
    "−": "MINUS",
    "–": "MINUS",
    "/": "SLASH",
    "(": "LPAR",
    ")": "RPAR",
    "[": "LSQB",
    "]": "RSQB",
    "{": "LCURLY",
    "}": "RCURLY",
    ",": "COMMA",
    ";": "COMMA",
    ":": "COMMA",
    "!": "BANG",
    "|": "BAR",
    "⌊": "LFLOOR",
    "⌋": "RFLOOR",
    "⌈": "LCEIL",
    "⌉": "RCEIL",
    "∀": "ASSUME",
    "∃": "EXISTS",
    "∈": "IN",
    "√": "FUNC",
    "∖": "WITHOUT",
    "\\": "WITHOUT",
}
# A sign with nothing behind it says from which side: x -> 0+.
_SIDE = re.compile(r"[+-](?=\s*(?:$|[)},;.]|(?:for|when|with|where|and|if)\b))")


_REPEATED = re.compile(r"(\S)\1{199}")


def checked_length(text: str) -> str:
    """The text, if it is one that can be a statement."""
    if not isinstance(text, str):
        raise Unread(f"a statement is text, not {type(text).__name__}")
    if not text.strip():
        raise Unread("there is no statement: the text is empty")
    if len(text) > LONGEST:
        raise Unread(f"the text has {len(text)} characters; a statement has at most {LONGEST}")
    if m := _REPEATED.search(text):  # patterns of prose take the square of its length
        raise Unread(
            "one sign stands hundreds of times in a row: that is too long, or too deep, to be read", m[1], m.start()
        )
    return text


_MECHANISM = [(kind, value, _phrase(words)) for kind, value, words in MECHANISM]


def word_at(text: str, at: int, mechanism: bool = False) -> tuple[str, str, int] | None:
    """The phrase that begins at this place: its token, its value and its end."""
    for kind, value, words in (*_MECHANISM, *_WORDS) if mechanism else _WORDS:
        if m := words.match(text, at):
            if kind == "!":
                raise Unread(value, m[0], at)
            return kind, value, m.end()
    return None


def plain_tokens(text: str, known: Iterable[str] = (), functions: Container[str] = ()) -> list[Token]:
    """The tokens of a statement in plain text.

    `known` are names that are variables, such as "a"; `functions` are more functions than those of this module.
    """
    text = without_title(checked_length(text))
    mechanism = PROMISE.search(text) is not None
    lead, begin = leading_ranges(text)
    end = len(text.rstrip().removesuffix(".").rstrip()) if not text.rstrip().endswith("..") else len(text)
    found: list[Token] = []
    ranges: list[Token] = []
    for tokens, at, stop, about in ((ranges, 0, lead, False), (found, begin, end, mechanism)):
        while at < stop:
            at = plain_step(tokens, text, at, stop, about, known, functions)
    return list(paired(settled(listed([*found, *joined(ranges)])), text))


_ROW = re.compile(
    r"SIGN (?:NUMBER COMMA )+DOTS(?: COMMA (?:NAME|NUMBER)(?! (?:SIGN|IN)\b))?(?! \w*(?:PLUS|MINUS|TIMES|POW))"
)


def listed(found: Sequence[Token]) -> list[Token]:
    """`k = 1, ..., n` and `k in [n]` told as `k in {1, ..., n}`."""
    kept: list[Token] = []
    i = 0
    while i < len(found):
        kinds = " ".join(t.type for t in found[i : i + 10])
        if 0 < (end := _end_of_set(found, i)) < len(found) and found[end] == "x" and _end_of_set(found, end):
            found[end].type = "TIMES"  # in (0, 1) x R
        if m := _ROW.match(kinds) if found[i] == "==" else None:
            row = found[i + 1 : i + len(m[0].split())]
            kept += [_like(found[i], "IN", "in"), _like(found[i], "LCURLY", "{"), *row, _like(row[-1], "RCURLY", "}")]
            i += 1 + len(row)
        elif re.match(r"IN LSQB (NAME|NUMBER) RSQB", kinds):
            inside = [("LCURLY", "{"), ("NUMBER", "1"), ("COMMA", ","), ("DOTS", "..."), ("COMMA", ",")]
            kept += [found[i], *(_like(found[i + 1], *t) for t in inside), found[i + 2]]
            kept.append(_like(found[i + 3], "RCURLY", "}"))
            i += 4
        else:
            kept.append(_like(found[i], "ELLIPSIS", found[i]) if _in_a_row(found, i) else found[i])
            i += 1
    return kept


def _end_of_set(found: Sequence[Token], i: int) -> int:
    """What stands behind the set that follows the token at this place, IN or a sign between sets; 0 without a set."""
    first = found[i + 1 : i + 2]
    if not first or found[i].type not in ("IN", "ON", "TIMES") and found[i] != "x":
        return 0
    end = closed(found, i + 1) if first[0].type in ("LPAR", "LSQB") else i + 1 if first[0] in ("R", "N", "Z") else 0
    set_ = first[0].type == "NAME" or "COMMA" in [t.type for t in found[i + 2 : end]]
    power = 2 * ([t.type for t in found[end + 1 : end + 2]] == ["POW"])
    return end + 1 + power if end > 0 and set_ else 0


def _in_a_row(found: Sequence[Token], i: int) -> bool:
    """Whether dots stand between terms or factors of one sign, and not between the ends of a range."""
    if found[i].type != "DOTS" or found[i] == ".." or not 0 < i < len(found) - 1:
        return False
    before, after = found[i - 1].type, found[i + 1].type
    if before in ("PLUS", "MINUS", "TIMES") or after in ("PLUS", "MINUS", "TIMES"):
        return before in ("PLUS", "MINUS", "TIMES", *ENDS_OPERAND)
    if before not in ENDS_OPERAND or after not in BEGINS_OPERAND:
        return False
    begin = next((j for j in range(i - 1, 0, -1) if found[j].type in OPENS and closed(found, j) == i - 1), i - 1)
    return found[begin - 1].type in {"TIMES", "FRAC", "SQRT", "BINOM", "POW", "LBRACE", "LPAR", *ENDS_OPERAND}


def closed(found: Sequence[Token], at: int) -> int:
    """Where the bracket closes that opens here."""
    depth = 0
    for i in range(at, len(found)):
        depth += (found[i].type in OPENS) - (found[i].type in CLOSES)
        if not depth:
            return i
    return -1


def _like(token: Token, kind: str, value: str) -> Token:
    return Token(kind, value, start_pos=token.start_pos, end_pos=token.end_pos)


_NAMED = re.compile(
    r"\s*(?:\((?:[A-Z][\w'’.-]*)(?: [\w'’.-]+){0,3}\)|(?:[A-Z][\w'’-]*\s+){0,3}"
    r"(?:inequality|lemma|bound|theorem|identity|proposition|fact|claim|corollary)(?:\s+\d[\d.]*)?"
    r"(?:\s*\([A-Z][\w'’ -]*\))?\s*[:.])\s+(?=\S)",
    re.IGNORECASE,
)
# What is no name, also where a capital begins it: it says how, where or whether something holds.
NO_NAME = re.compile(
    r"(?:(?:non?|nor|not|none|nothing|nowhere|nobody|never|near(?:ly)?|almost|about|only|up|if|unless|for|lets?|letting"
    r"|under|over|every|each|any|all|some|somewhere|few|fewer|most|mostly|many|one|ones|two|twice|thrice|half|halves|either|neither"
    r"|except|without|outside|within|may|maybe|might|should|would|could|when|whenever|where|wherever|while|but|or|and|with)"
    r"(?:['’-][\w'’-]*)?"
    r"|(?:assum|suppos|false|wrong|incorrect|invalid|mistak|fail|unprov|open|conject|informal|heurist|asympt|approx|rough"
    r"|eventual|suffic|restrict|rare|often|usual|typical|expect|averag|high|low|large|small|limit|local|partial|probab"
    r"|base(?!l)|binary|integer|discrete|order|convers|special|certain|random|possib)[\w'’-]*)",
    re.IGNORECASE,
)
_IN_TITLES = frozenset(
    "recall the a an of this our basic standard elementary classical simple useful following well-known key main"
    " technical inequality lemma bound theorem identity proposition fact claim corollary triangle union tail".split()
)


def without_title(text: str) -> str:
    """The text with spaces for its title, such as "Pinsker's inequality:" or "(Bernoulli)"."""
    m = _NAMED.match(text)
    titled = m and re.search(r"[A-Z]", m[0]) and not word_at(text, len(m[0]) - len(m[0].lstrip()))
    words = re.findall(r"[^\W\d_][\w'’-]*", m[0]) if m and titled else []
    if not words or any(w.lower() not in _IN_TITLES and (NO_NAME.fullmatch(w) or not w[0].isupper()) for w in words):
        return text
    assert m is not None
    return " " * m.end() + text[m.end() :]


def joined(ranges: Sequence[Token]) -> list[Token]:
    """The ranges before a sentence, all of which are assumed, without an "and" before "every"."""
    behind = [*(token.type for token in ranges), ""][1:]
    return [t for t, after in zip(ranges, behind, strict=False) if t.type != "AND" or after != "ASSUME"]


def leading_ranges(text: str) -> tuple[int, int]:
    """Where the ranges before a sentence about mechanisms end, and where it begins itself: 0, 0 without any."""
    first = PROMISE.search(text)
    if not first or not _LET.match(text):
        return 0, 0
    cut = _ABOUT.search(text, 0, first.end())
    if not cut or not re.search(r"[<>=≤≥∈]|\\[lg]eq?|\\in\b|\bin\b", text[: cut.start()]):
        return 0, 0
    return cut.start(), cut.end()


def plain_step(
    found: list[Token],
    text: str,
    at: int,
    end: int,
    mechanism: bool,
    known: Iterable[str] = (),
    functions: Container[str] = (),
) -> int:
    """Puts the token that begins at this place of plain text, if any, and says where the next one begins."""

    def put(kind: str, value: str, length: int = 0) -> None:
        found.append(Token(kind, value, start_pos=at, end_pos=at + length))

    if text[at].isspace():
        return at + 1
    if mechanism and (stop := _phrase_of_mechanism(found, text, at, "a" in known)):
        return stop
    if stop := _within_call(found, text, at) or _big(found, text, at):
        return stop
    m = _PLAIN.match(text, at, end)
    if m is None:
        raise Unread(f"{text[at]!r} has no meaning in a formula", text[at], at)
    kind, word = m.lastgroup, m[0]
    if kind == "float":
        rest = re.match(r"[-+]?\d+", text[m.end() :])
        raise Unread(
            f"{word}{rest[0] if rest else ''} has two readings: write {word[:-1]}*10^({rest[0] if rest else ''}), "
            f"or {word[:-1]}*e for Euler's number",
            word,
            at,
        )
    if kind == "number":
        put("NUMBER", word, len(word))
    elif kind == "name":
        if (phrase := word_at(text, at)) and (phrase[0] or not _is_name_here(text, at, phrase[2])):
            token, value, stop = phrase
            if token:
                put(token, value, stop - at)
            if token == "MARK" and (text[at:stop].endswith("s") or value == "triangle"):
                put("MARK", "each", stop - at)
            return stop
        if word in ("a", "A") and _article(text, m.end()):
            return m.end()
        _put_name(found, text, word, at, functions)
    elif kind == "iff":
        put("IFF", word, len(word))
    elif kind == "implies":
        put("IMPLIES", word, len(word))
    elif kind == "maps":
        put("MAPS", word, len(word))
    elif kind == "arrow":
        put("ARROW", word, len(word))
    elif kind == "dots":
        put("DOTS", word, len(word))
    elif kind == "times":
        put("POW" if word in ("**", "^") else "TIMES", word, len(word))
    elif kind == "sign":
        put("SIGN", SIGNS[word], len(word))
    elif kind == "raised":
        put("POW", "^", len(word))
        put("LPAR", "(", len(word))
        for part in re.findall(r"\d+|\D", "".join(RAISED[sign] for sign in word)):
            put("NUMBER" if part.isdigit() else _SINGLE.get(part, "NAME"), part, len(word))
        put("RPAR", ")", len(word))
    elif kind == "fraction":
        put("NUMBER", FRACTIONS[word], 1)
    elif kind == "norm":
        put(norm_bar(found), word, 1)
        if found[-1].type == "RNORM" and (index := _NORM_INDEX.match(text, m.end(), end)):
            _put_index(found, index)
            return index.end()
    elif word == "∞":
        put("NAME", "inf", 1)
    elif word in "+-" and found and any(t.type == "ARROW" for t in found[-3:]) and _SIDE.match(text, at):
        put("SIDE", word, 1)
    elif kind == "sub" and text.startswith("_+", at) and found and found[-1].type in ("RPAR", "RSQB", "RCURLY"):
        put("BANG", "_+", 2)
        return at + 2
    elif kind == "sub" and text[:at].endswith("||") and (index := _NORM_INDEX.match(text, at, end)):
        _put_index(found, index)
        return index.end()
    elif word == "." and text[m.end() : end].strip():
        found.append(next_sentence(found, text, at))
    elif word in ")}" and (opening := innermost(found)) >= 0 and found[opening].type == "LBRACE":
        put("RBRACE" if (found[opening] == "{") == (word == "}") else _SINGLE[word], word, 1)
    elif word in _SINGLE:
        put(_SINGLE[word], "sqrt" if word == "√" else "" if word == "∃" else word, 1)
    else:
        raise Unread(f"{word!r} has no meaning here", word, at)
    return m.end()


_NORM_INDEX = re.compile(rf"_?([{''.join(LOWERED)}]|(?<=_)(?:\d+|inf\b|∞))")
_BIG = re.compile(r"(lim|sum|prod|product|∑|Σ|∏|Π|inf|sup|min|max)_\s*(?=[{(])")
_IN_CALL = re.compile(r"\|\||(?:for|over|from|to|in(?=\s*[^\[\](){},.]+\.\.))\b|(?:Ber|Bern|Bernoulli)(?=\s*\()")
_INDEXED = ("lim", "sum", "prod", "inf", "sup", "min", "max")


def innermost(found: Sequence[Token]) -> int:
    """Where the innermost bracket opens that is open at the end of the tokens; -1 without one."""
    depth = 0
    for i in range(len(found) - 1, -1, -1):
        depth += (found[i].type in CLOSES) - (found[i].type in OPENS)
        if depth < 0:
            return i
    return -1


def _put_index(found: list[Token], index: re.Match[str]) -> None:
    """Puts the index of a norm."""
    which = LOWERED.get(index[1], index[1]).replace("∞", "inf")
    kind = "NUMBER" if which.isdigit() else "NAME"
    for token in (("SUB", "_"), ("LBRACE", "{"), (kind, which), ("RBRACE", "}")):
        found.append(Token(*token, start_pos=index.start(), end_pos=index.end()))


def in_call(found: Sequence[Token]) -> str:
    """The function whose argument is read; nothing outside of one."""
    at = innermost(found)
    return str(found[at - 1]) if at > 0 and found[at - 1].type in ("CALL", "FUNC") else ""


def norm_bar(found: Sequence[Token]) -> str:
    """Whether a double bar opens or closes a norm."""
    at = innermost(found)
    return "RNORM" if at >= 0 and found[at].type == "LNORM" else "LNORM"


def _big(found: list[Token], text: str, at: int) -> int:
    """Takes the beginning of `sum_{k=1}^n` or `sup_{x > 0}` and says where its index begins; 0 where there is none."""
    m = _BIG.match(text, at)
    if m is None or re.match(r"\w", text[at - 1 : at]):
        return 0
    for kind, value in (("BIG", CALLED[m[1]]), ("SUB", "_"), ("LBRACE", text[m.end()])):
        found.append(Token(kind, value, start_pos=at, end_pos=m.end()))
    return m.end() + 1


def _within_call(found: list[Token], text: str, at: int) -> int:
    """Takes a word that has a meaning of its own in an argument, as in `sum(1/k for k=1..n)` and `kl(p || q)`."""
    m = _IN_CALL.match(text, at)
    if m is None or not (name := in_call(found)):
        return 0
    kind = {"for": "COMMA", "over": "COMMA", "from": "SIGN", "in": "SIGN", "to": "DOTS"}.get(m[0], "")
    if kind in ("SIGN", "DOTS") and name not in ("sum", "prod") or name not in (*_INDEXED, "kl", "tv"):
        return 0
    if (name in ("kl", "tv")) == bool(kind):
        return 0
    if kind or m[0] == "||":
        found.append(Token(kind or "COMMA", "==" if kind == "SIGN" else m[0], start_pos=at, end_pos=m.end()))
    return m.end()


_OF_WHAT = re.compile(r"(?:applied\s+)?(?:of|to|any|every|an|a(?=\s+\$))\s")


def _phrase_of_mechanism(found: list[Token], text: str, at: int, a_is_known: bool) -> int:
    """Takes a phrase of a sentence about mechanisms and says where it ends; 0 where none begins."""
    if found and found[-1].type != "KEY" and (m := PROMISE.match(text, at)) and m.lastgroup:
        found.append(Token("PROMISE", m.lastgroup, start_pos=at, end_pos=m.end()))
        return m.end()
    if re.match(r"\w", text[at - 1 : at]) and text[at] != "-":
        return 0
    last = next((t.type for t in reversed(found) if t.type in ("PROMISE", "ASSUME")), "")
    if last == "ASSUME" and any(t.type == "PROMISE" for t in found):  # ranges behind what is promised
        return 0
    aside = any(t in ("subsampling", "fixed") for t in found) and not any(t.type == "VERB" for t in found)
    if aside and (m := _OF_WHAT.match(text, at)):
        found.append(Token("COMMA", ",", start_pos=at, end_pos=m.end()))  # "with rate q of ..." is no product
        return m.end()
    phrase = word_at(text, at, True)
    if phrase:
        kind, value, stop = phrase
        if kind == "KEY" or kind == "VERB" or not kind or kind == "NUMBER":
            if kind:
                found.append(Token(kind, value, start_pos=at, end_pos=stop))
            after = found and found[-1].type in ENDS_OPERAND and innermost(found) < 0
            if kind == "NUMBER" or not kind and after and _operand_follows(text, stop):
                # "two rho-zCDP mechanisms", "scale b on each of k queries": not a product
                found.append(Token("COMMA", ",", start_pos=stop, end_pos=0))
            return stop
    if not a_is_known and innermost(found) < 0 and (m := re.match(r"[aA]\s+(?=[\w($\\])", text[at:])):
        return at + m.end()
    return 0


def _operand_follows(text: str, at: int) -> bool:
    """Whether a formula is the next thing behind words that say nothing of a mechanism."""
    at += len(text[at:]) - len(text[at:].lstrip(" \n}$"))
    if phrase := word_at(text, at, True):
        return phrase[0] == "NUMBER" or not phrase[0] and _operand_follows(text, phrase[2])
    article = re.match(r"an?\s+", text[at:], re.IGNORECASE)
    return _operand_follows(text, at + article.end()) if article else re.match(r"[\w([{$\\]", text[at:]) is not None


def next_sentence(found: Sequence[Token], text: str, at: int) -> Token:
    """What a full stop stands for: all before it is let or assumed, and what follows is assumed or claimed."""
    begin = max((i + 1 for i, token in enumerate(found) if token == "."), default=0)
    sentence = found[begin:]
    if any(t.type == "KEY" for t in sentence) and not any(t.type == "PROMISE" for t in sentence):
        if re.match(r"\s*(?:then\s+)?(?:it|the\s+(?:mechanism|algorithm))\b", text[at + 1 :], re.IGNORECASE):
            return Token("COMMA", ".", start_pos=at, end_pos=at + 1)  # "M adds Laplace noise. Then it is ..."
    let = next((i for i, t in enumerate(sentence) if t.type in KEYS and t == "let"), 0)
    if let and _one_list(sentence, let - (sentence[let - 1].type == "COMMA")):  # "for x > 0, let y = ..."
        sentence = sentence[let:]
    no = ("THEN", "IMPLIES", "IFF", "AS", "EXISTS", "SHAPE", "PROMISE")
    if (
        any(t.type in no or (t.type == "ASSUME" and t == "when") for t in sentence)
        or not sentence
        or sentence[0] != "let"
    ):
        raise Unread("a second sentence begins here: only what begins with Let or Assume may stand before it", ".", at)
    phrase = word_at(text, at + 1 + len(text[at + 1 :]) - len(text[at + 1 :].lstrip()))
    return Token("COMMA" if phrase and phrase[0] in KEYS else "THEN", ".", start_pos=at, end_pos=at + 1)


KEYS = ("ASSUME", "EXISTS", "EQUALITY", "ATTAINED", "WITH", "THEN", "IMPLIES", "IFF", "AS", "ON")


def mapped(found: Sequence[Token]) -> Sequence[Token]:
    """The tokens with "x -> f is convex" told as "f is convex in x"."""
    at = next((i for i, token in enumerate(found) if token.type == "MAPS"), 0)
    shape = next((i for i, token in enumerate(found) if i > at and token.type == "SHAPE"), 0)
    while shape and [t.type for t in found[shape + 1 : shape + 2]] == ["BOTH"]:
        shape = next(i for i, token in enumerate(found) if i > shape + 1 and token.type == "SHAPE")
    pair = ["LPAR", "NAME", "COMMA", "NAME", "RPAR"]  # (x, y) -> ...
    names = 5 if at > 4 and [t.type for t in found[at - 5 : at]] == pair else 1
    if not at or not shape or (names == 1 and found[at - 1].type != "NAME"):
        return found
    if names > 1 and [t.type for t in found[shape + 1 : shape + 2]] == ["IN"]:  # "(x, y) -> f is convex in x"
        return [*found[: at - names], *found[at + 1 :]]
    begin = at - names
    begin -= 2 * (begin > 1 and found[begin - 1] == ":" and found[begin - 2].type == "NAME")  # f: x -> ...
    told = [
        *found[:begin],
        *found[at + 1 : shape + 1],
        Token.new_borrow_pos("IN", "in", found[at]),
        *found[at - names : at],
    ]
    return [*told, *found[shape + 1 :]]


def described(found: Sequence[Token]) -> Iterator[Token]:
    """The tokens with "n is even" told as "n even", and "E is 2" as "E = 2"; "are" describes each of the names."""
    for i, token in enumerate(found):
        after = found[i + 1] if i + 1 < len(found) else None
        before = found[i - 1].type if i else ""
        if token.type == "IS" and token == "is" and after and before in ENDS_OPERAND and after.type in BEGINS_OPERAND:
            yield Token.new_borrow_pos("SIGN", "==", token)  # "the sum is n"
        elif token.type != "IS" or after is None or after.type != "MARK":
            yield token
        elif token == "are":
            yield Token.new_borrow_pos("MARK", "each", token)


def _one_list(found: Sequence[Token], i: int) -> bool:
    """Whether the words before "and" at this place assume "x, y > 0": names and what is said of the last one."""
    begin = max((j for j in range(i) if found[j].type in KEYS), default=-1)
    said = next((j for j in range(begin + 1, i) if found[j].type in ("SIGN", "IN")), i)
    depth = 0
    for j in range(said, i - (found[i - 1].type == "COMMA")):  # "for x > 0, and for y > 0"
        depth += (found[j].type in OPENS) - (found[j].type in CLOSES)
        if not depth and found[j].type == "COMMA":
            # before a claim, "for x > 0, y in [0, 1] and every n" has ranges only
            ranged = found[j + 1].type == "NAME" and found[j + 2].type in ("SIGN", "IN")
            ranged = ranged and found[j + 1] not in found[:j]
            if begin or not ranged or found[begin] != "for":
                return False
    after = " ".join(t.type if t.type not in KEYS else ";" for t in found[i + 2 :]).partition(";")[0]
    if re.match(
        r"(?:MARK )*NAME SIGN(?: (?!SIGN|COMMA)\w+){2,} SIGN", after
    ):  # "and for x > 1 x^2 > 1" claims something
        return False
    exists = any(token.type == "EXISTS" for token in found[:i])
    return begin >= 0 and (found[begin].type == "ASSUME" or (found[begin].type == "WITH" and not exists))


def _without_notes(found: Sequence[Token]) -> list[Token]:
    """The tokens with "n >= 1 (integer)" told as "n >= 1 integer", and "(n integer)" as ", n integer"."""
    kept: list[Token] = []
    i = 0
    while i < len(found):
        begin = i + 1 + (i + 1 < len(found) and found[i + 1].type == "NAME")
        end = begin
        while end < len(found) and found[end].type == "MARK":
            end += 1
        noted = found[i].type == "LPAR" and begin < end < len(found) and found[end].type == "RPAR"
        if noted and kept and kept[-1].type in ENDS_OPERAND:
            kept += [Token.new_borrow_pos("COMMA", ",", found[i])] * (begin - i - 1)
            kept += found[i + 1 : end]
            i = end + 1
        else:
            kept.append(found[i])
            i += 1
    return kept


def _unbracketed(found: Sequence[Token]) -> list[Token]:
    """The tokens with "A (for all x > 0)" told as "A for all x > 0"."""
    begun = [i for i, token in enumerate(found[1:], 1) if found[i - 1].type == "LPAR" and token.type in KEYS]
    drop = {j for i in begun for j in (i - 1, _closing(found, i - 1))}
    kept = [token for i, token in enumerate(found) if i not in drop]
    at = next((i for i, t in enumerate(kept) if t.type == "LPAR" and _closing(kept, i) == len(kept) - 1), 0)
    ranged = at and kept[at - 1].type in ENDS_OPERAND and any(t.type == "ASSUME" for t in kept[:at])
    if ranged and any(t.type in ("IN", "SIGN") for t in kept[at:]):
        kept[at:] = [Token.new_borrow_pos("COMMA", ",", kept[at]), *kept[at + 1 : -1]]  # "for n >= 4 (n in N)"
    return kept


def _with_aside(found: list[Token]) -> list[Token]:
    """The tokens with "is eps-DP (eps > 0)" told as "is eps-DP for eps > 0"."""
    at = max(i for i, token in enumerate(found) if token.type == "PROMISE") + 1
    if at < len(found) and found[at].type == "LPAR" and _closing(found, at) == len(found) - 1:
        if any(token.type in ("SIGN", "IN") for token in found[at:]):
            return [*found[:at], Token.new_borrow_pos("ASSUME", "for", found[at]), *found[at + 1 : -1]]
    return found


def _ranges_behind(found: Sequence[Token]) -> list[Token]:
    """The tokens with "if it is eps-DP with eps > 0, then it is ..." told as "eps-DP is ... for eps > 0"."""
    at = next(i for i, token in enumerate(found) if token.type == "PROMISE") + 1
    end = next((i for i, token in enumerate(found) if i > at and token.type in ("VERB", "PROMISE", "KEY")), at)
    ranged = [token for token in found[at:end] if token.type != "COMMA" or token is not found[end - 1]]
    if end == at or found[end].type != "VERB" or not any(token.type in ("SIGN", "IN") for token in ranged):
        return list(found)
    if any(token == "==" or token.type in ("ASSUME", "LPAR") and token is not ranged[0] for token in ranged):
        return list(found)
    ranged = [token for i, token in enumerate(ranged) if i or token.type not in ("COMMA", "ASSUME")]
    return [*found[:at], *found[end:], Token.new_borrow_pos("ASSUME", "for", ranged[0]), *ranged]


def _laws(found: Sequence[Token]) -> list[Token]:
    """The tokens with Lap(b) told as Laplace noise of scale b, and N(0, v) as Gaussian noise of variance v."""
    kept: list[Token] = []
    i = 0
    while i < len(found):
        token = found[i]
        if token in ("ell_1", "ell_2") and [t.type for t in found[i + 1 : i + 2] if t == "sensitivity"] == ["KEY"]:
            kept += [Token.new_borrow_pos("KEY", "euclidean", token)] * (token == "ell_2")
            i += 1
            continue
        law = {"Lap": "laplace", "laplace": "laplace", "N": "gaussian"}.get(str(token), "")
        end = _closing(found, i + 1)
        inside = found[i + 2 : end]
        at_zero = [t.type for t in inside[:2]] == ["NUMBER", "COMMA"] and inside[0] == "0"
        counted = found[end + 1 : end + 2]  # N (0, delta)-DP mechanisms are N of them
        other = any(t.type == "PROMISE" for t in counted) or token.type not in ("NAME", "KEY")
        if not law or not end or inside[0].type == "KEY" or other:
            kept.append(token)
            i += 1
            continue
        if law == "gaussian" and not at_zero:
            raise Unread("the normal law is written N(0, sigma^2)", token, token.start_pos or 0)
        if len(kept) > 1 and kept[-1] == "~" and kept[-2].type == "NAME":  # Z ~ N(0, v)
            del kept[-2:]
        if not any(t.type == "KEY" and t == law for t in kept):
            kept.append(Token.new_borrow_pos("KEY", law, token))
        kept.append(Token.new_borrow_pos("KEY", "scale" if law == "laplace" else "variance", token))
        kept += [found[i + 1], *inside[2 if at_zero else 0 :], found[end]]
        if end + 1 < len(found) and found[end + 1].type in BEGINS_OPERAND:
            kept.append(Token.new_borrow_pos("COMMA", ",", found[end]))
        i = end + 1
    return kept


def _closing(found: Sequence[Token], at: int) -> int:
    """Where the bracket closes that opens at this place; 0 without one."""
    depth = 0
    for i in range(at, len(found)):
        depth += (found[i].type == "LPAR") - (found[i].type == "RPAR")
        if not depth:
            return i if i > at + 1 else 0
    return 0


def settled(found: Sequence[Token]) -> list[Token]:
    """The tokens without commas beside words that divide a sentence, and without "such that" before "for all"."""
    for i, token in enumerate(found[1:-1], 1):
        if token.type == "AND" and found[i - 1].type == "SHAPE" and found[i + 1].type in ("SHAPE", "STRICTLY"):
            token.type = "BOTH"
    found = list(described(mapped(_without_notes(_unbracketed(found)))))
    if any(token.type == "PROMISE" for token in found):
        found = [Token.new_borrow_pos("VERB", "is", t) if t.type == "IMPLIES" else t for t in found]
        found = _with_aside(_laws(found))
    behind = [token.type for token in found[1:]] + [""]
    found = [t for i, t in enumerate(found) if t.type != "AND" or behind[i] != "ASSUME" or not _one_list(found, i)]
    kept: list[Token] = []
    waiting = False  # for what holds with the number that exists
    for i, token in enumerate(found):
        after = found[i + 1].type if i + 1 < len(found) else ""
        waiting = token.type == "EXISTS" or (waiting and token.type not in ("WITH", "THEN"))
        if waiting and (token == ":" or _ends_existence(found, i)):
            token, waiting = Token.new_borrow_pos("WITH", ":", token), False
        if token.type == "THEN" and kept and kept[-1].type == "AND":
            continue  # "A and hence B"
        if token.type == "COMMA" and (
            after in KEYS
            or after == "VERB"
            or (after == "COMMA" and not token.end_pos)
            or (kept and kept[-1].type in KEYS)
            or not after
        ):
            continue
        if token.type == "COMMA" and kept and kept[0].type == "ON" and _is_set(kept[1:]):
            token = Token.new_borrow_pos("THEN", "then", token)  # "on (0, 1], A"
        if token.type in ("WITH", "THEN") and after in ("ASSUME", "EXISTS"):
            continue
        if token.type in ("WITH", "THEN") and after == "COMMA" and i + 2 < len(found) and found[i + 2].type == "ASSUME":
            continue
        kept.append(token)
    if any(t.type == "PROMISE" for t in kept):
        verbs = [i for i, t in enumerate(kept) if t.type == "VERB"]
        # "a mechanism that is eps-DP is ...", "if it is eps-DP then it is ...": the last verb before the promise rules.
        kept = [Token.new_borrow_pos("COMMA", ",", t) if i in verbs[:-1] else t for i, t in enumerate(kept)]
        kept = _ranges_behind(kept)
        promised = [i for i, t in enumerate(kept) if t.type == "LPAR" and i + 2 < len(kept)]
        drop = {j for i in promised if kept[i + 1].type == "KEY" and kept[i + 2].type == "RPAR" for j in (i, i + 2)}
        kept = [t for i, t in enumerate(kept) if i not in drop]
    return kept


def _ends_existence(found: Sequence[Token], i: int) -> bool:
    """Whether the comma at this place stands for "such that": "for some C > 0, A"."""
    begin = max((j for j in range(i) if found[j].type == "EXISTS"), default=i)
    told = [token.type for token in found[begin + 1 : i]]
    later = any(token.type in ("WITH", "EXISTS") for token in found[i:])
    return found[i].type == "COMMA" and not later and told.count("NAME") == 1 and bool({"SIGN", "IN"} & {*told})


def _is_set(tokens: Sequence[Token]) -> bool:
    """Whether the tokens are an interval, or a set by its name."""
    kinds = [t.type for t in tokens]
    depth = [k in OPENS for k in kinds].count(True) - [k in CLOSES for k in kinds].count(True)
    return kinds == ["SET"] or (len(kinds) > 2 and kinds[0] in ("LPAR", "LSQB") and kinds[-1] in CLOSES and not depth)


def _is_name_here(text: str, at: int, end: int) -> bool:
    """Whether a word that says nothing stands where a variable of that name would."""
    return " " not in text[at:end] and bool(re.match(r"\s*(?:[-+*/^<>=)\],]|$)", text[end:]))


def _article(text: str, end: int) -> bool:
    """Whether "a" at this place is the article: a word of the sentence follows, not a formula."""
    phrase = word_at(text[end:].lstrip(), 0)
    return bool(re.match(r"\s+(?:constant|number|universal)\b", text[end:])) or (
        phrase is not None and phrase[0] in ("MARK", "STRICTLY", "SHAPE")
    )


# Functions whose letters are variables too: "gamma (1 - gamma) <= 1/4 for gamma in [0, 1]".
MAY_VARY = frozenset("gamma Gamma zeta W harmonic int integral norm dot det trace tr".split())


def _stands_alone(word: str, text: str) -> bool:
    return re.search(rf"\b{word}\b(?!\s*\()", text) is not None


LAWS = (
    r"(?:N|Ber|Bern|Bernoulli|Poisson|Poi|Pois|Bin|Binomial|Binom|Exp|Exponential|Rate|ChiSquare|Rad|Rademacher"
    r"|Geom|Geo|Geometric|GammaLaw|BetaLaw|Gamma|Beta|U|Unif|Uniform|Lap|Laplace)"
)
_LAW = re.compile(rf"(?:~|\bP\s*[(\[]\s*\|?)\s*{LAWS}\s*[(\[]|\bstandard\s+(?:normal|Gaussian)\b")


# What is asked of a letter with a law.
OF_LAWS = {**dict.fromkeys(("P", "Pr", "Prob"), "P"), "E": "E", **dict.fromkeys(("Var", "var", "Variance"), "Var")}


def in_our_letters(word: str, at: int = -1) -> str:
    """A name in Latin letters: Greek ones are spelled, and x in another font is x; what is raised or lowered is not.

    A lowered index that is read is written with _, as in x_1.
    """
    word = re.sub(rf"_?[{''.join(LOWERED)}]+", lambda m: "_" + "".join(LOWERED.get(c, "") for c in m[0]), word)
    for letter in word:
        if unicodedata.decomposition(letter).startswith(("<super>", "<sub>", "<fraction>", "<circle>")):
            raise Unread(
                f"{letter!r} has no meaning here: write ^ for a power, _ for an index, a/b for a part", letter, at
            )
    word = unicodedata.normalize("NFKC", word)  # as Python does with the names of its own
    for letter in set(word) & LETTERS.keys():
        word = word.replace(letter, LETTERS[letter])
    for letter in word:  # many look like x and are another letter
        if letter.isalpha() and not (spelled := unicodedata.name(letter, "without a name")).startswith("LATIN"):
            raise Unread(f"{letter!r} is the character {spelled}: names are of Latin and Greek letters", letter, at)
    return word


# "where H_n = ...", "H_n in [0, 1]", "H_n := ...": a letter, and no harmonic number
_DEFINED = (
    r"\b{0}\s*(?::=|=\s*(?:harmonic|sum)\b|in\s*[\[(])"
    r"|\b(?:where|let|with|put|set|write|define|denote|and)\s+{0}\s*=(?!=)"
)


def _put_name(found: list[Token], text: str, word: str, at: int, functions: Container[str]) -> None:
    end = at + len(word)
    follows = text[end:].lstrip()
    word = in_our_letters(word, at)
    if word in OF_LAWS and _LAW.search(text) and re.match(r"[(\[{]", follows):
        found.append(Token("CALL", OF_LAWS[word], start_pos=at, end_pos=end))
    elif re.fullmatch(r"H_[nmkNKTtj]", word) and not re.search(_DEFINED.format(word), text):
        for kind, value in (("CALL", "harmonic"), ("LPAR", "("), ("NAME", word[2:]), ("RPAR", ")")):
            found.append(Token(kind, value, start_pos=at, end_pos=end))
    elif word in functions and follows.startswith("("):
        found.append(Token("CALL", word, start_pos=at, end_pos=end))
    elif (
        word in CALLED
        and (follows.startswith("(") or (word in _INDEXED and text.startswith("{", end)))
        and not (word in MAY_VARY and _stands_alone(word, text))
    ):
        found.append(Token("CALL", CALLED[word], start_pos=at, end_pos=end))
    elif (
        word in ALONE
        or (word == "Phi" and re.match(r"\^\s*(?:-\s*1|[{(]\s*-\s*1\s*[)}])\s*\(", follows))
        or (word in ("det", "trace", "tr") and follows.startswith("["))
    ):
        found.append(Token("FUNC", CALLED[word], start_pos=at, end_pos=end))
    else:
        found.append(Token("NAME", word, start_pos=at, end_pos=end))


OPENS = {"LPAR": "(", "LSQB": "[", "LCURLY": "{", "LFLOOR": "⌊", "LCEIL": "⌈", "LBAR": "|", "LBRACE": "{"}
CLOSES = {"RPAR": ")", "RSQB": "]", "RCURLY": "}", "RFLOOR": "⌋", "RCEIL": "⌉", "RBAR": "|", "RBRACE": "}"}
OPENS, CLOSES = OPENS | {"LNORM": "‖"}, CLOSES | {"RNORM": "‖"}
ENDS_OPERAND = {"NUMBER", "NAME", "BANG", "ELLIPSIS", *CLOSES}
BEGINS_OPERAND = {"NUMBER", "ELLIPSIS", "NAME", "FUNC", "CALL", "PLUS", "MINUS", "BIG", "FRAC", "SQRT", "BINOM", *OPENS}


def paired(found: Sequence[Token], text: str) -> Iterator[Token]:
    """The tokens with every bracket closed, and each `|` as an opening or a closing one.

    Intervals may close with another bracket than they open with, and nothing else is decided about brackets here.

    Raises:
        Unread: a bracket is not closed or not opened; bars can be paired in two ways.
    """
    opened: list[Token] = []
    level_of: list[list[int]] = [[]]
    for i, token in enumerate(found):
        if token.type in OPENS:
            opened.append(token)
            level_of.append([])
            if len(opened) > DEEPEST:
                raise Unread(f"brackets stand more than {DEEPEST} deep in each other", token, token.start_pos or 0)
        elif token.type in CLOSES:
            if not opened:
                raise Unread(f"{str(token)!r} closes a bracket that is not open", token, token.start_pos or 0)
            opened.pop()
            _pair_bars(found, level_of.pop(), text)
        elif token.type == "BAR":
            level_of[-1].append(i)
    if opened:
        raise Unread(f"{str(opened[-1])!r} is not closed", opened[-1], opened[-1].start_pos or 0)
    _pair_bars(found, level_of.pop(), text)
    yield from found


def _pair_bars(found: Sequence[Token], bars: Sequence[int], text: str) -> None:
    """Sets the types of the bars of one level, if they can be paired in one way only."""
    if not bars:
        return
    if len(bars) > MOST_BARS:
        raise Unread(
            f"more than {MOST_BARS} bars stand side by side: write abs(...)", "|", found[bars[0]].start_pos or 0
        )
    ways: list[tuple[list[str], int]] = [([], 0)]
    for i in bars:
        before = found[i - 1] if i else None
        after = found[i + 1] if i + 1 < len(found) else None
        more = []
        for chosen, depth in ways:
            kind = chosen[-1] if before is not None and before.type == "BAR" and i - 1 in bars else None
            ends = kind == "RBAR" if kind else before is not None and before.type in ENDS_OPERAND
            begins = after is not None and (after.type in BEGINS_OPERAND or after.type == "BAR")
            if ends and depth:
                more.append(([*chosen, "RBAR"], depth - 1))
            if begins:
                more.append(([*chosen, "LBAR"], depth + 1))
        ways = more[:64]
    ways = [(chosen, depth) for chosen, depth in ways if depth == 0 and _spans_operands(found, bars, chosen)]
    place = found[bars[0]].start_pos or 0
    if not ways:
        raise Unread("the bars | | do not pair", "|", place)
    if len(ways) > 1:
        raise Unread("the bars | | can be paired in two ways: write abs(...)", "|", place)
    for i, kind in zip(bars, ways[0][0], strict=True):
        found[i].type = kind


def _spans_operands(found: Sequence[Token], bars: Sequence[int], chosen: Sequence[str]) -> bool:
    """Whether no comma or sign of comparison of the same level stands between two bars that belong together."""
    open_at: list[int] = []
    for i, kind in zip(bars, chosen, strict=True):
        if kind == "LBAR":
            open_at.append(i)
            continue
        depth = 0
        for token in found[open_at.pop() + 1 : i]:
            depth += (token.type in OPENS) - (token.type in CLOSES)
            if depth == 0 and token.type not in BEGINS_OPERAND | ENDS_OPERAND | {"TIMES", "SLASH", "POW", "BAR", "SUB"}:
                return False
    return True


def number(text: str) -> Fraction:
    """The exact number that is printed."""
    return Fraction(text)
