"""Section 6.2, page 136: the game with a fixed target, its metrics, and the game with a random one."""

from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from banditproof.claims.register import claim, mutation
from banditproof.claims.sets import Count, EveryFunction, EveryLaw, EveryMechanism, Natural
from banditproof.claims.steps import enumerated, in_kernel
from banditproof.paper_checks.thesis.facts.inference import (
    Draw,
    MechanismDataLaw,
    TargetBit,
    executions,
    fixed_laws,
    on_games,
    played,
)
from banditproof.theory.numbers.term import quantity
from banditproof.verify import MembershipGame, random_law, total_variation
from banditproof.verify.kernel import games
from banditproof.verify.kernel.meanings import function_of, when
from banditproof.verify.kernel.policies import every
from banditproof.verify.kernel.rules import eq, mean
from banditproof.verify.kernel.terms import Formula, var
from banditproof.verify.theorems import games as game_proofs

TARGET = var("z")


def guesses(setting: MembershipGame, seed: int) -> dict[Any, Fraction]:
    """A random adversary: its probability of guessing 1 on each output."""
    outputs = {output for law in setting.mechanism.laws.values() for output in law}
    return {output: random_law(seed, output, 2, 0, 3)[1] for output in outputs}


def fixed_target_crafter(draw: Draw, setting: MembershipGame, target: int, half: Fraction) -> tuple[Any, int]:
    """Algorithm 11, line by line."""
    n = setting.mechanism.records
    dataset = tuple(draw(setting.data) for _ in range(n))
    b = draw({0: 1 - half, 1: half})
    if b:
        i = draw({i: Fraction(1, n) for i in range(n)})
        dataset = (*dataset[:i], target, *dataset[i + 1 :])
    return draw(setting.mechanism.laws[dataset]), b


HALF = Fraction(1, 2)


@claim(
    "MIA-A11",
    in_kernel(game_proofs.law_by_targets),
    covered="Each line of the algorithm is a draw in the formula, for almost every target.",
)
def crafter(M: EveryMechanism, Z: EveryLaw, n: Count):
    r"""The fixed-target crafter returns $(o,b)$ with the law that Algorithm 4 has given $z^\star$: $\mathbb
    E[F(z^\star,o,b)]$ is the mean over $z^\star\sim\mathcal D$ of that with the fixed target, for all $F$."""
    value = partial(function_of, "F")
    average, fixed = games.Crafter(M, Z, n).mean(value), games.Crafter(M, Z, n, target=TARGET).mean(value)
    same = every(("F",), (), eq(average, mean("z", Z, fixed)))
    return when(*games.choices(), *games.places(n), then=same)


@claim(
    "MIA-A11/small-games",
    on_games(target=[0, 1], routes=("all runs of the pseudo code", "Algorithm 4 given its target")),
    false={"half": "0.49"},
    role="implication",
)
def small_crafters(n: Count, game: MechanismDataLaw, target: TargetBit, half=HALF):
    r"""The fixed-target crafter returns $(o,b)$ with $b\sim\mathrm{Bernoulli}(1/2)$ and the law of $o$ that Algorithm 4
    has given $z^\star$ and $b$.

    The laws are compared in total variation, for targets of positive probability.
    """
    setting = played(n, game)
    made = executions(lambda draw: fixed_target_crafter(draw, setting, target, half))
    crafted = {(o, b): w for (z, o, b), w in setting.crafted().items() if z == target}
    weight = sum(crafted.values())
    return sum(abs(made.get(k, Fraction(0)) * weight - crafted.get(k, Fraction(0))) for k in {*made, *crafted}), "==", 0


def errors(setting: MembershipGame, target: int, guess: dict[Any, Fraction]) -> tuple[Fraction, Fraction]:
    """alpha and beta of an adversary in the fixed-target game."""
    out, inside = fixed_laws(setting, target)
    alpha = sum((p * guess[o] for o, p in out.items()), Fraction(0))
    return alpha, sum((p * (1 - guess[o]) for o, p in inside.items()), Fraction(0))


