"""Slips: mistyped words, what is not wanted beside what is, the date that held before, what a notice says to all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from rapidfuzz.distance import OSA

from agent.llm.offline.language.classifier.features import find_stem
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.paraphrase.models import load_models
from agent.llm.offline.language.spans.mentions import find_pieces
from agent.llm.offline.language.words.exchanged_letters import LONG_WORDS, find_exchanged

_NUM = r"[\d一二三四五六七八九十]{1,3}"
_BUT_NOT = re.compile(
    r"\b((?:keep|leave)\b[^,.;]*\bfree|(?:no|nothing)\b[^,.;]*?),? but not (?=(?:on|in|at)\b|\w+days\b)"
)
_ONLY_PART = (
    re.compile(
        r"\bi (?:can|could|may) (?:do|study|work|use)(?: on)? (\w+days|weekends),? but (?:only|just) "
        r"(?:in the |the )?(morning|afternoon|evening)s?\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"((?:周|星期|礼拜)[一二三四五六日天末])(?:是?可以|能学|行|有空)的?[,，]?(?:但是?|不过|就是)?只(?:能|有|在|可以)*(上午|下午|晚上)"
    ),
)
"""A part of some days that is all of them that can be used."""
_BUT_OPEN = re.compile(
    r"(空着|空出来?|留空|[别不](?:安?排|学|要))[,，\s]*(?:但是?|不过)(周末|(?:周|星期|礼拜)[一二三四五六日天])"
    r"(?:不用|不必|可以|除外|例外|没事|行)(?=$|[,，。;；!！])"
)
"""Times that are to stay free, before those of them that are not."""
_DAY_NAME = r"(?:(?:周|星期|礼拜)[一二三四五六日天]|(?:on )?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)"
_PRESENT = (
    r"(?:我?就?[都又]?(?:在|有空|回来)的?了?|(?:i(?:'m| am) )?(?:here|back|around|free|home|available)(?: again)?)"
)
_THERE = rf"(?:{_DAY_NAME} *{_PRESENT}|{_PRESENT} {_DAY_NAME})"
_NOT_THERE = r"(?:不在|没空|有事|away|out|busy|gone|not (?:free|here|in))"
_HOUR = r"(?:(?:[早晚]上|下午)?[\d一二两三四五六七八九十]{1,3}点半?|\d{1,2}(?::\d\d)? ?(?:am|pm)?\b)"
_BUT = r"(?:[,，]| but| and)+ *(?:但是?|不过)? *"
_DELETES = r"(?:delete|remove|drop|get rid of)"
_BESIDE = tuple(
    (re.compile(form, re.IGNORECASE), plain)
    for form, plain in (
        # a day on which somebody is there, beside one on which he is not
        (rf"({_NOT_THERE}[^,，。;；]*?){_BUT}{_THERE}\W*$", r"\1"),
        (rf"^{_THERE}{_BUT}(?=.*{_NOT_THERE})", ""),
        # the hour from which a day is open after all, or at which something ends
        (rf"({_NOT_THERE})([^,，。;；]*),? *(?:but not|except(?: for)?|apart from) after ({_HOUR})", r"\1\2 until \3"),
        (
            rf"({_DAY_NAME})({_NOT_THERE}){_BUT}(?:晚上)?([5-9五六七八九]点半?)[之以]?后(?:除外|可以|有空|行)",
            r"\1晚上\3之前\2",
        ),
        (rf",? but (?:it's|it is|it will be|that's) (?:only |just )?until ({_HOUR})", r" until \1"),
        (rf"[,，](?:不过|但是?)(?:到)?({_HOUR})就?(?:结束|完事|好|搞定)了?", r"，到\1"),
        (r"\b(busy|away|out|not free)\b([^,.;]{3,60}?) only\W*$", r"\1\2"),
        # what comes to a class, which is not planned by that
        (
            r"\b(?:put|stick|throw|squeeze) (an? (?:new )?[\w' -]{2,40}? (?:item|chapter|topic|unit|lab)) in(?:to)? "
            r"(?!(?:the )?(?:week|morning|evening|afternoon|\w+day|plan|draft|calendar|timetable|schedule|my)\b)",
            r"add \1 to ",
        ),
        (r"(?<=[到在排放是成])平时(?!的?[时安])", "工作日"),
        # a weekday as the kind of what is on it, which is all of them
        (
            r"\b(?:(?:all|everything of) )?(?:the|my) ((?:mon|tues|wednes|thurs|fri|satur|sun)day)(?:'?s)? "
            r"(?:stuff|things|tasks|items|sessions|ones|work)(?= (?:to|on to|onto) (?!the (?:week|\d))[a-z]+\W*$)",
            r"everything on \1s",
        ),
        # the one that does not stay where all others do
        (
            r"\b(?:leave|keep|don't (?:touch|move)) (?:everything|all)(?: else)?(?: alone)? "
            r"(?:except|but|apart from)(?: for)? ([^,;]{3,30}?)(?: alone)?(?:[,;]| and)\s*"
            r"(?:just |only )?(move|push|shift|put|bring) (?:that one|that|it)\b",
            r"\2 \1",
        ),
        (
            r"除了?([^,，。]{2,12}?)(?:以外|之外)?(?:其[他它余]的?|别的)?[都全](?:别|不要?|不用)[动挪改][,，](?:把)?(?:它|这个|这项)?"
            r"(?=[往推提延挪移放改])",
            r"\1",
        ),
        # the classes of a day are its lessons
        (
            r"\b((?:what|which|my|any) )classes(?=(?: (?:do|did|have|i|we|i've|got|get|are|there))*"
            r" (?:on|that|this|for|tomorrow|today|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b)",
            r"\1lessons",
        ),
        # the week that another one is compared with
        (r"(?<=this week)([^,.;]{0,24}?\bthan )the following(?: one)?(?=\W*$)", r"\1next week"),
        (r"(?<= week)([^,.;]{0,24}?\bthan )(?:the )?(this|next|last)(?: one)?(?=\W*$)", r"\1\2 week"),
        # what is felt of a plan, before what is wished of it
        (
            r"^([^,，。]{2,8}?)(?:感觉|觉得|好像|是不是)?(?:有点|太|好)[散挤密赶满紧松](?:了|啊)*[,，](?:能不能|可不可以|能|可以)"
            r"([^,，。]{2,10}?)[吗么]?\W*$",
            r"\1\2",
        ),
        (r"能不能(?:快点|快些|赶紧|尽快)(?=[学弄做搞看]完)", "尽快"),
        (r"(?:加快|提高)(?:一下)?(?:学习|复习)?(?:的)?(?:进度|速度)", "学快一点"),
        (r"^(?:再|然后|接着)(?=把[^,，。]{1,12}[放排挪移调]到?[^,，。]{1,12}[前后]面?\W*$)", ""),
        # a name behind its measure word that begins as a number does
        (
            r"([加添增建](?:上|了)?[1一]?个)([二三四五六七八九两](?:次|项|份|套|讲|首|遍|篇|部分)[^\W\d的和]{1,8})(?=$|[,，。吧])",
            r"\1「\2」",
        ),
        (r"(\badd an? )((?:two|three|four)-[a-z]+ [a-z]+)(?=$|[,.])", r'\1"\2"'),
        # what is not to go as well
        (r"(\badd [^,.;]+?),? but (?:please )?don't (?:plan|schedule|place) (?:it|them)(?: yet| for now)?\W*$", r"\1"),
        (rf"(\b{_DELETES} [^,.;]*?),? (?:and|but) (?:please )?(?:don't|do not|not|never) {_DELETES} [^,.;]+", r"\1"),
        (r"(删[^,，。;；]*?)[,，]?(?:但是?)?(?:不要|别|不用)(?:删[掉除了]?|动)[^,，。;；]+", r"\1"),
        (r"([挪移放换推][^,，。;；]*)[,，](?:但是?)?(?!周|星期|今|明)[^,，。;；]{2,10}?就?不用了?$", r"\1"),
        (r"^not (?:the )?[\w ]{3,24}? but (?=.*\b(?:should|must|needs? to|goes|go|move)\b)", ""),
        (
            r"^(?:never ?mind|forget(?: about)?) (?!it\b|that\b|this\b|what)[\w ]{3,24}?, "
            r"(?=.*\b(?:mov|shift|go|put|push)\w*)",
            "",
        ),
        (
            r"^(?![^,，]*(?:周|星期|今天|明天))[^,，。]{2,10}?就?(?:算了|不管了|别管了?)[,，](?=[^,，。]*[挪移放改换推])",
            "",
        ),
    )
)
"""What stands beside a wish and only tells what it is not for, and the wish without it."""
_GAP = re.compile(
    r"(?<=[一-鿿\d])[ \u3000]+(?=(?:如果|要是|假如|但是?|不过|除了|其[他它余]|先别|不要"
    r"|几号|什么时候|啥时候|那一?天|能不能|(?:能|可以|麻烦|请)?帮我|从\s*(?:\d|[一二三四五六七八九十]+月"
    r"|[上下这本]+个?(?:周|月))))"
)
"""Where a clause begins behind a gap instead of a comma."""


_CHAPTERS = re.compile(
    r"(?<![第共有分\d一二三四五六七八九十几])(?:[\d一二三四五六七八九十]{1,3}章[、和跟与]?|[\d一二三四五六七八九十]、)+"
    r"[\d一二三四五六七八九十]{1,3}章(?!节)"
)


def _spell_chapters(run: re.Match[str]) -> str:
    """Chapters side by side that are named by their numbers alone, in full: 五章六章, 五、六章."""
    return "和".join(f"第{one}章" for one in re.findall(r"[\d一二三四五六七八九十]+", run.group()))


_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = (
    rf"(?:(?:{_NUM}\s*月)?\s*{_NUM}\s*[日号](?:[(（]?(?:周|星期)[一二三四五六日天][)）]?)?|\d{{1,2}}[./]\d{{1,2}}(?!\d)"
    rf"|(?:[a-z]{{3,6}}day,? )?(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\b"
    rf"|(?:[a-z]{{3,6}}day,? )?{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b)"
)
_FORMER = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?:原定于?|原来?[定是](?:在|于)?|原本(?:定?在|是)?|本来(?:定?在|是)?)\s*{_DATE}(?:\s*[上下]午)?(?:举行"
        rf"|进行|考试|截止|考|交)?的?",
        rf"[,，]?\s*不(?:再)?是\s*{_DATE}(?:了)?(?=$|[,，。;；!！])",
        rf"不(?:再)?是\s*{_DATE}(?:考试?|交|截止)?了?[,，]?\s*(?:而是|是|改到|改成)\s*(?={_DATE})",
        rf",?\s*\b(?:which was |that was )?(?:originally|previously|formerly|initially)(?: (?:scheduled|planned"
        rf"|set|due|announced))?(?: (?:for|on|by|at|to be on))? {_DATE},?",
        rf",?\s*\b(?:instead of|rather than|and no longer|no longer|(?<=\d )(?:and )?not)(?: on)? {_DATE}",
    )
)
"""The date that held before another one: 原定5月9日的, by 30 April instead of 10 May."""
_FROM = re.compile(
    rf"[由从]\s*{_DATE}\s*(?=[^,，。;；\d]{{0,8}}(?:提前|推迟|延|改|调|移|挪|变)[^,，。;；]{{0,6}}{_DATE})"
    rf"|\bfrom {_DATE} (?=(?:back |forward )?to\b)",
    re.IGNORECASE,
)
_APPOSED = re.compile(
    r"\b(?P<side>before|by|until|till|after) (?:the |my )?(?!(?:week|end|start)\b)[a-z]+(?: [a-z]+)?(?:, ?| ?\()"
    rf"(?={_DATE})",
    re.IGNORECASE,
)
"""A day by its name before its date: before easter, 5 april."""
_DUE = re.compile(r"截止|考试|期[中末]考|报告|\b(?:deadline|due|exams?|tests?|midterm|final)\b", re.IGNORECASE)
_MOVED = re.compile(
    r"提前|推迟|延|改|调|移|挪|变|\b(?:mov|push|brought|bring|chang|shift|postpon|reschedul)\w*", re.IGNORECASE
)
_NOTICE = re.compile(r"通知|公告|【|各位|同学们|教务|\b(?:dear|regards|office|professor|prof\.|dr\.?)\b", re.IGNORECASE)
_COURTESIES = re.compile(
    r"【[^】]{2,16}】|(?:各位)?(?:亲爱的)?同学们?[:：]|[,，。;；]?\s*(?:请|望|希望)(?:各位|广大)?(?:同学们?|大家"
    r"|考生|学生)[^。!！\n]{0,24}?"
    r"(?:转告|周知|知悉|知晓|注意|留意)(?=[,，。;；!！]|$)|[,，。;；]?\s*(?:请)?合理安排好?(?:自己的)?(?:复习|时间"
    r"|学习)[^,，。;；]*"
    r"|[,，。;；]?\s*(?:请)?(?:做好[^,，。;；]{0,8}准备|相互转告|特此通知|(?:务必)?携带[^,，。;；]*|谢谢(?:配合|大家)?)"
    r"|\bdear [^,\n.]{2,24},|\bplease (?:inform|tell|let) (?:your|the|all)\b[^.\n]*|\b(?:please )?(?:bring"
    r"|remember) [^.\n]*"
    r"|\bplease take note\b[^.\n]*|\b(?:kind |best )?regards\b[^\n]*|\bsincerely\b[^\n]*|(?<=[.!])\s*(?:prof"
    r"|dr)\b[.\w ]*$",
    re.IGNORECASE,
)
"""What a notice says to everybody beside what happens."""


_GIVES_UP = re.compile(
    r"^[那嗯好吧,，\s]*(?:(?:要是|如果|假如|万一)?(?:实在)?[那这它样个你也都真]*(?:做不[到了]|办不到|不行|不可以"
    r"|不好[弄搞办排]|排不[了开下]|弄不了|搞不定|没办?法)(?:的话)?[,，\s]?[那就也]*(?:算了|(?:别|不用?)[弄管])[它了吧]*"
    r"[,，。;；\s]+(?:直接)?(?=\S{4})"
    r"|[那就还是]*算了吧?[,，。;；\s]+(?:那就?|还是|先|你|直接|帮我|给我)*(?=[把将排删移挪标]|安排|新建|加))"
    r"|^(?:(?:ok(?:ay)?|well|and|oh|hm+)\b[,.]? *)*(?:if (?:(?:that|it|this|you)\b(?:'s| is| does| can| will)?"
    r"(?: ?n[o']t| cannot)\b|(?:that|it|this)(?:'s| is) (?:too hard|impossible)|not\b)[^,.;]{0,16}?,? (?:then )?)?"
    r"(?:just )?(?:forget|never ?mind|drop|skip|leave)(?: about)?(?: (?:it|that|this))?(?: then)?(?:[,.;]+| and\b)\s*"
    r"(?:instead )?"
    r"(?=(?:just |please |rather |let's )*(?:move|put|plan|schedule|remove|delete|add|swap|take|mark|place|shift)\b)",
    re.IGNORECASE,
)
"""That what was asked for before may be left, in front of what is wanted now."""


_SOME_DAYS = re.compile(r"([排放塞进][^,，。;；]*[,，][^,，。;；?？]{0,8}[隔空]开?)几天(?=$|[,，。;；!！])")
"""Some days that are to lie between, which are no question for how many."""


_NOT_THAT = re.compile(
    r"^(?:(?:oh|no|ok(?:ay)?|hm+|actually|wait)\b\W*)*(?:scratch|forget|cancel|undo|drop)(?: about)? "
    r"(?:it|that|this)\s*[,.;:—–-]+\s*(?=\w)"
    r"(?!(?:thanks?|thx|please|sorry|leave|keep|put|everything|all|both|don't|do not|never|let's not|it|that|this|i"
    r"|i'\w+|no|as|ok(?:ay)?|go|restore|undo|nothing|too|we)\b)"
    r"(?![^,.;]*\b(?:is|are|was|were|got|gets|has|over|off|cancell?ed|ended|finished)\b)",
    re.IGNORECASE,
)
"""That something was said by mistake, in front of what is meant: scratch that, the week after."""


_ASKED_ONESELF = re.compile(
    r"^[那嗯哦]*(?:哪[个一]?|几|什么|多[长久少])[^?？,，。]{0,8}[?？]\s*(?=(?:就|当然|应该|那就|嗯)[^?？吗呢]+$)"
    r"|^(?:(?:oh|hm+|well|and)\b\W*)*(?:which|what|how (?:long|many|much|far)|when|where)\b[^?,.]{0,30}\?\s+"
    r"(?=(?:just|the|well|next|this|say|on|in)\b[^?]+$)",
    re.IGNORECASE,
)
"""A question that is answered at once by who asks it: 哪个周五？就下周; which friday? the next one."""


def gives_up(message: str) -> bool:
    """Whether a message leaves what was asked for before, and asks for something else."""
    return _GIVES_UP.match(message) is not None


def drop_asides(message: str) -> str:
    """The message without what it only says not to be wanted, or to be as ever: 周三我不在，周四在."""
    for form, plain in _BESIDE:
        message = form.sub(plain, message)
    return message


def drop_slips(message: str) -> str:
    """The message without the date that held before, what was wanted before, and what a notice asks of everybody."""
    message = _ASKED_ONESELF.sub("", message)
    message = _NOT_THAT.sub("actually, ", _GIVES_UP.sub("", drop_asides(message)))
    message = _SOME_DAYS.sub(r"\1两天", message)
    message = _CHAPTERS.sub(_spell_chapters, message)
    told = (_FROM,) if _DUE.search(message) and _MOVED.search(message) else ()
    for former in (*_FORMER, *told):
        message = former.sub("", message) if re.search(_DATE, former.sub("", message), re.IGNORECASE) else message
    message = _APPOSED.sub(lambda named: f"{named['side']} ", message)
    if _NOTICE.search(message):
        message = _COURTESIES.sub(" ", message).strip() or message
    message = _ONLY_PART[0].sub(r"only in the \2s on \1", _ONLY_PART[1].sub(r"\1只能排\2", message))
    message = _BUT_OPEN.sub(r"\1，\2除外", _BUT_NOT.sub(r"\1 except ", message))
    return spell_end_of_question(_GAP.sub("，", message))


_ENDS_ASKING = re.compile(
    r"((?:得|[学做背看复搞弄排放])[完下了及上]|行|搞定|完成|可以|够|好使|有空|没事|合适|方便|冲突|相撞|(?:在|有|会"
    r"|还)[^,，。;；!！?？]{0,14}(?:[里内中上下]|冲突|撞|时间|课|位置|地方|任务|内容))不(?=\s*(?:[,，?？。!]|$))"
)
"""A word behind which 不 ends a question: 排得完不."""
_SUPPOSES = re.compile(
    r"(?P<lead>是在[^,，。;；把将]{1,10}|[都全还][^,，。;；]{0,2}在[^,，。;；把将就改放排]{1,10}[前后里内中]"
    r"|(?<!还)是[^,，。;；把将]{1,14}的|在[^,，。;；把将就改放排]{1,10}了|没(?:有)?[^,，。;；]{1,8}了|空(?:着"
    r"|出来)?了|够了?|来得及|不会[^,，。;；]{1,10}|不冲突|没(?:有)?(?:问题|冲突|事)|是最[^,，。;；]{1,6}|(?:现在"
    r"|已经)都?[^,，。;；把将]{1,10}了"
    r"|[没未](?:有|能|开始)?(?:[安计]?[排划]|[做学看背写弄搞标定动]|复习|完成|开始|结束)[完好过上进到]?"
    r"|(?:[排做学看背写弄搞]|安排|复习)[完好过上]了|能[^,，。;；把将]{1,12}[完下好到]|(?<![放排移挪改换安定就])[是在][^,，。;；把将的]{1,8}"
    r"|[,，\s]?(?:(?<!也)是|对))吧(?=[\s?？。!！~]*$)"
)
_ORDERS = re.compile(
    r"把|将|帮|请|麻烦|(?:^|[,，。;；\s]|算了)(?:那?就(?!是)|还是|那(?=周|下|上|明|后|\d))|(?:不|别)要|算了吧|改成|改到|换成"
)


_LEAD = r"(?:(?:so|and|wait|ok(?:ay)?|but|hey|hm+|then|well|oh|fine|also|alright|right|um+|cool|good|great|thanks),? )*"
_AUX = r"(?:is|are|was|were|has|have|will|does|do|did|am)"
_STATED = re.compile(
    rf"^{_LEAD}"
    rf"(?P<subject>(?!{_LEAD}(?:what|when|where|which|who|why|how|if|any(?:thing)?|move|put|plan|keep|make|leave"
    rf"|take|please|can|could|would|should|{_AUX})(?:'s|n't)?\b)"
    rf"(?:[\w']+ ){{0,4}}?[\w']+?)(?: (?P<aux>{_AUX})(?: not|n't)?| ?(?P<short>'s|'re)) "
    r"(?P<rest>[^?,;]+?(?:, \d[^?,;]*)?)(?P<tag>,? (?:right|correct|yeah|innit)"
    rf"|,? {_AUX}(?:n't| not)? (?:it|i|they|we|he|she|that|there|you)|,? won't (?:it|they|i|we))?(?P<asks>\s*\?)*\s*$",
    re.IGNORECASE,
)
"""What is stated only to be confirmed: the lab isn't planned yet, is it?"""
_SUPPOSED = re.compile(
    rf"{_LEAD}"
    rf"(?P<subject>(?!{_LEAD}(?:i|we|you|what|when|how|if)\b)(?:[\w']+ ){{0,4}}?[\w']+?)"
    r" (?:should|must|ha(?:s|ve) to|(?:is|are) (?:supposed|meant) to) (?P<be>be )?(?P<rest>(?!not )[^?,;]+?)"
    rf",? (?:right|correct|yeah|innit|(?:{_AUX}|should)(?:n't| not)? (?:it|they|that))\s*\?*\s*$",
    re.IGNORECASE,
)
"""What ought to be so, and whether it is: the test should come last, does it?"""
_HAD = re.compile(
    r"(?!need)\w+ed\b|(?:already |only |just |still |also )*(?:\w+ed|been|done|got|had|begun|gone|put|left)\b"
)

