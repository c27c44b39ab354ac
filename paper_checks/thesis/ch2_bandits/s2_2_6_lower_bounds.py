r"""Section 2.2.6, page 32: consistency, the distinguishability gap $\mathrm{KL}_{\inf}$, and the asymptotic bound."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.theory import Bernoulli, Bounded, FiniteClass, FinitelySupported
from banditproof.theory.numbers.enclosure import End

KlTv = Annotated[Any, "all: kl and tv"]


@quantity
def nearest_above(end: int, means: Any, divergence: str, below: Any) -> End:
    """Of the infimum over members whose mean is above that of the second one, moved down by so much: an end (0, 1)."""
    laws = [Bernoulli(mean) for mean in means]
    verb = {"kl": FiniteClass.kl_inf, "tv": FiniteClass.tv_inf}[divergence]
    found = verb(FiniteClass(laws[0], laws), laws[1].mean - below).value
    return found.upper if end else found.lower


@claim(
    "TH-D2.30/strict-in-finite-classes",
    enumerated(
        means=[["1/4", "1/2", "3/4"], ["0", "1/10", "1"], ["1/10", "1/5", "1/2"], ["1/3", "1/2", "51/100"]],
        divergence=["kl", "tv"],
        covers={"means": "all: 4 lists of three means", "divergence": "all: kl and tv"},
        rational=True,
        routes=("infimum over means > mu*", "infimum over means >= mu*"),
    ),
    false={"allowed": 0},
)
def strict_in_finite_classes(
    means: Annotated[Any, "all: every increasing list of Bernoulli means"], divergence: KlTv, allowed=Fraction(1, 100)
):
    r"""In a finite class $\mu(P')>\mu^*$ is not $\mu(P')\ge\mu^*$: where $\mu^*$ is a member's mean (moved down by
    1/100), the strict infimum is larger.

    The finite class consists of these Bernoulli laws, from the first to the mean of the second; the claim compares the
    nearest law above this mean with the law at it.
    """
    return nearest_above(0, means, divergence, 0), ">", nearest_above(1, means, divergence, allowed)


@quantity
def end_of_the_infimum(end: int, law: Any, target: Fraction, divergence: str) -> End:
    """Of the infimum over laws with this mean: what the best law found costs (1), what the multiplier proves (0)."""
    points, probabilities, family = law
    member = FinitelySupported(points, probabilities) if family == "points" else Bounded(points, probabilities)
    infimum = member.kl_inf(target) if divergence == "kl" else member.tv_inf(target)
    if not infimum.recheck():
        raise ArithmeticError("the certificate of the infimum does not hold")
    return infimum.value.upper if end else infimum.value.lower


@claim(
    "TH-D2.30/duality",
    enumerated(
        law=[
            [["0", "1/3", "1"], ["1/2", "1/3", "1/6"], "points"],
            [["-1", "0", "2", "5"], ["1/4", "1/4", "1/2", "0"], "points"],
            [["0", "1/4", "1/2"], ["1/3", "1/3", "1/3"], "unit interval"],
            [["1/2"], ["1"], "unit interval"],
            [["0", "1"], ["7/10", "3/10"], "unit interval"],
        ],
        target=["11/20", "3/4", "19/20"],
        divergence=["kl", "tv"],
        covers={"law": "all: 5 laws", "target": ["11/20", "3/4", "19/20"]},
        rational=True,
        routes=("a law of mean mu*", "a multiplier of the mean"),
    ),
    false={"slack": -1},
)
def duality(law: Annotated[Any, "all: every law with finitely many atoms"], target: Real, divergence: KlTv, slack=1):
    r"""For laws on given points and on $[0,1]$ (mass on 1 allowed) $\mathrm{KL}_{\inf}$ and $\mathrm{TV}_{\inf}$ equal
    their one-dimensional duals, up to $10^{-30}$.

    The two certified ends come from the best law found and from the dual multiplier found.
    """
    best, dual = (end_of_the_infimum(end, law, target, divergence) for end in (1, 0))
    return best - dual, "<=", slack * Fraction(1, 10**30)


@quantity
def infimum_over_laws_on_bits(mu_a: Any, mu_star: Any) -> Any:
    """KL_inf of Bernoulli(mu_a) over the laws on {0, 1} of mean above mu_star, with its certificate."""
    return FinitelySupported([0, 1], [1 - Fraction(mu_a), Fraction(mu_a)]).kl_inf(mu_star).value.ball()


@claim(
    "TH-T2.31/matches-kl-ucb",
    enumerated(
        [
            {"mu_a": Fraction(low), "mu_star": Fraction(high)}
            for low in ("1/1000", "1/4", "1/2", "9/10")
            for high in ("3/10", "1/2", "91/100", "999/1000")
            if Fraction(low) < Fraction(high)
        ],
        rational=True,
        routes=("certified infimum over the laws on {0, 1}", "closed form"),
    ),
    where=["mu_a < mu_star"],
    role="implication",
)
def matches_kl_ucb(mu_a: Inside, mu_star: Inside):
    r"""Bernoulli arms: Theorems 2.26 and 2.31 have one constant, as $\mathrm{KL}_{\inf}=d(\mu_a,\mu^*)$ (to 25 digits).

    At mu* = 1 both are infinite (TH-S2.2f/best-mean-one).
    """
    quotient = infimum_over_laws_on_bits(mu_a, mu_star) / kl_bernoulli(mu_a, mu_star)
    return maximum(quotient, 1 / quotient), "<=", 1 + Fraction(1, 10**25)
