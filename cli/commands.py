"""The commands and their options; each one is a thin wrapper and imports what it needs when it runs."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperGroup
from typer.main import get_command

from banditproof.cli.listing import algorithms_to_simulate, listing, strategies_to_run
from banditproof.cli.locating import locate
from banditproof.cli.settings import (
    NUMBER,
    NUMBERS,
    ActionsArgument,
    AuditOptions,
    BudgetsOption,
    CertificateOption,
    CheckOptions,
    ClaimOption,
    CsvOption,
    EpsilonOption,
    ExactOptions,
    Family,
    FamilyOption,
    FindingsOptions,
    IdentifyOptions,
    JsonOption,
    JudgeOptions,
    MembershipOptions,
    ModuleOption,
    Noise,
    NoRhoOption,
    PaperOption,
    PlotOption,
    QuietOption,
    ResultsArgument,
    ResultsOption,
    RhoOption,
    SchedulerOption,
    SelftestOptions,
    SigmaOption,
    SimulateOptions,
    TraceOptions,
    VerdictsOption,
    WorkersOption,
    options,
)

SUMMARY = "Check the mathematics of differentially private bandits: bounds, claims and privacy."

app = typer.Typer(
    name="banditproof",
    help=SUMMARY,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    epilog="Exit status: 0 done, 1 refuted or broken, 2 cannot be read, 3 not decided, 4 an error of banditproof.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
bounds_app = typer.Typer(help="Compute certified bounds for an instance.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(bounds_app, name="bounds")


@cache
def whole_command() -> TyperGroup:
    """The command line with all its commands, made once in a process."""
    command = get_command(app)
    assert isinstance(command, TyperGroup)
    return command


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"banditproof {version('banditproof')}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Compute certified bounds, check claims and test privacy."""


@app.command(epilog="Example: banditproof check --paper bernoulli-dp --output report")
@options
def check(asked: CheckOptions) -> int:
    """Check every registered claim and write the report."""
    if asked.listed or asked.uncovered:
        return list_ids(asked.paper, asked.claim, asked.module, uncovered=asked.uncovered)
    from banditproof.cli.checking import check_claims

    return check_claims(asked)


