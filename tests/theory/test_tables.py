"""Results show themselves: names, enclosures and sources as text, and the same, escaped, in a notebook."""

import re
from fractions import Fraction
from html.parser import HTMLParser

import pytest

from banditproof.theory import (
    Budget,
    Gaussian,
    adversarial_bounds,
    characteristic_time,
    coupling_kl_bounds,
    g_optimal_design,
    minimax_lower_bound,
    regret_lower_bound,
    regret_upper_bound,
    sample_complexity_lower_bound,
)
from banditproof.theory.errors import InvalidInput
from banditproof.theory.tables import Table

BOUNDS = {
    "regret": lambda: regret_lower_bound(["3/4", "0.7"], epsilon="0.25", horizon=10**6),
    "upper": lambda: regret_upper_bound("AdaP-UCB", ["0.9", "0.1"], 10_000, Budget.pure(1.0)),
    "minimax": lambda: minimax_lower_bound(arms=10, horizon=10**6, epsilon="0.01"),
    "adversarial": lambda: adversarial_bounds(arms=10, horizon=10**6, epsilon="0.1"),
    "samples": lambda: sample_complexity_lower_bound(["0.9", "0.5"], delta="0.01", epsilon="0.5"),
    "coupling": lambda: coupling_kl_bounds(["1/2"], ["1/4"], epsilon="0.1"),
}


class Cells(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found, self.open = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.found.append(data)


@pytest.mark.parametrize("kind", BOUNDS)
def test_every_bound_stands_in_the_table_with_its_enclosure_and_source(kind):
    bounds = BOUNDS[kind]()
    text, cells = str(bounds), Cells(bounds._repr_html_())
    assert repr(bounds) == text and len(text.splitlines()) == len(list(bounds)) + 2 and not cells.open
    for name in bounds:
        (line,) = (line for line in text.splitlines()[2:] if re.match(rf"{re.escape(name)}\s", line))
        for said in (
            bounds[name].value.decimal(6),
            f"{bounds[name].source} ({bounds[name].verdict})",
            bounds[name].formula,
        ):
            assert said in line and said in cells.found
    assert "Fraction" not in text


def test_a_bound_of_another_name_before_warns():
    bounds = sample_complexity_lower_bound(["0.9", "0.8"], "0.1", epsilon=1)
    with pytest.warns(UserWarning, match="'private-d-epsilon' is called 'd-epsilon' now"):
        assert bounds["private-d-epsilon"] is bounds["d-epsilon"]


@pytest.mark.parametrize("kind", BOUNDS)
def test_one_bound_is_a_line_in_decimals(kind):
    bounds = BOUNDS[kind]()
    for name in bounds:
        shown, bound = repr(bounds[name]), bounds[name]
        assert shown.startswith(f"<{type(bound).__name__} {name}: {bound.value.decimal(6)}") and bound.formula in shown
        assert ("does not apply" in shown) is not bound.applies
        assert len(shown) < 400 and "\n" not in shown and "Fraction" not in shown


@pytest.mark.parametrize("kind", BOUNDS)
def test_a_name_that_is_no_bound_is_told_with_those_that_are(kind):
    bounds = BOUNDS[kind]()
    first = next(iter(bounds))
    with pytest.raises(KeyError) as caught:
        bounds[f"{first}s"]
    assert isinstance(caught.value, InvalidInput)
    assert str(caught.value).startswith(f"did you mean {first}? bound must be one of {', '.join(bounds)}, got")


def test_the_title_says_what_the_bounds_are_of():
    title = str(BOUNDS["regret"]()).splitlines()[0]
    assert title == "regret lower bounds, instance = Bernoulli(0.75, 0.7), epsilon = 0.25, horizon = 1e+06"


SAID = {  # arms, risk and budget; what a row says that they are
    "text": ((["0.9", "0.5"], "0.01", "0.1"), ("Bernoulli(0.9, 0.5)", "0.01", "0.1")),
    "floats": (([0.9, 0.5], 0.01, 0.1), (f"Bernoulli({Fraction(0.9)}, 0.5)", str(Fraction(0.01)), str(Fraction(0.1)))),
    "digits": ((["0.900000001", "1/3"], "1e-400", "inf"), ("Bernoulli(0.900000001, 1/3)", "1e-400", "inf")),
    "dyadic": (([0.75, 0.5], Fraction(1, 3), 2**80), ("Bernoulli(0.75, 0.5)", "1/3", str(2**80))),
    "a scale": (([Gaussian(1, 2), Gaussian(0, 2)], "0.5", 2), ("Gaussian(1, 2), Gaussian(0, 2)", "0.5", "2")),
}


@pytest.mark.parametrize("kind", SAID)
def test_a_row_says_exactly_what_it_bounds(kind):
    (arms, delta, epsilon), said = SAID[kind]
    bounds = sample_complexity_lower_bound(arms, delta, epsilon=epsilon)
    for row in bounds.to_dict().values():
        assert (row["instance"], row["delta_exact"], row["epsilon_exact"]) == said
        assert (row["delta"], row["epsilon"]) == (float(Fraction(said[1])), float(epsilon))
    title = str(bounds).splitlines()[0]
    assert title.endswith(
        ", ".join(f"{name} = {s}" for name, s in zip(("instance", "delta", "epsilon"), said, strict=True))
    )
    assert regret_lower_bound(arms, epsilon).to_dict()["lai-robbins"]["instance"] == said[0]


def test_a_design_shows_its_support_and_a_time_its_allocation():
    design = g_optimal_design([[1, 0], [0, 1], [0.1, 0.1]])
    assert [line.split()[0] for line in str(design).splitlines()[2:]] == ["0", "1"]
    time = characteristic_time(means=["0.9", "0.5"])
    lines = str(time).splitlines()
    assert time.value.decimal(8) in lines[0] and lines[2].endswith("best") and len(lines) == 4


def test_what_a_notebook_gets_is_escaped():
    table = Table("<b>", ("a", "b"), (("<script>", "&"),))
    assert "<script>" not in table.html() and Cells(table.html()).found == ["<b>", "a", "b", "<script>", "&"]
