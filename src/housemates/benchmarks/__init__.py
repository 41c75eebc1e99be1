"""The benchmarks: one folder each, found by name through `registry`."""
