"""Is a relation a plain formula? What is proved on boxes must be: a branch taken on a ball is taken for all of it.

flint compares balls with certainty and answers False where it is uncertain; SymPy compares by form; ``float`` or
``mid`` take one point for a whole ball; an int divided by an int is a float. None of this leaves a trace in the value,
so the source of a relation, and of the functions of its document that it calls, is read before it counts:

    BALLS      no comparison, no truth value, no conversion and no inner part of anything that depends on a variable;
               branches are written with ``where``, ``minimum`` and the like, which ``theory`` is made of too
    SYMBOLS    the same, but for orders: SymPy answers those only where they hold for all values, or raises
    EXACT      at single points whatever Python does with exact numbers may be done; what is rounded may not

and in all three no float literal, no quotient of whole numbers (write a Fraction) and no float of NumPy or ``math``.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from banditproof.verify.proof.compare import MACHINERY
from banditproof.verify.proof.domain import Everything
from banditproof.verify.proof.plain import syntax
from banditproof.verify.proof.plain.sealed import OF_EVERY_POINT
from banditproof.verify.proof.plain.values import counted, holds_a_float
from banditproof.verify.proof.plain.watching import rounding_at

BALLS, SYMBOLS, EXACT = "balls", "symbols", "exact numbers"

THEORY = "banditproof.theory"
_REVIEWED: dict[str, Any] = {BALLS: THEORY, SYMBOLS: (*MACHINERY, "sympy"), EXACT: MACHINERY}
SAME_AS_GIVEN = set("abs max min sum minimum maximum where absolute total".split())
ELEMENTARY = "banditproof.theory.numbers.numeric"  # gives a ball for whatever number it gets
OF_BRANCHES_THAT_MEET = {"joined", "hull"}  # of it; that their branches meet is tested where theory uses them
HARMLESS = set("abs enumerate len list range reversed sum system tuple zip".split())
UNTAINTED = set("len range system".split())  # what they return is no ball
OF_EXACT = HARMLESS | set(
    "all any bool dict divmod filter frozenset getattr int isinstance iter map max min next pow round set sorted "
    "tuple type Fraction F Counter".split()
)
WHOLE_MATH = set("ceil comb factorial floor gcd inf isqrt lcm perm prod".split())
ROUNDING = set("float complex str repr format hash id eval exec".split())
FLOATS = ("numpy", "math", "cmath", "scipy", "mpmath", "decimal", "statistics", "random")
METHODS = OF_EVERY_POINT | set("items keys values".split())
ASSUMED = set(
    "is_integer is_positive is_nonnegative diff subs numerator denominator".split()
)  # of all values, by SymPy
COLLECTS = {"append", "extend"}  # methods of a list, which then holds balls
DEEPEST = 8


def impurity(
    relation: Callable[..., Any],
    variables: Iterable[str],
    numbers: str = BALLS,
    whole: Iterable[str] = (),
    balls: Iterable[str] = (),
) -> str | None:
    """What in a relation does not hold for all the numbers it stands for, or None: 'line 3 compares x > 1 / 2'.

    Args:
        relation: the function that is read.
        variables: its parameters that balls, symbols or exact numbers are put for.
        numbers: which of the three: BALLS, SYMBOLS or EXACT.
        whole: its parameters that may be ints, the constants among them.
        balls: its parameters that are balls, where the others are exact.
    """
    return _of_function(relation, frozenset(variables), numbers, frozenset(whole), frozenset(balls), 0)


def at_points(
    relation: Callable[..., Any],
    domain: Any,
    constants: Mapping[str, Any],
    rational: bool,
    point: Mapping[str, Any] | None = None,
) -> str | None:
    """What in a relation is not exact when it is evaluated at single points of a domain, or None.

    The source does not show of everything whether it is an int; at a `point` it is seen whether a float comes about.
    """
    whole = {n for n, s in domain.variables if counted(s)} | {n for n, c in constants.items() if isinstance(c, int)}
    numbers = {n for n, s in domain.variables if not isinstance(s, Everything)} - whole
    numbers |= {n for n, c in constants.items() if isinstance(c, Fraction)}
    read = impurity(relation, {*domain.sets, *constants}, EXACT, whole, () if rational else numbers)
    return read or (rounding_at(relation, point, constants, rational) if point is not None else None)


def on_symbols(relation: Callable[..., Any], domain: Any, constants: Mapping[str, Any]) -> str | None:
    """What in a relation does not mean the same for symbols as for the numbers they stand for, or None."""
    return impurity(relation, domain.sets, SYMBOLS, {n for n, c in constants.items() if isinstance(c, int)})


@lru_cache(4096)
def _of_function(
    function: Callable[..., Any],
    tainted: frozenset[str],
    numbers: str,
    whole: frozenset[str],
    balls: frozenset[str],
    depth: int,
) -> str | None:
    if syntax.is_hidden(function):
        return f"{function.__name__} stands in a function that is not read"
    function = inspect.unwrap(function)
    if depth > DEEPEST:
        return f"{function.__name__} calls too deep to be read"
    tree = syntax.source(function)
    if isinstance(tree, str):
        return tree
    reader = _Reader(function, tainted, numbers, whole, balls, depth)
    reader.read(tree.body)
    return reader.found


class _Reader(ast.NodeVisitor):
    """Walks a function in order; ``found`` is the first impurity.

    ``tainted`` are the names that may hold what depends on a variable; ``whole`` those that may hold ints; ``balls``
    those that hold balls where others are exact.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        tainted: Iterable[str],
        numbers: str,
        whole: Iterable[str],
        balls: Iterable[str],
        depth: int,
    ) -> None:
        self.function, self.numbers, self.depth = function, numbers, depth
        self.tainted, self.whole, self.balls = set(tainted), set(whole), set(balls)
        self.local = syntax.local_imports(function)
        self.own_names = syntax.bound_within(function)
        self.found: str | None = None

    def depends(self, node: ast.AST | None) -> bool:
        """Whether what an expression gives may depend on a variable."""
        if node is None:
            return False
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in UNTAINTED:
            return self._is_own_function(self._called(node.func)) and any(map(self.depends, node.args))
        if isinstance(node, ast.Attribute) and self.numbers == SYMBOLS and node.attr.startswith("is_"):
            return False  # known of all values, or None
        if isinstance(node, ast.Name):
            return node.id in self.tainted
        return any(self.depends(child) for child in ast.iter_child_nodes(node))

    def holds_balls(self, node: ast.AST | None) -> bool:
        """Whether an expression may be a ball (or a symbol), so that Python must not ask it anything."""
        if self.numbers != EXACT:
            return self.depends(node)
        if node is None or syntax.asks_for_none(node):
            return False
        if isinstance(node, ast.Call) and self._named(node) not in SAME_AS_GIVEN:
            return self._gives_balls(node)
        if isinstance(node, ast.Name):
            return node.id in self.balls
        return any(self.holds_balls(child) for child in ast.iter_child_nodes(node))

    def _gives_balls(self, node: ast.Call) -> bool:
        """Whether what a call gives at an exact point may be a ball: what it is said to return, else its home."""
        called = self._called(node.func)
        returned = getattr(inspect.unwrap(called), "__annotations__", {}).get("return", "Any") if called else "Any"
        home = str(getattr(called, "__module__", ""))
        exact = not re.search(r"\b(Any|arb|float|object)\b", str(returned))
        if inspect.isclass(called) or exact or self._named(node) in OF_EXACT:
            return home == "flint"
        if self._is_own_function(called) and self.depth < DEEPEST and self._returns_balls(node, called):
            return True
        if isinstance(node.func, ast.Attribute) and called is None:
            return self.holds_balls(node.func.value)
        if home.startswith((THEORY, "flint")):
            return True
        return any(self.holds_balls(a) for a in (*node.args, *(k.value for k in node.keywords)))

    def _returns_balls(self, node: ast.Call, called: Any) -> bool:
        """Whether a function of the document gives balls for what is given to it."""
        bound, tree = self._given(node, called), syntax.source(inspect.unwrap(called))
        if bound is None or isinstance(tree, str):
            return True
        balls = [name for name, value in bound.items() if syntax.any_entry(value, self.holds_balls)]
        inner = _Reader(called, bound, EXACT, (), balls, self.depth + 1)
        inner.read(tree.body)
        return any(inner.holds_balls(part.value) for part in ast.walk(tree) if isinstance(part, ast.Return))

    def is_object(self, node: ast.AST) -> bool:
        """Whether an expression is an object of a reviewed class: what it is asked is that class's business."""
        if isinstance(node, ast.Attribute):
            return self.is_object(node.value)
        called = self._called(node.func) if isinstance(node, ast.Call) else None
        if called is None or not str(getattr(called, "__module__", "")).startswith(_REVIEWED[self.numbers]):
            return self._returns_a_formula(called)
        said = str(getattr(inspect.unwrap(called), "__annotations__", {}).get("return", "Any"))
        return inspect.isclass(called) or said in ("Self", "Formula") or (said[:1].isupper() and said != "Any")

    def _returns_a_formula(self, called: Any) -> bool:
        said = getattr(inspect.unwrap(called), "__annotations__", {}).get("return") if called else None
        return getattr(said, "__name__", said) == "Formula"

    def is_whole(self, node: ast.AST | None) -> bool:
        """Whether an expression may be an int."""
        if isinstance(node, ast.Constant):
            return type(node.value) is int
        if isinstance(node, ast.Name):
            return node.id in self.whole
        if isinstance(node, ast.BinOp):
            return not isinstance(node.op, ast.Div) and self.is_whole(node.left) and self.is_whole(node.right)
        if isinstance(node, ast.UnaryOp):
            return self.is_whole(node.operand)
        if isinstance(node, ast.IfExp):
            return self.is_whole(node.body) or self.is_whole(node.orelse)
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            return any(self.is_whole(entry) for entry in node.elts)
        if isinstance(node, ast.Dict):
            return any(self.is_whole(entry) for entry in node.values)
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
            return self.is_whole(node.elt)
        if isinstance(node, ast.Subscript | ast.Starred):
            return self.is_whole(node.value)
        if isinstance(node, ast.Call):
            return self._gives_whole(node)
        return False

    def _gives_whole(self, node: ast.Call) -> bool:
        name = self._named(node)
        if name in ("len", "range", "int", "round") or name in WHOLE_MATH - {"prod"}:
            return True
        if name in ("sum", "max", "min", "abs", "sorted", "list", "tuple", "reversed", "prod", "set", "pow"):
            return all(self.is_whole(a) for a in node.args) and bool(node.args)
        called = self._called(node.func)
        return getattr(called, "__annotations__", {}).get("return") in ("int", int)

    def _named(self, node: ast.Call) -> str:
        return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")

    def refuse(self, node: ast.AST, what: str) -> None:
        if self.found is None:
            shown = ast.unparse(node).splitlines()[0]
            self.found = f"{self.function.__name__} {what}: {shown[:80]}"

    def read(self, statements: Iterable[ast.stmt]) -> bool:
        """Visit statements in order; of a choice by ``system`` only the branch of these numbers. True: it returned."""
        for statement in statements:
            chosen = self._branch(statement)
            if chosen is None:
                self.visit(statement)
                returned = isinstance(statement, ast.Return)
            else:
                returned = self.read(chosen)
            if returned:
                return True
        return False

    def _branch(self, node: ast.stmt | ast.IfExp) -> Any:
        """The branch of ``if system(...) == SYMBOL`` that is taken, or None where it is no such choice.

        What is proved on symbols is said of numbers, so there the formula may not choose.
        """
        test = getattr(node, "test", None)
        if not isinstance(node, ast.If | ast.IfExp) or not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return None
        left, right = test.left, test.comparators[0]
        if not isinstance(left, ast.Call) or self._named(left) != "system" or not isinstance(right, ast.Name):
            return None
        if right.id != "SYMBOL" or self._is_own_function(self._called(left.func)):
            return None
        if self.numbers == SYMBOLS:
            self.refuse(test, "says one thing on symbols and another on numbers")
        equal = isinstance(test.ops[0], ast.Eq) == (self.numbers == SYMBOLS)
        return node.body if equal else node.orelse

    # -- what may not be

    def visit_Compare(self, node: ast.Compare) -> None:
        if any(isinstance(side, ast.Call) and self._named(side) == "system" for side in (node.left, *node.comparators)):
            self.refuse(node, "says one thing on some numbers and another on others")
        if self.holds_balls(node) and not syntax.asks_for_none(node) and not self._ordered_symbols(node):
            self.refuse(node, f"compares {self._them}")
        self.generic_visit(node)

    def _ordered_symbols(self, node: ast.AST) -> bool:
        """Orders of symbols, which SymPy decides for all their values or not at all."""
        orders = ast.Lt | ast.LtE | ast.Gt | ast.GtE
        return (
            self.numbers == SYMBOLS and isinstance(node, ast.Compare) and all(isinstance(o, orders) for o in node.ops)
        )

    @property
    def _them(self) -> str:
        return "balls" if self.numbers == EXACT else self.numbers

    def visit_If(self, node: Any) -> None:
        if self.holds_balls(node.test) and not syntax.asks_for_none(node.test) and not self._ordered_symbols(node.test):
            self.refuse(node.test, f"branches on {self._them}")
        self.generic_visit(node)

    visit_While = visit_Assert = visit_If

    def visit_IfExp(self, node: ast.IfExp) -> None:
        chosen = self._branch(node)
        if chosen is None:
            self.visit_If(node)
        else:
            self.visit(chosen)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        if any(
            self.holds_balls(v) and not self._ordered_symbols(v) and not syntax.asks_for_none(v) for v in node.values
        ):
            self.refuse(node, f"takes the truth value of {self._them}")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not) and self.holds_balls(node.operand):
            self.refuse(node, f"takes the truth value of {self._them}")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.Div) and self.is_whole(node.left) and self.is_whole(node.right):
            self.refuse(node, "divides whole numbers, which gives a float (write a Fraction)")
        if isinstance(node.op, ast.Pow) and self.is_whole(node.left) and self.is_whole(node.right):
            if any(isinstance(n, ast.Sub | ast.USub) for n in ast.walk(node.right)):
                self.refuse(
                    node, "may raise a whole number to a negative power, which gives a float (write a Fraction)"
                )
        if isinstance(node.op, ast.Pow) and self.numbers == EXACT and not self.holds_balls(node):
            if self._is_fraction(node.right):
                self.refuse(node, "takes a root of an exact number, which gives a float")
        if self.depends(node) and self.numbers != EXACT and any(map(self._is_own_object, (node.left, node.right))):
            self.refuse(node, "uses an operator that cannot be read")
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if self.numbers != EXACT and self.depends(node.slice):
            self.refuse(node, f"looks up {self._them}")
        self.generic_visit(node)

    def visit_Set(self, node: ast.Set | ast.Dict) -> None:
        if self.numbers != EXACT and any(map(self.depends, node.elts if isinstance(node, ast.Set) else node.keys)):
            self.refuse(node, f"tells {self._them} apart")
        self.generic_visit(node)

    visit_Dict = visit_Set

    def _is_own_object(self, node: ast.expr) -> bool:
        """Whether an expression names an object of the document's own, whose operators may do anything."""
        family = self.function.__module__.partition(".")[0]
        if isinstance(node, ast.Call):
            named = self._called(node.func)
            kind = named if inspect.isclass(named) else None
        else:
            named = self._called(node)
            kind = type(named)
        home = str(getattr(kind, "__module__", ""))
        return home.partition(".")[0] == family and not home.startswith(MACHINERY)

    def _is_fraction(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and self._called(node.func) is Fraction and len(node.args) == 2

    def visit_Try(self, node: ast.Try) -> None:
        self.refuse(node, "depends on what raises")

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, float):
            self.refuse(node, "holds a float (write a Fraction or a constant)")

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load) and node.id not in self.own_names:
            named = self._called(node)
            if holds_a_float(named):
                self.refuse(node, "holds a float (write a Fraction or a constant)")
            if isinstance(named, Iterator):
                self.refuse(node, "uses up what stands outside of it")

    def visit_FormattedValue(self, node: ast.FormattedValue) -> None:
        if self.holds_balls(node.value):
            self.refuse(node.value, f"writes out {self._them}")
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if holds_a_float(self._called(node)):
            self.refuse(node, "holds a float (write a Fraction or a constant)")
        if self.is_object(node.value):
            self.generic_visit(node)
            return
        known = METHODS | COLLECTS | (ASSUMED if self.numbers == SYMBOLS else set())
        if self.holds_balls(node.value) and node.attr not in known:
            self.refuse(node, f"looks into {self._them}")
        self.generic_visit(node)

    # -- where balls go

    def visit_Assign(self, node: ast.Assign) -> None:
        self._bind(node.targets, node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._bind([node.target], node.value)
        if node.value is not None:
            self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._bind([node.target], node.value)
        self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._bind([node.target], node.value)
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        self._bind_entries(node.target, node.iter)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self._bind_entries(node.target, node.iter)
        for test in node.ifs:
            if self.holds_balls(test):
                self.refuse(test, f"branches on {self._them}")
        self.generic_visit(node)

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp) -> None:
        for generator in node.generators:
            self.visit(generator)
        key = node.key if isinstance(node, ast.DictComp) else node.elt if isinstance(node, ast.SetComp) else None
        if self.numbers != EXACT and self.depends(key):
            self.refuse(node, f"tells {self._them} apart")
        self.generic_visit(node)

    visit_ListComp = visit_GeneratorExp = visit_SetComp = visit_DictComp = _comprehension

    def _bind_entries(self, target: ast.expr, given: ast.expr) -> None:
        """Bind what a loop takes from an iterable, of ``zip`` one by one."""
        zipped = isinstance(given, ast.Call) and self._named(given) == "zip"
        self._bind([target], ast.Tuple(given.args) if zipped and isinstance(given, ast.Call) else given)

    def _bind(self, targets: Iterable[ast.expr], value: ast.expr | None) -> None:
        for target in targets:
            if self.depends(value) and not syntax.roots(target) <= self.own_names:
                self.refuse(target, "keeps a value outside of itself")
            for bound, given in syntax.pairs(target, value):
                if self.depends(given):
                    self.tainted |= bound
                if self.is_whole(given):
                    self.whole |= bound
                if self.numbers == EXACT and self.holds_balls(given):
                    self.balls |= bound

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> None:
        self.refuse(node, "keeps a value outside of itself")

    visit_Nonlocal = visit_Global

    def visit_Match(self, node: ast.Match) -> None:
        if self.holds_balls(node.subject):
            self.refuse(node.subject, f"branches on {self._them}")
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.tainted |= syntax.parameters(node.args) | {node.name}
        self.generic_visit(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.tainted |= syntax.parameters(node.args)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        arguments = (*node.args, *(k.value for k in node.keywords))
        self._read_functions(arguments)
        given = [a for a in arguments if self.depends(a)]
        called = self._called(node.func)
        if self._rounds(node, called):
            self.refuse(node, "rounds to floats")
        if self.numbers == EXACT:
            self._call_of_exact(node, called)
            return
        name, home = (getattr(called, key, "") for key in ("__name__", "__module__"))
        if self.numbers == BALLS and home == ELEMENTARY and name in OF_BRANCHES_THAT_MEET:
            self.refuse(node, "joins branches that may not meet (write where)")
        method = isinstance(node.func, ast.Attribute) and self.depends(node.func.value)
        if not given and self._is_own_function(called):
            self._follow(node, called)
        if not given or method:
            return
        if (
            isinstance(node.func, ast.Attribute)
            and node.func.attr in COLLECTS
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id in self.own_names
        ):
            self.tainted.add(node.func.value.id)
            return
        decided = {"max", "min", "Fraction", "F"} if self.numbers == SYMBOLS else set()  # for all values, or they raise
        harmless = HARMLESS if not self._is_own_function(called) else set()
        if isinstance(node.func, ast.Name) and node.func.id in harmless | self.tainted | decided:
            return
        if self.numbers == SYMBOLS and self._named(node) in WHOLE_MATH | ASSUMED:
            return
        if called is None and isinstance(node.func, ast.Call) and self.is_object(node.func):
            return
        maker = self._called(node.func.func) if isinstance(node.func, ast.Call) else None
        if self.numbers == SYMBOLS and str(getattr(maker, "__module__", "")).startswith("sympy"):
            return
        if called is None:
            self.refuse(node, "calls what cannot be read")
        elif not str(getattr(called, "__module__", "")).startswith(_REVIEWED[self.numbers]):
            self._follow(node, called)

    def _rounds(self, node: ast.Call, called: Any) -> bool:
        """Whether a call gives floats or texts for numbers: ``float``, and what NumPy and ``math`` do."""
        if self._named(node) in ROUNDING and (called is None or getattr(called, "__module__", "") == "builtins"):
            return any(self.depends(a) for a in node.args)
        home = str(getattr(called, "__module__", "") or "").partition(".")[0]
        if home == "numpy" and getattr(called, "__name__", "") == "default_rng":
            return False  # draws data
        return home in FLOATS and not (home == "math" and called.__name__ in WHOLE_MATH)

    def _call_of_exact(self, node: ast.Call, called: Any) -> None:
        """Functions of the document are read too; those of the rooms below are tested where they stand."""
        if self._is_own_function(called):
            self._follow(node, called)

    def _is_own_function(self, called: Any) -> bool:
        home = str(getattr(called, "__module__", "") or "")
        family = self.function.__module__.partition(".")[0]
        reviewed = home.startswith(_REVIEWED[self.numbers])
        return inspect.isfunction(called) and home.partition(".")[0] == family and not reviewed

    def _called(self, func: ast.expr) -> Any:
        """The object that a call names, through modules."""
        if isinstance(func, ast.Attribute):
            owner = self._called(func.value)
            return getattr(owner, func.attr, None) if inspect.ismodule(owner) or inspect.isclass(owner) else None
        if not isinstance(func, ast.Name):
            return None
        if func.id in self.local:
            return self.local[func.id]
        closure = inspect.getclosurevars(inspect.unwrap(self.function))
        for names in (closure.nonlocals, self.function.__globals__, vars(builtins)):
            if func.id in names:
                return names[func.id]
        return None

    def _read_functions(self, arguments: Iterable[ast.expr]) -> None:
        """Functions of the document that are handed on will be called with what depends on a variable."""
        family = self.function.__module__.partition(".")[0]
        named = [a for a in arguments if isinstance(a, ast.Name) and a.id not in self.tainted]
        for handed in map(self._called, named):
            home = str(getattr(handed, "__module__", ""))
            if getattr(handed, "__name__", "") in ROUNDING and home == "builtins" or home.partition(".")[0] in FLOATS:
                self.found = self.found or f"{self.function.__name__} hands on {handed.__name__}, which rounds"
            if inspect.isfunction(handed) and home.partition(".")[0] == family and self.found is None:
                if not home.startswith(_REVIEWED[self.numbers]):
                    every = frozenset(inspect.signature(handed).parameters)
                    self.found = _of_function(handed, every, self.numbers, frozenset(), frozenset(), self.depth + 1)

    def _follow(self, node: ast.Call, called: Any) -> None:
        if getattr(called, "__module__", None) == "builtins" or not hasattr(inspect.unwrap(called), "__globals__"):
            self.refuse(node, f"converts {self._them}")
            return
        if self.found is not None:
            return
        bound = self._given(node, called)
        if bound is None:
            self.refuse(node, "calls what cannot be read")
            return
        given, whole, balls = (
            frozenset(n for n, v in bound.items() if syntax.any_entry(v, asked))
            for asked in (self.depends, self.is_whole, self.holds_balls)
        )
        inner = _of_function(called, given, self.numbers, whole, balls, self.depth + 1)
        if inner is not None and self.found is None:
            self.found = inner

    def _given(self, node: ast.Call, called: Any) -> dict[str, Any] | None:
        """The arguments of a call by parameter; what is unpacked may go to any parameter that is not given."""
        try:
            parameters = inspect.signature(called).parameters
            plain = [a for a in node.args if not isinstance(a, ast.Starred)]
            named = {k.arg: k.value for k in node.keywords if k.arg}
            bound = dict(inspect.signature(called).bind_partial(*plain, **named).arguments)
        except (TypeError, ValueError):
            return None
        unpacked = [a for a in node.args if isinstance(a, ast.Starred)]
        unpacked += [k.value for k in node.keywords if k.arg is None]
        return (dict.fromkeys(parameters, tuple(unpacked)) if unpacked else {}) | bound
