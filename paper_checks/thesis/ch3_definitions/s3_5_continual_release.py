"""Section 3.5, page 64: adaptive continual release, its trees, and what follows from it."""

from banditproof.claims.register import claim
from banditproof.claims.sets import Count, EveryPolicy, Nonnegative
from banditproof.claims.steps import in_kernel
from banditproof.verify.kernel.meanings import when
from banditproof.verify.kernel.policies import (
    adaptive_release,
    adds_up,
    from_tree,
    outputs,
    plays_arms,
    said_is_kept,
    told_on_side,
    zcdp_on,
)
from banditproof.verify.theorems import policies as policy_proofs

PAIRS = ("left", "right", "j")


@claim("TH-A3.ACR/left", in_kernel(policy_proofs.law_of_products))
def left_views(pi: EveryPolicy, T: Count, K: Count):
    r"""With $b=L$ the view has the law with $\prod_t\pi_t(a_t\mid a_1,\mathcal A^L_1(a_1),\dots)$, in which
    $t^\star$ does not occur."""
    return when(plays_arms(pi, K), said_is_kept(), then=outputs(pi, T, K, ("left",), from_tree("left")))


@claim("TH-A3.ACR/right", in_kernel(policy_proofs.law_of_products))
def right_views(pi: EveryPolicy, T: Count, K: Count):
    r"""With $b=R$ the view has the law with the same product, with $\mathcal A^R$ in round $t^\star$."""
    return when(plays_arms(pi, K), said_is_kept(), then=outputs(pi, T, K, PAIRS, told_on_side("right")))


@claim("TH-A3.ACR/left-mass", in_kernel(policy_proofs.probabilities_add_up))
def left_mass(pi: EveryPolicy, T: Count, K: Count):
    r"""With $b=L$ the probabilities of the sequences of $T$ arms add up to 1."""
    return when(plays_arms(pi, K), then=adds_up(pi, T, K, ("left",), from_tree("left")))


@claim("TH-A3.ACR/right-mass", in_kernel(policy_proofs.probabilities_add_up))
def right_mass(pi: EveryPolicy, T: Count, K: Count):
    r"""With $b=R$ the probabilities of the sequences of $T$ arms add up to 1."""
    return when(plays_arms(pi, K), then=adds_up(pi, T, K, PAIRS, told_on_side("right")))


@claim("TH-D3.9/zcdp", in_kernel(policy_proofs.sides_swapped))
def sides_of_zcdp(pi: EveryPolicy, T: Count, rho: Nonnegative):
    r"""$\rho$-zCDP under adaptive continual release: $\sup_{t^\star}D_\alpha(\mathrm{View}^L\|\mathrm{View}^R)\le
    \rho\alpha$ for all adversaries and $\alpha>1$; the channels may be swapped."""
    release, swapped = adaptive_release(pi, T), adaptive_release(pi, T, "right", "left")
    return when(zcdp_on(release, rho), then=zcdp_on(swapped, rho))
