"""The algorithms in the help: read from the register when help is asked for, since loading it takes time."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

from typer.core import TyperCommand

WIDTH = 47  # of the help of an option; no name is cut in two


def _filled(text: str, behind: str = "") -> str:
    """The text in lines with room for what is put behind it."""
    return textwrap.fill(text, WIDTH - len(behind), break_on_hyphens=False)


def algorithms_to_simulate() -> str:
    """The names of what `simulate` plays, by the option that the setting comes from."""
    from banditproof.algorithms.registration import ContextualSetting, Game, LinearSetting, Setting
    from banditproof.algorithms.roster import algorithms

    settings = {"--means": Setting, "--actions": LinearSetting, "--contexts": ContextualSetting, "--losses": Game}
    groups: dict[str, list[str]] = {}
    for option, setting in settings.items():
        for name, entry in algorithms(setting).items():
            groups.setdefault("--experts" if "experts" in entry.asks else option, []).append(name)
    lines = [_filled(f"With {option}: {', '.join(names)}.") for option, names in groups.items()]
    return "\n".join(["Name of an algorithm (repeatable).", *lines])


def strategies_to_run() -> str:
    """The names of what `identify` runs."""
    from banditproof.algorithms.registration import IdentificationSetting
    from banditproof.algorithms.roster import algorithms

    return _filled(f"Repeatable: {', '.join(algorithms(IdentificationSetting))}.", behind="  [required]")


def listing(names: Callable[[], str]) -> type[TyperCommand]:
    """A command whose help of --algorithm is made by `names`, and kept as it is line by line."""

    class Listing(TyperCommand):
        def format_options(self, ctx: Any, formatter: Any) -> None:
            for option in self.params:
                if option.name == "algorithm":
                    option.help = f"\b\n{names()}"  # pyright: ignore[reportAttributeAccessIssue]
            super().format_options(ctx, formatter)

    return Listing
