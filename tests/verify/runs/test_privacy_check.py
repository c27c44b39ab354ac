"""The privacy check names what breaks a promise, shows it on short lists, and says when it has seen too little."""

import importlib
import inspect
import random
import re
from types import MethodType

import numpy as np
import pytest

from banditproof.algorithms import DPIMED, GeometricBatches, NoiseSource, Policy
from banditproof.algorithms.noise import Mechanism
from banditproof.algorithms.registration import Setting
from banditproof.algorithms.roster import algorithm
from banditproof.theory import Budget, InvalidInput
from banditproof.verify import PLANTED, check_privacy, plant
from banditproof.verify.own_code import OwnCode
from banditproof.verify.runs.journal import Journal, first_difference
from banditproof.verify.runs.ledger import Violation
from banditproof.verify.runs.report import PrivacyReport
from banditproof.verify.testing.adapters import Adapted

ONE = Budget.pure(1.0)


def dp_imed(noise, generator):
    return DPIMED(3, ONE, GeometricBatches(2), noise, generator=generator)


class Episodes(Policy):
    """Two arms in episodes of four pulls; the arm with the larger last released sum is played."""

    length = 4

    def __init__(self, noise, generator):
        super().__init__(2)
        self.noise, self.generator = noise, generator
        self.clock, self.released, self.told = 0, np.zeros(2), []

    def next_batch(self):
        turn = self.clock // self.length
        arm = turn if turn < 2 else int(np.argmax(self.released))
        return np.array([arm]), np.array([self.length - self.clock % self.length])

    def observe(self, total, count, arm=None):
        start, self.clock = self.clock, self.clock + int(count[0])
        spans = np.array([start]), np.array([self.clock])
        played = int(arm[0]) if arm is not None else int(self.next_arm(start))
        self.released[played] = self.release(total, spans)

    def next_arm(self, start):
        return start // self.length if start < 2 * self.length else np.argmax(self.released)

    def release(self, total, spans):
        return self.noise.laplace(total, sensitivity=1.0, budget=ONE, records=spans)[0]


def test_a_sound_policy_is_ok_and_the_report_says_how_much_was_tried():
    report = check_privacy(Episodes, ONE, seconds=1.0, horizon=100)
    assert report.verdict == "ok" and report.ok and not report.violations and not report.missing
    assert report.spent == pytest.approx(1.0) and report.decisions >= 20 and report.longest == 100
    assert "nothing found" in str(report) and "decisions after a release" in str(report)


def printed_call(report):
    """The Python that a report ends with, as a function of the policy's maker, or None."""
    _, said, code = str(report).partition("\nseen: ")[0].partition("again: ")

    def pasted(make_policy):
        printed = []
        exec(code, {"make_policy": make_policy, "print": printed.append})
        return printed[0]

    return pasted if said else None


@pytest.mark.one_in(8)
@pytest.mark.parametrize("bug", PLANTED)
@pytest.mark.parametrize("make", [dp_imed, Episodes])
def test_every_planted_bug_is_found_and_shown_again_by_the_printed_line(bug, make):
    make_policy = plant(PLANTED[bug], make)
    report = check_privacy(make_policy, ONE, seconds=4.0)
    assert report.verdict == "violation" and "= 0 of" not in str(report)
    shown_again = printed_call(report)
    if shown_again:
        first, again = report.violations[0], shown_again(make_policy).violations[0]
        assert (again.cause, again.line, again.reason) == (first.cause, first.line, first.reason)
        assert first.cause in str(shown_again(make_policy)) and "# make_policy is the " in str(report)
    assert shown_again or report.violations[0].cause in ("noise", "noise reused")


class Changed(Episodes):
    """What the bugs below have in common: one method is another one."""


def variant(**methods):
    return type("Variant", (Changed,), methods)


def own_generator(self, total, spans):
    return total[0] + np.random.default_rng().laplace()


def global_generator(self, total, spans):
    return total[0] + np.random.laplace()  # noqa: NPY002 - the bug


def coins_as_noise(self, total, spans):
    return total[0] + self.generator.laplace()


