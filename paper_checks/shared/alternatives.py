"""Divergences of Bernoulli laws that several documents state: values at the edge, alternatives, levels and phases."""

from typing import Any

from banditproof.claims.sets import Sides
from banditproof.theory import log, to_ball, tv_inf


def tv_inf_is_the_gap(mu_a: Any, mu_star: Any) -> Sides:
    return tv_inf(mu_a, mu_star), "==", mu_star - mu_a


def printed_kl_indices(p: Any, q: Any) -> Any:
    """p log(p/q) + (1-p) log((1-p)/(1-q)) in balls, term by term."""
    terms = ((p, q), (1 - p, 1 - q))
    return sum((a * log(a / b) for a, b in terms if not a == 0), to_ball(0))