_DID_PLAN = re.compile(
    r"(?:so |and )?(?:did|have|had) (?:i|we|you) (?:already |ever )*(?:plan|schedul)(?:n?ed|e)? (?P<what>[^?,;]+?)"
    r"(?: already| yet)?\s*\?*\s*$",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"(?:so |and |ok )?(?P<what>(?:nothing|no \w+) (?:on|in|at|this|next|planned|left|due) [^?,;]+?),? "
    r"(?:right|correct|yeah|is there)\s*\?*\s*$",
    re.IGNORECASE,
)
_STILL_NONE = re.compile(r"\b(?:still )?no (plan|place|time)\b")


_DID_IT = re.compile(
    r"^(?=did (?!(?:i|you|we|they|he|she|it|that|this|any\w*)\b)[^?]*\b(?:already|yesterday|today|just now|this morning"
    r"|last night|tick|mark|cross)\b[^?]*$)",
    re.IGNORECASE,
)
"""Before what was done, told without its subject: did determinants already, tick it off."""


def _ask_stated(message: str) -> str:
    """An English statement that is to be confirmed as the question which it is, without its negation: yes and no are
    the same to both."""
    if planned := _DID_PLAN.match(message):
        return f"is {planned['what']} planned?"
    if nothing := _NOTHING.match(message):
        return f"is there {nothing['what']}?"
    if ought := _SUPPOSED.match(message):
        return f"{'is' if ought['be'] else 'does'} {ought['subject']} {ought['rest']}?"
    found = _STATED.match(message)
    if found is None or not (found["tag"] or found["asks"]):
        return message
    aux = found["aux"] or ("are" if found["short"].lower() == "'re" else "is")
    subject, rest = found["subject"], _STILL_NONE.sub(r"a \1", re.sub(r"\s+yet\b", "", found["rest"]))
    if aux.lower() in ("has", "have") and not _HAD.match(rest):
        aux, rest = "does" if aux.lower() == "has" else "do", f"have {rest}"
    return _ask_stated(f"{aux} {subject} {rest}?")


