"""The tables of each paper."""
