"""Section 5.2, page 105: Algorithm 7 and its instances are private.

The indices are printed with noise "at episode l" for every arm. Read as one draw per episode, stored while the arm is
idle, the theorem holds; read as a new draw for every decision it does not. Both readings are audited here, in closed
form on two arms (`verify.privacy.two_arm_view`).
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.claims.recorded_runs import BUGS, Algorithm, EveryBudget, RewardLists, recorded
from banditproof.paper_checks.shared.noise import BETA
from banditproof.theory import working_precision
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.verify.privacy import two_arm_view
from banditproof.verify.privacy.two_arm_view import Path, Width, episode_paths, path_actions
from banditproof.verify.runs.followed import departures_of


@claim(
    "ALG-T5.2/recorded-runs",
    recorded(
        {"adap-ucb": [["pure", 1], ["pure", "1/10"]], "adap-klucb": [["pure", 4]]}, quick=1, pulls={"adap-klucb": 50}
    ),
    false=BUGS,
    role="model",
)
def episodic_runs(algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none", adversary=0):
    r"""In runs of AdaP-UCB and AdaP-KLUCB, a release is the mean of the rewards of an episode, plus Laplace noise that
    hides one of these rewards. Each reward enters one release. Actions depend on releases only."""
    return departures_of(algorithm, budget, T, rewards, bug, adversary)


@claim("ALG-T5.2/interactive-runs", recorded({"adap-ucb": [["pure", 1]]}, quick=2), false=BUGS[:4], role="model")
def queried_runs(algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none", adversary=1):
    r"""The same holds in runs of AdaP-UCB against an adversary who plays other arms than the recommended ones."""
    return departures_of(algorithm, budget, T, rewards, bug, adversary)


DIGITS = 640  # bits: a log-ratio can come within e^-130 of the budget


def laplace_width(epsilon: Any, beta: Any) -> Width:
    def width(n: int, t: int) -> Any:
        L = to_ball(beta) * log(to_ball(t))
        return sqrt(L / (2 * n)) + L / (epsilon * n)

    return width


def path_of(actions: Any) -> Path:
    """The episodes of an action sequence. Raises ValueError if Algorithm 7 cannot play it."""
    wanted = tuple(map(int, actions))
    return next(path for path in episode_paths(len(wanted)) if path_actions(path) == wanted)


def log_ratio(actions: Any, sums: Any, moved: Any, epsilon: Any, share: Any, stored: int) -> Any:
    """log P(actions)/P'(actions) of AdaP-UCB for the sums of two neighbouring lists, less epsilon; rationals given.

    The noise on a sum has scale 1/(share epsilon).
    """
    path = path_of(actions)
    with working_precision(DIGITS):
        budget = to_ball(epsilon)
        width, spent = laplace_width(budget, BETA), to_ball(share) * budget
        both = [[int(s) for s in one] for one in (sums, moved)]
        if stored:
            left, right = (two_arm_view.laplace_path_probability(path, one, spent, width) for one in both)
        else:
            left, right = (two_arm_view.redrawn_path_probability(path, one, 1 / spent, width) for one in both)
        return log(left / right) - budget


def neighbours_on_two_arms(horizon: int, *epsilons: str) -> list[dict[str, Any]]:
    return [
        {"actions": list(path_actions(path)), "sums": list(sums), "moved": list(moved), "epsilon": Fraction(e)}
        for path in episode_paths(horizon)
        for sums, moved in two_arm_view.neighbouring_sums(path)
        for e in epsilons
    ]


@claim(
    "ALG-T5.2/exact-law",
    enumerated(
        lambda check: neighbours_on_two_arms(5, "1/4", "1", "4") + neighbours_on_two_arms(check.pick(6, 12), "1"),
        rational=True,
        routes=("law on a list", "law on its neighbour"),
    ),
    false=[{"share": 2}, {"stored": 0}],
    role="implication",
)
def exact_law_of_adap_ucb(
    actions: Annotated[Any, "all: action sequences"],
    sums: Annotated[Any, "all: sums of binary rewards"],
    moved: Annotated[Any, "all: those of a neighbour"],
    epsilon: Positive,
    share=1,
    stored=1,
):
    r"""AdaP-UCB on two arms, stored noise of scale $\frac1{\varepsilon}$ on a sum: for all binary lists every action
    sequence has probabilities within $e^\varepsilon$ of each other on neighbours.

    The laws are closed forms in ball arithmetic: exponential polynomials, integrated between consecutive cuts.
    """
    return log_ratio(actions, sums, moved, epsilon, share, stored), "<=", 0


@quantity
def excess_of_an_idle_arm(episodes: int, epsilon: Any, stored: int) -> Any:
    """The log-ratio of "arm 2 in the first m episodes", m <= 8, less epsilon, when the first reward of arm 1 is 0 or 1.

    All others are 0; the noise is stored (1) or drawn again (0).
    """
    zeros = [0] * (check_count("episodes", episodes, 0, 8) + 1)
    return log_ratio([0, *[1] * 2**episodes], zeros, [1, *zeros[1:]], epsilon, 1, stored)


@claim("ALG-T5.2/noise-drawn-again", fails_at(episodes=2, epsilon=1, rational=True), role="reading")
def idle_arm_with_new_noise(episodes: Count, epsilon: Positive, stored=0):
    r"""Read literally, $\hat\mu_a^\ell+\mathrm{Lap}(\cdot)$ of episode $\ell$ with new noise for idle arms: 'arm 2 in
    the first $m$ episodes' has log-ratio at most $\varepsilon$.

    Each decision answers a new noisy question about the same reward; at m = 2, T = 4, the privacy loss is 1.189.
    """
    return excess_of_an_idle_arm(episodes, epsilon, stored), "<=", 0
