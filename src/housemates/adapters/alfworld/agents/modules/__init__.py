"""The modules of `alfworld.agents.modules` that users of environments import: `generic`."""
