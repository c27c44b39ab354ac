"""How results show themselves: as text on a terminal, as HTML in a notebook."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, fields
from fractions import Fraction
from html import escape
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from banditproof.theory.errors import InvalidInput, NoNumber, close_to, one_of
from banditproof.theory.hints import hint
from banditproof.theory.laws.instance import Instance
from banditproof.theory.laws.law import Law
from banditproof.theory.numbers.enclosure import Enclosure, Valued, same_fields, set_no_bound
from banditproof.theory.numbers.exact_numbers import shown
from banditproof.theory.verdicts import VERDICTS, known_of


@dataclass(frozen=True)
class Table:
    """A title, column heads and rows of text."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def text(self) -> str:
        """Columns as wide as their longest entry."""
        lines = (self.head, *self.rows)
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        aligned = ("  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)).rstrip() for line in lines)
        return "\n".join([self.title, *aligned])

    def html(self) -> str:
        """A table element with a caption; every text is escaped."""

        def row(tag: str, cells: tuple[str, ...]) -> str:
            return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"

        body = "".join(row("td", cells) for cells in self.rows)
        head = f"<caption>{escape(self.title)}</caption><thead>{row('th', self.head)}</thead>"
        return f"<table>{head}<tbody>{body}</tbody></table>"


class Shown(ABC):
    """What shows itself as a `table`, wherever Python or a notebook displays it."""

    @abstractmethod
    def table(self) -> Table:
        """What is shown."""

    def __str__(self) -> str:
        return self.table().text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.table().html()


class Verdict(str):
    """The word of a verdict. Compared with a text that is none of its kind, it raises InvalidInput: else
    ``verdict != "violated"`` would always pass. It is no condition itself, and `asked` is one.
    """

    among: ClassVar[Sequence[str]] = ("ok", "violation", "inconclusive", "not refuted")
    asked: ClassVar[str] = "report.ok where there is one, or for a word, as in report.verdict != 'violation'"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            one_of("verdict", str(other), self.among)
        return bool(self) if isinstance(other, bool) else str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        """Raises TypeError: "violation" would count as true."""
        raise TypeError(f"a verdict is neither true nor false: ask for {self.asked}")

    __hash__ = str.__hash__


class OnATheorem(Verdict):
    """The word of a verdict on what a document states."""

    among, asked = VERDICTS, "a word, as in bound.verdict == 'proved'"


class WithVerdict:
    """What has a verdict, a field or a property: a text beside it is compared with the verdict, and it is no condition
    itself.
    """

    verdict: Any
    words: ClassVar[type[Verdict]] = Verdict

    def __init_subclass__(cls) -> None:
        setattr(cls, "__eq__", WithVerdict.__eq__)  # noqa: B010, a dataclass keeps what its class has

    def __post_init__(self) -> None:
        if "verdict" in vars(self):
            object.__setattr__(self, "verdict", self.words(self.verdict))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str | bool):
            return self.verdict == other
        return same_fields(self, other) if type(self) is type(other) else NotImplemented

    def __bool__(self) -> bool:
        """Raises TypeError: a report of a violation would count as true."""
        asked = "report.ok" if hasattr(self, "ok") else self.words.asked
        raise TypeError(f"{type(self).__name__} is neither true nor false: ask for {asked}")

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            told = f"; its verdict, one of {', '.join(self.words.among)}, is .verdict" * (name[:2] != "__")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{told}", name=name, obj=self)


class Preformatted(WithVerdict):
    """A report, whose text a notebook keeps as it is."""

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