def nothing_released(self, total, spans):
    return self.noise.laplace(np.zeros(1), sensitivity=1.0, budget=ONE, records=spans)[0] + total[0]


def gaussian(self, total, spans):
    return self.noise.gaussian(total, sensitivity=1.0, budget=Budget.zcdp(0.5), records=spans)[0]


def silent_records(self, total, spans):
    return self.noise.laplace(total, sensitivity=1.0, budget=ONE)[0]


def all_so_far(self, total, spans):
    self.told.append(total[0])
    value = np.array([sum(self.told)])
    return self.noise.laplace(value, sensitivity=1.0, budget=ONE, records=(0 * spans[0], spans[1]))[0]


def by_rewards(self, total, spans):
    return self.noise.laplace(total, sensitivity=1.0 + total[0], budget=ONE, records=spans)[0]


@pytest.mark.parametrize(
    ("release", "cause"),
    [
        (own_generator, "outside randomness"),
        (global_generator, "outside randomness"),
        (coins_as_noise, "noise"),
        (nothing_released, "noise"),
        (gaussian, "mechanism"),
        (all_so_far, "budget"),
        (by_rewards, "declaration"),
    ],
)
def test_the_cause_and_the_line_are_named(release, cause):
    report = check_privacy(variant(release=release), ONE, seconds=3.0)
    assert report.violations and report.violations[0].cause == cause, report
    assert "test_privacy_check.py:" in str(report)


def test_the_lists_are_short():
    violation = check_privacy(variant(release=lambda self, total, spans: total[0]), ONE, seconds=3.0).violations[0]
    assert len(violation.rewards) <= 4 * Episodes.length + 1 and sum(map(bool, violation.rewards)) <= 4
    assert "next_batch" in violation.line


def test_global_generators_are_put_back():
    np.random.seed(5)  # noqa: NPY002 - what a user's test may do
    random.seed(5)
    before = np.random.get_state()[1].tobytes(), random.getstate()  # noqa: NPY002
    check_privacy(Episodes, ONE, seconds=0.2)
    assert (np.random.get_state()[1].tobytes(), random.getstate()) == before  # noqa: NPY002


def test_noise_of_another_law_is_seen():
    def halved(noise, generator):
        noise.draw = MethodType(lambda self, *args: NoiseSource.draw(self, *args) / 2, noise)
        return Episodes(noise, generator)

    report = check_privacy(halved, ONE, seconds=20.0)
    assert report.violations[0].cause == "noise" and " times as wide as declared" in report.violations[0].reason


def test_the_same_noise_in_runs_of_other_seeds_is_seen():
    def seeded(noise, generator):
        noise.generator = np.random.default_rng(0)
        return Episodes(noise, generator)

    assert check_privacy(seeded, ONE, seconds=5.0).violations[0].cause == "noise reused"


def test_a_noise_source_of_its_own_is_recorded_as_well():
    def own(noise, coins):
        return Episodes(NoiseSource(coins), coins)

    def seeded(noise, coins):
        return Episodes(NoiseSource(np.random.default_rng(0)), coins)

    report = check_privacy(own, ONE, seconds=2.0, horizon=100)
    assert report.verdict == "ok" and report.releases
    assert check_privacy(seeded, ONE, seconds=5.0).violations[0].cause == "noise reused"


class PeeksWhenOverruled(Episodes):
    def observe(self, total, count, arm=None):
        super().observe(total, count, arm)
        if arm is not None:
            self.released[int(arm[0])] = total[0]


def test_a_leak_through_arms_that_somebody_else_plays_is_seen():
    report = check_privacy(PeeksWhenOverruled, ONE, seconds=4.0)
    assert report.verdict == "violation" and "overruled=True" in str(report)


class PeeksWhenSure(Episodes):
    """Two releases so far apart as nobody ever saw let the raw sums decide."""

    def __init__(self, noise, generator):
        super().__init__(noise, generator)
        self.raw = np.zeros(2)

    def observe(self, total, count, arm=None):
        super().observe(total, count, arm)
        self.raw[int(arm[0]) if arm is not None else 0] += total[0]

    def next_batch(self):
        arm, count = super().next_batch()
        sure = self.clock >= 2 * self.length and abs(self.released[0] - self.released[1]) > 60
        return (np.array([int(self.raw[0] > 1)]) if sure else arm), count


