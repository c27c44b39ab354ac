"""The privacy ledger: what a recorded run spends on each single reward, according to what it declared.

A release costs something on every reward it contains and nothing on the others. Costs on one reward add up (sequential
composition); releases without a reward in common do not add up (parallel composition). So the privacy loss of the run
is the largest sum over the releases that contain one reward. The budget says in which currency costs are counted: with
Laplace noise of scale b a release of sensitivity s costs s/b of pure DP, with Gaussian noise of deviation sigma it
costs s^2 / (2 sigma^2) of zCDP.

The ledger believes what was declared. Whether that is true is for alignment to say.

Source: BDP-PH.3, BDP-LH.4, BDP-TH.5, TH-P2.9, TH-T2.14
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from itertools import groupby
from math import inf, isinf
from typing import Any

import numpy as np

from banditproof.algorithms.noise import MECHANISMS, Mechanism
from banditproof.theory import Budget, InvalidInput
from banditproof.theory.arguments import checked
from banditproof.theory.privacy.noise_calibration import largest_gaussian_shift
from banditproof.verify.runs import accountant
from banditproof.verify.runs.accountant import Cost, Pair, cost_of, is_accounted
from banditproof.verify.runs.recorder import Release, Run, far_neighbour

ROUNDING = 2.0**-50  # relative; a cost computed from a calibrated scale is off by a few of the 8 units 2^-53 here
REPEATED = 1e-9  # the probability that independent draws look repeated
CLOSEST = 1e-13  # draws, in units of the scale, are known up to this

CAUSES = {
    "raw rewards": "the policy's behaviour depends on the rewards themselves, not only on the released values",
    "sensitivity": "a release moves more than it declares",
    "records": "a release contains rewards that it does not declare",
    "budget": "what is released costs more than the budget when one reward changes",
    "noise": "the noise that is added differs from the declared noise",
    "noise reused": "the same draw of noise is used twice",
    "outside randomness": "coins or noise are neither releases of the noise source nor drawn from the generator",
    "declaration": "a declaration depends on the rewards",
    "mechanism": "the noise of a release does not meet its own budget",
    "not finite": "the true value of a release is not finite",
}


@dataclass(frozen=True)
class Violation:
    """One way in which a policy broke its promise: the sensor, the reason, the release and the neighbouring inputs.

    Pulls, rewards and releases of a run are counted from 0; `release` is None when no single one is to blame. `cause`
    is one of `CAUSES`, `line` the line of the policy that is to blame, where known.
    """

    sensor: str
    reason: str
    release: int | None
    rewards: tuple[float, ...]
    neighbour: tuple[float, ...]
    cause: str = ""
    line: str = ""

    @property
    def sentence(self) -> str:
        """The reason, of the release that is to blame unless it has a subject of its own."""
        own = self.release is None or self.reason.startswith(("pull ", "reward "))
        return self.reason if own else f"release {self.release} {self.reason}"

    def __str__(self) -> str:
        where = "" if self.release is None else f", release {self.release}"
        pairs = enumerate(zip(self.rewards, self.neighbour, strict=True))
        changes = ", ".join(f"reward {t} {r:g} -> {s:g}" for t, (r, s) in pairs if r != s)
        return f"{self.sensor}{where}: {self.reason} [{changes} in {shown(self.rewards)}]"


def shown(rewards: Sequence[float]) -> str:
    """A few rewards one by one, more of them as '44 x 0, 0.5, 0'."""
    if len(rewards) <= 30:
        return " ".join(f"{r:.4g}" for r in rewards)
    text = ", ".join(f"{n} x {r:.4g}" if n > 1 else f"{r:.4g}" for r, n in stretches(rewards))
    return text if len(text) <= 60 else f"{text[:60].rpartition(',')[0]}, ... ({len(rewards)} in all)"


def stretches(rewards: Sequence[float]) -> list[tuple[float, int]]:
    """The rewards as (reward, how often it comes in a row)."""
    return [(reward, len(list(same))) for reward, same in groupby(rewards)]


@dataclass(frozen=True)
class Currency:
    """What is added up in composition, `of(law, shift / scale)`, and how much of it may be spent."""

    name: str
    allowed: float
    of: Callable[[str | Mechanism, float], float | None]

    def cost(self, law: str | Mechanism, shift: float, scale: float) -> float:
        """What moving a true value by `shift` costs; nothing if it stays, inf without noise."""
        if not shift:
            return 0.0
        price = self.of(law, shift / scale) if scale else inf
        return inf if price is None else price


def currency(budget: Budget, laws: Collection[str | Mechanism] = ()) -> Currency:
    """The currency of a scalar budget, for releases with noise of these laws.

    An (epsilon, delta) budget is counted as pure if all noise is Laplace's, and as Gaussian DP at the exact curve
    delta(epsilon) if all noise is Gaussian. Raises InvalidInput for a budget per replication, and where the noise has
    no cost in the currency. Source: TH-P2.6, TH-P2.9
    """
    if not isinstance(budget, Budget):
        raise InvalidInput("budget", budget, "a Budget, such as Budget.pure(1) or Budget.zcdp(0.5)")
    if any(np.ndim(value) for value in budget.parameters.values()):
        raise InvalidInput("budget", str(budget), "one budget, not one per replication")
    counted = budget.counted(any(map(is_gaussian, laws)), largest_gaussian_shift)
    if any(_price(counted, law, 1.0) is None for law in laws):
        given = sorted(law if isinstance(law, str) else law.name for law in laws)
        priced = sorted(name for name in MECHANISMS if _price(counted, name, 1.0) is not None)
        raise InvalidInput("distribution", given, f"among {priced} for a budget {budget}")
    return Currency(counted.currency, counted.allowed, partial(_price, counted))


def is_gaussian(law: str | Mechanism) -> bool:
    """Whether the noise has no bounded privacy loss."""
    return isinstance(law, str) and law in MECHANISMS and MECHANISMS[law].gaussian


def _price(budget: Budget, law: str | Mechanism, shift: float) -> float | None:
    """What a release costs whose value moves by `shift` scales of this noise; None where that has no price."""
    if isinstance(law, Mechanism):  # it states its privacy loss
        return budget.cost_of_loss(shift)
    return MECHANISMS[law].price(budget, shift) if law in MECHANISMS else None


def cost(release: Release, count: Currency | None = None) -> float:
    """What a release costs on each reward it contains, in the currency `count` (default: that of its own budget)."""
    count = count or currency(release.budget, [release.law])
    return count.cost(release.law, release.sensitivity, release.scale)


def declared_pair(release: Release) -> Pair:
    """What the declarations of a release say of its answers on two neighbours."""
    shift = release.sensitivity / release.scale if release.scale else inf if release.sensitivity else 0.0
    if release.law == "laplace" and release.value.size == 1:
        return accountant.of_laplace(shift)
    if release.law == "normal":
        return accountant.of_normal(shift)
    if release.law == "discrete_normal":
        return _whole_normal(release, release.sensitivity)
    if release.law == "exponential_mechanism":
        return accountant.of_bounded_range(shift)
    if release.law == "randomised_response":
        truth, other = (np.exp(_logits(answer / release.scale)) for answer in np.eye(release.value.size)[:2])
        return accountant.of_laws(truth.tolist(), other.tolist())
    return accountant.of_bounded_loss(shift)


def seen_pair(release: Release, other: Release, shift: float) -> Pair:
    """The same of true values that were seen, `shift` apart in the norm of the release, with what their laws are."""
    if not shift or not release.scale or isinf(shift):
        return accountant.of_bounded_loss(inf, attained=True) if shift else accountant.of_bounded_loss(0.0)
    moved = (other.value - release.value).ravel()
    if release.law == "laplace" and release.value.size == 1:
        return accountant.of_laplace(shift / release.scale)
    if release.law == "discrete_laplace" and release.value.size == 1 and float(moved[0]).is_integer():
        return accountant.of_whole_laplace(shift, release.scale)
    if release.law == "normal":
        return accountant.of_normal(shift / release.scale)
    if release.law == "discrete_normal":
        return _whole_normal(release, abs(float(moved[0])) if moved.size == 1 else shift)
    if isinstance(release.law, str) and (weight := MECHANISMS[release.law].weight) is not None:
        here, there = (np.exp(_logits(weight * r.value.ravel() / r.scale)) for r in (release, other))
        return accountant.of_laws(here.tolist(), there.tolist())
    if release.law == "noisy_max":
        here, there = ((r.value.ravel() / (2 * r.scale)).tolist() for r in (release, other))
        return accountant.of_noisy_max(shift / release.scale, here, there, int(release.released.ravel()[0]))
    return accountant.of_bounded_loss(shift / release.scale, attained=True)


def _whole_normal(release: Release, moved: float) -> Pair:
    """Of several numbers only their Renyi divergences are known: one move is shared among them."""
    pair = accountant.of_whole_normal(moved, release.scale)
    return pair if release.value.size == 1 else replace(pair, atoms=(), rest=0.0, exact=False)


def _logits(scores: np.ndarray) -> np.ndarray:
    return scores - np.logaddexp.reduce(scores)


MOST_KINDS_OF_REWARDS = 50  # that enter other releases, and are accounted for one by one


def dearest(run: Run, budget: Budget) -> Cost | None:
    """What the reward that costs most spends as declared, in what the budget promises; None where that is not known.

    Rewards that enter releases with the same pairs of laws cost the same. Of many kinds of rewards nothing is known.
    """
    if not is_accounted(budget) or not run.releases:
        return None
    actions, horizon = np.asarray(run.actions), len(run.rewards)
    entered: dict[Pair, np.ndarray] = {}
    for release in run.releases:
        start, stop, *only = release.records or (0, horizon)
        inside = slice(max(start, 0), max(stop, 0))
        counts = entered.setdefault(declared_pair(release), np.zeros(horizon, dtype=int))
        counts[inside] += (actions[inside] == only[0]) if only else 1
    kinds = np.unique(np.array(list(entered.values())), axis=1).T
    if len(kinds) > MOST_KINDS_OF_REWARDS:
        return None
    costs = (cost_of(dict(zip(entered, kind.tolist(), strict=True)), budget) for kind in kinds)
    return max(costs, key=lambda cost: cost.most)


def cost_per_reward(
    releases: Sequence[Release], horizon: int, budget: Budget, actions: Sequence[int] | None = None
) -> np.ndarray:
    """The privacy loss of each reward [horizon], in the currency of the budget: its releases' costs, added up.

    `actions` [horizon] are the arms that brought the rewards; without them a release that names an arm is charged to
    all rewards of its range.
    """
    count, costs = currency(budget, {release.law for release in releases}), np.zeros(horizon)
    brought_by = None if actions is None else np.asarray(actions)
    for release in releases:
        start, stop, *only = release.records or (0, horizon)
        inside = slice(max(start, 0), max(stop, 0))
        charge = cost(release, count)
        costs[inside] += (
            charge if brought_by is None or not only else np.where(brought_by[inside] == only[0], charge, 0)
        )
    return costs


def privacy_loss(
    releases: Sequence[Release], horizon: int, budget: Budget, actions: Sequence[int] | None = None
) -> float:
    """The loss of a run according to its declarations: the largest cost over rewards, in the budget's currency."""
    return float(cost_per_reward(releases, horizon, budget, actions).max(initial=0.0))


