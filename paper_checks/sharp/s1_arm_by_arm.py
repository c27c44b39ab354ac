r"""Section 1: what a private policy shows, arm by arm, and what follows for regret and for sample complexity.

$d_\varepsilon(P,Q)$ is the infimum of $\varepsilon\mathrm{TV}(P\|R)+\mathrm{KL}(R\|Q)$ over all laws $R$.
"""

from banditproof.claims import claim, in_kernel
from banditproof.claims.sets import (
    AtLeastOne,
    Count,
    EveryBandit,
    EveryBudget,
    EveryClass,
    EveryPolicy,
    EveryRealFunction,
    Nonnegative,
    Positive,
)
from banditproof.verify.kernel import asymptotics, identification
from banditproof.verify.kernel.bandits import of_each_arm, pulls_times
from banditproof.verify.kernel.couplings import private_divergence_at_most
from banditproof.verify.kernel.divergences import kl_at_most
from banditproof.verify.kernel.histories import told_histories
from banditproof.verify.kernel.meanings import log, when
from banditproof.verify.kernel.policies import actions_are_kept, lists, plays_arms, private_on
from banditproof.verify.kernel.rewards import actions_on_arms
from banditproof.verify.theorems import best_arm as identification_proofs
from banditproof.verify.theorems import consistent_regret as consistent_proofs
from banditproof.verify.theorems import double_change as double_change_proofs


@claim("SHARP-1", in_kernel(consistent_proofs.regret_by_private_divergence))
def regret(pi: EveryPolicy, laws: EveryClass, worth: EveryRealFunction, K: Count, epsilon: Positive):
    r"""For $\mathcal E=\mathcal M_1\times\dots\times\mathcal M_K$, every $\varepsilon$-View DP
    $\pi\in\Pi_{\rm cons}(\mathcal E)$ and every $\nu\in\mathcal E$:
    $\liminf_{T\to\infty}\frac{\mathrm{Reg}_T(\pi,\nu)}{\log
    T}\ge\sum_{a:\Delta_a>0}\frac{\Delta_a}{\inf\{d_\varepsilon(P_a,P):P\in\mathcal M_a,\mu(P)>\mu^*\}}$.

    Any law may stand between both, whether the class has a name for it or not.
    """
    bandits = asymptotics.Class(laws, worth)
    policy = plays_arms(pi, K), *actions_are_kept(), *told_histories()
    private = asymptotics.private_at_every_horizon(pi, epsilon), asymptotics.consistent(pi, bandits, K)
    least = asymptotics.regret_is_at_least(pi, bandits, K, asymptotics.private_divergence(epsilon))
    return when(*policy, *private, then=least)


@claim("SHARP-2", in_kernel(identification_proofs.samples_by_private_divergence))
def samples(
    pi: EveryPolicy, laws: EveryClass, worth: EveryRealFunction, K: Count, ratio: AtLeastOne, epsilon: Positive
):
    r"""$\mathbb E_{\nu,\pi}[\tau]\ge T^\star_d(\nu;\varepsilon)\,\mathrm{kl}(\delta,1-\delta)$ for every
    $\delta\in(0,1/2]$, $\varepsilon>0$ and $\delta$-correct $\varepsilon$-View DP strategy, where $1/T^\star_d$ is the
    value of the game in which an alternative costs $\sum_a\omega_ad_\varepsilon(P_a,Q_a)$.

    Every such $\delta$ is $1/(1+r)$ with a ratio $r\ge1$, and kl(delta, 1 - delta) is (1 - 2 delta) log r. The proof
    compares the chances of the answer in each round, so it needs no theorem about stopping times.
    """
    bandits, delta = asymptotics.Class(laws, worth), 1 / (1 + ratio)
    strategy = plays_arms(pi, 2 * K), identification.answers_are_final(pi, K), *actions_are_kept(), *told_histories()
    private = asymptotics.private_at_every_horizon(pi, epsilon), identification.is_correct(pi, bandits, K, delta)
    prices = identification.by_private_divergence(bandits, K, epsilon)
    least = identification.samples_are_at_least(pi, bandits, K, prices, (1 - 2 * delta) * log(ratio))
    return when(*strategy, *private, then=least)


@claim("SHARP-3", in_kernel(double_change_proofs.kl_by_private_divergence))
def divergence_of_actions(
    pi: EveryPolicy, nu: EveryBandit, nu_prime: EveryBandit, T: Count, K: Count, epsilon: Nonnegative, cost: EveryBudget
):
    r"""If $\pi$ is $\varepsilon$-View DP, then $D_{\rm KL}(\mathbb M_{\nu\pi}\|\mathbb M_{\nu'\pi})\le\sum_a\mathbb
    E_\nu[N_a(T)]d_\varepsilon(P_a,P'_a)$: if the $d_\varepsilon$ of each arm is at most some number, the left side is
    at most the sum with these numbers.

    A strategy that stops is a policy with an action for each answer, which shows the same law on both bandits and costs
    nothing: so the sum is over the arms that it samples, and the theorem is about every number of rounds.
    """
    first, second = (actions_on_arms(pi, bandit, T) for bandit in (nu, nu_prime))
    policy, private = (plays_arms(pi, K), *actions_are_kept(), *told_histories()), private_on(lists(pi, T), epsilon)
    costs = of_each_arm(K, lambda a: private_divergence_at_most(nu(a), nu_prime(a), epsilon, cost(a)))
    return when(*policy, costs, private, then=kl_at_most(first, second, pulls_times(pi, nu, T, K, cost)))
