"""The one door through which released values leave a policy.

Everything a private policy bases its actions on is a *release*: a function of the rewards plus noise. Every release
goes through the noise source the policy was given, which knows how sensitive the value was declared to be, which
budget it spends and which rewards it touches. A source that records or replays overrides `release`, one that only
draws differently overrides `draw`.

The privacy guarantees are those of real-valued noise; attacks on the floating-point sampling of it are out of scope.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, wraps
from types import NoneType
from typing import Any

import numpy as np

from banditproof.theory.arguments import Size, checked, floats, takes
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget, checked_budget, kinds_with
from banditproof.theory.privacy.noise_calibration import gaussian_multiplier
from banditproof.theory.sensitivities.proof import Sensitivity, declared, not_below

_NEVER_DRAWN = np.random.default_rng(0)  # what a compiled loop gets where there is no noise

Records = tuple[int | np.ndarray, ...]
"""Half-open ranges [start, stop) of reward indices (0 is the first reward of the run): two ints, or int arrays [R].

A third one names an arm for each replication: then the rewards in the range are meant that this arm brought."""

Moved = float | np.ndarray | Sensitivity
"""How far one reward moves what is released: a number, an array [R], or what `theory.sensitivity` proved."""


@dataclass(frozen=True, eq=False)
class Mechanism:
    """A mechanism of one's own: how it answers, and the privacy loss between two true values.

    `sample(value, generator)` gives what is released for a true value [R, ...]. `loss(value, other)` is the largest
    logarithm, over all that may be released, of the ratio of its probabilities for two true values [1, ...].
    """

    name: str
    sample: Callable[[np.ndarray, np.random.Generator], np.ndarray]
    loss: Callable[[np.ndarray, np.ndarray], float]


RIGHT = {
    name: f"noise.{name}({value}, sensitivity=1, budget={budget}, records=(start, stop))"
    for name, value, budget in (
        ("laplace", "total", "Budget.pure(1.0)"),
        ("gaussian", "total", "Budget.zcdp(0.5)"),
        ("discrete_laplace", "total", "Budget.pure(1.0)"),
        ("discrete_gaussian", "total", "Budget.zcdp(0.5)"),
        ("exponential_mechanism", "scores", "Budget.pure(1.0)"),
        ("report_noisy_max", "scores", "Budget.pure(1.0)"),
    )
}
"""One call of each release that is right."""


def released_as(function: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    """A release; InvalidInput shows how it is called where Python would only count arguments."""

    @wraps(function)
    def call(*args: Any, **named: Any) -> np.ndarray:
        try:
            return function(*args, **named)
        except TypeError:
            try:
                inspect.signature(function).bind(*args, **named)
            except TypeError as wrong:
                right = f"called as {RIGHT[function.__name__]}"
                raise InvalidInput(f"noise.{function.__name__}", str(wrong), right) from None
            raise

    return call


def _check_records(records: object) -> None:
    """Raise InvalidInput for what is not a pair of counts, or of arrays of counts, perhaps with an arm."""
    if records is None:
        return
    if isinstance(records, tuple) and len(records) in (2, 3) and all(map(_is_count, records)):
        start, stop = records[:2]
        if np.all((start >= 0) & (start <= stop)):
            return
    allowed = "a tuple (start, stop) or (start, stop, arm) of one whole number each, or of arrays, 0 <= start <= stop"
    raise InvalidInput("records", records, f"{allowed}: the rewards start, ..., stop - 1, from 0")


def _is_count(part: object) -> bool:
    if isinstance(part, np.ndarray):
        return part.dtype.kind in "iu" or part.dtype.kind == "f" and bool((part == np.floor(part)).all())
    return isinstance(part, int | np.integer) and not isinstance(part, bool)


class NoiseSource:
    """Noise for all replications of a policy, drawn from `generator` (None is enough while no noise is needed)."""

    @checked
    def __init__(self, generator: np.random.Generator | None = None) -> None:
        self.generator = generator

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"a noise source has no {name}: it releases by {', '.join(RIGHT)} (such as {RIGHT['laplace']}); coins are "
            "drawn from the second argument of make_policy(noise, generator)"
        )

    @released_as
    def laplace(
        self,
        value: np.ndarray,
        *,
        sensitivity: Moved,
        budget: Budget,
        records: Records | None = None,
        norm: str = "l1",
        statistic: Sensitivity | None = None,
    ) -> np.ndarray:
        """`value` plus Laplace noise of scale sensitivity / epsilon, rounded up, in every coordinate: epsilon-DP.

        `value` is [R] or [R, d]. `sensitivity`, and the epsilon of `budget`, are numbers or arrays [R]: how far one
        reward can move the value of a replication in the l1 norm, and the pure budget this release spends. An
        infinite epsilon means no noise. `records`, (start, stop) or (start, stop, arm), says which rewards the value is
        computed from: those of pulls start, ..., stop - 1, counted from 0 (of the arm, if one is named). Without them
        any reward may be in it, and every release costs something on all.

        A `Sensitivity` that `theory.sensitivity` proved for neighbours="replace" may stand for the number: the noise is
        calibrated to its upper end. A number that is typed beside `statistic`, such a proof, must not be below it.

        Raises InvalidInput for another norm, a budget that is not pure, a sensitivity that is negative or not finite,
        and a budget so small that no float can hold the scale.
        Source: BDP-TH.5
        """
        if not isinstance(norm, str) or norm != "l1":
            raise InvalidInput("norm", norm, '"l1", the norm Laplace noise is calibrated to')
        return self._pure("laplace", value, sensitivity, budget, records, norm, statistic)

    @released_as
    def gaussian(
        self,
        value: np.ndarray,
        *,
        sensitivity: Moved,
        budget: Budget,
        records: Records | None = None,
        norm: str = "l2",
        statistic: Sensitivity | None = None,
        multiplier: float | np.ndarray | None = None,
    ) -> np.ndarray:
        """`value` plus Gaussian noise of standard deviation `multiplier` times `sensitivity` in every coordinate.

        As `laplace`, but `sensitivity` is in the l2 norm and `budget` is zCDP, RDP, Gaussian DP or approximate; the
        default multiplier is `gaussian_multiplier(budget)`, certified to spend no more than this budget, and the
        product is rounded up. A policy that is defined with another multiplier states it, and the ledger tells whether
        it keeps the budget. Raises InvalidInput as `laplace` does, and for noise that no float can hold.

        Source: TH-T2.14
        """
        if not isinstance(norm, str) or norm != "l2":
            raise InvalidInput("norm", norm, '"l2", the norm Gaussian noise is calibrated to')
        factor = gaussian_multiplier(budget) if multiplier is None else multiplier
        sensitivity = _checked_sensitivity(sensitivity, norm, statistic)
        scale = product_rounded_up(sensitivity, floats("multiplier", factor))
        return self._scaled("normal", value, scale, sensitivity, budget, records, norm)

    @released_as
    def discrete_laplace(
        self, value: np.ndarray, *, sensitivity: Moved, budget: Budget, records: Records | None = None
    ) -> np.ndarray:
        """`value`, whole numbers [R] or [R, d], plus noise k with probability proportional to e^(-|k| / scale).

        Pure DP as `laplace`, and exact: no float betrays the true value. Raises InvalidInput as `laplace` does, and for
        a value that is not whole.
        """
        return self._pure("discrete_laplace", _checked_whole(value), sensitivity, budget, records, "l1")

    @released_as
    def discrete_gaussian(
        self, value: np.ndarray, *, sensitivity: Moved, budget: Budget, records: Records | None = None
    ) -> np.ndarray:
        """`value`, whole numbers [R], plus noise k with probability proportional to e^(-k^2 / (2 deviation^2)).

        It costs as much as Gaussian noise of this deviation; `budget` is zCDP or RDP. Raises InvalidInput.
        """
        if checked_budget(budget).cost_of_discrete_gaussian(1.0) is None:
            raise InvalidInput("budget", str(budget), f"{kinds_with('cost_of_discrete_gaussian')} for discrete noise")
        sensitivity = _checked_sensitivity(sensitivity, "l2")
        scale = product_rounded_up(sensitivity, np.asarray(gaussian_multiplier(budget), dtype=float))
        return self._scaled("discrete_normal", _checked_whole(value), scale, sensitivity, budget, records, "l2")

    @checked
    def randomised_response(
        self, category: np.ndarray, *, categories: Size, budget: Budget, records: Records | None = None
    ) -> np.ndarray:
        """The `category` [R], of 0, ..., categories - 1, or another: the truth is e^epsilon times likelier than each.

        Raises InvalidInput for other categories and a budget that is not pure.
        """
        given = np.asarray(category)
        if given.ndim != 1 or not np.isin(given, np.arange(categories)).all():
            raise InvalidInput("category", given.tolist(), f"an array [R] of 0, ..., {categories - 1}")
        truth = (given[:, np.newaxis] == np.arange(categories)).astype(float)
        return self._pure("randomised_response", truth, 1.0, budget, records, "linf").astype(np.int64)

    @released_as
    def exponential_mechanism(
        self, scores: np.ndarray, *, sensitivity: Moved, budget: Budget, records: Records | None = None
    ) -> np.ndarray:
        """An index [R] into `scores` [R, k], with probability proportional to e^(epsilon score / (2 sensitivity)).

        `sensitivity` is how far one reward can move a score. Raises InvalidInput for a budget that is not pure.
        """
        return self._pure(
            "exponential_mechanism", _checked_scores(scores), sensitivity, budget, records, "linf"
        ).astype(np.int64)

    @released_as
    def report_noisy_max(
        self, scores: np.ndarray, *, sensitivity: Moved, budget: Budget, records: Records | None = None
    ) -> np.ndarray:
        """The index [R] of the largest of `scores` [R, k] with Laplace noise of scale 2 sensitivity / epsilon on each.

        `sensitivity` is how far one reward can move a score. Raises InvalidInput for a budget that is not pure.
        """
        return self._pure("noisy_max", _checked_scores(scores), sensitivity, budget, records, "linf").astype(np.int64)

    def released(
        self, value: np.ndarray, *, mechanism: Mechanism, budget: Budget, records: Records | None = None
    ) -> np.ndarray:
        """What a mechanism of one's own answers to `value` [R, ...]; it promises the pure `budget`.

        An object of another class serves as well if it has `name`, `sample` and `loss`. Raises InvalidInput for one
        without, and for a budget that is not pure.
        """
        if not isinstance(mechanism, Mechanism):
            lacking = [part for part in ("name", "sample", "loss") if not hasattr(mechanism, part)]
            if lacking or isinstance(mechanism, type):
                raise InvalidInput(
                    "mechanism", mechanism, "an object with `name`, `sample` and `loss`, as noise.Mechanism has"
                )
            for part, right in (("sample", "(self, value, generator)"), ("loss", "(self, value, other)")):
                if not takes(getattr(mechanism, part), 2):
                    raise InvalidInput(f"mechanism.{part}", mechanism, f"defined as def {part}{right}")
            mechanism = Mechanism(mechanism.name, mechanism.sample, mechanism.loss)
        return self._pure(mechanism, value, 1.0, budget, records, "l1")

    def _pure(
        self,
        distribution: str | Mechanism,
        value: np.ndarray,
        sensitivity: Moved,
        budget: Budget,
        records: Records | None,
        norm: str,
        statistic: Sensitivity | None = None,
    ) -> np.ndarray:
        if (loss := checked_budget(budget).largest_loss) is None:
            name = distribution if isinstance(distribution, str) else distribution.name
            raise InvalidInput("budget", str(budget), f"{kinds_with('largest_loss')} for {name.replace('_', ' ')}")
        sensitivity = _checked_sensitivity(sensitivity, norm, statistic)
        scale = quotient_rounded_up(sensitivity, np.asarray(loss, dtype=float))
        return self._scaled(distribution, value, scale, sensitivity, budget, records, norm)

    def _scaled(
        self,
        distribution: str | Mechanism,
        value: np.ndarray,
        scale: np.ndarray,
        sensitivity: np.ndarray,
        budget: Budget,
        records: Records | None,
        norm: str,
    ) -> np.ndarray:
        _check_records(records)
        value, scale = floats("value", value), np.asarray(scale)
        known = None if isinstance(distribution, Mechanism) else MECHANISMS[distribution]
        if not (scale <= (sys.float_info.max if known is None else known.most)).all():
            raise InvalidInput("budget", str(budget), "one whose noise fits into a float")
        if scale.ndim and (scale.ndim > 1 or value.shape[:1] != scale.shape):
            allowed = f"numbers, or arrays of shape {value.shape[:1]} with one entry for each value"
            raise InvalidInput("sensitivity, budget", scale.shape, allowed)
        if scale.ndim and value.ndim > 1:
            scale = scale[:, np.newaxis]
        return self.release(
            distribution, value, scale, sensitivity=sensitivity, budget=budget, records=records, norm=norm
        )

    def release(
        self,
        distribution: str | Mechanism,
        value: np.ndarray,
        scale: np.ndarray,
        *,
        sensitivity: float | np.ndarray,
        budget: Budget,
        records: Records | None,
        norm: str,
    ) -> np.ndarray:
        """The released value, mostly value + noise. Every mechanism ends here, with all that was declared about it.

        `scale` is sensitivity / epsilon for mechanisms of pure DP, the deviation for Gaussian noise, and broadcasts
        against `value`.
        """
        if np.isnan(value).any():
            raise InvalidInput("value", value, "numbers, none of them nan")
        return self.sample(distribution, value, scale)

    def sample(self, distribution: str | Mechanism, value: np.ndarray, scale: np.ndarray) -> np.ndarray:
        """What a mechanism answers to `value`."""
        if isinstance(distribution, Mechanism):
            answer = np.asarray(distribution.sample(value, self._coins()))
            if answer.dtype.kind not in "fiu" or answer.shape[:1] != value.shape[:1]:
                raise InvalidInput(
                    "what sample returns", answer, f"an array of numbers, of shape {value.shape[:1]} or more"
                )
            return answer
        sample = MECHANISMS[distribution].sample
        if sample is None:
            return value + self.draw(distribution, scale, value.shape)
        return sample(value, np.broadcast_to(scale, value.shape), self._coins())

    def draw(self, distribution: str, scale: float | np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        """Noise of this shape and scale, for the releases: a policy that draws here by itself releases nothing.

        `distribution` is the name of a method of numpy's Generator that draws at scale 1 by default.
        """
        scale = np.asarray(scale, dtype=float)
        if not scale.any():
            return np.zeros(shape)
        return scale * getattr(self._coins(), distribution)(size=shape)

    def coins(self, scale: float | np.ndarray) -> np.random.Generator:
        """What a compiled loop draws noise of this `scale` from. Raises InvalidInput where noise needs a generator."""
        return self._coins() if np.any(scale) else _NEVER_DRAWN

    def _coins(self) -> np.random.Generator:
        if self.generator is None:
            allowed = "NoiseSource(generator) or the first argument of make_policy(noise, generator), for this budget"
            raise InvalidInput("noise", None, allowed)
        return self.generator


def has_plain_noise(policy: Any) -> bool:
    """Whether a policy draws its noise, if any, from a `NoiseSource`: a subclass may act differently."""
    return type(getattr(policy, "noise", None)) in (NoneType, NoiseSource)


def _discrete_laplace(value: np.ndarray, scale: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """The difference of two geometric variables has the two-sided geometric law."""
    noisy = np.array(value, dtype=float)
    where = scale > 0
    success = -np.expm1(-1 / scale[where])
    noisy[where] += generator.geometric(success) - generator.geometric(success)
    return noisy


def _discrete_normal(value: np.ndarray, scale: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Draws of the discrete Laplace law, scale t = floor(s) + 1, accepted with e^(-((|k| - s^2/t) / s)^2 / 2)."""
    noise, wanting = np.zeros(value.shape), scale > 0
    while wanting.any():
        deviation = scale[wanting]
        wide = np.floor(deviation) + 1
        drawn = _discrete_laplace(np.zeros(wide.shape), wide, generator)
        chance = np.exp(-(((np.abs(drawn) - deviation**2 / wide) / deviation) ** 2) / 2)
        accepted = generator.random(wide.shape) < chance
        noise[wanting] = np.where(accepted, drawn, noise[wanting])
        wanting[wanting] = ~accepted
    return value + noise