def spell_end_of_question(message: str) -> str:
    """A message whose question is told by its last word alone, with the word that always asks: 排得完不;
    它是排在最后的吧 supposes something of what is, where 放到周五吧 tells what to do."""
    if message.isascii():
        return _ask_stated(_DID_IT.sub("i ", message, count=1))
    message = _ENDS_ASKING.sub(r"\1吗", message)
    return message if _ORDERS.search(message) else _SUPPOSES.sub(r"\g<lead>吗", message)


_BEFORE_TOPIC = re.compile(
    r"(?:(?:and|ok(?:ay)?|so|hey|oh|also|please|but|well),? )*"
    r"(?:for|as for|regarding|concerning|about|with|when it comes to) (?:the |my |our )?"
    r"|(?:那|然后|还有|另外)?(?:对于?|关于|至于|针对)?",
    re.IGNORECASE,
)
_BEHIND_TOPIC = re.compile(
    r"(?: (?:class|course|part|stuff|thing))?(?P<en>,\s+)(?!(?:and|or|plus)\b)"
    r"|(?:[这那]门课?|[这那]边|这科|来说|的话|呢|嘛)*(?P<zh>[,，]\s*)",
    re.IGNORECASE,
)
_AHEAD_OF_TOPIC = re.compile(r"([^,，。;；]*[一-鿿][^。;；]{0,12})[,，](?:我是?说|就是)?$")
_ALONE = re.compile(r"[这那]?门?课?[吧呢啊呀]*[?？。!！\s]*")
"""Around a topic that is told behind what is said of it: 来得及吗，概率论."""


