"""`banditproof judge`: one statement, many, receipts, pictures, the page, and the tools of assistants."""

import asyncio
import json
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import jsonschema
import pytest

from banditproof import judge
from tests.cli.calling import status

TRUE, FALSE = "log(1 + x) <= x for x > -1", "log(1 + x) >= x for x > -1"


def run(capsys, *arguments):
    return status(map(str, arguments), ["judge"]), *capsys.readouterr()


@pytest.mark.parametrize(
    "statement, expected, words",
    [
        (TRUE, 0, "proved"),
        (FALSE, 1, "at x = 1 the left side is 0.693147181 and the right side is 1"),
        ("log(1 + x) <= for x > -1", 2, "^"),
        ("-x log(x) <= 1/2 for x in (0, 1)", 0, "proved"),  # it begins like an option
    ],
)
def test_a_statement_has_a_verdict_and_a_status(statement, expected, words, capsys):
    code, out, _ = run(capsys, statement)
    assert code == expected and words in out
    assert out.startswith("not read" if code == 2 else "read as: ")


@pytest.mark.parametrize("statement", ["2 < 1", "pi < 3", "exp(1) <= 5/2", "sum(k, k=1..3) <= 5"])
def test_a_false_comparison_of_numbers_is_refuted(capsys, statement):
    code, out, _ = run(capsys, statement)
    assert code == 1 and "refuted" in out


def test_ranges_stand_in_options_too(capsys):
    assert run(capsys, "log(x) <= x - 1", "--where", "x=(0, inf)")[0] == 0
    assert run(capsys, "q <= p", "--where", "p, q=(0, 1)", "--where", "q <= p", "--where", "p + q = 1")[0] == 0
    code, out, _ = run(capsys, "log(x) <= x - 1", "--where", "x")
    assert code == 2 and "not read: x has no range here" in out


@pytest.mark.parametrize(
    "statement", [FALSE, "log(1 + x) <= x for x > -1", "1/x >= 1 for x in [0, 1]", "foo(x) <= x for x > 1", "x <="]
)
def test_an_answer_as_json_follows_its_schema(capsys, statement):
    schema = json.loads((files("banditproof.verify.judge") / "answer.schema.json").read_text())
    answer = json.loads(run(capsys, statement, "--json", "--constant")[1])
    jsonschema.validate(answer, schema)
    assert set(answer) <= set(schema["properties"])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**answer, "verdict": "perhaps"}, schema)


def test_an_answer_shows_itself_in_a_notebook():
    shown = judge(FALSE)._repr_markdown_()
    assert shown.startswith("$$") and "refuted" in shown and "data:image/png;base64," in shown
    assert str(judge(FALSE)).startswith("read as:")


def test_an_answer_as_json_has_what_a_machine_asks_for(capsys, tmp_path):
    code, out, _ = run(capsys, FALSE, "--json", "--receipt", tmp_path / "receipt.py")
    answer = json.loads(out)
    assert code == 1 and answer["verdict"] == "refuted" and answer["point"] == {"x": "1"}
    assert answer["read_as"]["text"].startswith("log(1 + x) >= x")
    assert {"sides", "repair", "evidence", "tried", "work", "seconds", "receipt", "facts"} <= answer.keys()
    assert subprocess.run([sys.executable, "-I", "-S", answer["receipt"]], check=False).returncode == 0


def test_a_path_with_spaces_is_told_as_a_shell_takes_it(capsys, tmp_path):
    _, out, _ = run(capsys, FALSE, "--receipt", tmp_path / "a b.py")
    assert f"python3 -I -S '{tmp_path / 'a b.py'}' checks it" in out


def test_the_answer_says_what_its_receipt_leaves_unchecked(capsys, tmp_path):
    gaussian = "Gaussian noise of variance 2 log(5/(4 t)) on sensitivity 1 is (1, t)-DP for t in (0, 1)"
    _, out, _ = run(capsys, gaussian, "--receipt", tmp_path / "r.py")
    assert (
        "checks it in part; it leaves unchecked " in out and "a textbook fact: the exact curve of the Gaussian" in out
    )
    _, out, _ = run(capsys, TRUE, "--receipt", tmp_path / "r.py")
    assert "checks it)" in out and "in part" not in out


ROWS = [
    {"id": "a", "statement": TRUE},
    {"id": "b", "statement": "log(x) <= x - 2", "where": {"x": "(0, inf)"}},
    {"id": "c/d", "statement": "x <=", "form": "plain"},
]


