"""The constants that the proofs of the private Chernoff bound and of its corollary arrive at.

The lemma and the corollary are checked by themselves (BDP-LD.3, BDP-CD.5); here it is asked whether what is written in
between leads there: the constant (24), (25) and (26) add up to, the constant restated for the lower tail, and (27).
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.paper_checks.bernoulli_dp_concentration import COMPOSED, PRINTED_PROOF
from banditproof.paper_checks.bernoulli_dp_concentration_proof import SUM_DOMAIN, proof_points
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation
from banditproof.theory.bernoulli import d_epsilon
from banditproof.theory.concentration import private_chernoff_constant
from banditproof.theory.laplace_sums import noisy_sum_tail
from banditproof.theory.logarithms import kl_term
from banditproof.theory.numeric import exp, log, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]


# ----------------------------------------------------------------------------------- from (24), (25), (26) to the lemma


def growth(m: int, epsilon: Any, deviation: Any) -> Any:
    return to_ball(1).exp() * (1 + m * to_ball(epsilon * deviation)) ** m


def assembled_constant(n: int, m: int, mu: Any, epsilon: Any, x: Any) -> Any:
    """What (19), (21), (22), (24), (25), (26) add up to, divided by e^(-n d_epsilon)."""
    e = growth(m, epsilon, x - n * mu)
    return 1 + n * e * -log(to_ball(mu)) + e


def assembled_below_printed(n: int, m: int, mu: Any, epsilon: Any, x: Any) -> Sides:
    return assembled_constant(n, m, mu, epsilon, x), "<=", private_chernoff_constant(n, m, mu, epsilon, to_ball(x))


@claim(
    "BDP-EQ17/together",
    "'putting (24), (25), and (26) together' gives the constant of the lemma: what they add up to is at most "
    "$A_\\epsilon$",
    domain=SUM_DOMAIN,
    role="implication",
)
def putting_together(check: Check) -> None:
    """(24) has the factor n where A_epsilon has x - n mu; the lemma itself follows from BDP-DF6."""
    over = {"n": [1], "m": [1], "mu": ["1/2"], "epsilon": ["1"], "x": ["1"]}
    check.enumerate(assembled_below_printed, over, rational=True)


def assembled_tail(n: int, m: int, mu: Any, epsilon: Any, x: Any, factor: Any) -> Sides:
    bound = assembled_constant(n, m, mu, epsilon, x) * exp(-n * d_epsilon(to_ball(x) / n, mu, epsilon))
    return noisy_sum_tail(n, m, mu, epsilon, x), "<=", to_ball(factor) * bound


@claim(
    "BDP-EQ17/together-repaired",
    r"(24), (25) and (26) together give $\Pr[\tilde S_{n,m}\ge x]\le<factor>\big(n\,e(1+m\epsilon "
    r"D)^m\log\frac1\mu+e(1+m\epsilon D)^m+1\big)"
    r"e^{-nd_\epsilon(x/n,\mu)}$, with $n$ in the place of $x-n\mu$",
    domain=SUM_DOMAIN,
    constants={"factor": 1},
    mutations=[mutation("a tenth of the constant", factor="1/10")],
    role="repair",
    repairs="BDP-EQ17/together",
)
def putting_together_repaired(check: Check) -> None:
    nearly_one = {"mu": Fraction(99, 100), "epsilon": Fraction(1, 100), "x": Fraction(99, 100)}
    points = [*proof_points(inside=False), {"n": 1, "m": 1, **nearly_one}]
    if check.enumerate(assembled_tail, points, rational=True):
        check.certificate(facts_hold, PRINTED_PROOF, routes=COMPOSED)


LOWER_DOMAIN = Domain.of(
    n="integer [1, inf)", m="integer [1, inf)", mu="(0, 1)", epsilon="(0, inf)", x="(-inf, inf)",
    where=["x <= n * mu", "x >= 0"],
)  # fmt: skip


def lower_tail(n: int, m: int, mu: Any, epsilon: Any, x: Any, sign: int, factor: Any) -> Sides:
    """The lower tail with D = sign (x - n mu), and the maximum over y of (1 + m epsilon sign (x - y n))^m."""
    deviation = sign * (x - n * mu)
    power = (1 + m * epsilon * deviation) ** m
    largest = max(power, Fraction(1))  # the base is 1 at y = x/n, and monotone in y
    constant = to_ball(1).exp() * (to_ball(deviation * largest) * -log(to_ball(1 - mu)) + to_ball(power)) + 1
    bound = constant * exp(-n * d_epsilon(to_ball(x) / n, mu, epsilon))
    return noisy_sum_tail(n, m, mu, epsilon, x, "lower"), "<=", to_ball(factor) * bound


@claim(
    "BDP-EQ17/lower-constant",
    r"end of the proof: for $x\le n\mu$ the lower tail is at most $A_\epsilon e^{-nd_\epsilon(x/n,\mu)}$ with "
    r"$A_\epsilon=(x-n\mu)\max_y\{e(1+m\epsilon(x-yn))^m\log\frac1{1-\mu}\}+e(1+m\epsilon(x-n\mu))^m+1$",
    domain=LOWER_DOMAIN,
    constants={"sign": 1, "factor": 1},
    role="step",
)
def restated_lower_constant(check: Check) -> None:
    """The signs are those of the upper tail, which can make the constant negative; the lemma has n mu - x."""
    over = {"n": [1, 2, 4, 8], "m": [1], "mu": ["1/2"], "epsilon": ["1"], "x": ["0"]}
    check.enumerate(lower_tail, over, rational=True)


@claim(
    "BDP-EQ17/lower-constant-repaired",
    r"end of the proof, with the signs of the lemma: the lower tail is at most $<factor>A_\epsilon "
    r"e^{-nd_\epsilon(x/n,\mu)}$ with "
    r"$A_\epsilon=(n\mu-x)\max_y\{e(1+m\epsilon(yn-x))^m\log\frac1{1-\mu}\}+e(1+m\epsilon(n\mu-x))^m+1$",
    domain=LOWER_DOMAIN,
    constants={"sign": -1, "factor": 1},
    mutations=[mutation("signs of the upper tail", sign=1), mutation("a tenth of the constant", factor="1/10")],
    role="repair",
    repairs="BDP-EQ17/lower-constant",
)
def restated_lower_constant_repaired(check: Check) -> None:
    over = {
        "n": [1, 8, 30],
        "m": [1, 2, 5],
        "mu": ["1/100", "1/2"],
        "epsilon": ["1/100", "1", "9"],
        "x": ["0", "1/200"],
    }
    if check.enumerate(lower_tail, over, rational=True):
        check.certificate(facts_hold, PRINTED_PROOF, routes=COMPOSED)


# ------------------------------------------------------------------------------------------------- the corollary: (27)

MEAN_DOMAIN = Domain.of(
    n="integer [1, inf)", m="integer [0, inf)", mu="(0, 1)", epsilon="(0, inf)", x="[0, 1]", where=["x >= mu"]
)


def constant_with(power: int, n: int, mu: Any, epsilon: Any, deviation: Any) -> Any:
    """The constant of the lemma at n x, D = n (x - mu), for this many Laplace terms (0 allowed)."""
    e = growth(power, epsilon, deviation)
    return to_ball(deviation) * e * -log(to_ball(mu)) + e + 1


def one_more_term(n: int, m: int, mu: Any, epsilon: Any, x: Any) -> Sides:
    deviation = n * (x - mu)
    return constant_with(m, n, mu, epsilon, deviation), "==", constant_with(m + 1, n, mu, epsilon, deviation)


@claim(
    "BDP-CD.5/27",
    r"(27) $A_\epsilon(m,n_m,x,\mu)$ of the lemma equals the same formula with $m+1$ in the place of $m$",
    domain=MEAN_DOMAIN,
    role="step",
)
def equation_27(check: Check) -> None:
    """The algorithm sums m + 1 noise terms after batch m, the corollary m; the larger constant is still a bound."""
    check.enumerate(one_more_term, {"n": [1], "m": [1], "mu": ["1/2"], "epsilon": ["1"], "x": ["1"]}, rational=True)


def one_more_term_bound(n: int, m: int, mu: Any, epsilon: Any, x: Any, factor: Any) -> Sides:
    left, _, right = one_more_term(n, m, mu, epsilon, x)
    return left, "<=", to_ball(factor) * right


def power_grows(m: Any, v: Any, factor: Any = 1) -> Sides:
    """log (1 + m v)^m against log (1 + (m + 1) v)^(m + 1), v = epsilon D."""
    return m * log(1 + m * v), "<=", factor * (m + 1) * log(1 + (m + 1) * v)


def power_grows_argument() -> SymbolicArgument:
    import sympy

    m, v = sympy.Symbol("m", integer=True, nonnegative=True), sympy.Symbol("v", nonnegative=True)
    return SymbolicArgument(
        {"m": m, "v": v}, sympy.log(1 + (m + 1) * v) + m * sympy.log(1 + v / (1 + m * v)), "nonnegative"
    )


@claim(
    "BDP-CD.5/27-repaired",
    r"(27) $A_\epsilon(m,n_m,x,\mu)\le<factor>\cdot$ the same with $m+1$ in the place of $m$ (equal at $x=\mu$)",
    domain=MEAN_DOMAIN.restrict(where=["x > mu"]),
    constants={"factor": 1},
    mutations=[mutation("half of it", factor="1/2")],
    role="repair",
    repairs="BDP-CD.5/27",
)
def equation_27_repaired(check: Check) -> None:
    over = {
        "n": [1, 30],
        "m": [0, 1, 6],
        "mu": ["1/100", "1/2"],
        "epsilon": ["1/1000", "1", "50"],
        "x": ["51/100", "1"],
    }
    if check.enumerate(one_more_term_bound, over, rational=True):
        proof = derivation(
            [fact(power_grows, Domain.of(m="integer [0, inf)", v="[0, inf)"), power_grows_argument)],
            "every term of A_epsilon is a nonnegative multiple of (1 + m epsilon D)^m, or 1",
        )
        check.certificate(facts_hold, proof, routes=COMPOSED)


def uniform_constant(n: int, m: int, mu: Any, epsilon: Any) -> Any:
    """A(n_m), which no longer depends on x."""
    return constant_with(m + 1, n, mu, epsilon, n)


def dominated(n: int, m: int, mu: Any, epsilon: Any, x: Any, linear: Any) -> Sides:
    return (
        constant_with(m + 1, n, mu, epsilon, n * (x - mu)),
        "<=",
        to_ball(linear) * uniform_constant(n, m, mu, epsilon),
    )


def larger_deviation(q: Any, share: Any, linear: Any = 1) -> Sides:
    """Base by base: 1 + (m + 1) epsilon n (x - mu) against 1 + (m + 1) epsilon n, as q = (m + 1) epsilon n."""
    return 1 + q * share, "<=", linear * (1 + q)


def larger_deviation_argument() -> SymbolicArgument:
    import sympy

    q, s = sympy.symbols("q s", nonnegative=True)
    return SymbolicArgument({"q": q, "share": 1 / (1 + s)}, q * s / (1 + s), "nonnegative")


@claim(
    "BDP-CD.5/dominated",
    r"the constant of (27) is at most $<linear>A(n_m)$, $A(n)=n\,e(1+(m+1)\epsilon "
    r"n)^{m+1}\log\frac1\mu+e(1+(m+1)\epsilon n)^{m+1}+1$",
    domain=MEAN_DOMAIN,
    constants={"linear": 1},
    mutations=[mutation("half of it", linear="1/2")],
    role="step",
    strongest="certificate",
)
def dominated_constant(check: Check) -> None:
    over = {
        "n": [1, 30],
        "m": [0, 6],
        "mu": ["1/100", "1/2", "999/1000"],
        "epsilon": ["1/1000", "50"],
        "x": ["999/1000", "1"],
    }
    if check.enumerate(dominated, over, rational=True):
        domain = Domain.of(q="[0, inf)", share="(0, 1]")
        proof = derivation(
            [fact(larger_deviation, domain, larger_deviation_argument)], "0 <= x - mu <= 1, where 0 is plain"
        )
        check.certificate(facts_hold, proof, routes=COMPOSED)


def below_exponential(b: Any, x: Any = None, y: Any = None) -> Sides:
    """1 + x <= b e^x for x >= 0, in y = 1/(1 + x) and times y: -y log y <= y log b + 1 - y."""
    y = 1 / (1 + x) if y is None else y
    return 0, "<=", kl_term(y, 1, y - 1) + y * log(to_ball(b))


@claim(
    "BDP-CD.5/exponential",
    r"there is $b$ with $1+x\le be^x$ for all $x\ge0$: $b=<b>$ will do",
    domain=Domain.of(x="[0, inf)"),
    constants={"b": 2},
    mutations=[mutation("b = 9/10", b="9/10")],
    role="step",
    strongest="interval",
)
def exponential(check: Check) -> None:
    check.interval(below_exponential, substitutions={"x": ("y", "(0, 1]", "1/y - 1")})


@cache
def limits(sequence: str, epsilon: Fraction, power: int) -> tuple[Any, Any, Any]:
    """Limits, for n = sequence(m), of m log(n)^power / n and of a lower and an upper bound of log(A(n)) / n.

    With Q = (1 + (m + 1) epsilon n)^(m + 1): e Q <= A(n) <= e Q (n log(1/mu) + 2); log(1/mu) <= n for all large n.
    """
    import sympy

    m = sympy.Symbol("m", positive=True)
    n: Any = sympy.parse_expr(sequence, local_dict={"m": m, "log": sympy.log, "sqrt": sympy.sqrt})
    log_q = (m + 1) * sympy.log(1 + (m + 1) * sympy.Rational(epsilon) * n)
    formulas = (m * sympy.log(n) ** power / n, (1 + log_q) / n, (1 + log_q + sympy.log(n * n + 2)) / n)
    first, second, third = (sympy.limit(f, m, sympy.oo) for f in formulas)
    finite = {v: math.inf if v == sympy.oo else Fraction(str(v)) for v in (first, second, third)}
    return finite[first], finite[second], finite[third]


def subexponential(sequence: str, epsilon: Any, power: int) -> Sides:
    """If m log(n_m)^power / n_m tends to 0 then so does log A(n_m) / n_m; nothing is claimed of other sequences."""
    hypothesis, lower, upper = limits(sequence, epsilon, power)
    if hypothesis != 0:
        return 0, "<=", 0
    return (lower if lower > 0 else upper), "<=", 0


ALL_SEQUENCES = Domain.of(sequence="all: every sequence n_m with m/n_m -> 0", epsilon="(0, inf)")


@claim(
    "BDP-CD.5/argument",
    r"'since $1+x\le be^x$, we have the result': whenever $m/n_m\to0$, $A(n_m)=e^{o(n_m)}$, that is $\log "
    r"A(n_m)/n_m\to0$",
    domain=ALL_SEQUENCES,
    constants={"power": 0},
    role="implication",
)
def argument_of_the_corollary(check: Check) -> None:
    """A(n_m) contains ((m + 1) n_m)^m: along n_m = m log m, m log(m n_m) is of the order of n_m. DF6 has (n_m/m)^m."""
    points = [{"sequence": s, "epsilon": Fraction(1)} for s in ("m**2", "m*log(m)")]
    check.enumerate(subexponential, points, covers=ALL_SEQUENCES, rational=True, routes=("limits by SymPy", "0"))


@claim(
    "BDP-CD.5/argument-repaired",
    r"if $m\log(n_m)^{<power>}/n_m\to0$, then $\log A(n_m)/n_m\to0$",
    domain=Domain.of(sequence="all: every sequence n_m with m log(n_m)/n_m -> 0", epsilon="(0, inf)"),
    constants={"power": 1},
    mutations=[mutation("only m/n_m -> 0", power=0)],
    role="repair",
    repairs="BDP-CD.5/argument",
)
def argument_repaired(check: Check) -> None:
    names = ["m*log(m)", "m*log(m)**2", "m**2", "2**m"]
    points = [{"sequence": s, "epsilon": Fraction(1)} for s in names]
    covers = check.domain.restrict(sequence=f"all: {len(names)} named sequences", epsilon=[1])
    check.enumerate(subexponential, points, covers=covers, rational=True, routes=("limits by SymPy", "0"))
