"""Appendix B: privacy under adaptive continual release, and how the definitions compare."""

from banditproof.claims.register import claim
from banditproof.claims.sets import BelowOne, Count, EveryPolicy, Nonnegative
from banditproof.claims.steps import in_kernel
from banditproof.verify.kernel.meanings import function_of, when
from banditproof.verify.kernel.policies import (
    actions_are_kept,
    adaptive_release,
    challenge_from,
    differ_in_the_challenge_only,
    differing_tables,
    differing_trees,
    every,
    in_all_rounds,
    of_arms,
    on_list,
    on_table,
    on_tree,
    plays_arms,
    private_on,
    rewards_along,
    same_actions,
    same_chance,
    same_places_but_j,
    starts,
    trees,
    zcdp_on,
)
from banditproof.verify.kernel.rules import eq
from banditproof.verify.theorems import policies as policy_proofs


@claim(
    "BDP-DB.1",
    in_kernel(policy_proofs.heard_outside_the_challenge),
    covered="""An adversary is any map from the round and the actions to two rewards; the formula states which of
    them it feeds.""",
)
def reward_feeding_adversary():
    r"""A reward-feeding adversary answers each action prefix with a pair $(r^L_t, r^R_t)$; the policy sees the left one
    except on the right side at the challenge time, so the two sides differ in at most 1 reward."""
    return differ_in_the_challenge_only()


@claim(
    "BDP-DB.2",
    in_kernel(policy_proofs.sides_swapped),
    covered="""The item is the first bullet and the part on zCDP is the second; each is a premise of the claims
    that use it.""",
)
def adaptive_continual_release(pi: EveryPolicy, T: Count, epsilon: Nonnegative, delta: BelowOne):
    r"""$(\epsilon,\delta)$ adaptive continual release: $\sup_{t^\star}\Pr[\mathrm{View}^L\in S] - e^\epsilon
    \Pr[\mathrm{View}^R\in S] \le \delta$ for all adversaries and $S$; one direction suffices, the sides may be
    swapped."""
    release, swapped = adaptive_release(pi, T), adaptive_release(pi, T, "right", "left")
    return when(private_on(release, epsilon, delta), then=private_on(swapped, epsilon, delta))


@claim("BDP-RB.3/probability", in_kernel(policy_proofs.along_one_sequence))
def probability_of_a_view(pi: EveryPolicy, T: Count):
    r"""$\Pr[\mathrm{View}^{b,t^\star}=\mathbf a] = \mathcal V^\pi(\mathbf a\mid r)$ for every sequence, where $r_t$ is
    what is fed after $a_1,\dots,a_t$."""
    fed = rewards_along(
        T, "rewards", lambda i: function_of("left", i, function_of("word", i), function_of("letter", i))
    )
    laws = on_tree(pi, T, "left"), on_list(pi, T, "rewards")
    return when(*actions_are_kept(), then=same_chance(("left", "rewards"), (fed, starts(T)), T, *laws))


@claim("BDP-RB.3/neighbours", in_kernel(policy_proofs.neighbours_stay))
def neighbouring_lists_of_views(T: Count, K: Count):
    r"""$\mathcal A^{L,t^\star}(\mathbf a)$ and $\mathcal A^{R,t^\star}(\mathbf a)$ differ at $t^\star$ only."""
    lists_of = [
        rewards_along(T, r, lambda i, t=t: function_of(t, i, function_of("word", i), function_of("letter", i)))
        for t, r in (("left", "rewards"), ("right", "others"))
    ]
    given = (*differing_trees(T, K), *lists_of, *of_arms(T, K))
    return every(("rewards", "others", "left", "right", "j", "letter", "word"), given, then=same_places_but_j(T))


@claim("BDP-RB.4/adversary-to-trees", in_kernel(policy_proofs.trees_from_release))
def trees_are_fed(pi: EveryPolicy, T: Count, K: Count, epsilon: Nonnegative, delta: BelowOne):
    r"""A policy that is $(\epsilon,\delta)$-DP under adaptive continual release is $(\epsilon,\delta)$-DP on any two
    trees that differ in one depth."""
    release, on_trees = private_on(adaptive_release(pi, T), epsilon, delta), private_on(trees(pi, T, K), epsilon, delta)
    return when(plays_arms(pi, K), release, then=on_trees)


@claim("BDP-RB.4/trees-to-adversary", in_kernel(policy_proofs.release_from_trees))
def sides_are_trees(pi: EveryPolicy, T: Count, K: Count, epsilon: Nonnegative, delta: BelowOne):
    r"""A policy that is $(\epsilon,\delta)$-DP on any two trees that differ in one depth is $(\epsilon,\delta)$-DP
    under adaptive continual release."""
    release, on_trees = private_on(adaptive_release(pi, T), epsilon, delta), private_on(trees(pi, T, K), epsilon, delta)
    return when(on_trees, then=release)


@claim("BDP-RB.4/adversary-to-trees-zcdp", in_kernel(policy_proofs.trees_from_release))
def trees_are_fed_for_zcdp(pi: EveryPolicy, T: Count, K: Count, rho: Nonnegative):
    r"""A policy that is $\rho$-zCDP under adaptive continual release is $\rho$-zCDP on any two trees that differ in one
    depth."""
    return when(plays_arms(pi, K), zcdp_on(adaptive_release(pi, T), rho), then=zcdp_on(trees(pi, T, K), rho))


@claim("BDP-RB.4/trees-to-adversary-zcdp", in_kernel(policy_proofs.release_from_trees))
def sides_are_trees_for_zcdp(pi: EveryPolicy, T: Count, K: Count, rho: Nonnegative):
    r"""A policy that is $\rho$-zCDP on any two trees that differ in one depth is $\rho$-zCDP under adaptive continual
    release."""
    return when(zcdp_on(trees(pi, T, K), rho), then=zcdp_on(adaptive_release(pi, T), rho))


@claim("BDP-SB.1/left", in_kernel(policy_proofs.same_rewards))
def left_view_of_tables(pi: EveryPolicy, T: Count, K: Count):
    r"""$\Pr[\mathrm{View}^L\in A]=\mathcal M^\pi_{\mathbf x}(A)$ for every event $A$, where the left answer is
    $x_{t,a_t}$."""
    equal = in_all_rounds(T, K, lambda i, o, a: eq(function_of("left", i, o, a), function_of("table", i, a)))
    laws = on_tree(pi, T, "left"), on_table(pi, T, "table")
    return when(plays_arms(pi, K), then=same_actions(("left", "table"), (equal,), *laws))


@claim("BDP-SB.1/right", in_kernel(policy_proofs.same_rewards))
def right_view_of_tables(pi: EveryPolicy, T: Count, K: Count):
    r"""$\Pr[\mathrm{View}^R\in A]=\mathcal M^\pi_{\mathbf x'}(A)$ for every event $A$: what is fed on the right side is
    $x'_{t,a_t}$ in the challenge round, and $x_{t,a_t}$ in the others, in which the tables agree."""
    equal = in_all_rounds(T, K, lambda i, o, a: eq(function_of("left", i, o, a), function_of("table", i, a)))
    given = (*differing_tables(T, K), equal, *differing_trees(T, K), challenge_from(K, "changed"))
    laws = on_tree(pi, T, "right"), on_table(pi, T, "changed")
    names = ("table", "changed", "left", "right", "j")
    return when(plays_arms(pi, K), then=same_actions(names, given, *laws))
