"""Appendix C: the proofs of Lemmas 3 and 4."""

from banditproof.claims.register import claim, item, restate
from banditproof.claims.sets import AtLeastOne, Probability
from banditproof.claims.steps import symbolic, tried_at

item(
    "ADV-EQC.1",
    r"Algorithm 1 is the adaptive composition of mechanisms of which only the one after the changed batch sees the "
    r"change, by $\frac1\tau$; the actions follow from their outputs.",
)
restate("ADV-EQC.1/exact-laws", "ADV-A1")


@claim("ADV-EQC.1/mean-moves", tried_at(one=[0, 1], other=[0, 1], tau=[1, 3]), symbolic())
def mean_of_a_batch_moves(one: Probability, other: Probability, tau: AtLeastOne):
    r"""$\frac1\tau(\ell_{t'}(i)-\ell'_{t'}(i))\le\frac1\tau$."""
    return (one - other) / tau, "<=", 1 / tau


item(
    "ADV-EQC.2",
    r"The regret on complete batches is $\tau$ times the noisy regret of $\mathcal B$, the rest costs at most $\tau$, "
    r"and $\tilde{\mathrm R}_{\mathcal B}(\lfloor\frac T\tau\rfloor,\cdot)\le\tilde{\mathrm R}_{\mathcal B}(\frac "
    r"T\tau,\cdot)$.",
)
restate("ADV-EQC.2/steps-i-to-iii", "ADV-L4")
restate("ADV-EQC.2/step-iv", "ADV-X6")
