"""Appendix C: the proofs of Lemmas 3 and 4."""

from banditproof.claims.register import claim
from banditproof.claims.sets import AtLeastOne, Probability
from banditproof.claims.steps import symbolic, tried_at


@claim("ADV-EQC.1/mean-moves", tried_at(one=[0, 1], other=[0, 1], tau=[1, 3]), symbolic())
def mean_of_a_batch_moves(one: Probability, other: Probability, tau: AtLeastOne):
    r"""$\frac1\tau(\ell_{t'}(i)-\ell'_{t'}(i))\le\frac1\tau$."""
    return (one - other) / tau, "<=", 1 / tau
