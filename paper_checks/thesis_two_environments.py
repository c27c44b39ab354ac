r"""The two-environment method of Section 4.1 and the non-private minimax bound that it gives."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.privacy_regimes import entropy_class, relative_entropy
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.two_environments import (
    action_law,
    add_log,
    as_ball,
    bernoulli_laws,
    entropy,
    expected_count,
    few_first,
    histories,
    marginal_entropy,
    means,
    positive,
    ratio,
    regret,
)
from banditproof.theory.bernoulli import kl_bernoulli
from banditproof.theory.exponential_families import kl_gaussian
from banditproof.theory.numeric import SYMBOL, exp, log, sqrt, system, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
EVERY_POLICY = "all: every policy"
GAPS = ["1/10", "1/4", "2/5"]
POLICIES: list[list[Any]] = [
    *(["random", seed, horizon, arms] for seed in range(3) for horizon, arms in ((1, 2), (3, 2), (4, 2), (3, 3))),
    *(["response", Fraction(9), horizon, arms] for horizon, arms in ((4, 2), (4, 3))),
]
ON_POLICIES = Domain.of(policy=EVERY_POLICY, gap="(0, 1/2)")


def on_policies(check: Check, relation: Any, routes: tuple[str, str], rational: bool = True) -> bool:
    over = [{"policy": policy, "gap": Fraction(gap)} for policy in POLICIES for gap in GAPS]
    covers = check.domain.restrict(policy=f"all: {len(POLICIES)} finite policies with Bernoulli arms", gap=GAPS)
    return check.enumerate(relation, over, covers=covers, rational=rational, routes=routes)


def environments(policy: Any, gap: Any) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    return means(policy[3], gap, False), means(policy[3], gap, True)


# ---------------------------------------------------------------------------------------- the least explored arm, S4.1a


def least_explored(first: Any, least: Any, excess: Any, arms: Any, spared: Any) -> Sides:
    """E[N_1] = first, E[N_a] >= least for a > 1, with sum over a > 1 of E[N_a] - least = excess; T is the total."""
    horizon = first + (arms - 1) * least + excess
    return (arms - spared) * least, "<=", horizon


def pulls_left_over(spared: Any) -> SymbolicArgument:
    import sympy

    first, least, excess = sympy.symbols("f n e", nonnegative=True)
    others = sympy.Symbol("k", integer=True, positive=True)
    return SymbolicArgument(
        {"first": first, "least": least, "excess": excess, "arms": 1 + others}, first + excess, "nonnegative"
    )


LEAST = Domain.of(first="[0, inf)", least="[0, inf)", excess="[0, inf)", arms="integer [2, inf)")


def rises_to_the_top(gap: Any, factor: Any) -> Sides:
    """In the second environment arm i beats arm 1 as clearly as arm 1 beats it in the first."""
    return gap, "<=", factor * gap - gap


def nothing_left(factor: Any) -> SymbolicArgument:
    gap = positive("g")
    return SymbolicArgument({"gap": gap}, 0 * gap, "nonnegative")


parts_decide(
    "TH-S4.1a",
    r"$\mu=(\Delta,0,\dots,0)$ and $\mu'$ with $\mu'_i=2\Delta$ for the arm $i>1$ that is pulled least under $\mu$: "
    r"$\mathbb E_\mu[N_i(T)]\le\frac T{K-1}$, and arms 1 and $i$ change places.",
)


@claim(
    "TH-S4.1a/least-explored-arm",
    r"$(K-<spared>)\,\mathbb E_\mu[N_i(T)]\le T$ for $i=\arg\min_{a>1}\mathbb E_\mu[N_a(T)]$.",
    domain=LEAST, constants={"spared": 1}, mutations=[mutation("K instead of K - 1", spared=0)], strongest="symbolic",
)  # fmt: skip
def least_explored_arm(check: Check) -> None:
    if not check.search(least_explored, [{"first": 0, "least": Fraction(1), "excess": 0, "arms": 2}]):
        check.symbolic(least_explored, pulls_left_over, routes=("K - 1 times the least", "all pulls"))


@claim(
    "TH-S4.1a/conflict",
    r"Arm 1 is optimal in $\nu_\mu$ by $\Delta$, and arm $i$ in $\nu_{\mu'}$ by at least as much "
    r"($\mu'_i=<factor>\Delta$).",
    domain=Domain.of(gap="(0, inf)"), constants={"factor": 2}, mutations=[mutation("1.9", factor="1.9")],
    strongest="symbolic",
)  # fmt: skip
def conflict(check: Check) -> None:
    check.symbolic(rises_to_the_top, nothing_left)


# ------------------------------------------------------------------------------------------- regret and testing, S4.1b


def few_pulls_cost(pulls: Any, horizon: Any, gap: Any, share: Any) -> Sides:
    return (horizon - pulls) * gap, ">=", share * horizon * gap


def few_pulls_argument(share: Any) -> SymbolicArgument:
    import sympy

    n, rest = sympy.symbols("n r", integer=True, nonnegative=True)
    gap = positive("g")
    return SymbolicArgument({"pulls": n, "horizon": 2 * n + rest, "gap": gap}, rest * gap / 2, "nonnegative")


def many_pulls_cost(pulls: Any, horizon: Any, rest: Any, gap: Any, share: Any) -> Sides:
    """pulls = N_1 > T/2, rest = pulls of arms other than 1 and i, horizon = T."""
    return pulls * gap + 2 * rest * gap, ">", share * horizon * gap


def many_pulls_argument(share: Any) -> SymbolicArgument:
    import sympy

    horizon, rest = sympy.symbols("t r", integer=True, nonnegative=True)
    more, gap = positive("s g")
    variables = {"pulls": (horizon + more) / 2, "horizon": horizon, "rest": rest, "gap": gap}
    return SymbolicArgument(variables, more * gap / 2 + 2 * rest * gap, "positive")


FEW = Domain.of(pulls="integer [0, inf)", horizon="integer [0, inf)", gap="(0, inf)", where=["2*pulls <= horizon"])
MANY = Domain.of(pulls="(0, inf)", horizon="integer [0, inf)", rest="integer [0, inf)", gap="(0, inf)",
                 where=["2*pulls > horizon"])  # fmt: skip


@claim(
    "TH-S4.1b/markov-first",
    r"On $A=\{N_1\le T/2\}$ the regret in $\nu_\mu$ is $(T-N_1)\Delta\ge <share>\,T\Delta$; outside it is $\ge0$.",
    domain=FEW, constants={"share": "1/2"}, mutations=[mutation("0.51", share="0.51")], strongest="symbolic",
)  # fmt: skip
def markov_first(check: Check) -> None:
    if not check.search(few_pulls_cost, [{"pulls": 1, "horizon": 2, "gap": Fraction(1)}]):
        check.symbolic(few_pulls_cost, few_pulls_argument)


@claim(
    "TH-S4.1b/markov-second",
    r"On $A^c$, so $2N_1>T$, the regret in $\nu_{\mu'}$ is $\Delta N_1+2\Delta\sum_{a\ne1,i}N_a><share>\,T\Delta$ "
    r"(whether or not $N_1$ is an integer).",
    domain=MANY, constants={"share": "1/2"}, mutations=[mutation("0.51", share="0.51")], strongest="symbolic",
)  # fmt: skip
def markov_second(check: Check) -> None:
    hint = {"pulls": Fraction(26), "horizon": 51, "rest": 0, "gap": Fraction(1)}
    if not check.search(many_pulls_cost, [hint]):
        check.symbolic(many_pulls_cost, many_pulls_argument)


def bretagnolle_huber(p: Any, q: Any, factor: Any) -> Sides:
    """p = M(A), q = M'(A): p + 1 - q >= factor e^-kl(p, q), in logarithms."""
    return -_kl(p, q), "<=", log((p + 1 - q) / factor)


