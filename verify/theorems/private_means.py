"""Proofs in the kernel of what the mean of rewards costs that is released with Laplace noise: no constant in front.

For s of [0, epsilon] the noise exceeds a number u with probability at most e^(-s u), whatever the sign of u. So the
tail of the sum S of n rewards and of the noise is at most e^(n (l - s x)), where e^l = 1 + mu (e^s - 1), and the least
of these exponents is the private divergence.
"""

from __future__ import annotations

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.variables import in_interval, private_sum
from banditproof.verify.theorems.moments import all_of_them, grows
from banditproof.verify.theorems.noisy_sums import DECAYS, best_rate, decays_of_sides, side
from banditproof.verify.theorems.tails import below_a_coin, laplace_tail

n, mu, epsilon, s, ell, u, x, y, r, b = map(var, ("n", "expected", "epsilon", "s", "l", "level", "x", "y", "r", "b"))
X = law("X")


@lemma("b s level", lt(0, b), le(0, s), le(s * b, 1))
def noise_tail(sign: int) -> Theorem:
    """P(Z >= u) <= e^(-s u) for Z of Lap(b) and 0 <= s b <= 1, and P(Z <= -u) for the sign -1."""
    happens = ind(u, y) if sign == 1 else ind(y, -u)
    goal, above, below = le(mean("y", laplace(b), happens), exp(-s * u)), assume(le(0, u)), assume(le(u, 0))
    slow = auto(le(s, 1 / b))
    far = exp_monotone(auto(le(-u / b, -s * u), (above, slow)))
    certain = mono(indicator(*happens.args, 4), "y", laplace(b))
    near = exp_monotone(auto(le(0, -s * u), product(assume(le(0, s)), auto(le(0, -u), below))))
    return cases(auto(goal, certain, near), auto(goal, instance(laplace_tail(sign), {"z": u}, above), far), u, term(0))


@lemma("n x y level")
def reaches(sign: int) -> Theorem:
    """That x + y is at least n u says that y is at least n u - x; or at most."""
    whole, part = ((n * u, x + y), (n * u - x, y)) if sign == 1 else ((x + y, n * u), (y, n * u - x))
    goal = le(ind(*whole), ind(*part))
    return cases(auto(goal), auto(goal), *part)


def decays_at(level: Term, sign: int) -> All:
    """r is at most the private divergence of x and mu, on their side."""
    said = replace(DECAYS, {"X1": side(level, sign), "Y1": side(mu, sign)})
    assert isinstance(said, All)
    return said


@lemma("X n expected epsilon level r")
def private_tail(sign: int) -> Theorem:
    """P(S >= n x) <= e^(-n r) for x >= mu and r of at most the private divergence; P(S <= n x) for the sign -1."""
    known = nat(n), le(1, n), lt(0, mu), lt(mu, 1), lt(0, epsilon), in_interval(X, 0, 1, mu)
    natural, _, chances, rest, positive, _ = suppose(*known)
    beyond, _ = suppose(le(mu, u) if sign == 1 else le(u, mu), decays_at(u, sign))
    share, reached, Z = side(mu, sign), side(u, sign), laplace(1 / epsilon)

    # at any rate: the noise given the sum of the rewards, and the moment of that
    given = le(0, s), le(s, epsilon), eq(exp(ell), 1 + share * (exp(s) - 1)), le(r, s * reached - ell)
    low, high, value, decays = map(assume, given)
    tilt, grown = sign * s, ell if sign == 1 else ell - s
    level = auto(eq(exp(grown), 1 + mu * (exp(tilt) - 1)), (exp(grown - ell), value))
    moments = {"X": fn("i", X), "N": n, "t": tilt, "l": fn("i", grown)}
    of_sum = instance(all_of_them(), moments, _of_one(tilt, grown, level))
    short = auto(le(s / epsilon, 1), (reciprocal_positive(positive), high))
    is_beyond = instance(reaches(sign))
    happens, scaled = is_beyond.conclusion.args[0], exp(tilt * n * u)  # type: ignore[union-attr]
    g = scaled * mean("y", Z, happens)
    noise = instance(noise_tail(sign), {"b": 1 / epsilon, "level": sign * (n * u - x)}, low, short)
    less = auto(le(g, exp(tilt * x)), (scaled, noise))
    of_tail = instance(of_sum, {"g": fn("x", g)}, less)
    chance = mean("x", private_sum(X, n, epsilon), ind(n * u, x) if sign == 1 else ind(x, n * u))
    exponent = exp_monotone(auto(le(n * ell - s * n * reached, -n * r), (n, decays)))
    at_rate = for_all("s l", auto(le(chance, exp(-n * r)), (1 / scaled, of_tail), exponent), *given)

    bounds = [auto(f) for f in (lt(0, share), lt(share, 1))]
    values = {"X1": reached, "Y1": share, "P1": chance, "B": exp(-n * r)}
    facts = auto(le(share, reached)), positive, at_rate
    return instance(best_rate(), values, *bounds, *facts)


def _of_one(tilt: Term, grown: Term, level: Theorem) -> Theorem:
    """E e^(t X) <= e^l, where e^l is the moment of a coin."""
    names, given, goal = parts_of(grows(X, tilt, grown))
    below = instance(instance(below_a_coin(), {"centre": mu, "t": tilt}), {}, *map(assume, given))
    return for_all(names, auto(goal, below, level), *given)


@proof
def _tail(statement: All, sign: int) -> Theorem:
    decays = {"r": var("decay")}
    return instance(private_tail(sign), decays, instance(decays_of_sides(sign), decays))


above, below = both_sides(_tail)