def test_the_paragraphs_of_a_paper_are_settled(capsys, tmp_path):
    paper = tmp_path / "paper.md"
    told = "# Section 2: logarithms\n\n## eq. 3\nIt is below its tangent.\n\n    log(x) <= x - 1 for x > 0\n\n"
    paper.write_text(f"{told}## eq. 4\nOne term too many.\n\n    exp(x) >= 1 + x + x^2 for x >= 0\n")
    code, out, _ = run(capsys, paper, "--workers", 1, "--json")
    answers = {a["id"]: a["verdict"] for a in map(json.loads, out.splitlines())}
    assert (code, answers) == (1, {"eq. 3": "proved", "eq. 4": "refuted"})


def test_lines_come_in_the_order_of_the_file_with_the_points_that_refute(capsys, tmp_path, divided_workers):
    slow = "kl(x, y) >= 2 (x - y)^2 for x in [0, 1], y in (0, 1)"
    file = tmp_path / "three.jsonl"
    file.write_text(
        "\n".join(json.dumps({"id": f"row {k}", "statement": s}) for k, s in enumerate((slow, FALSE, TRUE)))
    )
    code, out, _ = run(capsys, "--file", file)
    assert code == 1 and [line.partition("  ")[0] for line in out.splitlines()] == ["row 0", "row 1", "row 2"]
    assert out.splitlines()[1] == "row 1  refuted: it fails; at x = 1"


def test_a_file_is_settled_and_continued_where_it_stopped(capsys, tmp_path, divided_workers):
    given, kept = tmp_path / "statements.jsonl", tmp_path / "answers.jsonl"
    given.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    code, _, err = run(capsys, "--file", given, "--output", kept, "--workers", 1, "--receipt", tmp_path / "receipts")
    answers = {a["id"]: a for a in map(json.loads, kept.read_text().splitlines())}
    assert code == 1 and "1 proved" in err and "1 not read" in err
    assert [answers[row["id"]]["verdict"] for row in ROWS] == ["proved", "refuted", "not read"]
    assert sorted(path.name for path in (tmp_path / "receipts").iterdir()) == ["a.py", "b.py"]
    lines = kept.read_text().splitlines(keepends=True)
    kept.write_text(lines[0] + lines[1][:20])  # as a kill leaves it
    known = json.loads(lines[0])["id"]
    code, _, _ = run(capsys, "--file", given, "--output", kept, "--workers", 1, "--quiet")
    again = [json.loads(line) for line in kept.read_text().splitlines()]
    assert code == 1 and len(again) == 3 and again[0]["id"] == known
    assert {a["id"]: a["verdict"] for a in again} == {i: a["verdict"] for i, a in answers.items()}


@pytest.mark.parametrize(
    "line, words",
    [
        ("{", "line 1 must be one JSON object, all of it in this line, got '{'"),
        (r'{"statement": "\log x"}', r"""a backslash is doubled: \\log for \log, got '{"statement": "\log x"}'"""),
        ('{"statement" "x"}', "at letter 14"),
        ('{"where": {}}', "text of a `statement`"),
        ('{"statement": "x", "ranges": {}}', "ranges"),
        ('{"statement": "x", "where": ["x"]}', "an object such as"),
        ("", "a file with a line such as"),
        ("[" * 20_000, "nested so deep"),
    ],
)
def test_a_bad_line_is_named(line, words, capsys, tmp_path):
    (path := tmp_path / "statements.jsonl").write_text(line)
    code, _, err = run(capsys, "--file", path)
    assert code == 2 and words in err and err.count("\n") == 1


def test_what_is_taken_stands_below_the_verdict_of_a_line(capsys, tmp_path):
    (path := tmp_path / "statements.jsonl").write_text(json.dumps(ROWS[0] | {"where": {"y": "[0, 1]"}}))
    assert "  taken: y does not stand in the statement" in run(capsys, "--file", path, "--workers", 1)[1]


def test_a_file_that_is_no_text_is_named(capsys, tmp_path):
    (path := tmp_path / "statements.jsonl").write_bytes(json.dumps(ROWS[0]).encode("utf-16"))
    code, _, err = run(capsys, "--file", path)
    assert code == 2 and "UTF-8" in err and err.count("\n") == 1


def test_half_of_a_character_is_no_reason_to_stop(banditproof, tmp_path):
    """JSON can write what no terminal and no file shows; what is written is read again."""
    given, kept = tmp_path / "statements.jsonl", tmp_path / "answers.jsonl"
    given.write_text('{"statement": "x \\ud800 <= 1"}\n{"id": "\\ud800", "statement": "1 <= 2"}\n')
    for _ in range(2):
        done = banditproof("judge", "--file", given, "--json", "--quiet", "--workers", 1, "--output", kept)
        assert done.returncode == 2 and not done.stderr, done.stderr
        assert [json.loads(line)["verdict"] for line in done.stdout.splitlines()] == ["not read", "proved"]
    assert len(kept.read_text().splitlines()) == 2


