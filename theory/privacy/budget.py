"""Privacy budgets as values: a class for every kind, which says all that is special about it.

A kind is its parameters with their ranges, how budgets of it add up, what a group of records spends, what a release
costs that moves by so much in units of its noise, what noise keeps it, and what one event tells of it. Whoever needs
one of these asks the budget; only `Budget.of` and `KINDS` read the name of a kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cache
from inspect import getattr_static
from math import exp, expm1, inf, log, log1p
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from banditproof.theory.arguments import named
from banditproof.theory.errors import BUDGET_WITH, InvalidInput, NoNumber, close_to, no_attribute, one_of
from banditproof.theory.hints import hint_of_promise
from banditproof.theory.numbers.rounding import of_rows, rounded_up

Columns = Mapping[str, Sequence[Any]]  # the parameters of several budgets, by name
ORDERS = np.array([1.05, 1.25, 1.5, 2, 3, 5, 10, 30])  # of the Renyi divergences that are compared with zCDP


@dataclass(frozen=True)
class Values:
    """The values of a parameter: (low, high], or [low, high] if `closed`, which `said` says in words."""

    low: float
    high: float
    said: str
    closed: bool = False

    def checked(self, parameter: str, value: Any) -> Any:
        """A float or a read-only array of floats. Raises InvalidInput for another value."""
        if type(value) is float and self.low < value <= self.high:
            return value
        if isinstance(value, tuple):  # parameters of one budget, not budgets
            like_delta = len(value) == 2 and isinstance(value[1], float) and 0 < value[1] < 1
            meant = f"Budget.approximate{value}" if parameter == "epsilon" and like_delta else ""
            raise InvalidInput(parameter, value, f"one number, or a list for several budgets, {self.said}", meant)
        try:
            numbers = np.array(value, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            raise InvalidInput(parameter, value, f"a number or an array of numbers, {self.said}") from None
        above = numbers >= self.low if self.closed else numbers > self.low
        if np.asarray(value).dtype == bool:  # which is no number
            raise InvalidInput(parameter, value, self.said)
        if numbers.size == 0 or not np.all(above & (numbers <= self.high)):
            raise InvalidInput(parameter, value, self.said)
        if numbers.ndim == 0:
            return float(numbers)
        numbers.flags.writeable = False
        return numbers


AMOUNT = Values(0.0, inf, "positive (inf means no privacy, 0 would mean that the data have no influence)")
ORDER = Values(1.0, 1e100, "greater than 1 and at most 1e100 (order inf is epsilon-DP)")
DELTA = Values(0.0, np.nextafter(1.0, 0.0), "in (0, 1) (without delta, it is Budget.pure)")


class _Kinds(type):
    """Names the kinds to whoever asks the class `Budget` for one that there is not."""

    if not TYPE_CHECKING:  # or type checkers would let in any name

        def __getattr__(cls, name: str) -> Any:
            if name.startswith("_"):  # which Python asks for
                raise AttributeError(name)
            several = sum(name.casefold() in kind for kind in KINDS) > 1  # dp is in the names of three
            near = "" if several else close_to(name, KINDS)
            meant = " or ".join(k for k in KINDS if name in KINDS[k].ranges) or near
            meant = meant.replace(" or ", " or Budget.")
            said = f"did you mean Budget.{meant}?" if meant else f"a budget is {_made()}"
            raise AttributeError(f"{cls.__name__} has no {name!r}: {said}")


def _unused() -> None:
    """What a kind has for the parameters of others."""


@dataclass(frozen=True, eq=False, repr=False)
class Budget(NoNumber, metaclass=_Kinds):
    """A privacy budget; it has the parameters of its kind, and an AttributeError for another one names the cure.

    Each parameter is a float or, for a sweep over R budgets, a read-only float64 array of shape [R].
    Build one with a constructor such as `Budget.pure`. A new kind is a subclass.

    Attributes:
        kind: the name of the kind.
        ranges: its parameters in the order in which they are given.
        amount: the parameter that says how much may be spent; where it is infinite, there is no privacy.
        usual: parameters of an ordinary size, in the order of `ranges`, for examples and tests.
        currency: what is added up in composition; `allowed` of it may be spent.
        takes_gaussian: whether Gaussian noise can keep such a budget.

    A kind without a rule for something inherits the answer here: None, or InvalidInput with the kinds that have one.

    Source: BDP-D2.2 (pure and approximate), BDP-DB.2 (zCDP)
    """

    epsilon: Any = field(default_factory=_unused)  # a default would be an attribute of the class, and Budget.rho None
    delta: Any = field(default_factory=_unused)
    rho: Any = field(default_factory=_unused)
    order: Any = field(default_factory=_unused)
    mu: Any = field(default_factory=_unused)

    kind: ClassVar[str] = ""
    ranges: ClassVar[Mapping[str, Values]] = MappingProxyType({})
    amount: ClassVar[str] = ""
    usual: ClassVar[tuple[float, ...]] = ()
    currency: ClassVar[str] = ""
    takes_gaussian: ClassVar[bool] = False
    written: ClassVar[str] = "Budget.pure(1.0)"  # an ordinary one, for messages

    def __init_subclass__(cls) -> None:
        KINDS[cls.kind] = cls
        for name in cls.ranges:
            BUDGET_WITH.setdefault(name, f"Budget.{cls.kind}({', '.join(cls.ranges)})")
        cls.__dataclass_fields__ = {name: Budget.__dataclass_fields__[name] for name in cls.ranges}  # for `replace`
        cls.written = f"Budget.{cls.kind}({', '.join(map(str, cls.usual))})"

    def __post_init__(self) -> None:
        if not self.kind or self.parameters.keys() != self.ranges.keys():
            raise _no_budget(str(self))
        for name in _names():
            if name not in self.ranges:
                object.__delattr__(self, name)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name not in _names():
                has = f": it has {', '.join((*self.ranges, 'kind', 'parameters', 'to_dict()'))}"
                raise no_attribute(self, name, "" if name.startswith("_") else has)
            implied = (k for k, one in KINDS.items() if name in one.ranges and one.implied_by(self, 1e-6, False))
            given = {"approximate": "'approximate', delta=1e-6", "": ""}.get(kind := next(implied, ""), repr(kind))
            cure = f": convert(budget, {given}).{name} is one that it implies" if given else "; it implies none"
            raise AttributeError(f"Budget.{self.kind} has {' and '.join(self.ranges)}, no {name}{cure}")

    @staticmethod
    def of(kind: str, *values: Any, **named: Any) -> Budget:
        """The budget of a kind by its name; its parameters stand in order or are named. Raises InvalidInput."""
        known = KINDS.get(kind) if isinstance(kind, str) else None
        given = {} if known is None else {**dict(zip(known.ranges, values, strict=False)), **named}
        if known is None or given.keys() != known.ranges.keys() or len(values) + len(named) != len(given):
            typed = [repr(kind), *map(repr, values), *(f"{name}={value!r}" for name, value in named.items())]
            raise _no_budget(f"Budget.of({', '.join(typed)})")
        budget = known.checked(given)
        if budget.line is not None:
            hint_of_promise(*budget.line)
        return budget

    @classmethod
    def example(cls) -> Budget:
        """An ordinary budget of this kind."""
        return cls(**dict(zip(cls.ranges, cls.usual, strict=True)))

    @classmethod
    def checked(cls, parameters: Mapping[str, Any]) -> Budget:
        """A budget of this kind. Raises InvalidInput for parameters outside their ranges."""
        return cls(**{name: cls.ranges[name].checked(name, value) for name, value in parameters.items()})

    @staticmethod
    @named
    def pure(epsilon: float | np.ndarray) -> Budget:
        """epsilon-DP, `epsilon` > 0."""
        return Budget.of("pure", epsilon)

    @staticmethod
    @named
    def approximate(epsilon: float | np.ndarray, delta: float | np.ndarray) -> Budget:
        """(epsilon, delta)-DP, `epsilon` >= 0 and 0 < `delta` < 1."""
        return Budget.of("approximate", epsilon, delta)

    @staticmethod
    @named
    def zcdp(rho: float | np.ndarray) -> Budget:
        """rho-zero-concentrated DP, `rho` > 0."""
        return ConcentratedDP.checked({"rho": rho})

    @staticmethod
    @named
    def rdp(order: float | np.ndarray, epsilon: float | np.ndarray) -> Budget:
        """(order, epsilon)-Renyi DP, `order` > 1 and `epsilon` > 0."""
        return RenyiDP.checked({"order": order, "epsilon": epsilon})

    @staticmethod
    @named
    def gdp(mu: float | np.ndarray) -> Budget:
        """mu-Gaussian DP, `mu` > 0."""
        return GaussianDP.checked({"mu": mu})

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters this kind uses, by name."""
        own = vars(self)
        return {name: value for name in _names() if (value := own.get(name)) is not None}

    def to_dict(self) -> dict[str, Any]:
        """The kind and its parameters, by name: plain values."""
        return {"kind": self.kind, **{name: np.asarray(value).tolist() for name, value in self.parameters.items()}}

    @property
    def spent(self) -> Any:
        """The value of the parameter `amount`."""
        return getattr(self, self.amount)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int | float | Fraction | str):
            return self._refused()
        if not isinstance(other, Budget):
            return NotImplemented
        mine, theirs = self.parameters, other.parameters
        same = type(self) is type(other) and mine.keys() == theirs.keys()
        return same and all(np.array_equal(mine[name], theirs[name]) for name in mine)

    def __hash__(self) -> int:
        return hash((self.kind, *((np.asarray(value) + 0.0).tobytes() for value in self.parameters.values())))

    @property
    def meant(self) -> str:
        """What adds budgets, and the number of this one."""
        added = "compose(first, second) adds budgets, or compose_in_parallel on disjoint data"
        return f"a budget is no number: {added}, and budget.{self.amount} is one"

    def __str__(self) -> str:
        return f"{self.kind}({', '.join(f'{name}={value}' for name, value in self.parameters.items())})"

    def __repr__(self) -> str:
        return f"Budget.{self}"

    # ------------------------------------------------------------------------------------- composition and groups

    @classmethod
    def total(cls, columns: Columns) -> Budget:
        """What budgets spend together on the same data, from their parameters: sums. Raises InvalidInput."""
        return cls.joined(columns, sum_rounded_up)

    @classmethod
    def largest(cls, columns: Columns) -> Budget:
        """What budgets spend together on disjoint data: the largest amount. Raises InvalidInput."""
        return cls.joined(columns, largest_of)

    @classmethod
    def joined(cls, columns: Columns, rule: Callable[[Sequence[Any]], Any]) -> Budget:
        """The budget with the amounts by a rule. A kind with more parameters says what becomes of those."""
        if columns.keys() != {cls.amount}:
            raise InvalidInput("budgets", cls.kind, "of a kind whose parameters have a rule of composition")
        return cls.checked({cls.amount: rule(columns[cls.amount])})

    def of_group(self, size: int) -> Budget:
        """The budget for data sets that differ in up to `size` records. Raises InvalidInput where there is no rule."""
        raise InvalidInput("budget", str(self), kinds_with("of_group"))

    # ---------------------------------------------------------------------------------------------- other kinds

    @classmethod
    def implied_by(cls, budget: Budget, delta: Any, sharp: bool) -> Budget | None:
        """The budget of this kind that holds whenever `budget`, of another kind, does, rounded up; None without a rule.

        `delta` is the one to end with, None where none was given; `sharp` asks for the best known rule in place of the
        printed one.
        """
        return None

    def in_zcdp(self, sharp: bool) -> Callable[[Any], Any] | None:
        """The rho of what this kind implies, as a formula of its amount; None where it implies no zCDP."""
        return None

    def sharp_epsilon(self, delta: Any) -> Any:
        """The least known epsilon with which this kind implies approximate DP at `delta`, rounded up.

        That of what it implies in zCDP, unless a kind knows better. Raises InvalidInput where there is no rule.
        """
        from banditproof.theory.privacy.privacy_conversions import sharp_epsilon_of_zcdp

        if (rho := self.in_zcdp(sharp=True)) is None:
            raise InvalidInput("budget", str(self), kinds_with("in_zcdp"))
        return of_rows(sharp_epsilon_of_zcdp, rounded_up(rho, self.spent), delta)

    @property
    def line(self) -> tuple[Any, Any] | None:
        """(epsilon, delta) for a kind that bounds the probability of every event by e^epsilon times another + delta."""
        return None

    @property
    def forgives(self) -> bool:
        """Whether what never happens on some data may happen on their neighbours."""
        return self.line is not None and bool(np.any(self.line[1]))

    @property
    def largest_loss(self) -> Any:
        """The epsilon of a kind that bounds the privacy loss; None for the others."""
        return None

    # ------------------------------------------------------------------------------------------------------ prices

    @property
    def allowed(self) -> float:
        """How much of the currency one record may cost."""
        return float(self.spent)

    def counted(self, gaussian: bool, largest_shift: Callable[[Any, Any], Any]) -> Budget:
        """The budget in whose currency releases are counted, of which some have Gaussian noise or none has.

        `largest_shift(epsilon, delta)` is the mu of Gaussian DP that just implies approximate DP.
        """
        return self

    def cost_of_loss(self, shift: float) -> float | None:
        """What a release costs whose privacy loss is at most `shift`; None where that has no price."""
        return None

    def cost_of_laplace(self, shift: float) -> float | None:
        """What a release with Laplace noise costs whose value moves by `shift` scales."""
        return self.cost_of_loss(shift)

    def cost_of_gaussian(self, shift: float) -> float | None:
        """What a release with Gaussian noise costs whose value moves by `shift` standard deviations."""
        return None

    def cost_of_discrete_gaussian(self, shift: float) -> float | None:
        """The same with discrete Gaussian noise."""
        return None

    # ------------------------------------------------------------------------------------------------------- noise

    def gaussian_variance(self) -> Any:
        """The variance of Gaussian noise that spends a scalar budget, for sensitivity 1: a ball, 0 for an infinite one.

        None where there is no formula.
        """
        return None

    def excess_of_noise(self, mu: Any, delta_of: Callable[[Any, Any], Any]) -> Any:
        """What the noise that keeps the kind spends, moved by `mu` scales, less what is allowed: a ball, growing in mu.

        `delta_of(mu, epsilon)` is the exact curve of Gaussian noise. Raises InvalidInput where there is no rule.
        """
        raise InvalidInput("budget", str(self), f"{kinds_with('excess_of_noise')}, which noise can keep")

    # ------------------------------------------------------------------------------------------------------ events

    def least_amount(self, p: float, q: float) -> float:
        """The least amount with an event of probability at least p here and at most q < p there.

        Raises InvalidInput where there is no rule.
        """
        raise InvalidInput("budget", str(self), f"{kinds_with('least_amount')}, of which one event is evidence")


