"""What annotations say is what is let in: kinds of numbers, intervals, containers, and what the error tells."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal

import numpy as np
import pytest

from banditproof.theory import Budget, InvalidInput
from banditproof.theory.arguments import Count, Share, checked, floats, reader_of

HALF = Fraction(1, 2)
LET_IN = [
    (int, [0, np.int64(-2), 10**400], [True, 0.0, "1", HALF, None]),
    (float, [0, 0.5, HALF, np.float32(0.5), np.inf, -np.inf], [np.nan, "0.5", False, 10**400, 1j, np.zeros(1)]),
    (Fraction, [0, HALF], [0.5, True, "1/2"]),
    (Annotated[int, "[1, inf)"], [1, 10**400], [0, 1.0]),
    (Annotated[float, "(0, 1]"], [5e-324, 1], [0, 1 + 1e-15, -0.1, np.nan]),
    (Annotated[Fraction | float, "[1/3, 1/2)"], [Fraction(1, 3), 0.4], [0.5, HALF, 0.333, np.nan]),
    (int | None, [3, None], [0.5, "None"]),
    (str, ["", "a"], [b"a", None]),
    (bool, [True], [1, np.True_, "True"]),
    (Budget, [Budget.pure(1.0)], ["pure", 1.0]),
    (np.ndarray, [[1, 2], np.zeros(0), ((1, 2), (3, 4))], [1.0, "ab", [[1], [2, 3]], np.array(["a"]), np.array([1j])]),
    (Sequence[float], [[], (0.5, 1), np.zeros(2), range(2)], ["ab", {0.5}, [None], np.zeros((2, 2)), np.array(0.5)]),
    (Sequence[str], [["a"], ()], ["a", np.zeros(0), [1]]),
    (tuple[int, ...], [(), (1, 2)], [[1], (0.5,)]),
    (tuple[int, str], [(1, "a")], [(1,), ("a", 1), [1, "a"]]),
    (Mapping[str, int], [{}, {"a": 1}], [{1: 1}, {"a": 0.5}, [("a", 1)]]),
    (Callable[[int], int], [abs, int, lambda n, m=1: n, lambda *n: n], ["abs", None, lambda: 1, lambda n, *, m: n]),
    (Callable[..., int], [abs, lambda: 1], ["abs", None]),
]


@pytest.mark.parametrize(("said", "inside", "outside"), LET_IN, ids=[str(said) for said, *_ in LET_IN])
def test_what_an_annotation_lets_in(said, inside, outside):
    reader = reader_of(said)
    assert [value for value in inside if not reader.admits(value)] == []
    assert [value for value in outside if reader.admits(value)] == []


def test_anything_is_let_in_where_nothing_is_said_and_an_unknown_annotation_is_an_error():
    assert reader_of(Any) is None and reader_of(Any | None) is None
    with pytest.raises(TypeError, match="no reader"):
        reader_of(Literal["a"])


def test_the_error_names_the_parameter_by_position_and_by_name_and_what_is_allowed():
    @checked
    def pulled(arms: Count, *more: int, share: Share = 0.5, **options: str) -> float:
        return arms * share

    assert pulled(2, "anything", share=0.25, name=1) == 0.5
    for call, told in (
        (lambda: pulled(0), r"arms must be an integer in \[1, inf\), got 0"),
        (lambda: pulled(arms=None), "arms must be an integer"),
        (lambda: pulled(1, share=1), r"share must be a number in \(0, 1\), got 1"),
    ):
        with pytest.raises(InvalidInput, match=told):
            call()
    with pytest.raises(TypeError):
        pulled()


def test_a_function_with_other_parameters_is_refused_before_it_is_called():
    @checked
    def mean_of(draw: Callable[[int, np.random.Generator], float]) -> float:
        return draw(1, np.random.default_rng(0))

    with pytest.raises(InvalidInput, match=r"draw must be a function of \(int, Generator\), got <function"):
        mean_of(lambda: 0.0)


def test_the_reader_at_the_door_hides_from_tracebacks_of_pytest():
    @checked
    def whole(count: Count) -> int:
        return count

    with pytest.raises(InvalidInput) as caught:
        whole(0)
    assert [entry.frame.code.name for entry in caught.traceback if not entry.ishidden(caught)][1:] == []


def test_a_fraction_becomes_a_float_where_only_floats_are_named():
    @checked
    def kinds(a: float, b: Share, c: float | None = None, d: Fraction | float = 1, e: Any = None) -> list[type]:
        return [type(value) for value in (a, b, c, d, e)]

    assert kinds(HALF, HALF, HALF, HALF, HALF) == [float, float, float, Fraction, Fraction]
    assert kinds(HALF, b=HALF, d=HALF) == [float, float, type(None), Fraction, type(None)]


def test_arrays_of_floats_are_read_or_refused_by_name():
    assert floats("sums", [1, 2]).dtype == float
    with pytest.raises(InvalidInput, match="sums must be a number or an array of numbers"):
        floats("sums", [[1], [2, 3]])


def test_a_function_is_asked_for_by_the_names_of_its_arguments():
    @checked
    def door(make: Annotated[Callable[[int, float], Any], "(arms, share)"]):
        return make(1, 0.5)

    assert door(lambda arms, share: arms * share) == 0.5
    with pytest.raises(InvalidInput, match=r"make must be a function of \(arms, share\), got"):
        door(lambda arms: arms)
