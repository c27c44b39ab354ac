"""Statistics twice: as objects of `statistics`, and as plain functions that share no code with them.

Each entry is (object, function of a list, domain, records of the grid). `BENCH` numbers those of the public list of 49
functions of records in [0, 1] by their ids; a second number is its own parameter.
"""

import math
from fractions import Fraction as F

from banditproof.theory import statistics as s

UNIT, SIGNED, WIDE = (0, 1), (-1, 2), (F(1, 2), 3)


def mean(x):
    return sum(x) / len(x)


def deviations(x):
    return sum((v - mean(x)) ** 2 for v in x) if x else 0


def quantile(q):
    def of(x):
        x, h = sorted(x), (len(x) - 1) * q
        low = int(h)
        return x[low] if h == low else x[low] + (h - low) * (x[low + 1] - x[low])

    return of


def trimmed(x):
    k = len(x) // 4
    return mean(sorted(x)[k : len(x) - k])


def winsorised(x):
    y, k = sorted(x), len(x) // 4
    return mean([max(y[k], min(v, y[-1 - k])) for v in x])


def steps(h):
    return lambda x: sum(h(x[i], x[i + 1]) for i in range(len(x) - 1))


def summed(g):
    return lambda x: sum(g(v) for v in x)


def alternating(i, n):
    return 0 if i == n and n % 2 else (-1) ** (i + 1)


def softmax(x):
    return [math.exp(v) / sum(math.exp(w) for w in x) for v in x]


def above(t):
    return lambda v: int(v > t)


half = F(1, 2)
BENCH = {
    1: (s.total(), sum),
    2: (s.product_of_records(), math.prod),
    3: (s.maximum(), max),
    4: (s.minimum(), min),
    5: (s.mean(), mean),
    6: (s.norm_of_records(), lambda x: math.sqrt(sum(v * v for v in x))),
    7: (s.total_variation(), steps(lambda v, w: abs(v - w))),
    8: (s.absolute_deviations(), lambda x: sum(abs(v - mean(x)) for v in x)),
    9: (s.squared_deviations(), deviations),
    10: (s.total(s.power(2, F(1, 3))), summed(lambda v: (v - F(1, 3)) ** 2)),
    11: (s.total(s.power(2)), summed(lambda v: v**2)),
    12: (s.total(s.power(3)), summed(lambda v: v**3)),
    13: (s.total(s.square_root), summed(math.sqrt)),
    14: (s.total(s.log_plus_one), summed(math.log1p)),
    15: (s.total(s.exponential()), summed(math.exp)),
    16: (s.total(s.sine), summed(lambda v: math.sin(math.pi * v))),
    17: (s.total(s.cosine), summed(lambda v: math.cos(math.pi * v))),
    18: (s.total(s.arctangent), summed(math.atan)),
    19: (s.total(s.parabola()), summed(lambda v: v * (1 - v))),
    20: (s.total(s.parabola(2)), summed(lambda v: v**2 * (1 - v) ** 2)),
    21: (s.median(), quantile(half)),
    22: (s.quantile_range(), lambda x: quantile(F(3, 4))(x) - quantile(F(1, 4))(x)),
    23: (s.total(s.above(half)), summed(above(half))),
    24: (s.total(s.within(F(1, 4), half)), summed(lambda v: int(F(1, 4) <= v <= half))),
    25: (s.adjacent_products(), steps(lambda v, w: v * w)),
    26: (s.pair_products(), lambda x: sum(x[i] * x[j] for j in range(len(x)) for i in range(j))),
    27: (s.weighted_sum(alternating, ever=1), lambda x: sum(x[i] - x[i + 1] for i in range(0, len(x) - 1, 2))),
    28: (s.squared_sum(), lambda x: sum(x) ** 2),
    29: (s.weighted_sum(lambda i, n: i), lambda x: sum((i + 1) * v for i, v in enumerate(x))),
    30: (s.indicator("a majority", lambda x: sum(x) > F(len(x), 2)), lambda x: int(2 * sum(x) > len(x))),
    31: (s.total(s.above("7/10")), summed(above(F(7, 10)))),
    32: (s.indicator("all exceed 0.4", lambda x: all(v > F(2, 5) for v in x)), lambda x: int(min([*x, 1]) > F(2, 5))),
    33: (s.indicator("the first exceeds the second", lambda x: x[0] > x[1], least=2), lambda x: int(x[1] - x[0] < 0)),
    34: (s.indicator("an odd count", lambda x: sum(v > half for v in x) % 2), lambda x: sum(map(above(half), x)) % 2),
    35: (s.log_of_squares(), lambda x: math.log(1 + sum(v * v for v in x))),
    36: (s.cyclic_steps(), lambda x: math.sqrt(sum((x[i] - x[i - 1]) ** 2 for i in range(len(x))))),
    37: (s.squares_over_sum(), lambda x: sum(v * v for v in x) / (1 + sum(x))),
    38: (s.exp_of_squares(), lambda x: math.exp(-sum(v * v for v in x))),
    39: (s.total(s.inverse_square), summed(lambda v: 1 / (1 + v**2))),
    40: (s.total(s.sigmoid), summed(lambda v: 1 / (1 + math.exp(-v)))),
    41: (s.softmax_mean(), lambda x: sum(v * math.exp(v) for v in x) / sum(math.exp(v) for v in x)),
    42: (s.total(s.distance_to(half)), summed(lambda v: abs(v - half))),
    43: (s.squared_steps(), steps(lambda v, w: (v - w) ** 2)),
    44: (s.total(), lambda x: sum(reversed(x))),
    45: (s.rank(2), lambda x: sorted(x).index(x[1]) + 1),
    46: (s.weighted_sum(lambda i, n: 1 - i % 2, ever=1), lambda x: sum(x[1::2])),
    47: (s.weighted_sum(lambda i, n: F(1, i), ever=1), lambda x: sum(v / F(i + 1) for i, v in enumerate(x))),
    48: (s.total(s.entropy(2)), summed(lambda v: -v * math.log(v + 2))),
    49: (
        s.total_by_position(lambda i, n: s.distance_to(F(i, n))),
        lambda x: sum(abs(v - F(i + 1, len(x))) for i, v in enumerate(x)),
    ),
}

