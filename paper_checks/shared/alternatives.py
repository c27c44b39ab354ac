"""What several documents state of alternatives to a Bernoulli law."""

from typing import Any

from banditproof.claims.sets import Sides
from banditproof.theory import tv_inf


def tv_inf_is_the_gap(mu_a: Any, mu_star: Any) -> Sides:
    return tv_inf(mu_a, mu_star), "==", mu_star - mu_a
