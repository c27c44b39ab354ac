"""Section 2.4, page 50: stochastic convergence and the Edgeworth expansion, on laws whose tails are known exactly."""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.theory import factorial, working_precision
from banditproof.theory.numbers.special import binomial_tail
from banditproof.verify import holds

SEQUENCES = Domain.of(sequence="all: every convergent sequence")
SIZES = (4, 16, 64, 256, 1024, 4096)
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "square": lambda x: x * x,
    "exponential": math.exp,
    "step": lambda x: float(x > 0),  # not continuous at 0
}
DISCONTINUOUS = mutation("g not continuous at an atom of X", function="step")


def stays_below(check: Check, bound: float, series: Iterable[tuple[int, float]], source: str, example: str) -> None:
    check.trend("stays_below", series, source, check.domain.restrict(sequence=f"all: {example}"), bound=bound)


def moved(function: str, n: int) -> float:
    """|g(1/n) - g(0)|: g(X_n) against g(X) for the point masses X_n = 1/n, X = 0."""
    return abs(FUNCTIONS[function](1 / n) - FUNCTIONS[function](0.0))


def distance_of_squares(n: int) -> float:
    """sup_t |P(X_n^2 <= t) - P(Z^2 <= t)| for the standardised Binomial(n, 1/2)."""
    masses = [math.comb(n, k) / 2**n for k in range(n // 2 + 1)]
    largest, below = 0.0, 0.0
    for k in range(n // 2, -1, -1):  # |X_n| = (n - 2k) / sqrt(n), rising
        limit = math.erf((n - 2 * k) / math.sqrt(2 * n))
        after = below + masses[k] * (1 if 2 * k == n else 2)
        largest, below = max(largest, abs(below - limit), abs(after - limit)), after
    return largest


@claim("TH-T2.36/in-law", domain=SEQUENCES, constants={"function": "square"}, false=DISCONTINUOUS)
def mapped_in_law(check: Check) -> None:
    r"""(a) $X_n\rightsquigarrow X$ implies $g(X_n)\rightsquigarrow g(X)$ for $g$ continuous on a set that contains $X$
    almost surely; here $g$ = square."""
    function = check.constants["function"]
    examples = "two examples, point masses and standardised binomials"
    stays_below(check, 0.02, [(n, moved(function, n)) for n in SIZES], "point masses at 1/n", examples)
    if function == "square":
        squares = [(n, distance_of_squares(n)) for n in SIZES[:-1]]
        stays_below(check, 0.11, squares, "squares of standardised binomials", examples)


@claim("TH-T2.36/in-probability", domain=SEQUENCES, constants={"function": "exponential"}, false=DISCONTINUOUS)
def mapped_in_probability(check: Check) -> None:
    r"""(b) $X_n\to^PX$ implies $g(X_n)\to^Pg(X)$ under the same condition; here $g$ = exponential.

    For point masses P(|g(X_n) - g(X)| > eta) = 0 once the distance is below eta.
    """
    series = [(n, moved(check.constants["function"], n)) for n in SIZES]
    stays_below(check, 0.02, series, "point masses at 1/n", "one example, 1/n")


@claim(
    "TH-T2.37/tight",
    enumerated(
        sequence="binomials",
        n=pick(range(1, 60), range(1, 300)),
        reach=range(1, 9),
        rational=True,
        covers={"sequence": "all: one example, binomials"},
    ),
)
def convergent_is_tight(sequence: Annotated[Any, "all: every sequence that converges in law"], n: Count, reach: Count):
    r"""(1) $X_n\rightsquigarrow X$ implies uniform tightness. Standardised binomials: $\Pr(|X_n|>M)\le1/M^2$ for every
    $n$ and $M$.

    Any bound that vanishes with M would be enough: tightness does not ask for a rate, and other powers of M would hold
    as well.
    """
    outside = total(lambda k: where((2 * k - n) ** 2, ">", reach**2 * n, comb(n, k), 0), 0, n)
    return outside / 2**n, "<=", 1 / reach**2


@claim(
    "TH-T2.37/subsequence",
    domain=Domain.of(sequence="all: every tight sequence"),
    constants={"step": 2},
    false=mutation("the whole sequence", step=1),
)
def tight_has_a_limit(check: Check) -> None:
    r"""(2) Uniform tightness implies a subsequence that converges in law: of $X_n=(-1)^n(1+\frac1n)$ the one with
    $n=2j$."""
    step = int(check.constants["step"])
    off = [(j, max(abs((-1) ** n * (1 + 1 / n) - 1) for n in (step * j, step * (j + 1)))) for j in SIZES]
    stays_below(check, 0.01, off, "distance from 1 of two consecutive terms", "one example, (-1)^n (1 + 1/n)")


@claim(
    "TH-D2.38",
    domain=SEQUENCES,
    constants={"power": Fraction(1, 4)},
    false=mutation("the order itself, where it is only tight", power="1/2"),
)
def orders_in_probability(check: Check) -> None:
    r"""$X_n=o_p(R_n)$ iff $X_n=Y_nR_n$ with $Y_n\to^P0$, and $O_p$ iff $Y_n$ is tight: for $X_n\sim\mathcal
    N(0,\frac1n)$ and $R_n=n^{-1/4}$ the ratio vanishes."""
    power = float(check.constants["power"])
    series = [(n, math.erfc(0.5 * n ** (0.5 - power) / math.sqrt(2))) for n in SIZES]
    source = "probability that |X_n| exceeds half R_n"
    stays_below(check, 0.05, series, source, "one example, normal with variance 1/n")


@claim(
    "TH-T2.40",
    enumerated(
        lambda check: [
            {"n": n, "k": k}
            for n in check.pick((1, 4, 9, 25, 64, 144), (1, 4, 25, 144, 400, 900))
            for k in range(n + 1)
        ]
    ),
    false=[mutation("without Lindeberg's condition", array="rare"), {"factor": "1/3"}],
    where=["k <= n"],
    restricted="to arrays of fair coins",
)
def central_limit(n: Count, k: Natural, array="fair", factor=Fraction(1, 2)):
    r"""Lindeberg-Feller (conditions read with the index of summation): rows with Lindeberg's condition and converging
    means and covariances have normal limits. Arrays of fair Bernoulli variables: the distribution functions are at most
    $\frac12/\sqrt n$ apart, at every number $k$ of ones.

    The left side is |P(S_n <= s_k) - Phi(s_k)| for S_n the sum of n centred Bernoulli(p) variables divided by its
    standard deviation. "fair" is p = 1/2, where the summands are of size 1/sqrt(n). "rare" is p = 1/(n + 1), where
    single summands carry all the variance: Lindeberg's condition fails and the limit is a Poisson law.
    """
    p = Fraction(1, 2) if array == "fair" else ratio(1, n + 1)
    normal = normal_cdf((k - n * p) / sqrt(n * p * (1 - p)))
    return absolute(1 - binomial_tail(n, p, k + 1) - normal), "<=", factor / sqrt(n)


PEAKED = "1/(2|x| log^2|x|): the error is infinite for every n"
NUMBERS = [1, 2, 3, 10, 100, 1000, 10**4, 10**6]


def density_near_zero(n: int, depth: int) -> Any:
    """A lower bound of f^(*n)(y) at y = e^-depth for the density f above on |x| < 1/e, as a ball (depth > 3).

    f has mean 0, all moments, and P(|X| <= s) = 1/log(1/s). For n > 1, f^(*n)(y) = E f(y - S_{n-1}) is at least
    P(|S_{n-1}| <= y/2) f(3y/2), f being decreasing on (0, e^-2), and |S_{n-1}| <= y/2 if every summand is at most
    y / (2 (n - 1)).
    """
    inverse, depth_ball = exp(to_ball(depth)), to_ball(depth)
    peak = inverse / (3 * (depth_ball - log(to_ball(Fraction(3, 2)))) ** 2)
    spread = lambda: peak / (depth_ball + log(to_ball(2 * (n - 1)))) ** (n - 1)  # noqa: E731
    return where(n, "==", 1, lambda: inverse / (2 * depth_ball**2), spread)


def error_near_zero(n: int, depth: int) -> Any:
    """A lower bound of sup_x |d_n - phi - q_1 / sqrt(n)| for the symmetric law above (q_1 = 0, phi <= 2/5).

    d_n(x) = sigma sqrt(n) f^(*n)(sigma sqrt(n) x), taken at x = e^-depth / (sigma sqrt(n)), and
    sigma^2 >= (e^-2 - e^-4) / 8 > 1/100.

    For fixed n it grows without limit with the depth, so that the error is infinite for every n, from some n on as
    well: with depth = 4 m (n + 2)^2 the peak of the density, sqrt(n) / 10 times the bound of `density_near_zero`, is
    at least sqrt(n) e^depth / (30 (2 depth)^(n+1)), since depth + log(2 (n-1)) <= 2 depth. As log z <= (2/e) sqrt(z),
    (n+1) log(2 depth) <= (2/e) sqrt(2 depth) (n+1) <= 0.53 depth, and log(30) <= 0.1 depth as depth >= 36. So the
    peak is at least e^(depth/4) + 2/5 for all n, m >= 1. The bound holds as well at all points between 0 and this
    one, each with a depth of its own: no change of the density on a null set removes the peak.
    """
    return sqrt(to_ball(n)) / 10 * density_near_zero(n, depth) - to_ball(Fraction(2, 5))


def depth_for(n: int, m: int) -> int:
    return 4 * m * (n + 2) ** 2


@claim(
    "TH-T2.41/edge-unbounded-density",
    fails_at(law=PEAKED, k=3, sizes=NUMBERS, heights=[0, 1, 10, 100, 1000, 10**6]),
    assuming="""the largest error is infinite for every n: for the listed n and heights it is computed, for the others
    error_near_zero gives the argument""",
    called={
        r"the density $1/(2|x|\log^2|x|)$": "law",
        "8 numbers $n$ and 6 heights $h$": "sizes, heights",
        "the number of the 48 pairs with an error above $10^h$": "left",
    },
)
def expansion_as_printed(
    law: Annotated[Any, "all: every law with a density, mean 0 and a finite k-th absolute moment"],
    k: Annotated[Any, "integer [3, inf)"],
    sizes: Annotated[Any, "all: every list of numbers of variables"],
    heights: Annotated[Any, "all: every list of heights"],
):
    r"""The expansion holds for every law with a density, also an unbounded one:
    $d_n(x)=\varphi(x)+\sum_{\nu=1}^{k-2}q_\nu(x)n^{-\nu/2}+o(n^{-(k-2)/2})$ uniformly in $x$.

    The density $1/(2|x|\log^2|x|)$ on $|x|<1/e$ has all moments, but its peak at 0 is so high that no density of a sum
    is bounded, and the largest error is infinite for every $n$. The cited theorem requires that the density of some sum
    be bounded; with this condition the expansion holds.

    The sizes n and heights h are lists. The claim counts the pairs of a size and a height with an error certainly above
    10^h. If the error were finite from some n on, not all pairs of sufficiently long lists would be counted
    (`error_near_zero` says why the lists may be continued). The law is that density; TH-T2.41/every-n.
    """
    if law != PEAKED:
        raise ValueError("no lower bound is known for this law")
    above = 0
    for n in sizes:
        for h in heights:
            m = 1 + 10 * h // (4 * (n + 2) ** 2)  # depth / 4 >= h log(10)
            above += holds(error_near_zero(n, depth_for(n, m)), ">", to_ball(10) ** h) is True
    return above, "<", len(sizes) * len(heights)


@claim(
    "TH-T2.41/every-n",
    enumerated(
        n=pick([*range(1, 61), *NUMBERS[4:]], [*range(1, 400), *NUMBERS[4:]]), m=[1, 2, 10, 10**3, 10**6, 10**12]
    ),
    false={"share": 1},
    role="remark",
)
def error_stays(n: Count, m: Count, share=Fraction(1, 4)):
    r"""For the density $\frac1{2|x|\log^2|x|}$ on $|x|<\frac1e$ the error at $e^{-D}/(\sigma\sqrt n)$, $D=4m(n+2)^2$,
    exceeds $e^{\frac14\,D}$, for every $n$ and every $m$: the error is infinite for every $n$.

    In logarithms.
    """
    depth = depth_for(n, m)
    return log(error_near_zero(n, depth)), ">", to_ball(share) * depth


@quantity
def hermite_by_derivatives(m: int, x: Any) -> Any:
    """(-1)^m e^(x^2/2) d^m/dx^m e^(-x^2/2) = (-1)^m m! [h^m] e^(-xh - h^2/2), by the series of the exponential."""
    series: list[Any] = [Fraction(1)]
    for k in range(m):  # (k + 1) c_{k+1} = -x c_k - c_{k-1}
        series.append((-x * series[k] - (series[k - 1] if k else 0)) / (k + 1))
    return (-1) ** m * math.factorial(m) * series[m]


def hermite(m: Any, x: Any, base: Any = 2) -> Any:
    """m! sum_k (-1)^k x^(m - 2k) / (k! (m - 2k)! 2^k), the printed second form."""

    def term(k: Any) -> Any:
        return ratio(factorial(m) * (-1) ** k * x ** (m - 2 * k), factorial(k) * factorial(m - 2 * k) * base**k)

    return total(term, 0, m // 2)


def _times(number: Fraction, value: Any) -> Any:
    """A rational times a number or a symbol."""
    return number.numerator * value / number.denominator


@claim(
    "TH-T2.41/hermite",
    enumerated(
        m=range(13),
        x=[Fraction(n, 3) for n in range(-6, 7)],
        rational=True,
        routes=("derivatives by a series", "printed sum"),
    ),
    false={"base": 3},
)
def hermite_polynomials(m: Natural, x: Real, base=2):
    r"""$(-1)^me^{x^2/2}\frac{d^m}{dx^m}e^{-x^2/2}=m!\sum_k\frac{(-1)^kx^{m-2k}}{k!(m-2k)!2^k}$.

    Two polynomials of degree at most 12 that agree at 13 points are equal.
    """
    return hermite_by_derivatives(m, x), "==", hermite(m, x, base)


def partitions(order: int) -> list[tuple[int, ...]]:
    """All (k_1, ..., k_order) with k_1 + 2 k_2 + ... = order."""
    found: list[tuple[tuple[int, ...], int]] = [((), order)]  # the first counts, and what they leave of the order
    for m in range(1, order + 1):
        found = [((*counts, k), left - m * k) for counts, left in found for k in range(left // m + 1)]
    return [counts for counts, left in found if left == 0]


def hermite_weights(order: int, normalised: dict[int, Any], base: int = 1) -> list[tuple[int, Any]]:
    """By (2.31): degrees m and weights of H_m in q_order / phi, with lambda_j = gamma_j / sigma^j; m may repeat."""
    weights: list[tuple[int, Any]] = []
    for counts in partitions(order):
        term: Any = 1
        for m, count in enumerate(counts, start=1):
            weight = Fraction(1, math.factorial(count) * (base * math.factorial(m + 2)) ** count)
            term = _times(weight, term * normalised[m + 2] ** count)
        weights.append((order + 2 * sum(counts), term))
    return weights


def polynomial_part(order: int, x: Any, normalised: dict[int, Any]) -> Any:
    """q_order / phi by (2.31)."""
    return sum(weight * hermite(degree, x) for degree, weight in hermite_weights(order, normalised))


def exponential_weights(order: int, normalised: dict[int, Fraction]) -> dict[int, Fraction]:
    """The coefficients of h^order u^m, by m, in exp(sum_j lambda_{j+2} u^{j+2} h^j / (j+2)!), j >= 1.

    This is e^(-u^2/2) times the transform of the standardised sum at u = it, with h = n^(-1/2); u^m is that of H_m phi.
    """
    series: list[dict[int, Fraction]] = [{0: Fraction(1)}]
    for k in range(1, order + 1):  # k e_k = sum_j j a_j e_{k-j}
        weights: dict[int, Fraction] = {}
        for j in range(1, k + 1):
            for m, c in series[k - j].items():
                share = Fraction(j, k) * normalised[j + 2] / math.factorial(j + 2)
                weights[m + j + 2] = weights.get(m + j + 2, Fraction(0)) + share * c
        series.append(weights)
    return series[order]


CUMULANTS = [
    {j: Fraction(math.factorial(j - 1)) for j in range(3, 12)},  # exponential variables
    {j: Fraction((-1) ** j * j, j + 3) for j in range(3, 12)},
    {j: Fraction(int(j == 4)) for j in range(3, 12)},
]


@claim(
    "TH-T2.41/terms",
    enumerated(
        order=range(1, 9), law=[0, 1, 2], rational=True, routes=("sum over partitions", "series of the exponential")
    ),
    false={"base": 2},
    role="step",
)
def terms_of_the_expansion(order: Count, law: Annotated[Any, "all: every sequence of cumulants"], base=1):
    r"""$q_\nu$ of (2.31), with $(m+2)!$ under each cumulant, is the term of order $n^{-\nu/2}$ of the formal expansion
    of the sum's transform: the weights of all $H_m$ agree."""
    left = exponential_weights(order, CUMULANTS[law])
    for degree, weight in hermite_weights(order, CUMULANTS[law], base):
        left[degree] = left.get(degree, Fraction(0)) - weight
    return sum(abs(difference) for difference in left.values()), "==", 0


def second_order_error(n: int, x: Fraction, divisor: Any) -> float:
    """n (d_n(x) - phi(x) - q_1(x) / sqrt(n)) for sums of n exponential variables, by the Gamma density."""
    with working_precision(256):
        size, point = to_ball(n), to_ball(x)
        root = sqrt(size)
        place = size + root * point
        density = root * exp((size - 1) * log(place) - place - size.lgamma())
        normal = exp(-point * point / 2) / sqrt(2 * to_ball(1).pi())
        first = to_ball(2) * (point**3 - 3 * point) / to_ball(divisor)
        return float((size * (density - normal - normal * first / root)).mid())


@claim(
    "TH-T2.41/bounded-density",
    domain=Domain.of(
        law="all: every law with a density, mean 0 and a finite k-th absolute moment, and a sum of bounded density",
        n="integer [1, inf)",
        k="integer [3, inf)",
    ),
    constants={"divisor": 6},
    false=mutation("5", divisor=5),
    repairs="TH-T2.41/edge-unbounded-density",
)
def expansion_of_gamma_sums(check: Check) -> None:
    r"""$d_n(x)=\varphi(x)+\sum_{\nu=1}^{k-2}q_\nu(x)n^{-\nu/2}+o(n^{-(k-2)/2})$ uniformly in $x$, with $q_\nu$ of
    (2.31), if moreover the density of some sum of the variables is bounded. For exponential variables
    $n(d_n-\varphi-q_1n^{-1/2})\to q_2$, with $q_1=\varphi\lambda_3H_3/6$.

    The limit is q_2 by (2.31) with lambda_3 = 2, lambda_4 = 6.
    """
    sizes = [10**e for e in range(2, check.pick(9, 11))]
    for x in (Fraction(-1), Fraction(1, 2), Fraction(3)):
        limit = float(polynomial_part(2, x, {3: Fraction(2), 4: Fraction(6)}))
        check.trend(
            "tends_to",
            [(n, second_order_error(n, x, check.constants["divisor"])) for n in sizes],
            f"sums of exponential variables at x = {x}",
            check.domain.restrict(law="all: the exponential law", n=sizes, k=[4]),
            limit=limit * math.exp(-(float(x) ** 2) / 2) / math.sqrt(2 * math.pi),
            tolerance=0.01,
        )
