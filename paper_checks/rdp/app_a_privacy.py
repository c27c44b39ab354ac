"""Appendix A: the privacy proof and its mechanisms."""

from typing import Any

from banditproof.claims.register import claim
from banditproof.claims.sets import AboveOne, Count, EverySequence, Nonnegative
from banditproof.claims.steps import in_kernel
from banditproof.paper_checks.shared.gaussian_choice import average
from banditproof.theory import to_ball
from banditproof.theory.numbers.term import quantity
from banditproof.verify.kernel.divergences import rdp, rdp_in_parallel
from banditproof.verify.kernel.meanings import for_each, when
from banditproof.verify.theorems import parallel_composition as parallel_proofs


@claim("RDP-L11/mechanisms-on-blocks", in_kernel(parallel_proofs.rdp))
def parallel_composition(M: EverySequence, k: Count, alpha: AboveOne, epsilon: Nonnegative):
    r"""$(\alpha,\epsilon)$-RDP mechanisms, each run on a block of its own, are together $(\alpha,\epsilon)$-RDP."""
    each = for_each(k, lambda i: rdp(lambda d: M(i, d), alpha, epsilon))
    return when(each, then=rdp_in_parallel(M, k, alpha, epsilon))


@quantity
def long_second_episode(shift: Any, deviation: Any) -> Any:
    """P(t_3 = 6) for two arms and rewards 0, 0 and `shift` = r_3: the second episode goes to the arm of the first.

    The noisy mean of the idle arm is below a noisy 0, and below shift plus noise; widths are equal (one reward each).
    """
    from flint import acb

    def above(z: Any, centre: Any) -> Any:
        return ((z - centre) / acb(2).sqrt()).erfc() / 2

    centre = acb(to_ball(shift) / deviation)
    return 2 * average(lambda z: above(z, acb(0)) * above(z, centre))
