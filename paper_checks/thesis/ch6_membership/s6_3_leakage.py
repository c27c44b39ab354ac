"""Section 6.3, page 139: the optimal adversaries of the fixed-target game, and the leakage of a target."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.inference import FAIR, Law, MechanismDataLaw, TargetBit, fixed_laws, played
from banditproof.verify.kernel import games
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.terms import Formula, var
from banditproof.verify.privacy.membership import best_region, likelihood_score, power, randomised_power


@quantity
def power_of_the_best_score_at(n: int, game: Any, target: int, alpha: Any) -> Fraction:
    """Pow(s, alpha, z*) of the score that is 1 on the best region of size at most alpha and 0 elsewhere."""
    out, inside = fixed_laws(played(n, game), target)
    _, region = best_region(out, inside, alpha)
    return Fraction(power(out, inside, {o: int(o in region) for o in out}, alpha))


@quantity
def power_of_the_ratio_at(n: int, game: Any, target: int, alpha: Any) -> Fraction:
    """Pow(l_n, alpha, z*), by thresholds on the likelihood ratio."""
    out, inside = fixed_laws(played(n, game), target)
    return Fraction(power(out, inside, likelihood_score(out, inside), alpha))


@quantity
def largest_power_of_a_region_at(n: int, game: Any, target: int, alpha: Any) -> Fraction:
    """The largest power at a target of all rejection regions of size at most alpha."""
    return Fraction(best_region(*fixed_laws(played(n, game), target), alpha)[0])


@quantity
def power_of_the_randomised_ratio_at(n: int, game: Any, target: int, alpha: Any) -> Fraction:
    """The power at a target of the likelihood-ratio test of size alpha that guesses at random on its threshold."""
    return Fraction(randomised_power(*fixed_laws(played(n, game), target), alpha))


@word
def fixed_game(M: Any, Z: Any, n: Any) -> tuple[games.Crafter, tuple[Formula, ...]]:
    """The game with a fixed target, and what is known of its choices and densities."""
    game = games.Crafter(M, Z, n, target=var("z"))
    return game, (*games.choices(), *games.densities_of_outputs(game))


@claim(
    "MIA-T6.1/power",
    fails_at(n=3, game=FAIR, target=1, alpha=Fraction(3, 8), rational=True),
    called={
        "the number of ones among $n=3$ fair bits and the target 1": "n, game, target",
        "the power of a score that is largest at two ones": "left",
        r"the power of $\ell_n$": "right",
    },
)
def likelihood_ratio_is_best(n: Count, game: MechanismDataLaw, target: TargetBit, alpha: Probability):
    r"""(a) $\mathrm{Pow}_n(s,\alpha,z^*)\le\mathrm{Pow}_n(\ell_n,\alpha,z^*)$ for every score $s$, with
    $\mathrm{Pow}_n$ as defined by thresholds $\mathbb 1(s>\tau)$.

    A threshold test rejects for all views with the same score or for none, so at levels that no threshold on the ratio
    attains, another score has more power. The likelihood ratio test is best if it may guess at random on the threshold.

    The number of ones among three fair bits is published, and the target is a one: three ones have ratio 2 and size
    1/8, two ones have ratio 4/3 and size 3/8. At alpha = 3/8 a threshold on the ratio only rejects for three ones, with
    power 1/4; a score that is largest at two ones has power 1/2.
    """
    case = n, game, target, alpha
    return power_of_the_best_score_at(*case), "<=", power_of_the_ratio_at(*case)


LEVELS = [Fraction(k, 8) for k in range(9)]


@claim(
    "MIA-T6.1/randomised",
    enumerated(
        lambda check: {"n": [1, 2], "game": [*range(check.pick(4, 20)), FAIR], "target": [0, 1], "alpha": LEVELS},
        rational=True,
    ),
    repairs="MIA-T6.1/power",
)
def randomised_ratio_is_best(n: Count, game: MechanismDataLaw, target: TargetBit, alpha: Probability):
    r"""No adversary of size at most $\alpha$ has more than the power of the likelihood-ratio test that guesses at
    random on its threshold.

    The check covers every rejection region (randomised tests are mixtures of regions).
    """
    case = n, game, target, alpha
    return largest_power_of_a_region_at(*case), "<=", power_of_the_randomised_ratio_at(*case)


def regions(law: Law) -> Iterator[tuple[Any, ...]]:
    return chain.from_iterable(combinations(law, k) for k in range(len(law) + 1))
