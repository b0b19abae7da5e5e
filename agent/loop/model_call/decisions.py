"""The three decisions a model may make, each one of a closed set of actions.

`ChatDecision`, `PlanDecision` and `ExecuteDecision` read a JSON object that `lenient_json.read_object` found and
`forms` brings to the contract's keys. A value of the wrong type that can mean one thing only is taken for it. Then come
the rules of exclusivity; the flow, evidence and safety checks need the state and live in `tool_call.guards`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Self, TypeVar, get_args

from agent.calls.kinds import Json
from agent.loop.model_call.forms import (
    ACTION_NAMES,
    ROUTE_NAMES,
    arguments_of,
    chat_form,
    choice_word,
    execute_form,
    is_empty,
    is_nothing,
    unwrap,
)
from agent.loop.model_call.lenient_json import DecisionError
from agent.loop.state.conversation import Asked
from agent.loop.state.plan import GoalStep

Route = Literal["direct_reply", "deep_answer", "plan", "execute"]
PlanAction = Literal["continue", "ask_user", "plan_done"]
ExecuteAction = Literal["continue", "ask_user", "confirm", "next_plan", "done", "abort"]
ROUTES: tuple[Route, ...] = get_args(Route)
PLAN_ACTIONS: tuple[PlanAction, ...] = get_args(PlanAction)
EXECUTE_ACTIONS: tuple[ExecuteAction, ...] = get_args(ExecuteAction)
Word = TypeVar("Word", bound=str)
OPTION_ID = re.compile(r"[a-z0-9_]{1,40}")
ABORT_CODE = re.compile(r"[a-z0-9_]{1,40}")
TOPIC = re.compile(r"[a-z0-9_]{1,40}")
LOOP_TOPICS = ("scope", "health")
"""Topics of questions that only the loop asks."""
MAX_OPTIONS, MAX_STEPS = 6, 12
OPTIONS = "options"
"""Code of a correction: answers offered that do not fit."""


DOMAIN_NAMES: Mapping[str, str] = {"排程": "schedule", "课表": "schedule", "任务类": "taskclass"}
FLAGS: Mapping[str, bool] = {
    "true": True, "yes": True, "on": True, "1": True, "是": True, "要": True, "需要": True,
    "false": False, "no": False, "off": False, "0": False, "否": False, "不": False, "不要": False, "不需要": False,
    "无需": False, "none": False, "null": False,
}  # fmt: skip
STEP_NAMES: Mapping[str, tuple[str, ...]] = {
    "content": ("step", "description", "title", "task", "内容", "步骤"),
    "done_when": ("doneWhen", "done", "criteria", "completion", "完成条件", "完成标准"),
}
OPTION_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("value", "key", "编号"),
    "label": ("text", "title", "name", "content", "标签", "文字"),
}
PLAN_FIELDS = frozenset({"steps", "needs_rough_build", "needs_refine", "task_class_ids", "context_hook"})
"""What only a finished plan holds."""
HOOK, BESIDE, STEPS = "context_hook", "beside", "steps"
"""Codes of corrections: packs to open that there are none of, fields of another action, steps that do not fit."""


def _contract(error: str, *, expected: str = "", value: object = None, code: str = "") -> DecisionError:
    fragment = "" if value is None else str(value)
    return DecisionError("contract", error, fragment=fragment, expected=expected, code=code)


@dataclass(frozen=True)
class _Fields:
    """Reads the keys of one object; what says nothing counts as absent."""

    found: Mapping[str, object]
    prefix: str = ""
    silent: bool = False
    """Whether a word for nothing is no speech."""
    code: str = ""
    """Code of the corrections of its choices."""

    def text(self, key: str) -> str:
        value = self.found.get(key)
        if value is None or value == {} or value == []:
            return ""
        if not isinstance(value, str):
            raise _contract(f"{self.prefix}{key} 必须是字符串", value=value)
        return value.strip()

    def speech(self) -> str:
        """Returns what is said: also as lines, or as an object of one text."""
        value = self.found.get("speak")
        if value is False or (self.silent and isinstance(value, str) and is_nothing(value)):
            return ""
        if isinstance(value, dict) and len(value) == 1:
            value = next(iter(value.values()))
        if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
            return "\n".join(value).strip()
        return value.strip() if isinstance(value, str) else self.text("speak")

    def note(self, key: str) -> str:
        """Returns a text for nobody but the log: whatever stands there, written out."""
        value = self.found.get(key)
        return "" if value is False or is_empty(value) else value.strip() if isinstance(value, str) else str(value)

    def flag(self, key: str) -> bool | None:
        value = self.found.get(key)
        if isinstance(value, str):
            value = FLAGS.get(value.strip().lower(), value) if value.strip() else None
        if isinstance(value, int) and value in (0, 1):
            value = bool(value)
        if value is not None and not isinstance(value, bool):
            raise _contract(f"{self.prefix}{key} 必须是 true 或 false", value=value)
        return value

    def ids(self, key: str, *, names: bool = False) -> tuple[int, ...]:
        """Returns whole numbers, one of them or a list; with `names` words may stand among them."""
        value = self.found.get(key)
        given = _given_ids(value)
        rows = [_whole(item) for item in given]
        if any(row is None and not (names and isinstance(one, str)) for row, one in zip(rows, given, strict=True)):
            raise _contract(f"{self.prefix}{key} 必须是整数数组", value=value)
        return tuple(dict.fromkeys(row for row in rows if row is not None))

    def names(self, key: str) -> tuple[str, ...]:
        """Returns the words that stand where ids should."""
        given = _given_ids(self.found.get(key))
        return tuple(one.strip() for one in given if isinstance(one, str) and one.strip() and _whole(one) is None)

    def rows(self, key: str, near: Mapping[str, tuple[str, ...]], *, code: str = "") -> list[_Fields]:
        """Reads a list of objects; `near` are other names of their keys, `code` that of the correction."""
        value = self.found.get(key)
        if is_empty(value):
            return []
        value = [value] if isinstance(value, dict) else value
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise _contract(f"{self.prefix}{key} 必须是对象数组", value=value, code=code)
        return [_Fields(_named(item, near), f"{self.prefix}{key}[{at}].") for at, item in enumerate(value)]

    def choice(self, key: str, allowed: Sequence[Word], names: Mapping[str, str]) -> Word:
        value = choice_word(self.found.get(key), names)
        for word in allowed:
            if word == value or word == _first_word(value, allowed, names):
                return word
        given = self.found.get(key)
        expected = f"{key} 只能是 {' | '.join(allowed)}"
        raise _contract(f"{key} 不能是 {given!r}", expected=expected, value=given or None, code=self.code or key)

    def choice_or(
        self, near: Word | None, key: str, allowed: Sequence[Word], names: Mapping[str, str], told: Collection[str]
    ) -> Word:
        """Returns the word, or the nearest one to what else is written, once the model was told of the words."""
        try:
            return self.choice(key, allowed, names)
        except DecisionError:
            copied = "|" in str(self.found.get(key))  # the template, with nothing chosen
            if near is None or key not in told or copied:
                raise
            return near

    def optional_object(self, key: str) -> Mapping[str, object] | None:
        """Reads an object that may be missing: absent, null, empty text and an object of nothing mean "not given"."""
        value = self.found.get(key)
        if is_nothing(value):
            return None
        if not isinstance(value, dict):
            raise _contract(
                f"{key} 期望对象，实际收到{'非空字符串' if isinstance(value, str) else '其他类型'}",
                value=value,
                code=key,
            )
        return value


def _first_word(value: str, allowed: Collection[str], names: Mapping[str, str]) -> str:
    """Returns the word of a closed set that others explain, `execute（需要改动）`; "" when there are two of them."""
    words = [names.get(word, word) for word in re.findall(r"[a-z_]+|[\u4e00-\u9fff]+", value)]
    return words[0] if words and {*words} & {*allowed} == {words[0]} else ""


def _named(row: Mapping[str, object], near: Mapping[str, tuple[str, ...]]) -> Mapping[str, object]:
    """Returns a row with the keys that it has under a near name."""
    found = {right: next((row[name] for name in names if name in row), None) for right, names in near.items()}
    return {**row, **{key: value for key, value in found.items() if key not in row and value is not None}}


def _given_ids(value: object) -> list[object]:
    """Returns what was given for ids: objects by their id or name, a text of numbers as these."""
    if isinstance(value, str) and re.fullmatch(r"\s*\[?\s*\d+(?:\s*[,，、]\s*\d+)+\s*\]?\s*", value):
        return list(re.findall(r"\d+", value))
    given = value if isinstance(value, list) else [value]
    rows = [row.get("id") or row.get("name") if isinstance(row, Mapping) else row for row in given]
    return [row for row in rows if not is_nothing(row) or row is False]


def _whole(value: object) -> int | None:
    """Reads a whole number, also written as text or as `[5]` or `#5`."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and re.fullmatch(r"\s*[\[#]?\d{1,12}\]?\s*", value):
        return int(re.sub(r"\D", "", value))
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) else None


@dataclass(frozen=True)
class ContextHook:
    """Holds tool packs to open for the first execute round."""

    domain: str
    packs: tuple[str, ...] = ()
    reason: str = ""

    @classmethod
    def read(cls, fields: _Fields, packs: Mapping[str, Sequence[str]], told: Collection[str] = ()) -> Self | None:
        """Reads the hook. One that names what there is not is none once the model was told: tools open one by one
        too."""
        try:
            return cls._read(fields, packs)
        except DecisionError:
            if HOOK in told:
                return None
            raise

    @classmethod
    def _read(cls, fields: _Fields, packs: Mapping[str, Sequence[str]]) -> Self | None:
        value = fields.found.get("context_hook")
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, str) and choice_word(value, DOMAIN_NAMES) in packs:
            value = {"domain": value}
        if is_nothing(value):
            return None
        if not isinstance(value, dict):
            raise _contract("context_hook 必须是对象", value=value, code=HOOK)
        hook = _Fields(value, "context_hook.", code=HOOK)
        if is_nothing(value.get("domain")) and is_nothing(value.get("packs")):
            return None
        domain = hook.choice("domain", tuple(packs), DOMAIN_NAMES)
        given = value.get("packs") or []
        names = [name for name in (given if isinstance(given, list) else [given]) if not is_nothing(name)]
        names = [name.removeprefix(f"{domain}.") if isinstance(name, str) else name for name in names]
        if any(name not in packs[domain] for name in names):
            known = "、".join(packs[domain]) or "（无）"
            expected = f"{domain} 可选：{known}"
            raise _contract("context_hook.packs 含有未知的工具包", expected=expected, value=names, code=HOOK)
        return cls(domain, tuple(dict.fromkeys(names)), hook.note("reason"))


