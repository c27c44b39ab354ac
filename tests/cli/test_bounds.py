"""The commands that compute: bounds of every kind, designs, simulations; their pictures, documents and complaints."""

import csv
import json
import math
import re
import time
from fractions import Fraction
from math import e, erfc, sqrt
from threading import Event
from types import SimpleNamespace

import numpy as np
import pytest

from banditproof.algorithms.contextual.oful import OFUL
from banditproof.cli import bounds, coupling, linear, simulating
from banditproof.cli.linear import ContextualArms
from banditproof.theory import (
    Gaussian,
    Instance,
    characteristic_time,
    d_epsilon,
    g_optimal_design,
    sample_complexity_lower_bound,
)
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.verdicts import known_of

ACTIONS = "x,y\n1,0\n0,1\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "actions.csv").write_text(ACTIONS)
    return tmp_path


BAI = ["bounds", "bai", "--means"]
MINIMAX = ["bounds", "minimax", "--horizon"]
COUPLING = ["bounds", "coupling", "--first"]
ALONE = ["simulate", "--workers", "1"]  # starting processes takes longer than these runs
CONTEXTUAL = [*ALONE, "--algorithm", "adac-oful", "--horizon", "100", "--runs", "5", "--rho", "1", "--contexts"]


def test_arms_count_from_one_in_the_table_and_in_json(in_process):
    asked = [*BAI, "0.9,0.8,0.5", "--delta", "0.01"]
    table, (time,) = in_process(*asked).stdout, json.loads(in_process(*asked, "--json").stdout)["times"].values()
    told = [one["challenger"] for one in sorted(time["alternatives"], key=lambda one: -one["weight"])]
    assert sorted(told) == [2, 3] and re.findall(r"hard alternative: arm (\d)", table) == [str(arm) for arm in told]


@pytest.fixture
def document(banditproof):
    def read(*arguments, folder=None):
        done = banditproof(*arguments, "--json", folder=folder)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return read


def value(listed, name, field="value"):
    return Enclosure.from_json({bound["name"]: bound for bound in listed["bounds"]}[name][field])


def test_two_gaussian_arms_need_eight_over_the_squared_gap(document):
    answer = document(*BAI, "1,0.5", "--family", "gaussian", "--delta", "0.1")
    assert value(answer, "kl", "time").contains(Fraction(8, 1) / Fraction(1, 4))
    assert answer["times"]["kl"]["allocation"] == pytest.approx([0.5, 0.5])


def test_the_minimax_bounds_are_the_printed_numbers(document):
    answer = document(*MINIMAX, "10000", "--arms", "10", "--epsilon", "0.01")
    assert float(value(answer, "minimax").lower) == pytest.approx(math.sqrt(9 * 10**4) / 27)
    assert float(value(answer, "view").lower) == pytest.approx(9 / (22 * 0.01))


def test_exact_values_fall_with_the_budget_and_stand_beside_the_printed_bounds(document):
    answer = document("bounds", "exact", "--means", "0.75,0.25", "--horizon", "3", "--ratio", "1,2,inf")
    assert [one["lower"] for one in answer["values"]] == ["3/4", "2/3", "1/2"]
    assert [one["upper"] for one in answer["values"]] == ["3/4", "2/3", "1/2"]
    assert not any(bound["refuted"] for one in answer["values"] for bound in one["bounds"])
    assert value(answer["values"][1], "two environments, view").upper < Fraction(2, 3)


def test_tables_ask_for_more_than_lists_where_delta_is_positive(document):
    asked = ("--means", "0.75,0.25", "--horizon", "4", "--ratio", "2", "--delta", "0.1")
    lists, tables = (document("bounds", "exact", *asked, "--notion", n)["values"][0] for n in ("view", "table"))
    assert Fraction(lists["upper"]) < Fraction(tables["lower"])


def test_one_list_of_means_stands_for_all_its_orders(document):
    one = document("bounds", "exact", "--means", "0.9,0.2,0.2", "--horizon", "2", "--ratio", "2")
    orders = [
        argument for k in range(3) for argument in ("--means", ",".join("0.9" if a == k else "0.2" for a in range(3)))
    ]
    assert document("bounds", "exact", *orders, "--horizon", "2", "--ratio", "2")["values"] == one["values"]


