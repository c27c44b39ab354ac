r"""Appendix C: AdaR-GOPE's private least squares and the proof of Theorem 8, as in Appendix C.3 of the thesis."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim, item, mutation, restate
from banditproof.claims.sets import AboveOne, AboveZero, AtLeastOne, Count, Inside, Positive
from banditproof.claims.steps import enumerated, fails_at, symbolic, tried_at
from banditproof.paper_checks.shared.linear_experiments import ESTIMATES, errors_beyond
from banditproof.paper_checks.shared.simulated import simulated
from banditproof.theory import exp, log, sqrt, to_ball
from banditproof.theory.numbers.normal_law import normal_cdf
from banditproof.verify.plays.linear import exact_rows, information, solved
from banditproof.verify.plays.response_ucb import inner

restate("RDP-D13", of="ALG-D5.8")

item(
    "RDP-T14",
    r"""$\mathcal A$ compact, spanning $\mathbb R^d$: $\pi^*$ minimises $g$, $\pi^*$ maximises $f$, and $g(\pi^*)=d$ are
    equivalent, $g(\pi)=\max_a\|a\|_{V(\pi)^{-1}}$; some minimiser has $|\mathrm{Supp}|\le\frac{d(d+1)}2$.""",
    twins=["ALG-T5.9"],
)
restate("RDP-T14/value", of="ALG-T5.9/value")
restate("RDP-T14/value-repaired", of="ALG-T5.9/value-repaired", repairs="RDP-T14/value")
restate("RDP-T14/equivalent", of="ALG-T5.9/equivalent")
restate("RDP-T14/support", of="ALG-T5.9/support")

item(
    "RDP-T15",
    r"""$\tilde\theta_t=\hat\theta_t+V_t^{-1}\sum_{b\in\mathrm{Supp}}bN_b$, $N_b\sim\mathcal
    N(0,\frac{2\alpha}\epsilon)$: for every $a$, $|\langle\tilde\theta_t-\theta^*,a\rangle|\ge
    g_t\sqrt{2\log\frac4\delta}+g_t^2\sqrt{\frac{2\alpha d(d+1)}\epsilon\log\frac4\delta}$ has probability at most
$\delta$.""",
)

PLAYS = Annotated[Any, "all: plays of at most d (d + 1) / 2 actions that span"]
ACTIONS = [[1, 0, 0], [0, 1, 0], [0, 0, 1], ["3/5", "4/5", 0], [0, "3/5", "4/5"], ["1/3", "2/3", "2/3"]]
COUNTS = [[3, 1, 2, 0, 0, 0], [1, 1, 1, 1, 1, 1], [1, 9, 2, 7, 0, 4], [100, 1, 1, 1, 50, 3], [1, 1, 0, 0, 0, 9]]
PLAYED = [([[1]], [3]), ([[1, 0], [0, 1], ["3/5", "4/5"]], [1, 1, 1]), *((ACTIONS, counts) for counts in COUNTS)]


@claim(
    "RDP-T15/variance",
    enumerated(
        [{"plays": k, "action": a} for k, (actions, _) in enumerate(PLAYED) for a in range(len(actions))], rational=True
    ),
    false=[{"half": "0.49"}, {"more": 0}],
)
def variance_of_the_noise(plays: PLAYS, action: Annotated[Any, "all: every action"], half="1/2", more=1):
    r"""$\sum_{b\in\mathrm{Supp}}(a^\top V_t^{-1}b)^2\le g_t^4\,<half>d(d+<more>)$, since
    $|a^\top V_t^{-1}b|\le g_t^2$.

    It is tight for d = 1 only. With n_b >= 1 plays of each action the left side is at most g_t^2, and g_t^2 is at least
    d over the number of plays: for larger d twice d in the place of d (d + 1) would pass as well.
    """
    rows, counts = exact_rows(PLAYED[plays][0]), [Fraction(n) for n in PLAYED[plays][1]]
    d = len(rows[0])
    matrix = information(rows, counts)
    largest = max(inner(row, solved(matrix, row)) for row in rows)
    image = solved(matrix, rows[action])
    noise = sum((inner(row, image) ** 2 for row, n in zip(rows, counts, strict=True) if n), Fraction(0))
    return noise, "<=", largest**2 * Fraction(half) * d * (d + more)


@claim(
    "RDP-T15/tail",
    symbolic(),
    false=[{"four": "3.9"}, {"two": "1.9"}],
    role="step",
    rests_on=["RDP-T15/variance", "TH-L2.21"],
)
def tail_of_the_noise(g: Positive, order: AboveOne, epsilon: Positive, d: Count, level: AtLeastOne, four=4, two=2):
    r"""Noise of variance $\frac{2\alpha}\epsilon$ on each action of the support, $\frac{g_t^4}2d(d+1)$ times that on
    the value of one, exceeds the second printed width, $g_t^2\sqrt{\frac{<two>\alpha d(d+1)}\epsilon
    \log\frac{<four>}\delta}$, with probability at most $2e^{-\log(<four>/\delta)}=\frac\delta2$.

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
    false=[mutation(plain="0.95", gradual=False), {"private": 0}, mutation(private="0.95", gradual=False)],
    restricted="to normal rewards and the largest variance",
)
def tail_of_the_private_estimate(d: Count, x: Positive, delta: AboveZero, plain=1, private=1):
    r"""With normal rewards and noise of the largest variance, $x=g_t\sqrt{\alpha d(d+1)/\epsilon}$: the error over
    $g_t$ is normal of variance $1+x^2$ and exceeds $(<plain>+<private>\,x)\sqrt{2\log\frac4\delta}$ in size with
    probability at most $\delta$.

    A normal law is below its subgaussian bound: log(1/delta) in the place of log(4/delta) would pass as well, and what
    is seen of the two constants is seen at delta down to 10^-400.
    """
    width = (plain + private * x) * sqrt(2 * log(4 / delta))
    return 2 * normal_cdf(-width / sqrt(1 + x**2)), "<=", delta + 0 * to_ball(d)


