"""Ways to show a statement that are more than its rules: each proves a true statement, and not its false neighbour."""

import itertools
import math
import random
import subprocess
import sys
from fractions import Fraction

import pytest

from banditproof import judge
from banditproof.verify.judge.closed_forms import by_neighbours, by_tail
from banditproof.verify.judge.expansions import fails_near_an_end
from banditproof.verify.judge.forms import by_cauchy, by_largest, smaller_of
from banditproof.verify.judge.from_far import by_far_end
from banditproof.verify.judge.logarithms import by_bounds_of_logarithms
from banditproof.verify.judge.ordered import by_order
from banditproof.verify.judge.points import Asked, failing
from banditproof.verify.judge.printing import plain_sentence
from banditproof.verify.judge.products import by_factors_of_products, by_sum_alone, with_exponentials
from banditproof.verify.judge.proofs import proved
from banditproof.verify.judge.reading import read
from banditproof.verify.judge.receipts import receipt
from banditproof.verify.judge.residues import by_rounding, by_whole_numbers

GROUP = "for eps > 0, delta in (0, 1), integer k >= 1, (eps, delta)-DP implies"
CLASSICAL = "Gaussian noise of deviation sqrt(2 log(1.25/delta))/eps on sensitivity 1 is (eps, delta)-DP for"
PAIRS = {  # true, and false by one number, sign or end
    "equal at a place inside, and close to it at an end": (
        "exp(x) <= 1 + x + x^2 for x <= 179/100",
        "exp(x) <= 1 + x + x^2 for x <= 9/5",
    ),
    "close inside, and infinite at both ends": (
        "kl(d, 1 - d) >= log(1/(2.4 d)) for d in (0, 1)",
        "kl(d, 1 - d) >= log(1/(2.3 d)) for d in (0, 1)",
    ),
    "an entropy by tangents": (
        "-p log(p) - q log(q) - r log(r) <= log(3) when p + q + r = 1 for p >= 0, q >= 0, r >= 0",
        "-p log(p) - q log(q) - r log(r) <= 109/100 when p + q + r = 1 for p >= 0, q >= 0, r >= 0",
    ),
    "weighted roots by tangents": (
        "sqrt(1 + p) + sqrt(1 + q) + sqrt(1 + r) <= sqrt(12) when p + q + r = 1 for p >= 0, q >= 0, r >= 0",
        "sqrt(1 + p) + sqrt(1 + q) + sqrt(1 + r) <= sqrt(119/10) when p + q + r = 1 for p >= 0, q >= 0, r >= 0",
    ),
    "roots by tangents where the numbers are not equal": (
        "sqrt(p) + sqrt(q) <= sqrt(3/2) when p + 2 q = 1 for p >= 0, q >= 0",
        "sqrt(p) + sqrt(q) <= 61/50 when p + 2 q = 1 for p >= 0, q >= 0",
    ),
    "sides that touch along a line (Hoeffding's lemma)": (
        "p exp(t (1 - p)) + (1 - p) exp(-t p) <= exp(t^2/8) for p in [0, 1], t in (-inf, inf)",
        "p exp(t (1 - p)) + (1 - p) exp(-t p) <= exp(t^2/(801/100)) for p in [0, 1], t in (-inf, inf)",
    ),
    "sides that touch along a curve": (
        "x y <= exp(x - 1) + y log(y) for x in (-inf, inf), y > 0",
        "x y <= exp(x - 1) + 99/100 y log(y) for x in (-inf, inf), y > 0",
    ),
    "a quadratic in one of its letters": (
        "2 x y <= x^2/a + a y^2 for a > 0, x >= 0, y >= 0",
        "2 x y <= x^2/a + 99/100 a y^2 for a > 0, x >= 0, y >= 0",
    ),
    "roots on both sides": (
        "(a + c + sqrt((a - c)^2 + 4 b^2))/2 <= sqrt(a^2 + 2 b^2 + c^2) for real a, b, c",
        "(a + c + sqrt((a - c)^2 + 4 b^2))/2 <= sqrt(a^2 + 199/100 b^2 + c^2) for real a, b, c",
    ),
    "a root on the larger side": (
        "sqrt((a - d)^2/4 + b^2) + (a + d)/2 >= max(a, d) for real a, b, d",
        "sqrt((a - d)^2/4 - b^2/100 + b^2/200) + (a + d)/2 >= max(a, d) for a in [0, 1], b in [0, 1], d in [3, 4]",
    ),
    "a logarithm below its tangent": (
        "x >= a log(x) + b when x >= 4 a log(2 a) + 2 b for a >= 1, b > 0, x > 0",
        "x >= a log(x) when x >= a log(2 a) for a >= 1, x > 0",
    ),
    "one summand of the larger side": (
        "exp(x) <= x + exp(x^2) for x in (-inf, inf)",
        "exp(x) <= x - 1/1000 + exp(x^2) for x in (-inf, inf)",
    ),
    "an infimum against the smaller of two numbers": (
        "inf(eps abs(x - z) + kl(z, y), z in [0, 1]) <= min(eps abs(x - y), kl(x, y)) for eps >= 0, x in [0, 1], "
        "y in (0, 1)",
        "inf(eps abs(x - z) + kl(z, y), z in [0, 1]) >= min(eps abs(x - y), kl(x, y)) for eps >= 0, x in [0, 1], "
        "y in (0, 1)",
    ),
    "a product by its neighbours": (
        "prod(1 + 2/k, k=1..n) = (n + 1) (n + 2)/2 for integer n >= 1",
        "prod(1 + 2/k, k=1..n) = (n + 1) (n + 3)/2 - 1 for integer n >= 1",
    ),
    "a product up to a count below another one": (
        "prod(1 - k/n, k=1..m) <= exp(-m (m + 1)/(2 n)) for integer n >= 2, integer m in [1, n - 1]",
        "prod(1 - k/n, k=1..m) <= exp(-m (m + 2)/(2 n)) for integer n >= 2, integer m in [1, n - 1]",
    ),
    "a product with a factor that is not positive": (
        "prod(1 - 1/k^2, k=2..n) = (n + 1)/(2 n) for integer n >= 2",
        "prod(k - 5, k=1..n) >= -24 for integer n >= 1",
    ),
    "a factorial from some count on": ("n! <= (n/2)^n for all n >= n_0", "n! <= (n/3)^n for all n >= n_0"),
    "a first count that is far out": (
        "log(n)^2 <= sqrt(n) for all n >= n_0",
        "(log(n))^(log(n)) <= n^5 for all n >= n_0",
    ),
    "the smaller of two numbers": (
        "min(n d, log(n)/d) <= sqrt(n log(n)) for integer n >= 1, d > 0",
        "min(n d, log(n)/d) <= 99/100 sqrt(n log(n)) for integer n >= 1, d > 0",
    ),
    "a lemma of the logarithm": (
        "log(1 + q (exp(x) - 1)) <= 2 q x for q in [0, 1], x in [0, 1]",
        "log(1 + q (exp(x) - 1)) <= 8/5 q x for q in [0, 1], x in [0, 1]",
    ),
    "a condition that bounds a count": (
        "2 exp(-2 n t^2) <= delta when n >= log(2/delta)/(2 t^2) for integer n >= 1, t in (0, 1], delta in (0, 1)",
        "2 exp(-2 n t^2) <= delta when n >= log(1/delta)/(2 t^2) for integer n >= 1, t in (0, 1], delta in (0, 1)",
    ),
    "a condition that bounds a number from above": (
        "exp(x) - 1 <= 2 y when x <= y for x in [0, 1], y in [0, 1]",
        "exp(x) - 1 <= 8/5 y when x <= y for x in [0, 1], y in [0, 1]",
    ),
    "powers by their logarithms": (
        "x^y >= y^x for x in [e, inf), y in [x, inf)",
        "x^y >= y^x for x in [27/10, inf), y in [x, inf)",
    ),
    "powers by their logarithms, where an exponent may be 0": (
        "x^a y^(1 - a) <= a x + (1 - a) y for x > 0, y > 0, a in [0, 1]",
        "x^a y^(1 - a) <= a x + (1 - a) y - (a - 1/2)^2/1000 for x > 0, y > 0, a in [0, 1]",
    ),
    "the tail of a sum": (
        "sum(1/k^2, k=1..n) <= 5/3 - 1/(n + 1) for integer n >= 1",
        "sum(1/k^2, k=1..n) <= 8/5 + 1/(n + 1) for integer n >= 1",
    ),
    "the tail of a sum of roots": (
        "sum(1/(k sqrt(k)), k=1..n) <= 3 - 2/sqrt(n + 1) for integer n >= 1",
        "sum(1/(k sqrt(k)), k=1..n) <= 5/2 for integer n >= 1",
    ),
    "a limit by the distance from infinity": (
        "n (3^(1/n) - 1) -> log(3) as n -> inf",
        "n (3^(1/n) - 1) -> log(4) as n -> inf",
    ),
    "a limit with binomials": (
        "binom(2 n, n) sqrt(n)/4^n -> 1/sqrt(pi) as n -> inf",
        "binom(2 n, n) sqrt(n)/4^n -> 1/sqrt(2 pi) as n -> inf",
    ),
    "an order at a place": ("-log(1 - x) - x = O(x^2) as x -> 0+", "sqrt(1 + x) - 1 = O(x^2) as x -> 0+"),
    "an order from both sides": ("log(1 + x) - x = O(x^2) as x -> 0", "log(1 + x) = O(x^2) as x -> 0"),
    "an order by a logarithm": ("n = o(n log(n)) as n -> inf", "n log(n) = O(n) as n -> inf"),
    "an order of a factorial": (
        "log(n!) - n log(n) + n = O(log(n)) as n -> inf",
        "log(n!) - n log(n) = O(log(n)) as n -> inf",
    ),
    "a constant that fails far away": (
        "there is c > 0 with log(1 + x) >= c x for x in [0, 1]",
        "there is c > 0 with log(1 + x) >= c x for x >= 0",
    ),
    "a ceiling of a number": ("ceil(x) <= 2 x for x >= 1/2", "ceil(x) <= 2 x for x >= 49/100"),
    "floors at several places": (
        "floor(x) + floor(x + 1/2) = floor(2 x) for x in R",
        "floor(x) + floor(x + 1/3) = floor(2 x) for x in R",
    ),
    "a floor above an end that is none of its range": (
        "floor(x/2) >= x/6 for x >= 2",
        "floor(x/2) >= 2 x/7 for x >= 2",
    ),
    "a power above a count": (
        "2^ceil(log2(n)) <= 2 n - 2 for integer n >= 2",
        "2^ceil(log2(n)) <= 2 n - 3 for integer n >= 2",
    ),
    "a power below a count": (
        "2^floor(log2(n)) >= (n + 1)/2 for integer n >= 1",
        "2^floor(log2(n)) >= (n + 2)/2 for integer n >= 2",
    ),
    "a sum both of whose ends move": (
        "sum(1/k, k=n+1..2 n) <= log(2) for integer n >= 1",
        "sum(1/k, k=n+1..2 n) <= log(2) - 1/(4 n) for integer n >= 1",
    ),
    "a product whose bound is too weak for a step": (
        "prod(1 - 1/(2 k), k=1..n) <= 1/sqrt(n) for integer n >= 1",
        "prod(1 - 1/(2 k), k=1..n) <= 1/sqrt(4 n) for integer n >= 1",
    ),
    "Pascal's rule": (
        "binom(n, k) = binom(n - 1, k - 1) + binom(n - 1, k) when k <= n - 1 for integer n >= 2, integer k >= 1",
        "binom(n, k) = binom(n - 1, k - 1) + binom(n - 2, k) when k <= n - 2 for integer n >= 3, integer k >= 1",
    ),
    "the symmetry of binomials": (
        "binom(n, k) = binom(n, n - k) when k <= n for integer n >= 0, integer k >= 0",
        "binom(n, k) = binom(n, n + 1 - k) when k <= n for integer n >= 0, integer k >= 1",
    ),
    "an infimum that is reached at an end that is no value": (
        "inf(exp(t^2/2 - t x), t > 0) = exp(-x^2/2) for x >= 0",
        "inf(exp(t^2/2 - t x), t > 0) = exp(-x^2/2) for x >= -1/2",
    ),
    "groups under approximate privacy": (
        f"{GROUP} (k eps, delta (exp(k eps) - 1)/(exp(eps) - 1))-DP for groups of size k",
        f"{GROUP} (k eps, k delta)-DP for groups of size k",
    ),
    "groups under approximate privacy by the largest summand": (
        f"{GROUP} (k eps, k exp((k - 1) eps) delta)-DP for groups of size k",
        f"{GROUP} (k eps, exp((k - 1) eps) delta)-DP for groups of size k",
    ),
    "the classical calibration of Gaussian noise": (
        f"{CLASSICAL} eps in (0, 1], delta in (0, 1)",
        f"{CLASSICAL} eps in (0, 4], delta in (0, 1)",
    ),
    "a gamma function by steps of 1": (
        "gamma(x + 1/2)/gamma(x) <= sqrt(x) for x > 0",
        "gamma(x + 1/2)/gamma(x) <= sqrt(x - 1/5) for x > 1/5",
    ),
    "a gamma function with another variable, where sides are equal at its ends": (
        "gamma(x + s) <= x^s gamma(x) for x > 0, s in [0, 1]",
        "gamma(x + s) <= x^s gamma(x) for x > 0, s in [0, 11/10]",
    ),
    "a gamma function by the interval to which steps lead": (
        "gamma(x) >= 22/25 for x > 0",
        "gamma(x) >= 443/500 for x > 0",
    ),
    "gamma functions of two numbers by their distance": (
        "log(gamma(x)) is convex in x for x > 0",
        "log(gamma(x)) - x^2/100 is convex in x for x > 0",
    ),
    "Cauchy and Schwarz for the entries of a matrix": (
        "a x^2 + 2 b x y + c y^2 <= sqrt(a^2 + 2 b^2 + c^2) (x^2 + y^2) for a, b, c, x, y in R",
        "a x^2 + 2 b x y + c y^2 <= sqrt(a^2 + b^2 + c^2) (x^2 + y^2) for a, b, c, x, y in R",
    ),
    "touching sides by the second derivative": (
        "-p log(p) - (1 - p) log(1 - p) <= log(2) - 2 (p - 1/2)^2 for p in (0, 1)",
        "-p log(p) - (1 - p) log(1 - p) <= log(2) - 2.1 (p - 1/2)^2 for p in (0, 1)",
    ),
    "touching sides by the fourth derivative": (
        "cosh(x) <= exp(x^2/2) for x in R",
        "cosh(x) <= exp(x^2/2) - x^4/12 for x in R",
    ),
    "a sum that fails beyond all counts that can be summed": (
        "sum(1/k, k=1..n) <= 1 + log(n) for integer n >= 1",
        "sum(1/k, k=1..n) <= 10 + 0.9 log(n) for integer n >= 1",
    ),
    "a logarithm of a logarithm": ("log(log(x)) <= log(x) - 1 for x >= e", "log(log(x)) <= 10 for x >= e"),
    "a constant that fails along a path": (
        "there is c > 0 with kl(p, q) >= c (p - q)^2 for p, q in (0, 1)",
        "there is c > 0 with kl(p, q) <= c abs(p - q) for p, q in (0, 1)",
    ),
    "a factor that is the distance of two numbers": (
        "(p - q) log(p (1 - q)/(q (1 - p))) >= 4 (p - q)^2 for p, q in (0, 1)",
        "(p - q) log(p (1 - q)/(q (1 - p))) >= 4.01 (p - q)^2 for p, q in (0, 1)",
    ),
    "the same distance in a product of two differences": (
        "(x - y) (log(x) - log(y)) >= (x - y)^2/3 for x, y in (0, 3]",
        "(x - y) (log(x) - log(y)) >= (x - y)^2/2.9 for x, y in (0, 3]",
    ),
    "a Lipschitz constant": (
        "abs(sqrt(x) - sqrt(y)) <= abs(x - y)/2 for x, y >= 1",
        "abs(sqrt(x) - sqrt(y)) <= 0.499 abs(x - y) for x, y >= 1",
    ),
    "sides that are equal where two numbers are": (
        "(a + b)^p <= 2^(p - 1) (a^p + b^p) for p >= 1, a >= 0, b >= 0",
        "(a + b)^p <= 2^(p - 1) (a^p + b^p) for p >= 9/10, a >= 0, b >= 0",
    ),
    "the ceiling of a quotient of counts": (
        "ceil(n/k) <= (n + k - 1)/k for integer n >= 1, integer k >= 1",
        "ceil(n/k) <= (n + k - 2)/k + 1/(n + k) for integer n >= 1, integer k >= 1",
    ),
    "a ceiling that is a floor of something else": (
        "ceil(n/k) = floor((n - 1)/k) + 1 for integer n >= 1, integer k >= 1",
        "ceil(n/k) = floor((n - 2)/k) + 1 for integer n >= 1, integer k >= 1",
    ),
    "the floor of a sum of two numbers": (
        "floor(x) + floor(y) <= floor(x + y) for x in R, y in R",
        "floor(x) + floor(y) + 1 <= floor(x + y + 1/2) for x in R, y in R",
    ),
    "the floor of a product": (
        "floor(x) floor(y) <= floor(x y) for x >= 0, y >= 0",
        "floor(x) floor(y) <= floor(x y) for x >= -1, y >= 0",
    ),
    "the floor of a multiple": (
        "floor(n x) <= n floor(x) + n - 1 for integer n >= 1, x in R",
        "floor(n x) <= n floor(x) + n - 2 for integer n >= 2, x in R",
    ),
    "a floor inside of a floor": (
        "floor(floor(x)/n) = floor(x/n) for x >= 0, integer n >= 1",
        "floor(ceil(x)/n) = floor(x/n) for x >= 0, integer n >= 1",
    ),
    "a power by an exponential, and two numbers by their product": (
        "1 - (1 - p)^n >= (1 - 1/e) min(1, n p) for p in [0, 1], integer n >= 1",
        "1 - (1 - p)^n >= 0.633 min(1, n p) for p in [0, 1], integer n >= 1",
    ),
    "a product with a factor that may be 0": (
        "prod(1 - k/n, k=1..m) <= exp(-m (m + 1)/(2 n)) for integer n >= 1, integer m in [1, n]",
        "prod(1 - k/n, k=1..m) <= exp(-m (m + 2)/(2 n)) for integer n >= 1, integer m in [1, n]",
    ),
    "a product by the logarithms of its factors": (
        "prod(1 + 1/k^2, k=1..n) <= 4 for integer n >= 1",
        "prod(1 + 1/k^2, k=1..n) <= 3.6 for integer n >= 1",
    ),
    "a product by the sum of what its factors lack": (
        "prod(1 - k/n^2, k=1..m) >= 1 - m (m + 1)/(2 n^2) for integer n >= 1, integer m in [1, n]",
        "prod(1 - k/n^2, k=1..m) >= 1 - m (m + 1)/(2.1 n^2) for integer n >= 2, integer m in [1, n]",
    ),
    "a product whose first factors are written out": (
        "prod(1 - 1/2^k, k=1..n) >= 1/4 for integer n >= 1",
        "prod(1 - 1/2^k, k=1..n) >= 2889/10000 for integer n >= 1",
    ),
    "a sum with a factor that depends on the count": (
        "2 (n + 1) sum(1/k, k=1..n) - 4 n <= 2 n log(n) for integer n >= 1",
        "2 (n + 1) sum(1/k, k=1..n) - 3.99 n <= 2 n log(n) for integer n >= 1",
    ),
    "an infimum of two entropies, at a normalised geometric mean": (
        "inf(kl(z, p) + kl(z, q), z in [0, 1]) = -2 log(sqrt(p q) + sqrt((1 - p) (1 - q))) for p, q in (0, 1)",
        "inf(kl(z, p) + kl(z, q), z in [0, 1]) = -log(p q + (1 - p) (1 - q)) for p, q in (0, 1)",
    ),
    "an infimum of two entropies with weights": (
        "inf(a kl(z, p) + (1 - a) kl(z, q), z in [0, 1]) = -log(p^a q^(1 - a) + (1 - p)^a (1 - q)^(1 - a)) "
        "for a in (0, 1), p, q in (0, 1)",
        "inf(2 kl(z, p) + kl(z, q), z in [0, 1]) = -2 log((p^2 q)^(1/3) + ((1 - p)^2 (1 - q))^(1/3)) "
        "for p, q in (0, 1)",
    ),
    "an infimum of two entropies, at the mean": (
        "inf(kl(p, z) + kl(q, z), z in (0, 1)) = kl(p, (p + q)/2) + kl(q, (p + q)/2) for p, q in (0, 1)",
        "inf(kl(p, z) + kl(q, z), z in (0, 1)) <= (p - q)^2 for p, q in (0, 1)",
    ),
    "the distance of Hellinger below an entropy": (
        "1 - sqrt(p q) - sqrt((1 - p) (1 - q)) <= kl(p, q)/2 for p in [0, 1], q in (0, 1)",
        "1 - sqrt(p q) - sqrt((1 - p) (1 - q)) <= kl(p, q)/4.1 for p in [0, 1], q in (0, 1)",
    ),
    "a logarithm between roots": (
        "log(1 + 1/n) <= 1/sqrt(n (n + 1)) for integer n >= 1",
        "log(1 + 1/n) <= 1/sqrt(n (n + 1)) - 1/(20 n^2) for integer n >= 1",
    ),
    "a logarithm of a quotient, above and below": (
        "a log(a/b) + b log(b/a) >= 2 (sqrt(a) - sqrt(b))^2 for a > 0, b > 0",
        "a log(a/b) + b log(b/a) >= 4.01 (sqrt(a) - sqrt(b))^2 for a > 0, b > 0",
    ),
    "the largest of numbers below a logarithm": (
        "max(x, y, z) <= log(exp(x) + exp(y) + exp(z)) for x, y, z in R",
        "max(x, y, z) <= log(exp(x) + exp(y)) + z^2 + 1/10 for x, y, z in R",
    ),
    "the largest of numbers above a logarithm": (
        "log(exp(x) + exp(y) + exp(z)) <= max(x, y, z) + log(3) for x, y, z in R",
        "log(exp(x) + exp(y) + exp(z)) <= max(x, y, z) + 1.09 for x, y, z in R",
    ),
    "a maximum over a range": ("max(x (1 - x), x in [0, 1]) = 1/4", "max(x (1 - x), x in [0, 1]) = 1/5"),
}


