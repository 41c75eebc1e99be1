"""Running agents on instances: the runner, results that last, and playing them again."""
