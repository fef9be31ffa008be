"""A contact sheet of a rendered bag, for people to look at: pictures in rows, who is in view, the sound, the words.

Boxes and names are the truth's, so that one sees at once whether they sit on the faces.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation import truth
from robot_memory.evaluation.rendering import watching
from robot_memory.evaluation.truth import Said, Truth
from robot_memory.streams.media import SAMPLE_RATE, SECOND, AudioSpan, Frame

COLUMNS, THUMB, CAPTION, MARGIN = 6, (240, 180), 18, 6
LANES, LANE = 4, 11  # of words under the wave form, pixels each
STRIP = 36 + LANES * LANE
MOST = 60  # pictures on a sheet
INK, PAPER, BOX, WAVE = (40, 40, 40), (248, 248, 250), (60, 200, 250), (170, 130, 70)
Sheet = NDArray[np.uint8]


def write(bag: Path, out: Path, every_s: float = 0.0) -> tuple[int, int]:
    """Write the sheet as a PNG, a picture every `every_s` seconds (0: as many as fit). Returns width and height.

    Raises BagUnreadable, TruthUnreadable, or OSError where it cannot be written.
    """
    import cv2

    known = truth.read(watching.truth_beside(bag))
    seen = watching.read(bag)
    sheet = drawn(seen.frames, seen.sound, known, every_s)
    if out.suffix.lower() != ".png":
        out = out.with_name(out.name + ".png")
    out.write_bytes(bytes(cv2.imencode(".png", sheet)[1]))
    return sheet.shape[1], sheet.shape[0]


def drawn(frames: Sequence[Frame], sound: Sequence[AudioSpan], known: Truth, every_s: float = 0.0) -> Sheet:
    rows = _rows(frames, every_s)
    high = THUMB[1] + CAPTION + STRIP + MARGIN
    wide = COLUMNS * (THUMB[0] + MARGIN) + MARGIN
    sheet = np.full((max(1, len(rows)) * high + MARGIN, wide, 3), PAPER, np.uint8)
    for number, (row, end_ns) in enumerate(rows):
        top = MARGIN + number * high
        for column, frame in enumerate(row):
            left = MARGIN + column * (THUMB[0] + MARGIN)
            _picture(sheet, (left, top), frame, known, bool(column))
        _strip(sheet, top + THUMB[1] + CAPTION, (row[0].stamp_ns, end_ns), sound, known.lines)
    return sheet


def _rows(frames: Sequence[Frame], every_s: float) -> list[tuple[list[Frame], int]]:
    """Pictures at even steps, a new row after every gap; each row with the moment where its sound ends."""
    if not frames:
        return []
    stamps = np.array([frame.stamp_ns for frame in frames])
    usual = int(np.median(np.diff(stamps))) if len(stamps) > 1 else SECOND
    if every_s <= 0:
        every_s = max(1.0, len(frames) * usual / SECOND / MOST)
    rows: list[tuple[list[Frame], int]] = []
    last, step = 0, round(every_s * SECOND)
    row: list[Frame] = []
    for frame in frames:
        gap = bool(row) and frame.stamp_ns - last > max(5 * usual, SECOND)
        if row and (gap or (len(row) == COLUMNS and frame.stamp_ns >= row[0].stamp_ns + COLUMNS * step)):
            rows.append((row, min(last + usual, row[0].stamp_ns + COLUMNS * step)))
            row = []
        if len(row) < COLUMNS and (not row or frame.stamp_ns >= row[0].stamp_ns + len(row) * step):
            row.append(frame)
        last = frame.stamp_ns
    rows.append((row, min(last + usual, row[0].stamp_ns + COLUMNS * step)))
    return rows


def _picture(sheet: Sheet, corner: tuple[int, int], frame: Frame, known: Truth, brief: bool) -> None:
    import cv2

    left, top = corner
    picture: Any = cv2.imdecode(np.frombuffer(frame.encoded, np.uint8), cv2.IMREAD_COLOR)
    scale = THUMB[0] / picture.shape[1], THUMB[1] / picture.shape[0]
    thumb = cv2.resize(picture, THUMB, interpolation=cv2.INTER_AREA)
    there = [one for one in known.appearances if one.start_ns <= frame.stamp_ns <= one.end_ns]
    for one in there:
        x, y, wide, high = one.boxes([frame.stamp_ns])[0].tolist()
        first = round(x * scale[0]), round(y * scale[1])
        cv2.rectangle(thumb, first, (round((x + wide) * scale[0]), round((y + high) * scale[1])), BOX, 1, cv2.LINE_AA)
    sheet[top : top + THUMB[1], left : left + THUMB[0]] = thumb
    place = there[0].place if there and not brief else ""
    said = f"{_clock(frame.stamp_ns, known.zone)} {place and f'[{place}] '}{', '.join(one.who for one in there)}"
    _text(sheet, said, (left, top + THUMB[1] + 13), THUMB[0])


def _strip(sheet: Sheet, top: int, span: tuple[int, int], sound: Sequence[AudioSpan], lines: Sequence[Said]) -> None:
    """The wave form of a row's time, and the words under it where they begin."""
    wide = sheet.shape[1] - 2 * MARGIN
    start, end = span
    loud = np.zeros(wide)
    for one in sound:
        at = (
            (one.stamp_ns - start + np.arange(0, len(one.samples), 40) * (SECOND // SAMPLE_RATE))
            * wide
            // (end - start)
        )
        peaks = np.abs(one.samples[::40].astype(np.float64))
        inside = (at >= 0) & (at < wide)
        np.maximum.at(loud, at[inside].astype(int), peaks[inside])
    middle, tall = top + 16, np.sqrt(loud / 32768) * 15
    for x in range(wide):
        reach = max(0, round(tall[x]))
        sheet[middle - reach : middle + reach + 1, MARGIN + x] = WAVE
    free = [0] * LANES  # from where on a lane has room
    for line in (line for line in lines if start <= line.start_ns < end):
        said = f"{line.who}: {line.text}"
        left = MARGIN + int((line.start_ns - start) * wide // (end - start))
        left = max(MARGIN, min(left, sheet.shape[1] - MARGIN - _width(said)))  # what begins late is read all the same
        lane = next((n for n in range(LANES) if free[n] <= left), free.index(min(free)))
        right = _text(sheet, said, (left, top + 41 + LANE * lane), sheet.shape[1] - left)
        free[lane] = right + MARGIN


def _text(sheet: Sheet, text: str, corner: tuple[int, int], room: int) -> int:
    """Write as much as there is room for; returns where it ends."""
    import cv2

    plain = _plain(text)
    while plain and _width(plain) > room:
        plain = plain[:-1]
    cv2.putText(sheet, plain, corner, cv2.FONT_HERSHEY_SIMPLEX, 0.36, INK, 1, cv2.LINE_AA)
    return corner[0] + _width(plain)


def _plain(text: str) -> str:
    """What OpenCV's letters can write."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def _width(text: str) -> int:
    import cv2

    return int(cv2.getTextSize(_plain(text), cv2.FONT_HERSHEY_SIMPLEX, 0.36, 1)[0][0])


def _clock(at_ns: int, zone: str) -> str:
    moment = datetime.fromtimestamp(at_ns / SECOND, timezone.utc).astimezone(ZoneInfo(zone or "UTC"))
    return f"{moment:%H:%M:%S}"
