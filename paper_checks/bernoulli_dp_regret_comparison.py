"""The upper bounds compared: with the lower bound and earlier algorithms (BDP-S4.4), and with AdaP-KLUCB (BDP-EQ49).

Of the earlier bounds only one has explicit constants: AdaP-UCB, 16 tau / min{Delta_a, epsilon} log T per suboptimal arm
for tau > 3, which is 16 tau Delta_a / min{Delta_a^2, epsilon Delta_a}. That of Hu and Hegde (2022) is known up to an
unspecified constant.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, not_checkable, parts_decide
from banditproof.theory.adap_klucb import adap_klucb_term
from banditproof.theory.bernoulli import d_epsilon, kl_bernoulli
from banditproof.theory.lower_bounds import regret_lower_bound
from banditproof.theory.numeric import absolute, log, maximum, minimum, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
BALLS = ("d_epsilon in balls", "the bound, in balls")
COMPOSED = ("formulas proved symbolically, joined by the named textbook facts", "the stated bound")
EXACT = ("powers of two in integers", "the bound in rationals")


# ---------------------------------------------------------------------- S4.4: the lower bound, and earlier upper bounds

parts_decide(
    "BDP-S4.4",
    r"(a) the upper bounds match the lower bound up to the factor $\alpha>1$, which can be set arbitrarily close to 1; "
    r"(b) they strictly improve over the upper bounds of Azize and Basu (2022) and of Hu and Hegde (2022)",
)


def leading_constants(means: Sequence[Any], epsilon: Any, alpha: Any, digits: int, factor: Any) -> Sides:
    """The constant of the upper bound, against alpha times that of the lower bound (as computed for `bounds`)."""
    exact = [to_ball(Fraction(mean)) for mean in means]
    best = max(exact, key=float)
    gaps = ((best - mean, mean) for mean in exact)
    upper = sum((alpha * gap / d_epsilon(mean, best, epsilon) for gap, mean in gaps if gap > 0), to_ball(0))
    lower = regret_lower_bound([Fraction(mean) for mean in means], epsilon=Fraction(float(epsilon.mid())))
    return absolute(upper - factor * alpha * lower["double-change"].constant.ball()), "<=", to_ball(10) ** -digits


INSTANCES = [["3/4", "5/8", "1/2"], ["1/2", "1/2", "0"], ["15/16", "1/4"], ["1/2"]]


@claim(
    "BDP-S4.4/match",
    r"the leading constant $\sum\alpha\Delta_i/d_\epsilon(\mu_i,\mu^\star)$ of Theorem 4.3 is $\alpha\cdot<factor>$ "
    r"times that of Theorem 3.1 "
    r"(equal to <digits> digits)",
    domain=Domain.of(means="all: every Bernoulli bandit with best mean below 1", epsilon="(0, inf)", alpha="(1, inf)"),
    constants={"factor": 1, "digits": 25}, mutations=[mutation("one per million more", factor="1.000001")],
)  # fmt: skip
def leading_constants_match(check: Check) -> None:
    points = itertools.product(INSTANCES, ["1/16", "1/2", "4"], ["17/16", "2"])
    over: Any = [dict(zip(("means", "epsilon", "alpha"), point, strict=True)) for point in points]
    named = f"all: {len(INSTANCES)} instances"
    region = check.domain.restrict(means=named, epsilon=["1/16", "1/2", "4"], alpha=["17/16", "2"])
    routes = "sum over arms, in balls", "lower bound, as an enclosure"
    check.enumerate(leading_constants, over, covers=region, routes=routes)


def above_minimum(mu_i: Any, mu_star: Any, epsilon: Any, share: Any) -> Sides:
    gap = mu_star - mu_i
    return d_epsilon(mu_i, mu_star, epsilon), ">=", share * minimum(gap * gap, epsilon * gap)


def half_price(epsilon: Any, gap: Any) -> Sides:
    """The exponent lambda Delta - lambda^2/8 at lambda = epsilon <= 4 Delta."""
    return epsilon * gap - epsilon**2 / 8, ">=", epsilon * gap / 2


def half_price_argument() -> SymbolicArgument:
    import sympy

    v = sympy.Symbol("v", nonnegative=True)
    epsilon = sympy.Symbol("epsilon", positive=True)
    gap = epsilon * (1 + v) / 4
    return SymbolicArgument({"epsilon": epsilon, "gap": gap}, epsilon**2 * v / 8, "nonnegative")


def pinsker(gap: Any) -> Sides:
    """The same at lambda = 4 Delta <= epsilon."""
    return 4 * gap * gap - (4 * gap) ** 2 / 8, ">=", 2 * gap * gap


def pinsker_argument() -> SymbolicArgument:
    import sympy

    return SymbolicArgument({"gap": sympy.Symbol("gap", positive=True)}, sympy.Integer(0), "zero")


SMALL_BUDGETS = Domain.of(epsilon="(0, inf)", gap="(0, inf)", where=["epsilon <= 4 * gap"])
QUADRATIC_BOUND = derivation(
    [
        fact(half_price, SMALL_BUDGETS, half_price_argument),
        fact(pinsker, Domain.of(gap="(0, inf)"), pinsker_argument),
    ],
    "by the dual form and Hoeffding's lemma d_epsilon(mu_i, mu*) >= lambda Delta - lambda^2/8 for 0 <= lambda <= "
    "epsilon; with "
    "lambda = min(epsilon, 4 Delta) this is at least min(2 Delta^2, epsilon Delta / 2) >= min(Delta^2, epsilon "
    "Delta) / 2 > 0",
)

ARM = {"mu_i": "[0, 1)", "mu_star": "(0, 1)", "epsilon": "(0, inf)"}
ARM_GRID = {
    "mu_i": ["0", "1/4", "49/100"], "mu_star": ["1/2", "3/4", "999/1000"], "epsilon": ["1/1000", "1/10", "1", "50"],
}  # fmt: skip


@claim(
    "BDP-S4.4/tighter-quantity",
    r"'the tighter quantity $d_\epsilon$, compared to $\min\{\Delta_a^2,\epsilon\Delta_a\}$', read without constants: "
    r"$d_\epsilon(\mu_a,\mu^\star)\ge<share>\min\{\Delta_a^2,\epsilon\Delta_a\}$",
    domain=Domain.of(**ARM, where=["mu_i < mu_star"]), constants={"share": 1}, role="reading",
)  # fmt: skip
def divergence_against_the_minimum(check: Check) -> None:
    """For small epsilon the minimum is epsilon Delta, and d_epsilon lies below it by about epsilon^2 mu*(1 - mu*)/2."""
    check.counterexample(above_minimum, {"mu_i": Fraction(1, 4), "mu_star": Fraction(1, 2), "epsilon": Fraction(1, 10)})


@claim(
    "BDP-S4.4/tighter-quantity-repaired",
    r"$d_\epsilon(\mu_a,\mu^\star)\ge<share>\min\{\Delta_a^2,\epsilon\Delta_a\}$",
    domain=Domain.of(**ARM, where=["mu_i < mu_star"]), constants={"share": "1/2"},
    mutations=[mutation("all of it", share=1)],
    role="repair", repairs="BDP-S4.4/tighter-quantity", strongest="certificate",
)  # fmt: skip
def divergence_against_half_the_minimum(check: Check) -> None:
    points = [*ARM_POINTS, {"mu_i": "1/4", "mu_star": "1/2", "epsilon": "1/10"}]
    if check.enumerate(above_minimum, points, routes=BALLS) and check.constants["share"] <= Fraction(1, 2):
        check.certificate(facts_hold, QUADRATIC_BOUND, routes=COMPOSED)


ARM_POINTS = [dict(zip(ARM_GRID, point, strict=True)) for point in itertools.product(*ARM_GRID.values())]


def improvement(mu_i: Any, mu_star: Any, epsilon: Any, alpha: Any, tau: Any, factor: Any) -> Sides:
    """alpha Delta / d_epsilon against 16 tau Delta / min{Delta^2, epsilon Delta}, without the divisions."""
    gap = mu_star - mu_i
    return alpha * minimum(gap * gap, epsilon * gap), "<", factor * tau * d_epsilon(mu_i, mu_star, epsilon)


COMPARED = {**ARM, "tau": "(3, inf)"}
SMALL_RATIOS = Domain.of(**COMPARED, alpha="(1, 24]", where=["mu_i < mu_star"])


@claim(
    "BDP-S4.4/improvement",
    r"for batch ratios $\alpha\le24$ (the experiments use 2 and 1.1): "
    r"$\frac{\alpha\Delta_a}{d_\epsilon(\mu_a,\mu^\star)}<\frac{<factor>\tau\Delta_a}{\min\{\Delta_a^2,\epsilon"
    r"\Delta_a\}}$ for every $\tau>3$, "
    r"the leading constant of AdaP-UCB",
    domain=SMALL_RATIOS, constants={"factor": 16}, mutations=[mutation("factor 7", factor=7)],
    repairs="BDP-S4.4/improvement-every-ratio", strongest="certificate",
)  # fmt: skip
def improvement_on_adap_ucb(check: Check) -> None:
    over = [point | {"alpha": alpha, "tau": "31/10"} for point in ARM_POINTS for alpha in ("11/10", "2", "24")]
    if check.enumerate(improvement, over, routes=BALLS) and check.constants["factor"] >= 16:
        check.certificate(facts_hold, QUADRATIC_BOUND, routes=COMPOSED)  # 24 < 16 tau / 2


@claim(
    "BDP-S4.4/improvement-every-ratio",
    r"the same for every $\alpha>1$ of Theorem 4.3: "
    r"$\frac{\alpha\Delta_a}{d_\epsilon(\mu_a,\mu^\star)}<\frac{<factor>\tau\Delta_a}{\min\{\Delta_a^2,\epsilon"
    r"\Delta_a\}}$ for every $\tau>3$",
    domain=Domain.of(**COMPARED, alpha="(1, inf)", where=["mu_i < mu_star"]), constants={"factor": 16}, role="reading",
)  # fmt: skip
def improvement_for_every_ratio(check: Check) -> None:
    """The bound grows with alpha, the earlier one does not depend on it."""
    point = {"mu_i": "1/4", "mu_star": "1/2", "epsilon": "1/10", "alpha": "50", "tau": "31/10"}
    check.counterexample(improvement, {name: Fraction(value) for name, value in point.items()})


# ----------------------------------------------------------------------------------------------------- (49): AdaP-KLUCB

not_checkable(
    "BDP-EQ49",
    r"for $\tau>3$: $\mathrm{Reg}_T(\text{AdaP-KLUCB})\le\sum_{\Delta_a>0}\Big(\frac{C_1(\tau)\Delta_a}"
    r"{\min\{\mathrm{kl}(\mu_a,\mu^\star),C_2\epsilon\Delta_a\}}\log T+\frac{3\tau}{\tau-3}\Big)$",
    "cited result",
    "it would need the algorithm, which this document does not specify, and the phase in gamma, on which both "
    "constants depend",
    twins=["ALG-T5.4"],
)

PAIR = {"mu_i": "(0, 1)", "mu_star": "(0, 1)"}


def target_in_range(mu_i: Any, mu_star: Any, beta: Any, shift: Any) -> Sides:
    """kl(mu_i + c Delta, mu*) runs from kl(mu_i, mu*) at c = 0 to 0 at c = 1."""
    whole = kl_bernoulli(mu_i, mu_star)
    return whole / (shift + beta), "<=", whole


def share_of_divergence(divergence: Any, beta: Any, shift: Any) -> Sides:
    return divergence / (shift + beta), "<=", divergence


def share_of_divergence_argument(shift: Any) -> SymbolicArgument:
    import sympy

    divergence, beta = sympy.symbols("divergence beta", positive=True)
    certificate = divergence * (shift - 1 + beta) / (shift + beta)
    return SymbolicArgument({"divergence": divergence, "beta": beta}, certificate, "nonnegative")


@claim(
    "BDP-EQ49/separation",
    r"for $\beta>0$ there is one $c(\beta)\in[0,1]$ with $\mathrm{kl}(\mu_a+c(\beta)\Delta_a,\mu^\star)=\frac{"
    r"\mathrm{kl}(\mu_a,\mu^\star)}"
    r"{<shift>+\beta}$, where $d$ on the printed right side is read as $\mathrm{kl}$",
    domain=Domain.of(**PAIR, beta="(0, inf)", where=["mu_i < mu_star"]),
    constants={"shift": 1}, mutations=[mutation("1/2 + beta", shift="1/2")], role="step", strongest="certificate",
)  # fmt: skip
def separation_exists(check: Check) -> None:
    over = [
        {"mu_i": mean, "mu_star": best, "beta": beta}
        for mean, best in (("1/10", "1/2"), ("1/2", "999/1000")) for beta in ("1/100", "1", "100")
    ]  # fmt: skip
    if check.enumerate(target_in_range, over, routes=("the target", "the divergence at c = 0")):
        domain = Domain.of(divergence="(0, inf)", beta="(0, inf)")
        proof = derivation(
            [fact(share_of_divergence, domain, share_of_divergence_argument)],
            "kl(., mu*) decreases continuously from kl(mu_a, mu*) to 0 on [mu_a, mu*]: intermediate value theorem",
        )
        check.certificate(facts_hold, proof, routes=COMPOSED)


def deviation_reachable(mu_i: Any, horizon: int, phase: int) -> Sides:
    """The largest divergence from mu_i of any mean above it, kl(1, mu_i), against the level of gamma."""
    return log(to_ball(horizon)) / 2**phase, "<=", kl_bernoulli(to_ball(1), mu_i)


@claim(
    "BDP-EQ49/deviation",
    r"$\gamma_{\ell,T}$ with $\mathrm{kl}(\mu_a+\gamma_{\ell,T}\Delta_a,\mu_a)=\frac{\log T}{2^\ell}$ exists in "
    r"every phase $\ell$, for every horizon $T$",
    domain=Domain.of(mu_i="(0, 1)", horizon="integer [2, inf)", phase="integer [0, inf)"), role="reading",
)  # fmt: skip
def deviation_exists(check: Check) -> None:
    """In early phases the level exceeds the divergence of every Bernoulli distribution; the proof needs a late "
    "phase."""
    check.counterexample(deviation_reachable, {"mu_i": Fraction(1, 2), "horizon": 3, "phase": 0})


