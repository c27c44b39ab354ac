r"""The private minimax bounds for linear bandits on $[-1,1]^d$: Theorems 4.17 and 4.21, Appendices B.2 and B.5."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_minimax import PINSKER, VIEW, prove_variation
from banditproof.paper_checks.thesis_non_private_minimax import argument_holds
from banditproof.paper_checks.thesis_two_environments import Sides, bretagnolle_huber, through_the_affinity
from banditproof.paper_checks.thesis_zcdp_minimax import (
    EXPONENT,
)
from banditproof.paper_checks.two_environments import positive, root
from banditproof.theory.numeric import exp, maximum, minimum, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

# ----------------------------------------------------------------------------------------------- from regret to testing


def wrong_sign_costs(action: Any, weight: Any) -> Sides:
    """(sign theta - A) theta over |theta| for theta > 0 and A <= 0; for theta < 0 with -A."""
    return 1 - action, ">=", weight


@claim(
    "TH-T4.17/step-sign",
    r"$(\mathrm{sign}(\theta_i)-A_{ti})\theta_i\ge <weight>\,|\theta_i|\,\mathbb 1\{\mathrm{sign}(A_{ti})\ne"
    r"\mathrm{sign}(\theta_i)\}$ on $[-1,1]$ (divided by $|\theta_i|$; the case of a wrong sign).",
    domain=Domain.of(action="[-1, 0]"), role="step", constants={"weight": 1},
    mutations=[mutation("1.01", weight="1.01")], strongest="interval",
)  # fmt: skip
def wrong_signs(check: Check) -> None:
    check.interval(wrong_sign_costs)


def sign_is_wrong(action: Fraction) -> bool:
    """For theta_i > 0."""
    return action <= 0


def markov(actions: Sequence[Any], share: Any) -> Sides:
    """A policy that plays these values of one coordinate whatever the rewards; theta_i = 1/(epsilon T) > 0.

    Times epsilon: E[N]/T for the number N of wrong signs, against share P(N >= T/2).
    """
    wrong = sum(sign_is_wrong(Fraction(a)) for a in actions)
    return Fraction(wrong, len(actions)), ">=", share * (2 * wrong >= len(actions))


def regret_to_testing(actions: Sequence[Any], share: Any) -> Sides:
    """The same with the regret, sum of 1 - A_t over T, on the left."""
    wrong = sum(sign_is_wrong(Fraction(a)) for a in actions)
    return sum(1 - Fraction(a) for a in actions) / len(actions), ">=", share * (2 * wrong >= len(actions))


SEQUENCES = Domain.of(actions="all: every policy that ignores the rewards, one coordinate")
MARKOV = (
    r"$\frac1{<scale>\,T}\mathbb E_\theta[N_i]\ge\frac{<share>}{<scale>}\mathbb M_\theta(N_i\ge\frac T2)$, $N_i$ the "
    r"number of wrong signs ('a direct application of Markov's inequality')."
)
TESTING = r"On the hard set $\mathrm{Reg}_T(\theta)\ge\frac{<share>}{<scale>}\sum_i\mathbb M_\theta(N_i\ge\frac T2)$."
PRINTED_SHARE = {"domain": SEQUENCES, "role": "step"}


@claim("TH-T4.17/step-markov", MARKOV, constants={"share": 1, "scale": r"\varepsilon"}, **PRINTED_SHARE)
@claim("TH-T4.21/step-markov", MARKOV, constants={"share": 1, "scale": r"\sqrt\rho"}, **PRINTED_SHARE)
def markov_step(check: Check) -> None:
    """Markov's inequality gives E[N] >= (T/2) P(N >= T/2): a factor 1/2 is missing. One wrong sign in two rounds."""
    check.counterexample(markov, {"actions": [1, -1]}, rational=True)


@claim("TH-T4.17/step-regret-to-testing", TESTING, constants={"share": 1, "scale": r"\varepsilon"}, **PRINTED_SHARE)
@claim("TH-T4.21/step-regret-to-testing", TESTING, constants={"share": 1, "scale": r"\sqrt\rho"}, **PRINTED_SHARE)
def regret_to_testing_step(check: Check) -> None:
    """The missing factor is not regained: an action just beyond 0 has the wrong sign and costs little."""
    check.counterexample(regret_to_testing, {"actions": [Fraction(-1, 10), 1]}, rational=True)