@app.command("list", epilog="Example: banditproof list --paper zcdp --uncovered")
def list_ids(
    paper: PaperOption = None,
    claim: ClaimOption = None,
    module: ModuleOption = None,
    find: Annotated[
        str | None,
        typer.Option("--find", metavar="<words>", help="List the claims with these words, the nearest first."),
    ] = None,
    uncovered: Annotated[bool, typer.Option("--uncovered", help="List the items that have no claim instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """List the claims, or the items of a paper that have no claim."""
    from banditproof.cli.arguments import left_out
    from banditproof.cli.explaining import list_claims, list_uncovered

    if uncovered:
        left_out("with --uncovered", claim=claim, find=find)
        return list_uncovered(paper, module or [], as_json)
    return list_claims(paper, claim, module or [], as_json, find)


@app.command(epilog="Example: banditproof explain BDP-T3.1")
def explain(
    claim: Annotated[str, typer.Argument(help="An id, a printed name such as 'Theorem 3.1', or a word.")],
    paper: Annotated[str | None, typer.Option("--paper", metavar="<name>", help="The paper that contains it.")] = None,
    module: ModuleOption = None,
    results: VerdictsOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Show a claim, how it is checked, and its verdict.

    Name the claim by its id, an alias or its printed name ('Theorem 3.1', or 'rdp Theorem 8'). Of a word of the field,
    a function or a bound such as d-epsilon, it says what that is.
    """
    from banditproof.cli.explaining import explain_claim

    return explain_claim(claim, module or [], results, as_json, paper or "")


@app.command(
    context_settings={"help_option_names": ["--help"], "ignore_unknown_options": True},  # a statement may begin with -
    epilog="Example: banditproof judge 'kl(x, y) >= 2 (x - y)^2 for x in [0, 1], y in (0, 1)'",
)
@options
def judge(asked: JudgeOptions) -> int:
    """Settle a printed statement, or a file of them.

    The answer says how the statement was read, and whether it is proved, refuted or open. The exit status is 0 if it
    is proved, 1 if it is refuted, 3 if it is open and 2 if it cannot be read.
    """
    from banditproof.cli.judging import judge_as_asked

    return judge_as_asked(asked)


@app.command(epilog="Example: banditproof review draft.tex --minutes 30")
def review(
    paper: Annotated[
        Path | None, typer.Argument(metavar="PAPER", help="Your paper (.tex, .md), or remarks on one (.json).")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--folder", help="Folder of the review; by default, PAPER-review.")
    ] = None,
    minutes: Annotated[float, typer.Option("--minutes", min=0.1, help="Judge for so long; the next run goes on.")] = 30,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="Longest time for one statement.")] = 60,
    workers: WorkersOption = None,
    quiet: QuietOption = False,
) -> int:
    """Review a paper: its formulas, their readings and verdicts.

    The sentences and their readings go into a file that you complete and correct; the next run judges what you changed.
    The page shows a verdict once you have compared the reading with the sentence.
    """
    from banditproof.cli.judging import Limits
    from banditproof.cli.reviewing import review_paper

    return review_paper(paper, folder, Limits(20_000, seconds), minutes, workers, quiet)


@app.command(epilog="Example: banditproof init --ci")
def init(
    ci: Annotated[bool, typer.Option("--ci", help="Also write a GitHub Actions workflow that runs the test.")] = False,
    folder: Annotated[
        Path, typer.Option("--folder", help="Folder of your project; by default the current folder.")
    ] = Path(),
) -> int:
    """Write a privacy test (and a CI workflow) into your project.

    Existing files are never changed.
    """
    from banditproof.cli.starting import start

    return start(folder, ci)


@app.command(epilog="Example: banditproof mcp")
def mcp() -> int:
    """Run as a server of tools for assistants and editors.

    It speaks the Model Context Protocol and answers on standard input and output. Its tools are judge, bounds, explain
    and audit.
    """
    from banditproof.cli.serving import serve

    return serve()


@app.command(epilog="Example: banditproof prove BDP-S3.5/step-2-total-variation")
def prove(
    claim: Annotated[str | None, typer.Argument(help="The id or an alias of a claim, or a file of claims.")] = None,
    module: ModuleOption = None,
    steps: Annotated[int, typer.Option("--steps", min=1, help="Largest number of rules to try for one formula.")] = 600,
    again: Annotated[bool, typer.Option("--again", help="Search even if a proof is already stored.")] = False,
) -> int:
    """Find and store proofs of a claim, or of all claims of a file.

    The proof is a tree of rules. It is stored with the claims of the paper, or in FILE.proofs.json beside your own
    file. 'check' replays the stored proof and does not search.
    """
    from banditproof.cli.proving import prove_claims

    return prove_claims(claim, module or [], steps, again)


@app.command(epilog="Example: banditproof export --coq TH-P2.7/approximate --output coq")
def export(
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID", hidden=True)] = None,  # or help says <list[str]>
    coq: Annotated[
        bool, typer.Option("--coq", help="Write for Coq: one file for each theorem and one with the rules.")
    ] = False,
    proofs: Annotated[
        bool, typer.Option("--proofs", help="Write the proofs as JSON: one file for each theorem, complete in itself.")
    ] = False,
    output: Annotated[Path | None, typer.Option("--output", help="Folder for the files; ./coq or ./proofs.")] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Also run coqc on each file and print its assumptions.")
    ] = False,
) -> int:
    """Write theorems and stored proofs for another proof checker.

    ID is a claim that is proved in the kernel or, with --proofs, by a stored tree; without an ID, all are written. The
    statement is that of the claim, and the proof follows the stored proof rule by rule.
    """
    from banditproof.cli.arguments import left_out
    from banditproof.cli.exporting import export_coq, export_proofs

    if coq == proofs:
        from banditproof.theory.errors import InvalidInput

        raise InvalidInput("the form of the theorems", "both" if coq else "nothing", "named: give --coq or --proofs")
    if coq:
        return export_coq(ids or [], output or Path("coq"), check)
    left_out("with --proofs", check=check or None)
    return export_proofs(ids or [], output or Path("proofs"))


