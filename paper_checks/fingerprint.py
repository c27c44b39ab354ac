"""Fingerprints: what a stored result depends on, so that it is used again only while nothing of that has changed."""

from __future__ import annotations

import hashlib
import json
import platform
from functools import cache
from importlib import metadata
from importlib.resources import files
from typing import Any

LIBRARIES = ("numpy", "scipy", "mpmath", "python-flint", "sympy", "hypothesis")


def digest(facts: Any) -> str:
    """A short hash of JSON-like facts."""
    text = json.dumps(facts, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


@cache
def room_digest(*rooms: str) -> str:
    """A hash of all source files of the named rooms."""
    total = hashlib.blake2b(digest_size=12)
    for room in rooms:
        for source in sorted(files(f"banditproof.{room}").iterdir(), key=lambda f: f.name):
            if source.name.endswith(".py"):
                total.update(source.name.encode() + b"\0" + source.read_bytes())
    return total.hexdigest()


@cache
def versions() -> dict[str, str]:
    """The versions a result was computed with."""
    return {
        "python": platform.python_version(),
        **{name: metadata.version(name) for name in ("banditproof", *LIBRARIES)},
    }
