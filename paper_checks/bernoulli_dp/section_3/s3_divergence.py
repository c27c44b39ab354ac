r"""Section 3: the divergence d_epsilon, its closed forms (6) and (8), and its behaviour for small budgets."""

from fractions import Fraction

from banditproof.claims.language import *
from banditproof.paper_checks.bernoulli_dp.facts.divergence import printed_minimiser, saturation
from banditproof.theory import d_epsilon, tv_bernoulli

HIGH_PRIVACY = ["mu_a < mu_star", "epsilon < privacy_threshold(mu_a, mu_star)"]


@claim("BDP-EQ6/attained", deduced())
def attained(x: Probability, y: Probability, epsilon: Nonnegative):
    r"""The infimum is attained: $d_\epsilon(x,y)=\epsilon|x-z^*|+\mathrm{kl}(z^*,y)$ for $z^*=\max(x,\frac
    y{y+(1-y)e^\epsilon})$ where $x\le y$, $z^*=\min(x,\frac{ye^\epsilon}{ye^\epsilon+1-y})$ where $x\ge y$."""
    z = printed_minimiser(x, y, epsilon)
    return d_epsilon(x, y, epsilon), "==", epsilon * tv_bernoulli(x, z) + kl_bernoulli(z, y)


@claim("BDP-EQ6/mirror", deduced(), false={"flip": 0}, where=["x < y"], role="step")
def mirror(x: Inside, y: Inside, epsilon: Positive, share: Inside, flip=1):
    r"""Replacing $x,y,z$ by $1-x,1-y,1-z$ changes no cost, so that $x\ge y$ reduces to $x\le y$.

    The cost at the mirror image: with `flip` = 1 both arguments of d are mirrored, with 0 neither.
    """
    z = x + share * (y - x)
    x_m, y_m, z_m = (flip * (1 - v) + (1 - flip) * v for v in (x, y, 1 - z if flip == 0 else z))
    cost = epsilon * tv_bernoulli(x, z) + kl_bernoulli(z, y)
    mirrored = epsilon * tv_bernoulli(x_m, z_m) + kl_bernoulli(z_m, y_m)
    return cost, "==", mirrored


@claim(
    "BDP-EQ8",
    tried_at(mu_a=Fraction(1, 4), mu_star=Fraction(1, 2), epsilon=[Fraction(n, 100) for n in (109, 108, 105, 100)]),
    deduced(),
    false=[{"rate": "1.1"}, {"threshold": "0.9"}],
    where=["mu_a < mu_star"],
)
def closed_form_of_a_suboptimal_arm(mu_a: BelowOne, mu_star: AboveZero, epsilon: Positive, rate=1, threshold=1):
    r"""$d_\epsilon(\mu_a,\mu^\star)=\mathrm{kl}(\mu_a,\mu^\star)$ if $\epsilon\ge
    (\log\frac{\mu^\star}{\mu_a}+\log\frac{1-\mu_a}{1-\mu^\star})$, else
    $\mathrm{kl}(z_\epsilon,\mu^\star)+\epsilon(z_\epsilon-\mu_a)$,
    $z_\epsilon=\frac{\mu^\star}{\mu^\star+(1-\mu^\star)e^{\epsilon}}$.

    This is the printed case distinction. If a mean is 0 or 1, the threshold is infinite and the second case applies.
    """
    z = saturation(mu_star, epsilon, rate)
    second = lambda: kl_bernoulli(z, mu_star) + epsilon * (z - mu_a)  # noqa: E731
    printed_threshold = lambda: log(mu_star / mu_a * ((1 - mu_a) / (1 - mu_star)))  # noqa: E731
    inside = lambda: where(  # noqa: E731
        epsilon, ">=", threshold * printed_threshold(), lambda: kl_bernoulli(mu_a, mu_star), second
    )
    printed = where(mu_a, "==", 0, second, lambda: where(mu_star, "==", 1, second, inside))
    return d_epsilon(mu_a, mu_star, epsilon), "==", printed


@claim("BDP-EQ8/limit", deduced(), false={"constant": "1/9"}, where=HIGH_PRIVACY)
def small_budgets(mu_a: BelowOne, mu_star: AboveZero, epsilon: Positive, constant=Fraction(1, 4)):
    r"""$d_\epsilon(\mu_a,\mu^\star)\sim\epsilon\Delta_a$ as $\epsilon\to0$, since in the high privacy regime, which
    small budgets are in, $\epsilon\Delta_a-\frac14(e^\epsilon-1)(1-e^{-\epsilon})\le
    d_\epsilon(\mu_a,\mu^\star)\le\epsilon\Delta_a$ (left side; the right one is in Implication (a))."""
    loss = epsilon * (mu_star - mu_a) - d_epsilon(mu_a, mu_star, epsilon)
    return loss, "<=", constant * (exp(epsilon) - 1) * (1 - exp(-epsilon))


@claim("BDP-EQ8/kl-plus-tv", fails_at(mu_a=0, mu_star=Fraction(1, 2), epsilon=2), where=HIGH_PRIVACY, role="remark")
def kl_plus_tv(mu_a: BelowOne, mu_star: AboveZero, epsilon: Positive, weight=1):
    r"""(text under (8)) In the high privacy regime
    $d_\epsilon(\mu_a,\mu^\star)=\mathrm{kl}(z_\epsilon,\mu^\star)+\mathrm{TV}(z_\epsilon,\mu_a)$, 'the sum of two
    terms, a KL term and TV distance', read literally.

    In (8) the TV distance is multiplied by epsilon. With this factor the sum is d_epsilon.
    """
    z = saturation(mu_star, epsilon)
    price = epsilon if weight == "epsilon" else weight
    two_terms = kl_bernoulli(z, mu_star) + price * tv_bernoulli(z, mu_a)
    return d_epsilon(mu_a, mu_star, epsilon), "==", two_terms
