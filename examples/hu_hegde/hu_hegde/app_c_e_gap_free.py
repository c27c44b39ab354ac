"""Appendices C and E: regret without gaps."""

from typing import Annotated, Any

from banditproof.claims import Count, Positive, claim, deduced, enumerated, fails_at
from banditproof.theory import minimum, sqrt
from hu_hegde.notation import Gap, LogHorizon, lb

Arms = Annotated[Any, "integer [2, inf)"]
Rounds = Annotated[Any, "integer [2, inf)"]


@claim("HH-EQ40/argument-of-the-logarithm", deduced(), false={"factor": 2})
def argument_at_the_critical_gap(T: Positive, K: Positive, ell: LogHorizon, epsilon: Positive, factor=1):
    r"""$\frac{\log T}{\epsilon\Delta}=\frac{\sqrt{T\log T}}{\sqrt K\epsilon}$ at the gap $\Delta=\sqrt{K\log(T)/T}$."""
    return ell / (epsilon * sqrt(K * ell / T)), "==", factor * sqrt(T * ell) / (sqrt(K) * epsilon)


@claim("HH-EQ40/first-term", deduced(), false={"factor": "0.9"})
def rounds_at_the_critical_gap(T: Positive, K: Positive, ell: LogHorizon, factor=1):
    r"""$K\log(T)/\Delta=\sqrt{KT\log T}$ at the gap $\Delta=\sqrt{K\log(T)/T}$."""
    return K * ell / sqrt(K * ell / T), "==", factor * sqrt(K * T * ell)


@claim(
    "HH-R3.2c/for-fewer-rounds-than-arms",
    fails_at(T=2, K=100, epsilon=1),
    role="reading",
    assuming="that the regret is not negative, so that a bound on it is not",
)
def gap_free_bound_is_a_bound(T: Rounds, K: Arms, epsilon: Positive):
    r"""DP-TS has regret $O(\sqrt{KT\log T}+\frac{K\log T}\epsilon\log\frac{\sqrt{T\log T}}{\sqrt K\epsilon})$ with
    one constant for all $T$, $K$ and $\epsilon$: so this is not negative.

    The step from a maximum to a sum in (40) needs both terms nonnegative. With fewer rounds than arms the logarithm
    can be so far below 0 that the sum is negative: at T = 2, K = 100, epsilon = 1 it is 14.1 - 282.2. For T >= K the
    sum is positive.
    """
    second = K * lb(T) / epsilon * lb(sqrt(T * lb(T)) / (sqrt(K) * epsilon))
    return sqrt(K * T * lb(T)) + second, ">=", 0


@claim(
    "HH-R3.2c/with-as-many-rounds-as-arms",
    enumerated(T=[2, 10, 1000], K=[2, 10, 1000], epsilon=["1/100", "1", "2", "4", "10", "1000"]),
    repairs="HH-R3.2c/for-fewer-rounds-than-arms",
    where=["K <= T"],
    false={"share": 10},
)
def gap_free_bound_for_enough_rounds(T: Rounds, K: Arms, epsilon: Positive, share=1):
    r"""For $T\ge K$ the sum $\sqrt{KT\log T}+\frac{K\log T}\epsilon\log\frac{\sqrt{T\log T}}{\sqrt K\epsilon}$ is
    not negative."""
    second = K * lb(T) / epsilon * lb(sqrt(T * lb(T)) / (sqrt(K) * epsilon))
    return sqrt(K * T * lb(T)) + share * second, ">=", 0


@claim("HH-EQ61/split", deduced(), false={"factor": "0.9"})
def minimum_of_two_rates(ell: LogHorizon, epsilon: Positive, gap: Gap, factor=1):
    r"""$\frac{\log T}{\min\{\epsilon,\Delta\}}\le\frac{\log T}\epsilon+\frac{\log T}\Delta$."""
    return ell / minimum(epsilon, gap), "<=", factor * (ell / epsilon + ell / gap)


@claim("HH-EQ61/terms", deduced(), false={"factor": "0.9"})
def both_terms_at_the_critical_gap(T: Count, K: Count, ell: LogHorizon, factor=1):
    r"""$T\Delta=\sqrt{KT\log T}$ at the gap $\Delta=\sqrt{K\log(T)/T}$."""
    return T * sqrt(K * ell / T), "==", factor * sqrt(K * T * ell)


@claim("HH-R3.4a/upper-below-lower", deduced(), false={"factor": "0.9"})
def upper_bound_below_the_lower(ell: LogHorizon, epsilon: Positive, gap: Gap, factor=1):
    r"""The upper bound of an arm is at most the lower bound, up to constants: $\frac{\log T}{\min\{\epsilon,\Delta\}}
    \le\frac{\log T}\Delta+\frac{\log T}\epsilon$."""
    return ell / minimum(epsilon, gap), "<=", factor * (ell / gap + ell / epsilon)


@claim("HH-R3.4a/lower-below-upper", deduced(), false={"factor": "1.9"})
def lower_bound_below_the_upper(ell: LogHorizon, epsilon: Positive, gap: Gap, factor=2):
    r"""$\frac{\log T}\Delta+\frac{\log T}\epsilon\le<factor>\frac{\log T}{\min\{\epsilon,\Delta\}}$."""
    return ell / gap + ell / epsilon, "<=", factor * ell / minimum(epsilon, gap)
