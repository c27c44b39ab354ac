"""Before the best arm has converged: expectations in the proof of Theorem F.7, steps (38) to (41).

Laws of noisy means are exact: noisy_sum_tail is a finite sum of closed forms in ball arithmetic.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from banditproof.algorithms.batches import BatchSchedule, GeometricBatches, PolynomialBatches
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation
from banditproof.theory.bernoulli import d_epsilon
from banditproof.theory.laplace_sums import noisy_sum_tail
from banditproof.theory.numeric import SYMBOL, exp, log, log1p, system, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
BALLS = ("d_epsilon in balls", "the bound, in balls")
TAILS = ("exact law of the noisy mean, in balls", "the bound, in balls")
COMPOSED = ("formulas proved symbolically, joined by the named textbook facts", "the stated bound")
IDENTITY = ("the integral or series", "its closed form")
CELLS = 64

TARGET = Domain.of(x="[0, 1]", mu_star="(0, 1)", delta="(0, 1)", epsilon="(0, inf)", where=["delta < mu_star"])
TARGET_GRID = {"mu_star": ["1/10", "1/2", "9/10"], "delta": ["1/1000", "1/20"], "epsilon": ["1/10", "1", "20"]}


# -------------------------------------------------------------- d_epsilon at mu* - delta compared with d_epsilon at mu*


def shifted_target(x: Any, mu_star: Any, delta: Any, epsilon: Any, factor: Any) -> Sides:
    lowered = d_epsilon(x, mu_star, epsilon) - factor * delta / (1 - mu_star)
    return d_epsilon(x, mu_star - delta, epsilon), ">=", lowered


def slope_at_most(z: Any, u: Any, factor: Any) -> Sides:
    """d/du kl(z, u) against the slope 1/(1 - u) of Lemma F.5."""
    return (u - z) / (u * (1 - u)), "<=", factor / (1 - u)


def slope_at_most_argument(factor: Any) -> SymbolicArgument:
    import sympy

    a, b, c = sympy.symbols("a b c", positive=True)
    z, u = a / (1 + a), b / (1 + b)
    extra = (factor - 1) / (1 - u)
    return SymbolicArgument({"z": z, "u": u}, sympy.factor(sympy.cancel(z / (u * (1 - u)))) + extra, "nonnegative")


@claim(
    "BDP-TF.7/39-shift",
    r"after (38) and in (42), from Lemma F.5: $d_\epsilon(x,\mu^\star-\delta)\ge "
    r"d_\epsilon(x,\mu^\star)-<factor>\frac{\delta}{1-\mu^\star}$ "
    r"for every $x\in[0,1]$",
    domain=TARGET, constants={"factor": 1}, mutations=[mutation("factor 0.95", factor="0.95")], role="step",
    strongest="certificate",
)  # fmt: skip
def divergence_to_a_lower_target(check: Check) -> None:
    """The slope of d_epsilon(x, .) is below 1/(1 - u) on either side of x: above x it is negative."""
    over = {"x": ["0", "1/100", "1/20", "9/20", "1/2", "1"], **TARGET_GRID}
    if check.enumerate(shifted_target, over, routes=BALLS):
        domain = Domain.of(z="(0, 1)", u="(0, 1)")
        proof = derivation(
            [fact(slope_at_most, domain, slope_at_most_argument)],
            "the slope of d_epsilon(x, .) at u is that of its objective at the minimiser z (envelope theorem); 1/(1 "
            "- u) is "
            "at most 1/(1 - mu*) on [mu* - delta, mu*]; integrate over it",
        )
        check.certificate(facts_hold, proof, routes=COMPOSED)


MEAN = Domain.of(mu_star="(0, 1)", delta="(0, 1)", epsilon="(0, inf)", n0="integer [1, inf)", where=["delta < mu_star"])
FIRST_BATCH = {"mu_star": Fraction(1, 2), "delta": Fraction(1, 4), "epsilon": Fraction(1), "n0": 1}


def expected_exponentials(mu_star: Any, delta: Any, epsilon: Any, n0: int) -> Sides:
    """Both expectations for the first batch (n_0 rewards and one noise term), by cells of the noisy mean.

    d_epsilon(x, y) decreases in x <= y, so a cell contributes its probability times a value between those at its ends.
    """
    target, shift = mu_star - delta, delta / (1 - mu_star)

    def expectation(exponent: Callable[[Any], Any]) -> Any:
        ends = [target * k / CELLS for k in range(CELLS + 1)]
        below = [noisy_sum_tail(n0, 1, mu_star, epsilon, n0 * x, side="lower") for x in ends]
        value = [n0 * exp(n0 * exponent(x)) for x in ends]
        neighbours = itertools.pairwise(zip(below, value, strict=True))
        cells = ((after - before) * a.union(b) for (before, a), (after, b) in neighbours)
        return below[0] * value[0] + sum(cells, to_ball(0))

    left = expectation(lambda x: d_epsilon(x, target, epsilon))
    return left, "<=", expectation(lambda x: d_epsilon(x, mu_star, epsilon) - shift)


@claim(
    "BDP-TF.7/39-expectation",
    r"before (39), first inequality for the first batch: "
    r"$\mathbb E[\mathbb 1[\tilde\mu<\mu^\star-\delta]n\,e^{nd_\epsilon([\tilde\mu]_0^1,\mu^\star-\delta)}]\le"
    r"\mathbb E[\mathbb 1[\tilde\mu<\mu^\star-\delta]n\,e^{n(d_\epsilon([\tilde\mu]_0^1,\mu^\star)-\delta')}]$, "
    r"$\delta'=\delta/(1-\mu^\star)$",
    domain=MEAN, role="step",
)  # fmt: skip
def expectation_with_a_lower_target(check: Check) -> None:
    """The step before gives >= between the exponents, and strictly (BDP-TF.7/39-shift): <= would need the converse."""
    check.counterexample(expected_exponentials, FIRST_BATCH)


def separated_targets(x: Any, mu_star: Any, delta: Any, epsilon: Any, share: Any) -> Sides:
    lost = share * d_epsilon(mu_star - delta, mu_star, epsilon)
    return d_epsilon(x, mu_star - delta, epsilon), "<=", d_epsilon(x, mu_star, epsilon) - lost


def logits_ordered(y: Any, mu_star: Any) -> Sides:
    return log(y / (1 - y)), "<=", log(mu_star / (1 - mu_star))


def logits_ordered_argument() -> SymbolicArgument:
    import sympy

    a, b = sympy.symbols("a b", positive=True)
    y, mu_star = a / (1 + a), (a + b) / (1 + a + b)
    return SymbolicArgument({"y": y, "mu_star": mu_star}, sympy.log(1 + b / a), "positive")


@claim(
    "BDP-TF.7/39-expectation-repaired",
    r"$d_\epsilon(x,\mu^\star-\delta)\le d_\epsilon(x,\mu^\star)-<share>\,\delta''$ for $0\le x<\mu^\star-\delta$ with "
    r"$\delta''=d_\epsilon(\mu^\star-\delta,\mu^\star)>0$, which replaces $\delta'$ in (39)-(41)",
    domain=Domain.of(x="[0, 1)", mu_star="(0, 1)", delta="(0, 1)", epsilon="(0, inf)",
                     where=["delta < mu_star", "x < mu_star - delta"]),
    constants={"share": 1}, mutations=[mutation("1.05 of it", share="1.05")],
    role="repair", repairs="BDP-TF.7/39-expectation", strongest="certificate",
)  # fmt: skip
def divergences_to_two_targets(check: Check) -> None:
    points = [
        {"mu_star": m, "delta": d, "epsilon": e, "x": f"{(Fraction(m) - Fraction(d)) * Fraction(share)}"}
        for m, d, e in itertools.product(*TARGET_GRID.values()) for share in ("0", "1/10", "1/2", "99/100")
    ]  # fmt: skip
    if check.enumerate(separated_targets, points, routes=BALLS) and check.constants["share"] <= 1:
        domain = Domain.of(y="(0, 1)", mu_star="(0, 1)", where=["y < mu_star"])
        proof = derivation(
            [fact(logits_ordered, domain, logits_ordered_argument)],
            "the slope of d_epsilon(., y) below y is max(-epsilon, logit x - logit y) (dual form), no smaller than "
            "that of "
            "d_epsilon(., mu*); so d_epsilon(x, mu*) - d_epsilon(x, y) decreases in x to its value at x = y",
        )
        check.certificate(facts_hold, proof, routes=COMPOSED)


# --------------------------------------------------------------------------------------------------------- (39) to (41)


def integral(integrand: Callable[[Any, Callable[[Any], Any]], Any], lower: Any, upper: Any) -> Any:
    """The integral of integrand(x, exp): by SymPy for symbols, by rigorous quadrature for balls."""
    if system(lower, upper) == SYMBOL:
        import sympy

        x = sympy.Symbol("x", positive=True)
        return sympy.integrate(sympy.expand(integrand(x, sympy.exp)), (x, lower, upper))
    import flint

    start, end = flint.acb(to_ball(lower)), flint.acb(to_ball(upper))
    return flint.acb.integral(lambda x, _: integrand(x, lambda value: value.exp()), start, end).real


def layer_cake(n: Any, level: Any, delta_prime: Any, exponent: Any) -> Sides:
    grown = integral(lambda x, exp: n**exponent * exp(n * (x - delta_prime)), 0, level)
    return n * exp(n * (level - delta_prime)), "==", n * exp(-n * delta_prime) + grown


def positive_symbols(names: str) -> Any:
    import sympy

    return sympy.symbols(names, positive=True)


def layer_cake_argument() -> SymbolicArgument:
    import sympy

    n = sympy.Symbol("n", integer=True, positive=True)
    level, delta_prime = positive_symbols("D delta")
    return SymbolicArgument({"n": n, "level": level, "delta_prime": delta_prime}, sympy.Integer(0), "zero")


@claim(
    "BDP-TF.7/39-integration",
    r"before (39), integration by parts: $n\,e^{n(D-\delta')}=n\,e^{-n\delta'}+\int_0^Dn^{<exponent>}e^{n(x-"
    r"\delta')}dx$ for every value $D$ of "
    r"$d_\epsilon([\tilde\mu]_0^1,\mu^\star)$; its expectation is at most "
    r"$n\,e^{-n\delta'}+\int_0^{d_1}n^2e^{n(x-\delta')}P(x)dx$",
    domain=Domain.of(n="integer [1, inf)", level="(0, inf)", delta_prime="(0, inf)"),
    constants={"exponent": 2}, mutations=[mutation("n in place of n^2", exponent=1)],
    role="step", repairs="BDP-TF.7/39-boundary", strongest="symbolic",
)  # fmt: skip
def integration_by_parts(check: Check) -> None:
    check.symbolic(layer_cake, layer_cake_argument, routes=IDENTITY)


def boundary_term(mu_star: Any, delta: Any, epsilon: Any, n0: int) -> Sides:
    largest = d_epsilon(to_ball(0), mu_star, epsilon)
    at_largest = noisy_sum_tail(n0, 1, mu_star, epsilon, 0, side="lower")
    return n0 * exp(n0 * (largest - delta / (1 - mu_star))) * at_largest, "==", 0


@claim(
    "BDP-TF.7/39-boundary",
    r"before (39), the displayed equality read literally: the two sides of $\mathbb E[\mathbb "
    r"1\,h(D)]=[h(x)(-P(x))]_0^{d_1}+\int_0^{d_1}h'P$ "
    r"with $P(x)=\Pr[D\ge x,\dots]$ differ by $h(d_1)P(d_1)=0$ (first batch)",
    domain=MEAN, role="reading",
)  # fmt: skip
def boundary_term_at_the_largest_value(check: Check) -> None:
    """Clipping gives D the value d_1 = d_epsilon(0, mu*) with positive probability; the bound that follows drops "
    "the term."""
    check.counterexample(boundary_term, FIRST_BATCH)


