"""The first part of DPriv-Bench: 49 functions of records in [0, 1], and six mechanisms with the noise that is named.

Every function has a statistic of banditproof, the sensitivity that the noise is calibrated to, in our own formula, and
what is left to prove. Question 2 k - 1 of a mechanism is about function k with that noise, question 2 k with noise of
half the scale (of half the variance, if it is Gaussian).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from typing import Any, NamedTuple

from banditproof.theory import statistics as s


class Function(NamedTuple):
    """A function with its printed sensitivity, a formula in n; `steps` are statements that `judge` has to prove."""

    statistic: Any
    printed: str = "1"
    steps: tuple[str, ...] = ()
    note: str = ""


class Noise(NamedTuple):
    """A mechanism: the sentence about noise that is `c` times too small, and its parameters for sensitivity `t`."""

    file: str
    sentence: str
    law: str
    parameters: Callable[[Any, int], dict[str, Any]]
    kind: str
    budget: str


_HALF = F(1, 2)


def _alternating(i: int, n: int) -> int:
    return 0 if i == n and n % 2 else (-1) ** (i + 1)


FUNCTIONS: dict[int, Function] = {
    1: Function(s.total()),
    2: Function(s.product_of_records()),
    3: Function(s.maximum()),
    4: Function(s.minimum()),
    5: Function(s.mean(), "1/n"),
    6: Function(s.norm_of_records()),
    7: Function(s.total_variation(), "2"),
    8: Function(s.absolute_deviations(), "2*(n - 1)/n"),
    9: Function(s.squared_deviations(), "(n - 1)/n"),
    10: Function(s.total(s.power(2, 0)), "1", ("(x - m)^2 <= 1 for x, m in [0, 1]",), "for every centre, worst at 0"),
    11: Function(s.total(s.power(2))),
    12: Function(s.total(s.power(3))),
    13: Function(s.total(s.square_root)),
    14: Function(s.total(s.log_plus_one), "log(2)", ("log(1 + 1) - log(1 + 0) <= log(2)",)),
    15: Function(s.total(s.exponential()), "e - 1", ("exp(1) - exp(0) <= e - 1",)),
    16: Function(s.total(s.sine)),
    17: Function(s.total(s.cosine), "2"),
    18: Function(s.total(s.arctangent), "pi/4", (), "atan(1) = pi/4"),
    19: Function(s.total(s.parabola()), "1/4"),
    20: Function(s.total(s.parabola(2)), "1/16"),
    21: Function(s.median()),
    22: Function(s.quantile_range(), "1", (), "at most 1 for every kind of quartile, between 0 and 1"),
    23: Function(s.total(s.above(_HALF))),
    24: Function(s.total(s.within(F(1, 4), _HALF)), "1", (), "for every interval: a count"),
    25: Function(s.adjacent_products(), "2"),
    26: Function(s.pair_products(), "n - 1"),
    27: Function(s.weighted_sum(_alternating, ever=1)),
    28: Function(s.squared_sum(), "2*n - 1", ("max(1, n^2 - (n - 1)^2) <= 2 n - 1 for integer n >= 1",)),
    29: Function(s.weighted_sum(lambda i, n: i), "n"),
    30: Function(s.indicator("a majority", lambda x: sum(x) > F(len(x), 2))),
    31: Function(s.total(s.above("7/10"))),
    32: Function(s.indicator("all exceed 2/5", lambda x: all(v > F(2, 5) for v in x)), "1", (), "for every threshold"),
    33: Function(s.indicator("the first exceeds the second", lambda x: x[0] > x[1], least=2)),
    34: Function(s.indicator("an odd count", lambda x: bool(sum(v > _HALF for v in x) % 2))),
    35: Function(s.log_of_squares(), "log(2)", ("log(1 + 1) - log(1 + 0) <= log(2)",)),
    36: Function(s.cyclic_steps(), "sqrt(2)"),
    37: Function(s.squares_over_sum(), "1/2"),
    38: Function(s.exp_of_squares(), "1 - exp(-1)", ("exp(0) - exp(-1) <= 1 - exp(-1)",)),
    39: Function(s.total(s.inverse_square), "1/2"),
    40: Function(
        s.total(s.sigmoid),
        "(1 - exp(-1))/(2*(1 + exp(-1)))",
        ("1/(1 + exp(-1)) - 1/(1 + exp(0)) <= (1 - exp(-1))/(2 (1 + exp(-1)))",),
    ),
    41: Function(s.softmax_mean(), "e/(e + n - 1)", ("exp(1)/(exp(1) + n - 1) <= e/(e + n - 1) for integer n >= 1",)),
    42: Function(s.total(s.distance_to(_HALF)), "1/2"),
    43: Function(s.squared_steps(), "2"),
    44: Function(s.total(), "1", (), "the same sum for every permutation"),
    45: Function(s.rank(2), "n - 1", (), "for every place"),
    46: Function(s.weighted_sum(lambda i, n: 1 - i % 2, ever=1)),
    47: Function(s.weighted_sum(lambda i, n: F(1, i), ever=1)),
    48: Function(
        s.total(s.entropy(2)),
        "log(3)",
        ("x log(x + d) <= log(1 + d) for x in [0, 1], d > 1", "x log(x + d) >= 0 for x in [0, 1], d > 1"),
        "for every shift above 1; the other end at 2",
    ),
    49: Function(
        s.total_by_position(lambda i, n: s.distance_to(F(i, n))), "1", ("abs(x - c) <= 1 for x, c in [0, 1]",)
    ),
}


def _choice(noise: str) -> Noise:
    file = {"gumbel": "ExpoMech", "exponential": "PF", "Laplace": "LaplaceRNM"}[noise]
    law = "waiting" if noise == "exponential" else noise.lower()
    return Noise(
        f"cate_1_{file}_pureDP",
        f"noisy max with {noise} noise of scale 2 s/({{c}}*eps) on scores of sensitivity s is eps-DP for s, eps > 0",
        "noisiest",
        lambda t, c: {"noise": law, "scale": 2 * t / c},
        "dp",
        "epsilon",
    )


MECHANISMS: dict[str, Noise] = {
    "Laplace": Noise(
        "cate_1_Laplace_pureDP",
        "Laplace noise of scale s/({c}*eps) on sensitivity s is eps-DP for s, eps > 0",
        "laplace",
        lambda t, c: {"scale": t / c},
        "dp",
        "epsilon",
    ),
    "Gaussian, GDP": Noise(
        "cate_1_Gaussian_GDP",
        "Gaussian noise of variance s^2/({c}*mu^2) on sensitivity s is mu-GDP for s, mu > 0",
        "gaussian",
        lambda t, c: {"variance": t**2 / c},
        "gdp",
        "mu",
    ),
    "Gaussian, zCDP": Noise(
        "cate_1_Gaussian_zCDP",
        "Gaussian noise of variance s^2/(2*{c}*rho) on sensitivity s is rho-zCDP for s, rho > 0",
        "gaussian",
        lambda t, c: {"variance": t**2 / (2 * c)},
        "zcdp",
        "rho",
    ),
    "exponential mechanism": _choice("gumbel"),
    "noisy max, Laplace": _choice("Laplace"),
    "permute-and-flip": _choice("exponential"),
}
