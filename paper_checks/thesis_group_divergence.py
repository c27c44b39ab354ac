"""Corollary 4.5 of the thesis: the divergence of a private mechanism's outputs on data sets at a Hamming distance.

For pure privacy the printed bound epsilon d is compared with the largest divergence there is: log-likelihood ratios are
at most L = epsilon d, which allows L tanh(L/2), but for d >= 2 the data sets in between also cap the total variation.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation
from banditproof.paper_checks.thesis_couplings import Sides, budget, distance, mechanism_numbered, mechanisms
from banditproof.theory.coupling_bounds import group_kl_bound
from banditproof.theory.numeric import log, to_ball
from banditproof.verify.channels import FiniteChannel, channel_ratio
from banditproof.verify.domain import Domain
from banditproof.verify.kl_decompositions import relative_entropy
from banditproof.verify.symbolic import SymbolicArgument

EVERY_MECHANISM = Domain.of(mechanism="all: every private mechanism and pair of data sets")


def largest_quotient(mechanism: int, bound: Any) -> Any:
    """The largest KL(M_D, M_D') / bound(d_Ham) over all pairs of data sets, a ball."""
    channel, largest = mechanism_numbered(mechanism), to_ball(0)
    for d in channel.datasets():
        for e in channel.datasets():
            if d != e:
                kl = relative_entropy(channel.laws[d], channel.laws[e])
                largest = largest.max(kl / to_ball(bound(distance(d, e))))
    return largest


def linear_in_distance(mechanism: int, factor: Any) -> Sides:
    epsilon = budget(mechanism, "pure")
    return largest_quotient(mechanism, lambda d: epsilon * d), "<=", to_ball(factor)


def square_in_distance(mechanism: int, factor: Any) -> Sides:
    rho = to_ball(budget(mechanism, "zcdp"))
    return largest_quotient(mechanism, lambda d: rho * d**2), "<=", to_ball(factor)


def sharpened(mechanism: int, factor: Any) -> Sides:
    epsilon = budget(mechanism, "pure")
    return largest_quotient(mechanism, lambda d: group_kl_bound(epsilon, d)), "<=", to_ball(factor)


@claim(
    "TH-C4.5",
    r"$\varepsilon$-DP: $D_{\rm KL}(\mathcal M_D\|\mathcal M_{D'})\le<factor>\,\varepsilon\,d_{\rm Ham}(D,D')$.",
    domain=EVERY_MECHANISM, constants={"factor": 1}, mutations=[mutation("5 % less", factor="0.95")],
    strongest="certificate",
)  # fmt: skip
def group_privacy_pure(check: Check) -> None:
    over, region = mechanisms(check)
    check.enumerate(linear_in_distance, over, covers=region, rational=True,
                    routes=("exact divergences of all pairs", "tightest budget"))  # fmt: skip


@claim(
    "TH-C4.5/zcdp",
    r"$\rho$-zCDP: $D_{\rm KL}(\mathcal M_D\|\mathcal M_{D'})\le<factor>\,\rho\,d_{\rm Ham}(D,D')^2$.",
    domain=EVERY_MECHANISM, constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")],
    strongest="certificate",
)  # fmt: skip
def group_privacy_zcdp(check: Check) -> None:
    over, region = mechanisms(check)
    check.enumerate(square_in_distance, over, covers=region, rational=True,
                    routes=("exact divergences of all pairs", "rho from Rényi divergences of neighbours"))  # fmt: skip


def gaussian_group(sigma: Any, distance: Any, factor: Any) -> Sides:
    """KL(N(d, s^2), N(0, s^2)), the mean of the log-likelihood ratio (2 d x - d^2)/(2 s^2), against rho d^2."""
    rho = 1 / (2 * sigma**2)
    return (2 * distance * distance - distance**2) / (2 * sigma**2), "==", factor * rho * distance**2


def gaussian_argument(factor: Any) -> SymbolicArgument:
    import sympy

    sigma, d = sympy.symbols("sigma d", positive=True)
    return SymbolicArgument({"sigma": sigma, "distance": d}, sympy.Integer(0), "zero")


@claim(
    "TH-C4.5/gaussian-attains-zcdp",
    r"A sum released with noise $\mathcal N(0,\sigma^2)$, $\rho=1/(2\sigma^2)$, has"
    r" $D_{\rm KL}=<factor>\,\rho\,d^2$ at distance $d$: the second bound cannot be improved.",
    domain=Domain.of(sigma="(0, inf)", distance="(0, inf)"), role="remark", constants={"factor": 1},
    mutations=[mutation("1 % less", gradual=False, factor="0.99")], strongest="symbolic",
)  # fmt: skip
def gaussian_attains(check: Check) -> None:
    check.symbolic(gaussian_group, gaussian_argument)


# ------------------------------------------------------------------------------------------------- what is attained


def one_record(ratio: Any, factor: Any) -> Sides:
    """KL of randomised response from its two probabilities, against epsilon tanh(epsilon/2), times ratio + 1."""
    return ratio * log(ratio) - log(ratio), "==", factor * log(ratio) * (ratio - 1)


def one_record_argument(factor: Any) -> SymbolicArgument:
    import sympy

    s = sympy.symbols("s", positive=True)
    return SymbolicArgument({"ratio": 1 + s}, sympy.Integer(0), "zero")


@claim(
    "TH-C4.5/one-record-attained",
    r"Randomised response with $e^\varepsilon$ as odds has $D_{\rm KL}=<factor>\,\varepsilon\tanh(\varepsilon/2)$, the"
    r" largest value at distance 1.",
    domain=Domain.of(ratio="(1, inf)"), role="remark", constants={"factor": 1},
    mutations=[mutation("1 % more", gradual=False, factor="1.01")], strongest="symbolic",
)  # fmt: skip
def one_record_attained(check: Check) -> None:
    check.symbolic(one_record, one_record_argument)


def chain_of_three(y: Fraction) -> FiniteChannel:
    """Two bits, counted: outcomes -1, 0, 1; with y = e^{-epsilon} every neighbouring pair has ratio at most 1/y.

    The weights of -1 and 1 are y^k and y^(2-k), scaled so that the mass left for 0 grows by 1/y in the first step.
    """
    scale = 1 / (1 + y)
    laws = {}
    for data in ((0, 0), (0, 1), (1, 0), (1, 1)):
        low, high = scale * y ** sum(data), scale * y ** (2 - sum(data))
        laws[data] = {-1: low, 0: 1 - low - high, 1: high}
    return FiniteChannel(2, (0, 1), laws)


def two_records(ratio: Any, factor: Any) -> Sides:
    """(tightest e^epsilon, KL at distance 2 over log(1/y)) of that mechanism against (1/y, 2 (1 - y)): rationals."""
    channel = chain_of_three(1 / Fraction(ratio))
    left, right = channel.laws[0, 0], channel.laws[1, 1]
    weight = sum(left[o] * {-1: 2, 0: 0, 1: -2}[o] for o in left)  # log(left/right) is 2, 0, -2 times log(1/y)
    exact = all(left[o] == right[o] * Fraction(ratio) ** {-1: 2, 0: 0, 1: -2}[o] for o in left)
    return (exact, channel_ratio(channel).value, weight), "==", (True, ratio, factor * 2 * (1 - 1 / Fraction(ratio)))


@claim(
    "TH-C4.5/two-records-attained",
    r"A mechanism on two records with $\varepsilon$-DP has $D_{\rm KL}=<factor>\cdot2\varepsilon(1-e^{-\varepsilon})$"
    r" at distance 2.",
    domain=Domain.of(ratio="(1, inf)"), role="remark", constants={"factor": 1},
    mutations=[mutation("1 % more", factor="1.01")], strongest="enumeration",
)  # fmt: skip
def two_records_attained(check: Check) -> None:
    ratios = [Fraction(n, 10) for n in (11, 12, 15, 20, 30, 50, 100, 1000)]
    check.enumerate(two_records, {"ratio": ratios}, rational=True, routes=("exact laws", "closed form"))


@claim(
    "TH-C4.5/with-total-variation",
    r"$\varepsilon$-DP: $D_{\rm KL}\le<factor>\,\varepsilon d\,\mathrm{TV}_d$ at distance $d$, where"
    r" $\mathrm{TV}_d=1-e^{-d\varepsilon/2}$ for even $d$ and $1-2e^{-(d-1)\varepsilon/2}/(1+e^\varepsilon)$ for"
    r" odd $d$.",
    domain=EVERY_MECHANISM, role="remark", constants={"factor": 1},
    mutations=[mutation("20 % less", factor="0.8")], strongest="certificate",
)  # fmt: skip
def with_total_variation(check: Check) -> None:
    """Chords of u log u on [e^-L, 1] and [1, e^L] give KL <= L TV; each neighbour moves a probability p to at most
    min(e^epsilon p, 1 - e^-epsilon (1 - p)), which after d steps leaves TV_d."""
    over, _ = mechanisms(check)
    numbers = [point for point in over if point["mechanism"] < 10_000 and point["mechanism"] % 3]  # 3 or 4 outputs
    region = check.domain.restrict(mechanism=f"all: {len(numbers)} finite mechanisms with at least 3 outputs")
    check.enumerate(sharpened, numbers, covers=region, rational=True,
                    routes=("exact divergences of all pairs", "tightest budget"))  # fmt: skip


def between_chain_and_ratio(y: Any, factor: Any) -> Sides:
    """2 epsilon (1 - e^-epsilon) against 2 epsilon tanh(epsilon), without 2 epsilon; y = e^-epsilon."""
    return 1 - y, "<", factor * (1 - y**2) / (1 + y**2)


def between_argument(factor: Any) -> SymbolicArgument:
    import sympy

    s = sympy.symbols("s", positive=True)
    y = 1 / (1 + s)
    return SymbolicArgument({"y": y}, sympy.factor((1 - y**2) / (1 + y**2) - (1 - y)), "positive")


@claim(
    "TH-C4.5/chain-matters",
    r"At distance 2 the largest divergence $2\varepsilon(1-e^{-\varepsilon})$ is smaller than"
    r" $<factor>\cdot2\varepsilon\tanh\varepsilon$, which ratios up to $e^{2\varepsilon}$ alone would allow.",
    domain=Domain.of(y="(0, 1)"), role="remark", constants={"factor": 1},
    mutations=[mutation("10 % less", gradual=False, factor="0.9")], strongest="symbolic",
)  # fmt: skip
def chain_matters(check: Check) -> None:
    check.symbolic(between_chain_and_ratio, between_argument)
