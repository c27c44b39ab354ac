"""Section 2.3.6, page 44: what differential privacy leaves of an adversary's advantage and power."""

from fractions import Fraction
from itertools import combinations
from typing import Any

from banditproof.claims.register import claim, item
from banditproof.claims.sets import (
    AtLeastOne,
    BelowOne,
    Count,
    EveryFunction,
    EveryLaw,
    EveryMechanism,
    Nonnegative,
    Probability,
    Sides,
)
from banditproof.claims.steps import enumerated, in_kernel
from banditproof.paper_checks.thesis.facts.inference import MechanismDataLaw, played
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.theory.numbers.numeric import most
from banditproof.theory.numbers.numeric import ratio as quotient
from banditproof.theory.numbers.term import quantity
from banditproof.verify import Domain, FiniteChannel, MembershipGame, channel_ratio, total_variation
from banditproof.verify.kernel import games
from banditproof.verify.kernel.meanings import (
    every_rule,
    exp,
    misses_are_not_negative,
    private,
    symmetric_neighbours,
    when,
)
from banditproof.verify.kernel.rules import le
from banditproof.verify.kernel.terms import Formula
from banditproof.verify.theorems import games as game_proofs
from banditproof.verify.theorems import mechanisms as kernel_proofs

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


def known_of_games(n: Any, attack: Any) -> tuple[Formula, ...]:
    """What a data set is, that another record makes a neighbour, and that the adversary guesses a bit."""
    maps = *games.choices(), *games.places(n)
    return *maps, games.replacing_is_near(n), games.guesses_a_bit(attack)


@claim("TH-S2.3d/errors", in_kernel(game_proofs.private_errors))
def first_error_under_privacy(
    M: EveryMechanism, Z: EveryLaw, attack: EveryFunction, n: Count, epsilon: Nonnegative, delta: BelowOne
):
    r"""(2.28): $\alpha+e^\varepsilon\beta\ge1-\delta$ for every adversary against an $(\varepsilon,\delta)$-DP
    mechanism."""
    game, private_to = games.Crafter(M, Z, n), private(M, epsilon, delta)
    said = games.with_errors(game, attack, lambda alpha, beta: (alpha + exp(epsilon) * beta, ">=", 1 - delta))
    return when(*known_of_games(n, attack), symmetric_neighbours(), private_to, then=said)


@claim("TH-S2.3d/errors-outside", in_kernel(game_proofs.private_errors))
def second_error_under_privacy(
    M: EveryMechanism, Z: EveryLaw, attack: EveryFunction, n: Count, epsilon: Nonnegative, delta: BelowOne
):
    r"""(2.29): $e^\varepsilon\alpha+\beta\ge1-\delta$ for every adversary against an $(\varepsilon,\delta)$-DP
    mechanism."""
    game, private_to = games.Crafter(M, Z, n), private(M, epsilon, delta)
    said = games.with_errors(game, attack, lambda alpha, beta: (exp(epsilon) * alpha + beta, ">=", 1 - delta))
    return when(*known_of_games(n, attack), private_to, then=said)


@claim("TH-S2.3d/pure-games", in_kernel(game_proofs.advantage_by_ratio))
def advantage_in_every_pure_game(M: EveryMechanism, Z: EveryLaw, attack: EveryFunction, n: Count, epsilon: Nonnegative):
    r"""(i) $\mathrm{Adv}\le e^\varepsilon-1$ for every adversary against an $\varepsilon$-DP mechanism, that is
    $\mathrm{Adv}+1\le e^\varepsilon$."""
    advantage = games.advantage(games.Crafter(M, Z, n), attack)
    return when(*known_of_games(n, attack), private(M, epsilon), then=(advantage + 1, "<=", exp(epsilon)))


@claim("TH-S2.3d/mixed-games", in_kernel(game_proofs.advantage_by_one))
def advantage_by_one_inequality_in_every_game(
    M: EveryMechanism, Z: EveryLaw, attack: EveryFunction, n: Count, epsilon: Nonnegative, delta: BelowOne
):
    r"""(ii) $\mathrm{Adv}\le1-e^{-\varepsilon}(1-\delta)$ for every adversary against an $(\varepsilon,\delta)$-DP
    mechanism."""
    advantage = games.advantage(games.Crafter(M, Z, n), attack)
    known = *known_of_games(n, attack), symmetric_neighbours(), private(M, epsilon, delta)
    return when(*known, then=(advantage, "<=", 1 - exp(-epsilon) * (1 - delta)))


@claim("TH-S2.3d/games", in_kernel(game_proofs.advantage_by_both))
def advantage_in_every_game(
    M: EveryMechanism, Z: EveryLaw, attack: EveryFunction, n: Count, epsilon: Nonnegative, delta: BelowOne
):
    r"""(iii) $\mathrm{Adv}\le\frac{e^\varepsilon-1+2\delta}{e^\varepsilon+1}$ for every adversary against an
    $(\varepsilon,\delta)$-DP mechanism."""
    advantage, ratio = games.advantage(games.Crafter(M, Z, n), attack), exp(epsilon)
    known = *known_of_games(n, attack), symmetric_neighbours(), private(M, epsilon, delta)
    return when(*known, then=(advantage, "<=", (ratio - 1 + 2 * delta) / (ratio + 1)))


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


