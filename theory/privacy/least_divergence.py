"""How many runs any audit needs: the divergence of a mechanism from the nearest one that keeps a smaller budget.

A mechanism has output laws P_0 and P_1 on two neighbouring inputs, and Q_0, Q_1 is a pair that the smaller budget
allows. By data processing a test of that budget, which may stop when it likes, that errs with probability at most
`error` under Q and at most `miss` under P makes at least kl(1 - miss, error) / D runs on average, on whichever inputs,
if D is the larger one of KL(P_0, Q_0) and KL(P_1, Q_1).

For epsilon-DP and laws that change places under a symmetry the nearest pair is found point by point: minimising
-p_0 log q_0 - p_1 log q_1 + q_0 + q_1 under q_0 <= e^epsilon q_1 and the reverse leaves the sum q_0 + q_1 = p_0 + p_1
as it is and clips q_1 / (q_0 + q_1) to [1 - a, a], a = 1 / (1 + e^-epsilon). Its integrals are 1 by the symmetry, so
the multipliers of that are 1, and D = int (p_0 + p_1) / 2 kl(p_1 / (p_0 + p_1), clipped).

Source: TH-D2.34, TH-S2.3e
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.theory.laws.bernoulli import kl_bernoulli
from banditproof.theory.numbers.numeric import atan, exp, log, sqrt
from banditproof.theory.numbers.ranges import Domains, inside

_DOMAINS: Domains = {
    "epsilon": (0, np.inf, "at least 0"),
    "mu": (0, np.inf, "at least 0"),
    "sold": (0, np.inf, "at least 0"),
    "divergence": (0, np.inf, "at least 0"),
    "error": (0, 1, "in [0, 1]"),
    "miss": (0, 1, "in [0, 1]"),
}


def _checked(**arguments: Any) -> tuple[Any, ...]:
    values = inside(_DOMAINS, **arguments)
    kept, sold, *_ = values
    if "sold" in arguments and not np.all(sold <= kept):
        raise InvalidInput("sold", sold, f"at most the budget that is kept, {kept}")
    return values


def response_divergence(epsilon: Any, sold: Any) -> Any:
    """Of randomised response that keeps `epsilon` from all that keep the smaller `sold`: kl(a(epsilon), a(sold)).

    In nats per run. Floats, mpf, balls. Raises InvalidInput unless 0 <= sold <= epsilon.
    """
    epsilon, sold = _checked(epsilon=epsilon, sold=sold)
    return kl_bernoulli(1 / (1 + exp(-epsilon)), 1 / (1 + exp(-sold)))


def laplace_divergence(epsilon: Any, sold: Any) -> Any:
    """Of Laplace noise that keeps `epsilon` from all that keep `sold`; arguments as in `response_divergence`.

    Half of all noise falls outside the two values, where the output tells as much as randomised response; between them
    the logarithm u of the ratio is uniform up to a weight, and int cosh(u/2) kl(a(u), a(sold)) du has a closed form.

    >>> round(float(response_divergence(2.0, 1.0) / laplace_divergence(2.0, 1.0)), 3)
    1.507
    """
    epsilon, sold = _checked(epsilon=epsilon, sold=sold)
    half = exp(epsilon / 2)
    turned = atan((half - 1 / half) / 2) - atan((exp(sold / 2) - exp(-sold / 2)) / 2)
    return response_divergence(epsilon, sold) - (turned - (epsilon - sold) / (half + 1 / half)) / half


def gaussian_divergence(mu: Any, sold: Any) -> Any:
    """Of Gaussian noise that keeps `mu`-Gaussian DP from the nearest normal pair that keeps `sold`.

    Its deviation t is the root of t^2 + (mu sold / 4) t = 1 + mu^2 / 4. What is nearest of all is no normal pair: it is
    nearer by 0.2 % for mu = 1 and sold = 1/2, by 4 % for 2 and 1. Arguments as in `response_divergence`.
    """
    mu, sold = _checked(mu=mu, sold=sold)
    shift, kept = mu / 2, sold / 2
    deviation = (sqrt((shift * kept) ** 2 + 4 * (1 + shift**2)) - shift * kept) / 2
    return log(deviation) + (1 + (shift - kept * deviation) ** 2) / (2 * deviation**2) - (mu * 0 + 1) / 2


def least_runs(divergence: Any, error: Any, miss: Any) -> Any:
    """kl(1 - miss, error) / divergence: no test that errs and misses as rarely makes fewer runs on average.

    Raises InvalidInput for a negative divergence and probabilities outside [0, 1].
    """
    divergence, error, miss = _checked(divergence=divergence, error=error, miss=miss)
    return kl_bernoulli(1 - miss, error) / divergence
