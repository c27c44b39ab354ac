"""Section 2: Rényi differential privacy and its Gaussian mechanism."""

from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.verify import random_law, renyi_divergence


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
