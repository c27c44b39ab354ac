"""Facts that are named and not derived: a closed list, each a formula, with its source.

One that a statement needs stands among its premises, and what is proved with it is *proved from named facts*.
"""

from __future__ import annotations

from dataclasses import dataclass

from banditproof.verify.kernel.bandits import half_squares
from banditproof.verify.kernel.meanings import event, function_of, own_names, there_is
from banditproof.verify.kernel.rules import eq, le, mean
from banditproof.verify.kernel.terms import All, Formula, Rel, Term, key, var


@dataclass(frozen=True)
class Fact:
    """A theorem of the textbooks."""

    name: str
    says: Formula
    source: str

    def __str__(self) -> str:
        return f"{self.name} ({self.source})"


def hahn_jordan() -> Formula:
    """The theorem of Hahn and Jordan, for U - V: there are laws and an event with U = (1 - share) common + share more
    and V = (1 - share) common + share less, where `more` has all its mass in the event and `less` none (unless share is
    0).
    """
    own_names("x", "g")
    x, share = var("x"), var("share")
    g, inside = function_of("g", x), function_of("split", x)
    both, more, less = (Term("law", (name,)) for name in ("common", "more", "less"))

    def mixture(name: str, rest: Term) -> Formula:
        mixed = (1 - share) * mean("x", both, g) + share * mean("x", rest, g)
        return All(("g",), (), eq(mean("x", Term("law", (name,)), g), mixed))

    mass = eq(share * mean("x", more, 1 - inside), 0), eq(share * mean("x", less, inside), 0)
    says = mixture("U", more), mixture("V", less), le(0, share), le(share, 1), event("split"), *mass
    return All(("U", "V"), (), there_is(("common", "more", "less", "share", "split"), *says))


def normal(mean: object) -> Term:
    """N(mean): the normal law with this mean and variance 1."""
    return Term("law", ("N", mean))


FACTS = (
    Fact(
        "the relative entropy of normal laws with variance 1, (s - t)^2/2",
        half_squares(normal),
        "T. Lattimore and C. Szepesvári, Bandit Algorithms, proof of Theorem 15.2",
    ),
    Fact("the theorem of Hahn and Jordan", hahn_jordan(), "P. Billingsley, Probability and Measure, Theorem 32.1"),
)


def facts_in(f: Formula) -> tuple[Fact, ...]:
    """The named facts that stand in a statement."""
    found = {key(part) for part in _parts(f)}
    return tuple(fact for fact in FACTS if key(fact.says) in found)


def _parts(f: Formula) -> list[Formula]:
    return [f] if isinstance(f, Rel) else [f, *(p for g in (*f.given, f.then) for p in _parts(g))]
