"""What shows that a promise of privacy is broken: two neighbouring inputs and an event, with its probabilities.

A law of answers is known by events that tell two inputs apart well. The first of them is taken whose probabilities, in
balls, certainly break the promise; there may be none, as a divergence may be large where no event shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from banditproof.theory.laws.exponential_families import renyi_bernoulli
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.normal_law import normal_cdf, normal_quantile
from banditproof.theory.numbers.numeric import sqrt, to_ball, working_precision
from banditproof.verify.judge.formulas.certain import NoValue, Unknown, value_at
from banditproof.verify.judge.formulas.sentence import Expression, Private, Promise
from banditproof.verify.judge.found import Found

BITS = 512
ORDERS = tuple(Fraction(k, 8) for k in (9, 10, 12, 16, 24, 40, 80, 400, 4000))
COUNTS = (2, 3, 10, 100, 10**4, 10**6, 10**9)  # of candidates
Balls = Mapping[str, Any]
Told = tuple[str, str, str, Any, Any]  # both inputs, the event, its probabilities


@dataclass(frozen=True)
class Witness:
    """Two neighbouring inputs and an event; a mechanism with the promise does not give it both probabilities.

    Attributes:
        inputs: what the mechanism is run on, in words.
        event: what is seen, in words.
        probabilities: of the event on the first input and on the second one; enclosures.
        broken: the promise that is broken, with its numbers.
    """

    inputs: tuple[str, str]
    event: str
    probabilities: tuple[Enclosure, Enclosure]
    broken: str

    def __str__(self) -> str:
        p, q = (f"{end.decimal(6)}" for end in self.probabilities)
        return f"neighbours: {self.inputs[0]}, and {self.inputs[1]}; {self.event} has probability {p}, and {q}"


def witness(answer: Found) -> Witness | None:
    """The event that breaks the promise of a refuted sentence, at the point where `judge` refutes it; None without one.

    >>> from banditproof import judge
    >>> print(witness(judge("Laplace noise of scale 1 on sensitivity 1 is (1/2)-DP")))
    neighbours: the value 1, and the value 0; an answer of at least 1 has probability 0.5, and [0.183939, 0.18394]
    """
    if answer.verdict != "refuted" or answer.failure is None or answer.reading is None:
        return None
    sentence, point = answer.reading.sentence, answer.failure.point
    if not isinstance(sentence, Private) or not set(answer.reading.ranges) <= set(point):
        return None
    with working_precision(BITS):
        try:
            parameters, budget = _at(sentence.parameters, point), _at(sentence.budget, point)
        except (NoValue, Unknown):
            return None
        return breaking(sentence.mechanism, parameters, sentence.kind, budget)


def breaking(mechanism: str, parameters: Mapping[str, Any], kind: str, budget: Balls) -> Witness | None:
    """The first event of a mechanism that breaks a promise; the parameters are those of `Private`, as balls."""
    with working_precision(BITS):
        events = _EVENTS.get(mechanism)
        for one, other, event, p, q in events(parameters, budget) if events is not None else ():
            p, q = to_ball(p), to_ball(q)
            if bool(p > q) and _breaks(p, q, kind, budget):
                probabilities = Enclosure.from_ball(p), Enclosure.from_ball(q)
                numbers = ", ".join(f"{n} = {Enclosure.outward(b).decimal(6)}" for n, b in budget.items())
                return Witness((one, other), event, probabilities, f"{kind} with {numbers}")
    return None


def _at(parameters: Mapping[str, Any], point: Mapping[str, Fraction]) -> dict[str, Any]:
    """The parameters of a sentence at a point, as balls; promises in their place, by their numbers."""
    found: dict[str, Any] = {}
    for name, value in parameters.items():
        if isinstance(value, Expression):
            found[name] = to_ball(value_at(value, point, BITS))
        else:
            found[name] = (value.kind, _at(value.budget, point)) if isinstance(value, Promise) else value
    return found


def _breaks(p: Any, q: Any, kind: str, budget: Balls) -> bool:
    """Whether no mechanism with the promise gives an event these probabilities, p > q, on neighbours."""
    if kind == "dp":
        return bool(p > budget["epsilon"].exp() * q + budget.get("delta", to_ball(0)))
    if not (bool(q > 0) and bool(p < 1)):
        return False
    if kind == "gdp":
        return bool(normal_quantile(p) - normal_quantile(q) > budget["mu"])
    if kind == "rdp":
        return bool(budget["alpha"] > 1) and bool(renyi_bernoulli(p, q, budget["alpha"]) > budget["epsilon"])
    return any(bool(renyi_bernoulli(p, q, to_ball(a)) > to_ball(a) * budget["rho"]) for a in ORDERS)


# --------------------------------------------------------------------------------------------- what tells inputs apart


def _values(shift: Any, at: Any, p: Any, q: Any) -> Told:
    said = [Enclosure.outward(x).decimal(6).rstrip("0").rstrip(".") for x in (shift, at)]
    return f"the value {said[0]}", "the value 0", f"an answer of at least {said[1]}", p, q


def _laplace(p: Mapping[str, Any], budget: Balls) -> Iterator[Told]:
    shift, scale = p["sensitivity"], p["scale"]
    for at in (shift, (shift + budget.get("epsilon", to_ball(0)) * scale) / 2):
        if bool(at >= 0) and bool(at <= shift):
            yield _values(shift, at, 1 - (-(shift - at) / scale).exp() / 2, (-at / scale).exp() / 2)


def _gaussian(p: Mapping[str, Any], budget: Balls) -> Iterator[Told]:
    deviation = p["deviation"] if "deviation" in p else sqrt(p["variance"])
    shift = p["sensitivity"]
    mu, epsilon = shift / deviation, budget.get("epsilon", to_ball(0))
    for at in (epsilon / mu + mu / 2, (epsilon + 1) / mu + mu, *(mu * to_ball(a) for a in ORDERS)):
        yield _values(shift, at * deviation, normal_cdf(mu - at), normal_cdf(-at))


def _geometric(p: Mapping[str, Any], budget: Balls) -> Iterator[Told]:
    ratio, shift = (-p["rate"]).exp(), p["sensitivity"]
    yield _values(shift, shift, 1 / (1 + ratio), (-p["rate"] * shift).exp() / (1 + ratio))


def _response(p: Mapping[str, Any], budget: Balls) -> Iterator[Told]:
    truth, others = to_ball(p["truth"]), p.get("candidates", to_ball(2)) - 1
    lie = (1 - truth) / others
    yield "the first category", "another one", "an answer of the first", truth, lie
    yield "the second category", "the first one", "an answer of the first", lie, truth


def _noisiest(p: Mapping[str, Any], budget: Balls) -> Iterator[Told]:
    """One candidate is ahead by the sensitivity, or behind. With monotone scores it stays behind by far."""
    if "monotone" in p:
        return
    gap = p["sensitivity"] / p["scale"]
    for count in COUNTS:
        ahead, behind = _OF_NOISE[p["noise"]](gap, count - 1)
        one, other = "is ahead of" if count == 2 else "is ahead of all", "is behind" if count == 2 else "is behind all"
        rest = f"the other{'' if count == 2 else f' {count - 1}'} by the sensitivity"
        yield f"a candidate {one} {rest}", f"it {other} {rest}", "its choice", ahead, behind


def _gumbel(gap: Any, others: int) -> tuple[Any, Any]:
    odds = gap.exp()
    return odds / (odds + others), 1 / (1 + others * odds)


def _waiting(gap: Any, others: int) -> tuple[Any, Any]:
    """With u = e^-M of the others' maximum M, that with the noise is above M + t has probability e^-t u."""
    share = (-gap).exp()
    below = (1 - share) ** others
    return below + _moment(share, others) / share, share / (others + 1)


