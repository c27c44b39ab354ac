"""The commands and their options; each one is a thin wrapper and imports what it needs when it runs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from banditproof.cli.locating import TextOption, locate

# Read from no roster, which would take time; a line is as wide as the help of an option, and no name is cut in two.
ALGORITHMS = """\b
Name of an algorithm (repeatable).
With --means: follow-the-leader,
explore-then-commit, ucb, anytime-ucb, kl-ucb,
imed, thompson-sampling, successive-elimination,
episodic-ucb, dp-ucb, dp-ucb-mt15, dp-se,
adap-tt, adap-tt-star, adap-ucb, adap-klucb,
lazy-dp-ts, dp-klucb, dp-imed, adac-ucb,
adar-ucb.
With --actions: gope, adac-gope, adac-gope-var,
adac-gope-output, adar-gope, gaussian-sums-gope,
laplace-sums-gope.
With --contexts: oful, rs-oful, adac-oful,
adar-oful, linpriv, joint-dp-linucb.
With --losses: exp3, ftpl, htinf,
exp3-every-round; with --experts: experts-exp3,
experts-ftpl, experts-htinf, exp4-local,
exp4-batched."""
STRATEGIES = """\b
Repeatable: adap-tt, adap-tt-star, dp-se, ttucb,
track-and-stop, lucb,
successive-elimination."""

NUMBER, NUMBERS = "<number>", "<number,...>"  # read from text, exactly

app = typer.Typer(
    name="banditproof",
    help="Verify the mathematics of differentially private bandits: certified bounds, checked claims, audited privacy.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
bounds_app = typer.Typer(help="Compute certified bounds for an instance.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(bounds_app, name="bounds")


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"banditproof {version('banditproof')}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Verify the mathematics of differentially private bandits: certified bounds, checked claims, audited privacy."""


def _drawable(path: Path | None) -> Path | None:
    if path is not None:
        from banditproof.cli.plotting import check_path

        check_path(path)
    return path


def _writable(path: Path | None) -> Path | None:
    if path is not None and (path.is_dir() or not path.parent.is_dir()):
        from banditproof.theory.errors import InvalidInput

        raise InvalidInput("certificate", str(path), "a file in a folder that exists, such as bounds.json")
    return path


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


PaperOption = Annotated[
    list[str] | None, typer.Option("--paper", metavar="<name>", help="This paper (repeatable); all by default.")
]
ClaimOption = Annotated[
    list[str] | None, typer.Option("--claim", metavar="<id>", help="Check this claim and those under it (repeatable).")
]
ModuleOption = Annotated[
    list[Path] | None,
    typer.Option("--module", metavar="<file>", help="A Python file with claims of your own (repeatable)."),
]
ProfileOption = Annotated[Profile, typer.Option("--profile", help="quick, or full for slower and stronger evidence.")]
OutputOption = Annotated[
    Path | None,
    typer.Option("--output", help="Folder of the report; by default report, and for files alone report/modules/NAME."),
]
ResultsArgument = Annotated[
    Path | None, typer.Argument(metavar="RESULTS", help="A results.json; report/results.json by default.")
]
ResultsOption = Annotated[
    Path | None, typer.Option("--results", metavar="<file>", help="The same, as explain takes it.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", help="Print no progress and no table, only what came out.")]
SeedOption = Annotated[
    int | None, typer.Option("--seed", min=0, help="Root seed; every random number derives from it.")
]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", min=1, help="Processes; all cores by default. Results do not depend on it.")
]
SchedulerOption = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="<host:port>",
        help="Address of a Dask cluster that works in place of this machine; same results.",
    ),
]


AnswersOption = Annotated[
    Path | None,
    typer.Option(
        "--answers", metavar="<file>", help="Answers to findings; by default answers.json beside the results."
    ),
]
AgainstOption = Annotated[
    Path | None,
    typer.Option(
        "--against", metavar="<file>", help="Say what changed since this results.json; status 1 if something is lost."
    ),
]


@app.command(epilog="Example: banditproof check --paper bernoulli-dp --output report")
def check(
    paper: PaperOption = None,
    claim: ClaimOption = None,
    module: ModuleOption = None,
    profile: ProfileOption = Profile.quick,
    output: OutputOption = None,
    formats: Annotated[
        list[Format] | None,
        typer.Option(
            "--format",
            metavar="<format>",
            help="terminal, html, junit, markdown (repeatable), all by default; or what fails as github or sarif.",
        ),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Check everything again, also what has not changed since the last run.")
    ] = False,
    fail_on: Annotated[
        list[FailOn] | None,
        typer.Option(
            "--fail-on",
            metavar="<verdict>",
            help="Exit with status 1 where an item, or a claim named by --claim, has this verdict (repeatable).",
        ),
    ] = None,
    selftest: Annotated[bool, typer.Option("--selftest/--no-selftest", help="Also try every false variant.")] = True,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    seed: SeedOption = None,
    quiet: QuietOption = False,
    listed: Annotated[bool, typer.Option("--list", help="Only list the claims; nothing is checked.")] = False,
    uncovered: Annotated[bool, typer.Option("--uncovered", help="Only list catalogued items without a claim.")] = False,
    text: TextOption = None,
    answers: AnswersOption = None,
    against: AgainstOption = None,
) -> int:
    """Check every registered claim and write the report."""
    if listed or uncovered:
        return list_ids(paper, claim, module, uncovered)
    from banditproof.cli.checking import check_claims

    chosen = [f.value for f in formats] if formats else None
    return check_claims(
        papers=paper, claims=claim, modules=module or [], profile=profile.value, output=output, formats=chosen,
        reuse=not fresh, fail_on=[f.value for f in fail_on or []], selftest=selftest, workers=workers, seed=seed,
        scheduler=scheduler, copies=text or [], quiet=quiet, answers=answers, against=against,
    )  # fmt: skip


