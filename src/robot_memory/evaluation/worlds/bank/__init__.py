"""The phrase bank of generated worlds: names, values, and the many ways people say things and ask about them.

`load()` gives the Bank. The words are in YAML tables beside this file; the head of each says how its slots are used.
"""

from robot_memory.evaluation.worlds.bank.filling import SlotUnfilled, fill, slots_of
from robot_memory.evaluation.worlds.bank.phrases import KINDS_OF_NOT, VOICES, Bank, load
from robot_memory.evaluation.worlds.bank.tables import BankInvalid
from robot_memory.evaluation.worlds.bank.values import Name, Row, Value, Values

__all__ = [
    "KINDS_OF_NOT",
    "VOICES",
    "Bank",
    "BankInvalid",
    "Name",
    "Row",
    "SlotUnfilled",
    "Value",
    "Values",
    "fill",
    "load",
    "slots_of",
]
