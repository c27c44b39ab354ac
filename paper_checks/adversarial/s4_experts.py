"""Section 4: expert advice, Theorems 9 and 10 and which of the three bounds is best where.

D stands for log(1/delta). Rates are those of Table 2, with their logarithms.
"""

from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.claims.recorded_runs import BUGS
from banditproof.claims.register import claim, repaired
from banditproof.claims.sets import (
    AboveZero,
    AtLeastOne,
    Count,
    Inside,
    Nonnegative,
    Positive,
    Probability,
    Sides,
    TwoOrMore,
)
from banditproof.claims.steps import deduced, enumerated, fails_at, interval, pick, tried_at
from banditproof.paper_checks.adversarial.facts import experts_rate
from banditproof.theory import Budget, exp, log, minimum, sqrt, to_ball
from banditproof.theory.bounds.adversarial import (
    batched_exp4_bound,
    batched_exp4_parameters,
    batched_exp4_terms,
    htinf_bound,
    local_exp4_parameters,
)
from banditproof.verify.runs.alignment import find_violation
from banditproof.verify.runs.followed import departures
from banditproof.verify.runs.planted import with_bug
from banditproof.verify.runs.recorded import once


@claim("ADV-S4.1/followed-experts", deduced(), restricted="to which experts are followed", rests_on=["ADV-L3"])
def loss_of_the_followed_expert(a: Probability, b: Probability):
    r"""For the experts $J_1,\dots,J_T$ that the algorithm follows: the loss in $[0,1]$ that the learner observes in a
    round moves by at most 1, whether losses or advice change in that round, and the noise of Algorithm 1
    hides this change."""
    return (a - b) ** 2, "<=", 1


@claim("ADV-S4.1/one-expert", fails_at(epsilon=1, p=1, q=0), role="reading")
def advice_of_one_expert(epsilon: AboveZero, p: Probability, q: Probability):
    r"""'A stronger notion of privacy where the expert advice is also taken to be sensitive', read of the actions, which
    Definition 4 releases: with one expert, one round and advice that moves from $(p,1-p)$ to $(q,1-q)$ the action has
    $\mathbb P(I=1)\le e^\varepsilon\mathbb P'(I=1)$.

    The law of the action is the advice itself. The paper does not define the notion; the sentence is true for the
    experts that are followed.
    """
    return p, "<=", exp(epsilon) * q


@claim("ADV-T9/mixing", fails_at(K=100, N=100, T=10, epsilon=1), role="edge", called={r"$\gamma$": "left"})
def local_exp4_mixes(K: Count, N: TwoOrMore, T: Count, epsilon: AboveZero):
    r"""With the printed $\eta$, $\gamma=\frac{4\eta K\log(KT)}\varepsilon$ is at most 1 for every $\varepsilon\le1$, so
    that $Q_t$ is a distribution.

    It is nearly $4\sqrt{\frac{K\log N}{30T}}$ and exceeds 1 for $T<\frac8{15}K\log N$. Then $Q_t$ has negative weights,
    so no action can be drawn from it. The bound exceeds $T$ there.
    """
    return local_exp4_parameters(to_ball(K), to_ball(N), to_ball(T), epsilon)[1], "<=", 1


@claim("ADV-T9/mixing-repaired", deduced(), false={"share": 17}, where=["30*T >= 16*K*k"], repairs="ADV-T9/mixing")
def local_exp4_mixes_in_time(K: AtLeastOne, k: Positive, x: Nonnegative, T: AtLeastOne, share=16):
    r"""Where $30T\ge16K\log N$ it is: with $k=\log N$ and $x=\frac{\log(KT)}\varepsilon$,
    $\gamma^2=\frac{16Kkx^2}{3T(1+10x^2)}\le1$."""
    return share * K * k * x**2, "<=", 3 * T * (1 + 10 * x**2)


LARGE = Annotated[Any, "[1, inf)"]


