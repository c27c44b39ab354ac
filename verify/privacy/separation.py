"""Policies that separate the definitions of privacy: families with known gaps.

A gap at e^epsilon is delta under one definition over delta under another. What the families attain (K arms, T steps):

| from -> to                | largest gap                                                                           |
|---------------------------|---------------------------------------------------------------------------------------|
| view -> table, acr        | K^(T-1), and never more: sequences that agree up to step T-1 read the same list        |
| table -> acr              | K^(T-2), and never more: below one prefix of T-2 actions a reward tree is a table      |
| table -> interactive      | unbounded: queries reach histories that the policy's own actions hardly ever reach     |
| interactive -> acr        | none for T <= 3, at most K^(T-3) after that; nearly 2 is found for T = 4 and K = 2      |

Source: TH-P3.12, TH-P3.13, TH-P3.15, TH-S3.8
"""

from dataclasses import dataclass
from fractions import Fraction

from banditproof.theory.errors import InvalidInput
from banditproof.verify.finite.kernels import FiniteKernel, History, Row
from banditproof.verify.privacy.policy_privacy import EventWitness, largest_delta

Parameters = tuple[Fraction, ...]

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Separation:
    """How far apart two definitions are on one policy at e^epsilon = `ratio`: both deltas with their witnesses."""

    kernel: FiniteKernel
    ratio: Fraction
    wide: EventWitness
    narrow: EventWitness

    @property
    def gap(self) -> Fraction:
        """The larger delta over the smaller one, exactly."""
        return self.wide.excess(self.ratio) / self.narrow.excess(self.ratio)

    def recheck(self) -> bool:
        """Whether both witnesses hold and neither definition has a worse event (all inputs are visited again)."""
        return all(
            witness.holds(self.kernel)
            and largest_delta(self.kernel, witness.inputs.notion, self.ratio).excess(self.ratio)
            == witness.excess(self.ratio)
            for witness in (self.wide, self.narrow)
        )


def separation(kernel: FiniteKernel, wide: str, narrow: str, ratio: Fraction) -> Separation:
    """The two deltas of a policy at e^epsilon = `ratio`.

    >>> separation(secret_word_kernel(3, 2, Fraction(1, 2)), "table", "view", Fraction(2)).gap
    Fraction(4, 1)

    Raises InvalidInput where the second delta is zero: there is no gap to speak of.
    """
    deltas = [largest_delta(kernel, notion, ratio) for notion in (wide, narrow)]
    if deltas[1].excess(ratio) <= 0:
        raise InvalidInput(f"delta under {narrow}", deltas[1].excess(ratio), "positive")
    return Separation(kernel, ratio, deltas[0], deltas[1])


def secret_word_kernel(horizon: int, arms: int, leak: Fraction) -> FiniteKernel:
    """The last arm is 0 with probability `leak` if every reward so far equalled the arm played, and never otherwise.

    A list matches one word a_1..a_(T-1) of the K^(T-1) equally likely ones, a table with x_{t,a} = a matches all: for
    e^epsilon >= 1/(1 - leak), delta is `leak` for tables and trees and `leak`/K^(T-1) for lists.

    Source: TH-P3.12
    """

    def probability(history: History) -> Row:
        if len(history) < horizon - 1:
            return (Fraction(1, arms),) * arms
        return _leaks(arms, leak if all(arm == r for arm, r in history) else Fraction(0))

    return FiniteKernel(horizon, arms, tuple(range(max(2, arms))), probability)


def own_scale_kernel(arms: int, leak: Fraction) -> FiniteKernel:
    """T = 2, two rewards for each arm: after arm a, arm 0 has probability 0, `leak` or `leak`/2 on 2a, 2a+1, others.

    delta is `leak` for tables and at most `leak`/K for lists, at every epsilon.

    Source: TH-P3.12
    """

    def probability(history: History) -> Row:
        if not history:
            return (Fraction(1, arms),) * arms
        ((arm, reward),) = history
        return _leaks(arms, {2 * arm: Fraction(0), 2 * arm + 1: leak}.get(int(reward), leak / 2))

    return FiniteKernel(2, arms, tuple(range(2 * arms)), probability)


