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

NORMS, NEIGHBOURS = ("l1", "l2", "linf"), ("replace", "add or remove")
BANK = {**{f"{k}": (*entry, UNIT) for k, entry in BENCH.items()}, **MORE}
ROUNDING = 1e-12  # of floats in the plain functions
ENCLOSED = {("softmax", "l2"), ("softmax, far apart", "l2"), ("scores", "l1"), ("scores", "l2")}
OFF_GRID = ("softmax, far apart", "k-means step")  # are extreme between the points of the grid


def grid(domain, fine):
    """Records of the domain, among them its ends."""
    if isinstance(domain, s.Categories):
        return list(range(domain.count))
    if isinstance(domain, s.Box):
        return list(product((-1, 0, 2), repeat=2))
    if isinstance(domain, s.Ball):
        return [(0, 0), *((2 * math.cos(math.pi * k / 8), 2 * math.sin(math.pi * k / 8)) for k in range(16))]
    (a, b), parts = map(F, domain), 6 if fine else 2
    return [float(a + (b - a) * F(k, parts)) for k in range(parts + 1)]


def floats(value):
    return tuple(map(float, value if isinstance(value, list) else [value]))


@cache
def brute(name, neighbours, n):
    """The largest distances over the grid, by norm, where one of both data sets has n records."""
    statistic, function, domain = BANK[name]
    records = grid(domain, statistic.symmetric or n <= 3)
    gaps = set()
    for m in [n - 1] if neighbours == "replace" else [n - 1, n]:
        for rest in combinations_with_replacement(records, m) if statistic.symmetric else product(records, repeat=m):
            for place in [0] if statistic.symmetric else range(m + 1):
                values = [floats(function([*rest[:place], u, *rest[place:]])) for u in records]
                others = values if neighbours == "replace" else [floats(function(list(rest)))]
                if len(values[0]) == 1:
                    gaps.add((max(v[0] for v in values) - min(v[0] for v in others),))
                    gaps.add((max(v[0] for v in others) - min(v[0] for v in values),))
                else:
                    gaps.update(tuple(abs(a - b) for a, b in zip(v, w, strict=True)) for v in values for w in others)
    return {"l1": max(map(sum, gaps)), "l2": max(math.hypot(*g) for g in gaps), "linf": max(map(max, gaps))}


def complaint(name, neighbours, norm, n, lower, upper):
    """What brute force says against both ends of a sensitivity."""
    most = brute(name, neighbours, n)[norm]
    if most > upper + ROUNDING:
        return f"{most} is attained"
    if (name, norm) in ENCLOSED:
        return ""
    loose = upper - lower > ROUNDING
    return f"{most} is all there is" if loose or name not in OFF_GRID and lower > most + ROUNDING else ""


def inside(x, domain):
    """Whether a record is one of the domain, as far as floats tell."""
    if isinstance(domain, s.Ball):
        return math.hypot(*map(float, x)) <= domain.radius + ROUNDING
    low, high = (0, domain.count - 1) if isinstance(domain, s.Categories) else (domain.lower, domain.upper)
    return all(low <= float(v) <= high for v in (x if isinstance(x, tuple) else [x]))


def sizes(name, neighbours):
    statistic, _, domain = BANK[name]
    if neighbours != "replace" and (statistic.stream or name.startswith("softmax")):
        return range(0)
    first = max(statistic.least, 1) + (neighbours != "replace" and statistic.least > 0)
    return range(first, 3 if isinstance(domain, s.Ball | s.Box) else 7)


@pytest.mark.parametrize("name", BANK)
def test_it_is_what_brute_force_finds(name):
    for neighbours in NEIGHBOURS:
        for n in sizes(name, neighbours):
            for norm in NORMS if n == 2 or name in MORE else NORMS[:1]:
                proved = sensitivity(BANK[name][0], BANK[name][2], neighbours, norm, n)
                lower, upper = proved.value.floats
                assert not complaint(name, neighbours, norm, n, lower, upper), (neighbours, norm, n, proved)
                assert are_neighbours(*proved.pair, neighbours) and n in map(len, proved.pair)
                assert all(inside(x, proved.domain) for records in proved.pair for x in records)


ALTERED = {
    "mean, without 1/n": ("5", "replace", "l1", lambda n: 1),
    "mean, twice": ("5", "replace", "l1", lambda n: F(2, n)),
    "mean, as if a record were replaced": ("5", "add or remove", "l1", lambda n: F(1, n + 1)),
    "sum of signed numbers, as if one were added": ("sum, signed", "replace", "l1", lambda n: 2),
    "sum of signed numbers, as if one were replaced": ("sum, signed", "add or remove", "l1", lambda n: 3),
    "median, half": ("21", "replace", "l1", lambda n: F(1, 2)),
    "median, of even n too": ("21", "replace", "l1", lambda n: 1),
    "trimmed mean, divided by n": ("trimmed mean", "replace", "l1", lambda n: F(3, n)),
    "winsorised mean, as the trimmed one": ("winsorised mean", "replace", "l1", lambda n: F(3, n - 2 * (n // 4))),
    "variance, 1/n": ("variance", "replace", "l1", lambda n: F(9, n)),
    "sample variance, of the other one": ("sample variance", "replace", "l1", lambda n: F(9 * (n - 1), n * n)),
    "squared deviations, width only": ("squared deviations, signed", "replace", "l1", lambda n: 9),
    "histogram, 1 where one is replaced": ("histogram", "replace", "l1", lambda n: 1),
    "histogram, l1 for l2": ("histogram", "replace", "l2", lambda n: 2),
    "histogram, 2 where one is added": ("histogram", "add or remove", "l1", lambda n: 2),
    "vectors, radius for diameter": ("sum of vectors in a ball", "replace", "l2", lambda n: 2),
    "outer products, twice the radius": ("outer products", "replace", "l2", lambda n: 8),
    "outer products, l2 for l1": ("outer products", "replace", "l1", lambda n: 4 * math.sqrt(2)),
    "tree, one level": ("tree", "replace", "l1", lambda n: 3),
    "total variation, one window": ("7", "replace", "l1", lambda n: 1),
    "squared sum, as of one record": ("28", "replace", "l1", lambda n: 1),
    "log-sum-exp, as for n = 1": ("log-sum-exp", "add or remove", "l1", lambda n: 3),
    "softmax, one entry": ("softmax", "replace", "l1", lambda n: F(1, 2)),
    "rank, n": ("45", "replace", "l1", lambda n: n),
    "cubes, of the length only": ("cubes, signed", "replace", "l1", lambda n: 1),
}


@pytest.mark.parametrize("altered", ALTERED)
def test_altered_definitions_are_noticed(altered):
    name, neighbours, norm, formula = ALTERED[altered]
    said = [complaint(name, neighbours, norm, n, float(formula(n)), float(formula(n))) for n in sizes(name, neighbours)]
    assert any(said)