def join_topic(message: str, names: Sequence[str]) -> str:
    """A message that first names the class that it is about and then tells something of it, as one clause: for linear
    algebra, never use Wednesdays; 线性代数的话，周三不要排."""
    folded = fold_text(message)
    if len(folded) != len(message):
        return message
    for piece in sorted(find_pieces(folded, tuple(names)), key=len, reverse=True):
        at = folded.find(piece)
        head, name, tail = message[:at], message[at : at + len(piece)], message[at + len(piece) :]
        behind = _BEHIND_TOPIC.match(tail) if _BEFORE_TOPIC.fullmatch(head) else None
        rest = tail[behind.end() :] if behind else ""
        if behind is None and _ALONE.fullmatch(tail) and (said := _AHEAD_OF_TOPIC.match(head)):
            return f"{name}{said[1]}"
        if behind is None or not rest.strip() or _begins_with_name(rest, names):
            continue
        if head.strip() or behind.group() not in (behind["en"], behind["zh"]):
            return f"{head}{name}{' ' if behind['en'] else ''}{rest}"
    return message


def _begins_with_name(text: str, names: Sequence[str]) -> bool:
    folded = fold_text(text)
    return any(folded.startswith(piece) for piece in find_pieces(folded, tuple(names)))


_MISTYPED = {
    "u": "you", "ur": "your", "r": "are", "wat": "what", "waht": "what", "wen": "when", "pls": "please",
    "plz": "please", "plese": "please", "tmr": "tomorrow", "tmrw": "tomorrow", "tmw": "tomorrow", "2moro": "tomorrow",
    "befor": "before", "bfore": "before", "chaptr": "chapter", "n": "and", "nite": "night",
    "plna": "plan", "paln": "plan", "pln": "plan", "mvoe": "move", "moev": "move", "movee": "move", "swpa": "swap",
    "chaper": "chapter", "chp": "chapter", "aft": "afternoon", "arvo": "afternoon", "morn": "morning", "eve": "evening",
    "wk": "week", "nxt": "next", "wed": "wed", "dedline": "deadline", "tomorow": "tomorrow", "adn": "and", "teh": "the",
    "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "cant": "can't", "im": "i'm", "whats": "what's",
    "wheres": "where's",
    "whens": "when's", "theres": "there's", "ive": "i've", "havent": "haven't",
    "thats": "that's", "isnt": "isn't", "wont": "won't", "couldnt": "couldn't", "wasnt": "wasn't", "hasnt": "hasn't",
    "wouldnt": "wouldn't", "shouldnt": "shouldn't", "arent": "aren't", "thru": "through", "b4": "before",
}  # fmt: skip
_WORD = re.compile(r"(?<![A-Za-z0-9'-])[A-Za-z0-9]+(?![A-Za-z0-9'-])")
_QUOTED = re.compile(r"[《「『“\"][^》」』”\"]*[》」』”\"]")
_CJK_RUN = re.compile("[一-鿿]+")
_ZH_SLIPS = {
    "星期夭": "星期天",
    "啥时候": "什么时候",
    "笫": "第",
    "下午下午": "下午",
    "第而章": "第二章",
    "体捡": "体检",
    "移道": "移到",
    "拍好": "排好",
    "排号": "排好",
}
_AT_PRESENT = re.compile(r"\b(?:at|for) (?:the|this) moment\b", re.IGNORECASE)
"""No slip for an item like Moments."""
_ASKS_Y = re.compile(r"^y(?= (?:is|are|do|does|did|was|were|has|have|would|ca|wo)(?:n'?t)?\b| not\b)", re.IGNORECASE)
_CHAPTER = re.compile(r"(第[\d一二三四五六七八九十]+)[张張]")
_WEEKDAY = re.compile(r"(?<![礼禮崇朝])拜([一二三四五六日天])(?!拜)")
_NUMERALS = frozenset("零一二两三四五六七八九十百")
_UNSAFE = frozenset("把将移挪排放改调换和与跟到在的了周第日月号节上下午晚早不")
"""A window of a name may not begin or end with one of these unless the name does."""


