"""Appendix C.2.3, page 209: the proof of Theorem 5.4, and how its constants come about.

L = log T, n = 2^l is the length of an episode, Delta the gap of an arm with mean a below the best mean y, d = kl.
"""

from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.episodes import AboveThree, kl
from banditproof.theory import adap_klucb_term, working_precision
from banditproof.theory.bounds.adap_klucb import deviation_share
from banditproof.theory.bounds.episodic_upper_bounds import leaving_point
from banditproof.verify import decided


@quantity
def infimum_over_v(mu_i: Any, mu_star: Any, epsilon: Any, beta: Any, level: Any) -> Any:
    """inf over v of the printed maximum, with gamma at this level = L/2^l: a ball, inf if no v is admissible."""
    with working_precision(128):
        gamma = deviation_share(level, mu_i, mu_star)
        return adap_klucb_term(mu_i, mu_star, epsilon, beta, gamma).coefficient.ball()


@quantity
def block_of_step_2(mu_i: Any, mu_star: Any, epsilon: Any, beta: Any, horizon: int) -> int:
    """2^l with the smallest l for which it is at least L times the infimum at l."""
    with working_precision(128):
        level, block = log(to_ball(horizon)), 1
        while decided(block, "<", infimum_over_v(mu_i, mu_star, epsilon, beta, level / block) * level):
            block *= 2
    return block


def separated(mu_i: Any, mu_star: Any, epsilon: Any, beta: Any, level: Any, n: Any) -> bool:
    """Whether (C.14) and (C.15) hold for some v at a real n: gamma(n) <= c - (1 + beta) L/(n epsilon Delta)."""
    noise = (1 + beta) * level / (epsilon * n)

    def apart(x: Any) -> bool:
        return bool(x - noise > mu_i) and bool(n * kl_bernoulli(x - noise, mu_i) >= level)

    if not apart(mu_star):  # above the leaving point, which takes a bisection
        return False
    x = leaving_point(mu_i, mu_star, beta * level / n)
    return x is not None and apart(x)


@quantity
def first_separated_power(mu_i: Any, mu_star: Any, epsilon: Any, beta: Any, horizon: int) -> int:
    """The smallest 2^l with (C.14), (C.15) and gamma at L/2^l. Raises InvalidInput if none up to 2^200 is certain."""
    with working_precision(128):
        level = log(to_ball(horizon))
        powers = (2**k for k in range(201))
        first = next((n for n in powers if separated(mu_i, mu_star, epsilon, beta, level, to_ball(n))), None)
    if first is None:
        raise InvalidInput("mu_i", mu_i, "so far below mu_star that some block tells them apart")
    return first


@quantity
def least_separated(mu_i: Any, mu_star: Any, epsilon: Any, beta: Any, horizon: int, some: int) -> Any:
    """The smallest real n in [1, some] with (C.14), (C.15) and gamma at L/n: a ball around it, by bisection."""
    low, high = to_ball(1), to_ball(some)
    with working_precision(128):
        level = log(to_ball(horizon))
        for _ in range(14 if low < high else 0):
            middle = sqrt(low * high)
            found = separated(mu_i, mu_star, epsilon, beta, level, middle)
            low, high = (low, middle) if found else (middle, high)
        return low.union(high)


@claim(
    "ALG-EQC.14-15/last-inequality-repaired",
    enumerated(
        [
            {"mu_i": a, "mu_star": y, "epsilon": epsilon, "beta": 4, "horizon": T}
            for a, y in (("1/2", "3/4"), ("1/10", "9/10"))
            for epsilon in ("1/10", "1", "100")
            for T in (100, 10**5, 10**7)
        ],
        routes=("powers of two", "the real solution"),
    ),
    where=["mu_i < mu_star"],
    repairs="ALG-EQC.14-15/last-inequality",
)
def four_times_the_real_block(mu_i: Inside, mu_star: Inside, epsilon: Positive, beta: AboveThree, horizon: TwoOrMore):
    r"""if $n\ge1$ is the smallest real number with (C.14), (C.15) and $\gamma$ at $\frac Ln$, then $2^{\ell+1}\le4n$
    for the smallest such $2^\ell$"""
    given = mu_i, mu_star, epsilon, beta, horizon
    first = first_separated_power(*given)
    return 2 * first, "<=", 4 * least_separated(*given, first)


ORDERED = ["mu_i < mu_star"]


@claim("ALG-LC.6/affine", deduced(), false={"sign": "0.9"}, where=ORDERED)
def difference_is_affine(x: Inside, mu_i: Inside, mu_star: Inside, sign=1):
    r"""$g(x)=d(x,\mu_a)-d(x,\mu_1)=\Big(\log\frac{\mu_1}{1-\mu_1}-\log\frac{\mu_a}{1-\mu_a}\Big)x+
    \log\frac{1-\mu_1}{1-\mu_a}$"""
    slope = log(mu_star / (1 - mu_star)) - log(mu_i / (1 - mu_i))
    return kl(x, mu_i) - kl(x, mu_star), "==", sign * slope * x + log((1 - mu_star) / (1 - mu_i))


@claim("ALG-LC.6/increasing", deduced(), false={"factor": "0.9"}, where=ORDERED, role="step")
def difference_increases(mu_i: Inside, mu_star: Inside, factor=1):
    r"""its slope is positive, $\log\frac{\mu_a}{1-\mu_a}<\log\frac{\mu_1}{1-\mu_1}$

    Since g(mu_a) = -d(mu_a, mu_1) < 0 < g(mu_1) = d(mu_1, mu_a), g has one root, which lies between the means; the
    check does not compute this step.
    """
    return log(mu_i / (1 - mu_i)), "<", log(factor * mu_star / (1 - mu_star))
