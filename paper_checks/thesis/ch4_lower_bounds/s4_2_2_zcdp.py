r"""Section 4.2.2, page 88: the divergence between two bandits under Interactive zCDP (Theorems 4.12 and 4.14).

With A = sum of t_{a_t} and V = sum of t_{a_t} (1 - t_{a_t}), the number d of differing rewards is A plus a martingale
whose variance is E[V]. The proof of Theorem 4.14 computes E[d^2] given all actions as if the rewards were drawn after
them; but the actions react to the rewards, and the martingale may be correlated with A.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Annotated, Any

from banditproof.claims import Check
from banditproof.claims.language import *
from banditproof.paper_checks.shared.pairs import *
from banditproof.paper_checks.shared.policies import *
from banditproof.paper_checks.thesis.facts.gaussian_courier import gaussian_courier
from banditproof.theory.numbers.enclosure import End
from banditproof.verify import FiniteKernel, reward_lists, verify_policy_privacy, view_law
from banditproof.verify.finite.coupled_play import relative_entropy, sum_along
from banditproof.verify.finite.kernels import Actions, RewardList
from banditproof.verify.privacy.interactive import interactive_law
from banditproof.verify.privacy.named_policies import PolicyName, interactive_rho, policy_named

InteractiveZcdp = Annotated[Any, "all: every Interactive zCDP policy"]
RhoInteractiveZcdp = Annotated[Any, "all: every rho-Interactive zCDP policy"]
TwoBandits = Annotated[Any, "all: every pair of bandits"]


def _pointwise(kernel: FiniteKernel, power: Any = 2) -> Any:
    """The largest sum of divergences over d_Ham^power, over all action sequences and pairs of reward lists."""
    largest = to_ball(0)
    heads = {(*actions[:-1], 0) for actions in kernel.action_sequences()}  # the last action is not read either
    lists = list(reward_lists(kernel))
    for actions, r, s in product(sorted(heads), lists, lists):
        if r != s:
            largest = largest.max(sum_along(kernel, actions, r, s) / to_ball(differing(r, s)) ** power)
    return largest


COURIER = [["courier", Fraction(1, 3), Fraction(1, 4)]]


@quantity
def interactive_zcdp(policy: PolicyName) -> Any:
    """The smallest rho for which a policy is rho-Interactive zCDP."""
    return interactive_rho(policy)


@claim(
    "TH-T4.12/hypotheses",
    enumerated(policy=COURIER, routes=("Rényi divergences of adversaries", "3/2")),
    false={"rho": 1},
    role="hypotheses",
)
def some_policy_is_private(policy: Annotated[Any, "all: the policy below"], rho=Fraction(3, 2)):
    r"""Some policy is $\rho$-Interactive zCDP with $\rho=3/2$, and its decisions depend on the rewards.

    The policy plays arm 0 first. After a reward it plays arm 1, after none arm 2, wrongly with probability 1/3. At last
    it plays arm 2 + k with weight 4^-((k - s)^2), where s is the sum of both rewards. The smallest rho is 1.449...
    """
    return interactive_zcdp(policy), "<=", rho


@claim(
    "TH-T4.12/constant-adversary",
    on_plays(POLICIES, "protocol step by step", "product of the rows"),
    false={"weight": "0.99"},
    role="step",
)
def view_of_the_constant_adversary(policy: Policy, weight=1):
    r"""Proof: $\mathcal V^{\pi_{\mathbf a}}_{\mathbf r}=\bigotimes_t\pi_t(\cdot|a_1,r_1,\dots,a_{t-1},r_{t-1})$ for the
    adversary that always queries $a_t$."""
    kernel, found, expected = policy_named(policy), [], []
    for actions in kernel.action_sequences():
        for rewards in reward_lists(kernel):
            table = tuple((r,) * kernel.arms for r in rewards)
            found.append(interactive_law(kernel, lambda seen, a=actions: a[len(seen) - 1], table))
            rows = rows_along(kernel, actions, rewards)
            laws = {o: [row[arm] for row, arm in zip(rows, o, strict=True)] for o in kernel.action_sequences()}
            expected.append({o: prod(chances, start=weight * Fraction(1)) for o, chances in laws.items()})
    return found, "==", expected


def rows_along(kernel: FiniteKernel, actions: Actions, rewards: RewardList) -> list[Any]:
    """The policy's probabilities in every round of a history."""
    return [kernel.probability(tuple(zip(actions[:t], rewards[:t], strict=True))) for t in range(kernel.horizon)]


