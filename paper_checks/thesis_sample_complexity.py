r"""Lower bounds on the sample complexity: Theorem 2.32, Lemma 4.23 and Theorem 4.24.

Their common step compares the chance of recommending arm 1 on two instances. It needs delta <= 1/2: beyond, of two arms
a strategy may guess, collects nothing, and is delta-correct on every instance.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.paper_checks.bai_strategies import (
    Name,
    chance_of_recommending,
    expected_pulls,
    strategy_named,
    view_ratio,
)
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.derivation import derivation, fact, facts_hold
from banditproof.paper_checks.privacy_regimes import mean as with_odds
from banditproof.paper_checks.privacy_regimes import relative_entropy
from banditproof.paper_checks.register import claim, mutation
from banditproof.paper_checks.thesis_risk_factor import DELTA, excess_of_the_logarithm, factor_bound, kl_of_risk
from banditproof.theory.bernoulli import kl_bernoulli
from banditproof.theory.characteristic_times import characteristic_time
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numeric import log, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]
ABOVE_HALF = "(1/2, 1)"

# -------------------------------------------------------------------------------------------- the step all three share

CHANCES = Domain.of(delta="(0, 1)", p="[0, 1]", q="[0, 1]", where=["p >= 1 - delta", "q <= delta"])
INNER_CHANCES = Domain.of(delta="(0, 1/2]", p="(0, 1)", q="(0, 1)", where=["p >= 1 - delta", "q <= delta"])


def chances_apart(delta: Any, p: Any, q: Any, factor: Any) -> Sides:
    return factor * kl_bernoulli(1 - delta, delta), "<=", kl_bernoulli(p, q)


def chances_apart_formula(delta: Any, p: Any, q: Any, factor: Any) -> Sides:
    """The same by formula, for SymPy."""
    divergence = p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))
    return factor * (1 - 2 * delta) * log((1 - delta) / delta), "<=", divergence


def three_points() -> SymbolicArgument:
    """kl(p, q) = kl(p, p0) + kl(q0, q) + kl(p0, q0) + (p - p0)(L(p0) - L(q)) + (p0 - q0)(L(q0) - L(q)), L = logit."""
    import sympy

    r, s, t = sympy.symbols("r s t", nonnegative=True)
    odds = 1 + r
    p0, p, q0, q = with_odds(odds), with_odds(odds * (1 + s)), 1 / (1 + odds), 1 / (1 + odds * (1 + t))
    slopes = (p - p0, 2 * sympy.log(odds) + sympy.log(1 + t)), (p0 - q0, sympy.log(1 + t))
    certificate = relative_entropy(p, p0) + relative_entropy(q0, q)
    certificate += sum(sympy.factor(sympy.together(gap)) * slope for gap, slope in slopes)
    return SymbolicArgument({"delta": q0, "p": p, "q": q}, certificate, "nonnegative")


MONOTONE = (
    r"Monotonicity: $\mathrm{kl}(p,q)\ge<factor>\,\mathrm{kl}(1-\delta,\delta)$ for $p\ge1-\delta$ and $q\le\delta$"
)


@claim(
    "TH-L4.23/step-monotonicity", MONOTONE + r", for every $\delta\in(0,1)$.", domain=CHANCES, role="step",
    constants={"factor": 1}, strongest="symbolic",
)  # fmt: skip
def monotonicity(check: Check) -> None:
    # for delta > 1/2 the two conditions allow p = q
    check.counterexample(chances_apart, {"delta": Fraction(9, 10), "p": Fraction(1, 2), "q": Fraction(1, 2)})


@claim(
    "TH-L4.23/step-monotonicity-up-to-one-half", MONOTONE + r", for $\delta\le\frac12$ and $0<p,q<1$.",
    domain=INNER_CHANCES, role="repair", repairs="TH-L4.23/step-monotonicity", constants={"factor": 1},
    mutations=[mutation("1 % more", factor="1.01")], strongest="symbolic",
)  # fmt: skip
def monotonicity_up_to_one_half(check: Check) -> None:
    tight = {"delta": Fraction(1, 4), "p": Fraction(3, 4), "q": Fraction(1, 4)}
    if not check.search(chances_apart_formula, [tight]):
        check.symbolic(chances_apart_formula, three_points, routes=("three-point identities", "Bregman terms"))


SHARED = fact(chances_apart_formula, INNER_CHANCES, three_points)


def shared_holds(data: dict[str, Any], factor: Any) -> Sides:
    return facts_hold(data, factor=factor)


# ------------------------------------------------------------------------------------ Theorem 2.32 and Lemma 4.23


def correct_on(strategy: Name, instances: Sequence[Sequence[Any]]) -> list[Fraction]:
    """The chances of recommending the best arm, which is unique on each instance."""
    chances = []
    for means in instances:
        best = max(map(Fraction, means))
        if list(map(Fraction, means)).count(best) != 1:
            raise InvalidInput("instances", means, "means with a unique best arm")
        chances.append(chance_of_recommending(strategy, means, list(map(Fraction, means)).index(best)))
    return chances


def guesses_correctly(strategy: Name, delta: Fraction) -> None:
    """A strategy without rewards is delta-correct on all instances if it recommends each arm often enough."""
    rule = strategy_named(strategy)
    if rule.horizon or min(rule.recommendation(())) < 1 - delta:
        raise InvalidInput(
            "strategy", strategy, "a guess that is right with probability 1 - delta whatever the best arm"
        )


def expected_stopping_step(strategy: Name, means: Sequence[Any], delta: Any) -> Sides:
    """E of the first step with a_n = stop, for a delta-correct guess, against T*_KL kl(delta, 1 - delta)."""
    guesses_correctly(strategy, delta)
    time = _entropy_time(tuple(map(Fraction, means)))
    return 1 + sum(expected_pulls(strategy, means)), ">=", time * kl_of_risk(to_ball(delta))


@cache
def _entropy_time(means: tuple[Fraction, ...]) -> Any:
    return characteristic_time(means=means).value.ball()


THEOREM = Domain.of(
    strategy="all: every delta-correct strategy", means="all: every instance with a unique best arm", delta="(0, 1)"
)
GUESS = {"strategy": ["guess", 2], "means": [Fraction(3, 4), Fraction(1, 4)], "delta": Fraction(9, 10)}


@claim(
    "TH-T2.32", r"$\mathbb E_\nu[\tau_\delta]\ge T^\star_{\mathrm{KL}}(\nu)\,\mathrm{kl}(\delta,1-\delta)$ for every "
    r"$\delta\in(0,1)$, every $\delta$-correct strategy and every instance.",
    domain=THEOREM, strongest="certificate",
)  # fmt: skip
def sample_complexity(check: Check) -> None:
    # kl(delta, 1 - delta) grows again beyond 1/2, where guessing one of two arms by a coin is delta-correct
    check.counterexample(expected_stopping_step, GUESS, rational=True)


@claim(
    "TH-T2.32/edge-above-one-half", r"The bound for $K=2$ and $\delta>\frac12$.",
    domain=THEOREM.restrict(delta=ABOVE_HALF), role="edge", strongest="certificate",
)  # fmt: skip
def sample_complexity_above_one_half(check: Check) -> None:
    check.counterexample(expected_stopping_step, GUESS | {"delta": Fraction(3, 4)}, rational=True)


def transport_without_privacy(strategy: Name, nu: Sequence[Any], lam: Sequence[Any], factor: Any) -> Sides:
    """Sum of E[N_a] KL(nu_a, lam_a) against kl(1 - delta, delta), delta the larger error of the strategy on the two."""
    risk = 1 - min(correct_on(strategy, (nu, lam)))
    pulls = expected_pulls(strategy, nu)
    divergences = [kl_bernoulli(to_ball(Fraction(a)), to_ball(Fraction(b))) for a, b in zip(nu, lam, strict=True)]
    paid = sum((to_ball(n) * d for n, d in zip(pulls, divergences, strict=True)), to_ball(0))
    return to_ball(factor) * _kl_up_to_one_half(risk), "<=", paid


def _kl_up_to_one_half(risk: Fraction) -> Any:
    if not 0 < risk <= Fraction(1, 2):
        raise InvalidInput("delta", risk, "a risk in (0, 1/2]")
    return kl_of_risk(to_ball(risk))


COMPARED = [
    {
        "strategy": ["compare", pulls],
        "nu": [Fraction(a, 10), Fraction(b, 10)],
        "lam": [Fraction(b, 10), Fraction(a, 10)],
    }
    for pulls in (1, 2)
    for a, b in ((9, 1), (6, 4), (8, 3))
]
TWO_INSTANCES = Domain.of(
    strategy="all: every strategy that is delta-correct on both instances, delta <= 1/2", nu="all: every instance",
    lam="all: every instance with another best arm",
)  # fmt: skip


@claim(
    "TH-T2.32/step-transport",
    r"$\sum_a\mathbb E_\nu[N_a]\,\mathrm{KL}(\nu_a,\lambda_a)\ge<factor>\,\mathrm{kl}(\delta,"
    r"1-\delta)$ for $\lambda\in\mathrm{Alt}(\nu)$ and $\delta\le\frac12$.",
    domain=TWO_INSTANCES, role="step", constants={"factor": 1}, mutations=[mutation("six times", factor=6)],
    strongest="enumeration",
)  # fmt: skip
def transport(check: Check) -> None:
    routes = ("expected pulls and divergences", "error of the strategy")
    check.enumerate(transport_without_privacy, COMPARED, rational=True, routes=routes)


UP_TO_HALF = r" for $\delta\le\frac12$."
UP_TO_ONE = {"mutations": [mutation("any delta", domain=THEOREM, gradual=False)], "strongest": "certificate"}


@claim(
    "TH-T2.32/up-to-one-half",
    r"$\mathbb E_\nu[\tau_\delta]\ge T^\star_{\mathrm{KL}}(\nu)\,\mathrm{kl}(\delta,1-\delta)$"
    + UP_TO_HALF,
    domain=THEOREM.restrict(delta="(0, 1/2]"), role="repair", repairs="TH-T2.32", **UP_TO_ONE,
)  # fmt: skip
@claim(
    "TH-T2.32/edge-up-to-one-half", "The bound where guessing does not do," + UP_TO_HALF,
    domain=THEOREM.restrict(delta="(0, 1/2]"), role="repair", repairs="TH-T2.32/edge-above-one-half", **UP_TO_ONE,
)  # fmt: skip
def sample_complexity_up_to_one_half(check: Check) -> None:
    why = (
        "Wald's identity and data processing give sum of E[N_a] KL_a >= kl(p, q) with p, q the chances of recommending "
        "arm a*(nu), at least 1 - delta and at most delta; then the infimum over alternatives and the supremum over "
        "proportions E[N_a]/E[tau]"
    )
    if not check.search(expected_stopping_step, [GUESS], rational=True):
        check.certificate(shared_facts, derivation([SHARED], why))


def shared_facts(data: dict[str, Any]) -> Sides:
    return facts_hold(data, factor=1)


# --------------------------------------------------------------------------------------------- Lemma 4.23, Theorem 4.24

LEMMA = Domain.of(
    strategy="all: every delta-correct epsilon-View DP strategy", nu="all: every instance",
    lam="all: every instance with another best arm", delta="(0, 1)", epsilon="(0, inf)",
)  # fmt: skip


def transport_of_a_guess(strategy: Name, nu: Any, lam: Any, delta: Any, epsilon: Any) -> Sides:
    """epsilon times the sum of E[N_a] TV_a, for a delta-correct guess, which is 0-View DP."""
    guesses_correctly(strategy, delta)
    correct_on(strategy, (nu, lam))
    return epsilon * _variation_paid(strategy, nu, lam), ">=", kl_of_risk(to_ball(delta))


def _variation_paid(strategy: Name, nu: Sequence[Any], lam: Sequence[Any]) -> Fraction:
    pulls = expected_pulls(strategy, nu)
    return sum((n * abs(Fraction(a) - Fraction(b)) for n, a, b in zip(pulls, nu, lam, strict=True)), Fraction(0))


@claim(
    "TH-L4.23", r"$\varepsilon\sum_a\mathbb E_{\nu,\pi}[N_a(\tau)]\mathrm{TV}(\nu_a\|\lambda_a)\ge\mathrm{kl}(1-\delta,"
    r"\delta)$ for every $\delta\in(0,1)$, $\lambda\in\mathrm{Alt}(\nu)$ and $\delta$-correct $\varepsilon$-View DP "
    "strategy.",
    domain=LEMMA, strongest="certificate",
)  # fmt: skip
def private_transport(check: Check) -> None:
    # the guess collects nothing, so the left side is 0
    means = [Fraction(3, 4), Fraction(1, 4)]
    point = {
        "strategy": ["guess", 2],
        "nu": means,
        "lam": means[::-1],
        "delta": Fraction(9, 10),
        "epsilon": Fraction(1),
    }
    check.counterexample(transport_of_a_guess, point, rational=True)


def transport_with_privacy(strategy: Name, nu: Sequence[Any], lam: Sequence[Any], factor: Any) -> Sides:
    """The same with the strategy's tightest epsilon and its larger error on the two instances."""
    risk = 1 - min(correct_on(strategy, (nu, lam)))
    paid = log(to_ball(view_ratio(strategy))) * to_ball(_variation_paid(strategy, nu, lam))
    return to_ball(factor) * _kl_up_to_one_half(risk), "<=", paid


