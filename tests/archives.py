"""Archives built in memory, the hostile ones too."""

import io
import tarfile
import zipfile
from pathlib import Path


def tar_archive(path: Path, files: dict[str, bytes], links: dict[str, str] | None = None, mode: str = "w:xz") -> Path:
    """Write a tar archive with these files and symbolic links, in this order."""
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        for name, target in (links or {}).items():
            info = tarfile.TarInfo(name)
            info.type = tarfile.SYMTYPE
            info.linkname = target
            archive.addfile(info)
    return path


def zip_archive(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path
