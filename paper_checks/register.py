"""The claim register: what is claimed, where it is printed, on which domain, and how it is checked.

A claim is a statement whose constants are placeholders, a domain, a check written against both, and mutations: false
variants of the statement that the check must refute. Claims from outside join with ``load_module``.
"""

from __future__ import annotations

import csv
import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.paper_checks.verdict import REASONS
from banditproof.theory.errors import InvalidInput
from banditproof.verify.domain import Domain

if TYPE_CHECKING:
    from banditproof.paper_checks.check import Check
    from banditproof.paper_checks.study import Study

# What a claim is to the item it stands under. 'part' and 'edge' belong to the printed statement, the others do not.
ROLES = ("item", "part", "edge", "step", "implication", "reading", "figure", "remark", "repair")

PAPERS: dict[str, tuple[str, ...]] = {
    "bernoulli-dp": (
        "bernoulli_dp_background",
        "bernoulli_dp_protocol",
        "bernoulli_dp_lai_robbins",
        "bernoulli_dp_lower_bound",
        "bernoulli_dp_theorem_3_1",
        "bernoulli_dp_maximal_coupling",
        "bernoulli_dp_coupling",
        "bernoulli_dp_transport_lemmas",
        "bernoulli_dp_divergence",
        "bernoulli_dp_slopes",
        "bernoulli_dp_dual",
        "bernoulli_dp_shape",
        "bernoulli_dp_improvement",
        "bernoulli_dp_concentration",
        "bernoulli_dp_concentration_proof",
        "bernoulli_dp_concentration_constants",
        "bernoulli_dp_private_mean",
        "bernoulli_dp_chernoff",
        "bernoulli_dp_batches",
        "bernoulli_dp_runs",
        "bernoulli_dp_index_states",
        "bernoulli_dp_imed_before",
        "bernoulli_dp_imed_after",
        "bernoulli_dp_explicit_regret",
        "bernoulli_dp_regret_analysis",
        "bernoulli_dp_regret_comparison",
        "bernoulli_dp_privacy",
        "bernoulli_dp_definitions",
        "bernoulli_dp_continual_release",
        "bernoulli_dp_tools",
        "bernoulli_dp_composition",
        "bernoulli_dp_laplace",
        "bernoulli_dp_indices",
        "bernoulli_dp_algorithms",
        "bernoulli_dp_experiments",
        "bernoulli_dp_baselines",
        "bernoulli_dp_ablations",
        "bernoulli_dp_budget_sweep",
        "bernoulli_dp_figures",
    ),
    "thesis": (
        "thesis_privacy_definitions",
        "thesis_hypothesis_testing",
        "thesis_privacy_loss",
        "thesis_privacy_conversions",
        "thesis_group_privacy",
        "thesis_composition",
        "thesis_parallel_composition",
        "thesis_mechanisms",
        "thesis_gaussian_mechanism",
        "thesis_empirical_mean",
        "thesis_membership_inference",
        "thesis_tracing_the_mean",
        "thesis_private_membership",
        "thesis_auditing",
        "thesis_audits_as_tests",
        "thesis_definitions",
        "thesis_interactive",
        "thesis_reductions",
        "thesis_table_and_view",
        "thesis_separating_policy",
        "thesis_order_of_definitions",
        "thesis_threat_models",
        "thesis_continual_counting",
        "thesis_binary_tree",
        "thesis_bandit_algorithms",
        "thesis_explore_then_commit",
        "thesis_ucb",
        "thesis_ucb_heuristics",
        "thesis_anytime_ucb",
        "thesis_subgaussian",
        "thesis_confidence_radius",
        "thesis_families",
        "thesis_consistency",
        "thesis_total_variation_gap",
        "thesis_regret_bounds",
        "thesis_regimes",
        "thesis_couplings",
        "thesis_group_divergence",
        "thesis_product_laws",
        "thesis_kl_decomposition",
        "thesis_zcdp_decomposition",
        "thesis_linear_lower_bound",
        "thesis_linear_lemma",
        "thesis_linucb",
        "thesis_asymptotic_statistics",
        "thesis_edgeworth",
        "thesis_interaction",
        "thesis_linear_model",
        "thesis_two_environments",
        "thesis_non_private_minimax",
        "thesis_minimax",
        "thesis_zcdp_minimax",
        "thesis_linear_minimax",
        "thesis_zcdp_linear_minimax",
        "thesis_minimax_regimes",
        "thesis_minimax_remarks",
        "thesis_bai_mechanisms",
        "thesis_risk_factor",
        "thesis_sample_complexity",
        "thesis_characteristic_time",
        "thesis_variation_time",
        "thesis_private_time",
        "thesis_top_two",
        "thesis_dp_ucb",
        "thesis_dp_se",
        "thesis_dp_se_best_arm",
        "thesis_episodic_ucb",
        "thesis_episodic_indices",
        "thesis_episodic_privacy",
        "thesis_privacy_proof",
        "thesis_private_wrapper",
        "thesis_private_concentration",
        "thesis_adaptive_episodes",
        "thesis_adap_regret",
        "thesis_adap_kl_regret",
        "thesis_adap_kl_proof",
        "thesis_adap_discussion",
        "thesis_adac_regret",
        "thesis_quoted_results",
        "thesis_quoted_tails",
        "thesis_figure_5_2",
        "thesis_figure_5_3",
        "thesis_figure_5_4",
    ),
    "zcdp": (
        "zcdp_definitions",
        "zcdp_interactive",
        "zcdp_post_processing",
        "zcdp_decomposition",
        "zcdp_lower_bounds",
        "zcdp_tables",
        "zcdp_linear_tables",
        "zcdp_adac_ucb",
        "zcdp_adac_pulls",
        "zcdp_adac_regret",
        "zcdp_privacy_proof",
        "zcdp_adac_privacy",
        "zcdp_imported",
        "zcdp_experiments",
    ),
    "rdp": (
        "rdp_definitions",
        "rdp_adar_ucb",
        "rdp_regret",
        "rdp_prices",
        "rdp_linear_prices",
    ),
}

