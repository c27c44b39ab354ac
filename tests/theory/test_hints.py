"""What is allowed and hardly meant is told once; its sound neighbours are not."""

import json
import pickle
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

import banditproof
from banditproof import judge, theory
from banditproof.algorithms import AdaPUCB, BernoulliBandit, NoiseSource, simulate
from banditproof.claims import Settings, load
from banditproof.theory import (
    Accountant,
    Budget,
    Enclosure,
    Instance,
    InvalidInput,
    Mechanism,
    PrivacyOdometer,
    adversarial_bounds,
    calibrate_gaussian,
    characteristic_time,
    classical_gaussian_variance,
    compose,
    compose_advanced,
    convert,
    kl_bernoulli,
    least_noise,
    linear_regret_constant,
    minimax_lower_bound,
    regret_lower_bound,
    regret_upper_bound,
    sample_complexity_lower_bound,
)
from banditproof.theory.arguments import checked
from banditproof.theory.privacy.budget import PureDP
from banditproof.verify import (
    PLANTED,
    FiniteKernel,
    SequentialAudit,
    assert_certified,
    assert_private,
    assert_regret,
    audit_private,
    check_delta_correct,
    check_privacy,
    prove,
    replayed,
    total_variation,
)
from banditproof.verify.audits.refutation import Refutation
from banditproof.verify.testing.adapters import select_update
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
    "swapped region": (lambda: theory.testing_region(1e-5, 1), "epsilon is named before it"),
    "swapped trade-off": (lambda: theory.approximate_trade_off(0.05, 1e-5, 1), "epsilon is named before it"),
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
    assert isinstance(certified, arb) and certified.overlaps(kl_bernoulli("0.1", "0.2"))
    assert isinstance(kl_bernoulli(Decimal("0.1"), 0.2), float)
    for texts in (["0.1", "0.2"], np.array(["0.1", "0.2"])):
        with pytest.raises(InvalidInput, match="q must be an array of numbers, which gives floats, or one text"):
            kl_bernoulli(0.5, texts)


@pytest.mark.parametrize("check", [check_privacy, audit_private])
def test_a_class_that_takes_other_arguments_is_no_factory(check):
    with pytest.raises(InvalidInput, match=r"make_policy must be a function of \(noise, generator\), such as lambda"):
        check(AdaPUCB, Budget.pure(1.0))


MEANS = ["0.9", "0.5"]


class Player:
    def select_arm(self):
        return 0

    def update(self, arm, reward):
        """Nothing is learnt."""


Refuted = Refutation(Budget.pure(1), shown=2.0, reach=3.0)


OF_TWO = theory.exact_minimax_regret([[0.7, 0.2], [0.2, 0.7]], 2, ratio=2)


def samples():
    return sample_complexity_lower_bound(MEANS, "0.1", epsilon=1)


