"""DP-SE stopped when one arm is left, Section 5.4.3 of the thesis: ALG-A-DPSE-BAI."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.successive_elimination import DPSE
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.recorded_privacy import Sides
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.study import Arrays, Study
from banditproof.paper_checks.thesis_dp_se import pulls_of_an_arm
from banditproof.theory.budget import Budget
from banditproof.theory.characteristic_times import characteristic_time
from banditproof.theory.numeric import log, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.statistics import event_test

BEST_ARM = {"apart": (0.9, 0.4, 0.3), "close": (0.75, 0.5)}
RISK = 0.1


def run_until_one_arm_is_left(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """The survivor, the number of samples, and the most samples a suboptimal arm took over the bound on it."""
    found = {}
    for (name, means), seed in zip(BEST_ARM.items(), seeds.spawn(len(BEST_ARM)), strict=True):
        rewards, noise = (np.random.default_rng(s) for s in seed.spawn(2))
        policy = DPSE(len(means), Budget.pure(1.0), NoiseSource(noise), beta=RISK, replications=runs)
        environment, survivor = BernoulliBandit(means), np.full(runs, -1)
        samples, rows = np.zeros((runs, len(means))), np.arange(runs)
        while rows.size:
            arm, count = policy.next_batch()
            policy.observe(environment.sum_of_rewards(arm, count, rewards), count)
            samples[rows, arm] += count
            running = policy.active.sum(axis=1) > 1
            survivor[rows[~running]] = policy.active[~running].argmax(axis=1)
            rows = rows[running]
            policy.keep(running)
        found[name], found[f"{name}, samples"] = survivor, samples
    return found


SURVIVORS = Study("thesis-dp-se-best-arm", run_until_one_arm_is_left, {"runs": 4000}, {"runs": 60_000})

parts_decide(
    "ALG-A-DPSE-BAI",
    r"DP-SE stopped when one arm is left: with high probability $a\ne a^*$ is sampled "
    r"$\mathcal O(\Delta_a^{-2}+(\varepsilon\Delta_a)^{-1})$ times, so that the sample complexity is of the order of "
    r"the sum, up to logarithms; it attains $T^*_{\rm TV}/\varepsilon$ up to constants in high privacy.",
)


@claim(
    "ALG-A-DPSE-BAI/error", r"The survivor is not the best arm with probability at most $<share>$ of $\delta$.",
    domain=Domain.of(means="all: every instance with one best arm", epsilon="(0, inf)"), constants={"share": 1},
    mutations=[mutation("surviving arms counted as wrong", share=-1)], strongest="statistics", studies=[SURVIVORS],
)  # fmt: skip
def risk_of_dp_se(check: Check) -> None:
    share = check.constants["share"]

    def tests(stream: str) -> list[dict[str, Any]]:
        arrays = check.study(SURVIVORS, stream)
        return [
            event_test(f"{name}: wrong arm", (arrays[name] == 0) if share < 0 else (arrays[name] != 0), "<=",
                       abs(share) * Fraction(str(RISK)))
            for name in BEST_ARM
        ]  # fmt: skip

    covers = check.domain.restrict(means=f"all: {len(BEST_ARM)} Bernoulli instances", epsilon=[1])
    check.statistics(tests, covers=covers, routes=("survivors of simulated runs", "risk"))


@claim(
    "ALG-A-DPSE-BAI/samples",
    r"A suboptimal arm is sampled more than $<factor>$ times the sum of $R_e$ up to epoch "
    r"$\lceil\log_2(1/\Delta_a)\rceil$ with probability at most $\delta$.",
    domain=Domain.of(means="all: every instance with one best arm", epsilon="(0, inf)"), constants={"factor": 1},
    mutations=[mutation("a tenth", factor="1/10", gradual=False)], strongest="statistics", studies=[SURVIVORS],
)  # fmt: skip
def samples_of_suboptimal_arms(check: Check) -> None:
    def tests(stream: str) -> list[dict[str, Any]]:
        arrays, found = check.study(SURVIVORS, stream), []
        for name, means in BEST_ARM.items():
            gaps = [Fraction(str(means[0])) - Fraction(str(mean)) for mean in means[1:]]
            bound = [float(pulls_of_an_arm(g, len(means), 1, Fraction(str(RISK))).mid()) for g in gaps]
            over = arrays[f"{name}, samples"][:, 1:] > float(check.constants["factor"]) * np.array(bound) + 1
            found.append(event_test(f"{name}: more samples", over.any(axis=1), "<=", Fraction(str(RISK))))
        return found

    covers = check.domain.restrict(means=f"all: {len(BEST_ARM)} Bernoulli instances", epsilon=[1])
    check.statistics(tests, covers=covers, routes=("samples of simulated runs", "sum of R_e"))


def samples_and_order(gap: Any, arms: int, epsilon: Any, beta: Any, factor: Any, power: int) -> Sides:
    """Sum of R_e against factor log(arms log2(2/gap)/beta) (gap^power + 1/(epsilon gap))."""
    depth = log(to_ball(arms) * (1 + log(1 / to_ball(gap)) / log(to_ball(2))) / to_ball(beta)) + 1
    order = to_ball(gap) ** power + 1 / (to_ball(epsilon) * to_ball(gap))
    return pulls_of_an_arm(gap, arms, epsilon, beta), "<=", factor * depth * order


ORDERS = Domain.of(gap="(0, 1]", arms="integer [2, inf)", epsilon="(0, inf)", beta="(0, 1)")


def order_grid() -> dict[str, list[Any]]:
    return {
        "gap": ["1", "1/2", "1/3", "1/10", "1/1000"],
        "arms": [2, 5, 50],
        "epsilon": ["1/1000", "1/10", "1", "1000"],
        "beta": ["1/2", "1/100", "1/10000000"],
    }


@claim(
    "ALG-A-DPSE-BAI/order-as-printed",
    r"'no more than $\mathcal O(\Delta_a^{<power>}+(\varepsilon\Delta_a)^{-1})$', up to logarithms and the factor "
    r"$<factor>$.",
    role="reading", domain=ORDERS, constants={"power": 2, "factor": 1200},
)  # fmt: skip
def order_with_the_printed_exponent(check: Check) -> None:
    """The next display of the text has the exponent -2: without noise an arm with a small gap needs gap^-2 samples."""
    point = {"gap": Fraction(1, 1000), "arms": 2, "epsilon": Fraction(1000), "beta": Fraction(1, 2)}
    check.counterexample(samples_and_order, point, rational=True)


@claim(
    "ALG-A-DPSE-BAI/order",
    r"$\sum_{e\le\lceil\log_2(1/\Delta_a)\rceil}R_e\le<factor>(\log\frac{K\log_2(2/\Delta_a)}\beta+1)"
    r"(\Delta_a^{<power>}+(\varepsilon\Delta_a)^{-1})$.",
    domain=ORDERS, constants={"power": -2, "factor": 1200}, mutations=[mutation("10", factor=10, gradual=False)],
    strongest="enumeration",
)  # fmt: skip
def order_of_the_samples(check: Check) -> None:
    check.enumerate(samples_and_order, order_grid(), rational=True, routes=("sum of R_e", "stated order"))


@claim(
    "ALG-A-DPSE-BAI/order-repaired", r"With $\Delta_a^{<power>}$ the bound on the samples of an arm holds.",
    role="repair", repairs="ALG-A-DPSE-BAI/order-as-printed", domain=ORDERS, constants={"power": -2, "factor": 1200},
    mutations=[mutation("power 2", power=2), mutation("power -1", power=-1)], strongest="enumeration",
)  # fmt: skip
def order_with_the_exponent_of_the_display(check: Check) -> None:
    check.enumerate(samples_and_order, order_grid(), rational=True, routes=("sum of R_e", "stated order"))


def private_time(means: Any, factor: Any) -> Sides:
    """Sum over suboptimal arms of 1/gap against factor T_TV."""
    exact = [Fraction(m) for m in means]
    gaps = [max(exact) - m for m in exact if m < max(exact)]
    time = characteristic_time(means=exact, divergence="tv").value.lower
    return sum(1 / g for g in gaps), "<=", factor * Fraction(time)


@claim(
    "ALG-A-DPSE-BAI/private-time", r"$\sum_{a\ne a^*}\frac1{\varepsilon\Delta_a}\le<factor>\frac{T^*_{\rm TV}}"
                                   r"\varepsilon$ for Bernoulli instances.",
    domain=Domain.of(means="all: every Bernoulli instance"), constants={"factor": 1},
    mutations=[mutation("a fifth", factor="1/5")], strongest="enumeration",
)  # fmt: skip
def samples_and_the_private_time(check: Check) -> None:
    instances = (["1/2", "1/4"], ["19/20", "9/10", "9/10", "1/2"], ["3/4", "7/10", "7/10", "7/10", "7/10"])
    points = [{"means": means} for means in instances]
    check.enumerate(private_time, points, rational=True, routes=("sum over arms", "characteristic time"))
