"""Figure 4(a) of the zcdp paper and the conclusions drawn from it for finitely many arms: ZCDP-E1, ZCDP-S15."""

from __future__ import annotations

from banditproof.paper_checks.adac_ucb_experiment import register_conclusions, register_experiment

register_experiment("ZCDP-E1", twin="ALG-E5.4")
register_conclusions("ZCDP-S15", twin="ALG-S5.5a")
