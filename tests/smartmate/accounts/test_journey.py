"""The whole way of an account over a real socket: sign up, verify, sign in, forget, change, sign out elsewhere."""

from __future__ import annotations

import re
import secrets
from typing import Any

import httpx
import pytest

from tests.kits.page.browser import MAIL, Browser, Post

PASSWORD, OTHER = "umbrella seven", "lantern twelve"


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Post:
    return Post(tmp_path_factory.mktemp("mail"))


@pytest.fixture(scope="module")
def door(server_factory: Any, post: Post) -> Any:
    return server_factory(AGENT_BACKEND="offline", EMAIL_FILE_PATH=str(post.folder), **MAIL)


@pytest.fixture
def name() -> str:
    return f"student-{secrets.token_hex(4)}"


def sign_up(door: Any, name: str, email: str = "", **headers: str) -> Browser:
    browser = Browser(door, **headers)
    page = browser.submit("/account/signup/", username=name, email=email, password1=PASSWORD, password2=PASSWORD)
    assert page.url.path == "/welcome/courses", re.findall(r'class="(?:problem|errorlist)".*', page.text)
    return browser


def token_of(door: Any, name: str, password: str) -> httpx.Response:
    return httpx.post(f"{door.base_url}/api/v1/auth/token", json={"username": name, "password": password})


def test_who_signs_up_is_signed_in_without_an_address(door: Any, name: str) -> None:
    browser = sign_up(door, name)
    assert browser.api("GET", "/auth/session").json()["data"]["user"]["username"] == name
    assert token_of(door, name, PASSWORD).status_code == 200
    found = browser.api("GET", "/account/settings").json()["data"]
    assert (found["email"], found["email_verified"], found["role"]) == (None, False, "student")


@pytest.mark.parametrize("over_the_api", [False, True])
def test_full_width_letters_of_a_name_are_plain_ones_at_every_door(door: Any, name: str, over_the_api: bool) -> None:
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in name)
    if over_the_api:
        body = {"username": wide, "password": PASSWORD}
        made = httpx.post(f"{door.base_url}/api/v1/account/signup", json=body).json()["data"]["user"]["username"]
    else:
        made = sign_up(door, wide).api("GET", "/auth/session").json()["data"]["user"]["username"]
    assert made == name
    for spelled in (name, wide):
        assert token_of(door, spelled, PASSWORD).status_code == 200
        page = Browser(door).submit("/login", username=spelled, password=PASSWORD)
        assert page.url.path != "/login", spelled
    taken = httpx.post(f"{door.base_url}/api/v1/account/signup", json={"username": wide, "password": PASSWORD})
    assert [row["field"] for row in taken.json()["data"]["errors"]] == ["username"]


@pytest.mark.parametrize(
    ("language", "words"), [("zh", "用户名可以用汉字、字母、数字"), ("en", "may have letters of any language, digits")]
)
def test_a_name_that_cannot_be_is_told_what_it_may_have(door: Any, name: str, language: str, words: str) -> None:
    browser = Browser(door, **{"Accept-Language": language})
    body = {"email": "", "password1": PASSWORD, "password2": PASSWORD}
    refused = browser.submit("/account/signup/", username=f"林 小雨 {name}", **body)
    assert words in refused.text
    assert f"林 小雨 {name}" in refused.text
    assert browser.submit("/account/signup/", username=f"林小雨-{name}", **body).url.path == "/welcome/courses"


def test_an_address_is_verified_by_the_link_in_the_mail(door: Any, post: Post, name: str) -> None:
    email = f"{name}@school.example"
    browser = sign_up(door, name, email, **{"Accept-Language": "zh"})
    text = post.mails(email)[-1].get_content().strip()
    assert text.startswith("您收到此电子邮件是因为")
    assert text.endswith(f"SmartMate · 127.0.0.1:{door.port}")
    assert browser.api("GET", "/account/settings").json()["data"]["email_verified"] is False
    browser.submit(post.link(email))
    assert browser.api("GET", "/account/settings").json()["data"]["email_verified"] is True


