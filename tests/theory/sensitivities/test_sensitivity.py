"""Proved sensitivities against brute force over grids, for all n <= 6, and altered definitions that it notices."""

import math
from fractions import Fraction as F
from functools import cache
from itertools import combinations_with_replacement, product

import pytest
from second_routes.sensitivities import BENCH, MORE, UNIT

from banditproof.theory import sensitivity
from banditproof.theory import statistics as s
from banditproof.theory.sensitivities.proof import are_neighbours

NORMS = ("l1", "l2", "linf")
BANK = {**{f"{k}": (*entry, UNIT) for k, entry in BENCH.items()}, **MORE}
ROUNDING = 1e-12  # of floats in the plain functions


def grid(domain, n):
    """Records on a grid with the ends: finer for fewer records."""
    if isinstance(domain, s.Categories):
        return list(range(domain.count))
    if isinstance(domain, s.Box):
        return list(product((-1, 0, 2), repeat=2))
    if isinstance(domain, s.Ball):
        return [(0, 0), *((2 * math.cos(math.pi * k / 8), 2 * math.sin(math.pi * k / 8)) for k in range(16))]
    a, b = map(F, domain)
    parts = 6 if n <= 3 else 2
    return [a + (b - a) * F(k, parts) for k in range(parts + 1)]


def vector(value):
    return value if isinstance(value, list) else [value]


def size(one, other, norm):
    gaps = [abs(float(a) - float(b)) for a, b in zip(one, other, strict=True)]
    return sum(gaps) if norm == "l1" else math.sqrt(sum(g * g for g in gaps)) if norm == "l2" else max(gaps)


@cache
def brute(name, neighbours, n):
    """The largest distances over the grid in all norms, with one of both data sets of n records; None: no value."""
    statistic, function, domain = BANK[name]
    records = grid(domain, n)

    def chosen(some, count):
        return combinations_with_replacement(some, count) if statistic.symmetric else product(some, repeat=count)

    most = [0.0] * 3

    def compare(one, other):
        for k, norm in enumerate(NORMS):
            most[k] = max(most[k], size(one, other, norm))

    if neighbours == "replace":
        for rest in chosen(records, n - 1):
            for place in [0] if statistic.symmetric else range(n):
                values = [vector(function([*rest[:place], u, *rest[place:]])) for u in records]
                for i, one in enumerate(values):
                    for other in values[:i]:
                        compare(one, other)
    else:
        for m in (n - 1, n):
            few = records if m < 5 else records[:: max(1, (len(records) - 1) // 2)]
            for rest in chosen(few, m):
                one = vector(function(list(rest)))
                for place in [0] if statistic.symmetric else range(m + 1):
                    for u in few:
                        compare(one, vector(function([*rest[:place], u, *rest[place:]])))
    return most


LOOSE = {("softmax", "l2"), ("softmax, far apart", "l2"), ("scores", "l1"), ("scores", "l2")}
OFF_GRID = {
    ("softmax, far apart", "l1"),
    ("softmax, far apart", "linf"),
    ("k-means step", "l1"),
    ("k-means step", "l2"),
    ("k-means step", "linf"),
}


def cases(neighbours):
    added = neighbours != "replace"
    return [
        (name, n)
        for name, (statistic, _, domain) in BANK.items()
        for n in range(max(statistic.least, 1) + (added and statistic.least > 0), 7)
        if not (added and (statistic.stream or name.startswith("softmax")))
        if not (isinstance(domain, s.Ball | s.Box) and n > 2)
    ]


@pytest.mark.parametrize("neighbours", ["replace", "add or remove"])
@pytest.mark.parametrize("name", BANK)
def test_it_is_what_brute_force_finds(name, neighbours):
    for n in [n for known, n in cases(neighbours) if known == name]:
        for norm, most in zip(NORMS, brute(name, neighbours, n), strict=True):
            proved = sensitivity(BANK[name][0], BANK[name][2], neighbours, norm, n)
            assert most <= float(proved) + ROUNDING, (n, norm)
            if (name, norm) not in LOOSE:
                assert proved.value.width <= 1e-9, (n, norm, proved)
                assert (name, norm) in OFF_GRID or abs(most - float(proved.lower)) <= ROUNDING, (n, norm, proved)
            assert are_neighbours(*proved.pair, neighbours)
            assert n in map(len, proved.pair)
