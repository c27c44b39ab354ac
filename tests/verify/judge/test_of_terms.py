"""The way back from a statement of the provers to a printed sentence: it says the same, or it is refused."""

from fractions import Fraction
from itertools import islice

import pytest

from banditproof import theory
from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER
from banditproof.theory.numbers.numeric import to_ball
from banditproof.theory.numbers.special import pi
from banditproof.theory.numbers.term import NoTerm, fn, total
from banditproof.verify.judge.engine import judge as settle
from banditproof.verify.judge.formulas.certain import NoValue, Unknown, value_at
from banditproof.verify.judge.ways.goals import statement_of
from banditproof.verify.judge.ways.of_terms import NoWord, reading_of
from banditproof.verify.judge.ways.points import Asked
from banditproof.verify.proof.domain import Domain, unseen_points
from banditproof.verify.proof.special_points import special_points
from banditproof.verify.proof.statement import stating


def stated(body, where=(), **sets):
    return stating(body, Domain.of(where=where, **sets), {})


UNIT, COUNTS, REALS = "[0, 1]", "integer [1, inf)", "(-inf, inf)"
SAID = {
    "kl(x, y) >= 2*tv(x, y)^2 for x in [0, 1], y in [0, 1]": stated(
        lambda x, y: (theory.kl_bernoulli(x, y), ">=", 2 * theory.tv_bernoulli(x, y) ** 2), x=UNIT, y=UNIT
    ),
    "d_eps(x, y, 2) <= kl(x, y) when x < y for x in [0, 1], y in [0, 1]": stated(
        lambda x, y: (theory.d_epsilon(x, y, 2), "<=", theory.kl_bernoulli(x, y)), ["x < y"], x=UNIT, y=UNIT
    ),
    "sum(binom(n, j), j=0..n) = 2^n for integer n in [1, inf)": stated(
        lambda n: (total(lambda j: theory.comb(n, j), 0, n), "==", 2**n), n=COUNTS
    ).over(Domain.of(n=COUNTS)),
    "min(-x, floor(x)) < max(abs(x), Phi(x)) + sqrt(pi) for x in (-inf, inf)": stated(
        lambda x: (fn("min", -x, fn("floor", x)), "<", fn("max", abs(x), theory.normal_cdf(x)) + theory.sqrt(pi())),
        x=REALS,
    ),
}


@pytest.mark.parametrize("said", SAID)
def test_a_statement_is_said_and_read_back(said):
    statement = SAID[said]
    reading = reading_of(statement)
    assert reading.said == said.replace("j", "k")
    back = statement_of(Asked(reading.sentence, reading.ranges, reading.conditions))
    assert str(back) == str(statement) and back.domain.sets == statement.domain.sets


def test_an_index_is_no_variable_and_an_inner_one_is_another():
    square = stated(lambda n, k: (total(lambda i: total(lambda j: i * j * k, 1, i), 1, n), ">=", 0), n=COUNTS, k=UNIT)
    assert reading_of(square).said == "sum(sum(i*j*k, j=1..i), i=1..n) >= 0 for integer n in [1, inf), k in [0, 1]"


@pytest.mark.parametrize(
    "statement, why",
    [
        (stated(lambda x: (theory.where(x, "<", 0, -x, x), ">=", 0), x=REALS), "a branch"),
        (stated(lambda x: (theory.privacy_threshold(x, 0), ">=", 0), x=UNIT), "privacy_threshold"),
        (stated(lambda x: (x, "<=", 2), x="{1, 2}"), "no interval"),
        (stated(lambda x: (x, "<=", 2 + x), x="[0, inf]"), "may be infinite"),
        (stated(lambda x: (total(lambda k: k, 0, x), ">=", 0), x=UNIT), "whole numbers"),
    ],
)
def test_what_has_no_word_is_refused(statement, why):
    with pytest.raises(NoWord, match=why):
        reading_of(statement)


def values(expression, point):
    try:
        return value_at(expression, point, 128)
    except (NoValue, Unknown):
        return None


def theirs(statement, point):
    try:
        left, _, right = statement.sides(point)
    except (ArithmeticError, ValueError):
        return None, None
    return tuple(None if hasattr(side, "is_nan") and side.is_nan() else side for side in (left, right))


def test_every_claim_has_the_same_values_as_its_sentence(every_point):
    """At special points and at others, of the claims that are formulas with words in print."""
    load()
    said = 0
    claims = [c for c in REGISTER.values() if c.relation is not None and c.same_check_as is None]
    for claim in claims if every_point else claims[::60]:
        try:
            statement = stating(claim.relation, claim.domain, claim.constants)
            reading = reading_of(statement)
        except (NoTerm, NoWord):
            continue
        said += 1
        drawn = unseen_points(statement.domain, 4, "said", largest_count=12, extremes=3)
        for given in (*islice(special_points(statement.domain), 4), *drawn):
            if any(abs(value) > 60 and statement.domain.sets[n].integer for n, value in given.items()):
                continue
            point = {n: Fraction(value) for n, value in given.items()}
            assert Asked(reading.sentence, reading.ranges, reading.conditions).admits(point), (claim.id, point)
            pair = [values(side, point) for side in (reading.sentence.left, reading.sentence.right)]
            others = theirs(statement, point)
            for ours, other in zip(pair, others, strict=True):
                if None in pair or other is None:  # a claim takes log(0) as -inf, a printed formula has no value there
                    infinite = any(side is None or not to_ball(side).is_finite() for side in others)
                    assert None in pair and infinite, (claim.id, point)
                else:
                    assert to_ball(ours).overlaps(to_ball(other)), (claim.id, point)
    assert said > (600 if every_point else 10)


def test_no_false_variant_of_a_claim_is_proved(every_point):
    """What the checks of claims have to refute is refuted without their steps, or left open."""
    load()
    pairs = [(c, m) for c in REGISTER.values() if c.relation and c.same_check_as is None for m in c.mutations]
    verdicts = []
    for claim, variant in pairs if every_point else pairs[::30]:
        if claim.role == "hypotheses":  # of which one instance is enough
            continue
        try:
            constants = claim.constants | dict(variant.constants)
            reading = reading_of(stating(claim.relation, variant.domain or claim.domain, constants))
        except (NoTerm, NoWord):
            continue
        verdicts.append(settle(reading, seconds=5).verdict)
        assert not verdicts[-1].startswith("proved"), (claim.id, variant.name)
    assert sum(verdict.startswith("refuted") for verdict in verdicts) >= 0.8 * len(verdicts) > 0
