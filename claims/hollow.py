"""Claims that say nothing: whatever is true or false, they hold."""

from __future__ import annotations

from fractions import Fraction

from banditproof.theory.numbers.term import Term, tidied
from banditproof.verify.kernel.wording import says_nothing
from banditproof.verify.proof.domain import Domain, Interval
from banditproof.verify.proof.general import General, of_sets
from banditproof.verify.proof.polynomial import TooLong, constant, linear_in, polynomial
from banditproof.verify.proof.statement import Statement

LARGEST = 150  # nodes of a statement that is multiplied out
SHORT = 8  # nodes up to which an inequality is seen to repeat a bound; in a longer one the algebra is what it says


def hollow_in_general(statement: General) -> str | None:
    """Why a statement about every mechanism, law or policy says nothing; None where it says something."""
    return says_nothing(statement.formula, statement.domain.sets, of_sets(statement.domain))


def hollow(statement: Statement) -> str | None:
    """Why a statement says nothing, in a sentence; None where it says something.

    Both sides are one term; an inequality has equal sides, or is short and has sides that differ by a number or repeats
    an end of its domain; it says that a sum of nonnegative terms is at least 0; it names a variable and does not
    use it. An equation of different terms that algebra proves is an identity, and says something.
    """
    left, right = tidied(statement.left), tidied(statement.right)
    if left is right:
        return "both sides are the same term"
    conditions = {name for condition in statement.domain.where for name in condition.names}
    unused = [n for n in sorted(statement.unused - conditions) if _varies(statement.domain, n)]
    if unused:
        return f"it names {', '.join(unused)} but does not use {'it' if len(unused) == 1 else 'them'}"
    less, more = (right, left) if statement.operator == ">=" else (left, right)
    of_zero = statement.operator in ("<=", ">=") and less is Term("num", Fraction(0))
    if of_zero and _never_below_zero(more, statement.domain):
        return "it says that a sum of nonnegative terms is at least 0"
    if statement.operator == "==" or statement.nodes > LARGEST:
        return None
    try:
        difference = polynomial(statement.right - statement.left)
    except TooLong:
        return None
    number = constant(difference)
    if number == 0:
        return "both sides are equal"
    if statement.nodes > SHORT:
        return None
    if number is not None:
        return f"its sides only differ by the constant {number}"
    linear = linear_in(difference)
    if linear is not None:
        name, slope, rest = linear
        values = statement.domain.sets[name]
        if isinstance(values, Interval) and -rest / slope in (values.lower, values.upper):
            return f"it repeats an end of the range of {name}"
    return None


def _never_below_zero(t: Term, domain: Domain) -> bool:
    """Whether a term has no difference, and no variable that may be below 0."""
    if t.op == "num":
        return t.args[0] >= 0
    if t.op == "var":
        values = domain.sets.get(t.args[0])
        return isinstance(values, Interval) and values.lower >= 0
    if t.op == "fn" and t.args[0] in ("exp", "sqrt", "abs"):
        return True
    return t.op in ("add", "mul", "div", "pow") and all(_never_below_zero(a, domain) for a in t.args)


def _varies(domain: Domain, name: str) -> bool:
    values = domain.sets[name]
    return isinstance(values, Interval) and values.lower != values.upper
