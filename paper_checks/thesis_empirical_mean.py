"""Example 2.15 of the thesis: private means of n binary vectors of length k, by Laplace and by Gaussian noise.

Errors are root mean squares of the l2 norm of the noise: the square root of k times the variance of a coordinate.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_gaussian_mechanism import ANY, classical_delta
from banditproof.paper_checks.thesis_privacy_definitions import Sides
from banditproof.theory.numeric import log, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

parts_decide(
    "TH-S2.15",
    r"The mean of $n$ vectors in $\{0,1\}^k$ has sensitivities $k/n$ and $\sqrt k/n$; with Laplace noise it is "
    r"$\varepsilon$-DP with error of order $\frac{k^{3/2}}{\varepsilon n}$, with Gaussian noise "
    r"$(\varepsilon,\delta)$-DP with "
    r"error of order $\frac k{\varepsilon n}\log\frac1\delta$, or $\rho$-zCDP with error of order $\frac "
    r"k{n\sqrt\rho}$.",
)


def squared_sensitivities(n: int, k: int, norm: int, factor: Any) -> Sides:
    """The largest squared l1 or l2 change of the mean when one record is replaced, by brute force."""
    vectors = list(product((0, 1), repeat=k))
    changes = ([abs(a - b) for a, b in zip(x, y, strict=True)] for x in vectors for y in vectors)
    if norm == 1:
        return max(Fraction(sum(c), n) ** 2 for c in changes), "==", factor * Fraction(k, n) ** 2
    return max(Fraction(sum(c), n * n) for c in changes), "==", factor * Fraction(k, n * n)


@claim(
    "TH-S2.15/sensitivities",
    r"$s_1^2=<factor>(k/n)^2$ and $s_2^2=<factor>k/n^2$, attained by $(1,\dots,1)$ and $(0,\dots,0)$.",
    domain=Domain.of(n="integer [1, inf)", k="integer [1, inf)", norm="integer [1, 2]"), constants={"factor": 1},
    mutations=[mutation("1 % less", factor="0.99")], strongest="enumeration",
)  # fmt: skip
def sensitivities_of_the_mean(check: Check) -> None:
    grid = {"n": [1, 2, 10, 1000], "k": range(1, 6), "norm": [1, 2]}
    check.enumerate(squared_sensitivities, grid, rational=True, routes=("brute force over pairs", "formula"))


SIZES = {"n": "integer [1, inf)", "k": "integer [1, inf)"}


def sizes() -> tuple[Any, Any, Any]:
    import sympy

    n, k = sympy.symbols("n k", integer=True, positive=True)
    return n, k, sympy.Symbol("budget", positive=True)


def laplace_error(n: int, k: int, epsilon: Any, factor: Any) -> Sides:
    """k variances 2 b^2 with b = s_1/epsilon = k/(n epsilon), against the square of the printed order."""
    b = k / (n * epsilon)
    return k * 2 * b * b, "==", factor * k * k * k / (epsilon * epsilon * n * n)


def laplace_argument() -> SymbolicArgument:
    n, k, epsilon = sizes()
    return SymbolicArgument({"n": n, "k": k, "epsilon": epsilon}, 0, "zero")


@claim(
    "TH-S2.15/laplace-error",
    r"With Laplace noise of scale $s_1/\varepsilon=\frac k{\varepsilon n}$ the mean squared error is $<factor>"
    r"\left(\frac{k^{3/2}}{\varepsilon n}\right)^2$.",
    domain=Domain.of(**SIZES, epsilon="(0, inf)"), constants={"factor": 2}, mutations=[mutation("factor 1", factor=1)],
    strongest="symbolic",
)  # fmt: skip
def error_of_laplace_noise(check: Check) -> None:
    check.symbolic(laplace_error, laplace_argument, routes=("sum of variances", "printed order, squared"))


def printed_laplace_error(n: int, k: int, epsilon: Any, within: Any, exponent: int) -> Sides:
    """With scale k/(n^exponent epsilon): the mean squared error within a factor of the squared printed order."""
    b = k / (epsilon * n**exponent)
    return k * 2 * b * b, "<=", within * within * k * k * k / (epsilon * epsilon * n * n)


@claim(
    "TH-S2.15/printed-laplace-scale",
    r"With noise $\mathrm{Lap}(k/\varepsilon)$, as printed (exponent of $n$: $<exponent>$), the error is within a "
    r"factor "
    r"$<within>$ of $\frac{k^{3/2}}{\varepsilon n}$.",
    role="reading", domain=Domain.of(**SIZES, epsilon="(0, inf)"), constants={"within": 100, "exponent": 0},
    strongest="symbolic",
)  # fmt: skip
def printed_scale_of_laplace_noise(check: Check) -> None:
    """The printed scale lacks the factor 1/n of the sensitivity, so that the error does not fall with n."""
    check.counterexample(printed_laplace_error, {"n": 1000, "k": 1, "epsilon": Fraction(1)})


def printed_argument(within: Any, exponent: int) -> SymbolicArgument:
    n, k, epsilon = sizes()
    slack = k**3 * (within**2 / n**2 - 2 / n ** (2 * exponent)) / epsilon**2
    return SymbolicArgument({"n": n, "k": k, "epsilon": epsilon}, slack.factor(), "nonnegative")


@claim(
    "TH-S2.15/laplace-scale-with-n",
    r"With noise $\mathrm{Lap}(\frac k{\varepsilon n^{<exponent>}})$ the error is within a factor $<within>$ of "
    r"$\frac{k^{3/2}}{\varepsilon n}$.",
    role="repair", repairs="TH-S2.15/printed-laplace-scale", domain=Domain.of(**SIZES, epsilon="(0, inf)"),
    constants={"within": 100, "exponent": 1}, mutations=[mutation("no n", exponent=0), mutation("factor 1", within=1)],
    strongest="symbolic",
)  # fmt: skip
def scale_of_laplace_noise(check: Check) -> None:
    if not check.search(printed_laplace_error, [{"n": 1000, "k": 1, "epsilon": Fraction(1)}]):
        check.symbolic(printed_laplace_error, printed_argument, routes=("sum of variances", "printed order, squared"))


@claim(
    "TH-S2.15/gaussian-privacy",
    r"Noise $\mathcal N(0,\frac{2k}{\varepsilon^2n^2}\log\frac{<inside>}\delta I_k)$ gives $(\varepsilon,\delta)$-DP "
    r"for every $\varepsilon>0$ and $\delta\in(0,1)$ (Theorem 2.14 with $s_2=\sqrt k/n$; neither prints a range, the "
    r"text before them thinks of $\varepsilon$ and $\rho$ as small values in $[0,1]$, TH-S2.1d).",
    domain=ANY, constants={"inside": "5/4"}, strongest="interval", twins=["TH-T2.14"],
)  # fmt: skip
def privacy_of_gaussian_noise(check: Check) -> None:
    """As in Theorem 2.14: for large budgets the formula gives too little noise."""
    check.counterexample(classical_delta, {"epsilon": Fraction(10), "delta": Fraction(1, 100_000)})


@claim(
    "TH-S2.15/gaussian-privacy-up-to-three",
    r"Noise $\mathcal N(0,\frac{2k}{\varepsilon^2n^2}\log\frac{<inside>}\delta I_k)$ gives $(\varepsilon,\delta)$-DP "
    r"for $0<\varepsilon\le3$ and every $\delta\in(0,1)$; this includes the small values $(0,1]$ of the text "
    r"(TH-S2.1d).",
    role="repair", repairs="TH-S2.15/gaussian-privacy", domain=ANY.restrict(epsilon="(0, 3]"),
    constants={"inside": "5/4"}, mutations=[mutation("log(1.05/delta)", inside="1.05", gradual=False)],
    strongest="interval",
)  # fmt: skip
def privacy_of_gaussian_noise_for_moderate_budgets(check: Check) -> None:
    if not check.search(classical_delta, [{"epsilon": Fraction(3), "delta": Fraction(99, 100)}]):
        check.interval(classical_delta, substitutions={"delta": ("w", "[0, 3/2]", "5/4*exp(-1/(2*w**2))")})


def gaussian_order(epsilon: Any, delta: Any, within: Any) -> Sides:
    """The error k sqrt(2 log(1.25/delta))/(epsilon n) against k log(1/delta)/(epsilon n)/within, without k/(epsilon "
    "n)."""
    return sqrt(2 * log(5 / (4 * delta))), ">=", log(1 / delta) / within


@claim(
    "TH-S2.15/gaussian-error",
    r"The error of $\mathcal N(0,\frac{2k}{\varepsilon^2n^2}\log\frac{1.25}\delta I_k)$ is of order "
    r"$\frac k{\varepsilon n}\log\frac1\delta$: at least $\frac1{<within>}$ of it, for every $\delta$.",
    domain=ANY, constants={"within": 10}, strongest="symbolic",
)  # fmt: skip
def order_of_the_gaussian_error(check: Check) -> None:
    """The error grows with the root of log(1/delta): the ratio to the printed order tends to 0, so no constant will do.

    (As delta tends to 1 it tends to infinity, since log(1.25/delta) does not vanish there.)
    """
    check.counterexample(gaussian_order, {"epsilon": Fraction(1), "delta": Fraction(1, 10**100)})


def gaussian_error(n: int, k: int, epsilon: Any, delta: Any, factor: Any) -> Sides:
    variance = 2 * k * log(5 / (4 * delta)) / (epsilon * epsilon * n * n)
    return k * variance, "==", factor * k * k * log(5 / (4 * delta)) / (epsilon * epsilon * n * n)


def gaussian_argument() -> SymbolicArgument:
    import sympy

    n, k, epsilon = sizes()
    part, rest = sympy.symbols("part rest", positive=True)
    return SymbolicArgument({"n": n, "k": k, "epsilon": epsilon, "delta": part / (part + rest)}, 0, "zero")


@claim(
    "TH-S2.15/gaussian-error-with-the-root",
    r"The mean squared error of that Gaussian noise is $<factor>\left(\frac k{\varepsilon "
    r"n}\right)^2\log\frac{1.25}\delta$: "
    r"the error is of order $\frac k{\varepsilon n}\sqrt{\log\frac{1.25}\delta}$.",
    role="repair", repairs="TH-S2.15/gaussian-error", domain=Domain.of(**SIZES, epsilon="(0, inf)", delta="(0, 1)"),
    constants={"factor": 2}, mutations=[mutation("factor 1", factor=1)], strongest="symbolic",
)  # fmt: skip
def exact_gaussian_error(check: Check) -> None:
    check.symbolic(gaussian_error, gaussian_argument, routes=("sum of variances", "order with the root, squared"))


def upper_order(delta: Any, within: Any, u: Any = None) -> Sides:
    """Both sides over log(1/delta)^2; on boxes with u = 1/log(1/delta)."""
    u = 1 / log(1 / delta) if u is None else u
    return 2 * u + 2 * log(to_ball("5/4")) * u * u, "<=", within * within


@claim(
    "TH-S2.15/gaussian-error-from-above",
    r"As an upper bound the printed order holds for $\delta\le\frac12$: the error is at most $<within>\frac "
    r"k{\varepsilon n}"
    r"\log\frac1\delta$.",
    role="remark", domain=Domain.of(delta="(0, 1/2]"), constants={"within": 2},
    mutations=[mutation("factor 1", within=1)], strongest="interval",
)  # fmt: skip
def gaussian_error_from_above(check: Check) -> None:
    if not check.search(upper_order, [{"delta": Fraction(1, 2)}]):
        check.interval(
            upper_order, substitutions={"delta": ("u", "[0, 1443/1000]", "exp(-1/u)")},
            routes=("mean squared error", "printed order, squared"),
        )  # fmt: skip


def zcdp_error(n: int, k: int, rho: Any, factor: Any) -> Sides:
    return k * (k / (2 * rho * n * n)), "==", factor * k * k / (n * n * rho)


def zcdp_argument() -> SymbolicArgument:
    n, k, rho = sizes()
    return SymbolicArgument({"n": n, "k": k, "rho": rho}, 0, "zero")


@claim(
    "TH-S2.15/zcdp-error",
    r"With noise $\mathcal N(0,\frac k{2\rho n^2}I_k)$ the mean squared error is $<factor>\left(\frac "
    r"k{n\sqrt\rho}\right)^2$.",
    domain=Domain.of(**SIZES, rho="(0, inf)"), constants={"factor": "1/2"}, mutations=[mutation("factor 1", factor=1)],
    strongest="symbolic",
)  # fmt: skip
def error_under_zcdp(check: Check) -> None:
    """Privacy is TH-T2.14/zcdp with s_2^2 = k/n^2."""
    check.symbolic(zcdp_error, zcdp_argument, routes=("sum of variances", "printed order, squared"))
