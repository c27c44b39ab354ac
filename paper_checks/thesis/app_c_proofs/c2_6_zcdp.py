"""Appendix C.2.6, page 213: the proof of Theorem 5.6 for AdaC-UCB, and its gap-free bound. L = log T."""

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.episodes import AboveThree


@claim("ALG-PC.2.6c/split", deduced(), false=[{"root": "3.9"}, {"eight": 9}, {"under": 1}])
def split_of_the_arms(horizon: Positive, arms: Positive, beta: AboveThree, level: Positive, eight=8, root=4, under=2):
    r"""$T\Delta+\frac{8\beta KL}\Delta\le4\sqrt{2\beta KTL}$ at $\Delta=\sqrt{8\beta KL/T}$, the smallest value of the
    sum

    This is a line of the proof. At this gap both summands are equal, and so are the two sides.
    """
    gap = sqrt(eight * beta * arms * level / horizon)
    return horizon * gap + 8 * beta * arms * level / gap, "<=", root * sqrt(under * beta * arms * horizon * level)
