"""Interactive privacy and the one entry for all definitions, against brute force written here."""

from dataclasses import replace
from fractions import Fraction as F
from itertools import product
from math import inf, log

import mpmath
import pytest

from banditproof.theory.errors import InvalidInput
from banditproof.verify.finite.kernels import FiniteKernel, random_kernel, randomised_response_kernel, reward_tables
from banditproof.verify.finite.output_laws import table_law
from banditproof.verify.privacy.enumeration import (
    acr_delta,
    acr_epsilon,
    table_delta,
    table_epsilon,
    view_delta,
    view_epsilon,
)
from banditproof.verify.privacy.interactive import (
    identity_queries,
    interactive_law,
    interactive_probability,
    post_processed_policy,
    query_adversaries,
)
from banditproof.verify.privacy.policy_privacy import largest_delta, verify_policy_privacy
from banditproof.verify.privacy.separation import off_path_kernel

NOTIONS = ("view", "table", "interactive", "acr")


def all_interactive_laws(kernel):
    """Every adversary and table, written as loops over dictionaries."""
    prefixes = [a for t in range(1, kernel.horizon) for a in product(range(kernel.arms), repeat=t)]
    for choice in product(range(kernel.arms), repeat=len(prefixes)):
        asked = dict(zip(prefixes, choice, strict=True))
        laws = {}
        for table in product(product(kernel.rewards, repeat=kernel.arms), repeat=kernel.horizon - 1):
            law = {}
            for actions in product(range(kernel.arms), repeat=kernel.horizon):
                told, p = (), F(1)
                for t, arm in enumerate(actions):
                    p *= kernel.probability(told)[arm]
                    if t + 1 < kernel.horizon:
                        q = asked[actions[: t + 1]]
                        told = (*told, (q, table[t][q]))
                law[actions] = p
            laws[table] = law
        yield laws


def neighbouring(laws):
    for left, right in product(laws, repeat=2):
        if sum(x != y for x, y in zip(left, right, strict=True)) == 1:
            yield laws[left], laws[right]


@pytest.fixture(scope="module")
def pairs_of_laws():
    kernel = random_kernel(5, 3, 2)
    return kernel, [pair for laws in all_interactive_laws(kernel) for pair in neighbouring(laws)]


def test_delta_is_the_worst_over_every_adversary_and_pair_of_tables(pairs_of_laws):
    kernel, pairs = pairs_of_laws
    for ratio in (F(1), F(7, 5), F(3)):
        brute = max(sum(max(F(0), p[a] - ratio * q[a]) for a in p) for p, q in pairs)
        assert largest_delta(kernel, "interactive", ratio).excess(ratio) == brute


def test_epsilon_is_the_worst_ratio_over_every_adversary_and_pair_of_tables(pairs_of_laws):
    kernel, pairs = pairs_of_laws
    assert verify_policy_privacy(kernel, "interactive").ratio == max(p[a] / q[a] for p, q in pairs for a in p)


def test_rho_encloses_the_best_of_many_orders_over_every_adversary(pairs_of_laws):
    kernel, pairs = pairs_of_laws
    rho = verify_policy_privacy(kernel, "interactive").rho
    pairs = {tuple(sorted((p[a], q[a]) for a in p)) for p, q in pairs}
    best = max(
        mpmath.log(sum(float(p) ** a * float(q) ** (1 - a) for p, q in pair)) / (a * (a - 1))
        for pair in pairs
        for a in (1.001, 1.05, 1.2, 1.5, 2, 3, 6)
    )
    assert best <= float(rho.upper) * (1 + 1e-9)
    assert float(rho.upper) < float(best) * 1.02
    assert float(rho.upper) - float(rho.lower) <= 2e-9 * float(rho.upper)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("horizon", "arms"), [(1, 2), (2, 3), (3, 2)])
def test_the_other_notions_agree_with_the_programs_that_visit_their_inputs(seed, horizon, arms):
    kernel = random_kernel(seed, horizon, arms, smallest_weight=seed % 2)
    programs = {
        "view": (view_epsilon, view_delta),
        "table": (table_epsilon, table_delta),
        "acr": (acr_epsilon, acr_delta),
    }
    for notion, (pure, approximate) in programs.items():
        privacy = verify_policy_privacy(kernel, notion)
        assert privacy.ratio == pure(kernel).ratio
        for ratio in (F(1), F(9, 8), F(2), F(50)):
            assert privacy.delta(ratio) == approximate(kernel, ratio).delta


@pytest.mark.parametrize("notion", NOTIONS)
def test_every_witness_holds_and_the_result_rechecks(notion):
    for kernel in (random_kernel(1, 3, 2), random_kernel(2, 3, 2, smallest_weight=0), random_kernel(0, 1, 2)):
        privacy = verify_policy_privacy(kernel, notion)
        assert all(w.holds(kernel) for w in (privacy.pure, *privacy.curve))
        assert privacy.recheck()


def test_four_steps_are_reached():
    privacy = verify_policy_privacy(random_kernel(3, 4, 2), "interactive")
    assert privacy.recheck() and privacy.ratio >= acr_epsilon(privacy.kernel).ratio


