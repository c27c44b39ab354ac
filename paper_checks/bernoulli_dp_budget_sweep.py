"""Regret against the privacy budget: BDP-E-G2 (Figure 8)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.bernoulli_dp_experiments import (
    BOUND_FACTORS,
    BOUND_MUTATIONS,
    BOUND_ROUTES,
    Test,
    near_lower_bound,
)
from banditproof.paper_checks.bernoulli_dp_simulations import FIGURE_8, SWEEP, lower_bound
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.bernoulli import privacy_threshold
from banditproof.theory.numeric import exp, log
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]

SWEPT = Domain.of(epsilon=[f"{k}/100" for k in range(1, 101)])

parts_decide(
    "BDP-E-G2",
    r"(Figure 8) for $\mu=(.8,.1,.1,.1,.1)$, $\alpha=1.1$, $T=10^7$ and 100 budgets in $[0,1]$ (without 0, where "
    r"$\mathrm{Lap}(1/\epsilon)$ is not defined) the regret of DP-IMED matches the lower bound, and the change between "
    r"the privacy regimes is smooth",
    domain=SWEPT,
)


def _matches(slug: str, n0: int, role: str) -> None:
    @claim(
        f"BDP-E-G2/{slug}",
        rf"at every budget the median regret lies within $[<low>,<high>]$ times the lower bound ($n_0={n0}$)",
        domain=SWEPT,
        constants=BOUND_FACTORS,
        mutations=BOUND_MUTATIONS,
        role=role,
        studies=[SWEEP],
    )
    def regret_matches_the_lower_bound(check: Check) -> None:
        budgets = SWEEP.parameters(check.profile)["budgets"]

        def tests(stream: str) -> list[Test]:
            rows = zip(budgets, check.study(SWEEP, stream)[f"n0 = {n0}"], strict=True)
            return [t for b, row in rows for t in near_lower_bound(check, b, row, lower_bound(FIGURE_8, b, 10**7))]

        check.statistics(tests, covers=check.domain.restrict(epsilon=budgets), routes=BOUND_ROUTES)


_matches("matches", 1, "part")
_matches("matches-with-ten-first-pulls", 10, "reading")


def slopes_at_the_change(mean: Any, best: Any, odds: Any) -> Sides:
    """The slope in epsilon of the second branch of (8), z - mu_a, at the threshold; the first branch has slope 0."""
    threshold = log(odds * best / mean) + log((1 - mean) / (1 - best))
    return best / (best + (1 - best) * exp(threshold)) - mean, "==", 0


def slopes_argument() -> SymbolicArgument:
    import sympy

    p, q = sympy.symbols("p q", positive=True)  # odds of the mean, and how much larger those of the best mean are
    return SymbolicArgument({"mean": p / (1 + p), "best": p * (1 + q) / (1 + p * (1 + q))}, sympy.Integer(0), "zero")


@claim(
    "BDP-E-G2/smooth-change",
    r"$d_\epsilon(\mu_a,\mu^\star)$, and with it the lower bound, changes regime without a kink: at the $\epsilon$ "
    r"with $e^\epsilon=<odds>\frac{\mu^\star(1-\mu_a)}{\mu_a(1-\mu^\star)}$ the second branch of (8) has slope "
    r"$z_\epsilon-\mu_a=0$, that of the first",
    domain=Domain.of(mean="(0, 1)", best="(0, 1)", where=["mean < best"]),
    constants={"odds": 1},
    mutations=[mutation("a threshold off by log 1.01", odds="1.01")],
    strongest="symbolic",
)
def change_of_regime_is_smooth(check: Check) -> None:
    """By the envelope theorem the slope of the infimum is that of its objective, z - mu_a at the minimiser z."""
    check.symbolic(slopes_at_the_change, slopes_argument, routes=("slope of the second branch", "slope of the first"))


def threshold_within(mean: Any, best: Any, largest: Any) -> Sides:
    return privacy_threshold(mean, best), "<=", largest


@claim(
    "BDP-E-G2/change-is-plotted",
    r"(Figure 8) the change between the regimes is seen: the threshold of (8) lies within the plotted budgets, "
    r"$\epsilon_0(.1,.8)\le<largest>$",
    domain=Domain.of(mean=["1/10"], best=["4/5"]),
    constants={"largest": 1},
    role="figure",
)
def change_of_regime_is_plotted(check: Check) -> None:
    """epsilon_0 = log 36: the suboptimal arms, which are all alike, stay in one regime throughout the figure."""
    check.counterexample(threshold_within, {"mean": Fraction(1, 10), "best": Fraction(4, 5)})


def in_high_regime(epsilon: Any, mean: Any, best: Any) -> Sides:
    return epsilon, "<", privacy_threshold(mean, best)


@claim(
    "BDP-E-G2/change-is-plotted-repaired",
    r"every plotted budget lies in the high privacy regime: $\epsilon<\epsilon_0(<mean>,<best>)=\log36$; the change "
    r"would be seen from $\epsilon\approx3.58$ on",
    domain=Domain.of(epsilon="(0, 1]"),
    constants={"mean": "0.1", "best": "0.8"},
    mutations=[mutation("a bandit with the change in the figure", best="0.2")],
    role="repair",
    repairs="BDP-E-G2/change-is-plotted",
    strongest="interval",
)
def all_plotted_budgets_are_high_privacy(check: Check) -> None:
    check.interval(in_high_regime, routes=("budget", "threshold of (8), in balls"))
