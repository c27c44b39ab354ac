r"""The confidence radius of the thesis (Section 2.2.5): the mean of 1-subgaussian deviations."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_subgaussian import moment_bound, nonnegative, positive, real
from banditproof.theory.numeric import SYMBOL, exp, log, sqrt, system, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]


def mean_of_samples(lam: Any, samples: Any, root: Any) -> Sides:
    """`samples` bounds at lam / samples add up to the bound of a samples^(-root)-subgaussian variable."""
    return samples * moment_bound(lam / samples, 1), "==", moment_bound(lam, samples ** (-root))


def any_samples() -> SymbolicArgument:
    import sympy

    samples = sympy.Symbol("n", integer=True, positive=True)
    return SymbolicArgument({"lam": real("l"), "samples": samples}, 0, "zero")


parts_decide(
    "TH-S2.2c",
    r"For i.i.d. rewards with 1-subgaussian deviations $\hat\mu_T-\mu$ is $1/\sqrt T$-subgaussian, "
    r"$\Pr(\hat\mu_T-\mu\ge\varepsilon)\le e^{-T\varepsilon^2/2}$, and with probability $1-\delta$, "
    r"$\mu\le\hat\mu_T+\sqrt{2\log(1/\delta)/T}$.",
)


@claim(
    "TH-S2.2c/deviation",
    r"$T$ bounds at $\lambda/T$ add up to the bound of a $T^{-<root>}$-subgaussian variable at $\lambda$.",
    domain=Domain.of(lam="(-inf, inf)", samples="integer [1, inf)"), constants={"root": "1/2"},
    mutations=[mutation("T^-0.6", root="0.6")], strongest="symbolic",
)  # fmt: skip
def mean_deviation(check: Check) -> None:
    if not check.search(mean_of_samples_in_balls, [{"lam": Fraction(1), "samples": 4}]):
        check.symbolic(mean_of_samples_in_balls, any_samples, routes=("sum of the bounds", "bound of the mean"))


def mean_of_samples_in_balls(lam: Any, samples: Any, root: Any) -> Sides:
    """As `mean_of_samples`; a count becomes a ball, so that its root can be taken."""
    if system(lam, samples) == SYMBOL:
        return mean_of_samples(lam, samples, root)
    count = to_ball(samples)
    return count * moment_bound(lam / count, 1), "==", moment_bound(lam, exp(-root * log(count)))


def tail_of_the_mean(epsilon: Any, samples: Any, half: Any) -> Sides:
    """The exponent of Lemma 2.21 with sigma = samples^(-1/2)."""
    variance = 1 / to_ball(samples) if system(epsilon) != SYMBOL else 1 / samples
    lam = epsilon / variance
    return lam**2 * variance / 2 - lam * epsilon, "==", -half * samples * epsilon**2


def tail_argument() -> SymbolicArgument:
    import sympy

    samples = sympy.Symbol("n", integer=True, positive=True)
    return SymbolicArgument({"epsilon": nonnegative("e"), "samples": samples}, 0, "zero")


TAILS = Domain.of(epsilon="[0, inf)", samples="integer [1, inf)")
MARKOV = "Markov's inequality as in Lemma 2.21, for the deviation of the mean"


@claim(
    "TH-S2.2c/tail", r"Lemma 2.21 then gives $\Pr(\hat\mu_T-\mu\ge\varepsilon)\le e^{-<half>T\varepsilon^2}$.",
    domain=TAILS, constants={"half": "1/2"}, mutations=[mutation("0.51", half="0.51")], strongest="certificate",
)  # fmt: skip
def mean_tail(check: Check) -> None:
    if not check.search(tail_of_the_mean, [{"epsilon": Fraction(1), "samples": 2}]):
        check.certificate(facts_hold, derivation([fact(tail_of_the_mean, TAILS, tail_argument)], MARKOV))


def radius(delta: Any, samples: Any, two: Any) -> Sides:
    """The exponent of the tail at the confidence radius, against log delta."""
    count = samples if system(delta) == SYMBOL else to_ball(samples)
    width = sqrt(two * log(1 / delta) / count)
    return -count * width**2 / 2, "<=", log(delta)


def radius_argument() -> SymbolicArgument:
    import sympy

    samples, u = sympy.Symbol("n", integer=True, positive=True), positive("u")
    return SymbolicArgument({"delta": sympy.exp(-u), "samples": samples}, 0, "nonnegative")


@claim(
    "TH-S2.2c/radius",
    r"At $\varepsilon=\sqrt{<two>\log(1/\delta)/T}$ the tail bound is $\delta$, so $\mu\le\hat\mu_T+\varepsilon$ with "
    r"probability $1-\delta$ (the deviation below the mean is subgaussian too).",
    domain=Domain.of(delta="(0, 1)", samples="integer [1, inf)"), constants={"two": 2},
    mutations=[mutation("1.9", two="1.9")], strongest="symbolic",
)  # fmt: skip
def confidence_radius(check: Check) -> None:
    if not check.search(radius, [{"delta": Fraction(1, 2), "samples": 1}]):
        check.symbolic(radius, radius_argument, routes=("the tail bound at the radius", "delta"))


def literal_mean(mean: Any, lam: Any) -> Sides:
    """A 1-subgaussian variable has E e^(lam X) <= e^(lam^2/2), hence lam E X <= lam^2/2 (Jensen)."""
    return lam * mean, "<=", moment_bound(lam, 1)


@claim(
    "TH-S2.2c/literal",
    r"Read literally, $X_t$ itself is 1-subgaussian and has mean $\mu$: $\lambda\mu\le\lambda^2/2$ for all $\lambda$.",
    domain=Domain.of(mean="(-inf, inf)", lam="(-inf, inf)"), role="reading",
)  # fmt: skip
def literal_samples(check: Check) -> None:
    # Definition 2.20 forces mean zero, so it can only be meant of X_t - mu
    check.counterexample(literal_mean, {"mean": Fraction(1), "lam": Fraction(1)})


@claim(
    "TH-S2.2c/deviations-instead",
    r"Of the deviation $X_t-\mu$, which has mean 0: $\lambda\cdot0\le<half>\lambda^2$.",
    domain=Domain.of(lam="(-inf, inf)"), role="repair", repairs="TH-S2.2c/literal", constants={"half": "1/2"},
    mutations=[mutation("a negative factor", half="-1/2")], strongest="symbolic",
)  # fmt: skip
def deviations_instead(check: Check) -> None:
    if not check.search(no_drift, [{"lam": Fraction(1)}]):
        check.symbolic(no_drift, no_drift_argument)


def no_drift(lam: Any, half: Any) -> Sides:
    return 0 * lam, "<=", half * lam**2


def no_drift_argument() -> SymbolicArgument:
    lam = real("l")
    return SymbolicArgument({"lam": lam}, lam**2 / 2, "nonnegative")