KINDS: dict[str, type[Budget]] = {}
"""The kinds of budget by their names."""


def kinds_of(rule: str) -> list[str]:
    """The names of the kinds that have a rule of their own."""
    return [kind for kind, known in KINDS.items() if getattr_static(known, rule) is not vars(Budget)[rule]]


def kinds_with(rule: str) -> str:
    """These names, for messages: 'pure, zcdp or gdp'."""
    *others, last = kinds_of(rule)
    return f"{', '.join(others)} or {last}" if others else last


def of_kinds(kinds: Sequence[str]) -> str:
    """Budgets of these kinds, for messages: 'a Budget of kind pure, such as Budget.pure(4.0)'."""
    for kind in kinds:
        one_of("kinds", kind, KINDS)
    return f"a Budget of kind {' or '.join(kinds)}, such as {KINDS[kinds[0]].written}"


def _made() -> str:
    return ", ".join(f"Budget.{kind}({', '.join(known.ranges)})" for kind, known in KINDS.items())


def _no_budget(given: object) -> InvalidInput:
    return InvalidInput("budget", given, f"one of {_made()}")


class PureDP(Budget):
    """epsilon-DP: the privacy loss is at most epsilon."""

    kind, amount, currency = "pure", "epsilon", "epsilon"
    ranges, usual = MappingProxyType({"epsilon": AMOUNT}), (4.0,)

    def of_group(self, size: int) -> Budget:
        return self.checked({"epsilon": times_rounded_up(size, self.epsilon)})

    def in_zcdp(self, sharp: bool) -> Callable[[Any], Any] | None:
        from banditproof.theory.privacy import privacy_conversions as conversions

        return conversions.sharp_zcdp_of_pure if sharp else conversions.zcdp_of_pure

    def sharp_epsilon(self, delta: Any) -> Any:
        from banditproof.theory.privacy.privacy_conversions import sharp_epsilon_of_pure

        return rounded_up(sharp_epsilon_of_pure, self.epsilon, delta)

    @property
    def line(self) -> tuple[float, float] | None:
        return self.epsilon, 0.0

    @property
    def largest_loss(self) -> Any:
        return self.epsilon

    def cost_of_loss(self, shift: float) -> float | None:
        return shift

    def excess_of_noise(self, mu: Any, delta_of: Callable[[Any, Any], Any]) -> Any:
        return mu - _ball(self.epsilon)

    def least_amount(self, p: float, q: float) -> float:
        return _least_epsilon(p, q, 0.0)


