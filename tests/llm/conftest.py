"""The scripted provider for the tests of this directory: one server, reset for each test."""

from __future__ import annotations

import pytest

from tests.kits.provider.openai_server import OpenAIServer


@pytest.fixture(scope="session")
def _provider():
    with OpenAIServer() as server:
        yield server


@pytest.fixture
def provider(_provider):
    _provider.reset()
    return _provider
