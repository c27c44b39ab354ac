r"""Appendix F: facts about $d_\epsilon$ that are not printed but follow from Lemmas F.1 to F.5.

Its dual and stable forms, its values at edges, its shape, the DP-KLUCB index in closed form, how much smaller it is
than the smaller of its two pure costs, exactly, and reference values.
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.bernoulli_dp.facts.divergence import printed_minimiser, saturation
from banditproof.theory import d_epsilon, d_epsilon_depsilon, d_epsilon_dual_objective

CLOSED_SQUARE = Domain.of(x="[0, 1]", y="[0, 1]", epsilon="(0, inf)")

item(
    "BDP-DF1",
    r"$d_\epsilon(x,y)=\max_{|\lambda|\le\epsilon}\{\lambda x-\log(1-y+ye^\lambda)\}$.",
    domain=CLOSED_SQUARE,
    covered="No multiplier gives a larger value, and one multiplier attains it.",
)


@claim("BDP-DF1/attained", deduced(), false={"reach": "1.1"})
def dual_attained(x: Probability, y: Probability, epsilon: Positive, reach=1):
    r"""The dual is attained at $\lambda^*=\mathrm{logit}\,x-\mathrm{logit}\,y$ clipped to $[-\epsilon,\epsilon]$, at
    $-\epsilon$ for $x=0$ or $y=1$ and at $\epsilon$ for $x=1$ or $y=0$."""
    least, most = -reach * epsilon, reach * epsilon
    below = lambda: maximum(least, -log(y * (1 - x) / (x * (1 - y))))  # noqa: E731
    above = lambda: minimum(most, log(x * (1 - y) / (y * (1 - x))))  # noqa: E731
    inside = lambda: where(x, "<=", y, below, above)  # noqa: E731
    beside = lambda: where(y, "==", 0, most, lambda: where(y, "==", 1, least, inside))  # noqa: E731
    multiplier = where(x, "==", 0, least, lambda: where(x, "==", 1, most, beside))
    return d_epsilon_dual_objective(multiplier, x, y), "==", d_epsilon(x, y, epsilon)


@claim("BDP-DF2", deduced(), false={"rate": "1.1"})
def stable_closed_form(x: Probability, y: Probability, epsilon: Positive, rate=1):
    r"""In the high privacy regime $d_\epsilon(x,y)=-\epsilon x-\log(1-y(1-e^{-\epsilon}))$ for $x\le y$, its mirror
    image for $x\ge y$; else it is $\mathrm{kl}(x,y)$."""
    kl = lambda: kl_bernoulli(x, y)  # noqa: E731
    below = lambda: -rate * epsilon * x - log(1 - y * (1 - exp(-rate * epsilon)))  # noqa: E731
    above = lambda: -rate * epsilon * (1 - x) - log(1 - (1 - y) * (1 - exp(-rate * epsilon)))  # noqa: E731
    when_below = lambda: where(x, "<", saturation(y, epsilon), below, kl)  # noqa: E731
    when_above = lambda: where(1 - x, "<", saturation(1 - y, epsilon), above, kl)  # noqa: E731
    form = where(x, "==", y, 0 * epsilon, lambda: where(x, "<", y, when_below, when_above))
    return form, "==", d_epsilon(x, y, epsilon)


Zero = Annotated[Any, "[0, 0]"]
One = Annotated[Any, "[1, 1]"]


@claim("BDP-DF3/second-is-0", deduced())
def value_to_zero(x: AboveZero, y: Zero, epsilon: Positive):
    r"""$d_\epsilon(x,0)=\epsilon x$."""
    return d_epsilon(x, y, epsilon), "==", epsilon * x


@claim("BDP-DF3/second-is-1", deduced())
def value_to_one(x: BelowOne, y: One, epsilon: Positive):
    r"""$d_\epsilon(x,1)=\epsilon(1-x)$."""
    return d_epsilon(x, y, epsilon), "==", epsilon * (1 - x)


@claim("BDP-DF3/first-is-0", deduced(), false={"scale": "0.99"})
def value_from_zero(x: Zero, y: Inside, epsilon: Positive, scale=1):
    r"""$d_\epsilon(0,y)=-\log(1-y+ye^{-\epsilon})$."""
    return d_epsilon(x, y, epsilon), "==", -scale * log(1 - y + y * exp(-epsilon))


@claim("BDP-DF3/first-is-1", deduced(), false={"scale": "0.99"})
def value_from_one(x: One, y: Inside, epsilon: Positive, scale=1):
    r"""$d_\epsilon(1,y)=-\log(y+(1-y)e^{-\epsilon})$."""
    return d_epsilon(x, y, epsilon), "==", -scale * log(y + (1 - y) * exp(-epsilon))


item(
    "BDP-DF4",
    r"$d_\epsilon$ is symmetric, jointly convex in $(x,y)$, and concave and nondecreasing in $\epsilon$.",
    domain=CLOSED_SQUARE,
    covered="Symmetry is a part. d_epsilon is a maximum of functions (BDP-DF1), each of which is convex. Its slope in"
    " the budget is a distance, so it is not negative, at every budget above 0, and the slope does not grow.",
    rests_on=["BDP-DF1"],
)


def slope_in_the_budget(x: Any, y: Any, epsilon: Any, scale: Any = 1) -> Sides:
    paid = absolute(printed_minimiser(x, y, epsilon) - x)
    return d_epsilon_depsilon(x, y, epsilon), "==", scale * paid


@claim("BDP-DF5/ties", enumerated(epsilon=["1/4"], x=["1/2"], horizon=[10**6]), false={"pulls": 109})
def ties(
    epsilon: Annotated[Any, [Fraction(1, 4)]],
    x: Annotated[Any, [Fraction(1, 2)]],
    horizon: Annotated[Any, [1000000]],
    pulls=110,
):
    r"""For $\epsilon=0.25$, $x=0.5$, $T=10^6$ all arms with at most 110 pulls tie at index 1, and no other arms do.

    The largest N with log T / N >= epsilon (1 - x), computed from a ball, is compared with the stated number.
    """
    largest = log(to_ball(horizon)) / (epsilon * (1 - x))
    return -least_integer(-largest), "==", pulls


def kl_left(x: Any, y: Any, epsilon: Any) -> Sides:
    z = printed_minimiser(x, y, epsilon)
    return kl_bernoulli(x, y) - d_epsilon(x, y, epsilon), "==", kl_bernoulli(x, z)


def price_of_privacy(x: Any, y: Any, epsilon: Any) -> Sides:
    return slope_in_the_budget(x, y, epsilon)


def chi_square(x: Any, y: Any) -> Sides:
    """(y - x) d/dy kl(x, y) >= kl(x, y), which says that kl(x, y) / (y - x) does not decrease in y."""
    return kl_bernoulli(x, y), "<=", (y - x) * (y - x) / (y * (1 - y))


def saturating(u: Positive) -> Sides:
    """1 - e^-u - u e^-u >= 0, which says that u / (1 - e^-u) does not decrease."""
    return u, "<=", exp(u) - 1


def top_of_the_ratio(price: Positive, factor=1) -> Sides:
    """min(1, price u) / (1 - e^-u) at u = 1/price against the printed constant, without the divisions."""
    u = 1 / price
    return price * u * (1 - exp(-1 / price)), "<=", factor * (1 - exp(-u))


INSIDE_BELOW = Domain.of(x="[0, 1)", y="(0, 1)", epsilon="(0, inf)", where=["x < y"])
COMPARISON = argued(
    "Let K = kl(x,y), D = y - x, u = epsilon D / K. By the first two facts d' = z* - x and K - d = kl(x, z*); by the "
    "third kl(x, z*) / (z* - x) <= K / D, so d' >= D (1 - d/K), and e^u (d - K (1 - e^-u)) does not decrease from its "
    "value 0 at epsilon = 0. Hence min(K, price epsilon D) / d <= min(1, price u) / (1 - e^-u), which by the fourth "
    "fact grows up to u = 1/price and falls from there. For y = 1 the ratio is price, the limit for u to 0.",
    fact(price_of_privacy, INSIDE_BELOW),
    fact(kl_left, INSIDE_BELOW),
    fact(chi_square, Domain.of(x="[0, 1)", y="(0, 1)", where=["x < y"])),
    fact(saturating),
    top_of_the_ratio,
    routes=("comparison of d' with D (1 - d/K)", "closed form"),
)


def improved_by(price: int) -> tuple[Any, ...]:
    """The steps: the ratio comes arbitrarily close to the constant as y -> 0 at x = 0, epsilon = 1/price."""
    budget = Fraction(1, price)
    budgets = f"[{budget}, {2 * budget}]"

    def wider(check: Check, relation: Any) -> None:
        """Bisection does not finish here; the attempt itself counts the boxes that stay open."""
        covers = check.domain.restrict(x="[0, 1/4]", y="(0, 1/2]", epsilon=budgets)
        check.interval(relation, covers, boxes=check.pick(300 if price == 1 else 100, 20_000))

    return (
        tried_at(x=0, y=[Fraction(1, n) for n in (10, 100, 10**4, 10**6)], epsilon=budget),
        interval({"x": "[0, 1/8]", "y": "[3/4, 7/8]", "epsilon": budgets}),
        step(wider, "interval"),
        COMPARISON,
    )


def improvement(x: Any, y: Any, epsilon: Any, price: Any, factor: Any) -> Sides:
    best_pure = minimum(kl_bernoulli(x, y), price * epsilon * (y - x))
    return best_pure * (1 - exp(-to_ball(1) / price)), "<=", factor * d_epsilon(x, y, epsilon)


@claim("BDP-DF7/kl-or-privacy-cost", *improved_by(1), false={"factor": "0.99"}, where=["x < y"])
def kl_or_privacy_cost(x: BelowOne, y: AboveZero, epsilon: Positive, price=1, factor=1):
    r"""$\min\{\mathrm{kl}(x,y),\epsilon|x-y|\}\le\frac{1}{1-e^{-1}}\,d_\epsilon(x,y)$ for $x<y$."""
    return improvement(x, y, epsilon, price, factor)


@claim("BDP-DF7/kl-or-six-privacy-costs", *improved_by(6), false={"factor": "0.99"}, where=["x < y"])
def kl_or_six_privacy_costs(x: BelowOne, y: AboveZero, epsilon: Positive, price=6, factor=1):
    r"""$\min\{\mathrm{kl}(x,y),6\epsilon|x-y|\}\le\frac{1}{1-e^{-1/6}}\,d_\epsilon(x,y)$ for $x<y$."""
    return improvement(x, y, epsilon, price, factor)


REFERENCE = (  # epsilon, x, y, value
    ("0.5", "0.3", "0.7", "0.17217488606236436441"),
    ("2", "0.3", "0.7", "0.33891914415488144548"),
    ("1", "0", "0.5", "0.37988549304172247537"),
    ("0.1", "0.5", "1", "0.05"),
    ("0.25", "0.9", "0.2", "0.16974971566300464792"),
    ("0.25", "0.7", "0.75", "0.006401275618341593584"),
    ("1", "0.1", "0.8", "0.60460547087965234957"),
)


@claim(
    "BDP-DF8",
    enumerated([{}], routes=("stable form in balls", "independent 20 digits")),
    false={"scale": "1000000000001/1000000000000"},
)
def reference_values(scale=1):
    r"""Seven reference values of $d_\epsilon$, correct to one unit in the last of 20 digits."""

    def units_off(epsilon: str, x: str, y: str, value: str) -> Any:
        distance = absolute(d_epsilon(to_ball(x), to_ball(y), scale * to_ball(epsilon)) - to_ball(value))
        return distance * 10 ** len(value.partition(".")[2])

    return most(units_off(*line) for line in REFERENCE), "<=", 1