@claim(
    "ADV-T10/mixing",
    fails_at(T=10**40, D=10**20),
    false={"least": "1/25"},
    assuming="""the lower bound on the regret: the batch size is rounded up, so that there are n >= T/(tau + 1) - 1
    batches; S, the sum of the estimates of the second expert's loss up to a batch, has mean at most r Delta after r
    batches (they are unbiased), so exceeds 6 r Delta with probability at most 1/6; the sum G of the r differences of
    noises is symmetric and unimodal with density at most 1/(2 sqrt(pi r) lambda), so G >= 6 r Delta with probability at
    least 1/2 - 3 r Delta/(sqrt(pi r) lambda); where G >= S the second expert has at least half of the weight and costs
    Delta/2; with Delta <= (3/20) lambda/sqrt(n) the sum over the batches is at least (2/25) n tau Delta""",
    called={
        r"$K=N=2$, $\varepsilon=1$, $T$": "T",
        r"$\log\frac1\delta$": "D",
        "a lower bound on the regret": "left",
        "the printed bound": "right",
    },
)
def regret_with_the_stated_mixing(T: TwoOrMore, D: LARGE, least=Fraction(2, 25), constant=100, mixing="stated"):
    r"""Theorem 10 with the printed $\gamma$: the regret is at most
    $100\,\frac{N^{1/6}K^{1/2}T^{2/3}D^{1/6}\log^{1/3}(NT)\log^{1/3}N}{\varepsilon^{1/3}}+\frac{N^{1/2}D^{1/2}\log(NT)\log
    N}\varepsilon$ with $D=\log\frac1\delta$, the constants of its proof.

    The first entry of the printed $\gamma$ has $N^{1/3}$ where the proof needs $(N\log\frac1\delta)^{1/3}$. With too
    little exploration, the noise, whose scale is proportional to $\frac1\gamma$, is too large. The regret exceeds the
    bound by a factor of the order of $\log^{1/3}(1/\delta)/\log(NT)$, so no constant in $O(\cdot)$ helps; in the proof
    the loss appears already at $\delta=10^{-6}$, as a factor of 5.8. It only matters if $\log(1/\delta)$ is above
    $\log^3(NT)$. With the $\gamma$ of the proof the bound follows if that $\gamma$ is at most 1. The check uses $K=N=2$
    and $\varepsilon=1$: two experts name an action each, and the losses are $\ell_t=(0,\Delta)$ with
    $\Delta=\min\{1,\frac3{20}\lambda/\sqrt n\}$, for the noise scale $\lambda$ of Algorithm 2 and its $n$ batches; the
    regret is at least $\frac2{25}n\tau\Delta$.
    """
    two, T, D = to_ball(2), to_ball(T), to_ball(D)
    parameters = batched_exp4_parameters(two, two, T, to_ball(1), exp(-D), as_proved=mixing == "proved")
    lam = 6 * sqrt(2 * D) / (parameters.mixing * (parameters.batch + 1))
    n = T / (parameters.batch + 1) - 1
    regret = least * n * parameters.batch * minimum(to_ball(1), to_ball(Fraction(3, 20)) * lam / sqrt(n))
    first, second = batched_exp4_terms(two, two, T, to_ball(1), exp(-D))
    return regret, "<=", constant * first + second


@claim("ADV-T10/mixing-repaired", tried_at(s=[1, 12]), interval(), false={"most": 94}, repairs="ADV-T10/mixing")
def bound_with_the_proved_mixing(s: Annotated[Any, "[1, 12]"], most=95):
    r"""With $(N\log\frac1\delta)^{1/3}$ in the first entry of $\gamma$ the last bound of the proof is at most 95 times
    the first term $A$ of the theorem wherever $A\le T$.

    gamma T is the larger of A and 12 B, B = A^2/(K^(1/2) T) <= A. If A > T, there is nothing to show. The bound is the
    one before its parameters are inserted, $\frac{3\tau\log N}\eta+\gamma T+\eta TK+\frac{90\eta
    TNK^2\log(1/\delta)\log^2(NT)}{\varepsilon^2\gamma^2\tau^2}$; divided by $A$ it is $3+s+1+\frac{90}{s^2}\le95$,
    where $\gamma T=sA$ and $s\in[1,12]$.
    """
    return 4 + s + 90 / s**2, "<=", most


