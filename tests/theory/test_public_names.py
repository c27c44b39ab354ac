"""The public names of the room, and its one exception."""

import pickle
import subprocess
import sys

import banditproof.theory as theory
from banditproof.theory.errors import InvalidInput


def test_every_public_name_is_there_documented_and_listed_once():
    assert len(set(theory.__all__)) == len(theory.__all__)
    assert set(theory.__all__) <= set(dir(theory))
    for name in theory.__all__:
        assert getattr(theory, name).__doc__


def test_importing_the_room_loads_no_numerical_library():
    program = "import sys, banditproof.theory; print({'numpy', 'flint', 'mpmath', 'sympy', 'scipy'} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"


def test_invalid_input_says_what_is_allowed_and_survives_a_process_boundary():
    error = InvalidInput("epsilon", -1, "positive")
    assert isinstance(error, ValueError) and str(error) == "epsilon must be positive, got -1"
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.parameter, copy.value, copy.allowed, str(copy)) == ("epsilon", -1, "positive", str(error))
