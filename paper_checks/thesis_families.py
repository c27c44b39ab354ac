r"""The distinguishability gaps $\mathrm{KL}_{\inf}$ and $\mathrm{TV}_{\inf}$ of the thesis, and the KL-UCB index."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_background import ALTERNATIVES
from banditproof.paper_checks.bernoulli_dp_indices import printed_kl
from banditproof.paper_checks.bernoulli_dp_lai_robbins import (
    any_mean,
    any_mean_below_one,
    better_alternative,
    farther,
    farther_from_zero,
    infinite_at_an_impossible_mean,
    limit_in_the_first,
    mean_below_one,
    mean_one,
    near,
    near_alternative,
    near_from_zero,
    no_alternative,
    odds_nonzero,
    zero_on_the_diagonal,
)
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_subgaussian import positive, real
from banditproof.theory.atomic_families import Bounded, FiniteClass, FinitelySupported
from banditproof.theory.bernoulli import kl_ucb_index
from banditproof.theory.exponential_families import kl_gaussian
from banditproof.theory.families import Bernoulli
from banditproof.theory.numeric import log, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
SLACK = "1e-25"
HALF = Fraction(1, 2)
NEAR_HALF = [{"mu_a": HALF / 2, "mu_star": HALF, "m": HALF + Fraction(1, 10**n)} for n in (3, 5, 7)]

# ------------------------------------------------------------------------------------------------ Definition 2.25

parts_decide(
    "TH-D2.25",
    r"$\mathrm{kl}(p,q)=p\log\frac pq+(1-p)\log\frac{1-p}{1-q}$ on $[0,1]^2$, singular values by limits.",
    domain=Domain.of(p="[0, 1]", q="[0, 1]"), twins=["BDP-D2.1c"],
)  # fmt: skip


@claim(
    "TH-D2.25/first-is-zero", r"$\mathrm{kl}(0,q)=\lim_{p\to0}\mathrm{kl}(p,q)=-<scale>\log(1-q)$ (and mirrored).",
    domain=Domain.of(q="(0, 1)"), constants={"scale": 1}, mutations=[mutation("1 % less", scale="99/100")],
    strongest="symbolic", twins=["BDP-D2.1c"],
)  # fmt: skip
def entropy_of_mean_zero(check: Check) -> None:
    if not check.search(limit_in_the_first, [{"q": HALF}]):
        check.symbolic(limit_in_the_first, any_mean, points=8)


@claim(
    "TH-D2.25/diagonal", r"$\mathrm{kl}(p,p)=<shift>$, also at 0 and 1.", domain=Domain.of(p="[0, 1]"),
    constants={"shift": 0}, mutations=[mutation("0.001", shift="1/1000")], strongest="symbolic",
    twins=["BDP-D2.1c"],
)  # fmt: skip
def entropy_on_the_diagonal(check: Check) -> None:
    if not check.search(zero_on_the_diagonal, [{"p": HALF}]):
        check.symbolic(zero_on_the_diagonal, mean_below_one, check.domain.restrict(p="[0, 1)"))
        check.symbolic(zero_on_the_diagonal, mean_one, check.domain.restrict(p="[1, 1]"))


@claim(
    "TH-D2.25/impossible-mean", r"$\mathrm{kl}(p,0)=\infty$ for $p>0$ (and mirrored): $e^{-\mathrm{kl}(p,0)}=<level>$.",
    domain=Domain.of(p="(0, 1]"), constants={"level": 0}, mutations=[mutation("0.001", level="1/1000")],
    strongest="symbolic", twins=["BDP-D2.1c"],
)  # fmt: skip
def entropy_to_an_impossible_mean(check: Check) -> None:
    if not check.search(infinite_at_an_impossible_mean, [{"p": HALF}]):
        check.symbolic(infinite_at_an_impossible_mean, odds_nonzero)


# ------------------------------------------------------------------------------------------------------- (2.14)


def level(time: int, samples: int, factor: Any) -> Any:
    """log f(t) / N with f(t) = 1 + factor t log^2 t."""
    t = to_ball(time)
    return (factor * t * log(t) ** 2).log1p() / samples


def index_within(x: Any, time: int, samples: int, factor: Any) -> Sides:
    """The index, moved towards x by the rounding error allowed, costs at most the printed level."""
    index = kl_ucb_index(x, level(time, samples, factor)) - to_ball(SLACK)
    return printed_kl(x, index if index > x else x), "<=", level(time, samples, 1)


def index_largest(x: Any, time: int, samples: int, factor: Any) -> Sides:
    above = kl_ucb_index(x, level(time, samples, factor)) + to_ball(SLACK)
    return level(time, samples, 1), "<", to_ball("inf") if above >= 1 else printed_kl(x, above)


INDEX = Domain.of(x="[0, 1]", time="integer [1, inf)", samples="integer [1, inf)")
INDEX_GRID = {"x": ["0", "1/100", "1/2", "9/10", "1"], "time": [2, 3, 100, 10**6], "samples": [1, 7, 10**4]}
INDEX_ROUTES = ("certified root", "kl as printed in (2.13), in balls")

parts_decide(
    "TH-EQ2.14",
    r"$\max\{\tilde\mu\in[0,1]:\mathrm{kl}(\hat\mu,\tilde\mu)\le\log f(t)/N\}$, $f(t)=1+t\log^2t$, is attained for all "
    r"$\hat\mu\in[0,1]$, $t\ge1$, $N\ge1$.",
    domain=INDEX,
)  # fmt: skip


@claim(
    "TH-EQ2.14/feasible", r"The index for $f(t)=1+<factor>t\log^2t$ satisfies $\mathrm{kl}(\hat\mu,U)\le\log f(t)/N$.",
    domain=INDEX, constants={"factor": 1}, mutations=[mutation("1.01 t log^2 t", factor="1.01")],
)  # fmt: skip
def index_is_feasible(check: Check) -> None:
    check.enumerate(index_within, INDEX_GRID, routes=INDEX_ROUTES)


@claim(
    "TH-EQ2.14/largest", r"No mean above the index for $f(t)=1+<factor>t\log^2t$ is as close as $\log f(t)/N$.",
    domain=INDEX, constants={"factor": 1}, mutations=[mutation("0.99 t log^2 t", factor="0.99")],
)  # fmt: skip
def index_is_largest(check: Check) -> None:
    """kl(x, .) rises above x, so what holds just above the index holds everywhere above it."""
    check.enumerate(index_largest, INDEX_GRID, routes=INDEX_ROUTES)


def index_at_level_zero(x: Any, time: int, samples: int, shift: Any) -> Sides:
    return abs(kl_ucb_index(x, level(time, samples, 1)) - x - shift), "<=", to_ball(SLACK)


@claim(
    "TH-EQ2.14/first-step", r"At $t=1$, $f(1)=1$ and the index is the mean, up to <shift>.",
    domain=INDEX.restrict(time=[1]),
    constants={"shift": 0}, mutations=[mutation("1/1000", shift="1/1000")], role="edge",
)  # fmt: skip
def index_at_the_first_step(check: Check) -> None:
    check.enumerate(index_at_level_zero, INDEX_GRID | {"time": [1]}, routes=("certified root", "the mean"))


# ------------------------------------------------------------------------------------ Definition 2.30, its inequality


def members(means: Any) -> list[Bernoulli]:
    return [Bernoulli(mean) for mean in means]


def strict_or_not(means: Any, divergence: str, allowed: Any) -> Sides:
    """Over the finite class of these Bernoulli laws, from the first to the mean of the second: nearest above / at."""
    laws = members(means)
    verb = {"kl": FiniteClass.kl_inf, "tv": FiniteClass.tv_inf}[divergence]
    target = laws[1].mean
    strictly = verb(FiniteClass(laws[0], laws), target).value
    weakly = verb(FiniteClass(laws[0], laws), target - allowed).value  # no member lies in between
    return strictly.lower, ">", weakly.upper


THREE_MEANS = [["1/4", "1/2", "3/4"], ["0", "1/10", "1"], ["1/10", "1/5", "1/2"], ["1/3", "1/2", "51/100"]]
IN_FINITE_CLASSES = Domain.of(means="all: every increasing list of Bernoulli means", divergence="all: kl and tv")


@claim(
    "TH-D2.30/strict-in-finite-classes",
    r"In a finite class $\mu(P')>\mu^*$ is not $\mu(P')\ge\mu^*$: where $\mu^*$ is a member's mean (moved down by "
    r"<allowed>), the strict infimum is larger.",
    domain=IN_FINITE_CLASSES, constants={"allowed": "1/100"}, mutations=[mutation("not moved", allowed=0)],
)  # fmt: skip
def strict_in_finite_classes(check: Check) -> None:
    over = [{"means": means, "divergence": d} for means in THREE_MEANS for d in ("kl", "tv")]
    covers = check.domain.restrict(means="all: 4 lists of three means", divergence="all: kl and tv")
    routes = ("infimum over means > mu*", "infimum over means >= mu*")
    check.enumerate(strict_or_not, over, covers=covers, rational=True, routes=routes)


@claim(
    "TH-D2.30/empty-class",
    r"With no better law the infimum is infinite: Bernoulli laws at $\mu^*=1$ have $e^{-\mathrm{KL}_{\inf}}=<level>$.",
    domain=Domain.of(mu_a="[0, 1)"), constants={"level": 0}, mutations=[mutation("0.01", level="1/100")],
    strongest="symbolic", twins=["BDP-EQ3"],
)  # fmt: skip
def empty_class(check: Check) -> None:
    if not check.search(no_alternative, [{"mu_a": HALF}]):
        check.symbolic(no_alternative, any_mean_below_one)


def duality_gap(law: Any, target: Any, divergence: str, slack: Any) -> Sides:
    """The two certified ends, of the best law found and of the dual multiplier found."""
    points, probabilities, family = law
    member = FinitelySupported(points, probabilities) if family == "points" else Bounded(points, probabilities)
    infimum = member.kl_inf(target) if divergence == "kl" else member.tv_inf(target)
    assert infimum.recheck()
    return infimum.value.width, "<=", Fraction(slack) * Fraction(1, 10**30)


LAWS = [
    [["0", "1/3", "1"], ["1/2", "1/3", "1/6"], "points"], [["-1", "0", "2", "5"], ["1/4", "1/4", "1/2", "0"], "points"],
    [["0", "1/4", "1/2"], ["1/3", "1/3", "1/3"], "unit interval"], [["1/2"], ["1"], "unit interval"],
    [["0", "1"], ["7/10", "3/10"], "unit interval"],
]  # fmt: skip
PROGRAMS = Domain.of(law="all: every law with finitely many atoms", target="(-inf, inf)", divergence="all: kl and tv")


@claim(
    "TH-D2.30/duality",
    r"For laws on given points and on $[0,1]$ (mass on 1 allowed) $\mathrm{KL}_{\inf}$ and $\mathrm{TV}_{\inf}$ "
    r"equal their one-dimensional duals, up to $<slack>\cdot10^{-30}$.",
    domain=PROGRAMS, constants={"slack": 1}, mutations=[mutation("below zero", slack=-1)],
)  # fmt: skip
def duality(check: Check) -> None:
    over = [
        {"law": law, "target": Fraction(target), "divergence": d}
        for law in LAWS for target in ("11/20", "3/4", "19/20") for d in ("kl", "tv")
    ]  # fmt: skip
    covers = check.domain.restrict(law=f"all: {len(LAWS)} laws", target=["11/20", "3/4", "19/20"])
    routes = ("a law of mean mu*", "a multiplier of the mean")
    check.enumerate(duality_gap, over, covers=covers, rational=True, routes=routes)


parts_decide(
    "TH-D2.30",
    r"$\mathrm{KL}_{\inf}(P,\mu^*,\mathcal M)=\inf_{P'\in\mathcal M}\{\mathrm{KL}(P,P'):\mu(P')>\mu^*\}$ for "
    r"$\mu(P)<\mu^*$, the inequality being strict.",
)

# ------------------------------------------------------------------------------------- closed forms of KL_inf, §2.2.6


def gaussian_farther(mu_a: Any, mu_star: Any, m: Any, half: Any) -> Sides:
    return half * (mu_star - mu_a) ** 2, "<=", kl_gaussian(mu_a, m)


def gaussian_near(mu_a: Any, mu_star: Any, m: Any, half: Any) -> Sides:
    """The excess over the closed form is a multiple of the distance of m, so it vanishes as m falls to mu*."""
    return kl_gaussian(mu_a, m) - half * (mu_star - mu_a) ** 2, "<=", (m - mu_star) * (m - mu_a)


def _three_reals() -> tuple[Any, Any, Any]:
    x, (gap, more) = real("x"), positive("g h")
    return x, gap, more


def gaussian_farther_argument() -> SymbolicArgument:
    x, gap, more = _three_reals()
    variables = {"mu_a": x, "mu_star": x + gap, "m": x + gap + more}
    return SymbolicArgument(variables, gap * more + more**2 / 2, "nonnegative")


def gaussian_near_argument() -> SymbolicArgument:
    x, gap, more = _three_reals()
    return SymbolicArgument({"mu_a": x, "mu_star": x + gap, "m": x + gap + more}, more**2 / 2, "nonnegative")


REAL_ALTERNATIVES = Domain.of(
    mu_a="(-inf, inf)", mu_star="(-inf, inf)", m="(-inf, inf)", where=["mu_a < mu_star", "mu_star < m"]
)
GAUSSIAN = {"domain": REAL_ALTERNATIVES, "constants": {"half": "1/2"}, "strongest": "symbolic"}
ROUTES = ("closed form at the target", "divergence of every alternative")
BERNOULLI = {
    "domain": ALTERNATIVES, "constants": {"factor": 1}, "strongest": "symbolic",
}  # fmt: skip

parts_decide(
    "TH-S2.2f",
    r"Unit-variance Gaussian arms: $\mathrm{KL}_{\inf}=\frac{(\mu^*-\mu_a)^2}2=\frac{\Delta_a^2}2$; Bernoulli arms: "
    r"$\mathrm{KL}_{\inf}=\mathrm{kl}(\mu_a,\mu^*)$.",
)


@claim(
    "TH-S2.2f/gaussian", r"Every Gaussian alternative $m>\mu^*$ has $\mathrm{KL}\ge<half>\Delta_a^2$.",
    mutations=[mutation("0.51", half="0.51")], **GAUSSIAN,
)  # fmt: skip
def gaussian_gap(check: Check) -> None:
    if not check.search(gaussian_farther, NEAR_HALF):
        check.symbolic(gaussian_farther, gaussian_farther_argument, routes=ROUTES)


@claim(
    "TH-S2.2f/gaussian-attained",
    r"$\mathrm{KL}(P_a,P')-<half>\Delta_a^2\le(m-\mu^*)(m-\mu_a)\to0$ as $m\downarrow\mu^*$.",
    mutations=[mutation("0.49", half="0.49")], **GAUSSIAN,
)  # fmt: skip
def gaussian_gap_attained(check: Check) -> None:
    if not check.search(gaussian_near, NEAR_HALF):
        check.symbolic(gaussian_near, gaussian_near_argument, routes=ROUTES)


@claim(
    "TH-S2.2f/bernoulli", r"Every Bernoulli alternative $m\in(\mu^*,1)$ has "
    r"$\mathrm{kl}(\mu_a,m)\ge<factor>\mathrm{kl}(\mu_a,\mu^*)$ ($m=1$: infinite).",
    mutations=[mutation("1 % more", factor="101/100")], twins=["BDP-EQ3"], **BERNOULLI,
)  # fmt: skip
def bernoulli_gap(check: Check) -> None:
    if not check.search(better_alternative, NEAR_HALF):
        check.symbolic(better_alternative, farther, check.domain.restrict(mu_a="(0, 1)"), points=8)
        check.symbolic(better_alternative, farther_from_zero, check.domain.restrict(mu_a="[0, 0]"), points=8)


@claim(
    "TH-S2.2f/bernoulli-attained",
    r"$\mathrm{kl}(\mu_a,m)-\mathrm{kl}(\mu_a,\mu^*)\le<factor>\log\frac{1-\mu^*}{1-m}\to0$ as $m\downarrow\mu^*$.",
    mutations=[mutation("0.99", factor="99/100")], twins=["BDP-EQ3"], **BERNOULLI,
)  # fmt: skip
def bernoulli_gap_attained(check: Check) -> None:
    if not check.search(near_alternative, [{"mu_a": Fraction(0), "mu_star": HALF, "m": Fraction(3, 4)}]):
        check.symbolic(near_alternative, near, check.domain.restrict(mu_a="(0, 1)"), points=8)
        check.symbolic(near_alternative, near_from_zero, check.domain.restrict(mu_a="[0, 0]"), points=8)


@claim(
    "TH-S2.2f/best-mean-one",
    r"At $\mu^*=1$ both sides of the Bernoulli form are infinite: $e^{-\mathrm{KL}_{\inf}}=e^{-\mathrm{kl}}+<level>$.",
    domain=Domain.of(mu_a="[0, 1)"), constants={"level": 0}, mutations=[mutation("0.01", level="1/100")], role="edge",
    strongest="symbolic", twins=["BDP-EQ3"],
)  # fmt: skip
def gap_at_best_mean_one(check: Check) -> None:
    if not check.search(no_alternative, [{"mu_a": HALF}]):
        check.symbolic(no_alternative, any_mean_below_one)


def optimal_constant(gap: Any, two: Any) -> Sides:
    """Delta / KL_inf against the constant of Theorem 2.24."""
    return gap / kl_gaussian(0 * gap, gap), "==", two / gap


def any_gap() -> SymbolicArgument:
    return SymbolicArgument({"gap": positive("g")}, 0, "zero")


@claim(
    "TH-S2.2f/optimality",
    r"'which shows the asymptotic optimality of Theorem 2.24': for Gaussian arms "
    r"$\Delta_a/\mathrm{KL}_{\inf}=<two>/\Delta_a$.",
    domain=Domain.of(gap="(0, inf)"), constants={"two": 2}, mutations=[mutation("1.9", two="1.9")],
    role="implication", strongest="symbolic",
)  # fmt: skip
def optimality(check: Check) -> None:
    if not check.search(optimal_constant, [{"gap": Fraction(1)}]):
        check.symbolic(optimal_constant, any_gap)
