"""What is true: quantities, bounds and their evidence. Pure functions, no randomness, no input or output.

The public names are those of the stub beside this file. They are loaded when they are first used, so that importing
this package is cheap.
"""

from __future__ import annotations

from banditproof.theory.face import face

__getattr__, __dir__, __all__ = face(__name__)
