"""The documentation builds without a warning, names what is public, and leads from every item to its file."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from banditproof import algorithms, claims, theory, verify
from banditproof.claims.documents import catalogue
from banditproof.paper_checks import DOCUMENTS

pytest.importorskip("sphinx", reason="needs [docs]")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    made = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-d", made / "trees", ROOT / "docs", made]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return made


def test_every_public_name_is_in_the_reference(site):
    for room in (theory, algorithms, verify, claims):
        page = (site / "made" / f"{room.__name__.rpartition('.')[2]}.html").read_text()
        missing = [name for name in room.__all__ if f'id="{room.__name__}.{name}"' not in page]
        assert not missing


def test_every_item_leads_to_its_file_and_is_led_to(site):
    anchors, cited = set(), set()
    for page in (site / "made").glob("*.html"):
        text = page.read_text()
        anchors |= {f"{page.name}#{found}" for found in re.findall(r'id="(claim-[\w-]+)"', text)}
        cited |= set(re.findall(r'href="([\w-]+\.html#claim-[\w-]+)"', text))
    checked = {document.name for document in DOCUMENTS}  # other tests of this process may announce more
    assert len(anchors) == len([item for item in catalogue().values() if item.paper in checked])
    assert len(cited) > 100 and cited <= anchors


def test_pages_need_no_network(site):
    for page in site.rglob("*.html"):
        loaded = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]+)', page.read_text())
        assert not loaded, page.name
