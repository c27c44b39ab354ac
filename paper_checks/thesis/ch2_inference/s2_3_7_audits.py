"""Section 2.3.7, page 45: privacy audits, as intervals and as tests, and what an auditor may see.

Their error probabilities are exact sums over binomial counts.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from math import inf
from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import (
    BelowOne,
    Count,
    EveryFunction,
    EveryLaw,
    EveryMechanism,
    Inside,
    Natural,
    Nonnegative,
    Positive,
    Probability,
    Real,
)
from banditproof.claims.steps import deduced, enumerated, in_kernel
from banditproof.theory import log, maximum, sqrt, where
from banditproof.theory.numbers.numeric import comb, most, ratio
from banditproof.theory.numbers.term import quantity, total
from banditproof.verify import binomial_interval, random_law
from banditproof.verify.finite.channels import FiniteChannel, post_process, random_channel, total_variation
from banditproof.verify.kernel import audits, games
from banditproof.verify.kernel.meanings import event, exp, private, symmetric_neighbours, when
from banditproof.verify.kernel.policies import every
from banditproof.verify.kernel.rules import eq, le, lt
from banditproof.verify.kernel.terms import Formula, var
from banditproof.verify.theorems import audits as audit_proofs
from banditproof.verify.theorems import games as game_proofs

LEVELS = ("1/20", "1/4")
PAIRS = (("1/2", "1/2"), ("3/4", "1/4"), ("1/20", "1/60"), ("1", "9/10"), ("0", "0"))
"""Probabilities of the event on the two data sets."""


def chance(k: Any, trials: Any, p: Any) -> Any:
    """The probability of a binomial count."""
    return comb(trials, k) * p**k * (1 - p) ** (trials - k)


def fair_chance(k: Any, trials: Any) -> Any:
    """The probability of a count of heads of a fair coin."""
    return ratio(comb(trials, k), 2**trials)


def radius(T: Any, gamma: Any, share: Any, scale: Any) -> Any:
    """Hoeffding's radius scale * sqrt(log(share/gamma)/2)/sqrt(T)."""
    return scale * sqrt(log(share / gamma) / (2 * T))


def needed(a: Any, b: Any, delta: Any) -> Any:
    """The smallest ratio >= 1 with a <= ratio b + delta, or a number below 1."""
    return where(b, "==", 0, lambda: where(a, ">", delta, inf, 1), lambda: (a - delta) / b)


def tight_ratio(p: Any, q: Any, delta: Any = 0) -> Any:
    """e^epsilon of the tightest epsilon at delta of a mechanism whose event probabilities are p and q."""
    return most([1, *(needed(a, b, delta) for a, b in ((p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p)))])


def chance_above(truth: Any, T: Any, p_0: Any, p_1: Any, estimate: Callable[[Any, Any], Any]) -> Any:
    """The probability that an estimate from both counts exceeds the truth."""

    def given(k: Any) -> Any:
        return total(lambda j: where(estimate(k, j), ">", truth, lambda: chance(j, T, p_1), 0), 0, T)

    return total(lambda k: chance(k, T, p_0) * given(k), 0, T)


def chance_to_miss(trials: Any, p: Any, width: Any) -> Any:
    """The probability that the proportion of successes, 0 without trials, is further than the width >= 0 from p."""
    share = lambda k: ratio(k, maximum(trials, 1))  # noqa: E731
    above = lambda k: where(share(k) - p, ">", width, lambda: chance(k, trials, p), 0)  # noqa: E731
    below = lambda k: where(p - share(k), ">", width, lambda: chance(k, trials, p), 0)  # noqa: E731
    return total(above, 0, trials) + total(below, 0, trials)


def recorded(rounds: Sequence[int], levels: Sequence[str] = LEVELS) -> list[dict[str, Any]]:
    return [{"T": T, "p_0": p, "p_1": q, "gamma": g} for T in rounds for p, q in PAIRS for g in levels]


@cache
def ends(successes: int, trials: int, error: float) -> tuple[Fraction, Fraction]:
    low, high = binomial_interval(successes, trials, error)
    return Fraction(low), Fraction(high)


