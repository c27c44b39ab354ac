"""Sums between two counts, series, Lambert's function, other units: no way says that a false statement follows."""

import numpy as np
import pytest

from banditproof import judge
from banditproof.verify.judge import between, bounded_parts, factorials, floats, scaled, several
from banditproof.verify.judge.between import (
    by_alternating_rest,
    by_integral,
    by_inverse_of_lambert,
    by_next_count,
    by_residues_of_sum,
    by_rest_of_series,
    by_two_counts,
    with_free_sums,
    with_still_summands,
)
from banditproof.verify.judge.bounded_parts import by_bounds
from banditproof.verify.judge.expansions import near_end
from banditproof.verify.judge.factorials import by_log_convexity, with_free_factorials
from banditproof.verify.judge.from_far import by_far_end
from banditproof.verify.judge.goals import plan
from banditproof.verify.judge.points import Asked, Near, failing
from banditproof.verify.judge.reading import read
from banditproof.verify.judge.receipts import receipt
from banditproof.verify.judge.scaled import in_logs, in_multiples, in_nested_roots, in_normal_units, in_whole_steps
from banditproof.verify.judge.several import by_touching_inside, without_equation


def of_factorials(claim):
    return [with_free_factorials(claim)]


FALSE = {
    by_next_count: (
        "sum(1/k, k=m+1..n) <= log(n/m) - 1/(m n) for integer m >= 1, integer n >= m + 1",
        "sum(1/k, k=m..n) <= log(n/m) for integer m >= 1, integer n >= m",
        "sum(k, k=m..n) >= m (n - m + 2) for integer m >= 1, integer n >= m",
        "2 - sum(1/k, k=1..n) >= log(n) for integer n >= 2",
        "sum(1/k^2, k=m+1..n) < 1/m - 1/n when m <= n for integer m >= 1, integer n >= 1",
        "sum(k, k=1..2 n) = 2 n^2 + n + 1 for integer n >= 1",
    ),
    by_residues_of_sum: (
        "sum(floor(k/2), k=1..n) = floor((n^2 - 1)/4) for integer n >= 1",
        "sum(ceil(k/3), k=1..n) <= n^2/6 + n/2 for integer n >= 1",
    ),
    by_rest_of_series: (
        "sum(1/k^2, k=n..inf) <= 1/n for integer n >= 1",
        "sum(1/k, k=n..inf) >= 1/n for integer n >= 1",
        "sum(1/k, k=n..inf) >= -log(n) for integer n >= 1",
        "sum(1/k^2, k=n..inf) >= 1/(n + 1) + 1/2 for integer n >= 1",
        "sum(-1/k^2, k=n..inf) >= 1 + 1/n for integer n >= 1",
    ),
    by_integral: (
        "sum(1/k^s, k=1..inf) <= 1/(s - 1) + 1/3 for s > 1",
        "sum(1/k^s, k=n..inf) <= 9 n^(1 - s) for integer n >= 1, s > 1",
        "sum(1/k^s, k=2..inf) >= 1 for s in [1/2, 2]",
        "sum(-1/k^2, k=n..inf) >= -1/n for integer n >= 1",
    ),
    by_inverse_of_lambert: (
        "W(x) <= log(x) for x >= 1",
        "W(x) >= log(x + 1) for x >= 0",
        "W(x) >= x + 1/10 for x in [-1/3, 1]",
        "W(x^2) < x for x >= 0",
        "W(-x exp(-x)) >= -x/2 for x >= 0",
        "W(x) <= 2 x for x in [-1/e, 0]",
        "W(x exp(x)) = x for x >= -2",
        "W(-x exp(-x)) > -x/3 for x >= 1",
    ),
    in_whole_steps: ("gamma((n + 1)/2)/gamma(n/2) <= sqrt(n/2 - 1/3) for integer n >= 1",),
    in_multiples: (
        "(1 + x/n)^n >= 1 + 1.01 x for integer n >= 1, x in [-n, n]",
        "x <= 2 n - 1 for n > 0, x in [n, 2 n]",
    ),
    in_logs: (
        "log(2/x) <= 3 for x in (0, 1/10]",
        "log(1/x) >= 1 for x in (0, 1/2]",
        "log(3 x) <= 1 for x in (0, 1]",
        "log(c/x) <= 9 - log(x) for x in [1, inf), c in R",
        "log(x) + y < 0 when log(1/x) >= y for x in (0, 1], y in R",
        "log(x)/s <= log(x) for x >= 1, s > 1/2",
        "log(x) >= 7/10 for x >= 2",
        "y log(2/x) <= log(2) for x in [1, 3], y in [-1, 1.01]",
    ),
    in_normal_units: ("erfc(x) <= exp(-x^2)/2 for x >= 0", "erf(x) <= sqrt(1 - exp(-x^2)) for x >= 0"),
    without_equation: (
        "a b <= a^p/p + b^q/q when 1/p + 1/q = 1.01 for a, b >= 0, p > 1, q > 1",
        "x >= 1 when x y = 1 for x > 0, y in [1, 2]",
        "y <= 3 when x (y - 1) = x for x in [0, 1], y in [0, 5]",
    ),
    of_factorials: (
        "1/n! - 1/(n + 1)! = (n + 1)/(n + 1)! for integer n >= 0",
        "(n + 1)! <= (n + 1/2) n! for integer n >= 0",
        "binom(n + 1, k + 1) <= binom(n, k) + binom(n, k + 1)/2 for integer n >= 0, integer k in [0, n - 1]",
    ),
    in_nested_roots: (
        "sqrt(1 + 2 (x + sqrt(2 x))) <= 99/100 + sqrt(2 x) for x >= 0",
        "sqrt(x - 2 sqrt(x) + 1) = 1 - sqrt(x) for x >= 0",
    ),
    by_two_counts: (
        "(1 + x)^n >= 1 + n x for x in [-3, inf), integer n >= 1",
        "x^n <= 1 for x in [-1.1, 1], integer n >= 0",
        "x^n >= -1/2 for x in [-1, 1], integer n >= 1",
        "(1 - x)^n <= 1 - n x + n^2 x^2/4 for x in [0, 3], integer n >= 2",
    ),
    by_bounds: (
        "sqrt(x) <= 1 when x <= 1.1 for x >= 0",
        "x^2 >= 4 when y <= x for x in [-2, 2], y in [1, 2]",
        "q <= p + sqrt(L)/2 when kl(p, q) <= L for p, q in (0, 1), L > 0",
        "x y <= 1 when 2 x <= 1 + y for x, y in [-3, 2]",
        "exp(-x) + y <= 1 when x >= y for x > 0, y in [0, 1]",
        "1/x <= y when x >= 1/y - 1/50 for x > 0, y in [1, 2]",
    ),
    with_still_summands: ("sum(1/(n + k), k=1..n) >= 7/10 for integer n >= 1",),
    by_far_end: (
        "sum(k, k=1..n) = n^2 for integer n >= 1",
        "sum(1/k, k=1..n) = sum(1/(k + 1), k=0..n) for integer n >= 1",
    ),
    by_alternating_rest: (
        "sum((-1)^(k + 1)/k, k=1..n) <= log(2) + 1/(2 n + 2) for integer n >= 1",
        "sum((-1)^(k + 1)/k, k=1..n) <= log(2) - 1/10 + 1/n for integer n >= 1",
        "sum((-1)^k/(2 k + 1), k=0..n) >= pi/4 - 1/(4 n + 5) for integer n >= 0",
        "sum((-1)^k/(2 k + 1), k=0..n) > 7/10 for integer n >= -2",
        "sum((-1)^(k + 1)/k^2, k=1..n) <= pi^2/12 + 1/(2 n + 1)^2 for integer n >= 1",
    ),
    with_free_sums: (
        "sum(1/(n + k), k=0..n) <= sum(1/(n + 1 + k), k=0..n+1) for integer n >= 1",
        "sum(k, k=4..n) = sum(k, k=3..n) - 3 for integer n >= 1",
    ),
    by_log_convexity: (
        "gamma(a) gamma(b)/gamma(a + b) <= 1/(a b) for a >= 9/10, b >= 1",
        "gamma(a) gamma(b)/(c gamma(a + b)) <= 1/(c a b) for a, b >= 1, c in [-2, -1]",
        "gamma(a + b) <= gamma(a + 1) gamma(b + 1) for a, b >= 1",
        "gamma(x + 1/2)^2 < gamma(x) gamma(x + 1)/2 for x > -1/2",
    ),
    by_touching_inside: ("a b <= a^p/p + (1 - 1/p) b^(p/(p - 1)) - b/100 for a, b >= 0, p > 1",),
}


