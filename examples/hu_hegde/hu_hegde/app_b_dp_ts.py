"""Appendix B and the sketch of Theorem 2: the regret of DP-TS."""

from fractions import Fraction
from itertools import product
from typing import Annotated, Any

from banditproof.claims import (
    AtLeastOne,
    Count,
    Inside,
    Positive,
    Probability,
    Real,
    claim,
    deduced,
    enumerated,
    fails_at,
)
from banditproof.theory import exp, log, maximum, minimum, ratio, sqrt
from hu_hegde.app_a_facts import beta_cdf, binomial_cdf
from hu_hegde.notation import Gap, Horizon, LogHorizon, Round, lb

# ------------------------------------------------------------------------------------------------- Lemmas 8 and 9


@claim("HH-EQ21/width", deduced(), false={"natural": "4.4"})
def width_in_natural_logarithms(t: Round, natural=4):
    r"""$3\log t\ge<natural>\ln t$, the logarithm of the algorithm to the base 2."""
    return 3 * lb(t), ">=", natural * log(t)


@claim("HH-EQ21", deduced(), false={"rate": 1}, displayed=True, restricted="to its last two steps")
def union_over_the_pulls(t: Round, rate=8):
    r"""$\sum_{h<t}2e^{-2h\cdot4\ln(t)/h}\le t\cdot\frac2{t^3}$: each term is $2t^{-<rate>}$."""
    return (t - 1) * 2 * exp(-rate * log(t)), "<=", t * 2 * exp(-3 * log(t))


def level(h: Any, t: Any) -> Any:
    """6 sqrt(8) log(h + 1) log(t) / epsilon in units of 2 / epsilon, the scale of Lap(1 / (0.5 epsilon))."""
    return 3 * sqrt(8) * lb(h + 1) * lb(t)


@claim("HH-EQ23", fails_at(t=3), displayed=True)
def noise_of_two_mechanisms(t: Annotated[Any, [3]], parts=2):
    r"""With one threshold $z_h=6\sqrt8\log(h+1)\log(t)/\epsilon$ throughout, $\sum_{h<t}\Pr[|Y_{j,1}+Y_{j,2}|>z_h]\le
    \sum_{h<t}(\Pr[|Y_{j,1}|>z_h]+\Pr[|Y_{j,2}|>z_h])$; here at $t=3$.

    A sum exceeds a threshold as well where neither part does: the parts have to be held against halves of it. At h = 1
    there is one noise variable, at h = 2 one of each mechanism, all Lap(2/epsilon). With u = epsilon z_2/2 the sum has
    tail (1 + u/2) e^-u and the printed bound is 2 e^-u, while u = 3 sqrt(8) log(3) log(t) is above 13 for all t >= 2.
    So (24) and (25), which are right, do not add up to Lemma 9. The lemma holds all the same: the moment of the whole
    noise gives it (HH-L9/moment).
    """
    one, two = level(1, t), level(2, t)
    return exp(-one) + (1 + two / 2) * exp(-two), "<=", exp(-one) + parts * exp(-two)


@claim("HH-EQ23/halves", deduced(), role="special case", repairs="HH-EQ23", false={"share": 1})
def noise_against_halves(u: Positive, share=Fraction(1, 2)):
    r"""Held against half the threshold: of two variables $\mathrm{Lap}(2/\epsilon)$ and $u=\epsilon z/2$ at any
    threshold, $(1+\frac u2)e^{-u}\le2e^{-u\cdot<share>}$."""
    return (1 + u / 2) * exp(-u), "<=", 2 * exp(-share * u)


@claim("HH-EQ24/level", deduced(), false={"width": 5}, displayed=True)
def level_of_the_first_mechanism(t: Horizon, epsilon: Positive, width=6):
    r"""$\frac{6\sqrt8\log t}\epsilon=\frac1{0.5\epsilon}\log(e)\sqrt{\ln t^3}\sqrt{8\ln t^3}$."""
    return width * sqrt(8) * lb(t) / epsilon, "==", 2 / epsilon / log(2) * 3 * log(t) * sqrt(8)


