"""StreamMeCo's compression as published, to compare ours with: a batch over the whole graph, one ratio kept.

`whole.keep` is all of it; `sampling` and `pruning` are its two halves, EMsampling and EWpruning.
Votes are no memories here, so they are never pruned, as the published code never prunes its "equivalence" nodes.
"""
