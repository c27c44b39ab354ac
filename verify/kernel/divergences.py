"""What divergences, zCDP, RDP and couplings mean: printed definitions, as suprema of means of bounded functions.

A divergence may be infinite, so what is stated is that it is at most a number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from banditproof.verify.kernel.meanings import (
    LawOf,
    Quotient,
    binding,
    chain_to,
    data_at,
    event,
    exp,
    formula,
    function_of,
    neighbours,
    on_blocks,
    one_block_differs,
    own_names,
    size,
    sum_of,
)
from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import All, Formula, Refused, Rel, Term, term, var


def orders_above_one(f: Formula, above: Collection[str]) -> None:
    """Raise Refused where a divergence has an order that may be 1 or less, at which these words mean nothing.

    The names `above` are larger, and so are those that a formula binds with this premise.
    """
    if isinstance(f, Rel):
        return
    a = _order(f)
    if a is not None and not (a.op == "num" and a.args[0] > 1 or a.op == "var" and a.args[0] in above):
        raise Refused(f"{a} is the order of a divergence, but it may be 1 or less")
    larger = {
        g.args[1].args[0] for g in f.given if isinstance(g, Rel) and g == lt(1, g.args[-1]) and g.args[1].op == "var"
    }
    for part in (*f.given, f.then):
        orders_above_one(part, {*above} - {*f.params} | larger)


def _order(f: All) -> Term | None:
    """The a of ``moment_at_most``, where f has its shape."""
    if f.params != ("u",) or not isinstance(f.then, Rel) or f.then.args[0].op != "add":
        return None
    first = f.then.args[0].args[0]
    return first.args[0] if first.op == "mul" else None


def moment_at_most(P: Term, Q: Term, alpha: Any, most: Any) -> All:
    """E_Q[(dP/dQ)^alpha] <= most, for alpha > 1: the integral of p^alpha q^(1 - alpha), infinite unless P << Q.

    That is the largest alpha t^(alpha - 1) p - (alpha - 1) t^alpha q over t > 0, so the integral is the supremum of
    what stands here over bounded u = log t.
    """
    own_names("u", "x")
    a, u = term(alpha), function_of("u", var("x"))
    parts = a * mean("x", P, exp((a - 1) * u)) - (a - 1) * mean("x", Q, exp(a * u))
    return All(("u",), (), le(parts, most))


def renyi_at_most(P: Term, Q: Term, alpha: Any, most: Any) -> All:
    """D_alpha(P || Q) <= most, for alpha > 1: D_alpha is log E_Q[(dP/dQ)^alpha]/(alpha - 1)."""
    return moment_at_most(P, Q, alpha, exp((term(alpha) - 1) * most))


def each_moment_at_most(M: LawOf, most: Callable[[Term], Any]) -> All:
    """E_Q[(dP/dQ)^alpha] <= most(alpha) for P = M_d, Q = M_e, all neighbours d, e and all alpha > 1."""
    d, e, alpha = var("d"), var("e"), var("order")
    with binding("d", "e", "order", "u"):
        laws, bound = (M(d), M(e)), most(alpha)
    return All(("d", "e", "order"), (neighbours(d, e), lt(1, alpha)), moment_at_most(*laws, alpha, bound))


def kl_at_most(P: Term, Q: Term, most: Any) -> All:
    """D_KL(P || Q) <= most: the integral of p log(p/q).

    p log(p/q) - p + q is the largest p u - q e^u + q over real u, so the integral is the supremum of what stands here
    over bounded u; it is infinite unless P << Q.
    """
    own_names("u", "x")
    u = function_of("u", var("x"))
    return All(("u",), (), le(mean("x", P, u) - mean("x", Q, exp(u)) + 1, most))


def at_most_by_kl(left: Any, P: Term, Q: Term, right: Callable[[Term], Any]) -> All:
    """left <= right(D_KL(P || Q)) where `right` is continuous and increasing: left <= right(c) for all c >= D_KL.

    Where the divergence is infinite there is no such c, and nothing to show: the right side is infinite.
    """
    with binding("c"):
        most = right(var("c"))
    return All(("c",), (kl_at_most(P, Q, var("c")),), le(left, most))


def sum_of_kl_at_most(P: LawOf, Q: LawOf, count: Any, most: Any) -> All:
    """D_KL(P(0) || Q(0)) + ... + D_KL(P(count - 1) || Q(count - 1)) <= most.

    A sum of suprema over u, each of them a divergence, is the supremum of the sum over v(0, x), v(1, x), ...
    """
    own_names("v", "x")

    def divergence(i: Term) -> Term:
        v = function_of("v", i, var("x"))
        return mean("x", P(i), v) - mean("x", Q(i), exp(v)) + 1

    return All(("v",), (), le(sum_of(divergence, count), most))


def kl_of_neighbours_at_most(M: LawOf, most: Any) -> All:
    """D_KL(M_d || M_e) <= most for all neighbours d, e."""
    d, e = var("d"), var("e")
    with binding("d", "e", "u"):
        laws = M(d), M(e)
    return All(("d", "e"), (neighbours(d, e),), kl_at_most(*laws, most))


def at_most_kl(value: Any, P: Term, Q: Term) -> All:
    """value <= D_KL(P || Q): it is at most everything that the divergence is at most."""
    with binding("c"):
        most = kl_at_most(P, Q, var("c"))
    return All(("c",), (most,), le(value, var("c")))


def at_most_private_divergence(value: Any, x: Any, y: Any, epsilon: Any) -> All:
    """value <= d_epsilon of x and y, 0 < y < 1: value <= epsilon |x - z| + kl of z and y for all z of (0, 1) between.

    The logarithms of z/y and (1 - z)/(1 - y) are the numbers with these exponentials. Where z may be 0 or 1, kl is the
    limit of its values inside, and the infimum is theirs.
    """
    own_names("z", "heads", "tails")
    z, heads, tails = map(var, ("z", "heads", "tails"))
    between = le((z - x) * (z - y), 0)
    logs = eq(y * exp(heads), z), eq((1 - y) * exp(tails), 1 - z)
    kl = z * heads + (1 - z) * tails
    return All(("z", "heads", "tails"), (between, *logs), le(value, epsilon * size(x - z) + kl))


def costs_at_most(cost: Callable[[Any], Any], n: Any, mu: Any, epsilon: Any, sign: int) -> tuple[Formula, ...]:
    """cost(x) <= n d_epsilon(x/n, mu) for sums x of at least n mu, and cost(x) <= 0 for sums of at most n mu; the other
    way round for the sign -1.
    """
    own_names("x")
    x, beyond = var("x"), sign * (var("x") - n * mu)
    with binding("x"):
        paid = at_most_private_divergence(cost(x) / n, x / n, mu, epsilon)
    return All(("x",), (le(0, beyond),), paid), All(("x",), (le(beyond, 0),), le(cost(x), 0))


def of_every_event(says: Callable[[Callable[[Term], Term]], Any]) -> All:
    """What `says` says of every event, given as a function: its probability under a law."""

    def probability(law: Term) -> Term:
        return mean("x", law, function_of("A", var("x")))

    with binding("A", "x"):
        said = formula(says(probability))
    return All(("A",), (event("A"),), said)


def divergence_at_most(f: Quotient, P: Term, Q: Term, most: Any) -> All:
    """D_f(P || Q) <= most, for convex f on (0, inf), f(0) = f(0+): D_f is E_Q f(dP/dQ) where P << Q.

    A convex f(t) is the supremum of the straight lines v t + w that lie below it, so q f(p/q) is that of v p + w q over
    these, and the divergence is the supremum of E_P v + E_Q w over bounded functions v, w of the output.
    """
    own_names("v", "w", "x", "t")
    v, w, t = function_of("v", var("x")), function_of("w", var("x")), var("t")
    below = All(("x", "t"), (lt(0, t),), f.at_least(v * t + w, t))
    return All(("v", "w"), (below,), le(mean("x", P, v) + mean("x", Q, w), most))


def mean_divergence_at_most(f: Quotient, P: LawOf, Q: LawOf, law: Term, most: Any) -> All:
    """E D_f(P(Z) || Q(Z)) <= most, where Z has the law: the integral is the supremum of those of the bounded g below.

    That g lies below the divergence says: g(z) is at most every c that the divergence of P(z) and Q(z) is at most.
    """
    z, c, g = var("z"), var("c"), function_of("g", var("z"))
    with binding("z", "c", "g", "v", "w", "t"):
        laws = P(z), Q(z)
    below = All(("z", "c"), (divergence_at_most(f, *laws, c),), le(g, c))
    return All(("g",), (below,), le(mean("z", law, g), most))


def zcdp(M: LawOf, rho: Any) -> All:
    """rho-zCDP: D_alpha(M_d || M_e) <= rho alpha for all neighbours d, e and all alpha > 1."""
    d, e, alpha = var("d"), var("e"), var("order")
    with binding("d", "e", "order", "u"):
        laws = M(d), M(e)
    return All(("d", "e", "order"), (neighbours(d, e), lt(1, alpha)), renyi_at_most(*laws, alpha, alpha * rho))


def zcdp_close(P: Term, Q: Term, rho: Any) -> All:
    """D_alpha(P || Q) <= rho alpha for all alpha > 1."""
    alpha = var("order")
    return All(("order",), (lt(1, alpha),), renyi_at_most(P, Q, alpha, alpha * rho))


def rdp(M: LawOf, alpha: Any, epsilon: Any) -> All:
    """(alpha, epsilon)-RDP: D_alpha(M_d || M_e) <= epsilon for all neighbours d, e."""
    d, e = var("d"), var("e")
    with binding("d", "e", "u"):
        laws = M(d), M(e)
    return All(("d", "e"), (neighbours(d, e),), renyi_at_most(*laws, alpha, epsilon))


def zcdp_in_parallel(M: Callable[..., Term], k: Any, rho: Any) -> All:
    """rho-zCDP of the outputs of M(0, .), ..., M(k - 1, .), each run on a block of its own."""
    alpha = var("order")
    with binding("block", "other", "j", "order", "u"):
        laws = on_blocks(M, k)
    given = (*one_block_differs(var("j"), k), lt(1, alpha))
    return All(("block", "other", "j", "order"), given, renyi_at_most(*laws, alpha, alpha * rho))


def rdp_in_parallel(M: Callable[..., Term], k: Any, alpha: Any, epsilon: Any) -> All:
    """(alpha, epsilon)-RDP of the outputs of M(0, .), ..., M(k - 1, .), each run on a block of its own."""
    with binding("block", "other", "j", "u"):
        laws = on_blocks(M, k)
    return All(("block", "other", "j"), one_block_differs(var("j"), k), renyi_at_most(*laws, alpha, epsilon))


def renyi_at_distance(M: LawOf, m: Any, most: Callable[[Term], Any]) -> All:
    """D_alpha(M_d || M_e) <= most(alpha) for all alpha > 1, where e is reached from d in m steps to a neighbour."""
    alpha = var("order")
    with binding("data", "order", "u"):
        laws, bound = (M(data_at(0)), M(data_at(m))), most(alpha)
    return All(("data", "order"), (chain_to(m), lt(1, alpha)), renyi_at_most(*laws, alpha, bound))


def kl_at_distance(M: LawOf, m: Any, most: Any) -> All:
    """D_KL(M_d || M_e) <= most, where e is reached from d in m steps to a neighbour."""
    with binding("data", "u"):
        laws = M(data_at(0)), M(data_at(m))
    return All(("data",), (chain_to(m),), kl_at_most(*laws, most))


# ---------------------------------------------------------------------------------------------------- privacy loss


def densities(M: LawOf) -> tuple[Formula, ...]:
    """p(d, e, x) and q(d, e, x) are the densities of M_d and M_e by a law R(d, e); every two laws have some by a third.

    The privacy loss Z is log(p/q), infinite where q = 0 < p.
    """
    own_names("d", "e", "g", "x")
    d, e, x = var("d"), var("e"), var("x")
    g, by = function_of("g", x), Term("law", ("R", d, e))
    values = ((law, function_of(name, d, e, x)) for name, law in (("density", M(d)), ("other_density", M(e))))
    return tuple(All(("d", "e", "g"), (), eq(mean("x", law, g), mean("x", by, value * g))) for law, value in values)


def loss_is_larger(M: LawOf, level: Any) -> Term:
    """The probability of |Z| > level under M_d, for the data sets d, e: not both p <= e^level q and q <= e^level p."""
    own_names("x")
    return mean("x", M(var("d")), 1 - _is_small(level))


def loss_is_at_most(M: LawOf, level: Any) -> Term:
    """The probability of |Z| <= level under M_d, for the data sets d, e."""
    own_names("x")
    return mean("x", M(var("d")), _is_small(level))


def _is_small(level: Any) -> Term:
    """1 where |Z| <= level, that is p <= e^level q and q <= e^level p."""
    d, e, x, factor = var("d"), var("e"), var("x"), exp(level)
    p, q = (function_of(name, d, e, x) for name in ("density", "other_density"))
    return Term("ind", (p, factor * q)) * Term("ind", (q, factor * p))


def loss_is_above(M: LawOf, level: Any) -> Term:
    """The probability of Z > level under M_d, for the data sets d, e."""
    own_names("x")
    d, e, x = var("d"), var("e"), var("x")
    p, q = (function_of(name, d, e, x) for name in ("density", "other_density"))
    return mean("x", M(d), 1 - Term("ind", (p, exp(level) * q)))


def loss_is_below(M: LawOf, level: Any) -> Term:
    """The probability of Z < -level under M_d, for the data sets d, e."""
    own_names("x")
    d, e, x = var("d"), var("e"), var("x")
    p, q = (function_of(name, d, e, x) for name in ("density", "other_density"))
    return mean("x", M(d), 1 - Term("ind", (q, exp(level) * p)))


def excess_of_densities(M: LawOf, epsilon: Any) -> Term:
    """The integral of (p - e^epsilon q)^+ by R, for the data sets d, e: a sum, if outputs are countable."""
    own_names("x")
    d, e, x = var("d"), var("e"), var("x")
    p, q = (function_of(name, d, e, x) for name in ("density", "other_density"))
    return mean("x", Term("law", ("R", d, e)), Term("ind", (exp(epsilon) * q, p)) * (p - exp(epsilon) * q))


def moments_of_the_loss_at_most(M: LawOf, most: Callable[[Term], Any]) -> All:
    """E e^((alpha - 1) Z) <= most(alpha) under M_d, for all neighbours and all alpha > 1.

    The mean is the supremum of those of e^((alpha - 1) u) on an event B, and 0 outside of it, where u is bounded and at
    most Z on B, that is e^u q <= p.
    """
    d, e, x, alpha = (var(name) for name in ("d", "e", "x", "order"))
    B, u = function_of("B", x), function_of("u", x)
    with binding("d", "e", "B", "u", "order", "x"):
        p, q = (function_of(name, d, e, x) for name in ("density", "other_density"))
        height = mean("x", M(d), B * exp((alpha - 1) * u))
        bound = le(height, most(alpha))
    given = (neighbours(d, e), event("B"), All(("x",), (), le(B * exp(u) * q, B * p)), lt(1, alpha))
    return All(("d", "e", "B", "u", "order"), given, bound)


def of_all_neighbours(says: Callable[[], Any]) -> All:
    """What `says` says of d and e, of all neighbours."""
    said = formula(says())
    return All(("d", "e"), (neighbours(var("d"), var("e")),), said)


def max_divergence_at_most(M: LawOf, epsilon: Any, delta: Any, turned: bool = False) -> All:
    """D_infty^delta(M_d || M_e) <= epsilon for all neighbours d, e; `turned`: that of M_e and M_d.

    It is the largest log((P(A) - delta)/Q(A)) over events A with P(A) >= delta, where log 0 is below and 1/0 above all.
    """
    d, e, A = var("d"), var("e"), function_of("A", var("x"))
    with binding("d", "e", "A", "x"):
        laws = (M(e), M(d)) if turned else (M(d), M(e))
    P, Q = (mean("x", law, A) for law in laws)
    given = neighbours(d, e), event("A"), le(delta, P)
    return All(("d", "e", "A"), given, le(P - delta, exp(epsilon) * Q))


# ------------------------------------------------------------------------------------------------------- couplings


def first(z: Any) -> Term:
    """Of a pair z of data sets, the first one."""
    return function_of("first", z)


def second(z: Any) -> Term:
    """Of a pair z of data sets, the second one."""
    return function_of("second", z)


def apart(z: Any) -> Term:
    """d_Ham of the two data sets of a pair."""
    return distance(first(z), second(z))


def coupling(C: Term, P: Term, Q: Term) -> tuple[Formula, ...]:
    """The law C of pairs has the marginals P and Q: means of bounded functions are the same."""
    own_names("g", "x", "z")
    x, z = var("x"), var("z")
    sides = ((first(z), P), (second(z), Q))
    return tuple(
        All(("g",), (), eq(mean("z", C, function_of("g", side)), mean("x", law, function_of("g", x))))
        for side, law in sides
    )


def average(value: Callable[[Term], Any], law: Term) -> Term:
    """The mean of value(z), where z has the law."""
    with binding("z"):
        weighed = value(var("z"))
    return mean("z", law, weighed)


def distance(d: Any, e: Any) -> Term:
    """d_Ham(d, e): in how many records two data sets differ."""
    return function_of("distance", d, e)


def distance_in_steps() -> tuple[Formula, ...]:
    """In each pair as many steps to a neighbour lead from one data set to the other as d_Ham says.

    The steps are way(z, 0), way(z, 1), ... They are said of pairs, and not of all points d and e: a function is
    bounded, so no way begins at every number.
    """
    own_names("z", "i")
    z, i = var("z"), var("i")
    far = apart(z)
    way = [function_of("way", z, step) for step in (0, far, i, i + 1)]
    facts = nat(far), eq(way[0], first(z)), eq(way[1], second(z))
    steps = All(("z", "i"), (nat(i), lt(i, far)), neighbours(way[2], way[3]))
    return (*(All(("z",), (), fact) for fact in facts), steps)
