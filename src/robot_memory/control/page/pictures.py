"""Pictures inside a page, and how many of them it carries: a page should open on a phone."""

from __future__ import annotations

import base64
import sqlite3
from collections.abc import Sequence

from robot_memory.control.page.markup import Markup, tag, void

MOST_BYTES = 12_000_000  # of all pictures of a page
TYPE = "data:image/jpeg;base64,"


class Pictures:
    """Gives a store's pictures as elements until the page has enough of them; then empty ones."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._left = MOST_BYTES
        self._crops: dict[int, Markup] = {}

    def snapshot(self, id: int, label: str) -> Markup:
        """A picture of the room; empty where it is gone."""
        row = self._db.execute("SELECT jpeg FROM snapshots WHERE id = ?", (id,)).fetchone()
        return self._element(bytes(row["jpeg"]) if row else b"", label, "snapshot")

    def face(self, faces: Sequence[int], label: str) -> Markup:
        """The best picture of one of these faces; a letter where there is none."""
        for face in faces:
            if face not in self._crops:
                row = self._db.execute("SELECT crop FROM entities WHERE id = ?", (face,)).fetchone()
                self._crops[face] = self._element(bytes(row["crop"] or b"") if row else b"", label, "face")
            if self._crops[face]:
                return self._crops[face]
        return tag("span", label.lstrip("'“ ")[:1].upper(), class_="face letter", role="img", aria_label=label)

    def _element(self, jpeg: bytes, label: str, kind: str) -> Markup:
        if not jpeg or len(jpeg) > self._left:
            return Markup("")
        self._left -= len(jpeg)
        return void("img", src=TYPE + base64.b64encode(jpeg).decode(), alt=label, class_=kind, loading="lazy")
