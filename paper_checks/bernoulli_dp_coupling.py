"""The steps of the proof of the regret lower bound of *Optimal Regret of Bernoulli Bandits under Global Differential
Privacy*, which couples an instance with one in which a suboptimal arm is better.

Probabilities in the coupled environment are enumerated exactly for finite policies; what the paper says of all
policies is compared with these. Steps in which no policy occurs are proved for all means.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.coupled_environment import (
    coupled_law,
    expected_pulls,
    few_pulls,
    likely,
    probability,
    pulls_law,
    rarely_different,
)  # fmt: skip
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]

EVERY_POLICY = "all: every epsilon-global DP policy that is consistent over the class of Bernoulli bandits"
ENVIRONMENTS = {"mu_2": "[0, 1]", "mu_2_prime": "[0, 1]", "mu_1": "[0, 1]", "mu_2_alt": "[0, 1]"}
CHAIN = ["mu_2 <= mu_2_prime", "mu_2_prime <= mu_1"]
SETTING = Domain.of(policy=EVERY_POLICY, alpha="(0, inf)", n_2="[0, inf)", **ENVIRONMENTS,
                    where=[*CHAIN, "mu_1 <= mu_2_alt"])  # fmt: skip

# ---------------------------------------------------------------------------------------- points for finite policies


def points(means: Sequence[Sequence[str]], slacks: Sequence[str] = ("1/4", "1", "3"), counts: Sequence[int] = (1, 2),
           seeds: int = 4, horizon: int = 4) -> list[dict[str, Any]]:  # fmt: skip
    """Random and randomised-response policies in the listed environments (mu_2, mu_2', mu_1, mu_2'')."""
    policies: list[list[Any]] = [["random", seed, horizon, 2] for seed in range(seeds)]
    policies += [["response", Fraction(ratio), horizon, 2] for ratio in ("3/2", "9", "99")]
    names = ("mu_2", "mu_2_prime", "mu_1", "mu_2_alt")
    environments = [dict(zip(names, map(Fraction, chain), strict=True)) for chain in means]
    return [{"policy": policy, "alpha": Fraction(alpha), "n_2": n_2, **environment}
            for policy in policies for environment in environments for alpha in slacks for n_2 in counts]  # fmt: skip


INNER = [("1/10", "1/2", "1/2", "4/5"), ("1/5", "2/5", "3/5", "9/10"), ("0", "9/10", "9/10", "99/100"),
         ("1/10", "1/10", "1/10", "9/10"), ("3/10", "3/10", "1/2", "11/20")]  # fmt: skip


def listed(domain: Domain, over: Sequence[dict[str, Any]]) -> Domain:
    """The part of a domain that listed points on finite policies speak of."""
    numbers = [name for name in domain.sets if name != "policy"]
    values = {name: sorted({point[name] for point in over}) for name in numbers}
    return domain.restrict(policy=f"all: {len(over)} listed combinations with finite policies", **values)


def enumerate_on(check: Check, relation: Any, over: list[dict[str, Any]], routes: tuple[str, str]) -> bool:
    return check.enumerate(relation, over, covers=listed(check.domain, over), rational=True, routes=routes)


# ------------------------------------------------------------------------------------------------ steps of the proof

parts_decide(
    "BDP-S3.5",
    "The proof of the regret lower bound: every step holds for the quantifiers and ranges it is printed with.",
    domain=SETTING,
)


def arm_1_is_not_optimal(mu_1: Any, mu_2_alt: Any) -> Sides:
    """Arm 1 is not optimal in the second alternative exactly if arm 2 is better there."""
    return mu_1, "<", mu_2_alt


@claim(
    "BDP-S3.5/setting",
    r"For $\mu_2\le\mu_2'\le\mu_1\le\mu_2''$ arm 1 is optimal in $\nu'$ but not optimal in $\nu''$.",
    domain=Domain.of(**ENVIRONMENTS, where=[*CHAIN, "mu_1 <= mu_2_alt"]), strongest="symbolic",
)  # fmt: skip
def setting(check: Check) -> None:
    """With equality in the last place of the chain both arms are optimal in nu''."""
    check.search(arm_1_is_not_optimal, [dict.fromkeys(ENVIRONMENTS, Fraction(1, 2))])


def arm_2_is_best_in_the_alternative(mu_1: Any, mu_2_alt: Any, factor: Any) -> Sides:
    """The gap of arm 1 in nu'' is positive."""
    return factor * mu_1, "<", mu_2_alt


def better_arm_argument(factor: Any) -> SymbolicArgument:
    import sympy

    z, r = sympy.symbols("z r", nonnegative=True)
    means = {"mu_1": z / ((1 + r) * (1 + z)), "mu_2_alt": 1 / (1 + r)}
    return SymbolicArgument(means, 1 / ((1 + r) * (1 + z)), "positive")


@claim(
    "BDP-S3.5/setting-with-a-better-arm",
    r"For $\mu_2\le\mu_2'\le\mu_1<\mu_2''$ arm 1 is optimal in $\nu'$ but not in $\nu''$: $<factor>\,\mu_1<\mu_2''$.",
    domain=Domain.of(mu_1="[0, 1]", mu_2_alt="[0, 1]", where=["mu_1 < mu_2_alt"]), role="repair",
    repairs="BDP-S3.5/setting", constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")],
    strongest="symbolic",
)  # fmt: skip
def setting_with_a_better_arm(check: Check) -> None:
    check.symbolic(arm_2_is_best_in_the_alternative, better_arm_argument)


def coupled_run_keeps_the_actions(policy: Any, mu_2: Any, mu_2_prime: Any, mu_1: Any, weight: Any) -> Sides:
    """The number of pulls of arm 2 has the same law in the coupled environment and in nu."""
    coupled = coupled_law(policy, mu_1, mu_2, mu_2_prime)
    direct = pulls_law(policy, mu_1, mu_2)
    law = {n: probability(coupled, lambda pulls, _d, _o, n=n: pulls == n) for n in direct}
    return tuple(law.values()), "==", tuple(weight * mass for mass in direct.values())


@claim(
    "BDP-S3.5/step-1-coupled-environment",
    r"Step 1: $p_{\gamma\pi}$ is a law, and it gives the actions the law they have in $\nu$ (times $<weight>$).",
    domain=SETTING, role="part", constants={"weight": 1}, mutations=[mutation("mass 0.99", weight="0.99")],
    strongest="enumeration",
)  # fmt: skip
def coupled_environment(check: Check) -> None:
    enumerate_on(check, coupled_run_keeps_the_actions, points(INNER, slacks=("1",), counts=(1,)),
                 ("coupled environment, step by step", "law of the history"))  # fmt: skip


def variation_of_ordered_means(mu_2: Any, mu_2_prime: Any, factor: Any) -> Sides:
    """Half the l1 distance of two Bernoulli laws, against the difference of their means."""
    half = (abs(mu_2_prime - mu_2) + abs((1 - mu_2_prime) - (1 - mu_2))) / 2
    return half, "==", factor * (mu_2_prime - mu_2)


def variation_below_one(factor: Any) -> SymbolicArgument:
    """All means 0 <= mu_2 <= mu_2' < 1, by their three increments."""
    import sympy

    s, g = sympy.symbols("s g", nonnegative=True)
    t = sympy.symbols("t", positive=True)
    total = s + g + t
    return SymbolicArgument({"mu_2": s / total, "mu_2_prime": (s + g) / total}, sympy.Integer(0), "zero")


def variation_above_zero(factor: Any) -> SymbolicArgument:
    """All means 0 < mu_2 <= mu_2' <= 1."""
    import sympy

    g, t = sympy.symbols("g t", nonnegative=True)
    s = sympy.symbols("s", positive=True)
    total = s + g + t
    return SymbolicArgument({"mu_2": s / total, "mu_2_prime": (s + g) / total}, sympy.Integer(0), "zero")


@claim(
    "BDP-S3.5/step-2-total-variation",
    r"Step 2: for $\mu_2\le\mu_2'$, $\mathrm{TV}(P_2,P_2')=<factor>\,(\mu_2'-\mu_2)$.",
    domain=Domain.of(mu_2="[0, 1]", mu_2_prime="[0, 1]", where=["mu_2 <= mu_2_prime"]), role="part",
    constants={"factor": 1}, mutations=[mutation("half", factor="1/2"), mutation("1 % more", factor="1.01")],
    strongest="symbolic",
)  # fmt: skip
def total_variation_of_ordered_means(check: Check) -> None:
    check.symbolic(variation_of_ordered_means, variation_below_one, check.domain.restrict(mu_2_prime="[0, 1)"))
    check.symbolic(variation_of_ordered_means, variation_above_zero, check.domain.restrict(mu_2="(0, 1]"))
    check.enumerate(variation_of_ordered_means, {"mu_2": [0], "mu_2_prime": [1]}, rational=True)


def three_events(policy: Any, mu_2: Any, mu_2_prime: Any, mu_1: Any, mu_2_alt: Any, alpha: Any, n_2: Any,
                 weight: Any) -> Sides:  # fmt: skip
    """P_nu(Omega) from histories, and the three terms of the decomposition from the coupled environment."""
    law = coupled_law(policy, mu_1, mu_2, mu_2_prime)
    variation = abs(mu_2_prime - mu_2)

    def omega_and(in_l: bool, in_a: bool | None) -> Fraction:
        return probability(law, lambda pulls, differing, ones: pulls <= n_2
                           and rarely_different(differing, n_2, alpha, variation) == in_l
                           and in_a in (None, likely(pulls, ones, n_2, alpha, mu_2_prime, mu_2_alt)))  # fmt: skip

    return (few_pulls(pulls_law(policy, mu_1, mu_2), n_2), "==",
            omega_and(True, True) + omega_and(True, False) + weight * omega_and(False, None))  # fmt: skip


@claim(
    "BDP-S3.5/step-2-decomposition",
    r"Step 2, (10): $\mathbb P_{\nu\pi}(\Omega)=\mathbb P_{\gamma\pi}(\Omega\cap L\cap A)"
    r"+\mathbb P_{\gamma\pi}(\Omega\cap L\cap A^c)+<weight>\,\mathbb P_{\gamma\pi}(\Omega\cap L^c)$.",
    domain=SETTING, role="part", constants={"weight": 1}, mutations=[mutation("last term at 99 %", weight="0.99")],
    strongest="enumeration",
)  # fmt: skip
def decomposition(check: Check) -> None:
    enumerate_on(check, three_events, points(INNER), ("law of the history", "three events of the coupled environment"))


def exponent_is_negative(alpha: Any, a_factor: Any) -> Sides:
    """The power of T in (11) with n_2 = (1 - alpha) log T / price and a = a_factor alpha^2."""
    return (1 + alpha) * (1 - alpha) + a_factor * alpha * alpha - 1, "<", 0 * alpha


def exponent_argument(a_factor: Any) -> SymbolicArgument:
    import sympy

    alpha = sympy.symbols("alpha", positive=True)
    return SymbolicArgument({"alpha": alpha}, alpha**2 / 2, "positive")


@claim(
    "BDP-S3.5/step-4-exponent",
    r"Step 4: with $a=<a_factor>\,\alpha^2$ the exponent of $T$ in (11), $(1+\alpha)(1-\alpha)+a-1$, is negative for"
    r" every $\alpha>0$.",
    domain=Domain.of(alpha="(0, inf)"), role="part", constants={"a_factor": "1/2"},
    mutations=[mutation("a = 1.01 alpha^2", a_factor="1.01")], strongest="symbolic",
)  # fmt: skip
def exponent(check: Check) -> None:
    check.symbolic(exponent_is_negative, exponent_argument)


def count_grows(alpha: Any, scale: Any) -> Sides:
    """n_2 price / log T: n_2(T) tends to infinity exactly if this is positive."""
    return 1 - scale * alpha, ">", 0 * alpha


def count_argument(scale: Any) -> SymbolicArgument:
    import sympy

    s = sympy.symbols("s", positive=True)
    return SymbolicArgument({"alpha": s / (1 + s)}, 1 / (1 + s), "positive")


@claim(
    "BDP-S3.5/step-4-count-diverges",
    r"Step 4 applies the lemmas for any $\alpha>0$:"
    r" $n_2(T)=(1-\alpha)\log T/(\epsilon\mathrm{TV}+\mathrm{kl})\to\infty$, as they require.",
    domain=Domain.of(alpha="(0, inf)"), role="reading", constants={"scale": 1}, strongest="symbolic",
)  # fmt: skip
def count_diverges(check: Check) -> None:
    """At alpha = 1 the count is 0 for every horizon, beyond it is negative."""
    check.search(count_grows, [{"alpha": Fraction(1)}])


@claim(
    "BDP-S3.5/step-4-count-diverges-for-small-slack",
    r"For $0<\alpha<1$, $n_2(T)=(1-<scale>\,\alpha)\log T/(\epsilon\mathrm{TV}+\mathrm{kl})\to\infty$.",
    domain=Domain.of(alpha="(0, 1)"), role="repair", repairs="BDP-S3.5/step-4-count-diverges",
    constants={"scale": 1}, mutations=[mutation("scale 1.1", scale="1.1")], strongest="symbolic",
)  # fmt: skip
def count_diverges_for_small_slack(check: Check) -> None:
    check.symbolic(count_grows, count_argument)


def mean_at_least(policy: Any, mu_2: Any, mu_1: Any, n_2: Any, factor: Any) -> Sides:
    law = pulls_law(policy, mu_1, mu_2)
    return expected_pulls(law), ">=", factor * n_2 * (1 - few_pulls(law, n_2))


@claim(
    "BDP-S3.5/step-4-markov",
    r"Step 4: $\mathbb E_{\nu\pi}[N_2(T)]\ge<factor>\,n_2\,\mathbb P_{\nu\pi}(N_2(T)>n_2)$.",
    domain=SETTING, role="part", constants={"factor": 1}, mutations=[mutation("factor 3", factor="3.0")],
    strongest="enumeration",
)  # fmt: skip
def markov(check: Check) -> None:
    over = points(INNER, slacks=("1",), counts=(1, 2, 3))
    constant = [{**p, "policy": ["constant", Fraction(1, 100), 4, 2]} for p in over[:3]]
    enumerate_on(check, mean_at_least, over + constant, ("mean of the exact law", "its tail"))


def room_for_a_better_arm(mu_1: Any) -> Sides:
    """How far above mu_1 the mean of arm 2 can be moved in the second alternative."""
    return 1 - mu_1, ">", 0 * mu_1


@claim(
    "BDP-S3.5/step-4-limit",
    r"Step 4: alternatives $\mu_2''>\mu_1$ with $\mu_2''\to\mu_1$ exist, and there"
    r" $\mathrm{kl}(\mu_2',\mu_2'')\to\mathrm{kl}(\mu_2',\mu_1)$.",
    domain=Domain.of(mu_2_prime="[0, 1]", mu_1="[0, 1]", where=["mu_2_prime <= mu_1"]), role="part",
    strongest="symbolic",
)  # fmt: skip
def limit_of_alternatives(check: Check) -> None:
    """No Bernoulli arm has a mean above 1: at mu_1 = 1 there is no environment to change to."""
    check.search(room_for_a_better_arm, [{"mu_2_prime": Fraction(1, 2), "mu_1": Fraction(1)}])


def price_slope(mu_2_prime: Any, mu_1: Any, bound: Any) -> Sides:
    """The derivative of kl(mu_2', t) at t = mu_1, times t (1 - t)."""
    return mu_1 - mu_2_prime, "<=", bound * mu_1


def price_slope_argument(bound: Any) -> SymbolicArgument:
    import sympy

    s, z = sympy.symbols("s", positive=True), sympy.symbols("z", nonnegative=True)
    mu_1 = s / (1 + s)
    return SymbolicArgument({"mu_2_prime": mu_1 * z / (1 + z), "mu_1": mu_1}, mu_1 * z / (1 + z), "nonnegative")


@claim(
    "BDP-S3.5/step-4-limit-below-one",
    r"For $0\le\mu_2'<\mu_1<1$, $\partial_t\mathrm{kl}(\mu_2',t)\le<bound>/(1-t)$ at $t=\mu_1$, so that"
    r" $\mathrm{kl}(\mu_2',\mu_2'')\to\mathrm{kl}(\mu_2',\mu_1)$ as $\mu_2''\downarrow\mu_1$.",
    domain=Domain.of(mu_2_prime="[0, 1)", mu_1="(0, 1)", where=["mu_2_prime < mu_1"]), role="repair",
    repairs="BDP-S3.5/step-4-limit", constants={"bound": 1}, mutations=[mutation("bound 0.99", bound="0.99")],
    strongest="symbolic",
)  # fmt: skip
def limit_below_one(check: Check) -> None:
    check.symbolic(price_slope, price_slope_argument, points=20)
