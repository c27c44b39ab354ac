"""What is written by habit is refused with what to write instead, and a convention that a value rests on is told."""

import pytest

from banditproof import judge
from banditproof.verify.judge.reading import read
from banditproof.verify.judge.receipts import receipt
from banditproof.verify.judge.sentence import Unread

UNIT = {"x": "[0, 1]"}
CURES = [
    ("ALG-T5.3", None, "banditproof explain 'ALG-T5.3' shows it"),
    ("Lemma F.2", None, "names a claim"),
    (r"\Delta^2\le1", {"d": "[0, 1]"}, "Delta has no range, and d, which has one"),
    (r"\Delta^2\le1", {"d": "[0, 1]"}, "--where 'Delta=[0, 1]'"),
    (r"\alpha^2\le1", {"b": "(0, 1]"}, "--where 'alpha=(0, 1]'"),
    (r"\theta+\tau\le2", {"t": "[0, 1]"}, "theta has no range, and t, which has one"),
    (r"\mu+m\le2", {"m": "[0, 1]"}, "mu has no range"),
    ("n^2 >= 1", {"N": "integer >= 1"}, "--where 'n=integer in [1, inf)'"),
    ("Delta^2 <= 1 for D in [0, 1]", None, "'for Delta in [0, 1]'"),
    ("phi^2 <= 1", {"psi": "[0, 1]"}, "--where 'phi=[0, 1]'"),
    ("eps + epsilon <= 1", {"varepsilon": "[0, 1]"}, "eps has no range"),  # of which is it another spelling?
    ("eps + epsilon <= 2", {"epsilon": "[0, 1]"}, "eps has no range"),
    ("epsilon <= 2", {"eps": "[0, 1]", "varepsilon": "[0, 2]"}, "epsilon has no range"),
    ("epsilon_1 <= 1", {"eps_2": "[0, 1]"}, "--where 'epsilon_1=[0, 1]'"),
    (r"\log2\,\bigl(1+x\bigr)\le1", UNIT, r"log(2*(1 + x)) or log(2)*(1 + x)"),
    (r"\log2\,\bigl(1+x\bigr)\le1", UNIT, r"\log_2(...) for the base 2"),
    ("log 10 (1 + x) <= 9", UNIT, "log_10(...)"),
    ("log(x) <= x - 1 for x > 0 (log = log2)", None, "log2(x)"),
    ("lnx <= x - 1 for x > 0", None, "write ln(x)"),
    ("f(x) >= 0 for x in [0, 1]", None, "what is f(x)?"),
    (r"\lnx\le x-1,\ x>0", None, r"write ln(x), or \ln in LaTeX"),
    ("sqrt2 <= 3/2", None, "write sqrt(2)"),
    ("xlog(x) <= x^2 for x >= 1", None, "write x log(...)"),
    ("xy <= 1 for x, y in [0, 1]", None, "write x y for the product"),
    ("x < = 1", UNIT, "write <= without a space"),
    (r"x > = 0,\ x\in[0,1]", None, "write >= without a space"),
    ("x => 0", UNIT, "write >= for 'at least'"),
    ("kl(x, y) => 2 (x - y)^2 for x in [0, 1], y in (0, 1)", None, "write >= for 'at least'"),
    ("x + y <= 2 for x in [0, 1] y in (0, 1)", None, "a comma is missing: write ], y in"),
    ("x <= 1 for x in [1, 0]", None, "the range of x is empty, from 1 to 0: are its ends swapped?"),
    ("x <= 1 for integer x in [1/3, 1/2]", None, "the range of x is empty, from 1/3 to 1/2"),
    ("x <= 1 for x in [0%, 50.5%]", None, "written as a fraction: 0/100 for 0%"),
    ("^2 >= 0$ for  in R$", None, "a shell reads $x in double quotes"),
    ("x > 1/2 => foo(x) > 1", UNIT, "foo is no function"),  # => is right here
    ("0,5 x <= 1", UNIT, "0.5 in place of 0,5"),
    (r"x\le1{,}5", UNIT, "1.5 in place of"),
    ("x <= 1,000", UNIT, "or 1000 if it is a whole number"),
    ("x <= 1", {"x": "[0, 0,5]"}, "the range of x: a decimal is written with a point"),
    ("x <= foo(1) for x in [0,5]", None, "foo is no function"),
    ("x <= y for x in [0, 1], y in", None, "where y lies is missing"),
    ("x + y <= 2 for integer x in, y in [0, 1]", None, "where x lies is missing"),
    (r"x\le1,\ x\in", None, "where x lies is missing"),
    ("x <= 1", {"x": "integer in"}, "where x lies is missing"),
    ("the regret is at most 3 log T", None, "regret is a word, and has no range"),
    ("the regret is at most 3 log T", None, "banditproof bounds regret"),
    ("variance <= 1/4", None, "write the formula that it stands for"),
    (r"\Delta^2\le1", {"d": "[0, 1]"}, "in Python where={'Delta': '[0, 1]'}"),
    ("x <= 2 für x in [0,1]", None, "are read in English, and 'für' is none"),
    ("x^2 ist höchstens x für alle x in [0,1]", None, "'ist'"),
    ("x^2 <= x pour tout x in [0,1]", None, "'pour'"),
    ("Sei x in [0, 1]. Dann gilt x^2 <= x", None, "'Sei'"),
    ("plain.txt", None, "plain.txt is the name of a file"),
    ("-h", None, "judge --help"),
    ("mean of n values in [0, 1] plus Laplace noise of scale 1/(n eps) is eps-DP", None, "'under replacement'"),
]


