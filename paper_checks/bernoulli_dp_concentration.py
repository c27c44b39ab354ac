"""Concentration of Laplace sums and of noisy Bernoulli sums: BDP-LD.1, BDP-DF6, BDP-LD.3.

S is the sum of n Bernoulli(mu) and m Laplace(1/epsilon) variables, all independent. Exact tails (finite sums of
closed forms) are compared with the printed bounds on grids; the derivations cover the whole domains.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from banditproof.paper_checks import bernoulli_dp_chernoff_facts as facts
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, facts_hold
from banditproof.paper_checks.register import claim, mutation
from banditproof.theory.concentration import (
    clean_private_chernoff_bound,
    d_epsilon_extended,
    laplace_sum_bound,
    private_chernoff_bound,
)
from banditproof.theory.laplace_sums import laplace_sum_tail, noisy_sum_tail
from banditproof.theory.numeric import exp, log1p, maximum, minimum, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
TAILS = ("exact tail: a finite sum of closed forms, in balls", "the bound, in balls")
COMPOSED = ("formulas proved symbolically, joined by the named textbook facts", "the stated bound")


# ------------------------------------------------------------------------------------------------ sums of Laplace noise


def laplace_tail(m: int, epsilon: Any, z: Any, offset: Any, rate: Any, power: Any) -> Sides:
    u = to_ball(epsilon) * to_ball(z)
    varied = exp(offset - 1 + (1 - rate) * u + power * log1p(m * u))
    return laplace_sum_tail(m, u), "<=", laplace_sum_bound(m, z, epsilon) * varied


LAPLACE_GRID = {
    "m": [1, 2, 3, 5, 12, 40], "epsilon": ["1/1000", "1", "100"],
    "z": ["1/1000000", "1/50", "1/2", "1", "5", "50", "400", "20000"],
}  # fmt: skip


@claim(
    "BDP-LD.1",
    r"for $Z_m$ a sum of $m\ge1$ i.i.d. $\mathrm{Lap}(1/\epsilon)$ and every $z>0$: "
    r"$\Pr[Z_m\ge z]\le e^{-f(z)}$, $f(z)=<rate>\,\epsilon z-<offset>-(m+<power>)\log(1+m\epsilon z)$",
    domain=Domain.of(m="integer [1, inf)", epsilon="(0, inf)", z="(0, inf)"),
    constants={"offset": 1, "rate": 1, "power": 0},
    mutations=[
        mutation("constant -1 instead of 1", offset="-1/1"),
        mutation("exponential rate 1.01", rate="1.01"),
        mutation("power m - 2 of the logarithm", power=-2),
    ],
    strongest="certificate",
)
def tail_of_a_laplace_sum(check: Check) -> None:
    """Markov's inequality at the printed t; the offset 1 is generous: 1 + log(2) of it is never needed."""
    if check.enumerate(laplace_tail, LAPLACE_GRID, routes=TAILS):
        proof = derivation(
            facts.LAPLACE_SUM_FACTS, "Markov's inequality at t = epsilon sqrt(1 - c), c = min(1, 1/(m epsilon z))"
        )
        check.certificate(facts_hold, proof, routes=COMPOSED)


def laplace_tail_at_zero(m: int, offset: Any) -> Sides:
    return laplace_sum_tail(m, to_ball(0)), "<=", exp(to_ball(offset))


@claim(
    "BDP-LD.1/edge-zero",
    r"the proof ends 'for $z\ge0$': at $z=0$, with $\frac1{m\epsilon z}=\infty$, $\Pr[Z_m\ge0]\le e^{<offset>}$",
    domain=Domain.of(m="integer [1, inf)"),
    constants={"offset": 1},
    mutations=[mutation("constant -1 instead of 1", offset="-1/1")],
    role="step",
)
def tail_of_a_laplace_sum_at_zero(check: Check) -> None:
    check.enumerate(laplace_tail_at_zero, {"m": range(1, 101)}, routes=TAILS)


def tilt_inside(m: Any, epsilon: Any, z: Any) -> Sides:
    """t^2/epsilon^2 = 1 - c for the printed c; t must lie in the open interval (0, epsilon)."""
    return 0, "<", 1 - min(Fraction(1), 1 / (m * epsilon * z))


def tilt_below_one(m: Any, epsilon: Any, z: Any, factor: Any) -> Sides:
    return 1 - minimum(1, factor / (m * epsilon * z)), "<", 1


def tilt_argument() -> SymbolicArgument:
    import sympy

    k, (epsilon, z) = sympy.Symbol("k", integer=True, nonnegative=True), sympy.symbols("epsilon z", positive=True)
    c = sympy.Min(1, 1 / ((1 + k) * epsilon * z))
    return SymbolicArgument({"m": 1 + k, "epsilon": epsilon, "z": z}, c, "positive")


TILT_DOMAIN = Domain.of(m="integer [1, inf)", epsilon="(0, inf)", z="(0, inf)")


