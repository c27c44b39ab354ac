import errno
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from banditproof.algorithms import DPIMED, DPKLUCB, BernoulliBandit, GeometricBatches, NoiseSource
from banditproof.algorithms.run.checkpoints import write_atomically
from banditproof.algorithms.run.sweep import simulate_chunks, sweep
from banditproof.theory import Budget, InvalidInput

BANDIT = BernoulliBandit([0.4, 0.7, 0.2])


def imed_maker():
    def make(epsilon, generator):  # inside a function, so that it travels to workers, which cannot import this file
        return DPIMED(
            3, Budget.pure(epsilon), GeometricBatches("1.5"), NoiseSource(generator), generator=generator, ties="random"
        )

    return make


make_imed = imed_maker()


def chunks(seed=1, replications=50, **options):
    return simulate_chunks(
        lambda rows, generator: make_imed(np.full(rows.stop - rows.start, 0.5), generator),
        BANDIT, 1000, replications=replications, seed=seed, record_times=[10, 1000], **{"chunk_size": 20, **options},
    )  # fmt: skip


def same(a, b):
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ("regret", "actions", "pulls"))


def test_the_numbers_are_the_same_for_any_number_of_workers():
    assert same(chunks(workers=1), chunks(workers=2))


def test_the_numbers_depend_on_the_seed():
    assert not same(chunks(seed=1), chunks(seed=2))


def test_no_two_chunks_see_the_same_numbers():
    pulls = chunks(replications=60).pulls.reshape(3, 20, 3)
    assert not any(np.array_equal(pulls[a], pulls[b]) for a, b in ((0, 1), (0, 2), (1, 2)))


def test_a_seed_sequence_gives_the_same_numbers_however_often_it_was_used():
    root = np.random.SeedSequence(7)
    first = chunks(seed=root)
    root.spawn(3)
    assert same(first, chunks(seed=root))
    assert same(first, chunks(seed=7))


def test_more_whole_chunks_keep_the_earlier_replications():
    assert np.array_equal(chunks(replications=40).regret, chunks(replications=60).regret[:40])


def test_a_sweep_has_one_row_per_budget_and_one_column_per_run():
    result = sweep(make_imed, BANDIT, 5000, budgets=[0.05, np.inf], runs=30, seed=3, record_times=[100, 5000])
    assert result.regret.shape == result.actions.shape == (2, 30, 2)
    assert result.pulls.shape == (2, 30, 3)
    low_privacy, high_privacy = np.median(result.regret[1, :, 1]), np.median(result.regret[0, :, 1])
    assert low_privacy < high_privacy


def test_each_replication_of_a_sweep_gets_the_budget_of_its_row():
    seen = []

    def make(epsilon, generator):
        seen.append(epsilon.tolist())
        return make_imed(epsilon, generator)

    sweep(make, BANDIT, 10, budgets=[1.0, 2.0], runs=3, seed=0, chunk_size=2)
    assert seen == [[1.0, 1.0], [1.0], [2.0, 2.0], [2.0]]


def test_the_runs_of_a_budget_do_not_depend_on_the_others_and_are_independent_of_theirs():
    def swept(budgets, **options):
        return sweep(make_imed, BANDIT, 300, budgets=budgets, runs=5, seed=3, chunk_size=2, **options).pulls

    together = swept([0.5, 0.7, np.inf])
    assert np.array_equal(swept([np.inf, 0.5], workers=2), together[[2, 0]])
    assert np.array_equal(swept([0.7]), together[[1]])
    near = swept([0.5, np.nextafter(0.5, 1)])
    assert not np.array_equal(near[0], near[1])  # of two budgets that make the same policy, to all purposes


@pytest.mark.parametrize("budgets", [[], [1.0, 2.0, 1.0]])
def test_the_budgets_of_a_sweep_are_different(budgets):
    with pytest.raises(InvalidInput, match="budgets must be a list of different numbers"):
        sweep(make_imed, BANDIT, 10, budgets=budgets, runs=2, seed=0)


