"""Appendix E: the EXP3 and FTPL conversions, their parameters and constants; m is epsilon K T, L a logarithm."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim, repaired
from banditproof.claims.sets import AboveZero, AtLeastOne, Count, Positive, Sides, TwoOrMore
from banditproof.claims.steps import deduced, enumerated, interval, pick, quadrature, step, tried_at
from banditproof.paper_checks.adversarial.facts import exp3_after_thirty_rounds, expected_loss_of_exp3, game_losses
from banditproof.paper_checks.adversarial.studies import (
    CHOICES,
    chances_of_play,
    choices_follow,
    two_losses_study,
    worst_losses_study,
)
from banditproof.theory import exp, log, maximum, sqrt, to_ball
from banditproof.theory.numbers.term import quantity


@claim(
    "ADV-C22/undefined-and-vacuous",
    tried_at(K=1, T=[1, 4], epsilon=Fraction(1, 4)),
    deduced(),
    false={"constant": "99/100"},
    where=["epsilon*K*T <= 1"],
    repairs="ADV-C22/edge-small-budget",
)
def undefined_and_vacuous(K: AtLeastOne, T: AtLeastOne, epsilon: AboveZero, constant=4):
    r"""Where $\varepsilon KT\le1$ the bound is at least $\frac{4}\varepsilon\ge T$: any algorithm meets it."""
    return T, "<=", constant / epsilon


@claim(
    "ADV-C22/constant",
    tried_at(L=["693/1000", 100]),
    interval(substitutions={"L": ("u", "(0, 1000/693]", "1/u")}),
    false=[{"constant": "24"}, {"mixing": 40}],
    role="implication",
)
def constant_of_exp3(L: Annotated[Any, "[693/1000, inf)"], constant=36, mixing=8, *, u=None):
    r"""From $\frac{\log K}\eta+8\eta KT\Lambda+2\eta KT(1+10\Lambda^2)+1$ at the stated $\eta$ ($\lambda=1$,
    $\Lambda=\log(\varepsilon KT)\ge0.693$, true for $\varepsilon\ge\frac1T$ and $K\ge2$) follows the constant $36$,
    since $\Lambda\le\log(KT)$.

    The coefficients of sqrt(m log K)/epsilon are compared, divided by L. The constant does not change with up to 25 in
    place of the 8."""
    u = 1 / L if u is None else u
    root = sqrt(to_ball(22))
    return 2 * (root + (mixing * u + 2 * u**2 + 20) / root), "<=", constant


PLAYS = [
    {"game": game, "eta": Fraction(eta), "gamma": Fraction(gamma)}
    for game in range(12)
    for eta, gamma in (("1/100", "1/4"), ("1/20", "1"), ("1/8", "1/2"))
]


@quantity
def loss_of_the_best_arm(game: int) -> Fraction:
    """The smaller sum of the losses of an arm."""
    return min(sum(column, Fraction(0)) for column in zip(*game_losses(game), strict=True))


@quantity
def mean_loss_of_arms(game: int) -> Fraction:
    """The mean over both arms of the sums of their losses."""
    return sum((one + other for one, other in game_losses(game)), Fraction(0)) / 2


@quantity
def sum_of_squares(game: int) -> Fraction:
    """The sum of l_t(i)^2 over rounds and arms."""
    return sum((x * x for loss in game_losses(game) for x in loss), Fraction(0))


@claim(
    "ADV-L23/spread-of-the-losses",
    enumerated(pick(PLAYS[:18], PLAYS), routes=("all action sequences", "the bound")),
    repairs="ADV-L23/large-losses",
)
def mixing_costs_the_spread(game: Annotated[Any, "all: every loss sequence"], eta: Positive, gamma: AboveZero):
    r"""With $\gamma\sum_t(\frac1K\sum_i\ell_t(i)-\ell_t(i^\star))$ in place of $2\gamma T$, $i^\star$ the best action,
    the lemma holds.

    The games have three rounds with losses on grids of several sizes, some negative; one grid is (B, 0) with B = 4.
    Since (1 - gamma) w/sum w <= P, multiplying the bound of multiplicative weights by 1 - gamma gives the repaired
    bound. For losses in [0, 1] the term is then gamma T, half of the printed one.

    These games do not test this term closely: 0 in place of 1 before the mixing would hold as well, and so would a
    tenth of the entropy.
    """
    best, spread = loss_of_the_best_arm(game), mean_loss_of_arms(game) - loss_of_the_best_arm(game)
    bound = best + gamma * spread + log(2) / eta + eta * sum_of_squares(game)
    return expected_loss_of_exp3(game, eta, gamma), "<=", bound


# ----------------------------------------------------------------------------------------- algorithms and their regret

Learners = Annotated[Any, "all: every history"]


@claim(
    "ADV-A3",
    tried_at(history=3, eta="1/10", gamma="1/5"),
    quadrature(
        [
            {"history": h, "eta": e, "gamma": g}
            for h in range(1, 9)
            for e in ("1/100", "1/2")
            for g in ("1/100", "1/5", "1")
        ],
        error="double precision",
        routes=("the implementation, in logarithms", "the recursion, in balls"),
    ),
    false=[{"sign": -1}, {"weighted": 0}],
)
def exp3_follows_its_recursion(history: Learners, eta: Positive, gamma: AboveZero, sign=1, weighted=1) -> Sides:
    r"""After 30 rounds on losses in $[-2,3]$ EXP3 plays the second arm with the probability of Algorithm 3,
    $(1-\gamma)\frac{w(2)}{\sum_iw(i)}+\frac\gamma K$, $w\leftarrow w\,e^{-\eta\ell/P}$, to $10^{-9}$."""
    played, chance = exp3_after_thirty_rounds(int(history), eta, gamma, sign, weighted)
    return abs(played - chance), "<=", to_ball(Fraction(1, 10**9))


EXP3_RUNS, exp3_on_worst = worst_losses_study("exp3", ["exp3"], "1", 500_000, arms=2)


@claim(
    "ADV-C22/worst-sequence",
    exp3_on_worst,
    false=[{"constant": 1}, {"constant": 20, "log_power": 0}],
    studies=[EXP3_RUNS],
    restricted="to two arms of a stored sequence that a search found",
)
def exp3_on_worst_losses(K: TwoOrMore, T: Count, epsilon: AboveZero, constant=36, log_power=1, *, regret=0) -> Sides:
    r"""On a sequence that a search found to be bad the regret is at most $36\sqrt{\frac{TK\log K}\varepsilon}
    \log(KT)+\frac4\varepsilon$, at a horizon where that is below $T$.

    The check uses one K, one T and one budget, and the regret is far below the bound, so it does not detect wrong
    powers or a wrong added term.
    """
    return regret, "<=", constant * sqrt(T * K * log(K) / epsilon) * log(K * T) ** log_power + 4 / epsilon


SHARE, LOW, FAR, SPREAD = Fraction(47, 200), Fraction(13, 4), Fraction(71, 100), 1530


@claim("ADV-C24/range", enumerated(rational=False), false=[{"low": "3.3"}, {"high": "2.4"}], role="step")
def range_of_the_chances(low=LOW, high=Fraction(239, 100), near=Fraction(7, 10), far=FAR):
    r"""For a difference $x/\eta$ of the estimates $p$ is $\frac14(2+|x|)e^{-|x|}$ below 0: at least $\frac1{20}$ at
    $-13/4$, above $\frac13$ at $-7/10$ and below it at $-71/100$; at $239/100$ it is at most $\frac9{10}$."""

    def chance(x: Any) -> Any:
        return (2 + to_ball(x)) * exp(-to_ball(x)) / 4

    ends = maximum(to_ball("0.05") - chance(low), to_ball("0.1") - chance(high))
    third = maximum(to_ball(1) / 3 - chance(near), chance(far) - to_ball(1) / 3)
    return maximum(ends, third), "<=", 0


FTPL_RUNS, ftpl_on_worst = worst_losses_study("ftpl", ["ftpl"], "1", 170_000, arms=2)


@claim(
    "ADV-C24/worst-sequence",
    ftpl_on_worst,
    false=[{"constant": 1}, {"constant": 20, "log_power": 0}],
    studies=[FTPL_RUNS],
    repairs="ADV-C24/as-printed",
    restricted="to two arms of a stored sequence",
)
def ftpl_on_worst_losses(K: TwoOrMore, T: Count, epsilon: AboveZero, constant=32, log_power=1, *, regret=0) -> Sides:
    r"""With the smallest perturbed estimate in the resampling, and $M$ where it never comes: on a sequence that a
    search found to be bad the regret is at most $32\sqrt{\frac{KT}\varepsilon}\log K\log(KT) +\frac2\varepsilon$, at a
    horizon where that is below $T$.

    The false variants show how small a constant these runs can detect; the runs do not detect a missing second
    logarithm.
    """
    return regret, "<=", constant * sqrt(K * T / epsilon) * log(K) * log(K * T) ** log_power + 2 / epsilon


PRINTED_RUNS, as_printed = two_losses_study(True)
ANALYSED_RUNS, as_analysed = two_losses_study(False)


@claim(
    "ADV-L25/as-printed",
    as_printed,
    studies=[PRINTED_RUNS],
    cause="ADV-A4/resampling",
    slip="A misprint of the pseudocode: Line 5 and the proof of Lemma 25 have the minimum.",
)
def ftpl_as_printed(K: TwoOrMore, T: Count, lam: Positive, first=11, second=10, arm="largest", *, regret=0) -> Sides:
    r"""Algorithm 4 as printed, with $M=\sqrt{KT}$ and the printed $\eta$, has regret at most $11\lambda\sqrt{KT}\log
    K\log(KT)+10\sqrt{KT}$ when the losses it hears carry noise $\mathrm{Lap}(\lambda)$.

    The loop waits for the largest perturbed estimate, while Line 5 plays the smallest: the better arm is played with
    probability 2/3, and the regret is about $T/4$. With the smallest in the loop the bound holds on these losses. The
    check simulates runs with $K=2$ and the losses $(\frac14,1)$.
    """
    return regret, "<=", first * lam * sqrt(K * T) * log(K) * log(K * T) + second * sqrt(K * T)


@repaired("ADV-L25/as-analysed", "ADV-L25/as-printed", as_analysed, false=[{"second": "1/10"}], studies=[ANALYSED_RUNS])
def ftpl_as_analysed(arm="smallest"):
    r"""With the smallest in place of the largest, and $M$ in place of $0$, the bound holds on the same losses.

    The check uses one horizon and one kind of losses, so it does not detect wrong powers, nor constants several times
    smaller.
    """


@claim(
    "ADV-X8",
    step(choices_follow, "statistics"),
    false=[{"sign": -1}],
    studies=[CHOICES],
    restricted="to the chances of play at given estimates; the event-driven simulator is not built",
)
def chance_of_play(arm: Annotated[Any, "integer [0, 3]"], sign=1, *, drawn=0) -> Sides:
    r"""FTPL with Laplace perturbations plays arm $i$ with probability $\int f(z-\eta\hat L_i) \prod_{k\ne
    i}(1-F(z-\eta\hat L_k))\,dz$, up to $\frac1{50}$."""
    return drawn, "==", float(chances_of_play(float(sign))[int(arm)])
