"""Checks of what the paper concludes from its regret lower bound: the comparison with the earlier bound (7), the
general form (9), and the remark on transports. The bound itself, Theorem 3.1, is checked in modules of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.paper_checks.bernoulli_dp_divergence import ARM, SUBOPTIMAL
from banditproof.paper_checks.bernoulli_dp_maximal_coupling import overlap_coupling
from banditproof.paper_checks.bernoulli_dp_slopes import slope_in_the_second
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.privacy_regimes import (
    STRICTLY_BELOW,
    STRICTLY_BELOW_INSIDE,
    Regime,
    by_regime,
    comparable,
    factored,
    factored_if_symbolic,
    prove,
    relative_entropy,
    settled,
)
from banditproof.paper_checks.probation_policy import regret_from
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.bernoulli import d_epsilon, d_inf, kl_bernoulli, kl_inf, privacy_threshold, tv_inf
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numeric import exp, minimum, to_ball, where
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import FiniteKernel, randomised_response_kernel

CHAIN = ("closed form", "cost of one pure change, through the Bregman identity of kl")
BEST_MEAN_BELOW_ONE = SUBOPTIMAL.restrict(mu_star="(0, 1)")

# ---------------------------------------------------------------------------------------------- (7), the earlier bound


def earlier_divergence(mu_a: Any, mu_star: Any, epsilon: Any, factor: Any) -> tuple[Any, str, Any]:
    """The bound's denominator by its definition, 6 included, and as printed for Bernoulli arms."""
    defined = minimum(kl_inf(mu_a, mu_star), 6 * epsilon * tv_inf(mu_a, mu_star))
    budget = factor * epsilon * (mu_star - mu_a)
    printed = where(mu_star, "==", 1, budget, lambda: minimum(kl_bernoulli(mu_a, mu_star), budget))
    return settled(defined), "==", settled(printed)


@by_regime(STRICTLY_BELOW_INSIDE, "zero", ARM)
def equal_below_one(here: Regime) -> Any:
    return 0


EARLIER = (
    r"The denominator $\min\{\mathrm{KL}_{\inf},6\epsilon\mathrm{TV}_{\inf}\}$ of the earlier bound, whose infima "
    r"run over means "
    r"strictly above $\mu^\star$, is $\min\{\mathrm{kl}(\mu_a,\mu^\star),<factor>\epsilon\Delta_a\}$ for Bernoulli "
    r"arms, which gives (7)"
)


@claim(
    "BDP-EQ7", EARLIER + ".", domain=SUBOPTIMAL, constants={"factor": 6}, strongest="symbolic",
)  # fmt: skip
def adapted_to_bernoulli_arms(check: Check) -> None:
    # mu* = 1: no mean lies above, both infima are infinite and the earlier bound is 0, while (7) claims 1/(6 epsilon).
    point = {"mu_a": Fraction(1, 2), "mu_star": Fraction(1), "epsilon": Fraction(1)}
    check.counterexample(earlier_divergence, point)


def regret_where_the_best_mean_is_one(mu_a: Any, mu_star: Any, epsilon: Any, root: Any) -> tuple[Any, str, Any]:
    """An upper bound of Reg_T / log T for T >= e^(root^2), of a private consistent policy, against (7) at mu* = 1."""
    return regret_from(root, mu_star - mu_a, epsilon), ">=", 1 / (6 * epsilon)


@claim(
    "BDP-EQ7/edge-optimal-mean-one",
    r"(7) at $\mu^\star=1$: $\liminf\mathrm{Reg}_T/\log T\ge\frac1{6\epsilon}$ for two arms, one of them with mean 1.",
    domain=SUBOPTIMAL.restrict(mu_star="[1, 1]"), role="edge", constants={"root": 100}, strongest="certificate",
)  # fmt: skip
def earlier_bound_at_one(check: Check) -> None:
    """The policy of `BDP-T3.1/edge-optimal-mean-one` is consistent and private and has regret o(log T) at mean one."""
    point = {"mu_a": Fraction(1, 2), "mu_star": Fraction(1), "epsilon": Fraction(1)}
    check.counterexample(regret_where_the_best_mean_is_one, point)


