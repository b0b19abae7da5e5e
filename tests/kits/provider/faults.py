"""Everything that a provider gets wrong, as answers of the scripted one."""

from __future__ import annotations

import json

from tests.kits.provider.openai_server import DONE, Head, Raw, Step, chunk, cut, event, silence, status, text, usage


def document(found: object) -> list[Step]:
    """One JSON document where a stream was asked for, in many lines."""
    written = json.dumps(found, ensure_ascii=False, indent=2)
    return [Head(200, {"Content-Type": "application/json"}), Raw(written.encode())]


FAULTS = {
    "no finish reason": ([[chunk(content="a"), DONE]], "llm_truncated", 1),
    "nothing but usage": ([[usage(), DONE]] * 2, "llm_truncated", 1),
    "an empty body": ([[Head()]] * 2, "llm_truncated", 1),
    "cut in the middle": ([cut(chunk(content="a"))], "llm_truncated", 1),
    "cut before the first delta": ([cut(chunk(role="assistant"))] * 3, "llm_unavailable", 3),
    "no answer at all": ([cut()] * 3, "llm_unavailable", 3),
    "silent from the start": ([silence()] * 2, "llm_timeout", 1),
    "silent in the middle": ([silence(chunk(content="a"))], "llm_timeout", 1),
    "malformed at once": ([[event('{"choices": [')]] * 3, "llm_unavailable", 3),
    "malformed in the middle": (
        [[chunk(content="a"), event('{"choices"'), chunk(finish="stop")]],
        "llm_unavailable",
        1,
    ),
    "a chunk that is no object": ([[event("[1]")]] * 3, "llm_unavailable", 3),
    "a page": ([[Head(200, {"Content-Type": "text/html"}), Raw(b"<html>hello</html>")]] * 2, "llm_unavailable", 1),
    "not a stream": ([[Head(200, {"Content-Type": "text/plain"}), Raw(b"hello")]] * 2, "llm_truncated", 1),
    "a circle of redirects": ([[Head(307, {"Location": "/v1/chat/completions"})]] * 9, "llm_unavailable", 4),
    "an error by its type alone": ([[event({"type": "overloaded_error", "message": "x"})]] * 3, "llm_unavailable", 3),
    "an error in the stream": ([[event({"error": {"message": "provider text"}})]] * 3, "llm_unavailable", 3),
    "an overload in the stream": ([[event({"error": {"type": "rate_limit_error"}})]] * 3, "llm_rate_limited", 3),
    "filtered": ([text("a", finish="content_filter")], "llm_filtered", 1),
    "withheld as sensitive": ([text("a", finish="sensitive")], "llm_filtered", 1),
    "withheld for safety": ([text("a", finish="SAFETY")], "llm_filtered", 1),
    "withheld with its reason": ([text("", finish="content_filter: PROHIBITED_CONTENT")], "llm_filtered", 1),
    "given up in the middle": ([text("a", finish="insufficient_system_resource")], "llm_truncated", 1),
    "a call that it could not write": ([text("", finish="malformed_function_call")] * 3, "llm_unavailable", 3),
    "an error under another name": (
        [[event({"object": "error", "message": "x", "code": 500})]] * 3,
        "llm_unavailable",
        3,
    ),
    "an error in place of a stream": ([document({"detail": "provider text"})] * 3, "llm_unavailable", 3),
    "a key refused with 200": ([document({"error": {"code": "invalid_api_key"}})], "llm_unavailable", 1),
    "no money, said with 200": (
        [document({"base_resp": {"status_code": 1008, "status_msg": "insufficient balance"}})],
        "llm_rate_limited",
        1,
    ),
    "a quota used up within the stream": ([[event({"error": {"code": "insufficient_quota"}})]], "llm_rate_limited", 1),
    "400 of an inspection": ([status(400, body={"error": {"code": "data_inspection_failed"}})], "llm_filtered", 1),
    "400 of a risk": ([status(400, body={"error": {"message": "Content Exists Risk"}})], "llm_filtered", 1),
    "400 of what is sensitive": (
        [status(400, body={"error": {"code": "1301", "message": "可能包含敏感内容"}})],
        "llm_filtered",
        1,
    ),
    "refused": ([[chunk(refusal="no"), chunk(finish="stop"), DONE]], "llm_filtered", 1),
    "500 thrice": ([status(500)] * 3, "llm_unavailable", 3),
    "503 thrice": ([status(503)] * 3, "llm_unavailable", 3),
    "401": ([status(401)], "llm_unavailable", 1),
    "400 twice": ([status(400)] * 2, "llm_bad_request", 2),
    "404": ([status(404)], "llm_bad_request", 1),
    "400 of the filter": ([status(400, body={"error": {"code": "content_filter"}})], "llm_filtered", 1),
    "429 without a time": ([status(429)] * 3, "llm_rate_limited", 3),
    "429 for an hour": ([status(429, retry_after="3600")], "llm_rate_limited", 1),
    "429 thrice": ([status(429, retry_after="0")] * 3, "llm_rate_limited", 3),
    "408 thrice": ([status(408)] * 3, "llm_timeout", 3),
    "529 thrice": ([status(529)] * 3, "llm_unavailable", 3),
    "403": ([status(403)], "llm_unavailable", 1),
    "no money left": ([status(429, body={"error": {"code": "insufficient_quota"}})], "llm_rate_limited", 1),
}
