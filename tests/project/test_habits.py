"""Two habits that hide failures are not allowed: swallowing exceptions, and tests that assert nothing."""

import ast

import pytest


def is_empty(statement: ast.stmt) -> bool:
    """Whether a statement does nothing: `pass`, `...` or a string."""
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def swallowed_exceptions(handlers: list[ast.ExceptHandler]) -> list[int]:
    """The lines of `except` clauses that do nothing."""
    return [handler.lineno for handler in handlers if all(map(is_empty, handler.body))]


def said_by(function: ast.FunctionDef) -> tuple[set[str], bool]:
    """The names that a function calls, and whether it asserts itself."""
    nodes = list(ast.walk(function))
    functions = [node.func for node in nodes if isinstance(node, ast.Call)]
    called = {f.attr for f in functions if isinstance(f, ast.Attribute)}
    called |= {f.id for f in functions if isinstance(f, ast.Name)}
    asserts = any(isinstance(node, ast.Assert) and not isinstance(node.test, ast.Constant) for node in nodes)
    return called, asserts or any(name in {"raises", "warns"} or name.startswith("assert_") for name in called)


def assertion_free_tests(tree: ast.AST) -> list[str]:
    """The names of test functions that assert neither themselves nor in a function of their module they call."""
    said = [(node.name, *said_by(node)) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    asserting, before = {name for name, _, asserts in said if asserts}, set()
    while asserting > before:
        before = set(asserting)
        asserting |= {name for name, called, _ in said if called & asserting}
    return [name for name, *_ in said if name.startswith("test_") and name not in asserting]


def test_no_exception_is_swallowed(root, project_files, read):
    files = [path for path in project_files if path.suffix == ".py"]
    found = [f"{path}:{line}" for path in files for line in swallowed_exceptions(read(root / path).handlers)]
    assert found == []


def test_every_test_asserts_something(root, project_files):
    tests = [path for path in project_files if path.parts[0] == "tests" and path.name.startswith("test_")]
    trees = ((path, ast.parse((root / path).read_text(encoding="utf-8"))) for path in tests)
    assert [f"{path}: {name}" for path, tree in trees for name in assertion_free_tests(tree)] == []


@pytest.mark.parametrize("body", ["pass", "...", "'nothing to do'"])
def test_an_empty_handler_counts_as_swallowing(body, read, tmp_path):
    path = tmp_path / "draft.py"
    path.write_text(f"def g():\n    try:\n        f()\n    except ValueError:\n        {body}")
    assert swallowed_exceptions(read(path).handlers) == [4]


def test_a_test_asserts_through_a_function_of_its_module_but_not_by_a_constant():
    tree = ast.parse("def agree(): assert f()\ndef test_a(): agree()\ndef test_b(): f()\ndef test_c(): assert True")
    assert assertion_free_tests(tree) == ["test_b", "test_c"]
