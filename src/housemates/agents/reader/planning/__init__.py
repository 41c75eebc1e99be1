"""Planning: tasks as routines, object search, and continuations from nearest neighbours."""
