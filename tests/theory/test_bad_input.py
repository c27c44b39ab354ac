"""What is no number, out of its domain or monstrous is refused by name or has a value: nothing is nan or endless."""

import math
from fractions import Fraction

import flint
import mpmath
import numpy as np
import pytest
import sympy
from flint import arb

from banditproof import theory
from banditproof.algorithms.finite.index import IMED
from banditproof.theory import Budget, InvalidInput, to_ball
from banditproof.theory import statistics as s
from banditproof.theory.best_arm import thresholds as th
from banditproof.theory.numbers import numeric
from banditproof.theory.numbers.special import (
    laplace_second_moment,
    largest_laplace_tail,
    tricomi,
    truncated_laplace_mean,
)
from banditproof.theory.privacy.continual_counting import worst_step
from banditproof.theory.privacy.leakage import gaussian_leakage, gaussian_power, normal_mean_leakage
from banditproof.theory.privacy.least_divergence import (
    gaussian_divergence,
    laplace_divergence,
    least_runs,
    response_divergence,
)
from banditproof.theory.privacy.noise_calibration import gaussian_multiplier

NAN, INF = math.nan, math.inf
FORMULAS = {
    "d_epsilon": (lambda v: theory.d_epsilon(v, 0.5, 1), "x"),
    "kl_bernoulli": (lambda v: theory.kl_bernoulli(v, 0.5), "p"),
    "kl_ucb_index": (lambda v: theory.kl_ucb_index(v, 0.1), "x"),
    "kl_poisson": (lambda v: theory.kl_poisson(v, 1), "x"),
    "kl_gaussian": (lambda v: theory.kl_gaussian(v, 1), "x"),
    "renyi_gaussian": (lambda v: theory.renyi_gaussian(0, 1, v), "alpha"),
    "privacy_regime": (lambda v: theory.privacy_regime(v, 0.5, 1), "x"),
    "d_epsilon_objective": (lambda v: theory.d_epsilon_objective(0.5, v, 0.5, 1), "x"),
    "clean_private_chernoff_bound": (lambda v: theory.clean_private_chernoff_bound(5, 1, 0.5, v, 4), "epsilon"),
    "laplace_sum_bound": (lambda v: theory.laplace_sum_bound(2, 1, v), "epsilon"),
    "laplace_sum_tail": (lambda v: theory.laplace_sum_tail(2, v), "u"),
    "noisy_sum_tail": (lambda v: theory.noisy_sum_tail(2, 1, v, 1, 1), "mu"),
    "gaussian_delta": (lambda v: theory.gaussian_delta(v, 1.0), "mu"),
    "classical_gaussian_variance": (lambda v: theory.classical_gaussian_variance(v, 0.1), "epsilon"),
    "classical_gaussian_holds": (lambda v: theory.classical_gaussian_holds(1, v), "delta"),
    "normal_cdf": (lambda v: theory.normal_cdf(v), "x"),
    "normal_quantile": (lambda v: theory.normal_quantile(v), "p"),
    "approximate_trade_off": (lambda v: theory.approximate_trade_off(v, 1.0, 0.1), "alpha"),
    "gaussian_trade_off": (lambda v: theory.gaussian_trade_off(v, 1.0), "alpha"),
    "advantage_bounds": (lambda v: theory.advantage_bounds(v), "epsilon"),
    "testing_region": (lambda v: theory.testing_region(v, 0.1), "epsilon"),
    "zcdp_of_pure": (lambda v: theory.zcdp_of_pure(v), "epsilon"),
    "sharp_zcdp_of_pure": (lambda v: theory.sharp_zcdp_of_pure(v), "epsilon"),
    "epsilon_of_zcdp": (lambda v: theory.epsilon_of_zcdp(v, 0.1), "rho"),
    "sharp_epsilon_of_zcdp": (lambda v: theory.sharp_epsilon_of_zcdp(v, 0.1), "rho"),
    "epsilon_of_renyi": (lambda v: theory.epsilon_of_renyi(2.0, v, 0.1), "divergence"),
    "group_variation": (lambda v: theory.group_variation(v, 2), "epsilon"),
    "group_kl_bound": (lambda v: theory.group_kl_bound(v, 2), "epsilon"),
    "group_delta": (lambda v: theory.group_delta(2, v, 0.1), "epsilon"),
    "advanced_epsilon": (lambda v: theory.advanced_epsilon(2, v, 0.1), "epsilon"),
    "worst_composed_delta": (lambda v: theory.worst_composed_delta(2, 1.0, 0.1, v), "target"),
    "Budget.pure": (Budget.pure, "epsilon"),
    "Gaussian": (theory.Gaussian, "mean"),
    "Instance": (lambda v: theory.Instance(means=[v, 0.5]), "mean"),
    "usefulness": (lambda v: theory.usefulness("binary tree", 9, 1, v), "beta"),
    "counting_error": (lambda v: theory.counting_error("binary tree", 1, 9, v), "epsilon"),
    "adap_klucb_term": (lambda v: theory.adap_klucb_term(0.2, 0.5, v, 4), ""),
    "to_ball": (to_ball, "value"),
}