@claim("HH-EQ25/number-of-sums", deduced(), false={"factor": "0.4"})
def few_sums(t: Horizon, factor=1):
    r"""$\lfloor\log(h+1)\rfloor\le\log t\le\ln t^3$ for $h<t$, $t\ge2$."""
    return lb(t), "<=", factor * 3 * log(t)


@claim("HH-L9/moment", deduced(), false={"power": 5})
def moment_of_the_noise(t: Round, power=2):
    r"""$\Pr[\overline{G_j(t-1)}]\le\frac2{t^{<power>}}$: for each number of pulls $h<t$ by Chernoff's bound at
    $\lambda=\frac\epsilon{4R}$, $R=\lfloor\log(h+1)\rfloor\le\log t$.

    Each of at most 2 R variables of scale at most 2 R/epsilon has a moment of at most 4/3 there, and the exponent
    lambda z_h is at least (3/2) sqrt(8) log t: the chance is at most 2 (16/9)^(log t) e^(-(3/2) sqrt(8) log t).
    """
    rate = 3 * sqrt(8) / 2 / log(2) - log(Fraction(16, 9)) / log(2)
    return 2 * (t - 1) * exp(-rate * log(t)), "<=", 2 * exp(-power * log(t))


# -------------------------------------------------------------------------------------------------- decompositions

Bit = Annotated[Any, [0, 1]]  # an indicator
INDICATORS = "to the indicators, before means are taken and lemmas are put in"
EVERY = {name: [0, 1] for name in ("pulled", "early", "mean", "noise", "low")}


def of(*names: str) -> dict[str, list[int]]:
    return {name: EVERY[name] for name in names}


@claim("HH-EQ1", enumerated(**EVERY, rational=True), false={"bad": 0}, displayed=True, restricted=INDICATORS)
def indicators_of_a_pull(pulled: Bit, early: Bit, mean: Bit, noise: Bit, low: Bit, bad=1):
    r"""$1\{J_t=j\}$ is at most the sum of its part with $O_j(t-1)\le L_j$, $1\{\overline{C_j}\}$,
    $1\{\overline{G_j}\}$, $1\{J_t=j,O_j(t-1)>L_j,C_j,G_j,\theta_j>y_j\}$ and $1\{J_t=j,\theta_j\le y_j\}$; the sum
    of the first is held against $L_j$ by HH-EQ18/pathwise."""
    late = pulled * (1 - early) * mean * noise * (1 - low)
    return pulled, "<=", pulled * early + bad * (1 - mean) + bad * (1 - noise) + late + pulled * low


@claim("HH-EQ19", enumerated(**EVERY, rational=True), false={"high": 0}, displayed=True, restricted=INDICATORS)
def indicators_by_the_sample(pulled: Bit, early: Bit, mean: Bit, noise: Bit, low: Bit, high=1):
    r"""$1\{J_t=j,O_j(t-1)>L_j,C_j,G_j\}\le1\{J_t=j,\theta_j\le y_j\}+1\{J_t=j,O_j(t-1)>L_j,C_j,G_j,\theta_j>y_j\}$."""
    known = pulled * (1 - early) * mean * noise
    return known, "<=", pulled * low + high * known * (1 - low)


@claim(
    "HH-EQ27",
    enumerated(**of("pulled", "noise", "low"), rational=True),
    false={"bad": 0},
    displayed=True,
    restricted=INDICATORS,
)
def indicators_by_the_noise(pulled: Bit, noise: Bit, low: Bit, bad=1):
    r"""$1\{J_t=j,\theta_j\le y_j\}\le1\{J_t=j,\theta_j\le y_j,G_1\}+1\{\overline{G_1}\}$."""
    return pulled * low, "<=", pulled * low * noise + bad * (1 - noise)


