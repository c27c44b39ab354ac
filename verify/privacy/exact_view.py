"""Enclosures of the view law of Algorithm 1 on tiny instances: K = 2 arms, a handful of pulls, every binary list.

Given the arms a run pulls, it is a function of its released batch sums, which are independent Laplace variables
centred at the true sums. So the probability of an action sequence is a Laplace measure of a region of R^n, n the number
of releases that a decision can see. The region is the same for all reward lists, and an arm that is chosen stays chosen
when its own sum grows or the other one's falls. A box is therefore inside or outside the region as soon as its two
extreme corners agree; boxes that are neither are split. What remains undecided is the width of the enclosure.

Decisions are those of the program itself, in floating point, and so are the Laplace measures of the boxes: the
enclosures hold up to a relative rounding error of 1e-11 (allowed for), not in ball arithmetic.

Source: BDP-P4.2, BDP-A1
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import exp, inf, log

import numpy as np

from banditproof.algorithms import DPIMED, DPKLUCB, BatchedIndexPolicy, NoiseSource
from banditproof.algorithms.batches import BatchSchedule
from banditproof.theory import Budget, InvalidInput

ARMS = 2
ROUNDING = 1e-11
OF_CLASSES = {"__abstractmethods__", "_abc_impl", "__annotations__"}
Batch = tuple[int, int, int]  # arm, first pull, end
Probability = tuple[float, float]  # lower and upper end
ViewLaws = dict[tuple[int, ...], dict[tuple[int, ...], Probability]]  # reward list -> action sequence -> probability


@dataclass(frozen=True)
class ViewLoss:
    """The largest log-ratio of the view law over neighbouring binary lists, enclosed, and where its lower end is."""

    lower: float
    upper: float
    rewards: tuple[int, ...]
    neighbour: tuple[int, ...]
    actions: tuple[int, ...]


def exact_view_laws(
    policy: type[BatchedIndexPolicy],
    batches: BatchSchedule,
    horizon: int,
    epsilon: float,
    *,
    noise_epsilon: float | None = None,
    rounds: int = 6,
) -> ViewLaws:
    """Enclosures of the probability of every action sequence on every list in {0, 1}^horizon.

    `policy` is DPIMED or DPKLUCB with two arms, ties to the lowest arm. Its noise has scale 1/`noise_epsilon`
    (default `epsilon`). Each of the `rounds` halves the undecided boxes once per dimension.

    Raises InvalidInput for a policy with methods of its own besides its index, which would not be called, and if the
    horizon is shorter than the two first batches or longer than 8.
    """
    if own := methods_not_called(policy):
        raise InvalidInput(
            "policy", policy.__name__, f"one without its own {', '.join(own)}, because only its score is called"
        )
    if not ARMS * batches.size(0) <= horizon <= 8:
        raise InvalidInput("horizon", horizon, f"from {ARMS * batches.size(0)} (the first two batches) to 8")
    scale = 1 / (epsilon if noise_epsilon is None else noise_epsilon)
    laws: ViewLaws = {rewards: {} for rewards in product((0, 1), repeat=horizon)}
    for path in batch_paths(batches, horizon):
        inside, undecided = _region(policy, Budget.pure(epsilon), batches, path, scale, rounds)
        actions = tuple(arm for arm, start, stop in path for _ in range(start, stop))
        for rewards, law in laws.items():
            sums = [sum(rewards[start:stop]) for _, start, stop in path[:-1]]
            lower = _measure(inside, sums, scale)
            upper = lower + _measure(undecided, sums, scale)
            law[actions] = lower * (1 - ROUNDING), upper * (1 + ROUNDING)
    return laws


def methods_not_called(policy: type[BatchedIndexPolicy]) -> list[str]:
    """What a class defines that the laws, which replace all but the index by the plain program, would pass over."""
    known = {*DPIMED.__mro__, *DPKLUCB.__mro__}
    own = {name for cls in policy.__mro__ if cls not in known for name in vars(cls)}
    return sorted(own - {"score", "kinds", "presets", "per_replication"} - set(vars(type("", (), {}))) - OF_CLASSES)


def view_loss(laws: ViewLaws, noise_epsilon: float) -> ViewLoss:
    """The largest log-ratio between the laws of neighbouring lists, for noise of scale 1/`noise_epsilon`.

    In an undecided box the two densities differ by a factor of at most e^noise_epsilon at every point, which bounds
    the ratio also where only the undecided boxes can lead to a sequence.
    """
    worst, upper = (-inf, (), (), ()), 0.0
    for rewards, law in laws.items():
        for t in range(len(rewards)):
            neighbour = (*rewards[:t], 1 - rewards[t], *rewards[t + 1 :])
            for actions, (low, high) in law.items():
                other_low, other_high = laws[neighbour][actions]
                if high and other_high:
                    worst = max(worst, (log(low / other_high) if low else -inf, rewards, neighbour, actions))
                    pointwise = (low + exp(noise_epsilon) * (other_high - other_low)) / other_high
                    upper = max(upper, log(min(pointwise * (1 + 4 * ROUNDING), high / other_low if other_low else inf)))
    return ViewLoss(worst[0], upper, *worst[1:])


def batch_paths(batches: BatchSchedule, horizon: int) -> Iterator[tuple[Batch, ...]]:
    """Every way a run can go, batch by batch: first batches in the order of the arms, the last one cut at the end."""

    def extend(path: tuple[Batch, ...], clock: int) -> Iterator[tuple[Batch, ...]]:
        if clock >= horizon:
            yield path
            return
        for arm in range(ARMS) if len(path) >= ARMS else (len(path),):
            size = batches.size(sum(played == arm for played, _, _ in path))
            yield from extend((*path, (arm, clock, min(clock + size, horizon))), clock + size)

    return extend((), 0)


def _region(
    policy: type[BatchedIndexPolicy],
    budget: Budget,
    batches: BatchSchedule,
    path: tuple[Batch, ...],
    scale: float,
    rounds: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Boxes [n, B, 2] of released values that lead along `path`, and boxes that may or may not.

    Boxes are dyadic in the distribution functions of Laplace variables centred in the middle of the batches.
    """
    centres = np.array([(stop - start) / 2 for _, start, stop in path[:-1]])
    unit = np.array([[[0.0, 1.0]]] * centres.size)
    inside = [unit[:, :0]]
    for k in range(rounds * centres.size):
        unit = _halved(unit, k % centres.size)
        follows, strays = _follow_or_stray(policy, budget, batches, path, _quantiles(unit, centres, scale))
        inside.append(unit[:, follows])
        unit = unit[:, ~follows & ~strays]
        if not unit.size:
            break
    return _quantiles(np.concatenate(inside, axis=1), centres, scale), _quantiles(unit, centres, scale)


