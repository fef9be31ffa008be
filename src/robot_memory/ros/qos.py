"""Quality of service for each kind of topic, and depths set on purpose (the defaults keep ten)."""

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy


def stream(depth: int, reliable: bool) -> QoSProfile:
    """Sensor data. Best effort for live cameras; reliable for sound and for replays that must lose nothing."""
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST,
        depth=depth,
        reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.VOLATILE,
    )


EVENTS = stream(100, reliable=True)
# for state, of which only the newest counts: latecomers get it, and a slow reader may miss what it replaced
LATCHED = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)
SERVICES = QoSProfile(depth=50, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.VOLATILE)
# an action's services, on either side: with the default depth of ten a burst of goals loses replies at the client
ACTIONS = dict.fromkeys(
    ("goal_service_qos_profile", "result_service_qos_profile", "cancel_service_qos_profile"), SERVICES
)
IMAGE_DEPTH, AUDIO_DEPTH, POSE_DEPTH = 100, 1000, 100
