"""What a phrase means: its pieces narrowed down to a window, its bounds applied, as stamps."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from robot_memory.control.times.bounds import ENDING
from robot_memory.control.times.elements import Clip, Element, Hours, Routine, Slice, Stretch
from robot_memory.control.times.grammar import Phrase
from robot_memory.control.times.slices import cut
from robot_memory.control.times.small_hours import with_small_hours
from robot_memory.control.times.span import Span
from robot_memory.control.times.stretch_words import STOPWATCH, measured, shift
from robot_memory.control.times.wall import Now
from robot_memory.control.times.windows import Ambiguous, Fixed, Piece, Recurring, Window, resolve
from robot_memory.control.times.words import UNITS

FARTHEST_NS = 9_200_000_000 * 10**9  # what an int64 of nanoseconds holds: the years 1678 to 2261
HINT = "This clock counts from a simulation's start and knows no days: ask about the last 10 minutes."
UNIT_LONG = {unit: timedelta(seconds=UNITS[unit]) for unit in STOPWATCH}
Ends = tuple[int | None, int | None]


def span_of(phrase: Phrase, words: str, now: Now) -> Span:
    """The range of a phrase. Raises Ambiguous where the pieces fit together in no way, or in several."""
    every = (*phrase.around, *phrase.at, *phrase.to)
    routine = any(isinstance(one, Routine) for one in every)
    pieces = [one for one in every if not isinstance(one, Routine)]
    if routine and (phrase.to or not all(isinstance(one, Fixed) for one in pieces)):
        return Span(words=words, routine=True)
    start_ns, end_ns = (None, None) if routine and not pieces else _ends(phrase, now)
    if _is_empty((start_ns, end_ns)):
        raise Ambiguous
    if any(abs(edge) > FARTHEST_NS for edge in (start_ns, end_ns) if edge is not None):
        raise Ambiguous
    vague = any(isinstance(one, Stretch) and one.vague for one in every)
    said = next((one.words for one in every if isinstance(one, Stretch) and one.words and len(every) == 1), "")
    future = start_ns is not None and start_ns >= now.stamp_ns
    return Span(start_ns, end_ns, said or words, routine=routine, vague=vague, future=future)


def _ends(phrase: Phrase, now: Now) -> Ends:
    around = _without_routine(phrase.around)
    if phrase.to:
        return _between(around, phrase.at, phrase.to, now)
    whole = with_small_hours([*around, *_without_routine(phrase.at)])
    around, at = whole[: len(around)], whole[len(around) :]
    if phrase.distance:
        return _both(_range(around, now), _distant(phrase.distance, phrase.bound, at, now))
    if not phrase.bound:
        return _range((*around, *at), now)
    return _bounded(around, phrase.bound, at, now)


def _without_routine(elements: Sequence[Element]) -> list[Element]:
    return [one for one in elements if not isinstance(one, Routine)]


def _range(elements: Sequence[Element], now: Now, slack: bool = True) -> Ends:
    """The range of pieces in a row, clipped at now by "earlier" and "later"."""
    stretches = [one for one in elements if isinstance(one, Stretch)]
    clips = [one for one in elements if isinstance(one, Clip)]
    rest = [one for one in elements if not isinstance(one, (Stretch, Clip))]
    if rest:  # "recently in 2024" is in 2024
        stretches = [one for one in stretches if not one.vague]
    if stretches and (rest or len(stretches) > 1):
        raise Ambiguous
    if stretches:
        ends: Ends = (stretches[0].start_ns, stretches[0].end_ns)
    else:
        ends = _stamps(_window(rest, now), now, slack) if rest else (None, None)
    for clip in clips:
        clipped = _both(ends, (now.stamp_ns, None) if clip.later else (None, now.stamp_ns + 1))
        ends = ends if _is_empty(clipped) else clipped  # "later on 7 July" of a year long gone
    return ends


def _is_empty(ends: Ends) -> bool:
    start_ns, end_ns = ends
    return start_ns is not None and end_ns is not None and start_ns >= end_ns


def _bounded(around: Sequence[Element], bound: str, at: Sequence[Element], now: Now) -> Ends:
    """ "since Monday", "yesterday before 9". A bound right before hours stays within their day."""
    if isinstance(at[0], Hours):
        hours = at[0].turned() if bound.startswith("not") else at[0]
        others = [*around, *at[1:]]
        edge = hours.before() if bound in ENDING else hours.after()
        within = _stamps(_window([edge, *others], now), now)
        return (within[0], now.stamp_ns + 1) if bound == "since" else within
    start_ns, end_ns = _range(at, now, slack=False)
    if bound in ENDING:
        ends: Ends = (None, start_ns if bound == "before" or start_ns == end_ns else end_ns)
    elif bound in ("after", "not before"):
        begins = end_ns if bound == "after" else start_ns
        ends = (begins, None if begins is not None and begins > now.stamp_ns else now.stamp_ns + 1)
    else:
        ends = (start_ns, now.stamp_ns + 1)
    return _both(_range(around, now), ends) if around else ends


def _distant(distance: tuple[float, float, str], side: str, at: Sequence[Element], now: Now) -> Ends:
    """ "two weeks before 3 May": as if it were asked on that day; "the day after": the one next to it."""
    low, high, unit = distance
    if isinstance(at[0], Hours):
        at = (at[0].before() if side == "before" else at[0].after(), *at[1:])
    window = _window(at, now)
    sign = 1 if side == "before" else -1
    near = window.mark or (window.start if side == "before" or (high and unit not in STOPWATCH) else window.end)
    if near == window.end and window.unit == "after":
        near = window.start
    if not high:
        edges = sorted((near, shift(near, -sign, unit) if unit not in STOPWATCH else near - sign * UNIT_LONG[unit]))
        return now.start_ns(edges[0]), now.end_ns(edges[1])
    then = Now(now.start_ns(near), near, now.zone)
    lowest, highest = sorted((sign * low, sign * high))
    return _range((measured(lowest, highest, unit, then),), now)


def _both(one: Ends, two: Ends) -> Ends:
    starts = [edge for edge in (one[0], two[0]) if edge is not None]
    ends = [edge for edge in (one[1], two[1]) if edge is not None]
    return max(starts, default=None), min(ends, default=None)


def _between(around: Sequence[Element], at: Sequence[Element], to: Sequence[Element], now: Now) -> Ends:
    """From the one to the other, the second's day included; what one side leaves out, it takes from the other."""
    first, second = [*around, *at], [*around, *to]
    first, second = first + _lacking(first, second), second + _lacking(second, first)
    first, second = with_small_hours(first), with_small_hours(second)
    hours = [[one for one in side if isinstance(one, Hours)] for side in (first, second)]
    days = [[one for one in side if not isinstance(one, Hours)] for side in (first, second)]
    if len(hours[0]) == len(hours[1]) == 1 and days[0] == days[1]:
        return _stamps(_window([hours[0][0].to(hours[1][0]), *days[0]], now), now)
    if any(isinstance(one, Stretch) for one in (*first, *second)):
        return _range(first, now)[0], _range(second, now)[1]
    last = _window(second, now)
    opening = _window(first, now, as_of=last)
    return now.start_ns(opening.start), now.end_ns(last.end)


