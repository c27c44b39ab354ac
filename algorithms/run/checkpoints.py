"""Finished pieces of long simulations in files, so that an interrupted run goes on where it was."""

from __future__ import annotations

import io
import os
import pickle
import zlib
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that a reader (or a kill) sees either the old content or the new one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    except OSError:  # a full disk is not made fuller
        temporary.unlink(missing_ok=True)
        raise


def stored(folder: Path, identity: Any, compute: Callable[[], dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """The arrays filed in `folder` under `identity`; computed and filed if they are not there yet.

    `identity` is everything the arrays depend on: objects that pickle, such as a policy with the generator it was
    given, and versions. Anything that differs is another file; a file cut short cannot exist.
    """
    name = blake2b(pickle.dumps((identity, np.__version__)), digest_size=16).hexdigest()
    return filed(folder / f"{name}.npz", compute)


def filed(path: Path, compute: Callable[[], dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """The arrays in a file; computed, and the file written, if it is not there yet or damaged."""
    if path.is_file():
        found = arrays_of(path.read_bytes())
        if found is not None:
            return found
    arrays = compute()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, bytes_of(arrays))
    return arrays


def bytes_of(arrays: dict[str, np.ndarray]) -> bytes:
    """Arrays as the content of an .npz file."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def arrays_of(content: bytes) -> dict[str, np.ndarray] | None:
    """The arrays of an .npz file, or None where it is damaged. Pickled objects are never read."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as found:
            return dict(found)
    except (ValueError, OSError, EOFError, BadZipFile, zlib.error):
        return None
