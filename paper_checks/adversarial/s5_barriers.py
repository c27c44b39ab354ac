"""Section 5: what stands against faster rates: exponential weights, EXP3, and the lower bound of Lemma 11."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.adversarial.facts import chance_in_the_figure
from banditproof.paper_checks.shared.lists import length_of
from banditproof.theory.bounds.adversarial import barrier_terms
from banditproof.theory.numbers.numeric import least
from banditproof.theory.numbers.special import binomial_tail
from banditproof.verify.adversarial.thresholds import exactly_above, expected_regret, law_of_batches


@claim("ADV-S5.1/privacy", fails_at(epsilon=1, delta=Fraction(1, 100), T=100), false={"root": 5})
def privacy_of_exponential_weights(
    epsilon: AboveZero, delta: Annotated[Any, "(0, 1)"], T: Count, linear=Fraction(3, 2), root=6
):
    r"""For $\eta=\frac\varepsilon{\sqrt T}$ advanced composition, here Lemma 15, makes $T$ rounds of privacy loss
    $2\eta$ together $(\varepsilon,\delta)$-DP: $\frac32T(2\eta)^2+\sqrt{6T(2\eta)^2\log\frac1\delta}\le\varepsilon$.

    Lemma 15 gives $6\varepsilon^2+2\varepsilon\sqrt{6\log(1/\delta)}$ in place of $\varepsilon$: a constant and
    $\sqrt{\log(1/\delta)}$ are missing in $\eta$.
    """
    spent = 4 * epsilon**2  # T (2 eta)^2
    return linear * spent + sqrt(to_ball(root * spent) * log(1 / delta)), "<=", epsilon


@claim(
    "ADV-S5.1/privacy-repaired",
    tried_at(D=1, epsilon=1),
    interval(substitutions={"D": ("u", "(0, 1]", "1/u")}),
    false={"share": 5},
    repairs="ADV-S5.1/privacy",
)
def privacy_with_a_smaller_rate(D: Annotated[Any, "[1, inf)"], epsilon: AboveZero, share=6, *, u=None):
    r"""With $\eta=\frac\varepsilon{6\sqrt{T\log(1/\delta)}}$ it does for $\varepsilon\le1$ and
    $D=\log\frac1\delta\ge1$: $\frac{6\varepsilon^2}{6^2D}+\frac{2\sqrt6\varepsilon}{6}\le\varepsilon$, divided by
    $\varepsilon$."""
    u = 1 / D if u is None else u
    return 6 * epsilon * u / share**2 + 2 * sqrt(to_ball(6)) / share, "<=", 1


HALF = Fraction(1, 2)


def chances_of_both_events(T: int, p: int, gamma: Any, share: Any) -> tuple[Any, Any]:
    """Of at least gamma T plays of the second arm, each of probability `share`, and of at most p in p/gamma rounds."""
    few = 1 - binomial_tail(p // gamma, share, p + 1)
    return binomial_tail(T, share, least_integer(gamma * T)), few


@claim("ADV-L11/hypotheses", enumerated(T=8, tau=1, p=1, gamma=HALF, share=HALF, rational=True), role="hypotheses")
def lemma_11_has_an_instance(
    T: Annotated[Any, "integer [8, 8]"],
    tau: Annotated[Any, "integer [1, 1]"],
    p: Annotated[Any, "integer [1, 1]"],
    gamma: Annotated[Any, ["1/2"]],
    share: Annotated[Any, ["1/2"]],
):
    r"""An algorithm that meets all that the lemma assumes: $K=2$, $T=8$, an arm drawn afresh in every round, the second
    with probability $1/2$, which is $\varepsilon$-DP for every $\varepsilon$; with $\gamma=1/2$, $\tau=1$, $p=1$ all of
    $\tau<\frac T2$, $2\gamma\tau\le p\le\gamma(T-\tau)$, $\mathbb P(E_\gamma)\ge\frac12$ and $\mathbb
    P(E^p_{\gamma,\tau})\ge\frac12$ hold (the least of $T-2\tau-1$ and of the differences of the others is at least
    0)."""
    first, second = chances_of_both_events(T, p, gamma, share)
    return least([T - 2 * tau - 1, p - 2 * gamma * tau, gamma * (T - tau) - p, first - HALF, second - HALF]), ">=", 0


@quantity
def meets_lemma_11(plays: Sequence[int], gamma: Any, tau: int, p: int) -> int:
    """1 if an algorithm with these plays on every loss sequence meets what the lemma asks of gamma, tau and p, else 0.

    It plays arm 1 or 2, and reads no loss: it is private for every budget, and its events are certain or impossible.
    """
    T, gamma = len(plays), Fraction(gamma)
    if not (0 < gamma <= HALF and 2 * tau < T and 2 * gamma * tau <= p <= gamma * (T - tau)):
        return 0
    window = p / gamma
    if window.denominator > 1 or {*plays} - {1, 2}:
        raise InvalidInput("plays", plays, "arms 1 and 2, with a whole number p/gamma of rounds")
    second = [arm == 2 for arm in plays]
    return int(sum(second) >= gamma * T and sum(second[tau : tau + int(window)]) <= p)


@quantity
def worst_regret_of_plays(plays: Sequence[int]) -> int:
    """The largest regret over losses in [0, 1]: it is convex in them, so that losses 0 and 1 are enough."""
    rounds = [*product((0, 1), repeat=2)]
    regrets = []
    for losses in product(rounds, repeat=len(plays)):
        paid = sum([loss[arm - 1] for arm, loss in zip(plays, losses, strict=True)])
        regrets.append(paid - min([sum([loss[j] for loss in losses]) for j in (0, 1)]))
    return max(regrets)


@claim(
    "ADV-L11/consequence",
    fails_at(plays=[2, 1, 2, 1], gamma=HALF, tau=1, p=1, rational=True),
    called={
        "the algorithm that plays arms 2, 1, 2, 1 whatever it hears": "plays",
        r"$\gamma$": "gamma",
        r"$\tau$": "tau",
        "$p$": "p",
        r"the infimum of $R^2\frac\varepsilon T$ over $\varepsilon\le1$, for its largest regret $R$,": "left",
    },
    slip=r"It needs $\varepsilon$ below $\frac1T$, where the bound is more than the $T$ that any regret is at most.",
)
def consequence_for_every_budget(
    plays: Annotated[Any, "all: every list of at least four plays"],
    gamma: Annotated[Any, "(0, 1/2]"],
    tau: Count,
    p: Count,
):
    r"""'In particular', for $p=O(1/\varepsilon)$ and $\tau=o(\sqrt{T/\varepsilon})$ the regret is
    $\Omega(\sqrt{T/\varepsilon})$: at least $c\sqrt{T/\varepsilon}$ for some $c>0$ and every $\varepsilon\le1$.

    The paper prints no lower limit on $\varepsilon$, and $p=O(1/\varepsilon)$ allows $p=1$: for small $\varepsilon$ the
    stated bound exceeds $T$, which no regret does. The first part of the lemma gives the bound for p of the order of
    $1/\varepsilon$ and below $\log2/\varepsilon$, with $p\le\gamma(T-\tau)$ as before. The check uses an algorithm
    that reads no loss. So it is $\varepsilon$-DP for every $\varepsilon$ and meets the conditions with the same
    $\gamma$, $\tau$ and $p$, and its largest regret $R$ does not depend on $\varepsilon$.

    The square of the largest c is the infimum of R^2 epsilon/T over (0, 1]. This is linear in epsilon, so its infimum
    is the smaller one of its limits at the ends. Where the conditions do not hold, 1 stands for it.
    """
    ends = least([ratio(worst_regret_of_plays(plays) ** 2 * epsilon, length_of(plays)) for epsilon in (0, 1)])
    return where(meets_lemma_11(plays, gamma, tau, p), "==", 1, ends, 1), ">", 0


@claim(
    "ADV-S5.5/lemma-11-at-one-over-epsilon",
    fails_at(T=10**6, epsilon="1/10", gamma="1/100", tau=1),
    role="step",
    called={"what the first part of the lemma gives": "right"},
)
def lemma_at_one_over_epsilon(T: Count, epsilon: AboveZero, gamma: Annotated[Any, "(0, 1/2]"], tau: Nonnegative):
    r"""At $p=\frac{1}\varepsilon$, the value that is printed, the second term $(1-\frac12e^{\varepsilon p})\frac
    p{4\gamma}-\frac\tau2$ of Lemma 11 is positive.

    It is not positive for any $\gamma$, $\tau$ and $T$, since $1-\frac e2=-0.36$: at exactly this $p$ the lemma gives
    no more than $\frac{\gamma T}4$. At $p=\frac1{2\varepsilon}$ it is positive.
    """
    return 0, "<", barrier_terms(T, epsilon, gamma, tau, 1 / epsilon)[1]


@claim(
    "ADV-S5.2/figure",
    tried_at(T=10**6),
    quadrature(T=[10**5, 10**6], error="double precision; probabilities to 1e-9"),
    false={"nats": 11},
    restricted="to the instance of Appendix G.1",
)
def loss_of_exp3_in_a_round(T: Annotated[Any, "integer [100000, 1000000]"], nats=1):
    r"""On the two datasets of Appendix G.1, $\gamma=\eta=10^{-4}$: the log-ratio of $P_T(2)$ is at least $1$, against
    $2\eta$ for exponential weights with full information, and at $T=10^6$ nine times as large.

    It cannot exceed log((2 - gamma)/gamma) = 9.9.
    """
    return nats * where(T, "==", 10**6, 9, 1), "<=", log(chance_in_the_figure(T, 0) / chance_in_the_figure(T, 1))


# ------------------------------------------------------------------------------------------------------- the instance


Learners = Annotated[Any, "all: every bandit algorithm"]


def bad_losses(t: int, actions: Any) -> tuple[Fraction, Fraction]:
    """The instance of Section 5.2."""
    return Fraction(1, 2), Fraction(1)


def noisily_above(mean: Fraction, level: Fraction) -> Fraction:
    return Fraction(1, 4) + exactly_above(mean, level) / 2


@quantity
def expected_plays_of_the_second_arm(learner: int, T: int) -> Fraction:
    """How often a learner plays the second arm of the instance, in expectation."""
    law = law_of_batches(learner, T, 1, bad_losses, noisily_above)
    return sum((chance * sum(actions) for actions, chance in law.items()), Fraction(0))


@quantity
def regret_of_a_learner(learner: int, T: int) -> Fraction:
    """Its expected regret on the instance."""
    return Fraction(expected_regret(law_of_batches(learner, T, 1, bad_losses, noisily_above), bad_losses, T))


@claim(
    "ADV-S5.3",
    enumerated(
        [{"learner": b, "T": T} for b in range(1, 9) for T in (1, 2, 4, 6)],
        rational=True,
        routes=("exact law", "regret"),
    ),
    restricted="to regret R means O(R) plays of the second arm, for learners that compare losses with levels",
)
def plays_of_the_second_arm(learner: Learners, T: Count) -> Sides:
    r"""On $\ell_t=(\frac12,1)$ an algorithm of regret $R$ plays the second arm $2R$ times in expectation: exact
    laws."""
    return expected_plays_of_the_second_arm(learner, T), "==", 2 * regret_of_a_learner(learner, T)


@quantity
def chance_of_plays(rounds: int, share: Any, start: int, fewest: int) -> Any:
    """Of at least so many plays of the second arm after round `start`, round by round, each of probability `share`."""
    law = [1]
    for _ in range(start, rounds):
        law = [(1 - share) * stay + share * move for stay, move in zip([*law, 0], [0, *law], strict=True)]
    return sum(law[fewest:])


EVENTS = [
    {"T": T, "tau": tau, "p": p, "gamma": gamma}
    for T, tau, p, gamma in ((4, 0, 1, "1/2"), (6, 2, 2, "1/2"), (6, 1, 1, "1/3"), (8, 2, 1, "1/4"), (8, 1, 3, "1/2"))
]


@claim(
    "ADV-D5.1",
    enumerated(EVENTS, rational=True, routes=("round by round", "binomial tails")),
    where=["tau*gamma + p <= gamma*T"],
    restricted="to whole p/gamma",
)
def events_of_the_section(T: Count, tau: Natural, p: Count, gamma: AboveZero) -> Sides:
    r"""The events $E_\gamma$, at least $\gamma T$ plays of the second arm, and $E^p_{\gamma,\tau}$, at most $p$ in the
    rounds $\tau+1,\dots,\tau+\frac p\gamma$: for independent play with chance $\gamma$ their probabilities add up to
    the binomial tails."""
    many = chance_of_plays(T, gamma, 0, least_integer(gamma * T))
    few = 1 - chance_of_plays(tau + p // gamma, gamma, tau, p + 1)
    first, second = chances_of_both_events(T, p, gamma, gamma)
    return many + few, "==", first + second


@claim(
    "ADV-D5.2",
    enumerated(
        [{"T": a * m, "p": p, "plays": a} for m in (2, 3, 5, 40) for a in (2, 5, 20) for p in (1, 2, 10) if p <= a],
        rational=True,
    ),
    where=["p <= plays", "plays <= T"],
    restricted="to independent play of the second arm and whole gamma T",
)
def conditions_are_met(T: Count, p: Count, plays: Count) -> Sides:
    r"""An algorithm that plays the second arm with chance $\gamma$ in every round meets conditions (1) and (2) for
    every $\tau$: $\mathbb P(E_\gamma)\ge1/2$ and $\mathbb P(E^p_{\gamma,\tau})\ge1/2$, the smaller of the two (`plays`
    is $\gamma T$)."""
    gamma = ratio(plays, T)
    return HALF, "<=", least(chances_of_both_events(T, p, gamma, gamma))


@claim("ADV-S5.4/every-algorithm", fails_at(share="1/10", T=100, c=1, rational=True), role="reading")
def first_condition_is_trivial(share: Annotated[Any, "(0, 1)"], T: Count, c: AboveZero, half=Fraction(1, 2)) -> Sides:
    r"""'Trivially satisfied', for every algorithm and $\gamma=c\frac{\mathrm R}T$, however small $c$: one that plays
    the second arm throughout with chance $q$, and never otherwise, has $\mathbb P(E_\gamma)=q\ge1/2$.

    The text leaves open which algorithms it means. R = qT/2 is positive, so the event requires at least one play.
    """
    return half, "<=", share
