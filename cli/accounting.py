"""``banditproof bounds privacy``: what releases with noise spend together, or the noise that keeps a budget."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from banditproof.cli.arguments import integer, left_out, number, optional
from banditproof.cli.documents import print_document
from banditproof.cli.settings import Noise
from banditproof.theory.errors import InvalidInput

if TYPE_CHECKING:
    from banditproof.theory.privacy.accountant import Mechanism

WHOLE = Noise.geometric, Noise.discrete_gaussian
UNMOVED = Noise.randomised_response, Noise.exponential
MOST = 10**9  # releases


def print_privacy(
    law: Noise,
    noise: str | None,
    sensitivity: str | None,
    rate: str | None,
    count: str,
    epsilon: str | None,
    delta: str | None,
    as_json: bool,
) -> int:
    """Print epsilon at a delta, or delta at an epsilon; without noise, the least noise that keeps both."""
    from banditproof.theory.privacy.accountant import Accountant, least_noise

    make, releases = _maker(law, sensitivity, rate), integer("count", count, 1, MOST)
    at = {"epsilon": optional("epsilon", epsilon), "delta": optional("delta", delta)}
    given = [name for name, value in at.items() if value is not None]
    if noise is None:
        if len(given) < 2:
            raise InvalidInput("noise", None, "given, or both --epsilon and --delta, for the least noise")
        if law in UNMOVED:
            raise InvalidInput(
                "noise", None, f"given with --mechanism {law}: it is a budget, of which more is less noise"
            )
        found = least_noise(make, at["epsilon"], at["delta"], releases)  # type: ignore[arg-type]  # both are given
        return _print({"noise": found.noise, "epsilon": found.epsilon}, at, as_json)
    if len(given) != 1:
        raise InvalidInput("epsilon", epsilon, "given, or --delta, but not both beside --noise")
    try:
        spent = Accountant((make(number("noise", noise)), releases))
    except InvalidInput as refused:  # of a parameter with another name
        typed = refused.parameter if refused.parameter in ("sensitivity", "rate") else "noise"
        raise InvalidInput(typed, refused.value, refused.allowed, refused.meant) from None
    asked = "delta" if given == ["epsilon"] else "epsilon"
    return _print({asked: getattr(spent, asked)(at["delta" if asked == "epsilon" else "epsilon"])}, at, as_json)


def _maker(law: Noise, sensitivity: str | None, rate: str | None) -> Callable[[Any], Mechanism]:
    from banditproof.theory.privacy.accountant import Mechanism

    make: Callable[..., Mechanism] = getattr(Mechanism, law.value.replace("-", "_"))
    if law in UNMOVED:
        left_out(f"with --mechanism {law}", sensitivity=sensitivity)
    elif sensitivity is not None:
        moved = integer("sensitivity", sensitivity) if law in WHOLE else number("sensitivity", sensitivity)
        make = partial(make, sensitivity=moved)
    if rate is None:
        return make
    share = number("rate", rate)
    return lambda noise: make(noise).subsampled(share)


def _print(found: dict[str, Any], at: dict[str, Any], as_json: bool) -> int:
    if as_json:
        return print_document({**{name: value for name, value in at.items() if value is not None}, **found})
    for name, value in found.items():
        print(f"{name}: {value.decimal(6) if hasattr(value, 'decimal') else f'{value:.6g}'}")
    return 0