def _doubled(gap: Any, others: int) -> tuple[Any, Any]:
    """Of Laplace noise: bounds, from the others' maxima of at least `gap`, and the chance of a smaller one."""
    share = (-gap).exp()
    moment = _moment(share / 2, others)
    return moment / share, moment * share + (1 - share / 2) ** others


def _moment(share: Any, others: int) -> Any:
    """The integral of u dU^others up to a share, where 1 - u is the largest of `others` uniform numbers."""
    return (1 - (1 - share) ** (others + 1)) / (others + 1) - share * (1 - share) ** others


_OF_NOISE: dict[str, Callable[[Any, int], tuple[Any, Any]]] = {
    "gumbel": _gumbel,
    "waiting": _waiting,
    "laplace": _doubled,
}


def _exponential(p: Mapping[str, Any], budget: Balls) -> Iterator[Told]:
    yield from _noisiest({"sensitivity": p["sensitivity"], "scale": 1 / p["factor"], "noise": "gumbel"}, budget)


def _subsampling(p: Mapping[str, Any], budget: Balls) -> Iterator[Told]:
    """A bit that says whether a record is there, by randomised response, told outright with probability delta."""
    kind, of = p["of"]
    if kind == "dp":
        delta, truth = of.get("delta", to_ball(0)), 1 / (1 + (-of["epsilon"]).exp())
        there, not_there = delta + (1 - delta) * truth, (1 - delta) * (1 - truth)
        kept = p["rate"] * there + (1 - p["rate"]) * not_there
        yield "data with a record", "data without it", 'the answer "it is there"', kept, not_there
        yield "data with a record", "data without it", "the record itself", p["rate"] * delta, to_ball(0)


