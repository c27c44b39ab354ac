"""What holds of every public name, found by looking: wrong arguments are told, and a method is no answer."""

import inspect
import pickle

import pytest

from banditproof import algorithms, theory, verify
from banditproof.theory import Enclosure, InvalidInput

UNTOLD = {  # which inner loops call: Python itself names the function and the argument that it misses
    *("absolute", "clip01", "comb", "exp", "least", "least_integer", "log", "log1p", "maximum", "minimum", "most"),
    *("ratio", "sqrt", "to_ball", "total", "where", "working_precision", "register_ball_pickling"),
    *("decided", "holds", "quotient_rounded_down", "stating"),
}
MADE_BY_USERS = ("Bernoulli", "Gaussian", "Poisson", "Exponential", "Instance", "Enclosure", "Mechanism", "Accountant")
PUBLIC = {name: getattr(room, name) for room in (theory, algorithms, verify) for name in room.__all__}
CALLED = [name for name, one in PUBLIC.items() if inspect.isfunction(one) and name not in UNTOLD]
WRONG = {"too many": ([object()] * 60, {}), "unknown": ([], {"no_such_argument": 1}), "too few": ([], {})}


def refused(target, args, kwargs):
    try:
        inspect.signature(target).bind(*args, **kwargs)
    except TypeError:
        return True
    return False


@pytest.mark.parametrize("name", [*CALLED, *MADE_BY_USERS])
def test_arguments_that_it_does_not_have_are_told_with_those_that_it_has(name):
    target = PUBLIC[name]
    for args, kwargs in filter(lambda wrong: refused(target, *wrong), WRONG.values()):
        with pytest.raises((TypeError, InvalidInput)) as told:
            target(*args, **kwargs)
        first = next(iter(inspect.signature(target).parameters))
        assert isinstance(told.value, InvalidInput) or f"{name}(" in str(told.value) and first in str(told.value)


QUESTIONS = [
    (kind, name)
    for kind in PUBLIC.values()
    if inspect.isclass(kind) and not inspect.isabstract(kind) and kind is not verify.Domain  # in inner loops
    for name, method in inspect.getmembers(kind, inspect.isfunction)
    if method.__annotations__.get("return") == "bool" and name[0] != "_"
]


@pytest.mark.parametrize(("kind", "name"), QUESTIONS)
def test_a_question_that_is_not_called_is_no_condition(kind, name):
    method = getattr(object.__new__(kind), name)
    with pytest.raises(TypeError, match=rf"{name} is a method and no answer: call it, {name}\("):
        bool(method)


def test_a_question_answers_when_it_is_called_also_in_another_process():
    inside = Enclosure(0, 1).contains
    assert len(QUESTIONS) > 20 and inside(1) and not pickle.loads(pickle.dumps(inside))(2)


def test_a_question_is_found_in_a_set_as_any_method_is():
    """Bodies of claims are watched, and every call in them is looked up."""
    one, other = Enclosure(0, 1), Enclosure(0, 2)
    assert one.contains in {one.contains} and one.contains not in {other.contains, print}
    with pytest.raises(TypeError, match="is a method and no answer"):
        assert one.contains == 1