METHODS = ("symbolic", "interval", "certificate", "enumeration", "quadrature", "statistics", "trend")


@dataclass(frozen=True)
class Mutation:
    """A false variant of a claim: other constants, or another domain. The check must refute it.

    ``gradual`` asks for the smallest step from the true constants that is still caught; a dear check does without.
    """

    name: str
    constants: Mapping[str, Any] = field(default_factory=dict)
    domain: Domain | None = None
    gradual: bool = True


def mutation(name: str, domain: Domain | None = None, gradual: bool = True, **constants: Any) -> Mutation:
    """``mutation('factor 0.9', factor='9/10')``."""
    return Mutation(name, {n: constant(c) for n, c in constants.items()}, domain, gradual)


def constant(value: Any) -> Any:
    """Constants are exact: ints stay, numbers written as strings become Fractions, other strings are names."""
    if isinstance(value, str) and re.fullmatch(r"-?\d+(\.\d+)?(/\d+)?", value):
        return Fraction(value)
    if isinstance(value, float):
        raise InvalidInput("constant", value, "an int, a Fraction, or a string such as '0.1'")
    return value


@dataclass(frozen=True)
class Claim:
    """One registered claim. See ``claim`` for the fields."""

    id: str
    paper: str
    place: str
    kind: str
    statement: str
    domain: Domain
    check: Callable[[Check], None] | None
    constants: Mapping[str, Any]
    mutations: tuple[Mutation, ...]
    role: str = "item"
    parent: str | None = None
    aliases: tuple[str, ...] = ()
    twins: tuple[str, ...] = ()
    repairs: str | None = None
    not_checkable: tuple[str, str] | None = None
    strongest: str | None = None
    studies: tuple[Study, ...] = ()

    @property
    def counted(self) -> bool:
        """Whether it counts as a checked claim: items other than oracles and definitions."""
        return self.role == "item" and self.kind not in ("oracle", "definition")

    def shown(self, constants: Mapping[str, Any] | None = None) -> str:
        """The statement (LaTeX within dollars) with its constants filled in for the placeholders ``<name>``.

        A factor or exponent of one in front of something is left out, as anybody would write it.
        """
        values = {**self.constants, **(constants or {})}

        def filled(found: re.Match[str]) -> str:
            name, space, following = found["name"], found["space"], found["following"]
            if name not in values:
                return found[0]
            factor = following and not re.match(
                r"\\(le|ge|lt|gt|to|in|ne|text|quad|pm|mid|cdot|times|approx|sim)", following
            )
            return " " if values[name] == 1 and factor else f"{values[name]}{space}"

        pattern = r"<(?P<name>\w+)>(?P<space>(?:\\,|\s)*)(?=(?P<following>\\?[A-Za-z(\[]\w*)?)"
        parts = self.statement.split("$")
        formulas = [re.sub(pattern, filled, part) if i % 2 else part for i, part in enumerate(parts)]
        plain = "$".join(formulas)
        return re.sub(r"<(\w+)>", lambda m: str(values.get(m[1], m[0])), plain)


REGISTER: dict[str, Claim] = {}


def claim(
    claim_id: str,
    statement: str,
    *,
    domain: Domain | None = None,
    place: str = "",
    constants: Mapping[str, Any] | None = None,
    mutations: Iterable[Mutation] = (),
    role: str | None = None,
    repairs: str | None = None,
    twins: Iterable[str] = (),
    strongest: str | None = None,
    studies: Iterable[Study] = (),
) -> Callable[[Callable[[Check], None]], Callable[[Check], None]]:
    """Register the decorated check function under an id of the catalogue, or under ``ITEM/name``.

    Args:
        claim_id: an id of the catalogue, or ``<item id>/<name>`` for a claim under an item.
        statement: text with LaTeX formulas in dollars; placeholders ``<name>`` stand for constants.
        domain: the variables the statement is about, exactly as printed.
        place: where it is printed; items default to the catalogue's title.
        constants: the numbers of the statement that mutations change (ints, Fractions, or strings such as '0.1').
        mutations: false variants; at least one, unless the claim is expected to be refuted and is repaired.
        role: what a claim under an item is to it: part, edge, step, implication, reading, figure, remark, repair.
        repairs: for a repair, the id of the refuted claim that it corrects.
        twins: ids of the same statement in other documents.
        strongest: the strongest method the catalogue deems feasible; a weaker one needs a failed attempt.
        studies: simulations the check reads.
    """

    def register(check: Callable[[Check], None]) -> Callable[[Check], None]:
        fixed = {n: constant(c) for n, c in (constants or {}).items()}
        _add(
            claim_id,
            statement,
            check,
            domain or Domain.of(),
            place,
            fixed,
            tuple(mutations),
            role,
            repairs,
            tuple(twins),
            None,
            strongest,
            tuple(studies),
        )
        return check

    return register


