"""The published constants of StreamMeCo's compression (arXiv 2604.09000, and its code)."""

CLUSTER_SHARE = 0.05  # a: clusters of a clip, as a share of its isolated memories
EDGE_SHARE = 0.1  # b: how much of a connected memory's score is the weight of its edges
KEEP = 0.7  # of the code: 30 % go; the paper's table calls what goes "70 %", which is 0.3 here
STARTS = 10  # of k-means, the best is taken
SEED = 42  # of k-means
