"""Section 3.6, page 68: what View privacy costs when Table privacy is wanted, and conversely."""

from fractions import Fraction
from typing import Any

from banditproof.claims.check import Check
from banditproof.claims.register import claim
from banditproof.claims.sets import AtLeastOne, BelowOne, Count, EveryPolicy, Inside, Nonnegative, Policy, TwoOrMore
from banditproof.claims.steps import enumerated, fails_at, in_kernel
from banditproof.paper_checks.shared.policies import delta_under
from banditproof.paper_checks.thesis.ch3_definitions.facts import (
    MOST_SEQUENCES,
    least_delta_on_lists,
    least_delta_on_tables,
    least_odds_on_lists,
    least_odds_on_tables,
)
from banditproof.paper_checks.thesis.facts.privacy import policies_and_words
from banditproof.theory import InvalidInput
from banditproof.theory.numbers.term import quantity
from banditproof.verify import FiniteKernel
from banditproof.verify.kernel.meanings import function_of, when
from banditproof.verify.kernel.policies import (
    actions_are_kept,
    differing_lists,
    differing_tables,
    every,
    in_all_rounds,
    lists,
    of_arms,
    on_list,
    on_table,
    plays_arms,
    power,
    private_on,
    rewards_along,
    same_actions,
    same_chance,
    same_places_but_j,
    same_rows_but_j,
    starts,
    tables,
    zcdp_on,
)
from banditproof.verify.kernel.rules import eq
from banditproof.verify.kernel.scales import scales_on_lists, scales_on_tables
from banditproof.verify.privacy.separation import own_scale_kernel, secret_word_kernel
from banditproof.verify.theorems import policies as policy_proofs


@claim("TH-P3.12/b", in_kernel(policy_proofs.list_as_table))
def table_implies_view(pi: EveryPolicy, T: Count, K: Count, epsilon: Nonnegative, delta: BelowOne):
    r"""$(\varepsilon,\delta)$-Table DP implies $(\varepsilon,\delta)$-View DP: a list is a table with equal columns."""
    return when(private_on(tables(pi, T, K), epsilon, delta), then=private_on(lists(pi, T), epsilon, delta))


@claim("TH-P3.12/c", in_kernel(policy_proofs.list_as_table))
def table_implies_view_for_zcdp(pi: EveryPolicy, T: Count, K: Count, rho: Nonnegative):
    r"""$\rho$-Table zCDP implies $\rho$-View zCDP."""
    return when(zcdp_on(tables(pi, T, K), rho), then=zcdp_on(lists(pi, T), rho))


@claim("TH-P3.12/d", in_kernel(policy_proofs.from_lists))
def view_implies_table(pi: EveryPolicy, T: Count, K: Count, epsilon: Nonnegative, delta: BelowOne):
    r"""$(\varepsilon,\delta)$-View DP implies $(\varepsilon,K^T\delta)$-Table DP."""
    view = private_on(lists(pi, T), epsilon, delta)
    table = private_on(tables(pi, T, K), epsilon, power(K, T) * delta)
    return when(plays_arms(pi, K), *actions_are_kept(), view, then=table)


@claim("TH-P3.12/d-sharp", enumerated(policies_and_words, rational=True), role="remark")
def sharp_loss(T: Count, K: Count, policy: Policy, ratio: AtLeastOne):
    r"""$\delta_{\rm Table}(\varepsilon) \le K^{T-1}\,\delta_{\rm View}(\varepsilon)$, with equality for the policy that
    leaks when the rewards spell the arms: sequences that agree up to step $T-1$ read the same list, so the last action
    costs nothing.

    The proof gives this if the sequences are summed prefix by prefix; the check includes the policies that attain it.
    """
    return least_delta_on_tables(T, K, policy, ratio), "<=", K ** (T - 1) * least_delta_on_lists(T, K, policy, ratio)