def half_of_the_count(wrong: Any, horizon: Any, share: Any) -> Sides:
    """Where N >= T/2: N >= share T (elsewhere the right side is 0); each wrong sign costs |theta_i| at least."""
    return wrong, ">=", share * horizon


def half_the_horizon(share: Any) -> SymbolicArgument:
    import sympy

    horizon, more = sympy.symbols("T m", nonnegative=True)
    return SymbolicArgument({"wrong": horizon / 2 + more, "horizon": horizon}, more, "nonnegative")


HALF: dict[str, Any] = {
    "domain": Domain.of(wrong="[0, inf)", horizon="[0, inf)", where=["2*wrong >= horizon"]),
    "role": "repair", "mutations": [mutation("0.51", share="0.51")], "strongest": "symbolic",
}  # fmt: skip


@claim("TH-T4.17/markov", MARKOV, repairs="TH-T4.17/step-markov",
       constants={"share": "1/2", "scale": r"\varepsilon"}, **HALF)  # fmt: skip
@claim("TH-T4.21/markov", MARKOV, repairs="TH-T4.21/step-markov",
       constants={"share": "1/2", "scale": r"\sqrt\rho"}, **HALF)  # fmt: skip
@claim("TH-T4.17/regret-to-testing", TESTING, repairs="TH-T4.17/step-regret-to-testing",
       constants={"share": "1/2", "scale": r"\varepsilon"}, **HALF)  # fmt: skip
@claim("TH-T4.21/regret-to-testing", TESTING, repairs="TH-T4.21/step-regret-to-testing",
       constants={"share": "1/2", "scale": r"\sqrt\rho"}, **HALF)  # fmt: skip
def markov_with_the_half(check: Check) -> None:
    if not check.search(half_of_the_count, [{"wrong": Fraction(1), "horizon": Fraction(2)}]):
        check.symbolic(half_of_the_count, half_the_horizon)


# ------------------------------------------------------------------------------------------------- eqs. B.4 and B.5

parts_decide(
    "TH-EQ-B4",
    r"$\varepsilon\,\mathbb E\sum_t\mathrm{TV}(\mathcal N(\langle A_t,\theta\rangle,1)\|\mathcal N(\langle A_t,\theta'"
    r"\rangle,1))\le\frac12\varepsilon\,\mathbb E\sum_t|\langle A_t,\theta-\theta'\rangle|\le1$ on the hard set.",
)


@claim(
    "TH-EQ-B4/pinsker",
    r"$\mathrm{TV}(\mathcal N(0,1)\|\mathcal N(x,1))=2\Phi(\frac x2)-1\le <slope>\,\frac x2$ (gap is $\frac x2$).",
    domain=Domain.of(gap="[0, inf)"), constants={"slope": 1}, mutations=[mutation("below sqrt(2/pi)", slope="0.79")],
    strongest="interval",
)  # fmt: skip
def pinsker_step(check: Check) -> None:
    prove_variation(check)


def divergence_on_the_hard_set(epsilon: Any, horizon: Any, size: Any, one: Any) -> Sides:
    """1/2 epsilon T |A_ti| 2 |theta_i| for |theta_i| = 1/(epsilon T) and |A_ti| = size."""
    return epsilon * horizon * size * 2 / (epsilon * horizon) / 2, "<=", one


def at_most_one(one: Any) -> SymbolicArgument:
    import sympy

    e, y = positive("e"), sympy.Symbol("y", nonnegative=True)
    T = sympy.Symbol("T", integer=True, positive=True)
    return SymbolicArgument({"epsilon": e, "horizon": T, "size": 1 / (1 + y)}, y / (1 + y), "nonnegative")


@claim(
    "TH-EQ-B4/at-most-one", r"$\frac12\varepsilon\,T\,|A_{ti}|\,2|\theta_i|\le <one>$ for $|A_{ti}|\le1$, "
    r"$|\theta_i|=\frac1{\varepsilon T}$ ($A_{ti}\ne0$).",
    domain=Domain.of(epsilon="(0, inf)", horizon="integer [1, inf)", size="(0, 1]"), constants={"one": 1},
    mutations=[mutation("0.99", one="0.99")], strongest="symbolic",
)  # fmt: skip
def divergence_at_most_one(check: Check) -> None:
    if not check.search(divergence_on_the_hard_set, [{"epsilon": Fraction(1), "horizon": 1, "size": Fraction(1)}]):
        check.symbolic(divergence_on_the_hard_set, at_most_one)


