"""Section 2.3.6, page 44: what differential privacy leaves of an adversary's advantage and power."""

from fractions import Fraction
from itertools import combinations
from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.inference import MechanismDataLaw, played
from banditproof.verify import FiniteChannel, MembershipGame, channel_ratio, total_variation
from banditproof.verify.kernel import games
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.terms import Formula

EVERY_GAME = Domain.of(n="integer [1, inf)", game="all: every mechanism and data law")


SUBSETS = "three of seven points are published, likelier if the record is one of them"
LEAK = "one of ten equally likely records is revealed with probability 1/3"


def revealing(points: int, delta: Fraction) -> MembershipGame:
    """One of so many equally likely records is revealed with probability delta."""
    laws: Any = {(z,): {z: delta, "hidden": 1 - delta} for z in range(points)}
    data = dict.fromkeys(range(points), Fraction(1, points))
    return MembershipGame(FiniteChannel(1, tuple(data), laws), data)


def subset_game(points: int, size: int, ratio: Fraction) -> MembershipGame:
    """One record, uniform on `points`; a set of `size` points is published, `ratio` times likelier if it holds it."""
    sets = list(combinations(range(points), size))
    laws: Any = {}
    for z in range(points):
        weights = {chosen: ratio if z in chosen else Fraction(1) for chosen in sets}
        laws[(z,)] = {chosen: w / sum(weights.values()) for chosen, w in weights.items()}
    data = dict.fromkeys(range(points), Fraction(1, points))
    return MembershipGame(FiniteChannel(1, tuple(data), laws), data)


def setting_of(n: int, game: Any) -> MembershipGame:
    """A game by its number, or one where little of the budget is wasted."""
    if game in (LEAK, SUBSETS):
        return revealing(10, Fraction(1, 3)) if game == LEAK else subset_game(7, 3, Fraction(16, 9))
    return played(n, game)


@word
def known_of_games(n: Any, attack: Any) -> tuple[Formula, ...]:
    """What a data set is, that another record makes a neighbour, and that the adversary guesses a bit."""
    maps = *games.choices(), *games.places(n)
    return *maps, games.replacing_is_near(n), games.guesses_a_bit(attack)


PURE_GAMES = enumerated(
    lambda check: [
        *({"n": n, "game": g} for n in (1, 2, 3) for g in range(check.pick(6, 40)) if g % 3 != 2),
        {"n": 1, "game": SUBSETS},
    ],
    rational=True,
)


item(
    "MIA-X1",
    r"""In the game with a random target every adversary against an $\varepsilon$-DP mechanism has
    $\mathrm{Adv}\le\tanh(\varepsilon/4)$: half the angle of (iii), which is attained for a fixed target only.""",
    domain=EVERY_GAME,
)


def squares(ratio: Any, advantage: Any) -> Sides:
    """Adv <= (sqrt(ratio) - 1)/(sqrt(ratio) + 1) without the root, ratio = e^epsilon."""
    return (1 + advantage) ** 2, "<=", ratio * (1 - advantage) ** 2


@quantity
def odds_of_the_mechanism(n: int, game: Any) -> Any:
    """e^epsilon of the smallest epsilon for which the mechanism of a game is epsilon-DP."""
    return channel_ratio(setting_of(n, game).mechanism).value


@quantity
def best_advantage_in_the_game(n: int, game: Any) -> Fraction:
    """The advantage of the best adversary, the total variation of the laws of the view."""
    return Fraction(total_variation(*setting_of(n, game).laws()))


@claim("MIA-X1/games", PURE_GAMES)
def random_target_in_games(n: Count, game: MechanismDataLaw):
    r"""$(1+\mathrm{Adv})^2\le e^\varepsilon(1-\mathrm{Adv})^2$ for the best adversary at the mechanism's exact
    $\varepsilon$."""
    return squares(odds_of_the_mechanism(n, game), best_advantage_in_the_game(n, game))


def advantage_of_subsets(size: Any, rest: Any, ratio: Any) -> Any:
    """The largest one where a set of `size` points is published, `ratio` times likelier if it holds the record.

    It is the total variation of the sets for a given record and for a record at random. Both laws have one chance for
    the sets that hold the record and one for the others.
    """
    points = size + rest
    holding = comb(points - 1, size - 1)
    others = comb(points, size) - holding
    weights = holding * ratio + others
    at_random = (size * ratio + rest) / (points * weights)
    return (holding * abs(ratio / weights - at_random) + others * abs(1 / weights - at_random)) / 2


@claim("MIA-X1/attained", deduced(), where=["rest == root * size"])
def subsets_attain_it(root: AtLeastOne, size: Count, rest: Count):
    r"""Publishing one of the sets of $k$ of $k+r$ points, $e^\varepsilon$ times likelier if it holds the record, has
    $\mathrm{Adv}=\tanh(\varepsilon/4)$ where $e^{\varepsilon/2}=r/k$."""
    return advantage_of_subsets(size, rest, root**2), "==", (root - 1) / (root + 1)
