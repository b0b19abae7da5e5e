"""From a typed outcome to everything that is published about one call."""

from __future__ import annotations

from agent.calls.kinds import Json
from agent.calls.phrase import clip_text
from agent.calls.size import fit
from agent.calls.tool import ToolAnnouncement, ToolResult
from agent.calls.values import Change, ToolError, ToolOutcome
from agent.tools.argument_schema import NoArgs
from agent.tools.cards.arguments import argument_view
from agent.tools.cards.parts.kit import Content, Lang, callout, kv_section, legacy_view, result_view, told_by
from agent.tools.types import Tool
from agent.tools.words import observations
from schedules.planner.draft.state import ScheduleState

SUMMARY_LIMIT = 48
LEGACY = "legacy_text"


def announcement(tool: Tool, arguments: Json, draft: ScheduleState | None, locale: str) -> ToolAnnouncement:
    """Announces a call that is about to run, in words."""
    lang = Lang(locale, draft)
    view = argument_view(arguments, lang=lang, draft=draft)
    label, preview = lang.t(tool.label), view["collapsed"]["summary"]
    intent = lang.pair(label, preview) if arguments else label
    return ToolAnnouncement(tool.name, label, preview, view, intent)


def publish_result(
    call_id: str,
    name: str,
    view: Json,
    *,
    arguments: Json,
    locale: str,
    observation: str = "",
    changes: tuple[Change, ...] = (),
    revision: int | None = None,
    error: ToolError | None = None,
) -> ToolResult:
    """Returns everything that is told of an ended call whose card is `view`; `arguments` is the view of its arguments.
    A call with an error changed nothing. What is too long for one event is cut, and told to be (decision 219)."""
    lang = Lang(locale)
    whole = {"arguments": arguments, "view": view, "changes": [] if error else [one.to_json() for one in changes]}
    told = fit(whole, lambda n: lang.t("…另有 {n} 项", n=n))
    if told is not whole:
        told["view"]["expanded"]["truncated"] = True
    return ToolResult(
        call_id=call_id,
        tool=name,
        status=error.status if error else "done",
        observation_text=observation,
        summary=clip_text(view["collapsed"]["title"], SUMMARY_LIMIT),
        arguments_preview=told_by(view),
        argument_view=told["arguments"],
        result_view=told["view"],
        changes=tuple(told["changes"]),
        draft_revision=None if error else revision,
        error_code=error.code if error else "",
        error_message=error.text(locale) if error else "",
    )


def execution_result(
    call_id: str, tool: Tool, outcome: ToolOutcome, *, arguments: Json, locale: str, before: ScheduleState | None
) -> ToolResult:
    """Returns the result of a call on `before`, the draft of its start."""
    observation = tool.observe(outcome)
    view = card_of(
        tool, outcome, lang=Lang(locale, outcome.draft or before), observation=observation, arguments=arguments
    )
    changed = outcome.draft is not None and outcome.draft is not before
    revision = outcome.draft.revision if outcome.draft is not None and (changed or tool.writes) else None
    return publish_result(
        call_id,
        tool.name,
        view,
        arguments=arguments,
        locale=locale,
        observation=observation,
        changes=outcome.changes,
        revision=revision,
        error=outcome.error,
    )


def committed_result(call_id: str, tool: Tool, content: Content, *, arguments: Json, locale: str) -> ToolResult:
    """Returns the plain card of a write that was committed but never told: what it would have said is gone."""
    view = result_view(tool.view_type, content, lang=Lang(locale), status="done", observation="", payload={})
    return publish_result(call_id, tool.name, view, arguments=arguments, locale=locale)


def card_of(tool: Tool, outcome: ToolOutcome, *, lang: Lang, observation: str, arguments: Json) -> Json:
    if tool.view_type == LEGACY:
        return legacy_view(tool.name, lang=lang, status=outcome.status, observation=observation)
    if outcome.error is None:
        content = tool.view(lang, outcome)
    else:
        own = tool.failure_view(lang, outcome) if tool.failure_view else Content("")
        content = failure_content(tool, outcome.error, lang=lang, own=own, arguments=arguments)
    payload = outcome.data
    return result_view(
        tool.view_type, content, lang=lang, status=outcome.status, observation=observation, payload=payload
    )


def failure_content(tool: Tool, error: ToolError, *, lang: Lang, own: Content, arguments: Json) -> Content:
    """Returns the failure card of every view type; `own` may replace the title and add sections and extras."""
    label = lang.t(tool.label)
    blocked = error.status == "blocked"
    title = own.title or lang.t("{label}已阻断" if blocked else "{label}失败", label=label)
    reason = error.text(lang.locale)
    lines = [line.text(lang.locale) for line in error.lines]
    if error.rule:
        lines.insert(0, lang.pair(lang.t("规则"), lang.rule(error.rule)))
    fields = [(one["label"], one["display"]) for one in arguments["expanded"]["fields"]]
    sections = (
        callout(lang.t("执行失败"), reason, tone="danger", lines=lines),
        *own.sections,
        kv_section(lang.t("参数"), fields),
    )
    return Content(title, reason, own.metrics, own.items, sections, own.extra)


def observe_unknown(outcome: ToolOutcome) -> str:
    return observations.failure_text(outcome.error) if outcome.error else ""


def legacy_tool(name: str) -> Tool:
    """Returns a stand-in for a name this version does not know, so that its refusal can be published."""
    return Tool(
        name=name,
        label=name,
        purpose="",
        kind="control",
        args=NoArgs,
        run=lambda draft, args, ctx: ToolOutcome(draft, {}),
        observe=observe_unknown,
        view=lambda lang, outcome: Content(name),
        view_type=LEGACY,
        needs_draft=False,
    )
