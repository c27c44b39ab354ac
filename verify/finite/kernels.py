"""Finite policies and adversaries with rational probabilities: what exact enumeration runs on.

A policy is a family of probability kernels from histories to arms; here rewards come from a finite alphabet and every
probability is a `Fraction`, so output laws are computed without rounding. Arms are numbered 0, ..., K-1, and step t
of the papers is position t-1 of a tuple. The reward of the last step reaches no decision, so inputs are enumerated
up to it.

Source: BDP-D2.1, BDP-D2.2b, BDP-D2.2c, BDP-DB.1
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from itertools import product
from math import inf, prod
from typing import Annotated, Any

from banditproof.theory.arguments import Seed, Size, checked
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.exact_numbers import check_count

Reward = int | Fraction
Actions = tuple[int, ...]
History = tuple[tuple[int, Reward], ...]  # ((a_1, r_1), ..., (a_{t-1}, r_{t-1}))
Row = tuple[Fraction, ...]  # Pr[a_t = 0], ..., Pr[a_t = K-1]
RewardList = tuple[Reward, ...]  # r_1, ..., r_T
RewardTable = tuple[tuple[Reward, ...], ...]  # T rows of K rewards
Adversary = Callable[[Actions], tuple[Reward, Reward]]  # (a_1, ..., a_t) -> (r^L_t, r^R_t)

LARGEST_ENUMERATION = 2_000_000


@checked
@dataclass(frozen=True)
class FiniteKernel:
    """A policy on `arms` arms over `horizon` steps whose rewards lie in the finite alphabet `rewards`.

    `probability(history)` gives the law of the next arm after any history of fewer than `horizon` (arm, reward)
    pairs. It is evaluated once on every such history, checked, and kept as a table.

    Raises InvalidInput for an empty alphabet, a horizon or number of arms below 1, or a row that is not a law.

    Source: BDP-D2.1
    """

    horizon: int
    arms: int
    rewards: tuple[Reward, ...]
    probability: Annotated[Callable[[History], Row], "(history)"]

    def __post_init__(self) -> None:
        for name in ("horizon", "arms"):
            check_count(name, getattr(self, name), 1, LARGEST_ENUMERATION)
        if not self.rewards or len(set(self.rewards)) < len(self.rewards):
            raise InvalidInput("rewards", self.rewards, "a non-empty tuple of distinct rewards")
        within_limit("histories", (self.arms * len(self.rewards)) ** (self.horizon - 1))
        table = {history: _checked_row(self.probability(history), self.arms) for history in self.histories()}
        object.__setattr__(self, "probability", _Rows(table).__getitem__)

    def histories(self) -> Iterator[History]:
        """Every history after which the policy has to choose an arm, shortest first."""
        pairs = tuple(product(range(self.arms), self.rewards))
        for length in range(self.horizon):
            yield from product(pairs, repeat=length)

    def action_sequences(self) -> Iterator[Actions]:
        """The K^T possible outputs."""
        return product(range(self.arms), repeat=self.horizon)


class _Rows(dict[History, Row]):
    def __missing__(self, history: History) -> Row:
        raise InvalidInput("history", history, "fewer pairs than the horizon, of arms and rewards of the policy")


def _checked_row(row: Sequence[Fraction], arms: int) -> Row:
    try:
        exact = tuple(Fraction(p) for p in row)
    except (TypeError, ValueError):  # no list of numbers
        exact = ()
    if len(exact) != arms or min(exact) < 0 or sum(exact) != 1:
        raise InvalidInput("probability", row, f"{arms} rational probabilities that sum to 1")
    return exact


def within_limit(what: str, count: int) -> None:
    """Raise InvalidInput if an enumeration would visit more than `LARGEST_ENUMERATION` objects."""
    if count > LARGEST_ENUMERATION:
        allowed = f"at most {LARGEST_ENUMERATION}: take a smaller horizon, alphabet or number of arms"
        raise InvalidInput(f"number of {what}", count, allowed)


@checked
def random_law(
    seed: int, label: object, size: Annotated[int, "[1, 2000000]"], smallest_weight: int = 1, largest_weight: int = 9
) -> Row:
    """A rational law on `size` points that depends on nothing but its arguments, on any machine.

    Each point gets an integer weight in [smallest_weight, largest_weight]; all weights zero means uniform.
    """
    if not 0 <= smallest_weight <= largest_weight or largest_weight == 0:
        raise InvalidInput("weights", (smallest_weight, largest_weight), "0 <= smallest <= largest, largest > 0")
    span = largest_weight - smallest_weight + 1
    digests = (blake2b(f"{seed}|{label}|{point}".encode(), digest_size=8).digest() for point in range(size))
    weights = [smallest_weight + int.from_bytes(digest) % span for digest in digests]
    total = sum(weights)
    return tuple(Fraction(w, total) if total else Fraction(1, size) for w in weights)


@checked
def random_kernel(
    seed: Seed,
    horizon: int,
    arms: Size,
    rewards: Sequence[Reward] = (0, 1),
    *,
    smallest_weight: int = 1,
    largest_weight: int = 9,
) -> FiniteKernel:
    """The random policy number `seed`: a counterexample found on it is re-created from the integer.

    `smallest_weight=0` allows arms of probability zero, hence infinite privacy loss.
    """

    def probability(history: History) -> Row:
        return random_law(seed, history, arms, smallest_weight, largest_weight)

    return FiniteKernel(horizon, arms, tuple(rewards), probability)


@checked
def randomised_response_kernel(
    horizon: int, arms: Size, ratio: Fraction, rewards: Sequence[Reward] = (0, 1)
) -> FiniteKernel:
    """Win-stay, lose-shift through randomised response: exactly log(ratio)-private for K = 2 and T >= 2.

    a_1 is uniform. After the largest reward of the alphabet the policy stays with probability ratio/(1+ratio), after
    any other it leaves with that probability, to an arm drawn uniformly. Each reward is read by one decision.
    """
    if not 0 <= ratio < inf:
        raise InvalidInput("ratio", ratio, "at least 0 and finite")
    likely = Fraction(ratio) / (1 + Fraction(ratio))

    def probability(history: History) -> Row:
        if not history or arms == 1:
            return (Fraction(1, arms),) * arms
        arm, reward = history[-1]
        stay = likely if reward == max(rewards) else 1 - likely
        return tuple(stay if a == arm else (1 - stay) / (arms - 1) for a in range(arms))

    return FiniteKernel(horizon, arms, tuple(rewards), probability)


@checked
def reward_lists(kernel: FiniteKernel) -> Iterator[RewardList]:
    """Every reward list, the last reward fixed."""
    for head in product(kernel.rewards, repeat=kernel.horizon - 1):
        yield (*head, kernel.rewards[0])


@checked
def reward_tables(kernel: FiniteKernel) -> Iterator[RewardTable]:
    """Every T x K reward table, the last row fixed."""
    rows = tuple(product(kernel.rewards, repeat=kernel.arms))
    within_limit("reward tables", len(rows) ** (kernel.horizon - 1))
    for head in product(rows, repeat=kernel.horizon - 1):
        yield (*head, rows[0])


@checked
def replacements(values: Sequence[Any], choices: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Every tuple that differs from `values` in exactly one place (Hamming distance 1), the last place kept."""
    for place, choice in product(range(len(values) - 1), choices):
        if choice != values[place]:
            yield (*values[:place], choice, *values[place + 1 :])


