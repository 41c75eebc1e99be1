"""New games: homes as PDDL problems, and tasks that can be solved in them."""
