"""``banditproof judge --page``: a page on this machine where statements are typed, shown as they are read, and settled.

Only this machine reaches it, and only who has the token of its address. What settles a statement is the command
itself, in a process of its own.
"""

from __future__ import annotations

import json
import secrets
import socket
import webbrowser
from collections.abc import Awaitable, Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from banditproof.theory.errors import InvalidInput

HOST = "127.0.0.1"
FILES = Path(__file__).parent / "page_files"
KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
POLICY = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
LONGEST = 10_000  # letters of a statement


def open_page(options: Sequence[str]) -> int:
    """Serve the page until it is interrupted; its address is printed, and opened where there is a browser.

    `options` are those with which the command settles each statement.
    """
    if missing := [name for name in ("starlette", "uvicorn") if find_spec(name) is None]:
        raise InvalidInput("page", f"{missing[0]} missing", "shown with its extra: pip install 'banditproof[page]'")
    import uvicorn

    token = secrets.token_urlsafe(16)
    listening = socket.socket()
    listening.bind((HOST, 0))
    listening.listen()  # a browser that comes before the server waits
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/?token={token}"
    print(f"{address}\nPress Ctrl+C to end.", flush=True)
    webbrowser.open(address)
    with TemporaryDirectory(prefix="banditproof-") as folder:
        server = uvicorn.Server(uvicorn.Config(application(token, Path(folder), options), log_level="warning"))
        server.run(sockets=[listening])
    return 0


def application(token: str, folder: Path, options: Sequence[str]) -> Any:
    """The page and what it asks for; receipts and pictures lie in the folder."""
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.requests import Request
    from starlette.responses import JSONResponse, PlainTextResponse, Response
    from starlette.routing import Route

    def guarded(answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def guard(request: Request) -> Response:
            given = request.query_params.get("token", "")
            if not secrets.compare_digest(given.encode(), token.encode()):
                return PlainTextResponse("Open the address that 'banditproof judge --page' printed.", 403)
            response = await answer(request)
            response.headers["Content-Security-Policy"] = POLICY
            response.headers["Referrer-Policy"] = "no-referrer"
            response.headers["Cache-Control"] = "no-store"
            return response

        return guard

    async def page(_: Request) -> Response:
        text = (FILES / "page.html").read_text(encoding="utf-8").replace("TOKEN", token)
        return Response(text, media_type="text/html")

    async def file(request: Request) -> Response:
        """A part of the page, or what an answer left: names that lead elsewhere are not found."""
        name = request.path_params["name"]
        for place in (FILES, folder):
            if name in {path.name for path in place.iterdir()}:
                kind = KINDS.get(Path(name).suffix, "text/plain")
                return Response((place / name).read_bytes(), media_type=kind)
        return PlainTextResponse("not found", 404)

    async def read_as(request: Request) -> Response:
        statement, form = await _asked(request)
        return JSONResponse(await run_in_threadpool(shown, statement, form))

    async def settle(request: Request) -> Response:
        from banditproof.cli.serving import answered

        statement, form = await _asked(request)
        name = secrets.token_hex(8)
        receipt, drawn = folder / f"{name}.py", folder / f"{name}.svg"
        written = ["--json", "--receipt", str(receipt), "--plot", str(drawn), *(["--form", form] if form else [])]
        told = json.loads(await answered("judge", *options, *written, "--", statement))
        if "answer" not in told:
            return JSONResponse({"error": told["error"]})
        repair = told["answer"].get("repair")
        return JSONResponse(
            told["answer"]
            | {
                "receipt": receipt.name if receipt.is_file() else None,
                "picture": drawn.name if drawn.is_file() else None,
                "repair_set": repair and formula(repair["tex"]),
            }
        )

    routes = [
        Route("/", guarded(page)),
        Route("/read", guarded(read_as), methods=["POST"]),
        Route("/settle", guarded(settle), methods=["POST"]),
        Route("/{name}", guarded(file)),
    ]
    return Starlette(routes=routes, middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=[HOST])])


async def _asked(request: Any) -> tuple[str, str | None]:
    asked = await request.json()
    return str(asked["statement"])[:LONGEST], asked.get("form") or None


def shown(statement: str, form: str | None) -> dict[str, Any]:
    """A statement set as it is read, or why it is not."""
    from banditproof.verify.judge.formulas.sentence import Unread
    from banditproof.verify.judge.reading.readers import read

    try:
        reading = read(statement, None, form)
    except Unread as error:
        return {"error": str(error), "place": error.place, "token": error.token}
    return {"set": formula(reading.tex), "text": reading.said, "assumed": list(reading.assumed)}


def formula(tex: str) -> str:
    """A formula as MathML, or '' without the extra `report`."""
    if not tex or find_spec("latex2mathml") is None:
        return ""
    from banditproof.claims.report.mathml import formula as as_mathml

    return as_mathml(tex, display=True)
