"""The three lemmas behind the regret lower bound of *Optimal Regret of Bernoulli Bandits under Global Differential
Privacy*: the double change of environment, and the two events it neglects.

In each lemma the policy disappears after one inequality. That inequality is compared with exact probabilities of finite
policies; the bound it leaves, a random walk or a binomial tail, is compared with the exact lattice sum.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_coupling import (
    CHAIN,
    ENVIRONMENTS,
    EVERY_POLICY,
    INNER,
    SETTING,
    Sides,
    enumerate_on,
    points,
)  # fmt: skip
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.coupled_environment import (
    binomial_bound,
    binomial_tail,
    coupled_law,
    expected_pulls,
    few_pulls,
    likely,
    policy_named,
    privacy_ratio,
    probability,
    pulls_law,
    rarely_different,
    walk_bound,
    walk_crosses,
)  # fmt: skip
from banditproof.paper_checks.register import claim, mutation
from banditproof.theory.bernoulli import kl_bernoulli
from banditproof.theory.numeric import exp, log, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.output_laws import view_law
from banditproof.verify.symbolic import SymbolicArgument

# ---------------------------------------------------------------------------------------- double change of environment

DOUBLE_CHANGE = Domain.of(policy=EVERY_POLICY, exp_epsilon="(1, inf)", alpha="(0, inf)", n_2="[0, inf)", **ENVIRONMENTS,
                          where=[*CHAIN, "mu_1 < mu_2_alt"])  # fmt: skip


def at_their_budgets(over: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The points together with e^epsilon of the tightest epsilon > 0 (or a small one) of their policies."""
    return [point | {"exp_epsilon": max(privacy_ratio(point["policy"]), Fraction(101, 100))} for point in over]


def double_change(policy: Any, exp_epsilon: Any, mu_2: Any, mu_2_prime: Any, mu_1: Any, mu_2_alt: Any, alpha: Any,
                  n_2: Any, privacy: Any, information: Any) -> Sides:  # fmt: skip
    """P(Omega, L, A) in the coupled environment against its price times P(Omega) in nu''."""
    law = coupled_law(policy, mu_1, mu_2, mu_2_prime)
    variation = mu_2_prime - mu_2
    left = probability(law, lambda pulls, differing, ones: pulls <= n_2
                       and rarely_different(differing, n_2, alpha, variation)
                       and likely(pulls, ones, n_2, alpha, mu_2_prime, mu_2_alt))  # fmt: skip
    price = (to_ball(privacy * variation) * log(to_ball(exp_epsilon))
             + to_ball(information) * kl_bernoulli(to_ball(mu_2_prime), to_ball(mu_2_alt)))  # fmt: skip
    in_the_alternative = few_pulls(pulls_law(policy, mu_1, mu_2_alt), n_2)
    return left, "<=", exp(to_ball((1 + alpha) * n_2) * price) * to_ball(in_the_alternative)


@claim(
    "BDP-LC.1",
    r"$\mathbb P_{\gamma\pi}(\Omega\cap L\cap A)\le e^{(1+\alpha)n_2(<privacy>\,\epsilon\mathrm{TV}(P_2,P_2')"
    r"+<information>\,\mathrm{kl}(\mu_2',\mu_2''))}\,\mathbb P_{\nu''\pi}(N_2(T)\le n_2)$, and the last factor is"
    r" $O(T^a)/(T-n_2)$ for every $a>0$ when $\mu_2''>\mu_1$.",
    domain=DOUBLE_CHANGE, constants={"privacy": 1, "information": 1}, strongest="enumeration",
    mutations=[mutation("no price for privacy", privacy="0.0"),
               mutation("no price for information", information="0.0")],
)  # fmt: skip
def double_change_of_environment(check: Check) -> None:
    """Group privacy moves the policy from r to r' at e^epsilon for each of the at most (1 + alpha) n_2 TV differences;
    r is then summed out, and the likelihood ratio on A moves r' from nu' to nu''. Markov's inequality and consistency
    bound what is left."""
    enumerate_on(check, double_change, at_their_budgets(points(INNER)),
                 ("coupled environment, exactly", "price times the exact law in nu''"))  # fmt: skip


