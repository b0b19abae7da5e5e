"""Tokens and the session: who am I, a bearer token for a password, and the tokens of an account."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from django.conf import settings
from django.contrib.auth import authenticate
from django.http import HttpResponse
from django.middleware.csrf import get_token
from pydantic import Field
from rest_framework.request import Request
from typing_extensions import TypedDict

from agent.llm.factory import backend_of
from smartmate.accounts.tokens import token_create, token_end, token_end_one, tokens_list
from smartmate.models import AccessToken
from taskclasses.kernel.answers import answers
from taskclasses.kernel.auth import identity_of
from taskclasses.kernel.envelope import NO_STORE, ok
from taskclasses.kernel.errors import CodedError
from taskclasses.kernel.rest import ApiView, Body, Text
from taskclasses.kernel.times import rfc3339


class Credentials(Body):
    username: Annotated[Text, Field(max_length=150)]
    password: Annotated[Text, Field(max_length=1000)]
    name: Annotated[Text, Field(max_length=60)] = ""


class BearerToken(TypedDict):
    token: str
    token_type: Literal["Bearer"]
    id: str
    name: str
    expires_at: str


class TokenObject(TypedDict):
    id: str
    name: str
    created_at: str
    last_used_at: str | None
    expires_at: str
    current: bool


class TokenList(TypedDict):
    list: Sequence[TokenObject]


class UserObject(TypedDict):
    id: int
    username: str


class Session(TypedDict):
    user: UserObject
    auth: Literal["session", "token"]
    backend: Literal["offline", "openai"]


class TokenView(ApiView):
    """Answers by method: POST makes a token, DELETE ends the one that was sent (with a session: all of the account)."""

    rate_kind = ""  # `LoginLimitMiddleware` counts the guesses
    keeps_no_answer = True

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
        return ok(describe_bearer(*token_create(user=user, name=given.name)), headers=NO_STORE)

    @answers()
    def delete(self, request: Request) -> HttpResponse:
        identity = identity_of(request._request)
        return self.commit(request, lambda: token_end(user=identity.user, digest=identity.token))


def describe_bearer(made: AccessToken, key: str) -> BearerToken:
    """Returns a new token with its key, which is shown this once."""
    expires_at = rfc3339(made.expiry)
    return {"token": key, "token_type": "Bearer", "id": made.public_id, "name": made.name, "expires_at": expires_at}


class TokensView(ApiView):
    """Lists the tokens of the account, without their secrets."""

    @answers(TokenList)
    def get(self, request: Request) -> HttpResponse:
        identity = identity_of(request._request)
        return ok({"list": [_describe_token(token, identity.token) for token in tokens_list(user=identity.user)]})


class TokenOfAccountView(ApiView):
    @answers(None, 40400)
    def delete(self, request: Request, token_id: str) -> HttpResponse:
        identity = identity_of(request._request)
        return self.commit(request, lambda: token_end_one(user=identity.user, public_id=token_id))


def _describe_token(token: AccessToken, current: str) -> TokenObject:
    return {
        "id": token.public_id,
        "name": token.name,
        "created_at": rfc3339(token.created),
        "last_used_at": rfc3339(token.last_used_at) if token.last_used_at else None,
        "expires_at": rfc3339(token.expiry),
        "current": token.digest == current,
    }


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
