"""What a proof need not say: signs, t/t = 1, what is assumed, conditions; and that nothing else is found."""

import os
import subprocess
import sys
from fractions import Fraction

import pytest

from banditproof.verify.kernel.context import Context, context, generalised, lemma, once, opened, proof, suppose
from banditproof.verify.kernel.elimination import combined, solved
from banditproof.verify.kernel.meanings import exp
from banditproof.verify.kernel.rules import assume, eq, exp_tangent, le, lt, mean, nat
from banditproof.verify.kernel.tactics import (
    auto,
    by_contradiction,
    contradiction,
    exp_equal,
    fn,
    for_all,
    induction,
    instance,
    natural,
    positive,
    sign,
    used,
)
from banditproof.verify.kernel.terms import ONE, All, Refused, Term, key, var

n, s, t, u, x = map(var, "nstux")


def value(name, *points):
    return Term("app", (name, *points))


@pytest.mark.parametrize(
    ("goal", "given"),
    [
        (lt(0, exp(t) / n), [lt(0, n)]),
        (lt(0, n), [le(1, n)]),
        (le(0, (1 - t) * s), [le(t, 1), le(0, s)]),
        (lt(0, u), [le(s - 1, u), lt(1, s)]),
        (le(0, t * t * exp(s)), []),
        (eq((s * n + t) / n, s + t / n), [lt(0, n)]),
        (eq(exp(n * t / n), exp(t)), [lt(0, n)]),
        (le(s / n, t), [lt(0, n), le(s, t * n)]),
        (lt(s, u), [le(s, t), lt(t, u)]),
        (le(0, n + 1), [nat(n)]),
        (le(0, value("f", s)), [All(("x",), (), le(0, value("f", x)))]),
        (le(value("A", s), 1), [All(("x",), (), eq(value("A", x) * value("A", x), value("A", x)))]),
        (le(0, mean("x", Term("law", ("P",)), value("f", x))), [All(("x",), (), le(0, value("f", x)))]),
    ],
)
def test_what_is_assumed_need_not_be_named(goal, given):
    with opened(*given):
        theorem = auto(goal)
    assert theorem.conclusion == goal
    assert set(theorem.hypotheses) <= set(map(key, given))
    with pytest.raises(Refused):  # nothing is known outside
        auto(lt(*goal.args) if goal.op == "<=" else goal if given else lt(t, t))


@pytest.mark.parametrize(
    ("goal", "given"),
    [
        (lt(0, n), [le(0, n)]),
        (le(0, t * s), [le(0, t)]),
        (eq(t / t, 1), [le(0, t)]),
        (le(s * u, t * u), [le(s, t)]),
        (lt(s, u), [le(s, t), le(t, u)]),
        (eq(s, t), [le(s, t)]),
    ],
)
def test_what_does_not_follow_is_not_found(goal, given):
    with opened(*given), pytest.raises(Refused, match="does not follow"):
        auto(goal)


def test_what_was_used_can_be_told():
    with opened(lt(0, n), le(s, t * n), le(0, u)):
        told = used(auto(le(s / n, t)))
    assert any("s <= t n" in line for line in told) and not any("0 <= u" in line for line in told)
    assert used(assume(lt(0, n))) == ["assume"]


def test_the_sign_of_a_factor_is_looked_up_and_an_unknown_one_is_named():
    fact = assume(le(s, t))
    with opened(le(0, u)):
        assert auto(le(u * s, u * t), (u, fact)).conclusion == le(u * s, u * t)
    assert auto(le(exp(u) * s, exp(u) * t), (exp(u), fact)).conclusion.op == "<="
    with pytest.raises(Refused, match="nothing says that u is not negative"):
        auto(le(u * s, u * t), (u, fact))
    assert sign(u) is None
    with pytest.raises(Refused, match="nothing says that u is positive"):
        positive(u)


def test_a_lemma_says_its_conditions_once_and_knows_nothing_of_who_uses_it():
    calls = []

    @lemma("t n", lt(0, n), lambda way: le(0, way * t))
    def scaled(way):
        calls.append(way)
        (small,) = suppose(le(t, 5))
        assert context().given == [lt(0, n), le(0, way * t), small.conclusion]
        return auto(le(way * t / n, way * t / n + 1 / n))

    with opened(le(7, s)):
        assert not scaled(1).hypotheses
        assert scaled(1) is scaled(1)
    assert scaled(1).conclusion.given == (lt(0, n), le(0, 1 * t), le(t, 5))
    assert scaled(-1).conclusion.params == ("t", "n") and calls == [1, -1]

    @once
    def alone():
        return auto(lt(0, n))

    with opened(lt(0, n)), pytest.raises(Refused):
        alone()