def _likely_index(weight: float) -> Callable[..., np.ndarray]:
    """Draws an index with probability proportional to e^(weight score / scale): the largest after Gumbel noise."""

    def sample(scores: np.ndarray, scale: np.ndarray, generator: np.random.Generator) -> np.ndarray:
        noise = scale / weight * generator.gumbel(size=scores.shape)
        return np.argmax(scores + noise, axis=-1).astype(float)

    return sample


def _noisy_max(scores: np.ndarray, scale: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    return np.argmax(scores + 2 * scale * generator.laplace(size=scores.shape), axis=-1).astype(float)


@dataclass(frozen=True)
class KnownMechanism:
    """A mechanism of the noise source.

    Attributes:
        name: what a release calls it.
        price: what a release costs of a budget when the true value moves by so many scales; None where that is not
            known. The price of a bounded privacy loss unless another is given.
        sample: answers to values and scales; None for noise that `NoiseSource.draw` draws by its name.
        added: whether the answer is the value and noise.
        gaussian: whether the scale is that of Gaussian noise, whose privacy loss has no bound.
        most: the largest scale that floats can serve.
        weight: for an answer that is one of finitely many: likely as e^(weight score / scale).
    """

    name: str
    price: Callable[[Budget, float], float | None] = lambda budget, shift: budget.cost_of_loss(shift)
    sample: Callable[[np.ndarray, np.ndarray, np.random.Generator], np.ndarray] | None = None
    added: bool = False
    gaussian: bool = False
    most: float = sys.float_info.max
    weight: float | None = None


def _indexed(name: str, weight: float) -> KnownMechanism:
    return KnownMechanism(name, sample=_likely_index(weight), weight=weight)


WHOLE = 2.0**50  # noise of larger scales is no longer whole in floats

MECHANISMS: dict[str, KnownMechanism] = {
    known.name: known
    for known in (
        KnownMechanism("laplace", lambda budget, shift: budget.cost_of_laplace(shift), added=True),
        KnownMechanism("normal", lambda budget, shift: budget.cost_of_gaussian(shift), added=True, gaussian=True),
        KnownMechanism("discrete_laplace", sample=_discrete_laplace, added=True, most=WHOLE),
        KnownMechanism(
            "discrete_normal",
            lambda budget, shift: budget.cost_of_discrete_gaussian(shift),
            _discrete_normal,
            added=True,
            gaussian=True,
            most=WHOLE,
        ),
        _indexed("randomised_response", 1.0),
        _indexed("exponential_mechanism", 0.5),
        KnownMechanism("noisy_max", sample=_noisy_max),
    )
}
"""The mechanisms of the noise source by name."""


def _checked_whole(value: np.ndarray) -> np.ndarray:
    array = floats("value", value)
    if not array.ndim or not (array == np.rint(array)).all():
        raise InvalidInput("value", array.tolist(), "an array of whole numbers, for discrete noise")
    return array


def _checked_scores(scores: np.ndarray) -> np.ndarray:
    array = floats("scores", scores)
    if array.ndim != 2 or not array.shape[1]:
        raise InvalidInput("scores", array.tolist(), "an array [R, k], k at least 1")
    return array


def _checked_sensitivity(sensitivity: Moved, norm: str, statistic: Sensitivity | None = None) -> np.ndarray:
    array = floats("sensitivity", declared("sensitivity", sensitivity, norm, "replace"))
    if not ((array >= 0) & (array < np.inf)).all():
        raise InvalidInput("sensitivity", array.tolist(), "nonnegative and finite")
    if statistic is not None:
        declared("statistic", statistic, norm, "replace")
        not_below(array.min().item(), statistic)
    return array


_SPLITTER = 2.0**27 + 1
_TINY = 1e-280  # below, the error of a product may underflow


def quotient_rounded_up(a: float | np.ndarray, b: np.ndarray) -> np.ndarray:
    """A float at least a / b, away from underflow the least one, for nonnegative a and positive b.

    Noise of a scale rounded to nearest would in half of all cases spend a little more than its budget.
    """
    return _once(_quotient_rounded_up, np.asarray(a, dtype=float), np.asarray(b, dtype=float))


def _once(function: Callable[..., np.ndarray], a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The function of two arrays, remembered where both are a single number, as in a run without replications."""
    if a.size == b.size == 1:
        return np.full((a if a.ndim > b.ndim else b).shape, _of_numbers(function, a.item(), b.item()))
    return function(a, b)


@lru_cache(4096)
def _of_numbers(function: Callable[..., np.ndarray], a: float, b: float) -> float:
    return function(np.asarray(a), np.asarray(b)).item()


def _quotient_rounded_up(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        quotient = a / b
        enough = (a == 0) | np.isinf(b) | (_excess(quotient, a, b) >= 0)
        return np.where(enough, quotient, np.nextafter(quotient, np.inf))


def quotient_rounded_down(a: np.ndarray, b: float | np.ndarray) -> np.ndarray:
    """A float at most a / b, away from underflow and overflow the largest one, for positive a and positive finite b.

    Shares of a budget that are rounded to nearest would in half of all cases add up to a little more than the budget.
    Raises InvalidInput for what is no number.
    """
    a, b = (_floats(name, given) for name, given in (("a", a), ("b", b)))
    with np.errstate(all="ignore"):
        quotient = a / b
        enough = np.isinf(a) | (_excess(quotient, a, b) <= 0)
        return np.where(enough, quotient, np.nextafter(quotient, 0.0))


def _floats(name: str, given: object) -> np.ndarray:
    try:
        return np.asarray(given, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput(name, given, "numbers") from None


def _excess(quotient: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A number with the sign of quotient b - a; nan where a product would underflow or overflow."""
    product, error = _product(quotient, b)
    return np.where((product > _TINY) & (quotient > _TINY), (product - a) + error, np.nan)


def _product(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The product as a float, and what that leaves out: exact as long as neither overflows nor underflows."""
    product = a * b
    a_high, b_high = (_SPLITTER * x - (_SPLITTER * x - x) for x in (a, b))
    a_low, b_low = a - a_high, b - b_high
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def product_rounded_up(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A float at least a b, and a b itself where that is a float, for nonnegative a and b."""
    return _once(_product_rounded_up, np.asarray(a, dtype=float), np.asarray(b, dtype=float))


def _product_rounded_up(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        product, error = _product(a, b)
        exact = (product == 0) & ((a == 0) | (b == 0)) | (product > _TINY) & (error <= 0)
        return np.where(exact, product, np.nextafter(product, np.inf))
