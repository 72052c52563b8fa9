"""Index a real manual into a database of its own, then time indexing and searching.

`python -m bench [--quick] [--large]`.
"""

import argparse
import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

from bench.data import archive

ROOT = Path(__file__).resolve().parent.parent
# corpus, first version, a further version of the same manual, folder of the archives
FULL = ("postgres", "17", "18", "postgresql")
QUICK = ("postgis", "3.5", "3.6", "postgis")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="a smaller manual: minutes instead of a quarter of an hour"
    )
    parser.add_argument("--large", action="store_true", help="then search a version of 100,000 passages, too")
    options = parser.parse_args()
    corpus, first, further, folder = QUICK if options.quick else FULL
    archives = [archive(folder, version) for version in (first, further)]
    missing = [path for path in archives if not path.exists()]
    if missing:
        sys.exit(
            f"The benchmark needs real documentation, which the repository does not carry: {missing[0]} is absent."
        )
    use_folder_of_its_own()
    import django  # noqa: PLC0415  after the environment is set

    django.setup()
    from bench.http import time_http  # noqa: PLC0415
    from bench.indexing import time_indexing  # noqa: PLC0415
    from bench.searching import time_searching  # noqa: PLC0415

    time_indexing(corpus, (first, archives[0]), (further, archives[1]))
    time_searching(corpus, first)
    time_http(corpus, first)
    if options.large:
        from bench.data import questions  # noqa: PLC0415
        from bench.growing import compare_with_exact_scan, grow  # noqa: PLC0415

        large = grow(corpus, first)
        time_searching(corpus, large)
        compare_with_exact_scan(corpus, large, questions(corpus))


def use_folder_of_its_own() -> Path:
    """Have the settings, which read the environment once, take a new folder and database. Both are gone at the exit."""
    folder = Path(tempfile.mkdtemp(prefix="docent-bench-"))
    # What is registered first runs last: after the database has been stopped.
    atexit.register(_remove, folder)
    folder.chmod(0o711)  # PostgreSQL does not run as root, and its account must pass
    models = ROOT / "var" / "models"
    if models.exists():
        (folder / "models").symlink_to(models)
    os.environ.pop("DATABASE_URL", None)
    os.environ.update(
        DJANGO_SETTINGS_MODULE="config.settings",
        DOCENT_VAR=str(folder),
        DATABASE_POOL_SIZE="8",
        RATE_LIMIT="1000000/m",
    )
    return folder


def _remove(folder: Path) -> None:
    database = (folder / "postgres").resolve()  # elsewhere where the account could not pass all the same
    for each in (database, folder):
        if each.exists():
            shutil.rmtree(each)


if __name__ == "__main__":
    main()
