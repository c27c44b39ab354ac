"""Section 2.3 of the thesis, first half: the membership inference game and its optimal adversaries.

Games are played exactly on random finite mechanisms with rational probabilities, re-created from an integer, and on the
empirical mean of binary records.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.verify.channels import random_channel, total_variation
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import random_law
from banditproof.verify.membership import (
    MembershipGame,
    best_region,
    empirical_mean,
    likelihood_score,
    power,
    randomised_power,
)
from banditproof.verify.symbolic import SymbolicArgument

EVERY_GAME = Domain.of(n="integer [1, inf)", game="all: every mechanism and data law")
EVERY_ADVERSARY = EVERY_GAME.restrict(adversary="all: every adversary")
EVERY_LEVEL = EVERY_GAME.restrict(alpha="(0, 1)")
LEVELS = tuple(Fraction(k, 16) for k in range(1, 16))


def played(n: int, game: int) -> MembershipGame:
    """Random game number ``game`` with n binary records; every third one has impossible outputs."""
    law = random_law(game, "data", 2)
    mechanism = random_channel(game, n, outputs=2 + game % 2, smallest_weight=0 if game % 3 == 2 else 1)
    return MembershipGame(mechanism, dict(enumerate(law)))


def games(check: Check) -> list[dict[str, Any]]:
    return [{"n": n, "game": seed} for n in (1, 2, 3) for seed in range(check.pick(6, 40))]


def guesser(game: MembershipGame, seed: int) -> dict[Any, Fraction]:
    """A random adversary: its probability of guessing 1 on each view."""
    return {view: random_law(seed, view, 2, 0, 3)[1] for view in game.laws()[0]}


# -- the game -------------------------------------------------------------------------------------------------


def crafters_agree(n: int, game: int, moved: int) -> tuple[Any, str, Any]:
    """The total variation between reading the target from its place and writing a fresh one into it."""
    setting = played(n, game)
    read, written = setting.crafted(), setting.crafted(written=True)
    if moved:
        read = {key: setting.laws()[0].get(key[:2], Fraction(0)) / 2 for key in read}
    keys = read.keys() | written.keys()
    return total_variation({k: read.get(k, Fraction(0)) for k in keys}, written), "==", 0


@claim(
    "TH-A4",
    r"The crafter outputs $(z^\star, o, b)$; reading $z^\star$ from place $i$ of $D$ or writing a fresh one there "
    r"gives the same law (in $<moved>$ of the branches the target is independent).",
    domain=EVERY_GAME,
    constants={"moved": 0},
    mutations=[mutation("independent target in both branches", moved=1)],
    strongest="enumeration",
)
def crafter(check: Check) -> None:
    """Both readings of line 9, exactly, on random mechanisms that treat places differently."""
    check.enumerate(crafters_agree, games(check), rational=True, routes=("target read", "target written"))


Draw = Callable[[Mapping[Any, Any]], Any]


def executions(program: Callable[[Draw], Any]) -> dict[Any, Fraction]:
    """The exact law of what a randomised program returns; it draws with `draw(law)`, as often as it likes.

    The program is run once for every sequence of outcomes of its draws.
    """
    law: dict[Any, Fraction] = defaultdict(Fraction)
    waiting: list[tuple[Any, ...]] = [()]
    while waiting:
        chosen, weight, taken = waiting.pop(), [Fraction(1)], []

        def draw(options: Mapping[Any, Any], chosen: Any = chosen, weight: Any = weight, taken: Any = taken) -> Any:
            possible = [outcome for outcome, p in options.items() if p]
            if len(taken) < len(chosen):
                outcome = chosen[len(taken)]
            else:
                outcome = possible[0]
                waiting.extend((*taken, other) for other in possible[1:])
            taken.append(outcome)
            weight[0] *= options[outcome]
            return outcome

        law[program(draw)] += weight[0]
    return dict(law)


def game_of_rounds(draw: Draw, game: MembershipGame, guess: Mapping[Any, Fraction], rounds: int, fresh: int) -> Any:
    """Algorithm 5 with Algorithm 4 as the crafter, line by line; unless `fresh`, all rounds share one data set."""
    results, dataset = [], None
    for _ in range(rounds):
        if dataset is None or fresh:
            dataset = tuple(draw(game.data) for _ in range(game.mechanism.records))
        b = draw({0: Fraction(1, 2), 1: Fraction(1, 2)})
        if b:
            target = dataset[draw({i: Fraction(1, len(dataset)) for i in range(len(dataset))})]
        else:
            target = draw(game.data)
        output = draw(game.mechanism.laws[dataset])
        one = guess[target, output]
        results.append(int(draw({1: one, 0: 1 - one}) == b))
    return tuple(results)


def rounds_law(n: int, game: int, adversary: int, wins: Fraction, fresh: int) -> tuple[Any, str, Any]:
    """The law of L = (L_1, L_2) over all runs of the game, against independent coins, in total variation."""
    setting = played(n, game)
    guess = guesser(setting, adversary)
    joint = executions(lambda draw: game_of_rounds(draw, setting, guess, 2, fresh))
    alpha, beta = setting.errors(guess)
    success = wins * (1 - (alpha + beta) / 2)
    chance = {1: success, 0: 1 - success}
    coins = {pair: chance[pair[0]] * chance[pair[1]] for pair in product((0, 1), repeat=2)}
    return sum(abs(joint.get(pair, 0) - coins[pair]) for pair in coins), "==", 0


@claim(
    "TH-A5",
    r"The list $L$ returned by the game has independent entries that are 1 with probability $<wins>\,(1-(\alpha_n+"
    r"\beta_n)/2)$ (a data set of its own in each round: <fresh>).",
    domain=EVERY_ADVERSARY,
    constants={"wins": 1, "fresh": 1},
    mutations=[
        mutation("1 % less", wins="0.99", fresh=1),
        mutation("one data set for both rounds", gradual=False, wins=1, fresh=0),
    ],
    strongest="enumeration",
)
def membership_game(check: Check) -> None:
    """Two rounds of the pseudo code, run once for every outcome of all of its draws."""
    points = [{"n": 1, "game": s, "adversary": a} for s in range(check.pick(6, 40)) for a in (0, 1)]
    points += [{"n": 2, "game": s, "adversary": 0} for s in range(check.pick(3, 12))]
    check.enumerate(rounds_law, points, rational=True, routes=("all runs of the pseudo code", "coins with its errors"))


def accuracy_two_ways(n: int, game: int, adversary: int, half: Fraction) -> tuple[Any, str, Any]:
    setting = played(n, game)
    guess = guesser(setting, adversary)
    alpha, beta = setting.errors(guess)
    return setting.accuracy(guess), "==", half * (1 - alpha) + half * (1 - beta)


@claim(
    "TH-EQ2.21",
    r"$\mathrm{Acc}_n=\Pr[\mathcal A(z^\star,o)=b]$, $\alpha_n=\Pr[\mathcal A=1\mid b=0]$, $\beta_n=\Pr[\mathcal "
    r"A=0\mid b=1]$: $\mathrm{Acc}_n=<half>(1-\alpha_n)+<half>(1-\beta_n)$.",
    domain=EVERY_ADVERSARY,
    constants={"half": "1/2"},
    mutations=[mutation("0.49", half="0.49")],
    strongest="enumeration",
)
def accuracy_and_errors(check: Check) -> None:
    """The accuracy over the crafter's law against the errors over the two conditional laws."""
    points = [{**g, "adversary": s} for g in games(check) for s in (0, 1, 2)]
    check.enumerate(accuracy_two_ways, points, rational=True, routes=("crafter's law", "conditional laws"))