def group_privacy(policy: Any, exp_epsilon: Any) -> Sides:
    """The largest ratio V_r(a) / V_r'(a), per differing reward, over all reward lists and actions."""
    kernel = policy_named(policy)
    lists = [tuple(int(bit) for bit in f"{number:0{kernel.horizon}b}") for number in range(2**kernel.horizon)]
    laws = {rewards: view_law(kernel, rewards) for rewards in lists}
    worst = Fraction(0)
    for r, law in laws.items():
        for s, other in laws.items():
            factor = Fraction(exp_epsilon) ** sum(x != y for x, y in zip(r, s, strict=True))
            worst = max(worst, *(law[a] / (factor * other[a]) for a in law))
    return worst, "<=", 1


@claim(
    "BDP-LC.1/step-a-group-privacy",
    r"Step (a): $\mathcal V_{\mathbf r}(\mathbf a)\le (<base>\cdot e^\epsilon)^{\mathrm{dham}(\mathbf r,\mathbf r')}"
    r"\,\mathcal V_{\mathbf r'}(\mathbf a)$ for every $\epsilon$-global DP policy.",
    domain=Domain.of(policy=EVERY_POLICY, exp_epsilon="(1, inf)"), role="step", strongest="enumeration",
    constants={"base": 1}, mutations=[mutation("epsilon less log(1/0.99)", base="0.99")],
)  # fmt: skip
def group_privacy_of_actions(check: Check) -> None:
    policies = at_their_budgets(points(INNER[:1], slacks=("1",), counts=(1,)))
    over = [{name: point[name] for name in ("policy", "exp_epsilon")} for point in policies]
    enumerate_on(check, group_privacy_at_base, over, ("laws on all pairs of reward lists", "group privacy"))


def group_privacy_at_base(policy: Any, exp_epsilon: Any, base: Any) -> Sides:
    return group_privacy(policy, base * exp_epsilon)


def markov_in_the_alternative(policy: Any, mu_1: Any, mu_2_alt: Any, n_2: Any, factor: Any) -> Sides:
    """P(N_2 <= n_2) against E[N_1] / (T - n_2), both in nu''."""
    law, horizon = pulls_law(policy, mu_1, mu_2_alt), policy_named(policy).horizon
    return few_pulls(law, n_2), "<=", factor * (horizon - expected_pulls(law)) / (horizon - n_2)


@claim(
    "BDP-LC.1/step-markov",
    r"Last step: $\mathbb P_{\nu''\pi}(N_2(T)\le n_2)\le<factor>\,\mathbb E_{\nu''\pi}[N_1(T)]/(T-n_2)$ for $n_2<T$.",
    domain=DOUBLE_CHANGE, role="step", constants={"factor": 1}, mutations=[mutation("one third", factor="1/3")],
    strongest="enumeration",
)  # fmt: skip
def markov_for_the_better_arm(check: Check) -> None:
    over = points(INNER, slacks=("1",), counts=(0, 1, 2, 3))
    constant = [p | {"policy": ["constant", Fraction(99, 100), 4, 2]} for p in over[:4]]
    enumerate_on(check, markov_in_the_alternative, at_their_budgets(over + constant), ("tail", "mean"))


# ------------------------------------------------------------------------------------------- the likelihood ratio event

WALKS = {"mu_2_prime": ["1/10", "1/2"], "mu_2_alt": ["1/2", "4/5", "99/100"]}
NO_POLICY = "all: no policy occurs in the bound"


def unlikely_in_the_coupled_run(policy: Any, mu_2: Any, mu_2_prime: Any, mu_1: Any, mu_2_alt: Any, alpha: Any,
                                n_2: Any, slack: Any) -> Sides:  # fmt: skip
    """P(Omega, L, A^c) in the coupled environment against the exact probability that the random walk crosses."""
    law = coupled_law(policy, mu_1, mu_2, mu_2_prime)
    left = probability(law, lambda pulls, differing, ones: pulls <= n_2
                       and rarely_different(differing, n_2, alpha, mu_2_prime - mu_2)
                       and not likely(pulls, ones, n_2, alpha, mu_2_prime, mu_2_alt))  # fmt: skip
    return left, "<=", walk_crosses(n_2, slack * alpha, mu_2_prime, mu_2_alt)


