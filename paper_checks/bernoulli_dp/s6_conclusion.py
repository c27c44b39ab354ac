"""Section 6: what the conclusion leaves open."""

from banditproof.claims.register import not_checkable

not_checkable(
    "BDP-S6.1",
    "(Outlook) general families (sub-Gaussian, exponential) are left open",
    "no statement",
    "a concentration inequality, or a regret bound, for a named family",
)
