"""Index a real manual into a database of its own, then time indexing and searching: `python -m bench [--quick]`."""

import argparse
import os
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
    options = parser.parse_args()
    corpus, first, further, folder = QUICK if options.quick else FULL
    archives = [archive(folder, version) for version in (first, further)]
    missing = [path for path in archives if not path.exists()]
    if missing:
        sys.exit(
            f"The benchmark needs real documentation, which the repository does not carry: {missing[0]} is absent."
        )
    with tempfile.TemporaryDirectory(prefix="docent-bench-") as var:
        # The settings read the environment once: everything below runs on a database that is gone afterwards.
        os.environ.pop("DATABASE_URL", None)
        os.environ.update(
            DJANGO_SETTINGS_MODULE="config.settings", DOCENT_VAR=var, DATABASE_POOL_SIZE="8", RATE_LIMIT="1000000/m"
        )
        models = ROOT / "var" / "models"
        if models.exists():
            (Path(var) / "models").symlink_to(models)
        import django  # noqa: PLC0415  after the environment is set

        django.setup()
        from bench.http import time_http  # noqa: PLC0415
        from bench.indexing import time_indexing  # noqa: PLC0415
        from bench.searching import time_searching  # noqa: PLC0415

        time_indexing(corpus, (first, archives[0]), (further, archives[1]))
        time_searching(corpus, first)
        time_http(corpus, first)


if __name__ == "__main__":
    main()