def walk_stays_below(mu_2_prime: Any, mu_2_alt: Any, alpha: Any, n_2: Any, slack: Any) -> Sides:
    """The exact probability that the walk crosses (1 + slack alpha) n_2 kl against exp(-2 alpha^2 n_2 kl^2 / R^2)."""
    return walk_crosses(n_2, slack * alpha, mu_2_prime, mu_2_alt), "<=", walk_bound(n_2, alpha, mu_2_prime, mu_2_alt)


@claim(
    "BDP-LC.3",
    r"If $n_2(T)\to\infty$, then $\mathbb P_{\gamma\pi}(\Omega\cap L\cap A^c)\le"
    r"\mathbb P(\max_{m\le n_2}\sum_{s\le m}W_s>(1+<slack>\,\alpha)\,n_2\,\mathrm{kl}(\mu_2',\mu_2''))\to0$.",
    domain=SETTING, constants={"slack": 1}, mutations=[mutation("level below the mean", slack="-0.5")],
    strongest="enumeration",
)  # fmt: skip
def likelihood_ratio_event(check: Check) -> None:
    """The second inequality is Doob's and Hoeffding's, with a bound that vanishes as n_2 grows."""
    walks = {**WALKS, "alpha": ["1/10", "1/2", "2"], "n_2": [1, 5, 20, "41/2"]}
    means = {"mu_2": ["1/10"], "mu_1": ["1/2"], "policy": ["none"]}
    covers = check.domain.restrict(policy=NO_POLICY, **walks)
    if not check.enumerate(walk_stays_below, walks | means, covers=covers, rational=True,
                           routes=("exact walk on the lattice", "Doob-Hoeffding bound")):  # fmt: skip
        return
    enumerate_on(check, unlikely_in_the_coupled_run, points(INNER), ("coupled environment, exactly", "random walk"))
    counts, slack = [10, 20, 40, 80, 160], check.constants["slack"] * Fraction(1, 2)
    series = [(n, walk_crosses(n, slack, Fraction(3, 10), Fraction(6, 10))) for n in counts]
    covers = check.domain.restrict(policy=NO_POLICY, alpha=["1/2"], mu_2_prime=["3/10"], mu_2_alt=["3/5"], n_2=counts)
    check.trend("vanishes", ends(series), "random walk at means 0.3 and 0.6", covers, tolerance=Fraction(1, 20))


def ends(series: list[tuple[Any, Any]]) -> list[tuple[Any, list[float]]]:
    """A series of balls as floats: the lower and upper end of each."""
    return [(index, [float(to_ball(ball).lower()), float(to_ball(ball).upper())]) for index, ball in series]


CHANGE = Domain.of(mu_2_prime="[0, 1]", mu_2_alt="[0, 1]", where=["mu_2_prime <= mu_2_alt"])


def walk_has_positive_mean(mu_2_prime: Any, mu_2_alt: Any) -> Sides:
    """The mean of a step W is kl(mu_2', mu_2'')."""
    return kl_bernoulli(mu_2_prime, mu_2_alt), ">", 0 * mu_2_prime


@claim(
    "BDP-LC.3/step-positive-mean",
    r"In its proof, for $\mu_2'\le\mu_1\le\mu_2''$, $W_s$ has the positive mean $\mathrm{kl}(\mu_2',\mu_2'')$.",
    domain=CHANGE, role="step", strongest="symbolic",
)  # fmt: skip
def positive_mean(check: Check) -> None:
    """The chain allows mu_2' = mu_1 = mu_2'', where W is 0."""
    check.search(walk_has_positive_mean, [{"mu_2_prime": Fraction(1, 2), "mu_2_alt": Fraction(1, 2)}])


