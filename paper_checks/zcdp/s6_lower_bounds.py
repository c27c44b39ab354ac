"""Section VI: divergences of private mechanisms and policies (Theorems 6 to 8), the minimax bound of Theorem 9.

The thesis states all of it too, the bound on policies with E[(sum t)^2] for the paper's [E sum t]^2 + V(sum t).
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.two_environments import bernoulli_laws, regret
from banditproof.verify import FiniteKernel, history_law
from banditproof.verify.privacy.interactive_rho import strongest_interactive_rho

Gap = Annotated[Any, "(0, 1)"]
SMALLEST = "to T = 2, actions -1 and 1, parameters -g and g, rewards of -1 or 1"


def answering(p: Fraction, q: Fraction) -> FiniteKernel:
    """First either action, then 1 with probability p after a reward that speaks for g, q after one for -g."""

    def row(history: Any) -> Any:
        second = (p if history[0][0] == history[0][1] else q) if history else Fraction(1, 2)
        return 1 - second, second

    return FiniteKernel(2, 2, (0, 1), row)


def linear_regrets(policy: FiniteKernel, gap: Fraction) -> list[Fraction]:
    """The regret at theta = gap and -gap: that of Bernoulli arms, whose gap is half as large, twice."""
    laws = [((1 - theta) / 2, (1 + theta) / 2) for theta in (gap, -gap)]
    return [2 * regret(history_law(policy, bernoulli_laws(means)), means) for means in laws]


@quantity
def rho_of_answers(odds: Any) -> Any:
    """The tightest rho of Interactive zCDP of the policy that answers with these odds, rounded up."""
    likely = Fraction(odds) / (1 + Fraction(odds))
    return Fraction(strongest_interactive_rho(answering(likely, 1 - likely)).upper)


@claim(
    "ZCDP-D6/budget",
    enumerated(odds=["11/10", "3", "99"], rational=True, routes=("the policy's law on neighbours", "closed form")),
    restricted=SMALLEST,
)
def budget_that_is_needed(odds: Annotated[Any, "[11/10, inf)"]):
    r"""That policy is $\rho$-Interactive zCDP for $\rho=\varepsilon\tanh\frac\varepsilon2$ (within 1/1000).

    The tightest rho is enclosed by divergences at finitely many orders, which explains the tolerance.
    """
    return rho_of_answers(odds), "<=", (odds - 1) / (odds + 1) * log(odds) * Fraction(1001, 1000)


@quantity
def mean_regret_of_answers(answers: Sequence[Any], gap: Any) -> Fraction:
    """The mean of the regrets at both parameters of a policy that answers with two probabilities."""
    return Fraction(sum(linear_regrets(answering(*map(Fraction, answers)), Fraction(gap)))) / 2


@quantity
def rho_of_a_policy(answers: Sequence[Any]) -> Fraction:
    """The tightest rho of Interactive zCDP of that policy, rounded up."""
    return Fraction(strongest_interactive_rho(answering(*map(Fraction, answers))).upper)


ANSWERS = [["3/4", "1/4"], ["9/10", "1/2"], ["1/2", "1/10"], ["99/100", "9/10"], ["51/100", "1/2"], ["1/4", "3/4"]]


@claim(
    "ZCDP-D6/least",
    enumerated(answers=ANSWERS, gap=["1/3"], rational=True, routes=("regrets at both parameters", "divergences")),
    restricted=SMALLEST,
)
def no_policy_does_better(answers: Annotated[Any, "all: every policy"], gap: Gap):
    r"""A $\rho$-Interactive zCDP policy whose mean regret at the two parameters is $2g-g^2x$ has $x
    \log\frac{1+x}{1-x}\le\rho$: none does better than $x=\tanh\frac\varepsilon2$.

    The policies considered answer a reward for g and a reward for -g with two probabilities; `cost` is about all of
    them.
    """
    x = absolute(2 * gap - mean_regret_of_answers(answers, gap)) / gap**2
    return x * log((1 + x) / (1 - x)), "<=", rho_of_a_policy(answers)


@claim("ZCDP-D6/cost-of-answers", deduced(), restricted=SMALLEST)
def answers_cost_privacy(p: Inside, q: Inside):
    r"""$\rho\ge\frac1{2}(p-q)\log\frac{p(1-q)}{q(1-p)}$: the cost of answers that speak for $g$ with the chances
    $p$, $q$.

    Both divergences of Bern(p) and Bern(q) are at most rho, and the right side is the mean of the two.
    """
    both = maximum(kl_bernoulli(p, q), kl_bernoulli(q, p))
    return both, ">=", (p - q) * log(p * (1 - q) / (q * (1 - p))) / 2


@claim("ZCDP-D6/cost", deduced(), false={"twice": "2.05"}, restricted=SMALLEST, where=["p >= q"])
def gain_costs_privacy(p: Inside, q: Inside, twice=2):
    r"""$\rho\ge\frac1{2}(p-q)\log\frac{p(1-q)}{q(1-p)}\ge x\log\frac{1+x}{1-x}$ for $x=p-q$: answers that differ by
    $\tanh\frac\varepsilon2$ cost at least $\varepsilon\tanh\frac\varepsilon2$."""
    x = p - q
    return x * log(p * (1 - q) / (q * (1 - p))), ">=", twice * x * log((1 + x) / (1 - x))
