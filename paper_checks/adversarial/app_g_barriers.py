"""Appendix G: the example in which EXP3 diverges, Figure 1, and the steps of the proof of Lemma 11."""

from fractions import Fraction
from itertools import product
from random import Random
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.adversarial.facts import *
from banditproof.verify.adversarial.two_losses import transfer_excess


@claim("ADV-E1/end", tried_at(T=10**6), quadrature(T=10**6, error="double precision; probabilities to 1e-9"))
def end_of_the_figure(T: Annotated[Any, "integer [1000000, 1000000]"]):
    r"""At the end the probabilities of action 2 are at least $\frac{999}{1000}(1-\gamma)$ apart."""
    gamma = Fraction(1, 10**4)
    return Fraction(999, 1000) * (1 - gamma), "<=", chance_in_the_figure(T, 0) - chance_in_the_figure(T, 1)


GAMES = [
    {"T": T, "ratio": Fraction(ratio), "tau": tau, "p": p, "window": T - tau}
    for T, tau, p in ((3, 1, 1), (4, 0, 1), (4, 1, 2), (4, 0, 2), (5, 0, 2), (5, 1, 2))
    for ratio in ("11/10", "2")
]


@claim(
    "ADV-EQG.2/all-algorithms",
    tried_at(GAMES[:6]),
    quadrature(GAMES, error="linear programs, 1e-7", routes=("all private algorithms", "the inequality")),
    false={"power": "1/2"},
    where=["tau + window <= T"],
)
def transfer_of_privacy(T: Count, ratio: AtLeastOne, tau: Natural, p: Count, window: Count, power=1):
    r"""Over all algorithms with ratios up to $e^\varepsilon=\mathrm{ratio}$ on losses $(\frac12,b_t)$: the largest
    $\mathbb P'(\cdot)-e^{\varepsilon p}\mathbb P(\cdot)$ is 0.

    One step of the proof exchanges a set S' which depends on the algorithm's coins for a supremum over fixed sets. This
    step alone is false (see there), but the inequality that it should prove holds in these games.
    """
    price = float(ratio) ** (float(power) * int(p))
    found = transfer_excess(int(T), float(ratio), int(tau), int(p), int(window), price)
    return to_ball(found), "<=", to_ball(Fraction(1, 10**7))


@quantity
def largest_for_a_fixed_set(T: int, q: Any, ratio: Any) -> Any:
    """The probability of a second play, largest over the round (or none) in which arm 2 loses 0 in place of 1.

    The first one is in a round drawn from the first T - 1, the second in the next one, with probability q after the
    loss 0 and q / ratio after the loss 1.
    """
    return most(sum(q if start == free else q / ratio for start in range(T - 1)) / (T - 1) for free in range(T))


def chance_of_the_second(history: tuple[int, ...], seed: int) -> Fraction:
    """Of playing arm 2 after what was heard (2 for arm 1, else the loss of arm 2): a random rational for each
    history."""
    return Fraction(Random(f"{seed} {history}").randint(2, 6), 8)


def law_of_tree(seed: int, losses: tuple[int, ...]) -> dict[tuple[int, ...], Fraction]:
    """The law of the actions of the random algorithm number `seed` on losses (1/2, b_t)."""
    law = {}
    for actions in product((0, 1), repeat=len(losses)):
        chance, history = Fraction(1), ()
        for action, loss in zip(actions, losses, strict=True):
            second = chance_of_the_second(history, seed)
            chance, history = chance * (second if action else 1 - second), (*history, loss if action else 2)
        law[actions] = chance
    return law


@quantity
def odds_of_a_tree(seed: int, T: int) -> Fraction:
    """The largest ratio of an algorithm over losses that differ in one round."""
    tables: list[tuple[int, ...]] = list(product((0, 1), repeat=T))
    laws, ratio = {losses: law_of_tree(seed, losses) for losses in tables}, Fraction(1)
    for losses, law in laws.items():
        for t in range(T):
            other = laws[(*losses[:t], 1 - losses[t], *losses[t + 1 :])]
            ratio = max(ratio, *(law[actions] / other[actions] for actions in law))
    return ratio