@claim(
    "BDP-EQ49/deviation-in-late-phases",
    r"for $\mu_a\le\frac12$, $\gamma_{\ell,T}$ exists in every phase with $T\le 2^{2^\ell}$: the level is at most "
    r"$<factor>\,\mathrm{kl}(1,\mu_a)$",
    domain=Domain.of(
        mu_i="(0, 1/2]", horizon="integer [2, inf)", phase="integer [0, inf)", where=["horizon <= 2**2**phase"]
    ),
    role="repair", repairs="BDP-EQ49/deviation", constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")],
)  # fmt: skip
def deviation_in_late_phases(check: Check) -> None:
    """The level is at most log 2 <= kl(1, mu_a); both sides in balls up to the latest horizon of each phase."""
    means = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 1000)]
    points = [
        {"mu_i": mu, "horizon": T, "phase": phase} for phase in range(7) for T in {2, 2**2**phase} for mu in means
    ]
    check.enumerate(deviation_within, points, routes=("level of the deviation", "largest divergence"))


def deviation_within(mu_i: Any, horizon: int, phase: int, factor: Any) -> Sides:
    level, operator, largest = deviation_reachable(mu_i, horizon, phase)
    return level, operator, factor * largest + to_ball(2) ** -100  # at mu_a = 1/2 the two are equal


