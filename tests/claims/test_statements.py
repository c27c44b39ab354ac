"""What claims state: a term for each formula, equal to the direct call of its body at points of the domain."""

from fractions import Fraction
from pathlib import Path

import pytest

from banditproof.claims import REGISTER, load
from banditproof.claims.stating import stated
from banditproof.theory import InvalidInput, comb, factorial, normal_cdf, to_ball, working_precision
from banditproof.theory.numbers.term import NoTerm, parts, total
from banditproof.verify.forms.calculus import pi_beside
from banditproof.verify.proof.compare import at_exact_point
from banditproof.verify.proof.domain import Domain, unseen_points
from banditproof.verify.proof.evaluation import NoValue, call
from banditproof.verify.proof.statement import trace

PROGRAMS = Path(__file__).with_name("programs.txt")  # ids of the claims that are no terms; it may only shrink
MOST_SUMMANDS = 1000
QUICK_SHARE = 25  # of the claims, one in so many without --every-point


def with_a_relation():
    load()
    return [c for c in REGISTER.values() if c.relation is not None and not c.same_check_as]


def test_a_new_claim_is_a_term():
    listed = set(PROGRAMS.read_text(encoding="utf-8").split())
    programs = {c.id for c in with_a_relation() if isinstance(stated(c), str)}
    assert sorted(programs - listed) == [], "read by the machine as programs; banditproof explain ID says why"
    assert sorted(listed - programs) == [], "terms by now: take them off the list"


def adds_up(claim):
    statement = stated(claim)
    return any(node.op == "total" for side in (statement.left, statement.right) for node in parts(side))


def asked(relation, given):
    """Its sides, or None where a quantity does not take these values."""
    try:
        return call(relation, given)
    except (InvalidInput, NoValue):
        return None


def has_no_value(sides):
    return sides is None or any(to_ball(side).is_nan() for side in sides[::2])


def agree(claim, point):
    direct = asked(claim.relation, {**at_exact_point(point), **claim.constants})
    term = asked(stated(claim).relation, at_exact_point(point))
    if direct is None or term is None:
        return has_no_value(direct) and has_no_value(term)
    sides = [(to_ball(a), to_ball(b)) for a, b in zip(term[::2], direct[::2], strict=True)]
    return term[1] == direct[1] and all(a.overlaps(b) or a.is_nan() and b.is_nan() for a, b in sides)


def test_the_term_of_a_claim_and_its_body_have_the_same_values(every_point):
    compared, apart = 0, []
    for claim in with_a_relation()[:: 1 if every_point else QUICK_SHARE]:
        if isinstance(stated(claim), str):
            continue
        with working_precision(200):
            for point in unseen_points(claim.domain, 6 if every_point else 2, "statements", largest_count=12):
                if adds_up(claim) and max((n for n in point.values() if isinstance(n, int)), default=0) > MOST_SUMMANDS:
                    continue
                try:
                    same = agree(claim, point)
                except (TypeError, InvalidInput):
                    continue  # a body takes balls only, and no exact infinity; or a quantity is outside of its range
                compared += 1
                apart += [] if same else [(claim.id, point)]
    assert apart == [] and compared > (1000 if every_point else 1000 // QUICK_SHARE)


def test_the_key_is_that_of_the_statement_and_not_of_its_code():
    domain = Domain.of(x="[0, 1]", y="(0, inf)")
    one = trace(lambda x, y, factor: (factor * x, "<=", x / y), domain, {"factor": 1})

    def other(x, y, power=1):
        left = x**power
        return left, "<=", x / y

    assert one.key == trace(other, domain, {"power": 1}).key != trace(other, domain, {"power": 2}).key
    assert one.key != trace(other, Domain.of(x="[0, 1)", y="(0, inf)"), {"power": 1}).key
    assert str(one) == "x <= x/y" and one.tex == r"x\le \frac{x}{y}" and one.unused == frozenset()


def test_powers_of_numbers_are_exact_or_balls():
    rooted = trace(lambda n: (2**n / n ** Fraction(1, 2), "<=", n ** (-n)), Domain.of(n="integer [1, inf)"), {})
    left, _, right = call(rooted.relation, {"n": 2})
    assert left.overlaps(to_ball(8) ** to_ball(Fraction(1, 2))) and left.rad() > 0 and right == Fraction(1, 4)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (lambda x, y: (x if x < y else y, "<=", 1), "write where"),
        (lambda x, y: (sum(range(x)), "<=", 1), "write total"),
        (lambda x, y: (0.5 * x, "<=", 1), "not 0.1"),
        (lambda x, y: (x, "<=", "low"), "a name is not a quantity"),
        (lambda x, y: ((x, y), "<=", (1, 2)), "one claim for each entry"),
        (lambda x, y: x, "no left side, operator .* and right side"),
        (lambda x, y: (x, "~", y), "no left side, operator .* and right side"),
        (lambda x, y, policy: (policy.arms * x, "<=", 1), "policy is every policy, which is not a number"),
        (lambda x, y: (x.digits, "<=", 1), "digits is asked of a variable"),
        (lambda x, y: ({777: 1}.get(x, 0), "<=", y), "in a set or table"),
        (lambda x, y: (len(f"{x}"), "<=", y), "a variable is written as text"),
    ],
)
def test_what_is_no_term_says_why(body, says):
    with pytest.raises(NoTerm, match=says):
        trace(body, Domain.of(x="[0, 1]", y="[0, 1]", policy="all: every policy"), {})


def test_binomials_factorials_and_sums_are_printed_as_such():
    def body(n, x):
        return total(lambda k: comb(n, k) * factorial(k) + x, 0, n - 1) / pi_beside(x), "<=", normal_cdf(x)

    said = trace(body, Domain.of(n="integer [1, inf)", x="[0, 1]"), {})
    assert said.tex == (
        r"\frac{\sum_{k_{1}=0}^{n-1}\left(\binom{n}{k_{1}}\,(k_{1})!+x\right)}{\pi}\le \Phi(x)"  # the body in brackets
    )
    left, _, right = call(said.relation, {"n": 3, "x": to_ball(0)})
    assert left.overlaps(10 / to_ball(0).pi()) and right.overlaps(to_ball(1) / 2)  # 1 + 3 + 3 * 2
