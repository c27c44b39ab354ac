"""DP-SE and successive elimination, Section 5.1 of the thesis: ALG-A-DPSE, ALG-A-SE.

In epoch e an arm is pulled R_e times, with D = 2^-e, S active arms, and in units of 1/D
2 h_e = 2 sqrt(log(8 S e^2/beta) / (2 R_e)) and 2 c_e = 2 log(4 S e^2/beta) / (R_e epsilon) of slack.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.successive_elimination import DPSE, SuccessiveElimination
from banditproof.paper_checks.bernoulli_dp_laplace import SHIFT, prove_laplace_ratio
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.recorded_privacy import BUGS, EVERY_RUN, Sides, check_runs
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.bernoulli import kl_bernoulli
from banditproof.theory.budget import Budget
from banditproof.theory.numeric import exp, log, maximum, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.recorder import RecordingNoise
from banditproof.verify.symbolic import SymbolicArgument

# ------------------------------------------------------------------------------------------------------- the schedule


def logarithm(factor: int, active: int, epoch: int, beta: Any) -> Any:
    return log(to_ball(factor * active * epoch**2) / to_ball(beta))


def real_pulls(active: int, epoch: int, epsilon: Any, beta: Any) -> Any:
    """What R_e is the integer part of, plus one; `epsilon` None for no noise."""
    plain = 32 * logarithm(8, active, epoch, beta) * 4**epoch
    if epsilon is None:
        return plain
    return maximum(plain, 8 * logarithm(4, active, epoch, beta) * 2**epoch / to_ball(epsilon))


def schedule_of_the_policy(arms: int, epochs: int, epsilon: Any, beta: Any, factor: Any) -> Sides:
    """Batches of a policy that hears equal sums, so that no arm is dropped, against R_e; each arm once per epoch."""
    spent = None if epsilon == "none" else epsilon
    policy = (
        SuccessiveElimination(arms, beta=float(beta))
        if spent is None
        else DPSE(arms, Budget.pure(float(spent)), _Silent(), beta=float(beta))
    )
    wrong = 0
    for epoch in range(1, epochs + 1):
        wanted = factor * real_pulls(arms, epoch, spent, beta)
        for turn in range(arms):
            arm, count = policy.next_batch()
            wrong += not (arm[0] == turn and wanted < int(count[0]) <= wanted + 1)
            policy.observe(count / 2, count)
    return wrong, "==", 0


class _Silent(NoiseSource):
    def draw(self, distribution: str, scale: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        return np.zeros(shape)


PHASES = Domain.of(
    arms="integer [1, inf)", epochs="integer [1, inf)", beta="(0, 1)", epsilon="all: every budget, or none"
)

parts_decide(
    "ALG-A-DPSE",
    r"DP-SE pulls the active arms equally often in epochs, releases one noisy mean per arm and epoch from the rewards "
    r"of that epoch, drops arms that look worse, and is $\varepsilon$-DP with $\mathrm{Lap}(1/\varepsilon)$ per sum.",
)


@claim(
    "ALG-A-DPSE/schedule",
    r"Epoch $e$ pulls every active arm $R_e=\lfloor<factor>\max\{\frac{32}{\Delta_e^2}\log\frac{8|S|e^2}\beta,"
    r"\frac8{\varepsilon\Delta_e}\log\frac{4|S|e^2}\beta\}\rfloor+1$ times, $\Delta_e=2^{-e}$.",
    domain=PHASES, constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")], strongest="enumeration",
)  # fmt: skip
def schedule_of_dp_se(check: Check) -> None:
    points = [
        {"arms": K, "epochs": 6, "beta": Fraction(b), "epsilon": e}
        for K in (2, 5) for b in ("1/2", "1/10000000") for e in ("1/1000", "1/10", "1", "none")
    ]  # fmt: skip
    check.enumerate(schedule_of_the_policy, points, routes=("batches of the policy", "formula in balls"))


def plain_slack(x: Any, more: Any, share: Any) -> Sides:
    """(h / gap)^2 with R = 32 x (1 + more) / gap^2, x = log(8 S e^2/beta)."""
    return x / (2 * 32 * x * (1 + more)), "<=", share * share


def private_slack(x: Any, more: Any, share: Any) -> Sides:
    """c / gap with R = 8 x (1 + more) / (epsilon gap), x = log(4 S e^2/beta)."""
    return x / (8 * x * (1 + more)), "<=", share


def slack_argument(share: Any, squared: bool) -> SymbolicArgument:
    import sympy

    x, more = sympy.Symbol("x", positive=True), sympy.Symbol("more", nonnegative=True)
    parts, bound = (64, share**2) if squared else (8, share)
    certificate = (parts * bound * more + parts * bound - 1) / (parts * (1 + more))
    return SymbolicArgument({"x": x, "more": more}, certificate, "nonnegative")


def plain_argument(share: Any) -> SymbolicArgument:
    return slack_argument(share, True)


def private_argument(share: Any) -> SymbolicArgument:
    return slack_argument(share, False)


LOGARITHMS = Domain.of(x="(0, inf)", more="[0, inf)")


@claim(
    "ALG-A-DPSE/slack",
    r"$h_e$ and $c_e$ are at most $<share>\Delta_e$ (less, as $R_e$ is rounded up), so that an arm with gap at least "
    r"$\Delta_e$ lies more than $2h_e+2c_e$ below the best one when all means are off by at most $h_e+c_e$.",
    domain=LOGARITHMS, role="step", constants={"share": "1/8"}, mutations=[mutation("1/9", share="1/9")],
    strongest="symbolic",
)  # fmt: skip
def slack_of_an_epoch(check: Check) -> None:
    routes = ("slack of the schedule", "an eighth of the gap")
    if not check.search(plain_slack, [{"x": Fraction(1), "more": Fraction(0)}]):
        check.symbolic(plain_slack, plain_argument, routes=routes)
        check.symbolic(private_slack, private_argument, routes=routes)


def failures(epochs: int, active: int, beta: Any, factor: Any) -> Sides:
    """S (2 e^(-2 R h^2) + e^(-R epsilon c)) summed over epochs: Hoeffding's bound and Laplace's exact tail."""
    total = to_ball(0)
    for epoch in range(1, epochs + 1):
        plain, private = logarithm(8, active, epoch, beta), logarithm(4, active, epoch, beta)
        total += active * (2 * exp(-plain) + exp(-private))
    return total, "<=", factor * to_ball(beta)


@claim(
    "ALG-A-DPSE/good-event",
    r"Some mean is off by more than $h_e+c_e$ with probability at most $<factor>\beta$ (in fact "
    r"$\frac{\pi^2}{12}\beta$).",
    domain=Domain.of(epochs="integer [1, inf)", active="integer [2, inf)", beta="(0, 1)"), role="step",
    constants={"factor": 1}, mutations=[mutation("0.8", factor="0.8")], strongest="enumeration",
)  # fmt: skip
def probability_of_failure(check: Check) -> None:
    grid = {"epochs": [1, 2, 10, 300], "active": [2, 5, 100], "beta": ["1/2", "1/100", "1/10000000"]}
    check.enumerate(failures, grid, routes=("sum over epochs and arms", "probability of failure"))


@claim(
    "ALG-A-DPSE/laplace", r"$\mathrm{Lap}(1/\varepsilon)$ on the sum of an arm's rewards of one epoch has log-ratio at "
                          r"most $<factor>\varepsilon$.",
    domain=SHIFT, constants={"factor": 1}, mutations=[mutation("0.9", factor="0.9")], strongest="interval",
)  # fmt: skip
def one_mean_of_dp_se(check: Check) -> None:
    prove_laplace_ratio(check, check.domain)


@claim(
    "ALG-A-DPSE/recorded-runs",
    r"Each reward is in one release, actions depend on releases only, and no reward is charged more than $\varepsilon$ "
    r"(planted bug: <bug>).",
    domain=EVERY_RUN, constants={"bug": "none", "adversary": 0}, mutations=BUGS, strongest="enumeration",
)  # fmt: skip
def runs_of_dp_se(check: Check) -> None:
    check_runs(check, {"dp-se": [["pure", 4]]}, quick=4)


def batches_that_differ(horizon: int, factor: int) -> Sides:
    """Whether the first batch is the same for the horizons T and factor * T."""
    sizes = [
        int(DPSE(2, Budget.pure(1.0), _Silent(), horizon=T).next_batch()[1][0]) for T in (horizon, factor * horizon)
    ]
    return sizes[0] != sizes[1], "==", True


@claim(
    "ALG-A-DPSE/not-anytime", r"With $\beta=1/T$ the first epoch for $T$ and for $<factor>T$ has different lengths.",
    domain=Domain.of(horizon="integer [2, inf)"), constants={"factor": 2}, mutations=[mutation("T itself", factor=1)],
    strongest="enumeration",
)  # fmt: skip
def dp_se_needs_the_horizon(check: Check) -> None:
    check.enumerate(batches_that_differ, {"horizon": [2, 10, 1000, 10**7]}, routes=("first batch for T", "for 2T"))


def means_released(horizon: int, arms: int, epsilon: Any, factor: Any) -> Sides:
    """Epochs that can begin before T when no arm is ever dropped, against factor log2 T: powers of two compared."""
    clock, epoch = 0, 0
    while clock < horizon:
        epoch += 1
        clock += arms * int(real_pulls(arms, epoch, epsilon, Fraction(1, horizon)).floor().unique_fmpz() + 1)
    exponent = Fraction(factor)
    return 2 ** (epoch * exponent.denominator), "<=", horizon**exponent.numerator


@claim(
    "ALG-A-DPSE/few-means", r"DP-SE releases $\mathcal O(\log T)$ private means: at most $<factor>K\log_2T$.",
    domain=Domain.of(horizon="integer [2, inf)", arms="integer [2, inf)", epsilon="(0, inf)"), constants={"factor": 1},
    mutations=[mutation("a tenth", factor="1/10")], strongest="enumeration",
)  # fmt: skip
def number_of_means_of_dp_se(check: Check) -> None:
    grid = {"horizon": [2, 3, 100, 10**4, 10**7, 10**12], "arms": [2, 5, 50], "epsilon": ["1/100", "1", "100"]}
    check.enumerate(means_released, grid, rational=True, routes=("epochs of the schedule", "K log2 T"))


def pulls_of_an_arm(gap: Any, arms: int, epsilon: Any, beta: Any) -> Any:
    """R_1 + ... + R_E with E = ceil(log2(1/gap)), at most 1: after epoch E the arm is dropped on the good event."""
    last = 1
    while Fraction(1, 2**last) > Fraction(gap):
        last += 1
    return sum((real_pulls(arms, e, epsilon, beta) + 1 for e in range(1, last + 1)), to_ball(0))


def regret_of_an_arm(gap: Any, arms: int, epsilon: Any, horizon: int, plain: Any, private: Any) -> Sides:
    L = log(to_ball(horizon))
    left = to_ball(gap) * pulls_of_an_arm(gap, arms, epsilon, Fraction(1, horizon))
    return left, "<=", plain * L / to_ball(gap) + private * L / to_ball(epsilon)


LONG_RUNS = Domain.of(
    gap="(0, 1]", arms="integer [2, inf)", epsilon="(0, inf)", horizon="integer [2, inf)", where=["arms <= horizon"]
)


@claim(
    "ALG-A-DPSE/regret",
    r"On the good event a suboptimal arm costs at most $<plain>\frac{\log T}{\Delta_a}+<private>\frac{\log "
    r"T}\varepsilon$ for $K\le T$ and $\Delta_a\ge T^{-1/2}$: the additional $\mathcal O(\log(T)/\varepsilon)$.",
    domain=LONG_RUNS.restrict(where=["gap * gap * horizon >= 1"]), constants={"plain": 1200, "private": 200},
    mutations=[mutation("constants 20", plain=20, private=20, gradual=False)], strongest="enumeration",
)  # fmt: skip
def regret_of_dp_se(check: Check) -> None:
    """Sums of R_e up to the epoch after which the arm is dropped."""
    points = [
        {"gap": Fraction(g), "arms": K, "epsilon": Fraction(e), "horizon": T}
        for g in ("1", "1/2", "1/3", "1/10", "1/1000") for K in (2, 5, 50) for e in ("1/100", "1", "100")
        for T in (100, 10**4, 10**7, 10**12) if Fraction(g) ** 2 * T >= 1
    ]  # fmt: skip
    check.enumerate(regret_of_an_arm, points, rational=True, routes=("pulls until the arm is dropped", "stated order"))


def above_the_constant(low: Any, high: Any, horizon: int, factor: Any) -> Sides:
    """Pulls of the worse of two Bernoulli arms in the first epoch alone, over log(T)/kl."""
    first = real_pulls(2, 1, None, Fraction(1, horizon))
    return first, ">=", factor * log(to_ball(horizon)) / kl_bernoulli(low, high)


@claim(
    "ALG-A-DPSE/constant-not-matched",
    r"Successive elimination does not match the problem-dependent bound: its first epoch alone pulls the worse of the "
    r"arms $0.1$ and $0.9$ more than $<factor>\log(T)/\mathrm{kl}$ times.",
    domain=Domain.of(low=["1/10"], high=["9/10"], horizon="integer [2, inf)"), constants={"factor": 100},
    mutations=[mutation("1000", factor=1000)], strongest="enumeration",
)  # fmt: skip
def constant_is_not_matched(check: Check) -> None:
    grid = {"low": ["1/10"], "high": ["9/10"], "horizon": [2, 100, 10**7, 10**30]}
    check.enumerate(above_the_constant, grid, routes=("length of the first epoch", "log T over the divergence"))


# ------------------------------------------------------------------------------------------------------------ ALG-A-SE


@claim(
    "ALG-A-SE", r"Successive elimination is DP-SE without noise and its allowance: "
                r"$R_e=\lfloor<factor>\frac{32}{\Delta_e^2}\log\frac{8|S|e^2}\beta\rfloor+1$.",
    domain=Domain.of(arms="integer [1, inf)", epochs="integer [1, inf)", beta="(0, 1)"),
    constants={"factor": 1, "epsilon": "none"}, mutations=[mutation("1 % more", factor="1.01")],
    strongest="enumeration",
)  # fmt: skip
def schedule_without_noise(check: Check) -> None:
    grid = {"arms": [2, 5, 10], "epochs": [8], "beta": ["1/2", "1/100", "1/10000000"]}
    check.enumerate(schedule_of_the_policy, grid, routes=("batches of the policy", "formula in balls"))


def dropped(arms: int, seed: int, extra: int) -> Sides:
    """Epochs after which the active arms are not those within 2 h_e of the best mean of the epoch."""
    generator, wrong = np.random.default_rng(seed), 0
    policy = SuccessiveElimination(arms, beta=0.1, noise=RecordingNoise())
    means = generator.random(arms)
    for epoch in range(1, 6):
        active = np.flatnonzero(policy.active[0])
        if active.size == 1:
            break
        heard = {}
        for _ in active:
            arm, count = policy.next_batch()
            heard[int(arm[0])] = float(generator.binomial(int(count[0]), means[arm[0]])) / int(count[0])
            policy.observe(np.array([heard[int(arm[0])] * int(count[0])]), count)
        half = np.sqrt(np.log(8 * active.size * epoch**2 / 0.1) / (2 * int(count[0])))
        kept = [arm for arm in active if max(heard.values()) - heard[int(arm)] <= (2 + extra) * half]
        wrong += list(np.flatnonzero(policy.active[0])) != kept
    return wrong, "==", 0


@claim(
    "ALG-A-SE/elimination",
    r"After an epoch the arms within $(2+<extra>)h_e$ of the best mean of that epoch stay, and no others.",
    domain=Domain.of(arms="integer [2, inf)", seed="all: random means and rewards"), constants={"extra": 0},
    mutations=[mutation("3 h_e", extra=1)], strongest="enumeration",
)  # fmt: skip
def elimination_rule(check: Check) -> None:
    points = [{"arms": K, "seed": s} for K in (2, 4, 8) for s in range(check.pick(8, 60))]
    check.enumerate(dropped, points, rational=True, routes=("arms of the policy", "means of the epoch"))
