"""The paper's rule-based pair: the Commander says low-level actions with clicks, the Follower does them."""