@dataclass(frozen=True, repr=False)
class OneBound(Valued):
    """A bound that acts as its value, and shows itself in a line: name, value, whether it applies, formula and source.

    Where `applies` is False, for the reason in `why`, the number is that of the printed formula and guarantees nothing:
    to use it as a number raises InvalidInput.
    """

    name: str
    source: str
    formula: str
    value: Enclosure
    applies: bool
    why: str

    def __post_init__(self) -> None:
        set_no_bound(self)

    def __repr__(self) -> str:
        guaranteed = "" if self.applies else f", does not apply: {self.why}"
        said = f"{self.name}: {self.value.decimal(6)}{guaranteed}; {self.formula}; {self.source} ({self.verdict})"
        return f"<{type(self).__name__} {said}; exact ends: .value.lower, .value.upper>"

    @property
    def verdict(self) -> Verdict:
        """The verdict on the statement in `source`, a word such as "proved"; it is not one on the number."""
        return OnATheorem(known_of(self.source).verdict)

    @property
    def corrected(self) -> str:
        """What is true in place of a refuted `source`, with the verdict on that; else empty."""
        return known_of(self.source).corrected

    def to_dict(self) -> dict[str, Any]:
        """Name, value (the middle), lower and upper as floats, whether it applies and why, formula and source, the
        verdict on that and what corrects it.

        Where it does not apply, the three numbers are None.
        """
        said = {"bound": self.name, **self.value.to_dict(), "applies": self.applies, "why": self.why}
        told = {"formula": self.formula, "source": self.source, "verdict": self.verdict, "corrected": self.corrected}
        return said | told


OLD_NAMES: tuple[str, ...] = ("double-change", "private-d-epsilon", "view-d-epsilon")
RENAMED: Mapping[str, str] = dict.fromkeys(OLD_NAMES, "d-epsilon")
"""Names of bounds that had others in the version before; they warn."""


class UnknownName(InvalidInput, KeyError):
    """A name that a mapping does not have: the message lists those that it has."""


B = TypeVar("B", bound=OneBound)
Part = TypeVar("Part")


class Parts(dict[str, Part]):
    """What bounds are made of, by name; for another name it raises UnknownName, which lists those that there are."""

    def __missing__(self, name: str) -> Part:
        raise UnknownName("name", name, f"one of {', '.join(self)}", close_to(name, self))


