"""Random one-place changes of a module's source: what the privacy checks are tested on besides planted bugs.

A mutant changes one constant, operator, comparison, name or attribute inside a function, swaps or drops arguments, puts
the first argument in the place of a call or one operand in that of an operation, or drops a statement. The mutants of
a source are listed in a fixed order; a seed draws the kind of change first, then the place, so that the many possible
confusions of names do not crowd out the rest.
"""

import ast
import inspect
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from difflib import ndiff
from functools import partial
from itertools import count as counted
from types import ModuleType

Change = partial[None]  # a function of the node, which it edits in place; its leading arguments say how
Site = tuple[int, Change, str]  # position of the node in the tree, change, name of the class or function around it

OPERATORS: dict[type, tuple[type, ...]] = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Div, ast.Add), ast.Div: (ast.Mult,),
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
    ast.And: (ast.Or,), ast.Or: (ast.And,), ast.USub: (ast.UAdd,),
}  # fmt: skip


KEPT_STATEMENTS = (ast.Raise, ast.Return, ast.While)


@dataclass(frozen=True)
class Mutant:
    """A changed source: the class or function changed, the changed lines before and after, and the whole source."""

    scope: str
    before: str
    after: str
    source: str

    def __str__(self) -> str:
        return f"{self.scope}: {self.before or '(nothing)'}  ->  {self.after or '(dropped)'}"


def mutants(module: ModuleType, seed: int, count: int) -> list[Mutant]:
    """`count` different mutants of the module (all of them if there are fewer), drawn by `seed`."""
    tree = ast.parse(inspect.getsource(module))
    original = ast.unparse(tree)
    by_source: dict[str, Mutant] = {}
    for position, change, scope in _shuffled(list(_sites(tree)), random.Random(seed)):
        if len(by_source) >= count:
            break
        changed = deepcopy(tree)
        change(_node_at(changed, position))
        source = ast.unparse(changed)
        if source != original and source not in by_source:
            by_source[source] = Mutant(scope, *_difference(original, source), source)
    return list(by_source.values())


def _shuffled(sites: list[Site], generator: random.Random) -> Iterator[Site]:
    """All sites in random order, the kind of change drawn first."""
    kinds: dict[object, list[Site]] = {}
    for site in sites:
        kinds.setdefault(site[1].func if site[1].func is not _set else site[1].args[0], []).append(site)
    for members in kinds.values():
        generator.shuffle(members)
    while kinds:
        kind = generator.choice(list(kinds))
        yield kinds[kind].pop()
        if not kinds[kind]:
            del kinds[kind]


def load(source: str, name: str) -> ModuleType:
    """The module with this source, under a name of its own; `sys.modules` is left as it was."""
    module = ModuleType(f"{name}_mutant_{next(_numbers)}")
    module.__file__ = module.__name__  # by which the recorder knows its own frames
    with substituted({module.__name__: module}):
        exec(compile(source, module.__name__, "exec"), module.__dict__)
    return module


_numbers = counted()


@contextmanager
def substituted(modules: dict[str, ModuleType]) -> Iterator[None]:
    """Imports inside the block find these modules under these names."""
    saved = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name, module in saved.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def _sites(tree: ast.Module) -> Iterator[Site]:
    """Every place and way to change the module, in a fixed order."""
    positions = {id(node): k for k, node in enumerate(ast.walk(tree))}
    for scope in tree.body:
        attributes = _own_attributes(scope)
        functions = [node for node in ast.walk(scope) if isinstance(node, ast.FunctionDef)]
        for function in functions:
            names = sorted(
                {
                    node.id
                    for node in ast.walk(function)
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
                }
                | {arg.arg for arg in function.args.args} - {"self"}
            )
            for node in _mutable_nodes(function):
                for change in _changes(node, names, attributes):
                    yield positions[id(node)], change, getattr(scope, "name", "module")


