"""Every result of theory that can be checked again, with every number in it corrupted: none proves a false value.

A corrupted result either cannot be built, or its recheck says no, or it still proves the value, which is then the true
one. Together with a value that is false no certificate at all may pass.
"""

import importlib
import math
import pkgutil
from collections import defaultdict
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import islice

import numpy as np
import pytest

from banditproof import theory
from banditproof.theory import Budget, Enclosure, Instance, InvalidInput
from banditproof.theory.bounds.hard_instances import hard_instance

FAR_FROM_THE_BEST = (("laws", "*", "mean"), ("actions", "*", "*"))  # of these some may change and the value stays
QUICK, EVERY = 1, 3  # places that are corrupted of those that differ by an index only

LAWS = {
    "Bernoulli": theory.Bernoulli("1/4"),
    "Gaussian": theory.Gaussian(0),
    "Poisson": theory.Poisson(1),
    "Exponential": theory.Exponential(1),
    "FinitelySupported": theory.FinitelySupported([0, 1, 3], ["1/2", "1/4", "1/4"]),
    "Bounded": theory.Bounded(["0.1", "0.4", "0.5"], ["1/2", "1/4", "1/4"]),
    "FiniteClass": theory.FiniteClass(theory.Gaussian(0), [theory.Gaussian(m) for m in (0, "1/4", "3/4", 1)]),
}
INFIMA = {
    "kl": lambda law, target: law.kl_inf(target),
    "tv": lambda law, target: law.tv_inf(target),
    "d, high privacy": lambda law, target: law.d_inf(target, "1/8"),
    "d, low privacy": lambda law, target: law.d_inf(target, 2),
}
MEANS = ["0.9", "0.8", "0.5"]
MIRRORED = [["0.75", "0.25"], ["0.25", "0.75"]]
ACTIONS = [[1, 0], [0, 1], [1, "1/2"], ["-1/2", 1], ["1/4", "3/4"]]
MADE = {
    **{
        f"{name}, {kind}": lambda law=law, solve=solve: solve(law, Fraction(law.mean) + Fraction(3, 20))
        for name, law in LAWS.items()
        for kind, solve in INFIMA.items()
    },
    "two laws, Gaussian": lambda: theory.Gaussian(0).d_epsilon(theory.Gaussian(1), "1/2"),
    "two laws, Poisson": lambda: theory.Poisson(2).d_epsilon(theory.Poisson(1), "1/2"),
    "two laws, Bernoulli": lambda: theory.Bernoulli("1/4").d_epsilon(theory.Bernoulli("3/4"), "1/2"),
    "time, kl": lambda: theory.characteristic_time(means=MEANS),
    "time, tv": lambda: theory.characteristic_time(means=MEANS, divergence="tv"),
    "time, private": lambda: theory.characteristic_time(means=MEANS, epsilon="0.5"),
    "time, relaxed": lambda: theory.characteristic_time(means=MEANS, epsilon="0.1", divergence="relaxed"),
    "time, d_epsilon": lambda: theory.characteristic_time(means=MEANS, epsilon="0.2", divergence="d_epsilon"),
    "time, beta": lambda: theory.characteristic_time(means=MEANS, beta="0.4"),
    "time, Gaussian": lambda: theory.characteristic_time(Instance([theory.Gaussian(m) for m in (1, "0.5", 0)])),
    "design": lambda: theory.g_optimal_design([[1, 0], [0, 1], [1, 1], [2, -1]]),
    "design of a span": lambda: theory.g_optimal_design([[1, 0, 1], [0, 1, 1], [1, 1, 2]]),
    "linear": lambda: theory.linear_regret_constant(ACTIONS, [1, "1/3"]),
    "linear, printed": lambda: theory.linear_regret_constant(ACTIONS, [1, "1/3"], "1/8"),
    "linear, bases": lambda: theory.linear_regret_constant(ACTIONS, [1, "1/3"], "1/8", ratio="bases"),
    "linear, d_epsilon": lambda: theory.linear_regret_alternatives(ACTIONS, [1, "1/3"], "1/8"),
    "minimax": lambda: theory.minimax_lower_bound(arms=3, horizon=100),
    "minimax, view": lambda: theory.minimax_lower_bound(arms=4, horizon=1000, epsilon="0.05"),
    "minimax, priced": lambda: (
        theory.minimax_lower_bound(arms=4, horizon=1000, epsilon="0.05").bounds["d-epsilon"].instance
    ),
    "minimax, zcdp": lambda: theory.minimax_lower_bound(arms=4, horizon=1000, rho="0.001"),
    "minimax, linear": lambda: theory.minimax_lower_bound(dimension=3, horizon=500, epsilon="0.05"),
    "exact, ratio": lambda: theory.exact_minimax_regret(MIRRORED, 3, ratio=2),
    "exact, epsilon": lambda: theory.exact_minimax_regret(MIRRORED, 2, "0.5"),
    "exact, delta": lambda: theory.exact_minimax_regret(MIRRORED, 2, ratio="3/2", delta="0.1"),
    "exact, tables": lambda: theory.exact_minimax_regret(MIRRORED, 3, ratio=2, delta="0.1", notion="table"),
    "exact, zcdp": lambda: theory.exact_minimax_regret(MIRRORED, 2, rho="0.1"),
    "exact, means": lambda: theory.minimax_regret_over_means([(0, 1), (0, 1)], 2, ratio=2),
    "exact, error": lambda: theory.exact_identification_error([*MIRRORED, ["0.5", "0.25"]], 1, ratio=2),
    "hard instance": lambda: hard_instance(4, 1, 1000, Fraction(1, 20), None, Fraction(1, 2)),
    "transport": lambda: theory.optimal_transport(
        [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], [Fraction(1, 4), Fraction(3, 4)], [[0, 3], [2, 1], [5, 4]]
    ),
    "coupling": lambda: theory.optimal_coupling(["1/2", "1/3"], ["1/4", "1/6"]),
    "coupling, program": lambda: theory.optimal_coupling(["1/2", "1/3"], ["1/4", "1/6"], "hamming-squared"),
    "coupling, sums": lambda: theory.optimal_coupling(["1/2"] * 99, ["1/4"] * 99, "hamming-squared"),
    "coupling, bounds": lambda: theory.optimal_coupling(
        [["1/2", "1/4", "1/4"]] * 40, [["1/4", "1/4", "1/2"]] * 40, "hamming-squared"
    ),
    "laplace": lambda: theory.calibrate_laplace(Budget.pure(0.3), 2.0),
    "gaussian": lambda: theory.calibrate_gaussian(Budget.approximate(1.0, 1e-5)),
    "gaussian, zcdp": lambda: theory.calibrate_gaussian(Budget.zcdp(0.3), 3.0),
    "gaussian, rdp": lambda: theory.calibrate_gaussian(Budget.rdp(2.5, 0.3)),
    "gaussian, gdp": lambda: theory.calibrate_gaussian(Budget.gdp(0.7)),
}
LABELS = [
    *("abc", "kl", "tv", "d", "private", "relaxed", "printed", "bases", "hamming", "hamming-squared", "gaussian"),
    *("regret", "error", "maximal coupling", "linear program", "comonotone sums", "bounds", "linear", "laplace"),
    *("pure", "zcdp"),
]