KINDS = ["word", "hexadecimal", "complex", "none", "list", "object"]


@pytest.mark.parametrize("junk", ["abc", "0x10", 1j, None, [0.5, "a"], object()], ids=KINDS)
@pytest.mark.parametrize("name", FORMULAS)
def test_what_is_no_number_is_refused_by_name(name, junk):
    call, parameter = FORMULAS[name]
    with pytest.raises(InvalidInput, match=f"^{parameter}.* must be") as refused:
        call(junk)
    assert len(str(refused.value)) < 600


@pytest.mark.parametrize("name", FORMULAS)
def test_integers_beyond_every_float_are_refused_or_have_a_value(name):
    call, parameter = FORMULAS[name]
    try:
        value = call(10**400)
    except InvalidInput as refused:
        assert parameter in str(refused)
        return
    assert value is not None


@pytest.mark.parametrize(
    ("call", "parameter"),
    [
        (lambda: theory.laplace_sum_tail(2, NAN), "u"),
        (lambda: theory.epsilon_of_renyi(0.5, 0.5, 0.1), "order"),
        (lambda: theory.epsilon_of_renyi(1.0, 0.5, 0.1), "order"),
        (lambda: theory.epsilon_of_renyi(2, 0.5, -1), "delta"),
        (lambda: theory.epsilon_of_renyi(2, -1, 0.5), "divergence"),
        (lambda: theory.group_variation(NAN, 2), "epsilon"),
        (lambda: theory.group_variation(1.0, 2.5), "distance"),
        (lambda: theory.group_variation(1.0, 10**400), "distance"),
        (lambda: theory.group_kl_bound(1, 10**400), "distance"),
        (lambda: theory.gaussian_delta(NAN, 1.0), "mu"),
        (lambda: theory.calibrate_gaussian("x"), "budget"),
        (lambda: theory.calibrate_gaussian(Budget.zcdp(1), "x"), "sens"),
        (lambda: theory.calibrate_laplace(Budget.pure(1), "-1"), "sensitivity"),
        (lambda: theory.calibrate_laplace(Budget.pure(1), "much"), "sensitivity"),
        (lambda: theory.convert("x", "zcdp"), "budget"),
        (lambda: theory.convert(Budget.zcdp(1), "approximate", delta="x", sharp=True), "delta"),
        (lambda: theory.compose("x"), "budgets"),
        (lambda: theory.budget_of_group("x", 2), "budget"),
        (lambda: theory.compose_advanced("x", 2, 0.1), "budget"),
        (lambda: gaussian_multiplier("x"), "budget"),
        (lambda: theory.budget_of_group(Budget.approximate(1.0, 0.01), 10**9), "delta"),
        (lambda: theory.group_delta(10**400, 1.0, 0.1), "size"),
        (lambda: theory.worst_composed_delta(10**6, 1.0, 0.1, 1.0), "k"),
        (lambda: theory.tail_coefficients(10**6), "m"),
        (lambda: theory.noisy_sum_tail(10**9, 1, 0.5, 1, 1), "n"),
        (lambda: theory.trade_off_curve("x", "y"), "null"),
        (lambda: theory.least_square_distance("x", "y"), "chances"),
        (lambda: theory.optimal_transport("x", "y", "z"), "p"),
        (lambda: theory.optimal_transport([1], [1], [["z"]]), "cost"),
        (lambda: theory.linear_regret_constant([[1, 0], [0, 1]], [1, "0.5"], "1e-400"), "actions, theta and epsilon"),
        (lambda: theory.linear_regret_constant([[1, 0], [0, 1]], [1, "0.5"], 5e-324), "actions, theta and epsilon"),
        (lambda: theory.linear_regret_constant([["1e300", 0], [0, "1e-300"]], [1, 1]), "actions, theta and epsilon"),
        (lambda: theory.g_optimal_design([[1, 0], [0, 1]], tol=10**400), "tol"),
        (lambda: theory.regret_lower_bound([0.5, 0.4], "1e9999"), "epsilon"),
        (lambda: theory.regret_lower_bound([0.5, 0.4], 1, "1e999999999"), "horizon"),
        (lambda: theory.regret_lower_bound([0.5, 0.4], "1e1001"), "epsilon"),
        (lambda: theory.Instance(means=[0.5, "1e-999999999"]), "mean"),
        (lambda: theory.minimax_lower_bound(arms=2, horizon=10**400), "horizon"),
        (lambda: theory.minimax_lower_bound(arms=2, horizon=10**4, rho="0.1", span="1e300"), "span"),
        (lambda: theory.coupling_kl_bounds([0.5] * 10**6, [0.25] * 10**6, "0.1"), "laws"),
        (lambda: theory.usefulness("noise per bit", 10**5, 1, 0.5), "m"),
        (lambda: theory.Enclosure("1e999999999", INF), "lower"),
        (lambda: to_ball("1e999999999"), "value"),
    ],
)
def test_what_has_no_value_is_refused_by_name(call, parameter):
    with pytest.raises(InvalidInput, match=f"^{parameter}.* must be"):
        call()


