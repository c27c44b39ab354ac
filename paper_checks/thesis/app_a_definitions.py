"""Appendix A, page 171: the proof that Table and View DP differ, and the policy of three steps that shows it."""

from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.verify import (
    FiniteKernel,
    privacy_curve,
    replacements,
    reward_lists,
    reward_tables,
    table_law,
    view_law,
)
from banditproof.verify.finite.kernels import History, Row

ROWS = ("2/3", "1/2 1/3 1/4 1/3", "1/2 1/3 1/4 1/5 1/2 2/3 1/4 0 1/3 1/7 3/4 2/5 1/2 1 1/4 2/3")


@cache
def printed_policy() -> FiniteKernel:
    """The printed rows; the history (a_1, r_1, a_2, r_2), read as a binary number, is the row."""

    def probability(history: History) -> Row:
        rows = ROWS[len(history)].split()
        first = Fraction(rows[int("0" + "".join(f"{a}{r}" for a, r in history), 2)])
        return first, 1 - first

    return FiniteKernel(3, 2, (0, 1), probability)


@cache
def excesses(notion: str) -> list[tuple[Fraction, Fraction]]:
    """delta(e^epsilon) of the printed policy is the largest of left - e^epsilon right over these pairs, or 0."""
    return [(Fraction(piece.left), Fraction(piece.right)) for piece in privacy_curve(printed_policy(), notion)]


def delta_at(notion: str, epsilon: Any) -> Any:
    """delta(epsilon) as a ball."""
    largest = to_ball(0)
    for left, right in excesses(notion):
        largest = largest.max(to_ball(left) - exp(epsilon) * to_ball(right))
    return largest


def smallest_ratio() -> Any:
    """e^epsilon of the smallest epsilon over tables at delta = 0.17: 4347/1625 as a ball."""
    delta = Fraction(17, 100)
    return to_ball(max((left - delta) / right if right else Fraction(1) for left, right in excesses("table")))


def in_the_row(rows: str, *history: Any) -> Any:
    """The printed probability of arm 0 in the row that a history says as a binary number, as a sum over the rows."""
    row = sum(symbol * 2**k for k, symbol in enumerate(reversed(history)))
    return sum(where(row, "==", k, Fraction(entry), 0) for k, entry in enumerate(rows.split()))


Zero = Annotated[Any, [0]]
One = Annotated[Any, [1]]


def after_one_step(a_1, r_1, probability=Fraction(1, 4)):
    """The same in the policy that is checked."""
    return printed_policy().probability(((a_1, r_1),))[0], "==", probability


@claim(
    "TH-S3.App-e/examples",
    enumerated([{"a_1": 1, "r_1": 0}], rational=True),
    enumerated([{"a_1": 1, "r_1": 0}], rational=True, of=after_one_step),
    false={"probability": "1/3"},
)
def index_of_a_history(a_1: One, r_1: Zero, probability=Fraction(1, 4)):
    r"""After history $\{1, 0\}$ arm 0 has probability $1/4$."""
    return in_the_row(ROWS[1], a_1, r_1), "==", probability


def after_two_steps(a_1, r_1, a_2, r_2, probability=0):
    """The same in the policy that is checked."""
    return printed_policy().probability(((a_1, r_1), (a_2, r_2)))[0], "==", probability


@claim(
    "TH-S3.App-e/example-of-two-steps",
    enumerated([{"a_1": 0, "r_1": 1, "a_2": 1, "r_2": 1}], rational=True),
    enumerated([{"a_1": 0, "r_1": 1, "a_2": 1, "r_2": 1}], rational=True, of=after_two_steps),
    false={"probability": "1/3"},
)
def index_of_a_longer_history(a_1: Zero, r_1: One, a_2: One, r_2: One, probability=0):
    r"""After history $\{0, 1, 1, 1\}$ arm 0 has probability $0$."""
    return in_the_row(ROWS[2], a_1, r_1, a_2, r_2), "==", probability