def uniform_tail(n: int, m: int, mu_star: Any, epsilon: Any, c: Any, factor: Any) -> Sides:
    log_prefactor = m * log1p(m * epsilon * n * mu_star)
    tail = noisy_sum_tail(n, m, mu_star, epsilon, n * c, side="lower")
    return tail, "<=", factor * exp(log_prefactor - n * d_epsilon(c, mu_star, epsilon))


@claim(
    "BDP-TF.7/39",
    r"(39) needs one $A_a$ for all $c_x$: with $m$ noise terms, $\Pr[\tilde\mu\le c]\le<factor>(1+m\epsilon "
    r"n\mu^\star)^m"
    r"e^{-nd_\epsilon(c,\mu^\star)}$ for every $c\in[0,\mu^\star]$, from BDP-DF6",
    domain=Domain.of(n="integer [1, inf)", m="integer [1, inf)", mu_star="(0, 1)", epsilon="(0, inf)", c="[0, 1)",
                     where=["c <= mu_star"]),
    constants={"factor": 3}, mutations=[mutation("prefactor 2/5", factor="2/5")], role="step",
)  # fmt: skip
def tails_of_the_best_arm(check: Check) -> None:
    points = [
        {"n": n, "m": m, "mu_star": mu, "epsilon": epsilon, "c": str(Fraction(mu) * Fraction(share))}
        for n, m in ((1, 1), (3, 2), (7, 3), (63, 6)) for mu in ("1/10", "1/2", "9/10")
        for epsilon in ("1/1000", "1/4", "4") for share in ("0", "1/2", "1")
    ]  # fmt: skip
    check.enumerate(uniform_tail, points, routes=TAILS)


