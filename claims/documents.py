"""Documents: what is checked comes from installed packages (and files) that announce it; none is named here.

A package announces its documents through the entry point group ``banditproof.documents``; the entry point names a
``Document`` or a tuple of them. The claims of a document are registered by importing every module of its package.
"""

from __future__ import annotations

import csv
import importlib
import pkgutil
import re
import tomllib
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Protocol

from banditproof.theory.errors import InvalidInput, close_to
from banditproof.verify.proof.compare import trust

GROUP = "banditproof.documents"


class Readable(Protocol):
    """A file on disk, or one inside an installed package."""

    def read_text(self, encoding: str) -> str: ...


@dataclass(frozen=True)
class CatalogueItem:
    """A definition, statement, algorithm or experiment of a document, and where it is printed.

    Attributes:
        number: what the document calls it: 'Theorem 8', '(17)', 'Algorithm 2', 'Figure 4'; empty for running text.
        hypotheses: of a theorem, proposition, lemma or corollary: '-' where nothing that it assumes restricts the
            instance, 'domain' where the domain of its claims holds all of it (a point of it is the witness), or the id
            of the claim that shows an instance that meets all of it.
        uses: the items that the document derives it from.
    """

    id: str
    aliases: tuple[str, ...]
    kind: str
    paper: str
    title: str
    section: str = ""
    page: str = ""
    number: str = ""
    hypotheses: str = ""
    uses: tuple[str, ...] = ()

    @property
    def printed(self) -> str:
        """Where it is printed, as far as the catalogue says: 'thesis, Theorem 5.2, section 5.3.2, page 109'."""
        section = self.section if self.section.startswith("App") else f"section {self.section}"
        page = [f"page {self.page}"] if self.page else []
        number = [self.number] if self.number else []
        return ", ".join([self.paper, *number, *([section] if self.section else []), *page])


@dataclass(frozen=True)
class Document:
    """A document whose claims are checked.

    Attributes:
        name: what ``--paper`` calls it.
        title: its title.
        package: the dotted name of the package whose modules register its claims; empty for a single file.
        catalogue: a table (tab-separated, with the columns id, aliases, kind and title; paper, section, page,
            number, hypotheses and uses if known) of the items of the document; rows of other papers are passed over.
            Without one, every claim is an item of its own.
        shares: a package of functions that its sections use, besides their own; evidence may name them.
        fingerprints: of the printed sentences of its items (``banditproof locate --make`` writes them), by which these
            are found in a copy of the document; rows of other documents are passed over.
        statements: a table (TOML) of what is stated without code: what other claims state, what parts decide, what
            nobody can check (``claims.statements``).
        proofs: trees of rules that prove its claims (``claims.trees``); ``banditproof prove`` writes them.
        authors: their names.
        version: the one that is checked, with its year: 'arXiv:2309.00557, 2023'.
        link: the address of its page.
        parts: what items are about whose ids begin so: ``{"MIA": "membership inference"}``; searches read it.
    """

    name: str
    title: str
    package: str = ""
    catalogue: Readable | None = None
    shares: str = ""
    fingerprints: Readable | None = None
    statements: Readable | None = None
    authors: str = ""
    version: str = ""
    link: str = ""
    proofs: Readable | None = None
    parts: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def identity(self) -> str:
        """Authors and version, as far as they are known."""
        return ". ".join(filter(None, (self.authors, self.version)))

    def items(self) -> tuple[CatalogueItem, ...]:
        """The items of the catalogue in their order. Raises InvalidInput for a table without the needed columns."""
        if self.catalogue is None:
            return ()
        return tuple(item for item in _table(self.catalogue, self.name) if item.paper == self.name)

    def table(self) -> dict[str, Any]:
        """The records of its table of statements by id. Raises InvalidInput for what is no TOML."""
        return {} if self.statements is None else _records(self.statements)

    def load(self) -> None:
        """Import every module of the package, which registers the claims that are code."""
        if not self.package:
            return
        root = importlib.import_module(self.package)
        trust(self.package)
        if self.shares:
            trust(self.shares)
        for module in sorted(m.name for m in pkgutil.walk_packages(root.__path__, f"{self.package}.")):
            importlib.import_module(module)


