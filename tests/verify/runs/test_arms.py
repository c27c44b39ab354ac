"""Noise inside of a decision: what it costs by the arms alone, and what fresh runs show of it."""

from math import exp, inf

import numpy as np
import pytest

from banditproof.theory import Budget
from banditproof.verify import check_privacy, replayed
from banditproof.verify.runs.foreign.arms import (
    SIDES,
    ByArms,
    Suspect,
    _Look,
    chance_between,
    chance_that,
    first_change,
)
from banditproof.verify.runs.foreign.check import ForeignCheck
from banditproof.verify.runs.foreign.draws import exchanged, own_generator
from banditproof.verify.runs.foreign.policies import Stage
from banditproof.verify.runs.foreign.solving import Solver

PULLS = 12
REWARDS = (1.0,) * PULLS
NEIGHBOUR = (0.0, *REWARDS[1:])


class Largest:
    """Two arms in turns for eight pulls, then the one whose sum with noise is the largest."""

    def __init__(self, noise):
        self.noise, self.rng = noise, np.random.default_rng()
        self.sums, self.time, self.best = np.zeros(2), 0, 0

    def select_arm(self):
        return self.time % 2 if self.time < 8 else self.best

    def update(self, arm, reward):
        self.time += 1
        if self.time <= 8:
            self.sums[arm] += reward
        if self.time == 8:
            self.best = int(np.argmax(self.sums + self.noise(self.rng)))


NOISE = {
    "laplace": lambda rng: rng.laplace(0, 1.0, 2),
    "exponential": lambda rng: rng.exponential(1.0, 2),
    "gumbel": lambda rng: rng.gumbel(0, 1.0, 2),
    "normal": lambda rng: rng.normal(0, 1.0, 2),
    "small": lambda rng: rng.laplace(0, 0.25, 2),
}


class Twice(Largest):
    """Asks for one sum twice, and the second answer turns an arm in one run of a hundred."""

    def select_arm(self):
        return self.second if self.time >= 10 else super().select_arm()

    def update(self, arm, reward):
        super().update(arm, reward)
        if self.time == 8:
            self.second = int(self.sums[0] + self.noise(self.rng)[0] > 8)


def priced(noise, seeds=12, kind=Largest):
    """The largest price of a reward, and what no draw was seen to hide in all runs."""
    found = []
    with exchanged():
        arms = ByArms(Stage(replayed(lambda: kind(noise))), 1.0001)
        for seed in range(seeds):
            for one, two in ((REWARDS, NEIGHBOUR), (NEIGHBOUR, REWARDS)):
                found.append(arms.price(arms.stage.play(one, seed), seed, two, {}, 0.0)[0])
        return max(found), list(arms.unsettled())


@pytest.mark.parametrize("law", sorted(SIDES))
def test_the_pieces_of_a_law_have_probability_one_in_all(law):
    pieces = [(-inf, 0.3), (0.3, 0.8), (0.8, inf)]
    if law in ("exponential", "uniform"):
        pieces[0] = (0.0, 0.3)
    if law == "uniform":
        pieces[-1] = (0.8, 1 - 2.0**-53)
    assert sum(chance_between(law, *piece) for piece in pieces) == pytest.approx(1)
    assert chance_that(lambda value: value < 0.8, law) == pytest.approx(
        sum(chance_between(law, *p) for p in pieces[:2])
    )


def test_the_chance_of_a_far_tail_is_exact():
    assert chance_between("laplace", 50.0, inf) == pytest.approx(exp(-50) / 2)
    assert chance_that(lambda value: value > 7.5, "laplace", (8.0,)) == pytest.approx(exp(-7.5) / 2)
    assert chance_that(lambda value: False, "normal") == 0


@pytest.mark.one_in(3)
@pytest.mark.parametrize("law", ["laplace", "exponential", "gumbel"])
def test_the_largest_of_noisy_sums_costs_what_its_scale_says(law):
    price, unsettled = priced(NOISE[law])
    assert 0.2 < price <= 1.0001 and not unsettled


@pytest.mark.parametrize("law", ["small", "normal"])
def test_noise_that_is_too_small_or_of_another_law_is_not_cheap(law):
    price, unsettled = priced(NOISE[law], seeds=40)
    assert price > 1.0001 and unsettled and all(worst > 1.0001 for worst, _ in unsettled)


