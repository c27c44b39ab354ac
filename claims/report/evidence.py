"""Evidence in words: what the report's page shows of the numbers, regions and records in ``results.json``.

Long data are cut: the first few, how many there are, and the rest is in ``results.json``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from banditproof.claims.report.plain import SIGNS
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.verify.kernel.replay import formula_from_data
from banditproof.verify.kernel.wording import AS_SUPREMA, has_divergences
from banditproof.verify.proof.evidence import KINDS, from_data
from banditproof.verify.proof.statistics import binomial_interval, outcome

FEW = 5  # points and parameters shown of a long list
SOME = 12  # entries shown of a list that is part of a counterexample
TESTS = 12  # statistical tests shown of a long list
LONGEST = 160  # signs of any one value
ABOUT = "about "  # before a number that is rounded
SMALL = 20  # the largest denominator of a fraction that a sentence shows as such
TOO_LONG = 10**20  # for an integer to be read
LETTERS = "alpha beta gamma delta epsilon zeta eta theta kappa mu nu xi pi rho sigma tau phi psi omega Delta"
GREEK = {name: SIGNS[name] for name in LETTERS.split()} | {"lam": "λ", "inf": "∞"}
GREEK |= {"<=": "≤", ">=": "≥", "!=": "≠", "==": "="}
FRACTION = re.compile(r"-?\d+/0*[1-9]\d*")
WHOLE_OR_FRACTION = re.compile(rf"-?\d+|{FRACTION.pattern}")
_LONG = re.compile(r"(?<![\w./])(?:\d{6,}(?:/\d+)?|\d+/\d{6,})(?![\w./])")
_EXPONENT = re.compile(r"(\d[\d.]*)[eE]\+?(-?\d+)")
_GREEK = re.compile(rf"(?<![A-Za-z])({'|'.join(n for n in GREEK if n.isalpha())})(?![A-Za-z])|[<>!=]=")


def in_symbols(text: str) -> str:
    """'epsilon <= inf' as 'ε ≤ ∞'."""
    return _GREEK.sub(lambda m: GREEK[m[0]], text)


def variable(name: str) -> str:
    """A variable as it is written: 'μ*' for ``mu_star``, 'μ'_2' for ``mu_2_prime``, 'other means' for ``other_means``.

    What follows the first part is a subscript where that is a letter or a Greek one's name, or where it is short.
    """
    first, *rest = name.strip("_").split("_")
    marks = "".join({"star": "*", "prime": "'"}[part] for part in rest if part in ("star", "prime"))
    below = [in_symbols(part) for part in rest if part not in ("star", "prime")]
    base = in_symbols(first)
    if len(base) > 1 and any(len(part) > 2 for part in below):
        return f"{' '.join([base, *below])}{marks}"
    script = f"_{below[0]}" if len(below) == 1 else f"_({','.join(below)})" if below else ""
    return f"{base}{marks}{script}"


def comparison(text: str) -> str:
    """A constraint as it is written: '2·μ'_2 ≤ μ_1' for ``2 * mu_2_prime <= mu_1``."""
    written = text.replace("**", "^").replace(" * ", "·").replace("*", "·")
    return in_symbols(re.sub(r"[^\W\d]\w*", lambda name: variable(name[0]), written))


def readable(text: str) -> str:
    """A paragraph for those who do not read the code: without its names, variables as their letters."""
    text = re.sub(r"\s*(?:\([^()]*`[^()]*\)|[;:][^.;:()]*`[^.;:()]*(?=[.;:)]))", "", text)  # names of the code
    parts = enumerate(text.split("$"))
    return "$".join(part if k % 2 else in_symbols(with_signs(part.replace("`", ""))) for k, part in parts)


def with_signs(text: str) -> str:
    """Prose in which the code's names of signs are these: 'λ_0 → √d' for 'lambda_0 -> sqrt d'."""
    text = re.sub(r"(?<![\\A-Za-z])lambda(?![A-Za-z])", "λ", text)
    return re.sub(r"(?<![\\A-Za-z])sqrt\b ?", "√", text).replace(" -> ", " → ")


def shortened(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}… ({len(text)} signs)"


def number(value: Any, few: int = FEW) -> str:
    """A value of the JSON forms of ``verify.evidence.to_data`` for reading; decimals where a fraction is long.

    Of a list the first `few` are shown.
    """
    if isinstance(value, Mapping):
        if "decimal" in value:
            return in_symbols(powers_of_ten(value["decimal"]))
        return f"{{{_first_few(pairs(value))}}}"
    if isinstance(value, list | tuple):
        return f"[{_first_few((number(v, few) for v in value), few)}]"
    if isinstance(value, str) and FRACTION.fullmatch(value):
        exact = Fraction(value)
        return _power_of_ten(exact) or (str(exact) if len(str(exact)) <= 12 else f"≈ {decimal(exact)}")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return _power_of_ten(Fraction(value)) or (str(value) if abs(value) < TOO_LONG else f"≈ {decimal(value)}")
    return shortened(in_symbols(with_signs(str(value))))


