"""Appendix C.5, page 231: quoted results on privacy, relative entropies and tails.

Most of them occur elsewhere in the documents and are restated here.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations, product
from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import (
    AboveOne,
    AtLeastOne,
    Count,
    EveryBandit,
    EveryBudget,
    EveryFunction,
    EveryLaw,
    EveryPolicy,
    EveryVariable,
    Inside,
    Natural,
    Nonnegative,
    Positive,
    Probability,
    Real,
)
from banditproof.claims.steps import argued, deduced, enumerated, in_kernel, tried_at
from banditproof.paper_checks.thesis.facts.episodes import binomial_mass, hoeffding_tilt
from banditproof.paper_checks.thesis.facts.privacy import Mechanism, on_mechanisms, processed
from banditproof.theory import exp, kl_bernoulli, log, to_ball, where
from banditproof.theory.numbers.numeric import absolute, minimum, ratio
from banditproof.theory.numbers.term import quantity, total
from banditproof.verify import random_channel, random_law
from banditproof.verify.kernel import meanings
from banditproof.verify.kernel.bandits import histories, kl_of_arms_at_most, of_each_arm, pulls_times, rounds_are_kept
from banditproof.verify.kernel.divergences import at_most_kl, kl_at_most, of_every_event, renyi_at_most
from banditproof.verify.kernel.meanings import at_most_by_mean_size, chance, drawn, size, when
from banditproof.verify.kernel.policies import plays_arms
from banditproof.verify.kernel.variables import in_interval, laplace, mean_of
from banditproof.verify.theorems import bandit_divergences as bandit_proofs
from banditproof.verify.theorems import divergences as divergence_proofs
from banditproof.verify.theorems import mechanisms as kernel_proofs
from banditproof.verify.theorems import renyi as renyi_proofs
from banditproof.verify.theorems import tails as tail_proofs
from banditproof.verify.theorems import testing as testing_proofs

Law = Annotated[Any, "all: every law on [0, 1]"]
TwoLaws = Annotated[Any, "all: every pair of laws"]
ZeroOrOne = Annotated[Any, "integer [0, 1]"]


def renyi(left: Mapping[Any, Fraction], right: Mapping[Any, Fraction], order: Any) -> Any:
    """D_order for laws without zeros, a ball; the relative entropy at order 1."""
    pairs = [(to_ball(p), to_ball(right[o])) for o, p in left.items()]
    if order == 1:
        return sum((p * log(p / q) for p, q in pairs), to_ball(0))
    return log(sum((p * exp((order - 1) * log(p / q)) for p, q in pairs), to_ball(0))) / (order - 1)


@claim("ALG-LC.16/orders-above-one", in_kernel(renyi_proofs.data_processing))
def processing_of_renyi_divergences(P: EveryLaw, Q: EveryLaw, channel: EveryFunction, alpha: AboveOne, most: Real):
    r"""$D_\alpha(f(P)\|f(Q))\le D_\alpha(P\|Q)$ for $\alpha>1$ and every $f$, also a randomised one, for which the
    proofs use it: every upper bound of the right side is an upper bound of the left side"""
    outputs = drawn(channel, P), drawn(channel, Q)
    return when(renyi_at_most(P, Q, alpha, most), then=renyi_at_most(*outputs, alpha, most))


@claim("ALG-LC.16/order-one", in_kernel(divergence_proofs.processed_kl))
def processing_of_relative_entropy(P: EveryLaw, Q: EveryLaw, channel: EveryFunction, most: Real):
    r"""$D_1(f(P)\|f(Q))\le D_1(P\|Q)$, the Kullback-Leibler divergence: every upper bound of the right side is an upper
    bound of the left side"""
    outputs = drawn(channel, P), drawn(channel, Q)
    return when(kl_at_most(P, Q, most), then=kl_at_most(*outputs, most))


@claim(
    "ALG-LC.16/finite-laws",
    on_mechanisms(
        15,
        200,
        "pairs of random laws, merged or randomised",
        order=["1", "11/10", "2", "30"],
        deterministic=[0, 1],
        rational=False,
        routes=("divergence after", "before, in balls"),
    ),
    false={"factor": "0.1"},
    role="implication",
)
def processing_of_renyi_divergence(mechanism: Mechanism, order: AtLeastOne, deterministic: ZeroOrOne, factor=1):
    r"""$D_\alpha(f(P)\|f(Q))\le D_\alpha(P\|Q)$ for $\alpha\ge1$ and every $f$, also a randomised one, for which the
    proofs use it (up to $2^{-45}$ in the computation)

    The deterministic f merges outputs 0 and 1, and outputs 2 and 3. An output of probability zero leaves nothing to
    compare.
    """
    channel = random_channel(mechanism, 1, outputs=4)
    before: Mapping[Any, Any] = channel.laws
    if deterministic:
        after = {data: {pair: law[2 * pair] + law[2 * pair + 1] for pair in (0, 1)} for data, law in before.items()}
    else:
        after = processed(channel, mechanism).laws
    if not all(all(law.values()) for law in after.values()):
        after = before
    right = factor * renyi(before[(0,)], before[(1,)], order)
    return renyi(after[(0,)], after[(1,)], order), "<=", right + to_ball(2) ** -45


DEVIATIONS = ["1/3", "1", "2", "3", "7/2"]


@claim("ALG-LC.17", in_kernel(kernel_proofs.markov))
def markov(X: EveryVariable, epsilon: Positive):
    r"""$\mathbb P(|X|\ge\varepsilon)\le\frac{\mathbb E|X|}\varepsilon$, $\varepsilon>0$"""
    return at_most_by_mean_size(chance(lambda x: (epsilon, size(x)), X), X, lambda c: c / epsilon)


@quantity
def mass_on_seven_numbers(law: int, x: int) -> Fraction:
    """P(X = x) of a random law on {-3, ..., 3}; number 0 is -2 always."""
    return random_law(law, "markov", 7, 0)[x + 3] if law else Fraction(x == -2)


@claim(
    "ALG-LC.17/finite-laws",
    enumerated(
        lambda check: {"law": range(check.pick(60, 500)), "epsilon": DEVIATIONS},
        covers={"law": "all: random laws on seven numbers", "epsilon": DEVIATIONS},
        rational=True,
        routes=("exact tail", "exact mean"),
    ),
    false={"factor": "0.9"},
    role="implication",
)
def markov_for_finite_laws(law: Annotated[Any, "all: every random variable"], epsilon: Positive, factor=1):
    r"""$\mathbb P(|X|\ge\varepsilon)\le\frac{\mathbb E|X|}\varepsilon$ for laws on seven numbers

    A random law on {-3, ..., 3}; number 0 is -2 always.
    """
    above = total(lambda x: where(absolute(x - 3), ">=", epsilon, mass_on_seven_numbers(law, x - 3), 0), 0, 6)
    mean = total(lambda x: absolute(x - 3) * mass_on_seven_numbers(law, x - 3), 0, 6)
    return above, "<=", factor * mean / epsilon


@quantity
def mass_of_one(laws: int, outcome: int) -> Fraction:
    """P of one of five outcomes; the laws of number 0 have outcomes that only one of them allows."""
    return random_law(laws, "p", 5, 1 if laws else 0)[outcome]


@quantity
def mass_of_other(laws: int, outcome: int) -> Fraction:
    """Q of the same outcome."""
    return random_law(laws, "q", 5, 1 if laws else 0)[outcome]


@quantity
def entropy_of_five(laws: int) -> Any:
    """D(P || Q), infinite where P has an outcome that Q has not."""
    pairs = [(mass_of_one(laws, o), mass_of_other(laws, o)) for o in range(5)]
    if any(p and not q for p, q in pairs):
        return to_ball("inf")
    return sum((to_ball(p) * log(to_ball(p / q)) for p, q in pairs if p), to_ball(0))


def on_laws(*routes: str) -> enumerated:
    return enumerated(
        lambda check: {"laws": range(check.pick(60, 1000))},
        covers={"laws": "all: random laws on five outcomes"},
        routes=(routes[0], routes[1]),
    )


@claim("ALG-LC.20", in_kernel(testing_proofs.bretagnolle_huber))
def bretagnolle_huber(P: EveryLaw, Q: EveryLaw, most: Real):
    r"""$\mathbb P(A)+\mathbb Q(A^c)\ge\frac12e^{-D(\mathbb P,\mathbb Q)}$ for every event $A$: every upper bound of
    $D(\mathbb P,\mathbb Q)$ may stand in its place; if it is infinite, the right side is 0"""
    errors = of_every_event(lambda chance: (meanings.exp(-most) / 2, "<=", chance(P) + 1 - chance(Q)))
    return when(kl_at_most(P, Q, most), then=errors)


@claim(
    "ALG-LC.20/finite-laws",
    on_laws("probabilities at the best event", "relative entropy, in balls"),
    false={"factor": "1.01"},
    role="implication",
)
def bretagnolle_huber_for_laws(laws: TwoLaws, factor=Fraction(1, 2)):
    r"""$\mathbb P(A)+\mathbb Q(A^c)\ge\frac12\,e^{-D(\mathbb P,\mathbb Q)}$ for laws on several outcomes and any event

    The smallest value of the left side, over all events, is the sum of the smaller masses.
    """
    smallest = total(lambda o: minimum(mass_of_one(laws, o), mass_of_other(laws, o)), 0, 4)
    return smallest, ">=", factor * exp(-entropy_of_five(laws))


@claim("ALG-LC.21", in_kernel(testing_proofs.pinsker))
def pinsker(P: EveryLaw, Q: EveryLaw, most: Real):
    r"""$\mathrm{KL}(\mathbb P\|\mathbb Q)\ge2\,\mathrm{TV}(\mathbb P\|\mathbb Q)^2$: every upper bound of the
    divergence is an upper bound of $2(\mathbb P(A)-\mathbb Q(A))^2$ for every event $A$"""

    def twice_the_square(chance):
        apart = chance(P) - chance(Q)
        return 2 * apart * apart, "<=", most

    return when(kl_at_most(P, Q, most), then=of_every_event(twice_the_square))


@claim(
    "ALG-LC.21/finite-laws",
    on_laws("relative entropy, in balls", "total variation"),
    false={"factor": 8},
    role="implication",
)
def pinsker_for_laws(laws: TwoLaws, factor=2):
    r"""for laws on several outcomes: $\mathrm{KL}\ge2\,\mathrm{TV}^2$

    Data processing (ALG-LC.16) to the event where the laws differ most reduces this to two outcomes.
    """
    variation = total(lambda o: absolute(mass_of_one(laws, o) - mass_of_other(laws, o)), 0, 4) / 2
    return entropy_of_five(laws), ">=", factor * variation**2


@claim("ALG-LC.22/upper", in_kernel(tail_proofs.laplace_above))
def upper_tail_of_laplace(scale: Positive, level: Positive):
    r"""$\mathbb P(\mathrm{Lap}(b)>a)=\frac12e^{-a/b}$ for $a,b>0$."""
    return 1 - chance(lambda x: (x, level), laplace(scale)), "==", meanings.exp(-level / scale) / 2


@claim("ALG-LC.22/lower", in_kernel(tail_proofs.laplace_below))
def lower_tail_of_laplace(scale: Positive, level: Positive):
    r"""$\mathbb P(\mathrm{Lap}(b)<-a)=\frac12e^{-a/b}$ for $a,b>0$."""
    return 1 - chance(lambda x: (-x, level), laplace(scale)), "==", meanings.exp(-level / scale) / 2


def counts(sizes: tuple[int, ...], means: tuple[str, ...]) -> list[dict[str, Any]]:
    return [{"n": n, "mu": Fraction(mu), "wins": k} for n, mu in product(sizes, means) for k in range(n + 1)]


@claim("ALG-LC.23/upper", in_kernel(tail_proofs.hoeffding_above))
def hoeffding_above(X: EveryVariable, n: Count, centre: Real, beta: Nonnegative):
    r"""i.i.d. $X_i$ in $[0,1]$ of mean $\mu$, $\beta\ge0$: $\mathbb P(\hat\mu_n\ge\mu+\beta)\le e^{-2n\beta^2}$."""
    above = chance(lambda x: (centre + beta, x), mean_of(X, n))
    return when(in_interval(X, 0, 1, centre), then=(above, "<=", meanings.exp(-2 * n * beta * beta)))


@claim("ALG-LC.23/lower", in_kernel(tail_proofs.hoeffding_below))
def hoeffding_below(X: EveryVariable, n: Count, centre: Real, beta: Nonnegative):
    r"""i.i.d. $X_i$ in $[0,1]$ of mean $\mu$, $\beta\ge0$: $\mathbb P(\hat\mu_n\le\mu-\beta)\le e^{-2n\beta^2}$."""
    below = chance(lambda x: (x, centre - beta), mean_of(X, n))
    return when(in_interval(X, 0, 1, centre), then=(below, "<=", meanings.exp(-2 * n * beta * beta)))


@claim(
    "ALG-LC.23/coins",
    enumerated(
        [
            {"law": "Bernoulli", **point}
            for point in counts((1, 2, 7, 30), ("0", "1/100", "2/7", "1/2", "9/10", "1"))
            if point["wins"] >= point["n"] * point["mu"]
        ],
        rational=True,
        routes=("exact binomial tail", "the bound, in balls"),
    ),
    argued(
        "Markov's inequality for the exponential of 4 beta times the centred sum, with Hoeffding's lemma (TH-L2.22) "
        "for each reward; the lower tail is the upper one of 1 - X_i",
        hoeffding_tilt,
    ),
    false={"square": "2.5"},
    where=["wins >= n * mu", "wins <= n"],
    twins=["TH-L2.22"],
    role="implication",
)
def hoeffding(law: Law, n: Count, mu: Probability, wins: Natural, square=2):
    r"""Exact tails of coins: $\mathbb P(\hat\mu_n\ge\mu+\beta)\le e^{-2n\beta^2}$.

    Between two possible values of the mean the tail is constant and the bound falls: mean = wins/n is the worst.
    """
    deviation = ratio(wins, n) - mu
    tail = total(lambda s: binomial_mass(n, s, mu), wins, n)
    return to_ball(tail), "<=", exp(-to_ball(square * n * deviation**2))


def on_the_square(*names: str) -> Any:
    """Points of the closed square and its ends, of different numbers: with equal ones both sides may be equal."""
    values = map(Fraction, ("0", "1/4", "1/2", "3/4", "1"))
    points = [dict(zip(names, chosen, strict=True)) for chosen in permutations(values, len(names))]
    return enumerated(lambda check: [p for p in points if check.domain.contains(p)])


@claim("ALG-LC.25/convex-in-the-first", on_the_square("x", "y", "q", "share"), deduced())
def convex_in_the_first(x: Probability, y: Probability, q: Probability, share: Inside):
    r"""$d(\cdot,q)$ is convex on $[0,1]$: $d((1-s)x+sy,q)\le(1-s)d(x,q)+sd(y,q)$, for all $q\in[0,1]$"""
    between = kl_bernoulli((1 - share) * x + share * y, q)
    return between, "<=", (1 - share) * kl_bernoulli(x, q) + share * kl_bernoulli(y, q)


@claim("ALG-LC.25/convex-in-the-second", on_the_square("p", "x", "y", "share"), deduced())
def convex_in_the_second(p: Probability, x: Probability, y: Probability, share: Inside):
    r"""$d(p,\cdot)$ is convex on $[0,1]$: $d(p,(1-s)x+sy)\le(1-s)d(p,x)+sd(p,y)$, for all $p\in[0,1]$"""
    between = kl_bernoulli(p, (1 - share) * x + share * y)
    return between, "<=", (1 - share) * kl_bernoulli(p, x) + share * kl_bernoulli(p, y)


@claim("ALG-LC.25/unique-minimisers", on_the_square("p", "q"), deduced())
def only_equal_means_cost_nothing(p: Probability, q: Probability):
    r"""$d(p,q)>0=d(q,q)$ for $p\ne q$: the minimisers are $q$ and $p$, and there is no other"""
    return where(p, "==", q, 1, lambda: kl_bernoulli(p, q)), ">", 0


ORDER = ["p <= x", "x <= y"]


@claim("ALG-LC.25/rising-in-the-second", on_the_square("p", "x", "y"), deduced(), false={"factor": "1.1"}, where=ORDER)
def second_argument_rises(p: Probability, x: Probability, y: Probability, factor=1):
    r"""$d(p,\cdot)$ rises on $[p,1]$: $d(p,x)\le d(p,y)$ for $p\le x\le y$ (as $e^{-d}$, for values may be infinite)"""
    return exp(-kl_bernoulli(p, y)), "<=", exp(-factor * kl_bernoulli(p, x))


@claim("ALG-LC.25/rising-in-the-first", on_the_square("p", "x", "y"), deduced(), false={"factor": "1.1"}, where=ORDER)
def first_argument_rises(p: Probability, x: Probability, y: Probability, factor=1):
    r"""$d(\cdot,p)$ rises on $[p,1]$: $d(x,p)\le d(y,p)$ for $p\le x\le y$"""
    return exp(-kl_bernoulli(y, p)), "<=", exp(-factor * kl_bernoulli(x, p))


@claim("ALG-LC.25/falling-in-the-second", on_the_square("p", "x", "y"), deduced(), false={"factor": "1.1"}, where=ORDER)
def second_argument_falls(p: Probability, x: Probability, y: Probability, factor=1):
    r"""$d(q,\cdot)$ falls on $[0,q]$: $d(q,1-x)\le d(q,1-y)$ for $1-y\le1-x\le q$, with $q=1-p$"""
    return exp(-kl_bernoulli(1 - p, 1 - y)), "<=", exp(-factor * kl_bernoulli(1 - p, 1 - x))


@claim("ALG-LC.25/falling-in-the-first", on_the_square("p", "x", "y"), deduced(), false={"factor": "1.1"}, where=ORDER)
def first_argument_falls(p: Probability, x: Probability, y: Probability, factor=1):
    r"""$d(\cdot,q)$ falls on $[0,q]$: $d(1-x,q)\le d(1-y,q)$ for $1-y\le1-x\le q$, with $q=1-p$"""
    return exp(-kl_bernoulli(1 - y, 1 - p)), "<=", exp(-factor * kl_bernoulli(1 - x, 1 - p))


def at_shares(side: int) -> Any:
    """Means at both ends and between them, and shares between the mean and the end, where both sides would be equal."""
    inside = [Fraction(text) for text in ("1/10", "1/3", "1/2", "9/10")]
    pairs = [(mean, x) for mean in (Fraction(0), *inside, Fraction(1)) for x in inside if side * (x - mean) >= 0]
    points = [{"n": n, "mu": mean, "x": x} for n in (1, 2, 7, 20) for mean, x in pairs]
    return enumerated(points, routes=("binomial tail", "e^(-n d), in balls"))


@claim(
    "ALG-LC.26/upper",
    tried_at(n=300, mu="1/2", x="9/10"),
    at_shares(1),
    deduced(),
    false={"rate": "1.1"},
    where=["mu <= x"],
)
def chernoff_above(n: Count, mu: Probability, x: Probability, rate=1):
    r"""(C.28): $\mathbb P(\hat\mu_n\ge\mu+\beta)\le e^{-nd(\mu+\beta,\mu)}$ for $\beta\in[0,1-\mu]$, with
    $x=\mu+\beta$"""
    tail = total(lambda k: binomial_mass(n, k, mu) * where(k, ">=", n * x, 1, 0), 0, n)
    return tail, "<=", exp(-rate * n * kl_bernoulli(x, mu))


@claim(
    "ALG-LC.26/lower",
    tried_at(n=300, mu="1/2", x="1/10"),
    at_shares(-1),
    deduced(),
    false={"rate": "1.1"},
    where=["x <= mu"],
)
def chernoff_below(n: Count, mu: Probability, x: Probability, rate=1):
    r"""(C.29): $\mathbb P(\hat\mu_n\le\mu-\beta)\le e^{-nd(\mu-\beta,\mu)}$ for $\beta\in[0,\mu]$, with
    $x=\mu-\beta$"""
    tail = total(lambda k: binomial_mass(n, k, mu) * where(k, "<=", n * x, 1, 0), 0, n)
    return tail, "<=", exp(-rate * n * kl_bernoulli(x, mu))


@claim("ALG-LC.19/at-most", in_kernel(bandit_proofs.decomposition_at_most))
def divergence_of_histories_at_most(
    pi: EveryPolicy, nu: EveryBandit, nu_prime: EveryBandit, K: Count, T: Natural, cost: EveryBudget
):
    r"""$\mathrm{KL}(\mathbb P_{\nu\pi}\|\mathbb P_{\nu'\pi})\le\sum_a\mathbb E_\nu[N_a(T)]\mathrm{KL}(P_a\|P'_a)$: if
    each divergence of an arm is at most some number, the left side is at most the sum with these numbers; an arm that
    is never played adds nothing"""
    return when(
        plays_arms(pi, K),
        kl_of_arms_at_most(pi, nu, nu_prime, T, K, cost),
        then=kl_at_most(histories(pi, nu, T), histories(pi, nu_prime, T), pulls_times(pi, nu, T, K, cost)),
    )


@claim("ALG-LC.19/at-least", in_kernel(bandit_proofs.decomposition_at_least))
def divergence_of_histories_at_least(
    pi: EveryPolicy, nu: EveryBandit, nu_prime: EveryBandit, K: Count, T: Natural, cost: EveryBudget
):
    r"""$\mathrm{KL}(\mathbb P_{\nu\pi}\|\mathbb P_{\nu'\pi})\ge\sum_a\mathbb E_\nu[N_a(T)]\mathrm{KL}(P_a\|P'_a)$: if
    each divergence of an arm is at least some number, the left side is at least the sum with these numbers, so it is
    infinite if the divergence of an arm that counts is"""
    return when(
        plays_arms(pi, K),
        rounds_are_kept(),
        of_each_arm(K, lambda a: at_most_kl(cost(a), nu(a), nu_prime(a))),
        then=at_most_kl(pulls_times(pi, nu, T, K, cost), histories(pi, nu, T), histories(pi, nu_prime, T)),
    )