def _conversion(p: Mapping[str, Any], budget: Balls) -> Iterator[Told]:
    kind, of = p["of"]
    if kind == "dp":
        yield from _subsampling({"of": p["of"], "rate": to_ball(1)}, budget)
    elif kind in ("gdp", "zcdp"):
        shift = of["mu"] if kind == "gdp" else sqrt(2 * of["rho"])
        yield from _gaussian({"sensitivity": shift, "deviation": to_ball(1)}, budget)


def _filter(p: Mapping[str, Any], budget: Balls) -> Iterator[Told]:
    """One release that spends the budget; squares are spent by many only."""
    yield from () if "squares" in p else _conversion(p, budget)


def _composition(p: Mapping[str, Any], budget: Balls) -> Iterator[Told]:
    """As often as not all randomised responses tell the truth."""
    if "count" in p and p["of"][0] == "dp" and "delta" not in p["of"][1]:
        truth = 1 / (1 + (-p["of"][1]["epsilon"]).exp())
        yield "a bit 1", "a bit 0", "the answer 1 of all", truth ** p["count"], (1 - truth) ** p["count"]


def _group(p: Mapping[str, Any], budget: Balls) -> Iterator[Told]:
    kind, of = p["of"]
    if kind in ("gdp", "zcdp"):
        amount = of["mu"] * p["size"] if kind == "gdp" else of["rho"] * p["size"] ** 2
        yield from _conversion({"of": (kind, {"mu" if kind == "gdp" else "rho": amount})}, budget)
    elif kind == "dp" and "delta" not in of:
        yield from _laplace({"sensitivity": p["size"] * of["epsilon"], "scale": to_ball(1)}, budget)


_EVENTS: dict[str, Callable[[Mapping[str, Any], Balls], Iterator[Told]]] = {
    "laplace": _laplace,
    "gaussian": _gaussian,
    "geometric": _geometric,
    "response": _response,
    "noisiest": _noisiest,
    "exponential": _exponential,
    "subsampling": _subsampling,
    "fixed": _subsampling,
    "conversion": _conversion,
    "filter": _filter,
    "composition": _composition,
    "group": _group,
}
