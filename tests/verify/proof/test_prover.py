"""The interval prover: proofs that re-check, counterexamples that hold, and honest remainders."""

import json
from dataclasses import fields
from fractions import Fraction

import pytest

from banditproof.theory import kl_bernoulli
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.balls import ball_between
from banditproof.theory.numbers.numeric import exp, log, sqrt
from banditproof.theory.privacy.wide_balls import classical_gaussian_ratio, randomised_response_slack
from banditproof.verify.proof.box import substituted
from banditproof.verify.proof.compare import relation_name
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.evidence import Counterexample, IntervalProof, said_of
from banditproof.verify.proof.prover import prove, refute_at, simplest
from banditproof.verify.proof.recheck import recheck
from banditproof.verify.proof.statement import stating


def below_tangent(x, slope):
    return log(x), "<=", slope * (x - 1) + (1 + x) / 10**6


def product_below(x, y, bound):
    return x * (1 - x) * y * (1 - y), "<=", bound


def vanishing(epsilon, bound):
    return exp(-epsilon), "<=", bound


def looking_into_balls(x, slope):
    return (log(x) if x > 2 else 0), "<=", slope * (x - 1) + 10


def touching(x):
    return x * x, ">", 0


def test_a_true_inequality_is_proved_and_its_proof_re_checks_from_json():
    proof = prove(stating(below_tangent, Domain.of(x="[1/10, 10]"), {"slope": 1}))
    assert isinstance(proof, IntervalProof) and proof.complete and proof.leaves > 1
    assert recheck(json.loads(json.dumps(proof.to_json()))) is None


def test_a_false_inequality_gives_a_point_where_it_fails():
    found = prove(stating(below_tangent, Domain.of(x="[1/10, 10]"), {"slope": Fraction(9, 10)}))
    assert isinstance(found, Counterexample)
    assert recheck(json.loads(json.dumps(found.to_json()))) is None


def test_the_counterexample_moves_to_simple_numbers():
    domain = Domain.of(x="[1/10, 10]")
    statement = stating(below_tangent, domain, {"slope": Fraction(1, 2)})
    found = refute_at(statement, {"x": Fraction(31415, 10000)})
    assert found is not None
    assert simplest(found, statement).point["x"].denominator == 1


def test_centred_forms_prove_a_tight_two_variable_bound_with_few_boxes():
    proof = prove(stating(product_below, Domain.of(x="[0, 1]", y="[0, 1]"), {"bound": Fraction(626, 10000)}))
    assert isinstance(proof, IntervalProof) and proof.complete
    assert proof.leaves < 600


def test_a_relation_that_touches_equality_is_left_undecided_and_says_so():
    proof = prove(stating(touching, Domain.of(x="[-1, 1]"), {}), boxes=200)
    assert isinstance(proof, IntervalProof | Counterexample)
    strict = prove(stating(touching, Domain.of(x="[-1/3, 2/5]"), {}), boxes=200)
    assert isinstance(strict, IntervalProof) and not strict.complete and "U" in strict.tree


def test_an_unbounded_range_needs_a_substitution():
    domain = Domain.of(epsilon="[1, inf)")
    with pytest.raises(InvalidInput, match="range of epsilon"):
        prove(stating(vanishing, domain, {"bound": 1}))


def test_a_substitution_reaches_an_infinite_end_and_re_checks():
    domain = Domain.of(epsilon="[1, inf)")
    proof = prove(stating(vanishing, domain, {"bound": 1}), substitutions={"epsilon": ("q", "[0, 3/8]", "-log(q)")})
    assert isinstance(proof, IntervalProof) and proof.complete
    data = json.loads(json.dumps(proof.to_json()))
    assert recheck(data) is None
    data["box"]["q"][0] = "1/8"
    assert recheck(data) is not None
    with pytest.raises(InvalidInput, match="covers"):
        recheck({"kind": "interval"})


def test_a_substitution_that_misses_part_of_the_range_is_refused():
    with pytest.raises(InvalidInput, match="ranges over"):
        prove(
            stating(vanishing, Domain.of(epsilon="[0, inf)"), {"bound": 1}),
            substitutions={"epsilon": ("q", "[0, 3/8]", "-log(q)")},
        )


def test_constraints_exclude_boxes():
    domain = Domain.of(x="[0, 1]", y="[0, 1]", where=["x <= y"])
    proof = prove(stating(ordered, domain, {}))
    assert isinstance(proof, IntervalProof) and proof.complete and "V" in proof.tree


