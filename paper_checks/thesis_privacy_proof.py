"""The generic privacy proof of the thesis, Appendix C.1, and what it needs: ALG-PC.1.2, ALG-RC.1, ALG-LC.1,
ALG-S-C1.3a, ALG-S-C1.3d, ALG-R5.7.

The proof is followed on Algorithm 7 with finite mechanisms (`finite_episodes`), against adversaries who ask for other
arms than the recommended ones, in rationals. Random policies blur what was released; the telling ones choose the
symbol just released as the next arm, so that the bounds are reached and nothing smaller would pass.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from banditproof.algorithms.episodic import AdaCUCB, printed_multiplier
from banditproof.paper_checks import thesis_gaussian_mechanism, thesis_parallel_composition
from banditproof.paper_checks.bernoulli_dp_laplace import SHIFT, prove_laplace_ratio
from banditproof.paper_checks.bernoulli_dp_tools import RATIOS
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.finite_episodes import (
    ActionLaw,
    Table,
    action_law,
    asked,
    changed,
    largest_block_delta,
    largest_block_moment,
    largest_block_ratio,
    moment,
    random_table,
    release_law,
)
from banditproof.paper_checks.recorded_privacy import Sides
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_episodic_privacy import prove_gaussian_divergence
from banditproof.paper_checks.thesis_episodic_ucb import literal_episodes, scripts
from banditproof.paper_checks.thesis_gaussian_mechanism import ANY
from banditproof.paper_checks.twins import restate
from banditproof.theory.budget import Budget
from banditproof.theory.numeric import log, sqrt, to_ball
from banditproof.verify.channels import hockey_stick
from banditproof.verify.domain import Domain
from banditproof.verify.recorder import RecordingNoise
from banditproof.verify.symbolic import SymbolicArgument

RESTATED = (thesis_gaussian_mechanism, thesis_parallel_composition)  # the modules whose claims are restated here

# -------------------------------------------------------------------------------------------- ALG-LC.1: disjoint blocks

parts_decide(
    "ALG-LC.1",
    r"$\mathcal G$ applies $\mathcal M$ to each block of a fixed partition: (a) $(\varepsilon,\delta)$-DP and (b) "
    r"$\rho$-zCDP of $\mathcal M$ carry over to $\mathcal G$.",
    twins=["TH-L2.10", "BDP-LH.4", "ZCDP-L1", "RDP-L11"],
)  # fmt: skip
restate("ALG-LC.1/approximate", "TH-L2.10/approximate", role="part")
restate("ALG-LC.1/zcdp", "TH-L2.10/zcdp", role="part")
restate(
    "ALG-LC.1/indexes-up-to-T", "TH-L2.10/indexes-up-to-n",
    r"'Let $t_1,\dots,t_{\ell+1}$ be in $[1,T+<outside>]$ such that $1=t_1<\dots<t_\ell<t_{\ell+1}-1=T$' ($T=n$, "
    r"$\ell=k$): there are such indexes.",
)  # fmt: skip
restate("ALG-LC.1/indexes-up-to-T-plus-one", "TH-L2.10/indexes-up-to-n-plus-one", repairs="ALG-LC.1/indexes-up-to-T")
restate("ALG-LC.1/product-events", "TH-L2.10/product-events")
restate("ALG-LC.1/all-events", "TH-L2.10/all-events", repairs="ALG-LC.1/product-events")

# ------------------------------------------------------------------------------------------------ ALG-PC.1.2: the steps

T = 6
LONGEST = 2  # the longest block whose release reaches a decision within T steps: arm 0, arm 1, a block of one, of two
PLAYS = Domain.of(
    mechanism="all: every mechanism", policy="all: every policy", adversary="all: every deterministic adversary",
    table="all: every table", time="integer [1, inf)",
)  # fmt: skip
ORDERED = PLAYS.restrict(order="(1, inf)")


@cache
def telling_law(mechanism: int, adversary: int, table: Table) -> ActionLaw:
    """The law of the recommendations if, once both arms are known, the next arm is the symbol just released."""
    law: dict[Any, Fraction] = defaultdict(Fraction)

    def episode(weight: Fraction, past: tuple[int, ...], counts: tuple[int, int], arm: int) -> None:
        n = counts[arm] or 1
        view = (past + (arm,) * n)[: len(table)]
        if len(view) == len(table):  # what is released now reaches no decision
            law[view] += weight
            return
        total = sum(table[i][asked(adversary, view[: i + 1])] for i in range(len(past), len(view)))
        counts = (counts[0] + n, counts[1]) if arm == 0 else (counts[0], counts[1] + n)
        for symbol, chance in enumerate(release_law(mechanism, n, total)):
            episode(weight * chance, view, counts, symbol if counts[1] else 1)

    episode(Fraction(1), (), (0, 0), 0)
    return dict(law)


def laws(mechanism: int, policy: str, adversary: int, table: int, time: int) -> tuple[ActionLaw, ActionLaw]:
    """The laws of the recommendations on a table and with user number `time` (from 1) replaced."""
    law, rows = {"random": action_law, "telling": telling_law}[policy], random_table(table, T)
    return law(mechanism, adversary, rows), law(mechanism, adversary, changed(rows, time - 1))


def prefixes(law: ActionLaw, length: int) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = defaultdict(Fraction)
    for actions, weight in law.items():
        found[actions[:length]] += weight
    return found


def plays(check: Check, orders: tuple[int, ...] | None = None) -> list[dict[str, Any]]:
    points = [
        {"mechanism": s, "policy": policy, "adversary": b, "table": s + 7 * b, "time": j}
        for policy in ("random", "telling") for s in range(check.pick(3, 20)) for b in range(check.pick(4, 12))
        for j in range(1, T + 1)
    ]  # fmt: skip
    return points if orders is None else [{**p, "order": order} for p in points for order in orders]


def finite_plays(check: Check, **sets: Any) -> Domain:
    return check.domain.restrict(
        mechanism="all: random finite mechanisms", policy="all: random and telling policies",
        adversary="all: random adversaries", table="all: random tables", time=list(range(1, T + 1)), **sets,
    )  # fmt: skip


def common_past(mechanism: int, policy: str, adversary: int, table: int, time: int, later: int) -> Sides:
    left, right = (prefixes(law, time + later) for law in laws(mechanism, policy, adversary, table, time))
    return sum(left[o] != right[o] for o in {*left, *right}), "==", 0


@claim(
    "ALG-PC.1.2/step-1",
    r"The law of the view up to step $j+<later>$ is the same for $d$ and $d'$, which differ at user $j$.",
    domain=PLAYS, constants={"later": 0}, mutations=[mutation("up to T", later=T)], strongest="enumeration",
    twins=["ZCDP-PF7"],
)  # fmt: skip
def view_before_the_change(check: Check) -> None:
    check.enumerate(
        common_past, plays(check), rational=True, covers=finite_plays(check), routes=("law on d", "law on d'")
    )


def decomposed_moment(
    mechanism: int, policy: str, adversary: int, table: int, time: int, order: int, factor: Any
) -> Sides:
    """Over all views, against the expectation over prefixes of the conditional moments."""
    left, right = laws(mechanism, policy, adversary, table, time)
    past, total = prefixes(left, time), Fraction(0)
    for prefix, weight in past.items():
        inside = [o for o in left if o[:time] == prefix]
        total += weight * moment(
            {o: left[o] / weight for o in inside}, {o: right[o] / weight for o in inside}, order
        )  # fmt: skip
    return moment(left, right, order), "==", factor * total


@claim(
    "ALG-PC.1.2/step-2",
    r"$e^{(\alpha-1)D_\alpha}=<factor>\,\mathbb E_{\mathbf o_{\le j}}[e^{(\alpha-1)D_\alpha(\cdot\mid\mathbf o_{\le "
    r"j})}]$.",
    domain=ORDERED, constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")], strongest="enumeration",
    twins=["ZCDP-PF7"],
)  # fmt: skip
def decomposition_of_the_divergence(check: Check) -> None:
    check.enumerate(
        decomposed_moment, plays(check, (2, 5)), rational=True, covers=finite_plays(check, order=[2, 5]),
        routes=("all views", "prefix by prefix"),
    )  # fmt: skip


def episode_of(script: Any, step: int) -> Any:
    return next(e for e in literal_episodes(2, script, 16, 2) if e[1] <= step <= e[2])


def same_episode(script: Any, other: Any, known: int) -> Sides:
    """Steps j such that two runs have the same actions up to j + known but other episodes around j."""
    wrong = 0
    actions = [[a for a, i, k in literal_episodes(2, s, 16, 2) for _ in range(i, k + 1)] for s in (script, other)]
    for j in range(1, 17):
        if actions[0][: j + known] == actions[1][: j + known]:
            wrong += episode_of(script, j) != episode_of(other, j)
    return wrong, "==", 0


@claim(
    "ALG-PC.1.2/step-3",
    r"The actions up to step $j+<known>$ determine the episode that contains $j$, with its end $\xi_j$.",
    domain=Domain.of(script="all: every sequence of decisions", other="all: every sequence of decisions"),
    constants={"known": 0}, mutations=[mutation("the actions before j", known=-1)], strongest="enumeration",
    twins=["ZCDP-PF7"],
)  # fmt: skip
def episode_of_the_change(check: Check) -> None:
    """All pairs of runs of two arms over 16 steps."""
    listed = scripts(2, check.pick(5, 6))
    points = [{"script": a, "other": b} for a in listed for b in listed]
    check.enumerate(same_episode, points, rational=True, routes=("episodes of one run", "of the other"))


def conditional_moment(
    mechanism: int, policy: str, adversary: int, table: int, time: int, order: int, factor: Any
) -> Sides:
    """The largest moment given the past, against the largest one of a release; both less one."""
    left, right = laws(mechanism, policy, adversary, table, time)
    past, worst = prefixes(left, time), Fraction(0)
    for prefix, weight in past.items():
        inside = [o for o in left if o[:time] == prefix]
        worst = max(worst, moment({o: left[o] / weight for o in inside}, {o: right[o] / weight for o in inside}, order))
    return worst - 1, "<=", factor * (largest_block_moment(mechanism, LONGEST, order) - 1)


@claim(
    "ALG-PC.1.2/steps-4-and-5",
    r"Given $\mathbf o_{\le j}$ the rest of the view is a function of the noisy statistic of the block of $j$, of "
    r"coins, "
    r"and of unchanged rewards, so that $D_\alpha(\cdot\mid\mathbf o_{\le j})$ is at most that of one release (moments "
    r"minus one, times $<factor>$).",
    domain=ORDERED, constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")],
    strongest="enumeration", twins=["ZCDP-PF7"],
)  # fmt: skip
def divergence_given_the_past(check: Check) -> None:
    check.enumerate(
        conditional_moment, plays(check, (2, 5)), rational=True, covers=finite_plays(check, order=[2, 5]),
        routes=("conditional laws of the view", "laws of a release"),
    )  # fmt: skip


def moment_of_the_view(
    mechanism: int, policy: str, adversary: int, table: int, time: int, order: int, factor: Any
) -> Sides:
    view = moment(*laws(mechanism, policy, adversary, table, time), order)
    return view - 1, "<=", factor * (largest_block_moment(mechanism, LONGEST, order) - 1)


@claim(
    "ALG-PC.1.2/conclusion",
    r"Every view has $D_\alpha\le$ that of one release (moments minus one, times $<factor>$).",
    domain=ORDERED, constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")],
    strongest="enumeration", twins=["ZCDP-PF7"],
)  # fmt: skip
def divergence_of_the_view(check: Check) -> None:
    check.enumerate(
        moment_of_the_view, plays(check, (2, 3, 12)), rational=True, covers=finite_plays(check, order=[2, 3, 12]),
        routes=("law of the view", "laws of a release"),
    )  # fmt: skip


parts_decide(
    "ALG-PC.1.2",
    r"Generic proof: for a deterministic adversary, an algorithm of the blueprint is as private as its mechanism "
    r"$\mathcal M$ on one block.",
    domain=PLAYS, twins=["ZCDP-PF7"],
)  # fmt: skip

# --------------------------------------------------------------------------------------------- ALG-RC.1: other notions


def ratio_of_the_view(mechanism: int, policy: str, adversary: int, table: int, time: int, factor: Any) -> Sides:
    left, right = laws(mechanism, policy, adversary, table, time)
    worst = max(p / right[o] for o, p in left.items())
    return worst - 1, "<=", factor * (largest_block_ratio(mechanism, LONGEST) - 1)


def delta_of_the_view(
    mechanism: int, policy: str, adversary: int, table: int, time: int, ratio: Fraction, factor: Any
) -> Sides:
    left, right = laws(mechanism, policy, adversary, table, time)
    return hockey_stick(left, right, ratio)[0], "<=", factor * largest_block_delta(mechanism, LONGEST, ratio)


@claim(
    "ALG-RC.1/pure", r"$\varepsilon$-DP of $\mathcal M$ gives $\varepsilon$-Interactive DP: likelihood ratios of "
                     r"views, "
                     r"less one, are at most $<factor>$ times those of a release.",
    domain=PLAYS, constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")], strongest="enumeration",
)  # fmt: skip
def pure_privacy_of_the_view(check: Check) -> None:
    check.enumerate(
        ratio_of_the_view, plays(check), rational=True, covers=finite_plays(check),
        routes=("law of the view", "laws of a release"),
    )  # fmt: skip


@claim(
    "ALG-RC.1/approximate", r"$(\varepsilon,\delta)$-DP likewise: the least $\delta$ of views at each "
                            r"$e^\varepsilon$ is "
                            r"at most $<factor>$ times that of a release.",
    domain=PLAYS.restrict(ratio="[1, inf)"), constants={"factor": 1},
    mutations=[mutation("1 % less", factor="0.99")], strongest="enumeration",
)  # fmt: skip
def approximate_privacy_of_the_view(check: Check) -> None:
    points = [{**p, "ratio": r} for p in plays(check) for r in RATIOS]
    check.enumerate(
        delta_of_the_view, points, rational=True, covers=finite_plays(check, ratio=RATIOS),
        routes=("law of the view", "laws of a release"),
    )  # fmt: skip


parts_decide(
    "ALG-RC.1", "Remark C.1: the proof adapts to pure DP and to other relaxations of it under Interactive DP.",
    domain=PLAYS,
)  # fmt: skip

# --------------------------------------------------------------------------- ALG-S-C1.3a, ALG-S-C1.3d: the mechanisms


@claim(
    "ALG-S-C1.3a",
    r"$\frac1t\sum_{s\le t}r_s+\mathcal N(0,\frac1{2\rho t^2})$ is $<factor>\rho$-zCDP for rewards in $[0,1]$: "
    r"$D_\alpha=\alpha\rho d^2$ where one reward changes by $d$.",
    domain=Domain.of(d="[0, 1]", rho="(0, inf)", alpha="(1, inf)"), constants={"factor": 1},
    mutations=[mutation("1 % less", factor="0.99")], strongest="symbolic", twins=["TH-T2.14", "ZCDP-PF7"],
)  # fmt: skip
def mechanism_of_adac_ucb(check: Check) -> None:
    prove_gaussian_divergence(check)


@claim(
    "ALG-S-C1.3d",
    r"$\frac1t\sum_{s\le t}r_s+\mathrm{Lap}(\frac1{\varepsilon t})$ is $<factor>\varepsilon$-DP for rewards in "
    r"$[0,1]$: "
    r"with $y=\varepsilon t$ times the noise and $d$ the change of a reward, $|y-d|-|y|\le<factor>$.",
    domain=SHIFT, constants={"factor": 1}, mutations=[mutation("0.9", factor="0.9")], strongest="interval",
    twins=["TH-T2.13"],
)  # fmt: skip
def mechanism_of_adap_ucb(check: Check) -> None:
    prove_laplace_ratio(check, check.domain)


# ------------------------------------------------------------------------------------------------- ALG-R5.7: variants

parts_decide(
    "ALG-R5.7",
    r"Replacing $\frac1{2\rho}$ by $b=\frac2{\varepsilon^2}\log\frac{1.25}\delta$ or $b=\frac\alpha{2\varepsilon}$ "
    r"in noise "
    r"and width gives $(\varepsilon,\delta)$-Interactive DP or $(\alpha,\varepsilon)$-Interactive RDP.",
    domain=ANY,
)


restate(
    "ALG-R5.7/approximate", "TH-T2.14/approximate",
    r"Noise of variance $b\,n^{-2}$ on a mean, $b=\frac2{\varepsilon^2}\log\frac{<inside>}\delta$, is "
    r"$(\varepsilon,\delta)$-DP for every $\varepsilon>0$: no range is printed.",
    role="part",
)  # fmt: skip
restate("ALG-R5.7/approximate-up-to-three", "TH-T2.14/budgets-up-to-three", repairs="ALG-R5.7/approximate")


def renyi_variant(d: Any, epsilon: Any, order: Any, factor: Any) -> Sides:
    """D_order = order d^2/(2 b), b = order/(2 epsilon), for centres d noise units of a sum apart."""
    return order * d * d / (2 * (order / (2 * epsilon))), "<=", factor * epsilon


def renyi_argument(factor: Any) -> SymbolicArgument:
    import sympy

    near = sympy.Symbol("near", nonnegative=True)
    far, epsilon, more = sympy.symbols("far epsilon more", positive=True)
    slack = epsilon * (far * (2 * near + far) / (near + far) ** 2 + factor - 1)
    return SymbolicArgument({"d": near / (near + far), "epsilon": epsilon, "order": 1 + more}, slack, "nonnegative")


def largest_renyi_argument(factor: Any) -> SymbolicArgument:
    import sympy

    epsilon, more = sympy.symbols("epsilon more", positive=True)
    point = {"d": sympy.Integer(1), "epsilon": epsilon, "order": 1 + more}
    return SymbolicArgument(point, (factor - 1) * epsilon, "nonnegative")


RENYI = Domain.of(d="[0, 1]", epsilon="(0, inf)", order="(1, inf)")


def prove_renyi(check: Check) -> None:
    routes = ("closed form of the divergence", "budget")
    check.symbolic(renyi_variant, renyi_argument, check.domain.restrict(d="[0, 1)"), routes)
    check.symbolic(renyi_variant, largest_renyi_argument, check.domain.restrict(d=[1]), routes)


@claim(
    "ALG-R5.7/renyi", r"$b=\frac\alpha{2\varepsilon}$ gives $(\alpha,<factor>\varepsilon)$-RDP: "
                      r"$D_\alpha=\frac{\alpha d^2}{2b}=\varepsilon d^2$.",
    domain=RENYI, constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")], strongest="symbolic",
    twins=["RDP-T2"],
)  # fmt: skip
def variant_for_renyi_privacy(check: Check) -> None:
    prove_renyi(check)


@cache
def approximate_run(epsilon: Fraction, delta: Fraction) -> tuple[Any, Any]:
    noise = RecordingNoise(np.random.default_rng(0))
    budget, factor = Budget.approximate(float(epsilon), float(delta)), printed_multiplier(float(epsilon), float(delta))
    policy = AdaCUCB(2, budget, noise, beta=1.0, multiplier=factor)
    policy.clock[:] = 99
    width = float(policy.width(np.array([[8]]), policy.level())[0, 0])
    for _ in range(4):
        _, count = policy.next_batch()
        policy.observe(count / 2, count)
    return width, noise.releases[-1].scale


def width_and_noise(epsilon: Any, delta: Any, factor: Any) -> Sides:
    """Differences of noise and width at n = 8, t = 100 from the table of variants."""
    width, scale = approximate_run(Fraction(epsilon), Fraction(delta))
    b = to_ball(factor) * 2 * log(5 / (4 * to_ball(delta))) / to_ball(epsilon) ** 2
    printed = sqrt((to_ball(1) / 16 + 2 * b / 64) * log(to_ball(100)))
    return abs(to_ball(width) - printed) + abs(to_ball(scale) - sqrt(b)), "<=", to_ball("1e-10")


@claim(
    "ALG-R5.7/program",
    r"AdaC-UCB with the printed $b$ (times $<factor>$) has noise $\mathcal N(0,b/n^2)$ and width "
    r"$\sqrt{(\frac1{2n}+\frac{2b}{n^2})\beta\log t}$.",
    domain=ANY, constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")], strongest="enumeration",
)  # fmt: skip
def program_of_the_variant(check: Check) -> None:
    grid = {"epsilon": ["1/10", "1", "5"], "delta": ["1/1000000", "1/10"]}
    check.enumerate(width_and_noise, grid, rational=True, routes=("program", "printed formulas"))
