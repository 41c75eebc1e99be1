"""Floor plans rebuilt from AI2-THOR object records: boxes become shapes, fronts, supports and links."""