REFUSED = [
    (lambda: th.gaussian_deviation(-0.1), "nonnegative|at least 1"),
    (lambda: th.gaussian_deviation(np.array([1.0, NAN])), "nonnegative|at least 1"),
    (lambda: th.lambert_minus(0.9), "nonnegative|at least 1"),
    (lambda: th.lambert_minus(to_ball(0)), "nonnegative|at least 1"),
    (lambda: th.near_growth(-1.0), "nonnegative|at least 1"),
    (lambda: th.near_growth(to_ball(-1)), "nonnegative|at least 1"),
    (lambda: theory.adap_klucb_term(mean=0, best=0.75, epsilon=1, tau=4), "^mean, best must be"),
    (lambda: theory.adap_klucb_term(mean=0.5, best=1, epsilon=1, tau=4), "^mean, best must be"),
    (lambda: theory.adap_klucb_term(mean=0.8, best=0.75, epsilon=1, tau=4), "^mean, best must be"),
    (lambda: theory.adap_klucb_term(mean=0.5, best=0.75, epsilon=0, tau=4), "^epsilon must be"),
    (lambda: theory.adap_klucb_term(mean=0.5, best=0.75, epsilon=1, tau=3), "^tau must be"),
    (lambda: theory.adap_klucb_term(mean=0.5, best=0.75, epsilon=1, tau=4, gamma=-1), "^gamma must be"),
    (lambda: theory.adap_klucb_term(mean=0.5, best=0.75, epsilon=1, tau=4, gamma=NAN), "^gamma must be"),
    (lambda: theory.regret_lower_bound([theory.Gaussian(1), theory.Poisson(1)]), "one kind"),
    (lambda: theory.minimax_lower_bound(horizon=10), "^arms and dimension must be"),
    (lambda: theory.minimax_lower_bound(horizon=10, arms=2, dimension=2), "^arms and dimension must be"),
    (lambda: theory.minimax_lower_bound(horizon=10, dimension=0), "^dimension must be"),
    (lambda: theory.minimax_lower_bound(horizon=10, dimension=2, model="poisson"), "^model must be"),
    (lambda: theory.privacy_regime_change(arms=2, horizon=10, budget="delta"), "^budget must be"),
    (lambda: theory.sample_complexity_lower_bound(["0.5", "0.5"], "0.1"), "must be"),
    (lambda: theory.sample_complexity_lower_bound(["0.5"], "0.1"), "must be"),
    (lambda: theory.sample_complexity_lower_bound([NAN, 1], "0.1"), "must be"),
    (lambda: theory.regret_upper_bound("UCB2", [0.75, 0.5, 0.25, 0.75], 5000), "algorithm"),
    (lambda: theory.regret_upper_bound(IMED(4), [0.75, 0.5, 0.25, 0.75], 5000), "algorithm"),
    (lambda: theory.regret_upper_bound("UCB", [0.75, 0.5, 0.25, 0.75], 0), "horizon"),
    (lambda: theory.regret_upper_bound("UCB", [0.75, 0.5, 0.25, 0.75], 2.5), "horizon"),
    (lambda: theory.regret_upper_bound("UCB", [0.75, 0.5, 0.25, 0.75], True), "horizon"),
    (lambda: theory.regret_upper_bound("UCB", [0.5, NAN], 5000), "mean"),
    (lambda: theory.regret_upper_bound("UCB", [1.5], 5000), "mean"),
    (lambda: theory.regret_upper_bound("UCB", [], 5000), "means"),
    (lambda: theory.regret_upper_bound("AdaP-UCB", [0.75, 0.5, 0.25, 0.75], 5000), "budget"),
    (lambda: theory.regret_upper_bound("UCB", [0.75, 0.5, 0.25, 0.75], 5000, Budget.pure(1.0)), "budget"),
    (lambda: theory.regret_upper_bound("AdaP-UCB", [0.75, 0.5, 0.25, 0.75], 5000, Budget.zcdp(1.0)), "budget"),
    (
        lambda: theory.regret_upper_bound("AdaP-UCB", [0.75, 0.5, 0.25, 0.75], 5000, Budget.pure(np.array([1.0, 2.0]))),
        "epsilon",
    ),
    (lambda: theory.regret_upper_bound("AdaP-UCB", [0.75, 0.5, 0.25, 0.75], 5000, Budget.pure(1.0), 0), "beta"),
    (lambda: theory.regret_upper_bound("AdaP-UCB", [0.75, 0.5, 0.25, 0.75], 5000, Budget.pure(1.0), INF), "beta"),
    (lambda: theory.minimax_regret_over_means([(0, 1)], 2, ratio=2), "two arms"),
    (lambda: theory.minimax_regret_over_means([(1, 0), (0, 1)], 2, ratio=2), "smaller one first"),
    (lambda: theory.minimax_regret_over_means([(0, 2), (0, 1)], 2, ratio=2), "0, 1"),
    (lambda: theory.minimax_regret_over_means([0.5, 0.5], 2, ratio=2), "ends"),
    (lambda: theory.minimax_regret_over_means([(0, 1), (0, 1)], 2, ratio=2, tolerance=0), "tolerance"),
    (lambda: theory.kl_ucb_index(0.5, -0.1), "level must be in"),
    (lambda: theory.d_epsilon(-0.1, 0.5, 1), "^x must be in "),
    (lambda: theory.d_epsilon(0.5, 1.1, 1), "^y must be in "),
    (lambda: theory.d_epsilon(0.5, 0.5, -1), "^epsilon must be in "),
    (lambda: theory.d_epsilon(NAN, 0.5, 1), "^x must be in "),
    (lambda: theory.d_epsilon(0.5, [0.1, NAN], 1), "^y must be in "),
    (lambda: theory.d_epsilon(mpmath.mp.mpf(2), 0.5, 1), "^x must be in "),
    (lambda: theory.d_epsilon(sympy.Integer(2), 0.5, 1), "^x must be in "),
    (lambda: theory.d_epsilon("1." + 40 * "0" + "1", "0.2", "1"), r"^x must be in \[0, 1\], got "),
    (lambda: theory.d_epsilon("0.5", "half", "1"), r"^y must be a number in \[0, 1\], got 'half'"),
    (lambda: theory.d_epsilon("0.5", "0.2", "-1/9"), r"^epsilon must be in \[0, inf\], got -1/9"),
    (lambda: theory.d_epsilon("0.5", "0.2", "nan"), r"^epsilon must be in \[0, inf\], got 'nan'"),
    (lambda: theory.kl_poisson(-1, 2), "^x must be"),
    (lambda: theory.kl_poisson(INF, 2), "^x must be"),
    (lambda: theory.kl_exponential(1, 0), "^y must be"),
    (lambda: theory.tv_exponential(NAN, 1), "^x must be"),
    (lambda: theory.kl_gaussian(0, 1, 0), "^sigma must be"),
    (lambda: theory.tv_gaussian(0, NAN), "^y must be"),
    (lambda: theory.renyi_poisson(1, 2, 0), "^alpha must be"),
    (lambda: theory.renyi_gaussian(1, 2, -1), "^alpha must be"),
    (lambda: theory.renyi_bernoulli(1.5, 0.5, 2), "^p must be"),
    (lambda: theory.renyi_exponential(1, 2, INF), "^alpha must be"),
    (lambda: theory.Instance(), "at least one arm"),
    (lambda: theory.Instance(means=[]), "at least one arm"),
    (lambda: theory.Instance([0.5]), "distributions such as"),
    (lambda: theory.Instance([theory.Bernoulli(0.5)], means=[0.4]), "means must be left out beside arms"),
    (lambda: theory.normal_cdf("half"), "^x must be a number, got"),
    (lambda: theory.epsilon_of_zcdp("half", 0.1), "^rho must be a number, nonnegative, got"),
    (lambda: theory.comb(2.5, 2), "^n must be an integer, at least 0"),
    (lambda: theory.least([]), "^values must be a list of at least one number"),
    (lambda: theory.factorial(10**9), "^n must be a whole number from 0 to 100000"),
    (lambda: theory.total(3, 1, 2), "^body must be a function of a count"),
    (lambda: theory.convert(Budget.zcdp(1), "approximate", delta=0.1, sharp="yes"), "^sharp must be True or False"),
    (lambda: theory.log(np.array([True])), "^value must be a number"),
    (lambda: theory.Instance([theory.Bernoulli(0.5), theory.Gaussian(0.5)]), "laws of one kind"),
    (lambda: theory.Instance(means=0.5), "means must be a list"),
    (lambda: theory.Instance(means="0.5,0.4"), r"^means must be a list, such as \['0.75', '0.7'\], got '0.5,0.4'$"),
    (lambda: theory.linear_regret_constant([[1, 0], [2, 0]], [1, 0], None), "spans all 2 dimensions"),
    (lambda: theory.linear_regret_constant([[1, 0], [0, 1], [1, 0]], [1, 2], None), "without duplicates"),
    (lambda: theory.linear_regret_constant([[1, 0], [0, NAN]], [1, 0], None), "finite numbers"),
    (lambda: theory.linear_regret_constant([[1, 0], [0, 1]], [1, INF], None), "theta must be finite"),
    (lambda: theory.linear_regret_constant([[1, 0], [0, 1]], [1, 1], None), "ties between"),
    (lambda: theory.linear_regret_constant([[1, 0], [0, 1]], [1, 0, 0], None), "as many as an action has"),
    (lambda: theory.linear_regret_constant([[1, 0], [0]], [1, 0], None), "one length"),
    (lambda: theory.linear_regret_constant([], [1], None), "at least one"),
    (lambda: theory.linear_regret_constant(7, [1], None), "table of numbers"),
    (lambda: theory.linear_regret_constant([[1, 0], [0, 1]], [1, 0], 0), "epsilon must be a positive number"),
    (lambda: theory.linear_regret_constant([[1, 0], [0, 1]], [1, 0], -1), "epsilon must be a positive number"),
    (lambda: theory.linear_regret_constant([[1, 0], [0, 1]], [1, 0], NAN), "epsilon must be a positive number"),
    (lambda: theory.linear_regret_constant([[1, 0], [0, 1]], [1, 0], "much"), "epsilon must be a positive number"),
    (lambda: theory.g_optimal_design([[1, NAN]]), "finite"),
    (lambda: theory.g_optimal_design([[1, 2], [np.inf, 0]]), "row 1"),
    (lambda: theory.g_optimal_design([]), "K and d at least 1"),
    (lambda: theory.g_optimal_design([1, 2]), "shape"),
    (lambda: theory.g_optimal_design([[0, 0], [0, 0]]), "not zero"),
    (lambda: theory.g_optimal_design([[1, 2], [1]]), "table of numbers"),
    (lambda: theory.g_optimal_design("ab"), "table of numbers"),
    (lambda: theory.Enclosure.from_json(None), "an enclosure in JSON form"),
    (lambda: theory.Enclosure.from_json({}), "an enclosure in JSON form"),
    (lambda: theory.Enclosure.from_json({"lower": [1, 0]}), "an enclosure in JSON form"),
    (lambda: theory.Enclosure.from_json({"lower": [1.5, 0], "upper": [2, 0]}), "an enclosure in JSON form"),
    (lambda: theory.Enclosure.from_json({"lower": 1, "upper": 2}), "an enclosure in JSON form"),
    (lambda: theory.Enclosure.from_json({"lower": "nan", "upper": "inf"}), "an enclosure in JSON form"),
    (lambda: theory.Enclosure.from_json({"lower": [1, 10**9], "upper": "inf"}), "an enclosure in JSON form"),
    (lambda: theory.Enclosure.from_json({"lower": [2, 0], "upper": [1, 0]}), "an enclosure in JSON form"),
    (lambda: numeric.promote(arb(1), sympy.Symbol("x")), "because the other arguments are balls"),
    (lambda: tricomi(1, 2, sympy.Symbol("x")), "this function has no values of this kind"),
    (lambda: truncated_laplace_mean(Fraction(1, 20), -1, 1), "must be"),
    (lambda: truncated_laplace_mean(0.5, 1.0, -1.0), "must be"),
    (lambda: truncated_laplace_mean(to_ball(1), to_ball("-1/2"), to_ball(1)), "must be"),
    (lambda: laplace_second_moment(1, 0), "must be"),
    (lambda: largest_laplace_tail(3, -1), "must be"),
    (lambda: Budget.of(0.3), r"^budget must be one of Budget.pure\(epsilon\), .*Budget.zcdp\(rho\)"),
    (lambda: Budget.of("foo"), r"^budget must be one of Budget.pure\(epsilon\), .*Budget.zcdp\(rho\)"),
    (lambda: Budget.of([]), r"^budget must be one of Budget.pure\(epsilon\), .*Budget.zcdp\(rho\)"),
    (lambda: Budget.of("pure"), r"^budget must be one of Budget.pure\(epsilon\), .*Budget.zcdp\(rho\)"),
    (lambda: Budget.of("zcdp", epsilon=1.0), r"^budget must be one of Budget.pure\(epsilon\), .*Budget.zcdp\(rho\)"),
    (
        lambda: Budget.of("pure", epsilon=1.0, rho=1.0),
        r"^budget must be one of Budget.pure\(epsilon\), .*Budget.zcdp\(rho\)",
    ),
    (lambda: Budget.rdp(INF, 1.0), "order inf is epsilon-DP"),
    (lambda: theory.private_chernoff_bound(n=0, m=2, mu=0.3, epsilon=0.5, x=50.0), "^n must be"),
    (lambda: theory.private_chernoff_bound(n=100, m=0, mu=0.3, epsilon=0.5, x=50.0), "^m must be"),
    (lambda: theory.private_chernoff_bound(n=100, m=2, mu=0.0, epsilon=0.5, x=50.0), "^mu must be"),
    (lambda: theory.private_chernoff_bound(n=100, m=2, mu=1.0, epsilon=0.5, x=50.0), "^mu must be"),
    (lambda: theory.private_chernoff_bound(n=100, m=2, mu=0.3, epsilon=0.0, x=50.0), "^epsilon must be"),
    (lambda: theory.private_chernoff_bound(n=100, m=2, mu=0.3, epsilon=0.5, x=20.0), "^x must be"),
    (lambda: theory.private_chernoff_bound(n=100, m=2, mu=0.3, epsilon=0.5, x=NAN), "^x must be"),
    (lambda: theory.private_chernoff_bound(n=100, m=2, mu=0.3, epsilon=0.5, x=50.0, side="left"), "^side must be"),
    (lambda: theory.clean_private_chernoff_bound(100, 2, 0.3, 0.5, 50.0, form="round"), "^form must be"),
    (lambda: theory.laplace_sum_bound(2, -1.0, 1.0), "^z must be"),
    (lambda: theory.counting_error("binary tree", 3, 2, 1), "must be"),
    (lambda: theory.counting_error("binary tree", 0, 2, 1), "must be"),
    (lambda: theory.counting_error("abacus", 1, 2, 1), "must be"),
    (lambda: theory.counting_error("binary tree", 1, 2, 0), "must be"),
    (lambda: theory.counting_error("binary tree", 1, 2, NAN), "must be"),
    (lambda: theory.usefulness("binary tree", 2, 1, 0), "must be"),
    (lambda: worst_step("abacus", 2), "must be"),
    (lambda: theory.tree_levels(0), "must be"),
    (lambda: theory.optimal_coupling(["1/2"], ["1/4"], "euclidean"), "^cost must be"),
    (lambda: theory.optimal_transport([Fraction(1, 2)], [1], [[0]]), "same total"),
    (lambda: theory.optimal_transport([1], [1], [[0, 1]]), "matrix"),
    (lambda: theory.group_kl_bound(-1, 1), "must be"),
    (lambda: theory.group_kl_bound(INF, 1), "must be"),
    (lambda: theory.group_kl_bound(1, -1), "must be"),
    (lambda: theory.group_kl_bound(1, 0.5), "must be"),
    (lambda: theory.noisy_sum_tail(n=-1, m=1, mu=0.5, epsilon=1, x=3), "^n must be"),
    (lambda: theory.noisy_sum_tail(n=1.5, m=1, mu=0.5, epsilon=1, x=3), "^n must be"),
    (lambda: theory.noisy_sum_tail(n=5, m=0, mu=0.5, epsilon=1, x=3), "^m must be"),
    (lambda: theory.noisy_sum_tail(n=5, m=1, mu=1.5, epsilon=1, x=3), "^mu must be"),
    (lambda: theory.noisy_sum_tail(n=5, m=1, mu=NAN, epsilon=1, x=3), "^mu must be"),
    (lambda: theory.noisy_sum_tail(n=5, m=1, mu=0.5, epsilon=0, x=3), "^epsilon must be"),
    (lambda: theory.noisy_sum_tail(n=5, m=1, mu=0.5, epsilon=INF, x=3), "^epsilon must be"),
    (lambda: theory.noisy_sum_tail(n=5, m=1, mu=0.5, epsilon=1, x=INF), "^x must be"),
    (lambda: theory.noisy_sum_tail(n=5, m=1, mu=0.5, epsilon=1, x=3, side="left"), "^side must be"),
    (lambda: response_divergence(0.5, 1.0), "sold"),
    (lambda: laplace_divergence(-1.0, 0.0), "epsilon"),
    (lambda: gaussian_divergence(1.0, -1.0), "sold"),
    (lambda: least_runs(0.1, 1.5, 0.1), "error"),
    (lambda: theory.calibrate_gaussian(Budget.pure(1.0)), "must be"),
    (lambda: theory.calibrate_laplace(Budget.zcdp(1.0)), "must be"),
    (lambda: theory.calibrate_gaussian(Budget.zcdp(1.0), 0.0), "must be"),
    (lambda: theory.calibrate_gaussian(Budget.zcdp(1.0), NAN), "must be"),
    (lambda: theory.calibrate_gaussian(Budget.zcdp(np.array([1.0, 2.0]))), "must be"),
    (lambda: theory.calibrate_laplace(Budget.pure(INF)), "must be"),
    (lambda: theory.classical_gaussian_holds(0, "1/2"), "must be"),
    (lambda: theory.classical_gaussian_holds(1, 1), "must be"),
    (lambda: theory.gaussian_delta(-1.0, 1.0), "must be"),
    (lambda: theory.normal_quantile(1.5), "must be"),
    (lambda: theory.compose(), "must be"),
    (lambda: theory.compose(Budget.pure(1.0), Budget.zcdp(1.0)), "must be"),
    (lambda: theory.compose(Budget.rdp(2.0, 1.0), Budget.rdp(3.0, 1.0)), "must be"),
    (lambda: theory.compose(Budget.approximate(1.0, 0.6), Budget.approximate(1.0, 0.6)), "must be"),
    (lambda: theory.budget_of_group(Budget.approximate(9.0, 0.5), 2), "must be"),
    (lambda: theory.budget_of_group(Budget.rdp(2.0, 1.0), 2), "must be"),
    (lambda: theory.budget_of_group(Budget.pure(1.0), 0), "must be"),
    (lambda: theory.compose_advanced(Budget.zcdp(1.0), 2, 0.1), "must be"),
    (lambda: theory.advanced_epsilon(0, 1.0, 0.1), "must be"),
    (lambda: theory.advanced_epsilon(2, 1.0, 1.1), "must be"),
    (lambda: theory.convert(Budget.approximate(1.0, 0.1), "zcdp"), "must be"),
    (lambda: theory.convert(Budget.zcdp(1.0), "pure"), "must be"),
    (lambda: theory.convert(Budget.zcdp(1.0), "approximate"), "must be"),
    (lambda: theory.convert(Budget.zcdp(1.0), "approximate", delta=1.5), "must be"),
    (lambda: theory.convert(Budget.zcdp(1.0), "approximate", delta=NAN), "must be"),
    (lambda: theory.sharp_epsilon_of_zcdp(1.0, 0.0), "must be"),
    (lambda: theory.zcdp_of_pure(-1.0), "must be"),
    (lambda: Budget.zcdp(0.0), "must be"),
    (lambda: theory.approximate_trade_off(1.5, 1.0, 0.1), "must be"),
    (lambda: theory.approximate_trade_off(0.5, -1.0, 0.1), "must be"),
    (lambda: theory.advantage_bounds(1.0, NAN), "must be"),
    (lambda: theory.trade_off_curve({0: Fraction(1, 2)}, {0: Fraction(1)}), "must be"),
    (lambda: theory.trade_off_curve({0: Fraction(3, 2), 1: Fraction(-1, 2)}, {0: Fraction(1)}), "must be"),
    (lambda: theory.trade_off_curve({0: Fraction(1)}, {0: Fraction(1)}).value(Fraction(2)), "must be"),
    (lambda: theory.trade_off_curve({0: Fraction(1)}, {0: Fraction(1)}).least_delta(Fraction(1, 2)), "must be"),
    (lambda: theory.sensitivity(s.mean(), (0, 1), neighbours="add or remove", n=1), "n must be"),
    (lambda: theory.sensitivity(s.variance(sample=True), (0, 1), n=1), "n must be"),
    (lambda: theory.sensitivity(s.mean(), (0, 1), n=0), "n must be"),
    (lambda: theory.sensitivity(s.mean(), (0, 1), n=2.0), "n must be"),
    (lambda: theory.sensitivity(s.mean(), (1, 0)), "domain must be"),
    (lambda: theory.sensitivity(s.mean(), (NAN, 1)), "lower must be"),
    (lambda: theory.sensitivity(s.mean(), (0, 1, 2)), "domain must be"),
    (lambda: theory.sensitivity(s.mean(), "unit"), "domain must be"),
    (lambda: theory.sensitivity(s.mean(), (0, 1), norm="l3"), "norm must be"),
    (lambda: theory.sensitivity(s.mean(), (0, 1), neighbours="removal"), "neighbours must be"),
    (lambda: theory.sensitivity(3, (0, 1)), "statistic must be"),
    (lambda: theory.sensitivity(s.histogram(3), (0, 1)), "domain must be"),
    (lambda: theory.sensitivity(s.median(), s.Ball(1, 2)), "domain must be"),
    (lambda: theory.sensitivity(s.prefix_sums(), (0, 1), neighbours="add or remove", n=3), "neighbours must be"),
    (lambda: theory.sensitivity(s.softmax(), (0, 1), neighbours="add or remove", n=3), "neighbours must be"),
    (lambda: theory.sensitivity(s.total(s.entropy(2)), (-1, 1)), "domain must be"),
    (lambda: theory.sensitivity(s.total(s.sine), ("-inf", "inf")), "domain must be"),
    (lambda: theory.sensitivity(s.weighted_sum(lambda i, n: i), s.Ball(1, 2), n=2), "domain must be"),
    (lambda: theory.kl_bernoulli("0", 2), r"in \[0, 1\], got"),
    (lambda: theory.kl_bernoulli(Fraction(3, 2), "1"), r"in \[0, 1\], got"),
    (lambda: theory.kl_bernoulli(-1, "1/2"), r"in \[0, 1\], got"),
    (lambda: gaussian_leakage(-1.0), "score|alpha"),
    (lambda: gaussian_power(1.5, 1.0), "score|alpha"),
    (lambda: normal_mean_leakage(1.0, 1, 5), "n must"),
    (lambda: normal_mean_leakage(1.0, 5, 0), "d must"),
]


