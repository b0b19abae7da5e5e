"""What a question supposes: time that stays free, another last day, so many a day, more to do, less to do.

A supposition is asked about and never written: "what if I kept Fridays free", "如果每天只学一项，什么时候学完".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import ceil
from typing import Literal

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.happenings import days_in
from agent.llm.offline.language.spans.mentions import all_items, blank_names, classes_in, items_in
from agent.llm.offline.language.spans.targets import is_farthest, shift_in
from agent.llm.offline.language.spans.times.hours import SECTION_MINUTES
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.words import COUNT, number_of

Kind = Literal["free", "deadline", "pace", "added", "dropped", "longer", "skipped", "range", "moved", "only"]
_IF = re.compile(
    r"(?:如果|(?<!主)要是|假如|假设|倘若|万一)(?:说|我)?(?P<zh>[^,，。;；?？]+)|(?P<then>[^,，。;；?？]+?的话)(?=[,，\s]|[会还能够\d])"
    r"|\b(?:what if|if|suppos(?:e|ing)(?: that)?|assuming(?: that)?|what (?:would|will) happen (?:if|when))\b"
    r" (?P<en>.+?)(?=[,?;]| - | – |$| (?:would|will|could|can i|what|how|which|when)\b)"
)
_WOULD = re.compile(
    r"(?:so |and )?(?:would|could) (?!i\b|you\b|it\b|that\b)(.+?) "
    r"((?:be (?:ok(?:ay)?|fine|alright|possible)|affect|disturb|mess up|matter|make a difference)\b.*)"
)
"""An item and a time that would do: would Matrices on the 28th be fine."""
_STILL = re.compile(
    r"(?:so |and )?(?:can|could|may) i (.+?),? (?:and|but) still ((?:be|have|finish|get|make|manage)\b.*)"
)
"""What is supposed in the first half of a question: could I take the week off and still be done."""
_MAIN = re.compile(
    r"(?<=[一-鿿])\s+(?=[一-鿿])|(?<=的话)|(?=会不会|会怎|会咋|会有|会影响|会多|还[够能排要来放]|够不够|能不能|能空|要挪|哪[些几]"
    r"|什么时候|几号|能行|行[吗不]|可以[吗么不]|可不可以)"
)
"""Where the question begins behind what it supposes."""
_THEN_WHAT = re.compile(
    r"[,，]?\s*(?P<asks>(?:那|就|又|了)?(?:会(?:怎么?样|咋样|如何)|(?:会|又)?有(?:什么|啥|多大|没有)?(?:影响|后果|问题)[吗么]?"
    r"|影响[大多][吗么不]|会?不?会?影响到?(?:别的|其[他它余]|什么|啥|哪些|计划)[^,，]{0,4}|要不要紧|要紧[吗么]))\s*[呢啊?？]*$"
)
"""A question for what follows, in front of which everything is supposed, whether or not a word for if marks it."""
_ASKS = re.compile(
    r"[?？]|[吗么呢]\s*$|会怎|会咋|怎样|怎么样|够不够|能不能|会不会|行不行|可不可以|来不来得及|多少|多久"
    r"|哪[些几天项个一]|几[项个门天节号]|什么时候|有没有|影响"
    r"|^(?:so |and |but |ok(?:ay)?,? |hey,? )*(?:what'?s?|which|how|would|will|could|does|do i|am i|is|are"
    r"|can (?!you\b|u\b)|when|if|suppos\w+)\b"
)
FITS = re.compile(
    r"[排放做学背看弄塞搞整]得[下完了]|[排放做学背塞搞]不[下完]|够|来得及|赶得[上及]|行得通"
    r"|(?:全部?|都)[^,，]{0,4}(?:做|学|背|完|搞|弄)完|完成(?!了)|能[^,，]{0,6}行"
    r"|\b(?:fit\w*|enough|in time|work|manage|finish\w*|doable|possible|feasible|room|space)\b"
)
"""That it is asked whether there is time enough."""
ACTS = re.compile(
    r"把(?!握)|将(?=[^来])|就算了|就(?:移|挪|放|排|改)|帮我|请(?!假|问)|麻烦(?!问)|更新|改[到成为]"
    r"|(?:^|[,.;] ?|\b(?:please|then|and|so|i|we|it|them|you) )(?:move[ds]?|put|swap(?:ped)?|schedule[ds]?|place[ds]?"
    r"|do it)\b"
    r"|\bplease\b"
)
_UNIT = r"(?:样|个|项|章|件|门|讲|次|单元|课(?![时表程]))"
_DAILY = re.compile(
    rf"(?P<day>每天|[一1]天|每日)[^,，。;；\d]{{0,8}}(?P<n>\d{{1,2}})\s*{_UNIT}"
    rf"|(?P<weekend>每个?周末|一个周末)[^,，。;；\d]{{0,8}}(?P<m>\d{{1,2}})\s*{_UNIT}"
    rf"|\b(?P<k>{COUNT}) (?:items?|things?|tasks?|chapters?|units?|of them)? ?(?:a|per|each|every) (?P<unit>weekday|day"
    rf"|weekend)\b"
)
_MORE = re.compile(
    rf"(?:再|多(?!少)|新|又|另外?|[放排塞]得下)[^,，。;；\d]{{0,6}}?(?P<n>\d{{1,2}})\s*(?:{_UNIT}|小时|钟头)"
    rf"|[加添开报][^,，。;；\d]{{0,6}}(?P<n2>\d{{1,2}})\s*{_UNIT}"
    rf"|\b(?:add\w*|another|extra|new)\b(?:(?! (?:on|in|by|at|until|before|after)\b)[^,.;?]){{0,20}}?"
    rf"\b(?P<k>{COUNT})\b(?! (?:a|per) )"
    rf"|\b(?P<k2>{COUNT}) (?:more|extra|additional|new)\b"
    rf"|\ba (?P<k3>{COUNT})[- ](?:item|chapter|unit|lesson|part|topic|lecture|session)s? \w+"
    rf"|\ban? (?:[\w-]+ ){{0,2}}(?:course|class|subject) (?:of|with) (?P<k4>{COUNT})\b"
)
_HOURS = re.compile(rf"(?P<n>\d{{1,2}})\s*个?(?:小时|钟头)|\b(?P<k>{COUNT}) (?:more |extra |additional )?hours?\b")
_NEW = re.compile(
    r"一门|新的?课|另一门|\b(?:new|another) (?:class|course|subject)\b"
    r"|\ban? (?:[\w-]+ ){0,3}(?:class|course|subject)\b"
)
_LONGER = re.compile(
    rf"[每各]一?{_UNIT}[^,，。;；\d]{{0,6}}多[^,，。;；\d]{{0,4}}(?P<n>\d)\s*节"
    rf"|\b(?:each|every) \w+ (?:took|takes|needed|needs|were|was|is) (?P<k>{COUNT}) (?:more |extra )?(?:section"
    rf"|period)s?"
)
_DEADLINE = re.compile(
    r"考(?:试|期)?(?!虑)|[做学背弄搞]完|搞定|完成|结束|截止|ddl|死线|期限|到期"
    r"|\b(?:exam|deadline|due|test|end date|finish|done|through|complete)\b"
)
FINISHES = re.compile(
    r"(?:能|可以|可不可以|能够|会)[^,，。;；]{0,24}(?:完成|[学背做弄看复搞整过刷]完|搞定|结束|收尾)"
    r"|\b(?:is|are|can|could|will|would|might|doable|possible|feasible|realistic|able)\b[^.;?]{0,60}"
    r"\b(?:finish\w*|wrapped up|done|complete\w*|through)\b"
    r"|\b(?:am|are|will|do|can|could|would|might) (?:i|we)\b[^.;?]{0,20}\bmake it\b"
)
_DROPS = re.compile(
    r"不(?:做|学|要|上|考|背|复习)(?![完动好])|去掉|删掉?|砍掉?|放弃"
    r"|\b(?:drop\w*|cancell?\w*|gave up|give up|leave out|left out|without)\b"
)
_SKIPS = re.compile(
    r"(?:没|不)(?:做|学|背|看|排|写)|跳过|落下|缺|漏"
    r"|\b(?:skip\w*|miss\w*|not (?:do|study)|didn't|don't|without|leave out)\b"
)
_RANGE = re.compile(
    r"(?:最早|最晚|最迟|最快)[^,，。;；]{0,6}(?:能|可以|得)[^,，。;；]{0,6}(?:[移挪放排学提推做]|什么时候|哪)|(?:能|可以)[^,，。;；]{0,4}(?:最早|最晚|最迟)"
    r"|\b(?:earliest|latest)\b[^.;?]*\b(?:can|could|may|possible|move|do|go|place|put)\b|\bhow (?:early"
    r"|late) (?:can|could)\b"
)
_TOUCHES = re.compile(r"影响|冲突|撞|\b(?:affect\w*|clash\w*|conflict\w*|overlap\w*)\b")
_ON_THEN = re.compile(
    r"^(?=.*(?:安排|排|计划|任务|影响|冲突|撞|耽误|落下|错过|\b(?:planned|scheduled|on|then|that|affect\w*|clash\w*"
    r"|conflict\w*|overlap\w*|miss\w*)\b))"
    r"(?:(?:请问)?(?:那[天时]候?|当天|这)?(?:我)?(?:会不会|会|还)?(?:有(?:没有)?|排了?|是不是有?|影响|冲突|耽误|撞|落下|错过)"
    r"|(?:so |and |but )*(?:is|are|do i have|anything|something|will|would|does|do|what)\b)"
)
"""That it is asked what an occasion meets."""
_ALRIGHT = re.compile(
    r"行[吗不么]|能行|可[以不]|会怎|会咋|怎样|怎么样"
    r"|\b(?:(?:be|is|that) (?:ok(?:ay)?|alright|all right|fine|possible|a problem)|ok(?:ay)?|what happens)\b"
)
"""That it is asked whether something would do."""
WEEK_BESIDE = re.compile(
    r"(?:后|后面?那|它后面)一?周|(?P<before>前一?周|上一周|\bthe (?:week before(?! [a-z0-9])|previous week)\b)"
    r"|\bthe (?:week after(?! [a-z0-9])|following week)\b|\ba week later\b"
)
"""The week beside the one in which something stands."""
_ROOM = re.compile(
    r"(?:还能|能再|还可以)再?[加放排塞][^,，。;；]{0,6}(?:几|多少)"
    r"|\bhow many (?:more|extra|additional) [^.;?]*\b(?:fit|add|put|place|squeeze)\b"
)
_ROOM_FOR = re.compile(
    rf"(?:还能|能再|还可以)再?[加放排塞][^,，。;；\d]{{0,4}}\d{{1,2}}\s*(?:个?小时|个?钟头|{_UNIT})(?:任务|内容)?[吗么]"
)
_SAVES = re.compile(r"(?:能|会|可以)?[省腾空](?:下|出)(?:来)?多少|能省多少|\bhow much (?:time )?[^.;?]*\bsave\b")
"""That it is asked how much time becomes free."""
_HOW_MANY = re.compile(r"多少(?!天)|几[个项节章份门]|\bhow (?:many|much) (?!days|time)")
_ASKS_ROOM = re.compile(r"(?:够不够|够吗|来得及吗?|来不来得及|[放排塞]得下吗?)\s*[?？]?$")
_ENDS_ASKED = re.compile(r"(?:能|可以)[^,，。;；]{0,16}[学背做弄看复搞整]完[吗么]")
_LEFT_FREE = re.compile(r"(?:空着|空出来?|不学|不排|休息)[^,，。;；]{0,4}(?:来得及|[排学做放]得[下完]|够)")
"""What is supposed and asked in one clause, without a word for if."""
_POLITE = re.compile(r"可以|方便|行|有空|能|\b(?:possible|you can|ok(?:ay)?|fine|needed|necessary|free|there)\b")
_AWAY = re.compile(
    r"空(?!几|多少)|不[学排做在能想安背看]|没(?:空|时间|法|办法)|请假|休息|放假|出门|出差|旅|有事|生病|病了|回家|玩|跳过"
    r"|\b(?:miss\w*|kept?|keep\w*|free|off|away|nothing|no study\w*|leave|left|without|skip\w*|can't|cannot"
    r"|couldn't|not"
    r"|don't|didn't"
    r"|busy|ill|sick|trip|travel\w*|rest\w*|out)\b"
)
_ALWAYS = re.compile(r"(?<![这下上本周])周([一二三四五六日天末])(?=都|不|全|晚上?都|上午都|下午都|[^,，。]{0,3}的?话)")


OPINION = re.compile(
    r"的话?[,，]?(?:好不好|行不行|好[吗么]|行[吗么]|怎么样|如何|合适[吗么])|(?:会不会|是不是|算不算)[^,，。]{0,10}(?:太|更|比较)"
    r"|(?:比较|更)[好合][吗么适?？]|好主意|\b(?:do you think|what do you think|is it (?:better|a good idea|smart|wise)"
    r"|would it be (?:better|a good idea|smart|wise)|(?:a good|a bad) idea|too (?:many|much|few|little)\?)"
)
"""What is asked for is an opinion: neither a figure nor a change."""


_JUDGED = re.compile(
    r"(?:好主意|(?:合理|合适|靠谱|明智|好)[吗么不]\s*[?？]?$)|\b(?:good|bad|smart|stupid|wise) (?:idea|plan|move)\b"
)


def asks_opinion(message: str) -> bool:
    """Whether it is asked what is thought of something that was said before; 帮我排一下好吗 is a request."""
    text = fold_text(message)
    return len(text) < _SHORT and _JUDGED.search(text) is not None and "帮我" not in text


_SHORT = 40


@dataclass(frozen=True)
class Supposition:
    """`said` is what is supposed, `question` the rest, both folded; `number` so many a day, more, or longer."""

    kind: Kind
    said: str
    question: str
    number: int = 0
    a_weekend: bool = False
    new_class: bool = False


CLASS_RANGE = re.compile(
    r"(?P<late>最[晚迟])[^,，。;；]{0,8}(?:[学做背弄搞]完|完成|结束|收尾|搞定)|(?P<early>最[早快])[^,，。;；]{0,8}[能可][^,，。;；]{0,4}(?:[学做背弄搞]完|完成|结束|收尾|搞定)"
    r"|\b(?:(?P<late_en>latest)|(?P<early_en>earliest|soonest))\b[^.;?]{0,20}\b(?:could|can|might)\b[^.;?]{0,20}"
    r"\b(?:finish\w*|done|end|complete\w*|through|over)\b"
)
"""How late or how early a class could come to its end."""


SOME_WEEK = re.compile(
    r"(?:跳过|休息|歇|停|缺|空出?|放假?|请假?|不学|玩)(?:了|上|它|个|掉)*[1一]?(?:整)?个?(?:周|星期|礼拜)(?![一二三四五六日天末])"
    r"|\b(?:skip(?:ped)?|miss(?:ed)?|take|took|had|have|need) (?:a|one|1|next) (?:whole |full )?week(?: off)?\b"
)
"""A week without studying, of which it is not told when."""


def _name_week(text: str, brief: Brief) -> str:
    """A text that supposes some week to be left free with the next one in its place, which the answer names."""
    if not SOME_WEEK.search(text) or read_times(text, brief.term):
        return text
    return SOME_WEEK.sub("take next week off" if text.isascii() else "下周不学", text)


def read_supposition(message: str, brief: Brief) -> Supposition | None:
    """What a question supposes; None for anything else, and for a single item that is to go elsewhere."""
    text = _name_week(fold_text(brief.plain(message)), brief)
    if len(text) > 200:
        return None
    if occasion := read_occasion(text, brief):
        return occasion
    if not _ASKS.search(text):
        return None
    if (reach := CLASS_RANGE.search(text)) and len(classes_in(text, brief.classes)) == 1 and not items_in(text, brief):
        return Supposition("range", reach.group(), text)
    said, question = _divide(text)
    known = any(form.search(fold_numbers(text)) for form in (_ROOM, _ROOM_FOR, _RANGE, _SAVES))
    if not said and _HOW_MANY.search(text) and not known:
        return None
    whole = FINISHES.search(text) and classes_in(text, brief.classes) and not items_in(text, brief)
    asks_end = _ASKS_ROOM.search(text) or _ENDS_ASKED.search(text) or (whole and _dated(text, brief))
    ends = _last_day(text, brief) or (asks_end and _timed(text, brief))
    if not said and _LEFT_FREE.search(text) and _timed(text, brief) and not _last_day(text, brief):
        return Supposition("free", text, text)
    bounded = not said and (FINISHES.search(text) or FITS.search(text)) and ends
    if not said and (FITS.search(text) or known):
        said, question = text, text
    elif is_farthest(said) and _RANGE.search(question):
        said = question  # the latest, if everything goes as late as possible
    if ACTS.search(question) and not (_ASKS_ROOM.search(text) or (whole and _ENDS_ASKED.search(text))):
        return None
    found = _of_kind(said, question, brief) if said else None
    return Supposition("deadline", text, text) if found is None and bounded else found


_PERMITS = re.compile(
    r"\b(?:is it|would it be|it'?s) (?:ok(?:ay)?|fine|alright|all right|possible|a problem|cool) if\b|\bmind if\b"
)
"""That it is asked for leave to do so, which is wanted."""


def only_supposes(message: str, brief: Brief) -> bool:
    """Whether a question is about what would follow from something, whatever that is: it asks for no change."""
    if not _divide(fold_text(message))[0] or _PERMITS.search(fold_text(message)):
        return False
    names = [row["name"] for row in all_items(brief)]
    names += [piece for name in names for piece in name.split() if not piece.isascii()]  # 假设检验 supposes nothing
    text = blank_names(fold_text(brief.plain(message)), names)
    said, question = _divide(text)
    asks = _ASKS.search(question) or re.match(r"(?:so |and |but |ok )*what if\b", text)
    return bool(said and asks and not ACTS.search(question) and not _POLITE.search(said))


def _divide(text: str) -> tuple[str, str]:
    """What is supposed, and what is asked of it."""
    match = _IF.search(text)
    if match is None:
        if (then := _THEN_WHAT.search(text)) and then.start() > 1:
            return text[: then.start()], then["asks"]
        still = _STILL.fullmatch(text) or _WOULD.fullmatch(text)
        return (still[1], still[2]) if still else ("", text)
    if match["en"]:
        return match["en"], f"{text[: match.start()]} {text[match.end() :]}".strip()
    front = _CLAUSE_END.split(text[: match.start()])[-1]
    inside = front + (match["zh"] or match["then"])
    cut = next((one.start() for one in _MAIN.finditer(inside) if one.start() > 1), len(inside))
    return inside[:cut], f"{text[: match.start() - len(front)]} {inside[cut:]}{text[match.end() :]}".strip()


def read_occasion(message: str, brief: Brief) -> Supposition | None:
    """A day ahead on which something else is, behind which it is asked what of the plan that meets."""
    text = fold_text(message)
    pieces = [one.strip() for one in _CLAUSE_END.split(text.rstrip("?？。. ")) if one.strip()]
    said, question = ", ".join(pieces[:-1]), pieces[-1] if pieces else ""
    days = days_in(said, brief.term) if _ON_THEN.search(question) else []
    if not days or days[0].first < brief.term.today or _timed(_THEN.sub("", question), brief):
        return None
    other = any(form.search(text) for form in (ACTS, FITS)) or _SENTENCE_END.search(said)
    named = items_in(text, brief) or classes_in(text, brief.classes)
    return None if other or named else Supposition("free", said, question)


_SENTENCE_END = re.compile(r"[.。!！](?:\s|$)")
_THEN = re.compile(r"那[天时]候?|当天|\b(?:that day|then)\b")


def _of_kind(said: str, question: str, brief: Brief) -> Supposition | None:
    counted, whole = fold_numbers(said), said == question
    if match := _DAILY.search(fold_numbers(f"{said}，{question}")):
        number = number_of(match["n"] or match["m"] or match["k"])
        return Supposition("pace", said, question, number, bool(match["weekend"] or match["unit"] == "weekend"))
    if match := _LONGER.search(counted):
        return Supposition("longer", said, question, number_of(match["n"] or match["k"]))
    if _ROOM.search(counted):
        return Supposition("added", said, question)
    items, classes = items_in(untimed(said, brief), brief), classes_in(said, brief.classes)
    if (match := _MORE.search(counted)) and not items:
        number = number_of(next(filter(None, match.groups())))
        if hours := _HOURS.search(match.group() + counted[match.end() :]):
            number = ceil(number_of(hours["n"] or hours["k"]) * 60 / SECTION_MINUTES / 2)  # as items of two sections
        told = re.search(
            rf"\b(?:with|of) (\d{{1,2}})\b|门\D*?(\d{{1,2}})\s*{_UNIT}", fold_numbers(untimed(said, brief))
        )
        return Supposition(
            "added",
            said,
            question,
            int(told[1] or told[2]) if told else number,
            new_class=_NEW.search(said) is not None,
        )
    timed = _timed(said, brief)
    if (
        not timed
        and not said.isascii()
        and _AWAY.search(said)
        and not whole
        and _timed(question, brief)
        and not FITS.search(question)
    ):
        said, timed = f"{said}，{question}", True
    shifted = _SHIFTS.search(counted) is not None and (not whole or shift_in(said) is not None)
    if _DEADLINE.search(said) and (timed or shifted) and not items:
        return Supposition("deadline", said, question)
    if _RANGE.search(said) and (len(items) == 1 or (len(classes) == 1 and not items)):
        return Supposition("range", said, question)
    if _SKIPS.search(said) and len(items or items_in(untimed(said, brief), brief, among=all_items(brief))) == 1:
        return Supposition("skipped", said, question)
    elsewhere = bool(timed or WEEK_BESIDE.search(said) or shift_in(said) is not None)
    if (
        len(items) == 1
        and elsewhere
        and not whole
        and any(form.search(question) for form in (FITS, _TOUCHES, _ALRIGHT))
    ):
        return Supposition("moved", said, question)
    if (classes or items or _SAVES.search(said)) and _DROPS.search(said) and not timed:
        return Supposition("dropped", said, question)
    if timed and says("only", said) and not items and not (whole and not FITS.search(said)):
        return Supposition("only", said, question)
    if timed and _AWAY.search(_only_supposed(said) if whole else said) and not items:
        return Supposition("free", _ALWAYS.sub(r"每周\1", said), question)
    return None


_SHIFTS = re.compile(r"提前|推迟|延后|晚|早|\b(?:earlier|later|sooner)\b")
_CLAUSE_END = re.compile(r"[,，;；?？]")


def _only_supposed(said: str) -> str:
    """The clauses in front of the question, where no word marks what is supposed."""
    return "，".join(_CLAUSE_END.split(said)[:-1]) if _CLAUSE_END.search(said.rstrip("?？ ")) else ""


def _timed(text: str, brief: Brief) -> bool:
    return any(not one.impossible for one in read_times(text, brief.term))


def _dated(text: str, brief: Brief) -> bool:
    return any(one.last and one.last >= brief.term.today for one in read_times(text, brief.term))


def untimed(text: str, brief: Brief) -> str:
    for one in reversed(read_times(text, brief.term)):
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return text


def _last_day(text: str, brief: Brief) -> bool:
    return any((one.last or one.weekdays) and one.side in ("until", "before") for one in read_times(text, brief.term))
