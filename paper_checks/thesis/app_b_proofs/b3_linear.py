"""Appendix B.3, page 180: the proof of the lower bound for linear bandits, and the ratio of its lemma."""

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.linear_designs import *
from banditproof.paper_checks.shared.lists import entry_of, sum_over
from banditproof.paper_checks.shared.response_ucb import inner
from banditproof.paper_checks.thesis.facts.linear import *
from banditproof.theory.linear.action_span import rational_matrix

Actions = Annotated[Any, "all: every finite set of actions that spans"]
Design = Annotated[Any, "all: every design that spans"]
Action = Annotated[Any, "all: every action"]
OtherAction = Annotated[Any, "all: every other action"]
Suboptimal = Annotated[Any, "all: every suboptimal action"]


def difference(actions: Rows, action: int, best: int) -> list[Fraction]:
    rows = exact_rows(actions)
    return [x - y for x, y in zip(rows[action], rows[best], strict=True)]


@claim(
    "TH-EQ-B7/finite-horizon",
    enumerated(
        lambda check: finite_points(), rational=True, routes=("exact regret of finite policies", "bound of the proof")
    ),
)
def design_bound(
    policy: Policy,
    actions: Actions,
    theta: Annotated[Any, "all: every parameter with one best action"],
    action: Suboptimal,
    alpha: Positive,
):
    r"""At a finite horizon:
    $\mathrm{Reg}_T+\mathrm{Reg}'_T\ge\frac14\,T\alpha\exp\bigl(-\frac{(\Delta_a+\alpha)^2}{2\|a-a^*\|^2_{\bar
    G_T^{-1}}}\bigr)$ for $\alpha\le\Delta_{\min}$, where $\mathrm{Reg}'_T$ is the regret under the parameter $\theta'$
    that makes $a$ better than $a^*$ by $\alpha$. For a consistent policy its limit is (B.7).

    This inequality is ours: (B.7) is quoted from the textbook. For these policies four times as much would pass as
    well.
    """
    case = policy, actions, theta, action, alpha
    exponent = (gap_of_an_action(actions, theta, action) + alpha) ** 2 / (2 * norm_of_the_move(*case))
    return regret_of_two_parameters(*case), ">=", rounds_of(policy) * alpha * exp(-exponent) / 4


@quantity
def limit_of_the_norms(actions: Rows, action: int, best: int) -> Fraction:
    """The limit of |a - a*| over |a| in the norm of the inverse of the design."""
    rows = exact_rows(actions)
    factor = inner(rows[action], rows[best]) / inner(rows[best], rows[best])
    parallel = all(x == factor * y for x, y in zip(rows[action], rows[best], strict=True))
    return abs(1 - factor) / abs(factor) if parallel else Fraction(1)


@claim(
    "TH-EQ-B7/ratio",
    fails_at(actions=[[1, 0], [-1, 0], [0, 1]], action=1, best=0, rational=True),
    role="step",
    assuming="the limit of the ratio, |1 - c|/|c| for a = c a* and else 1",
    called={"two opposite actions and a third one": "actions, action, best", "the limit": "left"},
)
def norms_agree(actions: Actions, action: Suboptimal, best: Annotated[Any, "all: the best action"]):
    r"""$\lim_T\|a-a^*\|_{\bar G_T^{-1}}/\|a\|_{\bar G_T^{-1}}=1$ for every suboptimal $a$.

    The action a = -a* is suboptimal for theta = a*, and then |a - a*| = 2 |a| in every norm, so the limit is 2. For a
    not parallel to a* the limit is 1. For parallel ones the constraint that is derived from it holds nevertheless.

    The limit is |1 - c| / |c| for a = c a*, whatever the design is, and 1 for all other a, since E N_{a*} grows faster
    than the others.
    """
    return limit_of_the_norms(actions, action, best), "==", 1


def square_of(actions: Rows, weights: Sequence[Any], vector: Sequence[Fraction]) -> Fraction:
    """The square of a vector's norm in the inverse of the design."""
    return inner(vector, solved(information(exact_rows(actions), [Fraction(w) for w in weights]), vector))