@quantity
def clopper_pearson_low(successes: int, trials: int, error: Any) -> Fraction:
    """The lower end of the two-sided Clopper-Pearson interval with coverage 1 - error, rounded outward."""
    return ends(successes, trials, float(error))[0]


@quantity
def clopper_pearson_high(successes: int, trials: int, error: Any) -> Fraction:
    """The upper end, which is positive."""
    return ends(successes, trials, float(error))[1]


def correct_audit_of(M: Any, T: Any, epsilon: Any, delta: Any, gamma: Any, radii: tuple[Any, Any]) -> Formula:
    """epsilon_low is larger than epsilon with probability gamma at most, where the radii hold jointly."""

    def says(runs: audits.Runs) -> Formula:
        holds = le(1 - gamma, runs.both_within(radii))
        return when(holds, then=(runs.estimate_above(epsilon, delta, radii), "<=", gamma))

    return when(symmetric_neighbours(), private(M, epsilon, delta), then=audits.of_every_audit(M, T, says))


@claim(
    "TH-D2.34",
    in_kernel(audit_proofs.within_radii),
    covered="""The item is a definition, and the formula contains it: the probability that the output is above the
    budget.""",
)
def estimate_is_correct(
    M: EveryMechanism, T: Count, epsilon: Nonnegative, gamma: Inside, first_radius: Positive, second_radius: Positive
):
    r"""An audit is $\gamma$-correct if $\Pr(\varepsilon_{\rm low}>\varepsilon)\le\gamma$ for an $\varepsilon$-DP
    mechanism, over the randomness of both: so is $\varepsilon_{\rm low}=\max\{0,\log\frac{\hat p_0-r_0}{\hat
    p_1+r_1},\log\frac{\hat p_1-r_1}{\hat p_0+r_0}\}$ from $T$ runs on neighbours $D$, $D'$ and any event, if
    $|\hat p_0-p_0|\le r_0$ and $|\hat p_1-p_1|\le r_1$ hold with probability $1-\gamma$.

    A logarithm of a number that is not positive is omitted.
    """
    return correct_audit_of(M, T, epsilon, 0, gamma, (first_radius, second_radius))


@claim(
    "TH-D2.34/clopper-pearson",
    enumerated(recorded((5, 20), ["1/20"]), rational=True),
    false={"share": 8},
    role="implication",
)
def correct_audit(T: Count, p_0: Probability, p_1: Probability, gamma: Inside, share=Fraction(1, 2)):
    r"""An audit is $\gamma$-correct when $\Pr(\varepsilon_{\rm low}>\varepsilon)\le\gamma$, $\varepsilon$ being the
    tightest: with Clopper-Pearson ends at level $\frac12\,\gamma$ for each count the recipe is.

    The mechanisms have a known epsilon.
    """

    def estimate(k: Any, j: Any) -> Any:
        (low, high), (other_low, other_high) = (
            (clopper_pearson_low(n, T, share * gamma), clopper_pearson_high(n, T, share * gamma)) for n in (k, j)
        )
        return maximum(low / other_high, other_low / high)

    return chance_above(tight_ratio(p_0, p_1), T, p_0, p_1, estimate), "<=", gamma


@claim(
    "TH-S2.3e",
    in_kernel(audit_proofs.rejected_guess),
    covered="""This is the printed statement for a rejection. That the auditor can continue with a larger guess if no
    test rejects is an instruction; TH-S2.3e/until-rejected reads it as a loop.""",
)
def audit_by_a_test(
    M: EveryMechanism,
    ask: EveryFunction,
    reject: EveryFunction,
    T: Natural,
    tested: Nonnegative,
    epsilon: Nonnegative,
    gamma: Inside,
):
    r"""If a test of $H_0$: '$\mathcal M$ satisfies $\varepsilon_0$-DP' with query access rejects with confidence
    $1-\gamma$, then providing $\varepsilon_{\rm low}=\varepsilon_0$ where it rejects, and else 0, is $\gamma$-correct:
    $\Pr(\varepsilon_{\rm low}>\varepsilon)\le\gamma$ for every $\varepsilon$-DP mechanism.

    The test asks for T outputs. It chooses the dataset of each by everything that it has seen, possibly at random.
    Confidence 1 - gamma means that it rejects a mechanism that satisfies epsilon_0-DP (tested) with probability at most
    gamma.
    """
    test = audits.Test(ask, reject, T)
    too_large = test.output_above(M, tested, epsilon)
    return when(test.has_level(gamma, tested), private(M, epsilon), then=(too_large, "<=", gamma))