def price_grows(mu_2_prime: Any, mu_2_alt: Any, factor: Any) -> Sides:
    """The derivative of kl(mu_2', t) at t = mu_2'', times t (1 - t); kl is 0 at t = mu_2', so it is positive beyond."""
    return mu_2_alt - factor * mu_2_prime, ">", 0 * mu_2_alt


def price_argument(factor: Any) -> SymbolicArgument:
    import sympy

    s, z = sympy.symbols("s", positive=True), sympy.symbols("z", nonnegative=True)
    means = {"mu_2_prime": z / (1 + z), "mu_2_alt": 1 - 1 / ((1 + z) * (1 + s))}
    return SymbolicArgument(means, s / ((1 + z) * (1 + s)), "positive")


@claim(
    "BDP-LC.3/step-positive-mean-of-a-change",
    r"For $0\le\mu_2'<\mu_2''<1$, $\partial_t\mathrm{kl}(\mu_2',t)=(t-<factor>\,\mu_2')/(t(1-t))>0$ at $t=\mu_2''$ and"
    r" at all $t$ between, so $W_s$ has a positive mean.",
    domain=Domain.of(mu_2_prime="[0, 1)", mu_2_alt="(0, 1)", where=["mu_2_prime < mu_2_alt"]), role="repair",
    repairs="BDP-LC.3/step-positive-mean", constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")],
    strongest="symbolic",
)  # fmt: skip
def positive_mean_of_a_change(check: Check) -> None:
    check.symbolic(price_grows, price_argument)


def mean_is_finite(mu_2_prime: Any, mu_2_alt: Any) -> Sides:
    """A bounded variable has a finite mean; that of W is kl(mu_2', mu_2'')."""
    return kl_bernoulli(mu_2_prime, mu_2_alt), "<", float("inf")


@claim(
    "BDP-LC.3/step-bounded", r"In its proof, for $\mu_2'\le\mu_1\le\mu_2''$, $W_s$ is bounded.",
    domain=CHANGE, role="step", strongest="symbolic",
)  # fmt: skip
def bounded_steps(check: Check) -> None:
    """At mu_2'' = 1 a reward 0, possible while mu_2' < 1, has an infinite likelihood ratio."""
    check.search(mean_is_finite, [{"mu_2_prime": Fraction(1, 2), "mu_2_alt": Fraction(1)}])


def largest_ratio(mu_2_prime: Any, bound: Any) -> Sides:
    """dP'/dP'' at the reward 0, its larger value for mu_2' <= mu_2'', times 1 - mu_2''."""
    return 1 - mu_2_prime, "<=", bound + 0 * mu_2_prime


def ratio_argument(bound: Any) -> SymbolicArgument:
    import sympy

    s, z = sympy.symbols("s z", nonnegative=True)
    means = {"mu_2_prime": z / (1 + z), "mu_2_alt": 1 - 1 / ((1 + z) * (1 + s))}
    return SymbolicArgument(means, z / (1 + z), "nonnegative")


@claim(
    "BDP-LC.3/step-bounded-below-one",
    r"For $\mu_2'\le\mu_2''<1$, $dP_2'/dP_2''\le<bound>/(1-\mu_2'')$; it is at least $\mu_2'$ at a reward 1, which"
    r" occurs if $\mu_2'>0$. So $W_s$ is bounded almost surely.",
    domain=CHANGE.restrict(mu_2_prime="[0, 1)", mu_2_alt="[0, 1)"), role="repair", repairs="BDP-LC.3/step-bounded",
    constants={"bound": 1}, mutations=[mutation("bound 0.9", bound="0.9")], strongest="symbolic",
)  # fmt: skip
def bounded_steps_below_one(check: Check) -> None:
    check.symbolic(largest_ratio, ratio_argument)


def never_unlikely(policy: Any, mu_2: Any, mu_2_prime: Any, mu_1: Any, mu_2_alt: Any, alpha: Any, n_2: Any,
                   claimed: Any) -> Sides:  # fmt: skip
    law = coupled_law(policy, mu_1, mu_2, mu_2_prime)
    missed = probability(law, lambda pulls, _, ones: pulls <= n_2
                         and not likely(pulls, ones, n_2, alpha, mu_2_prime, mu_2_alt))  # fmt: skip
    return missed, "==", claimed