@claim("MIA-D6.2.2", in_kernel(game_proofs.fixed_accuracy_by_errors))
def metrics(M: EveryMechanism, Z: EveryLaw, attack: EveryFunction, n: Count):
    r"""$2\Pr[\mathcal A_{z^\star}(o)=b]-1=1-\alpha_n-\beta_n$ in the fixed-target game, for every target."""
    game, guess = games.Crafter(M, Z, n, target=TARGET), games.of_output(attack)
    said = games.with_errors(game, guess, lambda alpha, beta: (games.advantage(game, guess), "==", 1 - alpha - beta))
    return when(*games.choices(), games.guesses_a_bit(guess), then=every(("z",), (), said))


@claim(
    "MIA-D6.2.2/small-games",
    on_games(target=[0, 1], routes=("pseudo code", "errors")),
    false={"factor": "0.99"},
    role="implication",
)
def metrics_in_small_games(n: Count, game: MechanismDataLaw, target: TargetBit, factor=1):
    r"""$2\Pr[\mathcal A_{z^\star}(o)=b]-1=1-\alpha_n-\beta_n$ in the fixed-target game."""
    setting = played(n, game)
    guess = guesses(setting, n + target)
    made = executions(lambda draw: fixed_target_crafter(draw, setting, target, HALF))
    right = sum((w * (guess[o] if b else 1 - guess[o]) for (o, b), w in made.items()), Fraction(0))
    alpha, beta = errors(setting, target, guess)
    return 2 * right - 1, "==", factor - alpha - beta


def rounds_of_the_game(draw: Draw, setting: MembershipGame, target: int, guess: Any, fresh: int) -> tuple[int, ...]:
    """Algorithm 12 with two rounds; unless `fresh`, both have the crafter's first answer."""
    results, crafted = [], None
    for _ in range(2):
        if crafted is None or fresh:
            crafted = fixed_target_crafter(draw, setting, target, HALF)
        o, b = crafted
        results.append(int(draw({1: guess[o], 0: 1 - guess[o]}) == b))
    return tuple(results)


@claim(
    "MIA-A12",
    in_kernel(game_proofs.rounds_are_coins(game_proofs.FIXED, game_proofs.against)),
    covered="Each line of the algorithm is a draw in the formula, and the result is the list.",
)
def rounds_are_independent(M: EveryMechanism, Z: EveryLaw, attack: EveryFunction, n: Count, T: Natural):
    r"""The $T$ entries of $L$ are independent and 1 with probability $1-(\alpha_n+\beta_n)/2$, for every target."""
    game, guess = games.Crafter(M, Z, n, target=TARGET), games.of_output(attack)
    lists = games.with_errors(
        game,
        guess,
        lambda alpha, beta: games.same_lists(games.successes(game, guess, T), games.coins(T, 1 - (alpha + beta) / 2)),
    )
    return when(*games.choices(), games.guesses_a_bit(guess), then=every(("z",), (), lists))


@claim(
    "MIA-A12/small-games",
    enumerated(
        lambda check: [
            *({"n": 1, "game": s, "target": z} for s in range(check.pick(4, 20)) for z in (0, 1)),
            *({"n": 2, "game": s, "target": 1} for s in range(check.pick(2, 8))),
        ],
        rational=True,
        routes=("all runs of the pseudo code", "coins with its errors"),
    ),
    false=[{"wins": "0.99"}, mutation("one answer for both rounds", fresh=0)],
    role="implication",
)
def rounds_of_small_games(n: Count, game: MechanismDataLaw, target: TargetBit, wins=1, fresh=1):
    r"""The entries of $L$ are independent and 1 with probability $(1-(\alpha_n+\beta_n)/2)$ (a crafter's run in each
    round: 1).

    The check runs two rounds, once for every outcome of their draws, and compares the law of (L_1, L_2) with
    independent coins.
    """
    setting = played(n, game)
    guess = guesses(setting, game)
    joint = executions(lambda draw: rounds_of_the_game(draw, setting, target, guess, fresh))
    success = wins * (1 - sum(errors(setting, target, guess)) / 2)
    chance = {1: success, 0: 1 - success}
    return sum(abs(joint.get((a, b), 0) - chance[a] * chance[b]) for a, b in product((0, 1), repeat=2)), "==", 0


