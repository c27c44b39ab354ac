"""From the tree of a grammar to a `Reading`: what the names mean, which range each has, what is assumed.

Formulas keep what was printed. Where a text has two readings that differ, both are shown and none is chosen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial, reduce
from typing import Any

from lark import Token, Tree

from banditproof.theory.errors import close_to
from banditproof.verify.judge.formulas.formula import ONE, ZERO, names_in
from banditproof.verify.judge.formulas.formula import name as variable
from banditproof.verify.judge.formulas.formula import num as number
from banditproof.verify.judge.formulas.formula import put as put_in
from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.formulas.sentence import FUNCTIONS
from banditproof.verify.judge.reading.words import CALLED, GREEK

CONSTANTS = {"pi": "pi", "e": "e", "euler": "euler", "inf": "inf", "infinity": "inf", "infty": "inf", "oo": "inf"}
REALS = frozenset("u v w x y z".split())  # letters for numbers that are neither counts nor budgets nor probabilities
COUNTED = frozenset("i j k l m n K M N T".split())  # letters that stand for counts as often as for reals
QUOTIENTS = {"tan": ("sin", "cos"), "cot": ("cos", "sin")}
RECIPROCALS = {"coth": "tanh", "sec": "cos", "csc": "sin", "sech": "cosh", "csch": "sinh"}
MEANS = frozenset("l m M".split())  # of these, letters that stand for a mean, a length or a bound as well
ORDERS = ("O", "o", "Omega", "Theta", "~")
# Signs for orders of growth, with the order that each says.
SIGNS_OF_ORDERS = {"~": "~", "\\asymp": "Theta", "\\lesssim": "O", "\\gtrsim": "Omega"}
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
LONGEST_SUM = 200


put = partial(put_in, read=True)


def binary(head: str, left: Expression, right: Expression) -> Expression:
    """One of add, sub, mul, div, pow."""
    return Expression(head, (left, right))


@dataclass
class Scope:
    """What is known while formulas are built."""

    known: Collection[str]  # names with a range from outside
    quantities: Container[str] = ()  # functions that only a reader of claims knows
    assumed: list[str] = field(default_factory=list)
    functions: dict[str, tuple[list[str], Any]] = field(default_factory=dict)  # h(p) = ...
    squares: dict[str, Expression] = field(default_factory=dict)  # H^2 = ...
    laws: dict[str, tuple[Expression, Expression]] = field(default_factory=dict)  # X ~ N(mean, variance)
    coins: dict[str, Expression] = field(default_factory=dict)  # X ~ Ber(p)
    others: dict[str, tuple[str, list[Expression]]] = field(default_factory=dict)  # X ~ Poisson(mean), Bin(n, p), ...
    ranges: Mapping[str, Bounds] = field(default_factory=dict)  # what is printed of the names
    conditions: Sequence[Any] = ()  # what is printed of several of them
    intervals: list[Compare] = field(default_factory=list)  # of numbers in [a, b], that a < b
    vectors: dict[str, Any] = field(default_factory=dict)  # x = (a, b): its entries, or the tree of them
    squared: Container[str] = ()  # names that stand as squares everywhere in the text
    bound: tuple[str, ...] = ()
    integers: set[str] = field(default_factory=set)  # names that have to be whole for the formula to have a meaning
    reals: set[str] = field(default_factory=set)  # names in the places and widths of continuous laws
    tex: bool = False
    latex: Any = None  # what reads sums as they are printed, and vectors
    depth: int = 0
    at: Mapping[str, int] = field(default_factory=dict)  # the values of indexes of sums that are written out
    normal: bool = False  # whether Phi, the normal law, stands in the text
    kl_is_printed: bool = False  # whether the text says what kl is
    called: Mapping[str, str] = field(default_factory=dict)  # f of a printed f(x), and its x
    numbers: dict[str, str] = field(default_factory=dict)  # variables that are values of quantities without one
    defines: bool = False  # whether the first equation is a definition, as := says

    def say(self, what: str) -> None:
        if what not in self.assumed:
            self.assumed.append(what)


def place(node: Any) -> int:
    """Where a part of the text begins."""
    if isinstance(node, Token):
        return -1 if node.start_pos is None else node.start_pos
    for child in node.children:
        if child is not None and (at := place(child)) >= 0:
            return at
    return -1


def first_token(node: Any) -> str:
    """The token that a part of the text begins with."""
    while not isinstance(node, Token):
        node = next((c for c in node.children if c is not None), Token("NAME", ""))
    return str(node)


QUANTILE = "Phi^-1"  # in formulas that are still to be solved for it
OF_A_LAW = "of a probability the law has to be named: P(X >= t) for X ~ N(0, 1)"
NO_RANGE = "{0} has no range here: write for example {0} in [0, 1]"


def refuse(why: str, node: Any) -> Unread:
    """An Unread at the place of a node."""
    return Unread(why, first_token(node), place(node))


def either(
    what: str, shown: Sequence[Expression], node: Any, beside: str = "", besides: Sequence[Expression] = ()
) -> Expression:
    """The one of several readings that is meant; `besides` are those that are not shown.

    Raises Ambiguous where nobody has chosen one (`sentence.reading_as`).
    """
    from banditproof.verify.judge.formulas.printing import plain

    readings = list({plain(r): r for r in (*shown, *besides)}.values())
    why = (
        f"{what} has two readings: {' or '.join(dict.fromkeys(map(plain, shown)))}; write the one that is meant{beside}"
    )
    return readings[which(why, first_token(node), place(node), len(readings))]


# Formulas


VECTORS = ("norm", "dot", "outer", "det", "trace")  # functions of vectors and matrices


def _vectors(scope: Scope) -> Any:
    """What reads vectors."""
    return scope.latex.vectors


def _laws(scope: Scope) -> Any:
    """What reads laws."""
    return scope.latex.laws


def as_list(node: Any) -> list[Any]:
    """The formulas of a list of formulas in brackets; nothing of another formula."""
    while isinstance(node, Tree) and len(node.children) == 1:
        node = node.children[0]
    if not isinstance(node, Tree) or node.data not in ("vector", "group"):
        return []
    inner = node.children[1]
    if node.data == "vector":
        return node.children[1::2]
    if not isinstance(inner, Tree) or inner.data != "items" or {str(c) for c in inner.children[1::2]} != {","}:
        return []
    return [] if any(map(has_links, inner.children[::2])) else list(inner.children[::2])


def _of_latex(name: str) -> Callable[..., Any]:
    """What reads a part that only LaTeX has."""

    return lambda *given: getattr(given[-1].latex, name)(*given)


def expression(node: Any, scope: Scope) -> Expression:
    """The expression of a node of the tree."""
    if isinstance(node, Token):
        return _leaf(node, scope)
    return _FORMULAS[node.data](node, scope)


def _leaf(token: Token, scope: Scope) -> Expression:
    if token.type == "NUMBER":
        return number(Fraction(token))
    if token.type == "FUNC":
        raise refuse(f"{token} has no argument", token)
    if token.type == "ELLIPSIS":
        raise refuse("what do the dots stand for? Write the first terms and the last one: 1 + 2 + ... + n", token)
    name = str(token)
    if name in scope.vectors and name not in scope.bound:
        raise refuse(f"{name} is a vector or a matrix, and a number is expected here", token)
    stem, _, index = name.rpartition("_")
    if f"{stem}_" in scope.functions:
        if index not in (*scope.bound, *scope.functions[f"{stem}_"][0]):
            raise refuse(f"{name} is told by no index of a sum: write its value", token)
        return _defined_value(f"{stem}_", [variable(index)], token, scope)
    if index := depends(name, scope.bound):
        if index in scope.at:
            return _entry(token, index, scope)
        raise refuse(f"{name} is one number for each {index}: such a family is not read", token)
    if name in scope.bound or (name in scope.known and name not in CONSTANTS):
        return variable(name)
    if name in CONSTANTS:
        if name in scope.known:
            raise refuse(f"{name} is a constant and has no range: choose another letter", token)
        return Expression("const", (CONSTANTS[name],))
    return variable(name)


def _entry(token: Token, index: str, scope: Scope) -> Expression:
    """p_2 of p_i where i is 2: the entry of a vector p that has others, or the name."""
    at, (stem, *rest) = scope.at[index], token.split("_")
    if rest == [index] and stem in scope.vectors:
        given = _vectors(scope).entries(Token("NAME", stem), scope)
        if not 0 < at <= len(given):
            raise refuse(f"{stem} has no entry {at}", token)
        return given[at - 1]
    word = "_".join([stem, *(str(at) if part == index else part for part in rest)])
    return _leaf(Token("NAME", word, start_pos=token.start_pos), scope)


def _speaks(node: Any, name: str) -> bool:
    """Whether a name stands in a part of the text."""
    return isinstance(node, Tree) and any(t == name for t in node.scan_values(_is_name))


def depends(name: str, on: Iterable[str]) -> str:
    """The one of these names that stands in the index of a name: k of p_k."""
    parts = name.rstrip("'").split("_")[1:]
    return next((k for k in on if k in parts), "")


def _sum(node: Any, scope: Scope) -> Expression:
    if len(node.children) > 2 * LONGEST_SUM:
        raise refuse(f"a sum has more than {LONGEST_SUM} terms", node)
    terms = [(1, node.children[0])]
    signs = node.children[1::2]
    terms += [(1 if s.type == "PLUS" else -1, t) for s, t in zip(signs, node.children[2::2], strict=True)]
    if any(map(_is_dots, node.children)):
        return _added(_dots(scope).summed(terms, scope))
    total = None
    i = 0
    while i < len(terms):
        sign, term = terms[i]
        if reaching := _reaching(term, node.children[2 * i + 1 :], scope):
            term, i = reaching, len(terms)
        e = expression(term, scope)
        i += 1
        total = (e if sign > 0 else negative(e)) if total is None else binary("add" if sign > 0 else "sub", total, e)
    assert total is not None
    return total


def _dots(scope: Scope) -> Any:
    """What reads rows with dots."""
    return scope.latex.dots


def _is_dots(node: Any) -> bool:
    return isinstance(node, Token) and node.type == "ELLIPSIS"


def _added(terms: Sequence[tuple[int, Expression]]) -> Expression:
    (sign, total), *rest = terms
    total = total if sign > 0 else negative(total)
    for sign, e in rest:
        total = binary("add" if sign > 0 else "sub", total, e)
    return total


def _reaching(term: Any, rest: Sequence[Any], scope: Scope) -> Any | None:
    """A term with an infimum whose variable stands in the rest of the sum too: the term with the rest in its body."""
    if not rest:
        return None
    parts = term.children[0::2] if isinstance(term, Tree) and term.data == "term" else [term]
    for i, part in enumerate(parts):
        elements = _elements(part)
        for j, element in enumerate(elements):
            if not _is_big(element) or (name := _of_latex("bound_name")(element, rest, scope)) is None:
                continue
            if not any(t == name for r in rest if isinstance(r, Tree) for t in r.scan_values(_is_name)) and (
                name not in rest
            ):
                return None
            later = [] if len(parts) == 1 else term.children[2 * i + 1 :]
            if not elements[j + 1 :]:
                if later or i or j:
                    raise refuse("what follows this sign? Write brackets", element)
                body, rest = _negated(rest[1]) if rest[0].type == "MINUS" else rest[1], rest[2:]
            else:
                body = [Tree("run", elements[j + 1 :]), *later]
                body = Tree("term", body) if len(body) > 1 else body[0]
            group = Tree(
                "group", [Token("LPAR", "(", start_pos=place(element)), Tree("sum", [body, *rest]), Token("RPAR", ")")]
            )
            run = Tree("run", [*elements[: j + 1], group])
            return Tree("term", [*term.children[: 2 * i], run]) if len(parts) > 1 else run
    return None


def _negated(term: Any) -> Any:
    """A term with a minus before it: what stands behind a sign of an infimum."""
    if isinstance(term, Tree) and term.data == "term":
        return Tree("term", [_negated(term.children[0]), *term.children[1:]])
    return Tree("signed", [Token("MINUS", "-", start_pos=place(term)), term])


def _elements(part: Any) -> list[Any]:
    """The factors of a run, behind its signs."""
    if isinstance(part, Tree) and part.data == "signed":
        part = part.children[-1]
    return list(part.children) if isinstance(part, Tree) and part.data == "run" else [part]


def _minus(part: Any) -> int:
    signs: list[Any] = part.children[:-1] if isinstance(part, Tree) and part.data == "signed" else []
    return sum(t.type == "MINUS" for t in signs)


def _is_name(token: Any) -> bool:
    return isinstance(token, Token) and token.type == "NAME"


def _term(node: Any, scope: Scope) -> Expression:
    if (scope.vectors or scope.tex) and (inner := _vectors(scope).inner_product(node, scope)) is not None:
        return inner
    signs = ["TIMES", *(t.type for t in node.children[1::2])]
    parts = zip(signs, node.children[0::2], strict=True)
    return product([(op, _elements(part), _minus(part), part) for op, part in parts], scope)


def product(parts: Sequence[tuple[str, Sequence[Any], int, Any]], scope: Scope) -> Expression:
    """A term: its factors with `*`, `/` or nothing between them."""
    if any(map(_is_dots, (e for part in parts for e in part[1]))):
        return _row_of_factors(parts, scope)
    result: Expression | None = None
    open_function: Callable[[Expression], Expression] | None = None
    first_minus = parts[0][2]
    for i, (op, elements, minus, node) in enumerate(parts):
        if op == "SLASH" and _swallows(elements) and (len(elements) > 2 or len(parts) > i + 1):
            raise refuse("what stands below /? Write brackets", node)
        factors, function = _run(elements, parts[i + 1 :], scope)
        e = factors[0]
        for f in factors[1:]:
            e = binary("mul", e, f)
        if i and minus % 2:
            e = negative(e)
        if op == "SLASH":
            assert result is not None
            if len(factors) > 1:
                rest = factors[0]
                narrow = binary("div", result, rest)
                for f in factors[1:]:
                    narrow = binary("mul", narrow, f)
                if not scope.tex and _is_fraction(parts[i - 1][1], elements):
                    scope.say(f"the space behind / parts the fraction from the rest: {_shown(narrow)}")
                    result = narrow
                else:
                    result = either("a product behind /", [binary("div", result, e), narrow], node)
            elif open_function is not None:
                both, before = [open_function(e), binary("div", result, e)], parts[i - 1][3]
                if not scope.tex and _gap(before, node) > 2:
                    scope.say(f"the spaces around / part what stands before it: {_shown(both[1])}")
                    result = both[1]
                else:
                    result = either("a function without brackets before /", both, before)
            else:
                result = binary("div", result, e)
        else:
            result = e if result is None else binary("mul", result, e)
        open_function = function
        if _swallows(elements):
            break
    assert result is not None
    for _ in range(first_minus):
        result = negative(result)
    return result


def _tokens_in(node: Any) -> list[Token]:
    return [node] if isinstance(node, Token) else [*node.scan_values(lambda t: isinstance(t, Token))]


def _gap(before: Any, after: Any) -> int:
    """How many signs stand between two parts of a text."""
    ends = [t.end_pos or -1 for t in _tokens_in(before)]
    return place(after) - max(ends, default=-1) if min(ends, default=-1) >= 0 else 0


def _is_fraction(above: Sequence[Any], below: Sequence[Any]) -> bool:
    """Whether a fraction of two numbers stands apart from a function or a bracket: "1/2 log(n)"."""
    numbers = [n.type == "NUMBER" for n in (above[-1], below[0]) if isinstance(n, Token)]
    follows = below[1] if len(below) > 1 else None
    called = isinstance(follows, Tree) or isinstance(follows, Token) and follows.type in ("FUNC", "BIG")
    return (
        numbers == [True, True]
        and len(above) == 1
        and called
        and _gap(above[0], below[0]) == 1 < 1 + _gap(below[0], follows)
    )


def _shown(e: Expression) -> str:
    from banditproof.verify.judge.formulas.printing import plain

    return plain(e)


def _inverse(name: str, x: Expression) -> Expression:
    """An inverse hyperbolic function by logarithms, which have no value where it has none."""
    if name == "atanh":
        return binary("div", call("log", binary("div", binary("add", ONE, x), binary("sub", ONE, x))), number(2))
    square = binary("add" if name == "asinh" else "sub", binary("pow", x, number(2)), ONE)
    return call("log", binary("add", x, call("sqrt", square)))


def _row_of_factors(parts: Sequence[tuple[str, Sequence[Any], int, Any]], scope: Scope) -> Expression:
    """A term with dots between its factors."""
    factors: list[tuple[str, Any, Any]] = []
    for op, elements, _, node in parts:
        if _swallows(elements) or (op == "SLASH" and len(elements) > 1):
            raise refuse("what do the dots stand for? Write brackets", node)
        at = next((i for i, e in enumerate(elements) if _is_dots(e)), len(elements))
        row: list[Any] = _run(elements[:at], (), scope)[0]
        row += [None, *_run(elements[at + 1 :], (), scope)[0]] if at < len(elements) else []
        factors += [(op if i == 0 else "", e, node) for i, e in enumerate(row)]
    result, *rest = _dots(scope).multiplied(factors, scope)
    e: Expression = result[1]
    for op, factor, _ in rest:
        e = binary("div" if op == "SLASH" else "mul", e, factor)
    return negative(e) if sum(part[2] for part in parts) % 2 else e


def _swallows(elements: Sequence[Any]) -> bool:
    """Whether a sum, product or infimum stands in the run, whose body is all that follows in the term."""
    return any(_is_big(e) for e in elements)


def _base(element: Any) -> Any:
    return element.children[0] if isinstance(element, Tree) and element.data == "element" else element


def _is_function(element: Any) -> bool:
    base = _base(element)
    return isinstance(base, Token) and base.type == "FUNC"


def _is_bracket(element: Any) -> bool:
    base = _base(element)
    return isinstance(base, Tree) and base.data in ("group", "abs", "floor", "ceil")


def _run(elements: Sequence[Any], after: Sequence[Any], scope: Scope) -> tuple[list[Expression], Any]:
    """The factors of a run, and what its last function would make of a quotient, where it has no brackets."""
    if len(elements) > LONGEST_SUM:
        raise refuse(f"a product has more than {LONGEST_SUM} factors", elements[0])
    factors: list[Expression] = []
    function = None
    i = 0
    while i < len(elements):
        element = elements[i]
        base = _base(element)
        function = None
        if isinstance(base, Tree) and base.data == "big":
            factors.append(_of_latex("big")(element, elements[i + 1 :], after, scope))
            return factors, None
        if _is_function(element):
            e, i, function = _applied(elements, i, scope)
            if function is not None and i == len(elements):
                inner, kept = function, list(factors)

                def whole(below: Expression, inner: Any = inner, kept: list[Expression] = kept) -> Expression:
                    e = inner(below)
                    for f in reversed(kept):
                        e = binary("mul", f, e)
                    return e

                function = whole
            else:
                function = None
            factors.append(e)
            continue
        if isinstance(base, Token) and base.type == "NAME" and i + 1 < len(elements) and _is_bracket(elements[i + 1]):
            e = _called_name(element, elements[i + 1], scope)
            if e is not None:
                factors.append(e)
                i += 2
                continue
        power_before = scope.tex and i and any(p.data == "power" for p in _postfix(elements[i - 1]))
        powered = any(p.data == "power" for p in _postfix(element))  # n 2^n is a product, n 2 may be a slip
        if factors and isinstance(base, Token) and base.type == "NUMBER" and not power_before and not powered:
            raise refuse("a number stands behind a factor: write * between them", element)
        factors.append(_element(element, scope))
        i += 1
    return factors, function


def _applied(elements: Sequence[Any], i: int, scope: Scope) -> tuple[Expression, int, Any]:
    """A function before its argument: its value, where the run goes on, and its value on argument / more."""
    head = elements[i]
    if i + 1 >= len(elements):
        raise refuse(f"{first_token(head)} has no argument", head)
    following = elements[i + 1]
    if (name := first_token(head)) in VECTORS and name not in scope.quantities and not _postfix(head):
        return _vectors(scope).applied(name, following, elements[i + 2 :], scope), i + 2, None
    make = _function(head, scope)
    if first_token(following) == "[" and not scope.tex and len(elements) > i + 2 and _is_bracket(elements[i + 2]):
        raise refuse(f"what is {name}[...](...)? Write x^(1/3) for a root, and log(x)/log(2) for a base", head)
    if _base_is_group(following):
        listed = _base(following).children[1]
        between = scope.latex.two_laws.divergence(name, getattr(listed, "children", ()), scope)
        if between is not None and not _postfix(head):
            return _postfixes(between, _postfix(following), scope, following, called=True), i + 2, None
        arguments = _arguments(_base(following), scope)
        return _postfixes(make(*arguments), _postfix(following), scope, following, called=True), i + 2, None
    if _is_function(following):
        inner, j, function = _applied(elements, i + 1, scope)
        return make(inner), j, (lambda more: make(function(more))) if function else None
    if _is_name(_base(following)) and len(elements) > i + 2 and _is_bracket(elements[i + 2]):  # log f(x)
        if (inner := _called_name(following, elements[i + 2], scope)) is not None:
            return make(inner), i + 3, None
    j = i + 1
    taken = []
    while j < len(elements) and not _is_function(elements[j]) and not _is_big(elements[j]):
        taken.append(_element(elements[j], scope))
        j += 1
    if not taken:
        raise refuse(f"{first_token(head)} has no argument that ends: write brackets", head)
    if len(taken) > 1:
        wide, *between, narrow = (  # as many of the factors belong to the function
            _product([make(_product(taken[:k])), *taken[k:]]) for k in range(len(taken), 0, -1)
        )
        base = str(taken[0].args[0]) if first_token(head) == "log" and taken[0] in (number(2), number(10)) else ""
        called = "\\log_" if scope.tex else "log_"
        beside = f", or {called}{base}(...) for the base {base}" if base else ""
        of_base = [
            _product([binary("div", make(_product(taken[1:k])), make(taken[0])), *taken[k:]])
            for k in range(2, len(taken) + 1)
        ]
        besides = [*between, *(of_base if base else ())]
        chosen = either(f"{first_token(head)} before a product", [wide, narrow], head, beside, besides)
        return chosen, j, lambda more: make(binary("div", _product(taken), more))
    return make(taken[0]), j, lambda more: make(binary("div", taken[0], more))


def _product(factors: Sequence[Expression]) -> Expression:
    return reduce(lambda one, other: binary("mul", one, other), factors)


def _base_is_group(element: Any) -> bool:
    base = _base(element)
    return isinstance(base, Tree) and base.data == "group"


def _is_big(element: Any) -> bool:
    base = _base(element)
    return isinstance(base, Tree) and base.data == "big"


def _postfix(element: Any) -> Sequence[Any]:
    return element.children[1:] if isinstance(element, Tree) and element.data == "element" else ()


def _function(head: Any, scope: Scope) -> Callable[..., Expression]:
    name = str(_base(head))
    power = None
    below = None
    for p in _postfix(head):
        if p.data == "power":
            power = exponent(p, scope)
        elif p.data == "below":
            below = p
        else:
            raise refuse(f"{name} has no argument", head)

    def make(*arguments: Expression) -> Expression:
        if name == "Phi" and power == number(-1):
            scope.say("Phi^-1 is the quantile function, the inverse of Phi")
            return call(QUANTILE, *_counted(name, arguments, head))
        e = function(name, arguments, head, scope, below)
        return e if power is None else binary("pow", e, power)

    if power is not None and power == number(-1) and name != "Phi":
        raise refuse(f"{name} to the power -1 has two readings, the inverse function and 1/{name}: write the one", head)
    return make


def function(name: str, arguments: Sequence[Expression], node: Any, scope: Scope, below: Any = None) -> Expression:
    """A named function of its arguments."""
    base: Expression | None = None
    if name in scope.quantities:
        return call(name, *arguments)
    if name in ("H", "harmonic"):
        if len(arguments) != 1:
            raise refuse("harmonic takes 1 argument", node)
        return _of_latex("harmonic")(arguments, scope)
    if below is not None:
        inner = below.children[2]
        if name == "log":
            base = bare(inner, scope)
        elif name == "kl" and bare(inner, scope) == number(2):
            scope.say("kl_2 is kl divided by log(2): relative entropy in bits")
            base = number(2)
        elif name == "d" or name == "d_eps":
            return function("d_eps", [*arguments, bare(inner, scope)], node, scope)
        else:
            raise refuse(f"{name} takes no index", node)
    if name == "ln":
        return call("log", *_counted(name, arguments, node))
    if name in ("log2", "log10"):
        name, base = "log", number(int(name[3:]))
    if name == "log1p":
        name, arguments = "log", [binary("add", ONE, *arguments)]
    if name in RECIPROCALS:
        return binary("div", ONE, function(RECIPROCALS[name], arguments, node, scope))
    if name in QUOTIENTS:
        return binary("div", *(function(word, arguments, node, scope) for word in QUOTIENTS[name]))
    if name in ("asinh", "acosh", "atanh"):
        return _inverse(name, *_counted("tanh", arguments, node))
    if name == "sgn":
        (e,) = _counted("abs", arguments, node)
        scope.say("sgn(0) is 0")
        return Expression("cases", (">", e, ZERO, ONE, Expression("cases", ("<", e, ZERO, number(-1), ZERO))))
    if name == "expm1":
        return binary("sub", function("exp", arguments, node, scope), ONE)
    if name not in FUNCTIONS:
        raise refuse(f"{name} is no function that is known here", node)
    e = call(name, *_counted(name, arguments, node))
    if name in ("factorial", "binom"):
        for a in arguments:
            if a.head == "var":
                scope.integers.add(a.args[0])
    if name == "log" and base is None and scope.tex:
        scope.say("log is the natural logarithm")
    return e if base is None else binary("div", e, call("log", base))


def _counted(name: str, arguments: Sequence[Expression], node: Any) -> Sequence[Expression]:
    """The arguments, if there are as many as the function takes."""
    allowed = FUNCTIONS["log" if name == "ln" else name]
    if len(arguments) not in allowed:
        wanted = f"{allowed[0]}" if len(allowed) == 1 else f"{allowed[0]} to {allowed[-1]}"
        raise refuse(f"{name} takes {wanted} argument{'s' * (wanted != '1')}, not {len(arguments)}", node)
    return arguments


def bare(items: Any, scope: Scope) -> Expression:
    """The expression of a list that holds one expression and nothing else."""
    if isinstance(items, Tree) and items.data == "items":
        if len(items.children) != 1:
            raise refuse("one formula is expected here", items)
        items = items.children[0]
    if isinstance(items, Tree) and items.data == "item":
        if len(items.children) != 1:
            raise refuse(f"a formula is expected here, not a comparison ({OF_A_LAW})", items)
        items = items.children[0]
    return expression(items, scope)


def _arguments(group: Any, scope: Scope) -> list[Expression]:
    inner = group.children[1]
    if isinstance(inner, Tree) and inner.data == "items":
        if any(isinstance(c, Token) and c.type == "AND" for c in inner.children):
            raise refuse("a formula is expected here, not a sentence", group)
        return [bare(c, scope) for c in inner.children if not isinstance(c, Token)]
    return [expression(inner, scope)]


def _group(node: Any, scope: Scope) -> Expression:
    inside = _arguments(node, scope)
    if len(inside) != 1:
        raise refuse("a list in brackets is no number", node)
    return inside[0]


def _no_list(node: Any, scope: Scope) -> Expression:
    raise refuse("a list in brackets is no number: it stands in norm, dot, det or trace", node)


def _element(node: Any, scope: Scope) -> Expression:
    if isinstance(node, Tree) and node.data == "element":
        base, posts = node.children[0], node.children[1:]
        if isinstance(base, Token) and base.type == "NAME":
            if str(base) in scope.squares and posts and posts[0].data == "power":
                if exponent(posts[0], scope) == number(2):
                    square = scope.squares[str(base)]
                    _free(names_in(square), scope, base)
                    return _postfixes(square, posts[1:], scope, node)
                raise refuse(f"only {base}^2 has a meaning here", node)
        if isinstance(base, Tree) and base.data == "abs" and posts[0].data == "below":  # ||x||_2
            if (inner := _bars_within(base)) is None:
                raise refuse("an index has no meaning behind one bar", node)
            base = inner
        if isinstance(base, Tree) and base.data == "norm":
            e, posts = _vectors(scope).bars(base, posts, scope)
            return _postfixes(e, posts, scope, node)
        if isinstance(base, Tree) and base.data == "call" and base.children[0] == "norm" and posts[0].data == "power":
            if exponent(posts[0], scope) == number(2) and "norm" not in scope.quantities:
                return _postfixes(_call(base, scope, square=True), posts[1:], scope, node)
        if isinstance(base, Tree) and base.data == "call" and _is_mean_of_difference(base) and posts[0].data == "power":
            asked = "is the power one of the mean, or of what stands in the brackets behind it?"
            if which(asked, str(base.children[0]), place(base), 2):
                inner = Tree("element", [Tree("group", base.children[1:]), *posts])
                opening, _, closing = base.children[1:]
                return _call(
                    Tree("call", [base.children[0], opening, Tree("items", [Tree("item", [inner])]), closing]), scope
                )
        return _postfixes(expression(base, scope), posts, scope, node)
    return expression(node, scope)


def _is_mean_of_difference(call: Any) -> bool:
    """Whether this is E(X - m): in E(X - m)^2 the power may stand within the mean."""
    name, opening, inside, _ = call.children
    body = inside.children[0].children[0] if name == "E" and opening.type == "LPAR" else None
    return isinstance(body, Tree) and body.data == "sum"


def _free(names: Iterable[str], scope: Scope, node: Any) -> None:
    """Refuses a definition with a letter that is bound where the definition is used: it is another number there."""
    for name in names:
        if name in scope.bound:
            raise refuse(f"{name} is bound in the statement and stands in a definition: choose another letter", node)


def _postfixes(e: Expression, posts: Sequence[Any], scope: Scope, node: Any, called: bool = False) -> Expression:
    powers: list[Expression] = []

    def raised(e: Expression) -> Expression:
        if not powers:
            return e
        exponent = powers[-1]
        for p in reversed(powers[:-1]):  # a^-b^c is a^(-(b^c))
            exponent = negative(binary("pow", p.args[0], exponent)) if p.head == "neg" else binary("pow", p, exponent)
        if e == Expression("const", ("e",)):  # how papers print exp, also of infinity
            return call("exp", exponent)
        return binary("pow", e, exponent)

    for p in posts:
        if p.data == "power":
            powers.append(exponent(p, scope))
        elif p.data == "bang" and p.children[0] == "_+":
            if powers:
                raise refuse("is the power, or what is raised, positive? Write brackets", node)
            e = call("max", e, ZERO)
        elif p.data == "bang":
            if powers or called:
                inner = raised(e)
                first = call("factorial", inner)
                other = e.args[1] if called and e.head == "call" else powers[-1] if powers else e
                second = (
                    Expression("call", (e.args[0], call("factorial", other)))
                    if called and e.head == "call"
                    else binary("pow", e, call("factorial", other))
                )
                e, called = either("the factorial", [first, second], node), False
                powers.clear()
                continue
            if e.head == "var":
                scope.integers.add(e.args[0])
            e = call("factorial", e)
        else:
            raise refuse("an index has no meaning here", p)
    return raised(e)


def exponent(node: Any, scope: Scope) -> Expression:
    signs = [c for c in node.children if isinstance(c, Token) and c.type in ("PLUS", "MINUS")]
    inner = node.children[-1]
    if isinstance(inner, Token) and inner.type == "RBRACE":
        return expression(node.children[2], scope)
    e = _element(inner, scope)
    return negative(e) if sum(s.type == "MINUS" for s in signs) % 2 else e


def _called_name(element: Any, bracket: Any, scope: Scope) -> Expression | None:
    """A name before a bracket, where it is a function; None where it is a factor."""
    name = str(_base(element))
    if not _base_is_group(bracket):
        return None
    if name in ("phi", "varphi") and scope.normal and name not in (*scope.known, *scope.bound, *scope.functions):
        values = _arguments(_base(bracket), scope)
        if len(values) != 1:
            raise refuse(f"{name} takes 1 argument", element)
        scope.say(f"{name} is the density of the normal law")
        density = binary("div", call("exp", negative(_half_square(values[0]))), call("sqrt", _TWO_PI))
        return _postfixes(density, _postfix(bracket), scope, bracket, called=True)
    if {name, name.rstrip("'")} <= {*scope.functions} and name[-1] == "'":
        raise refuse(f"is {name} the derivative, or the function that the text names so? Use another letter", element)
    if (defined := name if name in scope.functions else name.rstrip("'")) in scope.functions:
        values = _arguments(_base(bracket), scope)
        value = _defined_value(defined, values, element, scope)
        for _ in range(len(name) - len(defined)):
            if values[1:] or values[0].head != "var" or values[0].args[0] in scope.bound:
                raise refuse(f"a derivative is read at a letter, as in {name}(x)", element)
            value = Expression("diff", (value, values[0].args[0]))
        return _postfixes(value, _postfix(bracket), scope, bracket, called=True)
    if (value_of := _vectors(scope).VALUES.get(name)) and name not in scope.known:
        value = value_of(name[-3:], _base(bracket), scope)
        return _postfixes(value, _postfix(bracket), scope, bracket, called=True)
    if name in ("beta", "Beta", "B") and name not in scope.known and len(as_list(_base(bracket))) == 2:
        one, other = _arguments(_base(bracket), scope)
        scope.say(f"{name}(a, b) is the beta function, by gamma")
        value = binary("mul", call("gamma", one), call("gamma", other))
        value = binary("div", value, call("gamma", binary("add", one, other)))
        return _postfixes(value, _postfix(bracket), scope, bracket, called=True)
    if name == "C" and name not in scope.known and len(as_list(_base(bracket))) == 2:
        scope.say("C(n, k) is a binomial coefficient")
        value = call("binom", *_arguments(_base(bracket), scope))
        return _postfixes(value, _postfix(bracket), scope, bracket, called=True)
    if (entropy := _entropy(name, _base(bracket), element, scope)) is not None:
        return _postfixes(entropy, _postfix(bracket), scope, bracket, called=True)
    if len(as_list(_base(bracket))) > 1:
        meant = "write binom(n, k)" if name == "C" else f"say what {name}(x, y) = ... is, or write norm([x, y])"
        raise refuse(f"{name} is no function that is read: {meant}", element)
    adjoins = scope.tex or place(bracket) == place(element) + len(name)
    if adjoins and re.fullmatch(r"[A-Za-z]{2,}", name) and name.lower() not in {*GREEK, "eps"}:
        meant = close_to(name, CALLED)
        near = f". Did you mean {meant}?" if meant else "."
        raise refuse(f"{name} is no function that is read{near} A product is written {name}*(...)", element)
    return None


def _entropy(name: str, bracket: Any, element: Any, scope: Scope) -> Expression | None:
    """h(p), or H_2(p), of a number of [0, 1] that has a range: the binary entropy, in nats or in bits."""
    stem, _, index = name.partition("_")
    if stem not in ("h", "H") or index not in ("", "2", "b") or {name, stem} & {*scope.known, *scope.bound}:
        return None
    letter = plain_name(bracket.children[1])
    given = scope.ranges.get(letter) if letter in ("p", "q") else None
    unit = given is not None and constant(given.low) >= 0 and constant(given.high) <= 1
    if not unit and (not index or as_list(bracket)):
        return None
    (p,) = _arguments(bracket, scope)
    if not all(n in scope.ranges for n in names_in(p)):
        return None
    asked = f"is {name} the binary entropy in nats or in bits? Say 'where {name} is the binary entropy in nats'"
    k = which(asked, name, 0, 2 + (index == "2"), of=f"what {name} is")
    what = ("the binary entropy in nats", "the binary entropy in bits", "the entropy of Renyi of order 2")[k]
    scope.say(f"{name} is {what}")
    other = binary("sub", ONE, p)
    if k == 2:
        return negative(call("log", binary("add", *(binary("pow", part, number(2)) for part in (p, other)))))
    value = binary("sub", negative(binary("mul", p, call("log", p))), binary("mul", other, call("log", other)))
    return value if k == 0 else binary("div", value, call("log", number(2)))


def _defined_value(name: str, values: Sequence[Expression], element: Any, scope: Scope) -> Expression:
    """The value of a function that the text defines."""
    parameters, body = scope.functions[name]
    if len(values) != len(parameters):
        raise refuse(f"{name} takes {len(parameters)} arguments", element)
    if scope.depth > 20:
        raise refuse(f"{name} is defined by itself", element)
    scope.depth += 1
    try:
        inner = replace(scope, bound=(*scope.bound, *parameters))
        inner.assumed, inner.integers = scope.assumed, scope.integers
        general = expression(body, inner)
        _free(set(names_in(general)) - set(parameters), scope, element)
        return put(general, dict(zip(parameters, values, strict=True)))
    finally:
        scope.depth -= 1


_TWO_PI = binary("mul", number(2), Expression("const", ("pi",)))


def _half_square(e: Expression) -> Expression:
    return binary("div", binary("pow", e, number(2)), number(2))


def _call(node: Any, scope: Scope, square: bool = False) -> Expression:
    name = str(node.children[0])
    inside = [c for c in node.children[2].children if not isinstance(c, Token)]
    if name in VECTORS and name not in scope.quantities:
        return _vectors(scope).called(name, inside, node, scope, square)
    if name == "P":
        return _laws(scope).probability(inside, node, scope)
    if name in ("E", "Var"):
        return (_laws(scope).mean if name == "E" else _laws(scope).variance)(inside, node, scope)
    if (between := scope.latex.two_laws.divergence(name, inside, scope)) is not None:
        return between
    if name == "int":
        index, low, high = _indexed(name, inside, node, scope)
        return _of_latex("gaussian")(index, low, high, bare(inside[0], within(scope, index)), node, scope)
    if name in ("sum", "prod"):
        return summed(name, *_indexed(name, inside, node, scope), inside[0], scope)
    if name in ("inf", "sup") or (name in BOUND_OF and any(_is_range(c) for c in inside[1:])):
        return _extremum(name, inside, node, scope)
    if name == "diff":
        if len(inside) != 2:
            raise refuse("diff takes a formula and a variable", node)
        by = bare(inside[1], scope)
        if by.head != "var":
            raise refuse("diff takes a formula and a variable", inside[1])
        return Expression("diff", (bare(inside[0], scope), by.args[0]))
    if name == "cases":
        return _cases(inside, node, scope)
    if name == "pieces":
        return _pieces(inside, node, scope)
    if name in ORDERS:
        raise refuse(f"{name}(...) stands alone on the right: f = {name}(g) as n -> inf", node)
    return function(name, [bare(c, scope) for c in inside], node, scope)


def _cases(inside: Sequence[Any], node: Any, scope: Scope) -> Expression:
    if len(inside) == 3:
        match inside[0].children:
            case [left, Tree(data="compare", children=[sign, right])] if sign != "~":
                return Expression(
                    "cases",
                    (str(sign), *(expression(e, scope) for e in (left, right)), *(bare(e, scope) for e in inside[1:])),
                )
    raise refuse("cases is written cases(x < y, what it is then, what it is otherwise)", node)


def _pieces(inside: Sequence[Any], node: Any, scope: Scope) -> Expression:
    """Values with their conditions, in turn: the last one is what is left, as "otherwise" or its condition says."""
    values = [bare(v, scope) for v in inside[::2]]
    conditions: list[list[tuple[Expression, str, Expression]]] = []
    for item in inside[1::2]:
        first, *links = item.children if isinstance(item, Tree) else [item]
        if not links or any(getattr(link, "data", "") != "compare" or link.children[0] == "~" for link in links):
            raise refuse("the condition of a case is a comparison", item)
        ends = [expression(e, scope) for e in (first, *(link.children[1] for link in links))]
        conditions.append([(a, str(link.children[0]), b) for a, link, b in zip(ends, links, ends[1:], strict=False)])
    if len(values) == len(conditions) and not _exclude_each_other(conditions):
        raise refuse("do the conditions of the cases leave nothing out, and exclude each other? Write otherwise", node)
    *_, rest = values
    for value, condition in zip(values[-2::-1], conditions[len(values) - 2 :: -1], strict=True):
        then = value
        for left, sign, right in reversed(condition):
            then = Expression("cases", (sign, left, right, then, rest))
        rest = then
    return rest


def _exclude_each_other(conditions: Sequence[Sequence[tuple[Expression, str, Expression]]]) -> bool:
    """Whether at each value of the one formula that all of them compare with numbers just one holds."""
    from banditproof.verify.judge.formulas.certain import _SIGNS
    from banditproof.verify.judge.formulas.formula import rational

    known: dict[Expression, list[list[tuple[str, Any]]]] = {}
    for condition in conditions:
        of: dict[Expression, list[tuple[str, Any]]] = {}
        for left, sign, right in condition:
            low, high = rational(left), rational(right)
            if low is not None:
                left, sign, high = right, FLIPPED.get(sign, sign), low
            of.setdefault(left if high is not None else binary("sub", left, right), []).append((sign, high or 0))
        for e, comparisons in of.items():
            known.setdefault(e, []).append(comparisons)
    if len(known) != 1 or len(next(iter(known.values()))) != len(conditions):
        return False
    ((_, all_of),) = known.items()
    cuts = sorted({c for comparisons in all_of for _, c in comparisons})
    between = [(a + b) / 2 for a, b in zip(cuts, cuts[1:], strict=False)]
    places = [cuts[0] - 1, *cuts, *between, cuts[-1] + 1]
    return all(sum(all(_SIGNS[s](x, c) for s, c in comparisons) for comparisons in all_of) == 1 for x in places)


def _indexed(name: str, inside: Sequence[Any], node: Any, scope: Scope) -> tuple[str, Expression, Expression]:
    """The index and the ends of sum(f, k=a..b), (f, k, a, b), (f, (k, a, b)), (f, k=a, b) and (f, k >= a)."""
    listed = inside[1:] if len(inside) != 2 else as_list(inside[1])
    if len(listed) == 3 and (index := plain_name(listed[0])):
        return index, bare(listed[1], scope), bare(listed[2], scope)
    links = [c for c in inside[1].children[1:] if isinstance(c, Tree)] if len(inside) > 1 else []
    if links and (index := plain_name(inside[1].children[0])) and links[0].children[0] == "==":
        ends = [*(link.children[1] for link in links), *inside[2:]]
        if [link.data for link in links] == ["compare", "dots"][: 4 - len(inside)] and len(ends) == 2:
            return index, expression(ends[0], scope), bare(ends[1], scope)
    if len(inside) != 2 or not links or name == "int":
        raise refuse(f"{name} is written {name}(f, k=a..b)", node)
    return _of_latex("ends")(name, Tree("items", [inside[1]]), None, node, scope)


def summed(name: str, index: str, low: Expression, high: Expression, body: Any, scope: Scope) -> Expression:
    """A sum or product over whole numbers, both ends included."""
    scope.integers |= {end.args[0] for end in (low, high) if end.head == "var"}
    inner = within(scope, index)
    least = scope.ranges.get(low.args[0], Bounds()).low if low.head == "var" else binary("sub", low, number(2))
    if not {*names_in(least), *names_in(high)} and float("-inf") < constant(high) <= constant(least):
        from banditproof.verify.judge.formulas.printing import plain

        runs = f"the {name} over {index} runs from {plain(low)} to {plain(high)}"
        raise Unread(f"{runs}: are its ends swapped?", index)

    def of(scope: Scope) -> Expression:
        return bare(body, scope) if isinstance(body, Tree | Token) else body(scope)

    try:
        return Expression(name, (index, low, high, of(inner)))
    except Unread:
        if not low.head == high.head == "num" or not 0 <= high.args[0] - low.args[0] < LARGEST_FAMILY:
            raise
    scope.say(f"the {'sum' if name == 'sum' else 'product'} over {index} is written out")
    counts = range(int(low.args[0]), int(high.args[0]) + 1)
    terms = [put(of(replace(inner, at={**inner.at, index: k})), {index: number(k)}) for k in counts]
    return reduce(lambda a, b: Expression("add" if name == "sum" else "mul", (a, b)), terms)


LARGEST_FAMILY = 6  # terms of a sum of p_1, p_2, ... that is written out


def within(scope: Scope, name: str) -> Scope:
    """The scope with one more bound name; what is assumed inside is said outside."""
    if name in CONSTANTS:
        raise Unread(f"{name} is a constant and cannot be an index", name)
    inner = replace(scope, bound=(*scope.bound, name))
    inner.assumed, inner.integers = scope.assumed, scope.integers
    return inner


def _extremum(name: str, inside: Sequence[Any], node: Any, scope: Scope) -> Expression:
    if len(inside) < 2:
        raise refuse(f"{name} is written {name}(f, x in [a, b]) or {name}(f, x > 0)", node)
    own = plain_name(inside[1])
    which = plain_name(inside[1].children[0])
    dotted = any(getattr(c, "data", "") == "dots" for c in inside[1].children)
    if (dotted and not is_count(which)) or (len(inside) == 4 and is_count(own)):
        raise refuse(f"is {which} a whole number here? Write {which} in {{a, ..., b}} or {which} in [a, b]", inside[1])
    if len(inside) > 2 and own and not any(map(has_links, inside[2:])):
        if len(inside) != 4:
            raise refuse(f"{name} is written {name}(f, x in [a, b]) or {name}(f, x, a, b)", node)
        body = bare(inside[0], within(scope, own))
        where = _from_to(own, bare(inside[2], scope), bare(inside[3], scope), body, scope)
        return extremum(name, own, where, body, node, scope)
    if len(inside) == 2 and own:
        body = bare(inside[0], within(scope, own))
        if (usual := usual_range(own, body, node, scope)) is not None:
            return extremum(name, own, usual, body, node, scope)
    ranged = Assumptions(scope)
    for item in inside[1:]:
        ranged.add(item, [])
    bound, where = ranged.only(node)
    return extremum(name, bound, where, bare(inside[0], within(scope, bound)), node, scope)


TOTAL = frozenset(
    "exp abs min max floor ceil Phi erf erfc sinh cosh tanh atan sin cos".split()
)  # functions of all reals


def has_value_for_all(e: Expression, moves: Callable[[Expression], bool]) -> bool:
    """Whether a formula has a value for all real numbers in the parts that move, by its form."""
    if e.head == "var" or not moves(e):
        return True
    inside = [a for a in e.args if isinstance(a, Expression)]
    if e.head in ("div", "pow"):
        of, by = inside
        if e.head == "pow" and of.head == "num" and of.args[0] > 0:
            return has_value_for_all(by, moves)
        whole = e.head == "div" or by.head == "num" and by.args[0] > 0 and by.args[0].denominator == 1
        return whole and not moves(by) and by != ZERO and has_value_for_all(of, moves)
    total = e.args[0] in TOTAL if e.head == "call" else e.head in ("neg", "add", "sub", "mul")
    return total and all(has_value_for_all(part, moves) for part in inside)


def usual_range(name: str, body: Expression, node: Any, scope: Scope) -> Range | None:
    """A range for a letter that has none, where the formula has a value for all numbers: each usual one is read."""
    if name not in REALS or name in scope.known or not has_value_for_all(body, lambda e: name in names_in(e)):
        return None
    why = f"no range of {name} is printed: write {name} in R, or {name} in [a, b]"
    k = 0 if _among_reals(scope) else which(why, first_token(node), place(node), 3)
    endless = Range(Expression("neg", (INFINITY,)), INFINITY, low_open=True, high_open=True)
    found = (endless, replace(endless, low=ZERO), Range(ZERO, ONE))[k]
    scope.say(f"no range of {name} is printed: {('all real numbers', 'all above 0', '[0, 1]')[k]}")
    return found


def _among_reals(scope: Scope) -> bool:
    """Whether some name of a statement is any real number, and none but counts lies between two ends."""
    reals = [bounds for bounds in scope.ranges.values() if not bounds.integer]
    ended = (bounds.high != INFINITY and bounds.low != Bounds().low for bounds in reals)
    return any(bounds.endless() for bounds in reals) and not any(ended)


def _from_to(name: str, low: Expression, high: Expression, body: Expression, scope: Scope) -> Range:
    """The range of inf(f, x, a, b): with its ends, but for those at which the formula has no value."""
    from banditproof.verify.judge.formulas.printing import plain

    infinite = [end for end in (low, high) if not list(names_in(end)) and abs(constant(end)) == float("inf")]
    without = [end for end in (low, high) if end in infinite or _has_no_value(body, name, end)]
    told = [plain(end) for end in without if end not in infinite]
    left = f" without {' and '.join(told)}, where there is no value" if told else ""
    scope.say(f"{name} runs from {plain(low)} to {plain(high)}{left or ', its ends included'}")
    if not {*names_in(low), *names_in(high)} and constant(low) > constant(high):
        raise _empty(name, low, high)
    return Range(low, high, low in without, high in without)


def _empty(name: str, low: Expression, high: Expression) -> Unread:
    """A range without a number in it: its ends may be in each other's place."""
    from banditproof.verify.judge.formulas.printing import plain

    swapped = ": are its ends swapped?" if constant(low) > constant(high) else ""
    return Unread(f"the range of {name} is empty, from {plain(low)} to {plain(high)}{swapped}", name)


