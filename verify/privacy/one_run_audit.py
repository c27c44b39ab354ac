"""Auditing with one run: many canaries, each in the data by a fair coin of its own, and guesses which ones are.

Neighbours differ in the presence of one canary. Both bounds here are derived. Let S in {-1, 1}^m be the coins and T in
{-1, 0, 1}^m the guesses made from the output of an (epsilon, delta)-DP run, r of them not 0; p = 1 - q = e^epsilon /
(1 + e^epsilon).

1. Given S_1, ..., S_{i-1}, what S_i changes is one canary: the later coins are averaged over, with the same weights on
   both sides. Let a(t) = P(T = t | S_i = t_i), b(t) = P(T = t | S_i = -t_i) and e(t) = max(0, a(t) - e^epsilon b(t)).
   By Bayes P(S_i = t_i | T = t, S_1, ..., S_{i-1}) = a / (a + b) <= p + f with f = q e(t) / (a + b).
2. delta = 0: e = 0. Given T every guess is right with probability at most p, whatever the earlier ones were, so the
   number of right ones is dominated by a Binomial(r, p) count; also where r depends on the output. Randomised response
   on every canary attains it.
3. delta > 0: over t with t_i = 1 the e(t) add up to at most delta, and over those with t_i = -1 too. As P(T = t) is the
   mean of a and b, E f <= q delta. Let h be the probability that w right guesses become v or more when the n that are
   left are independent coins of probability p. One more right guess raises h by P(Binomial(n, p) = v - 1 - w), so in
   expectation the i-th canary raises it by at most q delta times the largest of these probabilities. After it there are
   n >= r - i guesses left, and w <= r - 1 - n. Adding up from h = P(Binomial(r, p) >= v) gives `one_run_error`.

Steinke, Nasr and Jagielski (2023, Theorem 5.2) have step 2, and for delta > 0 the term 2 m delta max_i P(v >
Binomial(r, p) >= v - i) / i, as it is implemented in public. That is too small for some mechanisms: one that guesses
three coins at random, but never all of them wrong, is (0, 1/7)-DP and always has one right, where the term allows
55/56. What a guess owes to delta may depend on the guesses before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np

from banditproof.theory.arguments import Error, Nonnegative, Share, Size, checked, coins
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget, checked_budget, kinds_with
from banditproof.verify.privacy.black_box import Refutation
from banditproof.verify.proof.statistics import REPORT_ERROR

OF_TIES = (
    0x71E5  # a stream of its own: coins that somebody drew from the same seed must not say which of equals is taken
)


@dataclass(frozen=True)
class OneRunAudit(Refutation):
    """What one run says of a budget with a `line`: `right` of `guesses` about `canaries` were right.

    With probability at least 1 - `error` every epsilon (at the line's delta) that the run keeps is at least `shown`;
    `reach` is what all guesses being right would show.
    """

    canaries: int
    guesses: int
    right: int
    error: Fraction

    @property
    def parameter(self) -> str:
        return "epsilon"

    @property
    def promised(self) -> float:
        assert self.budget.line is not None  # `audit_one_run` refuses others
        return float(self.budget.line[0])

    def __str__(self) -> str:
        measured = (
            f"{self.right} of {self.guesses} guesses about {self.canaries} canaries were right: epsilon >= "
            f"{self.shown:.4g}, {self.budget} is promised, error {float(self.error):.2g}"
        )
        if self.verdict == "inconclusive":
            return f"cannot refute: {measured}; all of them right would show {self.reach:.3g}"
        return (
            f"violation: {measured}"
            if self.verdict == "violation"
            else f"not refuted, which is not a proof: {measured}"
        )


@checked
def audit_one_run(
    scores: np.ndarray,
    inside: np.ndarray,
    budget: Budget,
    guesses: Size,
    error: Error = REPORT_ERROR,
    seed: Annotated[int, "[0, inf)"] = 0,
) -> OneRunAudit:
    """Guess from scores [m] of one run which canaries were in, and hold the right guesses against the budget.

    The half of the `guesses` with the highest scores is guessed in, the half with the lowest out; which of equal scores
    are taken is drawn from the `seed`, so that the order of the arrays counts for nothing, and a constant score is
    right half of the time. Infinite scores stand at the ends. `inside` [m] are independent fair coins, true or 1 for
    "in", that nothing but the run has seen; `guesses` is fixed beforehand. Raises InvalidInput for scores that are nan,
    other coins, guesses that are odd or not in 2, ..., m, and a budget without a `line`, as those that are neither pure
    nor approximate.
    """
    if (line := checked_budget(budget).line) is None:
        raise InvalidInput("budget", str(budget), f"{kinds_with('line')} (convert it first)")
    scores, inside = np.asarray(scores, dtype=float), coins("inside", inside)
    if scores.ndim != 1 or inside.shape != scores.shape:
        raise InvalidInput("scores, inside", (scores.shape, inside.shape), "a number and a coin for every canary")
    if missing := np.flatnonzero(np.isnan(scores)).tolist():
        allowed = (
            "a number for every canary; give one without a score the same number whether it is in or out, such as 0"
        )
        raise InvalidInput("scores", f"nan for canaries {', '.join(map(str, missing[:5]))}", allowed)
    if guesses % 2 or not 2 <= guesses <= len(scores):
        raise InvalidInput("guesses", guesses, f"an even number of 2, ..., {len(scores)}")
    if inside.all() or not inside.any():
        if 2.0 ** (1 - len(inside)) < error:
            raise InvalidInput(
                "inside", "all the same", f"fair coins: {len(inside)} of them are hardly ever all the same"
            )
    ties = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(OF_TIES,)))
    right = right_guesses(scores, inside, guesses, ties)
    delta, wrong = float(line[1]), float(error)
    shown, reach = (one_run_epsilon(len(scores), guesses, count, wrong, delta) for count in (right, guesses))
    return OneRunAudit(budget, shown, reach, len(scores), guesses, right, Fraction(error))


def right_guesses(scores: np.ndarray, inside: np.ndarray, guesses: int, generator: np.random.Generator) -> int:
    """How many of the guesses are right: the highest scores in, the lowest out, of equal scores those that are drawn.

    The half that is guessed in and the half that is guessed out have no canary in common.
    """
    order, half = np.lexsort((generator.random(len(scores)), scores)), guesses // 2
    return int(inside[order[-half:]].sum() + (~inside[order[:half]]).sum())


@checked
def one_run_error(canaries: Size, guesses: Size, right: int, epsilon: Nonnegative, delta: float = 0.0) -> float:
    """At most this likely are as many right guesses in one run of an (epsilon, delta)-DP mechanism.

    Where delta > 0 the number of guesses is one that was fixed beforehand. Raises InvalidInput unless
    0 <= right <= guesses <= canaries, epsilon >= 0 and 0 <= delta <= 1.
    """
    from scipy.stats import binom

    if not 0 <= right <= guesses <= canaries:
        raise InvalidInput("right, guesses, canaries", (right, guesses, canaries), "in increasing order, from 0")
    if not (epsilon >= 0 and 0 <= delta <= 1):
        raise InvalidInput("epsilon, delta", (epsilon, delta), "epsilon >= 0 and delta in [0, 1]")
    p = 1 / (1 + np.exp(-epsilon))
    tail = float(binom.sf(right - 1, guesses, p))
    if not delta or not right:
        return min(1.0, tail)
    left = np.arange(guesses)[::-1]  # guesses left after a guess, at least: n >= r - i
    missing = np.clip(np.floor((left + 1) * p), np.maximum(0, right - guesses + left), np.minimum(left, right - 1))
    raised = np.maximum.accumulate(binom.pmf(missing, left, p))
    return min(1.0, tail + (1 - p) * delta * (float(raised.sum()) + canaries - guesses))


@checked
def one_run_epsilon(canaries: Size, guesses: Size, right: int, error: Share, delta: float = 0.0) -> float:
    """The largest epsilon that this many right guesses refute with this error, rounded down; 0 where they refute none.

    Raises InvalidInput as `one_run_error` does, and unless 0 < error < 1.
    """
    if one_run_error(canaries, guesses, right, 0.0, delta) > error * (1 - 1e-9):
        return 0.0
    low, high = 0.0, 700.0
    for _ in range(60):
        middle = (low + high) / 2
        refuted = one_run_error(canaries, guesses, right, middle, delta) <= error * (1 - 1e-9)
        low, high = (middle, high) if refuted else (low, middle)
    return low
