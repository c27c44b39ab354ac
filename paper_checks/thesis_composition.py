"""Section 2.1.3 of the thesis: post-processing, and composition of mechanisms on the same data."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.paper_checks import bernoulli_dp_composition as known
from banditproof.paper_checks.bernoulli_dp_tools import EVERY_MECHANISM, RATIOS, finitely_many, numbered
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_privacy_definitions import WITH_RATIO, Sides, with_ratios
from banditproof.theory.numeric import exp, log, sqrt
from banditproof.theory.privacy_composition import advanced_epsilon, worst_composed_delta
from banditproof.verify import channels
from banditproof.verify.channels import FiniteChannel, channel_delta, random_channel, randomised_response
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import random_law

# ------------------------------------------------------------------------------------------------------ post-processing


def processed(channel: FiniteChannel, seed: int) -> FiniteChannel:
    return channels.post_process(channel, lambda y: dict(enumerate(random_law(seed, ("kernel", y), 2, 0, 5))))


def delta_after_processing(mechanism: int, ratio: Fraction, factor: Any) -> Sides:
    channel = numbered(mechanism)
    after = channel_delta(processed(channel, mechanism), ratio).value
    return after, "<=", factor * channel_delta(channel, ratio).value


@claim(
    "TH-P2.7/approximate",
    r"If $\mathcal M$ is $(\varepsilon,\delta)$-DP then $f\circ\mathcal M$ is $(\varepsilon,<factor>\delta)$-DP for "
    r"every "
    r"randomised $f$.",
    domain=WITH_RATIO, constants={"factor": 1}, mutations=[mutation("a third of delta", factor="1/3")],
    strongest="enumeration",
)  # fmt: skip
def processing_of_approximate_privacy(check: Check) -> None:
    check.enumerate(
        delta_after_processing, with_ratios(check, 60), rational=True,
        covers=finitely_many(check, "random channels and stochastic matrices").restrict(ratio=RATIOS),
        routes=("hockey stick after", "hockey stick before"),
    )  # fmt: skip


WITH_ORDER = EVERY_MECHANISM.restrict(order="integer [2, inf)")


def moment_after_processing(mechanism: int, order: int, factor: Any) -> Sides:
    channel = random_channel(mechanism, 1)
    before, after = channel.laws, processed(channel, mechanism).laws
    moments = [known.renyi_moment(laws[(0,)], laws[(1,)], order) - 1 for laws in (after, before)]
    return moments[0], "<=", factor * moments[1]


@claim(
    "TH-P2.7/zcdp",
    r"Post-processing keeps $\rho$-zCDP: $\mathbb E_Q[(dP/dQ)^\alpha]-1$ grows by at most $<factor>$.",
    domain=WITH_ORDER, constants={"factor": 1}, mutations=[mutation("a tenth", factor="0.1")], strongest="enumeration",
)  # fmt: skip
def processing_of_zcdp(check: Check) -> None:
    points = [{"mechanism": s, "order": a} for s in range(check.pick(50, 500)) for a in (2, 3, 12)]
    check.enumerate(
        moment_after_processing, points, rational=True,
        covers=finitely_many(check, "random channels and stochastic matrices").restrict(order=[2, 3, 12]),
        routes=("moment after", "moment before"),
    )  # fmt: skip


parts_decide(
    "TH-P2.7", r"A randomised function of the output keeps $(\varepsilon,\delta)$-DP and $\rho$-zCDP.",
    twins=["BDP-PH.1", "ADV-L16", "ZCDP-S8"],
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- basic composition


def pairs_of_budgets(check: Check, many: int) -> list[dict[str, Any]]:
    budgets = list(product(RATIOS, RATIOS))
    return [{"mechanism": s, "ratio": a, "other": b} for s in range(check.pick(many, 10 * many)) for a, b in budgets]


TWO_BUDGETS = EVERY_MECHANISM.restrict(ratio="[1, inf)", other="[1, inf)")


@claim(
    "TH-P2.9/approximate",
    r"$(\varepsilon_i,\delta_i)$-DP mechanisms with independent outputs are together "
    r"$(\sum\varepsilon_i,<factor>\sum\delta_i)$-DP.",
    domain=TWO_BUDGETS, constants={"factor": 1}, mutations=[mutation("half of delta", factor="1/2")],
    strongest="enumeration",
)  # fmt: skip
def basic_composition(check: Check) -> None:
    check.enumerate(
        known.composed_delta, pairs_of_budgets(check, 20), rational=True,
        covers=finitely_many(check, "pairs of random channels").restrict(ratio=RATIOS, other=RATIOS),
        routes=("delta of the product", "sum of deltas"),
    )  # fmt: skip


def product_moment(mechanism: int, order: int, power: int) -> Sides:
    """Moments of independent outputs multiply, so that Rényi divergences add up at every order."""
    parts = [random_channel(mechanism + i, 1) for i in range(3)]
    whole = channels.compose_independently(parts).laws
    total = Fraction(1)
    for part in parts:
        total *= known.renyi_moment(part.laws[(0,)], part.laws[(1,)], order)
    return known.renyi_moment(whole[(0,)], whole[(1,)], order), "==", total**power


@claim(
    "TH-P2.9/zcdp",
    r"$\rho_i$-zCDP mechanisms with independent outputs are together $\sum\rho_i$-zCDP: the moments "
    r"$\mathbb E_Q[(dP/dQ)^\alpha]$ multiply (power $<power>$ of the product).",
    domain=WITH_ORDER, constants={"power": 1}, mutations=[mutation("square", power=2)], strongest="enumeration",
)  # fmt: skip
def composition_of_zcdp(check: Check) -> None:
    points = [{"mechanism": s, "order": a} for s in range(check.pick(30, 300)) for a in (2, 3, 12)]
    check.enumerate(
        product_moment, points, rational=True,
        covers=finitely_many(check, "triples of random channels").restrict(order=[2, 3, 12]),
        routes=("moment of the product", "product of moments"),
    )  # fmt: skip


def responses_together(ratio: Fraction, other: Fraction, share: Any) -> Sides:
    """Two randomised responses: the tight e^epsilon of both is the product."""
    both = channels.compose_independently([randomised_response(ratio), randomised_response(other)])
    return channels.channel_ratio(both).value, "==", share * ratio * other


@claim(
    "TH-P2.9/attained",
    r"Randomised responses attain the sum of the $\varepsilon_i$: "
    r"$e^\varepsilon=<share>e^{\varepsilon_1+\varepsilon_2}$.",
    role="remark", domain=Domain.of(ratio="[1, inf)", other="[1, inf)"), constants={"share": 1},
    mutations=[mutation("99 %", share="0.99")], strongest="enumeration",
)  # fmt: skip
def composition_is_attained(check: Check) -> None:
    grid = {"ratio": ["1", "3/2", "7"], "other": ["1", "5/4", "100"]}
    check.enumerate(responses_together, grid, rational=True, routes=("exact ratio of the product", "product"))


parts_decide("TH-P2.9", r"Budgets of mechanisms on the same data add up, for $(\varepsilon,\delta)$-DP and for zCDP.",
             twins=["BDP-PH.3"])  # fmt: skip


@claim(
    "TH-S2.1e/approximate",
    r"The sum of budgets holds as well if each mechanism receives the outputs before it: "
    r"$(\sum\varepsilon_i,<factor>\sum\delta_i)$-DP.",
    domain=TWO_BUDGETS, constants={"factor": 1}, mutations=[mutation("half of delta", factor="1/2")],
    strongest="enumeration",
)  # fmt: skip
def adaptive_composition(check: Check) -> None:
    check.enumerate(
        known.adaptively_composed_delta, pairs_of_budgets(check, 15), rational=True,
        covers=finitely_many(check, "adaptive pairs of random channels").restrict(ratio=RATIOS, other=RATIOS),
        routes=("delta of the adaptive composition", "sum of deltas"),
    )  # fmt: skip


@claim(
    "TH-S2.1e/zcdp",
    r"Adaptively chosen $\rho_i$-zCDP mechanisms are together $<exponent>\sum\rho_i$-zCDP.",
    domain=WITH_ORDER, constants={"exponent": 1}, mutations=[mutation("nothing is spent", exponent=0)],
    strongest="enumeration",
)  # fmt: skip
def adaptive_composition_of_zcdp(check: Check) -> None:
    points = [{"mechanism": s, "order": a} for s in range(check.pick(40, 300)) for a in (2, 3, 12)]
    check.enumerate(
        known.composed_moment, points, rational=True,
        covers=finitely_many(check, "adaptive pairs of random channels").restrict(order=[2, 3, 12]),
        routes=("moment of the composition", "product of moments"),
    )  # fmt: skip


parts_decide("TH-S2.1e", r"Basic composition holds for mechanisms that are chosen adaptively.")

# ------------------------------------------------------------------------------------------------- advanced composition

ADVANCED = Domain.of(k="integer [1, inf)", epsilon="[0, inf)", delta="[0, 1)", slack="(0, 1]")


def advanced_composition(k: int, epsilon: Any, delta: Any, slack: Any, share: Any) -> Sides:
    """No composition of (epsilon, delta)-DP mechanisms has a larger delta than leaking randomised response."""
    target = share * advanced_epsilon(k, epsilon, slack)
    return worst_composed_delta(k, epsilon, delta, target), "<=", slack + k * delta


@claim(
    "TH-S2.1f",
    r"The $k$-fold adaptive composition of an $(\varepsilon,\delta)$-DP mechanism is "
    r"$(<share>\varepsilon',\delta'+k\delta)$"
    r"-DP with $\varepsilon'=\sqrt{2k\log(1/\delta')}\,\varepsilon+k\varepsilon(e^\varepsilon-1)$.",
    domain=ADVANCED, constants={"share": 1}, mutations=[mutation("half of epsilon'", share="1/2")],
    strongest="enumeration",
)  # fmt: skip
def advanced_composition_in_the_worst_case(check: Check) -> None:
    """The exact worst case, on a grid with large budgets, delta near 1 and delta' = 1."""
    grid = {
        "k": check.pick([1, 2, 3, 10, 40], [1, 2, 3, 5, 10, 40, 120]),
        "epsilon": ["0", "0.01", "0.1", "0.5", "1", "2", "5"],
        "delta": ["0", "1/1000", "99/100"],
        "slack": ["1/1000000", "1/100", "1/2", "1"],
    }
    check.enumerate(advanced_composition, grid, routes=("exact delta of the worst case", "printed budget"))


