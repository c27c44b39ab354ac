"""Section 6.2, page 136: the game with a fixed target, its metrics, and the game with a random one."""

from functools import partial
from typing import Any

from banditproof.claims.register import claim
from banditproof.claims.sets import Count, EveryFunction, EveryLaw, EveryMechanism, Natural
from banditproof.claims.steps import in_kernel
from banditproof.verify.kernel import games
from banditproof.verify.kernel.meanings import function_of, when
from banditproof.verify.kernel.policies import every
from banditproof.verify.kernel.rules import eq, mean
from banditproof.verify.kernel.terms import Formula, var
from banditproof.verify.theorems import games as game_proofs

TARGET = var("z")


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


@claim("MIA-D6.2.2", in_kernel(game_proofs.fixed_accuracy_by_errors))
def metrics(M: EveryMechanism, Z: EveryLaw, attack: EveryFunction, n: Count):
    r"""$2\Pr[\mathcal A_{z^\star}(o)=b]-1=1-\alpha_n-\beta_n$ in the fixed-target game, for every target."""
    game, guess = games.Crafter(M, Z, n, target=TARGET), games.of_output(attack)
    said = games.with_errors(game, guess, lambda alpha, beta: (games.advantage(game, guess), "==", 1 - alpha - beta))
    return when(*games.choices(), games.guesses_a_bit(guess), then=every(("z",), (), said))


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
