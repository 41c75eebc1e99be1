"""Parts of any agent that acts by its pictures: maps, object memory, navigation, manipulation, grounding."""
