"""Section 2: Laplace noise, regret, and what privacy means for actions, checked on exact laws of short games."""

from fractions import Fraction
from itertools import chain, combinations, product
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.adversarial.facts import ATTAINED, SHORT_GAMES, excess_of_batches, excess_of_experts
from banditproof.verify.adversarial.thresholds import drawn_losses, exactly_above, law_of_batches

Learners = Annotated[Any, "all: every bandit algorithm"]
Lists = Annotated[Any, "all: every sequence of losses"]
EXACT = ("exact law", "the inequality")


@quantity
def moment_by_quadrature(lam: Any, n: int) -> Any:
    """The integral of x^n e^(-|x|/lam)/(2 lam) in double precision."""
    import mpmath

    scale = mpmath.mpf(float(to_ball(lam).mid()))
    found: Any = mpmath.quad(lambda x: (x * scale) ** int(n) * mpmath.exp(-abs(x)) / 2, [-60, -20, -5, 0, 5, 20, 60])
    return to_ball(float(found))


@claim(
    "ADV-D2.0",
    tried_at(lam=[1, 7], n=[0, 1, 2, 3]),
    quadrature(lam=["1/100", 1, 7], n=[0, 1, 2, 3], error="mpmath, 1e-12"),
    restricted="to moments up to the third",
)
def moments_of_laplace_noise(lam: Positive, n: Annotated[Any, "integer [0, 3]"]):
    r"""The density $\frac1{2\lambda}e^{-|x|/\lambda}$ integrates to 1 and has mean 0, variance $2\lambda^{2}$ and third
    moment 0."""
    printed = where(n, "==", 0, 1, where(n, "==", 2, 2 * lam**2, 0))
    return absolute(moment_by_quadrature(lam, n) - printed), "<=", Fraction(1, 10**9) * (1 + lam**3)


# ------------------------------------------------------------------------------------------------------------- regret


@quantity
def uniform_regret(K: int, T: int, experts: int) -> Fraction:
    """The largest regret of uniform play over all 0/1 losses, against actions or (1) experts that name them."""
    if K * T > 16:
        raise InvalidInput("K T", K * T, "at most 16: all losses are visited")
    worst = Fraction(0)
    for bits in product((0, 1), repeat=K * T):
        rows = [bits[t * K : (t + 1) * K] for t in range(T)]
        own = sum((Fraction(sum(row), K) for row in rows), Fraction(0))
        against = [[Fraction(int(i == j)) for i in range(K)] for j in range(K)] if experts else None
        sums = [
            sum(
                (row[j] if against is None else sum(p * x for p, x in zip(against[j], row, strict=True)))
                for row in rows
            )
            for j in range(K)
        ]
        worst = max(worst, own - min(sums))
    return worst


SMALL = [{"K": K, "T": T} for K, T in ((2, 1), (2, 3), (2, 6), (3, 1), (3, 4), (4, 3))]


@claim("ADV-D2.2", enumerated(SMALL, rational=True), restricted="to uniform play")
def worst_regret_of_uniform_play(K: TwoOrMore, T: Count):
    r"""The worst-case expected regret of uniform play, a supremum over all losses, is $T(1-\frac{1}{K})$: all binary
    losses are visited, and it is affine in each."""
    return uniform_regret(K, T, 0), "==", T * (1 - ratio(1, K))


@claim(
    "ADV-D2.3",
    enumerated([point for point in SMALL if point["K"] < 4], rational=True),
    restricted="to uniform play against experts that name an action each",
)
def worst_regret_against_experts(K: TwoOrMore, T: Count):
    r"""Against $N=K$ experts that name an action each the regret of uniform play is $T(1-\frac{1}{K})$, as against
    actions."""
    return uniform_regret(K, T, 1), "==", T * (1 - ratio(1, K))


# ------------------------------------------------------------------------------------------------------------ privacy


def short_law(seed: int, T: int, changed: bool) -> dict[Any, Any]:
    """The exact law of the actions when the releases are coins of fair noise: half of every answer is random."""

    def above(mean: Fraction, level: Fraction) -> Fraction:
        return Fraction(1, 4) + exactly_above(mean, level) / 2

    return law_of_batches(seed, T, 1, drawn_losses(seed + 1, (0,) if changed else ()), above)


def excess_over_events(law: dict[Any, Any], other: dict[Any, Any], ratio: Fraction) -> Fraction:
    """The largest P(E) - ratio P'(E) over every event."""
    outcomes = sorted({*law, *other})
    events = chain.from_iterable(combinations(outcomes, size) for size in range(len(outcomes) + 1))
    return max(sum((law.get(x, 0) - ratio * other.get(x, 0) for x in event), Fraction(0)) for event in events)


@quantity
def excess_over_all_events(learner: int, T: int, ratio: Any) -> Fraction:
    """The largest P(E) - ratio P'(E) over every event of the actions."""
    return Fraction(excess_over_events(short_law(learner, T, False), short_law(learner, T, True), ratio))


