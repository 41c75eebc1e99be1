"""Conversations with the Follower: what people would accept, and whether what it claims is so."""