def test_a_leak_where_noise_is_far_out_is_seen_unless_the_budget_has_a_probability_of_failure():
    """Two Laplace draws are 60 scales apart with probability below 1e-24, well within this delta.

    Without far noise that way of the conditional expression is never gone, which is said.
    """
    report = check_privacy(PeeksWhenSure, ONE, seconds=8.0, horizon=200)
    assert report.verdict == "violation" and report.far and "far=True" in str(report)
    allowed = check_privacy(PeeksWhenSure, Budget.approximate(1.0, 1e-9), seconds=1.0, horizon=100)
    assert allowed.verdict == "inconclusive" and "never ran: `np.array([int(self.raw[0] > 1)])`" in str(allowed)


class ReusesNoise(Episodes):
    """The noise of an arm's first release is added to all its later sums, which are not released."""

    def __init__(self, noise, generator):
        super().__init__(noise, generator)
        self.kept = {}

    def observe(self, total, count, arm=None):
        start, self.clock = self.clock, self.clock + int(count[0])
        played = int(arm[0]) if arm is not None else int(self.next_arm(start))
        if played not in self.kept:
            self.kept[played] = self.release(total, (np.array([start]), np.array([self.clock]))) - total[0]
        self.released[played] = total[0] + self.kept[played]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(4))
def test_what_only_a_replay_shows_is_shown_again_by_the_printed_line(seed):
    report = check_privacy(ReusesNoise, ONE, seconds=3.0, seed=seed)
    replayed = printed_call(report)(ReusesNoise)
    assert replayed.violations and replayed.violations[0].cause == report.violations[0].cause == "raw rewards"
    assert report.violations[0].rewards == replayed.violations[0].rewards


def test_coins_of_a_sampling_policy_are_not_taken_for_its_noise():
    class Sampling(Episodes):
        def next_batch(self):
            arm, count = super().next_batch()
            peeks = self.told and self.told[-1] > 2
            return (np.array([0]) if peeks else np.argmax(self.released + self.generator.normal(size=2))[None]), count

        def observe(self, total, count, arm=None):
            super().observe(total, count, arm)
            self.told.append(total[0])

    violation = check_privacy(Sampling, ONE, seconds=4.0).violations[0]
    assert violation.cause == "raw rewards" and "by hand" not in violation.reason


def test_a_way_of_a_conditional_expression_that_was_never_gone_is_inconclusive():
    def late(self, total, spans):
        return total[0] if spans[0][0] > 10**6 else Episodes.release(self, total, spans)

    report = check_privacy(variant(release=late), ONE, seconds=1.0)
    assert report.verdict == "inconclusive" and "never ran: `total[0]` in test_privacy_check.py:" in str(report)


def test_a_horizon_that_is_out_of_reach_is_said():
    report = check_privacy(Episodes, ONE, seconds=0.5, horizon=10**6)
    assert report.verdict == "inconclusive" and " of 1000000 pulls (give about " in str(report)


def test_what_is_not_a_number_is_named_as_such():
    def nothing(self, total, spans):
        return self.noise.laplace(total * np.nan, sensitivity=1.0, budget=ONE, records=spans)[0]

    assert check_privacy(variant(release=nothing), ONE, seconds=1.0).violations[0].cause == "not finite"


class Numbers(Episodes):
    def next_batch(self):
        return 0, 4


@pytest.mark.parametrize(
    ("make_policy", "budget", "named"),
    [
        (Episodes, 1.0, "budget must be a Budget"),
        (lambda noise, generator: None, ONE, "make_policy must be a function that returns a Policy"),
        (Episodes(None, None), ONE, r"make_policy must be a function of \(noise, generator\)"),
        (lambda: Episodes(None, None), ONE, r"a function of \(noise, generator\), .* or a Replayed, .*got"),
        (lambda noise, generator: object(), ONE, r"checked by replayed\(make\) of .*; select_update and other"),
        (Numbers, ONE, "next_batch must be two integer arrays"),
    ],
)
def test_ordinary_mistakes_are_named(make_policy, budget, named):
    with pytest.raises(InvalidInput, match=named):
        check_privacy(make_policy, budget)


