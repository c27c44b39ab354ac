"""Series and what they come to, and sentences that may mean something else."""

import numpy as np
import pytest

from banditproof import judge
from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.formula import NoStatement
from banditproof.verify.judge.reading.readers import read
from banditproof.verify.judge.ways.known_sums import with_known_sums

REFUSED = [
    (r"Randomised response that reports the true bit with probability $p$ and the flipped bit with probability $p/2$ "
     r"is $1$-DP for $p\in(1/2,1)$.", "add up to 1"),
    (r"Adding Laplace noise of scale $b$ to a function of $\ell_2$-sensitivity $1$ is $1/b$-DP for $b>0$.", "sum"),
    (r"Let $W$ be the lower branch of the Lambert function. Then $W(x)\le\log x$ for $x\ge e$.", "lower"),
    (r"As $n\to\infty$ and $m\to\infty$, $n/m\to1$.", "claimed"),
    ("the largest c such that x >= c for x in [1, 2] is y", "range"),
]  # fmt: skip


@pytest.mark.parametrize("statement, why", REFUSED)
def test_what_may_mean_something_else_is_refused(statement, why):
    answer = judge(statement)
    assert answer.verdict == "not read" and why in answer.why


def test_promises_of_many_are_no_law():
    reading = read(
        r"The composition of $N$ $(0,\delta)$-DP mechanisms is $(0,N\delta)$-DP for $N\ge1$, $\delta\in[0,1]$."
    )
    assert reading.sentence.mechanism == "composition"


SERIES = "q^k|q^(2 k+1)|k q^k|k^2 q^k|q^k/k|x^k/k!|exp(-a (k-1)/2)|(-q)^k|k/3^k|1/(k (k+2))|1/((2 k-1) (2 k+1))|c/k^4"


@pytest.mark.parametrize("body", SERIES.split("|"))
@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_the_value_of_a_series_is_what_its_first_terms_come_to(body, first):
    """At one point, in floats, against the sum of many terms; what is not known for a first index is refused."""
    words = "q in (0, 1), a > 0, x > 0, c in R"
    total = read(f"sum({body}, k={first}..inf) <= 1 for {words}")
    point = {"q": 0.3, "a": 1.4, "x": 1.3, "c": -2.0}
    try:
        known = with_known_sums(total.sentence.left, total.ranges)
    except NoStatement:
        assert first != 1
        return
    counts = np.arange(first, 120 if "!" in body else 5000, dtype=float)
    with np.errstate(all="ignore"):
        terms = np.broadcast_to(value_of(total.sentence.left.args[3], {**point, "k": counts}), counts.shape)
    assert float(value_of(known.formula, point)) == pytest.approx(float(np.nansum(terms)), abs=3e-4)


def test_a_series_refutes_only_where_it_converges():
    """Where it does not, nothing is said of it."""
    assert judge("sum(q^k, k=0..inf) >= 0 for q in [0, 2]", seconds=5).verdict == "open"
    answer = judge("sum(q^k, k=0..inf) <= 5 for q in [0, 2]", seconds=20)
    assert answer.verdict == "refuted" and answer.failure.point["q"] < 1


@pytest.mark.parametrize(
    "statement",
    [
        "the largest c with kl(p, q) >= c*(p - q)^2 is 2 for p in (0, 1), q in (0, 1)",
        "the composition of r-zCDP, s-zCDP mechanisms is (r + s)-zCDP for r > 0, s > 0",
    ],
)
def test_what_is_said_of_a_sentence_reads_back(statement):
    reading = read(statement)
    again = read(reading.said)
    assert (again.sentence, again.ranges) == (reading.sentence, reading.ranges)
