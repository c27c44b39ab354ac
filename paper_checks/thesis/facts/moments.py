"""What Appendix D needs of the moments of a mean: those of standardised laws, and polynomials in the mean."""

from fractions import Fraction
from itertools import product
from typing import Annotated, Any

from banditproof.claims.language import *

LISTED = "that a list of numbers of records stands for the limit: the repair shows the limit"
BITS = {"n": [5, 20, 200], "mu": [Fraction(1, 5), Fraction(1, 2)], "target": [0, 1]}
TwentyOrMore = Annotated[Any, "integer [20, inf)"]

# Cumulants of orders 3 to 8 of standardised laws: exponential, uniform, Laplace and fair signs.
LAWS: dict[str, list[Fraction]] = {
    "exponential": [Fraction(c) for c in (2, 6, 24, 120, 720, 5040)],
    "uniform": [Fraction(0), Fraction(-6, 5), Fraction(0), Fraction(48, 7), Fraction(0), Fraction(-432, 5)],
    "Laplace": [Fraction(0), Fraction(3), Fraction(0), Fraction(30), Fraction(0), Fraction(630)],
    "signs": [Fraction(c) for c in (0, -2, 0, 16, 0, -272)],
}
EachLaw = Annotated[Any, "all: every standardised law with moments of order 8"]
Polynomial = list[Any]  # coefficients, from that of order 0


def moments_of_the_mean(k: int, cumulants: Any, order: int) -> list[Any]:
    """E[(sqrt(k) mean)^j], j <= order, as balls, of k standardised variables with the cumulants of orders 3, 4, ...

    The cumulants of sqrt(k) times the mean are those of the variables times k^(1 - r/2); moments follow from cumulants.
    """
    scaled = [to_ball(0), to_ball(0), to_ball(1)]
    scaled += [to_ball(c) * sqrt(to_ball(k)) ** (2 - r) for r, c in enumerate(cumulants, start=3)]
    moments = [to_ball(1)]
    for m in range(1, order + 1):
        moments.append(sum((comb(m - 1, r - 1) * scaled[r] * moments[m - r] for r in range(1, m + 1)), to_ball(0)))
    return moments


def product_of(left: Polynomial, right: Polynomial) -> Polynomial:
    coefficients = [to_ball(0)] * (len(left) + len(right) - 1)
    for (i, a), (j, b) in product(enumerate(left), enumerate(right)):
        coefficients[i + j] = coefficients[i + j] + a * b
    return coefficients


def sum_of(*parts: tuple[Any, Polynomial]) -> Polynomial:
    coefficients = [to_ball(0)] * max(len(part) for _, part in parts)
    for factor, part in parts:
        for i, a in enumerate(part):
            coefficients[i] = coefficients[i] + factor * a
    return coefficients


def first_and_third(k: int, zeta: Any, third: Any) -> tuple[Polynomial, Polynomial]:
    """((delta_out)^2 - (delta_in)^2)/2 and lambda_3 (mu - z)/(k sigma) R, as polynomials in delta_out."""
    size, zeta = to_ball(k), to_ball(zeta)
    moved = [-zeta / sqrt(size - 1), sqrt(size / (size - 1))]  # delta_in
    line = [to_ball(0), to_ball(1)]  # delta_out
    whole, inner = product_of(line, line), product_of(moved, moved)
    rest = sum_of((1, whole), (1, product_of(line, moved)), (1, inner), (-3, [to_ball(1)]))
    half = to_ball(Fraction(1, 2))
    return sum_of((half, whole), (-half, inner)), sum_of((-to_ball(third) * zeta / size, rest))


