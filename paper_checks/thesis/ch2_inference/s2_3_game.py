"""Sections 2.3.1 to 2.3.3, page 39: the membership inference game, its errors, and its optimal adversaries.

Games are played exactly on random finite mechanisms with rational probabilities, re-created from an integer, and on the
empirical mean of binary records.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.pseudocode import Line, read_before_set
from banditproof.paper_checks.thesis.facts.inference import FAIR, Draw, MechanismDataLaw, executions, on_games, played
from banditproof.verify import MembershipGame, total_variation
from banditproof.verify.privacy.membership import best_region, likelihood_score, power, randomised_power


@claim(
    "TH-A4/target-before-it-is-set",
    fails_at(line="data set from target", rational=True),
    slip="One arrow: the words of line 9 and the text of Section 6.2.1 draw the target from the data set.",
    called={"line 9 as its formula has it": "line,", "the number of names that are read and not set": "left"},
    role="reading",
)
def target_is_set(line: Annotated[Any, "all: what line 9 reads"]):
    r"""'$D_i\leftarrow z^\star$' (line 9), with the arrow of Algorithm 5: where $b=1$, every name that a line of
    Algorithm 4 reads is an input, or set by an earlier line.

    Nothing has set $z^\star$ there: line 1 does not list it, although the text says that the crafter takes 'a target
    datum $z^\star$' as input.
    """
    ninth = {"data set from target": Line(9, "D i z*", "D"), "target from data set": Line(9, "D i", "z*")}[line]
    before = Line(3, "law n", "D"), Line(4, "", "b"), Line(5, "b"), Line(8, "n", "i")
    behind = Line(11, "mechanism D", "o"), Line(12, "z* o b")
    return len(set(read_before_set("mechanism law n", [*before, ninth, *behind]))), "==", 0


@repaired(
    "TH-A4/target-from-the-data-set",
    "TH-A4/target-before-it-is-set",
    enumerated([{}], rational=True),
    false={"line": "data set from target"},
)
def target_is_set_from_the_data(line="target from data set"):
    r"""With $z^\star\leftarrow D_i$ in line 9 nothing is missing."""


@quantity
def chance_of_a_wrong_membership(n: int, game: Any) -> Fraction:
    """Pr[b != 1(z* in D)] over all runs of Algorithm 4."""
    law = executions(lambda draw: membership_at_random(draw, played(n, game)))
    return law.get((0, True), Fraction(0)) + law.get((1, False), Fraction(0))


@quantity
def values_of_a_record(game: Any) -> int:
    """How many values a record of a game has: 0, 1, ..."""
    return len(played(1, game).data)


@quantity
def chance_of_a_record(game: Any, value: int) -> Fraction:
    """D(z) of the record with this value."""
    return Fraction(played(1, game).data[value])


@quantity
def chance_of_an_output(n: int, game: Any, output: Any, bit: int) -> Fraction:
    """The probability of an output, without the target, under H_0 or H_1."""
    return Fraction(marginal(played(n, game).laws()[bit], 1).get(output, 0))


@quantity
def variation_of_views(n: int, game: Any) -> Fraction:
    """TV(p_in, p_out) of target and output."""
    out, inside = played(n, game).laws()
    return Fraction(total_variation(inside, out))


def score_with_ties(law: Mapping[Any, Fraction]) -> dict[Any, int]:
    """Scores 0 to 3 of the views, in turn."""
    return {view: place % 4 for place, view in enumerate(law)}


@quantity
def power_of_a_score_with_ties(n: int, game: Any, alpha: Any) -> Fraction:
    """Pow(s, alpha) of a score with ties, by thresholds at its values."""
    out, inside = played(n, game).laws()
    return Fraction(power(out, inside, score_with_ties(out), alpha))


@quantity
def power_by_thresholds_in_between(n: int, game: Any, alpha: Any) -> Fraction:
    """The largest power of that score over thresholds at multiples of 1/3 that have size at most alpha."""
    out, inside = played(n, game).laws()
    score = score_with_ties(out)
    regions = [[v for v in out if score[v] > Fraction(k, 3)] for k in range(-6, 15)]
    small = (r for r in regions if sum(out[v] for v in r) <= alpha)
    return max((sum((inside[v] for v in r), Fraction(0)) for r in small), default=Fraction(0))


@quantity
def largest_advantage_of_a_guess(n: int, game: Any) -> Fraction:
    """The largest advantage of all deterministic adversaries, each of which names a bit for every view."""
    out, inside = played(n, game).laws()
    gains = [inside[v] - out[v] for v in out]
    guesses = product((0, 1), repeat=len(gains))
    return max(sum((g for g, one in zip(gains, guess, strict=True) if one), Fraction(0)) for guess in guesses)


@quantity
def largest_power_of_a_region(n: int, game: Any, alpha: Any) -> Fraction:
    """The largest power of all rejection regions of size at most alpha."""
    return Fraction(best_region(*played(n, game).laws(), alpha)[0])


@quantity
def power_of_the_ratio(n: int, game: Any, alpha: Any) -> Fraction:
    """Pow(l_n, alpha), by thresholds on the likelihood ratio."""
    out, inside = played(n, game).laws()
    return Fraction(power(out, inside, likelihood_score(out, inside), alpha))


@quantity
def power_of_the_best_score(n: int, game: Any, alpha: Any) -> Fraction:
    """Pow(s, alpha) of the score that is 1 on the best region of size at most alpha and 0 elsewhere."""
    out, inside = played(n, game).laws()
    _, region = best_region(out, inside, alpha)
    return Fraction(power(out, inside, {v: int(v in region) for v in out}, alpha))


@quantity
def power_of_the_randomised_ratio(n: int, game: Any, alpha: Any) -> Fraction:
    """The power of the likelihood-ratio test of size alpha that guesses at random on its threshold."""
    return Fraction(randomised_power(*played(n, game).laws(), alpha))


@quantity
def size_of_a_threshold(n: int, game: Any, step: int) -> Fraction:
    """The size of a threshold of the likelihood ratio at one of its values, counted from the largest and around."""
    out, inside = played(n, game).laws()
    score = likelihood_score(out, inside)
    values = sorted(set(score.values()), reverse=True)
    return sum((out[v] for v in score if score[v] >= values[step % len(values)]), Fraction(0))


def marginal(law: Mapping[Any, Fraction], place: int) -> dict[Any, Fraction]:
    """The law of the target (0) or of the output (1) of a view."""
    found: dict[Any, Fraction] = {}
    for view, p in law.items():
        found[view[place]] = found.get(view[place], Fraction(0)) + p
    return found


def membership_at_random(draw: Draw, game: MembershipGame) -> tuple[int, bool]:
    """Algorithm 4 without its output: b, and whether the target is among the records."""
    dataset = [draw(game.data) for _ in range(game.mechanism.records)]
    b = draw({0: Fraction(1, 2), 1: Fraction(1, 2)})
    target = dataset[draw({i: Fraction(1, len(dataset)) for i in range(len(dataset))})] if b else draw(game.data)
    return b, target in dataset


@claim("MIA-S2.3.1/secret", fails_at(n=1, game=FAIR, rational=True), role="reading")
def secret_is_membership(n: Count, game: MechanismDataLaw):
    r"""'$b=\mathbb 1(z^\star\in D)$' read of the records' values, for every data law: $\Pr[b\ne\mathbb
    1(z^\star\in D)]=0$.

    The other meaning is that of Algorithm 4: b says whether the target was put into the dataset. An independent target
    may be equal to a record; for one fair bit this happens half of the time.
    """
    return chance_of_a_wrong_membership(n, game), "==", 0


@claim(
    "MIA-S2.3.1/coincidences", on_games(routes=("all runs of the pseudo code", "formula")), repairs="MIA-S2.3.1/secret"
)
def coincidences(n: Count, game: MechanismDataLaw):
    r"""$\Pr[b\ne\mathbb 1(z^\star\in D)]=\frac12\sum_z\mathcal D(z)(1-(1-\mathcal D(z))^n)$, which is 0 exactly for
    laws without atoms: then $b=\mathbb 1(z^\star\in D)$ almost surely."""

    def chance_of_a_coincidence(value: Any) -> Any:
        chance = chance_of_a_record(game, value)
        return chance * (1 - (1 - chance) ** n)

    half = total(chance_of_a_coincidence, 0, values_of_a_record(game) - 1) / 2
    return chance_of_a_wrong_membership(n, game), "==", half


@claim("MIA-S2.3.1/output-alone", on_games(output=[0, 1, 2], routes=("H_0", "H_1")), role="remark")
def output_alone_says_nothing(n: Count, game: MechanismDataLaw, output: Natural):
    r"""Without the target the output has the same law under $H_0$ and $H_1$: the data set is drawn independently from
    $\mathcal D$ under both, though only $H_0$ is worded so."""
    return chance_of_an_output(n, game, output, 0), "==", chance_of_an_output(n, game, output, 1)


@claim(
    "TH-EQ2.25",
    on_games(
        every=3,
        alpha=[Fraction(k, 16) for k in range(1, 16, 3)],
        routes=("thresholds at values", "thresholds in between"),
    ),
)
def power_at_a_level(n: Count, game: MechanismDataLaw, alpha: Inside):
    r"""$\mathrm{Pow}_n(s,\alpha)=\max\{1-\beta_n(\mathcal A_{s,\tau}) : \alpha_n(\mathcal A_{s,\tau})\le \alpha\}$; the
    maximum over real $\tau$ is attained at a value of the score.

    Thresholds at the values of a score with ties are compared with thresholds in between. The size is right-continuous
    in tau, so for levels in (0, 1) and finite scores the best threshold exists.
    """
    return power_of_a_score_with_ties(n, game, alpha), "==", power_by_thresholds_in_between(n, game, alpha)


@claim(
    "TH-S2.3b/deterministic-thresholds",
    fails_at(n=2, game=FAIR, alpha=Fraction(1, 8), rational=True),
    cause="MIA-T6.1/power",
)
def likelihood_ratio_is_best(n: Count, game: MechanismDataLaw, alpha: Inside):
    r"""$\mathrm{Pow}_n(s,\alpha)\le\mathrm{Pow}_n(\ell_n,\alpha)$ for every score $s$, with $\mathrm{Pow}_n$ as defined
    by thresholds $1(s>\tau)$.

    The power of the best region of size at most alpha, which is itself a score, is compared with that of the ratio.

    The reason is ties: the two views with the largest ratio, 2, have size 1/8 each, and a threshold contains both or
    none. At alpha = 1/8 the likelihood ratio has power 0, but a score that selects one of the two views has power 1/4.
    """
    return power_of_the_best_score(n, game, alpha), "<=", power_of_the_ratio(n, game, alpha)


def games_and_levels(check: Check) -> list[dict[str, Any]]:
    games = [*product((1, 2), range(check.pick(4, 20))), (2, FAIR)]
    points = [{"n": n, "game": game, "alpha": Fraction(k, 16)} for n, game in games for k in range(2, 16, 3)]
    return [*points, {"n": 2, "game": FAIR, "alpha": Fraction(1, 4)}]


@claim("TH-S2.3b/randomised", enumerated(games_and_levels, rational=True), repairs="TH-S2.3b/deterministic-thresholds")
def randomised_likelihood_ratio_is_best(n: Count, game: MechanismDataLaw, alpha: Inside):
    r"""For every $\alpha\in(0,1)$ no adversary of size at most $\alpha$ has more than the power of the likelihood-ratio
    test that guesses at random on its threshold.

    The check covers every rejection region of every game in rational arithmetic (randomised tests are mixtures of
    regions).
    """
    return largest_power_of_a_region(n, game, alpha), "<=", power_of_the_randomised_ratio(n, game, alpha)


@claim(
    "TH-S2.3b/attained-levels",
    enumerated(lambda check: {"n": [1, 2], "game": range(check.pick(4, 20)), "step": [0, 1, 2]}, rational=True),
    role="remark",
)
def likelihood_ratio_is_best_at_its_levels(n: Count, game: MechanismDataLaw, step: Natural):
    r"""At every $\alpha$ that is the size of a likelihood-ratio threshold, no rejection region of that size has more
    than its power."""
    level = size_of_a_threshold(n, game, step)
    return largest_power_of_a_region(n, game, level), "<=", power_of_the_ratio(n, game, level)


@claim("TH-S2.3b/advantage", on_games(routes=("every adversary", "total variation")), role="remark")
def best_advantage(n: Count, game: MechanismDataLaw):
    r"""The largest advantage of any adversary is $\mathrm{TV}(p_n^{\rm in},p_n^{\rm out})$, attained by the likelihood
    ratio with threshold 0.

    The check covers every deterministic adversary.
    """
    return largest_advantage_of_a_guess(n, game), "==", variation_of_views(n, game)
