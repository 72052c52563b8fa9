import multiprocessing
import stat
from multiprocessing.synchronize import Barrier
from pathlib import Path

from config.secret_key import kept_key

PROCESSES = 8
ROUNDS = 25


def read_together(folder: Path, barrier: Barrier) -> list[str]:
    """The key of one new installation after the other, at the same moments as other processes."""
    keys = []
    for number in range(ROUNDS):
        barrier.wait()
        keys.append(kept_key(folder / str(number) / "key"))
    return keys


def test_a_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "new" / "key"
    key = kept_key(file)
    assert len(key) == 67
    assert (kept_key(file), file.read_text()) == (key, key)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(file.parent.iterdir()) == [file]


def test_processes_that_start_together_have_one_key(tmp_path: Path) -> None:
    spawning = multiprocessing.get_context("spawn")
    with spawning.Manager() as manager, spawning.Pool(PROCESSES) as pool:
        work = [(tmp_path, manager.Barrier(PROCESSES))] * PROCESSES
        keys = pool.starmap(read_together, work, chunksize=1)
    assert [set(of_one) for of_one in zip(*keys, strict=True)] == [{key} for key in keys[0]]
    assert all(len(key) == 67 for key in keys[0])
