"""Language understanding: tokens, slot filling by a network, decoding of tasks, and small talk."""
