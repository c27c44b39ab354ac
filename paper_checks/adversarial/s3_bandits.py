"""Section 3: the conversion of a bandit algorithm, its privacy and its utility."""

from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.claims.recorded_runs import BUGS
from banditproof.claims.register import claim, item, restate
from banditproof.claims.sets import AboveZero, AtLeastOne, Count, Sides
from banditproof.claims.steps import enumerated, fails_at, pick, symbolic, tried_at
from banditproof.theory import Budget
from banditproof.verify import SymbolicArgument, nonnegative
from banditproof.verify.runs.alignment import find_violation
from banditproof.verify.runs.planted import PLANTED, plant

Learners = Annotated[Any, "all: every bandit algorithm"]
Lists = Annotated[Any, "all: every sequence of losses"]


def converted(learner: str, batch: int, bug: str) -> Any:
    """Builds Algorithm 1 around a learner on three arms, epsilon = 1/2, with a planted bug where one is named."""
    from banditproof.algorithms.adversarial.conversion import PrivateBatches
    from banditproof.algorithms.adversarial.learners import EXP3, FTPL, HTINF

    def make(noise: Any, generator: np.random.Generator) -> Any:
        learners = {
            "EXP3": lambda: EXP3(3, generator, rate=0.5, mixing=0.3),
            "FTPL": lambda: FTPL(3, generator, rate=0.5, cap=20),
            "HTINF": lambda: HTINF(3, generator, sigma=6**0.5),
        }
        return PrivateBatches(learners[learner](), Budget.pure(0.5), noise, batch=batch)

    return make if bug == "none" else plant(PLANTED[bug], make)


item("ADV-L3", r"For every $\mathcal B$, $\tau\ge1$ and $\varepsilon\le1$, Algorithm 1 is $\varepsilon$-DP.")

RUNS = [
    {"learner": learner, "tau": tau, "T": T, "losses": seed}
    for seed in range(10)
    for learner in ("EXP3", "HTINF", "FTPL")
    for tau, T in ((1, 40), (2, 61), (7, 90))
]


@claim(
    "ADV-L3/recorded-runs",
    enumerated(pick(RUNS[:18], RUNS), rational=True, routes=("recorded run", "replay on neighbours")),
    false=BUGS,
    role="part",
)
def runs_of_the_conversion(learner: Learners, tau: Count, T: Count, losses: Lists, bug="none") -> Sides:
    r"""Recorded on sequences of losses and replayed on neighbours with the same releases, Algorithm 1 at
    $\varepsilon=\frac12$ shows no violation (planted bug: <bug>), whether or not $\tau$ divides $T$."""
    report = find_violation(converted(learner, int(tau), bug), int(T), Budget.pure(0.5), int(losses), lists=3)
    return 0 if report is None else len(report.violations), "==", 0


@claim("ADV-S3.2", symbolic(), false={"power": 2})
def sensitivity_of_a_mean(tau: AtLeastOne, epsilon: AboveZero, power=1):
    r"""The mean of $\tau$ losses has sensitivity $\frac1\tau$, so noise of scale $\frac1{\tau^{<power>}\varepsilon}$
    costs $\frac{1/\tau}{1/(\tau\varepsilon)}\le\varepsilon$."""
    return (1 / tau) / (1 / (tau**power * epsilon)), "<=", epsilon


item(
    "ADV-T1",
    r"(a) $\mathrm R\le\tau\tilde{\mathrm R}_{\mathcal B}(\frac T\tau,K,\frac1{\varepsilon\tau})+\tau$ for every "
    r"$\tau\ge1$; "
    r"(b) with $\tau=\lceil\frac1\varepsilon\rceil$ it is at most $\frac2\varepsilon\tilde{\mathrm R}_{\mathcal B}"
    r"(\varepsilon T,K,1)+\frac2\varepsilon$.",
    rests_on=["ADV-L3"],
)


def rounded_up() -> SymbolicArgument:
    """epsilon = 1/(1 + r), and the ceiling below 2 + r."""
    r, share = nonnegative("r"), nonnegative("s")
    epsilon = 1 / (1 + r)
    tau = 1 + r + share / (1 + share)
    return SymbolicArgument({"epsilon": epsilon, "tau": tau}, r + 1 / (1 + share), "positive")


@claim(
    "ADV-T1/ceiling",
    tried_at(epsilon=[1, "99/100"], tau=[1, 2]),
    symbolic(rounded_up),
    false={"twice": "19/10"},
    where=["tau*epsilon >= 1", "tau*epsilon < 1 + epsilon"],
    role="part",
)
def ceiling_at_most_twice(epsilon: AboveZero, tau: AtLeastOne, twice=2):
    r"""(b): $\lceil\frac1\varepsilon\rceil\le<twice>\frac1\varepsilon$ for $\varepsilon\le1$."""
    return tau, "<=", twice / epsilon


@claim("ADV-T1/batch-not-whole", fails_at(T=10, rational=True), role="reading")
def batches_that_never_end(T: Annotated[Any, "integer [4, inf)"], tau=Fraction(3, 2)):
    r"""(a) for $\tau=<tau>$, with Algorithm 1 as printed, a learner that leaves an arm after its first loss above
    zero, and $\ell_t=(1,0)$: its regret $T$ is at most $2\tau+\tau$.

    'Every tau >= 1' leaves open whether whole numbers are meant. 't = j tau' fails at j = 1 for 3/2, so j stays 1,
    nothing is fed back and the first action is played throughout; with noise small enough to be ignored such a learner
    has a noisy regret of at most 2.
    """
    return T, "<=", 2 * tau + tau


item(
    "ADV-C2",
    r"For $\varepsilon\in[\frac1T,1]$ the HTINF conversion is $\varepsilon$-DP with regret "
    r"$O(\sqrt{\frac{TK}\varepsilon}+"
    r"\frac1\varepsilon)$; from its proof $208\sqrt{\frac{TK}\varepsilon}+\frac2\varepsilon$.",
    rests_on=["ADV-L3", "ADV-EQD.3"],
)

restate("ADV-C2/constant", "ADV-EQD.3", role="part", restricted="to the arithmetic that follows Theorem 21")
