"""Section 6.4, page 140: how much the empirical mean tells of a fixed target."""

from fractions import Fraction
from itertools import product
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.inference import MEANS, TargetBit, column_means, fixed_laws
from banditproof.paper_checks.thesis.facts.membership import column_transform, gamma_transform
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.theory.numbers.special import hurwitz_zeta, normal_density, pi
from banditproof.theory.privacy.leakage import gaussian_leakage, normal_mean_leakage


@quantity
def difference_of_the_ratios(n: int, mu: Any, nu: Any, first: int, second: int) -> Fraction:
    """Of the ratio of two columns of n <= 5 bits and the product of their ratios, crosswise, over all outputs."""
    target = check_count("first", first, 0, 1), check_count("second", second, 0, 1)
    out, inside = fixed_laws(column_means(check_count("n", n, 1, 5), mu, nu, 2), target)
    columns = [fixed_laws(column_means(n, m, m, 1), (z,)) for m, z in ((mu, first), (nu, second))]
    (one_out, one_in), (two_out, two_in) = columns
    return sum(
        (abs(inside[a, b] * one_out[a,] * two_out[b,] - out[a, b] * one_in[a,] * two_in[b,]) for a, b in out),
        Fraction(0),
    )


@claim(
    "MIA-EQ6.4a/two-columns",
    enumerated(
        lambda check: [
            {"n": n, "mu": m, "nu": Fraction(1, 3), "first": z, "second": w}
            for n in (1, 2, 3)
            for m in MEANS
            for z, w in product((0, 1), repeat=2)
        ],
        rational=True,
        routes=("two columns", "one column each"),
    ),
    role="implication",
)
def ratio_is_a_product(n: Count, mu: Inside, nu: Inside, first: TargetBit, second: TargetBit):
    r"""So the likelihood ratio of two columns of bits is the product of the two ratios.

    The products are compared crosswise, for all outputs.
    """
    return difference_of_the_ratios(n, mu, nu, first, second), "==", 0


Large = Annotated[Any, "integer [20, inf)"]
Inner = Annotated[Any, "[1/10, 9/10]"]


def squared_distance(mu: Any, target: Any) -> Any:
    """(z - mu)^2 / sigma^2 of a bit."""
    return where(target, "==", 1, (1 - mu) / mu, mu / (1 - mu))


COLUMNS = enumerated(n=[20, 80, 320], mu=["1/10", "1/2", "4/5"], target=[0, 1], p=["1/100", "1/2", "99/100"])


@claim(
    "MIA-T6.3/bits-out",
    COLUMNS,
    false={"mean": "-0.4"},
    restricted="to Bernoulli columns with means in $[1/10,9/10]$ and targets in $\\{0,1\\}^d$",
)
def bits_outside(n: Large, mu: Inner, target: TargetBit, p: Inside, mean=Fraction(-1, 2), rate=60):
    r"""(a) $n\log\mathbb E_0[e^{p\ell_n}]$ of a column is within $60/n$ of $(-\frac12p+p^2/2)\,
    (z^\star_j-\mu_j)^2/\sigma_j^2$ for $p\in(0,1)$.

    Exact transforms; columns are independent, so they add up to those of N(-m/2, m), and convergence of the transforms
    on an interval gives convergence in law.
    """
    limit = (mean * p + p * p / 2) * squared_distance(mu, target)
    return abs(n * column_transform(n, mu, target, p) - limit), "<=", to_ball(rate) / n


@claim(
    "MIA-T6.3/bits-in",
    COLUMNS,
    false={"mean": "0.4"},
    restricted="to Bernoulli columns with means in $[1/10,9/10]$ and targets in $\\{0,1\\}^d$",
)
def bits_inside(n: Large, mu: Inner, target: TargetBit, p: Inside, mean=Fraction(1, 2), rate=60):
    r"""(b) $n\log\mathbb E_1[e^{-p\ell_n}]$ of a column is within $60/n$ of $(-\frac12p+p^2/2)\,
    (z^\star_j-\mu_j)^2/\sigma_j^2$ for $p\in(0,1)$.

    The law under H_1 is that under H_0 tilted by the ratio: E_1[exp(-p l)] = E_0[exp((1 - p) l)].
    """
    limit = (-mean * p + p * p / 2) * squared_distance(mu, target)
    return abs(n * column_transform(n, mu, target, 1 - p) - limit), "<=", to_ball(rate) / n


