"""Whatever a model or a page sends, the answer is a value: never an exception, always one valid card."""

from __future__ import annotations

import json
from dataclasses import asdict

import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.calls.ports import WebFailure
from agent.calls.values import ToolError
from agent.outbound.address import is_public, resolve_redirect, target_of
from agent.outbound.charset import decode_body
from agent.outbound.extract import extract
from agent.tools.arguments.task_class import normalise_values
from agent.tools.cards.schemas import view_schemas
from agent.tools.default import default_registry
from agent.tools.web import neutral
from schedules.planner.draft.codec import state_to_json
from tests.kits.budgets import tried
from tests.kits.tools.cases import all_ports
from tests.kits.tools.world import call, draft

REGISTRY = default_registry()
SCHEMAS = {name: jsonschema.Draft202012Validator(schema) for name, schema in view_schemas().items()}
STATE = draft()
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
)
NAMES = [tool.name for tool in REGISTRY.tools]


def keys_of(name):
    return st.sampled_from([*REGISTRY.resolve(name).args.model_fields, "nonsense"])


@pytest.mark.parametrize("name", NAMES)
@tried(40)
@given(data=st.data())
async def test_any_arguments_give_one_valid_result(name, data):
    arguments = data.draw(st.dictionaries(keys_of(name), VALUES | st.integers(1, 14), max_size=4))
    locale = data.draw(st.sampled_from(["zh", "en"]))
    outcome, result = await call(name, arguments, STATE, locale=locale, ports=all_ports(), call_id="x")
    SCHEMAS[result.result_view["view_type"]].validate(result.result_view)
    SCHEMAS["tool.arguments"].validate(result.argument_view)
    json.dumps(asdict(result), allow_nan=False)
    assert (result.status == "done") == (outcome.error is None)
    if outcome.error is not None:
        assert outcome.error.code != "internal_error", (arguments, outcome)


@tried(60)
@given(st.text(max_size=40), VALUES)
def test_any_name_and_any_value_are_refused_as_values(name, arguments):
    found = REGISTRY.validate(name, arguments, STATE)
    assert isinstance(found, ToolError)
    json.dumps([found.code, found.text("en"), found.details], allow_nan=False)


@tried(200)
@given(st.dictionaries(st.sampled_from(["task_class", "items", "id"]), VALUES, max_size=3))
def test_normalising_never_fails_and_is_stable(values):
    once, _ = normalise_values(values)
    again, notes = normalise_values(once)
    assert repr(again) == repr(once)
    assert notes == []


URLS = st.text(max_size=60) | st.builds("http://{}".format, st.text(max_size=40)) | st.builds(
    "https://{}:{}/{}".format, st.text(max_size=20), st.integers(), st.text(max_size=20)
)  # fmt: skip


def answered(ask):
    try:
        return ask()
    except WebFailure as failure:
        return failure


@tried(400)
@given(URLS)
def test_any_url_is_a_target_or_a_named_refusal(url):
    found = answered(lambda: target_of(url))
    if isinstance(found, WebFailure):
        assert (found.code, found.reason in {"scheme", "port", "address"}) == ("web_blocked_url", True)
        return
    assert found.port == {"http": 80, "https": 443}[found.scheme]
    assert found.host.isascii()
    assert found.path.isascii()
    assert found.path.startswith("/")
    assert target_of(found.url) == found


@tried(200)
@given(URLS)
def test_any_location_is_a_target_or_a_named_refusal(location):
    found = answered(lambda: resolve_redirect(target_of("https://site.test/a"), location))
    assert found.code == "web_blocked_url" if isinstance(found, WebFailure) else found.scheme == "https"


@tried(200)
@given(st.ip_addresses())
def test_no_private_address_passes(address):
    if is_public(str(address)):
        assert address.is_global or address.version == 6
        assert not any((address.is_loopback, address.is_multicast, address.is_link_local))


@tried(200)
@given(st.binary(max_size=400), st.text(max_size=10))
@example(b"<p>one<![if x]>two<![", "")
@example(b"x", "idna")
@example(b"\xff", "unicode_escape")
def test_any_body_is_read(body, charset):
    title, text = extract(decode_body(body, charset, html=True))
    assert isinstance(title + text, str)


@tried(300)
@given(st.text(alphabet="<>＜＞《》‹›a\u200b\x00", max_size=40))
def test_no_text_can_spell_a_marker(words):
    plain = neutral(words)
    assert "<<<" not in plain
    assert ">>>" not in plain


async def test_a_call_changes_no_value_it_was_given():
    """Queue and packs come back as new values; the ones of the caller stay as they are."""
    queue = {"pending": [5, 6], "current": None, "attempt": 0, "completed": [], "skipped": [], "last_error": ""}
    active = {"schedule": ["queue"]}
    before = json.dumps([queue, active, state_to_json(STATE)])
    popped, _ = await call("queue_pop_head", {}, STATE, queue=queue, active=active)
    opened, _ = await call("context_tools_add", {"domain": "taskclass", "mode": "merge"}, STATE, active=active)
    assert popped.queue["current"] == 5
    assert opened.active == {"schedule": ["queue"], "taskclass": []}
    assert json.dumps([queue, active, state_to_json(STATE)]) == before
