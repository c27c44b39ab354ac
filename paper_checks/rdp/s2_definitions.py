"""Section 2: Rényi differential privacy and its Gaussian mechanism."""

from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import AboveOne, EveryVector, Natural, Nonnegative, Positive
from banditproof.claims.steps import enumerated, in_kernel, pick
from banditproof.theory.numbers.term import quantity
from banditproof.verify import random_law, renyi_divergence
from banditproof.verify.kernel.divergences import renyi_at_most
from banditproof.verify.kernel.meanings import formula, sum_of, when
from banditproof.verify.kernel.variables import gaussian, with_noise
from banditproof.verify.theorems import noise as mechanism_proofs


@quantity
def divergence_of_laws(law: int, order: Any) -> Any:
    """D_order of a numbered pair of laws on three points."""
    p, q = (dict(enumerate(random_law(law, side, 3))) for side in "pq")
    return renyi_divergence(p, q, order)


@claim(
    "RDP-D1/monotone",
    enumerated(law=pick(range(20), range(200)), order=["11/10", "2", "30"], more=["1/10", "5"], rational=True),
    role="remark",
)
def divergence_grows_with_the_order(law: Annotated[Any, "all: every pair of laws"], order: AboveOne, more: Positive):
    r"""$D_\alpha\le D_{\alpha'}$ for $\alpha<\alpha'$: RDP of one order says nothing of larger ones."""
    return divergence_of_laws(law, order), "<=", divergence_of_laws(law, order + more)


@claim("RDP-T2/mechanism", in_kernel(mechanism_proofs.renyi_mechanism))
def gaussian_mechanism(
    f_1: EveryVector, f_2: EveryVector, k: Natural, s: Nonnegative, alpha: AboveOne, epsilon: Positive
):
    r"""$f+Z$ is $(\alpha,\epsilon)$-RDP: of neighbours the vectors $f(d)$, $f(d')$ are any two whose $\ell_2$ distance
    is at most $s=s(f)$."""
    apart = formula((sum_of(lambda j: (f_1(j) - f_2(j)) * (f_1(j) - f_2(j)), k), "<=", s * s))
    one, other = (with_noise(f, gaussian(alpha / (2 * epsilon) * s * s), k) for f in (f_1, f_2))
    return when(apart, then=renyi_at_most(one, other, alpha, epsilon))
