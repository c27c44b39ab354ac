"""After the best arm has converged: expectations in the proof of Theorem F.7, steps (45) to (47).

Laws of noisy means are exact: noisy_sum_tail is a finite sum of closed forms in ball arithmetic.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_batches import Symbols, power, quotient
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation
from banditproof.theory.bernoulli import d_epsilon, d_epsilon_objective
from banditproof.theory.laplace_sums import noisy_sum_tail
from banditproof.theory.numeric import SYMBOL, exp, log, log1p, system
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
BALLS = ("d_epsilon in balls", "the bound, in balls")
TAILS = ("exact law of the noisy mean, in balls", "the bound, in balls")
COMPOSED = ("formulas proved symbolically, joined by the named textbook facts", "the stated bound")
IDENTITY = ("the integral", "its closed form")


def divergence_near_mean(mu_i: Any, mu_star: Any, epsilon: Any, shift: Any, theta: Any, factor: Any) -> Sides:
    """At x = mu_i + theta shift, theta < 1, with shift = delta'/epsilon."""
    x = mu_i + theta * shift
    return d_epsilon(x, mu_star, epsilon), ">", d_epsilon(mu_i, mu_star, epsilon) - factor * epsilon * shift


def objective_shift(z: Any, x: Any, move: Any, y: Any, epsilon: Any) -> Sides:
    """The objective at an admissible z, for x and for x + move <= z."""
    return d_epsilon_objective(z, x, y, epsilon), "<=", d_epsilon_objective(z, x + move, y, epsilon) + epsilon * move


def objective_shift_argument() -> SymbolicArgument:
    import sympy

    a, b, d, g, epsilon = sympy.symbols("a b d g epsilon", positive=True)
    c = sympy.Symbol("c", nonnegative=True)
    total = a + b + c + d
    variables = {"x": a / total, "move": b / total, "z": (a + b + c) / total, "y": g / (1 + g), "epsilon": epsilon}
    return SymbolicArgument(variables, sympy.Integer(0), "zero")


@claim(
    "BDP-TF.7/45-means",
    r"before (45), by Lemma F.3: $d_\epsilon([\tilde\mu_{i,m}]_0^1,\mu^\star)\le "
    r"d_\epsilon(\mu_i,\mu^\star)-\delta'$ only if "
    r"$\tilde\mu_{i,m}\ge\mu_i+\delta'/\epsilon$: at $x=\mu_i+\theta\delta'/\epsilon<\mu^\star$, $\theta<1$, "
    r"$d_\epsilon(x,\mu^\star)>d_\epsilon(\mu_i,\mu^\star)-<factor>\delta'$",
    domain=Domain.of(mu_i="[0, 1)", mu_star="(0, 1)", epsilon="(0, inf)", shift="(0, 1)", theta="[0, 1)",
                     where=["mu_i < mu_star", "mu_i + shift < mu_star"]),
    constants={"factor": 1}, mutations=[mutation("factor 0.9", factor="0.9")], role="step",
)  # fmt: skip
def divergence_decreases_slowly(check: Check) -> None:
    points = [
        {"mu_i": mu_i, "mu_star": best, "epsilon": epsilon, "shift": shift, "theta": theta}
        for mu_i, best in (("0", "1/2"), ("3/10", "7/10"), ("1/2", "99/100")) for epsilon in ("1/10", "1", "10")
        for shift in ("1/1000", "1/10") for theta in ("0", "1/2", "99/100")
    ]  # fmt: skip
    if check.enumerate(divergence_near_mean, points, routes=BALLS) and check.constants["factor"] == 1:
        inner = dict.fromkeys(("z", "x", "move", "y"), "(0, 1)")
        domain = Domain.of(**inner, epsilon="(0, inf)", where=["x + move <= z"])
        proof = derivation(
            [fact(objective_shift, domain, objective_shift_argument)],
            "the minimiser z for x = mu_i + theta shift is admissible for mu_i, so d_epsilon(mu_i, mu*) is at most "
            "d_epsilon(x, mu*) + epsilon theta shift; the ends 0 and 1 follow by continuity",
        )
        check.certificate(facts_hold, proof, routes=COMPOSED)


TAIL = {"mu_i": "(0, 1)", "epsilon": "(0, inf)", "delta_prime": "(0, inf)"}


