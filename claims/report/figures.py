"""Figures of the report: plots drawn from studies (or from formulas alone), as SVG that is the same on every run.

A module of claims adds its figures with ``@figure``; the report shows those whose claims were checked.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Any, TypeVar
from xml.etree.ElementTree import Element, fromstring, tostring

from banditproof.algorithms.run.checkpoints import write_atomically
from banditproof.claims.fingerprint import digest, source_digest
from banditproof.claims.run.record import Settings
from banditproof.claims.study import Arrays, Study
from banditproof.theory.errors import InvalidInput

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

# Seven colours that colour-blind readers can tell apart, legible on a light and on a dark page.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c8c8c")
MAGNIFIED = 1.5  # pixels of the page for a point of the drawing
TICK = re.compile(r"M 0 0 L [-\d.]+ [-\d.]+ ?$")  # from a mark on an axis
INK = "#010203"  # stands for the page's text colour and becomes 'currentColor'

STYLE = {
    "svg.hashsalt": "banditproof", "svg.fonttype": "none", "font.size": 9, "axes.titlesize": 9, "legend.fontsize": 8,
    "figure.figsize": (5.2, 3.4), "figure.constrained_layout.use": True, "savefig.transparent": True,
    "axes.facecolor": "none", "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.alpha": 0.18, "grid.color": INK, "legend.frameon": False, "lines.linewidth": 1.6, "axes.linewidth": 0.8,
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
}  # fmt: skip


@dataclass(frozen=True)
class Figure:
    """A registered figure.

    Attributes:
        name: unique; also its anchor in the report.
        draw: function of the studies' arrays (one dict each, in order) that returns a matplotlib figure.
        studies: what is drawn.
        caption: what is seen, one or two sentences; formulas in dollars.
        claims: ids of the claims it illustrates.
    """

    name: str
    draw: Callable[..., Drawing]
    studies: tuple[Study, ...]
    caption: str
    claims: tuple[str, ...]


FIGURES: dict[str, Figure] = {}


Drawn = TypeVar("Drawn", bound="Callable[..., Drawing]")


def figure(
    name: str, *, studies: Iterable[Study] = (), caption: str, claims: Iterable[str]
) -> Callable[[Drawn], Drawn]:
    """Register the decorated function, which draws the studies' arrays and returns a matplotlib figure.

    It is called with the style of the report in force: use ``matplotlib.figure.Figure`` (or ``pyplot.subplots``), leave
    colours and fonts alone::

        @figure("bernoulli-dp-figure-8", studies=[SWEEP], caption="...", claims=["BDP-E-G2"])
        def figure_8(sweep):
            drawing = Figure()
            axes = drawing.subplots()
            axes.plot(sweep["epsilon"], sweep["regret"].mean(axis=1), label="DP-IMED")
            return drawing
    """
    if name in FIGURES:
        raise InvalidInput("figure", name, "a name that is not registered yet")
    if not re.fullmatch(r"[a-z0-9.-]+", name):
        raise InvalidInput("figure", name, "lower-case letters, digits, '.' and '-'")

    def register(draw: Drawn) -> Drawn:
        FIGURES[name] = Figure(name, draw, tuple(studies), caption, tuple(claims))
        return draw

    return register


def svg(figure: Figure, arrays: Iterable[Arrays]) -> str:
    """The figure as an ``<svg>`` element for a page: no metadata, ids of its own, the page's colour and font."""
    import matplotlib
    from cycler import cycler

    style: Any = {**STYLE, "axes.prop_cycle": cycler(color=COLOURS)}
    with matplotlib.rc_context(style):
        drawing = figure.draw(*arrays)
        buffer = io.StringIO()
        drawing.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    _close(drawing)
    return _embeddable(buffer.getvalue(), figure.name)


def drawable(claim_ids: Collection[str], settings: Settings) -> list[Figure]:
    """The figures of these claims whose studies have been run."""
    chosen = [f for f in FIGURES.values() if any(c in claim_ids for c in f.claims)]
    return [f for f in chosen if _all_stored(f, settings)]


def drawn(figure: Figure, settings: Settings) -> str:
    """The figure from the arrays of its studies, or as it was drawn before from the same arrays by the same code."""
    if settings.studies is None:
        return svg(figure, [_stored(s, settings) for s in figure.studies])
    source = source_digest(figure.draw.__module__, __name__)
    key = digest([figure.name, source, _keys(figure, settings), metadata.version("matplotlib")])
    path = settings.studies.parent / "figures" / f"{figure.name}-{key}.svg"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, svg(figure, [_stored(s, settings) for s in figure.studies]).encode())
    return path.read_text(encoding="utf-8")


def _keys(figure: Figure, settings: Settings) -> list[str]:
    return [f"{s.name}-{s.key(settings.profile, settings.root_seed)}.npz" for s in figure.studies]


def _all_stored(figure: Figure, settings: Settings) -> bool:
    folder, keys = settings.studies, _keys(figure, settings)
    return not keys or (folder is not None and all((folder / key).is_file() for key in keys))


def _stored(study: Study, settings: Settings) -> Arrays:
    return study.result(settings.profile, settings.root_seed, settings.studies)


def _close(drawing: Drawing) -> None:
    """pyplot keeps the figures it made; others are not its business."""
    import sys

    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close(drawing)


