"""Messages in one form: width-folded, lower case, simplified characters, numerals as digits; no more than is read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from difflib import SequenceMatcher
from functools import lru_cache
from typing import cast

from agent.loop.phrases import fold_text as fold
from agent.loop.view_document import View

_DIGITS = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "俩": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_WEEKDAY = re.compile("((?:周|星期|礼拜)[一二三四五六])")
_NUMERAL = re.compile("(?:[零〇二两俩三四五六七八九十百]|一(?![共直些般定样旦致]))+")
"""一共 and 一直 hold no number: 实验一共几项."""
_CHINESE = re.compile(r"[一-鿿]")
_SEAM = re.compile(r"(?<=[一-鿿])(?=[a-z])|(?<=[a-z])(?=[一-鿿])")
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER = re.compile(rf"\b(?:{'|'.join(_NUMBERS)})\b")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ORDINAL = re.compile(
    rf"\b(?:({'|'.join(_ORDINALS)})|(\d{{1,2}})(?:st|nd|rd|th))\s+(chapter|item|part|unit|lecture|lesson|lab|topic)\b"
)


def has_chinese(text: str) -> bool:
    """Tells whether any character of a text is Chinese; which language it is in is `language_of_message`'s to tell."""
    return _CHINESE.search(text) is not None


@lru_cache(maxsize=4096)
def fold_text(message: str) -> str:
    """The form in which words are looked for; Latin words stand apart from Chinese characters."""
    return _SEAM.sub(" ", fold(message))


def widths(message: str) -> str:
    """NFKC: full-width letters, digits and punctuation in their usual width. Case is kept."""
    return unicodedata.normalize("NFKC", message).strip()


def digits(text: str) -> str:
    """`text` with runs of Chinese numerals up to 999 written in digits: 十二节 -> 12节."""
    return _NUMERAL.sub(lambda match: _number(match.group()), text)


_SECTIONS = re.compile(
    r"(?<![一二三四五六七八九十])([一二三四五六七八九](?=[二三四五六七八九]小?节)|九(?=十小?节)|十(?=十一小?节)|十一(?=十二小?节))"
)
"""第一二节: the first and the second section."""

_NEXT_NUMBER = re.compile(r"(?<=[二三四五六七八九])(?=两)|(?<=[一二三四五六七八九十])(?=[1-9])")
"""实验二两天后, 实验一4节: 两 goes on with no numeral, nor does a digit."""


@lru_cache(maxsize=4096)
def fold_numbers(message: str) -> str:
    """The form in which numbers are looked for: folded, with digits; a weekday is kept apart from what follows."""
    text = _NEXT_NUMBER.sub(" ", fold_text(message))
    text = digits(_SECTIONS.sub(r"\1-", _WEEKDAY.sub(r"\1 ", text)))
    text = _ORDINAL.sub(lambda found: f"{found[3]} {found[2] or _ORDINALS.index(found[1]) + 1}", text)
    return _NUMBER.sub(lambda found: str(_NUMBERS.index(found.group()) + 2), text)


def _number(run: str) -> str:
    if not set(run) & set("十百"):
        return "".join(str(_DIGITS[char]) for char in run)
    total, current = 0, None
    for char in run:
        if char == "百":
            total, current = total + 100 * (1 if current is None else current), None
        elif char == "十":
            total, current = total + 10 * (1 if current is None else current), None
        else:
            current = _DIGITS[char]
    return str(total + (current or 0))


def words(text: str, *cues: str) -> bool:
    """True when one of the cues occurs: Chinese as a substring, a Latin one as whole words."""
    return any(_occurs(cue, text) for cue in cues)


def _occurs(cue: str, text: str) -> bool:
    if cue.isascii():
        return cue in text and re.search(rf"(?<![a-z]){re.escape(cue)}(?![a-z])", text) is not None
    return cue in text


READ_MAX = 800
TOO_LONG = (
    "这条消息有 {count} 个字，没有配置大模型时一次最多读 {limit} 个字。请分成几条说；什么都没有改。",
    "This message has {count} characters; without a language model at most {limit} are read at once. "
    "Please say it in several messages. Nothing was changed.",
)


