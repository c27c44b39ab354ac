"""The command line: ``banditproof COMMAND``."""

from __future__ import annotations

import errno
import os
import re
import shlex
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
REFUSED = (errno.EROFS, errno.EACCES, errno.EPERM, errno.EEXIST, errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG)

NARROWEST = 60  # columns of a table: in less, numbers would be left out

LOOKS = {"--claim": "[A-Z]+-.+", "--module": r".+\.(md|py)", "--results": r".+\.json"}  # words that options take


class _Heard:
    """A stream for as long as somebody hears it; what is said later goes nowhere, and the work goes on to its end."""

    def __init__(self, stream: Any, unheard: type[OSError]) -> None:
        self.stream, self.unheard = stream or open(os.devnull, "w"), unheard  # none where it was closed from the start

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        try:
            return self._on_stream("write", text)
        except UnicodeEncodeError as error:  # bytes of an argument that are no text, or signs that a terminal lacks
            return self._on_stream("write", text.encode(error.encoding, "backslashreplace").decode(error.encoding))

    def flush(self) -> None:
        return self._on_stream("flush")

    def _on_stream(self, act: str, *text: str) -> Any:
        try:
            return getattr(self.stream, act)(*text)
        except self.unheard:
            self.stream = open(os.devnull, "w")
            return getattr(self.stream, act)(*text)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; bad input and what a disk refuses are one line on standard error and exit status 2."""
    import typer

    from banditproof.cli.commands import whole_command
    from banditproof.cli.statuses import Status

    warnings.filterwarnings("once", category=UserWarning)
    warnings.formatwarning = lambda message, *_, **__: f"banditproof: {message}\n"
    usage_error: Any = typer.BadParameter.__mro__[1]
    sys.stdout, sys.stderr = _Heard(sys.stdout, BrokenPipeError), _Heard(sys.stderr, OSError)
    sys.stdin = sys.stdin or open(os.devnull)  # none where it was closed from the start
    os.environ.pop("MPLBACKEND", None)  # figures go into files, whatever draws windows here
    if get_terminal_size().columns < NARROWEST:
        os.environ["COLUMNS"] = str(NARROWEST)
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    try:
        command = whole_command()
        _once(arguments, command)
        status = command(arguments, standalone_mode=False)
        sys.stdout.flush()
    except usage_error as error:
        told = _in_our_words(error.format_message(), arguments, error.ctx.command if error.ctx else None)
        status = _complain(told, error.ctx.get_help() if error.ctx else "")
    except (KeyboardInterrupt, typer.Abort):
        status = Status.INTERRUPTED
    except Exception as error:
        from banditproof.theory.errors import InvalidInput

        if isinstance(error, InvalidInput):
            status = _complain(str(error))
        elif isinstance(error, OSError) and error.errno in (*FULL, *REFUSED):
            sys.stdout = open(os.devnull, "w")  # which may be what has no room
            where = f" for {error.filename}" if error.filename else ""
            cure = "free some space" if error.errno in FULL else "name another file or folder"
            status = _complain(f"{os.strerror(error.errno)}{where}: {cure}; finished work is kept")
        else:  # what nobody expected is no verdict, and has a status of its own
            traceback.print_exc()
            status = Status.UNEXPECTED
    sys.exit(status or 0)


def _once(arguments: Sequence[str], command: Any) -> None:
    """InvalidInput for an option with one value that was given twice, of which the last would count, and for a file or
    a folder without a name, which would be the folder where one stands.
    """
    from banditproof.theory.errors import InvalidInput

    for word in arguments:
        command = getattr(command, "commands", {}).get(word, command)
    pairs = {*pairwise(arguments), *(tuple(word.split("=", 1)) for word in arguments if word.endswith("="))}
    typed = Counter(word.partition("=")[0] for word in arguments if word.startswith("--"))
    for option in command.params:
        if any(typed[name] > 1 for name in option.opts) and not (option.multiple or getattr(option, "is_flag", False)):
            several = ", with commas between its values" * (",..." in (option.metavar or ""))
            raise InvalidInput(option.opts[0], f"given {typed[option.opts[0]]} times", f"given once{several}")
        path = getattr(option.type_descriptor.annotation, "__name__", "") == "Path"
        if path and any((name, "") in pairs for name in option.opts):
            raise InvalidInput(option.opts[0], "", "the name of a file or a folder (. is where you are)")


def _in_our_words(message: str, arguments: Sequence[str], command: Any) -> str:
    """What the library says of the arguments of a command, without its labels and with what was perhaps meant first."""
    from banditproof.theory.errors import close_to

    taken = {name: one for one in getattr(command, "params", ()) for name in one.opts}
    commands = getattr(command, "commands", ())
    message = message.replace("Value error, ", "")
    if dashed := next(
        (word for word in arguments if re.match(r"[‐-―−][‐-―−-]*[A-Za-z]", word)), ""
    ):  # as editors write them
        name = re.sub(r"^\W+", "--", dashed)
        return f"did you mean {name}? {dashed} begins with another sign than two hyphens"
    if unknown := re.match(r"No such option:? (\S+)", message):
        single = next((word for word in arguments if re.match(rf"{re.escape(unknown[1])}[a-z]", word)), unknown[1])
        return _no_option(single, taken)
    if message.startswith("Missing ") and (like := getattr(command, "epilog", None)):
        return f"{message} {like}"
    if bare := re.fullmatch(r"Option '(\S+)' requires an argument\.", message):
        return f"{bare[1]} needs a value behind it: {bare[1]} VALUE (--help says which)"
    if (unknown := re.match(r"No such command '([\w-]+)'", message)) and f"--{unknown[1]}" in {*taken, "--help"}:
        return f"did you mean --{unknown[1]}? No such command {unknown[1]!r}"
    if (unknown := re.match(r"No such command '([\w-]+)'\.$", message)) and (meant := close_to(unknown[1], commands)):
        message += f" Did you mean '{meant}'?"
    if (file := re.match(r"No such command '(.*\.(\w+))'", message)) and (file[2] == "py" or Path(file[1]).is_file()):
        runs = f"did you mean python3 {file[1]}? " if file[2] == "py" else ""
        return f"{runs}a command has to stand before the file {file[1]!r} (--help lists them)"
    if message.startswith("No such ") and "Did you mean" not in message:
        quoted = " ".join(arguments[:1]).count(" ")
        meant = "" if quoted else _commands_about(unknown[1] if unknown else "", command)
        message = f"did you mean {meant}? {message}" if meant else message
        message += " (leave the quotes around all of it out)" if quoted else " (--help lists them)"
    if alone := re.fullmatch(r"Got unexpected extra argument(?:s|\(s\))? \((.*)\)", message):
        return _without_option(alone[1], arguments, taken)
    if wrong := re.match(r"Invalid value for '(--[\w-]+)'.*valid (integer|number)", message):
        wanted = "a whole number in digits" if wrong[2] == "integer" else "a number alone"
        return _no_number(wrong[1], arguments, wanted)
    said = re.search(r"'([^']*)' is not one of ('.*')", message)
    meant = close_to(said[1], re.findall("'([^']*)'", said[2])) if said else ""
    return f"did you mean {meant}? {message}" if meant else message


def _no_number(option: str, arguments: Sequence[str], wanted: str) -> str:
    from banditproof.cli.arguments import integer
    from banditproof.theory.errors import InvalidInput

    word = next(word for word in arguments if word.partition("=")[0] == option)
    typed = word.partition("=")[2] or arguments[arguments.index(word) + 1]
    try:
        meant = f"did you mean {integer(option, typed)}? "
    except InvalidInput:
        meant = ""
    meant = meant or (f"did you mean {unit[1]}? " if (unit := re.fullmatch(r"([\d.]+)\s*[a-z]+", typed)) else "")
    return f"{meant}{option} must be {wanted}, got {typed!r}"


def _no_option(option: str, taken: Mapping[str, Any]) -> str:
    from banditproof.theory.errors import close_to
    from banditproof.theory.privacy.budget import KINDS

    if option.strip("-") in taken:  # an argument
        return f"{option.strip('-')} stands alone behind the command: leave {option} out"
    kind = KINDS.get(option.strip("-"))  # named where its parameters are
    of_kind = [name for name in (f"--{one}" for one in kind.ranges) if name in taken] if kind else []
    near = close_to(f"--{option.lstrip('-')}", taken).split(" or ")
    first = option.lstrip("-")[:1]  # else --horizon would be near to --option
    near += [name for name in taken if len(option) == 2]
    meant = " with ".join(of_kind) or " or ".join(name for name in near if name[2:3] == first)
    listed = sorted(name for name in taken if name.startswith("--") and name != "--help" and not taken[name].hidden)
    has = f"it has {', '.join(listed)}; --help says more"
    where = has if not meant and taken else "--help lists them"
    where = where if "--version" not in taken else "options of a command stand behind its name"
    return f"{f'did you mean {meant}? ' if meant else ''}No such option: {option} ({where})"


def _commands_about(word: str, command: Any) -> str:
    """The commands with an option of this name, or whose line of help has all parts of the word."""
    parts = word.casefold().replace("_", "-").split("-")
    having, about = [], []
    for name, one in getattr(command, "commands", {}).items():
        having += [f"{name} --{word}" for option in one.params if f"--{word}" in option.opts]
        about += [name] * all(re.search(rf"\b{re.escape(part)}", (one.help or "").casefold()) for part in parts)
    found = having or about
    return " or ".join(found) if len(word) > 2 and len(found) <= 3 else ""


def _without_option(words: str, arguments: Sequence[str], taken: Mapping[str, Any]) -> str:
    """What is said of words that no option takes: an unknown option before them, or the option they are meant for."""
    from banditproof.claims.documents import documents

    options = [word for word in arguments if word.startswith("--")]
    if unknown := [option for option in options if option.partition("=")[0] not in taken]:
        return _no_option(unknown[0], taken)
    valued = [option for option in options if not taken[option.partition("=")[0]].is_flag]
    first, looks = words.split()[0], LOOKS | {"--paper": "|".join(documents())}
    if f"--{first}" in taken:
        return f"did you mean --{first}? no option takes {words!r}"
    if "claim" in taken and re.fullmatch(looks["--claim"], first):
        return f"one claim at a time: leave {words!r} out"
    at = next((k for k, word in enumerate(arguments) if word.split()[:1] == [first]), 0)
    option, value = arguments[at - 2 : at] if at > 1 else ("", "")
    if option in valued and taken[option].multiple and re.fullmatch(looks.get(option, ""), first):
        return f"did you mean {option} {value} {option} {words}? no option takes {words!r}"
    if option in valued and not re.match(r"[-+.\d]", value):
        return f"did you mean {option} {shlex.quote(f'{value} {words}')}? no option takes {words!r}"
    if valued and all(re.fullmatch(r"[-+.\d/e]+,?", word) for word in words.split()):
        return f"did you mean {valued[0]} with commas and no blanks, such as 0.9,0.5? no option takes {words!r}"
    if "--find" in taken and not options and not re.fullmatch("|".join(looks.values()), first):
        return f"did you mean --find {shlex.quote(words)}? no option takes {words!r}"
    option = next((name for name, form in looks.items() if name in taken and re.fullmatch(form, first)), "")
    if words in arguments and not option and "--find" not in taken and (" " in words or Path(words).is_file()):
        return f"one at a time: leave {words!r} out"
    meant = f"did you mean {option} {first}? " if option else ""
    return f"{meant}no option takes {words!r}; put quotes around what has blanks, and see --help"


def _complain(message: str, page: str = "") -> int:
    """One line, but for the page of help that stands for a command without arguments."""
    print(message if message == page else f"banditproof: {' '.join(message.split())}", file=sys.stderr)
    from banditproof.cli.statuses import Status

    return Status.NOT_READ
