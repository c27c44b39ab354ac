"""Seals: stored pieces are believed only where this user wrote them.

What a piece depends on is in its key, which anybody can compute; so whoever could write into the output folder could
hand in a verdict. A seal is a keyed hash with a secret that is made once per user and stays on the machine; the name
of the file is in it, since a file under another name answers another question.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from functools import cache
from pathlib import Path


@cache
def _secret() -> bytes:
    """The user's secret; where no file can be kept, one of this process: then nothing is taken up later."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "banditproof"
    path, temporary = folder / "seal", folder / f".seal.{os.getpid()}"
    try:
        if not path.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            temporary.touch(mode=0o600)
            temporary.write_bytes(secrets.token_bytes(32))
            os.replace(temporary, path)
        return path.read_bytes()
    except OSError:
        return secrets.token_bytes(32)


def seal(name: str, content: bytes) -> str:
    """The keyed hash of the content of a file of this name."""
    return hmac.new(_secret(), f"{name}\0".encode() + content, hashlib.blake2b).hexdigest()[:48]


def is_sealed(name: str, content: bytes, given: bytes) -> bool:
    """Whether the content of a file carries the right seal."""
    return hmac.compare_digest(seal(name, content).encode(), given)
