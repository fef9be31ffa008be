"""Word classes for questions about what was seen and said: verbs of coming, going, being there and talking, rooms."""

from __future__ import annotations

from robot_memory.control.understanding.tables import listed

_COMES = "come came comes arrive arrived arrives enter entered enters appear appeared appears showed turned"
_GOES = "leave left leaves go went goes gone depart departed departs disappeared"
_STAYS = "here there around present view visiting visit visited seen see saw met meet"
_TALKS = "brought bring bringing raised raise raising discussed discuss discussing chatted chat chatting"
COMES, GOES, STAYS = frozenset(_COMES.split()), frozenset(_GOES.split()), frozenset(_STAYS.split())
TALKS = listed("speaking") | frozenset(_TALKS.split())

# Said of where the robot is at home, these mean no more than "here".
_INDOORS = "home house flat apartment building place room indoors view"
# "in the company of", "at the same time", "on the whole": no place.
_NO_PLACES = """
company presence absence same time whole end beginning start first last view sight meantime meanwhile past morning
afternoon evening night day days week weekend moment hour minute way mood robot
"""
_WITHIN = "in inside into at on to from of"
INDOORS, NO_PLACES = frozenset(_INDOORS.split()), frozenset(_NO_PLACES.split())
WITHIN = frozenset((*_WITHIN.split(), ""))

# What questions have around a topic of talk.
_AROUND = """
up come comes came coming topic subject conversation remark comment word words presence view sight room hear hears heard
see saw seen person people somebody someone anybody anyone whom exactly last first
"""
AROUND = TALKS | frozenset(_AROUND.split())