def _row_terms(kernel: FiniteKernel, r: RewardList, s: RewardList, weights: Any) -> Any:
    for actions, weight in weights.items():
        if weight:
            for row, other in zip(rows_along(kernel, actions, r), rows_along(kernel, actions, s), strict=True):
                yield from ((weight * p, p / q) for p, q in zip(row, other, strict=True) if p)


Terms = list[tuple[Fraction, Fraction]]
Rewards = Annotated[Any, "all: reward lists"]
Others = Annotated[Any, "all: other reward lists"]


def views_of(policy: PolicyName, rewards: Sequence[Any], other: Sequence[Any]) -> tuple[dict[Actions, Fraction], ...]:
    """The laws of the actions on two lists of rewards."""
    kernel = policy_named(policy)
    return view_law(kernel, tuple(rewards)), view_law(kernel, tuple(other))


def divergence_terms(policy: PolicyName, rewards: Sequence[Any], other: Sequence[Any]) -> Terms:
    """What sums up to D_KL(V_r, V_r')."""
    first, second = views_of(policy, rewards, other)
    return [(p, p / second[a]) for a, p in first.items() if p]


def average_terms(policy: PolicyName, rewards: Sequence[Any], other: Sequence[Any]) -> Terms:
    """What sums up to the mean of the rows' divergences, with actions drawn from V_r."""
    law = views_of(policy, rewards, other)[0]
    return list(_row_terms(policy_named(policy), tuple(rewards), tuple(other), law))


def second_terms(policy: PolicyName, rewards: Sequence[Any], other: Sequence[Any]) -> Terms:
    """What sums up to the mean of log(V_r(a) / V_r'(a)), with actions drawn from V_r'."""
    first, second = views_of(policy, rewards, other)
    return [(q, first[a] / q) for a, q in second.items() if q]


@quantity
def divergence_in_the_logarithm(
    prime: int, policy: PolicyName, rewards: Sequence[Any], other: Sequence[Any]
) -> Fraction:
    """The coefficient of log prime in D_KL(V_r, V_r')."""
    return in_the_logarithm(prime, divergence_terms(policy, rewards, other))


@quantity
def average_in_the_logarithm(prime: int, policy: PolicyName, rewards: Sequence[Any], other: Sequence[Any]) -> Fraction:
    """The coefficient of log prime in the mean of the rows' divergences, with actions drawn from V_r."""
    return in_the_logarithm(prime, average_terms(policy, rewards, other))


@quantity
def second_in_the_logarithm(prime: int, policy: PolicyName, rewards: Sequence[Any], other: Sequence[Any]) -> Fraction:
    """The coefficient of log prime in the mean of log(V_r(a) / V_r'(a)), with actions drawn from V_r'."""
    return in_the_logarithm(prime, second_terms(policy, rewards, other))


def pairs_of_lists() -> list[dict[str, Any]]:
    """The policies, each on every two lists of rewards."""
    return [
        {**case, "rewards": list(r), "other": list(s)}
        for case in POLICIES
        for r, s in product(reward_lists(policy_named(case["policy"])), repeat=2)
    ]


