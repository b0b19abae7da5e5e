"""Deeds that are told bit by bit: the words that begin one, the parts that it needs, and how it is said as a whole."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Part = Literal["class", "item", "other", "day", "week", "hour", "rate", "name"]
WHEN: tuple[Part, ...] = ("day", "week", "hour")


class Form(NamedTuple):
    """A whole request, which has these parts; `when` stands for the times that are told."""

    parts: tuple[Part, ...]
    zh: str
    en: str


class Deed(NamedTuple):
    """Something that can be wanted: how it begins, its forms, the fullest first, and what is asked for it."""

    begins: re.Pattern[str]
    forms: tuple[Form, ...]
    asked: tuple[Part, ...]

    @property
    def needs(self) -> tuple[Part, ...]:
        """The parts without which nothing can be done."""
        return self.forms[-1].parts

    @property
    def takes(self) -> frozenset[Part]:
        """The parts that it may have."""
        parts = {part for form in self.forms for part in form.parts}
        return frozenset({*parts, *(WHEN if "day" in parts else ())})


DEEDS: dict[str, Deed] = {
    "lesson": Deed(
        re.compile(
            r"(?:新|加|增|添|选|多)[^,，]{0,4}[节门]新?(?P<zh>[^,，课]{0,6}?)课|[节门]新课"
            r"|\b(?:add|new)\b(?: \w+){0,3}? (?:lesson|lecture)\b|\bnew course in my timetable\b"
        ),
        (
            Form(("name", "day"), "加一节课：{name}，{when}", "add a lesson {name}, {when}"),
            Form((), "加一节课", "add a lesson"),
        ),
        (),
    ),
    "exam": Deed(
        re.compile(
            r"考试|测验|期[中末]考?|小测|要考试?|考(?=的?[,，\s吧了]*$)|\b(?:exams?|tests?|midterms?|finals?|quiz)\b"
        ),
        (Form(("class", "day"), "{class}{when}考试", "my {class} exam is {when}"),),
        ("class", "day"),
    ),
    "rename": Deed(
        re.compile(
            r"改个?名字?+(?![为成叫])|(?=改个?名字?+[为成叫])|改一?下名字?|重命名|[换起]个?(?:新的?)?名字?"
            r"|\brenam(?:e|ing)\b|\b(?:new|different|other) (?:name|title)\b|\bchange (?:the|a|its) (?:name|title)s?\b"
        ),
        (Form(("item", "name"), "把{item}改名为「{name}」", 'rename {item} to "{name}"'),),
        ("item", "name"),
    ),
    "due": Deed(
        re.compile(r"截止(?:日期|时间|日)?|结束日期|\b(?:deadlines?|due dates?|end dates?)\b"),
        (Form(("class", "day"), "{class}的截止日期改成{when}", "change the deadline of {class} to {when}"),),
        ("class", "day"),
    ),
    "limit": Deed(
        re.compile(r"限制|上限|别太多|\blimit\b|\bcap\b"),
        (
            Form(("class", "rate"), "{class}每{per}最多{number}{unit}", "at most {number} {unit} of {class} a {per}"),
            Form(("rate",), "每{per}最多{number}{unit}", "at most {number} {unit} a {per}"),
        ),
        ("rate",),
    ),
    "off": Deed(
        re.compile(
            r"休息|放[个一]?天?假|请[个一]?天?假|空(?:出来?|着)?(?=[个一1]?天|$)"
            r"|\b(?:days? off|free day|off day|(?:to|a) rest|a break|holiday)\b"
        ),
        (Form(("day",), "{when}别排", "keep {when} free"),),
        ("day",),
    ),
    "swap": Deed(
        re.compile(r"[两2]个(?=[^,，]*换)|对调|互换|交换|调换|换个?一?下位置|\b(?:swap|switch|exchange)\b(?: two)?"),
        (Form(("item", "other"), "{item}和{other}对调", "swap {item} and {other}"),),
        ("item", "other"),
    ),
    "missed": Deed(
        re.compile(r"没[做学]完?|漏[了掉]|\b(?:missed|skipped)\b"),
        (Form(("item",), "{item}没做", "I missed {item}"),),
        ("item",),
    ),
    "mark": Deed(
        re.compile(r"[学做弄搞看背]完|完成|搞定|\b(?:finished|completed|done|tick(?:ed)?(?= \S+ off))\b(?: with)?"),
        (Form(("item",), "{item}学完了", "I finished {item}"),),
        ("item",),
    ),
    "remove": Deed(
        re.compile(
            r"拿[掉出走]来?|移(?:出来?|除)|撤[掉下]|取消[^,，]{0,3}安排|先不排|\b(?:remov|unschedul|unplac)(?:e|ing)\b"
            r"|\btake\b(?=[^,.]*\b(?:out|off)\b)(?!(?: \w+)* (?:days?|rest|break)\b)|\bdrop\b"
        ),
        (Form(("item",), "把{item}移出来", "take {item} out"),),
        ("item",),
    ),
    "move": Deed(
        re.compile(
            r"[移挪](?!除|出)动?|[调改](?=[一1个]?下?[^,，]{0,2}时间)|调(?=[一1个]?下?$)|调整|换[个一]?个?时间|换[个一]天"
            r"|\b(?:mov(?:e|ing)|reschedul(?:e|ing)|(?<!my )(?<!the )(?<!a )shift)\b|\b(?:an)?other (?:time|day)\b"
        ),
        (
            Form(("item", "day"), "把{item}移到{when}", "move {item} to {when}"),
            Form(("item",), "把{item}移到别的时间", "move {item} to another time"),
        ),
        ("item", "day"),
    ),
}
"""The first whose words begin a message is meant."""
ASKED_BY_GOALS = re.compile(
    r"(?:新建|创建|新增|添加|[建加])[^,，]{0,3}(?:任务类?(?!项)|课程|计划)"
    r"|\b(?:create|add|new|make|set up)\b(?: \w+){0,3}? (?:task class|task|class|course)(?: called| named)?\b"
    r"|[添新]?[加增]加?(?:[一1]|个|(?=[内项章]))|再[加来]|\badd(?:ing)?\b|\b(?:one|an) ?(?:more|other|extra)\b"
)
"""What begins a deed whose goal asks for what is missing, since the answer may be anything: a class, or contents."""
GENERAL = re.compile(
    r"我们?|[你您]|想要?|要|需要|得|能不能|能|可以|可不可以|帮忙?|请|麻烦|给|让|把|将|一?下|[1一有那这哪某]|[个项章节点些门场件天]"
    r"|[的了吧啊呢哦嗯嘛吗么呀]"
    r"|[里中]|内容|任务|东西|事情?|时间|每天|每[周日]|安排|计划|课表|最近|跟|告诉|说|标记|成|为|设置?|量"
    r"|太多|变|调|改|换|动|一个|快|马上|对|新"
    r"|\b(?:i(?:'?(?:d|ve|m|ll))?|we|my|me|an?|the|some|something|anything|things?|ones?|of|them|these|those|to|for|from|in"
    r"|on|at|it(?:'?s)?|is|that(?:'s)?|this|want|need|needs|like|love|would|can|could|should|may|you|please|pls|let|have"
    r"|has|got|get|give|make|set"
    r"|there(?:'?s)?|coming|up|new|steps?|items?|tasks?|chapters?|parts?|classes|class|another|more|do|tell|about|also|help|just"
    r"|plan|schedule|names?|how|much|per|day|days|week|every|as|off|out|mark|marked|been|will|be|changed?|moved?|mine|too|soon"
    r"|many|too|amount|put|with|and|so|now|different|date|time)\b"
)
"""Words beside those of a deed that tell nothing of it."""
INDEFINITE = re.compile(
    r"某|有[一1]?[项个]|[一1]?[项个](?=任务|内容|东西|安排|$)|\b(?:something|anything|one of (?:my|the))\b"
    r"|\ban? (?:\w+ )?(?:steps?|items?|chapters?|tasks?|exams?|tests?|quiz|midterm|deadline|day off|free day)\b"
)
"""That what is meant is not told yet."""
ONE = re.compile(r"[一1][个项]|\bone\b")
POINTS = re.compile(
    r"[那当]天|那[周个时]|同[一样]|还是|\b(?:that|same|those|these) (?:days?|weeks?|times?|ones?)\b"
    r"|\b(?:there|then)\W*$|^then\b"
)
"""What is told by what was said before it."""
MORE = re.compile(r"[也又]|还有|另外|再(?!加)|\b(?:also|too|as well|plus|another)\b")
"""That something is wanted beside what was."""
JOINING = re.compile(
    r"[移挪调改换放推][到在成为至]|[到在为给加]|[那这][天个科门节项]?|就|只[管是有在要]?|仅|里面?|的|是|叫|考|现在|中"
    r"|上|哈|咯|谢谢|麻烦了?"
    r"|\b(?:to|on|in|at|of|for|by|the|only|just|it(?:'?s)?|is|was|that|one|with|and|my|a|from|now|be|as|uh+|um+|er|guess"
    r"|think|say|i|mean|put|move|add|there|task|class|step|both|please)\b"
)
"""Words that join a part to what is wanted."""
NAME_LEAD = re.compile(
    r"(?:(?:uh+|um+|well|so|and|ok(?:ay)?|please|just|then)\b[ ,]*|[嗯那就它,，]|应该)*"
    r"(?:(?:it'?s|it is|that'?s|it should be|i want it|the (?:new )?(?:name|title) (?:is|should be)) )?"
    r"(?:(?:(?:to be |be )?(?:called|named|titled)|call (?:it|that)|name it|make it|rename it to"
    r"|let'?s (?:say|call it)|as|to)\b"
    r"|新?名[字称]?[是叫为]?|叫做?|改名?[成为叫]|命名[为成]|换成|写成?|是)?[ :：]*",
    re.IGNORECASE,
)
NAME_TOLD = re.compile(
    r"\b(?:called|named|titled)\b|\b(?:make|call|name) it\b|\bto(?= \S)|叫做?|改个?名字?[成为叫]|改[成为叫]"
    r"|命名[为成]|名[字称]?[是叫为]",
    re.IGNORECASE,
)
"""What gives a name right in front of it."""
NAME_TAIL = re.compile(
    r"(?:[ ,]+(?:please|pls|i guess|i think|i mean|thanks|thank you|sorry|if possible))+[.!]*$"
    r"|(?:[,，]?(?:吧|哈|呗|好了|就[行好]|谢谢|麻烦了?|这个名字?))+[。!！]*$|[.。!！]+$",
    re.IGNORECASE,
)
DENIES = re.compile(
    r"不(?!好意思)|别|没|除了|\b(?:not|no|never|except|without|don't|isn't|instead|rather|actually)\b|n't\b"
    r"|或者?|还是|\bor\b|都|\b(?:all|both)\b"
)
"""What makes more of a part than that it is told."""
ASKS = re.compile(
    r"哪|什么|几[点号节]|多少|怎么|为什么|[吗呢][?？]?$|\b(?:what|when|where|which|how|why)\b"
    r"|^(?:is|are|does|do|did|will|was)\b"
)
ASKED_OF = {
    "class": ("是哪个任务类", "which task class it is for"),
    "item": ("是哪一项", "which item"),
    "other": ("和哪一项", "the other item"),
    "day": ("是哪一天", "which day"),
    "rate": ("每天或每周几项", "how many a day or a week"),
    "name": ("叫什么名字", "what it is called"),
}
"""How each part is asked for."""
