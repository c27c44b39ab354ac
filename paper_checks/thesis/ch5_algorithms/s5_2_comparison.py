"""Section 5.2, page 103: why a first private UCB has linear regret; Table 5.1, which compares what came after it."""

from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.claims.language import *
from banditproof.paper_checks.shared.episodes import Name
from banditproof.paper_checks.thesis.ch5_algorithms.facts import BernoulliBandit, OneDraw, bonus
from banditproof.paper_checks.thesis.facts.privacy import p_sums_with
from banditproof.paper_checks.thesis.studies import FIRST_ATTEMPT, FIRST_ATTEMPT_RUNS, LENGTHS, simulated
from banditproof.verify import record
from banditproof.verify.runs.recorded import maker


@claim(
    "ALG-S5.2a/linear-regret",
    simulated(FIRST_ATTEMPT_RUNS, means="all: two Bernoulli bandits", horizon=LENGTHS),
    false={"share": 2},
    studies=[FIRST_ATTEMPT_RUNS],
)
def regret_of_the_first_attempt(means: BernoulliBandit, horizon: Count, share=Fraction(1, 2), *, arrays):
    r"""With $\varepsilon=1$, $\delta=1/T$ its regret is at least $1/2$ times that of playing arms in turn, with
    probability at least $\frac9{10}$, whether $T$ is 100, 200, 400 or 800."""
    for name, bandit in FIRST_ATTEMPT.items():
        in_turn = sum(max(bandit) - mean for mean in bandit) / len(bandit)
        for T in horizon:
            yield f"{name}, T = {T}", arrays[f"{name}, {T}"] >= float(share) * in_turn, ">=", Fraction(9, 10)


@claim("ALG-TB5.1/regret-dp-ucb", interval(substitutions={"L": ("u", "(0, 1]", "1/u")}), false={"factor": 20})
def cell_of_dp_ucb(L: AtLeastOne, gap: AboveZero, factor=23, *, u=None):
    r"""DP-UCB, $\mathcal O(\frac{K\log^{2.5}T}\varepsilon+\sum\frac{\log T}{\Delta_a})$: each term of the bound of
    Section 5.1 is at most $23$ times its term here, for $L=\log T\ge1$ and $\Delta_a\le1$.

    The larger ratio of two terms: 8 sqrt 8, and (4 gap + 4 L/gap)/(L/gap). The first have K L^2.5/epsilon in common.

    The second ratio is at most 8, so the check does not test the numbers in it.
    """
    inverse = 1 / L if u is None else u
    return maximum(8 * sqrt(to_ball(8)), 4 + 4 * gap * gap * inverse), "<=", factor


def count_of_means(name: Name, T: TwoOrMore, seed: Annotated[Any, "all: every run"], factor=1) -> Sides:
    """Runs on two arms and random bits, for epsilon = 1; an episode that is cut at the end has its mean too."""
    rewards = (np.random.default_rng(seed).random(T) < 0.5).astype(float).tolist()
    run = record(maker(name, ["pure", 1], T, "none"), rewards, seed)
    if name == "dp-ucb":
        return len(run.releases), "==", factor * T
    pulls = [run.actions.count(arm) for arm in (0, 1)]
    return len(run.releases), "<=", factor * sum(1 + (n - 1).bit_length() for n in pulls)


LOGARITHMIC = r"$\mathcal O(\log T)$: at most $\sum_a(1+\lceil\log_2N_a(T)\rceil)$"

for algorithm, title, cell, wrong in (
    ("dp-ucb", "DP-UCB", "$T$ private means", 2),
    ("adap-ucb", "AdaP-UCB", LOGARITHMIC, "1/2"),
    ("adap-klucb", "AdaP-KLUCB", LOGARITHMIC, "1/2"),
):
    claim(
        f"ALG-TB5.1/means-{algorithm}",
        enumerated(name=algorithm, T=[2, 40, 300], seed=pick(range(2), range(10)), rational=True),
        false={"factor": wrong},
        statement=f"{title}: {cell}.",
    )(count_of_means)


