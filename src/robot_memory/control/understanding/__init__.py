"""Understanding a question without a model: from its text to a Reading of whom, when, where and what it asks for."""