def _kl(p: Any, q: Any) -> Any:
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q)) if system(p, q) == SYMBOL else kl_bernoulli(p, q)


def through_the_affinity(factor: Any) -> SymbolicArgument:
    """-kl(P, Q) = 2 log B - 2 kl(P, R) with B = sum sqrt(pq), R = sqrt(PQ)/B; and B^2 <= m (2 - m), m = p + 1 - q.

    Odds are squares, p = 1/(1 + a^2) and q = 1/(1 + b^2), which makes B^2 and R rational in a and b.
    """
    import sympy

    a, b = positive("a b")
    p, q, r = 1 / (1 + a**2), 1 / (1 + b**2), 1 / (1 + a * b)
    m, affinity = p + 1 - q, (1 + a * b) ** 2 * p * q
    left_over = (m**2 + (a * p - b * q) ** 2) / affinity
    return SymbolicArgument({"p": p, "q": q}, 2 * relative_entropy(p, r) + sympy.log(1 + left_over), "nonnegative")


def bretagnolle_huber_at_the_edge(p: Any, q: Any, factor: Any) -> Sides:
    return p + 1 - q, ">=", factor * exp(-kl_bernoulli(p, q))


HALF_AND_MORE = {"constants": {"factor": "1/2"}, "mutations": [mutation("1.01", factor="1.01")]}
BH = r"Bretagnolle-Huber, for any event: $\mathbb M_\mu(A)+\mathbb M_{\mu'}(A^c)\ge <factor>\,e^{-D_{\mathrm{KL}}}$"


