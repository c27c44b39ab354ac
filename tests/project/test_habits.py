"""Two habits that hide failures are not allowed: swallowing exceptions, and tests that assert nothing."""

import ast
from pathlib import Path

import pytest


def is_empty(statement: ast.stmt) -> bool:
    """Whether a statement does nothing: `pass`, `...` or a string."""
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def swallowed_exceptions(tree: ast.AST) -> list[int]:
    """The lines of `except` clauses that do nothing."""
    handlers = (node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler))
    return [handler.lineno for handler in handlers if all(map(is_empty, handler.body))]


def called_names(node: ast.AST) -> set[str]:
    functions = [call.func for call in ast.walk(node) if isinstance(call, ast.Call)]
    return {
        f.attr if isinstance(f, ast.Attribute) else f.id for f in functions if isinstance(f, ast.Attribute | ast.Name)
    }


def asserts_itself(node: ast.AST) -> bool:
    real = any(isinstance(n, ast.Assert) and not isinstance(n.test, ast.Constant) for n in ast.walk(node))
    return real or any(name in {"raises", "warns"} or name.startswith("assert_") for name in called_names(node))


def assertion_free_tests(tree: ast.AST) -> list[str]:
    """The names of test functions that assert neither themselves nor in a function of their module they call."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    asserting = {function.name for function in functions if asserts_itself(function)}
    for _ in functions:
        asserting |= {function.name for function in functions if called_names(function) & asserting}
    return [f.name for f in functions if f.name.startswith("test_") and f.name not in asserting]


def parsed(root: Path, files: list[Path]):
    return ((path, ast.parse((root / path).read_text(encoding="utf-8"))) for path in files if path.suffix == ".py")


def test_no_exception_is_swallowed(root, project_files):
    found = [f"{path}:{line}" for path, tree in parsed(root, project_files) for line in swallowed_exceptions(tree)]
    assert found == []


def test_every_test_asserts_something(root, project_files):
    tests = [path for path in project_files if path.parts[0] == "tests"]
    found = [f"{path}: {name}" for path, tree in parsed(root, tests) for name in assertion_free_tests(tree)]
    assert found == []


@pytest.mark.parametrize("body", ["pass", "...", "'nothing to do'"])
def test_an_empty_handler_counts_as_swallowing(body):
    assert swallowed_exceptions(ast.parse(f"try:\n    f()\nexcept ValueError:\n    {body}")) == [3]


def test_a_test_asserts_through_a_function_of_its_module_but_not_by_a_constant():
    tree = ast.parse("def agree(): assert f()\ndef test_a(): agree()\ndef test_b(): f()\ndef test_c(): assert True")
    assert assertion_free_tests(tree) == ["test_b", "test_c"]
