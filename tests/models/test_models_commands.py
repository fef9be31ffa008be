"""`robot-memory models list | fetch | verify` as an operator sees them."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pytest
from loopback_mirror import Mirror, WriteProfile, entry, pattern

from robot_memory.models.commands import register

BODY = pattern(60_000)


def run(*words: str) -> int:
    parser = argparse.ArgumentParser(prog="robot-memory")
    register(parser.add_subparsers())
    args = parser.parse_args(["models", *words, "--profile", "tiny"])
    code: int = args.func(args)
    return code


@pytest.fixture(autouse=True)
def profile(mirror: Mirror, write_profile: WriteProfile) -> None:
    eyes = [entry("c.bin", BODY[:100], mirror.serve("/c", BODY[:100]))]
    write_profile(ears=[entry("a.bin", BODY, mirror.serve("/a", BODY))], eyes=eyes)


def test_list_shows_role_model_size_licence_and_state(capsys: pytest.CaptureFixture[str], weights: Path) -> None:
    assert run("list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "profile tiny: a test"
    assert lines[1].split() == ["role", "model", "size", "licence", "state"]
    assert lines[2].split() == ["ears", "ears-1", "0.1", "MB", "MIT", "missing"]
    assert lines[-1] == f"0.1 MB in {weights}"


def test_fetch_brings_all_and_says_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("fetch") == 0
    shown = capsys.readouterr()
    assert [line.split()[-1] for line in shown.out.splitlines()[1:3]] == ["ready", "ready"]
    assert "fetched 2 files, 0.1 MB, in " in shown.out
    assert shown.err.splitlines() == ["ears-1/a.bin", "eyes-1/c.bin"]
    assert run("fetch") == 0
    assert "fetched 0 files, 0.0 MB, in 0.0 s; 2 were there already" in capsys.readouterr().out


def test_verify_reads_every_byte(capsys: pytest.CaptureFixture[str], weights: Path) -> None:
    assert run("verify") == 1
    run("fetch")
    assert run("verify") == 0
    path, times = weights / "ears-1" / "a.bin", (weights / "ears-1" / "a.bin").stat()
    path.write_bytes(b"\0" + BODY[1:])
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    capsys.readouterr()
    assert run("list") == 0, "same size and time: only verify can see it"
    assert "wrong" not in capsys.readouterr().out
    assert run("verify") == 1
    shown = capsys.readouterr().out
    assert "wrong bytes" in shown
    assert "run: robot-memory models fetch --profile tiny" in shown


def test_list_tells_a_begun_download_from_a_missing_one(capsys: pytest.CaptureFixture[str], weights: Path) -> None:
    (weights / "ears-1").mkdir(parents=True)
    (weights / "ears-1" / "a.bin.part").write_bytes(BODY[:10])
    run("list")
    assert "partly downloaded" in capsys.readouterr().out


def test_every_verb_says_in_a_sentence_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run("--help")
    shown = capsys.readouterr().out
    for sentence in ("show each role's model", "download what is missing", "read every byte"):
        assert sentence in shown