@checked
def adversaries(kernel: FiniteKernel, challenge_time: int) -> Iterator[Adversary]:
    """Every deterministic reward-feeding adversary, i.e. every reward tree with pairs at depth `challenge_time`.

    Away from the challenge both channels carry the same reward. The count is doubly exponential (T <= 3 in practice).

    Source: BDP-DB.1, BDP-RB.4
    """
    check_challenge_time(kernel, challenge_time)
    same = tuple((r, r) for r in kernel.rewards)
    pairs = tuple(product(kernel.rewards, repeat=2))
    nodes = [actions for depth in range(1, kernel.horizon) for actions in product(range(kernel.arms), repeat=depth)]
    choices = [pairs if len(node) == challenge_time else same for node in nodes]
    within_limit("adversaries", prod(map(len, choices)))
    last = dict.fromkeys(kernel.action_sequences(), same[0])
    for rewards in product(*choices):
        yield {**dict(zip(nodes, rewards, strict=True)), **last}.__getitem__


def check_challenge_time(kernel: FiniteKernel, challenge_time: int) -> None:
    """Raise InvalidInput unless 1 <= challenge_time <= T."""
    if not 1 <= challenge_time <= kernel.horizon:
        raise InvalidInput("challenge_time", challenge_time, f"between 1 and the horizon {kernel.horizon}")
