"""Section 4.2.2 of the thesis: policies in a coupled environment, and what View and Interactive privacy make of it.

Every law is enumerated in rationals. Identities between divergences are decided exactly: a sum of rational multiples of
logarithms of rationals has one representation by logarithms of primes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation
from banditproof.paper_checks.thesis_couplings import Sides
from banditproof.paper_checks.thesis_policies import (
    MESSENGERS,
    ONE_MESSAGE,
    RANDOM,
    RESPONSES,
    TWO_ARMS,
    UNMOVED,
    Environment,
    PolicyName,
    combinations,
    interactive_rho,
    play,
    policy_named,
    view_ratio,
)  # fmt: skip
from banditproof.theory.numeric import log, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.interactive import interactive_law
from banditproof.verify.kernels import Actions, FiniteKernel, Reward, RewardList, reward_lists
from banditproof.verify.kl_decompositions import relative_entropy, sum_along
from banditproof.verify.output_laws import history_law, view_law

EVERY_POLICY = Domain.of(policy="all: every policy", environment="all: every pair of bandits")
VIEW_PRIVATE = Domain.of(policy="all: every View DP policy", environment="all: every pair of bandits")
PLAYS = combinations([*RANDOM, *RESPONSES, *UNMOVED], TWO_ARMS) + combinations(MESSENGERS, ONE_MESSAGE)
Logarithms = tuple[tuple[int, Fraction], ...]


def enumerate_plays(check: Check, relation: Any, over: list[dict[str, Any]], routes: tuple[str, str]) -> bool:
    region = check.domain.restrict(**{name: f"all: {len(over)} listed cases, {name}" for name in check.domain.sets})
    return check.enumerate(relation, over, covers=region, rational=True, routes=routes)


def in_prime_logarithms(terms: Iterable[tuple[Fraction, Fraction]]) -> Logarithms:
    """The sum of weight * log(ratio) as rational multiples of logarithms of primes, which is unique."""
    total: dict[int, Fraction] = defaultdict(Fraction)
    for weight, ratio in terms:
        for number, sign in ((ratio.numerator, 1), (ratio.denominator, -1)):
            for prime, power in _factors(number):
                total[prime] += sign * power * weight
    return tuple(sorted((prime, value) for prime, value in total.items() if value))


@cache
def _factors(number: int) -> tuple[tuple[int, int], ...]:
    found, divisor = Counter(), 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            found[divisor] += 1
            number //= divisor
        divisor += 1
    if number > 1:
        found[number] += 1
    return tuple(found.items())


# ------------------------------------------------------------------------------------------------- coupled environment


def marginals_of_the_play(policy: PolicyName, environment: Environment, weight: Any) -> Sides:
    """Total masses and action laws of p and q, against the policy playing either bandit alone."""
    coupled, kernel = play(policy, environment), policy_named(policy)
    alone = []
    for means in environment:
        laws: tuple[dict[Reward, Fraction], ...] = tuple(
            {r: m for r, m in ((0, 1 - Fraction(mean)), (1, Fraction(mean))) if m} for mean in means
        )
        actions: dict[Actions, Fraction] = defaultdict(Fraction)
        for history, mass in history_law(kernel, laws).items():
            actions[tuple(arm for arm, _ in history)] += mass
        alone.append({a: weight * mass for a, mass in actions.items() if mass})
    found = [{a: mass for a, mass in coupled.action_law(side).items() if mass} for side in (0, 1)]
    return (found, [sum(law.values()) for law in found]), "==", (alone, [weight, weight])


@claim(
    "TH-A4.CE",
    r"The coupled environment: $p_{\gamma\pi}$ and $q_{\gamma\pi}$ have mass $<weight>$, and their action marginals are"
    r" $m_{\nu\pi}$ and $m_{\nu'\pi}$.",
    domain=EVERY_POLICY, constants={"weight": 1}, mutations=[mutation("mass 0.99", weight="0.99")],
    strongest="enumeration", twins=["BDP-S3.5"],
)  # fmt: skip
def coupled_environment(check: Check) -> None:
    enumerate_plays(check, marginals_of_the_play, PLAYS, ("coupled environment", "law of the history of each bandit"))


def actions_tell_less(policy: PolicyName, environment: Environment, factor: Any) -> Sides:
    coupled = play(policy, environment)
    return coupled.kl_of_actions(), "<=", to_ball(factor) * coupled.kl_of_pairs()


@claim(
    "TH-EQ4.7",
    r"$D_{\rm KL}(\mathbb M_{\nu\pi}\|\mathbb M_{\nu'\pi})\le<factor>\,D_{\rm KL}(p_{\gamma\pi}\|q_{\gamma\pi})$.",
    domain=EVERY_POLICY, constants={"factor": 1}, mutations=[mutation("10 % less", factor="0.9")],
    strongest="enumeration",
)  # fmt: skip
def data_processing_to_actions(check: Check) -> None:
    """Where rewards are certain both sides are one number; there the messengers are left out and equality is exact."""
    random = [point for point in PLAYS if point["environment"] != TWO_ARMS[2] and point["policy"][0] != "constant"
              and point["environment"] != ONE_MESSAGE[0]]  # fmt: skip
    enumerate_plays(check, actions_tell_less, random, ("laws of the actions", "laws of the augmented histories"))


def pairs_by_views(policy: PolicyName, environment: Environment, factor: Any) -> Sides:
    """KL(p, q) and E_p[log V_r(a)/V_r'(a)], both in logarithms of primes."""
    coupled, kernel = play(policy, environment), policy_named(policy)
    views = {rewards: view_law(kernel, rewards) for rewards in product(kernel.rewards, repeat=kernel.horizon)}
    cells = [(cell, p, q) for cell, (p, q) in coupled.cells.items() if p]
    by_views = [(factor * p, views[r][a] / views[s][a]) for (a, r, s), p, _ in cells]
    return in_prime_logarithms((p, p / q) for _, p, q in cells), "==", in_prime_logarithms(by_views)


@claim(
    "TH-EQ4.7/log-ratio-of-views",
    r"$D_{\rm KL}(p_{\gamma\pi}\|q_{\gamma\pi})=<factor>\,\mathbb E_{p_{\gamma\pi}}"
    r"[\log(\mathcal V^\pi_{\mathbf r}(\mathbf a)/\mathcal V^\pi_{\mathbf r'}(\mathbf a))]$.",
    domain=EVERY_POLICY, role="part", constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")],
    strongest="enumeration",
)  # fmt: skip
def log_ratio_of_views(check: Check) -> None:
    enumerate_plays(check, pairs_by_views, PLAYS, ("definition of the divergence", "views on reward lists"))


# ----------------------------------------------------------------------------------------------------------- View DP


def _view_bound(policy: PolicyName, environment: Environment, factor: Any, steps: int) -> Sides:
    coupled = play(policy, environment)
    exposed = to_ball(coupled.exposure_moment(1, steps))
    return coupled.kl_of_actions(), "<=", to_ball(factor) * log(to_ball(view_ratio(policy))) * exposed


def view_decomposition(policy: PolicyName, environment: Environment, factor: Any) -> Sides:
    return _view_bound(policy, environment, factor, policy_named(policy).horizon)


def view_decomposition_without_last(policy: PolicyName, environment: Environment, dropped: int) -> Sides:
    return _view_bound(policy, environment, 1, policy_named(policy).horizon - dropped)


@claim(
    "TH-T4.9",
    r"$\varepsilon$-View DP: $D_{\rm KL}(\mathbb M_{\nu\pi}\|\mathbb M_{\nu'\pi})\le"
    r"<factor>\,\varepsilon\,\mathbb E_{\nu\pi}[\sum_{t=1}^Tt_{a_t}]$, $t_a=\mathrm{TV}(P_a\|P'_a)$.",
    domain=VIEW_PRIVATE, constants={"factor": 1}, mutations=[mutation("5 % less", factor="0.95")],
    strongest="enumeration",
)  # fmt: skip
def kl_decomposition_view(check: Check) -> None:
    """Rewards differ with probability t_a at a pull of a, whatever happened before: the sum is linear in them."""
    enumerate_plays(check, view_decomposition, PLAYS, ("laws of the actions", "tightest epsilon times exposure"))


@claim(
    "TH-T4.9/last-reward-unread",
    r"The sum may stop at $T-<dropped>$: no decision reads the last reward.",
    domain=VIEW_PRIVATE, role="remark", constants={"dropped": 1},
    mutations=[mutation("two rewards", gradual=False, dropped=2)], strongest="enumeration",
)  # fmt: skip
def last_reward_unread(check: Check) -> None:
    enumerate_plays(check, view_decomposition_without_last, PLAYS, ("laws of the actions", "tightest epsilon"))


def first_moment(policy: PolicyName, environment: Environment, factor: Any) -> Sides:
    coupled, horizon = play(policy, environment), policy_named(policy).horizon
    return coupled.distance_moment(1, horizon), "==", factor * coupled.exposure_moment(1, horizon)


@claim(
    "TH-T4.9/step-expected-distance",
    r"Proof: $\mathbb E_{p_{\gamma\pi}}[d_{\rm Ham}(\mathbf r,\mathbf r')]"
    r"=<factor>\,\mathbb E_{\nu\pi}[\sum_tt_{a_t}]$.",
    domain=EVERY_POLICY, role="step", constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")],
    strongest="enumeration",
)  # fmt: skip
def expected_distance(check: Check) -> None:
    enumerate_plays(check, first_moment, PLAYS, ("cells of the coupled environment", "variations of the arms played"))


# ------------------------------------------------------------------------------------------------------ the factor six


@claim(
    "TH-R4.10",
    r"The earlier bound $6\varepsilon\,\mathbb E[\sum_tt_{a_t}]$ on the divergence holds with $<factor>$ for 6.",
    domain=VIEW_PRIVATE, constants={"factor": 1}, mutations=[mutation("5 % less", factor="0.95")],
    strongest="enumeration",
)  # fmt: skip
def factor_of_six(check: Check) -> None:
    enumerate_plays(check, view_decomposition, PLAYS, ("laws of the actions", "tightest epsilon times exposure"))


REGIMES = Domain.of(kl="(0, inf)", epsilon="(0, inf)", variation="(0, 1]")


def improvement(kl: Any, epsilon: Any, variation: Any, factor: Any) -> Sides:
    """The term 1/min(KL, c epsilon TV) of a lower bound with c = 1, against `factor` times the term with c = 6."""
    private = epsilon * variation
    return min(kl, 6 * private), ">=", factor * min(kl, private)


@claim(
    "TH-R4.10/every-bound",
    r"Each term $1/\min(\mathrm{KL},\varepsilon\mathrm{TV})$ of a lower bound is <factor> times what it was with"
    r" $6\varepsilon$.",
    domain=REGIMES, role="reading", constants={"factor": 6}, strongest="enumeration",
)  # fmt: skip
def every_bound(check: Check) -> None:
    """In the low-privacy regime the minimum is KL with either constant."""
    check.search(improvement, [{"kl": 1, "epsilon": 2, "variation": 1}], rational=True)


def improvement_without_loss(kl: Any, privacy: Any, factor: Any) -> Sides:
    """min(KL, 6 x) <= factor * min(KL, x) in the regime x <= KL/6, where both minima are the private ones."""
    return 6 * privacy, "<=", factor * privacy


def private_regime(factor: Any) -> Any:
    import sympy

    from banditproof.verify.symbolic import SymbolicArgument

    x, s = sympy.symbols("x", positive=True), sympy.symbols("s", nonnegative=True)
    return SymbolicArgument({"privacy": x, "kl": 6 * x + s}, sympy.Integer(0), "zero")


@claim(
    "TH-R4.10/high-privacy-regime",
    r"Where $6\varepsilon\mathrm{TV}\le\mathrm{KL}$, the term is $<factor>$ times what it was.",
    domain=Domain.of(kl="(0, inf)", privacy="(0, inf)", where=["6 * privacy <= kl"]), role="repair",
    repairs="TH-R4.10/every-bound", constants={"factor": 6},
    mutations=[mutation("factor 5.9", gradual=False, factor="5.9")], strongest="symbolic",
)  # fmt: skip
def high_privacy_regime(check: Check) -> None:
    check.symbolic(improvement_without_loss, private_regime)


# ------------------------------------------------------------------------------------------ Interactive zCDP, pointwise

INTERACTIVE = Domain.of(policy="all: every Interactive zCDP policy")
POLICIES = [{"policy": name} for name in (*RANDOM, *RESPONSES, *MESSENGERS)]


def differing(r: RewardList, s: RewardList) -> int:
    return sum(x != y for x, y in zip(r, s, strict=True))


def _pointwise(kernel: FiniteKernel) -> Any:
    """The largest sum of divergences over d_Ham^2, over all action sequences and pairs of reward lists."""
    largest = to_ball(0)
    lists = list(reward_lists(kernel))
    heads = {(*actions[:-1], 0) for actions in kernel.action_sequences()}  # the last action is not read either
    for actions, r, s in product(sorted(heads), lists, lists):
        if r != s:
            largest = largest.max(sum_along(kernel, actions, r, s) / differing(r, s) ** 2)
    return largest


def pointwise_group_privacy(policy: PolicyName, factor: Any) -> Sides:
    return _pointwise(policy_named(policy)), "<=", to_ball(factor * interactive_rho(policy))


@claim(
    "TH-T4.12",
    r"$\rho$-Interactive zCDP: $\sum_tD_{\rm KL}(\pi_t(\cdot|H_{t-1})\|\pi_t(\cdot|H'_{t-1}))\le"
    r"<factor>\,\rho\,d_{\rm Ham}(\mathbf r,\mathbf r')^2$ for all actions and reward lists.",
    domain=INTERACTIVE, constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")],
    strongest="enumeration",
)  # fmt: skip
def pointwise_group(check: Check) -> None:
    enumerate_plays(check, pointwise_group_privacy, POLICIES, ("all histories", "Rényi divergences of adversaries"))


def view_of_the_constant_adversary(policy: PolicyName, weight: Any) -> Sides:
    """The view of the adversary who always asks a_t, against the product of the kernels' rows."""
    kernel, found, expected = policy_named(policy), [], []
    for actions in kernel.action_sequences():
        for rewards in reward_lists(kernel):
            table = tuple((r,) * kernel.arms for r in rewards)
            found.append(interactive_law(kernel, lambda seen, a=actions: a[len(seen) - 1], table))
            rows = [kernel.probability(tuple(zip(actions[:t], rewards[:t], strict=True)))
                    for t in range(kernel.horizon)]  # fmt: skip
            expected.append({o: weight * _product(rows, o) for o in kernel.action_sequences()})
    return found, "==", expected


def _product(rows: list[Any], outputs: Actions) -> Fraction:
    mass = Fraction(1)
    for row, arm in zip(rows, outputs, strict=True):
        mass *= row[arm]
    return mass


@claim(
    "TH-T4.12/constant-adversary",
    r"Proof: $\mathcal V^{\pi_{\mathbf a}}_{\mathbf r}=<weight>\bigotimes_t\pi_t(\cdot|a_1,r_1,\dots,a_{t-1},r_{t-1})$"
    r" for the adversary that always queries $a_t$.",
    domain=Domain.of(policy="all: every policy"), role="step", constants={"weight": 1},
    mutations=[mutation("mass 0.99", weight="0.99")], strongest="enumeration",
)  # fmt: skip
def constant_adversary(check: Check) -> None:
    enumerate_plays(check, view_of_the_constant_adversary, POLICIES, ("protocol step by step", "product of the rows"))


# ------------------------------------------------------------------------------------------------ View zCDP, on average


def _average(policy: PolicyName, sampled: str, factor: Any) -> Sides:
    """KL(V_r, V_r') and the mean of the kernels' divergences, for all pairs of lists, in logarithms of primes."""
    kernel = policy_named(policy)
    laws = {rewards: view_law(kernel, rewards) for rewards in reward_lists(kernel)}
    divergences, averages = [], []
    for r, s in product(laws, laws):
        divergences.append(in_prime_logarithms((p, p / laws[s][a]) for a, p in laws[r].items() if p))
        weights = laws[r] if sampled == "first" else laws[s]
        averages.append(in_prime_logarithms(_row_terms(kernel, r, s, weights, factor)))
    return divergences, "==", averages


def _row_terms(kernel: FiniteKernel, r: RewardList, s: RewardList, weights: Any, factor: Any) -> Any:
    for actions, weight in weights.items():
        for t in range(kernel.horizon if weight else 0):
            rows = [kernel.probability(tuple(zip(actions[:t], x[:t], strict=True))) for x in (r, s)]
            yield from ((factor * weight * p, p / q) for p, q in zip(*rows, strict=True) if p)


def average_under_the_first_view(policy: PolicyName, factor: Any) -> Sides:
    return _average(policy, "first", factor)


@claim(
    "TH-R4.13",
    r"$D_{\rm KL}(\mathcal V_{\mathbf r}\|\mathcal V_{\mathbf r'})=<factor>\,\mathbb E_{\mathbf a}"
    r"[\sum_tD_{\rm KL}(\pi_t(\cdot|H_{t-1})\|\pi_t(\cdot|H'_{t-1}))]$ with $\mathbf a$ drawn from the law on the left"
    r" of the divergence: View privacy bounds an average only.",
    domain=Domain.of(policy="all: every policy"), constants={"factor": 1},
    mutations=[mutation("1 % more", factor="1.01")], strongest="enumeration",
)  # fmt: skip
def view_privacy_on_average(check: Check) -> None:
    enumerate_plays(check, average_under_the_first_view, POLICIES, ("laws of the actions", "rows along the actions"))


def log_ratio_as_printed(policy: PolicyName, rewards: Any, other: Any) -> Sides:
    """KL(V_r, V_r') and the mean of log V_r/V_r' under V_r', balls."""
    kernel = policy_named(policy)
    p, q = view_law(kernel, tuple(rewards)), view_law(kernel, tuple(other))
    mean = sum((to_ball(q[a]) * log(to_ball(p[a] / q[a])) for a in q if q[a]), to_ball(0))
    return relative_entropy(p, q), "==", mean


TWO_LISTS = Domain.of(policy="all: every policy", rewards="all: reward lists", other="all: other reward lists")


@claim(
    "TH-R4.13/sampled-as-printed",
    r"$D_{\rm KL}(\mathcal V_{\mathbf r}\|\mathcal V_{\mathbf r'})=\mathbb E_{\mathbf a\sim\mathcal V_{\mathbf r'}}"
    r"[\log(\mathcal V_{\mathbf r}(\mathbf a)/\mathcal V_{\mathbf r'}(\mathbf a))]$, the sampling law as printed.",
    domain=TWO_LISTS, role="reading", strongest="enumeration",
)  # fmt: skip
def sampled_as_printed(check: Check) -> None:
    """The mean under the second law is minus the divergence the other way round."""
    check.counterexample(log_ratio_as_printed, {"policy": ["messenger", Fraction(3)], "rewards": [1, 0],
                                                "other": [0, 0]}, rational=True)  # fmt: skip


def log_ratio_under_the_second(policy: PolicyName, factor: Any) -> Sides:
    """E_{V_r'}[log V_r/V_r'] and -KL(V_r', V_r) for all pairs of lists, in logarithms of primes."""
    kernel = policy_named(policy)
    laws = {rewards: view_law(kernel, rewards) for rewards in reward_lists(kernel)}
    means, divergences = [], []
    for r, s in product(laws, laws):
        masses = [(q, laws[r][a]) for a, q in laws[s].items() if q]
        means.append(in_prime_logarithms((q, p / q) for q, p in masses))
        divergences.append(in_prime_logarithms((-factor * q, q / p) for q, p in masses))
    return means, "==", divergences


@claim(
    "TH-R4.13/sampled-under-the-second-view",
    r"$\mathbb E_{\mathbf a\sim\mathcal V_{\mathbf r'}}[\log(\mathcal V_{\mathbf r}(\mathbf a)/"
    r"\mathcal V_{\mathbf r'}(\mathbf a))]=-<factor>\,D_{\rm KL}(\mathcal V_{\mathbf r'}\|\mathcal V_{\mathbf r})$.",
    domain=Domain.of(policy="all: every policy"), role="repair", repairs="TH-R4.13/sampled-as-printed",
    constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")], strongest="enumeration",
)  # fmt: skip
def sampled_under_the_second_view(check: Check) -> None:
    enumerate_plays(check, log_ratio_under_the_second, POLICIES, ("mean of the logarithm", "divergence"))


def pointwise_is_stronger(data: Any, factor: Any) -> Sides:
    """For a policy's name: the pointwise sum exceeds what its tightest View rho allows (rho by its upper end)."""
    from banditproof.verify.policy_privacy import verify_policy_privacy

    kernel = policy_named(data["policy"])
    return _pointwise(kernel), ">", to_ball(factor * verify_policy_privacy(kernel, "view").rho.upper)


@claim(
    "TH-R4.13/strictly-stronger",
    r"Some $\rho$-View zCDP policy has $\sum_tD_{\rm KL}(\pi_t(\cdot|H_{t-1})\|\pi_t(\cdot|H'_{t-1}))>"
    r"<factor>\,\rho\,d_{\rm Ham}^2$ along some actions.",
    role="part", constants={"factor": 1}, mutations=[mutation("ten times as much", gradual=False, factor=10)],
    strongest="certificate",
)  # fmt: skip
def strictly_stronger(check: Check) -> None:
    check.certificate(pointwise_is_stronger, {"policy": ["random", 0, 3, 2]},
                      routes=("pointwise sums", "tightest View privacy"))  # fmt: skip
    if not check.evidence:
        check.search(largest_pointwise, [{}])


def largest_pointwise(factor: Any) -> Sides:
    """The same inequality at the stored policy."""
    return pointwise_is_stronger({"policy": ["random", 0, 3, 2]}, factor)