def _has_no_value(body: Expression, name: str, end: Expression) -> bool:
    """Whether a formula has no value at an end, at several values of its other variables."""
    from banditproof.verify.judge.formulas.certain import NoValue, Unknown, value_at

    there = put(body, {name: end})
    for k in range(6):
        point = {n: Fraction(3 + 5 * k + 2 * i, 7 + 4 * i) for i, n in enumerate(dict.fromkeys(names_in(there)))}
        try:
            value_at(there, point)
        except NoValue:
            continue
        except (Unknown, OverflowError):
            return False
        return False
    return True


BOUND_OF = {"min": "inf", "max": "sup"}


def extremum(word: str, name: str, where: Range, body: Expression, node: Any, scope: Scope) -> Expression:
    """An infimum or supremum; a minimum or maximum is one that is reached, and refused where what jumps may not be."""
    bound = BOUND_OF.get(word, word)
    if word in BOUND_OF:
        if where.low_open or where.high_open:
            return Expression(bound, (name, replace(where, reached=True), body))
        if has(body, "floor", "ceil"):
            raise refuse(f"a {word}imum of what jumps: write {bound}", node)
        scope.say(f"{word} over {name} is read as the {'infimum' if bound == 'inf' else 'supremum'}")
    return Expression(bound, (name, where, body))


