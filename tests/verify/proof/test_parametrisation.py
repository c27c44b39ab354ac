"""A symbolic proof covers what its parametrisation provably reaches, and nothing else."""

import pytest
import sympy

from banditproof.claims.verdict import decide
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.parametrisation import unreached
from banditproof.verify.proof.statement import stating
from banditproof.verify.proof.symbolic import SymbolicArgument, prove_symbolically

p, q, r = sympy.symbols("p q r", positive=True)
a, b, c = sympy.symbols("a b c", nonnegative=True)
x, y = sympy.symbols("x y", real=True)
n = sympy.Symbol("n", integer=True, nonnegative=True)

REACHED = [
    ({"x": sympy.exp(x)}, Domain.of(x="(0, inf)")),
    ({"x": p / (1 + p)}, Domain.of(x="(0, 1)")),
    ({"x": a / (1 + a)}, Domain.of(x="[0, 1)")),
    ({"x": 1 - a**2 / (1 + a) ** 2}, Domain.of(x="(0, 1]")),  # flat at a = 0
    ({"x": (p - q) / (p + q)}, Domain.of(x="(-1, 1)")),
    ({"x": p / (1 + p), "y": p * (1 + q) / (1 + p * (1 + q))}, Domain.of(x="(0, 1)", y="(0, 1)", where=["x < y"])),
    ({"x": x, "y": x + a}, Domain.of(x="(-inf, inf)", y="(-inf, inf)", where=["y >= x"])),
    ({"x": q + p, "y": q}, Domain.of(x="(0, inf)", y="(0, inf)", where=["y < x"])),
    ({"m": n + 3}, Domain.of(m="integer [3, inf)")),
    (
        {"x": p / (1 + p), "y": p * r * (1 + q) / (1 + p * r * (1 + q)), "epsilon": sympy.log(r)},
        Domain.of(x="(0, 1)", y="(0, 1)", epsilon="(-inf, inf)", where=["x < y", "epsilon < privacy_threshold(x, y)"]),
    ),
]
NOT_REACHED = [
    ({"x": sympy.exp(p)}, Domain.of(x="(0, inf)")),
    ({"x": 1 + a}, Domain.of(x="(999/1000, inf)")),
    ({"x": 1 + sympy.log(1 + p)}, Domain.of(x="(0, inf)")),
    ({"x": (1 - sympy.Rational(1, 10**9)) * a / (1 + a)}, Domain.of(x="[0, 1)")),
    ({"x": a}, Domain.of(x="(-1/1000000, inf)")),
    ({"x": 1 + sympy.Rational(1, 10**7) + p}, Domain.of(x="(1, inf)")),
    ({"x": p / (1 + p)}, Domain.of(x="[0, 1)")),  # the end
    ({"x": p / (1 + p)}, Domain.of(x="(0, 1]")),
    ({"x": p, "y": p}, Domain.of(x="(0, inf)", y="(0, inf)")),  # the diagonal only
    ({"x": x, "y": x + p}, Domain.of(x="(-inf, inf)", y="(-inf, inf)", where=["y >= x"])),  # not the ties
    ({"x": 1 / x}, Domain.of(x="(-inf, inf)")),  # not zero
    ({"m": 2 * n}, Domain.of(m="integer [0, inf)")),  # even counts
    ({"m": n + 4}, Domain.of(m="integer [3, inf)")),
    ({"x": sympy.sin(x)}, Domain.of(x="[-1, 1]")),  # true, but nothing here knows it
]


@pytest.mark.parametrize(("variables", "region"), REACHED)
def test_a_parametrisation_that_reaches_its_region_is_seen_to(variables, region):
    assert unreached(tuple(variables.items()), region) is None


@pytest.mark.parametrize(("variables", "region"), NOT_REACHED)
def test_what_is_not_reached_or_not_decided_is_said(variables, region):
    assert unreached(tuple(variables.items()), region) is not None


def positive(x):
    return x, ">", 0


def above_one():
    return SymbolicArgument({"x": sympy.exp(p)}, sympy.exp(p), "positive")


def test_a_proof_of_a_part_of_the_domain_is_no_proof_of_the_domain():
    whole, part = Domain.of(x="(0, inf)"), Domain.of(x="(1, inf)")
    proof = prove_symbolically(stating(positive, whole, {}), above_one(), seed=0)
    assert "does not reach" in proof.uncovered[0]
    assert decide(whole, [proof]).name == "supported"
    assert decide(part, [prove_symbolically(stating(positive, part, {}), above_one(), seed=0)]).name == "proved"
