"""CerealBar's agents: planners, leaders and followers who speak English, and those that were trained."""

from housemates.core.registry import AgentSpec

GAMES, RECORDED = ("cerealbar",), ("cerealbar-recorded",)
BOTH = (*GAMES, *RECORDED)
LEADER, FOLLOWER = ("leader",), ("follower",)
SPECS = (
    AgentSpec("planner", "leader:planner", GAMES, LEADER, expert=("low",)),
    AgentSpec("planner", "follower:CoordinateFollower", GAMES, FOLLOWER, expert=("low",)),
    AgentSpec("talking", "language.speaker:talking", GAMES, LEADER, partner=True),
    AgentSpec("people", "language.speaker:PeopleLeader", GAMES, LEADER),
    AgentSpec("talking", "follower:EnglishFollower", GAMES, FOLLOWER, partner=True),
    AgentSpec("english", "follower:EnglishFollower", RECORDED, FOLLOWER),
    AgentSpec("learnt", "plan:PlanFollower", BOTH, FOLLOWER, model="cerealbar-plan"),
    AgentSpec("gold-plan", "plan:GoldPlanFollower", RECORDED, FOLLOWER, privileged=True),
    AgentSpec("oracle", "baselines:OracleFollower", RECORDED, FOLLOWER, privileged=True, expert=("low",)),
    AgentSpec("idle", "baselines:IdlePlayer", GAMES, LEADER),
    AgentSpec("idle", "baselines:IdlePlayer", BOTH, FOLLOWER),
    AgentSpec("seq2seq", "seq2seq:Seq2SeqFollower", BOTH, FOLLOWER, model="cerealbar-seq2seq", shipped=False),
)
