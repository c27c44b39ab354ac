"""Exact minimax values: known ones, second routes by dynamic programming and by brute force, and their certificates."""

from dataclasses import replace
from fractions import Fraction as F
from functools import cache
from itertools import product

import numpy as np
import pytest

from banditproof.algorithms import BernoulliBandit, HistoryPolicy, simulate
from banditproof.theory import ExactMinimax, InvalidInput, exact_identification_error, exact_minimax_regret
from banditproof.theory.exact import checker, program
from banditproof.verify import FiniteKernel, verify_policy_privacy

MIRRORED = [["0.75", "0.25"], ["0.25", "0.75"]]
THREE = [["0.75" if arm == best else "0.25" for arm in range(3)] for best in range(3)]
UNEVEN = [["0.9", "0.5"], ["0.2", "0.7"], ["0.6", "0.55"]]


def bayes_by_dynamic_programming(optimum: ExactMinimax) -> F:
    """The smallest loss under the weights of the instances without privacy: the best arm after every history."""
    instances, actions = optimum.instances, optimum.actions

    def loss(means: tuple[F, ...], arm: int, step: int) -> F:
        if optimum.criterion == "regret":
            return max(means) - means[arm]
        return F(step == actions - 1 and means[arm] < max(means))

    @cache
    def best(counts: tuple[tuple[int, int], ...], step: int) -> F:
        if step == actions:
            return F(0)
        chances = list(optimum.weights)
        for i, means in enumerate(instances):
            for mean, (wins, losses) in zip(means, counts, strict=True):
                chances[i] *= mean**wins * (1 - mean) ** losses
        values = []
        for arm in range(optimum.arms):
            won, lost = (
                tuple((w + (a == arm) * s, n + (a == arm) * (1 - s)) for a, (w, n) in enumerate(counts)) for s in (1, 0)
            )
            now = sum(c * loss(means, arm, step) for c, means in zip(chances, instances, strict=True))
            values.append(now + best(won, step + 1) + best(lost, step + 1))
        return min(values)

    return best(((0, 0),) * optimum.arms, 0)


@pytest.mark.parametrize("instances", [MIRRORED, THREE, UNEVEN], ids=["mirrored", "three", "uneven"])
@pytest.mark.parametrize("function", [exact_minimax_regret, exact_identification_error])
@pytest.mark.parametrize("horizon", [1, 2, 3])
def test_without_privacy_it_is_dynamic_programming(function, instances, horizon):
    optimum = function(instances, horizon, "inf")
    assert optimum.lower == optimum.upper == bayes_by_dynamic_programming(optimum)


@pytest.mark.parametrize(("horizon", "value"), [(1, F(1, 4)), (4, F(37, 64))])
def test_known_values_without_privacy(horizon, value):
    assert exact_minimax_regret(MIRRORED, horizon, "inf").upper == value


@pytest.mark.parametrize(
    ("ratio", "value"), [(2, F(32597, 27648)), (1, F(3, 2)), ("inf", F("0.7080078125"))], ids=["2", "1", "inf"]
)
def test_six_rounds_of_two_mirrored_arms(ratio, value):
    optimum = exact_minimax_regret(MIRRORED, 6, ratio=ratio)
    assert optimum.lower == optimum.upper == value and optimum.recheck()


@pytest.mark.parametrize("ratio", ["11/10", 2, 5, "inf"])
@pytest.mark.parametrize("p", ["0.6", "0.9", "1"])
def test_one_reward_calls_for_randomised_response(ratio, p):
    """After one reward of a mirrored pair the best private decision follows it with probability q/(1 + q)."""
    mean = F(p)
    right = mean if ratio == "inf" else (F(ratio) * mean + 1 - mean) / (1 + F(ratio))
    pair = [[mean, 1 - mean], [1 - mean, mean]]
    assert exact_identification_error(pair, 1, ratio=ratio).upper == 1 - right
    assert exact_minimax_regret(pair, 2, ratio=ratio).upper == (2 * mean - 1) * (F(1, 2) + 1 - right)


@pytest.mark.parametrize("delta", ["0.01", "0.3", "0.99"])
def test_one_reward_with_ratio_one_is_looked_at_with_probability_delta(delta):
    optimum = exact_identification_error(MIRRORED, 1, 0, delta=delta)
    assert optimum.lower == optimum.upper == F(1, 2) - F(delta) * F(1, 4)