@app.command(epilog="Example: banditproof findings --paper thesis --severity A --severity B")
@options
def findings(asked: FindingsOptions) -> int:
    """List what is wrong, grouped by cause, most serious first.

    With --against, list what changed since older results. With --accept, record an author's answer; every report then
    shows it next to the finding.
    """
    from banditproof.cli.arguments import left_out
    from banditproof.cli.explaining import accept_finding, print_comparison, print_findings
    from banditproof.cli.rechecking import results_path

    forms, path = asked.forms, partial(results_path, asked.results, asked.named)
    if len(forms) > 1:
        from banditproof.theory.errors import InvalidInput

        typed = " ".join(f"--{name}" for name in forms)
        raise InvalidInput("the form of the findings", typed, "one of --json, --markdown and --latex")
    read = {"severity": asked.severity, "module": asked.module, "text": asked.text}
    if asked.registry is not None:
        left_out(
            "with --registry",
            against=asked.against,
            accept=asked.accepted,
            text=asked.text,
            **dict.fromkeys(forms, True),
        )
    if asked.accepted is not None:
        left_out("with --accept", against=asked.against, paper=asked.paper, **read, **dict.fromkeys(forms, True))
        return accept_finding(path(), asked.accepted, asked.by, asked.note, asked.answers)
    left_out("without --accept", by=asked.by, note=asked.note)
    if asked.against is not None:
        others = {name: True for name in forms if name != "json"}
        left_out("with --against", **read, **others, answers=asked.answers)
        return print_comparison(path(), asked.against, asked.paper, asked.as_json)
    return print_findings(path(), asked)


app.command(epilog="Example: banditproof locate paper.pdf")(locate)


