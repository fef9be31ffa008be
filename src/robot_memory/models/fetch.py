"""Brings every missing file of a profile into the weights folder: mirror by mirror, verified, resumable.

Files that are there and verified cost a stat. One fetch at a time: a second one waits, then finds the work done.
"""

from __future__ import annotations

import fcntl
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from robot_memory.errors import ModelMissing
from robot_memory.models import places
from robot_memory.models.conversion import Workshop
from robot_memory.models.download import Downloader
from robot_memory.models.files import ModelFile, Package, Url
from robot_memory.models.mirrors import (
    MirrorFailed,
    Progress,
    Watch,
    WeightsUnwritable,
    check_bytes,
    free_bytes,
    megabytes,
    writing,
)
from robot_memory.models.model import Model, Profile
from robot_memory.models.registry import Registry
from robot_memory.models.weights import FileState, part_of, place, rehash, remove, state

LOCK_POLL_S = 0.2
SCRATCH = ".scratch-"
OFFLINE = "without a network: fetch on another machine and copy its models folder here (docs/models.md)"
Missing = Sequence[tuple[Model, ModelFile]]


class FetchFailed(ModelMissing):
    """No mirror could serve a file; the message lists each with its reason, and how to bring the file by hand."""


@dataclass(frozen=True)
class FetchReport:
    """What a fetch did: files it brought and their bytes on disk, files that were there already, seconds it took."""

    fetched: int
    bytes: int
    present: int
    seconds: float


def fetch(profile: Profile, watch: Watch | None = None) -> FetchReport:
    """Bring what is missing of `profile`; whatever was received stays for the next run.

    Raises FetchFailed when a file is to be had nowhere (after trying all the others), WeightsUnwritable for a full or
    read-only disk, Cancelled.
    """
    started, watch, weights = time.monotonic(), watch or Watch(), places.weights_folder()
    missing = absent(profile)
    if missing:
        with locked(weights, watch), scratch(weights) as folder:
            missing = absent(profile)  # another fetch may have brought some
            check_space(missing)
            Errand(Downloader(watch), Registry(folder, watch), Workshop(folder, watch), watch).bring_all(missing)
    present = sum(len(model.files) for model in profile.models) - len(missing)
    return FetchReport(len(missing), sum(file.bytes for _, file in missing), present, time.monotonic() - started)


@dataclass
class Errand:
    """One run over the missing files, with the tools it shares between them."""

    downloader: Downloader
    registry: Registry
    workshop: Workshop
    watch: Watch
    reasons: list[str] = field(default_factory=list)

    def bring_all(self, missing: Missing) -> None:
        """Bring each file; go on past one that fails, and raise FetchFailed with all failures at the end."""
        failures = []
        for model, file in missing:
            self.reasons.clear()
            if not self.bring(model.folder, file):
                failures.append(failure(model, file, self.reasons))
        if failures:
            summary = f"{len(failures)} of {len(missing)} missing files could not be had"
            raise FetchFailed("\n".join([summary, *failures, OFFLINE]))

    def bring(self, folder: Path, file: ModelFile) -> bool:
        """Put `file` into `folder`; on failure `reasons` tells of every way that was tried."""
        if file.source is None:
            return any(self.serve(mirror, folder, file) for mirror in file.mirrors)
        if rehash(folder, file.source) is not FileState.READY and not self.bring(folder, file.source):
            return False
        return self.make(folder, file, file.source)

    def serve(self, mirror: Url | Package, folder: Path, file: ModelFile) -> bool:
        self.watch.check()
        part = part_of(folder, file)
        try:
            if isinstance(mirror, Url):
                self.downloader.download(mirror.url, part, file)
            else:
                self.registry.extract(mirror, part, file)
        except MirrorFailed as error:
            self.reasons.append(f"{mirror}: {error}")
            return False
        with writing(part):
            place(part, folder / file.name, file)
        return True

    def make(self, folder: Path, file: ModelFile, source: ModelFile) -> bool:
        """Convert `source`, which lies in `folder`, and drop it once the result is verified."""
        part = part_of(folder, file)
        try:
            self.workshop.convert(file.convert, folder / source.name, part)
            check_bytes(part, file)
        except MirrorFailed as error:
            self.reasons.append(f"{file.convert} of {source.name}: {error}")
            return False
        with writing(part):
            place(part, folder / file.name, file)
        remove(folder, source)
        return True


def absent(profile: Profile) -> Missing:
    """Files of the profile that are not there or not right; one that lies there unverified is hashed."""
    wanted = {(model.name, file.name): (model, file) for model in profile.models for file in model.files}
    return [(model, file) for model, file in wanted.values() if not is_right(model.folder, file)]


def is_right(folder: Path, file: ModelFile) -> bool:
    found = state(folder, file)
    return found is FileState.READY or (found is FileState.UNVERIFIED and rehash(folder, file) is FileState.READY)


def check_space(missing: Missing) -> None:
    """Fail before the first byte if the files cannot fit. Packages and tools need room too, but only for a while."""
    folder = places.weights_folder()
    parts = [part_of(model.folder, file) for model, file in missing]
    needed = sum(file.bytes for _, file in missing) - sum(part.stat().st_size for part in parts if part.is_file())
    if (free := free_bytes(folder)) < needed:
        room = f"no space for {megabytes(needed)} of weights in {folder} ({megabytes(free)} free)"
        raise WeightsUnwritable(f"{room} — make room, or set ROBOT_MEMORY_MODELS to a folder on another disk")


def failure(model: Model, file: ModelFile, reasons: Sequence[str]) -> str:
    """What could not be had, why each way failed, and what a person can do about it."""
    wanted = file.source or file
    tried = [f"- {reason}" for reason in reasons]
    pinned = f"{wanted.name} ({wanted.bytes:,} B, sha256 {wanted.sha256})"
    by_hand = f"by hand: put {pinned} into {model.folder}, then fetch again"
    return "\n  ".join([f"{model.role} '{model.name}': no {file.name}", *tried, by_hand])


@contextmanager
def locked(folder: Path, watch: Watch) -> Iterator[None]:
    """Hold the folder's lock, waiting while another fetch has it. A killed fetch leaves no lock behind."""
    with writing(folder / ".lock"):
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("w")
    with lock:
        while not acquired(lock.fileno()):
            watch.report(Progress("waiting for another fetch"))
            watch.cancel.wait(LOCK_POLL_S)
            watch.check()
        yield


def acquired(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def scratch(weights: Path) -> Iterator[Path]:
    """A folder for packages and tools on the weights' own disk (a robot's /tmp is often small); gone afterwards."""
    for leftover in weights.glob(f"{SCRATCH}*"):  # of a run that was killed
        shutil.rmtree(leftover, ignore_errors=True)
    with writing(weights):
        folder = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=weights))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