def test_a_second_draw_that_hides_a_part_of_a_reward_is_seen_where_few_runs_show_it():
    assert priced(NOISE["laplace"], 4, Twice)[1]


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_normal_noise_of_a_decision_costs_its_shift(scale):
    with exchanged():
        arms = ByArms(Stage(replayed(lambda: Largest(lambda rng: rng.normal(0, scale, 2)))), 1.0001, normal=True)
        prices = [arms.price(arms.stage.play(REWARDS, seed), seed, NEIGHBOUR, {}, 0.0) for seed in range(6)]
    shown = [price for price, pull in prices if pull >= 0]
    assert shown == pytest.approx([1 / scale] * len(shown)) and shown


class Beside(Largest):
    """The largest of two noisy sums and a raw one."""

    def __init__(self):
        super().__init__(lambda rng: np.append(rng.laplace(0, 1, 2), 0.0))
        self.sums = np.zeros(3)

    def select_arm(self):
        return self.time % 3 if self.time < 8 else self.best


def test_two_draws_that_a_raw_sum_is_compared_with_do_not_hide_it_each_alone():
    rewards = (1.0, 1.0, 0.0) * 4
    with exchanged():
        arms = ByArms(Stage(replayed(Beside)), 1.0001)
        for seed in range(4):
            neighbour = (*rewards[:2], 1.0, *rewards[3:])
            arms.price(arms.stage.play(rewards, seed), seed, neighbour, {}, 0.0)
        assert arms.unsettled()


class Stretches(Largest):
    """A test against a level that is drawn for the stretch, whose length the last test decided."""

    def __init__(self):
        super().__init__(None)
        self.begin(4)

    def begin(self, length):
        self.length, self.time, self.sum, self.level = length, 0, 0.0, length / 2 + self.rng.laplace()

    def select_arm(self):
        return self.length // 3 % 2

    def update(self, arm, reward):
        self.time, self.sum = self.time + 1, self.sum + reward
        if self.time == self.length:
            self.mean = (self.sum + self.rng.laplace()) / self.length
            self.begin(3 if self.sum > self.level else 4)


def test_what_follows_from_decisions_alone_does_not_tell_of_rewards():
    moved, rewards = set(), (0.5,) * PULLS
    with exchanged():
        stage = Stage(replayed(Stretches))
        solver = Solver(stage, Budget.pure(1.0))
        for seed in range(6):
            recorded = solver.recorded(stage.play(rewards, seed), seed)
            for k in range(4):
                moved |= solver.first_effects(recorded, (*rewards[:k], 1.0, *rewards[k + 1 :]))
    assert {"level", "mean"} <= moved and {"level", "mean"} & solver.told == {"mean"}


def test_fresh_runs_refute_what_no_draw_hides_and_nothing_else():
    suspect = Suspect(inf, REWARDS, NEIGHBOUR, 8, 0)
    with exchanged():
        small = ByArms(Stage(replayed(lambda: Largest(NOISE["small"]))), 1.0)
        assert small.stage.fresh(REWARDS, 8, 3)[:2] == (0, 1)
        found = small.refuted([suspect], Budget.pure(1.0), 2.0, 0)
        assert found is not None and "fresh runs" in found[1] and found[0] is suspect
        sound = ByArms(Stage(replayed(lambda: Largest(NOISE["laplace"]))), 1.0)
        assert sound.refuted([suspect], Budget.pure(1.0), 0.5, 0) is None


def test_a_choice_is_found_by_a_uniform_draw_with_its_probabilities():
    weights = [0.2, 0.5, 0.3]

    class Chooses(Largest):
        def select_arm(self):
            return int(self.rng.choice(3, p=weights)) if self.time == 0 else 0

    with exchanged():
        stage = Stage(replayed(lambda: Chooses(NOISE["laplace"])))
        (draw,) = [d for d in stage.play(REWARDS, 0, pulls=1, bare=True).tape.draws if d.pulls == 0]
        shares = [
            chance_that(lambda u, k=k: stage.play(REWARDS, 0, {draw.name: u}, 1, True).actions[0] == k, draw.law)
            for k in range(3)
        ]
    assert draw.law == "uniform" and shares == pytest.approx(weights)


