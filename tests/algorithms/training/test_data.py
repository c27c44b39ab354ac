"""Files of images: what is written is read back, nothing in a file is run, and broken files are named."""

import gzip
import pickle
import struct
import zlib

import numpy as np
import pytest

from banditproof.algorithms.training.data import cifar10, digits, fmnist, read_cifar10, read_idx
from banditproof.theory.errors import InvalidInput

IMAGES = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)


def idx(array, kind=0x08):
    return bytes([0, 0, kind, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()


def write_fmnist(folder, ending, pack, labels=(3, 9)):
    (folder / f"t10k-images-idx3-ubyte{ending}").write_bytes(pack(idx(IMAGES)))
    (folder / f"t10k-labels-idx1-ubyte{ending}").write_bytes(pack(idx(np.array(labels, np.uint8))))


def pickled_batch(pixels, labels, kind=b"u1"):
    """The dictionary as Python 2 pickles it: protocol 2, strings of bytes, an array by its parts."""

    def text(s):
        return b"U" + bytes([len(s)]) + s

    def number(n):
        return b"J" + struct.pack("<i", n)

    array = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(K\x00t" + text(b"b") + b"tR("
    array += number(1) + b"(" + b"".join(map(number, pixels.shape)) + b"t"
    array += b"cnumpy\ndtype\n(" + text(kind) + b"K\x00K\x01tR(K\x03" + text(b"|") + b"NNN"
    array += number(-1) + number(-1) + b"K\x00tb\x89T" + struct.pack("<i", pixels.size) + pixels.tobytes() + b"tb"
    ints = b"](" + b"".join(map(number, labels)) + b"e"
    return b"\x80\x02}(" + text(b"data") + array + text(b"labels") + ints + b"u."


PIXELS = np.random.default_rng(0).integers(256, size=(2, 3072), dtype=np.uint8)
BINARY = b"".join(bytes([label]) + row.tobytes() for label, row in zip((7, 0), PIXELS, strict=True))


def test_the_digits_are_those_of_scikit_learn():
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    x, y = digits()
    assert x.shape == (1797, 64) and 0 == x.min() < x.max() == 1
    assert np.bincount(y).tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]


@pytest.mark.parametrize(("ending", "pack"), [("", bytes), (".gz", gzip.compress)])
def test_idx_files_are_read_plain_and_compressed(tmp_path, ending, pack):
    write_fmnist(tmp_path, ending, pack)
    x, y = fmnist(tmp_path, "test")
    np.testing.assert_array_equal(x * 255, IMAGES.reshape(2, 12))
    assert y.tolist() == [3, 9]


def test_numbers_of_more_bytes_are_read_from_the_large_end(tmp_path):
    (tmp_path / "f").write_bytes(idx(np.array([1.5, -2], ">f8"), 0x0E))
    assert read_idx(tmp_path / "f").tolist() == [1.5, -2]


BROKEN = {
    "an IDX file": b"PNG",
    "lengths of its 3": idx(IMAGES)[:9],
    "not fewer": idx(IMAGES)[:-1],
    "not more": idx(IMAGES) + b"0",
    "at most": bytes([0, 0, 8, 2]) + b"\xff" * 8,
    "complete gzip file": gzip.compress(idx(IMAGES))[:-12],
    "gzip": b"\x1f\x8b" + zlib.compress(b"no header"),
}


@pytest.mark.parametrize("allowed", BROKEN)
def test_broken_idx_files_are_named(tmp_path, allowed):
    (tmp_path / "broken").write_bytes(BROKEN[allowed])
    with pytest.raises(InvalidInput, match=allowed):
        read_idx(tmp_path / "broken")


@pytest.mark.parametrize("content", [BINARY, pickled_batch(PIXELS, [7, 0])], ids=["binary", "pickled"])
def test_both_versions_of_cifar10_are_read(tmp_path, content):
    (tmp_path / "batch").write_bytes(content)
    x, y = read_cifar10(tmp_path / "batch")
    np.testing.assert_array_equal(x, PIXELS)
    assert y.tolist() == [7, 0]


def test_the_handmade_pickle_is_what_python_makes_of_it():
    found = pickle.loads(pickled_batch(PIXELS, [7, 0]), encoding="bytes")
    np.testing.assert_array_equal(found[b"data"], PIXELS)


def test_the_batches_of_a_part_stand_one_after_another(tmp_path):
    for k in range(1, 6):
        (tmp_path / f"data_batch_{k}.bin").write_bytes(BINARY[: 3073 * (1 + k % 2)])
    x, y = cifar10(tmp_path)
    assert y.tolist() == [7, 0, 7, 7, 0, 7, 7, 0] and x.max() <= 1


class Malicious:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


@pytest.mark.parametrize("protocol", [0, 2])
def test_a_malicious_pickle_is_refused_and_nothing_in_it_is_run(tmp_path, protocol):
    trap = tmp_path / "trap"
    content = pickle.dumps({"data": Malicious(trap), "labels": [1]}, protocol=protocol)
    pickle.loads(content).clear()
    assert trap.exists()  # it does run where pickles are trusted
    trap.unlink()
    (tmp_path / "batch").write_bytes(content if protocol else b"\x80\x00" + content)
    with pytest.raises(InvalidInput, match=r"it asks for \w*io.open"):
        read_cifar10(tmp_path / "batch")
    assert not trap.exists()


HOSTILE = {
    "of protocol 5": pickle.dumps({"data": 1}, protocol=5),
    "eval": b"\x80\x02cbuiltins\neval\n(U\x011tR.",
    "part of an admitted module": b"\x80\x02cnumpy\nsave\n.",
    "attribute of an admitted name": b"\x80\x02cnumpy\nndarray.__init__\n.",
    "persistent object": b"\x80\x02U\x01xQ.",
    "extension": b"\x80\x02\x82\x01.",
    "state of a stand-in's class": b"\x80\x02cnumpy\nndarray\n}U\x01xU\x01ysb.",
    "memo of the largest index": b"\x80\x02]r\xff\xff\xff\xff.",
    "longer than the file": b"\x80\x05\x96" + b"\xff" * 7 + b"\x00.",
    "cut": pickled_batch(PIXELS, [7, 0])[:-9],
    "other numbers": pickled_batch(PIXELS, [7, 0], kind=b"O8"),
    "fewer labels": pickled_batch(PIXELS, [7]),
    "negative label": pickled_batch(PIXELS, [7, -1]),
    "no array": b"\x80\x02}.",
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE.keys())
def test_pickles_that_hold_something_else_are_refused(tmp_path, content):
    (tmp_path / "batch").write_bytes(content)
    with pytest.raises(InvalidInput, match="a pickled batch of CIFAR10"):
        read_cifar10(tmp_path / "batch")


def test_broken_folders_and_batches_are_named(tmp_path):
    with pytest.raises(InvalidInput, match="train-images-idx3-ubyte or train-images-idx3-ubyte.gz"):
        fmnist(tmp_path)
    with pytest.raises(InvalidInput, match="data_batch_1 or data_batch_1.bin"):
        cifar10(tmp_path)
    with pytest.raises(InvalidInput, match="one of train, test"):
        cifar10(tmp_path, "validation")
    write_fmnist(tmp_path, "", bytes, labels=[3, 9, 1])
    with pytest.raises(InvalidInput, match="labels 0, ..., 9 for them"):
        fmnist(tmp_path, "test")
    (tmp_path / "batch").write_bytes(BINARY[:-1])
    with pytest.raises(InvalidInput, match="rows of a label and 3072 pixels"):
        read_cifar10(tmp_path / "batch")
    (tmp_path / "batch").write_bytes(b"\x0a" + BINARY[1:])
    with pytest.raises(InvalidInput, match="labels 0, ..., 9"):
        read_cifar10(tmp_path / "batch")