@pytest.mark.parametrize("options", [("--page", TRUE), ("--file", "x", TRUE), ("--output", "x", TRUE), ()])
def test_options_that_do_not_go_together_are_refused(options, capsys):
    code, _, err = run(capsys, *options)
    assert code == 2 and err


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "statement",
    [
        FALSE,
        "x + y <= x y for x in [1, 3], y in [1, 3]",
        "kl(p, q) >= 2.1 (p - q)^2 for p in [0, 1], q in (0, 1)",
        "sum(1/k, k=1..n) <= 0.9 + log(n) for integer n >= 1",
    ],
)
def test_a_picture_is_drawn(statement, capsys, tmp_path):
    pytest.importorskip("matplotlib")
    code, _, err = run(capsys, statement, "--plot", tmp_path / "picture.svg")
    assert code == 1 and "drawn" in err
    drawn = (tmp_path / "picture.svg").read_text()
    assert "counterexample" in drawn and ("fails" in drawn or "log" in drawn)


def test_three_variables_have_no_picture(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "picture.svg"
    _, _, err = run(capsys, "x + y + z >= 1 for x > 0, y > 0, z > 0", "--plot", path)
    assert "one or two variables" in err and not path.exists()


@pytest.mark.skipif(find_spec("mcp") is None, reason="needs the extra mcp")
def test_an_assistant_finds_the_tools_and_gets_an_answer():
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async def asked():
        server = StdioServerParameters(command=sys.executable, args=["-m", "banditproof.cli", "mcp"])
        async with Client(stdio_client(server)) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            answers = [
                json.loads((await client.call_tool(name, given)).content[0].text)
                for name, given in (("judge", {"statement": FALSE}), ("regret_bounds", {"means": "0.75,x"}))
            ]
        return tools, answers

    tools, (refuted, refused) = asyncio.run(asked())
    assert {"judge", "explain", "audit", "regret_bounds"} <= set(tools)
    assert refuted["exit_status"] == 1 and refuted["answer"]["point"] == {"x": "1"}
    assert refused["exit_status"] == 2 and "means" in refused["error"]


@pytest.fixture
def page(tmp_path):
    pytest.importorskip("uvicorn")
    pytest.importorskip("starlette")
    import socket

    import uvicorn

    from banditproof.cli.page import application

    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(application("secret", tmp_path, ["--work", "2000"]), log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    until = time.monotonic() + 30
    while not server.started and time.monotonic() < until:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)


def fetched(address, given=None, host=None):
    request = urllib.request.Request(address, data=None if given is None else json.dumps(given).encode())
    if host:
        request.add_header("Host", host)
    with urllib.request.urlopen(request, timeout=60) as response:
        return response.read().decode(), response.headers


def test_the_page_shows_how_a_statement_is_read_and_settles_it(page):
    text, headers = fetched(f"{page}/?token=secret")
    assert "Settle a formula" in text and "default-src 'self'" in headers["Content-Security-Policy"]
    read = json.loads(fetched(f"{page}/read?token=secret", {"statement": FALSE})[0])
    assert read["text"].startswith("log(1 + x) >= x")
    assert "error" in json.loads(fetched(f"{page}/read?token=secret", {"statement": "log("})[0])
    told = json.loads(fetched(f"{page}/settle?token=secret", {"statement": FALSE})[0])
    assert told["verdict"] == "refuted" and told["point"] == {"x": "1"}
    assert "confirmed" in fetched(f"{page}/{told['receipt']}?token=secret")[0]


@pytest.mark.parametrize(
    "path, host",
    [("/", None), ("/?token=wrong", None), ("/..%2Fpage.py?token=secret", None), ("/?token=secret", "example.org")],
)
def test_the_page_answers_nobody_else(page, path, host):
    with pytest.raises(urllib.error.HTTPError) as refused:
        fetched(page + path, host=host)
    assert refused.value.code in (400, 403, 404)


def test_the_files_of_the_page_name_no_place_outside():
    for path in (Path(sys.modules["banditproof.cli"].__file__).parent / "page_files").iterdir():
        assert "http" not in path.read_text()


def test_a_statement_that_takes_longer_than_a_moment_shows_a_sign_of_life(monkeypatch, capsys):
    monkeypatch.setattr("banditproof.cli.judging.MOMENT", 0.0)
    code, _, err = run(capsys, TRUE)
    assert (code, "settling the statement" in err) == (0, True)