def not_checkable(
    claim_id: str,
    statement: str,
    reason: str,
    would_need: str,
    *,
    place: str = "",
    role: str | None = None,
    twins: Iterable[str] = (),
) -> None:
    """Register a claim that cannot be checked, with a reason of the closed list and what would make it checkable."""
    if reason not in REASONS:
        raise InvalidInput("reason", reason, f"one of {', '.join(REASONS)}")
    _add(
        claim_id, statement, None, Domain.of(), place, {}, (), role, None, tuple(twins), (reason, would_need), None, ()
    )


def parts_decide(
    claim_id: str, statement: str, *, domain: Domain | None = None, place: str = "", twins: Iterable[str] = ()
) -> None:
    """Register an item that has no check of its own: its parts and edges decide it."""
    _add(claim_id, statement, None, domain or Domain.of(), place, {}, (), None, None, tuple(twins), None, None, ())


def _add(
    claim_id: str,
    statement: str,
    check: Any,
    domain: Domain,
    place: str,
    constants: Mapping[str, Any],
    mutations: tuple[Mutation, ...],
    role: str | None,
    repairs: str | None,
    twins: tuple[str, ...],
    reason: tuple[str, str] | None,
    strongest: str | None,
    studies: tuple[Study, ...],
) -> None:
    if claim_id in REGISTER:
        raise InvalidInput("claim id", claim_id, "an id that is not registered yet")
    item_id, _, below = claim_id.partition("/")
    item = catalogue().get(item_id)
    if item is None:
        item = CatalogueItem(item_id, (), "claim", "outside", item_id)
    role = role or ("part" if below else "item")
    if role not in ROLES or (role == "item") == bool(below):
        raise InvalidInput("role", role, f"one of {', '.join(ROLES)}; 'item' exactly for ids without '/'")
    if strongest is not None and strongest not in METHODS:
        raise InvalidInput("strongest", strongest, f"one of {', '.join(METHODS)}")
    REGISTER[claim_id] = Claim(
        claim_id,
        item.paper,
        place or item.title,
        item.kind if not below else role,
        statement,
        domain,
        check,
        constants,
        mutations,
        role,
        item_id if below else None,
        item.aliases if not below else (),
        twins,
        repairs,
        reason,
        strongest,
        studies,
    )


@dataclass(frozen=True)
class CatalogueItem:
    """An item of the catalogue of the five documents."""

    id: str
    aliases: tuple[str, ...]
    kind: str
    paper: str
    title: str


@cache
def catalogue() -> dict[str, CatalogueItem]:
    """Every definition, theorem, algorithm and experiment of the five documents, by id."""
    text = files("banditproof.paper_checks").joinpath("catalogue.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    items = (CatalogueItem(r["id"], tuple(r["aliases"].split()), r["kind"], r["paper"], r["title"]) for r in rows)
    return {item.id: item for item in items}


def load_papers(papers: Iterable[str] | None = None) -> None:
    """Import the modules of the named papers (all by default), which fills the register."""
    for paper in PAPERS if papers is None else papers:
        if paper not in PAPERS:
            raise InvalidInput("paper", paper, f"one of {', '.join(PAPERS)}")
        for module in PAPERS[paper]:
            importlib.import_module(f"banditproof.paper_checks.{module}")


def load_module(path: Path) -> None:
    """Run a Python file that registers claims of its own; its relations can be re-checked under the file's name."""
    if not path.is_file():
        raise InvalidInput("module", str(path), "an existing Python file")
    if path.stem in sys.modules and getattr(sys.modules[path.stem], "__file__", None) == str(path.resolve()):
        return
    spec = importlib.util.spec_from_file_location(path.stem, path.resolve())
    if spec is None or spec.loader is None:
        raise InvalidInput("module", str(path), "a Python file (name ending in .py)")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[path.stem]
        raise InvalidInput("module", str(path), f"a module that imports ({type(error).__name__}: {error})") from error


def resolve(claim_id: str) -> Claim:
    """The claim with this id or alias."""
    if claim_id in REGISTER:
        return REGISTER[claim_id]
    for known in REGISTER.values():
        if claim_id in known.aliases:
            return known
    raise InvalidInput("claim", claim_id, "a registered id (see 'banditproof check --list')")
