"""Composition and groups for random finite mechanisms, exactly."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.claims.language import *
from banditproof.verify import FiniteChannel, channel_delta, random_channel
from banditproof.verify.finite import channels

RATIOS = (Fraction(1), Fraction(3, 2), Fraction(4))  # values of e^epsilon


def numbered(seed: int, records: int = 2) -> FiniteChannel:
    """Random channel number ``seed``; every third one may give an output probability zero."""
    return random_channel(seed, records, outputs=2 + seed % 2, smallest_weight=0 if seed % 3 == 2 else 1)


def counting(chances: Sequence[Fraction], ratio: Fraction, delta: Fraction) -> FiniteChannel:
    """The mechanism that counts the ones among some bits and says 'yes' with the chance of their number, from 0 on.

    Raises InvalidInput unless it is (log ratio, delta)-DP, which is looked at for all neighbours and events.
    """
    records = len(chances) - 1
    laws: dict[channels.Dataset, channels.Law] = {
        bits: {"yes": chances[sum(bits)], "no": 1 - chances[sum(bits)]} for bits in product((0, 1), repeat=records)
    }
    channel = FiniteChannel(records, (0, 1), laws)
    if channel_delta(channel, ratio).value > delta:
        raise InvalidInput("chances", chances, f"those of a (log {ratio}, {delta})-DP mechanism")
    return channel


def chance_of_yes(channel: FiniteChannel, ones: int) -> Fraction:
    """The chance that a counting mechanism says 'yes' on bits of which the first `ones` are set."""
    return channel.laws[(1,) * ones + (0,) * (channel.records - ones)]["yes"]


def finitely_many(check: Check, what: str) -> Domain:
    """The region that a list of mechanisms speaks of: never every mechanism."""
    return check.domain.restrict(mechanism=f"all: {check.pick('some', 'many')} {what}")


def renyi_moment(left: Any, right: Any, order: int) -> Fraction:
    """exp((order - 1) D_order) = sum p^order q^(1 - order), rational for an integer order."""
    return sum((p * (p / right[s]) ** (order - 1) for s, p in left.items() if p), Fraction(0))
