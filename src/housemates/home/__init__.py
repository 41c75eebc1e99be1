"""The household: object types, scenes, world state, actions, rules, placement, navigation."""