class Fragile(Episodes):
    def observe(self, total, count, arm=None):
        super().observe(total, count, arm)
        if abs(self.released).max() > 1000:
            raise OverflowError("too far out")


def test_a_policy_that_raises_where_noise_is_far_out_is_still_checked():
    report = check_privacy(Fragile, ONE, seconds=4.0, horizon=100)
    assert report.verdict == "ok" and "raises an exception when the noise is far out" in str(report)


class PeeksLate(Episodes):
    def next_batch(self):
        if self.clock == 10**7:
            return np.array([int(sum(self.told))]), np.array([1])
        return super().next_batch()


class Loud(Episodes):
    def observe(self, total, count, arm=None):
        super().observe(total, count, arm)
        if total[0] > count[0]:
            self.released[0] = total[0]


class Undecided(Episodes):
    length = 50


class Silent(Episodes):
    def observe(self, total, count, arm=None):
        self.clock += int(count[0])


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("make_policy", "options", "said"),
    [
        (PeeksLate, {}, "never ran"),
        (Loud, {}, "outside [0, 1]"),
        (Silent, {}, "nothing was released"),
        (Undecided, {"horizon": 50}, "decisions were made after a release"),
        (variant(release=silent_records), {}, "name no records"),
    ],
)
def test_too_little_is_inconclusive_and_says_why(make_policy, options, said):
    report = check_privacy(make_policy, ONE, seconds=0.7, **options)
    assert report.verdict == "inconclusive" and not report.ok and said in str(report), report
    assert all("(" in reason for reason in report.missing), "what would settle it is said"


def test_successive_elimination_needs_its_horizon():
    def make(noise, generator, horizon=60):
        return algorithm("dp-se").build(Recorded(2, horizon, ONE, generator, 1, noise), beta=0.9)

    assert check_privacy(make, ONE, seconds=1.0, horizon=60).verdict == "inconclusive"


def test_a_policy_for_fewer_pulls_than_a_run_has_says_at_which_pull_it_stops():
    def make(noise, generator):
        return algorithm("dp-ucb").build(Recorded(2, 40, ONE, generator, 1, noise))

    with pytest.raises(InvalidInput) as stopped:
        check_privacy(make, ONE)
    assert "horizon" in str(stopped.value) and re.search(r"at pull \d+ of a run", stopped.value.__notes__[0])
    assert check_privacy(make, ONE, seconds=1, horizon=40).verdict != "violation"


class Recorded(Setting):
    def __init__(self, arms, horizon, budget, generator, replications, door):
        super().__init__(arms, horizon, budget, generator, replications)
        object.__setattr__(self, "door", door)

    @property
    def noise(self):
        return self.door


def answered(self, total, spans):
    bit = (total > 2).astype(int)
    return self.noise.randomised_response(bit, categories=2, budget=Budget.pure(self.spent), records=spans)[0]


def answered_by_hand(self, total, spans):
    def loss(value, other):
        return self.spent if (value != other).any() else 0.0

    def sample(value, generator):
        return np.where(generator.random(value.shape) * (1 + np.exp(-self.spent)) < 1, value, 1 - value)

    bit, budget = (total > 2).astype(int), Budget.pure(self.spent)
    return self.noise.released(bit, mechanism=Mechanism("response", sample, loss), budget=budget, records=spans)[0]


@pytest.mark.parametrize("release", [answered, answered_by_hand])
def test_other_mechanisms_are_counted(release):
    assert check_privacy(variant(release=release, spent=1.0), ONE, seconds=0.6, horizon=100).verdict == "ok"
    assert check_privacy(variant(release=release, spent=2.0), ONE, seconds=2.0).violations[0].cause == "budget"


def chooses(door, spent):
    def release(self, total, spans):
        scores = np.array([[total[0], 4 - total[0]]])
        return getattr(self.noise, door)(scores, sensitivity=1.0, budget=Budget.pure(spent), records=spans)[0]

    return variant(release=release)


