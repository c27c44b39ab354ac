"""Appendix B: privacy under adaptive continual release, and how the definitions compare."""

from fractions import Fraction
from functools import reduce
from typing import Any

from banditproof.claims.register import claim
from banditproof.claims.sets import AboveOne, AtLeastOne, BelowOne, Count, EveryPolicy, Nonnegative, Policy
from banditproof.claims.steps import enumerated, in_kernel
from banditproof.paper_checks.shared.policies import delta, differing, kernel, random_adversary, shapes
from banditproof.theory import to_ball
from banditproof.theory.numbers.term import quantity
from banditproof.verify import adversaries, hockey_stick, renyi_divergence, reward_tables
from banditproof.verify.finite import kernels, output_laws
from banditproof.verify.finite.output_laws import fed_rewards
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
from banditproof.verify.privacy import enumeration
from banditproof.verify.theorems import policies as policy_proofs

ONE = Fraction(1)


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


@claim("BDP-DB.1/small-policies", enumerated(shapes, rational=True), false={"changes": 0}, role="implication")
def random_adversaries(T: Count, K: Count, policy: Policy, changes=1):
    r"""A reward-feeding adversary answers each action prefix with a pair $(r^L_t, r^R_t)$; the policy sees the left one
    except at the challenge time, so the two sides differ in at most one reward.

    The check uses random adversaries on every action sequence and every challenge time.

    The left side is the largest number of rewards that differ between the two sides, over random adversaries, actions
    and challenge times.
    """
    pi, worst = kernel(T, K, policy), 0
    feed = random_adversary(pi, policy)
    for time in range(1, T + 1):
        for actions in pi.action_sequences():
            worst = max(worst, differing(*(fed_rewards(feed, actions, time, side) for side in "LR")))
    return worst, "<=", changes


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


@quantity
def table_delta_of(T: int, K: int, policy: int, ratio: Any) -> Any:
    """The smallest delta at e^epsilon = ratio over neighbouring tables."""
    return delta(enumeration.table_delta(kernel(T, K, policy), ratio))


@quantity
def release_delta_of(T: int, K: int, policy: int, ratio: Any) -> Any:
    """The same over reward trees that differ in one depth, prefix by prefix."""
    return delta(enumeration.acr_delta(kernel(T, K, policy), ratio))


@quantity
def adversary_delta_of(T: int, K: int, policy: int, ratio: Any) -> Any:
    """The same as a maximum over all adversaries."""
    return delta(enumeration.acr_delta_over_adversaries(kernel(T, K, policy), ratio))


@quantity
def excess_of_a_side(T: int, K: int, policy: int, ratio: Any, swapped: int) -> Any:
    """The largest P(S) - ratio Q(S) over adversaries, challenge times and events, P the left view and Q the right one;
    the other way round where swapped."""
    pi = kernel(T, K, policy)
    sides = "RL" if swapped else "LR"
    views = (
        [output_laws.acr_law(pi, a, time, side) for side in sides]
        for time in range(1, T + 1)
        for a in adversaries(pi, time)
    )
    return max(hockey_stick(p, q, ratio)[0] for p, q in views)


@claim(
    "BDP-DB.2/small-policies",
    enumerated(
        T=2, K=2, policy=[0, 2, 4], ratio=[1, "3/2"], rational=True, routes=("left against right", "right against left")
    ),
    false={"factor": "1.01"},
    role="implication",
)
def release_on_small_policies(T: Count, K: Count, policy: Policy, ratio: AtLeastOne, factor=1):
    r"""$(\epsilon,\delta)$ adaptive continual release: $\sup_{t^\star}\Pr[\mathrm{View}^L\in S] - e^\epsilon
    \Pr[\mathrm{View}^R\in S] \le \delta$; one direction suffices, the sides may be swapped."""
    case = T, K, policy, ratio
    return excess_of_a_side(*case, 0), "==", factor * excess_of_a_side(*case, 1)


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


@claim(
    "BDP-RB.3/small-policies",
    enumerated(shapes, rational=True, routes=("protocol, step by step", "view law of the fed list")),
    false={"shift": 1},
    role="implication",
)
def view_of_the_adversary(T: Count, K: Count, policy: Policy, shift=0):
    r"""$\Pr[\mathrm{View}^{b,t^\star}=\mathbf a] = \mathcal V^\pi(\mathbf a\mid \mathcal A^{b,t^\star}(\mathbf a))$,
    and the two lists are neighbours."""
    pi, different = kernel(T, K, policy), 0
    feed = random_adversary(pi, policy)
    for time in range(1, T + 1):
        for side in "LR":
            law = output_laws.acr_law(pi, feed, time, side)
            for actions in pi.action_sequences():
                fed = output_laws.fed_rewards(feed, actions, min(T, time + shift), side)
                different += law.get(actions, 0) != output_laws.path_probability(pi, actions, fed)
    return different, "==", 0


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


@claim(
    "BDP-RB.4/small-policies",
    enumerated(
        [{"T": T, "K": K, "policy": policy} for T, K in ((1, 2), (2, 2), (2, 3)) for policy in (0, 2, 4, 6)],
        rational=True,
        routes=("worst tree, prefix by prefix", "maximum over all adversaries"),
    ),
    false={"factor": "1.01"},
    role="implication",
)
def adversaries_as_trees(T: Count, K: Count, policy: Policy, factor=1):
    r"""An adversary is a reward tree of depth $T$: privacy means that two trees which differ in one depth cannot be
    told apart."""
    return release_delta_of(T, K, policy, 1), "==", factor * adversary_delta_of(T, K, policy, 1)


