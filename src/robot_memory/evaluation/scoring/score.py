"""What a run is worth: its answers judged, its figures as tallies that add up over trials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from robot_memory.evaluation.scoring import ages, evidence, facts, identities, overlap
from robot_memory.evaluation.scoring.evidence import Timeline
from robot_memory.evaluation.scoring.identities import Taken
from robot_memory.evaluation.scoring.judge import (
    ABSTAINED,
    ERROR,
    RIGHT,
    VERDICTS,
    WRONG,
    Judge,
    NormalisedJudge,
    Verdict,
)
from robot_memory.evaluation.scoring.run import KS, Asking, Result
from robot_memory.evaluation.scoring.tally import Tally
from robot_memory.evaluation.subject import Found, Reply
from robot_memory.evaluation.trial import Question, Trial

NOT_CLOSED, NOT_USED, NOT_FOUND = LOST = ("not closed", "not used", "not found")


@dataclass(frozen=True)
class Graded:
    """A question, what was said and found, and the verdict. `recall` is k -> share of the evidence found, empty where
    there is nothing to find; `evidence` is how that evidence reads. `lost` (one of LOST, or empty) says where the
    evidence of an abstained question stayed, `rank` the place by which all of it was found. `f1`: the words shared
    with the published answer (overlap.py), None where there is none.
    """

    question: Question
    reply: Reply | None
    verdict: Verdict
    found: tuple[Found, ...]
    recall: Mapping[int, float]
    evidence: tuple[str, ...]
    lost: str = ""
    rank: int | None = None
    f1: float | None = None


@dataclass(frozen=True)
class Score:
    """A memory in a trial. `tallies`: figure -> sum and weight (docs/evaluation.md lists them)."""

    trial: str
    subject: str
    models: Mapping[str, str]
    graded: tuple[Graded, ...]
    tallies: Mapping[str, Tally]
    latencies_s: tuple[float, ...]
    stream_s: float
    watch_s: float
    ask_s: float
    clips: int
    problems: tuple[str, ...] = ()
    zone: str = ""
    persons: tuple[Taken, ...] = ()


def score(trial: Trial, result: Result, judge: Judge | None = None, ks: Sequence[int] = KS, subject: str = "") -> Score:
    """Judge every answer and count everything. `subject`: what to call the memory, if not as it calls itself."""
    judge, timeline = judge or NormalisedJudge(), Timeline(trial.truth)
    graded = _traced([_graded(trial, asking, judge, timeline, ks) for asking in result.askings], trial, timeline)
    hours = result.stream_s / 3600
    known = trial.truth.facts
    told = frozenset(one.subject for one in known if one.attribute == "name" and one.told) if known else None
    stands_for = identities.people_of(result.items)
    return Score(
        trial=trial.name,
        subject=subject or result.subject,
        models=dict(result.models),
        graded=graded,
        tallies={
            **answers(graded),
            **_overlap(graded),
            **_recall(graded),
            **identities.persons(result.items),
            **identities.links(result.items),
            **identities.names(result.items, result.called, told),
            **facts.facts(result.claims, stands_for, trial.truth, hours),
            "store.bytes_per_hour": Tally(result.bytes_used, hours),
            "problems": Tally(len(result.problems), 1),
        },
        latencies_s=tuple(one.took_s for one in result.askings),
        stream_s=result.stream_s,
        watch_s=result.watch_s,
        ask_s=result.ask_s,
        clips=result.clips,
        problems=result.problems,
        zone=trial.truth.zone,
        persons=identities.taken(result.items, result.called),
    )


def answers(graded: Sequence[Graded]) -> dict[str, Tally]:
    """The verdicts as shares of the answerable questions (answerable.right, …), of the others (unanswerable.abstained,
    …), of those that need sight, of each type, and of each way a question was made unanswerable.

    answers.net: right answers less wrong ones, of either sort, over the answerable questions. All right and silent
    where nobody can know is 1, always silent is 0, guessing pays only if more than half of the guesses are right.
    """
    can = [one for one in graded if one.question.answerable]
    cannot = [one for one in graded if not one.question.answerable]
    net = sum((one.verdict.kind == RIGHT) - (one.verdict.kind == WRONG) for one in graded)
    found = {"answers.net": Tally(net, len(can))}
    groups = {"answerable": can, "unanswerable": cannot, "sight": [one for one in can if one.question.sight]}
    for one in can:
        groups.setdefault(f"type:{one.question.type}", []).append(one)
    for one in cannot:
        groups.setdefault(f"swap:{one.question.swap or 'none'}", []).append(one)
    for group, own in groups.items():
        for kind in VERDICTS:
            found[f"{group}.{kind}"] = Tally(sum(one.verdict.kind == kind for one in own), len(own))
    return found


def _recall(graded: Sequence[Graded]) -> dict[str, Tally]:
    """recall@k: the mean share of a question's evidence among the first k found (evidence.py), over the answerable
    questions that have evidence; the same for those of each type (type:NAME.recall@k), and for those whose evidence
    was minutes, hours, days, weeks or months old when they were asked (age:NAME.recall@k, ages.py).
    """
    shares: dict[str, list[float]] = {}
    for one in graded:
        if one.question.answerable:
            for k, share in one.recall.items():
                for group in ("", f"type:{one.question.type}.", f"age:{ages.age(one.question)}."):
                    shares.setdefault(f"{group}recall@{k}", []).append(share)
    return {key: Tally(sum(own), len(own)) for key, own in shares.items()}


def _overlap(graded: Sequence[Graded]) -> dict[str, Tally]:
    """answers.f1: the mean over all questions of a public set (overlap.py); the same over those that can be answered,
    those of each type, and those that cannot, where it is the share of silence.
    """
    shares: dict[str, list[float]] = {}
    for one in graded:
        if one.f1 is not None:
            can = one.question.answerable
            groups = ("answerable", f"type:{one.question.type}") if can else ("unanswerable",)
            for group in ("answers", *groups):
                shares.setdefault(f"{group}.f1", []).append(one.f1)
    return {key: Tally(sum(own), len(own)) for key, own in shares.items()}


def _graded(trial: Trial, asking: Asking, judge: Judge, timeline: Timeline, ks: Sequence[int]) -> Graded:
    question, wanted = asking.question, asking.question.evidence
    if asking.reply is None:
        verdict = Verdict(ERROR, asking.error)
    else:
        verdict = judge.judge(question, asking.reply, trial.truth)
    recall = {k: evidence.recall(asking.found, wanted, timeline, k) for k in ks} if wanted else {}
    reads = tuple(timeline.reads(moment) for moment in wanted)
    f1 = overlap.f1(question, asking.reply, verdict) if trial.by_words else None
    return Graded(question, asking.reply, verdict, asking.found, recall, reads, f1=f1)


def _traced(graded: Sequence[Graded], trial: Trial, timeline: Timeline) -> tuple[Graded, ...]:
    """The same, with where the evidence of each needlessly abstained question stayed."""
    if not any(_silent(one) for one in graded):
        return tuple(graded)
    ends = [clip.observation.end_ns for clip in trial.clips()]
    return tuple(_trace(one, ends, timeline) if _silent(one) else one for one in graded)


def _trace(one: Graded, ends: Sequence[int], timeline: Timeline) -> Graded:
    """What was found had come in, whatever the clock says."""
    ranks = {moment: evidence.rank(one.found, moment, timeline) for moment in one.question.evidence}
    known = [place for place in ranks.values() if place is not None]
    if len(known) == len(ranks):
        return replace(one, lost=NOT_USED, rank=max(known))
    closed_ns = max(takewhile(lambda end_ns: end_ns <= one.question.at_ns, ends), default=0)
    late = any(place is None and moment.end_ns > closed_ns for moment, place in ranks.items())
    return replace(one, lost=NOT_CLOSED if late else NOT_FOUND)


def _silent(one: Graded) -> bool:
    return one.verdict.kind == ABSTAINED and one.question.answerable and bool(one.question.evidence)
