"""Seeds: the same numbers for any number of workers, and for one claim alone."""

from __future__ import annotations

import hashlib

import numpy as np

ROOT_SEED = 20_250_301


def seed_sequence(root: int, name: str) -> np.random.SeedSequence:
    """``SeedSequence([root, *blake2b(name)])``: depends on the root seed and the name, on nothing else."""
    digest = hashlib.blake2b(name.encode(), digest_size=16).digest()
    return np.random.SeedSequence([root, *np.frombuffer(digest, dtype=np.uint32).tolist()])


def derived_seed(root: int, name: str) -> int:
    """A 63-bit integer seed derived in the same way."""
    return int(seed_sequence(root, name).generate_state(2, np.uint64)[0] >> 1)
