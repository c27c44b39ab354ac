r"""Subgaussian variables in the thesis: the definition, the Chernoff tail, the calculus, and the confidence radius."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.curvature import cumulant_over_square
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.privacy_regimes import entropy_class
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.numeric import SYMBOL, absolute, exp, log, sqrt, system, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
EVERY_LAW = "all: every subgaussian variable"


def real(names: str) -> Any:
    import sympy

    return sympy.symbols(names, real=True)


def positive(names: str) -> Any:
    import sympy

    return sympy.symbols(names, positive=True)


def nonnegative(names: str) -> Any:
    import sympy

    return sympy.symbols(names, nonnegative=True)


def moment_bound(lam: Any, sigma: Any) -> Any:
    """log of the bound on E e^(lam X) that sigma-subgaussian stands for."""
    return lam**2 * sigma**2 / 2


# ------------------------------------------------------------------------------------------------ Definition 2.20


def shifted_moment(mean: Any, sigma: Any, scale: Any) -> Sides:
    """log E e^(lam X) >= lam E X (Jensen) against the bound, at lam = mean / sigma^2."""
    lam = scale * mean / sigma**2
    return moment_bound(lam, sigma), "<", lam * mean


def nonzero_mean() -> SymbolicArgument:
    import sympy

    mean, sigma = sympy.Symbol("m", real=True, nonzero=True), positive("s")
    return SymbolicArgument({"mean": mean, "sigma": sigma}, mean**2 / (2 * sigma**2), "positive")


parts_decide(
    "TH-D2.20",
    r"$X$ is $\sigma$-subgaussian if $\mathbb E e^{\lambda X}\le e^{\lambda^2\sigma^2/2}$ for all real $\lambda$; "
    r"then its mean is zero.",
)


@claim(
    "TH-D2.20/mean-zero",
    r"A mean $m\ne0$ is impossible: at $\lambda=<scale>m/\sigma^2$ the bound $\lambda^2\sigma^2/2$ lies below "
    r"$\lambda m\le\log\mathbb E e^{\lambda X}$.",
    domain=Domain.of(mean="(-inf, inf)", sigma="(0, inf)", where=["mean != 0"]), constants={"scale": 1},
    mutations=[mutation("2 m / sigma^2", scale=2)], strongest="symbolic",
)  # fmt: skip
def mean_is_zero(check: Check) -> None:
    if not check.search(shifted_moment, [{"mean": Fraction(1), "sigma": Fraction(1)}]):
        check.symbolic(shifted_moment, nonzero_mean, routes=("the bound", "Jensen's inequality"))


def gaussian_moment(lam: Any, sigma: Any, half: Any) -> Sides:
    """The exponent of the Gaussian integral after completing the square: lam t - t^2 / (2 sigma^2) at its top."""
    top = lam * sigma**2
    return lam * top - top**2 / (2 * sigma**2), "==", half * lam**2 * sigma**2


def any_tilt() -> SymbolicArgument:
    return SymbolicArgument({"lam": real("l"), "sigma": positive("s")}, 0, "zero")


@claim(
    "TH-D2.20/gaussian",
    r"A centred Gaussian attains the bound: $\log\mathbb E e^{\lambda X}=<half>\lambda^2\sigma^2$ (a square).",
    domain=Domain.of(lam="(-inf, inf)", sigma="(0, inf)"), constants={"half": "1/2"},
    mutations=[mutation("0.49", half="0.49")], strongest="symbolic",
)  # fmt: skip
def gaussian_attains_it(check: Check) -> None:
    if not check.search(gaussian_moment, [{"lam": Fraction(1), "sigma": Fraction(1)}]):
        check.symbolic(gaussian_moment, any_tilt)


# ------------------------------------------------------------------------------------------------------ Lemma 2.21


def chernoff_exponent(epsilon: Any, sigma: Any, half: Any) -> Sides:
    """The exponent of Markov's bound at the printed lam = epsilon / sigma^2."""
    lam = epsilon / sigma**2
    return moment_bound(lam, sigma) - lam * epsilon, "==", -half * epsilon**2 / sigma**2


def any_deviation() -> SymbolicArgument:
    return SymbolicArgument({"epsilon": nonnegative("e"), "sigma": positive("s")}, 0, "zero")


