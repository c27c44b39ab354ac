"""Section 2.3.7 of the thesis: privacy audits, their guarantees by exact enumeration of binomial counts."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb, inf, isqrt, log
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.verify.channels import random_channel
from banditproof.verify.domain import Domain
from banditproof.verify.statistics import binomial_interval

AUDITS = Domain.of(T="integer [1, inf)", p_0="[0, 1]", p_1="[0, 1]", gamma="(0, 1)")
ROUNDS = (1, 5, 20, 40)
LEVELS = (Fraction(1, 20), Fraction(1, 4))
PAIRS = (  # probabilities of the event on the two data sets
    (Fraction(1, 2), Fraction(1, 2)),
    (Fraction(3, 4), Fraction(1, 4)),
    (Fraction(1, 20), Fraction(1, 60)),
    (Fraction(1), Fraction(9, 10)),
    (Fraction(0), Fraction(0)),
)


@cache
def counts(trials: int, p: Fraction) -> tuple[Fraction, ...]:
    """The law of a binomial count."""
    return tuple(comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(trials + 1))


def root(value: Fraction) -> Fraction:
    """A rational square root, rounded down at 12 digits (radii that are a little too small favour violations)."""
    return Fraction(isqrt(int(value * 10**24)), 10**12)


@cache
def radius(T: int, gamma: Fraction, share: Fraction, scale: Fraction) -> Fraction:
    """Hoeffding's radius scale * sqrt(log(share/gamma)/2)/sqrt(T), rounded down."""
    return scale * root(Fraction(log(share / gamma)) / (2 * T))


def estimate(first: Fraction, second: Fraction, widths: tuple[Fraction, Fraction], delta: Fraction) -> Fraction:
    """e^epsilon_low: the printed maximum, 1 where a numerator is not positive (its logarithm is then left out)."""
    upper = (first - delta - widths[0]) / (second + widths[1])
    lower = (second - delta - widths[1]) / (first + widths[0])
    return max(Fraction(1), upper, lower)


@cache
def tight_ratio(p: Fraction, q: Fraction, delta: Fraction = Fraction(0)) -> Fraction | float:
    """e^epsilon of the tightest epsilon at delta of a mechanism whose event probabilities are p and q."""
    sides = ((p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p))
    ratios = ((a - delta) / b if b else inf if a > delta else Fraction(1) for a, b in sides)
    return max(Fraction(1), *ratios)


def false_claims(T: int, p_0: Fraction, p_1: Fraction, delta: Fraction, widths: Any) -> Fraction:
    """The exact probability that the recipe returns more than the true epsilon; widths(k, j) are the two radii."""
    truth = tight_ratio(p_0, p_1, delta)
    total = Fraction(0)
    for k, x in enumerate(counts(T, p_0)):
        for j, y in enumerate(counts(T, p_1)):
            if x and y and estimate(Fraction(k, T), Fraction(j, T), widths(k, j), delta) > truth:
                total += x * y
    return total


def recipe_error(T: int, p_0: Fraction, p_1: Fraction, gamma: Fraction, share: Fraction, scale: Fraction) -> Any:
    width = radius(T, gamma, share, scale)
    return false_claims(T, p_0, p_1, Fraction(0), lambda k, j: (width, width)), "<=", gamma


def audit_points(rounds: Any = ROUNDS) -> list[dict[str, Any]]:
    return [{"T": T, "p_0": p, "p_1": q, "gamma": g} for T in rounds for p, q in PAIRS for g in LEVELS]


@claim(
    "TH-D2.34",
    r"An audit is $\gamma$-correct when $\Pr(\varepsilon_{\rm low}>\varepsilon)\le\gamma$, $\varepsilon$ being the "
    r"tightest: with Clopper-Pearson ends at level $<share>\,\gamma$ for each count the recipe is.",
    domain=AUDITS,
    constants={"share": "1/2"},
    mutations=[mutation("eight times the level", share=8)],
    strongest="enumeration",
)
def correct_audit(check: Check) -> None:
    """Exact probabilities over both counts on mechanisms with known epsilon."""
    points = [point for point in audit_points((5, 20)) if point["gamma"] == Fraction(1, 20)]
    check.enumerate(clopper_pearson_error, points, rational=True, routes=("exact error probability", "gamma"))