class ApproximateDP(Budget):
    """(epsilon, delta)-DP: counted as pure DP of Laplace noise, as Gaussian DP at its exact curve of Gaussian noise."""

    kind, amount, currency, takes_gaussian = "approximate", "epsilon", "epsilon", True
    ranges = MappingProxyType({"epsilon": Values(0.0, inf, "nonnegative", closed=True), "delta": DELTA})
    usual = (1.0, 0.001)

    @classmethod
    def joined(cls, columns: Columns, rule: Callable[[Sequence[Any]], Any]) -> Budget:
        return cls.checked({name: rule(values) for name, values in columns.items()})

    def of_group(self, size: int) -> Budget:
        from banditproof.theory.privacy.privacy_composition import group_delta

        delta = rounded_up(lambda e, d: group_delta(size, e, d), self.epsilon, self.delta)
        return self.checked({"epsilon": times_rounded_up(size, self.epsilon), "delta": delta})

    @classmethod
    def implied_by(cls, budget: Budget, delta: Any, sharp: bool) -> Budget | None:
        from banditproof.theory.privacy.privacy_conversions import epsilon_of_zcdp

        rho = budget.in_zcdp(sharp=False)
        if rho is None:
            return None
        if delta is None:
            raise InvalidInput("delta", delta, "in (0, 1), for an approximate budget")
        if sharp:
            return cls.checked({"epsilon": budget.sharp_epsilon(delta), "delta": delta})
        epsilon = rounded_up(lambda spent, delta: epsilon_of_zcdp(rho(spent), delta), budget.spent, delta)
        loss = budget.largest_loss
        return cls.checked({"epsilon": epsilon if loss is None else np.minimum(loss, epsilon), "delta": delta})

    @property
    def line(self) -> tuple[float, float] | None:
        return self.epsilon, self.delta

    def counted(self, gaussian: bool, largest_shift: Callable[[Any, Any], Any]) -> Budget:
        return GaussianDP(mu=largest_shift(self.epsilon, self.delta)) if gaussian else PureDP(epsilon=self.epsilon)

    def excess_of_noise(self, mu: Any, delta_of: Callable[[Any, Any], Any]) -> Any:
        return delta_of(mu, _ball(self.epsilon)) - _ball(self.delta)

    def least_amount(self, p: float, q: float) -> float:
        return _least_epsilon(p, q, self.delta)


