"""The modules of `alfworld.agents` that users import: `environment` and `modules.generic`."""
