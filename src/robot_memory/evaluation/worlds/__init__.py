"""Generated worlds: days of people, rooms, talk and questions from a seed, with their whole truth.

`make(seed)` gives a World; `oracle`, `questions` and `truth` derive from it what a memory perceives, what it is asked
and what a scorer knows; `trial` bundles them.
"""