@pytest.mark.parametrize("text, where, words", CURES)
def test_a_slip_is_refused_with_what_to_write_instead(text, where, words):
    with pytest.raises(Unread) as refused:
        read(text, where)
    assert words in str(refused.value) and len(str(refused.value)) < 200


@pytest.mark.parametrize(
    "text, where, meant",
    [
        ("epsilon^2 <= 1", {"eps": "[0, 1]"}, "epsilon^2 <= 1 for epsilon in [0, 1]"),
        ("eps <= 1 for epsilon in [0, 1]", None, "eps <= 1 for eps in [0, 1]"),
        (r"\lambda_1\le1", {"lam_1": "[0, 1]"}, "lam_1 <= 1 for lam_1 in [0, 1]"),
        # not the budgets that are taken where none is printed
        (
            "epsilon-DP implies epsilon^2/2-zCDP",
            {"eps": "(0, 1]"},
            "epsilon-DP implies epsilon^2/2-zCDP for epsilon in (0, 1]",
        ),
        ("x <= 5 for x in (0,5)", None, "x <= 5 for x > 0 and x < 5"),
        ("min(0,5, x) <= 0", UNIT, "min(0, 5, x) <= 0 for x in [0, 1]"),
        ("x >= 1/2 => x > 0", UNIT, "x > 0 when x >= 1/2 for x in [0, 1]"),
        ("x^2 >= 0 for x in reals", None, "x^2 >= 0 for real x"),
    ],
)
def test_what_has_one_meaning_is_read(text, where, meant):
    given, plain = read(text, where), read(meant)
    assert (given.sentence, given.ranges) == (plain.sentence, plain.ranges)


@pytest.mark.parametrize(
    "text, powers",
    [
        ("x^x >= 0.6 for x in [0, 1]", ["x^x"]),
        ("x^x >= 0.6 for x in (0, 1]", []),
        ("x^y <= 1 for x, y in [0, 1]", ["x^y"]),
        ("(x + 1)^x >= 1/2 for x in [0, 1]", []),
        ("x^2 <= 1 for x in [0, 1]", []),
        ("abs(x)^abs(x) <= 4 for x in [-2, 2]", ["abs(x)^abs(x)"]),
        ("(1 - 1/n)^(n - 1) <= 1 for integer n >= 1", ["(1 - 1/n)^(n - 1)"]),
        ("(1 - 1/n)^n <= 1/2 for integer n >= 1", []),
        ("sum(x^k, k=0..n) <= n + 1 for x in [0, 1], integer n >= 1", ["x^k"]),
        ("sum(x^k, k=1..n) <= n for x in [0, 1], integer n >= 1", []),
    ],
)
def test_that_0_to_the_power_0_is_1_is_told_where_it_is_used(text, powers):
    assert [a for a in read(text).assumed if "0^0" in a] == [f"0^0 is 1, where {p} comes to that" for p in powers]


