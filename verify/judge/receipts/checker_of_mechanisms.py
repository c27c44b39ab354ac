"""Checks promises of privacy: this text stands in receipts of sentences about mechanisms, above `checker_of_ways`.

P and Q are the laws of a mechanism's answers on any two neighbouring inputs. It is (epsilon, delta)-DP where P(E) is at
most e^epsilon Q(E) + delta for every event E, and rho-zCDP where the Renyi divergence of every order a > 1 is at most
a rho: the logarithm of its moment, the integral of p^a q^(1 - a), is at most a (a - 1) rho. It is (a, epsilon)-RDP
where that logarithm is at most (a - 1) epsilon. A sentence is ["keeps", [mechanism, parameters], [kind, budget]], and
says it of every mechanism that has these parameters.
"""

from fractions import Fraction
from typing import Any

from banditproof.verify.judge.receipts.checker import (
    CALLS,
    NoValue,
    Unsure,
    add,
    div,
    exactly,
    exp,
    half,
    log,
    mul,
    neg,
    placed,
    power,
    sqrt,
    value,
)
from banditproof.verify.judge.receipts.checker_of_polynomials import need
from banditproof.verify.judge.receipts.checker_of_proofs import ONE, TWO, ZERO, read

FOUR = ("num", "4")
NONE, ALL = exactly(0), exactly(1)


KINDS = "dp", "zcdp", "rdp", "gdp"


def given(v, of) -> Any:
    """Parameters, or promises, with something else in place of each formula."""
    if isinstance(v, str):
        return v
    if isinstance(v, dict):
        return {name: given(part, of) for name, part in v.items()}
    return of(v) if isinstance(v[0], str) and v[0] not in KINDS else [given(part, of) for part in v]


# ----------------------------------------------------------------------------------- what is enough for a promise


def shift_of(p):
    """The shift of the answer against its noise, which is a scale above 0."""
    return ("div", p["sensitivity"], p["scale"]), [(">", p["scale"], ZERO), (">=", p["sensitivity"], ZERO)]


def of_pure(cost, kind, b):
    """A ratio r of densities between e^-c and e^c, whose mean is 1: the chord of r^a bounds its moment.

    That is cosh(u)/cosh(v) for v = c/2 and u = (2 a - 1) v. As tanh(u)/u falls, log cosh is concave in the square of
    its argument, so that its logarithm is at most (u^2 - v^2) tanh(v)/(2 v) = a (a - 1) c tanh(c/2).
    """
    odds = ("call", "exp", cost)
    if kind == "zcdp":
        return [("<=", ("div", ("mul", cost, ("sub", odds, ONE)), ("add", odds, ONE)), b["rho"])]
    need(kind == "dp", "no rule for this kind")
    return [("<=", cost, b["epsilon"]), *((">=", b[k], ZERO) for k in b if k == "delta")]


def laplace(kind, p, b):
    """|z - x| and |z - y| differ by |x - y| at most.

    For a shift m of the scale the moment is (a e^((a - 1) m) + (a - 1) e^(-a m))/(2 a - 1). Its logarithm is at most
    a (a - 1) (m + e^-m - 1): both are 0 for m = 0, and with z = 1 - e^-m their derivatives compare so where 1 - a z is
    at most (1 + (a - 1) z) (1 - z)^(2 a - 1). So it is, as 1 - z - a (a - 1) z^2 <= 1 - z compares the derivatives of
    the logarithms. The bound rises with m.
    """
    shift, positive = shift_of(p)
    if kind == "zcdp":
        return [("<=", ("sub", ("add", shift, ("call", "exp", ("neg", shift))), ONE), b["rho"]), *positive]
    return [*of_pure(shift, kind, b), *positive]


def geometric(kind, p, b):
    """The same of whole numbers."""
    rate, most = p["rate"], p["sensitivity"]
    return [*of_pure(("mul", rate, most), kind, b), (">", rate, ZERO), (">=", most, ZERO)]


def gaussian(kind, p, b):
    """Completing the square, the moment of two normal laws m deviations apart is e^(a (a - 1) m^2/2).

    The loss rises along the line, so that the half-line where it exceeds epsilon has the largest P(E) - e^epsilon Q(E):
    Phi(m/2 - epsilon/m) - e^epsilon Phi(-m/2 - epsilon/m). Its derivative by m is the normal density at
    m/2 - epsilon/m, so that it rises.
    """
    deviation, shift = p.get("deviation") or ("call", "sqrt", p["variance"]), p["sensitivity"]
    variance = p.get("variance") or ("pow", deviation, TWO)
    positive = [(">", deviation, ZERO)]
    if kind == "zcdp":
        return [("<=", ("div", ("div", ("pow", shift, TWO), variance), TWO), b["rho"]), *positive]
    need(kind == "dp" and "delta" in b, "no rule for this kind")
    m, e = ("div", shift, deviation), b["epsilon"]
    ends = [("sub", part, ("div", e, m)) for part in (("div", m, TWO), ("neg", ("div", m, TWO)))]
    first, second = (("call", "Phi", end) for end in ends)
    exact = ("sub", first, ("mul", ("call", "exp", e), second))
    return [("<=", exact, b["delta"]), *positive, (">", shift, ZERO)]