def refuse_length(view: View) -> str:
    """Returns what is told of a message that is too long to be read; empty for all others."""
    count = len(_close_gaps(view["message"]))
    told = TOO_LONG[view["locale"].startswith("en")]
    return told.format(count=count, limit=READ_MAX) if count > READ_MAX else ""


def cut_words(view: View) -> View:
    """Returns the view with no more of anybody's words than is read: those said before come with every message."""
    cut = {name: _cut(view[name]) for name in ("request", "message")}
    said = {name: [{**row, "text": _cut(row["text"])} for row in view[name]] for name in ("dialogue", "turns")}
    return cast(View, {**view, **cut, **said})


_GREETING = (
    r"(?:(?:hey|hi|hello|hiya|yo)(?: there)?\b(?! (?:is|are) )|(?:um+|uh+|er+m?)(?![a-z])"
    r"|(?:哈[喽啰罗]|嗨|您好|你好)(?!\w)|(?:嗯+|呃+|额+|那个|这个)(?=…|\.\.)"
    r"|(?:heads[- ]?up|fyi|btw|by the way|(?:(?:bad|good|great|small|quick|another) )*(?:news|update)"
    r"|unfortunately|sadly)(?=\s*[,:;!.]|\s*-\s)"
    r"|(?:(?:跟你)?说一?[下声]|更新一下|通知一下|补充一下|是这样的?|刚刚?(?:知道|通知的?|听说)|顺便(?:说一?[下声])?|[好坏]消息|哎[呀哟]|唉)(?=[,，:：。!！…]))"
)
"""Greetings, and what announces that something is told."""
_SIGHS = r"(?:u+gh+|a+rgh+|damn)(?=\s*[,:;!.]|\s*-\s)[\s,.…!~:;-]*"
"""What is said in front of something of how one takes it; how much so is told behind it: ugh, so early."""
_SIGN = r"[\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]"
_BEFORE = re.compile(
    rf"^(?:{_SIGN}|\s|{_GREETING}[\s,，.。…!！~～:：;-]*(?:so\b,?\s*)?|{_SIGHS}|(?:那个|这个)[,，]\s*)+(?=\S)",
    re.IGNORECASE,
)
_THANKS = (
    r"\b(?:many )?(?:thanks|thank you|thx|cheers|ty)\b(?: (?:a lot|so much|in advance))?"
    r"|(?<=[,，.。!！\s])(?:谢谢|多谢|感谢|辛苦)(?:你|您|啦|了)*"
)
_LAUGHS = (
    r"(?<=[\w,，.。!！])[\s,，]{1,3}(?:lo+l|(?:ha){2,}h?|fyi|btw|unfortunately|sadly)\b"
    r"|(?<=[了的吧啊前后完号日])哈+|(?<=[一-鿿\d])[,，](?:唉|哈+|烦死了?|记一下)"
)
"""What is said behind something of how one takes it."""
_BEHIND = re.compile(
    rf"(?:[\s,，.。!！;；]{{0,4}}(?:{_THANKS})[\s.。!！~～]{{0,4}}|(?:{_LAUGHS})|\s|{_SIGN}|[~～])++[.。!！]*$",
    re.IGNORECASE,
)
_LEAST_SAID = 6
"""Letters and digits, a Chinese character counted twice, of what is more than an answer, to which thanks are a part: ok
thanks."""
INTERJECTIONS = re.compile(
    r"(?:(?:(?:oh|ooh|ah|aha|wow|hm+|mm+)\b(?=[\s,，.。…!！~～])(?! not\b)"
    r"|(?:ok|okay|alright|all right|great|perfect|cool|nice|awesome|excellent|wonderful|good|got it|i see)(?: then)?"
    r"(?=\s*[,，.。…!！~～])|ok(?:ay)?(?= (?:now|then|so|and|but)\b|\s*[一-鿿])"
    r"|(?:好的?|[嗯哦噢喔啊哎诶欸唉]+|行|对了|话说|太?[好棒]了?|不错|收到|明白了?|知道了|懂了)(?=[,，.。…!！~～\s])"
    r"|(?:好的|[嗯哦噢喔]+)(?=[把将帮给那请]))[\s,，.。…!！~～]*){1,3}",
    re.IGNORECASE,
)
"""Interjections that take in what was told: in front of what is wanted they tell nothing of it."""
_BECAUSE = re.compile(r"因为|毕竟|反正|正好|(?:because|since|cause|as)\b", re.IGNORECASE)
"""The reason for something: what stands in front of it is consent."""
_NAMES = re.compile(r"叫|名|加|新建|新增|添|\b(?:call|name|rename|title|add|create|new)", re.IGNORECASE)
"""What may give something a name, to which a sign at the end belongs."""


