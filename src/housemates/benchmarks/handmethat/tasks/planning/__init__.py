"""Planning for the human and the robot: a closed form for deliveries, exact search for states, and FF."""
