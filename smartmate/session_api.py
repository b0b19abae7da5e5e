"""Tokens and the session: who am I, and a bearer token for a password."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.conf import settings
from django.contrib.auth import authenticate
from django.http import HttpResponse
from django.middleware.csrf import get_token
from pydantic import Field
from rest_framework.authtoken.models import Token
from rest_framework.request import Request
from typing_extensions import TypedDict

from agent.llm.factory import backend_of
from taskclasses.kernel.answers import answers
from taskclasses.kernel.auth import identity_of
from taskclasses.kernel.envelope import ok
from taskclasses.kernel.errors import CodedError
from taskclasses.kernel.rest import ApiView, Body, Text


class Credentials(Body):
    username: Annotated[Text, Field(max_length=150)]
    password: Annotated[Text, Field(max_length=1000)]


class BearerToken(TypedDict):
    token: str
    token_type: Literal["Bearer"]


class UserObject(TypedDict):
    id: int
    username: str


class Session(TypedDict):
    user: UserObject
    auth: Literal["session", "token"]
    backend: Literal["offline", "openai"]


class TokenView(ApiView):
    """POST answers the account's one token, DELETE revokes it."""

    rate_kind = "login"

    def get_authenticators(self) -> list[Any]:
        return [] if self._public else super().get_authenticators()

    def get_permissions(self) -> list[Any]:
        return [] if self._public else list(super().get_permissions())

    @property
    def _public(self) -> bool:
        # Without a request the schema is being written.
        return self.request is not None and self.request.method == "POST"

    @answers(BearerToken, body=Credentials, public=True)
    def post(self, request: Request) -> HttpResponse:
        given = self.body(request, Credentials)
        user = authenticate(request._request, username=given.username, password=given.password)
        if user is None:
            raise CodedError(40014)
        token, _ = Token.objects.get_or_create(user=user)
        return ok({"token": token.key, "token_type": "Bearer"})

    @answers()
    def delete(self, request: Request) -> HttpResponse:
        def revoke() -> None:
            Token.objects.filter(user=self.user(request)).delete()

        return self.commit(request, revoke)


class SessionView(ApiView):
    @answers(Session)
    def get(self, request: Request) -> HttpResponse:
        identity = identity_of(request._request)
        # Sets the cookie that unsafe requests of the page repeat in X-CSRFToken.
        get_token(request._request)
        backend = backend_of({"AGENT_BACKEND": settings.AGENT_BACKEND, **_model_settings()})
        user = {"id": identity.user.pk, "username": identity.user.get_username()}
        return ok({"user": user, "auth": identity.via, "backend": backend})


def _model_settings() -> dict[str, Any]:
    return {name: getattr(settings, name, "") for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENAI_MODEL")}