_NEW_NAME = re.compile(
    r"\b(?:rename\b[^,.;]{1,60}? (?:to|as|into)|call (?:the |my )?\S+(?: \d+)?|named|called) (?P<called>[^,.;:]+)"
    r"|\b(?:add|insert|append|include) (?P<added>[^,.;:]+?)"
    r"(?= (?:to|into|in|after|before|behind|at|between|for)\b|[,.;:]|$)"
    r"|(?:改名?[为成叫]|改叫|叫做?|名为|更名为)(?P<called_zh>[^,，。;；]+)"
    r"|(?:[加插添](?:入|上)?|新增|增加)(?:[1一]?[个章项节讲])?(?P<added_zh>[^,，。;；到在给进]+)",
    re.IGNORECASE,
)
"""What something new is called, which is no slip of a name that there is."""
_LABEL = re.compile(r"^\D{1,14}\d{1,3}\s*|^第\S{1,3}[章讲课项]\s*")


def correct_spelling(message: str, names: Sequence[str] = ()) -> str:
    """`message` without slips; quoted text, new names and the words of `names` stay as they are."""
    known = {word.lower() for name in names for word in _WORD.findall(name)}
    kept = [one.span() for one in _QUOTED.finditer(message)]
    for one in _NEW_NAME.finditer(message) if names else ():
        kept += [one.span(group) for group in ("called", "called_zh") if one[group]]
        kept += [one.span(group) for group in ("added", "added_zh") if one[group] and not _is_slip(one[group], names)]
    pieces, end = [], 0
    for start, stop in sorted(kept):
        if start >= end:
            pieces += [_correct(message[end:start], known, names), message[start:stop]]
            end = stop
    return "".join([*pieces, _correct(message[end:], known, names)])


