r"""Blocks about every mechanism, law or policy: sentences in words of the kernel, with the theorem that proves them.

    when private(M, epsilon) then close_at_distance(M, m, m * epsilon, 0)
    for every mechanism M, integer m >= 0, epsilon >= 0
    theorem: mechanisms.group_privacy

Premises and lists of them stand behind ``when``, the conclusion behind ``then`` or at the start, definitions
(``bound = T/4``, ``odds(a) = w(a)/g(a)``) behind ``where``, ranges behind ``for``. The words are those of
``verify.kernel`` (one that two of its modules have, and not ``meanings``, is written ``games.mean_of``) and what a
document gives under ``@word``; ``x -> chance(x)`` is a function, ``f(*laws)`` is f of each part of a list.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import CodeType, FunctionType, SimpleNamespace
from typing import Any, get_args

from banditproof.claims import sets
from banditproof.theory.errors import InvalidInput, close_to
from banditproof.verify.judge.formulas.sentence import Unread
from banditproof.verify.judge.reading.blocks import ranges_in
from banditproof.verify.kernel.document_words import DOCUMENT_WORDS
from banditproof.verify.kernel.meanings import formula
from banditproof.verify.proof.domain import Domain

KERNEL, THEOREMS = "banditproof.verify.kernel", "banditproof.verify.theorems"
HOLDERS = tuple(
    "asymptotics audits bandits couplings divergences episodes facts games histories identification"
    " least_squares linear losses matrices meanings mechanisms orders phases policies random_matrices rewards rules"
    " scales self_normalised terms variables".split()
)
SORTS = {
    "mechanism": sets.EveryMechanism,
    "sequence of mechanisms": sets.EverySequence,
    "adaptive sequence of mechanisms": sets.EveryAdaptiveSequence,
    "randomised function": sets.EveryFunction,
    "coupling": sets.EveryCoupling,
    "policy": sets.EveryPolicy,
    "class of policies": sets.EveryPolicies,
    "real function": sets.EveryRealFunction,
    "sequence of real functions": sets.EveryRealFunctions,
    "law of what comes next": sets.EveryNext,
    "bandit": sets.EveryBandit,
    "family of laws": sets.EveryFamily,
    "class of laws": sets.EveryClass,
    "sequence of laws": sets.EveryLaws,
    "law": sets.EveryLaw,
    "convex function": sets.EveryConvex,
    "variable": sets.EveryVariable,
    "sequence of variables": sets.EveryVariables,
    "sequence of numbers": sets.EveryVector,
    "matrix": sets.EveryMatrix,
    "sequence of budgets": sets.EveryBudget,
}
SIGNS = {ast.LtE: "<=", ast.Lt: "<", ast.Eq: "==", ast.GtE: ">=", ast.Gt: ">"}
FORMULA, QUOTIENT, GIVEN = "_formula", "_quotient", "_given"
PHRASE = re.compile(r"(?<![\w.])(when|then|where|for)(?![\w=(])")
DEFINED = re.compile(r"(\w+|\(\*?\w+(?:, *\*?\w+)*\))(?:\(([\w, ]*)\))? *=(?!=) *(.+)", re.DOTALL)


@dataclass(frozen=True)
class Sentence:
    """What is said of every mechanism, law or policy: the variables with their sets, and the body for the kernel."""

    domain: Domain
    relation: Callable[..., Any]


def sentence_in(text: str, name: str, module: str) -> Sentence:
    """The sentence of a block. Raises Unread with the word at fault."""
    phrases: dict[str, str] = {}
    for word, said in _phrases(" ".join(text.split())):
        if word in phrases or not said:
            raise Unread(f"'{word}' is said once, and something behind it", word)
        phrases[word] = said
    if "then" not in phrases:
        raise Unread("a sentence has a conclusion, at its start or behind 'then'")
    domain = _domain(phrases.get("for", ""))
    body: list[ast.stmt] = [_definition(part) for part in _parts(phrases.get("where", ""))]
    conclusion, premises = _read(phrases["then"]), [_read(part) for part in _parts(phrases.get("when", ""))]
    if premises:
        given = ast.Starred(ast.Call(ast.Name(GIVEN, ast.Load()), premises, []), ast.Load())
        conclusion = ast.Call(ast.Name("when", ast.Load()), [given], [ast.keyword("then", conclusion)])
    body.append(ast.Return(conclusion))
    function = _function(body, [n for n, _ in domain.variables], name, module)
    function.__doc__ = text
    return Sentence(domain, function)


def modules_of(relation: Callable[..., Any]) -> frozenset[str]:
    """The modules of the words that a sentence is written in."""
    words = {**_kernel_words(), **DOCUMENT_WORDS}
    named = [words[n] for n in _names(relation.__code__) if n in words]
    return frozenset(getattr(one, "__module__", f"{KERNEL}.meanings") for one in named)


@dataclass(frozen=True)
class Spoken:
    """A sentence as its author wrote it, and what each of its words means: the first line of its definition."""

    text: str
    words: Mapping[str, str]


def spoken(relation: Callable[..., Any]) -> Spoken:
    """A sentence about every mechanism, law or policy in words of the kernel: what a person can compare with print."""
    text = relation.__doc__ if relation.__code__.co_filename.startswith("<") else _source_of(relation)
    words = {**_kernel_words(), **DOCUMENT_WORDS}
    used = (n for n in dict.fromkeys(_names(relation.__code__)) if n != "when")
    meant = {n: words[n].__doc__ or "" for n in used if isinstance(words.get(n), FunctionType)}
    return Spoken(text or "", {n: " ".join(said.partition("\n\n")[0].split()) for n, said in meant.items() if said})


def _source_of(relation: Callable[..., Any]) -> str:
    """The body of a function behind its docstring."""
    function = ast.parse(textwrap.dedent(inspect.getsource(relation))).body[0]
    assert isinstance(function, ast.FunctionDef)
    return "\n".join(map(ast.unparse, function.body[1 if ast.get_docstring(function) else 0 :])).replace("return ", "")


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def theorem_named(text: str) -> Callable[[Any], Any]:
    """The theorem of ``verify.theorems`` that is written ``tails.markov``, or ``minimax.of_all(by_rho)`` for one that
    is made from others. Raises InvalidInput.
    """
    head, _, rest = text.removesuffix(")").partition("(")
    module, _, name = head.partition(".")
    package = import_module(THEOREMS)
    known = [one.name for one in iter_modules(package.__path__)]
    if module not in known:
        raise InvalidInput("theorem", text, f"MODULE.NAME in {THEOREMS}", close_to(module, known))
    holder = import_module(f"{package.__name__}.{module}")

    def named(one: str) -> Any:
        if not hasattr(holder, one):
            raise InvalidInput("theorem", text, f"one of {holder.__name__}", close_to(one, dir(holder)))
        return getattr(holder, one)

    proof = named(name)
    return proof(*(named(one.strip()) for one in rest.split(","))) if rest else proof  # type: ignore[no-any-return]


@cache
def _kernel_words() -> dict[str, Any]:
    """The words of the kernel by their names, and its modules for those that two of them have."""
    held: dict[str, dict[str, Any]] = {}
    for holder in HOLDERS:
        module = import_module(f"{KERNEL}.{holder}")
        public = {n: v for n, v in vars(module).items() if not n.startswith("_")}
        held[holder] = {
            n: v for n, v in public.items() if n.isupper() or getattr(v, "__module__", "") == module.__name__
        }
    count = Counter(n for n, _ in {(n, id(v)) for words in held.values() for n, v in words.items()})
    once = {n: v for words in held.values() for n, v in words.items() if count[n] == 1} | held["meanings"]
    modules = {holder: SimpleNamespace(**words, __module__=f"{KERNEL}.{holder}") for holder, words in held.items()}
    return {**modules, **once}


def _phrases(text: str) -> Iterator[tuple[str, str]]:
    """The phrases of a block with the word each begins with."""
    starts = [
        (0, 0, "then"),
        *((m.start(), m.end(), m[1]) for m in PHRASE.finditer(text) if not _depth(text, m.start())),
    ]
    for (_, start, word), (end, _, _) in zip(starts, [*starts[1:], (len(text), 0, "")], strict=True):
        if start or text[:end].strip():
            yield word, text[start:end].strip()


def _depth(text: str, place: int) -> int:
    return sum((c in "([{") - (c in ")]}") for c in text[:place])


def _parts(text: str) -> list[str]:
    """What stands between the outer commas."""
    commas = [k for k, c in enumerate(text) if c == "," and not _depth(text, k)]
    ends = [-1, *commas, len(text)]
    return [text[a + 1 : b].strip() for a, b in zip(ends, ends[1:], strict=False) if text.strip()]


def _domain(text: str) -> Domain:
    """The ranges of a block: 'every policy pi, every law P and Q, integer T >= 0, delta in [0, 1]'."""
    found: dict[str, Any] = {}
    numbers: list[str] = []

    def read_numbers() -> None:
        if numbers:
            _no_twice(found, ranges := ranges_in(", ".join(numbers)))
            found.update(ranges)
            numbers.clear()

    for part in _parts(text):
        if not part.startswith("every "):
            numbers.append(part)
            continue
        read_numbers()
        head = re.fullmatch(r"every ([a-z ]+?) (\w+(?: and \w+)*)", part)
        if head is None or head[1] not in SORTS:
            said = head[1] if head else part
            raise Unread(f"'every' is followed by one of {', '.join(SORTS)}, and a name", said)
        sort = dict.fromkeys(head[2].split(" and "), get_args(SORTS[head[1]])[1])
        _no_twice(found, sort)
        found.update(sort)
    read_numbers()
    return Domain.of(**found)


def _no_twice(found: dict[str, Any], more: dict[str, Any]) -> None:
    if twice := found.keys() & more.keys():
        raise Unread(f"{min(twice)} has a range already", min(twice))


def _definition(text: str) -> ast.Assign:
    head = DEFINED.fullmatch(text)
    if head is None:
        raise Unread(f"a definition is written 'bound = ...' or 'odds(a) = ...': {text}", text.partition(" ")[0])
    target = ast.parse(f"{head[1]} = 0").body[0].targets[0]  # type: ignore[attr-defined]
    return ast.Assign([target], _read(f"({head[2]}) -> {head[3]}" if head[2] else head[3]))


def _read(text: str) -> ast.expr:
    """The expression of a formula. Raises Unread for what the grammar does not have."""
    plain = re.sub(r"(?:\(([\w, ]*)\)|(\w+)) *->", lambda m: f"lambda {m[2] or m[1]}:", text)
    starred = plain.startswith("*")
    try:
        tree = ast.parse(f"({plain.replace('^', '**')},)" if starred else plain.replace("^", "**"), mode="eval").body
    except SyntaxError as why:
        raise Unread(f"this is no formula in words of the kernel ({why.msg}): {text}", text.partition("(")[0]) from None
    return _Formulas().visit(tree.elts[0] if starred and isinstance(tree, ast.Tuple) else tree)  # type: ignore[no-any-return]


class _Formulas(ast.NodeTransformer):
    """Comparisons become formulas, quotients of numbers exact; what a sentence has no use for is refused."""

    KNOWN = (
        ast.Call, ast.keyword, ast.Lambda, ast.arguments, ast.arg, ast.Tuple, ast.Starred, ast.Name, ast.expr_context,
        ast.UnaryOp, ast.USub, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow,
    )  # fmt: skip

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if not isinstance(node, self.KNOWN):
            raise Unread(f"a sentence has no {type(node).__name__.lower()}", "")
        return super().generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) not in (int, str, bool):
            raise Unread(f"{node.value} is no whole number: write a quotient", str(node.value))
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if node.attr.startswith("_"):
            raise Unread(f"{node.attr} is no word", node.attr)
        return ast.Attribute(self.visit(node.value), node.attr, node.ctx)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if not re.fullmatch(r"\d+:?", ast.unparse(node.slice)):
            raise Unread("behind a list stands the number of a part, from 0 on: pairs()[0], or pairs()[1:]", "")
        return ast.Subscript(self.visit(node.value), node.slice, node.ctx)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if len(node.ops) > 1 or type(node.ops[0]) not in SIGNS:
            raise Unread(f"a comparison has two sides and one of {', '.join(SIGNS.values())} between them", "")
        sides = [self.visit(side) for side in (node.left, node.comparators[0])]
        said = ast.Tuple([sides[0], ast.Constant(SIGNS[type(node.ops[0])]), sides[1]], ast.Load())
        return ast.Call(ast.Name(FORMULA, ast.Load()), [said], [])

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        left, right = self.visit(node.left), self.visit(node.right)
        if isinstance(node.op, ast.Div):
            return ast.Call(ast.Name(QUOTIENT, ast.Load()), [left, right], [])
        if not isinstance(node.op, ast.Pow):
            return ast.BinOp(left, self.visit(node.op), right)
        if not isinstance(right, ast.Constant) or right.value not in range(2, 10):
            raise Unread("an exponent is one of 2, ..., 9", "")
        power = left
        for _ in range(int(right.value) - 1):  # type: ignore[arg-type]
            power = ast.BinOp(power, ast.Mult(), left)
        return power


def _quotient(a: Any, b: Any) -> Any:
    return Fraction(a, b) if isinstance(a, int) and isinstance(b, int) else a / b


def _given(*premises: Any) -> list[Any]:
    """The premises, with each part of those that are lists."""
    return [one for part in premises for one in (_given(*part) if isinstance(part, tuple | list) else [part])]


def _function(body: list[ast.stmt], parameters: list[str], name: str, module: str) -> Callable[..., Any]:
    """The body as a function of the variables, in which the words have their meanings."""
    words = {**_kernel_words(), **DOCUMENT_WORDS}
    taken, known = set[str](), {*words, *parameters, FORMULA, QUOTIENT, GIVEN}
    for statement in body:
        bound = {a.arg for n in ast.walk(statement) if isinstance(n, ast.Lambda) for a in n.args.args}
        read = [n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
        taken |= {*read}
        if strange := [n for n in read if n not in known | bound]:
            meant = f"; did you mean {near}?" if (near := close_to(strange[0], known)) else ""
            raise Unread(f"{strange[0]} is no word of the kernel and has no range{meant}", strange[0])
        made = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        if twice := sorted(made & {*parameters}):
            raise Unread(f"{twice[0]} has a range and a value", twice[0])
        known |= made
    made = {n.id for s in body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    if idle := sorted(({*parameters} | made) - taken - {"_"}):
        raise Unread(f"{idle[0]} has a range or a value and stands nowhere else", idle[0])
    arguments = ast.arguments([], [ast.arg(n) for n in parameters], None, [], [], None, [])
    whole = ast.FunctionDef("sentence", arguments, body, [], type_params=[])  # type: ignore[call-arg]
    spoken = {**words, FORMULA: formula, QUOTIENT: _quotient, GIVEN: _given, "__builtins__": {}, "__name__": module}
    exec(compile(ast.fix_missing_locations(ast.Module([whole], [])), f"<{name}>", "exec"), spoken)
    made_function = spoken["sentence"]
    assert isinstance(made_function, FunctionType)
    made_function.__name__ = made_function.__qualname__ = name
    return made_function