def ordered(x, y):
    return x, "<=", y + (1 + x) / 50


@pytest.mark.parametrize(
    "spoil", ["lower bound", "cut a branch", "extra leaf", "shrink the box", "claim an undecided leaf",
              "an endless precision", "an endless tree", "a formula that looks into balls"],
)  # fmt: skip
def test_a_spoiled_proof_is_rejected(spoil):
    data = prove(stating(below_tangent, Domain.of(x="[1/10, 10]"), {"slope": 1})).to_json()
    match spoil:
        case "lower bound":
            data["relation"] = data["relation"].replace("1000000", "1")  # 10^-6 of 1 + x
            data["box"]["x"][0] = "1/8"
        case "cut a branch":
            data["tree"] = data["tree"][:-1]
        case "extra leaf":
            data["tree"] += "P"
        case "shrink the box":
            data["box"]["x"][0] = "1/2"
        case "claim an undecided leaf":
            data["tree"] = "P"
        case "an endless precision":
            data["precision"] = 10**9
        case "an endless tree":
            data["tree"] = "0" * 3_000_000
        case "a formula that looks into balls":
            data["relation"] = relation_name(looking_into_balls)
    assert recheck(data) is not None


def test_evidence_comes_back_from_json_equal():
    proof = prove(stating(below_tangent, Domain.of(x="[1/10, 10]"), {"slope": 1}))
    again = said_of(json.loads(json.dumps(proof.to_json())))
    assert again == {f.name: getattr(proof, f.name) for f in fields(proof)} | {"box": again["box"]}


def test_beside_a_pole_at_an_end_a_substituted_variable_is_anywhere_and_not_undefined():
    parameter = ball_between(Fraction(1, 2), Fraction(1))
    value = substituted({"s": parameter}, {"x": ("s/(1 - s)", "[0, 1]")})["x"]
    assert not value.is_nan() and value.contains(10**9)


def below_the_formula_for_every_budget(epsilon, delta, inside):
    return classical_gaussian_ratio(epsilon, 1 / sqrt(2 * log(5 / (4 * delta))), inside), "<=", 1


def test_where_a_formula_has_no_value_nothing_is_certified():
    domain, constants = Domain.of(epsilon="(0, 3]", delta="(0, 1)"), {"inside": Fraction(21, 20)}
    assert isinstance(prove(stating(below_the_formula_for_every_budget, domain, constants), boxes=50), Counterexample)


def within_a_share(epsilon, alpha, share):
    return 0, "<=", randomised_response_slack(epsilon, alpha, share)


@pytest.mark.parametrize("share", [Fraction(2, 5), Fraction(49, 100)])
def test_a_false_bound_is_refuted_where_a_substitution_has_poles_at_the_ends(share):
    ends = {"epsilon": ("s", "[0, 1]", "s/(1 - s)"), "alpha": ("r", "[0, 1]", "1/r")}
    statement = stating(within_a_share, Domain.of(epsilon="[0, inf)", alpha="(1, inf)"), {"share": share})
    assert isinstance(prove(statement, substitutions=ends, boxes=50), Counterexample)


def response(eps):
    p = exp(eps) / (1 + exp(eps))
    return kl_bernoulli(p, 1 - p)


@pytest.mark.parametrize(
    ("bound", "values", "found"),
    [
        (lambda eps: exp(eps), "(0, 10]", "proof"),
        (lambda eps: eps, "[5, 6]", "proof"),
        (lambda eps: eps * 99 / 100, "[5, 6]", "failure"),
        (lambda eps: eps * (exp(eps) - 1) / (exp(eps) + 1) * 101 / 100, "[1, 6]", "proof"),
        (lambda eps: eps * (exp(eps) - 1) / (exp(eps) + 1) * 99 / 100, "[1, 6]", "failure"),
    ],
)
def test_a_probability_that_balls_lose_on_wide_boxes_is_kept_inside(bound, values, found):
    statement = stating(lambda eps: (response(eps), "<=", bound(eps)), Domain.of(eps=values), {})
    proof = prove(statement, boxes=1500)
    assert (found == "proof") == (isinstance(proof, IntervalProof) and proof.complete)
    assert (found == "failure") == isinstance(proof, Counterexample)
