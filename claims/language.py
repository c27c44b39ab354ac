"""The language of claims in Python, which a file of a section opens by one line.

What is said (`claim`, roles, sets), how it is shown (steps), what is measured (`Study`), and the numbers that formulas
are made of. What is left to name in a file is what it is about.
"""

from __future__ import annotations

from banditproof.claims.check import Check
from banditproof.claims.derivations import derivation, fact
from banditproof.claims.register import claim, item, mutation, not_checkable, repaired, restate
from banditproof.claims.sets import (
    AboveOne,
    AboveZero,
    AtLeastOne,
    BelowOne,
    Count,
    Inside,
    Natural,
    Nonnegative,
    Policy,
    Positive,
    Probability,
    Real,
    Sides,
    TwoOrMore,
)
from banditproof.claims.steps import (
    argued,
    certified,
    deduced,
    enumerated,
    fails_at,
    in_kernel,
    interval,
    pick,
    quadrature,
    step,
    tried_at,
)
from banditproof.claims.study import Arrays, Study
from banditproof.theory import (
    Budget,
    InvalidInput,
    absolute,
    exp,
    kl_bernoulli,
    log,
    maximum,
    minimum,
    normal_cdf,
    sqrt,
    to_ball,
    where,
)
from banditproof.theory.numbers.numeric import comb, least_integer, most, ratio
from banditproof.theory.numbers.term import quantity, total
from banditproof.verify import Domain

__all__ = [
    "AboveOne",
    "AboveZero",
    "Arrays",
    "AtLeastOne",
    "BelowOne",
    "Budget",
    "Check",
    "Count",
    "Domain",
    "Inside",
    "InvalidInput",
    "Natural",
    "Nonnegative",
    "Policy",
    "Positive",
    "Probability",
    "Real",
    "Sides",
    "Study",
    "TwoOrMore",
    "absolute",
    "argued",
    "certified",
    "claim",
    "comb",
    "deduced",
    "derivation",
    "enumerated",
    "exp",
    "fact",
    "fails_at",
    "in_kernel",
    "interval",
    "item",
    "kl_bernoulli",
    "least_integer",
    "log",
    "maximum",
    "minimum",
    "most",
    "mutation",
    "normal_cdf",
    "not_checkable",
    "pick",
    "quadrature",
    "quantity",
    "ratio",
    "repaired",
    "restate",
    "sqrt",
    "step",
    "to_ball",
    "total",
    "tried_at",
    "where",
]
