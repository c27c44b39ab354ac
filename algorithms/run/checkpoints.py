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

CHECKSUM = 16  # bytes


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that a reader (or a kill) sees either the old content or the new one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    except OSError as error:  # a full disk is not made fuller
        temporary.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None


def stored(folder: Path, identity: Any, compute: Callable[[], dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """The arrays filed in `folder` under `identity`; computed and filed if they are not there yet.

    `identity` is everything the arrays depend on: objects that pickle, such as a policy with the generator it was
    given, and versions. Anything that differs is another file.
    """
    name = blake2b(pickle.dumps((identity, np.__version__)), digest_size=16).hexdigest()
    return filed(folder / f"{name}.npz", compute)


def filed(path: Path, compute: Callable[[], dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """The arrays in a file; computed, and the file written, if it is not there yet, damaged or another one renamed."""
    on_disk = path.read_bytes() if path.is_file() else b""
    if on_disk[-CHECKSUM:] == _checksum(path, on_disk[:-CHECKSUM]):
        return arrays_of(on_disk[:-CHECKSUM])
    arrays = compute()
    path.parent.mkdir(parents=True, exist_ok=True)
    content = bytes_of(arrays)
    write_atomically(path, content + _checksum(path, content))
    return arrays


def _checksum(path: Path, content: bytes) -> bytes:
    """The end of a file, by which damage is known: NumPy and zip notice only some of it."""
    return blake2b(path.name.encode() + content, digest_size=CHECKSUM).digest()


def bytes_of(arrays: dict[str, np.ndarray]) -> bytes:
    """Arrays as the content of an .npz file."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def arrays_of(content: bytes) -> dict[str, np.ndarray]:
    """The arrays of an .npz file that is whole. Pickled objects are never read."""
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return dict(arrays)