def spell_contractions(message: str) -> str:
    """A message with the apostrophes that its short forms lack: didnt."""
    return _WORD.sub(lambda word: right if "'" in (right := _MISTYPED.get(word[0].lower(), "")) else word[0], message)


def _is_slip(piece: str, names: Sequence[str]) -> bool:
    """Whether a piece as a whole is a known name, with a slip or two."""
    whole = (fold_text(one) for name in names for one in (name, _LABEL.sub("", name)))
    return any(slips_between(fold_text(piece).strip(), one) <= min(2, len(one) // 4) for one in whole)


def _correct(text: str, known: set[str], names: Sequence[str]) -> str:
    text = _ASKS_Y.sub("why", _AT_PRESENT.sub("now", text))
    text = _WORD.sub(lambda match: _correct_word(match.group(), known), text)
    if text.isascii():
        return text
    for wrong, right in _ZH_SLIPS.items():
        text = text.replace(wrong, right)
    text = _WEEKDAY.sub(r"礼拜\1", _CHAPTER.sub(r"\1章", text))
    return _correct_names(text, names)


def _correct_word(word: str, known: set[str]) -> str:
    typed = word.lower()
    if typed in known or any(typed.startswith(right) for right in LONG_WORDS):
        return word
    if typed in _MISTYPED:
        return _MISTYPED[typed]
    if typed.isalpha() and _is_of_language(typed):
        known = set()  # which is no slip of a name: spring, where a class is a sprint
    if 4 <= len(typed) < 7 and typed.isalpha():
        short = [right for right in sorted(known) if len(right) in (4, 5) and right[0] == typed[0]]
        slip = next((right for right in short if slips_between(typed, right) == 1 and typed != f"{right}s"), "")
        if (slip and sorted(slip) == sorted(set(typed) & set(slip))) or (slip and sorted(typed) == sorted(slip)):
            return slip
    if exchanged := find_exchanged(typed):
        return exchanged
    if len(typed) < 6 or not typed.isalpha():
        return word
    near = [right for right in (*LONG_WORDS, *sorted(known)) if len(right) >= 6 and right[0] == typed[0]]
    return next((right for right in near if slips_between(typed, right) <= (1 if len(right) < 8 else 2)), word)


@lru_cache(maxsize=2048)
def _is_of_language(typed: str) -> bool:
    """Whether a word is one of those in which requests are learnt."""
    words = load_models("en").forms.weights.rows
    return typed in words or (find_stem(typed) in words and typed != find_stem(typed))


def slips_between(typed: str, right: str) -> int:
    """Letters missing, added, wrong or exchanged with their neighbour."""
    return OSA.distance(typed, right)


def _correct_names(text: str, names: Iterable[str]) -> str:
    """Chinese names with a wrong, missing, doubled or exchanged character: 线性袋数 for 线性代数."""
    parts = {part for name in names for part in _CJK_RUN.findall(name) if len(part) >= 4}
    for part in sorted(parts, key=lambda part: (-len(part), part)):
        if part not in text and not any(part[:size] in text for size in range(max(3, len(part) - 3), len(part))):
            text = _replace_window(text, part, parts)
    return text


def _replace_window(text: str, name: str, known: Iterable[str]) -> str:
    """The text with the first slip of a name mended; what is another known name, or counts otherwise, is none."""
    taken = [one.span() for other in known if other in text for one in re.finditer(re.escape(other), text)]
    most = 1 if len(name) < 8 else 2
    for size in (len(name), len(name) + 1, len(name) - 1):
        for at in range(len(text) - size + 1):
            window = text[at : at + size]
            fits = window[0] == name[0] or window[-1] == name[-1]
            if not fits or any(at < end and start < at + size for start, end in taken):
                continue
            same = _numerals_in(window) == _numerals_in(name)
            if same and _is_safe(window, name) and OSA.distance(window, name, score_cutoff=most) <= most:
                return text[:at] + name + text[at + size :]
    return text


def _numerals_in(text: str) -> str:
    return "".join(char for char in text if char in _NUMERALS)


def _is_safe(window: str, name: str) -> bool:
    begins = window[0] == name[0] or window[0] not in _UNSAFE
    ends = window[-1] == name[-1] or window[-1] not in _UNSAFE
    return begins and ends and all("一" <= char <= "鿿" for char in window)
