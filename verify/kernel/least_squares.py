"""Least squares on actions that are fixed in advance, with Gaussian noise on the sums of the rewards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.linear import one_subgaussian, plus_noise
from banditproof.verify.kernel.matrices import Matrix, Vector, eliminates, entry_of, place
from banditproof.verify.kernel.meanings import binding, function_of, own_names, size, sum_of
from banditproof.verify.kernel.rewards import Given, earned, rounds_tell_rewards
from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import All, Term, term, var
from banditproof.verify.kernel.variables import gaussian

Noise = Callable[[Any, Any], Term]
"""The law of the noise of a round after a run."""


def design(actions: Matrix, T: Any) -> Matrix:
    """V, the sum of A_s A_s^T over T rounds; actions(s, i) is entry i of A_s."""
    return lambda i, j: sum_of(lambda s: actions(s, i) * actions(s, j), T, "b")


def weighted(weights: Vector, support: Matrix, m: Any) -> Matrix:
    """The sum of weights(b) b b^T over the m actions b of the support."""
    return lambda i, j: sum_of(lambda b: weights(b) * support(b, i) * support(b, j), m, "b")


def squared_norms(weights: Vector, support: Matrix, G: Matrix, m: Any, dimension: Any) -> Term:
    """The sum of weights(b) b^T G b over the m actions b of the support."""

    def squared(b: Any) -> Term:
        return bilinear(lambda j: support(b, j), G, lambda j: support(b, j), dimension)

    return sum_of(lambda b: weights(b) * squared(b), m, "b")


def no_larger_determinant(V: Matrix, a: Vector, most: Any, size: Any) -> Given:
    """If a share s in (0, 1/2] of the weights of a design goes to the action a, its determinant is at most this."""
    own_names("s")
    s = var("s")
    share = lt(0, s), le(s, term(1) / 2)

    def mixed(i: Any, j: Any) -> Term:
        return (1 - s) * V(i, j) + s * a(i) * a(j)

    def minors(k: Any) -> Term:
        return function_of("mixed_minors", s, k)

    reduced = eliminates(lambda i, r: function_of("mixed_columns", s, i, r), minors, mixed, size)
    return tuple(All(("s",), share, f) for f in (*reduced, le(minors(size), most)))


def same_matrix(M: Matrix, N: Matrix, size: Any) -> All:
    own_names("i", "r")
    i, r = var("i"), var("r")
    with binding("i", "r"):
        entries = M(i, r), N(i, r)
    return All(("i", "r"), place(i, r, size=size), eq(*entries))


def worth_in_round(actions: Matrix, theta: Vector, s: Any, size: Any) -> Term:
    """<A_s, theta>."""
    return sum_of(lambda j: actions(s, j) * theta(j), size)


def bilinear(a: Vector, G: Matrix, x: Vector, size: Any) -> Term:
    """<a, G x>."""
    return sum_of(lambda q: a(q) * entry_of(G, x, q, size), size, "q")


def runs_on_fixed_actions(actions: Matrix, theta: Vector, noise: Noise, T: Any, size: Any) -> Term:
    """The law of the runs of T rounds: the reward of round t is <A_t, theta> and noise."""
    t, z, r = var("t"), var("z"), var("r")
    with binding("t", "z", "r"):
        reward = plus_noise(worth_in_round(actions, theta, t, size), noise(t, z))
    step = Term("mix", (("r",), reward, Term("dirac", (function_of("after", z, t, t, r),))))
    return Term("steps", (("t", "z"), term(T), var("empty"), step))


def rewards_are_told(T: Any) -> Given:
    """After a round one can tell its reward, and those that could be told before."""
    scale, _, own, _, kept = rounds_tell_rewards(T, lambda a: (), lambda a: a)
    return scale, own, kept


def conditionally_subgaussian(noise: Noise, T: Any) -> All:
    """The noise of each round is 1-subgaussian, whatever the run before it was."""
    own_names("i", "z")
    i, z = var("i"), var("z")
    return All(("i", "z"), (nat(i), lt(i, T)), one_subgaussian(noise(i, z)))


def least_squares_error(a: Vector, G: Matrix, actions: Matrix, theta: Vector, runs: Term, T: Any, size: Any) -> Term:
    """The law of <estimate - theta, a>: the estimate is G times the sum of A_s R_s, for the rewards R_s of the runs."""
    own_names("z", "b")
    z = var("z")
    estimate = bilinear(a, G, lambda j: sum_of(lambda s: actions(s, j) * earned(s, T, z), T, "b"), size)
    truth = sum_of(lambda q: a(q) * theta(q), size, "q")
    return Term("mix", (("z",), runs, Term("dirac", (estimate - truth,))))


def with_noise_on_sums(
    error: Term, a: Vector, G: Matrix, support: Matrix, m: Any, variance: Any, dimension: Any
) -> Term:
    """The law of the error and of <G sum of b N_b, a>: m actions b, each with independent N_b of this variance."""
    own_names("i", "w", "u", "v", "draw")
    i, w, u, v = map(var, "iwuv")
    scaled = bilinear(a, G, lambda j: support(i, j), dimension) * var("draw")
    one = Term("mix", (("draw",), gaussian(variance), Term("dirac", (scaled,))))
    step = Term("mix", (("v",), one, Term("dirac", (w + v,))))
    noises = Term("steps", (("i", "w"), term(m), term(0), step))
    return Term("mix", (("u",), error, Term("mix", (("v",), noises, Term("dirac", (u + v,))))))


def chance_of_size(law: Term, level: Any) -> Term:
    """The probability of |X| >= level, where X has the law."""
    own_names("r")
    return mean("r", law, Term("ind", (term(level), size(var("r")))))
