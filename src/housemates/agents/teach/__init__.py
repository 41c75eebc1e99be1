"""TEACh's agents: baselines, the rule-based pair, the pair that talks, and those that were trained."""

from housemates.core.registry import AgentSpec

ALONE = ("teach-edh", "teach-tfd")
PAIR = ("teach-tatc",)
EVERY = (*ALONE, *PAIR)
BOTH = ("commander", "follower")
SPECS = (
    AgentSpec("random", "baselines:RandomFollower", EVERY, ("follower",)),
    AgentSpec("random-offered", "baselines:RandomOffered", ALONE, ("follower",)),
    AgentSpec("oracle", "baselines:Oracle", ALONE, ("follower",), privileged=True, expert=("low",)),
    AgentSpec("stop", "baselines:Stopper", EVERY, BOTH),
    AgentSpec("idle", "baselines:Idle", PAIR, BOTH),
    AgentSpec(
        "plan", "skill_planner:SkillPlanner", EVERY, ("follower",), privileged=True, expert=("skills",)
    ),
    AgentSpec("rule", "rule.commander:RuleCommander", PAIR, ("commander",)),
    AgentSpec("rule-paper", "rule.paper:PaperCommander", PAIR, ("commander",)),
    AgentSpec("rule-paper", "rule.follower:RuleFollower", PAIR, ("follower",)),
    AgentSpec("rule", "rule.follower:RuleFollower", PAIR, ("follower",)),
    AgentSpec(
        "talk", "talk.commander:TalkCommander", PAIR, ("commander",), partner=True, expert=("low", "skills")
    ),
    AgentSpec("once", "talk.once:OnceCommander", PAIR, ("commander",)),
    AgentSpec("talk-grammar", "talk.grammar:GrammarFollower", PAIR, ("follower",)),
    AgentSpec("talk-incurious", "talk.incurious:IncuriousFollower", PAIR, ("follower",)),
    AgentSpec("people", "people.commander:PeopleCommander", PAIR, ("commander",)),
    AgentSpec("et", "et:EtFollower", ("teach-edh",), ("follower",), model="teach-et"),
    AgentSpec("et", "et:EtFollower", ("teach-tfd",), ("follower",), model="teach-et", shipped=False),
    AgentSpec(
        "speaker", "speaker:SpeakerCommander", PAIR, ("commander",), model="teach-speaker", shipped=False
    ),
)
