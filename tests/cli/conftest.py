import subprocess

import pytest

from banditproof.cli import main


@pytest.fixture
def in_process(monkeypatch, capsys):
    """As `banditproof`, without a process of its own: for what starts no work."""

    def run(*arguments, folder=None):
        if folder:
            monkeypatch.chdir(folder)
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main([str(word) for word in arguments])
        return subprocess.CompletedProcess(arguments, left.value.code or 0, *capsys.readouterr())

    return run