@quantity
def excess_over_sequences(learner: int, T: int, ratio: Any) -> Fraction:
    """The sum of (P(i) - ratio P'(i))_+ over action sequences."""
    law, other = short_law(learner, T, False), short_law(learner, T, True)
    return sum((max(Fraction(0), law.get(x, 0) - ratio * other.get(x, 0)) for x in {*law, *other}), Fraction(0))


@claim(
    "ADV-D3",
    enumerated(
        [{"learner": s, "T": T, "ratio": r} for s in range(1, 9) for T in (2, 3) for r in ("1", "3/2", "3")],
        rational=True,
        routes=("all events", "single action sequences"),
    ),
)
def events_and_sequences(learner: Learners, T: Count, ratio: Annotated[Any, "[1, inf)"]):
    r"""Over every event $E\subset[K]^T$ the largest $\mathbb P(E)-e^\varepsilon\mathbb P'(E)$, which Definition 3
    bounds by $\delta$, is $\sum_i(\mathbb P(i)-e^\varepsilon\mathbb P'(i))_+$ over action sequences."""
    return excess_over_all_events(learner, T, ratio), "==", excess_over_sequences(learner, T, ratio)


@claim(
    "ADV-S2.2",
    enumerated(SHORT_GAMES, rational=True, routes=EXACT),
    false=[{"power": 2}, {"noise": "9/10"}],
    restricted="to learners that compare losses with levels",
)
def adaptive_adversaries(learner: Learners, losses: Lists, T: Count, tau: Count, power=1, noise=1) -> Sides:
    r"""With losses that depend on the actions before, changed in one round, Algorithm 1 with noise
    $\mathrm{Lap}(\frac1{\tau\varepsilon})$ on a mean keeps every ratio within $e^\varepsilon$ (an excess of $10^{-9}$
    is allowed, since that is attained): exact laws at $\varepsilon=\frac12$, all action sequences, all changed
    rounds.
    """
    scale = noise * ratio(2, tau**power)
    return excess_of_batches(learner, losses, T, tau, scale, exp(ratio(1, 2)), 1, 1), "<=", ATTAINED


@claim(
    "ADV-D4/exact-laws",
    enumerated(SHORT_GAMES, rational=True, routes=EXACT),
    false=[{"power": 2}, {"noise": "9/10"}],
    role="implication",
    restricted="to two experts",
)
def private_for_fixed_advice(learner: Learners, losses: Lists, T: Count, tau: Count, power=1, noise=1) -> Sides:
    r"""Algorithm 5 around Algorithm 1 with advice that both worlds share (an action, a coin, a mixture): every ratio of
    laws of actions is within $e^\varepsilon$, with noise $\mathrm{Lap}(\frac1{\tau \varepsilon})$ (to $10^{-9}$)."""
    scale = noise * ratio(2, tau**power)
    return excess_of_experts(learner, losses, T, tau, scale, exp(ratio(1, 2))), "<=", ATTAINED


# --------------------------------------------------------------------------------------------------------- algorithms

Histories = Annotated[Any, "all: every history"]


def next_law(learner: str, history: int, coins: int, moved: Any) -> Any:
    """What a learner on three arms plays after ten rounds of a drawn history; `moved` is added to its last loss."""
    import numpy as np

    from banditproof.algorithms.adversarial.experts import EXP4, Panel
    from banditproof.algorithms.adversarial.learners import EXP3, HTINF

    generator, draw = np.random.default_rng([coins, 7]), np.random.default_rng(history)
    panel = Panel([[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])
    made: Any = {
        "EXP3": lambda: EXP3(3, generator, rate=0.2, mixing=0.1),
        "HTINF": lambda: HTINF(3, generator, sigma=2.0),
        "EXP4": lambda: EXP4(panel, generator, rate=0.2, mixing=0.1),
    }[learner]()
    for t in range(10):
        made.next_batch()
        loss = draw.uniform(-1, 1) + float(to_ball(moved).mid()) * (t == 9)
        made.observe(np.array([loss]), np.ones(1, dtype=int), draw.integers(3, size=1))
    made.next_batch()
    return made.probabilities[0]


@claim(
    "ADV-D1/implemented",
    tried_at(learner=["EXP3", "HTINF", "EXP4"], history=[1, 2]),
    quadrature(
        [{"learner": b, "history": h} for b in ("EXP3", "HTINF", "EXP4") for h in range(1, 9)],
        error="double precision",
        routes=("one stream of coins", "another"),
    ),
    false=[{"moved": "1/10"}],
    role="implication",
    restricted="to EXP3, HTINF and EXP4 as implemented",
)
def law_depends_on_the_history(learner: Learners, history: Histories, moved=0) -> Sides:
    r"""After the same history, whatever coins the algorithm saw, its next distribution is the same."""
    one, other = (next_law(str(learner), int(history), coins, change) for coins, change in ((1, 0), (2, moved)))
    return to_ball(float(abs(one - other).max())), "<=", to_ball(Fraction(1, 10**12))