@pytest.mark.parametrize("instances", [MIRRORED, THREE, UNEVEN], ids=["mirrored", "three", "uneven"])
def test_budget_zero_is_the_game_without_information(instances):
    """The smallest worst gap of a law on the arms, times the rounds; uniform play where the instances are symmetric."""
    once, thrice = exact_minimax_regret(instances, 1, 0), exact_minimax_regret(instances, 3, 0)
    assert thrice.lower == thrice.upper == 3 * once.upper
    if instances is not UNEVEN:
        assert once.upper == F(1, 2) * (1 - F(1, len(instances[0])))
    assert abs(exact_minimax_regret(instances, 3, "1e-6").upper - thrice.upper) < F(1, 10**5)


def test_the_value_falls_with_the_budget_and_with_delta():
    values = [exact_minimax_regret(UNEVEN, 3, e) for e in (0, "0.1", "0.5", 1, 3, "inf")]
    assert all(a.lower > b.upper for a, b in zip(values, values[1:], strict=False))
    values = [exact_minimax_regret(UNEVEN, 3, "0.1", delta=d) for d in (0, "0.05", "0.2")]
    assert all(a.lower > b.upper for a, b in zip(values, values[1:], strict=False))


@pytest.mark.parametrize("epsilon", ["0.001", "0.3", 1, 4, 12])
def test_irrational_ratios_are_enclosed_to_a_billionth(epsilon):
    optimum = exact_minimax_regret(MIRRORED, 4, epsilon)
    below, above = optimum.ratios
    assert 0 <= optimum.upper - optimum.lower < F(1, 10**9) and optimum.recheck()
    around = exact_minimax_regret(MIRRORED, 4, ratio=above + F(1, 1000)), exact_minimax_regret(MIRRORED, 4, ratio=below)
    assert around[0].lower <= optimum.upper and optimum.lower <= around[1].upper


# ------------------------------------------------------------------------------------------------- policies and checks


@pytest.mark.parametrize(
    ("instances", "horizon", "notion"),
    [
        *((MIRRORED, 3, notion) for notion in ("view", "table", "acr")),
        *((UNEVEN, 3, notion) for notion in ("view", "table", "acr")),
        *((MIRRORED, 4, "view"), (THREE, 3, "view")),
    ],
)
def test_the_optimal_policy_is_exactly_as_private_as_asked(instances, horizon, notion):
    optimum = exact_minimax_regret(instances, horizon, ratio=2)
    kernel = FiniteKernel(optimum.actions, optimum.arms, (0, 1), optimum.probability)
    assert verify_policy_privacy(kernel, notion).ratio == 2


def test_approximate_privacy_is_confirmed_too():
    optimum = exact_minimax_regret(MIRRORED, 3, ratio=2, delta="0.05")
    kernel = FiniteKernel(3, 2, (0, 1), optimum.probability)
    assert verify_policy_privacy(kernel, "view").delta(F(2)) == F(1, 20)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("instances", [MIRRORED, UNEVEN, THREE], ids=["mirrored", "uneven", "three"])
@pytest.mark.parametrize("delta", ["0.05", "0.3"])
def test_tables_ask_for_more_than_lists_where_delta_is_positive(instances, delta):
    lists, tables = (exact_minimax_regret(instances, 3, ratio=2, delta=delta, notion=n) for n in ("view", "table"))
    assert lists.lower <= tables.upper and tables.lower == tables.upper and tables.recheck()
    kernel = FiniteKernel(3, tables.arms, (0, 1), tables.probability)
    assert verify_policy_privacy(kernel, "table").delta(F(2)) <= F(delta)
    assert exact_minimax_regret(instances, 3, ratio=2, notion="table").upper > tables.upper  # where delta is 0


def test_four_rounds_tell_tables_from_lists():
    lists, tables = (exact_minimax_regret(MIRRORED, 4, ratio=2, delta="0.1", notion=n) for n in ("view", "table"))
    assert lists.upper < tables.lower
    asked = lists.instances, 4, "regret", F(2), F(1, 10)
    assert checker.largest_loss(*asked, lists.policy, "view") == lists.upper
    assert checker.largest_loss(*asked, lists.policy, "table") is None
    prices = tables.prices
    assert prices and checker.smallest_loss(*asked, tables.weights, tables.multipliers, prices) == tables.lower
    first = next(iter(prices))
    for altered in ({}, {**prices, first: prices[first] * F(9, 10)}, {**prices, first: -prices[first]}):
        assert checker.smallest_loss(*asked, tables.weights, tables.multipliers, altered) is None
        assert not replace(tables, prices=altered).recheck()
    assert not replace(tables, prices=None).recheck() and not replace(tables, notion="interactive").recheck()


