"""Every public function of the theory on arguments of every kind: an answer, or InvalidInput by name, and soon.

Values are drawn from plausible ones for a parameter of that name, from numbers of every system and size, and from junk.
What must not happen: another exception, nan where no argument is nan, or more than `SECONDS` of computing.
"""

import inspect
import math
import random
import signal
import warnings
from decimal import Decimal
from fractions import Fraction

import flint
import mpmath
import numpy as np
import pytest
import sympy

from banditproof import theory
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import KINDS, Budget

SECONDS = 10
TooLong = pytest.fail.Exception
QUICK, THOROUGH = 185, 2_000  # inputs per function: 20,000 and 200,000 in all
NUMBERS = [
    *(0, 1, 2, 3, 10, -1, 0.5, 0.3, 0.9, 1.5, -0.5, 100, 1e6, 10**9, True, 10**400, 1e300, 1e-300, 5e-324),
    *("0.3", "1/3", "1e-5", "1e-400", Fraction(2, 7), math.inf, -math.inf, math.nan),
    *(np.float64(0.25), np.float32(0.1), np.int64(5)),
    *(mpmath.mpf("0.4"), flint.arb("0.4"), flint.arb(0.5, 0.25), sympy.Rational(1, 3)),
]
VECTORS = [
    *(["0.5", "0.4"], [0.9, 0.8, 0.5], [0.5], [], [0.5, 0.5], [1, 0], ["0", "1"], [0.5, None], [math.nan, 0.2]),
    *([1e300, 0.1], [2, 3], [0.1] * 30, (0.3, 0.2), [0.25, 0.25, 0.5], ["1/4", "3/4"], [0, 1, "1/2"]),
    *(np.array([0.1, 0.5, 0.9]), np.array([]), np.array([np.nan, 0.5]), np.array([1, 2, 3])),
]
MATRICES = [
    *([[1, 0], [0, 1]], [[1, 0], [0, 1], [1, 1]], [[0, 0], [0, 0]], [[1, 2], [2, 4]], [["1/3", 2], [1, 1]]),
    *([[1e300, 0], [0, 1e-300]], [[1, 0], [0]], np.eye(3), np.array([[0.2, 0.3], [0.4, 0.5]])),
]
BUDGETS = [Budget.pure(1.0), Budget.pure("0.5"), Budget.zcdp(0.1), Budget.approximate(1.0, 0.01)]
LAWS = [
    *(theory.Bernoulli("0.5"), theory.Gaussian(0), theory.Gaussian("0.4", "2"), theory.Poisson(1)),
    *(theory.Exponential(2), theory.Bounded([0, "1/2", 1], ["1/4", "1/4", "1/2"])),
]
WORDS = ["pure", "zcdp", "binary tree", "lower", "upper", "laplace", "AdaP-UCB", "linear", "gaussian", "sharp"]
JUNK = [
    *(None, "abc", "", {}, object(), 1j, b"x", [[1], [2, 3]], "0x10", abs, float, "inf", "nan", "1e9999", set()),
    *(slice(2), {"a": 1}, Decimal("0.5"), Decimal("nan"), range(3), [None], ["a"], np.array(["a"]), np.array([1j])),
    *(np.array([True]),),
    *(np.array([None, 1], dtype=object), np.array(0, dtype="datetime64[s]"), np.zeros((2, 2)), np.zeros((0, 3))),
]
ANYTHING = [*NUMBERS, *VECTORS, *MATRICES, *BUDGETS, *LAWS, BUDGETS[:2], LAWS[:2], *WORDS]
PLAUSIBLE = {
    **dict.fromkeys(("means", "arms", "theta", "probabilities", "weights", "p", "q", "points", "atoms"), VECTORS),
    **dict.fromkeys(("actions", "cost"), MATRICES),
    **dict.fromkeys(("budget", "budgets"), [*BUDGETS, BUDGETS[:2]]),
    **dict.fromkeys(("law", "laws", "other_laws", "alternative", "null"), [*LAWS, LAWS[:2]]),
    **dict.fromkeys(("kind", "counter", "side", "form", "model", "ratio", "divergence"), WORDS),
    "instance": [theory.Instance(means=["0.6", "0.5"]), theory.Instance(LAWS[1:3])],
}
# what NumPy answers with nan, so do these building blocks: a branch that is not taken may be evaluated
ELEMENTARY = {"absolute", "clip01", "exp", "log", "log1p", "maximum", "minimum", "sqrt", "where"}
# words of formulas, which take whatever can be added, divided or compared: what cannot is Python's own TypeError
WORDS_OF_FORMULAS = {"comb", "factorial", "least", "least_integer", "most", "ratio", "total"}
CLASSES = {"Bernoulli", "Bounded", "Exponential", "FiniteClass", "FinitelySupported", "Gaussian", "Instance", "Poisson"}
FUNCTIONS = {
    **{f"Budget.{kind}": getattr(Budget, kind) for kind in KINDS},
    **{
        f"{type(law).__name__}.{verb}": getattr(law, verb)
        for law in (LAWS[0], LAWS[2], LAWS[5])
        for verb in ("kl", "tv", "renyi", "kl_inf", "tv_inf", "d_inf", "d_epsilon")
    },
    **{
        name: getattr(theory, name)
        for name in theory.__all__
        if name not in WORDS_OF_FORMULAS
        if name in CLASSES or inspect.isfunction(getattr(theory, name))
    },
}


def drawn(parameter, generator):
    """A value: junk in one of eight cases, else plausible for the name or, in every fourth case, anything."""
    if isinstance(parameter.default, bool):
        return generator.random() < 0.5
    kind = generator.random()
    if kind < 1 / 8:
        return generator.choice(JUNK)
    return generator.choice(ANYTHING if kind < 3 / 8 else PLAUSIBLE.get(parameter.name, NUMBERS))


def is_nan(value):
    if isinstance(value, tuple | list):
        return any(map(is_nan, value))
    if isinstance(value, np.ndarray):
        return value.dtype.kind == "f" and bool(np.isnan(value).any())
    return isinstance(value, float) and math.isnan(value)


def arguments(function, generator):
    given, several = {}, ()
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind == parameter.VAR_POSITIONAL:
            several = [drawn(parameter, generator) for _ in range(generator.randint(0, 3))]
        elif parameter.default is parameter.empty or generator.random() < 0.6:
            given[parameter.name] = drawn(parameter, generator)
    return several, given


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer signals on this system")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_answer_or_a_named_refusal(name, every_point, at_most):
    function, generator = FUNCTIONS[name], random.Random(name)
    for _ in range(THOROUGH if every_point else QUICK):
        several, given = arguments(function, generator)
        try:
            with at_most(SECONDS), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                answer = function(*several, **given)
        except InvalidInput as refused:
            assert refused.parameter, given
            answer = None
        except (TooLong, RecursionError):  # SymPy's exact numbers grow without bound
            assert any(isinstance(value, sympy.Expr) for value in given.values()), (name, given)
            continue
        except Exception as error:
            raise AssertionError(f"{name} raises {error!r} for {several}, {given}") from error
        assert name in ELEMENTARY or not is_nan(answer), given
