"""Noise in two documents: the Laplace mechanism, Chernoff's bound, and AdaC-UCB's actions under Gaussian noise."""

from typing import Any

from banditproof.claims.language import *
from banditproof.verify.privacy.two_arm_view import Width, episode_paths, path_sums, redrawn_path_probability

BETA = "3.1"


def gaussian_width(b: Any, beta: Any) -> Width:
    def width(n: int, t: int) -> Any:
        return sqrt((to_ball(1) / (2 * n) + 2 * to_ball(b) / (n * n)) * to_ball(beta) * log(to_ball(t)))

    return width


@quantity
def redrawn_divergence(order: Any, b: Any, T: int) -> Any:
    """D_order of the actions when noise is drawn again for every decision: all rewards 1 but the first two, of which
    the first is 0 or 1; a ball."""
    width = gaussian_width(b, BETA)
    total = to_ball(0)
    for path in episode_paths(T):
        sums = [0, 0, *path_sums(path, [0, 0, *[1] * (T - 2)])[2:]]
        left, right = (
            redrawn_path_probability(path, [first, *sums[1:]], sqrt(to_ball(b)), width, "normal") for first in (0, 1)
        )
        total += right * exp(order * log(left / right))
    return log(total) / (order - 1)
