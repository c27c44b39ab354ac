r"""Appendix C: AdaR-GOPE's private least squares and the proof of Theorem 8."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim, mutation
from banditproof.claims.sets import AboveOne, AboveZero, AtLeastOne, Count, Inside, Nonnegative, Positive, Probability
from banditproof.claims.steps import deduced, enumerated, fails_at, interval
from banditproof.paper_checks.shared.linear_designs import exact_rows, information, solved
from banditproof.paper_checks.shared.linear_experiments import ESTIMATES, errors_beyond
from banditproof.paper_checks.shared.response_ucb import inner
from banditproof.paper_checks.shared.simulated import simulated
from banditproof.theory import exp, log, sqrt, to_ball
from banditproof.theory.numbers.normal_law import normal_cdf
from banditproof.theory.numbers.numeric import ratio
from banditproof.theory.numbers.term import quantity

PLAYS = Annotated[Any, "all: plays of at most d (d + 1) / 2 actions that span"]
ACTIONS = [[1, 0, 0], [0, 1, 0], [0, 0, 1], ["3/5", "4/5", 0], [0, "3/5", "4/5"], ["1/3", "2/3", "2/3"]]
COUNTS = [[3, 1, 2, 0, 0, 0], [1, 1, 1, 1, 1, 1], [1, 9, 2, 7, 0, 4], [100, 1, 1, 1, 50, 3], [1, 1, 0, 0, 0, 9]]
PLAYED = [([[1]], [3]), ([[1, 0], [0, 1], ["3/5", "4/5"]], [1, 1, 1]), *((ACTIONS, counts) for counts in COUNTS)]


def rows_and_counts(plays: int) -> tuple[Any, list[Fraction]]:
    """Actions and how often each is played."""
    actions, counts = PLAYED[plays]
    return exact_rows(actions), [Fraction(n) for n in counts]


@quantity
def dimension_of_plays(plays: int) -> int:
    """d."""
    return len(rows_and_counts(plays)[0][0])


@quantity
def largest_norm_of_plays(plays: int) -> Fraction:
    """g^2, the largest |a|^2 in the norm of V^-1."""
    rows, counts = rows_and_counts(plays)
    matrix = information(rows, counts)
    return max(inner(row, solved(matrix, row)) for row in rows)


@quantity
def noise_on_sums(plays: int, action: int) -> Fraction:
    """The sum of (a^T V^-1 b)^2 over the actions b that are played."""
    rows, counts = rows_and_counts(plays)
    image = solved(information(rows, counts), rows[action])
    return sum((inner(row, image) ** 2 for row, n in zip(rows, counts, strict=True) if n), Fraction(0))


@claim(
    "RDP-T15/variance",
    enumerated(
        [{"plays": k, "action": a} for k, (actions, _) in enumerate(PLAYED) for a in range(len(actions))], rational=True
    ),
)
def variance_of_the_noise(plays: PLAYS, action: Annotated[Any, "all: every action"]):
    r"""$\sum_{b\in\mathrm{Supp}}(a^\top V_t^{-1}b)^2\le g_t^4\,\frac12d(d+1)$, since $|a^\top V_t^{-1}b|\le g_t^2$.

    The bound is tight for d = 1 only. With n_b >= 1 plays of each action the left side is at most g_t^2, and g_t^2 is
    at least d over the number of plays; for larger d the bound would also hold with 2 d in place of d (d + 1).
    """
    d = dimension_of_plays(plays)
    return noise_on_sums(plays, action), "<=", largest_norm_of_plays(plays) ** 2 * ratio(d * (d + 1), 2)


@claim(
    "RDP-T15/tail",
    deduced(),
    false=[{"four": "3.9"}, {"two": "1.9"}],
    role="step",
    rests_on=["RDP-T15/variance", "TH-L2.21"],
)
def tail_of_the_noise(g: Positive, order: AboveOne, epsilon: Positive, d: Count, level: AtLeastOne, four=4, two=2):
    r"""Noise of variance $\frac{2\alpha}\epsilon$ on each action of the support, $\frac{g_t^4}2d(d+1)$ times that on
    the value of one, exceeds the second printed width, $g_t^2\sqrt{\frac{2\alpha d(d+1)}\epsilon \log\frac{4}\delta}$,
    with probability at most $2e^{-\log(4/\delta)}=\frac\delta2$.

    level is 1 / delta; order is the order of the divergence.
    """
    variance = 2 * order / epsilon * g**4 * d * (d + 1) / 2
    width = g**2 * sqrt(two * order * d * (d + 1) / epsilon * log(four * level))
    return 2 * exp(-(width**2) / (2 * variance)), "<=", 1 / (2 * level)


TAILS = [
    {"d": d, "x": Fraction(x), "delta": Fraction(1, 10**k)}
    for d in (1, 2, 10, 200)
    for x in ("1/1000", "1", "3", "1000000")
    for k in (0, 1, 3, 40, 400)
]


@claim(
    "RDP-T15/normal-rewards",
    enumerated(TAILS),
    deduced(),
    false=[mutation(plain="0.95"), {"private": 0}, mutation(private="0.95")],
    restricted="to normal rewards and the largest variance",
)
def tail_of_the_private_estimate(d: Count, x: Positive, delta: AboveZero, plain=1, private=1):
    r"""With normal rewards and noise of the largest variance, $x=g_t\sqrt{\alpha d(d+1)/\epsilon}$: the error over
    $g_t$ is normal of variance $1+x^2$ and exceeds $(1+x)\sqrt{2\log\frac4\delta}$ in size with probability at most
    $\delta$.

    The tail of a normal law is below its subgaussian bound: log(1/delta) in place of log(4/delta) would be enough as
    well. Only delta down to 10^-400 makes the check notice the two constants.
    """
    width = (plain + private * x) * sqrt(2 * log(4 / delta))
    return 2 * normal_cdf(-width / sqrt(1 + x**2)), "<=", delta + 0 * to_ball(d)


@claim(
    "RDP-T15/as-run",
    simulated(ESTIMATES),
    false=[{"private": 0}, mutation(plain="1/2"), mutation(private="1/4")],
    restricted="to random unit vectors in 2, 3 and 6 dimensions, rewards of -1 or 1, delta = 1/10",
    studies=[ESTIMATES],
)
def estimates_as_they_are_made(actions: Annotated[Any, "all: every set of actions"], plain=1, private=1, *, arrays):
    r"""In runs, the error of AdaR-GOPE's estimate of the action of largest norm exceeds
    $g\sqrt{2\log\frac4\delta}+g^2 \sqrt{\frac{2\alpha}\epsilon d(d+1)\log\frac4\delta}$ with probability at most
    $\delta$."""
    yield from errors_beyond(arrays, "adar", plain, private)


Directions = Annotated[Any, "integer [3, inf)"]
NORMAL = """with rewards 0 and theta* = 0 the error is exactly normal, with the variance of the noise; the squares of
the products of one of n >= 3 directions with all of them sum to n/2"""


@claim("RDP-T15/many-actions", fails_at(n=60, price=100, delta=Fraction(1, 10)), role="reading", assuming=NORMAL)
def tail_with_many_actions(n: Directions, price: Positive, delta: Inside):
    r"""'$\pi$ be an optimal design for $\mathcal A$': one of Definition 13, not that of Algorithm 3 with at most
    $\frac{d(d+1)}2$ actions. $\mathcal A$: $n$ unit vectors at equal angles in the plane, $\pi$ uniform, each played
    once, $\frac\alpha\epsilon$ = price: the error of an action exceeds the theorem's width with probability at most
    $\delta$.

    V(pi) = I/2 maximises det, so pi is optimal, and its support is all of A. Line 6 of the algorithm bounds the
    support, and the proof uses this bound. Here V_t = (n/2) I and g_t^2 = 2/n, so the noise has the variance 4 n^-1
    alpha/epsilon, but the width decreases like 1/n.
    """
    squared, level = to_ball(ratio(2, n)), log(4 / delta)
    width = sqrt(2 * squared * level) + squared * sqrt(12 * price * level)
    return 2 * normal_cdf(-width / sqrt(2 * squared * price)), "<=", delta


@claim(
    "RDP-C16",
    deduced(),
    false=[{"lead": "1.9"}, {"lead": 0}, mutation(private=Fraction(9, 10))],
    rests_on=["RDP-T15/few-actions"],
    restricted="to the width of Theorem 15 where $g_t^2\\le d/c$: the probability is that theorem's",
)
def phases_are_long_enough(d: AtLeastOne, beta: Positive, level: Positive, price: Positive, lead=8, private=2):
    r"""$c=\frac{8d}{\beta^2}L+\frac{2d}\beta\sqrt{2\frac\alpha\epsilon d(d+1)L}$ pulls at an optimal design ($g_t^2\le
    d/c$) make the width of Theorem 15 at most $\beta$: $\frac dc2L\le(\beta-\frac dcN)^2$, $L=\log \frac4\delta$ and
    $N$ that root.

    price is N. The check cannot distinguish constants within 25 %: the printed c makes the width at most 5 beta / 8.
    """
    c = lead * d * level / beta**2 + private * d * price / beta
    return 2 * level * d / c, "<=", (beta - d * price / c) ** 2


@claim(
    "RDP-C16/many-actions",
    fails_at(n=600, beta=Fraction(1, 2), price=100, delta=Fraction(1, 10)),
    role="reading",
    assuming=NORMAL,
)
def phases_with_many_actions(n: Directions, beta: Positive, price: Positive, delta: Inside):
    r"""'$\pi(a)$' of an optimal design: for the uniform one on $n$ unit vectors at equal angles in the plane, each
    action is played $\lceil\frac cn\rceil$ times, at most $\frac cn+1$, and the error is at least $\beta$ with
    probability at most $\delta$.

    N plays of each action make V_t = (nN/2) I, so the noise has the variance 4 (n N^2)^-1 alpha/epsilon; with fewer
    plays it is larger.
    """
    level = log(4 / delta)
    plays = (16 * level / beta**2 + 4 * sqrt(12 * price * level) / beta) / n + 1
    return 2 * normal_cdf(-beta * plays * sqrt(to_ball(n)) / (2 * sqrt(price))), "<=", delta


@claim(
    "RDP-C16/norms",
    fails_at(c=4, weight=1, rational=True),
    role="step",
    slip="The inverses are missing in the norms: the definition of g_t in Theorem 15 has them.",
    called={r"$V(\pi)$": "weight", r"$\max_b\|b\|^2_{V_t}$": "left", r"$\frac1c\max_b\|b\|^2_{V(\pi)}$": "right"},
)
def norms_as_printed(c: AtLeastOne, weight: Positive):
    r"""'$g_t^2=\max_{b}\|b\|^2_{V_t}\le\frac1c\max_{b}\|b\|^2_{V(\pi)}$' in the proof: for $d=1$, $\mathcal A=\{1\}$
    and $V_t=cV(\pi)$.

    $V_t\ge cV(\pi)$ makes norms in $V_t$ larger and norms in its inverse smaller. With the inverses, as in the
    definition of $g_t$, the line holds.
    """
    return c * weight, "<=", weight / c


@claim("RDP-C16/norms-of-inverses", deduced(), repairs="RDP-C16/norms")
def norms_of_inverses(c: AtLeastOne, more: AtLeastOne, weight: Positive):
    r"""With inverses: $V_t\ge cV(\pi)$ gives $\frac1{V_t}\le\frac1{c}\frac1{V(\pi)}$ in every direction.

    In one direction $V_t$ is any multiple of $cV(\pi)$ by a number of at least 1.
    """
    return 1 / (more * c * weight), "<=", 1 / (c * weight)


@claim(
    "RDP-PF3/regret-is-equal",
    fails_at(horizon=10, gap="1/2", rational=True),
    role="step",
    slip="The sign should be 'at most', which is all that the next line uses.",
    called={"a single action and $T$": "horizon", r"$\Delta$": "gap", "the regret": "left", "the printed sum": "right"},
)
def regret_as_printed(horizon: Count, gap: Positive):
    r"""Step 3: '$R_T=\dots=\sum_\ell\sum_a\Delta_aT_\ell(a)+T\Delta$' for a single action, whose regret is 0.

    The step replaces gaps of at most $\Delta$ by $\Delta$, which makes the right side larger, not equal.
    """
    return 0, "==", horizon * gap


@claim("RDP-PF3/regret-is-at-most", deduced(), repairs="RDP-PF3/regret-is-equal")
def regret_at_most(early: Nonnegative, horizon: Positive, share: Probability, gap: Positive):
    r"""$\sum_{\Delta_a>\Delta}\Delta_aN_a(T)+\sum_{\Delta_a\le\Delta}\Delta_aN_a(T)\le\sum_\ell\sum_a\Delta_aT_\ell(a)+T\Delta$.

    The first sum is any nonnegative number, and the second is a share of $T\Delta$.
    """
    return early + share * horizon * gap, "<=", early + horizon * gap


@claim("RDP-PF4/length", deduced(), false={"half": "1/4"})
def length_with_its_rounding(d: Positive, plays: Nonnegative, share: Probability, half=Fraction(1, 2)):
    r"""$T_\ell\le\frac12d(d+1)+c_\ell$: rounding up costs at most one play for each action of the support, of which
    there are at most $\frac{d(d+1)}2$ (plays is $c_\ell$, the support has a share of those)."""
    return plays + share * d * (d + 1) / 2, "<=", half * d * (d + 1) + plays


@claim("RDP-PF4/phases-from-three-rounds-on", interval())
def phases_below_the_logarithm(share: Annotated[Any, "(0, 1]"]):
    r"""$\ell(T)\le C\log T$ holds from $T=3$ on with $C=1$, $K$ and $d$ whatever they are: when $\ell(T)\ge2$ phases
    have begun, $T\ge4^{\ell(T)-2}\cdot32\log8$ and so $\frac{\log T}{\ell(T)}\ge(1-2s)\log4+s\log(32\log8)$ with
    $s=\frac1{\ell(T)}$, which is at least $1$ (share is $2s$; for $\ell(T)=1$ it says $\log3\ge1$)."""
    return (1 - share) * log(4 + 0 * share) + share / 2 * log(32 * log(8 + 0 * share)), ">=", 1


@claim("RDP-PF4/number-of-phases-repaired", deduced(), false={"lead": "33"}, repairs="RDP-PF4/number-of-phases")
def phases_begun(power: AtLeastOne, d: AtLeastOne, level: Positive, more: Nonnegative, rest: AtLeastOne, lead=32):
    r"""When $\ell(T)\ge2$ phases have begun, $4^{\ell(T)-2}\cdot32d\log\frac{8K}\delta\le T$, that is
    $\ell(T)\le2+\log_4\frac T{32d\log(8K/\delta)}$.

    Phase l(T) - 1 is complete and has at least 8 d 4^(l(T)-1) (level + more) plays. Here power is 4^(l(T)-2), level is
    log(8K/delta), level + more is the logarithm of that phase, and rest is the remainder of T, which contains at least
    the first round of phase l(T). For d = K = 1 and delta = 1/2, where the noise does not matter, the second phase
    begins after 89 rounds.
    """
    return power * lead * d * level, "<=", 8 * d * 4 * power * (level + more) + rest


LogHorizon = Annotated[Any, "[10986/10000, inf)"]  # of three rounds or more


@claim("RDP-PF4/logarithm", deduced(), false={"constant": 20}, where=["phase <= L"])
def logarithm_of_a_phase(k: AtLeastOne, phase: AtLeastOne, L: LogHorizon, delta: Inside, constant=25):
    r"""$\log\frac{4k\ell(\ell+1)}\delta\le C'\log\frac{k\log T}\delta$ for $\ell\le\ell(T)$, from $T=3$ on with
    $C'=25$: the phases are at most $\log T$ (L is $\log T\ge\log3$)."""
    return log(4 * k * phase * (phase + 1) / delta), "<=", constant * log(k * L / delta)


