"""The views that are no classes, and what is shared by all paths of the OpenAPI document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agent.calls.kinds import Json
from agent.transports.http.sse import chat, stream
from smartmate.monitoring.health import healthz, readyz
from smartmate.monitoring.metrics import metrics
from smartmate.openapi.document import SECURITY, codes_of, complete
from smartmate.openapi.parts import Parts
from smartmate.openapi.view import SchemaView
from taskclasses.kernel.answers import Contract


def _parameter(where: str, name: str, schema: Json) -> Json:
    return {"in": where, "name": name, "schema": schema, **({"required": True} if where == "path" else {})}


TEXT: Json = {"type": "string"}
PLAIN: list[tuple[str, str, Callable[..., Any], list[Json]]] = [
    ("/api/v1/agent/chat", "post", chat, [_parameter("header", "Idempotency-Key", TEXT)]),
    (
        "/api/v1/agent/runs/{run_id}/stream",
        "get",
        stream,
        [
            _parameter("path", "run_id", TEXT),
            _parameter("query", "from", {"type": "integer", "minimum": 0}),
            _parameter("header", "Last-Event-ID", TEXT),
        ],
    ),
    ("/api/schema", "get", SchemaView.get, []),
    ("/healthz", "get", healthz, []),
    ("/readyz", "get", readyz, []),
    ("/metrics", "get", metrics, [_parameter("header", "Authorization", TEXT)]),
]
"""Views that are no classes: path, method, view, parameters."""
CSRF = "a request that is no GET also sends the cookie csrftoken again, as the header X-CSRFToken"


def add_plain_views(result: Json, **_: Any) -> Json:
    """Adds the plain views, and what is shared by all paths; a hook of spectacular."""
    components = result.setdefault("components", {})
    schemas = components.setdefault("schemas", {})

    def put(name: str, schema: Json) -> None:
        if schemas.setdefault(name, schema) != schema:
            raise ValueError(f"two shapes are called {name}")

    for path, method, view, parameters in PLAIN:
        contract: Contract = view.contract  # type: ignore[attr-defined]
        name = "_".join(word.strip("{}") for word in path.removeprefix("/api/v1").split("/") if word)
        operation: Json = {"operationId": f"{name}_{method}", "tags": [path.removeprefix("/api/v1").split("/")[1]]}
        operation |= {"description": view.__doc__ or "", "parameters": parameters}
        operation |= {} if contract.public else {"security": SECURITY}
        complete(operation, Parts(put), contract, codes_of(method.upper(), view, contract))
        result["paths"].setdefault(path, {})[method] = operation
    schemes = components.setdefault("securitySchemes", {})
    schemes["bearer"] = {"type": "http", "scheme": "bearer"}
    schemes["session"] = {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": CSRF}
    components["schemas"] = dict(sorted(schemas.items()))
    result["paths"] = dict(sorted(result["paths"].items()))
    return result