def costs_of_dearest(run: Run, budget: Budget) -> tuple[list[int], list[float]]:
    """When the reward that is charged most enters releases, by the ends of their records, and what each costs."""
    horizon = len(run.rewards)
    count = currency(budget, {release.law for release in run.releases})
    worst = int(cost_per_reward(run.releases, horizon, budget, run.actions).argmax())
    entered = [release for release in run.releases if release.covers(worst, run.actions[worst])]
    charged = [((r.records or (0, horizon))[1], charge) for r in entered if (charge := cost(r, count))]
    return [end for end, _ in charged], [charge for _, charge in charged]


@checked
def audit_ledger(run: Run, budget: Budget) -> tuple[Violation, ...]:
    """Rewards charged more than the budget, releases that cost more than their own budget, noise used twice.

    Noise that has no cost in the currency of the budget is a violation, too.
    """

    def violation(cause: str, reason: str, k: int, time: int | None = None) -> Violation:
        place = (run.releases[k].records or (0,))[0] if time is None else time
        neighbour = far_neighbour(run.rewards, min(max(place, 0), len(run.rewards) - 1), run.possible)
        return Violation("ledger", reason, k, run.rewards, neighbour, cause, run.releases[k].origin)

    violations = []
    for k, release in enumerate(run.releases):
        if not np.isfinite(release.value).all():
            return (violation("not finite", f"has the true value {release.value.tolist()}", k),)
        if problem := never_private(release, budget):
            return (violation("mechanism", problem, k),)
        own = currency(release.budget, [release.law]).allowed
        if cost(release) > own * (1 + ROUNDING):
            violations.append(
                violation("mechanism", f"costs {cost(release):.6g}, more than its own budget {own:.6g}", k)
            )
    if uncounted(run, budget):
        return tuple(violations)
    if (over := overspent(run, budget)) and not ((accounted := dearest(run, budget)) and accounted.kept):
        worst, spent, allowed, spenders = over
        name = currency(budget, {release.law for release in run.releases}).name
        charge = f"{name} = {spent:.6g}, more than {allowed:.6g}"
        if accounted is not None:
            charge = f"{accounted}, more than {accounted.allowed:.6g}"
        reason = f"reward {worst} is charged {charge}, by {listed(spenders)}"
        silent = [k for k in spenders if run.releases[k].records is None]
        if silent:
            names, they = ("names", "it uses") if len(silent) == 1 else ("name", "they use")
            reason += f"; {listed(silent)} {names} no records, so every reward is charged: say which rewards {they}:"
            reason += " noise.laplace(..., records=(start, stop))"
        violations.append(violation("records" if silent else "budget", reason, spenders[-1], worst))
    for j, k in repeated_noise(run.releases)[:1]:
        violations.append(violation("noise reused", f"uses the noise of release {j} again", k))
    return tuple(violations)