@claim("TH-S4.1b/bretagnolle-huber", BH + r", $D_{\mathrm{KL}}\ge\mathrm{kl}(\mathbb M_\mu(A),\mathbb M_{\mu'}(A))$.",
       domain=Domain.of(p="(0, 1)", q="(0, 1)"), strongest="symbolic", **HALF_AND_MORE)  # fmt: skip
def bretagnolle_huber_inequality(check: Check) -> None:
    if not check.search(bretagnolle_huber, [{"p": Fraction(1, n), "q": Fraction(1, n)} for n in (2, 3)]):
        check.symbolic(bretagnolle_huber, through_the_affinity, routes=("relative entropy", "Hellinger affinity"))


@claim("TH-S4.1b/bretagnolle-huber-certain-events", BH + r", where one of the probabilities is 0 or 1.",
       domain=Domain.of(p="[0, 1]", q="[0, 1]", where=["p*q*(1-p)*(1-q) == 0"]), role="edge", strongest="enumeration",
       **HALF_AND_MORE)  # fmt: skip
def certain_events(check: Check) -> None:
    """p = 0: 1 - q >= (1 - q)/2; p = 1: 2 - q >= q/2; q in {0, 1} and p not: the right side is 0."""
    values = [Fraction(n, 8) for n in range(9)]
    edge = [{"p": p, "q": q} for p in values for q in values if p * q * (1 - p) * (1 - q) == 0]
    check.enumerate(bretagnolle_huber_at_the_edge, edge, routes=("probabilities", "relative entropy"))


def sum_of_regrets(policy: Any, gap: Any, factor: Any) -> Sides:
    first, second = environments(policy, gap)
    total = regret(histories(policy, first), first) + regret(histories(policy, second), second)
    return to_ball(total), ">=", to_ball(factor * policy[2] * gap) * exp(-marginal_entropy(policy, first, second))


@claim(
    "TH-S4.1b/sum-of-regrets",
    r"$\mathrm{Reg}_T(\nu_\mu)+\mathrm{Reg}_T(\nu_{\mu'})\ge <factor>\,T\Delta\,e^{-D_{\mathrm{KL}}(\mathbb "
    r"M_\mu\|\mathbb M_{\mu'})}$ (exact laws of finite policies).",
    domain=ON_POLICIES, constants={"factor": "1/4"}, mutations=[mutation("1.01", factor="1.01")],
    strongest="enumeration",
)  # fmt: skip
def sum_of_both_regrets(check: Check) -> None:
    on_policies(check, sum_of_regrets, ("exact regrets", "exact relative entropy"))


def on_the_event(policy: Any, gap: Any, share: Any) -> Sides:
    """Both regrets minus what Markov's inequality leaves of them: the smaller of the two differences."""
    first, second = environments(policy, gap)
    laws = histories(policy, first), histories(policy, second)
    few = [sum(w for a, w in action_law(law).items() if few_first(a)) for law in laws]
    paid = share * policy[2] * gap
    left = min(regret(laws[0], first) - paid * few[0], regret(laws[1], second) - paid * (1 - few[1]))
    return left, ">=", 0


@claim(
    "TH-S4.1b/markov-on-policies",
    r"$\mathrm{Reg}_T(\nu_\mu)\ge\mathbb M_\mu(A)\,<share>\,T\Delta$ and "
    r"$\mathrm{Reg}_T(\nu_{\mu'})\ge\mathbb M_{\mu'}(A^c)\,<share>\,T\Delta$.",
    domain=ON_POLICIES, constants={"share": "1/2"}, mutations=[mutation("1.01", share="1.01")], strongest="enumeration",
)  # fmt: skip
def markov_on_policies(check: Check) -> None:
    on_policies(check, on_the_event, ("exact regrets", "exact probabilities of the event"))


parts_decide(
    "TH-S4.1b",
    r"From regret to testing: Markov's inequality on $A=\{N_1\le T/2\}$, Bretagnolle-Huber, and with both the sum of "
    r"the regrets $\ge\frac{T\Delta}4e^{-D_{\mathrm{KL}}}$.",
)


# -------------------------------------------------------------------------------------------------- the KL chain, S4.1c


def decomposition(policy: Any, gap: Any, factor: Any) -> Sides:
    """D_KL of the laws of histories, from their ratios, against sum_a E[N_a] D_KL(P_a || P'_a): prime by prime."""
    first, second = environments(policy, gap)
    before, after = histories(policy, first), histories(policy, second)
    rest = entropy(before, after)
    for p, q, arm in zip(bernoulli_laws(first), bernoulli_laws(second), range(policy[3]), strict=True):
        for reward, chance in p.items():
            add_log(rest, chance / q[reward], -factor * expected_count(before, arm) * chance)
    return sum(map(abs, rest.values())), "==", 0