def earlier_bound_by_definition(mu_a: Any, epsilon: Any, offset: Any) -> tuple[Any, str, Any]:
    """No regret is negative, and the earlier bound with its infima over the empty set is 0."""
    one = 0 * mu_a + 1
    defined = minimum(kl_inf(mu_a, one), 6 * epsilon * tv_inf(mu_a, one))
    return 0 * mu_a, ">=", (one - mu_a) / defined + offset


@claim(
    "BDP-EQ7/zero-where-the-best-mean-is-one",
    r"At $\mu^\star=1$ the earlier bound, with its infima over means above $\mu^\star$, is $<offset>$.",
    domain=Domain.of(mu_a="[0, 1)", epsilon="(0, inf)"), role="repair", repairs="BDP-EQ7/edge-optimal-mean-one",
    constants={"offset": 0}, mutations=[mutation("0.01", offset="1/100")], strongest="enumeration",
)  # fmt: skip
def zero_at_one(check: Check) -> None:
    grid = {"mu_a": ["0", "1/2", "99/100"], "epsilon": ["1/100", "1", "50"]}
    check.enumerate(earlier_bound_by_definition, grid, routes=("regret is not negative", "infima over an empty set"))


@claim(
    "BDP-EQ7/best-mean-below-one", EARLIER + r", if $\mu^\star<1$.", domain=BEST_MEAN_BELOW_ONE, role="repair",
    repairs="BDP-EQ7", constants={"factor": 6}, mutations=[mutation("factor 5", factor=5)], strongest="symbolic",
)  # fmt: skip
def adapted_below_one(check: Check) -> None:
    hints = [{"mu_a": Fraction(1, 4), "mu_star": Fraction(3, 4), "epsilon": Fraction(1, 20)}]
    prove(
        check,
        earlier_divergence,
        equal_below_one,
        hints=hints,
        routes=("infima (BDP-EQ3, BDP-S1.5)", "printed minimum"),
    )


# ---------------------------------------------------------------------------------- the comparison with (7), S3.2, S3.6


def at_most_kl(mu_a: Any, mu_star: Any, epsilon: Any, factor: Any) -> tuple[Any, str, Any]:
    kl = settled(kl_bernoulli(mu_a, mu_star))
    return comparable(settled(d_epsilon(mu_a, mu_star, epsilon)), "<=", factor * kl)


def at_most_the_privacy_cost(mu_a: Any, mu_star: Any, epsilon: Any, factor: Any) -> tuple[Any, str, Any]:
    return settled(d_epsilon(mu_a, mu_star, epsilon)), "<=", factor * epsilon * (mu_star - mu_a)


@by_regime(STRICTLY_BELOW, variables=ARM)
def kl_to_the_minimiser(here: Regime) -> Any:
    """kl(x, y) - d_epsilon(x, y) = kl(x, z*)."""
    return exp(-here.epsilon * here.gap) if here.y == 1 else relative_entropy(here.x, here.minimiser)


@by_regime(STRICTLY_BELOW, variables=ARM)
def kl_from_the_target(here: Regime) -> Any:
    """epsilon |x - y| - d_epsilon(x, y) = kl(y, z*) + (epsilon - epsilon_0)^+ |x - y|."""
    return relative_entropy(here.y, here.minimiser) + here.slack * here.gap


TIGHTER = {"domain": SUBOPTIMAL, "constants": {"factor": 1}, "mutations": [mutation("1 % less", factor="99/100")],
           "strongest": "symbolic"}  # fmt: skip


@claim("BDP-S3.6/kl-route", r"$d_\epsilon(\mu_a,\mu^\star)\le <factor>\,\mathrm{kl}(\mu_a,\mu^\star)$.", **TIGHTER)
@claim("BDP-S3.2/at-most-kl", r"$d_\epsilon(\mu_a,\mu^\star)\le <factor>\,\mathrm{kl}(\mu_a,\mu^\star)$.", **TIGHTER)
def not_above_kl(check: Check) -> None:
    prove(check, at_most_kl, kl_to_the_minimiser, routes=CHAIN)


