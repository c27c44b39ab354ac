"""Divergences of Bernoulli laws that several documents state: values at the edge, alternatives, levels and phases."""

from typing import Any

from banditproof.claims.sets import Sides
from banditproof.theory import log, tv_inf, where


def tv_inf_is_the_gap(mu_a: Any, mu_star: Any) -> Sides:
    return tv_inf(mu_a, mu_star), "==", mu_star - mu_a


def printed_kl_indices(p: Any, q: Any) -> Any:
    """p log(p/q) + (1-p) log((1-p)/(1-q)), term by term."""

    def share(a: Any, b: Any) -> Any:
        return where(a, "==", 0, 0, lambda: a * log(a / b))

    return share(p, q) + share(1 - p, 1 - q)
