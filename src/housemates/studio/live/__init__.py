"""Sessions that are being played: who is there, what they are sent, and what they did."""