@claim(
    "RDP-T15/as-run",
    simulated(ESTIMATES),
    false=[{"private": 0}, mutation(plain="1/2", gradual=False), mutation(private="1/4", gradual=False)],
    restricted="to random unit vectors in 2, 3 and 6 dimensions, rewards of -1 or 1, delta = 1/10",
    studies=[ESTIMATES],
)
def estimates_as_they_are_made(actions: Annotated[Any, "all: every set of actions"], plain=1, private=1, *, arrays):
    r"""AdaR-GOPE's estimate of the action of largest norm is off by $<plain>g\sqrt{2\log\frac4\delta}+<private>g^2
    \sqrt{\frac{2\alpha}\epsilon d(d+1)\log\frac4\delta}$ with probability at most $\delta$, in runs."""
    yield from errors_beyond(arrays, "adar", plain, private)


Directions = Annotated[Any, "integer [3, inf)"]
NORMAL = """with rewards 0 and theta* = 0 the error is exactly normal, with the variance of the noise; the squares of
the products of one of n >= 3 directions with all of them sum to n/2"""


@claim(
    "RDP-T15/many-actions",
    fails_at(n=60, price=100, delta=Fraction(1, 10)),
    role="reading",
    strongest="enumeration",
    assuming=NORMAL,
)
def tail_with_many_actions(n: Directions, price: Positive, delta: Inside):
    r"""'$\pi$ be an optimal design for $\mathcal A$': one of Definition 13, not that of Algorithm 3 with at most
    $\frac{d(d+1)}2$ actions. $\mathcal A$: $n$ unit vectors at equal angles in the plane, $\pi$ uniform, each played
    once, $\frac\alpha\epsilon$ = price: the error of an action exceeds the theorem's width with probability at most
    $\delta$.

    V(pi) = I/2 maximises det, so that pi is optimal, and its support is all of A. Line 6 of the algorithm bounds the
    support, and the proof uses it. V_t = (n/2) I and g_t^2 = 2/n: the noise has the variance 4 n^-1 alpha/epsilon, and
    the width falls like 1/n.
    """
    squared, level = to_ball(Fraction(2, n)), log(4 / delta)
    width = sqrt(2 * squared * level) + squared * sqrt(12 * price * level)
    return 2 * normal_cdf(-width / sqrt(2 * squared * price)), "<=", delta


restate(
    "RDP-T15/few-actions",
    "RDP-T15/normal-rewards",
    r"""With at most $\frac{d(d+1)}2$ actions in the design, as Algorithm 3 chooses it, normal rewards and noise of the
    largest variance, $x=g_t\sqrt{\alpha d(d+1)/\epsilon}$: the error over $g_t$ is normal of variance $1+x^2$ and
    exceeds $(<plain>+<private>\,x)\sqrt{2\log\frac4\delta}$ in size with probability at most $\delta$.""",
    role="repair",
    repairs="RDP-T15/many-actions",
)


