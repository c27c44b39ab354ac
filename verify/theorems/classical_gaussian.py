"""Proof in the kernel of approximate privacy of Gaussian noise of the classical size, by its Renyi divergences."""

from __future__ import annotations

from banditproof.verify.kernel.divergences import renyi_at_most
from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.meanings import event
from banditproof.verify.kernel.variables import gaussian, with_noise
from banditproof.verify.theorems.hoeffding import L, in_the_limit
from banditproof.verify.theorems.noise import gaussian_mechanism
from banditproof.verify.theorems.optimism import ordered
from banditproof.verify.theorems.privacy_loss import zero_or_one
from banditproof.verify.theorems.renyi import ABOVE_ONE, above, alpha, positive_order

c, k, v, x, most, s, delta, epsilon = map(var, ("c", "k", "v", "x", "most", "s", "delta", "epsilon"))
A, P, Q = app("A", x), law("P"), law("Q")


def is_event() -> Theorem:
    return instance(assume(event("A")))


@lemma("P Q order most c A", ABOVE_ONE, renyi_at_most(P, Q, alpha, most), event("A"))
def of_anis_event() -> Theorem:
    """alpha e^((alpha - 1) c) P(A) <= (alpha - 1) e^(alpha c) Q(A) + e^((alpha - 1) D): u is c on A and -m outside."""
    divergence, bit = assume(renyi_at_most(P, Q, alpha, most)), is_event()
    m = k * L / alpha
    chosen = c * A - m * (1 - A)

    def power(t: Term) -> Theorem:
        return zero_or_one(bit, exp(t * (c * v - m * (1 - v))), v * exp(t * c) + (1 - v) * exp(-t * m))

    left = auto(
        le(A * exp((alpha - 1) * c), exp((alpha - 1) * chosen)),
        power(alpha - 1),
        (auto(le(0, 1 - A)), exp_positive((1 - alpha) * m)),
    )
    right = auto(le(exp(alpha * chosen), A * exp(alpha * c) + exp(-k * L)), power(alpha))
    p, q = alpha * exp((alpha - 1) * c) * mean("x", P, A), (alpha - 1) * exp(alpha * c) * mean("x", Q, A)
    X = p - q - exp((alpha - 1) * most)
    at_k = auto(
        le(X, (alpha - 1) * exp(-k * L)),
        instance(divergence, {"u": fn("x", chosen)}),
        (weak(positive_order()), mono(left, "x", P)),
        (above(), mono(right, "x", Q)),
    )
    limit = in_the_limit(X, alpha - 1, term(0), at_k, above(), auto(le(0, 0)))
    return auto(le(p, q + exp((alpha - 1) * most)), limit)


W, HALF = log(5 / (4 * delta)), term(1) / 2


def of_level() -> tuple[Theorem, Theorem]:
    """delta = 5/4 e^-w, and w >= 1/5, for the logarithm w of 5/(4 delta)."""
    value = exp_log(auto(lt(0, 5 / (4 * delta))))
    back = auto(eq(delta, term(5) / 4 * exp(-W)), (delta * exp(-W), value))
    fifth = auto(le(exp(term(1) / 5), term(5) / 4), (exp(term(1) / 5), exp_tangent(-term(1) / 5)))
    return back, ordered(auto(le(exp(term(1) / 5), exp(W)), fifth, value))


class Noise:
    """Two vectors at most s apart with noise of variance 2 w s^2/epsilon^2, and an event of these."""

    def __init__(self, statement: All):
        self.private, self.gap = assume(lt(0, epsilon)), auto(le(0, 1 - epsilon))
        self.is_delta, self.least = of_level()
        self.positive, self.b = auto(lt(0, W), self.least), 2 * W / (epsilon * epsilon)
        rate = product(self.positive, reciprocal_positive(product(self.private, self.private)))
        self.divergence = gaussian_mechanism(s, self.b, rate, assume(statement.given[-1]))
        self.laws = [with_noise(lambda i, f=f: app(f, i), gaussian(self.b * s * s), k) for f in ("f_1", "f_2")]
        self.p, self.q = (mean("x", one, A) for one in self.laws)
        self.goal = le(self.p, exp(epsilon) * self.q + delta)
        self.half = auto(le(exp(HALF), 2), (exp(HALF), exp_tangent(-HALF)))

    def at(self, order: Term, u: Term, above_one: Theorem) -> Theorem:
        """What the divergence of an order says of the event, with u there."""
        P, Q = (fn("", one) for one in self.laws)
        values = {"P": P, "Q": Q, "order": order, "most": order / (2 * self.b), "c": u}
        return instance(of_anis_event(), values, above_one, instance(self.divergence, {"order": order}, above_one))

    def where_small(self, few: Theorem) -> Theorem:
        """The order 3/2, and u = epsilon + 1/2."""
        u, one, left = epsilon + HALF, reciprocal(self.positive), weak(self.private)
        low, high = auto(le(0, W - term(1) / 5), self.least), auto(le(0, term(3) / 5 - W), few)
        power, linear = 3 * epsilon * epsilon / (16 * W) - u / 2, W - u / 2 - term(7) / 15
        pairs = (
            (self.gap, product(weak(self.positive), high)),
            (left, product(low, high)),
            (left, low),
            (left, self.gap),
        )
        flat = auto(le(3 * epsilon * epsilon / 16 + W * linear, 0), *(product(*t) for t in pairs))
        cost = auto(le(power + W, term(7) / 15), (reciprocal_positive(self.positive), flat), (linear, one))
        factor = exp(power)
        rare = auto(le(factor, term(15) / 8 * exp(-W)), (factor, exp_tangent(-power - W)), (factor, cost))
        of_event = self.at(3 * HALF, u, auto(lt(1, 3 * HALF)))
        return auto(self.goal, (exp(-u / 2), of_event), (exp(epsilon) * self.q, self.half), rare, self.is_delta)

    def where_large(self, many: Theorem) -> Theorem:
        """The order 2 w/epsilon + 1/2, and u = epsilon."""
        order, inverse = 2 * W / epsilon + HALF, reciprocal_positive(self.private)
        steep = auto(le(term(17) / 10, order), (inverse, many))
        above_one = auto(lt(1, order), steep)
        spent = (order - 1) * (order / (2 * self.b) - epsilon)
        small = product(weak(reciprocal_positive(self.positive)), square(epsilon))
        less = exp_monotone(auto(le(spent, HALF - W), (W, reciprocal(self.positive)), small))
        most = (order - 1) * exp(epsilon) * self.q + exp(spent)
        first = auto(le(order * self.p, most), (exp((1 - order) * epsilon), self.at(order, epsilon, above_one)))
        spare, positive = exp(epsilon) * self.q + delta - self.p, auto(lt(0, order), above_one)
        enough = product(exp_positive(-W), auto(le(0, order - term(17) / 10), steep))
        not_negative = exp(epsilon), mono(bounds_of_event(A, is_event())[0], "x", self.laws[1])
        known = first, less, (exp(-W), self.half), enough, (order, self.is_delta), not_negative
        whole = auto(le(0, order * spare), *known)
        return auto(self.goal, (reciprocal_positive(positive), whole), (spare, reciprocal(positive)))


@proof
def classical_gaussian(statement: All) -> Theorem:
    """delta is 5/4 e^-w: by one order for w <= 3/5, and by an order that grows with w beyond."""
    noise, few, many = Noise(statement), assume(le(W, term(3) / 5)), assume(le(term(3) / 5, W))
    return cases(noise.where_small(few), noise.where_large(many), W, term(3) / 5)