@claim(
    "ADV-T10/edge-delta-one",
    fails_at(N=2, T=100, epsilon=1, delta=1),
    false={"least": 2},
    called={r"$\tau^3$": "right"},
)
def batch_is_positive(N: TwoOrMore, T: TwoOrMore, epsilon: AboveZero, delta: AboveZero, least=1):
    r"""For every $\varepsilon,\delta\in(0,1]$ the printed batch size
    $\tau=\frac{(N\log(1/\delta))^{1/3}\log^{2/3}(NT)T^{1/3}}{\varepsilon^{2/3}\log^{1/3}N}$ is at least 1.

    At $\delta=1$ it is 0, as are the learning rate and the noise; for $\delta$ near 1 a batch is shorter than a round.
    For $\delta\le\frac9{25}$ it is at least 1.
    """
    D = log(1 / delta)
    return least, "<=", N * D * log(to_ball(N * T)) ** 2 * T / (epsilon**2 * log(to_ball(N)))


@repaired("ADV-T10/small-delta", "ADV-T10/edge-delta-one", deduced(), false={"least": 20})
def batch_is_positive_for_small_delta(delta: Annotated[Any, "(0, 9/25]"]):
    r"""For $\delta\le\frac9{25}$, below $\frac1e$, its cube is at least 1."""


@claim("ADV-T10/batch-not-whole", fails_at(K=2, N=2, T=10**12, epsilon=1, delta="1/100"), role="reading")
def batch_as_printed(K: TwoOrMore, N: TwoOrMore, T: Count, epsilon: AboveZero, delta: Annotated[Any, "(0, 1)"]):
    r"""Algorithm 2 with $\tau$ exactly as printed keeps its bound $100(\ldots)+(\ldots)$ on $\ell_t=(0,1)$ with
    experts that name an action each: $\frac T2$, the regret of weights that never move, is below it.

    The algorithm tests 't = r tau', and tau is a root of logarithms, not an integer, so no batch ends. The text does
    not round tau.
    """
    values = (to_ball(K), to_ball(N), to_ball(T), epsilon, delta)
    return to_ball(T) / 2, "<=", batched_exp4_bound(*values)


@claim("ADV-T10/constants-for-every-delta", fails_at(T=100, delta=1 - Fraction(1, 10**30)), role="reading")
def theorem_10_above_minimax(T: TwoOrMore, delta: Inside, share=Fraction(1, 20)):
    r"""'For every $\delta\in(0,1]$ ... $O(\ldots)$' with one constant, the 100 and 1 of its proof: at $K=N=2$,
    $\varepsilon=1$, experts that name an action each, $\frac1{20}\min\{\sqrt{KT},T\}\le100(\ldots)+(\ldots)$.

    O() leaves open what the constant may depend on. The bound is proportional to powers of log(1/delta); near delta = 1
    it is below the regret of every algorithm, private or not.
    """
    two, one = to_ball(2), to_ball(1)
    return share * minimum(sqrt(two * T), T), "<=", batched_exp4_bound(two, two, to_ball(T), one, delta)


# ------------------------------------------------------------------------------------------------------ comparisons


@claim("ADV-TAB2/few-experts", deduced(), where=["N <= K", "epsilon*T >= 1"])
def few_experts(K: AtLeastOne, N: AtLeastOne, T: AtLeastOne, epsilon: AboveZero):
    r"""For $N\le K$ and $\varepsilon\ge\frac1T$: $\sqrt{\frac{NT}\varepsilon}\le\frac{N^{1/6}K^{1/2}T^{2/3}}
    {\varepsilon^{1/3}}$, sixth powers."""
    return N**3 * T**3 / epsilon**3, "<=", N * K**3 * T**4 / epsilon**2


