"""Private best arms by phases: an arm's mean starts again with each phase, and is released with noise at its end.

The point z is all that is random: the rewards of all phases, their noise, and what else the strategy goes by. Phase
0, 1, 2, ... of an arm has 1, 1, 2, 4, ... rewards, as many as the arm had before; m phases of an arm are looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from banditproof.verify.kernel.meanings import binding, exp, function_of, log, own_names, sum_of
from banditproof.verify.kernel.policies import is_arm, power, the_same
from banditproof.verify.kernel.rewards import part
from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import All, Formula, Term, term, var
from banditproof.verify.kernel.variables import laplace, sum_of_all

Given = tuple[Formula, ...]


def length(k: Any) -> Term:
    """How many rewards phase k of an arm has."""
    return function_of("phase_length", k)


def summed(z: Any, a: Any, k: Any) -> Term:
    """The sum of the noise of the rewards of phase k of the arm a, over sigma."""
    return function_of("summed", z, a, k, 0) / function_of("summed", z, a, k, 1)


def masked(z: Any, a: Any, k: Any) -> Term:
    """What is added to their mean."""
    return function_of("masked", z, a, k, 0) / function_of("masked", z, a, k, 1)


def phases_double(m: Any) -> Given:
    """Phases have 1, 1, 2, 4, ... rewards; phase_label(k) is log2 of that and 2, and phase_log(k) log(4 + log of that),
    or more."""
    own_names("k")
    k = var("k")
    label, second, early = function_of("phase_label", k), function_of("phase_log", k), (nat(k), lt(k, m))
    more = eq(length(k + 1), length(k) * (1 + Term("ind", (term(1), k))))
    return (
        *(All(("k",), (), lt(0, f)) for f in (length(k), label)),
        eq(length(0), 1),
        All(("k",), (nat(k), lt(k + 1, m)), more),
        All(("k",), early, le(log(length(k)), (label - 2) * log(2))),
        All(("k",), early, le(4 + log(length(k)), exp(second))),
    )


def phases_are_fresh(joint: Term, noise: Callable[[Any], Term], epsilon: Any, best: Any, m: Any, K: Any) -> Given:
    """The noise of a phase of another arm and of one of the best arm are sums of independent ones, of which each arm
    has a law; what is added to a mean of n rewards is Lap(1/(epsilon n))."""
    own_names("z", "a", "k", "o", "p", "q", "x", "y", "g", "joined")
    z, a, k, o, p, q, x, y = map(var, "zakopqxy")
    with binding("z", "a", "k", "o", "p", "q", "x", "y", "g", "joined"):
        own, other = noise(a), noise(best)
    divisors = (All(("z", "a", "k"), (), lt(0, function_of(f, z, a, k, 1))) for f in ("summed", "masked"))
    drawn = mean(
        "x", sum_of_all(lambda _: own, p), mean("y", sum_of_all(lambda _: other, q), function_of("joined", x, y))
    )
    both = eq(mean("z", joint, function_of("joined", summed(z, a, k), summed(z, best, o))), drawn)
    counts = *is_arm(k, m), *is_arm(o, m), nat(p), nat(q), eq(p, length(k)), eq(q, length(o))
    one = eq(
        mean("z", joint, function_of("g", masked(z, a, k))),
        mean("y", laplace(1 / (epsilon * length(k))), function_of("g", y)),
    )
    apart = lt(0, (a - best) * (a - best))
    return (
        *divisors,
        All(("joined", "a", "k", "o", "p", "q"), (*is_arm(a, K), apart, *counts), both),
        All(("g", "a", "k"), (*is_arm(a, K), *is_arm(k, m)), one),
    )


def weights_of_deviations(m: Any) -> Given:
    """weight_of(k, o) is a number in (1/2, 1), rest_of(k, o) what it leaves of 1, series_of(k, o) at least the first
    terms of zeta(2 weight)."""
    own_names("k", "o")
    k, o = map(var, "ko")
    weight, rest, series = (function_of(name, k, o) for name in ("weight_of", "rest_of", "series_of"))
    with binding("k", "o"):
        terms = sum_of(lambda j: power(term(j) + 1, -2 * weight), m)
    given = *is_arm(k, m), *is_arm(o, m)
    says = lt(1, 2 * weight), eq(weight + rest, 1), le(terms, series)
    return (
        *(All(("k", "o"), (), lt(0, f)) for f in (weight, rest, series)),
        *(All(("k", "o"), given, f) for f in says),
    )


def risk_level(k: Any, o: Any, delta: Any, others: Any, zeta: Any, s: Any) -> Term:
    """log((K - 1)/delta') with delta' = delta/(2 zeta(s)^2 k^s o^s), for the labels k and o of two phases."""
    both = power(function_of("phase_label", k), s) * power(function_of("phase_label", o), s)
    return log(2 * term(others) * zeta * zeta * both / delta)


def noise_level(k: Any, delta: Any, K: Any, zeta: Any, s: Any) -> Term:
    """log(2 K zeta(s) k^s/delta) for the label k of a phase."""
    return log(2 * term(K) * zeta * power(function_of("phase_label", k), s) / delta)


def plain_threshold(k: Any, o: Any, level: Any) -> Term:
    """2 C_G(level/2) + 2 log(4 + log n_k) + 2 log(4 + log n_l), with C_G at any weight in place of its minimum."""
    weight, rest, series = (function_of(name, k, o) for name in ("weight_of", "rest_of", "series_of"))
    rate = 2 * weight - 2 * weight * log(4 * weight) + log(series) - log(rest) / 2
    return 2 * (rate + level / 2) / weight + 2 * function_of("phase_log", k) + 2 * function_of("phase_log", o)


def private_threshold(k: Any, o: Any, delta: Any, epsilon: Any, sigma: Any, others: Any, zeta: Any, s: Any) -> Term:
    """Twice that at delta', and (n_k^-1 L_k^2 + n_l^-1 L_l^2)/(epsilon sigma)^2, L_k = log(2 K zeta(s) k^s/delta)."""
    noises = sum(
        (
            noise_level(c, delta, others + 1, zeta, s) * noise_level(c, delta, others + 1, zeta, s) / length(c)
            for c in (k, o)
        ),
        term(0),
    )
    plain = plain_threshold(k, o, risk_level(k, o, delta, others, zeta, s))
    return 2 * plain + noises / (epsilon * epsilon * sigma * sigma)


def stops_by(
    threshold: Callable[[Any, Any], Term],
    centre: Callable[[Any], Any],
    sigma: Any,
    m: Any,
    K: Any,
    far: Callable[[Any, Any], Term] | None = None,
    epsilon: Any = 0,
) -> Given:
    """Where the strategy stops, it names an arm a with (lead)_+^2/(2 sigma^2 (1/n_a + 1/n_b)) >= threshold against each
    other arm b, the lead being that of its private mean, each arm in a phase that it has completed. With a threshold
    for leads of at least 3 epsilon these are (lead)_+ 3 epsilon in place of the square."""
    own_names("z", "a", "b")
    z, a, b = map(var, "zab")
    stopped, named = function_of("stopped", z), function_of("recommended", z)

    def private(a: Any) -> Term:
        k = function_of("phase_of", z, a)
        return centre(a) + sigma * summed(z, a, k) / length(k) + masked(z, a, k)

    with binding("z", "a", "b"):
        ahead = part(private(a) - private(b), 1)
        k, o = (function_of("phase_of", z, of) for of in (a, b))
        scale = 1 / (1 / length(k) + 1 / length(o)) / (2 * term(sigma) * sigma)
        enough = le(threshold(k, o), ahead * ahead * scale)
        long = None if far is None else le(far(k, o), 3 * term(epsilon) * ahead * scale)
    met = eq(stopped, 1), eq(named, a), *is_arm(a, K), *is_arm(b, K), lt(0, (a - b) * (a - b))
    phases = (All(("z", "b"), is_arm(b, K), f) for f in is_arm(function_of("phase_of", z, b), m))
    names, wide = ("z", "a", "b"), 3 * term(epsilon)
    rule = (
        (All(names, met, enough),)
        if long is None
        else (All(names, (*met, lt(ahead, wide)), enough), All(names, (*met, le(wide, ahead)), long))
    )
    return (
        All(("z",), (), eq(stopped * stopped, stopped)),
        *(All(("z",), (), f) for f in is_arm(named, K)),
        *phases,
        *rule,
    )


def widths_of_deviations(m: Any, delta: Any, K: Any, zeta: Any, s: Any) -> Given:
    """height_of(k) is h, or more: 2 h - log(2 h) = 2 log(3 K zeta(s) k^s/delta) + 4 log(4 + log n) + 1/2; root_of(k) is
    the root of 2 h/n."""
    own_names("k")
    k = var("k")
    h, root = function_of("height_of", k), function_of("root_of", k)
    least = 2 * noise_level(k, 2 * term(delta) / 3, K, zeta, s) + 4 * function_of("phase_log", k) + Fraction(1, 2)
    says = le(1, 2 * h), le(least + log(2 * h), 2 * h), le(0, root), eq(root * root * length(k), 2 * h)
    return All(("k",), (), lt(0, h)), *(All(("k",), is_arm(k, m), f) for f in says)


def near_threshold(k: Any, o: Any, delta: Any, epsilon: Any, sigma: Any, others: Any, zeta: Any, s: Any) -> Term:
    """Half of the private threshold at 2 delta/3, and (epsilon sigma)^-1 times the sum of root L, for the levels L."""
    half = private_threshold(k, o, 2 * delta / 3, epsilon, sigma, others, zeta, s) / 2
    levels = (noise_level(c, 2 * delta / 3, others + 1, zeta, s) * function_of("root_of", c) for c in (k, o))
    return half + sum(levels, term(0)) / (epsilon * sigma)


def far_threshold(k: Any, o: Any, delta: Any, epsilon: Any, sigma: Any, K: Any, zeta: Any) -> Term:
    """3 log(3 K zeta(s) max(k, o)/delta)/sigma^2 and 3 epsilon/(2 sigma) times the sum of n root."""
    one, other = (log(3 * term(K) * zeta * function_of("phase_label", c) / delta) for c in (k, o))
    largest = one + (other - one) * Term("ind", (one, other))
    roots = length(k) * function_of("root_of", k) + length(o) * function_of("root_of", o)
    return 3 * largest / (sigma * sigma) + 3 * epsilon * roots / (2 * sigma)


def chance_of_a_wrong_arm(joint: Term, best: Any) -> Term:
    """The probability that it stops and names another arm than the best one."""
    own_names("z")
    z = var("z")
    return mean("z", joint, function_of("stopped", z) * (1 - the_same(function_of("recommended", z), best)))
