"""The price of a double change against direct minimisation, and its certificates against corruption."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import partial

import mpmath
import numpy as np
import pytest
from scipy import special

from banditproof.theory.laws import double_change, families, point_masses
from banditproof.theory.laws.atomic_families import Bounded, FiniteClass, FinitelySupported
from banditproof.theory.laws.families import Bernoulli, Exponential, Gaussian, Poisson
from banditproof.theory.laws.infimum import divergence_of, variation_of
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.numeric import to_ball

DECIMALS = [("-0.1", "0.3", "0.01"), ("0.1", "0.2", "0.1"), ("-1.7", "1.9", "5"), ("0.7", "0.8", "0.003")]


def mp(number):
    """The number in mpmath, from a Fraction."""
    return mpmath.mpf(number.numerator) / number.denominator


def textbook(name, sigma=1):
    """TV and KL of two laws of a family by their means x <= z, in mpmath and, where marked, in floats on arrays."""
    if name == "Gaussian":
        return (
            lambda x, z: mpmath.erf((z - x) / (mpmath.sqrt(8) * sigma)),
            lambda z, y: (y - z) ** 2 / (2 * sigma**2),
            lambda x, z: special.erf((z - x) / (np.sqrt(8) * float(sigma))),
            lambda z, y: (y - z) ** 2 / (2 * float(sigma) ** 2),
        )
    if name == "Poisson":

        def tv(x, z):
            if x == z:
                return mpmath.mpf(0)
            k = 0 if x == 0 else int(mpmath.floor((z - x) / mpmath.log(z / x)))
            below = [sum((m**j / mpmath.factorial(j) for j in range(k + 1)), mpmath.mpf(0)) for m in (x, z)]
            return mpmath.exp(-x) * below[0] - mpmath.exp(-z) * below[1]

        def float_tv(x, z):
            with np.errstate(all="ignore"):
                k = np.where(z == x, np.floor(x), np.floor((z - x) / np.log(z / x))) if x else 0 * z
            return special.gammaincc(k + 1, x) - special.gammaincc(k + 1, z)

        return (
            tv,
            lambda z, y: (z * mpmath.log(z / y) if z else 0) - z + y,
            float_tv,
            lambda z, y: special.xlogy(z, z / y) - z + y,
        )

    def exponential_tv(x, z):
        crossing = x * z * mpmath.log(z / x) / (z - x) if z != x else x
        return mpmath.exp(-crossing / z) - mpmath.exp(-crossing / x)

    def exponential_float_tv(x, z):
        with np.errstate(all="ignore"):
            crossing = np.where(z == x, x, x * z * np.log(z / x) / (z - x))
        return np.exp(-crossing / z) - np.exp(-crossing / x)

    return (
        exponential_tv,
        lambda z, y: mpmath.log(y / z) + z / y - 1,
        exponential_float_tv,
        lambda z, y: np.log(y / z) + z / y - 1,
    )


def minimised(law, target, epsilon):
    """inf over z of epsilon TV(x, z) + KL(z, y): a grid, in floats where they do, then golden sections in 60 digits."""
    sigma = mp(law.sigma) if isinstance(law, Gaussian) else 1
    tv, kl, float_tv, float_kl = textbook(type(law).__name__, sigma)
    x, y, budget = mp(law.mean), mp(target), mp(epsilon)
    price = lambda z: budget * tv(x, z) + kl(z, y)  # noqa: E731
    cells = 400 if y - x > 0.01 else 20
    if cells == 400:
        grid = float(x) + (float(y) - float(x)) * np.linspace(0, 1, 401)
        best = int(np.nanargmin(float(budget) * float_tv(float(x), grid) + float_kl(grid, float(y))))
    else:
        best = min(range(21), key=lambda i: price(x + i * (y - x) / 20))
    step = (y - x) / cells
    low, high = x + max(best - 1, 0) * step, x + min(best + 1, cells) * step
    smallest = min(price(x), price(y))
    ratio = (mpmath.sqrt(5) - 1) / 2
    for _ in range(90):
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        at_a, at_b = price(a), price(b)
        smallest = min(smallest, at_a, at_b)
        low, high = (low, b) if at_a < at_b else (a, high)
    return smallest


def drawn(name, seed, count):
    """Laws, targets and budgets: decimals, dyadic numbers, near ties, small and large budgets."""
    generator = random.Random(seed)
    makers = {
        "Gaussian": lambda m: Gaussian(m - 2, generator.choice(["0.1", "0.5", 1, "3"])),
        "Poisson": Poisson,
        "Exponential": lambda m: Exponential(m + Fraction(1, 10)),
    }
    for _ in range(count):
        unit = generator.choice([10, 10, 100, 64, 1024])
        law = makers[name](Fraction(generator.randint(0, 4 * unit), unit))
        close = generator.choice([10, 2]) ** -generator.randint(1, 9)
        gap = generator.choice([Fraction(generator.randint(1, 3 * unit), unit), Fraction(close).limit_denominator()])
        budgets = [Fraction(generator.randint(1, 80), 10), Fraction(1, 2 ** generator.randint(0, 12))]
        budgets += [Fraction(1, 10 ** generator.randint(1, 12)), Fraction(generator.randint(9, 200))]
        yield law, law.mean + gap, generator.choice(budgets)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["Gaussian", "Poisson", "Exponential"])
def test_d_inf_is_the_direct_minimum(name, every_point):
    outside = []
    with mpmath.workdps(60):
        for law, target, epsilon in drawn(name, 5, 300 if every_point else 20):
            infimum, direct = law.d_inf(target, epsilon), minimised(law, target, epsilon)
            low, high = mp(Fraction(infimum.value.lower)), mp(Fraction(infimum.value.upper))
            if not low <= direct * (1 + mpmath.mpf("1e-30")) or not direct <= high * (1 + mpmath.mpf("1e-15")):
                outside.append((law, target, epsilon))
    assert outside == []


@pytest.mark.parametrize(("mean", "target", "epsilon"), DECIMALS)
def test_decimal_means_are_as_sharp_as_dyadic_ones(mean, target, epsilon):
    """Where x = z a square of a ball around zero is involved."""
    infimum = Gaussian(mean).d_inf(target, epsilon)
    assert infimum.recheck() and infimum.value.width <= infimum.value.upper / 10**15
    # the two ends z = x and z = y
    assert infimum.value.lower <= (Fraction(target) - Fraction(mean)) ** 2 / 2
    assert infimum.value.lower <= Fraction(epsilon) * Fraction(Gaussian(mean).tv(Gaussian(target)).upper)


def test_a_finite_class_with_decimal_means_takes_the_least_of_its_choices():
    members = [Gaussian(m) for m in ("-0.1", "0.1", "0.3", "0.7")]
    infimum = FiniteClass(members[0], members).d_inf("0.2", "0.1")
    with mpmath.workdps(60):
        tv, kl = textbook("Gaussian")[:2]
        means = [mp(m.mean) for m in members]
        choices = [tv(means[0], z) / 10 + kl(z, y) for y in means[2:] for z in means if means[0] <= z <= y]
        assert mp(infimum.value.lower) <= min(choices) <= mp(infimum.value.upper)
    assert infimum.recheck() and infimum.value.width <= infimum.value.upper / 10**30


LAWS = [
    Bernoulli("0.1"),
    Gaussian("0.1"),
    Poisson("0.1"),
    Exponential("0.1"),
    Bounded(["0.1", "0.4"], ["0.5", "0.5"]),
    FinitelySupported(["-1/2", 0, "1/3", 1, 2], ["1/5", "2/5", "1/5", "1/10", "1/10"]),
    FinitelySupported([0, "1/4", "1/2", 1], ["1/2", "1/4", "1/4", 0]),
    FiniteClass(Gaussian("0.1"), [Gaussian("0.1"), Gaussian("0.2")]),
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_a_law_is_at_no_distance_from_itself(law):
    for value in (law.kl(law), law.tv(law), law.renyi(law, 2), law.renyi(law, "0.3"), law.renyi(law, 1)):
        assert value == Enclosure(0, 0)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("epsilon", ["1e-300", "1e-60", "1e60", "1e300"])
@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_extreme_budgets_give_narrow_enclosures(law, epsilon):
    target = "1/8" if isinstance(law, FiniteClass) else "1/2"
    infimum = law.d_inf(target, epsilon)
    single = law.tv_inf(target).value if epsilon.startswith("1e-") else law.kl_inf(target).value
    price = Fraction(epsilon) if epsilon.startswith("1e-") else 1
    assert infimum.recheck() and 0 < infimum.value.lower
    assert infimum.value.width <= infimum.value.upper / 10**15
    assert abs(infimum.value.upper / (price * single.upper) - 1) < Fraction(1, 10**15)


def test_what_is_nan_certifies_nothing(monkeypatch):
    """A divergence that comes out nan somewhere must cost the enclosure its lower end, wherever it comes up."""
    honest = families.Gaussian.kl_between

    def broken(self, x, y):
        value = honest(self, x, y)
        return value * to_ball("nan") if value < to_ball("0.01") else value

    monkeypatch.setattr(double_change, "_PIECES", 20)
    monkeypatch.setattr(families.Gaussian, "kl_between", broken)
    law = Gaussian("-0.1")
    assert law.d_inf("0.3", "0.01").value.lower == 0  # and 0 is below every divergence
    members = [Gaussian(m) for m in ("-0.1", "0", "0.3")]
    assert FiniteClass(members[0], members).kl_inf("-0.05").value.lower == 0


def corruptions(infimum):
    """The result with one part changed."""
    value, certificate = infimum.value, infimum.certificate
    step = max(value.width, Fraction(value.upper) / 2**40)
    yield replace(infimum, value=Enclosure(value.upper + step, value.upper + 2 * step))
    yield replace(infimum, value=Enclosure(0, Fraction(value.lower) * Fraction(3, 4)))
    yield replace(infimum, divergence="tv" if infimum.divergence != "tv" else "kl")
    yield replace(infimum, divergence="other")
    yield replace(infimum, target=infimum.target + Fraction(1, 8))
    yield replace(infimum, alternative=infimum.law)
    yield replace(infimum, alternative=None)
    yield replace(infimum, attained=not infimum.attained)
    if infimum.divergence == "d":
        yield replace(infimum, intermediate=None)
        yield replace(infimum, epsilon=None)
        if infimum.intermediate != infimum.law:
            yield replace(infimum, epsilon=infimum.epsilon * 2)
    if isinstance(certificate, tuple):
        middle = len(certificate) // 2
        yield from (
            replace(infimum, certificate=c) for c in (None, certificate[1:], certificate[:-1], certificate[::-1])
        )
        yield replace(infimum, certificate=(certificate[0], certificate[-1]))
        yield replace(infimum, certificate=(*certificate[:middle], certificate[middle] * 2, *certificate[middle + 1 :]))
        yield replace(infimum, certificate=list(certificate))
        yield replace(infimum, certificate=tuple(map(float, certificate)))
    elif certificate is not None:
        yield from (replace(infimum, certificate=c) for c in (None, -certificate - 1, certificate / 3 + 7, 5, 0.5))
        yield replace(infimum, certificate=(certificate,))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_every_corrupted_part_is_seen(law):
    target = Fraction(1, 8) if isinstance(law, FiniteClass) else Fraction(2, 5)
    for infimum in (law.kl_inf(target), law.tv_inf(target), law.d_inf(target, "0.3"), law.d_inf(target, "0.01")):
        assert infimum.recheck()
        accepted = [one for one in corruptions(infimum) if one.recheck()]
        assert accepted == []


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_a_recheck_runs_none_of_the_formulas_that_made_the_value(law, monkeypatch):
    target = Fraction(1, 8) if isinstance(law, FiniteClass) else Fraction(2, 5)
    found = [law.kl_inf(target), law.tv_inf(target), law.d_inf(target, "0.3"), law.d_inf(target, "inf")]

    def not_again(*_, **__):
        raise AssertionError("this formula made the value")

    own = "_kl _tv _ends _solve _priced kl_between tv_between log_moment mass_up_to tv_slopes kl_slope _dual _choices"
    made_by = {
        **dict.fromkeys((type(law), type(getattr(law, "law", law))), own),
        double_change: "objective lower_bound piece_bound",
        point_masses: "kl_of tv_of kl_dual tv_dual _g",
    }
    for owner, names in made_by.items():
        for name in filter(partial(hasattr, owner), names.split()):
            monkeypatch.setattr(owner, name, not_again)
    assert all(infimum.recheck() for infimum in found)


def test_the_long_way_agrees_with_quadrature():
    with mpmath.workdps(20):
        for sigma in (Fraction(1, 2), Fraction(3)):
            one, other = Gaussian("0.1", sigma), Gaussian("1.3", sigma)
            pdf = lambda m, t: mpmath.npdf(t, mp(m.mean), mp(sigma))  # noqa: E731, B023
            cut = [-20, mpmath.mpf("0.1"), mpmath.mpf("0.7"), mpmath.mpf("1.3"), 22]
            tv = mpmath.quad(lambda t: abs(pdf(one, t) - pdf(other, t)), cut) / 2  # noqa: B023
            assert abs(mpmath.mpf(float(variation_of(one, other))) - tv) < 1e-8
        one, other = Exponential("0.3"), Exponential("1.1")
        density = lambda m, t: mpmath.exp(-t / mp(m.mean)) / mp(m.mean)  # noqa: E731
        cut = [0, 0.1, 0.3, 0.5, 1, 3, 40]
        kl = mpmath.quad(lambda t: density(one, t) * mpmath.log(density(one, t) / density(other, t)), cut)
        assert abs(mpmath.mpf(float(divergence_of(one, other))) - kl) < 1e-9
    counts = np.arange(200)
    mass = [np.exp(special.xlogy(counts, m) - m - special.gammaln(counts + 1)) for m in (2.5, 7.0)]
    assert float(variation_of(Poisson("2.5"), Poisson(7))) == pytest.approx(np.abs(mass[0] - mass[1]).sum() / 2, 1e-12)
    assert float(divergence_of(Poisson("2.5"), Poisson(7))) == pytest.approx(
        np.sum(mass[0] * np.log(mass[0] / mass[1])), 1e-12
    )
