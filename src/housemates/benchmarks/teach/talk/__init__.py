"""Two who finish a task by talking: a Commander who speaks plain English and a Follower who understands it."""
