"""Statements as text for the terminal: signs for the names of LaTeX, 'a/b' for fractions, parentheses for braces."""

from __future__ import annotations

import re
from functools import cache

from banditproof.claims.report.mathml import FORMULA


def _table(text: str) -> dict[str, str]:
    """Names and their signs, in turn."""
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


SIGNS = _table(r"""
    alpha α  beta β  gamma γ  delta δ  epsilon ε  varepsilon ε  zeta ζ  eta η  theta θ  kappa κ  lambda λ  mu μ
    nu ν  xi ξ  pi π  rho ρ  sigma σ  tau τ  phi φ  varphi φ  chi χ  psi ψ  omega ω  Gamma Γ  Delta Δ  Theta Θ
    Lambda Λ  Xi Ξ  Pi Π  Sigma Σ  Phi Φ  Psi Ψ  Omega Ω  infty ∞  cdot ·  times ×  circ ∘  star *  dots …  ldots …
    cdots …  ell ℓ  prime '  top ᵀ  dagger †  pm ±  mp ∓  wedge ∧  vee ∨  cap ∩  cup ∪  partial ∂  nabla ∇
    emptyset ∅  langle ⟨  rangle ⟩  lceil ⌈  rceil ⌉  lfloor ⌊  rfloor ⌋  exists ∃  forall ∀  perp ⊥  vert |
    parallel ∥  nparallel ∦  downarrow ↓  uparrow ↑  setminus ∖  { {  } }  | ‖  % %  _ _  & &  # #  $ $
""")
SIGNS |= {"!": "", "\\": "; "}
RELATIONS = _table(r"""
    le ≤  leq ≤  ge ≥  geq ≥  lt <  gt >  ne ≠  neq ≠  ll ≪  gg ≫  in ∈  ni ∋  notin ∉  subset ⊂  subseteq ⊆
    subsetneq ⊊  to →  mapsto ↦  leftarrow ←  rightarrow →  leftrightarrow ↔  rightsquigarrow ⇝  Rightarrow ⇒  iff ⇔
    sim ~  approx ≈  equiv ≡  propto ∝  triangleq ≜  succeq ⪰  preceq ⪯  gtrsim ≳  lesssim ≲  gtrless ≷  mid |  = =
    < <  > >  <= ≤  >= ≥  := ≔
""")
OPERATORS = {"sum": "Σ", "prod": "Π", "int": "∫", "bigotimes": "⊗", "bigcup": "⋃", "bigcap": "⋂"}
FUNCTIONS = frozenset(
    "log ln exp max min sup inf lim liminf limsup det arg argmax argmin Pr tanh cosh sinh gcd dim ker".split()
)
ACCENTS = {"hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303", "bar": "\u0304"}
ACCENTS |= {"overline": "\u0304", "check": "\u030c", "dot": "\u0307"}
STYLES = frozenset("mathbb mathbf mathcal mathrm mathsf mathit mathscr boldsymbol operatorname rm bf".split())
SIZES = frozenset("left right big bigl bigr Big Bigl Bigr bigg biggl biggr displaystyle".split())

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|[:<>]=|[^\\]", re.DOTALL)
_WHOLE = re.compile(r"√?(?:\d+(?:\.\d+)?|[^\W\d_][*'\u0300-\u030f]*(?:_\w|_\([^()]*\))?(?:\^\w)?|[∞…]|\([^()]*\))")
_BARE = re.compile(r"-?\d+|\w|[A-Za-z]+")
_ENDS_A_NAME = re.compile(r"[\w)\]}'*∞\u0300-\u030f]$")
_OF_NUMBERS = re.compile(r"-?\d+/\d+")
_APPLIED = re.compile(
    rf"(?<![^\W\d_])(?:{'|'.join(sorted(FUNCTIONS - {'lim', 'liminf', 'limsup'}))})(?:[_^](?:\w|\([^()]*\)))*$"
)
_BEGINS_A_NAME = {"name": r"[\w√∞ΣΠ∫]", "script": r"[\w√∞ΣΠ∫]", "fraction": r"[\w√∞ΣΠ∫(]"}


def plain(statement: str) -> str:
    r"""A statement in one line without LaTeX: its prose as it is, its formulas in signs.

    >>> plain(r"$\frac{\frac12K\log T}{\sqrt{\rho}}\le\sum_{i\ge1}e^{-x_i}$, $a_{i,j}\in\{0,1\}$")
    '(1/2 K log T)/√ρ ≤ Σ_(i≥1) e^(-x_i), a_(i,j) ∈ {0,1}'
    """
    return " ".join(FORMULA.sub(lambda m: _row_of(m[1] or m[2]), statement).split())


