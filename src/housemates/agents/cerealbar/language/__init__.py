"""Instructions in English: generation by the leader, semantic parsing by the follower."""
