r"""Tables 4.1 and 4.2, and the definitions and remarks around the minimax bounds."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from banditproof.paper_checks.bernoulli_dp_maximal_coupling import PAIRS as PAIRS_OF_LAWS
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.coupled_environment import policy_named
from banditproof.paper_checks.register import claim, mutation, not_checkable, parts_decide
from banditproof.paper_checks.thesis_couplings import maximal_against_transport
from banditproof.paper_checks.thesis_minimax import variation_over_gap
from banditproof.paper_checks.thesis_two_environments import Sides
from banditproof.paper_checks.two_environments import bernoulli_laws, means, positive, regret
from banditproof.theory.minimax import minimax_lower_bound
from banditproof.theory.numeric import exp, minimum, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.enumeration import view_epsilon
from banditproof.verify.kernels import FiniteKernel
from banditproof.verify.output_laws import history_law
from banditproof.verify.symbolic import SymbolicArgument

not_checkable(
    "TH-R4.22",
    "Lower bounds under zCDP are given for Interactive zCDP only; for View and Table zCDP they are an open question.",
    "no statement",
    "a bound, or the claim that there is none",
)


# -------------------------------------------------------------------------------------------------- the two tables

parts_decide("TH-S4.Tab1", "Table 4.1 collects Theorems 4.15 to 4.18.")


def as_in_the_theorem(gap: Any, price: Any, half: Any) -> Sides:
    """Delta/2 min(Delta, price), price = epsilon rho, of the table against min(Delta^2/2, price Delta/2)."""
    return half * gap * minimum(gap, price), "==", minimum(gap * gap / 2, price * gap / 2)


@claim(
    "TH-S4.Tab1/linear-constraint", r"$<half>\,\Delta_a\min(\Delta_a,\varepsilon\rho)=\min\{\frac12\Delta_a^2,\frac12"
    r"\varepsilon\rho\Delta_a\}$: the constraint of the table is that of Theorem 4.18.",
    domain=Domain.of(gap="(0, inf)", price="(0, inf)"), constants={"half": "1/2"},
    mutations=[mutation("0.49", half="0.49")], strongest="symbolic",
)  # fmt: skip
def constraint_of_the_table(check: Check) -> None:
    if not check.search(as_in_the_theorem, [{"gap": Fraction(1), "price": Fraction(2)}]):
        check.symbolic(as_in_the_theorem, small_gap, check.domain.restrict(where=["gap <= price"]))
        check.symbolic(as_in_the_theorem, small_price, check.domain.restrict(where=["gap >= price"]))


def small_gap(half: Any) -> SymbolicArgument:
    import sympy

    x, y = positive("x"), sympy.Symbol("y", nonnegative=True)
    return SymbolicArgument({"gap": x, "price": x + y}, sympy.S.Zero, "zero")


def small_price(half: Any) -> SymbolicArgument:
    import sympy

    x, y = positive("x"), sympy.Symbol("y", nonnegative=True)
    return SymbolicArgument({"gap": x + y, "price": x}, sympy.S.Zero, "zero")


def table_entry(model: str, size: int, horizon: int, budget: Any, name: str, shift: Any) -> Sides:
    """The entry of the table, written out, against the bound of `minimax_lower_bound`."""
    key = {"view": "epsilon", "zcdp": "rho"}[name]
    bound = minimax_lower_bound(**{model: size}, horizon=horizon, **{key: budget})[name]  # type: ignore[arg-type]
    price = to_ball(budget) if name == "view" else to_ball(budget).sqrt()
    if model == "arms":
        free, private = to_ball(horizon * (size - 1)).sqrt() / 27, to_ball(size - 1) / 22
        private = private if name == "view" else to_ball(size - 1).sqrt() / 124
    else:
        power = -1 if name == "view" else Fraction(-9, 4)
        free, private = exp(to_ball(-2)) / 8 * size * to_ball(horizon).sqrt(), exp(to_ball(power)) / 4 * size
    entry = free.max(private / price) * to_ball(shift)
    return bool(entry.overlaps(bound.value.ball())), "==", True


ENTRIES = Domain.of(model="all: arms and dimension", name="all: the column", size="integer [2, inf)",
                    horizon="integer [1, inf)", budget="(0, inf)")  # fmt: skip
ENTRY: dict[str, Any] = {"domain": ENTRIES, "constants": {"shift": 1}, "mutations": [mutation("0.999", shift="0.999")],
                         "strongest": "enumeration"}  # fmt: skip


@claim("TH-S4.Tab1/minimax", "The minimax column of Table 4.1 is what Theorems 4.15 and 4.17 state (computed bounds).",
       **ENTRY)  # fmt: skip
def minimax_column_under_view(check: Check) -> None:
    enumerate_entries(check, "view")


@claim("TH-S4.Tab2", "Table 4.2: the maxima of Theorems 4.20 and 4.21 (computed bounds).", **ENTRY)
def minimax_column_under_zcdp(check: Check) -> None:
    enumerate_entries(check, "zcdp")


def enumerate_entries(check: Check, name: str) -> None:
    over = [
        {"model": model, "name": name, "size": size, "horizon": T, "budget": Fraction(budget)}
        for model in ("arms", "dimension") for size in (2, 7) for T in (6, 1000) for budget in ("1/1000", "1/10", "1")
    ]  # fmt: skip
    check.enumerate(table_entry, over, rational=True, routes=("the table, written out", "computed bound"))


# -------------------------------------------------------------------------------------------------- remarks

NOTIONS = ("interactive", "table", "view")


@cache
def _ratios(name: tuple[Any, ...]) -> tuple[Any, ...]:
    from banditproof.verify.policy_privacy import largest_ratio

    return tuple(largest_ratio(policy_named(name), notion).ratio for notion in NOTIONS)


def ordered(policy: Any, order: Any) -> Sides:
    """e^epsilon of the tightest epsilon under the three definitions, in the stated order of strength."""
    ratios = dict(zip(NOTIONS, _ratios(tuple(policy)), strict=True))
    chain = [ratios[notion] for notion in (NOTIONS if order == 1 else NOTIONS[::-1])]
    return chain[0] >= chain[1] >= chain[2], "==", True


@claim(
    "TH-R4.19",
    r"$\Pi^{\mathrm{Interactive}}\subset\Pi^{\mathrm{Table}}\subset\Pi^{\mathrm{View}}$ at the same $\varepsilon$, so "
    r"lower bounds for View DP hold for the other two (order <order>: in this direction).",
    domain=Domain.of(policy="all: every policy"), constants={"order": 1}, mutations=[mutation("reversed", order=-1)],
    strongest="enumeration",
)  # fmt: skip
def transfer_to_stronger_definitions(check: Check) -> None:
    """Table DP is Interactive DP against the adversary that asks what was played; lists are tables of equal columns."""
    policies = [["random", seed, 3, 2] for seed in range(check.pick(3, 12))] + [["response", Fraction(9), 3, 2]]
    over = [{"policy": policy} for policy in policies]
    check.enumerate(ordered, over, rational=True, routes=("tightest epsilon of each definition", "order of strength"))


def bayes_regret(pair: tuple[tuple[Fraction, ...], ...], horizon: int, weights: tuple[Fraction, ...]) -> Fraction:
    """The least expected regret under unnormalised weights of two Bernoulli bandits, by dynamic programming."""
    if not horizon:
        return Fraction(0)
    return min(
        sum((w * (max(m) - m[arm]) for w, m in zip(weights, pair, strict=True)), Fraction(0))
        + sum(
            (bayes_regret(pair, horizon - 1, tuple(w * (m[arm] if reward else 1 - m[arm])
                                                   for w, m in zip(weights, pair, strict=True)))
             for reward in (0, 1)), Fraction(0))
        for arm in range(len(pair[0]))
    )  # fmt: skip


Corner = tuple[Fraction, Fraction]  # probabilities of the second arm after the rewards 0 and 1


def corners(odds: Fraction | None) -> list[Corner]:
    """The extreme private ways to react to one reward, with e^epsilon = odds (None: any reaction)."""
    zero, one = Fraction(0), Fraction(1)
    if odds is None:
        return [(zero, zero), (zero, one), (one, zero), (one, one)]
    low, high = 1 / (1 + odds), odds / (1 + odds)
    return [(zero, zero), (low, high), (high, low), (one, one)]


def two_rounds(first: int, reaction: Corner) -> FiniteKernel:
    """Two rounds with two arms: `first`, then the second arm with the probability that belongs to its reward."""

    def row(history: Any) -> Any:
        second = reaction[history[0][1]] if history else Fraction(first)
        return 1 - second, second

    return FiniteKernel(2, 2, (0, 1), row)


def regrets_of(policy: FiniteKernel, pair: tuple[tuple[Fraction, ...], ...]) -> tuple[Fraction, ...]:
    return tuple(regret(history_law(policy, bernoulli_laws(values)), values) for values in pair)


def best_mixture(rows: list[tuple[Fraction, ...]]) -> tuple[Fraction, Fraction]:
    """inf over mixtures of policies of the larger of two regrets, and a prior at which it should be the Bayes regret.

    A linear program in two constraints: some mixture of two policies solves it, one that makes the regrets equal.
    """
    solutions = [(max(row), Fraction(row[0] >= row[1])) for row in rows]
    for one, other in combinations(rows, 2):
        d, e = one[0] - one[1], other[0] - other[1]
        if d * e < 0:
            share = e / (e - d)  # of the first policy
            solutions.append((share * one[0] + (1 - share) * other[0],
                              (other[1] - one[1]) / (one[0] - one[1] - other[0] + other[1])))  # fmt: skip
    return min(solutions)


def private_bayes_regret(
    pair: tuple[tuple[Fraction, ...], ...], weights: tuple[Fraction, ...], odds: Fraction
) -> Fraction:
    """The least Bayes regret of two rounds by linear programs: one per first arm, over its reactions p to the reward.

    The constraints are those of the definition, p_r <= odds p_s and 1 - p_r <= odds (1 - p_s); the minimum of a linear
    function is attained where two of them are equalities.
    """
    # c[0] + c[1] p_0 + c[2] p_1 >= 0
    constraints = [(0, 1, 0), (0, 0, 1), (1, -1, 0), (1, 0, -1), (0, -1, odds), (0, odds, -1),
                   (odds - 1, 1, -odds), (odds - 1, -odds, 1)]  # fmt: skip
    vertices = []
    for f, g in combinations(constraints, 2):
        determinant = Fraction(f[1] * g[2] - f[2] * g[1])
        if determinant:
            p = (f[2] * g[0] - f[0] * g[2]) / determinant, (f[0] * g[1] - f[1] * g[0]) / determinant
            vertices += [p] if all(c[0] + c[1] * p[0] + c[2] * p[1] >= 0 for c in constraints) else []

    def loss(first: int, reaction: Corner) -> Fraction:
        total = Fraction(0)
        for w, m in zip(weights, pair, strict=True):
            later = sum(q * ((1 - p) * (max(m) - m[0]) + p * (max(m) - m[1]))
                        for q, p in zip((1 - m[first], m[first]), reaction, strict=True))  # fmt: skip
            total += w * (max(m) - m[first] + later)
        return total

    return min(loss(first, p) for first in (0, 1) for p in vertices)


def value_of_the_game(gap: Any, part: Any) -> Sides:
    pair = means(2, gap, False), means(2, gap, True)
    rows = [regrets_of(two_rounds(first, corner), pair) for first in (0, 1) for corner in corners(None)]
    value, prior = best_mixture(rows)
    return value, "==", part * bayes_regret(pair, 2, (prior, 1 - prior))


def value_of_the_private_game(gap: Any, odds: Any, part: Any) -> Sides:
    pair = means(2, gap, False), means(2, gap, True)
    policies = [two_rounds(first, corner) for first in (0, 1) for corner in corners(odds)]
    if any(view_epsilon(policy).ratio > odds for policy in policies):
        raise ArithmeticError("a policy is not private")
    value, prior = best_mixture([regrets_of(policy, pair) for policy in policies])
    return value, "==", part * private_bayes_regret(pair, (prior, 1 - prior), odds)


GAMES = Domain.of(gap="(0, 1/2)")
VALUE = (r"$\inf_\pi\sup_\nu\mathrm{Reg}_T(\pi,\nu)=<part>\max_w\inf_\pi\sum_\nu w_\nu\mathrm{Reg}_T(\pi,\nu)$, over "
         r"the Bernoulli instances $(\Delta,0)$ and $(\Delta,2\Delta)$ and two rounds")  # fmt: skip
PART: dict[str, Any] = {
    "constants": {"part": 1},
    "mutations": [mutation("1 % more", part="1.01"), mutation("1 % less", part="0.99")],
    "strongest": "enumeration",
}


@claim("TH-D2.27", "Minimax regret: " + VALUE + ", all policies.", domain=GAMES, **PART)
def value_over_policies(check: Check) -> None:
    """The left side is attained by a mixture of policies, the right side is below every policy's worst regret."""
    check.enumerate(value_of_the_game, {"gap": ["1/100", "1/10", "1/4", "2/5", "49/100"]}, rational=True,
                    routes=("mixtures of policies, exact regrets", "dynamic programming at a prior"))  # fmt: skip


