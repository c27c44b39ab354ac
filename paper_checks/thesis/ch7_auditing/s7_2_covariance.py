"""Section 7.2, page 156: the covariance score, what it is compared with, and the statistic of related work."""

from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.claims.register import claim, item, not_checkable, restate
from banditproof.claims.sets import AboveOne, Count, Positive, Real
from banditproof.claims.steps import enumerated, fails_at, symbolic
from banditproof.paper_checks.thesis.facts.membership import Vector


def gain_of_the_score(mean: Any, variance: Any, canary: Any, batch: int, rate: Any, sign: int) -> Any:
    """The mean of (7.2) with the canary in the batch minus that without it, through the update of the parameters.

    One column, its mean and variance known; `sign` 1 divides (theta_{t+1} - theta_t), -1 (theta_t - theta_{t+1}).
    """
    gradients = {"in": ((batch - 1) * mean + canary) / batch, "out": mean}
    scores = {}
    for world, gradient in gradients.items():
        step = -rate * gradient  # theta_{t+1} - theta_t
        scores[world] = (canary - mean) * (sign * step / rate - mean) / variance
    return scores["in"] - scores["out"]


item(
    "MIA-EQ7.2",
    r"""$s_t^{\rm cov}=(g_t^\star-\hat\mu_0^t)^\top(\hat C_0^t)^{-1}(g^t_{\rm
    batch}-\hat\mu_0^t)-\frac1{2|B|}\|g_t^\star- \hat\mu_0^t\|^2_{(\hat C_0^t)^{-1}}$ with $g^t_{\rm
    batch}=\frac{\theta_{t+1}-\theta_t}{\eta_t}$ is the likelihood ratio score (6.5) of the average $g^t_{\rm
    batch}$""",
)


@claim(
    "MIA-EQ7.2/sign", fails_at(mean=0, variance=1, canary=1, batch=2, rate=1, rational=True), strongest="enumeration"
)
def sign_of_the_batch_gradient(mean: Real, variance: Positive, canary: Real, batch: Count, rate: Positive):
    r"""With $\theta_{t+1}=\theta_t-\eta_t\nabla Q(\theta_t)$ as printed the mean score with the canary in the batch
    is at least that without it.

    (theta_{t+1} - theta_t)/eta_t is minus the batch gradient: the attack calls members what it holds for non-members.
    In one dimension, with mean mu, variance C and rate eta_t.
    """
    return gain_of_the_score(mean, variance, canary, batch, rate, 1), ">=", 0


POINTS = [
    {"mean": m, "variance": v, "canary": g, "batch": b, "rate": Fraction(1, 10)}
    for m, v, g, b in product((-1, 0, 3), (Fraction(1, 2), 2), (-2, 0, 5), (1, 64))
]


@claim(
    "MIA-EQ7.2/other-sign",
    enumerated(POINTS, rational=True, routes=("through the update", "leakage score")),
    false={"share": "1.01"},
    role="repair",
    repairs="MIA-EQ7.2/sign",
)
def gain_with_the_other_sign(mean: Real, variance: Positive, canary: Real, batch: Count, rate: Positive, share=1):
    r"""With $g^t_{\rm batch}=\frac{\theta_t-\theta_{t+1}}{\eta_t}$ it is larger by $<share>$ times
    $\frac1{|B|}\|g^\star- \mu\|^2_{C^{-1}}$."""
    gain = gain_of_the_score(mean, variance, canary, batch, rate, -1)
    return gain, "==", share * (canary - mean) ** 2 / (variance * batch)


item(
    "MIA-A13",
    r"""Algorithm 13: for $t=1,\dots,T$: $g_t^\star=\nabla_{\theta_t}\ell$, $g^t_{\rm
    batch}=(\theta_{t+1}-\theta_t)/\eta_t$, $s_t^{\rm cov}$ with $(\hat\mu_0,\hat C_0)$; return $\sum_ts_t^{\rm
    cov}$.""",
)
restate("MIA-A13/sign", "MIA-EQ7.2/sign")
restate("MIA-A13/other-sign", "MIA-EQ7.2/other-sign", role="repair", repairs="MIA-A13/sign")


