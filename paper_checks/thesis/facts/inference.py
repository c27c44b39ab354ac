"""What several chapters use on randomised programs and membership games: exact laws, random games, games of means."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import prod
from typing import Annotated, Any

from banditproof.claims.steps import enumerated
from banditproof.verify import FiniteChannel, MembershipGame, random_channel, random_law
from banditproof.verify.privacy.membership import empirical_mean

Draw = Callable[[Mapping[Any, Any]], Any]
MechanismDataLaw = Annotated[Any, "all: every mechanism and data law"]
MEANS = (Fraction(1, 5), Fraction(1, 2), Fraction(2, 3))
FAIR = "the number of ones among fair bits is published"


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


def column_means(n: int, mu: Fraction, nu: Fraction, d: int) -> MembershipGame:
    """n records of d independent bits with means mu, nu; their column sums are published."""
    records: Any = tuple(product((0, 1), repeat=d))
    of_bits = {1: mu, 0: 1 - mu}, {1: nu, 0: 1 - nu}
    data = {z: prod((law[bit] for law, bit in zip(of_bits, z, strict=False)), start=Fraction(1)) for z in records}
    laws: Any = {
        rows: {tuple(sum(row[j] for row in rows) for j in range(d)): Fraction(1)} for rows in product(records, repeat=n)
    }
    return MembershipGame(FiniteChannel(n, records, laws), data)


def played(n: int, game: Any) -> MembershipGame:
    """Random game number ``game`` with n binary records, every third one with impossible outputs; or that of a mean."""
    if game == FAIR:
        return MembershipGame(empirical_mean(n), {0: Fraction(1, 2), 1: Fraction(1, 2)})
    law = random_law(game, "data", 2)
    mechanism = random_channel(game, n, outputs=2 + game % 2, smallest_weight=0 if game % 3 == 2 else 1)
    return MembershipGame(mechanism, dict(enumerate(law)))


def on_games(every: int = 1, routes: tuple[str, str] | None = None, **grid: Iterable[Any]) -> enumerated:
    """Random games by number (every so many) with all combinations of the other variables' values."""
    return enumerated(
        lambda check: {"n": [1, 2, 3], "game": range(0, check.pick(6, 40), every), **grid}, rational=True, routes=routes
    )


Law = dict[Any, Fraction]
TargetBit = Annotated[Any, "integer [0, 1]"]


def fixed_laws(game: MembershipGame, target: Any) -> tuple[Law, Law]:
    """The laws of the output when `target` is out and when it replaces a record at a random place (Algorithm 11)."""
    out: Law = defaultdict(Fraction)
    inside: Law = defaultdict(Fraction)
    places = game.mechanism.records
    for dataset in game.mechanism.datasets():
        weight = prod((game.data[z] for z in dataset), start=Fraction(1))
        for output, p in game.mechanism.laws[dataset].items():
            out[output] += weight * p
            inside[output] += 0
        for i in range(places):
            replaced = (*dataset[:i], target, *dataset[i + 1 :])
            for output, p in game.mechanism.laws[replaced].items():
                inside[output] += weight * p / places
                out[output] += 0
    return dict(out), dict(inside)
