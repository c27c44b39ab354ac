"""Small vectors and matrices by their entries: what is printed of them becomes a formula of numbers, or is refused."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from lark import Token, Tree

from banditproof.verify.judge import building as b
from banditproof.verify.judge.sentence import Expression

FUNCTIONS = ("norm", "dot", "det", "trace")
LARGEST = 6  # entries of a vector
LARGEST_MATRIX = 4  # its rows
HALF = Expression("num", (Fraction(1, 2),))
List = list[Any]  # of expressions: a vector; of lists of expressions: a matrix by its rows


def entries(node: Any, scope: b.Scope) -> List | None:
    """The entries of a vector or matrix; None of a number."""
    if isinstance(node, Token):
        return _named(node, scope) if node.type == "NAME" else None
    match node.data:
        case "vector":
            return _rows(node.children[1::2], node, scope)
        case "group":
            return _group(node, scope)
        case "items" | "item" if len(node.children) == 1:
            return entries(node.children[0], scope)
        case "sum":
            return _sum(node, scope)
        case "term" | "run" | "signed":
            return _product(node, scope)
        case "element" if (inner := entries(node.children[0], scope)) is not None:
            raise b.refuse(f"a power or index of {_kind(inner)} is not read", node)
    return None


def _named(token: Token, scope: b.Scope) -> List | None:
    given = None if str(token) in scope.bound else scope.vectors.get(str(token))
    return entries(given, scope) if isinstance(given, Tree) else given


def _kind(e: List) -> str:
    return "a matrix" if isinstance(e[0], list) else "a vector"


def inner_product(node: Any, scope: b.Scope) -> Expression | None:
    """x^T y, and x . y of two vectors; None of numbers."""
    if len(node.children) != 3 or node.children[1].type != "TIMES":
        return None
    left, right = (entries(n, scope) for n in node.children[::2])
    if left is None or right is None:
        return None
    return _dot(left, right, node)


def _dot(left: List, right: List, node: Any) -> Expression:
    if isinstance(left[0], list) or _shape(left) != _shape(right):
        raise b.refuse("a product of vectors takes two with as many entries", node)
    return _total([b.binary("mul", x, y) for x, y in zip(left, right, strict=True)])


def is_list(node: Any) -> bool:
    """Whether a formula is a list of formulas in brackets, and nothing else."""
    while isinstance(node, Tree) and len(node.children) == 1:
        node = node.children[0]
    if not isinstance(node, Tree) or node.data not in ("vector", "group"):
        return False
    inner = node.children[1]
    several = isinstance(inner, Tree) and inner.data == "items" and len(inner.children) > 1
    return node.data == "vector" or (several and not any(map(b.has_links, inner.children[::2])))


def _group(node: Any, scope: b.Scope) -> List | None:
    inner = node.children[1]
    if isinstance(inner, Tree) and inner.data == "items" and len(inner.children) > 1:
        return _rows([c.children[0] for c in inner.children[::2]], node, scope) if is_list(node) else None
    return entries(inner, scope)


def _rows(nodes: Sequence[Any], node: Any, scope: b.Scope) -> List:
    given = [entries(n, scope) for n in nodes]
    if all(e is None for e in given):
        if len(nodes) > LARGEST:
            raise b.refuse(f"a vector has at most {LARGEST} entries here", node)
        return [b.expression(n, scope) for n in nodes]
    rows = [e for e in given if e is not None and not isinstance(e[0], list)]
    if len(rows) < len(given) or len({len(r) for r in rows}) > 1 or len(rows) > LARGEST_MATRIX:
        raise b.refuse(f"the rows of a matrix are lists of one length, at most {LARGEST_MATRIX}", node)
    return [r[0] for r in rows] if len(rows[0]) == 1 else rows


def _sum(node: Any, scope: b.Scope) -> List | None:
    parts = [entries(c, scope) for c in node.children[::2]]
    if all(p is None for p in parts):
        return None
    total = parts[0]
    for sign, part in zip(node.children[1::2], parts[1:], strict=True):
        if total is None or part is None or _shape(total) != _shape(part):
            raise b.refuse("a sum of vectors has as many entries in each", node)
        total = _each(total, part, "add" if sign.type == "PLUS" else "sub")
    return total


def _shape(e: List | None) -> tuple[int, int]:
    return (0, 0) if e is None else (len(e), len(e[0]) if isinstance(e[0], list) else 0)


def _each(left: Any, right: Any, head: str) -> Any:
    if isinstance(left, list):
        return [_each(x, y, head) for x, y in zip(left, right, strict=True)]
    return b.binary(head, left, right)


def _scaled(e: Any, scale: Any) -> Any:
    return [_scaled(x, scale) for x in e] if isinstance(e, list) else scale(e)


def _product(node: Any, scope: b.Scope) -> List | None:
    """A vector times numbers; None of numbers only."""
    if node.data == "run":
        factors = list(node.children)
        for i in range(len(factors) - 1):  # what a function is taken of is no factor
            if b._is_bracket(factors[i + 1]) and (b._is_function(factors[i]) or b.plain_name(factors[i])):
                return None
    elif node.data == "signed":
        factors = [node.children[-1]]
    else:
        factors = list(node.children[::2])
    found = [(i, e) for i, f in enumerate(factors) if (e := entries(f, scope)) is not None]
    if not found:
        return None
    at, vector = found[0]
    below = node.data == "term" and any(s.type == "SLASH" for s in node.children[max(2 * at - 1, 0) : 2 * at])
    if len(found) == len(factors) == 2 and node.data == "run" and isinstance(vector[0], list):
        return _times(vector, found[1][1], node)
    if len(found) > 1 or below:
        raise b.refuse("a product of vectors is written dot(x, y)", node)
    if node.data == "signed":
        minus = sum(t.type == "MINUS" for t in node.children[:-1]) % 2
        return _scaled(vector, b.negative) if minus else vector
    placeholder = Token("NAME", "_entry", start_pos=b.place(node))

    def times(e: Expression) -> Expression:
        if len(factors) == 1:
            return e
        put = list(node.children)
        put[at if node.data == "run" else 2 * at] = placeholder
        return b.put(b.expression(Tree(node.data, put), scope), {"_entry": e})

    return _scaled(vector, times)


def _times(rows: List, right: List, node: Any) -> List:
    """A matrix times a vector or a matrix."""
    columns = [list(c) for c in zip(*right, strict=True)] if isinstance(right[0], list) else [right]
    made = [[_dot(row, column, node) for column in columns] for row in rows]
    return made if isinstance(right[0], list) else [r[0] for r in made]


def called(name: str, nodes: Sequence[Any], node: Any, scope: b.Scope, power: bool = False) -> Expression:
    """norm(x), norm(x, p), dot(x, y), det(A), trace(A); `power`: the square of a norm."""
    if len(nodes) not in {"norm": (1, 2), "dot": (2,)}.get(name, (1,)):
        raise b.refuse(f"{name} takes {'two vectors' if name == 'dot' else 'one ' + _wanted(name)}", node)
    given = [entries(n, scope) for n in nodes[: 2 if name == "dot" else 1]]
    if any(e is None for e in given):
        raise b.refuse(f"{name} is read of {_wanted(name)} by its entries: {_EXAMPLES[name]}", node)
    first: List = given[0]  # type: ignore[assignment]
    is_matrix = isinstance(first[0], list)
    if name == "norm":
        return norm(first, nodes[1] if len(nodes) > 1 else None, node, scope, power)
    if name == "dot":
        return _dot(first, given[1], node)  # type: ignore[arg-type]
    if not is_matrix or len(first) != len(first[0]):
        raise b.refuse(f"{name} takes a square matrix: {_EXAMPLES[name]}", node)
    return _determinant(first) if name == "det" else _total([row[i] for i, row in enumerate(first)])


_EXAMPLES = {
    "norm": "norm([x, y])",
    "dot": "dot([a, b], [x, y])",
    "det": "det([[a, b], [c, d]])",
    "trace": "trace([[a, b], [c, d]])",
}


def _wanted(name: str) -> str:
    return "a vector" if name in ("norm", "dot") else "a matrix"


def _total(terms: Sequence[Expression]) -> Expression:
    total = terms[0]
    for t in terms[1:]:
        total = b.binary("add", total, t)
    return total


def _determinant(rows: List) -> Expression:
    """By the entries of the first row."""
    if len(rows) == 1:
        return rows[0][0]
    total = None
    for i, entry in enumerate(rows[0]):
        term = b.binary("mul", entry, _determinant([r[:i] + r[i + 1 :] for r in rows[1:]]))
        total = term if total is None else b.binary("sub" if i % 2 else "add", total, term)
    assert total is not None
    return total


def norm(given: List, index: Any, node: Any, scope: b.Scope, square: bool = False) -> Expression:
    """The norm of a vector with an index such as 1, 2, inf or p, or its square."""
    two, name = b.number(2), b.plain_name(index) if index is not None else ""
    if isinstance(given[0], list):
        if name not in ("F", "HS"):
            raise b.refuse("of norms of matrices only the Frobenius norm is read, with the index F", node)
        given, p = [e for row in given for e in row], two
    elif index is None:
        scope.say("a norm without an index is the Euclidean one")
        p = two
    else:
        p = b.bare(index, scope)
    if p == b.INFINITY:
        e = b.call("max", *(b.call("abs", x) for x in given)) if len(given) > 1 else b.call("abs", given[0])
    elif p == b.ONE:
        e = _total([b.call("abs", x) for x in given])
    elif p == two:
        e = _total([b.binary("pow", x, two) for x in given])
        return e if square else b.call("sqrt", e)
    elif (p.head == "num" and p.args[0] < 1) or (p.head != "num" and name not in ("p", "q", "r")):
        raise b.refuse("the index of a norm is 1, 2, inf, a number from 1 on, or p", node)
    else:
        scope.say("the p-norm is the power 1/p of the sum of the powers p, for p >= 1")
        total = _total([b.binary("pow", b.call("abs", x), p) for x in given])
        e = b.binary("pow", total, b.binary("div", b.ONE, p))
    return b.binary("pow", e, two) if square else e


def bars(node: Any, posts: Sequence[Any], scope: b.Scope) -> tuple[Expression, Sequence[Any]]:
    """What ‖x‖ is with its index, and the postfixes that are left."""
    index = next((p.children[2] for p in posts if p.data == "below"), None)
    rest = [p for p in posts if p.data != "below"]
    given = entries(node.children[1], scope)
    if len(posts) - len(rest) > 1 or given is None:
        why = "a norm has one index" if given is not None else f"of what are these norms? {_HOW}"
        raise b.refuse(why, node)
    square = bool(rest) and rest[0].data == "power" and b.exponent(rest[0], scope) == b.number(2)
    return norm(given, index, node, scope, square), rest[square:]


_HOW = "The entries of the vector have to be printed, as in x = (a, b) or x in R^2"


def applied(name: str, following: Any, scope: b.Scope) -> Expression:
    """`det A` and `tr(A)`: a function of the matrix that follows."""
    base, posts = b._base(following), b._postfix(following)
    if posts and not b._is_bracket(following):
        raise b.refuse(f"{name} before a power has two readings: write brackets", following)
    return b._postfixes(called(name, [base], following, scope), posts, scope, following, called=True)


def named_entries(name: str, size: Expression, node: Any, scope: b.Scope) -> list[str]:
    """The names of the entries of a vector x of R^n; where none are printed, they are x_1, ..., x_n."""
    if size.head != "num" or size.args[0] not in range(2, LARGEST + 1):
        raise b.refuse(f"the size of a vector is a number from 2 to {LARGEST} here", node)
    n = int(size.args[0])
    if name not in scope.vectors:
        if name in scope.known or "_" in name or "'" in name:
            raise b.refuse(f"the entries of {name} have no names: write {name} = (a, b)", node)
        scope.vectors[name] = [b.variable(f"{name}_{i + 1}") for i in range(n)]
        scope.say(f"{name} is the vector ({', '.join(f'{name}_{i + 1}' for i in range(n))})")
    given = _named(Token("NAME", name), scope) or []
    names = [e.args[0] for e in given if isinstance(e, Expression) and e.head == "var"]
    if len(names) != n:
        raise b.refuse(f"{name} has other entries than {n} names", node)
    return names
