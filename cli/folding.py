"""Tables of which nothing is cut off: what is wider than its column goes on in the next line."""

from __future__ import annotations

from typing import Any

import rich.table


class Table(rich.table.Table):
    """Rich's table, which cuts long words by default, such as names of bounds on a terminal of 80 columns."""

    def add_column(self, *given: Any, **options: Any) -> None:
        super().add_column(*given, **{"overflow": "fold", **options})
