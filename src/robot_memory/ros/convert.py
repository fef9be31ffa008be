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
LARGEST_COUNT = 2**32 - 1
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
    from robot_memory_msgs.msg import Fact

    return EvidenceMessage(
        memory_id=one.memory,
        kind=KINDS[one.kind],
        source=SOURCES[one.source],
        author=one.author,
        text=one.text,
        facts=[Fact(subject=f.subject, attribute=f.attribute, value=f.value, negated=f.negated) for f in one.facts],
        quote=one.quote,
        speaker_id=one.speaker,
        person_ids=[f"person_{number}" for number in one.people],
        start=to_time(one.start_ns),
        end=to_time(one.end_ns),
        valid_from=to_time(one.valid_from_ns or 0),
        valid_until=to_time(one.valid_until_ns or 0),
        count=min(one.count, LARGEST_COUNT),
        session=one.session,
        clip_id=one.clip,
        pose=_pose_message(one.pose),
        has_pose=bool(one.pose),
        map_id=json.loads(one.pose).get("map_id", "") if one.pose else "",
        snapshot_uri=f"snapshot/{one.snapshot}" if one.snapshot else "",
        score=float(one.score),
        channels=[name for name, _ in one.channels],
        channel_scores=[float(score) for _, score in one.channels],
        confidence=float(one.confidence),
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
        # JSON writes 1.0 as 1 where another program did, and messages take the bits of an integer for a float's
        place.x, place.y, place.z = map(float, known["position"])
        turn.x, turn.y, turn.z, turn.w = map(float, known["orientation"])
        message.pose.covariance = list(map(float, known["covariance"]))
    return message