@claim("TH-D4.3", r"Private minimax regret: " + VALUE + r", over $\varepsilon$-View DP policies, odds being "
       r"$e^\varepsilon$.", domain=GAMES.restrict(odds="[1, inf)"), **PART)  # fmt: skip
def value_over_private_policies(check: Check) -> None:
    """As for TH-D2.27; the privacy of each policy is computed, and the right side uses the constraints themselves."""
    over = {"gap": ["1/100", "1/10", "1/4", "2/5", "49/100"], "odds": ["1", "11/10", "3", "99"]}
    check.enumerate(value_of_the_private_game, over, rational=True,
                    routes=("mixtures of private policies, exact regrets", "linear programs at a prior"))  # fmt: skip


parts_decide(
    "TH-S4.5",
    r"TV governs high privacy as the value of the Hamming transport problem, and regimes change at "
    r"$\varepsilon\approx\Delta$ ($(\varepsilon,\delta)$-DP is left open).",
)


def disagreement(both: Any, first: Any, second: Any, factor: Any) -> Sides:
    """A coupling of Bernoulli laws with P(1, 1) = both, P(1, 0) = first, P(0, 1) = first + second."""
    return factor * second, "<=", first + first + second


def more_than_the_variation(factor: Any) -> SymbolicArgument:
    import sympy

    w, a, b = sympy.symbols("w a b", nonnegative=True)
    return SymbolicArgument({"both": w, "first": a, "second": b}, 2 * a, "nonnegative")