def clopper_pearson_error(T: int, p_0: Fraction, p_1: Fraction, gamma: Fraction, share: Fraction) -> Any:
    error = share * gamma

    @cache
    def ends(k: int) -> tuple[Fraction, Fraction]:
        low, high = binomial_interval(k, T, error)
        return Fraction(low), Fraction(high)

    truth = tight_ratio(p_0, p_1)
    total = Fraction(0)
    for k, x in enumerate(counts(T, p_0)):
        for j, y in enumerate(counts(T, p_1)):
            low, high = ends(k), ends(j)
            found = max(low[0] / high[1] if high[1] else inf, high[0] / low[1] if low[1] else inf)
            total += x * y if found > truth else 0
    return total, "<=", gamma


# -- the standard recipe --------------------------------------------------------------------------------------

parts_decide(
    "TH-A2.AUD",
    r"With $T$ runs on each data set and radii $C/\sqrt T$ that hold jointly with probability $1-\gamma$, "
    r"$\varepsilon_{\rm low}=\max\{0,\log\frac{\hat p_0-C_0/\sqrt T}{\hat p_1+C_1/\sqrt T},\log\frac{\hat "
    r"p_1-C_1/\sqrt T}{\hat p_0+C_0/\sqrt T}\}$ is $\gamma$-correct.",
    domain=AUDITS,
)


@claim(
    "TH-A2.AUD/recipe",
    r"With $C_0=C_1=<scale>\sqrt{\log(<share>/\gamma)/2}$: $\Pr(\varepsilon_{\rm low}>\varepsilon)\le\gamma$ (a "
    r"logarithm of a number that is not positive is left out).",
    domain=AUDITS,
    constants={"share": 4, "scale": 1},
    mutations=[mutation("a quarter of the radii", scale="1/4")],
    strongest="enumeration",
)
def standard_recipe(check: Check) -> None:
    """The exact error probability over both counts, at several numbers of runs, events and levels."""
    check.enumerate(recipe_error, audit_points(), rational=True, routes=("exact error probability", "gamma"))


def coverage(T: int, p_0: Fraction, gamma: Fraction, share: Fraction, scale: Fraction) -> tuple[Any, str, Any]:
    width = radius(T, gamma, share, scale)
    return (
        sum((x for k, x in enumerate(counts(T, p_0)) if abs(Fraction(k, T) - p_0) > width), Fraction(0)),
        "<=",
        gamma / 2,
    )


@claim(
    "TH-A2.AUD/radii",
    r"There are $C_0(\gamma)$, $C_1(\gamma)$ free of $T$: $\Pr(|\hat p-p|>C/\sqrt T)\le\gamma/2$ with $C=<scale>\sqrt{"
    r"\log(<share>/\gamma)/2}$.",
    domain=Domain.of(T="integer [1, inf)", p_0="[0, 1]", gamma="(0, 1)"),
    constants={"share": 4, "scale": 1},
    mutations=[mutation("half the radius", scale="1/2")],
    strongest="enumeration",
)
def radii_free_of_the_runs(check: Check) -> None:
    """Hoeffding's inequality and the union bound, against exact binomial tails."""
    tested = (Fraction(0), Fraction(1, 50), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10))
    over = {"T": [1, 2, 5, 20, 100], "p_0": tested, "gamma": [Fraction(1, 100), Fraction(1, 10), Fraction(9, 10)]}
    check.enumerate(coverage, over, rational=True, routes=("exact binomial tail", "half of gamma"))


def ideal_bound(mechanism: int, factor: Fraction) -> tuple[Any, str, Any]:
    """The ratio of the true probabilities of each event, against the mechanism's exact ratio."""
    channel = random_channel(mechanism, 2, outputs=3, smallest_weight=1)
    left, right = channel.laws[0, 0], channel.laws[0, 1]
    events = [[o for o in left if code >> o & 1] for code in range(1, 8)]
    worst = max(max(p / q, q / p) for e in events for p, q in [(sum(left[o] for o in e), sum(right[o] for o in e))])
    singles = max(max(left[o] / right[o], right[o] / left[o]) for o in left)
    return worst, "==", factor * singles


