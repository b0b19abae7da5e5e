"""Sentences without a verb: a time alone (周六下午, no, Thursday), an item alone, or both (第3章周日)."""

from __future__ import annotations

import re
from typing import Literal

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.offers import choice_in
from agent.llm.offline.language.lexicon import pattern
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.dates import TIMES
from agent.llm.offline.language.spans.mentions import (
    ORDINAL,
    classes_in,
    find_quoted_texts,
    items_in,
    without_classes,
    without_items,
    without_mistakes,
)
from agent.llm.offline.language.spans.targets import SHIFT, shift_in, target_in
from agent.llm.offline.language.texts import NOTHING_MORE

Form = Literal["time", "item", "both", "class", ""]
_VERBS = re.compile(
    r"移[动出到]?|挪[动到]?|[换调改放排推搁][到成在出]?|调整|安排|推迟|延后|提前|往[前后]|撤[下掉]|拿掉|先不排|之?[前后]|[天早晚]|一下|时间"
    r"|把|将|直接|干脆|能|可|帮忙?|给|先|重新|别的|其他|另外|空位?|合适|个"
    r"|\b(?:move|put|place|shift|push|pull|swap|unplace|remove|take|out|back|forward|earlier|later|days?|by|up|some(?:where)?"
    r"|else|other|another|more|time|slot|bring|postpone|delay|reschedule|away|over|again|please|day|any)\b"
)
"""What moving is told with."""
_YES = re.compile(
    r"\s*嗯?(?:嗯{2,3}|好[的吧啊呀]*|行[吧啊]*|可以[的吧]*|是[的]*|对[的]*|确认|同意|没问题|[那就]*[安排]+[吧上了]+|就(?:这个|它)[吧了]*|(?:那|(?<=[行好的以嗯,，]))就这[样么](?:办|定|弄)?吧?|y|yes|yep|yeah|yup|ok(?:ay)?|sure"
    r"|fine|good|great|perfect|nice|looks (?:good|ok|fine)|sounds good"
    r"|(?:\d|[俩几])?[个项]?[都全](?:是|要|对|挪|动|推)[的啊呀吧了]*|all(?: \d)?(?: of them)?|both(?: of them)?"
    r"|go(?: ahead| for it)?|do (?:it|that)|confirm|please(?: do)?|[,，\s])+[.。!~]*\s*"
)
_AGREES = re.compile(r"^(?:嗯+|对+|是的?|没错|yes|yeah|yep|yup|right|correct)(?:[,，\s]|$)")
_ANY = re.compile(
    r"随便|哪天都|都行|都可以|哪个都|你(?:来)?(?:定|选|决定|挑|推荐)|推荐(?:一个|哪)|第1个(?:吧|就行)"
    r"|那就(?:这[样么])?(?:办|弄|定)|就?放(?:那儿|那里|过去)|\b(?:put|move) it (?:there|then)\b"
    r"|\b(?:any(?: of them)?(?! (?:later|earlier|others?|more|else)\b)|either|whatever|whichever"
    r"|you (?:choose|pick|decide)|up to you"
    r"|(?:the )?first(?: one)?(?! (?:tell|show|let|what|i|is|if|whether|few|couple|two|three|\d)\b)"
    r"|recommend|suggest)\b"
)
_FILLERS = re.compile(
    r"不行|不对|不好|不是|我?是[说指]|我?[是说指]的?是|是|说错了|错了|还是|改成|改到|换成|换到|那就|就|那|要不|还|应该|实际上?|算了|可以|可能|好的?|行|吧|呢|呗|吗|啊|哦|嗯|了|的"
    r"|等[等下]|等一下|[说记打]错了?|刚才|更|足?够|合适"
    r"|我|想要?|要|得|在|到|也|和|与|请|麻烦|不|又|再|或者?|另外|对了|一下|谢谢|左右|大概|差不多|大约"
    r"|\b(?:(?:forget|scratch|drop) (?:it|that|this)|never ?mind|second thoughts?|h[ao][nl][gd] on|enough|after all)\b"
    r"|\b(?:no|not|nope|actually|sorry|i|mean|meant|make|it|that|rather|instead|better|then|please|what|how|about|on|in"
    r"|at|the|of|or|ok|okay|maybe|and|wait|oops|try|could|can|be|want|would|like|let's|lets|prefer|for|to|a|is|hm+|well"
    r"|yes|yeah|yep|yup|sure|sounds|good|great|perfect|nice|ideal|but|so|same|too|also|either|thanks|from|until|just|do|with|one|d|s|m|ll|re|like|so|about|around|roughly|works?|fine)\b"
)


def form_of(message: str, brief: Brief) -> Form:
    """What a message consists of that says nothing else."""
    text = without_mistakes(fold_numbers(message))
    items = items_in(message, brief) if items_in(without_classes(text, brief), brief) else []
    bare = without_items(text, items)
    timed = target_in(bare, brief).said or shift_in(bare) is not None
    rest = TIMES.sub(" ", SHIFT.sub(" ", without_items(without_classes(text, brief), items)))
    if strip_fillers(pattern("pronoun").sub(" ", pattern("softly").sub(" ", rest))):
        return ""
    if not items and classes_in(message, brief.classes):
        return "" if timed else "class"
    if items or says_it(message):
        return "both" if timed else "item"
    return "time" if timed else ""


