r"""Appendix F, (49): the regret bound of AdaP-KLUCB, for comparison."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.theory import adap_klucb_term


def share_of_divergence(divergence: Any, beta: Any, shift: Any) -> Sides:
    return divergence / (shift + beta), "<=", divergence


@claim(
    "BDP-EQ49/separation",
    enumerated(
        [
            {"mu_i": mean, "mu_star": best, "beta": beta}
            for mean, best in (("1/10", "1/2"), ("1/2", "999/1000"))
            for beta in ("1/100", "1", "100")
        ],
        routes=("the target", "the divergence at c = 0"),
    ),
    argued(
        "kl(., mu*) decreases continuously from kl(mu_a, mu*) to 0 on [mu_a, mu*]: intermediate value theorem",
        fact(share_of_divergence, Domain.of(divergence="(0, inf)", beta="(0, inf)")),
    ),
    false={"shift": "0.5"},
    where=["mu_i < mu_star"],
    role="step",
)
def separation_exists(mu_i: Inside, mu_star: Inside, beta: Positive, shift=1):
    r"""for $\beta>0$ there is one $c(\beta)\in[0,1]$ with
    $\mathrm{kl}(\mu_a+c(\beta)\Delta_a,\mu^\star)=\frac{\mathrm{kl}(\mu_a,\mu^\star)}{1+\beta}$, where $d$ on the
    printed right side is read as $\mathrm{kl}$

    kl(mu_i + c Delta, mu*) decreases from kl(mu_i, mu*) at c = 0 to 0 at c = 1.
    """
    whole = kl_bernoulli(mu_i, mu_star)
    return whole / (shift + beta), "<=", whole


@quantity
def infimum_of_adap_klucb(mu_i: Any, mu_star: Any, epsilon: Any, tau: Any) -> Any:
    """The printed infimum over beta that stands before log T, at gamma = 0."""
    return adap_klucb_term(mu_i, mu_star, epsilon, tau).coefficient.ball()


@claim(
    "BDP-EQ49/not-constants",
    enumerated(
        mu_i=["1/4"],
        mu_star=["3/4"],
        epsilon=["1"],
        tau=["31/10"],
        routes=("certified bisection for the infimum", "closed form of the limits"),
    ),
    false={"factor": 10},
    role="implication",
)
def constants_depend_on_the_arm(
    mu_i: Annotated[Any, [Fraction(1, 4)]],
    mu_star: Annotated[Any, [Fraction(3, 4)]],
    epsilon: Annotated[Any, [1]],
    tau: Annotated[Any, [Fraction(31, 10)]],
    factor=Fraction(3, 2),
):
    r"""$C_1,C_2$ 'may depend on $\mu_a,\mu^\star$': large and small $\epsilon$ force $C_1=\tau$,
    $C_2=\frac{\tau}{1+\tau}$ (for $\gamma\to0$), and between them the infimum is more than 3/2 times the resulting
    value

    The infimum with gamma = 0 is compared with the value that its limits for large and small epsilon would give.
    """
    limits = maximum(tau / kl_bernoulli(mu_i, mu_star), (1 + tau) / (epsilon * (mu_star - mu_i)))
    return infimum_of_adap_klucb(mu_i, mu_star, epsilon, tau), ">=", factor * limits
