"""A lab's week in real browsers: the administrator's pages, and what people see beside the sessions."""

from __future__ import annotations

from typing import Any

from people import Visit, administrator, make_project
from studio_server import Server, logged_in

SURVEY = """name,kind,label,choices,right
fit,scale,Was it fun?,,
attend,choice,Choose blue.,red|blue,blue
used,several,What did you use?,map|chat,
"""
PASTE = """text => {
    const data = new DataTransfer();
    data.setData("text", text);
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
}"""


def told(server: Server, path: str) -> Any:
    status, found = server.ask("GET", f"/api/admin/{path}", Cookie=logged_in(server))
    assert status == 200, found
    return found


def test_nobody_is_scolded_on_the_first_visit(visit: Visit, server: Server) -> None:
    page = visit(f"{server.url}/admin")
    page.get_by_label("Password").wait_for()
    assert page.get_by_role("alert").all_inner_texts() in ([], [""])
    assert "unless you set one" in page.locator("main").inner_text()
    page.get_by_label("Password").fill("wrong password")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("alert").filter(has_text="This is not the password.").wait_for()


def test_a_project_is_made_changed_copied_closed_and_deleted(visit: Visit, server: Server) -> None:
    admin = administrator(visit, server)
    admin.get_by_role("link", name="New project").click()
    admin.get_by_label("Short name for the link").fill("days")
    admin.get_by_label("Title").fill("Days")
    admin.get_by_label("Tasks, separated by commas").fill("Coffe")
    admin.get_by_text("Side of the pictures in pixels").wait_for()
    admin.get_by_role("button", name="Create project").click()
    admin.get_by_role("alert").filter(has_text="did you mean 'Coffee'").wait_for()
    admin.get_by_label("Tasks, separated by commas").fill("Coffee, Salad")
    admin.get_by_label("Survey after each session").select_option("own")
    admin.get_by_label("Survey: questions").fill(SURVEY.replace("scale", "scael"))
    admin.get_by_role("button", name="Try the survey").click()
    admin.get_by_role("alert").filter(has_text="question 1 (fit): kind: did you mean 'scale'").wait_for()
    admin.get_by_label("Survey: questions").fill(SURVEY)
    admin.get_by_role("button", name="Try the survey").click()
    admin.get_by_role("group", name="Was it fun?").wait_for()
    admin.get_by_role("button", name="Create project").click()
    admin.get_by_role("heading", name="Days").wait_for()
    admin.get_by_text("Coffee, Salad").wait_for()

    admin.get_by_role("link", name="Edit").click()
    assert admin.get_by_label("Short name for the link").is_disabled()
    admin.get_by_label("Title").fill("Nights")
    admin.get_by_label("Consent, shown first").fill("We keep all.")
    admin.get_by_role("button", name="Save").click()
    admin.get_by_role("heading", name="Nights").wait_for()
    admin.get_by_text("version 1").wait_for()

    admin.get_by_role("link", name="Copy", exact=True).click()
    admin.get_by_label("Short name for the link").fill("days-2")
    admin.get_by_role("button", name="Create project").click()
    admin.get_by_role("heading", name="Nights, copy").wait_for()
    first, second = told(server, "projects/days"), told(server, "projects/days-2")
    assert {**first, "id": 0, "title": 0, "created": 0} == {**second, "id": 0, "title": 0, "created": 0}

    assert admin.get_by_role("button", name="Delete").is_disabled()
    admin.get_by_role("button", name="Close").click()
    admin.get_by_text("no: it is closed").wait_for()
    admin.get_by_role("button", name="Delete").click()
    admin.get_by_role("dialog").get_by_role("button", name="Delete").click()
    admin.get_by_role("link", name="New project").wait_for()
    assert [each["id"] for each in told(server, "projects") if each["id"].startswith("days")] == ["days"]
    admin.go_back()
    admin.get_by_role("alert").filter(has_text="There is no such project.").wait_for()


def test_what_people_may_not_change_any_more_is_locked_and_kept(visit: Visit, server: Server) -> None:
    admin = administrator(visit, server)
    make_project(
        admin,
        "locked",
        "handmethat",
        {"style": "reference"},
        fields={"Tasks, separated by commas": "level 2"},
    )
    before = told(server, "projects/locked")
    person = visit(f"{server.url}/join/locked?participant=anna")
    person.get_by_role("button", name="Begin the tutorial").click()
    person.wait_for_url("**/seat/*")
    admin.goto(f"{server.url}/admin#edit/locked")
    admin.reload()
    admin.get_by_role("note").filter(has_text="Copy the project").wait_for()
    for label in (
        "Tasks, separated by commas",
        "Option style",
        "Benchmark",
        "Seed",
        "Survey after each session",
    ):
        assert admin.get_by_label(label, exact=True).is_disabled(), label
    admin.get_by_label("Completion code").fill("AGAIN")
    admin.get_by_role("button", name="Save").click()
    admin.get_by_text("AGAIN").wait_for()
    after = told(server, "projects/locked")
    assert after["plan"].pop("code") == "AGAIN"
    before["plan"].pop("code")
    assert {**after, "begun": 0} == {**before, "begun": 0}


