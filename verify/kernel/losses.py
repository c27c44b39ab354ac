"""Adversarial bandits: losses that are fixed in advance, what an algorithm hears of them, its regret, batches, experts.

loss(t, a) is what arm a loses in round t. The algorithm draws its arm from pi(t, .) after what it was told before, and
hears the loss itself, or the loss with noise. The expected sum of losses is the sum of those expected in the rounds.
That the largest regret is at most a number says so of all losses in [0, 1] and of every arm to compare with.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from banditproof.verify.kernel.meanings import (
    binding,
    close,
    event,
    exp,
    formula,
    function_of,
    log,
    own_names,
    size,
    sum_of,
)
from banditproof.verify.kernel.mechanisms import in_unit
from banditproof.verify.kernel.policies import TABLES, Inputs, Policy, differing_tables, is_arm, is_round, the_same
from banditproof.verify.kernel.rewards import (
    OF_THE_SUM,
    PARTS,
    SIZES,
    game,
    integral,
    integral_at_most,
    part,
    part_of,
    probability,
    sum_of_rewards,
)
from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import All, Formula, Refused, Term, free, term, var

Heard = Callable[[Any], Term]
"""The law of what is heard of a loss."""
Loss = Callable[[Any, Any], Any]
"""The loss of an arm in a round."""


def itself(loss: Any) -> Term:
    """The loss is heard as it is."""
    return Term("dirac", (term(loss),))


def with_noise(noise: Term) -> Heard:
    """The loss is heard with noise, which is drawn afresh in each round."""
    return lambda loss: Term("mix", (("w",), noise, Term("dirac", (loss + var("w"),))))


def of_table(t: Any, a: Any) -> Term:
    """The loss of an arm in a round, in the table of all losses."""
    return function_of("loss", t, a)


def in_round(pi: Policy, heard: Heard, loss: Loss, i: Any, value: Callable[[Term], Any]) -> Term:
    """E of value(I) for the arm I of round i."""
    return played_in(pi, lambda t, a: heard(loss(t, a)), i, value)


def played_in(pi: Policy, heard: Callable[[Any, Any], Term], i: Any, value: Callable[[Term], Any]) -> Term:
    """The same where heard(t, a) is the law of what is heard of the arm a in round t."""
    runs = game(pi, lambda t, z, a: heard(t, a), i)
    return mean("z", runs, mean("a", pi(i, function_of("told", var("z"))), value(var("a"))))


def lost(pi: Policy, heard: Heard, loss: Loss, n: Any) -> Term:
    """The expected sum of the losses of n rounds."""
    return sum_of(lambda j: in_round(pi, heard, loss, j, lambda a: loss(j, a)), n)


def lost_by(arm: Any, loss: Loss, n: Any) -> Term:
    """The sum of the losses of one arm in n rounds."""
    return sum_of(lambda j: loss(j, arm), n)


def regret(pi: Policy, heard: Heard, loss: Loss, n: Any, arm: Any) -> Term:
    """What is lost in n rounds beyond what the arm loses."""
    return lost(pi, heard, loss, n) - lost_by(arm, loss, n)


def losses_in_unit(T: Any, K: Any) -> tuple[Formula, ...]:
    """In the rounds i < T the losses of the arms are in [0, 1]."""
    i, a = var("i"), var("a")
    return tuple(All(("i", "a"), (nat(i), lt(i, T), *is_arm(a, K)), f) for f in in_unit(of_table(i, a)))


def at_most_on_all_losses(T: Any, K: Any, size: Callable[[Loss, Term], Any], most: Any) -> All:
    """The size is at most a number for all losses in [0, 1] and every arm to compare with."""
    with binding("loss", "fixed"):
        left = size(of_table, var("fixed"))
    return All(("loss", "fixed"), (*losses_in_unit(T, K), *is_arm(var("fixed"), K)), le(left, most))


def worst_regret_at_most(pi: Policy, heard: Heard, n: Any, K: Any, most: Any) -> All:
    """The largest regret of n rounds is at most a number."""
    return at_most_on_all_losses(n, K, lambda loss, arm: regret(pi, heard, loss, n, arm), most)


# ------------------------------------------------------------------------------------------------ what is heard, in sum


def always(arm: Any) -> Policy:
    """The algorithm that plays one arm throughout."""
    return lambda i, h: Term("dirac", (term(arm),))


def runs_on_losses(pi: Policy, heard: Heard, T: Any) -> Term:
    """The law of the runs of T rounds, which tell what was heard."""
    return game(pi, lambda t, z, a: heard(of_table(t, a)), T)


OF_ONE_ARM = ("more", "less")


def regret_in_what_is_heard(pi: Policy, heard: Heard, T: Any, K: Any) -> All:
    """For all losses and every arm: the regret counted in what is heard is that counted in the losses.

    What the algorithm hears in T rounds adds up to gained - lost in the mean, and what is heard where one arm is played
    throughout to more - less: these are the integrals of both parts of the sum.
    """
    fixed, given = var("fixed"), []
    for who, names in ((pi, OF_THE_SUM), (always(fixed), OF_ONE_ARM)):
        runs = runs_on_losses(who, heard, T)
        for sign, name in zip(PARTS, names, strict=True):
            given += integral(runs, part_of(sign, lambda z: sum_of_rewards(T, z)), var(name), "z")
    gained, lost, more, less = map(var, (*OF_THE_SUM, *OF_ONE_ARM))
    same = eq(gained - lost - (more - less), regret(pi, heard, of_table, T, fixed))
    return All(("loss", "fixed"), is_arm(fixed, K), All((*OF_THE_SUM, *OF_ONE_ARM), tuple(given), same))


def sum_of_what_is_heard_at_most(pi: Policy, heard: Heard, T: Any, K: Any, most: Any) -> All:
    """E |the sum of what is heard in T rounds| <= most for all losses in [0, 1]: it has a mean."""
    runs = runs_on_losses(pi, heard, T)
    heights = integral_at_most(runs, lambda z: size(sum_of_rewards(T, z)), most, "z")
    return All(("loss",), losses_in_unit(T, K), heights)


# -------------------------------------------------------------------------------------------------------------- batches


def of_batch(tau: Any, loss: Loss) -> Loss:
    """The mean loss of an arm in batch j, that is in the rounds j tau, ..., j tau + tau - 1."""

    def mean_loss(j: Any, a: Any) -> Term:
        if "i" in free(term(j)) | free(term(a)):
            raise Refused("a batch or an arm would be taken for a round of the batch")
        return mean("i", Term("law", ("Unif", term(tau))), loss(j * tau + var("i"), a))

    return mean_loss


def lost_in_batches(pi: Policy, heard: Heard, loss: Loss, n: Any, tau: Any) -> Term:
    """The expected sum of losses in n batches: each plays one arm, and of its mean loss is heard when it ends."""
    batch = of_batch(tau, loss)
    return sum_of(lambda j: tau * in_round(pi, heard, batch, j, lambda a: batch(j, a)), n)


def lost_after_batches(pi: Policy, heard: Heard, loss: Loss, n: Any, tau: Any, rest: Any) -> Term:
    """The expected sum of losses in the rounds after n batches: one more arm is played, and no batch ends."""
    batch = of_batch(tau, loss)
    return sum_of(lambda j: in_round(pi, heard, batch, n, lambda a: loss(n * tau + j, a)), rest)


def batched_regret(pi: Policy, heard: Heard, loss: Loss, n: Any, tau: Any, rest: Any, arm: Any) -> Term:
    """What the batched algorithm loses in n tau + rest rounds beyond what the arm loses."""
    own = lost_in_batches(pi, heard, loss, n, tau) + lost_after_batches(pi, heard, loss, n, tau, rest)
    return own - lost_by(arm, loss, n * tau + rest)


def worst_batched_regret_at_most(pi: Policy, heard: Heard, n: Any, tau: Any, rest: Any, K: Any, most: Any) -> All:
    """The largest regret of the batched algorithm in n tau + rest rounds is at most a number."""

    def size(loss: Loss, arm: Term) -> Term:
        return batched_regret(pi, heard, loss, n, tau, rest, arm)

    return at_most_on_all_losses(n * tau + rest, K, size, most)


# -------------------------------------------------------------------------------------------------------------- experts


def named(t: Any, j: Any, d: Any) -> Term:
    """The action that expert j names in round t, by the draws d of all experts in all rounds."""
    return function_of("named", t, j, d)


def of_experts(t: Any, j: Any) -> Term:
    """The loss of the action that expert j names in round t."""
    return of_table(t, named(t, j, var("d")))


def names_actions(T: Any, N: Any, K: Any) -> tuple[Formula, ...]:
    """Each expert j names one of the actions in each round i < T."""
    i, j, d = map(var, "ijd")
    return tuple(All(("i", "j", "d"), (nat(i), lt(i, T), *is_arm(j, N)), f) for f in is_arm(named(i, j, d), K))


def drawn_from_advice(T: Any, N: Any) -> Formula:
    """The action that expert j names in round i < T has the law that the expert advises, advice(i, j)."""
    i, j, a, d = map(var, "ijad")
    says = mean("a", Term("law", ("advice", i, j)), function_of("g", a))
    drawn = mean("d", Term("law", ("draws",)), function_of("g", named(i, j, d)))
    return All(("i", "j", "g"), (nat(i), lt(i, T), *is_arm(j, N)), eq(drawn, says))


def lost_by_expert(j: Any, T: Any) -> Term:
    """The sum over the rounds of the mean loss of an action by the advice of expert j."""
    a = var("a")
    return sum_of(lambda i: mean("a", Term("law", ("advice", i, term(j))), of_table(i, a)), T)


NAMES = "loss", "advice", "draws", "named", "fixed"


def over_draws(own: Callable[[Loss], Term]) -> Term:
    """The mean over the draws of what is said of the losses of the actions that the experts name."""
    with binding(*NAMES, "d"):
        said = own(of_experts)
    return mean("d", Term("law", ("draws",)), said)


def worst_regret_with_experts_at_most(T: Any, N: Any, K: Any, own: Callable[[Loss], Term], most: Any) -> All:
    """own(loss) less what an expert loses is at most a number, for all losses, all advice and every expert.

    own(loss) is the mean over the draws of what a bandit algorithm over the experts loses on the losses of the actions
    that they name.
    """
    fixed = var("fixed")
    given = (*losses_in_unit(T, K), *names_actions(T, N, K), drawn_from_advice(T, N), *is_arm(fixed, N))
    return All(NAMES, given, le(over_draws(own) - lost_by_expert(fixed, T), most))


def regret_by_each_draw_at_most(pi: Policy, heard: Heard, T: Any, N: Any, K: Any, most: Any) -> All:
    """For each draw of the actions that the experts name: on the losses of these the regret is at most a number."""
    fixed = var("fixed")
    given = (*losses_in_unit(T, K), *names_actions(T, N, K), *is_arm(fixed, N))
    with binding("loss", "named", "fixed", "d"):
        bound = le(lost(pi, heard, of_experts, T), lost_by(fixed, of_experts, T) + most)
    return All(("loss", "named", "fixed", "d"), given, bound)


def regret_is_a_mean_over_draws(pi: Policy, heard: Heard, T: Any, N: Any) -> All:
    """The regret against an expert is the mean over the draws of that on the losses of the actions that are drawn."""
    fixed = var("fixed")
    own = over_draws(lambda loss: lost(pi, heard, loss, T)) - lost_by_expert(fixed, T)
    averaged = over_draws(lambda loss: regret(pi, heard, loss, T, fixed))
    return All(NAMES, (drawn_from_advice(T, N), *is_arm(fixed, N)), eq(own, averaged))


# -------------------------------------------------------------------------------------------------------------- privacy


def actions_in_batches(pi: Policy, heard: Heard, loss: Loss, n: Any, tau: Any) -> Term:
    """The law of the actions of n batches, and of the one that is played after them."""
    z, a = var("z"), var("a")
    batch = of_batch(tau, loss)
    last = Term("dirac", (function_of("pair", function_of("said", z), a),))
    runs = game(pi, lambda t, z, a: heard(batch(t, a)), n)
    return Term("mix", (("z",), runs, Term("mix", (("a",), pi(term(n), function_of("told", z)), last))))


def hides_a_move(heard: Heard, size: Any, epsilon: Any) -> All:
    """What is heard of two numbers is epsilon-close for all events, where they differ by the size at most."""
    q, r = var("q"), var("r")
    with binding("q", "r", "A"):
        laws = heard(q), heard(r)
    return All(("q", "r", "A"), (le(q, r + size), le(r, q + size), event("A")), close(*laws, epsilon, 0))


def differing_losses(T: Any, K: Any) -> tuple[Formula, ...]:
    """Two tables of losses in [0, 1] that differ in row j at most."""
    i, a = var("i"), var("a")
    rounds = (nat(i), lt(i, T), *is_arm(a, K))
    inside = (All(("i", "a"), rounds, f) for side in TABLES for f in in_unit(function_of(side, i, a)))
    return *is_round(T), *differing_tables(T, K), *inside


def each_batch_is_close(heard: Heard, n: Any, tau: Any, rest: Any, K: Any, epsilon: Any) -> All:
    """What is heard of batch l is the same for both tables, but epsilon-close in the batch of row j."""
    batch, j, a = var("l"), var("j"), var("a")
    with binding(*TABLES, "j", "l", "a", "A"):
        laws = [heard(of_batch(tau, partial(function_of, side))(batch, a)) for side in TABLES]
    here = Term("ind", (batch * tau, j)) * Term("ind", (j + 1, (batch + 1) * tau))
    given = (*differing_losses(n * tau + rest, K), nat(batch), lt(batch, n), *is_arm(a, K), event("A"))
    return All((*TABLES, "j", "l", "a", "A"), given, close(laws[0], laws[1], epsilon * here, 0))


def losses_of_both(pi: Policy, heard: Heard, n: Any, tau: Any, rest: Any, K: Any) -> Inputs:
    """Two tables of losses in [0, 1] in n tau + rest rounds that differ in one row."""
    laws = (actions_in_batches(pi, heard, partial(function_of, side), n, tau) for side in TABLES)
    return Inputs((*TABLES, "j"), differing_losses(n * tau + rest, K), (*laws,))  # type: ignore[arg-type]


def losses_with_experts(pi: Policy, heard: Heard, n: Any, tau: Any, rest: Any, N: Any, K: Any) -> Inputs:
    """The same for the experts that are followed and the draws of what they name, which the actions follow from."""
    d, x, T = var("d"), var("x"), n * tau + rest

    def law(side: str) -> Term:
        def loss(t: Any, a: Any) -> Term:
            return function_of(side, t, named(t, a, d))

        both = Term("dirac", (function_of("pair", x, d),))
        then = Term("mix", (("x",), actions_in_batches(pi, heard, loss, n, tau), both))
        return Term("mix", (("d",), Term("law", ("draws",)), then))

    given = (*differing_losses(T, K), *names_actions(T, N, K))
    return Inputs((*TABLES, "j", "draws", "named"), given, (*map(law, TABLES),))  # type: ignore[arg-type]


# ----------------------------------------------------------------------------------------------- multiplicative weights


def weight(t: Any, j: Any, eta: Any) -> Term:
    """The weight of j after t rounds: e to the power -eta times the sum of its losses."""
    return exp(-eta * sum_of(lambda i: of_table(i, j), t, "i"))


def multiplicative_weights(T: Any, N: Any, eta: Any, says: Callable[[Callable[[Any, Any], Term], Term], Any]) -> All:
    """What `says` says of the distributions that multiplicative weights plays, and of each fixed j, on all real losses
    of which none is below -1/eta.

    share(i, j) is the probability of j in round i: its weight over the sum of the weights.
    """
    i, j, share = var("i"), var("j"), partial(function_of, "share")
    rounds = nat(i), lt(i, T), *is_arm(j, N)
    own = share(i, j) * sum_of(lambda b: weight(i, b, eta), N, "b")
    played = All(("i", "j"), rounds, eq(own, weight(i, j, eta)))
    above = All(("i", "j"), rounds, le(-eta * of_table(i, j), 1))
    with binding("loss", "share", "fixed"):
        then = formula(says(share, var("fixed")))
    return All(("loss", "share", "fixed"), (played, above, *is_arm(var("fixed"), N)), then)


# ---------------------------------------------------------------------------------------------------------------- HTINF


def skipped_share(excess: Any, lack: Any) -> Term:
    """Theta = min{1 - 2^(-(alpha - 1)/(2 alpha - 1)), (2 - 2/alpha)^(1/(2 - alpha))}, alpha = 1 + excess = 2 - lack."""
    first = 1 - exp(-log(2) * excess / (1 + 2 * excess))
    second = exp(log(2 * excess / (1 + excess)) / lack)
    return first + (second - first) * Term("ind", (second, first))


def played_root(i: Any, z: Any, a: Any) -> Term:
    """x^(1/alpha) for the probability x of an arm after the i rounds of the run z."""
    return function_of("played_root", i, z, a)


def estimated(i: Any, z: Any, a: Any) -> Term:
    """The sum of the estimated losses of an arm in the i rounds of the run z: any number, so a quotient."""
    return function_of("estimated", i, z, a, 0) / function_of("estimated", i, z, a, 1)


def inverse_rate(i: Any, alpha: Any, sigma: Any) -> Term:
    """1/eta_t = sigma t^(1/alpha) for the round t = i + 1."""
    return sigma * exp(log(term(i) + 1) / alpha)


def is_htinf(pi: Policy, K: Any, alpha: Any, sigma: Any, theta: Any) -> tuple[Formula, ...]:
    """The policy is HTINF (Huang, Dai and Huang, Algorithm 1): with Tsallis entropy, and large losses are skipped.

    It plays the minimiser x of <L, x> - alpha sum x^(1/alpha)/eta over the simplex: L(a) - x_a^(1/alpha - 1)/eta is the
    same for all arms. A loss above theta x^(1/alpha)/eta is skipped; others are added to L, over their probabilities.
    """
    own_names("i", "z", "a", "b", "r")
    i, z, a, b, r = map(var, "izabr")
    root, arms, rate = partial(played_root, i, z), (nat(i), *is_arm(a, K)), inverse_rate(i, alpha, sigma)
    chance = exp(alpha * log(root(a)))
    kept = r * Term("ind", (size(r), theta * rate * root(a))) / chance
    longer = estimated(i + 1, function_of("after", z, a, a, r), b)
    slope, other = (exp((1 - alpha) * log(root(v))) for v in (a, b))
    return (
        All(("i", "z", "a"), (), lt(0, root(a))),
        All(("i", "z", "a"), (), lt(0, function_of("estimated", i, z, a, 1))),
        All(("i", "z", "a"), arms, eq(probability(pi, i, z, a), chance)),
        All(
            ("i", "z", "a", "b"),
            (*arms, *is_arm(b, K)),
            eq(estimated(i, z, a) - estimated(i, z, b), rate * (slope - other)),
        ),
        All(("a",), is_arm(a, K), eq(estimated(0, var("empty"), a), 0)),
        All(("i", "z", "a", "b", "r"), (*arms, *is_arm(b, K)), eq(longer, estimated(i, z, b) + the_same(a, b) * kept)),
    )


def heavy_tailed_losses(nu: Callable[[Any, Any], Term], T: Any, K: Any, alpha: Any, sigma: Any) -> tuple[Formula, ...]:
    """The random losses nu(t, a) have E |loss|^alpha <= sigma^alpha, and E loss 1[|loss| > u] >= 0 for all u >= 0.

    gain and loss are the integrals of their parts; |r|^alpha is e^(alpha v) where |r| = e^v, and 0 for r = 0.
    """
    own_names("i", "a", "r", "v", "g", "u", "c")
    i, a, r, v, u, c = map(var, "iarvuc")
    own, g = nu(i, a), function_of("g", r)
    rounds = nat(i), lt(i, T), *is_arm(a, K)
    power = All(("r", "v"), (eq(size(r), exp(v)),), le(g, exp(alpha * v)))
    given = All(("r",), (), le(0, g)), le(function_of("g", 0), 0), power
    moment = All(("i", "a", "g"), (*rounds, *given), le(mean("r", own, g), exp(alpha * log(sigma))))

    def beyond(sign: int) -> All:
        return integral_at_most(own, lambda r: part(r, sign) * (1 - Term("ind", (size(r), u))), c)

    truncated = All(("i", "a", "u", "c"), (*rounds, le(0, u), beyond(1)), beyond(-1))
    sides = (
        f for s, name in zip(PARTS, SIZES, strict=True) for f in integral(own, part_of(s), function_of(name, i, a))
    )
    return moment, truncated, *(All(("i", "a"), rounds, f) for f in sides)


def regret_on_heavy_tails_at_most(
    pi: Policy, nu: Callable[[Any, Any], Term], T: Any, K: Any, alpha: Any, sigma: Any, most: Any
) -> All:
    """The regret in the means of the losses is at most a number, where they are heavy-tailed and truncated
    nonnegative."""

    def loss(t: Any, a: Any) -> Term:
        return function_of("gain", t, a) - function_of("loss", t, a)

    own = sum_of(lambda j: played_in(pi, nu, j, lambda a: loss(j, a)), T)
    given = *heavy_tailed_losses(nu, T, K, alpha, sigma), *is_arm(var("fixed"), K)
    return All((*SIZES, "fixed"), given, le(own - lost_by(var("fixed"), loss, T), most))
