"""The commands of ALFRED that read and write official files."""
