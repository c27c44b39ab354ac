"""Does a mechanism of one's own keep the privacy loss that it states? Its answers to two true values are counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import inf

import numpy as np

from banditproof.theory.privacy.budget import Budget
from banditproof.verify.audits.mechanism_audit import MechanismAudit, audit_mechanism, shows_more
from banditproof.verify.runs.recorder import Release

ANSWERS = (
    3000,
    30_000,
)  # to each of two values, and as many fresh ones; more where the first ones cost more than is stated
PAIRS = 3  # of values that are tried with a mechanism: the smallest, the largest, and some in between
LAW_ERROR = Fraction(1, 10**9)  # the probability that mechanisms with the losses that they state are called broken


def broken_losses(pairs: Sequence[tuple[Release, Release]], seed: int, error: Fraction) -> Iterator[tuple[str, int]]:
    """(why, the pair) for releases on neighbours whose answers differ by more than the loss that is stated.

    The values are as far apart as any, and small, large and in between; the pair whose first answers seem to cost most
    above what is stated gets more. Of a mechanism that keeps its loss, one is named with probability at most `error`.
    """
    few, many = ANSWERS
    audits = [(k, _audited(pairs[k], few, seed, error / PAIRS / 2)) for k in _far_apart(pairs)]
    promising = [(k, audit) for k, audit in audits if audit is not None and shows_more(audit, 1)]
    if promising:
        k, _ = max(promising, key=lambda found: found[1].shown / found[1].promised)
        audits.append((k, _audited(pairs[k], many, seed + 1, error / 2)))
    for k, audit in audits:
        if audit is not None and audit.verdict == "violation":
            a, b = pairs[k]
            yield f"states a loss of {audit.promised:.4g} between {_value_text(a)} and {_value_text(b)}, but {audit}", k


def _far_apart(pairs: Sequence[tuple[Release, Release]]) -> list[int]:
    """The places of pairs that are as far apart as any: with small values, with large ones, and in between."""
    chosen = {(a.value.tobytes(), b.value.tobytes()): k for k, (a, b) in enumerate(pairs)}
    farthest = max((a.distance(b) for a, b in pairs), default=0.0)
    far = [k for k in chosen.values() if pairs[k][0].distance(pairs[k][1]) >= farthest / 2]
    far.sort(key=lambda k: float(pairs[k][0].value.sum()))
    return list(dict.fromkeys(far[place] for place in (0, -1, len(far) // 2) if far))


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