def test_a_forgotten_password_is_set_anew_and_ends_what_was_open(door: Any, post: Post, name: str) -> None:
    email = f"{name}@school.example"
    phone = sign_up(door, name, email)
    token = token_of(door, name, PASSWORD).json()["data"]["token"]
    stranger = Browser(door)
    assert stranger.submit("/account/password/reset/", email=email).url.path == "/account/password/reset/sent/"
    link = post.link(email)
    done = stranger.submit(link, password1=OTHER, password2=OTHER)
    assert done.url.path == "/account/password/reset/done/"
    assert not phone.signed_in()
    bearer = {"Authorization": f"Bearer {token}"}
    assert httpx.get(f"{door.base_url}/api/v1/auth/session", headers=bearer).status_code == 401
    assert token_of(door, name, PASSWORD).status_code == 401
    assert stranger.sign_in(name, OTHER).url.path == "/welcome/courses"
    assert "这个链接无效" in Browser(door).open(link).text


def test_nobody_learns_whose_address_it_is(door: Any, post: Post, name: str) -> None:
    email, unknown = f"{name}@school.example", f"nobody-{name}@school.example"
    sign_up(door, name, email)
    pages = [Browser(door).submit("/account/password/reset/", email=one) for one in (email, unknown)]
    words = [re.sub(r'value="\w{64}"', "", page.text) for page in pages]
    assert words[0] == words[1]
    assert post.mails(unknown) == []
    answers = [
        httpx.post(f"{door.base_url}/api/v1/account/password/reset", json={"email": one}) for one in (email, unknown)
    ]
    assert [(one.status_code, one.json()["data"]) for one in answers] == [(200, None)] * 2
    assert len(post.mails(email)) == 3
    assert sign_up(door, f"{name}-2", email).signed_in()


def test_a_changed_password_keeps_this_session_only(door: Any, name: str) -> None:
    here, there = sign_up(door, name), Browser(door, "Safari")
    there.sign_in(name, PASSWORD)
    token = token_of(door, name, PASSWORD).json()["data"]["token"]
    page = here.submit("/account/password/", oldpassword=PASSWORD, password1=OTHER, password2=OTHER)
    assert "密码" in page.text
    assert (here.signed_in(), there.signed_in()) == (True, False)
    bearer = {"Authorization": f"Bearer {token}"}
    assert httpx.get(f"{door.base_url}/api/v1/auth/session", headers=bearer).status_code == 401
    answer = here.api("POST", "/account/password", {"current_password": OTHER, "new_password": PASSWORD})
    assert (answer.status_code, here.signed_in()) == (200, True)
    assert token_of(door, name, PASSWORD).status_code == 200


def test_the_notice_of_a_changed_password_says_when_and_in_which_zone(door: Any, post: Post, name: str) -> None:
    email = f"{name}@school.example"
    browser = sign_up(door, name, email)
    browser.submit("/account/password/", oldpassword=PASSWORD, password1=OTHER, password2=OTHER)
    text = post.mails(email)[-1].get_content()
    assert re.search(r": ?\d{4}-\d\d-\d\d \d\d:\d\d UTC$", text, re.MULTILINE), text


def test_devices_are_listed_and_signed_out(door: Any, name: str) -> None:
    here, phone, tablet = sign_up(door, name), Browser(door, "Phone"), Browser(door, "Tablet")
    for other in (phone, tablet):
        other.sign_in(name, PASSWORD)
        assert other.signed_in()
    listed = here.api("GET", "/account/sessions").json()["data"]["list"]
    assert {row["client"]: row["current"] for row in listed} == {"Firefox": True, "Phone": False, "Tablet": False}
    assert {row["address"] for row in listed} == {"127.0.0.1"}
    number = next(row["id"] for row in listed if row["client"] == "Phone")
    assert here.api("DELETE", f"/account/sessions/{number}").status_code == 200
    assert (phone.signed_in(), tablet.signed_in()) == (False, True)
    assert "Tablet" in here.open("/account/sessions/").text
    here.submit("/account/sessions/")
    assert (here.signed_in(), tablet.signed_in()) == (True, False)
    tablet.sign_in(name, PASSWORD)
    assert here.api("DELETE", "/account/sessions").status_code == 200
    assert (here.signed_in(), tablet.signed_in()) == (True, False)


def test_a_new_address_asks_for_the_password_first(door: Any, post: Post, name: str) -> None:
    browser, email = sign_up(door, name), f"{name}@home.example"
    page = browser.submit("/account/email/", email=email, action_add="")
    assert page.url.path == "/account/reauthenticate/"
    assert post.mails(email) == []
    page = browser.http.post(
        str(page.url), data={"password": PASSWORD, "csrfmiddlewaretoken": browser.http.cookies["csrftoken"]},
        follow_redirects=True,
    )  # fmt: skip
    assert email in page.text
    browser.submit(post.link(email))
    assert browser.api("GET", "/account/settings").json()["data"]["email"] == email


