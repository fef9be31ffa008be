"""Pack an installed ROS 2 interface package (a CMake install prefix) as a wheel that needs no compiler.

The layout follows the ROS wheels: shared libraries go to sys.prefix/lib, where those wheels' LD_LIBRARY_PATH finds
them, the ament index and share/ to sys.prefix/share, the Python package to site-packages. Same input, same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import os
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

EPOCH = (2020, 1, 1, 0, 0, 0)  # a fixed date, so that the same build gives the same wheel
FOR_DEVELOPERS_ONLY = (".cmake", ".ps1", ".dsv", ".zsh", ".bash", ".sh")


def pack(prefix: Path, package: str, wheel: Path) -> None:
    """Write `wheel` from what is installed in `prefix`; it appears whole or not at all."""
    manifest = ElementTree.parse(prefix / "share" / package / "package.xml").getroot()
    version = manifest.findtext("version", "")
    info = f"{package}-{version}.dist-info"
    installed = sorted(files(prefix, package, version).items())
    entries = [(name, path.read_bytes(), ".so" in path.name) for name, path in installed]
    entries += [(f"{info}/METADATA", metadata(manifest, package).encode(), False)]
    entries += [(f"{info}/WHEEL", wheel_file(wheel).encode(), False)]
    entries += [(f"{info}/RECORD", record(entries, info).encode(), False)]
    unfinished = wheel.with_name(f"{wheel.name}.{os.getpid()}")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, executable in entries:
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = (0o755 if executable else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    unfinished.replace(wheel)


def files(prefix: Path, package: str, version: str) -> dict[str, Path]:
    """Name in the wheel -> installed file, without what only a later CMake build would read."""
    data = f"{package}-{version}.data/data"
    found = {f"{data}/lib/{path.name}": path for path in prefix.glob("lib/*.so*")}
    for path in prefix.glob("share/**/*"):
        if path.is_file() and path.suffix not in FOR_DEVELOPERS_ONLY and "colcon-core" not in path.parts:
            found[f"{data}/share/{path.relative_to(prefix / 'share')}"] = path
    site = next(prefix.glob(f"lib/python3*/*-packages/{package}"))
    for path in site.glob("**/*"):
        if path.is_file() and path.suffix not in (".c", ".pyc"):
            found[f"{package}/{path.relative_to(site)}"] = path
    return found


def metadata(manifest: ElementTree.Element, package: str) -> str:
    """METADATA: needs exactly the ROS wheels it was compiled against."""
    depends = {item.text for kind in ("depend", "exec_depend") for item in manifest.findall(kind) if item.text}
    names = sorted(f"ros-{name.replace('_', '-')}" for name in depends)
    lines = ["Metadata-Version: 2.1", f"Name: {package}", f"Version: {manifest.findtext('version')}"]
    lines += [f"Summary: {manifest.findtext('description')}", f"License: {manifest.findtext('license')}"]
    lines += [f"Requires-Dist: {name}=={importlib.metadata.version(name)}" for name in names]
    return "\n".join(lines) + "\n"


def wheel_file(wheel: Path) -> str:
    """WHEEL: the tags are those of the file's own name."""
    tag = "-".join(wheel.stem.split("-")[2:])
    return f"Wheel-Version: 1.0\nGenerator: pack_interface_wheel\nRoot-Is-Purelib: false\nTag: {tag}\n"


def record(entries: list[tuple[str, bytes, bool]], info: str) -> str:
    """RECORD: every file with its hash and length, itself without."""
    lines = []
    for name, content, _ in entries:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}")
    return "\n".join([*lines, f"{info}/RECORD,,"]) + "\n"
