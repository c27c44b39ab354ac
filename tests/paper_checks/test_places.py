"""A claim stands in the file of its item's section or in its document's table; sections do not lean on one another."""

import ast
import re
from pathlib import Path

import pytest

from banditproof import paper_checks
from banditproof.claims import REGISTER, load
from banditproof.claims.documents import catalogue, documents

load()
ROOM = Path(paper_checks.__file__).parent
FILES = sorted(path.relative_to(ROOM) for path in ROOM.rglob("*.py"))
SHARED_BY_SECTIONS = {"facts", "studies", "shared"}  # names of files and folders that hold no claims
ROMAN = {"I": "1", "II": "2", "III": "3", "IV": "4", "V": "5", "VI": "6", "VII": "7", "VIII": "8"}


def is_section(path: Path) -> bool:
    return path.name != "__init__.py" and not SHARED_BY_SECTIONS & {*path.parts[:-1], path.stem}


def place_of(path: Path) -> tuple[str, ...]:
    """The section that a path names: `ch2_bandits/s2_2_4_subgaussian.py` is 2.2.4, `app_c_proofs/c2_6_zcdp` C.2.6."""
    appendix = next((m[1] for part in path.parts[1:] if (m := re.match(r"app_([a-z])(_|\.|$)", part))), None)
    if appendix is None:
        match = re.match(r"s(\d+(?:_\d+)*)_", path.name)
        return tuple(match[1].split("_")) if match else ()
    numbers = re.match(rf"{appendix}(\d+(?:_\d+)*)_", path.name)
    return (appendix.upper(), *(numbers[1].split("_") if numbers else ()))


def section_of(item_id: str) -> tuple[str, ...]:
    """The section of a catalogue item in the same form; the abstract counts with the introduction."""
    entry = catalogue()[item_id]
    if entry.section == "abstract":
        return ("1",)
    appendix = entry.section.startswith("Appendix ")
    first, *rest = re.findall(r"[A-Z]+(?=\d)|[A-Z]+|\d+", entry.section.removeprefix("Appendix "))
    if entry.paper == "zcdp" and not appendix and first in ROMAN:
        first = ROMAN[first]
    return (first, *rest)


def agree(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether one names the other or a part of it."""
    return all(a == b for a, b in zip(one, other, strict=False))


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("thesis/ch2_bandits/s2_2_4_subgaussian.py", ("2", "2", "4")),
        ("thesis/app_c_proofs/c2_6_zcdp.py", ("C", "2", "6")),
        ("zcdp/app_g_lower_bounds.py", ("G",)),
        ("bernoulli_dp/s4_regret.py", ("4",)),
    ],
)
def test_a_path_names_its_section(path, place):
    assert place_of(Path(path)) == place


def test_every_claim_stands_in_the_file_of_its_items_section():
    misplaced = []
    for claim in REGISTER.values():
        if claim.paper in documents():
            folder, path = Path(claim.paper.replace("-", "_")), Path(claim.file).relative_to(ROOM)
            at_home = path == folder / "statements.toml" or agree(place_of(path), section_of(claim.item))
            if path.parts[0] != folder.name or not at_home:
                misplaced.append((claim.id, str(path), catalogue()[claim.item].section))
    assert misplaced == []


def test_what_is_text_only_stands_in_the_table_of_its_document():
    """A restatement or an item without a check is code only where code makes it: a loop, or the domain of a claim."""
    calls = [
        (str(path), node.value.lineno)
        for path in FILES
        for node in ast.parse((ROOM / path).read_text(encoding="utf-8")).body
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and is_text_only(node.value)
    ]
    assert calls == []


def is_text_only(call: ast.Call) -> bool:
    if getattr(call.func, "id", "") not in ("item", "restate", "restate_parts", "not_checkable"):
        return False
    return all(
        isinstance(node, ast.Constant | ast.List | ast.Dict | ast.Load)
        for argument in (*call.args, *(k.value for k in call.keywords))
        for node in ast.walk(argument)
    )


@pytest.mark.parametrize(
    ("call", "text_only"),
    [
        ('item("A", "words", twins=["B"])', True),
        ('restate("A", f"{b}")', False),
        ('item("A", "b", domain=DOMAIN)', False),
    ],
)
def test_text_is_told_from_code(call, text_only):
    assert is_text_only(ast.parse(call, mode="eval").body) == text_only


def test_every_section_file_says_where_it_is_and_names_a_section():
    sections = {path: (ROOM / path).read_text(encoding="utf-8") for path in FILES if is_section(path)}
    nowhere = [str(path) for path in sections if not place_of(path)]
    said = re.compile(r'r?"""(Sections?|Appendix|Appendices|Abstract)\b')
    silent = [str(path) for path, text in sections.items() if not said.match(text)]
    assert (nowhere, silent) == ([], [])


def test_no_section_imports_a_section_nor_another_document():
    found = []
    for path in FILES:
        for node in ast.walk(ast.parse((ROOM / path).read_text(encoding="utf-8"))):
            module = node.module if isinstance(node, ast.ImportFrom) else None
            if not module or not module.startswith(f"{paper_checks.__name__}."):
                continue
            for target in (Path(*module.split(".")[2:], name.name) for name in node.names):
                in_shared = target.parts[0] == "shared"
                same_document = target.parts[0] == path.parts[0]
                shares = SHARED_BY_SECTIONS & set(target.parts)
                if not in_shared and not (same_document and shares and path.parts[0] != "shared"):
                    found.append(f"{path} imports {target}")
    assert found == []


def test_what_sections_share_holds_no_claims():
    modules = {c.module for c in REGISTER.values() if c.paper in documents()}
    assert [m for m in modules if SHARED_BY_SECTIONS & set(m.split("."))] == []


def test_ordinary_claims_are_in_the_idiom():
    """No layout is switched off by hand, and only what the steps cannot express takes a check."""
    texts = {path: (ROOM / path).read_text(encoding="utf-8") for path in FILES}
    assert [str(path) for path, text in texts.items() if "fmt: skip" in text] == []
    checks = [c for c in REGISTER.values() if c.check is not None and not c.steps and c.paper in documents()]
    assert len(checks) <= len(REGISTER) // 20
