"""What Python runs is looked at by one tracer at a time, and nothing runs that was not called."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

Tracer = Callable[[FrameType, str, Any], Any]


@contextmanager
def traced(tracer: Tracer) -> Iterator[None]:
    """Trace the block; afterwards the tracer of a debugger or of a coverage tool is back in its place.

    No garbage is collected in the block. When it is depends on all that ran before, and it runs code: generators of
    earlier policies return, and a library may want to be told of it, as Hypothesis does.
    """
    before, collecting = sys.gettrace(), gc.isenabled()
    gc.disable()
    sys.settrace(tracer)
    try:
        yield
    finally:
        sys.settrace(before)
        if collecting:
            gc.enable()