@pytest.mark.parametrize("door", ["exponential_mechanism", "report_noisy_max"])
def test_choices_are_counted(door):
    assert check_privacy(chooses(door, 1.0), ONE, seconds=0.6, horizon=100).verdict == "ok"
    assert check_privacy(chooses(door, 1.5), ONE, seconds=2.0).violations[0].cause == "budget"


@pytest.mark.parametrize(("spent", "verdict"), [(0.5, "ok"), (0.9, "violation")])
def test_a_choice_and_the_chosen_value_are_counted_together(spent, verdict):
    """The winner costs less than what is declared, and so much of it as this answer shows counts for sure."""

    def release(self, total, spans):
        scores, budget = np.array([[total[0], 1.0]]), Budget.pure(spent)
        winner = self.noise.report_noisy_max(scores, sensitivity=1.0, budget=budget, records=spans)
        return self.noise.laplace(scores[0][winner], sensitivity=1.0, budget=budget, records=spans)[0]

    report = check_privacy(variant(release=release), ONE, seconds=2.0, horizon=100)
    assert report.verdict == verdict and [v.cause for v in report.violations][:1] in ([], ["budget"]), report


def test_single_precision_is_no_leak():
    def release(self, total, spans):
        value = np.cumsum(np.full(1000, total[0] / 1000, dtype=np.float32), dtype=np.float32)[-1:]
        return self.noise.laplace(value, sensitivity=1.0, budget=ONE, records=spans)[0]

    assert check_privacy(variant(release=release), ONE, seconds=2.0, horizon=200).verdict == "ok"


@pytest.mark.parametrize(
    ("options", "name"),
    [({"seconds": 0}, "seconds"), ({"horizon": 0}, "horizon"), ({"seconds": float("nan")}, "seconds")],
)
def test_bad_arguments_are_named(options, name):
    with pytest.raises(InvalidInput, match=name):
        check_privacy(Episodes, ONE, **options)


def test_the_line_where_two_runs_part_is_found():
    def decide(x):
        if x > 1:
            return 1
        return 0

    journals = Journal(), Journal()
    for journal, x in zip(journals, (0, 2), strict=True):
        with journal.writing():
            decide(x)
    assert "if x > 1" in first_difference(*journals) and __file__ in OwnCode() and np.__file__ not in OwnCode()


class Held:
    """Keeps two numbers, both of which a decision reads."""

    def __init__(self):
        self.mean = self.var = 0

    def hear(self, x):
        self.var = x * x
        self.mean = x + 1

    def next_batch(self):
        return self.mean + self.var


def test_all_that_a_decision_reads_is_followed_back_to_the_rewards():
    journals = Journal(), Journal()
    for journal, x in zip(journals, (0, 2), strict=True):
        held = Held()
        with journal.writing():
            held.hear(x)
            held.next_batch()
    line = first_difference(*journals)
    assert all(text in line for text in ("self.mean + self.var", "self.mean = x + 1", "self.var = x * x"))


class Mixed(Episodes):
    """Half of the noise is taken back; the line that does so stands in a function that a decision reads through two."""

    def next_batch(self):
        turn = self.clock // self.length
        arm = turn if turn < 2 else self.best()
        return np.array([arm]), np.array([self.length - self.clock % self.length])

    def best(self):
        index = self.released + 0.1
        return int(np.argmax(index))

    def release(self, total, spans):
        noisy = super().release(total, spans)
        return (noisy + total[0]) / 2


def test_the_line_that_decides_and_the_line_that_lets_the_rewards_in_are_blamed():
    blamed = check_privacy(Mixed, ONE, seconds=3.0).violations[0].line
    assert "index = self.released + 0.1" in blamed and "from" in blamed and "(noisy + total[0]) / 2" in blamed