def response(kind, p, b):
    """The two probabilities of each answer, or of each of several that are untrue equally often."""
    others = ("sub", p["candidates"], ONE) if "candidates" in p else ONE
    odds = ("call", "log", ("div", ("mul", others, p["truth"]), ("sub", ONE, p["truth"])))
    return of_pure(("call", "abs", odds), kind, b)


def exponential(kind, p, b):
    """The weight of a choice changes by e^(factor s) at most, and so does the sum of all weights."""
    cost = ("mul", ("mul", TWO, p["factor"]), p["sensitivity"])
    return [*of_pure(cost, kind, b), (">=", p["factor"], ZERO), (">=", p["sensitivity"], ZERO)]


def spent(p, name):
    """What is spent together by promises of one kind, or by a number of equal ones."""
    if "of" in p:
        return ("mul", p["count"], p["of"][1][name])
    first, *others = (budget[name] for _, budget in p["parts"])
    for other in others:
        first = ("add", first, other)
    return first


def composition(kind, p, b):
    """Given the answers before, the ratio of densities, or the moment of an order, is multiplied by that of one.

    With delta the ratio is so but for a part of the answers that has this mass. A moment of order a is the mean under P
    of (p/q)^(a - 1), whose root of order a - 1 rises with a.
    """
    promises = p["parts"] if "parts" in p else [p["of"]]
    need({promise[0] for promise in promises} == {kind} and kind in ("dp", "zcdp", "rdp"), "no rule for these kinds")
    names = {"dp": ["epsilon", *(["delta"] if "delta" in b else [])], "zcdp": ["rho"], "rdp": ["epsilon"]}[kind]
    orders = [budget["alpha"] for _, budget in promises if "alpha" in budget]
    need(all({*budget} - {"alpha"} <= {*names} for _, budget in promises), "a delta that is not promised")
    if kind == "rdp":
        below = [("<=", b["alpha"], order) for order in orders]
        return [("<=", spent(p, "epsilon"), b["epsilon"]), (">", b["alpha"], ONE), *below]
    if "delta" in names and not any("delta" in budget for _, budget in promises):
        return of_pure(spent(p, "epsilon"), kind, b)
    return [("<=", spent(p, name), b[name]) for name in names]


def group(kind, p, b):
    """Densities of neighbours in a row are multiplied; divergences of order a grow with the square.

    By the inequality of Hoelder D_a(P, R) is at most k a/(k a - 1) D_c(P, Q) + D_(k a)(Q, R) for c = (k a - 1)/(k - 1),
    so that (k - 1)^2 c rho and k a rho give k^2 a rho.
    """
    (kind_of, of), k = p["of"], p["size"]
    if kind_of == kind == "zcdp":
        return [("<=", ("mul", ("pow", k, TWO), of["rho"]), b["rho"]), (">=", k, ONE)]
    need(kind_of == "dp" and "delta" not in of, "no rule for these kinds")
    return [*of_pure(("mul", k, of["epsilon"]), kind, b), (">=", k, ONE)]


def conversion(kind, p, b):
    """By Markov's inequality for the moment of order a the loss exceeds epsilon with probability q at most.

    Here q = e^((a - 1) (a rho - epsilon)), which is e^(-(epsilon - rho)^2/(4 rho)) for a = (epsilon + rho)/(2 rho).
    """
    kind_of, of = p["of"]
    if kind_of == kind:
        return composition(kind, {"parts": [p["of"]]}, b)
    if kind_of == "zcdp" and kind == "dp" and "delta" in b:
        tail = ("mul", ("mul", FOUR, of["rho"]), ("call", "log", ("div", ONE, b["delta"])))
        return [(">=", ("pow", ("sub", b["epsilon"], of["rho"]), TWO), tail), (">=", b["epsilon"], of["rho"])]
    need(kind_of == "dp" and "delta" not in of, "no rule for these kinds")
    return of_pure(of["epsilon"], kind, b)


