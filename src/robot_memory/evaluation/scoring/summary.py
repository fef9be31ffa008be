"""An evaluation as one plain document: what `--json` prints and what the table and the report are made from.

Its keys are stable (docs/evaluation.md). All that differs from run to run is under `made` and `timings`.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timezone
from functools import partial
from typing import Any

import numpy as np

from robot_memory import __version__
from robot_memory.evaluation.scoring import calibration
from robot_memory.evaluation.scoring.calibration import FIRST, Outcome
from robot_memory.evaluation.scoring.judge import ERROR, RIGHT, WRONG
from robot_memory.evaluation.scoring.many import Evaluation
from robot_memory.evaluation.scoring.score import Graded, Score
from robot_memory.evaluation.scoring.tally import Figure, Tally, figure, pooled
from robot_memory.evaluation.subject import Found

VERSION = 1
SHOWN = 5  # of the things found for a question


RISKS = [
    (name, risk, share)
    for name, risk in (("unanswerable", calibration.unanswerable), ("unfound", calibration.unfound))
    for share in calibration.COVERAGES
]


def summarise(evaluation: Evaluation, what: str) -> dict[str, Any]:
    """The document. JSON types only."""
    by_subject = {name: [s for s in evaluation.scores if s.subject == name] for name in evaluation.subjects}
    by_subject = {name: own for name, own in by_subject.items() if own}
    return {
        "version": VERSION,
        "made": {
            "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "robot_memory": __version__,
            "python": platform.python_version(),
            "machine": f"{platform.system()} {platform.machine()}",
        },
        "what": what,
        "sources": list(evaluation.sources),
        "judge": evaluation.judge,
        "k": list(evaluation.ks),
        "subjects": {name: _subject(own) for name, own in by_subject.items()},
        "trials": [_trial(one) for one in evaluation.scores],
        "failures": [asdict(failure) for failure in evaluation.failures],
        "questions": [_question(one, graded) for one in evaluation.scores for graded in one.graded],
        "timings": {name: _timings(own) for name, own in by_subject.items()},
    }


def outcomes(score: Score) -> list[Outcome]:
    """What calibration looks at: every question. Whoever abstains, in words too, has not answered; an error is silence
    of no confidence.
    """
    return [
        Outcome(
            0.0 if one.reply is None or one.verdict.kind == ERROR else one.reply.confidence,
            one.verdict.kind in (RIGHT, WRONG),
            one.verdict.kind == RIGHT,
            one.question.answerable,
            one.recall[FIRST] > 0 if FIRST in one.recall else None if one.recall else True,
        )
        for one in score.graded
    ]


def _subject(scores: Sequence[Score]) -> dict[str, Any]:
    models = {role: name for score in scores for role, name in score.models.items()}
    keys = list(dict.fromkeys(key for score in scores for key in score.tallies))
    tallies = {key: [score.tallies.get(key, Tally(0, 0)) for score in scores] for key in sorted(keys)}
    return {
        "models": dict(sorted(models.items())),
        "questions": sum(len(score.graded) for score in scores),
        "figures": {key: _figure(own) for key, own in tallies.items() if any(one.weight for one in own)},
        "calibration": _calibration([outcomes(score) for score in scores]),
    }


def _figure(tallies: Sequence[Tally]) -> dict[str, Any]:
    of = figure(tallies)
    assert of is not None
    counted = [one for one in tallies if one.weight]
    return {**asdict(of), "total": sum(one.total for one in counted), "weight": sum(one.weight for one in counted)}


def _calibration(trials: Sequence[list[Outcome]]) -> dict[str, Any]:
    whole = [one for trial in trials for one in trial]

    def over(measure: Any) -> dict[str, Any] | None:
        of: Figure | None = pooled(trials, lambda pick: measure([one for number in pick for one in trials[number]]))
        return asdict(of) if of else None

    coverage = over(lambda some: sum(one.answered for one in some) / len(some) if some else None)
    counts = {"total": sum(one.answered for one in whole), "weight": len(whole)}
    return {
        "coverage": coverage and {**coverage, **counts},
        "aurc": over(calibration.area_under_risk),
        "ece": over(calibration.ece),
        "brier": over(calibration.brier),
        "auroc": over(calibration.auroc),
        **{f"{name}@{share:g}": over(partial(risk, coverage=share)) for name, risk, share in RISKS},
        "curve": [list(point) for point in calibration.risk_coverage(whole)],
        "bins": [asdict(one) for one in calibration.bins(whole)],
    }


def _trial(score: Score) -> dict[str, Any]:
    return {
        "trial": score.trial,
        "subject": score.subject,
        "clips": score.clips,
        "stream_s": round(score.stream_s, 3),
        "figures": {key: tally.value for key, tally in sorted(score.tallies.items()) if tally.weight},
        "problems": list(score.problems),
        "zone": score.zone,
        "persons": [asdict(one) for one in score.persons],
    }


def _question(score: Score, graded: Graded) -> dict[str, Any]:
    question, reply, expected = graded.question, graded.reply, graded.question.expected
    return {
        "trial": score.trial,
        "subject": score.subject,
        "id": question.id,
        "text": question.text,
        "type": question.type,
        "swap": question.swap,
        "sight": question.sight,
        "at_ns": question.at_ns,
        "asker": question.asker,
        "expected": {
            "form": expected.form,
            "values": list(expected.values),
            "span_ns": list(expected.span_ns) if expected.span_ns else None,
            "traps": list(expected.traps),
            "earlier": list(expected.earlier),
        },
        "verdict": graded.verdict.kind,
        "why": graded.verdict.why,
        "f1": graded.f1,
        "answer": reply.text if reply else "",
        "outcome": reply.outcome if reply else "",
        "confidence": reply.confidence if reply else 0.0,
        "cited": [_found(one) for one in (reply.cited[:SHOWN] if reply else ())],
        "found": [_found(one) for one in graded.found[:SHOWN]],
        "evidence": list(graded.evidence),
        "evidence_ns": [[moment.start_ns, moment.end_ns] for moment in question.evidence],
        "lost": graded.lost,
        "rank": graded.rank,
        "recall": {str(k): share for k, share in graded.recall.items()},
    }


def _found(one: Found) -> dict[str, Any]:
    return {**asdict(one), "score": round(one.score, 6)}


def _timings(scores: Sequence[Score]) -> dict[str, Any]:
    latencies = [second for score in scores for second in score.latencies_s]
    p50, p95 = (float(np.percentile(latencies, p)) for p in (50, 95)) if latencies else (None, None)
    watch_s, stream_s = sum(score.watch_s for score in scores), sum(score.stream_s for score in scores)
    return {
        "latency_p50_s": p50,
        "latency_p95_s": p95,
        "watch_s": watch_s,
        "ask_s": sum(score.ask_s for score in scores),
        "stream_s": stream_s,
        "times_real_time": stream_s / watch_s if watch_s else None,
    }
