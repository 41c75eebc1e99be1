"""What stands before every server of the package: hosts, origins, shares of work, sizes and times."""
