"""The OpenAPI document: made of the contract that each method of an endpoint carries (`taskclasses.kernel.answers`)."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry, ResolvedComponent
from drf_spectacular.utils import OpenApiParameter

from agent.calls.kinds import Json
from smartmate.openapi.parts import Parts
from taskclasses.kernel.answers import Contract

KEY = "Idempotency-Key"
SECURITY: list[dict[str, list[str]]] = [{"bearer": []}, {"session": []}]
EVERY = (40005, 40014, 40033, 50000, 50004)
"""Refusals of every endpoint (wire.md 2)."""


class ApiSchema(AutoSchema):
    """Describes one operation of a view class."""

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: ComponentRegistry
    ) -> Json | None:
        operation: Json | None = super().get_operation(path, path_regex, path_prefix, method, registry)
        if operation is not None:
            contract: Contract = getattr(self.view, method.lower()).contract
            parts = Parts(lambda name, schema: _register(registry, name, schema))
            complete(operation, parts, contract, codes_of(self.method, self.view, contract))
        return operation

    def get_operation_id(self) -> str:
        parts = [part for part in self.path.removeprefix("/api/v1/").split("/") if part]
        words = [
            f"by_{part[1:-1]}" if part.startswith("{") else part.replace("-", "_").replace(".", "_") for part in parts
        ]
        return "_".join([*words, self.method.lower()])

    def get_description(self) -> str:  # type: ignore[override]
        # A view without a docstring of its own would show the one of its base.
        return self.view.__class__.__doc__ or "" if "__doc__" in vars(type(self.view)) else ""

    def get_tags(self) -> list[str]:
        return [self.path.removeprefix("/api/v1/").split("/")[0]]

    def get_request_serializer(self) -> Any:
        return None

    def get_response_serializers(self) -> Any:
        return None

    def get_override_parameters(self) -> list[Any]:
        if self.method == "GET":
            text = "the ETag of an answer that the client has; 304 while it holds"
            named = OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, description=text)
            contract: Contract = getattr(self.view, self.method.lower()).contract
            return [named] if contract.tagged else []
        if getattr(self.view, "keeps_no_answer", False):
            return []
        needed = getattr(self.view, "idempotency_required", ())
        required = not callable(needed) and self.method in needed
        text = "1-128 visible ASCII characters"
        return [OpenApiParameter(KEY, str, OpenApiParameter.HEADER, required=required, description=text)]

    def get_auth(self) -> list[dict[str, list[str]]]:
        return [] if getattr(self.view, self.method.lower()).contract.public else SECURITY


def complete(operation: Json, parts: Parts, contract: Contract, codes: tuple[int, ...]) -> None:
    """Adds body and answers to an operation."""
    content: Json = {}
    if contract.body is not None:
        content["application/json"] = {"schema": parts.of(contract.body, sent=True)}
    if contract.form is not None:
        content["multipart/form-data"] = {"schema": contract.form}
    if content:
        operation["requestBody"] = {"required": True, "content": content}
    keyed = any(named["name"] == KEY for named in operation.get("parameters", ()))
    operation["responses"] = parts.responses(contract, codes, keyed=keyed)


def codes_of(method: str, view: Any, contract: Contract) -> tuple[int, ...]:
    """Returns what an endpoint may refuse with because of its method and its kind alone."""
    if contract.public and contract.media:
        return ()
    if method == "GET":
        return EVERY
    if contract.public:
        return (*EVERY, 40006)
    if getattr(view, "keeps_no_answer", False):
        return (*EVERY, 40006, 40301)
    required = getattr(view, "idempotency_required", ())
    missing = (40037,) if callable(required) or method in required else ()
    claimed = () if getattr(view, "idempotency_own", False) else (40038,)
    return (*EVERY, 40006, 40070, 40301, *missing, *claimed)


def _register(registry: ComponentRegistry, name: str, schema: Json) -> None:
    kind = ResolvedComponent.SCHEMA
    component = ResolvedComponent(name=name, type=kind, object=name, schema=schema)  # type: ignore[no-untyped-call]
    if component not in registry:
        registry.register(component)
    elif registry[component].schema != schema:
        raise ValueError(f"two shapes are called {name}")