class ConcentratedDP(Budget):
    """rho-zCDP: D_order is at most rho times the order, for every order above 1."""

    kind, amount, currency, takes_gaussian = "zcdp", "rho", "rho", True
    ranges, usual = MappingProxyType({"rho": AMOUNT}), (0.5,)

    def of_group(self, size: int) -> Budget:
        return Budget.zcdp(times_rounded_up(size**2, self.rho))

    @classmethod
    def implied_by(cls, budget: Budget, delta: Any, sharp: bool) -> Budget | None:
        rho = budget.in_zcdp(sharp)
        return None if rho is None else Budget.zcdp(rounded_up(rho, budget.spent))

    def in_zcdp(self, sharp: bool) -> Callable[[Any], Any] | None:
        return lambda rho: rho

    def cost_of_loss(self, shift: float) -> float | None:
        return shift * shift / 2

    def cost_of_gaussian(self, shift: float) -> float | None:
        return shift * shift / 2

    def cost_of_discrete_gaussian(self, shift: float) -> float | None:
        return self.cost_of_gaussian(shift)  # its Renyi divergences are at most as large

    def gaussian_variance(self) -> Any:
        return _ball(0) if self.rho == inf else 1 / (2 * _ball(self.rho))

    def excess_of_noise(self, mu: Any, delta_of: Callable[[Any, Any], Any]) -> Any:
        return mu * mu / 2 - _ball(self.rho)

    def least_amount(self, p: float, q: float) -> float:
        return (renyi(p, q, ORDERS) / ORDERS).max()


