"""Section IV-B: the contextual linear model and AdaC-OFUL (Algorithm 3)."""

from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.pseudocode import Line, read_before_set

WIDTH = "delta lambda_0 norm_of_theta"  # what beta_tau and gamma_tau read, besides what the lines before set
OFUL = [
    Line(3, "lambda d", "V theta tau l"),
    Line(5, "", "A_t"),
    Line(6, "V tau C"),
    Line(11, f"A_t theta tau V lambda d T rho C {WIDTH}", "a_t"),
    Line(12, "a_t", "r_t"),
    Line(13, "V a_t", "V"),
    Line(7, "rho d l", "Y"),  # in a later round, after plays
    Line(8, "V a_t r_t Y l", "theta"),
    Line(9, "l", "l tau"),
]


@claim(
    "ZCDP-A3/inputs",
    fails_at(added=0, rational=True),
    slip="Theorem 5 names delta and Assumption 1 bounds the norm; only the eigenvalue remains unknown.",
    called={"the printed inputs": "added,", "the number of names that are read and not set": "left"},
)
def inputs_of_oful(added: Annotated[Any, [0, 1]]):
    r"""The input of Algorithm 3 ($\rho$, $T$, $\lambda$, $d$, $C$) and the lines before give everything that a line
    reads.

    Line 11 reads $\tilde\beta_\tau$, which Appendix F-A computes from $\delta$, from lambda_0 and from the norm of
    $\theta^\star$. None of them is an input, and lambda_0 depends on the unknown law of the contexts. The algorithm is
    complete if $\delta$, a lower bound on lambda_0 and the bound 1 of Assumption 1 on the norm are inputs.
    """
    return len(read_before_set(f"rho T lambda d C {WIDTH if added else ''}", OFUL)), "==", 0


@repaired("ZCDP-A3/inputs-completed", "ZCDP-A3/inputs", enumerated([{}], rational=True), false={"added": 0})
def completed_inputs_of_oful(added=1):
    r"""With $\delta$, $\lambda_0$ and a bound on $\|\theta^\star\|$ as inputs every name is set before a line reads
    it."""