def _is_range(item: Any) -> bool:
    links = item.children[1:] if isinstance(item, Tree) else ()
    return any(isinstance(c, Tree) and c.data in ("member", "compare") for c in links)


def plain_zero(node: Any) -> bool:
    """Whether a formula is 0."""
    while isinstance(node, Tree) and len(node.children) == 1:
        node = node.children[0]
    return isinstance(node, Token) and node == "0"


def plain_name(node: Any) -> str:
    """The name, if the formula is a single name; otherwise nothing."""
    while isinstance(node, Tree) and len(node.children) == 1:
        node = node.children[0]
    return str(node) if isinstance(node, Token) and node.type == "NAME" else ""


def _bars(name: str) -> Callable[[Tree, Scope], Expression]:
    return lambda node, scope: call(name, expression(node.children[1], scope))


def _abs(node: Any, scope: Scope) -> Expression:
    inner = _bars_within(node)
    if inner is not None and _vectors(scope).entries(inner.children[1], scope) is not None:
        return _vectors(scope).bars(inner, (), scope)[0]
    return _bars("abs")(node, scope)


def _bars_within(node: Any) -> Any:
    """The norm that ||x|| is, as far as its bars tell."""
    inner = node.children[1]
    while isinstance(inner, Tree) and len(inner.children) == 1:
        inner = inner.children[0]
    return Tree("norm", inner.children) if isinstance(inner, Tree) and inner.data == "abs" else None