class RenyiDP(Budget):
    """(order, epsilon)-Renyi DP: D_order is at most epsilon."""

    kind, amount, currency, takes_gaussian = "rdp", "epsilon", "epsilon", True
    ranges = MappingProxyType({"order": ORDER, "epsilon": AMOUNT})
    usual = (2.0, 1.0)

    @classmethod
    def joined(cls, columns: Columns, rule: Callable[[Sequence[Any]], Any]) -> Budget:
        order = columns["order"][0]
        if any(not np.array_equal(other, order) for other in columns["order"]):
            raise InvalidInput("budgets", [f"order {other}" for other in columns["order"]], "of one Rényi order")
        return Budget.rdp(order, rule(columns["epsilon"]))

    def cost_of_loss(self, shift: float) -> float | None:
        return min(shift, self.order * shift * shift / 2)

    def cost_of_laplace(self, shift: float) -> float | None:
        # D_order between Laplace laws of scale 1 at this distance; near order 1 without cancellation, else with
        # e^{above * shift} taken out of the logarithm
        order, above = float(self.order), float(self.order) - 1
        if above * shift < 1:
            grown = order * expm1(above * shift) + above * expm1(-order * shift)
            return log1p(grown / (order + above)) / above
        return shift + log((order + above * exp(-(order + above) * shift)) / (order + above)) / above

    def cost_of_gaussian(self, shift: float) -> float | None:
        return self.order * shift * shift / 2

    def cost_of_discrete_gaussian(self, shift: float) -> float | None:
        return self.cost_of_gaussian(shift)  # as for zCDP

    def gaussian_variance(self) -> Any:
        return _ball(0) if self.epsilon == inf else _ball(self.order) / (2 * _ball(self.epsilon))

    def excess_of_noise(self, mu: Any, delta_of: Callable[[Any, Any], Any]) -> Any:
        return _ball(self.order) * mu * mu / 2 - _ball(self.epsilon)

    def least_amount(self, p: float, q: float) -> float:
        return renyi(p, q, self.order)


