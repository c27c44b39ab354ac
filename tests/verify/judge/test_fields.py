"""A field beside a statement says what stands after `for` in one."""

import pytest

from banditproof.verify.judge.reading import read
from banditproof.verify.judge.sentence import Unread

OF_P = {"p": "[0, 1]"}
ORDERED = "p in [0, 1], q in (0, 1) when q <= p"
FIELDS = [
    ("p - q >= 0", {**OF_P, "q": "(0, 1), q <= p"}, ORDERED),
    ("p - q >= 0", {"p": "in [0, 1]", "q": "(0, 1) with q <= p"}, ORDERED),
    ("p - q >= 0", {"p": "0 <= p <= 1", "q": "q in (0, 1), p >= q"}, "p in [0, 1], q in (0, 1) when p >= q"),
    ("p - q >= 0", {**OF_P, "q": "0 < q < 1 and q <= p"}, ORDERED),
    ("p - q >= 0", {**OF_P, "q": "(0, 1)", "condition": "q <= p"}, ORDERED),
    ("p - q >= 0", {**OF_P, "": "q in (0, 1); q <= p"}, ORDERED),
    ("p - q >= 0", {**OF_P, "q": r"$q\in(0,1)$, $q\le p$"}, ORDERED),
    ("p - q >= 0", {**OF_P, "q": r"(0,1),\ q\leq p"}, ORDERED),
    ("p - q >= 0", "p in [0, 1], q in (0, 1), q <= p", ORDERED),
    ("p - q >= 0", {"p, q": "(0, 1), q <= p"}, "p, q in (0, 1) when q <= p"),
    ("p - q >= 0", {"p": "p, q in (0, 1), where q <= p"}, "p, q in (0, 1) when q <= p"),
    ("p - q >= 0", {"p": "R", "q": "real, p + q = 1"}, "p, q in R when p + q = 1"),
    (r"$\varepsilon\le\delta$", {r"\varepsilon, \delta": "(0, 1)"}, r"$\varepsilon,\delta\in(0,1)$"),
    (r"$\varepsilon\le\delta$", {"eps": "> 0", "delta": r"\ge\varepsilon"}, r"$\varepsilon>0$, $\delta\ge\varepsilon$"),
    ("x >= a", {"a": "[1, inf)", "x": "(0, inf), x >= 1.5 a log a"}, "a >= 1, x > 0 when x >= 1.5 a log a"),
    ("x >= a", {"a": r"$a\ge1$", "x": r"\in(0,\infty)"}, "a >= 1, x > 0"),
    ("x^2 <= 1", {"x": "|x| <= 1"}, "x in [-1, 1]"),
    ("x^2 <= 1", {"x": "real x with |x| <= 1"}, "x in [-1, 1]"),
    ("x^2 <= 1", {"x": "1 >= x > 0"}, "x in (0, 1]"),
    ("x^2 <= 1", {"x": "R \\ {0}, x <= 1"}, "x <= 1, x != 0"),
    ("x^2 <= 1", {"x": "!= 0, in [-1, 1]"}, "x in [-1, 1], x != 0"),
    ("x^2 <= 1", {"x": "for all x in [0, 1]"}, "x in [0, 1]"),
    ("n >= k", {"n": "integer >= 1, n even", "k": "N"}, "integer n >= 1, n even, integer k >= 1"),
    ("n >= k", {"n": "even, >= 2", "k": "{1, 2, ...}"}, "even n >= 2, integer k >= 1"),
    ("n >= k", {"n": "1, 2, 3, ...", "k": "integer, 0 <= k <= n"}, "integer n >= 1, integer k >= 0, k <= n"),
    ("n >= k", {"n": "n = 2, 3, ...", "k": "positive integer"}, "integer n >= 2, integer k >= 1"),
    ("n >= k", {"n": r"\mathbb{N}", "k": "0 <= k <= n, integer"}, "integer n >= 1, integer k >= 0, k <= n"),
    ("n >= k", {"k": "integer 0 <= k <= n", "n": "integers >= 1"}, "integer k >= 0, integer n >= 1, k <= n"),
    ("n >= k", {"n": "integer >= 2", "k": "{1, ..., n - 1}"}, "integer n >= 2, integer k >= 1, k <= n - 1"),
    ("n >= k", {"n": "integer >= 1", "k": "integers from 0 to n-1"}, "integer n >= 1, k from 0 to n-1"),
    (r"$n\ge k$", {"n": "integers from 2 to 9", "k": "1 <= k <= n"}, r"$n\in\{2,\dots,9\}$, integer $1\le k\le n$"),
    ("p + q <= 1", {"q": "1 - p", **OF_P}, "q = 1 - p, p in [0, 1]"),
    (
        r"$p(1-p)\le1/4$",
        {"p": "e^eps/(1 + e^eps)", "eps": "> 0"},
        r"$p=e^\varepsilon/(1+e^\varepsilon)$, $\varepsilon>0$",
    ),
    ("n >= k", {"n": "int", "k": "positive integer"}, "integer k >= 1, integer n"),
    ("n >= 1", "n=int", "integer n"),
    ("p <= 1", {"p": "0.3"}, "p = 0.3"),
    ("p <= 1", {"p": "3/10"}, "p = 0.3"),
    ("n >= 1", {"": "n = positive integer"}, "integer n >= 1"),
    ("x^2 >= 0", {"x": "float"}, "x in R"),
    ("n >= k", {"n": "N_0", "k": "integer in [0, n]"}, "integer n >= 0, integer k >= 0, k <= n"),
]