def only_tells_time(message: str, brief: Brief) -> bool:
    """Whether a message tells a time, wanted or refused, and nothing else but what it is for: not in the morning."""
    text = pattern("wish_nothing").sub(" ", fold_text(message))
    return "time" in (form_of(text, brief), form_of(_REFUSALS.sub(" ", text), brief)) or form_of(text, brief) == "both"


_REFUSALS = re.compile(
    r"(?:别|不能?)?(?:再|太)?(?:安?排|放|移|挪|改|占|要)[到在]?|别|[早晚][于过]|但是?|不过|只是|\b(?:don't|never|before|after|than)\b"
)
"""What refuses a time, and bounds of one."""


def strip_fillers(text: str) -> str:
    """The letters of a text that are no fillers."""
    return "".join(filter(str.isalnum, _FILLERS.sub(" ", text)))


def names_something(message: str, brief: Brief) -> bool:
    """Whether a message with a verb also names a thing that is known by no name: 把泰勒展开移到周六."""
    return sum(char.isalnum() for char in strip_known(message, brief)) > 1


_LABELLED = re.compile(
    r"(?:实验|专题|单元|词汇|\b(?:lab|list|unit|chapter|lecture|lesson|topic))\s*\d{1,3}(?!\d| (?:day|week|hour))"
)


def unknown_name(message: str) -> str:
    """What looks like the name of an item and is that of none: 第12章, 实验九, a quotation; empty for other words."""
    text, quoted = fold_numbers(message), find_quoted_texts(message)
    named = ORDINAL.search(text) or _LABELLED.search(text)
    return named.group().strip() if named else quoted[0] if quoted else ""


def strip_known(message: str, brief: Brief) -> str:
    """A message without what says when, what about, and how: a name that is known by nobody is left."""
    text = without_classes(fold_numbers(message), brief)
    for words_ in (TIMES, pattern("pronoun"), _VERBS, _FILLERS):
        text = words_.sub(" ", text)
    return text


def adds_nothing(message: str, brief: Brief) -> bool:
    """Whether a message leaves what was talked about as it is: a time, a number from a list, giving up."""
    said = fold_numbers(message).strip(" 。.!?,")
    timed = form_of(message, brief) == "time" and pattern("softly").search(said) is None  # that is a wish
    return said in NOTHING_MORE or choice_in(message, 99) is not None or timed


def affirms(message: str) -> bool:
    """Whether a message is consent and nothing else."""
    return _YES.fullmatch(fold_numbers(message)) is not None


def agrees_again(message: str, before: str) -> bool:
    """Whether a message agrees and only says once more by how much: 对，早一周; yes a week earlier."""
    agreed = _AGREES.match(fold_text(message))
    again = shift_in(message) if agreed else None
    return again is not None and again == shift_in(before)


def leaves_it_open(message: str) -> bool:
    """Whether a message takes whatever is offered first: consent, 随便, 你推荐一个, the first one."""
    return affirms(message) or _ANY.search(fold_numbers(message)) is not None


_DONE_IT = re.compile(
    r"(?:(?:ok(?:ay)?|yes|yeah|yep|yup|great|good|fine|perfect|cool|nice|alright|all|right|sure|then|so|and|please|pls"
    r"|well|just|let's|lets|i'll|let|us|we|do|that|it|this|move|put|shift|go|for|ahead|with|there|make|take|the|one|to|fix"
    r"|in|thanks|actually|them|those|these|again)\W*)+"
    r"|(?:好的?|行|可以|嗯|那|就|你|请|帮我|给我|把|它|么|这|样|照|按|个|挪|移|放|改|换|排|办|调|动|过去|到|那儿|那里|上|去|来|照|一下"
    r"|吧|了|呗|啊|定|[,，.。!！\s])+"
)
_ACTS = re.compile(r"\b(?:do|move|put|shift|go|make|take|fix)\b|[挪移放改换排办调定按照]|[这那]么|这样")


_PLANNED = re.compile(r"\b(?:re)?(?:plan|schedule|place)\b(?=\W*(?:it|them|those|these|that|all|again)\b)")


def wants_it_done(message: str, *, placing: bool = False) -> bool:
    """Whether a message tells to do what was spoken of, and nothing else: 那就挪吧, go for it, move it there. Where it
    is `placing` something, the verbs of plans do it as well: schedule them."""
    text = fold_text(message).strip()
    text = _PLANNED.sub("put", text) if placing else text
    return _DONE_IT.fullmatch(text) is not None and _ACTS.search(text) is not None


def says_it(message: str) -> bool:
    """Whether a pronoun stands for an item."""
    return pattern("pronoun").search(fold_text(message)) is not None
