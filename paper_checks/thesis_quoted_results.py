r"""Results quoted in Appendix C.5 of the thesis, as far as finite-armed bandits use them: ALG-LC.15 to ALG-LC.21.

Most of them occur elsewhere in the documents: the formulas are those of their twins.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_protocol import below_a_power, logarithm_below_a_power
from banditproof.paper_checks.bernoulli_dp_tools import EVERY_MECHANISM, RATIOS, finitely_many
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_adaptive_episodes import COMPOSED, symbols
from banditproof.paper_checks.thesis_composition import (
    WITH_ORDER,
    delta_after_processing,
    moment_after_processing,
    processed,
)
from banditproof.paper_checks.thesis_privacy_definitions import WITH_RATIO, with_ratios
from banditproof.paper_checks.thesis_regimes import PINSKER, entropy_at_least
from banditproof.paper_checks.thesis_two_environments import (
    BH,
    HALF_AND_MORE,
    ON_POLICIES,
    bretagnolle_huber,
    bretagnolle_huber_at_the_edge,
    decomposition,
    on_policies,
    through_the_affinity,
)
from banditproof.theory.numeric import exp, log, to_ball
from banditproof.verify.channels import random_channel
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import random_law
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]

# ----------------------------------------------------------------------------------------- ALG-LC.15, LC.16: processing

parts_decide(
    "ALG-LC.15",
    r"$f\circ\mathcal M$ keeps the $(\varepsilon,\delta)$-DP and the $\rho$-zCDP of $\mathcal M$ for every randomised "
    r"$f$",
    twins=["TH-P2.7", "BDP-PH.1"],
)


@claim(
    "ALG-LC.15/approximate",
    r"$\mathcal M$ $(\varepsilon,\delta)$-DP gives $f\circ\mathcal M$ $(\varepsilon,<factor>\delta)$-DP, $\delta=0$ "
    "included",
    domain=WITH_RATIO, constants={"factor": 1}, mutations=[mutation("a third of delta", factor="1/3")],
    strongest="enumeration", twins=["TH-P2.7"],
)  # fmt: skip
def processing_of_approximate_privacy(check: Check) -> None:
    check.enumerate(
        delta_after_processing, with_ratios(check, 40), rational=True,
        covers=finitely_many(check, "random channels and stochastic matrices").restrict(ratio=RATIOS),
        routes=("hockey stick after", "hockey stick before"),
    )  # fmt: skip


@claim(
    "ALG-LC.15/zcdp", r"$\rho$-zCDP is kept: $\mathbb E_Q[(dP/dQ)^\alpha]-1$ grows by at most $<factor>$",
    domain=WITH_ORDER, constants={"factor": 1}, mutations=[mutation("a tenth", factor="0.1")],
    strongest="enumeration", twins=["TH-P2.7"],
)  # fmt: skip
def processing_of_zcdp(check: Check) -> None:
    points = [{"mechanism": s, "order": a} for s in range(check.pick(40, 400)) for a in (2, 3, 12)]
    check.enumerate(
        moment_after_processing, points, rational=True,
        covers=finitely_many(check, "random channels and stochastic matrices").restrict(order=[2, 3, 12]),
        routes=("moment after", "moment before"),
    )  # fmt: skip


def renyi(left: Mapping[Any, Fraction], right: Mapping[Any, Fraction], order: Any) -> Any:
    """D_order for laws without zeros, a ball; the relative entropy at order 1."""
    pairs = [(to_ball(p), to_ball(right[o])) for o, p in left.items()]
    if order == 1:
        return sum((p * log(p / q) for p, q in pairs), to_ball(0))
    return log(sum((p * exp((order - 1) * log(p / q)) for p, q in pairs), to_ball(0))) / (order - 1)


def divergence_after_processing(mechanism: int, order: Any, deterministic: int, factor: Any) -> Sides:
    channel = random_channel(mechanism, 1, outputs=4)
    before: Mapping[Any, Any] = channel.laws
    if deterministic:
        after: Mapping[Any, Any] = {data: _merged(law) for data, law in before.items()}
    else:
        after = processed(channel, mechanism).laws
    kept = [law for law in after.values() if all(law.values())]
    if len(kept) < len(after):
        after = before  # an output of probability zero: nothing to compare
    right = factor * renyi(before[(0,)], before[(1,)], order)
    return renyi(after[(0,)], after[(1,)], order), "<=", right + to_ball(2) ** -45


def _merged(law: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
    """Outputs 0, 1 and 2, 3 are told apart no more."""
    return {pair: law[2 * pair] + law[2 * pair + 1] for pair in (0, 1)}


@claim(
    "ALG-LC.16",
    r"$D_\alpha(f(P)\|f(Q))\le<factor>\,D_\alpha(P\|Q)$ for $\alpha\ge1$ and every $f$, also a randomised one, for "
    r"which the proofs use it (up to $2^{-45}$ in the computation)",
    domain=EVERY_MECHANISM.restrict(order="[1, inf)", deterministic="integer [0, 1]"), constants={"factor": 1},
    mutations=[mutation("a tenth", factor="0.1")], strongest="enumeration",
)  # fmt: skip
def processing_of_renyi_divergence(check: Check) -> None:
    orders = ["1", "11/10", "2", "30"]
    over = {"mechanism": range(check.pick(15, 200)), "order": orders, "deterministic": [0, 1]}
    covers = finitely_many(check, "pairs of random laws, merged or randomised").restrict(order=orders)
    check.enumerate(divergence_after_processing, over, covers=covers, routes=("divergence after", "before, in balls"))


# -------------------------------------------------------------------------------- ALG-LC.17, DC.18, LC.19, LC.20, LC.21


def share_above(law: int, epsilon: Fraction, factor: Any) -> Sides:
    """P(|X| >= epsilon) against E|X|/epsilon for a random law on {-3, ..., 3}; number 0 is -2 always."""
    chances = random_law(law, "markov", 7, 0) if law else [Fraction(value == -2) for value in range(-3, 4)]
    sizes = [(abs(value), p) for value, p in zip(range(-3, 4), chances, strict=True)]
    above = sum((p for x, p in sizes if x >= epsilon), Fraction(0))
    return above, "<=", factor * sum((x * p for x, p in sizes), Fraction(0)) / epsilon


def below_the_line(x: Any, more: Any) -> Sides:
    """1{|x| >= epsilon} <= |x|/epsilon at |x| = epsilon + more, where the indicator is 1; elsewhere it is 0."""
    return 1, "<=", (x + more) / x


def any_value() -> SymbolicArgument:
    x, more = symbols("x", positive=True), symbols("m", nonnegative=True)
    return SymbolicArgument({"x": x, "more": more}, more / x, "nonnegative")


MARKOV = derivation(
    [fact(below_the_line, Domain.of(x="(0, inf)", more="[0, inf)"), any_value)], "expectations are monotone"
)


@claim(
    "ALG-LC.17", r"$\mathbb P(|X|\ge\varepsilon)\le<factor>\frac{\mathbb E|X|}\varepsilon$, $\varepsilon>0$",
    domain=Domain.of(law="all: every random variable", epsilon="(0, inf)"), constants={"factor": 1},
    mutations=[mutation("0.9", factor="0.9")], strongest="certificate",
)  # fmt: skip
def markov(check: Check) -> None:
    over = {"law": range(check.pick(60, 500)), "epsilon": ["1/3", "1", "2", "3", "7/2"]}
    covers = check.domain.restrict(law="all: random laws on seven numbers", epsilon=over["epsilon"])
    if check.enumerate(share_above, over, covers=covers, rational=True, routes=("exact tail", "exact mean")):
        check.certificate(facts_hold, MARKOV, routes=COMPOSED)


parts_decide(
    "ALG-DC.18",
    r"$\pi$ is consistent over $\mathcal E$ if $\mathrm{Reg}_T(\pi,\nu)/T^p\to0$ for all $\nu\in\mathcal E$, "
    r"$p>0$",
    twins=["TH-D2.29", "BDP-D2.1b"],
)  # fmt: skip


@claim(
    "ALG-DC.18/logarithmic-regret",
    r"logarithmic regret, as in Theorems 5.3 to 5.6, is consistent: $p\log T\le<factor>\,T^p/e$, so "
    r"$\log(T)/T^{2p}\to0$",
    domain=Domain.of(log_horizon="[0, inf)", p="(0, inf)"), constants={"factor": 1},
    mutations=[mutation("0.99", factor="99/100")], strongest="symbolic", twins=["TH-D2.29"],
)  # fmt: skip
def logarithmic_regret(check: Check) -> None:
    if not check.search(logarithm_below_a_power, [{"log_horizon": Fraction(1), "p": Fraction(1)}]):
        check.symbolic(logarithm_below_a_power, below_a_power)


@claim(
    "ALG-LC.19",
    r"$\mathrm{KL}(\mathbb P_{\nu\pi}\|\mathbb P_{\nu'\pi})=<factor>\sum_a\mathbb E_\nu[N_a(T)]\mathrm{KL}(P_a\|P'_a)$ "
    "exactly",
    domain=ON_POLICIES, constants={"factor": 1}, mutations=[mutation("0.99", factor="0.99")], strongest="enumeration",
    twins=["TH-S4.1c"],
)  # fmt: skip
def divergence_decomposition(check: Check) -> None:
    on_policies(check, decomposition, ("likelihood ratios of histories", "pulls times divergences"))


parts_decide(
    "ALG-LC.20", r"$\mathbb P(A)+\mathbb Q(A^c)\ge\frac12e^{-D(\mathbb P,\mathbb Q)}$ for every event $A$"
)  # fmt: skip


def pair_of_laws(laws: int) -> list[tuple[Fraction, Fraction]]:
    """Two random laws on five outcomes, outcome by outcome; number 0 has outcomes that only one of them allows."""
    first, second = (random_law(laws, side, 5, 0 if laws == 0 else 1) for side in "pq")
    return list(zip(first, second, strict=True))


def entropy_of(pairs: list[tuple[Fraction, Fraction]]) -> Any:
    if any(p and not q for p, q in pairs):
        return to_ball("inf")
    return sum((to_ball(p) * log(to_ball(p / q)) for p, q in pairs if p), to_ball(0))


def error_probabilities(laws: int, factor: Any) -> Sides:
    """P(A) + Q(not A) at the event where it is smallest: the sum of the smaller masses."""
    pairs = pair_of_laws(laws)
    return to_ball(sum(min(pair) for pair in pairs)), ">=", factor * exp(-entropy_of(pairs))


def entropy_and_variation(laws: int, factor: Any) -> Sides:
    pairs = pair_of_laws(laws)
    variation = sum((abs(p - q) for p, q in pairs), Fraction(0)) / 2
    return entropy_of(pairs), ">=", to_ball(factor * variation**2)


LAWS: dict[str, Any] = {"domain": Domain.of(laws="all: every pair of laws"), "strongest": "enumeration"}


def on_laws(check: Check, relation: Any, routes: tuple[str, str]) -> None:
    covers = check.domain.restrict(laws="all: random laws on five outcomes")
    check.enumerate(relation, {"laws": range(check.pick(60, 1000))}, covers=covers, routes=routes)


@claim("ALG-LC.20/laws", BH + " and laws on several outcomes", **LAWS, **HALF_AND_MORE)
def bretagnolle_huber_for_laws(check: Check) -> None:
    on_laws(check, error_probabilities, ("probabilities at the best event", "relative entropy, in balls"))


@claim("ALG-LC.20/two-outcomes", BH + r", $D_{\mathrm{KL}}\ge\mathrm{kl}$ of the two probabilities of $A$",
       domain=Domain.of(p="(0, 1)", q="(0, 1)"), strongest="symbolic", twins=["TH-S4.1b"],
       **HALF_AND_MORE)  # fmt: skip
def bretagnolle_huber_inequality(check: Check) -> None:
    if not check.search(bretagnolle_huber, [{"p": Fraction(1, n), "q": Fraction(1, n)} for n in (2, 3)]):
        check.symbolic(bretagnolle_huber, through_the_affinity, routes=("relative entropy", "Hellinger affinity"))


@claim("ALG-LC.20/certain-events", BH + ", where one of the probabilities is 0 or 1",
       domain=Domain.of(p="[0, 1]", q="[0, 1]", where=["p*q*(1-p)*(1-q) == 0"]), strongest="enumeration",
       **HALF_AND_MORE)  # fmt: skip
def certain_events(check: Check) -> None:
    values = [Fraction(n, 8) for n in range(9)]
    edge = [{"p": p, "q": q} for p in values for q in values if p * q * (1 - p) * (1 - q) == 0]
    check.enumerate(bretagnolle_huber_at_the_edge, edge, routes=("probabilities", "relative entropy"))


parts_decide("ALG-LC.21", r"$\mathrm{KL}(\mathbb P\|\mathbb Q)\ge2\,\mathrm{TV}(\mathbb P\|\mathbb Q)^2$")


@claim(
    "ALG-LC.21/two-outcomes", r"for two outcomes: $\mathrm{kl}(\mu_a,\mu^*)\ge<factor>(\mu^*-\mu_a)^2$",
    **{name: value for name, value in PINSKER.items() if name != "statement"},
)  # fmt: skip
def pinsker(check: Check) -> None:
    """The other order of the means is the complement."""
    entropy_at_least(check)


@claim(
    "ALG-LC.21/laws", r"for laws on several outcomes: $\mathrm{KL}\ge<factor>\,\mathrm{TV}^2$",
    constants={"factor": 2}, mutations=[mutation("8", factor=8)], **LAWS,
)  # fmt: skip
def pinsker_for_laws(check: Check) -> None:
    """Data processing (ALG-LC.16) to the event where the laws differ most reduces this to two outcomes."""
    on_laws(check, entropy_and_variation, ("relative entropy, in balls", "total variation"))