parts_decide(
    "TH-S2.3a",
    r"$\mathrm{Adv}_n=1-\alpha_n-\beta_n\in[-1,1]$, and guessing by a fair coin has advantage 0.",
)

ERRORS = Domain.of(alpha="[0, 1]", beta="[0, 1]")


def advantage_identity(alpha: Any, beta: Any, factor: Any) -> tuple[Any, str, Any]:
    accuracy = ((1 - alpha) + (1 - beta)) / 2
    return 2 * accuracy - 1, "==", 1 - factor * alpha - beta


def error_symbols() -> tuple[Any, Any]:
    import sympy

    return sympy.symbols("alpha beta", nonnegative=True)


def identity_argument(factor: Any) -> SymbolicArgument:
    import sympy

    a, b = error_symbols()
    return SymbolicArgument({"alpha": a, "beta": b}, sympy.Integer(0), "zero")


@claim(
    "TH-S2.3a/identity",
    r"$2\,\mathrm{Acc}-1=1-<factor>\,\alpha-\beta$.",
    domain=Domain.of(alpha="[0, inf)", beta="[0, inf)"),
    constants={"factor": 1},
    mutations=[mutation("0.99 alpha", factor="0.99")],
    strongest="symbolic",
)
def advantage_from_errors(check: Check) -> None:
    """Both sides are linear in the errors."""
    check.symbolic(advantage_identity, identity_argument, routes=("definition 2.22", "errors"))