def _node_at(tree: ast.AST, position: int) -> ast.AST:
    return next(node for k, node in enumerate(ast.walk(tree)) if k == position)


def _mutable_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function body but those of annotations, raised exceptions, and loops that might never end."""
    pending: list[ast.AST] = [function]
    while pending:
        node = pending.pop(0)
        yield node
        fields = ("body",) if node is function else (name for name in node._fields if name != "annotation")
        children = [child for name in fields for child in _nodes_in(getattr(node, name, None))]
        pending += [child for child in children if not isinstance(child, ast.Raise | ast.While | ast.FunctionDef)]


def _nodes_in(value: object) -> list[ast.AST]:
    return [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, ast.AST)]


def _own_attributes(scope: ast.AST) -> list[str]:
    """The names x of all assignments to self.x."""
    stored = (node for node in ast.walk(scope) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store))
    return sorted({node.attr for node in stored if _is_self(node.value)})


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _changes(node: ast.AST, names: list[str], attributes: list[str]) -> Iterator[Change]:
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.Call) and value.args:
            yield partial(_keep_argument, field)
        elif isinstance(value, ast.BinOp):
            yield from (partial(_keep_operand, field, side) for side in ("left", "right"))
    match node:
        case ast.Constant(value=bool() as value):
            yield partial(_set, "value", not value)
        case ast.Constant(value=int() | float() as value):
            yield from (
                partial(_set, "value", other)
                for other in (value + 1, value - 1, 2 * value, value / 2)
                if other != value
            )
        case ast.BinOp() | ast.AugAssign() | ast.BoolOp() | ast.UnaryOp():
            yield from (partial(_set, "op", other()) for other in OPERATORS.get(type(node.op), ()))
        case ast.Compare():
            others = OPERATORS.get(type(node.ops[0]), ())
            yield from (partial(_set, "ops", [other(), *node.ops[1:]]) for other in others)
        case ast.Name(ctx=ast.Load()) if node.id in names:
            yield from (partial(_set, "id", other) for other in names if other != node.id)
        case ast.Attribute(ctx=ast.Load()) if _is_self(node.value) and node.attr in attributes:
            yield from (partial(_set, "attr", other) for other in attributes if other != node.attr)
        case ast.Call():
            if len(node.args) > 1:
                yield partial(_swap_arguments)
            yield from (partial(_drop_keyword, k) for k in range(len(node.keywords)))
            yield from (partial(_swap_keywords, k) for k in range(len(node.keywords) - 1))
        case ast.FunctionDef() | ast.If() | ast.For() | ast.With():
            yield from (
                partial(_drop_statement, k)
                for k, statement in enumerate(node.body)
                if not isinstance(statement, KEPT_STATEMENTS) and not _is_docstring(statement)
            )


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _set(field: str, value: object, node: ast.AST) -> None:
    setattr(node, field, value)


def _keep_argument(field: str, node: ast.AST) -> None:
    setattr(node, field, getattr(node, field).args[0])


def _keep_operand(field: str, side: str, node: ast.AST) -> None:
    setattr(node, field, getattr(getattr(node, field), side))


def _swap_arguments(node: ast.Call) -> None:
    node.args[0], node.args[1] = node.args[1], node.args[0]


def _swap_keywords(k: int, node: ast.Call) -> None:
    node.keywords[k].value, node.keywords[k + 1].value = node.keywords[k + 1].value, node.keywords[k].value


def _drop_keyword(k: int, node: ast.Call) -> None:
    del node.keywords[k]


def _drop_statement(k: int, node: ast.FunctionDef | ast.If | ast.For | ast.With) -> None:
    node.body[k] = ast.Pass()


def _difference(before: str, after: str) -> tuple[str, str]:
    lines = list(ndiff(before.splitlines(), after.splitlines()))
    removed, added = ("; ".join(line[2:].strip() for line in lines if line.startswith(sign)) for sign in ("- ", "+ "))
    return removed, added
