"""A pair that finishes tasks by free chat: a Commander with plain words, a Follower that parses them."""