def test_the_convention_of_an_edge_is_named_in_the_answer(alone):
    answer = judge("(1 + x) log(1 + x) >= -1/2 for x in [-1, 1]")
    assert answer.verdict == "refuted at an edge" and "unless 0 log 0 counts as 0" in answer.why
    assert (
        answer.repair.said == "(1 + x)*log(1 + x) >= -1/2 for x in (-1, 1]"
        and judge(answer.repair.said).verdict == "proved"
    )
    told = alone(receipt(answer)).stdout
    assert told.startswith("confirmed: ") and "has no value at x = -1" in told
    with_it = judge("(1 + x) log(1 + x) >= -1/2 for x in [-1, 1], with 0 log 0 = 0")
    assert with_it.verdict == "proved from named facts" and "0 log 0 is 0" in with_it.facts[0]
    refused = judge("x^x < 1 for x in [0, 1/2]")
    assert refused.verdict == "refuted at an edge" and "0^0 is 1" in refused.reading.assumed[0]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("x <= 1 for x between 0 and 1", "proved"),
        (r"$\log(1+x)\ge x$ for every $x$ between $0$ and $1/2$.", "refuted"),
        ("log x y <= x y for x, y > 1", "proved"),
        (
            "the sum of n numbers in [0, 1] plus Laplace noise of scale 1/eps is eps-DP for eps > 0",
            "proved from named facts",
        ),
        ("x^2 < x for x between 0 and 1", ["[0, 1]: refuted at an edge", "(0, 1): proved"]),
        (
            "1/2 x <= 1/x for x > 1",
            ["1/(2*x) <= 1/x for x in (1, inf): proved", "1/2*x <= 1/x for x in (1, inf): refuted"],
        ),
        ("log 2 (x + 1) <= 0.69 (x + 1) for x >= 1", ["log(2*(x + 1))", "log(2)*(x + 1)", "log(x + 1)/log(2)"]),
        ("x^2 <= 1, x + 1 <= 2 for x in [-1, 3]", ["and x + 1 <= 2 for x in [-1, 3]: refuted", "when x + 1 <= 2"]),
        (
            "Releasing the sum of n numbers in [-1, 1] plus Laplace noise of scale 1/eps is eps-DP for eps > 0",
            ["sensitivity 1 - (-1) is (eps)-DP for eps in (0, inf): refuted", "max(abs(-1), abs(1))"],
        ),
        ("1 + x <= exp(x)", "proved"),
        ("a b <= eps a^2 + b^2/(8 eps)", "refuted"),
        (
            "sqrt(x) <= x",
            [
                "(0, inf): refuted",
                "(0, 1): refuted",
                "(1, inf): proved",
                "integer x in [1, inf): proved",
                "(-inf, inf)",
            ],
        ),
        ("the distance d between 0 and x is at most 1 for x in [0, 1]", []),
        (r"For $x>0$ we have $e^x\ge1+x$. Taking logarithms gives $x\ge\log(1+x)$.", "proved"),
        (r"$e^x\ge1+x$ for $x>0$. Therefore $x\ge1$.", "refuted"),
        ("x^2 + 1 >= 2 x for real x, hence x >= 1", "refuted"),
        (r"$x\mapsto x^3$ is increasing on $[0,1]$ because $3x^2\ge0$.", "proved"),
        (
            r"$e^x\ge1+2x$ for $x>0$, which gives $e^{2x}\ge1+2x$.",
            ["and exp(2*x) >= 1 + 2*x for x in (0, inf): refuted", "when exp(x) >= 1 + 2*x for x in (0, inf): proved"],
        ),
        (r"$x^2\ge x$ since $x\ge1$, for $x>0$", ["x^2 >= x >= 1 for x in (0, inf): refuted", "x in [1, inf): proved"]),
        (
            "1 + k <= 2^k n for k > 0 and every integer n >= 1",
            [
                "for integer k in [1, inf), integer n in [1, inf): proved",
                "for k in (0, inf), integer n in [1, inf): refuted",
            ],
        ),
        (r"\sup_{n>0}\frac1n=1", ["sup(1/n, integer n in [1, inf)) = 1: proved", "n in (0, inf)) = 1: refuted"]),
    ],
)
def test_what_has_several_readings_has_the_verdict_of_all_or_is_told_that_of_each(statement, said):
    answer = judge(statement)
    if isinstance(said, str):
        assert answer.verdict == said and "every reading" in answer.reading.assumed[-1]
    else:
        assert answer.verdict == "not read" and answer.why.count("read as") == len(said)
        assert all(each in answer.why for each in said)
