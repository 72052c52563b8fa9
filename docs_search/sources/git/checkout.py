"""The files of one commit of a repository, without its history: of a subfolder alone where the server can do that."""

import base64
import shutil
from collections.abc import Mapping
from pathlib import Path

from docs_search.sources.base import SourceError, SourceOptions
from docs_search.sources.git.failures import source_error
from docs_search.sources.git.location import TAG, GitLocation, folder_path
from docs_search.sources.git.process import Git, GitError, GitLimits
from docs_search.sources.git.refs import full_name, newest_tag, parse_refs
from docs_search.sources.temporary import MAX_LEVELS

_WANTED = "refs/docent/wanted"


def git_settings(location: GitLocation, addresses: list[str], token: str) -> dict[str, str]:
    """What git must be told: the repository, the only addresses that its host has, and how to sign in.

    `token` is blank for a public repository; `user:token` where the server asks for a certain user.
    """
    pinned = ",".join(f"[{address}]" if ":" in address else address for address in addresses)
    settings = {"remote.origin.url": location.url}
    if ":" not in location.host:  # what is an address already is not looked up
        settings["http.curloptResolve"] = f"{location.host}:{location.port}:{pinned}"
    if token:
        user_and_token = token if ":" in token else f"x-access-token:{token}"
        value = base64.b64encode(user_and_token.encode()).decode("ascii")
        settings[f"http.{location.url}.extraHeader"] = f"Authorization: Basic {value}"
    return settings


def check_out(
    location: GitLocation,
    options: SourceOptions,
    target: Path,
    settings: Mapping[str, str],
    limits: GitLimits,
) -> tuple[Path, str]:
    """Write the files that `location` names below the existing folder `target`.

    That is the location's subfolder, and below it the options' one where the commit has it. Returns the folder that
    they are in, and which folder of the repository it is. Raises SourceError.
    """
    git = Git(target, settings, limits)
    try:
        name = _wanted(location, options, git, _repository(git, target / "names"))
        if location.subfolder or options.subfolder:
            try:
                return _fetch(location, options, name, git, _repository(git, target / "part"), partial=True)
            except GitError:  # a server that announces parts and does not give them
                shutil.rmtree(target / "part")
        return _fetch(location, options, name, git, _repository(git, target / "whole"), partial=False)
    except GitError as error:
        raise source_error(error, location) from error


def _repository(git: Git, folder: Path) -> Path:
    folder.mkdir()
    git.run(folder, "init", "--quiet", "--bare", "--template=")
    return folder


def _wanted(location: GitLocation, options: SourceOptions, git: Git, folder: Path) -> str:
    """The full name of what to fetch."""
    if not location.ref:
        return "HEAD"
    listing = git.run(folder, "ls-remote", "--refs", "--quiet", "--", "origin", "refs/heads/*", "refs/tags/*")
    known = parse_refs(listing)
    if location.ref == TAG:
        return newest_tag(known, options.is_release)
    return full_name(location.ref, known)


def _fetch(
    location: GitLocation, options: SourceOptions, name: str, git: Git, folder: Path, *, partial: bool
) -> tuple[Path, str]:
    wanted = [folder_path(f"{location.subfolder}/{below}") for below in (options.subfolder, "")]
    git.run(
        folder,
        *("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"),
        *(["--filter=blob:none"] if partial else []),
        *("--", "origin", f"+{name}:{_WANTED}"),
    )
    path, tree = next(((path, tree) for path in wanted if (tree := _tree(git, folder, path))), ("", None))
    if tree is None:
        raise SourceError(_missing_folder(location, git, folder))
    names = git.run(folder, "ls-tree", "-r", "-z", "--name-only", "--full-tree", tree)
    if names.count("\0") > git.limits.files:
        raise SourceError(
            f"The repository has more than {git.limits.files:,} files. Name the subfolder of its documents, as in"
            " #main:docs."
        )
    if any(name.count("/") > MAX_LEVELS for name in names.split("\0")):
        raise SourceError(f"The repository has more than {MAX_LEVELS} folders below one another.")
    # The subfolder becomes the top: nothing else is downloaded, and all that is missing comes in one request. What git
    # keeps for itself lies elsewhere, so that no link of the repository leads to it.
    files = folder / "files"
    files.mkdir()
    git.run(folder, "--git-dir=.", "--work-tree=files", "read-tree", "--reset", "-u", tree)
    return files, path


def _tree(git: Git, folder: Path, path: str) -> str | None:
    """The object of a folder of the commit, None where it has no such folder."""
    if not path:
        return git.run(folder, "rev-parse", "--verify", f"{_WANTED}^{{tree}}").strip()
    return _folders(git, folder, path).get(path)


def _folders(git: Git, folder: Path, *paths: str) -> dict[str, str]:
    """The folders at `paths`, by default those at the top, with their objects. Submodules are listed and are none."""
    listing = git.run(folder, "ls-tree", "-d", "-z", "--full-tree", _WANTED, "--", *paths)
    entries = [entry.partition("\t") for entry in listing.split("\0") if entry]
    return {name: about.split()[2] for about, _, name in entries if about.split()[1] == "tree"}


def _missing_folder(location: GitLocation, git: Git, folder: Path) -> str:
    names = sorted(name for name in _folders(git, folder) if name.isprintable() and not name.startswith("."))
    folders = ", ".join(name[:100] for name in names[:10]) or "none"
    return f"The repository has no folder {location.subfolder!r}. Its folders are: {folders}."
