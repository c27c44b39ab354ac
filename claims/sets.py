"""The sets of variables, named: an annotation of a claim's parameter is the set that the document prints.

A set is ``Annotated[Any, text]`` with the text of ``verify.proof.domain.as_set``; one that is used once is written out.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, get_type_hints

from banditproof.theory.errors import InvalidInput
from banditproof.verify.proof.domain import Domain

Sides = tuple[Any, str, Any]
"""What a relation returns: the left side, one of < <= == >= > !=, the right side."""

Real = Annotated[Any, "(-inf, inf)"]
Positive = Annotated[Any, "(0, inf)"]
Nonnegative = Annotated[Any, "[0, inf)"]
AboveOne = Annotated[Any, "(1, inf)"]
AtLeastOne = Annotated[Any, "[1, inf)"]
Probability = Annotated[Any, "[0, 1]"]
Inside = Annotated[Any, "(0, 1)"]
BelowOne = Annotated[Any, "[0, 1)"]
AboveZero = Annotated[Any, "(0, 1]"]
Count = Annotated[Any, "integer [1, inf)"]
Natural = Annotated[Any, "integer [0, inf)"]
TwoOrMore = Annotated[Any, "integer [2, inf)"]
Policy = Annotated[Any, "all: every policy"]

# Of statements about everything (verify/kernel/meanings.py says what a body does with them):
EveryMechanism = Annotated[Any, "all: every mechanism, a law of outputs for each data set"]
EverySequence = Annotated[Any, "all: every sequence of mechanisms"]
EveryAdaptiveSequence = Annotated[
    Any, "all: every sequence of mechanisms, each of which gets the outputs before it"
]  # of M(i, h, d), the law of output i on data set d after the outputs h
EveryFunction = Annotated[Any, "all: every randomised function of outputs"]
EveryCoupling = Annotated[Any, "all: every coupling, a law of the second reward for each arm and first reward"]
EveryPolicy = Annotated[Any, "all: every policy, a law of arms in each round after each history"]
EveryPolicies = Annotated[Any, "all: every class of policies, each with a name"]
EveryRealFunction = Annotated[Any, "all: every real function"]
EveryRealFunctions = Annotated[Any, "all: every sequence of real functions"]
EveryNext = Annotated[Any, "all: every law of what comes next, given what was before"]
EveryBandit = Annotated[Any, "all: every bandit, a law of rewards for each arm"]
EveryFamily = Annotated[Any, "all: every family of laws, one for each mean"]
EveryClass = Annotated[Any, "all: every set of laws, each with a name"]
EveryLaws = Annotated[Any, "all: every sequence of laws"]
EveryLaw = Annotated[Any, "all: every law"]
EveryConvex = Annotated[Any, "all: every convex function on (0, inf)"]
EveryVariable = Annotated[Any, "all: every real random variable"]  # by its law
EveryVariables = Annotated[Any, "all: every sequence of real random variables"]
EveryVector = Annotated[Any, "all: every sequence of numbers"]
EveryMatrix = Annotated[Any, "all: every matrix"]
EveryBudget = Annotated[Any, "all: every sequence of numbers of at least 0"]


parameters_of = cache(lambda function: inspect.signature(function).parameters)


def domain_of(function: Callable[..., Any], where: Sequence[str] = ()) -> Domain:
    """The domain that a relation's signature prints: its parameters without default, in order.

    Keyword-only parameters are neither variables nor constants: they are parameters of a substitution.

    Raises InvalidInput for a parameter without a set, and for one that takes any number of arguments.
    """
    hints = get_type_hints(function, include_extras=True)
    sets: dict[str, Any] = {}
    for name, parameter in parameters_of(function).items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise InvalidInput(f"parameter of {function.__name__}", f"*{name}", "variables and constants by name")
        variable = parameter.default is parameter.empty and parameter.kind is not parameter.KEYWORD_ONLY
        if not variable and getattr(hints.get(name), "__metadata__", None):
            allowed = "a variable without a default (a constant, or a parameter of a substitution, has no set)"
            raise InvalidInput(f"parameter of {function.__name__}", name, allowed)
        if variable:
            printed = getattr(hints.get(name), "__metadata__", None)
            if not printed:
                raise InvalidInput(f"parameter of {function.__name__}", name, "a variable annotated with its set")
            if len(printed) > 1:
                allowed = "one set: of a set within a set only one is read"
                raise InvalidInput(f"set of {name} in {function.__name__}", ", ".join(map(str, printed)), allowed)
            sets[name] = printed[0]
    return Domain.of(where=where, **sets)


def constants_of(function: Callable[..., Any]) -> Mapping[str, Any]:
    """The constants of a relation's statement: its parameters with a default, in order."""
    parameters = parameters_of(function).values()
    return {p.name: p.default for p in parameters if p.default is not p.empty and p.kind is not p.KEYWORD_ONLY}