def test_mixing_two_policies_may_lose_interactive_privacy():
    """So no program over x is convex under that notion: it is refused, and no value is given for it."""

    def policy(changes):
        return lambda history: (changes.get(history, F(1, 2)), 1 - changes.get(history, F(1, 2)))

    quarter = {((1, 1), (1, 1)): F(1, 4)}
    first, second = policy({**quarter, ((1, 0),): F(3, 4)}), policy({**quarter, ((1, 0), (1, 1)): F(3, 4)})

    def mixed(history):
        chances = [F(1), F(1)]
        for t, (arm, _) in enumerate(history):
            chances = [c * one(history[:t])[arm] for c, one in zip(chances, (first, second), strict=True)]
        laws = zip(first(history), second(history), strict=True)
        return tuple((chances[0] * p + chances[1] * q) / sum(chances) for p, q in laws)

    ratios = [
        [verify_policy_privacy(FiniteKernel(3, 2, (0, 1), one), notion).ratio for one in (first, second, mixed)]
        for notion in ("view", "interactive")
    ]
    assert ratios == [[3, 3, 3], [3, 3, F(10, 3)]]
    with pytest.raises(InvalidInput, match="^notion must be view or table: under interactive .* not convex"):
        exact_minimax_regret(MIRRORED, 3, ratio=3, notion="interactive")


def by_the_whole_program(monkeypatch, solve):
    """The value with no symmetry used."""
    monkeypatch.setattr(program, "_symmetries", lambda instances: [tuple(range(len(instances[0])))])
    monkeypatch.setattr(program.Program, "_twins", lambda self: {a: (a, 0) for a in range(self.problem.arms)})
    optimum = solve()
    monkeypatch.undo()
    return optimum


TWINS = [["0.8", "0.2", "0.4"], ["0.3", "0.7", "0.1"], ["0.2", "0.8", "0.4"]]  # two arms tell the same


@pytest.mark.one_in(3)
@pytest.mark.parametrize("instances", [MIRRORED, [["0.9", "0.1"], ["0.1", "0.9"], ["0.6", "0.4"]], TWINS, THREE])
@pytest.mark.parametrize("function", [exact_minimax_regret, exact_identification_error])
@pytest.mark.parametrize("delta", [0, "0.1"])
def test_symmetries_change_no_value(monkeypatch, instances, function, delta):
    for horizon in (1, 2, 3) if len(instances[0]) == 2 else (1, 2):
        optimum = function(instances, horizon, ratio=3, delta=delta)
        whole = by_the_whole_program(monkeypatch, lambda: function(instances, horizon, ratio=3, delta=delta))  # noqa: B023
        assert optimum.lower == optimum.upper == whole.lower == whole.upper


@pytest.mark.parametrize("ratio", ["3/2", 20])
def test_seven_rounds_of_two_mirrored_arms_have_no_gap(ratio):
    optimum = exact_minimax_regret(MIRRORED, 7, ratio=ratio)
    assert optimum.lower == optimum.upper == {"3/2": F(122779, 82944), 20: F(3134646439, 3793305600)}[ratio]


def test_equations_that_leave_something_open_are_solved_beside_a_guess():
    equations = [({0: F(1, 3), 1: F(2, 7)}, F(1)), ({1: F(1), 2: F(-10)}, F(1, 11)), ({0: F(2, 3), 1: F(4, 7)}, F(2))]
    found = program.refined(equations, {0: 1.5, 1: 1.75, 2: 0.166})
    assert found is not None and all(sum(c * found[k] for k, c in row.items()) == b for row, b in equations)
    assert max(abs(found[k] - F(value)) for k, value in {0: 1.5, 1: 1.75, 2: 0.166}.items()) < F(1, 100)
    assert program.refined([*equations, ({0: F(1)}, F(1)), ({0: F(1)}, F(2))], {0: 1.5, 1: 1.75, 2: 0.166}) is None


def test_no_random_private_policy_does_better():
    """Brute force from the other side: policies made private by mixing with uniform play."""
    generator = np.random.default_rng(3)
    optimum = exact_minimax_regret(MIRRORED, 3, ratio=2)
    for _ in range(200):
        rows = {
            h: F(int(generator.integers(1, 9)), 9) for n in range(3) for h in product(product((0, 1), (0, 1)), repeat=n)
        }
        policy = {}
        for actions, rewards in product(product((0, 1), repeat=3), product((0, 1), repeat=2)):
            mass = F(1)
            for t, arm in enumerate(actions):
                one = rows[tuple(zip(actions[:t], rewards[:t], strict=True))]
                mass *= one if arm else 1 - one
            policy[actions, rewards] = mass
        worst = max(
            (policy[a, r] - 2 * policy[a, checker.changed(r, s)] for a, r in policy for s in (0, 1)), default=F(0)
        )
        share = max(F(0), worst) / (max(F(0), worst) + F(1, 8))
        private = {key: (1 - share) * x + share / 8 for key, x in policy.items()}
        loss = checker.largest_loss(optimum.instances, 3, "regret", F(2), F(0), private)
        assert loss is not None and loss >= optimum.upper


