"""What is allowed and hardly meant is told once; its sound neighbours are not."""

import json
import pickle
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from banditproof import judge, theory
from banditproof.algorithms import BernoulliBandit, NoiseSource
from banditproof.theory import (
    Accountant,
    Budget,
    Enclosure,
    InvalidInput,
    Mechanism,
    adversarial_bounds,
    calibrate_gaussian,
    compose_advanced,
    kl_bernoulli,
    least_noise,
    minimax_lower_bound,
    regret_lower_bound,
    regret_upper_bound,
    sample_complexity_lower_bound,
)
from banditproof.theory.arguments import checked
from banditproof.theory.privacy.budget import PureDP
from banditproof.theory.privacy.noise_calibration import classical_gaussian_delta
from banditproof.verify import assert_regret, check_privacy, replayed
from banditproof.verify.audits.refutation import Refutation
from tests.cli.calling import status

NOISY = Accountant(Mechanism.gaussian(2.0))
HINTED = {
    "delta": (lambda: Budget.approximate(1.0, 0.5), "delta = 0.5 lets"),
    "swapped delta": (lambda: Budget.approximate(1e-5, 0.9), "epsilon is named before it"),
    "deltas": (lambda: Budget.approximate(1.0, np.array([0.01, 0.2])), "delta = 0.2 lets"),
    "of": (lambda: Budget.of("approximate", epsilon=1, delta=0.3), "delta = 0.3 lets"),
    "epsilon": (lambda: Budget.pure(50), "epsilon = 50 is hardly a promise"),
    "epsilons": (lambda: Budget.approximate(np.array([1, 11]), 1e-6), "epsilon = 11 is hardly"),
    "swapped": (lambda: regret_lower_bound(["0.7", "0.5"], 10**6, 2), "in the other's place"),
    "swapped minimax": (lambda: minimax_lower_bound(arms=2, horizon=1, epsilon=10**4), "in the other's place"),
    "swapped adversarial": (lambda: adversarial_bounds(2, horizon=2, epsilon=10**4), "in the other's place"),
    "swapped upper": (lambda: regret_upper_bound("AdaP-UCB", [1, 0], 2, PureDP(999.0)), "in the other's place"),
    "swapped, calibrated": (lambda: least_noise(Mechanism.gaussian, 1e-6, 0.9), "epsilon is named before it"),
    "a delta for an epsilon": (lambda: NOISY.delta(1e-5), "epsilon = 1e-05 looks like a delta"),
    "an epsilon for a delta": (lambda: NOISY.epsilon(1), "delta = 1 looks like an epsilon"),
    "swapped region": (lambda: theory.testing_region(1e-5, 1), "epsilon is named before it"),
    "swapped trade-off": (lambda: theory.approximate_trade_off(0.05, 1e-5, 1), "epsilon is named before it"),
    "swapped conversion": (lambda: theory.epsilon_of_zcdp(1e-5, 0.1), "rho is named before it, delta = 0.1"),
    "swapped Rényi": (lambda: theory.epsilon_of_renyi(8, 1e-5, 0.5), "divergence is named before it"),
    "swapped slack": (lambda: theory.advanced_epsilon(10, 1e-6, 0.5), "epsilon is named before it, slack = 0.5"),
    "classical": (lambda: theory.classical_gaussian_variance(12, 1e-5), "too small for epsilon = 12"),
    "one arm": (lambda: regret_lower_bound(["0.7"]), "every bound is 0"),
    "equal arms": (lambda: regret_lower_bound(["0.7", "0.7"]), "every bound is 0"),
    "one instance": (lambda: theory.exact_minimax_regret([["0.7", "0.2"]], 2, ratio=2), "arm 0 is best in every"),
}
SILENT = {
    "delta": lambda: Budget.approximate(1.0, 0.1),
    "large budget": lambda: regret_lower_bound(["0.7", "0.5"], 10**6, 10**6),
    "no budget": lambda: regret_lower_bound(["0.7", "0.5"], "inf", 2),
    "few rounds": lambda: minimax_lower_bound(arms=2, horizon=2, epsilon=12),
    "budgets": lambda: regret_upper_bound("AdaP-UCB", [1, 0], 2000, PureDP(999.0)),
    "ten": lambda: Budget.pure(10),
    "a minimiser": lambda: theory.sharp_epsilon_of_zcdp(1e-4, 0.2),
    "classical, large enough": lambda: theory.classical_gaussian_variance(5, 1e-5),
    "what the classical formula attains": lambda: classical_gaussian_delta(12, 1e-5),
    "a small epsilon": lambda: theory.testing_region(1e-5, 0.05),
    "a large delta": lambda: theory.advantage_bounds(0.1, 0.5),
    "a region of no privacy": lambda: theory.testing_region(0, 1),
    "ten, rounded up": lambda: compose_advanced(Budget.pure(0.1), 100, 0),
    "an epsilon of 0": lambda: NOISY.delta(0),
    "no privacy": lambda: Budget.approximate(float("inf"), 0.1),
    "a group": lambda: Budget.pure(1).of_group(50),
    "two instances": lambda: theory.exact_minimax_regret([[0.7, 0.2], [0.2, 0.7]], 2, ratio=2),
    "an exact sensitivity": lambda: [calibrate_gaussian(Budget.zcdp(1), one) for one in (Fraction(1, 3), "0.1")],
}


