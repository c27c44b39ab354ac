"""The language of proofs: rules, tactics and terms, which a file of proofs opens by one line."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.bandits import histories
from banditproof.verify.kernel.context import conclusion, lemma, once, proof, suppose
from banditproof.verify.kernel.couplings import private_divergence_at_most, variation_at_most
from banditproof.verify.kernel.divergences import kl_at_most, renyi_at_most
from banditproof.verify.kernel.games import code
from banditproof.verify.kernel.indicators import (
    at_most,
    bounds_of_event,
    equal,
    equal_is_event,
    ind,
    is_equal,
    not_at_most,
    under,
    unless_equal,
)
from banditproof.verify.kernel.meanings import (
    composed_adaptively,
    event,
    exp,
    log,
    neighbours,
    size,
    sum_of,
    symmetric_neighbours,
)
from banditproof.verify.kernel.policies import is_arm, plays_arms, said_is_kept
from banditproof.verify.kernel.rules import (
    Theorem,
    antisymmetric,
    assume,
    calc,
    cases,
    eq,
    exp_log,
    exp_positive,
    exp_tangent,
    fubini,
    indicator,
    induct,
    le,
    lt,
    mean,
    mono,
    moved,
    nat,
    nat_equal,
    nat_minus,
    nat_next,
    nat_zero,
    reciprocal,
    same,
    some_bound,
    square,
    steps_next,
    steps_zero,
    uniform_next,
    unit,
    use,
)
from banditproof.verify.kernel.tactics import (
    Fact,
    absurd,
    auto,
    both_sides,
    by_contradiction,
    closed,
    contradiction,
    exp_equal,
    exp_monotone,
    fn,
    for_all,
    induction,
    instance,
    nat_nonnegative,
    nat_product,
    nat_sum,
    product,
    reciprocal_positive,
    some_natural,
    weak,
)
from banditproof.verify.kernel.terms import All, Formula, Rel, Term, free_in, key, replace, substitute, term, var
from banditproof.verify.kernel.variables import laplace, multiple, subgaussian, sum_of_all

UNIT = Term("law", ("Unit",))


def app(name: str, *points: Any) -> Term:
    """The value of a function."""
    return Term("app", (name, *map(term, points)))


def law(name: str, *points: Any) -> Term:
    """A law by its name and the points on which it depends."""
    return Term("law", (name, *map(term, points)))


def pi(round: Any, history: Any) -> Term:
    """The law of the arm that the policy plays in a round, after a history."""
    return law("pi", round, history)


def nu(arm: Any) -> Term:
    """The law of the rewards of an arm."""
    return law("nu", arm)


def nu_prime(arm: Any) -> Term:
    """The same in another bandit."""
    return law("nu_prime", arm)


def mechanism(data: Any) -> Term:
    """The law of the output on a data set."""
    return law("M", data)


def uniform(m: Any) -> Term:
    """The law of a number among 0, ..., m - 1."""
    return law("Unif", m)


def parts_of(f: Any) -> tuple[str, tuple[Formula, ...], Any]:
    """The names, conditions and conclusion of a formula about all of something."""
    return " ".join(f.params), f.given, f.then