@claim(
    "ADV-TAB2/many-experts",
    fails_at(K=2, N=10**12, T=10**24, epsilon=Fraction(2, 10**12)),
    false={"factor": 5},
    where=["N >= K", "epsilon*N >= K"],
)
def many_experts(K: Count, N: Count, T: Count, epsilon: AboveZero, factor=100):
    r"""For $N\ge K$ and $\varepsilon\ge\frac KN$ Theorem 9 has the best guarantee of Table 2: $\frac{\sqrt{KT\log
    N}\log(KT)}\varepsilon$ is at most $100$ times
    $\frac{N^{1/6}K^{1/2}T^{2/3}\log(NT)}{\varepsilon^{1/3}}+\frac{N^{1/2}\log(NT)}\varepsilon$, that of Theorem 10.

    For $\varepsilon$ below $(NT)^{-1/4}$, up to logarithms, Theorem 10 is better, and for large $N$ the value $\frac
    KN$ is below that. At $N=T^{0.6}$ and $\varepsilon=T^{-0.45}>1/\sqrt T$ the guarantees are of the orders $T^{0.95}$
    and $T^{0.917}$.
    """
    return experts_rate("local", K, N, T, epsilon), "<=", factor * experts_rate("batched", K, N, T, epsilon)


@claim(
    "ADV-TAB2/strong-privacy",
    fails_at(K=2, N=2, T=10**6, epsilon=Fraction(1, 1000)),
    false={"factor": 2},
    where=["N >= K", "epsilon*epsilon*T <= 1"],
)
def strong_privacy(K: Count, N: Count, T: Count, epsilon: AboveZero, factor=10):
    r"""For $N\ge K$ and $\varepsilon\le\frac1{\sqrt T}$ Theorem 10 has the best guarantee of Table 2:
    $\frac{N^{1/6}K^{1/2}T^{2/3}\log(NT)}{\varepsilon^{1/3}}+\frac{N^{1/2}\log(NT)}\varepsilon$ is at most $10$ times
    $\sqrt{\frac{NT}\varepsilon}$, that of Corollary 8.

    For $N=K$ and $\varepsilon=\frac1{\sqrt T}$ the ratio grows like $T^{1/12}\log T$, so no constant helps. Up to
    logarithms Theorem 10 is better only from $N^2\ge K^3\varepsilon T$ on.
    """
    return experts_rate("batched", K, N, T, epsilon), "<=", factor * experts_rate("bandits", K, N, T, epsilon)


@claim(
    "ADV-TAB2/strong-privacy-repaired",
    deduced(),
    where=["N*N >= K**3*epsilon*T", "epsilon*T >= 1"],
    repairs="ADV-TAB2/strong-privacy",
)
def batches_beat_the_conversion(K: AtLeastOne, N: AtLeastOne, T: AtLeastOne, epsilon: AboveZero):
    r"""Without logarithms the first term of Theorem 10 is at most the rate of Corollary 8 exactly where $N^2\ge
    K^3\varepsilon T$, sixth powers."""
    return N * K**3 * T**4 / epsilon**2, "<=", N**3 * T**3 / epsilon**3


@claim("ADV-S4.3/explicit", fails_at(K=2, N=2, T=100, epsilon=1), where=["N <= K"], role="reading")
def explicit_comparison(K: Count, N: Count, T: Count, epsilon: AboveZero):
    r"""With the constants of the proofs: $208\sqrt{\frac{TN}\varepsilon}+\frac2\varepsilon\le
    \frac{16\sqrt{TK\log N}\log(KT)}\varepsilon+1$.

    'Superior' leaves open whether it compares orders or explicit bounds.
    """
    N, K, T = to_ball(N), to_ball(K), to_ball(T)
    left = 208 * sqrt(T * N / epsilon) + 2 / epsilon
    return left, "<=", 16 * sqrt(T * K * log(N)) * log(K * T) / epsilon + 1


@claim(
    "ADV-S4.3/orders",
    enumerated(
        [
            {"K": K, "N": N, "T": T, "epsilon": e}
            for K in (2, 3, 10, 10**6)
            for N in (2, 3, 10, 10**6)
            for T in (1, 2, 100, 10**9)
            for e in (1, Fraction(1, 100), Fraction(1, 10**9))
            if N <= K
        ]
    ),
    deduced(),
    false={"factor": 1},
    where=["N <= K"],
)
def order_comparison(K: TwoOrMore, N: TwoOrMore, T: Count, epsilon: AboveZero, factor=2):
    r"""As orders: $\sqrt{\frac{NT}\varepsilon}\le2\frac{\sqrt{KT\log N}\log(KT)}\varepsilon$ for $2\le N\le K$.

    The ratio is sqrt(epsilon N/(K log N))/log(KT), which is largest at N = K = 2, T = 1.
    """
    return experts_rate("bandits", K, N, T, epsilon), "<=", factor * experts_rate("local", K, N, T, epsilon)