@dataclass(frozen=True)
class ChatDecision:
    """Tells where a message goes. `refine` None: not said. Flags count only with `execute`. `request` and `rest` are
    the beginning and the end of the message where they are requests of their own: the second is taken up when the
    first is done."""

    route: Route
    speak: str = ""
    reason: str = ""
    thinking: bool = False
    needs_rough_build: bool = False
    refine: bool | None = None
    task_class_ids: tuple[int, ...] = ()
    task_class_names: tuple[str, ...] = ()
    hook: ContextHook | None = None
    request: str = ""
    rest: str = ""

    @classmethod
    def read(
        cls,
        found: Mapping[str, object],
        packs: Mapping[str, Sequence[str]],
        *,
        told: Collection[str] = (),
        works: bool = False,
    ) -> Self:
        """Reads the decision in an object. `told` are the codes of the corrections that the goal has had; a route that
        is none is then work where the student's words ask for it (`works`), else the reply."""
        fields = _Fields(chat_form(found))
        talks: Route | None = "direct_reply" if fields.speech() else None
        near = "execute" if fields.note("route") and (works or not talks) else talks
        route = fields.choice_or(near, "route", ROUTES, ROUTE_NAMES, told)
        build = bool(fields.flag("needs_rough_build")) and route == "execute"
        refine = fields.flag("needs_refine_after_rough_build")
        decision = cls(
            route=route,
            speak=fields.speech(),
            reason=fields.note("reason"),
            thinking=fields.found.get("thinking") in (True, "true", "True"),
            needs_rough_build=build,
            refine=refine if build else None,
            task_class_ids=fields.ids("task_class_ids", names=True),
            task_class_names=fields.names("task_class_ids"),
            hook=ContextHook.read(fields, packs, told),
            request=fields.note("request"),
            rest=fields.note("rest"),
        )
        if route == "direct_reply" and not decision.speak:
            raise _contract("direct_reply 必须有 speak", expected="把回答写进 speak")
        return decision