@cache
def _row_of(formula: str) -> str:
    return _Formula(formula).row()


class _Formula:
    """A formula, read token by token; what is not closed ends with it, and a brace that closes nothing is skipped."""

    def __init__(self, latex: str) -> None:
        self.tokens = _TOKEN.findall(latex)[::-1]

    def row(self, closing: str = "") -> str:
        """Everything up to the closing sign, with spaces where names, fractions and scripts would run into letters.

        A fraction that a function is applied to, or that multiplies what follows, stands in parentheses.
        """
        text, before, begun = "", "", 0
        while self.tokens:
            token = self.tokens.pop()
            if token == closing:
                break
            piece, kind = self._piece(token)
            if not piece:
                continue
            follows = before and re.match(_BEGINS_A_NAME[before], piece)
            if before == "fraction" and follows and not _OF_NUMBERS.fullmatch(text[begun:]):
                text = f"{text[:begun]}({text[begun:]})"
            if kind == "fraction" and _APPLIED.search(text):
                text, piece, kind = text.rstrip(), f"({piece})", ""
            apart = kind in ("name", "fraction") and _ENDS_A_NAME.search(text)
            text += " " * bool(apart or follows)
            text, before, begun = text + piece, kind, len(text)
        return text

    def _piece(self, token: str) -> tuple[str, str]:
        """What a token begins, with its scripts, and whether that is a name, a fraction or ends with a script."""
        name = token.removeprefix("\\")
        if name in RELATIONS and token != "|":
            return f" {RELATIONS[name]} ", ""
        if token in ("^", "_"):
            return self._script(token), "script"
        base, kind = self._base(token, name)
        scripts = "" if kind == "fraction" else self._scripts()
        return base + scripts, kind or "script" * bool(scripts)

    def _base(self, token: str, name: str) -> tuple[str, str]:
        if token == "{":
            return self.row("}"), ""
        if token.isspace() or token == "}" or name in SIZES or name in STYLES:
            return "", ""
        if token in ("\\frac", "\\dfrac", "\\tfrac"):
            return f"{_whole(self._argument())}/{_whole(self._argument())}", "fraction"
        if token == "\\sqrt":
            index = f"[{self._index()}]" if self.tokens[-1:] == ["["] else ""
            return f"√{index}{_whole(self._argument())}", ""
        if token == "\\binom":
            return f"C({self._argument()},{self._argument()})", ""
        if token == "\\text":
            return self._words(), ""
        if token.startswith("\\") and name in ACCENTS:
            return f"{self._argument()}{ACCENTS[name]}", ""
        if token.startswith("\\") and (name in OPERATORS or name in FUNCTIONS):
            return OPERATORS.get(name, name), "name"
        return (SIGNS.get(name, name if len(name) > 1 else " ") if token.startswith("\\") else token), ""

    def _index(self) -> str:
        self.tokens.pop()
        return self.row("]")

    def _words(self) -> str:
        words = ""
        while self.tokens and (token := self.tokens.pop()) != "}":
            words += token
        return words.lstrip("{")

    def _argument(self) -> str:
        """The next sign or group, without scripts."""
        while self.tokens:
            token = self.tokens.pop()
            name = token.removeprefix("\\")
            if not (token.isspace() or name in SIZES or name in STYLES):
                return self._base(token, name)[0]
        return ""

    def _scripts(self) -> str:
        scripts = ""
        while self.tokens and self.tokens[-1] in ("^", "_", "'"):
            token = self.tokens.pop()
            scripts += token if token == "'" else self._script(token)
        return scripts

    def _script(self, token: str) -> str:
        text = re.sub(r" ([≤≥<>≠=∈→~|]) ", r"\1", self._argument())
        if token == "^" and text in ("*", "ᵀ", "†", "'"):
            return text
        return token + (text if _BARE.fullmatch(text) else f"({text})")


def by_premise(formula: str) -> str:
    """A formula of the kernel with a line for each premise, and for what follows from them: the text between brackets
    stays together.

    >>> print(by_premise("for all x with 0 <= x; (for all y: f(x) <= y): f(x) <= 0"))
    for all x with 0 <= x;
    (for all y: f(x) <= y):
    f(x) <= 0
    """
    lines, depth = [""], 0
    for letter in formula:
        depth += (letter in "([") - (letter in ")]")
        if letter == " " and not depth and lines[-1][-1:] in (";", ":"):
            lines.append("")
        else:
            lines[-1] += letter
    return "\n".join(lines)


def _whole(part: str) -> str:
    """A numerator, a denominator or a radicand, in parentheses unless it is one sign."""
    return part if _WHOLE.fullmatch(part) else f"({part})"
