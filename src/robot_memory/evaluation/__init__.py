"""Evaluation: worlds and public sets to live through, memories under test, and the scorer; bags rendered and spoilt."""