@claim(
    "TH-R4.13",
    at_primes(
        pairs_of_lists, divergence_terms, average_terms, routes=("laws of the actions", "rows along the actions")
    ),
    false={"factor": "1.01"},
)
def view_privacy_on_average(policy: Policy, rewards: Rewards, other: Others, prime: Prime, factor=1):
    r"""$D_{\rm KL}(\mathcal V_{\mathbf r}\|\mathcal V_{\mathbf r'})=\mathbb E_{\mathbf a}[\sum_tD_{\rm
    KL}(\pi_t(\cdot|H_{t-1})\|\pi_t(\cdot|H'_{t-1}))]$ with $\mathbf a$ drawn from the law on the left of the
    divergence: View privacy bounds an average only.

    Both are rational multiples of logarithms of primes, in one way only, and are compared in every prime.
    """
    case = prime, policy, rewards, other
    return divergence_in_the_logarithm(*case), "==", factor * average_in_the_logarithm(*case)


@quantity
def divergence_of_two_views(policy: PolicyName, rewards: Sequence[Any], other: Sequence[Any]) -> Any:
    """D_KL of the laws of the actions on two lists of rewards."""
    return relative_entropy(*views_of(policy, rewards, other))


@quantity
def log_ratio_under_the_second_view(policy: PolicyName, rewards: Sequence[Any], other: Sequence[Any]) -> Any:
    """The mean of log(V_r(a) / V_r'(a)) over actions a with the law on the second list r'."""
    terms = second_terms(policy, rewards, other)
    return sum((to_ball(weight) * log(to_ball(ratio)) for weight, ratio in terms), to_ball(0))


@claim(
    "TH-R4.13/sampled-as-printed",
    fails_at(policy=["messenger", Fraction(3)], rewards=[1, 0], other=[0, 0], rational=True),
    displayed=True,
    slip=r"""There is one prime too many: the actions are drawn from $\mathcal V_{\mathbf r}$, as in the display before
    Theorem 4.9.""",
    called={
        "randomised response with odds 3, rewards $(1,0)$ and $(0,0)$": "policy, rewards, other",
        "the relative entropy": "left",
        "the printed mean": "right",
    },
)
def sampled_as_printed(policy: Policy, rewards: Rewards, other: Others):
    r"""$D_{\rm KL}(\mathcal V_{\mathbf r}\|\mathcal V_{\mathbf r'})=\mathbb E_{\mathbf a\sim\mathcal V_{\mathbf
    r'}}[\log(\mathcal V_{\mathbf r}(\mathbf a)/\mathcal V_{\mathbf r'}(\mathbf a))]$.

    With actions drawn from the second law, the mean is minus the divergence of the second law from the first. With
    actions drawn from the first law the equation holds.
    """
    case = policy, rewards, other
    return divergence_of_two_views(*case), "==", log_ratio_under_the_second_view(*case)


@claim(
    "TH-R4.13/sampled-under-the-second-view",
    at_primes(pairs_of_lists, second_terms, lambda policy, rewards, other: divergence_terms(policy, other, rewards)),
    false={"factor": "1.01"},
    repairs="TH-R4.13/sampled-as-printed",
)
def sampled_under_the_second_view(policy: Policy, rewards: Rewards, other: Others, prime: Prime, factor=1):
    r"""$\mathbb E_{\mathbf a\sim\mathcal V_{\mathbf r'}}[\log(\mathcal V_{\mathbf r}(\mathbf a)/\mathcal V_{\mathbf
    r'}(\mathbf a))]=-D_{\rm KL}(\mathcal V_{\mathbf r'}\|\mathcal V_{\mathbf r})$.

    The check compares the coefficients of the logarithms of primes.
    """
    divergence = divergence_in_the_logarithm(prime, policy, other, rewards)
    return second_in_the_logarithm(prime, policy, rewards, other), "==", -factor * divergence


@quantity
def largest_pointwise_sum(policy: PolicyName) -> Any:
    """The largest sum of divergences over d_Ham^2, over all action sequences and pairs of reward lists."""
    return _pointwise(policy_named(policy))