class Doubling(Policy):
    """Two arms; the batches of an arm double; each sum is released once. `late` is where a bug begins."""

    late = 5_000

    def __init__(self, noise):
        super().__init__(2)
        self.noise, self.clock, self.arm = noise, 0, 0
        self.sums, self.pulls, self.raw = np.zeros(2), np.zeros(2), np.zeros(2)

    def next_batch(self):
        index = np.where(self.pulls > 0, self.sums / np.maximum(self.pulls, 1) + np.sqrt(9 / (self.pulls + 1)), 1e9)
        self.arm = int(np.argmax(index))
        return np.array([self.arm]), np.array([max(1, int(self.pulls[self.arm]))])

    def observe(self, total, count, arm=None):
        played = self.arm if arm is None else int(arm[0])
        start, self.clock = self.clock, self.clock + int(count[0])
        noisy = self.noise.laplace(total, sensitivity=1.0, budget=ONE, records=(start, self.clock))
        self.pulls[played] += count[0]
        self.learn(played, noisy[0], total[0])

    def learn(self, played, noisy, total):
        self.sums[played] += noisy


class LateOnOneLine(Doubling):
    def learn(self, played, noisy, total):
        if self.clock > self.late:
            noisy = total
        self.sums[played] += noisy


class LateOnTwoLines(Doubling):
    def learn(self, played, noisy, total):
        if self.clock > self.late:
            noisy = total
        self.sums[played] += noisy


class LateByAnd(Doubling):
    def learn(self, played, noisy, total):
        self.sums[played] += noisy + ((self.clock > self.late) and total)


class EarlyNoise(Doubling):
    def learn(self, played, noisy, total):
        if self.clock < self.late:
            total = noisy
        self.sums[played] += total


@pytest.mark.parametrize("policy", [LateOnOneLine, LateOnTwoLines, LateByAnd, EarlyNoise])
def test_line_breaks_do_not_change_the_verdict(policy):
    report = check_privacy(lambda noise, _: policy(noise), ONE, seconds=1.5, horizon=300)
    assert report.verdict == "inconclusive" and "a branch of the policy never ran" in str(report)


class Guarded(Doubling):
    def learn(self, played, noisy, total):
        if not np.isfinite(noisy):
            noisy = 0.0  # pragma: no cover
        if self.clock > 10**7:
            print("a long run", self.clock)
        super().learn(played, noisy, total)


def test_guards_that_are_marked_and_lines_for_the_screen_leave_a_policy_ok():
    report = check_privacy(lambda noise, _: Guarded(noise), ONE, seconds=0.8, horizon=100)
    assert report.verdict == "ok" and "left out because of a mark: test_privacy_check.py" in str(report)


def test_an_installed_policy_is_checked_as_any_other(tmp_path, monkeypatch):
    folder = tmp_path / "site-packages" / "installed_team"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    body = inspect.getsource(Doubling) + "\n\n" + inspect.getsource(LateOnTwoLines)
    (folder / "policy.py").write_text(
        f"import numpy as np\nfrom banditproof.algorithms import Policy\nfrom banditproof.theory import Budget\n"
        f"ONE = Budget.pure(1.0)\n\n\n{body}"
    )
    monkeypatch.syspath_prepend(str(tmp_path / "site-packages"))
    module = importlib.import_module("installed_team.policy")
    report = check_privacy(lambda noise, _: module.LateOnTwoLines(noise), ONE, seconds=0.5, horizon=300)
    assert report.verdict == "inconclusive" and "never ran: policy.py" in str(report)
    leaks = check_privacy(lambda noise, _: type("L", (module.LateOnTwoLines,), {"late": 8})(noise), ONE, seconds=1.0)
    assert "noisy = total" in leaks.violations[0].line


def test_a_library_that_is_not_watched_is_named():
    report = check_privacy(dp_imed, ONE, seconds=0.2, horizon=60)
    assert "the lines of DPIMED were not watched: they belong to this library" in str(report)


def test_a_class_that_adds_no_code_to_one_of_this_library_is_checked_as_that_one():
    class Named(DPIMED):
        """A name of one's own."""

    class Compiled(Named):
        tick = staticmethod(abs)  # may be anything

    own = OwnCode()
    assert not own.adopt(Named(2, ONE, GeometricBatches(2), NoiseSource())) and not own.classes
    assert own.adopt(Compiled(2, ONE, GeometricBatches(2), NoiseSource())) and list(own.classes) == [Compiled]
    report = check_privacy(lambda noise, _: Named(2, ONE, GeometricBatches(2), noise), ONE, seconds=1.0, horizon=60)
    assert report.ok, report
    assert "the lines of Named were not watched: they belong to this library" in str(report)


