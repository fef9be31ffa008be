"""Public sets that nobody here made: questions, conversations, videos and speech to be measured on."""