def never_private(release: Release, budget: Budget) -> str | None:
    """Why a release breaks the budget by the kind of its noise, if it does for sure."""
    if not release.sensitivity:
        return None
    if not budget.takes_gaussian and is_gaussian(release.law):
        return f"{release.distribution} noise has an unbounded privacy loss, so it cannot meet {budget}"
    return None


def uncounted(run: Run, budget: Budget) -> str | None:
    """Why the releases of a run cannot be added up in the currency of the budget, or None."""
    try:
        currency(budget, {release.law for release in run.releases})
    except InvalidInput as error:
        return str(error)
    return None


def listed(releases: Sequence[int]) -> str:
    """'release 3', 'releases 3, 5' or 'releases 3, ..., 90'."""
    numbers = ", ".join(map(str, releases)) if len(releases) <= 6 else f"{releases[0]}, ..., {releases[-1]}"
    return f"release{'s' if len(releases) > 1 else ''} {numbers}"


def overspent(run: Run, budget: Budget) -> tuple[int, float, float, list[int]] | None:
    """The reward charged most, its charge, what is allowed and the releases that charge it, if that is too much."""
    allowed = currency(budget, {release.law for release in run.releases}).allowed
    costs = cost_per_reward(run.releases, len(run.rewards), budget, run.actions)
    worst = int(costs.argmax())
    if not costs[worst] > allowed * (1 + ROUNDING * len(run.releases)):
        return None
    spenders = [k for k, release in enumerate(run.releases) if release.covers(worst, run.actions[worst])]
    return worst, float(costs[worst]), allowed, spenders