def prefix_code_kernel(horizon: int, arms: int, leak: Fraction) -> FiniteKernel:
    """The last arm is 0 with probability `leak` if the reward of step T-1 is the number of the word a_1..a_(T-2).

    Arm 0 is played at step T-1, so a table can name one word there, a tree every one: for e^epsilon >= 1/(1 - leak),
    delta is `leak` for trees and `leak`/K^(T-2) for tables.

    Source: TH-P3.15
    """
    words = arms ** (horizon - 2)

    def probability(history: History) -> Row:
        if len(history) < horizon - 2:
            return (Fraction(1, arms),) * arms
        if len(history) == horizon - 2:
            return _leaks(arms, Fraction(1))
        number = sum(arm * arms**t for t, (arm, _) in enumerate(history[:-1]))
        return _leaks(arms, leak if history[-1][1] == number else Fraction(0))

    return FiniteKernel(horizon, arms, tuple(range(max(2, words))), probability)


def off_path_kernel(seldom: Fraction) -> FiniteKernel:
    """T = K = 2: after arm 1, played with probability `seldom`, the policy repeats the reward; after arm 0 it plays 0.

    delta is `seldom` for tables and 1 in the interaction, where arm 1 may be asked for at will.

    Source: TH-P3.13
    """

    def probability(history: History) -> Row:
        if not history:
            return 1 - seldom, seldom
        return _leaks(2, Fraction(1) if history[0] != (1, 1) else Fraction(0))

    return FiniteKernel(2, 2, (0, 1), probability)


MATCHED = tuple(map(Fraction, ("3/4", "1/4", "1", "1/3", "1/3", "1", "2/3", "2/3")))


def matched_answer_kernel(parameters: Parameters = MATCHED) -> FiniteKernel:
    """T = 4, K = 2: the third reward must match the second arm for the last decision to tell of the first reward.

    `parameters`: probability of arm 0 at step 2 after first reward 0 and 1; then of arm 0 at step 4 after second arm
    0, matched, first reward 0 and 1; after second arm 1, matched, first reward 0 and 1; unmatched, second arm 0 and 1.
    Step 3 is arm 0, and nothing is matched if another arm was asked for there. A tree answers the third step by the
    second action; a table has one reward of arm 0 at step 3. With the default, at epsilon = 0, delta is 5/6 for trees
    and 2/3 in the interaction.

    Source: TH-S3.8
    """
    first, matched, otherwise = parameters[:2], parameters[2:6], parameters[6:]

    def probability(history: History) -> Row:
        if not history:
            return HALF, HALF
        told = history[0][1]
        if len(history) == 1:
            return _leaks(2, first[int(told)])
        if len(history) == 2:
            return _leaks(2, Fraction(1))
        arm = history[1][0]
        match = history[2] == (0, arm)
        return _leaks(2, matched[2 * arm + int(told)] if match else otherwise[arm])

    return FiniteKernel(4, 2, (0, 1), probability)


def read_off_kernel(horizon: int) -> FiniteKernel:
    """Arms 0 and 1; the reward of step T-1 chooses how the last decision tells of the first reward, whatever was asked.

    Step 2 tells of the first reward as `matched_answer_kernel` does, then arm 0 is played up to step T-1. The best
    choice of the last reward depends on the second action. With T = 4, a query adversary chooses it through the column
    of a table, a table alone cannot; with T = 3, where the reward counts only if arm 0 was asked for, only an adversary
    can that is paid for the arm played. At epsilon = 0 the deltas are 5/6 and 2/3.

    Source: TH-P3.13, TH-S3.6
    """

    def probability(history: History) -> Row:
        if not history:
            return HALF, HALF
        told = int(history[0][1])
        if len(history) == 1:
            return _leaks(2, Fraction(3 - 2 * told, 4))
        if len(history) < horizon - 1:
            return _leaks(2, Fraction(1))
        query, chooses = history[-1]
        if horizon == 3 and query:
            return _leaks(2, Fraction(2, 3))
        return _leaks(2, Fraction(1) if told == chooses else Fraction(1, 3))

    if horizon not in (3, 4):
        raise InvalidInput("horizon", horizon, "3 or 4")
    return FiniteKernel(horizon, 2, (0, 1), probability)


def _leaks(arms: int, to_first: Fraction) -> Row:
    """Arm 0 with this probability, else the last arm."""
    return (to_first,) + (Fraction(0),) * (arms - 2) + (1 - to_first,) if arms > 1 else (Fraction(1),)
