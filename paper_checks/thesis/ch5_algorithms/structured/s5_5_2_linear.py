r"""Section 5.5.2, page 126: Figure 5.5, AdaC-GOPE against GOPE.

The text leaves open what the counterpart 'GOPE' is: Algorithm 12 of [LS20], or AdaC-GOPE without noise. Actions and
parameter are drawn anew for every 100 runs.
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim, item
from banditproof.claims.steps import fails_at, interval
from banditproof.paper_checks.shared.linear_experiments import BASELINE, FREE, SPHERE, TIMES
from banditproof.paper_checks.thesis.studies import simulated
from banditproof.theory.numbers.normal_law import normal_cdf
from banditproof.verify import Domain

Tenth = Annotated[Any, ["0.1"]]
Largest = Annotated[Any, ["1000"]]
One = Annotated[Any, ["1"]]
COUNTERPART = "to AdaC-GOPE without noise, one reading of 'GOPE'"

item(
    "ALG-E5.5",
    r"""(Figure) the regret that privacy adds to GOPE falls to 0 with the budget $\rho$ at $T=10^4,10^5,10^6$, and the
    price of privacy falls with $t$ up to $10^7$, within $[0,0.35]$, for $\rho=0.01,0.1,1$ ($\delta=0.001$, normal
    noise, Frank-Wolfe designs, ten actions in three dimensions).""",
    domain=Domain.of(rho="(0, inf)"),
    twins=["ZCDP-E2"],
)


def price_within(rho: Any, most: Any, probability: Any, arrays: Any, counterpart: str) -> Any:
    """The price of privacy at the end of the figure."""
    for budget in rho:
        price = arrays[budget][:, -1] / arrays[counterpart][:, -1] - 1
        yield f"price at most {most} at rho = {budget}", price <= float(most), ">=", probability


@claim("ALG-E5.5/price", simulated(SPHERE, rho=["1"]), studies=[SPHERE], role="reading")
def price_against_gope(rho: One, most=Fraction(7, 20), probability=Fraction(1, 2), *, arrays):
    r"""'Compare it to GOPE', read as Algorithm 12 of [LS20]: (right) at $\rho=1$, $t=10^7$ the price of privacy is at
    most $<most>$ with probability at least $<probability>$.

    Its phases are a quarter as long as AdaC-GOPE's without privacy: the price is about 3.5 and does not fall.
    """
    return price_within(rho, most, probability, arrays, BASELINE)


@claim(
    "ALG-E5.5/price-without-noise",
    simulated(SPHERE, rho=["1"]),
    false={"most": "1/200"},
    studies=[SPHERE],
    restricted=COUNTERPART,
)
def price_against_no_noise(rho: One, most=Fraction(7, 20), probability=Fraction(3, 4), *, arrays):
    r"""(right) at $\rho=1$, $t=10^7$ the price of privacy over AdaC-GOPE without noise is at most $<most>$ with
    probability at least $<probability>$."""
    return price_within(rho, most, probability, arrays, FREE)


@claim("ALG-E5.5/difference", simulated(SPHERE, rho=["1000"]), studies=[SPHERE], role="reading")
def difference_to_gope(rho: Largest, most=Fraction(1, 10), probability=Fraction(1, 2), *, arrays):
    r"""'Compare it to GOPE', read as Algorithm 12 of [LS20]: (left) at $\rho=10^3$, the right end, privacy adds at most
    a share $<most>$ to the regret with probability at least $<probability>$."""
    return price_within(rho, most, probability, arrays, BASELINE)


@claim(
    "ALG-E5.5/difference-without-noise",
    simulated(SPHERE, rho=["1000"]),
    false={"most": "-1/100"},
    studies=[SPHERE],
    restricted=COUNTERPART,
)
def difference_to_no_noise(rho: Largest, most=Fraction(1, 10), probability=Fraction(3, 4), *, arrays):
    r"""(left) at $\rho=10^3$ privacy adds at most a share $<most>$ to the regret of AdaC-GOPE without noise with
    probability at least $<probability>$."""
    return price_within(rho, most, probability, arrays, FREE)


@claim("ALG-E5.5/price-falls", simulated(SPHERE, rho=["0.1"]), false={"factor": 10}, studies=[SPHERE], role="reading")
def price_over_three_decades(rho: Tenth, probability=Fraction(1, 2), factor=1, *, arrays):
    r"""'AdaC-GOPE vs GOPE', read as AdaC-GOPE without noise: $<factor>$ times the price of privacy of 100 runs on each
    of three instances is less at $t=10^7$ than at $10^4$ with probability at least $<probability>$."""
    for budget in rho:
        private, free = (arrays[name].reshape(-1, 3, len(TIMES)).mean(axis=1) for name in (budget, FREE))
        price = private / free - 1
        yield f"less at rho = {budget}", float(factor) * price[:, -1] < price[:, TIMES.index(10**4)], ">=", probability


@claim("ALG-E5.5/bounded-rewards", fails_at(mean=Fraction(1, 2)), role="implication", twins=["ZCDP-E2"])
def rewards_of_the_experiment(mean: Annotated[Any, "[-1, 1]"], one=1):
    r"""'The noise to be $\mathcal N(0,1)$': a reward lies in $[-1,1]$ with probability $<one>$, as Assumption 5.10 and
    so the privacy theorem ask."""
    return normal_cdf(1 - mean) - normal_cdf(-1 - mean), "==", one


@claim(
    "ALG-E5.5/bounded-rewards-repaired",
    interval(),
    false={"most": "17/25"},
    role="repair",
    repairs="ALG-E5.5/bounded-rewards",
)
def normal_rewards_leave_the_range(mean: Annotated[Any, "[-1, 1]"], most=Fraction(683, 1000)):
    r"""It does with probability at most $<most>$: privacy is promised for none of the runs of the figure."""
    return normal_cdf(1 - mean) - normal_cdf(-1 - mean), "<=", most
