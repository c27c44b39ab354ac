"""Appendix A: the privacy proof and its mechanisms."""

from typing import Any

from banditproof.paper_checks.shared.gaussian_choice import average
from banditproof.theory import to_ball
from banditproof.theory.numbers.term import quantity


@quantity
def long_second_episode(shift: Any, deviation: Any) -> Any:
    """P(t_3 = 6) for two arms and rewards 0, 0 and `shift` = r_3: the second episode goes to the arm of the first.

    The noisy mean of the idle arm is below a noisy 0, and below shift plus noise; widths are equal (one reward each).
    """
    from flint import acb

    def above(z: Any, centre: Any) -> Any:
        return ((z - centre) / acb(2).sqrt()).erfc() / 2

    centre = acb(to_ball(shift) / deviation)
    return 2 * average(lambda z: above(z, acb(0)) * above(z, centre))
