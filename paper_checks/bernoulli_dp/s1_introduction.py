r"""Section 1: what the introduction says of earlier work and of its contributions."""

from fractions import Fraction
from typing import Any

from banditproof.claims.language import *
from banditproof.theory import laplace_sum_tail
from banditproof.verify.forms.calculus import derivative


@claim("BDP-S1.1/noise-within-three", deduced(), false={"constant": 1}, role="remark")
def noise_of_the_tree(levels: Count, constant=3):
    r"""With $T=2^d$ the noise of $d+1$ nodes of the tree exceeds $3(\log_2T)^{2.5}/\epsilon$ with probability at most
    $1/T$.

    The left side is P(|noise| > c (log2 T)^2.5 / epsilon) for T = 2^levels, where the noise is a sum of levels + 1
    Laplace variables of scale (levels + 1)/epsilon.
    """
    nodes, depth = levels + 1, to_ball(levels)
    reach = constant * depth * depth * sqrt(depth) / nodes
    return 2 * laplace_sum_tail(nodes, reach), "<=", ratio(1, 2**levels)


def high_privacy_branch(mu_a: Any, mu_star: Any, epsilon: Any) -> Any:
    """The second case of (8) in its stable form (BDP-DF2)."""
    return -epsilon * mu_a - log(1 - mu_star * (1 - exp(-epsilon)))


def one_sided(mu_a: Any, mu_star: Any, order: int) -> Any:
    """The left derivative of this order of d_epsilon in epsilon at epsilon_0; the right ones are 0: kl is constant."""
    threshold = log(mu_star / mu_a) + log((1 - mu_a) / (1 - mu_star))
    left = derivative(lambda epsilon: high_privacy_branch(mu_a, mu_star, epsilon), threshold, order)
    return left


@claim(
    "BDP-S1.6/twice-differentiable",
    fails_at(mu_a=Fraction(1, 4), mu_star=Fraction(1, 2)),
    where=["mu_a < mu_star"],
    role="reading",
)
def bends_meet(mu_a: Inside, mu_star: Inside):
    r"""(b) read as: $d_\epsilon$ is twice differentiable in $\epsilon$ at $\epsilon_0$.

    It is printed as 'interpolating smoothly between KL and TV'. The second derivative jumps by mu_a (1 - mu_a) at
    epsilon_0; the first one is continuous.
    """
    return one_sided(mu_a, mu_star, 2), "==", 0 * mu_a
