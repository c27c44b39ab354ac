"""Every relation that a check proves is tried at 60 points that its proof has not seen; a false one would be found."""

import resource
import signal
from contextlib import contextmanager
from fractions import Fraction

import pytest

from banditproof.claims import REGISTER, examine, load
from banditproof.claims.arena.attack import POINTS, Target, attacked, name_of, stated, targets_of, verdict_at
from banditproof.claims.run.record import Settings
from banditproof.claims.steps import argued, deduced, enumerated, interval, judged
from banditproof.theory import maximum
from banditproof.verify.proof.domain import Domain, Everything, unseen_points

QUICK_SHARE = 120  # of the claims with cheap steps, one in so many without --every-point
QUICK_POWER = 2  # the largest power of ten that is tried without --every-point: a sum of 10,000 fractions takes seconds
# powers of ten that are tried of relations that integrate in balls, since flint asks for memory without end beyond, and
# of two that add up tails of at most 2000 Laplace variables, and products of chances over all pairs of counts
MODEST = {"layers": 1, "integration_by_parts": 1, "integral_of_the_tail_bound": 1}
MODEST |= {"concentration_of_mechanism_two": 3, "too_little_exploration": 1, "noise_of_the_tree": 2}
MODEST |= {"TH-A2.BT/high-probability": 2, "BDP-TF.7/39-integration": 1, "ucb_index": 2}  # a paragraph by its id

load()
CHECKED = [c.id for c in REGISTER.values() if c.check is not None]
NOT_DECIDED_THERE = {
    "ALG-S5.1b": "bounds the regret from above, closely where there is hardly any noise",
    "TH-A2.SM1/error": "runs the counter in floats, exact where budgets are powers of two",
    "TH-A2.SM2/error": "runs the counter in floats, exact where budgets are powers of two",
}


def cheap():
    steps = {n: REGISTER[n].steps for n in CHECKED}
    return [n for n, s in steps.items() if s and all(isinstance(o, deduced | judged | interval | argued) for o in s)]


def listed():
    """Supported at points of their choice; the rest of the domain is printed, and nothing false may stand on it."""
    chosen = [n for n in CHECKED if any(isinstance(o, enumerated) for o in REGISTER[n].steps)]
    return [n for n in chosen if not any(isinstance(s, Everything) for s in REGISTER[n].domain.sets.values())]


@contextmanager
def limited(seconds, memory=4 << 30):
    """Raises in the block once it has computed so long, and where it asks for more memory; tells whether it is late.

    It raises again every half second: an exception in a callback of the garbage collector is lost.
    """
    late = []

    def stop(*_):
        late.append(True)
        raise TimeoutError

    before, (soft, hard) = signal.signal(signal.SIGPROF, stop), resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (memory, hard))
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.5)
    try:
        yield late
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def failures_of(claim_id, tried, most):
    """The failures of what a claim's check proves, where its verdict is not that it is false."""
    failures = []
    for target in targets_of(REGISTER[claim_id]):
        if (name := name_of(target)) in tried:
            continue
        largest = MODEST.get(claim_id) or MODEST.get(target.relation.__name__, 12)
        outcome = attacked(target, claim_id, POINTS, min(most, largest))
        tried[name] = (target, outcome)
        failures += [(claim_id, target.relation.__name__, point, why) for point, why in outcome.failures]
    if failures and examine(REGISTER[claim_id], Settings())["verdict"] == "refuted":
        return []
    return failures


