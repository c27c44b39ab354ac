r"""Appendix D: the constants that the proofs of the private Chernoff bound and of its corollary arrive at.

The lemma and the corollary are checked by themselves (BDP-LD.3, BDP-CD.5); here it is asked whether what is
written in between leads there: the constant (24), (25) and (26) add up to, the one of the lower tail, and (27).
"""

import math
from fractions import Fraction
from functools import cache
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.theory import d_epsilon, noisy_sum_tail

HALF = Fraction(1, 2)


def growth(m: int, epsilon: Any, deviation: Any) -> Any:
    return to_ball(1).exp() * (1 + m * to_ball(epsilon * deviation)) ** m


def assembled_constant(n: int, m: int, mu: Any, epsilon: Any, x: Any) -> Any:
    """What (19), (21), (22), (24), (25), (26) add up to, divided by e^(-n d_epsilon)."""
    e = growth(m, epsilon, x - n * mu)
    return 1 + n * e * -log(to_ball(mu)) + e


@claim(
    "BDP-EQ17/together-repaired",
    deduced(),
    false={"factor": "0.1"},
    where=["x >= n * mu", "x <= n"],
    repairs="BDP-EQ17/together",
)
def together_with_n(n: Count, m: Count, mu: Inside, epsilon: Positive, x: Real, factor=1):
    r"""(24), (25) and (26) together give $\Pr[\tilde S_{n,m}\ge x]\le\big(n\,e(1+m\epsilon
    D)^m\log\frac1\mu+e(1+m\epsilon D)^m+1\big)e^{-nd_\epsilon(x/n,\mu)}$, with $n$ in the place of $x-n\mu$"""
    bound = assembled_constant(n, m, mu, epsilon, x) * exp(-n * d_epsilon(to_ball(x) / n, mu, epsilon))
    return noisy_sum_tail(n, m, mu, epsilon, x), "<=", to_ball(factor) * bound


@claim(
    "BDP-EQ17/lower-constant",
    fails_at(n=8, m=1, mu=HALF, epsilon=1, x=0, rational=True),
    where=["x <= n * mu", "x >= 0"],
    role="step",
    slip="The signs are wrong in this line only: the statement of Lemma D.3 has n mu - x and yn - x, which are right.",
    called={r"$\Pr[\tilde S_{n,m}\le x]$": "left", r"the printed $A_\epsilon e^{-nd_\epsilon(x/n,\mu)}$": "right"},
)
def lower_constant(n: Count, m: Count, mu: Inside, epsilon: Positive, x: Real, sign=1, factor=1):
    r"""last line of the proof: for $x\le n\mu$ the lower tail $\Pr[\tilde S_{n,m}\le x]$ is at most $A_\epsilon
    e^{-nd_\epsilon(x/n,\mu)}$ with
    $A_\epsilon=(x-n\mu)\max_{y}\{e(1+m\epsilon(x-yn))^m\log\frac1{1-\mu}\}+e(1+m\epsilon(x-n\mu))^m+1$, $y$ between
    $x/n$ and $\mu$

    The signs are those of the upper tail: here x - n mu <= 0, so the constant can be negative. With n mu - x and y n -
    x, as in Lemma D.3, the bound holds.

    Here D = sign (x - n mu), and the maximum over y is of (1 + m epsilon sign (x - y n))^m.
    """
    deviation = sign * (x - n * mu)
    power = (1 + m * epsilon * deviation) ** m
    largest = maximum(power, 1)  # the base is 1 at y = x/n, and monotone in y
    constant = to_ball(1).exp() * (to_ball(deviation * largest) * -log(to_ball(1 - mu)) + to_ball(power)) + 1
    bound = constant * exp(-n * d_epsilon(to_ball(x) / n, mu, epsilon))
    return noisy_sum_tail(n, m, 1 - mu, epsilon, n - x), "<=", to_ball(factor) * bound  # the lower tail at x


@repaired(
    "BDP-EQ17/lower-constant-repaired", "BDP-EQ17/lower-constant", deduced(), false=[{"sign": 1}, {"factor": "0.1"}]
)
def lower_constant_with_its_signs(sign=-1):
    r"""end of the proof, with the signs of the lemma: the lower tail is at most $A_\epsilon e^{-nd_\epsilon(x/n,\mu)}$
    with $A_\epsilon=(n\mu-x)\max_y\{e(1+m\epsilon(yn-x))^m\log\frac1{1-\mu}\}+e(1+m\epsilon(n\mu-x))^m+1$"""


def constant_with(power: int, mu: Any, epsilon: Any, deviation: Any) -> Any:
    """The constant of the lemma at n x, D = n (x - mu), for this many Laplace terms (0 allowed)."""
    e = growth(power, epsilon, deviation)
    return to_ball(deviation) * e * -log(to_ball(mu)) + e + 1