@quantity
def view_zcdp(policy: PolicyName) -> End:
    """A rho for which the policy certainly is rho-View zCDP, close to the smallest one."""
    return verify_policy_privacy(policy_named(policy), "view").rho.upper


@claim(
    "TH-R4.13/strictly-stronger",
    enumerated(policy=[["random", 0, 3, 2]], routes=("pointwise sums", "tightest View privacy")),
    false=mutation(factor=10),
)
def strictly_stronger(policy: Annotated[Any, "all: some random policy"], factor=1):
    r"""Some $\rho$-View zCDP policy has $\sum_tD_{\rm KL}(\pi_t(\cdot|H_{t-1})\|\pi_t(\cdot|H'_{t-1}))>\rho\,d_{\rm
    Ham}^2$ along some actions."""
    return largest_pointwise_sum(policy), ">", factor * view_zcdp(policy)


def moments(policy: Any, environment: Any, unread: int = 0) -> tuple[Any, Any]:
    """E[A^2] and E[V] over all rounds but the last ones."""
    case = policy, environment, rounds_played(policy) - unread
    return expected_square_of_exposure(*case), expected_variance_of_rewards(*case)


def refuted_by_couriers(check: Check, relation: Any) -> bool:
    region = check.domain.restrict(policy="all: some policies", environment="all: some pairs of bandits")
    return not check.search(relation, COURIERS, region, rational=True)


NOISY_SUM = """a policy that plays arm 1 after a reward of arm 0 and reveals their noisy sum, with means 1/10 and 1
    against 0 and 0"""


@claim(
    "TH-T4.14/every-budget",
    step(refuted_by_couriers, "enumeration"),
    role="edge",
    cause="ZCDP-T8",
    called={
        NOISY_SUM: "policy, environment",
        r"$D_{\mathrm{KL}}(\mathcal M_{\nu\pi}\|\mathcal M_{\nu'\pi})$": "left",
        "the printed bound": "right",
        r"$\rho$": "zcdp_budget(policy)",
        r"the printed bound over $\rho$": "square + variance",
    },
)
def kl_decomposition_zcdp(policy: InteractiveZcdp, environment: TwoBandits):
    r"""For every $\rho>0$ and every $\rho$-Interactive zCDP policy: $D_{\rm KL}(\mathbb M_{\nu\pi}\|\mathbb
    M_{\nu'\pi})\le\rho\,(\mathbb E_{\nu\pi}[(\sum_tt_{a_t})^2]+\mathbb E_{\nu\pi}[\sum_tt_{a_t}(1-t_{a_t})])$, where
    $t_a=\mathrm{TV}(P_a\|P'_a)$.

    Later actions depend on whether earlier rewards differed, but the bound treats the number of differing rewards as if
    they did not. In the example, if the first reward differs, the policy moves to an arm whose rewards always differ,
    so either two rewards differ or none. The last action reveals their noisy sum, and the noise is calibrated to the
    square of that sum.

    The policy ('courier', error, decay) plays three times. It plays arm 0 first. After a reward it plays arm 1, after
    none arm 2, each wrongly with probability error. At last it plays arm 2 + k, k = 0, 1, 2, with weight decay^((k -
    s)^2), where s is the sum of both rewards. The environment has a row of five means for each of the two bandits.
    """
    square, variance = moments(policy, environment)
    return divergence_of_played_actions(policy, environment), "<=", zcdp_budget(policy) * (square + variance)


LISTED = [point for point in PLAYS if point["policy"][0] != "constant"]
EXTREME = combinations([["courier", Fraction(1, 10**6), Fraction(1, 10**100)]], [exposure("1/100")])
PRIVATE_COURIERS = combinations([["courier", Fraction(1, 3), Fraction(1, 4)]], [exposure("1/10"), exposure("1/4")])
ALL_PLAYS = [*PLAYS, *COURIERS, *PRIVATE_COURIERS, *EXTREME]


