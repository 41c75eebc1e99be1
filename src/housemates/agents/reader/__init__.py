"""The reader: understands people's words, looks with its own pictures, remembers, and does what is asked."""