# -------------------------------------------------------------------------------------------------- Theorem 4.17


def linear_constant(dimension: Any, epsilon: Any, quarter: Any) -> Sides:
    """The printed term against d delta T e^-1/2, the regret averaged over the signs, at delta = 1/(epsilon T)."""
    return (
        exp(-1 + 0 * epsilon) * dimension / (quarter * epsilon),
        "<=",
        exp(-1 + 0 * epsilon) * dimension / (2 * epsilon),
    )


def half_is_left(quarter: Any) -> SymbolicArgument:
    import sympy

    e, d = positive("e"), sympy.Symbol("d", integer=True, positive=True)
    left = (sympy.Rational(1, 2) - sympy.S(1) / quarter) * sympy.exp(-1) * d / e
    return SymbolicArgument({"dimension": d, "epsilon": e}, left, "nonnegative")


def free_linear_constant(root_horizon: Any, eighth: Any) -> Sides:
    """e^-2/8 sqrt(T) against delta T e^-2/2 at delta = 1/sqrt(T), where the divergence is at most 2."""
    return exp(-2 + 0 * root_horizon) * root_horizon / eighth, "<=", exp(-2 + 0 * root_horizon) * root_horizon / 2


def much_is_left(eighth: Any) -> SymbolicArgument:
    import sympy

    r = positive("r")
    left = (sympy.Rational(1, 2) - sympy.S(1) / eighth) * sympy.exp(-2) * r
    return SymbolicArgument({"root_horizon": r}, left, "nonnegative")


BUDGETED = Domain.of(dimension="integer [1, inf)", epsilon="(0, inf)")
JOINTS = (
    "data processing to an event, E_+[sum A] - E_-[sum A] <= 2 T TV for actions in [-1, 1] (so the two regrets of a "
    "coordinate add up to 2 delta T (1 - TV) at least), the average over all signs, the decompositions of relative "
    "entropy, without privacy and under View DP (TH-T4.9, also for a continuum of actions)"
)
FACTS = (
    fact(bretagnolle_huber, Domain.of(p="(0, 1)", q="(0, 1)"), through_the_affinity), PINSKER,
    fact(divergence_on_the_hard_set, Domain.of(epsilon="(0, inf)", horizon="integer [1, inf)", size="(0, 1]"),
         at_most_one),
    fact(free_linear_constant, Domain.of(root_horizon="(0, inf)"), much_is_left),
    fact(linear_constant, BUDGETED, half_is_left),
)  # fmt: skip


def linear_argument(data: Any, **constants: Any) -> tuple[int, str, int]:
    return argument_holds(data, **{"slope": 1, "one": 1, "eighth": 8, "quarter": 4, "bound": EXPONENT, **constants})


def regret_of_the_origin(horizon: Any, radius: Any) -> Any:
    """The largest regret of A_t = 0 over parameters with |theta|_1 <= radius: T times that."""
    return to_ball(0) if horizon == 0 else to_ball(math.inf) if radius == math.inf else to_ball(radius) * horizon


def above_the_linear_bound(horizon: Any, dimension: Any, epsilon: Any, radius: Any, quarter: Any) -> Sides:
    free = exp(to_ball(-2)) / 8 * dimension * root(horizon)
    private = exp(to_ball(-1)) / quarter * dimension / epsilon
    return regret_of_the_origin(horizon, radius), ">=", maximum(free, private)


PRINTED = r"$\mathrm{Reg}_T(\pi,\theta)\ge\max\{\frac{e^{-2}}8d\sqrt T,\frac{e^{-1}}{<quarter>}\frac d\varepsilon\}$"
PROBLEM = BUDGETED.restrict(policy=VIEW, horizon="integer [1, inf)", radius=["inf"])


@claim(
    "TH-T4.17", r"For $\mathcal A=[-1,1]^d$ and every $\varepsilon$-View DP policy some $\theta\in\mathbb R^d$ has "
    + PRINTED + r", any $T\ge1$.",
    domain=PROBLEM, constants={"quarter": 4}, strongest="certificate",
    mutations=[mutation("also T = 0", PROBLEM.restrict(horizon="integer [0, inf)"))],
)  # fmt: skip
def linear_bound(check: Check) -> None:
    """Not by the printed testing step, which loses a factor 2: with total variation in its place e^-1/2 is reached."""
    nothing = {"policy": "any", "horizon": 0, "dimension": 1, "radius": math.inf, "epsilon": Fraction(1)}
    if not check.counterexample(above_the_linear_bound, nothing):
        check.certificate(linear_argument, derivation(FACTS, JOINTS))