@quantity
def square_of_the_difference(actions: Rows, weights: Sequence[Any], action: int, best: int) -> Fraction:
    """|a - a*|^2 in the norm of the inverse of the design."""
    return square_of(actions, weights, difference(actions, action, best))


@quantity
def square_of_the_action(actions: Rows, weights: Sequence[Any], action: int) -> Fraction:
    """|a|^2 in the norm of the inverse of the design."""
    return square_of(actions, weights, exact_rows(actions)[action])


Polynomial = list[Fraction]  # of x, the coefficient of 1 first


def added(p: Polynomial, q: Polynomial) -> Polynomial:
    return [x + y for x, y in itertools.zip_longest(p, q, fillvalue=Fraction(0))]


def multiplied(p: Polynomial, q: Polynomial) -> Polynomial:
    product = [Fraction(0)] * (len(p) + len(q) - 1)
    for i, x in enumerate(p):
        for j, y in enumerate(q):
            product[i + j] += x * y
    return product


def quotient_at_zero(above: Polynomial, below: Polynomial) -> Fraction:
    """The limit of above/below as x decreases to 0, where it is finite."""
    first = next((k for k, c in enumerate(below) if c), len(below))
    if first == len(below) or any(above[:first]):
        raise InvalidInput("quotient", (above, below), "one of polynomials with a finite limit")
    return (above[first] if first < len(above) else Fraction(0)) / below[first]


@quantity
def limit_of_the_rate(actions: Rows, rate: Any) -> Fraction:
    """lim rho_T(H) for two independent actions (a, a*) of the plane, where x = E N_a / E N_a* - rate decreases to 0.

    Neither another length of H nor other numbers of pulls of the same proportion change rho_T(H), so x decides it. The
    inverse of G is adj(G)/det(G): H is adj(G) at x = 0, up to its length, and rho_T(H) a quotient of polynomials of x.
    """
    rows, apart = exact_rows(actions), difference(actions, 0, 1)
    pulls = [[Fraction(rate), Fraction(1)], [Fraction(1)]]

    def entry(i: int, j: int) -> Polynomial:
        """Of G, the sum of E N_j a_j a_j^T."""
        (first, second), (p, q) = rows, pulls
        return added([first[i] * first[j] * c for c in p], [second[i] * second[j] * c for c in q])

    minus = [-c for c in entry(0, 1)]
    adjugate = [[entry(1, 1), minus], [minus, entry(0, 0)]]
    determinant = added(multiplied(entry(0, 0), entry(1, 1)), multiplied(entry(0, 1), minus))
    square: Polynomial = [Fraction(0)]  # of a - a* in the norm of the adjugate
    for i, j in itertools.product(range(2), repeat=2):
        square = added(square, [apart[i] * apart[j] * c for c in adjugate[i][j]])
    image = [sum([adjugate[i][j][0] * apart[j] for j in range(2)], Fraction(0)) for i in range(2)]  # H (a - a*)
    spent: Polynomial = [Fraction(0)]  # the expected sum over the rounds
    for row, played in zip(rows, pulls, strict=True):
        spent = added(spent, [abs(inner(row, image)) * c for c in played])
    return quotient_at_zero(multiplied(square, spent), [inner(apart, image) * c for c in determinant])


@quantity
def share_of(actions: Rows, weights: Sequence[Any], action: int, best: int, which: int) -> Fraction:
    """w_j |<a_j, G(w)^-1 (a - a*)>|."""
    return shares(actions, [Fraction(w) for w in weights], action, best)[which]


@quantity
def product_with_the_difference(actions: Rows, action: int, best: int, which: int) -> Fraction:
    """<a_j, a - a*>."""
    return inner(exact_rows(actions)[which], difference(actions, action, best))


@quantity
def square_of_the_length(actions: Rows, which: int) -> Fraction:
    """|a_j|^2."""
    row = exact_rows(actions)[which]
    return inner(row, row)