@pytest.mark.parametrize("bound, ends", [("x", "(0, 1/2)"), ("(1 - x)", "(1/2, 1)")])
def test_a_count_follows_no_number_that_is_not_whole(bound, ends):
    """The statements are true, and would fail where n could be x."""
    answer = judge(f"(n - x)^2 >= {bound}^2 for x in {ends}, integer n in (-inf, inf)", seconds=20)
    assert answer.verdict in ("open", "proved")


@pytest.mark.nightly(
    "the tail of a sum of roots",
    "powers by their logarithms",
    "equal at a place inside, and close to it at an end",
    "sides that are equal where two numbers are",
    "a power by an exponential, and two numbers by their product",
    "the distance of Hellinger below an entropy",
    "a logarithm between roots",
    "an infimum of two entropies, at a normalised geometric mean",
    "an infimum of two entropies with weights",
    "the largest of numbers below a logarithm",
)
@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", PAIRS)
def test_a_way_proves_what_is_true(kind):
    assert judge(PAIRS[kind][0]).verdict.startswith("proved")


@pytest.mark.nightly("powers by their logarithms")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", PAIRS)
def test_a_way_does_not_prove_what_is_false(kind):
    assert not judge(PAIRS[kind][1], seconds=6).verdict.startswith("proved")


def test_group_privacy_is_attained_by_a_bit_that_keeps_its_promise():
    """Of what refutes: neighbours that are private, and the first against the last one."""
    for epsilon, delta, k in ((1, 0.01, 2), (0.5, 0.02, 3), (0.1, 0.05, 4)):
        odds, chances = math.exp(epsilon), [0.0]
        for _ in range(k):
            chances.append(odds * chances[-1] + delta)
        for p, q in itertools.pairwise(chances):
            for a, b in ((p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p)):
                assert a <= odds * b + delta + 1e-12
        assert chances[-1] == pytest.approx(delta * (odds**k - 1) / (odds - 1))


