"""Gymnasium, PettingZoo and vector environments of any benchmark."""