@claim(
    "BDP-S3.6/tv-route",
    r"$d_\epsilon(\mu_a,\mu^\star)\le <factor>\,\epsilon\,\mathrm{TV}=<factor>\,\epsilon\Delta_a$.",
    **TIGHTER,
)
@claim("BDP-S3.2/at-most-the-privacy-cost", r"$d_\epsilon(\mu_a,\mu^\star)\le <factor>\,\epsilon\Delta_a$.", **TIGHTER)
def not_above_the_privacy_cost(check: Check) -> None:
    prove(check, at_most_the_privacy_cost, kl_from_the_target, routes=CHAIN)


def six_times_the_budget(mu_a: Any, mu_star: Any, epsilon: Any, factor: Any) -> tuple[Any, str, Any]:
    return settled(d_epsilon(mu_a, mu_star, epsilon)), "<", factor * epsilon * (mu_star - mu_a)


@by_regime(STRICTLY_BELOW, "positive", ARM)
def five_budgets_left(here: Regime) -> Any:
    return relative_entropy(here.y, here.minimiser) + (here.slack + 5 * here.epsilon) * here.gap


@claim(
    "BDP-S3.2/below-six-times-the-privacy-cost", r"$d_\epsilon(\mu_a,\mu^\star)<<factor>\epsilon\Delta_a$, strictly.",
    domain=SUBOPTIMAL, constants={"factor": 6}, mutations=[mutation("factor 0.9", factor="9/10")], strongest="symbolic",
)  # fmt: skip
def strictly_below_six_times(check: Check) -> None:
    prove(check, six_times_the_budget, five_budgets_left, routes=CHAIN)


parts_decide(
    "BDP-S3.2",
    r"Theorem 3.1 is a strict improvement of (7), since "
    r"$d_\epsilon\le\min\{\mathrm{kl},\epsilon\Delta_a\}\le\min\{\mathrm{kl},6\epsilon\Delta_a\}$ for any "
    r"$\epsilon,\mu_a,\mu^\star$.",
    domain=SUBOPTIMAL,
)
parts_decide(
    "BDP-S3.6",
    r"The double change always has smaller transport than a pure change by KL or by TV (smaller read as: not larger).",
    domain=SUBOPTIMAL,
)


def improved_arms(means: Sequence[Fraction], epsilon: Any, factor: Any) -> tuple[int, str, int]:
    """On how many arms d_epsilon < min{kl, factor epsilon Delta}, and that there should be one.

    With epsilon >= epsilon_0 and kl <= factor epsilon Delta both are kl, the same number (BDP-EQ8); with
    epsilon < epsilon_0, d_epsilon < kl. Both cases are decided in balls; a case that is not is an error.
    """
    best, improved = max(means), 0
    for mean in (m for m in means if m < best):
        arm, target = to_ball(mean), to_ball(best)
        threshold, budget = privacy_threshold(arm, target), factor * to_ball(epsilon) * to_ball(best - mean)
        if epsilon < threshold and d_epsilon(arm, target, epsilon) < budget:
            improved += 1
        elif not (epsilon >= threshold and kl_bernoulli(arm, target) <= budget):
            raise InvalidInput("epsilon", epsilon, "certainly on one side of the privacy threshold")
    return improved, ">", 0


EVERY_BANDIT = Domain.of(means="all: every Bernoulli bandit with a suboptimal arm", epsilon="(0, inf)")
FIRST_INSTANCE = [Fraction(3, 4), *[Fraction(7, 10)] * 4]  # the first of the four instances of the experiments
STRICT = (
    "The lower bound (5) is strictly larger than (7), for every Bernoulli bandit with a suboptimal arm and every "
    r"$\epsilon$."
)


@claim("BDP-S1.6/strictly-better-for-all-budgets", "(abstract) " + STRICT, domain=EVERY_BANDIT, constants={"factor": 6})
@claim("BDP-S3.2/strict", STRICT, domain=EVERY_BANDIT, constants={"factor": 6}, strongest="symbolic")
def strictly_better(check: Check) -> None:
    # from epsilon_0 on, d_epsilon = kl <= epsilon Delta <= 6 epsilon Delta: both denominators are kl, the bounds equal
    check.counterexample(improved_arms, {"means": FIRST_INSTANCE, "epsilon": Fraction(1, 2)})


