"""Section 6.3, page 139: the optimal adversaries of the fixed-target game, and the leakage of a target."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

from banditproof.claims.register import claim
from banditproof.claims.sets import Count, EveryFunction, EveryLaw, EveryMechanism, Probability, Real
from banditproof.claims.steps import enumerated, fails_at, in_kernel
from banditproof.paper_checks.thesis.facts.inference import FAIR, Law, MechanismDataLaw, TargetBit, fixed_laws, played
from banditproof.theory.numbers.term import quantity
from banditproof.verify.kernel import games
from banditproof.verify.kernel.meanings import after, exp, when
from banditproof.verify.kernel.policies import every
from banditproof.verify.kernel.rules import le
from banditproof.verify.kernel.terms import Formula, Term, var
from banditproof.verify.privacy.membership import best_region, likelihood_score, power, randomised_power
from banditproof.verify.theorems import games as game_proofs


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


def fixed_game(M: Any, Z: Any, n: Any) -> tuple[games.Crafter, tuple[Formula, ...]]:
    """The game with a fixed target, and what is known of its choices and densities."""
    game = games.Crafter(M, Z, n, target=var("z"))
    return game, (*games.choices(), *games.densities_of_outputs(game))


@claim("MIA-D6.3/thresholds", in_kernel(game_proofs.threshold_is_best))
def attacker_with_a_threshold(M: EveryMechanism, Z: EveryLaw, attack: EveryFunction, n: Count, tau: Real):
    r"""$\mathcal A_{\ell,\tau,z^\star}=\mathbb 1(\ell_n>\tau)$ with $\ell_n=\log\frac{p_n^{\rm
    in}(o|z^\star)}{p_n^{\rm out}(o|z^\star)}$ has the least $e^\tau\alpha_n+\beta_n$ of all adversaries, for every
    $\tau$."""
    (game, known), guess, ratio = fixed_game(M, Z, n), games.of_output(attack), games.by_the_ratio(exp(tau))

    def cost(A: games.Adversary) -> Term:
        return exp(tau) * games.chance_given(game, A, 0, 1) + games.chance_given(game, A, 1, 0)

    return when(*known[2:], games.guesses_a_bit(guess), then=every(("z",), (), le(cost(ratio), cost(guess))))


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


@claim("MIA-T6.1/advantage", in_kernel(game_proofs.bayes_is_best))
def bayes_is_best(M: EveryMechanism, Z: EveryLaw, attack: EveryFunction, n: Count):
    r"""(b) $\mathrm{Adv}_n(\mathcal A_{{\rm Bayes},z^\star})\ge\mathrm{Adv}_n(\mathcal A_{z^\star})$ for every
    adversary and every target."""
    (game, known), guess = fixed_game(M, Z, n), games.of_output(attack)
    best = le(games.advantage(game, guess), games.advantage(game, games.bayes))
    return when(*known, games.guesses_a_bit(guess), then=every(("z",), (), best))


@claim("MIA-T6.1/total-variation", in_kernel(game_proofs.bayes_has_the_total_variation))
def bayes_has_the_total_variation(M: EveryMechanism, Z: EveryLaw, n: Count):
    r"""(c) $\mathrm{Adv}_n(\mathcal A_{{\rm Bayes},z^\star})\ge\mathrm{TV}(p_n^{\rm out}(\cdot|z^\star)\|p_n^{\rm
    in}(\cdot|z^\star))$ for every target: it is at least $p_n^{\rm in}(A|z^\star)-p_n^{\rm out}(A|z^\star)$ for every
    event $A$."""
    game, known = fixed_game(M, Z, n)
    most = games.advantage(game, games.bayes)
    return when(*known, then=every(("z",), (), games.total_variation_at_most(game, most)))


@claim("MIA-T6.1/total-variation-at-most", in_kernel(game_proofs.total_variation_is_attained))
def total_variation_is_attained(M: EveryMechanism, Z: EveryLaw, n: Count, most: Real):
    r"""(c) $\mathrm{Adv}_n(\mathcal A_{{\rm Bayes},z^\star})\le\mathrm{TV}(p_n^{\rm out}(\cdot|z^\star)\|p_n^{\rm
    in}(\cdot|z^\star))$ for every target: it is at most every number that $p_n^{\rm in}(A|z^\star)-p_n^{\rm
    out}(A|z^\star)$ exceeds for no event $A$."""
    game, known = fixed_game(M, Z, n)
    bounded = games.total_variation_at_most(game, most)
    of_bayes = when(bounded, then=(games.advantage(game, games.bayes), "<=", most))
    return when(*known, then=every(("z",), (), of_bayes))


@claim("MIA-D6.2/of-what-is-computed", in_kernel(game_proofs.what_is_computed), role="remark")
def what_is_computed_from_an_output(M: EveryMechanism, f: EveryFunction, Z: EveryLaw, n: Count, most: Real):
    r"""A value that is computed from the output, even with randomness, leaks at most $\xi_n(z^\star,\mathcal M,\mathcal
    D)$, the largest advantage of an adversary."""
    whole, seen = (games.Crafter(N, Z, n, target=var("z")) for N in (M, after(f, M)))
    return when(games.every_advantage(whole, most), then=games.every_advantage(seen, most))
