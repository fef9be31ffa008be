"""Opens the models of a profile and puts eyes and ears together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from robot_memory.config import PerceptionSettings
from robot_memory.models.manifest import Profile, load_profile
from robot_memory.perception.ears import Ears
from robot_memory.perception.faces import Eyes, SFace, YuNet
from robot_memory.perception.runtime import Session, open_session
from robot_memory.perception.speech import Silero, SpeechDetector
from robot_memory.perception.transcription import Whisper
from robot_memory.perception.voices import GE2E, SpeakerEmbedder

SEEING = ("face_detection", "face_embedding")
LISTENING = ("voice_activity", "speaker_embedding")


@dataclass(frozen=True, eq=False)
class Senses:
    """Eyes and ears ready to work. `embedders`: role -> model name; `running`: role -> what computes it;
    `same_face`: the cosine from which two faces are taken for one person.
    """

    eyes: Eyes
    ears: Ears
    embedders: dict[str, str]
    running: dict[str, str]
    same_face: float


def open_senses(settings: PerceptionSettings) -> Senses:
    """The senses of `settings.profile`. Raises ModelMissing or ModelCorrupt before anything is loaded."""
    profile = load_profile(settings.profile)
    folder = profile.model("transcription").complete_folder()
    sessions = _opened(profile, (*SEEING, *LISTENING), settings)
    eyes, embedder = _eyes(profile, sessions, settings), _voices(profile, sessions)
    ears = Ears(
        Silero(sessions["voice_activity"]), Whisper(folder, settings.language, settings.threads), embedder, settings
    )
    running = {role: session.running for role, session in sessions.items()} | {"transcription": "CTranslate2 int8 CPU"}
    names = {role: profile.model(role).name for role in ("face_embedding", "speaker_embedding")}
    return Senses(eyes, ears, names, running, eyes.embedder.accept)


def open_eyes(settings: PerceptionSettings) -> Eyes:
    """Only what sees. Raises ModelMissing or ModelCorrupt."""
    profile = load_profile(settings.profile)
    return _eyes(profile, _opened(profile, SEEING, settings), settings)


def open_voices(settings: PerceptionSettings) -> tuple[SpeechDetector, SpeakerEmbedder]:
    """Only what tells where somebody speaks, and whose voice it is. Raises ModelMissing or ModelCorrupt."""
    profile = load_profile(settings.profile)
    sessions = _opened(profile, LISTENING, settings)
    return Silero(sessions["voice_activity"]), _voices(profile, sessions)


def _opened(profile: Profile, roles: Sequence[str], settings: PerceptionSettings) -> dict[str, Session]:
    paths = {role: profile.model(role).path() for role in roles}
    return {role: open_session(path, threads=settings.threads) for role, path in paths.items()}


def _eyes(profile: Profile, sessions: Mapping[str, Session], settings: PerceptionSettings) -> Eyes:
    import cv2

    cv2.setNumThreads(settings.threads)  # for the whole process: OpenCV otherwise takes every core to scale a picture
    face = profile.model("face_embedding")
    detector = YuNet(sessions["face_detection"], settings.min_face_score)
    return Eyes(detector, SFace(sessions["face_embedding"], face.threshold("accept"), face.name), settings)


def _voices(profile: Profile, sessions: Mapping[str, Session]) -> GE2E:
    voice = profile.model("speaker_embedding")
    return GE2E(sessions["speaker_embedding"], lambda seconds: voice.threshold("group", seconds), voice.name)
