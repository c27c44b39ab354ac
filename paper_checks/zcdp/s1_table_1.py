"""Section I: Table I against the printed theorems, and how far apart upper and lower bounds are.

Only what follows from the printed bounds is judged here; Theorems 4, 5 and 9 have claims of their own. Logarithms are
variables (L is log T, k is log K, M is log(KT)), universal constants and common factors are divided out, and
inequalities between positive numbers are squared.
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *


@claim("ZCDP-TB1/linear-free-term", tried_at(k=0, L="2.718"), deduced(), false={"square": "1.3678"})
def linear_free_term(k: Nonnegative, L: Positive, square=Fraction(13679, 10000)):
    r"""The first term of the printed Theorem 4 at $\delta=\frac1T$, $T\ge2$, has the rate of the cell:
    $\sqrt{dT\log(KT\log T)}\le\sqrt{13679/10000}\sqrt{dT\log(KT)}$."""
    return k + L + log(to_ball(L)), "<=", square * (k + L)


@claim("ZCDP-TB1/footnote-no-contradiction", deduced(), false={"square": "1.442"})
def no_contradiction_at_the_corners(d: AtLeastOne, L: Positive, square=Fraction(14427, 10000)):
    r"""With $K=2^d$ arms the lower rate is not above the upper one: $d\sqrt
    T\le\sqrt{14427/10000}\sqrt{dT\log(2^dT)}$."""
    return d, "<=", square * (d * log(to_ball(2)) + L)


@claim("ZCDP-TB1/footnote-tight-in-d", deduced(), false={"square": "1.693"})
def tight_in_the_dimension(d: AtLeastOne, L: AtLeastOne, square=Fraction(4233, 2500)):
    r"""The dependence on $d$ is tight: $\sqrt{dT\log(2^dT)}\le\sqrt{\frac{4233}{2500}\log T}\,d\sqrt T$ for $\log
    T\ge1$, all $d\ge1$."""
    return d * log(to_ball(2)) + L, "<=", square * L * d


FromTwo = Annotated[Any, "[2, inf)"]


def of_the_potential(d: Any, T: Any, ridge: Any) -> Any:
    """log(1 + T/(lambda d)), which the last step of the proof has where the cell has log T."""
    return log(1 + T / (ridge * d))


def potential_at_most(T: Any, ridge: Any, rise: Any) -> Any:
    """(log T) (1 + log(1 + 1/lambda)/log 2), which is at least that for T >= 2."""
    return log(T) * (1 + rise * log(1 + 1 / ridge) / log(to_ball(2)))


@claim(
    "ZCDP-TB1/contextual-private-term",
    tried_at(d=[1, 100], T=[2, 10**9], price=1, C=1, ridge=["1/100", 1, 10**6], b=1),
    deduced(),
    false=[{"power": "3/2"}, {"factor": "7.9"}, {"rise": "1/2"}],
)
def contextual_private_term(
    d: AtLeastOne, T: FromTwo, price: Positive, C: Positive, ridge: Positive, b: Positive, power=2, factor=8, rise=1
):
    r"""And the second is at most $\sqrt{8\frac{1+\lambda}{\log(1+C)}}(1+C)r\,b\frac{d^{2}}{\sqrt\rho} \log^2T$ for
    $T\ge2$ if $\gamma_T=\frac b{\sqrt\rho}d\log T$ and $\ell(T)=\frac d{\log(1+C)}\log(1+\frac T{\lambda d})$, with
    $r=1+\log(1+\frac1\lambda)/\log2$ (squares; price is $\frac1\rho$, ridge $\lambda$). A lower bound is not
    printed."""
    first = of_the_potential(d, T, ridge)
    updates = d / log(1 + C) * first
    left = 4 * (1 + C) * (2 * d * first) * (b**2 * price * d**2 * log(T) ** 2) * (1 + C) * (1 + ridge) * updates
    right = factor * (1 + C) ** 2 * (1 + ridge) / log(1 + C) * b**2 * price * d ** (2 * power) * log(T) ** 2
    return left, "<=", right * potential_at_most(T, ridge, rise) ** 2


@claim(
    "ZCDP-S3/uniformly-in-the-arms",
    fails_at(horizon=10**45, arms=10**15, rho=Fraction(10**7 * 10**30, 10**90)),
    where=["horizon >= arms"],
    role="reading",
)
def uniformly_in_the_arms(horizon: TwoOrMore, arms: TwoOrMore, rho: AboveZero, constant=1000, power=2):
    r"""Uniformly in $K$, $T$ and $\rho$ the upper bound (or $T$, if smaller) is at most $1000(\log T)^{2}$ times the
    lower bound.

    The check uses the explicit upper bound at beta = 4. The private terms differ by a factor sqrt(K log T), and K may
    be a power of T, so no constant and no power of log T is enough.
    """
    T, K, L = to_ball(horizon), to_ball(arms), log(to_ball(horizon))
    upper = minimum(T, 4 * sqrt(8 * K * T * L) + 8 * K * sqrt(4 * L / rho) + 12 * K)
    lower = maximum(sqrt(T * (K - 1)) / 27, sqrt((K - 1) / rho) / 124)
    return upper, "<=", to_ball(constant) * L**power * lower


@claim("ZCDP-S3/linear-free-term", deduced(), false={"factor": 59})
def gap_of_the_linear_free_terms(d: AtLeastOne, T: Positive, M: Positive, factor=60):
    r"""Second row, printed bounds (their sets of arms differ):
    $A\sqrt{dT\log(KT)}\le60A\sqrt{\log(KT)}\cdot\frac{e^{-2}}8d\sqrt T$."""
    return d * T * M, "<=", factor**2 * M * exp(to_ball(-4)) / 64 * d**2 * T


@claim("ZCDP-S3/linear-private-term", deduced(), false={"factor": 37})
def gap_of_the_linear_private_terms(d: AtLeastOne, rho: Positive, M: Positive, factor=38):
    r"""Second row, printed bounds: $B\frac d{\sqrt\rho}\log^{3/2}(KT)\le38B\log^{3/2}(KT)\cdot\frac{e^{-2.25}}4\frac
    d{\sqrt\rho}$."""
    return d**2 * M**3 / rho, "<=", factor**2 * M**3 * exp(to_ball(-9) / 2) / 16 * d**2 / rho


def linear_lower_bound(d: Any, T: Any, rho: Any) -> Any:
    """The larger of both terms of Theorem 9, a ball."""
    free, private = exp(to_ball(-2)) / 8 * sqrt(to_ball(T)), exp(to_ball("-9/4")) / 4 / sqrt(to_ball(rho))
    return to_ball(d) * maximum(free, private)


@claim(
    "ZCDP-S3/linear-uniformly-in-the-dimension", fails_at(d=10**10, T=10**100, rho=Fraction(1, 10**100)), role="reading"
)
def linear_uniformly_in_the_dimension(d: Count, T: TwoOrMore, rho: AboveZero, constant=1000, power=2, A=1, B=1):
    r"""With the $K=2^d$ arms of the footnote: up to $1000(\log T)^{2}$, uniformly in $d$, $T$ and $\rho$ ($A=1$, $B=1$;
    the upper bound or $T$, if smaller). (The discussion of Theorem 4 notes the mismatch in $d$.)

    For K = 2^d the factor log^(3/2)(K) is of order d^(3/2), and d may be a power of T.
    """
    size, horizon, L = to_ball(d), to_ball(T), log(to_ball(T))
    M = size * log(to_ball(2)) + L
    upper = minimum(horizon, to_ball(A) * sqrt(size * horizon * M) + to_ball(B) * size * M * sqrt(M / to_ball(rho)))
    return upper, "<=", to_ball(constant) * L**power * linear_lower_bound(d, T, rho)


@claim("ZCDP-S3/contextual-against-linear", fails_at(d=10**10, T=10**100, rho=Fraction(1, 10**100)), role="reading")
def contextual_against_linear(d: Count, T: TwoOrMore, rho: AboveZero, constant=1000, power=2, A=1, B=1):
    r"""If the lower bound of the second row held in the third: up to $1000(\log T)^{2}$, uniformly in $d$, $T$ and
    $\rho$ ($A=1$, $B=1$; the upper bound or $T$, if smaller).

    The private term of the upper bound has the factor d^2, that of the lower bound d.
    """
    size, horizon, L = to_ball(d), to_ball(T), log(to_ball(T))
    upper = minimum(horizon, to_ball(A) * size * L * sqrt(horizon) + to_ball(B) * size**2 * L**2 / sqrt(to_ball(rho)))
    return upper, "<=", to_ball(constant) * L**power * linear_lower_bound(d, T, rho)


@claim(
    "ZCDP-S3/contextual-up-to-the-dimension",
    deduced(),
    false={"factor": 37},
    repairs="ZCDP-S3/contextual-against-linear",
)
def contextual_up_to_the_dimension(d: AtLeastOne, rho: Positive, L: Positive, factor=38):
    r"""Then up to $d\log^2T$: $\frac{d^2}{\sqrt\rho}\log^2T\le38\,d\log^2T\cdot\frac{e^{-2.25}}4\frac d{\sqrt\rho}$."""
    return d**4 * L**4 / rho, "<=", factor**2 * d**2 * L**4 * exp(to_ball(-9) / 2) / 16 * d**2 / rho
