"""Couplings: exact optima against linear programs over all data sets, certificates, and what they refuse."""

from __future__ import annotations

import dataclasses
import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from banditproof.theory import (
    InvalidInput,
    coupling_kl_bounds,
    group_kl_bound,
    group_variation,
    least_square_distance,
    maximal_coupling,
    optimal_coupling,
    optimal_transport,
    to_ball,
)
from banditproof.theory.privacy import couplings as couplings_module

HALF = Fraction(1, 2)


def random_laws(seed: int, coordinates: int, size: int) -> list[tuple[Fraction, ...]]:
    draw = random.Random(seed)
    weights = [[draw.randint(0, 7) for _ in range(size - 1)] + [1] for _ in range(coordinates)]
    return [tuple(Fraction(w, sum(row)) for w in row) for row in weights]


def program_over_data_sets(laws, others, power: int) -> float:
    """The transport problem with one variable per pair of data sets, by cvxpy."""
    import cvxpy

    sets = list(itertools.product(*(range(len(law)) for law in laws)))
    p, q = (
        [math.prod(float(law[x]) for law, x in zip(side, data, strict=True)) for data in sets]
        for side in (laws, others)
    )
    cost = np.array([[sum(a != b for a, b in zip(d, e, strict=True)) ** power for e in sets] for d in sets])
    plan = cvxpy.Variable(cost.shape, nonneg=True)
    marginals = [cvxpy.sum(plan, axis=1) == np.array(p), cvxpy.sum(plan, axis=0) == np.array(q)]
    return float(
        cvxpy.Problem(cvxpy.Minimize(cvxpy.sum(cvxpy.multiply(cost, plan))), marginals).solve(solver="CLARABEL")
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_maximal_coupling_has_its_marginals_and_differs_as_rarely_as_total_variation(seed):
    (p,), (q,) = random_laws(seed, 1, 4), random_laws(seed + 50, 1, 4)
    cells = maximal_coupling(p, q)
    assert [sum(m for (x, _), m in cells.items() if x == i) for i in range(4)] == list(p)
    assert [sum(m for (_, y), m in cells.items() if y == i) for i in range(4)] == list(q)
    differing = sum(m for (x, y), m in cells.items() if x != y)
    assert differing == max(
        abs(sum(p[i] - q[i] for i in e)) for n in range(5) for e in itertools.combinations(range(4), n)
    )


def test_laws_may_be_means_sequences_or_mappings():
    assert maximal_coupling(HALF, {0: HALF, 1: HALF}) == {(0, 0): HALF, (1, 1): HALF}
    assert maximal_coupling({"a": 1}, {"b": 1}) == {("a", "b"): 1}


@pytest.mark.parametrize(("coordinates", "size", "seed"), [(2, 2, 0), (3, 2, 1), (4, 2, 2), (2, 3, 3), (2, 4, 4)])
@pytest.mark.parametrize(("cost", "power"), [("hamming", 1), ("hamming-squared", 2)])
def test_the_optimum_agrees_with_the_program_over_all_data_sets(coordinates, size, seed, cost, power):
    laws, others = random_laws(seed, coordinates, size), random_laws(seed + 50, coordinates, size)
    coupling = optimal_coupling(laws, others, cost)
    assert coupling.recheck()
    assert float(coupling.exact) == pytest.approx(
        program_over_data_sets(laws, others, power), abs=1e-6
    )  # solver accuracy
    assert coupling.value.contains(coupling.exact)
    assert coupling.exact <= coupling.product


def test_equal_coordinates_are_solved_through_their_types():
    laws, others = [(HALF, Fraction(1, 3), Fraction(1, 6))] * 3, [(Fraction(1, 4), Fraction(1, 4), HALF)] * 3
    coupling = optimal_coupling(laws, others, "hamming-squared")
    assert len(coupling.certificate.p) == 10
    assert float(coupling.exact) == pytest.approx(program_over_data_sets(laws, others, 2), abs=1e-6)


def with_odds(odds: str, ratio: int) -> tuple[Fraction, Fraction]:
    small = Fraction(odds)
    return ratio * small / (1 + ratio * small), small / (1 + small)


@pytest.mark.parametrize("ratio", [2, 7])
def test_sums_decide_for_different_coordinates_of_a_common_odds_ratio(ratio, monkeypatch):
    pairs = [with_odds(odds, ratio) for odds in ("1/5", "1/2", "1", "3")]
    laws, others = [a for a, _ in pairs], [b for _, b in pairs]
    exact = optimal_coupling(laws, others, "hamming-squared").exact
    monkeypatch.setattr(couplings_module, "LARGEST_PROGRAM", 0)
    coupling = optimal_coupling(laws, others, "hamming-squared")
    assert coupling.method == "comonotone sums"
    assert coupling.recheck()
    assert coupling.value.contains(exact)
    assert coupling.value.width < Fraction(1, 2**50)


def test_sums_decide_where_one_side_is_certain(monkeypatch):
    laws, others = ["1/2", "1", "1/3"], ["0", "1/4", "0"]
    exact = optimal_coupling(laws, others, "hamming-squared").exact
    monkeypatch.setattr(couplings_module, "LARGEST_PROGRAM", 0)
    coupling = optimal_coupling(laws, others, "hamming-squared")
    assert (coupling.method, coupling.value.contains(exact)) == ("comonotone sums", True)


@pytest.mark.parametrize("seed", range(6))
def test_bounds_enclose_the_optimum(seed, monkeypatch):
    laws, others = random_laws(seed, 3, 2 + seed % 2), random_laws(seed + 50, 3, 2 + seed % 2)
    laws, others = [*laws, laws[0]], [*others, others[0]]
    monkeypatch.setattr(couplings_module, "LARGEST_PROGRAM", 10**4)
    exact = optimal_coupling(laws, others, "hamming-squared").exact
    monkeypatch.setattr(couplings_module, "LARGEST_PROGRAM", 0)
    coupling = optimal_coupling(laws, others, "hamming-squared")
    assert coupling.recheck()
    assert coupling.value.contains(exact)
    assert coupling.value.upper <= float(coupling.product) * (1 + 1e-15)


@pytest.mark.parametrize("gap", ["1/5", "3/10", "2/5"])
def test_similar_coins_are_nearly_nested(gap, monkeypatch):
    laws = [Fraction(50 + i, 100) for i in range(6)]
    others = [a - Fraction(gap) for a in laws]
    exact = optimal_coupling(laws, others, "hamming-squared").exact
    monkeypatch.setattr(couplings_module, "LARGEST_PROGRAM", 0)
    coupling = optimal_coupling(laws, others, "hamming-squared")
    assert (coupling.method, coupling.value.contains(exact), coupling.recheck()) == ("bounds", True, True)
    mean = 6 * Fraction(gap)
    # Less than half the variance of independence.
    assert coupling.value.upper - mean**2 < (coupling.product - mean**2) / 2


def quantile_cost(n: int, p: float, q: float) -> float:
    """The integral of the squared difference of two binomial quantile functions, in floats."""
    from scipy.stats import binom

    levels = np.unique(np.concatenate([binom.cdf(np.arange(n + 1), n, m) for m in (p, q)]))
    levels = np.concatenate([[0.0], levels[levels > 0]])
    middles = (levels[1:] + levels[:-1]) / 2
    return float(np.sum(np.diff(levels) * (binom.ppf(middles, n, p) - binom.ppf(middles, n, q)) ** 2))


@pytest.mark.parametrize(("n", "p", "q"), [(150, "1/2", "1/4"), (2000, "3/4", "1/2"), (500, "1/1024", "1/2")])
def test_thousands_of_equal_coins_are_solved_by_their_sums(n, p, q):
    coupling = optimal_coupling([p] * n, [q] * n, "hamming-squared")
    expected = quantile_cost(n, float(Fraction(p)), float(Fraction(q)))
    assert float(coupling.value.lower) == pytest.approx(expected, rel=1e-9)  # the floats' own rounding
    assert coupling.value.width <= coupling.value.upper / 10**12
    assert coupling.recheck()


def test_identical_laws_cost_nothing_and_do_not_count():
    assert optimal_coupling(["1/3"] * 200, ["1/3"] * 200, "hamming-squared").exact == 0
    with_idle = optimal_coupling(["1/2", *["1/3"] * 200], ["1/4", *["1/3"] * 200], "hamming-squared")
    assert with_idle.exact == Fraction(1, 4)


def test_the_closest_coupling_of_sums_is_exact_for_small_numbers():
    masses = {0: [Fraction(1, 4), HALF, Fraction(1, 4)], 1: [Fraction(9, 16), Fraction(6, 16), Fraction(1, 16)]}
    solved = optimal_transport(masses[0], masses[1], [[(i - j) ** 2 for j in range(3)] for i in range(3)])
    assert solved.recheck()
    assert least_square_distance([(HALF, 2)], [(Fraction(1, 4), 2)]).contains(solved.value)


@pytest.mark.parametrize("seed", range(4))
def test_exact_transport_agrees_with_a_solver_in_floats(seed):
    from scipy.optimize import linprog

    draw = random.Random(seed)
    (p,), (q,) = random_laws(seed, 1, 9), random_laws(seed + 9, 1, 9)
    cost = [[Fraction(draw.randint(0, 40), draw.choice((1, 3))) for _ in q] for _ in p]
    solved = optimal_transport(p, q, cost)
    rows = np.vstack([np.kron(np.eye(9), np.ones(9)), np.kron(np.ones(9), np.eye(9))])
    floats = linprog([float(c) for row in cost for c in row], A_eq=rows, b_eq=[float(m) for m in (*p, *q)])
    assert solved.recheck()
    assert float(solved.value) == pytest.approx(floats.fun, abs=1e-9)


def test_corrupted_certificates_are_rejected():
    coupling = optimal_coupling(["1/2", "1/3"], ["1/4", "1/6"], "hamming-squared")
    solved = coupling.certificate
    (i, j, mass), *rest = solved.plan
    raised = (solved.potential[0] + 1, *solved.potential[1:])
    for broken in (
        dataclasses.replace(solved, potential=raised),
        dataclasses.replace(solved, plan=((i, j, mass / 2), *rest)),
        dataclasses.replace(solved, cost=((1, *solved.cost[0][1:]), *solved.cost[1:])),
    ):
        assert not dataclasses.replace(coupling, certificate=broken).recheck()
    assert not dataclasses.replace(coupling, exact=coupling.exact + 1).recheck()
    assert not dataclasses.replace(coupling, product=coupling.product - 1).recheck()


@pytest.mark.parametrize("cost", ["hamming", "hamming-squared"])
def test_corrupted_events_and_values_are_rejected(cost):
    coupling = optimal_coupling(["1/2"] * 100, ["1/4"] * 100, cost)
    assert coupling.recheck()
    assert not dataclasses.replace(coupling, certificate=(frozenset(), *coupling.certificate[1:])).recheck()
    assert not dataclasses.replace(coupling, certificate=coupling.certificate[1:]).recheck()
    narrower = type(coupling.value)(coupling.value.upper + 1, coupling.value.upper + 2)
    assert not dataclasses.replace(coupling, value=narrower).recheck()


NO_LAWS = ["3/2", math.nan, ["1/2", "1/4"], ["3/2", "-1/2"], ["many", "few"], None, [0.1, 0.9]]


@pytest.mark.parametrize(
    ("laws", "others"), [([], []), (["1/2"], ["1/2", "1/2"]), (5, ["1/4"]), *(([law], ["1/4"]) for law in NO_LAWS)]
)
def test_things_that_are_no_pair_of_product_laws_are_refused(laws, others):
    with pytest.raises(InvalidInput):
        optimal_coupling(laws, others)


COSTS = {
    "whole numbers": lambda draw: draw.randint(-5, 9),
    "floats": lambda draw: draw.random() * 10.0 ** draw.randint(-20, 20),
    "fractions": lambda draw: Fraction(draw.randint(-9, 9), draw.randint(1, 9)),
    "text": lambda draw: f"{draw.randint(-9, 9)}/{draw.randint(1, 9)}",
    "far apart": lambda draw: draw.choice([1e-300, 0.0, 1e300]),
    "numbers of NumPy": lambda draw: draw.choice([np.int64(3), np.float32(0.1), np.float64(0.7)]),
}


def exactly(cost):
    return Fraction(cost.item() if isinstance(cost, np.generic) else cost)


@pytest.mark.parametrize("kind", COSTS)
def test_transport_takes_floats_exactly_and_avoids_what_is_infinite(kind):
    """Uniform masses are an assignment problem: all permutations are tried in exact rationals."""
    draw, closed = random.Random(kind), 0
    for _ in range(60):
        size, share = draw.randint(1, 5), draw.choice([0, 0.3, 0.6])
        cost = [[math.inf if draw.random() < share else COSTS[kind](draw) for _ in range(size)] for _ in range(size)]
        plans = ([cost[i][k] for i, k in enumerate(order)] for order in itertools.permutations(range(size)))
        sums = [sum(map(exactly, plan)) for plan in plans if math.inf not in plan]
        if sums:
            solved = optimal_transport([Fraction(1, size)] * size, [f"1/{size}"] * size, cost)
            assert solved.value == min(sums) / size and solved.recheck()
            continue
        closed += 1
        with pytest.raises(InvalidInput, match="cost must be finite in more cells: rows"):
            optimal_transport([1] * size, [1] * size, cost)
    assert closed


# ------------------------------------------------------------------------------------------------------- bounds on KL


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("distance", [1, 2, 3, 4, 7])
def test_group_variation_is_the_largest_gain_along_the_chain(epsilon, distance):
    start = np.linspace(0, 1, 200_001)
    p = start.copy()
    for _ in range(distance):
        p = np.minimum(math.exp(epsilon) * p, 1 - math.exp(-epsilon) * (1 - p))
    assert float(group_variation(to_ball(epsilon), distance)) == pytest.approx(
        float(np.max(p - start)), abs=2e-4
    )  # grid


@pytest.mark.parametrize("seed", range(30))
def test_group_bound_holds_along_random_chains(seed):
    draw = np.random.default_rng(seed)
    laws = [draw.dirichlet(np.ones(3))]
    for _ in range(4):  # random steps, mixed with the law before
        laws.append(0.7 * laws[-1] + 0.3 * draw.dirichlet(np.ones(3)))
    epsilon = max(np.max(np.abs(np.log(a / b))) for a, b in itertools.pairwise(laws))
    for d in range(1, 5):
        kl = float(np.sum(laws[0] * np.log(laws[0] / laws[d])))
        assert kl <= float(group_kl_bound(float(epsilon), d)) <= epsilon * d
        assert float(group_kl_bound(float(epsilon), d)) <= epsilon * d * math.tanh(epsilon * d / 2) + 1e-12


def test_bounds_hold_for_answers_to_single_records():
    """Three records, each answered by randomised response: the output laws are products, their divergence a sum."""
    epsilon, p, q = 1.5, 0.5, 0.125
    tell = math.exp(epsilon) / (1 + math.exp(epsilon))
    a, b = (m * tell + (1 - m) * (1 - tell) for m in (p, q))
    kl = 3 * (a * math.log(a / b) + (1 - a) * math.log((1 - a) / (1 - b)))
    bounds = coupling_kl_bounds([p] * 3, [q] * 3, epsilon=epsilon)
    assert all(kl <= float(bound.value.upper) for bound in bounds.bounds.values())
    assert bounds["theorem-4.8"].value.contains(Fraction(epsilon) * 3 * Fraction(3, 8))
    assert bounds["karwa-vadhan"].value.contains(6 * Fraction(epsilon) * 3 * Fraction(3, 8))
    assert bounds.best.value.upper == min(b.value.upper for b in bounds.bounds.values())


def test_group_privacy_bound_is_the_mean_of_what_each_distance_costs():
    t, epsilon = Fraction(1, 4), 0.3
    bounds = coupling_kl_bounds([HALF, HALF, "3/4"], [t, t, "3/4"], epsilon="3/10")
    cost = [float(group_kl_bound("3/10", d)) for d in range(3)]
    independent = 2 * 0.25 * 0.75 * cost[1] + 0.0625 * cost[2]
    nested = 0.5 * cost[1]  # Bin(2, 1/2) and Bin(2, 1/4) along quantiles: 5/16 + 3/16 at distance 1, 1/2 at distance 0
    assert float(bounds["group-privacy"].value.lower) == pytest.approx(min(independent, nested), rel=1e-12)
    assert epsilon * 0.5 > independent


def test_the_transport_bound_improves_on_the_printed_one():
    bounds = coupling_kl_bounds(["1/2"] * 1000, ["2/5"] * 1000, rho="1/10")
    assert bounds["theorem-4.8"].value.contains(1009)
    assert bounds.best.name == "data-processing"
    assert 1000 <= float(bounds["transport"].value.upper) < 1000.1
    assert math.isinf(coupling_kl_bounds(["1/2"], ["0"], rho=1)["data-processing"].value.upper)


def test_different_records_are_outside_the_quoted_lemma():
    bounds = coupling_kl_bounds(["1/2", "1/3"], ["1/4", "1/4"], epsilon=1)
    assert not bounds["karwa-vadhan"].applies
    assert bounds["karwa-vadhan"].why
