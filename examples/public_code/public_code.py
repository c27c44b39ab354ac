"""What public programs promise about their privacy: formulas for a few lines of each, and no code of theirs.

Each docstring says what the lines compute; `catalogue.tsv` says where they stand. A promise that is kept has a claim as
well. Rewards lie in [0, 1], and neighbours differ in one reward, or in one user where the users add the noise.
"""

from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from banditproof.claims import Count, Document, Positive, announce, claim, enumerated, fails_at
from banditproof.theory import exp, log, normal_cdf, sqrt, where

_CATALOGUE, _PROOFS = (Path(__file__).with_name(name) for name in ("catalogue.tsv", "proofs.json"))
announce(Document("public-code", "Public programs of private bandits", catalogue=_CATALOGUE, proofs=_PROOFS))

Unit = Annotated[Any, "(0, 1]"]
Number = Annotated[Any, "(-inf, inf)"]


@claim(
    "PC-SHARED",
    fails_at(lead=1, width="1/2", epsilon="1/10"),
    assuming="that one number is drawn for the sums of all arms: then it is no part of the comparison",
)
def elimination_is_private(lead: Number, width: Positive, epsilon: Positive):
    r"""DP-SE is $\epsilon$-DP: a second arm whose noisy sum is more than a width behind is eliminated with at most
    $e^\epsilon$ times the probability on a neighbour, where the leader has earned 1 less.

    The code adds one Laplace variable to the sums of all arms. Sums are compared by their differences, in which it
    cancels: what is eliminated depends on raw rewards.
    """
    return where(lead, ">", width, 1, 0), "<=", exp(epsilon) * where(lead - 1, ">", width, 1, 0)


@claim("PC-POLYA", fails_at(epsilon="1/10", precision=1))
def distributed_noise_is_private(epsilon: Unit, precision: Count):
    r"""Dist-DP-SE is $\epsilon$-DP: users hold integers from 0 to a precision $g$, and each adds the difference of two
    Polya variables so that the sum has a two-sided geometric noise. Its parameter $q$ gives $g\log(1/q)\le\epsilon$.

    The code calls its Polya sampler with
    $e^{-\epsilon/g}$ where the sampler expects one minus it: $q=1-e^{-\epsilon/g}$. So the noise nearly vanishes where
    it should be largest: at the budget 1/10 a reward costs 2.35, and ever more in later batches.
    """
    return precision * log(1 / (1 - exp(-epsilon / precision))), "<=", epsilon


@claim("PC-POLYA/as-published", repairs="PC-POLYA", false={"power": 2})
def published_noise_is_private(epsilon: Unit, precision: Count, power=1):
    r"""The same with $q=e^{-\epsilon/g}$, as in the paper."""
    return precision * log(1 / exp(-power * epsilon / precision)), "<=", epsilon


@claim("PC-POLYA/never", role="remark", false={"factor": 30})
def distributed_noise_costs_more(precision: Count, factor=23):
    r"""At its smallest budget in the experiments, 1/10, the code never keeps it: a reward costs at least 23 times as
    much, in every batch."""
    return 10 * precision * log(1 / (1 - exp(-Fraction(1, 10) / precision))), ">=", factor


def delta_of_normal_noise(distance: Any, epsilon: Any) -> Any:
    """The least delta for two outputs that are so many standard deviations apart (Balle and Wang, 2018)."""
    near, far = distance / 2 - epsilon / distance, distance / 2 + epsilon / distance
    return normal_cdf(near) - exp(epsilon) * normal_cdf(-far)


def own_noise(epsilon: Any, delta: Any) -> Any:
    """The standard deviation in `LinBanditPrivate.py`."""
    return sqrt(log(5 / (2 * delta))) / epsilon


