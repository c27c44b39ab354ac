"""The plugin in test sessions of their own, with checks that answer what they are told."""

import json
import re
import subprocess
import sys
from types import ModuleType

import pytest

import banditproof.verify.runs.neighbours  # noqa: F401  (a session in this process forgets what it is first to import)
from banditproof.verify.testing.kept import kept_at
from banditproof.verify.testing.unread import unread
from tests.cases import texts

TEXTS = texts(__file__)

pytest_plugins = ["pytester"]

CHECKS = "\n" + TEXTS["checks"]

TESTS = "\n" + TEXTS["tests"]


@pytest.fixture
def suite(pytester):
    """A test suite with these tests and checks that answer what they are told."""

    def make(tests):
        pytester.makeconftest(CHECKS)
        pytester.makepyfile(test_suite=tests)
        return pytester

    return make


def errors(result):
    """The shares that the section lists, by test."""
    return re.findall(r"::(\w+)  \w+: \w+; error (\S+);", result.stdout.str())


def test_the_section_lists_every_assertion(suite):
    result = suite(TESTS).runpytest_inprocess()
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(
        [
            "*= banditproof =*",
            "*::test_certificate  assert_certified: ok; no statistical error; 0.0 s",
            "*::test_privacy  assert_private: ok; error 1e-08; 0.0 s",
            "*::test_regret  assert_regret: ok; error 1.2e-07; a mean of 1.25 would have been noticed (bound *); 0.0 s",
            "*::test_regret  assert_regret: ok; error 4.2e-08; a mean of 1.25 would have been noticed (bound *); 0.0 s",
            "probability that any of these verdicts is a false alarm: at most 1.8e-07 (the session's error: 1e-06)",
        ]
    )


def test_without_assertions_there_is_no_section(suite):
    result = suite("def test_nothing_of_ours(): assert True").runpytest_inprocess()
    result.assert_outcomes(passed=1)
    assert "banditproof =" not in result.stdout.str()


@pytest.mark.parametrize("verdict", ["violation", "inconclusive", "something else"])
@pytest.mark.parametrize("call", ["assert_private({!r}, 'budget')", "assert_regret({!r}, **SETTING)"])
def test_everything_but_ok_fails_with_the_report(suite, verdict, call):
    result = suite(TESTS + f"\n    def test_it():\n        {call.format(verdict)}").runpytest_inprocess("-k", "test_it")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"E * AssertionError: the report says {verdict}", f"*::test_it  *: {verdict}; *"])
    assert "__tracebackhide__" not in result.stdout.str() and "def _settle" not in result.stdout.str()


def test_inconclusive_passes_where_that_is_allowed_and_a_violation_never_does(suite):
    calls = (f"assert_private({told!r}, 'budget', allow_inconclusive=True)" for told in ("inconclusive", "violation"))
    tests = "".join(f"\n    def test_{k}():\n        {call}" for k, call in enumerate(calls))
    result = suite(TESTS + tests).runpytest_inprocess("-k", "test_0 or test_1")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*::test_0  assert_private: inconclusive; *", "FAILED *::test_1 *"])


def test_the_error_comes_from_the_command_line_or_the_ini_file(suite):
    pytester = suite(TESTS)
    pytester.makeini("[pytest]\nbanditproof_error = 1e-3")
    pytester.runpytest_inprocess().stdout.fnmatch_lines(["*(the session's error: 0.001)"])
    result = pytester.runpytest_inprocess("--banditproof_error", "0.2", "-k", "test_regret")
    assert errors(result) == [("test_regret", "0.1"), ("test_regret", "0.033")]


def test_a_verdict_that_a_test_records_is_a_plain_text(pytester):
    pytester.makepyfile("""
        from banditproof.theory.tables import Verdict

        def test_it(record_property):
            record_property("verdict", Verdict("ok"))
    """)
    *_, report = pytester.inline_run().getreports("pytest_runtest_logreport")
    assert [(name, type(said)) for name, said in report.user_properties] == [("verdict", str)]


def test_an_error_of_its_own_is_listed_and_counted(suite):
    own = """
    def test_it():
        assert_regret("ok", error=0.01, **SETTING)
        assert_regret("ok", **SETTING)
    """
    result = suite(TESTS + own).runpytest_inprocess("-k", "test_it", "--banditproof-error", "0.001")
    assert errors(result) == [("test_it", "0.01"), ("test_it", "0.0005")]
    result.stdout.fnmatch_lines(["*at most 0.011 (the session's error: 0.001)"])