def average(k: int, law: str, value: Polynomial, zeta: Any = None) -> Any:
    """E of a polynomial in delta_out; with the target at zeta among the k records if it is given."""
    drawn = k if zeta is None else k - 1
    raw = moments_of_the_mean(drawn, LAWS[law], len(value) - 1)
    if zeta is None:
        return sum((c * raw[i] for i, c in enumerate(value)), to_ball(0))
    scale, shift = sqrt(to_ball(Fraction(k - 1, k))), to_ball(zeta) / sqrt(to_ball(k))
    moved = [sum(comb(i, j) * scale**j * raw[j] * shift ** (i - j) for j in range(i + 1)) for i in range(len(value))]
    return sum((c * moved[i] for i, c in enumerate(value)), to_ball(0))


@quantity
def moment_of_the_sub_sampled_term(order: int, target: int, k: int, law: str, zeta: Any, ratio: Any) -> Any:
    """E_0[W_{n,j}^order], or E_1 where the target is 1, in which it is among the k_n rows with probability rho."""
    squares, third = first_and_third(k, zeta, LAWS[law][0])
    rho, half = to_ball(ratio), to_ball(Fraction(1, 2))
    value = sum_of((rho, squares), (rho / (2 * k), [to_ball(1)]), (rho, third))
    value = sum_of((1, value), (rho * (1 - rho) * half, product_of(squares, squares)))
    powered = [to_ball(1)]
    for _ in range(order):
        powered = product_of(powered, value)
    without = average(k, law, powered)
    return rho * average(k, law, powered, zeta) + (1 - rho) * without if target else without


def expectation(n: int, mu: Any, target: int | None, value: Any) -> Any:
    """E of value(mean of n bits with mean mu); with a target it replaces one of them."""
    drawn, ones = (n, 0) if target is None else (n - 1, target)
    return total(lambda s: comb(drawn, s) * mu**s * (1 - mu) ** (drawn - s) * value(ratio(s + ones, n)), 0, drawn)


def variance(n: int, mu: Any, target: int | None, value: Any) -> Any:
    return expectation(n, mu, target, lambda x: value(x) ** 2) - expectation(n, mu, target, value) ** 2


def printed_score(mu: Any, target: int, n: int) -> Any:
    """X_n of Remark D.1 for one column of bits, as a function of its mean."""
    return lambda x: (target - mu) * (x - mu) / (mu * (1 - mu)) - (target - mu) ** 2 / (2 * n * mu * (1 - mu))


def exponential_ratio(n: int, delta: Any, target: Any) -> tuple[Any, Any, Any]:
    """log d_{n-1}(delta_in)/d_n(delta) for exponential records, (delta^2 - delta_in^2)/2, and R; delta is delta_out.

    The sum s = n + sqrt(n) delta has a Gamma density, and the sum without the target is s - z.
    """
    size, whole = to_ball(n), n + sqrt(to_ball(n)) * delta
    apart = log((size - 1) / size) / 2 + log(size - 1) + (n - 2) * log(whole - target) - (n - 1) * log(whole) + target
    inner = (sqrt(size) * delta - (target - 1)) / sqrt(size - 1)
    return apart, (delta**2 - inner**2) / 2, delta**2 + delta * inner + inner**2 - 3


def share_of_the_third_cumulant(n: int, delta: Any, target: Any) -> Any:
    """What stands in front of lambda_3 (mu - z)/(n sigma) R once the squares are taken off, for exponential records."""
    ratio, squares, rest = exponential_ratio(n, delta, target)
    return n * (ratio - squares) / (2 * (1 - target) * rest)


def left_of_the_expansion(n: int, delta: Any, target: Any, share: Any) -> Any:
    """n times what Lemma D.2 leaves over, with `share` in front of its third cumulant (2 for exponential records)."""
    ratio, squares, rest = exponential_ratio(n, delta, target)
    return n * abs(ratio - squares - share * 2 * (1 - target) * rest / n)


def first_term(mu: Any, target: int, n: int) -> Any:
    """((delta_out)^2 - (delta_in)^2)/2 of a column of bits as a function of its mean."""

    def value(x: Any) -> Any:
        moved = x - mu + (mu - target) / n
        return (n * (x - mu) ** 2 - ratio(n * n, n - 1) * moved**2) / (2 * mu * (1 - mu))

    return value
