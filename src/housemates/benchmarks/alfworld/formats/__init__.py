"""Game files and traces: reading PDDL and text grammars, and comparing with the original engine."""
