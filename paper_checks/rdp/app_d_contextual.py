r"""Appendix D: the confidence ellipsoid of AdaR-OFUL, the steps of its regret proof, and LinPriv.

L is log(T / delta) where it is a variable; rho is epsilon / alpha in claims that the zCDP paper states as well.
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import Count, Inside
from banditproof.claims.steps import deduced, fails_at
from banditproof.theory import log, sqrt
from banditproof.theory.numbers.normal_law import normal_cdf


def printed_event(d: Any, level: Any) -> Any:
    """What E_3 has in the place of the squared norm of a standard normal vector: one root over two summands."""
    return d + 2 * sqrt(d * level + 2 * level)


@claim(
    "RDP-PF6/noise-event",
    fails_at(horizon=10, delta=Fraction(1, 10**4)),
    slip="""The second root in the event is too long: Lemma 24, which step 3 applies, has the last summand outside
    of it.""",
    called={"$T$": "horizon", r"a lower bound on $\Pr[\neg E_3]$": "left", r"the printed $\delta$": "right"},
    assuming="that E_3 fails if its bound fails after the first update, and that an update happens within T rounds",
)
def printed_event_is_likely(horizon: Count, delta: Inside):
    r"""Step 3, 'a direct application of Lemma 24 gives that $\mathbb P(\neg E_3)\le\delta$': the printed $E_3$ bounds
    $\|N_t\|^2$ by $\frac{2\alpha\ell(t)}\epsilon(d+2\sqrt{dL+2L})$ with $L=\log\frac T\delta$, so that at $d=1$, after
    the first update, a standard normal $X$ would have $\mathbb P(X^2>1+2\sqrt{3L})\le\delta$.

    In the printed event the last summand stands under the root, so the bound only grows like the root of $L$. Lemma 24
    has $2L$ outside of the root; with its bound step 3 holds: for each number of updates it fails with probability at
    most $\frac\delta T$.
    """
    return 2 * normal_cdf(-sqrt(printed_event(1, log(horizon / delta)))), "<=", delta


@claim(
    "RDP-PF6/numerator",
    fails_at(d=100, horizon=100, delta=Fraction(1, 10)),
    slip="A T is missing in one of two logarithms: the event E_3, two displays before, has it in both.",
    cause="ZCDP-PF11/numerator",
    called={"$T$": "horizon", "the bracket of $E_3$": "left", "the bracket of the next bound": "right"},
)
def numerator_of_gamma(d: Count, horizon: Count, delta: Inside, factor=1):
    r"""Step 4: what $E_3$ has in its bracket, $d+2\sqrt{dL+2L}$ with $L=\log\frac T\delta$, is at most what the next
    bound on $\|N_t\|$ has there, $d+2\sqrt{d\log\frac1\delta}+2L$.

    The first logarithm has lost its $T$. If the root of $E_3$ ends after its first summand, as in Lemma 24, the step
    fails for every $T>1$. With $L$ in both places the step holds.
    """
    level = log(horizon / delta)
    return printed_event(d, level), "<=", factor * (d + 2 * sqrt(d * log(1 / delta)) + 2 * level)


@claim("RDP-PF6/probability", deduced(), false={"events": 4}, role="step")
def three_events(delta: Annotated[Any, "(0, 1/3]"], events=3):
    r"""Step 3: $E=E_1\cap E_2\cap E_3$: three events of probability $1-\delta$ each hold at once with probability at
    least $1-3\delta$, which is as much as the union bound gives."""
    return 1 - events * delta, "==", 1 - delta - delta - delta
