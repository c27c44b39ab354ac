"""Section 6: contextual bandits, AdaR-OFUL, its privacy, and its update on unit vectors beside doubling."""

from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.claims.recorded_runs import BUGS, Algorithm, EveryBudget, RewardLists, recorded
from banditproof.paper_checks.shared.pseudocode import Line, read_before_set
from banditproof.verify.runs.followed import contextual_departures


def pulls_at_the_update(old: Any, ridge: Any) -> Any:
    """The first N with lambda + N > 2 (lambda + old): how many counts do not have it, pull by pull."""
    late = 2 * old + least_integer(ridge) + 1
    return total(lambda pulls: where(ridge + pulls, ">", 2 * (ridge + old), 0, 1), 0, late - 1)


@claim("RDP-R2/exactly-doubled", fails_at(old=1, ridge=1, rational=True), role="reading")
def counts_double_exactly(old: Count, ridge: Positive, extra=0):
    r"""To the letter, as in AdaR-UCB: the episode ends at $N_i=2N_i(\tau)$.

    The inequality is strict, and its right side counts lambda twice.
    """
    return pulls_at_the_update(old, ridge), "==", 2 * old + (ridge // 1 + 1) * extra


@repaired("RDP-R2/doubled-and-a-constant", "RDP-R2/exactly-doubled", deduced())
def counts_double_and_a_constant(old: Natural, extra=1):
    r"""The episode ends at $N_i=2N_i(\tau)+(\lfloor\lambda\rfloor+1)$."""


LINES = (
    Line(3, "lambda d", "V_0 theta_0 tau ell"),
    Line(5, "", "A_t_set"),
    Line(6, "V_0 C tau", ""),
    Line(7, "alpha epsilon d", "Y"),
    Line(8, "V_0 ell Y", "theta_tau"),
    Line(9, "ell", "ell tau"),
    Line(11, "A_t_set theta_0 tau beta_tau V_0", "A_t"),
    Line(12, "A_t", "R_t"),
    Line(13, "V_0 A_t", "V_t"),
)


@claim(
    "RDP-A4/pseudocode",
    fails_at(inputs="as printed"),
    slip="Theorem 17 and its proof define the width from delta, lambda_0 and the norm of theta*, which are not inputs.",
    called={"the printed inputs": "inputs,", "the number of names that are read and not set": "left"},
)
def every_name_is_set(inputs: Annotated[Any, "all: what line 1 lists"]):
    r"""Every name that a line of Algorithm 4 reads is an input, or set by an earlier line.

    Line 11 reads $\tilde\beta_\tau$, which no line sets. To run the algorithm, one takes it from Theorem 17 and has to
    know $\delta$, the least eigenvalue lambda_0 of the contexts and a bound on $\|\theta^*\|$. With the widths among
    the inputs the algorithm is complete. At the beginning the sums of line 8 are empty, $\tilde\theta$ is
    $\tilde\theta_0$, and $V_{t-1}$ is $V_0$.
    """
    given = {
        "as printed": "alpha epsilon T lambda d C",
        "with the width": "alpha epsilon T lambda d C beta_tau",
        "without the ridge": "alpha epsilon T d C beta_tau",
    }
    return len(read_before_set(given[inputs], LINES)), "==", 0


@repaired(
    "RDP-A4/pseudocode-completed",
    "RDP-A4/pseudocode",
    enumerated([{}], rational=True),
    false={"inputs": "without the ridge"},
)
def every_name_is_set_with_the_width(inputs="with the width"):
    r"""With the widths $\tilde\beta_0,\dots,\tilde\beta_T$ among the inputs nothing is missing."""


@claim("RDP-T9/recorded-runs", recorded({"adar-oful": [["rdp", 2, 1], ["rdp", 10, "1/2"]]}), false=BUGS, role="model")
def adar_oful_runs(algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none"):
    r"""In runs of AdaR-OFUL each reward enters one release, actions depend on releases and public contexts only, and no
    reward is charged more than $\epsilon$ at order $\alpha$."""
    return contextual_departures(algorithm, budget, T, rewards, bug)
