"""Which theorem is tested on which instances is said, hypotheses are read off the policy, and sound policies pass."""

import re
from time import monotonic, thread_time

import numpy as np
import pytest

from banditproof.algorithms import BernoulliBandit
from banditproof.algorithms.batches import PolynomialBatches
from banditproof.algorithms.finite.dp_index import DPKLUCB
from banditproof.algorithms.finite.episodic import AdaPUCB
from banditproof.algorithms.finite.index import KLUCB, UCB
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.registration import Setting
from banditproof.algorithms.roster import algorithm
from banditproof.theory import regret_upper_bound
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget
from banditproof.verify import check_theorem, stopwatch
from banditproof.verify.announcing import Between
from banditproof.verify.guarantees import theorems
from banditproof.verify.guarantees.bounds_to_test import LOST, Candidate, Case, Notes, parts_compared
from banditproof.verify.guarantees.players import Adapted, stated_by
from banditproof.verify.guarantees.regret import lasting, late, lost, price_of_losing
from banditproof.verify.guarantees.regret_bugs import REGRET_BUGS
from banditproof.verify.guarantees.theorems import INSTANCES, _title_and_source

PURE = [Budget.pure(1.0), Budget.pure(10.0)]
SOUND = {
    "ucb": [None],
    "kl-ucb": [None],
    "dp-se": PURE,
    "adap-ucb": PURE,
    "adac-ucb": [Budget.zcdp(0.5)],
    "adar-ucb": [Budget.rdp(2, 1.0)],
    "dp-imed": PURE,
}


ONE = {"instances": {"only": ("0.1", "0.9")}}  # where it is what a report says that is tested


def roster(name, **options):
    def make(arms, budget, horizon, noise, generator, replications):
        return algorithm(name).build(Setting(arms, horizon, budget, generator, replications), **options)

    return make


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_policy_of_the_roster_is_ok(name, every_point):
    options = {"beta": 3.1} if name in ("adac-ucb", "adar-ucb") else {}
    seconds = 60 if every_point or name == "kl-ucb" else 4  # which decides anew at every pull
    report = check_theorem(roster(name, **options), name, budgets=SOUND[name], seconds=seconds)
    assert report.verdict == "ok", report
    assert (
        len(report.parts) >= len(INSTANCES) * len(SOUND[name]) or stopwatch.CUT in report.notes
    )  # on a machine that is busy
    assert all(part.bound < part.most for part in report.parts) and report.error == 1e-6
    assert sum(part.error for part in report.parts) <= report.error


def test_a_test_that_is_open_can_go_on_with_the_seconds_that_are_left(monkeypatch):
    gone_on = []

    def settle(trial, longest):
        gone_on.extend((open_, go_on(open_.runs + 4, 0.2, longest)) for open_, _, go_on in trial.further_runs[:2])

    monkeypatch.setattr(theorems._Trial, "settle", settle)
    assert check_theorem(roster("ucb"), "ucb", seconds=1, **ONE).parts
    assert gone_on and all(further.runs > before.runs > 0 for before, further in gone_on)


def backwards(policy):
    """The policy, calling its first arm the last one."""

    class Backwards(type(policy)):
        def next_batch(self):
            arm, count = super().next_batch()
            return self.arms - 1 - arm, count

        def observe(self, total, count, arm=None):
            super().observe(total, count, None if arm is None else self.arms - 1 - arm)

    policy.__class__ = Backwards
    return policy


@pytest.mark.parametrize(("name", "budget"), [("successive-elimination", None), ("dp-se", PURE[0])])
def test_a_policy_that_goes_through_the_arms_backwards_is_ok(name, budget):
    forwards = roster(name)
    report = check_theorem(lambda *setting: backwards(forwards(*setting)), name, budgets=[budget], seconds=4)
    assert report.verdict == "ok", report


