"""Is what was asked held up by what is remembered: about this person, this matter, this time, this place?"""