def any_other_tilt(epsilon: Any, sigma: Any, lam: Any, half: Any) -> Sides:
    return -half * epsilon**2 / sigma**2, "<=", moment_bound(lam, sigma) - lam * epsilon


def any_other_tilt_argument() -> SymbolicArgument:
    epsilon, sigma, lam = nonnegative("e"), positive("s"), positive("l")
    square = (lam * sigma**2 - epsilon) ** 2 / (2 * sigma**2)
    return SymbolicArgument({"epsilon": epsilon, "sigma": sigma, "lam": lam}, square, "nonnegative")


DEVIATION = Domain.of(epsilon="[0, inf)", sigma="(0, inf)")
CHERNOFF = derivation(
    [fact(chernoff_exponent, DEVIATION, any_deviation)],
    "Markov's inequality for e^(lam X), with the bound on E e^(lam X), at lam = epsilon / sigma^2; for epsilon = 0 the "
    "bound is 1",
)


def tail_of(law: Any, epsilon: Any, sigma: Any, half: Any) -> Sides:
    """P[X >= epsilon] for a centred Gaussian, or for the sum of sigma^2 random signs."""
    if law == "gaussian":
        tail = (epsilon / (sigma * sqrt(to_ball(2)))).erfc() / 2
    else:
        steps = int((sigma**2).unique_fmpz())
        ways = sum(comb(steps, ups) for ups in range(steps + 1) if to_ball(2 * ups - steps) >= epsilon)
        tail = to_ball(Fraction(ways, 2**steps))
    return tail, "<=", exp(-half * epsilon**2 / sigma**2)


@claim(
    "TH-L2.21",
    r"A $\sigma$-subgaussian $X$ has $\Pr(X\ge\varepsilon)\le e^{-<half>\varepsilon^2/\sigma^2}$, $\varepsilon\ge0$.",
    domain=Domain.of(law=EVERY_LAW, epsilon="[0, inf)", sigma="(0, inf)"), constants={"half": "1/2"},
    mutations=[mutation("exponent 0.55", half="0.55")], strongest="certificate",
)  # fmt: skip
def chernoff_tail(check: Check) -> None:
    over = {"law": ["gaussian", "signs"], "epsilon": [0, 1, 2, 3, 7, 10, 24], "sigma": [1, 2, 3, 5]}
    covers = check.domain.restrict(
        law="all: Gaussians and sums of random signs", epsilon=over["epsilon"], sigma=over["sigma"]
    )
    if check.enumerate(tail_of, over, covers=covers, routes=("exact tail", "the bound")):
        check.certificate(facts_hold, CHERNOFF, routes=("exponent, symbolically", "Markov's inequality"))


@claim(
    "TH-L2.21/best-tilt",
    r"$\lambda=\varepsilon/\sigma^2$ is the best choice: no $\lambda>0$ has "
    r"$\frac{\lambda^2\sigma^2}2-\lambda\varepsilon<-<half>\frac{\varepsilon^2}{\sigma^2}$.",
    domain=Domain.of(epsilon="[0, inf)", sigma="(0, inf)", lam="(0, inf)"), constants={"half": "1/2"},
    mutations=[mutation("0.49", half="0.49")], role="step", strongest="symbolic",
)  # fmt: skip
def best_tilt(check: Check) -> None:
    if not check.search(any_other_tilt, [{"epsilon": Fraction(1), "sigma": Fraction(1), "lam": Fraction(1)}]):
        check.symbolic(any_other_tilt, any_other_tilt_argument, routes=("the bound", "every other tilt"))


def gaussian_tail(epsilon: Any, half: Any) -> Sides:
    """P[N(0, 1) >= epsilon] against e^(-epsilon^2/2), both times e^(epsilon^2/2): Mills' ratio against its bound."""
    return (epsilon / sqrt(to_ball(2))).erfc() / 2, "<=", exp(-half * epsilon**2)