def test_corrupted_results_are_rejected():
    privacy = verify_policy_privacy(random_kernel(1, 3, 2), "interactive")
    pure, rho = privacy.pure, privacy.rho
    lower_half = type(rho)(rho.lower, rho.lower)
    higher = type(rho)(rho.upper * 2, rho.upper * 2)
    corrupted = [
        replace(privacy, pure=replace(pure, left=pure.left + F(1, 1000))),
        replace(privacy, pure=replace(pure, event=(min(set(privacy.kernel.action_sequences()) - set(pure.event)),))),
        replace(privacy, curve=privacy.curve[1:]),
        replace(privacy, curve=(privacy.curve[0], privacy.curve[-1])),
        replace(privacy, rho=lower_half),
        replace(privacy, rho=higher),
        replace(privacy, orders=privacy.orders[:3]),
        replace(privacy, kernel=random_kernel(2, 3, 2)),
        replace(privacy, notion="interactive-acr"),
    ]
    assert not any(result.recheck() for result in corrupted)


def test_inputs_that_are_not_neighbours_are_no_witness():
    kernel = random_kernel(1, 3, 2)
    witness = verify_policy_privacy(kernel, "table").pure
    both = tuple(((0, 0), (1, 1)) for _ in witness.inputs.steps)
    assert not replace(witness, inputs=replace(witness.inputs, steps=both)).holds(kernel)


def test_the_smallest_epsilon_at_a_delta_is_where_the_curve_crosses_it():
    privacy = verify_policy_privacy(random_kernel(4, 3, 2), "table")
    for delta in (F(1, 100), F(1, 10), F(1, 4)):
        ratio = F(privacy.smallest_ratio(delta))
        assert privacy.delta(ratio) <= delta < privacy.delta(max(F(1), ratio - F(1, 10**6)))
        assert (
            privacy.smallest_epsilon(delta).contains(F(log(ratio)))
            or abs(float(privacy.smallest_epsilon(delta).lower) - log(ratio)) < 1e-12
        )
    assert privacy.smallest_ratio(F(0)) == privacy.ratio and privacy.smallest_ratio(F(1)) == 1


def test_renyi_divergence_of_randomised_response_is_that_of_its_bit():
    privacy = verify_policy_privacy(randomised_response_kernel(2, 2, F(3)), "interactive")
    exact = mpmath.log(mpmath.mpf(0.75) ** 2 / 0.25 + mpmath.mpf(0.25) ** 2 / 0.75)
    assert abs(float(privacy.renyi(F(2)).lower) - float(exact)) < 1e-12


def test_a_policy_that_reads_nothing_is_perfectly_private_in_every_sense():
    kernel = FiniteKernel(3, 2, (0, 1), lambda h: (F(1, 3), F(2, 3)))
    for notion in NOTIONS:
        privacy = verify_policy_privacy(kernel, notion)
        assert privacy.ratio == 1 and privacy.delta(F(1)) == 0 and privacy.rho.upper == 0 and privacy.recheck()


def test_impossible_events_make_epsilon_infinite_and_leave_delta():
    privacy = verify_policy_privacy(off_path_kernel(F(1, 10)), "table")
    assert privacy.ratio == inf and privacy.rho.lower == inf
    assert privacy.delta(F(10**9)) == F(1, 10) and privacy.smallest_ratio(F(1, 20)) == inf and privacy.recheck()


def test_the_identity_adversary_runs_the_table_mechanism():
    kernel = random_kernel(7, 3, 2)
    for table in list(reward_tables(kernel))[:6]:
        assert interactive_law(kernel, identity_queries, table) == table_law(kernel, table)


def test_the_view_is_a_product_along_the_queries_and_not_along_the_arms_played():
    kernel = random_kernel(8, 3, 2)
    table = ((0, 1), (1, 0), (0, 0))
    differ = 0
    for ask in list(query_adversaries(kernel))[::9]:
        law = interactive_law(kernel, ask, table)
        assert sum(law.values()) == 1
        assert all(law[a] == interactive_probability(kernel, ask, table, a) for a in law)
        differ += law != table_law(post_processed_policy(kernel, ask), table)
    assert differ > 0


def test_there_are_64_query_adversaries_for_three_steps_and_two_arms():
    assert sum(1 for _ in query_adversaries(random_kernel(0, 3, 2))) == 64


def test_bad_input_is_refused():
    kernel = random_kernel(0, 2, 2)
    with pytest.raises(InvalidInput, match="notion"):
        verify_policy_privacy(kernel, "local")
    privacy = verify_policy_privacy(kernel, "view")
    with pytest.raises(InvalidInput, match="ratio"):
        privacy.delta(F(1, 2))
    with pytest.raises(InvalidInput, match="delta"):
        privacy.smallest_ratio(F(3, 2))
    with pytest.raises(InvalidInput, match="probability"):
        FiniteKernel(2, 2, (0, 1), lambda h: (F(1, 2), F(1, 3)))
    with pytest.raises(InvalidInput, match="neighbouring inputs"):
        verify_policy_privacy(random_kernel(0, 2, 3, tuple(range(12))), "table")
