"""Running agents on instances: the runner, executors, results and reports."""