@claim(
    "TH-L2.21/gaussian",
    r"For the standard Gaussian $\Pr(X\ge\varepsilon)\le e^{-<half>\varepsilon^2}$, for $\varepsilon\le8$ by its exact "
    r"tail.",
    domain=Domain.of(epsilon="[0, 8]"), constants={"half": "1/2"}, mutations=[mutation("0.6", half="0.6")],
    role="remark", strongest="interval",
)  # fmt: skip
def gaussian_tails(check: Check) -> None:
    if not check.search(gaussian_tail, [{"epsilon": Fraction(e)} for e in (1, 2, 4, 8)]):
        check.interval(gaussian_tail, routes=("complementary error function", "the bound"))


# ------------------------------------------------------------------------------------------------------ Lemma 2.22


def scaled_bound(lam: Any, c: Any, sigma: Any, power: Any) -> Sides:
    """E e^(lam c X) is bounded at lam c; against the bound of a |c| sigma-subgaussian variable at lam."""
    size = absolute(c) if system(c) == SYMBOL else abs(c)
    return moment_bound(lam * c, sigma), "<=", moment_bound(lam, size**power * sigma)


def any_scale() -> SymbolicArgument:
    return SymbolicArgument({"lam": real("l"), "c": real("c"), "sigma": positive("s")}, 0, "nonnegative")


@claim(
    "TH-L2.22/scaling", r"(1) $cX$ is $|c|^{<power>}\sigma$-subgaussian for real $c$: the bound at $\lambda c$.",
    domain=Domain.of(lam="(-inf, inf)", c="(-inf, inf)", sigma="(0, inf)"), constants={"power": 1},
    mutations=[mutation("c^2 sigma", power=2)], strongest="symbolic",
)  # fmt: skip
def scaling(check: Check) -> None:
    if not check.search(
        scaled_bound, [{"lam": Fraction(1), "c": Fraction(c, 2), "sigma": Fraction(1)} for c in (1, 4)]
    ):
        check.symbolic(scaled_bound, any_scale, routes=("the bound at c lam", "the bound of c sigma"))


def sum_bound(lam: Any, sigma_1: Any, sigma_2: Any, power: Any) -> Sides:
    """E e^(lam (X + Y)) = E e^(lam X) E e^(lam Y): the exponents of the bounds add up."""
    total = moment_bound(lam, sigma_1) + moment_bound(lam, sigma_2)
    together = sigma_1**2 + sigma_2**2 if power == 2 else (sigma_1**power + sigma_2**power) ** (2 / power)
    return total, "<=", lam**2 * together / 2


def any_pair() -> SymbolicArgument:
    sigma_1, sigma_2 = positive("s t")
    return SymbolicArgument({"lam": real("l"), "sigma_1": sigma_1, "sigma_2": sigma_2}, 0, "nonnegative")


PAIRS = Domain.of(lam="(-inf, inf)", sigma_1="(0, inf)", sigma_2="(0, inf)")
PRODUCTS = "e^(lam (X + Y)) is a product of independent factors, whose expectations multiply"


@claim(
    "TH-L2.22/sum",
    r"(2) the sum of independent $\sigma_1$- and $\sigma_2$-subgaussian variables is "
    r"$(\sigma_1^{<power>}+\sigma_2^{<power>})^{1/<power>}$-subgaussian: moments multiply.",
    domain=PAIRS, constants={"power": 2}, mutations=[mutation("cubes", power=3)], strongest="certificate",
)  # fmt: skip
def sums(check: Check) -> None:
    if not check.search(sum_bound, [{"lam": Fraction(1), "sigma_1": Fraction(1), "sigma_2": Fraction(1)}]):
        check.certificate(facts_hold, derivation([fact(sum_bound, PAIRS, any_pair)], PRODUCTS))


def chord(low: Any, width: Any, share: Any, weight: Any) -> Sides:
    """e^t at t = low + share width against the chord of e^t over [low, low + width], divided by e^t."""
    above, below = exp((1 - share) * width), exp(-share * width)
    return weight, "<=", (1 - share) * below + share * above + 0 * low


def chord_argument() -> SymbolicArgument:
    import sympy

    w, d, E = nonnegative("w"), nonnegative("d"), entropy_class()
    share, width = w / (1 + w), d
    certificate = E(1, sympy.exp(-share * width)) / (1 + w) + share * E(1, sympy.exp(width / (1 + w)))
    return SymbolicArgument({"low": real("a"), "width": width, "share": share}, certificate, "nonnegative")


