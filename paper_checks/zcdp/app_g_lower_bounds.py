"""Appendix G: group privacy, the proofs of Theorems 6 to 8, and the minimax bounds (Theorems 17 and 9)."""

from typing import Any

from banditproof.claims.language import *
from banditproof.claims.sets import domain_of

EVERY_POLICY_DECOMPOSITION = Domain.of(policy="all: every policy", environment="all: every pair of bandits")


item(
    "ZCDP-PF14",
    "Proof of Theorem 8: data processing (27), the chain rule along histories, Theorem 1, and (a)-(d) which "
    r"compute $\mathbb E[d_{\rm Ham}^2]$ given all actions.",
    domain=EVERY_POLICY_DECOMPOSITION,
    twins=["TH-A4.CE"],
)


def product_bound(pulls: int, t: Any) -> Any:
    """The bound of Theorems 7 and 8 over rho for `pulls` rewards of variation t."""
    return (pulls * t) ** 2 + pulls * t * (1 - t)


@claim("ZCDP-R11/square-only", fails_at(pulls=1, t="1/1000", rational=True), role="reading")
def square_only(pulls: Count, t: Probability, factor=100):
    r"""For every total variation the bound is at most $100\,\rho S^2$.

    The number of differing rewards is random, and for small t its second moment is close to its mean.
    """
    return product_bound(pulls, t), "<=", factor * (pulls * t) ** 2


@claim("ZCDP-R11/from-one-expected-difference-on", deduced(), false={"factor": "1.5"}, where=["pulls * t >= 1"])
def from_one_expected_difference_on(pulls: TwoOrMore, t: BelowOne, factor=2):
    r"""Where $S=nt\ge1$ (and $n>1$) the bound is at most $2\,\rho S^2$."""
    return square_only(pulls, t, factor)


item(
    "ZCDP-R11",
    r"The bound of Theorem 8 depends on the total variation squared, that of pure DP linearly: $\rho(S^2+\dots)$ "
    r"against $\epsilon S$ with $S=\sum_tt_{a_t}$, which is said of what grows with $S$: here where $S\ge1$. It "
    "compares the two bounds as they are printed, whether they hold or not.",
    domain=domain_of(from_one_expected_difference_on, where=["pulls * t >= 1"]),
)


COUNT = "$N_i$ is the number of rounds in which the sign of coordinate $i$ is wrong."
restate(
    "ZCDP-PF15/step-markov",
    "TH-T4.21/step-markov",
    r"(Step 1) 'A direct application of Markov's inequality': $\frac1{T\sqrt\rho}\mathbb E_\theta[N_i]\ge"
    r"\frac{1}{\sqrt\rho}\mathbb M_\theta(N_i\ge\frac T2)$. " + COUNT,
    role="part",
    notes=r"""Markov's inequality gives $\mathbb E[N_i]\ge\frac T2\mathbb M(N_i\ge\frac T2)$. The display loses a factor
    $\frac12$, and with it Theorem 9 would have $8$ in place of $4$. One wrong sign in two rounds is a counterexample.

    The actions are those of one coordinate, whatever the rewards are; both sides are multiplied by the root of the
    budget.""",
)
restate(
    "ZCDP-PF15/step-regret-to-testing",
    "TH-T4.21/step-regret-to-testing",
    r"(Step 1, first and last line) $\mathrm{Reg}_T(\mathcal A,\theta)\ge\frac{1}{\sqrt\rho}\sum_i\mathbb "
    r"M_\theta(N_i\ge\frac T2)$ on $\{\pm\frac1{T\sqrt\rho}\}^d$. " + COUNT,
    role="part",
    cause="ZCDP-PF15/step-markov",
    notes=r"""The factor $\frac12$ of Markov's inequality is not regained: an action just beyond 0 has the wrong sign
    and costs little.

    The actions are those of one coordinate, whatever the rewards are; both sides are multiplied by the root of the
    budget.""",
)
