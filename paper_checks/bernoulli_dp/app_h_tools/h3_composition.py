"""Appendix H.3: advanced composition. The rest of H.3 to H.5 is checked where the thesis states it."""

from typing import Any

from banditproof.claims.language import *
from banditproof.theory import worst_composed_delta


def advanced_epsilon(k: int, epsilon: Any, delta_prime: Any, power: int) -> Any:
    """sqrt(2 k log(1/delta') epsilon^power) + k epsilon (e^epsilon - 1): power 1 as printed, 2 in the literature."""
    return sqrt(2 * k * log(1 / delta_prime) * epsilon**power) + k * epsilon * (exp(epsilon) - 1)


@claim(
    "BDP-PH.3/advanced",
    enumerated(
        k=[1, 2, 3, 10, 40],
        epsilon=["0.01", "0.1", "0.5", "1", "2", "5"],
        delta=["0", "0.001"],
        delta_prime=["1/1000000", "1/100", "1/2", "1"],
        routes=("exact delta of the worst case", "printed budget"),
    ),
)
def advanced_composition_as_printed(k: Count, epsilon: Positive, delta: BelowOne, delta_prime: AboveZero):
    r"""The $k$-fold composition of an $(\epsilon,\delta)$-DP mechanism is $(\epsilon', \delta'+k\delta)$-DP with
    $\epsilon' = \sqrt{2k\log(1/\delta')\epsilon} + k\epsilon(e^\epsilon-1)$, as printed.

    The printed square root contains epsilon where the literature has epsilon^2. For epsilon <= 1 this is the larger
    budget, and for epsilon >= log 2 the second term alone exceeds the k epsilon of simple composition, so the statement
    stays valid. Half of what stands under the root would be enough as well; a tenth of the whole would not.
    """
    target = advanced_epsilon(k, epsilon, delta_prime, 1)
    return worst_composed_delta(k, epsilon, delta, target), "<=", delta_prime + k * delta
