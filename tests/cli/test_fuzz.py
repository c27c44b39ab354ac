"""Every command with options of every kind: it answers, or refuses in one line with status 2, and soon."""

import random

import pytest

from banditproof.cli import main
from tests.cases import lines, texts
from tests.cli.calling import pages

TEXTS = texts(__file__)

SECONDS = 60
QUICK, THOROUGH = 3, 100  # calls of each command
NUMBERS = ["0", "1", "-1", "2", "0.5", "1e4", "1e9", "1e15", "1e30", "1e400", "1e-400", "nan", "inf", "1/3", "0x10"]
LISTS = ["0.5,0.4", "0.9,0.8,0.5", "0.5,0.5", "1,0", "0.5", "0.5,", ",", "0.5,abc", "0.5,nan", "1e300,0", "0.3,1e-999"]
WORDS = ["", "abc", "thesis", "BDP-T3.1", "kl", "dp-imed", "beta=nan", "beta=3.1", "a=b=c", "-", "none", "\udc80", "µ"]
NAMES = ["dp-imed", "ucb", "adap-ucb", "gope", "oful", "adap-tt", "track-and-stop", "exp3", "mean", "laplace"]
PLAUSIBLE = {
    **dict.fromkeys(("means", "theta", "first", "second"), LISTS),
    **dict.fromkeys(("algorithm",), NAMES),
    "horizon": ["1", "10", "1e3", "1e30"],
    "runs": ["1", "2", "10", "1e300"],
    "games": ["1", "20", "1e300"],
    "copies": ["1", "50", "1e9"],
}
EXAMPLES = lines(TEXTS["examples"])
LONG = {"check", "selftest", "arena", "new", "trace"}  # whole papers, a package, training: tried elsewhere


COMMANDS = {words: one for words, one in pages() if not hasattr(one, "commands") and words[-1] not in LONG}


def typed(parameter, files, generator):
    if generator.random() < 1 / 2 and parameter.name in PLAUSIBLE:
        return generator.choice(PLAUSIBLE[parameter.name])
    return generator.choice([*NUMBERS, *LISTS, *WORDS, *files])


def words(command, files, generator):
    told = []
    for parameter in command.params:
        if parameter.name == "help" or not parameter.required and generator.random() < 0.6:
            continue
        if parameter.name in ("output", "json", "plot", "csv") or getattr(parameter, "is_flag", False):
            continue
        value = typed(parameter, files, generator)
        told += [value] if parameter.param_type_name == "argument" else [parameter.opts[0], value]
    return told


def altered(example, files, generator):
    """The example with one or two of its values replaced."""
    told = example.split()
    values = [k for k, word in enumerate(told) if k > 1 and not word.startswith("--")]
    for k in generator.sample(values, min(len(values), generator.randint(1, 2))):
        told[k] = generator.choice([*NUMBERS, *LISTS, *WORDS, *files, *NAMES])
    return told


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    content = {
        "actions.csv": "1,0\n0,1\n0.6,0.6\n",
        "huge.csv": "1e300,1\n1e-300,2\n",
        "words.csv": "a,b\n1\n",
        "empty.csv": "",
        "results.json": '{"claims": [1, null]}',
    }
    for name, text in content.items():
        (tmp_path / name).write_text(text)
    target = "def laplace(world, size, generator):\n    return world + generator.laplace(0, 1, size)\n"
    (tmp_path / "fuzzed_target.py").write_text(target)
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    return [*content, "bytes.json", "missing.csv", "."]


def settled(told, capsys):
    """The exit status of a command, which says in a line why where it is 2."""
    with pytest.raises(SystemExit) as left:
        main(told)
    out, err = capsys.readouterr()
    status = left.value.code
    assert status in (0, 1, 2, 3) and "Traceback" not in err, (told, err[-2000:])
    assert status != 2 or err.splitlines()[-1].startswith("banditproof: ") or "Usage:" in err + out, (told, err)
    return status


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_a_command_answers_or_refuses_in_a_line(path, files, every_point, capsys, at_most):
    generator = random.Random(" ".join(path))
    for _ in range(THOROUGH if every_point else QUICK):
        told = [*path, *words(COMMANDS[path], files, generator)]
        with at_most(SECONDS, told):
            settled(told, capsys)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_with_other_values_answers_or_refuses_in_a_line(example, files, every_point, capsys, at_most):
    with at_most(SECONDS, example):
        unaltered = settled(example.split(), capsys)
    few_samples = example.startswith("audit") and "--samples 50" in example  # which decide nothing
    assert unaltered == (2 if example.endswith("results.json") else 3 if few_samples else 0)
    generator = random.Random(example)
    for _ in range(THOROUGH if every_point else QUICK):
        told = altered(example, files, generator)
        with at_most(SECONDS, told):
            settled(told, capsys)