@claim(
    "BDP-PB.5/a-approximate",
    enumerated(
        lambda check: [{**p, "ratio": r} for p in shapes(check) for r in (ONE, Fraction(3, 2), Fraction(3))],
        rational=True,
        routes=("all neighbouring tables", "worst reward tree"),
    ),
    false={"factor": "0.9"},
    role="implication",
)
def release_implies_table(T: Count, K: Count, policy: Policy, ratio: AtLeastOne, factor=1):
    r"""$\delta_{\rm Table}(\epsilon) \le \delta_{\rm ACR}(\epsilon)$ for every $\epsilon\ge0$ ($e^\epsilon$ is called
    ratio)."""
    return table_delta_of(T, K, policy, ratio), "<=", factor * release_delta_of(T, K, policy, ratio)


@claim(
    "BDP-PB.5/a-zcdp",
    enumerated(
        T=2, K=2, policy=[0, 4, 6], order=["3/2", 4], rational=True, routes=("neighbouring tables", "all adversaries")
    ),
    false={"factor": "0.9"},
    role="implication",
)
def release_implies_table_for_zcdp(T: Count, K: Count, policy: Policy, order: AboveOne, factor=1):
    r"""$\max D_\alpha(\mathcal M_{\mathbf x}\|\mathcal M_{\mathbf x'}) \le \max
    D_\alpha(\mathrm{View}^L\|\mathrm{View}^R)$ for every order $\alpha>1$: $\rho$-zCDP carries over."""
    pi = kernel(T, K, policy)
    law = {t: output_laws.table_law(pi, t) for t in reward_tables(pi)}
    of_tables = [renyi_divergence(law[a], law[b], order) for a in law for b in law if _rows_apart(a, b) == 1]
    of_trees = [
        renyi_divergence(output_laws.acr_law(pi, a, time, "L"), output_laws.acr_law(pi, a, time, "R"), order)
        for time in range(1, T + 1)
        for a in adversaries(pi, time)
    ]
    slack = to_ball(2) ** -100  # equal divergences are equal up to rounding
    return _largest(of_tables), "<=", to_ball(factor) * _largest(of_trees) + slack


def _rows_apart(left: Any, right: Any) -> int:
    return sum(a != b for a, b in zip(left, right, strict=True))


def _largest(values: list[Any]) -> Any:
    return reduce(lambda a, b: a.max(b), values)


@claim("BDP-PB.5/b-pure", enumerated(shapes, rational=True), false={"measure": "approximate"}, role="implication")
def three_definitions_agree(T: Count, K: Count, policy: Policy, measure="pure"):
    r"""For pure privacy the three definitions give the same tightest $\epsilon$.

    The two sides are the smallest and the largest of the three values: of e^epsilon, which is the largest likelihood
    ratio over lists, tables and reward trees, or of delta at epsilon = 0.
    """
    pi = kernel(T, K, policy)
    if measure == "pure":
        values = [f(pi).ratio for f in (enumeration.view_epsilon, enumeration.table_epsilon, enumeration.acr_epsilon)]
    else:
        worst = (enumeration.view_delta, enumeration.table_delta, enumeration.acr_delta)
        values = [delta(find(pi, ONE)) for find in worst]
    return min(values), "==", max(values)


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


@claim(
    "BDP-SB.1/small-policies",
    enumerated(shapes, rational=True, routes=("protocol against the adversary", "table mechanism")),
    false={"row": 1},
    role="implication",
)
def tables_as_adversaries(T: Count, K: Count, policy: Policy, row=0):
    r"""With $\mathcal A(\mathbf x,\mathbf x')_t(a_{1:t}) = (x_{t,a_t}, x'_{t,a_t})$ and tables that differ in row
    $t^\star$, the two views are $\mathcal M^\pi_{\mathbf x}$ and $\mathcal M^\pi_{\mathbf x'}$."""
    pi, different = kernel(T, K, policy), 0
    tables = list(reward_tables(pi))
    left = tables[policy % len(tables)]
    for time in range(1, T + 1):
        other = tuple(pi.rewards[(pi.rewards.index(r) + 1) % len(pi.rewards)] for r in left[time - 1])
        right = (*left[: time - 1], other, *left[time:])
        feed = kernels.adversary_from_tables(left, right)
        challenge = 1 + (time - 1 + row) % T
        for side, table in (("L", left), ("R", right)):
            law, direct = output_laws.acr_law(pi, feed, challenge, side), output_laws.table_law(pi, table)
            different += sum(law.get(a, 0) != direct[a] for a in pi.action_sequences())
    return different, "==", 0


@claim(
    "BDP-SB.2/table-above-view",
    enumerated([{}], rational=True, routes=("exact delta over lists", "exact delta over tables")),
    false={"factor": "1.4"},
    role="implication",
)
def table_is_stricter(factor=1):
    r"""There is a policy with $\delta_{\rm Table} > \delta_{\rm View}$.

    The policy reads the first reward in its second decision, in one of two ways that the first action selects.
    """
    pi, ratio = kernels.kernel_separating_view_from_table(), Fraction(1)
    return delta(enumeration.view_delta(pi, ratio)) * factor, "<", delta(enumeration.table_delta(pi, ratio))


@claim(
    "BDP-SB.2/release-above-table",
    enumerated([{}], rational=True, routes=("delta over tables", "delta over reward trees")),
    false={"factor": "1.4"},
    role="implication",
)
def release_is_stricter(factor=1):
    r"""There is a policy with $\delta_{\rm ACR} > \delta_{\rm Table}$.

    The policy reads the second reward in its last decision, in a way that the first action selects.
    """
    pi, ratio = kernels.kernel_separating_table_from_acr(), Fraction(1)
    return delta(enumeration.table_delta(pi, ratio)) * factor, "<", delta(enumeration.acr_delta(pi, ratio))