@claim("ADV-S4.5/all-large-panels", fails_at(b=1, rational=True), role="reading")
def sublinear_for_large_panels(b: Annotated[Any, "[1/4, inf)"]):
    r"""'Even when $N\ge T^{1/4}$', for all such: for $N=T^b$, $\varepsilon=T^{-1/2}$, every $b\ge\frac14$:
    $\max\{\frac b6+\frac23+\frac16,\frac b2+\frac12\}<1$, the exponents of Theorem 10.

    The text itself says that the bound is vacuous for N >= T.
    """
    return b + 5, "<", 6


def leading_powers(N: Any, T: Any, epsilon: Any) -> Any:
    """Both terms of Theorem 10 in N, T and epsilon, without K and the logarithms."""
    first = exp((log(N) + 4 * log(T) - 2 * log(epsilon)) / 6)
    return first + sqrt(N) / epsilon


@claim(
    "ADV-S4.5/panels-below-the-horizon",
    tried_at(N=[1, 10], T=[10, 10**20]),
    deduced(),
    false=[{"sixth": "1/5"}, {"twice": "1.9"}],
    where=["N <= T"],
    restricted="to N below T: from N = T on the text calls the bound vacuous itself, two sentences later",
)
def sublinear_below_the_horizon(N: AtLeastOne, T: AtLeastOne, sixth=Fraction(1, 6), twice=2):
    r"""For $1\le N\le T$ and $\varepsilon=T^{-1/2}$ the terms of Theorem 10 without $K$ and logarithms,
    $N^{1/6}T^{2/3}\varepsilon^{-1/3}+N^{1/2}\varepsilon^{-1}$, are at most $2\,T(\frac NT)^{1/6}$: with $N=T^b$ a power
    of $T$ below one for every $b<1$."""
    return leading_powers(N, T, 1 / sqrt(T)), "<=", twice * T * exp(sixth * log(N / T))


@claim("ADV-S4.5/corollary-8-linear", fails_at(b="1/4", rational=True), role="reading")
def corollary_8_is_linear(b: Annotated[Any, "[1/4, inf)"]):
    r"""'Even when $N\ge T^{1/4}$', in contrast to Corollary 8: its exponent $\frac{b+1+1/2}2$ is at least 1 from
    $b=\frac14$ on.

    'Compared with' leaves open whether the other bounds are worse or linear in this range. They are worse from 1/4 on,
    and linear from 1/2 on.
    """
    return 4, "<=", 2 * b + 3


@claim(
    "ADV-S4.5/better-from-a-quarter",
    tried_at(N=[1, 10**6], quarter=[1, 10**6]),
    deduced(),
    false=[{"twice": "1.9"}, {"half": "2/5"}],
    where=["quarter <= N"],
)
def better_from_a_quarter(quarter: AtLeastOne, N: AtLeastOne, twice=2, half=Fraction(1, 2)):
    r"""From $N=T^{1/4}$ on, at $\varepsilon=T^{-1/2}$, these terms of Theorem 10 are at most 2 times
    $(\frac{NT}\varepsilon)^{1/2}$, the root in Corollary 8 (quarter is $T^{1/4}$).

    Without its logarithms, Theorem 9 has $\frac{\sqrt T}\varepsilon=T$ there.
    """
    T, epsilon = quarter**4, 1 / quarter**2
    return leading_powers(N, T, epsilon), "<=", twice * exp(half * log(N * T / epsilon))


@claim("ADV-S4.2/however-slowly", fails_at(b="1/10", rational=True), role="reading")
def vacuous_when_experts_grow(b: Annotated[Any, "(0, inf)"]):
    r"""'When $N$ grows with $T$', however slowly: for $N=T^b$, every $b>0$, and fixed $\varepsilon$ the exponent
    $\frac{b+1}2$ is at least 1."""
    return 1, "<=", (b + 1) / 2


