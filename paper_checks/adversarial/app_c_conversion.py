"""Appendix C: the proofs of Lemmas 3 and 4."""

from banditproof.claims.language import *


@quantity
def actions_received(T: int, tau: int) -> int:
    """How many actions lines 2 to 14 of Algorithm 1 receive from B in T rounds."""
    received = batch = 1
    for t in range(2, T + 1):
        batch += t - 1 == batch * tau  # line 12, at the end of the round before
        received += t == (batch - 1) * tau + 1
    return received


@claim(
    "ADV-EQC.1/rounded-up",
    enumerated(T=range(1, 25), tau=range(1, 9), rational=True),
    repairs="ADV-EQC.1/edge-last-batch-not-whole",
)
def actions_of_all_batches(T: Count, tau: Count) -> Sides:
    r"""Algorithm 1 receives $\lceil\frac T\tau\rceil$ actions in $T$ rounds."""
    return actions_received(T, tau), "==", least_integer(ratio(T, tau))
