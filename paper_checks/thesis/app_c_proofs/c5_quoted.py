"""Appendix C.5, page 231: quoted results on privacy, relative entropies and tails.

Most of them occur elsewhere in the documents: these are restated.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Annotated, Any

from banditproof.claims.derivations import facts_hold
from banditproof.claims.register import claim
from banditproof.claims.sets import (
    AboveOne,
    AtLeastOne,
    Count,
    EveryFunction,
    EveryLaw,
    EveryVariable,
    Inside,
    Natural,
    Positive,
    Probability,
    Real,
    Sides,
)
from banditproof.claims.steps import argued, certified, enumerated, in_kernel, symbolic, tried_at
from banditproof.paper_checks.shared import divergence_proofs, kernel_proofs, renyi_proofs
from banditproof.paper_checks.shared.noise import CHERNOFF_PROOF, chernoff_bound
from banditproof.paper_checks.thesis.facts.episodes import binomial_mass, hoeffding_tilt, kl, tail_of_laplace
from banditproof.paper_checks.thesis.facts.privacy import Mechanism, on_mechanisms, processed
from banditproof.theory import exp, kl_bernoulli, log, maximum, to_ball
from banditproof.theory.numbers.numeric import ratio
from banditproof.theory.numbers.term import total
from banditproof.verify import Formula, SymbolicArgument, nonnegative, positive, random_channel, random_law
from banditproof.verify.kernel.divergences import kl_at_most, renyi_at_most
from banditproof.verify.kernel.meanings import at_most_by_mean_size, chance, drawn, size, when
from banditproof.verify.proof.regimes import relative_entropy

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
    proofs use it: what the right side is at most, the left side is"""
    outputs = drawn(channel, P), drawn(channel, Q)
    return when(renyi_at_most(P, Q, alpha, most), then=renyi_at_most(*outputs, alpha, most))


@claim("ALG-LC.16/order-one", in_kernel(divergence_proofs.processed_kl))
def processing_of_relative_entropy(P: EveryLaw, Q: EveryLaw, channel: EveryFunction, most: Real):
    r"""$D_1(f(P)\|f(Q))\le D_1(P\|Q)$, the Kullback-Leibler divergence: what the right side is at most, the left side
    is"""
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

    The deterministic f tells outputs 0, 1 and 2, 3 apart no more. An output of probability zero leaves nothing to
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
    chances = random_law(law, "markov", 7, 0) if law else [Fraction(value == -2) for value in range(-3, 4)]
    sizes = [(abs(value), p) for value, p in zip(range(-3, 4), chances, strict=True)]
    above = sum((p for x, p in sizes if x >= epsilon), Fraction(0))
    return above, "<=", factor * sum((x * p for x, p in sizes), Fraction(0)) / epsilon


def pair_of_laws(laws: int) -> list[tuple[Fraction, Fraction]]:
    """Two random laws on five outcomes, outcome by outcome; number 0 has outcomes that only one of them allows."""
    first, second = (random_law(laws, side, 5, 0 if laws == 0 else 1) for side in "pq")
    return list(zip(first, second, strict=True))


def entropy_of(pairs: list[tuple[Fraction, Fraction]]) -> Any:
    if any(p and not q for p, q in pairs):
        return to_ball("inf")
    return sum((to_ball(p) * log(to_ball(p / q)) for p, q in pairs if p), to_ball(0))


def on_laws(*routes: str) -> enumerated:
    return enumerated(
        lambda check: {"laws": range(check.pick(60, 1000))},
        covers={"laws": "all: random laws on five outcomes"},
        routes=(routes[0], routes[1]),
    )


@claim(
    "ALG-LC.20/laws", on_laws("probabilities at the best event", "relative entropy, in balls"), false={"factor": "1.01"}
)
def bretagnolle_huber_for_laws(laws: TwoLaws, factor=Fraction(1, 2)):
    r"""$\mathbb P(A)+\mathbb Q(A^c)\ge\frac12\,e^{-D(\mathbb P,\mathbb Q)}$ for laws on several outcomes and any event

    At the event where the left side is smallest it is the sum of the smaller masses.
    """
    pairs = pair_of_laws(laws)
    return to_ball(sum(min(pair) for pair in pairs)), ">=", factor * exp(-entropy_of(pairs))