def repeated_noise(releases: Sequence[Release]) -> list[tuple[int, int]]:
    """Pairs of releases (earlier, later) that share a noise value, in units of the scale.

    Of independent noise some pair is named with probability below 1e-9: among many draws, one coincidence up to
    rounding is not enough.
    """
    noisy = [k for k, release in enumerate(releases) if release.scale and release.law in ("laplace", "normal")]
    if not noisy:
        return []
    draws = [standard_draws(releases[k]) for k in noisy]
    owner = np.repeat(noisy, [d.size for d in draws])
    values = np.concatenate(draws)
    order = np.argsort(values, kind="stable")
    pairs = values.size * (values.size - 1) / 2
    closeness = max(CLOSEST, REPEATED / max(pairs, 1.0))
    close = np.flatnonzero(np.diff(values[order]) <= closeness)
    expected, needed = pairs * closeness, 1
    while expected**needed > REPEATED * (1 + ROUNDING):  # a Poisson count reaches `needed` with less probability
        needed += 1
    if close.size < needed:
        return []
    pairs_found = {(int(owner[order[i]]), int(owner[order[i + 1]])) for i in close}
    return sorted((min(pair), max(pair)) for pair in pairs_found)


def standard_draws(release: Release) -> np.ndarray:
    """The noise of a release in units of its scale."""
    return (release.released - release.value).ravel() / release.scale


def accounting(module: str) -> Any:
    """A module of `dp-accounting`. Raises ImportError without the extra `audit`."""
    try:
        return import_module(f"dp_accounting.{module}")
    except ImportError as error:
        if error.name != "dp_accounting":
            raise
        needed = "this accounting needs dp-accounting: install banditproof[audit]"
        raise ImportError(needed, name="dp_accounting") from error