@claim("RDP-PF4/length-by-the-horizon", deduced(), false={"constant": "1/2"}, where=["own <= 25*level"])
def length_by_the_horizon(d: AtLeastOne, beta: Positive, price: Positive, own: Positive, level: Positive, constant=25):
    r"""Hence $T_\ell\le\frac{d(d+1)}2+\frac{8d}{\beta_\ell^2}C'\log\frac{k\log T}\delta+
    \frac{2d}{\beta_\ell}\sqrt{\frac{2\alpha}\epsilon d(d+1)C'\log\frac{k\log T}\delta}$ (own is the logarithm of the
    phase, level that of $\frac{k\log T}\delta$, price $\frac\alpha\epsilon$)."""

    def length(logarithm):
        return d * (d + 1) / 2 + 8 * d / beta**2 * logarithm + 2 * d / beta * sqrt(2 * price * d * (d + 1) * logarithm)

    return length(own), "<=", length(constant * level)


@claim("RDP-PF5/expectation", deduced())
def failure_costs_the_horizon(gap: Probability, horizon: Positive):
    r"""Step 7, $\mathbb E(R_T)\le(1-\delta)R_T(\delta)+\delta T$, for rewards in $[0,1]$ as the Theorem 8 of the
    appendix assumes: mean rewards lie in $[0,1]$, so a run outside the good event loses at most $T$."""
    return gap * horizon, "<=", horizon


