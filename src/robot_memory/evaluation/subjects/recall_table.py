"""The plain baselines on LoCoMo as one table: recall of evidence, and whether the best score tells what is known.

Recall@k is the share of a question's evidence turns among the first k turns found, averaged over the answerable
questions that have evidence (categories 1 to 4), each conversation searched by itself. A turn reads "Caroline: …
[shares a picture: …]". AUROC: how often an answerable question has a surer best match than an adversarial one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from robot_memory.evaluation.public import locomo
from robot_memory.evaluation.subject import Asked
from robot_memory.evaluation.subjects import bm25, flat, hybrid
from robot_memory.evaluation.subjects.transcript import TranscriptSubject, true_speakers
from robot_memory.evaluation.trial import Question, Trial
from robot_memory.language.embedder import TextEmbedder

KS = (5, 10, 20)
Open = Callable[[], TextEmbedder]
Make = Callable[..., TranscriptSubject]


@dataclass
class Row:
    """A baseline and the models it used. `recall`: k -> mean share; `auroc` of its confidence."""

    baseline: str
    models: Mapping[str, str]
    questions: int = 0
    recall: Mapping[int, float] = field(default_factory=dict)
    auroc: float = 0.0
    seconds: float = 0.0


@dataclass
class _Tally:
    shares: dict[int, list[float]] = field(default_factory=lambda: {k: [] for k in KS})
    known: list[float] = field(default_factory=list)  # confidence at answerable questions
    unknown: list[float] = field(default_factory=list)


def locomo_table(path: Path, embedders: Sequence[Open] = (flat.product,)) -> list[Row]:
    """A row for BM25, and for each embedder one for its vectors, for both fused, and for those with context. Raises
    LocomoUnreadable or ModelMissing.
    """
    trials = locomo.trials(path)
    return [_row(make, trials) for make in _makers(embedders)]


def table_text(rows: Sequence[Row]) -> str:
    """The rows for people to read."""
    lines = ["| baseline | text embedding | " + " | ".join(f"recall@{k}" for k in KS) + " | AUROC | s |"]
    lines.append("|" + "---|" * (len(KS) + 4))
    for row in rows:
        shares = " | ".join(f"{row.recall[k]:.3f}" for k in KS)
        embedding = row.models.get("text_embedding", "none")
        lines.append(f"| {row.baseline} | {embedding} | {shares} | {row.auroc:.3f} | {row.seconds:.1f} |")
    return "\n".join(lines)


def auroc(known: Sequence[float], unknown: Sequence[float]) -> float:
    """The chance that one of `known` is above one of `unknown`, ties halved; 0.5 where either is empty."""
    if not known or not unknown:
        return 0.5
    over = np.array(known)[:, None] - np.array(unknown)[None]
    return float(np.mean((over > 0) + 0.5 * (over == 0)))


def _makers(embedders: Sequence[Open]) -> list[Make]:
    kinds: tuple[Callable[..., TranscriptSubject], ...] = (
        flat.FlatSubject,
        hybrid.HybridSubject,
        hybrid.ContextSubject,
    )
    return [bm25.Bm25Subject, *(partial(kind, open_embedder=one) for kind in kinds for one in embedders)]


def _row(make: Make, trials: Sequence[Trial]) -> Row:
    begun, tally, row = time.perf_counter(), _Tally(), None
    for trial in trials:
        subject = make(speakers=true_speakers(trial))
        row = row or Row(subject.name, subject.models)
        for clip in trial.clips():
            subject.watch(clip.observation, clip.session)
        for question in trial.questions:
            _count(tally, subject, question)
        subject.close()
    assert row is not None
    row.questions = len(tally.shares[KS[0]])
    row.recall = {k: float(np.mean(shares)) if shares else 0.0 for k, shares in tally.shares.items()}
    row.auroc = auroc(tally.known, tally.unknown)
    row.seconds = time.perf_counter() - begun
    return row


def _count(tally: _Tally, subject: TranscriptSubject, question: Question) -> None:
    asked = Asked(question.id, question.text, question.at_ns)
    (tally.known if question.answerable else tally.unknown).append(subject.confidence(question.text))
    if not (question.answerable and question.evidence):
        return
    found = [(one.start_ns, one.end_ns) for one in subject.recall(asked, max(KS))]
    wanted = {(moment.start_ns, moment.end_ns) for moment in question.evidence}
    for k in KS:
        tally.shares[k].append(len(wanted & set(found[:k])) / len(wanted))