@pytest.mark.parametrize("statement, fields, said", FIELDS)
def test_a_field_says_what_stands_after_for(statement, fields, said):
    given, meant = read(statement, fields), read(f"{statement} for {said}")
    assert (given.ranges, given.conditions) == (meant.ranges, meant.conditions)


@pytest.mark.parametrize(
    "fields, why",
    [
        ({"x": "[0, 1"}, "the range of x: '[' is not closed"),
        ({"x": "[0, 1], x wombat"}, "the range of x: an assumption is a range"),
        ({"x": "(0, 1) or x = 2"}, "the range of x: "),
        ({"": "x: [0, 1]"}, "x has no range here: write x=[0, 1]"),
        ({"": "x"}, "x has no range here: write x=[0, 1]"),
        ({"x": "[0, 1]", "": ""}, "beside the statement: there is no statement"),
        ({"x": 1}, "the range of 'x' is text"),
        ({"x": "[0, 1], eps <= x", "epsilon": "(0, 1)"}, "another spelling"),
    ],
)
def test_a_field_that_cannot_be_read_is_named_and_has_no_place_in_the_statement(fields, why):
    with pytest.raises(Unread, match=r"(?s)" + why.replace("[", r"\[")) as caught:
        read("x epsilon <= 1" if "epsilon" in fields else "x <= 1", fields)
    assert caught.value.place == -1


def test_a_range_of_what_does_not_stand_beside_pi_is_asked_about():
    """The range may be that of a variable which is printed as pi, such as a prior."""
    with pytest.raises(Unread, match="pi is the constant, and x, which has a range, does not stand"):
        read(r"\frac{e\pi}{1+(e-1)\pi}\le1", {"x": "[0, 1]"}, "latex")
    assert read(r"x\le\pi", {"x": "[0, 1]"}, "latex").said == "x <= pi for x in [0, 1]"


def test_what_the_text_and_a_field_say_is_one_condition():
    assert len(read("p - q >= 0 for p, q in (0, 1) when p >= q", {"q": "(0, 1), q <= p"}).conditions) == 1


@pytest.mark.parametrize(
    ("statement", "fields", "meant"),
    [
        (r"\Delta^2\le1", {"D": "[0, 1]"}, "Delta^2 <= 1 for Delta in [0, 1]"),
        (
            r"\delta m\le m",
            {"d": "(0, 1)", "m": "integer [1, inf)"},
            "delta m <= m for delta in (0, 1), integer m >= 1",
        ),
        (r"\delta\Delta\le1", {"d": "(0, 1)", "D": "(0, 1]"}, "delta Delta <= 1 for delta in (0, 1), Delta in (0, 1]"),
    ],
)
def test_a_field_may_name_a_greek_letter_by_its_initial(statement, fields, meant):
    given = read(statement, fields, "latex")
    assert {**given.ranges} == {**read(meant, None, "plain").ranges}
    assert any("another spelling" in line for line in given.assumed)


KL = "kl(p, q) = p log(p/q) + (1 - p) log((1 - p)/(1 - q))"
PINSKER = "kl(p, q) >= 2 (p - q)^2 for p, q in (0, 1)"


@pytest.mark.parametrize(
    "statement, meant",
    [
        ("Phi(1) >= 0.8, where Phi is the standard normal distribution function", "Phi(1) >= 0.8"),
        ("phi(x) <= 1/2 - Phi(x) for x < 0, where Phi and phi are the normal cdf and density", None),
        ("gamma + gamma(x) >= 1 for x > 0, where gamma is Euler's constant", "euler + gamma(x) >= 1 for x > 0"),
        ("log x <= x for x > 0, where log is the natural logarithm.", "log x <= x for x > 0"),
        (f"{PINSKER}, where {KL}", PINSKER),
        (f"{PINSKER}, where {KL} with 0 log 0 = 0", PINSKER),
    ],
)
def test_a_sign_that_is_said_to_mean_what_it_means_is_left_out(statement, meant):
    given, plainly = read(statement), read(meant or statement.partition(", where")[0])
    assert (given.sentence, given.ranges, given.conditions) == (plainly.sentence, plainly.ranges, plainly.conditions)
    assert "it is what the sign means here" in " ".join(given.assumed)


@pytest.mark.parametrize(
    "statement",
    [
        f"kl(p, q) >= 2 (p - q)^2 for p in [0, 1], q in (0, 1), where {KL}",  # 0 log 0 is not printed
        f"kl(p, q) >= 2 (p - q)^2 for 0 ≤ p ≤ 1, q in (0, 1), where {KL}",
        f"{PINSKER}, where {KL.replace('p/q', 'q/p')}",
    ],
)
def test_a_sign_that_means_something_else_stays(statement):
    with pytest.raises(Unread):
        read(statement)


def test_a_condition_on_a_sign_is_no_definition():
    assert len(read("p <= q + 1 for p, q in (0, 1), where kl(p, q) = 1/10").conditions) == 1


@pytest.mark.parametrize(
    "prose, signs",
    [
        ("The function x -> x log(x) is convex on (0, infinity)", "x log(x) is convex in x for x in (0, inf)"),
        ("the function t -> Phi(t) is strictly increasing on R", "Phi(t) is strictly increasing in t for t in R"),
        (
            "inf over t > 0 of (a/t + b (t)) = 2 sqrt(a b) for a, b > 0",
            "inf(a/t + b t, t > 0) = 2 sqrt(a b) for a, b > 0",
        ),
        ("sup over s in [0, 1] of (s (1 - s)) <= 1/4", "sup(s (1 - s), s in [0, 1]) <= 1/4"),
    ],
)
def test_words_are_signs(prose, signs):
    said, meant = read(prose), read(signs)
    assert (said.sentence, said.ranges) == (meant.sentence, meant.ranges)
