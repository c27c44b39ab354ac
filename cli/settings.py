"""The options of the commands; what a command with many of them is asked for is a dataclass, as it was typed."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from banditproof.cli.documents import replaceable
from banditproof.cli.locating import TextOption

NUMBER, NUMBERS = "<number>", "<number,...>"  # read from text, exactly


def options(command: Callable[[Any], int]) -> Callable[..., int]:
    """The command with an option for every field of the dataclass that is its one parameter."""
    (asked,) = inspect.signature(command, eval_str=True).parameters.values()
    annotations = get_type_hints(asked.annotation, include_extras=True)

    @wraps(command)
    def typed(**given: Any) -> int:
        return command(asked.annotation(**given))

    parameters = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=annotations[field.name],
        )
        for field in fields(asked.annotation)
    ]
    setattr(typed, "__signature__", inspect.Signature(parameters))  # noqa: B010
    typed.__annotations__ = annotations
    return typed


def _results(path: Path | None) -> Path | None:
    """The results in a folder that was named, or the file itself."""
    inside = path and path / "results.json"
    return inside if inside and inside.is_file() else path


def _drawable(context: typer.Context, parameter: typer.CallbackParam, path: Path | None) -> Path | None:
    if path is not None:
        from banditproof.cli.plotting import check_path

        check_path(path)
    return _alone(context, parameter, path)


def _writable(context: typer.Context, parameter: typer.CallbackParam, path: Path | None) -> Path | None:
    """A file of text that can be written: a table of CSV, or JSON."""
    suffix, allowed = ("csv", ("", ".csv", ".txt")) if parameter.name == "csv" else ("json", None)
    wrong = path is not None and allowed and path.suffix.lower() not in allowed
    if path is not None and (wrong or path.is_dir() or not path.parent.is_dir()):
        from banditproof.theory.errors import InvalidInput

        kind = ", with commas between columns, so of the kind .csv or .txt" if wrong else ""
        raise InvalidInput(parameter.name, str(path), f"a file in a folder that exists, such as bounds.{suffix}{kind}")
    path = _alone(context, parameter, path)
    replaceable(str(parameter.name), path)
    return path


def _in_a_folder(context: typer.Context, parameter: typer.CallbackParam, path: Path | None) -> Path | None:
    if path is not None and not path.parent.is_dir():
        from banditproof.theory.errors import InvalidInput

        raise InvalidInput("receipt", str(path), "a path in a folder that exists")
    return _alone(context, parameter, path)


def _alone(context: typer.Context, parameter: typer.CallbackParam, path: Path | None) -> Path | None:
    """The path, unless an option or argument before it names the same file, which would be overwritten."""
    for name, other in context.params.items():
        if path is not None and isinstance(other, Path) and other.resolve() == path.resolve():
            from banditproof.theory.errors import InvalidInput

            raise InvalidInput(parameter.name, str(path), f"another file than that of {name}")
    return path


class StatementForm(StrEnum):
    """How a statement is written."""

    plain = "plain"
    latex = "latex"
    formula = "formula"


class Profile(StrEnum):
    """How much evidence is gathered."""

    quick = "quick"
    full = "full"


class Format(StrEnum):
    """What is written besides ``results.json``."""

    terminal = "terminal"
    html = "html"
    junit = "junit"
    markdown = "markdown"
    github = "github"
    sarif = "sarif"


class FailOn(StrEnum):
    """A verdict that makes ``check`` exit with status 1."""

    refuted = "refuted"
    undecided = "undecided"
    unproved = "unproved"


class Severity(StrEnum):
    """How much a finding matters: see ``claims.report.findings``."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"
    E = "E"


class Notion(StrEnum):
    """What is compared: the actions on lists of rewards, or on tables."""

    view = "view"
    table = "table"


class Family(StrEnum):
    """The families of arms that are given by their means."""

    bernoulli = "bernoulli"
    gaussian = "gaussian"
    poisson = "poisson"
    exponential = "exponential"


class Noise(StrEnum):
    """The mechanisms whose releases are accounted for."""

    gaussian = "gaussian"
    laplace = "laplace"
    geometric = "geometric"
    discrete_gaussian = "discrete-gaussian"
    randomised_response = "randomised-response"
    exponential = "exponential"


