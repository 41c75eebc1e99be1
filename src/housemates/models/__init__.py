"""The papers' models: one folder each, and the training loop, checkpoints and export that they share.

Torch is imported only by training and by playing a checkpoint that was not exported.
"""