@claim(
    "BDP-LD.1/choice-of-t",
    r"$t=\epsilon\sqrt{1-c}\in(0,\epsilon)$ for $c=1\wedge\frac1{m\epsilon z}$",
    domain=TILT_DOMAIN,
    role="step",
)
def choice_of_t(check: Check) -> None:
    """For m epsilon z <= 1 the choice is t = 0; Markov's inequality holds there too, so the lemma is untouched."""
    check.enumerate(tilt_inside, {"m": [1, 2], "epsilon": ["1", "1/2"], "z": ["4", "1"]}, rational=True)


@claim(
    "BDP-LD.1/choice-of-t-repaired",
    r"$t=\epsilon\sqrt{1-c}\in[0,\epsilon)$ for $c=1\wedge\frac{<factor>}{m\epsilon z}$",
    domain=TILT_DOMAIN,
    constants={"factor": 1},
    mutations=[mutation("c may be zero", factor=0)],
    role="repair",
    repairs="BDP-LD.1/choice-of-t",
)
def choice_of_t_repaired(check: Check) -> None:
    check.symbolic(tilt_below_one, tilt_argument)


def root_above(c: Any, factor: Any) -> Sides:
    return factor * (1 - c), "<=", sqrt(1 - c)


def root_above_argument() -> SymbolicArgument:
    import sympy

    q = sympy.Symbol("q", nonnegative=True)  # sqrt(1 - c) = q / (1 + q)
    return SymbolicArgument({"c": 1 - (q / (1 + q)) ** 2}, q / (1 + q) ** 2, "nonnegative")


@claim(
    "BDP-LD.1/root",
    r"$\sqrt{1-c}\ge<factor>(1-c)$ for $0<c\le1$",
    domain=Domain.of(c="(0, 1]"),
    constants={"factor": 1},
    mutations=[mutation("factor 1.1", factor="1.1")],
    role="step",
)
def square_root_step(check: Check) -> None:
    check.symbolic(root_above, root_above_argument)


# ------------------------------------------------------------------------------ Bernoulli sums with noise: both tails


def sides_at(x: Fraction, centre: Fraction) -> tuple[str, ...]:
    """Which tails the statements speak of at x: one on each side of the mean, both at the mean."""
    return tuple(s for s, applies in (("upper", x >= centre), ("lower", x <= centre)) if applies)


def clean_tail(n: int, m: int, mu: Any, epsilon: Any, x: Any, euler: Any, rate: Any) -> Sides:
    sides = sides_at(x, n * mu)
    tail = largest_of(noisy_sum_tail(n, m, mu, epsilon, x, side) for side in sides)
    faster = exp(to_ball((1 - rate) * n) * d_epsilon_extended(to_ball(x) / n, mu, epsilon))
    forms = {"sharp": exp(to_ball(m * (euler - 1))), "simple": exp(to_ball(euler - 1))}
    bounds = [
        clean_private_chernoff_bound(n, m, mu, epsilon, to_ball(x), sides[0], form) * c for form, c in forms.items()
    ]
    return tail, "<=", bounds[0].min(bounds[1]) * faster


def largest_of(balls: Any) -> Any:
    first, *rest = balls
    for ball in rest:
        first = maximum(first, ball)
    return first


