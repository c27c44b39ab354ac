"""A small report with every kind of outcome, and a browser to look at pages."""

import base64
import json
import os
import shutil
import subprocess

import pytest

from banditproof.claims import REGISTER, examine
from banditproof.claims.report import html_page
from banditproof.claims.report.reports import write_reports
from banditproof.claims.run.record import Settings
from banditproof.claims.run.results import assemble, write_results
from banditproof.claims.run.selftest import try_mutations
from tests.cases import texts

TEXTS = texts(__file__)

DRAFT = "\n" + TEXTS["draft"]


@pytest.fixture(scope="module")
def report(load_draft_once):
    """A small run with every kind of outcome: its results, claims, settings, folder and page."""
    module = load_draft_once(DRAFT, "draft_of_report")
    folder = module.parent
    claims = [c for c in REGISTER.values() if c.id.startswith("PAGE-")]
    settings = Settings(studies=folder / "studies")
    records = [examine(c, settings) | {"mutations": try_mutations(c, settings)} for c in claims]
    asked = {"papers": None, "claims": [c.id for c in claims]}
    results = assemble(records, settings, f"banditproof check --module {module}", 1.5, asked)
    results["run"]["catalogue"] = {"outside": {"items": 5, "without claim": {"PAGE-9": r"a title of $\rho$ <b>"}}}
    write_results(results, folder / "results.json")
    write_reports(results, claims, settings, folder, ["html", "junit", "markdown"])
    with pytest.MonkeyPatch.context() as patch:  # the same, as if its claims were many
        patch.setattr(html_page, "TOGETHER", 0)
        (folder / "split").mkdir()
        write_reports(results, claims, settings, folder / "split", ["html"])
    return {
        "results": results,
        "claims": claims,
        "settings": settings,
        "folder": folder,
        "module": module,
        "page": (folder / "index.html").read_text(),
    }


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
OPTIONS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-sync",
    "--no-first-run",
    "--disable-component-update",
    "--disable-quic",
    "--remote-debugging-pipe",
]


class Page:
    """A tab of a headless Chromium, driven over pipes; `complaints` are what it wrote to its console or threw."""

    def __init__(self, asked, told):
        self._asked, self._told, self._session, self._numbers = asked, told, {}, iter(range(1, 10**9))
        self.complaints: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = {"sessionId": self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        """The answer to a command of the protocol; raises where it is refused."""
        number = next(self._numbers)
        command = {"id": number, "method": method, "params": parameters, **self._session}
        self._asked.write(json.dumps(command).encode() + b"\0")
        self._asked.flush()
        return self._until(lambda m: m.get("id") == number)["result"]

    def _until(self, wanted):
        while True:
            message = json.loads(self._next())
            if message.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
                self.complaints.append(json.dumps(message["params"]))
            if wanted(message):
                if "error" in message:
                    raise RuntimeError(message["error"])
                return message

    def _next(self):
        message = bytearray()
        while (sign := self._told.read(1)) != b"\0":
            if not sign:
                raise RuntimeError("Chromium has ended")
            message += sign
        return message

    def open(self, address):
        """Load an address and return the seconds until its load event."""
        self.call("Page.navigate", url="about:blank")  # so that an anchor of the same page is a load as well
        self._until(lambda m: m.get("method") == "Page.loadEventFired")
        self.call("Page.navigate", url=address)
        self._until(lambda m: m.get("method") == "Page.loadEventFired")
        return self.run("performance.timing.loadEventStart - performance.timing.navigationStart") / 1000

    def run(self, script):
        """The value of an expression in the page; a promise is awaited."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def resize(self, width, height=1000):
        """The size of the window in CSS pixels."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def emulate(self, medium="", scheme="light"):
        """Show the page as on 'print' (or '' for the screen), in the 'light' or the 'dark' scheme."""
        scheme = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media=medium, features=scheme)

    def pdf(self, path):
        """Write the page as it is printed."""
        path.write_bytes(base64.b64decode(self.call("Page.printToPDF", printBackground=False)["data"]))


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A tab of a browser of its own."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    asked, told = os.pipe(), os.pipe()

    def numbered():  # the protocol's pipes are 3 and 4; copies first, since 3 and 4 may be among the ends
        ends = [os.dup(asked[0]), os.dup(told[1])]
        os.dup2(ends[0], 3)
        os.dup2(ends[1], 4)

    process = subprocess.Popen(
        [CHROMIUM, *OPTIONS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"],
        preexec_fn=numbered,
        close_fds=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(asked[0])
    os.close(told[1])
    with open(asked[1], "wb") as writing, open(told[0], "rb") as reading:
        yield Page(writing, reading)
        writing.write(b'{"id": 0, "method": "Browser.close"}\0')
    process.wait(timeout=20)
