"""Exact values under zCDP: a second route by randomised response and by a conic solver, and certificates that hold."""

from dataclasses import replace
from fractions import Fraction as F
from functools import cache
from itertools import product
from random import Random

import mpmath
import numpy as np
import pytest

from banditproof.algorithms import BernoulliBandit, HistoryPolicy, simulate
from banditproof.theory import exact_identification_error, exact_minimax_regret, minimax_regret_over_means
from banditproof.theory.exact import concentrated_checker as checker
from banditproof.theory.exact.checker import likelihood, loss
from banditproof.verify import zcdp_rho

MIRRORED = [["0.75", "0.25"], ["0.25", "0.75"]]
UNEVEN = [["0.9", "0.5"], ["0.2", "0.7"], ["0.6", "0.55"]]
THREE = [["0.75" if arm == best else "0.25" for arm in range(3)] for best in range(3)]


@cache
def mirrored(rho):
    """Three rounds of two mirrored arms."""
    return exact_minimax_regret(MIRRORED, 3, rho=rho)


def followed(rho: F) -> mpmath.mpf:
    """How often randomised response that is rho-zCDP may tell the truth; its order next to 1 is the worst."""
    budget = mpmath.mpf(rho.numerator) / rho.denominator
    divergence = lambda s: (2 * s - 1) * mpmath.log(s / (1 - s)) - budget  # noqa: E731
    return mpmath.findroot(divergence, (0.5, 1 - mpmath.mpf(10) ** -9), solver="anderson", tol=1e-25)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("rho", ["0.001", "0.1", "1", "4"])
@pytest.mark.parametrize("mean", ["0.6", "0.9"])
def test_one_reward_calls_for_randomised_response(rho, mean):
    pair = [[mean, 1 - F(mean)], [1 - F(mean), mean]]
    truth = followed(F(rho))
    right = truth * mpmath.mpf(mean) + (1 - truth) * (1 - mpmath.mpf(mean))
    optimum = exact_identification_error(pair, 1, rho=rho)
    assert abs(float(optimum.lower) - float(1 - right)) < 1e-6 and optimum.upper - optimum.lower < F(1, 10**6)


@pytest.mark.one_in(8)  # both notions and both budgets
@pytest.mark.parametrize(
    ("instances", "horizon", "notion"),
    [(MIRRORED, 3, "view"), (UNEVEN, 3, "view"), (THREE, 2, "view"), (MIRRORED, 3, "table"), (UNEVEN, 2, "table")],
)
@pytest.mark.parametrize("rho", ["0.02", "0.5"])
def test_the_ends_are_close_and_the_policy_is_as_private_as_asked(instances, horizon, notion, rho):
    optimum = exact_minimax_regret(instances, horizon, rho=rho, notion=notion)
    assert 0 <= optimum.upper - optimum.lower < F(1, 10**5) and optimum.recheck()
    largest = 0.0
    arms = range(optimum.arms)
    for table in checker.tables(notion, optimum.arms, horizon - 1):
        for place in range(horizon - 1):
            laws: list[dict] = [{}, {}]
            for a in product(arms, repeat=horizon):
                r = checker.read(table, a)
                laws[0][a], laws[1][a] = optimum.policy[a, r], optimum.policy[a, checker.changed(r, place)]
            largest = max(largest, float(zcdp_rho(*laws, splits=40).lower))
    assert float(rho) * (1 - 1e-3) < largest <= float(rho)


