"""What is asked: goals in PDDL, and the six types of task."""