@claim(
    "BDP-CD.5/27",
    fails_at(n=1, m=1, mu=HALF, epsilon=1, x=1, rational=True),
    where=["x >= mu"],
    role="step",
    slip="An index is off by one: after batch m the corollary sums m Laplace variables, the algorithm m + 1.",
    called={"the constant of Lemma D.3": "left", "that of (27)": "right", r"$x-\mu$": "deviation"},
)
def one_more_term(n: Count, m: Natural, mu: Inside, epsilon: Positive, x: Probability):
    r"""(27) $A_\epsilon(m,n_m,x,\mu)$ of Lemma D.3 equals $n_m(x-\mu)e(1+(m+1)\epsilon
    n_m(x-\mu))^{m+1}\log\frac1\mu+e(1+(m+1)\epsilon n_m(x-\mu))^{m+1}+1$ (the maximum over $y$ is at $y=\mu$)

    The lemma has m where (27) has m + 1: after batch m the algorithm has added m + 1 Laplace variables, the corollary
    m. With <= in place of = the line holds, and <= is enough.
    """
    deviation = n * (x - mu)
    return constant_with(m, mu, epsilon, deviation), "==", constant_with(m + 1, mu, epsilon, deviation)


@claim(
    "BDP-CD.5/27-repaired",
    enumerated(
        n=[1, 30], m=[0, 1, 6], mu=["1/100", "1/2"], epsilon=["1/1000", "1", "50"], x=["51/100", "1"], rational=True
    ),
    deduced(),
    false={"factor": "0.5"},
    where=["x >= mu", "x > mu"],
    repairs="BDP-CD.5/27",
)
def larger_with_one_more_term(n: Count, m: Natural, mu: Inside, epsilon: Positive, x: Probability, factor=1):
    r"""(27) $A_\epsilon(m,n_m,x,\mu)\le$ the same with $m+1$ in the place of $m$ (equal at $x=\mu$)"""
    left, _, right = one_more_term(n, m, mu, epsilon, x)
    return left, "<=", to_ball(factor) * right


@cache
def limits(sequence: str, epsilon: Fraction, power: int) -> tuple[Any, Any, Any]:
    """Limits, for n = sequence(m), of m log(n)^power / n and of a lower and an upper bound of log(A(n)) / n.

    With Q = (1 + (m + 1) epsilon n)^(m + 1): e Q <= A(n) <= e Q (n log(1/mu) + 2); log(1/mu) <= n for all large n.
    """
    import sympy

    m = sympy.Symbol("m", positive=True)
    n: Any = sympy.parse_expr(sequence, local_dict={"m": m, "log": sympy.log, "sqrt": sympy.sqrt})
    log_q = (m + 1) * sympy.log(1 + (m + 1) * sympy.Rational(epsilon) * n)
    formulas = (m * sympy.log(n) ** power / n, (1 + log_q) / n, (1 + log_q + sympy.log(n * n + 2)) / n)
    found = [sympy.limit(f, m, sympy.oo) for f in formulas]
    first, second, third = (math.inf if v == sympy.oo else Fraction(str(v)) for v in found)
    return first, second, third


@quantity
def limit_of_the_batches(sequence: str, power: int) -> Any:
    """The limit of m log(n_m)^power / n_m."""
    return limits(sequence, Fraction(1), power)[0]


@quantity
def limit_of_the_constant(sequence: str, epsilon: Any, end: int) -> Any:
    """The limit of a lower bound of log A(n_m) / n_m, or of an upper bound where `end` is 1."""
    return limits(sequence, Fraction(epsilon), 0)[1 + end]


@claim(
    "BDP-CD.5/argument",
    fails_at(sequence="m*log(m)", epsilon=1, rational=True),
    role="step",
    called={r"$n_m=m\log m$": "sequence", r"the limit of $\log A(n_m)/n_m$": "left"},
    assuming="""the limit of a lower bound: A(n) is at least e Q for the power Q in it, and SymPy takes the limit of
    log(e Q)/n""",
)
def subexponential(sequence: Annotated[Any, "all: every sequence n_m with m/n_m -> 0"], epsilon: Positive, power=0):
    r"""the last line of the proof, which concludes from $1+x\le be^x$: whenever $m/n_m\to0$, the constant
    $A(n_m)=n_me(1+(m+1)\epsilon n_m)^{m+1}\log\frac1\mu+e(1+(m+1)\epsilon n_m)^{m+1}+1$ is $e^{o(n_m)}$, that is $\log
    A(n_m)/n_m\to0$

    A(n_m) contains ((m + 1) epsilon n_m)^(m + 1). Along n_m = m log m its logarithm is about 2 m log m, which is not
    o(n_m). It is o(n_m) if m log(n_m)/n_m tends to 0, as for the geometric batches (14). The corollary holds as
    printed, by another proof (Chernoff's bound for the whole noisy sum, with (n_m/m)^m in place of (m n_m)^m).

    The hypothesis is that m log(n_m)^power / n_m tends to 0; if it does not, nothing is claimed.
    """
    lower, upper = (limit_of_the_constant(sequence, epsilon, end) for end in (0, 1))
    larger = where(lower, ">", 0, lower, upper)
    return where(limit_of_the_batches(sequence, power), "==", 0, larger, 0), "<=", 0


@repaired(
    "BDP-CD.5/argument-repaired",
    "BDP-CD.5/argument",
    enumerated(
        sequence=["m*log(m)", "m*log(m)**2", "m**2", "2**m"],
        epsilon=1,
        covers={"sequence": "all: 4 named sequences"},
        rational=True,
        routes=("limits by SymPy", "0"),
    ),
)
def subexponential_with_a_logarithm(
    sequence: Annotated[Any, "all: every sequence n_m with m log(n_m)/n_m -> 0"], power=1
):
    r"""if $m\log(n_m)/n_m\to0$, then $\log A(n_m)/n_m\to0$"""