def below_kl(mu_a: Any, mu_star: Any, epsilon: Any, factor: Any) -> tuple[Any, str, Any]:
    return settled(d_epsilon(mu_a, mu_star, epsilon)), "<", factor * settled(kl_bernoulli(mu_a, mu_star))


@by_regime(("high", "first_is_0"), "positive", ARM)
def kl_to_another_point(here: Regime) -> Any:
    return relative_entropy(here.x, here.minimiser)


BELOW_THE_THRESHOLD = {
    "statement": r"In the high privacy regime, $\epsilon<\epsilon_0$, and for $\mu^\star<1$, "
    r"$d_\epsilon(\mu_a,\mu^\star)<<factor>\,\mathrm{kl}(\mu_a,\mu^\star)$; together with "
    r"$d_\epsilon<6\epsilon\Delta_a$, (5) exceeds (7) "
    "as soon as one suboptimal arm is in that regime.",
    "domain": BEST_MEAN_BELOW_ONE.restrict(where=["epsilon < privacy_threshold(mu_a, mu_star)"]), "role": "repair",
    "constants": {"factor": 1}, "mutations": [mutation("1 % less", factor="99/100")], "strongest": "symbolic",
}  # fmt: skip


@claim(
    "BDP-S1.6/strictly-better-in-high-privacy",
    repairs="BDP-S1.6/strictly-better-for-all-budgets",
    **BELOW_THE_THRESHOLD,
)
@claim("BDP-S3.6/strictly-smaller-in-high-privacy", repairs="BDP-S3.6/strictly-smaller", **BELOW_THE_THRESHOLD)
@claim("BDP-S3.2/strict-in-high-privacy", repairs="BDP-S3.2/strict", **BELOW_THE_THRESHOLD)
def strictly_better_in_high_privacy(check: Check) -> None:
    hints = [
        {"mu_a": Fraction(1, 4), "mu_star": Fraction(1, 2), "epsilon": Fraction(n, 100)} for n in (109, 108, 105, 100)
    ]
    prove(check, below_kl, kl_to_another_point, hints=hints, routes=CHAIN)


def below_kl_from_zero(epsilon: Any, factor: Any) -> tuple[Any, str, Any]:
    import sympy

    from banditproof.theory.numeric import SYMBOL, system

    zero, half = (
        (sympy.S(0), sympy.Rational(1, 2)) if system(epsilon) == SYMBOL else (to_ball(0), to_ball(Fraction(1, 2)))
    )
    return settled(d_epsilon(zero, half, epsilon)), "<", factor * settled(kl_bernoulli(zero, half))


def what_is_left_of_log_two() -> Any:
    import sympy

    from banditproof.verify.symbolic import SymbolicArgument

    e = sympy.Symbol("e", positive=True)
    return SymbolicArgument({"epsilon": sympy.log(1 + e)}, sympy.log(1 + 1 / (1 + e)), "positive")


@claim(
    "BDP-S3.2/strict-on-some-instance",
    r"The weaker reading: for every $\epsilon$ some instance has a strictly larger bound (5), for example "
    r"$\mu=(\frac12,0)$, where "
    r"$d_\epsilon<<factor>\,\mathrm{kl}$.",
    domain=Domain.of(epsilon="(0, inf)"), role="reading", constants={"factor": 1},
    mutations=[mutation("1 % less", factor="99/100")], strongest="symbolic",
)  # fmt: skip
def strictly_better_somewhere(check: Check) -> None:
    if not check.search(below_kl_from_zero, ({"epsilon": Fraction(n)} for n in (1, 4, 8, 16))):
        check.symbolic(below_kl_from_zero, what_is_left_of_log_two)


def pure_routes_beaten(mu_a: Fraction, mu_star: Fraction, epsilon: Any) -> tuple[int, str, int]:
    """How many of the two pure routes cost strictly more: KL iff epsilon < epsilon_0, TV iff mu* < 1 (BDP-EQ8)."""
    threshold = privacy_threshold(mu_a, mu_star)
    if not (epsilon < threshold or epsilon >= threshold):
        raise InvalidInput("epsilon", epsilon, "certainly on one side of the privacy threshold")
    return bool(epsilon < threshold) + bool(mu_star < 1), "==", 2