class NamedBounds(NoNumber, Shown, Mapping[str, B]):
    """Bounds by name, as a read-only dict: `bounds["kl"]`, `items()`, `len`; and a table of all."""

    bounds: dict[str, B]

    @property
    def meant(self) -> str:
        return f"several bounds are no number and no condition: one of them is bounds[{next(iter(self.bounds))!r}]"

    __bool__ = __array__ = NoNumber._refused  # bounds of which none applies would count as true

    def __getitem__(self, name: str) -> B:
        """The bound of this name. Raises UnknownName, which lists the names and is a KeyError."""
        if isinstance(name, str) and (renamed := RENAMED.get(name)) in self.bounds:
            hint(f"the bound {name!r} is called {renamed!r} now, and by that name alone in the next version")
            return self.bounds[renamed]
        if not isinstance(name, str) or name not in self.bounds:
            without = self._problem().get("epsilon", 0) is None
            allowed = f"one of {', '.join(self.bounds)}{'; those with privacy need epsilon=' if without else ''}"
            raise UnknownName("bound", name, allowed, close_to(name, self.bounds))
        return self.bounds[name]

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and (meant := close_to(name, self.bounds)):
            places = " or ".join(f"bounds[{one!r}]" for one in meant.split(" or "))
            raise AttributeError(f"{type(self).__name__} has no {name}: a bound is {places}")
        hint = ": to_dict() gives plain values, to_frame() a pandas table" if name.startswith("to_") else ""
        if name in ("value", "constant", "lower", "upper", "applies"):
            hint = f": each bound has its own, as bounds[{next(iter(self.bounds))!r}] does"
        if name == "recheck":
            hint = ": these bounds are formulas, of which no certificate is needed"
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}", name=name, obj=self)

    def __iter__(self) -> Iterator[str]:
        """The names of the bounds."""
        return iter(self.bounds)

    def __len__(self) -> int:
        return len(self.bounds)

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Every bound in plain values, by name, with what was asked (arms, budget, risk, horizon): for JSON and tables.

        A value is as in `Enclosure.to_dict`. A budget, a risk or a horizon is the nearest float; beside it stands the
        exact number as text, in `epsilon_exact` the decimal "0.1", "1/3", or the fraction that the float 0.1 is.
        """
        asked: dict[str, Any] = {}
        for field in self._asked():
            value = getattr(self, field.name)
            exact = "Fraction" in str(field.type)
            whole = isinstance(value, int) or value is None
            asked |= columns(field.name, value) if exact else {field.name: value if whole else label(value)}
        return {name: bound.to_dict() | asked for name, bound in self.bounds.items()}

    def _asked(self) -> list[Field[Any]]:
        """What the bounds are of: the fields of the class beside them."""
        return [field for field in fields(cast(Any, self)) if field.name not in ("bounds", "times", "ceiling")]

    def _problem(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in self._asked()}

    def to_frame(self) -> Any:
        """A pandas data frame with a row for each bound. Raises ImportError without pandas, which no extra installs."""
        try:
            import pandas  # pyright: ignore[reportMissingImports]
        except ImportError:
            raise ImportError("a data frame needs pandas: pip install pandas (to_dict() needs nothing)") from None
        return pandas.DataFrame(list(self.to_dict().values()))

    def table(self) -> Table:
        """Every bound: its enclosure rounded outward, whether it applies, its formula and source."""
        kind = "".join(f" {c.lower()}" if c.isupper() else c for c in type(self).__name__).strip()
        said = [f"{name} = {label(value)}" for name, value in self._problem().items() if value is not None]
        rows = tuple(
            (name, b.value.decimal(6), "yes" if b.applies else f"no: {b.why}", b.formula, f"{b.source} ({b.verdict})")
            for name, b in self.bounds.items()
        )
        return Table(", ".join([kind, *said]), ("bound", "value", "applies", "formula", "source"), rows)


class NamedLowerBounds(NamedBounds[B]):
    """Bounds from below by name."""

    @property
    def best(self) -> B:
        """The applicable bound with the largest guaranteed value; of those that may be equal one whose source is not
        refuted. Raises InvalidInput if none applies.
        """
        if not any(bound.applies for bound in self.bounds.values()):
            reasons = "; ".join(f"{name}: {bound.why}" for name, bound in self.bounds.items())
            raise InvalidInput(
                "best", type(self).__name__, f"asked where a bound applies, but here none does ({reasons})"
            )
        applying = [bound for bound in self.bounds.values() if bound.applies]
        largest = max(bound.value.lower for bound in applying)
        equal = [bound for bound in applying if bound.value.upper >= largest]
        return max(equal, key=lambda bound: (known_of(bound.source).verdict != "refuted", bound.value.lower))


def columns(name: str, value: Fraction | float | None) -> dict[str, Any]:
    """A number that was asked, as two columns of a table: the nearest float, and beside it the exact number as text."""
    return {name: None if value is None else _nearest(value), f"{name}_exact": None if value is None else label(value)}


def _nearest(value: Fraction | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def label(value: Any) -> str:
    """What bounds are of, for readers: numbers exactly, laws with all that makes them, arms of one kind together."""
    if isinstance(value, Law | Instance):
        arms: tuple[Any, ...] = (value,) if isinstance(value, Law) else value.arms
        made = [[label(getattr(arm, f.name)) for f in fields(arm)] for arm in arms]
        listed = [list(chain(*made))] if max(map(len, made)) == 1 else made
        return ", ".join(f"{type(arms[0]).__name__}({', '.join(one)})" for one in listed)
    if hasattr(value, "tolist"):  # arrays
        return label(value.tolist())
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{label(key)}: {label(entry)}' for key, entry in cast(Any, value).items())}}}"
    if isinstance(value, list | tuple):
        return f"({', '.join(map(label, cast(Any, value)))})"
    return shown(value) if isinstance(value, Fraction) else str(value)