def test_who_does_not_agree_is_let_go_and_who_agrees_is_asked_and_reported_as_they_agreed(
    visit: Visit, server: Server
) -> None:
    plan = {"consent": "We keep all.", "evidence": True, "survey": SURVEY}
    asked = {"id": "agreed", "title": "Agreed", "benchmark": "handmethat", "plan": plan}
    assert server.ask("POST", "/api/admin/projects", asked, Cookie=logged_in(server))[0] == 200
    against = visit(f"{server.url}/join/agreed?participant=against")
    against.get_by_text("It does not report which keys you press.").wait_for()
    against.get_by_role("button", name="I do not agree").click()
    against.get_by_text("nothing was kept").wait_for()

    person = visit(f"{server.url}/join/agreed?participant=for")
    person.get_by_role("button", name="I agree", exact=True).click()
    person.wait_for_url("**/seat/*")
    line = person.locator("input[type=text]").last
    line.wait_for()
    if person.get_by_role("button", name="Got it").count():
        person.get_by_role("button", name="Got it").click()
    line.click()
    person.keyboard.type("look", delay=120)
    person.evaluate(PASTE, "x" * 50)
    person.evaluate("dispatchEvent(new Event('blur'))")
    person.wait_for_timeout(300)
    person.evaluate("dispatchEvent(new Event('focus'))")
    person.goto(f"{server.url}/")
    person.wait_for_timeout(300)
    (found,) = told(server, "projects/agreed/participants")
    assert found["participant"] == "for"
    assert (found["typed_chars"], found["pastes"], found["pasted_chars"], found["left_page"]) == (4, 1, 50, 1)
    assert 0.2 < found["left_page_s"] < 30
    assert found["key_gap_ms"] in (100, 150, 200, 300)


def test_a_survey_of_ones_own_is_answered_and_its_attention_check_is_counted(
    visit: Visit, server: Server
) -> None:
    asked = {
        "id": "own-survey",
        "title": "Own",
        "benchmark": "handmethat",
        "plan": {"survey": SURVEY, "code": "DONE"},
    }
    assert server.ask("POST", "/api/admin/projects", asked, Cookie=logged_in(server))[0] == 200
    person = visit(f"{server.url}/join/own-survey?participant=anna", 390, 844)
    person.wait_for_url("**/seat/*")
    person.get_by_role("button", name="Stop").or_(
        person.get_by_role("button", name="Got it")
    ).first.wait_for()
    if person.get_by_role("button", name="Got it").count():
        person.get_by_role("button", name="Got it").click()
    person.get_by_role("button", name="Stop", exact=True).first.click()
    person.get_by_role("dialog").get_by_role("button", name="Stop").click()
    person.get_by_role("link", name="To the survey").click()
    person.get_by_role("group", name="Was it fun?").get_by_label("3", exact=True).check()
    person.get_by_role("group", name="Choose blue.").get_by_label("red").check()
    for word in ("map", "chat"):
        person.get_by_role("group", name="What did you use?").get_by_label(word).check()
    person.get_by_role("button", name="Send").click()
    assert person.locator(".code").inner_text() == "DONE"
    (found,) = told(server, "projects/own-survey/participants")
    assert (found["checks"], found["checks_failed"]) == (1, 1)


def test_who_waits_sees_for_how_long_and_can_leave(visit: Visit, server: Server) -> None:
    asked = {"id": "waiting", "title": "Waiting", "benchmark": "cerealbar", "plan": {"patience_min": 5}}
    assert server.ask("POST", "/api/admin/projects", asked, Cookie=logged_in(server))[0] == 200
    person = visit(f"{server.url}/join/waiting?participant=anna", 390, 844)
    person.get_by_text("You have waited 0:0").wait_for()
    person.get_by_text("If nobody comes within 5 min, you can leave with a code.").wait_for()
    person.get_by_text("You have waited 0:02").or_(person.get_by_text("You have waited 0:03")).wait_for()
    person.get_by_role("button", name="Leave", exact=True).click()
    person.get_by_role("dialog").get_by_role("button", name="Leave").click()
    person.get_by_role("heading", name="You have left.").wait_for()
    person.get_by_role("button", name="Wait again").click()
    person.get_by_text("You have waited 0:0").wait_for()


def test_ending_a_demo_early_is_not_well_done_and_promises_no_code(visit: Visit, server: Server) -> None:
    page = visit(server.url)
    page.get_by_role("button", name="Be the Commander").click()
    page.wait_for_url("**/seat/*")
    page.get_by_role("button", name="Got it").wait_for()
    assert "code" not in page.get_by_role("dialog").inner_text()
    page.get_by_role("button", name="Got it").click()
    page.get_by_role("button", name="Finish").click()
    page.get_by_role("dialog").get_by_role("button", name="Finish").click()
    end = page.get_by_role("dialog", name="The end")
    end.get_by_text("The task is not finished.").wait_for()
    assert "Well done" not in end.inner_text()
    end.get_by_role("link", name="To the survey").click()
    page.locator("form.survey").wait_for()
    for group in page.get_by_role("group").all():
        group.get_by_role("radio").first.check()
    page.get_by_role("button", name="Send").click()
    page.get_by_role("heading", name="Thank you.").wait_for()
    assert page.locator(".code").count() == 0
    assert "code" not in page.locator("main").inner_text()
