"""The proof of the private Chernoff bound, (17) to (26), and of its corollary, (27), step by step.

Notation of the paper: f_m and F_m are density and tail of the Laplace sum Z_m; P-bar(y) = e^(-n kl(y/n, mu)) for
y >= n mu (and 1 below) is the Chernoff bound of P[S_n >= y]; D = x - n mu;
f(z) = epsilon z - 1 - m log(1 + m epsilon z).
Sums are exact; integrals are evaluated by Arb's rigorous integrator, so every number is a ball that contains it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.paper_checks import bernoulli_dp_chernoff_facts as facts
from banditproof.paper_checks.bernoulli_dp_concentration import COMPOSED
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory import numeric
from banditproof.theory.bernoulli import d_epsilon, kl_bernoulli
from banditproof.theory.concentration import laplace_sum_bound
from banditproof.theory.laplace_sums import laplace_sum_tail, noisy_sum_tail, tail_coefficients
from banditproof.theory.numeric import exp, log, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
SUM_DOMAIN = Domain.of(
    n="integer [1, inf)", m="integer [1, inf)", mu="(0, 1)", epsilon="(0, inf)", x="(-inf, inf)",
    where=["x >= n * mu", "x <= n"],
)  # fmt: skip
INTEGRALS = ("left side, integrals by Arb's rigorous integrator", "right side, in balls")


def proof_points(inside: bool = True) -> Iterator[dict[str, Any]]:
    """Points on the mean, between the mean and n, and (unless the integrand would be singular there) at n."""
    for n, m, mu, epsilon in [
        (1, 1, "1/2", "1"),
        (1, 3, "1/10", "1/20"),
        (6, 2, "1/3", "3"),
        (20, 1, "1/20", "1/2"),
        (20, 4, "9/10", "8"),
    ]:
        for share in ("0", "1/3", "9/10") if inside else ("0", "1/3", "9/10", "1"):
            x = n * (Fraction(mu) + (1 - Fraction(mu)) * Fraction(share))
            yield {"n": n, "m": m, "mu": Fraction(mu), "epsilon": Fraction(epsilon), "x": x}


# ------------------------------------------------------------------------------------------- pieces of the convolution


def binomial_pmf(n: int, mu: Fraction) -> list[Fraction]:
    from math import comb

    return [comb(n, s) * mu**s * (1 - mu) ** (n - s) for s in range(n + 1)]


def integral(
    shape: Callable[[Any], Any], weight: Callable[[Any, bool], Any], epsilon: Any, start: Any, stop: Any
) -> Any:
    """The integral over (start, stop) of shape(u) e^-u weight(z), u = epsilon z, as a ball."""
    from flint import acb

    scale = acb(to_ball(epsilon))
    if start == stop:
        return to_ball(0)
    ends = acb(to_ball(start)), acb(to_ball(stop))
    return acb.integral(lambda z, analytic: shape(scale * z) * (-scale * z).exp() * weight(z, analytic), *ends).real


def tail_shape(m: int) -> Callable[[Any], Any]:
    """F_m(z) e^u as a polynomial of u."""
    tau = [to_ball(c) for c in tail_coefficients(m)]
    return lambda u: sum(c * u**i for i, c in enumerate(tau))


def density_shape(m: int, epsilon: Any) -> Callable[[Any], Any]:
    """f_m(z) e^u = -F_m'(z) e^u, by the product rule."""
    tau, scale = [to_ball(c) for c in tail_coefficients(m)], to_ball(epsilon)
    return lambda u: scale * sum(c * (u**i - (i * u ** (i - 1) if i else 0)) for i, c in enumerate(tau))


def bound_shape(m: int) -> Callable[[Any], Any]:
    """e^(-f(z)) e^u = e (1 + m u)^m."""
    return lambda u: to_ball(1).exp() * (1 + m * u) ** m


def chernoff_weight(n: int, mu: Any, x: Any, slope: bool) -> Callable[[Any, bool], Any]:
    """z -> P-bar(x - z), or -P-bar'(x - z) = kl'((x - z)/n, mu) P-bar(x - z), for x - z in [n mu, n)."""
    from flint import acb

    mu_, x_ = acb(to_ball(mu)), acb(to_ball(x))

    def weight(z: Any, analytic: bool) -> Any:
        y = (x_ - z) / n
        first, second = (y / mu_).log(analytic), ((1 - y) / (1 - mu_)).log(analytic)
        value = (-n * (y * first + (1 - y) * second)).exp()
        return value * (first - second) if slope else value

    return weight


