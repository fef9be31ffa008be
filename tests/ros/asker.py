"""A client that keeps asking: goals are always in flight while the server is being stopped. Ends with its standard
input.
"""

from __future__ import annotations

import sys
import threading


def main() -> None:
    import rclpy
    from rclpy.action import ActionClient
    from rclpy.executors import SingleThreadedExecutor
    from robot_memory_msgs.action import Answer
    from robot_memory_msgs.msg import Question
    from robot_memory_msgs.srv import Ask

    rclpy.init()
    node = rclpy.create_node("asker")
    action, service = ActionClient(node, Answer, "answer"), node.create_client(Ask, "ask")
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    over = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
    print("asking", file=sys.stderr, flush=True)
    while not over.is_set():
        if action.server_is_ready():
            action.send_goal_async(Answer.Goal(question=Question(text="Who was here?")))
        if service.service_is_ready():
            service.call_async(Ask.Request(question=Question(text="What did Grace say?")))
        executor.spin_once(timeout_sec=0.02)
    executor.shutdown()
    node.destroy_node()
    rclpy.try_shutdown()


if __name__ == "__main__":
    main()
