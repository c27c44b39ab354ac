"""Section 7.1, page 152: gradient descents, who sees what of them, and the scores of related work."""

from typing import Any

from banditproof.claims.register import claim
from banditproof.claims.sets import Count, Nonnegative, Positive, Real, TwoOrMore
from banditproof.claims.steps import deduced, fails_at
from banditproof.theory import sqrt
from banditproof.theory.numbers.numeric import least, where


@claim("MIA-D7.1.1", deduced())
def clipped_gradients_are_short(length: Positive, bound: Positive):
    r"""$\mathrm{ClipNorm}_C(x)=\min\{1,C/\|x\|\}\,x$ has norm at most $C$ (length is that of $x\ne0$).

    The rest of the definition says how the updates are computed; it leaves the budget of DP-SGD to the papers that it
    cites.
    """
    return least([1, bound / length]) * length, "<=", bound


@claim("MIA-D7.1.1/in-cases", deduced())
def clipping_in_cases(length: Positive, bound: Positive):
    r"""It is $x$ if $\|x\|\le C$ and $C\frac x{\|x\|}$ otherwise: the factor of $x$."""
    return least([1, bound / length]), "==", where(length, "<=", bound, 1, bound / length)


@claim("MIA-D7.1.1/average", deduced(), false={"two": "1.9"}, role="implication")
def replaced_record_of_a_batch(first: Nonnegative, second: Nonnegative, bound: Positive, batch: Count, two=2):
    r"""Replacing a record moves the average of a batch $B$ by at most $\frac{2C}{|B|}$: by no more than the lengths of
    both clipped gradients together, over $|B|$."""
    return (least([first, bound]) + least([second, bound])) / batch, "<=", two * bound / batch


@claim("MIA-D7.1.1/vectors", deduced(), where=["x**2 + y**2 > 0"], role="implication")
def clipped_vectors_are_short(x: Real, y: Real, bound: Positive):
    r"""In coordinates: $\|\mathrm{ClipNorm}_C(x)\|^2\le C^2$."""
    share = least([1, bound / sqrt(x**2 + y**2)])
    return (share * x) ** 2 + (share * y) ** 2, "<=", bound**2


def gain_when_sent(mean: Any, variance: Any, canary: Any, batch: Any, divisor: Any) -> Any:
    """The mean of the score (7.2) of the average gradient if the canary is sent minus that if nothing is; one column.

    Without the canary the other `batch` - 1 gradients, of this mean and variance, are divided by `divisor`.
    """
    shift = ((batch - 1) * mean + canary) / batch - (batch - 1) * mean / divisor
    return (canary - mean) * shift / variance


@claim(
    "MIA-D7.1.1b/received",
    deduced(),
    restricted="to a server that divides by the number of gradients it received, and to the mean of the score",
)
def sent_or_not_is_tracing_a_mean(mean: Real, variance: Positive, canary: Real, batch: TwoOrMore):
    r"""If nothing is sent and $|B|-1$ gradients are averaged, the canary raises the mean of the covariance score by as
    much as if it replaced a record, $\frac1{|B|}\|g^\star-\mu\|^2_{C^{-1}}$."""
    gain = gain_when_sent(mean, variance, canary, batch, batch - 1)
    return gain, "==", (canary - mean) ** 2 / (variance * batch)


@claim("MIA-D7.1.1b/same-divisor", fails_at(mean=2, variance=1, canary=1, batch=2, rational=True), role="reading")
def sent_or_not_with_one_divisor(mean: Real, variance: Positive, canary: Real, batch: TwoOrMore):
    r"""'Sends nothing' read with a server that divides by $|B|$ all the same, as it has to in DP-SGD: in the mean the
    covariance score is not lower with the canary than without it.

    The canary moves the average by g*/|B|, not by (g* - mu)/|B|, so a canary between 0 and the mean gradient lowers it.
    """
    return gain_when_sent(mean, variance, canary, batch, batch), ">=", 0


@claim("MIA-D7.1.1b/own-direction", deduced(), repairs="MIA-D7.1.1b/same-divisor")
def sent_or_not_in_the_direction_of_the_canary(mean: Real, variance: Positive, canary: Real, batch: TwoOrMore):
    r"""In the direction $C^{-1}g^\star$ the average moves by $\frac1{|B|}\|g^\star\|^2_{C^{-1}}\ge0$.

    The left side is the difference of the averages with and without the canary, in one column.
    """
    shift = ((batch - 1) * mean + canary) / batch - (batch - 1) * mean / batch
    return canary * shift / variance, "==", canary**2 / (variance * batch)


@claim(
    "MIA-S7.1.2a",
    fails_at(batch=2, rate=1, size=1, rational=True),
    displayed=True,
    cause="MIA-EQ7.2/sign",
    called={
        "$|B|$": "batch",
        r"$\eta$": "rate",
        r"$\|g_t^\star\|$": "size",
        "the mean of the product with the canary, less that without it,": "left",
    },
)
def scalar_product_of_an_update(batch: Count, rate: Positive, size: Positive):
    r"""With $\theta_{t+1}=\theta_t-\eta\nabla Q(\theta_t)$ as printed, $\langle\theta_{t+1}-\theta_t,g_t^\star\rangle$
    is high if the canary was included: in the mean its value with the canary in a batch $B$ minus that without it is
    not negative (other gradients of mean 0).

    The step goes against the gradient, so with the canary the product is lower by eta |g|^2/|B|. With the other sign it
    is higher. Here batch is |B|, rate is eta and size is |g*|.
    """
    return -rate * size / batch * size, ">=", 0


@claim("MIA-S7.1.2a/against-the-step", deduced(), repairs="MIA-S7.1.2a")
def scalar_product_against_the_step(batch: Count, rate: Positive, size: Positive):
    r"""With $\langle\theta_t-\theta_{t+1},g_t^\star\rangle$ the mean score with the canary in the batch minus that
    without it is not negative."""
    return -(-rate * size / batch) * size, ">=", 0


@claim(
    "MIA-S7.1.2b",
    fails_at(batch=3, distance=1, rational=True),
    displayed=True,
    slip="""The formula of a cited score has the inverse of a distribution function in place of the function
    itself: one sign is wrong.""",
    called={"$|B|$": "batch", "the distance of the canary from the batch": "distance", r"$\hat S$": "left"},
)
def argument_of_the_quantile(batch: TwoOrMore, distance: Real):
    r"""$s^{\rm GLiR}=\log(F^{-1}_{\chi^2_d(|B|\hat K)}(\hat S))$ is defined: $\hat S=(|B|-1)\,(g_{\rm
    batch}-g^\star)^\top \hat C_0^{-1}(g_{\rm batch}-g^\star)$ is at most 1, as the inverse of a distribution function
    is defined on $[0,1]$ (one column, $\hat C_0=1$).

    The statistic is a squared distance and takes every value from 0 on. The inverse is only defined on [0, 1]; the
    distribution function itself is defined at these values. Here batch is |B| and distance is g_batch - g*.
    """
    return (batch - 1) * distance**2, "<=", 1


@claim("MIA-S7.1.2b/distribution-function", deduced(), repairs="MIA-S7.1.2b")
def argument_of_the_distribution_function(batch: TwoOrMore, distance: Real):
    r"""With the distribution function in place of its inverse the score is defined: $\hat S\ge 0$."""
    return (batch - 1) * distance**2, ">=", 0