TOLD = {
    "a percentage": (lambda: kl_bernoulli("30%", 0.5), "did you mean 30/100? p must be a number in [0, 1], got '30%'"),
    "a percentage as risk": (lambda: sample_complexity_lower_bound([0.9, 0.5], "5%"), "did you mean 5/100? delta"),
    "a pair as epsilon": (lambda: Budget.pure((1, 1e-5)), r"did you mean Budget.approximate(1, 1e-05)?"),
    "noise alone": (lambda: AdaPUCB(3, noise=NoiseSource(np.random.default_rng(0))), "where noise is given"),
    "epsilon of rho": (lambda: Budget.zcdp(1).epsilon, "convert(budget, 'approximate', delta=1e-6).epsilon is one"),
    "mu of rho": (lambda: Budget.zcdp(1).mu, "Budget.zcdp has rho, no mu"),
    "a delta of 1": (lambda: classical_gaussian_variance(1, "1"), "delta must be in (0, 1)"),
    "an epsilon of 0": (lambda: classical_gaussian_variance("0", "0.1"), "epsilon must be positive"),
    "a short name": (lambda: kl_bernoulli(0.3, 0.5, prob=1), "kl_bernoulli() has no argument 'prob': it has p, q"),
    "eps": (lambda: theory.d_epsilon(0.3, 0.7, eps=1), "did you mean epsilon?"),
    "a budget as rho": (lambda: theory.epsilon_of_zcdp(Budget.zcdp(1), 0.1), "did you mean budget.rho?"),
    "ucb1": (lambda: regret_upper_bound("ucb1", [0.9, 0.5], 10), "did you mean UCB?"),
    "an argument of a base": (lambda: AdaPUCB(3, horizon=9), "it has arms, budget, noise, beta, replications"),
    "the class of noise": (lambda: AdaPUCB(3, Budget.pure(1), NoiseSource), "did you mean NoiseSource(generator)?"),
    "a class of policies": (
        lambda: simulate(AdaPUCB, BernoulliBandit([0.9, 0.5]), 9, np.random.default_rng(0)),
        "did you mean AdaPUCB(arms, budget, noise, beta)?",
    ),
    "a name of a policy": (
        lambda: simulate("ucb", BernoulliBandit([0.9, 0.5]), 9, np.random.default_rng(0)),
        "a Policy, such as AdaPUCB(",
    ),
    "ends the other way round": (lambda: theory.sensitivity(theory.statistics.mean(), (1, 0)), "got (1, 0)"),
    "a sign": (lambda: regret_lower_bound([0.7, 0.5], epsilon="-∞"), "epsilon must be a positive number"),
    "a place of a bound": (lambda: regret_lower_bound([0.7, 0.5])[0], "bound must be one of lai-robbins"),
    "a float": (lambda: characteristic_time([0.9]), "at least two arms, got [0.9]"),
    "a tie": (lambda: characteristic_time([0.9, 0.9]), "2 arms with the largest mean 0.9"),
    "text as an end": (lambda: Enclosure("0.1", 1), "(Enclosure.outward takes any number)"),
    "a name of theory": (lambda: theory.kl_bernouli, "did you mean kl_bernoulli"),
    "a kind of theory": (lambda: theory.kl, "did you mean kl_bernoulli or "),
    "an option of a figure": (lambda: regret_lower_bound([0.7, 0.5]).plot(logx=True), "has no argument 'logx'"),
    "a colour": (lambda: characteristic_time(MEANS).plot(color="red"), "plot() has no argument 'color'"),
    "the sum of a statistic": (lambda: theory.statistics.sum(), "did you mean total?"),
    "means": (lambda: theory.statistics.means(), "statistics' has no attribute 'means': did you mean mean"),
    "a number in text": (lambda: Mechanism.laplace("10"), "did you mean 10 without quotes? scale must be"),
    "a sensitivity of no size": (lambda: calibrate_gaussian(Budget.zcdp(1), "-0.1"), "sensitivity must be a number, p"),
    "no law": (lambda: FiniteKernel(2, 2, (0, 1), None), "probability must be a function of (history), got None"),
    "arms and rewards": (lambda: FiniteKernel(2, 2, (0, 1), lambda a, r: [1, 0]), "must be a function of (history)"),
    "a kind that is none": (lambda: type("Own", (AdaPUCB,), {"kinds": ("puer",)})(2, Budget.pure(1)), "mean pure?"),
    "a policy of two rounds": (lambda: OF_TWO.probability(((0, 1), (1, 1))), "the policy is known for 2 rounds"),
    "exchanged in an assertion": (
        lambda: assert_private(Budget.pure(1), lambda noise, generator: 0),
        "assert_private(make_policy, budget)",
    ),
    "a file for a figure": (lambda: regret_lower_bound([0.7, 0.5]).plot("a.png"), "plot().savefig('a.png')"),
    "an option of a class": (
        lambda: AdaPUCB(2, Budget.pure(1), NoiseSource(), bta=3),
        "AdaPUCB() has no argument 'bta': did you mean beta?",
    ),
    "players without methods": (lambda: select_update(object(), 2), "the methods select_arm and update"),
    "a strategy that is none": (
        lambda: check_delta_correct(lambda arms, generator, replications: 3, BernoulliBandit([0.9, 0.5]), 0.1),
        "make_strategy must be a function that returns a policy with `stopped` and `recommendation`",
    ),
    "a comma": (lambda: kl_bernoulli("0,3", 0.5), "did you mean 0.3? p must be a number"),
    "a number of NumPy": (lambda: kl_bernoulli(np.float64(2), 0.5), "got 2.0"),
    "budgets": (lambda: regret_lower_bound([0.7, 0.5], epsilon=[0.1, 1]), "ask for each of several in its turn"),
    "a budget": (lambda: regret_lower_bound([0.7, 0.5], epsilon=Budget.pure(1)), "did you mean budget.epsilon?"),
    "a number as budget": (
        lambda: regret_upper_bound("AdaP-UCB", [0.7, 0.5], 9, 0.5),
        "budget must be a Budget of kind",
    ),
    "a class as policy": (lambda: regret_upper_bound(AdaPUCB, [0.7, 0.5], 9, Budget.pure(1)), "this is its class"),
    "1e6 pulls": (lambda: minimax_lower_bound(arms=2, horizon=1e6), "did you mean 1000000? horizon must be an integer"),
    "half a pull": (lambda: minimax_lower_bound(arms=2, horizon=1.5), "horizon must be an integer"),
    "an attribute": (lambda: regret_lower_bound([0.7, 0.5]).lai_robbins, "a bound is bounds['lai-robbins']"),
    "two bounds": (lambda: samples().private, "a bound is bounds['private'] or bounds['private-kl']"),
    "an end of a bound": (lambda: samples()["kl"].lower, "its number is value, as in result.value.lower"),
    "no end of a bound": (lambda: samples()["kl"].nothing, "'SampleComplexityBound' object has no attribute 'nothing'"),
    "another name of a field": (lambda: characteristic_time(MEANS).values, "did you mean value?"),
    "no field of a budget": (lambda: Budget.pure(1).eps, "it has epsilon, kind, parameters, to_dict()"),
    "the scale of noise": (lambda: calibrate_gaussian(Budget.zcdp(1), 1).sigma, "it has distribution, budget"),
    "a table": (lambda: samples().to_csv, "to_dict() gives plain values, to_frame() a pandas table"),
    "a bound as its time": (lambda: samples().times["private-kl"], "one of kl, private, tv, d_epsilon, got"),
    "means for instance": (
        lambda: sample_complexity_lower_bound(means=MEANS, delta=1),
        "it has instance, delta, epsilon",
    ),
    "an argument": (lambda: minimax_lower_bound(arms=2, horizn=9), "has no argument 'horizn': did you mean horizon?"),
    "by place": (lambda: characteristic_time(MEANS, "0.5"), "epsilon=None, beta=None,"),
    "no instance": (lambda: sample_complexity_lower_bound(None, "0.1"), "instance must be a list of means, such as"),
    "a list of lists": (lambda: sample_complexity_lower_bound([MEANS], "0.1"), "got [['0.9', '0.5']]"),
    "arms by name": (lambda: sample_complexity_lower_bound({"a": 0.9}, "0.1"), "instance must be a list of means"),
    "bytes": (lambda: regret_lower_bound(b"0.9"), "means must be a list of means"),
    "no bound": (lambda: regret_lower_bound([0.7, 0.5]).nothing, "has no attribute 'nothing'"),
    "a kind by another name": (lambda: Budget.approx(1, 1e-6), "did you mean Budget.approximate?"),
    "no kind": (lambda: Budget.laplace(1), "a budget is Budget.pure(epsilon), Budget.approximate(epsilon, delta)"),
    "a parameter by another name": (lambda: Budget.pure(eps=1), "has no argument 'eps': did you mean epsilon?"),
    "a bug by another name": (lambda: PLANTED["noise halvd"], "did you mean noise halved?"),
    "a parameter as a kind": (lambda: Budget.rho(1), "did you mean Budget.zcdp?"),
    "a constructor as a budget": (lambda: compose(Budget.zcdp), "did you mean Budget.zcdp(rho)?"),
    "a budget of another kind": (
        lambda: AdaPUCB(2, Budget.zcdp(1), NoiseSource()),
        "a Budget of kind pure, such as Budget.pure(4.0)",
    ),
    "a delta of 0": (lambda: Budget.approximate(1, 0), "without delta, it is Budget.pure"),
    "booleans": (lambda: regret_lower_bound(np.array([True, False])), "got True"),
    "seconds by place": (lambda: check_privacy(AdaPUCB, Budget.pure(1), 3), "what stands behind * goes by name"),
    "several bounds as one": (lambda: regret_lower_bound([0.7, 0.5]).value, "as bounds['lai-robbins'] does"),
    "a slice": (lambda: regret_lower_bound([0.7, 0.5])[:1], "bound must be one of lai-robbins"),
    "a bool for a number": (lambda: kl_bernoulli(True, 0.5), "p must be a number in [0, 1], got True"),
    "bools as means": (lambda: BernoulliBandit([True, False]), "means must be numbers in [0, 1], got [True, False]"),
    "a bool in a list": (lambda: kl_bernoulli([True, 0.5], 0.5), "got [True, 0.5]"),
    "a bool as optimism": (lambda: regret_upper_bound("UCB", [0.7, 0.5], 9, beta=True), "beta must be positive"),
    "too many arguments": (lambda: kl_bernoulli(0.5, 0.4, 0.3), "kl_bernoulli(p, q): too many positional arguments"),
    "means by place": (lambda: Instance(0.9, 0.8), "did you mean means=[0.9, 0.8]?"),
    "a budget of two": (lambda: Budget.pure(1.0, 1e-5), "did you mean Budget.approximate(epsilon, delta)?"),
    "what it does not imply": (lambda: Budget.approximate(1.0, 1e-5).rho, "no rho; it implies none"),
    "a kind that it does not imply": (lambda: convert(Budget.approximate(1, 0.1), "zcdp"), "implies no other kind"),
    "a mechanism for its maker": (
        lambda: least_noise(Mechanism.gaussian(2.0), 1.0, 1e-5),
        "mechanism must be a function of (noise), such as Mechanism.gaussian",
    ),
    "one entry": (lambda: PrivacyOdometer(delta=1e-6, orders=(1, 2)), "in (1, 1e6] (which 1 is not), got (1, 2)"),
    "other lengths": (lambda: Mechanism.finite([0.5, 0.5], [0.2, 0.3, 0.5]), "without must be 2 probabilities, as"),
    "a mechanism by another name": (lambda: Mechanism.discrete_laplace(1), "it has square, gaussian, laplace, geom"),
    "a mechanism misspelt": (lambda: Mechanism.gausian(1), "'Mechanism' has no attribute 'gausian': did you mean gau"),
    "numbers in each other's place": (lambda: SequentialAudit(0.5, 1), "did you mean error=0.5, epsilon=1? error must"),
    "too few arguments": (
        lambda: convert(Budget.pure(1)),
        "convert(budget, kind, *, delta=None, sharp=False): missing",
    ),
    "a kind in capitals": (lambda: convert(Budget.pure(1), "zCDP"), "did you mean zcdp?"),
    "a budget times a number": (lambda: 2 * Budget.pure(1), "budget.epsilon is one"),
    "masses that are no laws": (
        lambda: total_variation({0: Fraction(1, 2)}, {0: Fraction(1)}),
        "laws, each with sum 1",
    ),
    "a verdict as a condition": (lambda: bool(Refuted.verdict), "ask for report.ok where there is one"),
    "an answer as a condition": (lambda: bool(judge("1 < 2").verdict), "as in answer.verdict == 'proved'"),
    "a report that is True": (lambda: Refuted == True, "a verdict is neither true nor false"),  # noqa: E712
    "another room": (
        lambda: exec("from banditproof.algorithms import check_privacy"),
        "it is banditproof.verify.check_privacy",
    ),
    "one document as text": (lambda: load("rdp"), "did you mean ['rdp']?"),
    "a flat list of actions": (
        lambda: linear_regret_constant([1, 0], [1, 0]),
        "a table of numbers with a row per action",
    ),
    "a word that is no verdict": (
        lambda: judge("1 < 2") == "true",
        "verdict must be one of proved, proved from named facts",
    ),
    "another kind's verdict": (lambda: judge("1 < 2").verdict != "violation", "got 'violation'"),
    "a verdict misspelt": (lambda: Refuted != "violated", "did you mean violation?"),
    "no attribute of a report": (lambda: Refuted.passed, "its verdict, one of ok, violation, inconclusive"),
    "values of a kind": (lambda: Budget.of("pure", 1, 2), "got \"Budget.of('pure', 1, 2)\""),
    "an empty interval": (lambda: assert_certified(characteristic_time(MEANS), within=(2, 1)), "the smaller one first"),
    "nothing made": (lambda: check_privacy(replayed(lambda: None), Budget.pure(1)), "replayed(make, choose="),
    "the reward first": (
        lambda: replayed(object, choose=lambda p: 0, hear=lambda p, reward, arm: None),
        "(policy, arm, reward) in this order",
    ),
    "a number as a line": (lambda: replayed(object, rewards_at=3), "a piece of the line"),
    "a box that is replayed": (
        lambda: assert_private(replayed(object), Budget.pure(1), black_box=True),
        "black_box must be left out with replayed(...)",
    ),
    "arms that it answers itself": (
        lambda: check_privacy(replayed(Player, arms=2), Budget.pure(1)),
        "arms must be left out: this policy answers its arms itself",
    ),
    "a sum": (lambda: Budget.pure(1) + Budget.pure(2), "compose(first, second) adds budgets"),
    "a sum with a number": (lambda: Budget.pure(1) + 2, "a budget is no number"),
    "what several kinds are called": (lambda: Budget.dp(1), "a budget is Budget.pure(epsilon), Budget.approximate("),
    "a kind that nothing implies": (lambda: convert(Budget.pure(1), "DP", delta=1e-5), "kind must be approximate or z"),
    "means by name": (lambda: characteristic_time(means={"a": 0.9}, epsilon=1), "means must be a list, such as"),
    "probabilities far from 1": (lambda: theory.Bounded([0, 0.5, 1], [0.5, 0.3, 0.3]), "got 'a sum of 1.1'"),
    "text times a number": (lambda: Enclosure(0, 1) * "half", "'half' is no number, as '1/3' is"),
    "digits as text": (lambda: round(Enclosure(0, 1), "2"), "digits must be an integer, or left out"),
    "no count": (lambda: theory.total(lambda k: k, 1, "3"), "high of a sum must be an integer or a term, because"),
    "a release more": (lambda: NOISY.compose(Mechanism.gaussian(1)), "when it is made: Accountant(*releases)"),
    "a middle": (lambda: Enclosure(0, 1).mid, "its ends are .lower and .upper"),
    "a count by itself": (
        lambda: Accountant(Mechanism.gaussian(1), 9),
        "mechanisms or pairs (mechanism, count), got 9",
    ),
    "a constructor as a kind": (lambda: convert(Budget.pure(1), Budget.zcdp), "did you mean zcdp?"),
    "ranges that are lists": (lambda: judge("x <= 1", {"x": [0, 1]}), "such as {'x': '[0, 1]'}, got"),
    "a word of several names": (lambda: exec("from banditproof.verify import assert_dp"), "assert_private or assert_r"),
    "a part of a room": (lambda: exec("from banditproof import bounds"), "it is banditproof.theory.bounds"),
    "a name of the room": (lambda: exec("from banditproof.algorithms.finite import DPIMED"), "algorithms.DPIMED"),
    "a room left out": (lambda: banditproof.kl_bernoulli, "it is banditproof.theory.kl_bernoulli"),
    "a room left out of an import": (
        lambda: exec("from banditproof import kl_bernoulli"),
        "it is banditproof.theory.kl_bernoulli",
    ),
    "a name of theory in an import": (
        lambda: exec("from banditproof.theory import kl_bernouli"),
        "did you mean kl_bernoulli",
    ),
    "no room in an import": (lambda: exec("from banditproof import nothing"), "dir(banditproof) lists what it has"),
    "a name of this kind": (lambda: banditproof.theory.KL, "did you mean kl_bernoulli or kl_inf"),
    "a name of no kind": (lambda: banditproof.algorithms.Thompso, "dir(banditproof.algorithms) lists what it has"),
    "a name of the project": (lambda: banditproof.theory.judge, "did you mean banditproof.judge?"),
    "a budget for its number": (
        lambda: regret_lower_bound(MEANS, budget=Budget.pure(1)),
        "did you mean epsilon=budget.epsilon?",
    ),
    "a number for its budget": (lambda: AdaPUCB(2, epsilon=1), "did you mean budget=Budget.pure(epsilon)?"),
    "an environment for means": (lambda: regret_lower_bound(BernoulliBandit([0.9, 0.1])), "did you mean its .means?"),
    "a class for what makes it": (
        lambda: assert_regret(Player, environment=BernoulliBandit([0.9, 0.1]), horizon=9, bound=9),
        "did you mean lambda rows, generator: Player(...)?",
    ),
    "text to prove": (lambda: prove("x <= 1"), "judge(text) settles what is written"),
    "another profile": (lambda: Settings(profile="slow"), "profile must be one of quick, full"),
    "no room": (lambda: banditproof.nothing, "module 'banditproof' has no attribute 'nothing'"),
    "a generator as noise": (lambda: AdaPUCB(2, Budget.pure(1), np.random.default_rng(0)), "NoiseSource(generator)"),
    "a seed as generator": (lambda: NoiseSource(0), "such as np.random.default_rng(0)"),
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
