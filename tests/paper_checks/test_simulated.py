"""The step that reads studies repeats them on the part that its relation speaks of."""

import pytest

from banditproof.claims.study import Study
from banditproof.paper_checks.shared.simulated import simulated

LONG, SHORT = (Study(name, dict, {"runs": runs, "arms": 2}) for name, runs in (("long", 3000), ("short", 36)))


@pytest.mark.parametrize(
    ("again", "runs"), [((), [3000, 36]), ({"runs": 30}, [30, 30]), ([{"runs": 300}, {}], [300, 36])]
)
def test_studies_are_repeated_with_the_parameters_of_all_or_of_each(again, runs):
    repeated = simulated(LONG, SHORT, again=again).repeated
    assert [study.quick for study in repeated] == [{"runs": count, "arms": 2} for count in runs]
    assert [study.name for study in repeated] == ["long", "short"]


def test_parameters_of_each_are_as_many_as_the_studies():
    with pytest.raises(ValueError):
        simulated(LONG, SHORT, again=[{"runs": 30}])