def _extreme(node: Any, scope: Scope) -> Expression:
    """Numbers with signs between them that stand for the larger or the smaller one."""
    signs = {str(sign) for sign in node.children[1::2]}
    if len(signs) > 1 or any(_is_function(e) or _is_big(e) for run in node.children[:-1:2] for e in _elements(run)):
        raise refuse("how far does this sign reach? Write brackets", node)
    return call("max" if signs.pop() == "\\vee" else "min", *(expression(c, scope) for c in node.children[::2]))


_FORMULAS: dict[str, Callable[[Any, Scope], Expression]] = {
    "sum": _sum,
    "term": _term,
    "signed": lambda node, scope: product([("TIMES", _elements(node), _minus(node), node)], scope),
    "run": lambda node, scope: product([("TIMES", node.children, 0, node)], scope),
    "element": _element,
    "group": _group,
    "abs": _abs,
    "norm": lambda node, scope: _vectors(scope).bars(node, (), scope)[0],
    "vector": _no_list,
    "extreme": _extreme,
    "floor": _bars("floor"),
    "ceil": _bars("ceil"),
    "call": _call,
    "items": bare,
    "item": bare,
    "big": lambda node, scope: _of_latex("big")(node, (), (), scope),
    **{name: _of_latex(name) for name in ("frac", "binom", "root")},
}


