"""The help: complete, no wider than a terminal, in imperatives, with nothing cut, and with an example."""

import re

import pytest

from banditproof.algorithms.roster import everything
from banditproof.cli import main
from tests.cli.calling import pages

VERBS = set(
    "Attack Check Compute Couple Enclose Find List Review Run Settle Show Simulate Test Try Verify Write".split()
)


@pytest.mark.parametrize("path", [words for words, _ in pages()], ids=" ".join)
def test_a_page_of_help_reads_well_on_a_terminal(path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit, match="0"):
        main([*path, "--help"])
    shown = capsys.readouterr().out
    assert "Commands:" in shown or f"Example: banditproof {' '.join(path)}" in " ".join(shown.split())
    summary = shown.split("\n\n")[1].split()
    assert summary[0] in VERBS
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert "..." not in shown.partition("Commands:")[2], "a summary is cut"
    assert not re.search(r"--.* <str>|<list\[|see below", shown)
    words = {entry.name for entry in everything()}
    broken = [line.split()[-1] for line in shown.splitlines() if line.endswith("-")]
    assert not [end for end in broken if any(word.startswith(end) for word in words)]


def test_the_shell_can_complete_commands_and_options(monkeypatch, capsys):
    monkeypatch.setenv("_BANDITPROOF_COMPLETE", "complete_bash")
    monkeypatch.setattr("sys.argv", ["banditproof"])
    for typed, offered in (("banditproof ident", "identify"), ("banditproof recheck --work", "--workers")):
        monkeypatch.setenv("COMP_WORDS", typed)
        monkeypatch.setenv("COMP_CWORD", str(typed.count(" ")))
        with pytest.raises(SystemExit):
            main([])
        assert capsys.readouterr().out.split() == [offered]
