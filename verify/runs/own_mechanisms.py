"""Does a mechanism of one's own keep the privacy loss that it states? Its answers to two true values are counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import inf

import numpy as np

from banditproof.theory.privacy.budget import Budget
from banditproof.verify.audits.mechanism_audit import MechanismAudit, audit_mechanism
from banditproof.verify.runs.recorder import Release

# To each of two values, and as many fresh ones: at first, and to the pair that shows most of what is stated.
FEW, MANY = 3000, 30_000
PAIRS = 4  # of values that are tried with a mechanism: small, large and in between, and closer ones
LAW_ERROR = Fraction(1, 10**9)  # the probability that mechanisms with the losses that they state are called broken


def broken_losses(pairs: Sequence[tuple[Release, Release]], seed: int, error: Fraction) -> Iterator[tuple[str, int]]:
    """(why, the pair) for releases on neighbours whose answers differ by more than the loss that is stated.

    The values are as far apart as any, and small, large and in between; the pair whose first answers show most of what
    is stated gets more: light tails cost too much where the first answers are rare. Of a mechanism that keeps its loss,
    one is named with probability at most `error`.
    """
    seen = []
    for k in _far_apart(pairs):
        if (audit := _audited(pairs[k], FEW, seed, error / PAIRS / 2)) is not None:
            yield from _told(pairs[k], k, audit)
            seen.append((audit.shown / audit.promised, k))
    if seen:
        _, k = max(seen)
        if (audit := _audited(pairs[k], MANY, seed + 1, error / 2)) is not None:
            yield from _told(pairs[k], k, audit)


def _told(pair: tuple[Release, Release], k: int, audit: MechanismAudit) -> Iterator[tuple[str, int]]:
    if audit.verdict == "violation":
        a, b = map(_value_text, pair)
        yield f"states a loss of {audit.promised:.4g} between {a} and {b}, but {audit}", k


def _far_apart(pairs: Sequence[tuple[Release, Release]]) -> list[int]:
    """The places of pairs that are as far apart as any, with small values, with large ones and in between, and of one
    that is closer: noise on whole numbers keeps a loss where values differ by 1, and shows the fraction of a value."""
    chosen = {(a.value.tobytes(), b.value.tobytes()): k for k, (a, b) in enumerate(pairs)}
    apart = {k: pairs[k][0].distance(pairs[k][1]) for k in chosen.values()}
    farthest = max(apart.values(), default=0.0)
    far = sorted((k for k in apart if apart[k] >= farthest * 0.99), key=lambda k: float(pairs[k][0].value.sum()))
    closer = [k for k in apart if farthest / 4 < apart[k] < farthest * 0.99]
    return list(dict.fromkeys([far[place] for place in (0, -1, len(far) // 2) if far] + closer[:1]))


def _audited(pair: tuple[Release, Release], samples: int, seed: int, error: Fraction) -> MechanismAudit | None:
    """What so many answers to either value show; None where no loss is stated, or none that is finite."""
    stated = _loss(*pair)
    if not 0 < stated < inf:
        return None
    return audit_mechanism(partial(_answers, pair), Budget.pure(stated), samples=samples, error=error, seed=seed)


def _loss(a: Release, b: Release) -> float:
    loss = a.mechanism.loss if a.mechanism is not None else lambda *_: inf
    return max(float(loss(a.value, b.value)), float(loss(b.value, a.value)))


def _answers(pair: tuple[Release, Release], world: int, size: int, generator: np.random.Generator) -> np.ndarray:
    """Answers one by one, as the policy asks for them: the noise of many values at once may be one draw."""
    release = pair[world]
    assert release.mechanism is not None
    sample = release.mechanism.sample
    drawn = [np.ravel(np.asarray(sample(release.value.copy(), generator), dtype=float)) for _ in range(size)]
    return np.array(drawn)


def _value_text(release: Release) -> str:
    return np.array2string(release.value.ravel(), precision=4, threshold=6)
