"""Studies: simulations that several claims read, computed once, stored atomically, cited by their hash."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from banditproof.algorithms.run.checkpoints import arrays_of, bytes_of, write_atomically
from banditproof.claims.fingerprint import digest, source_digest, versions
from banditproof.claims.seal import is_sealed, seal
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

        path = self.file(profile, root_seed, folder, stream) if folder else None
        kept = None if path is None else kept_in(path)
        if kept is not None:
            return kept
        arrays = self.run(seed_sequence(root_seed, f"study:{self.name}{stream}"), **self.parameters(profile))
        if path is not None:
            keep(path, bytes_of(arrays))
        return arrays

    def file(self, profile: str, root_seed: int, folder: Path, stream: str = "") -> Path:
        """Where the result is stored."""
        return folder / f"{self.name}-{self.key(profile, root_seed, stream)}.npz"


def kept_in(path: Path) -> Arrays | None:
    """The arrays of a file that this user's run wrote; None for one that is damaged, renamed or not sealed."""
    beside = path.with_suffix(".seal")
    if not (path.is_file() and beside.is_file()):
        return None
    content = path.read_bytes()
    return arrays_of(content) if is_sealed(path.name, content, beside.read_bytes()) else None


def keep(path: Path, content: bytes) -> None:
    """File the stored form of a result as this user's."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path.with_suffix(".seal"), seal(path.name, content).encode())
    write_atomically(path, content)
