r"""Instance-dependent lower bounds: Theorem 2.31 without privacy, Theorem 4.16 under View DP, and its proof, B.1."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_background import two_means
from banditproof.paper_checks.changed_arm import THREE_ARMS, cases, pair, view_budget
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.privacy_regimes import settled
from banditproof.paper_checks.register import claim, mutation
from banditproof.paper_checks.thesis_subgaussian import positive
from banditproof.paper_checks.thesis_total_variation_gap import FAR_MASS, far_mass_reaches_the_target
from banditproof.theory.atomic_families import Bounded
from banditproof.theory.bernoulli import kl_bernoulli, kl_inf
from banditproof.theory.families import Bernoulli, Exponential, Gaussian, Poisson
from banditproof.theory.numeric import exp, product, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
EVERY_POLICY = "all: every policy"
EVERY_PAIR = "all: every two bandits that differ in one arm, optimal in the second one only"
ON_PAIRS = Domain.of(policy=EVERY_POLICY, bandits=EVERY_PAIR)
PRIVATE = Domain.of(policy="all: every epsilon-View DP policy", bandits=EVERY_PAIR)
ANY = [["random", 1], ["random", 2], ["response", 9], ["response", 1000000], ["only", 1], ["only", 2]]
RESPONSES = [["response", 2], ["response", 9], ["response", 1000000], ["random", 3]]


def on_pairs(check: Check, relation: Any, kinds: Any, routes: tuple[str, str]) -> bool:
    over = cases(kinds)
    covers = check.domain.restrict(
        policy=f"all: {len(kinds)} finite policies of each size", bandits="all: 5 pairs with three-valued rewards"
    )
    return check.enumerate(relation, over, covers=covers, rational=True, routes=routes)


# ----------------------------------------------------------------------------------------------------- B.1, finite T


def regret_and_testing(policy: Any, bandits: Any, quarter: Any) -> Sides:
    both = pair(policy, bandits)
    separation = to_ball(quarter * both.horizon * min(both.gap, both.lead))
    return separation * exp(-both.entropy_of_actions), "<=", to_ball(sum(both.regrets))


@claim(
    "TH-S.B1",
    r"$\mathrm{Reg}_T+\mathrm{Reg}'_T\ge<quarter>T\min\{\Delta_a,\mu'_a-\mu^*\}"
    r"e^{-D_{\rm KL}(\mathbb M_{\nu\pi}\|\mathbb M_{\nu'\pi})}$, where $\nu'$ changes arm $a$ only.",
    domain=ON_PAIRS, constants={"quarter": "1/4"}, mutations=[mutation("factor 1.1", quarter="1.1")],
    strongest="enumeration",
)  # fmt: skip
def finite_horizon_bound(check: Check) -> None:
    on_pairs(check, regret_and_testing, ANY, ("regrets in both bandits", "laws of the actions"))


def printed_event(policy: Any, bandits: Any) -> Sides:
    """A = {N_1(T) <= T/2}, as printed: the first line of (B.2)."""
    both = pair(policy, bandits)
    rarely = {a for a in {**both.first, **both.second} if 2 * a.count(0) <= both.horizon}
    return by_event(both, rarely, Fraction(1, 2))


def own_event(policy: Any, bandits: Any, half: Any) -> Sides:
    """A = {N_a(T) > T/2} for the arm a that changes."""
    both = pair(policy, bandits)
    often = {a for a in {**both.first, **both.second} if 2 * a.count(both.arm) > both.horizon}
    return by_event(both, often, half)


def by_event(both: Any, event: set[Any], half: Any) -> Sides:
    inside = sum((p for a, p in both.first.items() if a in event), Fraction(0))
    outside = sum((p for a, p in both.second.items() if a not in event), Fraction(0))
    return half * both.horizon * (inside * both.gap + outside * both.lead), "<=", sum(both.regrets)


@claim(
    "TH-S.B1/printed-event",
    r"First line of (B.2) with the printed event $A=\{N_1(T)\le T/2\}$: $\mathrm{Reg}_T+\mathrm{Reg}'_T\ge\frac T2"
    r"(M_{\nu\pi}(A)\Delta_a+M_{\nu'\pi}(A^c)(\mu'_a-\mu^*))$.",
    domain=ON_PAIRS, role="step",
)  # fmt: skip
def event_as_printed(check: Check) -> None:
    # a policy that always pulls arm 2, nearly as good as the others while arm 3 has a large gap: N_1 = 0, no pull of 3
    check.counterexample(printed_event, {"policy": ["only", 2, 1, 3], "bandits": THREE_ARMS[1]}, rational=True)


@claim(
    "TH-S.B1/event-of-the-changed-arm",
    r"The same line with $A=\{N_a(T)>T/2\}$: $\mathrm{Reg}_T+\mathrm{Reg}'_T\ge<half>T(M_{\nu\pi}(A)\Delta_a+"
    r"M_{\nu'\pi}(A^c)(\mu'_a-\mu^*))$.",
    domain=ON_PAIRS, role="repair", repairs="TH-S.B1/printed-event", constants={"half": "1/2"},
    mutations=[mutation("factor 1.1", half="1.1")], strongest="enumeration",
)  # fmt: skip
def event_of_the_changed_arm(check: Check) -> None:
    on_pairs(check, own_event, ANY, ("regrets in both bandits", "laws of the actions"))


def growth_rate(log_horizon: Any, p: Any, log_constant: Any, one: Any) -> Sides:
    """log(T m / (4 C T^p)) / log T, where log_constant = log(m / 4C)."""
    return ((1 - p) * log_horizon + log_constant) / log_horizon, "==", one - p + log_constant / log_horizon


def growth_argument() -> SymbolicArgument:
    import sympy

    w, (p, c) = positive("w"), sympy.symbols("p c", real=True)
    return SymbolicArgument({"log_horizon": w, "p": p, "log_constant": c}, 0, "zero")


@claim(
    "TH-S.B1/limit",
    r"With $\mathrm{Reg}_T+\mathrm{Reg}'_T\le C_pT^p$ the rearranged bound grows like "
    r"$\frac{<one>-p+\log(m/4C_p)/\log T}{\varepsilon(t_a+\alpha)}\log T$; then $T\to\infty$, $p\to0$, $\alpha\to0$.",
    domain=Domain.of(log_horizon="(0, inf)", p="(-inf, inf)", log_constant="(-inf, inf)"), role="step",
    constants={"one": 1}, mutations=[mutation("0.99", one="0.99")], strongest="symbolic",
)  # fmt: skip
def rearranged(check: Check) -> None:
    point = {"log_horizon": Fraction(1), "p": Fraction(1, 2), "log_constant": Fraction(0)}
    if not check.search(growth_rate, [point]):
        check.symbolic(growth_rate, growth_argument)


# ------------------------------------------------------------------------------------------------------ Theorem 2.31


def pulls_carry_entropy(policy: Any, bandits: Any, factor: Any) -> Sides:
    both = pair(policy, bandits)
    return both.entropy_of_actions, "<=", to_ball(factor) * product(both.entropy_of_laws, to_ball(both.pulls))


@claim(
    "TH-T2.31",
    r"$\liminf\mathrm{Reg}_T/\log T\ge\sum\Delta_a/\mathrm{KL}_{\inf}$. Its ingredient beside (B.2): "
    r"$D_{\rm KL}(\mathbb M_{\nu\pi}\|\mathbb M_{\nu'\pi})\le<factor>\,\mathbb E_{\nu\pi}[N_a(T)]\,"
    r"\mathrm{KL}(P_a,P'_a)$.",
    domain=ON_PAIRS, constants={"factor": 1}, mutations=[mutation("half", factor="1/2")], strongest="enumeration",
)  # fmt: skip
def asymptotic_lower_bound(check: Check) -> None:
    """With (B.2), E[N_a] KL(P_a, P'_a) >= log(T m / 4 (Reg_T + Reg'_T)), and consistency makes that grow like log T."""
    on_pairs(check, pulls_carry_entropy, ANY, ("laws of the actions", "expected pulls times KL of the changed arm"))


def constants_agree(mu_a: Any, mu_star: Any, scale: Any) -> Sides:
    return settled(kl_inf(mu_a, mu_star)), "==", scale * settled(kl_bernoulli(mu_a, mu_star))


MEANS = Domain.of(mu_a="(0, 1)", mu_star="(0, 1)", where=["mu_a < mu_star"])


@claim(
    "TH-T2.31/matches-kl-ucb",
    r"Bernoulli arms: Theorems 2.26 and 2.31 have one constant, as $\mathrm{KL}_{\inf}=<scale>\,d(\mu_a,\mu^*)$.",
    domain=MEANS, role="implication", constants={"scale": 1}, mutations=[mutation("1.01", scale="1.01")],
    strongest="symbolic",
)  # fmt: skip
def matches_kl_ucb(check: Check) -> None:
    """That no alternative is nearer is TH-S2.2f; at mu* = 1 both are infinite (TH-S2.2f/best-mean-one)."""
    if not check.search(constants_agree, [{"mu_a": Fraction(1, 4), "mu_star": Fraction(1, 2)}]):
        check.symbolic(constants_agree, two_means, routes=("KL_inf", "d(mu_a, mu*)"), points=8)


# ------------------------------------------------------------------------------------------------------ Theorem 4.16


def pulls_carry_privacy(policy: Any, bandits: Any, charge: Any) -> Sides:
    both = pair(policy, bandits)
    price = to_ball(charge * both.pulls * both.variation_of_laws) * view_budget(policy)
    return both.entropy_of_actions, "<=", price


LOWER_BOUND: dict[str, Any] = {
    "domain": PRIVATE,
    "constants": {"charge": 1},
    "mutations": [mutation("half", charge="1/2")],
    "strongest": "enumeration",
}
PRIVACY_ROUTES = ("laws of the actions", "tightest View budget, expected pulls, total variation")


@claim(
    "TH-T4.16",
    r"$\liminf\mathrm{Reg}_T/\log T\ge\sum\Delta_a/\min(\mathrm{KL}_{\inf},\varepsilon\mathrm{TV}_{\inf})$. Its "
    r"ingredient beside (B.2) and Theorem 2.31: $D_{\rm KL}(\mathbb M_{\nu\pi}\|\mathbb M_{\nu'\pi})\le"
    r"<charge>\,\varepsilon\,\mathbb E_{\nu\pi}[N_a(T)]\,\mathrm{TV}(P_a,P'_a)$.",
    **LOWER_BOUND,
)  # fmt: skip
def private_lower_bound(check: Check) -> None:
    on_pairs(check, pulls_carry_privacy, RESPONSES, PRIVACY_ROUTES)


FAMILIES = {
    "Bernoulli": (Bernoulli("1/4"), "1/2"), "Gaussian": (Gaussian(0), "1"), "Poisson": (Poisson(1), "2"),
    "exponential": (Exponential(1), "2"), "bounded": (Bounded(["1/4", "1/2"], ["1/2", "1/2"]), "3/4"),
}  # fmt: skip


def double_change_is_nearer(family: str, epsilon: Any, factor: Any) -> Sides:
    arm, target = FAMILIES[family]
    single = min(arm.kl_inf(target).value.upper, Fraction(epsilon) * arm.tv_inf(target).value.upper)
    return factor * arm.d_inf(target, epsilon).value.lower, "<=", single


@claim(
    "TH-T4.16/double-change",
    r"Both prices change $P_a$ to $P'_a$ at once. A change in two steps costs no more: "
    r"$<factor>\,d_{\inf}\le\min(\mathrm{KL}_{\inf},\varepsilon\mathrm{TV}_{\inf})$ in every family, so the bound with "
    r"$d_{\inf}$ is at least as large.",
    domain=Domain.of(family="all: every family of laws", epsilon="(0, inf)"), role="remark", constants={"factor": 1},
    mutations=[mutation("1.01", factor="1.01")], strongest="enumeration", twins=["BDP-EQ7"],
)  # fmt: skip
def double_change_improves(check: Check) -> None:
    over = {"family": list(FAMILIES), "epsilon": ["1/100", "1/4", "1", "10"]}
    covers = check.domain.restrict(family=f"all: {', '.join(FAMILIES)}", epsilon=over["epsilon"])
    routes = ("program over two laws", "the two one-step infima")
    check.enumerate(double_change_is_nearer, over, covers=covers, rational=True, routes=routes)


@claim(
    "TH-S4.16a",
    r"The bound holds for reward laws of every kind: the ingredient of Theorem 4.16 for laws on three rewards, "
    r"$D_{\rm KL}(\mathbb M_{\nu\pi}\|\mathbb M_{\nu'\pi})\le<charge>\,\varepsilon\,\mathbb E_{\nu\pi}[N_a(T)]\,"
    r"\mathrm{TV}(P_a,P'_a)$.",
    **LOWER_BOUND,
)  # fmt: skip
def universality(check: Check) -> None:
    on_pairs(check, pulls_carry_privacy, RESPONSES, PRIVACY_ROUTES)


@claim(
    "TH-S4.16a/all-finite-means",
    r"For the class of all laws with finite mean $\mathrm{TV}_{\inf}=0$ (a share $\eta$ of the mass, moved far enough, "
    r"lifts the mean to $\mu^*+<excess>$), and the bound is infinite: no private policy has logarithmic regret there.",
    role="remark", **FAR_MASS,
)  # fmt: skip
def infinite_without_bounds(check: Check) -> None:
    far_mass_reaches_the_target(check)
