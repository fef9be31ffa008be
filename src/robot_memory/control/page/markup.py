"""HTML and SVG that cannot be broken out of: text is escaped when it goes in, and only what `tag` made is markup.

Remembered words are data; some of them may have been said to do harm.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Mapping


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def tag(name: str, *children: str, **attributes: object) -> Markup:
    """An element. Attribute names may end in `_` (class_) and have `_` for `-` inside."""
    return Markup(f"<{name}{_written(attributes)}>{join(*children)}</{name}>")


def void(name: str, **attributes: object) -> Markup:
    """An element that can hold nothing: an image."""
    return Markup(f"<{name}{_written(attributes)}>")


def join(*children: str) -> Markup:
    """Children one after another; plain text among them is escaped."""
    return Markup("".join(child if isinstance(child, Markup) else _escaped(child) for child in children))


def _written(attributes: Mapping[str, object]) -> str:
    return "".join(f' {_name(key)}="{html.escape(str(value))}"' for key, value in attributes.items())


def _escaped(text: str) -> str:
    """Escaped, and without control characters: HTML forbids some, others turn a line's direction."""
    return html.escape("".join(char for char in text if char in "\n\t" or unicodedata.category(char)[0] != "C"))


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-") if key != "viewBox" else key
