"""Scores that somebody else can check: submissions of runs, their check, and the board made of them."""
