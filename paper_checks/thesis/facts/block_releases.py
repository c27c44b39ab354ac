"""Algorithm 7 with a finite mechanism in place of noise, so that laws against any adversary are exact rationals.

Two arms; a block of n bits is released as one of two symbols through random law number (n, sum), drawn once; the next
arm is drawn by a random law that reads the stored symbols and the counts. The adversary sees every recommendation,
and may ask for another arm at each step, by a random rule. Everything is re-created from integers.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache

from banditproof.verify.finite.kernels import Actions, Row, random_law

ActionLaw = dict[Actions, Fraction]
Table = tuple[tuple[int, int], ...]


def release_law(mechanism: int, n: int, total: int) -> Row:
    """The law of the symbol for a block of n bits with this sum."""
    return random_law(mechanism, ("release", n, total), 2, 1, 5)


def asked(adversary: int, recommended: Actions) -> int:
    """The arm that adversary number `adversary` asks for; number 0 asks for the recommended one."""
    if adversary == 0:
        return recommended[-1]
    return int(random_law(adversary, recommended, 2)[0] > Fraction(1, 2))


def random_table(seed: int, T: int) -> Table:
    bits = [int(random_law(seed, ("bit", t, arm), 2)[0] > Fraction(1, 2)) for t in range(T) for arm in (0, 1)]
    return tuple((bits[2 * t], bits[2 * t + 1]) for t in range(T))


def changed(table: Table, time: int) -> Table:
    """Both rewards of one user replaced."""
    return (*table[:time], (1 - table[time][0], 1 - table[time][1]), *table[time + 1 :])


@cache
def action_law(mechanism: int, adversary: int, table: Table) -> ActionLaw:
    """The law of the T recommendations."""
    T, law = len(table), defaultdict(Fraction)

    def episode(
        weight: Fraction, past: Actions, symbols: tuple[int, int], counts: tuple[int, int], arm: int, n: int
    ) -> None:
        total = 0
        for _ in range(min(n, T - len(past))):
            past = (*past, arm)
            total += table[len(past) - 1][asked(adversary, past)]
        if len(past) == T:  # what is released now reaches no decision
            law[past] += weight
            return
        counts = (counts[0] + n, counts[1]) if arm == 0 else (counts[0], counts[1] + n)
        for symbol, chance in enumerate(release_law(mechanism, n, total)):
            stored = (symbol, symbols[1]) if arm == 0 else (symbols[0], symbol)
            if not counts[1]:
                episode(weight * chance, past, stored, counts, 1, 1)
                continue
            for choice, share in enumerate(random_law(mechanism, ("choose", stored, counts), 2)):
                episode(weight * chance * share, past, stored, counts, choice, counts[choice])

    episode(Fraction(1), (), (0, 0), (0, 0), 0, 1)
    return dict(law)


def block_laws(mechanism: int, longest: int) -> list[tuple[dict[int, Fraction], dict[int, Fraction]]]:
    """All pairs of release laws for neighbouring blocks of up to `longest` bits, both ways round."""
    found = []
    for n in range(1, longest + 1):
        for total in range(n):
            left, right = (dict(enumerate(release_law(mechanism, n, s))) for s in (total, total + 1))
            found += [(left, right), (right, left)]
    return found


def moment(left: ActionLaw | dict[int, Fraction], right: ActionLaw | dict[int, Fraction], order: int) -> Fraction:
    """e^((order - 1) D_order)."""
    return sum((p * (p / right[o]) ** (order - 1) for o, p in left.items() if p), Fraction(0))  # type: ignore[index]


def largest_block_moment(mechanism: int, longest: int, order: int) -> Fraction:
    return max(moment(left, right, order) for left, right in block_laws(mechanism, longest))
