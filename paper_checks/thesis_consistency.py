r"""Consistent policies and sub-linear regret in the thesis, and KL-UCB's asymptotic bound (Theorem 2.26)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.paper_checks.bernoulli_dp_protocol import below_a_power, logarithm_below_a_power
from banditproof.paper_checks.changed_arm import THREE_ARMS, TWO_ARMS, pair
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.privacy_regimes import entropy_class, mean, settled
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.study import Arrays, Study
from banditproof.paper_checks.thesis_regimes import PINSKER, entropy_at_least
from banditproof.paper_checks.thesis_subgaussian import nonnegative
from banditproof.theory.bernoulli import kl_bernoulli
from banditproof.theory.numeric import exp
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]

# --------------------------------------------------------------------------------------- consistency and its examples

parts_decide(
    "TH-D2.29",
    r"$\pi$ is consistent over $\mathcal E$ if $\mathrm{Reg}_T(\pi,\nu)/T^p\to0$ for all $\nu\in\mathcal E$, $p>0$; "
    r"UCB is, always playing arm 1 is not.",
    twins=["BDP-D2.1b"],
)


@claim(
    "TH-D2.29/logarithmic-regret",
    r"UCB is consistent, its regret being logarithmic: $p\log T\le<factor>\,T^p/e$, so "
    r"$\log(T)/T^{2p}\le\frac1{ep}T^{-p}\to0$.",
    domain=Domain.of(log_horizon="[0, inf)", p="(0, inf)"), constants={"factor": 1},
    mutations=[mutation("0.99", factor="99/100")], strongest="symbolic",
)  # fmt: skip
def logarithmic_regret(check: Check) -> None:
    if not check.search(logarithm_below_a_power, [{"log_horizon": Fraction(1), "p": Fraction(1)}]):
        check.symbolic(logarithm_below_a_power, below_a_power)


def always_the_first(horizon: int, bandits: Any, share: Any) -> Sides:
    """The regret in the second bandit, where another arm is optimal, against T times its lead."""
    both = pair(["only", 1, horizon, len(bandits[0])], bandits)
    return both.regrets[1], "==", share * horizon * both.lead


ONE_ARM = Domain.of(horizon="integer [1, inf)", bandits="all: every bandit whose first arm is not optimal")
ALWAYS_FIRST: dict[str, Any] = {
    "domain": ONE_ARM,
    "constants": {"share": 1},
    "mutations": [mutation("0.99", share="0.99")],
    "strongest": "enumeration",
}


def play_always_the_first(check: Check) -> None:
    over = {"horizon": [1, 2, 4], "bandits": [*TWO_ARMS, *THREE_ARMS]}
    covers = check.domain.restrict(horizon=over["horizon"], bandits="all: 5 bandits with three-valued rewards")
    check.enumerate(always_the_first, over, covers=covers, rational=True, routes=("enumerated regret", "T Delta_1"))


@claim(
    "TH-D2.29/always-the-first-arm",
    r"Always playing arm 1 has regret $<share>T\Delta_1$, linear wherever arm 1 is not optimal: not consistent, unless "
    r"arm 1 is optimal in every bandit of the class.",
    **ALWAYS_FIRST,
)  # fmt: skip
def always_the_first_arm(check: Check) -> None:
    play_always_the_first(check)


def sub_linear_is_enough(power: Any, p: Any) -> Sides:
    """A regret of T^power, which is sub-linear, divided by T^p, tends to 0 only if power < p."""
    return power, "<", p


@claim(
    "TH-D2.29/sub-linear",
    r"'i.e. policies that achieve sub-linear regret on every instance', read as an equivalence: a regret of "
    r"$T^{\mathrm{power}}$, $\mathrm{power}<1$, vanishes against every $T^p$.",
    domain=Domain.of(power="(0, 1)", p="(0, inf)"), role="reading",
)  # fmt: skip
def sub_linear_regret(check: Check) -> None:
    # the square root is sub-linear, and T^(1/2) / T^(1/4) tends to infinity
    check.counterexample(sub_linear_is_enough, {"power": Fraction(1, 2), "p": Fraction(1, 4)})


@claim(
    "TH-D2.29/sub-polynomial",
    r"The regret has to grow more slowly than every power, as $\log T$ does: $p\log T\le<factor>\,T^p/e$.",
    domain=Domain.of(log_horizon="[0, inf)", p="(0, inf)"), role="repair", repairs="TH-D2.29/sub-linear",
    constants={"factor": 1}, mutations=[mutation("0.99", factor="99/100")], strongest="symbolic",
)  # fmt: skip
def sub_polynomial_regret(check: Check) -> None:
    logarithmic_regret(check)


parts_decide(
    "TH-S2.2b",
    r"The aim $\lim_T\mathrm{Reg}_T(\pi,\nu)/T=0$ for all $\nu\in\mathcal E$: met by logarithmic regret, missed by a "
    r"policy that always plays one arm.",
)


@claim(
    "TH-S2.2b/met",
    r"Logarithmic regret meets it: $p\log T\le<factor>\,T^p/e$ at $p=\frac12$ gives $\log(T)/T\le\frac2eT^{-1/2}\to0$.",
    domain=Domain.of(log_horizon="[0, inf)", p="(0, inf)"), constants={"factor": 1},
    mutations=[mutation("0.99", factor="99/100")], strongest="symbolic",
)  # fmt: skip
def objective_met(check: Check) -> None:
    logarithmic_regret(check)


@claim(
    "TH-S2.2b/missed", r"Always playing arm 1 has $\mathrm{Reg}_T/T=<share>\Delta_1$, which does not vanish.",
    **ALWAYS_FIRST,
)  # fmt: skip
def objective_missed(check: Check) -> None:
    play_always_the_first(check)


# ------------------------------------------------------------------------------------------------------ Theorem 2.26

MEANS = (0.8, 0.2)
TIMES = (32, 64, 128, 256, 512, 1024)


def run_kl_ucb(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """Mean regret of KL-UCB with the index (2.14) at the record times."""
    from banditproof.algorithms.environment import BernoulliBandit
    from banditproof.algorithms.index import KLUCB
    from banditproof.algorithms.simulator import simulate

    rewards, choices = (np.random.default_rng(seed) for seed in seeds.spawn(2))
    policy = KLUCB(2, exploration="log f(t)", replications=runs, generator=choices)
    result = simulate(policy, BernoulliBandit(MEANS), TIMES[-1], rewards, TIMES)
    return {"regret": result.regret.mean(axis=0)}


KL_UCB = Study("thesis-kl-ucb", run_kl_ucb, {"runs": 200}, {"runs": 10_000})


@claim(
    "TH-T2.26",
    r"KL-UCB on Bernoulli bandits: $\limsup\mathrm{Reg}_T/\log T\le<share>\sum\Delta_a/d(\mu_a,\mu^*)$. Seen at finite "
    r"$T$ against $\log f(T)\sim\log T$ (rule: at most $\frac54$ of it).",
    domain=Domain.of(means="all: every Bernoulli bandit", horizon="integer [1, inf)"), constants={"share": 1},
    mutations=[mutation("half the constant", share="1/2")], strongest="trend", studies=[KL_UCB],
)  # fmt: skip
def kl_ucb_regret(check: Check) -> None:
    constant = float(check.constants["share"]) * (MEANS[0] - MEANS[1]) / float(kl_bernoulli(MEANS[1], MEANS[0]))
    times = np.array(TIMES, dtype=float)
    ratio = check.study(KL_UCB)["regret"] / (constant * np.log1p(times * np.log(times) ** 2))
    covers = check.domain.restrict(means="all: (0.8, 0.2)", horizon=f"integer [{TIMES[0]}, {TIMES[-1]}]")
    series = [(t, float(r)) for t, r in zip(TIMES, ratio, strict=True)]
    check.trend("stays_below", series, "mean regret over the constant times log f(T)", covers, bound=1.25)


def exploration_level(log_time: Any, factor: Any) -> Sides:
    """1 + t log^2 t against a multiple of t log^2 t, both divided by t log^2 t."""
    return 1 + exp(-log_time) / log_time**2, "<=", factor + 0 * log_time


def exploration_argument() -> SymbolicArgument:
    import sympy

    v = nonnegative("v")
    w, entropy = 1 + v, entropy_class()(1, sympy.exp(1 + v))  # e^w >= 1 + w
    certificate = sympy.exp(-w) * (entropy + sympy.expand((1 + w) * w**2 - 1) / w**2)
    return SymbolicArgument({"log_time": w}, certificate, "nonnegative")


@claim(
    "TH-T2.26/exploration",
    r"$\log f(t)\sim\log t$: $f(t)=1+t\log^2t\le<factor>\,t\log^2t$ for $t\ge e$, so "
    r"$\log f(t)\le\log t+2\log\log t+\log2$.",
    domain=Domain.of(log_time="[1, inf)"), role="step", constants={"factor": 2},
    mutations=[mutation("1.3", factor="1.3")], strongest="symbolic",
)  # fmt: skip
def exploration_is_logarithmic(check: Check) -> None:
    if not check.search(exploration_level, [{"log_time": Fraction(1)}]):
        check.symbolic(exploration_level, exploration_argument)


@claim("TH-T2.26/pinsker", role="implication", **PINSKER)
def better_than_ucb(check: Check) -> None:
    """So Delta/d <= 1/(2 Delta), a quarter of the constant 2/Delta of Theorem 2.24."""
    entropy_at_least(check)


def never_at_one(x: Any, level: Any, scale: Any) -> Sides:
    """e^-kl(x, 1) = 0 lies below e^-level: 1 is not among the means that the index allows."""
    return settled(exp(-settled(kl_bernoulli(x, 0 * x + 1)))), "<", scale * exp(-level)


def any_mean_and_level() -> SymbolicArgument:
    w, level = nonnegative("w l")
    return SymbolicArgument({"x": mean(w), "level": level}, exp(-level), "positive")


@claim(
    "TH-T2.26/best-mean-one",
    r"At $\mu^*=1$ the constant is 0, and rightly so: after its first reward 0 an arm's index stays below 1, that of "
    r"the best arm ($e^{-\mathrm{kl}(\hat\mu,1)}<<scale>e^{-\log f(t)/N}$), and it is not pulled again.",
    domain=Domain.of(x="[0, 1)", level="[0, inf)"), role="edge", constants={"scale": 1},
    mutations=[mutation("0", scale=0)], strongest="symbolic",
)  # fmt: skip
def best_mean_one(check: Check) -> None:
    if not check.search(never_at_one, [{"x": Fraction(1, 2), "level": Fraction(1)}]):
        check.symbolic(never_at_one, any_mean_and_level)
