"""True statements by name and content, so that the provers of two versions can be asked for the same ones.

A line of a list is a name, such as ``BDP-T3.1@slack``, and the key of its statement; '#' begins a comment. A name whose
claim is gone, or says something else than when it was listed, is counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from banditproof.claims.arena.contest import Outcome
from banditproof.claims.register import REGISTER
from banditproof.theory.errors import InvalidInput


@dataclass(frozen=True)
class Listed:
    """Statements to be proved again: claim -> alteration -> the key of the statement that results."""

    keys: Mapping[str, Mapping[str, str]]

    @property
    def names(self) -> list[str]:
        """All of them, those of one claim together."""
        return [f"{claim}@{alteration}" for claim, keys in self.keys.items() for alteration in keys]

    @property
    def claims(self) -> list[str]:
        """The claims that are registered today."""
        return [name for name in self.keys if name in REGISTER and REGISTER[name].relation is not None]


def read(path: Path) -> Listed:
    """The statements that a file lists. Raises InvalidInput for a line that is not a name and a key, and for none."""
    keys: dict[str, dict[str, str]] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("again", str(path), f"a text file that can be read ({error})") from error
    for line in lines:
        if not line or line.startswith("#"):
            continue
        name, *rest = line.split()
        claim, _, alteration = name.rpartition("@")
        if not claim or len(rest) != 1 or alteration in keys.get(claim, {}):
            names = "lines of a name such as BDP-T3.1@slack and its key, each name once"
            raise InvalidInput("again", line[:100], names)
        keys.setdefault(claim, {})[alteration] = rest[0]
    if not keys:
        raise InvalidInput("again", str(path), "a file with at least one line of a name and its key")
    return Listed(keys)


@dataclass(frozen=True)
class ProvedAgain:
    """What came out for the statements of a list.

    Attributes:
        outcomes: of those that are still stated.
        lost: names that gave nothing, because their process ended or took too long: they are not proved.
        changed: names whose claim is gone or says something else today; these do not count.
    """

    outcomes: Sequence[Outcome] = ()
    lost: Sequence[str] = ()
    changed: Sequence[str] = field(default_factory=list)

    @property
    def proved(self) -> int:
        return Counter(o.verdict for o in self.outcomes)["proved"]

    @property
    def total(self) -> int:
        return len(self.outcomes) + len(self.lost)


def proved_again(listed: Listed, outcomes: Sequence[Outcome], is_lost: Callable[[str], bool]) -> ProvedAgain:
    """The outcomes of a list; `is_lost` says whether a claim gave nothing at all."""
    by_name = {o.name: o for o in outcomes}
    absent = [name for name in listed.names if name not in by_name]
    lost = [name for name in absent if is_lost(name.rpartition("@")[0])]
    return ProvedAgain([by_name[n] for n in listed.names if n in by_name], lost, [n for n in absent if n not in lost])
