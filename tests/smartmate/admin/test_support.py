"""What support sees of a student, and what each role may do in the admin."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import reverse

from agent.admin.outcomes import CODES, OUTCOMES
from agent.models import Run
from agent.runs import Ask
from agent.runs.start import run_create
from agent.store.connection import sync_client
from agent.store.snapshots import SnapshotStore
from schedules.models import AppliedBatch, CalendarException, Exam, Semester
from smartmate.accounts.roles import STAFF, STUDENT, SUPPORT, role_set
from taskclasses.models import TaskClass
from tests.kits.agent.draft_world import DraftWorld, make_world
from tests.kits.agent.runs import pause


def signed_in(role: Any, **fields: Any) -> Client:
    person = User.objects.create_user(f"{role}-person", password="lantern twelve", **fields)
    role_set(user=person, role=role)
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def support(db: None) -> Client:
    return signed_in(SUPPORT)


@pytest.fixture
def world(user: Any, semester: Semester) -> DraftWorld:
    return make_world(user, semester)


def page(client: Client, name: str, *args: Any, **query: str) -> str:
    answer = client.get(reverse(f"admin:{name}", args=args), query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_the_page_of_a_student_leads_to_all_of_their_records(support: Client, user: Any, world: DraftWorld) -> None:
    shown = page(support, "auth_user_change", user.pk)
    links = [link.replace("&amp;", "&") for link in re.findall(r'<li><a href="(/admin/[^"]+)"', shown)]
    ours = [link for link in links if f"={user.pk}" in link or "/week/" in link]
    assert len(ours) == 9
    for link in ours:
        assert support.get(link).status_code == 200, link


def test_the_week_is_drawn_with_the_draft(support: Client, user: Any, world: DraftWorld) -> None:
    preview = world.preview()
    entry = next(one for one in preview["hybrid_entries"] if one["status"] == "suggested")
    drawn = page(support, "auth_user_week", user.pk, week=str(entry["week"]))
    assert re.search(rf"{re.escape(entry['name'])} <em>\(草稿里\)", drawn)
    lesson = next(one for one in preview["hybrid_entries"] if one["type"] == "course" and one["week"] == entry["week"])
    assert lesson["name"] in drawn
    assert "草稿里)" not in page(support, "auth_user_week", user.pk, week=str(entry["week"] + 5))
    before = world.stored().draft.schedule
    assert world.stored().draft.schedule == before


def test_the_week_shows_exams_and_what_the_calendar_says_of_days(
    support: Client, user: Any, semester: Semester
) -> None:
    monday = semester.first_monday
    mine: dict[str, Any] = {"user": user, "semester": semester}
    Exam.objects.create(**mine, name="期末考", date=monday + timedelta(days=9), section_from=3, section_to=4)
    days = {"first_date": monday + timedelta(days=7), "last_date": monday + timedelta(days=8)}
    CalendarException.objects.create(**mine, kind="holiday", name="校庆", **days)
    drawn = page(support, "auth_user_week", user.pk, week="2")
    assert len(re.findall(r"期末考 <em>\(考试\)", drawn)) == 2
    assert len(re.findall(r"<th>[^<]*<div>[^<]*校庆", drawn)) == 2
    assert not re.search("期末考|校庆", page(support, "auth_user_week", user.pk, week="3"))


def test_a_draft_of_a_newer_version_is_told_of_and_left_alone(support: Client, user: Any, world: DraftWorld) -> None:
    """As where a release was taken back, or a process of it still runs while the next one is rolled out."""
    before = SnapshotStore(sync_client()).load(user.pk, world.id)
    assert before is not None
    SnapshotStore(sync_client()).save(user.pk, world.id, {**before.document, "version": 99}, expected=before.revision)
    assert "由更新的版本写成" in page(support, "agent_conversation_change", world.id)
    page(support, "auth_user_week", user.pk)
    for path in (f"/agent/conversations/{world.id}/state", f"/agent/schedule-preview?conversation_id={world.id}"):
        answer = world.client.get(f"/api/v1{path}")
        assert (answer.status_code, answer.json()["status"]) == (503, "50004")


def test_a_batch_shows_its_rows_and_is_undone_on_request(support: Client, user: Any, world: DraftWorld) -> None:
    assert world.apply().status_code == 200
    batch = AppliedBatch.objects.latest("pk")
    shown = page(support, "schedules_appliedbatch_change", batch.pk)
    change = batch.changes[0]
    assert change["after"]["item"]["content"] in shown
    assert re.search(r"<td>(未安排|第\d+周[^<]*)</td><td>第\d+周 周. \d+–\d+节", shown)
    undo = reverse("admin:schedules_appliedbatch_undo", args=(batch.pk,))
    assert undo in shown
    assert support.get(undo).status_code == 405
    assert support.post(undo).status_code == 302
    batch.refresh_from_db()
    assert batch.undone_at is not None
    assert undo not in page(support, "schedules_appliedbatch_change", batch.pk)
    assert "已经撤销过" in support.post(undo, follow=True).content.decode()


def test_a_conversation_shows_its_runs_timeline_question_and_draft(
    support: Client, user: Any, world: DraftWorld
) -> None:
    run = run_create(user.pk, Ask(message="帮我排课", conversation_id=world.id)).run
    question = pause(run)
    Run.objects.filter(pk=run.pk).update(
        outcome="exhausted", outcome_code="run_deadline", finished_at=run.created_at + timedelta(seconds=95),
        failed_calls=[{"cause": {"kind": "silence"}}],
    )  # fmt: skip
    shown = page(support, "agent_conversation_change", world.id)
    assert "用尽了额度 (超过了总时限)" in shown
    assert "1 min 35 s" in shown
    assert "超时：回答到一半停住了" in shown
    assert "帮我排课" in shown
    assert reverse("admin:agent_pendinginteraction_change", args=(question.pk,)) in shown
    assert "草稿里" in shown
    listed = page(support, "agent_run_changelist", q="li")
    assert reverse("admin:auth_user_change", args=(user.pk,)) in listed
    assert "1 min 35 s" in listed


def test_outcomes_are_said_in_both_languages(support: Client, user: Any) -> None:
    run = run_create(user.pk, Ask(message="你好")).run
    Run.objects.filter(pk=run.pk).update(outcome="aborted", outcome_code="own_code_of_a_model")
    shown = support.get(reverse("admin:agent_run_changelist"), headers={"Accept-Language": "en"}).content.decode()
    assert "not achieved (own_code_of_a_model)" in shown
    from django.utils.translation import override

    with override("en"):
        assert all(str(word).isascii() for word in (*OUTCOMES.values(), *CODES.values()))


def test_support_never_sees_or_sets_a_password(support: Client, user: Any) -> None:
    shown = page(support, "auth_user_change", user.pk)
    assert "password" not in shown.lower().replace("password/", "").replace("password_change", "")
    for path in (
        f"/admin/auth/user/{user.pk}/password/",
        f"/admin/auth/user/{user.pk}/delete/",
        "/admin/auth/user/add/",
    ):
        assert support.get(path).status_code == 403, path
        assert support.post(path, {"password1": "umbrella seven", "password2": "umbrella seven"}).status_code == 403
    assert support.post(f"/admin/auth/user/{user.pk}/change/", {"username": "x"}).status_code == 403
    assert support.get("/admin/smartmate/accesstoken/").status_code == 403
    user.refresh_from_db()
    assert user.check_password("correct horse")


def test_staff_disables_students_and_gives_no_roles(user: Any, db: None) -> None:
    staff, root = signed_in(STAFF), User.objects.create_superuser("root", password="x")
    form = {"is_superuser": "on", "is_staff": "on", "first_name": "Li", "date_joined_0": "2026-03-02"}
    form |= {"date_joined_1": "08:00:00", "emailaddress_set-TOTAL_FORMS": "0", "emailaddress_set-INITIAL_FORMS": "0"}
    assert staff.post(f"/admin/auth/user/{user.pk}/change/", form).status_code == 302
    user.refresh_from_db()
    assert (user.is_active, user.is_superuser, user.is_staff, user.first_name) == (False, False, False, "Li")
    assert staff.post(f"/admin/auth/user/{root.pk}/change/", form).status_code == 403
    assert staff.get(f"/admin/auth/user/{user.pk}/password/").status_code == 403
    assert "make_support" not in staff.get("/admin/auth/user/").content.decode()
    action = {"action": "make_staff", "_selected_action": [user.pk]}
    staff.post("/admin/auth/user/", action)
    user.refresh_from_db()
    assert not user.is_staff


def test_a_student_does_not_get_in(user: Any, db: None) -> None:
    student = signed_in(STUDENT)
    for path in ("/admin/", f"/admin/auth/user/{user.pk}/week/", "/admin/agent/conversation/"):
        assert student.get(path).status_code == 302, path


def test_a_superuser_gives_roles(user: Any, db: None) -> None:
    root = Client()
    root.force_login(User.objects.create_superuser("root"))
    for role in (SUPPORT, STAFF, STUDENT):
        root.post("/admin/auth/user/", {"action": f"make_{role}", "_selected_action": [user.pk]})
        user.refresh_from_db()
        assert list(user.groups.values_list("name", flat=True)) == [role]
        assert user.is_staff is (role != STUDENT)


def test_an_account_is_found_by_the_beginning_of_its_name_or_its_address(support: Client, user: Any) -> None:
    EmailAddress.objects.create(user=user, email="li@school.example")
    for words in ("l", "li", "LI@school.example"):
        found = support.get("/admin/auth/user/", {"q": words}).context["cl"].result_list
        assert user.pk in {row.pk for row in found}, words
    assert "li@school.example" in page(support, "auth_user_change", user.pk)
    assert list(support.get("/admin/auth/user/", {"q": "i"}).context["cl"].result_list) == []


def test_a_word_is_found_in_any_case(support: Client, user: Any) -> None:
    for name in ("Linear Algebra", "线性代数 😀", "线性代数 🎓", "100%_\\"):
        TaskClass.objects.create(user=user, name=name, mode="manual", strategy="steady")

    def found(term: str) -> set[str]:
        rows = support.get("/admin/taskclasses/taskclass/", {"q": term}).context["cl"].result_list
        return {row.name for row in rows}

    assert found("aLGEBRA") == found("li r ALG") == {"Linear Algebra"}
    assert found("代数 🎓") == {"线性代数 🎓"}
    assert found("%_\\") == {"100%_\\"}
    assert found("algebra%") == set()


def test_a_name_that_is_an_address_a_number_or_full_width_is_found(support: Client, db: None) -> None:
    mail, number = User.objects.create_user("li.ming@x.edu.cn"), User.objects.create_user("00261234")

    def found(term: str) -> set[str]:
        listed = page(support, "auth_user_changelist", q=term)
        return set(re.findall(r"/admin/auth/user/(\d+)/change/", listed))

    assert found("li.ming@x.edu.cn") == found("li.ming@") == {str(mail.pk)}
    assert found("00261234") == found("００２６１２３４") == {str(number.pk)}
    assert found(str(mail.pk)) == {str(mail.pk)}
    assert found("nobody@x.cn") == found("999999999999") == set()


def clerk(*codenames: str) -> Client:
    """Somebody who has these permissions alone."""
    person = User.objects.create_user("clerk", is_staff=True)
    person.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    client = Client()
    client.force_login(person)
    return client


@pytest.mark.parametrize(
    ("more", "seen"),
    [("view_conversation", "草稿里"), ("view_exam", "期末考"), ("view_calendarexception", "校庆")],
)
def test_the_week_has_what_its_reader_may_see(
    user: Any, world: DraftWorld, semester: Semester, more: str, seen: str
) -> None:
    entry = next(one for one in world.preview()["hybrid_entries"] if one["status"] == "suggested")
    week = entry["week"]
    monday = semester.first_monday + timedelta(days=7 * (week - 1))
    mine: dict[str, Any] = {"user": user, "semester": semester}
    Exam.objects.create(**mine, name="期末考", date=monday, section_from=3, section_to=4)
    CalendarException.objects.create(**mine, kind="holiday", name="校庆", first_date=monday, last_date=monday)
    talk = str(world.id)
    reader = clerk("view_user", "view_scheduleevent")
    drawn = page(reader, "auth_user_week", user.pk, week=str(week), conversation=talk)
    assert not re.search(f"草稿里|期末考|校庆|{talk}|没有草稿", drawn)
    User.objects.get(username="clerk").user_permissions.add(Permission.objects.get(codename=more))
    drawn = page(reader, "auth_user_week", user.pk, week=str(week), conversation=talk)
    assert set(re.findall("草稿里|期末考|校庆", drawn)) == {seen}


@pytest.mark.parametrize("part", ["timelineitem", "run", "pendinginteraction"])
def test_a_conversation_shows_the_rows_that_its_reader_may_see(user: Any, semester: Semester, part: str) -> None:
    run = run_create(user.pk, Ask(message="帮我排课")).run
    pause(run)
    row = run.conversation_id
    reader = clerk("view_conversation")
    names = {"timelineitem": "field-timeline", "run": "field-runs", "pendinginteraction": "field-question"}
    shown = page(reader, "agent_conversation_change", row)
    assert not re.search("|".join(names.values()), shown)
    assert "field-draft" in shown
    User.objects.get(username="clerk").user_permissions.add(Permission.objects.get(codename=f"view_{part}"))
    shown = page(reader, "agent_conversation_change", row)
    assert [kind for kind, field in names.items() if field in shown] == [part]


def test_no_permission_makes_somebody_a_superuser_or_ends_one(db: None) -> None:
    reader = clerk("add_group", "change_group", "delete_group", "view_user", "change_user", "delete_user")
    chief = User.objects.create_superuser("chief", password="lantern twelve")
    own = Group.objects.create(name="own")
    every = {"name": "own", "permissions": list(Permission.objects.values_list("pk", flat=True))}
    for name, args in (("auth_group_change", [own.pk]), ("auth_group_add", []), ("auth_user_delete", [chief.pk])):
        answer = reader.post(reverse(f"admin:{name}", args=args), {**every, "post": "yes"})
        assert answer.status_code == 403, name
        assert "没有权限" in answer.content.decode()
    assert User.objects.filter(username="chief").exists()
    assert not own.permissions.exists()