@dataclass(frozen=True)
class PlanDecision:
    """Holds one answer of the plan stage. `options` are (id, label)."""

    action: PlanAction
    speak: str = ""
    reason: str = ""
    options: tuple[tuple[str, str], ...] = ()
    steps: tuple[GoalStep, ...] = ()
    asks: Asked | None = None
    needs_rough_build: bool = False
    needs_refine: bool | None = None
    task_class_ids: tuple[int, ...] = ()
    task_class_names: tuple[str, ...] = ()
    hook: ContextHook | None = None

    @classmethod
    def read(
        cls,
        found: Mapping[str, object],
        packs: Mapping[str, Sequence[str]],
        *,
        max_steps: int = MAX_STEPS,
        told: Collection[str] = (),
    ) -> Self:
        fields = _Fields(_without_beside(unwrap(found, "action"), told), silent=True)
        rest: PlanAction | None = "ask_user" if fields.speech() else None
        near = rest if is_empty(fields.found.get("steps")) else "plan_done"
        action = fields.choice_or(near, "action", PLAN_ACTIONS, ACTION_NAMES, told)
        decision = cls(
            action=action,
            speak=fields.speech(),
            reason=fields.note("reason"),
            options=_options(fields, told),
            steps=_steps(fields, told),
            asks=_asks(fields),
            needs_rough_build=bool(fields.flag("needs_rough_build")),
            needs_refine=fields.flag("needs_refine"),
            task_class_ids=fields.ids("task_class_ids", names=True),
            task_class_names=fields.names("task_class_ids"),
            hook=ContextHook.read(fields, packs, told),
        )
        decision._check(max_steps)
        return decision

    def _check(self, max_steps: int) -> None:
        if self.action == "plan_done":
            if not 1 <= len(self.steps) <= max_steps:
                raise _contract(f"plan_done 需要 1 到 {max_steps} 个步骤", expected="把步骤写进 steps")
            if self.options:
                raise _contract("plan_done 不应携带 options", code=BESIDE)
            return
        if self.steps:
            raise _contract(f"{self.action} 不应携带 steps", code=BESIDE)
        classes = self.task_class_ids or self.task_class_names
        if self.needs_rough_build or self.needs_refine or classes or self.hook:
            raise _contract(
                f"{self.action} 不应携带排程标记、task_class_ids 或 context_hook",
                expected="它们只用于 plan_done",
                code=BESIDE,
            )
        if self.action == "continue" and self.options:
            raise _contract("continue 不应携带 options", code=BESIDE)


