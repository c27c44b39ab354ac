"""Section I: the protocol, how often the algorithms look at rewards, and the two regimes of the lower bound."""

from functools import cache

from banditproof.claims.language import *
from banditproof.paper_checks.zcdp.facts import AboveThree, Run, actions_and_releases, runs


@quantity
@cache
def most_episodes(arms: int, horizon: int) -> int:
    """The largest number of episodes of any run, the first pulls included.

    An arm with 2^m pulls has had 1 + m episodes; only the arm whose last episode is cut may have another number.
    """
    if arms == 1:
        return 1 + (horizon - 1).bit_length()
    powers = (m for m in range(horizon.bit_length()) if 2**m <= horizon - arms + 1)
    return max(1 + m + most_episodes(arms - 1, horizon - 2**m) for m in powers)


@claim(
    "ZCDP-S1/adac-ucb-runs",
    enumerated(
        lambda check: [point for point in runs(check) if point["horizon"] < 100],
        rational=True,
        routes=("recorded run", "worst division"),
    ),
    false={"share": "0.5"},
    role="remark",
)
def episodes_of_recorded_runs(arms: Count, horizon: Count, rho: Positive, beta: AboveThree, run: Run, share=1):
    r"""Recorded runs have at most the largest number of episodes that any division of the pulls allows."""
    _, releases = actions_and_releases(arms, horizon, rho, beta, run)
    return len(releases), "<=", share * most_episodes(arms, horizon)
