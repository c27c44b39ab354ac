"""Numbers that a policy keeps where it has no attributes for them: in generators, closures, slots and records."""

from functools import partial

import numpy as np
import pytest

from banditproof.theory import Budget
from banditproof.verify import check_privacy, replayed
from banditproof.verify.runs.foreign.check import ForeignCheck
from banditproof.verify.runs.foreign.draws import exchanged
from banditproof.verify.states import attributes, enter


def body(rng, scale):
    means, arm, total = [1.0, 1.0], 0, 0.0
    while True:
        for _ in range(4):
            total += yield arm
        noisy = total + rng.laplace(0, scale)
        means[arm], total = noisy / 4, 0.0
        arm = means.index(max(means))


class Coroutine:
    def __init__(self, scale):
        self.body = body(np.random.default_rng(), scale)
        self.arm = next(self.body)

    def select_arm(self):
        return self.arm

    def update(self, arm, reward):
        self.arm = self.body.send(reward)


class Slots:
    __slots__ = ("batch", "means", "rng", "scale")

    def __init__(self, scale):
        self.rng, self.scale, self.batch, self.means = np.random.default_rng(), scale, [], [1.0, 1.0]

    def select_arm(self):
        return self.means.index(max(self.means))

    def update(self, arm, reward):
        self.batch.append(reward)
        if len(self.batch) == 4:
            self.means[arm], self.batch = (sum(self.batch) + self.rng.laplace(0, self.scale)) / 4, []


class Closure:
    def __init__(self, scale):
        rng, table, batch = np.random.default_rng(), np.ones(2, dtype=[("mean", "f8"), ("pulls", "i8")]), []

        def hear(arm, reward):
            batch.append(reward)
            if len(batch) == 4:
                table[arm]["mean"] = (sum(batch) + rng.laplace(0, scale)) / 4
                batch.clear()

        self.select_arm, self.update = (lambda: int(table["mean"].argmax())), hear


def held(policy):
    state = {}
    enter(attributes(policy), "", state, 0, {id(policy)})
    return state


def test_the_numbers_of_generators_closures_slots_and_records_are_entered_once():
    coroutine, slots, closure = Coroutine(1.0), Slots(1.0), Closure(1.0)
    for reward in (0.0, 1.0, 0.5, 0.0, 1.0):
        for policy in (coroutine, slots, closure):
            policy.update(0, reward)
    assert held(coroutine)["body.total"] == 1.0 and held(coroutine)["body.means[1]"] == 1.0
    assert "body.noisy" not in held(coroutine), "it is assigned anew before it is read"
    assert held(slots)["batch[0]"] == 1.0
    assert held(closure)["select_arm.table.mean[1]"] == 1.0 and held(closure)["update.batch[0]"] == 1.0


def test_slots_are_named_as_their_objects_have_them():
    class Base:
        __slots__ = "shown"

    class Hidden(Base):
        __slots__ = ("__own", "unset")

        def __init__(self):
            self.shown, self.__own = 1, 2

    assert held(Hidden()) == {"_Hidden__own": 2.0, "shown": 1.0}


def test_bound_methods_and_partial_calls_are_followed_and_end():
    class Knot:
        def __init__(self):
            self.count, self.again = 3, self.hear
            self.later = partial(self.hear, 2.5)

        def hear(self, reward):
            return reward

    assert held(Knot()) == {"count": 3.0, "len(later.args)": 1.0, "later.args[0]": 2.5}


@pytest.mark.parametrize("kind", [Coroutine, Slots, Closure])
def test_the_budget_is_checked_wherever_the_numbers_are(kind):
    sound = ForeignCheck(replayed(partial(kind, 1.0)), Budget.pure(1.0), 0.9, 0, 24)
    sound.pulls = 24
    with exchanged():
        assert not sound._list(0, 1.0) and sound.released > 0 and not sound.missing
    assert check_privacy(replayed(partial(kind, 0.5)), Budget.pure(1.0), seconds=0.9).verdict == "violation"


def test_room_for_later_is_not_entered():
    values, owner = np.zeros((2, 4096)), np.full(4096, -1)
    values[1, 2], owner[3] = 0.5, 1
    state = {}
    enter({"values": values, "owner": owner, "few": np.zeros(100)}, "", state, 0)
    assert state["values[1,2]"] == 0.5 and state["values[0,2]"] == 0 and state["owner[3]"] == 1
    assert {"owner[60]", "values[0,60]", "few[99]"} <= state.keys() and len(state) == 2 * (3 + 64) + (4 + 64) + 100


def test_whole_numbers_that_are_no_floats_are_entered_in_pieces():
    history, state = 2**2000 + 5, {}
    enter({"word": history, "words": [history, 1], "pair": [(history, 2)], "small": 2**1000}, "", state, 0)
    assert state["word>>0"] == 5.0 == state["words[0]>>0"] == state["pair[0][0]>>0"] and state["words[1]"] == 1.0
    assert sum(int(state[f"word>>{k}"]) << k for k in range(0, 2001, 53)) == history
    assert state["small"] == 2.0**1000 and "word" not in state


class Word(Slots):
    """Keeps all rewards in the bits of one number, and decides by noisy sums."""

    def __init__(self, scale):
        super().__init__(scale)
        self.word = 1

    def update(self, arm, reward):
        self.word = self.word << 64 | int(reward * 2**60)
        super().update(arm, reward)


def test_a_history_in_bits_is_no_error():
    assert check_privacy(replayed(partial(Word, 1.0)), Budget.pure(1.0), seconds=0.9).verdict != "violation"
    assert check_privacy(replayed(partial(Word, 0.5)), Budget.pure(1.0), seconds=0.9).verdict == "violation"