@quantity
def advantage_of_subsets(size: int, rest: int, ratio: Any) -> Fraction:
    """The largest one where a set of `size` points of at most 10 is published, `ratio` times likelier if it holds the
    record."""
    setting = subset_game(check_count("points", size + rest, 2, 10), check_count("size", size, 1), Fraction(ratio))
    return total_variation(*setting.laws())


@claim(
    "MIA-X1/attained",
    enumerated(
        [{"root": Fraction(p, q), "size": q, "rest": p} for p, q in [(2, 1), (3, 1), (5, 1), (3, 2), (4, 3)]],
        rational=True,
        routes=("subset mechanism, all views", "half the angle"),
    ),
    where=["rest == root * size"],
)
def subsets_attain_it(root: AtLeastOne, size: Count, rest: Count):
    r"""Publishing one of the sets of $k$ of $k+r$ points, $e^\varepsilon$ times likelier if it holds the record, has
    $\mathrm{Adv}=\tanh(\varepsilon/4)$ where $e^{\varepsilon/2}=r/k$."""
    return advantage_of_subsets(size, rest, root**2), "==", (root - 1) / (root + 1)


@claim("TH-EQ2.30/games-steep", in_kernel(game_proofs.power_at_a_level))
def steep_bound_of_the_power(
    M: EveryMechanism,
    Z: EveryLaw,
    attack: EveryFunction,
    n: Count,
    epsilon: Nonnegative,
    delta: BelowOne,
    level: Probability,
):
    r"""An adversary with $\alpha_n\le\alpha$ against an $(\varepsilon,\delta)$-DP mechanism has power $1-\beta_n$ with
    $\beta_n\ge1-\delta-e^\varepsilon\alpha$."""
    power = games.with_errors(
        games.Crafter(M, Z, n),
        attack,
        lambda alpha, beta: when(le(alpha, level), then=(beta, ">=", 1 - delta - exp(epsilon) * level)),
    )
    return when(*known_of_games(n, attack), private(M, epsilon, delta), then=power)


@claim("TH-EQ2.30/games-flat", in_kernel(game_proofs.power_at_a_level))
def flat_bound_of_the_power(
    M: EveryMechanism,
    Z: EveryLaw,
    attack: EveryFunction,
    n: Count,
    epsilon: Nonnegative,
    delta: BelowOne,
    level: Probability,
):
    r"""An adversary with $\alpha_n\le\alpha$ against an $(\varepsilon,\delta)$-DP mechanism has power $1-\beta_n$ with
    $\beta_n\ge e^{-\varepsilon}(1-\delta-\alpha)$."""
    power = games.with_errors(
        games.Crafter(M, Z, n),
        attack,
        lambda alpha, beta: when(le(alpha, level), then=(beta, ">=", exp(-epsilon) * (1 - delta - level))),
    )
    return when(*known_of_games(n, attack), symmetric_neighbours(), private(M, epsilon, delta), then=power)


def trade_off_bound(ratio: Any, delta: Any, alpha: Any) -> Any:
    """f_{epsilon, delta}(alpha)."""
    return most([0, 1 - delta - ratio * alpha, quotient(1 - delta - alpha, ratio)])


@claim("TH-R2.33/flat", in_kernel(kernel_proofs.below_the_flat_line))
def flat_line_of_the_trade_off(M: EveryMechanism, epsilon: Nonnegative, delta: Probability):
    r"""$(\varepsilon,\delta)$-DP gives $T(\mathcal M_d,\mathcal M_{d'})(\alpha)\ge
    e^{-\varepsilon}(1-\delta-\alpha)$."""
    flat = every_rule(M, lambda level, missed: (exp(-epsilon) * (1 - delta - level), "<=", missed))
    return when(private(M, epsilon, delta), then=flat)


@claim("TH-R2.33/steep", in_kernel(kernel_proofs.below_the_steep_line))
def steep_line_of_the_trade_off(M: EveryMechanism, epsilon: Nonnegative, delta: Probability):
    r"""$(\varepsilon,\delta)$-DP gives $T(\mathcal M_d,\mathcal M_{d'})(\alpha)\ge1-\delta-e^\varepsilon\alpha$."""
    steep = every_rule(M, lambda level, missed: (1 - delta - exp(epsilon) * level, "<=", missed))
    return when(symmetric_neighbours(), private(M, epsilon, delta), then=steep)


@claim("TH-R2.33/nonnegative", in_kernel(kernel_proofs.misses_of_a_rule))
def trade_off_is_not_negative(M: EveryMechanism):
    r"""$T(\mathcal M_d,\mathcal M_{d'})\ge0$, the third number of the maximum in $f_{\varepsilon,\delta}$."""
    return misses_are_not_negative(M)


@claim("TH-R2.33/converse", in_kernel(kernel_proofs.private_by_trade_off))
def private_mechanisms_by_trade_off(M: EveryMechanism, epsilon: Nonnegative, delta: Probability):
    r"""$T(\mathcal M_d,\mathcal M_{d'})\ge f_{\varepsilon,\delta}$ for all neighbours gives
    $(\varepsilon,\delta)$-DP, by its flat line alone."""
    flat = every_rule(M, lambda level, missed: (exp(-epsilon) * (1 - delta - level), "<=", missed))
    return when(flat, then=private(M, epsilon, delta))
