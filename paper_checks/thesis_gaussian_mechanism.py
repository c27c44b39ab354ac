"""Theorem 2.14 of the thesis: Gaussian noise for approximate privacy and for zCDP.

In units of the sensitivity the noise has standard deviation sqrt(b) = 1/mu. With b = 2 log(1.25/delta)/epsilon^2 and
t = sqrt(2 log(1.25/delta)), mu = epsilon/t, the exact delta divided by delta is

    e^(epsilon/2 - mu^2/8) (R(t - mu/2) - R(t + mu/2)) / 1.25,     R(x) = Phi(-x) e^(x^2/2).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_privacy_definitions import Sides
from banditproof.theory.noise_calibration import gaussian_delta
from banditproof.theory.normal_law import scaled_normal_tail
from banditproof.theory.numeric import exp, log, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

ANY = Domain.of(epsilon="(0, inf)", delta="(0, 1)")


def classical_delta(epsilon: Any, delta: Any, inside: Any, w: Any = None) -> Sides:
    """The exact delta of the classical variance with log(inside/delta), against delta.

    On boxes, with delta = 5/4 e^(-1/(2 w^2)), both are divided by delta and the range of R is taken at the ends.
    """
    inside = to_ball(inside)
    if w is None:
        variance = 2 * log(inside / delta) / (epsilon * epsilon)
        return gaussian_delta(1 / sqrt(variance), epsilon), "<=", delta
    shift = 2 * log(4 * inside / 5)
    ends = [_root(end, shift) for end in (w.upper(), w.lower())]  # of t, increasing
    if shift.is_zero():
        mu = epsilon * w
    else:
        mu = epsilon / ends[0].union(ends[1]) if ends[1].is_finite() else (epsilon / ends[0]).union(to_ball(0))
    near = [scaled_normal_tail(end - mu / 2) if end.is_finite() else to_ball(0) for end in ends]
    far = [scaled_normal_tail(end + mu / 2) if end.is_finite() else to_ball(0) for end in ends]
    difference = near[0].union(near[1]) - far[0].union(far[1])
    return exp(epsilon / 2 - mu * mu / 8) * difference / inside, "<=", 1


def _root(w: Any, shift: Any) -> Any:
    return sqrt(1 / (w * w) + shift) if w > 0 else w.pos_inf()


@claim(
    "TH-T2.14/approximate",
    r"Noise of variance $s_2^2\,\frac2{\varepsilon^2}\log\frac{<inside>}{\delta}$ gives $(\varepsilon,\delta)$-DP, "
    r"for every $\varepsilon>0$ and $\delta\in(0,1)$: the statement prints no range (the text before it thinks of "
    r"$\varepsilon$ and $\rho$ as small values in $[0,1]$, TH-S2.1d).",
    domain=ANY, constants={"inside": "5/4"}, strongest="interval",
)  # fmt: skip
def classical_formula_for_every_budget(check: Check) -> None:
    """As epsilon grows with delta fixed, mu = epsilon/t exceeds 2 t, and the exact delta tends to 1."""
    check.counterexample(classical_delta, {"epsilon": Fraction(10), "delta": Fraction(1, 100_000)})


@claim(
    "TH-T2.14/budgets-up-to-three",
    r"Noise of variance $s_2^2\,\frac2{\varepsilon^2}\log\frac{<inside>}{\delta}$ gives $(\varepsilon,\delta)$-DP for "
    r"$0<\varepsilon\le3$ and every $\delta\in(0,1)$; this includes the small values $(0,1]$ of the text (TH-S2.1d).",
    role="repair", repairs="TH-T2.14/approximate", domain=ANY.restrict(epsilon="(0, 3]"), constants={"inside": "5/4"},
    mutations=[
        mutation("budgets up to five", domain=ANY.restrict(epsilon="(0, 5]")),
        mutation("log(1.05/delta)", inside="1.05"),
    ],
    strongest="interval",
)  # fmt: skip
def classical_formula_for_moderate_budgets(check: Check) -> None:
    points = [{"epsilon": Fraction(e), "delta": Fraction(d)} for e in (1, 3, 4, 5) for d in ("0.99", "1/2", "1/1000")]
    if check.search(classical_delta, points):
        return
    check.interval(
        classical_delta, substitutions={"delta": ("w", "[0, 3/2]", "5/4*exp(-1/(2*w**2))")},
        routes=("exact curve of Gaussian noise", "promised delta"),
    )  # fmt: skip


def classical_delta_exceeds(epsilon: Any, delta: Any, inside: Any) -> Sides:
    t = sqrt(2 * log(to_ball(inside) / delta))
    return gaussian_delta(epsilon / t, epsilon), ">", delta


@claim(
    "TH-T2.14/failure-region",
    r"For all $10\le\varepsilon\le20$ and $10^{-5}\le\delta\le\frac9{10}$ the variance $\frac2{\varepsilon^2}"
    r"\log\frac{<inside>}\delta$ is too small: the exact $\delta$ exceeds the promised one.",
    role="remark", domain=Domain.of(epsilon="[10, 20]", delta="[1/100000, 9/10]"), constants={"inside": "5/4"},
    mutations=[mutation("log(4/delta)", inside=4)], strongest="interval",
)  # fmt: skip
def region_of_failure(check: Check) -> None:
    check.interval(
        classical_delta_exceeds,
        substitutions={"delta": ("s", "[1/10, 12]", "exp(-s)")},
        routes=("exact curve of Gaussian noise", "promised delta"),
    )


def gaussian_divergence(d: Any, rho: Any, alpha: Any, factor: Any) -> Sides:
    """D_alpha = alpha d^2/(2 b) (TH-D2.3/renyi) with b = 1/(2 rho), centres d sensitivities apart in the l2 norm."""
    return alpha * d * d / (2 * (1 / (2 * rho))), "<=", factor * rho * alpha


def divergence_argument(factor: Any) -> SymbolicArgument:
    import sympy

    near = sympy.Symbol("near", nonnegative=True)
    far, rho, more = sympy.symbols("far rho more", positive=True)
    alpha, d = 1 + more, near / (near + far)
    slack = rho * alpha * (far * (2 * near + far) / (near + far) ** 2 + factor - 1)
    return SymbolicArgument({"d": d, "rho": rho, "alpha": alpha}, slack, "nonnegative")


def largest_divergence_argument(factor: Any) -> SymbolicArgument:
    import sympy

    rho, more = sympy.symbols("rho more", positive=True)
    return SymbolicArgument(
        {"d": sympy.Integer(1), "rho": rho, "alpha": 1 + more}, (factor - 1) * rho * (1 + more), "nonnegative"
    )


@claim(
    "TH-T2.14/zcdp",
    r"Noise of variance $\frac1{2\rho}s_2^2$ gives $<factor>\rho$-zCDP: $D_\alpha=\alpha d^2\rho$, with $d\in[0,1]$ "
    r"the "
    r"distance of the centres in units of $s_2$.",
    domain=Domain.of(d="[0, 1]", rho="(0, inf)", alpha="(1, inf)"), constants={"factor": 1},
    mutations=[mutation("1 % less", factor="0.99")], strongest="symbolic",
)  # fmt: skip
def gaussian_noise_for_zcdp(check: Check) -> None:
    routes = ("closed form of the divergence", "zCDP")
    check.symbolic(gaussian_divergence, divergence_argument, check.domain.restrict(d="[0, 1)"), routes)
    check.symbolic(gaussian_divergence, largest_divergence_argument, check.domain.restrict(d=[1]), routes)


parts_decide(
    "TH-T2.14",
    r"The Gaussian mechanism with variance $b\,s_2(f)^2$: $(\varepsilon,\delta)$-DP for $b=\frac2{\varepsilon^2}"
    r"\log\frac{1.25}\delta$, $\rho$-zCDP for $b=\frac1{2\rho}$.",
    domain=ANY,
)
