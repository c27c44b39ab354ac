r"""Section 4.5, page 99: what the conclusion says of total variation and of the regimes."""

from typing import Any

from banditproof.theory import absolute


def variation(p: Any, q: Any) -> Any:
    """Half the sum of |P(x) - Q(x)| over both values of Bernoulli variables with these means."""
    return (absolute(p - q) + absolute((1 - p) - (1 - q))) / 2
