"""What a policy is told after each action prefix: the inputs of all definitions of privacy in one form.

A pair of neighbouring inputs answers every action prefix with a query (the arm the policy is told) and two rewards that
differ at one step only. Who may choose what makes the definition:

| notion             | reward comes from                | query is             |
|--------------------|----------------------------------|----------------------|
| `view`             | a list                           | the arm played       |
| `table`            | a table, column of the query     | the arm played       |
| `acr`              | a tree: any, per action prefix   | the arm played       |
| `interactive-view` | a list                           | any, per prefix      |
| `interactive`      | a table, column of the query     | any, per prefix      |
| `interactive-acr`  | a tree                           | any, per prefix      |
| `post-processed`   | a table, column of the arm played| any, per prefix      |

`acr` is adaptive continual release; `post-processed` is what Table privacy of every policy pi^B would mean if its
table mechanism were evaluated by eq. 3.1 as printed (TH-P3.13).

The worst answers for a score that adds up (or is maximised) over action sequences are found prefix by prefix: no list
of adversaries is ever visited.

Source: TH-D3.2, TH-D3.3, TH-D3.5, TH-D3.9, TH-R3.11, TH-S3.6
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd, lcm, prod
from typing import Any

from banditproof.theory.errors import one_of
from banditproof.verify.finite.kernels import Actions, FiniteKernel, History, Reward, within_limit
from banditproof.verify.finite.output_laws import ActionLaw

NOTIONS = {
    "view": ("list", False),
    "table": ("table", False),
    "acr": ("tree", False),
    "interactive-view": ("list", True),
    "interactive": ("table", True),
    "interactive-acr": ("tree", True),
    "post-processed": ("played table", True),
}
Answer = tuple[int, Reward, Reward]  # query, left reward, right reward
Step = tuple[Any, Any]  # what one step offers: two rewards (list), two rows (table), whether it is the challenge (tree)


def check_notion(notion: str) -> None:
    """Raise InvalidInput for a name that is not one of `NOTIONS`."""
    one_of("notion", notion, NOTIONS)


@dataclass(frozen=True)
class Feedback:
    """A pair of neighbouring inputs of a definition, with the adversary's choices.

    `steps[t-1]` holds the two rewards (lists) or rows (tables) of step t; for trees, whether t is the challenge time.
    `answers` lists (prefix, (query, left reward, right reward)) for every prefix of fewer than T actions.
    """

    notion: str
    steps: tuple[Step, ...]
    answers: tuple[tuple[Actions, Answer], ...]

    def belongs_to(self, kernel: FiniteKernel) -> bool:
        """Whether these are neighbouring inputs that the definition allows, for this policy's arms and rewards."""
        given = dict(self.answers)
        prefixes = [a for t in range(1, kernel.horizon) for a in product(range(kernel.arms), repeat=t)]
        if len(self.steps) != kernel.horizon - 1 or set(given) != set(prefixes):
            return False
        changed = sum(left != right for left, right in self.steps)
        return changed <= 1 and all(
            given[a] in answers(self.notion, kernel, a[-1], self.steps[len(a) - 1]) for a in prefixes
        )

    def laws(self, kernel: FiniteKernel) -> tuple[ActionLaw, ActionLaw]:
        """The two laws of the published actions, from the protocol as it is printed."""
        given = dict(self.answers)
        left, right = (
            {a: _told_probability(kernel, given, a, side) for a in kernel.action_sequences()} for side in (1, 2)
        )
        return left, right


def _told_probability(kernel: FiniteKernel, given: dict[Actions, Answer], actions: Actions, side: int) -> Fraction:
    told = tuple((given[actions[:t]][0], given[actions[:t]][side]) for t in range(1, len(actions)))
    return prod((kernel.probability(told[:t])[arm] for t, arm in enumerate(actions)), start=Fraction(1))


def answers(notion: str, kernel: FiniteKernel, arm: int, step: Step) -> list[Answer]:
    """What the policy may be told after playing `arm`, given what the step offers."""
    source, asked = NOTIONS[notion]
    left, right = step
    queries = range(kernel.arms) if asked else (arm,)
    if source == "list":
        return [(q, left, right) for q in queries]
    if source == "table":
        return [(q, left[q], right[q]) for q in queries]
    if source == "played table":
        return [(q, left[arm], right[arm]) for q in queries]
    rewards = [(r, s) for r in kernel.rewards for s in (kernel.rewards if left != right else (r,))]
    return [(q, r, s) for q in queries for r, s in rewards]


