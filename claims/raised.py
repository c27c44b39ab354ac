"""What a user wrote: its text, or in one line where an exception in it comes from."""

from __future__ import annotations

import re
import traceback
from pathlib import Path

from banditproof.theory.errors import InvalidInput


def text_of(parameter: str, path: Path) -> str:
    """The text of a file in UTF-8. Raises InvalidInput for one that cannot be read, or is in another encoding."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InvalidInput(parameter, str(path), f"a file that can be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise InvalidInput(parameter, str(path), f"a file in UTF-8 (its byte {error.start + 1} is none)") from None


def raised(error: BaseException, file: str) -> str:
    """What was raised and where in a file or folder: "draft.py, line 3: NameError: name 'y' is not defined".

    The line is the last one of these on the way to the exception. For text that Python cannot read it is where that
    stands, in whatever file.
    """
    lines = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        place, said = (error.filename, error.lineno), error.msg
    else:
        own = (one for one in reversed(lines) if one[0] == file or Path(file) in Path(one[0]).parents)
        place, said = next(own, (file, None)), str(error)
    where = f"{Path(place[0]).name}, line {place[1]}" if place[1] else Path(place[0]).name
    kind = "" if isinstance(error, InvalidInput) else type(error).__name__
    if kind == "TypeError" and (m := re.match(r"'([<>]=?)' not supported between", said)):
        said += f" (a claim compares nothing itself: its body ends with return left, {m[1]!r}, right)"
    return ": ".join(filter(None, (where, kind, said)))