# ---------------------------------------------------------------------------------------------- the numbers of a result


def parts(whole):
    """The parts of a result that stand for themselves, as (key, part)."""
    if is_dataclass(whole):
        return [(f.name, getattr(whole, f.name)) for f in fields(whole) if f.init]
    if isinstance(whole, dict):
        return list(whole.items())
    if isinstance(whole, tuple | list | np.ndarray):
        return list(enumerate(whole))
    return []


def with_part(whole, key, part):
    """The whole with one part in place of another."""
    if is_dataclass(whole):
        return replace(whole, **{key: part})
    if isinstance(whole, dict):
        return {**whole, key: part}
    if isinstance(whole, np.ndarray):
        changed = whole.copy()
        changed[key] = part
        return changed
    return type(whole)([*whole[:key], part, *whole[key + 1 :]])


def is_number(value):
    return isinstance(value, int | float | Fraction | np.number) and not isinstance(value, bool)


def places(whole, path=(), label=False):
    """Paths to all numbers, enclosures and events in a result; with `label`, to texts, truths and what is None."""
    if label and (whole is None or isinstance(whole, bool | str)):
        yield path
    if not label and (is_number(whole) or isinstance(whole, frozenset | Enclosure)):
        yield path
        return
    if not label and isinstance(whole, tuple) and whole and is_number(whole[0]) and len(set(map(type, whole))) == 1:
        yield path  # the numbers in another order
    for key, part in parts(whole):
        yield from places(part, (*path, key), label)


def at(whole, path):
    for key in path:
        whole = dict(parts(whole))[key]
    return whole


def changed(whole, path, value):
    if not path:
        return value
    key, *rest = path
    return with_part(whole, key, changed(dict(parts(whole))[key], rest, value))


