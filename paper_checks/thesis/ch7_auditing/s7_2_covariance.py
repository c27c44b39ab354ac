"""Section 7.2, page 156: the covariance score, what it is compared with, and the statistic of related work."""

from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.pseudocode import Line, read_before_set


@claim(
    "MIA-A13/learning-rate",
    fails_at(gradient=1, now=2, then=1, rational=True),
    slip="""One index: Section 7.1.1 has the rate of the step from theta_t to theta_{t+1} right, eta_{t+1}; with the
    constant rate of the experiments it makes no difference.""",
    called={
        r"$\nabla Q(\theta_t)$": "gradient",
        r"$\eta_t$": "now",
        r"$\eta_{t+1}$": "then",
        r"$|\theta_{t+1}-\theta_t|/\eta_t$": "left",
        r"$|\nabla Q(\theta_t)|$": "right",
    },
)
def learning_rate_of_a_step(gradient: Real, now: Positive, then: Positive):
    r"""Line 4 gives, up to its sign, the batch gradient: $|\theta_{t+1}-\theta_t|/\eta_t=|\nabla Q(\theta_t)|$ with the
    step $\theta_{t+1}=\theta_t-\eta_{t+1}\nabla Q(\theta_t)$ of Section 7.1.1.

    The step from t to t + 1 uses the rate of t + 1, but line 4 divides it by the rate of t. It should divide by
    eta_{t+1}. Here gradient is nabla Q(theta_t), now is eta_t and then is eta_{t+1}.
    """
    return abs(then * gradient / now), "==", abs(gradient)


@claim("MIA-A13/rate-of-the-next-step", deduced(), repairs="MIA-A13/learning-rate")
def learning_rate_of_the_next_step(gradient: Real, then: Positive):
    r"""$(\theta_t-\theta_{t+1})/\eta_{t+1}=\nabla Q(\theta_t)$."""
    return then * gradient / then, "==", gradient


PARAMETERS = "theta_0 theta_1 theta_2"  # what a training of T = 2 steps gives: theta_0 and an iterate per step
ALGORITHM_13 = [
    Line(3, "theta_1 loss canary", "g*_1"),  # first round
    Line(4, "theta_2 theta_1 rates", "batch_1"),
    Line(5, "g*_1 batch_1 mean covariance size", "s_1"),
    Line(3, "theta_2 loss canary", "g*_2"),  # second round, t = T = 2
    Line(4, "theta_3 theta_2 rates", "batch_2"),
    Line(5, "g*_2 batch_2 mean covariance size", "s_2"),
    Line(7, "s_1 s_2"),
]
GIVEN = "mean covariance canary rates size steps loss"
Lines = Annotated[Any, "all: the lines of Algorithm 13 for T = 2"]


@claim(
    "MIA-A13/one-iterate-more",
    fails_at(rounds="printed", rational=True),
    slip="""The input does not list the iterates; Section 7.1.1 says that the auditor observes theta_1 to theta_T, and
    Section 7.2 has theta_0 too. With t = 0, ..., T - 1 the loop needs these only.""",
    called={"the printed rounds $t=1,2$": "rounds", "the number of other names that are read": "left"},
)
def iterates_of_the_algorithm(rounds: Lines):
    r"""Lines 3 to 7 read only the input, what earlier lines set, and the iterates $\theta_0,\dots,\theta_T$ of a
    training of $T$ steps.

    The last round reads theta_{T+1}, which a training of T steps does not have, and no round uses the step from
    theta_0. The loop should run over t = 0, ..., T - 1. The iterates are not among the inputs either. The check uses
    the printed rounds for $T=2$.
    """
    return len(unread(rounds)), "==", 0


def unread(rounds: str) -> list[str]:
    """What Algorithm 13 for T = 2 reads unset, with rounds as printed, t = 1, 2, or one earlier, t = 0, 1."""
    earlier = {"theta_1": "theta_0", "theta_2": "theta_1", "theta_3": "theta_2"}
    lines = ALGORITHM_13
    if rounds != "printed":
        moved = [" ".join(earlier.get(name, name) for name in line.reads.split()) for line in lines]
        lines = [Line(line.number, reads, line.sets) for line, reads in zip(lines, moved, strict=True)]
    return read_before_set(f"{GIVEN} {PARAMETERS}", lines)


@claim(
    "MIA-A13/from-zero-on",
    enumerated([{"rounds": "earlier"}], rational=True),
    false={"most": -1},
    repairs="MIA-A13/one-iterate-more",
)
def iterates_from_zero_on(rounds: Lines, most=0):
    r"""With rounds $t=0,\dots,T-1$ at most $0$ names are read that nothing sets."""
    return len(unread(rounds)), "<=", most
