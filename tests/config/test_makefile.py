"""The Makefile and the pinned requirements that it installs."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from django.conf import settings
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REQUIREMENTS = sorted(settings.BASE_DIR.glob("requirements*.txt"))


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=60)


def pins(file: str) -> dict[str, str]:
    """Name and version of what a requirements file pins."""
    text = (settings.BASE_DIR / file).read_text()
    return {canonicalize_name(name): version for name, version in re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE)}


def test_help_lists_every_target() -> None:
    targets = re.search(r"^\.PHONY: (.*)$", (settings.BASE_DIR / "Makefile").read_text(), re.MULTILINE)
    assert targets
    help_text = make(settings.BASE_DIR).stdout
    assert re.findall(r"^  make (\w+) ", help_text, re.MULTILINE) == targets[1].split()


@pytest.mark.parametrize("file", REQUIREMENTS, ids=lambda file: str(file.name))
def test_every_requirement_is_pinned_with_hashes_and_without_addresses(file: Path) -> None:
    text = file.read_text()
    entries = re.findall(r"^[^\s#].*(?:\n .*)*", text, re.MULTILINE)
    assert entries
    assert [entry for entry in entries if not re.match(r"[\w.-]+==\S+.* \\\n    --hash=sha256:", entry)] == []
    assert "://" not in text
    assert "/tmp/" not in text


def test_what_pyproject_asks_for_is_pinned_in_a_version_that_it_allows() -> None:
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())
    asked = {
        "requirements.txt": project["project"]["dependencies"],
        "requirements-dev.txt": project["project"]["dependencies"] + project["dependency-groups"]["dev"],
    }
    for file, requirements in asked.items():
        pinned = pins(file)
        for requirement in map(Requirement, requirements):
            assert pinned[canonicalize_name(requirement.name)] in requirement.specifier


def test_both_environments_run_the_same_versions() -> None:
    development = pins("requirements-dev.txt")
    assert {name: development[name] for name in pins("requirements.txt")} == pins("requirements.txt")


def test_the_makefile_names_the_versions_that_are_pinned() -> None:
    makefile = (settings.BASE_DIR / "Makefile").read_text()
    assert f"UV_VERSION := {pins('requirements-uv.txt')['uv']}\n" in makefile
    ((name, version),) = pins("requirements-model.txt").items()
    assert f"MODEL := {name}=={version}\n" in makefile


def test_an_old_python_is_refused_in_plain_words(tmp_path: Path) -> None:
    folder = tmp_path / "a checkout"
    folder.mkdir()
    for file in [settings.BASE_DIR / "Makefile", *REQUIREMENTS]:
        shutil.copy(file, folder)
    finished = make(folder, "run", "PYTHON=false")
    assert finished.returncode == 2
    assert "Docent needs Python 3.11 or newer." in finished.stderr
    assert not (folder / ".venv").exists()