@claim("ALG-LC.21/laws", on_laws("relative entropy, in balls", "total variation"), false={"factor": 8})
def pinsker_for_laws(laws: TwoLaws, factor=2):
    r"""for laws on several outcomes: $\mathrm{KL}\ge2\,\mathrm{TV}^2$

    Data processing (ALG-LC.16) to the event where the laws differ most reduces this to two outcomes.
    """
    pairs = pair_of_laws(laws)
    variation = sum((abs(p - q) for p, q in pairs), Fraction(0)) / 2
    return entropy_of(pairs), ">=", factor * to_ball(variation**2)


@claim("ALG-LC.22", symbolic(routes=("integral of the density", "closed form")), false={"half": "0.49"})
def laplace_tails(scale: Positive, level: Positive, half=Fraction(1, 2)):
    r"""$\mathbb P(\mathrm{Lap}(b)>a)=\mathbb P(\mathrm{Lap}(b)<-a)=\frac12e^{-a/b}$ for $a,b>0$ ($a$ in units of $b$)

    P(Lap(b) > a) with a = scale * level, by integration; the law is symmetric.
    """
    mass, _, printed = tail_of_laplace(scale, level)
    return mass, "==", 2 * half * printed


def counts(sizes: tuple[int, ...], means: tuple[str, ...]) -> list[dict[str, Any]]:
    return [{"n": n, "mu": Fraction(mu), "wins": k} for n, mu in product(sizes, means) for k in range(n + 1)]


@claim(
    "ALG-LC.23",
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
)
def hoeffding(law: Law, n: Count, mu: Probability, wins: Natural, square=2):
    r"""iid rewards in $[0,1]$, $\beta\ge0$: $\mathbb P(\hat\mu_n\ge\mu+\beta)\le e^{-2n\beta^2}$, and so for the lower
    tail

    Between two possible values of the mean the tail is constant and the bound falls: mean = wins/n is the worst.
    """
    deviation = ratio(wins, n) - mu
    tail = total(lambda s: binomial_mass(n, s, mu), wins, n + 1)
    return to_ball(tail), "<=", exp(-to_ball(square * n * deviation**2))


@cache
def second_derivative(first: bool) -> Formula:
    """Of p log(p/q) + (1 - p) log((1 - p)/(1 - q)) in p or in q, as a function of both."""
    import sympy

    p, q = sympy.symbols("p q")
    formula = p * sympy.log(p / q) + (1 - p) * sympy.log((1 - p) / (1 - q))
    curved = sympy.factor(sympy.diff(formula, p if first else q, 2))
    return Formula((p, q), curved)


@claim("ALG-LC.25/convex-in-the-first", symbolic(), false={"least": "4.1"})
def convex_in_the_first(p: Inside, q: Inside, least=4):
    r"""$\frac{\partial^2d}{\partial p^2}=\frac1{p(1-p)}\ge4>0$

    A convex function whose second derivative is at least 4 > 0 has one minimiser: d(q, q) = 0 <= d.
    """
    return least + 0 * q, "<=", second_derivative(True)(p, q)


@claim("ALG-LC.25/convex-in-the-second", symbolic())
def convex_in_the_second(p: Inside, q: Inside):
    r"""$\frac{\partial^2d}{\partial q^2}\ge\big(\frac p{q^2}+\frac{1-p}{(1-q)^2}\big)>0$

    Differentiated from the definition of d by SymPy; the two sides are equal.
    """
    return p / q**2 + (1 - p) / (1 - q) ** 2, "<=", second_derivative(False)(p, q)


def _ordered(further: int) -> SymbolicArgument:
    """p <= x <= y in (0, 1). d(p, y) - d(p, x) = d(x, y) + (x - p) (logit y - logit x), and likewise
    d(y, p) - d(x, p) = d(y, x) + (y - x) (logit x - logit p)."""
    import sympy

    a, (b, c) = positive("a"), nonnegative("b c")
    p, x, y = (odds / (1 + odds) for odds in (a, a + b, a + b + c))
    if further == 2:
        certificate = relative_entropy(x, y) + sympy.factor(x - p) * sympy.log(1 + c / (a + b))
    else:
        certificate = relative_entropy(y, x) + sympy.factor(y - x) * sympy.log(1 + b / a)
    return SymbolicArgument({"p": p, "x": x, "y": y}, certificate, "nonnegative")


