"""A set-up that was stopped goes on where it was, repeats nothing that is done, and never trusts half a package."""

import fcntl
import subprocess
import sys
import time

import pytest

from setup_steps import forget_half_installed
from stamps import Stamps, digest


def test_a_step_is_done_only_when_it_was_finished_with_the_same_inputs(tmp_path):
    stamps = Stamps(tmp_path)
    assert not stamps.current("ros", "key")
    stamps.begin("ros")
    assert not stamps.current("ros", "key")
    assert stamps.begun("ros")
    stamps.finish("ros", "key")
    assert stamps.current("ros", "key")
    assert not stamps.begun("ros")
    assert not stamps.current("ros", "another key")


def test_beginning_again_takes_the_old_stamp_away(tmp_path):
    stamps = Stamps(tmp_path)
    stamps.begin("ros")
    stamps.finish("ros", "key")
    stamps.begin("ros")
    assert not stamps.current("ros", "key")


def test_the_hash_of_inputs_sees_content_names_and_borders(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/a").write_text("x")
    before = digest(tmp_path / "folder")
    assert digest(tmp_path / "folder") == before
    (tmp_path / "folder/a").write_text("y")
    assert digest(tmp_path / "folder") != before
    (tmp_path / "folder/a").write_text("x")
    (tmp_path / "folder/a").rename(tmp_path / "folder/b")
    assert digest(tmp_path / "folder") != before
    assert digest("ab", "c") != digest("a", "bc")


@pytest.mark.parametrize("lost", ["INSTALLER", "RECORD"])
def test_a_package_that_pip_did_not_finish_is_installed_again(tmp_path, lost):
    site = tmp_path / "lib/python3.11/site-packages"
    for name in ("whole-1.0", "half-1.0"):
        (site / f"{name}.dist-info").mkdir(parents=True)
        for file in ("METADATA", "INSTALLER", "RECORD"):
            (site / f"{name}.dist-info" / file).touch()
    (site / "half-1.0.dist-info" / lost).unlink()
    forget_half_installed(tmp_path)
    assert sorted(path.name for path in site.iterdir()) == ["whole-1.0.dist-info"]


def test_two_set_ups_do_not_work_on_one_folder(tmp_path, root):
    with (tmp_path / "venv.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = [sys.executable, str(root / "tools/bootstrap"), "--venv", str(tmp_path / "venv"), "--disk-gb", "1e6"]
        second = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert second.stdout is not None
        assert "waiting" in second.stdout.readline()
        time.sleep(0.2)
        assert second.poll() is None
    _, complaint = second.communicate(timeout=30)
    assert "GB free" in complaint
    assert second.returncode == 1