def by_conic_programming(instances, horizon, rho, orders):
    """The value with finitely many orders, as a program of power cones: no symmetry, another solver."""
    cvxpy = pytest.importorskip("cvxpy")
    arms = range(len(instances[0]))
    ends = list(product(arms, repeat=horizon))
    x = {(a, r): cvxpy.Variable(nonneg=True) for a in ends for r in product((0, 1), repeat=horizon - 1)}
    held, level = [], dict(x)
    for t in range(horizon, 0, -1):
        before = {}
        for (a, r), one in level.items():
            before.setdefault((a[:-1], r), []).append(one)
        sums = {key: sum(parts) for key, parts in before.items()}
        if t == 1:
            held.append(sums[(), ()] == 1)
            break
        level = {}
        for (a, r), one in sums.items():
            if r[-1]:
                held.append(one == sums[a, (*r[:-1], 0)])
            else:
                level[a, r[:-1]] = one
    for r in product((0, 1), repeat=horizon - 1):
        for place in range(horizon - 1):
            other = checker.changed(r, place)
            held.append(sum(cvxpy.rel_entr(x[a, r], x[a, other]) for a in ends) <= rho)
            for h in orders:
                powers = cvxpy.Variable(len(ends), nonneg=True)
                left, right = (cvxpy.hstack([x[a, one] for a in ends]) for one in (r, other))
                held.append(cvxpy.PowCone3D(powers, right, left, 1 / (1 + h)))
                held.append(cvxpy.sum(powers) <= np.exp(h * (1 + h) * rho))
    worst = cvxpy.Variable()
    for means in ([F(m) for m in one] for one in instances):
        held.append(
            sum(
                float(likelihood(tuple(means), a, r) * loss("regret", tuple(means), a)) * one
                for (a, r), one in x.items()
            )
            <= worst
        )
    return cvxpy.Problem(cvxpy.Minimize(worst), held).solve(solver="CLARABEL")


@pytest.mark.parametrize(("instances", "rho"), [(MIRRORED, 0.1), (UNEVEN, 0.05)])
def test_another_solver_with_a_few_orders_finds_the_same(instances, rho):
    optimum = mirrored(str(rho)) if instances is MIRRORED else exact_minimax_regret(instances, 3, rho=rho)
    value = by_conic_programming(instances, 3, rho, [0.5, 1, 1.25, 1.5, 2, 3, 4, 8])
    # Orders in between are worth less, and so are the digits it stops at.
    assert abs(float(optimum.upper) - value) < 1e-4


def test_pure_privacy_implies_it_and_the_value_falls_with_rho(every_point):
    """Policies that are epsilon-private are epsilon^2 / 2-zCDP (TH-P2.12), and all are for a large rho."""
    pure = exact_minimax_regret(MIRRORED, 3, "0.5")
    values = {rho: mirrored(rho) for rho in (("0.001", "0.1", "0.125", "2") if every_point else ("0.1", "0.125"))}
    assert values["0.125"].lower <= pure.upper
    free, nothing = exact_minimax_regret(MIRRORED, 3, "inf").lower, exact_minimax_regret(MIRRORED, 3, 0).upper
    ends = [nothing, *(end for optimum in values.values() for end in (optimum.upper, optimum.lower)), free]
    assert all(above >= below for above, below in zip(ends, ends[1:], strict=False))


def test_tables_ask_for_no_less_than_lists():
    lists, tables = (exact_minimax_regret(UNEVEN, 3, rho="0.1", notion=notion) for notion in ("view", "table"))
    assert lists.lower <= tables.upper
    asked = lists.instances, 3, "regret", F(1, 10), lists.concentrated.orders
    assert checker.largest_loss_if_concentrated(*asked, lists.policy, "view") == lists.upper


def test_the_policy_is_played_and_loses_what_it_says():
    optimum = mirrored("0.1")
    runs = 20_000
    policy = HistoryPolicy(2, optimum.probability, np.random.default_rng(1), replications=runs)
    regret = simulate(policy, BernoulliBandit([0.75, 0.25]), 3, np.random.default_rng(2)).regret[:, -1]
    assert abs(regret.mean() - float(optimum.upper)) < 5 * regret.std() / runs**0.5


def test_the_value_over_all_means():
    optimum = minimax_regret_over_means([(0, 1), (0, 1)], 2, rho="0.1", tolerance="1/100")
    assert optimum.upper - optimum.lower <= F(1, 100) and optimum.recheck()
    assert not replace(optimum, below=exact_minimax_regret(optimum.below.instances, 2, rho="0.2")).recheck()


# ---------------------------------------------------------------------------------------------------------- the checker


def test_what_is_not_private_is_refused():
    optimum = mirrored("0.1")
    asked = optimum.instances, 3, "regret"
    orders = optimum.concentrated.orders
    assert checker.largest_loss_if_concentrated(*asked, F(1, 10), orders, optimum.policy) == optimum.upper
    assert checker.largest_loss_if_concentrated(*asked, F(999, 10000), orders, optimum.policy) is None
    for fewer in ((), orders[:1], orders[:-8], orders[8:], orders[::2], orders[::-1], (F(1, 3), *orders)):
        assert checker.largest_loss_if_concentrated(*asked, F(1, 10), fewer, optimum.policy) is None
    best = exact_minimax_regret(MIRRORED, 3, "inf").policy
    assert checker.largest_loss_if_concentrated(*asked, F(1, 10), orders, best) is None