@pytest.mark.parametrize(("call", "said"), REFUSED)
def test_what_is_refused_says_what_is_allowed(call, said):
    with pytest.raises(InvalidInput, match=said):
        call()


def test_values_at_the_ends():
    assert theory.gaussian_delta(1e-300, 1.0) == 0
    assert theory.gaussian_delta(np.array([INF, 0.0]), 1.0).tolist() == [1, 0]
    assert theory.laplace_sum_tail(2, INF) == 0 and theory.laplace_sum_tail(2, -INF) == 1
    assert theory.laplace_sum_tail(3, np.array([-INF, 0.0, 1e308])).tolist() == [1.0, 0.5, 0.0]
    assert theory.laplace_sum_tail(2, to_ball(INF)) == 0 and theory.laplace_sum_tail(2, -mpmath.inf) == 1
    assert theory.laplace_sum_tail(2, sympy.oo) == 0
    half, third = sympy.Rational(1, 2), sympy.Rational(1, 3)
    assert sympy.simplify(theory.d_epsilon(half, third, sympy.oo) - theory.kl_bernoulli(half, third)) == 0
    assert theory.d_epsilon("1/3", 0.5, 1) == theory.d_epsilon(1 / 3, 0.5, 1)
    ball = theory.kl_bernoulli(flint.fmpq(1, 3), flint.fmpq(1, 2))
    assert ball.overlaps(theory.kl_bernoulli(to_ball(Fraction(1, 3)), to_ball("0.5")))
    assert theory.group_delta(10**9, 0.0, 1e-12) == pytest.approx(1e-3)
    assert theory.group_delta(4, to_ball("0.5"), to_ball("0.01")).overlaps(
        to_ball("0.01") * sum((to_ball(k) / 2).exp() for k in range(4))
    )
    assert float(theory.linear_regret_constant([[1, 0], [0, 1]], [1, "0.5"], "1e400").value.lower) == pytest.approx(4)


def test_collections_of_bounds_can_be_gone_through():
    bounds = theory.regret_lower_bound([0.5, 0.4], 1)
    assert list(bounds) == list(bounds.bounds) and [bounds[name].name for name in bounds] == list(bounds)
    assert "view" in theory.minimax_lower_bound(arms=2, horizon=10, epsilon=1)
