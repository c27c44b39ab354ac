"""The transport certificates of maximal couplings, against closed forms and against tampering."""

from fractions import Fraction

import pytest

from banditproof.paper_checks.bernoulli_dp.section_3.s3_proof import (
    no_bernoulli_coupling_is_better,
    transport_certificate,
    transport_is_optimal,
)
from banditproof.paper_checks.shared.couplings import (
    PAIRS_AND_EDGES,
    overlap_coupling,
    overlap_coupling_is_maximal,
    pair_of_laws,
)
from banditproof.verify.proof.compare import holds


def half_l1(p, q):
    return sum(abs(p[i] - q[i]) for i in p) / 2


@pytest.mark.parametrize("pair", PAIRS_AND_EDGES)
def test_the_solver_and_the_overlap_coupling_reach_half_the_l1_distance(pair):
    p, q = pair_of_laws(pair)
    assert sum(m for (i, j), m in overlap_coupling(p, q).items() if i != j) == half_l1(p, q)
    entry = transport_certificate(pair)
    size = len(p)
    assert sum(m for k, m in enumerate(entry["coupling"]) if k // size != k % size) == half_l1(p, q)
    assert holds(*transport_is_optimal([entry])) is True


def test_equal_laws_never_differ_and_disjoint_laws_always_do():
    (p, q), (r, s) = pair_of_laws(("equal", 1, 3)), pair_of_laws(("disjoint", 1, 2))
    assert half_l1(p, q) == 0 and half_l1(r, s) == 1
    assert holds(*overlap_coupling_is_maximal(("equal", 1, 3), 1)) is True
    assert holds(*overlap_coupling_is_maximal(("disjoint", 1, 2), 1)) is True


def test_a_tampered_certificate_is_refused():
    entry = transport_certificate(("random", 1, 3))
    moved = list(entry["coupling"])
    moved[0], moved[1] = moved[0] - Fraction(1, 100), moved[1] + Fraction(1, 100)
    assert holds(*transport_is_optimal([entry | {"coupling": moved}])) is False
    raised = [entry["dual"][0] + 1, *entry["dual"][1:]]
    assert holds(*transport_is_optimal([entry | {"dual": raised}])) is False


def test_the_difference_of_bernoulli_means_is_that_of_the_cells_off_the_diagonal():
    c_00, c_01, c_10, c_11 = (Fraction(k, 20) for k in (3, 4, 6, 7))
    p = c_10 + c_11
    left, operator, right = no_bernoulli_coupling_is_better(p, c_11 / p, c_01 / (1 - p))
    assert right == (c_10 + c_11) - (c_01 + c_11) and left == 1 - c_00 - c_11 and operator == ">="