@claim("ALG-TB5.1/anytime-dp-ucb", fails_at(n=1, epsilon=1, T=100), role="reading")
def printed_dp_ucb_needs_the_horizon(n: Count, epsilon: Positive, T: TwoOrMore, factor=2):
    r"""DP-UCB, 'Yes': the index printed in Section 5.1 is the same for the horizons $T$ and $2T$.

    The depth of the tree, its noise and the bonus all contain log T.
    """
    return bonus(n, epsilon, T), "==", bonus(n, epsilon, factor * T)


def charge_of_a_reward(place: Any, block: Any, share: Any, rest: Any) -> Any:
    """What reward 2^block + place is charged at most, over epsilon.

    The rewards of a block have a tree of block + 1 levels at share epsilon, and one noisy sum at rest epsilon.
    """
    return share * p_sums_with(place, block) / (block + 1) + rest


@claim(
    "ALG-TB5.1/anytime-dp-ucb-hybrid",
    deduced(),
    false=[{"share": "51/100"}, {"rest": "51/100"}],
    where=["place <= 2**block"],
    repairs="ALG-TB5.1/anytime-dp-ucb",
)
def hybrid_counter(block: Natural, place: Count, share=Fraction(1, 2), rest=Fraction(1, 2)):
    r"""With the hybrid counter, a tree per block $(2^i,2^{i+1}]$ at $\frac12\varepsilon$ and one sum per block at the
    rest, no horizon is needed and no reward is charged more than $\varepsilon$ (`block` is $i$, and `place` that of a
    reward in it; the first reward of all is released by itself).
    """
    return charge_of_a_reward(place, block, share, rest), "<=", 1


def forgets(name: str, batches: int, forgetful: int) -> Sides:
    """Whether an arm's private mean is 1, without noise, when only the rewards of its latest batch are 1."""
    silent = OneDraw(-1)
    policy: Any = maker(name, ["pure", 1], 1000, "none")(silent, np.random.default_rng(0))
    for k in range(batches + 1):
        arm, count = policy.next_batch()
        policy.observe(count.astype(float) * (k == batches), count)
    if name == "dp-se":
        mean = policy.means[0, arm[0]]
    else:
        sums = policy.noisy_sums if name == "dp-ucb" else policy.sums
        mean = sums[0, arm[0]] / policy.samples[0, arm[0]]
    return int(mean == 1), "==", forgetful


FourOrMore = Annotated[Any, "integer [4, inf)"]


def after_some_batches(name: str) -> enumerated:
    routes = ("private mean without noise", "cell of the table")
    return enumerated(name=name, batches=[4, 5, 6, 9], rational=True, routes=routes)


@claim("ALG-TB5.1/forgetful-dp-ucb", after_some_batches("dp-ucb"), false={"forgetful": 1})
def dp_ucb_remembers(name: Annotated[Any, "all: dp-ucb"], batches: FourOrMore, forgetful=0):
    r"""Forgetfulness of DP-UCB: 'No'. Its index does not rest only on the latest release of an arm (0)."""
    return forgets(name, batches, forgetful)


@claim("ALG-TB5.1/forgetful-dp-se", after_some_batches("dp-se"), false={"forgetful": 0})
def dp_se_forgets(name: Annotated[Any, "all: dp-se"], batches: FourOrMore, forgetful=1):
    r"""Forgetfulness of DP-SE: 'Yes'. Its index rests only on the latest release of an arm (1)."""
    return forgets(name, batches, forgetful)


@claim("ALG-TB5.1/forgetful-adap-ucb", after_some_batches("adap-ucb"), false={"forgetful": 0})
def adap_ucb_forgets(name: Annotated[Any, "all: adap-ucb"], batches: FourOrMore, forgetful=1):
    r"""Forgetfulness of AdaP-UCB: 'Yes'. Its index rests only on the latest release of an arm (1)."""
    return forgets(name, batches, forgetful)


@claim("ALG-TB5.1/forgetful-adap-klucb", after_some_batches("adap-klucb"), false={"forgetful": 0})
def adap_klucb_forgets(name: Annotated[Any, "all: adap-klucb"], batches: FourOrMore, forgetful=1):
    r"""Forgetfulness of AdaP-KLUCB: 'Yes'. Its index rests only on the latest release of an arm (1)."""
    return forgets(name, batches, forgetful)