@app.command("list", epilog="Example: banditproof list --paper zcdp --uncovered")
def list_ids(
    paper: PaperOption = None,
    claim: ClaimOption = None,
    module: ModuleOption = None,
    uncovered: Annotated[bool, typer.Option("--uncovered", help="Catalogued items without a claim instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """List the claims, or the catalogued items without a claim."""
    from banditproof.cli.arguments import left_out
    from banditproof.cli.explaining import list_claims, list_uncovered

    if uncovered:
        left_out("with --uncovered", claim=claim)
        return list_uncovered(paper, module or [], as_json)
    return list_claims(paper, claim, module or [], as_json)


@app.command(epilog="Example: banditproof explain BDP-T3.1")
def explain(
    claim: Annotated[str, typer.Argument(help="A claim's id or alias, or what is printed.")],
    paper: Annotated[
        str | None, typer.Option("--paper", metavar="<name>", help="The document in which that is printed.")
    ] = None,
    module: ModuleOption = None,
    results: Annotated[
        Path | None,
        typer.Option(
            "--results",
            metavar="<file>",
            help="A results.json to quote the verdict from; by default the newest of this claim in report.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Show a claim, how it is checked, and its verdict.

    The claim is named by its id, an alias or what is printed ('Theorem 3.1', or 'rdp Theorem 8').
    """
    from banditproof.cli.explaining import explain_claim

    return explain_claim(claim, module or [], results, as_json, paper or "")


@app.command(epilog="Example: banditproof prove BDP-S3.5/step-2-total-variation")
def prove(
    claim: Annotated[str, typer.Argument(help="A claim's id or alias.")],
    module: ModuleOption = None,
    steps: Annotated[int, typer.Option("--steps", min=1, help="How many rules are tried for one formula.")] = 600,
    again: Annotated[bool, typer.Option("--again", help="Also where a tree is stored.")] = False,
) -> int:
    """Find a proof of a claim about numbers, and store it.

    A proof is a tree of rules beside the claims of a document, or in FILE.proofs.json beside a file of your own;
    'check' replays it and searches nothing.
    """
    from banditproof.cli.proving import prove_claim

    return prove_claim(claim, module or [], steps, again)


@app.command(epilog="Example: banditproof export --coq TH-P2.7/approximate --output coq")
def export(
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID", hidden=True)] = None,  # or help says <list[str]>
    coq: Annotated[bool, typer.Option("--coq", help="For Coq: a file for each theorem, one with the rules.")] = False,
    output: Annotated[Path, typer.Option("--output", help="Folder of the files.")] = Path("coq"),
    check: Annotated[bool, typer.Option("--check", help="Also run coqc on each file; say what it rests on.")] = False,
) -> int:
    """Write theorems of the kernel for another proof checker.

    ID names a claim that is proved in the kernel; by default all are written. The statement is what the claim says; the
    proof follows the stored one, rule by rule.
    """
    if not coq:
        from banditproof.theory.errors import InvalidInput

        raise InvalidInput("the form of the theorems", "nothing", "--coq")
    from banditproof.cli.exporting import export_coq

    return export_coq(ids or [], output, check)


@app.command(epilog="Example: banditproof findings --paper thesis --severity A --severity B")
def findings(
    results: ResultsArgument = None,
    named: ResultsOption = None,
    paper: PaperOption = None,
    severity: Annotated[
        list[Severity] | None,
        typer.Option("--severity", metavar="<letter>", help="A (with A-) to E, repeatable; A to D by default."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown, with the repairs.")] = False,
    as_latex: Annotated[bool, typer.Option("--latex", help="Print LaTeX, a list of errata.")] = False,
    module: ModuleOption = None,
    text: TextOption = None,
    against: AgainstOption = None,
    accepted: Annotated[
        str | None,
        typer.Option("--accept", metavar="<id>", help="Record an answer to this finding, with --by and --note."),
    ] = None,
    by: Annotated[str | None, typer.Option("--by", metavar="<name>", help="With --accept: who answers.")] = None,
    note: Annotated[str | None, typer.Option("--note", metavar="<text>", help="With --accept: the answer.")] = None,
    answers: AnswersOption = None,
) -> int:
    """List what is wrong, grouped by cause, most serious first.

    With --against, what changed since older results. With --accept, an author's answer is written down, which every
    form shows from then on beside the finding.
    """
    from banditproof.cli.arguments import left_out
    from banditproof.cli.explaining import accept_finding, print_comparison, print_findings
    from banditproof.cli.rechecking import results_path

    asked = [n for n, given in {"json": as_json, "markdown": as_markdown, "latex": as_latex}.items() if given]
    if len(asked) > 1:
        from banditproof.theory.errors import InvalidInput

        typed = " ".join(f"--{name}" for name in asked)
        raise InvalidInput("the form of the findings", typed, "one of --json, --markdown and --latex")
    forms = {"markdown": as_markdown or None, "latex": as_latex or None}
    if accepted is None:
        left_out("without --accept", by=by, note=note)
    else:
        given = {"against": against, "paper": paper, "severity": severity, "module": module, "text": text}
        left_out("with --accept", **given, **forms, json=as_json or None)
        return accept_finding(results_path(results, named), accepted, by, note, answers)
    if against is not None:
        left_out("with --against", severity=severity, **forms, module=module, text=text, answers=answers)
        return print_comparison(results_path(results, named), against, paper, as_json)
    chosen = [s.value for s in severity] if severity else list("ABCD")
    form = asked[0] if asked else "terminal"
    return print_findings(results_path(results, named), paper, chosen, form, module or [], text or [], answers)


app.command(epilog="Example: banditproof locate paper.pdf")(locate)


@app.command(epilog="Example: banditproof recheck report/results.json")
def recheck(
    results: ResultsArgument = None,
    named: ResultsOption = None,
    module: ModuleOption = None,
    simulate: Annotated[bool, typer.Option("--simulate", help="Run the simulations again too.")] = False,
    limit: Annotated[float, typer.Option(min=1, help="Seconds after which a claim is given up.")] = 300,
    workers: WorkersOption = None,
    quiet: QuietOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Check a results.json again and compare every entry.

    The registered steps of every claim run again on the stored evidence. Bounds in a file of --certificate are checked
    without the optimiser.
    """
    from banditproof.cli.rechecking import recheck_results, results_path

    return recheck_results(
        results_path(results, named),
        module or [],
        limit,
        simulate=simulate,
        workers=workers,
        quiet=quiet,
        as_json=as_json,
    )


@app.command(epilog="Example: banditproof selftest --paper bernoulli-dp")
def selftest(
    paper: PaperOption = None,
    claim: ClaimOption = None,
    module: ModuleOption = None,
    profile: ProfileOption = Profile.quick,
    output: OutputOption = None,
    mutants: Annotated[
        int | None,
        typer.Option(
            "--mutants", min=0, help="Random changes of our own algorithms; by default 100, or 0 for chosen claims."
        ),
    ] = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    seed: SeedOption = None,
    quiet: QuietOption = False,
) -> int:
    """Try every false variant of the claims: each must be refuted."""
    from banditproof.cli.checking import selftest_claims

    return selftest_claims(
        papers=paper,
        claims=claim,
        modules=module or [],
        profile=profile.value,
        output=output,
        mutants=mutants,
        workers=workers,
        seed=seed,
        scheduler=scheduler,
        quiet=quiet,
    )


@app.command(epilog="Example: banditproof arena --limit 50")
def arena(
    paper: PaperOption = None,
    module: ModuleOption = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only", metavar="<id>", help="A claim, or one variant of it as the arena names it (repeatable)."
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="A random sample of so many claims.")] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Variants and points are drawn from it.")] = 0,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="Time of the processor for each prover.")] = 1.0,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
) -> int:
    """Test the provers on known true and known false claims.

    Thousands of both are made of the registered claims.
    """
    from banditproof.cli.arena import enter_arena

    return enter_arena(
        paper, module or [], only or [], limit, seed=seed, seconds=seconds, workers=workers, scheduler=scheduler
    )


EpsilonOption = Annotated[str | None, typer.Option("--epsilon", metavar=NUMBER, help="Privacy budget of pure DP.")]
RhoOption = Annotated[str | None, typer.Option("--rho", metavar=NUMBER, help="Privacy budget of zero-concentrated DP.")]
NoRhoOption = Annotated[str | None, typer.Option("--rho", metavar=NUMBER, hidden=True)]
NO_BOUND_UNDER_ZCDP = (
    "here: no such bound is known under zCDP ('banditproof bounds minimax' has those over all instances)"
)
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print JSON; exact ends are [mantissa, exponent], that is mantissa * 2^exponent.")
]
CertificateOption = Annotated[
    Path | None,
    typer.Option(
        "--certificate",
        metavar="<file>",
        callback=_writable,
        help="Write what proves the values; 'banditproof recheck <file>' checks it.",
    ),
]
PlotOption = Annotated[
    Path | None, typer.Option("--plot", callback=_drawable, help="Draw the bounds against the budget into this file.")
]
FamilyOption = Annotated[Family, typer.Option("--family", help="Family of the arms.")]
SigmaOption = Annotated[
    str | None, typer.Option("--sigma", metavar=NUMBER, help="Standard deviation of Gaussian arms; 1 by default.")
]


@bounds_app.command(
    "regret", epilog="Example: banditproof bounds regret --means 0.75,0.7,0.7 --epsilon 0.25 --horizon 1e6"
)
def bounds_regret(
    means: Annotated[str, typer.Option("--means", metavar=NUMBERS, help="Comma-separated means of the arms.")],
    epsilon: EpsilonOption = None,
    horizon: Annotated[
        str | None, typer.Option("--horizon", metavar=NUMBER, help="Also show the bounds times log(horizon).")
    ] = None,
    family: FamilyOption = Family.bernoulli,
    sigma: SigmaOption = None,
    json: JsonOption = False,
    plot: PlotOption = None,
    rho: NoRhoOption = None,
) -> int:
    """Enclose every regret lower bound that applies to an instance."""
    from banditproof.cli.arguments import left_out
    from banditproof.cli.bounds import print_regret_bounds

    left_out(NO_BOUND_UNDER_ZCDP, rho=rho)
    if family != Family.gaussian:
        left_out("without --family gaussian", sigma=sigma)
    return print_regret_bounds(means, family.value, sigma or "1", epsilon, horizon, json, plot)


@bounds_app.command("minimax", epilog="Example: banditproof bounds minimax --arms 10 --horizon 1e6 --epsilon 0.01")
def bounds_minimax(
    horizon: Annotated[str, typer.Option("--horizon", metavar=NUMBER, help="Number of rounds.")],
    arms: Annotated[str | None, typer.Option("--arms", metavar=NUMBER, help="Number of Gaussian arms.")] = None,
    dimension: Annotated[
        str | None, typer.Option("--dimension", metavar=NUMBER, help="Of a linear bandit on [-1, 1]^d.")
    ] = None,
    epsilon: EpsilonOption = None,
    rho: RhoOption = None,
    span: Annotated[
        str, typer.Option("--span", metavar=NUMBER, help="Length of the interval of the means; inf for none.")
    ] = "1",
    json: JsonOption = False,
    certificate: CertificateOption = None,
    plot: PlotOption = None,
) -> int:
    """Enclose minimax regret bounds.

    As printed, and from the best hard instance.
    """
    from banditproof.cli.minimax import print_minimax_bounds

    return print_minimax_bounds(arms, dimension, horizon, epsilon, rho, span, json, plot, certificate)


@bounds_app.command(
    "exact", epilog="Example: banditproof bounds exact --means 0.75,0.25 --horizon 5 --epsilon 0.1,0.5,1,inf"
)
def bounds_exact(
    means: Annotated[
        list[str],
        typer.Option("--means", metavar=NUMBERS, help="Means of an instance (repeatable); one stands for its orders."),
    ],
    horizon: Annotated[str, typer.Option("--horizon", metavar=NUMBER, help="Number of rounds: 8 of two arms.")],
    epsilon: Annotated[
        str | None, typer.Option("--epsilon", metavar=NUMBERS, help="Privacy budgets of View DP; inf for no privacy.")
    ] = None,
    ratio: Annotated[
        str | None, typer.Option("--ratio", metavar=NUMBERS, help="Instead: e^epsilon, such as 2 or 3/2.")
    ] = None,
    rho: Annotated[
        str | None, typer.Option("--rho", metavar=NUMBERS, help="Instead: budgets of zero-concentrated privacy.")
    ] = None,
    delta: Annotated[str, typer.Option("--delta", metavar=NUMBER, help="Of approximate privacy.")] = "0",
    notion: Annotated[Notion, typer.Option("--notion", help="With a delta or rho they differ.")] = Notion.view,
    error: Annotated[bool, typer.Option("--error", help="The error of identification in place of the regret.")] = False,
    json: JsonOption = False,
    certificate: CertificateOption = None,
    plot: PlotOption = None,
) -> int:
    """Compute what no private policy can beat.

    The smallest worst-case regret over a few rounds, exactly, and the printed bounds beside it.
    """
    from banditproof.cli.exact import print_exact_values

    return print_exact_values(means, horizon, epsilon, ratio, rho, delta, notion.value, error, json, plot, certificate)


@bounds_app.command(
    "adversarial", epilog="Example: banditproof bounds adversarial --arms 10 --horizon 1e8 --epsilon 0.1 --experts 8"
)
def bounds_adversarial(
    arms: Annotated[str, typer.Option("--arms", metavar=NUMBER, help="Number of actions.")],
    horizon: Annotated[str, typer.Option("--horizon", metavar=NUMBER, help="Number of rounds.")],
    epsilon: Annotated[str, typer.Option("--epsilon", metavar=NUMBER, help="Privacy budget.")],
    experts: Annotated[str | None, typer.Option("--experts", metavar=NUMBER, help="Number of experts.")] = None,
    delta: Annotated[
        str | None, typer.Option("--delta", metavar=NUMBER, help="For the bound of (epsilon, delta)-DP.")
    ] = None,
    json: JsonOption = False,
) -> int:
    """Enclose regret bounds of adversarial bandits.

    Also with expert advice; the conditions of every bound are named.
    """
    from banditproof.cli.minimax import print_adversarial_bounds

    return print_adversarial_bounds(arms, horizon, epsilon, experts, delta, json)


@bounds_app.command("linear", epilog="Example: banditproof bounds linear actions.csv --theta 1,0.4 --epsilon 0.1")
def bounds_linear(
    actions: Annotated[Path, typer.Argument(help="CSV file with one action per row.")],
    theta: Annotated[str, typer.Option("--theta", metavar=NUMBERS, help="Comma-separated parameter of the rewards.")],
    epsilon: EpsilonOption = None,
    json: JsonOption = False,
    certificate: CertificateOption = None,
    plot: PlotOption = None,
) -> int:
    """Enclose the regret constant of a linear bandit."""
    from banditproof.cli.linear import print_linear_bounds

    return print_linear_bounds(actions, theta, epsilon, json, plot, certificate)


@bounds_app.command("bai", epilog="Example: banditproof bounds bai --means 0.9,0.8,0.5 --delta 0.01 --epsilon 0.5")
def bounds_bai(
    means: Annotated[str, typer.Option("--means", metavar=NUMBERS, help="Comma-separated means of the arms.")],
    delta: Annotated[str, typer.Option("--delta", metavar=NUMBER, help="Risk of recommending another arm.")] = "0.01",
    epsilon: EpsilonOption = None,
    beta: Annotated[
        str | None, typer.Option("--beta", metavar=NUMBER, help="Fixed proportion of the best arm.")
    ] = None,
    family: FamilyOption = Family.bernoulli,
    sigma: SigmaOption = None,
    json: JsonOption = False,
    certificate: CertificateOption = None,
    plot: PlotOption = None,
    rho: NoRhoOption = None,
) -> int:
    """Enclose the samples needed to identify the best arm.

    With the optimal allocation.
    """
    from banditproof.cli.arguments import left_out
    from banditproof.cli.best_arm import print_sample_complexity_bounds

    left_out(NO_BOUND_UNDER_ZCDP, rho=rho)
    if family != Family.gaussian:
        left_out("without --family gaussian", sigma=sigma)
    return print_sample_complexity_bounds(
        means, family.value, sigma or "1", delta, epsilon, beta, json, plot, certificate
    )


@bounds_app.command(
    "coupling", epilog="Example: banditproof bounds coupling --first 0.5 --second 0.4 --copies 100 --rho 0.1"
)
def bounds_coupling(
    first: Annotated[
        str, typer.Option("--first", metavar=NUMBERS, help="Comma-separated Bernoulli means, one per coordinate.")
    ],
    second: Annotated[str, typer.Option("--second", metavar=NUMBERS, help="The means of the other product law.")],
    copies: Annotated[
        str, typer.Option("--copies", metavar=NUMBER, help="How often the coordinates are repeated.")
    ] = "1",
    epsilon: EpsilonOption = None,
    rho: RhoOption = None,
    json: JsonOption = False,
    certificate: CertificateOption = None,
    plot: PlotOption = None,
) -> int:
    """Couple two product laws and bound what privacy tells apart."""
    from banditproof.cli.coupling import print_coupling_bounds

    return print_coupling_bounds(first, second, copies, epsilon, rho, json, plot, certificate)


@app.command(epilog="Example: banditproof design actions.csv --tol 1e-6")
def design(
    actions: Annotated[Path, typer.Argument(help="CSV file with one action per row.")],
    tol: Annotated[str, typer.Option("--tol", metavar=NUMBER, help="The Kiefer-Wolfowitz gap to stop at.")] = "1e-9",
    prune: Annotated[bool, typer.Option("--prune", help="Leave at most d(d+1)/2 actions.")] = False,
    json: JsonOption = False,
    certificate: CertificateOption = None,
) -> int:
    """Compute a G-optimal design, certified by its gap."""
    from banditproof.cli.linear import print_design

    return print_design(actions, tol, prune, json, certificate)


@app.command(
    epilog="Example: banditproof simulate --algorithm dp-imed --means 0.75,0.7 --epsilon 0.5 --horizon 1e7 --runs 100"
)
def simulate(
    algorithm: Annotated[list[str], typer.Option("--algorithm", metavar="<name>", help=ALGORITHMS)],
    horizon: Annotated[str, typer.Option("--horizon", metavar=NUMBER, help="Number of pulls.")],
    means: Annotated[
        str | None, typer.Option("--means", metavar=NUMBERS, help="Comma-separated Bernoulli means.")
    ] = None,
    actions: Annotated[
        Path | None, typer.Option("--actions", help="Instead of --means: CSV file with a row per action, with --theta.")
    ] = None,
    theta: Annotated[
        str | None, typer.Option("--theta", metavar=NUMBERS, help="Comma-separated parameter of a linear bandit.")
    ] = None,
    contexts: Annotated[
        str | None,
        typer.Option(
            "--contexts",
            metavar="<name>",
            help="Instead of --means: gaussian, unit or a CSV file of vectors, with --theta.",
        ),
    ] = None,
    law: Annotated[
        str | None,
        typer.Option(
            "--law",
            metavar="<name>",
            help="Rewards with --theta: normal (the default), signs (--actions) or clipped (--contexts).",
        ),
    ] = None,
    losses: Annotated[
        str | None,
        typer.Option(
            "--losses",
            metavar="<name>",
            help="Instead of --means: fixed losses, a hard sequence by name or a CSV file.",
        ),
    ] = None,
    arms: Annotated[
        str | None,
        typer.Option("--arms", metavar=NUMBER, help="With --losses (default 2) or --contexts (10): number of arms."),
    ] = None,
    experts: Annotated[
        str | None, typer.Option("--experts", metavar=NUMBER, help="With --losses: number of experts.")
    ] = None,
    panel: Annotated[
        str | None,
        typer.Option(
            "--panel", metavar="<name>", help="With --experts: constant (the default), uniform or drifting advice."
        ),
    ] = None,
    runs: Annotated[str, typer.Option("--runs", metavar=NUMBER, help="Number of independent runs.")] = "100",
    epsilon: EpsilonOption = None,
    delta: Annotated[
        str | None, typer.Option("--delta", metavar=NUMBER, help="With --epsilon: approximate DP.")
    ] = None,
    rho: RhoOption = None,
    order: Annotated[
        str | None, typer.Option("--order", metavar=NUMBER, help="With --epsilon: Renyi DP of this order.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="<name=value>", help="A parameter of the algorithm, name=value (repeatable)."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Root seed; every random number derives from it.")] = 0,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    checkpoints: Annotated[
        Path | None,
        typer.Option(
            "--checkpoints", help="Folder for finished chunks, taken up by a later run; a cluster has to share it."
        ),
    ] = None,
    json: JsonOption = False,
    csv: Annotated[Path | None, typer.Option("--csv", help="Write the regret curves of all runs.")] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", callback=_drawable, help="Draw the regret curves (with --losses: the rates) into this file."
        ),
    ] = None,
) -> int:
    """Simulate algorithms and print their regret beside the bounds.

    On Bernoulli arms, linear or contextual bandits, or fixed losses.
    """
    from banditproof.cli.arguments import left_out
    from banditproof.cli.simulating import chosen_arms, simulate_algorithms, working

    budgets = {"epsilon": epsilon, "delta": delta, "rho": rho, "order": order}
    if losses is not None:
        from banditproof.cli.minimax import simulate_on_losses

        left_out("with --losses", means=means, actions=actions, theta=theta, contexts=contexts, law=law, option=option,
                 csv=csv, checkpoints=checkpoints, workers=workers, scheduler=scheduler)  # fmt: skip
        if experts is None:
            left_out("without --experts", panel=panel)
        advice = panel or "constant"
        return simulate_on_losses(losses, algorithm, budgets, horizon, arms, experts, advice, runs, seed, json, plot)
    left_out("without --losses", experts=experts, panel=panel)
    if contexts is None:
        left_out("without --losses and --contexts", arms=arms)
    if theta is None:
        left_out("without --theta", law=law)
    instance = chosen_arms(means, actions, theta, law or "normal", contexts, arms)
    kept = None if checkpoints is None else checkpoints.resolve()
    with working(workers, scheduler) as hands:
        return simulate_algorithms(
            algorithm, instance, budgets, horizon, runs, option or [], seed, hands, kept, json, csv, plot
        )


@app.command(
    epilog="Example: banditproof identify --algorithm adap-tt --algorithm dp-se --means 0.8,0.5,0.2 --epsilon 1 "
    "--delta 0.01 --runs 100"
)
def identify(
    algorithm: Annotated[list[str], typer.Option("--algorithm", metavar="<name>", help=STRATEGIES)],
    means: Annotated[str, typer.Option("--means", metavar=NUMBERS, help="Comma-separated Bernoulli means.")],
    epsilon: Annotated[
        str | None, typer.Option("--epsilon", metavar=NUMBERS, help="Pure DP budget, or several: 0.01,0.1,1.")
    ] = None,
    delta: Annotated[str, typer.Option("--delta", metavar=NUMBER, help="Risk of naming another arm.")] = "0.01",
    runs: Annotated[str, typer.Option("--runs", metavar=NUMBER, help="Number of independent runs.")] = "100",
    cap: Annotated[str, typer.Option("--cap", metavar=NUMBER, help="Pulls after which a run is given up.")] = "1e8",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="<name=value>", help="A parameter of the strategy, name=value (repeatable)."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Root seed; every random number derives from it.")] = 0,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    json: JsonOption = False,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", callback=_drawable, help="Draw stopping times against several budgets into this file."),
    ] = None,
) -> int:
    """Run strategies that identify the best arm.

    Error and stopping times are printed with intervals, beside the lower bounds.
    """
    from banditproof.cli.best_arm import identify_best_arms
    from banditproof.cli.simulating import working

    with working(workers, scheduler) as hands:
        return identify_best_arms(algorithm, means, epsilon, delta, runs, cap, option or [], seed, hands, json, plot)


@app.command(
    epilog="Example: banditproof membership --records 1000 --columns 5000 --gamma 1 --ratio 0.1 --games 1000 "
    "--plot trade_offs.svg"
)
def membership(
    records: Annotated[str, typer.Option("--records", metavar=NUMBER, help="Number of records n.")] = "1000",
    columns: Annotated[
        str, typer.Option("--columns", metavar=NUMBER, help="Number of columns d, independent bits.")
    ] = "5000",
    spread: Annotated[
        str, typer.Option("--spread", metavar=NUMBER, help="Parameters are uniform within this of 1/2.")
    ] = "0.25",
    target: Annotated[str, typer.Option("--target", metavar="<name>", help="easy, hard or random.")] = "easy",
    gamma: Annotated[
        list[str] | None, typer.Option("--gamma", metavar=NUMBER, help="A noisy mean (repeatable).")
    ] = None,
    ratio: Annotated[
        list[str] | None, typer.Option("--ratio", metavar=NUMBER, help="A sub-sampled mean (repeatable).")
    ] = None,
    misspecified: Annotated[
        list[str] | None,
        typer.Option("--misspecified", metavar=NUMBER, help="Share of the target's bits taken wrong (repeatable)."),
    ] = None,
    references: Annotated[
        list[str] | None,
        typer.Option("--references", metavar=NUMBER, help="Points known in place of the data's law (repeatable)."),
    ] = None,
    mechanism: Annotated[
        list[str] | None,
        typer.Option(
            "--mechanism",
            metavar="<package.module:object>",
            help="Your own, package.module:object, see above (repeatable).",
        ),
    ] = None,
    games: Annotated[str, typer.Option("--games", metavar=NUMBER, help="Number of games for each mechanism.")] = "1000",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Root seed; every random number derives from it.")] = 0,
    json: JsonOption = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", callback=_drawable, help="Draw the trade-off curves into this file.")
    ] = None,
) -> int:
    """Attack the mean of records by membership inference.

    Advantage and power are counted and stand beside theory.

    A mechanism of your own is a function of the records, an array of bits [records, columns], and a generator; it
    returns a vector with a number for every column, which is attacked as if it was the mean.
    """
    from banditproof.cli.adversaries import play_membership

    kinds = {"gamma": gamma, "ratio": ratio, "misspecified": misspecified, "references": references, "own": mechanism}
    asked = {name: given or [] for name, given in kinds.items()}
    return play_membership(records, columns, spread, target, asked, games, seed, json, plot)


@app.command(epilog="Example: banditproof trace --hidden 16 --games 2000 --plot roc.svg")
def trace(
    data: Annotated[
        str, typer.Option("--data", metavar="<name>", help="digits, fmnist=FOLDER or cifar10=FOLDER.")
    ] = "digits",
    hidden: Annotated[
        str, typer.Option("--hidden", metavar=NUMBER, help="Hidden units; 0 is softmax regression.")
    ] = "0",
    steps: Annotated[
        str, typer.Option("--steps", metavar=NUMBER, help="Steps of one epoch, each on a batch of its own.")
    ] = "20",
    size: Annotated[str, typer.Option("--size", metavar=NUMBER, help="Records in a batch.")] = "64",
    rate: Annotated[str, typer.Option("--rate", metavar=NUMBER, help="Learning rate.")] = "0.001",
    ridge: Annotated[
        str, typer.Option("--ridge", metavar=NUMBER, help="Added to the covariance, in mean variances.")
    ] = "0.1",
    references: Annotated[
        str | None, typer.Option("--references", metavar=NUMBER, help="Records it is estimated from.")
    ] = None,
    clip: Annotated[
        str | None, typer.Option("--clip", metavar=NUMBER, help="DP-SGD: gradients are clipped to this length.")
    ] = None,
    gamma: Annotated[
        str | None, typer.Option("--gamma", metavar=NUMBER, help="DP-SGD: noise on averages, in clips.")
    ] = None,
    games: Annotated[str, typer.Option("--games", metavar=NUMBER, help="Number of epochs for each target.")] = "1000",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Root seed; every random number derives from it.")] = 0,
    json: JsonOption = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", callback=_drawable, help="Draw the trade-off curves into this file.")
    ] = None,
) -> int:
    """Attack an epoch of gradient descent by membership inference.

    The easiest and the hardest record are traced by the gradients of the last layer.
    """
    from banditproof.cli.adversaries import trace_descent

    counts = {"hidden": hidden, "steps": steps, "size": size, "references": references, "games": games}
    reals = {"rate": rate, "ridge": ridge, "clip": clip, "gamma": gamma}
    return trace_descent(data, {**counts, **reals}, seed, json, plot)


@app.command(epilog="Example: banditproof audit my_package.policies:make_policy --epsilon 1 --seconds 20")
def audit(
    target: Annotated[str, typer.Argument(help="package.module:object, see above.")],
    epsilon: EpsilonOption = None,
    delta: Annotated[
        str | None, typer.Option("--delta", metavar=NUMBER, help="With --epsilon: of approximate DP.")
    ] = None,
    rho: RhoOption = None,
    order: Annotated[
        str | None, typer.Option("--order", metavar=NUMBER, help="With --epsilon: Renyi DP of this order.")
    ] = None,
    mu: Annotated[str | None, typer.Option("--mu", metavar=NUMBER, help="Privacy budget of Gaussian DP.")] = None,
    samples: Annotated[
        str | None, typer.Option("--samples", metavar=NUMBER, help="Fresh runs on each of two inputs.")
    ] = None,
    seconds: Annotated[
        str, typer.Option("--seconds", metavar=NUMBER, help="Time for a policy where --samples is not given.")
    ] = "10",
    arms: Annotated[int, typer.Option("--arms", min=2, help="Arms that a policy as it is tries first.")] = 2,
    rewards_at: Annotated[
        str, typer.Option("--rewards-at", metavar="TEXT", help="A piece of the line on which a reward is drawn.")
    ] = "",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Root seed; every random number derives from it.")] = 0,
    json: JsonOption = False,
) -> int:
    """Test a privacy claim: of outputs, or of a program as it is.

    The largest parameter that is certain is printed; the exit status is 1 if it refutes the budget.

    The target makes a policy, `make(noise, generator)`, or as many as it is told to by a third parameter
    `replications`, or it draws outputs on one of two neighbouring inputs, `mechanism(world, size, generator)` with
    world 0 or 1. A target without arguments makes a policy that knows nothing of this library, or runs a whole
    simulation and returns the arms: its draws are recorded and replayed, and defects are named with their lines.
    """
    from banditproof.cli.adversaries import audit_target

    budgets = {"epsilon": epsilon, "delta": delta, "rho": rho, "order": order, "mu": mu}
    return audit_target(target, budgets, samples, seconds, seed, json, arms, rewards_at)


@app.command(epilog="Example: banditproof new my-draft --title 'A draft of mine'")
def new(
    name: Annotated[str, typer.Argument(help="What --paper will call it: small letters, digits, hyphens.")],
    title: Annotated[str, typer.Option("--title", metavar="<text>", help="Its title.")] = "A new document",
    folder: Annotated[
        Path | None, typer.Option("--folder", help="Where to write; by default a folder of that name.")
    ] = None,
    paper: Annotated[
        Path | None,
        typer.Option("--from", metavar="<file>", help="Your paper, .pdf, .tex or .txt: a stub for all it numbers."),
    ] = None,
) -> int:
    """Write a package with claims of every kind for your document.

    With --from it has a catalogue of the theorems, lemmas, definitions, algorithms and equations that your paper
    numbers, and beside each printed sentence a stub for its claim.
    """
    from banditproof.claims.new_document import draft_document, write_document

    target = folder or Path(name)
    if paper is None:
        written = write_document(target, name, title)
    else:
        written, kinds = draft_document(target, name, title, paper)
        print(f"found in {paper}: {', '.join(f'{count} of kind {kind}' for kind, count in kinds.most_common())}")
    for path in written:
        print(path)
    then = f"check --paper {name}" if paper is None else f"list --paper {name} --uncovered"
    print(f"next: pip install --editable {target} && banditproof {then}")
    return 0


@app.command(epilog="Example: banditproof init --ci")
def init(
    ci: Annotated[bool, typer.Option("--ci", help="Also a workflow of GitHub Actions that runs the test.")] = False,
    folder: Annotated[Path, typer.Option("--folder", help="The project; by default the folder you are in.")] = Path(),
) -> int:
    """Write a first test into your project, and a workflow.

    No file that exists is changed.
    """
    from banditproof.cli.starting import start

    return start(folder, ci)


@app.command(epilog="Example: banditproof plan --at-most 0.05 --actual 0.03 --error 1e-6 --power 0.9")
def plan(
    actual: Annotated[str, typer.Option("--actual", metavar=NUMBER, help="What you take the probability to be.")],
    at_most: Annotated[
        str | None, typer.Option("--at-most", metavar=NUMBER, help="The claim: the probability is at most this.")
    ] = None,
    at_least: Annotated[
        str | None, typer.Option("--at-least", metavar=NUMBER, help="The claim: the probability is at least this.")
    ] = None,
    error: Annotated[str, typer.Option("--error", metavar=NUMBER, help="Probability of a false alarm.")] = "1e-6",
    power: Annotated[str, typer.Option("--power", metavar=NUMBER, help="Probability that the runs settle it.")] = "0.9",
    tests: Annotated[str, typer.Option("--tests", metavar=NUMBER, help="Tests that share the error.")] = "1",
    runs: Annotated[
        str | None,
        typer.Option("--runs", metavar=NUMBER, help="Your number of runs: status 1 where it cannot settle it."),
    ] = None,
    json: JsonOption = False,
) -> int:
    """Compute how many runs a test of a probability needs.

    The test passes where the whole exact interval of the probability is as claimed, and fails where no point of it is.
    """
    from banditproof.cli.planning import plan_test

    return plan_test(at_most, at_least, actual, error, power, tests, runs, json)
