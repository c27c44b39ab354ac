"""Section 6: contextual bandits, AdaR-OFUL, its privacy, and its update on unit vectors beside doubling."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.recorded_runs import BUGS, Algorithm, EveryBudget, RewardLists, recorded
from banditproof.claims.register import claim, repaired
from banditproof.claims.sets import AboveOne, AboveZero, Count, Inside, Natural, Nonnegative, Positive, TwoOrMore
from banditproof.claims.steps import deduced, enumerated, fails_at, pick
from banditproof.paper_checks.shared.contexts import AVERAGE
from banditproof.paper_checks.shared.pseudocode import Line, read_before_set
from banditproof.theory import log, sqrt, to_ball
from banditproof.theory.numbers.numeric import least_integer, ratio, where
from banditproof.theory.numbers.term import total
from banditproof.verify.runs.followed import contextual_departures


@claim("RDP-R2/condition", deduced())
def update_of_one_arm(old: Natural, pulls: Natural, ridge: Positive, others: Positive):
    r"""While arm $i$ is played, $\det V>(1+C)\det V_\tau$ at $C=1$ iff $\lambda+N_i>2(\lambda+N_i(\tau))$; both are
    counted as 0 or 1.

    The determinant of a diagonal matrix is the product of its entries; `others` is that of the other arms.
    """
    updates = where(others * (ridge + pulls), ">", 2 * (others * (ridge + old)), 1, 0)
    return updates, "==", where(ridge + pulls, ">", 2 * (ridge + old), 1, 0)


def pulls_at_the_update(old: Any, ridge: Any) -> Any:
    """The first N with lambda + N > 2 (lambda + old): how many counts do not have it, pull by pull."""
    late = 2 * old + least_integer(ridge) + 1
    return total(lambda pulls: where(ridge + pulls, ">", 2 * (ridge + old), 0, 1), 0, late - 1)


def pull_by_pull(other: str) -> enumerated:
    counts = [0, 1, 2, 3, 10]
    return enumerated(
        old=pick([*counts, 50], [*counts, 500]),
        ridge=["1/10", "1/2", "1", "7/2"],
        rational=True,
        routes=("pull by pull", other),
    )


@claim("RDP-R2/nearly-doubled", pull_by_pull("twice the count"), deduced())
def counts_nearly_double(old: Natural, ridge: Positive):
    r"""An episode of arm $i$ ends at most $\lambda+1$ pulls after $2N_i(\tau)$ (and not before): doubling, up to
    $\lambda$."""
    return pulls_at_the_update(old, ridge), "<=", 2 * old + ridge + 1


@claim("RDP-R2/exactly-doubled", fails_at(old=1, ridge=1, rational=True), role="reading")
def counts_double_exactly(old: Count, ridge: Positive, extra=0):
    r"""To the letter, as in AdaR-UCB: the episode ends at $N_i=2N_i(\tau)$.

    The inequality is strict, and its right side counts lambda twice.
    """
    return pulls_at_the_update(old, ridge), "==", 2 * old + (ridge // 1 + 1) * extra


@repaired("RDP-R2/doubled-and-a-constant", "RDP-R2/exactly-doubled", pull_by_pull("formula"))
def counts_double_and_a_constant(old: Natural, extra=1):
    r"""The episode ends at $N_i=2N_i(\tau)+(\lfloor\lambda\rfloor+1)$."""


@claim(
    "RDP-A4/width-defined",
    fails_at(t=500, d=1, ridge=Fraction(1, 10), eigenvalue=1, delta=Fraction(1, 10)),
    cause="ZCDP-T14/defined",
    called={r"$\lambda$": "ridge", r"$\lambda_0$": "eigenvalue", "the number under the root": "left"},
)
def width_is_a_number(t: Count, d: Count, ridge: Positive, eigenvalue: AboveZero, delta: Inside, eight=8):
    r"""Line 11 needs $\tilde\beta_\tau$, which step 4 of the proof of Theorem 17 defines as a number in every round.

    The number under its root, $\lambda+\frac{\lambda_0t}4-8\log\frac{t+3}{\delta/d}-2\sqrt{t\log\frac{t+3}{\delta/d}}$,
    is negative in early rounds, and there line 11 has no value. An example is $d=1$ with contexts $\pm1$, where
    $\lambda_0=1$ is the largest possible value, and $\delta=1/10$: the number is negative in the first 500 rounds. The
    least eigenvalue of $G_\tau$ itself is public. With it in place of its lower bound the width is a number in every
    round.
    """
    level = log((t + 3) * d / delta)
    return ridge + eigenvalue * t / 4 - eight * level - 2 * sqrt(t * level), ">", 0


@claim("RDP-A4/width-with-the-eigenvalue", deduced(), repairs="RDP-A4/width-defined")
def width_with_the_least_eigenvalue(ridge: Positive, least: Nonnegative):
    r"""With $\lambda_{\min}(G_\tau)$ in place of its lower bound, as step 4 has it one line before, the width divides
    by $\lambda+\lambda_{\min}(G_\tau)>0$, as $\lambda_{\min}(G_\tau)\ge0$."""
    return ridge + least, ">", 0


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


@claim("RDP-T9/per-release", deduced(), restricted="to one release", role="step")
def cost_of_a_block(change: AboveZero, norm: AboveZero, epsilon: Positive, alpha: AboveOne):
    r"""A block sum with noise $\mathcal N(0,\frac{2\alpha}\epsilon I_d)$ costs $D_\alpha\le\epsilon$ when one reward of
    $[-1,1]$ at a vector of norm at most 1 is changed (by twice `change`)."""
    return alpha * (2 * change * norm) ** 2 / (2 * (2 * alpha / epsilon)), "<=", epsilon


@claim("RDP-T9/recorded-runs", recorded({"adar-oful": [["rdp", 2, 1], ["rdp", 10, "1/2"]]}), false=BUGS, role="model")
def adar_oful_runs(algorithm: Algorithm, budget: EveryBudget, T: Count, rewards: RewardLists, bug="none"):
    r"""In runs of AdaR-OFUL each reward enters one release, actions depend on releases and public contexts only, and no
    reward is charged more than $\epsilon$ at order $\alpha$."""
    return contextual_departures(algorithm, budget, T, rewards, bug)


@claim(
    "RDP-T10/hypotheses",
    fails_at(d=2),
    role="hypotheses",
    assuming=AVERAGE,
    cause="ZCDP-T5/hypotheses",
    called={
        r"a lower bound on $\frac d{\lambda_0}\mathbb V[(z^\top A)^2]$": "left",
        r"$\frac{d\lambda_0}{8\log4}$, the most that the third condition allows,": "right",
    },
)
def some_law_meets_assumption_2(d: TwoOrMore, eight=8):
    r"""In every dimension $d\ge2$ contexts can meet Assumption 2.

    The first two conditions make the variance of $(z^\top A)^2$ at least $\frac{2(d-1)}{d(d+2)}\lambda_0$ for some unit
    $z$, and the third allows less in every dimension $d\ge2$ (RDP-AS2/out-of-reach). In the most favourable case,
    $\lambda_0=\frac1d$ and $k_t=1$, it allows $\frac{\lambda_0^2}{8\log4}$; both are divided by $\frac{\lambda_0}d$.
    (Averaged over all unit $z$ the variance is $\frac{2(1-\mathrm{tr}\,S^2)}{d(d+2)}$ with $S=\mathbb E[AA^\top]$,
    whose eigenvalues are at least lambda_0 and sum to 1.) So the statements that assume these conditions are about
    $d=1$ only, where contexts are $\pm1$. Some laws meet the first two conditions alone, or all three with a larger
    constant in the third.

    The history H_t of the assumption may be read as containing the action set itself. Then the variance is 0 and the
    third condition is empty, but Lemma 27 fails.
    """
    return ratio(2 * (d - 1), d + 2), "<=", 1 / (eight * log(to_ball(4)))
