"""Linear conditions together: the multiples whose sum is the gap, and the receipt that adds them up again."""

from __future__ import annotations

from fractions import Fraction

import pytest

from banditproof.verify.judge.door import judge
from banditproof.verify.judge.formulas.formula import put
from banditproof.verify.judge.formulas.printing import plain
from banditproof.verify.judge.formulas.sentence import Expression, Unread
from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.receipts.certifying_ways import argued
from banditproof.verify.judge.receipts.checker_of_ways import check_way

ROC = {"t": "[0, 1]", "f": "[0, 1]", "eps": "[0, inf)", "d": "[0, 1]"}
CHAIN = {"a": "[0, 1]", "b": "[0, 1]", "c": "[0, 1]", "eps": "[0, inf)", "d": "[0, 1]"}
FOLLOWS = [  # what is printed, its ranges, and the same with a constant that is too small
    (
        "t - f <= (exp(eps) - 1 + {} d)/(exp(eps) + 1) when t <= exp(eps) f + d and 1 - f <= exp(eps) (1 - t) + d",
        ROC,
        2,
    ),
    ("a <= b exp(2 eps) + d (1 + {} exp(eps)) when a <= c exp(eps) + d and c <= b exp(eps) + d", CHAIN, 1),
    ("x + y <= {} * 8/3 when 2 x + y <= 4 and x + 2 y <= 4", {"x": "[0, inf)", "y": "[0, inf)"}, 1),
]


@pytest.mark.parametrize(("printed", "where", "constant"), FOLLOWS)
def test_conditions_together_imply_a_comparison_and_no_smaller_one(printed, where, constant):
    assert judge(printed.format(constant), where).verdict == "proved"
    assert judge(printed.format(Fraction(9, 10) * constant), where).verdict == "refuted"


@pytest.mark.parametrize(
    ("printed", "where"),
    [("a <= b exp(2 eps) when a <= c exp(eps) and c <= b exp(eps)", CHAIN), (FOLLOWS[-1][0].format(1), FOLLOWS[-1][1])],
    ids=["exponentials", "numbers"],
)
def test_the_receipt_adds_the_multiples_up_and_no_others(printed, where):
    answer = judge(printed, where)
    argument = argued(answer.reading, answer.evidence)
    assert argument["proof"]["way"] == "together" and not check_way(argument)
    multiples, rest = argument["proof"]["given"]
    for altered in (
        [[["num", "1/2"], multiples[0][1]], *multiples[1:]],
        [[["neg", multiples[0][0]], multiples[0][1]], *multiples[1:]],
        [[multiples[0][0], 2], *multiples[1:]],
        [[multiples[0][0], ["x", "high"]], *multiples[1:]],
        multiples[1:],
    ):
        assert check_way({**argument, "proof": {**argument["proof"], "given": [altered, rest]}})


@pytest.mark.parametrize("name", ["k", "n"])
def test_a_letter_that_is_bound_and_put_in_is_told_apart(name):
    """In a sum over k, k for a is no index; a definition that says so may be meant either way, and is refused."""
    total = read("sum(a k, k=1..n) >= 0 for a in [0, 1], integer n >= 1").sentence.left
    there = put(total, {"a": Expression("var", (name,))})
    assert plain(there) == {"k": "sum(k*k_1, k_1=1..n)", "n": "sum(n*k, k=1..n)"}[name]
    with pytest.raises(Unread, match="k is bound in the statement"):
        read("sum(a, k=1..n) >= 1 where a = k^2 for integer n >= 1, k in [0, 1]")
