"""REST endpoints of an account: sign-up, passwords, sessions, settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from allauth.usersessions.models import UserSession
from django.http import HttpResponse
from pydantic import Field
from rest_framework.request import Request
from typing_extensions import TypedDict

from schedules.progress.bodies import ProgressSettingsBody
from smartmate.accounts.account_settings import SettingsObject, settings_change, settings_get
from smartmate.accounts.api.session import BearerToken, UserObject, describe_bearer
from smartmate.accounts.passwords import password_change, password_reset_ask
from smartmate.accounts.sessions import session_end, sessions_end_others, sessions_list
from smartmate.accounts.signup import account_create
from smartmate.accounts.tokens import token_create
from taskclasses.kernel.answers import answers
from taskclasses.kernel.auth import identity_of
from taskclasses.kernel.envelope import NO_STORE, ok
from taskclasses.kernel.rest import ApiView, Body, OptionalId, Text
from taskclasses.kernel.times import rfc3339

Password = Annotated[Text, Field(max_length=1000)]
Email = Annotated[Text, Field(max_length=254)]


class SignUp(Body):
    username: Annotated[Text, Field(max_length=150)]
    password: Password
    email: Email = ""
    name: Annotated[Text, Field(max_length=60)] = ""


class NewAccount(TypedDict):
    user: UserObject
    token: BearerToken
    email_verification: Literal["sent"] | None


class PasswordChange(Body):
    current_password: Password
    new_password: Password


class ResetRequest(Body):
    email: Email


class SettingsChange(Body):
    language: Literal["zh", "en"] | None = None
    appearance: Literal["system", "light", "dark"] = "system"
    course_colors: bool = True
    less_motion: bool = False
    letter_keys: bool = True
    always_execute: bool = False
    thinking: bool = False
    evening_question: bool = False
    semester_id: OptionalId = None
    progress: ProgressSettingsBody = ProgressSettingsBody(mode="assume_done")


class SessionObject(TypedDict):
    id: int
    created_at: str
    last_seen_at: str
    address: str
    client: str
    current: bool


class SessionList(TypedDict):
    list: Sequence[SessionObject]


class PublicView(ApiView):
    """Asks for no credentials and sets no cookie."""

    authentication_classes = ()
    permission_classes = ()


class SignUpView(PublicView):
    """Makes an account and a bearer token of it. A browser signs up on the page `/account/signup/`."""

    keeps_no_answer = True

    @answers(NewAccount, 40302, body=SignUp, public=True)
    def post(self, request: Request) -> HttpResponse:
        given = self.body(request, SignUp)
        user = account_create(
            request=request._request, username=given.username, password=given.password, email=given.email
        )
        token = describe_bearer(*token_create(user=user, name=given.name))
        sent = "sent" if given.email.strip() else None
        account = {"id": user.pk, "username": user.username}
        return ok({"user": account, "token": token, "email_verification": sent}, headers=NO_STORE)


class PasswordResetView(PublicView):
    """Asks for a link by e-mail that sets another password; answers the same for every address."""

    @answers(body=ResetRequest, public=True)
    def post(self, request: Request) -> HttpResponse:
        password_reset_ask(request=request._request, email=self.body(request, ResetRequest).email)
        return ok()


class PasswordView(ApiView):
    """Changes the password: tokens end, and every session but the one that asks."""

    keeps_no_answer = True

    @answers(body=PasswordChange)
    def post(self, request: Request) -> HttpResponse:
        identity, given = identity_of(request._request), self.body(request, PasswordChange)

        def effect() -> None:
            password_change(
                request=request._request, user=identity.user, current=given.current_password, new=given.new_password,
                in_session=identity.via == "session",
            )  # fmt: skip

        return self.commit(request, effect)


class SessionsView(ApiView):
    """Lists the sessions of the account; DELETE signs all of them out but the one that asks."""

    @answers(SessionList)
    def get(self, request: Request) -> HttpResponse:
        current = _session_key(request)
        return ok({"list": [_describe(row, current) for row in sessions_list(user=self.user(request))]})

    @answers()
    def delete(self, request: Request) -> HttpResponse:
        user, current = self.user(request), _session_key(request)
        return self.commit(request, lambda: sessions_end_others(user=user, current=current))


class SessionOfAccountView(ApiView):
    @answers(None, 40400)
    def delete(self, request: Request, session_id: int) -> HttpResponse:
        user = self.user(request)
        return self.commit(request, lambda: session_end(user=user, session_id=session_id))


class SettingsView(ApiView):
    """Shows what the account chose. PATCH changes what it names and leaves the rest."""

    @answers(SettingsObject)
    def get(self, request: Request) -> HttpResponse:
        return ok(settings_get(user=self.user(request)))

    @answers(SettingsObject, 40041, body=SettingsChange)
    def patch(self, request: Request) -> HttpResponse:
        user, changes = self.user(request), self.body(request, SettingsChange).model_dump(exclude_unset=True)
        return self.commit(request, lambda: settings_change(user=user, changes=changes))


def _session_key(request: Request) -> str:
    """Returns the key of the session that asks, "" for a token."""
    http: Any = request._request
    return http.session.session_key or "" if identity_of(http).via == "session" else ""


def _describe(row: UserSession, current: str) -> SessionObject:
    return {
        "id": row.pk,
        "created_at": rfc3339(row.created_at),
        "last_seen_at": rfc3339(row.last_seen_at),
        "address": row.ip,
        "client": row.user_agent,
        "current": row.session_key == current,
    }
