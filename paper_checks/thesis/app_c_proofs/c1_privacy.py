"""Appendix C.1, page 194: the generic proof of privacy, and the mechanisms that it is applied to.

The proof is followed on Algorithm 7 with finite mechanisms, against adversaries who ask for other arms than the
recommended ones, in rationals. Random policies blur the released symbols. The telling policies choose the symbol that
was just released as the next arm, so they attain the bounds, and nothing smaller would pass.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.claims.sets import domain_of
from banditproof.paper_checks.thesis.facts.block_releases import *
from banditproof.paper_checks.thesis.facts.episodes import Episode, literal_episodes, scripts
from banditproof.paper_checks.thesis.facts.privacy import Mechanism

Adversary = Annotated[Any, "all: every deterministic adversary"]
Tables = Annotated[Any, "all: every table"]
Script = Annotated[Any, "all: every sequence of decisions"]


T = 6
LONGEST = 2  # the longest block whose release reaches a decision within T steps: arm 0, arm 1, a block of one, of two


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


def moments_given_the_past(
    left: ActionLaw, right: ActionLaw, time: int, order: int
) -> Iterator[tuple[Fraction, Fraction]]:
    """The probability of every view up to the change, and the moment of what follows it."""
    for prefix, weight in prefixes(left, time).items():
        inside = [o for o in left if o[:time] == prefix]
        yield weight, moment({o: left[o] / weight for o in inside}, {o: right[o] / weight for o in inside}, order)


def on_views(*routes: str, **grid: Sequence[Any]) -> enumerated:
    """The step that evaluates a relation on finite mechanisms, both kinds of policies, and every user."""

    def plays(check: Check) -> list[dict[str, Any]]:
        seeds = product(("random", "telling"), range(check.pick(3, 20)), range(check.pick(4, 12)), range(1, T + 1))
        points = [{"mechanism": s, "policy": p, "adversary": b, "table": s + 7 * b, "time": j} for p, s, b, j in seeds]
        return [{**p, **dict(zip(grid, more, strict=True))} for p in points for more in product(*grid.values())]

    covers = {
        "mechanism": "all: random finite mechanisms",
        "policy": "all: random and telling policies",
        "adversary": "all: random adversaries",
        "table": "all: random tables",
        "time": range(1, T + 1),
    }
    return enumerated(plays, rational=True, covers={**covers, **grid}, routes=(routes[0], routes[1]))


@claim("ALG-PC.1.2/step-1", on_views("law on d", "law on d'"), false={"later": 6}, twins=["ZCDP-PF7"])
def view_before_the_change(
    mechanism: Mechanism, policy: Policy, adversary: Adversary, table: Tables, time: Count, later=0
):
    r"""The law of the view up to step $j$ is the same for $d$ and $d'$, which differ at user $j$."""
    left, right = (prefixes(law, time + later) for law in laws(mechanism, policy, adversary, table, time))
    return sum(left[o] != right[o] for o in {*left, *right}), "==", 0


@quantity
def moment_of_all_views(mechanism: int, policy: str, adversary: int, table: int, time: int, order: int) -> Fraction:
    """e^((order - 1) D_order) of the recommendations on a table and with one user replaced."""
    return moment(*laws(mechanism, policy, adversary, table, time), order)


@quantity
def mean_moment_of_the_rest(mechanism: int, policy: str, adversary: int, table: int, time: int, order: int) -> Fraction:
    """The mean over the view up to the change of that of what follows it."""
    both = laws(mechanism, policy, adversary, table, time)
    return sum((weight * given for weight, given in moments_given_the_past(*both, time, order)), Fraction(0))


@quantity
def largest_moment_of_the_rest(
    mechanism: int, policy: str, adversary: int, table: int, time: int, order: int
) -> Fraction:
    """The largest of these moments."""
    both = laws(mechanism, policy, adversary, table, time)
    return max(given for _, given in moments_given_the_past(*both, time, order))


@quantity
def largest_moment_of_a_release(mechanism: int, order: int) -> Fraction:
    """The largest moment of one release of a block that reaches a decision."""
    return Fraction(largest_block_moment(mechanism, LONGEST, order))


@claim("ALG-PC.1.2/step-2", on_views("all views", "prefix by prefix", order=[2, 5]), twins=["ZCDP-PF7"])
def decomposition_of_the_divergence(
    mechanism: Mechanism, policy: Policy, adversary: Adversary, table: Tables, time: Count, order: AboveOne
):
    r"""$e^{(\alpha-1)D_\alpha}=\mathbb E_{\mathbf o_{\le j}}[e^{(\alpha-1)D_\alpha(\cdot\mid\mathbf o_{\le j})}]$."""
    case = mechanism, policy, adversary, table, time, order
    return moment_of_all_views(*case), "==", mean_moment_of_the_rest(*case)


def episode_of(script: Any, step: int) -> Episode:
    return next(e for e in literal_episodes(2, script, 16, 2) if e[1] <= step <= e[2])


@claim(
    "ALG-PC.1.2/step-3",
    enumerated(
        lambda check: {"script": scripts(2, check.pick(5, 6)), "other": scripts(2, check.pick(5, 6))},
        rational=True,
        routes=("episodes of one run", "of the other"),
    ),
    false={"known": -1},
    twins=["ZCDP-PF7"],
)
def episode_of_the_change(script: Script, other: Script, known=0):
    r"""The actions up to step $j$ determine the episode that contains $j$, with its end $\xi_j$.

    The left side counts the steps j such that two runs with two arms have the same actions up to j + known but
    different episodes around j.
    """
    actions = [[a for a, i, k in literal_episodes(2, s, 16, 2) for _ in range(i, k + 1)] for s in (script, other)]
    alike = [j for j in range(1, 17) if actions[0][: j + known] == actions[1][: j + known]]
    return sum(episode_of(script, j) != episode_of(other, j) for j in alike), "==", 0


@claim(
    "ALG-PC.1.2/steps-4-and-5",
    on_views("conditional laws of the view", "laws of a release", order=[2, 5]),
    twins=["ZCDP-PF7"],
)
def divergence_given_the_past(
    mechanism: Mechanism, policy: Policy, adversary: Adversary, table: Tables, time: Count, order: AboveOne
):
    r"""Given $\mathbf o_{\le j}$ the rest of the view is a function of the noisy statistic of the block of $j$, of
    coins, and of unchanged rewards, so that $D_\alpha(\cdot\mid\mathbf o_{\le j})$ is at most that of one release."""
    worst = largest_moment_of_the_rest(mechanism, policy, adversary, table, time, order)
    return worst - 1, "<=", largest_moment_of_a_release(mechanism, order) - 1


item(
    "ALG-PC.1.2",
    r"Generic proof: for a deterministic adversary, an algorithm of the blueprint is as private as its mechanism "
    r"$\mathcal M$ on one block.",
    domain=domain_of(view_before_the_change),
    twins=["ZCDP-PF7"],
)
