"""Section 2.1.4 of the thesis: noise laws, sensitivities, the Laplace mechanism, and other mechanisms by name."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from banditproof.paper_checks import bernoulli_dp_laplace as laplace
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, not_checkable, parts_decide
from banditproof.paper_checks.thesis_privacy_definitions import Sides
from banditproof.theory.numeric import absolute, to_ball
from banditproof.verify.channels import FiniteChannel, channel_ratio, randomised_response
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import random_law

# ----------------------------------------------------------------------------------------------- Definitions 2.11, 2.12


@cache
def integral(law: str, power: int, scale: Fraction) -> Any:
    """The integral of x^power times the density over the real line: rigorous quadrature to 60 scales, both sides.

    Beyond 60 scales the rest of either integral is below 10^-20.
    """
    import flint

    b = to_ball(scale)

    def density(x: Any, _: Any) -> Any:
        if law == "laplace":
            return x**power * (-x / b).exp() / b  # both half lines
        return x**power * 2 * (-x * x / (2 * b * b)).exp() / (b * (2 * flint.arb.pi()).sqrt())

    return sum((flint.acb.integral(density, 3 * k * b, 3 * (k + 1) * b).real for k in range(20)), to_ball(0))


def moment_of_noise(law: str, power: int, scale: Any, factor: Any) -> Sides:
    expected = (2 if law == "laplace" else 1) * scale * scale if power else 1
    return absolute(integral(law, power, scale) - to_ball(factor * expected)), "<=", Fraction(1, 10**15)


@claim(
    "TH-D2.11",
    r"$\frac1{2b}e^{-|x|/b}$ and the normal density have mass $<factor>$, and variances $<factor>2b^2$ and "
    r"$<factor>\sigma^2$.",
    domain=Domain.of(law="all: Laplace and normal", power="integer [0, 2]", scale="(0, inf)"), constants={"factor": 1},
    mutations=[mutation("1 % more", factor="1.01")], strongest="enumeration",
)  # fmt: skip
def masses_and_variances(check: Check) -> None:
    points = [
        {"law": law, "power": power, "scale": Fraction(scale)}
        for law in ("laplace", "normal") for power in (0, 2) for scale in ("1/3", "1", "7")
    ]  # fmt: skip
    check.enumerate(moment_of_noise, points, rational=True, routes=("rigorous quadrature", "closed form"))


def sensitivities(function: int, records: int, coordinates: int, factor: Any) -> Sides:
    """s_2^2 <= s_1^2 <= k s_2^2 by brute force, for an integer-valued function of all bit strings."""
    values = {
        d: [int(30 * x) for x in random_law(function, d, coordinates, 0)] for d in product((0, 1), repeat=records)
    }
    changes = [
        [abs(x - y) for x, y in zip(values[d], values[e], strict=True)]
        for d in values for e in values if sum(a != b for a, b in zip(d, e, strict=True)) <= 1
    ]  # fmt: skip
    one, two = max(sum(c) for c in changes) ** 2, max(sum(x * x for x in c) for c in changes)
    return max(Fraction(two - one), Fraction(one) - factor * coordinates * two), "<=", 0


@claim(
    "TH-D2.12",
    r"The sensitivities $s_1,s_2$ of a function of data sets with $k$ coordinates satisfy $s_2\le "
    r"s_1\le\sqrt{<factor>k}\,s_2$.",
    domain=Domain.of(
        function="all: every function", records="integer [1, inf)", coordinates="integer [1, inf)"
    ),
    constants={"factor": 1}, mutations=[mutation("a third of k", factor="1/3")], strongest="enumeration",
)  # fmt: skip
def two_sensitivities(check: Check) -> None:
    points = [{"function": s, "records": n, "coordinates": k} for s in range(10) for n in (1, 3) for k in (1, 2, 4)]
    check.enumerate(sensitivities, points, rational=True, routes=("brute force", "norm inequality"))


# --------------------------------------------------------------------------------------------------- Laplace mechanism

parts_decide(
    "TH-T2.13",
    r"The Laplace mechanism $f+(Y_1,\dots,Y_k)$, $Y_i\sim\mathrm{Lap}(s_1(f)/\varepsilon)$, is $\varepsilon$-DP.",
    twins=["BDP-TH.5", "ADV-D7"],
)


@claim(
    "TH-T2.13/one-coordinate",
    r"In one coordinate, with $d$ the change of $f$ in units of the sensitivity, the log-ratio of the densities is "
    r"$\varepsilon(|y-d|-|y|)\le<factor>\varepsilon$.",
    domain=laplace.SHIFT, constants={"factor": 1}, mutations=[mutation("factor 0.9", factor="0.9")],
    strongest="interval",
)  # fmt: skip
def laplace_in_one_coordinate(check: Check) -> None:
    laplace.prove_laplace_ratio(check, check.domain)


@claim(
    "TH-T2.13/several-coordinates",
    r"Over $k$ coordinates the log-ratio is at most $<factor>\varepsilon\|f(D)-f(D')\|_1/s_1(f)$.",
    domain=Domain.of(output="all: every output", change="all: every change"), constants={"factor": 1},
    mutations=[mutation("factor 0.9", factor="0.9")], strongest="enumeration",
)  # fmt: skip
def laplace_in_several_coordinates(check: Check) -> None:
    values, changes = ["-2", "-1/2", "0", "1/3", "3"], ["-1", "0", "1/2"]
    points = [
        {"output": list(y), "change": list(d)}
        for k in (1, 2, 3) for y in product(values, repeat=k) for d in product(changes, repeat=k)
    ]  # fmt: skip
    check.enumerate(laplace.summed_log_ratio, points, rational=True, routes=("sum over coordinates", "l1 norm"))


# ----------------------------------------------------------------------------------------------------- other mechanisms


def response_ratio(ratio: Fraction, factor: Any) -> Sides:
    return channel_ratio(randomised_response(ratio)).value, "==", factor * ratio


@claim(
    "TH-S2.1g/randomised-response",
    r"Randomised response that tells the truth with probability $\frac{e^\varepsilon}{1+e^\varepsilon}$ is "
    r"$\varepsilon$-DP "
    r"and no better: its tight $e^\varepsilon$ is $<factor>e^\varepsilon$.",
    domain=Domain.of(ratio="[1, inf)"), constants={"factor": 1}, mutations=[mutation("99 %", factor="0.99")],
    strongest="enumeration",
)  # fmt: skip
def budget_of_randomised_response(check: Check) -> None:
    grid = {"ratio": ["1", "101/100", "3/2", "20", "1000000"]}
    check.enumerate(response_ratio, grid, rational=True, routes=("exact likelihood ratio", "e^epsilon"))


def exponential_ratio(records: int, outputs: int, root: Fraction, factor: Any) -> Sides:
    """Output o with weight root^(number of records equal to o), root = e^(epsilon/2): utility of sensitivity 1."""
    laws = {}
    for data in product(range(outputs), repeat=records):
        weights = [root ** data.count(o) for o in range(outputs)]
        laws[data] = {o: w / sum(weights, Fraction(0)) for o, w in enumerate(weights)}
    channel = FiniteChannel(records, tuple(range(outputs)), laws)
    return channel_ratio(channel).value, "<=", factor * root * root


@claim(
    "TH-S2.1g/exponential-mechanism",
    r"The exponential mechanism with weights $e^{\varepsilon u/(2s)}$ is $\varepsilon$-DP: $e^\varepsilon$ is at most "
    r"$<factor>$ times its budget (counts of records as utility).",
    domain=Domain.of(records="integer [1, inf)", outputs="integer [2, inf)", root="[1, inf)"), constants={"factor": 1},
    mutations=[mutation("a third", factor="1/3")], strongest="enumeration",
)  # fmt: skip
def budget_of_the_exponential_mechanism(check: Check) -> None:
    grid = {"records": [1, 2, 3], "outputs": [2, 3], "root": ["1", "11/10", "2", "30"]}
    check.enumerate(exponential_ratio, grid, rational=True, routes=("exact likelihood ratio", "e^epsilon"))


not_checkable("TH-S2.1g/sparse-vector", "The sparse vector technique achieves differential privacy.", "cited result",
              "the algorithm, which the thesis names and does not state")  # fmt: skip
parts_decide("TH-S2.1g", "Privacy can be achieved by the exponential mechanism, by randomised response, and by the "
                         "sparse vector technique.")  # fmt: skip
not_checkable("TH-S3.7c", "Local and shuffle privacy are other models of trust.", "no statement",
              "definitions of the two models, and of what is compared")  # fmt: skip
