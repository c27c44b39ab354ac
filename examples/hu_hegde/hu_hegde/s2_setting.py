"""Section 2: regret, privacy, and what is known."""

from typing import Annotated, Any

from banditproof.claims import Inside, Nonnegative, Positive, claim, deduced, fails_at
from banditproof.theory import exp, log

Chance = Annotated[Any, "[0, 1]"]


@claim("HH-D2.1/identity", deduced(), false={"best": "1.1"})
def regret_of_two_arms(T: Positive, mu_1: Inside, mu_j: Inside, share: Chance, best=1):
    r"""Of two arms whose pulls add up to $T$: $T\mu_1-\sum_jE[N_j]\mu_j=\sum_jE[N_j]\Delta_j$."""
    pulls = share * T
    return best * T * mu_1 - (T - pulls) * mu_1 - pulls * mu_j, "==", pulls * (mu_1 - mu_j)


@claim("HH-R2.2/private-is-close", deduced(), where=["p <= q*exp(epsilon)"], false={"share": "1/2"})
def divergence_of_a_private_algorithm(p: Inside, q: Inside, epsilon: Nonnegative, share=1):
    r"""$\ln\frac{P(y)}{Q(y)}\le\epsilon$ for every $y$ with $Q(y)>0$ where $P(y)\le e^\epsilon Q(y)$."""
    return log(p / q), "<=", share * epsilon


@claim("HH-R2.2/close-is-private", fails_at(p="1/2", epsilon=1), role="reading")
def divergence_over_the_second_support(p: Inside, epsilon: Nonnegative, q=0):
    r"""'Can be interpreted as' read as an equivalence: where the max divergence of $P$ from $Q$, a maximum over the
    support of $Q$, is at most $\epsilon$, $P$ is $\epsilon$-close to $Q$. For $P=(p,1-p)$ and $Q=(<q>,1)$ it is
    $\ln(1-p)<0$, so $P(y)\le e^\epsilon Q(y)$ for the first output $y$.

    The maximum belongs over the support of P: an output that Q never gives is passed over in the printed one, and is
    the worst there is. The first output has probability p under P and 0 under Q.
    """
    return p, "<=", exp(epsilon) * q