def chernoff(n: int, mu: Any, y: Any) -> Any:
    """P-bar(y) for y <= n: the Chernoff bound from n mu on, and the trivial bound 1 below."""
    return exp(-n * kl_bernoulli(to_ball(y) / n, mu)) if y >= n * mu else to_ball(1)


# ----------------------------------------------------------------------------------------------------- (19) to (26)


def split_at_zero(n: int, m: int, mu: Any, epsilon: Any, x: Any, half: Any) -> Sides:
    pmf = binomial_pmf(n, mu)
    first = half * sum((p for s, p in enumerate(pmf) if s >= x), Fraction(0))
    tails = (to_ball(p) * laplace_sum_tail(m, to_ball(epsilon * max(Fraction(0), x - s))) for s, p in enumerate(pmf))
    return noisy_sum_tail(n, m, mu, epsilon, x), "<=", sum(tails, to_ball(first))


@claim(
    "BDP-EQ17/19",
    r"(19) $\Pr[\tilde S\ge x]\le<half>\Pr[S_n\ge x]+\int_0^\infty f_m(z)\Pr[S_n\ge x-z]\,dz$",
    domain=SUM_DOMAIN,
    constants={"half": "1/2"},
    mutations=[mutation("without the first term", half=0)],
    role="part",
)
def equation_19(check: Check) -> None:
    """On z < 0 the probability is at most that at z = 0, and Z_m is negative with probability 1/2."""
    check.enumerate(split_at_zero, proof_points(inside=False), rational=True,
                    routes=("exact tail", "sum over the values of S_n with exact Laplace tails"))  # fmt: skip


def by_parts(n: int, m: int, mu: Any, epsilon: Any, x: Any, half: Any, jump: Any, tolerance: Any) -> Sides:
    """Both sides of (21), with P-bar = 0 above n (kl = infinity) and 1 below n mu.

    Where x >= n, -P-bar' is singular at x - z = n: on a short piece the monotone functions are bracketed instead.
    """
    deviation, start = x - n * mu, max(Fraction(0), x - n)
    regular = start + (Fraction(1, 2**40) if x >= n else 0)
    high, low, last = (laplace_sum_tail(m, to_ball(epsilon * z)) for z in (start, regular, deviation))
    outer, inner = chernoff(n, mu, x - start), chernoff(n, mu, x - regular)
    left = last + (high - low) * outer.union(inner)
    left += integral(density_shape(m, epsilon), chernoff_weight(n, mu, x, False), epsilon, regular, deviation)
    right = to_ball(half) * (chernoff(n, mu, x) if x <= n else 0) + (inner - outer) * low.union(high)
    right += integral(tail_shape(m), chernoff_weight(n, mu, x, True), epsilon, regular, deviation)
    if x > n:
        right += jump * outer * high
    return abs(left - right), "<=", tolerance


BY_PARTS = (
    r"(21) $\int_0^\infty f_m(z)\bar P(x-z)\,dz=<half>\bar P(x)+\int_0^\infty F_m(z)(-\bar P'(x-z))\,dz$ "
    r"(equality up to <tolerance>)"
)


@claim(
    "BDP-EQ17/21",
    BY_PARTS,
    domain=SUM_DOMAIN,
    constants={"half": "1/2", "jump": 0, "tolerance": "1/10000000000"},
    mutations=[mutation("boundary term 0.51", half="0.51")],
    role="part",
)
def equation_21(check: Check) -> None:
    check.enumerate(by_parts, proof_points(), rational=True, routes=INTEGRALS)


BEYOND_N = Domain.of(
    n="integer [1, inf)", m="integer [1, inf)", mu="(0, 1)", epsilon="(0, inf)", x="(-inf, inf)", where=["x > n"]
)


def points_beyond() -> list[dict[str, Any]]:
    half = Fraction(1, 2)
    return [
        {"n": n, "m": m, "mu": half, "epsilon": Fraction(1), "x": Fraction(x)} for n, m, x in [(1, 1, 2), (3, 2, 4)]
    ]


