"""Section 2.2.8, page 34: the sample complexity of best-arm identification, its risk factor and characteristic time.

An instance is a list of groups (mean, number of arms); the first group is the best arm, alone. Bounds on characteristic
times and links between them are compared with certified values.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.lists import entry_of, sum_over
from banditproof.paper_checks.thesis.facts.best_arm import (
    EXACT,
    SHARED,
    Groups,
    excess_of_the_logarithm,
    guesses_correctly,
    kl_of_risk,
    pulls_of,
    risk_of,
    solved,
    theta,
)
from banditproof.theory import CharacteristicTime, characteristic_time
from banditproof.verify.finite.strategies import Name, expected_pulls
from banditproof.verify.kernel.asymptotics import Class
from banditproof.verify.kernel.bandits import of_each_arm
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.identification import game_is_at_most
from banditproof.verify.kernel.meanings import function_of
from banditproof.verify.kernel.rules import le

Instance = Annotated[Any, "all: every instance with a unique best arm"]
CorrectStrategy = Annotated[Any, "all: every delta-correct strategy"]
UpToHalf = Annotated[Any, "(0, 1/2]"]


@quantity
def entropy_time_of_means(means: Sequence[Any]) -> Any:
    """T*_KL of Bernoulli arms with these means."""
    return characteristic_time(means=means).value.ball()


@quantity
def steps_of_a_guess(strategy: Name, means: Sequence[Any], delta: Any) -> Fraction:
    """The expected first step with a_n = stop of a guess that is delta-correct."""
    guesses_correctly(strategy, delta)
    return 1 + sum(expected_pulls(strategy, means), Fraction(0))


GUESS: dict[str, Any] = {"strategy": ["guess", 2], "means": [Fraction(3, 4), Fraction(1, 4)]}
EVERY_RISK = Domain.of(
    strategy="all: every delta-correct strategy", means="all: every instance with a unique best arm", delta="(0, 1)"
)


item(
    "TH-T2.32",
    r"""$\mathbb E_\nu[\tau_\delta]\ge T^\star_{\mathrm{KL}}(\nu)\,\mathrm{kl}(\delta,1-\delta)$ for every
    $\delta\in(0,1)$, every $\delta$-correct strategy and every instance.""",
    domain=EVERY_RISK,
)


def sample_complexity(strategy: Any, means: Any, delta: Any) -> Sides:
    """The expected first step with a_n = stop against T* kl(delta, 1 - delta)."""
    return steps_of_a_guess(strategy, means, delta), ">=", entropy_time_of_means(means) * kl_of_risk(delta)


@claim(
    "TH-T2.32/edge-above-one-half",
    fails_at(**GUESS, delta=Fraction(3, 4), rational=True),
    called={
        "a strategy that guesses between two arms with means 3/4 and 1/4": "strategy, means",
        r"$\mathbb E_\nu[\tau_\delta]$": "left",
        r"$T^\star_{\mathrm{KL}}(\nu)\,\mathrm{kl}(\delta,1-\delta)$": "right",
    },
)
def sample_complexity_above_one_half(strategy: CorrectStrategy, means: Instance, delta: Annotated[Any, "(1/2, 1)"]):
    r"""For $\frac12<\delta<1$: $\mathbb E_\nu[\tau_\delta]\ge T^\star_{\mathrm{KL}}(\nu)\,\mathrm{kl}(\delta,1-\delta)$
    for every $\delta$-correct strategy.

    With two arms and $\delta>\frac12$ a strategy may guess with a fair coin and stop at step 1, but
    $\mathrm{kl}(\delta,1-\delta)$ increases again beyond $\frac12$. The guess is right with probability $\frac12$,
    which is at least $1-\delta$. The theorem holds for $\delta\le\frac12$.
    """
    return sample_complexity(strategy, means, delta)


@claim(
    "TH-T2.32/step-transport",
    enumerated(
        [
            {"strategy": ["compare", pulls], "nu": [a, b], "lam": [b, a]}
            for pulls in (1, 2)
            for a, b in (("9/10", "1/10"), ("6/10", "4/10"), ("8/10", "3/10"))
        ],
        rational=True,
        routes=("expected pulls and divergences", "error of the strategy"),
    ),
    role="step",
)
def transport(
    strategy: Annotated[Any, "all: every strategy that is delta-correct on both instances, delta <= 1/2"],
    nu: Annotated[Any, "all: every instance"],
    lam: Annotated[Any, "all: every instance with another best arm"],
):
    r"""$\sum_a\mathbb E_\nu[N_a]\,\mathrm{KL}(\nu_a,\lambda_a)\ge\mathrm{kl}(\delta,1-\delta)$ for
    $\lambda\in\mathrm{Alt}(\nu)$ and $\delta\le\frac12$.

    Here delta is the larger error probability of the strategy on the two instances.
    """
    paid = sum_over(nu, lambda a, mean: pulls_of(strategy, nu, a) * kl_bernoulli(mean, entry_of(lam, a)))
    return kl_of_risk(risk_of(strategy, nu, lam)), "<=", paid


@claim(
    "TH-T2.32/up-to-one-half",
    tried_at([GUESS | {"delta": Fraction(9, 10)}], rational=True),
    argued(
        "Wald's identity and data processing give sum of E[N_a] KL_a >= kl(p, q) with p, q the chances of recommending "
        "arm a*(nu), at least 1 - delta and at most delta; then the infimum over alternatives and the supremum over "
        "proportions E[N_a]/E[tau]",
        SHARED,
    ),
    false=mutation("any delta", EVERY_RISK),
)
def sample_complexity_up_to_one_half(strategy: CorrectStrategy, means: Instance, delta: UpToHalf):
    r"""$\mathbb E_\nu[\tau_\delta]\ge T^\star_{\mathrm{KL}}(\nu)\,\mathrm{kl}(\delta,1-\delta)$ for
    $\delta\le\frac12$."""
    return sample_complexity(strategy, means, delta)


LOGARITHMS = ("log(1/delta) - kl(delta, 1 - delta)", "log of the constant")


@claim("TH-S2.2h/bound", deduced(), false={"constant": "2.38"})
def factor_bound(delta: Inside, constant=Fraction("2.4")):
    r"""$\mathrm{kl}(\delta,1-\delta)\ge\log\frac1{\frac{12}5\,\delta}$ for all $\delta\in(0,1)$."""
    return excess_of_the_logarithm(delta), "<=", log(constant + 0 * delta)


@claim("TH-S2.2h/equivalent", interval(routes=LOGARITHMS), false={"constant": "2.38"}, role="remark")
def equivalent_to_the_logarithm(delta: UpToHalf, constant=Fraction(12, 5)):
    r"""$\mathrm{kl}(\delta,1-\delta)\sim\log(1/\delta)$: for $\delta\le\frac12$,
    $\log\frac1\delta-\log12/5\le\mathrm{kl}(\delta,1-\delta)\le\log\frac1\delta$, and the ratio is at least
    $1-\log\frac{12}5/\log\frac1\delta\to1$ (here the left inequality; the right one is
    TH-S2.2h/at-most-the-logarithm)."""
    return factor_bound(delta, constant)


NORMAL = Class(lambda s: s, lambda s: s, lambda a, s: ())
"""Laws named by their means, which are any numbers; what a change of one costs is said by their means."""


@word
def normal_game_is_at_most(K: Any, most: Any) -> Any:
    """1/T*_KL is at most a number, where the divergence of the laws of means s and t is (s - t)^2/2."""

    def price(a: Any) -> Any:
        move = theta(a) - function_of("alternative", a)
        return le(move * move / 2, function_of("charge", a))

    return game_is_at_most(NORMAL, K, of_each_arm(K, price), most)


def guaranteed(time: CharacteristicTime, weights: Sequence[Fraction]) -> Any:
    """The least transport cost of an allocation over all challengers, in balls, by the divergences of the family."""
    best, arms = time.best_arm, time.instance.arms
    mean, own = Fraction(arms[best].mean), weights[best]

    def cost(arm: Any, weight: Fraction) -> Any:
        if not own * weight:
            return to_ball(0)
        common = to_ball((own * mean + weight * Fraction(arm.mean)) / (own + weight))
        one, other = (law.kl_between(to_ball(law.mean), common) for law in (arms[best], arm))
        return to_ball(own) * one + to_ball(weight) * other

    costs = [cost(arm, weight) for a, (arm, weight) in enumerate(zip(arms, weights, strict=True)) if a != best]
    return min(costs, key=float) / to_ball(sum(weights, Fraction(0)))


@quantity
def time_of_family(groups: Groups, family: str) -> Any:
    """T*_KL of arms of a family."""
    return solved(groups, family).value.ball()


@quantity
def guarantee_of_another_allocation(groups: Groups, family: str, giver: int, taker: int, shift: Fraction) -> Any:
    """What w* guarantees once a share of the pulls, or all that there are, has moved from one arm to another."""
    time = solved(groups, family)
    weights = [Fraction(weight) for weight in time.certificate.weights]
    if max(giver, taker) >= len(weights):
        raise InvalidInput("arm", max(giver, taker), f"one of {len(weights)} arms, counted from 0")
    total = sum(weights)
    moved = min(Fraction(shift), weights[giver] / total)
    weights[giver] -= moved * total
    weights[taker] += moved * total
    return guaranteed(time, weights)


@claim(
    "TH-S2.2j",
    enumerated(
        [
            {"groups": groups, "family": family, "giver": giver, "taker": taker}
            for family in ("bernoulli", "gaussian")
            for groups in EXACT[:6]
            for giver, taker in permutations(range(sum(count for _, count in groups)), 2)
        ],
        rational=True,
        routes=("guarantee of a shifted allocation", "value of the game"),
    ),
    where=["giver != taker"],
)
def only_maximiser(
    groups: Instance,
    family: Annotated[Any, "all: every one-parameter exponential family"],
    giver: Natural,
    taker: Natural,
    shift=Fraction(1, 50),
):
    r"""$w^\star(\nu)$ is the only maximiser: moving 1/50 of the allocation from one arm to another makes the guarantee
    smaller than $1/T^\star$, so that a strategy whose proportions tend to anything but $w^\star$ needs more than
    $T^\star\log(1/\delta)$.

    The guarantee of an allocation other than w* is compared with 1/T*; w* is that of the certificate, with weights
    scaled exactly.
    """
    return guarantee_of_another_allocation(groups, family, giver, taker, shift), "<", 1 / time_of_family(groups, family)
