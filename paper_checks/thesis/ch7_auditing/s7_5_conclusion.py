"""Section 7.5, page 161: what is concluded of the two algorithms."""

from banditproof.claims.register import claim
from banditproof.claims.sets import Count, Positive
from banditproof.claims.steps import fails_at
from banditproof.theory.numbers.normal_law import normal_cdf
from banditproof.theory.numbers.numeric import sqrt
from banditproof.theory.privacy.leakage import gaussian_leakage


@claim("MIA-S7.5/sum-over-steps", fails_at(steps=938, score=49), role="reading")
def sum_over_steps_is_optimal(steps: Count, score: Positive):
    r"""'Optimal', read for Algorithm 13, which returns $\sum_ts_t^{\rm cov}$, for an epoch whose batches hold the
    target once: with normal scores $s_t\sim\mathcal N(\mp\frac m2,m)$ ($m=\text{score}=m^\star/|B|$) no test has a
    larger advantage than the sum's, $2\Phi(\frac12\sqrt{m/T})-1$.

    The test that rejects if some standardised score exceeds c has an error of at most T Phi(-c) without the target and
    of at most Phi(c - sqrt(m)) with it. At c = 3 sqrt(m)/4 and as many steps as FMNIST has batches, its advantage is
    above 0.95. That of the sum is below 0.1, since the noise of the other steps hides the one informative step.
    """
    root = sqrt(score)
    some_score = normal_cdf(root / 4) - steps * normal_cdf(-3 * root / 4)
    return some_score, "<=", gaussian_leakage(score / steps)