def test_roundings_are_told_right_on_every_piece():
    """At random numbers: the claims of the pieces together say what the statement says."""
    generator = random.Random(3)
    for _ in range(60):
        a, b, c = (Fraction(generator.randint(-6, 6), generator.choice((1, 2, 3))) for _ in range(3))
        words = generator.choice(("floor", "ceil")), generator.choice(("floor", "ceil"))
        low = Fraction(generator.randint(-4, 4), 3)
        text = f"{words[0]}({a or 1}*x + ({b})) + {words[1]}(x/2) <= ({c})*x + 2 for x >= {low}"
        reading = read(text)
        asked = Asked(reading.sentence, dict(reading.ranges))
        if (found := by_rounding(asked)) is None:
            continue
        if all(asked.fails({"x": low + Fraction(k, 12)}) is None for k in range(120)):
            continue
        points = [{"whole": Fraction(n), "rest": Fraction(k, 12)} for n in range(-9, 10) for k in range(72)]
        told = (claim.fails({n: p[n] for n in claim.ranges}) for claim in found[0] for p in points)
        assert any(failure is not None for failure in told), text


@pytest.mark.parametrize(
    "statement",
    [
        "log(1 + u) <= u for u in [-1, 1]",
        "u - log(1 + u) >= 0 for u in [-1, 1]",
        "exp(log(u)) >= 1 + log(u) for u in [0, 1]",
        "min(a, b) <= c when a b <= c^2 for a in [-2, 2], b in [-2, 2], c in [-2, 2]",
        "sqrt(x) <= 2 when x <= y for x in [-1, 4], y in [0, 4]",
    ],
)
def test_a_way_keeps_the_places_without_a_value(statement):
    assert judge(statement).verdict.startswith("refuted")


