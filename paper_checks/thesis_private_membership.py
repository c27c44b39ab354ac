"""Section 2.3.6 of the thesis: what differential privacy leaves of an adversary's advantage and power."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_membership_inference import EVERY_GAME, FAIR, any_game, games, played
from banditproof.verify.channels import channel_delta, channel_ratio, total_variation
from banditproof.verify.domain import Domain
from banditproof.verify.membership import best_region
from banditproof.verify.symbolic import SymbolicArgument

RATIOS = (Fraction(1), Fraction(3, 2), Fraction(4))
BUDGETS = Domain.of(ratio="[1, inf)", delta="[0, 1]")
# Errors that satisfy (2.28) or (2.29) with this slack; beta need not stay in [0, 1], which only adds points.
ONE_INEQUALITY = BUDGETS.restrict(slack="[0, inf)", error="[0, inf)")

parts_decide(
    "TH-S2.3d",
    r"For every adversary, $n$ and $\mathcal D$: (i) $\mathrm{Adv}\le e^\varepsilon-1$ under $\varepsilon$-DP; (ii) "
    r"$\mathrm{Adv}\le1-e^{-\varepsilon}(1-\delta)$ and (iii) $\mathrm{Adv}\le\frac{e^\varepsilon-1+2\delta}{"
    r"e^\varepsilon+1}$ under $(\varepsilon,\delta)$-DP; (iii) is never larger than (ii).",
    domain=EVERY_GAME,
)


def symbols() -> tuple[Any, Any, Any, Any]:
    """ratio >= 1, delta in [0, 1), slack >= 0, error >= 0."""
    import sympy

    grown, moved, slack, error = sympy.symbols("grown moved slack error", nonnegative=True)
    return 1 + grown, moved / (1 + moved), slack, error


def both_errors(n: int, game: Any, ratio: Fraction, shrink: Fraction) -> tuple[Any, str, Any]:
    """The smallest alpha + ratio beta and ratio alpha + beta over all adversaries, against 1 - delta."""
    setting = any_game(n, game)
    out, inside = setting.laws()
    delta = channel_delta(setting.mechanism, ratio).value
    first = sum((min(p, ratio * inside[v]) for v, p in out.items()), Fraction(0))  # alpha + ratio beta
    second = sum((min(ratio * p, inside[v]) for v, p in out.items()), Fraction(0))  # ratio alpha + beta
    return min(first, second), ">=", 1 - shrink * Fraction(delta)


@claim(
    "TH-S2.3d/errors",
    r"(2.28), (2.29): $\alpha+e^\varepsilon\beta\ge1-<shrink>\,\delta$ and $e^\varepsilon\alpha+\beta\ge1-<shrink>\,"
    r"\delta$ for every adversary.",
    domain=EVERY_GAME.restrict(ratio="[1, inf)"),
    constants={"shrink": 1},
    mutations=[mutation("a quarter of delta", shrink="1/4")],
    strongest="enumeration",
)
def errors_under_privacy(check: Check) -> None:
    """The mechanism's exact delta against the best adversary, which guesses 1 where that costs less.

    The two laws of the game mix laws of neighbouring data sets with the same weights. The target is its own alternative
    with positive probability, so delta is not attained: publishing one fair bit has delta = 1 and total variation 1/2.
    """
    points = [{**g, "ratio": r} for g in games(check) for r in RATIOS]
    points += [{"n": 1, "game": FAIR, "ratio": r} for r in RATIOS]
    check.enumerate(both_errors, points, rational=True, routes=("every adversary", "exact delta of the mechanism"))


def pure_advantage(ratio: Any, slack: Any, error: Any, factor: Any) -> tuple[Any, str, Any]:
    """beta = error <= 1 and alpha = 1 - ratio beta + slack, that is (2.28) with delta = 0."""
    beta = error / (1 + error)
    return 1 - (1 - ratio * beta + slack) - beta, "<=", factor * (ratio - 1)


def pure_argument(factor: Any) -> SymbolicArgument:
    import sympy

    ratio, _, slack, error = symbols()
    certificate = (ratio - 1) * (factor - 1 + 1 / (1 + error)) + slack
    variables = {"ratio": ratio, "slack": slack, "error": error}
    return SymbolicArgument(variables, sympy.expand(certificate), "nonnegative")


@claim(
    "TH-S2.3d/pure",
    r"(i) $\mathrm{Adv}\le <factor>\,(e^\varepsilon-1)$ from $\alpha+e^\varepsilon\beta\ge1$ and $\beta\le1$ "
    r"($\beta=u/(1+u)$, $u$ = error).",
    domain=Domain.of(ratio="[1, inf)", slack="[0, inf)", error="[0, inf)"),
    constants={"factor": 1},
    mutations=[mutation("half", factor="1/2")],
    strongest="symbolic",
)
def advantage_under_pure_privacy(check: Check) -> None:
    """Adv = (e^eps - 1) beta - slack."""
    check.symbolic(pure_advantage, pure_argument, routes=("advantage on the region", "bound"))


def mixed_advantage(ratio: Any, delta: Any, slack: Any, error: Any, factor: Any) -> tuple[Any, str, Any]:
    """alpha = error, beta = (1 - delta - alpha + slack)/ratio, that is (2.28)."""
    return 1 - error - (1 - delta - error + slack) / ratio, "<=", 1 - factor * (1 - delta) / ratio


def mixed_argument(factor: Any) -> SymbolicArgument:
    ratio, delta, slack, error = symbols()
    certificate = (1 - delta) * (1 - factor) / ratio + error * (ratio - 1) / ratio + slack / ratio
    variables = {"ratio": ratio, "delta": delta, "slack": slack, "error": error}
    return SymbolicArgument(variables, certificate, "nonnegative")


@claim(
    "TH-S2.3d/mixed",
    r"(ii) $\mathrm{Adv}\le1-<factor>\,e^{-\varepsilon}(1-\delta)$ from $\alpha+e^\varepsilon\beta\ge1-\delta$.",
    domain=ONE_INEQUALITY.restrict(delta="[0, 1)"),
    constants={"factor": 1},
    mutations=[mutation("factor 4", factor=4)],
    strongest="symbolic",
)
def advantage_by_one_inequality(check: Check) -> None:
    """alpha + beta >= e^-eps (alpha + e^eps beta). At delta = 1 the bound is 1 and says nothing."""
    check.symbolic(mixed_advantage, mixed_argument, routes=("advantage on the region", "bound"))


def summed_advantage(ratio: Any, delta: Any, slack: Any, factor: Any) -> tuple[Any, str, Any]:
    """(1 + ratio)(alpha + beta) = 2 (1 - delta) + slack, the sum of (2.28) and (2.29)."""
    return 1 - (2 * (1 - delta) + slack) / (1 + ratio), "<=", factor * (ratio - 1 + 2 * delta) / (ratio + 1)


def summed_argument(factor: Any) -> SymbolicArgument:
    import sympy

    ratio, delta, slack, _ = symbols()
    certificate = (factor - 1) * (ratio - 1 + 2 * delta) / (ratio + 1) + slack / (1 + ratio)
    variables = {"ratio": ratio, "delta": delta, "slack": slack}
    return SymbolicArgument(variables, sympy.simplify(certificate), "nonnegative")


@claim(
    "TH-S2.3d/summed",
    r"(iii) $\mathrm{Adv}\le <factor>\,\frac{e^\varepsilon-1+2\delta}{e^\varepsilon+1}$ from both inequalities.",
    domain=Domain.of(ratio="[1, inf)", delta="[0, 1)", slack="[0, inf)"),
    constants={"factor": 1},
    mutations=[mutation("1 % less", factor="0.99")],
    strongest="symbolic",
)
def advantage_by_both_inequalities(check: Check) -> None:
    """The two inequalities are added; with equality in both the bound is attained. At delta = 1 it is 1."""
    check.symbolic(summed_advantage, summed_argument, routes=("sum of both inequalities", "bound"))


def game_advantage(n: int, game: int, ratio: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    setting = played(n, game)
    out, inside = setting.laws()
    delta = Fraction(channel_delta(setting.mechanism, ratio).value)
    return total_variation(inside, out), "<=", factor * (ratio - 1 + 2 * delta) / (ratio + 1)


@claim(
    "TH-S2.3d/games",
    r"(iii) on games: the optimal advantage is at most $<factor>$ times the bound at the mechanism's exact $\delta$.",
    domain=EVERY_GAME.restrict(ratio="[1, inf)"),
    constants={"factor": 1},
    mutations=[mutation("a quarter", factor="1/4")],
    strongest="enumeration",
)
def advantage_in_games(check: Check) -> None:
    """Total variation of the two laws of the game."""
    points = [{**g, "ratio": r} for g in games(check) for r in RATIOS]
    check.enumerate(game_advantage, points, rational=True, routes=("optimal adversary", "bound"))


def pure_game_advantage(n: int, game: int, factor: Fraction) -> tuple[Any, str, Any]:
    setting = played(n, game)
    out, inside = setting.laws()
    ratio = channel_ratio(setting.mechanism).value
    return total_variation(inside, out), "<=", factor * (ratio - 1)


@claim(
    "TH-S2.3d/pure-games",
    r"(i) on games: the optimal advantage is at most $<factor>\,(e^\varepsilon-1)$ at the mechanism's exact "
    r"$\varepsilon$.",
    domain=EVERY_GAME,
    constants={"factor": 1},
    mutations=[mutation("a fiftieth", factor="1/50")],
    strongest="enumeration",
)
def pure_advantage_in_games(check: Check) -> None:
    """Total variation of the two laws of the game."""
    points = [g for g in games(check) if g["game"] % 3 != 2]
    check.enumerate(pure_game_advantage, points, rational=True, routes=("optimal adversary", "bound"))


def third_below_second(ratio: Any, delta: Any, factor: Any) -> tuple[Any, str, Any]:
    return (ratio - 1 + 2 * delta) / (ratio + 1), "<=", 1 - factor * (1 - delta) / ratio


def comparison_argument(factor: Any) -> SymbolicArgument:
    import sympy

    ratio, delta, *_ = symbols()
    certificate = (1 - delta) * (ratio - 1) / (ratio * (ratio + 1)) + (1 - factor) * (1 - delta) / ratio
    return SymbolicArgument({"ratio": ratio, "delta": delta}, sympy.factor(certificate), "nonnegative")


@claim(
    "TH-S2.3d/comparison",
    r"(iii) is at most (ii) for every $\varepsilon\ge0$ and $\delta\in[0,1)$: the difference is $(1-\delta)\frac{"
    r"e^\varepsilon-1}{e^\varepsilon(e^\varepsilon+1)}$ (with $<factor>$ before $e^{-\varepsilon}$ in (ii)).",
    domain=BUDGETS.restrict(delta="[0, 1)"),
    constants={"factor": 1},
    mutations=[mutation("factor 4", factor=4)],
    strongest="symbolic",
)
def third_bound_is_best(check: Check) -> None:
    """The difference in closed form; at delta = 1 both bounds are 1."""
    check.symbolic(third_below_second, comparison_argument, routes=("bound (iii)", "bound (ii)"))


def third_strictly_below(ratio: Any, delta: Any) -> tuple[Any, str, Any]:
    left, _, right = third_below_second(ratio, delta, 1)
    return left, "<", right


@claim(
    "TH-S2.3d/strictly",
    r"Read strictly: (iii) is smaller than (ii) for every $\varepsilon\ge0$ and $\delta\in[0,1]$.",
    role="reading",
    domain=BUDGETS,
    strongest="symbolic",
)
def third_bound_is_strictly_best(check: Check) -> None:
    """At epsilon = 0 both are delta, at delta = 1 both are 1."""
    check.counterexample(third_strictly_below, {"ratio": Fraction(1), "delta": Fraction(1, 2)}, rational=True)


# -- the trade-off function -----------------------------------------------------------------------------------

parts_decide(
    "TH-EQ2.30",
    r"$\mathrm{Pow}_n(s,\alpha)\le1-f_{\varepsilon,\delta}(\alpha)$ with "
    r"$f_{\varepsilon,\delta}(\alpha)=\max\{0,1-\delta-e^\varepsilon\alpha,e^{-\varepsilon}(1-\delta-\alpha)\}$.",
    domain=EVERY_GAME,
)


def trade_off_bound(ratio: Any, delta: Any, alpha: Any) -> Any:
    """f_{epsilon, delta}(alpha) in rationals."""
    return max(Fraction(0), 1 - delta - ratio * alpha, (1 - delta - alpha) / ratio)


def power_in_games(n: int, game: int, ratio: Fraction, alpha: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    setting = played(n, game)
    out, inside = setting.laws()
    delta = Fraction(channel_delta(setting.mechanism, ratio).value)
    return best_region(out, inside, alpha)[0], "<=", 1 - factor * trade_off_bound(ratio, delta, alpha)


@claim(
    "TH-EQ2.30/games",
    r"On games the power of every rejection region of size at most $\alpha$ is at most "
    r"$1-<factor>\,f_{\varepsilon,\delta}(\alpha)$ at the mechanism's exact $\delta(\varepsilon)$.",
    domain=EVERY_GAME.restrict(ratio="[1, inf)", alpha="[0, 1]"),
    constants={"factor": 1},
    mutations=[mutation("factor 3/2", factor="3/2")],
    strongest="enumeration",
)
def power_under_privacy(check: Check) -> None:
    """Every region of every game, in rationals."""
    levels = (Fraction(0), Fraction(1, 5), Fraction(1, 2), Fraction(1))
    points = [{**g, "ratio": r, "alpha": a} for g in games(check)[::2] for r in RATIOS for a in levels]
    check.enumerate(power_in_games, points, rational=True, routes=("every region", "trade-off function"))


def first_branch(ratio: Any, delta: Any, slack: Any, error: Any, factor: Any) -> tuple[Any, str, Any]:
    """beta from (2.29) with alpha = error, against 1 - delta - ratio alpha."""
    return factor * (1 - delta) - ratio * error, "<=", 1 - delta - ratio * error + slack


def first_branch_argument(factor: Any) -> SymbolicArgument:
    ratio, delta, slack, error = symbols()
    variables = {"ratio": ratio, "delta": delta, "slack": slack, "error": error}
    return SymbolicArgument(variables, (1 - factor) * (1 - delta) + slack, "nonnegative")


@claim(
    "TH-EQ2.30/steep",
    r"(2.29) gives $\beta\ge<factor>\,(1-\delta)-e^\varepsilon\alpha$.",
    domain=ONE_INEQUALITY.restrict(delta="[0, 1)"),
    constants={"factor": 1},
    mutations=[mutation("factor 4", factor=4)],
    strongest="symbolic",
)
def steep_branch(check: Check) -> None:
    """A rearrangement."""
    check.symbolic(first_branch, first_branch_argument, routes=("inequality (2.29)", "branch of f"))


def second_branch(ratio: Any, delta: Any, slack: Any, error: Any, factor: Any) -> tuple[Any, str, Any]:
    """beta from (2.28) with alpha = error, against (1 - delta - alpha)/ratio."""
    return (factor * (1 - delta) - error) / ratio, "<=", (1 - delta - error + slack) / ratio


def second_branch_argument(factor: Any) -> SymbolicArgument:
    ratio, delta, slack, error = symbols()
    variables = {"ratio": ratio, "delta": delta, "slack": slack, "error": error}
    return SymbolicArgument(variables, ((1 - factor) * (1 - delta) + slack) / ratio, "nonnegative")


@claim(
    "TH-EQ2.30/flat",
    r"(2.28) gives $\beta\ge e^{-\varepsilon}(<factor>\,(1-\delta)-\alpha)$.",
    domain=ONE_INEQUALITY.restrict(delta="[0, 1)"),
    constants={"factor": 1},
    mutations=[mutation("factor 4", factor=4)],
    strongest="symbolic",
)
def flat_branch(check: Check) -> None:
    """A rearrangement."""
    check.symbolic(second_branch, second_branch_argument, routes=("inequality (2.28)", "branch of f"))