def noisy_sum_points(scales: tuple[int, ...], noises: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    """Points on, beside and far from the mean, at both ends of [0, n] and beyond them."""
    for n in scales:
        for m in noises:
            for mu in (Fraction(1, 20), Fraction(1, 2), Fraction(9, 10)):
                for epsilon in (Fraction(1, 100), Fraction(1, 2), Fraction(6)):
                    shifts = (0, Fraction(1, 3), n * (1 - mu), n * (1 - mu) + 4, -n * mu, -n * mu - 7)
                    yield from ({"n": n, "m": m, "mu": mu, "epsilon": epsilon, "x": n * mu + s} for s in shifts)


SUM_DOMAIN = Domain.of(n="integer [1, inf)", m="integer [1, inf)", mu="(0, 1)", epsilon="(0, inf)", x="(-inf, inf)")


@claim(
    "BDP-DF6",
    r"with $D=|x-n\mu|$ and $d_\epsilon$ extended with slope $\epsilon$ beyond $[0,1]$: the tail of $\tilde "
    r"S_{n,m}$ beyond $x$, "
    r"away from the mean, is at most $(e^{<euler>}\max\{1,\epsilon D/m\})^me^{-<rate>nd_\epsilon(x/n,\mu)}$ and at "
    r"most "
    r"$e^{<euler>}(1+m\epsilon D)^me^{-<rate>nd_\epsilon(x/n,\mu)}$",
    domain=SUM_DOMAIN,
    constants={"euler": 1, "rate": 1},
    mutations=[mutation("exponent 1.2 d", rate="1.2"), mutation("constant e^-1 instead of e", euler="-1/1")],
    strongest="certificate",
)
def clean_concentration(check: Check) -> None:
    points = noisy_sum_points(check.pick((1, 12, 60), (1, 2, 5, 12, 60, 300)), check.pick((1, 4), (1, 2, 4, 9, 20)))
    if check.enumerate(clean_tail, points, rational=True, routes=TAILS):
        proof = derivation([*facts.SHARP_FACTS, *facts.SIMPLE_FACTS], facts.MARKOV)
        check.certificate(facts_hold, proof, routes=COMPOSED)


PRINTED_PROOF = derivation(
    [*facts.SIMPLE_FACTS, facts.PRINTED_CONSTANT_DOMINATES], f"{facts.MARKOV}; A_epsilon is a sum with that term"
)


def printed_tail(n: int, m: int, mu: Any, epsilon: Any, x: Any, factor: Any, rate: Any) -> Sides:
    sides = sides_at(x, n * mu)
    tails = [noisy_sum_tail(n, m, mu, epsilon, x, side) for side in sides]
    bounds = [private_chernoff_bound(n, m, mu, epsilon, to_ball(x), side) for side in sides]
    faster = to_ball(factor) * exp(to_ball((1 - rate) * n) * d_epsilon_extended(to_ball(x) / n, mu, epsilon))
    return largest_of(t / b for t, b in zip(tails, bounds, strict=True)), "<=", faster


@claim(
    "BDP-LD.3",
    r"$\Pr[\tilde S_{n,m}\ge x]\le<factor>A_\epsilon e^{-<rate>nd_\epsilon(x/n,\mu)}$ for $x\ge n\mu$ with "
    r"$A_\epsilon=D\,e(1+m\epsilon D)^m\log\frac1\mu+e(1+m\epsilon D)^m+1$, $D=x-n\mu$ (the maximum over $y$ is at "
    r"$y=\mu$), and "
    r"$\Pr[\tilde S_{n,m}\le x]$ likewise for $x\le n\mu$ with $D=n\mu-x$ and $\log\frac1{1-\mu}$; where "
    r"$x/n\notin[0,1]$, "
    r"$d_\epsilon$ is read as the same infimum with $\mathrm{kl}=\infty$ outside $[0,1]$",
    domain=SUM_DOMAIN,
    constants={"factor": 1, "rate": 1},
    mutations=[mutation("a tenth of the constant", factor="1/10"), mutation("exponent 1.2 d", rate="1.2")],
    strongest="certificate",
)
def private_chernoff(check: Check) -> None:
    """The second form of DF6 is a term of A_epsilon, and the other two terms are nonnegative."""
    points = noisy_sum_points(check.pick((1, 12, 60), (1, 2, 5, 12, 60, 300)), check.pick((1, 4), (1, 2, 4, 9, 20)))
    if check.enumerate(printed_tail, points, rational=True, routes=TAILS):
        check.certificate(facts_hold, PRINTED_PROOF, routes=COMPOSED)


def argument_of_the_divergence(n: int, mu: Any, x: Any, room: Any) -> Sides:
    return x / n, "<=", 1 + room


@claim(
    "BDP-LD.3/argument",
    r"the right-hand side is defined by (6) wherever the lemma is stated: $x/n\in[0,1]$ for every $x\ge n\mu$",
    domain=Domain.of(n="integer [1, inf)", mu="(0, 1)", x="(-inf, inf)", where=["x >= n * mu"]),
    constants={"room": 0},
    role="reading",
)
def argument_in_the_unit_interval(check: Check) -> None:
    """x has no upper limit in the lemma, whose proof uses kl(x/n, mu) <= kl(1, mu), hence x <= n."""
    over = [{"n": 1, "mu": Fraction(1, 2), "x": Fraction(v)} for v in (1, 2)]
    check.enumerate(argument_of_the_divergence, over, rational=True)


@claim(
    "BDP-LD.3/argument-repaired",
    r"the right-hand side is defined by (6) for $n\mu\le x\le n$: $x/n\le1+<room>$",
    domain=Domain.of(n="integer [1, inf)", mu="(0, 1)", x="(-inf, inf)", where=["x >= n * mu", "x <= n"]),
    constants={"room": 0},
    mutations=[mutation("room -1/100", room="-1/100")],
    role="repair",
    repairs="BDP-LD.3/argument",
)
def argument_repaired(check: Check) -> None:
    if not check.counterexample(
        argument_of_the_divergence, {"n": 1, "mu": Fraction(1, 2), "x": Fraction(1)}, rational=True
    ):
        check.symbolic(argument_of_the_divergence, above_the_mean, check.domain.restrict(where=["x > n * mu"]))
        check.symbolic(argument_of_the_divergence, at_the_mean, check.domain.restrict(where=["x == n * mu"]))


def above_the_mean() -> SymbolicArgument:
    n, mu, s = _sizes()
    return SymbolicArgument(
        {"n": n, "mu": mu, "x": n * (mu + (1 - mu) / (1 + s))}, s * (1 - mu) / (1 + s), "nonnegative"
    )


def at_the_mean() -> SymbolicArgument:
    n, mu, _ = _sizes()
    return SymbolicArgument({"n": n, "mu": mu, "x": n * mu}, 1 - mu, "positive")


def _sizes() -> tuple[Any, Any, Any]:
    import sympy

    odds, s = sympy.Symbol("odds", positive=True), sympy.Symbol("s", nonnegative=True)
    return 1 + sympy.Symbol("k", integer=True, nonnegative=True), odds / (1 + odds), s