def shorter_numbers(text: str) -> str:
    """Text whose long integers and fractions are written for reading: 'd = 10^20' for 'd = 100000000000000000000'."""
    return _LONG.sub(lambda m: number(m[0] if "/" in m[0] else int(m[0])), text)


def _power_of_ten(exact: Fraction) -> str:
    """'10^360', '2·10^8' or '10^-24'; nothing for what is easily read or no small multiple of a power of ten."""
    if exact.denominator == 1 and (round_number := re.fullmatch("([1-9])(0{5,})", str(exact.numerator))):
        return f"{round_number[1]}·10^{len(round_number[2])}".removeprefix("1·")
    if exact.numerator == 1 and re.fullmatch("10{5,}", str(exact.denominator)):
        return f"10^-{len(str(exact.denominator)) - 1}"
    return ""


def pairs(values: Mapping[str, Any]) -> list[str]:
    """Named values as 'name = value'."""
    return [f"{variable(name)} = {number(value)}" for name, value in values.items()]


def decimal(exact: Fraction | int, digits: int = 10) -> str:
    """A rational in decimals, rounded; also where it is too small or too large for a float: '2.5·10^30'."""
    return powers_of_ten(_rounded_to(exact, digits))


def _rounded_to(exact: Fraction | int, digits: int = 10) -> str:
    from mpmath import mp, mpf, nstr

    with mp.workdps(digits + 5):
        return str(nstr(mpf(exact.numerator) / exact.denominator, digits, strip_zeros=True)).removesuffix(".0")


def powers_of_ten(text: str) -> str:
    """'[3.5·10^7, 10^8]' for '[3.5e+7, 1.0E+08]'."""

    def written(match: re.Match[str]) -> str:
        digits = match[1].removesuffix(".0")
        return f"{'' if digits == '1' else digits + '·'}10^{int(match[2])}"

    return _EXPONENT.sub(written, text)


def _first_few(values: Any, few: int = FEW) -> str:
    shown = list(values)
    return ", ".join(shown[:few]) + (f", … ({len(shown)} in all)" if len(shown) > few else "")


def _listed_values(name: str, values: Sequence[Any]) -> str:
    numbers = list(map(number, values))
    return f"{name} = {numbers[0]}" if len(numbers) == 1 else f"{name} ∈ {{{_first_few(numbers)}}}"


def coordinates(point: Mapping[str, Any]) -> list[tuple[str, str]]:
    """A point as (variable, exact value and decimals) pairs."""
    return [(variable(name), _exact_and_decimal(value)) for name, value in point.items()]


def _exact_and_decimal(value: Any) -> str:
    if not (isinstance(value, str) and FRACTION.fullmatch(value)):
        return number(value, SOME)
    exact = Fraction(value)
    if power := _power_of_ten(exact):
        return power
    if exact < 1 and (power := _power_of_ten(1 - exact)):
        return f"1 - {power}"
    same, rounded = Fraction(_rounded_to(exact)) == exact, decimal(exact)
    if len(str(exact)) > 40:
        return rounded if same else f"≈ {rounded}"
    return str(exact) if exact.denominator == 1 else f"{exact} {'=' if same else '≈'} {rounded}"