def test_the_coupling_of_many_coins_beats_the_product_of_maximal_couplings(document):
    answer = document(*COUPLING, "0.5", "--second", "0.4", "--copies", "100", "--rho", "0.1")
    assert value(answer, "theorem-4.8").contains(Fraction(109, 10))
    assert value(answer, "transport").upper < Fraction(101, 10)
    assert answer["couplings"]["hamming"]["exact"] == "10"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["0.3", "--second", "0.7"], lambda p, q: float(d_epsilon(p, q, "0.5"))),
        (["0", "--second", "1", "--family", "gaussian"], lambda p, q: float(Gaussian(p).d_epsilon(Gaussian(q), "0.5"))),
    ],
)
def test_divergences_of_two_laws_are_those_of_python(document, arguments, expected):
    answer = document("bounds", "divergence", "--first", *arguments, "--epsilon", "0.5")
    found = {row["divergence"]: Enclosure.from_json(row["value"]) for row in answer["divergences"]}
    assert float(found["d_epsilon"]) == pytest.approx(expected(arguments[0], arguments[2]), rel=1e-12)
    assert found["d_epsilon"] <= found["d_inf"] * Fraction(10**9 + 1, 10**9)  # R is free, or of the family
    assert found["d_epsilon"] < found["kl"] and found["d_epsilon"] < found["tv"] * Fraction(1, 2)


def normal(x):
    return erfc(-x / sqrt(2)) / 2


@pytest.mark.parametrize(
    ("options", "name", "value"),
    [
        ("--mechanism laplace --noise 2 --delta 0", "epsilon", 0.5),
        ("--mechanism laplace --noise 2 --count 3 --delta 0", "epsilon", 1.5),
        ("--mechanism geometric --noise 2 --sensitivity 3 --delta 0", "epsilon", 1.5),
        ("--mechanism randomised-response --noise 1 --delta 0", "epsilon", 1.0),
        ("--noise 1 --epsilon 1", "delta", normal(-0.5) - e * normal(-1.5)),
        ("--noise 2 --sensitivity 2 --epsilon 1", "delta", normal(-0.5) - e * normal(-1.5)),
        ("--noise 1 --rate 1/2 --epsilon 0", "delta", normal(0.5) - 0.5),
    ],
)
def test_privacy_is_accounted_for_as_closed_forms_say(document, options, name, value):
    lower, upper = Enclosure.from_json(document("bounds", "privacy", *options.split())[name]).floats
    assert lower - 1e-12 <= value <= upper + 1e-12 and upper - lower <= 1e-3 * value


def test_the_least_noise_keeps_the_budget_and_uses_it(document):
    mu = 1 / document("bounds", "privacy", "--epsilon", "1", "--delta", "1e-5")["noise"]
    spent = normal(mu / 2 - 1 / mu) - e * normal(-mu / 2 - 1 / mu)
    assert 0.99e-5 < spent <= 1e-5


WRITTEN = {
    "bounds regret --means 0.7,0.5 --epsilon 0.3": ("bound", "lai-robbins"),
    "bounds bai --means 0.9,0.5 --epsilon 0.3": ("bound", "kl"),
    "bounds minimax --horizon 1000 --arms 3 --epsilon 0.3": ("bound", "minimax"),
    "bounds coupling --first 0.5,0.4 --second 0.4,0.2 --epsilon 0.3": ("bound", "data-processing"),
    "bounds linear actions.csv --theta 1,0.5 --epsilon 0.3": ("constant", "non-private"),
    "bounds adversarial --arms 3 --horizon 1000 --epsilon 0.3": ("bound", "trivial"),
    "bounds exact --means 0.75,0.25 --horizon 2 --epsilon 0.5,inf": ("bound", "exact"),
    "bounds divergence --first 0.3 --second 0.7 --epsilon 0.5": ("divergence", "kl"),
    "design actions.csv": ("design", "G-optimal"),
}


