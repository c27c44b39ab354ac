"""What Chapter 6 and its proofs use: scores of two targets, and the sub-sampled mean as a finite mechanism."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import prod
from typing import Any

from banditproof.claims.language import *
from banditproof.theory.numbers.special import log_gamma, tricomi
from banditproof.theory.numbers.term import asked_by
from banditproof.verify import FiniteChannel, MembershipGame


def leakage_scores(z_1: Any, z_2: Any, t_1: Any, t_2: Any) -> tuple[Any, Any, Any, Any]:
    """m*, m^targ, m^scal and m^diff of a target z* and an assumed one z^targ.

    A plane holds z* - mu and z^targ - mu, and z and t are their coordinates in it, where C_sigma^-1/n gives lengths.
    """
    return z_1**2 + z_2**2, t_1**2 + t_2**2, z_1 * t_1 + z_2 * t_2, (z_1 - t_1) ** 2 + (z_2 - t_2) ** 2


def column_transform(n: int, mu: Any, target: int, p: Any, assumed: int | None = None) -> Any:
    """log E[(p_in/p_out)^p] of the mean of n bits, as a ball: the ratio is that for the bit `assumed`, in the data is
    `target`; without `assumed` the ratio is that for the target, which is not in the data."""
    mean = where(target if assumed is None else assumed, "==", 1, mu, 1 - mu)
    drawn, ones = (n, 0) if assumed is None else (n - 1, where(target, "==", assumed, 1, 0))

    def moment(s: Any) -> Any:
        return comb(drawn, s) * mean**s * (1 - mean) ** (drawn - s) * (to_ball(ratio(s + ones, n)) / mean) ** p

    return log(total(moment, 1 - ones, drawn))  # at 0 the ratio is 0


def sub_sampled_mean(n: int, k: int, means: tuple[Fraction, ...]) -> MembershipGame:
    """n records of independent bits with these means; the column sums of k rows, chosen at random, are published."""
    records: Any = tuple(product((0, 1), repeat=len(means)))
    laws: Any = {}
    for rows in product(records, repeat=n):
        law: dict[Any, Fraction] = {}
        for chosen in combinations(rows, k):
            sums = tuple(sum(column) for column in zip(*chosen, strict=True))
            law[sums] = law.get(sums, Fraction(0)) + Fraction(1, comb(n, k))
        laws[rows] = law
    data = {z: prod((m if bit else 1 - m for bit, m in zip(z, means, strict=True)), start=Fraction(1)) for z in records}
    return MembershipGame(FiniteChannel(n, records, laws), data)


def gamma_transform(n: int, shape: Any, target: Any, p: Any) -> Any:
    """log E_0[(p_in/p_out)^p] of the mean of n Gamma variables of this shape, for a target >= 0 and 0 < p < 1.

    The sum has a Gamma density of shape n a without the target z, and one of shape (n - 1) a moved by z with it. The
    integral of u^A (u + z)^B e^-u over u > 0 is z^(A+B+1) Gamma(A + 1) U(A + 1, A + B + 2, z), Tricomi's function.
    """
    shape, target, p = to_ball(shape), to_ball(target), to_ball(p)
    low, high = p * ((n - 1) * shape - 1), (1 - p) * (n * shape - 1)
    weight = p * (log_gamma(n * shape) - log_gamma((n - 1) * shape)) - log_gamma(n * shape)

    def apart() -> Any:
        moved = (low + high + 1) * log(target) + log(tricomi(low + 1, low + high + 2, target))
        return log_gamma(low + 1) + moved - (1 - p) * target

    return weight + where(target, "==", 0, lambda: log_gamma(low + high + 1), apart)


def gamma_transform_at_zero(n: int, shape: Any, target: Any, p: Any) -> Any:
    """log E_1[(p_in/p_out)^p] of the same mean: the ratio is that for the target 0, in the data is `target` >= 0.

    At 0 the ratio is Gamma(n a)/Gamma((n - 1) a) s^-a, and E (z + G)^-q is a value of Tricomi's function as well.
    """
    shape, target, p = to_ball(shape), to_ball(target), to_ball(p)
    rest, power = (n - 1) * shape, p * shape
    weight = p * (log_gamma(n * shape) - log_gamma(rest))

    def apart() -> Any:
        return (rest - power) * log(target) + log(tricomi(rest, rest + 1 - power, target))

    return weight + where(target, "==", 0, lambda: log_gamma(rest - power) - log_gamma(rest), apart)


@asked_by(lambda *_: None)
def noisy_bits_transform(n: int, mu: Any, target: Any, gamma: Any, p: Any) -> Any:
    """log E_0[(p_in/p_out)^p] of the mean of n bits with noise of variance gamma^2/n, as a ball; n <= 100, |z| <= 4.

    Mixtures of normal laws, integrated over |y| <= sqrt(n) + 4 + 9 gamma for y = sqrt(n) (x - mu); beyond, the noise is
    more than 9 of its deviations off, which has probability below 10^-18 in both worlds.
    """
    from flint import acb, arb

    ones, place, width = acb(to_ball(mu)), acb(to_ball(target)), acb(to_ball(gamma))
    power, root = acb(to_ball(p)), acb(n).sqrt()

    step = 1 / (root * width)  # between two numbers of ones, in deviations of the noise
    far = [(-((k * step) ** 2) / 2).exp() for k in range(n + 1)]

    def mixture(drawn: int, moved: Any) -> Callable[[Any], Any]:
        """The density of y as a polynomial in one exponential, around the number of ones that is nearest to y."""
        weights = [comb(drawn, s) * ones**s * (1 - ones) ** (drawn - s) for s in range(drawn + 1)]
        start = (moved - n * ones) * step

        @cache
        def around(c: int) -> tuple[list[Any], list[Any]]:
            parts = [weight * far[abs(s - c)] for s, weight in enumerate(weights)]
            return parts[:c], parts[c:][::-1]

        def density(y: Any) -> Any:
            off = y / width - start
            c = min(max(round(float(off.real.mid()) / float(step.real)), 0), drawn)
            rest = off - c * step
            up, below, above = (rest * step).exp(), acb(0), acb(0)
            fewer, more = around(c)
            for part in fewer:
                below = (below + part) / up
            for part in more:
                above = above * up + part
            return (below + above) * (-rest * rest / 2).exp()

        return density

    among, without = mixture(n - 1, place), mixture(n, acb(0))

    def affinity(y: Any, analytic: bool) -> Any:
        inside, out = among(y).log(analytic), without(y).log(analytic)
        return (power * inside + (1 - power) * out).exp()

    edge = sqrt(to_ball(n)) + 4 + 9 * to_ball(gamma)
    whole = acb.integral(affinity, acb(-edge), acb(edge), rel_tol=arb(2) ** -35, abs_tol=arb(2) ** -35).real
    return log(whole / (to_ball(gamma) * sqrt(2 * to_ball(1).pi())) + arb(0, 1e-15))
