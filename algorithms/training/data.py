"""Images to train on: the digits that come with scikit-learn, and FMNIST and CIFAR10 from files on disk.

Every loader returns x [n, pixels] in [0, 1] and labels y [n]. Files may come from strangers: nothing in them is run,
and no more is read than what their kind holds.

Source: MIA-E7.4
"""

from __future__ import annotations

import gzip
import pickle
import pickletools
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from banditproof.theory.errors import InvalidInput

Labelled = tuple[np.ndarray, np.ndarray]
PARTS = ("train", "test")
LARGEST = 2**31  # bytes of an array
IDX_TYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}
CIFAR_PIXELS, CIFAR_BATCH = 3072, 10_000


def digits() -> Labelled:
    """The 1,797 digits of 8 x 8 pixels that come with scikit-learn, in their order; ten classes.

    Raises ImportError without the extra `train`.
    """
    try:
        from sklearn.datasets import load_digits
    except ImportError as error:
        if error.name != "sklearn":
            raise
        raise ImportError("the digits need scikit-learn: pip install 'banditproof[train]'", name="sklearn") from error
    x, y = load_digits(return_X_y=True)
    return x / 16, y


def fmnist(folder: Path | str, part: str = "train") -> Labelled:
    """FMNIST, or MNIST, as distributed: IDX files, plain or compressed, for 60,000 images of "train", 10,000 of "test".

    Raises InvalidInput for another part, and for files that are missing or hold something else.
    """
    name = {"train": "train", "test": "t10k"}[_checked(part)]
    images, labels = (_file_of(Path(folder), f"{name}-{kind}-ubyte") for kind in ("images-idx3", "labels-idx1"))
    x, y = read_idx(images), read_idx(labels)
    if x.ndim != 3 or x.dtype != np.uint8 or y.shape != x.shape[:1] or y.dtype != np.uint8 or (y > 9).any():
        raise InvalidInput("folder", str(folder), "images [n, rows, columns] and labels 0, ..., 9 for them, in bytes")
    return x.reshape(len(x), -1) / 255, y.astype(int)


def cifar10(folder: Path | str, part: str = "train") -> Labelled:
    """CIFAR10 as distributed, its binary or its Python version: five batches for "train", one for "test".

    Raises InvalidInput for another part, and for files that are missing or hold something else.
    """
    names = {"train": [f"data_batch_{k}" for k in range(1, 6)], "test": ["test_batch"]}[_checked(part)]
    batches = [read_cifar10(_file_of(Path(folder), name, ("", ".bin"))) for name in names]
    x, y = (np.concatenate(arrays) for arrays in zip(*batches, strict=True))
    return x / 255, y.astype(int)


def read_idx(path: Path | str) -> np.ndarray:
    """The array of an IDX file, plain or compressed by gzip. Raises InvalidInput for anything else."""
    with open(path, "rb") as plain:
        compressed = plain.read(2) == b"\x1f\x8b"
        plain.seek(0)
        try:
            return _read_idx(gzip.open(plain) if compressed else plain, str(path))
        except (gzip.BadGzipFile, EOFError) as error:
            raise InvalidInput("path", str(path), f"a complete gzip file ({error})") from error


def read_cifar10(path: Path | str) -> Labelled:
    """Pixels [n, 3072] and labels [n], bytes, of one batch: of rows of 3,073 bytes, or a dictionary that was pickled.

    Of the objects a pickle names only those of an array are let in, and stand-ins take their places: nothing that the
    file says is called. Raises InvalidInput for anything else.
    """
    with open(path, "rb") as file:
        pickled = file.read(1) == b"\x80"  # above every label
        file.seek(0)
        x, y = _pickled_batch(file, str(path)) if pickled else _binary_batch(file, str(path))
    if (y > 9).any():
        raise InvalidInput("path", str(path), "a batch with labels 0, ..., 9")
    return x, y


def _checked(part: str) -> str:
    if part not in PARTS:
        raise InvalidInput("part", part, f"one of {', '.join(PARTS)}")
    return part