@pytest.mark.parametrize("command", WRITTEN)
def test_bounds_are_written_as_rows_that_enclose_the_values(in_process, folder, command):
    done = in_process(*command.split(), "--csv", "out.csv", folder=folder)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader((folder / "out.csv").open(newline="")))
    (column, first) = WRITTEN[command]
    assert len(rows) > 1 and rows[0][column] == first
    bounds, others = [], []
    for row in rows:
        (others if row.get("applies") == "False" else bounds).append(row)
    assert bounds and all(float(row["lower"]) <= float(row["value"]) <= float(row["upper"]) for row in bounds)
    assert all(row["lower"] == row["value"] == row["upper"] == "" and row["why"] for row in others)
    if column == "design":
        assert [(row["row"], float(row["weight"])) for row in rows] == [("1", 0.5), ("2", 0.5)]
    assert in_process(*command.split(), "--csv", "out.csv", folder=folder).returncode == 0  # in place of the first


def test_the_rows_of_best_arm_bounds_have_the_time_of_the_game():
    rows = sample_complexity_lower_bound(["0.9", "0.8"], "0.1", epsilon="0.5").to_dict()
    for name, priced in (("private", "private"), ("d-epsilon", "d_epsilon")):
        game = characteristic_time(["0.9", "0.8"], epsilon="0.5", divergence=priced).value
        assert [rows[name][end] for end in ("time", "time_lower", "time_upper")] == [*game.to_dict().values()]


def test_the_linear_constant_of_orthonormal_actions_is_that_of_gaussian_arms(document, folder):
    answer = document("bounds", "linear", "actions.csv", "--theta", "1,0.5", folder=folder)
    assert Enclosure.from_json(answer["non-private"]["value"]).contains(Fraction(4))


def test_the_design_of_a_basis_is_uniform(document, folder):
    answer = document("design", "actions.csv", folder=folder)
    assert answer["weights"] == pytest.approx({"0": 0.5, "1": 0.5})
    said = json.loads(json.dumps(g_optimal_design([[1, 0], [0, 1]]).to_dict()))
    assert said["weights"] == answer["weights"] and said["value"]["lower"] <= 2 <= said["value"]["upper"]
    assert Enclosure.from_json(answer["gap"]).upper < Fraction(1, 10**9)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "arguments",
    [
        ["bounds", "regret", "--means", "0.7,0.5", "--epsilon", "0.3"],
        [*BAI, "0.9,0.5", "--epsilon", "0.3"],
        [*MINIMAX, "1000", "--arms", "3", "--epsilon", "0.3"],
        [*COUPLING, "0.5,0.4", "--second", "0.4,0.2", "--epsilon", "0.3"],
        ["bounds", "linear", "actions.csv", "--theta", "1,0.5", "--epsilon", "0.3"],
    ],
)
def test_a_plot_shows_the_bounds_and_marks_the_regimes_and_the_budget(in_process, arguments, folder):
    done = in_process(*arguments, "--plot", "out.svg", folder=folder)
    assert done.returncode == 0, done.stderr
    picture = (folder / "out.svg").read_text()
    assert all(text in picture for text in ("high privacy", "low privacy", "= 0.3", "privacy budget"))


