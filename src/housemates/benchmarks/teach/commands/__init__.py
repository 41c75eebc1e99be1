"""What TEACh adds to the command line: one module a verb."""
