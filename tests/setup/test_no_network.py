"""Without a network the set-up says what it could not fetch and what to do, and keeps what it has."""

import pytest

from children import reason


def test_offline(bootstrap, tmp_path):
    finished = bootstrap(PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_RETRIES="1", PIP_NO_CACHE_DIR="1")
    assert finished.returncode == 1
    first, second = finished.stderr.strip().splitlines()
    assert "packaging==" in first
    assert "could not be fetched: no connection to the package index" in first
    assert "run it again" in first
    assert second == f"The whole output: {tmp_path}/venv/setup/base.log"
    assert "127.0.0.1" in (tmp_path / "venv/setup/base.log").read_text()


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "the disk is full"),
        ("SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] ...'))", "PIP_CERT"),
        ("pip._vendor.urllib3.exceptions.ReadTimeoutError: Read timed out.", "a download broke off"),
        (
            "ERROR: Could not find a version that satisfies the requirement soxr==9.9 (from versions: 1.0)",
            "soxr==9.9 is not offered",
        ),
        ("[3/9] Building\nFAILED: x.o\nx.cpp:1:1: error: no ;\nninja: stopped.", "x.cpp:1:1: error: no ;"),
        ("", "it printed nothing"),
    ],
)
def test_the_reason_of_a_failure_is_one_line(output, told):
    line = reason(output)
    assert told in line
    assert "\n" not in line
