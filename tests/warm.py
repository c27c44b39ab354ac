"""A process that has imported everything once and divides for each command: `python WORDS` without its imports.

It reads a command per line and answers with the status of the process that ran it. The workers of a command divide
too; those of a user start with nothing, and so they do in `tests/claims/test_pool.py` and `test_running.py`.
"""

import atexit
import gc
import importlib.util
import json
import multiprocessing
import os
import pkgutil
import runpy
import signal
import sys
import threading
import traceback
from pathlib import Path

LIMIT = 300  # seconds


def run(words, folder, environment, out, err):
    """What ``python words`` does in a folder; the process ends with it."""
    for number, path, mode in ((0, os.devnull, os.O_RDONLY), (1, out, os.O_WRONLY), (2, err, os.O_WRONLY)):
        os.dup2(os.open(path, mode), number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    signal.alarm(LIMIT)
    dividing = multiprocessing.get_context("fork")
    multiprocessing.get_context = lambda method=None: dividing
    if words[0] == "-m":
        sys.argv[:], sys.path[:0] = words[1:], [folder]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv[:], sys.path[:0] = words, [str(Path(words[0]).parent)]
        runpy.run_path(words[0], run_name="__main__")


def status_of(act, **given):
    """What Python would leave with; nothing is torn down, since that would copy what the process shares."""
    try:
        act(**given)
        return 0
    except SystemExit as left:
        if isinstance(left.code, str):
            print(left.code, file=sys.stderr)
        return left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        threading._shutdown()  # workers are told first, and then waited for
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()


def serve():
    """Answer until there are no more commands."""
    import banditproof.cli
    from banditproof.claims.loading import load
    from banditproof.claims.register import REGISTER
    from banditproof.claims.run.record import Settings, key

    commands = [module.name for module in pkgutil.iter_modules(banditproof.cli.__path__, "banditproof.cli.")]
    commands.remove("banditproof.cli.__main__")
    drawing = ("matplotlib.figure", "matplotlib.backends.backend_svg")
    computing = ("scipy.optimize", "scipy.special", "scipy.stats", "sympy", "banditproof.verify.proof.deduce")
    for name in ("pytest", "typer._adapters", "jinja2", "latex2mathml.converter", *drawing, *computing, *commands):
        if importlib.util.find_spec(name.partition(".")[0]):  # the base installation has no extras
            importlib.import_module(name)
    banditproof.cli.commands.whole_command()
    load()
    key(next(iter(REGISTER.values())), Settings())  # reads what the provers are and the stored trees
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    for line in sys.stdin:
        if (process := os.fork()) == 0:
            os._exit(status_of(run, **json.loads(line)))
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        print(status, flush=True)