def further_in_the_second() -> SymbolicArgument:
    return _ordered(2)


def further_in_the_first() -> SymbolicArgument:
    return _ordered(1)


ORDER = ["p <= x", "x <= y"]
NEAR = tried_at(p="1/3", x="1/2", y="501/1000")


@claim(
    "ALG-LC.25/rising-in-the-second",
    NEAR,
    symbolic(further_in_the_second, points=10),
    false={"factor": "1.1"},
    where=ORDER,
)
def second_argument_rises(p: Inside, x: Inside, y: Inside, factor=1):
    r"""$d(p,x)\le d(p,y)$ for $p\le x\le y$; the falling half is its mirror image, $d(p,q)=d(1-p,1-q)$"""
    return factor * kl(p, x), "<=", kl(p, y)


@claim(
    "ALG-LC.25/rising-in-the-first",
    NEAR,
    symbolic(further_in_the_first, points=10),
    false={"factor": "1.1"},
    where=ORDER,
)
def first_argument_rises(p: Inside, x: Inside, y: Inside, factor=1):
    r"""$d(x,p)\le d(y,p)$ for $p\le x\le y$, and mirrored"""
    return factor * kl(x, p), "<=", kl(y, p)


@claim(
    "ALG-LC.25/ends",
    enumerated(
        [
            dict(zip("pxy", map(Fraction, values), strict=True))
            for values in combinations_with_replacement(("0", "1/4", "1/2", "3/4", "1"), 3)
        ],
        routes=("values at both points", "their order"),
    ),
    where=ORDER,
)
def order_where_values_are_infinite(p: Probability, x: Probability, y: Probability):
    r"""the same where $p$, $x$ or $y$ is 0 or 1 and values are infinite ($d$, as $e^{-d}$)

    Both rising statements as e^-d, so that infinite values compare.
    """
    in_the_second = exp(-kl_bernoulli(p, y)) - exp(-kl_bernoulli(p, x))
    in_the_first = exp(-kl_bernoulli(y, p)) - exp(-kl_bernoulli(x, p))
    return maximum(in_the_second, in_the_first), "<=", Fraction(1, 2**40)


def on_counts(side: str) -> tuple[Any, ...]:
    listed = counts((1, 2, 7, 20), ("0", "1/100", "1/2", "9/10", "1"))
    sign = 1 if side == "upper" else -1
    points = [p for p in listed if sign * (p["wins"] - p["n"] * p["mu"]) > 0]
    routes = ("exact binomial tail", "e^(-n d), in rationals")
    return enumerated(points, rational=True, routes=routes), certified(facts_hold, CHERNOFF_PROOF)


def at_a_rate(tail: Any, bound: Any, rate: Any) -> Sides:
    """Tail^q against bound^p for the rate p/q, in rationals."""
    rate = Fraction(rate)
    return tail**rate.denominator, "<=", bound**rate.numerator


@claim("ALG-LC.26/upper", *on_counts("upper"), false={"rate": "1.1"}, where=["wins > n * mu", "wins <= n"])
def chernoff_above(n: Count, mu: Probability, wins: Natural, rate=1):
    r"""(C.28): $\mathbb P(\hat\mu_n\ge\frac kn)\le e^{-nd(\frac kn,\mu)}$ for $\frac kn>\mu$; at $\beta=0$ the bound is
    1"""
    tail = total(lambda s: binomial_mass(n, s, mu), wins, n + 1)
    return at_a_rate(tail, chernoff_bound(n, n * mu, wins), rate)


@claim("ALG-LC.26/lower", *on_counts("lower"), false={"rate": "1.1"}, where=["wins < n * mu", "wins <= n"])
def chernoff_below(n: Count, mu: Probability, wins: Natural, rate=1):
    r"""(C.29): $\mathbb P(\hat\mu_n\le\frac kn)\le e^{-nd(\frac kn,\mu)}$ for $\frac kn<\mu$; at $\beta=0$ the bound is
    1"""
    tail = total(lambda s: binomial_mass(n, s, mu), 0, wins + 1)
    return at_a_rate(tail, chernoff_bound(n, n * mu, wins), rate)
