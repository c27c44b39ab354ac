"""Sections 2.2.1 to 2.2.3, page 22: how policy and environment interact, regret, and strategies that stop.

Policies are random rational kernels and reward laws random rational laws on a few values, so that every law of
histories is finite. Each protocol is played as its pseudo code reads and compared with the product formula.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import Count, EveryBandit, EveryPolicy, Natural, Real
from banditproof.claims.steps import enumerated, in_kernel
from banditproof.paper_checks.thesis.facts.bandits import expected
from banditproof.paper_checks.thesis.facts.privacy import NAMES, instance_of
from banditproof.theory.numbers.term import quantity
from banditproof.verify.finite.strategies import expected_pulls, output_law, strategy_named
from banditproof.verify.kernel.meanings import sum_of, when
from banditproof.verify.kernel.policies import actions_are_kept, plays_arms
from banditproof.verify.kernel.rewards import (
    canonical_density,
    canonical_marginal,
    goes_by_the_history,
    mean_reward,
    mean_size_of_the_sum_at_most,
    pulls,
    rewarded_by_the_arm,
    rounds_of_runs,
    rounds_tell_arms_and_rewards,
    rounds_tell_histories,
    stopped_game,
    with_mean_of_the_sum,
)
from banditproof.verify.kernel.rules import eq
from banditproof.verify.theorems import regret as regret_proofs

Strategy = Annotated[Any, "all: every strategy for best-arm identification"]


@claim(
    "TH-S2.2a",
    in_kernel(regret_proofs.conditional_law),
    covered="""The vocabulary states that an action depends on the history alone; the rest of the definition
    introduces names.""",
)
def history_is_all_the_policy_sees(pi: EveryPolicy, nu: EveryBandit, T: Count):
    r"""The game: given $H_{t-1}$ the next action has the law $\pi_t(\cdot\mid H_{t-1})$, whatever the environment:
    $\mathbb E[B(H_{t-1})A(a_t)]=\mathbb E[B(H_{t-1})\,\pi_t(A\mid H_{t-1})]$ for all functions $A$, $B$ and $t\le T$.

    The law of a reward may depend on the round, on the history and on the action.
    """
    return when(*rounds_of_runs(T), then=goes_by_the_history(pi, nu, T))


@claim("TH-A1/stopping", in_kernel(regret_proofs.law_of_the_actions))
def law_of_what_is_recommended(pi: EveryPolicy, rec: EveryPolicy, nu: EveryBandit, T: Natural, K: Count):
    r"""In the mode of best-arm identification: the probability that the policy plays $a_1,\dots,a_T$, stops and
    recommends $\hat a$ is that of these decisions given the history, integrated over the rewards.

    pi may play top, which is not an arm and means to stop; rec is the law of the recommendation.
    """
    return when(*actions_are_kept(), then=stopped_game(pi, rec, nu, T, K))


@claim("TH-D2.16/density", in_kernel(regret_proofs.density_of_runs))
def density_of_the_model(pi: EveryPolicy, nu: EveryBandit, T: Count, K: Count):
    r"""$\mathbb P_{\nu\pi}$ has the density $p_{\nu\pi}(a_1,r_1,\dots,a_T,r_T)=\prod_t\pi_t(a_t\mid
    a_1,r_1,\dots,a_{t-1},r_{t-1})\,p_{a_t}(r_t)$ by $(\rho\times\lambda)^T$, $p_a=dP_a/d\lambda$.

    A density is a quotient of two bounded functions: P has the density p = above/below with respect to m if, for all
    bounded G, the mean of below G under P is the integral of above G with respect to m. A sigma-finite measure is a law
    divided by a positive bounded function, which is part of below.
    """
    return when(plays_arms(pi, K), then=canonical_density(pi, nu, T, K))


@claim("TH-D2.16/next-reward", in_kernel(regret_proofs.reward_of_the_arm))
def law_of_the_next_reward(pi: EveryPolicy, nu: EveryBandit, T: Count, K: Count):
    r"""(b): given $a_1,r_1,\dots,a_{t-1},r_{t-1},a_t$ the reward $r_t$ has the law $P_{a_t}$, whatever the policy:
    $\mathbb E[f(H_{t-1},a_t)\,g(r_t)]=\mathbb E[f(H_{t-1},a_t)\int g\,dP_{a_t}]$ for all bounded $f$ and $g$."""
    tells = *rounds_tell_histories(T), *rounds_tell_arms_and_rewards(T, K)
    return when(plays_arms(pi, K), *tells, then=rewarded_by_the_arm(pi, nu, T))


@claim("TH-D2.16/actions", in_kernel(regret_proofs.law_of_the_actions))
def marginal_of_the_model(pi: EveryPolicy, nu: EveryBandit, T: Count, K: Count):
    r"""$m_{\nu\pi}(a_1,\dots,a_T)=\int p_{\nu\pi}(a_1,r_1,\dots,a_T,r_T)\,dr_1\dots dr_T$ is the probability that
    these are the actions.

    The integral of p_a(r) is the mean over r with the law P_a.
    """
    return when(*actions_are_kept(), then=canonical_marginal(pi, nu, T, K))


@claim("TH-EQ2.7", in_kernel(regret_proofs.mean_of_the_sum_exists))
def regret_is_a_number(pi: EveryPolicy, nu: EveryBandit, T: Count, K: Count):
    r"""$\mathrm{Reg}_T=T\mu^\star-\mathbb E[\sum_tr_t]$ is a number for all laws of rewards with finite means, bounded
    or not: $\mathbb E|\sum_tr_t|\le\sum_a\mathbb E[N_a(T)]\,\mathbb E_{r\sim P_a}|r|$.

    The mean is taken under the law of the runs of $T$ rounds.
    """

    def most(size: Any) -> Any:
        return sum_of(lambda b: size(b) * pulls(pi, nu, T, b), K, "b")

    known = mean_size_of_the_sum_at_most(pi, nu, T, K, most)
    return when(plays_arms(pi, K), *rounds_tell_arms_and_rewards(T, K), then=known)


@claim("TH-EQ2.8", in_kernel(regret_proofs.rewards_by_pulls), twins=["BDP-EQ2"])
def regret_decomposition(pi: EveryPolicy, nu: EveryBandit, T: Count, K: Count, best: Real):
    r"""$T\mu^\star-\mathbb E[\sum_tr_t]=\sum_a\Delta_a\mathbb E[N_a(T)]$, $\Delta_a=\mu^\star-\mu_a$, for all laws
    of rewards with finite means $\mu_a$, bounded or not.

    Both means are taken under the law of the runs of $T$ rounds; any number may stand for the largest mean.
    """
    by_arms = sum_of(lambda b: (best - mean_reward(b)) * pulls(pi, nu, T, b), K, "b")
    lost = with_mean_of_the_sum(pi, nu, T, K, lambda earned: eq(T * best - earned, by_arms))
    return when(plays_arms(pi, K), *rounds_tell_arms_and_rewards(T, K), then=lost)


def on_strategies(left: str, right: str) -> enumerated:
    names = [*NAMES, ["response", 9], ["compare", 1], ["compare", 2]]
    return enumerated(strategy=names, rational=True, routes=(left, right))


def is_law(row: Sequence[Fraction], size: int) -> bool:
    return len(row) == size and min(row) >= 0 and sum(row) == 1


@claim("TH-D2.17", on_strategies("rows that are laws", "number of histories"), false={"extra": 1})
def strategies_are_kernels(strategy: Strategy, extra=0):
    r"""A strategy gives, after every history, a law on $[K]\cup\{\top\}$ and a law on $[K]$.

    The left side counts the histories after which both rows are laws; no law of recommendations is needed where the
    strategy certainly continues.
    """
    rule = strategy_named(strategy)
    pairs = list(product(range(rule.arms), (0, 1)))
    histories = [h for length in range(rule.horizon + 1) for h in product(pairs, repeat=length)]
    told = [h for h in histories if h or rule.step(())[-1]]
    good = sum(is_law(rule.step(h), rule.arms + 1) and is_law(rule.recommendation(h), rule.arms) for h in told)
    return good, "==", len(told) + extra


@quantity
def expected_first_stop(strategy: Any) -> Fraction:
    """E of the first step with a_n = top, on the instance of a strategy."""
    return Fraction(expected(output_law(strategy, instance_of(strategy)), lambda output: output[2] + 1))


@quantity
def expected_rewards(strategy: Any) -> Fraction:
    """E of the number of collected rewards on that instance, the pulls of all arms."""
    return sum(expected_pulls(strategy, instance_of(strategy)), Fraction(0))


@claim("TH-D2.18", on_strategies("first stop action", "pulls of all arms"))
def stopping_convention(strategy: Strategy):
    r"""$\tau_\delta$, the first step with $a_n=\top$, exceeds the number of collected rewards, which (3.4) and (3.5)
    put out as $T$, by 1."""
    return expected_first_stop(strategy), "==", expected_rewards(strategy) + 1