@claim(
    "BDP-S3.6/strictly-smaller", r"The transport of the double change is strictly smaller than both pure ones.",
    domain=SUBOPTIMAL, role="reading", strongest="symbolic",
)  # fmt: skip
def strictly_smaller_transport(check: Check) -> None:
    point = {"mu_a": Fraction(1, 4), "mu_star": Fraction(1, 2), "epsilon": Fraction(2)}
    check.counterexample(pure_routes_beaten, point)


# ------------------------------------------------------------------------------------------------ (9), general classes

Law = Sequence[Fraction]  # probabilities of the rewards 0, 1, 2, ...


@cache
def response_policy(ratio: Fraction, horizon: int, rewards: int) -> FiniteKernel:
    return randomised_response_kernel(horizon, 2, ratio, tuple(range(rewards)))


def run(policy: FiniteKernel, first: Law, second: dict[tuple[int, int], Fraction], alternative: Law, q: Law) -> Any:
    """The law of (pulls of arm 2, pulls at which its rewards differ, likelihood ratio dQ/dP' of its second rewards)."""
    couplings = [{(r, r): Fraction(p) for r, p in enumerate(first) if p}, second]
    reached = {((), 0, 0, Fraction(1)): Fraction(1)}
    for _ in range(policy.horizon):
        after: dict[Any, Fraction] = defaultdict(Fraction)
        for (history, pulls, differing, ratio), weight in reached.items():
            for arm, chance in enumerate(policy.probability(history)):
                for (seen, other), mass in couplings[arm].items():
                    step = Fraction(q[other]) / alternative[other] if arm else 1
                    state = ((*history, (arm, seen)), pulls + arm, differing + (seen != other), ratio * step)
                    after[state] += weight * chance * mass
        reached = after
    law: dict[Any, Fraction] = defaultdict(Fraction)
    for (_, pulls, differing, ratio), weight in reached.items():
        law[pulls, differing, ratio] += weight
    return law


def double_change(
    policy: Sequence[Any], laws: Sequence[Law], n_2: int, differing: int, ratio: Fraction, charge: int
) -> Any:
    """P_gamma(N_2 <= n_2, d_Ham <= differing, dQ/dP' <= ratio) <= e^(epsilon differing) ratio P_nu''(N_2 <= n_2)."""
    likely, horizon = policy
    first, p, q, alternative = ([Fraction(v) for v in law] for law in laws)
    kernel = response_policy(Fraction(likely), horizon, len(p))
    second = {cell: mass for cell, mass in overlap_coupling(dict(enumerate(p)), dict(enumerate(q))).items() if mass}
    coupled = run(kernel, first, second, alternative, q)
    left = sum(w for (n, d, r), w in coupled.items() if n <= n_2 and d <= differing and r <= ratio)
    under = run(kernel, first, {(r, r): a for r, a in enumerate(alternative) if a}, alternative, alternative)
    right = sum(w for (n, _, _), w in under.items() if n <= n_2)
    return left, "<=", Fraction(likely) ** (charge * differing) * ratio * right


LAW_QUADRUPLES = [  # laws of arm 1, of arm 2, and of arm 2 in the two other environments, with increasing means
    [["1/4", "1/4", "1/2"], ["1/2", "1/4", "1/4"], ["1/3", "1/3", "1/3"], ["1/8", "1/8", "3/4"]],
    [["1/2", "0", "1/2"], ["9/10", "1/10", "0"], ["1/2", "1/4", "1/4"], ["1/10", "1/10", "4/5"]],
    [["1/3", "1/3", "1/3"], ["1", "0", "0"], ["1/10", "1/10", "4/5"], ["1/10", "1/10", "4/5"]],
]


