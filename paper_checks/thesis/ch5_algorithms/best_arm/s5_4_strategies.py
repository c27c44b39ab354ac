r"""Section 5.4, page 118: Algorithm 10 and its instances AdaP-TT and AdaP-TT*, threshold (5.14), characteristic times.

What Algorithm 10 leaves open is read as in `facts.top_two`: first means and first counts of leader pulls are not
set in print, line 12 compares with a threshold of a phase instead of an arm, line 17 counts N_(k_a, a).
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.pseudocode import Line, read_before_set
from banditproof.paper_checks.thesis.facts.best_arm import EXACT, arms_of, gap_of, gaussian_time
from banditproof.paper_checks.thesis.facts.top_two import program, pseudo_code
from banditproof.theory.best_arm.thresholds import (
    far_threshold,
    lambert_minus,
    near_threshold,
    phase,
    plain_threshold,
    zeta,
)

Names = Annotated[Any, "all: AdaP-TT, AdaP-TT*"]
Seeds = Annotated[Any, "all: every sequence of rewards and of noises"]
Means = Annotated[Any, "all: every instance"]
Risk = Annotated[Any, "(0, 1)"]
Exponent = Annotated[Any, "(1, inf)"]
READ = "the first means are first rewards with noise, the challenger sees all pulls, s = 2, ties go to the lowest arm"
ROUTES = ("program", "pseudo code, step by step")


def runs(name: str) -> list[dict[str, Any]]:
    """Runs that end within some thousand pulls."""
    settings = [("50", "1/2"), ("2", "3/10"), ("1/2", "7/10")]
    two = [{"means": ["9/10", "1/10"], "seed": 7, "epsilon": "8", "delta": "1/2", "beta": "1/2"}]
    three = [
        {"means": ["9/10", "3/10", "1/20"], "seed": seed, "epsilon": epsilon, "delta": "1/5", "beta": beta}
        for seed in range(2)
        for epsilon, beta in settings
    ]
    return [{"name": name, **one} for one in two + three]


@claim(
    "ALG-A10",
    enumerated(runs("AdaP-TT") + runs("AdaP-TT*"), rational=True, routes=ROUTES),
    false=[
        mutation("phases end at three times the pulls", growth=3),
        mutation("nothing is forgotten", forgetting=0),
        mutation("the challenger is chosen by the counts behind the means", challenger="own phase"),
    ],
    assuming=READ,
)
def algorithm_10(
    name: Names,
    seed: Seeds,
    means: Means,
    epsilon: Positive,
    delta: Risk,
    beta: Inside,
    growth=2,
    forgetting=1,
    challenger="all pulls",
):
    r"""Algorithm 10: leader, challenger (by all pulls) and tracking from the private mean of each arm's last phase
    (forgetting: 1), phases that end at 2 times the pulls, until the best mean beats all others.

    The library pulls arm by arm between two phases; it ends with the same pulls and arm as the pseudo code.
    """
    printed = pseudo_code(name, seed, means, epsilon, delta, beta, growth, forgetting, 1, challenger)
    return program(name, seed, means, epsilon, delta, beta), "==", printed


# Algorithm 10 line by line. "mean", "size" and "phase" are mu~_(k_a, a), N~_(k_a, a) and k_a, "start" is T_(k_a)(a),
# "pulls" N_(n, a), "led" N^b_(n, a), "rounds led" L_(n, b). Lines 6 to 9 are not reached in round K + 1.

FIRST_ROUND = [
    Line(3, "K", "phase start L pulls n"),
    Line(5, "pulls start phase"),
    Line(11, "mean", "best"),
    Line(12, "best mean size delta"),
    Line(16, "mean phase size epsilon", "leader"),
    Line(17, "leader mean N_(k_a,a)", "challenger"),
    Line(18, "leader challenger led beta L_(n+1,b)", "arm"),
    Line(19, "arm", "r"),
    Line(20, "arm leader pulls led L n", "pulls led L n"),
]
LATER = [Line(6, "phase", "phase"), Line(7, "n pulls start", "start size"), Line(8, "size start X_s I_s", "average")]
GIVEN = "K epsilon delta beta"
COMPLETED = " mean size led L_(n+1,b) N_(k_a,a) X_s I_s"


@claim("ALG-A10/names", fails_at(rational=True), called={"the list of names that are read before they are set": "left"})
def names_of_algorithm_10(more=0):
    r"""Algorithm 10 reads nothing that its input or an earlier line has not set.

    In round $K+1$ lines 11, 12 and 16 read means $\tilde\mu_{1,a}$ and counts $\tilde N_{1,a}$ that no line has set,
    since no phase has ended. Line 17 counts $N_{k_a,a}$, which is never defined, and line 18 reads $N^{b_n}_{n,b_n}$,
    which has no first value, and $L_{n+1,b_n}$, which line 20 sets later. Line 8 has $X_s$ and $I_s$ where other lines
    have $r_s$ and $a_s$. Two runs that complete these definitions differently end differently.
    """
    return read_before_set(GIVEN + more * COMPLETED, [*FIRST_ROUND, *LATER]), "==", []


@repaired("ALG-A10/names-completed", "ALG-A10/names", enumerated([{}], rational=True))
def completed_names_of_algorithm_10(more=1):
    r"""With $\tilde\mu_{1,a}$ the first reward of arm $a$ plus $\mathrm{Lap}(1/\varepsilon)$, $\tilde N_{1,a}=1$,
    $N^b_{K+1,a}=0$, $L_{n+1,b_n}=L_{n,b_n}+1$ in line 18, the current counts $N_{n,a}$ in line 17, and $r_s$, $a_s$ in
    line 8 (1), the list is empty."""


@claim(
    "ALG-A-ADAPTT",
    enumerated(runs("AdaP-TT"), rational=True, routes=ROUTES),
    false=[mutation(price="1/2"), mutation("stale counts", stopping="all phases")],
    assuming=READ,
)
def adap_tt(
    name: Names, seed: Seeds, means: Means, epsilon: Positive, delta: Risk, beta: Inside, price=1, stopping="last phase"
):
    r"""AdaP-TT is Algorithm 10 with the costs $W^G_{a,b}$ (5.9) and the thresholds $c^{G,\varepsilon}_{a,b}$ (5.11) at
    the counts of the last phase, $\sigma=1/2$."""
    printed = pseudo_code(name, seed, means, epsilon, delta, beta, price=price, stopping=stopping)
    return program(name, seed, means, epsilon, delta, beta), "==", printed


@claim(
    "ALG-A-ADAPTTS",
    enumerated(runs("AdaP-TT*"), rational=True, routes=ROUTES),
    false=mutation(price="1/2"),
    assuming=READ,
)
def adap_tt_star(name: Names, seed: Seeds, means: Means, epsilon: Positive, delta: Risk, beta: Inside, price=1):
    r"""AdaP-TT* is Algorithm 10 with the costs $W^{G,\varepsilon}_{a,b}$ (5.12) and the thresholds $\tilde
    c^{G,\varepsilon}_{a,b}$ (5.14), $\sigma=1/2$."""
    return adap_tt(name, seed, means, epsilon, delta, beta, price)


# Threshold (5.14).

COUNTS, RISKS = ["1", "64", "1048576"], ["1/1000000", "1/100", "99/100"]
SETTINGS = {"delta": RISKS, "arms": [2, 1000], "epsilon": ["1/100", "1"], "s": ["1.1", "2", "12"]}
BOTH = enumerated(n_a=COUNTS, n_b=COUNTS, **SETTINGS, routes=("threshold", "the union bound's prices"))
ALMOST = 1 + Fraction(1, 10**9)


def level(n: Any, delta: Any, arms: Any, s: Any, share: Any = 3) -> Any:
    """log(share K zeta(s) k(n)^s / delta): noise of a sum exceeds it / epsilon with the phase's part of delta/share."""
    return log(share * arms * zeta(to_ball(s)) * phase(n) ** s / delta)


