"""Official formats: reading, writing, importing, replaying, counting."""