class Repeated:
    """Each decision reads the first reward of its round through randomised response, with arms of its own."""

    def __init__(self, decisions, log_odds):
        self.decisions, self.log_odds = decisions, log_odds
        self.rng, self.rewards = np.random.default_rng(), []

    def select_arm(self):
        round_, decision = divmod(len(self.rewards), self.decisions)
        if round_ == 0:
            return 2 * decision
        read = self.rewards[(round_ - 1) * self.decisions]
        return 2 * decision + int(self.rng.random() < 1 / (1 + exp(-self.log_odds * (read - 0.5))))

    def update(self, arm, reward):
        self.rewards.append(float(reward))


@pytest.mark.parametrize("decisions, log_odds, verdict", [(1, 0.39, "ok"), (2, 0.39, "not"), (3, 0.19, "not")])
def test_decisions_that_read_one_reward_are_not_priced_as_one(decisions, log_odds, verdict, every_point):
    """Each alone costs half of the log odds: the budget holds one, and not two or three."""
    budget = Budget.pure(log_odds / 2 * 1.05)
    report = check_privacy(replayed(lambda: Repeated(decisions, log_odds)), budget, seconds=45 if every_point else 6)
    assert (report.verdict == "ok") == (verdict == "ok"), report


def test_normal_noise_inside_a_decision_has_no_pure_price():
    price, unsettled = priced(lambda rng: rng.normal(0, 8.0, 2), seeds=12)
    assert price == inf and unsettled


class NoiseFirst:
    """Two arms in turns for eight pulls, whose rewards are added to noise that was drawn before, then the best one."""

    def __init__(self):
        self.rng, self.time = np.random.default_rng(), 0
        self.raw, self.sums = np.zeros(2), self.rng.laplace(0, 1.0, 2)

    def select_arm(self):
        return self.time % 2 if self.time < 8 else self.best

    def update(self, arm, reward):
        self.time += 1
        if self.time <= 8:
            self.raw[arm] += reward
            self.sums[arm] += reward
        if self.time == 8:
            self.best = int(np.argmax(self.sums))


class DecidesAgain(NoiseFirst):
    """The same rewards decide once more, with as much noise as the first time."""

    def update(self, arm, reward):
        super().update(arm, reward)
        if self.time == 10:
            self.best = int(np.argmax(self.raw + self.rng.laplace(0, 1.0, 2)))


def test_noise_that_is_drawn_before_the_rewards_hides_them_once():
    once, again = (
        check_privacy(replayed(policy), Budget.pure(1.0), seconds=6) for policy in (NoiseFirst, DecidesAgain)
    )
    assert once.ok and once.spent == pytest.approx(1), once
    assert not again.ok, again


class Shrinking:
    """Two arms in turns for eight pulls, then four of the one with the larger noisy sum; the scale falls as 60/n."""

    def __init__(self):
        self.rng, self.time, self.arm = np.random.default_rng(), 0, 0

    def select_arm(self):
        place = self.time % 12
        if place == 0:
            self.sums = np.zeros(2)
        if place < 8:
            return place // 4
        if place == 8:
            self.noisy = self.sums + self.rng.laplace(0, 2 * min(1.0, 30 / self.time), 2)
            self.arm = int(np.argmax(self.noisy))
        return self.arm

    def update(self, arm, reward):
        if self.time % 12 < 8:
            self.sums[arm] += reward
        self.time += 1


def test_a_horizon_that_is_asked_for_is_replayed_as_far_as_the_time_allows():
    late = check_privacy(replayed(Shrinking), Budget.pure(1.0), seconds=60, horizon=200)
    assert late.verdict == "violation" and late.longest > 60
    soon = check_privacy(replayed(Shrinking), Budget.pure(1.0), seconds=3, horizon=100_000)
    assert not soon.ok
    assert soon.verdict == "violation" or any("of 100000 pulls" in said for said in soon.missing)


def test_what_is_said_of_an_arm_names_ranges_of_pulls():
    assert _Look((3,), 0.0).said({(4,), (5,), (6,), (9,)}) == "arm 0 is pulled 4 to 6 or 9 times from pull 3 on"
    coarse = _Look((0,), 1.0, 10)
    assert coarse((1.0,) * 37 + (0.0,)) == (3,)
    assert coarse.said({(3,), (4,), (7,)}) == "arm 1 is pulled 30 to 49 or 70 to 79 times from pull 0 on"