CHORDS = Domain.of(low="(-inf, inf)", width="[0, inf)", share="[0, 1)")
EXPECTED = "the expectation of the chord of e^(lam x) over [a, b] at mean zero is the moment of the two values a and b"


@claim(
    "TH-L2.22/bounded",
    r"(3) $X\in[a,b]$ of mean zero is $\frac{b-a}2$-subgaussian: $e^{\lambda x}$ lies below its chord "
    r"($<weight>e^{(1-\theta)u+\theta v}\le(1-\theta)e^u+\theta e^v$), and the two values $a,b$ are an instance.",
    domain=CHORDS, constants={"weight": 1}, mutations=[mutation("1.01", weight="1.01")], strongest="certificate",
)  # fmt: skip
def bounded_variables(check: Check) -> None:
    if not check.search(chord, [{"low": Fraction(0), "width": Fraction(1, 10), "share": Fraction(1, 2)}]):
        check.certificate(facts_hold, derivation([fact(chord, CHORDS, chord_argument)], EXPECTED))


def two_point_moment(p: Any, lam: Any, factor: Any) -> Sides:
    """log E e^(lam (X - p)) / lam^2 for X ~ Bernoulli(p): the moment bound of a variable of width 1."""
    return cumulant_over_square(p, lam), "<=", factor / 8


TWO_POINTS = Domain.of(p="[0, 1]", lam="(-inf, inf)", where=["lam != 0"])  # at lam = 0 both sides are 0
HOEFFDING = {"lam": ("t", "(-1, 1)", "t/(1 - t**2)")}
HOEFFDING_ROUTES = ("Taylor's formula for log E e^(lam (X - p)), divided by lam^2", "1/8")


def hoeffding(check: Check) -> None:
    hints = [{"p": Fraction(1, 2), "lam": Fraction(1, n)} for n in (1, 10, 100, 1000)]
    if not check.search(two_point_moment, hints):
        check.interval(two_point_moment, substitutions=HOEFFDING, routes=HOEFFDING_ROUTES)


@claim(
    "TH-L2.22/two-values",
    r"(3) for two values, at distance 1: $\log\mathbb E e^{\lambda(X-p)}\le<factor>\lambda^2/8$.",
    domain=TWO_POINTS, constants={"factor": 1}, mutations=[mutation("0.99", factor="0.99")], strongest="interval",
)  # fmt: skip
def two_values(check: Check) -> None:
    hoeffding(check)


parts_decide(
    "TH-L2.22",
    r"(1) $cX$ is $|c|\sigma$-subgaussian; (2) independent sums are $\sqrt{\sigma_1^2+\sigma_2^2}$-subgaussian; (3) "
    r"$X\in[a,b]$ of mean zero is $\frac{b-a}2$-subgaussian.",
)


CENTRED: dict[str, Any] = {
    "statement": r"A Bernoulli variable, centred, is $\frac12$-subgaussian whatever its mean: "
    r"$\log\mathbb E e^{\lambda(X-p)}\le<factor>\frac{\lambda^2}2\cdot\frac14$.",
    "domain": TWO_POINTS,
    "constants": {"factor": 1},
    "mutations": [mutation("0.99", factor="0.99")],
    "strongest": "interval",
}


@claim("TH-S2.2e/centred", role="repair", repairs="TH-S2.2e/not-centred", **CENTRED)
@claim("TH-S2.2e", **CENTRED)
def bernoulli_is_subgaussian(check: Check) -> None:
    hoeffding(check)


def uncentred_moment(p: Any, lam: Any) -> Sides:
    return log(1 + p * (exp(lam) - 1)), "<=", lam**2 / 8


@claim(
    "TH-S2.2e/not-centred",
    r"Read literally, without centring: $\mathbb E e^{\lambda X}\le e^{\lambda^2/8}$ for $X\sim\mathrm{Ber}(p)$.",
    domain=TWO_POINTS, role="reading",
)  # fmt: skip
def not_centred(check: Check) -> None:
    # a subgaussian variable has mean zero, Bernoulli variables do not unless p = 0
    check.counterexample(uncentred_moment, {"p": Fraction(1), "lam": Fraction(1)})
