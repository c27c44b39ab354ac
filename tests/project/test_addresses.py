"""The repository names no host but the few that are part of its subject, and no place on anyone's machine."""

import re
from pathlib import Path

ADDRESS = re.compile(r":/{2}([\w.-]*)")
ALLOWED_HOSTS = {
    "arxiv.org",
    "doi.org",
    "www.w3.org",  # namespaces of SVG and MathML
    "json-schema.org",  # the dialect of the results schema
    "127.0.0.1",  # this machine: the page where statements are typed, and its tests
    "github.com",  # where the badge of the workflow points that `init --ci` writes
}
ALLOWED_FILES = {Path("LICENSE")}
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|farm|root|home|tmp/bash_jobs)/")


def lines(root: Path, files: list[Path]):
    for path in files:
        text = (root / path).read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), start=1):
            yield path, number, line


def test_no_file_contains_an_address_outside_the_allow_list(root, project_files):
    found = [
        f"{path}:{number}: {host}"
        for path, number, line in lines(root, project_files)
        for host in ADDRESS.findall(line)
        if host not in ALLOWED_HOSTS and path not in ALLOWED_FILES
    ]
    assert found == []


def test_no_file_contains_a_path_of_a_machine(root, project_files):
    found = [f"{path}:{number}" for path, number, line in lines(root, project_files) if MACHINE_PATH.search(line)]
    assert found == []
