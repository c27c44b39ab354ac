"""Exact laws of the actions of a finite policy: on reward lists, on reward tables, and against an adversary.

Each law is computed the way its definition reads, so that the identities between them can be checked.

Source: BDP-D2.2b, BDP-D2.2c, BDP-DB.1, BDP-EQ1
"""

from fractions import Fraction
from itertools import product
from math import prod

from banditproof.theory.arguments import checked
from banditproof.theory.errors import InvalidInput, one_of
from banditproof.verify.finite.kernels import (
    Actions,
    Adversary,
    FiniteKernel,
    History,
    Reward,
    RewardList,
    RewardTable,
    check_challenge_time,
)

ActionLaw = dict[Actions, Fraction]


def path_probability(kernel: FiniteKernel, actions: Actions, rewards: RewardList) -> Fraction:
    """prod_t pi_t(a_t | a_1, r_1, ..., a_{t-1}, r_{t-1})."""
    history = tuple(zip(actions, rewards, strict=True))
    return prod((kernel.probability(history[:t])[arm] for t, arm in enumerate(actions)), start=Fraction(1))


@checked
def view_law(kernel: FiniteKernel, rewards: RewardList) -> ActionLaw:
    """The law V_r on action sequences when the t-th reward is r_t whatever is played. Source: BDP-D2.2c"""
    _check_length("rewards", rewards, kernel)
    return {a: path_probability(kernel, a, rewards) for a in kernel.action_sequences()}


@checked
def table_law(kernel: FiniteKernel, table: RewardTable) -> ActionLaw:
    """The law M_x on action sequences when playing arm a at step t pays x_{t,a}. Source: BDP-D2.2b"""
    _check_length("table", table, kernel)
    return {
        a: path_probability(kernel, a, tuple(row[arm] for row, arm in zip(table, a, strict=True)))
        for a in kernel.action_sequences()
    }


def acr_law(kernel: FiniteKernel, adversary: Adversary, challenge_time: int, side: str) -> ActionLaw:
    """The law of the actions in adaptive continual release, by playing the protocol step by step.

    `side`, "L" or "R", says which of the adversary's two rewards the policy sees at `challenge_time`; at every other
    step it sees the left one.

    Source: BDP-DB.1
    """
    check_challenge_time(kernel, challenge_time)
    one_of("side", side, ("L", "R"))
    weights: dict[History, Fraction] = {(): Fraction(1)}
    for t in range(1, kernel.horizon + 1):
        after: dict[History, Fraction] = {}
        for history, weight in weights.items():
            for arm, p in enumerate(kernel.probability(history)):
                left, right = adversary((*(a for a, _ in history), arm))
                after[(*history, (arm, right if side == "R" and t == challenge_time else left))] = weight * p
        weights = after
    return {tuple(arm for arm, _ in history): weight for history, weight in weights.items()}


@checked
def history_law(kernel: FiniteKernel, reward_laws: tuple[dict[Reward, Fraction], ...]) -> dict[History, Fraction]:
    """The law of (a_1, r_1, ..., a_T, r_T) when arm a pays independent rewards with law `reward_laws[a]`.

    Source: BDP-EQ1
    """

    def weight(history: History) -> Fraction:
        actions, rewards = zip(*history, strict=True)
        return path_probability(kernel, actions, rewards) * prod(reward_laws[a][r] for a, r in history)

    if len(reward_laws) != kernel.arms or any(set(law) - set(kernel.rewards) for law in reward_laws):
        raise InvalidInput("reward_laws", reward_laws, f"{kernel.arms} laws on the rewards {kernel.rewards}")
    steps = [(arm, r) for arm, law in enumerate(reward_laws) for r in law]
    return {history: weight(history) for history in product(steps, repeat=kernel.horizon)}


def _check_length(name: str, value: tuple, kernel: FiniteKernel) -> None:
    if len(value) != kernel.horizon:
        raise InvalidInput(name, value, f"one entry for each of the {kernel.horizon} steps")