# Mean regret and standard error over 200 runs of an independent implementation (random ties, horizon 10^6, alpha = 2,
# n0 = 1). DP-KLUCB only: the mean of DP-IMED is dominated by rare runs.
@pytest.mark.parametrize(
    ("means", "epsilon", "mean", "error"),
    [((0.75, 0.7, 0.7, 0.7, 0.7), 0.25, 567, 11), ((0.75, 0.625, 0.5, 0.375, 0.25), 0.5, 204, 3)],
)
def test_dp_klucb_has_the_regret_of_an_independent_implementation(means, epsilon, mean, error):
    def make(epsilon, generator):
        return DPKLUCB(
            5, Budget.pure(epsilon), GeometricBatches(2), NoiseSource(generator), generator=generator, ties="random"
        )

    regret = sweep(make, BernoulliBandit(means), 10**6, budgets=[epsilon], runs=1000, seed=5).regret.ravel()
    assert abs(regret.mean() - mean) < 5 * np.hypot(error, regret.std() / np.sqrt(regret.size))


@pytest.mark.parametrize("parameter", ["replications", "chunk_size", "workers"])
@pytest.mark.parametrize("value", [0, -1, 1.5])
def test_bad_numbers_of_things_are_named(parameter, value):
    with pytest.raises(InvalidInput, match=parameter):
        chunks(**{parameter: value})


def test_a_policy_with_another_number_of_replications_than_asked_for_is_refused():
    with pytest.raises(InvalidInput, match="replications"):
        sweep(lambda epsilon, generator: make_imed(epsilon[:2], generator), BANDIT, 10, budgets=[1.0], runs=3, seed=0)


def test_a_folder_of_checkpoints_that_is_a_file_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match="checkpoints must be a folder that can be created"):
        chunks(checkpoints=tmp_path / "file")


def test_bad_budgets_and_runs_are_named():
    with pytest.raises(InvalidInput, match="budgets"):
        sweep(make_imed, BANDIT, 10, budgets=0.5, runs=2, seed=0)
    with pytest.raises(InvalidInput, match="runs"):
        sweep(make_imed, BANDIT, 10, budgets=[0.5], runs=0, seed=0)
    with pytest.raises(InvalidInput, match="epsilon"):
        sweep(make_imed, BANDIT, 10, budgets=[0.5, -1.0], runs=2, seed=0)


def test_finished_chunks_are_taken_up_and_not_run_again(tmp_path, monkeypatch):
    whole = chunks(replications=60)
    chunks(replications=20, checkpoints=tmp_path)
    files = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert len(files) == 1
    steps = []
    assert same(whole, chunks(replications=60, checkpoints=tmp_path, progress=lambda *at: steps.append(at)))
    assert steps == [(1, 3), (2, 3), (3, 3)]
    assert len(list(tmp_path.iterdir())) == 3 and all(path.stat().st_mtime_ns == files[path] for path in files)
    fail = lambda *_: pytest.fail("simulated again")  # noqa: E731
    monkeypatch.setattr("banditproof.algorithms.run.checkpoints.write_atomically", fail)
    assert same(whole, chunks(replications=60, checkpoints=tmp_path))


@pytest.mark.parametrize("at", [2, 8, 40, -60, -1])
def test_a_chunk_that_is_damaged_or_another_one_is_simulated_again(tmp_path, at):
    whole = chunks(replications=40, checkpoints=tmp_path)
    first, second = tmp_path.iterdir()
    first.write_bytes(second.read_bytes())
    damaged = bytearray(second.read_bytes())
    damaged[at] ^= 8
    second.write_bytes(damaged)
    assert same(whole, chunks(replications=40, checkpoints=tmp_path))
    assert first.read_bytes() != second.read_bytes() != damaged


def test_another_simulation_does_not_take_up_the_chunks(tmp_path):
    chunks(seed=1, checkpoints=tmp_path)
    assert same(chunks(seed=2, checkpoints=tmp_path), chunks(seed=2))


def test_a_map_that_calls_elsewhere_gives_the_same_numbers():
    assert same(chunks(workers=ThreadPoolExecutor(2).map), chunks(workers=1))


def test_a_write_that_fails_leaves_nothing_half_written(tmp_path, monkeypatch):
    def full(self, content):
        self.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(tmp_path / "piece", b"content")
    assert list(tmp_path.iterdir()) == []
