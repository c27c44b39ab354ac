r"""Appendix D: concentration of Laplace sums (BDP-LD.1) and of noisy Bernoulli sums (BDP-LD.3, BDP-DF6).

S is the sum of n Bernoulli(mu) and m Laplace(1/epsilon) variables, all independent. Exact tails (finite sums of
closed forms) are compared with the printed bounds on grids; the derivations cover the whole domains.
"""

from typing import Any

from banditproof.verify.kernel import meanings
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.meanings import formula


@word
def at_least_the_maximum(ratio: Any, deviation: Any, epsilon: Any, m: Any) -> tuple[Any, Any]:
    """The ratio is at least max(1, epsilon D/m)."""
    return formula((1, "<=", ratio)), formula((epsilon * deviation, "<=", m * ratio))


@word
def at_most_a_power(tail: Any, grown: Any, spare: Any, n: Any, m: Any, decay: Any) -> Any:
    """The tail is at most e^spare (e^grown)^m e^(-n decay)."""
    return tail, "<=", meanings.exp(m * grown) * meanings.exp(spare) * meanings.exp(-n * decay)
