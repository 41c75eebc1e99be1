"""The `housemates` command: one file a verb."""