def test_the_theorem_the_instances_and_the_closest_call_are_named():
    report = check_theorem(roster("adap-ucb"), "ALG-T5.3", budgets=PURE[:1])
    text = str(report)
    assert text.startswith("ok: all ") and "ALG-T5.3" in report.tested
    assert "hypotheses read off the policy: beta = 3.1" in text and "closest call: mean" in text
    theorems = [part for part in report.parts if "episode by episode" in part.tested]
    assert len(theorems) >= 10 and {part.tested.split("T = ")[1].split(",")[0] for part in theorems} > {"2000"}
    assert report.closest.mean / report.closest.bound == max(part.mean / part.bound for part in report.parts)


def test_a_theorem_whose_hypothesis_fails_is_not_tested_and_the_reason_is_said():
    report = check_theorem(roster("adap-ucb", beta=1.0), "adap-ucb", budgets=PURE[1:], horizons=(200,), **ONE)
    assert all("the library's own" in part.tested for part in report.parts)
    assert any("does not apply: needs beta > 3" in note for note in report.notes)


def test_a_theorem_that_was_named_and_cannot_be_tested_is_never_ok():
    report = check_theorem(roster("adap-ucb", beta=1.0), "ALG-T5.3", budgets=PURE[1:], horizons=(2000,), **ONE)
    assert report.verdict == "inconclusive" and "no test of ALG-T5.3 itself was possible" in report.cause


def test_what_the_policy_does_not_state_is_taken_on_trust_and_said():
    class Silent(UCB):
        level = property(lambda self: (_ for _ in ()).throw(AttributeError("level")), lambda self, value: None)

        def score(self, means, samples):
            return means + (4 * 7.6 / samples) ** 0.5

    report = check_theorem(
        lambda K, b, T, noise, g, R: Silent(K, horizon=T, replications=R), "ucb", horizons=(200,), **ONE
    )
    assert any(note.startswith("hypotheses taken on trust") and "level" in note for note in report.notes)


def test_conditions_are_asked_of_any_class_that_plays_the_algorithm():
    batches = DPKLUCB(2, PURE[0], PolynomialBatches(0), noise=NoiseSource())
    asked = {
        policy: regret_upper_bound("DP-KLUCB", ["0.5", "0.7"], 100, PURE[0], policy=policy) for policy in (batches,)
    }
    assert not asked[batches]["asymptotic"].applies
    assert not regret_upper_bound("DP-UCB", ["0.5", "0.7"], 100, PURE[0], policy=object()).best
    assert regret_upper_bound("UCB", ["0.5", "0.7"], 100, policy=UCB(2, delta=0.5))["gap-dependent"].applies is False


def test_an_asymptotic_theorem_gives_way_to_a_comparison():
    report = check_theorem(roster("dp-imed"), "dp-imed", budgets=PURE[:1], horizons=(200,), **ONE)
    assert any("asymptotic: it guarantees nothing" in note for note in report.notes)
    assert report.parts and all(
        "2 times what the library's own dp-imed has at most" in part.tested for part in report.parts
    )


def test_an_ok_says_whether_a_theorem_was_tested():
    def tested(beta):
        report = check_theorem(
            lambda K, b, T, noise, g, R: AdaPUCB(K, b, noise, beta=beta, replications=R),
            "adap-ucb",
            budgets=PURE[:1],
            horizons=(2000,),
            seconds=5,
            **ONE,
        )
        assert report.ok, report
        return "no theorem was tested" not in report.cause

    assert tested(3.1) and not tested(2.0)


def test_a_reference_of_ones_own_and_a_bug():
    def mine(arms, budget, horizon, noise, generator, replications):
        return REGRET_BUGS["coins heard"](AdaPUCB(arms, budget, noise, replications=replications))

    def theirs(arms, budget, horizon, noise, generator, replications):
        return AdaPUCB(arms, budget, noise, replications=replications)

    own = {"only": ("0.2", "0.9")}
    options = {"budgets": PURE[1:], "instances": own, "horizons": (2000,), "reference": theirs}
    assert check_theorem(theirs, "adap-ucb", **options).verdict == "ok"
    report = check_theorem(mine, "adap-ucb", **options)
    assert report.verdict == "violation"
    assert str(report).startswith("violation: the expected regret exceeds the bound: mean ")