def _embeddable(text: str, name: str) -> str:
    """What matplotlib writes, cut down to one element that fits into a page and does not reach beyond itself."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<defs>\s*<style.*?</style>\s*</defs>", "", text, flags=re.DOTALL)
    width, height = re.findall(r' (?:width|height)="([\d.]+)pt"', text)[:2]
    frame = f'viewBox="0 0 {width} {height}" style="max-width: {MAGNIFIED * float(width):.0f}px"'
    text = re.sub(r"<svg[^>]*>", f'<svg {frame} stroke-linejoin="round">', text, count=1)
    text = re.sub(r"font: (italic )?([\d.]+)px [^;\"]*", _font, text)
    text = re.sub(r"font-family: [^;\"]*;? ?", "", text)
    text = re.sub(r' transform="rotate\(-0 [^"]*"', "", text)
    text = re.sub(r' (?:d|x|y)="[^"]*"', lambda m: re.sub(r"\d+\.\d+", _rounded, re.sub(r"\s+", " ", m[0])), text)
    text = text.replace("xlink:href", "href").replace(INK, "currentColor")
    text = re.sub(r"(?<=>)\s+(?=<)|<!--.*?-->", "", text, flags=re.DOTALL)
    named = {known: f"{name}--{k}" for k, known in enumerate(dict.fromkeys(re.findall(r"#([\w.-]+)", text)))}
    text = re.sub(r' id="([^"]*)"', lambda m: f' id="{named[m[1]]}"' if m[1] in named else "", text)
    return _lighter(re.sub(r'(url\(#|href="#)([\w.-]+)', lambda m: m[1] + named[m[2]], text).strip())


def _lighter(text: str) -> str:
    """The same drawing in fewer signs: no bare groups, ticks of one kind in one path, lines without repeated 'L'."""
    root = fromstring(text)
    for element in [root, *root.iter("g")]:
        while any(bare := [e.tag == "g" and not e.attrib for e in element]):
            element[:] = [inner for e, is_bare in zip(element, bare, strict=True) for inner in (e if is_bare else [e])]
    paths = [(f"#{p.get('id')}", p.get("d", "")) for p in root.iter("path")]
    ticks = {name: d.removeprefix("M 0 0 ").strip().lower() for name, d in paths if TICK.match(d)}
    merged: dict[str, Element] = {}
    for element in [root, *root.iter("g")]:
        for use in [u for u in element if u.tag == "use" and u.get("href") in ticks]:
            name = use.get("href", "")
            stroke = f" M {use.get('x')} {use.get('y')} {ticks[name]}"
            if name in merged:
                merged[name].set("d", merged[name].get("d", "") + stroke)
                element.remove(use)
            else:
                merged[name] = use
                use.tag, use.attrib = "path", {"d": stroke, "style": use.get("style", "")}
    for path in root.iter("path"):
        path.set("d", re.sub(r" ?([A-Za-z]) ?", r"\1", _without_repeats(path.get("d", "").strip())))
    return tostring(root, encoding="unicode")


def _without_repeats(d: str) -> str:
    """Without the 'L' that is understood, in a path of lines; without decimals that are 0."""
    d = re.sub(r"(?<=\d)\.0(?!\d)", "", d)
    return d.replace(" L ", " ") if set(re.findall("[A-Za-z]", d)) <= set("MLz") else d


def _font(declaration: re.Match[str]) -> str:
    return f"font-size: {declaration[2]}px{'; font-style: italic' if declaration[1] else ''}"


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.1f}"


@figure(
    "d-epsilon-regimes",
    caption=r"The two regimes of $d_\epsilon(\mu_a, \mu^\star)$ for $\mu^\star = 0.75$: below the threshold "
    r"$\epsilon_0$ (dots) privacy has a price, from there on $d_\epsilon = \mathrm{kl}(\mu_a, \mu^\star)$ and it is "
    r"free. Dotted: $\min\{\mathrm{kl}(\mu_a, \mu^\star), \epsilon\Delta_a\}$, which $d_\epsilon$ stays below.",
    claims=["BDP-EQ8", "BDP-EQ6", "BDP-LF.1", "BDP-S3.2", "BDP-DF7"],
)
def regimes() -> Drawing:
    """d_epsilon against epsilon for four arms, from the formula; the dots mark privacy_threshold. Source: BDP-EQ8"""
    import numpy as np
    from matplotlib.figure import Figure as Drawing

    from banditproof.theory.laws.bernoulli import d_epsilon, kl_bernoulli, privacy_threshold

    best = 0.75
    budgets = np.linspace(0, 2.5, 251)
    drawing: Any = Drawing()
    axes = drawing.subplots()
    for mean, colour in zip((0.25, 0.375, 0.5, 0.625), COLOURS, strict=False):
        threshold = privacy_threshold(mean, best)
        axes.plot(budgets, d_epsilon(mean, best, budgets), color=colour, label=f"$\\mu_a$ = {mean}")
        axes.plot(
            budgets, np.minimum(kl_bernoulli(mean, best), budgets * (best - mean)), ":", color=colour, linewidth=1
        )
        axes.plot(threshold, d_epsilon(mean, best, threshold), "o", color=colour, markersize=6)
    axes.set(xlabel="budget ε", ylabel=r"$d_\epsilon(\mu_a, 0.75)$", xlim=(0, 2.5), ylim=(0, 0.6))
    axes.legend(loc="center right", bbox_to_anchor=(1, 0.72))
    return drawing
