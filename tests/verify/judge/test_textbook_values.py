"""Series, binomials, best constants, compositions, sentences: each with a true statement and a false neighbour."""

import numpy as np
import pytest

from banditproof import judge
from banditproof.verify.judge.floats import value_of
from banditproof.verify.judge.formula import NoStatement
from banditproof.verify.judge.known_sums import with_known_sums
from banditproof.verify.judge.reading import read

DP = r"For $\varepsilon>0$, $\delta,\delta'\in(0,1/10)$ and every integer $k\ge1$, the $k$-fold composition of "
PAIRS = {  # true, and false by one number, sign or end
    "a union bound over all rounds": (
        "sum(6 delta/(pi^2 t^2), t=1..inf) <= delta for delta in (0, 1)",
        "sum(6 delta/(pi^2 t^2), t=1..inf) < delta for delta in (0, 1)",
    ),
    "a part of it": (
        "sum(6 delta/(pi^2 t^2), t=1..n) < delta for delta in (0, 1), integer n >= 1",
        "sum(61/10*delta/(pi^2 t^2), t=1..n) <= delta for delta in (0, 1), integer n >= 1",
    ),
    "a telescoping series": (
        "sum(delta/(t (t + 1)), t=1..inf) = delta for delta in (0, 1)",
        "sum(delta/(t (t + 2)), t=1..inf) = delta for delta in (0, 1)",
    ),
    "a geometric tail": ("sum(exp(-n a), n=1..inf) <= 1/a for a > 0", "sum(exp(-n a), n=0..inf) <= 1/a for a > 0"),
    "the mean of a geometric law": (
        "sum(k (1 - p)^(k - 1) p, k=1..inf) = 1/p for p in (0, 1)",
        "sum(k (1 - p)^k p, k=1..inf) = 1/p for p in (0, 1)",
    ),
    "the exponential series": (
        "exp(-x) sum(x^k/k!, k=0..inf) = 1 for x > 0",
        "exp(-x) sum(x^k/k!, k=1..inf) = 1 for x > 0",
    ),
    "the moments of a binomial law": (
        "sum(k^2 binom(n, k) p^k (1 - p)^(n - k), k=0..n) = n p (1 - p) + n^2 p^2 for integer n >= 1, p in (0, 1)",
        "sum(k binom(n, k) p^k (1 - p)^(n - k), k=0..n) = n p (1 - p) for integer n >= 1, p in (0, 1)",
    ),
    "all binomials": (
        "sum(binom(n, k), k=0..n) = 2^n for integer n >= 0",
        "sum(binom(n, k), k=1..n) = 2^n for integer n >= 0",
    ),
    "a binomial from above": (
        "binom(n, k) <= (e n/k)^k for integer n >= 1, integer k in [1, n]",
        "binom(n, k) <= (2 n/k)^k for integer n >= 1, integer k in [1, n]",
    ),
    "a binomial from below": (
        "(n/k)^k <= binom(n, k) for integer n >= 1, integer k in [1, n]",
        "(11/10*n/k)^k <= binom(n, k) for integer n >= 1, integer k in [1, n]",
    ),
    "binomials up to a count": (
        "sum(binom(n, i), i=0..d) <= (e n/d)^d for integer n >= 1, integer d in [1, n]",
        "sum(binom(n, i), i=0..d) <= n^d for integer n >= 1, integer d in [0, n]",
    ),
    "a mean by its upper confidence bound": (
        "q <= p + sqrt(2 p kl(p, q)) + 2 kl(p, q) for p in [0, 1], q in (0, 1)",
        "q <= p + sqrt(2 p kl(p, q)) + kl(p, q)/2 for p in [0, 1], q in (0, 1)",
    ),
    "a refinement of Pinsker's inequality": (
        "kl(p, q) >= 2 (p - q)^2 + 4/9*(p - q)^4 for p in [0, 1], q in (0, 1)",
        "kl(p, q) >= 2 (p - q)^2 + (p - q)^4 for p in [0, 1], q in (0, 1)",
    ),
    "the normal law": (
        "Phi(x) <= 1/2 + sqrt(1 - exp(-2 x^2/pi))/2 for x >= 0",
        "Phi(x) <= 1/2 + sqrt(1 - exp(-x^2/2))/2 for x >= 0",
    ),
    "the moments of a law on two points": (
        "log(1 - p + p exp(t)) - p t <= (1 - 2 p) t^2/(4 log((1 - p)/p)) for p in (0, 1/2), t in R",
        "log(1 - p + p exp(t)) - p t <= (1 - 2 p) t^2/(5 log((1 - p)/p)) for p in (0, 1/2), t in R",
    ),
    "Bernoulli's inequality": (
        "(1 + x)^n >= 1 + n x for x >= -1, integer n >= 1",
        "(1 + x)^n >= 1 + n x for x >= -2, integer n >= 1",
    ),
    "Wallis's product": (
        "prod(4 k^2/(4 k^2 - 1), k=1..n) -> pi/2 as n -> inf",
        "prod(4 k^2/(4 k^2 - 1), k=1..n) -> 3/2 as n -> inf",
    ),
    "a product of halves": (
        "prod(1 + 1/(2 k), k=1..n) ~ 2 sqrt(n/pi) as n -> inf",
        "prod(1 + 1/(2 k), k=1..n) ~ sqrt(n) as n -> inf",
    ),
    "a largest constant, which is attained": (
        "the best constant c such that log(1 + x) >= c x for x in [0, 1] is log(2)",
        "the largest constant c such that log(1 + x) >= c x for x in [0, 1] is 1/2",
    ),
    "a smallest constant": (
        r"The smallest $c$ with $\log x\le cx$ for all $x>0$ is $c=1/e$.",
        r"The smallest $c$ with $\log x\le cx$ for all $x>0$ is $c=1/3$.",
    ),
    "a largest constant, to which only a limit comes": (
        "the largest c such that kl(p, q) >= c (p - q)^2 for p, q in (0, 1) is 2",
        "the largest c such that kl(p, q) >= c (p - q)^2 for p, q in (0, 1) is 1",
    ),
    "another budget": (
        r"Any $(\varepsilon,\delta)$-DP mechanism is $(\varepsilon',\delta')$-DP for all $\varepsilon'\ge\varepsilon>0$"
        r" and $1>\delta'\ge\delta>0$.",
        "(eps, delta)-DP implies (eps/2, 2 delta)-DP for eps > 0, delta in (0, 1/2)",
    ),
    "advanced composition": (
        DP + r"$(\varepsilon,\delta)$-DP mechanisms is "
        r"$(\varepsilon\sqrt{2k\log(1/\delta')}+k\varepsilon(e^\varepsilon-1),k\delta+\delta')$-DP.",
        DP + r"$(\varepsilon,\delta)$-DP mechanisms is "
        r"$(\varepsilon\sqrt{2k\log(1/\delta')}+k\varepsilon(e^\varepsilon-1),\delta+\delta')$-DP.",
    ),
    "two promises": (
        r"Running a $\rho_1$-zCDP and a $\rho_2$-zCDP mechanism gives $(\rho_1+\rho_2)$-zCDP for $\rho_1,\rho_2>0$.",
        r"Running a $\rho_1$-zCDP and a $\rho_2$-zCDP mechanism gives $\max(\rho_1,\rho_2)$-zCDP for"
        r" $\rho_1,\rho_2>0$.",
    ),
    "a flipped bit": (
        r"Randomised response that reports the true bit with probability $\frac{e^\varepsilon}{1+e^\varepsilon}$ and "
        r"the flipped bit otherwise is $\varepsilon$-DP for $\varepsilon>0$.",
        r"Randomised response that flips the bit with probability $\frac1{2+e^\varepsilon}$ is $\varepsilon$-DP for "
        r"$\varepsilon>0$.",
    ),
    "a law by its name": (
        r"Adding $Z\sim\mathcal N(0,\sigma^2)$ to a query of sensitivity $\Delta$ gives "
        r"$\frac{\Delta^2}{2\sigma^2}$-zCDP ($\Delta,\sigma>0$).",
        r"A mechanism adds $\mathrm{Lap}(b)$ noise to a count. Then it is $\frac1{2b}$-DP for $b>0$.",
    ),
    "a limit before its claim": (
        r"As $n\to\infty$, $$\sum_{k=1}^n\frac1k\sim\log n.$$",
        r"As $n\to\infty$, $$\sum_{k=1}^n\frac1k\sim2\log n.$$",
    ),
    "notes on names": (
        r"Let $W$ be the principal branch of the Lambert function. Then $W(x)\le\log x$ for $x\ge e$.",
        r"Let $W$ be the principal branch of the Lambert function. Then $W(x)\ge\log x$ for $x\ge e$.",
    ),
    "a title and a note": (
        r"Bernoulli's inequality: $2^n\ge1+n$ for $n\ge1$ (integer).",
        r"(Bernoulli) $2^n\ge2+n$ for $n\ge1$ ($n$ integer)",
    ),
}


