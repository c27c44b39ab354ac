"""Appendix H of the Bernoulli paper, H.3 and H.4: composition on the same data and on disjoint parts of it.

For pure and approximate composition the exact worst cases (randomised response, with a leak where delta > 0) are used
besides random channels.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from banditproof.paper_checks.bernoulli_dp_tools import EVERY_MECHANISM, RATIOS, finitely_many, numbered
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.numeric import exp, log, sqrt, to_ball
from banditproof.verify import channels
from banditproof.verify.channels import FiniteChannel, channel_delta, random_channel
from banditproof.verify.domain import Domain

# -- H.3 composition ------------------------------------------------------------------------------------------

parts_decide(
    "BDP-PH.3",
    r"Composition: budgets $(\epsilon_i,\delta_i)$ and $\rho_i$ of mechanisms run on the same "
    r"data add up; also adaptively; advanced composition.",
)


def composed_delta(mechanism: int, ratio: Fraction, other: Fraction, factor: int) -> tuple[Any, str, Any]:
    first, second = numbered(mechanism), numbered(mechanism + 1)
    both = channels.compose_independently([first, second])
    allowed = channel_delta(first, ratio).value + channel_delta(second, other).value
    return channel_delta(both, ratio * other).value, "<=", factor * allowed


@claim(
    "BDP-PH.3/basic",
    r"If each $\mathcal M^i$ is $(\epsilon_i,\delta_i)$-DP then the composition is "
    r"$(\sum\epsilon_i, <factor>\sum\delta_i)$-DP.",
    domain=EVERY_MECHANISM,
    constants={"factor": 1},
    mutations=[mutation("half of delta", factor="0.5")],
    strongest="enumeration",
)
def basic_composition(check: Check) -> None:
    """Exact hockey-stick divergences of two random channels and of their product."""
    points = [
        {"mechanism": s, "ratio": a, "other": b} for s in range(check.pick(20, 200)) for a, b in product(RATIOS, RATIOS)
    ]
    check.enumerate(
        composed_delta,
        points,
        rational=True,
        covers=finitely_many(check, "pairs of random channels"),
        routes=("delta of the product", "sum of deltas"),
    )


def adaptively_composed_delta(mechanism: int, ratio: Fraction, other: Fraction, factor: int) -> tuple[Any, str, Any]:
    first = numbered(mechanism)
    second: dict[Any, FiniteChannel] = {y: numbered(mechanism + 1 + y) for y in range(3)}
    both = channels.compose(first, lambda y: second[y])
    allowed = channel_delta(first, ratio).value + max(channel_delta(c, other).value for c in second.values())
    return channel_delta(both, ratio * other).value, "<=", factor * allowed


@claim(
    "BDP-PH.3/adaptive",
    r"The composition of $(\epsilon_i,\delta_i)$-DP mechanisms chosen adaptively is "
    r"$(\sum\epsilon_i,<factor>\sum\delta_i)$-DP.",
    domain=EVERY_MECHANISM,
    constants={"factor": 1},
    mutations=[mutation("half of delta", factor="0.5")],
    strongest="enumeration",
)
def adaptive_composition(check: Check) -> None:
    """The second channel is chosen by the output of the first."""
    points = [
        {"mechanism": s, "ratio": a, "other": b} for s in range(check.pick(15, 150)) for a, b in product(RATIOS, RATIOS)
    ]
    check.enumerate(
        adaptively_composed_delta,
        points,
        rational=True,
        covers=finitely_many(check, "adaptive pairs of random channels"),
        routes=("delta of the adaptive composition", "sum of deltas"),
    )


def renyi_moment(left: Any, right: Any, order: int) -> Fraction:
    """exp((order - 1) D_order) = sum p^order q^(1 - order), rational for an integer order."""
    return sum((p * (p / right[s]) ** (order - 1) for s, p in left.items() if p), Fraction(0))


def composed_moment(mechanism: int, order: int, exponent: int) -> tuple[Any, str, Any]:
    """Moments multiply, so Rényi divergences of every order add up, and with them the rho of zCDP."""
    first = random_channel(mechanism, 1)
    second: dict[Any, FiniteChannel] = {y: random_channel(mechanism + 1 + y, 1) for y in range(3)}
    both = channels.compose(first, lambda y: second[y])
    moment = renyi_moment(both.laws[(0,)], both.laws[(1,)], order)
    worst = max(renyi_moment(c.laws[(0,)], c.laws[(1,)], order) for c in second.values())
    return moment, "<=", (renyi_moment(first.laws[(0,)], first.laws[(1,)], order) * worst) ** exponent


@claim(
    "BDP-PH.3/zcdp",
    r"If each $\mathcal M^i$ is $\rho_i$-zCDP then the composition, also an adaptive one, is "
    r"$<exponent>\sum\rho_i$-zCDP.",
    domain=EVERY_MECHANISM,
    constants={"exponent": 1},
    mutations=[mutation("nothing is spent", exponent=0)],
    strongest="enumeration",
)
def zcdp_composition(check: Check) -> None:
    """Exact Rényi moments of integer orders, of an adaptive composition and of its parts."""
    points = [{"mechanism": s, "order": a} for s in range(check.pick(40, 300)) for a in (2, 3, 5, 12)]
    check.enumerate(
        composed_moment,
        points,
        rational=True,
        covers=finitely_many(check, "adaptive pairs, orders 2, 3, 5, 12"),
        routes=("moment of the composition", "product of moments"),
    )


ADVANCED = Domain.of(k="integer [1, inf)", epsilon="(0, inf)", delta="[0, 1)", delta_prime="(0, 1]")


def advanced_epsilon(k: int, epsilon: Any, delta_prime: Any, power: int) -> Any:
    """sqrt(2 k log(1/delta') epsilon^power) + k epsilon (e^epsilon - 1): power 1 as printed, 2 in the literature."""
    return sqrt(2 * k * log(1 / delta_prime) * epsilon**power) + k * epsilon * (exp(epsilon) - 1)


def worst_case_delta(k: int, epsilon: Any, delta: Any, target: Any) -> Any:
    """The exact delta at ``target`` of k-fold randomised response that leaks its bit with probability delta.

    No (epsilon, delta)-DP mechanism composes worse. A loss of (2j - k) epsilon has probability C(k, j) p^j (1-p)^(k-j).
    """
    p = exp(epsilon) / (1 + exp(epsilon))
    excess = to_ball(0)
    for j in range(k + 1):
        weight = comb(k, j) * (p**j * (1 - p) ** (k - j) - exp(target) * p ** (k - j) * (1 - p) ** j)
        excess += weight.max(to_ball(0))
    return 1 - (1 - delta) ** k * (1 - excess)


def advanced_composition(k: int, epsilon: Any, delta: Any, delta_prime: Any, factor: int) -> tuple[Any, str, Any]:
    target = factor * advanced_epsilon(k, epsilon, delta_prime, 1)
    return worst_case_delta(k, epsilon, delta, target), "<=", delta_prime + k * delta


@claim(
    "BDP-PH.3/advanced",
    r"The $k$-fold composition of an $(\epsilon,\delta)$-DP mechanism is $(<factor>\epsilon', "
    r"\delta'+k\delta)$-DP with $\epsilon' = \sqrt{2k\log(1/\delta')\epsilon} + "
    r"k\epsilon(e^\epsilon-1)$, as printed.",
    domain=ADVANCED,
    constants={"factor": 1},
    mutations=[mutation("a tenth of epsilon'", factor="0.1")],
    strongest="enumeration",
)
def advanced_composition_as_printed(check: Check) -> None:
    """The exact worst case against the printed budget.

    The printed root holds epsilon where the literature has its square. That is the larger budget for epsilon <= 1, and
    for epsilon >= log 2 the second term alone exceeds the k epsilon of simple composition: the statement stays valid.
    """
    grid = {
        "k": [1, 2, 3, 10, 40],
        "epsilon": ["0.01", "0.1", "0.5", "1", "2", "5"],
        "delta": ["0", "0.001"],
        "delta_prime": ["1/1000000", "1/100", "1/2", "1"],
    }
    check.enumerate(advanced_composition, grid, routes=("exact delta of the worst case", "printed budget"))


SAVING = Domain.of(k="integer [1, inf)", epsilon="(0, 1]", delta_prime="(0, 1]")


def saved_root(k: int, epsilon: Any, delta_prime: Any, power: int) -> tuple[Any, str, Any]:
    scale = sqrt(k) * epsilon
    return (
        advanced_epsilon(k, epsilon, delta_prime, power),
        "<=",
        scale * (sqrt(2 * log(1 / delta_prime)) + sqrt(k) * (exp(epsilon) - 1)) + scale / 1000,
    )


@claim(
    "BDP-PH.3/improves-by-root-k",
    r"Advanced composition saves a factor $\sqrt k$: $\epsilon' \le \sqrt "
    r"k\,\epsilon\,(\sqrt{2\log(1/\delta')} + \sqrt k (e^\epsilon-1))$ up to one part in a "
    r"thousand, with $\epsilon^{<power>}$ under the root.",
    role="reading",
    domain=SAVING,
    constants={"power": 1},
    strongest="enumeration",
)
def saving_as_printed(check: Check) -> None:
    """With epsilon itself under the root the saving is lost for small budgets: the root is of order sqrt(k epsilon)."""
    check.counterexample(saved_root, {"k": 1, "epsilon": Fraction(1, 4), "delta_prime": Fraction(1, 100)})


@claim(
    "BDP-PH.3/repair-square-under-the-root",
    r"With $\epsilon^{<power>}$ under the root, $\epsilon' \le \sqrt "
    r"k\,\epsilon\,(\sqrt{2\log(1/\delta')} + \sqrt k (e^\epsilon-1))$ up to one part in a "
    r"thousand.",
    role="repair",
    repairs="BDP-PH.3/improves-by-root-k",
    domain=SAVING,
    constants={"power": 2},
    mutations=[mutation("power 1", power=1)],
    strongest="enumeration",
)
def saving_with_the_square(check: Check) -> None:
    """Both sides in balls on a grid; without the slack they are equal."""
    grid = {"k": [1, 2, 10, 1000], "epsilon": ["0.001", "0.25", "1"], "delta_prime": ["1/1000000", "1/100", "1/2"]}
    check.enumerate(saved_root, grid, routes=("advanced composition", "root-k budget"))


# -- H.4 parallel composition ---------------------------------------------------------------------------------

parts_decide(
    "BDP-LH.4",
    r"Parallel composition on a fixed partition of the records: if each mechanism is "
    r"$(\epsilon,\delta)$-DP (or $\rho$-zCDP), so is the whole.",
    twins=["TH-L2.10", "ALG-LC.1", "ZCDP-L1"],
)


def parallel_delta(mechanism: int, ratio: Fraction, factor: int) -> tuple[Any, str, Any]:
    blocks = [numbered(mechanism, 2), numbered(mechanism + 1, 1)]
    allowed = max(channel_delta(c, ratio).value for c in blocks)
    return channel_delta(channels.compose_in_parallel(blocks), ratio).value, "<=", factor * allowed


@claim(
    "BDP-LH.4/approximate",
    r"If each $\mathcal M^i$ is $(\epsilon,\delta)$-DP then the parallel composition is "
    r"$(\epsilon,<factor>\delta)$-DP.",
    domain=EVERY_MECHANISM,
    constants={"factor": 1},
    mutations=[mutation("half of delta", factor="0.5")],
    strongest="enumeration",
)
def parallel_composition(check: Check) -> None:
    """The exact hockey stick of two channels on two blocks against the larger of theirs."""
    points = [{"mechanism": s, "ratio": r} for s in range(check.pick(20, 200)) for r in RATIOS]
    check.enumerate(
        parallel_delta,
        points,
        rational=True,
        covers=finitely_many(check, "pairs of blocks"),
        routes=("delta of the whole", "largest delta of a block"),
    )


def parallel_moment(mechanism: int, order: int, factor: int) -> tuple[Any, str, Any]:
    blocks = [random_channel(mechanism, 1), random_channel(mechanism + 1, 1)]
    whole = channels.compose_in_parallel(blocks)
    largest = max(renyi_moment(whole.laws[a], whole.laws[b], order) for a, b in whole.pairs())
    return (
        largest - 1,
        "<=",
        factor * (max(renyi_moment(c.laws[a], c.laws[b], order) for c in blocks for a, b in c.pairs()) - 1),
    )


@claim(
    "BDP-LH.4/zcdp",
    r"If each $\mathcal M^i$ is $\rho_i$-zCDP then the parallel composition is $\rho$-zCDP with "
    r"$\rho=\max_i\rho_i$ (the relation of $\rho$ to $\rho_i$ is not printed); moments minus one "
    r"grow by $<factor>$.",
    domain=EVERY_MECHANISM,
    constants={"factor": 1},
    mutations=[mutation("half", factor="0.5")],
    strongest="enumeration",
)
def parallel_composition_of_zcdp(check: Check) -> None:
    """Exact Rényi moments of integer orders."""
    points = [{"mechanism": s, "order": a} for s in range(check.pick(40, 300)) for a in (2, 3, 5, 12)]
    check.enumerate(
        parallel_moment,
        points,
        rational=True,
        covers=finitely_many(check, "pairs of blocks, orders 2, 3, 5, 12"),
        routes=("moment of the whole", "largest moment of a block"),
    )