def processed(policy: Any, gap: Any, factor: Any) -> Sides:
    """exp of D_KL of the action laws against exp of D_KL of the laws of histories."""
    first, second = environments(policy, gap)
    whole = as_ball(entropy(histories(policy, first), histories(policy, second)))
    margin = to_ball(Fraction(1, 2**40))  # the two are equal where every action is read off the rewards
    return marginal_entropy(policy, first, second), "<=", to_ball(factor) * whole + margin


@claim(
    "TH-S4.1c/decomposition",
    r"$D_{\mathrm{KL}}(\mathbb P_\mu\|\mathbb P_{\mu'})=<factor>\sum_a\mathbb E_\mu[N_a(T)]"
    r"D_{\mathrm{KL}}(P_a\|P'_a)$, exactly.",
    domain=ON_POLICIES, constants={"factor": 1}, mutations=[mutation("0.99", factor="0.99")], strongest="enumeration",
)  # fmt: skip
def kl_decomposition(check: Check) -> None:
    on_policies(check, decomposition, ("likelihood ratios of histories", "pulls times divergences"))


@claim(
    "TH-S4.1c/data-processing",
    r"$D_{\mathrm{KL}}(\mathbb M_\mu\|\mathbb M_{\mu'})\le <factor>\,D_{\mathrm{KL}}(\mathbb P_\mu\|\mathbb P_{\mu'})$ "
    r"(up to $2^{-40}$ in the computation).",
    domain=ON_POLICIES, constants={"factor": 1}, mutations=[mutation("1/100", factor="1/100")], strongest="enumeration",
)  # fmt: skip
def data_processing(check: Check) -> None:
    on_policies(check, processed, ("law of the actions", "law of the histories"))


def gaussian_divergence(gap: Any, square: Any) -> Sides:
    return kl_gaussian(0 * gap, 2 * gap), "==", square * gap * gap


def no_difference(square: Any) -> SymbolicArgument:
    import sympy

    gap = positive("g")
    return SymbolicArgument({"gap": gap}, sympy.S.Zero, "zero")


@claim(
    "TH-S4.1c/gaussian-divergence",
    r"$D_{\mathrm{KL}}(\mathcal N(0,1)\|\mathcal N(2\Delta,1))=<square>\,\Delta^2$.",
    domain=Domain.of(gap="(0, inf)"), constants={"square": 2}, mutations=[mutation("1.9", square="1.9")],
    strongest="symbolic",
)  # fmt: skip
def divergence_of_gaussians(check: Check) -> None:
    check.symbolic(gaussian_divergence, no_difference)


def best_gap(gap: Any, horizon: Any, arms: Any, four: Any) -> Sides:
    """log of Delta e^(-2 T Delta^2/(K - 1)) at any gap, and at the printed one, sqrt((K - 1)/(4 T))."""

    def logarithm(x: Any) -> Any:
        return log(x) - 2 * horizon * x * x / (arms - 1)

    return logarithm(gap), "<=", logarithm(sqrt(ratio(arms - 1, four * horizon)))


def distance_from_the_best_gap(four: Any) -> SymbolicArgument:
    import sympy

    x = positive("x")
    T, others = sympy.symbols("T k", integer=True, positive=True)
    best = sympy.sqrt(others) / (2 * sympy.sqrt(T))
    certificate = entropy_class()(1, x**2) / 2
    return SymbolicArgument({"gap": x * best, "horizon": T, "arms": 1 + others}, certificate, "nonnegative")


SIZES = {"horizon": "integer [1, inf)", "arms": "integer [2, inf)"}


@claim(
    "TH-S4.1c/best-gap",
    r"$\Delta=\sqrt{\frac{K-1}{<four>T}}$ maximises $\frac{T\Delta}4e^{-2T\Delta^2/(K-1)}$.",
    domain=Domain.of(gap="(0, inf)", **SIZES), constants={"four": 4}, mutations=[mutation("3.9", four="3.9")],
    strongest="symbolic",
)  # fmt: skip
def optimal_gap(check: Check) -> None:
    points = [{"gap": Fraction(1, 2), "horizon": 1, "arms": 2}]
    if not check.search(best_gap, points):
        check.symbolic(best_gap, distance_from_the_best_gap, routes=("any gap", "the printed gap"))


parts_decide(
    "TH-S4.1c",
    r"$D_{\mathrm{KL}}(\mathbb M_\mu\|\mathbb M_{\mu'})\le D_{\mathrm{KL}}(\mathbb P_\mu\|\mathbb P_{\mu'})=\sum_a"
    r"\mathbb E_\mu[N_a]D_{\mathrm{KL}}(P_a\|P'_a)\le\frac{2T\Delta^2}{K-1}$, optimal at "
    r"$\Delta=\sqrt{\frac{K-1}{4T}}$.",
)