@claim("TH-T4.14/with-correlation", on_plays(ALL_PLAYS), repairs="TH-T4.14/every-budget")
def kl_decomposition_with_correlation(policy: InteractiveZcdp, environment: TwoBandits):
    r"""$D_{\rm KL}(\mathbb M_{\nu\pi}\|\mathbb M_{\nu'\pi})\le\rho\,(\sqrt{\mathbb E[A^2]}+\sqrt{\mathbb
    E[V]})^2\le2\rho(\mathbb E[A^2]+\mathbb E[V])$ with $A=\sum_{t\le T-1}t_{a_t}$, $V=\sum_{t\le
    T-1}t_{a_t}(1-t_{a_t})$.

    d - A is a martingale of variance E[V]; Minkowski's inequality bounds the second moment of A + (d - A).
    """
    square, variance = moments(policy, environment, unread=1)
    bound = zcdp_budget(policy) * (sqrt(square) + sqrt(variance)) ** 2
    return divergence_of_played_actions(policy, environment), "<=", bound


def chain_terms(policy: PolicyName, environment: Environment) -> Terms:
    """What sums up to the mean of the rows' divergences along the histories of the coupled environment."""
    kernel, cells = policy_named(policy), play(policy, environment).cells
    return [term for (actions, r, s), (p, _) in cells.items() for term in _row_terms(kernel, r, s, {actions: p})]


@quantity
def chain_in_the_logarithm(prime: int, policy: PolicyName, environment: Environment) -> Fraction:
    """The coefficient of log prime in that mean."""
    return in_the_logarithm(prime, chain_terms(policy, environment))


@claim(
    "TH-T4.14/step-chain-rule",
    at_primes(
        lambda: LISTED, play_terms, chain_terms, routes=("divergence of augmented histories", "divergences of the rows")
    ),
    false={"factor": "1.01"},
    role="step",
)
def chain_rule(policy: Policy, environment: TwoBandits, prime: Prime, factor=1):
    r"""Steps (a)-(d): $\mathbb E_{p_{\gamma\pi}}[\log(\mathcal V_{\mathbf r}(\mathbf a)/\mathcal V_{\mathbf r'}(\mathbf
    a))]=\mathbb E_{p_{\gamma\pi}}[\sum_tD_{\rm KL}(\pi_t(\cdot|H_{t-1})\|\pi_t(\cdot|H'_{t-1}))]$.

    KL(p, q) and the mean under p of the kernels' divergences along the histories are compared in the logarithm of
    every prime.
    """
    by_rows = chain_in_the_logarithm(prime, policy, environment)
    return play_in_the_logarithm(prime, policy, environment), "==", factor * by_rows


@quantity
def expected_divergence_along_histories(policy: PolicyName, environment: Environment) -> Any:
    """E_p of the sum of D_KL(pi_t(. | H_{t-1}) || pi_t(. | H'_{t-1})) in the coupled environment."""
    coupled, kernel = play(policy, environment), policy_named(policy)
    summands = (
        to_ball(p) * sum_along(kernel, actions, r, s)
        for (actions, r, s), (p, _) in coupled.cells.items()
        if p and r != s
    )
    return sum(summands, to_ball(0))


@claim("TH-T4.14/step-group-privacy", on_plays([*LISTED, *COURIERS, *EXTREME]), role="step")
def second_moment_pays(policy: InteractiveZcdp, environment: TwoBandits):
    r"""Step (e): $\mathbb E_{p_{\gamma\pi}}[\sum_tD_{\rm
    KL}(\pi_t(\cdot|H_{t-1})\|\pi_t(\cdot|H'_{t-1}))]\le\rho\,\mathbb E_{p_{\gamma\pi}}[d_{\rm Ham}(\mathbf r,\mathbf
    r')^2]$."""
    square = expected_square_of_distance(policy, environment, rounds_played(policy))
    return expected_divergence_along_histories(policy, environment), "<=", zcdp_budget(policy) * square