def chosen(whole, most):
    """Some paths of every kind: indices in a row do not make another kind."""
    kinds = defaultdict(list)
    for path in places(whole):
        kinds[tuple(k if isinstance(k, str) else "*" for k in path)].append(path)
    return {kind: paths[:: -(-len(paths) // most)] for kind, paths in kinds.items()}


def corruptions(value):
    if isinstance(value, Enclosure):
        return list(untrue(value))
    if isinstance(value, frozenset):
        return [frozenset(), value | {2}, frozenset({0, 1, 2})]
    if isinstance(value, int):
        return [value + 1, value - 1, -value - 1, 2 * value + 3]
    if isinstance(value, tuple):
        return [value[::-1]]
    if value in (math.inf, -math.inf):
        return [-value, 1.0, 0.0]
    slightly, half = (type(value)(f) if isinstance(value, float) else f for f in (Fraction(1025, 1024), Fraction(1, 2)))
    return [value * slightly, value * half, -value, value + 1, value * 0]


def accepted(whole, path):
    """Whether the recheck accepts, for every corruption at a place of which an object can be built at all."""
    value, answers = at(whole, path), []
    for wrong in corruptions(value):
        try:
            corrupted = changed(whole, path, wrong)
        except InvalidInput:
            continue
        if wrong != value:
            answers.append(corrupted.recheck())
    return answers


def untrue(value):
    """Enclosures next to a true one that do not hold the number."""
    step = max(value.width, Fraction(1 + abs(value.upper)) / 2**60)
    step = Fraction(2) ** math.ceil(math.log2(step))
    yield Enclosure(value.upper + step, value.upper + 2 * step)
    yield Enclosure(value.lower - 2 * step, value.lower - step)
    if value.width:
        yield Enclosure(value.upper, value.upper)
        yield Enclosure(value.lower, value.lower)


# ------------------------------------------------------------------------------------------------------------ the tests


@cache
def made(name):
    return MADE[name]()


def test_all_results_that_can_be_checked_again_are_here():
    modules = [importlib.import_module(m.name) for m in pkgutil.walk_packages(theory.__path__, "banditproof.theory.")]
    checkable = {
        c for module in modules for c in vars(module).values() if isinstance(c, type) and hasattr(c, "recheck")
    }
    alterable = {theory.Sensitivity}  # its statistic is what it says; test_sensitivity.py alters definitions and ends
    alterable |= {
        type(theory.sample_complexity_lower_bound(["0.9", "0.5"], "0.1"))
    }  # asks its times, and computes the rest
    assert checkable - alterable == {type(made(name)) for name in MADE}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", MADE)
def test_every_number_of_a_result_matters(name, every_point):
    result = made(name)
    assert result.recheck()
    for kind, paths in chosen(result, EVERY if every_point else QUICK).items():
        for path in paths:
            said = accepted(result, path)
            if isinstance(at(result, path), Enclosure):
                assert not any(said), path
            elif kind[-3:] not in FAR_FROM_THE_BEST:
                assert not said or not all(said), path


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", MADE)
def test_every_label_of_a_result_matters(name):
    result = made(name)
    for path in places(result, label=True):
        said = at(result, path)
        texts = [None, *LABELS] if said in LABELS else [None, "abc"]
        others = [not said] if isinstance(said, bool) else [Fraction(1, 3)] if said is None else texts
        for other in others:
            try:
                corrupted = changed(result, path, other)
            except InvalidInput:
                continue
            assert other == said or not corrupted.recheck(), (path, other)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", [name for name in MADE if name != "transport"])  # a plan states no value
def test_no_certificate_proves_a_false_value(name, every_point):
    """Beside a false value every kind of place of its own certificate is corrupted.

    With --every-point three places of a kind, those of others too, and beside values at the ends of the true one as
    well.
    """
    result, most = made(name), EVERY if every_point else QUICK
    values = [path for path in places(result) if path[-1:] == ("value",)]
    assert values
    for stated in values:
        others = [] if every_point else [v[:-1] for v in values if v[: len(stated) - 1] != stated[:-1]]
        for value in islice(untrue(at(result, stated)), None if every_point else 2):
            false = changed(result, stated, value)
            assert not false.recheck()
            for path in (path for paths in chosen(false, most).values() for path in paths if path != stated):
                if path[: len(stated) - 1] == stated[:-1] or not any(path[: len(o)] == o for o in others):
                    assert not any(accepted(false, path)), path
