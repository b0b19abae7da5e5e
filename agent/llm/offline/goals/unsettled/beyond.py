"""What nothing here can do: tell the weather, send a message, print, book a room, wake somebody, look something up,
teach the contents, play music, count days of a week.

It is told by the student's own words, before they are read as a request about the plan that they may look like.
"""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.grammar import WRITES
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.plain.days.habits import IN_TURN
from agent.llm.offline.language.plain.shapes import find_classes
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.lesson_moves import says_subject
from agent.llm.offline.language.spans.mentions import LABEL, all_items, blank_names, items_in
from agent.llm.offline.language.texts import dated_slot_text

_PERSON = (
    r"(?:him|her|them|everyone|everybody"
    r"|(?:my|our|the|his|her|their)(?: \w+){0,2}? (?:room-?mates?|flat-?mates?|friends?|mum|mom|mother|dad|father|"
    r"parents?|teachers?|prof|professors?|tutors?|boss|lecturers?|study group|class-?mates?|partner|girlfriend|"
    r"boyfriend|brother|sister|doctor|supervisor|secretary|dean|office))\b"
)
_PLEASE = (
    r"^(?:(?:hey|hi|ok|okay|so|and|then|also|just|please|pls|plz|can|could|would|will|you|u|ya|go|ahead|now|to|me|help"
    r"|i|need|want)\b[\s,]*)*"
)
_PLEASE_ZH = r"^(?:请|麻烦|能不能|能否|能|可不可以|可以|你|帮忙|帮我|帮|给我|替我|顺便|再|也|先|我想|想|要|\s)*"
_SENDS = re.compile(
    rf"{_PLEASE}(?:(?:e-?mail|text|message|whatsapp|dm|call|phone|ring)(?: to)? {_PERSON}"
    rf"|(?:send|forward|write|drop|shoot)\b(?: {_PERSON})? (?:an? )?(?:\w+ )?(?:e-?mail|text|message|letter|note)\b"
    rf"|(?:send|forward|write|mail) [^,.;]{{1,40}} to {_PERSON}"
    rf"|(?:tell|remind|notify|let) (?:my|our|the) (?:\w+ )?(?:room-?mate|flat-?mate|friend|mum|mom|mother|dad|father"
    r"|parents|teacher|prof|professor|tutor|boss|lecturer|class-?mate|partner|girlfriend|boyfriend)s?\b)"
    r"|(?:给|跟|向|替我)[^,，。;；]{1,12}(?:发|写|回)(?:一?[封个条份下]|个|些)?[^,，。;；]{0,8}(?:邮件|短信"
    r"|微信|消息|信息|信$|假条)"
    rf"|{_PLEASE_ZH}(?:发|写)(?:一?[封个条份下])?[^,，。;；]{{0,8}}(?:邮件|短信|微信|消息|请假条)"
    r"|给[^,，。;；]{1,12}打(?:个|一个|通)?电话|(?:发|转发|发送)(?:给|到)(?:我)?(?:的)?(?:老师|室友|同学|妈|爸"
    r"|朋友|导师|辅导员)"
)
_PRINTS = re.compile(
    rf"{_PLEASE}(?:print\b|(?:send|put) [^,.;]{{1,40}} (?:to|on) (?:a|the|my) printer)"
    rf"|{_PLEASE_ZH}(?:把[^,，。;；]{{1,12}})?(?:打印|发到打印机|打出来)"
)
_BOOKS = re.compile(
    rf"{_PLEASE}(?:book|reserve|rent)\b[^,.;]{{0,30}}\b(?:room|lab|laboratory|seat|desk|hall|table|place|library|"
    r"ticket|flight|hotel|taxi|court)\b"
    rf"|{_PLEASE_ZH}(?:预[约订定]|订|占|抢)(?:一?[个间张下])?[^,，。;；]{{0,12}}(?:教室|实验室|座位?|位置|房间?"
    rf"|机房|图书馆|自习室|场地|会议室|票|酒店|外卖)"
)
_WAKES = re.compile(
    r"(?<!n't )(?<!not )(?<!never )(?<!would )(?<!that )\b(?:wake|ring|buzz|phone) me\b|\bget me (?:up|out of bed)\b"
    r"|\bwake-?up call\b"
    rf"|{_PLEASE}(?:call me (?:at|tomorrow|in the)\b|(?:set|put|make|turn on)(?: up)? (?:an?|the|my) (?:\w+ )?"
    r"(?:alarm|timer)\b)"
    r"|\balarm (?:at|for) \w"
    r"|(?<![别不])(?:叫|喊|催)(?:我|一下我)(?:早点)?(?:起床|起来|起(?=$|[吧吗啊哦]))|(?<![别不])(?:叫|喊)醒我?"
    r"|(?:定|设|订|调|开|上)(?:置|个|一个|好)*[^,，。;；]{0,10}闹钟|闹钟[^,，。;；]{0,4}(?:定|设|调)(?:到|在)"
)
_LOOKS_UP = re.compile(
    rf"{_PLEASE}(?:google|search (?:the (?:web|internet|net)|online|for)|look (?:it |that |this )?up (?:online|on the)"
    r"|check (?:online|the (?:web|internet|website)))\b|\blook (?:it|that|this) up online\b"
    r"|(?:上网|在?网上|到网上)(?:帮我)?(?:查|搜|找|看看)|百度一下|谷歌一下"
)
_PLAYS = re.compile(
    rf"{_PLEASE}(?:(?:play|put on)\b[^,.;]{{0,24}}\b(?:music|song|playlist|podcast|video)\b"
    r"|(?:export|add|send|sync)\b[^,.;]{1,40}\b(?:spotify|apple music|youtube)\b"
    r"|order (?:me )?(?:a |some )?(?:pizza|food|coffee)\b)"
    rf"|{_PLEASE_ZH}(?:放|播放|来)(?:一?[首点个段])?[^,，。;；]{{0,6}}(?:歌|音乐|曲子)|点(?:个|份)?外卖"
)
_PINS = re.compile(
    rf"{_PLEASE}(?:un)?(?:lock|pin)\b(?! down)|\b(?:un)?(?:lock|pin) (?:it|them|everything|all|chapter|lab|unit)\b"
    r"|锁定|锁住|解锁|钉住|钉死|取消钉|取消锁"
)
_N = r"(?:[1-6一两二三四五六]|one|two|three|four|five|six)"
_DAYS_A_WEEK = re.compile(
    rf"(?:[每一1]个?(?:周|星期|礼拜)[^,，。;；]{{0,8}}(?:最多|顶多|至多|超过|只)|(?:最多|顶多"
    rf"|至多)[^,，。;；]{{0,4}}[每一1]个?(?:周|星期|礼拜))"
    rf"[^,，。;；\d一两二三四五六]{{0,6}}{_N}\s*天"
    rf"|\b(?:at most|max(?:imum)?(?: of)?|more than|up to|only|to) {_N} (?:\w+ )?days"
    r" (?:a|per|each|every|in a|of the) week\b"
    rf"|\b{_N} (?:\w+ )?days (?:a|per|each|every) week,? (?:at most|max(?:imum)?|tops|at the most)\b"
)
_MOST_APART = re.compile(
    rf"(?:最多|至多|顶多|不(?:要|能)?超过)(?:只|都|能)?(?:间隔|相隔|隔|空)开?{_N}\s*天|(?:间隔|相隔|隔开?"
    rf"|空开?)(?:最多|不(?:要|能)?超过){_N}\s*天"
    rf"|\b(?:at most|no more than|max(?:imum)?(?: of)?|not more than|up to) (?:a gap of )?{_N} (?:\w+ )?days?"
    r" (?:apart|(?:in )?between)\b"
)
_WEATHER = re.compile(
    r"(?:带|拿|打|备|穿)(?:不带|不穿)?(?:把|个)?(?:雨?伞|雨衣|外套)[^,，。]{0,3}[吗么不?？]"
    r"|(?:会不会|会|要|还)下(?:雨|雪)[吗么不?？]|(?:会不会|要不要)下(?:雨|雪)"
    r"|天气(?:怎么样|如何|咋样|好不好|好吗|预报)|冷不冷|热不热|(?:多少|几)度(?:[?？]|$)|(?:冷|热)吗"
    r"|\b(?:do|should|will) i (?:need|take|bring|want|wear)(?: to (?:take|bring|wear))? (?:an? |my )?"
    r"(?:umbrella|raincoat|jacket|coat|sunscreen|sweater)\b"
    r"|\b(?:is it|will it|does it)(?: be)? (?:going to |gonna )?(?:be )?"
    r"(?:rain|snow|cold|hot|sunny|warm|windy)\w*\b(?! if)"
    r"|\b(?:what's|what is|how's|how is|what will) the (?:weather|temperature|forecast)\b"
    r"|\bhow (?:cold|hot|warm) (?:is|will)\b"
)
_TEACHES = re.compile(
    rf"{_PLEASE}(?:explain (?:to me )?(?:what|how)\b(?! (?:you|did|the plan|my)\b)|teach me\b"
    r"|help me understand\b|what (?:do|does|is|are) [^,.;?]{2,40}(?: even)? (?:mean|about)\b"
    r"|what (?:is|are) [^,.;?]{2,40} even\b|how do (?:i|you) (?:compute|calculate|solve|prove)\b)"
    r"|讲的?(?:是|都是)?(?:啥|什么)|(?:给我|帮我)(?:讲讲|讲一下|讲解|解释|讲)|教教?我|(?:讲解|解释)(?:一下|下)"
    r"|是(?:啥|什么)(?:意思|概念)|怎么(?:算|求|证明|推导)"
)
_OURS = (
    r"(?:plan|draft|task|item|class|section|card|schedule|timetable|week|day|wish|rule|calendar|order|conflict|check|"
    r"course|lesson|filler|strategy|choice|option|change|you|this|that|it|yourself)"
)
_TAUGHT = re.compile(
    rf"{_PLEASE}(?:explain(?: to me)? (?!(?:\w+ )?{_OURS})[^,.;]{{3,40}}? to me\b"
    rf"|explain to me (?!(?:\w+ )?{_OURS}|why|what|how)\w+|teach me\b|(?:quiz|test) me (?:on|about)\b"
    r"|(?:solve|prove|derive|compute|calculate)\b(?! (?:the|my) (?:conflict|problem|clash|plan))[^,.;]{3,}"
    r"|how do (?:i|you) (?:compute|calculate|solve|prove|derive)\b"
    r"|what(?:'s| is| are) the (?:differences? between|definition of|meaning of|formula for|proof of)\b"
    rf"|what(?:'s| is| are) an? (?!(?:\w+ )?{_OURS})[a-z-]+(?: [a-z-]+)?\??$"
    r"|(?:do|check) (?:my|the|this) (?:homework|exercise|assignment)\b)"
    rf"|{_PLEASE_ZH}(?:给我|帮我)?(?:讲讲|讲解|解释一下|教我|教教我)(?!计划|安排|为|你|这|规则)|考考我|抽查我"
    rf"|有(?:什么|啥)(?:区别|用)|的定义|(?:做|写)(?:一下)?(?:作业|习题|这道?题)"
    r"|(?:算|解|证明)(?:一?下|出)?(?:这个|这道|一道)(?:积分|极限|题|方程|矩阵)"
)
"""What asks for a lesson, whether the plan has it or not."""
_PLACED = re.compile(
    r"\b(?:why|there|placed?|plan(?:ned)?|scheduled?|moved?|when|slot)\b|为什么|为何|排|安排|计划|移|改|那里"
    r"|时间|几节|几项|完成|做完|学完"
)
"""Asks for the reasons of the plan."""
_QUOTED = re.compile(r"[\"“「『][^\"”」』]*[\"”」』]|(?<!\w)'[^']*'(?!\w)")
_CLAUSE = re.compile(r"[,，。;；!！?？]\s*|\.(?:\s+|$)|\band (?:then )?")
_TOLD = (
    (_SENDS, "发邮件、发消息、打电话我都做不到", "I cannot send e-mail or messages to anybody"),
    (_PRINTS, "打印我做不到，日历文件可以在课表页面导出",
     "I cannot print anything; a calendar file can be exported on the timetable page"),
    (_BOOKS, "预订房间、座位和票我都做不到", "I cannot book rooms, seats or tickets"),
    (_WAKES, "叫你起床、定闹钟我都做不到", "I cannot wake you, ring or set an alarm"),
    (_LOOKS_UP, "上网查东西我做不到，外面的日期我也不知道", "I cannot look anything up on the web"),
    (_DAYS_A_WEEK, "一周学几天的上限我没法设；可以说「每周最多 2 项」，天数就不会更多，也可以说星期几不排",
     'I cannot limit the number of days a week; you can say "at most 2 items a week", then there are no more days '
     "than that, or which weekdays stay free"),
    (_MOST_APART, "两项之间最多隔几天我没法设；可以说至少隔几天，或者每周最多几项",
     "I cannot limit how far apart items are at most; you can say how many days lie between them at least, or how many "
     "there are a week"),
    (_WEATHER, "这个我不知道，我只管学期计划", "That I cannot know, I only look after your term plan"),
    (_PINS, "钉住和取消钉住在任务页面上做：打开任务类，点内容旁边的「钉住」或「取消钉住」；钉住的内容重新排时不会动",
     'Items are pinned and unpinned on the page: open the task class and press "Pin" or "Unpin" beside the item; what '
     "is pinned stays when the plan is made anew"),
    (_PLAYS, "放音乐、订东西这类事我做不到，我只管学期计划", "I cannot do that, I only look after your term plan"),
)  # fmt: skip
_SAME_DAY = r"(?:(?:同|在)[1一]?天|\b(?:the same|one) day\b)"
_IF_ON_ONE_DAY = re.compile(
    rf"(?=.*{_SAME_DAY})(?=.*(?:的话|如果|要是|若|假如|只要|\b(?:if|when(?:ever)?)\b))"
    r".*(?:先|前面?|之前|\b(?:before|first|ahead of)\b)"
)
_ADJACENT = re.compile(
    r"背靠背|(?<![别不要])(?:连|挨|紧挨|紧接)着|无缝|\b(?<!no )(?<!not )(?<!never )back[- ]to[- ]back\b"
    r"|\b(?:right|directly|straight) after (?:each other|one another)\b"
)
_ALTERNATES = re.compile(
    rf"{IN_TURN.pattern}|穿插着|换着[学排来]|\bby turns\b|\b(?:switch|swap|go) back and forth\b"
    rf"|[1一]天[^,，。;；]{{2,8}}[1一]天$"
)
_OF_CLASSES = (
    (_IF_ON_ONE_DAY, "两个任务类在同一天里谁先谁后我没法定成规则，可以直接说把哪一项移到哪天第几节",
     "I cannot keep to an order of two task classes within a day; you can say which item goes to which sections of a "
     "day"),
    (_ADJACENT, "两个任务类的任务一项挨着一项我没法定成规则，排好以后可以说「把一项紧接在另一项后面」",
     "I cannot keep the items of two task classes back to back as a rule; when they are planned, say which item goes "
     "right after which"),
    (_ALTERNATES, "两个任务类一项隔一项地轮流我没法定成规则，能做到的是不排在同一天",
     "I cannot keep two task classes taking turns as a rule; what I can keep is that they are on different days"),
)  # fmt: skip
"""What is wanted of two classes by their names."""
_PART = r"(?:[上下]午|[早晚]上|中午)"
_PART_EN = r"(?:mornings?|afternoons?|evenings?)"
_ONE_EN = r"\b(?:one|an?|another)\b(?: (?:item|task|session|chapter|thing))?"
_OF_PACE = (
    (
        re.compile(
            r"(?:最多|至多|顶多|超过|多于)[^,，。;；\d一两二三四]{0,4}[2-4两二三四]\s*(?:门课?|科)(?!学)"
            r"|\b(?:at most|more than|max(?:imum)?(?: of)?|up to) (?:[2-4]|two|three|four) (?:different |separate )?"
            r"(?:subjects|courses|classes|modules)\b(?=[^.;]*\bday)"
        ),
        "一天最多几门的上限我没法设；可以说「每天最多 2 项」，或者哪两门不要在同一天",
        'I cannot limit how many subjects there are on a day; you can say "at most 2 items a day", or which two '
        "classes are not to be on the same day",
    ),
    (
        re.compile(
            rf"{_PART}[^,，。;；]{{0,3}}[1一][节项个次门][^。;；]{{0,4}}{_PART}[^,，。;；]{{0,3}}[1一][节项个次门]"
            rf"|{_PART}{_PART}各[^,，。;；]{{0,2}}[1一]"
            rf"|{_ONE_EN} (?:in the |every |each ){_PART_EN}\b[^.;]{{0,12}}{_ONE_EN} (?:in the |every |each "
            rf")?{_PART_EN}\b"
        ),
        "一天里上午一项、下午一项这样分，我没法定成规则；可以说「每天最多 2 项」，或者哪一项移到哪个时段",
        'I cannot keep one item in the morning and one in the afternoon as a rule; you can say "at most 2 items a '
        'day", or which item goes to which part of the day',
    ),
    (
        re.compile(
            r"[前先][松紧轻重]后[松紧轻重]"
            r"|(?:前面|前期|开头|1?开始)[^,，。;；]{0,4}[多重紧少轻松][^。;；]{0,6}(?:后面|后期|最后|结尾)[^,，。;；]{0,4}[多重紧少轻松]"
            r"|\b(?:front|back)[- ]?load\w*|\b(?:start|begin) (?:out )?(?:light|slow(?:ly)?|easy|heavy|hard)\b"
            r"|\b(?:more|most of it|heavier) (?:at the (?:beginning|start|end)|early on|towards the end)\b"
        ),
        "前面多后面少（或者反过来）的节奏我没法设；可以说「第4周少排点」「每周最多 2 项」，或者改起止日期",
        'I cannot make a plan fuller at one of its ends; you can say "make week 4 lighter", "at most 2 items a week", '
        "or change the dates of a class",
    ),
)
"""What is wanted of a plan without the names of its items."""
_MORE_OF_IT = re.compile(
    r"(?:(?:多|再|额外)(?:安?排|加|来|学|上)[1一两2二3三](?:次|节课?|个?小时|个?钟头)"
    r"|(?:增加|加)[1一两2二3三](?:次|个?小时|个?钟头))(?![一-鿿]{2}(?!复习|学习))"
    r"|\b(?:(?:one|two|three|an?) (?:more|extra|additional)|another|extra|additional) (?:\w+ "
    r"){0,2}?(?:sessions?|hours?)\b"
)
_NO_MORE_OF_IT = (
    "只说再多一次，我不知道加的是什么内容；可以说「给{name}加上「内容」」，或者「把某一项改成 3 节」",
    'I cannot add time to a class without its contents; you can say "add "Exercises" to {name}", or "make an item 3 '
    'sections long"',
)
_ALL_OF_PLAN = re.compile(r"它们|[两几]门|\b(?:them|both|the (?:two )?(?:classes|subjects))\b|^(?:轮流|轮着|交替)")
_UNCHANGED = ("{told}；什么都没有改。", "{told}. Nothing was changed.")
_ALONG = ("{told}。", "{told}.")
_CANCELS = re.compile(rf"{_PLEASE}(?:cancel|skip|drop|delete|remove|call off)\b|取消|停掉|翘掉|删掉")
_LESSON_KEPT = (
    "课程是固定的，那节课还占着它的时间；要停课请在课表页面操作。",
    "Courses are fixed, that lesson keeps its time; please cancel it on the timetable page.",
)
"""What is told along with a change that is wanted in the place of a lesson."""
_NO_TEACHER = ("我只管计划，不讲内容；什么都没有改。", "I plan, I do not teach the contents. Nothing was changed.")


