"""The explanation that follows Theorem 2.23: TH-S2.2d, its constants one by one.

Read with delta = 1/T^2 and the width of (2.9), as in the theorem, the explanation is consistent; the values it prints
instead are readings of their own.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.numeric import sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]

parts_decide(
    "TH-S2.2d",
    r"on the good event a sub-optimal arm is no longer sampled once twice its confidence width is at most its gap; "
    r"solving for $n_a$ gives (2.10); the regret is at most the sum of twice the widths; $\sum_tt^{-1/2}$ is of the "
    r"order $\sqrt T$",
)

# ------------------------------------------------------------------------------------------- when sampling stops


GOOD_EVENT = {"mean": "(-inf, inf)", "width": "(0, inf)", "error": "(-inf, inf)"}


def index_below_the_best(mean: Any, width: Any, error: Any, margin: Any, twice: Any) -> Sides:
    """The index of an arm whose empirical mean is off by `error`, against a best mean twice * width + margin above."""
    return mean + error + width, "<=", mean + twice * width + margin


def below_argument(twice: Any) -> SymbolicArgument:
    import sympy

    mean = sympy.Symbol("mean", real=True)
    width = sympy.Symbol("width", positive=True)
    slack, margin = (sympy.Symbol(name, nonnegative=True) for name in ("slack", "margin"))
    variables = {"mean": mean, "width": width, "error": width - slack, "margin": margin}
    return SymbolicArgument(variables, slack + margin + (twice - 2) * width, "nonnegative")


@claim(
    "TH-S2.2d/stops",
    r"while all means are within their widths $w$: if $<twice>w_a\le\Delta_a$ the index of arm $a$ is at most $\mu^*$ "
    r"and so at most the best arm's index",
    domain=Domain.of(**GOOD_EVENT, margin="[0, inf)", where=["error <= width"]), constants={"twice": 2},
    mutations=[mutation("1.9 widths", twice="1.9")], strongest="symbolic",
)  # fmt: skip
def sampling_stops(check: Check) -> None:
    """At equality both indices can tie: the arm is then sampled only if the rule on ties says so."""
    tie = {"mean": Fraction(0), "width": Fraction(1), "error": Fraction(1), "margin": Fraction(0)}
    if not check.search(index_below_the_best, [tie]):
        check.symbolic(index_below_the_best, below_argument, routes=("index of the arm", "the best mean"))


def sampled_gap(mean: Any, best: Any, width: Any, error: Any, factor: Any) -> Sides:
    """What an arm costs whose index reaches the best mean."""
    return best - mean, "<=", factor * width


SAMPLED = Domain.of(**GOOD_EVENT, best="(-inf, inf)", where=["error <= width", "mean + error + width >= best"])


def sampled_argument(factor: Any) -> SymbolicArgument:
    import sympy

    mean = sympy.Symbol("mean", real=True)
    width = sympy.Symbol("width", positive=True)
    slack, more = (sympy.Symbol(name, nonnegative=True) for name in ("slack", "more"))
    variables = {"mean": mean, "width": width, "error": width - slack, "best": mean + 2 * width - slack - more}
    return SymbolicArgument(variables, (factor - 2) * width + slack + more, "nonnegative")


@claim(
    "TH-S2.2d/sum-of-widths",
    r"on the good event the arm that is sampled has $\Delta_{a_t}\le<factor>\sqrt{2\log(1/\delta)/N_{a_t}(t-1)}$, so "
    r"the regret after the first round is at most the sum of these",
    domain=SAMPLED, constants={"factor": 2}, mutations=[mutation("1.9", factor="1.9")], strongest="symbolic",
)  # fmt: skip
def regret_is_a_sum_of_widths(check: Check) -> None:
    extreme = {"mean": Fraction(0), "best": Fraction(2), "width": Fraction(1), "error": Fraction(1)}
    if not check.search(sampled_gap, [extreme]):
        check.symbolic(sampled_gap, sampled_argument, routes=("gap of the sampled arm", "twice its width"))


# ------------------------------------------------------------------------------- solving for n_a: delta = 1/T or 1/T^2


def solved_regret(log_horizon: Any, gap: Any, power: Any, constant: Any) -> Sides:
    """gap n_a, with n_a from 2 sqrt(2 log(1/delta) / n_a) = gap and delta = T^-power."""
    pulls = 8 * power * log_horizon / gap**2
    return gap * pulls, "==", constant * log_horizon / gap


def solved_argument(power: Any, constant: Any) -> SymbolicArgument:
    import sympy

    L, gap = sympy.symbols("L gap", positive=True)
    return SymbolicArgument({"log_horizon": L, "gap": gap}, (constant - 8 * power) * L / gap, "zero")


SOLVED = Domain.of(log_horizon="(0, inf)", gap="(0, inf)")


@claim(
    "TH-S2.2d/solving",
    r"solving $2\sqrt{2\log(1/\delta)/n_a}=\Delta_a$ with $\delta=T^{-<power>}$ gives "
    r"$\Delta_an_a=<constant>\log(T)/\Delta_a$, the constant of (2.10)",
    domain=SOLVED, constants={"power": 2, "constant": 16}, mutations=[mutation("power 1.9", power="1.9")],
    strongest="symbolic",
)  # fmt: skip
def solving_for_the_pulls(check: Check) -> None:
    check.symbolic(solved_regret, solved_argument, routes=("gap times solved pulls", "the term of (2.10)"))


@claim(
    "TH-S2.2d/solving-as-printed",
    r"'replacing $\delta=1/T$ gives' (2.10), literally: with $\delta=T^{-<power>}$, "
    r"$\Delta_an_a=<constant>\log(T)/\Delta_a$",
    domain=SOLVED, constants={"power": 1, "constant": 16}, role="reading",
)  # fmt: skip
def solving_with_another_delta(check: Check) -> None:
    """Half of the constant comes out: the theorem has delta = 1/T^2."""
    check.counterexample(solved_regret, {"log_horizon": Fraction(1), "gap": Fraction(1)})


@claim(
    "TH-S2.2d/solving-repaired",
    r"with $\delta=T^{-<power>}$ the same calculation gives $\Delta_an_a=<constant>\log(T)/\Delta_a$",
    domain=SOLVED, constants={"power": 1, "constant": 8}, mutations=[mutation("the constant of (2.10)", constant=16)],
    role="repair", repairs="TH-S2.2d/solving-as-printed", strongest="symbolic",
)  # fmt: skip
def solving_with_the_printed_delta(check: Check) -> None:
    check.symbolic(solved_regret, solved_argument, routes=("gap times solved pulls", "half the term of (2.10)"))


# ---------------------------------------------------------------------------------------------- the width of (2.9)


def squared_width(log_inverse: Any, pulls: Any, factor: Any) -> Sides:
    """The bonus of (2.9), squared, against factor log(1/delta) / N."""
    return 2 * log_inverse / pulls, "==", factor * log_inverse / pulls


def width_argument(factor: Any) -> SymbolicArgument:
    import sympy

    L, more = sympy.Symbol("L", positive=True), sympy.Symbol("more", nonnegative=True)
    return SymbolicArgument({"log_inverse": L, "pulls": 1 + more}, (factor - 2) * L / (1 + more), "zero")


WIDTHS = Domain.of(log_inverse="(0, inf)", pulls="[1, inf)")


@claim(
    "TH-S2.2d/width",
    r"'in (2.9) the width of the confidence interval is $\sqrt{<factor>\log(1/\delta)/N_a(t-1)}$', literally",
    domain=WIDTHS, constants={"factor": 4}, role="reading",
)  # fmt: skip
def width_as_printed(check: Check) -> None:
    """(2.9) has 2; 4 is right for log T in the place of log(1/delta), as delta = 1/T^2."""
    check.counterexample(squared_width, {"log_inverse": Fraction(1), "pulls": Fraction(1)})


@claim(
    "TH-S2.2d/width-repaired",
    r"the width in (2.9) is $\sqrt{<factor>\log(1/\delta)/N_a(t-1)}$ (squared)",
    domain=WIDTHS, constants={"factor": 2}, mutations=[mutation("4, as printed", factor=4)],
    role="repair", repairs="TH-S2.2d/width", strongest="symbolic",
)  # fmt: skip
def width_of_the_index(check: Check) -> None:
    check.symbolic(squared_width, width_argument, routes=("bonus of (2.9)", "stated width"))


# ------------------------------------------------------------------------------------------------ the sum of t^(-1/2)


def sum_of_roots(horizon: int, low: Any, high: Any) -> tuple[Any, str, Any]:
    """sqrt(T) times low <= sum <= sqrt(T) times high, as one comparison of the distances to the middle."""
    total = sum((1 / sqrt(to_ball(t)) for t in range(1, horizon + 1)), to_ball(0))
    root = sqrt(to_ball(horizon))
    return abs(total - (low + high) / 2 * root), "<=", (high - low) / 2 * root + to_ball(2) ** -30


HORIZONS = [1, 2, 3, 10, 100, 1000]


@claim(
    "TH-S2.2d/order",
    r"$<low>\sqrt T\le\sum_{t\le T}t^{-1/2}\le<high>\sqrt T$: the order is $\sqrt T$",
    domain=Domain.of(horizon="integer [1, inf)"), constants={"low": 1, "high": 2},
    mutations=[mutation("1.9 above", high="1.9"), mutation("1.1 below", low="1.1")], strongest="certificate",
)  # fmt: skip
def order_of_the_sum(check: Check) -> None:
    routes = ("the sum, in balls", "square roots")
    if check.enumerate(sum_of_roots, {"horizon": HORIZONS}, routes=routes):
        check.certificate(facts_hold, TELESCOPE, routes=("telescoping steps, proved symbolically", "the bounds"))


def upper_step(root: Any, before: Any) -> Sides:
    """With root = sqrt(t), before = sqrt(t - 1): 1 / root <= 2 (root - before) where root^2 - before^2 = 1."""
    return (root**2 - before**2) / root, "<=", 2 * (root - before)


def upper_argument() -> SymbolicArgument:
    import sympy

    before = sympy.Symbol("before", nonnegative=True)
    step = sympy.Symbol("step", positive=True)
    return SymbolicArgument({"root": before + step, "before": before}, step**2 / (before + step), "nonnegative")


def lower_step(root: Any, before: Any) -> Sides:
    """Every one of the t terms is at least 1 / root."""
    return root, "<=", root**2 / root + 0 * before


def lower_argument() -> SymbolicArgument:
    import sympy

    before = sympy.Symbol("before", nonnegative=True)
    step = sympy.Symbol("step", positive=True)
    return SymbolicArgument({"root": before + step, "before": before}, sympy.Integer(0), "nonnegative")


ROOTS = Domain.of(root="(0, inf)", before="[0, inf)", where=["before < root"])
TELESCOPE = derivation(
    [fact(upper_step, ROOTS, upper_argument), fact(lower_step, ROOTS, lower_argument)],
    "the steps 2 sqrt(t) - 2 sqrt(t - 1) telescope to 2 sqrt(T); T terms of at least 1/sqrt(T) add up to sqrt(T)",
)


def integral_of_root(horizon: int, factor: Any) -> Sides:
    """The integral of t^(-1/2) over (0, T], by its antiderivative 2 sqrt(t)."""
    return 2 * sqrt(to_ball(horizon)), "==", factor * sqrt(to_ball(horizon))


@claim(
    "TH-S2.2d/integral",
    r"'$\int_t\frac1{\sqrt t}dt=<factor>\sqrt T$', literally, over $(0,T]$",
    domain=Domain.of(horizon="integer [1, inf)"), constants={"factor": 1}, role="reading",
)  # fmt: skip
def integral_as_printed(check: Check) -> None:
    check.counterexample(integral_of_root, {"horizon": 1})


def integral_in_rationals(root: Any, factor: Any) -> Sides:
    """The same with root = sqrt(T)."""
    return 2 * root, "==", factor * root


def integral_argument(factor: Any) -> SymbolicArgument:
    import sympy

    root = sympy.Symbol("root", positive=True)
    return SymbolicArgument({"root": root}, (factor - 2) * root, "zero")


@claim(
    "TH-S2.2d/integral-repaired",
    r"$\int_0^T\frac1{\sqrt t}dt=<factor>\sqrt T$ (in terms of $\sqrt T$)",
    domain=Domain.of(root="(0, inf)"), constants={"factor": 2}, mutations=[mutation("1, as printed", factor=1)],
    role="repair", repairs="TH-S2.2d/integral", strongest="symbolic",
)  # fmt: skip
def integral_of_the_root(check: Check) -> None:
    check.symbolic(integral_in_rationals, integral_argument, routes=("antiderivative", "stated value"))
