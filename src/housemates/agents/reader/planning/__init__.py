"""From intents to acts: tasks as routines, object search, and what people did next."""
