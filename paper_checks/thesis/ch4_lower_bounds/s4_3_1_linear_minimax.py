r"""Section 4.3.1, page 94: the minimax bound for linear bandits on $[-1,1]^d$ under View DP (Theorem 4.17, B.2)."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.lists import length_of, sum_over
from banditproof.paper_checks.shared.two_environments import root
from banditproof.paper_checks.thesis.ch4_lower_bounds.facts import (
    LINEAR_FACTS,
    LINEAR_JOINTS,
    VIEW,
    free_linear_term,
    linear_term,
    worst_linear_regret,
)
from banditproof.paper_checks.thesis.facts.environments import argument_holds

Private = Annotated[Any, VIEW]
HardSet = Annotated[Any, "all: the hard set"]
Bounded = Annotated[Any, [1]]  # |<a, theta>| <= 1 for all actions
IgnoresRewards = Annotated[Any, "all: every policy that ignores the rewards, one coordinate"]

BY_TOTAL_VARIATION = certified(argument_holds, derivation(LINEAR_FACTS, LINEAR_JOINTS))
ALSO_NO_ROUND = Domain.of(
    dimension="integer [1, inf)", epsilon="(0, inf)", policy=VIEW, horizon="integer [0, inf)", radius=["inf"]
)


@claim(
    "TH-T4.17/argument",
    fails_at(dimension=1, epsilon=1, policy="any", horizon=0, radius="inf"),
    BY_TOTAL_VARIATION,
    false=mutation("also T = 0", ALSO_NO_ROUND),
    role="implication",
)
def linear_bound(
    dimension: Count,
    epsilon: Positive,
    policy: Private,
    horizon: Count,
    radius: Annotated[Any, ["inf"]],
    quarter=4,
    eighth=8,
):
    r"""An argument for it that stays on the hard set: some $\theta$ has
    $\mathrm{Reg}_T(\pi,\theta)\ge\max\{\frac{e^{-2}}{8}d\sqrt T,\frac{e^{-1}}{4}\frac d\varepsilon\}$, any $T\ge1$.

    The printed testing step loses a factor 2; with total variation in its place the constant e^-1/2 is reached.

    The argument reaches 2 in both places.
    """
    free, private = dimension * free_linear_term(root(horizon), eighth), linear_term(dimension / epsilon, quarter)
    return worst_linear_regret(policy, horizon, radius), ">=", maximum(free, private)


AT_THE_ORIGIN = fails_at(dimension=1, epsilon="1/100", policy="the origin", horizon=1, radius=1)


@claim("TH-T4.17/bounded-mean-rewards", AT_THE_ORIGIN, of="TH-T4.17/argument", role="reading")
def linear_bound_with_bounded_means(radius: Bounded):
    r"""If only parameters with $|\langle a,\theta\rangle|\le1$ on $\mathcal A$ are allowed, some of them has
    $\mathrm{Reg}_T(\pi,\theta)\ge\max\{\frac{e^{-2}}{8}d\sqrt T,\frac{e^{-1}}{4}\frac d\varepsilon\}$.

    'There exists a vector theta in Theta' with 'Theta = R^d' does not bound the mean rewards. The action 0 has regret
    |theta|_1 <= 1 per round, but the hard set has |theta|_1 = d/(epsilon T).
    """


@claim(
    "TH-T4.17/bounded-mean-rewards-capped",
    AT_THE_ORIGIN,
    BY_TOTAL_VARIATION,
    false={"quarter": "1/3"},
    repairs="TH-T4.17/bounded-mean-rewards",
)
def capped_linear_bound(
    dimension: Count, epsilon: Positive, policy: Private, horizon: Count, radius: Bounded, quarter=4
):
    r"""Among parameters with $|\langle a,\theta\rangle|\le1$ on $\mathcal A$ some has
    $\mathrm{Reg}_T\ge\frac{e^{-1}}{4}\min\{\frac d\varepsilon,T\}$ ($\delta=\min\{\frac1{\varepsilon T},\frac1d\}$,
    divergence $\varepsilon T\delta\le1$)."""
    private = minimum(dimension / epsilon, to_ball(horizon))
    return worst_linear_regret(policy, horizon, radius), ">=", linear_term(private, quarter)


ORIGIN = enumerated(
    dimension=[1, 3], epsilon=["1/4", "2"], policy="the origin", horizon=[1, 5], radius="the hard set", rational=True
)


FOR_THE_ORIGIN: dict[str, Any] = {"restricted": "to $A_t=0$; the argument under it is for every policy"}


@claim("TH-T4.17/hard-set", ORIGIN, BY_TOTAL_VARIATION, role="reading", **FOR_THE_ORIGIN)
def bound_on_the_hard_set(
    dimension: Count, epsilon: Positive, policy: Private, horizon: Count, radius: HardSet, quarter=4
):
    r"""On the hard set $\{\pm\frac1{\varepsilon T}\}^d$: $\max_\theta\mathrm{Reg}_T\ge\frac{e^{-1}}{4}\frac
    d\varepsilon$, where the proof looks.

    'There exists a vector theta in Theta' does not say where.

    The argument reaches 2 in place of the 4. A_t = 0 loses |theta|_1 = d |theta_i| in every round, at every parameter
    of the hard set.
    """
    lost = dimension * (1 / (epsilon * horizon))
    return horizon * lost, ">=", linear_term(dimension / epsilon, quarter)


@claim(
    "TH-T4.17/hard-set-twice-the-constant",
    ORIGIN,
    BY_TOTAL_VARIATION,
    of="TH-T4.17/hard-set",
    role="remark",
    **FOR_THE_ORIGIN,
)
def twice_the_bound_on_the_hard_set(quarter=2):
    r"""On the hard set $\{\pm\frac1{\varepsilon T}\}^d$: $\max_\theta\mathrm{Reg}_T\ge\frac{e^{-1}}{2}\frac
    d\varepsilon$: twice the printed constant."""


def wrong_signs_in(actions: Any) -> Any:
    """N_i for theta_i > 0; an action of 0 has no sign and counts as wrong."""
    return sum_over(actions, lambda _, a: where(a, "<=", 0, 1, 0))


@claim(
    "TH-T4.17/step-markov",
    fails_at(actions=[1, -1], rational=True),
    role="step",
    called={"the actions $1$ and $-1$": "actions", "the left side of the step": "left", "the right one": "right"},
)
def markov(actions: IgnoresRewards):
    r"""$\frac1{\varepsilon\,T}\mathbb E_\theta[N_i]\ge\frac{1}{\varepsilon}\mathbb M_\theta(N_i\ge\frac T2)$, where
    $N_i$ counts the rounds in which $A_{ti}$ and $\theta_i$ have different signs.

    Markov's inequality gives E[N] >= (T/2) P(N >= T/2), so a factor 1/2 is missing. A policy with one wrong sign in two
    rounds has 1/2 on the left and 1 on the right.

    The policy plays these values of one coordinate whatever the rewards; theta_i = 1/(epsilon T) > 0. Times epsilon:
    E[N]/T for the number N of wrong signs, against P(N >= T/2).
    """
    wrong, rounds = wrong_signs_in(actions), length_of(actions)
    return ratio(wrong, rounds), ">=", where(2 * wrong, ">=", rounds, 1, 0)


@claim(
    "TH-T4.17/step-regret-to-testing",
    fails_at(actions=[Fraction(-1, 10), 1], rational=True),
    role="step",
    called={"the actions $-1/10$ and $1$": "actions", "the left side of the step": "left", "the right one": "right"},
    cause="TH-T4.17/step-markov",
)
def regret_to_testing(actions: IgnoresRewards):
    r"""For $\theta\in\{\pm\frac1{\varepsilon T}\}^d$: $\mathrm{Reg}_T(\theta)\ge\frac{1}{\varepsilon}\sum_i\mathbb
    M_\theta(N_i\ge\frac T2)$, where $N_i$ counts the rounds in which $A_{ti}$ and $\theta_i$ have different signs.

    The factor 1/2 of Markov's inequality is not regained: an action just beyond 0 has the wrong sign and costs hardly
    more than |theta_i|. With 1/2 in front the inequality holds, and another argument reaches the theorem's constant.

    For one coordinate, the left side is the sum of 1 - A_t, divided by T.
    """
    wrong, rounds = wrong_signs_in(actions), length_of(actions)
    return ratio(sum_over(actions, lambda _, a: 1 - a), rounds), ">=", where(2 * wrong, ">=", rounds, 1, 0)


HALF: dict[str, Any] = {"false": {"share": "0.51"}, "where": ["2*wrong >= horizon"], "role": "repair"}


@claim("TH-T4.17/markov", deduced(), repairs="TH-T4.17/step-markov", **HALF)
def markov_with_the_half(wrong: Nonnegative, horizon: Nonnegative, share=Fraction(1, 2)):
    r"""$\frac1{\varepsilon\,T}\mathbb E_\theta[N_i]\ge\frac{1/2}{\varepsilon}\mathbb M_\theta(N_i\ge\frac T2)$, $N_i$
    the number of wrong signs ('a direct application of Markov's inequality').

    Where N >= T/2: N >= share T (elsewhere the right side is 0); each wrong sign costs |theta_i| at least.
    """
    return wrong, ">=", share * horizon
