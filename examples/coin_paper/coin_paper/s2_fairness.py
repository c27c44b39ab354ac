"""Section 2, page 4: fairness."""

from banditproof.claims import Probability, claim, fails_at


@claim("COIN-S3", fails_at(x="1/3"))
def every_coin_is_fair(x: Probability):
    r"""Every coin is fair: $x=1-x$."""
    return x, "==", 1 - x
