"""How many harmful mutants slip through: of every private algorithm's source, and of the recorder's.

Whether a mutant is harmful is decided in `harm`, without the recorder, the ledger and alignment, on all reward lists of
a small horizon. The checks under test see other, longer and random lists. A mutant that raises an exception is noticed
by anyone.
"""

import inspect
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType

import numpy as np

from banditproof.algorithms.finite import dp_index, dp_ucb, episodic, lazy_dp_ts
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs import alignment, ledger, recorder
from banditproof.verify.runs.harm import (
    ALL_LISTS_HORIZON,
    EPSILON,
    POLICY,
    breaks_promise,
    is_faithful,
    policy_maker,
    ucb,
)
from banditproof.verify.runs.mutants import Mutant, load, mutants, substituted
from banditproof.verify.runs.planted import PLANTED, Bug, plant
from banditproof.verify.runs.recorder import PolicyMaker

HORIZON = 30
LISTS = 3


@dataclass(frozen=True)
class MutationCounts:
    """What became of the mutants of one module.

    `raising` mutants raise an exception; the others are `harmful` or not. `missed` lists the harmful ones no check
    flagged. `over_cautious` counts harmless ones that a check flagged, for instance for a false declaration.
    """

    drawn: int
    raising: int
    harmful: int
    over_cautious: int
    missed: tuple[str, ...]

    @property
    def missed_share(self) -> float:
        """The share of harmful mutants that were missed (0 if there were none)."""
        return len(self.missed) / max(self.harmful, 1)


@dataclass(frozen=True)
class MutationReport:
    """The counts for the modules of policies, by name, and for the recorder's."""

    policies: dict[str, MutationCounts]
    recorder: MutationCounts

    @property
    def missed_share(self) -> float:
        """The share of all harmful mutants that were missed."""
        counts = (*self.policies.values(), self.recorder)
        return sum(len(one.missed) for one in counts) / max(sum(one.harmful for one in counts), 1)


def mutation_report(seed: int = 0, count: int = 200) -> MutationReport:
    """Draws `count` mutants by `seed`, a third of the recorder, the others of policies, and counts what is missed."""
    share = count // 3
    of_policies = {}
    for k, module in enumerate(SUBJECTS):
        drawn = mutants(module, seed, (count - share) * (k + 1) // len(SUBJECTS) - (count - share) * k // len(SUBJECTS))
        checks = partial(policy_checks, module=module)
        of_policies[module.__name__.rpartition(".")[2]] = _counts([(m, *judge(m, checks)) for m in drawn])
    of_recorder = [(mutant, *judge(mutant, recorder_checks)) for mutant in mutants(recorder, seed, share)]
    return MutationReport(of_policies, _counts(of_recorder))


Checks = tuple[Callable[[], bool], Callable[[], bool]]  # is the mutant harmful? is it flagged?


def judge(mutant: Mutant, checks_of: Callable[[Mutant], Checks]) -> tuple[bool, bool | None]:
    """(harmful, flagged) for a mutant; flagged is None if it, or the checks on it, raise an exception.

    A mutant that does not raise there but does when its harm is to be decided counts as harmful.
    """
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            is_harmful, is_flagged = checks_of(mutant)
            flagged = is_flagged()
        except Exception:  # whatever a random change leads to
            return False, None
        try:
            return is_harmful(), flagged
        except Exception:  # as above
            return True, flagged


def _counts(judged: Sequence[tuple[Mutant, bool, bool | None]]) -> MutationCounts:
    return MutationCounts(
        drawn=len(judged),
        raising=sum(flagged is None for _, _, flagged in judged),
        harmful=sum(harmful for _, harmful, _ in judged),
        over_cautious=sum(flagged is True and not harmful for _, harmful, flagged in judged),
        missed=tuple(str(mutant) for mutant, harmful, flagged in judged if harmful and not flagged),
    )


def policy_checks(mutant: Mutant, module: ModuleType = dp_index) -> Checks:
    """For a mutant of a module of policies: flagged if ledger or alignment find a violation on random lists."""
    two, three, budget = SUBJECTS[module](load(mutant.source, module.__name__), mutant.scope)
    return lambda: breaks_promise(two, budget), lambda: is_flagged(alignment, three, budget)


Subject = tuple[PolicyMaker, PolicyMaker, Budget]  # for short lists, for longer ones; what it promises


def _algorithm_1(module: ModuleType, scope: str) -> Subject:
    policy = getattr(module, scope) if scope in ("DPIMED", "DPKLUCB") else ucb(module.BatchedIndexPolicy)
    return policy_maker(policy, arms=2), policy_maker(policy, arms=3), Budget.pure(EPSILON)


def _episodic(module: ModuleType, scope: str) -> Subject:
    """With little optimism, so that what is released decides early."""
    budgets = {"AdaCUCB": Budget.zcdp(2.0), "AdaRUCB": Budget.rdp(2.0, 2.0)}
    name = scope if scope in (*budgets, "AdaPKLUCB") else "AdaPUCB"
    budget, policy = budgets.get(name, Budget.pure(4.0)), getattr(module, name)

    def make(arms: int) -> PolicyMaker:
        return lambda noise, _: policy(arms, budget, noise, beta=0.2)

    return make(2), make(3), budget


def _tree(module: ModuleType, scope: str) -> Subject:
    budget = Budget.pure(4.0)

    def make(arms: int, horizon: int) -> PolicyMaker:
        return lambda noise, _: module.DPUCB(arms, budget, noise, horizon=horizon, delta=0.9)

    return make(2, ALL_LISTS_HORIZON), make(3, HORIZON), budget


def _lazy(module: ModuleType, scope: str) -> Subject:
    budget = Budget.pure(4.0)

    def make(arms: int) -> PolicyMaker:
        return lambda noise, generator: module.LazyDPTS(arms, budget, noise, generator, optimism=0.2)

    return make(2), make(3), budget


SUBJECTS: dict[ModuleType, Callable[[ModuleType, str], Subject]] = {
    dp_index: _algorithm_1,
    episodic: _episodic,
    dp_ucb: _tree,
    lazy_dp_ts: _lazy,
}
"""Modules whose mutants are tried; not DP-SE, whose first epoch is longer than all lists can be tried on."""


def recorder_checks(mutant: Mutant) -> Checks:
    """For a mutant of `verify.recorder`: flagged if ledger and alignment, built on it, do not work any more."""
    module = load(mutant.source, recorder.__name__)
    return lambda: not is_faithful(module), lambda: not checks_work(checks_on(module))


def is_flagged(checks: ModuleType, make_policy: PolicyMaker, budget: Budget | None = None) -> bool:
    """Whether the module `alignment`, or one like it, finds a violation of the policy, which promises `budget`."""
    promised = budget or Budget.pure(EPSILON)
    return checks.find_violation(make_policy, HORIZON, promised, 0, lists=LISTS) is not None


def checks_on(mutated: ModuleType) -> ModuleType:
    """The module `alignment`, bound to this recorder instead of the real one."""
    with substituted({recorder.__name__: mutated}):
        on_it = load(inspect.getsource(ledger), ledger.__name__)
        with substituted({ledger.__name__: on_it}):
            return load(inspect.getsource(alignment), alignment.__name__)


def checks_work(checks: ModuleType) -> bool:
    """Whether the checks pass the sound policy and find every planted bug."""
    sound = policy_maker(POLICY, arms=3)
    flagged = (is_flagged(checks, plant(bug, sound)) for bug in PLANTED.values())
    return not is_flagged(checks, plant(Bug, sound)) and all(flagged)