def with_the_largest_loss(check: Check) -> list[dict[str, Any]]:
    ratios = {2: ("1", "5/4", "9"), 3: ("3/2", "4"), 4: ("3/2", "4")}
    sizes = [(2, 2), (3, 2), (4, 2)] + check.pick([], [(2, 3)])
    return [{"T": T, "K": K, "ratio": ratio} for T, K in sizes for ratio in ratios[T]]


def _with_the_largest_loss(T: int, K: int, ratio: Fraction) -> FiniteKernel:
    if K**T > MOST_SEQUENCES or (T > 2 and 2 * ratio < 3):
        raise InvalidInput("T", T, f"at most {MOST_SEQUENCES} sequences of actions, and e^epsilon >= 3/2 for T > 2")
    return own_scale_kernel(K, Fraction(1, 2)) if T == 2 else secret_word_kernel(T, K, Fraction(1, 3))


@quantity
def largest_loss_on_tables(T: int, K: int, ratio: Fraction) -> Fraction:
    """The smallest delta of Table DP of the policy that reads scales (T = 2) or a secret word."""
    return delta_under("table", _with_the_largest_loss(T, K, ratio), ratio)


@quantity
def largest_loss_on_lists(T: int, K: int, ratio: Fraction) -> Fraction:
    """The smallest delta of View DP of that policy."""
    return delta_under("view", _with_the_largest_loss(T, K, ratio), ratio)


@claim(
    "TH-P3.12/d-attained",
    enumerated(with_the_largest_loss, rational=True, routes=("worst tables", "worst lists, scaled")),
    role="remark",
)
def loss_is_attained(T: TwoOrMore, K: TwoOrMore, ratio: AtLeastOne):
    r"""There are policies with $\delta_{\rm Table} = K^{T-1}\delta_{\rm View}$: at every $\varepsilon$ for $T = 2$ with
    $2K$ rewards, and for longer horizons at $e^\varepsilon \ge 3/2$."""
    return largest_loss_on_tables(T, K, ratio), "==", K ** (T - 1) * largest_loss_on_lists(T, K, ratio)


@claim("TH-P3.12/e-view", in_kernel(policy_proofs.apart_on_lists))
def separating_policy_on_lists(epsilon: Nonnegative, delta: Inside):
    r"""A policy with $T=K=2$ that reads the first reward by the scale of the arm that it played is
    $(\varepsilon,\delta)$-View DP.

    The policy leaks 2 delta/(1 + delta) if the reward is on the scale of the arm played. Every reward is on the scale
    of one arm only, so the mean leak over the two arms is half of that.
    """
    return scales_on_lists(2 * delta / (1 + delta), epsilon, delta)


@claim("TH-P3.12/e-not-table", in_kernel(policy_proofs.together_on_tables))
def separating_policy_on_tables(epsilon: Nonnegative, delta: Inside, gamma: BelowOne):
    r"""That policy is $(\varepsilon,\gamma)$-Table DP for $\gamma>\delta$ only, so it is not
    $(\varepsilon,\delta)$-Table DP.

    In a table each of the two arms can have a reward on its own scale.
    """
    private = scales_on_tables(2 * delta / (1 + delta), epsilon, gamma)
    return when(*actions_are_kept()[1:], private, then=(delta, "<", gamma))


@claim("TH-P3.12/e-one-arm", fails_at(T=2, ratio=1, rational=True), role="reading")
def strict_inclusion_with_one_arm(T: Count, ratio: AtLeastOne):
    r"""(e) read for every number of arms: with $K = 1$ the inclusion is strict.

    (e) names no T, K, epsilon and delta. The paper shows it by 'a policy that verifies some (epsilon_1, delta_1)-View
    DP', as the parts do.

    The only policy always plays the single arm, so its two deltas are equal.
    """
    only = 0  # every policy number stands for it
    return least_delta_on_tables(T, 1, only, ratio), ">", least_delta_on_lists(T, 1, only, ratio)


