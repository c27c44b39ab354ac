r"""Appendix C: AdaR-GOPE's private least squares and the proof of Theorem 8."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.linear_designs import exact_rows, information, solved
from banditproof.paper_checks.shared.linear_experiments import ESTIMATES, errors_beyond
from banditproof.paper_checks.shared.response_ucb import inner
from banditproof.paper_checks.shared.simulated import simulated

PLAYS = Annotated[Any, "all: plays of at most d (d + 1) / 2 actions that span"]
ACTIONS = [[1, 0, 0], [0, 1, 0], [0, 0, 1], ["3/5", "4/5", 0], [0, "3/5", "4/5"], ["1/3", "2/3", "2/3"]]
COUNTS = [[3, 1, 2, 0, 0, 0], [1, 1, 1, 1, 1, 1], [1, 9, 2, 7, 0, 4], [100, 1, 1, 1, 50, 3], [1, 1, 0, 0, 0, 9]]
PLAYED = [([[1]], [3]), ([[1, 0], [0, 1], ["3/5", "4/5"]], [1, 1, 1]), *((ACTIONS, counts) for counts in COUNTS)]


def rows_and_counts(plays: int) -> tuple[Any, list[Fraction]]:
    """Actions and how often each is played."""
    actions, counts = PLAYED[plays]
    return exact_rows(actions), [Fraction(n) for n in counts]


@quantity
def dimension_of_plays(plays: int) -> int:
    """d."""
    return len(rows_and_counts(plays)[0][0])


@quantity
def largest_norm_of_plays(plays: int) -> Fraction:
    """g^2, the largest |a|^2 in the norm of V^-1."""
    rows, counts = rows_and_counts(plays)
    matrix = information(rows, counts)
    return max(inner(row, solved(matrix, row)) for row in rows)


@quantity
def noise_on_sums(plays: int, action: int) -> Fraction:
    """The sum of (a^T V^-1 b)^2 over the actions b that are played."""
    rows, counts = rows_and_counts(plays)
    image = solved(information(rows, counts), rows[action])
    return sum((inner(row, image) ** 2 for row, n in zip(rows, counts, strict=True) if n), Fraction(0))


@claim(
    "RDP-T15/variance",
    enumerated(
        [{"plays": k, "action": a} for k, (actions, _) in enumerate(PLAYED) for a in range(len(actions))], rational=True
    ),
)
def variance_of_the_noise(plays: PLAYS, action: Annotated[Any, "all: every action"]):
    r"""$\sum_{b\in\mathrm{Supp}}(a^\top V_t^{-1}b)^2\le g_t^4\,\frac12d(d+1)$, since $|a^\top V_t^{-1}b|\le g_t^2$.

    The bound is tight for d = 1 only. With n_b >= 1 plays of each action the left side is at most g_t^2, and g_t^2 is
    at least d over the number of plays; for larger d the bound would also hold with 2 d in place of d (d + 1).
    """
    d = dimension_of_plays(plays)
    return noise_on_sums(plays, action), "<=", largest_norm_of_plays(plays) ** 2 * ratio(d * (d + 1), 2)


TAILS = [
    {"d": d, "x": Fraction(x), "delta": Fraction(1, 10**k)}
    for d in (1, 2, 10, 200)
    for x in ("1/1000", "1", "3", "1000000")
    for k in (0, 1, 3, 40, 400)
]


@claim(
    "RDP-T15/normal-rewards",
    enumerated(TAILS),
    deduced(),
    false=[mutation(plain="0.95"), {"private": 0}, mutation(private="0.95")],
    restricted="to normal rewards and the largest variance",
)
def tail_of_the_private_estimate(d: Count, x: Positive, delta: AboveZero, plain=1, private=1):
    r"""With normal rewards and noise of the largest variance, $x=g_t\sqrt{\alpha d(d+1)/\epsilon}$: the error over
    $g_t$ is normal of variance $1+x^2$ and exceeds $(1+x)\sqrt{2\log\frac4\delta}$ in size with probability at most
    $\delta$.

    The tail of a normal law is below its subgaussian bound: log(1/delta) in place of log(4/delta) would be enough as
    well. Only delta down to 10^-400 makes the check notice the two constants.
    """
    width = (plain + private * x) * sqrt(2 * log(4 / delta))
    return 2 * normal_cdf(-width / sqrt(1 + x**2)), "<=", delta + 0 * to_ball(d)


@claim(
    "RDP-T15/as-run",
    simulated(ESTIMATES),
    false=[{"private": 0}, mutation(plain="1/2"), mutation(private="1/4")],
    restricted="to random unit vectors in 2, 3 and 6 dimensions, rewards of -1 or 1, delta = 1/10",
    studies=[ESTIMATES],
)
def estimates_as_they_are_made(actions: Annotated[Any, "all: every set of actions"], plain=1, private=1, *, arrays):
    r"""In runs, the error of AdaR-GOPE's estimate of the action of largest norm exceeds
    $g\sqrt{2\log\frac4\delta}+g^2 \sqrt{\frac{2\alpha}\epsilon d(d+1)\log\frac4\delta}$ with probability at most
    $\delta$."""
    yield from errors_beyond(arrays, "adar", plain, private)
