"""Appendix H of the Bernoulli paper, H.1-H.5: the tools of differential privacy that its proofs use.

Mechanisms are random finite channels with rational probabilities, re-created from an integer; for pure and approximate
composition the exact worst cases (randomised response, with a leak where delta > 0) are used besides.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.numeric import absolute, exp, log, sqrt, to_ball
from banditproof.verify import channels
from banditproof.verify.channels import FiniteChannel, channel_delta, channel_ratio, random_channel
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import random_law
from banditproof.verify.symbolic import SymbolicArgument

EVERY_MECHANISM = Domain.of(mechanism="all: every mechanism")
RATIOS = (Fraction(1), Fraction(3, 2), Fraction(4))  # values of e^epsilon


def numbered(seed: int, records: int = 2) -> FiniteChannel:
    """Random channel number ``seed``; every third one may give an output probability zero."""
    return random_channel(seed, records, outputs=2 + seed % 2, smallest_weight=0 if seed % 3 == 2 else 1)


# -- H.1 post-processing --------------------------------------------------------------------------------------


def ratio_after_processing(mechanism: int, factor: int) -> tuple[Any, str, Any]:
    channel = numbered(mechanism)
    after = channels.post_process(channel, lambda y: dict(enumerate(random_law(mechanism, ("kernel", y), 2, 0, 5))))
    return channel_ratio(after).value, "<=", factor * channel_ratio(channel).value


@claim("BDP-PH.1", r"Post-processing: if $\mathcal M$ is $\epsilon$-DP then so is $f\circ\mathcal M$ for every randomised $f$ ($e^\epsilon$ grows by at most $<factor>$).",
       domain=EVERY_MECHANISM, constants={"factor": 1}, mutations=[mutation("factor 0.5", factor="0.5")], strongest="enumeration",
       twins=["TH-P2.7", "ADV-L16", "ZCDP-S8"])  # fmt: skip
def post_processing(check: Check) -> None:
    """The exact largest likelihood ratio before and after a random stochastic matrix."""
    check.enumerate(ratio_after_processing, [{"mechanism": s} for s in range(check.pick(60, 600))], rational=True,
                    covers=finitely_many(check, "random channels and stochastic matrices"), routes=("after", "before"))  # fmt: skip


def finitely_many(check: Check, what: str) -> Domain:
    """The region that a list of mechanisms speaks of: never every mechanism."""
    return check.domain.restrict(mechanism=f"all: {check.pick('some', 'many')} {what}")


# -- H.2 group privacy ----------------------------------------------------------------------------------------

GROUPS = Domain.of(mechanism="all: every mechanism", epsilon="[0, inf)", delta="[0, 1]", distance="integer [1, inf)")


def leak(epsilon: Any, delta: Any, distance: int) -> tuple[Any, Any]:
    """The event 'the secret was printed': with probability delta if there are ``distance`` changed records, else never.

    On one changed record it is the (0, delta)-DP mechanism that prints the record with probability delta.
    """
    return 1 - (1 - delta) ** distance, to_ball(0) * epsilon


def group_event(epsilon: Any, delta: Any, distance: int) -> tuple[Any, str, Any]:
    first, second = leak(epsilon, delta, distance)
    return first, "<=", exp(epsilon * distance) * second


parts_decide("BDP-PH.2", r"Group privacy: if $\mathcal M$ is $(\epsilon,\delta)$-DP then $\mathcal M_D(A)\le e^{\epsilon d_{\rm Ham}(D,D')}\mathcal M_{D'}(A)$ for any two datasets.",
             domain=GROUPS, twins=["TH-P2.8", "ADV-L17"])  # fmt: skip


@claim("BDP-PH.2/with-leak", r"The printed inequality for the mechanism that prints each record with probability $\delta$, and the event that something is printed which $D'$ does not contain.",
       role="edge", domain=GROUPS, strongest="enumeration")  # fmt: skip
def group_privacy_of_a_leak(check: Check) -> None:
    """Printing a record with probability delta is (0, delta)-DP; the right side lacks any delta, and is zero here."""
    check.counterexample(group_event, {"mechanism": "print each record with probability delta", "epsilon": Fraction(0),
                                       "delta": Fraction(1, 2), "distance": 1})  # fmt: skip


def group_ratio(mechanism: int, distance: int, exponent: int) -> tuple[Any, str, Any]:
    channel = numbered(mechanism, 3)
    one = channel_ratio(channel).value
    return channel_ratio(channel, distance).value, "<=", one ** (exponent * distance)


@claim("BDP-PH.2/repair-pure", r"If $\mathcal M$ is $\epsilon$-DP (so $\delta=0$) then $\mathcal M_D(A)\le e^{<exponent>\epsilon\, d_{\rm Ham}(D,D')}\mathcal M_{D'}(A)$.",
       role="repair", repairs="BDP-PH.2", domain=Domain.of(mechanism="all: every mechanism", distance="integer [1, inf)"),
       constants={"exponent": 1}, mutations=[mutation("no growth with the distance", exponent=0)], strongest="enumeration")  # fmt: skip
def group_privacy_of_pure_mechanisms(check: Check) -> None:
    """The exact ratio at distances 2 and 3 against powers of the ratio at distance 1."""
    points = [{"mechanism": s, "distance": d} for s in range(check.pick(20, 200)) for d in (1, 2, 3)]
    check.enumerate(group_ratio, points, rational=True, covers=finitely_many(check, "random channels").restrict(distance=[1, 2, 3]),
                    routes=("ratio at the distance", "power of the ratio of neighbours"))  # fmt: skip


def group_delta(mechanism: int, distance: int, ratio: Fraction, factor: int) -> tuple[Any, str, Any]:
    channel = numbered(mechanism, 3)
    delta = channel_delta(channel, ratio).value
    total = sum((ratio**i for i in range(distance)), Fraction(0))
    return channel_delta(channel, ratio**distance, distance).value, "<=", factor * total * delta


@claim("BDP-PH.2/repair-approximate", r"If $\mathcal M$ is $(\epsilon,\delta)$-DP then $\mathcal M_D(A)\le e^{\epsilon k}\mathcal M_{D'}(A) + <factor>\,\delta\sum_{i<k}e^{\epsilon i}$ with $k = d_{\rm Ham}(D,D')$.",
       role="repair", domain=Domain.of(mechanism="all: every mechanism", ratio="[1, inf)", distance="integer [1, inf)"),
       constants={"factor": 1}, mutations=[mutation("a tenth", factor="0.1")], strongest="enumeration")  # fmt: skip
def group_privacy_of_approximate_mechanisms(check: Check) -> None:
    """The exact delta at distances 1, 2, 3 against the telescoped bound."""
    points = [{"mechanism": s, "distance": d, "ratio": r} for s in range(check.pick(12, 100)) for d in (1, 2, 3) for r in RATIOS]
    check.enumerate(group_delta, points, rational=True, covers=finitely_many(check, "random channels").restrict(distance=[1, 2, 3], ratio=RATIOS),
                    routes=("hockey stick at the distance", "telescoped bound"))  # fmt: skip


# -- H.3 composition ------------------------------------------------------------------------------------------

parts_decide("BDP-PH.3", r"Composition: budgets $(\epsilon_i,\delta_i)$ and $\rho_i$ of mechanisms run on the same data add up; also adaptively; advanced composition.")


def composed_delta(mechanism: int, ratio: Fraction, other: Fraction, factor: int) -> tuple[Any, str, Any]:
    first, second = numbered(mechanism), numbered(mechanism + 1)
    both = channels.compose_independently([first, second])
    allowed = channel_delta(first, ratio).value + channel_delta(second, other).value
    return channel_delta(both, ratio * other).value, "<=", factor * allowed


@claim("BDP-PH.3/basic", r"If each $\mathcal M^i$ is $(\epsilon_i,\delta_i)$-DP then the composition is $(\sum\epsilon_i, <factor>\sum\delta_i)$-DP.",
       domain=EVERY_MECHANISM, constants={"factor": 1}, mutations=[mutation("half of delta", factor="0.5")], strongest="enumeration")  # fmt: skip
def basic_composition(check: Check) -> None:
    """Exact hockey-stick divergences of two random channels and of their product."""
    points = [{"mechanism": s, "ratio": a, "other": b} for s in range(check.pick(20, 200)) for a, b in product(RATIOS, RATIOS)]
    check.enumerate(composed_delta, points, rational=True, covers=finitely_many(check, "pairs of random channels"),
                    routes=("delta of the product", "sum of deltas"))  # fmt: skip


def adaptively_composed_delta(mechanism: int, ratio: Fraction, other: Fraction, factor: int) -> tuple[Any, str, Any]:
    first = numbered(mechanism)
    second = {y: numbered(mechanism + 1 + y) for y in range(3)}
    both = channels.compose(first, second.__getitem__)
    allowed = channel_delta(first, ratio).value + max(channel_delta(c, other).value for c in second.values())
    return channel_delta(both, ratio * other).value, "<=", factor * allowed


@claim("BDP-PH.3/adaptive", r"The composition of $(\epsilon_i,\delta_i)$-DP mechanisms chosen adaptively is $(\sum\epsilon_i,<factor>\sum\delta_i)$-DP.",
       domain=EVERY_MECHANISM, constants={"factor": 1}, mutations=[mutation("half of delta", factor="0.5")], strongest="enumeration")  # fmt: skip
def adaptive_composition(check: Check) -> None:
    """The second channel is chosen by the output of the first."""
    points = [{"mechanism": s, "ratio": a, "other": b} for s in range(check.pick(15, 150)) for a, b in product(RATIOS, RATIOS)]
    check.enumerate(adaptively_composed_delta, points, rational=True, covers=finitely_many(check, "adaptive pairs of random channels"),
                    routes=("delta of the adaptive composition", "sum of deltas"))  # fmt: skip


def renyi_moment(left: Any, right: Any, order: int) -> Fraction:
    """exp((order - 1) D_order) = sum p^order q^(1 - order), rational for an integer order."""
    return sum((p * (p / right[s]) ** (order - 1) for s, p in left.items() if p), Fraction(0))


def composed_moment(mechanism: int, order: int, exponent: int) -> tuple[Any, str, Any]:
    """Moments multiply, so Rényi divergences of every order add up, and with them the rho of zCDP."""
    first = random_channel(mechanism, 1)
    second = {y: random_channel(mechanism + 1 + y, 1) for y in range(3)}
    both = channels.compose(first, second.__getitem__)
    moment = renyi_moment(both.laws[(0,)], both.laws[(1,)], order)
    worst = max(renyi_moment(c.laws[(0,)], c.laws[(1,)], order) for c in second.values())
    return moment, "<=", (renyi_moment(first.laws[(0,)], first.laws[(1,)], order) * worst) ** exponent


@claim("BDP-PH.3/zcdp", r"If each $\mathcal M^i$ is $\rho_i$-zCDP then the composition, also an adaptive one, is $<exponent>\sum\rho_i$-zCDP.",
       domain=EVERY_MECHANISM, constants={"exponent": 1}, mutations=[mutation("nothing is spent", exponent=0)], strongest="enumeration")  # fmt: skip
def zcdp_composition(check: Check) -> None:
    """Exact Rényi moments of integer orders, of an adaptive composition and of its parts."""
    points = [{"mechanism": s, "order": a} for s in range(check.pick(40, 300)) for a in (2, 3, 5, 12)]
    check.enumerate(composed_moment, points, rational=True, covers=finitely_many(check, "adaptive pairs, orders 2, 3, 5, 12"),
                    routes=("moment of the composition", "product of moments"))  # fmt: skip


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


@claim("BDP-PH.3/advanced", r"The $k$-fold composition of an $(\epsilon,\delta)$-DP mechanism is $(<factor>\epsilon', \delta'+k\delta)$-DP with $\epsilon' = \sqrt{2k\log(1/\delta')\epsilon} + k\epsilon(e^\epsilon-1)$, as printed.",
       domain=ADVANCED, constants={"factor": 1}, mutations=[mutation("a tenth of epsilon'", factor="0.1")], strongest="enumeration")  # fmt: skip
def advanced_composition_as_printed(check: Check) -> None:
    """The exact worst case against the printed budget.

    The printed root holds epsilon where the literature has its square. That is the larger budget for epsilon <= 1, and
    for epsilon >= log 2 the second term alone exceeds the k epsilon of simple composition: the statement stays valid.
    """
    check.could_not("symbolic", "the binomial sum over all k has no closed form to compare with")
    grid = {"k": [1, 2, 3, 10, 40], "epsilon": ["0.01", "0.1", "0.5", "1", "2", "5"], "delta": ["0", "0.001"],
            "delta_prime": ["1/1000000", "1/100", "1/2", "1"]}  # fmt: skip
    check.enumerate(advanced_composition, grid, routes=("exact delta of the worst case", "printed budget"))


SAVING = Domain.of(k="integer [1, inf)", epsilon="(0, 1]", delta_prime="(0, 1]")


def saved_root(k: int, epsilon: Any, delta_prime: Any, power: int) -> tuple[Any, str, Any]:
    scale = sqrt(k) * epsilon
    return (
        advanced_epsilon(k, epsilon, delta_prime, power),
        "<=",
        scale * (sqrt(2 * log(1 / delta_prime)) + sqrt(k) * (exp(epsilon) - 1)) + scale / 1000,
    )


@claim("BDP-PH.3/improves-by-root-k", r"Advanced composition saves a factor $\sqrt k$: $\epsilon' \le \sqrt k\,\epsilon\,(\sqrt{2\log(1/\delta')} + \sqrt k (e^\epsilon-1))$ up to one part in a thousand, with $\epsilon^{<power>}$ under the root.",
       role="reading", domain=SAVING, constants={"power": 1}, strongest="enumeration")  # fmt: skip
def saving_as_printed(check: Check) -> None:
    """With epsilon itself under the root the saving is lost for small budgets: the root is of order sqrt(k epsilon)."""
    check.counterexample(saved_root, {"k": 1, "epsilon": Fraction(1, 4), "delta_prime": Fraction(1, 100)})


@claim("BDP-PH.3/repair-square-under-the-root", r"With $\epsilon^{<power>}$ under the root, $\epsilon' \le \sqrt k\,\epsilon\,(\sqrt{2\log(1/\delta')} + \sqrt k (e^\epsilon-1))$ up to one part in a thousand.",
       role="repair", repairs="BDP-PH.3/improves-by-root-k", domain=SAVING, constants={"power": 2},
       mutations=[mutation("power 1", power=1)], strongest="enumeration")  # fmt: skip
def saving_with_the_square(check: Check) -> None:
    """Both sides in balls on a grid; without the slack they are equal."""
    grid = {"k": [1, 2, 10, 1000], "epsilon": ["0.001", "0.25", "1"], "delta_prime": ["1/1000000", "1/100", "1/2"]}
    check.enumerate(saved_root, grid, routes=("advanced composition", "root-k budget"))


# -- H.4 parallel composition ---------------------------------------------------------------------------------

parts_decide("BDP-LH.4", r"Parallel composition on a fixed partition of the records: if each mechanism is $(\epsilon,\delta)$-DP (or $\rho$-zCDP), so is the whole.",
             twins=["TH-L2.10", "ALG-LC.1", "ZCDP-L1"])  # fmt: skip


def parallel_delta(mechanism: int, ratio: Fraction, factor: int) -> tuple[Any, str, Any]:
    blocks = [numbered(mechanism, 2), numbered(mechanism + 1, 1)]
    allowed = max(channel_delta(c, ratio).value for c in blocks)
    return channel_delta(channels.compose_in_parallel(blocks), ratio).value, "<=", factor * allowed


@claim("BDP-LH.4/approximate", r"If each $\mathcal M^i$ is $(\epsilon,\delta)$-DP then the parallel composition is $(\epsilon,<factor>\delta)$-DP.",
       domain=EVERY_MECHANISM, constants={"factor": 1}, mutations=[mutation("half of delta", factor="0.5")], strongest="enumeration")  # fmt: skip
def parallel_composition(check: Check) -> None:
    """The exact hockey stick of two channels on two blocks against the larger of theirs."""
    points = [{"mechanism": s, "ratio": r} for s in range(check.pick(20, 200)) for r in RATIOS]
    check.enumerate(parallel_delta, points, rational=True, covers=finitely_many(check, "pairs of blocks"),
                    routes=("delta of the whole", "largest delta of a block"))  # fmt: skip


def parallel_moment(mechanism: int, order: int, factor: int) -> tuple[Any, str, Any]:
    blocks = [random_channel(mechanism, 1), random_channel(mechanism + 1, 1)]
    whole = channels.compose_in_parallel(blocks)
    largest = max(renyi_moment(whole.laws[a], whole.laws[b], order) for a, b in whole.pairs())
    return largest - 1, "<=", factor * (max(renyi_moment(c.laws[a], c.laws[b], order) for c in blocks for a, b in c.pairs()) - 1)


@claim("BDP-LH.4/zcdp", r"If each $\mathcal M^i$ is $\rho_i$-zCDP then the parallel composition is $\rho$-zCDP with $\rho=\max_i\rho_i$ (the relation of $\rho$ to $\rho_i$ is not printed); moments minus one grow by $<factor>$.",
       domain=EVERY_MECHANISM, constants={"factor": 1}, mutations=[mutation("half", factor="0.5")], strongest="enumeration")  # fmt: skip
def parallel_composition_of_zcdp(check: Check) -> None:
    """Exact Rényi moments of integer orders."""
    points = [{"mechanism": s, "order": a} for s in range(check.pick(40, 300)) for a in (2, 3, 5, 12)]
    check.enumerate(parallel_moment, points, rational=True, covers=finitely_many(check, "pairs of blocks, orders 2, 3, 5, 12"),
                    routes=("moment of the whole", "largest moment of a block"))  # fmt: skip


# -- H.5 Laplace mechanism ------------------------------------------------------------------------------------

# One coordinate in units of the sensitivity: the output lies y from one value of f and y - d from the other.
SHIFT = Domain.of(y="(-inf, inf)", d="[-1, 1]")


def laplace_log_ratio(y: Any, d: Any, factor: int) -> tuple[Any, str, Any]:
    """The log-ratio of two Laplace densities whose centres are d apart, in units of epsilon."""
    return absolute(y - d) - absolute(y), "<=", factor


def far_right(factor: Any) -> SymbolicArgument:
    a, p, q = _symbols()
    d = (p - q) / (p + q)  # reaches (-1, 1)
    return SymbolicArgument({"y": 2 + a, "d": d}, 2 * p / (p + q) + factor - 1, "nonnegative")


def far_left(factor: Any) -> SymbolicArgument:
    a, p, q = _symbols()
    return SymbolicArgument({"y": -2 - a, "d": (p - q) / (p + q)}, 2 * q / (p + q) + factor - 1, "nonnegative")


def _symbols() -> Any:
    import sympy

    return sympy.Symbol("a", nonnegative=True), sympy.Symbol("p", positive=True), sympy.Symbol("q", positive=True)


def _end(sign: int, factor: Any, beyond: int) -> SymbolicArgument:
    import sympy

    a = sympy.Symbol("a", nonnegative=True)
    y = 2 + a if beyond > 0 else -2 - a
    return SymbolicArgument({"y": y, "d": sympy.Integer(sign)}, factor - absolute(y - sign) + absolute(y), "nonnegative")


def right_plus(factor: Any) -> SymbolicArgument:
    return _end(1, factor, 1)


def right_minus(factor: Any) -> SymbolicArgument:
    return _end(-1, factor, 1)


def left_plus(factor: Any) -> SymbolicArgument:
    return _end(1, factor, -1)


def left_minus(factor: Any) -> SymbolicArgument:
    return _end(-1, factor, -1)


def prove_laplace_ratio(check: Check, domain: Domain) -> None:
    """|y - d| - |y| <= 1 for all y and |d| <= 1: piecewise linear in the middle, explicit beyond |y| = 2."""
    proved = check.interval(laplace_log_ratio, domain.restrict(y="[-2, 2]"), routes=("log-ratio of the densities", "budget"))
    if not proved:
        return
    for y, generic, plus, minus in (("[2, inf)", far_right, right_plus, right_minus), ("(-inf, -2]", far_left, left_plus, left_minus)):
        check.symbolic(laplace_log_ratio, generic, domain.restrict(y=y, d="(-1, 1)"))
        check.symbolic(laplace_log_ratio, plus, domain.restrict(y=y, d=[1]))
        check.symbolic(laplace_log_ratio, minus, domain.restrict(y=y, d=[-1]))


parts_decide("BDP-TH.5", r"The Laplace mechanism $f + (Y_1,\dots,Y_k)$ with $Y_i\sim\mathrm{Lap}(s_1(f)/\epsilon)$ is $\epsilon$-DP.", twins=["TH-T2.13", "ADV-D7"])


@claim("BDP-TH.5/one-coordinate", r"In one coordinate, with $d$ the change of $f$ in units of the sensitivity, $|y-d|-|y| \le <factor>$: the log-ratio of the densities is at most $\epsilon$.",
       domain=SHIFT, constants={"factor": 1}, mutations=[mutation("factor 0.9", factor="0.9")], strongest="interval")  # fmt: skip
def laplace_mechanism(check: Check) -> None:
    """The log-ratio of the two densities at every output."""
    prove_laplace_ratio(check, check.domain)


def summed_log_ratio(output: Any, change: Any, factor: int) -> tuple[Any, str, Any]:
    """The log-ratio of k coordinates in units of epsilon / sensitivity against the l1 norm of the change."""
    return sum(abs(Fraction(y) - Fraction(d)) - abs(Fraction(y)) for y, d in zip(output, change, strict=True)), "<=", (
        factor * sum(abs(Fraction(d)) for d in change)
    )


@claim("BDP-TH.5/several-coordinates", r"Over $k$ coordinates the log-ratio is at most $<factor>\,\epsilon\,\|f(D)-f(D')\|_1/s_1(f)$.",
       domain=Domain.of(output="all: every output", change="all: every change"), constants={"factor": 1},
       mutations=[mutation("factor 0.9", factor="0.9")], strongest="enumeration")  # fmt: skip
def laplace_mechanismin_several_coordinates(check: Check) -> None:
    """Rational outputs and changes in two and three coordinates."""
    values = ["-2", "-1/2", "0", "1/3", "3"]
    points = [{"output": list(y), "change": list(d)} for k in (2, 3) for y in product(values, repeat=k)
              for d in product(["-1", "0", "1/2"], repeat=k)]  # fmt: skip
    check.enumerate(summed_log_ratio, points, rational=True, routes=("sum over coordinates", "l1 norm"))