PaperOption = Annotated[
    list[str] | None,
    typer.Option("--paper", metavar="<name>", help="Restrict to this paper (repeatable); by default, all."),
]
ClaimOption = Annotated[
    list[str] | None,
    typer.Option("--claim", metavar="<id>", help="Restrict to this claim and the claims under it (repeatable)."),
]
ModuleOption = Annotated[
    list[Path] | None,
    typer.Option("--module", metavar="<file>", help="A Python file, or Markdown, with your own claims (repeatable)."),
]
ProfileOption = Annotated[
    Profile, typer.Option("--profile", help="Amount of evidence: quick, or full, which takes longer.")
]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output", help="Folder for the report; by default report, or report/modules/NAME if only --module is given."
    ),
]
ResultsArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="RESULTS", callback=_results, help="A results.json, or its folder; by default report/results.json."
    ),
]
ResultsOption = Annotated[
    Path | None, typer.Option("--results", metavar="<file>", callback=_results, help="Another way to name RESULTS.")
]
VerdictsOption = Annotated[
    Path | None,
    typer.Option(
        "--results",
        metavar="<file>",
        callback=_results,
        help="Show the verdict of this results.json; by default the newest one in the folder report.",
    ),
]
QuietOption = Annotated[bool, typer.Option("--quiet", help="Print no progress and no table, only the result.")]
SeedOption = Annotated[int | None, typer.Option("--seed", min=0, help="Root seed of all random numbers.")]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers", min=1, help="Number of processes; all cores by default. The results do not depend on it."
    ),
]
SchedulerOption = Annotated[
    str | None,
    typer.Option(
        "--scheduler", metavar="<host:port>", help="Run on the Dask cluster at this address; the results are the same."
    ),
]


ActionsArgument = Annotated[Path, typer.Argument(callback=_alone, help="CSV file with one action per row.")]
AnswersOption = Annotated[
    Path | None,
    typer.Option(
        "--answers", metavar="<file>", help="File with answers to findings; by default answers.json beside the results."
    ),
]
AgainstOption = Annotated[
    Path | None,
    typer.Option(
        "--against",
        metavar="<file>",
        callback=_results,
        help="Compare with this older results.json; exit status 1 if a verdict is lost.",
    ),
]
EpsilonOption = Annotated[str | None, typer.Option("--epsilon", metavar=NUMBER, help="Privacy budget of pure DP.")]
BudgetsOption = Annotated[
    str | None, typer.Option("--epsilon", metavar=NUMBERS, help="Privacy budget of pure DP, or several.")
]
DeltaOption = Annotated[
    str | None, typer.Option("--delta", metavar=NUMBER, help="Delta of the budget: of approximate DP, with --epsilon.")
]
RhoOption = Annotated[str | None, typer.Option("--rho", metavar=NUMBER, help="Privacy budget of zero-concentrated DP.")]
OrderOption = Annotated[str | None, typer.Option("--order", metavar=NUMBER, help="Order of Renyi DP; needs --epsilon.")]
MuOption = Annotated[str | None, typer.Option("--mu", metavar=NUMBER, help="Privacy budget of Gaussian DP.")]
NoRhoOption = Annotated[str | None, typer.Option("--rho", metavar=NUMBER, hidden=True)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON; an exact end [m, e] means m * 2^e.")]
CertificateOption = Annotated[
    Path | None,
    typer.Option(
        "--certificate",
        metavar="<file>",
        callback=_writable,
        help="Write certificates of the values; 'banditproof recheck <file>' verifies them.",
    ),
]
PlotOption = Annotated[
    Path | None, typer.Option("--plot", callback=_drawable, help="Plot the bounds against the budget into this file.")
]
CsvOption = Annotated[
    Path | None, typer.Option("--csv", callback=_writable, help="Write the bounds into this file, a row each.")
]
FamilyOption = Annotated[Family, typer.Option("--family", help="Family of the arms.")]
SigmaOption = Annotated[
    str | None, typer.Option("--sigma", metavar=NUMBER, help="Standard deviation of Gaussian arms; 1 by default.")
]


class WithBudget:
    """Of a command with options for the parameters of privacy budgets."""

    @property
    def budgets(self) -> dict[str, str | None]:
        from banditproof.theory.privacy.budget import Budget

        return {field.name: vars(self)[field.name] for field in fields(Budget) if field.name in vars(self)}


@dataclass(frozen=True, kw_only=True)
class CheckOptions:
    """Of `check`."""

    paper: PaperOption = None
    claim: ClaimOption = None
    module: ModuleOption = None
    profile: ProfileOption = Profile.quick
    output: OutputOption = None
    formats: Annotated[
        list[Format] | None,
        typer.Option(
            "--format",
            metavar="<format>",
            help="What to write (repeatable): by default terminal, html, junit and markdown; also github and sarif.",
        ),
    ] = None
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Check everything again, even what has not changed since the last run.")
    ] = False
    fail_on: Annotated[
        list[FailOn] | None,
        typer.Option(
            "--fail-on",
            metavar="<verdict>",
            help="Exit with status 1 if an item or a claim of --claim is refuted, undecided or unproved (repeatable).",
        ),
    ] = None
    selftest: Annotated[
        bool, typer.Option("--selftest/--no-selftest", help="Also test the checks on false variants.")
    ] = True
    workers: WorkersOption = None
    scheduler: SchedulerOption = None
    seed: SeedOption = None
    quiet: QuietOption = False
    listed: Annotated[bool, typer.Option("--list", help="Only list the claims and check nothing.")] = False
    uncovered: Annotated[bool, typer.Option("--uncovered", help="Only list the items that have no claim.")] = False
    text: TextOption = None
    answers: AnswersOption = None
    against: AgainstOption = None


