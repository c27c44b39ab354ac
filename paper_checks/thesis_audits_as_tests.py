"""Section 2.3.7 of the thesis: audits as hypothesis tests, and what an auditor of a learning algorithm may see."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation
from banditproof.paper_checks.thesis_auditing import AUDITS, audit_points, counts, estimate, radius, tight_ratio
from banditproof.verify.channels import FiniteChannel, post_process, total_variation
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import random_law


def single_test_error(T: int, p_0: Fraction, p_1: Fraction, gamma: Fraction, guess: Fraction, scale: Fraction) -> Any:
    """Pr(the test of guess-DP rejects and guess exceeds the truth): output log(guess) on rejection, else 0."""
    width, truth = radius(T, gamma, Fraction(4), scale), tight_ratio(p_0, p_1)
    total = Fraction(0)
    for k, x in enumerate(counts(T, p_0)):
        for j, y in enumerate(counts(T, p_1)):
            rejected = estimate(Fraction(k, T), Fraction(j, T), (width, width), Fraction(0)) > guess
            total += x * y if rejected and guess > truth else 0
    return total, "<=", gamma


@claim(
    "TH-S2.3e",
    r"Test $H_0$: '$\varepsilon_0$-DP' at level $\gamma$ (radii $<scale>$ times Hoeffding's) and output "
    r"$\varepsilon_0$ when it is rejected: $\gamma$-correct.",
    domain=AUDITS.restrict(guess="[1, inf)"),
    constants={"scale": 1},
    mutations=[mutation("a tenth of the radii", scale="1/10")],
    strongest="enumeration",
)
def audit_as_a_test(check: Check) -> None:
    """If epsilon_0 exceeds the tightest epsilon then H_0 holds and is rejected with probability at most gamma."""
    points = [{**p, "guess": r} for p in audit_points((5, 20)) for r in (Fraction(101, 100), Fraction(2), Fraction(5))]
    check.enumerate(single_test_error, points, rational=True, routes=("exact error probability", "gamma"))


def repeated_tests(tests: int, gamma: Fraction) -> tuple[Any, str, Any]:
    """Tests of growing guesses, all above the truth, on fresh runs: each rejects with probability gamma."""
    return 1 - (1 - gamma) ** tests, "<=", gamma


@claim(
    "TH-S2.3e/until-rejected",
    r"Read as a loop that raises $\varepsilon_0$ after each test that does not reject, on fresh runs at level "
    r"$\gamma$, until one rejects: $\gamma$-correct.",
    role="reading",
    domain=Domain.of(tests="integer [1, inf)", gamma="(0, 1)"),
    strongest="enumeration",
)
def tests_until_one_rejects(check: Check) -> None:
    """Two tests of true hypotheses with the full error probability already spend nearly twice gamma."""
    check.counterexample(repeated_tests, {"tests": 2, "gamma": Fraction(1, 20)}, rational=True)


def shared_tests(tests: int, gamma: Fraction, share: Fraction) -> tuple[Any, str, Any]:
    """The same with level gamma/tests each."""
    return 1 - (1 - share * gamma / tests) ** tests, "<=", gamma


@claim(
    "TH-S2.3e/shared",
    r"With $m$ tests at level $<share>\,\gamma/m$ each the loop is $\gamma$-correct.",
    role="repair",
    repairs="TH-S2.3e/until-rejected",
    domain=Domain.of(tests="integer [1, inf)", gamma="(0, 1)"),
    constants={"share": 1},
    mutations=[mutation("twice the level", share=2)],
    strongest="enumeration",
)
def tests_that_share_the_level(check: Check) -> None:
    """Bernoulli's inequality, in rationals."""
    over = {"tests": [1, 2, 5, 50], "gamma": [Fraction(1, 100), Fraction(1, 20), Fraction(9, 10)]}
    check.enumerate(shared_tests, over, rational=True, routes=("probability of a false rejection", "gamma"))


# -- threat models --------------------------------------------------------------------------------------------


def iterates_tell_more(mechanism: int, factor: Fraction) -> tuple[Any, str, Any]:
    """Noisy gradient descent with two steps on a quadratic loss: the last parameter against all of them."""
    noise = random_law(mechanism, "noise", 3)
    laws = {}
    for record in (0, 1):
        law: dict[tuple[Fraction, ...], Fraction] = {}
        for first, p in enumerate(noise):
            one = Fraction(record, 2) + first - 1  # from 0: theta - (theta - record)/2, plus noise
            for second, q in enumerate(noise):
                path = one, one - (one - record) / 2 + second - 1
                law[path] = law.get(path, Fraction(0)) + p * q
        laws[record,] = law
    outputs = set(laws[0,]) | set(laws[1,])
    whole = FiniteChannel(1, (0, 1), {d: {o: law.get(o, Fraction(0)) for o in outputs} for d, law in laws.items()})
    last = post_process(whole, lambda path: {path[1]: Fraction(1)})  # type: ignore[index]
    gains = [total_variation(c.laws[0,], c.laws[1,]) for c in (last, whole)]
    return gains[0], "<=", factor * gains[1]


@claim(
    "TH-S2.3f",
    r"With $\theta_t=\theta_{t-1}-\eta\nabla\ell(\theta_{t-1},d)$ (plus noise) the auditor who sees only the last "
    r"parameter has at most $<factor>$ times the advantage of the one who sees all iterates.",
    domain=Domain.of(mechanism="all: every noise"),
    constants={"factor": 1},
    mutations=[mutation("a half", factor="1/2")],
    strongest="enumeration",
)
def threat_models(check: Check) -> None:
    """Total variation between two records, for two noisy steps on a quadratic loss, exactly."""
    check.enumerate(
        iterates_tell_more,
        [{"mechanism": s} for s in range(20)],
        rational=True,
        routes=("last parameter", "all iterates"),
    )