# Ranges and assumptions


@dataclass
class Bounds:
    """What is printed of one variable."""

    low: Expression = Expression("neg", (INFINITY,))
    high: Expression = INFINITY
    low_open: bool = True
    high_open: bool = True
    integer: bool = False
    real: bool = False
    natural: bool = False  # from 1 on, where no other lower end is printed
    by_sign: bool = True  # nothing but signs of comparison
    wider: bool = False  # an end was printed that allows more than another one does

    def endless(self) -> bool:
        """Whether no end is printed."""
        return self.low == Expression("neg", (INFINITY,)) and self.high == INFINITY

    def above(self, value: Expression, open_: bool) -> None:
        """Narrows the lower end."""
        here, there = constant(value), constant(self.low)
        if here > there or (here == there and open_):
            self.low, self.low_open = value, open_ or here == -float("inf")
        elif here < there or not open_ and self.low_open and there > -float("inf"):
            self.wider = True

    def below(self, value: Expression, open_: bool) -> None:
        """Narrows the upper end."""
        here, there = constant(value), constant(self.high)
        if here < there or (here == there and open_):
            self.high, self.high_open = value, open_ or here == float("inf")
        elif here > there or not open_ and self.high_open and there < float("inf"):
            self.wider = True


def _exact(e: Expression, value: float) -> Fraction | float:
    """The value of an end of a range, exactly where it is rational."""
    from banditproof.verify.judge.formulas.certain import NoValue, Unknown, value_at

    try:
        known = value_at(e, {})
    except (NoValue, Unknown, OverflowError):
        return value
    return known if isinstance(known, Fraction) else value


