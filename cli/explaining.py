"""``banditproof explain``, ``findings`` and ``check --list``: claims for reading, what is refuted, what has none."""

from __future__ import annotations

import itertools
import shlex
import sys
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof import __version__
from banditproof.claims.documents import CatalogueItem, catalogue, catalogued, documents
from banditproof.claims.falling import falling_with, links
from banditproof.claims.loading import known_papers, load, load_module
from banditproof.claims.missing import in_a_line
from banditproof.claims.register import REGISTER, Claim, Mutation, resolve
from banditproof.claims.report.plain import by_premise, plain
from banditproof.claims.report.shipped import of_record, shipped
from banditproof.claims.report.terminal import printable, uncovered
from banditproof.claims.report.working import in_a_sentence, working
from banditproof.claims.report.writing import IS, sentence
from banditproof.claims.resolution import resolved
from banditproof.claims.run.merging import foundation
from banditproof.claims.run.results import asked_for, coverage, modules_of
from banditproof.claims.searching import searched
from banditproof.claims.stating import stated, stated_in_general
from banditproof.claims.steps import described
from banditproof.claims.verdict import DECIDING, REFUTED
from banditproof.claims.witnesses import hypotheses
from banditproof.cli.checking import chosen_claims, folder_for, printed_in_copies
from banditproof.cli.documents import print_document
from banditproof.cli.progress import reading
from banditproof.cli.rechecking import (
    REPORT,
    load_results,
    look_up,
    outdated_in,
    say_if_changed,
    say_if_outdated,
    whole_records,
)
from banditproof.cli.statuses import Status
from banditproof.cli.words import explained, words_like
from banditproof.theory.errors import InvalidInput, close_to
from banditproof.verify.kernel.wording import AS_SUPREMA, has_divergences
from banditproof.verify.proof.evaluation import formula_of

CLOSER = (
    "bisection does not end where both sides are equal: give the claim the step deduced(), for which 'banditproof "
    "prove' looks for a proof, exclude such points by a constraint (where=), or treat them in an argument (argued)"
)

NOT_AS_WRITTEN = "changed"  # of a record: what is wrong with its file, in words
ROOM = 120  # signs of a statement in a list

if TYPE_CHECKING:
    from banditproof.claims.report.findings import Finding
    from banditproof.cli.settings import FindingsOptions


def explain_claim(
    claim_id: str, modules: Sequence[Path], results: Path | None, as_json: bool = False, paper: str = ""
) -> int:
    """Print a claim with its domain, check and mutations, and its verdict where results exist.

    `paper` is the document in which what is typed is printed.
    """
    with reading():
        load([paper] if paper else ())
        for module in modules:
            load_module(module)
    item = catalogued(claim_id)
    if item is not None and item.id not in REGISTER:
        return print_document(_entry(item)) if as_json else _explain_item(item)
    try:
        claim = resolve(claim_id, paper)
    except InvalidInput as unknown:
        if meanings := explained(claim_id):
            return _explain_word(claim_id, meanings, as_json)
        if unknown.parameter != "claim":
            raise
        if claim_id in documents():
            cure = f"banditproof list --paper {claim_id} shows the claims of this document"
            raise InvalidInput("claim", claim_id, f"a registered id ({cure})") from None
        near = searched(claim_id, (c for c in REGISTER.values() if c.paper == (paper or c.paper)))
        in_an_id = any(claim_id.lower() in c.id.lower() for c in near[:3])
        if unknown.meant == "" and not in_an_id and (words := words_like(claim_id)):
            raise InvalidInput("claim", claim_id, unknown.allowed, words) from None
        if not near:
            raise
        ids = unknown.meant or " or ".join(c.id for c in near[:3])
        more = f"; banditproof list --find {shlex.quote(claim_id)} shows what has these words: {len(near)}"
        raise InvalidInput("claim", claim_id, unknown.allowed + more, ids) from None
    if paper and claim.paper != paper:
        raise InvalidInput("paper", paper, f"left out, or the document that {claim.id} is of", claim.paper)
    below = [c for c in REGISTER.values() if c.parent == claim.id]
    verdicts, source = _verdicts(claim, modules, results)
    if as_json:
        known = {name: verdicts.get(claim.id, {}).get(name) for name in ("verdict", "reach", NOT_AS_WRITTEN)}
        known |= {NOT_AS_WRITTEN: _no_verdict(source[claim.id])} if claim.id in source.keys() - verdicts else {}
        under = [_entry(c) | {"verdict": verdicts.get(c.id, {}).get("verdict")} for c in below]
        falling = falling_with(claim.id, links(REGISTER.values()))
        told = _in_full(claim) | known | _may_write(claim, verdicts) | {"falls with it": falling, "under it": under}
        return print_document(told | {"run it": _run_it(claim, modules)})
    refuted = [c for c in below if verdicts.get(c.id, {}).get("verdict") in REFUTED]
    print(f"{claim.id} ({claim.kind}, {claim.paper})")
    print("\n".join(_judged(claim, below, verdicts, source, f"{results or f'the folder {REPORT} here'}")))
    print("\n".join(["", *_lines(claim, [c.id for c in refuted])]))
    _print_listed("claims under it", below, verdicts)
    _print_listed("refuted in what it is derived from", _refuted_below(claim, verdicts), verdicts)
    if falling := falling_with(claim.id, links(REGISTER.values())):
        print(f"\nif it falls, so do: {', '.join(falling)}")
    print(f"\n{_reading(claim)}\n\ncheck it again: {_run_it(claim, modules)}")
    return 0


