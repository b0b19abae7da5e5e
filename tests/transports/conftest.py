"""Clients of a real server over a real socket."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.kits.suite.stores import on_mysql
from tests.kits.transports.students import Student


@pytest.fixture(scope="session")
def li(server: Any) -> Iterator[Student]:
    """A student on the shared server with the offline backend."""
    student = Student(server, "li")
    yield student
    student.http.close()


@pytest.fixture(scope="session")
def wang(server: Any) -> Iterator[Student]:
    student = Student(server, "wang")
    yield student
    student.http.close()


@pytest.fixture(scope="session")
def modelled(lasting_server_factory: Any, model_endpoint: Any) -> Any:
    """A server whose model is the scripted endpoint."""
    return lasting_server_factory(AGENT_BACKEND="openai", OPENAI_BASE_URL=model_endpoint.base_url, OPENAI_API_KEY="x")


@pytest.fixture(scope="session")
def model_endpoint() -> Iterator[Any]:
    from tests.kits.provider.openai_server import OpenAIServer

    with OpenAIServer() as endpoint:
        yield endpoint


@pytest.fixture
def script(model_endpoint: Any) -> Any:
    """The scripted endpoint, empty again."""
    model_endpoint.reset()
    return model_endpoint


@pytest.fixture(scope="session")
def ming(modelled: Any) -> Iterator[Student]:
    """A student on the server with the scripted model."""
    student = Student(modelled, "ming")
    yield student
    student.http.close()


# Which model answers is nothing to the stores: on real servers one of the two is enough.
BACKENDS = ["openai"] if on_mysql() else ["scripted", "openai"]


@pytest.fixture(scope="session", params=BACKENDS)
def any_backend(request: Any, lasting_server_factory: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A student whose model plays a script: inside the web server, then behind an OpenAI-compatible endpoint."""
    from tests.kits.transports.played import InProcess, OverEndpoint

    if request.param == "scripted":
        script = tmp_path_factory.mktemp("script") / "script.jsonl"
        script.touch()
        scripted = "tests.kits.transports.scripted_app:application"
        server = lasting_server_factory(application=scripted, MODEL_SCRIPT=str(script))
        student = Student(server, "planner", server.account("planner"))
        yield InProcess(student, script)
    else:
        server = request.getfixturevalue("modelled")
        student = Student(server, "planner", server.account("planner"))
        yield OverEndpoint(student, request.getfixturevalue("model_endpoint"))
    student.http.close()


@pytest.fixture
def played(any_backend: Any) -> Any:
    """The same, at the beginning of a script."""
    any_backend.forget()
    return any_backend