def _lacking(side: Sequence[Element], other: Sequence[Element]) -> list[Element]:
    """The larger pieces of the other side, for a side that has no window of its own."""
    if any(isinstance(one, (Fixed, Stretch)) for one in side):
        return []
    top = max((one.rank for one in side if isinstance(one, (Hours, Recurring))), default=0)
    return [one for one in other if isinstance(one, (Fixed, Recurring)) and one.rank > top and one not in side]


def _window(elements: Sequence[Element], now: Now, as_of: Window | None = None) -> Window:
    pieces: list[Piece] = [one for one in elements if isinstance(one, (Fixed, Recurring))]
    pieces += [one.at() for one in elements if isinstance(one, Hours)]
    moment = min(now.wall, as_of.start) if as_of else now.wall
    slices = [one for one in elements if isinstance(one, Slice)]
    whole = resolve(pieces, moment)
    part = cut(whole, slices)
    if slices and part.start > moment and not any(isinstance(one, Fixed) for one in pieces):
        part = cut(resolve(pieces, moment - (part.start - whole.start)), slices)  # the latest whose part has come
    return part


def _stamps(window: Window, now: Now, slack: bool = True) -> tuple[int, int]:
    """A window as stamps; a moment's slack is real time on both sides."""
    slack_ns = int(window.slack.total_seconds()) * 10**9 if slack else 0
    return now.start_ns(window.start) - slack_ns, now.end_ns(window.end) + slack_ns