@claim(
    "TH-EQ-B7/ratio-away-from-the-best-direction",
    enumerated(
        [
            {"actions": actions, "weights": [weight, *[3] * (len(actions) - 1)], "action": 1, "best": 0}
            for actions in ([[1, 0], [0, 1]], [[1, 0], [-1, 0], [0, 1]], [[1, 0], [1, 1], [0, 2]])
            for weight in (1, 10, 1000)
        ],
        rational=True,
        routes=("exact inverse", "triangle inequality"),
    ),
    repairs="TH-EQ-B7/ratio",
)
def norms_agree_up_to_the_best(actions: Actions, weights: Design, action: Action, best: OtherAction):
    r"""$\bigl|\|a-a^*\|-\|a\|\bigr|\le1/\sqrt{\mathbb E N_{a^*}}$ in the norm of $\bar G_T^{-1}$. So the ratio tends to
    1 for $a\nparallel a^*$, where $\|a\|^2$ is at least of the order $1/\mathrm{Reg}_T$; for $a\parallel a^*$ both
    norms are of the order $T^{-1/2}$ and the constraint holds all the same."""
    apart = square_of_the_difference(actions, weights, action, best)
    own = square_of_the_action(actions, weights, action)
    return absolute(sqrt(apart) - sqrt(own)), "<=", 1 / sqrt(entry_of(weights, best))


@claim(
    "TH-L-B1",
    fails_at(actions=[[1, "1/2"], [1, "-1/2"]], rate=0, rational=True),
    called={
        "the actions $(1,1/2)$ and $(1,-1/2)$, the first of them played rarely": "actions, rate",
        r"$\lim\rho_T(H)$": "left",
        r"$\rho_a$": "right",
    },
)
def printed_lemma(actions: Actions, rate: Annotated[Any, "all: every sequence of expected pulls"]):
    r"""For $H$ a cluster point of $\bar G_T^{-1}/\|\bar G_T^{-1}\|$: $\liminf_T\rho_T(H)\le\rho_a$, where
    $\rho_T(H)=\frac{\|a-a^*\|^2_{\bar G_T^{-1}}}{\|a-a^*\|^2_H}\mathbb E\sum_t|\langle A_t,H(a-a^*)\rangle|$ and
    $\rho_a=\sum_{a_j\ne0}|a_j^\top(a-a^*)|/\|a_j\|^2$.

    If two independent actions $a$ and $a^\star$ are nearly parallel, $\rho_a$ is small: it is 4 h^2/(1 + h^2) for (1,
    h) and (1, -h), which is 4/5 at h = 1/2. But $\rho_T(H)$ tends to 1, whatever the two actions are, for a policy that
    plays $a$ rarely, as every consistent policy does. The lemma holds with the largest l1 norm of the coordinates of a
    - a* in a basis of actions.

    The rate is the limit of E N_a / E N_{a*}, here 0. Then H is b b^T up to scale, with b orthogonal to a*. The limit
    is that of a quotient of polynomials of this fraction, with the H of the lemma (`limit_of_the_rate`).
    """
    return limit_of_the_rate(actions, rate), "<=", printed_span_ratio(actions, 0, 1)


def designs(check: Check) -> list[dict[str, Any]]:
    """Random designs on small sets, and for each set the uniform designs on its bases, where the sum is largest."""
    draw = check.rng("designs")
    points = []
    for count, dimension in [(2, 2), (3, 2), (4, 2), (4, 3), (5, 3)] * check.pick(1, 6):
        actions = [[int(x) for x in row] for row in draw.integers(-3, 4, (count, dimension))]
        for i, row in enumerate(actions[:dimension]):
            actions[i] = [int(i == j) + x % 2 * (j > i) for j, x in enumerate(row)]
        weights = [[Fraction(int(w), 7) for w in row] for row in draw.integers(1, 50, (3, count))]
        for chosen in itertools.combinations(range(count), dimension):
            if rational_matrix(exact_rows([actions[j] for j in chosen])).rank() == dimension:
                weights.append([Fraction(j in chosen) for j in range(count)])
        points += [{"actions": actions, "weights": w, "action": 0, "best": 1} for w in weights]
    return points