@app.command(epilog="Example: banditproof recheck report/results.json")
def recheck(
    results: ResultsArgument = None,
    named: ResultsOption = None,
    module: ModuleOption = None,
    redo: Annotated[bool, typer.Option("--redo", help="Also evaluate all points, and repeat the simulations.")] = False,
    simulate: Annotated[bool, typer.Option("--simulate", hidden=True)] = False,  # the former name of --redo
    second_reader: Annotated[
        bool, typer.Option("--second-reader", help="Only read the proofs of the kernel, by a checker of its own.")
    ] = False,
    limit: Annotated[float, typer.Option(min=1, help="Longest time in seconds for one claim.")] = 300,
    workers: WorkersOption = None,
    quiet: QuietOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Check a results.json again and compare every entry.

    This repeats all proofs and evaluates all counterexamples. Evidence that only supports a claim is compared with what
    its step asks for; with --redo it is computed again too. A file that --certificate wrote is checked without the
    optimiser. With --second-reader a checker that shares no code with the kernel reads its proofs, and nothing else is
    done.
    """
    from banditproof.cli.rechecking import recheck_results, results_path

    if second_reader:
        from banditproof.cli.arguments import left_out
        from banditproof.cli.second_reading import read_again

        left_out("with --second-reader", redo=redo or simulate or None, module=module)
        return read_again(results_path(results, named), quiet or as_json, as_json)
    return recheck_results(
        results_path(results, named),
        module or [],
        limit,
        redo=redo or simulate,
        workers=workers,
        quiet=quiet,
        as_json=as_json,
    )


@app.command(epilog="Example: banditproof selftest --paper bernoulli-dp")
@options
def selftest(asked: SelftestOptions) -> int:
    """Test the checks: they must refute every false variant."""
    from banditproof.cli.checking import selftest_claims

    return selftest_claims(asked)


@app.command(epilog="Example: banditproof arena --limit 50")
def arena(
    paper: PaperOption = None,
    module: ModuleOption = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="<id>",
            help="Test only this claim, or only the variant that the arena prints under this name (repeatable).",
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Use a random sample of this many claims.")
    ] = None,
    again: Annotated[
        Path | None,
        typer.Option(
            "--again",
            metavar="<file>",
            help="Only prove the true statements that this file lists again, and print their share.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the random variants and points.")] = 0,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, help="CPU time in seconds for each prover of a statement.")
    ] = 10.0,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
) -> int:
    """Test the provers on known true and known false claims.

    The command makes thousands of true and false claims from the registered ones. No prover may prove a false one or
    refute a true one.
    """
    from banditproof.cli.arena import enter_again, enter_arena
    from banditproof.cli.arguments import left_out

    if again is not None:
        left_out("with --again, which names its statements", paper=paper, only=only, limit=limit)
        return enter_again(again, module or [], seconds=seconds, workers=workers, scheduler=scheduler)
    return enter_arena(
        paper, module or [], only or [], limit, seed=seed, seconds=seconds, workers=workers, scheduler=scheduler
    )


NO_BOUND_UNDER_ZCDP = (
    "here, because no such bound is known under zCDP ('banditproof bounds minimax' has bounds over all instances)"
)


@bounds_app.command(
    "regret", epilog="Example: banditproof bounds regret --means 0.75,0.7,0.7 --epsilon 0.25 --horizon 1e6"
)
def bounds_regret(
    means: Annotated[str, typer.Option("--means", metavar=NUMBERS, help="Comma-separated means of the arms.")],
    epsilon: BudgetsOption = None,
    horizon: Annotated[
        str | None, typer.Option("--horizon", metavar=NUMBER, help="Also show the bounds times log(horizon).")
    ] = None,
    family: FamilyOption = Family.bernoulli,
    sigma: SigmaOption = None,
    json: JsonOption = False,
    csv: CsvOption = None,
    plot: PlotOption = None,
    rho: NoRhoOption = None,
) -> int:
    """Compute every regret lower bound that applies to an instance."""
    from banditproof.cli.arguments import left_out
    from banditproof.cli.bounds import print_regret_bounds

    left_out(NO_BOUND_UNDER_ZCDP, rho=rho)
    if family != Family.gaussian:
        left_out("without --family gaussian", sigma=sigma)
    return print_regret_bounds(means, family.value, sigma or "1", epsilon, horizon, json, csv, plot)


@bounds_app.command("minimax", epilog="Example: banditproof bounds minimax --arms 10 --horizon 1e6 --epsilon 0.01")
def bounds_minimax(
    horizon: Annotated[str, typer.Option("--horizon", metavar=NUMBER, help="Number of rounds.")],
    arms: Annotated[str | None, typer.Option("--arms", metavar=NUMBER, help="Number of Gaussian arms.")] = None,
    dimension: Annotated[
        str | None, typer.Option("--dimension", metavar=NUMBER, help="Dimension d of a linear bandit on [-1, 1]^d.")
    ] = None,
    epsilon: EpsilonOption = None,
    rho: RhoOption = None,
    span: Annotated[
        str, typer.Option("--span", metavar=NUMBER, help="Length of the interval with all mean rewards, or inf.")
    ] = "1",
    json: JsonOption = False,
    certificate: CertificateOption = None,
    csv: CsvOption = None,
    plot: PlotOption = None,
) -> int:
    """Compute minimax regret bounds.

    Print the bounds of the papers, and those of the best hard instance.
    """
    from banditproof.cli.minimax import print_minimax_bounds

    return print_minimax_bounds(arms, dimension, horizon, epsilon, rho, span, json, csv, plot, certificate)


@bounds_app.command(
    "exact", epilog="Example: banditproof bounds exact --means 0.75,0.25 --horizon 5 --epsilon 0.1,0.5,1,inf"
)
@options
def bounds_exact(asked: ExactOptions) -> int:
    """Compute what no private policy can beat.

    Print the exact smallest worst-case regret over a few rounds, next to the bounds of the papers.
    """
    from banditproof.cli.exact import print_exact_values

    return print_exact_values(asked)


@bounds_app.command(
    "adversarial", epilog="Example: banditproof bounds adversarial --arms 10 --horizon 1e8 --epsilon 0.1 --experts 8"
)
def bounds_adversarial(
    arms: Annotated[str, typer.Option("--arms", metavar=NUMBER, help="Number of actions.")],
    horizon: Annotated[str, typer.Option("--horizon", metavar=NUMBER, help="Number of rounds.")],
    epsilon: Annotated[str, typer.Option("--epsilon", metavar=NUMBER, help="Privacy budget.")],
    experts: Annotated[str | None, typer.Option("--experts", metavar=NUMBER, help="Number of experts.")] = None,
    delta: Annotated[
        str | None, typer.Option("--delta", metavar=NUMBER, help="Delta of the bound under approximate DP.")
    ] = None,
    json: JsonOption = False,
    csv: CsvOption = None,
) -> int:
    """Compute regret bounds of adversarial bandits.

    This includes bounds with expert advice. Every bound is printed with its conditions.
    """
    from banditproof.cli.minimax import print_adversarial_bounds

    return print_adversarial_bounds(arms, horizon, epsilon, experts, delta, json, csv)


@bounds_app.command("linear", epilog="Example: banditproof bounds linear actions.csv --theta 1,0.4 --epsilon 0.1")
def bounds_linear(
    actions: ActionsArgument,
    theta: Annotated[str, typer.Option("--theta", metavar=NUMBERS, help="Comma-separated parameter of the rewards.")],
    epsilon: EpsilonOption = None,
    json: JsonOption = False,
    certificate: CertificateOption = None,
    csv: CsvOption = None,
    plot: PlotOption = None,
) -> int:
    """Compute the regret constant of a linear bandit."""
    from banditproof.cli.linear import print_linear_bounds

    return print_linear_bounds(actions, theta, epsilon, json, csv, plot, certificate)


@bounds_app.command("bai", epilog="Example: banditproof bounds bai --means 0.9,0.8,0.5 --delta 0.01 --epsilon 0.5")
def bounds_bai(
    means: Annotated[str, typer.Option("--means", metavar=NUMBERS, help="Comma-separated means of the arms.")],
    delta: Annotated[
        str, typer.Option("--delta", metavar=NUMBER, help="Largest probability of recommending a wrong arm.")
    ] = "0.01",
    epsilon: BudgetsOption = None,
    beta: Annotated[
        str | None, typer.Option("--beta", metavar=NUMBER, help="Fixed share of the samples for the best arm.")
    ] = None,
    family: FamilyOption = Family.bernoulli,
    sigma: SigmaOption = None,
    json: JsonOption = False,
    certificate: CertificateOption = None,
    csv: CsvOption = None,
    plot: PlotOption = None,
    rho: NoRhoOption = None,
) -> int:
    """Compute how many samples identify the best arm.

    Print the lower bounds with their optimal allocation.
    """
    from banditproof.cli.arguments import left_out
    from banditproof.cli.best_arm import print_sample_complexity_bounds

    left_out(NO_BOUND_UNDER_ZCDP, rho=rho)
    if family != Family.gaussian:
        left_out("without --family gaussian", sigma=sigma)
    return print_sample_complexity_bounds(
        means, family.value, sigma or "1", delta, epsilon, beta, json, csv, plot, certificate
    )


@bounds_app.command(
    "privacy", epilog="Example: banditproof bounds privacy --mechanism gaussian --noise 4 --count 10 --delta 1e-6"
)
def bounds_privacy(
    mechanism: Annotated[
        Noise, typer.Option("--mechanism", metavar="<name>", help=f"One of {', '.join(Noise)}.")
    ] = Noise.gaussian,
    noise: Annotated[
        str | None,
        typer.Option(
            "--noise", metavar=NUMBER, help="Deviation or scale; for randomised response and exponential, its epsilon."
        ),
    ] = None,
    sensitivity: Annotated[
        str | None, typer.Option("--sensitivity", metavar=NUMBER, help="How far one record moves what is released; 1.")
    ] = None,
    rate: Annotated[
        str | None, typer.Option("--rate", metavar=NUMBER, help="Each record is in the sample with this probability.")
    ] = None,
    count: Annotated[str, typer.Option("--count", metavar=NUMBER, help="How often it is released.")] = "1",
    epsilon: Annotated[str | None, typer.Option("--epsilon", metavar=NUMBER, help="Ask for delta at it.")] = None,
    delta: Annotated[str | None, typer.Option("--delta", metavar=NUMBER, help="Ask for epsilon at it.")] = None,
    json: JsonOption = False,
) -> int:
    """Compute what releases with noise spend.

    Print epsilon at a delta, delta at an epsilon, or the least noise that keeps both.

    Both ends of an answer are certain.
    """
    from banditproof.cli.accounting import print_privacy

    return print_privacy(mechanism, noise, sensitivity, rate, count, epsilon, delta, json)


@bounds_app.command(
    "divergence", epilog="Example: banditproof bounds divergence --first 0.3 --second 0.7 --epsilon 0.5"
)
def bounds_divergence(
    first: Annotated[str, typer.Option("--first", metavar=NUMBER, help="Mean of the first law.")],
    second: Annotated[str, typer.Option("--second", metavar=NUMBER, help="Mean of the second law, and the target.")],
    epsilon: EpsilonOption = None,
    family: FamilyOption = Family.bernoulli,
    sigma: SigmaOption = None,
    json: JsonOption = False,
    csv: CsvOption = None,
    plot: PlotOption = None,
) -> int:
    """Compute how far apart two laws are.

    Print kl, tv and d_epsilon, and their infima over a family.
    """
    from banditproof.cli.arguments import left_out
    from banditproof.cli.divergence import print_divergences

    if family != Family.gaussian:
        left_out("without --family gaussian", sigma=sigma)
    return print_divergences(first, second, family.value, sigma or "1", epsilon, json, csv, plot)


@bounds_app.command(
    "coupling", epilog="Example: banditproof bounds coupling --first 0.5 --second 0.4 --copies 100 --rho 0.1"
)
def bounds_coupling(
    first: Annotated[
        str, typer.Option("--first", metavar=NUMBERS, help="Comma-separated Bernoulli means, one for each coordinate.")
    ],
    second: Annotated[
        str, typer.Option("--second", metavar=NUMBERS, help="The means of the other product distribution.")
    ],
    copies: Annotated[str, typer.Option("--copies", metavar=NUMBER, help="Number of copies of all coordinates.")] = "1",
    epsilon: EpsilonOption = None,
    rho: RhoOption = None,
    json: JsonOption = False,
    certificate: CertificateOption = None,
    csv: CsvOption = None,
    plot: PlotOption = None,
) -> int:
    """Couple two product distributions and bound their divergence."""
    from banditproof.cli.coupling import print_coupling_bounds

    return print_coupling_bounds(first, second, copies, epsilon, rho, json, csv, plot, certificate)


@app.command(epilog="Example: banditproof design actions.csv --tol 1e-6")
def design(
    actions: ActionsArgument,
    tol: Annotated[str, typer.Option("--tol", metavar=NUMBER, help="Stop at this Kiefer-Wolfowitz gap.")] = "1e-9",
    prune: Annotated[bool, typer.Option("--prune", help="Keep at most d(d+1)/2 actions.")] = False,
    json: JsonOption = False,
    csv: CsvOption = None,
    certificate: CertificateOption = None,
) -> int:
    """Compute a G-optimal design, certified by its gap."""
    from banditproof.cli.linear import print_design

    return print_design(actions, tol, prune, json, csv, certificate)


@app.command(
    cls=listing(algorithms_to_simulate),
    epilog="Example: banditproof simulate --algorithm dp-imed --means 0.75,0.7 --epsilon 0.5 --horizon 1e7 --runs 100",
)
@options
def simulate(asked: SimulateOptions) -> int:
    """Simulate algorithms and print their regret beside the bounds.

    The arms are Bernoulli arms, linear or contextual bandits, or fixed losses.
    """
    from banditproof.cli.arguments import left_out
    from banditproof.cli.simulating import simulate_algorithms

    if asked.losses is not None:
        from banditproof.cli.minimax import simulate_on_losses

        left_out("with --losses", **asked.instance, law=asked.law, option=asked.option, csv=asked.csv,
                 checkpoints=asked.checkpoints, workers=asked.workers, scheduler=asked.scheduler)  # fmt: skip
        if asked.experts is None:
            left_out("without --experts", panel=asked.panel)
        return simulate_on_losses(asked)
    left_out("without --losses", experts=asked.experts, panel=asked.panel)
    if asked.contexts is None:
        left_out("without --losses and --contexts", arms=asked.arms)
    if asked.theta is None:
        left_out("without --theta", law=asked.law)
    return simulate_algorithms(asked)


@app.command(
    cls=listing(strategies_to_run),
    epilog="Example: banditproof identify --algorithm adap-tt --algorithm dp-se --means 0.8,0.5,0.2 --epsilon 1 "
    "--delta 0.01 --runs 100",
)
@options
def identify(asked: IdentifyOptions) -> int:
    """Run strategies that identify the best arm.

    Print error rates and stopping times with confidence intervals, beside the lower bounds.
    """
    from banditproof.cli.best_arm import identify_best_arms

    return identify_best_arms(asked)


@app.command(
    epilog="Example: banditproof membership --records 1000 --columns 5000 --gamma 1 --ratio 0.1 --games 1000 "
    "--plot trade_offs.svg"
)
@options
def membership(asked: MembershipOptions) -> int:
    """Attack the mean of records by membership inference.

    Print the measured advantage and power beside the values that theory predicts.

    Your own mechanism is a function of the records and a generator. The records are an array of bits [records,
    columns]. The function returns one number for each column, and the attack treats these numbers as the mean.
    """
    from banditproof.cli.adversaries import play_membership

    return play_membership(asked)


@app.command(epilog="Example: banditproof trace --hidden 16 --games 2000 --plot roc.svg")
@options
def trace(asked: TraceOptions) -> int:
    """Attack an epoch of gradient descent by membership inference.

    Attack the easiest and the hardest record, using the gradients of the last layer.
    """
    from banditproof.cli.adversaries import trace_descent

    return trace_descent(asked)


@app.command(epilog="Example: banditproof audit my_package.mechanisms:noisy_sum --epsilon 1 --samples 20000")
@options
def audit(asked: AuditOptions) -> int:
    """Test a privacy claim, by outputs or by replays of a program.

    Print the largest privacy parameter that the runs show. The exit status is 1 if it refutes the budget,
    and 3 if so few runs could not refute it.

    The target is one of three functions. `make(noise, generator)` makes a policy; it may have a third parameter
    `replications`. `mechanism(world, size, generator)` draws outputs on one of two neighbouring inputs, world 0 or 1. A
    function without arguments makes a policy that does not use this library, or runs a whole simulation and returns
    the arms; its random draws are recorded and replayed, and defects are reported with their lines.

    Of make(noise, generator), only the arms of the first pulls are looked at, which finds large leaks alone. Such a
    policy is checked in far more detail by assert_private in a test (banditproof init writes one).

    With --program "node policy.js" the target is a program in any language, which reads and writes JSON lines.
    """
    from banditproof.cli.adversaries import audit_target
    from banditproof.cli.programs import audit_command

    return audit_command(asked) if asked.program else audit_target(asked)


@app.command(epilog="Example: banditproof new my-draft --title 'A draft of mine'")
def new(
    name: Annotated[str, typer.Argument(help="Name for --paper: lower-case letters, digits and hyphens.")],
    title: Annotated[str, typer.Option("--title", metavar="<text>", help="Title of the document.")] = "A new document",
    folder: Annotated[
        Path | None, typer.Option("--folder", help="Folder for the package; by default, NAME in the current folder.")
    ] = None,
    paper: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="<file>",
            help="Your paper (.pdf, .tex, .txt or .md); everything that it numbers gets a stub.",
        ),
    ] = None,
) -> int:
    """Write a package of claims for your own document.

    It contains an example of every kind of claim. With --from, it contains a catalogue of the theorems, lemmas,
    definitions, algorithms and equations that your paper numbers, and a stub beside each printed sentence.
    """
    from banditproof.claims.new_document import draft_document, write_document
    from banditproof.cli.documents import say_what_the_aux_says

    target = folder or Path(name)
    if paper is None:
        written = write_document(target, name, title)
    else:
        written, kinds = draft_document(target, name, title, paper)
        print(f"found in {paper}: {', '.join(f'{count} of kind {kind}' for kind, count in kinds.most_common())}")
        say_what_the_aux_says(paper)
    for path in written:
        print(path)
    then = f"check --paper {name}" if paper is None else f"list --paper {name} --uncovered"
    print(f"next: pip install --editable {target} && banditproof {then}")
    return 0


@app.command(epilog="Example: banditproof plan --at-most 0.05 --actual 0.03 --error 1e-6 --power 0.9")
def plan(
    actual: Annotated[str, typer.Option("--actual", metavar=NUMBER, help="Your guess of the true probability.")],
    at_most: Annotated[
        str | None, typer.Option("--at-most", metavar=NUMBER, help="The claim: the probability is at most this.")
    ] = None,
    at_least: Annotated[
        str | None, typer.Option("--at-least", metavar=NUMBER, help="The claim: the probability is at least this.")
    ] = None,
    error: Annotated[str, typer.Option("--error", metavar=NUMBER, help="Probability of a false alarm.")] = "1e-6",
    power: Annotated[
        str, typer.Option("--power", metavar=NUMBER, help="Probability that the runs settle the claim.")
    ] = "0.9",
    tests: Annotated[str, typer.Option("--tests", metavar=NUMBER, help="Number of tests that share the error.")] = "1",
    runs: Annotated[
        str | None,
        typer.Option("--runs", metavar=NUMBER, help="Your number of runs; exit status 1 if they are too few."),
    ] = None,
    json: JsonOption = False,
) -> int:
    """Compute how many runs a test of a probability needs.

    The test computes an exact confidence interval of the probability. It passes if the whole interval satisfies the
    claim, and fails if no point of it does.
    """
    from banditproof.cli.planning import plan_test

    return plan_test(at_most, at_least, actual, error, power, tests, runs, json)
