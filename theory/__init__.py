"""What is true: quantities, bounds and their evidence. Pure functions, no randomness, no input or output.

The public names are loaded when they are first used, so that importing this package is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_MODULE_OF = {
    "InvalidInput": "errors",
    "Budget": "budget",
    "Enclosure": "enclosure",
    "register_ball_pickling": "enclosure",
    "to_ball": "numeric",
    "working_precision": "numeric",
    "Bernoulli": "instance",
    "Instance": "instance",
    "kl_bernoulli": "bernoulli",
    "tv_bernoulli": "bernoulli",
    "privacy_threshold": "bernoulli",
    "privacy_regime": "bernoulli",
    "d_epsilon": "bernoulli",
    "d_epsilon_objective": "bernoulli",
    "d_epsilon_minimiser": "bernoulli",
    "d_epsilon_dual_objective": "bernoulli",
    "d_epsilon_dual": "bernoulli",
    "d_epsilon_dx": "bernoulli",
    "d_epsilon_dy": "bernoulli",
    "d_epsilon_depsilon": "bernoulli",
    "kl_inf": "bernoulli",
    "tv_inf": "bernoulli",
    "d_inf": "bernoulli",
    "kl_ucb_index": "bernoulli",
    "dp_klucb_index": "bernoulli",
    "tail_coefficients": "laplace_sums",
    "laplace_sum_tail": "laplace_sums",
    "noisy_sum_tail": "laplace_sums",
    "laplace_sum_bound": "concentration",
    "private_chernoff_constant": "concentration",
    "private_chernoff_bound": "concentration",
    "clean_private_chernoff_bound": "concentration",
    "d_epsilon_extended": "concentration",
    "LowerBound": "lower_bounds",
    "RegretLowerBounds": "lower_bounds",
    "regret_lower_bound": "lower_bounds",
    "AdaPKLUCBTerm": "adap_klucb",
    "adap_klucb_term": "adap_klucb",
    "adap_klucb_regret_bound": "adap_klucb",
}

__all__ = list(_MODULE_OF)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