@claim(
    "TH-L-B1/bases",
    enumerated(designs, rational=True, routes=("exact inverse", "coordinates in every basis")),
    false=mutation("the printed ratio", ratio="printed"),
    repairs="TH-L-B1",
)
def lemma_over_bases(actions: Actions, weights: Design, action: Action, best: OtherAction, ratio="bases"):
    r"""For every design $w$, $\sum_jw_j|a_j^\top G(w)^{-1}(a-a^*)|\le\rho_a$ with $\rho_a$ the largest $\ell_1$ norm of
    the coordinates of $a-a^*$ in a basis made of actions; so is $\liminf_T\rho_T(H)$ bounded.

    w_j a_j^T G^-1 x is the mean of x's coordinate along a_j over bases J containing j, with weights proportional to
    det(A_J)^2 prod_{i in J} w_i (Cauchy-Binet and Cramer's rule); the l1 norm of a mean is at most the largest one.
    """
    whole = sum_over(weights, lambda j, _: share_of(actions, weights, action, best, j))
    return whole, "<=", RATIOS_OF[ratio](actions, action, best)


@claim(
    "TH-L-B1/key-step",
    fails_at(actions=[[1, 0], [1, 1]], weights=[1, 1], action=0, best=1, which=0, rational=True),
    role="step",
    cause="TH-T4.18/constant-of-lemma-b1",
    called={
        "the actions $(1,0)$ and $(1,1)$, pulled once each, and $a_j=(1,0)$": "actions, weights, action, best, which",
        "the left side of the inequality": "left",
        "the right one": "right",
    },
)
def one_term(
    actions: Actions,
    weights: Design,
    action: Action,
    best: OtherAction,
    which: Annotated[Any, "all: every action that is not zero"],
):
    r"""$\mathbb E[N_j]\,|a_j^\top\bar G_T^{-1}(a-a^*)|\le|a_j^\top(a-a^*)|/\|a_j\|^2$, since $\bar G_T\succeq\mathbb
    E[N_j]a_ja_j^\top$ and $(a_ja_j^\top)^\dagger b_j=0$.

    G >= N a a^T compares the quadratic forms x^T G^-1 x, not the products x^T G^-1 y of two different vectors, and G^-1
    b need not vanish if the pseudo-inverse of a a^T maps b to 0. The actions (1, 0) and (1, 1), pulled once each, are a
    counterexample: a - a* = (0, -1) is orthogonal to the first, and the left side is 1.
    """
    bound = absolute(product_with_the_difference(actions, action, best, which)) / square_of_the_length(actions, which)
    return share_of(actions, weights, action, best, which), "<=", bound


@claim(
    "TH-L-B1/key-step-in-a-basis",
    enumerated(
        actions=[NEARLY_PARALLEL, [[1, 0], [1, 1]], [[2, 1], [0, 3]]],
        weights=[[1, 1], [Fraction(1, 1000), 5], [7, 3]],
        action=0,
        best=1,
        rational=True,
        routes=("exact inverse", "coordinates 1 and -1"),
    ),
    repairs="TH-L-B1/key-step",
)
def coordinates_in_a_basis(
    actions: Annotated[Any, "all: every basis"],
    weights: Annotated[Any, "all: every positive design"],
    action: Action,
    best: OtherAction,
):
    r"""Where the actions are a basis, $\mathbb E[N_j]\,|a_j^\top\bar G_T^{-1}(a-a^*)|$ is the coordinate of $a-a^*$
    along $a_j$ up to sign, whatever the pulls: the largest is $1$.

    For two actions of the plane the coordinates of a - a* are 1 and -1.
    """
    return maximum(*(share_of(actions, weights, action, best, j) for j in (0, 1))), "==", 1


@quantity
def ratio_of_the_standard_basis(dimension: int) -> Fraction:
    """rho_a of the standard basis."""
    return printed_span_ratio([[int(i == j) for i in range(dimension)] for j in range(dimension)], 1, 0)


@claim(
    "TH-S-B2/every-dimension",
    enumerated(lambda check: {"dimension": range(2, check.pick(9, 30))}, rational=True),
    role="remark",
)
def ratio_in_every_dimension(dimension: TwoOrMore):
    r"""$\rho_a=2$ for the standard basis of $\mathbb R^d$, $d\ge2$."""
    return ratio_of_the_standard_basis(dimension), "==", 2
