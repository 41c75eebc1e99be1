"""The text world: what a game file says, made into states, actions, texts and commands."""