def _without_beside(found: Mapping[str, object], told: Collection[str]) -> Mapping[str, object]:
    """Returns a plan decision without the fields of another action, once the model was told of them."""
    if BESIDE not in told:
        return found
    own = choice_word(found.get("action"), ACTION_NAMES)
    kept = {"plan_done": PLAN_FIELDS, "ask_user": {"options"}}.get(own, set())
    return {key: value for key, value in found.items() if key in kept or key not in {*PLAN_FIELDS, "options"}}


def _asks(fields: _Fields) -> Asked | None:
    """Returns what the question is about. Only a backend of fixed rules tells; whatever else stands there is passed
    over."""
    value = fields.found.get("asks")
    topic, about = (value.get("topic"), value.get("about", {})) if isinstance(value, dict) else (None, None)
    if not isinstance(topic, str) or not TOPIC.fullmatch(topic) or topic in LOOP_TOPICS or not isinstance(about, dict):
        return None
    return Asked(topic=topic, about=about)


def _options(fields: _Fields, told: Collection[str]) -> tuple[tuple[str, str], ...]:
    """Returns the answers offered, each as (id, label); labels alone get ids of ours. Once the model was told, ids that
    do not fit do too, and more answers than fit are none: the question is answered in words."""
    value = fields.found.get("options")
    if isinstance(value, list) and value and all(isinstance(row, str) and row.strip() for row in value):
        options = [(f"option_{at}", str(row).strip()) for at, row in enumerate(value, 1)]
    else:
        rows = fields.rows("options", OPTION_NAMES)
        options = [(row.note("id") or f"option_{at}", row.text("label")) for at, row in enumerate(rows, 1)]
    if OPTIONS not in told:
        return _check_options(options)
    labels = [label for _, label in options if label]
    return tuple((f"option_{at}", label) for at, label in enumerate(labels, 1)) if len(labels) <= MAX_OPTIONS else ()