class EveryPull:
    """The exponential mechanism at every pull, on the sums of all rewards."""

    def __init__(self, epsilon):
        self.epsilon, self.rng, self.sums = epsilon, np.random.default_rng(), np.zeros(2)

    def select_arm(self):
        return int(np.argmax(self.epsilon * self.sums / 2 + self.rng.gumbel(size=2)))

    def update(self, arm, reward):
        self.sums[arm] += reward


def test_a_reward_that_shows_at_every_pull_is_found_on_equal_rewards(every_point):
    rewards = (1.0, 1.0, 0.0, 1.0) * 8
    suspect = Suspect(inf, rewards, (0.0, *rewards[1:]), 1, 0)
    for epsilon, found in ((1.0, True), *[(0.02, False)] * every_point):
        check = ForeignCheck(replayed(lambda epsilon=epsilon: EveryPull(epsilon)), Budget.pure(1.0), 6.0, 0, 64)
        check.suspects.append(suspect)
        with exchanged():
            flat = check._alone_in_its_list([suspect])
            assert {one.rewards[0] for one in flat} == {0.0, 1.0}
            violations = check._often()
        assert bool(violations) == found


class Redrawn:
    """Two arms in turns for eight pulls, then the arm with the larger noisy sum, drawn so many times, for eight pulls
    each time; then all anew."""

    def __init__(self, draws, epsilon):
        self.draws, self.epsilon, self.rng = draws, epsilon, np.random.default_rng()
        self.begin()

    def begin(self):
        self.sums, self.time, self.best = np.zeros(2), 0, 0

    def select_arm(self):
        if self.time >= 8 and self.time % 8 == 0:
            self.best = int(np.argmax(self.epsilon * self.sums / 2 + self.rng.gumbel(size=2)))
        return self.best if self.time >= 8 else self.time % 2

    def update(self, arm, reward):
        self.sums[arm] += reward * (self.time < 8)
        self.time += 1
        if self.time == 8 * (1 + self.draws):
            self.begin()


@pytest.mark.parametrize(("draws", "ok"), [(8, False), (1, True)])
def test_arms_that_tell_a_reward_again_and_again_are_not_ok(draws, ok):
    """Each draw keeps the budget, and their sum does not: that was ok, for only the first one was priced."""
    report = check_privacy(replayed(lambda: Redrawn(draws, 1.0)), Budget.pure(1.0))
    assert report.ok == ok, report


def simulation():
    """Two arms in turns, then the one whose sum with noise is the larger, with rewards of its own."""
    rng, sums, played = np.random.default_rng(), np.zeros(2), []
    for time in range(16):
        played.append(time % 2 if time < 8 else int(np.argmax(sums + rng.laplace(0, 1.0, 2))))
        sums[played[-1]] += rng.binomial(1, 0.5)
    return played


def test_a_simulation_which_makes_its_own_rewards_has_no_fresh_runs():
    check = ForeignCheck(replayed(simulation, rewards_at="binomial"), Budget.pure(1.0), 6.0, 0, 16)
    check.suspects.append(Suspect(inf, REWARDS, NEIGHBOUR, 1, 8))
    with exchanged():
        assert not check._often()


@pytest.mark.parametrize("looks", [1, 2])
def test_what_a_simulation_decides_by_noise_has_a_price(looks):
    """Each look at the sums keeps the budget, and two do not."""

    def simulation():
        rng, sums, played, best = np.random.default_rng(), np.zeros(2), [], 0
        for time in range(12):
            best = int(np.argmax(sums + rng.gumbel(0, 1.0, 2))) if time in (8, 10)[:looks] else best
            played.append(time % 2 if time < 8 else best)
            sums[played[-1]] += rng.binomial(1, 0.5) if time < 8 else 0
        return played

    report = check_privacy(replayed(simulation, rewards_at="binomial"), Budget.pure(1.0))
    assert report.ok == (looks == 1), report


def test_the_first_change_of_equal_lists_is_behind_their_end():
    """A policy that all runs share was a suspect on its own list, and the check ended with StopIteration."""
    assert [first_change((1.0, 0.0), other) for other in ((1.0, 1.0), (0.0, 0.0), (1.0, 0.0))] == [1, 0, 2]


