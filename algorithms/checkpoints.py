"""Finished pieces of long simulations in files, so that an interrupted run goes on where it was."""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that a reader (or a kill) sees either the old content or the new one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(content)
    os.replace(temporary, path)


def stored(folder: Path, identity: Any, compute: Callable[[], dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """The arrays filed in `folder` under `identity`; computed and filed if they are not there yet.

    `identity` is everything the arrays depend on: objects that pickle, such as a policy with the generator it was
    given, and versions. Anything that differs is another file; a file cut short cannot exist.
    """
    name = blake2b(pickle.dumps((identity, np.__version__)), digest_size=16).hexdigest()
    return filed(folder / f"{name}.npz", compute)


def filed(path: Path, compute: Callable[[], dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """The arrays in a file; computed, and the file written, if it is not there yet."""
    if path.is_file():
        with np.load(path, allow_pickle=False) as found:
            return dict(found)
    arrays = compute()
    path.parent.mkdir(parents=True, exist_ok=True)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)  # type: ignore[arg-type]
    write_atomically(path, buffer.getvalue())
    return arrays