def test_a_product_that_begins_later_than_its_count_has_no_ratio_of_neighbours():
    """Up to n = 4 the product is empty, so that the next one is no factor more; points would not be asked here."""
    reading = read("prod(1/2, k=5..n) <= (1/2)^(n - 1) for integer n >= 1")
    assert list(by_neighbours(Asked(reading.sentence, dict(reading.ranges)))) == []
    reading = read("prod(1/2, k=5..n) <= (1/2)^(n - 4) for integer n >= 4")
    assert len(list(by_neighbours(Asked(reading.sentence, dict(reading.ranges))))) == 1


@pytest.mark.parametrize("low", ["0", "1"])
def test_steps_of_1_ask_that_every_gamma_function_has_a_positive_argument(low):
    """gamma(z + 1) = z gamma(z) holds below 0 too, where logarithms of the sides mean nothing."""
    reading = read(f"gamma(x - 1/2)/gamma(x - 1) <= sqrt(x) for x > {low}")
    ways = list(by_far_end(Asked(reading.sentence, dict(reading.ranges))))
    assert bool(ways) == (low == "1")
    asked_for = {plain_sentence(c.comparison) for claims, _ in ways for c in claims if isinstance(c, Asked)}
    assert not ways or asked_for >= {"x - 1/2 > 0", "x - 1 > 0"}


