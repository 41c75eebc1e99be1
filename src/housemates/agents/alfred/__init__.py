"""ALFRED's agents: baselines, experts that plan, and the Seq2Seq that was trained."""

from housemates.core.registry import AgentSpec

ALFRED = ("alfred", "alfred-subgoals")
SEAT = ("agent",)
SPECS = (
    AgentSpec("random", "random:RandomAgent", ALFRED, SEAT),
    AgentSpec("template", "template:TemplateFollower", ALFRED, SEAT),
    AgentSpec("seen", "seen:SeenExpert", ALFRED, SEAT, privileged=True),
    AgentSpec("expert", "expert:Expert", ALFRED, SEAT, privileged=True, expert=("low",)),
    AgentSpec("plan", "skill_planner:SkillPlanner", ALFRED, SEAT, privileged=True, expert=("skills",)),
    AgentSpec("seq2seq", "seq2seq:Seq2SeqAgent", ALFRED, SEAT, model="alfred-seq2seq", shipped=False),
)