RESPONSES = [
    {"strategy": ["response", ratio], "nu": [Fraction(a, 10), Fraction(1, 2)], "lam": [Fraction(b, 10), Fraction(1, 2)]}
    for ratio in (3, 9, 99)
    for a, b in ((9, 1), (10, 0), (7, 3))
]


@claim(
    "TH-L4.23/up-to-one-half", r"Lemma 4.23 for $\delta\le\frac12$: $\varepsilon\sum_a\mathbb E[N_a]\mathrm{TV}_a\ge"
    r"<factor>\,\mathrm{kl}(1-\delta,\delta)$.",
    domain=TWO_INSTANCES, role="repair", repairs="TH-L4.23", constants={"factor": 1},
    mutations=[mutation("a fifth more", factor="6/5")], strongest="certificate",
)  # fmt: skip
def private_transport_up_to_one_half(check: Check) -> None:
    """Randomised response on one deterministic reward pays epsilon and has kl = epsilon tanh(epsilon / 2)."""
    routes = ("tightest epsilon, expected pulls, total variation", "error of the strategy")
    if check.enumerate(transport_with_privacy, RESPONSES, rational=True, routes=routes):
        why = "data processing gives kl(p, q) <= KL of the outputs, and Remark 4.11 bounds that by the left side"
        check.certificate(shared_holds, derivation([SHARED], why))


