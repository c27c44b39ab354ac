"""A claim says only what does not follow: no argument that repeats a default or what the register infers."""

import ast
import inspect
import re
from pathlib import Path

import pytest

from banditproof import paper_checks
from banditproof.claims import REGISTER, load, register
from banditproof.claims.documents import catalogue, documents
from banditproof.claims.new_document import SECTION
from tests.cases import lines, rows, texts

TEXTS = texts(__file__)

load()
ROOM = Path(paper_checks.__file__).parent
REGISTERS = ("claim", "item", "not_checkable", "repaired", "restate", "restate_parts")
UNKNOWN = object()


def value(node):
    try:
        return ast.literal_eval(node)
    except ValueError:
        return UNKNOWN


def follows(call):
    """The role, place, method and constraints that a claim has without saying so, as far as its source tells."""
    given = dict(zip(inspect.signature(getattr(register, call.func.id)).parameters, call.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in call.keywords}
    name, of = (value(given[n]) if n in given else None for n in ("claim_id", "of"))
    if "repairs" in given:
        yield "role", "repair"
    elif name is not UNKNOWN and (of is None or of in REGISTER):
        below = "edge" if re.search(r"/edge\b", name) else "part"
        original = REGISTER[of].role if of else below
        yield "role", "item" if "/" not in name else below if original == "item" else original
    if call.func.id == "repaired" and of in REGISTER:
        yield "where", [constraint.text for constraint in REGISTER[of].domain.where]
    if name in REGISTER:
        yield "place", catalogue()[REGISTER[name].item].title if REGISTER[name].item in catalogue() else UNKNOWN


def repeats(source):
    """The arguments of claims, in the order of the source, that say what would hold without them."""
    for call in ast.walk(ast.parse(source)):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in REGISTERS):
            continue
        defaults = inspect.signature(getattr(register, call.func.id)).parameters
        inferred = dict(follows(call))
        for keyword in call.keywords:
            said = value(keyword.value)
            default = defaults[keyword.arg].default if keyword.arg in defaults else UNKNOWN
            empty = said in ([], (), {}) and (default is not None or keyword.arg == "constants")
            if said is not UNKNOWN and (said == default or empty or said == inferred.get(keyword.arg)):
                yield f"line {call.lineno}: {keyword.arg}={said!r}"


def test_no_claim_repeats_what_follows():
    found = [
        f"{path.relative_to(ROOM)}, {said}"
        for path in sorted(ROOM.rglob("*.py"))
        for said in repeats(path.read_text("utf-8"))
    ]
    assert found == []
    assert list(repeats(SECTION.replace("@ID@", "ID"))) == []


def call_of(name, record):
    """The call that a record of a table of statements stands for."""
    of = {"of": record} if isinstance(record, str) else record
    function = "restate" if "of" in of else "restate_parts" if "parts" in of else "item"
    return f"{function}({name!r}, {', '.join(f'{key}={said!r}' for key, said in of.items())})"


def test_no_record_of_a_table_repeats_what_follows():
    records = [(name, record) for document in documents().values() for name, record in document.table().items()]
    assert [(name, said) for name, record in records for said in repeats(call_of(name, record))] == []
    assert list(repeats(call_of("A-1/b", {"of": "TH-S2.2e", "role": "part"}))) == ["line 1: role='part'"]
    assert len(records) > 900


@pytest.mark.parametrize(("source", "said"), rows(TEXTS["follows"]))
def test_an_argument_that_follows_is_found(source, said):
    assert list(repeats(source)) == [f"line 1: {said}"]


@pytest.mark.parametrize("source", lines(TEXTS["says"]))
def test_an_argument_that_says_something_is_left(source):
    assert list(repeats(source)) == []


def written_out(source):
    """The repairs that have the parameters and the body of their original, or only call it: changes of a constant."""
    claims = {}
    for function in (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)):
        for call in (d for d in function.decorator_list if isinstance(d, ast.Call) and is_named(d.func, "claim")):
            claims[value(call.args[0])] = function, {keyword.arg: value(keyword.value) for keyword in call.keywords}
    takes = {*inspect.signature(register.repaired).parameters, "repairs"}
    for name, (function, given) in claims.items():
        original = claims.get(given.get("repairs"), (None, {}))[0]
        if original is not None and set(given) <= takes and names_of(function) == names_of(original):
            called = f"return {original.name}({', '.join(names_of(original))})"
            if body_of(function) == body_of(original) or body_of(function) == [called]:
                yield name


def is_named(node, name):
    return isinstance(node, ast.Name) and node.id == name


def names_of(function):
    return [parameter.arg for parameter in (*function.args.args, *function.args.kwonlyargs)]


def body_of(function):
    """The statements of a function behind its docstring."""
    return [
        ast.unparse(s) for s in function.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
    ]


def test_a_repair_that_is_a_change_is_written_as_one():
    assert [name for path in sorted(ROOM.rglob("*.py")) for name in written_out(path.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    ("body", "is_change"), [("f(x, c)", True), ("(x, '<', c)", True), ("f(x, 2)", False), ("(x, '<=', c)", False)]
)
def test_a_change_is_told_from_another_relation(body, is_change):
    original = "@claim('A-1')\ndef f(x, c=1):\n    'One.'\n    return (x, '<', c)\n"
    repair = f"@claim('A-1/b', repairs='A-1')\ndef g(x, c=2):\n    'Two.'\n    return {body}\n"
    assert list(written_out(original + repair)) == (["A-1/b"] if is_change else [])