def log_prefactors(schedule: BatchSchedule, epsilon: Any) -> list[tuple[int, float]]:
    """(n_m, log(A)/n_m) for the prefactor of (39) with m + 1 noise terms after batch m, mu* replaced by 1."""
    totals = [(m, n) for m, n in zip(range(400), schedule.totals(), strict=False)]
    chosen = [totals[i] for i in (3, 6, 9, 12, 15, 18, 24, 30)]
    terms = ((n, m + 1) for m, n in chosen)
    return [(n, float((log(to_ball(3)) + m * log1p(m * n * to_ball(epsilon))) / n)) for n, m in terms]


@claim(
    "BDP-TF.7/39-subexponential",
    r"(39): along the batches (14) that prefactor is $A_ae^{an_m}$ for every $a>0$: its logarithm divided by $n_m$ "
    r"tends to 0 (<schedule> batches)",
    domain=Domain.of(alpha="(1, inf)", n0="integer [1, inf)", epsilon="(0, inf)"),
    constants={"schedule": "geometric"}, mutations=[mutation("one pull per batch", schedule="single")], role="step",
)  # fmt: skip
def prefactor_is_subexponential(check: Check) -> None:
    for alpha in ("3/2", "2"):
        schedule = GeometricBatches(alpha, 1) if check.constants["schedule"] == "geometric" else PolynomialBatches(0)
        check.trend("vanishes", log_prefactors(schedule, Fraction(1)), f"log A / n_m, alpha = {alpha}, epsilon = 1",
                    covers=check.domain.restrict(alpha=[alpha], n0=[1], epsilon=["1"]), tolerance="0.02")  # fmt: skip