def test_a_block_of_variables_is_no_block_where_coefficients_may_be_negative_or_have_no_value():
    for statement in (
        "a x + b y <= sqrt(a^2 - b^2) sqrt(x^2 - y^2) for a, b, x, y in R",
        "a x + b y/y <= sqrt(a^2 + b^2) sqrt(x^2 + 1) for a, b, x, y in R",
        "a x + b y <= sqrt(a^2 + b^2) (x + y) when x + y >= 2 for a, b, x, y in R",
    ):
        reading = read(statement)
        assert by_cauchy(Asked(reading.sentence, dict(reading.ranges), reading.conditions)) is None, statement
    reading = read("a x + b y <= sqrt(a^2 + b^2) (x + y) for a, b, x, y in R")
    claims, *_ = by_cauchy(Asked(reading.sentence, dict(reading.ranges)))
    assert any(claim.fails({"x": Fraction(1), "y": Fraction(-1)}) is not None for claim in claims)


FALSE = (  # by little, at one place, or without a value at one
    "(p - q) log(p/q) >= (p - q)^2 + abs(p - q)/10^6 for p, q in (0, 1)",
    "(x - y) (x - y - 1/1000) >= 0 for x, y in [0, 1]",
    "abs(x^2 - y^2) <= 1.999 abs(x - y) for x, y in [0, 1]",
    "x y (x - y)^2 >= 10^(-9) (x - y)^2 for x, y in [0, 1]",
    "floor(x) + floor(y) + 1 <= floor(x + y) + (1 - 1/1000) for x in R, y in R",
    "ceil(n/k) <= (n + k - 1)/k - 1/(1000 k) for integer n >= 1, integer k >= 1",
    "floor(n/k) = (n - k + 1)/k for integer n >= 1, integer k >= 1",
    "max(x, y) <= (x + y)/2 + 0.499 abs(x - y) for x, y in R",
    "min(x, y) >= (x + y)/2 - 0.499 abs(x - y) for x, y in R",
    "prod(k - 3, k=1..n) <= exp(n (n + 1)/2 - 4 n) for integer n >= 1",
    "prod(1 - x/k, k=1..n) >= 1 - x sum(1/k, k=1..n) for integer n >= 1, x in [0, 5]",
    "n sum(1/k, k=1..n) <= n log(n) + n - 1/100 for integer n >= 1",
)
NOT_PROPOSED = (  # what a way would ask for is seen to fail
    "exp(x - y) + exp(y - x) >= 2 + 1.0001 (x - y)^2 for x, y in R",
    "(1 + v)^n <= exp(n v) for integer n >= 1, v >= -3",
    "(1 - p)^n <= exp(-1.001 n p) for integer n >= 1, p in [0, 1]",
    "log(x) <= x - 1 - (x - 1)^2/10^4 for x > 0",
    "x log(y) <= x (y - 1) for x in [-1, 1], y > 0",
    "log(1 + 1/n) <= 1/sqrt(n (n + 1)) - 1/(100 n^3) for integer n >= 1",
    "kl(2 p, q) >= (2 p - q)^2 for p, q in (0, 1)",
)
WITHOUT_A_VALUE = (
    "(x - y)/(x - y) <= 1 for x, y in [0, 1]",
    "floor(1/x) <= 1/x for x in [-1, 1]",
    "floor(x/y) <= x/y for x in R, y in R",
    "max(x, 1/y) >= x for x in [0, 1], y in [0, 1]",
)


