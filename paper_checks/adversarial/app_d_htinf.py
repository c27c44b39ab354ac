"""Appendix D: HTINF, its regret and its solver, the moment of a noisy loss and the constant 208."""

from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.claims.language import *
from banditproof.paper_checks.adversarial.studies import mean_at_most, run_htinf

Alpha = Annotated[Any, "(1, 2]"]
HTINF_RUNS = Study(
    "adversarial-htinf-heavy-tails", run_htinf, {"runs": 40, "horizon": 20_000, "arms": 3}, {"runs": 200}
)


def theorem_21(share: Any, sigma: Any, K: Any, T: Any, constant: Any = 30, rounds: Any = 1) -> Any:
    """30 sigma K^(1 - share) (T + 1)^share, the share being 1/alpha."""
    return constant * sigma * exp(log(K) * (1 - share)) * exp(log(T + 1) * rounds * share)


HEAVY = {f"alpha {a}": {"alpha": Fraction(a), "sigma": 1, "K": 3, "T": 20_000} for a in ("1.5", "2")}


@claim(
    "ADV-T21/runs",
    mean_at_most(HTINF_RUNS, HEAVY, {"alpha": ["3/2", "2"], "sigma": [1], "K": [3], "T": [20_000]}),
    false=[{"constant": "1/2"}, {"rounds": "1/4"}],
    studies=[HTINF_RUNS],
    role="implication",
    restricted="to losses that are 0 or large",
)
def regret_of_htinf(alpha: Alpha, sigma: Positive, K: Count, T: Count, constant=30, rounds=1, *, regret=0) -> Sides:
    r"""On truncated nonnegative losses with $\mathbb E|\ell|^\alpha\le\sigma^\alpha$ HTINF has regret at most $30\sigma
    K^{1-\frac1\alpha}(T+1)^{1/\alpha}$.

    The regret of the runs is far below the bound; the false variants show how small a constant they can detect. The
    runs measure the pseudo-regret of three arms, one of which never loses. There is one K, one sigma (1) and one T, so
    the check does not detect wrong powers of K and sigma.
    """
    return regret, "<=", theorem_21(1 / alpha, sigma, K, T, constant, rounds)


Losses = Annotated[Any, "all: every estimate"]


@claim(
    "ADV-A7",
    tried_at(alpha="3/2", estimates=[1, 4]),
    quadrature(
        [{"alpha": a, "estimates": seed} for a in ("6/5", "3/2", "2") for seed in range(12)],
        error="double precision",
        routes=("the solver", "the optimality conditions"),
    ),
    false=[{"power": 2}, {"power": "1/2"}],
    restricted="to the distribution that is played; the algorithm is cited and not spelled out",
)
def leader_is_optimal(alpha: Alpha, estimates: Losses, power=1) -> Sides:
    r"""HTINF plays the minimiser of $\langle\hat L,x\rangle-\alpha\sum_ix_i^{1/\alpha}$ over the simplex: $\hat
    L_i-x_i^{(1/\alpha-1)}$ is the same for all arms, up to $10^{-9}$ of the largest."""
    from banditproof.algorithms.adversarial.learners import tsallis_leader

    drawn = np.random.default_rng(int(estimates)).normal(size=(1, 5)) * 10.0 ** (int(estimates) % 6 - 2)
    a, b = float(to_ball(alpha).mid()), float(to_ball(power).mid())
    gradient = (drawn - tsallis_leader(drawn, a) ** ((1 / a - 1) * b))[0]
    spread = (gradient.max() - gradient.min()) / np.abs(gradient).max()
    return to_ball(float(spread)), "<=", to_ball(Fraction(1, 10**9))


# ------------------------------------------------------------------------------------------------ a smaller constant