@claim(
    "RDP-C16",
    tried_at(d=2, beta=Fraction(1, 2), level=[Fraction(1, 1000), 3, 1000], price=[Fraction(1, 10**6), 1, 10**6]),
    symbolic(),
    false=[{"lead": "1.9"}, {"lead": 0}, mutation(private=Fraction(9, 10))],
    rests_on=["RDP-T15/few-actions"],
)
def phases_are_long_enough(d: AtLeastOne, beta: Positive, level: Positive, price: Positive, lead=8, private=2):
    r"""$c=\frac{<lead>d}{\beta^2}L+\frac{<private>d}\beta\sqrt{2\frac\alpha\epsilon d(d+1)L}$ pulls at an optimal
    design ($g_t^2\le d/c$) make the width of Theorem 15 at most $\beta$: $\frac dc2L\le(\beta-\frac dcN)^2$, $L=\log
    \frac4\delta$ and $N$ that root.

    price is N. Constants within 25 % cannot be told apart: the printed c makes the width at most 5 beta / 8.
    """
    c = lead * d * level / beta**2 + private * d * price / beta
    return 2 * level * d / c, "<=", (beta - d * price / c) ** 2


@claim(
    "RDP-C16/many-actions",
    fails_at(n=600, beta=Fraction(1, 2), price=100, delta=Fraction(1, 10)),
    role="reading",
    strongest="enumeration",
    assuming=NORMAL,
)
def phases_with_many_actions(n: Directions, beta: Positive, price: Positive, delta: Inside):
    r"""'$\pi(a)$' of an optimal design: for that of `RDP-T15/many-actions`, not one of Algorithm 3, each action is
    played $\lceil\frac cn\rceil$ times, at most $\frac cn+1$, and the error is at least $\beta$ with probability at
    most $\delta$.

    N plays of each make V_t = (nN/2) I: the noise has the variance 4 (n N^2)^-1 alpha/epsilon, more with fewer plays.
    """
    level = log(4 / delta)
    plays = (16 * level / beta**2 + 4 * sqrt(12 * price * level) / beta) / n + 1
    return 2 * normal_cdf(-beta * plays * sqrt(to_ball(n)) / (2 * sqrt(price))), "<=", delta


restate(
    "RDP-C16/few-actions",
    "RDP-C16",
    r"With at most $\frac{d(d+1)}2$ actions in the design, as Algorithm 3 chooses it: $c=\frac{<lead>d}{\beta^2}L+"
    r"\frac{<private>d}\beta\sqrt{2\frac\alpha\epsilon d(d+1)L}$ pulls make the width of Theorem 15 at most $\beta$.",
    role="repair",
    repairs="RDP-C16/many-actions",
)


restate("RDP-C16/five-eighths", of="ALG-CC.11/five-eighths")

item(
    "RDP-PF3",
    r"""Theorem 8, steps 1-3: the good event, the best action stays, bad ones go, the regret is that of phases up to
    $\ell_\Delta=\lceil\log_2\frac4\Delta\rceil$.""",
    twins=["ALG-PC.3.2"],
)
for name in ("good-event", "best-stays", "bad-goes", "last-phase"):
    restate(f"RDP-PF3/{name}", of=f"ALG-PC.3.2/{name}")
restate("RDP-PF3/last-phase-repaired", of="ALG-PC.3.2/last-phase-repaired", repairs="RDP-PF3/last-phase")

item(
    "RDP-PF4",
    r"Theorem 8, step 4: the length of a phase with its rounding, and $\ell(T)\le C\log T$.",
    twins=["ALG-PC.3.2"],
)
restate("RDP-PF4/number-of-phases", of="ALG-PC.3.2/number-of-phases")
restate(
    "RDP-PF4/number-of-phases-repaired", of="ALG-PC.3.2/number-of-phases-repaired", repairs="RDP-PF4/number-of-phases"
)

item(
    "RDP-PF5",
    r"Theorem 8, steps 5-7: the sum of the phases, the choice of $\Delta$ and the expectation.",
    twins=["ALG-PC.3.2"],
)
for name in ("sum-of-phases", "expectation"):
    restate(f"RDP-PF5/{name}", of=f"ALG-PC.3.2/{name}")
    restate(f"RDP-PF5/{name}-repaired", of=f"ALG-PC.3.2/{name}-repaired", repairs=f"RDP-PF5/{name}")