@claim(
    "BDP-EQ17/21-beyond-n",
    BY_PARTS + r" for $x>n$, where $\mathrm{kl}(y,\mu)$ is read as $\infty$ for $y>1$, so that $\bar P=0$ above $n$",
    domain=BEYOND_N,
    constants={"half": "1/2", "jump": 0, "tolerance": "1/10000000000"},
    role="reading",
)
def equation_21_beyond_n(check: Check) -> None:
    """P-bar jumps from mu^n to 0 at n, which integration by parts must count."""
    check.enumerate(by_parts, points_beyond(), rational=True, routes=INTEGRALS)


@claim(
    "BDP-EQ17/21-with-jump",
    BY_PARTS + r", for $x>n$ with $<jump>\mu^nF_m(x-n)$ added on the right for the jump of $\bar P$ at $n$",
    domain=BEYOND_N,
    constants={"half": "1/2", "jump": 1, "tolerance": "1/10000000000"},
    mutations=[mutation("without the jump", jump=0)],
    role="repair",
    repairs="BDP-EQ17/21-beyond-n",
)
def equation_21_with_jump(check: Check) -> None:
    check.enumerate(by_parts, points_beyond(), rational=True, routes=INTEGRALS)


def chernoff_slope(n: Any, y: Any, mu: Any, factor: Any = 1) -> Sides:
    """(23) at z = n y: the derivative is taken by machine, the right-hand side is the printed one."""
    return (
        _minus_derivative()(n, y, mu),
        "==",
        factor * log(y * (1 - mu) / ((1 - y) * mu)) * _chernoff_formula(n, y, mu),
    )


def _chernoff_formula(n: Any, y: Any, mu: Any) -> Any:
    return exp(-n * (y * log(y / mu) + (1 - y) * log((1 - y) / (1 - mu))))


@cache
def _minus_derivative() -> Any:
    import sympy

    z, n, y, mu = sympy.symbols("z n y mu", positive=True)
    bound = _chernoff_formula(n, z / n, mu)
    slope = (sympy.simplify(-sympy.diff(bound, z) / bound) * bound).subs(z, n * y)
    return sympy.lambdify((n, y, mu), slope, [{"exp": numeric.exp, "log": numeric.log}])


def chernoff_slope_argument() -> SymbolicArgument:
    n, y, mu = _interior()
    return SymbolicArgument({"n": n, "y": y, "mu": mu}, 0, "zero")


def _interior() -> tuple[Any, Any, Any]:
    import sympy

    p, q = sympy.symbols("p q", positive=True)
    return 1 + sympy.Symbol("k", integer=True, nonnegative=True), p / (1 + p), q / (1 + q)


SLOPE_DOMAIN = Domain.of(n="integer [1, inf)", y="(0, 1)", mu="(0, 1)")


@claim(
    "BDP-EQ17/23",
    r"(23) $-\bar P'(z)=<factor>\,\mathrm{kl}'(z/n,\mu)e^{-n\mathrm{kl}(z/n,\mu)}$, here with $y=z/n$",
    domain=SLOPE_DOMAIN,
    constants={"factor": 1},
    mutations=[mutation("factor 1.1", factor="1.1")],
    role="part",
    strongest="symbolic",
)
def equation_23(check: Check) -> None:
    check.symbolic(chernoff_slope, chernoff_slope_argument)


def slope_nonnegative(y: Any, mu: Any) -> Sides:
    return 0, "<=", log(y * (1 - mu) / ((1 - y) * mu))


def slope_nonnegative_argument() -> SymbolicArgument:
    import sympy

    s, odds = sympy.Symbol("s", nonnegative=True), sympy.Symbol("odds", positive=True)
    y = odds * (1 + s) / (1 + odds * (1 + s))
    return SymbolicArgument({"y": y, "mu": odds / (1 + odds)}, sympy.log(1 + s), "nonnegative")


SLOPE_FACTS = [
    facts.fact(chernoff_slope, SLOPE_DOMAIN, chernoff_slope_argument),
    facts.fact(slope_nonnegative, Domain.of(y="(0, 1)", mu="(0, 1)", where=["y >= mu"]), slope_nonnegative_argument),
]


def second_piece(n: int, m: int, mu: Any, epsilon: Any, x: Any, linear: Any) -> Sides:
    deviation, weight = x - n * mu, chernoff_weight(n, mu, x, True)
    left = integral(tail_shape(m), weight, epsilon, 0, deviation)
    right = integral(bound_shape(m), weight, epsilon, 0, deviation) + laplace_sum_bound(m, deviation, to_ball(epsilon))
    return left, "<=", to_ball(linear) * right


