"""Terms: one object for equal terms, exact, printed, and evaluated as the formula that they came from."""

import pickle
from fractions import Fraction
from math import comb, inf

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.theory import d_epsilon, d_epsilon_dy, kl_bernoulli
from banditproof.theory.numbers.numeric import (
    TERM,
    absolute,
    atan,
    cos,
    exactly,
    exp,
    expm1,
    least_integer,
    log,
    log1p,
    maximum,
    minimum,
    ratio,
    sin,
    sqrt,
    square,
    to_ball,
    where,
)
from banditproof.theory.numbers.term import (
    QUANTITIES,
    NoTerm,
    Term,
    derivative,
    derivative_at,
    fn,
    number,
    parts,
    quantity,
    source,
    substituted,
    sum_of,
    tex,
    text,
    tidied,
    total,
    var,
    variables,
)
from banditproof.verify.proof.evaluation import FUNCTIONS

x, y, n = var("x"), var("y"), var("n")
HALF = Fraction(1, 2)


def test_equal_terms_are_one_object_also_after_a_journey():
    assert x + 1 is var("x") + 1 and x + 1 is not 1 + x
    assert log(x) is fn("log", x) and exp(x * y) is exp(var("x") * var("y"))
    assert pickle.loads(pickle.dumps(sqrt(x / 2))) is sqrt(x / 2)
    assert sum_of(lambda k: k * x, 0, n) is sum_of(lambda i: i * x, 0, n)
    assert number(1) is not number(True + 1) and number(HALF) is number(Fraction(2, 4))