@pytest.mark.nightly("a largest constant, to which only a limit comes", "a largest constant, which is attained")
@pytest.mark.one_in(6)
@pytest.mark.parametrize("kind", PAIRS)
def test_a_true_statement_is_proved_and_its_false_neighbour_refuted(kind):
    true, false = (judge(statement, seconds=120) for statement in PAIRS[kind])
    assert true.verdict.startswith("proved"), true
    assert false.verdict.startswith("refuted"), false


REFUSED = [
    (r"Randomised response that reports the true bit with probability $p$ and the flipped bit with probability $p/2$ "
     r"is $1$-DP for $p\in(1/2,1)$.", "add up to 1"),
    (r"Adding Laplace noise of scale $b$ to a function of $\ell_2$-sensitivity $1$ is $1/b$-DP for $b>0$.", "sum"),
    (r"Let $W$ be the lower branch of the Lambert function. Then $W(x)\le\log x$ for $x\ge e$.", "lower"),
    (r"As $n\to\infty$ and $m\to\infty$, $n/m\to1$.", "claimed"),
    (r"The composition of a $\rho$-zCDP and an $\varepsilon$-DP mechanism is $(\rho+\varepsilon)$-zCDP for "
     r"$\rho,\varepsilon>0$.", "two kinds"),
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