@claim(
    "BDP-LC.3/edge-equal-environments",
    r"At $\mu_2'=\mu_1=\mu_2''$ the event $A^c$ is empty (its inequality reads $0>0$): its probability is $<claimed>$.",
    domain=SETTING.restrict(where=["mu_2_prime == mu_2_alt"]), role="edge", constants={"claimed": 0},
    mutations=[mutation("1 %", claimed="0.01")], strongest="enumeration",
)  # fmt: skip
def equal_environments(check: Check) -> None:
    over = points([("1/10", "1/2", "1/2", "1/2"), ("0", "0", "0", "0"), ("1/2", "1", "1", "1")], seeds=2)
    enumerate_on(check, never_unlikely, over, ("coupled environment, exactly", "empty event"))


@claim(
    "BDP-LC.3/edge-alternative-mean-one",
    r"At $\mu_2''=1>\mu_2'$ the event $A^c$ is empty ($\mathrm{kl}=\infty$): its probability is $<claimed>$.",
    domain=SETTING.restrict(mu_2_alt=[1], where=["mu_2_prime < mu_2_alt"]), role="edge", constants={"claimed": 0},
    mutations=[mutation("1 %", claimed="0.01")], strongest="enumeration",
)  # fmt: skip
def alternative_mean_one(check: Check) -> None:
    over = points([("1/10", "1/2", "1/2", "1"), ("0", "0", "1/2", "1")], seeds=2)
    enumerate_on(check, never_unlikely, over, ("coupled environment, exactly", "empty event"))


# ------------------------------------------------------------------------------------------------ the Hamming distance


def often_different_in_the_coupled_run(policy: Any, mu_2: Any, mu_2_prime: Any, mu_1: Any, alpha: Any, n_2: Any,
                                       slack: Any) -> Sides:  # fmt: skip
    """P(Omega, L^c) in the coupled environment against an exact binomial tail."""
    law, variation = coupled_law(policy, mu_1, mu_2, mu_2_prime), mu_2_prime - mu_2
    left = probability(law, lambda pulls, differing, _: pulls <= n_2
                       and not rarely_different(differing, n_2, alpha, variation))  # fmt: skip
    return left, "<=", binomial_tail(n_2, variation, (1 + slack * alpha) * n_2 * variation)


def differences_are_few(mu_2: Any, mu_2_prime: Any, alpha: Any, n_2: Any, slack: Any) -> Sides:
    """The exact tail P(Bin(n_2, TV) > (1 + slack alpha) n_2 TV) against Chernoff's bound."""
    variation = mu_2_prime - mu_2
    tail = binomial_tail(n_2, variation, (1 + slack * alpha) * n_2 * variation)
    return tail, "<=", binomial_bound(n_2, alpha, variation)


@claim(
    "BDP-LC.5",
    r"If $n_2(T)\to\infty$, then $\mathbb P_{\gamma\pi}(\Omega\cap L^c)\le\mathbb P(\mathrm{Bin}(n_2,\mathrm{TV})>"
    r"(1+<slack>\,\alpha)\,n_2\,\mathrm{TV})\to0$ with $\mathrm{TV}=\mu_2'-\mu_2$.",
    domain=SETTING, constants={"slack": 1}, mutations=[mutation("level below the mean", slack="-0.5")],
    strongest="enumeration",
)  # fmt: skip
def hamming_distance_event(check: Check) -> None:
    """The differences are independent and non-negative: the largest partial sum is the full one."""
    grid = {"mu_2": ["0", "1/10", "2/5"], "mu_2_prime": ["2/5", "9/10", "1"], "alpha": ["1/100", "1/4", "2"],
            "n_2": [1, 6, 30, "121/4"]}  # fmt: skip
    covers = check.domain.restrict(policy=NO_POLICY, **grid)
    means = {"mu_1": ["1"], "mu_2_alt": ["1"], "policy": ["none"]}
    if not check.enumerate(differences_are_few, grid | means, covers=covers, rational=True,
                           routes=("exact binomial tail", "Chernoff bound")):  # fmt: skip
        return
    over = points(INNER)
    enumerate_on(check, often_different_in_the_coupled_run, over, ("coupled environment, exactly", "binomial tail"))
    counts, slack = [10, 40, 160, 640, 1280], check.constants["slack"] * Fraction(1, 5)
    series = [(n, binomial_tail(n, Fraction(3, 10), (1 + slack) * n * Fraction(3, 10))) for n in counts]
    covers = check.domain.restrict(policy=NO_POLICY, alpha=["1/5"], mu_2=["1/10"], mu_2_prime=["2/5"], n_2=counts)
    check.trend("vanishes", ends(series), "binomial tail at TV = 0.3", covers, tolerance=Fraction(1, 20))


