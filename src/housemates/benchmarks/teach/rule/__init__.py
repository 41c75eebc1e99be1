"""The paper's rule-based pair: the Commander says low-level actions with click positions, the Follower does them."""
