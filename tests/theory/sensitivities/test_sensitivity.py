"""Proved sensitivities against brute force over grids, for all n <= 6, and altered definitions that it notices."""

import dataclasses
import math
from fractions import Fraction as F
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from second_routes.sensitivities import BENCH, MORE, UNIT

from banditproof.algorithms import NoiseSource, Policy
from banditproof.theory import Budget, InvalidInput, calibrate_gaussian, calibrate_laplace, sensitivity
from banditproof.theory import statistics as s
from banditproof.theory.sensitivities.proof import are_neighbours
from banditproof.verify import check_privacy

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


@pytest.mark.one_in(18)
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


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
def test_all_of_the_public_list_are_decided(neighbours):
    """For larger n too; the public list prints 1 for medians, which of even n is one half."""
    found = {k: sensitivity(statistic, UNIT, neighbours, n=30) for k, (statistic, _) in BENCH.items()}
    assert len(found) == 49 and sum(proved.exact for proved in found.values()) == 40
    assert all(proved.upper - proved.lower <= F(1, 2**200) for proved in found.values())
    assert found[21].upper == F(1, 2)


WHOLE = ("-inf", "inf")
EDGES = [
    (s.mean(), (2, 5), {"n": 10**5}, F(3, 10**5)),
    (s.mean(), (0, 1), {"neighbours": "add or remove"}, F(1, 2)),  # of 1 and 2 records
    (s.mean(empty=2), (0, 1), {"neighbours": "add or remove"}, 2),  # of no record and one
    (s.median(), (0, 1), {"n": 1000}, F(1, 2)),
    (s.median(), (0, 1), {"n": 1001}, 1),
    (s.median(), (0, 1), {}, 1),
    (s.variance(), (0, 1), {}, F(1, 4)),
    (s.variance(), (1, 4), {"n": 100}, F(9 * 99, 10**4)),
    (s.variance(), (1, 4), {"n": 1}, 0),
    (s.variance(sample=True), (1, 4), {"n": 100}, F(9, 100)),
    (s.histogram(5), s.Categories(5), {}, 2),
    (s.histogram(5), s.Categories(5), {"norm": "linf"}, 1),
    (s.histogram(5), s.Categories(5), {"neighbours": "add or remove", "norm": "l2"}, 1),
    (s.total(s.clipped(0, 1)), WHOLE, {}, 1),
    (s.mean(s.clipped(-1, 1)), WHOLE, {"n": 4}, F(1, 2)),
    (s.total(), WHOLE, {}, math.inf),
    (s.mean(), (0, "inf"), {"n": 3, "neighbours": "add or remove"}, math.inf),
    (s.variance(), (0, "inf"), {"n": 2}, math.inf),
    (s.minimum(), ("-inf", 0), {}, math.inf),
    (s.quantile_range(0, 0), WHOLE, {"n": 3}, 0),
    (s.total(s.above(0)), WHOLE, {}, 1),
    (s.rank(1), WHOLE, {"n": 4}, 3),
    (s.mean(), (1, 1), {"n": 3}, 0),
    (s.product_of_records(), (0, 1), {}, 1),
    (
        s.total_by_position(lambda i, n: s.distance_to(F(i, n))),
        (0, 1),
        {"n": 1, "neighbours": "add or remove"},
        F(3, 2),
    ),
    (s.tree_nodes(), (0, 1), {"n": 1000}, 10),
    (s.tree_nodes(), (0, 1), {"n": 1024, "norm": "linf"}, 1),
    (s.total(), s.Ball("1/2", 4), {"norm": "l1"}, 2),
    (s.ridge(), s.Labelled(s.Ball(1, 1), 2), {"norm": "l1", "neighbours": "add or remove"}, 3),
    (s.indicator("one third", lambda x: F(1, 3) in x, points=["1/3"]), (0, 1), {}, 1),
    (s.weighted_sum(lambda i, n: F(1, i), ever=1), (0, 1), {}, 1),
]


@pytest.mark.parametrize(("statistic", "domain", "how", "value"), EDGES)
def test_edges_are_exact(statistic, domain, how, value):
    proved = sensitivity(statistic, domain, **how)
    assert proved.lower == proved.upper == value and proved.exact
    assert proved.recheck()