def constant(e: Expression) -> float:
    """The value of a formula without variables as a float, to compare ends of ranges with."""
    import math

    if e.head == "num":
        return float(e.args[0])
    if e.head == "const":
        return {"pi": math.pi, "e": math.e, "euler": 0.5772156649015329, "inf": math.inf}[e.args[0]]
    if e.head in ("neg", "add", "sub", "mul", "div", "pow"):
        a = [constant(x) for x in e.args]
        try:
            match e.head:
                case "neg":
                    return -a[0]
                case "add":
                    return a[0] + a[1]
                case "sub":
                    return a[0] - a[1]
                case "mul":
                    return a[0] * a[1]
                case "div":
                    return a[0] / a[1]
                case "pow":
                    return math.pow(a[0], a[1])
        except (ZeroDivisionError, ValueError, OverflowError):
            raise Unread("the end of a range has no value") from None
    functions = {"exp": math.exp, "log": math.log, "sqrt": math.sqrt, "abs": abs, "max": max, "min": min}
    if e.head == "call" and e.args[0] in functions:
        try:
            return functions[e.args[0]](*map(constant, e.args[1:]))
        except (ValueError, OverflowError):
            raise Unread("the end of a range has no value") from None
    raise Unread("the end of a range is a number or made of numbers by + - * / ^ exp log sqrt")


def is_count(name: str) -> bool:
    """Whether a letter stands for counts as often as for reals."""
    return name.split("_")[0].rstrip("'0123456789") in COUNTED


def _is_side(name: str, first: Any, links: Sequence[Any]) -> bool:
    return name in map(plain_name, (first, *(link.children[1] for link in links if link.data == "compare")))


def _beside(name: str) -> set[str]:
    """Letters next to a letter, which are named together: b and c after a."""
    return {chr(ord(name) + k) for k in (1, 2)} if len(name) == 1 else set()


