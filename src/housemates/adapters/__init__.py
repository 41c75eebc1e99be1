"""Adapters for other programs: MCP, OpenEnv, TRL and Inspect, each a thin face of an episode."""
