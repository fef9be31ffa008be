"""A short life to compare with, the library that watches system calls, and a folder for a server of few rights."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import system_calls
from inspection import Undisturbed, undisturbed
from troubles import Place, Starter

from robot_memory.language.embedder import TextEmbedder

NOBODY = 65534


@pytest.fixture(scope="session", autouse=True)
def _loaded_once(embedder: TextEmbedder) -> Iterator[None]:
    """Servers that start in this process share one embedder: loading it takes longer than all else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("robot_memory.control.service.open_text_embedder", lambda model: embedder)
        yield


@pytest.fixture(scope="session")
def life(embedder: TextEmbedder, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """The first clips of world 1."""
    return undisturbed(1, embedder, tmp_path_factory.mktemp("undisturbed"), 12)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return system_calls.compiled(tmp_path_factory.mktemp("library"))
    except system_calls.CannotCompile as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def starts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Starter]:
    try:
        starter = Starter(system_calls.compiled(tmp_path_factory.mktemp("starter")))
    except system_calls.CannotCompile:
        starter = Starter(None)
    yield starter
    starter.close()


@pytest.fixture
def place() -> Iterator[Place]:
    """Of user nobody where we are root, else our own."""
    folder = Path(tempfile.mkdtemp(prefix="troubled-server-"))
    folder.chmod(0o755)
    home = folder / "robot"
    home.mkdir()
    yield Place(home, NOBODY if os.geteuid() == 0 else 0)
    Place(home, 0).give()
    shutil.rmtree(folder)
