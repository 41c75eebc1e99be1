"""The protocol: what passes between a benchmark and whoever acts; it knows neither."""