def _claims(statement):
    """Of every way that changes a statement: what it asks for."""
    reading = read(statement)
    asked = Asked(reading.sentence, dict(reading.ranges), reading.conditions)
    yield from (claims for changed in (True, False) for claims, _ in by_order(asked, changed))
    yield from (found[0] for form in (by_whole_numbers, with_exponentials, by_largest) if (found := form(asked)))
    yield from ((instead, *claims) for instead, claims, _ in by_factors_of_products(asked))
    yield from [(found[0], *found[1])] if (found := by_sum_alone(asked)) else []
    yield from (claims for claims, _ in by_bounds_of_logarithms(asked))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("statement", FALSE)
def test_what_a_way_asks_of_a_false_statement_fails_somewhere(statement):
    found = list(_claims(statement))
    assert found
    for claims in found:
        assert any(failing(claim, draws=600)[0] is not None for claim in claims)


@pytest.mark.parametrize("statement", NOT_PROPOSED)
def test_a_way_that_is_seen_to_fail_is_not_proposed(statement):
    assert list(_claims(statement)) == []


@pytest.mark.parametrize("statement", WITHOUT_A_VALUE)
def test_what_a_way_asks_of_a_statement_without_a_value_is_not_proved(statement):
    found = list(_claims(statement))
    assert found
    for claims in found:
        assert any(isinstance(proved(claim, 0.1, 10.0), str) for claim in claims)