@cache
def _table(catalogue: Readable, default: str) -> tuple[CatalogueItem, ...]:
    table = csv.DictReader(catalogue.read_text(encoding="utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    missing = {"id", "aliases", "kind", "title"} - set(table.fieldnames or ())
    if missing:
        allowed = f"a table that also has the columns {', '.join(sorted(missing))}, with tabs between its cells"
        raise InvalidInput("catalogue", str(catalogue), allowed)
    rows = list(table)
    for row in (one for one in rows if None in {**one}.values() or None in one):
        told = "has more or fewer cells than the heading (tabs divide them)"
        warnings.warn(f"{catalogue}: the row of {row['id']} {told}", stacklevel=2)
    return tuple(
        CatalogueItem(
            row["id"],
            tuple(row["aliases"].split()),
            row["kind"],
            row.get("paper") or default,
            row["title"],
            row.get("section") or "",
            row.get("page") or "",
            row.get("number") or "",
            row.get("hypotheses") or "",
            tuple((row.get("uses") or "").split()),
        )
        for row in rows
    )


@cache
def _records(statements: Readable) -> dict[str, Any]:
    text = statements.read_text(encoding="utf-8")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        before = text.splitlines()[: int(line[1])] if line else text.splitlines()
        record = next((t for t in reversed(before) if t.startswith(("[", '"'))), "the first line")
        raise InvalidInput("statements", str(statements), f"a table in TOML ({error}, at {record})") from error


_FILES: dict[str, Document] = {}


def announce(document: Document) -> Document:
    """Make a document known that a file brings (``--module``); call it before the file's first claim."""
    _FILES[document.name] = document
    catalogue.cache_clear()
    return document


def documents() -> dict[str, Document]:
    """Every announced document by name, in the order in which packages list them."""
    return {**installed(), **_FILES}


@cache
def installed() -> dict[str, Document]:
    """The documents that packages announce, by name."""
    by_name: dict[str, Document] = {}
    announced = entry_points(group=GROUP)
    for entry in sorted(announced, key=lambda e: (e.value.partition(".")[0] != "banditproof", e.name)):
        try:
            value = entry.load()
        except Exception as error:
            allowed = f"a module that can be imported ({type(error).__name__}: {error})"
            raise InvalidInput("document", entry.value, allowed) from error
        for document in value if isinstance(value, Iterable) else (value,):
            if not isinstance(document, Document) or document.name in by_name:
                raise InvalidInput("document", entry.value, "a Document with a new name, or a tuple of such Documents")
            by_name[document.name] = document
    return by_name


def catalogued(name: str) -> CatalogueItem | None:
    """The catalogued item with this id or alias."""
    return catalogue().get(name) or next((item for item in catalogue().values() if name in item.aliases), None)


@cache
def catalogue() -> dict[str, CatalogueItem]:
    """Every item of every document, by id, in their order."""
    items: dict[str, CatalogueItem] = {}
    for document in documents().values():
        for item in document.items():
            if item.id in items:
                other = f"that no other document uses; {item.id} is {items[item.id].paper}'s"
                twice = f"named once; {item.id} is twice in its catalogue"
                allowed = twice if items[item.id].paper == document.name else other
                raise InvalidInput("catalogue", document.name, f"ids {allowed}")
            items[item.id] = item
    kinds = {(item.kind, item.paper) for item in items.values()}
    for kind, paper in kinds:
        others = {one for one, of in kinds if of != paper}
        if kind not in others and (meant := close_to(kind, others)):
            warnings.warn(f"the catalogue of {paper} has the kind {kind!r}: did you mean {meant}?", stacklevel=2)
    return items
