"""What a claim is: its statement, domain, steps, evidence and verdict. Knows no document.

The public names are loaded when they are first used, so that importing this package is cheap.
"""

from banditproof.theory.face import face

_MODULE_OF = {
    "Document": "documents",
    "announce": "documents",
    "catalogue": "documents",
    "Claim": "register",
    "Mutation": "register",
    "REGISTER": "register",
    "claim": "register",
    "item": "register",
    "load": "loading",
    "load_module": "loading",
    "mutation": "register",
    "not_checkable": "register",
    "repaired": "register",
    "resolve": "register",
    "restate": "register",
    "restate_parts": "register",
    "AboveOne": "sets",
    "AboveZero": "sets",
    "AtLeastOne": "sets",
    "BelowOne": "sets",
    "Count": "sets",
    "Inside": "sets",
    "Natural": "sets",
    "Nonnegative": "sets",
    "Policy": "sets",
    "Positive": "sets",
    "Probability": "sets",
    "Real": "sets",
    "Sides": "sets",
    "TwoOrMore": "sets",
    "argued": "steps",
    "certified": "steps",
    "enumerated": "steps",
    "fails_at": "steps",
    "interval": "steps",
    "pick": "steps",
    "quadrature": "steps",
    "statistics": "steps",
    "step": "steps",
    "symbolic": "steps",
    "trend": "steps",
    "tried_at": "steps",
    "derivation": "derivations",
    "fact": "derivations",
    "facts_hold": "derivations",
    "in_every_regime": "by_regime",
    "recorded": "recorded_runs",
    "Check": "check",
    "Arrays": "study",
    "Study": "study",
    "Verdict": "verdict",
    "decide": "verdict",
    "combine": "verdict",
    "Settings": "run.examine",
    "examine": "run.examine",
    "COLOURS": "report.figures",
    "INK": "report.figures",
    "figure": "report.figures",
}

__all__ = list(_MODULE_OF)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = face(__name__, _MODULE_OF)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
