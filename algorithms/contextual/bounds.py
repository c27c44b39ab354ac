"""Upper bounds on the regret of contextual policies with every constant, as the widths of their confidence sets give.

With vectors of norm at most 1, |theta| <= S and 1-subgaussian noise, a round loses at most 2 min(S, b |a|), b the width
and |a| in the norm of V^-1, so n rounds lose 2 max(b, S) sqrt(2 n d log(1 + n / (lambda d))) (ALG-PC.4.2). Nothing is
assumed of the contexts: lambda is all that is known of the least eigenvalue. Where a width fails, a round loses at most
2 S.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.algorithms.contextual.oful import OFUL, SENSITIVITY, AdaCOFUL, AdaROFUL, RarelySwitchingOFUL
from banditproof.algorithms.contextual.policy import ConfidentPolicy
from banditproof.algorithms.contextual.tree_policies import JointDPLinUCB, LinPriv
from banditproof.theory import Enclosure, UpperBound, log, maximum, minimum, sqrt, to_ball, working_precision
from banditproof.theory.linear.confidence import most_updates, noise_norm_bound, plain_width

_BITS = 128
FORMULA = "2 max(b, S) sqrt(2 T d log(1 + T / (lambda d))) + P(a width fails) 2 S T"


def contextual_regret_bounds(policy: ConfidentPolicy, horizon: int, *, assumed: bool) -> list[UpperBound]:
    """The bounds on the expected regret of this very class of policy after `horizon` rounds, for its own widths.

    `assumed` says whether vectors have norm at most 1, the parameter at most the policy's radius and the noise is
    1-subgaussian; elsewhere the formula guarantees nothing. There is none for other classes, and none for a width that
    trusts the contexts to be spread.
    """
    widest = WIDEST.get(type(policy))
    if widest is None or getattr(policy, "eigenvalue", None) is not None:
        return []
    with working_precision(_BITS):
        T, d, S = to_ball(horizon), to_ball(policy.dimension), to_ball(policy.radius)
        width, ridge, factor, failures = widest(policy, T, d, S)
        potential = sqrt(2 * T * d * factor * log(1 + T / (ridge * d)))
        lost = 2 * maximum(width, S) * potential + failures * to_ball(policy.confidence) * 2 * S * T
        value = Enclosure.from_ball(minimum(lost, 2 * S * T))
    if isinstance(policy, LinPriv):
        assumed = assumed and policy.radius <= 1  # its width as printed knows no other
    why = "" if assumed else "vectors of norm at most 1, |theta| at most the radius and 1-subgaussian noise are assumed"
    return [UpperBound("any contexts", "ALG-PC.4.2", FORMULA, value, assumed, why, None, False)]


def _oful(policy: OFUL, T: Any, d: Any, S: Any) -> tuple[Any, Any, Any, int]:
    ridge = to_ball(policy.ridge)
    return plain_width(T, ridge, d, to_ball(policy.confidence), S), ridge, 1, 1


def _rare(policy: AdaCOFUL, T: Any, d: Any, S: Any) -> tuple[Any, Any, Any, int]:
    """Norms of the last update are at most sqrt(1 + C) times those of today; noise adds up over the updates."""
    ridge, growth, delta = to_ball(policy.ridge), to_ball(policy.growth), to_ball(policy.confidence)
    deviation = SENSITIVITY * to_ball(float(policy.multiplier[0]))
    length = noise_norm_bound(d, most_updates(T, ridge, d, growth), deviation, delta, to_ball(policy.horizon))
    width = plain_width(T, ridge, d, delta, S) + length / sqrt(ridge)
    return width, ridge, 1 + growth, 2 if policy.multiplier[0] else 1


def _linpriv(policy: LinPriv, T: Any, d: Any, S: Any) -> tuple[Any, Any, Any, int]:
    """T rounds of K arms cost at most sqrt(K) times those of one; a width may fail for every arm."""
    ridge, delta = to_ball(policy.ridge), to_ball(policy.confidence)
    plain = sqrt(2 * d * log((1 + T / ridge) / delta)) + sqrt(ridge)
    return plain + to_ball(float(policy.allowance[0])), ridge, to_ball(policy.arms), policy.arms + 1


def _joint(policy: JointDPLinUCB, T: Any, d: Any, S: Any) -> tuple[Any, Any, Any, int]:
    ridge = to_ball(float(policy.ridge[0]))
    plain = plain_width(T, ridge, d, to_ball(policy.confidence), 0)
    return plain + to_ball(float(policy.offset[0])), ridge, 1, 2


WIDEST: dict[type[Any], Callable[..., tuple[Any, Any, Any, int]]] = {
    OFUL: _oful,
    RarelySwitchingOFUL: _rare,
    AdaCOFUL: _rare,
    AdaROFUL: _rare,
    LinPriv: _linpriv,
    JointDPLinUCB: _joint,
}
"""The largest width within T rounds, lambda, a factor on the sum of squared norms, and how often delta is spent."""
