"""What a question wants: one of a few kinds of answer, as far as its words can tell."""
