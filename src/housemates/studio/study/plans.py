"""What a project is made from, as the administrator asks for it, and what may change later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from housemates.studio.storage.tables import Refused, keepable


def _kept(text: str) -> str:
    """Text that every database keeps."""
    if not keepable(text):
        raise ValueError("expected text of whole characters without NUL")
    return text


Text = Annotated[str, AfterValidator(_kept)]
Word = Annotated[Text, Field(max_length=80)]
Value = Annotated[Text, Field(max_length=400)]
"""What may be a path."""
FormText = Annotated[Text, Field(max_length=60_000)]
Money = Annotated[float, Field(ge=0, le=10_000)]
BIGGEST_SEED = 2**31 - 1
"""That every database keeps."""


class StudyPlan(BaseModel):
    """What people go through besides playing."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    tutorial: bool = False
    consent: Annotated[Text, Field(max_length=8000)] = ""
    """What people agree to before anything else; nothing is shown if empty."""
    evidence: bool = False
    """Whether browsers report pasted text, lost focus and typing rhythm; the consent says so."""
    survey: FormText | list[dict[str, Any]] | None = None
    """Questions after each session: the page's own if None, none if empty, else a form; see `forms`."""
    quiz: FormText | list[dict[str, Any]] | None = None
    """The same before the first session."""
    code: Word = ""
    """The completion code; a new one for each if empty."""
    return_to: Annotated[Text, Field(max_length=400, alias="return")] = ""
    each: Annotated[int, Field(ge=1, le=100)] = 1
    """Sessions of each person."""
    of: Word = ""
    """The project whose plays are compared in this one."""
    pool: Literal["", "novice", "expert"] = ""
    """Who may take part; everybody if empty."""
    extras: bool = False
    """Whether people are shown what agents at their table tell of their plans."""
    invited: bool = False
    """Whether people need an invitation, a link that expires."""
    patience_min: Annotated[int, Field(ge=0, le=240)] = 15
    """Minutes after which whoever has waited in vain may leave with a code; 0 for never."""
    base: Money = 0.0
    """Paid for each completed session."""
    bonus: Money = 0.0
    """Paid besides for each session with success."""
    currency: Annotated[Text, Field(max_length=8)] = ""
    retention_days: Annotated[int, Field(ge=0, le=36_500)] = 0
    """Days after which what people did is erased; 0 for never."""


class NewProject(BaseModel):
    """A project that is asked for."""

    model_config = ConfigDict(extra="forbid")

    id: Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9-]+$")]
    title: Annotated[Text, Field(min_length=1, max_length=120)]
    benchmark: Word
    options: Annotated[dict[Word, Value], Field(max_length=20)] = {}
    split: Word = "generated"
    seed: Annotated[int, Field(ge=0, le=BIGGEST_SEED)] = 0
    tasks: Annotated[list[Word], Field(max_length=50)] = []
    seats: Annotated[dict[Word, Value], Field(max_length=8)] = {}
    plays: Annotated[int, Field(ge=0, le=100_000)] = 0
    plan: StudyPlan = StudyPlan()


FIXED = ("benchmark", "options", "split", "seed", "tasks", "seats")
"""What cannot change once somebody has come, as what was collected would no longer be of one kind."""
FIXED_PLAN = ("tutorial", "survey", "quiz", "each", "of", "pool", "extras")
"""The same of the plan. All else may change at any time; a changed consent is a new version."""


def read_project(given: Mapping[str, Any]) -> NewProject:
    """A project from plain values; refused by the first field that is wrong."""
    try:
        return NewProject.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(each) for each in first["loc"])
        raise Refused(f"{field}: {first['msg']}.") from None
