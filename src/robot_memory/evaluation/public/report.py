"""Figures of the public sets as JSON and as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from robot_memory.control.wishes.wish import Kind
from robot_memory.evaluation.public import routing
from robot_memory.evaluation.public.questionsets import QuestionSet
from robot_memory.evaluation.public.watched import Watched, summary

Figures = dict[str, Any]


def questions_json(questions: QuestionSet) -> Figures:
    """What can be said of a question file without its videos."""
    hits = routing.reasoning_hits(questions)
    return {
        "set": questions.name,
        "file": routing.consistency(questions),
        "understood": {kind: row.as_json() for kind, row in routing.routing(questions).items()},
        "reasoning_bm25": asdict(hits) if hits else None,
    }


def questions_text(figures: Figures) -> str:
    file, hits = figures["file"], figures["reasoning_bm25"]
    lines = [f"{figures['set']}: {file['videos']} videos, {file['questions']:,} questions"]
    if file["with_before_clip"]:
        wrong = file["before_clip_contradicts"]
        fits = (
            f"before_clip = floor(t / 30) - 1 in {file['before_clip_fits_timestamp']:,} of {file['with_before_clip']:,}"
        )
        lines.append(fits + (f"; not in {', '.join(wrong[:5])}" if wrong else ""))
    if file["multiple_choice"]:
        options = ", ".join(f"{count} x {n} options" for n, count in file["options"].items())
        lines.append(f"multiple choice: {options}; the answer is among them in {file['answer_among_options']}")
    kinds = [kind.name for kind in Kind if kind is not Kind.OTHER]
    head = ["type", "questions", *kinds, "declined", "time ok", "time ?", "naming", "found"]
    rows = [
        [
            name,
            row["questions"],
            *(row["kinds"].get(kind, 0) for kind in kinds),
            row["declined"],
            row["time_understood"],
            row["time_not_understood"],
            row["naming_somebody"],
            row["person_found"],
        ]
        for name, row in figures["understood"].items()
    ]
    lines += ["", table([head, *rows])]
    lines.append("naming: seems to name somebody (an estimate); found: the parser has found that person")
    if phrases := figures["understood"]["all"]["unknown_phrases"]:
        lines.append("times not understood: " + ", ".join(f"{phrase} {n}" for phrase, n in phrases.items()))
    if hits:
        lines.append(
            f"question -> its own reasoning, BM25 hit@1: {hits['in_video']:.2f} within the video (chance "
            f"{hits['chance']:.2f}), {hits['over_all']:.2f} among all {hits['questions']:,}"
        )
    return "\n".join(lines)


def answers_json(watched: Watched, out: Path) -> Figures:
    rows = watched.rows
    return {
        "results": str(out),
        "memory": sorted({row["memory"] for row in rows}),
        "judge": sorted({row["judge"] for row in rows}),
        "models": watched.models,
        "films": len({row["film"] for row in rows}),
        "missing": len(watched.missing),
        "unreadable": watched.unreadable,
        "answers": summary(rows),
    }


def answers_text(figures: Figures) -> str:
    lines = [
        f"{figures['films']} films answered, {figures['missing']} without a video; answers in {figures['results']}"
    ]
    lines += [f"could not be watched: {why}" for why in figures["unreadable"].values()]
    if figures["answers"]:
        rows = [[kind, sum(row.values()), *row.values()] for kind, row in figures["answers"].items()]
        lines += ["", table([["type", "questions", "right", "abstained", "wrong"], *rows])]
    else:
        return "\n".join([*lines, "nothing was answered: no film of the questions could be watched in --videos DIR"])
    lines.append(f"memory: {', '.join(figures['memory'])}; judge: {', '.join(figures['judge'])}")
    return "\n".join(lines + _models(figures))


def speech_text(figures: Figures) -> str:
    lines = [f"{figures['utterances']} utterances, {figures['conversations']} conversations"]
    for key, what in (("words_read", "read"), ("words_talked", "talked")):
        if words := figures[key]:
            lines.append(
                f"words, {what}: WER {words['wer']:.1%} of {words['words']:,} ({words['substituted']} substituted, "
                f"{words['left_out']} left out, {words['added']} added)"
            )
            lines.append(f"  normalised: {words['normalised']}")
    for row in figures["speakers"]:
        for key, what in (("within_clips", "voices of a clip"), ("remembered", "persons remembered")):
            one = row[key]
            lines.append(
                f"speakers, {what}, collar {row['collar_s']:g} s: DER {one['der']:.1%} of {one['speech_s']:.1f} s "
                f"(missed {one['missed_s']:.1f}, invented {one['invented_s']:.1f}, confused {one['confused_s']:.1f})"
            )
    for row in figures["voices"]:
        length = "whole" if row["seconds"] is None else f"{row['seconds']:g} s"
        lines.append(
            f"voices, {length}: EER {row['equal_error']:.1%} at {row['at']:.2f} ({row['same']:,} same, "
            f"{row['other']:,} other); at the product's {row['accept']:.2f} FAR {row['far']:.1%}, FRR {row['frr']:.1%}"
        )
    for key, what in (("from_reading", "false facts from reading"), ("from_talk", "facts from talk (true or false)")):
        if believed := figures[key]:
            lines.append(
                f"{what}: {believed['per_hour']:.1f} an hour ({len(believed['claims'])} in {believed['hours']:.3f} h)"
            )
            lines += [f"  {one['subject']} {one['attribute']} {one['value']}" for one in believed["claims"]]
    return "\n".join(lines + _models(figures))


def table(rows: Sequence[Sequence[object]]) -> str:
    """Columns that line up: the first to the left, numbers to the right."""
    texts = [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in texts) for i in range(len(texts[0]))]
    return "\n".join(
        "  ".join(cell.rjust(width) if i else cell.ljust(width) for i, (cell, width) in enumerate(zip(row, widths)))
        for row in texts
    )


def _models(figures: Figures) -> list[str]:
    return ["models: " + ", ".join(f"{role} {name}" for role, name in sorted(figures["models"].items()))]