def test_pure_privacy_at_rho_needs_no_order():
    """Where all ratios are at most e^rho, so are all divergences at most rho."""
    pure = exact_minimax_regret(MIRRORED, 3, "0.1")
    assert checker.largest_loss_if_concentrated(pure.instances, 3, "regret", F(1, 10), (), pure.policy) == pure.upper
    assert checker.largest_loss_if_concentrated(pure.instances, 3, "regret", F(9, 100), (), pure.policy) is None


def test_cuts_and_prices_prove_what_they_prove_and_no_more():
    optimum = mirrored("0.1")
    shown, asked = optimum.concentrated, (optimum.instances, 3, "regret", F(1, 10))
    free = exact_minimax_regret(MIRRORED, 3, "inf").upper
    assert checker.smallest_loss_if_concentrated(*asked, optimum.weights, shown.cuts, {}) == free
    assert checker.smallest_loss_if_concentrated(*asked, optimum.weights, shown.cuts, shown.prices) == optimum.lower
    first = next(iter(shown.prices))
    assert checker.smallest_loss_if_concentrated(*asked, optimum.weights, {}, {**shown.prices, first: F(-1)}) is None
    one = next(iter(shown.cuts))
    cuts = {**shown.cuts, one: F(0)}
    assert checker.smallest_loss_if_concentrated(*asked, optimum.weights, cuts, shown.prices) is None
    draw = Random(5)
    for _ in range(20):  # any tangents and prices prove a bound, and none above the value
        cuts = {key: t * F(draw.randint(1, 300), 100) for key, t in shown.cuts.items()}
        prices = {key: y * F(draw.randint(0, 300), 100) for key, y in shown.prices.items()}
        bound = checker.smallest_loss_if_concentrated(*asked, optimum.weights, cuts, prices)
        assert bound is not None and bound < optimum.upper
    assert not replace(optimum, lower=optimum.lower + F(1, 10**12)).recheck()
    assert not replace(optimum, rho=F(2, 10)).recheck() and not replace(optimum, rho=None).recheck()
    assert not replace(optimum, concentrated=None).recheck()
    for part in ("cuts", "prices"):
        floats = {key: float(x) for key, x in getattr(shown, part).items()}
        assert not replace(optimum, concentrated=replace(shown, **{part: floats})).recheck()


@pytest.mark.parametrize("order", [F(1, 2**30), F(1, 8), F(5, 4), F(3), F(33)])
def test_powers_exponentials_and_tangents_are_rounded_outward(order):
    draw = Random(str(order))
    with mpmath.workprec(400):
        exact = lambda x: mpmath.mpf(x.numerator) / x.denominator  # noqa: E731
        for _ in range(30):
            x = F(draw.randint(1, 10**6), draw.randint(1, 10**6)) ** draw.choice((1, 2))
            below, above = checker.power(x, order)
            true = exact(x) ** exact(order)
            assert exact(below) <= true <= exact(above) and exact(above) - true < mpmath.mpf(2) ** -100 * (1 + true)
            y = (x if x < 40 else 1 / x) * draw.choice((-1, 1))
            below, above = checker.exponential(y)
            true = mpmath.exp(exact(y))
            assert exact(below) < true < exact(above) and exact(above) - true < mpmath.mpf(2) ** -80 * true
            u, v = checker.tangent(x, order)
            for p, q in ((exact(x), 1), (1, 1), (1, exact(x)), (mpmath.mpf(draw.random()), mpmath.mpf(draw.random()))):
                h = exact(order)
                excess = (p ** (1 + h) * mpmath.mpf(q) ** -h - (1 + h) * p + h * q) / h
                assert exact(u) * p - exact(v) * q <= excess


def test_the_checker_is_plain_python_beside_the_other_one():
    with open(checker.__file__, encoding="utf-8") as file:
        imports = [line.split()[1] for line in file if line.startswith(("import ", "from "))]
    plain = ["__future__", "collections.abc", "fractions", "functools", "itertools", "math"]
    assert imports == [*plain, "banditproof.theory.exact.checker"]
