"""For every tool and both languages: one success, one failure, one card each that says the same as the result."""

from __future__ import annotations

import json
import re
from dataclasses import asdict

import jsonschema
import pytest

from agent.calls.ports import Ports
from agent.calls.values import ToolError
from agent.tools.cards.schemas import view_schemas
from agent.tools.default import default_registry
from agent.tools.words.labels import ARGUMENTS
from taskclasses.kernel.i18n import text
from tests.kits.tools.cases import CASES, all_ports
from tests.kits.tools.world import call, draft

REGISTRY = default_registry()
SCHEMAS = {name: jsonschema.Draft202012Validator(schema) for name, schema in view_schemas().items()}
JSON_TOOLS = {
    "context_tools_add", "context_tools_remove", "query_available_slots", "query_target_tasks", "queue_status",
    "queue_pop_head", "queue_apply_head_move", "queue_skip_head", "analyze_health", "analyze_rhythm",
    "upsert_task_class", "batch_update_task_classes", "delete_task_class", "web_search", "web_fetch",
}  # fmt: skip
MACHINE = re.compile(r"[a-z]+_[a-z_]+|[{}]|\bnull\b|\bNone\b|\bTrue\b|\bFalse\b")
CHINESE = re.compile("[\u4e00-\u9fff]")
STUDENTS_WORDS = (
    "概率论复习", "六级词汇", "大学英语", "思修", "高等数学", "社团例会", "第1项", "第2项", "第3项", "线性代数复习",
    "线性代数", "行列式", "矩阵", "第一章", "第二章", "概率论提纲", "一句摘要", "贝叶斯公式", "第一行", "第二行",
    "概率论", "提纲", "没有合适位置", "长",
)  # fmt: skip


def shown_words(result):
    """Every text a student sees, the debug folds left out."""
    view, arguments = result.result_view, result.argument_view
    collapsed, expanded = view["collapsed"], view["expanded"]
    yield from (collapsed["title"], collapsed["subtitle"], collapsed["status_label"], arguments["collapsed"]["summary"])
    yield from (words for metric in collapsed["metrics"] for words in metric.values())
    yield from (words for one in arguments["expanded"]["fields"] for words in (one["label"], one["display"]))
    sections = expanded["sections"]
    for row in [*expanded["items"], *(item for section in sections for item in section.get("items", ()))]:
        yield from (row["title"], row["subtitle"], *row["tags"], *row["detail_lines"])
    for section in sections:
        yield from (section["title"], section.get("summary", ""), section.get("subtitle", ""))
        yield from section.get("detail_lines", ())
        yield from (words for one in section.get("fields", ()) for words in one.values())
    yield from (result.error_message, result.summary, result.arguments_preview)


def checked(result):
    view = result.result_view
    SCHEMAS[view["view_type"]].validate(view)
    SCHEMAS["tool.arguments"].validate(result.argument_view)
    for change in result.changes:
        SCHEMAS["tool.change"].validate(change)
    assert view["collapsed"]["status"] == result.status
    assert view["expanded"]["raw_text"] == result.observation_text
    assert len(result.summary) <= 48
    json.dumps(asdict(result), ensure_ascii=False)
    return result


def test_there_is_a_case_for_every_tool():
    assert [case.tool for case in CASES] == [tool.name for tool in REGISTRY.tools]


@pytest.mark.parametrize("locale", ["zh", "en"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.tool)
async def test_a_success_shows_as_one(case, locale):
    outcome, result = await call(case.tool, case.works, draft(), locale=locale, ports=all_ports(), **case.context)
    assert outcome.error is None, result.observation_text
    checked(result)
    assert (result.status, result.error_code, result.error_message) == ("done", "", "")
    if case.tool in JSON_TOOLS:
        told = json.loads(result.observation_text)
        assert (told["tool"], told["success"]) == (case.tool, True)
        assert list(told)[:2] == ["tool", "success"]


@pytest.mark.parametrize("locale", ["zh", "en"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.tool)
async def test_a_failure_shows_as_one_and_changes_nothing(case, locale):
    state = draft()
    outcome, result = await call(case.tool, case.fails, state, locale=locale, ports=all_ports(), **case.context)
    assert outcome.draft is state
    checked(result)
    assert result.status in ("failed", "blocked")
    assert result.error_code == case.code
    assert result.error_message
    assert result.changes == ()
    if case.tool in JSON_TOOLS:
        told = json.loads(result.observation_text)
        assert (told["tool"], told["success"], told["error_code"]) == (case.tool, False, case.code)
    else:
        assert result.observation_text.startswith(f"失败[{case.code}")


@pytest.mark.parametrize("locale", ["zh", "en"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.tool)
async def test_a_card_shows_no_machine_words_and_speaks_one_language(case, locale):
    for arguments in (case.works, case.fails):
        _, result = await call(case.tool, arguments, draft(), locale=locale, ports=all_ports(), **case.context)
        for words in shown_words(result):
            assert not MACHINE.search(re.sub(r"https?://\S+", "", words)), words
            if locale == "en":
                for known in STUDENTS_WORDS:
                    words = words.replace(known, "")
                assert not CHINESE.search(words), words


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.tool)
async def test_the_observation_does_not_depend_on_the_language(case):
    told = []
    for locale in ("zh", "en"):
        for arguments in (case.works, case.fails):
            context = {"locale": locale, "ports": all_ports(), **case.context}
            told.append((await call(case.tool, arguments, draft(), **context))[1].observation_text)
    assert told[:2] == told[2:]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.tool)
async def test_start_and_result_show_the_same_arguments_and_the_result_what_was_done(case):
    state = draft()
    validated = REGISTRY.validate(case.tool, case.works, state)
    assert not isinstance(validated, ToolError)
    started = REGISTRY.announce(validated, state, locale="zh")
    _, result = await call(case.tool, case.works, state, ports=all_ports(), **case.context)
    assert started.name == case.tool
    assert started.argument_view == result.argument_view
    assert started.arguments_preview == result.argument_view["collapsed"]["summary"]
    card = result.result_view["collapsed"]
    assert result.arguments_preview == (card["subtitle"] or card["title"])
    assert started.summary in started.intent


def test_every_argument_has_a_label_in_both_languages():
    for tool in REGISTRY.tools:
        for key in tool.args.model_fields:
            label = ARGUMENTS[key]
            assert text(label, "en") != label, f"{tool.name}.{key}"


def test_every_tool_has_a_label_in_both_languages():
    for tool in REGISTRY.tools:
        assert CHINESE.search(REGISTRY.label(tool.name, "zh"))
        assert not CHINESE.search(REGISTRY.label(tool.name, "en"))


async def test_an_exception_inside_a_tool_is_one_failed_result():
    async def broken(class_id):
        raise RuntimeError("secret detail")

    ports = Ports(task_class_book=broken)
    _, result = await call("upsert_task_class", {}, draft(), ports=ports)
    assert (result.status, result.error_code) == ("failed", "internal_error")
    assert "secret" not in json.dumps(asdict(result))
    checked(result)


@pytest.mark.parametrize("tool", [tool.name for tool in REGISTRY.tools if tool.needs_draft])
async def test_a_tool_that_needs_the_draft_says_when_there_is_none(tool):
    case = next(case for case in CASES if case.tool == tool)
    _, result = await call(tool, case.works, None, **case.context)
    assert result.error_code == "draft_missing"


async def test_the_older_names_answer():
    _, first = await call("find_first_free", {"duration": 2}, draft())
    _, older = await call("find_free", {"duration": 2}, draft())
    assert older.observation_text == first.observation_text
    assert older.tool == "find_first_free"