def test_no_proof_fails_at_points_that_it_has_not_seen(every_point, record_property):
    chosen = CHECKED if every_point else cheap()[::QUICK_SHARE]
    tried, most = {}, 12 if every_point else QUICK_POWER
    found = [failure for claim_id in chosen for failure in failures_of(claim_id, tried, most)]
    assert found == []
    outcomes = [outcome for _, outcome in tried.values() if outcome.points]
    points, undecided = (sum(getattr(o, n) for o in outcomes) for n in ("points", "undecided"))
    equal, by_list = sum(o.equal for o in outcomes), len(tried) - len(outcomes)
    summary = f"{len(outcomes)} relations, {points} points, {equal} equal, {undecided} undecided, {by_list} listed"
    record_property("attack", summary)
    print(summary)
    assert len(outcomes) >= (400 if every_point else 300 // QUICK_SHARE) and points >= 0.95 * POINTS * len(outcomes)
    assert undecided <= points / 20


def test_what_is_supported_does_not_fail_elsewhere_in_its_domain(every_point):
    if not every_point:
        pytest.skip("minutes, and memory of its own: make nightly")
    chosen = [n for n in listed() if n not in NOT_DECIDED_THERE]
    found, tried = {}, set()
    for claim_id in chosen:
        target = stated(REGISTER[claim_id])
        points = list(unseen_points(target.domain, POINTS, claim_id, extremes=3, largest_count=8))
        try:
            with limited(6) as late:
                for point in points:
                    try:
                        said = verdict_at(target, point)
                    except Exception:  # larger than the check can take, or too slow
                        if late:
                            break
                        continue
                    tried.add(claim_id)
                    found |= {claim_id: (point, said)} if said.startswith("fails") else {}
        except TimeoutError:  # between two points
            continue
    assert {n: f for n, f in found.items() if examine(REGISTER[n], Settings())["verdict"] != "refuted"} == {}
    assert len(tried) >= 0.8 * len(chosen)


# ------------------------------------------------------------------------------------------- the attack can fail


def fails_near_a_corner(x, y):
    return x * y, "<=", 1 - Fraction(1, 10**5)


def fails_next_to_a_tie(x, y):
    apart = abs(x - y)
    return apart * (apart * 10**9 - 1), ">=", 0


def fails_at_a_tie(x, y):
    return abs(x - y), ">", 0


def fails_far_out(x):
    return x, "<=", 10**9


def fails_close_to_zero(x):
    return 1 / x, "<=", 10**7


def fails_on_the_surface(x, y):
    return x * x + y - 1, "<", 0


def has_no_value_at_one(x):
    return (x * x - 1) / (x - 1), "<=", 3


def holds_by_a_hair(x, y):
    return x * y, "<=", (x * x + y * y) / 2


def holds_at_its_ends(x):
    return maximum(x, 1 - x), "<=", 1


UNIT = {"x": "[0, 1]", "y": "[0, 1]"}
FALSE = [
    (fails_near_a_corner, Domain.of(**UNIT)),
    (fails_next_to_a_tie, Domain.of(**UNIT)),
    (fails_at_a_tie, Domain.of(**UNIT)),
    (fails_far_out, Domain.of(x="(0, inf)")),
    (fails_close_to_zero, Domain.of(x="(0, inf)")),
    (fails_on_the_surface, Domain.of(["x * x + y <= 1"], **UNIT)),
]


@pytest.mark.parametrize("relation, domain", FALSE, ids=lambda v: getattr(v, "__name__", ""))
def test_what_fails_only_at_special_points_is_found(relation, domain):
    outcome = attacked(Target(relation, domain, {}, "interval"), "corners and ties")
    assert outcome.points == POINTS and outcome.failures


def test_what_has_no_value_is_found():
    target = Target(has_no_value_at_one, Domain.of(x="[0, 1]", y="[0, 1]"), {}, "deduction")
    assert "has no value" in {why for _, why in attacked(target, "undefined").failures}


@pytest.mark.parametrize("relation, domain", [(holds_by_a_hair, UNIT), (holds_at_its_ends, {"x": "[0, 1]"})])
def test_what_holds_is_left_alone(relation, domain):
    outcome = attacked(Target(relation, Domain.of(**domain), {}, "interval"), "true")
    assert outcome.points == POINTS and outcome.failures == [] and outcome.undecided == 0


def test_the_points_are_in_the_domain_different_unseen_and_of_all_kinds():
    domain = Domain.of(["x <= y"], x="[0, 1)", y="[0, 1)", n="integer [1, inf)", r="(0, inf)")
    seen = list(unseen_points(domain, 50, "first"))
    points = list(unseen_points(domain, 300, "first", seen=seen, largest_count=5000))
    assert len(points) == 300 and all(domain.contains(p) for p in points)
    keys = [tuple(p.items()) for p in points]
    assert len(set(keys)) == 300 and not {tuple(p.items()) for p in seen} & set(keys)
    assert any(p["x"] == p["y"] for p in points) and any(0 < p["y"] - p["x"] < 10**-9 for p in points)
    assert {min(p["r"] for p in points) < 10**-11, max(p["r"] for p in points) > 10**11} == {True}
    assert max(p["n"] for p in points) > 1000 and any(p["y"] > 1 - Fraction(1, 10**10) for p in points)
    assert points == list(unseen_points(domain, 300, "first", seen=seen, largest_count=5000))
