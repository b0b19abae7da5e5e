"""Peers of `bench.stream`: servers that pass a model's stream on and keep nothing of it.

    MODEL=http://... uvicorn bench.stream_peers:bare | typed | langgraph

`bare` hands the bytes on, `typed` reads them as the provider's client does and writes them again, `langgraph` streams
the messages of a graph of one model node. Each answers any POST with the answer of one model call.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

import httpx
import openai

MODEL = os.environ.get("MODEL", "")
MESSAGES: Any = [{"role": "user", "content": "说一段"}]


@cache
def _http() -> httpx.AsyncClient:
    return httpx.AsyncClient(timeout=600, limits=httpx.Limits(max_connections=1_000))


@cache
def _client() -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(base_url=MODEL, api_key="x", max_retries=0, http_client=_http())


@cache
def _graph() -> Any:
    from langchain_openai import ChatOpenAI
    from langgraph.graph import END, START, MessagesState, StateGraph

    model = ChatOpenAI(base_url=MODEL, api_key="x", model="m", streaming=True, timeout=600, http_async_client=_http())

    async def answer(state: MessagesState) -> dict[str, Any]:
        return {"messages": [await model.ainvoke(state["messages"])]}

    graph = StateGraph(MessagesState)
    graph.add_node("answer", answer)
    graph.add_edge(START, "answer")
    graph.add_edge("answer", END)
    return graph.compile()


async def _bytes() -> AsyncIterator[bytes]:
    body = {"model": "m", "messages": MESSAGES, "stream": True}
    async with _http().stream("POST", f"{MODEL}/chat/completions", json=body) as answer:
        async for piece in answer.aiter_raw():
            yield piece


async def _chunks() -> AsyncIterator[bytes]:
    stream: Any = await _client().chat.completions.create(model="m", messages=MESSAGES, stream=True)
    async for chunk in stream:
        yield f"data: {chunk.model_dump_json(exclude_unset=True)}\n\n".encode()


async def _messages() -> AsyncIterator[bytes]:
    async for message, _ in _graph().astream({"messages": MESSAGES}, stream_mode="messages"):
        yield f"data: {json.dumps({'content': message.content}, ensure_ascii=False)}\n\n".encode()


def _served(stream: Any) -> Any:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
            return
        headers = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if scope["method"] == "POST":
            async for piece in stream():
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    return application


bare, typed, langgraph = _served(_bytes), _served(_chunks), _served(_messages)
