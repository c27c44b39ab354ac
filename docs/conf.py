"""The site: pages of this folder, a reference made of docstrings, and the map from every claim to its file."""

import ast
import csv
import inspect
import io
import json
import re
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure
from typer import Context

from banditproof.claims.documents import catalogue, catalogued, documents
from banditproof.claims.loading import load
from banditproof.claims.register import REGISTER
from banditproof.claims.report.mathml import formula
from banditproof.cli.commands import whole_command
from banditproof.theory.drawing import COLOURS, STYLE
from banditproof.theory.face import modules_behind

HERE = Path(__file__).parent
MADE = HERE / "made"  # pages that are made here; not in the repository

project = "banditproof"
author = "the banditproof developers"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_static_path, html_js_files = ["scripts"], ["access.js"]
html_title = "banditproof"
html_copy_source = html_show_copyright = html_show_sphinx = False
default_role = "code"
autodoc_typehints = "signature"
autodoc_type_aliases = {"Exact": "banditproof.theory.Exact"}  # not spelled out
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
myst_heading_anchors = 3
exclude_patterns = ["README.md"]
nitpicky = False

ROOMS = {
    "theory": "What is true: quantities, bounds, and their evidence",
    "algorithms": "What runs: policies, environments, simulators",
    "verify": "What checks: privacy, regret, identification, proofs",
    "claims": "What a claim is, how it is registered, checked and reported",
}
SOURCE = re.compile(r"\b((?:BDP|TH|ALG|MIA|ZCDP|RDP|ADV)-[A-Za-z0-9.()*'/-]*[A-Za-z0-9)*'])")


def anchor(claim_id: str) -> str:
    return "claim-" + re.sub(r"[^A-Za-z0-9]", "-", claim_id)


def _reference(room: str, about: str) -> str:
    face = import_module(f"banditproof.{room}")
    groups: dict[str, list[str]] = {}
    module_of = modules_behind(face.__name__)
    for name, module in module_of.items():
        _, _, group, *inner = module.split(".")
        groups.setdefault(group if inner else "", []).append(name)
    lines = [room, "=" * len(room), "", f"{about}.", ""]
    for group, names in sorted(groups.items()):
        title = group.replace("_", " ").capitalize() or "In general"
        lines += [title, "-" * len(title), ""]
        for name in names:
            kind, options = _directive(getattr(face, name))
            lines += [f".. {kind}:: banditproof.{room}.{name}", *options, *_said_of(name, module_of[name]), ""]
    return "\n".join(lines)


def _directive(thing: object) -> tuple[str, list[str]]:
    if inspect.isclass(thing):
        return "autoclass", ["   :members:", "   :no-undoc-members:"]
    return ("autofunction" if inspect.isroutine(thing) else "py:data"), []


def _said_of(name: str, module: str) -> list[str]:
    """What stands below the value of a name in its module, which autodoc does not find where the name is handed on."""
    for assigned, said in pairwise(_statements(module)):
        target = getattr(assigned, "target", None)
        if getattr(target, "id", "") == name and isinstance(said, ast.Expr) and isinstance(said.value, ast.Constant):
            return ["", *(f"   {line}" for line in inspect.cleandoc(said.value.value).splitlines())]
    return []


@cache
def _statements(module: str) -> list[ast.stmt]:
    return ast.parse(inspect.getsource(import_module(module))).body


def _map(name: str) -> str:
    """Every item of a document: what it is, and the files that check it."""
    root = HERE.parent.joinpath(*documents()[name].package.split(".")[1:])
    files: dict[str, set[str]] = {}
    for claim in REGISTER.values():
        source = Path(claim.file).resolve()
        if source.is_relative_to(root):
            files.setdefault(claim.item, set()).add(source.relative_to(root).as_posix())
    rows = []
    for item in catalogue().values():
        if item.paper == name:
            where = "<br>".join(sorted(map(_plain, files.get(item.id, ())))) or "not checked yet"
            shown = f'<span id="{anchor(item.id)}">{item.id}</span>'
            rows.append(f"| {shown} | {item.kind} | {_title(item.title)} | {where} |")
    about = f"*{documents()[name].title}*. Files are in `{root.relative_to(HERE.parent).as_posix()}`."
    return "\n".join([f"# {name}", "", about, "", "| id | kind | item | checked in |", "|---|---|---|---|", *rows, ""])


def _title(text: str) -> str:
    """A title with its formulas as MathML, which needs no script."""
    return "".join(formula(part) if k % 2 else _plain(part) for k, part in enumerate(text.split("$")))


def _plain(text: str) -> str:
    return re.sub(r"([|*_`<>\\$\[\]])", r"\\\1", text)


def _commands() -> str:
    """Every command with its options, as `--help` prints them."""

    lines = ["# Commands", ""]
    waiting: list[tuple[str, Any, Context | None]] = [("banditproof", whole_command(), None)]
    while waiting:
        name, command, above = waiting.pop(0)
        own = {**command.context_settings, "max_content_width": 100}
        context = Context(command, info_name=name.split()[-1], parent=above, **own)
        lines += [f"## {name}", "", "```text", command.get_help(context), "```", ""]
        below = getattr(command, "commands", {})
        waiting[:0] = [(f"{name} {word}", one, context) for word, one in below.items()]
    return "\n".join(lines)


