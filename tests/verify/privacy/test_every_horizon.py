"""Privacy for every horizon: equal to enumeration, to Karp's mean of cycles, and proved by what cannot be altered."""

import json
from dataclasses import replace
from fractions import Fraction as F
from itertools import product
from math import inf, log
from pathlib import Path

import pytest
from automata import ALL, FINITE, INFINITE, drawn, epsilon_greedy, explore_then_commit, randomised_response

from banditproof.verify import PolicyAutomaton, largest_ratio_over, verify_every_horizon, verify_policy_privacy

HALF = F(1, 2)


def by_enumeration(policy, horizon):
    """The largest likelihood ratio of one sequence of arms, over all reward lists that differ in one place."""

    def walk(pairs, p, q, played, changed):
        yield p, q
        if played == horizon:
            return
        left, right = pairs
        for arm, (x, y) in enumerate(zip(policy.laws[left], policy.laws[right], strict=True)):
            if not p * x:
                continue
            for r, s in product(policy.rewards, repeat=2):
                if r == s or not changed:
                    after = policy.after(left, arm, r), policy.after(right, arm, s)
                    yield from walk(after, p * x, q * y, played + 1, changed or r != s)

    return max(p / q if q else inf for p, q in walk((policy.start,) * 2, F(1), F(1), 0, False))


SMALL = [name for name in ALL if ALL[name]().states <= 20 and ALL[name]().arms == 2]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("horizon", [1, 2, 4, 6])
def test_over_a_horizon_it_is_enumeration(name, horizon):
    policy = ALL[name]()
    assert largest_ratio_over(policy, horizon, "view") == by_enumeration(policy, horizon)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["explore 3", "response"])
def test_over_eight_rounds_it_is_enumeration(name):
    assert largest_ratio_over(ALL[name](), 8, "view") == by_enumeration(ALL[name](), 8)


@pytest.mark.one_in(6)  # every policy and every notion
@pytest.mark.parametrize("name", ["response", "explore 1", "greedy 3", "window 1", "never 5", "drawn 6", "episodes 0"])
@pytest.mark.parametrize("notion", ["view", "table", "acr", "interactive"])
def test_over_a_horizon_it_is_the_exact_verification_of_the_kernel(name, notion):
    policy = ALL[name]()
    for horizon in (2, 3):
        assert (
            largest_ratio_over(policy, horizon, notion) == verify_policy_privacy(policy.kernel(horizon), notion).ratio
        )


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", FINITE)
@pytest.mark.parametrize("notion", ["view", "interactive"])
def test_what_is_private_for_every_horizon_is_proved_and_attained(name, notion):
    policy = ALL[name]()
    verdict = verify_every_horizon(policy, notion)
    assert verdict.ratio < inf and verdict.recheck() and verdict.cycle == 0
    assert largest_ratio_over(policy, max(1, len(verdict.word)), notion) == verdict.ratio
    assert largest_ratio_over(policy, len(verdict.word) + 3, notion) == verdict.ratio


@pytest.mark.parametrize("name", INFINITE)
def test_what_is_private_for_no_epsilon_has_a_word_that_says_so(name):
    policy = ALL[name]()
    verdict = verify_every_horizon(policy, "view")
    assert verdict.ratio == inf and verdict.recheck()
    if policy.states > 20:
        return
    assert bool(verdict.cycle) != (largest_ratio_over(policy, len(verdict.word), "view") == inf)
    if verdict.cycle:
        grown = [largest_ratio_over(policy, len(verdict.word) + k * verdict.cycle, "view") for k in (0, 1, 2)]
        assert grown[0] < grown[1] < grown[2]


def karp(policy):
    """The largest mean of the logarithms around a cycle of pairs that can be reached, by Karp's formula."""
    heaviest = {(s, t): None for s in range(policy.states) for t in range(policy.states)}
    edges = []
    for left, right in heaviest:
        for arm, (p, q) in enumerate(zip(policy.laws[left], policy.laws[right], strict=True)):
            for r in policy.rewards:
                edges.append(((left, right), log(p / q), (policy.after(left, arm, r), policy.after(right, arm, r))))
    states, queue = {policy.start}, [policy.start]
    for state in queue:
        for after in {t for of_arm in policy.moves[state] for t in of_arm} - states:
            states.add(after)
            queue.append(after)
    starts = {
        (policy.after(s, a, r), policy.after(s, a, t))
        for s in states
        for a in range(policy.arms)
        for r in policy.rewards
        for t in policy.rewards
        if r != t
    }
    levels = [{pair: 0.0 if pair in starts else -inf for pair in heaviest}]
    for _ in heaviest:
        level = dict.fromkeys(heaviest, -inf)
        for source, length, target in edges:
            level[target] = max(level[target], levels[-1][source] + length)
        levels.append(level)
    n = len(heaviest)
    return max(
        min((levels[n][pair] - levels[k][pair]) / (n - k) for k in range(n) if levels[k][pair] > -inf)
        for pair in heaviest
        if levels[n][pair] > -inf
    )