@claim("TH-A2.AUD/radii", in_kernel(audit_proofs.hoeffding_radii))
def radii_hold_jointly(M: EveryMechanism, T: Count, root: Positive, C: Nonnegative):
    r"""There are $C_0(\gamma)$ and $C_1(\gamma)$ independent from $T$ such that, with probability $1-\gamma$,
    $|\hat p_0^T-p_0|\le\frac{C_0(\gamma)}{\sqrt T}$ and $|\hat p_1^T-p_1|\le\frac{C_1(\gamma)}{\sqrt T}$: both can be
    $C=\sqrt{\log(4/\gamma)/2}$, for which $\gamma=4e^{-2C^2}$.

    root is the square root of T.
    """
    within = audits.Runs(M, T).both_within((C / root, C / root))
    jointly = every(("d", "e", "A"), (event("A"),), le(1 - 4 * exp(-2 * C * C), within))
    return when(eq(root * root, T), then=jointly)


@claim("TH-A2.AUD/real-chances", in_kernel(audit_proofs.real_chances))
def chances_bound_the_budget(M: EveryMechanism, epsilon: Nonnegative):
    r"""With the real $p_0$ and $p_1$, $\max\{\log(p_0/p_1),\log(p_1/p_0)\}\le\varepsilon$ for every $\varepsilon$-DP
    mechanism: $t\le\varepsilon$ where $p_0=e^tp_1$ and $p_1>0$, for both orders of every two neighbours and every
    event."""

    def bounded(runs: audits.Runs) -> Formula:
        (p, q), t = runs.chances, var("t")
        return every(("t",), (lt(0, q), eq(p, exp(t) * q)), le(t, epsilon))

    return when(private(M, epsilon), then=audits.of_every_audit(M, 1, bounded))


@claim("TH-A2.AUD/radii-by-counting", deduced(), false={"scale": "0.5"}, role="implication")
def radii_free_of_the_runs(T: Count, p_0: Probability, gamma: Inside, share=4, scale=1):
    r"""There are $C_0(\gamma)$, $C_1(\gamma)$ free of $T$: $\Pr(|\hat p-p|>C/\sqrt T)\le\gamma/2$ with
    $C=\sqrt{\log(4/\gamma)/2}$.

    The proof uses Hoeffding's inequality and the union bound.
    """
    width = radius(T, gamma, share, scale)
    return chance_to_miss(T, p_0, width), "<=", gamma / 2


@claim(
    "TH-A2.AUD/ideal",
    enumerated(mechanism=range(20), rational=True, routes=("best event", "tightest epsilon of the pair")),
    false={"factor": "0.99"},
    role="remark",
)
def ideal_audit(mechanism: Annotated[Any, "all: every mechanism"], factor=1):
    r"""$\max\{\log(p_0/p_1),\log(p_1/p_0)\}$ of the true probabilities is at most $\varepsilon$, and the best event
    reaches it (in $e^\varepsilon$).

    Every event of random mechanisms on two neighbouring datasets is compared with the exact ratio of the pair.
    """
    channel = random_channel(mechanism, 2, outputs=3, smallest_weight=1)
    left, right = channel.laws[0, 0], channel.laws[0, 1]
    events = [[o for o in left if code >> o & 1] for code in range(1, 8)]
    worst = max(max(p / q, q / p) for e in events for p, q in [(sum(left[o] for o in e), sum(right[o] for o in e))])
    singles = max(max(left[o] / right[o], right[o] / left[o]) for o in left)
    return worst, "==", factor * singles


