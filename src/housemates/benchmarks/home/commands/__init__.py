"""The commands of the home, one file a verb."""
