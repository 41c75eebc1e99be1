"""High-level plans: the problem that a world and a task pose, our exact planner, PDDL, Fast Downward."""

from housemates.benchmarks.alfred.tasks.planning.problem import Problem, problem_of
from housemates.benchmarks.alfred.tasks.planning.solver import Plan, PlannedAction, PlanStep, solve

__all__ = ["Plan", "PlanStep", "PlannedAction", "Problem", "problem_of", "solve"]
