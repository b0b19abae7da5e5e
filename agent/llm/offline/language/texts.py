"""The longer sentences of the offline policy, Chinese and English side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.normalize import fold_text, words
from agent.llm.offline.language.spans.conditions.limit_forms import FEELS
from agent.llm.offline.language.spans.times.said_time import Time
from agent.loop.view_document import SlotView
from schedules.planner.replan.asks import KEPT

RULES = (
    "现在没有配置大模型，我按固定规则工作：可以建任务类、排程、体检、移动或交换任务、查空闲。",
    "No language model is configured, I follow fixed rules: I can create tasks, build a plan, check it, move or "
    "swap steps, and look up free time.",
)
EXAMPLE_CLASS = (
    "例如：新建任务类「概率论复习」，第3周到第6周，共12节，周末不排，内容：随机变量、数字特征、大数定律",
    'For example: create a task class "Probability", week 3 to 6, 12 sections, no weekends, items: variables, moments',
)
EXAMPLES = (
    "可以这样说：「把概率论复习排好」「第2章移到周三下午」「周五有空吗」。",
    'You can say: "Plan my Probability revision", "Move chapter 2 to Wednesday afternoon", "When am I free on Friday?"',
)
BEYOND = (
    (
        ("天气", "下雨", "带伞", "weather", "umbrella", "rain", "raining", "新闻", "news", "吃什么", "吃啥", "电影"),
        "这个我不知道，我只管学期计划",
        "that I cannot know, I only look after your term plan",
    ),
    (
        ("考试", "期末", "exam", "midterm", "deadline", "截止"),
        "考试时间请告诉我具体日期",
        "please tell me the exact exam dates",
    ),
    (
        (
            "写篇",
            "写一篇",
            "写个",
            "写首",
            "写诗",
            "作文",
            "心得",
            "论文",
            "翻译",
            "essay",
            "write a",
            "write an",
            "translate",
        ),
        "写文章我做不到",
        "I cannot write texts",
    ),
    (
        ("查一下资料", "搜", "资料", "链接", "推荐", "search", "recommend", "material", "website"),
        "查找或评价学习资料我做不到",
        "I cannot search for or judge study material",
    ),
    (
        (
            "教材",
            "推荐书",
            "参考书",
            "什么书",
            "textbook",
            "textbooks",
            "books",
            "教务网",
            "教务系统",
            "官网",
            "website",
        ),
        "查资料、推荐书我做不到，考试日期请直接告诉我",
        "I cannot look things up or recommend books; tell me a date and I can use it",
    ),
    (
        (
            "代码",
            "code",
            "python",
            "作业题",
            "这道题",
            "怎么回复",
            "怎么回他",
            "怎么回她",
            "answer him",
            "answer her",
            "should i answer",
            "should i reply",
        ),
        "代码、题目和怎么回消息我帮不上",
        "I cannot help with code, exercises or messages",
    ),
    (
        ("拆分", "拆解", "知识点", "split", "break down"),
        "我不会编造或拆分内容，请把各项列出来",
        "I cannot invent or split content, please list the items",
    ),
)
"""What only a language model could do."""
ELSEWHERE = (
    (("隔天", "隔一天", "隔1天", "隔两天", "间隔", "别连着", "不要连着", "不想连着", "back to back",
        "back-to-back", "every other day",
      "gap in between"),
     "「隔天学」我没法记成规则，什么都没有改；可以说「每天最多一段」，或者把某一项移到别的日子",
     "I cannot keep a rule about gaps between days, and changed nothing; say \"at most one block a day\", or "
     "move single items"),
    (("都能排下", "够吗", "be enough", "enough for"),
     "要先改日期才能算准：请说「把某个任务类的截止日期推迟3天」，会先出确认卡片；没写之前什么都不变",
     "I can only tell after the dates are changed: say \"move the deadline of\" a class \"3 days later\" and "
     "a card comes first; "
     "nothing is changed yet"),
    (("邮箱", "邮件", "发给我", "发到", "导出", "日历", "ics", "email", "e-mail", "export", "mail me"),
     "发邮件我做不到；日历文件可以在课表页面导出",
        "I cannot send mail; a calendar file can be exported on the timetable page"),
    (("写入", "应用到", "写进", "写到", "正式课表", "按钮", "button", "real timetable", "actual timetable", "暂存",
        "保存", "提交", "apply", "save"),
     "保存草稿、应用到课表由你来点：按钮在周课表里",
     "saving the draft and applying it to the timetable is yours: press the buttons of the week view"),
    (("撤销", "撤回", "恢复", "还原", "改回", "退回", "回退", "不算", "undo", "revert", "scratch that",
      "back to how", "back to the way", "roll it back", "roll back", "by mistake", "应用错"),
     "这一步我撤不回来：草稿里的可以在周视图拖回去，应用到课表的请用「撤销上次应用」",
     "I cannot take that back: drag it back in the week view, or undo the last write if it is in the timetable"),
    (("所有课程", "课程都", "lecture", "lectures", "删课", "课删", "退课", "delete my course", "drop my course",
    "cancel my class"),
     "课程是固定的，我不能改动，请在课表页面操作", "courses are fixed, please change them on the timetable page"),
    (("重来", "重新来", "再排一次", "再排一遍", "重排", "redo", "do it again", "plan again"),
     "要从头再排，请说「重新粗排」", 'say "rebuild" to plan it again'),
    (("删除", "删掉", "delete"),
     "我什么都没有删。要删除整个任务类，请说「删除」和它的名字，会先出确认卡片",
     'I deleted nothing; to delete a whole task class, say "delete" and its name, and a card comes first'),
    (("太累", "轻松", "别太", "不要太", "喜欢", "不想", "tired", "relaxed", "prefer"),
     "这类偏好我听不懂，请说具体的星期或节次，例如「修改任务类，周末不排」",
     "I do not understand free preferences, please name weekdays or sections"),
)  # fmt: skip
"""What another screen or other words do."""
_AGREED = re.compile(
    r"^(?:好|行|可以|嗯|那就|对|改|来|优化|弄|做)[^,，。]{0,6}(?:[,，].{0,8})?[吧呗啊了的!。]*$"
    r"|^(?:ok(?:ay)?|yes|yeah|sure|go (?:on|ahead)|do it|please do|fine)\b"
)
CHECKED = ("重新粗排", 'say "rebuild"')
"""How a check-up ends that found nothing better: with the offer to plan anew."""
NOT_CHANGED = (
    "没有一步就能变好的改动，所以什么都没有改。要整个重新排，请说「重新粗排」。",
    'No single change makes the plan better, so nothing was changed. To plan it all anew, say "rebuild".',
)
GENERAL = ("一般的问题我回答不了", "I cannot answer general questions")
ABOUT = (
    "你是", "你会", "你能做什么", "能做什么", "能干什么", "怎么用", "帮助", "chatgpt", "help", "what can you do",
    "who are you", "不会用", "使用说明", "说明书", "教程", "manual", "tutorial", "how do i use", "how does this work",
)  # fmt: skip
TALK = {
    "agree": ("好的。现在没有等你确认的改动。", "All right. No change is waiting for your consent."),
    "refuse": ("好的，没有再改动什么。", "All right, nothing more was changed."),
    "chat": (
        "我在。要排学习计划、挪任务或者看安排，直接说就行。",
        "I am here. Tell me what to plan, to move or to look up.",
    ),
    "button": (
        "这个请在页面上点：保存草稿和应用到课表在周课表，导入和导出在课表页面，语言和提醒在设置里。",
        "That has its place on the page: save and apply in the week view, import and export on the timetable page, "
        "language and reminders in the settings.",
    ),
}
"""What is said of talk that no other words tell more of, by its label."""
GREETINGS = ("你好", "您好", "在吗", "hello", "hi", "hey")
THANKS = (
    "谢谢", "多谢", "谢了", "谢啦", "辛苦", "thanks", "thank you", "thx", "cheers", "that's all", "没事了", "就这些",
)  # fmt: skip
SAVE = (
    "可以在周课表里查看和拖动，满意了就点「应用到课表」。",
    "You can look at it and drag items in the week view; then press Apply.",
)
CONSENT_TYPED = (
    "卡片旁边打的字不算同意，请点卡片上的「确认」。卡片再给你一次：",
    "Words typed over a card are no consent; please press its button. Here it is once more:",
)
CARD_AGAIN = ("卡片没有变：", "The card is unchanged:")
"""How an answer to words over a card ends that changed nothing of it: the next goal makes it again."""
ANSWER_FIRST = ("先回答这个，卡片接着再来。", "The answer first; the card comes again after it.")
"""How the answer to a question over a card begins that is given before the card is made again."""
STEP_LEFT = ("剩下这一步：{request}", "What is left: {request}")
CARD_BECOMES = ("卡片改成：{request}", "The card now: {request}")
"""What the card of a new class is for once it was corrected."""
FIND_STEP_LEFT = re.compile(
    r"^(?:剩下这一步：|卡片改成：|What is left: |The card now: )(?P<request>.+)\Z", re.MULTILINE
)
FIND_ASKED = re.compile(
    rf"^(?:{'|'.join(ANSWER_FIRST)})(?:\n(?!剩下这一步：|What is left: )(?P<asked>.+))?", re.MULTILINE
)
"""What is answered before the card comes again, above its answer, where the words over the card only point to it."""


def comes_back(told: str) -> bool:
    """Whether a text over a card says that it comes back as it was."""
    return told.endswith(CARD_AGAIN) or any(one.search(told) for one in (FIND_ASKED, FIND_STEP_LEFT))


SO_ON_CARD = ("卡片上已经是这样了。", "It is like that on the card already.")
AS_IT_WAS = ("好的，那就按刚才的。", "All right, as it was.")
DONE_SO_FAR = ("好的，已经改好：", "All right. Done so far:")
STILL_CHANGED = (
    "好的，不再改别的。刚才的改动还在，没有撤回；要撤回请说「撤销」。",
    'All right, nothing else. What was changed a moment ago stays changed; to take it back, say "undo".',
)
STILL_THERE = (
    "好的，不再改别的。刚才做的都还在，没有撤回。",
    "All right, nothing else. What was done a moment ago stays as it is.",
)
BESIDE_DRAFT = frozenset({"set_preferences", "mark_items", "upsert_task_class", "delete_task_class"})
"""Tools that write something else than the draft, which no undo of the draft takes back."""
STILL_FREE = (
    "好的，不再改别的。刚才空出的时间和随之移动的项都还在，没有撤回；不要了，请先在课表的「调课、假期与考试」里删掉那一条，再说哪一项移回去。",
    "All right, nothing else. The time that is kept free stays so, and so do the items that moved for it; to take it "
    'back, first delete the note on the timetable page under "Changes, days off and exams", then say which item is to '
    "move back.",
)
NOTHING_MORE = (
    "算了", "不用了", "不排了", "不移", "不动", "别动", "不改", "不换", "不挪", "不调", "取消", "保持不变", "就这样",
    "cancel", "never mind", "keep it", "leave it", "不删", "别删", "点错", "nvm", "nevermind", "scrap that",
        "还是不了", "wait no", "no don't", "false alarm",
)  # fmt: skip
PARTS = {
    "target": ("偏离均匀目标", "distance from the even spread"),
    "cluster": ("同一任务类挤在一天", "one class crowded into a day"),
    "load": ("单日过满", "overfull days"),
    "buffer": ("缺少缓冲", "missing buffer"),
    "switch": ("频繁切换", "frequent switches"),
    "heavy_adjacent": ("高强度内容相邻", "heavy subjects next to each other"),
    "long_run": ("连续太久", "runs that are too long"),
    "fit": ("时段不合适", "unsuitable times"),
    "slack": ("离截止太近", "too close to the end date"),
    "wish": ("不合你的愿望", "against your wishes"),
    "unplaced": ("未排内容", "items without a place"),
}


_QUOTED = re.compile(r"[《「『“\"][^》」』”\"]*[》」』”\"]")
"""A name, which asks for nothing."""


def limits(brief: Brief, label: str = "") -> str:
    """What the policy can and cannot do, with a word about what was asked, and by its `label` about talk."""
    text = fold_text(_QUOTED.sub(" ", brief.message))
    if affirms_in(text) and any(offer in _last_told(brief) for offer in CHECKED):
        return brief.say(*NOT_CHANGED)
    if words(text, *THANKS) and len(text) <= 30:
        return brief.say("不客气。", "You are welcome.")
    ends, wrote = words(text, *NOTHING_MORE) and len(text) <= 12, find_written(brief)
    if (ends or label == "refuse") and wrote:
        kept_free = STILL_FREE if keeps_time_noted(brief) else STILL_CHANGED
        return brief.say(*(STILL_THERE if BESIDE_DRAFT & {*wrote} else kept_free))
    if ends:
        return brief.say("好的，草稿保持现在的样子。", "All right, the draft stays as it is.")
    hello = brief.say("你好！", "Hello! ") if words(text, *GREETINGS) else ""
    rules = "" if _told_rules(brief) else brief.say(*RULES) + brief.say("", " ")
    beyond, elsewhere = ([pair for cues, *pair in rows if words(text, *cues)] for rows in (BEYOND, ELSEWHERE))
    said = beyond + elsewhere
    if (label == "chat" or FEELS.search(text)) and not beyond:
        label = "chat"
        elsewhere, said = [], []  # how one feels is no wish
    if not said and not hello and label in TALK:
        return brief.say(*TALK[label])
    if not said:
        told = (
            "" if hello or label == "help" or words(text, *ABOUT) else brief.say(GENERAL[0] + "。", GENERAL[1] + ". ")
        )
        return hello + rules + told + brief.say(*EXAMPLES)
    sentence = brief.say("；".join(zh for zh, _ in said) + "。", "; ".join(en for _, en in said) + ".")
    return hello + (rules if beyond else "") + sentence[:1].upper() + sentence[1:]


def _last_told(brief: Brief) -> str:
    told = [turn["text"] for turn in brief.earlier if turn["role"] != "user"]
    return told[-1] if told else ""


def find_written(brief: Brief) -> list[str]:
    """The tools that had written something when the student was told last."""
    told = [turn["wrote"] for turn in brief.earlier if turn["role"] != "user"]
    return told[-1] if told else []


_BY_LIMIT = re.compile(r"已按「.+」调整|now keeps to \"")
"""Tells that items moved for a limit of the plan, of which no note is written."""


def keeps_time_noted(brief: Brief) -> bool:
    """Whether what the student was told last wrote a note into the timetable."""
    return "replan" in find_written(brief) and _BY_LIMIT.search(_last_told(brief)) is None


def affirms_in(text: str) -> bool:
    """Whether a short message agrees to go on: 可以，改吧; go on then."""
    return len(text) <= 24 and _AGREED.search(text) is not None


def is_about_something_else(message: str) -> bool:
    """Whether a message is a greeting, asks what can be done, or for what another screen or a language model does."""
    text = fold_text(_QUOTED.sub(" ", message))
    rows = [cues for cues, *_ in (*BEYOND, *ELSEWHERE)]
    return any(words(text, *cues) for cues in (*rows, THANKS, NOTHING_MORE, GREETINGS, ABOUT))


def _told_rules(brief: Brief) -> bool:
    """Whether the student has read in this conversation by what rules the policy works."""
    return any(rule in turn["text"] for turn in brief.view["dialogue"] for rule in RULES)


def place_text(brief: Brief, week: int, day_of_week: int, first: int, last: int) -> str:
    """第3周 周二 3-4节 / wk 3 Tue 3-4."""
    sections = f"{first}-{last}" if last > first else f"{first}"
    zh = f"第{week}周 周{'一二三四五六日'[day_of_week - 1]} {sections}节"
    en = f"wk {week} {('Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun')[day_of_week - 1]} {sections}"
    return brief.say(zh, en)


def say_sections(brief: Brief, first: int, last: int) -> str:
    """3-4节 / sections 3-4, as words behind a day."""
    return brief.say(f"{first}-{last}节", f" sections {first}-{last}")


def say_hours(said: Sequence[Time], brief: Brief) -> str:
    """The hours of these times as words behind a day; none where they tell none."""
    part = next((one.part for one in said if one.part is not None), None)
    run = next((one.sections for one in said if one.kind == "sections" and one.sections), None)
    if run is not None and run[1] is not None:
        return say_sections(brief, run[0], run[1])
    names = (("上午", " in the morning"), ("下午", " in the afternoon"), ("晚上", " in the evening"))
    return brief.say(*names[part]) if part is not None and part < len(names) else ""


def slot_text(brief: Brief, slot: SlotView | None) -> str:
    """Where an item is; empty for one without a place."""
    if slot is None:
        return ""
    return place_text(brief, slot["week"], slot["day_of_week"], slot["slot_start"], slot["slot_end"])


def day_text(brief: Brief, week: int, day_of_week: int) -> str:
    """第3周 周二 / wk 3 Tue."""
    return place_text(brief, week, day_of_week, 1, 1).rsplit(" ", 1)[0]


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def date_text(brief: Brief, day: date) -> str:
    """4月9日 / 9 Apr."""
    return brief.say(f"{day.month}月{day.day}日", f"{day.day} {_MONTHS[day.month - 1]}")


def day_and_date(brief: Brief, day: date | str | None) -> str:
    """5月10日（周日） / Sun 10 May; a stroke for none."""
    if not day:
        return "-"
    day = date.fromisoformat(day) if isinstance(day, str) else day
    names = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    told = f"{date_text(brief, day)}（周{'一二三四五六日'[day.weekday()]}）"
    return brief.say(told, f"{names[day.weekday()]} {date_text(brief, day)}")


def dated_text(brief: Brief, week: int, day_of_week: int) -> str:
    """第3周 周二（3月17日） / wk 3 Tue (17 Mar)."""
    day = date_text(brief, brief.term.day(week, day_of_week))
    return day_text(brief, week, day_of_week) + brief.say(f"（{day}）", f" ({day})")


def dated_slot_text(brief: Brief, slot: SlotView) -> str:
    """第3周 周二 3-4节（3月17日） / wk 3 Tue 3-4 (17 Mar)."""
    day = date_text(brief, brief.day_of(slot))
    return slot_text(brief, slot) + brief.say(f"（{day}）", f" ({day})")


def run_text(brief: Brief, first: date, last: date) -> str:
    """第6周 周三（4月8日） for one day, 第6周（4月6日–4月12日） for a week, 4月8日–4月12日 for others."""
    week, weekday = brief.term.week_day(first)
    if first == last:
        return dated_text(brief, week, weekday)
    days = f"{date_text(brief, first)}–{date_text(brief, last)}"
    if (weekday, (last - first).days) == (1, 6):
        return brief.say(f"第{week}周（{days}）", f"Week {week} ({days})")
    return days


RULE_WORDS = {
    "outside_window": ("那个时间不在规划窗口内。", "that time is outside the planning window."),
    "outside_semester": ("那个时间不在学期内。", "that time is outside the semester."),
    "outside_class_window": ("那个时间不在任务类的起止日期内。", "that time is outside the dates of the task class."),
    "in_the_past": ("那个时间已经过去。", "that time has passed."),
    "closed_day": ("那天放假，不安排学习。", "that day is a holiday without study."),
    "excluded_weekday": ("任务类排除了那个星期。", "the task class excludes that weekday."),
    "excluded_block": ("任务类排除了那个时段。", "the task class excludes those sections."),
    "excluded_cell": ("任务类排除了那一格。", "the task class excludes those sections of that weekday."),
    "not_aligned": ("起始节次不对齐。", "the first section is not aligned."),
    "crosses_day_part": ("会跨过上午、下午或晚上的界线。", "it would cross a border between parts of the day."),
    "occupied": ("那个位置已被占用。", "that place is taken."),
    "filler_not_allowed": ("任务类不允许嵌入课程。", "the task class may not be placed inside courses."),
    "host_partial": ("不能只占课程的一部分时间。", "it would lie only partly inside a course."),
    "host_taken": ("那节课里已经有别的任务。", "that course already holds another item."),
    "order_before": ("必须排在前一项之后。", "it has to come after the item before it."),
    "order_after": ("必须排在后一项之前。", "it has to come before the item after it."),
    "wrong_status": ("它现在的状态不能这样操作。", "its present state does not allow this."),
    "fixed_entry": ("它是固定的，不能改动。", "it is fixed and cannot be changed."),
    "length_mismatch": ("两项长度不同，不能交换。", "the two items differ in length and cannot be swapped."),
    "no_change": ("它已经在那里了。", "it is already there."),
    "duplicate_task": ("两边是同一项。", "both are the same item."),
}

PROBLEMS = {
    "heavy_adjacent": ("两门高强度内容相邻", "two demanding subjects next to each other"),
    "switch": ("一天里切换太多", "many switches in one day"),
    "wish": ("不合你的愿望", "against your wishes"),
    "long_block": ("连续学习太久", "a long run without a break"),
    "crowded": ("同一任务类挤在一天", "one class crowded into a day"),
    "overfull": ("当天安排过满", "an overfull day"),
    "slack": ("离截止日期太近", "items close to the end date"),
    "fit": ("高强度内容落在晚上或水课里", "demanding items in the evening or inside courses"),
    "": ("仍有可以更好的地方", "something is still less than ideal"),
}
"""Part of an issue id -> what the problem is."""


def tell_kept(brief: Brief, left: Sequence[Json]) -> str:
    """What re-planning leaves on days that are to be free, because only the student moves it."""
    names = [str(row["name"]) for row in left if row["rule"] == KEPT]
    told = (
        "留在那里的有{names}：是钉住的或你亲手放的，要自己挪。",
        "Staying there until you move it, pinned or placed by you: {names}.",
    )
    return brief.say(*told, names=brief.say("、", ", ").join(names)) if names else ""
