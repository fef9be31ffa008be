"""The tables behind verification's reading of words: which say nothing, irregular forms, endings, who is "I"."""

from __future__ import annotations

from robot_memory.language.function_words import FUNCTION_WORDS

# Beside the function words: what nearly every question or sentence has, and says nothing of what it is about.
_FAINT = """
after again already before few more most much many now since still until yet lot kind type sort thing things way ones
get got getting gotten go goes going went gone
say says said tell tells told mention mentions mentioned according know known knows knew idea remind
"""
EMPTY = FUNCTION_WORDS | frozenset(_FAINT.split())

# A moment is checked against the times of memories; people rarely name the date on which they speak.
_CALENDAR = """
january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday today yesterday tomorrow tonight
morning afternoon evening night day days week weeks weekend month months year years ago last recently
"""
CALENDAR = frozenset(_CALENDAR.split())

_FORMS = """
ate=eat eaten=eat began=begin begun=begin bought=buy broke=break broken=break brought=bring built=build came=come
caught=catch chose=choose chosen=choose drank=drink drew=draw drawn=draw drove=drive driven=drive fed=feed fell=fall
felt=feel flew=fly flown=fly forgot=forget forgotten=forget fought=fight found=find gave=give given=give grew=grow
grown=grow heard=hear held=hold hid=hide hidden=hide kept=keep knew=know known=know led=lead left=leave lent=lend
lost=lose made=make meant=mean met=meet paid=pay ran=run rode=ride ridden=ride sang=sing sung=sing sat=sit saw=see
seen=see sent=send shot=shoot slept=sleep sold=sell spent=spend spoke=speak spoken=speak stole=steal stood=stand
swam=swim swum=swim taught=teach thought=think threw=throw thrown=throw took=take taken=take understood=understand
woke=wake woken=wake won=win wore=wear worn=wear wrote=write written=write
children=child men=man women=woman feet=foot teeth=tooth mice=mouse wives=wife knives=knife people=person
"""
FORMS = dict(pair.split("=") for pair in _FORMS.split())

_ENDINGS = "ations ation ingly ments ment ness ions ings ing ers ion ed es er ly s"
ENDINGS = tuple(_ENDINGS.split())  # the first that leaves three letters goes: the longer stand before the shorter

_FIRST = "i i'm i've i'd i'll me my mine myself"
_PLURAL = "we we're we've we'd we'll us our ours ourselves"
_SECOND = "you you're you've you'd you'll your yours yourself u ur"
FIRST, PLURAL, SECOND = frozenset(_FIRST.split()), frozenset(_PLURAL.split()), frozenset(_SECOND.split())

_DENYING = "not never nobody nothing neither cannot no"
DENYING = frozenset(_DENYING.split())