@claim(
    "BDP-EQ9",
    r"The bound generalises to unstructured classes, with $d_{\inf}$ for $d_\epsilon$. Its ingredient, for any "
    r"reward laws: "
    r"$P_\gamma(N_2\le n_2,\ d_{\mathrm{Ham}}\le h,\ \frac{dQ}{dP'}\le\rho)\le e^{<charge>\epsilon "
    r"h}\,\rho\,P_{\nu''}(N_2\le n_2)$.",
    domain=Domain.of(policy="all: every epsilon-global DP policy", laws="all: every class of reward laws",
                     n_2="integer [0, inf)", differing="integer [0, inf)", ratio="(0, inf)"),
    constants={"charge": 1}, mutations=[mutation("privacy for free", charge=0)], strongest="enumeration",
)  # fmt: skip
def double_change_on_finite_supports(check: Check) -> None:
    policies = [["3", 3], ["9", check.pick(3, 4)]]
    over = [
        {"policy": policy, "laws": laws, "n_2": n, "differing": h, "ratio": Fraction(rho)}
        for policy in policies for laws in LAW_QUADRUPLES for n in (0, 1, 2) for h in (0, 1, 2) for rho in ("1/2", 1, 4)
    ]  # fmt: skip
    covers = check.domain.restrict(
        policy="all: randomised responses with e^epsilon = 3 and 9", laws="all: 3 quadruples of laws on 3 rewards",
        n_2=[0, 1, 2], differing=[0, 1, 2], ratio=["1/2", 1, 4],
    )  # fmt: skip
    routes = ("coupled environment, enumerated", "alternative environment, enumerated")
    check.enumerate(double_change, over, covers=covers, rational=True, routes=routes)


def general_divergence(mu_a: Any, mu_star: Any, epsilon: Any) -> tuple[Any, str, Any]:
    return d_inf(mu_a, mu_star, epsilon), "==", d_epsilon(mu_a, mu_star, epsilon)


@claim(
    "BDP-EQ9/bernoulli",
    r"For Bernoulli arms (9) is (5): $d_{\inf}(P_a,\mu^\star,\mathcal M_a,\epsilon)=d_\epsilon(\mu_a,\mu^\star)$.",
    domain=SUBOPTIMAL, role="implication", strongest="symbolic",
)  # fmt: skip
def specialises_to_bernoulli(check: Check) -> None:
    # no Bernoulli mean exceeds mu* = 1: d_inf is infinite there and (9) says nothing, but (5) claims 1/epsilon per arm
    check.counterexample(general_divergence, {"mu_a": Fraction(1, 2), "mu_star": Fraction(1), "epsilon": Fraction(1)})


def rising_target(mu_a: Any, mu_star: Any, epsilon: Any, slope: Any) -> tuple[Any, str, Any]:
    return factored_if_symbolic(slope_in_the_second(mu_a, mu_star, epsilon)), ">=", slope


@by_regime(STRICTLY_BELOW_INSIDE, variables=ARM)
def distance_over_variance(here: Regime) -> Any:
    return factored((here.y - here.minimiser) / (here.y * (1 - here.y)))


@claim(
    "BDP-EQ9/bernoulli-below-one",
    r"For $\mu_a<\mu^\star<1$, $\partial_m d_\epsilon(\mu_a,m)\ge <slope>$ at $m=\mu^\star$: "
    r"$d_\epsilon(\mu_a,\cdot)$ does not decrease "
    r"(and is continuous, BDP-LF.5), so the infimum over $m>\mu^\star$ is $d_\epsilon(\mu_a,\mu^\star)$ and (9) is "
    r"(5).",
    domain=BEST_MEAN_BELOW_ONE, role="repair", repairs="BDP-EQ9/bernoulli", constants={"slope": 0},
    mutations=[mutation("slope at least 0.01", slope="1/100")], strongest="symbolic",
)  # fmt: skip
def specialises_below_one(check: Check) -> None:
    hints = [{"mu_a": Fraction(1, 4), "mu_star": Fraction(1, 2), "epsilon": Fraction(1, n)} for n in (200, 2000, 10**5)]
    prove(
        check,
        rising_target,
        distance_over_variance,
        hints=hints,
        routes=("derivative of the closed form", "(y - z*)/(y(1-y))"),
    )
