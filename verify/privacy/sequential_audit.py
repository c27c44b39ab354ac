"""Audits that may be looked at after every run and stopped at any time, and audits that share one error.

A fair coin chooses the input of every run, the first or the second of two neighbours; somebody sees the output and
bets on the coin. Under epsilon-DP the odds are at most e^epsilon to 1 whatever the output is, so a wealth of 1 that is
bet at these odds has mean at most 1 at any time: it reaches 1/error with probability at most error. If he believes the
true posterior probabilities, it grows by the divergence of the runs from those of the nearest epsilon-DP mechanism, as
fast as evidence against epsilon-DP can. A delta is paid for in every run.

Source: TH-D2.34, TH-S2.3e
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from banditproof.theory.arguments import Count, Error, Nonnegative, Share, checked, coins, question
from banditproof.theory.errors import InvalidInput

STAKES = np.array([0.1, 0.25, 0.5, 1.0])  # shares of what the beliefs advise to bet


class SequentialAudit:
    """A test of (epsilon, delta)-DP that is valid at every time.

    `observe(worlds, beliefs)` hears of runs which input the coin chose, and the probability of the second input in the
    eyes of somebody who has seen the output of the run and all earlier runs, but not this coin. `refuted` stays once
    it is true, and is so for a private mechanism with probability at most `error`, however often it is looked at.
    Raises InvalidInput for parameters out of range and for lists of different lengths. `log_wealth` is the logarithm of
    the present wealth.
    """

    @checked
    def __init__(self, epsilon: Nonnegative, error: Share, delta: float = 0.0) -> None:
        for name, value, holds, allowed in (
            ("epsilon", epsilon, 0 <= epsilon < 700, "in [0, 700)"),
            ("delta", delta, 0 <= delta < 1, "in [0, 1)"),
        ):
            if not holds:
                raise InvalidInput(name, value, allowed)
        self.epsilon, self.delta, self.error = float(epsilon), float(delta), float(error)
        self.logs, self.log_wealth = np.zeros(len(STAKES)), 0.0
        self.runs, self.stopped = 0, 0

    @property
    def refuted(self) -> bool:
        """Whether the wealth has reached 1/error at some time."""
        return self.stopped > 0

    @question
    def observe(self, worlds: np.ndarray, beliefs: np.ndarray) -> bool:
        """Take the next runs, booleans [size] and probabilities [size]; `stopped` is the run that refuted."""
        second, beliefs = coins("worlds", worlds), np.asarray(beliefs, dtype=float)
        if second.ndim != 1 or second.shape != beliefs.shape or not ((beliefs >= 0) & (beliefs <= 1)).all():
            raise InvalidInput("worlds, beliefs", (second.shape, beliefs.shape), "coins, with one probability for each")
        likely, rest, small = beliefs > 0.5, np.minimum(beliefs, 1 - beliefs), np.exp(-self.epsilon)
        advised = np.maximum(1 - rest * (1 + np.exp(self.epsilon)), 0)  # 1 where there is no doubt, 0 at the odds
        gains = advised * np.where(likely == second, small, -1.0)
        fee = small * self.delta  # at least the mean of the gains: delta / 2 for either guess, at these odds
        with np.errstate(divide="ignore"):
            steps = np.log1p(STAKES[:, np.newaxis] * (gains - fee) / (1 + fee))
        walks = self.logs[:, np.newaxis] + np.cumsum(steps, axis=1)
        wealth = np.logaddexp.reduce(walks, axis=0) - np.log(len(STAKES))
        reached = np.flatnonzero(wealth >= np.log(1 / self.error) + 1e-9)
        if not self.stopped and len(reached):
            self.stopped = self.runs + int(reached[0]) + 1
        if len(second):
            self.logs, self.log_wealth = walks[:, -1], float(wealth[-1])
        self.runs += len(second)
        return self.refuted


@checked
def share_of_error(error: Error, audit: Count) -> Fraction:
    """What the audit of this number (from 1) may spend so that any number of audits together errs at most `error`.

    >>> sum(share_of_error(Fraction(1, 10), k) for k in range(1, 1000)) < Fraction(1, 10)
    True
    """
    if audit < 1:
        raise InvalidInput("audit", audit, "an integer, at least 1")
    return Fraction(error) / (audit * (audit + 1))
