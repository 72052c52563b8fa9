import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from docs_search.sources import SourceError
from docs_search.sources.temporary import temporary_folder

DAY = 24 * 3600
HOLD = """
import sys, time
from pathlib import Path
from docs_search.sources.temporary import temporary_folder
with temporary_folder() as folder:
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def _age(folder: Path, seconds: float) -> None:
    moment = time.time() - seconds
    os.utime(folder, (moment, moment), follow_symlinks=False)


def _left(place: Path) -> list[str]:
    return sorted(folder.name for folder in place.iterdir())


def test_a_folder_is_gone_when_its_block_ends(place: Path) -> None:
    with temporary_folder() as folder:
        (folder / "a.md").write_text("text")
        assert folder.parent == place
    assert _left(place) == []


def test_a_machine_without_room_for_it_is_told(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(place / "gone"))
    with pytest.raises(SourceError, match=r"^No temporary folder can be made: .* or set TMPDIR\.$"), temporary_folder():
        pass


def test_only_old_folders_of_ours_are_removed(place: Path) -> None:
    for name in ("docent-archive-old", "docent-archive-new", "other-old"):
        (place / name / "below").mkdir(parents=True)
    (place / "docent-archive-file").write_text("text")
    (place / "docent-archive-link").symlink_to(place / "other-old")
    for path in place.iterdir():
        _age(path, DAY - 60 if path.name.endswith("new") else DAY + 60)
    with temporary_folder():
        pass
    assert _left(place) == ["docent-archive-file", "docent-archive-link", "docent-archive-new", "other-old"]
    assert (place / "other-old" / "below").is_dir()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a folder of another account")
def test_a_folder_of_another_account_stays(place: Path) -> None:
    folder = place / "docent-archive-other"
    folder.mkdir()
    os.chown(folder, 65534, 65534)
    _age(folder, DAY + 60)
    with temporary_folder():
        pass
    assert _left(place) == ["docent-archive-other"]


def test_a_folder_stays_while_its_process_lives_and_goes_when_it_was_killed(place: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD], stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(place)}
    ) as process:
        assert process.stdout
        folder = Path(process.stdout.readline().strip())
        _age(folder, DAY + 60)
        with temporary_folder():
            pass
        assert _left(place) == [folder.name]
        process.kill()
        process.wait()
        with temporary_folder():
            pass
        assert _left(place) == []
