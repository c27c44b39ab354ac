"""Statements in one line: plain text that reads back to the same reading, and LaTeX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.formulas.sentence import Any_, Promise

SUM, PRODUCT, POWER, ATOM = 1.0, 2.0, 3.0, 4.0
BIG = 1.5  # a sum or an infimum, whose body is all that follows in its term
WORDS_OF = {"dp": "DP", "zcdp": "zCDP", "rdp": "RDP", "gdp": "GDP"}


def decimal(value: Fraction) -> str:
    """The number as it can be typed: whole, an exact decimal, or a quotient."""
    n = value.denominator
    if n == 1:
        return str(value.numerator)
    twos = fives = 0
    while n % 2 == 0:
        n, twos = n // 2, twos + 1
    while n % 5 == 0:
        n, fives = n // 5, fives + 1
    if n != 1:
        return f"{value.numerator}/{value.denominator}"
    places = max(twos, fives)
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{'-' * (value < 0)}{digits[:-places]}.{digits[-places:]}"


def plain(e: Expression) -> str:
    """The expression as plain text, with every * written."""
    return _plain(e)[0]


def _within(e: Expression, least: float) -> str:
    text, level = _plain(e)
    return text if level >= least else f"({text})"


def _plain(e: Expression) -> tuple[str, float]:
    a = e.args
    match e.head:
        case "num":
            text = decimal(a[0])
            return text, PRODUCT if "/" in text else SUM if a[0] < 0 else ATOM
        case "const":
            return str(a[0]), ATOM
        case "var":
            return str(a[0]), ATOM
        case "neg":
            return f"-{_within(a[0], PRODUCT)}", SUM
        case "add" | "sub":
            sign = "+" if e.head == "add" else "-"
            return f"{_within(a[0], SUM)} {sign} {_within(a[1], PRODUCT)}", SUM
        case "mul" | "div":
            sign = "*" if e.head == "mul" else "/"
            return f"{_within(a[0], PRODUCT)}{sign}{_within(a[1], POWER)}", PRODUCT
        case "pow":
            return f"{_within(a[0], ATOM)}^{_within(a[1], ATOM)}", POWER
        case "call":
            return f"{a[0]}({', '.join(plain(x) for x in a[1:])})", ATOM
        case "sum" | "prod":
            return f"{e.head}({plain(a[3])}, {a[0]}={plain(a[1])}..{plain(a[2])})", ATOM
        case "inf" | "sup":
            return f"{_extremum(e)}({plain(a[2])}, {plain_range(a[0], a[1])})", ATOM
        case "diff":
            return f"diff({plain(a[0])}, {a[1]})", ATOM
        case "cases":
            return f"cases({plain_sentence(Compare(a[1], a[0], a[2]))}, {plain(a[3])}, {plain(a[4])})", ATOM
    raise ValueError(f"no expression has the head {e.head!r}")


def _extremum(e: Expression) -> str:
    """How an infimum or supremum is printed, which is a minimum or maximum where a place reaches it."""
    return {"inf": "min", "sup": "max"}[e.head] if e.args[1].reached else e.head


def plain_range(name: str, r: Range) -> str:
    """`integer n in [2, inf)`."""
    opening, closing = "[("[r.low_open], "])"[r.high_open]
    return f"{'integer ' * r.integer}{name} in {opening}{plain(r.low)}, {plain(r.high)}{closing}"


def plain_sentence(s: Sentence) -> str:
    """The sentence in plain text, without its ranges."""
    match s:
        case Compare(left, sign, right):
            return f"{plain(left)} {'=' if sign == '==' else sign} {plain(right)}"
        case All(parts) if where := equality(s):
            return f"{plain_sentence(parts[0])}, with equality iff {plain_sentence(where)}"
        case All(parts):
            if _is_chain(parts):
                first = parts[0]
                assert isinstance(first, Compare)
                return plain_sentence(first) + "".join(
                    f" {'=' if p.sign == '==' else p.sign} {plain(p.right)}"
                    for p in parts[1:]
                    if isinstance(p, Compare)
                )
            return " and ".join(plain_sentence(p) for p in parts)
        case Any_(parts):
            return " or ".join(plain_sentence(p) for p in parts)
        case Iff(left, right):
            return f"{plain_sentence(left)} iff {plain_sentence(right)}"
        case Monotone(body, name, increasing, strict):
            way = "increasing" if increasing else "decreasing"
            return f"{plain(body)} is {'strictly ' * strict}{way} in {name}"
        case Curved(body, name):
            return f"{plain(body)} is {s.shape} in {name}"
        case Limit(body, name, to, value, side):
            return f"{plain(body)} -> {plain(value)} as {name} -> {plain(to)}{['', '+', '-'][side]}"
        case Order(left, kind, right, name, to, side):
            claim = f"~ {plain(right)}" if kind == "~" else f"= {kind}({plain(right)})"
            return f"{plain(left)} {claim} as {name} -> {plain(to)}{['', '+', '-'][side]}"
        case Exists(name, r, inner, wanted):
            if wanted != "any":
                return plain_sentence(inner)
            return f"there is {plain_range(name, r)} with {plain_sentence(inner)}"
        case Best(name, inner, value, largest):
            which = "best" if largest is None else "largest" if largest else "smallest"
            return f"the {which} {name} with {plain_sentence(inner)} is {plain(value)}"
    return plain_mechanism(s)


def _is_chain(parts: Sequence[Any]) -> bool:
    return all(isinstance(p, Compare) for p in parts) and all(
        p.right == q.left for p, q in zip(parts, parts[1:], strict=False)
    )


def said(sentence: Sentence, ranges: Mapping[str, Range], conditions: Sequence[Sentence]) -> str:
    """The statement in one line, with its ranges; it reads back to the same reading."""
    text = plain_sentence(sentence)
    if conditions:
        text += " when " + " and ".join(plain_sentence(c) for c in conditions)
    if ranges:
        text += " for " + ", ".join(
            f"{'integer ' * r.integer}{name} {'>' if r.low_open else '>='} {plain(r.low)}"
            if r.low.head == "var"
            else plain_range(name, r)
            for name, r in ranges.items()
        )
    return text


def plain_promise(kind: str, budget: Mapping[str, Expression]) -> str:
    """(eps, delta)-DP"""
    values = [plain(v) for v in budget.values()]
    return f"({', '.join(values)})-{WORDS_OF[kind]}"


def plain_mechanism(s: Any) -> str:
    """The sentence about a mechanism in plain words."""
    if not isinstance(s, Private):
        raise ValueError(f"{type(s).__name__} is no sentence that is printed")
    p = s.parameters
    w = {k: plain(v) if isinstance(v, Expression) else v for k, v in p.items()}
    kept = plain_promise(s.kind, s.budget)
    of = p.get("of")
    premise = plain_promise(of.kind, of.budget) if isinstance(of, Promise) else ""
    match s.mechanism:
        case "named":
            text = f"{w['name']} is {kept}"
        case "laplace":
            text = f"Laplace noise of scale {w['scale']} on sensitivity {w['sensitivity']} is {kept}"
        case "gaussian":
            spread = "deviation" if "deviation" in p else "variance"
            text = f"Gaussian noise of {spread} {w[spread]} on sensitivity {w['sensitivity']} is {kept}"
        case "geometric":
            rate = f"({w['rate']})"
            law = f"geometric noise with P(k) proportional to exp(-{rate}*abs(k))"
            text = f"{law} on sensitivity {w['sensitivity']} is {kept}"
        case "response":
            among = f" on {w['candidates']} categories" if "candidates" in w else ""
            text = f"randomised response{among} with truth probability {w['truth']} is {kept}"
        case "exponential":
            among = f" among {w['candidates']} candidates" if "candidates" in p else ""
            u = _free_letter(p)
            text = (
                f"choosing{among} with probability proportional to exp(({w['factor']})*{u}), {u} of sensitivity "
                f"{w['sensitivity']}, is {kept}"
            )
        case "noisiest":
            noise = {"laplace": "Laplace", "gumbel": "Gumbel", "waiting": "exponential"}[p["noise"]]
            scores = f"{'monotone scores' if 'monotone' in p else 'scores'} of sensitivity {w['sensitivity']}"
            text = f"noisy max with {noise} noise of scale {w['scale']} on {scores} is {kept}"
        case "sparse":
            queries = f"{'monotone queries' if 'monotone' in p else 'queries'} of sensitivity {w['sensitivity']}"
            noises = f"threshold noise of scale {w['threshold']}, query noise of scale {w['query']}"
            text = f"sparse vector with {noises}, {w['above']} answers above, on {queries} is {kept}"
        case "composition" | "disjoint" if "parts" in p:
            parts = ", ".join(plain_promise(part.kind, part.budget) for part in p["parts"])
            data = " on disjoint data" if s.mechanism == "disjoint" else ""
            text = f"the composition{data} of {parts} mechanisms is {kept}"
        case "composition":
            text = f"the composition of {w['count']}, {premise} mechanisms is {kept}"
        case "subsampling":
            text = f"Poisson subsampling with rate {w['rate']} of {premise} mechanisms is {kept}"
        case "fixed":
            text = f"sampling without replacement with rate {w['rate']} of {premise} mechanisms is {kept}"
        case "filter":
            stops = f"that stops before the squares of the epsilons exceed {w['squares']}" if "squares" in p else ""
            text = f"a privacy filter {stops or f'of budget {premise}'} is {kept}"
        case "group":
            text = f"{premise} implies {kept} for groups of {w['size']}"
        case _:
            text = f"{premise} implies {kept}"
    return text + (f" under {p['neighbours'].replace('replace', 'replacement')}" if "neighbours" in p else "")


def _free_letter(parameters: Mapping[str, Any]) -> str:
    taken = {n for v in parameters.values() if isinstance(v, Expression) for n in names(v)}
    return next(c for c in ("u", "v", "score") if c not in taken)


# ----------------------------------------------------------------------------------------------------------- LaTeX

_TEX_SIGNS = {"<=": r"\le", ">=": r"\ge", "==": "=", "!=": r"\ne"}
_TEX_CONSTANTS = {"pi": r"\pi", "e": "e", "euler": r"\gamma_{\mathrm{E}}", "inf": r"\infty"}
_TEX_LETTERS = set(
    (
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau upsilon phi chi psi"
        " omega Gamma Delta Theta Lambda Xi Sigma Upsilon Phi Psi Omega ell varphi vartheta varrho varkappa varsigma"
    ).split()
)
_TEX_ORDERS = {"O": "O", "o": "o", "Omega": r"\Omega", "Theta": r"\Theta"}
_TEX_FUNCTIONS = {
    **{name: rf"\{name}" for name in ("exp", "log", "min", "max", "sinh", "cosh", "tanh", "sin", "cos")},
    "kl": r"\mathrm{kl}",
    "tv": r"\mathrm{TV}",
    "Phi": r"\Phi",
    "gamma": r"\Gamma",
    "digamma": r"\mathrm{digamma}",
    "trigamma": r"\mathrm{trigamma}",
    "d_eps": r"d_\varepsilon",
    "atan": r"\arctan",
    "erf": r"\mathrm{erf}",
    "erfc": r"\mathrm{erfc}",
    "W": "W",
    "zeta": r"\zeta",
}


def latex(sentence: Sentence, ranges: Mapping[str, Range], conditions: Sequence[Sentence] = ()) -> str:
    """A statement as LaTeX with its ranges, which reads back to the same; '' for sentences that are words."""
    try:
        claimed = _tex_sentence(sentence)
        when = r"\text{ and }".join(_tex_sentence(c) for c in conditions)
    except KeyError:
        return ""
    if when:
        claimed += rf"\quad\text{{when }} {when}"
    over = r",\ ".join(rf"{_tex_name(name)} \in {_tex_range(r)}" for name, r in ranges.items())
    return claimed + (rf"\quad\text{{for }} {over}" if over else "")


def _tex_sentence(s: Sentence) -> str:
    """The sentence without its ranges; a KeyError where LaTeX has no signs for it."""
    match s:
        case Compare(left, sign, right):
            return f"{tex(left)} {_TEX_SIGNS.get(sign, sign)} {tex(right)}"
        case All(parts) if where := equality(s):
            return rf"{_tex_sentence(parts[0])}\text{{, with equality iff }}{_tex_sentence(where)}"
        case All(parts) if len(parts) > 1 and _is_chain(parts):
            chain = [f" {_TEX_SIGNS.get(p.sign, p.sign)} {tex(p.right)}" for p in parts if isinstance(p, Compare)]
            return tex(vars(parts[0])["left"]) + "".join(chain)
        case All(parts):
            return r"\text{ and }".join(_tex_sentence(p) for p in parts)
        case Iff(left, right):
            return rf"{_tex_sentence(left)} \iff {_tex_sentence(right)}"
        case Monotone(body, name, increasing, strict):
            way = "strictly " * strict + ("increasing" if increasing else "decreasing")
            return rf"{tex(body)}\text{{ is {way} in }}{_tex_name(name)}"
        case Curved(body, name):
            return rf"{tex(body)}\text{{ is {s.shape} in }}{_tex_name(name)}"
        case Limit(body, name, to, value, side):
            toward = f"{tex(to)}{['', '^+', '^-'][side]}"
            return rf"{tex(body)} \to {tex(value)}\text{{ as }}{_tex_name(name)} \to {toward}"
        case Order(left, kind, right, name, to, side):
            toward = f"{tex(to)}{['', '^+', '^-'][side]}"
            claim = rf"\sim {tex(right)}" if kind == "~" else rf"= {_TEX_ORDERS[kind]}\left({tex(right)}\right)"
            return rf"{tex(left)} {claim}\text{{ as }}{_tex_name(name)} \to {toward}"
        case Exists(name, r, inner, "any"):
            return rf"\text{{there is }}{_tex_name(name)} \in {_tex_range(r)}\text{{ with }}{_tex_sentence(inner)}"
        case Exists(_, _, inner, _):
            return _tex_sentence(inner)
    raise KeyError(type(s).__name__)


def _tex_range(r: Range) -> str:
    ends = rf"{'(['[not r.low_open]}{tex(r.low)}, {tex(r.high)}{')]'[not r.high_open]}"
    return rf"{ends} \cap \mathbb{{Z}}" if r.integer else ends


def _tex_name(name: str) -> str:
    stem = name.rstrip("'")
    letter, *index = stem.split("_")
    letter = {"eps": r"\varepsilon"}.get(letter) or (
        rf"\{letter}" if letter in _TEX_LETTERS else letter if len(letter) == 1 else rf"\mathrm{{{letter}}}"
    )
    while index and index[0] in ("hat", "bar", "tilde", "star"):
        accent = index.pop(0)
        letter = f"{letter}^*" if accent == "star" else rf"\{accent}{{{letter}}}"
    below = ",".join(i if len(i) == 1 or not i.isalpha() else rf"\mathrm{{{i}}}" for i in index)
    return (f"{letter}_{{{below}}}" if index else letter) + name[len(stem) :]


def tex(e: Expression) -> str:
    """A formula as LaTeX."""
    return _tex(e)[0]


def _tex_within(e: Expression, least: float) -> str:
    text, level = _tex(e)
    return text if level >= least else rf"\left({text}\right)"


def _tex(e: Expression) -> tuple[str, float]:
    a = e.args
    match e.head:
        case "num":
            n = a[0]
            text = decimal(n)
            text = rf"\frac{{{n.numerator}}}{{{n.denominator}}}" if "/" in text else text
            return text, SUM if n < 0 else POWER if "frac" in text else ATOM
        case "const":
            return _TEX_CONSTANTS[a[0]], ATOM
        case "var":
            return _tex_name(a[0]), ATOM
        case "neg":
            return f"-{_tex_within(a[0], PRODUCT)}", SUM
        case "add" | "sub":
            return f"{tex(a[0])} {'+' if e.head == 'add' else '-'} {_tex_within(a[1], BIG)}", SUM
        case "mul":
            left, right = _tex_within(a[0], PRODUCT), _tex_within(a[1], POWER)
            plainly = right[0].isdigit() or right.startswith((r"\frac", r"\left(")) or r"\cdot" in left
            return left + (r" \cdot " if plainly else r" \, ") + right, PRODUCT
        case "div":
            return rf"\frac{{{tex(a[0])}}}{{{tex(a[1])}}}", POWER
        case "pow":
            return f"{_tex_within(a[0], ATOM)}^{{{tex(a[1])}}}", POWER
        case "sum" | "prod":
            index, low, high, body = a
            ends = rf"_{{{_tex_name(index)}={tex(low)}}}^{{{tex(high)}}}"
            return rf"\{e.head}{ends} {_tex_within(body, BIG)}", BIG
        case "inf" | "sup":
            name, over, body = a
            place = rf"{_tex_name(name)} \in {_tex_range(over)}"
            return rf"\{_extremum(e)}_{{{place}}} {_tex_within(body, BIG)}", BIG
        case "diff":
            return rf"\frac{{d}}{{d{_tex_name(a[1])}}} {_tex_within(a[0], BIG)}", BIG
        case "cases":
            then, when, otherwise = tex(a[3]), _tex_sentence(Compare(a[1], a[0], a[2])), tex(a[4])
            return rf"\begin{{cases}}{then}&{when}\\{otherwise}&\text{{otherwise}}\end{{cases}}", ATOM
    return _tex_call(a[0], [tex(x) for x in a[1:]], a[1:])


def _tex_call(function: str, texts: Sequence[str], given: Sequence[Expression]) -> tuple[str, float]:
    fences = {"abs": (r"\left|", r"\right|"), "floor": (r"\lfloor ", r" \rfloor"), "ceil": (r"\lceil ", r" \rceil")}
    if function in fences:
        opening, closing = fences[function]
        return f"{opening}{texts[0]}{closing}", ATOM
    if function == "sqrt":
        return rf"\sqrt{{{texts[0]}}}", ATOM
    if function == "factorial":
        return f"{_tex_within(given[0], ATOM)}!", ATOM
    if function == "binom":
        return rf"\binom{{{texts[0]}}}{{{texts[1]}}}", ATOM
    if function == "d_eps":
        return rf"d_{{{texts[2]}}}\left({texts[0]}, {texts[1]}\right)", ATOM
    return rf"{_TEX_FUNCTIONS[function]}\left({', '.join(texts)}\right)", ATOM
