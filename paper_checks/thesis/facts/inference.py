"""What several chapters use on randomised programs: the exact law of what one returns."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

Draw = Callable[[Mapping[Any, Any]], Any]


def executions(program: Callable[[Draw], Any]) -> dict[Any, Fraction]:
    """The exact law of what a randomised program returns; it draws with `draw(law)`, as often as it likes.

    The program is run once for every sequence of outcomes of its draws.
    """
    law: dict[Any, Fraction] = defaultdict(Fraction)
    waiting: list[tuple[Any, ...]] = [()]
    while waiting:
        chosen, weight, taken = waiting.pop(), [Fraction(1)], []

        def draw(options: Mapping[Any, Any], chosen: Any = chosen, weight: Any = weight, taken: Any = taken) -> Any:
            possible = [outcome for outcome, p in options.items() if p]
            if len(taken) < len(chosen):
                outcome = chosen[len(taken)]
            else:
                outcome = possible[0]
                waiting.extend((*taken, other) for other in possible[1:])
            taken.append(outcome)
            weight[0] *= options[outcome]
            return outcome

        law[program(draw)] += weight[0]
    return dict(law)
