"""HandMeThat's agents: the paper's hand-coded models, the Bayesian listener, and those that were trained."""

from housemates.core.registry import AgentSpec

HANDMETHAT = ("handmethat",)
ROBOT = ("robot",)
SPECS = (
    AgentSpec("random", "baselines:RandomAgent", HANDMETHAT, ROBOT),
    AgentSpec("heuristic", "baselines:HeuristicAgent", HANDMETHAT, ROBOT),
    AgentSpec("listener", "listener:ListenerAgent", HANDMETHAT, ROBOT),
    AgentSpec("told", "listener:OracleGoalListener", HANDMETHAT, ROBOT, privileged=True),
    AgentSpec("expert", "expert:ExpertAgent", HANDMETHAT, ROBOT, privileged=True, expert=("low",)),
    AgentSpec("seq2seq", "seq2seq:seq2seq", HANDMETHAT, ROBOT, model="handmethat-seq2seq"),
    AgentSpec("seq2seq-told", "seq2seq:told_seq2seq", HANDMETHAT, ROBOT, privileged=True),
    AgentSpec("drrn", "drrn:DrrnAgent", HANDMETHAT, ROBOT, model="handmethat-drrn", shipped=False),
)
