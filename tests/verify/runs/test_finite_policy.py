"""Policies in Python as automata: their privacy over every horizon, and what does not close."""

from math import exp, log

import numpy as np
import pytest

from banditproof.algorithms import Policy
from banditproof.theory import Budget, InvalidInput
from banditproof.verify import finite_kernel, finite_policy, largest_ratio_over, verify_every_horizon

SPAN = np.array([0]), np.array([1])


class Responses(Policy):
    """Pulls the arm whose number was last answered; it asks for every reward through randomised response."""

    def __init__(self, noise, ratio=2.0, raw=False, clock=False):
        super().__init__(2)
        self.noise, self.budget, self.raw, self.arm = noise, Budget.pure(log(ratio)), raw, 0
        self.clock = 0 if clock else None

    def next_batch(self):
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        answer = self.noise.randomised_response(total.astype(int), categories=2, budget=self.budget, records=SPAN)
        self.arm = int(total[0]) if self.raw else int(answer[0])
        if self.clock is not None:
            self.clock += 1


class Remembers(Responses):
    """Pulls the arm that was answered in both of the last rounds, else the other one: answers stay hidden for long."""

    def __init__(self, noise, ratio=2.0):
        super().__init__(noise, ratio)
        self.answers = (0, 0)

    def next_batch(self):
        return np.array([int(self.answers == (1, 1))]), np.array([1])

    def observe(self, total, count, arm=None):
        answer = self.noise.randomised_response(total.astype(int), categories=2, budget=self.budget, records=SPAN)
        self.answers = (self.answers[1], int(answer[0]))


class Commits(Policy):
    """Pulls both arms `pulls` times in turn, then for ever what the exponential mechanism names."""

    def __init__(self, noise, pulls=3, epsilon=1.0):
        super().__init__(2)
        self.noise, self.left, self.budget = noise, 2 * pulls, Budget.pure(epsilon)
        self.ahead, self.best = 0.0, None

    def next_batch(self):
        if not self.left and self.best is None:
            scores = np.array([[self.ahead, 0.0]])
            self.best = int(
                self.noise.exponential_mechanism(scores, sensitivity=1.0, budget=self.budget, records=SPAN)[0]
            )
            self.ahead = 0.0
        return np.array([self.left % 2 if self.left else self.best]), np.array([1])

    def observe(self, total, count, arm=None):
        if self.left:
            self.ahead += float(total[0]) * (1 if self.left % 2 == 0 else -1)
            self.left -= 1


class Three(Policy):
    """Leaves an arm that fails for the next one, as randomised response over three categories says."""

    def __init__(self, noise):
        super().__init__(3)
        self.noise, self.arm = noise, 0

    def next_batch(self):
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        wanted = np.array([self.arm if total[0] else (self.arm + 1) % 3])
        answer = self.noise.randomised_response(wanted, categories=3, budget=Budget.pure(log(3)), records=SPAN)
        self.arm = int(answer[0])


PRIVATE = {
    "responses": (lambda noise, generator: Responses(noise), 2.0),
    "responses of 5": (lambda noise, generator: Responses(noise, 5.0), 5.0),
    "remembers": (lambda noise, generator: Remembers(noise), 2.0),
    "commits": (lambda noise, generator: Commits(noise), exp(1)),
    "three": (lambda noise, generator: Three(noise), 3.0),
}


@pytest.mark.parametrize("name", [name for name in PRIVATE if name != "remembers"])
def test_a_policy_is_private_for_every_horizon_within_its_budget(name):
    make_policy, ratio = PRIVATE[name]
    verdict = verify_every_horizon(finite_policy(make_policy), "view")
    assert verdict.recheck() and 1 < float(verdict.ratio) <= ratio * (1 + 1e-12)
    if name != "commits":
        assert float(verdict.ratio) == pytest.approx(ratio, rel=1e-12)


@pytest.mark.parametrize("name", [name for name in PRIVATE if name != "remembers"])
def test_the_automaton_is_the_kernel_of_the_policy(name):
    make_policy, _ = PRIVATE[name]
    automaton, kernel = finite_policy(make_policy), finite_kernel(make_policy, 4)
    mine = automaton.kernel(4)
    for history in kernel.histories():
        if all(kernel.probability(history[:t])[arm] for t, (arm, _) in enumerate(history)):
            rows = zip(mine.probability(history), kernel.probability(history), strict=True)
            assert all(abs(p - q) < 1e-12 for p, q in rows)


def test_raw_rewards_have_no_epsilon_and_a_word_says_so():
    automaton = finite_policy(lambda noise, generator: Responses(noise, raw=True))
    verdict = verify_every_horizon(automaton, "view")
    assert automaton.states == 2 and verdict.ratio == np.inf and verdict.recheck()
    assert len(verdict.word) == 2 and largest_ratio_over(automaton, 2, "view") == np.inf


def test_what_hides_its_answers_for_ever_does_not_close():
    """What the arms say about hidden answers is another number in every round."""
    with pytest.raises(InvalidInput, match="^make_policy must be one whose states repeat"):
        finite_policy(PRIVATE["remembers"][0])


def test_a_clock_never_repeats_and_a_key_leaves_it_out():
    def make_policy(noise, generator):
        return Responses(noise, clock=True)

    with pytest.raises(InvalidInput, match="^make_policy must be one whose states repeat: without a key"):
        finite_policy(make_policy)
    automaton = finite_policy(make_policy, key=lambda policy: policy.arm)
    assert float(verify_every_horizon(automaton, "view").ratio) == pytest.approx(2, rel=1e-12)


def test_a_key_that_forgets_too_much_is_refused():
    with pytest.raises(InvalidInput, match="^key must be a function with different values for states"):
        finite_policy(lambda noise, generator: Responses(noise), key=lambda policy: 0)
    with pytest.raises(InvalidInput, match="^key must be a function whose value can be compared"):
        finite_policy(lambda noise, generator: Responses(noise), key=lambda policy: [policy.arm])


class Batches(Responses):
    def next_batch(self):
        return np.array([0]), np.array([2])


class Laplace(Responses):
    def observe(self, total, count, arm=None):
        self.noise.laplace(total, sensitivity=1.0, budget=self.budget, records=SPAN)


class Coins(Responses):
    def __init__(self, noise, generator):
        super().__init__(noise)
        self.generator = generator

    def observe(self, total, count, arm=None):
        self.arm = int(self.generator.integers(2))


class Holds(Responses):
    def __init__(self, noise):
        super().__init__(noise)
        self.unpicklable = lambda: None


@pytest.mark.parametrize(
    ("make_policy", "message"),
    [
        (lambda noise, generator: Batches(noise), "^batch must be one pull"),
        (lambda noise, generator: Laplace(noise), "^mechanism must be one with finitely many answers"),
        (Coins, "^make_policy must be a function whose policy draws random numbers for releases only"),
        (lambda noise, generator: Holds(noise), "^key must be given for a policy that cannot be pickled"),
        (lambda noise, generator: 7, "^make_policy must be"),
    ],
)
def test_what_is_no_finite_policy_is_refused_with_a_sentence(make_policy, message):
    with pytest.raises(InvalidInput, match=message):
        finite_policy(make_policy)
