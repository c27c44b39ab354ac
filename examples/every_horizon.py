"""The theorem of the page "Privacy for every horizon" as claims, tried on random automata against enumeration.

    banditproof check --module examples/every_horizon.py
    banditproof selftest --module examples/every_horizon.py

The page proves it. What is tried here is that `verify_every_horizon` decides what the theorem says: the other side of
each relation visits all reward lists, or asks Karp's formula for cycles, and shares nothing with it but the automaton.
"""

from fractions import Fraction
from functools import cache
from itertools import product
from math import inf
from random import Random
from typing import Annotated, Any

from banditproof.claims import claim, enumerated, item
from banditproof.verify import PolicyAutomaton, verify_every_horizon

Automaton = Annotated[Any, "all: every policy with finitely many states, rational laws and two rewards"]
Horizon = Annotated[Any, "integer [1, inf)"]
LONGEST = 5  # rounds that are enumerated


@cache
def drawn(seed: int, states: int, kind: str) -> PolicyAutomaton:
    """A random automaton: "any", one that "never" plays some arms, or one that "forgets" all after three rounds."""
    draw = Random(f"{seed} {states} {kind}")
    size = 1 + 2 * states if kind == "forgets" else states
    laws, moves = [], []
    for state in range(size):
        weights = [draw.randint(kind != "never", 3) for _ in (0, 1)]
        weights[draw.randrange(2)] += 1
        laws.append([Fraction(w, sum(weights)) for w in weights])
        layer = 0 if state == 0 else (state - 1) // states + 1
        after = range(states) if kind != "forgets" else [range(1, 1 + states), range(1 + states, size), (0,)][layer]
        moves.append([[draw.choice(after) for _ in (0, 1)] for _ in (0, 1)])
    return PolicyAutomaton(laws, moves)


KINDS = {"any": (2, 4), "never": (3,), "forgets": (2, 3)}
DRAWN = [[seed, states, kind] for kind, sizes in KINDS.items() for states in sizes for seed in range(3)]


@cache
def by_enumeration(policy: PolicyAutomaton, horizon: int) -> Any:
    """The largest likelihood ratio of a sequence of arms, over all reward lists that differ in one place."""

    def walk(pair: Any, p: Fraction, q: Fraction, left: int, changed: bool) -> Any:
        best = p / q if q else inf
        if left and best != inf:
            for arm in (0, 1):
                x, y = (policy.laws[state][arm] for state in pair)
                for r, s in product((0, 1), repeat=2):
                    if x and (r == s or not changed):
                        after = policy.after(pair[0], arm, r), policy.after(pair[1], arm, s)
                        best = max(best, walk(after, p * x, q * y, left - 1, changed or r != s))
        return best

    return walk((policy.start, policy.start), Fraction(1), Fraction(1), horizon, False)


def karp(policy: PolicyAutomaton, growth: int) -> bool:
    """Whether some cycle of pairs that can be reached multiplies by more than `growth` an edge, by Karp's formula.

    The largest mean of a cycle is max over pairs of the min over k of (D_n - D_k) / (n - k), with D_k the longest path
    of k edges to the pair; here logarithms are left out, and all is rational.
    """
    seen = {policy.start}
    while True:
        more = {t for s in seen for a in (0, 1) if policy.laws[s][a] for t in policy.moves[s][a]} - seen
        if not more:
            break
        seen |= more
    levels = [{tuple(m): Fraction(1) for s in seen for a in (0, 1) if policy.laws[s][a] for m in _both(policy, s, a)}]
    for _ in range(policy.states**2):
        level: dict[Any, Fraction] = {}
        for (x, y), value in levels[-1].items():
            for arm in (0, 1):
                if policy.laws[x][arm]:
                    if not policy.laws[y][arm]:
                        return True  # one step that multiplies by infinity
                    for r in (0, 1):
                        after = policy.after(x, arm, r), policy.after(y, arm, r)
                        product_ = value * policy.laws[x][arm] / policy.laws[y][arm]
                        level[after] = max(product_, level.get(after, Fraction(0)))
        levels.append(level)
    last, n = levels[-1], len(levels) - 1
    return any(
        all(value > at[pair] * growth ** (n - k) for k, at in enumerate(levels[:-1]) if pair in at)
        for pair, value in last.items()
    )


def _both(policy: PolicyAutomaton, state: int, arm: int) -> list[tuple[int, int]]:
    """The pairs of states after two different rewards."""
    return [(policy.after(state, arm, r), policy.after(state, arm, 1 - r)) for r in (0, 1)]


item(
    "AUTOMATA-T1",
    r"""For a policy with finitely many states and rational laws, there is an $\varepsilon$ for which it is View private
    over every horizon if and only if, among the pairs of states that two reward lists can reach which have differed in
    one place, none plays in one run what the other run never plays, and no cycle has a product of likelihood ratios
    above 1. Then the smallest one is the logarithm of the largest product along a path.""",
)


@claim(
    "AUTOMATA-T1/no-horizon-has-more",
    enumerated([{"automaton": a, "horizon": t} for a in DRAWN for t in range(1, LONGEST + 1)], rational=True),
    false={"factor": Fraction(99, 100)},
)
def no_horizon_has_more(automaton: Automaton, horizon: Horizon, factor=1):
    r"""No sequence of arms of any horizon has a likelihood ratio above the number that is found."""
    policy = drawn(*automaton)
    return by_enumeration(policy, horizon), "<=", verify_every_horizon(policy, "view").ratio * factor


@claim("AUTOMATA-T1/attained", enumerated(automaton=DRAWN, rational=True), false={"factor": Fraction(101, 100)})
def attained(automaton: Automaton, factor=1):
    r"""A finite number that is found is the likelihood ratio of some sequence of arms of some horizon."""
    verdict = verify_every_horizon(drawn(*automaton), "view")
    rounds = len(verdict.word) if verdict.ratio != inf and len(verdict.word) <= LONGEST else 0
    wanted = verdict.ratio * factor if rounds else 1
    return by_enumeration(drawn(*automaton), rounds), ">=", wanted


@claim("AUTOMATA-T1/none", enumerated(automaton=DRAWN, rational=True), false={"growth": 2})
def none_where_a_cycle_grows(automaton: Automaton, growth=1):
    r"""There is no $\varepsilon$ iff a cycle has a product above 1, or one run plays what the other never does."""
    policy = drawn(*automaton)
    return int(verify_every_horizon(policy, "view").ratio == inf), "==", int(karp(policy, growth))