@pytest.mark.parametrize("name", ["response", "window 1", "window 3", "episodes 0", "greedy 3", "greedy 8", "drawn 6"])
def test_growth_is_the_mean_of_karps_cycle(name):
    policy = ALL[name]()
    mean, verdict = karp(policy), verify_every_horizon(policy, "view")
    assert (mean > 1e-9) == (verdict.ratio == inf)
    early, late = (largest_ratio_over(policy, horizon, "view") for horizon in (40, 100))
    assert log(late / early) / 60 == pytest.approx(mean, abs=0.02)


# ------------------------------------------------------------------------------------------------------ classic results


@pytest.mark.parametrize("ratio", [F(1), F(3, 2), F(7)])
def test_randomised_response_is_as_private_as_its_coin(ratio):
    assert verify_every_horizon(randomised_response(ratio), "view").ratio == ratio


@pytest.mark.parametrize("pulls", [1, 4])
def test_a_private_comparison_is_read_once(pulls):
    """Two odds that differ by a factor q give probabilities that differ by less."""
    verdict = verify_every_horizon(explore_then_commit(pulls, F(2)), "view")
    odds = [F(2) ** k for k in range(-pulls, pulls + 1)]
    laws = [(o / (1 + o), 1 / (1 + o)) for o in odds]
    neighbours = [(x, y) for a, b in zip(laws, laws[1:], strict=False) for x, y in zip(a, b, strict=True)]
    assert verdict.ratio == max(max(x / y, y / x) for x, y in neighbours) < 2


def test_epsilon_greedy_without_noise_is_private_for_no_epsilon():
    verdict = verify_every_horizon(epsilon_greedy(3), "view")
    assert verdict.ratio == inf and verdict.cycle and "repeat" in str(verdict)


def test_interactive_privacy_asks_for_more():
    """The reward of an arm that the policy never plays is read where an adversary names that arm."""
    third = F(1, 3)
    laws, back = [(F(1), F(0)), (third, 2 * third), (2 * third, third)], [(0, 0), (0, 0)]
    policy = PolicyAutomaton(laws, [[(1, 1), (1, 2)], back, back])
    assert verify_every_horizon(policy, "view").ratio == 1
    assert verify_every_horizon(policy, "interactive").ratio == 2


def test_a_policy_that_never_looks_costs_nothing():
    blind = PolicyAutomaton([(HALF, HALF), (F(1, 3), F(2, 3))], [[(1, 1)] * 2, [(0, 0)] * 2])
    verdict = verify_every_horizon(blind, "interactive")
    assert verdict.ratio == 1 and verdict.word == () and verdict.recheck() and verdict.epsilon.upper == 0


def test_the_theorem_is_supported_by_enumeration_and_its_false_variants_are_caught(banditproof, tmp_path):
    module = Path(__file__).parents[3] / "examples" / "every_horizon.py"
    done = banditproof("check", "--module", module, "--output", tmp_path, folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((tmp_path / "results.json").read_text())
    parts = ("", "/no-horizon-has-more", "/attained", "/none")
    assert {c["id"]: c["verdict"] for c in results["claims"]} == {f"AUTOMATA-T1{p}": "supported" for p in parts}
    assert results["run"]["counts"]["mutations"] == {"tried": 3, "caught": 3}


# -------------------------------------------------------------------------------------------------------- certificates


@pytest.mark.parametrize("name", ["response", "explore 3", "window 3", "episodes 1"])
def test_an_altered_certificate_is_rejected(name):
    verdict = verify_every_horizon(ALL[name](), "view")
    assert not replace(verdict, ratio=verdict.ratio * F(99, 100)).recheck()
    assert not replace(verdict, ratio=verdict.ratio * F(101, 100)).recheck()
    assert not replace(verdict, ratio=inf).recheck()
    assert not replace(verdict, word=verdict.word[:-1]).recheck()
    assert not replace(verdict, cycle=1).recheck()
    assert not replace(verdict, notion="abc").recheck()
    assert not replace(verdict, potential={}).recheck()
    top = max(verdict.potential, key=lambda pair: verdict.potential[pair])
    assert not replace(verdict, potential={**verdict.potential, top: verdict.potential[top] * F(999, 1000)}).recheck()
    for pair in list(verdict.potential)[:20]:
        assert not replace(verdict, potential={k: v for k, v in verdict.potential.items() if k != pair}).recheck()
        assert not replace(verdict, potential={**verdict.potential, pair: F(1, 2)}).recheck()


def test_a_word_with_two_changes_or_another_ending_refutes_nothing():
    verdict = verify_every_horizon(epsilon_greedy(8), "view")
    changed = verdict.word[-1]._replace(left=1 - verdict.word[-1].left)
    assert not replace(verdict, word=(*verdict.word[:-1], changed)).recheck()
    assert not replace(verdict, word=verdict.word[:-1]).recheck()
    assert not replace(verdict, word=verdict.word[: -verdict.cycle], cycle=0).recheck()
    assert not replace(verdict, ratio=F(10**9)).recheck()
    never = verify_every_horizon(drawn(4, 5, never=True), "view")
    assert never.cycle == 0 and never.recheck() and not replace(never, word=never.word[:-1]).recheck()


def test_another_policy_has_another_certificate():
    verdict = verify_every_horizon(randomised_response(F(2)), "view")
    assert not replace(verdict, automaton=randomised_response(F(3))).recheck()
    assert not replace(verdict, automaton=epsilon_greedy(3)).recheck()