@claim("PC-LINEAR", fails_at(epsilon=1, delta="1/10"))
def local_noise_is_private(epsilon: Unit, delta: Unit):
    r"""LDP-LinUCB is $(\epsilon,\delta)$-DP for each user: the user's action times the reward is released with normal
    noise of standard deviation $\sqrt{\log(2.5/\delta)}/\epsilon$ in each entry.

    Two actions $(u,1)$ and $(-u,1)$
    with $|u|=1$, as the experiments draw them, differ by 2. The matrix of the action is released too; already the
    vector alone needs more than a delta of 1/10 at a budget of 1, one of those the experiments name.
    """
    return delta_of_normal_noise(2 / own_noise(epsilon, delta), epsilon), "<=", delta


@claim("PC-LINEAR/distance", role="remark", false={"most": 11})
def outputs_of_two_users(cosine: Annotated[Any, "[-1, 1]"], most=12):
    r"""For two actions $(u,1)$ and $(u',1)$ with $|u|=|u'|=1$ and $\langle u,u'\rangle=c$ and rewards of 1, the squared
    distance of vectors, $2-2c$, and of matrices, $8-2(1+c)^2$, is <most> at most, in variances of the noise."""
    return 2 - 2 * cosine + 8 - 2 * (1 + cosine) ** 2, "<=", most


@claim(
    "PC-LINEAR/as-run",
    enumerated(epsilon=["1/5"], delta=["1/10"]),
    role="reading",
    rests_on=["PC-LINEAR/distance"],
    false={"distance": 16},
)
def local_noise_as_run(epsilon: Annotated[Any, "{1/5}"], delta: Annotated[Any, "{1/10}"], distance=12):
    r"""At the budget 1/5 with delta 1/10, as the file is committed, it is: vector and matrix together are at most
    $\sqrt{<distance>}$ standard deviations apart."""
    return delta_of_normal_noise(sqrt(distance) / own_noise(epsilon, delta), epsilon), "<=", delta


def mindspore_noise(epsilon: Any, delta: Any, two: Any = 1) -> Any:
    """The standard deviation in `LinUCB` of MindSpore; its comment has a 2 under the root."""
    return 4 * sqrt(two * log(5 / (4 * delta))) / epsilon


@claim("PC-MINDSPORE", fails_at(epsilon=100, delta="1/10"))
def mindspore_is_private(epsilon: Positive, delta: Unit):
    r"""The locally private LinUCB of MindSpore is $(\epsilon,\delta)$-DP for each user: an action of norm at most 1
    times the reward is released with normal noise of standard deviation $4\sqrt{\log(1.25/\delta)}/\epsilon$.

    At the defaults of the class, a budget of 100 and a delta of 1/10, two actions $u$ and $-u$ can be told apart nearly
    always. The classical standard deviation of normal noise is right for budgets up to 1 only.
    """
    return delta_of_normal_noise(2 / mindspore_noise(epsilon, delta), epsilon), "<=", delta


@claim("PC-MINDSPORE/comment", fails_at(epsilon=1, delta="1/10"), role="reading")
def mindspore_has_its_comment(epsilon: Positive, delta: Unit):
    r"""The standard deviation is the one of the comment beside it, $4\sqrt{2\log(1.25/\delta)}/\epsilon$."""
    return mindspore_noise(epsilon, delta), ">=", mindspore_noise(epsilon, delta, 2)


def sums_with(item: int, n: int) -> int:
    """How many sums of the binary mechanism over n numbers hold a given one."""
    return sum(k - (k & -k) < item <= k for k in range(1, n + 1))


@claim(
    "PC-HYBRID",
    enumerated(bits=range(1, 9), rational=True),
    restricted="to the sums with noise Lap(2b/epsilon)",
    false={"more": -1},
)
def hybrid_sums(bits: Count, more=0):
    r"""The hybrid mechanism is $\epsilon$-DP: among $2^b-1$ numbers between two powers of two each is in at most $b$
    sums with noise $\mathrm{Lap}(2b/\epsilon)$, and in one sum with noise $\mathrm{Lap}(2/\epsilon)$.
    """
    n = 2**bits - 1
    return max(sums_with(item, n) for item in range(1, n + 1)), "<=", bits + more