@quantity
def largest_ratio_of_a_cut(seed: int, T: int, p: int) -> Fraction:
    """The largest P'/P of a sequence that ends where arm 2 is played the (p + 1)-th time; 0 where there is none."""
    one, moved = law_of_tree(seed, (1,) * T), law_of_tree(seed, (0,) * T)
    cuts = {a[:t] for a in one for t in range(1, T + 1) if sum(a[:t]) == p + 1 and a[t - 1]}

    def chance(law: dict[tuple[int, ...], Fraction], cut: tuple[int, ...]) -> Fraction:
        return sum((c for a, c in law.items() if a[: len(cut)] == cut), Fraction(0))

    return max((chance(moved, cut) / chance(one, cut) for cut in cuts), default=Fraction(0))


@claim(
    "ADV-EQG.2/sequence-by-sequence",
    enumerated([{"seed": s, "T": T, "p": p} for s in range(1, 7) for T in (3, 4) for p in (1, 2)], rational=True),
    repairs="ADV-EQG.2/fixed-sets",
)
def sequence_by_sequence(seed: Annotated[Any, "all: every bandit algorithm"], T: Count, p: Count):
    r"""Sequence by sequence it holds: let $e^\varepsilon$ be the largest ratio of an algorithm over losses that differ
    in one round, and cut every sequence of actions where arm 2 is played the $(p+1)$-th time; the probability of the
    cut sequence on $\ell'$ is at most $e^{\varepsilon p}$ times that on $\ell$ (exactly, for random algorithms and
    $\tau=0$)."""
    return largest_ratio_of_a_cut(seed, T, p), "<=", odds_of_a_tree(seed, T) ** p


# ----------------------------------------------------------------------------------------------- ratios of the weights


@claim(
    "ADV-SG.1/weight-ratio",
    tried_at(game=3, t=9, arm=0, eta="1/10", gamma="1/5"),
    enumerated(
        game=list(range(1, 13)),
        t=[2, 5, 9],
        arm=[0, 1],
        eta=["1/100", "1/2"],
        gamma=["1/100", "1/5"],
        routes=("recursion", "formula"),
    ),
    false=[{"sign": -1}, {"start": 3}],
)
def ratio_of_weights(
    game: Annotated[Any, "all: losses and actions of eight rounds"],
    t: Annotated[Any, "integer [2, 9]"],
    arm: Annotated[Any, "integer [0, 1]"],
    eta: Positive,
    gamma: AboveZero,
    sign=1,
    start=2,
) -> Sides:
    r"""$\log\frac{w_t(i)}{w_t'(i)}$ of the recursion is $\eta(\ell_1'(i)-\ell_1(i))\frac{\mathbb 1\{I_1=i\}}{P_1(i)}+
    \eta\sum_{s=2}^{t-1}\ell_s(i)\mathbb 1\{I_s=i\}(\frac1{P_s'(i)}-\frac1{P_s(i)})$, to $10^{-20}$."""
    own, other = (log_weight_on(dataset, game, t, arm, eta, gamma) for dataset in (0, 1))

    def of_round(s: Any) -> Any:
        gap = 1 / chance_on(1, game, s, arm, eta, gamma) - 1 / chance_on(0, game, s, arm, eta, gamma)
        return loss_on(0, game, s, arm) * is_played(game, s, arm) * gap

    first = (loss_on(1, game, 1, arm) - loss_on(0, game, 1, arm)) * is_played(game, 1, arm)
    printed = eta * first / chance_on(0, game, 1, arm, eta, gamma) + sign * eta * total(
        of_round, start, maximum(start, t) - 1
    )
    return absolute(own - other - printed), "<=", Fraction(1, 10**20)
