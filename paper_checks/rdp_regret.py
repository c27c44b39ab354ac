"""Regret of AdaR-UCB in the RDP paper, and how often it looks at rewards: RDP-L12, PF2, T5, C6, S2, R2.

AdaR-UCB at (alpha, epsilon) is AdaC-UCB at rho = epsilon/alpha (RDP-A2/dictionary): where the zCDP paper states the
same, its claims are restated with that rho. L stands for log T.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks import thesis_adac_regret, zcdp_adac_pulls, zcdp_adac_regret, zcdp_adac_ucb
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.recorded_privacy import Sides
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.twins import restate
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

# the modules whose claims are restated here
RESTATED = (thesis_adac_regret, zcdp_adac_pulls, zcdp_adac_regret, zcdp_adac_ucb)
DICTIONARY = r"$\rho=\frac\epsilon\alpha$"


def positive(names: str) -> Any:
    import sympy

    return sympy.symbols(names, positive=True)


# ---------------------------------------------------------------------------------- Lemma 12 and the proof of Theorem 5

parts_decide(
    "RDP-L12",
    r"For i.i.d. $X_i\in[0,1]$ and $Z_n\sim\mathcal N(0,\frac\alpha{2\epsilon n^2})$: $\mathbb "
    r"P(\hat\mu_n+Z_n-w\ge\mu)\le"
    r"\delta$ and $\mathbb P(\hat\mu_n+Z_n+w\le\mu)\le\delta$, $w=\sqrt{(\frac1{2n}+\frac\alpha{\epsilon n^2})\log"
    r"\frac1\delta}$.",
    twins=["ZCDP-L2", "ALG-LC.9"],
)
restate(
    "RDP-L12/tails", "ZCDP-L2/tails",
    r"Both tails are at most $\delta$ with $w=\sqrt{(\frac{<hoeffding>}n+\frac{<private>}{\rho "
    r"n^2})\log\frac1\delta}$, "
    rf"{DICTIONARY}, $0<\delta\le1$.",
    role="part",
)  # fmt: skip
restate("RDP-L12/any-delta", "ZCDP-L2/any-delta")
restate("RDP-L12/delta-up-to-one", "ZCDP-L2/delta-up-to-one", repairs="RDP-L12/any-delta")

parts_decide(
    "RDP-PF2",
    r"Proof of Theorem 5: the generic bound on $\mathbb E N_a(T)$, blocks long enough that the width is half a gap, "
    r"$\ell=\lceil\log_2(\frac{2\beta}{\Delta_a^2}\log T+2\sqrt{\frac{\beta\alpha}{\epsilon\Delta_a^2}}\sqrt{\log T})"
    r"\rceil$, and the sum of the terms.",
    twins=["ZCDP-PF5", "ZCDP-PF6", "ALG-PC.2.6"],
)
restate("RDP-PF2/generic-bound", "ZCDP-PF4/adac-ucb", role="part")
restate(
    "RDP-PF2/blocks", "ZCDP-PF5",
    r"A negative slack implies $2^\ell<\frac{<lead>\beta}{\Delta_a^2}\log T+<noise>\sqrt{\frac{\beta\alpha}{\epsilon"
    rf"\Delta_a^2}}}}\sqrt{{\log T}}$ ({DICTIONARY}).",
    role="part",
)  # fmt: skip
restate("RDP-PF2/rounding", "ZCDP-PF6/rounding", role="part")
restate("RDP-PF2/tail", "ZCDP-PF6/tail", role="part")
restate(
    "RDP-PF2/regret", "ZCDP-PF6/regret",
    r"$\Delta_a\cdot4x\le\frac{<lead>\beta}{\Delta_a}\log T+<noise>\sqrt{\frac{\beta\alpha}\epsilon}\sqrt{\log T}$ "
    rf"({DICTIONARY}).",
    role="part",
)  # fmt: skip


def length_of_blocks(root_log: Any, root_beta: Any, gap: Any, root_price: Any, lead: Any) -> Sides:
    """lead beta L/gap^2 + 2 sqrt(beta L alpha/epsilon)/gap, whose logarithm is taken; roots are variables."""
    return lead * (root_beta * root_log / gap) ** 2 + 2 * root_beta * root_log * root_price / gap, ">", 0


def length_argument(lead: Any) -> SymbolicArgument:
    g, c, d, r = positive("g c d r")
    variables = {"root_log": g, "root_beta": c, "gap": d, "root_price": r}
    return SymbolicArgument(variables, lead * (c * g / d) ** 2 + 2 * c * g * r / d, "positive")


LENGTHS = Domain.of(root_log="[0, inf)", root_beta="(0, inf)", gap="(0, inf)", root_price="(0, inf)")


@claim(
    "RDP-PF2/one-step",
    r"The number whose logarithm is $\ell$ is positive at every horizon, $\log T\ge0$ (variables $\sqrt{\log T}$, "
    r"$\sqrt\beta$, $\sqrt{\alpha/\epsilon}$).",
    role="reading", domain=LENGTHS, constants={"lead": 2},
)  # fmt: skip
def length_at_every_horizon(check: Check) -> None:
    """At T = 1 it is 0; no horizon is stated. (Theorem 5 itself holds there, see its short horizons.)"""
    point = {"root_log": Fraction(0), "root_beta": Fraction(2), "gap": Fraction(1), "root_price": Fraction(1)}
    check.counterexample(length_of_blocks, point, rational=True)


@claim(
    "RDP-PF2/two-steps", r"From $T=2$ on it is positive.",
    role="repair", repairs="RDP-PF2/one-step", domain=LENGTHS.restrict(root_log="(0, inf)"), constants={"lead": 2},
    mutations=[mutation("a negative first term", lead=-2, gradual=False)], strongest="symbolic",
)  # fmt: skip
def length_from_two_steps_on(check: Check) -> None:
    point = {"root_log": Fraction(9), "root_beta": Fraction(2), "gap": Fraction(1), "root_price": Fraction(1)}
    if not check.search(length_of_blocks, [point], rational=True):
        check.symbolic(length_of_blocks, length_argument)


# ------------------------------------------------------------------------------------------ Theorem 5 and Corollary 6

parts_decide(
    "RDP-T5",
    r"AdaR-UCB, rewards in $[0,1]$, $\beta>3$: regret at most $\sum_{\Delta_a>0}(\frac{8\beta}{\Delta_a}\log T+8\sqrt{"
    r"\frac{\beta\alpha}\epsilon}\sqrt{\log T}+\frac{2\beta}{\beta-3})$.",
    twins=["ZCDP-T10", "ALG-T5.6"],
)
restate(
    "RDP-T5/bound", "ZCDP-T10/bound",
    r"$\mathrm{Reg}_T\le\sum_{\Delta_a>0}\bigl(\frac{<lead>\beta}{\Delta_a}\log T+<noise>\sqrt{\frac{\beta\log T}\rho}+"
    rf"\frac{{<last>\beta}}{{\beta-3}}\bigr)$ with {DICTIONARY}.",
    role="part",
)  # fmt: skip
restate("RDP-T5/short-horizon", "ZCDP-T10/short-horizon")

parts_decide(
    "RDP-C6",
    r"AdaR-UCB, rewards in $[0,1]$, $\beta>3$: regret at most $\mathcal O(\sqrt{KT\log T})+\mathcal "
    r"O(K\sqrt{\frac\alpha"
    r"\epsilon\log T})$.",
    twins=["ZCDP-T11", "ALG-PC.2.6c"],
)
restate("RDP-C6/split", "ZCDP-T11/split", role="part")
restate(
    "RDP-C6/bound", "ZCDP-T11/bound",
    r"$\mathrm{Reg}_T\le\sqrt{<square>}\sqrt{\beta KT\log T}+<noise>K\sqrt{\frac{\beta\log T}\rho}+\frac{<last>\beta}"
    rf"{{\beta-3}}\sum_a\Delta_a$ with {DICTIONARY}.",
    role="part",
)  # fmt: skip
restate("RDP-C6/order", "ALG-T5.6/order", role="part")

# ---------------------------------------------------------------------------------------- RDP-S2: accesses to rewards

parts_decide(
    "RDP-S2",
    r"Gaussian noise each time rewards are accessed; adaptive episodes, $O(\log T)$ of them (AdaR-UCB; the episodes "
    r"of the "
    "other algorithms are parts of their own).",
    twins=["ZCDP-S1"],
)
restate("RDP-S2/adar-ucb", "ZCDP-S1/adac-ucb", r"AdaR-UCB accesses rewards at most $<share>K\lceil\log_2T\rceil$ times "
        r"for $T\ge K\ge2$: at the end of each episode.", role="part")  # fmt: skip
restate("RDP-S2/adar-ucb-runs", "ZCDP-S1/adac-ucb-runs", role="part")

# ------------------------------------------------------------------------------- RDP-R2: Algorithm 4 on unit vectors


def determinant(counts: Any, ridge: Fraction) -> Fraction:
    """det(ridge I + diag(counts))."""
    product = Fraction(1)
    for count in counts:
        product *= ridge + int(count)
    return product


def update_condition(counts: Any, arm: int, ridge: Any, growth: int, shift: int) -> Sides:
    """Pull counts of one arm, up to three times the old one, at which the two conditions differ."""
    old, lam, wrong = int(counts[arm]), Fraction(ridge), 0
    for pulls in range(old, 3 * old + 8):
        now = [pulls + shift if i == arm else count for i, count in enumerate(counts)]
        updates = determinant(now, lam) > growth * determinant(counts, lam)
        wrong += updates != (lam + pulls > growth * (lam + old))
    return wrong, "==", 0


UNIT_VECTORS = Domain.of(counts="all: pull counts of the arms", arm="integer [0, inf)", ridge="(0, inf)")

parts_decide(
    "RDP-R2",
    r"For $C=1$ and $\mathcal A_t=\{e_1,\dots,e_d\}$ line 6 of Algorithm 4 reduces to arm-dependent doubling.",
)


@claim(
    "RDP-R2/condition",
    r"While arm $i$ is played, $\det V>(1+C)\det V_\tau$ at $C=1$ iff $\lambda+N_i>2(\lambda+N_i(\tau))$ (the "
    r"determinant "
    r"with $<shift>$ pulls more).",
    domain=UNIT_VECTORS, constants={"growth": 2, "shift": 0}, mutations=[mutation("one more", shift=1)],
    strongest="enumeration",
)  # fmt: skip
def update_of_one_arm(check: Check) -> None:
    points = [
        {"counts": counts, "arm": i, "ridge": Fraction(r)}
        for counts in ([0, 0], [1, 4], [3, 2, 7], [0, 5, 1]) for i in (0, 1) for r in ("1/10", "1", "5/2")
    ]  # fmt: skip
    check.enumerate(update_condition, points, rational=True, routes=("determinants", "counts of the arm"))


def pulls_at_the_update(old: int, ridge: Any) -> int:
    """The first N with lambda + N > 2 (lambda + old), pull by pull."""
    pulls = old
    while not ridge + pulls > 2 * (ridge + old):
        pulls += 1
    return pulls


def nearly_doubled(old: int, ridge: Any, more: Any) -> Sides:
    return pulls_at_the_update(old, Fraction(ridge)), "<=", 2 * old + Fraction(ridge) + more


OLD = Domain.of(old="integer [0, inf)", ridge="(0, inf)")


@claim(
    "RDP-R2/nearly-doubled", r"An episode of arm $i$ ends at most $\lambda+<more>$ pulls after $2N_i(\tau)$ (and not "
                             r"before): doubling, up to $\lambda$.",
    domain=OLD, constants={"more": 1}, mutations=[mutation("no pull more", more=0)], strongest="enumeration",
)  # fmt: skip
def counts_nearly_double(check: Check) -> None:
    points = {"old": [0, 1, 2, 3, 10, check.pick(50, 500)], "ridge": ["1/10", "1/2", "1", "7/2"]}
    check.enumerate(nearly_doubled, points, rational=True, routes=("pull by pull", "twice the count"))


def exactly_doubled(old: int, ridge: Any, extra: int) -> Sides:
    r = Fraction(ridge)
    return pulls_at_the_update(old, r), "==", 2 * old + (int(r // 1) + 1) * extra


@claim(
    "RDP-R2/exactly-doubled",
    r"To the letter, as in AdaR-UCB: the episode ends at $N_i=2N_i(\tau)+<extra>(\lfloor\lambda\rfloor+1)$.",
    role="reading", domain=OLD.restrict(old="integer [1, inf)"), constants={"extra": 0},
)  # fmt: skip
def counts_double_exactly(check: Check) -> None:
    """The inequality is strict and lambda is counted twice on its right side."""
    check.counterexample(exactly_doubled, {"old": 1, "ridge": Fraction(1)}, rational=True)


@claim(
    "RDP-R2/doubled-and-a-constant",
    r"The episode ends at $N_i=2N_i(\tau)+<extra>(\lfloor\lambda\rfloor+1)$.",
    role="repair", repairs="RDP-R2/exactly-doubled", domain=OLD, constants={"extra": 1},
    mutations=[mutation("exactly doubled", extra=0)], strongest="enumeration",
)  # fmt: skip
def counts_double_and_a_constant(check: Check) -> None:
    points = {"old": [0, 1, 2, 3, 10, check.pick(50, 500)], "ridge": ["1/10", "1/2", "1", "7/2"]}
    check.enumerate(exactly_doubled, points, rational=True, routes=("pull by pull", "formula"))