@claim(
    "RDP-PF5/expectation-under-assumption-1", fails_at(gap=2, horizon=10), role="reading", cause="ZCDP-PF10/expectation"
)
def failure_under_assumption_1(gap: Annotated[Any, "[0, 2]"], horizon: Count):
    r"""Step 7, $\mathbb E(R_T)\le(1-\delta)R_T(\delta)+\delta T$, 'under Assumption 1', as the Theorem 8 of Section 5
    says: a run outside the good event loses at most $T$.

    Assumption 1 has rewards in $[-1,1]$, which leaves gaps of up to 2, for instance at $\mathcal A=\{e,-e\}$ and
    $\theta^*=e$. The statement in the appendix has rewards in $[0,1]$, where the step holds.
    """
    return gap * horizon, "<=", horizon


@claim(
    "RDP-PF5/expectation-under-assumption-1-repaired",
    deduced(),
    false={"most": "1.9"},
    repairs="RDP-PF5/expectation-under-assumption-1",
)
def failure_costs_twice(gap: Annotated[Any, "[0, 2]"], horizon: Positive, most=2):
    r"""It loses at most $2T$, so $\mathbb E(R_T)\le R_T(\delta)+2$ at $\delta=\frac1T$."""
    return gap * horizon, "<=", most * horizon


