"""From plain data to ROS messages, and times both ways; what comes in is read by perception/messages.py."""

from __future__ import annotations

import json
from typing import Any

from builtin_interfaces.msg import Duration, Time
from geometry_msgs.msg import PoseWithCovarianceStamped

from robot_memory.control.answer import Answer, Evidence
from robot_memory.perception.messages import to_ns as to_ns
from robot_memory.streams.media import SECOND

KINDS = {"episodic": 1, "semantic": 2}
SOURCES = {"seen": 0, "heard": 1, "told": 2, "inferred": 3}  # of Evidence and Memory
LANGUAGE = "en"  # of what we say
EARLIEST_NS, LATEST_NS = -(2**31) * SECOND, (2**31) * SECOND - 1


def to_time(ns: int) -> Time:
    """Nanoseconds as a Time; what does not fit its 32-bit seconds is clipped."""
    ns = min(max(ns, EARLIEST_NS), LATEST_NS)
    return Time(sec=ns // SECOND, nanosec=ns % SECOND)


def to_duration(seconds: float) -> Duration:
    ns = int(seconds * SECOND)
    return Duration(sec=ns // SECOND, nanosec=ns % SECOND)


def evidence(one: Evidence) -> Any:
    """An Evidence message."""
    from robot_memory_msgs.msg import Evidence as EvidenceMessage

    return EvidenceMessage(
        memory_id=one.memory,
        kind=KINDS[one.kind],
        source=SOURCES[one.source],
        author=one.speaker,
        text=one.text,
        quote=one.quote,
        speaker_id=one.speaker,
        person_ids=[f"person_{number}" for number in one.people],
        start=to_time(one.start_ns),
        end=to_time(one.end_ns),
        clip_id=one.clip,
        pose=_pose_message(one.pose),
        has_pose=bool(one.pose),
        snapshot_uri=f"snapshot/{one.snapshot}" if one.snapshot else "",
        score=float(one.score),
        provisional=one.provisional,
        archived=one.archived,
    )


def answer(question: Any, one: Answer, now_ns: int, latency_s: float) -> Any:
    """An AnswerResult message to a Question message."""
    from robot_memory_msgs.msg import AnswerResult
    from std_msgs.msg import Header

    return AnswerResult(
        header=Header(stamp=to_time(now_ns)),
        question_id=question.id,
        question=question,
        language=LANGUAGE,
        text=one.text,
        outcome=int(one.outcome),
        message=one.message,
        confidence=float(one.confidence),
        evidence=[evidence(e) for e in one.evidence],
        person_candidates=list(one.candidates),
        rounds=one.rounds,
        latency=to_duration(latency_s),
    )


def _pose_message(text: str) -> PoseWithCovarianceStamped:
    message = PoseWithCovarianceStamped()
    if text:
        known = json.loads(text)
        message.header.stamp, message.header.frame_id = to_time(known["stamp_ns"]), known["frame_id"]
        place, turn = message.pose.pose.position, message.pose.pose.orientation
        place.x, place.y, place.z = known["position"]
        turn.x, turn.y, turn.z, turn.w = known["orientation"]
        message.pose.covariance = known["covariance"]
    return message