@claim(
    "MIA-S6.2.3a",
    in_kernel(game_proofs.advantage_by_targets),
    covered="""The advantage is this formula and the accuracy is a part; MIA-S2.3.7b is about what an audit loses
    with random targets.""",
)
def average_is_the_mean_of_fixed(M: EveryMechanism, Z: EveryLaw, attack: EveryFunction, n: Count):
    r"""$\mathrm{Adv}_n(\mathcal A)=\mathbb E_{z^\star\sim\mathcal D}[\mathrm{Adv}_n(\mathcal A_{z^\star})]$ for
    $\mathcal A=(\mathcal A_{z^\star})_{z^\star}$."""
    average, fixed = games.Crafter(M, Z, n), games.Crafter(M, Z, n, target=TARGET)
    mean_of_fixed = mean("z", Z, games.advantage(fixed, attack))
    return when(*games.choices(), *games.places(n), then=(games.advantage(average, attack), "==", mean_of_fixed))


@claim("MIA-S6.2.3a/accuracy", in_kernel(game_proofs.advantage_by_targets))
def average_accuracy_is_the_mean_of_fixed(M: EveryMechanism, Z: EveryLaw, attack: EveryFunction, n: Count):
    r"""$\mathrm{Acc}_n(\mathcal A)=\mathbb E_{z^\star\sim\mathcal D}[\mathrm{Acc}_n(\mathcal A_{z^\star})]$ for
    $\mathcal A=(\mathcal A_{z^\star})_{z^\star}$."""
    average, fixed = games.Crafter(M, Z, n), games.Crafter(M, Z, n, target=TARGET)
    mean_of_fixed = mean("z", Z, games.accuracy(fixed, attack))
    return when(*games.choices(), *games.places(n), then=(games.accuracy(average, attack), "==", mean_of_fixed))


@claim(
    "MIA-S6.2.3a/small-games",
    on_games(adversary=[0, 1], routes=("random target", "mean over targets")),
    false={"factor": "0.99"},
    role="implication",
)
def average_in_small_games(n: Count, game: MechanismDataLaw, adversary: Natural, factor=1):
    r"""$\mathrm{Adv}_n(\mathcal A)=\mathbb E_{z^\star\sim\mathcal D}[\mathrm{Adv}_n(\mathcal A_{z^\star})]$ for
    $\mathcal A=(\mathcal A_{z^\star})_{z^\star}$."""
    setting = played(n, game)
    per_target = {z: guesses(setting, 10 * adversary + z) for z in setting.data}
    alpha, beta = setting.errors({(z, o): per_target[z][o] for z, o in setting.laws()[0]})
    fixed = sum(p * (1 - sum(errors(setting, z, per_target[z]))) for z, p in setting.data.items())
    return 1 - alpha - beta, "==", factor * fixed


def joint_density(M: Any, Z: Any, n: Any, bit: int) -> Formula:
    """E[F(z*, o) | b] is the integral of F with the density of o given z* by the law of z* and base(z*)."""
    average, fixed = games.Crafter(M, Z, n), games.Crafter(M, Z, n, target=TARGET)
    F, z, o = partial(function_of, "F"), games.code(TARGET), var("o")
    joint = mean("z", Z, games.by_base(z, games.density(bit, z, o) * F(z, o)))
    known = *(games.places(n) if bit else ()), games.densities_of_outputs(fixed)[1 - bit]
    return when(*known, then=every(("F",), (), eq(average.mean_given(bit, F), joint)))