@claim(
    "ADV-S4.2/as-many-as-rounds",
    deduced(),
    false={"times": 209},
    where=["N >= T"],
    restricted="to N >= T; how fast N grows is left open",
)
def vacuous_when_as_many_as_rounds(N: AtLeastOne, T: AtLeastOne, epsilon: AboveZero, times=208):
    r"""From $N=T$ on the bound is above $208\,T$, so above what any algorithm loses in $T$ rounds."""
    return times * T, "<", htinf_bound(N, T, epsilon)


def private_experts(algorithm: str, bug: str) -> Any:
    """Builds Algorithm 6, 5 around 1, or 2 on four experts, with a planted bug where one is named."""
    from banditproof.algorithms.adversarial.conversion import PrivateBatches
    from banditproof.algorithms.adversarial.experts import EXP4, FromBandit, Panel, PrivateEXP4
    from banditproof.algorithms.adversarial.learners import EXP3

    agreeing = Panel([[1, 0], [1, 0], [1, 0], [0, 1]])

    def make(noise: Any, generator: np.random.Generator) -> Any:
        if algorithm == "2":
            return PrivateEXP4(agreeing, TIGHT, noise, generator, batch=5, rate=0.5, mixing=0.9)
        if algorithm == "6":
            return PrivateBatches(EXP4(agreeing, generator, rate=0.5, mixing=0.3), PURE, noise, batch=1)
        learner = PrivateBatches(EXP3(4, generator, rate=0.5, mixing=0.3), PURE, noise, batch=3)
        return FromBandit(learner, agreeing, generator)

    return with_bug(bug, make)


PURE = Budget.pure(0.5)
TIGHT = Budget.approximate(0.5, 0.64)  # with four experts nearly all of it is spent, as pure privacy
Algorithms = Annotated[Any, "all: the algorithms of the claim"]
Lists = Annotated[Any, "all: every sequence of losses"]


@once
def violations_with_experts(algorithm: Any, T: Any, losses: Any, bug: Any) -> Sides:
    budget = TIGHT if algorithm == "2" else PURE
    report = find_violation(private_experts(algorithm, bug), int(T), budget, int(losses), lists=3)
    return 0 if report is None else len(report.violations), "==", 0


def on_runs(algorithm: str) -> enumerated:
    """Recorded runs on several streams of loss sequences, replayed on neighbours."""
    points = [{"algorithm": algorithm, "T": T, "losses": seed} for seed in range(12) for T in (40, 61)]
    return enumerated(pick(points[:8], points), rational=True, routes=("recorded run", "replay on neighbours"))


@claim("ADV-T9/recorded-runs", on_runs("6"), false=BUGS)
def runs_of_algorithm_6(algorithm: Algorithms, T: Count, losses: Lists, bug="none"):
    r"""Algorithm 6 is $\varepsilon$-DP: runs replayed on neighbours show no violation."""
    return violations_with_experts(algorithm, T, losses, bug)


@claim("ADV-T10/recorded-runs", on_runs("2"), false=BUGS, restricted="to N <= 9 log(1/delta)")
def runs_of_algorithm_2(algorithm: Algorithms, T: Count, losses: Lists, bug="none"):
    r"""Algorithm 2 is $(\varepsilon,\delta)$-DP: with four experts and $\delta=0.64$, where the stated noise spends
    $\frac\varepsilon3\sqrt{N/\log(1/\delta)}<\varepsilon$ even as pure privacy, runs show no violation."""
    return violations_with_experts(algorithm, T, losses, bug)


@claim("ADV-T7/recorded-runs", on_runs("5"), false=BUGS, role="implication")
def runs_of_algorithm_5(algorithm: Algorithms, T: Count, losses: Lists, bug="none"):
    r"""In runs of Algorithm 5 around Algorithm 1, a release is the sum of the losses of a batch, plus Laplace noise
    that hides one of these losses. Each loss enters one release. Actions depend on releases and public advice only."""
    return departures(private_experts(algorithm, bug), int(T), PURE, int(losses), lists=3), "==", 0