def rare_value(j: Any) -> tuple[Any, Any, Any, Any]:
    """r_j and its probability p_j, mean and variance of a column that is r_j, or else 1 or -1 with one probability."""
    share = ratio(1, 8 * j)
    value, chance = 1 / (1 - share), share - share**2 / 2
    mean = chance * value
    return value, chance, mean, (1 - chance) + chance * value**2 - mean**2


@claim(
    "MIA-T6.3/rare-values",
    fails_at(n=8),
    rests_on=[
        "MIA-T6.3/rare-records-tell",
        "MIA-T6.3/rare-value-is-not-whole",
        "MIA-T6.3/rare-value-is-rare",
        "MIA-T6.3/rare-value-at-distance-one",
    ],
    assuming="a sum of signs is a whole number, and with one $r_n$ it is none, so the output tells of it",
    called={
        r"columns that are $r_j=\frac{8j}{8j-1}$ with probability $p_j=\frac1{8j}-\frac1{128j^2}$ and else 1 or -1,"
        r" $z_j^*=r_j$, $d=n$ and $n$": "n",
        r"$1-2np_n$, which $\xi_n$ is proved to reach,": "1 - 2 * n * chance",
        r"$\Phi(\frac12)-\Phi(-\frac12)$ and 1/4": "gaussian_leakage(score) + slack",
    },
)
def rare_value_gives_away(n: Count, slack=Fraction(1, 4)):
    r"""$\ell_n\rightsquigarrow\mathcal N(\mp m^*/2,m^*)$, so that $\xi_n\to\Phi(\sqrt{m^*}/2)-\Phi(-\sqrt{m^*}/2)$, for
    every law of the records, also one without a density, with one column that has a value which is rare among n
    records.

    The proof uses a density, but no density is assumed: if column n is 1 or -1 but for a rare value that is not whole,
    its sum reveals whether a record has this value, and so whether the target is among them, although m* = 1. With a
    common bound on the densities, and on the moments and distances, the theorem holds. The check uses bounded columns
    with $z_j^*=\mu_j+\sigma_j$ and $d=n$, for which $\frac1n\|z^*-\mu\|^2_{C_\sigma^{-1}}=1$ for every n: for large n,
    $\xi_n$ would be at most its limit plus 1/4.

    In the theorem B are the records with r_n in column n, and A says that n times the mean of this column is not a
    whole number: without a record in B the sum is one of signs, and with one of them it is not whole. So the leakage is
    at least 1 - 2 n p_n, which is at least 3/4 for every n. Both sides are compared at one n: the first is 3/4 and
    1/(64 n), the second does not depend on n.
    """
    _, chance, *_ = rare_value(n)
    score = total(lambda j: squared_distance_of_the_rare_value(j), 1, n) / n
    return 1 - 2 * n * chance, "<=", gaussian_leakage(score) + slack


def squared_distance_of_the_rare_value(j: Any) -> Any:
    """(r_j - mu_j)^2 / sigma_j^2."""
    value, _, mean, variance = rare_value(j)
    return (value - mean) ** 2 / variance


ONE_FAMILY = "to Gamma columns of shapes in $[1,10]$ with targets in $[0,5]$"
SHAPES = {"shape": [1, "5/2", 10], "target": [0, "1/4", 1, 5], "p": ["1/100", "1/2", "99/100"]}
Shape = Annotated[Any, "[1, 10]"]
NearTarget = Annotated[Any, "[0, 5]"]