@claim(
    "BDP-EQ17/22",
    r"(22) $\int_0^\infty F_m(z)(-\bar P'(x-z))\,dz\le<linear>\big(\int_0^{x-n\mu}e^{-f(z)}(-\bar "
    r"P'(x-z))\,dz+e^{-f(x-n\mu)}\big)$",
    domain=SUM_DOMAIN,
    constants={"linear": 1},
    mutations=[mutation("a twentieth of the right side", linear="1/20")],
    role="part",
    strongest="certificate",
)
def equation_22(check: Check) -> None:
    if check.enumerate(second_piece, proof_points(), rational=True, routes=INTEGRALS):
        proof = derivation(
            [*facts.LAPLACE_SUM_FACTS, *SLOPE_FACTS, facts.AT_LEAST_ONE],
            "F_m <= e^(-f) (BDP-LD.1) under the integral of -P-bar' >= 0 over z < D; beyond D the integrand is zero",
        )
        check.certificate(facts_hold, proof, routes=COMPOSED)


def increment_beyond(n: int, mu: Any) -> Sides:
    """The integral of -P-bar'(x - z) over z > D is P-bar at -infinity minus P-bar(n mu): 1 - 1."""
    return chernoff(n, mu, n * mu - 1) - chernoff(n, mu, n * mu), "==", chernoff(n, mu, n * mu)


@claim(
    "BDP-EQ17/22-second-piece",
    r"line before (22): $\int_{x-n\mu}^\infty(-\bar P'(x-z))\,dz=\bar P(n\mu)$, $\bar P=1$ below $n\mu$",
    domain=Domain.of(n="integer [1, inf)", mu="(0, 1)"),
    role="step",
)
def second_piece_equality(check: Check) -> None:
    """Any bound of a probability that never exceeds 1 gives 0: the term F_m(D) P-bar(n mu) is not needed."""
    check.enumerate(increment_beyond, {"n": [1], "mu": ["1/2"]}, rational=True)


def increment_bounded(n: int, mu: Any, share: Any) -> Sides:
    left, _, right = increment_beyond(n, mu)
    return left, "<=", share * right


@claim(
    "BDP-EQ17/22-second-piece-repaired",
    r"line before (22): $\int_{x-n\mu}^\infty(-\bar P'(x-z))\,dz\le<share>\bar P(n\mu)$, $\bar P=1$ below $n\mu$",
    domain=Domain.of(n="integer [1, inf)", mu="(0, 1)"),
    constants={"share": 1},
    mutations=[mutation("negative", share=-1)],
    role="repair",
    repairs="BDP-EQ17/22-second-piece",
)
def second_piece_repaired(check: Check) -> None:
    check.enumerate(increment_bounded, {"n": [1, 7, 100], "mu": ["1/1000", "1/2", "9/10"]}, rational=True)


def first_piece(n: int, m: int, mu: Any, epsilon: Any, x: Any, linear: Any) -> Sides:
    deviation = x - n * mu
    left = integral(bound_shape(m), chernoff_weight(n, mu, x, True), epsilon, 0, deviation)
    constant = n * (1 + m * to_ball(epsilon * deviation)) ** m * to_ball(1).exp() * -log(to_ball(mu))
    return left, "<=", to_ball(linear) * constant * exp(-n * d_epsilon(to_ball(x) / n, mu, epsilon))


@claim(
    "BDP-EQ17/24",
    r"(24) $\int_0^{x-n\mu}e^{-f(z)}(-\bar "
    r"P'(x-z))\,dz\le<linear>e^{-nd_\epsilon(x/n,\mu)}\,n\,e\,(1+m\epsilon(x-n\mu))^m\log\frac1\mu$",
    domain=SUM_DOMAIN,
    constants={"linear": 1},
    mutations=[mutation("half of the right side", linear="1/2")],
    role="part",
    strongest="certificate",
)
def equation_24(check: Check) -> None:
    """kl' is unbounded near 1, but only its integral kl(x/n, mu) <= kl(1, mu) = log(1/mu) enters."""
    if check.enumerate(first_piece, proof_points(), rational=True, routes=INTEGRALS):
        proof = derivation(
            [*SLOPE_FACTS, facts.AT_LEAST_ONE],
            "with y = (x - z)/n the exponential factors are at most e^(-n d_epsilon), by the definition of "
            "d_epsilon as an infimum; "
            "(1 + m epsilon z)^m is largest at z = D; kl' integrates to kl(x/n, mu), at most kl(1, mu) as kl' >= 0",
        )
        check.certificate(facts_hold, proof, routes=COMPOSED)