@claim("TH-P3.12/e-one-round", fails_at(K=2, policy=0, rational=True), role="reading")
def strict_inclusion_in_one_round(K: Count, policy: Policy):
    r"""(e) read for every horizon: with $T=1$ some policy has $\delta_{\rm View}(0)<\delta_{\rm Table}(0)$.

    The first action depends on no reward, so both are 0 for every policy.
    """
    return least_delta_on_tables(1, K, policy, Fraction(1)), ">", least_delta_on_lists(1, K, policy, Fraction(1))


@claim("TH-P3.12/e-pure", fails_at(T=2, K=2, policy=0, rational=True), role="reading", rests_on=["TH-P3.12/a-if"])
def strict_inclusion_without_delta(T: Count, K: Count, policy: Policy):
    r"""(e) read for every $\delta\ge0$: at $\delta=0$ some policy takes a larger $e^\varepsilon$ over tables than over
    lists.

    By (a) there is no such policy.
    """
    return least_odds_on_tables(T, K, policy), ">", least_odds_on_lists(T, K, policy)


@claim("TH-S3.Red1/laws", in_kernel(policy_proofs.same_rewards))
def laws_of_lists_and_tables(pi: EveryPolicy, T: Count, K: Count):
    r"""$\mathcal V^\pi_r(A)=\mathcal M^\pi_{\mathbf x}(A)$ for every event $A$, where $x_{t,a}=r_t$ for all arms."""
    equal = in_all_rounds(T, K, lambda i, o, a: eq(function_of("table", i, a), function_of("rewards", i)))
    laws = on_list(pi, T, "rewards"), on_table(pi, T, "table")
    return when(plays_arms(pi, K), then=same_actions(("rewards", "table"), (equal,), *laws))


@claim("TH-S3.Red1/neighbours", in_kernel(policy_proofs.neighbours_stay))
def neighbouring_lists_as_tables(T: Count, K: Count):
    r"""$r\sim r'$ gives $x(r)\sim x(r')$: the tables agree in all rows but that of the place where the lists differ."""
    tables_of = [
        in_all_rounds(T, K, lambda i, o, a, t=t, r=r: eq(function_of(t, i, a), function_of(r, i)))
        for t, r in (("table", "rewards"), ("changed", "others"))
    ]
    given = (*differing_lists(T), *tables_of)
    return every(("rewards", "others", "table", "changed", "j"), given, then=same_rows_but_j(T, K))


@claim("TH-S3.Red2/probability", in_kernel(policy_proofs.along_one_sequence))
def probability_along_a_sequence(pi: EveryPolicy, T: Count):
    r"""$\mathcal M^\pi_{\mathbf x}(\mathbf a) = \mathcal V^\pi_r(\mathbf a)$ for every sequence $\mathbf a$, where
    $r_t=x_{t,a_t}$."""
    along = rewards_along(T, "rewards", lambda i: function_of("table", i, function_of("letter", i)))
    laws = on_table(pi, T, "table"), on_list(pi, T, "rewards")
    return when(*actions_are_kept(), then=same_chance(("table", "rewards"), (along, starts(T)), T, *laws))


@claim("TH-S3.Red2/neighbours", in_kernel(policy_proofs.neighbours_stay))
def neighbouring_tables_as_lists(T: Count, K: Count):
    r"""$\mathbf x\sim\mathbf x'$ gives $r(\mathbf x,\mathbf a)\sim r(\mathbf x',\mathbf a)$."""
    lists_of = [
        rewards_along(T, r, lambda i, t=t: function_of(t, i, function_of("letter", i)))
        for t, r in (("table", "rewards"), ("changed", "others"))
    ]
    given = (*differing_tables(T, K), *lists_of, *of_arms(T, K))
    return every(("rewards", "others", "table", "changed", "j", "letter"), given, then=same_places_but_j(T))