def test_the_premises_of_a_statement_are_known_while_it_is_proved():
    inner = All(("u",), (le(0, u),), le(0, u * t))
    statement = All(("t",), (le(0, t),), inner)
    for body in (lambda f: auto(le(0, u * t)), lambda f: for_all("u", auto(le(0, u * t)), le(0, u))):
        theorem = proof(body)(statement)
        assert theorem.conclusion == statement and not theorem.hypotheses
    other = proof(lambda f: auto(le(0, u * t + 1)))(statement)  # what it shows is what it says, whatever was asked
    assert key(other.conclusion) != key(statement)
    assert generalised(assume(inner), inner).conclusion == inner


def test_the_conditions_of_an_instance_are_found_and_a_missing_one_is_refused():
    known = for_all("n t", auto(le(0, t / n), assume(le(0, t / n))), nat(n), le(1, n), le(0, t / n))
    with opened(nat(n), le(1, n), le(0, t)):
        assert not set(instance(known).hypotheses) - set(map(key, (nat(n), le(1, n), le(0, t))))
        assert instance(known, {"n": n + 2, "t": t * t}).conclusion == le(0, t * t / (n + 2))
        with pytest.raises(Refused):
            instance(known, {"t": -t})
    bound = assume(
        All(("g",), (All(("x",), (), le(0, value("g", x))),), le(0, mean("x", Term("law", ("P",)), value("g", x))))
    )
    of_square = instance(bound, {"g": fn("x", value("f", x) * value("f", x))})
    assert list(of_square.hypotheses) == list(bound.hypotheses)


def test_sums_and_products_of_natural_numbers_are_natural():
    with opened(nat(n), nat(s)):
        assert natural(n * s + 3).conclusion == nat(n * s + 3)
        for not_one in (n - s, n / 2, t):
            with pytest.raises(Refused, match="nothing says that"):
                natural(not_one)


def test_induction_asks_for_the_conclusions_alone():
    claim = All(("t",), (le(0, t),), le(0, n * t))
    step = auto(le(0, (n + 1) * t), instance(assume(claim), {}, assume(le(0, t))), assume(le(0, t)))
    theorem = induction("n", auto(le(0, 0 * t)), step, claim, at=s)
    assert theorem.conclusion == All(("t",), (le(0, t),), le(0, s * t))
    assert set(theorem.hypotheses) == {key(nat(s))}
    with pytest.raises(Refused):
        induction("n", auto(le(0, 0 * t)), auto(le(0, t * t)), claim)


def test_a_contradiction_is_one_of_strict_facts():
    assert contradiction(assume(lt(s, t)), assume(le(t, s))).conclusion == lt(0, 0)
    assert contradiction(assume(le(s, t)), assume(le(t, s - 1))).conclusion == lt(0, 0)
    with pytest.raises(Refused):
        contradiction(assume(le(s, t)), assume(le(t, s)))
    false = contradiction(assume(lt(t, s)), assume(le(s, t)))
    assert set(by_contradiction(le(s, t), false).hypotheses) == {key(le(s, t))}
    assert exp_equal(assume(eq(s, t))).conclusion == eq(exp(s), exp(t))


def test_a_name_is_no_sign_of_another_context():
    outside, inside = Context([lt(0, n)]), Context()
    assert outside.find(lt(0, n)) is not None and inside.find(lt(0, n)) is None


def test_coefficients_are_exact_and_have_the_asked_signs():
    one, half = Fraction(1), Fraction(1, 2)
    a, b = frozenset([(var("a"), 1)]), frozenset([(var("b"), 1)])
    assert solved({a: one}, [{a: Fraction(2), b: one}, {b: one}], True) == [half, -half]
    assert solved({a: one}, [{b: one}], True) is None
    assert combined({a: one}, [{a: Fraction(2), b: one}, {b: one}], [False, False], False) is None
    assert combined({a: one}, [{a: Fraction(2), b: one}, {b: one}], [False, True], False) == [half, -half]
    assert combined({a: one, ONE: one}, [{a: one}], [False], True) is None
    assert combined({a: one, ONE: one}, [{a: one}], [False], False) == [one]
    assert combined({}, [{a: one}, {a: -one}], [False, False], False, [False, False]) is None
    assert combined({}, [{a: one}, {a: -one}], [False, False], False, [True, False]) == [half * 2, half * 2]
    assert exp_tangent(t).conclusion == le(1 + t, exp(t))


WRITES_A_PROOF = """
from banditproof.verify.kernel.writing import to_data
from banditproof.verify.theorems.noise import laplace_of_vectors
print(to_data(laplace_of_vectors()))
"""


def test_two_processes_find_the_same_proof():
    """Texts have another hash in each process, and with them the order in which a set is walked through."""
    written = {
        subprocess.run(
            [sys.executable, "-c", WRITES_A_PROOF],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "13"
    }
    assert len(written) == 1
