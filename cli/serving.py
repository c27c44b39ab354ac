"""``banditproof mcp``: the commands as tools of assistants and editors, over the Model Context Protocol.

A tool is a command with --json, run in a process of its own: what it prints is the answer, and one that hangs or dies
costs itself only.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from banditproof.theory.errors import InvalidInput

SETTLED_WITHIN = 120.0  # seconds that one call may take
ABOUT = (
    "banditproof settles mathematical statements about differentially private bandits. A verdict 'proved' or 'refuted' "
    "is certified; 'open' means that neither is known, and never that a statement holds. Every answer begins with how "
    "the statement was read: compare this with what was meant."
)


def serve() -> int:
    """Answer on standard input and output until it is closed."""
    if sys.stdin is None or sys.stdin.closed or not sys.stdin.readable():
        raise InvalidInput(
            "standard input", "closed", "open: an assistant or an editor starts this command and writes to it"
        )
    server().run("stdio")
    return 0


def server() -> Any:
    """The server with its tools. Raises InvalidInput without the extra `mcp`."""
    if find_spec("mcp") is None:
        raise InvalidInput("mcp", "missing", "installed: pip install 'banditproof[mcp]'")
    from mcp.server import MCPServer

    made = MCPServer("banditproof", instructions=ABOUT, version=version("banditproof"), log_level="WARNING")
    for tool in (judge, regret_bounds, sample_complexity_bounds, explain, audit):
        made.add_tool(tool, structured_output=False)
    return made


async def answered(*arguments: str) -> str:
    """What a command prints as JSON, with its exit status; what it refuses is its sentence."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "banditproof.cli",
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        printed, said = await asyncio.wait_for(process.communicate(), SETTLED_WITHIN)
    except TimeoutError:
        return json.dumps({"error": f"no answer within {SETTLED_WITHIN:.0f} seconds"})
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if not printed.strip():
        return json.dumps({"error": said.decode(errors="replace").strip(), "exit_status": process.returncode})
    return json.dumps({"exit_status": process.returncode, "answer": json.loads(printed)}, ensure_ascii=False)


async def judge(statement: str, where: Mapping[str, str] | None = None) -> str:
    """Settle a printed inequality, identity, limit or sentence about a mechanism, in plain text or LaTeX.

    statement: such as "kl(x, y) >= 2 (x - y)^2 for x in [0, 1], y in (0, 1)".
    where: ranges and conditions that the statement does not give, such as {"n": "integer >= 2", "q": "(0, 1), q <= p"}.
    """
    ranges = [word for name, values in (where or {}).items() for word in ("--where", f"{name}={values}")]
    return await answered("judge", "--json", "--seconds", f"{SETTLED_WITHIN / 2:g}", *ranges, "--", statement)


async def regret_bounds(means: str, epsilon: str | None = None, horizon: str | None = None) -> str:
    """Certified lower bounds on the regret of private Bernoulli bandits.

    means: comma-separated, such as "0.75,0.7,0.7". epsilon: budget of pure DP. horizon: also the bounds times its log.
    """
    return await answered("bounds", "regret", "--json", "--means", means, *given(epsilon=epsilon, horizon=horizon))


async def sample_complexity_bounds(means: str, delta: str = "0.01", epsilon: str | None = None) -> str:
    """Certified lower bounds on the samples that identify the best Bernoulli arm with error probability delta."""
    return await answered("bounds", "bai", "--json", "--means", means, "--delta", delta, *given(epsilon=epsilon))


async def explain(claim: str) -> str:
    """A claim of the checked papers: statement, domain, how it is checked, and its verdict where a check was run.

    claim: an id such as "BDP-T3.1", or a printed name such as "rdp Theorem 8".
    """
    return await answered("explain", "--json", "--", claim)


async def audit(target: str, epsilon: str | None = None, delta: str | None = None, rho: str | None = None) -> str:
    """Test the privacy of a function of the user's own code, which is imported and run.

    target: "package.module:object", a policy or mechanism as `banditproof audit --help` says. One budget: epsilon, with
    delta if need be, or rho.
    """
    return await answered("audit", "--json", *given(epsilon=epsilon, delta=delta, rho=rho), "--", target)


def given(**options: str | None) -> list[str]:
    """The options that have a value."""
    return [word for name, value in options.items() if value is not None for word in (f"--{name}", value)]