def constant_integral(n: Any, d1: Any, a: Any, delta_prime: Any, constant: Any, exponent: Any) -> Sides:
    value = integral(lambda x, exp: n**2 * constant * exp(n * (x - delta_prime) + n * a - n * x), 0, d1)
    return value, "==", d1 * n**exponent * constant * exp(-n * (delta_prime - a))


def constant_integral_argument() -> SymbolicArgument:
    import sympy

    n = sympy.Symbol("n", integer=True, positive=True)
    rest = {name: positive_symbols(name) for name in ("d1", "a", "delta_prime", "constant")}
    return SymbolicArgument({"n": n, **rest}, sympy.Integer(0), "zero")


@claim(
    "BDP-TF.7/40",
    r"(40): $\int_0^{d_1}n^2e^{n(x-\delta')}A_ae^{na}e^{-nx}dx=d_1n^{<exponent>}A_ae^{-n(\delta'-a)}$",
    domain=Domain.of(n="integer [1, inf)", d1="(0, inf)", a="(0, inf)", delta_prime="(0, inf)", constant="(0, inf)"),
    constants={"exponent": 2}, mutations=[mutation("n in place of n^2", exponent=1)], role="step", strongest="symbolic",
)  # fmt: skip
def integral_of_the_tail_bound(check: Check) -> None:
    check.symbolic(constant_integral, constant_integral_argument, routes=IDENTITY)


