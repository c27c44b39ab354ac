"""Audits that may be looked at after every run and stopped at any time, and audits that share one error.

For an event of an (epsilon, delta)-DP mechanism, X - e^epsilon Y - delta has mean at most 0, where X and Y say whether
it occurred on two neighbouring inputs. Bets on that have a wealth that reaches 1/error with probability at most error.

Source: TH-D2.34, TH-S2.3e
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from banditproof.theory.errors import InvalidInput

STAKES = np.array([0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9])  # shares of the largest stake that cannot go bankrupt


class SequentialAudit:
    """A test of P(event on the first) <= e^epsilon P(event on the second) + delta that is valid at every time.

    `observe(first, second)` hears of pairs of runs whether the event occurred; `refuted` stays once it is true, and is
    so for a private mechanism with probability at most `error`, however often it is looked at. The event has to be
    chosen on other runs. Raises InvalidInput for parameters out of range and for lists of different lengths.
    """

    def __init__(self, epsilon: float, error: float, delta: float = 0.0) -> None:
        for name, value, holds, allowed in (
            ("epsilon", epsilon, 0 <= epsilon < 700, "in [0, 700)"),
            ("error", error, 0 < error < 1, "between 0 and 1"),
            ("delta", delta, 0 <= delta < 1, "in [0, 1)"),
        ):
            if not holds:
                raise InvalidInput(name, value, allowed)
        self.ratio, self.delta, self.error = float(np.exp(epsilon)), float(delta), float(error)
        self.log_wealth = np.zeros(len(STAKES))
        self.pairs, self.stopped = 0, 0

    @property
    def refuted(self) -> bool:
        """Whether the wealth has reached 1/error at some time."""
        return self.stopped > 0

    def observe(self, first: np.ndarray, second: np.ndarray) -> bool:
        """Take the next pairs of runs, booleans [size] each; `stopped` is the pair that refuted."""
        hits, others = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
        if hits.ndim != 1 or hits.shape != others.shape:
            raise InvalidInput("first, second", (hits.shape, others.shape), "two lists of the same length")
        gains = (hits - self.ratio * others - self.delta) / (self.ratio + self.delta)
        walks = self.log_wealth[:, np.newaxis] + np.cumsum(np.log1p(STAKES[:, np.newaxis] * gains), axis=1)
        wealth = np.logaddexp.reduce(walks, axis=0) - np.log(len(STAKES))
        reached = np.flatnonzero(wealth >= np.log(1 / self.error) + 1e-9)
        if not self.stopped and len(reached):
            self.stopped = self.pairs + int(reached[0]) + 1
        if len(hits):
            self.log_wealth = walks[:, -1]
        self.pairs += len(hits)
        return self.refuted


def share_of_error(error: Fraction, audit: int) -> Fraction:
    """What the audit of this number (from 1) may spend so that any number of audits together errs at most `error`.

    >>> sum(share_of_error(Fraction(1, 10), k) for k in range(1, 1000)) < Fraction(1, 10)
    True
    """
    if audit < 1:
        raise InvalidInput("audit", audit, "an integer, at least 1")
    return Fraction(error) / (audit * (audit + 1))