def test_a_violation_in_long_runs_is_told_in_time_with_its_line_and_in_short_lines():
    Late = type("Late", (LateOnTwoLines,), {"late": 2_000})
    report = check_privacy(lambda noise, _: Late(noise), ONE, seconds=10.0, horizon=20_000)
    assert report.verdict == "violation" and report.seconds < 15.0
    assert "noisy = total" in report.violations[0].line or "self.sums[played] += noisy" in report.violations[0].line
    lines = str(report).splitlines()
    assert len(lines) <= 20 and max(map(len, lines)) <= 160
    assert not printed_call(report)(lambda noise, _: Late(noise)).ok


class Player:
    """Of another library: it decides at every pull, and releases the sum of every eight."""

    def __init__(self, noise):
        self.noise, self.clock, self.buffer, self.arm = noise, 0, 0.0, 0
        self.sums, self.pulls = np.zeros(2), np.zeros(2)

    def choose(self):
        if self.clock % 8 == 0:
            self.arm = int(np.argmin(self.pulls)) if self.clock < 16 else int(np.argmax(self.sums / self.pulls))
        return self.arm

    def hear(self, arm, reward):
        self.buffer += reward
        self.clock += 1
        if self.clock % 8 == 0:
            span = (self.clock - 8, self.clock)
            out = self.noise.laplace(np.array([self.buffer]), sensitivity=1.0, budget=ONE, records=span)[0]
            self.sums[arm] += self.mixed(out)
            self.pulls[arm] += 8
            self.buffer = 0.0

    def mixed(self, out):
        return (out + self.buffer) / 2


class LatePlayer(Player):
    def mixed(self, out):
        return self.buffer if self.clock == 64 else out


@pytest.mark.parametrize(("player", "culprit"), [(Player, "(out + self.buffer) / 2"), (LatePlayer, "self.buffer if")])
def test_the_line_is_named_through_an_adapter(player, culprit):
    report = check_privacy(lambda noise, _: Adapted(player(noise), 2, player.choose, player.hear), ONE, seconds=4.5)
    line = report.violations[0].line
    assert culprit in line or "self.sums[arm] += self.mixed(out)" in line
    assert "laplace" not in line


def test_where_no_line_is_known_an_innocent_one_is_not_accused(monkeypatch):
    monkeypatch.setattr("banditproof.verify.runs.teller.first_difference", lambda *_, **__: "")
    line = check_privacy(variant(release=lambda self, total, spans: total[0]), ONE, seconds=3.0).violations[0].line
    assert line.startswith("line unknown")


def test_several_releases_that_cost_too_much_are_named_once():
    reason = check_privacy(variant(release=all_so_far), ONE, seconds=3.0).violations[0].reason
    assert " together cost epsilon = " in reason and "others" not in reason


