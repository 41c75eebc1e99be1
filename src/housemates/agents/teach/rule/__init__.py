"""The paper's rule-based pair: one says low-level actions with click positions, the other does them."""