@claim(
    "TH-A2.AUD/ideal",
    r"$\max\{\log(p_0/p_1),\log(p_1/p_0)\}$ of the true probabilities is at most $\varepsilon$, and the best event "
    r"reaches it (factor $<factor>$ on $e^\varepsilon$).",
    domain=Domain.of(mechanism="all: every mechanism"),
    constants={"factor": 1},
    mutations=[mutation("factor 0.99", factor="0.99")],
    strongest="enumeration",
)
def ideal_audit(check: Check) -> None:
    """Every event of random mechanisms on two neighbouring data sets."""
    points = [{"mechanism": s} for s in range(20)]
    check.enumerate(ideal_bound, points, rational=True, routes=("best event", "tightest epsilon of the pair"))


def wilson_coverage(T: int, p_0: Fraction, gamma: Fraction) -> tuple[Any, str, Any]:
    """The probability that Wilson's interval at level gamma misses p; its ends solve (k/T - p)^2 = z^2 p (1-p)/T."""
    from scipy.stats import norm

    z2 = Fraction(float(norm.isf(float(gamma) / 2)) ** 2)
    missed = [x for k, x in enumerate(counts(T, p_0)) if (Fraction(k, T) - p_0) ** 2 * T > z2 * p_0 * (1 - p_0)]
    return sum(missed, Fraction(0)), "<=", gamma


@claim(
    "TH-A2.AUD/wilson",
    r"Wilson's interval, one of the named choices, misses $p$ with probability at most $\gamma$ for every $T$ and $p$.",
    role="reading",
    domain=Domain.of(T="integer [1, inf)", p_0="[0, 1]", gamma="(0, 1)"),
    strongest="enumeration",
)
def wilson_intervals(check: Check) -> None:
    """Its guarantee is asymptotic: at T = 10 and p = 1/100 one success already leads it to exclude p."""
    point = {"T": 10, "p_0": Fraction(1, 100), "gamma": Fraction(1, 20)}
    check.counterexample(wilson_coverage, point, rational=True)


# -- the audit through membership games -----------------------------------------------------------------------

parts_decide(
    "TH-A2.AUDMI",
    r"$T$ rounds of the game, $\hat\alpha_T$, $\hat\beta_T$ the proportions of wrong guesses among the rounds with "
    r"$b=0$ and $b=1$: $\varepsilon^{\rm MI}_{\rm low}=\max\{0,\log\frac{1-\hat\beta_T-C'_1/\sqrt "
    r"T}{\hat\alpha_T+C'_0/\sqrt T},\log\frac{1-\hat\alpha_T-C'_0/\sqrt T}{\hat\beta_T+C'_1/\sqrt T}\}$ is "
    r"$\gamma$-correct.",
)

ERRORS = Domain.of(T="integer [1, inf)", alpha="[0, 1]", beta="[0, 1]", gamma="(0, 1)")


