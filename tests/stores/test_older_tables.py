"""Tables that an older MariaDB made keep ids of conversations as letters; a newer one reads and writes them."""

from __future__ import annotations

from typing import Any

from tests.conformance.client import Client
from tests.kits.suite.stores import older_schema, on_mysql


def test_a_conversation_is_found_in_tables_of_before(server_factory: Any) -> None:
    stores = {"DATABASE_URL": older_schema()} if on_mysql() else {}
    server = server_factory(AGENT_BACKEND="offline", **stores)
    client = Client(server.base_url, "older", server.account("older"))
    chat = client.chat({"message": "你好"})
    assert chat.kinds[-1] == "finish"
    listed = client.data("GET", "/agent/conversations")["list"]
    assert [row["conversation_id"] for row in listed] == [chat.conversation_id]
    page = client.data("GET", f"/agent/conversations/{chat.conversation_id}/timeline?after_seq=0&limit=50")
    assert page["items"][0]["content"] == "你好"
    server_factory.prove(server)