@dataclass(frozen=True, kw_only=True)
class FindingsOptions:
    """Of `findings`."""

    results: ResultsArgument = None
    named: ResultsOption = None
    paper: PaperOption = None
    severity: Annotated[
        list[Severity] | None,
        typer.Option(
            "--severity",
            metavar="<letter>",
            help="Only this severity, A (with A-) to E (repeatable); A to D by default.",
        ),
    ] = None
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown, with the corrections.")] = False
    as_latex: Annotated[bool, typer.Option("--latex", help="Print a list of errata in LaTeX.")] = False
    registry: Annotated[
        Path | None,
        typer.Option(
            "--registry", metavar="<folder>", help="Write them into a folder that anybody can check, or renew it."
        ),
    ] = None
    module: ModuleOption = None
    text: TextOption = None
    against: AgainstOption = None
    accepted: Annotated[
        str | None,
        typer.Option(
            "--accept", metavar="<id>", help="Record an answer to this finding, together with --by and --note."
        ),
    ] = None
    by: Annotated[
        str | None, typer.Option("--by", metavar="<name>", help="With --accept: the name of the person who answers.")
    ] = None
    note: Annotated[str | None, typer.Option("--note", metavar="<text>", help="With --accept: the answer.")] = None
    answers: AnswersOption = None

    @property
    def forms(self) -> list[str]:
        """The forms that were asked for: at most one makes sense."""
        given = {"json": self.as_json, "markdown": self.as_markdown, "latex": self.as_latex}
        return [form for form, asked in given.items() if asked]


@dataclass(frozen=True, kw_only=True)
class JudgeOptions:
    """Of `judge`."""

    statement: Annotated[
        str | None, typer.Argument(metavar="STATEMENT", help="The statement, in plain text or LaTeX.")
    ] = None
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            metavar="<file>",
            help="Instead: a file of JSON lines with a statement each (- reads them from input), or paragraphs (.md).",
        ),
    ] = None
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where", metavar="<name=range>", help="A range or condition: 'n=integer >= 2' or 'q <= p' (repeatable)."
        ),
    ] = None
    form: Annotated[
        StatementForm | None, typer.Option("--form", help="How it is written; by default what it looks like.")
    ] = None
    work: Annotated[
        int, typer.Option("--work", min=1, help="Largest number of steps; the verdict depends on it and on no clock.")
    ] = 20_000
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.1, help="Stop after this many seconds: what is left is open.")
    ] = None
    constant: Annotated[
        bool, typer.Option("--constant", help="Also look for the best value of the first constant that is a factor.")
    ] = False
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False
    receipt: Annotated[
        Path | None,
        typer.Option(
            "--receipt",
            metavar="<path>",
            callback=_in_a_folder,
            help="Write a Python file that checks the answer without banditproof; with --file, a folder of them.",
        ),
    ] = None
    plot: Annotated[Path | None, typer.Option("--plot", callback=_drawable, help="Plot both sides into this file.")] = (
        None
    )
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", metavar="<file>", help="With --file: write the answers here; a later run continues with it."
        ),
    ] = None
    page: Annotated[
        bool, typer.Option("--page", help="Instead: open a page on this machine where statements are typed.")
    ] = False
    workers: WorkersOption = None
    scheduler: SchedulerOption = None
    quiet: QuietOption = False


