"""`python3 tools/bootstrap` makes .venv ready for `make demo` and `make test`; what is done already costs milliseconds.

This file keeps to a syntax that an old Python can read, so that it can say what is wrong instead of failing to parse.
"""
# ruff: noqa: UP031

import sys

OLDEST, NEWEST = (3, 10), (3, 14)

if not OLDEST <= sys.version_info[:2] <= NEWEST:
    sys.exit(
        "robot_memory needs Python 3.10 to 3.14, and this is %d.%d (%s).\n"
        "Name another one, for example: make PYTHON=python3.12 demo" % (sys.version_info[:2] + (sys.executable,))
    )

from setup_steps import main  # noqa: E402

sys.exit(main(sys.argv[1:]))