RATE = Fraction(566, 1000)  # -log((1 + e^-2)/2) is 0.5662...


def game_radius(T: Any, gamma: Any, scale: Any) -> Any:
    """scale * sqrt(log(4/gamma)/RATE)/sqrt(T)."""
    return scale * sqrt(log(4 / gamma) / (RATE * T))


@claim(
    "TH-A2.AUDMI/radii",
    enumerated(T=[1, 3, 10, 40], alpha=["0", "1/10", "1/2"], gamma=LEVELS, rational=True),
    false={"scale": "0.25"},
    role="remark",
)
def radii_for_random_rounds(T: Count, alpha: Probability, gamma: Inside, scale=1):
    r"""There are $C'_0$, $C'_1$ free of $T$ for proportions among the rounds with the given $b$:
    $\Pr(|\hat\alpha_T-\alpha|>C'/\sqrt T)\le\gamma/2$ with $C'=\sqrt{\log(4/\gamma)/0.566}$.

    If there is no round with b = 0, the proportion is 0. For T <= C'^2 there is nothing to show; for larger T the check
    uses Hoeffding's inequality given the number N of rounds, and E e^(-2NC'^2/T).
    """
    width = game_radius(T, gamma, scale)
    missed = total(lambda n: fair_chance(n, T) * chance_to_miss(n, alpha, width), 0, T)
    return missed, "<=", gamma / 2


@claim("TH-D2.35/correct", in_kernel(audit_proofs.within_radii))
def estimate_of_approximate_privacy_is_correct(
    M: EveryMechanism,
    T: Count,
    epsilon: Nonnegative,
    delta: Inside,
    gamma: Inside,
    first_radius: Positive,
    second_radius: Positive,
):
    r"""With $\delta$ subtracted in both numerators $\Pr(\varepsilon_{\rm low}(\delta)>\varepsilon(\delta))\le\gamma$
    for every $\delta\in(0,1)$ and every $(\varepsilon(\delta),\delta)$-DP mechanism, where the radii of $\hat p_0^T$
    and $\hat p_1^T$ hold with probability $1-\gamma$."""
    return correct_audit_of(M, T, epsilon, delta, gamma, (first_radius, second_radius))


@claim("TH-D2.35/correct-games", in_kernel(audit_proofs.within_radii_of_errors))
def estimate_from_games_is_correct(
    M: EveryMechanism,
    Z: EveryLaw,
    attack: EveryFunction,
    n: Count,
    T: Count,
    epsilon: Nonnegative,
    delta: BelowOne,
    gamma: Inside,
    first_radius: Positive,
    second_radius: Positive,
):
    r"""With $\delta$ subtracted in both numerators $\Pr(\varepsilon^{\rm MI}_{\rm low}(\delta)>\varepsilon(\delta))\le
    \gamma$ for every $\delta\in[0,1)$, every $(\varepsilon(\delta),\delta)$-DP mechanism and every adversary in $T$
    rounds of its game, where $|\hat\alpha_T-\alpha|\le\frac{C'_0(\gamma)}{\sqrt T}$ and
    $|\hat\beta_T-\beta|\le\frac{C'_1(\gamma)}{\sqrt T}$ hold with probability $1-\gamma$; $\hat\alpha_T$ and
    $\hat\beta_T$ are the proportions of wrong guesses among the rounds with $b=0$ and with $b=1$.

    A logarithm of a number that is not positive, or of a proportion among no rounds, is omitted.
    """
    game, radii = games.Crafter(M, Z, n), (first_radius, second_radius)
    rounds = audits.Rounds(game, attack, T)

    def says(alpha: Any, beta: Any) -> Formula:
        holds = le(1 - gamma, rounds.both_within((alpha, beta), radii))
        return when(holds, then=(rounds.estimate_above(epsilon, delta, radii), "<=", gamma))

    maps = *games.choices(), *games.places(n), games.replacing_is_near(n), games.guesses_a_bit(attack)
    is_private = symmetric_neighbours(), private(M, epsilon, delta)
    return when(*maps, *is_private, then=games.with_errors(game, attack, says))