def _check_options(options: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    if len(options) > MAX_OPTIONS or len({key for key, _ in options}) != len(options):
        raise _contract(f"options 最多 {MAX_OPTIONS} 个且 id 不能重复", code=OPTIONS)
    if any(not OPTION_ID.fullmatch(key) or not label for key, label in options):
        expected = "id 只用 a-z、0-9、_，1 到 40 个字符；label 非空"
        raise _contract("options 的 id 或 label 不合法", expected=expected, code=OPTIONS)
    return tuple(options)


def _steps(fields: _Fields, told: Collection[str]) -> tuple[GoalStep, ...]:
    """Returns the steps. Once the model was told, one that is words alone, or does not say when it is done, is done
    when what it says is."""
    value = fields.found.get("steps")
    if STEPS in told and isinstance(value, list):
        words = [{"content": row} if isinstance(row, str) else row for row in value if not is_empty(row)]
        fields = replace(fields, found={**fields.found, "steps": words})
    steps = tuple(_step(row, told) for row in fields.rows("steps", STEP_NAMES, code=STEPS))
    if any(not step.content or not step.done_when for step in steps):
        raise _contract(
            "steps 的 content 与 done_when 都不能为空", expected="每步写 content 与 done_when 两个字段", code=STEPS
        )
    return steps


def _step(row: _Fields, told: Collection[str]) -> GoalStep:
    content, done_when, kind = (row.text(key) for key in ("content", "done_when", "kind"))
    done_when = done_when or (content if STEPS in told else "")
    return GoalStep(content=content, done_when=done_when, kind=kind, class_ids=list(row.ids("class_ids")))


@dataclass(frozen=True)
class ToolCallIntent:
    """Tells what the model wants to call; nothing has happened yet."""

    name: str
    arguments: Json = field(default_factory=dict)

    @classmethod
    def read(cls, found: Mapping[str, object]) -> Self:
        fields = _Fields(found, "tool_call.")
        name = fields.text("name")
        if not name:
            raise _contract("tool_call.name 不能为空")
        arguments = arguments_of(found)
        if not isinstance(arguments, dict):
            raise _contract("tool_call.arguments 必须是对象", value=arguments)
        return cls(name, arguments)


@dataclass(frozen=True)
class AbortIntent:
    """Tells that the model ends the goal: a stable code, words for the student, a reason for the log."""

    code: str
    user_message: str
    internal_reason: str = ""

    @classmethod
    def read(cls, found: Mapping[str, object]) -> Self:
        fields = _Fields(found, "abort.")
        code, message = fields.text("code"), fields.text("user_message")
        if not message:
            raise _contract("abort.user_message 不能为空", code="abort")
        return cls(code if ABORT_CODE.fullmatch(code) else "model_abort", message, fields.note("internal_reason"))


@dataclass(frozen=True)
class ExecuteDecision:
    """Holds one round's decision. `confirm` asks for the same thing as `continue` with a call."""

    action: ExecuteAction
    speak: str = ""
    reason: str = ""
    goal_check: str = ""
    tool_call: ToolCallIntent | None = None
    abort: AbortIntent | None = None
    asks: Asked | None = None
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def read(
        cls, found: Mapping[str, object], *, tools: Collection[str] = frozenset(), told: Collection[str] = ()
    ) -> Self:
        """Reads the decision in an object. `tools` are the names that may stand where an action should, `told` the
        codes of the corrections that the goal has had."""
        fields = _Fields(execute_form(found, tools, told), silent=True)
        action = fields.choice_or(_nearest_action(fields), "action", EXECUTE_ACTIONS, ACTION_NAMES, told)
        call, abort = fields.optional_object("tool_call"), fields.optional_object("abort")
        _exclusive(action, call is not None, abort is not None)
        return cls(
            action=action,
            speak=fields.speech(),
            reason=fields.note("reason"),
            goal_check=fields.note("goal_check"),
            tool_call=ToolCallIntent.read(call) if call is not None else None,
            abort=AbortIntent.read(abort) if abort is not None else None,
            asks=_asks(fields),
            options=_options(fields, told) if action == "ask_user" else (),
        )


_ROWS: Mapping[str, tuple[str, str]] = {
    "continue": ("optional", "forbidden"),
    "ask_user": ("forbidden", "forbidden"),
    "confirm": ("required", "forbidden"),
    "next_plan": ("forbidden", "forbidden"),
    "done": ("forbidden", "forbidden"),
    "abort": ("forbidden", "required"),
}
"""action -> (tool_call, abort)."""
MISSING: Mapping[str, str] = {"tool_call": "no_call", "abort": "abort"}
"""Codes of corrections: an action without what it is about."""


def _nearest_action(fields: _Fields) -> ExecuteAction | None:
    """Returns what a decision comes to whose action is none: words end the goal or ask, a reason alone thinks on."""
    if not is_nothing(fields.found.get("abort")):
        return "abort"
    speech = fields.speech()
    if not speech:
        return "continue" if fields.note("reason") else None
    return "ask_user" if speech.endswith(("?", "？")) else "done"


def _exclusive(action: str, call: bool, abort: bool) -> None:
    for name, given, rule in (("tool_call", call, _ROWS[action][0]), ("abort", abort, _ROWS[action][1])):
        if given and rule == "forbidden":
            raise _contract(f"{action} 动作不应携带 {name}", code="call_beside" if name == "tool_call" else "")
        if not given and rule == "required":
            raise _contract(f"{action} 动作必须携带 {name}", code=MISSING[name])