def inverted_errors(alpha: Fraction, beta: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    """The bound from the errors against the smallest ratio that (2.28) and (2.29) allow."""
    needed = max(Fraction(1), (1 - alpha) / beta, (1 - beta) / alpha)
    holds = alpha + needed * beta >= 1 and needed * alpha + beta >= 1
    smaller = needed * factor
    fails = smaller < 1 or alpha + smaller * beta < 1 or smaller * alpha + beta < 1
    return (holds, fails), "==", (True, needed > 1)


@claim(
    "TH-A2.AUDMI/inversion",
    r"Inverting (2.28) and (2.29) with $\delta=0$: the smallest $\varepsilon$ is "
    r"$\max\{0,\log\frac{1-\beta}\alpha,\log\frac{1-\alpha}\beta\}$ (at $<factor>$ times its exponential an "
    r"inequality fails).",
    domain=Domain.of(alpha="(0, 1]", beta="(0, 1]", where=["alpha + beta < 1"]),
    constants={"factor": "0.999"},
    mutations=[mutation("1.001", factor="1.001")],
    strongest="enumeration",
)
def inversion(check: Check) -> None:
    """Both inequalities at the bound and just below it."""
    tested = [Fraction(1, 100), Fraction(1, 10), Fraction(3, 10), Fraction(1, 2), Fraction(7, 10)]
    points = [{"alpha": a, "beta": b} for a in tested for b in tested if a + b < 1]
    check.enumerate(inverted_errors, points, rational=True, routes=("inequalities", "inverted bound"))


RATE = Fraction(566, 1000)  # -log((1 + e^-2)/2) is 0.5662...


def game_radius(T: int, gamma: Fraction, scale: Fraction) -> Fraction:
    """scale * sqrt(log(4/gamma)/RATE)/sqrt(T), rounded down."""
    return scale * root(Fraction(log(4 / gamma)) / (RATE * T))


def random_rounds(T: int, alpha: Fraction, gamma: Fraction, scale: Fraction) -> tuple[Any, str, Any]:
    """Pr(|proportion - alpha| > radius) over the number of rounds with b = 0; without any the proportion is 0."""
    width, total = game_radius(T, gamma, scale), Fraction(0)
    for n, chance in enumerate(counts(T, Fraction(1, 2))):
        shares = [Fraction(k, n) for k in range(n + 1)] if n else [Fraction(0)]
        law = counts(n, alpha)
        total += chance * sum(
            (x for x, share in zip(law, shares, strict=True) if abs(share - alpha) > width), Fraction(0)
        )
    return total, "<=", gamma / 2


@claim(
    "TH-A2.AUDMI/radii",
    r"There are $C'_0$, $C'_1$ free of $T$ for proportions among the rounds with the given $b$: "
    r"$\Pr(|\hat\alpha_T-\alpha|>C'/\sqrt T)\le\gamma/2$ with $C'=<scale>\sqrt{\log(4/\gamma)/0.566}$.",
    domain=Domain.of(T="integer [1, inf)", alpha="[0, 1]", gamma="(0, 1)"),
    constants={"scale": 1},
    mutations=[mutation("a quarter", scale="1/4")],
    strongest="enumeration",
)
def radii_for_random_rounds(check: Check) -> None:
    """For T <= C'^2 there is nothing to show; else Hoeffding given the number N of rounds and E e^(-2NC'^2/T)."""
    over = {"T": [1, 3, 10, 40], "alpha": [Fraction(0), Fraction(1, 10), Fraction(1, 2)], "gamma": LEVELS}
    check.enumerate(random_rounds, over, rational=True, routes=("exact tail over N and the count", "half of gamma"))


def game_audit_error(T: int, alpha: Fraction, beta: Fraction, gamma: Fraction, delta: Fraction, scale: Fraction) -> Any:
    """Pr(epsilon_low^MI > epsilon) over the number of rounds with b = 0 and both counts of wrong guesses."""
    truth = max(Fraction(1), (1 - delta - alpha) / beta, (1 - delta - beta) / alpha)
    width, total = game_radius(T, gamma, Fraction(scale)), Fraction(0)
    for n, chance in enumerate(counts(T, Fraction(1, 2))):
        for k, x in enumerate(counts(n, alpha)):
            for j, y in enumerate(counts(T - n, beta)):
                a, b = Fraction(k, max(n, 1)), Fraction(j, max(T - n, 1))
                found = max((1 - delta - b - width) / (a + width), (1 - delta - a - width) / (b + width))
                total += chance * x * y if found > truth else 0
    return total, "<=", gamma


GAMES = [
    {"T": T, "alpha": a, "beta": b, "gamma": g}
    for T in (2, 8, 24)
    for a, b in ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 5), Fraction(7, 10)), (Fraction(1, 50), Fraction(1, 2)))
    for g in LEVELS
]


@claim(
    "TH-A2.AUDMI/recipe",
    r"With proportions among the rounds with the given $b$ and $<scale>$ times those radii: $\Pr(\varepsilon^{\rm "
    r"MI}_{\rm low}>\max\{0,\log\frac{1-\beta}\alpha,\log\frac{1-\alpha}\beta\})\le\gamma$.",
    domain=ERRORS,
    constants={"scale": 1, "delta": 0},
    mutations=[mutation("a tenth of the radii", scale="1/10")],
    strongest="enumeration",
)
def audit_through_games(check: Check) -> None:
    """All counts of wrong guesses and of rounds, for several adversaries (no rounds with some b: proportion 0)."""
    check.enumerate(game_audit_error, GAMES, rational=True, routes=("probability over all counts", "gamma"))