def tell_beyond(brief: Brief) -> tuple[str, bool]:
    """That a message asks for what nothing here does, and whether it wants nothing else; empty for one that does not.
    `brief` has the student's own words."""
    text = _QUOTED.sub(" ", fold_text(brief.view["message"]))
    names = [row["name"] for row in (*brief.classes, *all_items(brief))]
    clauses = [one.strip() for one in _CLAUSE.split(text) if one.strip()]
    for pattern, zh, en in _TOLD:
        found = [one for one in clauses if pattern.search(blank_names(one, names))]
        if found:
            alone = not wants_more([one for one in clauses if one not in found], brief)
            return brief.say(*(_UNCHANGED if alone else _ALONG), told=brief.say(zh, en)), alone
    if of_two := _tell_of_classes(text, brief) or _tell_of_pace(text, brief):
        return of_two
    cancels = [one for one in clauses if _CANCELS.search(one) and says_subject(one) and not find_mentioned(one, brief)]
    if cancels and wants_more([one for one in clauses if one not in cancels], brief):
        return brief.say(*_LESSON_KEPT), False
    found = [one for one in clauses if _is_lesson(one, brief) and not _PLACED.search(text)]
    if not found or wants_more([one for one in clauses if one not in found], brief):
        return "", False
    meant = find_mentioned(text, brief) or [row for row in items_in(text, brief) if _begins_in(text, row["name"])]
    row = next((row for row in meant if row["slot"]), None)
    where = row and row["slot"]
    at = brief.say("{name}：{time}。", " {name} is at {time}.") if where else ""
    told = at.format(name=row["name"], time=dated_slot_text(brief, where)) if row and where else ""
    return brief.say(*_NO_TEACHER) + told, True