def exponent_of_the_tail(mu_i: Any, mu_star: Any, epsilon: Any, delta_prime: Any, slack: Any) -> Sides:
    """What the printed bound implies for n to infinity, as Pr[noisy mean >= x] >= Pr[all rewards 1, noise >= 0] = "
    "mu_i^n / 2."""
    return -log(mu_i), ">=", d_epsilon(mu_i + delta_prime / epsilon, mu_star, epsilon) - slack


@claim(
    "BDP-TF.7/45-tail",
    r"before (45): there is $A_{a'}$ with $\Pr[\tilde\mu_{i,m}\ge\mu_i+\delta'/\epsilon]\le A_{a'}e^{a'n_m}"
    r"e^{-n_md_\epsilon(\mu_i+\delta'/\epsilon,\mu^\star)}$ for all $m$; as the left side is at least "
    r"$\frac12\mu_i^{n_m}$, then "
    r"$\log\frac1{\mu_i}\ge d_\epsilon(\mu_i+\delta'/\epsilon,\mu^\star)-a'$",
    domain=Domain.of(**TAIL, mu_star="(0, 1)", slack="(0, inf)",
                     where=["mu_i < mu_star", "mu_i + delta_prime / epsilon < mu_star",
                            "2 * delta_prime < d_epsilon(mu_i, mu_star, epsilon)",
                            "slack < d_epsilon(mu_i + delta_prime / epsilon, mu_star, epsilon)"]),
    role="step",
)  # fmt: skip
def tail_of_the_other_arm(check: Check) -> None:
    """Corollary D.5 for arm i has its own mean as second argument: d_epsilon(mu_i + delta'/epsilon, mu_i)."""
    point = {"mu_i": "1/2", "mu_star": "99/100", "epsilon": "5", "delta_prime": "1/20", "slack": "1/10"}
    check.counterexample(exponent_of_the_tail, {n: Fraction(v) for n, v in point.items()})


def tail_with_own_mean(n: int, m: int, mu_i: Any, epsilon: Any, delta_prime: Any, factor: Any, rate: Any) -> Sides:
    x = mu_i + delta_prime / epsilon
    exponent = m * log1p(m * n * delta_prime) - rate * n * d_epsilon(x, mu_i, epsilon)
    return noisy_sum_tail(n, m, mu_i, epsilon, n * x), "<=", factor * exp(exponent)


@claim(
    "BDP-TF.7/45-tail-repaired",
    r"with $m$ noise terms: $\Pr[\tilde\mu_i\ge\mu_i+\delta'/\epsilon]\le<factor>(1+mn\delta')^m"
    r"e^{-<rate>\,nd_\epsilon(\mu_i+\delta'/\epsilon,\mu_i)}$, and the exponent is positive",
    domain=Domain.of(n="integer [1, inf)", m="integer [1, inf)", **TAIL, where=["mu_i + delta_prime / epsilon <= 1"]),
    constants={"factor": 3, "rate": 1},
    mutations=[mutation("prefactor 2/5", factor="2/5"), mutation("rate 1.5", rate="1.5")],
    role="repair", repairs="BDP-TF.7/45-tail",
)  # fmt: skip
def tail_of_the_other_arm_from_its_mean(check: Check) -> None:
    points = [
        {"n": n, "m": m, "mu_i": mu, "epsilon": epsilon, "delta_prime": str(Fraction(epsilon) * Fraction(shift))}
        for n, m in ((1, 1), (7, 3), (63, 6), (400, 1)) for mu in ("1/10", "1/2") for epsilon in ("1/4", "4")
        for shift in ("1/1000", "1/20", "3/10")
    ]  # fmt: skip
    check.enumerate(tail_with_own_mean, points, routes=TAILS)


def exponents_of_46(alpha: Any, n0: Any, m: Any, c: Any, shift: Any) -> Sides:
    scale = n0 * c / (alpha - 1)
    return -n0 * quotient(alpha, m, 1) * c, "==", shift * scale - power(alpha, m, 1) * scale


def exponents_of_46_argument() -> SymbolicArgument:
    import sympy

    return Symbols().argument(sympy.Integer(0), "zero", c=sympy.Symbol("c", positive=True))


