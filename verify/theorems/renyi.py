"""Proofs in the kernel of what holds for Rényi divergences of every order above 1, and so for zCDP.

That D_alpha(P || Q) <= r says of a bounded u: a E_P e^((a-1)u) - (a-1) E_Q e^(au) <= e^((a-1)r), a = alpha. At the best
shift of u by a number this is Hölder's inequality, E_P e^((a-1)u) <= e^((a-1)(v + r/a)) with e^(av) = E_Q e^(au).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.divergences import zcdp_close
from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.mechanisms import SETS, Outputs, empty, h, k, n, renamed

x, alpha = var("x"), var("order")
ABOVE_ONE = lt(1, alpha)


def mean_of_exp_positive(point: str, one: Term, t: Term) -> Theorem:
    """0 < E e^t, since E e^t >= e^(E t)."""
    middle = mean(point, one, t)
    jensen = mono(exp_tangent(t - middle), point, one)
    return auto(lt(0, mean(point, one, exp(t))), (exp(middle), jensen))


def level(point: str, one: Term, u: Term) -> tuple[Term, Theorem]:
    """The v with e^(alpha v) = E e^(alpha u), and this equation."""
    whole = mean(point, one, exp(alpha * u))
    log = Term("log", (whole,))
    v = log / alpha
    inverse = reciprocal(positive_order())
    power = exp_equal(auto(eq(alpha * v, log), (log, inverse)))
    return v, auto(eq(exp(alpha * v), whole), power, exp_log(mean_of_exp_positive(point, one, alpha * u)))


def positive_order() -> Theorem:
    return auto(lt(0, alpha), assume(ABOVE_ONE))


def above() -> Theorem:
    """0 <= alpha - 1."""
    return auto(le(0, alpha - 1), assume(ABOVE_ONE))


def young(u: Term) -> Theorem:
    """alpha e^((alpha - 1) u) - (alpha - 1) e^(alpha u) <= 1."""
    factor, grown = weak(exp_positive((alpha - 1) * u)), exp((alpha - 1) * u)
    first, second = exp_tangent(u), exp_tangent((1 - alpha) * u)
    goal = le(alpha * grown - (alpha - 1) * exp(alpha * u), 1)
    return auto(goal, (exp((alpha - 1) * u), second), (product(factor, above()), first))


def hoelder(divergence: Theorem, laws: tuple[Term, Term], point: str, u: Term, cost: Any) -> Theorem:
    """E_P e^((alpha - 1) u) <= e^((alpha - 1)(v + cost)), v being the level under Q, if D_alpha <= alpha cost."""
    v, level_of = level(point, laws[1], u)
    shift = v - (alpha - 1) * cost
    moved = instance(divergence, {"u": fn(point, u - shift)})
    return _from_young(moved, level_of, laws, point, u, v, shift, cost)


def _from_young(
    moved: Theorem, level_of: Theorem, laws: tuple[Term, Term], point: str, u: Term, v: Term, shift: Term, cost: Any
) -> Theorem:
    left, right = mean(point, laws[0], exp((alpha - 1) * u)), exp((alpha - 1) * (v + cost))
    positive = positive_order()
    factor = product(weak(exp_positive((alpha - 1) * shift)), weak(reciprocal_positive(positive)))
    return auto(le(left, right), (factor, moved), level_of, reciprocal(positive))


def jensen(one: Term, point: str, u: Term) -> Theorem:
    """E e^((alpha - 1) u) <= e^((alpha - 1) v), v the level of u under the same law."""
    v, level_of = level(point, one, u)
    moved = mono(young(u - v), point, one)
    return _from_young(moved, level_of, (one, one), point, u, v, v, term(0))


def processed(
    divergence: Theorem, laws: tuple[Term, Term], channel: Term, inner: str, u: Term, most: Any, point: str = "x"
) -> Theorem:
    """From D_alpha(P || Q) <= most of a `point`: the same of the outputs `inner` that a channel draws from it."""
    v, level_of = level(inner, channel, u)
    at_v = instance(divergence, {"u": fn(point, v)})
    below = mono(jensen(channel, inner, u), point, laws[0])
    layered = mono(level_of, point, laws[1])
    left, right = (
        mean(point, one, mean(inner, channel, exp(power * u)))
        for one, power in zip(laws, (alpha - 1, alpha), strict=True)
    )
    goal = le(alpha * left - (alpha - 1) * right, exp((alpha - 1) * most))
    return auto(goal, at_v, (positive_order(), below), (alpha - 1, layered))


@proof
def post_processing(statement: All) -> Theorem:
    """A randomised function of an output: the level of u under it is a function of the output."""
    d, e, channel = var("d"), var("e"), law("f", x)
    _, given, divergence = parts_of(statement.then)
    known = instance(assume(statement.given[-1]), {})
    laws = law("M", d), law("M", e)
    proved = processed(known, laws, channel, "y", app("u", var("y")), alpha * var("rho"))
    return for_all("u", auto(divergence.then, proved))


@proof
def data_processing(statement: All) -> Theorem:
    """The same of two laws and one order."""
    known = statement.given[-1]
    at_order = replace(known, {"alpha": alpha})
    laws, most = (law("P"), law("Q")), var("most")
    proved = processed(assume(at_order), laws, law("channel", x), "y", app("u", var("y")), most)
    every = for_all("order", for_all("u", proved), ABOVE_ONE, at_order)
    return instance(every, {"order": var("alpha")})


def adaptive_composition(statement: All) -> Theorem:
    """By induction over the mechanisms: the level of u under the last one is a function of the history before."""
    return _composition(statement, lambda i, h, d: law("M", i, h, d))


def composition(statement: All) -> Theorem:
    """As above, where no mechanism gets the outputs before it."""
    return _composition(statement, lambda i, h, d: law("M", i, d))


@proof
def _composition(statement: All, M: Callable[..., Term]) -> Theorem:
    i = var("i")
    one = instance(instance(assume(statement.given[-1]), {}, assume(nat(i)), assume(lt(i, k))))
    P, Q = (fn("i h", M(i, h, var(s))) for s in SETS)
    return instance(composed_pair(), {"P": P, "Q": Q}, one)


@lemma("P Q order rho k")
def composed_pair() -> Theorem:
    """D_alpha <= alpha rho(i) of the outputs i < k under P and Q: of all of them with the sum of the rho(i)."""
    outputs = Outputs(lambda i, h, s: law(s.args[0], i, h))  # P and Q in place of data sets
    i = var("i")
    cost_of = alpha * app("rho", i)
    each = All(("i", "h"), (nat(i), lt(i, k)), renyi_at_most(law("P", i, h), law("Q", i, h), alpha, cost_of))
    suppose(
        nat(k),
        ABOVE_ONE,
        All(("i", "h"), (nat(i), lt(i, k)), renyi_at_most(law("P", i, h), law("Q", i, h), alpha, cost_of)),
    )

    def says(m: Any) -> All:
        most = alpha * sum_of(lambda i: app("rho", i), m)
        return renyi_at_most(outputs.law("P", m), outputs.law("Q", m), alpha, most)

    claim = All((), (le(n, k),), says(n))
    powers, test = {"P": alpha - 1, "Q": alpha}, app("u", x)
    starts = [outputs.none(s, exp(powers[s] * test)) for s in "PQ"]
    base = auto(says(0).then, starts[0], starts[1], young(app("u", empty)))

    pn, enough = assume(nat(n)), assume(le(n + 1, k))
    last = instance(assume(each), {"i": n}, pn, auto(lt(n, k), enough))
    laws = outputs.one("P"), outputs.one("Q")
    cost, after_pair = app("rho", n), app("u", outputs.longer)
    v, level_of = level("y", laws[1], after_pair)
    below = mono(hoelder(last, laws, "y", after_pair, cost), "h", outputs.law("P", n))
    layered = mono(level_of, "h", outputs.law("Q", n))
    before = instance(assume(claim), {}, auto(le(n, k), enough))
    moved = instance(before, {"u": fn("h", v - (alpha - 1) * cost)})
    nexts = [outputs.next(pn, s, exp(powers[s] * test)) for s in "PQ"]
    power = same(uniform_next(pn, "j", app("rho", var("j"))), "z", exp((alpha - 1) * alpha * var("z")))
    proved = auto(says(n + 1).then, nexts[0], below, (exp((alpha - 1) * alpha * cost), moved), layered, nexts[1], power)
    return instance(induction("n", base, proved, claim, at=k))


def raised() -> Theorem:
    """Hölder for a power a = (alpha - 1)/alpha of q: E_P e^p <= e^(a log E_Q e^q + (alpha - 1) cost) for p = a q.

    For all P, Q, alpha > 1 and cost with D_alpha(P || Q) <= alpha cost.
    """
    a, cost, log = var("a"), var("cost"), Term("log", (mean("x", law("Q"), exp(app("q", x))),))
    P, Q, p, q = law("P"), law("Q"), app("p", x), app("q", x)
    power, linear = assume(eq(alpha * a, alpha - 1)), assume(All(("x",), (), eq(p, a * q)))
    divergence = assume(renyi_at_most(P, Q, alpha, alpha * cost))
    given = [ABOVE_ONE, power.conclusion, linear.conclusion, divergence.conclusion]
    inverse = reciprocal(positive_order())
    u = (q - log) / alpha + (alpha - 1) * cost
    at_x = instance(linear)
    low = auto(eq((alpha - 1) * u, p - a * log + (alpha - 1) * (alpha - 1) * cost), power, inverse, at_x)
    high = auto(eq(alpha * u, q - log + alpha * (alpha - 1) * cost), inverse)
    lower, higher = (mono(exp_equal(f), "x", one) for f, one in ((low, P), (high, Q)))
    value = exp_log(mean_of_exp_positive("x", Q, q))
    moved = instance(divergence, {"u": fn("x", u)})
    back = a * log - (alpha - 1) * (alpha - 1) * cost
    factor = product(weak(exp_positive(back)), weak(reciprocal_positive(positive_order())))
    left, right = mean("x", P, exp(p)), exp(a * log + (alpha - 1) * cost)
    scale = exp(back) / alpha
    proved = auto(
        le(left, right), (factor, moved), (scale * alpha, lower), (scale * (alpha - 1), higher), value, inverse
    )
    return for_all("P Q order a cost p q", proved, *given)


@lemma(
    "P Q R k rho order",
    lt(0, k),
    ABOVE_ONE,
    zcdp_close(law("P"), law("Q"), var("rho") * k * k),
    zcdp_close(law("Q"), law("R"), var("rho")),
)
def one_step_more() -> Theorem:
    """D_alpha(P || R) <= alpha rho (k + 1)^2 where P and Q are (rho k^2)-close for k > 0, and Q and R rho-close.

    Hölder of order beta to Q, and of order gamma = alpha (k + 1) from there.
    """
    rho, k, u = var("rho"), var("k"), app("u", x)
    P, Q, R = law("P"), law("Q"), law("R")
    given = lt(0, k), ABOVE_ONE, zcdp_close(P, Q, rho * k * k), zcdp_close(Q, R, rho)
    some, _, first, last = map(assume, given)
    gamma = alpha * (k + 1)
    spare = auto(lt(k, gamma - 1))
    rest = auto(lt(0, gamma - 1))
    of_k, of_rest, of_alpha = map(reciprocal, (some, rest, positive_order()))
    g, r = 1 / gamma, 1 / (gamma - 1)
    beta, b, c = (gamma - 1) / k, 1 - k * r, 1 - g
    beta_above = auto(lt(1, beta))
    gamma_above = auto(lt(1, gamma))
    beta_b = auto(eq(beta * b, beta - 1), of_rest)
    gamma_c = auto(eq(gamma * c, gamma - 1))
    both = auto(eq(alpha * b * c, alpha - 1), (alpha * k * g, of_rest))
    b_positive = auto(lt(0, b), (reciprocal_positive(rest), spare), of_rest)

    def hoelder_twice(laws: tuple[Term, Term], order: Any, power: Any, cost: Any, p: Any, q: Any, *proofs: Theorem):
        numbers = {"order": order, "a": power, "cost": cost, "p": fn("x", p), "q": fn("x", q)}
        return instance(raised(), {"P": fn("", laws[0]), "Q": fn("", laws[1])} | numbers, *proofs)

    middle, end = c * alpha * u, alpha * u
    before = instance(first, {"order": beta})
    inner = for_all("x", auto(eq((alpha - 1) * u, b * middle), (u, both)))
    outer = for_all("x", auto(eq(middle, c * end)))
    here = hoelder_twice((P, Q), beta, b, rho * k * k, (alpha - 1) * u, middle, beta_above, beta_b, inner, before)
    step = instance(last, {"order": gamma})
    there = hoelder_twice((Q, R), gamma, c, rho, middle, end, gamma_above, gamma_c, outer, step)

    v, level_of = level("x", R, u)
    of_Q, of_R = (Term("log", (mean("x", one, exp(t)),)) for one, t in ((Q, middle), (R, end)))
    most = c * of_R + (gamma - 1) * rho
    of_log = exp_log(mean_of_exp_positive("x", Q, middle))
    smaller = auto(le(of_Q, most), exp_tangent(of_Q - most), (exp(-most), there), (exp(-most), of_log))
    cost = rho * (k + 1) * (k + 1)
    low, high = b * of_Q + (beta - 1) * rho * k * k, (alpha - 1) * (v + cost)
    equal = [(of_R / alpha, both), (b * c * of_R, of_alpha), ((gamma - 1) * k * rho, of_k), (k * rho, of_rest)]
    larger = exp_monotone(auto(le(low, high), (b_positive, smaller), *equal))
    scaled = weak(exp_positive((alpha - 1) * alpha * cost)), young(v - (alpha - 1) * cost)
    order = weak(positive_order())
    goal = renyi_at_most(P, R, alpha, alpha * cost)
    proved = auto(goal.then, (order, here), (order, larger), scaled, (alpha - 1, level_of))
    return for_all("u", proved)


def group_privacy(statement: All) -> Theorem:
    """By induction over the steps."""
    statement = renamed(statement, k="m")
    names, given, _ = parts_of(statement.then)
    n, m, rho, u = *map(var, ("n", "m", "rho")), app("u", x)
    chain = next(assume(f) for f in given if isinstance(f, All))
    private = assume(statement.given[-1])

    def at(i: Any) -> Term:
        return law("M", app("data", i))

    def says(i: Any) -> All:
        return renyi_at_most(at(0), at(i), alpha, alpha * rho * i * i)

    def close(i: Any, order: Theorem, natural: Theorem, enough: Theorem) -> Theorem:
        """D(data(i) || data(i + 1)) <= order rho, for an order shown to be above 1."""
        near = instance(chain, {"i": i}, natural, enough)
        return instance(private, {"d": app("data", i), "e": app("data", i + 1)}, near, order)

    claim = All(("order",), (le(n + 1, m), ABOVE_ONE), says(n + 1))
    few = assume(le(term(0) + 1, m))
    base = close(term(0), assume(ABOVE_ONE), nat_zero(), auto(lt(0, m), few))

    pn, enough = assume(nat(n)), assume(le(n + 2, m))
    before = instance(assume(claim), {}, auto(le(n + 1, m), enough), assume(ABOVE_ONE))
    step = close(n + 1, assume(ABOVE_ONE), nat_next(pn), auto(lt(n + 1, m), enough))
    laws = {"P": fn("", at(0)), "Q": fn("", at(n + 1)), "R": fn("", at(n + 2))}
    known = [for_all("order", f, ABOVE_ONE) for f in (before, step)]
    some = auto(lt(0, n + 1), nat_nonnegative(pn))
    proved = instance(instance(one_step_more(), laws | {"k": n + 1}, some, assume(ABOVE_ONE), *known), {})
    some_steps = induction("n", base, proved, claim)

    every = All(("order",), (le(n, m), ABOVE_ONE), says(n))
    none = auto(says(0).then, mono(young(u), "x", at(0)))
    at_m = instance(induction("n", none, instance(some_steps, {}, pn), every, at=m), {}, assume(ABOVE_ONE))
    return closed(statement, for_all(names, at_m, *given))