class GaussianDP(Budget):
    """mu-Gaussian DP: no test tells neighbours apart better than N(0, 1) from N(mu, 1)."""

    kind, amount, currency, takes_gaussian = "gdp", "mu", "mu^2", True
    ranges, usual = MappingProxyType({"mu": AMOUNT}), (1.0,)

    @classmethod
    def total(cls, columns: Columns) -> Budget:
        from banditproof.theory.numbers.numeric import sqrt, square

        return Budget.gdp(rounded_up(lambda *mus: sqrt(sum(map(square, mus))), *columns["mu"]))

    def of_group(self, size: int) -> Budget:
        return Budget.gdp(times_rounded_up(size, self.mu))

    def in_zcdp(self, sharp: bool) -> Callable[[Any], Any] | None:
        from banditproof.theory.privacy.privacy_conversions import zcdp_of_gaussian

        return zcdp_of_gaussian

    @property
    def allowed(self) -> float:
        return float(self.mu) * float(self.mu)  # inf where a power would raise OverflowError

    def cost_of_gaussian(self, shift: float) -> float | None:
        return shift * shift

    def gaussian_variance(self) -> Any:
        return _ball(0) if self.mu == inf else 1 / (_ball(self.mu) * _ball(self.mu))

    def excess_of_noise(self, mu: Any, delta_of: Callable[[Any, Any], Any]) -> Any:
        return mu - _ball(self.mu)

    def least_amount(self, p: float, q: float) -> float:
        from scipy.special import ndtri

        return ndtri(p) - ndtri(q)


