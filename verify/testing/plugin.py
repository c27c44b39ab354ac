"""The pytest plugin: assertions share the session's error, and a section at the end lists them.

Lines travel on the test reports, which pytest-xdist sends to its controller one by one: what a worker found is known
even if it crashes later. Nothing heavy is imported before an assertion is used.
"""

from __future__ import annotations

import warnings
from collections.abc import Generator
from typing import Any

import pytest

from banditproof.theory.errors import InvalidInput
from banditproof.verify.testing.annotations import annotation, in_repository, wanted
from banditproof.verify.testing.session import SESSIONS, Line, Session, probability
from banditproof.verify.testing.unread import unread

FIRST = "gw0"  # the worker that looks at the files


def pytest_addoption(parser: pytest.Parser) -> None:
    meaning = "probability that any statistical assertion of a session is a false alarm"
    parser.addini("banditproof_error", meaning, default="1e-6")
    names = "--banditproof-error", "--banditproof_error"  # the second as the setting is called
    parser.getgroup("banditproof").addoption(*names, metavar="P", help=f"{meaning} (default: 1e-6)")


def pytest_configure(config: pytest.Config) -> None:
    try:
        given = config.getoption("banditproof_error") or config.getini("banditproof_error")
        error = probability("banditproof_error", given)
    except InvalidInput as wrong:
        raise pytest.UsageError(str(wrong)) from wrong
    copies = getattr(config, "workerinput", {}).get("banditproof_copies", 1)
    config.pluginmanager.register(_Assertions(Session(error, copies, config.rootpath)), "banditproof-assertions")


class _Assertions:
    """The hooks of one session; `lines` are those of all tests that were reported, of every worker."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.lines: list[Line] = []
        SESSIONS.append(session)

    def pytest_unconfigure(self) -> None:
        SESSIONS.remove(self.session)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Before a worker of pytest-xdist starts."""
        if node.config.option.dist == "each":
            node.workerinput["banditproof_copies"] = node.workerinput["workercount"]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.session.tests = max(1, len(session.items))
        if getattr(session.config, "workerinput", {}).get("workerid", FIRST) != FIRST:
            return  # all workers of pytest-xdist collect the same files
        modules = {item.path: item.getparent(pytest.Module) for item in session.items}
        for file, module in modules.items():
            for line, write in unread(file, module.obj) if module is not None else ():
                text = f"nobody looks at the result of this check, so that the test passes; {write} fails"
                warnings.warn_explicit(pytest.PytestWarning(text), None, str(file), line)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self.session.test = item.nodeid
        try:
            return (yield)
        finally:
            self.session.test = None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, Any, Any]:
        report = yield
        told = report.user_properties  # a verdict is no plain text, and pytest-xdist sends nothing else
        report.user_properties = [(name, str(said) if isinstance(said, str) else said) for name, said in told]
        if self.session.lines:
            report.banditproof = [vars(line) for line in self.session.lines]
            self.session.lines.clear()
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.lines += (Line(**line) for line in getattr(report, "banditproof", ()))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if not self.lines:
            return
        if wanted():
            failed = [report for kind in ("failed", "error") for report in terminalreporter.stats.get(kind, ())]
            for report in failed:
                for told in getattr(report, "banditproof", ()):
                    for k, (message, file, line) in enumerate(told["shown"]):
                        if k == 0 or in_repository(file):
                            terminalreporter.line("")  # a workflow command begins its line
                            terminalreporter.line(annotation("error", report.location[2], message, file, line))
        terminalreporter.section("banditproof")
        for line in sorted(self.lines, key=lambda line: line.test):
            terminalreporter.line(str(line))
        spent = sum(line.error for line in self.lines)
        terminalreporter.line(
            f"probability that any of these verdicts is a false alarm: at most {spent:.2g}"
            f" (the session's error: {float(self.session.error):.2g})"
        )