@claim(
    "MIA-T6.3/bounded-densities",
    enumerated(n=[20, 80, 320], **SHAPES),
    false={"mean": "-0.4"},
    repairs="MIA-T6.3/rare-values",
    restricted=ONE_FAMILY,
)
def regular_columns(n: Large, shape: Shape, target: NearTarget, p: Inside, mean=Fraction(-1, 2), rate=1):
    r"""Suppose also that the densities of the standardised columns $\frac{Z_j-\mu_j}{\sigma_j}$, their moments of
    order $4+\delta$ and the distances $\frac{|z^\star_j-\mu_j|}{\sigma_j}$ have a bound that does not depend on $j$ and
    $n$. Then (a) and (b) hold.

    Checked as: for Gamma columns, $n\log\mathbb E_0[e^{p\ell_n}]$ of a column is within $(1+\zeta^2)/n$ of
    $(-\frac12p+p^2/2)\,\zeta^2$ with $\zeta=\frac{z^\star_j-\mu_j}{\sigma_j}$ for $p\in(0,1)$, as it is for $\mathcal
    N(-m^\star/2,m^\star)$.

    Exact transforms, with Tricomi's function; (b) follows, as E_1[e^(-p l)] = E_0[e^((1-p) l)].

    The following argument, which no machine has checked, shows why the hypothesis suffices. With bounded densities the
    expansion of Theorem 2.41 holds with an error of o(1/n)/(1 + x^4), the same for all columns (Bhattacharya and Rao,
    Theorem 19.2; a bound on densities also bounds their transforms away from 1). Where the normal density is above that
    error, the root of the ratio is 1 + zeta delta/(2 sqrt(n)) with an error that is o(1/n) in mean square; the rest of
    the line, |delta|^2 beyond 2 log n + 4 log log n, has probability o(1/n) in both worlds. So the sum over d = tau n
    columns of the mean squares of these errors vanishes, the linear terms obey Lindeberg's condition as the zeta_j are
    bounded, and Le Cam's second lemma gives (a), his third one (b).
    """
    squared = (target - shape) ** 2 / shape
    limit = (mean * p + p * p / 2) * squared
    return abs(n * gamma_transform(n, shape, target, p) - limit), "<=", to_ball(rate) * (1 + squared) / n


ON_BITS = r"""For columns of bits with means in $[\frac1{10},\frac9{10}]$ and $z^\star\in\{0,1\}^d$ the normal limits
    hold."""
ON_BITS_AS = r"""Checked as: $n\log\mathbb E_0[e^{p\ell_n}]$ of a column is within $60/n$ of $(-\frac12p+p^2/2)\,
    (z^\star_j-\mu_j)^2/\sigma_j^2$ for $p\in(0,1)$, as it is for $\mathcal N(-m^\star/2,m^\star)$."""
FAILING = ("rare-values", "three-values", "uneven-columns", "off-the-lattice")

for name in FAILING[1:]:
    restate(f"MIA-T6.3/bounded-densities-{name}", "MIA-T6.3/bounded-densities", repairs=f"MIA-T6.3/{name}")
restate(
    "MIA-T6.3/bits",
    "MIA-T6.3/bits-out",
    ON_BITS,
    notes=ON_BITS_AS,
    role="special case",
    repairs="MIA-T6.3/three-values",
)


for name in FAILING:
    restate(f"MIA-C6.4/{name}", f"MIA-T6.3/{name}", cause=f"MIA-T6.3/{FAILING[0]}")
    restate(
        f"MIA-C6.4/bounded-densities-{name}",
        "MIA-T6.3/bounded-densities",
        r"""Suppose also that the densities of the standardised columns $\frac{Z_j-\mu_j}{\sigma_j}$, their moments
        of order $4+\delta$ and the distances $\frac{|z^\star_j-\mu_j|}{\sigma_j}$ have a bound that does not depend on
        $j$ and $n$. Then (6.2) and (6.3) hold, as Theorem 6.3 does.""",
        repairs=f"MIA-C6.4/{name}",
    )
restate(
    "MIA-C6.4/bits",
    "MIA-T6.3/bits-out",
    ON_BITS,
    notes=ON_BITS_AS,
    role="special case",
    repairs="MIA-C6.4/three-values",
)


@claim(
    "MIA-C6.4/normal-columns",
    enumerated(n=[10, 100, 1000], aspect=[1, 5], score=["1/4", "1", "5"]),
    false=[{"half": "0.49"}, {"half": "0.51"}],
    restricted="to Gaussian columns",
)
def leakage_of_normal_columns(n: TwoOrMore, aspect: Count, score: Positive, half=Fraction(1, 2), rate=Fraction(1, 8)):
    r"""(6.2) for Gaussian columns, $d=\tau n$ and $\|z^\star-\mu\|^2_{C_\sigma^{-1}}=nm^\star$: $\xi_n$ is within
    $\frac18\,(\tau+m^\star)/(n\sqrt{m^\star})$ of $\Phi(\frac12\sqrt{m^\star})-\Phi(-\frac12\sqrt{m^\star})$.

    The exact leakage (MIA-X2): the limit is approached like 1/n where the target is off the mean.
    """
    exact = normal_mean_leakage(n * score, n, aspect * n)
    limit = normal_cdf(half * sqrt(score)) - normal_cdf(-half * sqrt(score))
    return abs(exact - limit), "<=", rate * (aspect + score) / (n * sqrt(score))