def test_the_optimal_policy_is_played_and_loses_what_it_says():
    optimum = exact_minimax_regret(MIRRORED, 6, ratio=2)
    runs = 20_000
    for means in ([0.75, 0.25], [0.25, 0.75]):
        policy = HistoryPolicy(2, optimum.probability, np.random.default_rng(1), replications=runs)
        regret = simulate(policy, BernoulliBandit(means), 6, np.random.default_rng(2)).regret[:, -1]
        assert abs(regret.mean() - float(optimum.upper)) < 5 * regret.std() / runs**0.5


def test_a_policy_that_peeks_or_leaks_proves_nothing():
    optimum = exact_minimax_regret(MIRRORED, 3, ratio=2)
    asked = optimum.instances, 3, "regret"
    assert checker.largest_loss(*asked, F(2), F(0), optimum.policy) == optimum.upper
    assert checker.largest_loss(*asked, F(199, 100), F(0), optimum.policy) is None  # not that private
    peeking = {((a, a, r[1]), r): F(1, 2) for a in (0, 1) for r in product((0, 1), repeat=2)}
    assert checker.largest_loss(*asked, None, F(0), peeking) is not None
    early = {((r[1], a, a), r): F(1, 2) for a in (0, 1) for r in product((0, 1), repeat=2)}
    assert checker.largest_loss(*asked, None, F(0), early) is None
    short = {key: x / 2 for key, x in optimum.policy.items()}
    assert checker.largest_loss(*asked, F(2), F(0), short) is None


def test_multipliers_prove_what_they_prove_and_no_more():
    optimum = exact_minimax_regret(MIRRORED, 3, ratio=2)
    asked = optimum.instances, 3, "regret", F(2), F(0)
    assert checker.smallest_loss(*asked, optimum.weights, {}) == exact_minimax_regret(MIRRORED, 3, "inf").upper
    assert checker.smallest_loss(*asked, optimum.weights, optimum.multipliers) == optimum.lower
    assert checker.smallest_loss(*asked, (F(1), F(1)), optimum.multipliers) is None
    negative = {key: -value for key, value in optimum.multipliers.items()}
    assert checker.smallest_loss(*asked, optimum.weights, negative) is None
    assert not replace(optimum, lower=optimum.lower + F(1, 10**9)).recheck()
    assert not replace(optimum, ratios=(F(3), F(3))).recheck()
    assert not replace(optimum, horizon=4).recheck()


def test_floats_prove_nothing():
    optimum = exact_minimax_regret(MIRRORED, 2, ratio=2)
    assert optimum.recheck()
    for part in ("policy", "multipliers"):
        assert not replace(optimum, **{part: {key: float(x) for key, x in getattr(optimum, part).items()}}).recheck()
    assert not replace(optimum, weights=(0.5, 0.5)).recheck()
    assert not replace(optimum, ratios=(2.0, 2.0)).recheck()
    assert not replace(optimum, delta=0.0).recheck()


def test_the_checker_is_plain_python_and_shares_nothing_with_the_program():
    with open(checker.__file__, encoding="utf-8") as file:
        imports = [line.split()[1] for line in file if line.startswith(("import ", "from "))]
    assert imports == ["__future__", "collections.abc", "fractions", "itertools"]
    with open(program.__file__, encoding="utf-8") as file:
        assert "exact.checker" not in file.read()


REFUSED = {
    "instances": [((), 2), ([], 2), ([[1]], 2), ([["0.5", "0.4"], ["0.5"]], 2), (["ab"], 2), (7, 2)],
    "mean": [([["0.5", "1.5"]], 2), ([["a", "0.5"]], 2), ([[float("nan"), "0.5"]], 2)],
    "horizon": [(MIRRORED, 0), (MIRRORED, 9), (MIRRORED, 2.5), (THREE, 7)],
}


@pytest.mark.parametrize("parameter", REFUSED)
def test_bad_problems_are_refused_by_name(parameter):
    for instances, horizon in REFUSED[parameter]:
        with pytest.raises(InvalidInput, match=f"^{parameter} must be"):
            exact_minimax_regret(instances, horizon, 1)