def differences_have_positive_mean(mu_2: Any, mu_2_prime: Any, factor: Any) -> Sides:
    """The mean of Z is the total variation distance mu_2' - mu_2."""
    return mu_2_prime - factor * mu_2, ">", 0 * mu_2


@claim(
    "BDP-LC.5/step-positive-mean",
    r"In its proof, for $\mu_2\le\mu_2'$, $Z_s$ has the positive mean $\mathrm{TV}(P_2,P_2')$.",
    domain=Domain.of(mu_2="[0, 1]", mu_2_prime="[0, 1]", where=["mu_2 <= mu_2_prime"]), role="step",
    constants={"factor": 1}, strongest="symbolic",
)  # fmt: skip
def differences_of_positive_mean(check: Check) -> None:
    """In the low privacy regime the best choice is mu_2' = mu_2, where the rewards never differ."""
    check.search(differences_have_positive_mean, [{"mu_2": Fraction(1, 2), "mu_2_prime": Fraction(1, 2)}])


def change_argument(factor: Any) -> SymbolicArgument:
    import sympy

    z, r = sympy.symbols("z r", nonnegative=True)
    means = {"mu_2": z / ((1 + r) * (1 + z)), "mu_2_prime": 1 / (1 + r)}
    return SymbolicArgument(means, 1 / ((1 + r) * (1 + z)), "positive")


@claim(
    "BDP-LC.5/step-positive-mean-of-a-change",
    r"For $\mu_2<\mu_2'$ the mean $\mu_2'-<factor>\,\mu_2$ of $Z_s$ is positive.",
    domain=Domain.of(mu_2="[0, 1]", mu_2_prime="[0, 1]", where=["mu_2 < mu_2_prime"]), role="repair",
    repairs="BDP-LC.5/step-positive-mean", constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")],
    strongest="symbolic",
)  # fmt: skip
def positive_mean_of_differences(check: Check) -> None:
    check.symbolic(differences_have_positive_mean, change_argument)


def never_different(policy: Any, mu_2: Any, mu_2_prime: Any, mu_1: Any, alpha: Any, n_2: Any, claimed: Any) -> Sides:
    law = coupled_law(policy, mu_1, mu_2, mu_2_prime)
    missed = probability(law, lambda pulls, differing, _: pulls <= n_2
                         and not rarely_different(differing, n_2, alpha, mu_2_prime - mu_2))  # fmt: skip
    return missed, "==", claimed


@claim(
    "BDP-LC.5/edge-same-environment",
    r"At $\mu_2'=\mu_2$ the rewards never differ and $L^c$ is empty: its probability is $<claimed>$.",
    domain=SETTING.restrict(where=["mu_2 == mu_2_prime"]), role="edge", constants={"claimed": 0},
    mutations=[mutation("1 %", claimed="0.01")], strongest="enumeration",
)  # fmt: skip
def same_environment(check: Check) -> None:
    over = points([("1/10", "1/10", "1/2", "3/5"), ("0", "0", "1/2", "1"), ("1", "1", "1", "1")], seeds=2)
    enumerate_on(check, never_different, over, ("coupled environment, exactly", "empty event"))