def half_root(n: Any, delta: Any, arms: Any, s: Any) -> Any:
    """h(n, delta)."""
    return lambert_minus(2 * level(n, delta, arms, s) + 4 * log(4 + log(n)) + to_ball(1) / 2) / 2


@claim("ALG-EQ5.14/near", BOTH, false=[{"share": "3.1"}, {"cross": "1.1"}, {"noise": "1.1"}])
def three_prices(
    n_a: AtLeastOne,
    n_b: AtLeastOne,
    delta: Risk,
    arms: TwoOrMore,
    epsilon: Positive,
    s: Exponent,
    share=3,
    cross=1,
    noise=1,
):
    r"""Below $3\varepsilon$, the threshold (5.14) is at least the sum of the prices of the deviations $x_c$, of the
    noises $y_c$ and of their products, at $\delta/3$ each: $c^G_{a,b}$, $\frac{\omega_cy_c^2}{2\sigma^2}$,
    $\frac{\omega_c|x_cy_c|}{\sigma^2}$, with $|y_c|=\frac1{\varepsilon\omega_c}\log\frac{3K\zeta(s)k^s}\delta$ and
    $|x_c|=\sigma\sqrt{2h/\omega_c}$."""
    spread = share * (zeta(to_ball(s)) ** 2) * (phase(n_a) * phase(n_b)) ** s
    price = plain_threshold(n_a, n_b, delta / spread, arms)
    for n in (n_a, n_b):
        y = level(n, delta, arms, s, share) / (epsilon * n)
        x = sqrt(half_root(n, delta, arms, s) / (2 * n))
        price += 2 * noise * n * y**2 + 4 * cross * n * x * y
    return price, "<=", ALMOST * near_threshold(n_a, n_b, delta, arms, epsilon, s)