def neighbours(notion: str, kernel: FiniteKernel) -> Iterator[tuple[Step, ...]]:
    """The steps of every ordered pair of neighbouring inputs, first the pair of equal ones."""
    source, steps = NOTIONS[notion][0], kernel.horizon - 1
    offers: list[Any] = {
        "list": list(kernel.rewards),
        "table": list(product(kernel.rewards, repeat=kernel.arms)),
        "tree": [False],
    }[source.split()[-1]]
    changes = [(x, y) for x in offers for y in offers if x != y] if source != "tree" else [(False, True)]
    within_limit("neighbouring inputs", max(1, steps) * len(changes) * len(offers) ** max(0, steps - 1))
    yield tuple((offers[0], offers[0]) for _ in range(steps))
    for time in range(steps):
        for rest in product(offers, repeat=steps - 1):
            same = [(x, x) for x in rest]
            for change in changes:
                yield (*same[:time], change, *same[time:])


@dataclass(frozen=True)
class Score:
    """What an adversary maximises: the join over action sequences of `leaf(p, q)` of their two probabilities.

    Leaves get integers in the ratio of the probabilities. `additive` scores add up and are homogeneous in (p, q); the
    others are maximised and depend on the ratio p : q only. `larger` compares two joined values.
    """

    leaf: Callable[[int, int], Any]
    additive: bool = True
    larger: Callable[[Any, Any], Any] = max
    compared: Callable[[Any], Any] = lambda value: value


class WorstFeedback:
    """The largest score over all inputs that a definition allows, and inputs that attain it."""

    def __init__(self, notion: str, kernel: FiniteKernel, score: Score) -> None:
        check_notion(notion)
        self.notion, self.kernel, self.score = notion, kernel, score
        self.rows, self.scale = _integer_rows(kernel)
        self.known: dict[Any, Any] = {}

    def search(self) -> tuple[Any, tuple[Step, ...]]:
        """The largest score and the neighbouring inputs that attain it."""
        inputs = neighbours(self.notion, self.kernel)
        best_steps = next(inputs)
        best = value = self._after((), (), best_steps, 1, 1)
        for steps in inputs:
            answer = self._after((), (), steps, 1, 1)
            value = self.score.larger(value, answer)
            if self.score.compared(answer) > self.score.compared(best):
                best, best_steps = answer, steps
        return (value / self.scale if self.score.additive else value), best_steps

    def feedback(self, steps: tuple[Step, ...]) -> Feedback:
        """The best answers to every action prefix on given neighbouring inputs."""
        chosen: list[tuple[Actions, Answer]] = []

        def follow(actions: Actions, left: History, right: History, p: int, q: int) -> None:
            if len(left) == len(steps):
                return
            for arm, (x, y) in enumerate(zip(self.rows[left], self.rows[right], strict=True)):
                options = self._options(arm, left, right, steps, p * x, q * y)
                (query, r, s), _ = max(options, key=lambda option: self.score.compared(option[1]))
                chosen.append(((*actions, arm), (query, r, s)))
                follow((*actions, arm), (*left, (query, r)), (*right, (query, s)), p * x, q * y)

        follow((), (), (), 1, 1)
        return Feedback(self.notion, steps, tuple(chosen))

    def _options(
        self, arm: int, left: History, right: History, steps: tuple[Step, ...], p: int, q: int
    ) -> list[tuple[Answer, Any]]:
        """What the policy may be told next, and the best score below it."""
        time = len(left)
        return [
            ((query, r, s), self._after((*left, (query, r)), (*right, (query, s)), steps, p, q))
            for query, r, s in answers(self.notion, self.kernel, arm, steps[time])
        ]

    def _after(self, left: History, right: History, steps: tuple[Step, ...], p: int, q: int) -> Any:
        """The best score of the sequences below two histories that were reached with weights p and q."""
        common = gcd(p, q)
        if not common:
            return 0
        key = left, right, steps[len(left) :], p // common, q // common
        if key not in self.known:
            self.known[key] = self._joined(left, right, steps, p // common, q // common)
        return self.known[key] * common if self.score.additive else self.known[key]

    def _joined(self, left: History, right: History, steps: tuple[Step, ...], p: int, q: int) -> Any:
        branches = []
        for arm, (x, y) in enumerate(zip(self.rows[left], self.rows[right], strict=True)):
            if len(left) == len(steps):
                branches.append(self.score.leaf(p * x, q * y))
            else:
                options = self._options(arm, left, right, steps, p * x, q * y)
                branches.append(_fold(self.score.larger, [value for _, value in options]))
        return sum(branches) if self.score.additive else _fold(self.score.larger, branches)


def _fold(larger: Callable[[Any, Any], Any], values: Sequence[Any]) -> Any:
    best = values[0]
    for value in values[1:]:
        best = larger(best, value)
    return best


def _integer_rows(kernel: FiniteKernel) -> tuple[dict[History, tuple[int, ...]], int]:
    """The rows of each step over their common denominator, and the product of these denominators."""
    denominators = [1] * kernel.horizon
    for history in kernel.histories():
        row = kernel.probability(history)
        denominators[len(history)] = lcm(denominators[len(history)], *(p.denominator for p in row))
    rows = {
        history: tuple(int(p * denominators[len(history)]) for p in kernel.probability(history))
        for history in kernel.histories()
    }
    return rows, prod(denominators)