def test_a_list_that_cannot_be_shortened_is_a_file(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    rewards = tuple(float(x) for x in np.random.default_rng(0).integers(0, 2, 3000))
    neighbour = (1 - rewards[0], *rewards[1:])
    violation = Violation("alignment", "reason", 0, rewards, neighbour, "raw rewards", "policy.py:1 in f: x")
    text = str(PrivacyReport(ONE, (violation,)))
    assert len(text.splitlines()) <= 20 and max(map(len, text.splitlines())) <= 160
    assert eval(text[text.index("a := ") + 5 : text.index(", [*a")]) == list(rewards)


def test_a_factory_without_fresh_policies_and_swapped_arguments_are_named():
    one = Episodes(None, None)
    with pytest.raises(InvalidInput, match="creates a new policy at each call"):
        check_privacy(lambda noise, generator: setattr(one, "noise", noise) or one, ONE)
    with pytest.raises(InvalidInput, match=r"a function of \(noise, generator\)"):
        check_privacy(lambda generator, noise: Episodes(noise, generator), ONE)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("bug", PLANTED)
def test_bugs_can_be_planted_where_numbers_are_released(bug):
    def scalar(self, total, spans):
        records = tuple(int(end[0]) for end in spans)
        return self.noise.laplace(total[0], sensitivity=1.0, budget=ONE, records=records)

    assert check_privacy(plant(PLANTED[bug], variant(release=scalar)), ONE, seconds=4.0).verdict == "violation"


def half_sensitivity(self, total, spans):
    return self.noise.laplace(total, sensitivity=0.5, budget=ONE, records=spans)[0]


class UntilTen(Episodes):
    """Arm 1 is played once the raw rewards come to three."""

    earned = 0.0

    def observe(self, total, count, arm=None):
        self.earned += float(total[0])
        super().observe(total, count, arm)

    def next_arm(self, start):
        return int(self.earned >= 3)


def test_rewards_that_a_violation_can_do_without_are_left_out():
    first = check_privacy(variant(release=half_sensitivity), ONE, seconds=2).violations[0]
    assert (first.cause, first.rewards, first.neighbour) == ("sensitivity", (0.0,), (1.0,))
    first = check_privacy(UntilTen, ONE, seconds=2).violations[0]
    assert first.cause == "raw rewards" and len(first.rewards) == 9, first  # the third batch is the first free choice
    assert {sum(first.rewards), sum(first.neighbour)} == {2, 3}


class Scaled(Episodes):
    """The single rewards of an episode, scaled before their sum is told; at most one of them is 1 in most rewards."""

    length = 8
    scale = staticmethod(lambda rewards: max(max(rewards), 1e-3))

    def __init__(self, noise, generator):
        super().__init__(noise, generator)
        self.rewards = []

    def next_batch(self):
        return super().next_batch()[0], np.array([1])

    def observe(self, total, count, arm=None):
        self.rewards.append(float(total[0]))
        self.clock += 1
        if len(self.rewards) < self.length:
            return
        spans = np.array([self.clock - self.length]), np.array([self.clock])
        played = int(self.next_arm(self.clock - 1)) if arm is None else int(arm[0])
        told = sum(self.rewards) / self.scale(self.rewards)
        self.released[played] = self.release(np.array([told]), spans)
        self.rewards = []


@pytest.mark.parametrize("of", [lambda rewards: 1.0, lambda rewards: max(1.0, max(rewards)), lambda rewards: 8.0])
def test_sums_scaled_by_what_no_reward_moves_are_ok(of):
    scaled = type("Scaled", (Scaled,), {"scale": staticmethod(of)})
    assert check_privacy(scaled, ONE, seconds=2.0, horizon=200).verdict == "ok"


@pytest.mark.parametrize(
    "of",
    [
        Scaled.scale,
        lambda rewards: 0.05 + max(rewards),
        lambda rewards: max(np.quantile(rewards, 0.95), 0.02),
        lambda rewards: max(float(np.std(rewards)) * 2, 0.02),
        lambda rewards: max(sum(rewards) / 4, 0.5),
    ],
)
def test_sums_scaled_by_raw_rewards_are_found(of):
    scaled = type("Scaled", (Scaled,), {"scale": staticmethod(of)})
    report = check_privacy(scaled, ONE, seconds=2.0, horizon=200)
    assert [violation.cause for violation in report.violations] == ["sensitivity"], report


@pytest.mark.parametrize(
    ("changed", "noted"),
    [
        ({"next_batch": lambda self: (0, 4)}, "at pull 1 of a run."),
        (
            {"release": lambda self, total, spans: self.noise.laplace(total, sensitivity=1, budget=ONE, records=[0])},
            "n.",
        ),
        (
            {"release": lambda self, total, spans: np.zeros(1)[[0]].__setitem__(0, [1, 2])},
            "take [0] where one number is",
        ),
        ({"release": lambda self, total, spans: 1 // len(spans[3:])}, "as in rewards_in={0, 1}."),
    ],
)
def test_a_note_on_what_a_policy_raised_is_of_its_cause(changed, noted):
    with pytest.raises((InvalidInput, ValueError, ZeroDivisionError)) as raised:
        check_privacy(variant(**changed), ONE, seconds=1.0)
    (note,) = raised.value.__notes__
    assert noted in note and ("rewards_in" in note) == ("rewards_in" in noted)