@claim(
    "TH-S4.5/transport", r"$<factor>\,\mathrm{TV}(P,Q)\le\mathbb E[\mathbb 1_{X\ne Y}]$ for every coupling of two "
    r"Bernoulli laws, with $P(1)\le Q(1)$ (first is $\mathbb P(X=1,Y=0)$, second is $\mathrm{TV}$).",
    domain=Domain.of(both="[0, inf)", first="[0, inf)", second="[0, inf)"), constants={"factor": 1},
    mutations=[mutation("1.01", factor="1.01")], strongest="symbolic",
)  # fmt: skip
def transport_value(check: Check) -> None:
    if not check.search(disagreement, [{"both": Fraction(0), "first": Fraction(0), "second": Fraction(1)}]):
        check.symbolic(disagreement, more_than_the_variation)


def disagreement_of_the_best(both: Any, second: Any, factor: Any) -> Sides:
    """The coupling with P(1, 0) = 0."""
    return disagreement(both, 0 * both, second, factor)[2], "==", factor * second


def nothing_more(factor: Any) -> SymbolicArgument:
    import sympy

    w, b = sympy.symbols("w b", nonnegative=True)
    return SymbolicArgument({"both": w, "second": b}, sympy.S.Zero, "zero")


@claim(
    "TH-S4.5/attained", r"$\mathbb E[\mathbb 1_{X\ne Y}]=<factor>\,\mathrm{TV}(P,Q)$ for the coupling with "
    r"$\mathbb P(X=1,Y=0)=0$.",
    domain=Domain.of(both="[0, inf)", second="[0, inf)"), constants={"factor": 1},
    mutations=[mutation("0.99", factor="0.99")], strongest="symbolic",
)  # fmt: skip
def attained_transport(check: Check) -> None:
    if not check.search(disagreement_of_the_best, [{"both": Fraction(0), "second": Fraction(1)}]):
        check.symbolic(disagreement_of_the_best, nothing_more)