@claim(
    "TH-S2.3f",
    in_kernel(audit_proofs.last_of_all),
    covered="""The item defines what an auditor sees. The formula contains both sets of parameters, for every update; an
    auditor who can only query the last model sees a function of the last parameter.""",
)
def last_parameter_tells_no_more(update: EveryFunction, T: Natural, most: Real):
    r"""The auditor who has access to the final parameter $\theta_T$ only has at most the advantage of the one who has
    access to $(\theta_0,\dots,\theta_T)$, for every update of $\theta_{t-1}$ to $\theta_t$ by the data $d$, at random
    too, such as $\theta_t=\theta_{t-1}-\eta\nabla_{\theta_{t-1}}\ell(\theta_{t-1},d)$."""
    d, e, start = var("d"), var("e"), var("start")
    first, other = (audits.run_of_parameters(update, start, data, T) for data in (d, e))
    last, other_last = (audits.last_parameter(update, start, data, T) for data in (d, e))
    of_last = audits.advantage_at_most(last, other_last, most)
    no_more = when(audits.advantage_at_most(first, other, most), then=of_last)
    return when(audits.last_is_second(), then=every(("d", "e", "start"), (), no_more))


@claim(
    "TH-S2.3f/two-steps", enumerated(mechanism=range(20), rational=True), false={"factor": "0.5"}, role="implication"
)
def threat_models(mechanism: Annotated[Any, "all: every noise"], factor=1):
    r"""With $\theta_t=\theta_{t-1}-\eta\nabla\ell(\theta_{t-1},d)$ (plus noise) the auditor who sees only the last
    parameter has at most the advantage of the one who sees all iterates.

    The check computes the total variation between two records, for two noisy steps on a quadratic loss.
    """
    noise = random_law(mechanism, "noise", 3)
    laws = {}
    for record in (0, 1):
        law: dict[tuple[Fraction, ...], Fraction] = {}
        for first, p in enumerate(noise):
            one = Fraction(record, 2) + first - 1  # from 0: theta - (theta - record)/2, plus noise
            for second, q in enumerate(noise):
                path = one, one - (one - record) / 2 + second - 1
                law[path] = law.get(path, Fraction(0)) + p * q
        laws[record,] = law
    outputs = set(laws[0,]) | set(laws[1,])
    whole = FiniteChannel(1, (0, 1), {d: {o: law.get(o, Fraction(0)) for o in outputs} for d, law in laws.items()})
    last = post_process(whole, lambda path: {path[1]: Fraction(1)})  # type: ignore[index]
    seen, everything = (total_variation(c.laws[0,], c.laws[1,]) for c in (last, whole))
    return seen, "<=", factor * everything


@claim("MIA-S2.3.7b/same-attack", in_kernel(game_proofs.same_attack))
def same_attack_on_a_fixed_target(M: EveryMechanism, Z: EveryLaw, attack: EveryFunction, n: Count, most: Real):
    r"""A fixed adversary gains by the target that is easiest to attack: a number that its advantage exceeds for no
    fixed target is not exceeded by its advantage in the game of Algorithm 5 either."""
    average, fixed = games.Crafter(M, Z, n), games.Crafter(M, Z, n, target=var("z"))
    on_each = every(("z",), (), le(games.advantage(fixed, attack), most))
    return when(*games.choices(), *games.places(n), on_each, then=(games.advantage(average, attack), "<=", most))


@claim("MIA-S2.3.7b/best-adversaries", in_kernel(game_proofs.easiest_target), role="remark")
def easiest_fixed_target(M: EveryMechanism, Z: EveryLaw, n: Count, most: Real):
    r"""An audit gains by a fixed target: the largest advantage in the average-target game is at most that with the
    easiest fixed target."""
    average, fixed = games.Crafter(M, Z, n), games.Crafter(M, Z, n, target=var("z"))
    easiest = games.every_advantage(fixed, most)
    return when(*games.choices(), *games.places(n), easiest, then=games.every_average_advantage(average, most))
