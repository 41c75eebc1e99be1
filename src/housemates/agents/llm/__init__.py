"""A language model in any seat: its conversation, its endpoint, its budget and the log of its calls."""