@claim("MIA-S6.2.3b/inside", in_kernel(game_proofs.ratio_of_both))
def joint_density_inside(M: EveryMechanism, Z: EveryLaw, n: Count):
    r"""$p_n^{\rm in}(z^\star,o)=p_n^{\rm in}(o|z^\star)\,p_n^{\rm in}(z^\star)$ with $p_n^{\rm in}(z^\star)=\mathcal
    D(z^\star)$: the conditional density of the output given the target is also the joint density of both, with respect
    to $z^\star\sim\mathcal D$ and the law to which the conditional densities refer."""
    return joint_density(M, Z, n, 1)


@claim("MIA-S6.2.3b/outside", in_kernel(game_proofs.ratio_of_both))
def joint_density_outside(M: EveryMechanism, Z: EveryLaw, n: Count):
    r"""$p_n^{\rm out}(z^\star,o)=p_n^{\rm out}(o|z^\star)\,p_n^{\rm out}(z^\star)$ with $p_n^{\rm
    out}(z^\star)=\mathcal D(z^\star)$, with respect to the same law, so both likelihood ratios are $\frac{p_n^{\rm
    in}(o|z^\star)}{p_n^{\rm out}(o|z^\star)}$."""
    return joint_density(M, Z, n, 0)


@claim("MIA-S6.2.3b/average", in_kernel(game_proofs.bayes_is_best_on_average))
def best_on_average(M: EveryMechanism, Z: EveryLaw, attack: EveryFunction, n: Count):
    r"""No adversary has a larger advantage in the average-target game than $\mathbb 1(\ell_n(o;z^\star)>0)$."""
    average, fixed = games.Crafter(M, Z, n), games.Crafter(M, Z, n, target=TARGET)
    known = *games.choices(), *games.places(n), *games.densities_of_outputs(fixed), games.guesses_a_bit(attack)
    return when(*known, then=(games.advantage(average, attack), "<=", games.advantage(average, games.bayes)))


@claim(
    "MIA-S6.2.3b/ratio",
    on_games(target=[0, 1], routes=("joint laws", "conditional laws")),
    false={"power": 2},
    role="implication",
)
def same_ratio(n: Count, game: MechanismDataLaw, target: TargetBit, power=1):
    r"""The likelihood ratio of $(z^\star,o)$ in the average-target game is that of $o$ in the fixed-target game.

    The products are compared crosswise, so that outputs of probability 0 count as well.
    """
    setting = played(n, game)
    (joint_out, joint_in), (out, inside) = setting.laws(), fixed_laws(setting, target)
    pairs = [((joint_in[z, o], joint_out[z, o]), (inside[o], out[o])) for z, o in joint_out if z == target]
    return sum(abs(a * d**power - b * c**power) for (a, b), (c, d) in pairs), "==", 0


@quantity
def variation_at_a_random_target(n: int, game: Any) -> Fraction:
    """TV of the laws of target and output in the average-target game."""
    return Fraction(total_variation(*played(n, game).laws()))


@quantity
def mean_variation_over_targets(n: int, game: Any) -> Fraction:
    """The mean over targets of the TV of the laws of the output in the fixed-target games."""
    setting = played(n, game)
    return sum((p * total_variation(*fixed_laws(setting, z)) for z, p in setting.data.items()), Fraction(0))


@claim(
    "MIA-S6.2.3b/advantage",
    on_games(routes=("random target", "fixed targets")),
    false={"factor": "0.99"},
    role="implication",
)
def same_optimum(n: Count, game: MechanismDataLaw, factor=1):
    r"""With threshold 0 it has the largest advantage in both: the largest one in the average-target game is the mean
    over targets of the largest ones.

    The claim compares total variations, which are the largest advantages (MIA-T6.1).
    """
    return variation_at_a_random_target(n, game), "==", factor * mean_variation_over_targets(n, game)
