"""Small vectors and matrices by their entries: what is printed of them becomes a formula of numbers, or is refused."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from lark import Token, Tree

from banditproof.verify.judge.formulas.formula import binary
from banditproof.verify.judge.formulas.sentence import Compare, Expression, which
from banditproof.verify.judge.reading import building as b

# Each with what is written of it.
FUNCTIONS = {
    "norm": "norm([x, y])",
    "dot": "dot([a, b], [x, y])",
    "outer": "det(outer([a, b], [x, y]))",
    "det": "det([[a, b], [c, d]])",
    "trace": "trace([[a, b], [c, d]])",
}
LARGEST = 6  # entries of a vector
LARGEST_MATRIX = 4  # its rows
List = list[Any]  # of expressions: a vector; of lists of expressions: a matrix by its rows


def entries(node: Any, scope: b.Scope) -> List | None:
    """The entries of a vector or matrix; None of a number."""
    if isinstance(node, Token):
        given = scope.vectors.get(str(node)) if node.type == "NAME" and str(node) not in scope.bound else None
        if isinstance(given, Tree):
            if scope.depth > 20:
                raise b.refuse(f"{node} is defined by itself", node)
            scope.depth += 1
            given = entries(given, scope)
            scope.depth -= 1
        return given
    match node.data:
        case "vector" | "group" if listed := b.as_list(node):
            return _rows(listed, node, scope)
        case "group":
            return entries(node.children[1], scope)
        case "items" | "item" if len(node.children) == 1:
            return entries(node.children[0], scope)
        case "sum":
            return _sum(node, scope)
        case "call" if str(node.children[0]) == "outer":
            return _outer(node, scope)
        case "term" | "run" | "signed":
            return _product(node, scope)
        case "element" if entries(node.children[0], scope) is not None:
            raise b.refuse("a power or index of a vector or matrix is not read", node)
    return None


def _outer(node: Any, scope: b.Scope) -> List:
    """The matrix x y^T of two vectors."""
    given = [entries(c, scope) for c in node.children[2].children if not isinstance(c, Token)]
    if len(given) != 2 or any(e is None or isinstance(e[0], list) or len(e) > LARGEST_MATRIX for e in given):
        raise b.refuse(f"outer is read of two vectors of at most {LARGEST_MATRIX} entries", node)
    left, right = (e or [] for e in given)
    rows, size = [[b.binary("mul", x, y) for y in right] for x in left], range(len(left))
    return [[rows[min(i, j)][max(i, j)] for j in size] for i in size] if left == right else rows


def _rows(nodes: Sequence[Any], node: Any, scope: b.Scope) -> List:
    rows = [entries(n, scope) for n in nodes]
    if {"d", "e"} <= {str(n) for n in nodes} or {"e", "f"} <= {str(n) for n in nodes}:
        raise b.refuse("is e Euler's number here, or a letter? Use another one", node)
    if all(r is None for r in rows) and len(nodes) <= LARGEST:
        return [b.bare(n, scope) for n in nodes]
    sizes = {0 if r is None or isinstance(r[0], list) else len(r) for r in rows}
    if len(sizes) > 1 or 0 in sizes or len(rows) > LARGEST_MATRIX:
        raise b.refuse(
            f"a vector has at most {LARGEST} numbers, a matrix at most {LARGEST_MATRIX} rows of one length", node
        )
    return [r[0] for r in rows if r] if sizes == {1} else rows


def _shape(e: List | None) -> tuple[int, int]:
    return (0, 0) if e is None else (len(e), len(e[0]) if isinstance(e[0], list) else 0)


def _each(make: Any, *lists: Any) -> Any:
    return [_each(make, *parts) for parts in zip(*lists, strict=True)] if isinstance(lists[0], list) else make(*lists)


def _alike(nodes: Sequence[Any], scope: b.Scope) -> list[List | None]:
    """The entries of what is added or compared; beside a matrix, I is the identity matrix of its size."""
    given = [entries(n, scope) for n in nodes]
    size = next((len(e) for e in given if e and isinstance(e[0], list)), 0)
    taken = {*scope.vectors, *scope.known, *scope.bound}
    for one in ("I", f"I_{size}") if size and None in given else ():
        if one not in taken:
            scope.vectors[one] = [[b.number(int(i == j)) for j in range(size)] for i in range(size)]
            again = [entries(n, scope) for n in nodes]
            if again != given:
                scope.say(f"{one} is the identity matrix")
                return again
    return given


def _sum(node: Any, scope: b.Scope) -> List | None:
    parts = _alike(node.children[::2], scope)
    if all(p is None for p in parts):
        return None
    if len(set(map(_shape, parts))) > 1:
        raise b.refuse("the parts of a sum of vectors have as many entries each", node)
    total = parts[0]
    for sign, part in zip(node.children[1::2], parts[1:], strict=True):
        head = "add" if sign.type == "PLUS" else "sub"
        total = _each(lambda x, y, head=head: binary(head, x, y), total, part)
    return total


def _product(node: Any, scope: b.Scope) -> List | None:
    """A vector times numbers; None of numbers only."""
    places = range(0, len(node.children), 2) if node.data == "term" else range(len(node.children))
    for left, right in zip(node.children, node.children[1:], strict=False) if node.data == "run" else ():
        if b._is_bracket(right) and (b._is_function(left) or b.plain_name(left)):
            return None  # what a function is taken of is no factor
    found = [(i, e) for i in places if (e := entries(node.children[i], scope)) is not None]
    if not found:
        return None
    if node.data == "run" and len(node.children) == len(found) == 2 and isinstance(found[0][1][0], list):
        return [_dot(row, found[1][1], node) for row in found[0][1]]  # A x
    at, vector = found[0]
    if len(found) > 1 or (node.data == "term" and at and node.children[at - 1].type == "SLASH"):
        raise b.refuse("a product of vectors is written dot(x, y)", node)
    put = list(node.children)
    put[at] = Token("NAME", "_entry", start_pos=b.place(node))
    whole = b.expression(Tree(node.data, put), scope)
    return _each(lambda e: b.put(whole, {"_entry": e}), vector)


def inner_product(node: Any, scope: b.Scope) -> Expression | None:
    """x^T y, and x . y of two vectors; None of numbers."""
    if len(node.children) != 3 or node.children[1].type != "TIMES":
        return None
    left, right = (entries(n, scope) for n in node.children[::2])
    return None if left is None or right is None else _dot(left, right, node)


def _dot(left: List, right: List, node: Any) -> Expression:
    if isinstance(left[0], list) or _shape(left) != _shape(right):
        raise b.refuse("a product is read of two vectors with as many entries", node)
    return _total([b.binary("mul", x, y) for x, y in zip(left, right, strict=True)])


def called(name: str, nodes: Sequence[Any], node: Any, scope: b.Scope, square: bool = False) -> Expression:
    """norm(x), norm(x, p), dot(x, y), det(A), trace(A); `square`: the square of a norm."""
    given = [entries(n, scope) for n in nodes[: 2 if name == "dot" else 1]]
    first = given[0]
    size = len(nodes) in {"norm": (1, 2), "dot": (2,)}.get(name, (1,))
    matrix = first is not None and isinstance(first[0], list) and len(first) == len(first[0])
    if not size or first is None or None in given or (name in ("det", "trace") and not matrix):
        raise b.refuse(f"{name} is read of entries, as in {FUNCTIONS[name]}", node)
    if name == "norm":
        return norm(first, nodes[1] if len(nodes) > 1 else None, node, scope, square)
    if name == "dot":
        return _dot(first, given[1] or [], node)
    return _determinant(first) if name == "det" else _total([row[i] for i, row in enumerate(first)])


def _total(terms: Sequence[Expression]) -> Expression:
    total = terms[0]
    for t in terms[1:]:
        total = b.binary("add", total, t)
    return total


def _determinant(rows: List) -> Expression:
    """By the entries of the first row."""
    total = rows[0][0]
    for i, entry in enumerate(rows[0] if len(rows) > 1 else ()):
        term = b.binary("mul", entry, _determinant([r[:i] + r[i + 1 :] for r in rows[1:]]))
        total = b.binary("sub" if i % 2 else "add", total, term) if i else term
    return total


def norm(given: List, index: Any, node: Any, scope: b.Scope, square: bool = False) -> Expression:
    """The norm of a vector with an index such as 1, 2, inf or p, or its square."""
    two, name = b.number(2), b.plain_name(index) if index is not None else ""
    if isinstance(given[0], list):
        if index is not None and not name and b.bare(index, scope) == two:
            asked = "is this norm of a matrix the operator norm, op, or the Frobenius norm, F?"
            name = ("op", "F")[which(asked, "norm", b.place(node), 2)]
        if name == "op":
            value = _singular_value("max", given, node)
            return b.binary("pow", value, two) if square else value
        if name != "F":
            raise b.refuse("of norms of matrices only the Frobenius norm F and the operator norm op are read", node)
        given, p = [e for row in given for e in row], two
    elif index is None:
        scope.say("a norm without an index is the Euclidean one")
        p = two
    else:
        p = b.bare(index, scope)
    if p == two:
        e = _total([b.binary("pow", x, two) for x in given])
        return e if square else b.call("sqrt", e)
    sizes = [b.call("abs", x) for x in given]
    if p == b.INFINITY:
        e = b.call("max", *sizes) if len(sizes) > 1 else sizes[0]
    elif p == b.ONE:
        e = _total(sizes)
    elif name in ("p", "q", "r") or (p.head == "num" and p.args[0] > 1):
        scope.say("the p-norm is the power 1/p of the sum of the powers p, for p >= 1")
        e = b.binary("pow", _total([b.binary("pow", x, p) for x in sizes]), b.binary("div", b.ONE, p))
    else:
        raise b.refuse("the index of a norm is 1, 2, inf, a number from 1 on, or p", node)
    return b.binary("pow", e, two) if square else e


def semidefinite(left: Any, right: Any, node: Any, scope: b.Scope) -> list[Expression]:
    """The principal minors of A - B: all are 0 or more just where A - B is semidefinite, and above 0 where definite."""
    found = _alike([left, right], scope)
    given = [None if b.plain_zero(side) else e or [] for side, e in zip((left, right), found, strict=True)]
    kept = [e for e in given if e is not None]
    if not kept or any(not e or _shape(e) != (len(kept[0]), len(kept[0])) for e in kept) or len(kept[0]) > 3:
        raise b.refuse("matrices are compared by their entries, up to 3 rows, or with 0", node)
    if given[0] is None:
        rows = _each(b.negative, kept[0])
    else:
        rows = kept[0] if given[1] is None else _each(lambda x, y: binary("sub", x, y), *kept)
    size = range(len(rows))
    if any(rows[i][j] != rows[j][i] for i in size for j in size):
        raise b.refuse("this order is one of symmetric matrices", node)
    chosen = [c for k in size for c in combinations(size, k + 1)]
    return [_determinant([[rows[i][j] for j in c] for i in c]) for c in chosen]


DEFINITE = {"semidefinite": "\\succeq", "definite": "\\succ"}  # what is said of a matrix, as an order
LOEWNER = {"\\succeq": (">=", 1), "\\preceq": (">=", -1), "\\succ": (">", 1), "\\prec": (">", -1)}


def in_order(left: Any, sign: str, right: Any, node: Any, scope: b.Scope) -> list[Compare]:
    """What an order of Loewner says of the principal minors of the difference of two matrices."""
    compared, way = LOEWNER[sign]
    larger, smaller = (left, right)[::way]
    minors = semidefinite(larger, smaller, node, scope)
    scope.say(f"this order of matrices is read as: every principal minor of the difference is {compared} 0")
    return [Compare(minor, compared, b.ZERO) for minor in minors]


def eigenvalue(which: str, node: Any, scope: b.Scope) -> Expression:
    """The largest or smallest eigenvalue of a symmetric matrix of two rows."""
    rows = entries(node, scope)
    if _shape(rows) != (2, 2) or rows is None or rows[0][1] != rows[1][0]:
        raise b.refuse("eigenvalues are read of a symmetric matrix with two rows, by its entries", node)
    (p, q), (_, r) = rows
    two = b.number(2)
    middle, half = (b.binary("div", b.binary(head, p, r), two) for head in ("add", "sub"))
    root = b.call("sqrt", b.binary("add", b.binary("pow", half, two), b.binary("pow", q, two)))
    return b.binary("add" if which == "max" else "sub", middle, root)


def singular_value(which: str, node: Any, scope: b.Scope) -> Expression:
    """The largest or smallest singular value s of a matrix of two rows: s^4 - |A|^2 s^2 + det(A)^2 = 0."""
    return _singular_value(which, entries(node, scope), node)


def _singular_value(which: str, rows: List | None, node: Any) -> Expression:
    if _shape(rows) != (2, 2) or rows is None:
        raise b.refuse("singular values are read of a matrix with two rows and two columns, by its entries", node)
    two, four = b.number(2), b.number(4)
    size = _total([b.binary("pow", e, two) for row in rows for e in row])
    square = b.binary("mul", four, b.binary("pow", _determinant(rows), two))
    root = b.call("sqrt", b.binary("sub", b.binary("pow", size, two), square))
    return b.call("sqrt", b.binary("div", b.binary("add" if which == "max" else "sub", size, root), two))


VALUES = {
    f"{name}_{end}": f for name, f in (("lambda", eigenvalue), ("sigma", singular_value)) for end in ("max", "min")
}


def bars(node: Any, posts: Sequence[Any], scope: b.Scope) -> tuple[Expression, Sequence[Any]]:
    """What ‖x‖ is with its index, and the postfixes that are left."""
    indices = [p.children[2] for p in posts if p.data == "below"]
    rest = [p for p in posts if p.data != "below"]
    if indices and b.first_token(indices[0]) in ("tv", "TV"):
        return scope.latex.two_laws.distance(node.children[1], scope), rest
    given = entries(node.children[1], scope)
    if len(indices) > 1 or given is None:
        raise b.refuse("a norm is read of a vector whose entries are printed, as in x = (a, b) or x in R^2", node)
    square = bool(rest) and rest[0].data == "power" and b.exponent(rest[0], scope) == b.number(2)
    return norm(given, indices[0] if indices else None, node, scope, square), rest[square:]


def applied(name: str, following: Any, after: Sequence[Any], scope: b.Scope) -> Expression:
    """`det A` and `tr(A)`: a function of the matrix that follows."""
    base, posts = b._base(following), b._postfix(following)
    if not b._is_bracket(following) and (posts or (after and not b._is_function(after[0]))):
        raise b.refuse(f"{name} before a power or a product has two readings: write brackets", following)
    return b._postfixes(called(name, [base], following, scope), posts, scope, following, called=True)


def named_entries(name: str, size: Expression, node: Any, scope: b.Scope) -> list[str]:
    """The names of the entries of a vector x of R^n; where none are printed, they are x_1, ..., x_n."""
    if size.head != "num" or size.args[0] not in range(2, LARGEST + 1):
        raise b.refuse(f"the size of a vector is a number from 2 to {LARGEST} here", node)
    n = int(size.args[0])
    if name not in scope.vectors and name.isalpha() and name not in b.CONSTANTS:
        scope.vectors[name] = [b.variable(f"{name}_{i + 1}") for i in range(n)]
        scope.say(f"{name} is the vector ({', '.join(f'{name}_{i + 1}' for i in range(n))})")
    given = entries(Token("NAME", name), scope) or []
    names = [e.args[0] for e in given if isinstance(e, Expression) and e.head == "var"]
    if len(names) != n:
        raise b.refuse(f"{name} has other entries than {n} names: write {name} = (a, b)", node)
    return names
