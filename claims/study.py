"""Studies: simulations that several claims read, computed once, stored atomically, cited by their hash."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from banditproof.algorithms.run.checkpoints import arrays_of, bytes_of, write_atomically
from banditproof.claims.fingerprint import digest, source_digest, versions
from banditproof.claims.run.seal import is_sealed, seal
from banditproof.claims.seeds import seed_sequence

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
        source = source_digest(self.run.__module__)
        return digest([self.name, self.parameters(profile), root_seed, stream, source, versions()])

    def result(self, profile: str, root_seed: int, folder: Path | None, stream: str = "") -> Arrays:
        """The stored result, or a fresh one that is then stored; ``stream='fresh'`` is an independent repetition."""

        def run() -> Arrays:
            return self.run(seed_sequence(root_seed, f"study:{self.name}{stream}"), **self.parameters(profile))

        return _kept(folder / f"{self.name}-{self.key(profile, root_seed, stream)}.npz", run) if folder else run()


def _kept(path: Path, run: Callable[[], Arrays]) -> Arrays:
    """The arrays of a file that this user's run wrote; one that is damaged, cut short or not sealed is made again."""
    beside = path.with_suffix(".seal")
    if path.is_file() and beside.is_file():
        content = path.read_bytes()
        found = arrays_of(content) if is_sealed(content, beside.read_bytes().decode("ascii", "replace")) else None
        if found is not None:
            return found
    arrays = run()
    content = bytes_of(arrays)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(beside, seal(content).encode())
    write_atomically(path, content)
    return arrays
