"""The register of planted bugs: each stands in it under the name that it is given where it is defined.

    @PLANTED.named("noise halved")
    class NoiseHalved(Bug): ...

The checks of policies are tried on policies with these bugs, and have to notice each of them. `plant`
(`verify/runs/planted.py`) puts a bug into the policies that a function makes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from banditproof.theory.errors import close_to
from banditproof.theory.tables import UnknownName

Planter = Callable[[Any], Any]
"""Takes a fresh policy and gives it back with the bug; or takes a noise source and gives what stands before it."""

Defined = TypeVar("Defined", bound=Planter)


class Bugs(dict[str, Planter]):
    """The bugs that can be planted into the policies of one family, by name."""

    families: ClassVar[dict[str, Bugs]] = {}
    """Every family by its name."""

    def __init__(self, family: str) -> None:
        super().__init__()
        if family in self.families:
            raise ValueError(f"there are bugs of the family {family} already")
        self.family = family
        self.families[family] = self

    def __missing__(self, name: str) -> Planter:
        raise UnknownName("bug", name, f"one of {', '.join(self)}", close_to(name, self))

    def named(self, name: str) -> Callable[[Defined], Defined]:
        """Enters the bug below under this name. Raises ValueError where the family has another one of this name."""

        def enter(bug: Defined) -> Defined:
            if name in self:
                raise ValueError(f"{self.family} has a bug {name!r} already")
            self[name] = bug
            return bug

        return enter