def _may_write(claim: Claim, verdicts: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The sentence that may be written of a claim; nothing without a verdict."""
    if verdicts.get(claim.id, {}).get("verdict") not in IS:
        return {}
    return {"you may write": printable(sentence(claim, of_record(claim, verdicts)), 4000)}


def _print_listed(title: str, claims: Sequence[Claim], verdicts: Mapping[str, Mapping[str, Any]]) -> None:
    """Claims with their roles and verdicts, a line each."""
    if claims:
        print(f"\n{title}:")
    for c in claims:
        verdict = printable(str(verdicts.get(c.id, {}).get("verdict", "not run")), 40)
        print(f"  {c.id} ({c.role}, {verdict}): {plain(c.shown())}")


def _uses(claim: Claim) -> tuple[str, ...]:
    """The items that the document derives an item from."""
    entry = catalogue().get(claim.id)
    return entry.uses if entry is not None else ()


def _refuted_below(claim: Claim, verdicts: Mapping[str, Mapping[str, Any]]) -> list[Claim]:
    """The refuted claims under the items that the document derives an item from: equations and steps of its proof."""
    return [
        c for c in REGISTER.values() if c.parent in _uses(claim) and verdicts.get(c.id, {}).get("verdict") in REFUTED
    ]


def _judged(
    claim: Claim,
    below: Sequence[Claim],
    verdicts: Mapping[str, Mapping[str, Any]],
    source: Mapping[str, object],
    at: str,
) -> list[str]:
    """The verdict on a claim, what may be written of it, and what more the record of a run says."""
    record = verdicts.get(claim.id)
    if record is None:
        without = f"{at} has no record of this claim (--results names another file)"
        return [f"no verdict: {_no_verdict(source[claim.id]) if claim.id in source else without}"]
    verdict, reach = (printable(str(record.get(name)), 2000) for name in ("verdict", "reach"))
    doubt = f" (which {record[NOT_AS_WRITTEN]})" if record.get(NOT_AS_WRITTEN) else ""
    lines = [f"verdict in {source[claim.id]}{doubt}: {verdict}", *filter(None, [f"  {reach}" * bool(reach)])]
    for c in (c for c in below if c.role == "reading" and verdicts.get(c.id, {}).get("verdict") in REFUTED):
        lines.append(f"  but one reading is refuted: {c.id}: {plain(c.shown())}")
    if record.get("counterexample"):
        lines.append(f"  {printable(plain(_compared(claim, record, Path(str(source[claim.id])))), 2000)}")
    if "left open by the proof" in reach and record.get("own_verdict") == "supported":
        lines.append(f"  {CLOSER}")
    if record.get("missing"):
        lacks = "on trust, not certified" if record["verdict"] in REFUTED else "not proved"
        lines.append(f"  why it is {lacks}: {printable(in_a_line(record), 2000)}")
    if record.get("resolution"):
        lines.append(f"  {resolved(record['resolution'])}")
    lines += [f"{label}: {said}" for label, said in _may_write(claim, verdicts).items()]
    fallen = [c.id for c in _refuted_below(claim, verdicts) if c.role in ("part", "step")]
    if fallen and verdict not in REFUTED:
        lines.append(
            f"but steps of what it is derived from are false as printed: {', '.join(fallen)} (check --claim ID)"
        )
    changes = _corrections(claim, below, verdicts)
    return [*lines, *([""] if changes else []), *changes]


def _no_verdict(path: object) -> str:
    """Why the record in a file says nothing of a claim."""
    return f"the claim, or one that it rests on, has changed since {path} was written: check it again"


def _explain_word(word: str, meanings: Sequence[str], as_json: bool) -> int:
    """Print what a word means, and where the claims about it are."""
    if as_json:
        return print_document({"word": word, "means": meanings})
    print("\n".join(meanings))
    if found := searched(word, REGISTER.values()):
        print(f"claims with this word: {len(found)}; banditproof list --find {shlex.quote(word)} shows them")
    return 0


def _corrections(claim: Claim, below: Sequence[Claim], verdicts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What corrects a refuted claim, first as a whole and then its refuted parts and edges; what nothing corrects."""

    def said(one: Claim) -> str:
        return str(verdicts.get(one.id, {}).get("verdict", "not run"))

    if said(claim) not in REFUTED:
        return []
    parts = [one for one in below if one.role in DECIDING and said(one) in REFUTED]
    by = {one.id: [c for c in REGISTER.values() if c.repairs == one.id] for one in (claim, *parts)}
    beneath = parts or [one for one in below if one.role in DECIDING]  # without a verdict each may be what is refuted
    elsewhere = by[claim.id] or (not parts and any(c.repairs in {one.id for one in beneath} for c in REGISTER.values()))
    without = [] if elsewhere else [one.id for one in parts or [claim] if not by[one.id]]
    lines = [f"  {one.id} ({printable(said(one), 40)}): {plain(one.shown())}" for one in itertools.chain(*by.values())]
    head = "corrected: the printed statement with all of these changes together, each with its own verdict"
    return [head] * bool(lines) + lines + [f"no correction of {one} is known" for one in without]


def _compared(claim: Claim, record: Mapping[str, Any], path: Path) -> str:
    """A record's counterexample with both sides of it. Raises InvalidInput for half a record."""
    try:
        evidence = record["counterexample"]
        return in_a_sentence(evidence, claim.called, working(evidence, claim.definitions))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise InvalidInput(
            "results", str(path), f"a file with complete records of claims ({type(error).__name__})"
        ) from error


SHIPPED = f"banditproof {__version__}, which brings it along"
NEWEST = 20  # results of single claims that are looked at


def _verdicts(
    claim: Claim, modules: Sequence[Path], named: Path | None
) -> tuple[dict[str, Mapping[str, Any]], Mapping[str, object]]:
    """The records of the results that were named, or the newest of those that runs leave by default; and where.

    A claim without a record has what the package knows of it.
    """
    results = REPORT / "results.json"
    alone = sorted(REPORT.glob(f"claims/*/{results.name}"), key=lambda p: -p.stat().st_mtime)[:NEWEST]
    own = [folder_for(None, None, None, modules) / results.name] if modules else []
    told = [c for c in REGISTER.values() if claim.id in (c.id, c.parent) or c.parent in _uses(claim)]
    known = {c.id: one._asdict() for c in told if (one := shipped(c)) is not None} if named is None else {}
    records: dict[str, Mapping[str, Any]] = dict(known)
    source: dict[str, object] = dict.fromkeys(records, SHIPPED)
    found = sorted((p for p in {results, *alone, *own} if p.is_file()), key=lambda p: p.stat().st_mtime)
    for path in found if named is None else [named]:
        content = look_up(path)
        if named or any(record["id"] == claim.id for record in content.results["claims"]):
            say_if_changed(path, content)
        with whole_records(path):
            older = outdated_in(content.results, [*told, *foundation(told)])
        for record in content.results["claims"]:
            if record["id"] not in older:
                records[record["id"]], source[record["id"]] = record | {NOT_AS_WRITTEN: content.changed}, path
            elif record["id"] not in known:
                records.pop(record["id"], None)
                source[record["id"]] = path
    return records, source


def _run_it(claim: Claim, modules: Sequence[Path]) -> str:
    files = [word for module in modules for word in ("--module", str(module))]
    return shlex.join(["banditproof", "check", "--claim", claim.id, *files])


def _entry(one: Claim | CatalogueItem) -> dict[str, Any]:
    """What a list says of a claim or of a catalogued item."""
    said: dict[str, Any] = {"id": one.id, "kind": one.kind, "paper": one.paper}
    if isinstance(one, CatalogueItem):
        return said | {"printed": one.printed, "title": one.title}
    return said | {"role": one.role, "statement": one.shown()}


def _in_full(claim: Claim) -> dict[str, Any]:
    return _entry(claim) | {
        "place": claim.place,
        "checked in": _file(claim),
        "read by the machine as": str(stated_in_general(claim) or stated(claim)),
        "domain": _domain(claim),
        "constants": {name: str(value) for name, value in claim.constants.items()},
        "steps": list(described(claim.steps)),
        "false variants": [{"name": m.name, "constants": _texts(m.constants)} for m in claim.mutations],
        "aliases": claim.aliases,
        "twins": claim.twins,
        "rests on": claim.rests_on,
        "taken on trust": claim.assuming,
    }


def _texts(constants: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in constants.items()}


def _explain_item(item: CatalogueItem) -> int:
    print(f"{item.id} ({item.kind}, {item.paper})")
    print(f"printed in: {item.printed}")
    print(f"title: {item.title}")
    if item.aliases:
        print(f"aliases: {', '.join(item.aliases)}")
    print(f"no claim checks it yet\n\nitems without a claim: banditproof list --uncovered --paper {item.paper}")
    return 0


def list_claims(
    papers: Sequence[str] | None,
    ids: Sequence[str] | None,
    modules: Sequence[Path],
    as_json: bool = False,
    find: str | None = None,
) -> int:
    """Print the chosen claims, one per line: id, kind or role, and the beginning of the statement.

    With `find`, those in which its words are found, the nearest first.
    """
    chosen = chosen_claims(papers, ids, modules)
    if find is not None:
        chosen = searched(find, chosen)
        if not chosen:
            raise InvalidInput(
                "find", find, "words of an id, a printed number, a title or a statement; fewer find more"
            )
    if as_json:
        return print_document([_entry(claim) for claim in chosen])
    for claim in chosen:
        print(f"{claim.id:<44} {claim.kind:<12} {_beginning(plain(claim.shown()))}")
    return 0


def _beginning(text: str) -> str:
    return text if len(text) <= ROOM else textwrap.shorten(text[: 3 * ROOM], ROOM, placeholder=" …")


def list_uncovered(papers: Sequence[str] | None, modules: Sequence[Path], as_json: bool = False) -> int:
    """Print the catalogued items that no claim checks yet, per document and one per line: id, kind, place and title."""
    with reading():
        load(() if modules else papers or ())
        for module in modules:
            load_module(module)
        load(papers or ())  # which may be of a file
    by_paper = coverage({"papers": papers})
    if as_json:
        without = [catalogue()[item] for counts in by_paper.values() for item in counts["without claim"]]
        return print_document([_entry(item) for item in without])
    for paper, counts in by_paper.items():
        if not counts["without claim"]:
            print(f"{paper}: all {counts['items']} catalogued items have a claim")
    for line, titles in uncovered(by_paper):
        print(line)
        for item in map(catalogue().__getitem__, titles):
            print(f"  {item.id:<16} {item.kind:<12} {item.printed}: {plain(item.title)}")
    return 0


def print_findings(path: Path, asked: FindingsOptions) -> int:
    """The findings of a results document, of the papers and severities asked for, in one of four forms.

    With them stand the `answers` to them, by default those of the file beside the results. All but the list on the
    terminal hold what copies of the papers (`text`) print for the items. Why claims fail is said for those that
    packages or files bring.
    """
    from banditproof.claims.report import terminal
    from banditproof.claims.report.answers import answers_beside, findings_of, without_finding
    from banditproof.claims.report.errata import as_json, as_latex, as_markdown
    from banditproof.claims.report.telling import told

    papers, copies, form = asked.paper, asked.text, next(iter(asked.forms), "terminal")
    severities = list(asked.severity or "ABCD")
    if copies and form == "terminal":
        raise InvalidInput("text", str(copies[0]), "given with --markdown, --latex or --json, which show passages")

    def registered() -> Mapping[str, Claim]:
        with reading():
            load(papers or ())
            for module in asked.module or []:
                load_module(module)
        return REGISTER

    if asked.module:
        registered()  # the catalogue beside a file says what its items are, and so how serious it is that they fail
    index = look_up(path)
    results = _with_papers(asked_for(index.results) | {"answers": answers_beside(path.parent, asked.answers)}, papers)
    with whole_records(path):
        listed = [f for paper in papers or (None,) for f in findings_of(results, paper)]
        settled = without_finding(results)
    hidden = Counter(f.severity for f in listed if f.severity[0] not in severities)
    counted = ", ".join(f"{hidden[severity]} of severity {severity}" for severity in sorted(hidden))
    omitted = f"not shown: {counted}; --severity {min(hidden)[0]} shows them" if hidden else ""
    if not asked.module and (own := modules_of(results)):
        unknown = f"without {', '.join(own)} each item counts as a main statement, without receipts"
        omitted = "\n".join(filter(None, (omitted, f"{unknown}: name the file with --module")))
    if asked.registry is not None:
        return _registered(asked.registry, path, asked, listed, severities, omitted)
    listed = [f for f in listed if f.severity[0] in severities]
    passages = printed_in_copies(copies) if copies else None
    modules = [*(asked.module or []), *modules_of(results)]  # whose claims no index knows

    known_papers(papers or ())
    words = told(listed, results["claims"], registered()) if modules else index.told(listed, registered)
    say_if_changed(path, index)
    say_if_outdated(path, index.results, asked.module or [])
    if form == "terminal":
        terminal.print_findings(listed, words)
        print(omitted, end="\n" * bool(omitted))
        for one in settled:
            print(printable(plain(f"no longer a finding: {', '.join(one.claims)} ({one.by}, {one.date}: {one.note})")))
    else:
        print({"json": as_json, "markdown": as_markdown, "latex": as_latex}[form](listed, words, passages), end="")
        print(omitted, end="\n" * bool(omitted), file=sys.stderr)
    return 0


def _registered(
    folder: Path, path: Path, asked: FindingsOptions, found: Sequence[Finding], severities: Sequence[str], omitted: str
) -> int:
    """Write the findings of a results document into a registry, and say which are `omitted`."""
    from banditproof.claims.report.registry import write_registry

    with reading():
        load(asked.paper or ())
        for module in asked.module or []:
            load_module(module)
    with whole_records(path):
        results = _with_papers(load_results(path), asked.paper)
        if older := say_if_outdated(path, results, asked.module or []):
            raise InvalidInput("results", str(path), f"of a check of {older[0]} as it stands: check it again first")
        counted = write_registry(folder, results, found, severities)
    print(f"{folder}: " + ", ".join(f"{count} {status}" for status, count in counted.items()))
    print(omitted, end="\n" * bool(omitted))
    print(f"check it without banditproof: python3 -I -S {shlex.quote(str(folder / 'check.py'))}")
    return 0


def accept_finding(path: Path, claim: str, by: str | None, note: str | None, answers: Path | None) -> int:
    """Record an author's answer to a finding of a results document."""
    from banditproof.claims.report.answers import FILE, accept

    if by is None or note is None:
        raise InvalidInput("accept", claim, "given with --by NAME and --note TEXT")
    target = answers or path.parent / FILE
    results = asked_for(load_results(path))
    with whole_records(path):
        finding = accept(results, claim, by, note, target)
    print(f"answer to {finding.severity} {', '.join(finding.items)} written to {target}")
    print(f"'banditproof findings' shows it now, the pages in {path.parent} after the next 'banditproof check'")
    return 0


def print_comparison(path: Path, against: Path, papers: Sequence[str] | None, as_json: bool = False) -> int:
    """What one results document says against an older one; a violation where something proved or supported is lost."""
    from banditproof.claims.report.comparing import compared
    from banditproof.claims.report.terminal import lines_of_comparison

    old, new = load_results(against, "against"), load_results(path)
    if papers:
        _with_papers({"claims": [*old["claims"], *new["claims"]]}, papers)
    with whole_records(f"{path}, {against}"):
        comparison = compared(old, new, papers)
    for name, content in ((against, old), (path, new)):
        say_if_changed(name, content)
    say_if_outdated(path, new)
    if as_json:
        print_document(comparison.to_json())
        return Status.VIOLATION if comparison.lost else Status.OK
    for line in lines_of_comparison(comparison, str(against)):
        print(line)
    return Status.VIOLATION if comparison.lost else Status.OK


def _with_papers(results: dict[str, Any], papers: Sequence[str] | None) -> dict[str, Any]:
    """The results, if they hold these papers. Raises InvalidInput."""
    known = sorted({r.get("paper", "") for r in results["claims"]})
    for paper in papers or ():
        if paper not in known:
            held = (
                f"one of {', '.join(known)}, which the results hold" if known else "left out: the results hold no paper"
            )
            raise InvalidInput("paper", paper, held, close_to(paper, known))
    return results


def _file(claim: Claim) -> str:
    """The file and function of a claim, with the number, section and page where its item is printed."""
    file, line = claim.place_of_check
    source = Path(file)
    folder = next((p for p in source.parents if not (p / "__init__.py").is_file()), source.parent)
    shown = f"{source.relative_to(folder)}"
    if claim.function is not None and formula_of(claim.function) is None:
        shown += f", function {claim.function.__name__}"
    elif line is not None:
        shown += f", line {line}"
    entry = catalogue().get(claim.item)
    if entry is not None and entry.printed != entry.paper:
        shown += f" ({entry.printed.removeprefix(f'{entry.paper}, ')})"
    return shown


def _reading(claim: Claim) -> str:
    """What the machine looks at: a term, a program, or what the claim is made of."""
    if (everywhere := stated_in_general(claim)) is not None:
        meaning = f"\n({AS_SUPREMA})" if has_divergences(everywhere.formula) else ""
        lines = by_premise(str(everywhere)).replace("\n", "\n  ")
        assert (said := claim.spoken) is not None
        words = "".join(f"\n    {name}: {meant}" for name, meant in said.words.items())
        text = said.text.replace("\n", "\n  ")
        return f"in words:\n  {text}\n  with the words{words}\nread by the machine as:\n  {lines}{meaning}"
    if claim.relation is None:
        return "checked by its parts" if claim.check is None else "checked by a function that collects the evidence"
    read = stated(claim)
    return (
        f"checked as a program, not as a formula: {read}"
        if isinstance(read, str)
        else f"read by the machine as: {read}"
    )


def _domain(claim: Claim) -> str:
    """What a claim is about; an item that others decide has the variables of these."""
    if claim.domain.variables:
        return str(claim.domain)
    if claim.check is None and claim.not_checkable is None:
        return "that of its parts; each part names its variables"
    return "no variables; the statement and the check say what was examined"


def _lines(claim: Claim, refuted: Sequence[str] = ()) -> list[str]:
    """What the register says of a claim; `refuted` are the claims under it that are."""
    lines = [
        f"statement: {plain(claim.shown())}",
        f"place: {claim.place}",
        f"checked in: {_file(claim)}",
        f"domain: {_domain(claim)}",
    ]
    if claim.role == "item" and (met := hypotheses(claim.id)):
        unmet = [i for i in refuted if REGISTER[i].role == "hypotheses"]
        lines.append(f"hypotheses: {met}{', which is refuted' if unmet else ''}")
    if claim.constants:
        lines.append("constants: " + ", ".join(f"{n} = {v}" for n, v in claim.constants.items()))
    if claim.same_check_as:
        lines.append(f"same check as: {claim.same_check_as}")
    models = [i for i in claim.rests_on if i in REGISTER and REGISTER[i].role == "model"]
    for label, values in (
        ("aliases", claim.aliases),
        ("twins", claim.twins),
        ("rests on", [i for i in claim.rests_on if i not in models]),
        ("assumes a model of the algorithm, which is compared with runs by", models),
    ):
        if values:
            lines.append(f"{label}: {', '.join(values)}")
    if claim.repairs:
        lines.append(f"repairs: {claim.repairs}")
    if claim.assuming:
        lines.append(f"taken on trust: {claim.assuming}")
    if claim.restricted:
        lines.append(f"its check is restricted {claim.restricted}")
    if claim.not_checkable:
        lines.append(f"not checkable ({claim.not_checkable[0]}): {claim.not_checkable[1]}")
    if claim.steps:
        lines.append(f"\nhow it is checked: {', then '.join(described(claim.steps))}")
    if claim.notes:
        lines.append("\n" + textwrap.indent(claim.notes, "  "))
    if claim.mutations:
        lines.append("\nfalse variants that the check must refute:")
        lines += [f"  {_changed(m)}" for m in claim.mutations]
    return lines


def _changed(variant: Mutation) -> str:
    """The name of a false variant, with the constants that it changes unless they are its name."""
    constants = ", ".join(f"{n} = {v}" for n, v in variant.constants.items())
    return variant.name if not constants or variant.name.startswith(constants) else f"{variant.name}: {constants}"
