"""The register against the catalogue: nothing is missing, nothing dangles, every check can fail."""

import re
from types import FunctionType

import pytest

from banditproof.claims import REGISTER, load
from banditproof.claims.documents import catalogue, documents
from banditproof.claims.kernel_blocks import _kernel_words, _names
from banditproof.claims.report.mathml import FORMULA
from banditproof.claims.report.plain import FUNCTIONS, plain
from banditproof.claims.run.examine import run_check
from banditproof.claims.run.record import Settings, facts
from banditproof.claims.run.results import combined
from banditproof.claims.stating import stated
from banditproof.paper_checks import DOCUMENTS
from banditproof.verify.kernel.document_words import DOCUMENT_WORDS

load()
CLAIMS = [c for c in REGISTER.values() if c.paper in documents()]


def test_the_catalogue_has_its_762_items():
    checked = {document.name for document in DOCUMENTS}  # other tests of this process may announce more
    assert len([item for item in catalogue().values() if item.paper in checked]) == 762


@pytest.mark.parametrize("prefix", ["BDP", "TH", "SHARP"])  # parts of the catalogue that are covered in full
def test_every_item_of_a_covered_part_is_registered(prefix):
    items = {i for i in catalogue() if i.startswith(f"{prefix}-")}
    assert items == {c.id for c in CLAIMS if c.role == "item" and c.id.startswith(f"{prefix}-")}


def test_every_registered_item_is_in_the_catalogue():
    assert {c.id for c in CLAIMS if c.role == "item"} <= set(catalogue())


def test_every_claim_under_an_item_has_its_item_and_every_reference_exists():
    for claim in CLAIMS:
        assert claim.parent is None or claim.parent in REGISTER, claim.id
        assert claim.repairs is None or claim.repairs in REGISTER, claim.id
        assert set(claim.twins) <= set(catalogue()), claim.id


def test_every_item_has_a_check_or_parts_or_a_reason():
    with_parts = {c.parent for c in CLAIMS if c.role in ("part", "edge")}
    bare = [c.id for c in CLAIMS if c.check is None and c.not_checkable is None and c.id not in with_parts]
    assert bare == []


def test_every_check_that_finds_something_has_a_mutation_or_a_repair_as_its_control():
    """The control of a literal reading that fails may also be the statement that it is a reading of.

    A statement that is a term has false variants of its own, made from the term (``verify/proof/variants.py``), and so
    has one about every mechanism (``tests/verify/kernel/test_variants_of_theorems.py``).
    """
    repaired = {c.repairs for c in CLAIMS}
    with_variants = {c.id for c in CLAIMS if c.mutations or c.is_general or not isinstance(stated(c), str)}
    controls = {c.parent or c.id for c in CLAIMS if c.id in with_variants and c.role in ("item", "part")}
    uncontrolled = [
        c
        for c in CLAIMS
        if c.check
        and c.id not in with_variants
        and c.id not in repaired
        and not (c.role == "reading" and c.parent in controls)
    ]
    found = [c.id for c in uncontrolled if run_check(c, Settings()).evidence]
    assert found == [], "a check without a mutation cannot be seen to fail"


def test_mutations_change_constants_that_exist():
    for claim in CLAIMS:
        for mutation in claim.mutations:
            assert set(mutation.constants) <= set(claim.constants), (claim.id, mutation.name)
            changed = any(claim.constants[n] != v for n, v in mutation.constants.items())
            assert changed or mutation.domain is not None, (claim.id, mutation.name)


def test_statements_show_no_knobs():
    """A summand or exponent 0 and a factor, divisor or exponent 1 serve the false variants; nobody printed them."""
    knob = re.compile(
        r"[-+] ?0(?![\d.])|(?<![\d.^])1 ?\\cdot(?![a-z])|(?<![\d.])0\\(?:var)?epsilon|\^\s*\{[01]\}|/1(?![\d./])"
        r"|\{(\d+)/\1\}|\\cdot ?1(?![\d./])|(?<![\d.])1\\,\d|(?:\$|[a-z] )1\$? times\b"
        r"|\btimes \$?1\b(?![\d./])"
        r"|\((?:factor|power|mass|weight|sign) \$?[01]\$?\)"
    )
    assert [(claim.id, claim.shown()) for claim in CLAIMS if knob.search(claim.shown())] == []
    assert knob.search(r"t-1+0") and knob.search(r"1\cdot x") and knob.search(r"\le -0\epsilon")
    assert knob.search(r"\log^{0}K") and knob.search("x/1")
    assert knob.search(r"d^{2/2}") and knob.search("entropy term times $1$") and knob.search("is $1$ times the other")


def test_no_latex_is_left_of_a_statement_or_a_title_on_the_terminal():
    left = []
    for text in {t for c in CLAIMS for t in (c.shown(), c.place)}:
        names = {n for f in FORMULA.finditer(text) for n in re.findall(r"\\([A-Za-z]{2,})", f[0])} - {*FUNCTIONS, "in"}
        shown = " ".join(plain(f[0]) for f in FORMULA.finditer(text))
        words = set(re.findall(r"[A-Za-z]+", shown)) & names
        braces = [plain(text).count(brace) - text.count(f"\\{brace}") for brace in "{}"]
        if words or any(braces) or re.search(r"[\\$]", plain(text)):
            left.append((text, plain(text)))
    assert left == []


def test_statements_use_only_constants_that_exist():
    for claim in CLAIMS:
        assert not re.search(r"<[a-z_]+>", claim.shown()), claim.id


@pytest.mark.parametrize("verdict", ["proved", "refuted"])
def test_items_combine_whatever_their_claims_come_out_as(verdict):
    """Each document's items, with their domains, conditions and roles, as a whole check settles them."""
    found = {"status": "done", "verdict": verdict, "reach": "as supposed", "evidence": [], "mutations": []}
    settled = combined([facts(c, Settings()) | found for c in CLAIMS])
    proved = {r["id"] for r in settled if r["role"] == "item" and r["verdict"] == "proved"}
    if verdict == "refuted":
        assert not proved
    else:
        assert {r["id"] for r in settled if r["role"] == "item"} - proved, "restricted ones and those with parts only"
        assert all(not r["restricted"] for r in settled if r["id"] in proved)


# Of words of the kernel; laws of Laplace and Gaussian noise hide by their definition.
PRIVACY = re.compile("privat|zcdp|close|laplace|gaussian")


def _words(sentence, words, depth=2):
    """The words of a sentence, and those in which they are defined."""
    named = {n for n in _names(sentence.__code__) if n in words}
    inner = (words[n] for n in named if isinstance(words[n], FunctionType))
    return named | (set().union(*(_words(w, words, depth - 1) for w in inner)) if depth else set())


def test_what_is_proved_of_private_mechanisms_uses_privacy_or_is_trivially_true():
    """A theorem of which privacy is no premise says nothing of privacy, and no reader of its verdict may think so."""
    words = {**_kernel_words(), **DOCUMENT_WORDS}
    about = [
        c for c in CLAIMS if c.is_general and c.role in ("item", "part") and re.search(r"\bDP\b|zCDP", c.statement)
    ]
    assert len(about) > 100
    for claim in about:
        speaks = any(PRIVACY.search(word) for word in _words(claim.function, words))
        assert speaks != bool(claim.unused), claim.id