def subsampling(kind, p, b):
    """A record that is kept with probability q: (1 - q) Q + q P is at most 1 + q (e^epsilon - 1) times Q.

    And the other way round, as (1 - q + q/w) (1 - q + q w) is at least 1.
    """
    (kind_of, of), q = p["of"], p["rate"]
    need(kind_of == "dp" and "delta" not in of, "no rule for these kinds")
    odds = ("add", ONE, ("mul", q, ("sub", ("call", "exp", of["epsilon"]), ONE)))
    return [*of_pure(("call", "log", odds), kind, b), (">=", q, ZERO), ("<=", q, ONE)]


LAWS: dict[str, Any] = {
    f.__name__: f
    for f in (laplace, geometric, gaussian, response, exponential, composition, group, conversion, subsampling)
}


def enough(sentence):
    """Comparisons that together imply that a mechanism keeps a promise."""
    verb, (law, parameters), (kind, budget) = sentence
    need(verb == "keeps" and law in LAWS, f"no rule for {law} here")
    p, b = given(parameters, read), given(budget, read)
    if kind != "rdp" or "rdp" in (of[0] for of in p.get("parts", [p.get("of", [""])])):
        return LAWS[law](kind, p, b)
    every = LAWS[law]("zcdp", p, {"rho": ("div", b["epsilon"], b["alpha"])})  # of every order in proportion
    return [(">", b["alpha"], ONE), *every]


# ---------------------------------------------------------------------------------------- what breaks a promise


def sure(holds):
    if not holds:
        raise Unsure("a mechanism that may not have these parameters")


def whole_number(x):
    """A whole number of at least 1."""
    sure(x[0] == x[1] and x[0].denominator == 1 and x[0] >= 1)
    return x


def beside(p, q):
    """Two answers, of which one has these probabilities."""
    return "finite", [p, add(ALL, neg(p))], [q, add(ALL, neg(q))]


def two_laplace(v, shown):
    sure(v["scale"][0] > 0 and v["sensitivity"][0] >= 0)
    return "laplace", div(v["sensitivity"], v["scale"])


def two_normal(v, shown):
    deviation = v["deviation"] if "deviation" in v else sqrt(v["variance"])
    sure(deviation[0] > 0 and v["sensitivity"][0] >= 0)
    return "normal", div(v["sensitivity"], deviation)


def two_geometric(v, shown):
    """Answers of at least the shift, which is whole."""
    ratio, shift = exp(neg(v["rate"])), whole_number(v["sensitivity"])
    sure(v["rate"][0] > 0)
    p = div(ALL, add(ALL, ratio))
    return beside(p, mul(p, power(ratio, shift)))


def two_responses(v, shown):
    """The first category is true, or the second one."""
    truth, k = v["truth"], whole_number(v.get("candidates", exactly(2)))[0]
    sure(truth[0] >= 0 and truth[1] <= 1 and k >= 2)
    lie = div(add(ALL, neg(truth)), exactly(k - 1))
    rest = mul(lie, exactly(k - 2))
    return "finite", [truth, lie, rest], [lie, truth, rest]


def two_choices(v, shown):
    """Scores that differ by the sensitivity at most."""
    sure("monotone" not in v)
    scores = [[Fraction(u) for u in row] for row in shown["scores"]]
    count = len(scores[0])
    sure(count == len(scores[1]) > 1 and ("candidates" not in v or v["candidates"] == exactly(count)))
    sure(all(abs(a - b) <= v["sensitivity"][0] for a, b in zip(*scores, strict=True)))
    weights = [[exp(mul(v["factor"], exactly(u))) for u in row] for row in scores]
    totals: list[Any] = [NONE, NONE]
    for i, row in enumerate(weights):
        for w in row:
            totals[i] = add(totals[i], w)
    return "finite", *([div(w, total) for w in row] for row, total in zip(weights, totals, strict=True))


def telling(b):
    """Randomised response that keeps epsilon, and tells everything with probability delta: of four answers."""
    e, d = b["epsilon"], b.get("delta", NONE)
    sure(e[0] >= 0 and d[0] >= 0 and d[1] <= 1)
    truth, rest = div(ALL, add(ALL, exp(neg(e)))), add(ALL, neg(d))
    p = [d, mul(rest, truth), mul(rest, add(ALL, neg(truth))), NONE]
    return "finite", p, p[::-1]


def two_of_a_promise(v, shown) -> Any:
    """A mechanism that keeps it: normal noise of one deviation whose value moves by m has the budget m^2/2 of zCDP."""
    kind, b = v["of"]
    if kind == "dp":
        return telling(b)
    sure(kind == "zcdp" or kind == "rdp" and b["alpha"][0] > 1)
    return "normal", sqrt(mul(exactly(2), b["rho"] if kind == "zcdp" else div(b["epsilon"], b["alpha"])))


