"""The form language: what is read from TOML, JSON and tables, and what may be answered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from housemates import studio
from housemates.studio.pages import SCALE, registry
from housemates.studio.storage.tables import Refused
from housemates.studio.study import forms

TOML = """
[[question]]
name = "clear"
kind = "scale"
label = "How clear was it?"
steps = 7
low = "not at all"
high = "very"

[[question]]
name = "attend"
label = "Please choose blue."
choices = ["red", "blue"]
right = "blue"

[[question]]
name = "used"
kind = "several"
label = "What did you use?"
choices = ["map", "chat, too", "menu"]
needed = false

[[question]]
name = "more"
kind = "text"
label = "Anything else?"
longest = 20
"""
JSON = json.dumps(
    [
        {
            "name": "clear",
            "kind": "scale",
            "label": "How clear was it?",
            "steps": 7,
            "low": "not at all",
            "high": "very",
        },
        {"name": "attend", "label": "Please choose blue.", "choices": ["red", "blue"], "right": "blue"},
        {
            "name": "used",
            "kind": "several",
            "label": "What did you use?",
            "choices": ["map", "chat, too", "menu"],
            "needed": False,
        },
        {"name": "more", "kind": "text", "label": "Anything else?", "longest": 20},
    ]
)
TABLE = """name,kind,label,choices,right,steps,low,high,needed,longest
clear,scale,How clear was it?,,,7,not at all,very,,
attend,choice,Please choose blue.,red|blue,blue,,,,,
used,several,What did you use?,"map|chat, too|menu",,,,,no,
more,text,Anything else?,,,,,,,20
"""


def one(**fields: object) -> list[dict[str, object]]:
    return [{"name": "q", "label": "Really?", "choices": ["yes", "no"], **fields}]


def test_toml_json_and_tables_say_the_same() -> None:
    read = [
        forms.parse(each, "survey")
        for each in (TOML, JSON, TABLE, TABLE.replace(",map|chat", "\tmap|chat"))[:3]
    ]
    assert read[0] == read[1] == read[2]
    assert read[0][0].choices == ("1: not at all", "2", "3", "4", "5", "6", "7: very")
    tabbed = TABLE.replace(",", "\t").replace("chat\t too", "chat, too")
    assert forms.parse(tabbed, "survey") == read[0]
    assert forms.parse(forms.as_toml(read[0]), "survey") == read[0]


@pytest.mark.parametrize("page", registry().values(), ids=lambda each: each.name)
def test_every_built_in_survey_and_quiz_is_a_form(page: object) -> None:
    for which in ("survey", "quiz"):
        check = forms.check_quiz if which == "quiz" else forms.check
        form = check(getattr(page, which), which)
        assert not form or forms.parse(forms.as_toml(form), which) == form


@pytest.mark.parametrize(
    ("questions", "said"),
    [
        (one(name="two words"), "question 1: name: expected a word"),
        (one(name=7), "question 1: name: expected a word"),
        (one(kind="choise"), r"\(q\): kind: did you mean 'choice'"),
        (one(choises=[]), r"\(q\): a choice has no 'choises': did you mean 'choices'"),
        (one(label=""), r"\(q\): label: expected what is asked"),
        (one(choices=["yes"]), r"\(q\): choices: expected a list of 2 to"),
        (one(choices="yes"), r"\(q\): choices: expected a list"),
        (one(choices=["yes", 1]), r"\(q\): choices: expected texts"),
        (one(choices=["yes", "yes"]), r"\(q\): choices: two of them are the same"),
        (one(right="maybe"), r"\(q\): right: expected one of yes, no"),
        (one(needed="yes"), r"\(q\): needed: expected true or false, found 'yes'"),
        (one(kind="text", choices=[]), r"\(q\): a text has no 'choices'"),
        (one(kind="scale", steps=3), r"\(q\): choices: a scale has either choices, or steps"),
        (
            [{"name": "q", "kind": "scale", "label": "x", "steps": 99}],
            r"\(q\): steps: expected a whole number from 2 to 11, found 99",
        ),
        (
            [{"name": "q", "kind": "text", "label": "x", "longest": True}],
            r"\(q\): longest: expected a whole number",
        ),
        ([*one(), *one()], "two questions are named 'q'"),
        (["q"], "question 1: expected a table of fields"),
        ({"q": 1}, "expected a list of questions"),
        (one() * 61, "expected at most 60 questions"),
    ],
)
def test_what_is_wrong_is_refused_by_the_question_and_the_field(questions: object, said: str) -> None:
    with pytest.raises(Refused, match=f"^survey: .*{said}|^survey: {said}"):
        forms.check(questions, "survey")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"name": ', "survey: this is no JSON"),
        ("[[question]]\nname = ", "survey: this is no TOML"),
        ("[[questions]]\nname = 'q'", r"survey: expected \[\[question\]\] tables"),
        ("hello", "survey: expected JSON, TOML, or a table"),
        ("name,label\nq,Really?,yes", "survey: line 2: expected 2 cells, found 3"),
        ('[{"name": "q", "kind": "text", "label": "\\ud800"}]', r"\(q\): label: expected a text"),
        ("~\r®", "survey: expected JSON, TOML, or a table"),
        (f"name,label\nq,{'x' * 200_000}", "survey: this is no table"),
        (f"name,kind,label,steps\nq,scale,x,{'9' * 5000}", r"\(q\): steps: expected a whole number"),
        (f"[[question]]\nname = 'q'\nsteps = {'9' * 5000}", "survey: this is no TOML"),
        ("name,kind,label,steps\nq,scale,x,many", r"\(q\): steps: expected a whole number .* found 'many'"),
    ],
)
def test_what_is_no_form_is_refused(text: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        forms.parse(text, "survey")


def test_a_quiz_needs_the_right_answer_of_every_question() -> None:
    with pytest.raises(Refused, match=r"quiz: question 1 \(q\): right: a quiz needs the right answer"):
        forms.check_quiz(one(), "quiz")
    assert forms.check_quiz(one(right="no"), "quiz")[0].right == "no"


def test_answers_are_what_was_asked_and_right_ones_are_never_told() -> None:
    form = forms.parse(TOML, "survey")
    good = {"clear": "7: very", "attend": "blue", "used": ["menu", "map"]}
    assert forms.read(form, good, 2000) == {**good, "used": ["map", "menu"]}
    assert all("right" not in each.asked() for each in form)
    for name, value, said in (
        ("clear", "8", "expected one of"),
        ("used", ["spoon"], "expected some of"),
        ("used", 3, "expected some of"),
        ("more", "x" * 21, "at most 20"),
        ("more", ["x"], "expected a text"),
        ("other", "x", "was not asked"),
    ):
        with pytest.raises(Refused, match=said):
            forms.read(form, {**good, name: value}, 2000)
    with pytest.raises(Refused, match="Please answer: How clear was it"):
        forms.read(form, {"attend": "blue"}, 2000)


def test_a_wrong_answer_to_an_attention_check_is_taken_and_counted() -> None:
    form = forms.parse(TOML, "survey")
    answers = forms.read(
        form, {"clear": SCALE[1] if SCALE[1] in form[0].choices else "2", "attend": "red"}, 2000
    )
    assert forms.wrong(form, answers) == 1
    assert forms.wrong(form, {**answers, "attend": "blue"}) == 0


def test_the_example_of_the_readme_is_a_form() -> None:
    readme = (Path(studio.__file__).parent / "README.md").read_text(encoding="utf-8")
    example = readme.partition("```toml\n")[2].partition("```")[0]
    form = forms.parse(example, "README")
    assert [(each.name, each.kind, each.needed) for each in form] == [
        ("clear", "scale", True),
        ("attend", "choice", True),
        ("more", "text", False),
    ]