def _file_of(folder: Path, name: str, endings: Iterable[str] = ("", ".gz")) -> Path:
    for ending in endings:
        if (folder / (name + ending)).is_file():
            return folder / (name + ending)
    raise InvalidInput("folder", str(folder), f"one that holds {' or '.join(name + e for e in endings)}")


def _read_idx(file: Any, path: str) -> np.ndarray:
    start = file.read(4)
    if len(start) < 4 or start[:2] != b"\0\0" or start[2] not in IDX_TYPES:
        raise InvalidInput("path", path, "an IDX file: two zero bytes, a type, a number of dimensions")
    header = file.read(4 * start[3])
    if len(header) < 4 * start[3]:
        raise InvalidInput("path", path, f"an IDX file with the lengths of its {start[3]} dimensions")
    shape = tuple(int(length) for length in np.frombuffer(header, ">u4"))
    kind = np.dtype(IDX_TYPES[start[2]])
    size = kind.itemsize
    for length in shape:
        size *= length
    if size > LARGEST:
        raise InvalidInput("path", path, f"an array of at most {LARGEST} bytes, not of shape {shape}")
    content = file.read(size + 1)  # what is compressed may be without end
    if len(content) != size:
        raise InvalidInput("path", path, f"an IDX file with the {size} bytes of shape {shape}, not fewer, not more")
    return np.frombuffer(content, kind).reshape(shape).astype(kind.newbyteorder("="))


def _binary_batch(file: BinaryIO, path: str) -> Labelled:
    content = file.read(CIFAR_BATCH * (CIFAR_PIXELS + 1) + 1)
    rows, rest = divmod(len(content), CIFAR_PIXELS + 1)
    if rest or not 0 < rows <= CIFAR_BATCH:
        raise InvalidInput("path", path, f"1 to {CIFAR_BATCH} rows of a label and {CIFAR_PIXELS} pixels, in bytes")
    table = np.frombuffer(content, np.uint8).reshape(rows, -1)
    return table[:, 1:], table[:, 0]


class _Held:
    """Stands for an object of NumPy: keeps what it was made of and does nothing."""

    state: Any = None

    def __init__(self, *arguments: Any) -> None:
        self.arguments = arguments

    def __setstate__(self, state: Any) -> None:
        self.state = state


_COMMANDS: dict[int, Any] = pickle._Unpickler.dispatch  # pyright: ignore[reportAttributeAccessIssue]


class _ArraysOnly(pickle._Unpickler):  # pyright: ignore[reportAttributeAccessIssue]
    """In Python and of protocol 2: the compiled one, and later protocols, reserve any length that a file claims."""

    dispatch = {ord(o.code): _COMMANDS[ord(o.code)] for o in pickletools.opcodes if o.proto <= 2}

    def find_class(self, module: str, name: str) -> type[_Held]:
        """A stand-in for the names by which a pickled array is made; no other name is let in."""
        made_of = {("numpy.core.multiarray", "_reconstruct"), ("numpy", "ndarray"), ("numpy", "dtype")}
        if (module, name) not in made_of:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}")
        return _Held


def _pickled_batch(file: BinaryIO, path: str) -> Labelled:
    """Python 2 wrote these dictionaries: its strings are bytes."""
    try:
        batch = _ArraysOnly(file, encoding="bytes").load()
        _, shape, kind, by_columns, content = batch[b"data"].state
        labels = np.array(batch[b"labels"])
        if kind.arguments[0] != b"u1" or by_columns or labels.dtype != int or labels.min() < 0:
            raise ValueError("pixels and labels are not bytes, row by row")
        x = np.frombuffer(content, np.uint8).reshape(shape)
        if x.shape != (len(labels), CIFAR_PIXELS):
            raise ValueError(f"shapes are {x.shape} and {labels.shape}")
    except Exception as error:  # a stranger's file can make an unpickler raise anything
        raise InvalidInput("path", path, f"a pickled batch of CIFAR10 ({type(error).__name__}: {error})") from error
    return x, labels