@pytest.mark.parametrize(
    "asked",
    [
        [*BAI, "0.9,0.8", "--delta", "0.1", "--epsilon", "0.5"],
        ["bounds", "regret", "--means", "0.75,0.7", "--epsilon", "0.25", "--horizon", "1000"],
        [*MINIMAX, "1000", "--arms", "3", "--epsilon", "1"],
        ["bounds", "linear", "actions.csv", "--theta", "1,0.5", "--epsilon", "0.3"],
        ["bounds", "adversarial", "--arms", "3", "--horizon", "100", "--epsilon", "1"],
    ],
)
def test_beside_every_source_stands_the_verdict_on_it_and_nothing_is_cut_off(in_process, asked, folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    said, told = in_process(*asked, folder=folder).stdout, in_process(*asked, "--json", folder=folder)
    document = json.loads(told.stdout)
    for bound in document.get("bounds", document.values()):
        known = known_of(bound["source"])
        assert (bound["verdict"], bound["corrected"]) == (known.verdict, known.corrected) and known.verdict != "unknown"
        assert (f"{bound['source']} is refuted: " in said) == (known.verdict == "refuted")
    assert "…" not in said


def test_bounds_that_are_one_curve_have_one_line(in_process, folder):
    arguments = ["bounds", "regret", "--means", "0.75,0.7,0.7", "--epsilon", "0.25", "--plot", "out.svg"]
    assert in_process(*arguments, folder=folder).returncode == 0
    assert "d-epsilon = two-regime = d-inf" in (folder / "out.svg").read_text()


def test_simulated_regret_is_drawn_beside_its_bounds(banditproof, folder):
    asked = ["simulate", "--means", "0.7,0.5", "--horizon", "1e3", "--runs", "5", "--epsilon", "1", "--algorithm",
             "adap-ucb", "--algorithm", "dp-imed", "--plot", "out.svg"]  # fmt: skip
    assert banditproof(*asked, folder=folder).returncode == 0
    picture = (folder / "out.svg").read_text()
    drawn = ("adap-ucb: upper bound", "dp-imed: upper bound as T grows", ">lower bound as T grows", "in the limit")
    assert all(text in picture for text in drawn)


def test_a_simulation_prints_intervals_beside_bounds_and_is_the_same_for_any_number_of_workers(document, folder):
    asked = ["simulate", "--means", "0.7,0.5", "--horizon", "3000", "--runs", "25", "--epsilon", "1", "--seed", "4",
             "--algorithm", "adap-ucb", "--algorithm", "dp-imed"]  # fmt: skip
    one, two = (document(*asked, "--workers", n, folder=folder)["algorithms"] for n in (1, 2))
    assert one == two and set(one) == {"adap-ucb", "dp-imed"}
    low, high = one["adap-ucb"]["regret"]["mean_interval"]
    assert low < one["adap-ucb"]["regret"]["mean"] < high
    sides = {bound["side"] for bound in one["adap-ucb"]["bounds"]}
    assert sides == {"lower", "upper"}


def test_a_contextual_bandit_is_simulated(document, folder):
    (folder / "sets.csv").write_text("1,0\n0,1\n0.6,0.8\n1,0\n")
    given = [*CONTEXTUAL[:-1], "--arms", "2", "--theta", "0.9,0.1", "--law", "clipped"]
    for contexts, largest in (("sets.csv", 80.0), ("unit", 2 * 0.82**0.5 * 100)):
        answer = document(*given, "--contexts", contexts, folder=folder)["algorithms"]["adac-oful"]
        low, high = answer["regret"]["mean_interval"]
        assert 0 <= low <= answer["regret"]["mean"] <= high <= largest + 1e-9 and answer["bounds"] == []
    unbounded = document(*given, "--contexts", "gaussian", folder=folder)["algorithms"]["adac-oful"]["regret"]
    assert unbounded["mean_interval"] is None and unbounded["median"] > 0


def test_a_contextual_bandit_has_its_bound_where_its_assumptions_hold():
    def sides(contexts, theta, law):
        arms = ContextualArms(contexts, theta, None, law)
        policy = OFUL(len(arms.theta), horizon=100, bounded=False)
        return [(side, bound.name, bound.applies) for side, bound, _ in arms.bounds(policy, None, 100)]

    assert sides("unit", "0.6,0.8", "normal") == [("upper", "any contexts", True)]
    for other in (("gaussian", "0.6,0.8", "normal"), ("unit", "0.6,0.9", "normal"), ("unit", "0.6,0.8", "clipped")):
        assert sides(*other) == [("upper", "any contexts", False)]


def test_a_linear_bandit_is_simulated_beside_its_lower_bound(banditproof, document, folder):
    (folder / "unit.csv").write_text("x,y\n1,0\n0.6,0.8\n0,1\n")
    asked = ["simulate", "--actions", "unit.csv", "--theta", "0.8,0.3", "--horizon", "1e5", "--runs", "20",
             "--algorithm", "gope", "--algorithm", "adac-gope", "--rho", "0.5"]  # fmt: skip
    one, two = (document(*asked, "--workers", n, folder=folder) for n in (1, 2))
    assert one == two and one["theta"] and one["law"] == "normal"
    bound = one["algorithms"]["adac-gope"]["bounds"]
    assert [b["name"] for b in bound] == ["non-private"] and bound[0]["asymptotic"]
    assert one["algorithms"]["adac-gope"]["regret"]["mean"] > one["algorithms"]["gope"]["regret"]["mean"] > 0
    shown, signs = (banditproof(*asked, "--workers", 1, "--law", law, folder=folder) for law in ("normal", "signs"))
    assert "Normal rewards are unbounded" in shown.stdout
    assert signs.returncode == 0 and "are unbounded" not in signs.stdout


def test_a_simulation_writes_curves_and_picture_and_takes_up_what_was_finished(banditproof, folder):
    asked = ["simulate", "--means", "0.7,0.5", "--horizon", "1e3", "--runs", "20", "--rho", "1", "--workers", "1",
             "--algorithm", "adac-ucb", "--checkpoints", "done"]  # fmt: skip
    first = banditproof(*asked, "--csv", "out.csv", "--plot", "out.svg", folder=folder)
    assert first.returncode == 0 and "adac-ucb" in first.stdout and "The intervals assume nothing" in first.stdout
    with (folder / "out.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["run"] for row in rows} == {str(run) for run in range(20)}
    assert max(int(row["pulls"]) for row in rows) == 1000 and "adac-ucb" in (folder / "out.svg").read_text()
    files = sorted((folder / "done").iterdir())
    assert len(files) == 2
    files[0].unlink()
    again = banditproof(*asked, folder=folder)
    assert again.stdout == first.stdout and sorted((folder / "done").iterdir()) == files


def test_adversarial_bounds_are_shown_with_their_conditions(in_process):
    problem = ("--arms", 10, "--horizon", "1e8", "--epsilon", "0.1", "--experts", 8, "--delta", "1e-6")
    shown = in_process("bounds", "adversarial", *problem)
    assert shown.returncode == 0 and "The smallest upper bound that applies is experts-htinf." in shown.stdout
    listed = {
        b["name"]: b for b in json.loads(in_process("bounds", "adversarial", *problem, "--json").stdout)["bounds"]
    }
    assert listed["htinf"]["source"] == "ADV-C2" and listed["htinf"]["applies"]
    assert not listed["prior"]["applies"] and "constant is not printed" in listed["prior"]["why"]


def test_algorithms_play_against_fixed_losses_beside_their_bounds(banditproof, folder):
    (folder / "mine.csv").write_text("1,0\n" * 300, encoding="utf-8")
    asked = ("simulate", "--losses", "mine.csv", "--algorithm", "htinf", "--epsilon", "0.5", "--horizon", 300)
    shown = banditproof(*asked, "--runs", 20, folder=folder)
    assert shown.returncode == 0 and "Regret on mine.csv: 300 rounds, 2 arms" in shown.stdout
    assert "ADV-C2" in shown.stdout and "prior-local" in shown.stdout
    answer = json.loads(banditproof(*asked, "--runs", 20, "--json", folder=folder).stdout)["algorithms"]["htinf"]
    low, high = answer["mean_interval"]
    assert 0 <= answer["median"] <= 300 and low < answer["mean"] < high and answer["bound"]["source"] == "ADV-C2"


def test_equal_runs_are_not_lifted_by_rounding():
    quantile = np.full(3, 2.7)
    drawn = {"rounded": (quantile * (1 + 2.0**-52), quantile, quantile), "lifted": (quantile * 2, quantile, quantile)}
    assert simulating._lifted(drawn) == ["lifted"]


def test_rates_are_drawn_with_their_exponents(in_process, folder):
    asked = "simulate --losses needle --algorithm htinf --epsilon 1 --horizon 256 --runs 4 --plot rates.svg --json"
    result = in_process(*asked.split(), folder=folder)
    answer = json.loads(result.stdout)["algorithms"]["htinf"]
    exponent, low, high = answer["exponent in rounds, at epsilon 1"]
    drawn = (folder / "rates.svg").read_text(encoding="utf-8")
    assert low <= exponent <= high < 1 and "htinf: exponent" in drawn and "prior rate" in drawn


def test_what_takes_long_is_said_before(capsys, monkeypatch):
    monkeypatch.setattr(bounds, "SOON", 0.0007)
    bounds.say_how_long(Instance(means=["0.9", "0.8", "0.8"]))
    assert capsys.readouterr().err == ""
    bounds.say_how_long(Instance(means=["0.9", "0.8", "0.7"]))
    assert capsys.readouterr().err == "the bounds of 3 different arms take about 1 s\n"


def test_couplings_of_many_coordinates_say_how_long_they_take(capsys, monkeypatch):
    monkeypatch.setattr(coupling, "SOON", 0.0)
    coupling.print_coupling_bounds("0.5", "0.4", "10", "0.1", None, True, None, None, None)
    assert capsys.readouterr().err == "the couplings of 10 coordinates take about 0 s\n"


def test_designs_in_many_dimensions_say_how_long_they_take(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(linear, "SOON", 0.0)
    (tmp_path / "actions.csv").write_text("1,0\n0,1\n")
    linear.print_design(tmp_path / "actions.csv", "1e-9", False, True, None, None)
    assert capsys.readouterr().err == "a design in 2 dimensions takes about 0 s\n"


def test_what_looks_at_every_arm_at_every_pull_says_how_long_that_may_take(capsys):
    simulating.check_looks("ucb", 10**5, 100, 10)
    assert capsys.readouterr().err == ""
    simulating.check_looks("ucb", 10**6, 100, 100)
    assert capsys.readouterr().err == "ucb computes with every arm at every pull, which takes up to 9 min\n"


def test_off_a_terminal_progress_is_a_line_every_tenth_or_ten_seconds(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(simulating, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def lines(seconds, steps):
        with simulating.watched("ucb", "pulls") as show:
            for done in steps:
                now[0] += seconds
                show(done, 100)
        return capsys.readouterr().err.splitlines()

    assert lines(0.5, range(1, 101)) == [f"ucb: {tenth}0 of 100 pulls" for tenth in range(1, 11)]
    assert lines(1, [0] * 25) == ["ucb: 0 of 100 pulls"] * 2
    assert lines(0, [100]) == []


def test_off_a_terminal_a_line_says_that_the_first_chunk_is_under_way(capsys, monkeypatch):
    quiet = Event()
    monkeypatch.setattr(simulating, "Event", lambda: SimpleNamespace(wait=lambda _: quiet.wait(0.01), set=quiet.set))
    with simulating.watched("ucb", "chunks of runs"):
        time.sleep(0.2)
    assert capsys.readouterr().err.splitlines()[0] == "ucb: at work for 0 s"


@pytest.mark.parametrize("command", ["regret --means 0.9,0.8 --horizon 100", "bai --means 0.9,0.8"])
def test_several_budgets_give_what_each_gives_alone(command, folder, in_process):
    def printed(budgets, *more):
        return in_process("bounds", *command.split(), "--epsilon", budgets, *more).stdout

    together = json.loads(printed("0.1,1/2,inf", "--json", "--csv", str(folder / "out.csv")))
    assert together == [json.loads(printed(budget, "--json")) for budget in ("0.1", "1/2", "inf")]
    rows = (folder / "out.csv").read_text().splitlines()
    assert len(rows) == 1 + sum(len(one["bounds"]) for one in together)


@pytest.mark.parametrize("budgets", ["1", "0.1,1"])
@pytest.mark.parametrize("command", ["regret --means 0.9,0.8", "bai --means 0.9,0.8", "minimax --arms 3 --horizon 100"])
def test_every_name_of_a_bound_is_explained(command, budgets, in_process):
    asked = ["bounds", *command.split(), "--epsilon", budgets if "means" in command else "1"]
    answer = json.loads(in_process(*asked, "--json").stdout)
    bounds = (answer[0] if isinstance(answer, list) else answer)["bounds"]
    text = " ".join(in_process(*asked).stdout.split())
    assert len(bounds) > 4 and all(f"{bound['name']}: {bound['formula']}; " in text for bound in bounds)
