r"""Appendix C: AdaR-GOPE's private least squares and the proof of Theorem 8."""

from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.linear_experiments import ESTIMATES, errors_beyond
from banditproof.paper_checks.shared.simulated import simulated


@claim(
    "RDP-T15/as-run",
    simulated(ESTIMATES),
    false=[{"private": 0}, mutation(plain="1/2"), mutation(private="1/4")],
    restricted="to random unit vectors in 2, 3 and 6 dimensions, rewards of -1 or 1, delta = 1/10",
    role="remark",
    studies=[ESTIMATES],
)
def estimates_as_they_are_made(actions: Annotated[Any, "all: every set of actions"], plain=1, private=1, *, arrays):
    r"""In runs, the error of AdaR-GOPE's estimate of the action of largest norm exceeds
    $g\sqrt{2\log\frac4\delta}+g^2 \sqrt{\frac{2\alpha}\epsilon d(d+1)\log\frac4\delta}$ with probability at most
    $\delta$."""
    yield from errors_beyond(arrays, "adar", plain, private)