def _halved(boxes: np.ndarray, axis: int) -> np.ndarray:
    lower, upper = boxes.copy(), boxes.copy()
    lower[axis, :, 1] = upper[axis, :, 0] = boxes[axis].mean(axis=1)
    return np.concatenate([lower, upper], axis=1)


def _quantiles(unit: np.ndarray, centres: np.ndarray, scale: float) -> np.ndarray:
    with np.errstate(divide="ignore"):
        tails = np.log(2 * np.minimum(unit, 1 - unit))
    return centres[:, np.newaxis, np.newaxis] + scale * np.where(unit < 0.5, tails, -tails)


def _follow_or_stray(
    policy: type[BatchedIndexPolicy], budget: Budget, batches: BatchSchedule, path: tuple[Batch, ...], boxes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Which boxes follow the path in both extreme corners, and which leave it at the same decision in both."""
    follows = np.ones(boxes.shape[1], dtype=bool)
    strays = np.zeros(boxes.shape[1], dtype=bool)
    for k in range(ARMS, len(path)):
        chosen = [_chosen_arms(policy, budget, batches, path[:k], boxes, favoured) for favoured in range(ARMS)]
        wrong = [arm != path[k][0] for arm in chosen]
        strays |= wrong[0] & wrong[1]
        follows &= ~wrong[0] & ~wrong[1]
    return follows, strays


def _chosen_arms(
    policy: type[BatchedIndexPolicy],
    budget: Budget,
    batches: BatchSchedule,
    path: tuple[Batch, ...],
    boxes: np.ndarray,
    favoured: int,
) -> np.ndarray:
    """The arm chosen after `path` in the corner with the largest releases of one arm and the smallest of the other."""
    program = policy(ARMS, budget, batches, NoiseSource(), replications=boxes.shape[1])
    for k, (arm, start, stop) in enumerate(path):
        program.sums[:, arm] += boxes[k, :, 1 if arm == favoured else 0]
        program.samples[:, arm] += stop - start
        program.batches_done[:, arm] += 1
        program.clock += stop - start
    return program.next_batch()[0]


def _measure(boxes: np.ndarray, centres: list[int], scale: float) -> float:
    z = (boxes - np.array(centres, dtype=float)[:, np.newaxis, np.newaxis]) / scale
    z = np.where((z[..., :1] >= 0), -z[..., ::-1], z)  # right of the centre, measure the mirror image: no cancellation
    tails = 0.5 * np.exp(-np.abs(z))
    below = np.where(z < 0, tails, 1 - tails)
    return float(np.prod(below[..., 1] - below[..., 0], axis=0).sum())