def power_series(q: Any, power: int) -> Any:
    """sum over n >= 0 of n^power q^n: the polylogarithm of order -power."""
    if system(q) == SYMBOL:
        import sympy

        return sympy.expand_func(sympy.polylog(-power, q))
    return q.polylog(-power)


def first_series(q: Any, factor: Any) -> Sides:
    return power_series(q, 1), "==", factor * q / (1 - q) ** 2


def second_series(q: Any, factor: Any) -> Sides:
    return power_series(q, 2), "==", factor * q * (q + 1) / (1 - q) ** 3


def series_argument() -> SymbolicArgument:
    import sympy

    s = positive_symbols("s")
    return SymbolicArgument({"q": 1 / (1 + s)}, sympy.Integer(0), "zero")


@claim(
    "BDP-TF.7/41-series",
    r"(41): $\sum_nnq^n=<factor>\frac{q}{(1-q)^2}$ and $\sum_nn^2q^n=<factor>\frac{q(q+1)}{(1-q)^3}$ for $0<q<1$",
    domain=Domain.of(q="(0, 1)"), constants={"factor": 1}, mutations=[mutation("factor 1.01", factor="1.01")],
    role="step", strongest="symbolic",
)  # fmt: skip
def sums_of_the_series(check: Check) -> None:
    check.symbolic(first_series, series_argument, routes=IDENTITY)
    check.symbolic(second_series, series_argument, routes=IDENTITY)


SERIES = Domain.of(rate="(0, inf)", a="(0, inf)", d1="(0, inf)", constant="(0, inf)")


def sum_of_bounds(rate: Any, a: Any, d1: Any, constant: Any, operator: str, share: Any) -> Sides:
    """rate = delta' - a > 0; the first series is in e^-delta', which (41) prints as e^-(delta' - a)."""
    exact, printed, q = exp(-(rate + a)), exp(-(rate + (1 - share) * a)), exp(-rate)
    second = d1 * constant * q * (q + 1) / (1 - q) ** 3
    return exact / (1 - exact) ** 2 + second, operator, printed / (1 - printed) ** 2 + second


def sum_of_bounds_argument(share: Any) -> SymbolicArgument:
    import sympy

    s, v, d1, constant = positive_symbols("s v d1 constant")
    w = s + v + s * v
    lead = v * (1 + s) * (w + s + s * w) / (s**2 * w**2)
    variables = {"rate": sympy.log(1 + s), "a": sympy.log(1 + v), "d1": d1, "constant": constant}
    return SymbolicArgument(variables, lead, "nonnegative")


@claim(
    "BDP-TF.7/41",
    r"(41): $\sum_n(n\,e^{-n\delta'}+d_1n^2A_ae^{-n(\delta'-a)})=\frac{q}{(1-q)^2}+d_1A_a\frac{q(q+1)}{(1-q)^3}$ with "
    r"$q=e^{-(\delta'-a)}$, $0<a<\delta'$",
    domain=SERIES, constants={"operator": "==", "share": 1}, role="step",
)  # fmt: skip
def sum_of_the_bounds(check: Check) -> None:
    """The first series is in e^-delta', smaller than q: the equality sign should be <=, which is all that is needed."""
    check.counterexample(sum_of_bounds, dict.fromkeys(("rate", "a", "d1", "constant"), Fraction(1)))


@claim(
    "BDP-TF.7/41-repaired",
    r"$\sum_n(n\,e^{-n\delta'}+d_1n^2A_ae^{-n(\delta'-a)})\le\frac{q}{(1-q)^2}+d_1A_a\frac{q(q+1)}{(1-q)^3}$ with "
    r"$q=e^{-(\delta'-a)}$ ($<share>$ of $a$ in the first term), $0<a<\delta'$",
    domain=SERIES, constants={"operator": "<=", "share": 1},
    mutations=[mutation("a added to the rate", share="-1/100")],
    role="repair", repairs="BDP-TF.7/41", strongest="symbolic",
)  # fmt: skip
def bound_on_the_sum_of_the_bounds(check: Check) -> None:
    over = {"rate": ["1/10", "1", "5"], "a": ["1/10", "1", "5"], "d1": ["1"], "constant": ["1"]}
    if check.enumerate(sum_of_bounds, over, routes=IDENTITY):
        check.symbolic(sum_of_bounds, sum_of_bounds_argument, points=10)