def test_functions_of_theory_are_nodes():
    assert d_epsilon(x, y, HALF) is Term("quantity", "d_epsilon", x, y, number(HALF))
    assert kl_bernoulli(q=y, p=x) is Term("quantity", "kl_bernoulli", x, y)
    assert str(minimum(x, 1)) == "min(x, 1)" and str(maximum(1, x)) == "max(1, x)"
    assert str(least_integer(x / 2)) == "⌈x/2⌉" and str(x // 2) == "⌊x/2⌋" and str(abs(x)) == "|x|"
    assert square(x) is x**2 and ratio(1, x) is 1 / x and ratio(x, 2) is x / 2
    assert where(x, "<", y, (x, 1), (y, 2))[1] is Term("where", "<", x, y, number(1), number(2))
    assert str(where(x, "<=", 1, lambda: x, lambda: 1 / x)) == "(x if x <= 1 else 1/x)"


def test_numbers_meet_no_floats_while_a_relation_is_read():
    assert isinstance(log(2), float)
    with exactly(TERM):
        assert log(2) is fn("log", 2) and to_ball("1/10") is number(Fraction(1, 10))
        assert minimum(1, HALF) == HALF
    assert isinstance(log(2), float)


def test_a_sum_up_to_a_variable_binds_its_count():
    summed = total(lambda k: x**k * total(lambda j: j * k, 0, k - 1), 1, n - 1)
    assert str(summed) == "sum[k2 = 1 .. n - 1](x^k2 sum[k1 = 0 .. k2 - 1](k1 k2))"
    assert variables(summed) == {"x", "n"}
    assert total(lambda k: comb(5, k), 0, 5) == 32 and total(lambda k: k, 3, 2) == 0
    with pytest.raises(NoTerm, match="ends are counts"):
        total(lambda k: k, 0, HALF - 1)


def test_terms_are_replaced_and_tidied():
    assert substituted(x * exp(x), {x: y + 1}) is (y + 1) * exp(y + 1)
    assert {part.op for part in parts(kl_bernoulli(x, y + 1))} == {"quantity", "add", "var", "num"}
    assert tidied((x * 1 + 0) ** 1 / 1 - 0) is x
    assert tidied(number(2) / 3 + HALF) is number(Fraction(7, 6)) and tidied(-(number(2) ** 3)) is number(-8)
    assert tidied(x * 0) is x * 0, "0 times infinity is nothing"
    assert str(tidied(number(1) / 0)) == "1/0" and str(tidied(number(2) ** HALF)) == "2^(1/2)"


@pytest.mark.parametrize(
    ("term", "line", "latex"),
    [
        (x - (y - 1), "x - (y - 1)", r"x-\left(y-1\right)"),
        (-(x + y) * 2, "(-(x + y)) · 2", r"\left(-\left(x+y\right)\right)\,\cdot 2"),
        ((x / y) ** 2, "(x/y)^2", r"\left(\frac{x}{y}\right)^{2}"),
        (x / (y * 2), "x/(y · 2)", r"\frac{x}{y\,\cdot 2}"),
        (exp(-(x**2) / 2), "exp((-x^2)/2)", r"e^{\frac{-x^{2}}{2}}"),
        (var("mu_star") * HALF, "mu_star · 1/2", r"\mu_{\star}\,\tfrac{1}{2}"),
        (var("delta_1") + inf, "delta_1 + inf", r"\delta_{1}+\infty"),
        (where(x, ">=", 0, x, -x), "(x if x >= 0 else -x)", r"\begin{cases}x&x\ge 0\\-x&\text{otherwise}\end{cases}"),
    ],
)
def test_terms_are_printed_as_a_line_and_as_a_formula(term, line, latex):
    assert text(term) == line and tex(term) == latex


def test_a_shared_part_is_computed_once_and_a_branch_only_when_taken():
    shared = exp(x + y)
    lines, (found,), constants = source([shared * shared + where(x, "<", 0, 1 / x, shared)])
    assert len(lines) == 0 or all("where" not in line for line in lines)
    assert found.count("lambda") == 2 and set(constants.values()) == {0, 1}


numbers = st.fractions(min_value=-4, max_value=4, max_denominator=12)


trees = st.recursive(
    st.sampled_from(["x", "y", "1/3", "-2"]),
    lambda inner: st.tuples(st.sampled_from("+-*/"), inner, inner),
    max_leaves=8,
)


@given(numbers, numbers, trees)
def test_a_printed_term_is_read_by_python_as_the_same_number(a, b, tree):
    def built(node, leaves):
        if isinstance(node, str):
            return leaves.get(node) if node in leaves else Fraction(node)
        sign, left, right = node
        left, right = built(left, leaves), built(right, leaves)
        return {"+": left + right, "-": left - right, "*": left * right}[sign] if sign != "/" else left / right

    try:
        direct = built(tree, {"x": a, "y": b})
    except ZeroDivisionError:
        return
    term = number(built(tree, {"x": x, "y": y}))
    for form in (term, tidied(term)):
        _, (code,), constants = source([form])
        space = {"x": a, "y": b, "ratio_": ratio, **constants}
        lines = "\n".join(source([form])[0])
        exec(lines, space)
        assert eval(code, space) == direct


def test_numbers_decide_a_branch_of_a_term():
    with exactly(TERM):
        assert where(1, "==", 1, x, lambda: 1 / x) is x and where(number(2), "<", 1, x, lambda: y) is y
        assert where(x, "==", 1, x, y).op == "where" and HALF**x is number(HALF) ** x


def test_a_sum_runs_between_counts_which_exact_balls_are_too():
    assert total(lambda k: k, flint.arb(1), flint.arb(4) - 1) == 6 == total(lambda k: k, 1, Fraction(4) - 1)
    for end in (flint.arb(3, 1e-3), flint.arb(1) / 2, HALF):
        with pytest.raises(NoTerm, match="its ends are counts"):
            total(lambda k: k, 0, end - 1)


def compiled(term, *names):
    lines, (value,), constants = source([term])
    body = "".join(f"    {line}\n" for line in [*lines, f"return {value}"])
    space = {**FUNCTIONS, **{f"{name}_": f for name, f in QUANTITIES.items()}, **constants}
    exec(f"def at({', '.join(names)}):\n{body}", space)
    return space["at"]


FORMULAS = [
    lambda t: 3 * t + 1 - t / 7 - (-t),
    lambda t: t**3 - t**-2 + t ** Fraction(1, 2) + (1 + t) ** t + 2**t,
    lambda t: exp(t * t) / (1 + t) + log(t) * log1p(t) - expm1(-t) / t,
    lambda t: sqrt(1 + t) * atan(2 * t) + absolute(t - 2) + sin(3 * t) * cos(t),
    lambda t: where(t, "<", 1, lambda: t * t, lambda: exp(-t)) + maximum(t, log(t)) * minimum(t, 1 / (1 + t)),
    lambda t: where(t, "==", 3, 0, t * t),
    lambda t: total(lambda k: t**k / (k + t), 1, 4) + t * total(lambda k: k, 0, 3),
    lambda t: d_epsilon(t / 4, Fraction(2, 3), 1) + d_epsilon(Fraction(1, 4), 1 - t / 3, 1),
    lambda t: d_epsilon(Fraction(1, 4), Fraction(2, 3), t),
]


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("point", ["1/5", "3/4", "5/4"])
def test_a_derivative_is_the_first_coefficient_of_a_taylor_series(formula, point):
    with exactly(TERM):
        slope = derivative(number(formula(x)), x)
    with exactly():
        at = to_ball(point)
        series = formula(flint.arb_series([at, 1], prec=2))[1]
        value = compiled(tidied(slope), "x")(at)
    assert to_ball(value).overlaps(series) and series.rad() < 1e-8


def test_derivatives_of_any_order_are_taken_at_any_term():
    assert str(derivative_at(lambda t: t**3, y + 1)) == "3 (y + 1)^2"
    assert str(tidied(derivative_at(exp, y, 5))) == "exp(y)" and derivative(y * n, x) is number(0)
    assert derivative(where(y, "==", 1, x, 2 * x), x) is Term("where", "==", y, number(1), number(1), number(2))
    assert derivative(sum_of(lambda k: k * x, 0, n), x) is sum_of(lambda k: k, 0, n)


def test_a_derivative_of_a_derivative_of_a_quantity_or_of_a_floor_is_no_term():
    slope = derivative(number(d_epsilon(x, y, n)), y)
    assert slope is d_epsilon_dy(x, y, n) and text(slope) == "d_epsilon_dy(x, y, n)"
    assert tex(slope) == r"\partial_2d_{n}(x,y)"
    with pytest.raises(NoTerm, match="has no further derivative"):
        derivative(slope, y)
    with pytest.raises(NoTerm, match="no derivative in x"):
        derivative(least_integer(x), x)
    with pytest.raises(NoTerm, match="no derivative in n"):
        derivative(sum_of(lambda k: k * x, 0, n), n)


def test_under_a_sum_what_does_not_depend_on_its_index_is_computed_once():
    """The logarithm of x once, that of a for each a, and what only some summands need not before one needs it."""
    asked = []

    def counted(value):
        asked.append(value)
        return value

    inner = lambda a: total(lambda b: fn("exp", x) * a**2 + where(b, "<", a, fn("log", a), fn("sqrt", x)), 0, n - 1)  # noqa: E731
    lines, sides, constants = source([total(lambda a: fn("log", x) * a + inner(a), 1, n - 1)])
    space = {**FUNCTIONS, **constants, "log_": counted, "exp_": counted, "sqrt_": counted, "x": Fraction(7), "n": 4}
    exec("\n".join([*lines, f"found = {sides[0]}"]), space)
    assert asked.count(Fraction(7)) == 3 and [asked.count(a) for a in (1, 2, 3)] == [1, 1, 1]
    plain = sum(7 * a + sum(7 * a**2 + (a if b < a else 7) for b in range(4)) for a in range(1, 4))
    assert space["found"] == plain


def test_the_end_of_a_sum_that_shares_a_part_with_its_summand_is_computed_outside_of_it():
    end = least_integer(fn("log", x))
    lines, sides, constants = source([total(lambda a: end * a + end, 0, end - 1)])
    space = {**FUNCTIONS, **constants, "x": 40}
    exec("\n".join([*lines, f"found = {sides[0]}"]), space)
    assert space["found"] == 4 * (0 + 1 + 2 + 3) + 4 * 4


def test_where_a_branch_may_jump_or_have_a_kink_there_is_no_slope():
    for formula in (lambda t: absolute(t - 1), lambda t: where(t, "<", 1, 0, 1), lambda t: maximum(t, 1)):
        with exactly(TERM):
            slope = derivative(number(formula(x)), x)
        with exactly():
            assert to_ball(compiled(tidied(slope), "x")(to_ball(1))).is_nan()
    with exactly(TERM), pytest.raises(NoTerm, match="several of its arguments depend on it"):
        derivative(number(d_epsilon(x, x, 1)), x)


def test_what_depends_on_one_of_two_indexes_is_computed_once_for_each_of_its_values():
    """Three factors of a double sum: a of the outer index, b of the inner one, shared by both sums, and both in c."""
    asked = []

    def counted(value):
        asked.append(value)
        return value

    double = lambda power: total(  # noqa: E731
        lambda a: fn("log", a) * total(lambda b: fn("exp", b) * fn("sqrt", a + b) ** power, 1, n - 1), 1, n - 1
    )
    lines, sides, constants = source([double(1) + double(2)])
    space = {**FUNCTIONS, **constants, "log_": counted, "exp_": counted, "sqrt_": lambda v: v, "n": 4}
    exec("\n".join([*lines, f"found = {sides[0]}"]), space)
    assert sorted(asked) == [1, 1, 2, 2, 3, 3]
    assert space["found"] == sum(a * b * ((a + b) + (a + b) ** 2) for a in (1, 2, 3) for b in (1, 2, 3))


def test_a_sum_within_what_a_sum_keeps_has_a_name_of_its_own():
    """n x/2 from the first branch, and n^2 x/3: a part that is kept may be a sum that keeps something."""
    half = total(lambda k: where(k, "<", 100, lambda: x / 2, lambda: total(lambda j: x / 3, 0, n - 1)), 0, n - 1)
    thirds = total(lambda k: total(lambda j: x / 3, 0, n - 1), 0, n - 1)
    for term, expected in ((half, 4 * Fraction(7, 2)), (thirds, 16 * Fraction(7, 3))):
        assert compiled(term, "x", "n")(Fraction(7), 4) == expected


def test_a_default_of_a_quantity_counts_where_a_later_argument_is_given():
    @quantity
    def line_of_the_test(t, slope=1, start=2):
        return slope * t + start

    assert line_of_the_test(x, start=5).args[1:] == (x, number(1), number(5)) and line_of_the_test(x).args[1:] == (x,)


def test_a_function_that_is_made_twice_is_no_second_quantity():
    def made(step):
        @quantity
        def stepped_by_the_test(t):
            return t + step

        return stepped_by_the_test

    made(1)
    with pytest.raises(NoTerm, match="is a quantity of"):
        made(2)