@claim(
    "ALG-EQ5.14/far",
    enumerated(n_a=COUNTS, n_b=COUNTS, **{**SETTINGS, "s": ["1.1", "3/2", "2"]}),
    false={"noise": "2.2"},
    where=["s <= 2"],
    restricted="to s <= 2: for larger s, the printed power of k does not pay for the part of the risk that "
    "belongs to the noise",
)
def price_of_far_leads(
    n_a: AtLeastOne, n_b: AtLeastOne, delta: Risk, arms: TwoOrMore, epsilon: Positive, s: Exponent, noise=1
):
    r"""From $3\varepsilon$ on, the threshold (5.14) is at least $\frac{3\varepsilon}{2\sigma^2}$ times the sum of
    $\sum_c\omega_c|x_c|$ and $\max_c\omega_c|y_c|$, since
    $\frac{|u_a|+|u_b|}{1/\omega_a+1/\omega_b}\le\max_c\omega_c|u_c|$."""
    moved = sum(sqrt(n * half_root(n, delta, arms, s) / 2) for n in (n_a, n_b))
    released = maximum(level(n_a, delta, arms, s), level(n_b, delta, arms, s)) / epsilon
    price = 6 * epsilon * (moved + noise * released)
    return price, "<=", ALMOST * far_threshold(n_a, n_b, delta, arms, epsilon, s)


@claim(
    "ALG-EQ5.14/far-every-s",
    fails_at(n=2**20, delta=Fraction(1, 10), arms=2, epsilon=Fraction(1, 10**5), s=5),
    role="step",
    slip="The second case of (5.14) has k without its power s; its first case, h and (5.11) have it.",
    called={
        r"$\omega$": "n",
        "$K$": "arms",
        r"$\frac{3\varepsilon}{2\sigma^2}\omega(|x|+|y|)$": "left",
        "the second case of (5.14)": "right",
    },
)
def price_of_far_leads_for_every_s(
    n: AtLeastOne, delta: Risk, arms: TwoOrMore, epsilon: Positive, s: Exponent, power=0
):
    r"""For every $s>1$ the second case of (5.14) is at least $\frac{3\varepsilon}{2\sigma^2}\omega(|x|+|y|)$, for two
    means of $\omega$ rewards each, with the deviation $|x|=\sigma\sqrt{2h/\omega}$ and the noise
    $|y|=\frac1{\varepsilon\omega} \log\frac{3K\zeta(s)k(\omega)^s}\delta$ that the phase's part of $\frac{2\delta}3$
    allows (`n` is $\omega$).

    $k(\omega)$ lacks its power $s$ in the second case. For $s\le2$ a spare factor 2 compensates for it. For larger $s$
    and large $\omega$ the sum over phases no longer bounds the probability of a wrong arm.
    """
    deviation = 6 * epsilon * sqrt(n * half_root(n, delta, arms, s) / 2)
    missing = 12 * power * (s - 1) * log(phase(n))
    return deviation + 6 * level(n, delta, arms, s), "<=", far_threshold(n, n, delta, arms, epsilon, s) + missing


@repaired(
    "ALG-EQ5.14/far-every-s-repaired",
    "ALG-EQ5.14/far-every-s",
    enumerated(n=COUNTS, delta=RISKS, arms=[2, 1000], epsilon=["1/100000", "1"], s=["1.1", "2", "5", "12"]),
)
def price_of_far_leads_with_the_power(power=1):
    r"""With $k(\omega)^s$ in the second case of (5.14), the inequality holds."""


@claim("ALG-EQ5.14/root", deduced(), false={"sides": 100})
def tail_of_a_phase(n: AtLeastOne, root: AtLeastOne, sides=2):
    r"""$2e^{-h(\omega,\delta)}\le\frac{\delta}{3K\zeta(s)k(\omega)^s}$: a mean of $\omega$ rewards is off by
    $\sigma\sqrt{2h/\omega}$ with the part of $\delta/3$ that is its phase's.

    There is room: h also pays for counts that are not known beforehand, but the counts of phases are known beforehand.
    The root is 2 h, and its equation, root - log root = 2 level + 4 log(4 + log n) + 1/2, is solved for the level,
    the logarithm of the inverse of the right side.
    """
    level = (root - log(root) - 4 * log(4 + log(n)) - to_ball(1) / 2) / 2
    return sides * exp(-root / 2), "<=", exp(-level)


# Characteristic times.


@claim(
    "ALG-A-LB",
    enumerated(groups=EXACT, beta=["1/10", "1/2", "9/10"], rational=True, routes=("certified value", "its equation")),
)
def gaussian_time_solves_its_equation(groups: Annotated[Any, "all: every instance"], beta: Inside):
    r"""$y=1/T^*_{\mathrm{KL},\beta}$ of Gaussian arms solves $\sum_{a\ne
    a^*}\bigl(\frac{C_a}y-\frac1\beta\bigr)^{-1}=(1-\beta)$, $C_a=\frac{\Delta_a^2}{2\sigma^2}$."""
    time = gaussian_time(groups, beta)
    found = total(lambda a: 1 / (2 * gap_of(groups, a) ** 2 * time - 1 / beta), 2, arms_of(groups))
    return absolute(found - (1 - beta)), "<=", Fraction(1, 10**6)
