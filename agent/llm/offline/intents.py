"""What a message wants: one table, first match."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from agent.llm.offline.brief import Brief
from agent.llm.offline.class_sentence import ClassSlots, read_class, wished_name
from agent.llm.offline.dates import Term
from agent.llm.offline.going_back import says_back, undone
from agent.llm.offline.normalize import words
from agent.llm.offline.short_form import adds_nothing, form_of, says_it
from agent.llm.offline.slots import classes_in, items_in, target_in
from agent.loop.phrases import ACCEPT_PARTIAL, DRAFT_ONLY, GLOBAL, SECOND_BUILD, folded

Intent = Literal[
    "explain", "class", "plan_first", "build", "optimise", "remove", "swap", "place", "move", "show", "free", "changes",
    "class_facts", "other",
]  # fmt: skip

OPERATIONS: tuple[Intent, ...] = ("remove", "swap", "place", "move")
EXPLAIN = ("为什么", "为何", "解释", "怎么算", "怎么排的", "凭什么", "why", "explain", "how did you")
BUTTONS = (
    "写入课表",
    "应用到课表",
    "暂存",
    "保存草稿",
    "apply it",
    "apply to the timetable",
    "save the draft",
)
"""What the page has buttons for."""
CLASS_NOUN = ("任务类", "复习计划", "学习计划", "学习任务", "task class", "study plan", "revision plan")
CLASS_VERB = re.compile(
    r"新建|创建|添加|修改|新增|增加|编辑|更新|建立|制定|制订|改一下|(?<![重搭])建(?!议)|加(?:一)?[个门]"
    r"|\b(?:create|add|edit|make|new|update|change|set up)\b"
)
EDIT_VERB = re.compile(
    r"改名|重命名|\brename\b|修改|编辑|更新|改一下|调整|改成|改为|改到|设置|设成|设为|调成|延长|缩短|\b(?:edit|update|change|modify)\b"
)
EDIT_CLASS = re.compile(
    r"修改|编辑|更新|改名|重命名|改成|改为|设置|设成|设为|调成|延长|缩短|\b(?:edit|update|change|modify|rename)\b"
)
MOVE_CLASS = re.compile(r"改到|移到|调到|推迟|提前|\b(?:move|reschedule)\b")
RENAME = re.compile(r"改名|重命名|\brename\b")
CLASS_DATES = ("起止", "日期", "时间窗", "总节数", "开始时间", "结束时间", "start date", "end date", "date range")
PLAN_FIRST = (
    "先给计划",
    "先给我计划",
    "先给个计划",
    "先列计划",
    "分步",
    "先列步骤",
    "列出步骤",
    "plan first",
    "step by step",
)
OWN_DATES = ("原来的日期", "原日期", "自己的日期", "这个日期排", "within its dates", "within these dates", "own dates")
BUILD_STRONG = (
    "排课", "排程", "排进", "排好", "排一下", "排入", "排上", "规划", "fit in", "fit it in", "plan my", "rebuild",
    *OWN_DATES, *DRAFT_ONLY, *SECOND_BUILD, *ACCEPT_PARTIAL,
)  # fmt: skip
BUILD_WEAK = ("安排", "排到", "排在", "schedule", "arrange", "plan")
OPTIMISE_WEAK = (
    "优化", "微调", "改进", "更均匀", "均匀一点", "均匀一些", "更合理", "更好一点",
    "check-up", "improve", "more evenly", "better plan",
)  # fmt: skip
REMOVE = ("移出", "先不排", "拿掉", "撤下", "撤掉", "unplace", "take out", "remove")
SWAP = ("交换", "对调", "互换", "调换", "swap", "exchange")
SWAP_WEAK = re.compile(r"(?:和|与|跟).+(?:换一?下|换换|换过来|换个?(?:位置|时间)|调个个)")
PLACE = ("放到", "放在", "放进", "放回", "排回", "put", "place")
REMOVE_WEAK = ("取消", "去掉", "删掉", "拿走", "take", "drop")
MOVE = (
    "移",
    "调整",
    "推迟",
    "提前",
    "往后",
    "往前",
    "挪",
    "调到",
    "改到",
    "换到",
    "调整到",
    "推迟到",
    "提前到",
    "move",
    "shift",
    "reschedule",
    "push",
    "postpone",
    "delay",
)
UNWANTED = ("不想", "不要", "别", "don't", "not")
PLACE_WEAK = ("安排到", "安排在", "排到", "排在", "schedule")
SHOW = (
    "没排的",
    "还没排",
    "未排",
    "待安排",
    "unplaced",
    "left over",
    "在哪天",
    "在哪一天",
    "在哪",
    "什么时候",
    "没排",
    "没有排",
    "where is",
    "when is",
    "where's",
    "when's",
    "where are",
    "when are",
    "有什么课",
    "有哪些课",
    "什么安排",
    "什么任务",
    "要做什么",
    "做什么任务",
    "what do i have",
    "what is on",
    "看看",
    "总览",
    "课表",
    "查看",
    "显示",
    "列出",
    "看一下",
    "还剩",
    "剩下",
    "剩余",
    "多少项",
    "几项",
    "how many",
    "are left",
    "show",
    "overview",
    "list",
)
FREE = (
    "空闲", "有空", "空位", "空档", "有时间", "最闲", "比较闲", "闲着", "空着", "没课", "没有课", "不忙", "最空",
    "free", "have time", "available",
)  # fmt: skip
NO_BUILD = re.compile(
    r"(?:先|暂时|还)?(?:不|别|不想|不要|不用|不需要)(?:安排|排到|排在|排课|排程|排进|排好|规划)"
    r"|\b(?:don't|do not)\s+(?:schedule|plan|arrange)"
)


BARE_BUILD = re.compile(r"(?<![不别])(?<!不要)(?<!不想)(?<!不用)排(?:了|完|掉|吧|一排|起来)")
BARE_VERB = re.compile(r"(?<![不别安编重])(?<!不要)(?<!不想)(?<!不用)排(?![除序列名课程查])")
PLACE_VERB = re.compile(r"(?<![不别安编重])(?<!不要)(?<!不想)(?<!不用)[排放搁](?![除序列名课程查假])")
CHANGED = re.compile(
    r"(?:改|动|变|挪|移|调整?|做|换)(?:动|化)?了(?:一?些)?(?:什么|哪些|哪几|啥|哪里)|有(?:什么|哪些|啥)(?:改动|变化|变动|不同)"
    r"|(?:改动|变化|变动)(?:有哪些|是什么|列|给我)"
    r"|\bwhat(?:'s| is| has| have| did| was| were| all)?(?: been| you| we| just| exactly| all)*"
    r"\s+(?:chang(?:e|es|ed)|moved?|different|done|do)\b(?! i\b| we\b)"
    r"|\b(?:show|list|sum up|summari[sz]e) (?:me )?(?:the |your |all )*changes\b"
)
WHAT_IS_ON = re.compile(
    r"有(?:些|了)?(?:什么|哪些|哪几|啥|多少|几)|[排放]了(?:什么|哪些|啥)|[是要]?(?:哪几|哪些|什么|啥)(?:章|项|门|个)?.{0,6}(?:在|排)"
    r"|有(?:没有)?(?:什么)?(?:课|安排|事|任务|东西|活动)|忙[吗不]|(?:做|学|干|复习|上)(?:什么|啥|哪些)|\b(?:which|what(?!\s+(?:about|if))|anything|busy)\b"
)
ONE_AGO = ("place", "move", "show", "free")
BUILD_LOOSELY = re.compile(
    r"(?<![不别])(?<!不要)(?<!不想)(?<!不用)(?:都|一起|全部?|先|也|再|帮我|给我|想|要|去|来)排(?![除序列名课程])"
    r"|^(?:帮我|给我|请|那?就|先|那|直接|现在)?排+(?:吧|了|一下|好|它|一?排)*[吧呗啊呢。!]*$"
    r"|开排|开始排|(?:弄|搞|整|做)(?:一?下|好|个|一个)?(?:.{0,12})(?:复习|学习|课表|日程|计划|安排)"
    r"|(?:帮我|给我)(?:弄|搞|整)"
)
"""The verb without an object, and verbs that only mean "do": weaker than everything but the weak cues."""
NOT_NOW = re.compile(r"\s*(?:还是|那就?|算了)?[,，\s]*[不别](?:移|动|改|换|挪|调)(?:动|了|它|吧)*[。!\s]*")
WISH = re.compile(
    r"\bno (?:more )?(?:weekends?|evenings?|mornings?|afternoons?|nights?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b"
)
Rule = Callable[[str, str, Brief], bool]


def _cues(*cues: str) -> Rule:
    return lambda text, message, brief: words(text, *cues)


def _writes_class(text: str, message: str, brief: Brief) -> bool:
    if words(text, *CLASS_NOUN) and CLASS_VERB.search(text):
        return True
    if words(text, *CLASS_DATES) and EDIT_VERB.search(text) and not items_in(message, brief):
        return True
    slots = read_class(message, Term.of(brief.view))
    return slots.described or _edits_named(text, message, brief, slots)


def _edits_named(text: str, message: str, brief: Brief, slots: ClassSlots) -> bool:
    """修改六级词汇冲刺，周末不排: a known class, a verb of change and something about the class, not about an item."""
    if _wishes(message, brief, slots):
        return True
    moved = slots.start and slots.end and MOVE_CLASS.search(text)
    if not moved and not (EDIT_CLASS.search(text) and (slots.said_anything or RENAME.search(text))):
        return False
    return len(classes_in(message, brief.classes)) == 1 and not items_in(message, brief)


def _wishes(message: str, brief: Brief, slots: ClassSlots) -> bool:
    """晚上别排: times to keep free, of the class that is named or spoken of."""
    told = slots.excludes and not slots.name and not items_in(message, brief)
    named = classes_in(message, brief.classes)
    of_one = len(named) == 1 or (not named and (len(brief.scope) == 1 or len(brief.classes) == 1))
    return told and of_one and (WISH.search(folded(message)) is not None or not form_of(message, brief))


def _plans_with_wishes(text: str, message: str, brief: Brief) -> bool:
    """把概率论排好，晚上别排: what is to be kept free belongs to the class and comes first."""
    slots = read_class(message, Term.of(brief.view))
    builds = words(NO_BUILD.sub(" ", text), *BUILD_STRONG, *BUILD_WEAK)
    return builds and slots.excludes and not slots.described and len(classes_in(message, brief.classes)) == 1


def _builds_loosely(text: str, message: str, brief: Brief) -> bool:
    return BUILD_LOOSELY.search(NO_BUILD.sub(" ", text)) is not None


def _declines(text: str, message: str, brief: Brief) -> bool:
    return NOT_NOW.fullmatch(text) is not None


def _moves_back(text: str, message: str, brief: Brief) -> bool:
    before = undone(brief) if says_back(text) else None
    return before is not None and before.target is not None


def _takes_out_again(text: str, message: str, brief: Brief) -> bool:
    before = undone(brief) if says_back(text) else None
    return before is not None and before.target is None


def _builds(*cues: str) -> Rule:
    """One of the cues, unless it is what the student does not want."""
    return lambda text, message, brief: words(NO_BUILD.sub(" ", text), *cues)


def _builds_named(text: str, message: str, brief: Brief) -> bool:
    """把概率论复习排了, 第5周排概率论复习: a class and the bare verb."""
    text = NO_BUILD.sub(" ", text)
    timed = target_in(message, Term.of(brief.view)).said
    bare = BARE_BUILD.search(text) or (BARE_VERB.search(text) if timed else None)
    return bare is not None and bool(classes_in(message, brief.classes))


def _removes(text: str, message: str, brief: Brief) -> bool:
    return words(text, *REMOVE) or (words(text, *REMOVE_WEAK) and bool(items_in(message, brief)))


def _swaps(text: str, message: str, brief: Brief) -> bool:
    weakly = SWAP_WEAK.search(text) is not None and not target_in(message, Term.of(brief.view)).said
    return words(text, *SWAP) or weakly


def _wants_to_learn(text: str, message: str, brief: Brief) -> bool:
    """我想复习线性代数: a class that is not there yet."""
    return wished_name(message) != "" and not classes_in(message, brief.classes) and not brief.tasks


def _wants_to_learn_known(text: str, message: str, brief: Brief) -> bool:
    return wished_name(message) != "" and bool(classes_in(message, brief.classes)) and not items_in(message, brief)


def _places(text: str, message: str, brief: Brief) -> bool:
    if words(text, *PLACE):
        return True
    return _places_weakly(text, message, brief)


def _places_weakly(text: str, message: str, brief: Brief) -> bool:
    return words(text, *PLACE_WEAK) and not words(text, *UNWANTED) and _names_an_item(message, brief)


def _places_by_verb(text: str, message: str, brief: Brief) -> bool:
    """第4周排第2章, 第2章放周五: an item, a time and the bare verb."""
    return PLACE_VERB.search(text) is not None and not words(text, *UNWANTED) and _names_an_item(message, brief)


def _asks_what_is_on(text: str, message: str, brief: Brief) -> bool:
    """周一有哪些, which of them is on Monday: a day or a week and a question word."""
    target = target_in(message, Term.of(brief.view))
    return bool(target.week or target.days or target.part) and WHAT_IS_ON.search(text) is not None


def _asks_what_changed(text: str, message: str, brief: Brief) -> bool:
    return CHANGED.search(text) is not None and not target_in(message, Term.of(brief.view)).said


def _names_an_item(message: str, brief: Brief) -> bool:
    return target_in(message, Term.of(brief.view)).said and bool(items_in(message, brief))


TABLE: tuple[tuple[Intent, Rule], ...] = (
    ("other", _cues(*BUTTONS)),
    ("other", _declines),
    ("explain", _cues(*EXPLAIN)),
    ("changes", _asks_what_changed),
    ("move", _moves_back),
    ("remove", _takes_out_again),
    ("class", _writes_class),
    ("plan_first", _cues(*PLAN_FIRST)),
    ("class", _plans_with_wishes),
    ("place", _places_weakly),
    ("place", _places_by_verb),
    ("build", _builds(*BUILD_STRONG)),
    ("build", _builds_named),
    ("optimise", _cues(*GLOBAL)),
    ("remove", _removes),
    ("swap", _swaps),
    ("place", _places),
    ("move", _cues(*MOVE)),
    ("free", _cues(*FREE)),
    ("show", _cues(*SHOW)),
    ("show", _asks_what_is_on),
    ("optimise", _cues(*OPTIMISE_WEAK)),
    ("build", _builds_loosely),
    ("build", _builds(*BUILD_WEAK)),
    ("build", _wants_to_learn_known),
    ("class", _wants_to_learn),
)


def intent_of(message: str, brief: Brief) -> Intent:
    """The first row of the table that fits; `other` when none does."""
    text = _without_item_names(folded(message), brief)
    return next((intent for intent, fits in TABLE if fits(text, message, brief)), None) or _short(message, brief)


def _without_item_names(text: str, brief: Brief) -> str:
    """词根词缀总览 is the name of an item and no wish for an overview."""
    for row in brief.tasks:
        name = folded(str(row["name"]))
        text = text.replace(name, " ") if len(name) > 2 else text
    return text


def _short(message: str, brief: Brief) -> Intent:
    """A sentence without a verb: an item with a time is to go there, an item is asked about, and a time alone means
    what was asked before: 周六下午 after a move is another time for the same item."""
    form = form_of(message, brief)
    if form == "both":
        return "move"
    if message != brief.request or not form:
        return "other"
    if form == "class":
        return "class_facts"
    if form == "item" or says_it(message):
        return "show"
    said = [str(turn["text"]) for turn in brief.earlier if turn["role"] == "user"]
    before = next((turn for turn in reversed(said) if not adds_nothing(turn, brief)), "")
    intent = intent_of(before, brief) if before else "other"
    return intent if intent in ONE_AGO else "other"


def wants_build(message: str) -> bool:
    """Whether the message also asks for a timetable (or only for the task class)."""
    text = folded(message)
    return words(NO_BUILD.sub(" ", text), *BUILD_STRONG, "安排", "schedule", "arrange", "fit", "plan it")


def edits(message: str, brief: Brief) -> bool:
    """Whether a task class is to be changed rather than created."""
    said = read_class(message, Term.of(brief.view))
    if _plans_with_wishes(folded(message), message, brief):
        return True
    return EDIT_VERB.search(folded(message)) is not None or _wishes(message, brief, said)