def test_what_no_rule_covers_has_no_upper_end():
    def program(x):
        return sum(x) / len(x) if len(x) < 4 else float(x[0] > 0.4)

    for statistic, how, lower in (
        (program, {"n": 3}, F(1, 3)),
        (program, {}, 1),
        (s.squared_sum(), {}, 100),
        (s.total_by_position(lambda i, n: s.power(2, i)), {"neighbours": "add or remove", "n": 3}, 1),
        (s.softmax_mean(), {"n": 3}, 1),
        (s.softmax_mean(), {}, 1),
    ):
        proved = sensitivity(statistic, (0, 2), **how)
        assert proved.upper == math.inf and lower <= proved.lower < math.inf and proved.recheck()
        with pytest.raises(InvalidInput, match="finite upper end"):
            float(proved)


def test_statistics_together_are_enclosed():
    """The matrix moves by up to 2 sqrt 2 and the vector by up to 4 sqrt 2 in l1; together they may move less."""
    proved = sensitivity(s.ridge(), s.Labelled(s.Ball(1, 2), 2), norm="l1")
    assert 5.6 < float(proved.lower) < float(proved) and abs(float(proved) - 6 * math.sqrt(2)) < ROUNDING


def test_supremum_that_no_data_set_attains_is_enclosed():
    proved = sensitivity(s.squared_deviations(), (0, 1))
    assert proved.upper == 1 and F(9, 10) < proved.lower < 1
    assert [proved.at(n).upper for n in (1, 2, 10)] == [0, F(1, 2), F(9, 10)]


def test_altered_certificates_are_rejected():
    for statistic, how in ((s.mean(), {"n": 4}), (s.log_sum_exp(), {"n": 4}), (s.median(), {}), (max, {"n": 2})):
        proved = sensitivity(statistic, (0, 1), **how)
        one, other = proved.pair
        assert proved.recheck()
        for change in ({"lower": proved.lower + F(1, 100)}, {"pair": (one, one)}, {"pair": (one, other * 2)}):
            assert not dataclasses.replace(proved, **change).recheck()
        assert callable(statistic) or not dataclasses.replace(proved, upper=proved.upper - F(1, 100)).recheck()


def test_noise_takes_what_is_proved_and_names_what_is_typed_below_it():
    noise, budget = NoiseSource(np.random.default_rng(1)), Budget.pure(1.0)
    value, proved = np.zeros(3), sensitivity(s.mean(), (0, 1), n=3)
    typed = NoiseSource(np.random.default_rng(1)).laplace(value, sensitivity=math.nextafter(1 / 3, 1), budget=budget)
    assert F(float(proved)) >= F(1, 3)
    assert (noise.laplace(value, sensitivity=proved, budget=budget) == typed).all()
    assert calibrate_laplace(budget, proved).value.upper >= F(1, 3)
    assert calibrate_gaussian(Budget.zcdp(0.5), proved).value.upper >= F(1, 3)
    wrong = sensitivity(s.mean(), (0, 1), "add or remove", n=3)
    plane = sensitivity(s.histogram(3), s.Categories(3), norm="l2")
    for given, why in (
        ({"sensitivity": 0.3, "statistic": proved}, "at least 1/3, which is proved for the mean of x over"),
        ({"sensitivity": wrong}, 'neighbours="replace"'),
        ({"sensitivity": plane}, 'proved in the norm "l1"'),
        ({"sensitivity": 2, "statistic": plane}, 'proved in the norm "l1"'),
        ({"sensitivity": sensitivity(max, (0, 1), n=2)}, "finite upper end"),
    ):
        with pytest.raises(InvalidInput, match=why):
            noise.laplace(value, budget=budget, **given)
    assert noise.laplace(value, sensitivity=0.5, statistic=proved, budget=budget).shape == (3,)
    assert noise.gaussian(value, sensitivity=plane, budget=Budget.zcdp(0.5)).shape == (3,)


class Summing(Policy):
    """Releases the sum of every four rewards, of a typed sensitivity."""

    typed, proved = 0.5, sensitivity(s.total(), (0, 1))

    def __init__(self, noise):
        super().__init__(2)
        self.noise, self.clock, self.arm = noise, 0, 0

    def next_batch(self):
        return np.array([self.arm]), np.array([4])

    def observe(self, total, count, arm=None):
        start, self.clock, budget = self.clock, self.clock + 4, Budget.pure(1.0)
        given = {"sensitivity": self.typed, "statistic": self.proved, "records": (start, self.clock)}
        self.arm = int(self.noise.laplace(total, budget=budget, **given)[0] > 2)


def test_a_check_of_privacy_names_a_typed_sensitivity_below_the_proved_one(monkeypatch):
    def found():
        return check_privacy(lambda noise, generator: Summing(noise), Budget.pure(1.0), seed=1, seconds=5)

    with pytest.raises(InvalidInput, match="at least 1, which is proved for the sum over"):
        found()
    monkeypatch.setattr(Summing, "typed", Summing.proved)
    assert not found().violations