def _ball(value: Any) -> Any:
    from banditproof.theory.numbers.numeric import to_ball

    return to_ball(value)


def _least_epsilon(p: float, q: float, delta: float) -> float:
    """Of an event and of its complement."""
    excesses = ((p - delta, q), (1 - q - delta, 1 - p))
    return max((log(a / b) for a, b in excesses if a > 0), default=0.0)


def renyi(p: float, q: float, order: Any) -> Any:
    """D_order(Bernoulli(p), Bernoulli(q)) for 0 < q < p < 1: `renyi_bernoulli`, quickly."""
    one, zero = order * log(p) + (1 - order) * log(q), order * log1p(-p) + (1 - order) * log1p(-q)
    return np.logaddexp(one, zero) / (order - 1)


@cache
@cache
def _names() -> tuple[str, ...]:
    return tuple(field.name for field in fields(Budget))


def checked_budget(value: Any, parameter: str = "budget") -> Budget:
    """The budget that was given; InvalidInput for anything else."""
    if not isinstance(value, Budget):
        together = ", each by itself: f(*budgets) for a list" * isinstance(value, list | tuple)
        raise InvalidInput(parameter, value, f"a Budget, such as {Budget.written}{together}")
    return value


def largest_of(values: Sequence[Any]) -> Any:
    return np.max(np.stack(np.broadcast_arrays(*values)), axis=0)


def sum_rounded_up(values: Sequence[Any]) -> Any:
    return rounded_up(lambda *numbers: sum(numbers), *values)


def times_rounded_up(count: int, value: Any) -> Any:
    return rounded_up(lambda number: count * number, value)


def gaussian_delta(mu: float, epsilon: float) -> float:
    """The smallest delta for which N(0, 1) and N(mu, 1) are (epsilon, delta)-indistinguishable. Source: TH-P2.6"""
    if epsilon == np.inf or mu == 0:
        return 0.0
    if mu == np.inf:
        return 1.0
    with np.errstate(all="ignore"):
        return _finite_delta(float(mu), float(epsilon))


def _finite_delta(mu: float, epsilon: float) -> float:
    from scipy.special import erfcx, ndtr

    near, far = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    if near > 40:  # below the smallest float
        return 0.0
    decay = np.exp(-near * near / 2) / 2
    if mu < 0.25:  # an integral, as the difference would cancel
        points = near + mu * (1 + _NODES) / 2
        slopes = np.sqrt(2 / np.pi) - points * erfcx(points / np.sqrt(2))
        return float(decay * mu / 2 * np.sum(_WEIGHTS * slopes))
    if near < 0:
        return float(ndtr(-near) - decay * erfcx(far / np.sqrt(2)))
    return float(decay * (erfcx(near / np.sqrt(2)) - erfcx(far / np.sqrt(2))))


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)