def _tell_of_classes(text: str, brief: Brief) -> tuple[str, bool] | None:
    """What cannot be kept of two classes, and whether no plan is wanted beside it; None where neither is wanted."""
    both = len(find_classes(text, brief)) > 1 or _ALL_OF_PLAN.search(text) is not None
    several = both and not find_mentioned(text, brief)
    told = next((texts for pattern, *texts in _OF_CLASSES if several and pattern.search(text)), None)
    if told is None or asks_whether(text):
        return None
    plans = not _IF_ON_ONE_DAY.search(text) and (not _ADJACENT.search(text) or intent_of(text, brief) == "build")
    return brief.say(*(_ALONG if plans else _UNCHANGED), told=brief.say(told[0], told[1])), not plans


def _tell_of_pace(text: str, brief: Brief) -> tuple[str, bool] | None:
    """What cannot be kept of the plan as a whole, or added to a class; None where nothing of it is wanted."""
    if asks_whether(text) or find_mentioned(text, brief) or says_subject(text):
        return None
    numbered = fold_numbers(text)
    if told := next((texts for pattern, *texts in _OF_PACE if pattern.search(numbered)), None):
        return brief.say(*_UNCHANGED, told=brief.say(*told)), True
    ids = find_classes(text, brief)
    if len(ids) != 1 or not _MORE_OF_IT.search(text):
        return None
    told_more = brief.say(*_NO_MORE_OF_IT, name=brief.name_of(ids[0]))
    return brief.say(*_UNCHANGED, told=told_more), True


def _is_lesson(clause: str, brief: Brief) -> bool:
    """Whether a clause wants to be taught something; what may ask about the plan as well only of an item."""
    lesson = _TAUGHT.search(clause) is not None
    return lesson or (_TEACHES.search(clause) is not None and bool(items_in(clause, brief, among=all_items(brief))))


def _begins_in(text: str, name: str) -> bool:
    """Whether a text has how the name of an item begins behind its label: no theorem is that of the limits."""
    label = LABEL.match(fold_text(name))
    head = fold_text(name)[label.end() if label else 0 :].strip().split(" ")[0]
    return bool(head) and (head.rstrip("s") if head.isascii() else head[:2]) in text


def wants_more(clauses: list[str], brief: Brief) -> bool:
    """Whether one of the other clauses asks for a change."""
    return any(intent_of(one, brief) in (*WRITES, "mark", "replan", "optimise") for one in clauses)
