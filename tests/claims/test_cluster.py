"""Work on a Dask cluster: the numbers of this machine, and clear refusals."""

from dataclasses import replace

import numpy as np
import pytest

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.finite.index import IMED
from banditproof.algorithms.run.sweep import simulate_chunks
from banditproof.claims import REGISTER, documents, examine
from banditproof.claims.arena import arena
from banditproof.claims.arena.contest import Rules, contest
from banditproof.claims.run import cluster
from banditproof.claims.run.record import Settings
from banditproof.claims.run.runner import run
from banditproof.theory.errors import InvalidInput
from tests.cases import texts

TEXTS = texts(__file__)

DRAFT = "\n" + TEXTS["draft"]


RULES = Rules(0, seconds=30)


@pytest.fixture
def draft(load_draft, monkeypatch):
    """Documents that other tests of this process have announced are unknown to the workers."""
    monkeypatch.setattr(documents, "_FILES", {})
    return load_draft(DRAFT, "draft_of_a_cluster")


def test_a_cluster_finds_what_this_machine_finds(draft, tmp_path):
    distributed = pytest.importorskip("distributed")
    claims = [REGISTER[f"DRAFT-{k}"] for k in (1, 2, 3)]
    settings = Settings(studies=tmp_path / "studies")

    def refuse(row):  # inside a function, so that it travels: workers cannot import this file
        raise InvalidInput("row", row, "another one")

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local:
        there = run(claims, settings, tmp_path, modules=[draft], scheduler=local.scheduler_address)
        figures = arena.run([REGISTER["DRAFT-4"]], RULES, modules=[draft], scheduler=local.scheduler_address)
        with cluster.connected(local.scheduler_address) as hands:
            chunks = [chunked(workers) for workers in (1, hands.map)]
            with pytest.raises(InvalidInput, match="row"):
                list(hands.map(refuse, [1]))
    outcomes = [figures.outcomes, contest(REGISTER["DRAFT-4"], RULES).outcomes]
    afar, near = ([replace(one, seconds=0) for one in each] for each in outcomes)
    assert afar == near != []
    here = [examine(claim, settings) for claim in claims[::2]]
    assert [r | {"seconds": 0} for r in here] == [r | {"seconds": 0} for r in there[::2]]
    assert there[1]["status"] == "error" and "status 7" in there[1]["reach"]
    assert len(list((tmp_path / "pieces").iterdir())) == 2 and len(list((tmp_path / "studies").glob("*.npz"))) == 1
    assert all(np.array_equal(*arrays) for arrays in zip(*(vars(one).values() for one in chunks), strict=True))


def chunked(workers):
    return simulate_chunks(
        lambda rows, generator: IMED(2, replications=rows.stop - rows.start, generator=generator, ties="random"),
        BernoulliBandit([0.8, 0.2]),
        50,
        replications=6,
        chunk_size=2,
        seed=0,
        workers=workers,
    )


class Worker:
    """A client of one worker, which has another installation."""

    def __init__(self, threads=1, version="0.1.0", **other):
        self.threads, self.version, self.other = threads, version, other

    def nthreads(self):
        return {"w": self.threads} if self.threads else {}

    def run(self, function, *arguments, on_error):
        assert on_error == "return"
        if arguments:
            return {"w": self.version}
        return {"w": self.other.get("raised") or cluster.installation() | self.other}


@pytest.mark.parametrize(
    ("worker", "said"),
    [
        (Worker(threads=0), "that has a worker"),
        (Worker(version=ModuleNotFoundError("banditproof")), "none on w"),
        (Worker(raised=AttributeError("installation")), "w: AttributeError: installation"),
        (Worker(numpy="1.0"), "numpy 1.0, here"),
        (Worker(source="another"), "source another, here"),
    ],
)
def test_a_cluster_that_cannot_do_the_work_is_refused(worker, said):
    with pytest.raises(InvalidInput, match=said):
        cluster._same_installation("s:8786", worker)
    cluster._same_installation("s:8786", Worker())


def test_an_address_where_nobody_answers_and_a_missing_extra_are_one_error(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "TO_ANSWER", 0.5)
    for address in ("127.0.0.1:1", "nowhere at all", "none:at all"):
        with pytest.raises(InvalidInput, match="that answers"), cluster.connected(address):
            pytest.fail("connected")
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    with pytest.raises(InvalidInput, match=r"pip install 'banditproof\[dask\]'"), cluster.connected("s:8786"):
        pytest.fail("connected")


class Piece:
    """A future that has been sent through these states, one each time it is done."""

    def __init__(self, *states):
        self.states, self.status = list(states), states[0]

    def add_done_callback(self, put):
        if self.states:
            self.status = self.states.pop(0)
            put(self)

    def exception(self):
        return ValueError("on purpose")

    def result(self, timeout):
        if self.states:
            raise TimeoutError
        return "found"


class Hands(Worker):
    status = "running"

    def __init__(self, piece, **options):
        super().__init__(**options)
        self.piece = piece

    def submit(self, function, *arguments, pure):
        return self.piece


def test_a_result_that_went_with_its_worker_is_waited_for_again():
    asked = cluster.Cluster("s:8786", Hands(Piece("finished", "lost", "finished")))
    asked.submit("one", len, ())
    assert asked.next() == ("one", "found") and not asked.pieces


@pytest.mark.parametrize(
    ("piece", "said"), [(Piece("lost"), "none was left for 0.02 s"), (Piece("cancelled"), "connection was lost")]
)
def test_without_workers_the_end_is_announced_and_comes(piece, said, monkeypatch, capsys):
    monkeypatch.setattr(cluster, "TO_ANSWER", 0.01)
    monkeypatch.setattr(cluster, "WITHOUT_WORKERS", 0.02)
    asked = cluster.Cluster("s:8786", Hands(piece, threads=0))
    asked.submit("one", len, ())
    with pytest.raises(InvalidInput, match=said):
        asked.next()
    assert capsys.readouterr().err.count("no worker left at s:8786") == ("none" in said)


def test_a_piece_that_fails_on_the_cluster_is_lost_by_itself():
    asked = cluster.Cluster("s:8786", Hands(Piece("error")))
    asked.submit("one", len, ())
    assert asked.next() == ("one", cluster.Lost("was lost: on purpose"))
