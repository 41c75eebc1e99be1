"""EmbodiedBench's list of tasks."""
