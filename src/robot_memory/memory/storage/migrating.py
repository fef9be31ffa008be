"""From the format a file has to today's: the steps it lacks, each one transaction with its number.

Steps rewrite and drop tables, so a file with content is copied beside first: whoever must go back to an older
robot_memory, or finds a fault in a step, still has it. It costs the file's size in disk space until it is deleted.
"""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

from robot_memory.errors import StoreUnreadable
from robot_memory.memory.storage import files
from robot_memory.memory.storage.copying import copy
from robot_memory.memory.storage.schema import APPLICATION_ID, STEPS, VERSION

LOG = logging.getLogger("robot_memory.memory")


def migrate(db: sqlite3.Connection, path: Path) -> Path | None:
    """Take the steps the file lacks; returns the copy of what it was, None where nothing was to be kept.

    Raises StoreUnreadable where a step leaves rows without their partner: nothing of it is done then.
    """
    done = int(db.execute("PRAGMA user_version").fetchone()[0])
    kept = _keep(db, path, done) if 0 < done < VERSION else None
    db.execute("PRAGMA foreign_keys=OFF")  # a table that is made anew under its old name is gone for a moment
    for version, step in enumerate(STEPS[done:], start=done + 1):
        take_step(db, version, step, path)
    db.execute("PRAGMA foreign_keys=ON")
    return kept


def take_step(db: sqlite3.Connection, version: int, step: str, path: Path) -> None:
    """One step and its number, or nothing."""
    try:
        db.executescript(
            f"BEGIN IMMEDIATE; {step} PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={version};"
        )
        if lone := db.execute("PRAGMA foreign_key_check").fetchone():
            raise StoreUnreadable(
                f"{path} cannot be brought to format {version}: a row of {lone[0]} belongs to a row of {lone[2]} that "
                "is not there. It is left as it was: use the robot_memory that wrote it"
            )
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _keep(db: sqlite3.Connection, path: Path, version: int) -> Path | None:
    if db.execute("SELECT generation FROM meta").fetchone()[0] == 0:
        return None
    aside = files.beside(path, f".format-{version}-{files.moment()}")
    with files.being_made(path) as made:
        copy(db, made)
        files.put(made, aside)
    LOG.warning("the memory %s goes from format %d to %d; as it was, it is kept: %s", path, version, VERSION, aside)
    return aside
