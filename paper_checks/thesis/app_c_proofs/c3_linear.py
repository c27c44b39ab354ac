r"""Appendix C.3, page 214: AdaC-GOPE's private least squares and its regret.

L = log(4/delta) and N = sqrt(2 f / rho) where they are variables; g is the largest norm of an action in V^-1.
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.linear_experiments import ESTIMATES, errors_beyond
from banditproof.paper_checks.thesis.studies import simulated
from banditproof.theory.linear.phases import chi_square_radius
from banditproof.theory.numbers.numeric import binary_exponent
from banditproof.verify import decided

TAILS = [
    {"d": d, "x": Fraction(x), "delta": Fraction(1, 10**k)}
    for d in (1, 2, 10, 200)
    for x in ("1/1000", "1/2", "1", "3", "1000000")
    for k in (0, 1, 3, 40, 400)
]


@claim(
    "ALG-TC.10/normal-rewards",
    enumerated(TAILS),
    deduced(),
    false=[mutation(plain="0.95"), mutation(private="0.95"), {"private": 0}],
    role="remark",
    restricted="to normal rewards",
)
def tail_of_the_private_estimate(d: Count, x: Positive, delta: AboveZero, plain=1, private=1):
    r"""Normal rewards, the action of largest norm, $x=g\sqrt{2/\rho}$: the error over $g$ is normal of variance $1+x^2$
    and exceeds $\sqrt{2\log\frac4\delta}+x\sqrt{f(d,\delta)}$ in size with probability at most $\delta$.

    The grid has delta down to 10^-400, where the tails tell constants five per cent smaller apart; the check does not
    see the 4 in the logarithm, because a normal law is that far below its subgaussian bound.
    """
    width = plain * sqrt(2 * log(4 / delta)) + private * x * sqrt(chi_square_radius(d, delta / 2))
    return 2 * normal_cdf(-width / sqrt(1 + x**2)), "<=", delta


@claim(
    "ALG-TC.10/as-run",
    simulated(ESTIMATES),
    false=[{"private": 0}, mutation(plain="1/2"), mutation(private="1/4")],
    role="remark",
    restricted="to random unit vectors in 2, 3 and 6 dimensions, rewards of -1 or 1, delta = 1/10",
    studies=[ESTIMATES],
)
def estimates_as_they_are_made(actions: Annotated[Any, "all: every set of actions"], plain=1, private=1, *, arrays):
    r"""In runs, the error of AdaC-GOPE's estimate of the action of largest norm exceeds
    $g\sqrt{2\log\frac4\delta}+g^2 \sqrt{\frac2\rho f(d,\delta)}$ with probability at most $\delta$.

    The private part bounds a whole vector although only one of its coordinates matters, so it is about twice as large
    as needed.
    """
    yield from errors_beyond(arrays, "adac", plain, private)


def needed(d: Any, beta: Any, level: Any, noise: Any, lead: Any, private: Any) -> Any:
    return lead * d * level / beta**2 + private * d * noise / beta


@quantity
def last_phase_of(gap: Any) -> int:
    """min{l : 4 beta_l < gap} with beta_l = 2^-l, found by trying one phase after the other."""
    phase = 0
    while decided(gap * 2**phase, "<=", 4):
        phase += 1
    return phase


GAPS = [Fraction(2) ** k * share for k in range(1, -40, -1) for share in (Fraction(1), Fraction(3, 4), Fraction(9, 16))]
SOME_GAPS = enumerated(
    gap=GAPS,
    covers={"gap": f"all: {len(GAPS)} gaps from 2 down to 2^-40, powers of two among them"},
    rational=True,
    routes=("phase by phase", "closed form"),
)


@claim("ALG-PC.3.2/last-phase-repaired", SOME_GAPS, false=[{"more": 0}, {"four": 2}], repairs="ALG-PC.3.2/last-phase")
def last_phase(gap: Annotated[Any, "(0, 2]"], more=1, four=4):
    r"""$\ell_\Delta=\min\{\ell:4\beta_\ell<\Delta\}=\lfloor\log_2\frac{4}\Delta\rfloor+1$.

    The check finds the minimum phase by phase, and the logarithm exactly, from the number of binary digits.
    """
    return last_phase_of(gap), "==", binary_exponent(ratio(four, gap)) + more


@claim("ALG-PC.3.2/sum-of-phases-repaired", SOME_GAPS, false={"after": "63"}, repairs="ALG-PC.3.2/sum-of-phases")
def sum_of_phases(gap: Annotated[Any, "(0, 2]"], before=64, after=64):
    r"""$64\sum_{\ell\le\ell_\Delta}2^\ell\le64\cdot\frac{16}\Delta$, with
    $\ell_\Delta=\min\{\ell:4\beta_\ell<\Delta\}$.

    The check adds up the phases one by one, up to the last one.
    """
    phases = total(lambda phase: 2**phase, 1, last_phase_of(gap))
    return before * phases, "<=", ratio(after * 16, gap)