def test_where_nothing_can_be_tested_the_verdict_is_open():
    report = check_theorem(roster("dp-ucb"), "dp-ucb", budgets=PURE[:1], horizons=(50,), **ONE)
    assert report.verdict == "inconclusive" and not report.parts
    assert any("no comparison can fail up to T = 50" in note for note in report.notes)


class Lost(Between):
    """Stays with the first arm in one of ten runs, and hears the truth."""

    per_replication = ("lost",)

    def __init__(self, policy):
        super().__init__(policy)
        self.lost = np.arange(policy.replications) % 10 == 0

    def instead(self, arm):
        return np.where(self.lost, 0, arm)


def test_the_report_says_how_many_times_the_regret_of_the_roster_it_is():
    def make(arms, budget, horizon, noise, generator, replications):
        return Lost(KLUCB(arms, exploration="log f(t)", replications=replications))

    only = {"only": ("0.1", "0.9")}
    report = check_theorem(make, "kl-ucb", instances=only, horizons=(200,), seconds=60)
    assert report.verdict == "violation" and "the reference's is at most" in report.cause, report


def test_what_lasts_is_linear_and_no_single_batch():
    regret = np.array([[1.0, 2.0, 4.0], [1.0, 1.0, 4.0], [2.0, 4.0, 4.0], [3.0, 3.5, 4.0]])
    assert lasting(regret).tolist() == [2.0, 0.0, 0.0, 0.5]
    assert late(regret, 16) == pytest.approx([2.0, 3.0, 1.0, 1.0])


def test_a_run_is_lost_that_pulls_no_best_arm_after_a_quarter_of_its_time():
    bandit = BernoulliBandit([0.5, 0.9, 0.7])
    price = price_of_losing(bandit, 100)
    assert price == pytest.approx(0.2 * 75)
    regret = np.array([[5.0, 10, 20], [5, 10, 20.1], [0, 0, 13.4], [0, 10, 13.6]])
    assert lost(regret, price).tolist() == [1, 1, 0, 1]


def test_a_run_that_still_goes_through_all_arms_is_not_lost():
    """Of ten arms one is good: those in turn cost nine tenths of what a lost run costs, long phases all of it."""
    case = Case("ten", ("0.1",) * 9 + ("0.9",), None)
    part, *_ = parts_compared(LOST, case, 200)
    in_turn, stuck, tried_later = [36.0, 72, 144], [39.2, 79.2, 159.2], [40.0, 80, 160]
    assert part(np.array([in_turn, stuck, tried_later])).tolist() == [0, 1, 0]


@pytest.mark.parametrize("share", [0.0, 0.1])
def test_lost_runs_are_found_where_the_cost_of_exploration_hides_them(share):
    def make(arms, budget, horizon, noise, generator, replications):
        policy = UCB(arms, horizon=horizon, replications=replications)
        return Lost(policy) if share else policy

    only = {"two middling arms": ("0.4", "0.6")}
    report = check_theorem(make, "ucb", instances=only, horizons=(500,))
    regret, found = report.parts[0], [part for part in report.parts if part.tested.startswith("share of lost runs")]
    assert regret.verdict == "ok", report
    if share:
        assert report.verdict == "violation", report
    else:
        assert report.verdict == "ok" and found[0].mean == 0, report


def test_a_seed_gives_the_same_report_on_a_busy_machine_and_on_an_idle_one(monkeypatch):
    def said(slower):
        monkeypatch.setattr(stopwatch, "thread_time", lambda: slower * thread_time())
        monkeypatch.setattr(stopwatch, "monotonic", lambda: slower * monotonic())
        return re.sub(r"in [0-9.]+ s", "", str(check_theorem(sometimes, "ucb", seconds=1, seed=5)))

    def sometimes(arms, budget, horizon, noise, generator, replications):
        return Sometimes(UCB(arms, horizon=horizon, replications=replications))

    class Sometimes(Between):
        """No policy of the library, so that there is no compiled loop."""

    idle = said(0.5)
    assert idle == said(0.9) and "the clock cut" not in idle
    assert "the clock cut" in said(1000)


