"""Appendix A: the privacy proof and its mechanisms."""

from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import AboveOne, Count, EverySequence, Nonnegative, Positive, Probability
from banditproof.claims.steps import deduced, fails_at, in_kernel
from banditproof.paper_checks.shared import parallel_proofs
from banditproof.paper_checks.shared.gaussian_choice import average
from banditproof.theory import sqrt, to_ball
from banditproof.theory.numbers.numeric import ratio
from banditproof.theory.numbers.term import quantity
from banditproof.verify.kernel.divergences import rdp, rdp_in_parallel
from banditproof.verify.kernel.meanings import for_each, when

Reward = Annotated[Any, "[-1, 1]"]


@claim("RDP-L11/mechanisms-on-blocks", in_kernel(parallel_proofs.rdp))
def parallel_composition(M: EverySequence, k: Count, alpha: AboveOne, epsilon: Nonnegative):
    r"""$(\alpha,\epsilon)$-RDP mechanisms, each run on a block of its own, are together $(\alpha,\epsilon)$-RDP."""
    each = for_each(k, lambda i: rdp(lambda d: M(i, d), alpha, epsilon))
    return when(each, then=rdp_in_parallel(M, k, alpha, epsilon))


@quantity
def long_second_episode(shift: Any, deviation: Any) -> Any:
    """P(t_3 = 6) for two arms and rewards 0, 0 and `shift` = r_3: the second episode goes to the arm of the first.

    The noisy mean of the idle arm is below a noisy 0, and below shift plus noise; widths are equal (one reward each).
    """
    from flint import acb

    def above(z: Any, centre: Any) -> Any:
        return ((z - centre) / acb(2).sqrt()).erfc() / 2

    centre = acb(to_ball(shift) / deviation)
    return 2 * average(lambda z: above(z, acb(0)) * above(z, centre))


@claim(
    "RDP-PF1/same-law-of-the-starts",
    fails_at(order=2, epsilon=2, change=1),
    called={
        r"$\alpha$": "order",
        "$|r_3-r_3'|$": "change",
        "the probability under the first stream": "left",
        "that under the second": "right",
    },
    assuming="""the law of the start: each arm is played once, the first episode has one more round, and t_3 = 6 if the
    second episode goes to the same arm""",
)
def starts_do_not_move(order: AboveOne, epsilon: Positive, change: Probability):
    r"""'The time-steps $t_\ell$ [...] have the same law under $r^T$ and $r'^T$', neighbouring streams: the probability
    that the third episode of AdaR-UCB starts at $t_3=6$, on two arms with rewards $0,0$, is the same for $r_3=0$ and
    for $r_3=1$.

    The sentence is true up to the changed reward. From then on the choices, and so the starts, depend on the noisy
    means: for rewards 0 the probability is $\frac23$, and it is larger if the third reward is 1. The theorems hold
    nevertheless: given the actions up to the changed step, the episode that contains this step is fixed, and the later
    episodes are post-processing. In the example each arm is played once, round 3 is the first episode, and $t_3=6$ if
    the arm of round 3 is chosen again: its noisy means, first of one reward 0 and then of $r_3$, are both above that of
    the other arm. So the probability is $2\,\mathbb E[Q(Z)\,Q(Z-r_3\sqrt{2\epsilon/\alpha})]$ for a standard normal $Z$
    and its upper tail $Q$.
    """
    deviation = sqrt(order / (2 * epsilon))
    return long_second_episode(0, deviation), "==", long_second_episode(change, deviation)


@claim(
    "RDP-PF1b/gope-sensitivity",
    fails_at(reward=1, other=-1, rational=True),
    slip="The variance 2 alpha / epsilon of the noise is right for sensitivity 2, which the proof of Theorem 9 has.",
    called={"the rewards $r$": "reward", "$r'$": "other", "the square of the change of the sum": "left"},
)
def sensitivity_of_a_sum_as_printed(reward: Reward, other: Reward):
    r"""Proof of Theorem 7: 'for rewards in $[-1,1]$, the L2 sensitivity of $\sum_{A_t=a}R_t$ is $1$': changing one
    reward moves the sum by at most that.

    If one reward moves from $-1$ to 1, the sum moves by 2. For a sensitivity of 2 Theorem 2 needs the variance
    $\frac{2\alpha}\epsilon$, which is the printed one.
    """
    return (reward - other) ** 2, "<=", 1


@claim("RDP-PF1b/gope-sensitivity-of-two", deduced(), false={"most": "1.9"}, repairs="RDP-PF1b/gope-sensitivity")
def sensitivity_of_a_sum(first: Probability, second: Probability, most=2):
    r"""It is $2$.

    Both sides are squared; the rewards are any two numbers in $[-1,1]$.
    """
    return ((2 * first - 1) - (2 * second - 1)) ** 2, "<=", most**2


@claim("RDP-PF1b/oful-sensitivity", deduced(), false={"most": "1.9"})
def sensitivity_of_a_vector_sum(first: Probability, second: Probability, norm: Probability, most=2):
    r"""Proof of Theorem 9: for rewards in $[-1,1]$ and actions of norm at most 1 changing one reward moves the sum of
    $A_tR_t$ over an episode by at most $2$.

    Both sides are squared; the rewards are any two numbers in $[-1,1]$.
    """
    return ((2 * first - 1) - (2 * second - 1)) ** 2 * norm**2, "<=", most**2


@claim("RDP-PF1b/noise-for-two", deduced(), false={"two": "1.9"})
def noise_for_sensitivity_two(order: AboveOne, epsilon: Positive, two=2):
    r"""$\frac{2\alpha}\epsilon$ is the variance $\frac{\alpha s^2}{2\epsilon}$ of Theorem 2 at $s=2$ (order is
    $\alpha$)."""
    return order * 2**2 / (2 * epsilon), "==", two * order / epsilon


@claim("RDP-PF1b/sensitivity", deduced())
def sensitivity_of_the_mean(n: Count, others: Nonnegative, first: Probability, second: Probability):
    r"""Rewards in $[0,1]$: the mean of $n$ has sensitivity at most $\frac1n$ (`others` is the sum of those that do not
    change)."""
    return abs((others + first) / n - (others + second) / n), "<=", ratio(1, n)


@claim("RDP-PF1b/sensitivity-attained", deduced())
def attained_sensitivity_of_the_mean(n: Count, others: Nonnegative):
    r"""A reward that changes from 0 to 1 moves the mean of $n$ by $\frac1n$."""
    return (others + 1) / n - (others + 0) / n, "==", ratio(1, n)


@claim("RDP-PF1b/ucb", deduced())
def mechanism_of_adar_ucb(n: Positive, order: AboveOne, epsilon: Positive, d: Positive):
    r"""A mean of $n$ rewards of which one moves by $d$ has $D_\alpha=\epsilon d^2$.

    The left side is D_order for a mean that moves by d/n, with noise of variance order/(2 epsilon n^2).
    """
    variance = order / (2 * epsilon * n * n)
    return order * (d / n) ** 2 / (2 * variance), "==", epsilon * d * d
