"""Terms and formulas as a reader sees them, in one line of text or as LaTeX."""

from __future__ import annotations

from typing import Any

from banditproof.theory.numbers.lettering import symbol

_TEXT = {
    **{"add": " + ", "mul": " ", "inv": "1/{}", "exp": "exp({})", "log": "log({})", "ind": "1[{} <= {}]"},
    **{"mean": "E[{} ~ {}: {}]", "dirac": "always {}", "mix": "({} ~ {}, then {})"},
    **{"steps": "rounds {},{} < {} from {}: {}", "nat": "{} is a natural number", "all": "for all {}{}: {}"},
    **{"if": "if {}: {}"},
    **{"given": " with {}", "and": "; ", "<=": "{} <= {}", "<": "{} < {}", "=": "{} = {}"},
}
_TEX = {
    **{"add": "+", "mul": r"\,", "inv": r"\tfrac{{1}}{{{}}}", "exp": "e^{{{}}}", "log": r"\log({})"},
    **{"ind": r"1_{{{}\le {}}}", "mean": r"\mathbb{{E}}_{{{}\sim {}}}[{}]", "dirac": r"\delta_{{{}}}"},
    **{"mix": r"({}\sim {},\ {})", "steps": r"\text{{rounds }}{},{}<{}\text{{ from }}{}:\ {}"},
    **{"nat": r"{}\in\mathbb{{N}}", "all": r"\text{{for all }}{}{}:\ {}", "given": r"\text{{ with }}{}"},
    **{"if": r"\text{{if }}{}:\ {}"},
    **{"and": r";\ ", "<=": r"{}\le {}", "<": r"{}<{}", "=": "{}={}"},
}


def shown(value: Any) -> str:
    """A term or formula in one line."""
    return _of(value, _TEXT)


def tex(value: Any) -> str:
    """A term or formula as LaTeX, without the dollars."""
    return _of(value, _TEX)


def _name(name: str, style: Any) -> str:
    return name if style is _TEXT else symbol(name)


def _of(value: Any, style: Any) -> str:
    kind = type(value).__name__
    if kind == "All":
        given, then = style["and"].join(_part(g, style) for g in value.given), _of(value.then, style)
        if not value.params:
            return style["if"].format(given, then) if given else then
        names = ", ".join(_name(p, style) for p in value.params)
        return style["all"].format(names, style["given"].format(given) if given else "", then)
    if kind == "Rel":
        return style[value.op].format(*(_side(a, style) for a in value.args))
    return _term(value, style)


def _side(t: Any, style: Any) -> str:
    """A side of a relation: a sum without the brackets around it."""
    printed = _of(t, style)
    return printed[1:-1] if t.op == "add" and len(t.args) > 1 else printed


def _part(f: Any, style: Any) -> str:
    return f"({_of(f, style)})" if type(f).__name__ == "All" else _of(f, style)


def _factor(t: Any, style: Any, later: bool, among: bool) -> str:
    """A factor, in brackets where it would be read with one beside it: a later number, a quotient, a minus."""
    printed = _of(t, style)
    number = t.op == "num" and (later or (among and t.args[0].denominator > 1))
    quotient = printed.startswith("1/") and t.op != "num" and among
    return f"({printed})" if number or quotient or (later and printed.startswith("-")) else printed


def _below(t: Any, style: Any) -> str:
    """What is divided by, in brackets unless it is one thing."""
    printed = _of(t, style)
    return f"({printed})" if t.op in ("mul", "inv") or t.op == "num" and t.args[0].denominator > 1 else printed


def _term(t: Any, style: Any) -> str:
    if t.op == "num":
        return str(t.args[0])
    if t.op == "var":
        return _name(t.args[0], style)
    if t.op == "add":
        summands = [_of(a, style) for a in t.args]
        plain = style["add"].join(summands).replace(f"{style['add']}-", f"{style['add'].replace('+', '-')}") or "0"
        return f"({plain})" if len(summands) > 1 else plain
    if t.op == "mul":
        minus = [a for a in t.args if a.op == "num" and a.args[0] == -1]
        kept = [a for a in t.args if not (a.op == "num" and abs(a.args[0]) == 1)]
        factors = [_factor(a, style, k > 0, len(kept) > 1) for k, a in enumerate(kept)]
        return ("-" if len(minus) % 2 else "") + (style["mul"].join(factors) or "1")
    if t.op in ("app", "law"):
        name, *points = t.args
        return _name(name, style) + (f"({', '.join(_of(a, style) for a in points)})" if points else "")
    if t.op in ("mean", "mix", "steps"):
        return style[t.op].format(*(_name(n, style) for n in t.args[0]), *(_of(a, style) for a in t.args[1:]))
    if t.op == "inv" and style is _TEXT:
        return style["inv"].format(_below(t.args[0], style))
    return style[t.op].format(*(_of(a, style) for a in t.args))
