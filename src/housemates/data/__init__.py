"""What lasts: journals of long runs, packed records, and the store of official data."""
