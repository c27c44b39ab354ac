r"""Section 4.4, page 96: the sample complexity of private best-arm identification.

Lemma 4.23 and Theorem 4.24 compare the chance of recommending arm 1 on two instances. That step needs delta <= 1/2:
beyond, of two arms a strategy may guess, collects nothing, and is delta-correct on every instance. The game of the
theorem prices an alternative in relative entropy or in total variation.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.best_arm import (
    EXACT,
    SHARED,
    Groups,
    bernoulli_time,
    bernoulli_time_in_variation,
    correct_on,
    exact,
    excess_of_the_logarithm,
    gap_of,
    gaps,
    guesses_correctly,
    inverse_powers,
    kl_of_risk,
    privacy_odds,
    private_bernoulli_time,
    risk_of,
    solved,
    sum_of_inverse_gaps,
)
from banditproof.theory import characteristic_time
from banditproof.verify.finite.strategies import Name, expected_pulls
from banditproof.verify.kernel import asymptotics, identification
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.histories import told_histories
from banditproof.verify.kernel.policies import actions_are_kept, plays_arms

BernoulliInstance = Annotated[Any, "all: every Bernoulli instance with a unique best arm"]
PrivateStrategy = Annotated[Any, "all: every delta-correct epsilon-View DP strategy"]
Instance = Annotated[Any, "all: every instance"]
Alternative = Annotated[Any, "all: every instance with another best arm"]


@quantity
def variation_paid(strategy: Name, nu: Sequence[Any], lam: Sequence[Any]) -> Fraction:
    """The sum of E_nu[N_a] TV(nu_a, lambda_a)."""
    pulls = expected_pulls(strategy, nu)
    return sum((n * abs(Fraction(a) - Fraction(b)) for n, a, b in zip(pulls, nu, lam, strict=True)), Fraction(0))


@quantity
def variation_paid_by_a_guess(strategy: Name, nu: Sequence[Any], lam: Sequence[Any], delta: Any) -> Fraction:
    """The same of a strategy that is delta-correct, as it recommends each arm often enough."""
    guesses_correctly(strategy, delta)
    correct_on(strategy, (nu, lam))
    return variation_paid(strategy, nu, lam)


NU, LAM = [Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]


@claim(
    "TH-L4.23/edge-above-one-half",
    fails_at(strategy=["guess", 2], nu=NU, lam=LAM, delta=Fraction(3, 4), epsilon=1, rational=True),
    cause="TH-T2.32/edge-above-one-half",
    called={
        r"a strategy that guesses between two arms with means 3/4 and 1/4, exchanged in $\lambda$": "strategy, nu, lam",
        r"$\varepsilon\sum_a\mathbb E[N_a(\tau)]\mathrm{TV}(\nu_a\|\lambda_a)$": "left",
        r"$\mathrm{kl}(1-\delta,\delta)$": "right",
    },
)
def private_transport_above_one_half(
    strategy: PrivateStrategy, nu: Instance, lam: Alternative, delta: Annotated[Any, "(1/2, 1)"], epsilon: Positive
):
    r"""For $\frac12<\delta<1$: $\varepsilon\sum_a\mathbb
    E_{\nu,\pi}[N_a(\tau)]\mathrm{TV}(\nu_a\|\lambda_a)\ge\mathrm{kl}(1-\delta,\delta)$.

    With two arms and delta > 1/2 a strategy may guess without a sample: it is right with probability 1/2 >= 1 - delta
    and private, but the left side is 0. The lemma holds for delta <= 1/2.
    """
    return epsilon * variation_paid_by_a_guess(strategy, nu, lam, delta), ">=", kl_of_risk(delta)


@claim(
    "TH-L4.23/up-to-one-half",
    enumerated(
        [
            {
                "strategy": ["response", odds],
                "nu": [Fraction(a, 10), Fraction(1, 2)],
                "lam": [Fraction(b, 10), Fraction(1, 2)],
            }
            for odds in (3, 9, 99)
            for a, b in ((9, 1), (10, 0), (7, 3))
        ],
        rational=True,
        routes=("tightest epsilon, expected pulls, total variation", "error of the strategy"),
    ),
    argued("data processing gives kl(p, q) <= KL of the outputs, and Remark 4.11 bounds that by the left side", SHARED),
    false={"factor": "1.2"},
)
def private_transport_up_to_one_half(
    strategy: Annotated[Any, "all: every strategy that is delta-correct on both instances, delta <= 1/2"],
    nu: Instance,
    lam: Alternative,
    factor=1,
):
    r"""Lemma 4.23 for $\delta\le\frac12$: $\varepsilon\sum_a\mathbb
    E[N_a]\mathrm{TV}_a\ge\mathrm{kl}(1-\delta,\delta)$.

    The same with the strategy's tightest epsilon and its larger error on the two instances. Randomised response on one
    deterministic reward pays epsilon and has kl = epsilon tanh(epsilon / 2).
    """
    paid = log(privacy_odds(strategy)) * variation_paid(strategy, nu, lam)
    return factor * kl_of_risk(risk_of(strategy, nu, lam)), "<=", paid


@claim("TH-T4.24/step-factor", interval({"delta": "(0, 1/2]"}), deduced(), false={"constant": "2.38"}, role="step")
def factor_with_three(delta: Inside, constant=3):
    r"""$\mathrm{kl}(1-\delta,\delta)\ge\log\frac1{3\delta}$ for $\delta\in(0,1)$."""
    return excess_of_the_logarithm(delta), "<=", log(constant + 0 * delta)


GUESSES = {
    "strategy": [["guess", 2]],
    "nu": [NU],
    "delta": ["1/2", "0.51", "0.9", "0.999"],
    "epsilon": ["1/100", "1/2", "10"],
    "rational": True,
}


@quantity
def rewards_of_a_guess(strategy: Name, nu: Sequence[Any], delta: Any) -> Fraction:
    """The rewards that a delta-correct guess collects."""
    guesses_correctly(strategy, delta)
    return sum(expected_pulls(strategy, nu), Fraction(0))


@quantity
def time_of_means(nu: Sequence[Any], epsilon: Any) -> Any:
    """T*(nu; epsilon) of Bernoulli arms with these means."""
    return characteristic_time(means=nu, epsilon=epsilon).value.ball()


@word
def private_strategies(pi: Any, bandits: asymptotics.Class, K: Any, delta: Any, epsilon: Any) -> tuple[Any, ...]:
    """What a delta-correct epsilon-View DP strategy is."""
    strategy = plays_arms(pi, 2 * K), identification.answers_are_final(pi, K), *actions_are_kept(), *told_histories()
    private = asymptotics.private_at_every_horizon(pi, epsilon)
    return *strategy, private, identification.is_correct(pi, bandits, K, delta)


@claim("TH-T4.24/edge-guessing", enumerated(**GUESSES))
def guessing(
    strategy: Annotated[Any, "all: the fair guess between two arms"],
    nu: BernoulliInstance,
    delta: Annotated[Any, "[1/2, 1)"],
    epsilon: Positive,
):
    r"""Where guessing one of two arms is $\delta$-correct, $\delta\ge\frac12$, the bound asks for nothing:
    $\log\frac1{3\delta}<0$."""
    return rewards_of_a_guess(strategy, nu, delta), ">=", time_of_means(nu, epsilon) * log(1 / (3 * delta))


def crossover(groups: Groups) -> Fraction:
    """T*_TV / T*_KL, rounded."""
    ratio = float(inverse_powers(groups, 1)) / float(solved(groups).value.lower)
    return Fraction(round(ratio * 2**20), 2**20)


def first_is_smaller(x: Positive, more: Nonnegative, factor=1) -> Sides:
    return factor * minimum(x, x + more), "<=", x


def second_is_smaller(y: Positive, more: Positive, factor=1) -> Sides:
    return factor * minimum(y + more, y), "<=", y + more


@claim(
    "TH-C4.25/crossover",
    enumerated(
        lambda check: [{"groups": groups, "epsilon": crossover(groups)} for groups in (EXACT[0], *EXACT[5:9])],
        rational=True,
        routes=("the game with both prices", "the games with one price"),
    ),
    argued(
        "sup and inf keep the order of the prices, and log(1/(3 delta)) is positive where the bound says anything",
        first_is_smaller,
        second_is_smaller,
    ),
    false={"factor": 2},
    role="implication",
)
def relaxed_bound(groups: BernoulliInstance, epsilon: Positive, factor=1):
    r"""$T^\star(\nu;\varepsilon)\ge\max(T^\star_{\mathrm{KL}}(\nu),\frac1\varepsilon
    T^\star_{\mathrm{TV}}(\nu))$, by which Theorem 4.24 gives the corollary.

    At the crossover of the two times, where the game mixes both prices and is strictly harder than each.
    """
    larger = maximum(bernoulli_time(groups), bernoulli_time_in_variation(groups) / epsilon)
    return factor * larger, "<=", private_bernoulli_time(groups, epsilon)


def times(groups: Groups, epsilon: Any) -> tuple[Any, Any, Any]:
    """T*(nu; epsilon), T*_KL and T*_TV."""
    return private_bernoulli_time(groups, epsilon), bernoulli_time(groups), bernoulli_time_in_variation(groups)


@claim("TH-S4.25r/low-in-theorem-4-24", fails_at(groups=EXACT[0], epsilon="23/100", rational=True), role="reading")
def low_in_the_full_game(groups: BernoulliInstance, epsilon: Positive):
    r"""The low regime read for the bound of Theorem 4.24 itself: $T^\star(\nu;\varepsilon)=T^\star_{\mathrm{KL}}$ for
    $\varepsilon>T^\star_{\mathrm{TV}}/T^\star_{\mathrm{KL}}$.

    'The lower bound retrieves the non-private lower bound' leaves open whether it means Theorem 4.24 or Corollary 4.25.
    The ratio is 0.2201...; at 0.23 the inf player still gains by mixing both prices.
    """
    time, entropy, variation = times(groups, epsilon)
    return time, "==", where(epsilon * entropy, ">", variation, entropy, time)


@claim("TH-S4.25r/high-in-theorem-4-24", fails_at(groups=EXACT[0], epsilon="21/100", rational=True), role="reading")
def high_in_the_full_game(groups: BernoulliInstance, epsilon: Positive):
    r"""The high regime read for Theorem 4.24: $T^\star(\nu;\varepsilon)=T^\star_{\mathrm{TV}}/\varepsilon$ for
    $\varepsilon<T^\star_{\mathrm{TV}}/T^\star_{\mathrm{KL}}$.

    'The lower bound becomes T*_TV / epsilon' leaves open whether it means Theorem 4.24 or Corollary 4.25.
    """
    time, entropy, variation = times(groups, epsilon)
    return time, "==", where(epsilon * entropy, "<", variation, variation / epsilon, time)


def prices_of_an_allocation(groups: Groups, weights: Sequence[Fraction]) -> tuple[Any, Any]:
    """What an allocation guarantees in relative entropy, and what in total variation per unit of epsilon."""
    best, total = Fraction(groups[0][0]), sum(weights)
    means = [Fraction(mean) for mean, count in groups[1:] for _ in range(int(count))]
    entropies, variations, own = [], [], weights[0] / total
    for mean, weight in zip(means, weights[1:], strict=True):
        share = weight / total
        common = to_ball((own * best + share * mean) / (own + share))
        one, other = kl_bernoulli(to_ball(best), common), kl_bernoulli(to_ball(mean), common)
        entropies.append(to_ball(own) * one + to_ball(share) * other)
        variations.append(min(own, share) * (best - mean))
    return min(entropies, key=float), to_ball(min(variations))


def threshold_of(groups: Groups, weights: Sequence[Fraction]) -> Fraction:
    """The budget at which an allocation guarantees as much by either price, rounded to a float."""
    entropy, variation = prices_of_an_allocation(groups, weights)
    return Fraction(float(entropy / variation))


@quantity
def threshold_from_above(groups: Groups) -> Fraction:
    """That of the KL-optimal allocation."""
    return threshold_of(groups, [Fraction(w) for w in solved(groups).certificate.weights])


@quantity
def threshold_from_below(groups: Groups) -> Fraction:
    """That of the TV-optimal allocation."""
    return threshold_of(groups, [1 / gap for gap, count in gaps(groups) for _ in range(count)])


SIDES_OF_IT = {"groups": EXACT[:9], "factor": ["1/2", "99/100", "101/100", "2"], "rational": True}


@claim(
    "TH-S4.25r/low-threshold",
    enumerated(**SIDES_OF_IT, routes=("the game with both prices", "the non-private game")),
    false={"scale": "0.9"},
    where=["factor != 1"],
    repairs="TH-S4.25r/low-in-theorem-4-24",
)
def low_threshold(groups: BernoulliInstance, factor: Positive, scale=1, slack=Fraction(1, 10**12)):
    r"""Up to a relative 1/1000000000000: $T^\star(\nu;\varepsilon)=T^\star_{\mathrm{KL}}$ iff
    $\varepsilon\ge\big(T^\star_{\mathrm{KL}}\min_a\min(w^\star_1,w^\star_a)\Delta_a\big)^{-1}$, $w^\star$ the
    KL-optimal allocation.

    At `factor` times the threshold: above it 1 + slack times the non-private time is more than T*(nu; epsilon), below
    it T*(nu; epsilon) is more than that time.
    """
    time, pure, _ = times(groups, factor * scale * threshold_from_above(groups))
    return where(factor, ">", 1, time, pure), "<", where(factor, ">", 1, (1 + slack) * pure, time)


@claim(
    "TH-S4.25r/high-threshold",
    enumerated(**SIDES_OF_IT, routes=("the game with both prices", "the game in total variation")),
    false={"scale": "1.1"},
    where=["factor != 1"],
    repairs="TH-S4.25r/high-in-theorem-4-24",
)
def high_threshold(groups: BernoulliInstance, factor: Positive, scale=1, slack=Fraction(1, 10**12)):
    r"""Up to a relative 1/1000000000000: $T^\star(\nu;\varepsilon)=T^\star_{\mathrm{TV}}/\varepsilon$ iff
    $\varepsilon\le T^\star_{\mathrm{TV}}\min_a(w_1\mathrm{kl}(\mu_1,m_a)+w_a\mathrm{kl}(\mu_a,m_a))$, $w$ the
    TV-optimal allocation.

    At `factor` times the threshold: below it 1 + slack times T*_TV / epsilon is more than T*(nu; epsilon), above it
    T*(nu; epsilon) is more than that.
    """
    epsilon = factor * scale * threshold_from_below(groups)
    time, _, variation = times(groups, epsilon)
    pure = variation / epsilon
    return where(factor, "<", 1, time, pure), "<", where(factor, "<", 1, (1 + slack) * pure, time)


@quantity
def time_from_both_players(groups: Groups) -> Fraction:
    """T*_TV as the allocation proportional to inverse gaps guarantees it and as a mixture of pure moves concedes it.

    A move lowers the best arm to the closest, or raises another one to the best. Raises ArithmeticError where the two
    are not equal.
    """
    listed = gaps(groups)
    total = sum(count / gap for gap, count in listed)
    worst = min(min(1 / listed[0][0], 1 / gap) / total * gap for gap, _ in listed[1:])
    richest = max(1 / gap / total * gap for gap, _ in listed)
    if worst != richest:
        raise ArithmeticError("the strategies of both players have different values")
    return 1 / worst


@word
def variation_game_is_at_most(K: Any, most: Any) -> Any:
    """1/T*_TV is at most a number."""
    prices = identification.by_variation(asymptotics.BERNOULLI, K)
    return identification.game_is_at_most(asymptotics.BERNOULLI, K, prices, most)


@word
def entropy_game_is_at_most(K: Any, most: Any) -> Any:
    """1/T*_KL is at most a number."""
    prices = identification.by_entropy(asymptotics.BERNOULLI, K)
    return identification.game_is_at_most(asymptotics.BERNOULLI, K, prices, most)


INVERSE_GAPS = enumerated(groups=EXACT, rational=True)


@claim("TH-P4.26/lower-with-two", INVERSE_GAPS, role="remark")
def variation_lower_with_two(groups: BernoulliInstance):
    r"""Sharper: $\frac{2}{\Delta_{\min}}\le T^\star_{\mathrm{TV}}(\nu)$, since the closest arm is in the sum."""
    return 2 / gap_of(groups, 1), "<=", time_from_both_players(groups)


@claim("TH-S4.26a/sum-from-two", fails_at(groups=exact([["0.6", 1], ["0.4", 1]])), role="reading")
def without_the_best_arm(groups: BernoulliInstance, factor=1):
    r"""The same with the sum over suboptimal arms, $T^\star_{\mathrm{KL}}(\nu)\le\sum_{a=2}^K\Delta_a^{-2}$.

    'sum_{a=1}^K Delta_a^-2' has an infinite first term for Delta_1 = 0. For two arms around 1/2, T* is close to 2 /
    Delta^2.
    """
    return bernoulli_time(groups), "<=", factor * sum_of_inverse_gaps(groups, 2, first=2)