def test_an_account_is_made_over_the_api_with_its_token(door: Any, post: Post, name: str) -> None:
    url, email = f"{door.base_url}/api/v1/account/signup", f"{name}@school.example"
    answer = httpx.post(url, json={"username": name, "password": PASSWORD, "email": email, "name": "phone"})
    data = answer.json()["data"]
    assert (answer.status_code, data["user"]["username"], data["email_verification"]) == (200, name, "sent")
    assert "set-cookie" not in answer.headers
    assert len(post.mails(email)) == 1
    bearer = {"Authorization": f"Bearer {data['token']['token']}"}
    assert httpx.get(f"{door.base_url}/api/v1/account/settings", headers=bearer).json()["data"]["username"] == name
    again = httpx.post(url, json={"username": name, "password": "12345678"})
    assert again.json()["status"] == "40005"
    assert {row["field"] for row in again.json()["data"]["errors"]} == {"username", "password"}
    blank = httpx.post(url, json={"username": "", "password": ""})
    assert [row["field"] for row in blank.json()["data"]["errors"]] == ["username", "password"]


def test_a_chosen_language_goes_to_every_device(door: Any, name: str) -> None:
    here = sign_up(door, name)
    there = Browser(door, **{"Accept-Language": "zh"})
    there.sign_in(name, PASSWORD)
    assert 'lang="zh-CN"' in there.open("/").text
    answer = here.api("PATCH", "/account/settings", {"language": "en", "appearance": "dark"})
    assert (answer.json()["data"]["language"], answer.json()["data"]["appearance"]) == ("en", "dark")
    assert 'lang="en"' in there.open("/").text
    refused = there.api("DELETE", "/auth/tokens/none")
    assert refused.json()["info"].isascii()
    there.http.post(
        "/i18n/setlang/", data={"language": "zh-hans", "csrfmiddlewaretoken": there.http.cookies["csrftoken"]}
    )
    assert 'lang="zh-CN"' in here.open("/").text
    assert here.api("PATCH", "/account/settings", {"language": None}).json()["data"]["language"] is None


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_page_speaks_and_loads_nothing_from_elsewhere(door: Any, name: str, language: str) -> None:
    browser = sign_up(door, name, **{"Accept-Language": language})
    stranger = Browser(door, **{"Accept-Language": language})
    mine = ["/account/password/", "/account/email/", "/account/sessions/", "/account/reauthenticate/"]
    open_to_all = [
        "/account/signup/",
        "/account/password/reset/",
        "/account/password/reset/sent/",
        "/account/inactive/",
    ]
    open_to_all += ["/account/password/reset/done/", "/account/email/sent/", "/account/email/confirm/x/", "/login"]
    for one, path in [(browser, path) for path in mine] + [(stranger, path) for path in open_to_all]:
        page = one.open(path)
        assert page.status_code == 200, path
        assert (
            re.findall(
                r"<script(?! type=\"module\" src=\"/(?:static|assets)/)|<style|style=|\son\w+=\""
                r"|(?:src|href)=\"(?:https?:)?//",
                page.text,
            )
            == []
        ), path
        body = re.sub(r'<button class="plain" name="language".*', "", page.text)
        assert bool(re.search("[\u4e00-\u9fff]", body)) is (language == "zh"), path
        # One word for one thing, whether the page is ours or the library's; only what a plan wants is approved.
        assert re.findall("User name|E-mail|e-mail|New Password|Current Password|Approve", body) == [], path
        assert "unsafe" not in page.headers["Content-Security-Policy"]


def test_sign_up_can_be_closed(server_factory: Any) -> None:
    closed = server_factory(AGENT_BACKEND="offline", SIGNUP_OPEN="off")
    browser = Browser(closed)
    assert "目前不开放注册" in browser.open("/account/signup/").text
    assert "/account/signup/" not in browser.open("/login").text
    answer = httpx.post(f"{closed.base_url}/api/v1/account/signup", json={"username": "new", "password": PASSWORD})
    assert (answer.status_code, answer.json()["status"]) == (403, "40302")