def test_a_path_stays_in_the_ranges():
    """q = 2 p leaves (0, 1) as p goes to 1, and a statement that fails only there is not refuted."""
    reading = read("q <= 1 for p in (0, 1), q in (0, 1)")
    assert fails_near_an_end(Asked(reading.sentence, dict(reading.ranges)), reading) is None


def test_what_fails_near_an_end_has_a_receipt_of_the_standard_library_alone(tmp_path):
    for statement in (
        PAIRS["a sum that fails beyond all counts that can be summed"][1],
        "gamma(x + 1/2)/gamma(x) <= sqrt(x) for x > 0",
    ):
        path = tmp_path / "receipt.py"
        path.write_text(receipt(judge(statement)))
        done = subprocess.run([sys.executable, "-I", "-S", path], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("letter", ["t", "t_0"])
def test_the_distance_from_infinity_has_a_letter_of_its_own(letter):
    """With the letter of another variable the distance of 1/n from t would be 0."""
    assert judge(f"1/n -> {letter} as n -> inf for {letter} > 0", seconds=4).verdict == "refuted"


def test_a_sum_whose_summands_depend_on_its_length_has_no_tail():
    reading = read("sum(sqrt(k)/n^2, k=1..n) <= 3 - log(n)/n^3 for integer n >= 1")
    assert list(by_tail(Asked(reading.sentence, dict(reading.ranges)))) == []


@pytest.mark.parametrize("statement", ["max(1 - exp(-x), x >= 0) = 1", "max(x - floor(x), x in [0, 1]) = 1"])
def test_a_maximum_that_is_not_reached_is_no_supremum(statement):
    with pytest.raises(ValueError, match="write sup"):
        read(statement)


def test_a_product_with_0_keeps_the_places_without_a_value():
    reading = read("min(0, log(x)) <= 1 for x in [-1, 1]")
    claims, _ = smaller_of(Asked(reading.sentence, dict(reading.ranges)))
    assert any(claim.fails({"x": Fraction(-1, 2)}) is not None for claim in claims)


def test_a_whole_number_at_the_end_of_a_range_is_exact():
    low = read("n <= n^2 for integer n >= 10^300").ranges["n"].low
    assert low.args[0] == 10**300


def test_a_power_of_a_number_may_stand_behind_a_factor_and_a_number_may_not():
    point = {"n": 3}
    asked = Asked(read("n^2 2^n = 72 for integer n >= 3").sentence, {}, ())
    assert asked.fails(point) is None
    with pytest.raises(ValueError, match="write \\* between them"):
        read("n 2 = 6 for integer n >= 3")


def test_a_factorial_with_two_letters_has_no_ratio_in_one_of_them():
    reading = read("binom(n, k) <= 2^n when k <= n for integer n >= 1, integer k >= 0")
    assert not list(by_neighbours(Asked(reading.sentence, dict(reading.ranges), reading.conditions)))
