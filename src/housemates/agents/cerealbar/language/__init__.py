"""Instructions in English: how the leader words an errand and how the follower understands the words."""
