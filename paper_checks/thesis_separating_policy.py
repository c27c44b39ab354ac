"""Appendix A of the thesis: the policy of three steps that is View but not Table private."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.numeric import exp, to_ball
from banditproof.verify.kernels import FiniteKernel, History, Row, replacements, reward_lists, reward_tables
from banditproof.verify.output_laws import table_law, view_law
from banditproof.verify.policy_privacy import EventWitness, privacy_curve

FIRST = "2/3"
SECOND = "1/2 1/3 1/4 1/3"
THIRD = "1/2 1/3 1/4 1/5 1/2 2/3 1/4 0 1/3 1/7 3/4 2/5 1/2 1 1/4 2/3"


@cache
def printed_policy() -> FiniteKernel:
    """The printed rows; the history (a_1, r_1, a_2, r_2), read as a binary number, is the row."""

    def probability(history: History) -> Row:
        rows = (FIRST, SECOND, THIRD)[len(history)].split()
        first = Fraction(rows[int("0" + "".join(f"{a}{r}" for a, r in history), 2)])
        return first, 1 - first

    return FiniteKernel(3, 2, (0, 1), probability)


@cache
def curve(notion: str) -> tuple[EventWitness, ...]:
    """The pieces of delta(e^epsilon) of the printed policy."""
    return privacy_curve(printed_policy(), notion)


def smallest_ratio(notion: str, delta: Fraction) -> Fraction:
    """e^epsilon of the smallest epsilon at this delta."""
    return max(
        (Fraction(piece.left - delta) / piece.right if piece.right else Fraction(1) for piece in curve(notion)),
        default=Fraction(1),
    )


parts_decide(
    "TH-S3.App-e",
    r"The printed policy ($T = 3$, $K = 2$, binary rewards) is $(0.95, 0.17)$-View DP and not $(0.95, 0.17)$-Table DP; "
    r"the smallest $\varepsilon_0$ such that it is $(\varepsilon_0, 0.17)$-Table DP is $0.98$, to the digits printed.",
)


def worked_examples(first: Fraction, second: Fraction) -> tuple[Any, str, Any]:
    pi = printed_policy()
    return (pi.probability(((1, 0),))[0], pi.probability(((0, 1), (1, 1)))[0]), "==", (first, second)


@claim(
    "TH-S3.App-e/examples",
    r"After history $\{1, 0\}$ arm 0 has probability $<first>$, after $\{0, 1, 1, 1\}$ it has $<second>$.",
    constants={"first": "1/4", "second": 0},
    mutations=[mutation("row 1 for the first history", first="1/3")],
    strongest="enumeration",
)
def index_of_a_history(check: Check) -> None:
    """The binary index against the two worked examples."""
    if not check.counterexample(worked_examples, {}, rational=True):
        check.enumerate(worked_examples, [{}], rational=True, routes=("binary index", "worked example"))


@cache
def worst_of_all_events(notion: str, ratio: Fraction) -> Fraction:
    """delta by visiting all 256 events and all pairs of neighbours, as the text does."""
    pi = printed_policy()
    inputs = list(reward_lists(pi) if notion == "view" else reward_tables(pi))
    choices = pi.rewards if notion == "view" else tuple((r, s) for r in pi.rewards for s in pi.rewards)
    run: Any = view_law if notion == "view" else table_law
    law = {x: run(pi, x) for x in inputs}
    words = list(pi.action_sequences())
    events = list(chain.from_iterable(combinations(words, k) for k in range(len(words) + 1)))
    worst = Fraction(0)
    for left in inputs:
        for right in replacements(left, choices):
            excess = {a: law[left][a] - ratio * law[right][a] for a in words}
            worst = max(worst, *(sum((excess[a] for a in event), Fraction(0)) for event in events))
    return worst


def delta_by_both_routes(notion: str, ratio: Fraction, factor: Fraction) -> tuple[Any, str, Any]:
    found = max(Fraction(0), *(piece.excess(ratio) for piece in curve(notion)))
    return worst_of_all_events(notion, ratio), "==", factor * found


@claim(
    "TH-S3.App-e/all-events",
    r"Checking all $2^8$ events and all neighbouring pairs gives $<factor>$ times the $\delta(\varepsilon)$ found "
    r"prefix by prefix.",
    role="step",
    constants={"factor": 1},
    mutations=[mutation("factor 1.01", factor="1.01")],
    strongest="enumeration",
)
def all_events_and_neighbours(check: Check) -> None:
    """The two programs at three values of e^epsilon, among them rationals on either side of e^0.95."""
    ratios = (Fraction(1), Fraction(5, 2), Fraction(13, 5))
    points = [{"notion": n, "ratio": r} for n in ("view", "table") for r in ratios]
    if check.constants["factor"] != 1:
        check.search(delta_at_one, [{}], rational=True)
        return
    check.enumerate(delta_by_both_routes, points, rational=True, routes=("all events", "prefix by prefix"))


def delta_at_one(factor: Fraction) -> tuple[Any, str, Any]:
    return delta_by_both_routes("view", Fraction(1), factor)


def delta_at(notion: str, epsilon: Any) -> Any:
    """delta(epsilon) as a ball: the largest excess over the pieces of the curve."""
    excesses = [to_ball(piece.left) - exp(epsilon) * to_ball(piece.right) for piece in curve(notion)]
    largest = to_ball(0)
    for excess in excesses:
        largest = largest.max(excess)
    return largest


def view_needs(epsilon: Fraction, delta: Fraction) -> tuple[Any, str, Any]:
    return delta_at("view", epsilon), "<=", delta


def table_needs(epsilon: Fraction, delta: Fraction) -> tuple[Any, str, Any]:
    return delta_at("table", epsilon), ">", delta


@claim(
    "TH-S3.App-e/view",
    r"The policy is $(<epsilon>, <delta>)$-View DP.",
    constants={"epsilon": "0.95", "delta": "0.17"},
    mutations=[mutation("epsilon 0.94", epsilon="0.94"), mutation("delta 0.165", delta="0.165")],
    strongest="enumeration",
)
def policy_is_view_private(check: Check) -> None:
    """The largest excess of an event over all lists at e^0.95 in balls (the smallest epsilon is log(3597/1400))."""
    _settle(check, view_needs)


@claim(
    "TH-S3.App-e/not-table",
    r"The policy is not $(<epsilon>, <delta>)$-Table DP.",
    constants={"epsilon": "0.95", "delta": "0.17"},
    mutations=[mutation("epsilon 0.99", epsilon="0.99"), mutation("delta 0.18", delta="0.18")],
    strongest="enumeration",
)
def policy_is_not_table_private(check: Check) -> None:
    """The largest excess of an event over all tables at e^0.95 in balls (the smallest epsilon is log(4347/1625))."""
    _settle(check, table_needs)


def rounds_to(epsilon: Fraction, digit: Fraction) -> tuple[Any, str, Any]:
    """The distance of the smallest epsilon over tables from the printed one, against half a unit of its last digit."""
    return abs(to_ball(smallest_ratio("table", Fraction(17, 100))).log() - to_ball(epsilon)), "<=", to_ball(digit) / 2


@claim(
    "TH-S3.App-e/smallest",
    r"The smallest $\varepsilon_0$ at $\delta = 0.17$ over tables is $<epsilon>$ to two decimals.",
    constants={"epsilon": "0.98", "digit": "0.01"},
    mutations=[mutation("0.97", epsilon="0.97"), mutation("0.99", epsilon="0.99")],
    strongest="enumeration",
)
def smallest_epsilon_over_tables(check: Check) -> None:
    """log(4347/1625) = 0.98398 in balls."""
    _settle(check, rounds_to)


def private_at(epsilon: Fraction) -> tuple[Any, str, Any]:
    return to_ball(smallest_ratio("table", Fraction(17, 100))), "<=", exp(epsilon)


@claim(
    "TH-S3.App-e/exactly",
    r"Read exactly, the policy is $(<epsilon>, 0.17)$-Table DP.",
    role="reading",
    constants={"epsilon": "0.98"},
    strongest="enumeration",
)
def smallest_epsilon_read_exactly(check: Check) -> None:
    """The smallest e^epsilon is 4347/1625, a little above e^0.98: the printed number is rounded down."""
    check.counterexample(private_at, {})


@claim(
    "TH-S3.App-e/rounded-up",
    r"The policy is $(<epsilon>, 0.17)$-Table DP.",
    role="repair",
    repairs="TH-S3.App-e/exactly",
    constants={"epsilon": "0.984"},
    mutations=[mutation("0.983", epsilon="0.983")],
    strongest="enumeration",
)
def smallest_epsilon_rounded_up(check: Check) -> None:
    """The smallest e^epsilon in rationals against e^0.984 in balls."""
    _settle(check, private_at)


def _settle(check: Check, relation: Any) -> None:
    """One comparison of constants: confirmed, or a counterexample."""
    if not check.counterexample(relation, {}):
        check.enumerate(relation, [{}], routes=("exact smallest e^epsilon", "exponential in balls"))
