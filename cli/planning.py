"""``banditproof plan``: how many runs a test of a probability needs, before it runs."""

from __future__ import annotations

from fractions import Fraction

from banditproof.cli.arguments import integer, number
from banditproof.cli.documents import print_document
from banditproof.cli.statuses import Status
from banditproof.theory.errors import InvalidInput
from banditproof.theory.hints import hint
from banditproof.verify.proof.statistics import MOST_TRIALS, chance, detectable, trials_needed

OTHER = {"<=": ">=", ">=": "<="}


def plan_test(
    at_most: str | None,
    at_least: str | None,
    actual: str,
    error: str,
    power: str,
    tests: str,
    runs: str | None,
    as_json: bool,
) -> int:
    """Print how many runs settle whether the probability of an event is as claimed, if it is `actual`.

    A test of a claim passes where the whole exact interval of the probability obeys it, and fails where no point does.
    With `runs` the exit status is 1 where so many cannot settle it with this power.
    """
    if (at_most is None) == (at_least is None):
        raise InvalidInput("claim", "none" if at_most is None else "two", "exactly one of --at-most and --at-least")
    operator = "<=" if at_most is not None else ">="
    name, text = ("at-most", at_most) if at_most is not None else ("at-least", at_least)
    claimed, truth = _share(name, str(text)), _share("actual", actual)
    share = _share("error", error, inner=True) / integer("tests", tests, 1, 10**9)
    wanted = float(_share("power", power, inner=True))
    if wanted <= share:
        hint(f"the power {power} is not above the error {error}: is each in the other's place?")
    given = None if runs is None else integer("runs", runs, 1, MOST_TRIALS)
    passes = truth <= claimed if operator == "<=" else truth >= claimed
    against = OTHER[operator] if passes else operator  # what the runs have to contradict
    needed = trials_needed(claimed, against, share, truth, wanted)
    least = trials_needed(claimed, OTHER[operator], share, Fraction(operator == ">="), 0.5)
    plan = {
        "claim": f"probability {operator} {claimed}",
        "actual": truth,
        "outcome": "passes" if passes else "fails",
        "runs": needed,
        "fewest runs that can pass": least,
        "power with the runs given": None if given is None else chance(given, claimed, against, share, truth),
    }
    enough = needed is not None and (given is None or plan["power with the runs given"] >= wanted)
    status = Status.OK if enough else Status.VIOLATION
    if as_json:
        print_document(plan)
        return status
    print(f"claim: the probability is at {'most' if operator == '<=' else 'least'} {text}, and your guess is {actual}")
    print(f"error {error} shared by {tests} test{'s' * (tests != '1')}, exact binomial intervals")
    if needed is None:
        reason = (
            "the claim holds with equality"
            if truth == claimed
            else "your guess is too close to the claimed probability"
        )
        print(f"no number of runs up to {MOST_TRIALS:.0e} settles this with power {power}: {reason}")
    else:
        print(f"{needed} runs are enough: then the test {plan['outcome']} with probability at least {power}")
    if least is None:
        print("the test can never pass, because no confidence interval lies on the claimed side")
    else:
        print(f"the test cannot pass with fewer than {least} runs, whatever their outcome")
    if given is not None:
        reached = plan["power with the runs given"]
        print(f"with {given} runs it {plan['outcome']} with probability {reached:.3g}")
        seen = detectable(given, claimed, operator, share, wanted)
        if seen in (0, 1):
            print(f"with {given} runs, no violation can be detected with power {power}")
        else:
            edge = f"{'least' if operator == '<=' else 'most'} {seen:.4g}"
            print(f"with {given} runs, a violation is detected with power {power} if the true probability is at {edge}")
    return status


def _share(name: str, text: str, inner: bool = False) -> Fraction:
    """A probability, exactly; an `inner` one is neither 0 nor 1."""
    value = Fraction(number(name, text))
    if not 0 <= value <= 1 or inner and value in (0, 1):
        raise InvalidInput(name, text, "a number in (0, 1)" if inner else "from 0 to 1")
    return value
