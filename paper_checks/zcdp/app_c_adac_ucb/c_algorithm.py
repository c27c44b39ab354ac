"""Appendix C-A and C-B: the regret, and what a run of AdaC-UCB (Algorithm 4) does.

Conventions where the pseudo code is silent: the noise of a block is drawn once and stored; the last block of an arm
that was pulled once has one reward; a last episode may be cut at the horizon.
"""

from collections import defaultdict
from fractions import Fraction
from math import log, sqrt

from banditproof.claims import claim, enumerated, item, mutation
from banditproof.claims.sets import Count, Positive, domain_of
from banditproof.paper_checks.zcdp.facts import AboveThree, Run, actions_and_releases, runs


@claim(
    "ZCDP-A4/index",
    enumerated(runs, rational=True, routes=("recorded run", "(14) from the releases")),
    false=[
        mutation("1/(3n)", hoeffding="1/3"),
        mutation("no term for the noise", private=0),
        mutation("half the variance", noise=4),
    ],
)
def arm_of_the_largest_index(
    arms: Count, horizon: Count, rho: Positive, beta: AboveThree, run: Run, hoeffding=Fraction(1, 2), private=1, noise=2
):
    r"""Every episode plays the arm of the largest $\hat\mu_a+\mathcal N(0,\frac1{2\rho
    n^2})+\sqrt{(\frac{1/2}n+\frac{1}{\rho n^2})\beta\log t_\ell}$, $n$ the length of the last episode of $a$.

    The left side counts the episodes whose arm does not have the largest index of (14), computed again from the
    released sums of the last blocks, and the releases whose noise is not that of (14).
    """
    actions, releases = actions_and_releases(arms, horizon, rho, beta, run)
    last: dict[int, tuple[float, int]] = {}
    wrong = 0
    for k, release in enumerate(releases):
        start, stop, *_ = release.records or (0, 0)
        arm, n = actions[start], stop - start
        if k < arms:
            wrong += arm != k or n != 1
        else:
            index = {
                a: mean + sqrt((float(hoeffding) / m + float(private / rho) / m**2) * float(beta) * log(start + 1))
                for a, (mean, m) in last.items()
            }
            wrong += max(index, key=lambda a: index[a]) != arm
        deviation = release.scale / n  # of the noise on the mean
        wrong += abs(deviation**2 * float(noise * rho) * n**2 - 1) > 1e-9  # rounding of a square root
        last[arm] = float(release.released[0]) / n, n
    return wrong, "==", 0


item(
    "ZCDP-A4",
    r"AdaC-UCB: each arm once; then, with $t_\ell=t+1$, the arm of the largest index (14) is played until its pulls "
    r"have doubled. The index holds the mean of the last episode of the arm, $\mathcal N(0,\sigma^2_{a,\ell})$ and "
    r"$B_a(t_\ell-1,\beta)$.",
    domain=domain_of(arm_of_the_largest_index),
)


@claim("ZCDP-A4/doubling", enumerated(runs, rational=True), false={"growth": 3})
def pulls_double(arms: Count, horizon: Count, rho: Positive, beta: AboveThree, run: Run, growth=2):
    r"""One arm per episode, played until $N_a(t)=2N_a(t_\ell-1)$; so $N_a\in\{1,2,4,\dots\}$ between episodes.

    The left side counts the episodes, except the last one, that do not bring the pulls of their arm to `growth` times
    the previous number.
    """
    actions, releases = actions_and_releases(arms, horizon, rho, beta, run)
    pulls: dict[int, int] = defaultdict(int)
    wrong = 0
    for release in releases[:-1]:
        start, stop, *_ = release.records or (0, 0)
        arm = actions[start]
        wrong += set(actions[start:stop]) != {arm}
        pulls[arm], before = pulls[arm] + stop - start, pulls[arm]
        wrong += pulls[arm] != max(1, growth * before)
    return wrong, "==", 0


@claim("ZCDP-A4/forgetting", enumerated(runs, rational=True), false={"times": 2})
def rewards_are_used_once(arms: Count, horizon: Count, rho: Positive, beta: AboveThree, run: Run, times=1):
    r"""Each reward enters one released mean: that of its own episode.

    The left side counts the rewards that do not enter exactly `times` releases.
    """
    _, releases = actions_and_releases(arms, horizon, rho, beta, run)
    entered = [sum(release.covers(t) for release in releases) for t in range(horizon)]
    return sum(count != times for count in entered), "==", 0
