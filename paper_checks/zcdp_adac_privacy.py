r"""Theorem 12 of the zCDP paper, AdaC-UCB is private, and its extension to other budgets in Appendix C-E.

The text does not say whether the noise of an index is drawn once per block of rewards or again at every episode start.
The proof releases each block once, and so does the program; drawing again is a reading of its own.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.paper_checks import thesis_gaussian_mechanism
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.gaussian_choice import divergence, first_choices, fresh_choice, neighbouring, tables
from banditproof.paper_checks.recorded_privacy import BUGS, EVERY_RUN, violations
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.twins import restate
from banditproof.paper_checks.zcdp_privacy_proof import BUDGETS
from banditproof.theory.numeric import exp, log, to_ball
from banditproof.verify.domain import Domain

Sides = tuple[Any, str, Any]
RESTATED = (thesis_gaussian_mechanism,)  # the module whose claims are restated here

# ------------------------------------------------------------------------------------------------------- Theorem 12

INTERACTIONS = Domain.of(rho="(0, inf)", order="(1, inf)", adversary="all: every adversary and pair of tables")

parts_decide(
    "ZCDP-T12",
    r"AdaC-UCB is $\rho$-Interactive zCDP for rewards in $[0,1]$ (the noise of each released mean drawn once).",
    twins=["ALG-T5.5"],
)


def adac_runs(check: Check, adversary: int) -> list[dict[str, Any]]:
    return [
        {"algorithm": "adac-ucb", "budget": budget, "T": 40, "rewards": seed, "adversary": adversary}
        for seed in range(check.pick(1, 20)) for budget in BUDGETS
    ]  # fmt: skip


@claim(
    "ZCDP-T12/recorded-runs",
    r"Actions depend on rewards through the releases only; each moves by at most its declared sensitivity, and no "
    r"reward is charged more than $\rho$ (planted bug: <bug>).",
    domain=EVERY_RUN, constants={"bug": "none"}, mutations=BUGS, strongest="enumeration",
)  # fmt: skip
def recorded_runs_are_aligned(check: Check) -> None:
    """Each reward is in one released mean with shift 1/n at most, against noise of variance 1/(2 rho n^2)."""
    check.enumerate(violations, adac_runs(check, 0), rational=True, routes=("recorded run", "replay on neighbours"))


@claim(
    "ZCDP-T12/interactive-runs",
    r"The same against an adversary who asks for other arms than the recommended ones, by the recommendations so far "
    r"(planted bug: <bug>).",
    domain=EVERY_RUN, constants={"bug": "none"}, mutations=[m for m in BUGS if "noise" in m.name or "raw" in m.name],
    strongest="enumeration",
)  # fmt: skip
def interactive_runs_are_aligned(check: Check) -> None:
    """Given the recommendations, the rewards that the adversary draws from a table are a list."""
    check.enumerate(violations, adac_runs(check, 1), rational=True, routes=("recorded run", "replay on neighbours"))


def first_choices_leak(rho: Fraction, order: Fraction, noise: Fraction) -> Sides:
    """The largest D_order of (o_3, o_4), K = 2 and T = 4, over binary tables and query adversaries, by rho order."""
    largest = to_ball(0)
    for after_0, after_1 in product((0, 1), repeat=2):
        laws = {table: first_choices(table, (after_0, after_1), rho, Fraction(noise)) for table in tables()}
        for left, right in product(laws, laws):
            if neighbouring(left, right):
                largest = largest.max(divergence(laws[left], laws[right], order))
    return largest / to_ball(rho * order), "<=", 1


@claim(
    "ZCDP-T12/first-choices",
    r"$K=2$, $T=4$, binary rewards: $D_\alpha(\mathrm{View}_{B,\pi,d}\|\mathrm{View}_{B,\pi,d'})\le\alpha\rho$ over "
    r"all "
    r"tables and adversaries (noise of $<noise>$ times the deviation).",
    domain=INTERACTIONS, constants={"noise": 1}, mutations=[mutation("half the noise", noise="1/2", gradual=False)],
    strongest="enumeration",
)  # fmt: skip
def first_choices_of_two_arms(check: Check) -> None:
    """Normal integrals in balls; about half of the budget shows in the choices."""
    orders = [Fraction(11, 10), Fraction(2), Fraction(8), Fraction(64)]
    points = [{"rho": Fraction(r), "order": o} for r in check.pick(("1", "10"), ("1/10", "1", "10")) for o in orders]
    covers = check.domain.restrict(rho=sorted({p["rho"] for p in points}), order=orders,
                                   adversary="all: K = 2, T = 4, binary tables")  # fmt: skip
    check.enumerate(first_choices_leak, points, covers=covers, rational=True,
                    routes=("law of the choices", "budget"))  # fmt: skip


REDRAWN = [[9, 0, 2], [13, 4, 4], [21, 8, 8]]
"""Episode starts with the sum and length of the last block of arm 1; arm 0 had (0, 0) or (1, 0) in its last block."""


def drawn_again(rho: Any, order: Any, starts: Any, factor: Any) -> Sides:
    """D_order of the recommendations at `starts`, noise drawn anew at each, for fixed queries, against rho order.

    Two arms, beta = 4: arm 0 has been pulled four times, the last two with rewards (0, 0) or (1, 0), and the adversary
    goes on asking for arm 1. Recommendations at different starts are independent, so divergences add up.
    """
    total = to_ball(0)
    for start, collected, n in starts:
        left, right = (fresh_choice([(reward, 2), (collected, n)], start, rho, 4) for reward in (0, 1))
        total += divergence(left, right, order)
    return total, "<=", to_ball(factor) * to_ball(rho) * to_ball(order)


@claim(
    "ZCDP-T12/noise-drawn-again",
    r"The same if $\mathcal N(0,\sigma^2_{a,\ell})$ is drawn again at every episode start $\ell$, also for arms that "
    r"were "
    r"not played in between: $D_\alpha\le<factor>\,\alpha\rho$.",
    role="reading", domain=INTERACTIONS.restrict(starts="all: every course of the interaction"),
    constants={"factor": 1}, strongest="enumeration",
)  # fmt: skip
def noise_drawn_again(check: Check) -> None:
    """K = 2, rho = 1: three episodes start while the changed block is the last one of arm 0, each tells of it anew.

    Pulls: arm 0, arm 1 three times with last rewards (0, 0), arm 0 three times with last rewards (0, 0) or (1, 0), then
    arm 1 with rewards 1: episodes start at t = 9, 13 and 21.
    """
    point = {"rho": Fraction(1), "order": Fraction(11, 10), "starts": REDRAWN, "adversary": "always asks for arm 1"}
    check.counterexample(drawn_again, point)


def drawn_again_composed(rho: Any, order: Any, starts: Any, factor: Any) -> Sides:
    total, _, budget = drawn_again(rho, order, starts, factor)
    return total, "<=", len(starts) * budget


@claim(
    "ZCDP-T12/noise-drawn-again-composed",
    r"Drawn again at each of $E$ episode starts at which a block is the last one of its arm: $D_\alpha\le<factor>\,E\,"
    r"\alpha\rho$ along these courses.",
    role="repair", repairs="ZCDP-T12/noise-drawn-again",
    domain=INTERACTIONS.restrict(starts="all: every course of the interaction"),
    constants={"factor": 1}, mutations=[mutation("a third", factor="1/3", gradual=False)], strongest="enumeration",
)  # fmt: skip
def noise_drawn_again_composes(check: Check) -> None:
    orders = [Fraction(11, 10), Fraction(2), Fraction(16)]
    points = [
        {"rho": Fraction(r), "order": o, "starts": REDRAWN[:k], "adversary": "always asks for arm 1"}
        for r in ("1/10", "1", "4") for o in orders for k in (1, 2, 3)
    ]  # fmt: skip
    check.enumerate(drawn_again_composed, points, routes=("laws of the choices", "composition"))


# ------------------------------------------------------------------------------------------------- other budgets, C-E

parts_decide(
    "ZCDP-S16",
    r"AdaC-UCB for other budgets: $\frac1{2\rho}$ becomes $\frac2{\epsilon^2}\log\frac{1.25}\delta$ for "
    r"$(\epsilon,\delta)$-DP and $\frac\alpha{2\epsilon}$ for $(\alpha,\epsilon)$-RDP (no range of $\epsilon$ is "
    r"printed).",
    twins=["ALG-R5.7"],
)
LONG_GAME = {"block": 32, "other": 2048, "collected": 1497, "start": 4161}


def one_choice_leaks(
    epsilon: Any, delta: Any, inside: Any, block: int, other: int, collected: int, start: int
) -> Sides:
    """Pr[o_t = 0] on d minus e^epsilon Pr[o_t = 0] on d', against delta, for fixed queries.

    Two arms, beta = 4, noise of variance b = 2 log(inside/delta)/epsilon^2 on sums: the last block of arm 0 has one
    reward or none, that of arm 1, twice as long as all that arm 0 was pulled, `collected` of `other`.
    """
    b = 2 * log(to_ball(inside) / to_ball(delta)) / to_ball(epsilon) ** 2
    chances = [fresh_choice([(r, block), (collected, other)], start, 1 / (2 * b), 4)[0] for r in (1, 0)]
    return chances[0] - exp(to_ball(epsilon)) * chances[1], "<=", delta


@claim(
    "ZCDP-S16/approximate",
    r"With $\frac2{\epsilon^2}\log\frac{<inside>}\delta$ AdaC-UCB is $(\epsilon,\delta)$-Interactive DP, for every "
    r"$\epsilon>0$ and $\delta\in(0,1)$.",
    domain=Domain.of(epsilon="(0, inf)", delta="(0, 1)", block="integer [1, inf)", other="integer [1, inf)",
                     collected="integer [0, inf)", start="integer [3, inf)",
                     where=["collected <= other", "start == 2*block + 2*other + 1"]),
    constants={"inside": "5/4"}, twins=["TH-T2.14", "ALG-R5.7"],
)  # fmt: skip
def classical_noise_for_every_budget(check: Check) -> None:
    """The recommendation at t = 4161 compares the released mean of 32 rewards with one that is almost free of noise:
    close to the best test for the release itself, whose exact delta exceeds the promised one for large budgets."""
    check.counterexample(one_choice_leaks, {"epsilon": Fraction(10), "delta": Fraction(1, 10**5), **LONG_GAME})


restate(
    "ZCDP-S16/budgets-up-to-three", "TH-T2.14/budgets-up-to-three",
    r"Each release, with noise of variance $s_2^2\,\frac2{\epsilon^2}\log\frac{<inside>}{\delta}$, is "
    r"$(\epsilon,\delta)$-DP for $0<\epsilon\le3$ and every $\delta\in(0,1)$.",
    repairs="ZCDP-S16/approximate",
)  # fmt: skip


def renyi_runs(budget: Any, rewards: int, T: int, bug: str) -> Sides:
    """Violations of (alpha, epsilon)-RDP by AdaR-UCB, AdaC-UCB with b = alpha/(2 epsilon)."""
    return violations("adar-ucb", budget, T, rewards, bug)


@claim(
    "ZCDP-S16/rdp",
    r"With $\frac\alpha{2\epsilon}$ no recorded run violates $(\alpha,\epsilon)$-RDP (planted bug: <bug>).",
    domain=EVERY_RUN, constants={"bug": "none"}, mutations=[mutation("noise halved", bug="noise halved")],
    strongest="enumeration",
)  # fmt: skip
def other_budget_renyi(check: Check) -> None:
    points = [{"budget": b, "rewards": s, "T": 40} for b in (["rdp", 2, 1], ["rdp", "11/10", 4])
              for s in range(check.pick(1, 20))]  # fmt: skip
    region = check.domain.restrict(budget="all: two budgets", T=[40], algorithm="all: AdaR-UCB",
                                   rewards="all: some lists")  # fmt: skip
    check.enumerate(renyi_runs, points, covers=region, rational=True, routes=("recorded run", "replay on neighbours"))
