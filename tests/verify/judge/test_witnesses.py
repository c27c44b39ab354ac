"""Events that break a promise: that they are found, and their probabilities by numerical integration."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from banditproof import judge
from banditproof.theory.numbers.numeric import to_ball
from banditproof.verify.judge.ways.witnesses import breaking, witness
from tests.cases import rows, texts

TEXTS = texts(__file__)

BROKEN = dict(rows(TEXTS["broken"]))


@pytest.mark.parametrize("sentence", BROKEN)
def test_a_broken_promise_is_shown_by_an_event(sentence):
    answer = judge(sentence)
    assert (
        answer.verdict == "refuted" and BROKEN[sentence] in str(witness(answer)) and str(witness(answer)) in str(answer)
    )


@pytest.mark.parametrize(
    "sentence", ["Laplace noise of scale 1 on sensitivity 1 is 1-DP", "1 <= 0", "1-DP implies 2-GDP"]
)
def test_what_is_kept_has_no_witness(sentence):
    assert witness(judge(sentence)) is None


LAWS = {  # the distribution function and the density
    "laplace": (lambda x: mpmath.exp(x) / 2 if x < 0 else 1 - mpmath.exp(-x) / 2, lambda x: mpmath.exp(-abs(x)) / 2),
    "waiting": (lambda x: max(0, 1 - mpmath.exp(-x)), lambda x: mpmath.exp(-x) if x > 0 else 0),
    "gumbel": (lambda x: mpmath.exp(-mpmath.exp(-x)), lambda x: mpmath.exp(-x - mpmath.exp(-x))),
}


@pytest.mark.parametrize("noise", LAWS)
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(1), Fraction(19, 10)], ids=str)
def test_the_probabilities_of_a_choice_are_those_of_integration(noise, epsilon):
    """P(Z + gap > the largest of the others) is an integral over the others' maximum; those of Laplace are bounds."""
    parameters = {"noise": noise, "scale": to_ball(1), "sensitivity": to_ball(1)}
    found = breaking("noisiest", parameters, "dp", {"epsilon": to_ball(epsilon)})
    others = int(found.inputs[0].split("the other ")[1].split()[0]) if "all" in found.inputs[0] else 1
    below, density = LAWS[noise]

    def chosen(gap):
        def part(m):
            return (1 - below(m - gap)) * others * below(m) ** (others - 1) * density(m)

        return mpmath.quad(part, [-20, -3, -1, 0, 1, 4, 9, 16, 40])

    first, second = (float(chosen(gap)) for gap in (1, -1))
    told = [float(end.floats[0]) for end in found.probabilities]
    assert first > told[0] - 1e-9 and second < told[1] + 1e-9 and first > mpmath.exp(float(epsilon)) * second
    assert noise == "laplace" or (first, second) == pytest.approx(told, abs=1e-9)