@claim(
    "TH-S4.5/transport-of-any-laws",
    r"$\mathrm{TV}(P,Q)=<factor>\inf_{(X,Y)\sim(P,Q)}\mathbb E[\mathbb 1_{X\ne Y}]$ for laws on any number of points, "
    "attained by a coupling (Proposition 4.7).",
    domain=Domain.of(pair="all: every pair of probability laws"), constants={"factor": 1},
    mutations=[mutation("5 % farther apart", factor="1.05")], strongest="certificate",
)  # fmt: skip
def transport_of_any_laws(check: Check) -> None:
    """The optimum of the transport problem, proved by its potentials, against the constructed coupling and TV."""
    region = check.domain.restrict(pair=f"all: {len(PAIRS_OF_LAWS)} pairs of rational laws on 2 to 5 atoms")
    routes = ("overlap coupling and total variation", "potentials of the transport problem")
    over = [{"pair": list(pair)} for pair in PAIRS_OF_LAWS]
    check.enumerate(maximal_against_transport, over, covers=region, rational=True, routes=routes)


def regime_over_gap(gap: Any, least: Any, most: Any) -> Sides:
    """KL/TV over Delta for unit-variance Gaussian arms at distance Delta = 2 gap: gap/TV = 1/variation_over_gap."""
    slope = variation_over_gap(gap, 1)[0]
    return (1 / slope - (most + least) / 2) ** 2, "<=", ((most - least) / 2) ** 2


@claim(
    "TH-S4.5/order-of-the-gap",
    r"Gaussian arms, $\Delta\le1$: $\varepsilon_0=\mathrm{KL}/\mathrm{TV}$ satisfies $<least>\,\Delta\le"
    r"\varepsilon_0\le<most>\,\Delta$ (gap is $\Delta/2$).",
    domain=Domain.of(gap="[0, 1/2]"), constants={"least": "5/4", "most": "4/3"},
    mutations=[mutation("at most 1.3", most="1.3"), mutation("at least 1.26", least="1.26")], strongest="interval",
)  # fmt: skip
def order_of_the_gap(check: Check) -> None:
    check.interval(regime_over_gap)
