r"""Section 4.2.1, page 80: divergences of a mechanism's outputs, through channels and through couplings of the data.

Laws and channels are finite with rational probabilities and re-created from integers. The transport problems are solved
exactly: each optimal plan comes with potentials of the same value.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Annotated, Any

from banditproof.claims.check import Check
from banditproof.claims.register import claim
from banditproof.claims.sets import (
    AboveOne,
    EveryConvex,
    EveryFunction,
    EveryLaw,
    EveryMechanism,
    Natural,
    Nonnegative,
    Real,
)
from banditproof.claims.steps import deduced, enumerated, in_kernel
from banditproof.paper_checks.shared.lists import entry_of, sum_over
from banditproof.paper_checks.thesis.ch4_lower_bounds.facts import budget, distance, mechanism_numbered, on_mechanisms
from banditproof.theory import group_kl_bound, to_ball
from banditproof.theory.numbers.numeric import absolute, maximum, most
from banditproof.verify import FiniteChannel, random_law
from banditproof.verify.finite.channels import Law
from banditproof.verify.finite.coupled_play import relative_entropy
from banditproof.verify.kernel import couplings
from banditproof.verify.kernel import divergences as said
from banditproof.verify.kernel.couplings import of_names, pairs_of_names, variation_is
from banditproof.verify.kernel.facts import hahn_jordan
from banditproof.verify.kernel.games import code, law_of, mean_of
from banditproof.verify.kernel.meanings import drawn, function_of, private, when
from banditproof.verify.kernel.policies import every
from banditproof.verify.kernel.rules import eq
from banditproof.verify.kernel.terms import var
from banditproof.verify.theorems import couplings as coupling_proofs
from banditproof.verify.theorems import divergences as divergence_proofs
from banditproof.verify.theorems import games as game_proofs

DataSets = Annotated[Any, "all: every private mechanism and pair of data sets"]


def mean(weighted: Iterable[tuple[Fraction, Any]]) -> Any:
    """The sum of weights times values: a Fraction if all values are, else a ball."""
    listed = list(weighted)
    if all(isinstance(value, int | Fraction) for _, value in listed):
        return sum((weight * value for weight, value in listed), Fraction(0))
    return sum((to_ball(weight) * value for weight, value in listed), to_ball(0))


@claim("TH-EQ4.1", in_kernel(game_proofs.second_of_the_pair))
def every_output_marginal(M: EveryMechanism, P: EveryLaw):
    r"""$M_\nu(A)=\int\mathcal M_D(A)\,d\mathcal P_\nu(D)$ is the output marginal of data and output, a law: the mean
    of every function $A$ of the output is that integral, for $A=1$ it is 1."""
    d, y, z = var("d"), var("y"), var("z")
    output, A = code(y), partial(function_of, "A")
    pair = function_of("pair", d, output)
    joint = law_of([("d", P), ("y", M(d))], pair)
    rule = every(("d", "y"), (), eq(said.second(pair), output))
    marginal, integral = mean_of([("z", joint)], A(said.second(z))), mean_of([("d", P), ("y", M(d))], A(output))
    return when(rule, then=every(("A",), (), eq(marginal, integral)))


def pairs_of_lists(check: Check) -> list[dict[str, Any]]:
    """P with weights that may be 0, and Q, on four points."""
    return [
        {"P": list(random_law(seed, "p", 4, 0, 5)), "Q": list(random_law(seed, "q", 4))}
        for seed in range(check.pick(20, 200))
    ]


LISTED_LAWS = enumerated(pairs_of_lists, rational=True, routes=("mean of f", "written formula"))
EveryP = Annotated[Any, "all: every law P << Q on finitely many points"]
EveryQ = Annotated[Any, "all: every law Q on finitely many points"]


def mean_of_the_ratio(f: Callable[[Any], Any], P: Any, Q: Any) -> Any:
    """E_Q[f(dP/dQ)]."""
    return sum_over(Q, lambda x, q: q * f(entry_of(P, x) / q))


@claim("TH-D4.1/variation", LISTED_LAWS, false={"factor": "1.01"})
def variation_by_definition(P: EveryP, Q: EveryQ, factor=1):
    r"""$D_f(P\|Q)=\mathbb E_Q[f(dP/dQ)]$ is the total variation $\sum_x(P(x)-Q(x))_+$ for $f=\frac12|x-1|$."""
    written = sum_over(Q, lambda x, q: maximum(entry_of(P, x) - q, 0))
    return mean_of_the_ratio(lambda x: absolute(x - 1) / 2, P, Q), "==", factor * written


@claim("TH-D4.1/chi-square", LISTED_LAWS, false={"factor": "1.01"})
def chi_square_by_definition(P: EveryP, Q: EveryQ, factor=1):
    r"""It is the $\chi^2$ divergence $\sum_x\frac{P(x)^2}{Q(x)}-1$ for $f=(x-1)^2$."""
    written = sum_over(Q, lambda x, q: entry_of(P, x) ** 2 / q) - 1
    return mean_of_the_ratio(lambda x: (x - 1) ** 2, P, Q), "==", factor * written


@claim("TH-D4.1/hockey-stick", LISTED_LAWS, false={"factor": "1.01"})
def hockey_stick_by_definition(P: EveryP, Q: EveryQ, factor=1):
    r"""It is the hockey-stick divergence $\sum_x(P(x)-2Q(x))_+$ for $f=(x-2)_+$."""
    written = sum_over(Q, lambda x, q: maximum(entry_of(P, x) - 2 * q, 0))
    return mean_of_the_ratio(lambda x: maximum(x - 2, 0), P, Q), "==", factor * written


@claim("TH-T4.2", in_kernel(divergence_proofs.data_processing))
def every_channel_loses_divergence(f: EveryConvex, P: EveryLaw, Q: EveryLaw, channel: EveryFunction, most: Real):
    r"""$D_f(P_Y\|Q_Y)\le D_f(P_X\|Q_X)$ through a common channel, hence $D_f(M_1\|M_2)\le D_f(\mathcal P_1\|\mathcal
    P_2)$ for every mechanism: every upper bound of the right side is an upper bound of the left side."""
    outputs = drawn(channel, P), drawn(channel, Q)
    return when(said.divergence_at_most(f, P, Q, most), then=said.divergence_at_most(f, *outputs, most))


@claim("TH-T4.3", in_kernel(divergence_proofs.conditioning))
def every_condition_increases_divergence(f: EveryConvex, P: EveryFunction, Q: EveryFunction, X: EveryLaw, most: Real):
    r"""$D_f(P_Y\|Q_Y)\le\mathbb E_{X\sim P_X}[D_f(P_{Y|X}\|Q_{Y|X})]$ for one input law and two channels: every upper
    bound of the right side is an upper bound of the left side."""
    outputs = drawn(P, X), drawn(Q, X)
    return when(said.mean_divergence_at_most(f, P, Q, X, most), then=said.divergence_at_most(f, *outputs, most))


@claim("TH-T4.4", in_kernel(divergence_proofs.coupled))
def every_coupling_bounds_divergence(
    f: EveryConvex, M: EveryMechanism, P: EveryLaw, Q: EveryLaw, C: EveryLaw, most: Real
):
    r"""$D_f(M_1\|M_2)\le\inf_{\mathcal C\in\Pi(\mathcal P_1,\mathcal P_2)}\mathbb E_{\mathcal C}[D_f(\mathcal
    M_D\|\mathcal M_{D'})]$: every upper bound of $\mathbb E_{\mathcal C}[D_f(\mathcal
    M_D\|\mathcal M_{D'})]$ for some coupling $\mathcal C$ is an upper bound of the left side."""
    cost = said.mean_divergence_at_most(f, lambda z: M(said.first(z)), lambda z: M(said.second(z)), C, most)
    outputs = said.divergence_at_most(f, drawn(M, P), drawn(M, Q), most)
    return when(*said.coupling(C, P, Q), cost, then=outputs)


# Corollary 4.5: outputs on two data sets. For pure privacy the printed bound is compared with the largest divergence
# there is: log-likelihood ratios are at most L = epsilon d, which allows L tanh(L/2), but for d >= 2 the data sets in
# between also cap the total variation.


def largest_quotient(mechanism: int, bound: Callable[[int], Any]) -> Any:
    """The largest KL(M_D, M_D') / bound(d_Ham) over all pairs of data sets, a ball."""
    channel, largest = mechanism_numbered(mechanism), to_ball(0)
    for d, e in product(channel.datasets(), repeat=2):
        if d != e:
            kl = relative_entropy(channel.laws[d], channel.laws[e])
            largest = largest.max(kl / to_ball(bound(distance(d, e))))
    return largest


@claim("TH-C4.5", in_kernel(divergence_proofs.kl_of_pure_groups))
def group_privacy_of_every_pure_mechanism(M: EveryMechanism, epsilon: Nonnegative, k: Natural):
    r"""$\varepsilon$-DP: $D_{\rm KL}(\mathcal M_D\|\mathcal M_{D'})\le\varepsilon\,d_{\rm Ham}(D,D')$."""
    return when(private(M, epsilon), then=said.kl_at_distance(M, k, epsilon * k))


@claim("TH-C4.5/zcdp", in_kernel(divergence_proofs.kl_of_zcdp_groups))
def group_privacy_of_every_zcdp_mechanism(M: EveryMechanism, rho: Nonnegative, k: Natural):
    r"""$\rho$-zCDP: $D_{\rm KL}(\mathcal M_D\|\mathcal M_{D'})\le\rho\,d_{\rm Ham}(D,D')^2$."""
    return when(said.zcdp(M, rho), then=said.kl_at_distance(M, k, rho * k * k))


def three_outcomes(y: Any, ones: int) -> tuple[Any, Any, Any]:
    """The chances of -1, 0 and 1 on two bits, so many of which are ones.

    With y = e^{-epsilon} every neighbouring pair has ratio at most 1/y.

    The weights of -1 and 1 are y^k and y^(2-k), scaled so that the mass left for 0 grows by 1/y in the first step.
    """
    low, high = y**ones / (1 + y), y ** (2 - ones) / (1 + y)
    return low, 1 - low - high, high


def chain_of_three(y: Fraction) -> FiniteChannel:
    """The mechanism with these chances."""
    data_sets = list(product((0, 1), repeat=2))
    laws: dict[Any, Law] = {
        data: dict(zip((-1, 0, 1), three_outcomes(y, sum(data)), strict=True)) for data in data_sets
    }
    return FiniteChannel(2, (0, 1), laws)


@claim("TH-C4.5/two-records-private", deduced(), false={"factor": "0.99"}, role="remark")
def two_records_private(ratio: AboveOne, factor=1):
    r"""This mechanism is $\varepsilon$-DP: no outcome has a ratio above $e^\varepsilon$ for data sets that differ in
    one record, and some have this ratio."""
    chances = [three_outcomes(1 / ratio, ones) for ones in range(3)]
    pairs = [(p, q) for one, more in zip(chances, chances[1:], strict=False) for p, q in zip(one, more, strict=True)]
    return most([p / q for p, q in pairs] + [q / p for p, q in pairs]), "==", factor * ratio


@claim(
    "TH-C4.5/with-total-variation",
    on_mechanisms(responses=(), chosen=lambda number: number % 3, said=" with at least 3 outputs"),
    false={"factor": "0.8"},
    role="remark",
)
def with_total_variation(mechanism: DataSets, factor=1):
    r"""$\varepsilon$-DP: $D_{\rm KL}\le\varepsilon d\,\mathrm{TV}_d$ at distance $d$, where
    $\mathrm{TV}_d=1-e^{-d\varepsilon/2}$ for even $d$ and $1-2e^{-(d-1)\varepsilon/2}/(1+e^\varepsilon)$ for odd $d$.

    Chords of u log u on [e^-L, 1] and [1, e^L] give KL <= L TV. A neighbour moves a probability p to at most
    min(e^epsilon p, 1 - e^-epsilon (1 - p)), which gives TV_d after d steps.
    """
    epsilon = budget(mechanism, "pure")
    return largest_quotient(mechanism, lambda d: group_kl_bound(epsilon, d)), "<=", to_ball(factor)


@claim("TH-T4.6", in_kernel(divergence_proofs.transport_of_pure))
def transport_of_every_pure_mechanism(M: EveryMechanism, P: EveryLaw, Q: EveryLaw, C: EveryLaw, epsilon: Nonnegative):
    r"""$\varepsilon$-DP: $D_{\rm KL}(M_1\|M_2)\le\varepsilon\inf_{\mathcal C}\mathbb E[d_{\rm Ham}(D,D')]$: for every
    coupling $\mathcal C$ of the laws of the data."""
    outputs = said.kl_at_most(drawn(M, P), drawn(M, Q), epsilon * said.average(said.apart, C))
    return when(*said.distance_in_steps(), *said.coupling(C, P, Q), private(M, epsilon), then=outputs)


@claim("TH-T4.6/zcdp", in_kernel(divergence_proofs.transport_of_zcdp))
def transport_of_every_zcdp_mechanism(M: EveryMechanism, P: EveryLaw, Q: EveryLaw, C: EveryLaw, rho: Nonnegative):
    r"""$\rho$-zCDP: $D_{\rm KL}(M_1\|M_2)\le\rho\inf_{\mathcal C}\mathbb E[d_{\rm Ham}(D,D')^2]$: for every coupling
    $\mathcal C$ of the laws of the data."""
    square = said.average(lambda z: said.apart(z) * said.apart(z), C)
    outputs = said.kl_at_most(drawn(M, P), drawn(M, Q), rho * square)
    return when(*said.distance_in_steps(), *said.coupling(C, P, Q), said.zcdp(M, rho), then=outputs)


@claim("TH-P4.7", in_kernel(coupling_proofs.a_maximal_coupling), twins=["BDP-D3.2"])
def some_coupling_is_maximal(P: EveryLaw, Q: EveryLaw, variation: Real):
    r"""Some $c_\infty\in\Pi(\mathcal P_1,\mathcal P_2)$ has $\Pr(X_1\ne X_2)=\mathrm{TV}(\mathcal P_1\|\mathcal P_2)$,
    and no coupling has less.

    The proof uses the Hahn-Jordan decomposition of the difference of both laws, which is cited and not derived.
    """
    names = of_names(P), of_names(Q)
    known = hahn_jordan(), *pairs_of_names(), *variation_is(*names, variation)
    return when(*known, then=couplings.some_coupling_is_maximal(*names, variation))
