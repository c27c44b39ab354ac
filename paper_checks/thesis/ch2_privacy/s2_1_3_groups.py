"""Section 2.1.3, page 16: group privacy (Proposition 2.8)."""

from fractions import Fraction
from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.composition import chance_of_yes, counting
from banditproof.theory.numbers.numeric import least


@quantity
def most_of_an_event(ratio: Any, delta: Any, size: int) -> Any:
    """The largest chance, over (log ratio, delta)-DP mechanisms, of an event that `size` changed records rule out.

    A record takes q to at most ratio q + delta, and 1 - q to at least (1 - q - delta)/ratio; a mechanism that counts
    records attains both. Raises InvalidInput above a thousand records.
    """
    if size > 1000:
        raise InvalidInput("size", size, "at most 1000")
    chance: Any = 0
    for _ in range(size):
        chance = least([ratio * chance + delta, 1 - (1 - delta - chance) / ratio, 1])
    return chance


@quantity
def chance_by_counting(epsilon: Any, delta: Any, size: int, ones: int) -> Fraction:
    """M_D(A) if D has `ones` of `size` bits set, for M that says 'yes' with the largest chance for their number.

    A is the event 'yes', which M never says if no bit is set. Raises InvalidInput unless M is (log r, delta)-DP, and so
    (epsilon, delta)-DP, for the largest whole number r up to e^epsilon.
    """
    ratio = Fraction(int(exp(to_ball(epsilon)).floor().unique_fmpz()))
    exact = Fraction(delta)
    chances = [Fraction(most_of_an_event(ratio, exact, k)) for k in range(size + 1)]
    return chance_of_yes(counting(chances, ratio, exact), ones)


@claim(
    "TH-P2.8/edge-above-one",
    fails_at(epsilon=3, delta=Fraction(1, 1000), size=2, rational=True),
    called={
        r"""the mechanism that says 'yes' with probability 0, 1/1000 or 21/1000 if 0, 1 or 2 of two bits are 1, $A$ =
        'yes', $D$ = both ones, $D'$ = both zeros, $k$""": "size",
        r"$\mathcal M_D(A)$": "left",
        "the bound": "right",
    },
)
def group_privacy_as_printed(epsilon: Nonnegative, delta: BelowOne, size: Natural):
    r"""For every $\varepsilon\ge0$: $\mathcal M_D(A)\le e^{\varepsilon k}\mathcal M_{D'}(A)+\delta ke^{(k-1)}$ for
    every $(\varepsilon,\delta)$-DP mechanism, every event $A$ and $k=d_{\rm Ham}(D,D')$.

    Two changed records can cost $\delta(1+e^\varepsilon)$, which is more than $2e\delta$ if $e^\varepsilon>2e-1$. For
    $\varepsilon\le1$, the range that the text has in mind, the statement holds. With $e^{\varepsilon(k-1)}$ in place of
    $e^{k-1}$ the statement holds for every $\varepsilon$.

    The mechanism is (log 20, 1/1000)-DP, and log 20 < 3.
    """
    on_ones, on_zeros = (chance_by_counting(epsilon, delta, size, ones) for ones in (size, 0))
    return on_ones, "<=", exp(epsilon * size) * to_ball(on_zeros) + delta * size * exp(size - 1)


@claim(
    "TH-P2.8/exact-sum",
    enumerated(ratio=[1, "3/2", "4", "20"], size=range(1, 6), rational=True),
    where=["size * ratio**size <= 100000000"],
    role="remark",
)
def exact_sum(ratio: AtLeastOne, size: Count):
    r"""The worst case at distance $k$ is $\delta\sum_{j<k}e^{j\varepsilon}$ (here $\delta=10^{-9}$; the variable is
    $e^\varepsilon$): no mechanism exceeds it, and the worst chain attains it, while $ke^{k\varepsilon}\le10^8$.

    For larger values the bound on the complement of the event may be the tighter one.
    """
    delta = Fraction(1, 10**9)
    return most_of_an_event(ratio, delta, size), "==", delta * total(lambda j: ratio**j, 0, size - 1)
