r"""Checks of the bandit protocol, the regret identity, and of the non-private baselines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.paper_checks.bernoulli_dp_background import symbols
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.privacy_regimes import (
    entropy_class,
)
from banditproof.paper_checks.register import claim, mutation
from banditproof.paper_checks.study import Arrays, Study
from banditproof.theory.bernoulli import kl_bernoulli
from banditproof.theory.numeric import exp
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import FiniteKernel, Reward, random_kernel, random_law
from banditproof.verify.output_laws import history_law
from banditproof.verify.symbolic import SymbolicArgument

# ------------------------------------------------------------------------------------- Section 2, protocol and regret

EVERY_POLICY = Domain.of(
    policy="all: every policy and reward laws", horizon="integer [1, inf)", arms="integer [1, inf)"
)


def bandit(policy: int, horizon: int, arms: int) -> tuple[FiniteKernel, tuple[dict[Reward, Fraction], ...]]:
    """Random rational policy number `policy` and random Bernoulli arms."""
    laws = (random_law(policy, ("arm", arm), 2, 0) for arm in range(arms))
    return random_kernel(policy, horizon, arms, smallest_weight=0), tuple(dict(enumerate(law)) for law in laws)


def _enumerate(check: Check, relation: Any, routes: tuple[str, str]) -> None:
    horizons, arms, seeds = range(1, 5), range(1, 4), range(check.pick(2, 10))
    points = [{"policy": seed, "horizon": T, "arms": K} for T in horizons for K in arms for seed in seeds]
    covers = check.domain.restrict(
        policy=f"all: {len(seeds)} random rational policies with Bernoulli arms", horizon=horizons, arms=arms
    )
    check.enumerate(relation, points, covers=covers, rational=True, routes=routes)


def total_mass(policy: int, horizon: int, arms: int, mass: Any) -> tuple[Any, str, Any]:
    return sum(history_law(*bandit(policy, horizon, arms)).values()), "==", mass


@claim(
    "BDP-D2.0", r"The protocol $a_t\sim\pi_t(\cdot\mid H_{t-1})$, $r_t\sim P_{a_t}$ gives histories of total "
                r"probability <mass>.",
    domain=EVERY_POLICY, constants={"mass": 1}, mutations=[mutation("mass 0.99", mass="99/100")],
    strongest="enumeration",
)  # fmt: skip
def probabilities_sum_to_one(check: Check) -> None:
    _enumerate(check, total_mass, ("sum over all histories", "1"))


def laws_after_histories(policy: int, horizon: int, arms: int, longer: int) -> tuple[int, str, int]:
    """How many histories of t - 1 pairs, t <= T, have a probability law on the arms after them."""
    kernel, _ = bandit(policy, horizon, arms)
    rows = [kernel.probability(history) for history in kernel.histories()]
    laws = sum(len(row) == arms and min(row) >= 0 and sum(row) == 1 for row in rows)
    return laws, "==", sum((2 * arms) ** (t - 1 + longer) for t in range(1, horizon + 1))


@claim(
    "BDP-D2.1", r"A policy gives a law on $[K]$ after every history of $t-1+<longer>$ action-reward pairs, for each "
                r"$t\le T$.",
    domain=EVERY_POLICY, constants={"longer": 0}, mutations=[mutation("t pairs", longer=1)], strongest="enumeration",
)  # fmt: skip
def kernels(check: Check) -> None:
    _enumerate(check, laws_after_histories, ("rows that are laws", "number of histories"))


def recovered_policy(policy: int, horizon: int, arms: int, lag: int) -> tuple[int, str, int]:
    """At how many reached histories the conditional law of the next arm under (1) is not the policy's row."""
    kernel, laws = bandit(policy, horizon, arms)
    reached: dict[Any, Fraction] = defaultdict(Fraction)
    for history, weight in history_law(kernel, laws).items():
        for t in range(horizon):
            reached[history[:t], None] += weight
            reached[history[:t], history[t][0]] += weight
    prefixes = [(h, w) for (h, arm), w in reached.items() if arm is None and w]
    wrong = sum(
        reached[h, arm] / w != kernel.probability(h[: max(0, len(h) - lag)])[arm]
        for h, w in prefixes
        for arm in range(arms)
    )
    return wrong, "==", 0


@claim(
    "BDP-EQ1",
    r"Under the density (1) the next arm given the past has the law $\pi_t(\cdot\mid "
    r"a_1,r_1,\dots,a_{t-1},r_{t-1})$ (past cut by <lag>).",
    domain=EVERY_POLICY, constants={"lag": 0}, mutations=[mutation("the last reward unseen", lag=1)],
    strongest="enumeration",
)  # fmt: skip
def density(check: Check) -> None:
    _enumerate(check, recovered_policy, ("conditional law from the product", "the policy's row"))


