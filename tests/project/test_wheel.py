"""What a user installs is the whole package and nothing else."""

import zipfile
from pathlib import Path

IMPORT_ALL = """
import importlib, sys
for name in sys.argv[1:]:
    print(name, importlib.import_module(name).__file__)
"""


def test_the_wheel_holds_every_file_of_the_package(wheel, rooms, project_files):
    expected = {
        f"banditproof/{path.as_posix()}"
        for path in project_files
        if path.parts[0] in rooms or path.name in ("__init__.py", "__init__.pyi", "py.typed") and len(path.parts) == 1
    }
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == expected


def test_every_module_imports_from_the_wheel(environment, module_names, run):
    listing = run(environment / "bin" / "python", "-I", "-c", IMPORT_ALL, *module_names)
    places = dict(line.split(" ", 1) for line in listing.splitlines())
    assert list(places) == module_names
    assert [name for name, place in places.items() if not Path(place).is_relative_to(environment)] == []


def test_the_installed_command_runs(environment, run):
    assert "check" in run(environment / "bin" / "banditproof", "--help")