@dataclass(frozen=True, kw_only=True)
class SelftestOptions:
    """Of `selftest`."""

    paper: PaperOption = None
    claim: ClaimOption = None
    module: ModuleOption = None
    profile: ProfileOption = Profile.quick
    output: OutputOption = None
    mutants: Annotated[
        int | None,
        typer.Option(
            "--mutants",
            min=0,
            help="Number of random changes of our own algorithms; by default 100, or 0 for chosen claims.",
        ),
    ] = None
    workers: WorkersOption = None
    scheduler: SchedulerOption = None
    seed: SeedOption = None
    quiet: QuietOption = False


@dataclass(frozen=True, kw_only=True)
class ExactOptions:
    """Of `bounds exact`."""

    means: Annotated[
        list[str],
        typer.Option(
            "--means",
            metavar=NUMBERS,
            help="Means of an instance (repeatable); one instance stands for all its permutations.",
        ),
    ]
    horizon: Annotated[str, typer.Option("--horizon", metavar=NUMBER, help="Number of rounds; at most 8 for two arms.")]
    epsilon: Annotated[
        str | None, typer.Option("--epsilon", metavar=NUMBERS, help="Privacy budgets of pure DP; inf means no privacy.")
    ] = None
    ratio: Annotated[
        str | None, typer.Option("--ratio", metavar=NUMBERS, help="Instead of --epsilon: e^epsilon, such as 2 or 3/2.")
    ] = None
    rho: Annotated[
        str | None,
        typer.Option("--rho", metavar=NUMBERS, help="Instead of --epsilon: budgets of zero-concentrated DP."),
    ] = None
    delta: Annotated[str, typer.Option("--delta", metavar=NUMBER, help="Delta of approximate DP.")] = "0"
    notion: Annotated[
        Notion, typer.Option("--notion", help="Definition of privacy; it matters only with --delta or --rho.")
    ] = Notion.view
    error: Annotated[bool, typer.Option("--error", help="Minimise the identification error, not the regret.")] = False
    json: JsonOption = False
    certificate: CertificateOption = None
    plot: PlotOption = None
    csv: CsvOption = None


@dataclass(frozen=True, kw_only=True)
class SimulateOptions(WithBudget):
    """Of `simulate`."""

    algorithm: Annotated[list[str], typer.Option("--algorithm", metavar="<name>")]
    horizon: Annotated[str, typer.Option("--horizon", metavar=NUMBER, help="Number of pulls.")]
    means: Annotated[str | None, typer.Option("--means", metavar=NUMBERS, help="Comma-separated Bernoulli means.")] = (
        None
    )
    actions: Annotated[
        Path | None,
        typer.Option("--actions", help="Instead of --means: a CSV file with one action per row; needs --theta."),
    ] = None
    theta: Annotated[
        str | None, typer.Option("--theta", metavar=NUMBERS, help="Comma-separated parameter of a linear bandit.")
    ] = None
    contexts: Annotated[
        str | None,
        typer.Option(
            "--contexts",
            metavar="<name>",
            help="Instead of --means: gaussian or unit contexts, or a CSV file of vectors; needs --theta.",
        ),
    ] = None
    law: Annotated[
        str | None,
        typer.Option(
            "--law",
            metavar="<name>",
            help="Law of the rewards, with --theta: normal (default), signs (--actions) or clipped (--contexts).",
        ),
    ] = None
    losses: Annotated[
        str | None,
        typer.Option(
            "--losses",
            metavar="<name>",
            help="Instead of --means: fixed losses, either the name of a hard sequence or a CSV file.",
        ),
    ] = None
    arms: Annotated[
        str | None,
        typer.Option(
            "--arms", metavar=NUMBER, help="Number of arms with --losses (default 2) or --contexts (default 10)."
        ),
    ] = None
    experts: Annotated[
        str | None, typer.Option("--experts", metavar=NUMBER, help="Number of experts, with --losses.")
    ] = None
    panel: Annotated[
        str | None,
        typer.Option(
            "--panel", metavar="<name>", help="Advice with --experts: constant (default), uniform or drifting."
        ),
    ] = None
    runs: Annotated[str, typer.Option("--runs", metavar=NUMBER, help="Number of independent runs.")] = "100"
    epsilon: EpsilonOption = None
    delta: DeltaOption = None
    rho: RhoOption = None
    order: OrderOption = None
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="<name=value>", help="A parameter of the algorithm (repeatable)."),
    ] = None
    seed: Annotated[int, typer.Option("--seed", min=0, help="Root seed; every random number derives from it.")] = 0
    workers: WorkersOption = None
    scheduler: SchedulerOption = None
    checkpoints: Annotated[
        Path | None,
        typer.Option(
            "--checkpoints", help="Folder for finished chunks, which a later run reuses; a cluster must share it."
        ),
    ] = None
    json: JsonOption = False
    csv: Annotated[
        Path | None,
        typer.Option("--csv", callback=_writable, help="Write the regret curves of all runs into this file."),
    ] = None
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", callback=_drawable, help="Plot the regret curves into this file (with --losses, the rates)."
        ),
    ] = None

    @property
    def instance(self) -> dict[str, str | Path | None]:
        """What names the arms."""
        return {"means": self.means, "actions": self.actions, "contexts": self.contexts, "theta": self.theta}