@claim(
    "TH-T4.14/step-second-moment",
    fails_at(policy=["random", 0, 2, 2], environment=TWO_ARMS[0], rational=True),
    role="step",
    cause="ZCDP-T8",
    called={
        "a random policy and bandits with the means 1/2, 1/3 and 1/4, 2/3": "policy, environment",
        r"$\mathbb E[d_{\rm Ham}^2]$": "left",
        "the printed sum": "right",
    },
)
def step_second_moment(policy: Policy, environment: TwoBandits):
    r"""Last display of the proof: $\mathbb E_{p_{\gamma\pi}}[d_{\rm Ham}(\mathbf r,\mathbf r')^2]=\mathbb
    E_{\nu\pi}[A^2]+\mathbb E_{\nu\pi}[V]$ with $A=\sum_tt_{a_t}$ and $V=\sum_tt_{a_t}(1-t_{a_t})$.

    Given the whole sequence of actions, the indicator of r_t != r'_t is no longer Bernoulli(t_{a_t}), because later
    actions depend on r_t. The expectation contains a further term, twice the mean of (d - A) A.
    """
    square, variance = moments(policy, environment)
    return expected_square_of_distance(policy, environment, rounds_played(policy)), "==", square + variance


@claim("TH-T4.14/second-moment-with-correlation", on_plays(ALL_PLAYS), repairs="TH-T4.14/step-second-moment")
def second_moment_with_correlation(policy: Policy, environment: TwoBandits):
    r"""$\mathbb E[d_{\rm Ham}^2]=\mathbb E[A^2]+\mathbb E[V]+2\mathbb E[(d_{\rm Ham}-A)A]$.

    The last term is the correlation that the printed display leaves out.
    """
    square, variance = moments(policy, environment)
    product = expected_product_with_exposure(policy, environment)
    found = expected_square_of_distance(policy, environment, rounds_played(policy))
    return found, "==", square + variance + 2 * product


@claim("TH-T4.14/correlation-by-the-moments", on_plays(ALL_PLAYS), repairs="TH-T4.14/step-second-moment")
def correlation_by_the_moments(policy: Policy, environment: TwoBandits):
    r"""The correlation that is missing, $2\mathbb E[(d_{\rm Ham}-A)A]$, is at most $2\sqrt{\mathbb E[A^2]\,\mathbb
    E[V]}$.

    Couriers whose first arm rarely pays attain the bound in the limit.
    """
    square, variance = moments(policy, environment)
    return 2 * expected_product_with_exposure(policy, environment), "<=", 2 * sqrt(square * variance)


def _courier(policy: Sequence[Any], rho: Any) -> Any:
    """`policy`: ("Gaussian courier", records, pulls, threshold, share of rho for the first release, parts)."""
    _, records, pulls, threshold, share, parts = policy
    rho, share = Fraction(rho), Fraction(share)
    return gaussian_courier(records, pulls, threshold, share * rho, (1 - share) * rho, parts)


@quantity
def divergence_of_a_courier(policy: Sequence[Any], rho: Any) -> Any:
    """D_KL of the laws of the actions of a rho-Interactive zCDP courier in its two bandits."""
    return _courier(policy, rho)[0]


@quantity
def square_of_a_courier(policy: Sequence[Any], rho: Any) -> Any:
    """E[A^2] of a courier."""
    return _courier(policy, rho)[1]


@quantity
def variance_of_a_courier(policy: Sequence[Any], rho: Any) -> Any:
    """E[V] of a courier."""
    return _courier(policy, rho)[2]


NOISY_COURIERS: list[dict[str, Any]] = [
    {"policy": ["Gaussian courier", *numbers, Fraction(share), parts], "rho": Fraction(rho)}
    for numbers, share, parts, rho in (
        ((64, 94, 40), "1/100", 4, "1"),
        ((200, 300, 118), "1/250", 2, "1/2"),
        ((400, 600, 225), "1/250", 1, "1/4"),
        ((1, 2, 1), "1/4", 4, "1"),
    )
]


