"""ListPeople: everyone, some by their ids, and one page after the other."""

from __future__ import annotations

from robot_memory.control.roster import Known

PEOPLE = [Known(f"person_{n}", "", f"person {n}", (), (), (f"person_{n + 10}",), 1, 2, "") for n in range(1, 6)]


def asked(**request: object) -> tuple[list[str], str, int]:
    """Ids, next cursor, outcome."""
    from robot_memory_msgs.srv import ListPeople

    from robot_memory.ros.people import fill_page

    response = ListPeople.Response()
    fill_page(ListPeople.Request(**request), response, PEOPLE)
    return [one.id for one in response.people], response.next_cursor, response.outcome


def test_pages_follow_one_another_and_miss_nobody() -> None:
    found, cursor, pages = list[str](), "", 0
    while pages == 0 or cursor:
        page, cursor, _ = asked(limit=2, cursor=cursor)
        found, pages = found + page, pages + 1
    assert found == [one.id for one in PEOPLE] and pages == 3
    assert asked()[:2] == (found, "")


def test_some_are_found_by_their_ids_and_former_ids() -> None:
    assert asked(ids=["person_12", "person_4"])[0] == ["person_2", "person_4"]


def test_what_does_not_exist_is_said() -> None:
    from robot_memory_msgs.msg import Outcome

    assert asked(ids=["person_99"])[2] == Outcome.NOT_FOUND
    assert asked(cursor="person_99")[2] == Outcome.INVALID