def pulls_of_the_phase(level: Fraction, factor: Any) -> Sides:
    """2^(l+1) with the smallest phase l >= 0 such that 2^l >= level, the number of pulls that the proof pays for."""
    phase = 0
    while 2**phase < level:
        phase += 1
    return Fraction(2 ** (phase + 1)), "<=", factor * level


LEVELS = ["1/2", "1", "101/100", "2", "1025/1024", "100", "1023", "1025"]


@claim(
    "BDP-EQ49/factor-four",
    r"(49) with $\frac{C_1}{\min\{\mathrm{kl},C_2\epsilon\Delta\}}$ defined as the printed infimum: the $2^{\ell+1}$ "
    r"pulls, $\ell$ the smallest phase "
    r"with $2^\ell\ge x$, are at most $<factor>\,x$ for $x$ the infimum times $\log T$",
    domain=Domain.of(level="[1/2, inf)"), constants={"factor": 1}, role="reading",
)  # fmt: skip
def pulls_of_the_last_phase(check: Check) -> None:
    """The thesis defines a quarter of that ratio by the infimum: doubling and forgetting cost a factor 2 each."""
    check.enumerate(pulls_of_the_phase, {"level": ["1", *LEVELS]}, rational=True, routes=EXACT)


@claim(
    "BDP-EQ49/factor-four-repaired",
    r"$2^{\ell+1}\le<factor>\,x$ for the smallest $\ell\ge0$ with $2^\ell\ge x$, $x\ge\frac12$",
    domain=Domain.of(level="[1/2, inf)"), constants={"factor": 4}, mutations=[mutation("factor 3.9", factor="3.9")],
    role="repair", repairs="BDP-EQ49/factor-four", twins=["ALG-T5.4"],
)  # fmt: skip
def pulls_of_the_last_phase_with_a_factor(check: Check) -> None:
    check.enumerate(pulls_of_the_phase, {"level": LEVELS}, rational=True, routes=EXACT)