def noise_price(n: int, mu: Any, epsilon: Any, x: Any, linear: Any) -> Sides:
    return d_epsilon(to_ball(x) / n, mu, epsilon), "<=", to_ball(linear * epsilon * (x - n * mu) / n)


def price_points() -> Iterator[dict[str, Any]]:
    for point in proof_points(inside=False):
        for epsilon in (Fraction(1, 1000), point["epsilon"], Fraction(50)):
            if point["x"] > point["n"] * point["mu"]:
                yield {**point, "epsilon": epsilon}


@claim(
    "BDP-EQ17/25",
    r"(25) $e^{-f(x-n\mu)}=e(1+m\epsilon D)^me^{-\epsilon D}\le e(1+m\epsilon D)^me^{-nd_\epsilon(x/n,\mu)}$, "
    r"$D=x-n\mu$, that is "
    r"$nd_\epsilon(x/n,\mu)\le<linear>\epsilon D$",
    domain=SUM_DOMAIN,
    constants={"linear": 1},
    mutations=[mutation("0.9 epsilon D", linear="0.9")],
    role="part",
    strongest="certificate",
)
def equation_25(check: Check) -> None:
    if not check.search(noise_price, price_points(), rational=True):
        proof = derivation(
            [facts.LOG_MGF, facts.AT_LEAST_ONE],
            "n d_epsilon is the maximum over |t| <= epsilon of t x - n log(1 - mu + mu e^t), which lies below its "
            "tangent D t at 0",
        )
        check.certificate(facts_hold, proof, routes=COMPOSED)


def information_price(n: int, mu: Any, epsilon: Any, x: Any, linear: Any) -> Sides:
    y = to_ball(x) / n
    return d_epsilon(y, mu, epsilon), "<=", to_ball(linear) * kl_bernoulli(y, mu)


def tilt_reaches_kl(y: Any, mu: Any) -> Sides:
    """At t = logit y - logit mu the dual objective t y - log(1 - mu + mu e^t) is kl(y, mu)."""
    t = log(y * (1 - mu) / ((1 - y) * mu))
    return t * y - log(1 - mu + mu * exp(t)), "==", y * log(y / mu) + (1 - y) * log((1 - y) / (1 - mu))


def tilt_reaches_kl_argument() -> SymbolicArgument:
    _, y, mu = _interior()
    return SymbolicArgument({"y": y, "mu": mu}, 0, "zero")


TILT_REACHES_KL = facts.fact(tilt_reaches_kl, Domain.of(y="(0, 1)", mu="(0, 1)"), tilt_reaches_kl_argument)


@claim(
    "BDP-EQ17/26",
    r"(26) $\Pr[S_n\ge x]\le\bar P(x)\le e^{-n\mathrm{kl}(x/n,\mu)}\le e^{-nd_\epsilon(x/n,\mu)}$, that is "
    r"$d_\epsilon\le<linear>\,\mathrm{kl}$ "
    r"(the first inequality is BDP-LH.6)",
    domain=SUM_DOMAIN,
    constants={"linear": 1},
    mutations=[mutation("0.9 kl", linear="0.9")],
    role="part",
    strongest="certificate",
)
def equation_26(check: Check) -> None:
    if not check.search(information_price, price_points(), rational=True):
        proof = derivation(
            [facts.LOG_MGF, TILT_REACHES_KL, facts.AT_LEAST_ONE],
            "d_epsilon is the maximum of a concave function over |t| <= epsilon, kl its maximum over all t; the "
            "ends by limits",
        )
        check.certificate(facts_hold, proof, routes=COMPOSED)


parts_decide(
    "BDP-EQ17",
    "the numbered relations (19) to (26) of the proof of the private Chernoff bound, for $n\\mu\\le x\\le n$, where "
    "they are defined; "
    "(17) and (18) are definitions and (20) is BDP-LH.6",
    domain=SUM_DOMAIN,
)
