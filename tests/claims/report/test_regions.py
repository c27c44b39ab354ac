"""Domains in words: short where a list of boxes is long."""

import re
from fractions import Fraction

import pytest

from banditproof.claims import REGISTER, fails_at, load
from banditproof.claims.missing import MISSING
from banditproof.claims.report.findings import FAILS, SEVERITIES
from banditproof.claims.report.html_page import MEANINGS
from banditproof.claims.report.mathml import raised
from banditproof.claims.report.plain import plain
from banditproof.claims.report.regions import REST, at_point, in_words, left_open
from banditproof.claims.run.results import CERTAINTIES
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.evidence import KINDS


@pytest.mark.parametrize(
    ("domain", "words"),
    [
        (
            Domain.of(T="integer [1, inf)", K="integer [1, inf)", policy="all: every policy"),
            "T, K = 1, 2, …; policy: every policy",
        ),
        (Domain.of(epsilon="(0, inf)", x="[0, inf)", y="(-inf, inf)", z="(-inf, 1)"), "ε > 0; x ≥ 0; y real; z < 1"),
        (Domain.of(x="[0, 1)", n="integer (3, 9]", m="integer [2, 3]"), "x ∈ [0, 1); n = 4, …, 9; m = 2, 3"),
        (Domain.of(x="[1, 1]", n="integer [4, 4]", rho=[1000]), "x = 1; n = 4; ρ = 1000"),
        (
            Domain.of(x=["1/2", 2], n=range(1, 20), k=[1, 2, 4, 8, 16, 32, 64]),
            "x ∈ {1/2, 2}; n = 1, …, 19; k ∈ {1, 2, 4, 8, 16, …, 64} (7 values)",
        ),
        (Domain.of(a="all: 3 listed cases", b="all: 3 listed cases"), "3 listed cases of a, b"),
        (
            Domain.of(mu_2_prime="[0, 1]", mu_1="[0, 1]", where=["2 * mu_2_prime <= mu_1"]),
            "μ'_2, μ_1 ∈ [0, 1]; 2·μ'_2 ≤ μ_1",
        ),
        (Domain.of(), "a statement without variables"),
    ],
)
def test_a_domain_is_said_in_words(domain, words):
    assert in_words(domain) == words


COUNTS = Domain.of(T="integer [1, inf)", K="integer [1, inf)", policy="all: every policy")
SQUARE = Domain.of(x="[0, 1]", y="[0, 1]")


@pytest.mark.parametrize(
    ("domain", "regions", "words"),
    [
        (COUNTS, [COUNTS.restrict(T=[1, 2], K=[1, 2, 3], policy="all: every policy")], REST),
        (COUNTS, [COUNTS.restrict(T=[1, 2, 3])], "open: T = 4, 5, …"),
        (COUNTS, [COUNTS.restrict(T=[2])], "open: T = 1 or T = 3, 4, …"),
        (COUNTS, [COUNTS.restrict(policy="all: 30 listed cases")], REST),
        (SQUARE, [SQUARE.restrict(x="(0, 1]")], "open: x = 0"),
        (SQUARE, [SQUARE.restrict(x="[0, 1/3]"), SQUARE.restrict(y="[0, 1/2)")], "open: x ∈ (1/3, 1], y ∈ [1/2, 1]"),
        (SQUARE, [SQUARE.restrict(where=["x < y"]), SQUARE.restrict(where=["x > y"])], "open: x = y"),
        (SQUARE, [SQUARE.restrict(where=["x <= y"])], "open: x ∈ (0, 1], y ∈ [0, 1), x > y"),
        (SQUARE, [], REST),
        (SQUARE, [Domain.of(x="[0, 1]")], REST),
        (
            SQUARE,
            [SQUARE.restrict(x=[Fraction(k, 40) for k in range(41)], y=[Fraction(k, 40) for k in range(41)])],
            REST,
        ),
    ],
)
def test_what_is_open_is_a_box_around_it_or_the_rest(domain, regions, words):
    assert left_open(domain, regions) == words


def test_a_point_is_told_without_the_forms_of_the_code():
    point = {"policy": ["courier", Fraction(1, 10), Fraction(1, 10**8)], "epsilon": 1, "mu_2_prime": Fraction(1, 2)}
    assert at_point(point) == "policy = [courier, 1/10, 10^-8], ε = 1, μ'_2 = 1/2"
    assert at_point({"rows": [[Fraction(k)] for k in range(40)]}).endswith("[9], [10], [11], … (40 in all)]")


# What the forms of the code leave in a sentence: names with underscores, arrows, texts in quotes, classes, long lists.
CODE = re.compile(
    r"\w_\w|->|Fraction\(|'\w+'|\bor\b.*\bor\b.*\bor\b|\b([a-z]{2,}) \1\b|\(1 values\)|sign\(|integer [\[(]"
)
ONE = re.compile(r"\[(-?[\d./]+), \1\]")  # a set of one number, written as an interval


def told(text):
    """What a reader sees of it: typed scripts stand where they belong."""
    return re.sub(r"<(sub|sup)>.*?</\1>", "", raised(text))


def test_every_domain_and_point_of_the_register_reads_as_a_sentence():
    load()
    claims = list(REGISTER.values())
    points = [(c.id, at_point(step.point)) for c in claims for step in c.steps if isinstance(step, fails_at)]
    domains = [(c.id, in_words(c.domain)) for c in claims]
    assert len(points) > 300 and len(domains) > 2500
    assert [(i, text) for i, text in points + domains if CODE.search(told(text))] == []
    assert [(i, text) for i, text in domains if ONE.search(text)] == []


def test_what_a_card_says_reads_as_a_sentence(report):
    page = re.sub(r"<(pre|code|math|style|script).*?</\1>", "", report["page"], flags=re.DOTALL)
    said = re.findall(r'<(?:p class="reach"|dd|td)>(.*?)</(?:p|dd|td)>', page, re.DOTALL)
    said = [re.sub(r"<[^>]*>", "", text) for text in said if "script" not in text]  # of one that is hostile
    assert len(said) > 60 and [text for text in said if CODE.search(text)] == []
    cards = [r["reach"] for r in report["results"]["claims"] if r["status"] == "done"]
    assert [text for text in cards if CODE.search(told(text))] == []


def test_the_words_of_the_closed_lists_read_as_sentences():
    lists = (MEANINGS, SEVERITIES, CERTAINTIES, FAILS, MISSING, {k: kind.how_rechecked for k, kind in KINDS.items()})
    words = [text for one in lists for text in one.values() if text]
    assert len(words) > 45 and [text for text in words if CODE.search(text)] == []


def test_what_a_check_is_restricted_to_follows_the_word_restricted():
    load()
    phrases = {c.restricted for c in REGISTER.values() if c.restricted}
    unquoted = {text: re.sub(r"'\w+'", "", told(plain(text))) for text in phrases}
    assert len(phrases) > 40 and [text for text, said in unquoted.items() if CODE.search(said)] == []
    assert [text for text in phrases if not re.match(r"(to|by|in|for|from|on|at) ", text)] == []
