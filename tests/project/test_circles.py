"""No file imports itself over others: each can be read after those it rests on."""

import ast
from collections.abc import Callable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

PROJECT = "banditproof"
Read = Callable[[Path], Any]


def modules_of(root: Path, files: list[Path]) -> dict[str, Path]:
    named = {}
    for path in files:
        *folders, name = path.relative_to(root).with_suffix("").parts
        named[".".join([PROJECT, *folders, *([] if name == "__init__" else [name])])] = path
    return named


def behind_faces(modules: dict[str, Path], read: Read) -> dict[str, str]:
    """The modules from which the names of a room's face are loaded: the stub beside its `__init__` imports them."""
    found = {}
    for package, path in modules.items():
        stub = path.with_suffix(".pyi")
        for node in read(stub).imports if stub.exists() else ():
            if isinstance(node, ast.ImportFrom):
                found |= {f"{package}.{alias.name}": node.module for alias in node.names}
    return found


def imported(path: Path, modules: dict[str, Path], faces: dict[str, str], read: Read) -> Iterator[str]:
    """The modules of the project that a file imports anywhere: in functions and for types as well."""
    for node in read(path).imports:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield from (m for m in (faces.get(name, name), node.module) if m in modules)


def circle(root: Path, files: list[Path], read: Read) -> list[str]:
    modules = modules_of(root, files)
    faces = behind_faces(modules, read)
    graph = {name: set(imported(path, modules, faces, read)) - {name} for name, path in modules.items()}
    for edges in graph.values():  # a package whose file loads nothing by itself is no stop on the way
        edges -= {name for name in edges if modules[name].stem == "__init__" and not graph[name]}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_no_file_imports_itself_over_others(root, room_files, read):
    assert circle(root, room_files, read) == []


def test_a_circle_is_seen_in_functions_through_a_face_and_for_types(tmp_path, read):
    ways = {
        "lazy": ("from banditproof.room.b import f", "def f():\n    from banditproof.room.a import g"),
        "face": ("from banditproof.room.b import f", "from banditproof.room import g"),
        "type": ("from banditproof.room import b", "if TYPE_CHECKING:\n    import banditproof.room.a"),
    }
    for name, (first, second) in ways.items():
        room = tmp_path / name / "room"
        room.mkdir(parents=True)
        (room / "__init__.pyi").write_text("from banditproof.room.a import g as g")
        for stem, source in {"__init__": "", "a": first, "b": second}.items():
            (room / f"{stem}.py").write_text(source)
        found = circle(tmp_path / name, sorted(room.glob("*.py")), read)
        assert {"banditproof.room.a", "banditproof.room.b"} <= set(found), name
