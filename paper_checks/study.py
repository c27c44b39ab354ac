"""Studies: simulations that several claims read, computed once, stored atomically, cited by their hash."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from banditproof.algorithms.checkpoints import filed
from banditproof.paper_checks.fingerprint import digest, room_digest
from banditproof.paper_checks.seeds import seed_sequence

Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class Study:
    """A named simulation.

    Attributes:
        name: unique name; also the name its seed is derived from.
        run: function of a ``numpy.random.SeedSequence`` and the parameters, returning named arrays.
        quick, full: the parameters under each profile.
    """

    name: str
    run: Callable[..., Arrays]
    quick: Mapping[str, Any]
    full: Mapping[str, Any] = field(default_factory=dict)

    def parameters(self, profile: str) -> dict[str, Any]:
        return {**self.quick, **(self.full if profile == "full" else {})}

    def key(self, profile: str, root_seed: int, stream: str = "") -> str:
        """Hash of everything the result depends on."""
        source = inspect.getsource(inspect.getmodule(self.run) or self.run)
        facts = [self.name, self.parameters(profile), root_seed, stream, source, room_digest("theory", "algorithms")]
        return digest([*facts, np.__version__])

    def result(self, profile: str, root_seed: int, folder: Path | None, stream: str = "") -> Arrays:
        """The stored result, or a fresh one that is then stored; ``stream='fresh'`` is an independent repetition."""

        def run() -> Arrays:
            return self.run(seed_sequence(root_seed, f"study:{self.name}{stream}"), **self.parameters(profile))

        return filed(folder / f"{self.name}-{self.key(profile, root_seed, stream)}.npz", run) if folder else run()