@claim(
    "RDP-PF5/last-display",
    fails_at(d=10**5, level=10, rational=False),
    role="step",
    slip="The power 3/2 belongs to the logarithm alone, and d^2 stands outside of the root, as in Theorem 8.",
    called={r"$\log T$": "level", "the private part": "left", "100 times what is printed": "right"},
    assuming="""other constants: the left side grows like d^2 and the right side like d^(3/2), so that larger constants
    fail at a larger d""",
)
def last_display(d: AtLeastOne, level: AtLeastOne, C=100):
    r"""Step 7, last line: the private part $d^2\sqrt{\frac\alpha\epsilon\log(kT\log T)}\log T$ is at most $100$ times
    the printed $\bigl(\sqrt{\frac\alpha\epsilon d^2\log(kT)}\bigr)^{3/2}$, here at $\frac\alpha\epsilon=k=1$ and
    without the factor $\log\log T$.

    The left side grows like $d^2$ and the right side like $d^{3/2}$. The theorem has the factor $d^2\log(kT)^{3/2}$
    outside of the root.
    """
    return d**2 * sqrt(level) * level, "<=", C * sqrt(d**2 * level) ** Fraction(3, 2)


@claim("RDP-PF5/last-display-repaired", deduced(), repairs="RDP-PF5/last-display")
def last_display_as_in_the_theorem(d: AtLeastOne, root: AtLeastOne):
    r"""As the theorem has it: $d^2\sqrt{\log T}\log T=d^2\log^{3/2}T$.

    This is an identity in $d$ and $\sqrt{\log T}$.
    """
    return d**2 * root * root**2, "==", d**2 * root**3
