"""Proposition 2.8 of the thesis, group privacy, and its use for users with several records (Section 3.7)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import floor
from typing import Any

from banditproof.paper_checks.bernoulli_dp_composition import renyi_moment
from banditproof.paper_checks.bernoulli_dp_tools import EVERY_MECHANISM, RATIOS, finitely_many, group_delta
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_privacy_definitions import Sides
from banditproof.theory.enclosure import Enclosure
from banditproof.theory.numeric import exp, to_ball
from banditproof.verify.channels import FiniteChannel, channel_delta, random_channel, zcdp_rho
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

parts_decide(
    "TH-P2.8",
    r"Group privacy: for $k=d_{\rm Ham}(D,D')$, $(\varepsilon,\delta)$-DP gives "
    r"$\mathcal M_D(A)\le e^{\varepsilon k}\mathcal M_{D'}(A)+\delta ke^{k-1}$, and $\rho$-zCDP gives "
    r"$D_\alpha\le\rho\alpha k^2$.",
    twins=["BDP-PH.2", "ADV-L17"],
)

# ------------------------------------------------------------------------------------------------------- approximate DP


@cache
def worst_chain(ratio: Fraction, delta: Fraction, size: int) -> FiniteChannel:
    """The mechanism on `size` bits that reports 'yes' with probability q_j when j of them are 1.

    q_0 = 0 and q_(j+1) = ratio q_j + delta, the most that (log ratio, delta)-DP permits on the event 'yes'.
    """
    chances = [Fraction(0)]
    for _ in range(size):
        chances.append(ratio * chances[-1] + delta)
    if chances[-1] > 1:
        raise ValueError("delta is too large for this chain")
    laws: Any = {
        bits: {"yes": chances[sum(bits)], "no": 1 - chances[sum(bits)]} for bits in product((0, 1), repeat=size)
    }
    return FiniteChannel(size, (0, 1), laws)


def rational_below(epsilon: Any) -> Fraction:
    """A rational number of three decimals, at most e^epsilon."""
    return Fraction(floor(float(Enclosure.from_ball(1000 * exp(to_ball(epsilon))).lower)), 1000)


def chain_event(epsilon: Fraction, delta: Fraction, size: int, exponent: Any, base: Any) -> Sides:
    """The event 'yes' of the worst chain for the data 1...1 against 0...0, and the right side, in units of delta.

    The mechanism is (epsilon, delta)-DP: its exact delta at a rational number below e^epsilon is compared with delta.
    """
    ratio = rational_below(epsilon)
    chain = worst_chain(ratio, delta, size)
    if size and channel_delta(chain, ratio).value > delta:
        raise ValueError("the chain is not private")
    first, second = chain.laws[(1,) * size]["yes"], chain.laws[(0,) * size]["yes"]
    assert second == 0  # so that both sides may be divided by delta
    slope = to_ball(exponent) * to_ball(epsilon) + to_ball(base)
    return first / delta if delta else first, "<=", size * exp(slope * (size - 1)) if delta else 0


GROUP = Domain.of(epsilon="[0, inf)", delta="[0, 1)", size="integer [0, inf)")
SMALL = Domain.of(epsilon="[0, 1]", delta="[0, 1)", size="integer [0, inf)")
CHAINS = ("worst chain of neighbours", "right side")


@claim(
    "TH-P2.8/approximate",
    r"$\mathcal M_D(A)\le e^{\varepsilon k}\mathcal M_{D'}(A)+\delta ke^{<base>(k-1)}$ for every "
    r"$(\varepsilon,\delta)$-DP mechanism, every $\varepsilon\ge0$ and $k=d_{\rm Ham}(D,D')$ (the statement prints no "
    r"range; the text before it thinks of $\varepsilon$ and $\rho$ as small values in $[0,1]$, TH-S2.1d).",
    domain=GROUP, constants={"exponent": 0, "base": 1}, strongest="enumeration",
)  # fmt: skip
def group_privacy_as_printed(check: Check) -> None:
    """Two steps give delta (1 + e^epsilon), more than the printed 2 e delta once e^epsilon > 2 e - 1.

    The mechanism says 'yes' with probability 0, 1/1000, 21/1000 (at least) when 0, 1, 2 of two bits are set.
    """
    check.counterexample(chain_event, {"epsilon": Fraction(3), "delta": Fraction(1, 1000), "size": 2}, rational=True)


CHAIN_POINTS = {"delta": [Fraction(0), Fraction(1, 10**6)], "size": range(7)}


@claim(
    "TH-P2.8/small-budgets",
    r"For $\varepsilon\in[0,1]$, the small values of the text (TH-S2.1d), and the worst chains, "
    r"$\mathcal M_D(A)\le e^{\varepsilon k}\mathcal M_{D'}(A)+\delta ke^{<base>(k-1)}$, as printed.",
    role="repair", repairs="TH-P2.8/approximate", domain=SMALL, constants={"exponent": 0, "base": 1},
    mutations=[mutation("e^(k/2 - 1/2)", base="1/2")], strongest="enumeration",
)  # fmt: skip
def group_privacy_of_small_budgets(check: Check) -> None:
    grid = {"epsilon": [Fraction(k, 8) for k in range(9)], **CHAIN_POINTS}
    check.enumerate(chain_event, grid, rational=True, routes=CHAINS)


@claim(
    "TH-P2.8/exponent-with-budget",
    r"With $\varepsilon$ in the exponent, $\mathcal M_D(A)\le e^{\varepsilon k}\mathcal M_{D'}(A)+"
    r"\delta ke^{<exponent>\varepsilon(k-1)}$ for the worst chains and every $\varepsilon$.",
    role="repair", repairs="TH-P2.8/approximate", domain=GROUP, constants={"exponent": 1, "base": 0},
    mutations=[mutation("half the exponent", exponent="1/2")], strongest="enumeration",
)  # fmt: skip
def group_privacy_with_the_budget(check: Check) -> None:
    grid = {"epsilon": [Fraction(k, 2) for k in range(5)], "delta": [Fraction(0), Fraction(1, 10**9)]}
    check.enumerate(chain_event, {**grid, "size": range(7)}, rational=True, routes=CHAINS)


def one_more_record(p: Any, q: Any, r: Any, big: Any, total: Any, ratio: Any, delta: Any, factor: Any) -> Sides:
    """p - R q - S delta <= 0 and q - rho r - delta <= 0 give p <= R rho r + (S + R) delta.

    The slack of the conclusion is that of the first premise plus R times that of the second.
    """
    conclusion = big * ratio * r + (total + factor * big) * delta - p
    premises = (big * q + total * delta - p) + big * (ratio * r + delta - q)
    return premises, "<=", conclusion


def one_more_record_argument(factor: Any) -> SymbolicArgument:
    import sympy

    names = {n: sympy.Symbol(n, nonnegative=True) for n in ("p", "q", "r", "big", "total", "ratio", "delta")}
    return SymbolicArgument(names, (factor - 1) * names["big"] * names["delta"], "zero")


@claim(
    "TH-P2.8/recursion",
    r"If $p\le Rq+S\delta$ and $q\le e^\varepsilon r+\delta$ then $p\le Re^\varepsilon r+(S+<factor>R)\delta$; from "
    r"$R=1,S=0$ this gives $\delta\sum_{j<k}e^{j\varepsilon}$ after $k$ steps.",
    role="step",
    domain=Domain.of(**dict.fromkeys(("p", "q", "r", "big", "total", "ratio", "delta"), "[0, inf)")),
    constants={"factor": 1}, mutations=[mutation("half of R", factor="1/2")], strongest="symbolic",
)  # fmt: skip
def recursion_over_records(check: Check) -> None:
    check.symbolic(one_more_record, one_more_record_argument, routes=("premises", "conclusion"))


def exact_group_delta(ratio: Fraction, size: int, factor: Any) -> Sides:
    """The exact delta of the worst chain at distance k, against delta (1 + r + ... + r^(k - 1))."""
    delta = Fraction(1, 10**9)
    chain = worst_chain(ratio, delta, size)
    found = channel_delta(chain, ratio**size, size).value
    return found, "==", factor * delta * sum(ratio**j for j in range(size))


@claim(
    "TH-P2.8/exact-sum",
    r"The worst case at distance $k$ is $<factor>\delta\sum_{j<k}e^{j\varepsilon}$ (here $\delta=10^{-9}$; the "
    r"variable is $e^\varepsilon$): no mechanism exceeds it, and the worst chain attains it.",
    role="repair", repairs="TH-P2.8/approximate", domain=Domain.of(ratio="[1, inf)", size="integer [1, inf)"),
    constants={"factor": 1}, mutations=[mutation("factor 0.99", factor="0.99"), mutation("1.01", factor="1.01")],
    strongest="enumeration",
)  # fmt: skip
def exact_sum(check: Check) -> None:
    """Attained in exact arithmetic; that no mechanism exceeds it is the recursion (TH-P2.8/recursion)."""
    grid = {"ratio": [1, "3/2", "4", "20"], "size": range(1, check.pick(5, 7))}
    check.enumerate(exact_group_delta, grid, rational=True, routes=("delta of the worst chain", "sum"))


@claim(
    "TH-P2.8/equal-data",
    r"For $k=0$ both sides are the probability of the event.",
    role="edge", domain=GROUP.restrict(size=[0], p="[0, inf)"), constants={"exponent": 0, "base": 1, "offset": 0},
    mutations=[mutation("something is added", offset="1/1000")], strongest="symbolic",
)  # fmt: skip
def group_of_nobody(check: Check) -> None:
    check.symbolic(nobody_changed, nobody_argument)


def nobody_changed(epsilon: Any, delta: Any, size: int, p: Any, offset: Any) -> Sides:
    return p + offset, "==", exp(epsilon * size) * p + delta * size * exp(size - 1)


def nobody_argument() -> SymbolicArgument:
    import sympy

    epsilon, s, p = sympy.symbols("epsilon s p", nonnegative=True)
    delta = s / (1 + s)
    return SymbolicArgument({"epsilon": epsilon, "delta": delta, "size": sympy.Integer(0), "p": p}, 0, "zero")


# ---------------------------------------------------------------------------------------------------------------- zCDP


@cache
def _smallest_rho(mechanism: int) -> Any:
    channel = random_channel(mechanism, 3, outputs=2)
    rhos = [zcdp_rho(channel.laws[a], channel.laws[b], splits=20).upper for a, b in channel.pairs()]
    return max(rhos)


def group_moment(mechanism: int, distance: int, order: int, factor: Any) -> Sides:
    """The largest log of the Rényi moment at a distance, against (alpha - 1) alpha rho k^2."""
    channel = random_channel(mechanism, 3, outputs=2)
    order = int(order)
    moments = (renyi_moment(channel.laws[a], channel.laws[b], order) for a, b in channel.pairs(distance))
    allowed = to_ball(factor) * to_ball(_smallest_rho(mechanism)) * (order - 1) * order * distance**2
    return to_ball(max(moments)).log(), "<=", allowed


@claim(
    "TH-P2.8/zcdp",
    r"If $\mathcal M$ is $\rho$-zCDP then $D_\alpha(\mathcal M_D\|\mathcal M_{D'})\le<factor>\rho\alpha k^2$.",
    domain=EVERY_MECHANISM.restrict(distance="integer [0, inf)", order="(1, inf)"), constants={"factor": 1},
    mutations=[mutation("a quarter", factor="1/4")], strongest="enumeration",
)  # fmt: skip
def group_privacy_of_zcdp(check: Check) -> None:
    grid = [(d, a) for d in range(4) for a in (2, 3, 9)]
    points = [{"mechanism": s, "distance": d, "order": a} for s in range(check.pick(12, 100)) for d, a in grid]
    covers = finitely_many(check, "random channels").restrict(distance=[0, 1, 2, 3], order=[2, 3, 9])
    check.enumerate(
        group_moment, points, rational=True, covers=covers, routes=("moment at the distance", "enclosed rho")
    )


def gaussian_group(shift: Any, size: Any, alpha: Any, factor: Any) -> Sides:
    """Gaussian noise of variance 1 whose centre moves by `shift` per record: rho = shift^2/2."""
    rho = shift * shift / 2
    return alpha * (size * shift) ** 2 / 2, "==", factor * rho * alpha * size**2


def gaussian_group_argument() -> SymbolicArgument:
    import sympy

    shift, more = sympy.symbols("shift more", positive=True)
    size = sympy.Symbol("size", integer=True, nonnegative=True)
    return SymbolicArgument({"shift": shift, "size": size, "alpha": 1 + more}, 0, "zero")


@claim(
    "TH-P2.8/zcdp-attained",
    r"Gaussian noise on a sum attains $D_\alpha=<factor>\rho\alpha k^2$.",
    role="remark", domain=Domain.of(shift="(0, inf)", size="integer [0, inf)", alpha="(1, inf)"),
    constants={"factor": 1}, mutations=[mutation("factor 0.99", factor="0.99")], strongest="symbolic",
)  # fmt: skip
def group_privacy_of_gaussian_noise(check: Check) -> None:
    check.symbolic(gaussian_group, gaussian_group_argument, routes=("divergence at distance k", "group bound"))


# ------------------------------------------------------------------------------------------------- users with records


def user_level_delta(mechanism: int, records: int, ratio: Fraction, factor: Any) -> Sides:
    """All records of a user may change at once."""
    return group_delta(mechanism, records, ratio, factor)


@claim(
    "TH-S3.7a",
    r"An event-level $(\varepsilon,\delta)$-DP mechanism is user-level "
    r"$(m\varepsilon,<factor>\delta\sum_{j<m}e^{j\varepsilon})$-DP for users with up to $m$ records, by group privacy.",
    domain=EVERY_MECHANISM.restrict(ratio="[1, inf)", records="integer [1, inf)"), constants={"factor": 1},
    mutations=[mutation("a tenth", factor="0.1")], strongest="enumeration",
)  # fmt: skip
def user_level_privacy(check: Check) -> None:
    cases = [(d, r) for d in (1, 2, 3) for r in RATIOS]
    points = [{"mechanism": s, "records": d, "ratio": r} for s in range(check.pick(12, 100)) for d, r in cases]
    check.enumerate(
        user_level_delta, points, rational=True,
        covers=finitely_many(check, "random channels").restrict(records=[1, 2, 3], ratio=RATIOS),
        routes=("hockey stick over all of a user's records", "telescoped bound"),
    )  # fmt: skip
