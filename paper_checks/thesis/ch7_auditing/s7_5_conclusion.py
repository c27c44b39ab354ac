"""Section 7.5, page 161: what is concluded of the two algorithms."""

from banditproof.claims.register import restate

restate("MIA-S7.5", "MIA-S7.2b", role="item")
