"""English words that carry grammar and no matter: what a search for words leaves out.

For search and for verification; how a question is read has tables of its own. Contractions appear as their pieces
(don, t), as tokenizers cut them.
"""

from __future__ import annotations

ARTICLES = "a an the this that these those some any each every all both either neither such other another own same"
PRONOUNS = (
    "i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours "
    "ourselves they them their theirs themselves one someone somebody anyone anybody everyone everybody"
)
QUESTIONS = "what which who whom whose when where why how"
AUXILIARIES = (
    "am is are was were be been being do does did done doing has have had having will would shall should can could may "
    "might must ought"
)
PREPOSITIONS = (
    "of to in on at by for from with about as into onto over under up down out off through during between among against"
)
CONJUNCTIONS = "and or but nor if than then so because while though although"
ADVERBS = "not no there here too very just ever also only quite really s t d ll m re ve don didn doesn isn wasn aren"

FUNCTION_WORDS = frozenset(
    " ".join((ARTICLES, PRONOUNS, QUESTIONS, AUXILIARIES, PREPOSITIONS, CONJUNCTIONS, ADVERBS)).split()
)
