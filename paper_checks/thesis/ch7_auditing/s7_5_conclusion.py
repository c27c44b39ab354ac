"""Section 7.5, page 161: what is concluded of the two algorithms."""

from banditproof.claims.register import restate

restate(
    "MIA-S7.5",
    "MIA-S7.2b",
    r"""The covariance score is optimal: no score that is linear in the batch gradient has more than $<factor>$ times
    its squared separation (any direction is $g^\star-g^{\rm ref}$ for some $g^{\rm ref}$).""",
    role="item",
)