def counterexample(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """What a counterexample's table shows: the point, and both sides around the operator that fails."""
    return {
        "point": coordinates(evidence["point"]),
        "left": number(evidence["left"]),
        "right": number(evidence["right"]),
        "operator": in_symbols(evidence["operator"]),
        "brief": _brief(evidence),
        "how": "in rational arithmetic" if evidence["rational"] else "in ball arithmetic",
        "assumes": evidence.get("assumes", ""),
    }


def _brief(evidence: Mapping[str, Any]) -> tuple[str, str, str]:
    """Left side, operator and right side, enclosures to six digits where these tell the sides apart."""
    sides = [evidence["left"], evidence["right"]]
    short = [rounded(side) for side in sides]
    left, right = short if short[0] != short[1] else map(number, sides)
    return left, in_symbols(evidence["operator"]), right


def as_float(value: Any) -> float | None:
    """A value of the JSON forms as a float; the middle of an enclosure; None for what is no number."""
    if isinstance(value, Mapping) and "decimal" in value:
        ends = value["decimal"].strip("[]").split(",")
        try:
            return sum(map(float, ends)) / len(ends)
        except ValueError:
            return None
    exact = from_data(value)
    try:
        return float(exact)
    except (TypeError, ValueError, OverflowError):
        return None


def rounded(value: Any) -> str:
    """A value of the JSON forms, an enclosure to six digits."""
    if not isinstance(value, Mapping):
        return decimal(Fraction(value), 6) if number(value).startswith("≈") else number(value)
    middle = _middle_of(value)
    return number(value) if middle is None else decimal(middle, 6)


def _middle_of(value: Mapping[str, Any]) -> Fraction | None:
    """The middle of an enclosure; None where it is no finite one, or exact."""
    text = value.get("decimal", "")
    ends = [Decimal(end) for end in text.strip("[]").split(",")] if text.startswith("[") else []
    return Fraction(sum(ends) / 2) if ends and all(e.is_finite() for e in ends) else None


def in_brief(value: Any, digits: int = 4) -> str:
    """A value of the JSON forms for a sentence: '3/4', '0.001', '10^-8', '[1, 2]' or 'about 8.324'."""
    if isinstance(value, Mapping):
        exact, error = _middle_of(value), Fraction(1, 10**9)
    elif not isinstance(value, bool) and isinstance(value, str | int) and WHOLE_OR_FRACTION.fullmatch(str(value)):
        exact, error = Fraction(value), Fraction(0)
    else:
        exact, error = None, Fraction(0)
    if exact is None:
        return "empty" if value == [] else number(value)
    near_one = _power_of_ten(1 - exact) if 0 < exact < 1 and not error else ""
    if power := "" if error else _power_of_ten(exact) or (f"1 - {near_one}" if near_one else ""):
        return power
    if not error and exact.denominator <= SMALL and len(str(exact)) <= digits + 3:
        return str(exact)
    short = _rounded_to(exact, digits)
    return f"{ABOUT * (abs(Fraction(short) - exact) > error * abs(exact))}{powers_of_ten(short)}"


def in_a_row(parts: Sequence[str]) -> str:
    """'a, b and c'."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def apart(left: Any, right: Any) -> tuple[str, str]:
    """Two values in brief, with as many digits as tell them apart."""
    brief = ((in_brief(left, digits), in_brief(right, digits)) for digits in (4, 6, 10, 20))
    return next((pair for pair in brief if pair[0] != pair[1]), (number(left), number(right)))


def in_words(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """What the page shows of one piece of evidence: kind, region, routes, facts and tables."""
    kind = evidence["kind"]
    relation = evidence.get("relation") or evidence.get("verifier") or ""
    view = {
        "kind": kind,
        "proves": KINDS[kind].proves and not evidence.get("assumes"),
        "routes": evidence["routes"],
        "relation": relation.removeprefix("banditproof."),
        "facts": FACTS[kind](evidence) + _on_trust(kind, evidence),
    }
    if kind == "statistics":
        view["tests"] = _tests(evidence["tests"], evidence)
        view["fresh"] = _tests(evidence["fresh"], evidence)
        view["more"] = len(evidence["tests"]) - TESTS
    if kind == "trend":
        view["curve"] = curve([_middle(v) for _, v in evidence["series"]])
    return view


Facts = list[tuple[str, str]]


def _on_trust(kind: str, e: Mapping[str, Any]) -> Facts:
    """What evidence that could prove takes on trust, so that it only supports."""
    return [("taken on trust", e["assumes"])] if KINDS[kind].proves and e.get("assumes") else []


def _deduction(e: Mapping[str, Any]) -> Facts:
    return [("size", f"a tree of {e['rules']} {'rule' if e['rules'] == 1 else 'rules'}")]


def _interval(e: Mapping[str, Any]) -> Facts:
    undecided = f", {e['undecided']} undecided" if e["undecided"] else ""
    facts = [
        (
            "size",
            f"{e['leaves']} {'box' if e['leaves'] == 1 else 'boxes'}{undecided}; {e['precision']} bits of precision",
        ),
        ("box", _first_few((f"{in_symbols(n)} ∈ [{number(a)}, {number(b)}]" for n, (a, b) in e["box"].items()), 12)),
    ]
    changed = [
        f"{in_symbols(n)} = {in_symbols(text)} on {in_symbols(range_)}"
        for n, (text, range_) in e["substitutions"].items()
    ]
    return facts + ([("substitution", "; ".join(changed))] if changed else [])


def _certificate(e: Mapping[str, Any]) -> Facts:
    return [] if "facts" in e["data"] else [("data", shortened(number(e["data"]), 300))]


def _refused(e: Mapping[str, Any]) -> Facts:
    return [("refused", e["why"])]


def _not_evaluated(e: Mapping[str, Any]) -> Facts:
    return [("no value found", f"at {len(e['points'])} of {e['tried']} points")]


def _kernel(e: Mapping[str, Any]) -> Facts:
    meaning = AS_SUPREMA if has_divergences(formula_from_data(e["formula"])) else None
    return [
        *([("meaning", meaning)] if meaning else []),
        ("axioms", "; ".join(e["axioms"])),
        ("holds for", "data sets, outputs and histories in standard Borel spaces: finite, countable, real, sequences"),
        ("proof", f"{len(e['proof']['steps'])} steps of the kernel, each of which recheck repeats"),
    ]


def _enumeration(e: Mapping[str, Any]) -> Facts:
    facts = [
        (
            "size",
            f"{e['count']} point{'s' * (e['count'] != 1)}, in {'rational' if e['rational'] else 'ball'} arithmetic",
        ),
        ("points", _points(e["points"])),
    ]
    return facts + ([("tightest", shortened(in_symbols(e["tightest"]), 240))] if e["tightest"] else [])


def _quadrature(e: Mapping[str, Any]) -> Facts:
    return [("size", f"{e['count']} points"), ("points", _points(e["points"])), ("error", e["error"])]


def _statistics(e: Mapping[str, Any]) -> Facts:
    tests = len(e["tests"])
    shared = f"{float(Fraction(e['error'])):.3g}, shared by {tests} test{'s' * (tests != 1)}"
    return [("false alarm", f"probability at most {shared}"), ("power", e["detectable"]), ("seeds", e["seeds"])]


def _trend(e: Mapping[str, Any]) -> Facts:
    first, last = (f"{number(value)} at {number(index)}" for index, value in (e["series"][0], e["series"][-1]))
    return [
        ("rule", f"{e['rule'].replace('_', ' ')} ({', '.join(pairs(e['parameters']))}): {e['outcome']}"),
        ("series", f"{e['source']}: {len(e['series'])} values, from {first} to {last}"),
    ]


def _none(e: Mapping[str, Any]) -> Facts:
    return []


FACTS = {
    "deduction": _deduction, "interval": _interval, "kernel": _kernel,
    "certificate": _certificate, "refused certificate": _refused, "not evaluated": _not_evaluated,
    "enumeration": _enumeration,
    "quadrature": _quadrature, "statistics": _statistics, "trend": _trend, "counterexample": _none,
}  # fmt: skip


def _points(points: Any) -> str:
    """The grid, or the first few of the listed points."""
    if isinstance(points, Mapping):
        return "all combinations of " + "; ".join(
            _listed_values(variable(n), list(v)) for n, v in points["grid"].items()
        )
    shown = [f"({', '.join(f'{n} = {v}' for n, v in coordinates(p))})" for p in points[:3]]
    return " ".join(shown) + (f" … ({len(points)} in all)" if len(points) > 3 else "")


def _tests(tests: Sequence[Mapping[str, Any]], evidence: Mapping[str, Any]) -> list[dict[str, Any]]:
    error, shared = Fraction(evidence["error"]), len(evidence["tests"])
    rows = []
    for test in tests[:TESTS]:
        low, high = binomial_interval(test["successes"], test["trials"], error / shared)
        stated = Fraction(test["probability"])
        rows.append(
            {
                "event": test["event"],
                "counts": f"{test['successes']} of {test['trials']}",
                "interval": f"[{low:.4g}, {high:.4g}]",
                "claimed": f"{in_symbols(test['operator'])} {number(str(stated))}",
                "outcome": outcome({**test, "probability": stated}, error, shared),
            }
        )
    return rows


def _middle(value: Any) -> float:
    """A value of a series as one float; the middle of an enclosure."""
    value = from_data(value)
    if isinstance(value, Mapping):
        value = Enclosure.from_json(dict(value)).floats
    return sum(map(float, value)) / len(value) if isinstance(value, list | tuple) else float(value)


def curve(values: Sequence[float], width: int = 120, height: int = 28) -> str:
    """The points of a small polyline through the values; none where one of them is infinite."""
    if not all(map(math.isfinite, values)):
        return ""
    low, high = min(values), max(values)
    step, scale = width / max(1, len(values) - 1), (height - 4) / ((high - low) or 1)
    return " ".join(f"{i * step:.1f},{height - 2 - (v - low) * scale:.1f}" for i, v in enumerate(values))
