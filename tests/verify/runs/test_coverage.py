"""What of a policy never ran is known by its instructions: line breaks change nothing, harmless code is let through."""

import gc
import logging
import sys
from textwrap import dedent, indent

import pytest

from banditproof.verify.own_code import OwnCode
from banditproof.verify.runs.coverage import Coverage
from tests.cases import parts, texts

HEAD = "import logging, warnings\nlog = logging.getLogger('team')\n\n"


@pytest.fixture
def unreached(tmp_path):
    """What of a source `def f(x, raw): ...` did not run when it was called with each of some arguments."""

    def run(body, *arguments):
        file = tmp_path / "policy.py"
        file.write_text(HEAD + dedent(body))
        names = {}
        exec(compile(file.read_text(), str(file), "exec"), names)
        coverage = Coverage()
        with coverage.collecting():
            for x in arguments:
                names["f"](x, 0.5)
        return coverage.unreached()

    return run


LATE = {name: body.rstrip("\n") for name, body in parts(texts(__file__), "late").items()}


@pytest.mark.parametrize("body", LATE.values(), ids=LATE)
def test_a_branch_that_never_ran_is_known_however_it_is_written(unreached, body):
    source = f"def f(x, raw):\n    y = 0\n{indent(body, '    ')}\n    return y\n"
    late = 9 if any(word in body for word in ("match", "ZeroDivision", "x - 9 and")) else 10
    assert unreached(source, 1)
    assert unreached(source, 1, late) == ()


HARMLESS = [
    "if x < 0: raise ValueError(f'{x}')",
    "assert x >= 0, f'no {x}'",
    "if x > 9:\n        log.warning('long run %s', x)",
    "if x > 9: print('long run', len([x]), f'{x:.3f}', flush=True)",
    "if x > 9: logging.info('long'); warnings.warn('long')",
    "if x > 9: y = raw  # pragma: no cover",
    "if x > 9:  # pragma: no cover\n        z = raw\n        y = z",
    "if x < 9:\n        y = 0\n    else:  # pragma: no cover\n        y = raw",
    "y = raw if x > 9 else 0  # pragma: no cover",
    "if x < 9:  # pragma: no branch\n        y = 0",
    "try: y = 1\n    except ValueError:  # pragma: no cover\n        y = raw",
    "try: y = 1\n    finally: y = 2",
    "import itertools\n    for k in itertools.count():\n        if k > 2: break",
    "with open(__file__ if 0 else '/dev/null') as h: y = 2  # pragma: no cover",
]


@pytest.mark.parametrize("body", HARMLESS)
def test_what_cannot_leak_or_is_answered_for_is_not_asked_for(unreached, body):
    assert unreached(f"def f(x, raw):\n    y = 0\n    {body}\n    return y\n", 1) == ()


def test_a_loop_over_what_may_end_is_asked_for(unreached):
    source = "import itertools\ndef f(x, raw):\n    for k in itertools.repeat(0, 5):\n        break\n    return x\n"
    assert "repeat" in str(unreached(source, 1))


NOT_QUIET = [
    "if x > 9: print(g(raw))",
    "if x > 9: log.info('%s', [y := raw])",
    "if x > 9: logger.info('long')",
    "if x > 9: print('long'); y = raw",
]


@pytest.mark.parametrize("body", NOT_QUIET)
def test_a_line_that_only_looks_like_a_log_is_asked_for(unreached, body):
    source = f"logger = type('L', (), {{'info': eval}})\ng = abs\ndef f(x, raw):\n    y = 0\n    {body}\n    return y\n"
    assert unreached(source, 1)


def test_what_is_marked_is_listed(tmp_path):
    file = tmp_path / "policy.py"
    file.write_text("def f(x):\n    if x:\n        x = 2  # pragma: no cover\n")
    names, coverage = {}, Coverage()
    exec(compile(file.read_text(), str(file), "exec"), names)
    with coverage.collecting():
        names["f"](0)
    assert coverage.excused() == ("policy.py:3 in f: x = 2  # pragma: no cover",)


def test_another_tracer_is_put_back_and_whoever_takes_the_place_is_noticed():
    coverage = Coverage()

    def other(*_):
        return None

    before = sys.gettrace()
    sys.settrace(other)
    try:
        with coverage.collecting():
            pass
        assert sys.gettrace() is other and not coverage.interrupted
        with coverage.collecting():
            sys.settrace(None)
        assert coverage.interrupted
    finally:
        sys.settrace(before)


def test_code_without_a_source_is_told_of():
    names, own = {"__name__": "team"}, OwnCode()
    exec(compile("class P:\n    def f(self): return 1", "<team>", "exec"), names)
    own.adopt(names["P"]())
    coverage = Coverage(own)
    with coverage.collecting():
        names["P"]().f()
    assert coverage.sourceless == {"<team>"}


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A package `team` and another one `helping`, in a folder of installed packages."""
    root = tmp_path / "site-packages"
    for name, source in {
        "team/__init__.py": "",
        "team/policy.py": "from team.sums import add\nfrom helping import also\nclass P: f = lambda self: also(add(1))",
        "team/sums.py": "def add(x): return x + 1",
        "helping/__init__.py": "def also(x): return x",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(source)
    monkeypatch.syspath_prepend(str(root))
    import team.policy  # type: ignore[import-not-found]

    yield team.policy.P
    for name in [name for name in sys.modules if name.partition(".")[0] in ("team", "helping")]:
        del sys.modules[name]


def test_an_installed_policy_is_its_users_code_and_other_packages_are_libraries(installed):
    own = OwnCode()
    policy = sys.modules["team.policy"].__file__
    assert policy not in own and own.adopt(installed()) and not own.adopt(installed())
    assert policy in own and sys.modules["team.sums"].__file__ in own
    assert own.library(sys.modules["helping"].__file__) == "helping" and logging.__file__ not in own
    coverage = Coverage(own)
    with coverage.collecting():
        installed().f()
    assert coverage.libraries == {"helping"} and coverage.unreached() == ()


def test_what_a_library_does_when_garbage_is_collected_is_no_code_that_the_policy_called(installed):
    from helping import also  # type: ignore[import-not-found]

    def told(phase, counts):
        also(phase)

    coverage, before = Coverage(OwnCode()), gc.get_threshold()
    gc.callbacks.append(told)
    gc.set_threshold(1)
    try:
        with coverage.collecting():
            assert [[] for _ in range(100)]
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(told)
    assert coverage.libraries == set()


@pytest.mark.parametrize(
    ("name", "said"), [("__editable___mine_finder.py", ""), ("_mine.py", "_mine"), ("flint/a.py", "")]
)
def test_nothing_is_said_of_what_only_helps_to_import(name, said):
    assert OwnCode().library(f"/nowhere/site-packages/{name}") == said