class Elimination:
    """Three arms in rounds that double; the mean of a round gets normal noise, and worse arms are dropped by them."""

    def __init__(self, arms=3, sigma=2.24):
        self.rng, self.sigma, self.active, self.means = np.random.default_rng(), sigma, [*range(arms)], np.zeros(arms)
        self.length, self.place, self.total, self.pulls = 1, 0, 0.0, 0

    def select_arm(self):
        return self.active[self.place]

    def update(self, arm, reward):
        self.total, self.pulls = self.total + reward, self.pulls + 1
        if self.pulls < self.length:
            return
        self.means[arm] = (self.total + self.rng.normal(0, self.sigma)) / self.length
        self.total, self.pulls, self.place = 0.0, 0, self.place + 1
        if self.place == len(self.active):
            width, best = 24 / self.length, max(self.means[a] for a in self.active)
            self.active = [a for a in self.active if self.means[a] + width >= best - width]
            self.place, self.length = 0, self.length * 2


def test_normal_noise_on_kept_numbers_keeps_no_pure_budget_though_no_arm_parts():
    """It was "ok, covers only its arms" with zCDP noise sold as pure: no reward had turned an arm in the runs."""
    report = check_privacy(replayed(Elimination), Budget.pure(0.1), seconds=3)
    assert report.verdict == "violation" and "no scale of normal noise fits a pure budget" in str(report)


class Patience:
    """Leaves an arm once its losses, with noise of their own at every second pull, are above a noisy threshold."""

    def __init__(self, test=4.0, anew=True):
        self.rng, self.arm, self.test, self.anew = np.random.default_rng(), 0, test, anew
        self.draw()
        self.lost, self.time = 0.0, 0

    def draw(self):
        self.threshold = 2 + self.rng.laplace(0, 2.0)

    def select_arm(self):
        return self.arm

    def update(self, arm, reward):
        self.lost, self.time = self.lost + 1 - reward, self.time + 1
        if self.time % 2 == 0 and self.lost + self.rng.laplace(0, self.test) > self.threshold:
            self.arm, self.lost = 1 - self.arm, 0.0
            if self.anew:
                self.draw()


class Winners:
    """Rounds of four pulls; the arm with the largest noisy sum wins one, and the one with most wins is played next."""

    def __init__(self, width=2.0):
        self.rng, self.width, self.time = np.random.default_rng(), width, 0
        self.wins, self.sums = np.zeros(2), np.zeros(2)

    def select_arm(self):
        return self.time % 2 if self.time % 6 < 4 else int(np.argmax(self.wins))

    def update(self, arm, reward):
        self.sums[arm] += reward
        self.time += 1
        if self.time % 6 == 4:
            self.wins[int(np.argmax(self.sums + self.rng.exponential(self.width, 2)))] += 1
        if self.time % 6 in (0, 4):
            self.sums[:] = 0


class Bits:
    """Each reward as a bit, kept with probability e/(1 + e) or so; the function that makes the class has the counts."""

    def __new__(cls, keep=0.731):
        rng, ones = np.random.default_rng(), [0.5, 0.5]

        class Counting:
            def select_arm(self):
                return int(ones[1] > ones[0])

            def update(self, arm, reward):
                bit = rng.random() < reward
                ones[arm] += (2 * bit - 1) * (1 if rng.random() < keep else -1)

        return Counting()


@pytest.mark.parametrize(
    "kind, settled",
    [
        (Patience, True),
        (lambda: Patience(test=1.0), False),
        (lambda: Patience(anew=False), False),
        (Winners, True),
        (lambda: Winners(0.7), False),
        (Bits, True),
        (lambda: Bits(0.8), False),
    ],
    ids=["sparse vector", "loud tests", "one threshold", "winners", "loud sums", "bits", "true bits"],
)
def test_rewards_are_hidden_by_a_shifted_threshold_a_winner_that_is_kept_or_a_coin(kind, settled):
    generator = own_generator(0)
    with exchanged():
        arms = ByArms(Stage(replayed(kind)), 1.0001)
        for seed in range(16):
            rewards = tuple(generator.integers(2, size=PULLS).astype(float).tolist())
            time = int(generator.integers(6))
            neighbour = (*rewards[:time], float(rewards[time] < 0.5), *rewards[time + 1 :])
            arms.price(arms.stage.play(rewards, seed), seed, neighbour, {}, 0.0)
        unsettled = arms.unsettled(arms.stage.meter.seconds() + 8)
    assert (not unsettled) == settled
    assert not settled or 0.4 < arms.dearest <= 1.0001