@claim(
    "MIA-A13/learning-rate",
    fails_at(gradient=1, now=Fraction(1, 100), then=Fraction(1, 101), rational=True),
    strongest="enumeration",
)
def learning_rate_of_a_step(gradient: Real, now: Positive, then: Positive):
    r"""Up to its sign $(\theta_{t+1}-\theta_t)/\eta_t$ is the batch gradient at $\theta_t$, with
    $\theta_{t+1}=\theta_t-\eta_{t+1}\nabla Q(\theta_t)$ as printed ($\eta_t=\text{now}$, $\eta_{t+1}=\text{then}$).

    The step from t to t + 1 is made at the rate of t + 1, and divided by that of t; with a constant rate, as in the
    experiments, it makes no difference.
    """
    return abs(then * gradient / now), "==", abs(gradient)


@claim(
    "MIA-A13/rate-of-the-next-step",
    enumerated(gradient=[-3, "1/2"], now=[1, 2], then=["1/10", 5], rational=True),
    false={"share": "1.01"},
    role="repair",
    repairs="MIA-A13/learning-rate",
)
def learning_rate_of_the_next_step(gradient: Real, now: Positive, then: Positive, share=1):
    r"""$(\theta_t-\theta_{t+1})/\eta_{t+1}=<share>\,\nabla Q(\theta_t)$."""
    return then * gradient / then, "==", share * gradient


not_checkable(
    "MIA-S7.2a",
    r"""The sum of the scores is large if the target is detected at one iteration at least, and low otherwise.""",
    "no statement",
    "what 'large' and 'low' are, and how many iterations there are",
)


@claim(
    "MIA-S7.2b",
    enumerated(
        [
            {"distance": [a, b], "reference": [c, c], "spread": [1, v]}
            for a, b, c, v in product((1, 3), (0, 2), (0, 4), (1, 9))
        ],
        rational=True,
        routes=("scalar product", "covariance score"),
    ),
    false={"factor": "0.99"},
    restricted="to one step, a known diagonal covariance, and normal gradients",
)
def covariance_beats_the_scalar_product(distance: Vector, reference: Vector, spread: Vector, factor=1):
    r"""The squared separation of $(g^\star-g^{\rm ref})^\top g_{\rm batch}$ is at most
    $<factor>\,\|g^\star-\mu\|^2_{C^{-1}} /|B|$, that of the covariance score ($g^\star-\mu=\text{distance}$,
    $C=\mathrm{diag}(\text{spread})$; by Cauchy-Schwarz, times $|B|$)."""
    direction = [a - r for a, r in zip(distance, reference, strict=True)]
    along = sum(s * a for s, a in zip(direction, distance, strict=True))
    noise = sum(v * s * s for v, s in zip(spread, direction, strict=True))
    best = sum(Fraction(a * a) / v for a, v in zip(distance, spread, strict=True))
    return along**2, "<=", factor * best * noise


restate("MIA-EQ7.3", "MIA-RD.1/over-n", role="item")


@claim(
    "MIA-S7.2c",
    symbolic(routes=("likelihood ratio", "squared norm")),
    false={"share": "1.01"},
    restricted="to Gaussian data, by column",
)
def ratio_is_a_squared_norm(x: Real, zeta: Real, r: AboveOne, share=1):
    r"""For Gaussian data the exact log-likelihood ratio is a decreasing function of
    $\|C^{-1/2}(\hat\mu_n-z^\star)\|^2$: $\frac{(\delta^{\rm out})^2-(\delta^{\rm
    in})^2}2=<share>\,\frac{\zeta^2}2-\frac{(x-\sqrt n\zeta)^2}{2(n-1)}$ with $x=\sqrt nC^{-1/2}(\hat\mu_n-\mu)$,
    $\zeta=C^{-1/2}(z^\star-\mu)$, $n=r^2$."""
    inner = (r * x - zeta) ** 2 / (r**2 - 1)
    return (x**2 - inner) / 2, "==", share * zeta**2 / 2 - (x - r * zeta) ** 2 / (2 * (r**2 - 1))
