"""How many harmful mutants slip through: of the policies' source, and of the recorder's.

Whether a mutant is harmful is decided in `harm`, without the recorder, the ledger and alignment, on all reward lists of
a small horizon. The checks under test see other, longer and random lists. A mutant that raises an exception is noticed
by anyone.
"""

import inspect
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from banditproof.algorithms import dp_index
from banditproof.theory.budget import Budget
from banditproof.verify import alignment, ledger, recorder
from banditproof.verify.harm import EPSILON, POLICY, breaks_promise, is_faithful, policy_maker, ucb
from banditproof.verify.mutants import Mutant, load, mutants, substituted
from banditproof.verify.planted import PLANTED, Bug, plant
from banditproof.verify.recorder import PolicyMaker

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
    """The counts for the policies' module and for the recorder's."""

    policies: MutationCounts
    recorder: MutationCounts

    @property
    def missed_share(self) -> float:
        """The share of all harmful mutants that were missed."""
        harmful = self.policies.harmful + self.recorder.harmful
        return (len(self.policies.missed) + len(self.recorder.missed)) / max(harmful, 1)


def mutation_report(seed: int = 0, count: int = 200) -> MutationReport:
    """Draws `count` mutants by `seed`, half of the policies and half of the recorder, and counts what is missed."""
    of_policies = mutants(dp_index, seed, count - count // 2)
    of_recorder = mutants(recorder, seed, count // 2)
    return MutationReport(
        _counts([(mutant, *judge(mutant, policy_checks)) for mutant in of_policies]),
        _counts([(mutant, *judge(mutant, recorder_checks)) for mutant in of_recorder]),
    )


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


def policy_checks(mutant: Mutant) -> Checks:
    """For a mutant of `algorithms.dp_index`: flagged if ledger or alignment find a violation on random lists."""
    module = load(mutant.source, dp_index.__name__)
    policy = getattr(module, mutant.scope) if mutant.scope in ("DPIMED", "DPKLUCB") else ucb(module.BatchedIndexPolicy)
    return lambda: breaks_promise(policy_maker(policy, arms=2)), lambda: is_flagged(
        alignment, policy_maker(policy, arms=3)
    )


def recorder_checks(mutant: Mutant) -> Checks:
    """For a mutant of `verify.recorder`: flagged if ledger and alignment, built on it, do not work any more."""
    module = load(mutant.source, recorder.__name__)
    return lambda: not is_faithful(module), lambda: not checks_work(checks_on(module))


def is_flagged(checks: ModuleType, make_policy: PolicyMaker) -> bool:
    """Whether the module `alignment`, or one like it, finds a violation of the policy."""
    return checks.find_violation(make_policy, HORIZON, Budget.pure(EPSILON), 0, lists=LISTS) is not None


def checks_on(mutated: ModuleType) -> ModuleType:
    """The module `alignment`, bound to this recorder instead of the real one."""
    with substituted({recorder.__name__: mutated}):
        on_it = load(inspect.getsource(ledger), ledger.__name__)
        with substituted({ledger.__name__: on_it}):
            return load(inspect.getsource(alignment), alignment.__name__)


def checks_work(checks: ModuleType) -> bool:
    """Whether the checks pass the sound policy and find every planted bug."""
    sound = policy_maker(POLICY, arms=3)
    found = (is_flagged(checks, plant(bug, sound)) for bug in PLANTED.values())
    return not is_flagged(checks, plant(Bug, sound)) and all(found)