def _results() -> str:
    """The fields of results.json, from its schema."""
    schema = json.loads((HERE.parent / "claims" / "results.schema.json").read_text(encoding="utf-8"))
    lines = ["# results.json", "", _plain(schema["description"]), ""]
    for title, part in (("run", schema["properties"]["run"]), *schema["$defs"].items()):
        lines += [f"## {title}", ""]
        if "description" in part:
            lines += [_plain(part["description"]), ""]
        if "enum" in part:
            lines += ["One of " + ", ".join(f"`{word}`" for word in part["enum"]) + ".", ""]
        fields = part.get("properties", {})
        if fields:
            lines += ["| field | type | meaning |", "|---|---|---|"]
            lines += [f"| `{n}` | {_type(f)} | {_plain(f.get('description', ''))} |" for n, f in fields.items()]
            lines.append("")
    return "\n".join(lines)


def _type(field: dict[str, Any]) -> str:
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f"[{name}](#{name})"
    if "enum" in field or "const" in field:
        return ", ".join(f"`{json.dumps(word)}`" for word in field.get("enum", [field.get("const")]))
    said = field.get("type", "")
    return _plain(" or ".join(said) if isinstance(said, list) else said)


PLOTS = {  # pictures drawn by the commands beside which they stand
    "bounds.svg": "bounds regret --means 0.75,0.7,0.7 --epsilon 0.25 --horizon 1e6",
    "regret.svg": "simulate --algorithm dp-imed --algorithm adap-ucb --means 0.75,0.7,0.5 --epsilon 0.5 --horizon 1e5"
    " --runs 20",
    "samples.svg": "bounds bai --means 0.9,0.8,0.5 --epsilon 0.2",
}


def _draw_plots() -> None:
    for name, command in PLOTS.items():
        with redirect_stdout(io.StringIO()):
            whole_command()([*command.split(), "--plot", str(MADE / name)], standalone_mode=False)


def _draw_exact_price() -> None:
    """The bounds of `exact-stopping.csv` as shares of the exact optimum, which is 1."""
    with (HERE / "exact-stopping.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))[::-1]
    with rc_context(STYLE):
        picture = Figure(figsize=(6.4, 4.2))
        plane = picture.subplots()
        for k, bound in enumerate(("smaller of two sums", "d_epsilon")):
            shares = [float(row[bound]) / float(row["optimum"]) for row in rows]
            plane.barh([i + 0.4 * k for i in range(len(rows))], shares, 0.4, label=bound, color=COLOURS[k])
        plane.axvline(1, color="#000000", label="exact price")
        names = [f"{row['arms']} arms, {row['e^epsilon']}, {row['delta']}" for row in rows]
        plane.set_yticks([i + 0.2 for i in range(len(rows))], names)
        plane.set(xlim=(0, 1.05), xlabel="share of the exact price", ylabel="arms, e^epsilon, delta")
        plane.legend(frameon=False, fontsize=8)
        picture.savefig(MADE / "exact-price.svg", metadata={"Date": None})


def _write_pages() -> None:
    load()
    MADE.mkdir(exist_ok=True)
    (MADE / "commands.md").write_text(_commands(), encoding="utf-8")
    (MADE / "results.md").write_text(_results(), encoding="utf-8")
    for room, about in ROOMS.items():
        (MADE / f"{room}.rst").write_text(_reference(room, about), encoding="utf-8")
    for name in documents():
        (MADE / f"{name}.md").write_text(_map(name), encoding="utf-8")


def _prose(app, what, name, obj, options, lines) -> None:
    """Docstrings are prose with code in backticks: what reStructuredText would read as markup is escaped."""

    def linked(match: re.Match) -> str:
        item = catalogued(match[1])
        return f"`{match[1]} <{item.paper}.html#{anchor(item.id)}>`__" if item else match[1]

    example = False
    for k, line in enumerate(lines):
        example = line.lstrip().startswith((">>>", "...")) or example and bool(line.strip())
        if not example and not line.startswith("    "):
            parts = line.replace("``", "`").split("`")
            parts[::2] = [SOURCE.sub(linked, re.sub(r"([*|_\\])", r"\\\1", part)) for part in parts[::2]]
            lines[k] = "".join(part if i % 2 == 0 else f"``{part}``" for i, part in enumerate(parts))


def _aliases(app, what, name, obj, options, signature, returned):
    """Aliases within other types by their names: autodoc shows how it has stored them."""
    return tuple(text and re.sub(r"TypeAliasForwardRef\('([\w.]+)'\)", r"\1", text) for text in (signature, returned))


_write_pages()
_draw_plots()
_draw_exact_price()


def setup(app):
    app.connect("autodoc-process-signature", _aliases)
    app.connect("autodoc-process-docstring", _prose, priority=900)