@dataclass(frozen=True, kw_only=True)
class IdentifyOptions:
    """Of `identify`."""

    algorithm: Annotated[list[str], typer.Option("--algorithm", metavar="<name>")]
    means: Annotated[str, typer.Option("--means", metavar=NUMBERS, help="Comma-separated Bernoulli means.")]
    epsilon: Annotated[
        str | None,
        typer.Option("--epsilon", metavar=NUMBERS, help="One or several budgets of pure DP, such as 0.01,0.1,1."),
    ] = None
    delta: Annotated[
        str, typer.Option("--delta", metavar=NUMBER, help="Largest probability of naming a wrong arm.")
    ] = "0.01"
    runs: Annotated[str, typer.Option("--runs", metavar=NUMBER, help="Number of independent runs.")] = "100"
    cap: Annotated[str, typer.Option("--cap", metavar=NUMBER, help="Largest number of pulls in one run.")] = "1e8"
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="<name=value>", help="A parameter of the strategy (repeatable)."),
    ] = None
    seed: Annotated[int, typer.Option("--seed", min=0, help="Root seed; every random number derives from it.")] = 0
    workers: WorkersOption = None
    scheduler: SchedulerOption = None
    json: JsonOption = False
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", callback=_drawable, help="Plot the stopping times against several budgets into this file."
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class MembershipOptions:
    """Of `membership`."""

    records: Annotated[str, typer.Option("--records", metavar=NUMBER, help="Number of records n.")] = "1000"
    columns: Annotated[
        str, typer.Option("--columns", metavar=NUMBER, help="Number of columns d; each is an independent bit.")
    ] = "5000"
    spread: Annotated[
        str, typer.Option("--spread", metavar=NUMBER, help="Largest distance of the columns' means from 1/2.")
    ] = "0.25"
    target: Annotated[str, typer.Option("--target", metavar="<name>", help="Target record: easy, hard or random.")] = (
        "easy"
    )
    gamma: Annotated[
        list[str] | None,
        typer.Option("--gamma", metavar=NUMBER, help="Also attack the mean with noise of this size (repeatable)."),
    ] = None
    ratio: Annotated[
        list[str] | None,
        typer.Option("--ratio", metavar=NUMBER, help="Also attack the mean of this share of the records (repeatable)."),
    ] = None
    misspecified: Annotated[
        list[str] | None,
        typer.Option(
            "--misspecified",
            metavar=NUMBER,
            help="Also use an adversary with this share of the target's bits wrong (repeatable).",
        ),
    ] = None
    references: Annotated[
        list[str] | None,
        typer.Option(
            "--references",
            metavar=NUMBER,
            help="Also use an adversary who knows this many points instead of the distribution (repeatable).",
        ),
    ] = None
    mechanism: Annotated[
        list[str] | None,
        typer.Option(
            "--mechanism", metavar="<package.module:object>", help="Also attack your own mechanism (repeatable)."
        ),
    ] = None
    games: Annotated[str, typer.Option("--games", metavar=NUMBER, help="Number of games for each mechanism.")] = "1000"
    seed: Annotated[int, typer.Option("--seed", min=0, help="Root seed; every random number derives from it.")] = 0
    json: JsonOption = False
    plot: Annotated[
        Path | None, typer.Option("--plot", callback=_drawable, help="Draw the trade-off curves into this file.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class TraceOptions:
    """Of `trace`."""

    data: Annotated[
        str, typer.Option("--data", metavar="<name>", help="Training data: digits, fmnist=FOLDER or cifar10=FOLDER.")
    ] = "digits"
    hidden: Annotated[
        str, typer.Option("--hidden", metavar=NUMBER, help="Number of hidden units; 0 means softmax regression.")
    ] = "0"
    steps: Annotated[
        str, typer.Option("--steps", metavar=NUMBER, help="Number of steps in one epoch; each uses a new batch.")
    ] = "20"
    size: Annotated[str, typer.Option("--size", metavar=NUMBER, help="Number of records in a batch.")] = "64"
    rate: Annotated[str, typer.Option("--rate", metavar=NUMBER, help="Learning rate.")] = "0.001"
    ridge: Annotated[
        str, typer.Option("--ridge", metavar=NUMBER, help="Add this multiple of the mean variance to the covariance.")
    ] = "0.1"
    references: Annotated[
        str | None,
        typer.Option("--references", metavar=NUMBER, help="Number of records from which the covariance is estimated."),
    ] = None
    clip: Annotated[str | None, typer.Option("--clip", metavar=NUMBER, help="DP-SGD: clip gradients to this norm.")] = (
        None
    )
    gamma: Annotated[
        str | None,
        typer.Option(
            "--gamma", metavar=NUMBER, help="DP-SGD: deviation of the noise on averages, as a multiple of --clip."
        ),
    ] = None
    games: Annotated[
        str, typer.Option("--games", metavar=NUMBER, help="Number of epochs to train for each target.")
    ] = "1000"
    seed: Annotated[int, typer.Option("--seed", min=0, help="Root seed; every random number derives from it.")] = 0
    json: JsonOption = False
    plot: Annotated[
        Path | None, typer.Option("--plot", callback=_drawable, help="Draw the trade-off curves into this file.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class AuditOptions(WithBudget):
    """Of `audit`."""

    def time(self, otherwise: str) -> float:
        """The seconds that were typed, or others where none were."""
        from banditproof.cli.arguments import as_float, number

        return as_float("seconds", number("seconds", otherwise if self.seconds is None else self.seconds))

    target: Annotated[str, typer.Argument(help="What to test, as package.module:object; none with --program.")] = ""
    program: Annotated[
        str,
        typer.Option(
            "--program", metavar="COMMAND", help="A program in any language that reads and writes JSON lines, instead."
        ),
    ] = ""
    case: Annotated[
        Path | None,
        typer.Option("--case", help="With --program: write a counterexample into this file and NAME-neighbour."),
    ] = None
    epsilon: EpsilonOption = None
    delta: DeltaOption = None
    rho: RhoOption = None
    order: OrderOption = None
    mu: MuOption = None
    samples: Annotated[
        str | None, typer.Option("--samples", metavar=NUMBER, help="Number of fresh runs on each of two inputs.")
    ] = None
    seconds: Annotated[
        str | None,
        typer.Option(
            "--seconds",
            metavar=NUMBER,
            help="Seconds of computing for a policy without --samples; 10 by default, 30 where draws are replayed.",
        ),
    ] = None
    arms: Annotated[
        int | None,
        typer.Option("--arms", min=2, help="Number of arms (default 2), for a learner with predict and for --program."),
    ] = None
    rewards_at: Annotated[
        str,
        typer.Option(
            "--rewards-at",
            metavar="TEXT",
            help="Part of the code line that draws a reward, for a target without arguments.",
        ),
    ] = ""
    seed: Annotated[int, typer.Option("--seed", min=0, help="Root seed; every random number derives from it.")] = 0
    json: JsonOption = False
