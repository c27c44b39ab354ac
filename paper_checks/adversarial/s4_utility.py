"""Section 4: utility with expert advice, exactly in short games and on worst sequences, and where it is vacuous."""

from banditproof.claims.language import *
from banditproof.paper_checks.adversarial.studies import worst_losses_study

# ------------------------------------------------------------------------------------------------------ exact laws


# --------------------------------------------------------------------------------------------- where they are vacuous


# ---------------------------------------------------------------------------------------------------- worst sequences

LOCAL_RUNS, local_on_worst = worst_losses_study("exp4-local", ["exp4-local"], "1", 200_000)
EXPERT_RUNS, experts_on_worst = worst_losses_study("experts-htinf", ["experts-htinf", "exp3"], "1", 200_000)


@claim(
    "ADV-T9/worst-sequence",
    local_on_worst,
    false={"constant": 1},
    studies=[LOCAL_RUNS],
    restricted="to a stored sequence that a search found, and experts that name an action each",
)
def local_exp4_on_worst_losses(K: TwoOrMore, T: Count, epsilon: AboveZero, constant=16, *, regret=0) -> Sides:
    r"""On a sequence that a search found to be bad, $N=K$, the regret is at most $\frac{16\sqrt{TK\log
    N}\log(KT)}\varepsilon+1$, at a horizon where that is below $T$.

    The check uses one K, one T and one budget. It does not detect wrong powers, nor a constant several times smaller.
    """
    return regret, "<=", constant * sqrt(T * K * log(K)) * log(K * T) / epsilon + 1


@claim(
    "ADV-C8/worst-sequences",
    experts_on_worst,
    false=[{"constant": "1/10"}],
    studies=[EXPERT_RUNS],
    role="implication",
    restricted="to stored sequences that a search found, experts that name an action each, and one K, T and epsilon",
)
def htinf_with_experts_on_worst_losses(K: TwoOrMore, T: Count, epsilon: AboveZero, constant=208, *, regret=0) -> Sides:
    r"""On sequences that a search found to be bad, $N=K$, the regret is at most
    $208\sqrt{\frac{TN}\varepsilon}+\frac2\varepsilon$, at a horizon where that is below $T$.

    The regret is far below the bound; the false variants show how small a constant these runs can detect. Runs at one
    horizon cannot test the powers of N, T and epsilon.
    """
    return regret, "<=", constant * sqrt(T * K / epsilon) + 2 / epsilon