def two_composed(v, shown):
    """All responses are true; shifts of independent normal noises add up in squares."""
    of = [v["of"]] if "of" in v else v["parts"]
    count = whole_number(v["count"]) if "of" in v else ALL
    pairs = [two_of_a_promise({"of": promise}, shown) for promise in of]
    if all(kind == "normal" for kind, *_ in pairs):
        squares = NONE
        for _, m in pairs:
            squares = add(squares, mul(m, m))
        return "normal", sqrt(mul(count, squares))
    sure(all(kind == "finite" for kind, *_ in pairs))
    p, q = ALL, ALL
    for _, ps, qs in pairs:
        p, q = mul(p, power(add(ps[0], ps[1]), count)), mul(q, power(add(qs[0], qs[1]), count))
    return beside(p, q)


def two_of_a_group(v, shown):
    """Each record moves the value by as much as the promise allows."""
    (kind, b), k = v["of"], whole_number(v["size"])
    if kind == "zcdp":
        return "normal", mul(k, two_of_a_promise(v, shown)[1])
    sure(kind == "dp" and "delta" not in b and b["epsilon"][0] >= 0)
    return "laplace", mul(k, b["epsilon"])


def two_of_a_sample(v, shown):
    """A bit that says whether a record is there."""
    rate, (_, p, q) = v["rate"], two_of_a_promise(v, shown)
    sure(rate[0] >= 0 and rate[1] <= 1)
    mixed = [add(mul(rate, a), mul(add(ALL, neg(rate)), b)) for a, b in zip(p, q, strict=True)]
    return "finite", *((mixed, q) if not shown.get("turned") else (q, mixed))


PAIRS: dict[str, Any] = {
    "laplace": two_laplace,
    "gaussian": two_normal,
    "geometric": two_geometric,
    "response": two_responses,
    "exponential": two_choices,
    "conversion": two_of_a_promise,
    "composition": two_composed,
    "group": two_of_a_group,
    "subsampling": two_of_a_sample,
}


def beyond(kind, shift, at):
    """The probability of an answer of at least `at`, around a shift."""
    if kind == "normal":
        return CALLS["Phi"](add(shift, neg(at)))
    sure(shift[1] <= at[0] or at[1] <= shift[0])
    far = half(exp(neg(CALLS["abs"](add(at, neg(shift))))))
    return far if shift[1] <= at[0] else add(ALL, neg(far))


def chances(pair, shown):
    """The probabilities of an event under two laws: answers of at least a number, or some of few."""
    kind, *of = pair
    if kind == "finite":
        chosen = set(shown["answers"])
        totals: list[Any] = [NONE, NONE]
        for i, law in enumerate(of):
            for k in chosen:
                totals[i] = add(totals[i], law[k])
        return totals
    at = exactly(Fraction(shown["at"]))
    return [beyond(kind, of[0], at), beyond(kind, NONE, at)]


def moment(pair, a):
    """The integral of p^a q^(1 - a)."""
    kind, *of = pair
    less = exactly(a - 1)
    if kind == "normal":
        return exp(half(mul(mul(exactly(a), less), mul(of[0], of[0]))))
    if kind == "laplace":
        up = mul(exactly(a), exp(mul(less, of[0])))
        return div(add(up, mul(less, exp(neg(mul(exactly(a), of[0]))))), exactly(2 * a - 1))
    total = NONE
    for p, q in zip(*of, strict=True):
        if p != NONE:
            total = add(total, mul(power(p, exactly(a)), power(q, neg(less))))
    return total


def problem_of_promise(data):
    """Why a promise is not seen to be broken at a point, or ''."""
    point = placed(data)
    verb, (law, parameters), (kind, budget) = data["sentence"]
    sure(verb == "keeps")
    v, b = (given(of, lambda f: value(f, point)) for of in (parameters, budget))
    pair = PAIRS[law](v, data["shown"])
    if kind == "dp":
        p, q = chances(pair, data["shown"])
        most = add(mul(exp(b["epsilon"]), q), b.get("delta", NONE))
        return "" if p[0] > most[1] else "the event is not too likely for sure"
    a = Fraction(data["shown"]["order"])
    sure(a > 1 and (kind == "zcdp" or kind == "rdp" and b["alpha"] == exactly(a)))
    most = mul(b["rho"], exactly(a * (a - 1))) if kind == "zcdp" else mul(b["epsilon"], exactly(a - 1))
    return "" if log(moment(pair, a))[0] > most[1] else "the divergence is not too large for sure"


def check_broken(data):
    """Why a receipt of a broken promise is not confirmed, or ''."""
    try:
        return problem_of_promise(data)
    except (Unsure, NoValue, LookupError, ValueError, ArithmeticError, TypeError) as why:
        return f"{type(why).__name__}: {why}"