def test_a_policy_that_states_its_budget_is_tried_with_others():
    only = {"only": ("0.1", "0.9")}
    options = {"budgets": PURE[:1], "instances": only, "horizons": (2000, 20_000), "seconds": 40}
    tried = str(check_theorem(roster("adap-ucb"), "adap-ucb", **options))
    assert all(f"pure(epsilon={epsilon})" in tried for epsilon in (0.1, 1.0, 10.0))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"theorem": "no-such"}, "theorem must be the name of an algorithm or of a theorem"),
        ({"theorem": "ada-ucb"}, r"did you mean .*adap-ucb.*\? theorem must be"),
        ({"budgets": []}, "budgets must be"),
        ({"theorem": "adap-ucb"}, r"budgets must be budgets of adap-ucb, for example \[Budget.pure\(epsilon\)\]"),
        (
            {"make_policies": lambda arms, horizon: None},
            r"make_policies must be a function of \(arms, budget, horizon, noise, generator, replications\), got",
        ),
    ],
)
def test_bad_input_names_the_parameter_and_what_it_takes(wrong, told):
    with pytest.raises(InvalidInput, match=told):
        check_theorem(**{"make_policies": roster("ucb"), "theorem": "ucb", **wrong})


def test_an_algorithm_may_be_named_as_its_bounds_name_it_and_a_near_miss_is_guessed():
    assert _title_and_source("AdaP-UCB") == _title_and_source("adap-ucb") == ("adap-ucb", None)
    with pytest.raises(InvalidInput, match="did you mean adap-ucb "):
        _title_and_source("adapucb")


@pytest.mark.parametrize(("title", "budget"), [("adac-ucb", Budget.zcdp(0.3)), ("adar-ucb", Budget.rdp(2, 0.5))])
def test_a_policy_without_a_beta_is_compared_with_that_of_the_theorem(title, budget):
    """A sound policy of plain objects was accused beside a reference with beta = 1, to which no theorem applies."""
    candidate = Candidate(lambda *given: UCB(given[0], horizon=given[2]), title, None, Notes())
    assert candidate.options(Case("two", ("0.1", "0.9"), budget), 200) == (("beta", 3.1),)


def test_what_all_players_of_other_people_state_is_read():
    players = [type("Own", (), {"beta": 3.5, "name": [1], "level": k})() for k in (1, 2)]
    policy = Adapted(players, 2, lambda p: 0, lambda p, arm, reward: None)
    assert [stated_by(policy, name) for name in ("beta", "name", "level", "none")] == [3.5, None, None, None]
    candidate = Candidate(lambda *given: policy, "adap-ucb", None, Notes())
    assert candidate.options(Case("two", ("0.1", "0.9"), Budget.pure(1.0)), 200) == (("beta", 3.5),)


class Elimination:
    """Successive elimination at the level 1/T^2: thrice the regret of UCB, and less than its theorem grants."""

    def __init__(self, arms, horizon):
        self.union = np.log(2 * arms * horizon**3)
        self.alive, self.place, self.n = [[0.0, a] for a in range(arms)], 0, 0

    def select_arm(self):
        return self.alive[self.place][1]

    def update(self, arm, reward):
        self.alive[self.place][0] += reward
        self.place = (self.place + 1) % len(self.alive)
        if not self.place:
            self.n += 1
            least = max(self.alive)[0] - (2 * self.n * self.union) ** 0.5
            self.alive = [pair for pair in self.alive if pair[0] >= least]


def test_a_regret_that_the_theorem_grants_is_no_violation():
    def make(arms, budget, horizon, noise, generator, replications):
        return Elimination(arms, horizon)

    only = {"two arms": ("0.1", "0.9")}
    report = check_theorem(make, "ucb", instances=only, horizons=(200, 2000), seconds=30)
    assert report.verdict != "violation", report
    assert any("which the theorem does not ask for" in note for note in report.notes)