def leave_out_courtesies(view: View) -> View:
    """Returns the view with what the student says without greetings and hesitation in front of it, and without thanks
    behind it, and with one space for several: nothing of it tells what is wanted. What is nothing else stays."""
    return with_said(view, without_courtesies)


def without_courtesies(text: str) -> str:
    """Returns what a student says without greetings, hesitation and interjections in front of it, and thanks behind."""
    text = re.sub(r"[^\S\n]+", " ", text)
    start = _BEFORE.match(text)
    rest = text[start.end() :] if start else text
    end = None if _NAMES.search(rest) and re.search(_SIGN, rest) else _BEHIND.search(rest)
    core = rest[: end.start()] if end else rest
    if _weigh(core) < _LEAST_SAID:
        core = rest
    heard = INTERJECTIONS.match(core)
    if heard and _weigh(core[heard.end() :]) >= _LEAST_SAID and not _BECAUSE.match(core, heard.end()):
        core = core[heard.end() :]
    return core if any(map(str.isalnum, core)) else text


def _weigh(text: str) -> int:
    return sum(1 + bool(_CHINESE.match(char)) for char in text if char.isalnum())


_WORD = re.compile(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+")
_END = re.compile(r"[。！？!?.]*")


def find_own_words(message: str, read: str, request: str, rest: str) -> tuple[str, str]:
    """Returns the beginning of a message up to the end of a request that it is read to begin with, and its end from the
    rest of what is read on, as they stand there, whatever other words are read in their place; both empty where neither
    side of the joint stands there."""
    own, plain = [*_WORD.finditer(message)], [one.group().lower() for one in _WORD.finditer(read)]
    last, first = len(_WORD.findall(request)) - 1, len(plain) - len(_WORD.findall(rest))
    blocks = SequenceMatcher(None, [one.group().lower() for one in own], plain, autojunk=False).get_matching_blocks()
    there = {block.b + at: block.a + at for block in blocks for at in range(block.size)}
    ends, begins = there.get(last), there.get(first)
    ends = begins - (first - last) if ends is None and begins is not None else ends
    begins = ends + (first - last) if begins is None and ends is not None else begins
    if ends is None or begins is None or not 0 <= ends < begins < len(own):
        return "", ""
    behind = _END.match(message, own[ends].end())
    return message[: behind.end() if behind else own[ends].end()], message[own[begins].start() :]


def with_said(view: View, change: Callable[[str], str]) -> View:
    """Returns the view with everything that the student says changed alike."""
    said = {name: change(view[name]) for name in ("request", "message")}
    turns = [{**turn, "text": change(turn["text"])} for turn in view["turns"]]
    dialogue = [{**turn, "text": change(turn["text"])} if turn["role"] == "user" else turn for turn in view["dialogue"]]
    answer = view["interaction"] and {**view["interaction"], "message": change(view["interaction"]["message"])}
    return cast(View, {**view, **said, "turns": turns, "dialogue": dialogue, "interaction": answer})


def _cut(text: str) -> str:
    return text if len(text) <= READ_MAX else _close_gaps(text)[:READ_MAX]


def _close_gaps(text: str) -> str:
    """Returns the text without runs of space, which say nothing: one space or one line feed for each."""
    return re.sub(r"\s+", lambda run: "\n" if "\n" in run[0] else " ", text.strip())
