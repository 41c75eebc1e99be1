"""Doors for other programs: remote agents, language models, MCP, OpenEnv and Inspect, each a thin adapter."""
