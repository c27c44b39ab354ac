"""From documents and files to the register: their sections run, and their tables of statements are read."""

from __future__ import annotations

import gc
import importlib.util
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from banditproof.claims.documents import Document, catalogue, documents
from banditproof.claims.fingerprint import forget_places, is_library
from banditproof.claims.paragraphs import STATEMENTS, register_file, register_paragraphs, written_in
from banditproof.claims.raised import raised
from banditproof.claims.register import REGISTER, settle
from banditproof.claims.statements import register_statements
from banditproof.claims.trees import look_beside
from banditproof.theory.errors import InvalidInput, close_to
from banditproof.verify.proof.compare import trust


def load(papers: Iterable[str] = ()) -> None:
    """Register the claims of every announced document; `papers` must be among them.

    All are loaded whichever are asked for, since documents restate one another's claims; only one that does not import
    is left out, with a warning, where others are asked for.
    """
    if isinstance(papers, str):
        raise InvalidInput("papers", papers, "a list of names", f"[{papers!r}]")
    papers = list(papers)
    known = known_papers(papers)
    with uncollected():
        _load(known, papers)


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for garbage among what is made here, all of which stays: neither now nor when the program ends.

    It is a fifth of the work of a check that reuses what an earlier one left.
    """
    searched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if searched:
            gc.enable()


def _load(known: Mapping[str, Document], papers: list[str]) -> None:
    catalogue()  # what is wrong there is no fault of a document that asks for it
    for name, document in known.items():
        try:
            document.load()
        except (Exception, SystemExit) as error:
            spec = importlib.util.find_spec(document.package)
            folder = str(Path(spec.origin).parent) if spec and spec.origin else document.package
            broken = InvalidInput("document", name, f"a package that imports ({raised(error, folder)})")
            if not papers or name in papers:
                raise broken from error
            warnings.warn(f"{name} is left out: {broken}", stacklevel=4)
            continue
        register_paragraphs(document)
        register_statements(document)
    settle()
    for told in _misnamed():
        warnings.warn(told, stacklevel=4)


def _misnamed() -> Iterator[str]:
    """Items of claims that no catalogue has, where it has one without a claim that may be meant."""
    unclaimed = [item for item in catalogue() if item not in REGISTER]
    for item in dict.fromkeys(claim.item for claim in REGISTER.values() if claim.item not in catalogue()):
        if meant := close_to(item, unclaimed):
            yield f"{item} is in no catalogue, and {meant} has no claim: is it meant?"


def known_papers(papers: Iterable[str]) -> dict[str, Document]:
    """Every announced document by name. Raises InvalidInput where one of the `papers` is not among them."""
    known = documents()
    for paper in papers:
        if paper not in known:
            names = ", ".join(known) or "none: no document is installed"
            begun = [d.name for d in known.values() if any(i.id.startswith(f"{paper.upper()}-") for i in d.items())]
            raise InvalidInput("paper", paper, f"one of {names}", close_to(paper, known) or " or ".join(begun))
    return known


def load_module(path: str | Path) -> None:
    """Run a Python file that registers claims of its own; its relations can be re-checked under the file's name.

    A file of statements (Markdown: ``claims.paragraphs``) is read. One that announces a ``Document`` with a catalogue
    before its claims is a document like the installed ones.
    """
    path = Path(path)
    if not path.is_file():
        raise InvalidInput("module", str(path), "an existing Python file, or a file of statements (.md)")
    if path.suffix == STATEMENTS:
        if not written_in(path):
            look_beside(path)
            register_file(path, path.stem)
            settle()
        return
    if path.stem in sys.modules and getattr(sys.modules[path.stem], "__file__", None) == str(path.resolve()):
        return
    if is_library(path.stem):
        raise InvalidInput("module", str(path), f"a file whose name is free: {path.stem} is the name of a library")
    spec = importlib.util.spec_from_file_location(path.stem, path.resolve())
    if spec is None or spec.loader is None:
        raise InvalidInput("module", str(path), "a Python file or a file of statements (name ending in .py or .md)")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    forget_places()
    trust(path.stem)
    look_beside(path)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[path.stem]
        said = f"{raised(error, str(path.resolve()))}{_near(error)}"
        raise InvalidInput("module", str(path), f"a file that Python can import ({said})") from error
    for document in documents().values():
        if not document.package:
            register_statements(document)
    settle()


def _near(error: BaseException) -> str:
    """What may have been meant by a name that could not be imported, for the end of a message."""
    missing = re.match(r"cannot import name '(\w+)' from '([\w.]+)'", str(error))
    meant = close_to(missing[1], dir(sys.modules.get(missing[2]))) if missing else ""
    return f"; did you mean {meant}?" if meant else ""