def coefficient_of_adap_klucb(mu_i: Any, mu_star: Any, epsilon: Any, tau: Any, factor: Any) -> Sides:
    """The infimum with gamma = 0, against what its limits for large and small epsilon would give here."""
    gap = mu_star - mu_i
    limits = maximum(tau / kl_bernoulli(mu_i, mu_star), (1 + tau) / (epsilon * gap))
    return adap_klucb_term(mu_i, mu_star, epsilon, tau).coefficient.ball(), ">=", factor * limits


@claim(
    "BDP-EQ49/not-constants",
    r"$C_1,C_2$ 'may depend on $\mu_a,\mu^\star$': large and small $\epsilon$ force $C_1=\tau$, "
    r"$C_2=\frac{\tau}{1+\tau}$ (for $\gamma\to0$), "
    r"and between them the infimum is more than <factor> times the resulting value",
    domain=Domain.of(mu_i=["1/4"], mu_star=["3/4"], epsilon=["1"], tau=["31/10"]),
    constants={"factor": "3/2"}, mutations=[mutation("factor 10", factor=10)],
    role="implication", strongest="enumeration",
)  # fmt: skip
def constants_depend_on_the_arm(check: Check) -> None:
    over = {"mu_i": ["1/4"], "mu_star": ["3/4"], "epsilon": ["1"], "tau": ["31/10"]}
    routes = "certified bisection for the infimum", "closed form of the limits"
    check.enumerate(coefficient_of_adap_klucb, over, routes=routes)