@claim(
    "BDP-TF.7/46",
    r"(46): $-n_0\frac{\alpha^{m+1}-1}{\alpha-1}c=<shift>\Lambda-\alpha^{m+1}\Lambda$ with "
    r"$\Lambda=\frac{n_0c}{\alpha-1}$ ($c$ the rate minus $a'$)",
    domain=Domain.of(alpha="(1, inf)", n0="integer [1, inf)", m="integer [0, inf)", c="(0, inf)"),
    constants={"shift": 1}, mutations=[mutation("0.9 in place of 1", shift="0.9")], role="step", strongest="symbolic",
)  # fmt: skip
def exponents_with_lambda(check: Check) -> None:
    over = {"alpha": ["3/2", "2"], "n0": [1, 3], "m": range(6), "c": ["1/10", "2"]}
    if check.enumerate(exponents_of_46, over, rational=True, routes=("exponent in rationals", "exponent in rationals")):
        check.symbolic(exponents_of_46, exponents_of_46_argument, points=10)


def term_below_integrand(alpha: Any, start: Any, position: Any, rate: Any, factor: Any) -> Sides:
    """Logarithms of the m-th term and of the integrand at x in [m, m+1], start = alpha^m and position = alpha^(x-m)."""
    term = log(alpha * start) - alpha * start * rate
    return term, "<=", log(factor * alpha * position * start) - position * start * rate


def term_below_integrand_argument(factor: Any) -> SymbolicArgument:
    import sympy

    v, w, p = sympy.symbols("v w p", nonnegative=True)
    rate = sympy.Symbol("rate", positive=True)
    certificate = sympy.log(factor) + sympy.log(1 + w) + v * (1 + w) * (1 + p) * rate
    variables = {"alpha": (1 + v) * (1 + w), "start": 1 + p, "position": 1 + w, "rate": rate}
    return SymbolicArgument(variables, certificate, "nonnegative")


@claim(
    "BDP-TF.7/46-integral",
    r"after (46): $\alpha^{m+1}e^{-\alpha^{m+1}\Lambda}\le<factor>\,\alpha^{x+1}e^{-\alpha^x\Lambda}$ for $m\le x\le "
    r"m+1$, "
    r"so the series is at most the integral from $m^*$",
    domain=Domain.of(alpha="(1, inf)", start="[1, inf)", position="[1, inf)", rate="(0, inf)",
                     where=["position <= alpha"]),
    constants={"factor": 1}, mutations=[mutation("factor 0.9", factor="0.9")], role="step", strongest="symbolic",
)  # fmt: skip
def terms_below_the_integral(check: Check) -> None:
    """Both factors of the integrand are at least those of the term."""
    over = {"alpha": ["2"], "start": ["1", "2"], "position": ["1", "3/2"], "rate": ["1/100", "3"]}
    if check.enumerate(term_below_integrand, over, routes=("logarithm of the term", "logarithm of the integrand")):
        check.symbolic(term_below_integrand, term_below_integrand_argument, points=10)


def integral_of_47(alpha: Any, start: Any, rate: Any, factor: Any) -> Sides:
    """The integral over x from m*, with s = alpha^x, as an incomplete gamma function; start = alpha^(m*)."""
    if system(alpha) == SYMBOL:
        import sympy

        s = sympy.Symbol("s", positive=True)
        value = sympy.integrate(alpha * sympy.exp(-s * rate), (s, start, sympy.oo)) / sympy.log(alpha)
    else:
        value = alpha * (start * rate).gamma_upper(1) / (rate * log(alpha))
    return value, "==", factor * alpha * exp(-start * rate) / (log(alpha) * rate)


def integral_of_47_argument() -> SymbolicArgument:
    import sympy

    r, rate = sympy.symbols("r rate", positive=True)
    p = sympy.Symbol("p", nonnegative=True)
    return SymbolicArgument({"alpha": sympy.exp(r), "start": 1 + p, "rate": rate}, sympy.Integer(0), "zero")


@claim(
    "BDP-TF.7/47-integral",
    r"before (47): $\int_{m^*}^\infty\alpha^{x+1}e^{-\alpha^x\Lambda}dx=<factor>\frac{\alpha}{\Lambda\ln\alpha}e^{-"
    r"\alpha^{m^*}\Lambda}$",
    domain=Domain.of(alpha="(1, inf)", start="[1, inf)", rate="(0, inf)"),
    constants={"factor": 1}, mutations=[mutation("factor 1.01", factor="1.01")], role="step", strongest="symbolic",
)  # fmt: skip
def integral_in_closed_form(check: Check) -> None:
    check.symbolic(integral_of_47, integral_of_47_argument, routes=IDENTITY)