def asked(text: str) -> Asked:
    claim, *_ = plan(read(text)).implied  # what equations give follows it
    return claim


def _claims(found):
    """The claims of a way among what else it says."""
    parts = [p for part in found for p in (part if isinstance(part, tuple) else (part,))]
    return [p for p in parts if isinstance(p, Asked | Near)]


def _falls(claim: Asked | Near) -> bool:
    return isinstance(near_end(claim), str) if isinstance(claim, Near) else failing(claim, draws=600)[0] is not None


@pytest.mark.parametrize("way", FALSE)
def test_a_part_of_what_a_false_statement_would_follow_from_fails(way, monkeypatch):
    """Even where a guess does not stop a way."""
    for module in (between, bounded_parts, factorials, scaled, several):
        monkeypatch.setattr(module, "seems_true", lambda *_: True)
        monkeypatch.setattr(module, "failing", lambda *_, **__: (None, None), raising=False)
    proposed = [(statement, found) for statement in FALSE[way] for found in way(asked(statement))]
    assert proposed
    for statement, found in proposed:
        assert any(map(_falls, _claims(found))), (statement, found)


@pytest.mark.parametrize("ends", [("m", "n"), ("m", "2000"), ("3", "n")])
def test_sums_at_many_points_are_those_at_each(ends, monkeypatch):
    low, high = ends
    text = f"sum(1/k - 1/2^k, k={low}..{high}) >= prod(1 - 1/(2 k), k={low}..{high}) for integers m, n >= 1"
    e = read(text).sentence
    points = {"m": np.array([1.0, 5, 7, 3]), "n": np.array([10.0, 4, 7, 900])}
    at_once = [floats.value_of(side, points) for side in (e.left, e.right)]
    monkeypatch.setattr(floats, "AT_ONCE", 0)
    assert np.allclose(at_once, [floats.value_of(side, points) for side in (e.left, e.right)], rtol=1e-12, atol=0)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "statement",
    [
        "sum(k/(k + 1)!, k=1..n) = 1 - 1/(n + 1)! for integer n >= 1",
        "sum((-1)^(k + 1)/k, k=1..2 n) = sum(1/(n + k), k=1..n) for integer n >= 1",
        "1 + x + sqrt(2 x) - sqrt(1 + 2 (x + sqrt(2 x))) = x for x >= 0",
    ],
)
def test_what_a_way_rests_on_is_checked_by_the_standard_library_alone(statement, alone):
    text = receipt(judge(statement))
    done = alone(text)
    part = "only in part" in text.split("\n", 1)[0]
    assert done.returncode == (3 if part else 0), done.stdout + done.stderr
    assert done.stdout.startswith("confirmed in part: " if part else "confirmed: ")
