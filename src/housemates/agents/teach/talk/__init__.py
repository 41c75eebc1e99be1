"""Two who finish a task by talking: a Commander with plain words and a Follower who understands."""
