"""Section 2.1.4, page 18: noise laws, sensitivities, the Laplace and Gaussian mechanisms, and private means.

In units of the sensitivity Gaussian noise has standard deviation sqrt(b) = 1/mu. With b = 2 log(1.25/delta)/epsilon^2
and t = sqrt(2 log(1.25/delta)), mu = epsilon/t, the exact delta divided by delta is

    e^(epsilon/2 - mu^2/8) (R(t - mu/2) - R(t + mu/2)) / 1.25,     R(x) = Phi(-x) e^(x^2/2).

Errors of means are root mean squares of the l2 norm of the noise: the square root of k times the variance of a
coordinate.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.theory import gaussian_delta
from banditproof.theory.privacy.wide_balls import classical_gaussian_ratio
from banditproof.verify import Formula
from banditproof.verify.kernel import meanings
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.meanings import sum_of


def twice_integrated(density: Callable[[Any], Any], scale: Any) -> Any:
    """Twice the integral of a function over the half line: rigorous quadrature to 60 scales.

    Beyond 60 scales the rest of the integrals below is less than 10^-20 of them.
    """
    import flint

    ends = [3 * k * to_ball(scale) for k in range(21)]
    parts = (flint.acb.integral(lambda x, _: 2 * density(x), a, b).real for a, b in pairwise(ends))
    return sum(parts, to_ball(0))


@quantity
def laplace_moment(power: int, b: Any) -> Any:
    """The integral of x^power e^(-|x|/b) / (2 b) over the real line, for an even power."""
    return twice_integrated(lambda x: x**power * (-x / to_ball(b)).exp() / (2 * to_ball(b)), b)


@quantity
def normal_moment(power: int, sigma: Any) -> Any:
    """The integral of x^power times the normal density of mean 0 over the real line, for an even power."""
    variance = to_ball(sigma) ** 2
    root = (2 * to_ball(0).pi() * variance).sqrt()
    return twice_integrated(lambda x: x**power * (-x * x / (2 * variance)).exp() / root, sigma)


QUADRATURE = ("rigorous quadrature", "closed form")
INTEGRATED_B = enumerated(b=["1/3", "1", "7"], routes=QUADRATURE)
INTEGRATED_SIGMA = enumerated(sigma=["1/3", "1", "7"], routes=QUADRATURE)
NEAR_ONE = Fraction(1, 10**15)


@claim("TH-D2.11/laplace-mass", INTEGRATED_B, false={"mass": "1.01"})
def laplace_mass(b: Positive, mass=1):
    r"""$\frac1{2b}e^{-|x|/b}$ has mass $1$."""
    return absolute(laplace_moment(0, b) - mass), "<=", NEAR_ONE


@claim("TH-D2.11/laplace-variance", INTEGRATED_B, false={"factor": "1.99"})
def laplace_variance(b: Positive, factor=2):
    r"""$\mathrm{Lap}(b)$ has the variance $2b^2$.

    The quotient of both is compared with 1.
    """
    return absolute(laplace_moment(2, b) / (factor * b**2) - 1), "<=", NEAR_ONE


@claim("TH-D2.11/normal-mass", INTEGRATED_SIGMA, false={"mass": "1.01"})
def normal_mass(sigma: Positive, mass=1):
    r"""The normal density has mass $1$."""
    return absolute(normal_moment(0, sigma) - mass), "<=", NEAR_ONE


@claim("TH-D2.11/normal-variance", INTEGRATED_SIGMA, false={"factor": "1.01"})
def normal_variance(sigma: Positive, factor=1):
    r"""The normal density has the variance $\sigma^2$.

    The quotient of both is compared with 1.
    """
    return absolute(normal_moment(2, sigma) / (factor * sigma**2) - 1), "<=", NEAR_ONE


@word
def sizes_and_squares(f_1: Any, f_2: Any, k: Any) -> tuple[Any, Any]:
    """The l1 distance of two vectors, and the square of their l2 distance."""
    change = lambda j: f_1(j) - f_2(j)  # noqa: E731
    return sum_of(lambda j: meanings.size(change(j)), k), sum_of(lambda j: change(j) * change(j), k)


@claim(
    "TH-T2.14/edge-above-one",
    fails_at(epsilon=10, delta=Fraction(1, 100000)),
    called={r"the ratio of the exact $\delta$ of this noise to the declared one": "left"},
)
def classical_formula_for_every_budget(epsilon: Positive, delta: Inside, inside=Fraction(5, 4), *, w=None):
    r"""For every $\varepsilon>0$ and $\delta\in(0,1)$, noise of variance
    $s_2^2\,\frac2{\varepsilon^2}\log\frac{5/4}{\delta}$ gives $(\varepsilon,\delta)$-DP.

    For large $\varepsilon$ the variance decreases like $1/\varepsilon^2$, which is too fast: the exact $\delta$ of this
    noise tends to 1. The statement prints no range of $\varepsilon$; it holds up to $\varepsilon=3$.

    On boxes, delta = 5/4 e^(-1/(2 w^2)), and the range of R is evaluated at its ends.
    """
    w = 1 / sqrt(2 * log(5 / (4 * delta))) if w is None else w
    return classical_gaussian_ratio(epsilon, w, inside), "<=", 1


SCALED = {"delta": ("w", "[0, 3/2]", "5/4*exp(-1/(2*w**2))")}


@repaired(
    "TH-T2.14/budgets-up-to-three",
    "TH-T2.14/edge-above-one",
    interval(substitutions=SCALED),
    false=[
        mutation("budgets up to five", domain=Domain.of(epsilon="(0, 5]", delta="(0, 1)")),
        mutation("log(1.05/delta)", inside="1.05"),
    ],
)
def classical_formula_for_moderate_budgets(epsilon: Annotated[Any, "(0, 3]"]):
    r"""Noise of variance $s_2^2\,\frac2{\varepsilon^2}\log\frac{5/4}{\delta}$ gives $(\varepsilon,\delta)$-DP for
    $0<\varepsilon\le3$ and every $\delta\in(0,1)$."""


@claim(
    "TH-T2.14/approximate",
    interval(substitutions=SCALED),
    false=[
        mutation("budgets up to five", domain=Domain.of(epsilon="(0, 5]", delta="(0, 1)")),
        mutation("log(1.001/delta)", inside="1.001"),
    ],
    role="step",
    restricted="to one coordinate",
)
def classical_formula_for_small_budgets(epsilon: AboveZero, delta: Inside, inside=Fraction(5, 4), *, w=None):
    r"""Noise of variance $s_2^2\,\frac2{\varepsilon^2}\log\frac{5/4}{\delta}$ gives $(\varepsilon,\delta)$-DP, for
    $\delta\in(0,1)$ and $0<\varepsilon\le1$. The statement prints no range; the text before it thinks of $\varepsilon$
    and $\rho$ as small values in $[0,1]$.

    For these budgets 1.01 in place of 1.25 would be enough.
    """
    return classical_formula_for_every_budget(epsilon, delta, inside, w=w)


@claim(
    "TH-T2.14/failure-region",
    interval(substitutions={"delta": ("s", "[1/10, 12]", "exp(-s)")}),
    false={"inside": 4},
    role="remark",
)
def region_of_failure(
    epsilon: Annotated[Any, "[10, 20]"], delta: Annotated[Any, "[1/100000, 9/10]"], inside=Fraction(5, 4)
):
    r"""For all $10\le\varepsilon\le20$ and $10^{-5}\le\delta\le\frac9{10}$ the variance
    $\frac2{\varepsilon^2}\log\frac{5/4}\delta$ is too small: the exact $\delta$ exceeds the promised one."""
    t = sqrt(2 * log(to_ball(inside) / delta))
    return gaussian_delta(epsilon / t, epsilon), ">", delta


def largest_difference(k: Any) -> Any:
    """The largest l1 norm, which is the largest squared l2 norm, of a difference of two vectors of k bits.

    Each coordinate adds a part of its own, so that the largest sum is the sum of the largest.
    """
    of_a_coordinate = max(abs(a - b) for a, b in product((0, 1), repeat=2))
    return total(lambda j: of_a_coordinate, 1, k)


@claim("TH-S2.15/sensitivities", deduced())
def sensitivities_of_the_mean(n: Count, k: Count, norm: Annotated[Any, "integer [1, 2]"]):
    r"""$s_1^2=(k/n)^2$ and $s_2^2=k/n^2$, attained by $(1,\dots,1)$ and $(0,\dots,0)$.

    The left side is the largest squared l1 or l2 change of the mean when one record is replaced.
    """
    largest = largest_difference(k)
    found = where(norm, "==", 1, ratio(largest, n) ** 2, ratio(largest, n * n))
    return found, "==", where(norm, "==", 1, ratio(k, n) ** 2, ratio(k, n * n))


@cache
def second_moment(law: str) -> Formula:
    """The integral of x^2 against the density of a centred Laplace or normal variable, as a function of its scale."""
    import sympy

    x, b = sympy.symbols("x b", positive=True)
    density = sympy.exp(-x / b) / (2 * b)
    if law == "gaussian":
        density = sympy.exp(-(x**2) / (2 * b**2)) / (b * sympy.sqrt(2 * sympy.pi))
    return Formula((b,), sympy.simplify(2 * sympy.integrate(x**2 * density, (x, 0, sympy.oo))))


@claim(
    "TH-S2.15/gaussian-error",
    fails_at(epsilon=1, delta=Fraction(1, 10**15)),
    displayed=True,
    slip=r"""A square root over $\log(1/\delta)$ is missing: the covariance in the same display has $\log(1.25/\delta)$,
    whose root is the standard deviation.""",
    assuming="""other constants: up to constants the left side is the square root of the right side, so that other
    constants fail at a smaller delta""",
)
def order_of_the_gaussian_error(epsilon: Positive, delta: Inside, within=3):
    r"""The $L_2$ error of $\mathcal N(0,\frac{2k}{\varepsilon^2n^2}\log\frac{1.25}\delta I_k)$ is of the order $\frac
    k{\varepsilon n}\log\frac1\delta$: at least $\frac1{3}$ of it, for every $\delta$.

    The error grows only with the square root of log(1/delta), so it is of the order k/(epsilon n) sqrt(log(1/delta)).
    Its ratio to the printed order tends to 0 as delta decreases, so no other constant helps.

    Both sides omit the factor k/(epsilon n). As delta tends to 1 the ratio tends to infinity, since log(1.25/delta)
    does not vanish there.
    """
    return sqrt(2 * log(5 / (4 * delta))), ">=", log(1 / delta) / within


@claim("TH-S2.15/gaussian-error-with-the-root", deduced(), false={"factor": 1}, repairs="TH-S2.15/gaussian-error")
def exact_gaussian_error(n: Count, k: Count, epsilon: Positive, delta: Inside, factor=2):
    r"""The mean squared error of that Gaussian noise is $2\left(\frac k{\varepsilon n}\right)^2\log\frac{1.25}\delta$:
    the error is of order $\frac k{\varepsilon n}\sqrt{\log\frac{1.25}\delta}$.

    The left side is k times the second moment of one coordinate's noise, which SymPy integrates from the density; s_2^2
    = k/n^2.
    """
    deviation = sqrt(2 * k * log(5 / (4 * delta))) / (epsilon * n)
    return k * second_moment("gaussian")(deviation), "==", factor * (k / (epsilon * n)) ** 2 * log(5 / (4 * delta))


def odds_of_an_output(own: Any, new: Any, others: Any, root: Any) -> Any:
    """The largest ratio of the chances of an output, when one record changes from a value to another one.

    Outputs are values, with the weights root^(number of records equal to them): `own` and `new` are these numbers
    before the change, and the weights of all other outputs, which stay as they are, add up to `others`.
    """
    before = others + root**own + root**new
    after = others + root ** (own - 1) + root ** (new + 1)
    return maximum(root, maximum(1, 1 / root)) * after / before  # of the old value, of the others and of the new one


@claim("TH-S2.1g/exponential-mechanism", deduced(), false={"factor": "1/3"})
def budget_of_the_exponential_mechanism(own: Count, new: Natural, others: Nonnegative, root: AtLeastOne, factor=1):
    r"""The exponential mechanism with weights $e^{\varepsilon u/(2s)}$ is $\varepsilon$-DP: $e^\varepsilon$ is at most
    its budget (counts of records as utility).

    The output o has the weight root^(number of records equal to o), root = e^(epsilon/2), for a utility of sensitivity
    1.
    """
    return odds_of_an_output(own, new, others, root), "<=", factor * root * root
