"""Hypothesis strategies for what bandits meet: instances, rewards, actions, budgets, losses.

Values at the edges (0, 1, near-ties, tiny and huge budgets) are drawn about as often as values inside, since that is
where bandit code breaks. Everything shrinks towards few arms, short runs and round numbers. Sizes are ranges,
`(least, most)`, both included.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log10, nextafter
from typing import Any

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import KINDS, Budget, Values

try:
    from hypothesis import strategies as st
    from hypothesis.strategies import SearchStrategy
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "banditproof.verify.testing.strategies needs hypothesis: pip install hypothesis"
    ) from missing

Range = tuple[int, int]
NEAR = (0.5, 0.1, 2.0**-10, 2.0**-30, 2.0**-52)
"""Differences that near-ties are made of; any number in [0, 1] changes when one is added or taken away."""


def rewards(low: float = 0.0, high: float = 1.0) -> SearchStrategy[float]:
    """Numbers in [low, high]: often an end or next to one, shrinking towards `low`."""
    inside = [value for gap in NEAR for value in (low + gap * (high - low), high - gap * (high - low))]
    return st.sampled_from([low, high]) | st.sampled_from(inside) | st.floats(low, high)


def bandit_instances(
    arms: Range = (2, 5), *, low: float = 0.0, high: float = 1.0, unique_best: bool = False
) -> SearchStrategy[BernoulliBandit]:
    """Bernoulli bandits with means in [low, high], 0 <= low < high <= 1; the exact floats are `bandit.means` [K].

    The best arm is often tied or nearly so; with `unique_best` it is never tied.
    """
    if not 0 <= low < high <= 1:
        raise InvalidInput("low, high", (low, high), "0 <= low < high <= 1")
    return st.builds(BernoulliBandit, _means(_range("arms", arms), low, high, unique_best))


@st.composite
def _means(draw: Any, arms: Range, low: float, high: float, unique_best: bool) -> list[float]:
    means = draw(st.lists(rewards(low, high), min_size=arms[0], max_size=arms[1]))
    best = draw(st.integers(0, len(means) - 1))
    gap = max(draw(st.sampled_from(NEAR)) * (high - low), NEAR[-1])
    second = max(low, max(means) - gap)
    if unique_best:
        means = [min(mean, second) for mean in means]
        means[best] = min(high, second + gap)
    elif draw(st.booleans()):
        means[best] = draw(st.sampled_from([max(means), second]))
    return means


def neighbouring_rewards(horizon: Range = (1, 20)) -> SearchStrategy[tuple[list[float], list[float]]]:
    """Two reward lists [T] in [0, 1] that differ in exactly one reward, often as far as possible."""
    return _neighbours(_range("horizon", horizon))


@st.composite
def _neighbours(draw: Any, horizon: Range) -> tuple[list[float], list[float]]:
    first = draw(st.lists(rewards(), min_size=horizon[0], max_size=horizon[1]))
    time = draw(st.integers(0, len(first) - 1))
    farthest = 1.0 if first[time] < 0.5 else 0.0
    changed = draw(st.just(farthest) | rewards().filter(lambda reward: reward != first[time]))
    return first, [*first[:time], changed, *first[time + 1 :]]


def reward_tables(arms: Range = (1, 4), horizon: Range = (1, 10)) -> SearchStrategy[list[list[float]]]:
    """A reward in [0, 1] for every time and arm, [T][K], as `RewardTable` takes them."""
    return _tables(_range("arms", arms), _range("horizon", horizon))


@st.composite
def _tables(draw: Any, arms: Range, horizon: Range) -> list[list[float]]:
    columns = draw(st.integers(*arms))
    row = st.lists(rewards(), min_size=columns, max_size=columns)
    return draw(st.lists(row, min_size=horizon[0], max_size=horizon[1]))


def loss_sequences(arms: Range = (2, 4), horizon: Range = (1, 30)) -> SearchStrategy[list[list[float]]]:
    """Losses in [0, 1] of an oblivious adversary, [T][K].

    Arbitrary tables, and what adversaries do to algorithms: the same losses all the time, two rows in turn, two rows
    with one change between them.
    """
    return _patterns(_range("arms", arms), _range("horizon", horizon)) | reward_tables(arms, horizon)


@st.composite
def _patterns(draw: Any, arms: Range, horizon: Range) -> list[list[float]]:
    length, columns = draw(st.integers(*horizon)), draw(st.integers(*arms))
    first, second = (draw(st.lists(rewards(), min_size=columns, max_size=columns)) for _ in range(2))
    pattern = draw(st.sampled_from(["constant", "in turn", "one change"]))
    change = {"constant": length, "in turn": 0, "one change": length // 2}[pattern]
    turns = [t % 2 if pattern == "in turn" else t >= change for t in range(length)]
    return [list(second if turn else first) for turn in turns]


def action_sets(
    actions: Range = (1, 6), dimension: Range = (1, 3), *, length: float = 1.0, spanning: bool = True
) -> SearchStrategy[list[list[float]]]:
    """Different actions [K][d] of a linear bandit with entries in [-length, length], none of them zero.

    Some nearly repeat another one. With `spanning` they span all dimensions, though perhaps only just, and there are at
    least as many of them; without, anything goes.
    """
    if not 1e-200 <= length <= 1e200:
        raise InvalidInput("length", length, "in [1e-200, 1e200]")
    least, most = _range("actions", actions)
    if spanning and most < dimension[1]:
        raise InvalidInput(
            "actions",
            actions,
            f"a range up to at least {dimension[1]}, so that the actions can span as many dimensions",
        )
    return _actions((least, most), _range("dimension", dimension), length, spanning)


@st.composite
def _actions(draw: Any, actions: Range, dimension: Range, length: float, spanning: bool) -> list[list[float]]:
    columns = draw(st.integers(*dimension))
    entry = st.sampled_from([0.0, length, -length]) | st.floats(-length, length)
    diagonal = st.sampled_from([length, -length, *(gap * length for gap in NEAR)])
    rows: list[list[float]] = []
    for k in range(columns if spanning else 1):  # a triangle without zeros on the diagonal has full rank
        below = draw(st.lists(entry, min_size=k, max_size=k))
        rows.append([*below, draw(diagonal), *[0.0] * (columns - k - 1)])

    def next_to(row: list[float]) -> SearchStrategy[list[float]]:
        return st.sampled_from([[row[0] * (1 - gap), *row[1:]] for gap in NEAR])

    anywhere = st.lists(entry, min_size=columns, max_size=columns)
    more = (anywhere | st.sampled_from(rows).flatmap(next_to)).filter(lambda row: any(row) and row not in rows)
    least = max(0, actions[0] - len(rows))
    return rows + draw(st.lists(more, min_size=least, max_size=actions[1] - len(rows), unique_by=tuple))


def budgets(kinds: Sequence[str] = tuple(KINDS), *, least: float = 1e-9, most: float = 1e9) -> SearchStrategy[Budget]:
    """Privacy budgets of some `kinds` with epsilon, rho or mu in [least, most]; `most` may be inf, no privacy.

    Both ends are drawn often, and so is the largest amount of a kind in place of a larger `most`. A delta is in
    [1e-300, 1 - 2^-53] unless it is the amount, an order in [1 + 2^-52, 1e6].
    """
    if not 0 < least <= most:
        raise InvalidInput("least, most", (least, most), "0 < least <= most")
    if not kinds or not set(kinds) <= set(KINDS):
        raise InvalidInput("kinds", kinds, f"some of {', '.join(KINDS)}")

    def anywhere(allowed: Values) -> SearchStrategy[float]:
        return _between(max(nextafter(allowed.low, inf), 1e-300), min(allowed.high, 1e6))

    def drawn(kind: type[Budget]) -> SearchStrategy[Budget]:
        size = _between(min(least, kind.ranges[kind.amount].high), min(most, kind.ranges[kind.amount].high))
        parts = [size if name == kind.amount else anywhere(allowed) for name, allowed in kind.ranges.items()]
        return st.builds(Budget.of, st.just(kind.kind), *parts)

    return st.one_of([drawn(KINDS[kind]) for kind in kinds])


def _between(least: float, most: float) -> SearchStrategy[float]:
    """Positive numbers: round ones, the ends, and any, of which small and large ones are as likely."""
    round_ones = [value for value in (1.0, 0.5, 2.0, 0.1, 10.0) if least <= value <= most]
    exponents = st.floats(*(log10(min(end, 1e308)) for end in (least, most)))
    anywhere = exponents.map(lambda exponent: min(most, max(least, 10.0**exponent)))
    return st.sampled_from([*round_ones, least, most]) | anywhere


def _range(name: str, sizes: Range) -> Range:
    whole = isinstance(sizes, tuple | list) and [hasattr(size, "__index__") for size in sizes] == [True, True]
    if not whole or not 1 <= sizes[0] <= sizes[1]:
        meant = f"({sizes}, {sizes})" if isinstance(sizes, int) else ""
        raise InvalidInput(name, sizes, "a range (least, most) with 1 <= least <= most", meant)
    return sizes[0], sizes[1]
