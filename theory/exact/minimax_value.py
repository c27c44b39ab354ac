"""The smallest worst-case loss that any private policy can have over a horizon, exactly.

Over finitely many Bernoulli instances it is the value of a linear program (`program`) in the probabilities of all
sequences of actions given all lists of rewards. Its optimal policy and multipliers are rational, and `checker` proves
from them alone, in exact arithmetic, that no private policy does better and that this one does as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from banditproof.theory.arguments import named, question
from banditproof.theory.errors import InvalidInput
from banditproof.theory.exact.checker import largest_loss, smallest_loss
from banditproof.theory.exact.concentrated import ConcentratedCertificate, concentrated
from banditproof.theory.exact.concentrated_checker import largest_loss_if_concentrated, smallest_loss_if_concentrated
from banditproof.theory.exact.program import (
    Actions,
    Means,
    Multipliers,
    Policy,
    Prices,
    Problem,
    Proposal,
    Rewards,
    proposals,
)
from banditproof.theory.hints import hint
from banditproof.theory.numbers.enclosure import Enclosure, Valued
from banditproof.theory.numbers.exact_numbers import check_count, exact, exact_or_infinite
from banditproof.theory.numbers.number_types import Exact
from banditproof.theory.numbers.numeric import exp, to_ball, working_precision

_BITS = 160
_MOST = 40_000  # probabilities of a policy; of excesses where delta is positive
_LARGEST, _LARGEST_RATIO = 12, 200_000  # of epsilon, and e^12 is below the latter; inf apart
_MOST_CONCENTRATED = 4_000  # excesses under zCDP, where each order has as many
_LEAST_RHO, _LARGEST_RHO = Fraction(1, 10**4), 10
_RHO = "a number from 1/10000 to 10 (0 is epsilon = 0, inf is epsilon = inf)"
_ARMS, _INSTANCES = 1000, 100
NOTIONS = ("view", "table")
History = tuple[tuple[int, int], ...]  # ((a_1, r_1), ..., (a_(t-1), r_(t-1)))


@dataclass(frozen=True, repr=False)
class ExactMinimax(Valued):
    """The smallest worst loss of private policies: `lower` <= it <= `upper`, both rational, often equal.

    `criterion` is "regret" over `horizon` rounds, or "error": how likely the arm named after them is not best.
    `ratios` are rationals around e^epsilon, equal where it is rational, None without privacy. The certificate is the
    `policy` (the probability of actions given rewards, where positive), which is private at the smaller ratio and
    loses `upper` in some instance; and `weights` of the instances with `multipliers` of the privacy constraints, which
    prove `lower` at the larger ratio. `value` contains both ends. `notion` is "view" or "table"; `prices` of tables
    belong to the multipliers where delta is positive under Table privacy. Under rho-zCDP, `concentrated` stands in
    place of the multipliers, and says at which orders the policy is private.
    """

    criterion: str
    instances: tuple[Means, ...]
    horizon: int
    epsilon: Fraction | float | None
    ratios: tuple[Fraction, Fraction] | None
    delta: Fraction
    value: Enclosure
    lower: Fraction
    upper: Fraction
    policy: Policy
    weights: tuple[Fraction, ...]
    multipliers: Multipliers
    notion: str = "view"
    prices: Prices | None = None
    rho: Fraction | None = None
    concentrated: ConcentratedCertificate | None = None

    @property
    def arms(self) -> int:
        """The number of arms."""
        return len(self.instances[0])

    @property
    def actions(self) -> int:
        """How many actions the policy takes: naming an arm after the last round is one."""
        return _actions(self.criterion, self.horizon)

    def probability(self, history: History) -> tuple[Fraction, ...]:
        """The law of the next arm after ((a_1, r_1), ...) under the optimal policy; uniform where it never gets to.

        `FiniteKernel(found.actions, found.arms, (0, 1), found.probability)` is the policy for exact verification, and
        `HistoryPolicy` plays it. Raises InvalidInput for a history that is longer than the policy is known for.
        """
        if len(history) >= self.actions:
            allowed = f"shorter than {self.actions}: the policy is known for {self.horizon} rounds"
            raise InvalidInput("history", f"{len(history)} rounds", allowed)
        played, heard = tuple(a for a, _ in history), tuple(r for _, r in history)
        masses = [self._masses.get(((*played, a), heard), Fraction(0)) for a in range(self.arms)]
        total = sum(masses, Fraction(0))
        return tuple(m / total if total else Fraction(1, self.arms) for m in masses)

    @cached_property
    def _masses(self) -> dict[tuple[Actions, Rewards], Fraction]:
        """The probability of every sequence of actions, given the rewards before its last one."""
        masses, level = dict(self.policy), dict(self.policy)
        for _ in range(self.actions - 1):
            before: dict[tuple[Actions, Rewards], Fraction] = {}
            for (a, r), x in level.items():
                if not r[-1]:  # the same sum for each last reward
                    before[a[:-1], r[:-1]] = before.get((a[:-1], r[:-1]), Fraction(0)) + x
            masses |= before
            level = before
        return masses

    @question
    def recheck(self) -> bool:
        """Whether the certificate proves both ends, in exact arithmetic, by `checker` and without a solver."""
        if (self.prices is None) == (self.notion == "table" and self.delta > 0):
            return False
        if (self.concentrated is None) != (self.rho is None):
            return False
        if self.concentrated and (
            self.ratios is not None or self.epsilon is not None or self.delta or self.multipliers
        ):
            return False
        numbers = self.lower, self.upper, self.delta, *(self.ratios or ()), *self.weights
        shown = self.concentrated or ConcentratedCertificate((), {}, {})
        numbers += *shown.orders, *(order for *_, order in shown.prices), self.rho or 0
        tables = self.policy, self.multipliers, self.prices or {}, shown.cuts, shown.prices
        if any(type(x) not in (int, Fraction) for x in (*numbers, *(x for table in tables for x in table.values()))):
            return False  # a float would round
        try:
            problem = _asked(self.instances, self.criterion, self.horizon, self.delta, self.notion, self.rho)
            if not _are_around(self.ratios, self.epsilon):
                return False
        except InvalidInput:
            return False
        if self.concentrated is not None:
            ends = _proved_concentrated(problem, self.policy, self.weights, self.concentrated)
        else:
            ends = _proved(problem, self.ratios, Proposal(self.policy, self.weights, self.multipliers, self.prices))
        return ends == (self.lower, self.upper) and self.value.lower <= self.lower <= self.upper <= self.value.upper

    def __repr__(self) -> str:
        if self.rho is not None:
            at = f"rho {self.rho}, {self.notion}"
        elif self.ratios is None:
            at = "without privacy"
        else:
            at = f"ratio {_ratio_text(self.ratios)}, delta {self.delta}, {self.notion}"
        said = f"{self.criterion} of {len(self.instances)} instances, horizon {self.horizon}, {at}"
        return f"<ExactMinimax {self.value.decimal(12)}: {said}; exact ends: .lower, .upper>"


@named
def exact_minimax_regret(
    instances: Sequence[Sequence[Exact]],
    horizon: int,
    epsilon: Exact | None = None,
    *,
    ratio: Exact | None = None,
    rho: Exact | None = None,
    delta: Exact = 0,
    notion: str = "view",
) -> ExactMinimax:
    """The smallest worst-case regret of any (epsilon, delta)-private policy over `horizon` rounds.

    `instances`: lists of means of Bernoulli arms, exact numbers in [0, 1], of equal lengths.
    `epsilon`: from 0 to 12, or inf for no privacy; or `ratio`, e^epsilon as an exact number of at least 1, with which
    both ends of the value agree as a rule; or `rho` of zCDP, from 1/10000 to 10, where the ends are less than 1/10000
    apart as a rule. `delta` in [0, 1). `notion`: privacy under "view" or "table".

    The policy knows the instances and the horizon. For delta = 0 both notions and adaptive continual release ask for
    the same (BDP-P2.4, BDP-PB.5). The value is a lower bound on the regret of policies that are private in a stronger
    sense, or have to cope with more instances. Interactive privacy is refused: mixing two policies may lose it, so no
    program in these probabilities is convex. Raises InvalidInput, also for what is too large: 8 rounds of two arms, 6
    of three; under zCDP 5 and 4.

    Source: TH-D4.3, TH-D2.11, TH-D3.2, TH-D3.3, BDP-D2.2c, BDP-EQ2

    >>> found = exact_minimax_regret([["0.75", "0.25"], ["0.25", "0.75"]], 4, ratio=2)
    >>> found.lower, found.upper, found.recheck()
    (Fraction(973, 1152), Fraction(973, 1152), True)
    """
    return _solved("regret", instances, horizon, (epsilon, ratio, rho), delta, notion)


@named
def exact_identification_error(
    instances: Sequence[Sequence[Exact]],
    horizon: int,
    epsilon: Exact | None = None,
    *,
    ratio: Exact | None = None,
    rho: Exact | None = None,
    delta: Exact = 0,
    notion: str = "view",
) -> ExactMinimax:
    """The smallest worst-case probability that the arm named after `horizon` rounds is not best, for private policies.

    Arguments as in `exact_minimax_regret`. What is published is all actions and the arm that is named; seven rounds of
    two arms are the most. Raises InvalidInput.

    Source: TH-D2.25, TH-D4.3, BDP-D2.2c

    >>> exact_identification_error([["0.75", "0.25"], ["0.25", "0.75"]], 2, ratio=2).upper
    Fraction(3, 8)
    """
    return _solved("error", instances, horizon, (epsilon, ratio, rho), delta, notion)


def _solved(
    criterion: str, instances: Any, horizon: Any, budgets: tuple[Any, Any, Any], delta: Any, notion: Any
) -> ExactMinimax:
    slack = exact("delta", delta, lambda d: 0 <= d < 1, "a number in [0, 1)")
    budget, ratios, rho = _budget(*budgets)
    problem = _asked(instances, criterion, horizon, slack, notion, rho)
    for arm in range(problem.arms):
        if all(means[arm] == max(means) for means in problem.instances):
            hint(
                f"arm {arm} is best in every instance, so that a policy that always names it loses nothing: list "
                "others too, such as the means in every order, which the command line takes"
            )
    if rho is not None:
        return _solved_concentrated(problem, int(horizon))
    asked = replace(problem, ratio=ratios and ratios[0])
    above: tuple[Fraction, Policy] | None = None
    below: tuple[Fraction, tuple[Fraction, ...], Proposal] | None = None
    for proposal in proposals(asked):
        lower, upper = _proved(problem, ratios, proposal)
        if upper is not None and proposal.policy is not None and (above is None or upper < above[0]):
            above = upper, proposal.policy
        if lower is not None and proposal.weights is not None and (below is None or lower > below[0]):
            below = lower, proposal.weights, proposal
        if above and below and above[0] == below[0]:
            break
    if above is None or below is None:
        raise ArithmeticError("the solver's answer proves nothing")
    (upper, policy), (lower, weights, priced) = above, below
    return ExactMinimax(
        criterion,
        problem.instances,
        int(horizon),
        budget,
        ratios,
        slack,
        _around_both(lower, upper),
        lower,
        upper,
        policy,
        weights,
        priced.multipliers,
        problem.notion,
        priced.prices,
    )


def _solved_concentrated(problem: Problem, horizon: int) -> ExactMinimax:
    policy, weights, certificate = concentrated(problem)
    lower, upper = _proved_concentrated(problem, policy, weights, certificate)
    if lower is None or upper is None:
        raise ArithmeticError("the solver's answer proves nothing")
    value = _around_both(lower, upper)
    asked = problem.criterion, problem.instances, horizon, None, None, Fraction(0)
    fields = *asked, value, lower, upper, policy, weights, {}, problem.notion
    return ExactMinimax(*fields, rho=problem.rho, concentrated=certificate)


def _around_both(lower: Fraction, upper: Fraction) -> Enclosure:
    with working_precision(_BITS):
        return Enclosure(Enclosure.outward(lower).lower, Enclosure.outward(upper).upper)


def _proved(
    problem: Problem, ratios: tuple[Fraction, Fraction] | None, proposal: Proposal
) -> tuple[Fraction | None, Fraction | None]:
    """Both ends, as the checker reads them off the proposal; None where it proves nothing."""
    below, above = ratios or (None, None)
    asked = problem.instances, problem.horizon, problem.criterion
    lower = upper = None
    if proposal.policy is not None:
        upper = largest_loss(*asked, below, problem.delta, proposal.policy, problem.notion)
    if proposal.weights is not None:
        lower = smallest_loss(*asked, above, problem.delta, proposal.weights, proposal.multipliers, proposal.prices)
    return lower, upper


def _proved_concentrated(
    problem: Problem, policy: Policy, weights: tuple[Fraction, ...], shown: ConcentratedCertificate
) -> tuple[Fraction | None, Fraction | None]:
    """Both ends under zCDP, as the checker reads them off the certificate."""
    asked = problem.instances, problem.horizon, problem.criterion, problem.rho or Fraction(0)
    lower = smallest_loss_if_concentrated(*asked, weights, shown.cuts, shown.prices, problem.notion)
    return lower, largest_loss_if_concentrated(*asked, shown.orders, policy, problem.notion)


# ------------------------------------------------------------------------------------------------------------ arguments


def _actions(criterion: str, horizon: int) -> int:
    return horizon + (criterion == "error")


def _asked(instances: Any, criterion: str, horizon: Any, delta: Fraction, notion: Any, rho: Fraction | None) -> Problem:
    """The problem without epsilon; `horizon` there counts actions."""
    if rho is not None:
        exact("rho", rho, lambda r: _LEAST_RHO <= r <= _LARGEST_RHO, _RHO)
        if delta:
            raise InvalidInput("delta", delta, "0 where rho is given")
    allowed = f"from 1 to {_INSTANCES} lists of equally many means, from 2 to {_ARMS}, in [0, 1]"
    try:
        listed = [list(means) for means in instances if not isinstance(means, str)]
        whole = len(listed) == len(instances)
    except TypeError:
        raise InvalidInput("instances", instances, allowed) from None
    arms = len(listed[0]) if listed else 0
    if not whole or not 1 <= len(listed) <= _INSTANCES or not 2 <= arms <= _ARMS or {*map(len, listed)} != {arms}:
        raise InvalidInput("instances", instances, allowed)
    read = tuple(
        tuple(exact("mean", m, lambda m: 0 <= m <= 1, "a number in [0, 1]") for m in means) for means in listed
    )
    if criterion not in ("regret", "error"):
        raise InvalidInput("criterion", criterion, "regret or error")
    if notion == "interactive":
        raise InvalidInput("notion", notion, "view or table: under interactive privacy the program is not convex")
    if notion not in NOTIONS:
        raise InvalidInput("notion", notion, "view or table")
    actions = _actions(criterion, check_count("horizon", horizon, 1))
    asked = Problem(read, actions, criterion, None, delta, notion, rho)
    most = 1
    while _size(replace(asked, horizon=most + 1)) <= (_MOST if rho is None else _MOST_CONCENTRATED):
        most += 1
    if actions > most:
        longest, what = most - (criterion == "error"), "delta > 0" if delta else "rho"
        raise InvalidInput(
            "horizon", horizon, f"from 1 to {longest} for {arms} arms{f' and {what}' if asked.adds_up else ''}"
        )
    return asked


def _size(problem: Problem) -> int:
    """How many probabilities, or excesses of them over what pure privacy allows, a program has or adds up."""
    arms, actions, adds_up = problem.arms, problem.horizon, problem.adds_up
    inputs = 2 ** ((arms if problem.notion == "table" and adds_up else 1) * (actions - 1))
    return arms**actions * inputs * (max(1, actions - 1) if adds_up else 1)


def _budget(
    epsilon: Any, ratio: Any, rho: Any
) -> tuple[Fraction | float | None, tuple[Fraction, Fraction] | None, Fraction | None]:
    """The budget: epsilon, rationals around e^epsilon, rho."""
    if sum(one is not None for one in (epsilon, ratio, rho)) != 1:
        raise InvalidInput("epsilon, ratio and rho", (epsilon, ratio, rho), "one of the three, the others None")
    if rho is not None:
        return None, None, exact("rho", rho, lambda r: _LEAST_RHO <= r <= _LARGEST_RHO, _RHO)
    if epsilon is None:
        allowed = f"e^epsilon, a number from 1 to {_LARGEST_RATIO}, or inf"
        given = exact_or_infinite("ratio", ratio, lambda q: 1 <= q <= _LARGEST_RATIO, allowed)
        return None, None if given == math.inf else (Fraction(given), Fraction(given)), None
    allowed = f"a number from 0 to {_LARGEST}, or inf"
    budget = exact_or_infinite("epsilon", epsilon, lambda e: 0 <= e <= _LARGEST, allowed)
    if budget == math.inf:
        return budget, None, None
    return budget, _around(budget), None


def _around(epsilon: Fraction | float) -> tuple[Fraction, Fraction]:
    """Rationals around e^epsilon."""
    with working_precision(_BITS):
        ends = Enclosure.from_ball(exp(to_ball(epsilon))) if epsilon else Enclosure(1, 1)
    return Fraction(ends.lower), Fraction(ends.upper)


def _are_around(ratios: tuple[Fraction, Fraction] | None, epsilon: Fraction | float | None) -> bool:
    """Whether the ratios are what a certificate at this epsilon may use; those of no epsilon are one number."""
    if ratios is None:
        return epsilon in (None, math.inf)
    below, above = ratios
    if epsilon is None:
        return 1 <= below == above
    if not 0 <= epsilon < math.inf:
        return False
    least, most = _around(epsilon)
    return 1 <= below <= least and most <= above


def _ratio_text(ratios: tuple[Fraction, Fraction]) -> str:
    return str(ratios[0]) if ratios[0] == ratios[1] else f"{float(ratios[0]):.10g}"