@pytest.mark.parametrize("error", ["0", "2", "tiny"])
def test_an_error_that_is_no_probability_is_a_usage_error(suite, error):
    result = suite(TESTS).runpytest_inprocess(f"--banditproof-error={error}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: banditproof_error must be a number in (0, 1), got *"])


def test_an_assertion_while_tests_are_collected_has_no_share(suite):
    result = suite(TESTS + "\n    assert_regret('ok', **SETTING)").runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*assertion must be used in a test or a fixture*"])


def test_a_fixture_asserts_on_behalf_of_its_test(suite):
    fixture = """
    import pytest

    @pytest.fixture
    def checked():
        assert_regret("ok", **SETTING)

    def test_with_fixture(checked):
        assert_regret("ok", **SETTING)
    """
    result = suite(TESTS + fixture).runpytest_inprocess("-k", "fixture")
    assert errors(result) == [("test_with_fixture", "5e-07"), ("test_with_fixture", "1.7e-07")]


def test_a_test_that_is_run_again_does_not_get_its_share_again(suite):
    pytester = suite(TESTS)
    pytester.makepyfile(
        again="""
        from _pytest.runner import runtestprotocol

        def pytest_runtest_protocol(item, nextitem):
            for _ in range(2):
                runtestprotocol(item, nextitem=nextitem)
            return True
        """
    )
    pytester.syspathinsert()
    result = pytester.runpytest_inprocess("-p", "again", "-k", "test_regret")
    assert [share for _, share in errors(result)] == ["5e-07", "1.7e-07", "8.3e-08", "5e-08"]


def test_workers_share_one_error_and_the_controller_lists_all_lines(suite):
    tests = TESTS + "".join(f"\n    def test_{k}():\n        assert_regret('ok', **SETTING)" for k in range(6))
    unread = "\n    def test_unread():\n        from banditproof import verify\n        verify.check_regret('ok')"
    pytester = suite(tests + unread)
    alone = sorted(errors(pytester.runpytest_inprocess()))
    result = pytester.runpytest_subprocess("-n", "2")
    assert sorted(errors(result)) == alone and len(alone) == 9  # the same share on whichever worker
    result.assert_outcomes(passed=11, warnings=1)  # one worker tells what nobody looks at


def test_workers_that_all_run_every_test_divide_its_share(suite):
    result = suite(TESTS).runpytest_subprocess("--dist", "each", "--tx", "2*popen", "-k", "test_regret")
    assert sorted(errors(result)) == 2 * [("test_regret", "2.5e-07")] + 2 * [("test_regret", "8.3e-08")]


def test_what_a_worker_found_survives_its_crash(suite):
    crash = "\n    def test_the_worker_dies():\n        import os\n        os._exit(1)"
    result = suite(TESTS + crash).runpytest_subprocess("-n", "1", "--max-worker-restart", "0")
    assert [test for test, _ in errors(result)] == ["test_privacy", "test_regret", "test_regret"]
    result.stdout.fnmatch_lines(["*crashed while running*"])


def test_nothing_heavy_is_imported_before_an_assertion_is_used(tmp_path):
    program = """
import sys, pytest
pytest.main(["--collect-only", "-q", sys.argv[1]])
assert "banditproof.verify.testing.plugin" in sys.modules
print("heavy:", *{"numpy", "scipy", "flint", "mpmath", "sympy"} & set(sys.modules))
"""
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "heavy:"


UNREAD = {
    "check_privacy(make, budget)": "assert_private",
    "verify.check_privacy(make, budget)": "assert_private",
    "report = check_theorem(make, 'ucb')": "assert_regret",
    "if make:\n        audit_mechanism(make, budget)": 'assert audit_mechanism(...).verdict != "violation"',
    "assert check_privacy(make, budget).ok": "",
    "report = check_privacy(make, budget)\n    assert report.ok": "",
    "with pytest.raises(ValueError):\n        check_privacy(make, budget)": "",
    "assert check_privacy(make, budget) is not None": "assert_private",
    "check_nothing(make)": "",
    "print(check_privacy(make, budget))": "assert_private",
    "check_privacy(make, budget).ok": "assert_private",
    "print(make, check_privacy(make, budget))": "",
    "assert_private(make, budget)": "",
}