def advantage_below(alpha: Any, beta: Any, most: Any) -> tuple[Any, str, Any]:
    return abs(1 - alpha - beta), "<=", most


@claim(
    "TH-S2.3a/range",
    r"$|1-\alpha-\beta|\le <most>$.",
    domain=ERRORS,
    constants={"most": 1},
    mutations=[mutation("0.99", most="0.99")],
    strongest="enumeration",
)
def advantage_range(check: Check) -> None:
    """At the corners of the square, on a grid and on random games; the expression is linear between the corners."""
    ends = [Fraction(k, 8) for k in range(9)]
    check.enumerate(advantage_below, {"alpha": ends, "beta": ends}, rational=True, routes=("advantage", "one"))


def oblivious(n: int, game: int, chance: Fraction) -> tuple[Any, str, Any]:
    setting = played(n, game)
    alpha, beta = setting.errors(dict.fromkeys(setting.laws()[0], chance))
    return 1 - alpha - beta + abs(chance - Fraction(1, 2)), "==", 0


@claim(
    "TH-S2.3a/oblivious",
    r"The adversary that guesses 1 with probability $<chance>$ whatever it sees is the fair coin, and its advantage "
    r"is 0.",
    domain=EVERY_GAME,
    constants={"chance": "1/2"},
    mutations=[mutation("another coin", chance="0.6")],
    strongest="enumeration",
)
def oblivious_guesser(check: Check) -> None:
    """Its errors on random games (any coin has advantage 0; the fair one is meant)."""
    check.enumerate(oblivious, games(check), rational=True, routes=("advantage from the errors", "zero"))


# -- power and the Neyman-Pearson lemma -----------------------------------------------------------------------


def largest_power_of_upper_sets(n: int, game: int, alpha: Fraction, level: Fraction) -> tuple[Any, str, Any]:
    """Pow(s, alpha) against the largest power over the sets {s > tau} for many tau of any kind."""
    out, inside = played(n, game).laws()
    score = {v: k % 4 for k, v in enumerate(out)}
    taus = [Fraction(k, 3) for k in range(-6, 15)]
    regions = [[v for v in out if score[v] > tau] for tau in taus]
    best = max(
        (sum(inside[v] for v in r) for r in regions if sum(out[v] for v in r) <= level * alpha), default=Fraction(0)
    )
    return power(out, inside, score, alpha), "==", best


@claim(
    "TH-EQ2.25",
    r"$\mathrm{Pow}_n(s,\alpha)=\max\{1-\beta_n(\mathcal A_{s,\tau}) : \alpha_n(\mathcal A_{s,\tau})\le "
    r"<level>\,\alpha\}$; the maximum over real $\tau$ is attained at a value of the score.",
    domain=EVERY_LEVEL,
    constants={"level": 1},
    mutations=[mutation("half the level", level="1/2")],
    strongest="enumeration",
)
def power_at_a_level(check: Check) -> None:
    """Thresholds at the values of a score with ties against thresholds in between.

    The size is right-continuous in tau, so for levels in (0, 1) and finite scores the best threshold exists.
    """
    points = [{**g, "alpha": a} for g in games(check)[::3] for a in LEVELS[::3]]
    check.enumerate(
        largest_power_of_upper_sets, points, rational=True, routes=("thresholds at values", "thresholds in between")
    )


parts_decide(
    "TH-S2.3b",
    r"The log-likelihood ratio $\ell_n=\log(p_n^{\rm in}/p_n^{\rm out})$ maximises $\mathrm{Pow}_n(\cdot,\alpha)$ for "
    r"every $\alpha\in(0,1)$.",
    domain=EVERY_LEVEL,
)

FAIR = "the number of ones among two fair bits is published"


def any_game(n: int, game: Any) -> MembershipGame:
    """A random game, or the empirical mean of fair bits."""
    if game == FAIR:
        return MembershipGame(empirical_mean(n), {0: Fraction(1, 2), 1: Fraction(1, 2)})
    return played(n, game)


def best_score_against_ratio(n: int, game: Any, alpha: Fraction) -> tuple[Any, str, Any]:
    """The power of the best region of size at most alpha, which is a score of its own, against that of the ratio."""
    out, inside = any_game(n, game).laws()
    _, region = best_region(out, inside, alpha)
    other = power(out, inside, {v: int(v in region) for v in out}, alpha)
    return other, "<=", power(out, inside, likelihood_score(out, inside), alpha)


