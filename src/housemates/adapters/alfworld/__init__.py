"""ALFWorld's Python interface: code that was written for the package `alfworld` runs with its import changed.

`from alfworld.agents.environment import get_environment` becomes
`from housemates.adapters.alfworld.agents.environment import get_environment`; the modules have the original's
names. Nothing of the original, of TextWorld or of Fast Downward is needed.
"""
