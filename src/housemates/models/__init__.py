"""The papers' models: one folder each, and what they share to be configured, trained, kept and seated.

Nothing here imports torch before a model is trained or plays.
"""
