"""Divergences of two laws of one family, as formulas of their parameters."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from lark import Token, Tree

from banditproof.verify.judge.formulas.sentence import Expression, which
from banditproof.verify.judge.reading import building as b
from banditproof.verify.judge.reading import laws

NAMES = {
    "kl": "the relative entropy",
    "tv": "the distance in total variation",
    "renyi": "Renyi's divergence",
    "chi2": "the chi-square divergence",
    "JS": "the divergence of Jensen and Shannon",
}
WORDS = {
    "N": "normal",
    "Lap": "Laplace",
    "Bin": "binomial",
    "Poisson": "Poisson",
    "Rate": "exponential",
    "Geom": "geometric",
    "Ber": "Bernoulli",
}
# Of laws with the parameters a, b and c, d; r is the order. The first that has no condition, or whose condition holds.
SAME_SPREAD = "of one variance, or one scale"
LIKE = {"N": "N(0, v) and N(m, v)", "Lap": "Lap(0, b) and Lap(m, b)", "Bin": "Bin(n, p) and Bin(n, q)"}
_Formula = tuple[str, str]
FORMULAS: dict[tuple[str, str], list[_Formula]] = {
    ("kl", "N"): [("(a - c)**2/(2*b)", SAME_SPREAD), ("(log(d/b) + (b + (a - c)**2)/d - 1)/2", "")],
    ("tv", "N"): [("2*Phi(abs(a - c)/(2*s)) - 1", SAME_SPREAD)],
    ("renyi", "N"): [("r*(a - c)**2/(2*b)", SAME_SPREAD)],
    ("chi2", "N"): [
        ("exp((a - c)**2/b) - 1", SAME_SPREAD),
        (
            "d/sqrt(b*(2*d - b))*exp((a - c)**2/(2*d - b)) - 1",
            "finite where the first variance is less than twice the other",
        ),
    ],
    ("kl", "Lap"): [
        ("exp(-abs(a - c)/b) + abs(a - c)/b - 1", SAME_SPREAD),
        ("log(d/b) + (b*exp(-abs(a - c)/b) + abs(a - c))/d - 1", ""),
    ],
    ("tv", "Lap"): [("1 - exp(-abs(a - c)/(2*b))", SAME_SPREAD)],
    ("renyi", "Lap"): [
        ("log(r/(2*r - 1)*exp((r - 1)*abs(a - c)/b) + (r - 1)/(2*r - 1)*exp(-r*abs(a - c)/b))/(r - 1)", SAME_SPREAD)
    ],
    ("kl", "Bin"): [("a*kl(b, d)", "of one number of trials")],
    ("kl", "Poisson"): [("a*log(a/c) - a + c", "")],
    ("renyi", "Poisson"): [("(a**r*c**(1 - r) - r*a + (r - 1)*c)/(r - 1)", "")],
    ("chi2", "Poisson"): [("exp((a - c)**2/c) - 1", "")],
    ("kl", "Rate"): [("log(a/c) + c/a - 1", "")],
    ("kl", "Geom"): [("kl(a, c)/a", "")],
    ("kl", "Ber"): [("kl(a, c)", "")],
    ("tv", "Ber"): [("tv(a, c)", "")],
    ("chi2", "Ber"): [("(a - c)**2/(c*(1 - c))", "")],
    ("JS", "Ber"): [("(kl(a, (a + c)/2) + kl(c, (a + c)/2))/2", "")],
    ("renyi", "Ber"): [("log(a**r*c**(-(r - 1)) + (1 - a)**r*(1 - c)**(-(r - 1)))/(r - 1)", "")],
}
EQUAL = {SAME_SPREAD: ("b", "d"), "of one number of trials": ("a", "c")}
_SIGNS: dict[type, str] = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Pow: "pow"}


def divergence(name: str, nodes: Sequence[Any], scope: b.Scope) -> Expression | None:
    """The divergence of two laws that are named; None of numbers, unless the name only speaks of laws."""
    inside = [node for node in nodes if not isinstance(node, Token)]
    if name not in NAMES or len(inside) != 2 + (name == "renyi"):
        if name in ("renyi", "chi2", "JS"):
            raise b.refuse(f"{name} is read of two laws", nodes[0] if nodes else name)
        return None
    first, second = (_law(side, scope) for side in inside[-2:])
    if name not in ("kl", "tv"):  # numbers are the means of coins there
        first, second = (
            law or ("Ber", [b.bare(side, scope)]) for law, side in zip((first, second), inside[-2:], strict=True)
        )
    if first is None and second is None:
        return None
    if first is None or second is None or first[0] != second[0]:
        raise b.refuse("a divergence is read of two laws of one family", inside[-2])
    kind = first[0]
    given = dict(zip("ab", first[1], strict=False)) | dict(zip("cd", second[1], strict=False))
    if kind == "N":
        given["s"] = laws.deviation(given["b"])
    if name == "renyi":
        given["r"] = b.bare(inside[0], scope)
    for text, said in FORMULAS.get((name, kind), ()):
        if said not in EQUAL or given[EQUAL[said][0]] == given[EQUAL[said][1]]:
            scope.say(f"{NAMES[name]} is that of two {WORDS[kind]} laws" + f", {said}" * bool(said))
            return _of(text, given)
    known = " or ".join(f"two {WORDS[kind]} laws {said}" for _, said in FORMULAS.get((name, kind), ()))
    only = f"is read of {known}, such as {LIKE[kind]}" if kind in LIKE and known else "of these laws is not known here"
    raise b.refuse(f"{NAMES[name]} {only}: write its formula", inside[-2])


def _law(node: Any, scope: b.Scope) -> tuple[str, list[Expression]] | None:
    """The family and the parameters of a law that is printed, whose scale stands behind its place."""
    place = f"law at {b.place(node)}"
    if (of_normal := laws.normal(node, scope)) is not None:
        scope.laws[place] = of_normal  # its variance is positive
        scope.reals |= {*b.names_in(of_normal)}
        return "N", list(of_normal)
    if (p := laws.bernoulli(node, scope)) is not None:
        return "Ber", [p]
    if len(parameters := laws.parameters_of(node, ("Lap", "Laplace"), scope)) == 2:
        scope.others[place] = "Lap", parameters[1:]
        scope.reals |= {*b.names_in(tuple(parameters))}
        return "Lap", parameters
    if not laws.given(place, node, scope):
        return None
    kind, parameters = scope.others[place]
    if kind == "Exp":
        asked = "is the number of an exponential law its rate or its mean?"
        mean = which(asked, "Exp", 0, 2)
        kind, parameters = "Rate", [b.binary("div", b.ONE, parameters[0]) if mean else parameters[0]]
    laws.check(kind, parameters, node, scope)
    return kind, [b.ZERO, *parameters] if kind == "Lap" else parameters


def _of(text: str, given: dict[str, Expression]) -> Expression:
    """A formula of the table with what is given in place of its letters."""

    def made(node: ast.expr) -> Expression:
        match node:
            case ast.BinOp(left=left, op=op, right=right):
                return b.binary(_SIGNS[type(op)], made(left), made(right))
            case ast.UnaryOp(operand=operand):
                return b.negative(made(operand))
            case ast.Call(func=ast.Name(id=word), args=args):
                return b.call(word, *map(made, args))
            case ast.Constant(value=int(value)):
                return b.number(value)
            case ast.Name(id=letter):
                return given[letter]
        raise AssertionError(ast.dump(node))

    return made(ast.parse(text, mode="eval").body)


def distance(node: Any, scope: b.Scope) -> Expression:
    """‖P - Q‖_TV of two laws that are named."""
    match node:
        case Tree(data="sum", children=[left, Token(type="MINUS"), right]):
            between = divergence("tv", [left, right], scope)
        case _:
            between = None
    if between is None:
        raise b.refuse("the distance in total variation is read of two laws, Ber(p) - Ber(q)", node)
    scope.say("the distance in total variation is the largest difference of a probability, at most 1")
    return between