@pytest.mark.parametrize("name", HINTED)
def test_it_is_told_at_the_line_that_asked(name):
    ask, said = HINTED[name]
    with pytest.warns(UserWarning, match=said) as told:
        ask()
    assert [one.filename for one in told] == [__file__]


@pytest.mark.parametrize("name", SILENT)
def test_what_may_well_be_meant_is_not_told(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert SILENT[name]() is not None


def test_a_command_tells_it_once_and_names_the_bounds_that_do_not_apply(capsys):
    swapped = "simulate --algorithm adap-ucb --means 0.7,0.5 --epsilon 999 --horizon 9 --runs 2 --option beta=2"
    with pytest.warns(UserWarning, match="other's place"):
        assert status(swapped.split()) == 0
    assert "the gap-dependent bound (ALG-T5.3) does not apply: needs beta > 3" in capsys.readouterr().out


RECORDS = [[0, 3], range(3), "x", (5, 3), (-1, 3), (0.5, 3), (True, 3), (0,), (0, 1, 2, 3), np.array([0, 3]), 3]


@pytest.mark.parametrize("records", RECORDS, ids=str)
def test_records_that_are_none_are_refused_outside_of_a_check(records):
    noise = NoiseSource(np.random.default_rng(0))
    with pytest.raises(InvalidInput, match="records must be a tuple"):
        noise.laplace(np.zeros(1), sensitivity=1, budget=Budget.pure(1.0), records=records)


@pytest.mark.parametrize(
    "records", [None, (0, 3), (3, 3), (np.array([0]), np.array([3])), (np.int64(0), 3, 1)], ids=str
)
def test_records_that_are_some_are_let_in(records):
    noise = NoiseSource(np.random.default_rng(0))
    assert np.isfinite(noise.laplace(np.zeros(1), sensitivity=1, budget=Budget.pure(1.0), records=records)).all()


def test_decimals_are_exact_and_lists_of_text_are_no_floats():
    certified = kl_bernoulli(Decimal("0.1"), Decimal("0.2"))
    assert isinstance(certified, Enclosure) and (certified - kl_bernoulli("0.1", "0.2")).contains(0)
    assert isinstance(kl_bernoulli(Decimal("0.1"), 0.2), float)
    for texts in (["0.1", "0.2"], np.array(["0.1", "0.2"])):
        with pytest.raises(InvalidInput, match="q must be an array of numbers, which gives floats, or one text"):
            kl_bernoulli(0.5, texts)


MEANS = ["0.9", "0.5"]


class Player:
    def select_arm(self):
        return 0

    def update(self, arm, reward):
        """Nothing is learnt."""


Refuted = Refutation(Budget.pure(1), shown=2.0, reach=3.0)


def samples():
    return sample_complexity_lower_bound(MEANS, "0.1", epsilon=1)


TOLD = {
    "two bounds": (lambda: samples().private, "a bound is bounds['private'] or bounds['private-kl']"),
    "an end of a bound": (lambda: samples()["kl"].lower, "its number is value, as in result.value.lower"),
    "no end of a bound": (lambda: samples()["kl"].nothing, "'SampleComplexityBound' object has no attribute 'nothing'"),
    "a table": (lambda: samples().to_csv, "to_dict() gives plain values, to_frame() a pandas table"),
    "a bound as its time": (lambda: samples().times["private-kl"], "one of kl, private, tv, d_epsilon, got"),
    "arms that it answers itself": (
        lambda: check_privacy(replayed(Player, arms=2), Budget.pure(1)),
        "arms must be left out: this policy answers its arms itself",
    ),
    "a class for what makes it": (
        lambda: assert_regret(Player, environment=BernoulliBandit([0.9, 0.1]), horizon=9, bound=9),
        "did you mean lambda rows, generator: Player(...)?",
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_a_mistake_is_told_what_is_right(name):
    act, said = TOLD[name]
    with pytest.raises((InvalidInput, AttributeError, ImportError, TypeError)) as error:
        act()
    assert said in str(error.value)


def test_a_command_for_another_document_or_an_id_is_told(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for typed, said in (
        ("explain BDP-T3.1 --paper thesis", "did you mean bernoulli-dp? paper must be left out"),
        ("findings BDP-T3.1", "'banditproof explain BDP-T3.1' shows a claim"),
    ):
        assert status(typed.split()) == 2
        assert said in capsys.readouterr().err


def test_an_argument_that_there_is_not_is_told_the_nearest():
    @checked
    def play(arms: int, seconds: float = 1.0) -> int:
        return arms

    with pytest.raises(TypeError, match="has no argument 'second': did you mean seconds"):
        play(2, second=3)
    with pytest.raises(TypeError, match="has no argument 'x': it has arms, seconds"):
        play(2, x=3)


def test_a_report_and_an_answer_beside_a_word_are_their_verdicts():
    assert Refuted == "violation" and Refuted != "not refuted" and Refuted == Refutation(Budget.pure(1), 2.0, 3.0)
    answer = judge("1 < 2")
    assert answer == "proved" and answer != "open" and answer.verdict in ("proved", "refuted")
    assert pickle.loads(pickle.dumps(Refuted)) == Refuted and json.dumps({"said": answer.verdict})
