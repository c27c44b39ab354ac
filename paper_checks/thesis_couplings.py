"""Section 4.2.1 of the thesis up to the transport problem: divergences through channels, and couplings of data laws.

Laws and channels are finite with rational probabilities and re-created from integers. The transport problems are solved
exactly: each optimal plan comes with potentials of the same value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from banditproof.paper_checks.bernoulli_dp_maximal_coupling import PAIRS, overlap_coupling_is_maximal, pair_of_laws
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation
from banditproof.theory.couplings import maximal_coupling
from banditproof.theory.enclosure import Enclosure
from banditproof.theory.numeric import log, sqrt, to_ball
from banditproof.theory.transport import Transport, optimal_transport
from banditproof.verify.channels import (
    FiniteChannel,
    Law,
    channel_ratio,
    random_channel,
    randomised_response,
    total_variation,
    zcdp_rho,
)  # fmt: skip
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import random_law
from banditproof.verify.kl_decompositions import output_law, product_law, relative_entropy

Sides = tuple[Any, str, Any]
Case = Sequence[Any]  # a divergence and the number of a random case; numbers below zero name special cases

# ------------------------------------------------------------------------------------------------------- f-divergences

GENERATORS = {
    "variation": lambda x: abs(x - 1) / 2,
    "chi-square": lambda x: (x - 1) ** 2,
    "hockey-stick": lambda x: max(x - 2, Fraction(0)),
    "kl": lambda x: to_ball(x) * to_ball(x).log() if x else to_ball(0),
    "reverse-kl": lambda x: -to_ball(x).log(),
    "hellinger": lambda x: 1 - sqrt(to_ball(x)),
}  # fmt: skip
RATIONAL = ("variation", "chi-square", "hockey-stick")
DIVERGENCES = (*RATIONAL, "kl", "reverse-kl", "hellinger")


def f_divergence(name: str, p: Law, q: Law) -> Any:
    """E_Q[f(dP/dQ)] for P << Q: a Fraction for the rational generators, else a ball."""
    return mean((mass, GENERATORS[name](p.get(x, 0) / mass)) for x, mass in q.items() if mass)


def mean(weighted: Iterable[tuple[Fraction, Any]]) -> Any:
    """The sum of weights times values: a Fraction if all values are, else a ball."""
    listed = list(weighted)
    if all(isinstance(value, int | Fraction) for _, value in listed):
        return sum((weight * value for weight, value in listed), Fraction(0))
    return sum((to_ball(weight) * value for weight, value in listed), to_ball(0))


def scaled(factor: Any, value: Any) -> Any:
    return factor * value if isinstance(value, Fraction) else to_ball(factor) * value


def law(seed: int, label: str, size: int) -> dict[int, Fraction]:
    return dict(enumerate(random_law(seed, label, size)))


def cases(check: Check, many: int, special: Sequence[Case] = ()) -> tuple[list[dict[str, Any]], Domain]:
    """Random cases for every divergence and some special ones, and the region they speak of."""
    listed = [[name, seed] for name in DIVERGENCES for seed in range(check.pick(many, 10 * many))]
    over = [{"case": case} for case in (*listed, *map(list, special))]
    return over, check.domain.restrict(case=f"all: {len(over)} cases with rational finite laws")


def by_definition(case: Case, factor: Any) -> Sides:
    """The mean of f against the formula that is usually written down; zero probabilities use f(0+)."""
    name, seed = case
    p, q = dict(enumerate(random_law(seed, "p", 4, 0, 5))), law(seed, "q", 4)
    value = f_divergence(name, p, q)
    written = {
        "variation": total_variation(p, q),
        "chi-square": sum(p[x] ** 2 / q[x] for x in q) - 1,
        "hockey-stick": sum(p[x] for x in q if p[x] > 2 * q[x]) - 2 * sum(q[x] for x in q if p[x] > 2 * q[x]),
    }
    return value, "==", factor * written[name]


@claim(
    "TH-D4.1",
    r"$D_f(P\|Q)=\mathbb E_Q[f(dP/dQ)]$ with $f(0)=f(0+)$ gives total variation, $\chi^2$ and hockey-stick divergence"
    r" (times $<factor>$) for $f=\frac12|x-1|$, $(x-1)^2$, $(x-2)_+$.",
    domain=Domain.of(case="all: every pair P << Q and convex f with f(1) = 0"), constants={"factor": 1},
    mutations=[mutation("1 % more", factor="1.01")], strongest="enumeration",
)  # fmt: skip
def divergence_by_definition(check: Check) -> None:
    over, region = cases(check, 20)
    over = [point for point in over if point["case"][0] in RATIONAL]
    check.enumerate(by_definition, over, covers=region, rational=True, routes=("mean of f", "written formula"))


def marginal_of_the_joint_law(mechanism: int, mass: Any) -> Sides:
    """M_nu against the output marginal of the law of (data, output), and its total mass."""
    channel, data = random_channel(mechanism, 2), product_law([law(mechanism, side, 2) for side in "ab"])
    joint = {(d, o): data[d] * p for d in data for o, p in channel.laws[d].items()}
    marginal = {o: sum(m for (_, x), m in joint.items() if x == o) for _, o in joint}
    found = output_law(channel, data)
    return (*found.values(), sum(found.values())), "==", (*(mass * marginal[o] for o in found), mass)


@claim(
    "TH-EQ4.1",
    r"$M_\nu(A)=\int\mathcal M_D(A)\,d\mathcal P_\nu(D)$ is the output marginal of data and output, of mass $<mass>$.",
    domain=Domain.of(mechanism="all: every mechanism and data law"), constants={"mass": 1},
    mutations=[mutation("mass 0.99", mass="0.99")], strongest="enumeration",
)  # fmt: skip
def output_marginals(check: Check) -> None:
    region = check.domain.restrict(mechanism="all: some random mechanisms and data laws")
    over = [{"mechanism": seed} for seed in range(check.pick(20, 200))]
    check.enumerate(marginal_of_the_joint_law, over, covers=region, rational=True, routes=("mixture", "joint law"))


# ------------------------------------------------------------------------------------------------ channels and mixtures


def through(p: Law, channel: Mapping[Any, Law]) -> dict[Any, Fraction]:
    outputs = {y: Fraction(0) for row in channel.values() for y in row}
    for x, mass in p.items():
        for y, chance in channel[x].items():
            outputs[y] += mass * chance
    return outputs


def data_processing(case: Case, factor: Any) -> Sides:
    """After and before a channel; case -1 is the channel that keeps its input."""
    name, seed = case
    p, q = law(seed, "p", 3), law(seed, "q", 3)
    channel = {x: law(seed, f"row {x}", 3) if seed >= 0 else {x: Fraction(1)} for x in p}
    return f_divergence(name, through(p, channel), through(q, channel)), "<=", scaled(factor, f_divergence(name, p, q))


EVERY_CHANNEL = Domain.of(case="all: every convex f, pair of laws P << Q and channel")


@claim(
    "TH-T4.2",
    r"$D_f(P_Y\|Q_Y)\le<factor>\,D_f(P_X\|Q_X)$ through a common channel, hence"
    r" $D_f(M_1\|M_2)\le D_f(\mathcal P_1\|\mathcal P_2)$ for every mechanism.",
    domain=EVERY_CHANNEL, constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")],
    strongest="enumeration",
)  # fmt: skip
def data_processing_inequality(check: Check) -> None:
    over, region = cases(check, 10, [(name, -1) for name in RATIONAL])
    check.enumerate(data_processing, over, covers=region, rational=True, routes=("after", "before"))


def perspective(p_1: Any, p_2: Any, q_1: Any, q_2: Any, factor: Any) -> Sides:
    """Merging two outcomes does not increase the chi-square divergence, times q_1 q_2 (q_1 + q_2)."""
    merged = (p_1 + p_2) ** 2 * q_1 * q_2
    return merged, "<=", factor * (q_1 + q_2) * (p_1**2 * q_2 + p_2**2 * q_1)


def perspective_argument(factor: Any) -> Any:
    import sympy

    from banditproof.verify.symbolic import SymbolicArgument

    a, b, c, d = sympy.symbols("a b c d", nonnegative=True)
    return SymbolicArgument({"p_1": a, "p_2": b, "q_1": c, "q_2": d}, (a * d - b * c) ** 2, "nonnegative")


@claim(
    "TH-T4.2/merging-outcomes",
    r"For $f=(x-1)^2$: $(p_1+p_2)^2/(q_1+q_2)\le<factor>\,(p_1^2/q_1+p_2^2/q_2)$: merging outcomes loses divergence.",
    domain=Domain.of(**dict.fromkeys(("p_1", "p_2", "q_1", "q_2"), "[0, inf)")), role="step", constants={"factor": 1},
    mutations=[mutation("1 % less", gradual=False, factor="0.99")], strongest="symbolic",
)  # fmt: skip
def merging_outcomes(check: Check) -> None:
    check.symbolic(perspective, perspective_argument)


def conditioning(case: Case, factor: Any) -> Sides:
    """One input law, two channels; case -1 has a single input."""
    name, seed = case
    inputs = law(seed, "x", 3) if seed >= 0 else {0: Fraction(1)}
    left, right = ({x: law(seed, f"{side} {x}", 3) for x in inputs} for side in "pq")
    average = mean((mass, f_divergence(name, left[x], right[x])) for x, mass in inputs.items())
    return f_divergence(name, through(inputs, left), through(inputs, right)), "<=", scaled(factor, average)


@claim(
    "TH-T4.3",
    r"$D_f(P_Y\|Q_Y)\le<factor>\,\mathbb E_{X\sim P_X}[D_f(P_{Y|X}\|Q_{Y|X})]$ for one input law and two channels.",
    domain=EVERY_CHANNEL, constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")],
    strongest="enumeration",
)  # fmt: skip
def conditioning_increases_divergence(check: Check) -> None:
    over, region = cases(check, 10, [(name, -1) for name in RATIONAL])
    check.enumerate(conditioning, over, covers=region, rational=True, routes=("of the mixtures", "mean"))


# ---------------------------------------------------------------------------------------------------- coupling the data


def data_laws(seed: int) -> tuple[Law, Law]:
    """Two laws on pairs of bits, not products; a negative number puts all mass on two neighbouring data sets."""
    bits = list(product((0, 1), repeat=2))
    if seed < 0:
        return {bits[3]: Fraction(1)}, {bits[2]: Fraction(1)}
    left, right = (dict(zip(bits, random_law(seed, side, 4, 0, 6), strict=True)) for side in ("left", "right"))
    return left, right


def below(value: Any) -> Fraction:
    """The value, or a rational lower end of a ball: a smaller cost makes the inequality stronger."""
    return value if isinstance(value, Fraction) else Fraction(Enclosure.from_ball(value).lower)


def best_coupling(case: Case, factor: Any) -> Sides:
    """D_f(M_1, M_2) against the optimum of the transport problem with cost D_f(M_D, M_D')."""
    name, seed = case
    channel, (left, right) = random_channel(abs(seed), 2), data_laws(seed)
    cost = [[below(f_divergence(name, channel.laws[d], channel.laws[e])) for e in right] for d in left]
    solved = optimal_transport(list(left.values()), list(right.values()), cost)
    marginals = f_divergence(name, output_law(channel, left), output_law(channel, right))
    return marginals, "<=", factor * proved_minimum(solved)


def proved_minimum(solved: Transport) -> Fraction:
    """The value of a transport problem, once its certificate has been verified."""
    if not solved.recheck():
        raise ArithmeticError("plan and potentials do not prove each other optimal")
    return solved.dual_value


@claim(
    "TH-T4.4",
    r"$D_f(M_1\|M_2)\le<factor>\,\inf_{\mathcal C\in\Pi(\mathcal P_1,\mathcal P_2)}"
    r"\mathbb E_{\mathcal C}[D_f(\mathcal M_D\|\mathcal M_{D'})]$.",
    domain=Domain.of(case="all: every mechanism, pair of data laws and convex f"), constants={"factor": 1},
    mutations=[mutation("1 % less", factor="0.99")], strongest="certificate",
)  # fmt: skip
def coupling_bound(check: Check) -> None:
    """The infimum over couplings is a transport problem; potentials prove a lower bound of it without rounding."""
    over, region = cases(check, 8, [(name, -1) for name in RATIONAL])
    check.enumerate(best_coupling, over, covers=region, rational=True,
                    routes=("divergence of the output laws", "potentials of the transport problem"))  # fmt: skip


# ----------------------------------------------------------------------------------------- private mechanisms, two laws

EVERY_MECHANISM = Domain.of(mechanism="all: every private mechanism and pair of data laws")


@cache
def mechanism_numbered(number: int) -> FiniteChannel:
    """Random mechanisms on two bits; 10,000 + ratio is randomised response on the second of two bits."""
    if number < 10_000:
        return random_channel(number, 2, outputs=2 + number % 3)
    response = randomised_response(Fraction(number - 10_000))
    return FiniteChannel(2, (0, 1), {(a, b): response.laws[b,] for a, b in product((0, 1), repeat=2)})


@cache
def budget(mechanism: int, notion: str) -> Any:
    """epsilon as a ball, or a rho that zCDP certainly holds with."""
    channel = mechanism_numbered(mechanism)
    if notion == "pure":
        return log(to_ball(Fraction(channel_ratio(channel).value)))
    return max(zcdp_rho(channel.laws[d], channel.laws[e]).upper for d, e in channel.pairs())


def distance(d: Sequence[Any], e: Sequence[Any]) -> int:
    return sum(a != b for a, b in zip(d, e, strict=True))


def mechanisms(check: Check, many: int = 25) -> tuple[list[dict[str, Any]], Domain]:
    numbers = [*range(check.pick(many, 10 * many)), 10_003, 10_099]
    return ([{"mechanism": number} for number in numbers],
            check.domain.restrict(mechanism=f"all: {len(numbers)} finite mechanisms"))  # fmt: skip


def _transported(mechanism: int, notion: str, factor: Any) -> Sides:
    channel = mechanism_numbered(mechanism)
    left, right = data_laws(mechanism if mechanism < 10_000 else -1)
    power = 1 if notion == "pure" else 2
    solved = optimal_transport(list(left.values()), list(right.values()),
                       [[distance(d, e) ** power for e in right] for d in left])  # fmt: skip
    price = to_ball(factor) * to_ball(budget(mechanism, notion)) * to_ball(proved_minimum(solved))
    return relative_entropy(output_law(channel, left), output_law(channel, right)), "<=", price


def transported_pure(mechanism: int, factor: Any) -> Sides:
    return _transported(mechanism, "pure", factor)


def transported_zcdp(mechanism: int, factor: Any) -> Sides:
    return _transported(mechanism, "zcdp", factor)


@claim(
    "TH-T4.6",
    r"$\varepsilon$-DP: $D_{\rm KL}(M_1\|M_2)\le<factor>\,\varepsilon\inf_{\mathcal C}\mathbb E[d_{\rm Ham}(D,D')]$.",
    domain=EVERY_MECHANISM, constants={"factor": 1}, mutations=[mutation("10 % less", factor="0.9")],
    strongest="certificate",
)  # fmt: skip
def transport_bound_pure(check: Check) -> None:
    over, region = mechanisms(check)
    check.enumerate(transported_pure, over, covers=region, rational=True,
                    routes=("exact output laws", "transport potentials times the tightest budget"))  # fmt: skip


@claim(
    "TH-T4.6/zcdp",
    r"$\rho$-zCDP: $D_{\rm KL}(M_1\|M_2)\le<factor>\,\rho\inf_{\mathcal C}\mathbb E[d_{\rm Ham}(D,D')^2]$.",
    domain=EVERY_MECHANISM, constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")],
    strongest="certificate",
)  # fmt: skip
def transport_bound_zcdp(check: Check) -> None:
    over, region = mechanisms(check)
    check.enumerate(transported_zcdp, over, covers=region, rational=True,
                    routes=("exact output laws", "transport potentials times the tightest budget"))  # fmt: skip


# ---------------------------------------------------------------------------------------------------- maximal couplings


def maximal_against_transport(pair: Sequence[Any], factor: Any) -> Sides:
    """P(X != Y) of the constructed coupling with its marginals, and the optimum of the transport problem."""
    p, q = pair_of_laws(pair)
    cells = maximal_coupling(p, q)
    solved = optimal_transport(list(p.values()), list(q.values()), [[int(x != y) for y in q] for x in p])
    marginals = all(sum(m for (a, _), m in cells.items() if a == x) == p[x]
                    and sum(m for (_, b), m in cells.items() if b == x) == q[x] for x in p)  # fmt: skip
    differing = sum((m for (x, y), m in cells.items() if x != y), Fraction(0))
    return (marginals, differing, total_variation(p, q)), "==", (True, *(factor * proved_minimum(solved),) * 2)


@claim(
    "TH-P4.7",
    r"Some $c_\infty\in\Pi(\mathcal P_1,\mathcal P_2)$ has"
    r" $\Pr(X_1\ne X_2)=<factor>\,\mathrm{TV}(\mathcal P_1\|\mathcal P_2)$, and no coupling has less.",
    domain=Domain.of(pair="all: every pair of probability distributions on one sigma-algebra"),
    constants={"factor": 1}, mutations=[mutation("5 % farther apart", factor="1.05")], strongest="certificate",
    twins=["BDP-D3.2"],
)  # fmt: skip
def maximal_couplings(check: Check) -> None:
    region = check.domain.restrict(pair=f"all: {len(PAIRS)} pairs of rational laws on 2 to 5 atoms")
    over = [{"pair": list(pair)} for pair in PAIRS]
    if check.enumerate(maximal_against_transport, over, covers=region, rational=True,
                       routes=("overlap coupling", "potentials of the transport problem")):  # fmt: skip
        check.enumerate(overlap_coupling_is_maximal, over, covers=region, rational=True,
                        routes=("overlap coupling built anew", "hockey-stick divergence at ratio 1"))  # fmt: skip
