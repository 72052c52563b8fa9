"""Run git on what strangers made, with an end to its time, its disk space and its memory.

Git gets an environment of its own: nothing of the caller's configuration, credentials or `GIT_` variables. What it
needs to know is in that environment too, so that neither a token nor an address stands on a command line.
"""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from docs_search.sources.base import SourceError

MINIMUM = (2, 37)  # the first that can be told which address a host has

_POLL = 0.2  # seconds between two looks at a running git
_NICE_SHARE = 10  # between looks passes this many times what a look takes
_MAX_OUTPUT = 64 << 20  # bytes that git may say
_RESERVE = 256 << 20  # bytes of the disk that are left free
_MEMORY = 4 << 20  # KiB of address space
# Ends with Docent: its side of the pipe closes however it dies, and git would go on, with nobody to keep the limits.
_GUARDED = f"""
exec 3<&0 </dev/null
ulimit -v {_MEMORY} 2>/dev/null
{{ read -r _ <&3; kill -s KILL 0; }} &
guard=$!
"$@" 3<&-
status=$?
{{ kill "$guard"; wait "$guard"; }} 2>/dev/null
exit "$status"
"""
_NOISE = re.compile(r"^(?:remote:|fatal:|error:|warning:|\s)*", re.IGNORECASE)
_SETTINGS = {
    "protocol.allow": "never",
    "protocol.https.allow": "always",
    "http.followRedirects": "false",
    "http.lowSpeedLimit": "1",  # bytes in a second; a server that is still counting sends a sign of life
    "http.lowSpeedTime": "60",
    "credential.helper": "",
    "core.askPass": "",
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.autocrlf": "false",
    "core.eol": "lf",
    "core.bigFileThreshold": "64m",
    "core.packedGitLimit": "1g",
    "core.packedGitWindowSize": "64m",
    "core.quotePath": "false",
    "fetch.recurseSubmodules": "false",
    "submodule.recurse": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "advice.detachedHead": "false",
}


@dataclass(frozen=True, slots=True)
class GitLimits:
    """Upper bounds of one source: seconds and bytes on disk of everything together, files that are checked out."""

    seconds: float = 1800.0
    bytes: int = 2 << 30
    files: int = 50_000


class GitError(Exception):
    """Git has failed. The message is what it complained of first, in one line."""


class Git:
    """Runs git in folders below `root`, to which all of the limits apply together.

    `settings` add to what git is configured by.
    """

    def __init__(self, root: Path, settings: Mapping[str, str], limits: GitLimits) -> None:
        """Raises SourceError where git is missing or too old."""
        self._program = _program()
        self._root = root
        self.limits = limits
        self._deadline = time.monotonic() + limits.seconds
        self._environment = _environment(root, {**_SETTINGS, **settings})

    def run(self, folder: Path, *arguments: str) -> str:
        """What git writes to its standard output in `folder`. Raises GitError, and SourceError at a limit."""
        # Not in the folder, where the repository may have something of the same name.
        output, errors = self._root / "output", self._root / "errors"
        command = ["/bin/sh", "-c", _GUARDED, "sh", self._program, *arguments]
        with output.open("wb") as out, errors.open("wb") as err:
            process = subprocess.Popen(  # noqa: S603  no shell reads the arguments
                command,
                cwd=folder,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        try:
            self._watch(process, (output, errors))
        finally:
            _end(process)
        if process.returncode:
            raise GitError(_complaint(errors))
        return output.read_text(encoding="utf-8", errors="surrogateescape")

    def _watch(self, process: "subprocess.Popen[bytes]", outputs: Iterable[Path]) -> None:
        pause = _POLL
        while True:
            ended = _has_ended(process, max(0.0, min(pause, self._deadline - time.monotonic())))
            looked = time.monotonic()
            if _size(self._root) > self.limits.bytes:
                raise SourceError(
                    f"The repository takes more than {self.limits.bytes:,} bytes. Name the subfolder of its documents,"
                    " as in #main:docs."
                )
            if shutil.disk_usage(self._root).free < _RESERVE:
                raise SourceError(f"The disk of {self._root.parent} is nearly full. Free some of it, or set TMPDIR.")
            if any(output.stat().st_size > _MAX_OUTPUT for output in outputs):
                raise SourceError("The repository has too many names to be listed.")
            if ended:
                return
            if looked >= self._deadline:
                raise SourceError(f"git took longer than {self.limits.seconds:,g} s, and was stopped. Try it later.")
            pause = max(_POLL, _NICE_SHARE * (time.monotonic() - looked))


@cache
def _program() -> str:
    program = shutil.which("git")
    if program is None:
        raise SourceError("git is not installed, and this location is a git repository. Run: apt-get install git")
    command = [program, "version"]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False).stdout  # noqa: S603
    version = re.search(r"(\d+)\.(\d+)", answer)
    if version is None or (int(version[1]), int(version[2])) < MINIMUM:
        needed = ".".join(map(str, MINIMUM))
        raise SourceError(f"git {needed} or newer is needed to read a repository, and this is {answer.strip()!r}.")
    return program


def _environment(home: Path, settings: Mapping[str, str]) -> dict[str, str]:
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),  # a password file is looked for there
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_PROTOCOL_FROM_USER": "0",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_CEILING_DIRECTORIES": str(home.parent),
        "GIT_CONFIG_COUNT": str(len(settings)),
    }
    for number, (name, value) in enumerate(settings.items()):
        environment |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    for name, general in (("GIT_SSL_CAINFO", "SSL_CERT_FILE"), ("GIT_SSL_CAPATH", "SSL_CERT_DIR")):
        if trusted := os.environ.get(general) or os.environ.get(name):
            environment[name] = trusted
    return environment


def _has_ended(process: "subprocess.Popen[bytes]", seconds: float) -> bool:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill whatever still runs of git and the programs that it started."""
    with suppress(ProcessLookupError, PermissionError):  # all of them have ended; macOS says it in the latter way
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdin:
        process.stdin.close()


def _size(folder: Path) -> int:
    """Bytes of the files below a folder, while others write and remove them."""
    total = 0
    pending = [folder]
    while pending:
        try:
            entries = list(os.scandir(pending.pop()))
        except FileNotFoundError:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                pending.append(Path(entry.path))
                continue
            try:
                total += entry.stat(follow_symlinks=False).st_size
            except FileNotFoundError:
                continue
    return total


def _complaint(errors: Path) -> str:
    """The first thing that git called fatal or an error, or else the last line, never long. Others follow from it."""
    with errors.open("rb") as file:
        file.seek(max(0, errors.stat().st_size - 10_000))
        lines = [line for line in file.read().decode(errors="replace").splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))] or lines[-1:] or ["it gave no reason"]
    return _NOISE.sub("", " ".join(telling[0].split()))[:300]