@claim(
    "TH-S2.3b/deterministic-thresholds",
    r"$\mathrm{Pow}_n(s,\alpha)\le\mathrm{Pow}_n(\ell_n,\alpha)$ for every score $s$, with $\mathrm{Pow}_n$ as "
    r"defined by thresholds $1(s>\tau)$.",
    domain=EVERY_LEVEL,
    strongest="enumeration",
)
def likelihood_ratio_is_best(check: Check) -> None:
    """Ties: the two views with the largest ratio, 2, have size 1/8 each; a threshold takes both or none.

    At alpha = 1/8 the likelihood ratio has no power at all, a score that takes one of the two has power 1/4.
    """
    check.counterexample(best_score_against_ratio, {"n": 2, "game": FAIR, "alpha": Fraction(1, 8)}, rational=True)


def best_region_against_randomised(n: int, game: Any, alpha: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    out, inside = any_game(n, game).laws()
    return best_region(out, inside, alpha)[0], "<=", factor * randomised_power(out, inside, alpha)


def levels_of_games(check: Check) -> list[dict[str, Any]]:
    settings = [{"n": n, "game": s} for n in (1, 2) for s in range(check.pick(4, 20))] + [{"n": 2, "game": FAIR}]
    return [{**g, "alpha": a} for g in settings for a in LEVELS[1::3]]


@claim(
    "TH-S2.3b/randomised",
    r"For every $\alpha\in(0,1)$ no adversary of size at most $\alpha$ has more than $<factor>$ times the power of the "
    r"likelihood-ratio test that guesses at random on its threshold.",
    role="repair",
    repairs="TH-S2.3b/deterministic-thresholds",
    domain=EVERY_LEVEL,
    constants={"factor": 1},
    mutations=[mutation("90 % of the power", factor="0.9")],
    strongest="enumeration",
)
def randomised_likelihood_ratio_is_best(check: Check) -> None:
    """Every rejection region of every game, in rationals (randomised tests are mixtures of regions)."""
    points = levels_of_games(check) + [{"n": 2, "game": FAIR, "alpha": Fraction(1, 4)}]
    check.enumerate(best_region_against_randomised, points, rational=True, routes=("every region", "randomised test"))


def best_region_at_attained_level(n: int, game: Any, step: int, factor: Fraction) -> tuple[Any, str, Any]:
    """At the size of one of the likelihood-ratio thresholds."""
    out, inside = any_game(n, game).laws()
    score = likelihood_score(out, inside)
    values = sorted(set(score.values()), reverse=True)
    level = sum((out[v] for v in score if score[v] >= values[step % len(values)]), Fraction(0))
    return best_region(out, inside, level)[0], "<=", factor * power(out, inside, score, level)


@claim(
    "TH-S2.3b/attained-levels",
    r"At every $\alpha$ that is the size of a likelihood-ratio threshold, no rejection region of that size has more "
    r"than $<factor>$ times its power.",
    role="remark",
    domain=EVERY_GAME.restrict(step="integer [0, inf)"),
    constants={"factor": 1},
    mutations=[mutation("90 % of the power", factor="0.9")],
    strongest="enumeration",
)
def likelihood_ratio_is_best_at_its_levels(check: Check) -> None:
    """Every rejection region against the threshold itself."""
    points = [{"n": n, "game": s, "step": k} for n in (1, 2) for s in range(check.pick(4, 20)) for k in (0, 1, 2)]
    check.enumerate(best_region_at_attained_level, points, rational=True, routes=("every region", "threshold"))


def optimal_advantage(n: int, game: int, factor: Fraction) -> tuple[Any, str, Any]:
    """The advantage of the best deterministic adversary, over all of them, against the total variation."""
    setting = played(n, game)
    out, inside = setting.laws()
    views = list(out)
    best = max(
        sum((inside[v] - out[v] for v, g in zip(views, guess, strict=True) if g), Fraction(0))
        for guess in product((0, 1), repeat=len(views))
    )
    return best, "==", factor * total_variation(inside, out)


@claim(
    "TH-S2.3b/advantage",
    r"The largest advantage of any adversary is $<factor>\,\mathrm{TV}(p_n^{\rm in},p_n^{\rm out})$, attained by the "
    r"likelihood ratio with threshold 0.",
    role="remark",
    domain=EVERY_GAME,
    constants={"factor": 1},
    mutations=[mutation("factor 1.01", factor="1.01")],
    strongest="enumeration",
)
def best_advantage(check: Check) -> None:
    """Every deterministic adversary."""
    check.enumerate(optimal_advantage, games(check), rational=True, routes=("every adversary", "total variation"))