MORE = {
    "mean, signed": (s.mean(), mean, SIGNED),
    "mean, 0 of none": (s.mean(empty=0), lambda x: mean(x) if x else 0, WIDE),
    "clipped sum": (s.total(s.clipped(0, 1)), summed(lambda v: max(0, min(1, v))), SIGNED),
    "clipped mean": (s.mean(s.clipped(0, 1)), lambda x: mean([max(0, min(1, v)) for v in x]), SIGNED),
    "sum, signed": (s.total(), sum, SIGNED),
    "range": (s.quantile_range(0, 1), lambda x: max(x) - min(x), SIGNED),
    "quantile": (s.quantile("3/10"), quantile(F(3, 10)), WIDE),
    "median, 1/2 of none": (s.median(empty=half), lambda x: quantile(half)(x) if x else half, UNIT),
    "trimmed mean": (s.trimmed_mean(F(1, 4)), trimmed, SIGNED),
    "winsorised mean": (s.winsorised_mean(F(1, 4)), winsorised, SIGNED),
    "variance": (s.variance(empty=0), lambda x: deviations(x) / len(x) if x else 0, SIGNED),
    "sample variance": (s.variance(sample=True), lambda x: deviations(x) / (len(x) - 1), SIGNED),
    "squared deviations, signed": (s.squared_deviations(), deviations, SIGNED),
    "l2 norm off 0": (s.norm_of_records(), lambda x: math.sqrt(sum(v * v for v in x)), WIDE),
    "l3 norm": (s.norm_of_records(3), lambda x: sum(abs(v) ** 3 for v in x) ** (1 / 3), SIGNED),
    "l1 norm": (s.norm_of_records(1), summed(abs), SIGNED),
    "log-sum-exp": (s.log_sum_exp(), lambda x: math.log(sum(math.exp(v) for v in x)), SIGNED),
    "softmax": (s.softmax(), softmax, UNIT),
    "softmax, far apart": (s.softmax(), softmax, (-3, 4)),
    "products, signed": (s.adjacent_products(), steps(lambda v, w: v * w), SIGNED),
    "squared sum, signed": (s.squared_sum(), lambda x: sum(x) ** 2, SIGNED),
    "pairs, signed": (s.pair_products(), lambda x: (sum(x) ** 2 - sum(v * v for v in x)) / 2, SIGNED),
    "product, signed": (s.product_of_records(), math.prod, SIGNED),
    "alternating, signed": (s.weighted_sum(alternating), lambda x: sum(x[:-1:2]) - sum(x[1::2]), SIGNED),
    "cubes, signed": (s.total(s.power(3, half)), summed(lambda v: (v - half) ** 3), SIGNED),
    "decay": (s.total(s.exponential(-2)), summed(lambda v: math.exp(-2 * v)), SIGNED),
    "histogram": (s.histogram(3), lambda x: [x.count(c) for c in range(3)], s.Categories(3)),
    "one category": (s.histogram(1), lambda x: [len(x)], s.Categories(1)),
    "prefix sums": (s.prefix_sums(), lambda x: [sum(x[: i + 1]) for i in range(len(x))], SIGNED),
    "windows": (s.window_sums(2), lambda x: [v + w for v, w in zip(x, x[1:], strict=False)] or [0], SIGNED),
    "tree": (
        s.tree_nodes(),
        lambda x: [sum(x[k : k + w]) for w in (1, 2, 4) for k in range(0, len(x), w) if k + w <= len(x)],
        SIGNED,
    ),
    "k-means step": (
        s.kmeans_step([0, 1]),
        lambda x: [
            e
            for m in (1, -1)
            for e in (
                sum((m * (half - v) >= 0) * (m > 0 or v > half) for v in x),
                sum(v for v in x if (v <= half) == (m > 0)),
            )
        ],
        SIGNED,
    ),
    "sum of vectors in a ball": (s.total(), lambda x: [sum(v) for v in zip(*x, strict=True)] or [0, 0], s.Ball(2, 2)),
    "mean of vectors in a ball": (s.mean(), lambda x: [mean(v) for v in zip(*x, strict=True)], s.Ball(2, 2)),
    "sum of vectors in a box": (s.total(), lambda x: [sum(v) for v in zip(*x, strict=True)] or [0, 0], s.Box(-1, 2, 2)),
    "outer products": (s.gram(), lambda x: [sum(v[i] * v[j] for v in x) for i in (0, 1) for j in (0, 1)], s.Ball(2, 2)),
    "scores": (
        s.stack(s.total(s.above(half)), s.total(s.above(1))),
        lambda x: [sum(v > half for v in x), sum(v > 1 for v in x)],
        SIGNED,
    ),
}