@claim(
    "HH-EQ3",
    enumerated(**of("pulled", "mean", "noise", "low"), rational=True),
    false={"bad": 0},
    displayed=True,
    restricted=INDICATORS,
)
def indicators_of_a_pull_of_lazy(pulled: Bit, mean: Bit, noise: Bit, low: Bit, bad=1):
    r"""$1\{J_t=j\}\le1\{J_t=j,C_j,G_j,\theta_j>y_j\}+1\{J_t=j,\theta_j\le y_j\}+1\{\overline{C_j}\}+1\{
    \overline{G_j}\}$."""
    return pulled, "<=", pulled * mean * noise * (1 - low) + pulled * low + bad * (1 - mean) + bad * (1 - noise)


@claim("HH-EQ18/pathwise", fails_at(L="1000.5", pulls=2000, rational=True), role="reading")
def pulls_up_to_the_level(L: Positive, pulls: Count, first=0):
    r"""'Upper bound the indicator directly', on every path: an arm with $N$ pulls has at most $L_j$ of them in rounds
    with $O_j(t-1)\le L_j$, so $N\le L_j+(N-\lfloor L_j\rfloor-1)^+$.

    O_j counts from 0, so there are floor(L_j) + 1 such rounds, one more than L_j allows where the arm is pulled that
    often. In expectation the step may hold, and a regret of one more pull changes no rate.
    """
    later = max(pulls - (L.numerator // L.denominator) - 1 + first, 0) if isinstance(L, Fraction) else 0
    return pulls - later, "<=", L


@claim("HH-EQ20/large-ratio", deduced(), false={"factor": 300})
def level_up_to_constants(x: Annotated[Any, "[2, inf)"], factor=1800):
    r"""$L_j\Delta_j$ is $O(\cdot)$ of the bound of Theorem 2 where $x=\frac{\log T}{\epsilon\Delta_j}\ge2$:
    $72\sqrt8\,x\log(72\sqrt8\,x)\le<factor>x\log x$."""
    return 72 * sqrt(8) * (log(72 * sqrt(8)) + log(x)), "<=", factor * log(x)


@claim("HH-EQ20/small-ratio", deduced(), false={"factor": 300})
def level_for_a_large_budget(x: Annotated[Any, "(0, 2]"], factor=3600):
    r"""For $x=\frac{\log T}{\epsilon\Delta_j}\le2$: $72\sqrt8\,x\log(72\sqrt8\,x)\le<factor>$, so that
    $L_j\Delta_j\le<factor>\log(T)/\Delta_j$."""
    return 72 * sqrt(8) * x * (log(72 * sqrt(8)) + log(x)), "<=", factor * log(2)


@claim("HH-S0.1/for-large-horizons", deduced(), where=["ell >= 2*epsilon*gap"], false={"factor": "1/2"})
def product_above_the_maximum(ell: Positive, epsilon: Positive, gap: Gap, factor=1):
    r"""As $T$ grows, so once $\log T\ge2\epsilon\Delta_j$, the product is not below the maximum of Theorem 2:
    $\max\{\frac{\log T}{\Delta_j},\frac{\log T}\epsilon\log\frac{\log T}{\epsilon\Delta_j}\}\le\frac{\log
    T}{\min\{\epsilon,\Delta_j\}}\log\frac{\log T}{\epsilon\Delta_j}$."""
    product = ell / minimum(epsilon, gap) * lb(ell / (epsilon * gap))
    return maximum(ell / gap, ell / epsilon * lb(ell / (epsilon * gap))), "<=", factor * product


@claim(
    "HH-S0.1/for-every-budget",
    fails_at(T=10**5, epsilon=500, gap="1/8"),
    role="reading",
    assuming="""that DP-TS pulls each arm once at the beginning, so that its regret is above 0 and no multiple of what
    is not above 0 bounds it""",
)
def product_bound_is_positive(T: Annotated[Any, "integer [2, inf)"], epsilon: Positive, gap: Gap):
    r"""With one constant for all $T$, $\epsilon$ and gaps, the regret of DP-TS is $O\big(\sum_j\frac{\log
    T}{\min\{\epsilon,\Delta_j\}}\log\frac{\log T}{\epsilon\Delta_j}\big)$: so this is above 0.

    Where log T <= epsilon Delta_j the logarithm is not above 0, and neither is the product. So it is in the setting of
    Figure 1: T = 10^5, epsilon = 500 and the least gap 1/8. The maximum of Theorem 2 is at least log(T)/Delta_j there.
    For a fixed budget and growing T the abstract holds as Theorem 2 does (HH-S0.1/for-large-horizons).
    """
    return lb(T) / minimum(epsilon, gap) * lb(lb(T) / (epsilon * gap)), ">", 0


@claim("HH-S0.1/as-in-theorem-2", deduced(), repairs="HH-S0.1/for-every-budget", false={"first": 0})
def maximum_bound_is_positive(ell: LogHorizon, second: Real, gap: Gap, first=1):
    r"""The maximum of Theorem 2, $\max\{\frac{\log T}{\Delta_j},\frac{\log T}\epsilon\log\frac{\log
    T}{\epsilon\Delta_j}\}$, is above 0, whatever its second entry is."""
    return maximum(first * ell / gap, second), ">", 0


# ------------------------------------------------------------------------------------------------ Lemmas 10 and 12

Law = Annotated[Any, "all: every product of laws of the samples"]


def laws_of(seed: int) -> list[list[Fraction]]:
    weights = [[1 + (seed * (7 * a + 3 * v + 1) + v * v + a) % 5 for v in range(4)] for a in range(3)]
    return [[Fraction(w, sum(row)) for w in row] for row in weights]


def pulled(seed: int, y: int, best: bool) -> tuple[Fraction, Fraction, Fraction]:
    """P(J = 1 or 2, theta_2 <= y), P(theta_1 <= y), P(theta_1 > y) for three samples on 0..3 with weights by a seed.

    Ties go to the lowest arm, or to the highest for odd seeds.
    """
    laws = laws_of(seed)
    order = (lambda a: -a) if seed % 2 == 0 else (lambda a: a)
    wanted = 0 if best else 1
    happens = Fraction(0)
    for sample in product(range(4), repeat=3):
        first = max(range(3), key=lambda a: (sample[a], order(a)))
        if first == wanted and sample[1] <= y:
            happens += laws[0][sample[0]] * laws[1][sample[1]] * laws[2][sample[2]]
    below = sum(laws[0][: y + 1], Fraction(0))
    return happens, below, 1 - below


@claim(
    "HH-L12",
    enumerated(
        samples=range(40), y=[0, 1, 2], rational=True, covers={"samples": "all: 40 products of laws on four points"}
    ),
    false={"factor": "1/4"},
)
def worse_arm_against_the_best(samples: Law, y: Annotated[Any, "integer [0, 2]"], factor=1):
    r"""$\Pr[J_t=j,\theta_j\le y]\le\frac{\Pr[\theta_1\le y]}{\Pr[\theta_1>y]}\Pr[J_t=1,\theta_j\le y]$ for
    independent samples with $\Pr[\theta_1>y]>0$."""
    (worse, below, above), (best, _, _) = pulled(samples, y, False), pulled(samples, y, True)
    return worse, "<=", factor * below / above * best


def all_low(seed: int, y: int) -> tuple[Fraction, Fraction]:
    """P(theta_1 <= y) and P(theta_2, theta_3 <= y) of the laws of `pulled`."""
    laws = laws_of(seed)
    first, *others = (sum(law[: y + 1], Fraction(0)) for law in laws)
    return first, others[0] * others[1]


FORTY = enumerated(
    samples=range(40), y=[0, 1, 2], rational=True, covers={"samples": "all: 40 products of laws on four points"}
)


@claim("HH-EQ37", FORTY, false={"factor": "1/4"}, displayed=True)
def worse_arm_needs_low_samples(samples: Law, y: Annotated[Any, "integer [0, 2]"], factor=1):
    r"""$\Pr[J_t=j,\theta_j\le y]\le\Pr[\theta_1\le y]\Pr[\theta_i\le y\text{ for all }i\ne1]$."""
    first, others = all_low(samples, y)
    return pulled(samples, y, False)[0], "<=", factor * first * others


@claim("HH-EQ38", FORTY, false={"factor": 4}, displayed=True)
def best_arm_wins_alone(samples: Law, y: Annotated[Any, "integer [0, 2]"], factor=1):
    r"""$\Pr[J_t=1,\theta_j\le y]\ge\Pr[\theta_1>y]\Pr[\theta_i\le y\text{ for all }i\ne1]$."""
    first, others = all_low(samples, y)
    return pulled(samples, y, True)[0], ">=", factor * (1 - first) * others


@claim("HH-EQ29", deduced(), false={"margin": "1/2"}, where=["private >= mean - width"], displayed=True)
def index_is_at_least_the_mean(private: Real, mean: Probability, width: Positive, margin=1):
    r"""Where $\tilde\mu\ge\hat\mu-\upsilon$, $\max\{0,\min\{\tilde\mu+\upsilon,1\}\}\ge\hat\mu$."""
    return maximum(0, minimum(private + margin * width, 1)), ">=", mean


@claim(
    "HH-EQ30",
    enumerated(
        wins=range(6), more=range(4), losses=range(6), fewer=range(4), y=["0", "1/7", "1/2", "9/10", "1"], rational=True
    ),
    where=["fewer <= losses"],
    false={"factor": "1/2"},
    restricted="to integer parameters",
    displayed=True,
)
def more_wins_dominate(
    wins: Annotated[Any, "integer [0, inf)"],
    more: Annotated[Any, "integer [0, inf)"],
    losses: Annotated[Any, "integer [0, inf)"],
    fewer: Annotated[Any, "integer [0, inf)"],
    y: Probability,
    factor=1,
):
    r"""$F^{\rm Beta}_{\alpha',\beta'}(y)\le F^{\rm Beta}_{\alpha,\beta}(y)$ for $\alpha'\ge\alpha$,
    $\beta'\le\beta$."""
    shifted = beta_cdf(wins + more + 1, losses - fewer + 1, y)
    return shifted, "<=", factor * beta_cdf(wins + 1, losses + 1, y)


@claim("HH-EQ31", deduced(), false={"factor": "0.9"}, where=["p <= q"], displayed=True, rests_on=["HH-EQ30"])
def odds_grow_with_the_chance(p: Inside, q: Inside, factor=1):
    r"""$\frac p{1-p}\le\frac q{1-q}$ where $p\le q$."""
    return p / (1 - p), "<=", factor * q / (1 - q)


@claim("HH-EQ32/last-term", deduced(), false={"factor": 2})
def last_term_of_the_sum(gap: Gap, k: AtLeastOne, factor=4):
    r"""$\frac1{e^{(\mu_1-y_j)^2k/4}-1}\le\frac{<factor>}{(\mu_1-y_j)^2k}$, whose sum over $k\le T$ is
    $O(\log(T)/(\mu_1-y_j)^2)$."""
    return 1, "<=", factor / (gap**2 * k) * (exp(gap**2 * k / 4) - 1)


@claim("HH-EQ32/gaps", deduced(), false={"factor": 35})
def distance_to_the_level(gap: Gap, factor=36):
    r"""$\frac1{(\mu_1-y_j)^2}=\frac{<factor>}{\Delta_j^2}$, as $\mu_1-y_j=\Delta_j/6$."""
    return 1 / (gap / 6) ** 2, "==", factor / gap**2


# ------------------------------------------------------------------------------------------------------- Lemma 11


@claim("HH-EQ34/c", deduced(), false={"factor": "1/10"}, displayed=True)
def enough_pulls_for_the_ceiling(ell: LogHorizon, gap: Gap, factor=1):
    r"""$\frac1{H_j}=\frac{\Delta_j^2}{108\log T}<\frac{\Delta_j}{12}$."""
    return gap**2 / (108 * ell), "<", factor * gap / 12


@claim("HH-EQ34/distance", deduced(), false={"rest": "1/13"}, displayed=True)
def distance_of_the_two_means(mu: Real, gap: Gap, rest=Fraction(1, 12)):
    r"""$y_j-(\mu_j+\frac{4\Delta_j}6+\frac{\Delta_j}{12})=<rest>\Delta_j$, with $y_j=\mu_1-\frac{\Delta_j}6$."""
    return mu + gap - gap / 6 - (mu + 4 * gap / 6 + gap / 12), "==", rest * gap


@claim("HH-EQ34/f", deduced(), false={"pulls": 10}, displayed=True)
def chance_of_a_high_sample(t: Round, pulls=108):
    r"""$e^{-H_j\cdot2\Delta_j^2/144}\le\frac1T$ with $H_j=<pulls>\log(T)/\Delta_j^2$."""
    return pulls * lb(t) * 2 / 144, ">=", log(t)


@claim(
    "HH-EQ34/a-to-b",
    enumerated(
        n=[1, 2, 3, 5, 8, 12],
        k=range(13),
        y=["0", "1/7", "1/2", "9/10", "1"],
        rational=True,
        covers={"n": [1, 2, 3, 5, 8, 12]},
    ),
    where=["k <= n"],
    false={"shift": 1},
    displayed=True,
)
def high_sample_by_few_wins(n: Count, k: Annotated[Any, "integer [0, inf)"], y: Probability, shift=0):
    r"""$1-F^{\rm Beta}_{k+1,n-k+1}(y)=F^{\rm B}_{n+1,y}(k)$, with $k=\lceil(\mu_j+\frac{4\Delta_j}6)n\rceil$."""
    return 1 - beta_cdf(k + 1, n - k + 1, y), "==", binomial_cdf(n + 1, y, k + shift)


@claim(
    "HH-EQ35/level-as-defined",
    fails_at(log_T=20, epsilon="45/16", gap="1/2", x=10241),
    where=["x > 108*log_T/gap**2", "x*epsilon*gap > 72*log_T*log(72*log_T/(epsilon*gap))/log(2)", "x < 2**log_T"],
    role="step",
    slip="The proof of Lemma 11 recalls L_j with 72 sqrt(8) in place of 72, both times, and with it the bound holds.",
)
def level_as_defined(log_T: Annotated[Any, "integer [1, 200]"], epsilon: Positive, gap: Gap, x: Count, share=4):
    r"""With $L_j=\max\{\frac{108\log T}{\Delta_j^2},\frac{72\log T}{\epsilon\Delta_j}\log\frac{72\log
    T}{\epsilon\Delta_j}\}$, as it is defined in Section 3.1.2 and before Lemma 10, an arm with $O_j(t-1)=x>L_j$ has
    $f(x)=\sqrt{\frac{3\log t}x}+\frac{2\cdot6\sqrt8\log(x+1)\log t}{\epsilon x}\le\frac{<share>\Delta_j}6$, so that
    its index is at most $\mu_j+\frac{4\Delta_j}6$; here at $t=T=2^{\log T}$.

    The width of the algorithm has the factor sqrt(8), and the level lacks it. At T = 2^20, epsilon = 45/16 and a gap
    of 1/2 the second term of the level is 1024 log(1024) = 10240, the first 8640; after 10241 pulls the width is
    0.390, above 4/6 of the gap.
    """
    first = sqrt(ratio(3 * log_T, x))
    return first + 12 * sqrt(8) * lb(x + 1) * log_T / (epsilon * x), "<=", share * gap / 6


@claim(
    "HH-EQ35/level-with-the-root",
    deduced(),
    role="special case",
    repairs="HH-EQ35/level-as-defined",
    false={"factor": "1/2"},
)
def second_term_with_the_root(A: Annotated[Any, "[4, inf)"], factor=1):
    r"""With $72\sqrt8$ in place of $72$, $A=\frac{72\sqrt8\log T}{\epsilon\Delta_j}\ge4$ and $Q_j=A\log A$, the second
    term of the width is at most $\frac{\Delta_j}4\frac{A\log Q_j}{Q_j}\le\frac{\Delta_j}2$, as $\log Q_j\le
    2\log A$."""
    return log(A * log(A) / log(2)), "<=", factor * 2 * log(A)


@claim("HH-EQ35/first", deduced(), false={"power": "2.5"}, displayed=True)
def shift_of_the_logarithm(x: Annotated[Any, "[27/10, inf)"], power=3):
    r"""$2\log(x+1)<<power>\log x$ for $x\ge e$ (here for $x\ge2.7$)."""
    return 2 * log(x + 1), "<", power * log(x)


@claim(
    "HH-EQ35",
    fails_at(ell=16, epsilon=3200, gap="9/10", x=2134),
    where=["x > 108*ell/gap**2", "180*ell <= epsilon*gap", "epsilon*gap <= 203*ell", "x < 2**ell"],
    displayed=True,
)
def width_decreases(ell: Annotated[Any, "integer [1, 200]"], epsilon: Positive, gap: Gap, x: Count, factor=3):
    r"""For $x\ge\max\{H_j,Q_j\}$ and every $\epsilon$: $\sqrt{\frac{3\log t}x}+\frac{3\cdot6\sqrt8\log(x)\log
    t}{\epsilon x}\le\sqrt{\frac{3\log t}{H_j}}+\frac{3\cdot6\sqrt8\log(Q_j)\log t}{\epsilon Q_j}$ with
    $Q_j=A\log A$, $A=\frac{72\sqrt8\log T}{\epsilon\Delta_j}$; here where $A$ is just above 1, at $t=T$.

    log(x)/x decreases from e on only, and Q_j may be below e. For large budgets, A just above 1, even log(Q_j) is
    negative, and the right side with it; for A <= 1 the level Q_j is not above 0. At T = 2^16, epsilon = 3200 and a
    gap of 9/10, A = 1.13 and Q_j = 0.20. What the step is for, a width of at most 4/6 of the gap, holds there.
    """
    A = 72 * sqrt(8) * ell / (epsilon * gap)
    Q = A * lb(A)
    right = sqrt(gap**2 / 36) + factor * 6 * sqrt(8) * lb(Q) * ell / (epsilon * Q)
    return sqrt(ratio(3 * ell, x)) + factor * 6 * sqrt(8) * lb(x) * ell / (epsilon * x), "<=", right


@claim(
    "HH-EQ35/where-it-decreases",
    deduced(),
    role="special case",
    repairs="HH-EQ35",
    where=["x >= q"],
    false={"factor": "1/2"},
)
def logarithm_over_its_argument(q: Annotated[Any, "[3, inf)"], x: Positive, factor=1):
    r"""$\frac{\log x}x\le\frac{\log Q_j}{Q_j}$ for $x\ge Q_j\ge3$, so where $A\ge3$."""
    return log(x) / x, "<=", factor * log(q) / q


@claim("HH-EQ35/first-term", deduced(), false={"share": "1/7"}, displayed=True)
def first_term_of_the_width(ell: LogHorizon, gap: Gap, share=Fraction(1, 6)):
    r"""$\sqrt{3\log(T)/H_j}=\frac{\Delta_j}6$."""
    return sqrt(3 * ell / (108 * ell / gap**2)), "==", share * gap


@claim(
    "HH-EQ36",
    deduced(),
    false={"factor": "1/2"},
    where=["private <= mean + width"],
    displayed=True,
    restricted="to its first step",
)
def index_of_a_known_arm(private: Real, mean: Real, width: Positive, factor=2):
    r"""Where $\tilde\mu\le\hat\mu+\upsilon$, $\max\{0,\min\{\tilde\mu+\upsilon,1\}\}\le\max\{0,\min\{\hat\mu+
    <factor>\upsilon,1\}\}$."""
    return maximum(0, minimum(private + width, 1)), "<=", maximum(0, minimum(mean + factor * width, 1))
