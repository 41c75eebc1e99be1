"""Scripts that know their way about a home."""
