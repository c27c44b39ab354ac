"""Checks of the design lemma behind Theorem 4.18 of the thesis (Lemma B.1, its example and (B.7))."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.coupled_environment import policy_named
from banditproof.paper_checks.linear_designs import exact_rows, information, ratio_of, shares, solved
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.response_ucb import inner
from banditproof.paper_checks.thesis_linear_lower_bound import NEARLY_PARALLEL, finite_points, two_environments
from banditproof.theory.numeric import exp, sqrt, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.symbolic import SymbolicArgument

Rows = Sequence[Sequence[Any]]
Sides = tuple[Any, str, Any]
Point = dict[str, Any]

# ------------------------------------------------------------------------------------------------------ Lemma B.1


def dual_vector(actions: Rows) -> list[Fraction]:
    """For actions (a, a*) of the plane: the vector b with <a*, b> = 0 and <a, b> = 1."""
    (x, y), (p, q) = exact_rows(actions)
    determinant = x * q - y * p
    return [q / determinant, -p / determinant]


def limit_of_rho(actions: Rows, rate: Any) -> Fraction:
    """lim rho_T(H) for two independent actions (a, a*) when E N_a / E N_{a*} -> rate.

    At rate 0, as for every consistent policy, H is b b^T up to scale, with b orthogonal to a*: the term of a* is 0, and
    rho_T(H) = |a - a*|^2 (in the norm of G_T^-1) E N_a |<a, b>| / |<a - a*, b>| -> |<a - a*, b>| |<a, b>|. At a
    positive rate H is the limit itself.
    """
    move = [x - y for x, y in zip(*exact_rows(actions), strict=True)]
    if rate == 0:
        b = dual_vector(actions)
        return abs(inner(move, b)) * abs(inner(actions[0], b))
    return sum(shares(actions, [Fraction(rate), Fraction(1)], 0, 1), Fraction(0))


def lemma(actions: Rows, rate: Any, ratio: str, factor: Any = 1) -> Sides:
    return limit_of_rho(actions, rate), "<=", Fraction(factor) * ratio_of(actions, 0, 1, ratio)


LEMMA = (r"For $H$ a cluster point of $\bar G_T^{-1}/\|\bar G_T^{-1}\|$: $\liminf_T\rho_T(H)\le\rho_a$, where "
         r"$\rho_T(H)=\frac{\|a-a^*\|^2_{\bar G_T^{-1}}}{\|a-a^*\|^2_H}\mathbb E\sum_t|\langle A_t,H(a-a^*)\rangle|$ "
         r"and $\rho_a=\sum_{a_j\ne0}|a_j^\top(a-a^*)|/\|a_j\|^2$.")  # fmt: skip
SEQUENCES = Domain.of(actions="all: every finite set of actions that spans",
                      rate="all: every sequence of expected pulls")  # fmt: skip


@claim("TH-L-B1", LEMMA, domain=SEQUENCES, constants={"ratio": "printed"}, strongest="certificate")
def printed_lemma(check: Check) -> None:
    """With two independent actions rho_T(H) does not depend on them (it is 1 at rate 0, 2 at positive rates), while the
    printed sum is as small as they are parallel.
    """
    check.counterexample(lemma, {"actions": NEARLY_PARALLEL, "rate": Fraction(0)}, rational=True)


def design_sum(actions: Rows, weights: Sequence[Any], action: int, best: int, ratio: str, factor: Any) -> Sides:
    total = sum(shares(actions, [Fraction(w) for w in weights], action, best), Fraction(0))
    return total, "<=", Fraction(factor) * ratio_of(actions, action, best, ratio)


DESIGNS = Domain.of(actions="all: every finite set of actions that spans", weights="all: every design that spans",
                    action="all: every action", best="all: every other action")  # fmt: skip


def designs(check: Check) -> list[Point]:
    """Random designs on small sets, and for each set the uniform designs on its bases, where the sum is largest."""
    draw = check.rng("designs")
    points = []
    for count, dimension in [(2, 2), (3, 2), (4, 2), (4, 3), (5, 3)] * check.pick(1, 6):
        actions = [[int(x) for x in row] for row in draw.integers(-3, 4, (count, dimension))]
        actions[:dimension] = [[int(i == j) + x % 2 * (j > i) for j, x in enumerate(row)]
                               for i, row in enumerate(actions[:dimension])]  # fmt: skip
        weights = [[Fraction(int(w), 7) for w in row] for row in draw.integers(1, 50, (3, count))]
        weights += [[Fraction(j in chosen) for j in range(count)] for chosen in
                    itertools.combinations(range(count), dimension) if spans([actions[j] for j in chosen])]  # fmt: skip
        points += [{"actions": actions, "weights": w, "action": 0, "best": 1} for w in weights]
    return points


def spans(rows: Rows) -> bool:
    from banditproof.theory.action_span import rational_matrix

    return rational_matrix(exact_rows(rows)).rank() == len(rows[0])


@claim("TH-L-B1/bases", r"For every design $w$, $\sum_jw_j|a_j^\top G(w)^{-1}(a-a^*)|\le<factor>\,\rho_a$ with "
       r"$\rho_a$ the largest $\ell_1$ norm of the coordinates of $a-a^*$ in a basis made of actions; so is "
       r"$\liminf_T\rho_T(H)$ bounded.",
       domain=DESIGNS, role="repair", repairs="TH-L-B1", constants={"ratio": "bases", "factor": 1},
       mutations=[mutation("1 % less", ratio="bases", factor="99/100", gradual=False),
                  mutation("the printed ratio", ratio="printed", factor=1)])  # fmt: skip
def lemma_over_bases(check: Check) -> None:
    """w_j a_j^T G^-1 x is the mean of x's coordinate along a_j over bases J containing j, with weights proportional to
    det(A_J)^2 prod_{i in J} w_i (Cauchy-Binet and Cramer's rule); the l1 norm of a mean is at most the largest one.
    """
    check.enumerate(design_sum, designs(check), rational=True, routes=("exact inverse", "coordinates in every basis"))


def key_step(actions: Rows, weights: Sequence[Any], action: int, best: int, which: int) -> Sides:
    rows = exact_rows(actions)
    part = shares(actions, [Fraction(w) for w in weights], action, best)[which]
    move = [x - y for x, y in zip(rows[action], rows[best], strict=True)]
    return part, "<=", abs(inner(rows[which], move)) / inner(rows[which], rows[which])


ONE_TERM = DESIGNS.restrict(which="all: every action that is not zero")


@claim("TH-L-B1/key-step",
       r"$\mathbb E[N_j]\,|a_j^\top\bar G_T^{-1}(a-a^*)|\le|a_j^\top(a-a^*)|/\|a_j\|^2$, since $\bar G_T\succeq\mathbb "
       r"E[N_j]a_ja_j^\top$ and $(a_ja_j^\top)^\dagger b_j=0$.", domain=ONE_TERM, role="step",
       strongest="certificate")  # fmt: skip
def one_term(check: Check) -> None:
    # G >= N a a^T orders the quadratic forms, not the bilinear ones; and G^-1 b is not 0 where (a a^T)^+ b is
    point = {"actions": [[1, 0], [1, 1]], "weights": [1, 1], "action": 0, "best": 1, "which": 0}
    check.counterexample(key_step, point, rational=True)


def one_coordinate(actions: Rows, weights: Sequence[Any], action: int, best: int, factor: Any) -> Sides:
    """max_j w_j |<a_j, G^-1 x>| against the largest coordinate of x in a basis (for two actions of the plane: 1)."""
    return max(shares(actions, [Fraction(w) for w in weights], action, best)), "==", Fraction(factor)


@claim("TH-L-B1/key-step-in-a-basis",
       r"Where the actions are a basis, $\mathbb E[N_j]\,|a_j^\top\bar G_T^{-1}(a-a^*)|$ is the coordinate of $a-a^*$ "
       r"along $a_j$ up to sign, whatever the pulls: the largest is $<factor>$.",
       domain=Domain.of(actions="all: every basis", weights="all: every positive design", action="all: every action",
                        best="all: every other action"),
       role="repair", repairs="TH-L-B1/key-step", constants={"factor": 1},
       mutations=[mutation("0.9", factor="9/10")])  # fmt: skip
def coordinates_in_a_basis(check: Check) -> None:
    bases = [NEARLY_PARALLEL, [[1, 0], [1, 1]], [[2, 1], [0, 3]]]
    weights = [[1, 1], [Fraction(1, 1000), 5], [7, 3]]
    points = [{"actions": a, "weights": w, "action": 0, "best": 1} for a in bases for w in weights]
    check.enumerate(one_coordinate, points, rational=True, routes=("exact inverse", "coordinates 1 and -1"))


def definite_on_the_best_action(actions: Rows, rate: Any, offset: Any = 0) -> Sides:
    """<a*, H a*> for H = b b^T (rate 0)."""
    return inner(exact_rows(actions)[1], dual_vector(actions)) ** 2 + Fraction(offset), ">", Fraction(0)


@claim("TH-T4.18/positive-definite",
       r"$H$, a cluster point of $\bar G_T^{-1}/\|\bar G_T^{-1}\|$, is positive definite.",
       domain=SEQUENCES, role="step", strongest="certificate")  # fmt: skip
def limit_is_definite(check: Check) -> None:
    # a consistent policy pulls a* at a larger rate than anything else: H a* = 0
    point = {"actions": [[0, 1], [1, 0]], "rate": Fraction(0)}
    check.counterexample(definite_on_the_best_action, point, rational=True)


def definite_on_the_move(actions: Rows, rate: Any, factor: Any) -> Sides:
    move = [x - y for x, y in zip(*exact_rows(actions), strict=True)]
    return inner(move, dual_vector(actions)) ** 2, "==", Fraction(factor)


@claim("TH-T4.18/definite-on-the-move",
       r"All that the argument needs is $\|a-a^*\|_H>0$; for a basis of two actions and rate 0 it is "
       r"$\langle a-a^*,b\rangle^2=<factor>$ with $b\perp a^*$, $\langle a,b\rangle=1$.",
       domain=Domain.of(actions="all: every basis of the plane", rate="[0, 0]"), role="repair",
       repairs="TH-T4.18/positive-definite", constants={"factor": 1},
       mutations=[mutation("0", factor=0)])  # fmt: skip
def limit_is_definite_on_the_move(check: Check) -> None:
    points = [{"actions": a, "rate": Fraction(0)} for a in (NEARLY_PARALLEL, [[0, 1], [1, 0]], [[2, 1], [0, 3]])]
    check.enumerate(definite_on_the_move, points, rational=True, routes=("vector orthogonal to a*", "1"))


# ------------------------------------------------------------------------------------------------------ Example B.2


def two_orthogonal_terms(length_a: Any, length_star: Any, pulls_a: Any, pulls_star: Any, total: Any) -> Sides:
    """sum_j N_j |<a_j, G^-1 (a - a*)>| along two orthogonal axes: G^-1 is diagonal, the other actions contribute 0."""
    along_a = length_a * (1 / (pulls_a * length_a**2)) * length_a
    along_star = length_star * (1 / (pulls_star * length_star**2)) * length_star
    return pulls_a * along_a + pulls_star * along_star, "==", total + 0 * length_a


def any_lengths() -> SymbolicArgument:
    import sympy

    names = ("length_a", "length_star", "pulls_a", "pulls_star")
    return SymbolicArgument({n: sympy.Symbol(n, positive=True) for n in names}, 0, "zero")


EXAMPLE = {"constants": {"total": 2}, "mutations": [mutation("1.99", total="199/100")], "strongest": "symbolic"}


@claim("TH-S-B2/sum-over-rounds",
       r"$\mathbb E\sum_t|\langle A_t,\bar G_T^{-1}(a-a^*)\rangle|=<total>$ for orthogonal arms of any "
       r"lengths.",
       domain=Domain.of(length_a="(0, inf)", length_star="(0, inf)", pulls_a="(0, inf)", pulls_star="(0, inf)"),
       **EXAMPLE)  # fmt: skip
def sum_over_rounds(check: Check) -> None:
    check.symbolic(two_orthogonal_terms, any_lengths, routes=("diagonal inverse", "constant"))


def ratio_of_orthogonal_arms(length_a: Any, length_star: Any, total: Any) -> Sides:
    """|<a, a - a*>| / |a|^2 + |<a*, a - a*>| / |a*|^2; the other arms are orthogonal to a - a*."""
    return length_a**2 / length_a**2 + length_star**2 / length_star**2, "==", total + 0 * length_a


def two_lengths() -> SymbolicArgument:
    import sympy

    return SymbolicArgument({n: sympy.Symbol(n, positive=True) for n in ("length_a", "length_star")}, 0, "zero")


@claim("TH-S-B2/ratio", r"$\rho_a(\mathcal A)=<total>$ for orthogonal arms.",
       domain=Domain.of(length_a="(0, inf)", length_star="(0, inf)"), **EXAMPLE)  # fmt: skip
def ratio_of_a_basis(check: Check) -> None:
    check.symbolic(ratio_of_orthogonal_arms, two_lengths, routes=("sum over arms", "constant"))


def ratio_of_the_standard_basis(dimension: int, total: Any) -> Sides:
    basis = [[int(i == j) for i in range(dimension)] for j in range(dimension)]
    return ratio_of(basis, 1, 0, "printed"), "==", Fraction(total)


@claim("TH-S-B2/every-dimension", r"$\rho_a=<total>$ for the standard basis of $\mathbb R^d$, $d\ge2$.",
       domain=Domain.of(dimension="integer [2, inf)"), role="remark", constants={"total": 2},
       mutations=[mutation("1.99", total="199/100")])  # fmt: skip
def ratio_in_every_dimension(check: Check) -> None:
    grid = {"dimension": range(2, check.pick(9, 30))}
    check.enumerate(ratio_of_the_standard_basis, grid, rational=True, routes=("sum over arms", "constant"))


parts_decide("TH-S-B2", r"If the action space is the orthogonal basis, $\rho_a(\mathcal A)=2$, and "
                        r"$\mathbb E\sum_t|\langle A_t,\bar G_T^{-1}(a-a^*)\rangle|=2$.")  # fmt: skip

# ------------------------------------------------------------------------------------------------------ (B.7)


def gaussian_form(policy: Any, actions: Rows, theta: Any, action: int, alpha: Any, factor: Any) -> Sides:
    total, norm, gap = two_environments(policy, actions, theta, action, alpha)
    exponent = to_ball((gap + Fraction(alpha)) ** 2 / (2 * norm))
    return total, ">=", to_ball(factor * policy_named(policy).horizon * Fraction(alpha)) * exp(-exponent)


@claim("TH-EQ-B7",
       r"$\limsup_T\log T\,\|a-a^*\|^2_{\bar G_T^{-1}}\le\frac12\Delta_a^2$ for consistent policies. At a finite "
       r"horizon: $\mathrm{Reg}_T+\mathrm{Reg}'_T\ge<factor>\,T\alpha\exp\bigl(-\frac{(\Delta_a+\alpha)^2}"
       r"{2\|a-a^*\|^2_{\bar G_T^{-1}}}\bigr)$, $\alpha\le\Delta_{\min}$, whose limit it is.",
       domain=Domain.of(policy="all: every policy", actions="all: every finite set of actions that spans",
                        theta="all: every parameter with one best action", action="all: every suboptimal action",
                        alpha="all: every positive number at most the smallest gap"),
       constants={"factor": "1/4"}, mutations=[mutation("factor 4", factor=4, gradual=False)])  # fmt: skip
def design_bound(check: Check) -> None:
    check.enumerate(gaussian_form, finite_points(), rational=True,
                    routes=("exact regret of finite policies", "bound of the proof"))  # fmt: skip


def norms(actions: Rows, weights: Sequence[Any], action: int, best: int) -> tuple[Fraction, Fraction, Fraction]:
    """|a - a*|^2, |a|^2 and |a*|^2 in the norm of G(w)^-1, exact."""
    rows = exact_rows(actions)
    matrix = information(rows, [Fraction(w) for w in weights])
    move = [x - y for x, y in zip(rows[action], rows[best], strict=True)]
    first, second, third = (inner(v, solved(matrix, v)) for v in (move, rows[action], rows[best]))
    return first, second, third


def limit_of_the_ratio(actions: Rows, action: int, best: int) -> Sides:
    """lim |a - a*| / |a|: |1 - c| / |c| for a = c a*, whatever the design; else 1 as E N_{a*} outgrows the others."""
    rows = exact_rows(actions)
    factor = inner(rows[action], rows[best]) / inner(rows[best], rows[best])
    parallel = all(x == factor * y for x, y in zip(rows[action], rows[best], strict=True))
    return (abs(1 - factor) / abs(factor) if parallel else Fraction(1)), "==", Fraction(1)


@claim("TH-EQ-B7/ratio", r"$\lim_T\|a-a^*\|_{\bar G_T^{-1}}/\|a\|_{\bar G_T^{-1}}=1$ for every suboptimal $a$.",
       domain=Domain.of(actions="all: every finite set of actions that spans", action="all: every suboptimal action",
                        best="all: the best action"), role="step", strongest="certificate")  # fmt: skip
def norms_agree(check: Check) -> None:
    # a = -a* is suboptimal for theta = a*, and |a - a*| = 2 |a| in every norm
    point = {"actions": [[1, 0], [-1, 0], [0, 1]], "action": 1, "best": 0}
    check.counterexample(limit_of_the_ratio, point, rational=True)


def norms_differ_by_the_best(actions: Rows, weights: Sequence[Any], action: int, best: int, factor: Any) -> Sides:
    first, second, _ = norms(actions, weights, action, best)
    return abs(sqrt(to_ball(first)) - sqrt(to_ball(second))), "<=", to_ball(factor) / sqrt(to_ball(weights[best]))


@claim("TH-EQ-B7/ratio-away-from-the-best-direction",
       r"$\bigl|\|a-a^*\|-\|a\|\bigr|\le<factor>/\sqrt{\mathbb E N_{a^*}}$ in the norm of $\bar G_T^{-1}$. "
       r"So the ratio tends to 1 for $a\nparallel a^*$, where $\|a\|^2$ is at least of the order $1/\mathrm{Reg}_T$; "
       r"for $a\parallel a^*$ both norms are of the order $T^{-1/2}$ and the constraint holds all the same.",
       domain=DESIGNS, role="repair", repairs="TH-EQ-B7/ratio", constants={"factor": 1},
       mutations=[mutation("1/1000", factor="1/1000", gradual=False)])  # fmt: skip
def norms_agree_up_to_the_best(check: Check) -> None:
    sets: list[list[list[Any]]] = [[[1, 0], [0, 1]], [[1, 0], [-1, 0], [0, 1]], [[1, 0], [1, 1], [0, 2]]]
    points = [{"actions": actions, "weights": [weight, *[3] * (len(actions) - 1)], "action": 1, "best": 0}
              for actions in sets for weight in (1, 10, 1000)]  # fmt: skip
    check.enumerate(norms_differ_by_the_best, points, rational=True, routes=("exact inverse", "triangle inequality"))