def origin_on_the_hard_set(dimension: Any, epsilon: Any, quarter: Any) -> Sides:
    """A_t = 0 has regret T d |theta_i| = d/epsilon at every parameter of the hard set."""
    return dimension / epsilon, ">=", exp(to_ball(-1)) / quarter * dimension / epsilon


HARD_SET = (
    r"On the hard set $\{\pm\frac1{\varepsilon T}\}^d$: $\max_\theta\mathrm{Reg}_T\ge\frac{e^{-1}}{<quarter>}"
    r"\frac d\varepsilon$"
)
ON_THE_HARD_SET = {"domain": PROBLEM.restrict(radius="all: the hard set"), "strongest": "certificate",
                   "mutations": [mutation("constant 3 e^-1", quarter="1/3")]}  # fmt: skip


@claim("TH-T4.17/hard-set", HARD_SET + ", where the proof looks.", role="reading", constants={"quarter": 4},
       **ON_THE_HARD_SET)  # fmt: skip
@claim("TH-T4.17/hard-set-twice-the-constant", HARD_SET + ": twice the printed constant.", role="remark",
       constants={"quarter": 2}, **ON_THE_HARD_SET)  # fmt: skip
def bound_on_the_hard_set(check: Check) -> None:
    origin = {"policy": "the origin", "horizon": 1, "dimension": 1, "radius": "the hard set", "epsilon": Fraction(1)}
    if not check.counterexample(origin_on_the_hard_set, origin):
        check.certificate(linear_argument, derivation(FACTS, JOINTS))


SMALLEST = {"policy": "the origin", "horizon": 1, "dimension": 1, "radius": Fraction(1), "epsilon": Fraction(1, 100)}


@claim(
    "TH-T4.17/bounded-mean-rewards", r"If only parameters with $|\langle a,\theta\rangle|\le1$ on $\mathcal A$ are "
    r"allowed, some of them has " + PRINTED + ".",
    domain=PROBLEM.restrict(radius=[1]), role="reading", constants={"quarter": 4},
)  # fmt: skip
def linear_bound_with_bounded_means(check: Check) -> None:
    """The action 0 has regret |theta|_1 <= 1 per round; the hard set has |theta|_1 = d/(epsilon T)."""
    smallest = {
        "policy": "the origin",
        "horizon": 1,
        "dimension": 1,
        "radius": Fraction(1),
        "epsilon": Fraction(1, 100),
    }
    check.counterexample(above_the_linear_bound, smallest)


def above_the_capped_linear_bound(horizon: Any, dimension: Any, epsilon: Any, radius: Any, quarter: Any) -> Sides:
    private = minimum(dimension / epsilon, to_ball(horizon))
    return regret_of_the_origin(horizon, radius), ">=", exp(to_ball(-1)) / quarter * private


@claim(
    "TH-T4.17/bounded-mean-rewards-capped", r"Among parameters with $|\langle a,\theta\rangle|\le1$ on "
    r"$\mathcal A$ some has $\mathrm{Reg}_T\ge\frac{e^{-1}}{<quarter>}\min\{\frac d\varepsilon,T\}$ "
    r"($\delta=\min\{\frac1{\varepsilon T},"
    r"\frac1d\}$, divergence $\varepsilon T\delta\le1$).",
    domain=PROBLEM.restrict(radius=[1]), role="repair", repairs="TH-T4.17/bounded-mean-rewards",
    constants={"quarter": 4}, mutations=[mutation("constant 3 e^-1", quarter="1/3")], strongest="certificate",
)  # fmt: skip
def capped_linear_bound(check: Check) -> None:
    smallest = {
        "policy": "the origin",
        "horizon": 1,
        "dimension": 1,
        "radius": Fraction(1),
        "epsilon": Fraction(1, 100),
    }
    if not check.counterexample(above_the_capped_linear_bound, smallest):
        check.certificate(linear_argument, derivation(FACTS, JOINTS))