def logarithm_of_three(delta: Any, constant: Any) -> Sides:
    return excess_of_the_logarithm(delta), "<=", log(constant + 0 * delta)


GUESSES = [
    {"strategy": ["guess", 2], "delta": Fraction(d), "epsilon": Fraction(e)}
    for d in ("1/2", "0.51", "0.9", "0.999")
    for e in ("1/100", "1/2", "10")
]


@claim(
    "TH-T4.24/step-factor", r"$\mathrm{kl}(1-\delta,\delta)\ge\log\frac1{<constant>\delta}$ for $\delta\in(0,1)$.",
    domain=DELTA, role="step", constants={"constant": 3}, mutations=[mutation("2.38", constant="2.38")],
    strongest="interval",
)  # fmt: skip
def factor_with_three(check: Check) -> None:
    factor_bound(check)


THREE = fact(logarithm_of_three, Domain.of(delta="(0, 1/3]"))


def three_holds(data: dict[str, Any], constant: Any) -> Sides:
    return facts_hold(data, factor=1, constant=constant)


@claim(
    "TH-T4.24", r"$\mathbb E_{\nu,\pi}[\tau]\ge T^\star(\nu;\varepsilon)\log\frac1{<constant>\delta}$ for every "
    r"$\delta\in(0,1)$, $\varepsilon>0$ and $\delta$-correct $\varepsilon$-View DP strategy.",
    domain=LEMMA.restrict(nu="all: every instance with a unique best arm"), constants={"constant": 3},
    mutations=[mutation("1.9", constant="1.9")], strongest="certificate",
)  # fmt: skip
def private_sample_complexity(check: Check) -> None:
    """From delta = 1/3 on the right side is not positive; below, the lemma holds, with kl >= log(1/(3 delta))."""
    why = (
        "for delta >= 1/3 the bound is not positive; below, Lemma 4.23 and its non-private form hold for every "
        "alternative, so their minimum, infimum over alternatives and supremum over proportions do"
    )
    if not check.search(guess_against_the_private_bound, GUESSES, rational=True):
        check.certificate(three_holds, derivation([SHARED, THREE], why))


def guess_against_the_private_bound(strategy: Name, delta: Any, epsilon: Any, constant: Any) -> Sides:
    """The rewards that a delta-correct guess collects against the bound, on (3/4, 1/4)."""
    guesses_correctly(strategy, delta)
    time = characteristic_time(means=["3/4", "1/4"], epsilon=epsilon).value.ball()
    return to_ball(sum(expected_pulls(strategy, ["3/4", "1/4"]))), ">=", -time * log(to_ball(constant * delta))


@claim(
    "TH-T4.24/edge-guessing",
    r"Where guessing one of two arms is $\delta$-correct, $\delta\ge\frac12$, the bound asks for "
    r"nothing: $\log\frac1{<constant>\delta}<0$.",
    domain=Domain.of(strategy="all: the fair guess between two arms", delta="[1/2, 1)", epsilon="(0, inf)"),
    role="edge",
    constants={"constant": 3}, mutations=[mutation("1.9", constant="1.9")], strongest="enumeration",
)  # fmt: skip
def guessing(check: Check) -> None:
    routes = ("rewards collected", "bound")
    check.enumerate(guess_against_the_private_bound, GUESSES, rational=True, routes=routes)
