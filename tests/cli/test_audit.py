"""banditproof audit: mechanisms and policies by name, and what cannot be audited."""

import json
import textwrap

import pytest

from banditproof.cli import main


@pytest.fixture
def targets(tmp_path, monkeypatch):
    code = """
        import numpy as np
        from banditproof.algorithms import DPIMED, GeometricBatches
        from banditproof.theory import Budget

        def laplace(world, size, generator):
            return world + generator.laplace(0, 1, size)

        def make_policy(noise, generator):
            return DPIMED(2, Budget.pure(1.0), GeometricBatches(2), noise, generator=generator)

        def lonely(noise):
            return noise
    """
    (tmp_path / "audited_targets.py").write_text(textwrap.dedent(code))
    monkeypatch.chdir(tmp_path)


def status(arguments):
    with pytest.raises(SystemExit) as left:
        main(["audit", *arguments])
    return left.value.code


def test_a_mechanism_sold_at_half_its_budget_is_refuted_with_status_1(targets, capsys):
    assert status(["audited_targets:laplace", "--epsilon", "0.5", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "violation" and 0.5 < found["shown"] <= 1 and found["promised"] == 0.5
    assert status(["audited_targets:laplace", "--epsilon", "1"]) == 0
    assert "does not mean private" in capsys.readouterr().out


def test_a_policy_is_audited_by_its_actions(targets, capsys):
    assert status(["audited_targets:make_policy", "--epsilon", "1", "--samples", "200"]) == 0
    assert "runs" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["audited_targets:nothing", "--epsilon", "1"], "target must be"),
        (["no_such_module:x", "--epsilon", "1"], "target must be"),
        (["audited_targets", "--epsilon", "1"], "target must be"),
        (["audited_targets:lonely", "--epsilon", "1"], "target must be"),
        (["audited_targets:laplace"], "budget must be"),
        (["audited_targets:laplace", "--rho", "1", "--mu", "1"], "budget must be"),
        (["audited_targets:laplace", "--epsilon", "1", "--samples", "0"], "samples must be"),
    ],
)
def test_bad_input_is_named(targets, capsys, arguments, named):
    assert status(arguments) == 2
    assert named in capsys.readouterr().err