def regret_two_ways(policy: int, horizon: int, arms: int, scale: Any) -> tuple[Any, str, Any]:
    kernel, laws = bandit(policy, horizon, arms)
    means = [law[1] for law in laws]
    law = history_law(kernel, laws)
    from_rewards = horizon * max(means) - sum(w * sum(r for _, r in h) for h, w in law.items())
    pulls: Mapping[int, Any] = {a: sum(w * sum(arm == a for arm, _ in h) for h, w in law.items()) for a in range(arms)}
    return from_rewards, "==", scale * sum((max(means) - mean) * pulls[a] for a, mean in enumerate(means))


@claim(
    "BDP-EQ2", r"$T\mu^\star-\mathbb E[\sum_tr_t]=<scale>\sum_a\Delta_a\mathbb E[N_a(T)]$.", domain=EVERY_POLICY,
    constants={"scale": 1}, mutations=[mutation("1 % less", scale="99/100")], strongest="enumeration",
)  # fmt: skip
def regret_identity(check: Check) -> None:
    _enumerate(check, regret_two_ways, ("rewards", "pulls"))


def logarithm_below_a_power(log_horizon: Any, p: Any, factor: Any) -> tuple[Any, str, Any]:
    growth = log_horizon * p
    return growth, "<=", factor * exp(growth - 1)


def below_a_power() -> SymbolicArgument:
    import sympy

    g, p = symbols("g", nonnegative=True), symbols("p")
    power = (1 + g) * sympy.exp(-1)  # T^p / e
    return SymbolicArgument({"log_horizon": sympy.log(1 + g) / p, "p": p}, entropy_class()(1, power), "nonnegative")


@claim(
    "BDP-D2.1b",
    r"Consistency, $\mathrm{Reg}_T/T^p\to0$ for every $p>0$, allows logarithmic regret: $p\log T\le <factor>\,T^p/e$ "
    r"for $T\ge1$, so "
    r"$\log(T)/T^{2p}\le\frac1{ep}T^{-p}\to0$.",
    domain=Domain.of(log_horizon="[0, inf)", p="(0, inf)"), constants={"factor": 1},
    mutations=[mutation("0.99", factor="99/100")],
    strongest="symbolic",
)  # fmt: skip
def logarithmic_regret_is_consistent(check: Check) -> None:
    if not check.search(logarithm_below_a_power, [{"log_horizon": Fraction(1), "p": Fraction(1)}]):
        check.symbolic(logarithm_below_a_power, below_a_power)


# ---------------------------------------------------------------------------------------------------- KL-UCB and IMED

MEANS = (0.8, 0.2)
TIMES = (32, 64, 128, 256, 512, 1024)


def run_non_private(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """Mean regret of KL-UCB and IMED at the record times."""
    from banditproof.algorithms.environment import BernoulliBandit
    from banditproof.algorithms.index import IMED, KLUCB
    from banditproof.algorithms.simulator import simulate

    curves = {}
    for policy, seed in zip((KLUCB, IMED), seeds.spawn(2), strict=True):
        rewards, choices = (np.random.default_rng(s) for s in seed.spawn(2))
        result = simulate(
            policy(2, replications=runs, generator=choices), BernoulliBandit(MEANS), TIMES[-1], rewards, TIMES
        )
        curves[policy.__name__] = result.regret.mean(axis=0)
    return curves


NON_PRIVATE = Study("non-private-regret", run_non_private, {"runs": 500}, {"runs": 20_000})


@claim(
    "BDP-S2.1",
    r"KL-UCB and IMED attain (3) with the same constant: between $t$ and $2t$ their regret grows by about "
    r"$<share>\,c\log2$, "
    r"$c=\Delta/\mathrm{kl}$ (rule: at most $\frac32$ times that).",
    domain=Domain.of(policy="all: KL-UCB and IMED", means="all: every Bernoulli bandit", horizon="integer [1, inf)"),
    constants={"share": 1}, mutations=[mutation("half the constant", share="1/2")], strongest="trend",
    studies=[NON_PRIVATE],
)  # fmt: skip
def same_constant_as_the_lower_bound(check: Check) -> None:
    constant = float(check.constants["share"]) * (MEANS[0] - MEANS[1]) / float(kl_bernoulli(MEANS[1], MEANS[0]))
    covers = check.domain.restrict(means="all: (0.8, 0.2)", horizon=f"integer [{TIMES[0]}, {TIMES[-1]}]")
    for name, regret in check.study(NON_PRIVATE).items():
        growth = np.diff(regret) / (constant * np.log(2))
        series = [(t, float(g)) for t, g in zip(TIMES[1:], growth, strict=True)]
        check.trend("stays_below", series, f"growth of the mean regret of {name} over its limit", covers, bound=1.5)