class Assumptions:
    """The ranges, conditions and definitions of a statement, collected from its parts."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.bounds: dict[str, Bounds] = {}
        self.conditions: list[Sentence] = []
        self.values: dict[str, Expression] = {}  # at eta = ...
        self.goes: tuple[str, Expression, int] | None = None
        self.waiting: list[tuple[Any, Sequence[str]]] = []  # names that the next part gives a range
        self.related: set[str] = set()  # names that a condition bounds by a formula
        self.unequal: set[str] = set()  # names of which one value is left out, x != 0
        self.in_sets: set[str] = set()  # names that stand at the ends of sets in braces
        self.implied: dict[str, list[tuple[Expression, str]]] = {}  # 1 <= k <= n says that n >= 1
        self.bare: list[Any] = []  # names without a range of their own
        self.unsaid: dict[str, Any] = {}  # of these, those that may be any real number, "for all x"
        self.large = ""  # the name that is sufficiently large
        self.sides: list[str] = []  # of a triangle

    def of(self, name: str) -> Bounds:
        """The bounds of a name."""
        if name in CONSTANTS:
            raise Unread(f"{name} is a constant and has no range", name)
        return self.bounds.setdefault(name, Bounds())

    def list(self, items: Any) -> None:
        """Takes every part of a list."""
        for item in items.children:
            if not isinstance(item, Token):
                self.add(item)
        self.close()

    def close(self) -> None:
        """Names that stand alone at the end have the range that their marks say, if any."""
        for node, marks in self.waiting:
            if plain_name(node) in self.scope.vectors:
                continue
            if marks:
                self._mark(plain_name(node), marks)
            else:
                self.bare.append(node)
        self.waiting = []

    def ranged(self) -> None:
        """A name that stands alone has the range of another part, "for any x with |x| <= 1", or is one of REALS."""
        for node in self.bare:
            name = plain_name(node)
            if name in {*self.bounds, *self.related, *self.implied}:
                continue
            if name.split("_")[0] not in REALS and not is_count(name):
                raise refuse(NO_RANGE.format(name), node)
            self.unsaid[name] = node
        if sides := [variable(name) for name in dict.fromkeys(self.sides)]:
            if len(sides) != 3:
                raise Unread("a triangle has three sides: for the sides a, b, c of a triangle", self.sides[0])
            for side, one, other in (sides, sides[1:] + sides[:1], sides[2:] + sides[:2]):
                self.conditions.append(Compare(side, "<", binary("add", one, other)))

    def _mark(self, name: str, marks: Sequence[str]) -> None:
        bounds = self.of(name)
        for mark in marks:
            if mark in ("integer", "whole", "natural", "even", "odd"):
                bounds.integer, bounds.by_sign = True, False
                bounds.natural = bounds.natural or mark == "natural"
            if mark in ("even", "odd"):
                twice = binary("mul", number(2), call("floor", binary("div", variable(name), number(2))))
                parity = twice if mark == "even" else binary("add", twice, ONE)
                self.conditions.append(Compare(variable(name), "==", parity))
            if mark in ("definite", "semidefinite"):
                raise Unread(f"of {name} the entries are not printed: write A = [[a, b], [b, c]]", name)
            if mark == "real":
                bounds.real = True
            if mark == "triangle":
                self.sides.append(name)
            if mark in ("integer", "positive", "triangle"):
                bounds.above(ONE if mark == "integer" else ZERO, mark != "integer")
            if mark == "nonnegative":
                bounds.above(ZERO, False)
            if mark in ("negative", "nonpositive"):
                bounds.below(ZERO, mark == "negative")
            if mark == "large":
                if self.large:
                    raise Unread(f"{self.large} and {name} are large: is one of them larger than the other?", name)
                self.large = name
                self._compare(variable(name), ">=", variable(f"{name}_0"), Token("NAME", name))

    def add(self, item: Any, _: Any = None) -> None:
        """Takes one part: a range, a definition or a condition."""
        marks: Sequence[str] = [str(c) for c in item.children if isinstance(c, Token) and c.type == "MARK"]
        inner = [c for c in item.children if not (isinstance(c, Token) and c.type == "MARK") and c is not None]
        first: Any = inner[0]
        links: list[Any] = inner[1:]
        if {"<", ">"} <= {str(link.children[0])[:1] for link in links if link.data == "compare"}:
            raise refuse("a chain of comparisons goes one way: write two conditions", item)
        behind = getattr(item.children[-1], "type", "") == "MARK"
        if marks and behind and "each" in marks:  # "x and y are positive"
            self.waiting = [(node, own or marks) for node, own in self.waiting]
        elif marks == ["real"] and behind and not links:  # "x, y real"
            self.waiting = [(node, own or marks) for node, own in self.waiting]
        elif marks and not behind and links and (bare := next((n for n, own in self.waiting if not own), None)):
            raise refuse(NO_RANGE.format(plain_name(bare)), bare)
        elif marks and not behind and links and any({*own} ^ {*marks} for _, own in self.waiting):
            self.close()  # "for real x, integer n >= 1"
        elif (
            marks
            and not behind
            and links
            and any(isinstance(own, list) and "each" not in own for _, own in self.waiting)
        ):
            there = plain_name(self.waiting[-1][0])  # "real x, real y <= 1"
            if not which(f"is this said of {there} too? Write one range for each", first_token(first), place(first), 2):
                self.close()
        elif not marks and links and self.waiting and (before := self.waiting[-1][1]):
            if [*before] == ["real"] and plain_name(first)[:1] not in COUNTED | ASKED:
                told = sum(isinstance(own, list) for _, own in self.waiting)  # "real x, real y, b > 0"
                here, there = plain_name(first), plain_name(self.waiting[-1][0])
                if told < 2 and here and here in _beside(there):  # "real a, b > 0"
                    marks = before
                elif told < 2 and here:  # "real x, p in (0, 1)"
                    asked = f"is this said of {there} too? Write one range for each"
                    if which(asked, first_token(first), place(first), 2):
                        marks = before
                    else:
                        self.close()
                else:
                    self.close()
            elif "each" not in before and any(_is_side(plain_name(n), first, links) for n, _ in self.waiting):
                self.close()  # "for n integer, 1 <= n <= 9"
            elif {"natural", "integer"} & {*before} and "each" not in before and not is_count(plain_name(first)):
                self.close()  # "for count k, eps > 0"
            elif "each" not in before and {*before} == {"real"} and not is_count(plain_name(first)):
                self.close()  # "for mu real and s > 0"
            elif "each" not in before:
                asked = f"is {first_token(first)} {before[0]} too? Say it once more, or in the plural"
                if which(asked, first_token(first), place(first), 2):
                    marks = list(before)
                else:
                    self.close()
            else:
                marks = list(before)
        if not links:
            if plain_name(first) in self.scope.vectors and marks:
                self.of_entries(first, marks)
                if "each" in marks:  # "probability vectors p, q in R^3"
                    self.waiting.append((first, marks))
            elif "probability" in marks:
                self._probabilities(first)
            elif group := sentence_in_brackets(first):
                self.list(group)
            elif plain_name(first) or marks:
                if not plain_name(first):
                    raise refuse("a name is expected here", first)
                if self.waiting and self.waiting[-1][1] and not marks:
                    marks = tuple(self.waiting[-1][1])
                self.waiting.append((first, marks))
                if behind and "each" in marks:
                    self.close()
            else:
                raise refuse("an assumption is a range or a comparison", first)
            return
        if self._defined(first, links):
            return
        kinds = {link.data for link in links}
        if len(links) == 1 and kinds == {"compare"} and links[0].children[0] in _vectors(self.scope).LOEWNER:
            sign, right = links[0].children
            return self.in_loewner_order(first, sign, right, item)
        names = [(plain_name(n), m) for n, m in self.waiting]
        if [link.data for link in links] == ["compare", "member"] and plain_name(first) in self.scope.vectors:
            links = links[1:]  # x = (a, b) in R^2, whose entries are known
            kinds = {"member"}
        if kinds == {"goes"} and len(links) == 1:
            if other := [m for m in marks if m not in ("integer", "whole", "natural", "real", "each")]:
                raise refuse(f"a limit over {other[0]} numbers is not read", first)
            if {"integer", "whole", "natural"} & {*marks}:
                self.scope.integers.add(plain_name(first))
            self._goes(first, links[0])
        elif kinds == {"member"} or kinds == {"member", "compare"} and links[-1].data == "member":
            self._member(first, links, names, marks)
        elif kinds == {"compare"} or kinds == {"compare", "dots"}:
            self._chain([first, *(link.children[1] for link in links)], links, names, marks)
        else:
            raise refuse("an assumption is a range or a comparison", first)
        self.waiting = []

    def of_entries(self, name: Any, marks: Sequence[str]) -> None:
        """Takes what is said of a vector or matrix by its entries."""
        if plain_name(name) not in self.scope.vectors:
            return
        for mark in dict.fromkeys(marks):
            if order := _vectors(self.scope).DEFINITE.get(mark):
                self.in_loewner_order(name, order, Token("NUMBER", "0"), name)
            elif mark == "probability":
                self._probabilities(self.scope.vectors[plain_name(name)])
            elif mark != "each":
                raise refuse(f"{mark} is said of numbers, and {plain_name(name)} is none", name)

    def in_loewner_order(self, left: Any, sign: Any, right: Any, node: Any) -> None:
        """Takes an order of matrices, whose entries are real numbers."""
        for c in _vectors(self.scope).in_order(left, str(sign), right, node, self.scope):
            for entry in names_in(c.left):
                self.of(entry).real = True
            self._compare(c.left, c.sign, c.right, node)

    def _probabilities(self, first: Any) -> None:
        """probability vectors (p, q, r): numbers of [0, 1] whose sum is 1."""
        named = isinstance(first, list)  # the entries of p in R^3
        names = [e.args[0] for e in first] if named else names_of_group(first)
        if len(names) < 2:
            raise refuse("the entries of a vector stand in brackets: (p, q, r)", first)
        for name in names:
            self._end(name, ZERO, False, True)
            self._end(name, ONE, False, False)
        total = variable(names[0])
        for name in names[1:]:
            total = Expression("add", (total, variable(name)))
        self.conditions.append(Compare(total, "==", ONE))

    def _defined(self, first: Any, links: Sequence[Any]) -> bool:
        """h(p) = ... and H^2 = ... are definitions, if the name has no range, and H never stands without its square."""
        if len(links) == 1 and links[0].data == "compare" and links[0].children[0] == "~":
            return self._law(first, links[0].children[1])
        if len(links) != 1 or links[0].data != "compare" or links[0].children[0] != "==":
            return False
        if (name := plain_name(first)) and as_list(links[0].children[1]):
            if name in self.scope.vectors or name in self.bounds or name in CONSTANTS:
                raise refuse(f"{name} is given twice", first)
            self.scope.vectors[name] = links[0].children[1]
            return True
        name, parameters = called_names(first)
        if name and parameters and name not in self.scope.known and name not in self.bounds:
            self.scope.functions[name] = (parameters, links[0].children[1])
            return True
        if self._means(first, links[0].children[1]):
            return True
        stem, _, index = plain_name(first).rpartition("_")
        if stem and index.isalpha() and _speaks(links[0].children[1], index):  # a_k = 1/k
            if f"{stem}_" in self.scope.functions:
                raise refuse(f"{plain_name(first)} is given twice", first)
            if {plain_name(first), index} & {*self.scope.known, *self.bounds}:
                return False
            self.scope.functions[f"{stem}_"] = ([index], links[0].children[1])
            return True
        if name := squared_name(first):
            if name in self.scope.squared and name not in self.scope.known and name not in self.bounds and name != "e":
                self.scope.squares[name] = expression(links[0].children[1], self.scope)
                return True
        return False

    def _means(self, first: Any, said: Any) -> bool:
        """Whether an equation says of kl, or Phi, what it means here; another meaning that it may say is refused."""
        sign, parameters = signed_names(first)
        if sign not in MEANT or not parameters or len({*parameters}) < len(parameters):
            return False
        inner = replace(self.scope, bound=(*self.scope.bound, *parameters))
        value = expression(said, inner)
        if not {*parameters} <= {*names_in(value)} or value.head == "call" and value.args[0] == sign:
            return False
        if value in _printed(sign, *map(variable, parameters)):
            self.scope.kl_is_printed = self.scope.kl_is_printed or sign == "kl"
            self.scope.say(f"what is printed of {sign} is left out: it is what the sign means here")
            return True
        raise refuse(f"{sign} is {MEANT[sign]} here: give what you define another name", first)

    def _law(self, first: Any, law: Any) -> bool:
        """X ~ N(mean, variance) or X ~ Ber(p)"""
        name = plain_name(first)
        if not name or name in (*self.scope.laws, *self.scope.coins, *self.scope.others, *self.bounds):
            return False
        return _laws(self.scope).given(name, law, self.scope)

    def _goes(self, first: Any, link: Any) -> None:
        name = plain_name(first)
        if not name:
            raise refuse("a variable is expected before ->", first)
        side = next((1 if c == "+" else -1 for c in link.children if isinstance(c, Token) and c.type == "SIDE"), 0)
        self.goes = name, expression(link.children[1], self.scope), side

    def _member(self, first: Any, links: Sequence[Any], names: Any, marks: Sequence[str]) -> None:
        names = [*names, (plain_name(first), marks)]
        vector = names_of_group(first)
        if vector:
            names = [(n, marks) for n in vector]
        if any(not n for n, _ in names):
            raise refuse("a name is expected before 'in'", first)
        if len(links) > 1:
            for link in links[:-1]:
                raise refuse("a set is expected alone behind 'in'", link)
        member = links[0]
        more = [str(c) for c in member.children if isinstance(c, Token) and c.type == "MARK"]
        where = next((c for c in member.children if isinstance(c, Tree)), None)
        if where is not None and where.data == "product":
            return self.in_product([n for n, _ in names] if vector else [], where)
        for name, own in names:
            self.inside(name, where, [*own, *more] if where or more else [], bool(vector), len(vector))

    def in_product(self, names: Sequence[str], where: Any) -> None:
        """(x, y) lies in a product of sets: each name in its own."""
        sets = where.children[::2]
        if len(names) != len(sets):
            raise refuse("a product of sets needs as many names in brackets: (x, y) in [0, 1] x R", where)
        for name, side in zip(names, sets, strict=True):
            self.inside(name, side, [])

    def inside(self, name: str, where: Any | None, marks: Sequence[str], vector: bool = False, size: int = 0) -> None:
        """A name lies in a set."""
        if where is None:
            if not marks:
                raise Unread(f"where {name} lies is missing behind 'in': write for example '{name} in [0, 1]'", name)
            self._mark(name, marks)
            return
        if (out := where.children[-1]) is not None and getattr(out, "data", "") == "without":
            self.inside(name, Tree(where.data, where.children[:-1]), marks, vector, size)
            for value in out.children[2::2]:
                if vector or name in self.scope.vectors:
                    raise refuse("write what is left out as a condition", out)
                self._compare(variable(name), "!=", expression(value, self.scope), value)
            return
        power = next((c for c in where.children if isinstance(c, Tree) and c.data == "power"), None)
        if power is not None and not vector and (marks or where.data != "listed"):
            entries = _vectors(self.scope).named_entries(name, exponent(power, self.scope), where, self.scope)
            for entry in entries:
                own = [m for m in marks if m != "probability"]
                self.inside(entry, Tree(where.data, [c for c in where.children if c is not power]), own)
            if "probability" in marks:
                self._probabilities([variable(entry) for entry in entries])
            return
        if name in self.scope.vectors:
            raise refuse(f"{name} is a vector, and this is no set of vectors", where)
        if power is not None and (not vector or exponent(power, self.scope) != number(size)):
            raise refuse("a power of a set needs as many names in brackets", where)
        self._mark(name, marks)
        bounds = self.of(name)
        if where.data == "interval":
            bounds.by_sign = False
            opening, low, _, high, closing = where.children[:5]
            low, high = expression(low, self.scope), expression(high, self.scope)
            if high != INFINITY:  # n in [n_0, inf) asks for n_0
                self.in_sets.update(names_in(low))
            self._end(name, low, opening.type == "LPAR", True)
            self._end(name, high, closing.type == "RPAR", False)
            bounds.real = bounds.real or not bounds.integer
        elif where.data == "listed":
            self._listed(name, where)
        else:
            self._named(name, where)

    def _end_of_set(self, name: str, value: Expression, open_: bool, low: bool) -> None:
        """An end of a set in braces; a variable in it has a range of its own."""
        self.in_sets.update(names_in(value))
        self._end(name, value, open_, low)

    def _end(self, name: str, value: Expression, open_: bool, low: bool) -> None:
        if list(names_in(value)):
            sign = (">" if open_ else ">=") if low else ("<" if open_ else "<=")
            self.related.add(name)
            self.conditions.append(Compare(variable(name), sign, value))
        elif low:
            self.of(name).above(value, open_)
        else:
            self.of(name).below(value, open_)

    def _listed(self, name: str, where: Any) -> None:
        entries = [c for c in where.children if not (isinstance(c, Token) and c.type in ("LCURLY", "RCURLY", "COMMA"))]
        dots = [i for i, c in enumerate(entries) if isinstance(c, Token) and c.type == "DOTS"]
        values = [expression(c, self.scope) for i, c in enumerate(entries) if i not in dots and c is not None]
        bounds = self.of(name)
        bounds.integer, bounds.by_sign = True, False
        if not all(v.head == "num" for v in values[: -1 if dots else None]) or any(
            v.args[0].denominator != 1 for v in values if v.head == "num"
        ):
            raise refuse("a set in braces holds whole numbers in a row: {1, ..., n}", where)
        steps = [v.args[0] for v in values if v.head == "num"]
        row = steps[: len(values) - 1] if dots else steps
        if any(b - a != 1 for a, b in zip(row, row[1:], strict=False)):
            raise refuse("a set in braces holds whole numbers in a row: {1, ..., n}", where)
        self._end_of_set(name, values[0], False, True)
        if not dots or dots[-1] != len(entries) - 1:
            self._end_of_set(name, values[-1], False, False)

    def _named(self, name: str, where: Any) -> None:
        bounds, word = self.of(name), str(where.children[0])
        if word in ("N", "N_1", "N_+", "Z_+", "Z_{>0}", "N_{>0}", "N_{+}"):
            bounds.integer = True
            bounds.above(ONE, False)
            if word == "N":
                self.scope.say("N is 1, 2, 3, ...")
        elif word in ("N_0", "Z_{>=0}"):
            bounds.integer = True
            bounds.above(ZERO, False)
        elif m := re.fullmatch(r"[NZ]_{(>=?)(\d+)}", word):
            bounds.integer = True
            bounds.above(number(int(m[2])), m[1] == ">")
        elif word == "Z":
            bounds.integer = True
        elif word in ("R", "reals"):
            bounds.real = True
        elif word in ("R_+", "R_{+}", "R_{>=0}"):
            bounds.real = True
            bounds.above(ZERO, word == "R_{>0}")
            if word != "R_{>=0}":
                self.scope.say("R_+ is the numbers from 0 on, 0 included")
        elif word in ("R_{>0}", "R_{++}"):
            bounds.real = True
            bounds.above(ZERO, True)
        else:
            raise refuse(f"{word} is no set that is known here", where)
        bounds.by_sign = False

    def _chain(self, sides: Sequence[Any], links: Sequence[Any], names: Any, marks: Sequence[str]) -> None:
        own = plain_name(sides[0])
        if names and not own:
            raise refuse("a name is expected here", sides[0])
        if len(links) == 2 and links[1].data == "dots":  # n = 1..10
            self._mark(own, ["whole"])
            for name in [*(n for n, _ in names), own]:
                self.of(name).integer, self.of(name).by_sign = True, False
                self._end(name, expression(sides[1], self.scope), False, True)
                self._end(name, expression(sides[2], self.scope), False, False)
            return
        if marks:
            least = len(sides) == 2 and links[0].children[0] in (">", ">=")  # of "integers n >= n_0" n is the one
            middle = [n for s in sides[: 1 if least else None] if (n := plain_name(s)) and n not in CONSTANTS]
            if not middle:
                raise refuse("a name is expected here", sides[0])
            for name in middle if "each" in marks else middle[:1]:
                self._mark(name, marks)
        for name, more in names:
            self._mark(name, more if more else marks)
        built = [expression(s, self.scope) for s in sides]
        for i, link in enumerate(links):
            if link.data == "dots":
                raise refuse("'..' stands in k=a..b", link)
            left, sign, right = built[i], str(link.children[0]), built[i + 1]
            group = [variable(n) for n, _ in names] if i == 0 else []
            for one in [*group, left]:
                self._compare(one, sign, right, sides[i])
        self._imply(built, [str(link.children[0]) for link in links])

    def _imply(self, built: Sequence[Expression], signs: Sequence[str]) -> None:
        """What a chain a <= x <= y, or y >= x >= a, says of y, by its end that is a number."""
        if not list(names_in(built[-1])) and set(signs) <= {*FLIPPED}:
            built, signs = built[::-1], [FLIPPED[sign] for sign in signs[::-1]]
        names = built[1:]
        if len(names) < 2 or list(names_in(built[0])) or any(e.head != "var" for e in names):
            return
        if set(signs) <= {"<", "<="} or set(signs) <= {">", ">="}:
            sign = FLIPPED[next((s for s in signs if len(s) == 1), signs[0])]
            for e in names[1:]:
                self.implied.setdefault(e.args[0], []).append((built[0], sign))

    def take_implied(self, name: str) -> None:
        """Gives a name without a range of its own what chains say of it."""
        for value, sign in self.implied[name]:
            self._end(name, value, sign in "<>", sign in (">", ">="))

    def _compare(self, left: Expression, sign: str, right: Expression, node: Any) -> None:
        constant_side = next((e for e in (left, right) if e.head == "const" and e != INFINITY), None)
        if constant_side is not None and not [*names_in((left, right))]:
            raise refuse(f"{constant_side.args[0]} is a constant and has no range: choose another letter", node)
        if sign == "==" and left.head == "var" and left.args[0] not in names_in(right):
            self._value(left.args[0], right, node)
            return
        if right.head == "var" and sign in FLIPPED and left.head != "var":
            left, sign, right = right, FLIPPED[sign], left
        bars, end = (left, right) if sign in ("<", "<=") else (right, left)
        if sign in FLIPPED and bars.head == "call" and bars.args[0] == "abs" and bars.args[1].head == "var":
            name = bars.args[1].args[0]  # |x| <= c
            if not list(names_in(end)):
                self._end(name, negative(end), sign in "<>", True)
                self._end(name, end, sign in "<>", False)
                return
            self.related.add(name)
        if left.head == "var" and sign in FLIPPED:
            if not list(names_in(right)):
                self._end(left.args[0], right, sign in "<>", sign in (">", ">="))
                self.of(left.args[0])
                return
            self.related.add(left.args[0])
        if left.head == "var" and sign == "!=" and not list(names_in(right)):
            self.unequal.add(left.args[0])
        if sign not in SIGNS:
            raise refuse(f"{sign} is no assumption", node)
        self.conditions.append(Compare(left, sign, right))

    def _value(self, name: str, value: Expression, node: Any) -> None:
        if name in self.values:
            raise refuse(f"{name} is given two values", node)
        if name == "inf" or value == INFINITY:
            raise refuse("infinity is no value of a variable", node)
        self.values[name] = value

    def range_of(self, name: str) -> Range:
        """The range of a name from its bounds."""
        b = self.bounds[name]
        self._from_one(b)
        if b.by_sign and not b.real and not b.integer:
            self._whole_by_custom(name, b)
        low, high = constant(b.low), constant(b.high)
        empty = _empty(name, b.low, b.high)
        if b.wider:
            empty = Unread(f"the ranges of {name} have no number in common: write a statement for each", name)
        if b.integer:
            import math

            if math.isfinite(low):
                exact = _exact(b.low, low)
                n = math.floor(exact) + 1 if b.low_open or exact != math.floor(exact) else math.floor(exact)
                b.low, b.low_open, low = number(n), False, n
            if math.isfinite(high):
                exact = _exact(b.high, high)
                n = math.ceil(exact) - 1 if b.high_open or exact != math.ceil(exact) else math.ceil(exact)
                b.high, b.high_open, high = number(n), False, n
        if low > high or (low == high and (b.low_open or b.high_open)) or low == float("inf") or high == -float("inf"):
            raise empty
        return Range(b.low, b.high, b.low_open, b.high_open, b.integer)

    def _from_one(self, b: Bounds) -> None:
        if b.natural and b.low == Bounds().low:
            b.above(ONE, False)
            self.scope.say("a natural number is 1, 2, 3, ...")

    def _whole_by_custom(self, name: str, b: Bounds) -> None:
        ends = [e for e in (b.low, b.high) if e.head in ("num", "const") or e.head == "neg"]
        whole = len(ends) == 2 and all(e.head != "num" or e.args[0].denominator == 1 for e in ends)
        stem = name.split("_")[0].rstrip("'0123456789")
        if name in self.scope.integers:
            b.integer = True
            self.scope.say(f"{name} is a whole number")
        elif name in self.scope.reals:
            return
        elif whole and (
            stem in MEANS or self._beside_counts(b) if stem in COUNTED else stem in ASKED and _from_one_on(b)
        ):
            why = f"is {name} a whole number or a real one? Write integer {name} or real {name}"
            b.integer = which(why, name, -1, 2) == 0
            b.real = not b.integer
        elif stem in COUNTED and whole and not (b.low == ZERO and b.high == ONE):
            b.integer = True
            self.scope.say(f"{name} is a whole number (write real {name} if it is not)")

    def _beside_counts(self, b: Bounds) -> bool:
        """Whether a number is only said to be above 0, where others are said to be whole: "l > 0, integer n >= 1"."""
        above = b.low == ZERO and b.low_open and b.high != ONE
        return above and any(other.integer and not other.by_sign for other in self.bounds.values())

    def only(self, node: Any) -> tuple[str, Range]:
        """The single variable and its range, whose ends may hold other variables."""
        self.close()
        found = dict.fromkeys([*self.bounds, *self.related])
        names = [n for n in found if n not in self.scope.bound] or list(found)
        if len(names) != 1 or self.values or self.goes or self.bare:
            raise refuse("one variable with its range is expected here", node)
        name = names[0]
        b = self.of(name)
        self._from_one(b)
        if constant(b.low) > constant(b.high):
            raise _empty(name, b.low, b.high)
        r = Range(b.low, b.high, b.low_open, b.high_open, b.integer)
        for c in self.conditions:
            assert isinstance(c, Compare)
            if c.left != variable(name) or name in names_in(c.right):
                raise refuse("one variable with its range is expected here", node)
            if c.sign in (">", ">="):
                if r.low != Expression("neg", (INFINITY,)):
                    r = replace(r, low=call("max", r.low, c.right), low_open=r.low_open or c.sign == ">")
                else:
                    r = replace(r, low=c.right, low_open=c.sign == ">")
            elif r.high != INFINITY:
                r = replace(r, high=call("min", r.high, c.right), high_open=r.high_open or c.sign == "<")
            else:
                r = replace(r, high=c.right, high_open=c.sign == "<")
        return name, r


ASKED = frozenset("d l m t s B H L M S".split())


def _from_one_on(b: Bounds) -> bool:
    return b.low.head == "num" and b.low.args[0] >= 1 and not b.low_open


def sentence_in_brackets(node: Any) -> Any | None:
    """The list inside brackets, if it holds comparisons and not a formula."""
    while isinstance(node, Tree) and node.data in ("run", "element", "sum", "term") and len(node.children) == 1:
        node = node.children[0]
    if isinstance(node, Tree) and node.data == "group" and isinstance(node.children[1], Tree):
        items = node.children[1]
        given = items.children[::2] if items.data == "items" else []
        if given and has_links(given[-1]) and all(has_links(i) or plain_name(i) for i in given):
            return items
    return None


def has_links(item: Any) -> bool:
    """Whether a part of a list is more than a formula."""
    return any(isinstance(c, Tree) and c.data in ("compare", "member", "goes", "shaped", "dots") for c in item.children)


def called_names(node: Any) -> tuple[str, list[str]]:
    """f and x, y of f(x, y)."""
    if isinstance(node, Tree) and node.data == "run" and len(node.children) == 2:
        name, parameters = plain_name(node.children[0]), names_of_group(node.children[1])
        if name and parameters:
            return name, parameters
    return "", []


# Signs that have a meaning, which a definition may only repeat.
MEANT = {
    "kl": "the relative entropy of two Bernoulli laws, where 0 log 0 is 0,",
    "Phi": "the normal distribution function",
    "tv": "the distance in total variation of two Bernoulli laws",
}


def signed_names(node: Any) -> tuple[str, list[str]]:
    """kl and p, q of kl(p, q), where all arguments are names."""
    if isinstance(node, Tree) and node.data == "call":
        names = [plain_name(i) for i in node.children[2].children if not isinstance(i, Token)]
        return (str(node.children[0]), names) if all(names) else ("", [])
    if isinstance(node, Tree) and node.data == "run" and len(node.children) == 2:
        return str(node.children[0]), names_of_group(node.children[1])
    return "", []


def _printed(sign: str, *of: Expression) -> Sequence[Expression]:
    """The formulas that say what kl(p, q), or tv(p, q), is."""
    if len(of) != 2:
        return ()
    p, q = of
    if sign == "tv":
        return [call("abs", binary("sub", a, b)) for a, b in ((p, q), (q, p))]
    parts = [(p, q), (binary("sub", ONE, p), binary("sub", ONE, q))]
    summands = [binary("mul", a, call("log", binary("div", a, b))) for a, b in parts]
    return [binary("add", *summands), binary("add", *summands[::-1])] if sign == "kl" else ()


def names_of_group(node: Any) -> list[str]:
    """x, y of (x, y)."""
    while isinstance(node, Tree) and node.data in ("run", "element") and len(node.children) == 1:
        node = node.children[0]
    if not (isinstance(node, Tree) and node.data == "group" and isinstance(node.children[1], Tree)):
        return [n] if isinstance(node, Tree) and node.data == "group" and (n := plain_name(node.children[1])) else []
    if node.children[1].data != "items":
        return []
    names = [plain_name(i) for i in node.children[1].children if not isinstance(i, Token)]
    return names if all(names) else []


def squared_names(tree: Any) -> set[str]:
    """Names that stand as squares everywhere: their square may be a name for something."""
    standing = Counter(str(t) for t in tree.scan_values(lambda t: isinstance(t, Token) and t.type == "NAME"))
    squares = Counter(
        str(e.children[0])
        for e in tree.find_data("element")
        if len(e.children) > 1 and squared_name(Tree("element", e.children[:2]))
    )
    return {name for name, count in squares.items() if standing[name] == count}


def squared_name(node: Any) -> str:
    """H of H^2."""
    if isinstance(node, Tree) and node.data == "element" and len(node.children) == 2:
        power = node.children[1]
        if power.data == "power" and [str(t) for t in power.scan_values(bool)][1:] in (["2"], ["{", "2", "}"]):
            return plain_name(node.children[0])
    return ""
