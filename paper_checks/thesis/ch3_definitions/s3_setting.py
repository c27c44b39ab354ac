"""Sections 3.1 and 3.2, page 56: users and a policy, what its published actions tell, and what the policy sees."""

from fractions import Fraction
from itertools import product

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.ch3_definitions.facts import coins
from banditproof.paper_checks.thesis.facts.bandits import PolicyAndLaws, expected, means, on_bandits
from banditproof.verify import FiniteKernel, history_law, random_kernel, view_law
from banditproof.verify.finite.kernels import History


@claim("TH-S3.1/cured-patients", on_bandits("outcomes", "regret"), false={"factor": "0.99"})
def cured_patients(policy: PolicyAndLaws, horizon: Count, arms: Count, factor=1):
    r"""Expected number of cured patients $=(T\mu^\star-\mathrm{Reg}_T)$."""
    laws = coins(policy, arms)
    law, mu = history_law(random_kernel(policy, horizon, arms), laws), means(laws)
    regret = expected(law, lambda history: sum(max(mu) - mu[arm] for arm, _ in history))
    return expected(law, lambda h: sum(reward for _, reward in h)), "==", factor * (horizon * max(mu) - regret)


@claim("TH-S3.1/outcomes-given-away", enumerated(horizon=range(2, 6), rational=True), false={"variation": "0.5"})
def outcomes_given_away(horizon: TwoOrMore, variation=1):
    r"""Win-stay, lose-shift publishes actions from which each outcome but the last is read off: total variation 1
    whenever one differs."""

    def row(history: History) -> tuple[Fraction, ...]:
        arm = (history[-1][0] + (history[-1][1] == 0)) % 2 if history else 0
        return (Fraction(arm == 0), Fraction(arm == 1))

    kernel = FiniteKernel(horizon, 2, (0, 1), row)
    least = Fraction(1)
    for rewards in product((0, 1), repeat=horizon):
        for t in range(horizon - 1):
            flipped = (*rewards[:t], 1 - rewards[t], *rewards[t + 1 :])
            left, right = view_law(kernel, rewards), view_law(kernel, flipped)
            least = min(least, sum((abs(left[a] - right[a]) for a in left), Fraction(0)) / 2)
    return least, "==", variation
