"""High-level plans: the problem that a world and a task pose, our exact planner, PDDL, Fast Downward."""

from housemates.benchmarks.alfred.agents.planning.problem import Problem, problem_of
from housemates.benchmarks.alfred.agents.planning.solver import Plan, Step, solve

__all__ = ["Plan", "Problem", "Step", "problem_of", "solve"]