@quantity
def worst_of_all_events(notion: str, ratio: Fraction) -> Fraction:
    """delta by visiting all 256 events and all pairs of neighbours, as the text does."""
    pi = printed_policy()
    inputs = list(reward_lists(pi) if notion == "view" else reward_tables(pi))
    choices = pi.rewards if notion == "view" else tuple((r, s) for r in pi.rewards for s in pi.rewards)
    run: Any = view_law if notion == "view" else table_law
    law = {x: run(pi, x) for x in inputs}
    words = list(pi.action_sequences())
    events = list(chain.from_iterable(combinations(words, k) for k in range(len(words) + 1)))
    worst = Fraction(0)
    for left in inputs:
        for right in replacements(left, choices):
            excess = {a: law[left][a] - ratio * law[right][a] for a in words}
            worst = max(worst, *(sum((excess[a] for a in event), Fraction(0)) for event in events))
    return worst


@quantity
def worst_by_prefixes(notion: str, ratio: Fraction) -> Fraction:
    """delta from the pieces of the privacy curve."""
    return max(Fraction(0), *(left - ratio * right for left, right in excesses(notion)))


@claim(
    "TH-S3.App-e/all-events",
    enumerated(
        notion=["view", "table"], ratio=["1", "5/2", "13/5"], rational=True, routes=("all events", "prefix by prefix")
    ),
    false={"factor": "1.01"},
    role="step",
)
def all_events_and_neighbours(notion: Annotated[Any, "all: lists and tables"], ratio: AtLeastOne, factor=1):
    r"""Checking all $2^8$ events and all neighbouring pairs gives the $\delta(\varepsilon)$ found prefix by prefix.

    The check uses three values of e^epsilon, among them rationals on either side of e^0.95, over lists and over tables.
    """
    return worst_of_all_events(notion, ratio), "==", factor * worst_by_prefixes(notion, ratio)


BY_EVENTS = enumerated([{}], routes=("largest excess over all pieces of the curve", "the printed number, in balls"))


@claim("TH-S3.App-e/view", BY_EVENTS, false=[{"epsilon": "0.94"}, {"delta": "0.165"}])
def policy_is_view_private(epsilon=Fraction(19, 20), delta=Fraction(17, 100)):
    r"""The policy is $(19/20, 17/100)$-View DP.

    The smallest epsilon is log(3597/1400).
    """
    return delta_at("view", epsilon), "<=", delta


@claim("TH-S3.App-e/not-table", BY_EVENTS, false=[{"epsilon": "0.99"}, {"delta": "0.18"}])
def policy_is_not_table_private(epsilon=Fraction(19, 20), delta=Fraction(17, 100)):
    r"""The policy is not $(19/20, 17/100)$-Table DP.

    The smallest epsilon is log(4347/1625).
    """
    return delta_at("table", epsilon), ">", delta


@claim("TH-S3.App-e/smallest", BY_EVENTS, false=[{"epsilon": "0.97"}, {"epsilon": "0.99"}])
def smallest_epsilon_over_tables(epsilon=Fraction(49, 50), digit=Fraction(1, 100)):
    r"""The smallest $\varepsilon_0$ at $\delta = 0.17$ over tables is $49/50$ to two decimals.

    log(4347/1625) = 0.98398 differs by less than half a unit of the last digit.
    """
    return abs(smallest_ratio().log() - epsilon), "<=", digit / 2


@claim("TH-S3.App-e/exactly", fails_at(), role="reading")
def smallest_epsilon_read_exactly(epsilon=Fraction(49, 50)):
    r"""Read exactly, the policy is $(49/50, 0.17)$-Table DP.

    'The smallest epsilon_0 [...] is epsilon_0 = 0.98.' The smallest e^epsilon is 4347/1625, slightly above e^0.98, so
    the printed number is rounded down.
    """
    return smallest_ratio(), "<=", exp(epsilon)


@repaired("TH-S3.App-e/rounded-up", "TH-S3.App-e/exactly", BY_EVENTS, false={"epsilon": "0.983"})
def smallest_epsilon_rounded_up(epsilon=Fraction(123, 125)):
    r"""The policy is $(123/125, 0.17)$-Table DP."""
