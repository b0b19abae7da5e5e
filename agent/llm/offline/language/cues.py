"""The words that tell what a message wants, Chinese and English side by side."""

from __future__ import annotations

import re

from agent.loop.phrases import ACCEPT_PARTIAL, DRAFT_ONLY, SECOND_BUILD

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