@pytest.mark.parametrize("body", UNREAD)
def test_a_result_that_nobody_looks_at_is_told_with_the_assertion_that_would_fail(body, tmp_path):
    file = tmp_path / "test_it.py"
    file.write_text(f"def test_it(make, budget):\n    {body}\n", encoding="utf-8")
    assert [write for _, write in unread(file, ModuleType("test_it"))] == [UNREAD[body]] * bool(UNREAD[body])


def test_a_check_of_somebody_else_with_such_a_name_is_not_ours(tmp_path):
    (tmp_path / "test_it.py").write_text("def test_it():\n    check_privacy()\n")
    module = ModuleType("test_it")
    setattr(module, "check_privacy", test_nothing_heavy_is_imported_before_an_assertion_is_used)  # noqa: B010
    assert not list(unread(tmp_path / "test_it.py", module))


def test_a_session_warns_of_it_at_its_line(suite):
    result = suite("""
        from banditproof.verify import check_privacy

        def test_it():
            check_privacy("ok", "budget")
    """).runpytest_inprocess()
    lines = result.stdout.str().splitlines()
    assert any(line.endswith("test_suite.py:4") for line in lines)
    assert any("nobody looks at" in line and line.endswith("assert_private fails") for line in lines)


LEAK = "\n" + TEXTS["leak"]


def test_a_counterexample_is_kept_and_tried_first_and_goes_when_it_shows_nothing(pytester):
    def session(scale):
        file = pytester.makepyfile(test_leader=LEAK.format(scale=scale))
        result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
        file.unlink()
        return result, list((pytester.path / ".banditproof").glob("*.json"))

    result, kept = session("0.5")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*its declared sensitivity 0.5*", "*seen: 1 runs of up to *"])
    assert json.loads(kept[0].read_text())["test"] == "test_leader.py::test_leader"
    written, planted = kept[0].read_text(), [1.0] + [0.0] * 11
    kept[0].write_text(json.dumps(json.loads(written) | {"rewards": planted, "neighbour": [0.0] * 12}))
    result, kept = session("0.5")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*rewards 1 0 0 0 0 0 0 0 0 0 0 0; in the neighbour reward 0 is 0*", "*seen: the lists of an earlier session*"]
    )
    result, kept = session("1.0")
    result.assert_outcomes(passed=1)
    assert kept == []


RAW = "\n" + TEXTS["raw"]


@pytest.mark.parametrize(
    ("bug", "cause", "line"),
    [
        ("until", "raw rewards", "if self.earned >= 2:"),
        ("wide", "declaration", "wide = self.earned > 1"),
        ("drawn", "outside randomness", "self.means[self.played] += total[0] + self.offset"),
    ],
)
def test_every_session_tells_the_same_cause_and_lines(pytester, bug, cause, line):
    file = pytester.makepyfile(test_leak=RAW.format(bug=bug))
    sessions = [pytester.runpytest_inprocess("-p", "no:cacheprovider") for _ in range(2)]
    first, second = ([text for text in s.outlines if text.startswith("E  ")] for s in sessions)
    assert file.exists() and any("seen: the lists of an earlier session" in text for text in second)
    assert first[:-1] == second[:-1] and f"({cause})" in first[0] and any(line in text for text in first)


def test_a_kept_file_that_does_not_fit_is_no_obstacle(pytester):
    for text in ("no list", "{}", json.dumps({"rewards": [0], "neighbour": [0], "seed": 0, "overruled": 0, "far": 0})):
        place = kept_at(pytester.path, "test_leader.py::test_leader", 1)
        place.parent.mkdir(exist_ok=True)
        place.write_text(text)
        pytester.makepyfile(test_leader=LEAK.format(scale="1.0"))
        pytester.runpytest_inprocess().assert_outcomes(passed=1)
        assert not place.exists()


@pytest.mark.parametrize("workers", [[], ["-n", "1"]])
def test_on_github_the_assertion_and_the_line_of_the_policy_are_annotated_from_the_root(pytester, monkeypatch, workers):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(pytester.path.parent))
    tests = LEAK.format(scale="0.5") + "\n    def test_of_something_else():\n        assert 1 == 2\n"
    rows = pytester.makepyfile(test_leader=tests).read_text().splitlines()
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", *workers)
    result.assert_outcomes(failed=2)
    named = [
        next(k for k, row in enumerate(rows, 1) if text in row) for text in ("    assert_private(", "noise.laplace(")
    ]
    file = f"{pytester.path.name}/test_leader.py"
    shown = [row.split("::")[1] for row in result.outlines if row.startswith("::error ")]
    assert shown == [f"error file={file},line={line},title=test_leader" for line in named]