def ball_probability(radius: Any, distance: Any, d: int) -> Any:
    """That a standard normal vector in one or three dimensions is within `radius` of a point at `distance` > 0."""
    inner = normal_cdf(radius - distance) - normal_cdf(-radius - distance)
    near, far = normal_density(radius - distance), normal_density(radius + distance)
    return where(d, "==", 1, inner, lambda: inner - (near - far) / distance)


@claim(
    "MIA-X2/best-ball",
    enumerated(n=[2, 10, 1000], pairs=[0, 1], squared=["1/10", "1", "20"], share=["1/2", "9/10", "1", "11/10", "3/2"]),
)
def best_ball(n: TwoOrMore, pairs: TargetBit, squared: Positive, share: Positive):
    r"""The ball around the target with $S<S^\dagger=(n-1)(\|\zeta\|^2-d\log(1-\frac1n))$ has the advantage $\xi_n$, and
    balls of other radii ($\text{share}\cdot\sqrt{S^\dagger}$) have no more (to 1e-9).

    Closed forms for $d=1$ and $d=3$ (one pair more) are compared with the sum over Poisson weights.
    """
    d = 1 + 2 * pairs
    radius = sqrt((n - 1) * (squared - d * log(to_ball(1 - ratio(1, n)))))
    wider, far, near = sqrt(to_ball(ratio(n, n - 1))), sqrt(n * squared), sqrt((n - 1) * squared)
    exact = normal_mean_leakage(squared, n, d)

    def advantage(r: Any) -> Any:
        return ball_probability(r * wider, near, d) - ball_probability(r, far, d)

    beyond = maximum(advantage(share * radius) - exact, 0)
    return beyond + abs(advantage(radius) - exact), "<=", to_ball(Fraction(1, 10**9))


@claim(
    "MIA-X2/at-the-mean", enumerated(n=[10, 100, 1000], aspect=range(1, 6)), false=[{"four": "3.8"}, {"four": "4.2"}]
)
def leakage_at_the_mean(n: Annotated[Any, "integer [10, inf)"], aspect: Annotated[Any, "integer [1, 5]"], four=4):
    r"""At $z^\star=\mu$, where (6.2) is 0, and for $\tau\le5$, $\xi_n$ is within $1/(2n)$ of $\sqrt{\tau/(4\pi n)}$,
    relatively: the spread of the mean alone gives the target away, and the limit is approached like $n^{-1/2}$ only.

    For $\tau$ near $n$ it is not: at $n=\tau=117$ they are 1.6 % apart.
    """
    printed = sqrt(to_ball(aspect) / (four * pi() * n))
    return abs(normal_mean_leakage(to_ball(0), n, aspect * n) / printed - 1), "<=", to_ball(ratio(1, 2 * n))


@claim(
    "MIA-EQ6.4/bounded-densities",
    enumerated(n=[2, 20, 320], shape=[1, "5/2", 10]),
    repairs="MIA-EQ6.4/three-values",
    restricted="to Gamma columns of shapes in $[1,10]$ with the target 0, under $H_0$",
)
def score_and_its_form_of_regular_columns(n: TwoOrMore, shape: Shape):
    r"""Suppose also that the densities of the standardised columns $\frac{Z_j-\mu_j}{\sigma_j}$, their moments of
    order $4+\delta$ and the distances $\frac{|z^\star_j-\mu_j|}{\sigma_j}$ have a bound that does not depend on $j$ and
    $n$. Then $\ell_n$ and the form differ by $o_p(1)$.

    Checked as: for Gamma columns of this shape and $z^\star_j=0$ the variance of their difference in one column is at
    most $1/n^2$ under $H_0$, which adds up to $O(1/n)$.

    With a the shape and s the sum of the column the ratio is -a log s and the form -s/n, up to constants. Var log s is
    zeta(2, na) (Hurwitz), the covariance of log s and s is 1, Var s = na. That the hypothesis suffices for all columns
    is argued under MIA-T6.3/bounded-densities.
    """
    whole = n * to_ball(shape)
    variance = to_ball(shape) ** 2 * hurwitz_zeta(2, whole) - 2 * to_ball(shape) / n + whole / n**2
    return variance, "<=", to_ball(1) / n**2