SAVING = Domain.of(k="integer [1, inf)", epsilon="(0, inf)", slack="(0, 1]")


def saving(k: int, epsilon: Any, slack: Any, factor: Any) -> Sides:
    """epsilon' against sqrt(k) epsilon (sqrt(2 log(1/delta')) + factor), both divided by sqrt(k) epsilon."""
    return sqrt(k) * (exp(epsilon) - 1), "<=", factor + 0 * log(slack)


@claim(
    "TH-S2.1f/root-k-for-every-budget",
    r"'Roughly $(\sqrt k\varepsilon,\delta)$-DP': $\varepsilon'\le\sqrt "
    r"k\,\varepsilon(\sqrt{2\log(1/\delta')}+<factor>)$ "
    r"for all $k$ and $\varepsilon$.",
    role="reading", domain=SAVING, constants={"factor": 2}, strongest="enumeration",
)  # fmt: skip
def root_k_for_every_budget(check: Check) -> None:
    """The second term of epsilon' is k epsilon (e^epsilon - 1), of order k epsilon for a constant epsilon."""
    check.counterexample(saving, {"k": 100, "epsilon": Fraction(1), "slack": Fraction(1, 100)})


@claim(
    "TH-S2.1f/root-k-for-small-budgets",
    r"For $\varepsilon\le1/\sqrt k$: $\varepsilon'\le\sqrt k\,\varepsilon(\sqrt{2\log(1/\delta')}+<factor>)$.",
    role="repair", repairs="TH-S2.1f/root-k-for-every-budget", domain=SAVING.restrict(where=["k*epsilon*epsilon <= 1"]),
    constants={"factor": 2}, mutations=[mutation("factor 3/2", factor="3/2")], strongest="enumeration",
)  # fmt: skip
def root_k_for_small_budgets(check: Check) -> None:
    """sqrt(k) (e^epsilon - 1) <= (e^epsilon - 1)/epsilon <= e - 1 there."""
    points = [
        {"k": root * root, "epsilon": Fraction(share, root), "slack": Fraction(1, 100)}
        for root in (1, 2, 10, 1000) for share in (Fraction(1, 100), Fraction(1, 2), Fraction(1))
    ]  # fmt: skip
    check.enumerate(saving, points, routes=("second term of advanced composition", "constant"))