def whole_proportions(T: int, gamma: Fraction) -> tuple[Any, str, Any]:
    """Proportions among all T rounds, a fair-coin guesser (epsilon = 0): the bound is positive iff errors are few.

    The number of wrong guesses is Binomial(T, 1/2), and the bound is positive iff it is below T (1 - 2 radius).
    """
    limit = T * (1 - 2 * game_radius(T, gamma, Fraction(1)))
    return sum((x for k, x in enumerate(counts(T, Fraction(1, 2))) if k < limit), Fraction(0)), "<=", gamma


@claim(
    "TH-A2.AUDMI/all-rounds",
    r"Read with proportions among all $T$ rounds: the estimate is $\gamma$-correct.",
    role="reading",
    domain=Domain.of(T="integer [1, inf)", gamma="(0, 1)"),
    strongest="enumeration",
)
def proportions_of_all_rounds(check: Check) -> None:
    """They estimate alpha/2 and beta/2, so that a guesser by a coin looks like epsilon = log 3."""
    check.counterexample(whole_proportions, {"T": 400, "gamma": Fraction(1, 20)}, rational=True)


# -- approximate privacy --------------------------------------------------------------------------------------


def recipe_error_at_delta(
    T: int, p_0: Fraction, p_1: Fraction, gamma: Fraction, delta: Fraction, subtracted: Fraction
) -> tuple[Any, str, Any]:
    """The recipe with part of delta subtracted, against the tightest epsilon at delta."""
    width = radius(T, gamma, Fraction(4), Fraction(1))
    truth, total = tight_ratio(p_0, p_1, delta), Fraction(0)
    for k, x in enumerate(counts(T, p_0)):
        for j, y in enumerate(counts(T, p_1)):
            found = estimate(Fraction(k, T), Fraction(j, T), (width, width), subtracted * delta)
            total += x * y if found > truth else 0
    return total, "<=", gamma


@claim(
    "TH-D2.35",
    r"With $<subtracted>\,\delta$ subtracted in each numerator, $\Pr(\varepsilon_{\rm "
    r"low}(\delta)>\varepsilon(\delta))\le\gamma$ for every $\delta\in(0,1)$.",
    domain=AUDITS.restrict(delta="(0, 1)"),
    constants={"subtracted": 1},
    mutations=[mutation("delta not subtracted", subtracted=0)],
    strongest="enumeration",
)
def audit_of_approximate_privacy(check: Check) -> None:
    """Exact probabilities over both counts, for mechanisms with known epsilon(delta)."""
    cases = [(Fraction(9, 10), Fraction(1, 10)), (Fraction(3, 5), Fraction(1, 5)), (Fraction(1), Fraction(0))]
    points = [
        {"T": T, "p_0": p, "p_1": q, "gamma": g, "delta": d}
        for T in (5, 40)
        for p, q in cases
        for g in LEVELS
        for d in (Fraction(1, 100), Fraction(1, 2), Fraction(4, 5))
    ]
    check.enumerate(recipe_error_at_delta, points, rational=True, routes=("exact error probability", "gamma"))


@claim(
    "TH-D2.35/games",
    r"The same through games: with $<delta>$ subtracted in both numerators the estimate exceeds "
    r"$\max\{0,\log\frac{1-\delta-\beta}\alpha,\log\frac{1-\delta-\alpha}\beta\}$ with probability at most $\gamma$.",
    domain=ERRORS,
    constants={"scale": 1, "delta": "1/10"},
    mutations=[mutation("a tenth of the radii", scale="1/10")],
    strongest="enumeration",
)
def audit_of_approximate_privacy_through_games(check: Check) -> None:
    """All counts of wrong guesses and of rounds."""
    check.enumerate(game_audit_error, GAMES, rational=True, routes=("probability over all counts", "gamma"))