def some_couriers(check: Check) -> list[dict[str, Any]]:
    return check.pick(NOISY_COURIERS[::3], NOISY_COURIERS)


@claim(
    "TH-T4.14/small-budgets",
    fails_at(**NOISY_COURIERS[0], rational=True),
    cause="ZCDP-T8",
    called={
        """a policy that plays the distinguishing arm 94 times if a noisy sum of 64 rewards
        reaches 40""": "policy",
        r"$D_{\mathrm{KL}}(\mathcal M_{\nu\pi}\|\mathcal M_{\nu'\pi})$": "left",
        "the printed bound": "right",
        r"$\mathbb E[A^2]$": "square",
        r"$\mathbb E[V]$": "variance",
    },
    assuming="""that the policy is rho-Interactive zCDP: each reward enters two sums with normal noise, which cost
    rho/100 and 99 rho/100""",
)
def small_budgets(policy: RhoInteractiveZcdp, rho: AboveZero):
    r"""For $0<\rho\le1$, the budgets that the text has in mind, and every $\rho$-Interactive zCDP policy:
    $D_{\mathrm{KL}}(\mathcal M_{\nu\pi}\|\mathcal M_{\nu'\pi})\le\rho\,(\mathbb E_{\nu\pi}[A^2]+\mathbb E_{\nu\pi}[V])$
    with $A=\sum_tt_{a_t}$, $V=\sum_tt_{a_t}(1-t_{a_t})$ and $t_a=\mathrm{TV}(P_a\|P_a')$.

    The proof conditions on all actions and treats the number $d$ of differing rewards as a sum of independent coins.
    But later actions depend on the earlier rewards. A policy may play an arm that distinguishes the bandits only if
    many rewards differed before; then E[d^2] exceeds E[A^2] + E[V]. The bound holds with (sqrt(E[A^2]) + sqrt(E[V]))^2,
    which is at most twice as large.

    The policy (64 rewards, 94 pulls, threshold 40, share 1/100, parts 4) plays arm 0 for 64 rounds. If the sum of its
    rewards plus N(0, 1/(2 rho/100)) reaches 40, it plays arm 1 for 94 rounds, otherwise arm 2. The last action names
    the cell, of width 1/4, that contains the sum of all rewards plus N(0, 1/(2 rho 99/100)). Arm 0 has the means 1/2
    and 0 in the two bandits, arm 1 has 1 and 0, and the other arms always pay 0. With more rewards the bound also fails
    for budgets of 1/2 and 1/4 (`NOISY_COURIERS`).
    """
    square, variance = square_of_a_courier(policy, rho), variance_of_a_courier(policy, rho)
    return divergence_of_a_courier(policy, rho), "<=", rho * (square + variance)


@claim(
    "TH-T4.14/small-budgets-with-correlation",
    enumerated(
        some_couriers,
        covers=lambda check: {
            "policy": f"all: {len(some_couriers(check))} policies with Gaussian noise",
            "rho": [point["rho"] for point in some_couriers(check)],
        },
        rational=True,
    ),
    repairs="TH-T4.14/small-budgets",
)
def small_budgets_with_correlation(policy: RhoInteractiveZcdp, rho: AboveZero):
    r"""For $0<\rho\le1$: $D_{\rm KL}(\mathbb M_{\nu\pi}\|\mathbb M_{\nu'\pi})\le\rho\,(\sqrt{\mathbb
    E[A^2]}+\sqrt{\mathbb E[V]})^2$, at most twice the printed bound, with $A=\sum_tt_{a_t}$ and
    $V=\sum_tt_{a_t}(1-t_{a_t})$."""
    square, variance = square_of_a_courier(policy, rho), variance_of_a_courier(policy, rho)
    return divergence_of_a_courier(policy, rho), "<=", rho * (sqrt(square) + sqrt(variance)) ** 2
