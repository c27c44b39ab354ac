"""Orders of growth where they stand in a formula: f = g (1 + O(h)), f <= g + o(h), f = n^(1 + o(1))."""

from __future__ import annotations

from typing import Any

from lark import Token, Tree

from banditproof.verify.judge.formulas.sentence import Expression
from banditproof.verify.judge.reading.building import ONE, ORDERS, ZERO, binary, call, names_in, refuse, variable

_ORDER = "an order of growth"  # the name that stands where O(h), or o(h), stood


def order_in(right: Any) -> Tree[Any] | None:
    """Where the one O(h), o(h), Omega(h) or Theta(h) of a formula stands."""
    calls = right.find_data("call") if isinstance(right, Tree) else ()
    found = [c for c in calls if c.children[0] in ORDERS]
    return found[0] if len(found) == 1 else None


def without(node: Any, order: Any) -> Any:
    """A formula with a name in place of an order of growth."""
    if node is order:
        return Token("NAME", _ORDER)
    return Tree(node.data, [without(c, order) for c in node.children]) if isinstance(node, Tree) else node


def by_itself(
    left: Expression, sign: str, right: Expression, kind: str, bound: Expression, node: Any
) -> tuple[Expression, Expression]:
    """Two formulas of which the first is an order of the second: they say what `left sign right` says."""
    if sign == "==":
        alone, solved = right == variable(_ORDER), _solved(left, right, kind, node)
        signed = kind in ("Omega", "Theta") and not alone  # beside other parts, what is at least c h is not below 0
        return call("max", solved, ZERO) if signed else solved, bound
    rest, slope, falling = _linear(right, kind, node)
    above = sign == "<=" and kind in ("O", "o") or sign == ">=" and kind == "Omega" and not falling
    below = sign == ">=" and kind in ("O", "o") or sign == "<=" and kind == "Omega" and falling
    if not above and not below or kind == "Omega" and slope != ONE:
        raise refuse(f"{sign} says nothing beside this {kind}(...): write =", node)
    excess = binary("sub", left, rest) if above else binary("sub", rest, left)
    return call("max", excess, ZERO), bound if slope == ONE else binary("mul", call("abs", slope), bound)


def _solved(left: Expression, right: Expression, kind: str, node: Any) -> Expression:
    """What equals the order, if both sides are equal: the other parts of the right side go to the left, one by one."""
    while right != variable(_ORDER):
        match right.head, right.args:
            case "add", (a, b) if _ORDER in names_in(b):
                left, right = binary("sub", left, a), b
            case (("add" | "sub"), (a, b)) if _ORDER in names_in(a):
                left, right = binary("sub" if right.head == "add" else "add", left, b), a
            case "sub", (a, b):
                left, right = binary("sub", a, left), b
            case "mul", (a, b) if _ORDER in names_in(b):
                left, right = binary("div", left, a), b
            case (("mul" | "div"), (a, b)) if _ORDER in names_in(a):
                left, right = binary("div" if right.head == "mul" else "mul", left, b), a
            case "pow", (a, b) if _ORDER in names_in(b):
                left, right = binary("div", call("log", left), call("log", a)), b
            case "call", ("exp", b):
                left, right = call("log", left), b
            case _:
                raise _not_alone(kind, node)
    return left


def _linear(right: Expression, kind: str, node: Any) -> tuple[Expression, Expression, bool]:
    """The right side without the order, the factor of the order, and whether it is taken away."""
    match right.head, right.args:
        case "var", _:
            return ZERO, ONE, False
        case (("add" | "sub"), (a, b)) if _ORDER in names_in(a):
            rest, slope, falling = _linear(a, kind, node)
            return _plain_sum(right.head, rest, b), slope, falling
        case (("add" | "sub"), (a, b)):
            rest, slope, falling = _linear(b, kind, node)
            return _plain_sum(right.head, a, rest), slope, falling != (right.head == "sub")
        case (("mul" | "div"), (a, b)) if _ORDER in names_in(a):
            rest, slope, falling = _linear(a, kind, node)
            return binary(right.head, rest, b), binary(right.head, slope, b), falling
        case "mul", (a, b):
            rest, slope, falling = _linear(b, kind, node)
            return binary("mul", a, rest), binary("mul", a, slope), falling
    raise _not_alone(kind, node)


def _plain_sum(head: str, a: Expression, b: Expression) -> Expression:
    return b if a == ZERO and head == "add" else a if b == ZERO else binary(head, a, b)


def _not_alone(kind: str, node: Any) -> Exception:
    return refuse(f"{kind}(...) stands alone on the right, or beside terms and factors", node)
